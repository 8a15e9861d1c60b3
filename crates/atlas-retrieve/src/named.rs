//! What a question names outright: symbols, files, places in stack traces.

use crate::question::{Evidence, Zones};
use crate::weights::Weights;
use atlas_graph::Graph;
use atlas_graph::link::{FileId, NodeId};
use atlas_graph::query::{Symbol, find, find_files};
use rustc_hash::FxHashMap;

/// Strengths between 0 and about 2; the greatest of several holds for a symbol, they add up for a
/// file with less and less effect.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// Symbols by name.
    pub symbols: FxHashMap<NodeId, f64>,
    /// Files of those symbols.
    pub files: FxHashMap<FileId, f64>,
    /// Files by path.
    pub paths: FxHashMap<FileId, f64>,
    /// Symbols and files of traces.
    pub traced_symbols: FxHashMap<NodeId, f64>,
    pub traced_files: FxHashMap<FileId, f64>,
}

/// A name that means more than this says nothing.
const MEANINGS_MAX: usize = 40;

pub(crate) fn named(graph: &Graph, evidence: &Evidence, weights: &Weights) -> Named {
    let mut out = Named::default();
    for (name, zones) in evidence.identifiers.iter().zip(&evidence.mentions) {
        let strength = mention(zones, weights);
        if strength > 0.0 {
            out.name(graph, name, strength, weights);
        }
    }
    let by_name = by_file_name(graph);
    for (path, line) in &evidence.paths {
        let files = match_path(graph, &by_name, path);
        let strength = share(files.len(), weights);
        for file in files {
            raise(&mut out.paths, file, strength);
            if let Some(line) = line {
                for node in around(graph, file, *line) {
                    raise(&mut out.traced_symbols, node, strength);
                }
            }
        }
    }
    for trace in &evidence.traces {
        let mut strength = 1.0;
        for frame in trace {
            let files = match_path(graph, &by_name, &frame.path);
            if files.is_empty() || files.len() > 4 {
                continue;
            }
            for &file in &files {
                raise(&mut out.traced_files, file, strength);
                let function = frame.function.as_deref().map(|f| f.rsplit(['.', ':']).next().unwrap_or(f));
                let mut nodes: Vec<NodeId> =
                    function.map(|function| callables(graph, file, function)).unwrap_or_default();
                if nodes.len() != 1 {
                    let at = frame.line.map(|line| around(graph, file, line)).unwrap_or_default();
                    if nodes.is_empty() || nodes.iter().any(|node| at.contains(node)) {
                        nodes = at;
                    }
                }
                for node in nodes {
                    raise(&mut out.traced_symbols, node, strength);
                }
            }
            strength *= weights.frame_decay;
        }
    }
    out
}

impl Named {
    fn name(&mut self, graph: &Graph, name: &str, strength: f64, weights: &Weights) {
        let program = &graph.program;
        let mut symbol = Symbol::parse(name);
        while symbol.names.len() > 1 && matches!(symbol.names[0].as_str(), "self" | "this" | "cls" | "super") {
            symbol.names.remove(0);
        }
        let mut nodes = find(graph, &symbol);
        let mut strength = strength;
        // `queryset.union` names `QuerySet.union` by a variable: what the last names mean counts less.
        while nodes.is_empty() && symbol.names.len() > 1 {
            symbol.names.remove(0);
            strength *= 0.6;
            nodes = find(graph, &symbol);
        }
        if nodes.len() <= MEANINGS_MAX {
            let strength = strength * share(nodes.len(), weights);
            let mut files: Vec<FileId> = Vec::new();
            for &node in &nodes {
                if let Some(table) = graph.table(node) {
                    for &model in &table.models {
                        raise(&mut self.symbols, model, strength);
                    }
                    continue;
                }
                raise(&mut self.symbols, node, strength);
                files.push(program.file_of(node));
            }
            files.dedup();
            for file in files {
                *self.files.entry(file).or_default() += strength;
            }
        }
        if name.contains(['.', ':']) && nodes.is_empty() {
            let files = find_files(graph, name);
            let strength = strength * share(files.len(), weights);
            for node in files.into_iter().take(MEANINGS_MAX) {
                raise(&mut self.paths, program.file_of(node), strength);
            }
        }
    }
}

fn mention(zones: &Zones, weights: &Weights) -> f64 {
    let mut best = 0.0;
    for (&count, &weight) in zones.iter().zip(&weights.mentions) {
        if count > 0 && weight > best {
            best = weight;
        }
    }
    best
}

/// What each of several meanings gets.
fn share(meanings: usize, weights: &Weights) -> f64 {
    1.0 / (1.0 + weights.meanings * (meanings.max(1) - 1) as f64)
}

fn raise<K: std::hash::Hash + Eq>(map: &mut FxHashMap<K, f64>, key: K, strength: f64) {
    let slot = map.entry(key).or_default();
    if strength > *slot {
        *slot = strength;
    }
}

fn by_file_name(graph: &Graph) -> FxHashMap<&str, Vec<FileId>> {
    let mut out: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
    for (id, file) in graph.program.files().iter().enumerate() {
        out.entry(file.path.file_name()).or_default().push(id as FileId);
    }
    out
}

/// The files whose path has the longest end in common with `path`, which may be from another
/// machine. A directory or module name means its files.
fn match_path(graph: &Graph, by_name: &FxHashMap<&str, Vec<FileId>>, path: &str) -> Vec<FileId> {
    let path = path.trim_start_matches("./").trim_end_matches('/').replace('\\', "/");
    let (dirs, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let Some(candidates) = by_name.get(name) else {
        if path.contains('/') {
            let found = find_files(graph, &path);
            return found.into_iter().map(|node| graph.program.file_of(node)).take(MEANINGS_MAX).collect();
        }
        return Vec::new();
    };
    let common = |file: FileId| {
        let own = graph.program.path(file).parent();
        let shared = own.rsplit('/').zip(dirs.rsplit('/')).take_while(|(a, b)| a == b && !a.is_empty()).count();
        // All of the written path, or all of the file's own, must be used up, or it is another file.
        let whole = shared == dirs.split('/').filter(|d| !d.is_empty()).count()
            || shared == own.split('/').filter(|d| !d.is_empty()).count();
        (shared, whole)
    };
    let best = candidates.iter().map(|&file| common(file)).filter(|&(shared, whole)| whole || shared > 0).max();
    let Some(best) = best else { return Vec::new() };
    candidates.iter().copied().filter(|&file| common(file).0 == best.0).collect()
}

/// The innermost callable around a line, and those around it.
fn around(graph: &Graph, file: FileId, line: u32) -> Vec<NodeId> {
    let facts = graph.program.facts(file);
    let mut out: Vec<NodeId> = Vec::new();
    for (ix, def) in facts.defs.iter().enumerate() {
        if def.kind.is_callable() && def.start <= line && line <= def.end {
            out.push(graph.program.def_node(file, ix as u32));
        }
    }
    out
}

fn callables(graph: &Graph, file: FileId, name: &str) -> Vec<NodeId> {
    let facts = graph.program.facts(file);
    let mut out = Vec::new();
    for (ix, def) in facts.defs.iter().enumerate() {
        if def.kind.is_callable() && facts.str(def.name) == name {
            out.push(graph.program.def_node(file, ix as u32));
        }
    }
    out
}
