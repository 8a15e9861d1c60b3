use super::*;
use proptest::prelude::*;

/// Modularity as the textbook writes it, over pairs of nodes.
fn plain_modularity(n: usize, edges: &[(u32, u32, u32)], community: &[u32]) -> f64 {
    let mut a = vec![vec![0.0; n]; n];
    for &(x, y, w) in edges.iter().filter(|(x, y, _)| x != y) {
        a[x as usize][y as usize] += f64::from(w);
        a[y as usize][x as usize] += f64::from(w);
    }
    let k: Vec<f64> = a.iter().map(|row| row.iter().sum()).collect();
    let total: f64 = k.iter().sum();
    let mut q = 0.0;
    for i in 0..n {
        for j in 0..n {
            if community[i] == community[j] {
                q += a[i][j] / total - k[i] * k[j] / (total * total);
            }
        }
    }
    q
}

/// Every partition of `n` nodes, labels numbered by first node.
fn partitions(n: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|labels: Vec<u32>| {
                let next = labels.iter().max().map_or(0, |max| max + 1);
                (0..=next).map(move |label| [&labels[..], &[label]].concat())
            })
            .collect();
    }
    all
}

fn of(n: usize, edges: &[(u32, u32, u32)]) -> Vec<u32> {
    communities(&Csr::undirected(n, edges))
}

#[test]
fn two_triangles_joined_by_an_edge_are_two_communities() {
    let edges = [(0, 1, 1), (1, 2, 1), (2, 0, 1), (3, 4, 1), (4, 5, 1), (5, 3, 1), (2, 3, 1)];
    assert_eq!(of(6, &edges), [0, 0, 0, 1, 1, 1]);
    let q = modularity(&Csr::undirected(6, &edges), &[0, 0, 0, 1, 1, 1]);
    assert!((q - 5.0 / 14.0).abs() < 1e-15, "{q}");
}

#[test]
fn without_edges_every_node_is_alone() {
    assert_eq!(of(3, &[]), [0, 1, 2]);
    assert_eq!(of(0, &[]), [0; 0]);
    assert_eq!(modularity(&Csr::undirected(3, &[]), &[0, 0, 0]), 0.0);
}

#[test]
fn weights_beyond_32_bits_do_not_overflow() {
    let edges: Vec<_> = (0..40_u32).map(|i| (i % 8, (i * 3 + 1) % 8, u32::MAX)).collect();
    let found = of(8, &edges);
    assert!(modularity(&Csr::undirected(8, &edges), &found).is_finite());
}

#[test]
fn the_best_partition_of_every_graph_of_four_nodes_is_found() {
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let candidates = partitions(4);
    for code in 0..3_u32.pow(6) {
        let edges: Vec<_> =
            pairs.iter().enumerate().map(|(i, &(a, b))| (a, b, code / 3_u32.pow(i as u32) % 3)).collect();
        let graph = Csr::undirected(4, &edges);
        let best = candidates.iter().map(|labels| quality(&graph, labels)).max().unwrap();
        assert_eq!(quality(&graph, &communities(&graph)), best, "{edges:?}");
    }
}

/// A golden partition: an unintended change of order, ties or shuffles shows here.
#[test]
fn a_graph_without_clear_structure_always_gives_this_partition() {
    let edges: Vec<_> = (1..60_u32).flat_map(|i| [(i, i * i % 59, 1), (i, i * 7 % 60, 2)]).collect();
    let found = of(60, &edges);
    let digest = found.iter().fold(0_u64, |hash, &label| (hash ^ u64::from(label)).wrapping_mul(0x0100_0000_01b3));
    let q = modularity(&Csr::undirected(60, &edges), &found);
    let shown = format!("{} communities, Q {q:.6}, {digest:016x}", found.iter().max().unwrap() + 1);
    assert_eq!(shown, "10 communities, Q 0.671687, 1e11e8725bb6d8ac");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn laws(n in 1usize..24, edges in prop::collection::vec((0u32..24, 0u32..24, 0u32..4), 0..60)) {
        let edges: Vec<_> = edges.into_iter().filter(|e| (e.0 as usize) < n && (e.1 as usize) < n).collect();
        let graph = Csr::undirected(n, &edges);
        let found = communities(&graph);

        let mut again = found.clone();
        renumber(&mut again);
        prop_assert_eq!(&again, &found, "numbered by first node");
        prop_assert_eq!(&components(&graph, &found), &found, "each is connected");

        let mut turned: Vec<_> = edges.iter().map(|&(a, b, w)| (b, a, w)).collect();
        turned.reverse();
        prop_assert_eq!(&communities(&Csr::undirected(n, &turned)), &found, "the order of edges does not matter");

        let q = modularity(&graph, &found);
        if (0..n).any(|node| graph.strength(node) > 0) {
            prop_assert!((q - plain_modularity(n, &edges, &found)).abs() < 1e-12);
            prop_assert!(q >= 0.0, "no worse than all in one");
        }

        // No single node and no whole community is better off elsewhere.
        let best = quality(&graph, &found);
        let labels = found.iter().max().unwrap() + 1;
        for node in 0..n {
            for label in 0..=labels {
                let mut moved = found.clone();
                moved[node] = label;
                prop_assert!(quality(&graph, &moved) <= best, "node {} to {}", node, label);
            }
        }
        for a in 0..labels {
            for b in 0..a {
                let joined: Vec<u32> = found.iter().map(|&l| if l == a { b } else { l }).collect();
                prop_assert!(quality(&graph, &joined) <= best, "{} joins {}", a, b);
            }
        }
    }
}
