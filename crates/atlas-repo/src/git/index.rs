//! What git tracks: the entries of the index.

use gix::index::entry::{Flags, Mode};
use std::path::Path;

/// One tracked path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tracked {
    /// Relative to the directory that holds `.git`; ends in a slash if it stands for a directory
    /// that a sparse checkout left out.
    pub(crate) path: Vec<u8>,
    pub(crate) kind: TrackedKind,
    /// A sparse checkout leaves it out of the work tree.
    pub(crate) sparse: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrackedKind {
    File,
    Submodule,
    SparseDir,
}

/// The index of a work tree, in path order and without repeats (a path in conflict has up to
/// three entries). No index at all is an empty one.
///
/// # Errors
/// In words, when there is one that cannot be read.
pub(crate) fn read_index(git_dir: &Path) -> Result<Vec<Tracked>, String> {
    let file = git_dir.join("index");
    if std::fs::symlink_metadata(&file).is_err() {
        return Ok(Vec::new());
    }
    super::guarded("the git index", || {
        let options = gix::index::decode::Options { thread_limit: Some(1), ..Default::default() };
        let index = gix::index::File::at(&file, gix::hash::Kind::Sha1, false, options)
            .map_err(|_| "the git index is damaged or of an unknown kind".to_owned())?;
        let mut tracked: Vec<Tracked> = Vec::with_capacity(index.entries().len());
        for entry in index.entries() {
            let path: &[u8] = entry.path(&index);
            if tracked.last().is_some_and(|last| last.path == path) {
                continue;
            }
            let kind = match entry.mode {
                Mode::COMMIT => TrackedKind::Submodule,
                Mode::DIR => TrackedKind::SparseDir,
                _ => TrackedKind::File,
            };
            let sparse = kind == TrackedKind::SparseDir || entry.flags.contains(Flags::SKIP_WORKTREE);
            tracked.push(Tracked { path: path.to_vec(), kind, sparse });
        }
        // The index of a damaged repository need not be in order.
        tracked.sort_by(|a, b| a.path.cmp(&b.path));
        tracked.dedup_by(|a, b| a.path == b.path);
        Ok(tracked)
    })
}
