//! A tree becomes an index: read, classify, extract in parallel, link.

use crate::languages::{NoFacts, complete, extract, semantics};
use crate::progress::Progress;
use atlas_artifact::{MapGap, SkipReason};
use atlas_graph::link::{ConfigFile, Program, SourceFile, is_config, link};
use atlas_repo::{DiskTree, classify};
use atlas_retrieve::RetrievalIndex;
use atlas_store::FactsCache;
use atlas_syntax::{EXTRACTOR_VERSION, FileFacts, Language};
use atlas_tools::CodeIndex;
use atlas_tree::{Digest, FileEntry, RepoPath, Tree, sha256};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

/// What reading one file gave.
#[derive(Default)]
struct FileRead {
    facts: Option<Arc<FileFacts>>,
    gap: Option<MapGap>,
    config: Option<ConfigFile>,
    digest: Option<Digest>,
    weightless: bool,
    /// Facts that the cache did not have.
    fresh: Option<(FactsKey, Vec<u8>)>,
}

/// What the facts of a file depend on.
type FactsKey = (Digest, Language);

/// How an index came about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexStats {
    /// Files whose facts were at hand.
    pub cached: usize,
    /// Files that were parsed.
    pub parsed: usize,
}

/// An index and how it came about.
pub struct Indexed {
    pub index: Arc<CodeIndex>,
    pub stats: IndexStats,
}

/// Facts that are looked up and stored in one go.
const BATCH: usize = 2_000;

/// Indexes the whole tree. The result depends on the tree's bytes alone, never on the cache or on
/// the number of threads.
#[must_use]
pub fn index(tree: &DiskTree, cache: &FactsCache, progress: &dyn Progress) -> Indexed {
    let files = tree.files();
    progress.phase("read", files.len() as u64);
    let mut stats = IndexStats::default();
    let mut reads: Vec<FileRead> = Vec::with_capacity(files.len());
    for batch in files.chunks(BATCH) {
        let mut done = read_batch(tree, batch, cache, progress);
        let fresh: Vec<(FactsKey, Vec<u8>)> = done.iter_mut().filter_map(|read| read.fresh.take()).collect();
        stats.parsed += fresh.len();
        stats.cached += done.iter().filter(|read| read.facts.is_some()).count() - fresh.len();
        let rows: Vec<_> = fresh.into_iter().map(|(key, blob)| (cache_key(key), blob)).collect();
        cache.put(&rows);
        reads.append(&mut done);
    }
    progress.phase("link", 0);
    let mut gaps: Vec<MapGap> = tree.skipped().iter().cloned().map(MapGap::from).collect();
    let mut sources = Vec::new();
    let mut configs = Vec::new();
    let mut identity = Vec::new();
    let mut weightless = Vec::new();
    for (entry, read) in files.iter().zip(reads) {
        identity.extend_from_slice(entry.path.as_str().as_bytes());
        identity.push(0);
        identity.extend_from_slice(&read.digest.unwrap_or(Digest([0; 32])).0);
        gaps.extend(read.gap);
        configs.extend(read.config);
        if let Some(facts) = read.facts {
            sources.push(SourceFile { path: entry.path.clone(), facts });
            weightless.push(read.weightless);
        }
    }
    gaps.sort();
    gaps.dedup();
    let program = Arc::new(Program::new(sources, configs));
    let graph = link(program, &semantics());
    progress.phase("rank", 0);
    let retrieval = RetrievalIndex::build(&graph);
    let version = u64::from_le_bytes(first_eight(&sha256(&identity)));
    Indexed { index: Arc::new(CodeIndex { graph, gaps, version, retrieval, weightless }), stats }
}

fn first_eight(digest: &Digest) -> [u8; 8] {
    let mut out = [0; 8];
    out.copy_from_slice(&digest.0[..8]);
    out
}

fn cache_key((digest, language): FactsKey) -> atlas_store::FactsKey {
    atlas_store::FactsKey { content: digest, language: format!("{language:?}"), version: build_version() }
}

/// Which build of the extractors made the facts: their declared version, and the program file itself,
/// so that no build ever reads what another one with other rules left behind.
fn build_version() -> u32 {
    static VERSION: OnceLock<u32> = OnceLock::new();
    *VERSION.get_or_init(|| {
        let file = std::env::current_exe().and_then(|path| path.metadata());
        let stamp = file.map_or((0, 0), |meta| {
            let changed = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
            (meta.len(), changed.map_or(0, |at| at.as_nanos()))
        });
        let text = format!("{EXTRACTOR_VERSION} {} {}", stamp.0, stamp.1);
        let digest = sha256(text.as_bytes());
        u32::from_le_bytes([digest.0[0], digest.0[1], digest.0[2], digest.0[3]])
    })
}

/// Reads files in parallel, asks the cache once, parses what it lacks in parallel.
fn read_batch(tree: &DiskTree, batch: &[FileEntry], cache: &FactsCache, progress: &dyn Progress) -> Vec<FileRead> {
    let mut reads: Vec<(FileRead, Option<Pending>)> =
        batch.par_iter().map(|entry| read_file(tree, &entry.path)).collect();
    let keys: Vec<atlas_store::FactsKey> =
        reads.iter().filter_map(|(_, pending)| pending.as_ref()).map(|pending| cache_key(pending.key)).collect();
    let mut known = cache.get(&keys).into_iter();
    for (_, pending) in &mut reads {
        if let Some(pending) = pending {
            pending.blob = known.next().flatten();
        }
    }
    reads
        .into_par_iter()
        .zip(batch)
        .map(|((mut read, pending), entry)| {
            if let Some(pending) = pending {
                finish_file(&mut read, pending, &entry.path);
            }
            progress.step();
            read
        })
        .collect()
}

/// A file that is to be parsed unless the cache has its facts.
struct Pending {
    key: FactsKey,
    bytes: Vec<u8>,
    blob: Option<Vec<u8>>,
}

fn read_file(tree: &DiskTree, path: &RepoPath) -> (FileRead, Option<Pending>) {
    let mut read = FileRead::default();
    let gap =
        |reason: SkipReason, detail: &str| Some(MapGap { path: path.to_string(), reason, detail: detail.to_owned() });
    let bytes = match tree.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            read.gap = gap(SkipReason::Unreadable, &error.to_string());
            return (read, None);
        }
    };
    let digest = sha256(&bytes);
    read.digest = Some(digest);
    if is_config(path) {
        read.config = Some(ConfigFile { path: path.clone(), bytes: bytes.as_ref().into() });
    }
    if let Some(content) = classify(path, &bytes) {
        read.gap = gap(content.reason, content.detail);
        read.weightless = true;
        if !content.parse {
            return (read, None);
        }
    }
    let Some(language) = Language::of(path, &bytes) else {
        if read.gap.is_none() {
            read.gap = gap(SkipReason::NoGrammar, "no known language");
        }
        return (read, None);
    };
    let pending = Pending { key: (digest, language), bytes: bytes.into_owned(), blob: None };
    (read, Some(pending))
}

fn finish_file(read: &mut FileRead, pending: Pending, path: &RepoPath) {
    let Pending { key, bytes, blob } = pending;
    let mut facts = match blob.as_deref().map(postcard::from_bytes::<FileFacts>) {
        Some(Ok(facts)) => facts,
        // A blob that does not read back is as good as none.
        Some(Err(_)) | None => match extract(&bytes, key.1) {
            Ok(facts) => {
                if let Ok(blob) = postcard::to_stdvec(&facts) {
                    read.fresh = Some((key, blob));
                }
                facts
            }
            Err(reason) => {
                if read.gap.is_none() {
                    let (reason, detail) = match reason {
                        NoFacts::NoGrammar => {
                            (SkipReason::NoGrammar, format!("no grammar for {:?} in this build", key.1))
                        }
                        NoFacts::Failed => (SkipReason::SyntaxError, "nothing of it could be parsed".to_owned()),
                    };
                    read.gap = Some(MapGap { path: path.to_string(), reason, detail });
                }
                return;
            }
        },
    };
    if facts.error_count > 0 && read.gap.is_none() {
        let places: Vec<String> =
            facts.errors.iter().take(3).map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
        let detail = format!("{} places did not parse, first at lines {}", facts.error_count, places.join(", "));
        read.gap = Some(MapGap { path: path.to_string(), reason: SkipReason::SyntaxError, detail });
    }
    complete(path, &mut facts);
    read.facts = Some(Arc::new(facts));
}
