//! The structural map of the surface (contract §4).

use crate::MissionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `map.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Map {
    pub mission_id: MissionId,
    /// The commit that the tree stands at, if there is git.
    pub commit: Option<String>,
    pub roots: Vec<RootEntry>,
    /// By centrality, highest first.
    pub modules: Vec<Module>,
    pub graph: MapGraph,
    /// Files with history in the window, most commits first; empty without git.
    pub heat: Vec<Heat>,
    pub gaps: Vec<MapGap>,
    /// Says which edges the analyses used.
    pub analyses: String,
}

/// An entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RootEntry {
    /// `http_route | worker | cli | public_api | event_handler | test`.
    #[schemars(extend("enum" = ["http_route", "worker", "cli", "public_api", "event_handler", "test"]))]
    pub kind: String,
    pub path: String,
    pub line: u32,
    /// The handler or entry as the code names it.
    pub name: String,
    /// For a route: its verb and path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The rule that found it.
    pub rule: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Module {
    /// The directory, relative to the repository; `.` for the root.
    pub path: String,
    pub files: u64,
    pub lines: u64,
    pub centrality: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapGraph {
    pub nodes: Vec<MapNode>,
    pub edges: Vec<MapEdge>,
    /// References without any candidate.
    pub unresolved: u64,
    /// The file graph that centrality and partition were made from.
    pub file_graph: FileGraph,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapNode {
    pub id: u32,
    pub kind: String,
    pub name: String,
    pub qualified_name: String,
    pub path: String,
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapEdge {
    pub src: u32,
    /// The target, or the first candidate.
    pub dst: u32,
    /// All candidates, in order; only when AMBIGUOUS.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<u32>,
    #[schemars(extend("enum" = [
        "call", "construct", "import", "inherit", "implement", "include", "read", "write", "route", "test"
    ]))]
    pub relation: String,
    #[schemars(extend("enum" = ["EXTRACTED", "INFERRED", "AMBIGUOUS"]))]
    pub confidence: String,
    pub line: u32,
    #[schemars(extend("enum" = ["scip", "ast", "heuristic"]))]
    pub derived_from: String,
}

/// Confident edges between files, undirected weights summed by whoever reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileGraph {
    /// Every file of the surface, in path order.
    pub files: Vec<String>,
    /// `[from, to, weight]` by index into `files`, directed, sorted, without loops.
    pub edges: Vec<(u32, u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Heat {
    pub path: String,
    pub commits: u32,
    pub authors: u32,
}

/// A file that was skipped or not fully parsed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct MapGap {
    pub path: String,
    pub reason: SkipReason,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    NoGrammar,
    SyntaxError,
    Binary,
    TooLarge,
    NotUtf8,
    Generated,
    Vendored,
    Unreadable,
}
