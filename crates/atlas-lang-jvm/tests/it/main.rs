//! Tests of the JVM crate.

mod cases;
#[path = "../../../atlas-lang-c/tests/it/harness.rs"]
mod harness;
mod hostile;
mod java_facts;
mod java_links;
mod java_roots;

use atlas_lang_jvm::JvmSemantics;
use harness::Subject;

const JVM: Subject = Subject { extract: atlas_lang_jvm::extract, semantics: &JvmSemantics };

/// Asserts the marks of a fixture.
fn check(text: &str) {
    JVM.check(text);
}

/// All facts of a file with this extension, as text.
fn facts(source: &str, extension: &str) -> String {
    let path = atlas_tree::RepoPath::new(format!("a.{extension}")).expect("a plain name");
    let language = atlas_syntax::Language::of(&path, source.as_bytes()).expect("a known extension");
    atlas_syntax::dump(&atlas_lang_jvm::extract(source.as_bytes(), language).expect("the grammar loads"))
}

/// The facts that speak of roots and tables alone.
fn roots_and_tables(source: &str, extension: &str) -> String {
    let wanted = ["root", "table", "reads", "writes"];
    let all = facts(source, extension);
    all.lines().filter(|line| wanted.iter().any(|word| line.starts_with(word))).collect::<Vec<_>>().join("\n")
}
