//! Who reads which language, and how its names resolve.

use atlas_graph::link::Semantics;
use atlas_syntax::{FileFacts, Language};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The facts of one file; none if no grammar reads it, or if an extractor fails.
pub fn extract(bytes: &[u8], language: Language) -> Option<FileFacts> {
    let extract = match language {
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
        _ => return None,
    };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    catch_unwind(AssertUnwindSafe(|| extract(bytes, language))).ok().flatten()
}

/// One of each family.
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
