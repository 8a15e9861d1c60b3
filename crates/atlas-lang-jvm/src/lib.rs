//! Java, read with tree-sitter and linked by the rules of the JVM's package system (contract §4).
//!
//! What is deliberately *not* here: reading class files or jars. A type that no source of the tree
//! declares is an outside type, known by its name alone.

mod java;
mod rules;

pub use rules::JvmSemantics;

use atlas_syntax::{FileFacts, Language};

/// What this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Java];

/// The facts of one file. None if the language is not one of [`LANGUAGES`].
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    match language {
        Language::Java => java::extract(source),
        _ => None,
    }
}
