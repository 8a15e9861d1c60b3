//! Tests of the Rust crate.

mod cases;
mod facts;
#[path = "../../../atlas-lang-go/tests/it/harness.rs"]
mod harness;
mod hostile;
mod modules;
mod receivers;
mod traits;

/// Asserts the marks of a Rust fixture.
fn check(text: &str) {
    harness::check(text, atlas_lang_rust::extract, &atlas_lang_rust::RustSemantics);
}

/// The confident sites of an answer over a Rust fixture.
fn ask(text: &str, query: &str) -> Vec<String> {
    harness::sites(&harness::ask(text, query, atlas_lang_rust::extract, &atlas_lang_rust::RustSemantics))
}
