//! What can go wrong where something must be kept.

use std::io;
use std::path::{Path, PathBuf};

/// Why something was not stored or not found as it was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused; a full disk is among its words.
    #[error("`{path}` cannot be {action}: {cause}")]
    Io { path: PathBuf, action: &'static str, cause: String },
    /// Another process has the folder open for writing.
    #[error("`{0}` is in use by another run")]
    Busy(PathBuf),
    /// Nothing may be written into the repository under study.
    #[error("`{0}` lies in the repository and git does not ignore it")]
    InsideRepository(PathBuf),
    /// A mission folder holds its own files: through a link, another place would be written.
    #[error("`{0}` is a link, and a mission folder keeps none")]
    Link(PathBuf),
    /// Neither a data directory nor a home directory is known.
    #[error("no home directory is known to keep the mission in")]
    NoHome,
    /// Not a plain file name.
    #[error("`{0}` is not the name of an artifact")]
    Name(String),
    /// What was stored is not there as it was stored.
    #[error("`{path}` is damaged: {cause}")]
    Corrupt { path: PathBuf, cause: String },
}

impl StoreError {
    /// Whether the place was refused, rather than that writing failed.
    #[must_use]
    pub fn refuses(&self) -> bool {
        matches!(self, Self::InsideRepository(_) | Self::Link(_))
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Busy(_) => Some("wait for the other run, or name another folder with `--out`"),
            Self::InsideRepository(_) => Some("name a folder outside with `--out`, or have git ignore this one"),
            Self::NoHome => Some("name a folder with `--out`"),
            Self::Link(_) => Some("take the link away, or name another folder with `--out`"),
            Self::Io { .. } | Self::Name(_) | Self::Corrupt { .. } => None,
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), action, cause: cause(&error) }
    }
}

/// The system's words without its number.
pub(crate) fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
