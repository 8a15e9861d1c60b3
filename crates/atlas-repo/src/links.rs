//! Where a path leads once its symbolic links are resolved, part by part.
//!
//! A path may end only below the root and must never leave it on the way: a link to `../x/file` that
//! comes back in by the name of the root's own directory is refused, since what it means depends
//! on where the repository happens to lie. A link to an absolute path is followed only if the path
//! starts with the root. Nothing outside is looked at, so that no answer tells whether it exists.

use crate::names;
use crate::open::{Failure, failure};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Links followed for one path, at most; as many as Linux follows.
const LINKS_MAX: usize = 40;
/// Parts looked at for one path, at most: links that multiply end here.
const PARTS_MAX: usize = 8192;

/// Why a path leads to no place inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It ends at a name that does not exist.
    Nowhere,
    /// It leaves the root, or enters git's own folder.
    Outside,
    /// It never ends.
    Loop,
    /// The operating system's words.
    Io(String),
}

/// Resolves `relative` against `root`, which is canonical. The result is relative to the root and
/// free of links; it is empty for the root itself.
pub(crate) fn resolve(root: &Path, relative: &Path) -> Result<PathBuf, Lost> {
    let mut ahead: VecDeque<OsString> = VecDeque::new();
    let mut behind: Vec<OsString> = Vec::new();
    let mut links = 0;
    let mut parts = 0;
    push_front(&mut ahead, relative)?;
    while let Some(part) = ahead.pop_front() {
        parts += 1;
        if parts > PARTS_MAX {
            return Err(Lost::Loop);
        }
        if part == ".." {
            behind.pop().ok_or(Lost::Outside)?;
            continue;
        }
        if names::is_git(&names::bytes(&part)) {
            return Err(Lost::Outside);
        }
        behind.push(part);
        let here = root.join(behind.iter().collect::<PathBuf>());
        let metadata = std::fs::symlink_metadata(&here).map_err(|error| lost(&error))?;
        if !metadata.file_type().is_symlink() {
            continue;
        }
        links += 1;
        if links > LINKS_MAX {
            return Err(Lost::Loop);
        }
        behind.pop();
        let target = std::fs::read_link(&here).map_err(|error| lost(&error))?;
        if target.is_absolute() {
            let inside = target.strip_prefix(root).map_err(|_| Lost::Outside)?;
            behind.clear();
            push_front(&mut ahead, inside)?;
        } else {
            push_front(&mut ahead, &target)?;
        }
    }
    Ok(behind.iter().collect())
}

fn push_front(ahead: &mut VecDeque<OsString>, path: &Path) -> Result<(), Lost> {
    for component in path.components().rev() {
        match component {
            Component::Normal(part) => ahead.push_front(part.to_owned()),
            Component::ParentDir => ahead.push_front("..".into()),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(Lost::Outside),
        }
    }
    Ok(())
}

fn lost(error: &std::io::Error) -> Lost {
    match failure(error) {
        Failure::NotFound => Lost::Nowhere,
        other => Lost::Io(other.to_string()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn lead(dir: &Path, path: &str) -> Result<String, Lost> {
        resolve(dir, Path::new(path)).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test lays out its own directory")]
    fn links_are_followed_inside_and_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("repo");
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join("a/b/file"), "x").unwrap();
        for (name, target) in [
            ("up", ".."),
            ("back", "../repo/a"),
            ("dir", "a"),
            ("file", "dir/b/../b/file"),
            ("loop", "loop"),
            ("ping", "pong"),
            ("pong", "ping"),
            ("broken", "no/thing"),
            ("beyond", "/no/such/place"),
            ("git", ".git/config"),
            ("absolute", root.join("a/b").to_str().unwrap()),
            ("here", "."),
        ] {
            symlink(target, root.join(name)).unwrap();
        }
        assert_eq!(lead(&root, "file"), Ok("a/b/file".into()));
        assert_eq!(lead(&root, "dir/b/file"), Ok("a/b/file".into()));
        assert_eq!(lead(&root, "absolute/file"), Ok("a/b/file".into()));
        assert_eq!(lead(&root, "here"), Ok(String::new()));
        assert_eq!(lead(&root, "here/here/dir"), Ok("a".into()));
        assert_eq!(lead(&root, "up"), Err(Lost::Outside));
        assert_eq!(lead(&root, "back/b/file"), Err(Lost::Outside));
        assert_eq!(lead(&root, "beyond"), Err(Lost::Outside));
        assert_eq!(lead(&root, "git"), Err(Lost::Outside));
        assert_eq!(lead(&root, ".GIT/x"), Err(Lost::Outside));
        assert_eq!(lead(&root, "loop"), Err(Lost::Loop));
        assert_eq!(lead(&root, "ping"), Err(Lost::Loop));
        assert_eq!(lead(&root, "broken"), Err(Lost::Nowhere));
        assert_eq!(lead(&root, "a/b/file/below"), Err(Lost::Nowhere));
        assert_eq!(lead(&root, "missing"), Err(Lost::Nowhere));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test lays out its own directory")]
    fn links_that_double_with_every_step_end() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("d")).unwrap();
        symlink("d", root.join("l0")).unwrap();
        for n in 1..40 {
            let before = n - 1;
            symlink(format!("l{before}/../l{before}"), root.join(format!("l{n}"))).unwrap();
        }
        assert_eq!(lead(&root, "l3"), Ok("d".into()));
        assert_eq!(lead(&root, "l39"), Err(Lost::Loop));
    }
}
