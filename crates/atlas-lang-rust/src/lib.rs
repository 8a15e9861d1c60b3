//! Rust: facts of one file, and how names resolve over many (contract §4, §8).
//!
//! [`extract`] reads a file; [`RustSemantics`] knows crates, modules, preludes and what the standard
//! library's wrappers hold. What is deliberately *not* here: the resolution of expressions, which all
//! languages share (`atlas-graph`), and macro expansion: what a macro makes of its input is unknown,
//! but calls written in its arguments count.

mod extract;
mod semantics;
mod unwrap;

use atlas_syntax::{FileFacts, Language};

pub use semantics::RustSemantics;

/// What this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Rust];

/// The facts of one Rust file; `None` for another language.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    if language != Language::Rust {
        return None;
    }
    let grammar = tree_sitter_rust::LANGUAGE.into();
    let Some((text, unwrapped)) = unwrap::unwrap(source, &grammar) else {
        return atlas_syntax::extract(source, language, &grammar, &mut extract::RustExtractor::new(Vec::new()));
    };
    let mut extractor = extract::RustExtractor::new(unwrap::left_out(&unwrapped));
    let mut facts = atlas_syntax::extract(&text, language, &grammar, &mut extractor)?;
    unwrap::add_calls(&mut facts, &unwrapped);
    Some(facts)
}
