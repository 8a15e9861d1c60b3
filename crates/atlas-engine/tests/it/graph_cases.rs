//! The contract's graph cases: tiny repositories and what a query over them must say.

use crate::support::open;
use atlas_tools::ToolSurface;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Case {
    name: String,
    files: BTreeMap<String, String>,
    query: String,
    /// `path:line` of every edge that must come back EXTRACTED or INFERRED.
    sites: BTreeSet<String>,
    not_sites: BTreeSet<String>,
}

/// Cases that are known to fail, each with what it lacks. The list only ever gets shorter, and a case
/// in it that passes fails this test, so that it is taken out.
const KNOWN_FAILURES: &[&str] = &[];

fn confident_sites(surface: &ToolSurface, query: &str) -> BTreeSet<String> {
    let mut sites = BTreeSet::new();
    let mut cursor: Option<String> = None;
    loop {
        let args = match &cursor {
            Some(cursor) => json!({ "query": query, "cursor": cursor }),
            None => json!({ "query": query }),
        };
        let answer = surface.call("graph_query", &args).unwrap();
        for edge in answer["edges"].as_array().unwrap() {
            if edge["confidence"] != "AMBIGUOUS" {
                let site = &edge["site"];
                sites.insert(format!("{}:{}", site["path"].as_str().unwrap(), site["line"]));
            }
        }
        match answer.get("next_cursor").and_then(Value::as_str) {
            Some(next) => cursor = Some(next.to_owned()),
            None => return sites,
        }
    }
}

#[test]
fn every_graph_case_holds_or_is_a_known_failure() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../cases/graph.json")).unwrap();
    assert!(cases.len() >= 19, "the cases are all there");
    let mut wrong = Vec::new();
    for case in &cases {
        let repo = tempfile::tempdir().unwrap();
        let home = tempfile::tempdir().unwrap();
        let files: Vec<(String, String)> = case.files.clone().into_iter().collect();
        crate::support::write(repo.path(), &files);
        let workspace = open(repo.path(), home.path());
        let sites = confident_sites(&workspace.tools(), &case.query);
        let missing: Vec<_> = case.sites.difference(&sites).collect();
        let forbidden: Vec<_> = case.not_sites.intersection(&sites).collect();
        let holds = missing.is_empty() && forbidden.is_empty();
        let known = KNOWN_FAILURES.contains(&case.name.as_str());
        if holds == known {
            wrong.push(format!("{}: missing {missing:?}, forbidden {forbidden:?}, known failure: {known}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
