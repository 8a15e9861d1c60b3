//! The inverted index over symbols and files.
//!
//! A document is a symbol, or what of a file belongs to no symbol; a file's own counts are the sums
//! over its documents, which stand together, so that one list of postings serves both grains.
//! Deliberately *not* here: what a question asks, and weights.

mod build;

use crate::near::Near;
use atlas_graph::link::{FileId, NodeId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// Where a word stands; each field has its own weight and length norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// Parts of the file's path; of the file's own document alone.
    Path,
    /// The symbol's own name.
    Name,
    /// Names of what is around the symbol.
    Owner,
    Body,
    Doc,
    Comment,
    Text,
    /// Two words in a row, of a string, a comment or documentation.
    Pair,
}

pub(crate) const FIELDS: usize = 8;
pub(crate) const FIELD_BITS: u32 = 3;

/// Something that can be found: a symbol, or what of a file belongs to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doc {
    pub file: FileId,
    /// The definition; the file's own node for the rest of a file.
    pub node: NodeId,
    /// Words per field.
    pub(crate) lengths: [u32; FIELDS],
}

/// Immutable; shared by every question.
#[derive(Debug, Default)]
pub struct RetrievalIndex {
    /// In node order; the first of each file is its rest.
    pub(crate) docs: Vec<Doc>,
    /// The documents of file `f` are `docs[starts[f]..starts[f + 1]]`.
    pub(crate) starts: Vec<u32>,
    /// Words per field of each file.
    pub(crate) file_lengths: Vec<[u32; FIELDS]>,
    pub(crate) terms: FxHashMap<u64, u32>,
    /// Terms that have the same root, by the root.
    pub(crate) roots: FxHashMap<u64, Vec<u32>>,
    /// The postings of term `t` are `entries[offsets[t]..offsets[t + 1]]`, in document and field
    /// order: document and field in one number, and how often, at most 255.
    pub(crate) offsets: Vec<u32>,
    pub(crate) entries: Vec<u32>,
    pub(crate) counts: Vec<u8>,
    /// How many symbols, and files, hold each term.
    pub(crate) frequencies: Vec<[u32; 2]>,
    /// Mean words per field, of symbols and of files.
    pub(crate) means: [[f64; FIELDS]; 2],
    /// How many documents are symbols, and files.
    pub(crate) totals: [usize; 2],
    pub(crate) kinds: Vec<FileKind>,
    /// Per document.
    pub(crate) symbol_kinds: Vec<SymbolKind>,
    /// Lines of each document; of the rest of a file, those of the whole.
    pub(crate) lines: Vec<u32>,
    /// Links between documents, and between files by their numbers.
    pub(crate) near: Near,
    pub(crate) near_files: Near,
    /// The document of the type that a symbol is a member of; itself if it is of none.
    pub(crate) owners: Vec<u32>,
}

/// What a file is for, by its path; all but source is ranked apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    Source,
    Test,
    /// Examples, demonstrations, benchmarks, documentation.
    Example,
    /// Generated, or other people's.
    Foreign,
}

/// What a symbol is, as far as ranking cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SymbolKind {
    Plain,
    /// Test code, wherever it stands.
    Test,
    /// A declaration whose definition stands elsewhere.
    Declaration,
    /// Runs when an instance is made or ends, and is named after its type.
    Constructor,
}

/// One posting: document, field, how often.
pub(crate) type Posting = (u32, usize, u8);

impl RetrievalIndex {
    /// Whether a file is test code, by its path.
    #[must_use]
    pub fn is_test(&self, file: FileId) -> bool {
        self.kinds[file as usize] == FileKind::Test
    }

    /// What a file is for, by its path.
    #[must_use]
    pub fn kind(&self, file: FileId) -> FileKind {
        self.kinds[file as usize]
    }

    pub(crate) fn is_rest(&self, doc: u32) -> bool {
        self.starts[self.docs[doc as usize].file as usize] == doc
    }

    pub(crate) fn term(&self, text: &str) -> Option<u32> {
        self.terms.get(&term_hash(text)).copied()
    }

    pub(crate) fn pair(&self, first: &str, second: &str) -> Option<u32> {
        self.terms.get(&pair_hash(term_hash(first), term_hash(second))).copied()
    }

    /// Terms that share a root with `text`, itself included, in order of first appearance.
    pub(crate) fn kin(&self, text: &str) -> &[u32] {
        self.roots.get(&term_hash(crate::terms::root(text))).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn postings(&self, term: u32) -> impl Iterator<Item = Posting> + '_ {
        let range = self.offsets[term as usize] as usize..self.offsets[term as usize + 1] as usize;
        self.entries[range.clone()]
            .iter()
            .zip(&self.counts[range])
            .map(|(&entry, &count)| (entry >> FIELD_BITS, (entry & (FIELDS as u32 - 1)) as usize, count))
    }

    /// Bytes that the index holds, near enough.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.len() * 5
            + self.docs.len() * size_of::<Doc>()
            + self.file_lengths.len() * size_of::<[u32; FIELDS]>()
            + self.offsets.len() * 12
            + self.terms.len() * 14
            + self.roots.len() * 40
    }
}

/// Terms are known by a hash of 64 bits: among a million terms two meet with a chance of one in
/// thirty million, and then a rank is slightly off.
pub(crate) fn term_hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

pub(crate) fn pair_hash(first: u64, second: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(first);
    hasher.write_u64(second ^ 0x5bd1_e995_9d1b_2f37);
    hasher.finish()
}

/// What a file is for, by the names that test runners, generators and people use.
#[must_use]
pub(crate) fn file_kind(path: &str) -> FileKind {
    let lower = path.to_lowercase();
    let (dirs, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let python = name.ends_with(".py");
    let test_dir = |(depth, part): (usize, &str)| match part {
        "tests" | "__tests__" | "spec" | "specs" | "testdata" | "test_data" | "fixtures" | "e2e" | "__mocks__"
        | "integration-tests" | "test-utils" => true,
        // A Python package may well be called so and be no test: `django.test`, `numpy.testing`.
        "test" | "testing" => !python || depth == 0,
        _ => false,
    };
    let stem = name.split('.').next().unwrap_or(name);
    if dirs.split('/').enumerate().any(test_dir)
        || stem.starts_with("test_")
        || ["_test", "_tests", "_spec"].iter().any(|end| stem.ends_with(end))
        || [".test.", ".tests.", ".spec.", ".cy."].iter().any(|part| name.contains(part))
        || ["conftest.py", "test.py", "tests.py", "tests.rs"].contains(&name)
        || (name.ends_with(".java") && ["test", "tests", "testcase"].iter().any(|end| stem.ends_with(end)))
    {
        return FileKind::Test;
    }
    let foreign_dir = |part: &str| {
        matches!(
            part,
            "vendor"
                | "third_party"
                | "third-party"
                | "thirdparty"
                | "node_modules"
                | "single_include"
                | "singleheader"
                | "dist"
                | "generated"
                | "amalgamated"
        )
    };
    if dirs.split('/').any(foreign_dir)
        || stem.contains("amalgamated")
        || [".min.js", ".pb.go", "_pb2.py", ".pb.cc", ".pb.h", ".generated.ts"].iter().any(|end| name.ends_with(end))
    {
        return FileKind::Foreign;
    }
    let example_dir = |part: &str| {
        matches!(
            part,
            "example"
                | "examples"
                | "sample"
                | "samples"
                | "demo"
                | "demos"
                | "doc"
                | "docs"
                | "benchmark"
                | "benchmarks"
                | "bench"
                | "benches"
                | "fuzz"
                | "fuzzing"
        )
    };
    if dirs.split('/').any(example_dir) { FileKind::Example } else { FileKind::Source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_tell_what_a_file_is_for() {
        for (path, kind) in [
            ("src/login.py", FileKind::Source),
            ("django/test/client.py", FileKind::Source),
            ("test/client.py", FileKind::Test),
            ("pkg/tests/helper.py", FileKind::Test),
            ("src/test/java/A.java", FileKind::Test),
            ("src/main/java/ATest.java", FileKind::Test),
            ("a/b_test.go", FileKind::Test),
            ("a/b.spec.ts", FileKind::Test),
            ("examples/run.rs", FileKind::Example),
            ("contest/latest.py", FileKind::Source),
            ("single_include/all.hpp", FileKind::Foreign),
            ("api/store.pb.go", FileKind::Foreign),
        ] {
            assert_eq!(file_kind(path), kind, "{path}");
        }
    }
}
