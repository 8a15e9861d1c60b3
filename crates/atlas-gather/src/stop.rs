//! When locating is over (contract §11): a gap for every silence, the telemetry of §10, and the
//! promises of the exit gate that gathering can compute.

use crate::check::{Checked, HandedGap, failed_by_invalid};
use crate::{FanOut, Trouble, TroubleCause, sub_questions_of};
use atlas_artifact::{
    BranchId, DtId, ExitGateItem, Finding, Findings, FindingsGap, GapOrigin, GapReason, Mission, Plan, Telemetry, Tier,
};
use std::collections::BTreeSet;

/// What the gaps are made from.
pub struct Outcome<'a> {
    pub mission: &'a Mission,
    pub plan: Option<&'a Plan>,
    pub serial: Option<BranchId>,
    pub troubles: &'a [Trouble],
    pub findings: &'a [Finding],
    /// In key order.
    pub handed_in: &'a [HandedGap],
    pub named_by_rejected: &'a BTreeSet<DtId>,
    pub valid_branches: &'a BTreeSet<BranchId>,
    pub invalid_branches: &'a BTreeSet<Option<BranchId>>,
}

/// The branches' gaps by (sub-question, branch, position), then the parent's by sub-question.
pub fn gaps(outcome: &Outcome<'_>) -> Vec<FindingsGap> {
    let mut handed_in: Vec<&HandedGap> = outcome.handed_in.iter().collect();
    // Stable: the gaps of one branch and sub-question stay in the order of the return.
    handed_in.sort_by_key(|handed| (handed.gap.dt, handed.branch));
    let mut gaps: Vec<FindingsGap> = handed_in.into_iter().map(from_branch).collect();

    let told: BTreeSet<DtId> = outcome.handed_in.iter().map(|handed| handed.gap.dt).collect();
    let supported = Supported::new(outcome.findings);
    let reasons = Reasons::new(outcome, &supported);
    let mut questions: Vec<DtId> = outcome.mission.sub_questions.iter().map(|question| question.id).collect();
    questions.sort_unstable();
    questions.dedup();
    for dt in questions {
        if supported.answered.contains(&dt) || told.contains(&dt) {
            continue;
        }
        gaps.push(FindingsGap {
            id: String::new(),
            sub_question: dt.to_string(),
            text: None,
            reason: Some(reasons.of(dt)),
            strikes: Vec::new(),
            working_hypothesis: None,
            escalate_to: outcome.mission.handoff_recipients.primary.clone(),
            origin: GapOrigin { branch_id: None, id: None },
        });
    }
    for (at, gap) in gaps.iter_mut().enumerate() {
        gap.id = format!("GAP-{:03}", at + 1);
    }
    gaps
}

fn from_branch(handed: &HandedGap) -> FindingsGap {
    let gap = &handed.gap;
    let sub_question = gap.dt.to_string();
    FindingsGap {
        id: String::new(),
        text: (gap.sub_question != sub_question).then(|| gap.sub_question.clone()),
        sub_question,
        reason: None,
        strikes: gap.strikes.clone(),
        working_hypothesis: gap.working_hypothesis.clone(),
        escalate_to: gap.escalate_to.clone(),
        origin: GapOrigin { branch_id: Some(handed.branch), id: Some(gap.id.clone()) },
    }
}

/// Which sub-questions findings support, and how well.
struct Supported {
    /// Not disputed, tier M or H.
    answered: BTreeSet<DtId>,
    disputed: BTreeSet<DtId>,
    any: BTreeSet<DtId>,
}

impl Supported {
    fn new(findings: &[Finding]) -> Self {
        let mut out = Self { answered: BTreeSet::new(), disputed: BTreeSet::new(), any: BTreeSet::new() };
        for finding in findings {
            let supports = std::iter::once(finding.supports_decision).chain(finding.also_supports.iter().copied());
            out.any.extend(supports.clone());
            if finding.disputed {
                out.disputed.extend(supports);
            } else if finding.confidence >= Tier::M {
                out.answered.extend(supports);
            }
        }
        out
    }
}

/// Why a sub-question may be unanswered.
struct Reasons<'a> {
    supported: &'a Supported,
    named_by_rejected: &'a BTreeSet<DtId>,
    deadline: BTreeSet<DtId>,
    budget: BTreeSet<DtId>,
    failed: BTreeSet<DtId>,
}

impl<'a> Reasons<'a> {
    fn new(outcome: &Outcome<'a>, supported: &'a Supported) -> Self {
        let Outcome { mission, plan, serial, .. } = *outcome;
        let troubled = |cause: TroubleCause| -> BTreeSet<DtId> {
            let of_cause = outcome.troubles.iter().filter(|trouble| trouble.cause == cause);
            of_cause.flat_map(|trouble| sub_questions_of(mission, plan, serial, trouble.branch_id)).collect()
        };
        let mut failed = troubled(TroubleCause::Failed);
        failed.extend(failed_by_invalid(outcome.invalid_branches, mission, plan, serial));
        if let Some(plan) = plan {
            let expected = plan.branches.iter().map(|sub| sub.branch_id).chain(serial);
            let missing = expected.filter(|branch| !outcome.valid_branches.contains(branch));
            failed.extend(missing.flat_map(|branch| sub_questions_of(mission, Some(plan), serial, branch)));
        }
        Self {
            supported,
            named_by_rejected: outcome.named_by_rejected,
            deadline: troubled(TroubleCause::Deadline),
            budget: troubled(TroubleCause::Budget),
            failed,
        }
    }

    /// The first that holds, in the contract's order.
    fn of(&self, dt: DtId) -> GapReason {
        [
            (&self.supported.disputed, GapReason::Disputed),
            (&self.supported.any, GapReason::OnlyLow),
            (self.named_by_rejected, GapReason::RejectedEvidence),
            (&self.deadline, GapReason::Deadline),
            (&self.budget, GapReason::Budget),
            (&self.failed, GapReason::BranchFailed),
        ]
        .into_iter()
        .find(|(holds, _)| holds.contains(&dt))
        .map_or(GapReason::Empty, |(_, reason)| reason)
    }
}

/// Recorded at this edge. `given` counts invalid returns too.
pub fn telemetry(
    given: u64,
    accepted: u64,
    findings: &[Finding],
    checked: &Checked,
    fan_out: Option<FanOut>,
) -> Telemetry {
    let ratio = fan_out
        .as_ref()
        .filter(|terms| terms.serial_tokens > 0)
        .map(|terms| terms.branch_tokens as f64 / terms.serial_tokens as f64);
    let dedup_count = accepted - findings.len() as u64;
    Telemetry {
        branches: given,
        fan_out_ratio: ratio,
        dedup_count,
        disputed: findings.iter().filter(|finding| finding.disputed).count() as u64,
        tool_calls: checked.tool_calls,
        tokens_used: checked.tokens_used,
        invalid_returns: checked.invalid.clone(),
        advice: ratio.map_or_else(Vec::new, |ratio| advice(ratio, dedup_count, accepted)),
        fan_out_terms: fan_out.map(|fan_out| fan_out.terms),
    }
}

/// Fan-out ratio from which scattering cost clearly more than one context would have.
const DEAR: f64 = 1.5;

/// What the ratio and the duplicates together say of the partition.
fn advice(ratio: f64, dedup_count: u64, accepted: u64) -> Vec<String> {
    let share = |part: u64| part * 100 / accepted.max(1);
    let often = dedup_count * 4 >= accepted && dedup_count > 0;
    let text = if often && ratio >= DEAR {
        format!(
            "{dedup_count} of {accepted} findings ({}%) were found more than once, at {ratio:.2} times the tokens of one \
             context: the branches were not disjoint; ask coupled questions together, or run with --serial",
            share(dedup_count)
        )
    } else if ratio >= DEAR {
        format!(
            "the branches used {ratio:.2} times the tokens of one context and found little twice: the partition was too \
             coarse for the questions; narrow the scope of the sub-questions"
        )
    } else {
        return Vec::new();
    };
    vec![text]
}

/// The two promises of §11 that can be told from findings alone: global ids without duplicates and
/// with disputes marked, and every sub-question answered or a gap. The run adds the others.
#[must_use]
pub fn exit_gate(mission: &Mission, findings: &Findings) -> Vec<ExitGateItem> {
    let numbered = |ids: &mut dyn Iterator<Item = &str>, prefix: &str| {
        ids.enumerate().all(|(at, id)| id == format!("{prefix}-{:03}", at + 1))
    };
    let ids_run = numbered(&mut findings.findings.iter().map(|finding| finding.id.as_str()), "FINDING")
        && numbered(&mut findings.gaps.iter().map(|gap| gap.id.as_str()), "GAP");
    let mut origins = BTreeSet::new();
    let doubles = findings
        .findings
        .iter()
        .flat_map(|finding| &finding.origin)
        .filter(|origin| !origins.insert((origin.branch_id, origin.id.as_str())))
        .count();
    let marked = findings.findings.iter().all(|finding| {
        let by_claim = finding.claim.starts_with("[DISPUTED] ") && !finding.claims.is_empty();
        !finding.disputed || finding.confidence == Tier::L && (by_claim || !finding.disputed_with.is_empty())
    });
    let supported = Supported::new(&findings.findings);
    let gapped: BTreeSet<DtId> = findings.gaps.iter().filter_map(|gap| DtId::leading(&gap.sub_question)).collect();
    let silent: Vec<String> = mission
        .sub_questions
        .iter()
        .map(|question| question.id)
        .filter(|dt| !supported.answered.contains(dt) && !gapped.contains(dt))
        .map(|dt| dt.to_string())
        .collect();
    let answered = mission.sub_questions.iter().filter(|question| supported.answered.contains(&question.id)).count();
    vec![
        ExitGateItem {
            item: "global ids, dedup, [DISPUTED]".to_owned(),
            pass: ids_run && doubles == 0 && marked,
            evidence: format!(
                "{} findings and {} gaps numbered without a hole: {ids_run}; origins named twice: {doubles}; {} folded \
                 into others; {} disputed, each marked: {marked}",
                findings.findings.len(),
                findings.gaps.len(),
                findings.telemetry.dedup_count,
                findings.telemetry.disputed
            ),
        },
        ExitGateItem {
            item: "every sub-question answered or a gap".to_owned(),
            pass: silent.is_empty(),
            evidence: if silent.is_empty() {
                format!("{answered} of {} sub-questions answered, a gap for each other", mission.sub_questions.len())
            } else {
                format!("neither finding nor gap: {}", silent.join(", "))
            },
        },
    ]
}
