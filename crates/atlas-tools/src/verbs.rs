//! `graph_query`: the verbs, held to a scope and cut into pages.

use crate::page::{Page, offset_cursor, read_offset_cursor, version_of};
use crate::spec::GraphQuery;
use crate::surface::CodeIndex;
use crate::{ToolError, ToolSurface};
use atlas_artifact::SkipReason;
use atlas_graph::Place;
use atlas_graph::query::{EdgeRow, Query, run as run_query};
use serde_json::{Map, Value, json};

/// Candidates that one row shows; the row says how many there are.
const CANDIDATES_SHOWN: usize = 20;

pub fn run(surface: &ToolSurface, args: &GraphQuery) -> Result<Value, ToolError> {
    let index = surface.index()?;
    let query = Query::parse(&args.query).map_err(|error| ToolError::invalid(error.0))?;
    let answer = run_query(&index.graph, &query).map_err(|error| ToolError::invalid(error.0))?;
    let version = version_of(&[b"graph_query", args.query.as_bytes(), &index.version.to_le_bytes()]);
    let from = read_offset_cursor(args.cursor.as_deref(), version)?;
    let in_scope = |path: &str| surface.scope.contains_str(path);
    let edges: Vec<&EdgeRow> = answer.edges.iter().filter(|edge| in_scope(&edge.site.path)).collect();
    let nodes: Vec<_> = answer.nodes.iter().filter(|node| in_scope(&node.path)).collect();
    let hidden = answer.edges.len() - edges.len() + answer.nodes.len() - nodes.len();
    let mut head = Map::new();
    head.insert("unresolved_refs".to_owned(), json!(answer.unresolved_refs));
    head.insert("completeness".to_owned(), completeness(surface, index));
    head.insert("matched".to_owned(), json!(answer.matched));
    if hidden > 0 {
        head.insert("out_of_scope".to_owned(), json!(hidden));
    }
    let by_node = edges.is_empty() && !nodes.is_empty();
    let total = if by_node { nodes.len() } else { edges.len() };
    head.insert("total".to_owned(), json!(total));
    let mut page = if by_node {
        head.insert("edges".to_owned(), json!([]));
        Page::new(head, "nodes", usize::MAX)
    } else {
        Page::new(head, "edges", usize::MAX)
    };
    for at in from..total {
        let item = if by_node { json!(nodes[at]) } else { edge_item(edges[at], &in_scope) };
        if !page.push(item)? {
            break;
        }
    }
    let end = from + page.len();
    let next = (end < total).then(|| offset_cursor(version, end));
    Ok(page.finish(next))
}

/// An edge as its caller may see it: places outside the scope are withheld.
fn edge_item(edge: &EdgeRow, in_scope: &dyn Fn(&str) -> bool) -> Value {
    let mut item = json!(edge);
    let Some(object) = item.as_object_mut() else { return item };
    let mut withheld = false;
    let mut hide = |place: &Option<Place>| {
        place.as_ref().is_some_and(|p| !in_scope(&p.path)) && {
            withheld = true;
            true
        }
    };
    if hide(&edge.target) {
        object.insert("target".to_owned(), Value::Null);
    }
    if let Some(candidates) = &edge.candidates {
        let seen: Vec<&Place> = candidates.iter().filter(|place| !hide(&Some((*place).clone()))).collect();
        if seen.len() > CANDIDATES_SHOWN {
            object.insert("candidates_total".to_owned(), json!(seen.len()));
        }
        object.insert("candidates".to_owned(), json!(&seen[..seen.len().min(CANDIDATES_SHOWN)]));
    }
    if withheld {
        object.insert("withheld".to_owned(), json!("places outside this scope"));
    }
    item
}

/// Whether "none" means none: files of the scope that could not be indexed.
fn completeness(surface: &ToolSurface, index: &CodeIndex) -> Value {
    let mut not_indexed = 0u64;
    let mut partly = 0u64;
    for gap in index.gaps.iter().filter(|gap| surface.scope.contains_str(&gap.path)) {
        match gap.reason {
            SkipReason::SyntaxError => partly += 1,
            // Text without a grammar and binaries define nothing; vendored and generated files are
            // known and left out on purpose.
            SkipReason::NoGrammar | SkipReason::Binary | SkipReason::Generated | SkipReason::Vendored => {}
            SkipReason::TooLarge | SkipReason::NotUtf8 | SkipReason::Unreadable => not_indexed += 1,
        }
    }
    json!({ "complete": not_indexed == 0 && partly == 0, "files_not_indexed": not_indexed, "files_partly_parsed": partly })
}
