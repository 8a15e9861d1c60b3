//! A sub-mission's map excerpt (contract §7): its cluster's modules and edges, at most 2,000 tokens.
//!
//! A branch must see no other branch's path, so edges that leave the cluster are counted and never
//! named. Deliberately *not* here: the map itself.

use crate::text::shown;
use atlas_artifact::limits::MAP_EXCERPT_TOKENS;
use atlas_artifact::tokens;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Files named for one module, at most.
const FILES_OF_MODULE: usize = 8;
/// Tokens kept free for the line that says what was cut.
const CUT_LINE_TOKENS: usize = 40;

/// One cluster of the map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusterMap<'a> {
    /// Its files, in path order.
    pub files: Vec<FileOfCluster<'a>>,
    /// `(from, to, weight)` inside the cluster, directed, by index into `files`.
    pub edges: Vec<(u32, u32, u32)>,
    /// Weight of the edges that lead into the rest of the surface or out of it.
    pub weight_across: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileOfCluster<'a> {
    pub path: &'a str,
    /// Whether it is a parsed source file; its directory is then a module.
    pub source: bool,
    pub centrality: f64,
}

/// Modules by centrality with their most central files, then edges by weight; cut on whole lines, and
/// what is cut is counted.
#[must_use]
pub fn map_excerpt(cluster: &ClusterMap<'_>) -> String {
    let modules = module_lines(cluster);
    let edges = edge_lines(cluster);
    let room = MAP_EXCERPT_TOKENS - CUT_LINE_TOKENS;

    let mut text = String::new();
    let other = cluster.files.iter().filter(|file| !file.source).count();
    let _ = writeln!(
        text,
        "{} files, {} of them source, {} modules",
        cluster.files.len(),
        cluster.files.len() - other,
        modules.len()
    );
    let _ = writeln!(text, "modules, most central first:");
    // Edges get at least half of the room when there are so many.
    let edges_tokens = tokens(&edges.join("\n"));
    let modules_shown = fill(&mut text, &modules, room - edges_tokens.min(room / 2));
    let _ = writeln!(text, "edges from -> to, weight = references:");
    let edges_shown = fill(&mut text, &edges, room);
    if cluster.weight_across > 0 {
        let line = format!("references to and from files outside this cluster: {}\n", cluster.weight_across);
        fill(&mut text, &[line.trim_end().to_owned()], room + CUT_LINE_TOKENS / 2);
    }
    let (modules_cut, edges_cut) = (modules.len() - modules_shown, edges.len() - edges_shown);
    if modules_cut + edges_cut > 0 {
        let _ = writeln!(text, "… cut here: {modules_cut} more modules and {edges_cut} more edges are not shown");
    }
    assert!(tokens(&text) <= MAP_EXCERPT_TOKENS, "the line that says what was cut has its room kept");
    text
}

/// Adds whole lines while the text stays within `tokens_max`; returns how many.
fn fill(text: &mut String, lines: &[String], tokens_max: usize) -> usize {
    for (at, line) in lines.iter().enumerate() {
        let length = text.len();
        text.push_str(line);
        text.push('\n');
        if tokens(text) > tokens_max {
            text.truncate(length);
            return at;
        }
    }
    lines.len()
}

fn module_lines(cluster: &ClusterMap<'_>) -> Vec<String> {
    let mut modules: BTreeMap<&str, Vec<&FileOfCluster<'_>>> = BTreeMap::new();
    for file in cluster.files.iter().filter(|file| file.source) {
        modules.entry(directory(file.path)).or_default().push(file);
    }
    let mut ranked: Vec<(f64, &str, Vec<&FileOfCluster<'_>>)> = modules
        .into_iter()
        .map(|(module, files)| (files.iter().map(|file| file.centrality).sum(), module, files))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    ranked
        .into_iter()
        .map(|(centrality, module, mut files)| {
            files.sort_by(|a, b| b.centrality.total_cmp(&a.centrality).then(a.path.cmp(b.path)));
            let names: Vec<_> = files.iter().take(FILES_OF_MODULE).map(|file| shown(name(file.path))).collect();
            let more = files.len().saturating_sub(FILES_OF_MODULE);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let module = if module.is_empty() { ".".into() } else { shown(module) };
            format!("- {module} (centrality {centrality:.4}): {}{more}", names.join(", "))
        })
        .collect()
}

fn edge_lines(cluster: &ClusterMap<'_>) -> Vec<String> {
    let path = |file: u32| cluster.files.get(file as usize).map(|file| file.path);
    let mut edges: Vec<(u32, &str, &str)> =
        cluster.edges.iter().filter_map(|&(from, to, weight)| Some((weight, path(from)?, path(to)?))).collect();
    edges.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)).then(a.2.cmp(b.2)));
    edges.into_iter().map(|(weight, from, to)| format!("- {} -> {} {weight}", shown(from), shown(to))).collect()
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(path: &str, centrality: f64) -> FileOfCluster<'_> {
        FileOfCluster { path, source: !path.ends_with(".md"), centrality }
    }

    #[test]
    fn modules_by_centrality_then_edges_by_weight() {
        let cluster = ClusterMap {
            files: vec![file("README.md", 0.01), file("main.py", 0.05), file("web/a.py", 0.1), file("web/b.py", 0.2)],
            edges: vec![(1, 2, 1), (2, 3, 4), (1, 3, 4), (0, 9, 1)],
            weight_across: 7,
        };
        assert_eq!(
            map_excerpt(&cluster),
            "4 files, 3 of them source, 2 modules\n\
             modules, most central first:\n\
             - web (centrality 0.3000): b.py, a.py\n\
             - . (centrality 0.0500): main.py\n\
             edges from -> to, weight = references:\n\
             - main.py -> web/b.py 4\n\
             - web/a.py -> web/b.py 4\n\
             - main.py -> web/a.py 1\n\
             references to and from files outside this cluster: 7\n"
        );
    }

    #[test]
    fn a_large_cluster_is_cut_on_whole_lines_and_says_so() {
        let paths: Vec<String> = (0..500).map(|i| format!("some/longer/directory{i:03}/file.rs")).collect();
        let cluster = ClusterMap {
            files: paths.iter().map(|path| file(path, 0.001)).collect(),
            edges: (0..499).map(|i| (i, i + 1, 1)).collect(),
            weight_across: 0,
        };
        let excerpt = map_excerpt(&cluster);
        assert!(tokens(&excerpt) <= 2_000 && tokens(&excerpt) > 1_900, "{}", tokens(&excerpt));
        let modules = excerpt.lines().filter(|line| line.ends_with(": file.rs")).count();
        let edges = excerpt.lines().filter(|line| line.ends_with("file.rs 1")).count();
        assert!(modules > 40 && edges > 40);
        let last = excerpt.lines().last().unwrap();
        assert_eq!(
            last,
            format!("… cut here: {} more modules and {} more edges are not shown", 500 - modules, 499 - edges)
        );
    }

    #[test]
    fn an_odd_name_stays_on_its_line() {
        let cluster = ClusterMap { files: vec![file("a\nb/c\r.py", 0.5)], ..ClusterMap::default() };
        assert!(map_excerpt(&cluster).contains("- a\\nb (centrality 0.5000): c\\r.py\n"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn never_more_than_its_tokens(
            paths in prop::collection::btree_set("[a-c/é]{1,300}", 0..60),
            edges in prop::collection::vec((0u32..60, 0u32..60, 0u32..9), 0..200),
            weight_across in 0u64..3,
        ) {
            let files = paths.iter().map(|path| file(path, 0.1)).collect();
            let excerpt = map_excerpt(&ClusterMap { files, edges, weight_across });
            prop_assert!(tokens(&excerpt) <= 2_000);
            prop_assert!(excerpt.ends_with('\n'));
        }
    }
}
