//! The report for whoever takes the mission on (contract §13).

use crate::MissionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `scout-report.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub mission_id: MissionId,
    pub tokens: u64,
    /// Goal and decision target, verbatim.
    pub recap: Recap,
    /// At most ten, each with a path.
    #[schemars(length(max = 10))]
    pub topology: Vec<String>,
    pub answers: Vec<Answer>,
    pub next_actions: Vec<NextAction>,
    pub risks_and_gaps: Vec<String>,
    pub telemetry: String,
    pub handoff: Handoff,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recap {
    pub goal: String,
    pub decision_target: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// `DT-n`.
    pub sub_question: String,
    /// The sub-question verbatim; empty if the report would otherwise be too long.
    pub text: String,
    /// Every sentence ends in `[FINDING-n]` or `[GAP-n]`.
    pub sentences: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NextAction {
    pub rank: u32,
    pub action: String,
    /// `SPECTRA | APIVR-Δ | human | ATLAS`.
    #[schemars(extend("enum" = ["SPECTRA", "APIVR-Δ", "human", "ATLAS"]))]
    pub to: String,
    pub cites: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Handoff {
    pub primary: String,
    pub fallback: String,
    pub artifacts: Vec<String>,
}

/// `scout-report.envelope.json`: the sidecar, version 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Envelope {
    #[schemars(extend("const" = 2))]
    pub envelope_version: u32,
    pub mission_id: MissionId,
    pub artifact: String,
    pub media_type: String,
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// Bytes of the artifact.
    pub size: u64,
    /// `self-attested`.
    #[schemars(extend("const" = "self-attested"))]
    pub attestation: String,
    /// `auto-route`: a program may pass the report on; it authorises nothing else.
    pub permitted: Vec<String>,
    pub route_to: Vec<String>,
    pub created: String,
}
