//! What a person sees at the end of `atlas scout` (contract §15): short, and readable without colour.
//!
//! Pure: width and colour are arguments. Nothing of a stranger reaches the terminal raw: control
//! characters and marks that reorder a line are shown as their codes, so that neither source nor
//! claim can move the cursor, paint, or hide text.

mod paint;

use crate::view::{Status, View, gaps_of, source, told_elsewhere, told_under};
use crate::wording::{count, gap_reason, thousands, tier_word};
use atlas_artifact::{Anchor, Finding, GateDecision, SubQuestion, Tier};
use paint::{Ink, Printer};

/// Columns that are used at least and at most, whatever the terminal has.
const WIDTH: std::ops::RangeInclusive<usize> = 40..=110;
/// Source lines of a finding that are shown.
const LINES_MAX: usize = 5;
/// Further places, strikes and rejected findings that are named.
const PLACES_MAX: usize = 4;

/// How it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether escape sequences for colour may be written.
    pub colour: bool,
}

/// The result, ending in a line feed. `folder` is where the artifacts are, if they were written.
#[must_use]
pub fn report_terminal(view: &View<'_>, folder: Option<&str>, look: Look) -> String {
    let mut printer = Printer::new(look.width.clamp(*WIDTH.start(), *WIDTH.end()), look.colour);
    for question in &view.mission.sub_questions {
        sub_question(&mut printer, view, question);
    }
    summary(&mut printer, view);
    if let Some(folder) = folder {
        printer.labelled("Everything is in", Ink::Place, folder);
    }
    printer.finish()
}

fn sub_question(printer: &mut Printer, view: &View<'_>, question: &SubQuestion) {
    let status = Status::of(view.findings, question.id);
    let ink = match status {
        Status::Answered => Ink::Good,
        Status::Disputed => Ink::Bad,
        Status::PossibleOnly => Ink::Faint,
        Status::Open => Ink::Warn,
    };
    printer.heading(&format!("{} {}", question.id, question.text), status.word(), ink);
    for finding in told_under(view.findings, question.id) {
        print_finding(printer, view, finding);
    }
    let elsewhere: Vec<&str> =
        told_elsewhere(view.findings, question.id).iter().map(|finding| finding.id.as_str()).collect();
    if !elsewhere.is_empty() {
        printer.note(2, &format!("supported too by {}", elsewhere.join(", ")));
    }
    for gap in gaps_of(view.findings, question.id) {
        printer.item(2, "gap", Ink::Warn, &format!("{} ({})", gap_reason(gap), gap.id));
        for strike in gap.strikes.iter().take(PLACES_MAX) {
            printer.note(6, &format!("tried {}: {}", strike.probe, strike.result));
        }
        if gap.strikes.len() > PLACES_MAX {
            printer.note(6, &format!("and {} more", gap.strikes.len() - PLACES_MAX));
        }
    }
    printer.blank();
}

fn print_finding(printer: &mut Printer, view: &View<'_>, finding: &Finding) {
    if finding.disputed {
        printer.item(2, "L!", Ink::Bad, &format!("in dispute, no side is taken ({})", finding.id));
        if finding.claims.is_empty() {
            printer.item(6, "-", Ink::Bad, &finding.claim);
            printer.note(8, &format!("disputed with {}", finding.disputed_with.join(", ")));
        }
        for claim in &finding.claims {
            printer.item(
                6,
                "-",
                Ink::Bad,
                &format!("{} (branch {}, {})", claim.text, claim.origin.branch_id, claim.confidence),
            );
        }
    } else {
        let tier = finding.confidence;
        let ink = match tier {
            Tier::H => Ink::Good,
            Tier::M => Ink::Warn,
            Tier::L => Ink::Faint,
        };
        let delta = finding.delta.as_ref().map(|delta| format!("{}, ", delta.label)).unwrap_or_default();
        printer.item(2, tier.as_str(), ink, &format!("{} ({delta}{})", finding.claim, finding.id));
    }
    if let Some(primary) = finding.evidence.first() {
        printer.place(6, &place(primary));
        match source(view, primary, LINES_MAX, *WIDTH.end()) {
            Some(source) => printer.source(8, &source),
            None => printer.note(8, "the lines are not there any more"),
        }
    }
    let rest = finding.evidence.get(1..).unwrap_or_default();
    if !rest.is_empty() {
        let mut places: Vec<String> = rest.iter().take(PLACES_MAX).map(place).collect();
        if rest.len() > PLACES_MAX {
            places.push(format!("and {} more", rest.len() - PLACES_MAX));
        }
        printer.note(6, &format!("also {}", places.join(", ")));
    }
}

/// `path:line`, or `path:start-end` if there are several: what editors open.
fn place(anchor: &Anchor) -> String {
    match anchor.lines.split_once('-') {
        Some((start, end)) if start == end => format!("{}:{start}", anchor.path),
        _ => format!("{}:{}", anchor.path, anchor.lines),
    }
}

fn summary(printer: &mut Printer, view: &View<'_>) {
    let findings = view.findings;
    let answered = view
        .mission
        .sub_questions
        .iter()
        .filter(|question| Status::of(findings, question.id) == Status::Answered)
        .count();
    let mut parts = vec![
        format!("{answered} of {} answered", count(view.mission.sub_questions.len(), "question")),
        count(findings.findings.len(), "finding"),
    ];
    let disputed = findings.findings.iter().filter(|finding| finding.disputed).count();
    if disputed > 0 {
        parts.push(format!("{disputed} in dispute"));
    }
    parts.push(count(findings.gaps.len(), "gap"));
    if !findings.rejected.is_empty() {
        parts.push(format!("{} rejected", findings.rejected.len()));
    }
    let fired: std::collections::BTreeSet<&str> =
        findings.escalation_log.iter().map(|fired| fired.trigger.as_str()).collect();
    if !fired.is_empty() {
        parts.push(format!("fired: {}", fired.into_iter().collect::<Vec<_>>().join(", ")));
    }
    printer.strong(&parts.join(" · "));
    let tiers = [Tier::H, Tier::M, Tier::L].map(|tier| format!("{tier} {}", tier_word(tier))).join(", ");
    printer.note(0, &format!("Tiers: {tiers}; L! in dispute."));
    if let Some(plan) = view.plan {
        let how = match plan.gate.decision {
            GateDecision::Scatter => format!("Scattered to {} branches", plan.branches.len()),
            GateDecision::Serial => "Stayed serial".to_owned(),
        };
        printer.note(0, &format!("{how}: {}.", plan.gate.reason));
        if plan.gate.decision == GateDecision::Scatter {
            let folded = count(findings.telemetry.dedup_count as usize, "finding");
            let cut = thousands(plan.cut_weight);
            printer.note(0, &format!("Cut between the clusters: edge weight {cut}. {folded} folded into others."));
        }
    }
    for item in findings.exit_gate.iter().filter(|item| !item.pass) {
        printer.item(0, "broken promise", Ink::Bad, &format!("{}: {}", item.item, item.evidence));
    }
    for advice in &findings.telemetry.advice {
        printer.note(0, advice);
    }
}
