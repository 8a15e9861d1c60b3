//! Walks a directory with ignore rules: everything that they leave, of whatever kind.
//!
//! Directories are read in parallel on the current `rayon` pool; the result is sorted by path
//! bytes, so that it does not depend on the number of threads or the order of the disk.

use crate::git::{IgnoreFiles, Rules};
use crate::names;
use crate::open::cause;
use atlas_tree::FileStat;
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Something with a name, not ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raw {
    /// Relative to where the walk began, `/` between parts.
    pub(crate) path: Vec<u8>,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    File(FileStat),
    /// A directory that was entered.
    Dir,
    /// A directory with a `.git` of its own, not entered.
    Nested,
    Link,
    /// A pipe, socket or device, in words.
    Special(&'static str),
    /// The operating system refused to read the directory or to describe the file, in its words.
    Unreadable(String),
}

/// How to walk.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub(crate) root: PathBuf,
    /// The path of `root` as the rules know it: `""` or with a final slash.
    pub(crate) prefix: Vec<u8>,
    /// The rules that stand over `root`.
    pub(crate) rules: Arc<Rules>,
    /// Whether directories with a `.git` of their own are entered.
    pub(crate) enter_nested: bool,
}

/// What a walk found, in path order, and what it could not use, in words.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) entries: Vec<Raw>,
    pub(crate) notes: Vec<String>,
}

impl Walk {
    /// Walks. `.git`, in any case, is never an entry.
    pub(crate) fn run(&self) -> Walked {
        let found = Mutex::new(Walked::default());
        rayon::scope(|scope| self.directory(scope, Vec::new(), Arc::clone(&self.rules), &found));
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found.notes.sort_unstable();
        found
    }

    fn directory<'scope>(
        &'scope self,
        scope: &rayon::Scope<'scope>,
        path: Vec<u8>,
        above: Arc<Rules>,
        found: &'scope Mutex<Walked>,
    ) {
        let mut here = Walked::default();
        let disk = if path.is_empty() { self.root.clone() } else { self.root.join(names::path(&path)) };
        let listing = list(&disk);
        if !path.is_empty() {
            let nested = !self.enter_nested && listing.entries.iter().any(|entry| names::is_git(&entry.name));
            let kind = match &listing.error {
                Some(cause) => Kind::Unreadable(cause.clone()),
                None if nested => Kind::Nested,
                None => Kind::Dir,
            };
            here.entries.push(Raw { path: path.clone(), kind });
            if nested {
                return collect(found, here);
            }
        } else if let Some(cause) = &listing.error {
            here.entries.push(Raw { path: Vec::new(), kind: Kind::Unreadable(cause.clone()) });
        }

        let base = if path.is_empty() { Vec::new() } else { [&path[..], b"/"].concat() };
        let dir = [&self.prefix[..], &base].concat();
        let has_rules = listing.entries.iter().any(|entry| entry.name == b".gitignore" || entry.name == b".ignore");
        let rules = if has_rules {
            let files = IgnoreFiles::of(&disk, &dir, &mut here.notes);
            above.enter(&dir, &files, &mut here.notes)
        } else {
            above
        };
        let mut ruled = dir;
        let dir_len = ruled.len();
        for entry in listing.entries {
            if names::is_git(&entry.name) {
                continue;
            }
            ruled.truncate(dir_len);
            ruled.extend_from_slice(&entry.name);
            let is_dir = matches!(&entry.kind, Ok(kind) if kind.is_dir());
            if rules.ignored(&ruled, is_dir) {
                continue;
            }
            let path = [&base[..], &entry.name].concat();
            if is_dir {
                let rules = Arc::clone(&rules);
                scope.spawn(move |scope| self.directory(scope, path, rules, found));
                continue;
            }
            here.entries.push(Raw { path, kind: entry.describe() });
        }
        collect(found, here);
    }
}

fn collect(found: &Mutex<Walked>, mut here: Walked) {
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    found.entries.append(&mut here.entries);
    found.notes.append(&mut here.notes);
}

struct Listing {
    entries: Vec<Entry>,
    error: Option<String>,
}

struct Entry {
    name: Vec<u8>,
    kind: Result<FileType, String>,
    handle: std::fs::DirEntry,
}

impl Entry {
    fn describe(&self) -> Kind {
        let kind = match &self.kind {
            Ok(kind) => *kind,
            Err(cause) => return Kind::Unreadable(cause.clone()),
        };
        if kind.is_symlink() {
            return Kind::Link;
        }
        if !kind.is_file() {
            return Kind::Special(special(kind));
        }
        match self.handle.metadata() {
            Ok(metadata) => Kind::File(stat(&metadata)),
            Err(error) => Kind::Unreadable(cause(&error)),
        }
    }
}

fn list(dir: &Path) -> Listing {
    let mut listing = Listing { entries: Vec::new(), error: None };
    let reader = match std::fs::read_dir(dir) {
        Ok(reader) => reader,
        Err(error) => {
            listing.error = Some(cause(&error));
            return listing;
        }
    };
    for entry in reader {
        match entry {
            Ok(handle) => listing.entries.push(Entry {
                name: names::bytes(&handle.file_name()).into_owned(),
                kind: handle.file_type().map_err(|error| cause(&error)),
                handle,
            }),
            Err(error) => {
                listing.error = Some(cause(&error));
                break;
            }
        }
    }
    listing
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "neither a file nor a directory"
}

/// What the disk says of a file.
#[cfg(unix)]
pub(crate) fn stat(metadata: &Metadata) -> FileStat {
    use std::os::unix::fs::MetadataExt as _;
    let ns = |seconds: i64, nanoseconds: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds);
    FileStat {
        size: metadata.len(),
        mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(not(unix))]
pub(crate) fn stat(metadata: &Metadata) -> FileStat {
    let mtime_ns = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or(0);
    FileStat { size: metadata.len(), mtime_ns, ctime_ns: 0, inode: 0 }
}
