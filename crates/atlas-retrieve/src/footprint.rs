//! Where a question lives: its best files, and what the graph puts near them (contract §5).

use crate::index::RetrievalIndex;
use crate::question::Evidence;
use crate::rank::search;
use atlas_graph::Graph;
use atlas_graph::analyse::{Csr, personalised};
use atlas_graph::link::FileId;

/// Best files that spread weight over the graph.
const SEEDS: usize = 24;
/// Parts of a footprint below this share of the whole are dropped.
const FOOTPRINT_MIN: f64 = 0.002;

/// Weight on files, summing to 1; empty if nothing was retrieved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Footprint(pub Vec<(FileId, f64)>);

/// Where a question lives. `edges` are confident file edges; they are walked in both directions.
#[must_use]
pub fn footprint(
    graph: &Graph,
    index: &RetrievalIndex,
    evidence: &Evidence,
    edges: &[(FileId, FileId, u32)],
    counts: impl Fn(FileId) -> bool,
) -> Footprint {
    let ranking = search(graph, index, evidence);
    let mut seeds: Vec<(FileId, f64)> =
        ranking.files.iter().filter(|f| counts(f.file)).take(SEEDS).map(|f| (f.file, f.score)).collect();
    let Some(&(_, best)) = seeds.first() else { return Footprint::default() };
    // The power keeps the best few decisive; a long tail of weak matches is no footprint.
    for (_, weight) in &mut seeds {
        let share = *weight / best;
        *weight = share * share * share;
    }
    seeds.sort_by_key(|&(file, _)| file);
    let csr = Csr::undirected(graph.program.files().len(), edges);
    let spread = personalised(&csr, &seeds, 0.5, 1e-9);
    let total: f64 = spread.iter().sum();
    if total <= 0.0 {
        return Footprint::default();
    }
    let mut weights: Vec<(FileId, f64)> = spread
        .iter()
        .enumerate()
        .map(|(file, weight)| (file as FileId, weight / total))
        .filter(|&(file, weight)| weight >= FOOTPRINT_MIN && counts(file))
        .collect();
    let kept: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    if kept <= 0.0 {
        return Footprint::default();
    }
    for (_, weight) in &mut weights {
        *weight /= kept;
    }
    Footprint(weights)
}
