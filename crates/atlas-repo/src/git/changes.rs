//! What changed between two commits, and between a commit and the files as they lie on the disk
//! (contract §14).

use super::guarded;
use super::history::{History, HistoryError, TreeChange, first_line};
use crate::content::SOURCE_BYTES_MAX;
use crate::tree::DiskTree;
use atlas_tree::{RepoPath, Tree as _, line_count};
use gix::ObjectId;
use gix::diff::blob::{Algorithm, InternedInput, diff_with_slider_heuristics, sources::byte_lines};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Files that are compared, at most.
const FILES_MAX: usize = 2_000_000;

/// One file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path on the new side; for a deleted file the old one.
    pub path: RepoPath,
    pub kind: ChangeKind,
    /// In line order. A file that is binary or larger than source has one hunk over all of it; one
    /// whose bytes the clone lacks has [`Hunk::UNKNOWN`]; one that was only renamed, or is empty, has none.
    pub hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Added,
    Deleted,
    Modified,
    /// The same bytes under another name, the old one being gone. A rename with changes is told as
    /// a deletion and an addition.
    Renamed {
        from: RepoPath,
    },
}

/// Lines that were replaced: `old_lines` lines from line `old_start` on by `new_lines` lines
/// from `new_start` on. Starts are 1-based and name the first line concerned, or, where the count
/// is zero, the line before which the other side's lines stand (one past the last, at the end).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hunk {
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
}

impl Hunk {
    /// Any line may have changed: a side is not in this clone.
    pub const UNKNOWN: Self = Self { old_start: 1, old_lines: u32::MAX, new_start: 1, new_lines: u32::MAX };
}

impl History {
    /// What differs from commit `old` to commit `new` (full hexadecimal ids), by path.
    ///
    /// # Errors
    /// If one of the two is not there, or an object cannot be read.
    pub fn changed_between(&self, old: &str, new: &str) -> Result<Vec<Change>, HistoryError> {
        let (old, new) = (self.tree_named(old)?, self.tree_named(new)?);
        let changes = guarded("the history", || Ok(self.compare(Some(old), Some(new), FILES_MAX)))
            .map_err(HistoryError::Unreadable)??;
        let pairs = self.below(changes).into_iter().map(|(path, change)| Pair {
            path,
            old: change.old,
            new: change.new.map(New::Object),
        });
        Ok(self.describe(pairs.collect()))
    }

    /// What differs from `commit` (a full hexadecimal id) to the surface of `tree` as its files are
    /// now, by path. Git's own conversions are not done, but for line ends: a file that has `\r\n` throughout where the
    /// commit has `\n` throughout is compared by its lines without them.
    ///
    /// # Errors
    /// As [`History::changed_between`]. A file that cannot be read counts as deleted.
    pub fn changed_since(&self, commit: &str, tree: &DiskTree) -> Result<Vec<Change>, HistoryError> {
        let old = self.tree_named(commit)?;
        let listed = guarded("the history", || Ok(self.compare(None, Some(old), FILES_MAX)))
            .map_err(HistoryError::Unreadable)??;
        let mut old: BTreeMap<RepoPath, ObjectId> =
            self.below(listed).into_iter().filter_map(|(path, change)| Some((path, change.new?))).collect();
        let hash = self.repo.object_hash();
        let now: Vec<(RepoPath, Option<(ObjectId, Vec<u8>)>)> = tree
            .files()
            .par_iter()
            .map(|entry| {
                let known = old.get(&entry.path);
                let read = tree.read(&entry.path).ok().and_then(|bytes| {
                    let id = gix::objs::compute_hash(hash, gix::objs::Kind::Blob, &bytes).ok()?;
                    // The bytes of what did not change are not kept.
                    Some((id, if known == Some(&id) { Vec::new() } else { bytes.into_owned() }))
                });
                (entry.path.clone(), read)
            })
            .collect();
        let mut pairs = Vec::new();
        for (path, read) in now {
            let old = old.remove(&path);
            match read {
                Some((id, _)) if old == Some(id) => {}
                Some((id, bytes)) => pairs.push(Pair { path, old, new: Some(New::Bytes(id, bytes)) }),
                None if old.is_some() => pairs.push(Pair { path, old, new: None }),
                None => {}
            }
        }
        pairs.extend(old.into_iter().map(|(path, id)| Pair { path, old: Some(id), new: None }));
        Ok(self.describe(pairs))
    }

    fn tree_named(&self, commit: &str) -> Result<ObjectId, HistoryError> {
        let unknown = || HistoryError::NoSuchCommit(commit.to_owned());
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|_| unknown())?;
        guarded("the commit", || self.tree_of(id)).map_err(|_| unknown())
    }

    /// Those below the root that have a name in text, relative to it.
    fn below(&self, changes: Vec<TreeChange>) -> Vec<(RepoPath, TreeChange)> {
        changes
            .into_iter()
            .filter_map(|change| {
                let path = std::str::from_utf8(change.path.strip_prefix(&self.prefix[..])?).ok()?;
                Some((RepoPath::new(path).ok()?, change))
            })
            .collect()
    }

    fn describe(&self, mut pairs: Vec<Pair>) -> Vec<Change> {
        pairs.retain(|pair| pair.old.is_some() || pair.new.is_some());
        pairs.retain(|pair| pair.old != pair.new.as_ref().map(New::id));
        pairs.sort_by(|a, b| a.path.cmp(&b.path));
        let mut gone: BTreeMap<ObjectId, Vec<RepoPath>> = BTreeMap::new();
        for pair in pairs.iter().rev() {
            if let (Some(old), None) = (pair.old, &pair.new) {
                gone.entry(old).or_default().push(pair.path.clone());
            }
        }
        let mut changes = Vec::new();
        let mut renamed = Vec::new();
        for pair in pairs {
            if pair.old.is_none()
                && let Some(new) = &pair.new
                && let Some(from) = gone.get_mut(&new.id()).and_then(Vec::pop)
            {
                renamed.push(from.clone());
                changes.push(Change { path: pair.path, kind: ChangeKind::Renamed { from }, hunks: Vec::new() });
                continue;
            }
            if let Some(change) = self.describe_one(pair) {
                changes.push(change);
            }
        }
        renamed.sort();
        changes.retain(|change| change.kind != ChangeKind::Deleted || renamed.binary_search(&change.path).is_err());
        changes
    }

    /// None if the two sides are the same but for their line ends.
    fn describe_one(&self, pair: Pair) -> Option<Change> {
        let kind = match (&pair.old, &pair.new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            _ => ChangeKind::Modified,
        };
        let old = pair.old.map_or(Some(Vec::new()), |id| self.blob(id));
        let new = match pair.new {
            Some(New::Bytes(_, bytes)) => Some(bytes),
            Some(New::Object(id)) => self.blob(id),
            None => Some(Vec::new()),
        };
        let (Some(mut old), Some(mut new)) = (old, new) else {
            return Some(Change { path: pair.path, kind, hunks: vec![Hunk::UNKNOWN] });
        };
        if kind == ChangeKind::Modified {
            same_line_ends(&mut old, &mut new);
            if old == new {
                return None;
            }
        }
        Some(Change { path: pair.path, kind, hunks: hunks(&old, &new) })
    }

    /// The bytes of a file; none if the clone does not have them.
    fn blob(&self, id: ObjectId) -> Option<Vec<u8>> {
        guarded("a file of the history", || {
            let blob = self.repo.find_blob(id).map_err(|error| first_line(&error))?;
            Ok(blob.detach().data)
        })
        .ok()
    }
}

/// One path with the file on either side.
struct Pair {
    path: RepoPath,
    old: Option<ObjectId>,
    new: Option<New>,
}

enum New {
    Object(ObjectId),
    Bytes(ObjectId, Vec<u8>),
}

impl New {
    fn id(&self) -> ObjectId {
        match self {
            Self::Object(id) | Self::Bytes(id, _) => *id,
        }
    }
}

/// Takes the carriage returns out of a side that has one at every line end, if the other has none.
fn same_line_ends(old: &mut Vec<u8>, new: &mut Vec<u8>) {
    match (returns(old), returns(new)) {
        (Returns::None, Returns::All) => strip_returns(new),
        (Returns::All, Returns::None) => strip_returns(old),
        _ => {}
    }
}

#[derive(PartialEq, Eq)]
enum Returns {
    None,
    All,
    Some,
}

fn returns(bytes: &[u8]) -> Returns {
    let ends = memchr::memchr_iter(b'\n', bytes).count();
    let with = memchr::memmem::find_iter(bytes, b"\r\n").count();
    match with {
        0 => Returns::None,
        _ if with == ends => Returns::All,
        _ => Returns::Some,
    }
}

fn strip_returns(bytes: &mut Vec<u8>) {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
            None => out.extend_from_slice(line),
        }
    }
    *bytes = out;
}

fn hunks(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let (old_count, new_count) = (line_count(old), line_count(new));
    if old_count == 0 && new_count == 0 {
        return Vec::new();
    }
    let whole = Hunk { old_start: 1, old_lines: old_count, new_start: 1, new_lines: new_count };
    let opaque = |bytes: &[u8]| bytes.len() > SOURCE_BYTES_MAX || memchr::memchr(0, bytes).is_some();
    if old_count == 0 || new_count == 0 || opaque(old) || opaque(new) {
        return vec![whole];
    }
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    diff_with_slider_heuristics(Algorithm::Histogram, &input)
        .hunks()
        .map(|hunk| Hunk {
            old_start: hunk.before.start + 1,
            old_lines: hunk.before.end - hunk.before.start,
            new_start: hunk.after.start + 1,
            new_lines: hunk.after.end - hunk.after.start,
        })
        .collect()
}
