//! Gathering: untrusted returns in, one checked list of findings out (contract §9–§11), and the
//! same checks again on findings that exist already ([`verify()`], §15).
//!
//! Everything is pure: the tree is read through [`atlas_tree::Tree`], nothing is written, no clock
//! is looked at. The same input gives the same findings whatever the order of the returns. What is
//! deliberately *not* here: running branches, the gate, the fold, reading returns from files.

mod check;
mod conflict;
mod ground;
mod group;
mod merge;
mod number;
mod parse;
mod shape;
mod stop;
mod verify;
mod words;

pub use check::{Grounding, NoIndex};
pub use conflict::{Verdict, by_words};
pub use stop::exit_gate;
pub use verify::{AnchorCheck, AnchorState, Counts, LostExcerpt, Ungrounded, VerifyReport, verify};

use atlas_artifact::findings::Escalation;
use atlas_artifact::{BranchId, DtId, Findings, Mission, Plan};
use atlas_tree::Tree;
use serde_json::Value;

/// What gathering works from.
pub struct GatherInput<'a> {
    pub mission: &'a Mission,
    /// With a plan a branch is held to its cluster's scope, without one to the mission's.
    pub plan: Option<&'a Plan>,
    /// The branch number under which the parent's own serial return arrives, if there is one. It
    /// is held to the mission's scope and answers for the plan's serial sub-questions.
    pub serial: Option<BranchId>,
    /// In any order.
    pub returns: Vec<ReturnInput>,
    pub tree: &'a dyn Tree,
    pub index: &'a dyn Grounding,
    /// What the run knows of branches that did not end well.
    pub troubles: Vec<Trouble>,
    /// Triggers that fired, in the order in which they did.
    pub escalations: Vec<Escalation>,
    pub fan_out: Option<FanOut>,
}

/// One return as it came in.
#[derive(Debug, Clone, PartialEq)]
pub enum ReturnInput {
    /// JSON text, not yet read.
    Bytes(Vec<u8>),
    /// JSON that somebody else has read; its nesting is trusted to be of bounded depth.
    Json(Value),
}

/// Why a branch, or a part of what it was asked, was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub branch_id: BranchId,
    pub cause: TroubleCause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TroubleCause {
    /// Cancelled at the shared deadline.
    Deadline,
    /// A call was answered `BUDGET_EXHAUSTED`.
    Budget,
    /// It crashed, or its return never came.
    Failed,
}

/// The terms of the fan-out ratio (§10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FanOut {
    /// Tokens that the branches used.
    pub branch_tokens: u64,
    /// Tokens that one serial context would have used for the same distinct probes.
    pub serial_tokens: u64,
    /// How the two were come by, for people.
    pub terms: String,
}

impl<'a> GatherInput<'a> {
    /// Returns alone: no plan, no index, nothing known of a run.
    #[must_use]
    pub fn new(mission: &'a Mission, tree: &'a dyn Tree, returns: Vec<ReturnInput>) -> Self {
        Self {
            mission,
            plan: None,
            serial: None,
            returns,
            tree,
            index: &NoIndex,
            troubles: Vec::new(),
            escalations: Vec::new(),
            fan_out: None,
        }
    }
}

/// Checks, groups, disputes, numbers and stops: contract §9, §10, §11.
///
/// Never fails: what is wrong with a return or a finding is told in the result
/// (`telemetry.invalid_returns`, `rejected`, `notes`). `exit_gate` is left empty: see [`exit_gate`].
///
/// # Panics
/// If an accepted finding is not the origin of exactly one finding out, which no input can cause.
#[must_use]
pub fn gather(input: GatherInput<'_>) -> Findings {
    let GatherInput { mission, plan, serial, returns, tree, index, troubles, escalations, fan_out } = input;
    let given = returns.len() as u64;
    let mut checked = check::check(returns, &check::Against { mission, plan, serial, tree, index });
    let groups = group::group(&checked.accepted);
    assert_eq!(
        groups.iter().map(Vec::len).sum::<usize>(),
        checked.accepted.len(),
        "every accepted finding is the origin of exactly one"
    );
    let accepted = checked.accepted.len() as u64;
    let drafts = merge::merge(std::mem::take(&mut checked.accepted), groups, &checked.names);
    let findings = number::number(drafts, &checked.names);
    let handed_in = std::mem::take(&mut checked.gaps);
    let gaps = stop::gaps(&stop::Outcome {
        mission,
        plan,
        serial,
        troubles: &troubles,
        findings: &findings,
        handed_in: &handed_in,
        named_by_rejected: &checked.named_by_rejected,
        valid_branches: &checked.valid_branches,
        invalid_branches: &checked.invalid_branches,
    });
    let telemetry = stop::telemetry(given, accepted, &findings, &checked, fan_out);
    Findings {
        mission_id: mission.mission_id.clone(),
        findings,
        gaps,
        rejected: checked.rejected,
        ruled_out: checked.ruled_out,
        escalation_log: escalations,
        telemetry,
        exit_gate: Vec::new(),
    }
}

/// The sub-questions that a branch answers for: its own by the plan, the parent's serial ones, or
/// without a plan all.
fn sub_questions_of(mission: &Mission, plan: Option<&Plan>, serial: Option<BranchId>, branch: BranchId) -> Vec<DtId> {
    let Some(plan) = plan else {
        return mission.sub_questions.iter().map(|question| question.id).collect();
    };
    if serial == Some(branch) {
        return plan.parent_questions();
    }
    plan.branches.iter().filter(|sub| sub.branch_id == branch).map(|sub| sub.supports_decision).collect()
}
