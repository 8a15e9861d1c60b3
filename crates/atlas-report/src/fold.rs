//! Abstract: what a reader must carry away, complete and at most 2,000 tokens (contract §12).
//!
//! Made from mission, map and findings alone. The size is that of the Markdown form. A fold that is
//! too large first gives up repeats of a path in its index, then words of its answer; an id, an
//! anchor, a gap or a trigger is never left out: then it does not fit, and says how large it would be.

use crate::cite::{citations, sentences, with_citation};
use crate::markdown::{answer_md, fold_md};
use crate::wording::{count, gap_dt, gap_reason, supports, worded};
use atlas_artifact::fold::DoesNotFit;
use atlas_artifact::limits::{FOLD_ANSWER_TOKENS, FOLD_TOKENS};
use atlas_artifact::mission::TriggerAction;
use atlas_artifact::{DtId, Finding, Findings, Fold, FoldEntry, FoldOutcome, Map, Mission, Tier, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Claims of one sub-question that the answer quotes, at most.
const ANSWER_CLAIMS_MAX: usize = 2;

/// The fold of a mission's findings, or the statement that it cannot fit.
#[must_use]
pub fn fold(mission: &Mission, map: &Map, findings: &Findings) -> FoldOutcome {
    let mut fold = Fold {
        fits: true,
        tokens: 0,
        mission_id: mission.mission_id.clone(),
        header: header(mission, map, findings),
        answer: Vec::new(),
        index: findings.findings.iter().map(entry).collect(),
        gaps: findings
            .gaps
            .iter()
            .map(|gap| {
                let dt = gap_dt(gap).map_or_else(|| "-".to_owned(), |dt| dt.to_string());
                format!("{} — {dt} — {}", gap.id, gap_reason(gap))
            })
            .collect(),
        escalations: escalations(findings),
    };
    for spare in [false, true] {
        fold.answer = if spare { bare_answer(mission, findings) } else { answer(mission, findings) };
        fold.tokens = size(&fold);
        if fold.tokens <= FOLD_TOKENS as u64 {
            return FoldOutcome::Fits(fold);
        }
    }
    FoldOutcome::DoesNotFit(DoesNotFit { fits: false, tokens: fold.tokens })
}

/// What is wrong with a fold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldFault {
    OtherMission,
    MissingFinding(String),
    UnknownFinding(String),
    /// The tier in the index is not the finding's.
    Tier(String),
    /// The anchors in the index are not the finding's.
    Anchors(String),
    MissingGap(String),
    MissingTrigger(String),
    /// A gap or trigger that the findings do not have, or one listed twice.
    UnknownEntry(String),
    /// A sentence of the answer that cites nothing, or what does not exist.
    Uncited(String),
    AnswerTooLong(u64),
    TooLong(u64),
    /// The fold's own count is not its size.
    Miscounted {
        said: u64,
        is: u64,
    },
}

impl fmt::Display for FoldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherMission => f.write_str("is of another mission"),
            Self::MissingFinding(id) => write!(f, "leaves out {id}"),
            Self::UnknownFinding(id) => write!(f, "lists {id}, which is no finding or stands twice"),
            Self::Tier(id) => write!(f, "gives {id} another tier"),
            Self::Anchors(id) => write!(f, "gives {id} other anchors"),
            Self::MissingGap(id) => write!(f, "leaves out {id}"),
            Self::MissingTrigger(id) => write!(f, "leaves out the fired trigger {id}"),
            Self::UnknownEntry(entry) => write!(f, "lists `{entry}`, which does not exist or stands twice"),
            Self::Uncited(sentence) => write!(f, "says `{sentence}` without citing a finding or gap"),
            Self::AnswerTooLong(tokens) => write!(f, "answers in {tokens} tokens, more than {FOLD_ANSWER_TOKENS}"),
            Self::TooLong(tokens) => write!(f, "has {tokens} tokens, more than {FOLD_TOKENS}"),
            Self::Miscounted { said, is } => write!(f, "says {said} tokens and has {is}"),
        }
    }
}

/// Checks a fold, whoever made it, against the findings.
///
/// # Errors
/// Every fault, in the order of the fold's sections.
pub fn check_fold(mission: &Mission, findings: &Findings, fold: &Fold) -> Result<(), Vec<FoldFault>> {
    let mut faults = Vec::new();
    if fold.mission_id != mission.mission_id {
        faults.push(FoldFault::OtherMission);
    }
    check_answer(findings, fold, &mut faults);
    check_index(findings, fold, &mut faults);
    let gaps = findings.gaps.iter().map(|gap| gap.id.as_str()).collect();
    check_entries(&fold.gaps, gaps, FoldFault::MissingGap, &mut faults);
    let fired = findings.escalation_log.iter().map(|fired| fired.trigger.as_str()).collect();
    check_entries(&fold.escalations, fired, FoldFault::MissingTrigger, &mut faults);
    let is = size(fold);
    if is > FOLD_TOKENS as u64 {
        faults.push(FoldFault::TooLong(is));
    }
    if is != fold.tokens {
        faults.push(FoldFault::Miscounted { said: fold.tokens, is });
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn check_answer(findings: &Findings, fold: &Fold, faults: &mut Vec<FoldFault>) {
    let known: BTreeSet<&str> = findings
        .findings
        .iter()
        .map(|finding| finding.id.as_str())
        .chain(findings.gaps.iter().map(|gap| gap.id.as_str()))
        .collect();
    for sentence in fold.answer.iter().flat_map(|text| sentences(text)) {
        let cites = citations(sentence);
        if cites.is_empty() || cites.iter().any(|id| !known.contains(id)) {
            faults.push(FoldFault::Uncited(sentence.to_owned()));
        }
    }
    let length = tokens(&answer_md(&fold.answer));
    if length > FOLD_ANSWER_TOKENS {
        faults.push(FoldFault::AnswerTooLong(length as u64));
    }
}

fn check_index(findings: &Findings, fold: &Fold, faults: &mut Vec<FoldFault>) {
    let mut wanted: BTreeMap<&str, FoldEntry> =
        findings.findings.iter().map(|finding| (finding.id.as_str(), entry(finding))).collect();
    for entry in &fold.index {
        let Some(finding) = wanted.remove(entry.id.as_str()) else {
            faults.push(FoldFault::UnknownFinding(entry.id.clone()));
            continue;
        };
        if entry.tier != finding.tier {
            faults.push(FoldFault::Tier(entry.id.clone()));
        }
        let set = |anchors: &[String]| anchors.iter().cloned().collect::<BTreeSet<_>>();
        if set(&entry.anchors) != set(&finding.anchors) {
            faults.push(FoldFault::Anchors(entry.id.clone()));
        }
    }
    faults.extend(wanted.keys().map(|id| FoldFault::MissingFinding((*id).to_owned())));
}

/// Each entry opens with its id; each id stands once.
fn check_entries(
    entries: &[String],
    mut wanted: BTreeSet<&str>,
    missing: fn(String) -> FoldFault,
    faults: &mut Vec<FoldFault>,
) {
    for entry in entries {
        let id = entry.split(|c: char| c.is_whitespace() || c == '|').next().unwrap_or_default();
        if !wanted.remove(id) {
            faults.push(FoldFault::UnknownEntry(entry.clone()));
        }
    }
    faults.extend(wanted.into_iter().map(|id| missing(id.to_owned())));
}

/// Tokens of the Markdown form.
fn size(fold: &Fold) -> u64 {
    tokens(&fold_md(&FoldOutcome::Fits(fold.clone()))) as u64
}

fn header(mission: &Mission, map: &Map, findings: &Findings) -> String {
    let of = |tier| findings.findings.iter().filter(|finding| finding.confidence == tier).count();
    let disputed = findings.findings.iter().filter(|finding| finding.disputed).count();
    let fired: BTreeSet<&str> = findings.escalation_log.iter().map(|fired| fired.trigger.as_str()).collect();
    let commit = map.commit.as_deref().map(|commit| format!(" at commit {commit}")).unwrap_or_default();
    format!(
        "Mission {}{commit}: {}, {} (H {}, M {}, L {}, disputed {disputed}), {}, {} fired.",
        mission.mission_id,
        count(mission.sub_questions.len(), "sub-question"),
        count(findings.findings.len(), "finding"),
        of(Tier::H),
        of(Tier::M),
        of(Tier::L),
        count(findings.gaps.len(), "gap"),
        count(fired.len(), "trigger"),
    )
}

fn entry(finding: &Finding) -> FoldEntry {
    FoldEntry {
        id: finding.id.clone(),
        tier: finding.confidence,
        anchors: finding.evidence.iter().map(|anchor| format!("{}:{}", anchor.path, anchor.lines)).collect(),
    }
}

/// One entry per trigger that fired, in id order.
fn escalations(findings: &Findings) -> Vec<String> {
    let mut fired: BTreeMap<&str, (TriggerAction, usize)> = BTreeMap::new();
    for escalation in &findings.escalation_log {
        fired.entry(&escalation.trigger).or_insert((escalation.action, 0)).1 += 1;
    }
    let action = |action| match action {
        TriggerAction::Halt => "halt",
        TriggerAction::Annotate => "annotate",
        TriggerAction::ContinueWithFlag => "continue-with-flag",
    };
    fired
        .iter()
        .map(|(id, (did, times))| format!("{id} — {} — fired {}", action(*did), count(*times, "time")))
        .collect()
}

/// What is known of one sub-question.
struct Known<'f> {
    dt: DtId,
    /// The most important first: undisputed before disputed, then by tier, then by number.
    findings: Vec<&'f Finding>,
    gap: Option<&'f str>,
}

fn known<'f>(mission: &Mission, findings: &'f Findings) -> Vec<Known<'f>> {
    mission
        .sub_questions
        .iter()
        .map(|question| {
            let mut own: Vec<&Finding> =
                findings.findings.iter().filter(|finding| supports(finding, question.id)).collect();
            own.sort_by_key(|finding| (finding.disputed, std::cmp::Reverse(finding.confidence)));
            let gap = findings.gaps.iter().find(|gap| gap_dt(gap) == Some(question.id)).map(|gap| gap.id.as_str());
            Known { dt: question.id, findings: own, gap }
        })
        .collect()
}

/// The answer within its 200 tokens: every sub-question in a few words, then the claims of the best
/// findings in their place, question by question, as far as they fit.
fn answer(mission: &Mission, findings: &Findings) -> Vec<String> {
    let known = known(mission, findings);
    let mut quoted = vec![0_usize; known.len()];
    let assemble = |quoted: &[usize]| -> Vec<String> {
        known.iter().zip(quoted).flat_map(|(known, quoted)| known.sentences(*quoted)).collect()
    };
    if tokens(&answer_md(&assemble(&quoted))) > FOLD_ANSWER_TOKENS {
        return bare_answer(mission, findings);
    }
    for claims in 1..=ANSWER_CLAIMS_MAX {
        for at in 0..known.len() {
            if quoted[at] + 1 == claims && known[at].findings.len() >= claims {
                quoted[at] = claims;
                if tokens(&answer_md(&assemble(&quoted))) > FOLD_ANSWER_TOKENS {
                    quoted[at] = claims - 1;
                }
            }
        }
    }
    assemble(&quoted)
}

/// The shortest complete answer: each sub-question with its best finding or its gap.
fn bare_answer(mission: &Mission, findings: &Findings) -> Vec<String> {
    known(mission, findings)
        .iter()
        .filter_map(|known| {
            let id = known.findings.first().map(|finding| finding.id.as_str()).or(known.gap)?;
            Some(format!("{}: [{id}].", known.dt))
        })
        .collect()
}

impl Known<'_> {
    /// With the claims of the first `quoted` findings.
    fn sentences(&self, quoted: usize) -> Vec<String> {
        let dt = self.dt;
        let mut out = Vec::new();
        for finding in &self.findings[..quoted] {
            let text = with_citation(&worded(finding), &finding.id);
            out.push(if out.is_empty() { format!("{dt}: {text}") } else { text });
        }
        let rest = &self.findings[quoted..];
        let gap = self.gap.map(|gap| format!(", and a gap [{gap}]")).unwrap_or_default();
        match rest {
            [] if quoted > 0 => out.extend(self.gap.map(|gap| format!("{dt} has a gap too [{gap}]."))),
            [] => out.extend(self.gap.map(|gap| format!("{dt} is not answered [{gap}]."))),
            [next, ..] => {
                let more = if quoted > 0 { "more finding" } else { "finding" };
                let state = if next.disputed { "disputed" } else { next.confidence.as_str() };
                out.push(format!("{dt} has {}, first {state} [{}]{gap}.", count(rest.len(), more), next.id));
            }
        }
        out
    }
}
