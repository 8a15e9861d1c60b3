//! Whole-graph analyses over plain slices: centrality (contract §4) and communities (contract §6).
//!
//! Everything here is a pure function of nodes `0..n` and weighted edges; the caller decides what
//! a node is and which edges count (the contract: files, confident edges alone). The results are
//! the same on every platform and for any thread count, because there are no threads, no clock
//! and no randomness that is not fixed, and nothing but + − × ÷ decides an order.
//! Deliberately *not* here: paths, relations, confidence, the merge to five clusters.

mod csr;
mod leiden;
mod pagerank;

pub use csr::Csr;
pub use leiden::{communities, modularity};
pub use pagerank::{pagerank, personalised};
