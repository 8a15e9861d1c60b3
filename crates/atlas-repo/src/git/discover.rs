//! Finds the git repository that a directory belongs to, by the files that make one.
//!
//! `.git` may be a directory, a link to one, or a file that names one (worktrees, submodules).
//! Neither ownership nor configuration is asked: `core.bare` and `core.worktree` change nothing
//! about which files lie in the directory that holds `.git`.

use crate::names;
use crate::open::read_text;
use std::path::{Path, PathBuf};

/// Where a repository keeps what. All three are canonical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPlace {
    /// The directory that holds `.git`.
    pub work_dir: PathBuf,
    /// Head and index of this work tree.
    pub git_dir: PathBuf,
    /// Objects and references; differs from `git_dir` in a linked worktree.
    pub common_dir: PathBuf,
}

/// What was found from a directory upwards.
#[derive(Debug)]
pub(crate) enum Discovery {
    None,
    Found(GitPlace),
    /// There is a `.git`, but it cannot be used, for this reason.
    Broken {
        work_dir: PathBuf,
        reason: String,
    },
    /// The directory is itself the inside of a repository without a work tree.
    Bare,
    /// The directory lies in a `.git` directory.
    InsideGit,
}

/// Bytes of a `.git` or `commondir` file, at most; a path is shorter.
const GIT_FILE_BYTES_MAX: u64 = 16 * 1024;

/// Looks from `root`, which is canonical, upwards.
pub(crate) fn discover(root: &Path) -> Discovery {
    if root.components().any(|part| names::is_git(&names::bytes(part.as_os_str()))) {
        return Discovery::InsideGit;
    }
    if ["HEAD", "config"].iter().all(|name| is_file(&root.join(name)))
        && ["objects", "refs"].iter().all(|name| root.join(name).is_dir())
        && std::fs::symlink_metadata(root.join(".git")).is_err()
    {
        return Discovery::Bare;
    }
    for dir in root.ancestors() {
        let dot_git = dir.join(".git");
        if std::fs::symlink_metadata(&dot_git).is_err() {
            continue;
        }
        return match place(dir, &dot_git) {
            Ok(place) => Discovery::Found(place),
            Err(reason) => Discovery::Broken { work_dir: dir.to_owned(), reason },
        };
    }
    Discovery::None
}

fn place(work_dir: &Path, dot_git: &Path) -> Result<GitPlace, String> {
    let metadata = std::fs::metadata(dot_git).map_err(|_| "`.git` is a link to nothing".to_owned())?;
    let git_dir = if metadata.is_dir() {
        dot_git.to_owned()
    } else {
        let text = read_text(dot_git, GIT_FILE_BYTES_MAX).map_err(|cause| format!("`.git` {cause}"))?;
        let target = text.strip_prefix(b"gitdir:").ok_or("`.git` is a file that names no git directory")?;
        work_dir.join(names::path(target.trim_ascii()))
    };
    let git_dir = git_dir.canonicalize().map_err(|_| "`.git` names a directory that does not exist".to_owned())?;
    if !is_file(&git_dir.join("HEAD")) {
        return Err("the git directory has no `HEAD`".to_owned());
    }
    let common = match read_text(&git_dir.join("commondir"), GIT_FILE_BYTES_MAX) {
        Ok(text) => git_dir.join(names::path(text.trim_ascii())),
        Err(_) => git_dir.clone(),
    };
    let common_dir = common.canonicalize().map_err(|_| "`commondir` names no directory".to_owned())?;
    if !common_dir.join("objects").is_dir() {
        return Err("the git directory has no `objects`".to_owned());
    }
    // A pipe in the place of one of these would hold up whoever opens it.
    for file in [git_dir.join("index"), common_dir.join("config"), common_dir.join("packed-refs")] {
        if std::fs::metadata(&file).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!(
                "`{}` in the git directory is not a regular file",
                names::printable(&names::bytes(file.file_name().unwrap_or_default()))
            ));
        }
    }
    Ok(GitPlace { work_dir: work_dir.to_owned(), git_dir, common_dir })
}

fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}
