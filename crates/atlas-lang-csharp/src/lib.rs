//! C#: the facts of one file, and how its names resolve (contract §4, §8).
//!
//! [`extract`] is pure. What is deliberately *not* here: assemblies and packages outside the tree, source
//! generators, and the choice between branches of `#if`: all are read where the grammar can take them, else
//! the first of each.

mod extract;
mod semantics;

pub use extract::extract;
pub use semantics::CSharpSemantics;

use atlas_syntax::Language;

/// The languages that this crate reads.
pub const LANGUAGES: &[Language] = &[Language::CSharp];

/// What names that stand where only a type can be meant begin with in the facts: a property may bear the
/// name of another type, and types that differ in their number of parameters alone share a name
/// (`:List` and `:List`1`). No source can spell them.
const TYPE_MARK: char = ':';

/// The position of an extension method's receiver among its parameters.
const RECEIVER: u16 = u16::MAX;
