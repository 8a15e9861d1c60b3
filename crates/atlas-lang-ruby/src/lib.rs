//! Ruby: the facts of one file, and how its names resolve (contract §4, §8).
//!
//! [`extract`] is pure. What is deliberately *not* here: running anything, installed gems, and what
//! only a run could tell (`define_method` with a computed name, `eval`, `method_missing`).

mod extract;

pub use extract::extract;

use atlas_syntax::Language;

/// The languages that this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Ruby];
