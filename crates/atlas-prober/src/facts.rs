//! Facts that probes give, before they become findings.

use crate::tools::{Edge, Place, Site};
use atlas_artifact::{Assertion, Tier};
use std::collections::BTreeMap;

/// One fact with the places that show it, the site of the fact first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fact {
    pub claim: String,
    pub assertion: Option<Assertion>,
    /// Path, first line, last line.
    pub anchors: Vec<(String, u32, u32)>,
    pub tier: Tier,
    /// Higher is more important.
    pub weight: f64,
    /// Further sites of the same fact that are counted and not listed.
    pub further: usize,
}

/// Anchors that one finding lists; the fold must hold every one of them.
const ANCHORS_MAX: usize = 3;

/// Whether a path is test code by the names people use; tests come after the code they test.
pub(crate) fn is_test_path(path: &str) -> bool {
    let lower = path.to_lowercase();
    lower.split('/').any(|part| {
        matches!(part, "test" | "tests" | "__tests__" | "spec" | "specs" | "testing" | "testdata" | "e2e")
            || part.starts_with("test_")
            || part.starts_with("tests.")
            || part.starts_with("test.")
            || part.contains("_test.")
            || part.contains(".test.")
            || part.contains(".spec.")
            || part.contains(".bench.")
            || part.contains("_spec.")
    })
}

/// The name of an edge's source as it is claimed: the definition, or the file at module level.
pub(crate) fn source_name(edge: &Edge) -> String {
    match &edge.source {
        Some(place) => format!("`{}`", place.name),
        None => format!("the top level of {}", edge.site.path),
    }
}

fn source_key(edge: &Edge) -> (String, String) {
    let name = edge.source.as_ref().map_or_else(String::new, |place| place.name.clone());
    (edge.site.path.clone(), name)
}

/// Edges grouped by who makes them, in the order of their first site.
pub(crate) fn by_source(edges: &[Edge]) -> Vec<Vec<&Edge>> {
    let mut order: Vec<(String, String)> = Vec::new();
    let mut groups: BTreeMap<(String, String), Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        let key = source_key(edge);
        if !groups.contains_key(&key) {
            order.push(key.clone());
        }
        groups.entry(key).or_default().push(edge);
    }
    order.into_iter().filter_map(|key| groups.remove(&key)).collect()
}

/// What a group of edges from one source to one thing says, as a fact.
pub(crate) fn edge_fact(group: &[&Edge], verb: &str, relation: &str, object: &str, weight: f64) -> Option<Fact> {
    let first = group.first()?;
    let subject = source_name(first);
    let sites: Vec<&Site> = group.iter().map(|edge| &edge.site).collect();
    let (tier, manner) = match first.confidence.as_str() {
        "EXTRACTED" => (Tier::H, ""),
        "INFERRED" => (Tier::M, ""),
        _ => (Tier::L, " or another definition of that name"),
    };
    let times = match sites.len() {
        1 => String::new(),
        n => format!(" at {n} places"),
    };
    let rule = first.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
    let claim =
        format!("{subject} {verb} `{object}`{manner}{times}{rule}, in {}:{}.", first.site.path, first.site.line);
    let assertion = first.source.as_ref().map(|place| Assertion {
        subject: place.name.clone(),
        relation: relation.to_owned(),
        object: object.to_owned(),
        polarity: true,
        exclusive: false,
    });
    let assertion = if tier == Tier::L { None } else { assertion };
    let anchors = sites.iter().take(ANCHORS_MAX).map(|site| (site.path.clone(), site.line, site.line)).collect();
    let weight = if is_test_path(&first.site.path) { weight * 0.3 } else { weight };
    Some(Fact {
        claim,
        assertion,
        anchors,
        tier,
        weight: weight * tier_weight(tier),
        further: sites.len().saturating_sub(ANCHORS_MAX),
    })
}

pub(crate) fn tier_weight(tier: Tier) -> f64 {
    match tier {
        Tier::H => 1.0,
        Tier::M => 0.8,
        Tier::L => 0.4,
    }
}

/// A place as a symbol that the graph finds again: `path:qualified.name`.
pub(crate) fn placed(place: &Place) -> String {
    format!("{}:{}", place.path, place.name)
}

/// `3 functions in 2 modules`, `1 function`; the number tells which verb follows.
pub(crate) fn counted(edges: &[Edge]) -> (usize, String) {
    let mut sources: Vec<(String, String)> = edges.iter().map(source_key).collect();
    sources.sort();
    sources.dedup();
    let mut modules: Vec<&str> =
        sources.iter().map(|(path, _)| path.rsplit_once('/').map_or(".", |(dir, _)| dir)).collect();
    modules.sort_unstable();
    modules.dedup();
    let plural = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let text = if modules.len() > 1 {
        format!("{} in {}", plural(sources.len(), "function"), plural(modules.len(), "module"))
    } else {
        plural(sources.len(), "function")
    };
    (sources.len(), text)
}
