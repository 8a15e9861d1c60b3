//! The structural map of the surface (contract §4): roots, modules, graph, heat, gaps.
//!
//! [`map`] turns a linked graph and what was learnt around it into the artifact. No model is ever
//! called. What is deliberately *not* here: how the graph came to be, and git.

use atlas_artifact::limits::{PAGERANK_DAMPING, PAGERANK_TOLERANCE};
use atlas_artifact::map::FileGraph;
use atlas_artifact::{Heat, Map, MapEdge, MapGap, MapGraph, MapNode, MissionId, Module, RootEntry};
use atlas_graph::Graph;
use atlas_graph::analyse::{Csr, pagerank};
use atlas_graph::link::FileId;
use atlas_tree::RepoPath;
use std::collections::BTreeMap;

/// What a map is made from.
pub struct MapInput<'a> {
    pub mission_id: MissionId,
    pub commit: Option<String>,
    /// Every file of the mission's surface, in path order.
    pub surface: &'a [RepoPath],
    pub graph: &'a Graph,
    /// Per file of the graph's program: generated or vendored, and without weight in analyses.
    pub weightless: &'a [bool],
    pub heat: Vec<Heat>,
    pub gaps: Vec<MapGap>,
}

/// The surface as numbers: what centrality, gate and partition work on.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceGraph {
    pub file_graph: FileGraph,
    /// Per file of the surface; sums to 1.
    pub centrality: Vec<f64>,
    /// Per file of the surface: its number in the graph's program, if it was parsed.
    pub parsed: Vec<Option<FileId>>,
    /// Per file of the surface: whether it is a source file (parsed, and code).
    pub is_source: Vec<bool>,
}

/// Confident edges between the files of a surface, and each file's PageRank.
#[must_use]
pub fn surface_graph(surface: &[RepoPath], graph: &Graph, weightless: &[bool]) -> SurfaceGraph {
    let weighs = |file: FileId| !weightless.get(file as usize).copied().unwrap_or(false);
    let program = &graph.program;
    let parsed: Vec<Option<FileId>> = surface.iter().map(|path| program.find(path.as_str())).collect();
    let mut number: BTreeMap<FileId, u32> = BTreeMap::new();
    for (at, file) in parsed.iter().enumerate() {
        if let Some(file) = file {
            number.insert(*file, at as u32);
        }
    }
    let edges: Vec<(u32, u32, u32)> = graph
        .file_edges(|file| weighs(file) && number.contains_key(&file))
        .into_iter()
        .map(|(from, to, weight)| (number[&from], number[&to], weight))
        .collect();
    let centrality = pagerank(&Csr::directed(surface.len(), &edges), PAGERANK_DAMPING, PAGERANK_TOLERANCE);
    let is_source = parsed
        .iter()
        .map(|file| file.is_some_and(|file| weighs(file) && program.facts(file).language.is_code()))
        .collect();
    let files = surface.iter().map(ToString::to_string).collect();
    SurfaceGraph { file_graph: FileGraph { files, edges }, centrality, parsed, is_source }
}

/// The directory of a file as modules are named: `.` for the root.
#[must_use]
pub fn module_of(path: &RepoPath) -> &str {
    match path.parent() {
        "" => ".",
        dir => dir,
    }
}

/// Modules of the surface by centrality, highest first; ties by path.
#[must_use]
pub fn modules(surface: &[RepoPath], graph: &Graph, of: &SurfaceGraph) -> Vec<Module> {
    let mut modules: BTreeMap<&str, Module> = BTreeMap::new();
    for (at, path) in surface.iter().enumerate() {
        let (true, Some(file)) = (of.is_source[at], of.parsed[at]) else { continue };
        let name = module_of(path);
        let module = modules.entry(name).or_insert_with(|| Module {
            path: name.to_owned(),
            files: 0,
            lines: 0,
            centrality: 0.0,
        });
        module.files += 1;
        module.lines += u64::from(graph.program.facts(file).lines);
    }
    // A module's centrality is the sum over its files, source files or not, in path order.
    for (at, path) in surface.iter().enumerate() {
        if let Some(module) = modules.get_mut(module_of(path)) {
            module.centrality += of.centrality[at];
        }
    }
    let mut modules: Vec<Module> = modules.into_values().collect();
    modules.sort_by(|a, b| b.centrality.total_cmp(&a.centrality).then_with(|| a.path.cmp(&b.path)));
    modules
}

/// Entry points of the surface, in (path, line, name) order.
#[must_use]
pub fn roots(surface: &[RepoPath], graph: &Graph) -> Vec<RootEntry> {
    let program = &graph.program;
    let mut roots = Vec::new();
    for path in surface {
        let Some(file) = program.find(path.as_str()) else { continue };
        let facts = program.facts(file);
        for root in &facts.roots {
            let verb = root.verb.map(|sym| facts.str(sym));
            let at = root.route.map(|sym| facts.str(sym));
            let route = match (verb, at) {
                (Some(verb), Some(at)) => Some(format!("{verb} {at}")),
                (Some(one), None) | (None, Some(one)) => Some(one.to_owned()),
                (None, None) => None,
            };
            roots.push(RootEntry {
                kind: root.kind.as_str().to_owned(),
                path: path.to_string(),
                line: root.line,
                name: facts.str(root.name).to_owned(),
                route,
                rule: facts.str(root.rule).to_owned(),
            });
        }
    }
    roots.sort_by(|a, b| (&a.path, a.line, &a.name, &a.route).cmp(&(&b.path, b.line, &b.name, &b.route)));
    roots
}

/// Makes the map.
#[must_use]
pub fn map(input: MapInput<'_>) -> Map {
    let of = surface_graph(input.surface, input.graph, input.weightless);
    Map {
        mission_id: input.mission_id,
        commit: input.commit,
        roots: roots(input.surface, input.graph),
        modules: modules(input.surface, input.graph, &of),
        graph: map_graph(input.graph, &of),
        heat: input.heat,
        gaps: input.gaps,
        analyses: "centrality and partition use EXTRACTED and INFERRED edges alone".to_owned(),
    }
}

/// Nodes and edges of the surface. Ids are the graph's own, which depend on the whole tree alone.
fn map_graph(graph: &Graph, of: &SurfaceGraph) -> MapGraph {
    let program = &graph.program;
    let mut inside = vec![false; program.files().len()];
    for file in of.parsed.iter().flatten() {
        inside[*file as usize] = true;
    }
    let mut nodes = Vec::new();
    for file in (0..program.files().len() as FileId).filter(|&file| inside[file as usize]) {
        let path = program.path(file).to_string();
        let lines = program.facts(file).lines;
        nodes.push(MapNode {
            id: program.file_node(file),
            kind: "module".to_owned(),
            name: program.path(file).file_name().to_owned(),
            qualified_name: path.clone(),
            path: path.clone(),
            start: lines.min(1),
            end: lines,
        });
        for (ix, def) in program.facts(file).defs.iter().enumerate() {
            let id = program.def_node(file, ix as u32);
            nodes.push(MapNode {
                id,
                kind: def.kind.as_str().to_owned(),
                name: program.name(id).to_owned(),
                qualified_name: graph.qualified_name(id),
                path: path.clone(),
                start: def.start,
                end: def.end,
            });
        }
    }
    for (at, table) in graph.tables().iter().enumerate() {
        let id = graph.table_node(at);
        let (path, line) = table.site.map_or((String::new(), 0), |(file, line)| (program.path(file).to_string(), line));
        nodes.push(MapNode {
            id,
            kind: "table".to_owned(),
            name: table.name.to_string(),
            qualified_name: table.name.to_string(),
            path,
            start: line,
            end: line,
        });
    }
    let edges = graph
        .edges()
        .iter()
        .filter(|edge| inside[edge.file as usize])
        .map(|edge| MapEdge {
            src: edge.source,
            dst: edge.targets[0],
            candidates: if edge.confidence.is_confident() { Vec::new() } else { edge.targets.to_vec() },
            relation: edge.relation.as_str().to_owned(),
            confidence: edge.confidence.as_str().to_owned(),
            line: edge.line,
            derived_from: edge.derived.as_str().to_owned(),
        })
        .collect();
    let unresolved = graph.unresolved().iter().filter(|u| inside[u.file as usize]).count() as u64;
    MapGraph { nodes, edges, unresolved, file_graph: of.file_graph.clone() }
}
