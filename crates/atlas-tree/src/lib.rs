//! A read-only view of a repository: paths, bytes, lines, globs.
//!
//! Everything here is a plain value or a trait without a method that writes, so that whoever
//! holds a [`Tree`] cannot change the repository under study (contract §2). What is deliberately
//! *not* here: the disk. `atlas-repo` implements [`Tree`] for a real directory, [`MemTree`] for
//! tests.

mod digest;
mod glob;
mod lines;
mod mem;
mod path;

pub use digest::{Digest, sha256};
pub use glob::{GlobError, Scope, escape_glob};
pub use lines::{LineError, Lines, line_count, line_starts, lines_bytes};
pub use mem::MemTree;
pub use path::{PathError, RepoPath};

use std::borrow::Cow;

/// One regular file of the surface, after ignore rules. Symbolic links are never entries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEntry {
    pub path: RepoPath,
    /// Size in bytes when the tree was walked.
    pub size: u64,
}

/// What the disk says of a file without reading it: equal stats mean, but for a race that whoever
/// keeps them must guard against, equal bytes. Zero where the platform has no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Last change of content or metadata, in nanoseconds since 1970: moves even if `mtime` is set back.
    pub ctime_ns: i64,
    pub inode: u64,
}

/// Why bytes could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// No such file, or it vanished since the tree was walked.
    #[error("`{0}` does not exist")]
    NotFound(RepoPath),
    /// The path leads out of the repository by a link.
    #[error("`{0}` leads out of the repository")]
    Outside(RepoPath),
    /// Something that is not a regular file: a directory, a socket, a device.
    #[error("`{0}` is not a regular file")]
    NotAFile(RepoPath),
    /// The operating system refused.
    #[error("`{path}` cannot be read: {cause}")]
    Io { path: RepoPath, cause: String },
}

/// A repository as it is read. Implementations never write.
pub trait Tree: Send + Sync {
    /// The surface in path order: every regular file that ignore rules leave.
    fn files(&self) -> &[FileEntry];

    /// The bytes of one file as they are now. A path that is a link is resolved and must stay
    /// inside; files outside the surface (ignored ones) are readable too: bounds are the tools'.
    ///
    /// # Errors
    /// [`ReadError`] tells a missing file from one that may not be read.
    fn read(&self, path: &RepoPath) -> Result<Cow<'_, [u8]>, ReadError>;

    /// The path that `path` leads to once links are resolved, relative to the repository.
    ///
    /// # Errors
    /// As [`Tree::read`].
    fn resolve(&self, path: &RepoPath) -> Result<RepoPath, ReadError>;

    /// The entry of the surface with exactly this path.
    fn entry(&self, path: &RepoPath) -> Option<&FileEntry> {
        let files = self.files();
        files.binary_search_by(|entry| entry.path.cmp(path)).ok().map(|at| &files[at])
    }
}
