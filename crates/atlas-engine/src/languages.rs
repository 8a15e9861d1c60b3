//! The languages that this build knows: who extracts facts, who resolves names.

use atlas_graph::link::Semantics;
use atlas_syntax::{Family, FileFacts, Language};
use atlas_tree::RepoPath;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a file gave no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFacts {
    /// No grammar of this build reads the language.
    NoGrammar,
    /// The extractor failed: our mistake, which costs this file alone.
    Failed,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The facts of one file. A mistake in an extractor costs its own file and no other.
///
/// # Errors
/// [`NoFacts`].
pub fn extract(source: &[u8], language: Language) -> Result<FileFacts, NoFacts> {
    type Extract = fn(&[u8], Language) -> Option<FileFacts>;
    let extract: Extract = match language {
        Language::C | Language::Cpp => atlas_lang_c::extract,
        Language::CSharp => atlas_lang_csharp::extract,
        Language::Go => atlas_lang_go::extract,
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => {
            atlas_lang_javascript::extract
        }
        Language::Java => atlas_lang_jvm::extract,
        Language::Php => atlas_lang_php::extract,
        Language::Python => atlas_lang_python::extract,
        Language::Ruby => atlas_lang_ruby::extract,
        Language::Rust => atlas_lang_rust::extract,
        Language::Bash
        | Language::Css
        | Language::Elixir
        | Language::Html
        | Language::Json
        | Language::Kotlin
        | Language::Lua
        | Language::Markdown
        | Language::Scala
        | Language::Sql
        | Language::Swift
        | Language::Toml
        | Language::Yaml => return Err(NoFacts::NoGrammar),
    };
    // The mark takes no line, and grammars stumble over it.
    let source = source.strip_prefix(BOM).unwrap_or(source);
    match catch_unwind(AssertUnwindSafe(|| extract(source, language))) {
        Ok(Some(facts)) => Ok(facts),
        Ok(None) | Err(_) => Err(NoFacts::Failed),
    }
}

/// Adds what a file's path says beside its bytes: routes by place. Facts are cached by content, so that
/// this comes after the cache.
pub fn complete(path: &RepoPath, facts: &mut FileFacts) {
    if facts.language.family() == Family::JavaScript {
        atlas_lang_javascript::complete_roots(path, facts);
    }
}

/// How names resolve, one per family.
#[must_use]
pub fn semantics() -> Vec<&'static dyn Semantics> {
    vec![
        &atlas_lang_c::CSemantics,
        &atlas_lang_csharp::CSharpSemantics,
        &atlas_lang_go::GoSemantics,
        &atlas_lang_javascript::JavaScriptSemantics,
        &atlas_lang_jvm::JvmSemantics,
        &atlas_lang_php::PhpSemantics,
        &atlas_lang_python::PythonSemantics,
        &atlas_lang_ruby::RubySemantics,
        &atlas_lang_rust::RustSemantics,
    ]
}
