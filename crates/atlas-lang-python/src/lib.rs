//! Python: the facts of one file, stubs included, and how its names resolve (contract §4, §8).
//!
//! [`extract`] is pure. What is deliberately *not* here: running anything, installed packages, and
//! what only a run could tell (`setattr`, `exec`, import hooks).

mod extract;
mod semantics;

pub use extract::extract;
pub use semantics::PythonSemantics;

use atlas_syntax::Language;

/// Before the name of a fixture of pytest, as extraction binds it and resolution finds it.
const FIXTURE: &str = "fixture ";

/// The languages that this crate reads.
pub const LANGUAGES: &[Language] = &[Language::Python];
