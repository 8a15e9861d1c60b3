//! Links a tiny repository and compares its edges with the marks in its text.
//!
//! A mark `^^^^ ~ RELATION path:Qualified.name CONFIDENCE` below a line wants exactly these edges of
//! that relation at the marked column; several candidates are joined by ` | `. `^^^^ ~ RELATION none`
//! wants no edge.

use atlas_graph::Graph;
use atlas_graph::link::{ConfigFile, Program, Semantics, SourceFile, is_config, link};
use atlas_graph::query::{Answer, Query, run};
use atlas_syntax::{FileFacts, Language};
use atlas_testkit::Fixture;
use atlas_tree::RepoPath;
use std::collections::BTreeMap;
use std::sync::Arc;

pub type Extract = fn(&[u8], Language) -> Option<FileFacts>;

/// The graph of some files; those in another language are left out.
pub fn graph(files: &BTreeMap<String, Vec<u8>>, extract: Extract, semantics: &dyn Semantics) -> Graph {
    let (mut sources, mut configs) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        let path = RepoPath::new(path).expect("a path of a fixture is sound");
        if is_config(&path) {
            configs.push(ConfigFile { path: path.clone(), bytes: bytes.as_slice().into() });
        }
        let facts = Language::of(&path, bytes).and_then(|language| extract(bytes, language));
        if let Some(facts) = facts {
            sources.push(SourceFile { path, facts: Arc::new(facts) });
        }
    }
    link(Arc::new(Program::new(sources, configs)), &[semantics])
}

/// Asserts every mark of a fixture.
pub fn check(text: &str, extract: Extract, semantics: &dyn Semantics) {
    let fixture = Fixture::new(text);
    assert!(!fixture.marks.is_empty(), "a fixture without marks says nothing");
    let graph = graph(&fixture.files, extract, semantics);
    let mut wrong = Vec::new();
    for mark in &fixture.marks {
        let (relation, wanted) = mark.text.split_once(' ').unwrap_or((&mark.text, "none"));
        let column = mark.columns.start as u32 + 1;
        let mut found: Vec<String> = graph
            .edges()
            .iter()
            .filter(|edge| {
                edge.relation.as_str() == relation
                    && edge.line == mark.line
                    && edge.column == column
                    && graph.program.path(edge.file).as_str() == mark.path
            })
            .map(|edge| {
                let targets: Vec<String> = edge
                    .targets
                    .iter()
                    .map(|&target| {
                        let path = graph.file_of(target).map(|file| graph.program.path(file).to_string());
                        let name = match graph.program.def(target) {
                            Some(_) => graph.qualified_name(target),
                            None => String::new(),
                        };
                        format!("{}:{name}", path.unwrap_or_default())
                    })
                    .collect();
                format!("{} {}", targets.join(" | "), edge.confidence.as_str())
            })
            .collect();
        found.sort();
        found.dedup();
        let found = if found.is_empty() { "none".to_owned() } else { found.join(" & ") };
        if found != wanted {
            wrong.push(format!(
                "{}:{}:{column} `{}` {relation}\n  wanted {wanted}\n  found  {found}",
                mark.path, mark.line, mark.marked
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The answer to a query over a fixture.
pub fn ask(text: &str, query: &str, extract: Extract, semantics: &dyn Semantics) -> Answer {
    let fixture = Fixture::new(text);
    let graph = graph(&fixture.files, extract, semantics);
    run(&graph, &Query::parse(query).expect("a query of a test parses")).expect("a query of a test runs")
}

/// `path:line` of every EXTRACTED or INFERRED edge of an answer, sorted.
pub fn sites(answer: &Answer) -> Vec<String> {
    let mut sites: Vec<String> = answer
        .edges
        .iter()
        .filter(|edge| edge.confidence != "AMBIGUOUS")
        .map(|edge| format!("{}:{}", edge.site.path, edge.site.line))
        .collect();
    sites.sort();
    sites.dedup();
    sites
}

/// Runs the contract cases in a JSON text: every site must be found, no other may be.
pub fn contract_cases(json: &str, extract: Extract, semantics: &dyn Semantics) {
    let cases: serde_json::Value = serde_json::from_str(json).expect("the cases are JSON");
    for case in cases.as_array().expect("a list") {
        let files: BTreeMap<String, Vec<u8>> = case["files"]
            .as_object()
            .expect("files by path")
            .iter()
            .map(|(path, text)| (path.clone(), text.as_str().expect("text").as_bytes().to_vec()))
            .collect();
        let graph = graph(&files, extract, semantics);
        let answer =
            run(&graph, &Query::parse(case["query"].as_str().expect("text")).expect("a query")).expect("an answer");
        let found = sites(&answer);
        let name = &case["name"];
        for site in case["sites"].as_array().expect("a list") {
            assert!(found.contains(&site.as_str().expect("text").to_owned()), "{name}: {site} not among {found:?}");
        }
        for site in case["not_sites"].as_array().expect("a list") {
            assert!(!found.contains(&site.as_str().expect("text").to_owned()), "{name}: {site} among {found:?}");
        }
    }
}
