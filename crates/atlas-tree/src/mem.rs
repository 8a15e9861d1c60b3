//! A tree in memory, for tests and for gathering over handed files.

use crate::{FileEntry, ReadError, RepoPath, Tree};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A repository held in memory.
#[derive(Debug, Clone, Default)]
pub struct MemTree {
    entries: Vec<FileEntry>,
    bytes: BTreeMap<RepoPath, Vec<u8>>,
}

impl MemTree {
    /// # Panics
    /// If a path is not a [`RepoPath`]: the paths are the programmer's.
    pub fn new<P: AsRef<str>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let bytes: BTreeMap<RepoPath, Vec<u8>> =
            files.into_iter().map(|(path, bytes)| (RepoPath::new(path).expect("a valid path"), bytes.into())).collect();
        let entries =
            bytes.iter().map(|(path, bytes)| FileEntry { path: path.clone(), size: bytes.len() as u64 }).collect();
        Self { entries, bytes }
    }
}

impl Tree for MemTree {
    fn files(&self) -> &[FileEntry] {
        &self.entries
    }

    fn read(&self, path: &RepoPath) -> Result<Cow<'_, [u8]>, ReadError> {
        self.bytes.get(path).map(|bytes| Cow::Borrowed(&bytes[..])).ok_or_else(|| ReadError::NotFound(path.clone()))
    }

    fn resolve(&self, path: &RepoPath) -> Result<RepoPath, ReadError> {
        if self.bytes.contains_key(path) { Ok(path.clone()) } else { Err(ReadError::NotFound(path.clone())) }
    }
}
