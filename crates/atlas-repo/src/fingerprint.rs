//! Whether anything changed in a repository between two moments (contract §2, "Unchanged").

use crate::git::{Discovery, Rules, discover};
use crate::names;
use crate::open::{Failure, read_bounded};
use crate::walk::{Kind, Walk};
use atlas_tree::{Digest, sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Everything that git does not ignore, and the git metadata, in one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// By path, printable: kind, mode, size, time of the last change, digest of the content.
    /// Metadata outside the root (of a linked worktree) stands under `<git>/` and `<common>/`.
    pub entries: BTreeMap<String, String>,
}

impl Fingerprint {
    /// One digest over all of it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut text = String::new();
        for (path, entry) in &self.entries {
            let _ = writeln!(text, "{path}\0{entry}");
        }
        sha256(text.as_bytes())
    }

    /// The paths that were added, removed or changed since `before`, in order.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> Vec<String> {
        let mut changed: Vec<String> = before
            .entries
            .iter()
            .filter(|(path, entry)| self.entries.get(*path) != Some(entry))
            .map(|(path, _)| path.clone())
            .chain(self.entries.keys().filter(|path| !before.entries.contains_key(*path)).cloned())
            .collect();
        changed.sort();
        changed
    }
}

/// Takes the fingerprint of `root`: files, directories, links and special files that `.gitignore`
/// files and `info/exclude` leave, those of nested repositories too, and all of the git metadata,
/// wherever it lies. The modification times of directories are not in it: what git ignores may come
/// and go. Reads every file; meant for tests, not for runs.
///
/// # Errors
/// If `root` cannot be resolved.
pub fn fingerprint(root: &Path) -> std::io::Result<Fingerprint> {
    let root = root.canonicalize()?;
    let mut print = Fingerprint { entries: BTreeMap::new() };
    let mut exclude = None;
    if let Discovery::Found(place) = discover(&root) {
        exclude = Some(place.common_dir.join("info").join("exclude"));
        for (dir, name) in [(&place.git_dir, "<git>"), (&place.common_dir, "<common>")] {
            if !dir.starts_with(&root) {
                print.all(dir, name);
            }
        }
    }
    let rules = Rules::top(None, exclude.as_deref(), &mut Vec::new());
    let walk = Walk { root: root.clone(), prefix: Vec::new(), rules, enter_nested: true };
    let mut dirs = vec![Vec::new()];
    for raw in walk.run().entries {
        let path = root.join(names::path(&raw.path));
        print.entry(names::printable(&raw.path), &path);
        if raw.kind == Kind::Dir {
            dirs.push([&raw.path[..], b"/"].concat());
        }
    }
    for dir in dirs {
        let path = [&dir[..], b".git"].concat();
        let disk = root.join(names::path(&path));
        if std::fs::symlink_metadata(&disk).is_ok() {
            print.all(&disk, &names::printable(&path));
        }
    }
    Ok(print)
}

impl Fingerprint {
    /// `path` under the name `name`, and everything below it, no rule applied.
    fn all(&mut self, path: &Path, name: &str) {
        let mut ahead = vec![(path.to_owned(), name.to_owned())];
        while let Some((path, name)) = ahead.pop() {
            self.entry(name.clone(), &path);
            let is_dir = std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
            let Ok(listing) = std::fs::read_dir(&path) else { continue };
            if is_dir {
                ahead.extend(listing.filter_map(Result::ok).map(|entry| {
                    let name = format!("{name}/{}", names::printable(&names::bytes(&entry.file_name())));
                    (entry.path(), name)
                }));
            }
        }
    }

    fn entry(&mut self, name: String, path: &Path) {
        let mut line = match std::fs::symlink_metadata(path) {
            Err(error) => crate::open::cause(&error),
            Ok(metadata) if metadata.is_dir() => format!("directory {:o}", mode(&metadata)),
            Ok(metadata) if metadata.file_type().is_symlink() => std::fs::read_link(path).map_or_else(
                |error| crate::open::cause(&error),
                |target| format!("link {}", names::printable(&names::bytes(target.as_os_str()))),
            ),
            Ok(metadata) => {
                let stat = crate::walk::stat(&metadata);
                format!("file {:o} {} {}", mode(&metadata), stat.size, stat.mtime_ns)
            }
        };
        if line.starts_with("file ") {
            match read_bounded(path, u64::MAX - 1) {
                Ok(bytes) => line = format!("{line} {}", sha256(&bytes)),
                Err(Failure::NotAFile) => line.push_str(" special"),
                Err(failure) => line = format!("{line} {failure}"),
            }
        }
        self.entries.insert(name, line);
    }
}

#[cfg(unix)]
fn mode(metadata: &std::fs::Metadata) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.mode()
}

#[cfg(not(unix))]
fn mode(metadata: &std::fs::Metadata) -> u32 {
    u32::from(metadata.permissions().readonly())
}
