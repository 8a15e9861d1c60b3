mod cases;
mod definitions;
#[path = "../../../atlas-lang-go/tests/it/harness.rs"]
mod harness;
mod hostile;
mod resolution;
mod roots;

use atlas_syntax::{FileFacts, Language};

fn facts(source: &str) -> FileFacts {
    atlas_lang_csharp::extract(source.as_bytes(), Language::CSharp).expect("the grammar loads")
}

/// The facts that start with one of these words, as text.
fn said(source: &str, words: &[&str]) -> String {
    let all = atlas_syntax::dump(&facts(source));
    all.lines().filter(|line| words.iter().any(|word| line.starts_with(word))).collect::<Vec<_>>().join("\n")
}

/// Compares the edges of a fixture with its marks.
fn check(text: &str) {
    harness::check(text, atlas_lang_csharp::extract, &atlas_lang_csharp::CSharpSemantics);
}

/// Sites of the confident edges that answer a query.
fn ask(text: &str, query: &str) -> Vec<String> {
    harness::sites(&harness::ask(text, query, atlas_lang_csharp::extract, &atlas_lang_csharp::CSharpSemantics))
}
