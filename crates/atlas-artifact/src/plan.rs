//! The plan: the gate as observed, clusters, assignment, shares (contract §5–§7).

use crate::{BranchId, DtId, MissionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    pub mission_id: MissionId,
    pub gate: Gate,
    pub surface: SurfaceCounts,
    #[schemars(length(max = 5))]
    pub clusters: Vec<Cluster>,
    /// Before the merges, after them.
    pub modularity: Modularity,
    /// Confident edge weight between clusters.
    pub cut_weight: u64,
    pub branches: Vec<SubMission>,
    /// Located by the parent, one after the other.
    pub serial: Vec<DtId>,
    pub not_probed: Vec<NotProbed>,
    /// How the sub-questions hang together, for people: groups, couplings and the files behind them.
    #[serde(default)]
    pub groups: Vec<Vec<DtId>>,
    #[serde(default)]
    pub couplings: Vec<Coupling>,
    /// Each sub-question's affinity to each cluster; those with an empty footprint are left out.
    #[serde(default)]
    pub affinities: Vec<Affinity>,
    /// Sub-questions of branches that lead mostly into clusters where others ask: the parent goes on with
    /// them over the whole scope, with what the branches leave of their shares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed_up: Vec<DtId>,
    /// The parent's own share, when it has sub-questions to locate serially.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial_budget: Option<SubBudget>,
    /// Clusters that hold unrelated packages with no edge between them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Plan {
    /// The number of the parent's own return: one above the branches'. None if it locates nothing itself.
    #[must_use]
    pub fn parent_branch(&self) -> Option<BranchId> {
        let works = !self.serial.is_empty() || !self.followed_up.is_empty();
        works.then(|| BranchId(self.branches.iter().map(|branch| branch.branch_id.0).max().unwrap_or(0) + 1))
    }

    /// The sub-questions that the parent locates itself, in order.
    #[must_use]
    pub fn parent_questions(&self) -> Vec<DtId> {
        let mut all = [self.serial.as_slice(), &self.followed_up].concat();
        all.sort_unstable();
        all
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    pub decision: GateDecision,
    pub flags: Vec<Flag>,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GateDecision {
    Scatter,
    Serial,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Flag {
    /// `surface | disjoint | not_tight`.
    #[schemars(extend("enum" = ["surface", "disjoint", "not_tight"]))]
    pub name: String,
    pub observed: String,
    pub threshold: String,
    pub pass: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceCounts {
    pub modules: u64,
    pub source_files: u64,
    pub files: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cluster {
    /// 1-based, by first path.
    pub id: u32,
    /// Match exactly its files within the surface.
    #[schemars(length(min = 1))]
    pub globs: Vec<String>,
    /// Number of files.
    pub files: u64,
    /// Its modules, most files first.
    pub modules: Vec<String>,
    pub centrality: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Modularity {
    pub before_merges: f64,
    pub after_merges: f64,
}

/// What one branch sees, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubMission {
    pub parent_mission_id: MissionId,
    pub branch_id: BranchId,
    pub question: String,
    pub supports_decision: DtId,
    pub scope: Vec<String>,
    pub budget: SubBudget,
    /// Its cluster's modules and edges, at most 2,000 tokens.
    pub map_excerpt: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubBudget {
    pub max_tool_calls: u64,
    pub max_tokens_input: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotProbed {
    pub cluster: u32,
    pub reason: String,
}

/// Two sub-questions held together, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coupling {
    pub a: DtId,
    pub b: DtId,
    /// `depends_on | refers | overlap`.
    #[schemars(extend("enum" = ["depends_on", "refers", "overlap"]))]
    pub rule: String,
    /// Shared footprint weight.
    pub overlap: f64,
    /// The files that contribute most to it, at most three.
    pub files: Vec<String>,
    pub because: String,
}

/// Where a sub-question's answer is expected, as far as clusters tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Affinity {
    pub dt: DtId,
    /// Its footprint weight in each cluster, in the order of `clusters`.
    pub clusters: Vec<f64>,
}
