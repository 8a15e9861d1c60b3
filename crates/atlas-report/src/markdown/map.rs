//! `map.md`: the parts of the map that a person reads; nodes and edges stand in `map.json`.

use super::table;
use crate::text::{code, inline};
use crate::wording::skip_reason;
use atlas_artifact::Map;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Roots, modules, graph in numbers, heat and gaps; long tables are cut and say so.
#[must_use]
pub fn map_md(map: &Map) -> String {
    let mut out = format!("# Map of mission {}\n\n", map.mission_id);
    if let Some(commit) = &map.commit {
        let _ = writeln!(out, "- commit: {}", code(commit));
    }
    let graph = &map.graph;
    let _ = writeln!(out, "- files of the surface: {}", graph.file_graph.files.len());
    let _ = writeln!(out, "- definitions: {}", graph.nodes.len());
    let mut confidence: BTreeMap<&str, usize> = BTreeMap::new();
    for edge in &graph.edges {
        *confidence.entry(&edge.confidence).or_default() += 1;
    }
    let parts: Vec<String> = confidence.iter().map(|(name, count)| format!("{} {count}", inline(name))).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    let _ = writeln!(out, "- edges: {}{parts}", graph.edges.len());
    let _ = writeln!(out, "- references without a candidate: {}", graph.unresolved);
    let _ = writeln!(out, "- analyses: {}", inline(&map.analyses));

    let _ = write!(out, "\n## Roots ({})\n\n", map.roots.len());
    let roots = map.roots.iter().map(|root| {
        vec![
            inline(&root.kind),
            code(&format!("{}:{}", root.path, root.line)),
            code(&root.name),
            root.route.as_deref().map(code).unwrap_or_default(),
            inline(&root.rule),
        ]
    });
    table(&mut out, &["kind", "place", "name", "route", "rule"], roots, "map.json");

    let _ = write!(out, "\n## Modules ({})\n\n", map.modules.len());
    let modules = map.modules.iter().map(|module| {
        vec![
            code(&module.path),
            module.files.to_string(),
            module.lines.to_string(),
            format!("{:.4}", module.centrality),
        ]
    });
    table(&mut out, &["module", "files", "lines", "centrality"], modules, "map.json");

    let _ = write!(out, "\n## Heat ({})\n\n", map.heat.len());
    let heat = map.heat.iter().map(|heat| vec![code(&heat.path), heat.commits.to_string(), heat.authors.to_string()]);
    table(&mut out, &["file", "commits", "authors"], heat, "map.json");

    let _ = write!(out, "\n## Gaps ({})\n\n", map.gaps.len());
    let gaps =
        map.gaps.iter().map(|gap| vec![code(&gap.path), skip_reason(gap.reason).to_owned(), inline(&gap.detail)]);
    table(&mut out, &["file", "reason", "detail"], gaps, "map.json");
    out
}
