//! From facts to postings: files in parallel, then one pass that numbers the terms.

use super::{Doc, FIELD_BITS, FIELDS, Field, FileKind, RetrievalIndex, SymbolKind, file_kind, pair_hash, term_hash};
use crate::near::{Near, pairs};
use crate::terms::{each_word, is_stop_word, root, stem};
use atlas_graph::Graph;
use atlas_graph::link::{FileId, NodeId, SourceFile};
use atlas_syntax::{DefFlags, DefKind, FileFacts, Sym};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// One file's part of the index; documents are numbered within the file.
struct FilePart {
    nodes: Vec<NodeId>,
    /// (document and field, term hash, how often), sorted.
    entries: Vec<(u32, u64, u8)>,
    /// The root of each term that has one other than itself or may be one.
    roots: Vec<(u64, u64)>,
}

impl RetrievalIndex {
    /// Builds the index from the facts that the graph was linked from.
    #[must_use]
    pub fn build(graph: &Graph) -> Self {
        Self::build_with(graph, &[])
    }

    /// As [`RetrievalIndex::build`], knowing which files are generated or other people's, in the
    /// order of the program's files; those that are left out are told by their paths.
    #[must_use]
    pub fn build_with(graph: &Graph, weightless: &[bool]) -> Self {
        let program = &graph.program;
        let files = program.files().len();
        let parts: Vec<FilePart> =
            (0..files as FileId).into_par_iter().map(|file| FileBuilder::new(graph, file).build()).collect();
        let kind = |(at, file): (usize, &SourceFile)| match weightless.get(at) {
            Some(true) => FileKind::Foreign,
            _ => file_kind(file.path.as_str()),
        };
        let mut index =
            Self { kinds: program.files().iter().enumerate().map(kind).collect(), starts: vec![0], ..Self::default() };
        let sizes = index.number_terms(&parts);
        index.offsets = vec![0];
        let mut sum = 0u32;
        for size in &sizes {
            sum = sum.saturating_add(*size);
            index.offsets.push(sum);
        }
        index.entries = vec![0; sum as usize];
        index.counts = vec![0; sum as usize];
        index.frequencies = vec![[0; 2]; sizes.len()];
        let mut next: Vec<u32> = index.offsets.clone();
        for (file, part) in parts.iter().enumerate() {
            index.add_file(file as FileId, part, &mut next);
        }
        index.totals = [index.docs.len() - files, files];
        index.finish_means();
        index.join(graph);
        index
    }

    /// Takes over from the graph what it knows of the documents.
    pub(crate) fn join(&mut self, graph: &Graph) {
        self.symbol_kinds = self.docs.iter().map(|doc| symbol_kind(graph, doc.node)).collect();
        self.lines = self
            .docs
            .iter()
            .map(|doc| match graph.program.def(doc.node) {
                Some(def) => def.end - def.start + 1,
                None => graph.program.facts(doc.file).lines,
            })
            .collect();
        let doc_of: FxHashMap<NodeId, u32> =
            self.docs.iter().enumerate().map(|(at, doc)| (doc.node, at as u32)).collect();
        let links = pairs(graph, &doc_of);
        let file = |doc: u32| self.docs[doc as usize].file;
        let file_links = links.iter().map(|&(a, b)| (file(a), file(b))).collect();
        self.near_files = Near::new(self.file_lengths.len(), file_links);
        self.near = Near::new(self.docs.len(), links);
        self.owners = (0..self.docs.len() as u32)
            .map(|at| {
                graph
                    .type_around(self.docs[at as usize].node)
                    .and_then(|owner| doc_of.get(&owner).copied())
                    .unwrap_or(at)
            })
            .collect();
    }

    /// Gives each term a number in order of first appearance; how many postings each has.
    fn number_terms(&mut self, parts: &[FilePart]) -> Vec<u32> {
        let mut sizes: Vec<u32> = Vec::new();
        for part in parts {
            for &(_, hash, _) in &part.entries {
                let id = *self.terms.entry(hash).or_insert_with(|| {
                    sizes.push(0);
                    sizes.len() as u32 - 1
                });
                sizes[id as usize] += 1;
            }
            for &(term, root) in &part.roots {
                let Some(&id) = self.terms.get(&term) else { continue };
                let kin = self.roots.entry(root).or_default();
                if !kin.contains(&id) {
                    kin.push(id);
                }
            }
        }
        self.roots.retain(|_, kin| kin.len() > 1);
        sizes
    }

    fn add_file(&mut self, file: FileId, part: &FilePart, next: &mut [u32]) {
        let first = self.docs.len() as u32;
        self.docs.extend(part.nodes.iter().map(|&node| Doc { file, node, lengths: [0; FIELDS] }));
        let mut whole = [0u32; FIELDS];
        // The last document and file (one more than its number) that were counted for a term.
        for &(place, hash, count) in &part.entries {
            let (doc, field) = (first + (place >> FIELD_BITS), (place & (FIELDS as u32 - 1)) as usize);
            let id = self.terms[&hash] as usize;
            let at = next[id] as usize;
            let before = (at > self.offsets[id] as usize).then(|| self.entries[at - 1] >> FIELD_BITS);
            if before.is_none_or(|before| before < first) {
                self.frequencies[id][1] += 1;
            }
            if doc != first && before != Some(doc) {
                self.frequencies[id][0] += 1;
            }
            self.entries[at] = doc << FIELD_BITS | field as u32;
            self.counts[at] = count;
            next[id] += 1;
            self.docs[doc as usize].lengths[field] += u32::from(count);
            whole[field] += u32::from(count);
        }
        self.file_lengths.push(whole);
        self.starts.push(self.docs.len() as u32);
    }

    fn finish_means(&mut self) {
        let mut sums = [[0u64; FIELDS]; 2];
        for (at, doc) in self.docs.iter().enumerate() {
            if self.starts[doc.file as usize] as usize != at {
                add_to(&mut sums[0], &doc.lengths);
            }
        }
        for lengths in &self.file_lengths {
            add_to(&mut sums[1], lengths);
        }
        for ((means, sums), &total) in self.means.iter_mut().zip(&sums).zip(&self.totals) {
            for (mean, &sum) in means.iter_mut().zip(sums) {
                *mean = (sum as f64 / total.max(1) as f64).max(1.0);
            }
        }
    }
}

fn add_to(sums: &mut [u64; FIELDS], lengths: &[u32; FIELDS]) {
    for (sum, &length) in sums.iter_mut().zip(lengths) {
        *sum += u64::from(length);
    }
}

/// Definitions that are worth finding on their own.
fn is_findable(kind: DefKind) -> bool {
    !matches!(kind, DefKind::EnumMember | DefKind::Field | DefKind::Property | DefKind::Key)
}

fn symbol_kind(graph: &Graph, node: NodeId) -> SymbolKind {
    let program = &graph.program;
    let mut at = Some(node);
    while let Some(inner) = at {
        let Some(def) = program.def(inner) else { break };
        let is_test_module = def.kind == DefKind::Namespace && matches!(program.name(inner), "test" | "tests");
        if def.flags.has(DefFlags::TEST) || is_test_module {
            return SymbolKind::Test;
        }
        at = program.container(inner);
    }
    if graph.canonical(node) != node {
        return SymbolKind::Declaration;
    }
    let named_after = |owner: NodeId| program.name(node).trim_start_matches('~') == program.name(owner);
    if program.def(node).is_some_and(|def| def.kind == DefKind::Constructor)
        || graph.type_around(node).is_some_and(named_after)
    {
        return SymbolKind::Constructor;
    }
    SymbolKind::Plain
}

/// The terms of one word, as hashes.
#[derive(Clone, Copy, Default)]
struct Terms {
    start: u32,
    end: u32,
    unit: Unit,
}

/// A word as a part of a phrase.
#[derive(Clone, Copy, Default)]
struct Unit {
    /// 0 for none.
    hash: u64,
    stop: bool,
}

struct FileBuilder<'g> {
    graph: &'g Graph,
    file: FileId,
    facts: &'g FileFacts,
    /// Hashes of terms, and whether each is only grammar; a word's are a range of it.
    hashes: Vec<(u64, bool)>,
    /// Per symbol of the file.
    terms: Vec<Option<Terms>>,
    roots: FxHashMap<u64, u64>,
    counts: FxHashMap<(u32, u64), u32>,
}

impl<'g> FileBuilder<'g> {
    fn new(graph: &'g Graph, file: FileId) -> Self {
        let facts = graph.program.facts(file);
        Self {
            graph,
            file,
            facts,
            hashes: Vec::new(),
            terms: vec![None; facts.strings.len()],
            roots: FxHashMap::default(),
            counts: FxHashMap::default(),
        }
    }

    fn build(mut self) -> FilePart {
        let (graph, facts, file) = (self.graph, self.facts, self.file);
        let program = &graph.program;
        let mut nodes = vec![program.file_node(file)];
        self.add_text(0, Field::Path, program.path(file).as_str());
        // The document that takes a definition's words: its own, or that of the nearest findable
        // definition around it, or the file's.
        let mut home: Vec<u32> = Vec::with_capacity(facts.defs.len());
        for (ix, def) in facts.defs.iter().enumerate() {
            let around = def.container.and_then(|c| home.get(c as usize).copied()).unwrap_or(0);
            if !is_findable(def.kind) {
                self.add_sym(around, Field::Body, def.name, 1);
                home.push(around);
                continue;
            }
            let doc = nodes.len() as u32;
            let node = program.def_node(file, ix as u32);
            let qualified = graph.qualified_name(node);
            let name = facts.str(def.name);
            self.add_sym(doc, Field::Name, def.name, 1);
            let owner = qualified.strip_suffix(name).unwrap_or("");
            self.add_text(doc, Field::Owner, owner);
            home.push(doc);
            nodes.push(node);
        }
        for bag in &facts.terms {
            let doc = bag.def.and_then(|ix| home.get(ix as usize).copied()).unwrap_or(0);
            for &(sym, count) in &bag.identifiers {
                self.add_sym(doc, Field::Body, sym, u32::from(count));
            }
            for (words, field) in [(&bag.doc, Field::Doc), (&bag.comments, Field::Comment), (&bag.strings, Field::Text)]
            {
                self.add_prose(doc, field, words);
            }
        }
        let mut entries: Vec<(u32, u64, u8)> =
            self.counts.into_iter().map(|((place, hash), count)| (place, hash, count.min(255) as u8)).collect();
        entries.sort_unstable();
        let mut roots: Vec<(u64, u64)> = self.roots.into_iter().collect();
        roots.sort_unstable();
        FilePart { nodes, entries, roots }
    }

    fn add_prose(&mut self, doc: u32, field: Field, words: &[Sym]) {
        let mut before = Unit::default();
        for &sym in words {
            if sym == 0 {
                before = Unit::default();
                continue;
            }
            let unit = self.add_sym(doc, field, sym, 1);
            if before.hash != 0 && unit.hash != 0 && !(before.stop && unit.stop) {
                self.count(doc, Field::Pair, pair_hash(before.hash, unit.hash), 1);
            }
            before = unit;
        }
    }

    fn add_sym(&mut self, doc: u32, field: Field, sym: Sym, count: u32) -> Unit {
        let terms = match self.terms[sym as usize] {
            Some(terms) => terms,
            None => {
                let terms = self.terms_of(self.facts.str(sym));
                self.terms[sym as usize] = Some(terms);
                terms
            }
        };
        self.add(doc, field, terms, count);
        terms.unit
    }

    fn add_text(&mut self, doc: u32, field: Field, text: &str) {
        let terms = self.terms_of(text);
        self.add(doc, field, terms, 1);
    }

    /// Words that are only grammar count in names, where they are chosen: `QuerySet.only`.
    fn add(&mut self, doc: u32, field: Field, terms: Terms, count: u32) {
        for at in terms.start..terms.end {
            let (hash, stop) = self.hashes[at as usize];
            if !stop || field == Field::Name {
                self.count(doc, field, hash, count);
            }
        }
    }

    fn count(&mut self, doc: u32, field: Field, hash: u64, count: u32) {
        *self.counts.entry((doc << FIELD_BITS | field as u32, hash)).or_default() += count;
    }

    fn terms_of(&mut self, text: &str) -> Terms {
        let start = self.hashes.len() as u32;
        let mut unit = Unit::default();
        each_word(text, |word| {
            for part in word.parts {
                let term = stem(part);
                let hash = term_hash(term);
                self.hashes.push((hash, is_stop_word(part)));
                self.roots.entry(hash).or_insert_with(|| term_hash(root(term)));
            }
            let hash = term_hash(stem(word.whole));
            if word.compound {
                self.hashes.push((hash, false));
            }
            unit = Unit { hash, stop: is_stop_word(word.whole) };
        });
        Terms { start, end: self.hashes.len() as u32, unit }
    }
}
