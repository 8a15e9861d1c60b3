//! How good the partition is and how its time grows.
//!
//! `cargo run --release -p atlas-plan --example partition -- map.json…` partitions the file graph of
//! each map; `leiden_reference.py` beside this file gives the figure to compare with. Without a map
//! it partitions generated surfaces of 12,500 to 100,000 files with ten edges each.
//! One line a graph: files, edges, communities, modularity before and after the merges, seconds.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use atlas_artifact::map::FileGraph;
use atlas_graph::analyse::{Csr, communities, pagerank};
use atlas_plan::partition::partition;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let maps: Vec<String> = std::env::args().skip(1).collect();
    for map in &maps {
        let map_json: serde_json::Value = serde_json::from_slice(&std::fs::read(map)?)?;
        measure(map, &serde_json::from_value(map_json["graph"]["file_graph"].clone())?);
    }
    if maps.is_empty() {
        for files in [12_500, 25_000, 50_000, 100_000] {
            measure("generated", &generated(files));
        }
    }
    Ok(())
}

fn measure(name: &str, graph: &FileGraph) {
    let files = graph.files.len();
    let csr = Csr::undirected(files, &graph.edges);
    let communities = communities(&csr).into_iter().max().map_or(0, |last| last + 1);
    let start = Instant::now();
    let centrality = pagerank(&Csr::directed(files, &graph.edges), 0.85, 1e-9);
    let ranked = start.elapsed();
    let found = partition(graph, &centrality);
    println!(
        "{name}: {files} files, {} edges, {communities} communities, modularity {:.6} before {:.6} after, \
         pagerank {:.2} s, partition {:.2} s",
        graph.edges.len(),
        found.modularity.before_merges,
        found.modularity.after_merges,
        ranked.as_secs_f64(),
        (start.elapsed() - ranked).as_secs_f64(),
    );
}

/// Directories of some ten files, packages of ten directories; seven edges of ten stay in their package.
fn generated(files: u32) -> FileGraph {
    let mut state = 7_u64;
    let mut below = |n: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(n)) as u32
    };
    let path = |file: u32| format!("p{:04}/d{}/f{}.rs", file / 100, file / 10 % 10, file % 10);
    let edges = (0..files)
        .flat_map(|from| (0..10).map(move |number| (from, number)))
        .map(|(from, number)| {
            let to = if number < 7 { from / 100 * 100 + below(100) } else { below(files) };
            (from, to.min(files - 1), 1)
        })
        .filter(|(from, to, _)| from != to)
        .collect();
    FileGraph { files: (0..files).map(path).collect(), edges }
}
