mod data;
mod definitions;
#[path = "../../../atlas-lang-go/tests/it/harness.rs"]
mod harness;
mod hostile;
mod references;
#[path = "../../../atlas-lang-python/tests/it/render.rs"]
mod render;
mod resolution;
mod roots;

use atlas_syntax::{FileFacts, Language};

fn facts(source: &str) -> FileFacts {
    atlas_lang_ruby::extract(source.as_bytes(), Language::Ruby).expect("the grammar loads")
}

/// Compares the edges of a fixture with its marks.
fn check(text: &str) {
    harness::check(text, atlas_lang_ruby::extract, &atlas_lang_ruby::RubySemantics);
}

/// Sites of the confident edges that answer a query.
fn ask(text: &str, query: &str) -> Vec<String> {
    harness::sites(&harness::ask(text, query, atlas_lang_ruby::extract, &atlas_lang_ruby::RubySemantics))
}
