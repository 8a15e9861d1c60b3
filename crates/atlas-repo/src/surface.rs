//! From what lies on the disk to the surface: entries, and what was left out and why.

use crate::git::{Tracked, TrackedKind};
use crate::links::{self, Lost};
use crate::names;
use crate::tracked::{Presence, WorkTree};
use crate::tree::Skipped;
use crate::walk::{Kind, Raw, Walked};
use atlas_artifact::SkipReason;
use atlas_tree::{FileEntry, FileStat, RepoPath};
use std::collections::BTreeMap;
use std::path::Path;

/// The surface in path order, with what the disk says of each file.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub(crate) files: Vec<FileEntry>,
    pub(crate) stats: Vec<FileStat>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) notes: Vec<String>,
}

/// Puts together what a walk below `root` found and what git tracks there (`tracked`, relative to
/// `root`, in path order): tracked files count although an ignore rule matches them.
pub(crate) fn surface(root: &Path, walked: Walked, tracked: &[Tracked], work_tree: &mut WorkTree<'_>) -> Surface {
    let mut gathering = Gathering { root, found: BTreeMap::new(), skipped: BTreeMap::new() };
    for raw in walked.entries {
        gathering.walked(raw);
    }
    let mut left_out: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for tracked in tracked {
        gathering.tracked(tracked, work_tree, &mut left_out);
    }
    for (path, files) in left_out {
        let detail = match files {
            0 => "a directory left out by a sparse checkout".to_owned(),
            1 => "a tracked file left out by a sparse checkout".to_owned(),
            more => format!("{more} tracked files left out by a sparse checkout"),
        };
        gathering.skip(&path, SkipReason::Unreadable, detail);
    }
    gathering.finish(walked.notes)
}

struct Gathering<'r> {
    root: &'r Path,
    found: BTreeMap<RepoPath, FileStat>,
    /// One reason a path: the first that was found, but for submodules, which are also nested.
    skipped: BTreeMap<String, (SkipReason, String)>,
}

impl Gathering<'_> {
    fn walked(&mut self, raw: Raw) {
        match raw.kind {
            Kind::Dir if std::str::from_utf8(&raw.path).is_ok() => {}
            Kind::File(stat) => self.file(&raw.path, stat),
            Kind::Dir => self.odd_name(&raw.path),
            Kind::Nested => {
                self.skip(&raw.path, SkipReason::Vendored, "a repository of its own, not entered".to_owned());
            }
            Kind::Link => self.link(&raw.path),
            Kind::Special(what) => self.skip(&raw.path, SkipReason::Unreadable, format!("{what}, not a regular file")),
            Kind::Unreadable(cause) => self.skip(&raw.path, SkipReason::Unreadable, cause),
        }
    }

    fn tracked(&mut self, tracked: &Tracked, work_tree: &mut WorkTree<'_>, left_out: &mut BTreeMap<Vec<u8>, u64>) {
        let path = tracked.path.strip_suffix(b"/").unwrap_or(&tracked.path);
        let known = std::str::from_utf8(path).ok().is_some_and(|path| self.found.contains_key(path));
        if known || !is_plain(path) || work_tree.hidden(path, tracked.kind != TrackedKind::File) {
            return;
        }
        match tracked.kind {
            TrackedKind::Submodule => {
                self.skipped.remove(&names::printable(path));
                self.skip(path, SkipReason::Vendored, "a submodule, not entered".to_owned());
            }
            TrackedKind::File | TrackedKind::SparseDir => match work_tree.presence(path) {
                Presence::File(stat) => self.file(path, stat),
                Presence::Link => self.link(path),
                Presence::Missing { at } if tracked.sparse => {
                    *left_out.entry(at.to_vec()).or_default() += u64::from(tracked.kind == TrackedKind::File);
                }
                // Deleted, or something else now: the walk told of it.
                Presence::Missing { .. } | Presence::Other => {}
            },
        }
    }

    fn file(&mut self, path: &[u8], stat: FileStat) {
        match std::str::from_utf8(path).ok().and_then(|path| RepoPath::new(path).ok()) {
            Some(path) => {
                self.found.insert(path, stat);
            }
            None => self.odd_name(path),
        }
    }

    /// A file below a directory with such a name is not told of again.
    fn odd_name(&mut self, path: &[u8]) {
        let mut end = 0;
        for part in path.split(|byte| *byte == b'/') {
            end += part.len();
            if std::str::from_utf8(part).is_err() {
                break;
            }
            end += 1;
        }
        let path = &path[..end.min(path.len())];
        self.skip(path, SkipReason::NotUtf8, "a name that is not UTF-8".to_owned());
    }

    fn link(&mut self, path: &[u8]) {
        if std::str::from_utf8(path).is_err() {
            return self.odd_name(path);
        }
        let how = match links::resolve(self.root, &names::path(path)) {
            Ok(_) => return,
            Err(Lost::Nowhere) => "a link to nothing".to_owned(),
            Err(Lost::Outside) => "a link that leads out of the repository".to_owned(),
            Err(Lost::Loop) => "a link that never ends".to_owned(),
            Err(Lost::Io(cause)) => format!("a link that cannot be followed: {cause}"),
        };
        self.skip(path, SkipReason::Unreadable, how);
    }

    fn skip(&mut self, path: &[u8], reason: SkipReason, detail: String) {
        let path = if path.is_empty() { ".".to_owned() } else { names::printable(path) };
        self.skipped.entry(path).or_insert((reason, detail));
    }

    fn finish(self, mut notes: Vec<String>) -> Surface {
        notes.sort();
        notes.dedup();
        let mut surface = Surface { notes, ..Surface::default() };
        for (path, stat) in self.found {
            surface.files.push(FileEntry { path, size: stat.size });
            surface.stats.push(stat);
        }
        surface.skipped =
            self.skipped.into_iter().map(|(path, (reason, detail))| Skipped { path, reason, detail }).collect();
        surface
    }
}

/// Whether a path of an index, which anyone may have written, stays below the root and out of `.git`.
fn is_plain(path: &[u8]) -> bool {
    !path.is_empty()
        && path
            .split(|byte| *byte == b'/')
            .all(|part| !part.is_empty() && part != b"." && part != b".." && !names::is_git(part) && !part.contains(&0))
}
