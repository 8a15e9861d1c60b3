//! The partition of the surface into 1–5 clusters, made from the file graph by the parent
//! (contract §6, steps 1–3). The same surface gives the same partition in whatever order its files
//! are listed.
//!
//! Deliberately *not* here: which edges are confident and what centrality is (`atlas-graph`), and
//! who asks what where (`assign`).

use crate::fixed::fixed;
use crate::globs::globs;
use crate::merge::merge;
use atlas_artifact::map::FileGraph;
use atlas_artifact::plan::Modularity;
use atlas_graph::analyse::{Csr, communities, modularity};
use atlas_tree::Scope;
use std::collections::BTreeMap;

/// A partition of the files of a [`FileGraph`]: every file is in exactly one cluster, no cluster is empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// In the order of their first paths; cluster n of the plan is `clusters[n - 1]`. Between 1 and 5,
    /// none for no files.
    pub clusters: Vec<Part>,
    /// For each file of the graph the index of its cluster in `clusters`.
    pub cluster_of: Vec<u32>,
    pub modularity: Modularity,
    /// Edge weight between clusters.
    pub cut_weight: u64,
}

/// One cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Indices into the files of the graph, in path order.
    pub files: Vec<u32>,
    /// Match exactly these files within the surface; sorted.
    pub globs: Vec<String>,
    /// Sum over its files, in path order.
    pub centrality: f64,
}

/// Partitions a surface. `centrality` is that of each file, by index; missing ones count as 0.
///
/// # Panics
/// If the globs of a cluster do not match exactly its files: the partition would lie about what its
/// branches may see. No surface does that: on a file system no file is also a directory.
#[must_use]
pub fn partition(graph: &FileGraph, centrality: &[f64]) -> Partition {
    let surface = Surface::of(graph, centrality);
    let csr = Csr::undirected(surface.paths.len(), &surface.edges);

    let communities = with_edgeless(&csr, &surface.paths, communities(&csr));
    let ranks: Vec<u64> = surface.centrality.iter().map(|&rank| fixed(rank)).collect();
    let mut cluster = merge(&csr, &ranks, &communities);
    let count = number_by_first_node(&mut cluster);

    let clusters = parts(&surface, &cluster, count);
    assert_globs_match(&clusters, &surface.paths, &cluster);
    Partition {
        clusters,
        cluster_of: surface.node_of.iter().map(|&node| cluster[node as usize]).collect(),
        modularity: Modularity {
            before_merges: modularity(&csr, &communities),
            after_merges: modularity(&csr, &cluster),
        },
        cut_weight: cut_weight(&surface.edges, &cluster),
    }
}

/// The file graph with its files in path order: node n is the n-th path.
struct Surface<'a> {
    paths: Vec<&'a str>,
    centrality: Vec<f64>,
    edges: Vec<(u32, u32, u32)>,
    /// The node of each file of the graph that was given; a path given twice is one node.
    node_of: Vec<u32>,
    /// The files of each node.
    files: Vec<Vec<u32>>,
}

impl<'a> Surface<'a> {
    fn of(graph: &'a FileGraph, centrality: &[f64]) -> Self {
        let mut order: Vec<u32> = (0..graph.files.len() as u32).collect();
        order.sort_by(|&a, &b| graph.files[a as usize].cmp(&graph.files[b as usize]).then(a.cmp(&b)));
        let mut surface = Self {
            paths: Vec::with_capacity(order.len()),
            centrality: Vec::with_capacity(order.len()),
            edges: Vec::with_capacity(graph.edges.len()),
            node_of: vec![0; order.len()],
            files: Vec::with_capacity(order.len()),
        };
        for file in order {
            let path = graph.files[file as usize].as_str();
            if surface.paths.last() != Some(&path) {
                surface.paths.push(path);
                surface.centrality.push(0.0);
                surface.files.push(Vec::new());
            }
            let node = surface.paths.len() - 1;
            surface.node_of[file as usize] = node as u32;
            surface.files[node].push(file);
            surface.centrality[node] += centrality.get(file as usize).copied().unwrap_or(0.0);
        }
        let node = |file: u32| surface.node_of.get(file as usize).copied();
        surface.edges = graph
            .edges
            .iter()
            .filter_map(|&(from, to, weight)| Some((node(from)?, node(to)?, weight)))
            .filter(|(from, to, _)| from != to)
            .collect();
        surface
    }
}

/// Gives the files without an edge to the community that holds most of the files with an edge in
/// their own directory (ties: smaller first path). Where there is none, those of one directory form one.
fn with_edgeless(csr: &Csr, paths: &[&str], mut community: Vec<u32>) -> Vec<u32> {
    let directory = |node: usize| paths[node].rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut members: BTreeMap<&str, BTreeMap<u32, usize>> = BTreeMap::new();
    for node in (0..paths.len()).filter(|&node| csr.row(node).len() > 0) {
        *members.entry(directory(node)).or_default().entry(community[node]).or_default() += 1;
    }
    // Communities are numbered by first node, so the first of the largest has the smaller first path.
    let mut home: BTreeMap<&str, u32> = BTreeMap::new();
    for (directory, counts) in members {
        let most =
            counts.iter().fold((0, 0), |best, (&label, &count)| if count > best.1 { (label, count) } else { best });
        home.insert(directory, most.0);
    }
    for node in (0..paths.len()).filter(|&node| csr.row(node).len() == 0) {
        community[node] = *home.entry(directory(node)).or_insert(community[node]);
    }
    community
}

/// Renumbers labels from 0 by first node; returns how many there are.
fn number_by_first_node(label: &mut [u32]) -> usize {
    let mut new: BTreeMap<u32, u32> = BTreeMap::new();
    for l in label {
        let next = new.len() as u32;
        *l = *new.entry(*l).or_insert(next);
    }
    new.len()
}

fn parts(surface: &Surface<'_>, cluster: &[u32], count: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = globs(&surface.paths, cluster, count)
        .into_iter()
        .map(|globs| Part { files: Vec::new(), globs, centrality: 0.0 })
        .collect();
    for (node, &of) in cluster.iter().enumerate() {
        let part = &mut parts[of as usize];
        part.files.extend(&surface.files[node]);
        part.centrality += surface.centrality[node];
    }
    parts
}

fn cut_weight(edges: &[(u32, u32, u32)], cluster: &[u32]) -> u64 {
    edges
        .iter()
        .filter(|(from, to, _)| cluster[*from as usize] != cluster[*to as usize])
        .map(|&(.., weight)| u64::from(weight))
        .sum()
}

fn assert_globs_match(clusters: &[Part], paths: &[&str], cluster: &[u32]) {
    for (of, part) in (0_u32..).zip(clusters) {
        assert!(!part.files.is_empty(), "a cluster is not empty");
        let scope = Scope::new(&part.globs, [] as [&str; 0]).expect("escaped names and stars are globs");
        for (path, &is) in paths.iter().zip(cluster) {
            assert_eq!(
                scope.contains_str(path),
                is == of,
                "the globs of cluster {} match exactly its files: `{path}`",
                of + 1
            );
        }
    }
}

#[cfg(test)]
mod tests;
