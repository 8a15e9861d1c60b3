//! A question in; the files and symbols that it is about out, and footprints over the surface
//! (contract §5, §11).
//!
//! One index at two grains: symbols (functions, types, constants) and files. Ranking is fielded
//! BM25 in which the fields share one saturation, so that a word in a name and in a body counts
//! once and not twice; then what the question names outright, and what the graph puts near it. What
//! is deliberately *not* here: models, and reading a file.

mod footprint;
mod index;
mod math;
mod named;
mod near;
mod patterns;
mod question;
mod rank;
mod score;
mod terms;
mod weights;
mod zones;

pub use footprint::{Footprint, footprint};
pub use index::{Doc, FileKind, RetrievalIndex};
pub use question::{Evidence, Relation, Zones, analyse};
pub use rank::{RankedFile, RankedSymbol, Ranking, Signals, search, search_seen, search_with};
pub use terms::{Word, each_word, is_keyword, is_stop_word, root, split_identifier, stem, words};
pub use weights::Weights;
pub use zones::{Frame, Zone};
