//! Looks up single paths of a work tree that the walk did not come to, because a rule ignores them.

use crate::git::{IgnoreFiles, Rules};
use crate::names;
use crate::walk::stat;
use atlas_tree::FileStat;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What stands at a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Presence<'p> {
    File(FileStat),
    Link,
    /// Nothing, from this part of the path on.
    Missing {
        at: &'p [u8],
    },
    /// A directory, something special, or a path through a link.
    Other,
}

/// A work tree whose paths are asked for in order.
#[derive(Debug)]
pub(crate) struct WorkTree<'r> {
    root: &'r Path,
    /// The path of `root` as the rules know it: `""` or with a final slash.
    prefix: &'r [u8],
    /// The rules over `root`.
    rules: Arc<Rules>,
    /// Rules within directories, and whether an `.ignore` file hides the directory.
    entered: BTreeMap<Vec<u8>, (Arc<Rules>, bool)>,
    /// The last directory found missing: what lies below needs no look.
    missing: Option<Vec<u8>>,
}

impl<'r> WorkTree<'r> {
    pub(crate) fn new(root: &'r Path, prefix: &'r [u8], rules: Arc<Rules>) -> Self {
        Self { root, prefix, rules, entered: BTreeMap::new(), missing: None }
    }

    /// Whether an `.ignore` file takes this path, or a directory on the way, out of the surface.
    /// Such a file is not git's: it says what tools should not look at, tracked or not.
    pub(crate) fn hidden(&mut self, path: &[u8], is_dir: bool) -> bool {
        let dir = path.iter().rposition(|byte| *byte == b'/').map_or(&path[..0], |at| &path[..at]);
        let (rules, hidden) = self.enter(dir);
        hidden || rules.ignored_by_tools(&[self.prefix, path].concat(), is_dir)
    }

    pub(crate) fn presence<'p>(&mut self, path: &'p [u8]) -> Presence<'p> {
        if let Some(missing) = &self.missing
            && path.strip_prefix(&missing[..]).is_some_and(|rest| rest.starts_with(b"/"))
        {
            return Presence::Missing { at: &path[..missing.len()] };
        }
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for end in ends {
            let at = &path[..end];
            match std::fs::symlink_metadata(self.root.join(names::path(at))) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => return Presence::Other,
                Err(_) => {
                    self.missing = Some(at.to_vec());
                    return Presence::Missing { at };
                }
            }
        }
        match std::fs::symlink_metadata(self.root.join(names::path(path))) {
            Ok(metadata) if metadata.is_file() => Presence::File(stat(&metadata)),
            Ok(metadata) if metadata.file_type().is_symlink() => Presence::Link,
            Ok(_) => Presence::Other,
            Err(_) => Presence::Missing { at: path },
        }
    }

    /// The rules within a directory, and whether it is hidden.
    fn enter(&mut self, dir: &[u8]) -> (Arc<Rules>, bool) {
        let ends = dir.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at).chain([dir.len()]);
        let mut entered = self.enter_one(&[], None);
        for end in ends.filter(|end| *end > 0) {
            entered = self.enter_one(&dir[..end], Some(entered));
        }
        entered
    }

    /// Enters `dir` from the directory above it.
    fn enter_one(&mut self, dir: &[u8], above: Option<(Arc<Rules>, bool)>) -> (Arc<Rules>, bool) {
        if let Some(entered) = self.entered.get(dir) {
            return entered.clone();
        }
        let mut ruled = [self.prefix, dir].concat();
        let (rules, mut hidden) = above.unwrap_or_else(|| (Arc::clone(&self.rules), false));
        if !dir.is_empty() {
            hidden = hidden || rules.ignored_by_tools(&ruled, true);
            ruled.push(b'/');
        }
        let disk = self.root.join(names::path(dir));
        // What a link leads to has no rules here; nor has what is not there.
        let is_dir = std::fs::symlink_metadata(&disk).is_ok_and(|metadata| metadata.is_dir());
        let entered = if is_dir {
            // The walk has told already of what cannot be read; below an ignored directory nobody cares.
            let mut notes = Vec::new();
            let files = IgnoreFiles::of(&disk, &ruled, &mut notes);
            (rules.enter(&ruled, &files, &mut notes), hidden)
        } else {
            (rules, hidden)
        };
        self.entered.insert(dir.to_vec(), entered.clone());
        entered
    }
}
