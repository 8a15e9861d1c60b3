//! Ranking: what the words give, what is named, and what stands near it.

use crate::index::{FileKind, RetrievalIndex, SymbolKind};
use crate::named::{Named, named};
use crate::question::Evidence;
use crate::score::{Scores, score};
use crate::weights::{FILE_SIGNALS, SYMBOL_SIGNALS, Weights};
use atlas_graph::Graph;
use atlas_graph::link::{FileId, NodeId};
use rustc_hash::FxHashMap;

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

/// Ranks everything that shares a word or a name with the question.
#[must_use]
pub fn search(graph: &Graph, index: &RetrievalIndex, evidence: &Evidence) -> Ranking {
    search_with(graph, index, evidence, &Weights::default())
}

/// As [`search`], with other weights: for measurement.
#[must_use]
pub fn search_with(graph: &Graph, index: &RetrievalIndex, evidence: &Evidence, weights: &Weights) -> Ranking {
    search_seen(graph, index, evidence, weights, &mut |_| {})
}

/// What a ranked thing's score is a sum of, and the factor of its kind: for measurement.
#[derive(Debug, Clone, Copy)]
pub enum Signals<'s> {
    File(FileId, f64, &'s [f64]),
    Symbol(NodeId, f64, &'s [f64]),
}

/// As [`search_with`], and shows the parts of every score, files first.
pub fn search_seen(
    graph: &Graph,
    index: &RetrievalIndex,
    evidence: &Evidence,
    weights: &Weights,
    see: &mut dyn FnMut(Signals<'_>),
) -> Ranking {
    let scores = score(index, evidence, weights);
    let named = named(graph, evidence, weights);
    let files = rank_files(index, &scores, &named, weights, see);
    let symbols = rank_symbols(graph, index, &scores, &named, &files, weights, see);
    Ranking { files, symbols, unknown_terms: scores.unknown_terms }
}

fn rank_files(
    index: &RetrievalIndex,
    scores: &Scores,
    named: &Named,
    weights: &Weights,
    see: &mut dyn FnMut(Signals<'_>),
) -> Vec<RankedFile> {
    let files = scores.files.len();
    let mut best = vec![0.0f64; files];
    for (at, doc) in index.docs.iter().enumerate() {
        let slot = &mut best[doc.file as usize];
        *slot = slot.max(scores.symbols[at].text);
    }
    let is_source = |file: &usize| index.kinds[*file] == FileKind::Source;
    let given: Vec<f64> = (0..files)
        .map(|file| if index.kinds[file] == FileKind::Test { 0.0 } else { scores.files[file].text })
        .collect();
    let near = index.near_files.step(&given, weights.damp);
    let greatest = |of: &dyn Fn(usize) -> f64| (0..files).filter(is_source).map(of).fold(1e-9, f64::max);
    let texts = greatest(&|file| scores.files[file].text);
    let titles = greatest(&|file| scores.files[file].title);
    let names = greatest(&|file| scores.files[file].names);
    let bests = greatest(&|file| best[file]);
    let nears = greatest(&|file| near[file]);
    let mut out = Vec::new();
    for file in 0..files {
        let id = file as FileId;
        let score = &scores.files[file];
        let of = |map: &FxHashMap<FileId, f64>| map.get(&id).copied().unwrap_or(0.0);
        let named_sum = of(&named.files);
        let signals: [f64; FILE_SIGNALS] = [
            share(score.text, texts),
            share(score.title, titles),
            share(score.names, names),
            share(best[file], bests),
            named_sum / (named_sum + 1.0),
            of(&named.paths),
            of(&named.traced_files),
            share(near[file], nears),
        ];
        let factor = weights.kinds[index.kinds[file] as usize];
        let sum = dot(&signals, &weights.file) * factor;
        if score.text + named_sum + signals[5] + signals[6] > 0.0 && sum > 0.0 {
            see(Signals::File(id, factor, &signals));
            out.push(RankedFile { file: id, score: sum });
        }
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    out
}

fn rank_symbols(
    graph: &Graph,
    index: &RetrievalIndex,
    scores: &Scores,
    named: &Named,
    files: &[RankedFile],
    weights: &Weights,
    see: &mut dyn FnMut(Signals<'_>),
) -> Vec<RankedSymbol> {
    let top = files.first().map_or(1.0, |file| file.score);
    let mut of_file = vec![0.0; index.file_lengths.len()];
    for file in files {
        of_file[file.file as usize] = file.score / top;
    }
    let is_source = |at: &usize| index.kinds[index.docs[*at].file as usize] == FileKind::Source;
    let greatest = |of: &dyn Fn(usize) -> f64| (0..index.docs.len()).filter(is_source).map(of).fold(1e-9, f64::max);
    let texts = greatest(&|at| scores.symbols[at].text);
    let titles = greatest(&|at| scores.symbols[at].title);
    let names = greatest(&|at| scores.symbols[at].names);
    let given: Vec<f64> = index
        .docs
        .iter()
        .enumerate()
        .map(|(at, doc)| {
            let gives = !index.is_test(doc.file) && !index.is_rest(at as u32);
            if gives { scores.symbols[at].text } else { 0.0 }
        })
        .collect();
    let near = index.near.step(&given, weights.damp);
    let nears = greatest(&|at| near[at]);
    let mut out = Vec::new();
    for (at, doc) in index.docs.iter().enumerate() {
        let of = |map: &FxHashMap<NodeId, f64>| map.get(&doc.node).copied().unwrap_or(0.0);
        let (by_name, traced) = (of(&named.symbols), of(&named.traced_symbols));
        let score = &scores.symbols[at];
        if index.is_rest(at as u32) || score.text + by_name + traced <= 0.0 {
            continue;
        }
        let owner = graph.type_around(doc.node).map_or(0.0, |owner| {
            let names = named.symbols.get(&owner).copied().unwrap_or(0.0);
            names.min(1.0)
        });
        let signals: [f64; SYMBOL_SIGNALS] = [
            share(score.text, texts),
            share(score.title, titles),
            share(score.names, names),
            of_file[doc.file as usize],
            by_name,
            traced,
            owner,
            share(near[at], nears),
            if index.owners[at] as usize == at { 0.0 } else { scores.symbols[index.owners[at] as usize].text / texts },
            saturated(index.lines[at], weights.size),
        ];
        // What a test module in a source file lacks, a test file lacks once and not twice.
        let kind = index.kinds[doc.file as usize];
        let symbol_kind = index.symbol_kinds[at];
        let factor = match (kind, symbol_kind) {
            (FileKind::Test, SymbolKind::Test) => weights.kinds[kind as usize],
            _ => weights.kinds[kind as usize] * weights.symbol_kinds[symbol_kind as usize],
        };
        let sum = dot(&signals, &weights.symbol) * factor;
        see(Signals::Symbol(doc.node, factor, &signals));
        let coverage = if by_name + traced > 0.0 { 1.0 } else { (score.held / scores.asked.max(1e-9)).min(1.0) };
        out.push(RankedSymbol { node: doc.node, score: sum, coverage });
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    out
}

/// What is of the greatest among sources; others may exceed it, and count as that.
fn share(value: f64, greatest: f64) -> f64 {
    (value / greatest).min(1.0)
}

/// From 0 to 1, a half at `half`.
fn saturated(count: u32, half: f64) -> f64 {
    f64::from(count) / (f64::from(count) + half)
}

fn dot<const N: usize>(signals: &[f64; N], weights: &[f64; N]) -> f64 {
    signals.iter().zip(weights).map(|(signal, weight)| signal * weight).sum()
}
