//! What stands next to what: the graph as retrieval walks it.
//!
//! Only confident links count, in both directions: who calls the place that is asked for is as near
//! as what it calls. Deliberately *not* here: centrality of the whole graph, which says what is used
//! much and not what is meant.

use atlas_graph::Graph;
use atlas_graph::Relation;
use rustc_hash::FxHashMap;

/// For each document, the documents that it is linked with.
#[derive(Debug, Default)]
pub(crate) struct Near {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Near {
    /// Links between the documents of `doc_of` nodes; a node without one counts as its container's.
    pub(crate) fn new(docs: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.retain(|(a, b)| a != b);
        let back: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        pairs.extend(back);
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; docs + 1];
        for &(from, _) in &pairs {
            starts[from as usize + 1] += 1;
        }
        for at in 0..docs {
            starts[at + 1] += starts[at];
        }
        Self { starts, targets: pairs.into_iter().map(|(_, to)| to).collect() }
    }

    pub(crate) fn of(&self, doc: u32) -> &[u32] {
        let (from, to) = (self.starts[doc as usize] as usize, self.starts[doc as usize + 1] as usize);
        &self.targets[from..to]
    }

    /// One step: what each document gives its neighbours. One with many neighbours gives each little,
    /// and one that everything is linked with takes little from each.
    pub(crate) fn step(&self, weights: &[f64], damp: f64) -> Vec<f64> {
        let spread = |doc: usize| (f64::from(self.starts[doc + 1] - self.starts[doc]) + damp).sqrt();
        let mut out = vec![0.0; weights.len()];
        for (doc, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                let share = weight / spread(doc);
                for &other in self.of(doc as u32) {
                    out[other as usize] += share;
                }
            }
        }
        for (doc, sum) in out.iter_mut().enumerate() {
            if *sum > 0.0 {
                *sum /= spread(doc);
            }
        }
        out
    }
}

/// Confident links as pairs of documents; files by their rests.
pub(crate) fn pairs(graph: &Graph, doc_of: &FxHashMap<u32, u32>) -> Vec<(u32, u32)> {
    let doc = |node: u32| {
        let mut at = node;
        loop {
            if let Some(&doc) = doc_of.get(&at) {
                return Some(doc);
            }
            at = graph.program.container(at)?;
        }
    };
    let mut out = Vec::new();
    for edge in graph.edges() {
        if !edge.confidence.is_confident() || edge.relation == Relation::Test {
            continue;
        }
        if graph.file_of(edge.targets[0]).is_none() {
            continue;
        }
        if let (Some(from), Some(to)) = (doc(edge.source), doc(edge.targets[0])) {
            out.push((from, to));
        }
    }
    out
}
