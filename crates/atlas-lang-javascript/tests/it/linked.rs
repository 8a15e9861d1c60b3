//! A tiny repository in one string, linked; and what a query over it answers.

use atlas_graph::Graph;
use atlas_graph::link::{ConfigFile, Program, SourceFile, is_config, link};
use atlas_graph::query::{Query, run};
use atlas_lang_javascript::{JavaScriptSemantics, extract};
use atlas_syntax::Language;
use atlas_tree::RepoPath;
use std::sync::Arc;

/// Links the files of this family among `files`.
pub fn graph(files: &[(&str, &str)]) -> Graph {
    let (mut sources, mut configs) = (Vec::new(), Vec::new());
    for (path, text) in files {
        let path = RepoPath::new(path).unwrap();
        if is_config(&path) {
            configs.push(ConfigFile { path: path.clone(), bytes: text.as_bytes().into() });
        }
        if let Some(language) = Language::of(&path, text.as_bytes())
            && let Some(facts) = extract(text.as_bytes(), language)
        {
            sources.push(SourceFile { path, facts: Arc::new(facts) });
        }
    }
    link(Arc::new(Program::new(sources, configs)), &[&JavaScriptSemantics])
}

/// Parts a fixture: `=== path` lines head the files.
pub fn files(fixture: &str) -> Vec<(&str, String)> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in fixture.lines() {
        if let Some(path) = line.strip_prefix("=== ") {
            files.push((path, String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    files
}

/// The answer to a query, one `path:line CONFIDENCE` a row.
pub fn ask(fixture: &str, query: &str) -> Vec<String> {
    let files = files(fixture);
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let graph = graph(&files);
    let answer = run(&graph, &Query::parse(query).unwrap()).unwrap();
    answer.edges.iter().map(|row| format!("{}:{} {}", row.site.path, row.site.line, row.confidence)).collect()
}

#[track_caller]
pub fn check(fixture: &str, query: &str, expected: &[&str]) {
    assert_eq!(ask(fixture, query), expected, "{query}");
}
