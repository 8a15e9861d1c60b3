//! Many files' facts in; one graph with confidence out, and what can be read from it.
//!
//! [`link`] resolves references by each language's own rules, [`graph`] holds the result in
//! compressed rows, [`query`] answers the verbs of contract §8, [`analyse`] ranks and groups.
//! What is deliberately *not* here: parsing, and any file.

pub mod analyse;
pub mod graph;
pub mod link;
pub mod query;

pub use graph::{Confidence, Derived, Edge, Graph, Parts, Place, Relation, Table, Unresolved};
