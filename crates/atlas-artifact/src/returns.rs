//! What a branch hands in (contract §9). These are the *wanted* shapes; whatever really arrives
//! is untrusted JSON and is taken apart and checked by `atlas-gather`.

use crate::{BranchId, DtId, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One structured return: exactly these keys, all of them, and no transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchReturn {
    pub branch_id: BranchId,
    pub findings: Vec<RawFinding>,
    pub gaps: Vec<RawGap>,
    pub ruled_out: Vec<String>,
    pub telemetry: ReturnTelemetry,
}

/// A finding as a branch states it, before any check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RawFinding {
    /// Local to the branch: `FINDING-` and at least three digits.
    #[schemars(regex(pattern = r"^FINDING-[0-9]{3,}$"))]
    pub id: String,
    /// One factual sentence, 10–500 characters.
    #[schemars(length(min = 10, max = 500))]
    pub claim: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<Assertion>,
    /// At least one anchor; the first is the primary one.
    #[schemars(length(min = 1))]
    pub evidence: Vec<Evidence>,
    #[serde(default)]
    pub ruled_out: Vec<String>,
    pub confidence: Tier,
    pub supports_decision: DtId,
}

/// A claim in a form that makes conflicts exact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Assertion {
    pub subject: String,
    pub relation: String,
    pub object: String,
    #[serde(default = "yes")]
    pub polarity: bool,
    #[serde(default)]
    pub exclusive: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    pub path: String,
    /// `a-b` or `a`, inclusive and 1-based; a return may write `a` as a number.
    #[schemars(schema_with = "lines_schema")]
    pub lines: String,
    /// `memex://excerpt/` and the SHA-256 of the anchor's bytes; captured by the parent if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^memex://excerpt/[0-9a-f]{64}$"))]
    pub excerpt_ref: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RawGap {
    pub id: String,
    /// Starts with its `DT-n`.
    #[schemars(regex(pattern = r"^DT-[1-9][0-9]*"))]
    pub sub_question: String,
    pub strikes: Vec<Strike>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_hypothesis: Option<String>,
    pub escalate_to: String,
}

fn lines_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "anyOf": [
            { "type": "string", "pattern": "^[1-9][0-9]*(-[1-9][0-9]*)?$" },
            { "type": "integer", "minimum": 1 }
        ]
    })
}

/// One probe that found nothing, or too little.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Strike {
    pub probe: String,
    pub result: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReturnTelemetry {
    pub tokens_used: u64,
    pub tool_calls: u64,
}
