//! The inverted index over symbols and files.

use crate::terms::{is_stop_word, words};
use atlas_graph::Graph;
use atlas_graph::link::{FileId, NodeId};
use atlas_syntax::DefKind;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A field of a document; each has its own weight and length norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Path,
    Name,
    Comment,
    Body,
    Text,
}

pub(crate) const FIELDS: usize = 5;

/// Something that can be found: a symbol or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doc {
    pub file: FileId,
    /// The definition; the file's own node for a file.
    pub node: NodeId,
    /// Words per field.
    pub(crate) lengths: [u32; FIELDS],
}

/// One entry of a term's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub doc: u32,
    pub counts: [u16; FIELDS],
}

/// Immutable; shared by every question.
#[derive(Debug)]
pub struct RetrievalIndex {
    /// In node order: each file's own document comes before those of its symbols.
    pub(crate) docs: Vec<Doc>,
    pub(crate) postings: Vec<Vec<Posting>>,
    pub(crate) terms: FxHashMap<Box<str>, u32>,
    /// Mean words per field, for symbols and for files.
    pub(crate) means: [[f64; FIELDS]; 2],
    /// How many documents are symbols, and files.
    pub(crate) totals: [usize; 2],
    /// How many documents of each kind hold each term.
    pub(crate) frequencies: Vec<[u32; 2]>,
    /// Per file: whether it is test code.
    pub(crate) is_test: Vec<bool>,
}

/// The terms of one document with their counts per field, in term text order.
type Bag = BTreeMap<String, [u16; FIELDS]>;

impl RetrievalIndex {
    /// Builds the index from the facts that the graph was linked from.
    #[must_use]
    pub fn build(graph: &Graph) -> Self {
        let program = &graph.program;
        let per_file: Vec<Vec<(NodeId, Bag)>> =
            (0..program.files().len() as FileId).into_par_iter().map(|file| file_docs(graph, file)).collect();
        let mut index = Self {
            docs: Vec::new(),
            postings: Vec::new(),
            terms: FxHashMap::default(),
            means: [[0.0; FIELDS]; 2],
            totals: [0; 2],
            frequencies: Vec::new(),
            is_test: program.files().iter().map(|file| is_test_path(file.path.as_str())).collect(),
        };
        let mut sums = [[0u64; FIELDS]; 2];
        for (file, docs) in per_file.into_iter().enumerate() {
            for (node, bag) in docs {
                let doc = index.docs.len() as u32;
                let kind = usize::from(program.def(node).is_none());
                let mut lengths = [0u32; FIELDS];
                for (term, counts) in bag {
                    for (length, &count) in lengths.iter_mut().zip(&counts) {
                        *length += u32::from(count);
                    }
                    let id = index.term_id(term);
                    index.postings[id].push(Posting { doc, counts });
                    index.frequencies[id][kind] += 1;
                }
                index.docs.push(Doc { file: file as FileId, node, lengths });
                index.totals[kind] += 1;
                for (sum, &length) in sums[kind].iter_mut().zip(&lengths) {
                    *sum += u64::from(length);
                }
            }
        }
        for ((means, sums), &total) in index.means.iter_mut().zip(&sums).zip(&index.totals) {
            for (mean, &sum) in means.iter_mut().zip(sums) {
                *mean = sum as f64 / total.max(1) as f64;
            }
        }
        index
    }

    fn term_id(&mut self, term: String) -> usize {
        if let Some(&id) = self.terms.get(term.as_str()) {
            return id as usize;
        }
        let id = self.postings.len();
        self.terms.insert(term.into(), id as u32);
        self.postings.push(Vec::new());
        self.frequencies.push([0; 2]);
        id
    }

    /// Whether a file is test code, by its path.
    #[must_use]
    pub fn is_test(&self, file: FileId) -> bool {
        self.is_test[file as usize]
    }

    pub(crate) fn is_file(&self, doc: &Doc, graph: &Graph) -> bool {
        doc.node == graph.program.file_node(doc.file)
    }
}

/// Definitions that are worth finding on their own.
fn is_findable(kind: DefKind) -> bool {
    !matches!(kind, DefKind::EnumMember | DefKind::Field | DefKind::Property | DefKind::Key)
}

fn file_docs(graph: &Graph, file: FileId) -> Vec<(NodeId, Bag)> {
    let program = &graph.program;
    let facts = program.facts(file);
    let path = program.path(file).as_str();
    let mut whole = Bag::new();
    add(&mut whole, Field::Path, path, 1);
    // Index of the document that takes a definition's words: its own, or that of the nearest
    // findable definition around it; none means the file alone.
    let mut home: Vec<Option<usize>> = Vec::with_capacity(facts.defs.len());
    let mut docs: Vec<(NodeId, Bag)> = Vec::new();
    for (ix, def) in facts.defs.iter().enumerate() {
        let around = def.container.and_then(|c| home.get(c as usize).copied().flatten());
        let name = facts.str(def.name);
        add(&mut whole, Field::Name, name, 1);
        if !is_findable(def.kind) {
            if let Some(at) = around {
                add(&mut docs[at].1, Field::Body, name, 1);
            }
            home.push(around);
            continue;
        }
        let node = program.def_node(file, ix as u32);
        let mut bag = Bag::new();
        add(&mut bag, Field::Path, path, 1);
        add(&mut bag, Field::Name, &graph.qualified_name(node), 1);
        home.push(Some(docs.len()));
        docs.push((node, bag));
    }
    for bag in &facts.terms {
        let at = bag.def.and_then(|ix| home.get(ix as usize).copied().flatten());
        for (list, field) in
            [(&bag.identifiers, Field::Body), (&bag.comments, Field::Comment), (&bag.strings, Field::Text)]
        {
            for &(sym, count) in list {
                let text = facts.str(sym);
                add(&mut whole, field, text, count);
                if let Some(at) = at {
                    add(&mut docs[at].1, field, text, count);
                }
            }
        }
    }
    docs.insert(0, (program.file_node(file), whole));
    docs
}

fn add(bag: &mut Bag, field: Field, text: &str, count: u16) {
    words(text, |word| {
        if is_stop_word(word) && field != Field::Name {
            return;
        }
        let counts = match bag.get_mut(word) {
            Some(counts) => counts,
            None => bag.entry(word.to_owned()).or_insert([0; FIELDS]),
        };
        let slot = &mut counts[field as usize];
        *slot = slot.saturating_add(count);
    });
}

/// Whether a path is test code, by the names that test runners and people use.
#[must_use]
pub(crate) fn is_test_path(path: &str) -> bool {
    let lower = path.to_lowercase();
    let (dirs, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let in_dir = dirs.split('/').any(|part| {
        matches!(
            part,
            "test"
                | "tests"
                | "__tests__"
                | "spec"
                | "specs"
                | "testing"
                | "testdata"
                | "fixtures"
                | "e2e"
                | "__mocks__"
                | "benches"
        )
    });
    let stem = name.split('.').next().unwrap_or(name);
    in_dir
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem.ends_with("_tests")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name == "conftest.py"
        || (name.ends_with(".java") && (stem.ends_with("test") || stem.ends_with("tests")))
}
