//! The linked graph: nodes, edges with confidence, both directions in compressed rows.

use crate::link::{FileId, NodeId, Program};
use atlas_syntax::DefKind;
use serde::Serialize;
use std::sync::Arc;

/// What an edge says (contract §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    Call,
    Construct,
    Import,
    Inherit,
    Implement,
    Include,
    Read,
    Write,
    Route,
    Test,
}

impl Relation {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Construct => "construct",
            Self::Import => "import",
            Self::Inherit => "inherit",
            Self::Implement => "implement",
            Self::Include => "include",
            Self::Read => "read",
            Self::Write => "write",
            Self::Route => "route",
            Self::Test => "test",
        }
    }
}

/// How sure an edge is; `Extracted` is the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// One target, named unambiguously by syntax, import or SCIP.
    Extracted,
    /// One target, by heuristic.
    Inferred,
    /// One of several, or one that may well be another: all candidates are kept.
    Ambiguous,
}

impl Confidence {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extracted => "EXTRACTED",
            Self::Inferred => "INFERRED",
            Self::Ambiguous => "AMBIGUOUS",
        }
    }

    /// Whether analyses (centrality, partition) count it.
    #[must_use]
    pub fn is_confident(self) -> bool {
        self != Self::Ambiguous
    }
}

/// Where an edge comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Derived {
    Scip,
    Ast,
    Heuristic,
}

impl Derived {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scip => "scip",
            Self::Ast => "ast",
            Self::Heuristic => "heuristic",
        }
    }
}

/// An edge of the graph; its site is where the reference stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub relation: Relation,
    /// The definition around the site; the file's node at module level.
    pub source: NodeId,
    /// One target, or all candidates in node order when AMBIGUOUS. Never empty.
    pub targets: Arc<[NodeId]>,
    pub confidence: Confidence,
    pub derived: Derived,
    /// The rule behind it, for data access and routes.
    pub rule: Option<Box<str>>,
}

/// A call or construction without any candidate in the tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unresolved {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub source: NodeId,
    pub name: Box<str>,
}

/// A table as a node: its name and, where the tree says so, where it is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table {
    pub name: Box<str>,
    pub site: Option<(FileId, u32)>,
    /// Model classes that stand for it, in node order.
    pub models: Vec<NodeId>,
}

/// A node as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub kind: String,
}

/// Compressed rows: for each node a run of edge ids.
#[derive(Debug, Default)]
struct Rows {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Rows {
    fn new(nodes: usize, pairs: impl Iterator<Item = (NodeId, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (node, _) in pairs.clone() {
            starts[node as usize + 1] += 1;
        }
        for at in 0..nodes {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[nodes] as usize];
        for (node, edge) in pairs {
            edges[next[node as usize] as usize] = edge;
            next[node as usize] += 1;
        }
        Self { starts, edges }
    }

    fn of(&self, node: NodeId) -> &[u32] {
        match self.starts.get(node as usize..node as usize + 2) {
            Some([from, to]) => &self.edges[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

/// The whole graph. Immutable; cheap to share.
#[derive(Debug)]
pub struct Graph {
    pub program: Arc<Program>,
    /// By (file, line, column, relation, …).
    edges: Vec<Edge>,
    outgoing: Rows,
    incoming: Rows,
    unresolved: Vec<Unresolved>,
    tables: Vec<Table>,
    /// The type that each definition is a member of, where it does not stand in it; sorted.
    owners: Vec<(NodeId, NodeId)>,
    /// The definition that each declaration stands for; sorted.
    canonical: Vec<(NodeId, NodeId)>,
    external: u64,
}

/// What linking gives.
#[derive(Debug, Default)]
pub struct Parts {
    pub edges: Vec<Edge>,
    pub unresolved: Vec<Unresolved>,
    /// In name order.
    pub tables: Vec<Table>,
    /// (member, type) where the member does not stand in its type.
    pub owners: Vec<(NodeId, NodeId)>,
    /// (declaration, definition).
    pub canonical: Vec<(NodeId, NodeId)>,
    /// References that lead outside the tree, counted.
    pub external: u64,
}

impl Graph {
    /// Sorts the edges, drops repeats and builds both directions.
    #[must_use]
    pub fn new(program: Arc<Program>, parts: Parts) -> Self {
        let Parts { mut edges, mut unresolved, tables, mut owners, mut canonical, external } = parts;
        edges.sort_unstable();
        edges.dedup();
        unresolved.sort_unstable();
        unresolved.dedup();
        owners.sort_unstable();
        canonical.sort_unstable();
        let nodes = program.node_count() as usize + tables.len();
        let outgoing = Rows::new(nodes, edges.iter().enumerate().map(|(id, edge)| (edge.source, id as u32)));
        let incoming = Rows::new(
            nodes,
            edges.iter().enumerate().flat_map(|(id, edge)| edge.targets.iter().map(move |&t| (t, id as u32))),
        );
        Self { program, edges, outgoing, incoming, unresolved, tables, owners, canonical, external }
    }

    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    #[must_use]
    pub fn edge(&self, id: u32) -> &Edge {
        &self.edges[id as usize]
    }

    /// Ids of the edges whose source is this node, in site order.
    #[must_use]
    pub fn outgoing(&self, node: NodeId) -> &[u32] {
        self.outgoing.of(node)
    }

    /// Ids of the edges that have this node among their targets, in site order.
    #[must_use]
    pub fn incoming(&self, node: NodeId) -> &[u32] {
        self.incoming.of(node)
    }

    #[must_use]
    pub fn unresolved(&self) -> &[Unresolved] {
        &self.unresolved
    }

    #[must_use]
    pub fn external(&self) -> u64 {
        self.external
    }

    /// In name order.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    #[must_use]
    pub fn table_node(&self, at: usize) -> NodeId {
        self.program.node_count() + at as NodeId
    }

    /// The table that a node is, if it is one.
    #[must_use]
    pub fn table(&self, node: NodeId) -> Option<&Table> {
        node.checked_sub(self.program.node_count()).and_then(|at| self.tables.get(at as usize))
    }

    /// The table of that name, case folded as SQL does.
    #[must_use]
    pub fn table_named(&self, name: &str) -> Option<NodeId> {
        let at = self.tables.iter().position(|table| table.name.eq_ignore_ascii_case(name))?;
        Some(self.table_node(at))
    }

    /// The definition that a declaration stands for; itself otherwise.
    #[must_use]
    pub fn canonical(&self, node: NodeId) -> NodeId {
        self.canonical.binary_search_by_key(&node, |&(from, _)| from).map_or(node, |at| self.canonical[at].1)
    }

    /// The type that a definition is a member of.
    #[must_use]
    pub fn type_around(&self, node: NodeId) -> Option<NodeId> {
        if let Some(owner) = self.owner(node) {
            return Some(owner);
        }
        let container = self.program.container(node)?;
        self.program.def(container)?.kind.is_type().then_some(container)
    }

    /// What a definition is a member of without standing in it.
    fn owner(&self, node: NodeId) -> Option<NodeId> {
        let at = self.owners.binary_search_by_key(&node, |&(member, _)| member).ok()?;
        Some(self.owners[at].1)
    }

    /// The innermost file a node belongs to; None for a table.
    #[must_use]
    pub fn file_of(&self, node: NodeId) -> Option<FileId> {
        (node < self.program.node_count()).then(|| self.program.file_of(node))
    }

    /// Names from the outermost container in, the definition's own last: `Vote.record`.
    #[must_use]
    pub fn qualified_name(&self, node: NodeId) -> String {
        if let Some(table) = self.table(node) {
            return table.name.to_string();
        }
        let mut parts = vec![self.program.name(node)];
        let mut at = node;
        loop {
            let owner = self.owner(at);
            if owner.is_none() {
                parts.extend(self.program.written_owner(at).into_iter().rev());
            }
            let Some(up) = owner.or_else(|| self.program.container(at)) else { break };
            if self.program.def(up).is_none() || parts.len() > 64 {
                break;
            }
            parts.push(self.program.name(up));
            at = up;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The kind as it is shown: a definition's, `module` for a file, `table`.
    #[must_use]
    pub fn kind(&self, node: NodeId) -> &'static str {
        if self.table(node).is_some() {
            return DefKind::Table.as_str();
        }
        self.program.def(node).map_or("module", |def| def.kind.as_str())
    }

    /// Where and what a node is. A table that is defined nowhere has no place; a file has none as
    /// a *source* (contract §8: null at module level), which is the caller's to decide.
    #[must_use]
    pub fn place(&self, node: NodeId) -> Option<Place> {
        if let Some(table) = self.table(node) {
            let (file, line) = table.site?;
            return Some(Place {
                path: self.program.path(file).to_string(),
                line,
                name: table.name.to_string(),
                kind: "table".to_owned(),
            });
        }
        let file = self.program.file_of(node);
        let line = self.program.def(node).map_or(1, |def| def.name_line);
        Some(Place {
            path: self.program.path(file).to_string(),
            line,
            name: self.qualified_name(node),
            kind: self.kind(node).to_owned(),
        })
    }

    /// Confident edge weight between different files, directed: `(from, to, weight)`, sorted.
    #[must_use]
    pub fn file_edges(&self, counted: impl Fn(FileId) -> bool) -> Vec<(FileId, FileId, u32)> {
        let mut pairs: Vec<(FileId, FileId)> = Vec::new();
        for edge in &self.edges {
            if !edge.confidence.is_confident() {
                continue;
            }
            let Some(to) = self.file_of(edge.targets[0]).or_else(|| self.table(edge.targets[0])?.site.map(|s| s.0))
            else {
                continue;
            };
            if to != edge.file && counted(to) && counted(edge.file) {
                pairs.push((edge.file, to));
            }
        }
        pairs.sort_unstable();
        let mut out: Vec<(FileId, FileId, u32)> = Vec::new();
        for (from, to) in pairs {
            match out.last_mut() {
                Some(last) if (last.0, last.1) == (from, to) => last.2 += 1,
                _ => out.push((from, to, 1)),
            }
        }
        out
    }
}
