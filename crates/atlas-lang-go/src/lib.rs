//! Go: facts of one file, and how names resolve over many (contract §4, §8).
//!
//! [`extract`] reads a file; [`GoSemantics`] knows modules, packages, method sets and what the
//! predeclared names mean. What is deliberately *not* here: the resolution of expressions, which all
//! languages share (`atlas-graph`).

mod extract;
mod semantics;

use atlas_syntax::{FileFacts, Language};

pub use semantics::GoSemantics;

/// What this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Go];

/// The facts of one Go file; `None` for another language.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    if language != Language::Go {
        return None;
    }
    let grammar = tree_sitter_go::LANGUAGE.into();
    atlas_syntax::extract(source, language, &grammar, &mut extract::GoExtractor::new())
}
