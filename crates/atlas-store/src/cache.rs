//! The cache of facts: one SQLite file a repository, in the user's cache directory.
//!
//! | table | key | value |
//! | --- | --- | --- |
//! | facts | content, language, extractor version | the facts of a file, in bytes |
//! | stats | root, path | size, times, inode → content: what did not change is not read again |
//! | blobs | name | anything rebuilt at a cost, such as a snapshot of the graph |
//!
//! Any number of processes read while one writes (SQLite's write-ahead log). The format's number is in the
//! file's name: another format is another file.
//!
//! **It never fails a run.** Every answer of a cache that is damaged, locked, read-only or not there is
//! that of an empty one, every write to it is dropped, and [`FactsCache::warning`] says why. A damaged
//! file is removed and made anew; each value has a checksum, so that a page that went bad is a miss.
//!
//! **Eviction**, by [`FactsCache::finish_run`]: what no run used for [`CACHE_RUNS_KEPT`] runs and a
//! few more goes, then what was used longest ago until at most [`CACHE_BYTES_MAX`] remain.

mod eviction;
mod file;
mod stats;

use atlas_tree::Digest;
use file::Connected;
use rusqlite::{Connection, OptionalExtension as _, params};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Runs that something unused is kept for, at least.
pub const CACHE_RUNS_KEPT: i64 = 30;
/// Bytes of values in one cache, at most, once a run has finished: 1 GiB.
pub const CACHE_BYTES_MAX: u64 = 1 << 30;
/// A file that changed less than this before it was looked at may change again without its times
/// telling: nothing is remembered of it. In nanoseconds, two seconds: the coarsest clock of a file system in use.
pub const RACY_NS: i64 = 2_000_000_000;

/// How long a process waits for another one that writes.
const BUSY: Duration = Duration::from_secs(2);

/// What the facts of a file depend on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactsKey {
    pub content: Digest,
    /// The language's name, as the extractor knows it.
    pub language: String,
    /// The extractor's version for that language.
    pub version: u32,
}

impl FactsKey {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(36 + self.language.len());
        bytes.extend_from_slice(&self.content.0);
        bytes.extend_from_slice(&self.version.to_be_bytes());
        bytes.extend_from_slice(self.language.as_bytes());
        bytes
    }
}

/// The cache of one repository; shared by threads, which take turns.
#[derive(Debug)]
pub struct FactsCache {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    path: PathBuf,
    connection: Option<Connection>,
    warning: Option<String>,
    /// This run's number.
    run: i64,
    /// Rows of `facts` that this run read.
    used: BTreeSet<i64>,
    /// Names in `blobs` likewise.
    used_blobs: BTreeSet<String>,
}

impl State {
    fn new(path: PathBuf, connected: Connected) -> Mutex<Self> {
        let Connected { connection, warning, run } = connected;
        Mutex::new(Self { path, connection, warning, run, used: BTreeSet::new(), used_blobs: BTreeSet::new() })
    }
}

impl FactsCache {
    /// Opens the cache in the folder `dir` (see [`Directories::cache`](crate::Directories::cache)),
    /// both made if they are not there. Never fails; see [`FactsCache::warning`].
    #[must_use]
    pub fn open(dir: &Path) -> Self {
        Self::open_waiting(dir, BUSY)
    }

    /// No cache: always empty, keeps nothing, warns of nothing.
    #[must_use]
    pub fn none() -> Self {
        Self { state: State::new(PathBuf::new(), Connected { connection: None, warning: None, run: 0 }) }
    }

    pub(crate) fn open_waiting(dir: &Path, busy: Duration) -> Self {
        let path = dir.join(file::NAME);
        let connected = file::connect(dir, &path, busy);
        Self { state: State::new(path, connected) }
    }

    /// Why the cache is not, or not fully, in use; the first reason.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        self.state().warning.clone()
    }

    /// The facts that are stored, in the order of `keys`.
    #[must_use]
    pub fn get(&self, keys: &[FactsKey]) -> Vec<Option<Vec<u8>>> {
        let found = self.state().with(|connection| {
            let reading = connection.unchecked_transaction()?;
            let mut select = reading.prepare_cached("SELECT id, sum, data FROM facts WHERE key = ?1")?;
            let mut found = Vec::with_capacity(keys.len());
            for key in keys {
                let row = select
                    .query_row([key.bytes()], |row| {
                        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
                    })
                    .optional()?;
                found.push(row.filter(|(_, sum, data)| *sum == checksum(data)).map(|(id, _, data)| (id, data)));
            }
            Ok(found)
        });
        let Some(found) = found else { return vec![None; keys.len()] };
        self.state().used.extend(found.iter().flatten().map(|(id, _)| *id));
        found.into_iter().map(|row| row.map(|(_, data)| data)).collect()
    }

    /// Stores facts, all of them or none.
    pub fn put(&self, entries: &[(FactsKey, Vec<u8>)]) {
        if entries.is_empty() {
            return;
        }
        // Sorted, so that the pages of the index are filled one after the other.
        let mut sorted: Vec<(Vec<u8>, &[u8])> = entries.iter().map(|(key, data)| (key.bytes(), &data[..])).collect();
        sorted.sort();
        let mut state = self.state();
        let run = state.run;
        state.with(|connection| {
            let writing = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            {
                let mut insert = writing.prepare_cached(
                    "INSERT INTO facts (key, sum, data) VALUES (?1, ?2, ?3)
                     ON CONFLICT (key) DO UPDATE SET sum = excluded.sum, data = excluded.data RETURNING id",
                )?;
                let mut mark =
                    writing.prepare_cached("INSERT OR REPLACE INTO uses (id, used, bytes) VALUES (?1, ?2, ?3)")?;
                for (key, data) in &sorted {
                    let id: i64 = insert.query_row(params![key, checksum(data), data], |row| row.get(0))?;
                    mark.execute(params![id, run, length(data)])?;
                }
            }
            writing.commit()
        });
    }

    /// A value by its name.
    #[must_use]
    pub fn blob(&self, name: &str) -> Option<Vec<u8>> {
        let mut state = self.state();
        let row: Option<(i64, Vec<u8>)> = state
            .with(|connection| {
                let mut select = connection.prepare_cached("SELECT sum, data FROM blobs WHERE name = ?1")?;
                select.query_row([name], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .flatten();
        let data = row.filter(|(sum, data)| *sum == checksum(data)).map(|(_, data)| data)?;
        state.used_blobs.insert(name.to_owned());
        Some(data)
    }

    /// Keeps a value under a name; one that has the name already is replaced.
    pub fn put_blob(&self, name: &str, data: &[u8]) {
        let mut state = self.state();
        let run = state.run;
        state.with(|connection| {
            connection.execute(
                "INSERT OR REPLACE INTO blobs (name, used, sum, data) VALUES (?1, ?2, ?3, ?4)",
                params![name, run, checksum(data), data],
            )
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Runs `query`, if there is a cache. A failure is a warning and no answer; after damage there
    /// is no cache any more.
    fn with<T>(&mut self, query: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Option<T> {
        match query(self.connection.as_mut()?) {
            Ok(answer) => Some(answer),
            Err(error) => {
                if file::is_damage(&error) {
                    self.connection = None;
                    file::remove(&self.path);
                }
                let why = file::words(&error);
                self.warning.get_or_insert_with(|| format!("the cache `{}` {why}", self.path.display()));
                None
            }
        }
    }
}

fn checksum(data: &[u8]) -> i64 {
    let mut hasher = FxHasher::default();
    hasher.write(data);
    hasher.write_usize(data.len());
    hasher.finish().cast_signed()
}

fn length(data: &[u8]) -> i64 {
    i64::try_from(data.len()).unwrap_or(i64::MAX)
}
