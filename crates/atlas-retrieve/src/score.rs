//! How much of a question's words a document holds: fielded BM25, at both grains in one pass.
//!
//! The fields of a document share one saturation, so that a word in a name and in a body counts once
//! and not twice. Words of the same root are one word with several spellings.

use crate::index::{FIELDS, Field, RetrievalIndex};
use crate::math::ln;
use crate::question::{Evidence, Zones};
use crate::terms::stem;
use crate::weights::Weights;
use crate::zones::Zone;

/// Sums over the words of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Score {
    pub text: f64,
    /// Words of the title alone.
    pub title: f64,
    /// Names and paths alone.
    pub names: f64,
    /// Rarity of the question's plain words that are there.
    pub held: f64,
}

pub(crate) struct Scores {
    /// Per document; the rests of files have none.
    pub symbols: Vec<Score>,
    pub files: Vec<Score>,
    /// Rarity of all plain words of the question.
    pub asked: f64,
    pub unknown_terms: Vec<String>,
}

/// One thing to look for: the lists of its spellings.
struct Wanted {
    /// Terms with what each counts, against 1 for the one that was asked.
    spellings: Vec<(u32, f64)>,
    weight: f64,
    title: f64,
    plain: bool,
}

/// A word of which a language has more forms than these is no word.
const KIN_MAX: usize = 12;

pub(crate) fn score(index: &RetrievalIndex, evidence: &Evidence, weights: &Weights) -> Scores {
    let mut scores = Scores {
        symbols: vec![Score::default(); index.docs.len()],
        files: vec![Score::default(); index.file_lengths.len()],
        asked: 0.0,
        unknown_terms: Vec::new(),
    };
    let wanted = wanted(index, evidence, weights, &mut scores);
    let mut pass = Pass { index, weights, norms: Norms::new(index, weights), list: Vec::new() };
    for one in &wanted {
        pass.add(one, &mut scores);
    }
    scores
}

/// The words, the pairs and the glued pairs of the question that the index knows.
fn wanted(index: &RetrievalIndex, evidence: &Evidence, weights: &Weights, scores: &mut Scores) -> Vec<Wanted> {
    let mut out = Vec::new();
    for ((term, _), zones) in evidence.terms.iter().zip(&evidence.zones) {
        let own = index.term(term);
        let mut spellings: Vec<(u32, f64)> = own.map(|id| (id, 1.0)).into_iter().collect();
        let kin = index.kin(term);
        if weights.kin > 0.0 && kin.len() <= KIN_MAX {
            spellings.extend(kin.iter().filter(|&&id| Some(id) != own).map(|&id| (id, weights.kin)));
        }
        if own.is_none() {
            scores.unknown_terms.push(term.clone());
        }
        scores.asked += own.map_or_else(|| rarity(index.totals[0].max(1), 1), |id| symbol_rarity(index, id));
        if !spellings.is_empty() {
            let (weight, title) = weight_of(zones, weights);
            out.push(Wanted { spellings, weight, title, plain: true });
        }
    }
    for (first, second, zones) in &evidence.pairs {
        let (weight, title) = weight_of(zones, weights);
        if weights.pair > 0.0
            && let Some(id) = index.pair(stem(first), stem(second))
        {
            let weight = weight * weights.pair;
            out.push(Wanted { spellings: vec![(id, 1.0)], weight, title: title * weights.pair, plain: false });
        }
        let glued = format!("{first}{second}");
        if weights.glue > 0.0
            && let Some(id) = index.term(stem(&glued))
        {
            let weight = weight * weights.glue;
            out.push(Wanted { spellings: vec![(id, 1.0)], weight, title: title * weights.glue, plain: false });
        }
    }
    out
}

/// What a word's places in the question make it count, and its place in the title alone.
fn weight_of(zones: &Zones, weights: &Weights) -> (f64, f64) {
    let counted = |count: u16| {
        let count = f64::from(count);
        count * (1.0 + weights.repeat) / (count + weights.repeat)
    };
    let all = zones.iter().zip(&weights.zones).map(|(&count, &weight)| weight * counted(count)).sum();
    (all, counted(zones[Zone::Title as usize]))
}

fn symbol_rarity(index: &RetrievalIndex, term: u32) -> f64 {
    rarity(index.totals[0], index.frequencies[term as usize][0] as usize)
}

/// How rare a term is that `with` of `total` documents hold.
pub(crate) fn rarity(total: usize, with: usize) -> f64 {
    let (total, with) = (total as f64, with as f64);
    ln(1.0 + (total - with + 0.5).max(0.5) / (with + 0.5))
}

/// What a count is divided by, per field: the part that is the same for all, and that per word.
struct Norms {
    symbols: [(f64, f64); FIELDS],
    files: [(f64, f64); FIELDS],
}

impl Norms {
    fn new(index: &RetrievalIndex, weights: &Weights) -> Self {
        let of = |norms: &[f64; FIELDS], means: &[f64; FIELDS]| {
            let mut out = [(0.0, 0.0); FIELDS];
            for field in 0..FIELDS {
                out[field] = (1.0 - norms[field], norms[field] / means[field]);
            }
            out
        };
        Self { symbols: of(&weights.symbol_norms, &index.means[0]), files: of(&weights.file_norms, &index.means[1]) }
    }
}

struct Pass<'i> {
    index: &'i RetrievalIndex,
    weights: &'i Weights,
    norms: Norms,
    /// Document, field and count of one word, all spellings together.
    list: Vec<(u32, usize, f64)>,
}

impl Pass<'_> {
    fn add(&mut self, wanted: &Wanted, scores: &mut Scores) {
        let index = self.index;
        self.list.clear();
        for &(term, share) in &wanted.spellings {
            self.list.extend(index.postings(term).map(|(doc, field, count)| (doc, field, f64::from(count) * share)));
        }
        if wanted.spellings.len() > 1 {
            // Field and spelling order within a document do not change a sum of few exact parts
            // enough to matter, but the order must be fixed: the sort is stable.
            self.list.sort_by_key(|&(doc, ..)| doc);
        }
        let first = wanted.spellings[0].0 as usize;
        let [in_symbols, in_files] = index.frequencies[first];
        let symbol_rarity = rarity(index.totals[0], in_symbols as usize);
        let file_rarity = rarity(index.totals[1], in_files as usize);
        let mut at = 0;
        while at < self.list.len() {
            let file = index.docs[self.list[at].0 as usize].file as usize;
            let end_of_file = index.starts[file + 1];
            let lengths = &index.file_lengths[file];
            let (mut file_all, mut file_names) = (0.0, 0.0);
            while at < self.list.len() && self.list[at].0 < end_of_file {
                let doc = self.list[at].0;
                let is_rest = index.starts[file] == doc;
                let own = &index.docs[doc as usize].lengths;
                let (mut all, mut names) = (0.0, 0.0);
                while at < self.list.len() && self.list[at].0 == doc {
                    let (_, field, count) = self.list[at];
                    let (flat, per_word) = self.norms.files[field];
                    let part = self.weights.file_fields[field] * count / (flat + per_word * f64::from(lengths[field]));
                    file_all += part;
                    if field <= Field::Name as usize {
                        file_names += part;
                    }
                    if !is_rest {
                        let (flat, per_word) = self.norms.symbols[field];
                        let part =
                            self.weights.symbol_fields[field] * count / (flat + per_word * f64::from(own[field]));
                        all += part;
                        if field == Field::Name as usize {
                            names += part;
                        }
                    }
                    at += 1;
                }
                if all > 0.0 {
                    let score = &mut scores.symbols[doc as usize];
                    let share = symbol_rarity * all / (all + self.weights.symbol_saturation);
                    score.text += wanted.weight * share;
                    score.title += wanted.title * share;
                    score.names += wanted.weight * symbol_rarity * names / (names + self.weights.symbol_saturation);
                    if wanted.plain {
                        score.held += symbol_rarity;
                    }
                }
            }
            let score = &mut scores.files[file];
            let share = file_rarity * file_all / (file_all + self.weights.file_saturation);
            score.text += wanted.weight * share;
            score.title += wanted.title * share;
            score.names += wanted.weight * file_rarity * file_names / (file_names + self.weights.file_saturation);
        }
    }
}
