//! What belongs to the user and not to the repository.

use atlas_store::Directories;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub use_cache: bool,
    /// The user's own excludes file of git.
    pub global_excludes: Option<PathBuf>,
    pub directories: Directories,
}

impl Settings {
    /// From environment variables, which `var` looks up. The cache is in use.
    #[must_use]
    pub fn from_env(var: impl Fn(&str) -> Option<OsString>) -> Self {
        let home = var(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
        let config = var("XDG_CONFIG_HOME").map(PathBuf::from);
        let global_excludes = atlas_repo::global_excludes(home.as_deref(), config.as_deref().map(Path::new));
        Self { use_cache: true, global_excludes, directories: Directories::from_env(var) }
    }
}
