//! What gathering gives: one list of findings, and a gap for every silence (contract §10, §11, §15).

use crate::{Assertion, BranchId, DtId, MissionId, Strike, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `findings.json`, and what `atlas gather --format json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Findings {
    pub mission_id: MissionId,
    pub findings: Vec<Finding>,
    pub gaps: Vec<FindingsGap>,
    pub rejected: Vec<Rejected>,
    pub ruled_out: Vec<String>,
    pub escalation_log: Vec<Escalation>,
    pub telemetry: Telemetry,
    /// Computed promises of §11; empty when returns were gathered outside a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exit_gate: Vec<ExitGateItem>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// `FINDING-001` …, global to the mission.
    #[schemars(regex(pattern = r"^FINDING-[0-9]{3,}$"))]
    pub id: String,
    pub claim: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<Assertion>,
    pub also: Vec<Also>,
    #[schemars(length(min = 1))]
    pub evidence: Vec<Anchor>,
    pub ruled_out: Vec<String>,
    pub confidence: Tier,
    pub supports_decision: DtId,
    pub also_supports: Vec<DtId>,
    pub origin: Vec<Origin>,
    pub disputed: bool,
    /// Every distinct claim of a group in dispute.
    pub claims: Vec<Also>,
    pub disputed_with: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
    pub notes: Vec<String>,
    /// Which rule of conflict fired, for each dispute, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// Set by a re-scout only (§14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Delta>,
}

/// A checked anchor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Anchor {
    pub path: String,
    /// Always `a-b`.
    #[schemars(regex(pattern = r"^[1-9][0-9]*-[1-9][0-9]*$"))]
    pub lines: String,
    #[schemars(regex(pattern = r"^memex://excerpt/[0-9a-f]{64}$"))]
    pub excerpt_ref: String,
}

/// A distinct claim of a group, with the tier and origin of its lowest key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Also {
    pub text: String,
    pub confidence: Tier,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    pub branch_id: BranchId,
    pub id: String,
}

/// A probe that would settle a dispute. It is proposed, never run by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowUp {
    pub probe: String,
    pub question: String,
}

/// Why two claims were held to conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dispute {
    pub a: String,
    pub b: String,
    /// The rule's name, such as `polarity`, `one-value`, `exclusive`, `antonym`.
    pub rule: String,
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    /// `FRESH | UNCHANGED | RE-VERIFIED | NEWLY-STALE`.
    #[schemars(extend("enum" = ["FRESH", "UNCHANGED", "RE-VERIFIED", "NEWLY-STALE"]))]
    pub label: String,
    pub commit: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingsGap {
    #[schemars(regex(pattern = r"^GAP-[0-9]{3,}$"))]
    pub id: String,
    /// `DT-n` alone.
    #[schemars(regex(pattern = r"^DT-[1-9][0-9]*"))]
    pub sub_question: String,
    /// The sub-question in the branch's words, when they say more than its `DT-n`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Absent on a gap that a branch handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<GapReason>,
    pub strikes: Vec<Strike>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_hypothesis: Option<String>,
    pub escalate_to: String,
    pub origin: GapOrigin,
}

/// Who says that something was not answered: a branch, or the parent (`branch_id` null).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GapOrigin {
    pub branch_id: Option<BranchId>,
    pub id: Option<String>,
}

/// Why the parent found a sub-question unanswered; the first that holds, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GapReason {
    Disputed,
    OnlyLow,
    RejectedEvidence,
    Deadline,
    Budget,
    BranchFailed,
    Empty,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    pub branch_id: BranchId,
    /// The local id as handed in, or `#n` (1-based position) if there was none to read.
    pub id: String,
    pub reason: RejectReason,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RejectReason {
    Schema,
    Path,
    Lines,
    Excerpt,
}

/// A trigger of the mission that fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Escalation {
    pub trigger: String,
    pub branch_id: Option<BranchId>,
    pub probe: String,
    pub matched: String,
    pub action: crate::mission::TriggerAction,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Telemetry {
    /// Returns given, invalid ones included.
    pub branches: u64,
    /// Tokens that branches used ÷ tokens that one serial context would have used; null if unknown.
    pub fan_out_ratio: Option<f64>,
    /// Findings accepted − findings out.
    pub dedup_count: u64,
    /// Findings out that are disputed.
    pub disputed: u64,
    /// Sum over valid returns.
    pub tool_calls: u64,
    /// Sum over valid returns.
    #[serde(default)]
    pub tokens_used: u64,
    /// Invalid returns, each with what was wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invalid_returns: Vec<InvalidReturn>,
    /// The terms behind `fan_out_ratio`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fan_out_terms: Option<String>,
    /// What the figures say of the partition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvalidReturn {
    /// Which of the returns given, in canonical order, 1-based.
    pub position: u64,
    pub branch_id: Option<i64>,
    pub detail: String,
}

impl Telemetry {
    /// The one line of contract §10.
    #[must_use]
    pub fn line(&self) -> String {
        let ratio = self.fan_out_ratio.map_or_else(|| "unknown".to_owned(), |ratio| format!("{ratio:.2}"));
        format!(
            "scatter | branches: {} | fan_out_ratio: {ratio} | dedup_count: {} | disputed: {} | tool_calls: {}",
            self.branches, self.dedup_count, self.disputed, self.tool_calls
        )
    }
}

/// One promise of §11 with its evidence; computed, never asserted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExitGateItem {
    pub item: String,
    pub pass: bool,
    pub evidence: String,
}
