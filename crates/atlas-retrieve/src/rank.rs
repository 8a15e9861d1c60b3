//! Ranking and footprints.

use crate::index::{FIELDS, RetrievalIndex};
use crate::math::ln;
use crate::question::Evidence;
use atlas_graph::Graph;
use atlas_graph::analyse::{Csr, personalised};
use atlas_graph::link::{FileId, NodeId};
use atlas_graph::query::{Symbol, find, find_files};
use rustc_hash::FxHashMap;

/// Weights of path, name, comment, body, text: a word in a name says more than one in a body.
const WEIGHTS: [f64; FIELDS] = [2.0, 5.0, 1.5, 1.0, 1.2];
/// Length norms of the fields, 0 (none) to 1 (full).
const NORMS: [f64; FIELDS] = [0.3, 0.4, 0.6, 0.75, 0.6];
/// Where the count of a word stops to matter.
const SATURATION: f64 = 1.4;
/// What an exact identifier, path or quoted text adds, in units of a rare word's weight.
const EXACT: f64 = 2.5;
/// Test code is ranked apart: it speaks of everything and decides nothing.
const TEST_FACTOR: f64 = 0.35;
/// Best files that spread weight over the graph.
const SEEDS: usize = 24;
/// Parts of a footprint below this share of the whole are dropped.
const FOOTPRINT_MIN: f64 = 0.002;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedFile {
    pub file: FileId,
    pub score: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedSymbol {
    pub node: NodeId,
    pub score: f64,
    /// Share of the question's words, by their rarity, that the symbol holds; 1 for one that the
    /// question names.
    pub coverage: f64,
}

/// Files and symbols, best first; ties in node order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    pub files: Vec<RankedFile>,
    pub symbols: Vec<RankedSymbol>,
    /// Terms of the question that occur nowhere.
    pub unknown_terms: Vec<String>,
}

/// Weight on files, summing to 1; empty if nothing was retrieved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Footprint(pub Vec<(FileId, f64)>);

/// Ranks everything that shares a word or a name with the question.
#[must_use]
pub fn search(graph: &Graph, index: &RetrievalIndex, evidence: &Evidence) -> Ranking {
    let program = &graph.program;
    let mut scores = vec![0.0f64; index.docs.len()];
    let mut held = vec![0.0f64; index.docs.len()];
    let mut asked = 0.0;
    let mut unknown_terms = Vec::new();
    for (term, count) in &evidence.terms {
        let Some(&id) = index.terms.get(term.as_str()) else {
            unknown_terms.push(term.clone());
            asked += idf_of(index.totals[0].max(1), 1);
            continue;
        };
        asked += idf(index, id as usize, 0);
        // Repeating a word in a long question says a little more of it, not in proportion.
        let weight = 1.0 + 0.3 * f64::from((*count).min(6) - 1);
        for posting in &index.postings[id as usize] {
            let doc = &index.docs[posting.doc as usize];
            let kind = usize::from(index.is_file(doc, graph));
            let mut tf = 0.0;
            for field in 0..FIELDS {
                if posting.counts[field] > 0 {
                    let mean = index.means[kind][field].max(1e-9);
                    let length = f64::from(doc.lengths[field]) / mean;
                    tf += WEIGHTS[field] * f64::from(posting.counts[field])
                        / (1.0 - NORMS[field] + NORMS[field] * length);
                }
            }
            let idf = idf(index, id as usize, kind);
            scores[posting.doc as usize] += weight * idf * tf / (SATURATION + tf);
            held[posting.doc as usize] += idf;
        }
    }
    let exact = exact_nodes(graph, evidence);
    let mut file_bonus: FxHashMap<FileId, f64> = FxHashMap::default();
    let unit = EXACT * idf_of(index.totals[0].max(1), 1);
    let mut symbols = Vec::new();
    let mut files: Vec<RankedFile> = Vec::new();
    let bonus_of: FxHashMap<NodeId, f64> = exact.iter().copied().collect();
    let mut best_symbol: FxHashMap<FileId, f64> = FxHashMap::default();
    for (at, doc) in index.docs.iter().enumerate() {
        let bonus = bonus_of.get(&doc.node).copied().unwrap_or(0.0) * unit;
        let mut score = scores[at] + bonus;
        if index.is_file(doc, graph) {
            *file_bonus.entry(doc.file).or_default() += bonus;
            continue;
        }
        if score <= 0.0 {
            continue;
        }
        if index.is_test[doc.file as usize] {
            score *= TEST_FACTOR;
        }
        let best = best_symbol.entry(doc.file).or_default();
        if score > *best {
            *best = score;
        }
        let coverage = if bonus > 0.0 { 1.0 } else { (held[at] / asked).min(1.0) };
        symbols.push(RankedSymbol { node: doc.node, score, coverage });
    }
    for (at, doc) in index.docs.iter().enumerate() {
        if !index.is_file(doc, graph) {
            continue;
        }
        let own = scores[at] + file_bonus.get(&doc.file).copied().unwrap_or(0.0);
        let mut score = own * if index.is_test[doc.file as usize] { TEST_FACTOR } else { 1.0 };
        score += 0.6 * best_symbol.get(&doc.file).copied().unwrap_or(0.0);
        if score > 0.0 {
            files.push(RankedFile { file: doc.file, score });
        }
    }
    files.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    // A symbol in a file that is about the question beats one that merely shares its words.
    let file_score: FxHashMap<FileId, f64> = files.iter().map(|f| (f.file, f.score)).collect();
    for symbol in &mut symbols {
        let file = program.file_of(symbol.node);
        symbol.score += 0.3 * file_score.get(&file).copied().unwrap_or(0.0);
    }
    symbols.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    Ranking { files, symbols, unknown_terms }
}

fn idf(index: &RetrievalIndex, term: usize, kind: usize) -> f64 {
    idf_of(index.totals[kind], index.frequencies[term][kind] as usize)
}

fn idf_of(total: usize, with: usize) -> f64 {
    let (total, with) = (total as f64, with as f64);
    ln(1.0 + (total - with + 0.5).max(0.5) / (with + 0.5))
}

/// Nodes that the question names, each with a strength: a name that means many things says less.
fn exact_nodes(graph: &Graph, evidence: &Evidence) -> Vec<(NodeId, f64)> {
    const MEANINGS_MAX: usize = 40;
    let program = &graph.program;
    let mut found: FxHashMap<NodeId, f64> = FxHashMap::default();
    let mut add = |node: NodeId, strength: f64| {
        let slot = found.entry(node).or_default();
        if strength > *slot {
            *slot = strength;
        }
    };
    for name in &evidence.identifiers {
        let nodes = find(graph, &Symbol::parse(name));
        if nodes.len() > MEANINGS_MAX {
            continue;
        }
        for &node in &nodes {
            let strength = 1.0 / (1.0 + 0.25 * (nodes.len() as f64 - 1.0));
            if let Some(table) = graph.table(node) {
                for &model in &table.models {
                    add(model, strength);
                }
                continue;
            }
            add(node, strength);
            add(program.file_node(program.file_of(node)), strength * 0.5);
        }
    }
    for (path, line) in &evidence.paths {
        let nodes = match path.contains('/') || program.find(path).is_some() {
            true => find_files(graph, path),
            false => program
                .files()
                .iter()
                .enumerate()
                .filter(|(_, file)| file.path.file_name() == path)
                .map(|(id, _)| program.file_node(id as FileId))
                .collect(),
        };
        for &node in nodes.iter().take(MEANINGS_MAX) {
            add(node, 1.0);
            if let Some(line) = line {
                let file = program.file_of(node);
                for (ix, def) in program.facts(file).defs.iter().enumerate() {
                    if def.kind.is_callable() && def.start <= *line && *line <= def.end {
                        add(program.def_node(file, ix as u32), 1.0);
                    }
                }
            }
        }
    }
    let mut found: Vec<(NodeId, f64)> = found.into_iter().collect();
    found.sort_by_key(|(node, _)| *node);
    found
}

/// Where a question lives: its best files, and what the graph puts near them. `edges` are confident
/// file edges; they are walked in both directions.
#[must_use]
pub fn footprint(
    graph: &Graph,
    index: &RetrievalIndex,
    evidence: &Evidence,
    edges: &[(FileId, FileId, u32)],
    counts: impl Fn(FileId) -> bool,
) -> Footprint {
    let ranking = search(graph, index, evidence);
    let mut seeds: Vec<(FileId, f64)> =
        ranking.files.iter().filter(|f| counts(f.file)).take(SEEDS).map(|f| (f.file, f.score)).collect();
    let Some(&(_, best)) = seeds.first() else { return Footprint::default() };
    // The square keeps the best few decisive; a long tail of weak matches is no footprint.
    for (_, weight) in &mut seeds {
        let share = *weight / best;
        *weight = share * share * share;
    }
    seeds.sort_by_key(|&(file, _)| file);
    let csr = Csr::undirected(graph.program.files().len(), edges);
    let spread = personalised(&csr, &seeds, 0.5, 1e-9);
    let total: f64 = spread.iter().sum();
    if total <= 0.0 {
        return Footprint::default();
    }
    let mut weights: Vec<(FileId, f64)> = spread
        .iter()
        .enumerate()
        .map(|(file, weight)| (file as FileId, weight / total))
        .filter(|&(file, weight)| weight >= FOOTPRINT_MIN && counts(file))
        .collect();
    let kept: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    if kept <= 0.0 {
        return Footprint::default();
    }
    for (_, weight) in &mut weights {
        *weight /= kept;
    }
    Footprint(weights)
}
