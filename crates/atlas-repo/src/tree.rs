//! The repository as a [`Tree`].
//!
//! **What the root is.** The directory that is given, canonical; every path is relative to it. If
//! it lies in a git work tree, that repository's rules hold: the ignore files of the directories
//! above up to the one with `.git`, `info/exclude`, the index. If it is a directory that those rules
//! ignore, the user wants it all the same: then only rules from the root down hold. Without git,
//! `.gitignore` and `.ignore` files from the root down hold.
//!
//! **The surface** is every regular file that ignore rules leave, hidden ones included, and every
//! regular file that git tracks, but for those that an `.ignore` file hides. Never in it: `.git`,
//! symbolic links, pipes, sockets, devices, names that are not UTF-8, what lies in submodules and
//! in other directories with a `.git` of their own. All of these but `.git` and links that end
//! inside are told in [`DiskTree::skipped`].

use crate::git::{Discovery, GitPlace, History, HistoryError, IgnoreFiles, Rules, Tracked, discover, read_index};
use crate::links::{self, Lost};
use crate::names;
use crate::open::{Failure, Root, cause};
use crate::surface::{Surface, surface};
use crate::tracked::WorkTree;
use crate::walk::Walk;
use atlas_artifact::{MapGap, SkipReason};
use atlas_tree::{FileEntry, FileStat, ReadError, RepoPath, Tree};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of one file that [`Tree::read`] gives, at most: 64 MiB. A larger file is an error, never cut.
pub const READ_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What is not the repository's to say.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The user's own excludes file: see [`global_excludes`](crate::global_excludes).
    pub global_excludes: Option<PathBuf>,
}

/// A repository on the disk, as it was when it was opened; bytes are read as they are when asked for.
#[derive(Debug)]
pub struct DiskTree {
    root: Root,
    git: Option<GitPlace>,
    surface: Surface,
    options: Options,
}

/// Something that is not in the surface, or not whole, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Relative to the root; `\n`, `\xff` and the like where the name is not plain text.
    pub path: String,
    pub reason: SkipReason,
    pub detail: String,
}

impl From<Skipped> for MapGap {
    fn from(skipped: Skipped) -> Self {
        Self { path: skipped.path, reason: skipped.reason, detail: skipped.detail }
    }
}

/// Why a directory cannot be studied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("`{0}` does not exist")]
    NotFound(PathBuf),
    #[error("`{0}` is not a directory")]
    NotADirectory(PathBuf),
    #[error("`{path}` cannot be read: {cause}")]
    Unreadable { path: PathBuf, cause: String },
    /// A clone without a work tree has no files to look at.
    #[error("`{0}` is a bare git repository, without files")]
    Bare(PathBuf),
    #[error("`{0}` lies in git's own folder")]
    InsideGit(PathBuf),
}

impl DiskTree {
    /// Walks `root` on the current `rayon` pool. Damaged git metadata is no error but a note: then
    /// the directory is taken as one without git.
    ///
    /// # Errors
    /// [`OpenError`] if there is no directory to walk, or it is no work tree.
    pub fn open(root: impl AsRef<Path>, options: &Options) -> Result<Self, OpenError> {
        let given = root.as_ref();
        let fail = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => OpenError::NotFound(given.to_owned()),
            std::io::ErrorKind::NotADirectory => OpenError::NotADirectory(given.to_owned()),
            _ => OpenError::Unreadable { path: given.to_owned(), cause: cause(&error) },
        };
        let path = given.canonicalize().map_err(fail)?;
        let root = Root::open(&path).map_err(fail)?;
        let mut notes = Vec::new();
        let (git, top) = match discover(&path) {
            Discovery::Bare => return Err(OpenError::Bare(given.to_owned())),
            Discovery::InsideGit => return Err(OpenError::InsideGit(given.to_owned())),
            Discovery::None => (None, path.clone()),
            Discovery::Broken { work_dir, reason } => {
                notes.push(format!("git cannot be used here: {reason}"));
                (None, work_dir)
            }
            Discovery::Found(place) => (Some(place.clone()), place.work_dir),
        };
        let above = above(&top, &path, git.as_ref(), options, &mut notes);
        let walk = Walk {
            root: path.clone(),
            prefix: above.prefix.clone(),
            rules: Arc::clone(&above.rules),
            enter_nested: false,
        };
        let mut walked = walk.run();
        let tracked = git.as_ref().map_or_else(Vec::new, |place| tracked(place, &path, &mut notes));
        walked.notes.append(&mut notes);
        let mut work_tree = WorkTree::new(&path, &above.prefix, above.rules);
        let surface = surface(&path, walked, &tracked, &mut work_tree);
        Ok(Self { root, git, surface, options: options.clone() })
    }

    /// The canonical root.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// What was left out, in path order, one reason each.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.surface.skipped
    }

    /// What concerns the whole tree, in words: ignore files and git metadata that could not be used.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.surface.notes
    }

    /// What the disk said of each file when the tree was walked, in the order of [`Tree::files`].
    #[must_use]
    pub fn stats(&self) -> &[FileStat] {
        &self.surface.stats
    }

    /// The git repository that the root belongs to.
    #[must_use]
    pub fn git(&self) -> Option<&GitPlace> {
        self.git.as_ref()
    }

    /// Opens the history, if there is git.
    ///
    /// # Errors
    /// If the repository cannot be opened.
    pub fn history(&self) -> Result<Option<History>, HistoryError> {
        self.git.as_ref().map(|place| History::open(place, self.root.path())).transpose()
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Reads what lies at `path` once links are resolved.
    fn read_resolved(&self, path: &RepoPath) -> Result<Vec<u8>, ReadError> {
        let resolved = self.resolve(path)?;
        match self.root.read(resolved.as_str(), READ_BYTES_MAX) {
            // Something was changed into a link just now.
            Err(Failure::Link) => Err(ReadError::NotFound(path.clone())),
            other => other.map_err(|failure| read_error(path, failure)),
        }
    }
}

impl Tree for DiskTree {
    fn files(&self) -> &[FileEntry] {
        &self.surface.files
    }

    /// At most [`READ_BYTES_MAX`] bytes; never from git's own folder.
    fn read(&self, path: &RepoPath) -> Result<Cow<'_, [u8]>, ReadError> {
        if path.as_str().split('/').any(|part| names::is_git(part.as_bytes())) {
            return Err(ReadError::Outside(path.clone()));
        }
        match self.root.read(path.as_str(), READ_BYTES_MAX) {
            Ok(bytes) => Ok(Cow::Owned(bytes)),
            Err(Failure::Link) => self.read_resolved(path).map(Cow::Owned),
            Err(failure) => Err(read_error(path, failure)),
        }
    }

    fn resolve(&self, path: &RepoPath) -> Result<RepoPath, ReadError> {
        let resolved = links::resolve(self.root.path(), Path::new(path.as_str())).map_err(|lost| match lost {
            Lost::Nowhere => ReadError::NotFound(path.clone()),
            Lost::Outside | Lost::Loop => ReadError::Outside(path.clone()),
            Lost::Io(cause) => ReadError::Io { path: path.clone(), cause },
        })?;
        let bytes = names::bytes(resolved.as_os_str());
        if bytes.is_empty() {
            return Err(ReadError::NotAFile(path.clone()));
        }
        std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| RepoPath::new(text).ok())
            .ok_or_else(|| ReadError::Io { path: path.clone(), cause: "leads to a name that is not utf-8".to_owned() })
    }
}

fn read_error(path: &RepoPath, failure: Failure) -> ReadError {
    match failure {
        Failure::NotFound => ReadError::NotFound(path.clone()),
        Failure::Link => ReadError::Outside(path.clone()),
        Failure::NotAFile => ReadError::NotAFile(path.clone()),
        Failure::TooLarge { bytes } => ReadError::Io {
            path: path.clone(),
            cause: format!("{bytes} bytes are more than the {READ_BYTES_MAX} that are read of one file"),
        },
        Failure::Io(cause) => ReadError::Io { path: path.clone(), cause },
    }
}

/// The rules over a directory, and the directory as they know it.
struct Above {
    rules: Arc<Rules>,
    prefix: Vec<u8>,
}

/// Goes from `top` down to `root`, taking in the ignore files of the directories on the way but not
/// those of `root` itself, which the walk reads.
fn above(top: &Path, root: &Path, git: Option<&GitPlace>, options: &Options, notes: &mut Vec<String>) -> Above {
    let exclude = git.map(|place| place.common_dir.join("info").join("exclude"));
    let over_all = Rules::top(options.global_excludes.as_deref(), exclude.as_deref(), notes);
    let mut rules = Arc::clone(&over_all);
    let mut prefix = Vec::new();
    let mut disk = top.to_owned();
    let below = root.strip_prefix(top).unwrap_or(Path::new(""));
    let mut noted = Vec::new();
    for part in below.components() {
        rules = rules.enter(&prefix, &IgnoreFiles::of(&disk, &prefix, &mut noted), &mut noted);
        disk.push(part);
        prefix.extend_from_slice(&names::bytes(part.as_os_str()));
        if rules.ignored(&prefix, true) {
            notes.push("the repository around this directory ignores it: its rules are not used".to_owned());
            return Above { rules: over_all, prefix: Vec::new() };
        }
        prefix.push(b'/');
    }
    notes.append(&mut noted);
    Above { rules, prefix }
}

/// What git tracks below `root`, relative to it.
fn tracked(place: &GitPlace, root: &Path, notes: &mut Vec<String>) -> Vec<Tracked> {
    let index = match read_index(&place.git_dir) {
        Ok(index) => index,
        Err(cause) => {
            notes.push(format!("{cause}: files that are tracked although ignored are not seen"));
            return Vec::new();
        }
    };
    let prefix = prefix(place, root);
    index
        .into_iter()
        .filter_map(|tracked| {
            let path = tracked.path.strip_prefix(&prefix[..])?.to_vec();
            Some(Tracked { path, ..tracked })
        })
        .collect()
}

/// The path of `root` in its repository: `""` or with a final slash.
pub(crate) fn prefix(place: &GitPlace, root: &Path) -> Vec<u8> {
    let mut prefix = Vec::new();
    for part in root.strip_prefix(&place.work_dir).unwrap_or(Path::new("")).components() {
        prefix.extend_from_slice(&names::bytes(part.as_os_str()));
        prefix.push(b'/');
    }
    prefix
}
