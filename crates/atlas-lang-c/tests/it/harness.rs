//! Links tiny repositories and compares edges with the marks in their text, or answers with sites.
//!
//! A mark `^^^^ ~ RELATION path:Qualified.name CONFIDENCE` below a line wants exactly these edges of that
//! relation at the marked column; candidates are joined by ` | `, and `RELATION none` wants no edge.

use atlas_graph::Graph;
use atlas_graph::link::{ConfigFile, Program, Semantics, SourceFile, is_config, link};
use atlas_graph::query::{Query, run};
use atlas_syntax::{FileFacts, Language};
use atlas_testkit::Fixture;
use atlas_tree::RepoPath;
use std::collections::BTreeMap;
use std::sync::Arc;

pub type Extract = fn(&[u8], Language) -> Option<FileFacts>;

/// What a crate under test gives.
#[derive(Clone, Copy)]
pub struct Subject {
    pub extract: Extract,
    pub semantics: &'static dyn Semantics,
}

impl Subject {
    /// The graph of some files; those in another language are left out.
    pub fn graph(self, files: &BTreeMap<String, Vec<u8>>) -> Graph {
        let (mut sources, mut configs) = (Vec::new(), Vec::new());
        for (path, bytes) in files {
            let path = RepoPath::new(path).expect("a path of a fixture is sound");
            if is_config(&path) {
                configs.push(ConfigFile { path: path.clone(), bytes: bytes.as_slice().into() });
            }
            let language = Language::of(&path, bytes);
            if let Some(facts) = language.and_then(|language| (self.extract)(bytes, language)) {
                sources.push(SourceFile { path, facts: Arc::new(facts) });
            }
        }
        link(Arc::new(Program::new(sources, configs)), &[self.semantics])
    }

    /// Asserts every mark of a fixture.
    pub fn check(self, text: &str) {
        let fixture = Fixture::new(text);
        assert!(!fixture.marks.is_empty(), "a fixture without marks says nothing");
        let graph = self.graph(&fixture.files);
        let mut wrong = Vec::new();
        for mark in &fixture.marks {
            let (relation, wanted) = mark.text.split_once(' ').unwrap_or((&mark.text, "none"));
            let column = mark.columns.start as u32 + 1;
            let mut found: Vec<String> = graph
                .edges()
                .iter()
                .filter(|edge| edge.relation.as_str() == relation && edge.line == mark.line && edge.column == column)
                .filter(|edge| graph.program.path(edge.file).as_str() == mark.path)
                .map(|edge| {
                    let targets: Vec<String> = edge.targets.iter().map(|&target| named(&graph, target)).collect();
                    format!("{} {}", targets.join(" | "), edge.confidence.as_str())
                })
                .collect();
            found.sort();
            found.dedup();
            let found = if found.is_empty() { "none".to_owned() } else { found.join(" & ") };
            if found != wanted {
                let at = format!("{}:{}:{column} `{}` {relation}", mark.path, mark.line, mark.marked);
                wrong.push(format!("{at}\n  wanted {wanted}\n  found  {found}"));
            }
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    /// `path:line` of the confident edges that answer a query, sorted.
    pub fn sites(self, files: &BTreeMap<String, Vec<u8>>, query: &str) -> Vec<String> {
        let query = Query::parse(query).expect("a query of a test parses");
        let answer = run(&self.graph(files), &query).expect("a query of a test runs");
        let confident = answer.edges.iter().filter(|edge| edge.confidence != "AMBIGUOUS");
        let mut sites: Vec<String> = confident.map(|edge| format!("{}:{}", edge.site.path, edge.site.line)).collect();
        sites.sort();
        sites.dedup();
        sites
    }

    /// As [`Subject::sites`], over a fixture.
    pub fn ask(self, text: &str, query: &str) -> Vec<String> {
        self.sites(&Fixture::new(text).files, query)
    }

    /// Runs contract cases: every site must be found, no forbidden one may be.
    pub fn contract_cases(self, json: &str) {
        let cases: serde_json::Value = serde_json::from_str(json).expect("the cases are JSON");
        for case in cases.as_array().expect("a list") {
            let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
            let files = case["files"].as_object().expect("files by path");
            let files = files.iter().map(|(path, body)| (path.clone(), text(body).into_bytes())).collect();
            let found = self.sites(&files, case["query"].as_str().expect("a text"));
            let name = &case["name"];
            for site in case["sites"].as_array().expect("a list").iter().map(text) {
                assert!(found.contains(&site), "{name}: {site} is not among {found:?}");
            }
            for site in case["not_sites"].as_array().expect("a list").iter().map(text) {
                assert!(!found.contains(&site), "{name}: {site} is among {found:?}");
            }
        }
    }
}

fn named(graph: &Graph, target: u32) -> String {
    if let Some(table) = graph.table(target) {
        return format!("table {}", table.name);
    }
    let path = graph.file_of(target).map(|file| graph.program.path(file).to_string()).unwrap_or_default();
    match graph.program.def(target) {
        Some(_) => format!("{path}:{}", graph.qualified_name(target)),
        None => path,
    }
}
