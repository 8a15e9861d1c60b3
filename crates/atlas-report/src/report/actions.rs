//! What to do next, ranked: what stopped the mission, what is in dispute, what is missing, what is
//! weak, and last what can be built on.

use crate::text::is_plain_code;
use crate::wording::{count, gap_dt};
use atlas_artifact::findings::FindingsGap;
use atlas_artifact::mission::TriggerAction;
use atlas_artifact::report::NextAction;
use atlas_artifact::{Finding, Findings, GapReason, Mission, Tier};
use std::collections::{BTreeMap, BTreeSet};

/// Disputes that get an action of their own; further ones share one.
const DISPUTES_MAX: usize = 3;

/// The recipients of §13.
pub(super) const RECIPIENTS: [&str; 4] = ["SPECTRA", "APIVR-Δ", "human", "ATLAS"];

pub(super) fn next_actions(mission: &Mission, findings: &Findings, words: bool) -> Vec<NextAction> {
    let mut list = List::default();
    halted(&mut list, findings);
    disputes(&mut list, findings, words);
    gaps(&mut list, findings);
    weak(&mut list, findings);
    firm(&mut list, mission, findings);
    list.actions
}

#[derive(Default)]
struct List {
    actions: Vec<NextAction>,
}

impl List {
    fn add(&mut self, action: String, to: &str, cites: Vec<String>) {
        let rank = u32::try_from(self.actions.len() + 1).unwrap_or(u32::MAX);
        self.actions.push(NextAction { rank, action, to: to.to_owned(), cites });
    }
}

fn halted(list: &mut List, findings: &Findings) {
    let halts: BTreeSet<&str> = findings
        .escalation_log
        .iter()
        .filter(|fired| fired.action == TriggerAction::Halt)
        .map(|fired| fired.trigger.as_str())
        .collect();
    if !halts.is_empty() {
        let ids = halts.into_iter().collect::<Vec<_>>().join(", ");
        list.add(format!("Decide whether the mission may go on; it was halted by {ids}."), "human", Vec::new());
    }
}

fn disputes(list: &mut List, findings: &Findings, words: bool) {
    let disputed: Vec<&Finding> = findings.findings.iter().filter(|finding| finding.disputed).collect();
    let (single, rest) = disputed.split_at(disputed.len().min(if words { DISPUTES_MAX } else { 0 }));
    for finding in single {
        let probe = finding.follow_up.as_ref().map(|follow_up| follow_up.probe.as_str());
        let by = match probe.filter(|probe| is_plain_code(probe) && probe.len() <= 200) {
            Some(probe) => format!("Settle the dispute by `{probe}`."),
            None => "Settle the dispute by reading both sides' anchors.".to_owned(),
        };
        list.add(by, "ATLAS", vec![finding.id.clone()]);
    }
    if !rest.is_empty() {
        let ids = rest.iter().map(|finding| finding.id.clone()).collect();
        list.add(format!("Settle {} by reading the anchors.", count(rest.len(), "dispute")), "ATLAS", ids);
    }
}

/// One action per recipient and way to mend.
fn gaps(list: &mut List, findings: &Findings) {
    let mut ways: BTreeMap<(usize, &str, &str), Vec<&FindingsGap>> = BTreeMap::new();
    for gap in &findings.gaps {
        let (rank, how, to) = match gap.reason {
            // Settling the dispute closes this gap too.
            Some(GapReason::Disputed) => continue,
            Some(GapReason::Deadline | GapReason::Budget) => (0, "Ask again with a larger budget", "ATLAS"),
            Some(GapReason::BranchFailed) => (1, "Ask again; the branch failed", "ATLAS"),
            Some(GapReason::RejectedEvidence) => (2, "Ask again; the evidence did not hold", "ATLAS"),
            Some(GapReason::OnlyLow) => (3, "Look for firmer evidence", "ATLAS"),
            Some(GapReason::Empty) => (4, "Say where to look, or what it is called in the code", "human"),
            None => (5, "Take over what the code alone does not answer", recipient(&gap.escalate_to)),
        };
        ways.entry((rank, how, to)).or_default().push(gap);
    }
    for ((_, how, to), gaps) in ways {
        let dts: BTreeSet<_> = gaps.iter().filter_map(|gap| gap_dt(gap)).collect();
        let dts: Vec<String> = dts.iter().map(ToString::to_string).collect();
        list.add(format!("{how}: {}.", dts.join(", ")), to, gaps.iter().map(|gap| gap.id.clone()).collect());
    }
}

fn weak(list: &mut List, findings: &Findings) {
    let weak: Vec<String> = findings
        .findings
        .iter()
        .filter(|finding| !finding.disputed && finding.confidence == Tier::L)
        .map(|finding| finding.id.clone())
        .collect();
    if !weak.is_empty() {
        list.add(format!("Verify {} before building on it.", count(weak.len(), "possible finding")), "ATLAS", weak);
    }
}

/// What is established goes to planning; straight to implementation only if the mission names that
/// agent and nothing is open.
fn firm(list: &mut List, mission: &Mission, findings: &Findings) {
    let firm: Vec<&Finding> =
        findings.findings.iter().filter(|finding| !finding.disputed && finding.confidence >= Tier::M).collect();
    if firm.is_empty() {
        return;
    }
    let to = match recipient(&mission.handoff_recipients.primary) {
        "APIVR-Δ" if list.actions.is_empty() => "APIVR-Δ",
        "human" => "human",
        _ => "SPECTRA",
    };
    let dts: BTreeSet<_> = firm.iter().map(|finding| finding.supports_decision).collect();
    let dts: Vec<String> = dts.iter().map(ToString::to_string).collect();
    let best = firm.iter().take(3).map(|finding| finding.id.clone()).collect();
    let what = count(firm.len(), "undisputed finding");
    list.add(format!("Build on the {what} of tier H or M for {}.", dts.join(", ")), to, best);
}

/// The recipient of §13 that a free text names; a person if it names none.
fn recipient(text: &str) -> &'static str {
    let upper = text.to_uppercase();
    match () {
        () if upper.contains("SPECTRA") => RECIPIENTS[0],
        () if upper.contains("APIVR") => RECIPIENTS[1],
        () if upper.contains("ATLAS") => RECIPIENTS[3],
        () => RECIPIENTS[2],
    }
}
