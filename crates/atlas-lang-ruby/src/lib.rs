//! Ruby: the facts of one file, and how its names resolve (contract §4, §8).
//!
//! [`extract`] is pure. What is deliberately *not* here: running anything, installed gems, and what
//! only a run could tell (`define_method` with a computed name, `eval`, `method_missing`).

mod extract;
mod semantics;

pub use extract::extract;
pub use semantics::RubySemantics;

use atlas_syntax::Language;

/// The class or module whose body this is, as an object; no source can spell it.
const OWN_CLASS: &str = "#class";

/// The languages that this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Ruby];
