//! Paths relative to the repository root.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A path relative to the repository: UTF-8, `/` between parts, no empty part, no `.` or `..`,
/// no NUL, never absolute. Ordered by bytes, which is the path order of the whole contract.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RepoPath(Arc<str>);

/// Why a text is not a [`RepoPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("a path must not be empty")]
    Empty,
    #[error("a path must be relative to the repository")]
    Absolute,
    #[error("a path must not contain `..` or `.` parts")]
    Dots,
    #[error("a path must not contain empty parts")]
    EmptyPart,
    #[error("a path must not contain NUL")]
    Nul,
}

impl RepoPath {
    /// Takes a normal path as it is; nothing is cleaned up, so that `a/../b` is an error and not `b`.
    ///
    /// # Errors
    /// [`PathError`] names the first thing wrong.
    pub fn new(text: impl AsRef<str>) -> Result<Self, PathError> {
        let text = text.as_ref();
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        if text.contains('\0') {
            return Err(PathError::Nul);
        }
        if text.starts_with('/') {
            return Err(PathError::Absolute);
        }
        for part in text.split('/') {
            match part {
                "" => return Err(PathError::EmptyPart),
                "." | ".." => return Err(PathError::Dots),
                _ => {}
            }
        }
        Ok(Self(Arc::from(text)))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The directory that holds it; `""` at the root.
    #[must_use]
    pub fn parent(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(dir, _)| dir)
    }

    /// The part of the file name behind its last dot; none for `.gitignore` or `Makefile`.
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        match self.file_name().rsplit_once('.') {
            Some((stem, ext)) if !stem.is_empty() && !ext.is_empty() => Some(ext),
            _ => None,
        }
    }

    /// The file name without its extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        }
    }
}

/// Resolves `relative` against the directory `base` (`""` is the root), taking `.` and `..`
/// apart by text alone. None if it leaves the repository or ends at the root itself.
#[must_use]
pub fn join(base: &str, relative: &str) -> Option<RepoPath> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    RepoPath::new(parts.join("/")).ok()
}

impl RepoPath {
    /// See [`join`].
    #[must_use]
    pub fn join(base: &str, relative: &str) -> Option<Self> {
        join(base, relative)
    }
}

impl TryFrom<String> for RepoPath {
    type Error = PathError;
    fn try_from(text: String) -> Result<Self, PathError> {
        Self::new(text)
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> Self {
        path.0.to_string()
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl std::borrow::Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_normal_relative_paths_are_paths() {
        assert_eq!(RepoPath::new("src/a b.rs").unwrap().as_str(), "src/a b.rs");
        for (text, error) in [
            ("", PathError::Empty),
            ("/etc/passwd", PathError::Absolute),
            ("../x", PathError::Dots),
            ("a/./b", PathError::Dots),
            ("a//b", PathError::EmptyPart),
            ("a/", PathError::EmptyPart),
            ("a\0b", PathError::Nul),
        ] {
            assert_eq!(RepoPath::new(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn parts_of_a_path() {
        let path = RepoPath::new("src/web/app.test.ts").unwrap();
        assert_eq!(
            (path.parent(), path.file_name(), path.stem(), path.extension()),
            ("src/web", "app.test.ts", "app.test", Some("ts"))
        );
        let dot = RepoPath::new(".gitignore").unwrap();
        assert_eq!((dot.parent(), dot.stem(), dot.extension()), ("", ".gitignore", None));
    }

    #[test]
    fn join_takes_dots_apart_and_never_leaves() {
        assert_eq!(join("src/a", "../b/./c.ts").unwrap().as_str(), "src/b/c.ts");
        assert_eq!(join("", "../x"), None);
        assert_eq!(join("a", ".."), None);
    }
}
