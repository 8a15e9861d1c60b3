mod bindings;
mod cases;
mod data;
mod definitions;
#[path = "../../../atlas-lang-go/tests/it/harness.rs"]
mod harness;
mod hostile;
mod modules;
mod receivers;
mod references;
mod render;
mod roots;

use atlas_syntax::{FileFacts, Language};

fn facts(source: &str) -> FileFacts {
    atlas_lang_python::extract(source.as_bytes(), Language::Python).expect("the grammar loads")
}

/// Compares the edges of a fixture with its marks.
fn check(text: &str) {
    harness::check(text, atlas_lang_python::extract, &atlas_lang_python::PythonSemantics);
}

/// Sites of the confident edges that answer a query.
fn ask(text: &str, query: &str) -> Vec<String> {
    let answer = harness::ask(text, query, atlas_lang_python::extract, &atlas_lang_python::PythonSemantics);
    harness::sites(&answer)
}
