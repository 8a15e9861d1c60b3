//! The fold: what a reader must carry away, checked to be complete (contract §12).

use crate::{MissionId, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `fold.json`: the fold, or the statement that it cannot fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FoldOutcome {
    Fits(Fold),
    DoesNotFit(DoesNotFit),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoesNotFit {
    /// Always false.
    #[schemars(extend("const" = false))]
    pub fits: bool,
    pub tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fold {
    /// Always true.
    #[schemars(extend("const" = true))]
    pub fits: bool,
    pub tokens: u64,
    pub mission_id: MissionId,
    pub header: String,
    /// At most 200 tokens; every sentence cites.
    pub answer: Vec<String>,
    pub index: Vec<FoldEntry>,
    /// Gap ids, with their sub-question and reason.
    pub gaps: Vec<String>,
    pub escalations: Vec<String>,
}

/// id | tier | anchors, no claim text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoldEntry {
    #[schemars(regex(pattern = r"^FINDING-[0-9]{3,}$"))]
    pub id: String,
    pub tier: Tier,
    /// `path:a-b`, as the finding has them.
    #[schemars(length(min = 1))]
    pub anchors: Vec<String>,
}
