//! That a report is complete, and claims nothing that no finding claims.

use super::actions::RECIPIENTS;
use super::{claim_sentence, listing, shared_sentence};
use crate::cite::{citations, sentences};
use crate::markdown::report_md;
use crate::text::named;
use crate::view::told_under;
use crate::wording::{gap_dt, gap_reason};
use atlas_artifact::limits::{REPORT_TOKENS, TOPOLOGY_BULLETS};
use atlas_artifact::report::Answer;
use atlas_artifact::{DtId, Finding, Findings, Map, Mission, Report, tokens};
use std::collections::BTreeSet;
use std::fmt;

/// What is wrong with a report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReportFault {
    OtherMission,
    /// Goal or decision target are not verbatim.
    Recap,
    /// More than ten bullets, or one without a path of the map.
    Topology(String),
    /// A sub-question without its answer, or an answer without its sub-question.
    Answers,
    Uncited(String),
    /// A sentence that is no finding's claim, no gap and no list of them.
    Unfounded(String),
    /// A finding or gap that no answer cites.
    Missing(String),
    /// An action for someone whom §13 does not name, or out of rank.
    Action(u32),
    Telemetry,
    TooLong(u64),
    Miscounted {
        said: u64,
        is: u64,
    },
}

impl fmt::Display for ReportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherMission => f.write_str("is of another mission"),
            Self::Recap => f.write_str("does not give goal and decision target verbatim"),
            Self::Topology(bullet) => write!(f, "has a bullet without a path of the map, or too many: `{bullet}`"),
            Self::Answers => f.write_str("does not answer the sub-questions one by one"),
            Self::Uncited(sentence) => write!(f, "says `{sentence}` without a citation"),
            Self::Unfounded(sentence) => write!(f, "says `{sentence}`, which no finding says"),
            Self::Missing(id) => write!(f, "leaves out {id}"),
            Self::Action(rank) => write!(f, "has an action {rank} out of rank or for an unknown recipient"),
            Self::Telemetry => f.write_str("has another telemetry line"),
            Self::TooLong(tokens) => write!(f, "has {tokens} tokens, more than {REPORT_TOKENS}"),
            Self::Miscounted { said, is } => write!(f, "says {said} tokens and has {is}"),
        }
    }
}

/// Checks a report against what it was made from.
///
/// # Errors
/// Every fault, in the order of the report's sections.
pub fn check_report(
    mission: &Mission,
    map: &Map,
    findings: &Findings,
    report: &Report,
) -> Result<(), Vec<ReportFault>> {
    let mut faults = Vec::new();
    if report.mission_id != mission.mission_id {
        faults.push(ReportFault::OtherMission);
    }
    if report.recap.goal != mission.goal || report.recap.decision_target != mission.decision_target {
        faults.push(ReportFault::Recap);
    }
    topology(map, report, &mut faults);
    let answered: Vec<&str> = report.answers.iter().map(|answer| answer.sub_question.as_str()).collect();
    let asked: Vec<String> = mission.sub_questions.iter().map(|question| question.id.to_string()).collect();
    if answered != asked {
        faults.push(ReportFault::Answers);
    }
    let mut cited = BTreeSet::new();
    for (answer, question) in report.answers.iter().zip(&mission.sub_questions) {
        check_answer(findings, question.id, answer, &mut cited, &mut faults);
    }
    let all = findings.findings.iter().map(|finding| &finding.id).chain(findings.gaps.iter().map(|gap| &gap.id));
    faults.extend(all.filter(|id| !cited.contains(id.as_str())).map(|id| ReportFault::Missing(id.clone())));
    for (at, action) in report.next_actions.iter().enumerate() {
        if action.rank as usize != at + 1 || !RECIPIENTS.contains(&action.to.as_str()) {
            faults.push(ReportFault::Action(action.rank));
        }
    }
    if report.telemetry != findings.telemetry.line() {
        faults.push(ReportFault::Telemetry);
    }
    let is = tokens(&report_md(report)) as u64;
    if is > REPORT_TOKENS as u64 {
        faults.push(ReportFault::TooLong(is));
    }
    if is != report.tokens {
        faults.push(ReportFault::Miscounted { said: report.tokens, is });
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn topology(map: &Map, report: &Report, faults: &mut Vec<ReportFault>) {
    let paths = map
        .modules
        .iter()
        .map(|module| &module.path)
        .chain(map.roots.iter().map(|root| &root.path))
        .chain(map.heat.iter().map(|heat| &heat.path));
    let paths: Vec<String> = paths.map(|path| named(path).trim_matches(['`', '"']).to_owned()).collect();
    for (at, bullet) in report.topology.iter().enumerate() {
        if at >= TOPOLOGY_BULLETS || !paths.iter().any(|path| bullet.contains(path.as_str())) {
            faults.push(ReportFault::Topology(bullet.clone()));
        }
    }
}

fn check_answer<'r>(
    findings: &Findings,
    dt: DtId,
    answer: &'r Answer,
    cited: &mut BTreeSet<&'r str>,
    faults: &mut Vec<ReportFault>,
) {
    for text in &answer.sentences {
        let bare = sentences(text).into_iter().find(|sentence| citations(sentence).is_empty());
        if let Some(bare) = bare {
            faults.push(ReportFault::Uncited(bare.to_owned()));
        } else if !is_founded(findings, dt, text) {
            faults.push(ReportFault::Unfounded(text.clone()));
        } else {
            cited.extend(citations(text));
        }
    }
}

/// Whether the text is exactly what the cited findings and gaps of this sub-question give.
fn is_founded(findings: &Findings, dt: DtId, text: &str) -> bool {
    let ids: BTreeSet<&str> = citations(text).into_iter().collect();
    let of_gap = findings.gaps.iter().filter(|gap| gap_dt(gap) == Some(dt) && ids.contains(gap.id.as_str()));
    if of_gap.into_iter().any(|gap| text == format!("Not answered: {} [{}].", gap_reason(gap), gap.id)) {
        return true;
    }
    let own: Vec<&Finding> =
        told_under(findings, dt).into_iter().filter(|finding| ids.contains(finding.id.as_str())).collect();
    if let [one] = own[..]
        && [true, false].iter().any(|anchor| text == claim_sentence(one, *anchor))
    {
        return true;
    }
    let lists = [(true, true), (true, false), (false, true), (false, false)];
    if lists.iter().any(|(anchors, first)| listing(&own, *anchors, *first).as_deref() == Some(text)) {
        return true;
    }
    let shared: Vec<&Finding> = findings
        .findings
        .iter()
        .filter(|finding| finding.also_supports.contains(&dt) && ids.contains(finding.id.as_str()))
        .collect();
    shared_sentence(&shared).as_deref() == Some(text)
}
