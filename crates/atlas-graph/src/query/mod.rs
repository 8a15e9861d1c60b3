//! The verbs of `graph_query` (contract §8): who calls, who implements, who writes.
//!
//! A query gives all its rows in a fixed order; cutting them into pages and holding them to a
//! scope is the tools' work.

mod symbols;
mod verbs;

pub use symbols::{Symbol, find, find_files};
pub use verbs::run;

use crate::graph::{Edge, Graph, Place};
use serde::Serialize;

/// A verb of `graph_query`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    DefinitionsOf,
    CallersOf,
    CalleesOf,
    ImplementersOf,
    SubclassesOf,
    WritersTo,
    ReadersOf,
    ImportersOf,
    ImportedBy,
    TransitiveCallers,
    CallgraphSlice,
    PathBetween,
    Cycles,
    GodNodes,
    Communities,
    Rationale,
    Roots,
    Untested,
}

/// Every verb with its name and how many arguments it takes (fewest, most).
pub const VERBS: [(&str, Verb, (usize, usize)); 18] = [
    ("definitions_of", Verb::DefinitionsOf, (1, 1)),
    ("callers_of", Verb::CallersOf, (1, 1)),
    ("callees_of", Verb::CalleesOf, (1, 1)),
    ("implementers_of", Verb::ImplementersOf, (1, 1)),
    ("subclasses_of", Verb::SubclassesOf, (1, 1)),
    ("writers_to", Verb::WritersTo, (1, 1)),
    ("readers_of", Verb::ReadersOf, (1, 1)),
    ("importers_of", Verb::ImportersOf, (1, 1)),
    ("imported_by", Verb::ImportedBy, (1, 1)),
    ("transitive_callers", Verb::TransitiveCallers, (1, 1)),
    ("callgraph_slice", Verb::CallgraphSlice, (1, 1)),
    ("path_between", Verb::PathBetween, (2, 2)),
    ("cycles", Verb::Cycles, (0, 1)),
    ("god_nodes", Verb::GodNodes, (0, 1)),
    ("communities", Verb::Communities, (0, 1)),
    ("rationale", Verb::Rationale, (1, 1)),
    ("roots", Verb::Roots, (0, 1)),
    ("untested", Verb::Untested, (0, 1)),
];

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub verb: Verb,
    pub args: Vec<String>,
    /// Steps for `transitive_callers`, 1 to 5.
    pub depth: Option<u32>,
}

/// Why a text is not a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError(pub String);

impl Query {
    /// Reads `verb: arg` or `verb(arg, depth=N)`.
    ///
    /// # Errors
    /// Says what is wrong and which verbs there are.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (name, rest) = (&text[..end], text[end..].trim());
        let Some(&(name, verb, (fewest, most))) = VERBS.iter().find(|(known, ..)| *known == name) else {
            let names: Vec<&str> = VERBS.iter().map(|(name, ..)| *name).collect();
            return Err(QueryError(format!("unknown verb `{name}`; the verbs are {}", names.join(", "))));
        };
        let inner = if let Some(inside) = rest.strip_prefix('(') {
            inside.strip_suffix(')').ok_or_else(|| QueryError("a `(` is not closed".to_owned()))?
        } else if let Some(behind) = rest.strip_prefix(':') {
            behind
        } else if rest.is_empty() {
            ""
        } else {
            return Err(QueryError(format!("write `{name}: ARG` or `{name}(ARG, depth=N)`")));
        };
        let mut args = Vec::new();
        let mut depth = None;
        for part in split_args(inner) {
            let part = part.trim();
            if let Some(value) = part.strip_prefix("depth").map(str::trim_start).and_then(|p| p.strip_prefix('=')) {
                let parsed: Option<u32> = value.trim().parse().ok();
                match parsed {
                    Some(steps @ 1..=DEPTH_MAX) => depth = Some(steps),
                    _ => return Err(QueryError(format!("`depth` must be 1 to {DEPTH_MAX}"))),
                }
            } else if !part.is_empty() {
                args.push(unquoted(part).to_owned());
            }
        }
        if args.len() < fewest || args.len() > most {
            let wanted = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            return Err(QueryError(format!("`{name}` takes {wanted} argument(s), {} given", args.len())));
        }
        Ok(Self { verb, args, depth })
    }
}

/// Contract §8: steps of `transitive_callers`.
const DEPTH_MAX: u32 = 5;

/// Commas outside brackets and quotes part arguments.
fn split_args(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0i32);
    let mut quote: Option<char> = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '<' | '[' | '{') => depth += 1,
            (None, ')' | '>' | ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn unquoted(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

/// One row of an answer: an edge, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EdgeRow {
    pub relation: String,
    pub confidence: String,
    pub derived_from: String,
    pub site: Site,
    /// The definition around the site; null at module level.
    pub source: Option<Place>,
    pub target: Option<Place>,
    /// Only when AMBIGUOUS.
    pub candidates: Option<Vec<Place>>,
    /// The rule behind it, for data access and routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Site {
    pub path: String,
    pub line: u32,
}

/// One row about a node, for verbs that are not about edges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRow {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub kind: String,
    /// What the verb says of it: `in 12, out 3`, `GET /users`, a community's number.
    pub note: String,
}

/// All rows of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    pub edges: Vec<EdgeRow>,
    pub nodes: Vec<NodeRow>,
    /// Calls of that name without any candidate in the tree.
    pub unresolved_refs: u64,
    /// Definitions and tables that the argument meant.
    pub matched: u64,
}

/// An edge as it is shown.
#[must_use]
pub fn edge_row(graph: &Graph, edge: &Edge) -> EdgeRow {
    let ambiguous = !edge.confidence.is_confident();
    let source = graph.program.def(edge.source).and_then(|_| graph.place(edge.source));
    EdgeRow {
        relation: edge.relation.as_str().to_owned(),
        confidence: edge.confidence.as_str().to_owned(),
        derived_from: edge.derived.as_str().to_owned(),
        site: Site { path: graph.program.path(edge.file).to_string(), line: edge.line },
        source,
        target: if ambiguous { None } else { graph.place(edge.targets[0]) },
        candidates: ambiguous.then(|| edge.targets.iter().filter_map(|&t| graph.place(t)).collect()),
        rule: edge.rule.as_ref().map(ToString::to_string),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_query() {
        let parse = |text: &str| Query::parse(text).map(|q| (q.verb, q.args.join("|"), q.depth));
        assert_eq!(parse("callers_of: f"), Ok((Verb::CallersOf, "f".into(), None)));
        assert_eq!(parse("callers_of: a.py:f"), Ok((Verb::CallersOf, "a.py:f".into(), None)));
        assert_eq!(parse("transitive_callers(f, depth=3)"), Ok((Verb::TransitiveCallers, "f".into(), Some(3))));
        assert_eq!(parse("path_between: a, b::c"), Ok((Verb::PathBetween, "a|b::c".into(), None)));
        assert_eq!(parse("path_between(f(a, b), 'x, y')"), Ok((Verb::PathBetween, "f(a, b)|x, y".into(), None)));
        assert_eq!(parse(" roots "), Ok((Verb::Roots, String::new(), None)));
        for bad in [
            "",
            "nope: x",
            "callers_of",
            "callers_of f",
            "callers_of(f",
            "path_between: a",
            "transitive_callers(f, depth=6)",
            "transitive_callers(f, depth=0)",
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
