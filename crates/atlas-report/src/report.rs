//! Synthesize: the report for whoever takes the mission on, at most 3,000 tokens (contract §13).
//!
//! Every sentence of an answer is a finding's claim worded by its tier, a gap, or a list of ids and
//! anchors, and cites what it is. It says nothing that no finding says: [`check_report`] proves it.
//!
//! What does not fit is said shorter, never left out. In this order, as far as needed: the anchors
//! beside the claims go (they stand in `fold.md`); claims of lesser findings become a line of ids
//! and anchors; the topology shrinks; that line keeps ids alone; the sub-questions' own words go.
//! A mission whose fold fits always ends within the limit.

mod actions;
mod check;
mod topology;

pub use check::{ReportFault, check_report};

use crate::cite::with_citation;
use crate::markdown::report_md;
use crate::text::named;
use crate::view::told_under;
use crate::wording::{count, gap_dt, gap_reason, reject_reason, skip_reason, supports, worded};
use atlas_artifact::limits::{REPORT_TOKENS, TOPOLOGY_BULLETS};
use atlas_artifact::report::{Answer, Handoff, Recap};
use atlas_artifact::{Anchor, Finding, Findings, Fold, Map, Mission, Report, SkipReason, SubQuestion, Tier, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The files that go with the report.
const ARTIFACTS: [&str; 9] = [
    "mission.json",
    "map.json",
    "plan.json",
    "findings.json",
    "fold.json",
    "scout-report.json",
    "report.html",
    "events.jsonl",
    "memex/",
];

/// How much is said in words.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// Findings told by their claim; the others by id.
    claims: usize,
    /// Whether a claim has its primary anchor beside it.
    anchors: bool,
    /// Whether what is told by id has its anchors beside it.
    listed_anchors: bool,
    topology: usize,
    /// Whether sub-questions, actions and risks have their own words.
    words: bool,
}

/// The report on a mission whose fold fits.
#[must_use]
pub fn report(mission: &Mission, map: &Map, findings: &Findings, fold: &Fold) -> Report {
    let writer = Writer { mission, map, findings, fold, order: order(mission, findings) };
    let all = writer.order.len();
    let whole = Detail { claims: all, anchors: true, listed_anchors: true, topology: TOPOLOGY_BULLETS, words: true };
    let plain = Detail { anchors: false, ..whole };
    for detail in [whole, plain] {
        let report = writer.write(detail);
        if fits(&report) {
            return report;
        }
    }
    // From here on only as many claims as fit; what is least important goes first.
    let short = Detail { topology: 3, ..plain };
    let ids = Detail { listed_anchors: false, ..short };
    let bare = Detail { topology: 0, words: false, ..ids };
    for detail in [plain, short, ids, bare] {
        if fits(&writer.write(Detail { claims: 0, ..detail })) {
            return writer.write(Detail { claims: writer.most_claims(detail), ..detail });
        }
    }
    writer.write(Detail { claims: 0, ..bare })
}

fn fits(report: &Report) -> bool {
    report.tokens <= REPORT_TOKENS as u64
}

/// All findings, the most important first: the best of each sub-question in turn, then the second
/// best of each, and so on.
fn order<'f>(mission: &Mission, findings: &'f Findings) -> Vec<&'f Finding> {
    let mut ranked = Vec::new();
    for (at, question) in mission.sub_questions.iter().enumerate() {
        ranked.extend(
            told_under(findings, question.id).into_iter().enumerate().map(|(rank, finding)| (rank, at, finding)),
        );
    }
    ranked.sort_by_key(|(rank, at, _)| (*rank, *at));
    ranked.into_iter().map(|(_, _, finding)| finding).collect()
}

struct Writer<'a> {
    mission: &'a Mission,
    map: &'a Map,
    findings: &'a Findings,
    fold: &'a Fold,
    order: Vec<&'a Finding>,
}

impl Writer<'_> {
    /// The most claims with which the report fits; it is known to fit with none.
    fn most_claims(&self, detail: Detail) -> usize {
        let (mut good, mut bad) = (0, self.order.len() + 1);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if fits(&self.write(Detail { claims: middle, ..detail })) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        good
    }

    fn write(&self, detail: Detail) -> Report {
        let told: BTreeSet<&str> = self.order[..detail.claims].iter().map(|finding| finding.id.as_str()).collect();
        let mut report = Report {
            mission_id: self.mission.mission_id.clone(),
            tokens: 0,
            recap: Recap { goal: self.mission.goal.clone(), decision_target: self.mission.decision_target.clone() },
            topology: topology::bullets(self.map, detail.topology),
            answers: self.mission.sub_questions.iter().map(|question| self.answer(question, &told, detail)).collect(),
            next_actions: actions::next_actions(self.mission, self.findings, detail.words),
            risks_and_gaps: self.risks(detail),
            telemetry: self.findings.telemetry.line(),
            handoff: Handoff {
                primary: self.mission.handoff_recipients.primary.clone(),
                fallback: self.mission.handoff_recipients.fallback.clone(),
                artifacts: ARTIFACTS.map(str::to_owned).to_vec(),
            },
        };
        report.tokens = tokens(&report_md(&report)) as u64;
        report
    }

    fn answer(&self, question: &SubQuestion, told: &BTreeSet<&str>, detail: Detail) -> Answer {
        let dt = question.id;
        let own = told_under(self.findings, dt);
        let mut sentences = Vec::new();
        for finding in own.iter().filter(|finding| told.contains(finding.id.as_str())) {
            sentences.push(claim_sentence(finding, detail.anchors));
        }
        let listed: Vec<&Finding> = own.into_iter().filter(|finding| !told.contains(finding.id.as_str())).collect();
        sentences.extend(listing(&listed, detail.listed_anchors, sentences.is_empty()));
        let shared: Vec<&Finding> = self
            .findings
            .findings
            .iter()
            .filter(|finding| finding.supports_decision != dt && supports(finding, dt))
            .collect();
        sentences.extend(shared_sentence(&shared));
        for gap in self.findings.gaps.iter().filter(|gap| gap_dt(gap) == Some(dt)) {
            sentences.push(format!("Not answered: {} [{}].", gap_reason(gap), gap.id));
        }
        Answer {
            sub_question: dt.to_string(),
            text: if detail.words { question.text.clone() } else { String::new() },
            sentences,
        }
    }

    /// What a reader must beware of: disputes, weak tiers, lowered tiers, gaps, triggers, what was
    /// rejected and what the map could not see.
    fn risks(&self, detail: Detail) -> Vec<String> {
        let all = &self.findings.findings;
        let mut risks = Vec::new();
        let mut cite = |what: &str, ids: Vec<&str>| {
            if !ids.is_empty() {
                let ids: Vec<String> = ids.iter().map(|id| format!("[{id}]")).collect();
                risks.push(format!("{what} {}.", ids.join(" ")));
            }
        };
        let ids = |wanted: &dyn Fn(&Finding) -> bool| {
            all.iter().filter(|finding| wanted(finding)).map(|finding| finding.id.as_str()).collect::<Vec<_>>()
        };
        cite("In dispute, no side is taken:", ids(&|finding| finding.disputed));
        cite(
            "Possible only, to be verified before anything is built on it:",
            ids(&|finding| !finding.disputed && finding.confidence == Tier::L),
        );
        if detail.words {
            cite("Tier lowered by a check of the claim's words:", ids(&|finding| !finding.notes.is_empty()));
        }
        for gap in &self.findings.gaps {
            let dt = gap_dt(gap).map_or_else(|| "?".to_owned(), |dt| dt.to_string());
            let tried = if gap.strikes.is_empty() || !detail.words {
                String::new()
            } else {
                format!(" after {}", count(gap.strikes.len(), "strike"))
            };
            risks.push(format!("{dt}: {}{tried} [{}].", gap_reason(gap), gap.id));
        }
        risks.extend(self.fold.escalations.iter().map(|fired| format!("Trigger {fired}.")));
        risks.extend(rejected(self.findings));
        let invalid = self.findings.telemetry.invalid_returns.len();
        if invalid > 0 {
            risks.push(format!("Invalid as a whole: {}.", count(invalid, "return")));
        }
        risks.extend(unseen(self.map));
        risks
    }
}

/// The claim by its tier, with its citation and, if asked for, its primary anchor.
fn claim_sentence(finding: &Finding, anchor: bool) -> String {
    let words = worded(finding);
    let Some(primary) = finding.evidence.first().filter(|_| anchor) else {
        return with_citation(&words, &finding.id);
    };
    let more = match finding.evidence.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // The anchor goes into the last sentence, behind its words.
    let body = crate::cite::body(&words);
    let stop = &words[body.len()..];
    with_citation(&format!("{body} ({}{more}){stop}", shown(primary)), &finding.id)
}

/// Findings by their ids, with or without all their anchors.
fn listing(findings: &[&Finding], anchors: bool, first: bool) -> Option<String> {
    if findings.is_empty() {
        return None;
    }
    let entries: Vec<String> = findings
        .iter()
        .map(|finding| {
            let mut entry = format!("{} ", finding.confidence);
            if anchors {
                for anchor in &finding.evidence {
                    entry.push_str(&shown(anchor));
                    entry.push(' ');
                }
            }
            format!("{entry}[{}]", finding.id)
        })
        .collect();
    let lead = if first { "Found, claims in `findings.md`" } else { "Found too, claims in `findings.md`" };
    Some(format!("{lead}: {}.", entries.join("; ")))
}

fn shared_sentence(findings: &[&Finding]) -> Option<String> {
    if findings.is_empty() {
        return None;
    }
    let ids: Vec<String> = findings.iter().map(|finding| format!("[{}]", finding.id)).collect();
    Some(format!("Supported by what is said elsewhere here: {}.", ids.join(" ")))
}

/// An anchor in running text.
fn shown(anchor: &Anchor) -> String {
    named(&format!("{}:{}", anchor.path, anchor.lines))
}

fn rejected(findings: &Findings) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for rejected in &findings.rejected {
        *counts.entry(reject_reason(rejected.reason)).or_default() += 1;
    }
    if counts.is_empty() {
        return None;
    }
    let parts: Vec<String> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    Some(format!("Rejected and not used, listed in `findings.json`: {}.", parts.join(", ")))
}

/// What the map could not see, so that "none found" is not read as "none".
fn unseen(map: &Map) -> Vec<String> {
    let mut counts: BTreeMap<SkipReason, usize> = BTreeMap::new();
    for gap in &map.gaps {
        *counts.entry(gap.reason).or_default() += 1;
    }
    let mut out = Vec::new();
    if !counts.is_empty() {
        let parts: Vec<String> =
            counts.iter().map(|(reason, count)| format!("{} {count}", skip_reason(*reason))).collect();
        out.push(format!("Skipped or not fully parsed: {} ({}).", count(map.gaps.len(), "file"), parts.join(", ")));
    }
    let ambiguous = map.graph.edges.iter().filter(|edge| edge.confidence == "AMBIGUOUS").count();
    if map.graph.unresolved > 0 || ambiguous > 0 {
        out.push(format!(
            "References that the graph could not settle: {} without a candidate, {ambiguous} ambiguous.",
            map.graph.unresolved
        ));
    }
    out
}
