//! One file in; its facts out: definitions, references, imports, inheritance, bindings that can
//! type a receiver, and what did not parse.
//!
//! [`FileFacts`] is a pure function of (bytes, language, [`EXTRACTOR_VERSION`]); it is cached by
//! content. A language crate implements [`Extractor`] over a tree-sitter tree; the traversal, the
//! definition stack, parse errors and retrieval terms are handled here once, without recursion, so
//! that nesting of any depth is harmless. What is deliberately *not* here: grammars (each lives in
//! its language's crate) and anything that looks at a second file (`atlas-graph`).

mod builder;
mod doc;
mod dump;
mod facts;
mod language;
mod locals;
pub mod sql;
mod walk;

pub use builder::{Builder, DefSpec, column_of, end_line_of, line_of};
pub use doc::DocComments;
pub use dump::{dump, dump_expr, dump_type};
pub use facts::*;
pub use language::{Family, Language};
pub use locals::{FrameKind, Locals};
pub use walk::{Extractor, Visit, extract, node_text};

/// Part of the cache key: raise it whenever any extractor gives other facts for the same bytes.
pub const EXTRACTOR_VERSION: u32 = 2;
