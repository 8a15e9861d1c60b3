use super::*;
use atlas_graph::analyse::pagerank;
use proptest::prelude::*;

fn graph(files: &[&str], edges: &[(u32, u32, u32)]) -> FileGraph {
    FileGraph { files: files.iter().map(|&file| file.to_owned()).collect(), edges: edges.to_vec() }
}

/// Clusters as lists of paths.
fn shown(graph: &FileGraph, partition: &Partition) -> Vec<Vec<String>> {
    let path = |&file: &u32| graph.files[file as usize].clone();
    partition.clusters.iter().map(|part| part.files.iter().map(path).collect()).collect()
}

fn of(files: &[&str], edges: &[(u32, u32, u32)]) -> Vec<Vec<String>> {
    let graph = graph(files, edges);
    shown(&graph, &partition(&graph, &vec![1.0 / files.len() as f64; files.len()]))
}

fn laws(graph: &FileGraph, centrality: &[f64]) -> Partition {
    let found = partition(graph, centrality);
    let n = graph.files.len();
    assert!(n == 0 || (1..=5).contains(&found.clusters.len()), "1 to 5 clusters");
    let mut seen: Vec<u32> = found.clusters.iter().flat_map(|part| part.files.clone()).collect();
    assert!(found.clusters.iter().all(|part| !part.files.is_empty()), "no cluster is empty");
    seen.sort_unstable();
    assert_eq!(seen, (0..n as u32).collect::<Vec<_>>(), "every file is in exactly one cluster");
    let firsts: Vec<&String> = found.clusters.iter().map(|part| &graph.files[part.files[0] as usize]).collect();
    assert!(firsts.is_sorted(), "numbered by first path");
    for (of, part) in (0_u32..).zip(&found.clusters) {
        let scope = Scope::new(&part.globs, [] as [&str; 0]).unwrap();
        for (file, path) in (0_u32..).zip(&graph.files) {
            assert_eq!(scope.contains_str(path), part.files.contains(&file));
            assert_eq!(found.cluster_of[file as usize] == of, part.files.contains(&file));
        }
    }
    assert!(found.modularity.after_merges <= found.modularity.before_merges + 1e-12, "a merge never gains");
    found
}

#[test]
fn communities_become_clusters() {
    let clique = |base: u32| [(base, base + 1, 2), (base + 1, base + 2, 2), (base + 2, base, 2)];
    let edges: Vec<_> = [&clique(0)[..], &clique(3), &[(2, 3, 1)]].concat();
    let files = ["a/1", "a/2", "a/3", "b/1", "b/2", "b/3"];
    let graph = graph(&files, &edges);
    let found = laws(&graph, &[1.0 / 6.0; 6]);
    assert_eq!(shown(&graph, &found), [["a/1", "a/2", "a/3"], ["b/1", "b/2", "b/3"]]);
    assert_eq!([&found.clusters[0].globs[..], &found.clusters[1].globs], [["a/**"], ["b/**"]]);
    assert_eq!(found.cut_weight, 1);
    assert_eq!(found.modularity.before_merges, found.modularity.after_merges);
    assert!((found.modularity.after_merges - (12.0 / 13.0 - 0.5)).abs() < 1e-12);
}

#[test]
fn a_file_without_an_edge_goes_with_most_of_its_directory() {
    // d holds one file of the pair (a/1, d/1) and two of the triangle (d/2, d/3, e/1).
    let files = ["a/1", "d/1", "d/2", "d/3", "d/lone", "e/1", "f/lone", "f/lone2", "f/sub/x"];
    let edges = [(0, 1, 5), (2, 3, 5), (3, 5, 5), (2, 5, 5)];
    assert_eq!(
        of(&files, &edges),
        [&["a/1", "d/1"][..], &["d/2", "d/3", "d/lone", "e/1"], &["f/lone", "f/lone2"], &["f/sub/x"]]
    );
}

#[test]
fn a_directory_torn_evenly_follows_the_smaller_first_path() {
    let files = ["b/0", "d/1", "d/2", "d/lone", "z/0"];
    assert_eq!(of(&files, &[(0, 2, 1), (1, 4, 1)]), [&["b/0", "d/2", "d/lone"][..], &["d/1", "z/0"]]);
}

#[test]
fn nothing_and_one_file() {
    assert_eq!(of(&[], &[]), [[""; 0]; 0]);
    assert_eq!(of(&["x"], &[]), [["x"]]);
}

#[test]
fn odd_input_is_taken_as_it_is() {
    let odd = graph(&["b", "a"], &[(0, 9, 1), (0, 0, 4), (0, 1, 0), (1, 0, u32::MAX)]);
    let found = laws(&odd, &[f64::NAN]);
    assert_eq!(shown(&odd, &found), [["a", "b"]]);
    let twice = partition(&graph(&["a", "b", "a"], &[]), &[0.1; 3]);
    assert_eq!(twice.cluster_of, [0, 0, 0]);
}

/// Every graph of up to four files over two directories, every weight from 0 to 2.
#[test]
fn small_worlds_obey_the_laws() {
    let pairs = [(0_u32, 1_u32), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    for n in 0..=4_u32 {
        let inside: Vec<_> = pairs.iter().filter(|pair| pair.1 < n).collect();
        for code in 0..3_u32.pow(inside.len() as u32) {
            let edges: Vec<_> =
                inside.iter().enumerate().map(|(i, pair)| (pair.0, pair.1, code / 3_u32.pow(i as u32) % 3)).collect();
            let graph = graph(&["a/x", "a/y", "b/x", "b/y"][..n as usize], &edges);
            laws(&graph, &pagerank(&Csr::directed(n as usize, &edges), 0.85, 1e-9));
        }
    }
}

fn surfaces() -> impl Strategy<Value = FileGraph> {
    let file = ("[a-d]{1,2}", prop::sample::select(vec!["", "/x y", "/[z]", "/sub", "/sub/deep"]), "[a-d*{]\\.(py|go)");
    (prop::collection::btree_set(file, 1..40), prop::collection::vec((0u32..40, 0u32..40, 0u32..4), 0..80)).prop_map(
        |(files, edges)| {
            let files: Vec<String> = files.into_iter().map(|(top, dir, name)| format!("{top}{dir}/{name}")).collect();
            let mut sorted = files;
            sorted.sort();
            FileGraph { files: sorted, edges }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_surface_obeys_the_laws_in_any_order(graph in surfaces(), keys in prop::collection::vec(0u32..1000, 40)) {
        let n = graph.files.len();
        let edges: Vec<_> =
            graph.edges.iter().copied().filter(|e| (e.0 as usize) < n && (e.1 as usize) < n).collect();
        let graph = FileGraph { edges, ..graph };
        let rank = |graph: &FileGraph| pagerank(&Csr::directed(n, &graph.edges), 0.85, 1e-9);
        let found = laws(&graph, &rank(&graph));

        // The same surface, its files listed in another order.
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&file| (keys[file as usize], file));
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(at, &file)| place[file as usize] = at as u32);
        let shuffled = FileGraph {
            files: order.iter().map(|&file| graph.files[file as usize].clone()).collect(),
            edges: graph.edges.iter().rev().map(|&(a, b, w)| (place[a as usize], place[b as usize], w)).collect(),
        };
        let again = laws(&shuffled, &rank(&shuffled));
        prop_assert_eq!(shown(&shuffled, &again), shown(&graph, &found));
        prop_assert_eq!(again.modularity, found.modularity);
        prop_assert_eq!(again.cut_weight, found.cut_weight);
        let globs = |partition: &Partition| partition.clusters.iter().map(|part| part.globs.clone()).collect::<Vec<_>>();
        prop_assert_eq!(globs(&again), globs(&found));
    }
}
