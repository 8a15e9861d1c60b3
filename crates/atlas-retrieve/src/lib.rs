//! A question in; the files and symbols that it is about out, and footprints over the surface.
//!
//! One index at two grains: symbols (functions, types, constants) and files. Ranking is fielded
//! BM25 in which the fields share one saturation, so that a word in a name and in a body counts
//! once and not twice; then weight spreads over the graph from what matched. What is deliberately
//! *not* here: models, and reading a file.

mod index;
mod math;
mod question;
mod rank;
mod terms;

pub use index::{Doc, RetrievalIndex};
pub use question::{Evidence, Relation, analyse};
pub use rank::{Footprint, RankedFile, RankedSymbol, Ranking, footprint, search};
pub use terms::{is_stop_word, split_identifier, stem, words};
