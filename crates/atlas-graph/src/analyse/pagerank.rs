//! PageRank (contract §4) and its personalised form, from which footprints are made (contract §5).
//!
//! A surfer at a node follows an arc with probability `damping`, chosen by weight, and otherwise
//! jumps. Where there is no arc to follow he jumps as well: evenly over all nodes in [`pagerank`],
//! to the seeds in [`personalised`], so that rank never leaks and always sums to 1.
//! Sums run in index order and use + − × ÷ alone: equal input gives equal bits everywhere.

use super::Csr;

/// More rounds than any damping below 0.97 needs for 1e-12; a bound, not a tuning knob.
const ROUNDS_MAX: usize = 1_000;

/// The PageRank of every node, summing to 1: arcs point from the one who refers to the one referred
/// to, so rank flows to what others rely on. Every entry is within `tolerance` (in total, L1) of the
/// exact solution.
#[must_use]
pub fn pagerank(graph: &Csr, damping: f64, tolerance: f64) -> Vec<f64> {
    let nodes = graph.nodes();
    let jump = vec![1.0 / nodes as f64; nodes];
    power(graph, &jump, damping, tolerance)
}

/// PageRank where every jump lands on a seed, by the seeds' weights. Sums to 1; all zeros when no
/// seed has a positive, finite weight. A node given twice counts with both weights, one outside the graph
/// not at all.
#[must_use]
pub fn personalised(graph: &Csr, seeds: &[(u32, f64)], damping: f64, tolerance: f64) -> Vec<f64> {
    let mut jump = vec![0.0; graph.nodes()];
    for &(node, weight) in seeds {
        if let Some(slot) = jump.get_mut(node as usize)
            && weight.is_finite()
            && weight > 0.0
        {
            *slot += weight;
        }
    }
    let total: f64 = jump.iter().sum();
    if total <= 0.0 || !total.is_finite() {
        return vec![0.0; graph.nodes()];
    }
    jump.iter_mut().for_each(|weight| *weight /= total);
    power(graph, &jump, damping, tolerance)
}

fn power(graph: &Csr, jump: &[f64], damping: f64, tolerance: f64) -> Vec<f64> {
    let nodes = graph.nodes();
    let strength: Vec<f64> = (0..nodes).map(|node| graph.strength(node) as f64).collect();
    let incoming = graph.transposed();
    // The distance to the solution is at most the last change × damping ÷ (1 − damping).
    let change_max = tolerance * (1.0 - damping) / damping;

    let mut rank = jump.to_vec();
    let mut next = vec![0.0; nodes];
    let mut per_weight = vec![0.0; nodes];
    for _ in 0..ROUNDS_MAX {
        let mut dangling = 0.0;
        for node in 0..nodes {
            if strength[node] > 0.0 {
                per_weight[node] = rank[node] / strength[node];
            } else {
                dangling += rank[node];
            }
        }
        let mut change = 0.0;
        for node in 0..nodes {
            let flow: f64 = incoming.row(node).map(|(source, weight)| per_weight[source] * weight as f64).sum();
            next[node] = (1.0 - damping) * jump[node] + damping * (flow + dangling * jump[node]);
            change += (next[node] - rank[node]).abs();
        }
        std::mem::swap(&mut rank, &mut next);
        if change < change_max.min(tolerance) {
            break;
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const D: f64 = 0.85;
    const TOL: f64 = 1e-9;

    fn close(got: &[f64], want: &[f64]) {
        assert_eq!(got.len(), want.len());
        let distance: f64 = got.iter().zip(want).map(|(a, b)| (a - b).abs()).sum();
        assert!(distance < TOL, "{got:?} against {want:?}");
    }

    /// Solves the linear system directly, by Gauss elimination.
    fn exact(graph: &Csr, jump: &[f64]) -> Vec<f64> {
        let n = graph.nodes();
        let mut rows = vec![vec![0.0; n + 1]; n];
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] = 1.0;
            row[n] = (1.0 - D) * jump[i];
        }
        for source in 0..n {
            let strength = graph.strength(source) as f64;
            if strength > 0.0 {
                for (target, weight) in graph.row(source) {
                    rows[target][source] -= D * weight as f64 / strength;
                }
            } else {
                for (target, row) in rows.iter_mut().enumerate() {
                    row[source] -= D * jump[target];
                }
            }
        }
        for pivot in 0..n {
            let best = (pivot..n).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs())).unwrap();
            rows.swap(pivot, best);
            let head = rows[pivot].clone();
            for (i, row) in rows.iter_mut().enumerate() {
                if i != pivot {
                    let factor = row[pivot] / head[pivot];
                    row.iter_mut().zip(&head).for_each(|(x, h)| *x -= factor * h);
                }
            }
        }
        (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
    }

    #[test]
    fn a_chain_with_a_dangling_end() {
        // x = rank of 0, y of 1: y = 0.15/2 + 0.85(x + y/2), x = 0.15/2 + 0.85·y/2.
        let x = (0.075 + 0.425) / (1.0 + 0.425);
        close(&pagerank(&Csr::directed(2, &[(0, 1, 3)]), D, TOL), &[x, 1.0 - x]);
    }

    #[test]
    fn nodes_that_look_alike_rank_alike() {
        close(&pagerank(&Csr::directed(4, &[]), D, TOL), &[0.25; 4]);
        close(&pagerank(&Csr::directed(3, &[(0, 1, 1), (1, 2, 5), (2, 0, 2)]), D, TOL), &[1.0 / 3.0; 3]);
        assert!(pagerank(&Csr::directed(0, &[]), D, TOL).is_empty());
    }

    #[test]
    fn seeds_hold_their_component() {
        let graph = Csr::undirected(5, &[(0, 1, 1), (1, 2, 1), (3, 4, 1)]);
        let rank = personalised(&graph, &[(0, 2.0)], D, TOL);
        assert_eq!((rank[3], rank[4]), (0.0, 0.0));
        assert!((rank.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let lone = personalised(&Csr::directed(2, &[]), &[(1, 0.3)], D, TOL);
        close(&lone, &[0.0, 1.0]);
    }

    #[test]
    fn without_a_usable_seed_there_is_no_rank() {
        let graph = Csr::directed(2, &[(0, 1, 1)]);
        for seeds in [&[][..], &[(0, 0.0)], &[(0, f64::NAN), (1, -1.0)], &[(9, 1.0)], &[(0, f64::INFINITY)]] {
            assert_eq!(personalised(&graph, seeds, D, TOL), [0.0, 0.0], "{seeds:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn ranks_solve_the_equations(
            n in 1usize..9,
            edges in prop::collection::vec((0u32..9, 0u32..9, 0u32..5), 0..30),
            seeds in prop::collection::vec((0u32..9, 0.1f64..3.0), 0..4),
        ) {
            let graph = Csr::directed(n, &edges);
            close(&pagerank(&graph, D, TOL), &exact(&graph, &vec![1.0 / n as f64; n]));
            let mut jump = vec![0.0; n];
            for &(node, weight) in seeds.iter().filter(|(node, _)| (*node as usize) < n) {
                jump[node as usize] += weight;
            }
            let total: f64 = jump.iter().sum();
            if total > 0.0 {
                jump.iter_mut().for_each(|x| *x /= total);
                close(&personalised(&graph, &seeds, D, TOL), &exact(&graph, &jump));
            }
            let mut turned = edges.clone();
            turned.reverse();
            prop_assert_eq!(pagerank(&graph, D, TOL), pagerank(&Csr::directed(n, &turned), D, TOL));
        }
    }
}
