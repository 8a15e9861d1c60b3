//! C and C++, read with tree-sitter and linked by declarations, includes and namespaces (contract §4).
//!
//! What is deliberately *not* here: a preprocessor. Conditional groups and macros are read as they
//! are written; where they would keep a file from parsing, `tidy` blanks what stands in the way,
//! byte for byte, so that every line and column stays true.

mod extract;
mod rules;
mod tidy;

pub use rules::CSemantics;

use atlas_syntax::{FileFacts, Language};

/// What this crate reads.
pub const LANGUAGES: &[Language] = &[Language::C, Language::Cpp];

/// The facts of one file. None if the language is not one of [`LANGUAGES`].
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    match language {
        Language::C | Language::Cpp => extract::extract(source, language),
        _ => None,
    }
}
