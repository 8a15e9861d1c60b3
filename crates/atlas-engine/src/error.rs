//! What stops a run.

use atlas_repo::OpenError;
use atlas_store::StoreError;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Glob(#[from] atlas_tree::GlobError),
    /// The scope of the mission matches no file.
    #[error("the scope matches no file of the repository")]
    EmptyScope,
    #[error("trigger {0}")]
    Trigger(String),
    /// The folder holds another mission.
    #[error("`{0}` holds another mission")]
    OtherMission(PathBuf),
    #[error("`{path}` is not the artifact that it should be: {cause}")]
    Artifact { path: PathBuf, cause: String },
}

impl EngineError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Open(_) => Some("name a directory with `--repo DIR`"),
            Self::Store(error) => error.hint(),
            Self::EmptyScope | Self::Glob(_) => Some("globs are relative to the repository, such as `src/**`"),
            Self::OtherMission(_) => Some("name another folder with `--out`, or the same mission"),
            Self::Trigger(_) | Self::Artifact { .. } => None,
        }
    }
}
