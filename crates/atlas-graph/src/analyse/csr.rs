//! A weighted graph in compressed sparse rows, the form that every analysis reads.
//!
//! Deliberately *not* here: edge kinds; whoever has kinds filters first.

/// Nodes `0..n` and for each of them its neighbours in ascending order, each once, with a
/// positive weight. Loops are not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr {
    /// Row `i` is `offsets[i]..offsets[i + 1]` of the other two.
    offsets: Vec<usize>,
    targets: Vec<u32>,
    weights: Vec<u64>,
}

impl Csr {
    /// The graph of `(from, to, weight)`; parallel edges are summed. Loops, edges of weight 0 and
    /// edges with an end outside `0..nodes` are left out. The order of `edges` does not matter.
    #[must_use]
    pub fn directed(nodes: usize, edges: &[(u32, u32, u32)]) -> Self {
        Self::from_arcs(nodes, edges.iter().copied())
    }

    /// As [`Csr::directed`], every edge seen from both of its ends, weights of both directions summed.
    #[must_use]
    pub fn undirected(nodes: usize, edges: &[(u32, u32, u32)]) -> Self {
        Self::from_arcs(nodes, edges.iter().flat_map(|&(a, b, weight)| [(a, b, weight), (b, a, weight)]))
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbours of a node with their weights, ascending by neighbour.
    pub fn row(&self, node: usize) -> impl ExactSizeIterator<Item = (usize, u64)> + '_ {
        let range = self.offsets[node]..self.offsets[node + 1];
        self.targets[range.clone()].iter().zip(&self.weights[range]).map(|(&target, &weight)| (target as usize, weight))
    }

    /// Total weight of a node's row.
    #[must_use]
    pub fn strength(&self, node: usize) -> u64 {
        self.weights[self.offsets[node]..self.offsets[node + 1]].iter().sum()
    }

    /// The same graph with every arc turned round.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let nodes = self.nodes();
        let mut offsets = vec![0; nodes + 1];
        for &target in &self.targets {
            offsets[target as usize + 1] += 1;
        }
        for node in 0..nodes {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        let mut weights = vec![0; self.targets.len()];
        for source in 0..nodes {
            for (target, weight) in self.row(source) {
                targets[next[target]] = source as u32;
                weights[next[target]] = weight;
                next[target] += 1;
            }
        }
        Self { offsets, targets, weights }
    }

    /// Rows given one after the other, each ascending and without loops.
    pub(super) fn from_rows(rows: impl Iterator<Item = Vec<(u32, u64)>>) -> Self {
        let mut graph = Self { offsets: vec![0], targets: Vec::new(), weights: Vec::new() };
        for row in rows {
            for (target, weight) in row {
                graph.targets.push(target);
                graph.weights.push(weight);
            }
            graph.offsets.push(graph.targets.len());
        }
        graph
    }

    fn from_arcs(nodes: usize, arcs: impl Iterator<Item = (u32, u32, u32)> + Clone) -> Self {
        let inside =
            |&(a, b, weight): &(u32, u32, u32)| a != b && weight > 0 && (a as usize) < nodes && (b as usize) < nodes;
        let mut starts = vec![0; nodes + 1];
        for (from, ..) in arcs.clone().filter(inside) {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut slots = vec![(0, 0); starts[nodes]];
        for (from, to, weight) in arcs.filter(inside) {
            slots[next[from as usize]] = (to, u64::from(weight));
            next[from as usize] += 1;
        }
        Self::from_rows((0..nodes).map(|node| {
            let row = &mut slots[starts[node]..starts[node + 1]];
            row.sort_unstable();
            let mut merged: Vec<(u32, u64)> = Vec::with_capacity(row.len());
            for &mut (target, weight) in row {
                match merged.last_mut() {
                    Some(last) if last.0 == target => last.1 += weight,
                    _ => merged.push((target, weight)),
                }
            }
            merged
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(graph: &Csr) -> Vec<Vec<(usize, u64)>> {
        (0..graph.nodes()).map(|node| graph.row(node).collect()).collect()
    }

    #[test]
    fn parallel_edges_are_summed_and_what_is_no_edge_is_left_out() {
        let edges = [(2, 0, 1), (0, 1, 2), (0, 1, 3), (1, 1, 9), (0, 7, 1), (1, 0, 0), (0, 2, 4)];
        let graph = Csr::directed(3, &edges);
        assert_eq!(rows(&graph), [vec![(1, 5), (2, 4)], vec![], vec![(0, 1)]]);
        assert_eq!(graph.strength(0), 9);
        assert_eq!(rows(&graph.transposed()), [vec![(2, 1)], vec![(0, 5)], vec![(0, 4)]]);
        assert_eq!(rows(&Csr::undirected(3, &edges)), [vec![(1, 5), (2, 5)], vec![(0, 5)], vec![(0, 5)]]);
    }

    #[test]
    fn an_empty_graph_has_no_rows() {
        assert_eq!(Csr::directed(0, &[(0, 0, 1)]).nodes(), 0);
    }

    #[test]
    fn weights_do_not_overflow_32_bits() {
        let edges = [(0, 1, u32::MAX), (0, 1, u32::MAX)];
        assert_eq!(Csr::directed(2, &edges).strength(0), 2 * u64::from(u32::MAX));
    }
}
