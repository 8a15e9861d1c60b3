//! PHP: the facts of one file, and how its names resolve (contract §4, §8).
//!
//! [`extract`] is pure. What is deliberately *not* here: running anything, packages under `vendor`, and
//! what only a run could tell (`__call`, containers, names computed at run time).

mod extract;
mod semantics;

pub use extract::extract;
pub use semantics::PhpSemantics;

use atlas_syntax::Language;

/// The languages that this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Php];
