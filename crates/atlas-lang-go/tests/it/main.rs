//! Tests of the Go crate.

mod cases;
mod facts;
mod harness;
mod hostile;
mod packages;
mod receivers;

/// Asserts the marks of a Go fixture.
fn check(text: &str) {
    harness::check(text, atlas_lang_go::extract, &atlas_lang_go::GoSemantics);
}

/// The confident sites of an answer over a Go fixture.
fn ask(text: &str, query: &str) -> Vec<String> {
    harness::sites(&harness::ask(text, query, atlas_lang_go::extract, &atlas_lang_go::GoSemantics))
}
