//! Where things are kept by default (contract §2): missions in the user's data directory, the cache in
//! the user's cache directory, below `atlas/<repository>-<hash>/`.

use crate::error::StoreError;
use crate::whole::make_directory;
use atlas_artifact::MissionId;
use atlas_tree::sha256;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Characters of a repository's name in the name of its folder, at most.
const NAME_CHARS: usize = 40;
/// Hexadecimal digits of the digest in it.
const HASH_DIGITS: usize = 12;

/// The user's directories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directories {
    data: Option<PathBuf>,
    cache: Option<PathBuf>,
}

impl Directories {
    /// From environment variables, which `var` looks up. Variables that are not absolute paths
    /// count as not set.
    ///
    /// | | data | cache |
    /// | --- | --- | --- |
    /// | any, if set | `XDG_DATA_HOME` | `XDG_CACHE_HOME` |
    /// | Linux and others | `~/.local/share` | `~/.cache` |
    /// | macOS | `~/Library/Application Support` | `~/Library/Caches` |
    /// | Windows | `%LOCALAPPDATA%` | `%LOCALAPPDATA%\cache` |
    #[must_use]
    pub fn from_env(var: impl Fn(&str) -> Option<OsString>) -> Self {
        let dir = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || dir(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let (data, cache) = if cfg!(windows) {
            let local = dir("LOCALAPPDATA");
            (local.clone(), local.map(|dir| dir.join("cache")))
        } else if cfg!(target_os = "macos") {
            let library = home().map(|home| home.join("Library"));
            (library.as_ref().map(|dir| dir.join("Application Support")), library.map(|dir| dir.join("Caches")))
        } else {
            (home().map(|home| home.join(".local/share")), home().map(|home| home.join(".cache")))
        };
        Self { data: dir("XDG_DATA_HOME").or(data), cache: dir("XDG_CACHE_HOME").or(cache) }
    }

    /// The folder that holds the missions of the repository at `root`, which should be canonical.
    ///
    /// # Errors
    /// [`StoreError::NoHome`].
    pub fn missions(&self, root: &Path) -> Result<PathBuf, StoreError> {
        let data = self.data.as_ref().ok_or(StoreError::NoHome)?;
        Ok(data.join("atlas").join(repository_folder(root)))
    }

    /// The folder of one mission. It is not made.
    ///
    /// # Errors
    /// [`StoreError::NoHome`].
    pub fn mission(&self, root: &Path, mission: &MissionId) -> Result<PathBuf, StoreError> {
        Ok(self.missions(root)?.join(mission.as_str()))
    }

    /// Makes the folder of a new mission of the day (`YYYYMMDD`): the lowest number above those that
    /// are there. Two runs at once get two folders.
    ///
    /// # Errors
    /// [`StoreError::NoHome`], or the folder cannot be made.
    ///
    /// # Panics
    /// If `day` is not eight digits.
    pub fn next_mission(&self, root: &Path, day: &str) -> Result<(MissionId, PathBuf), StoreError> {
        let missions = self.missions(root)?;
        make_directory(&missions)?;
        let listing = std::fs::read_dir(&missions).map_err(StoreError::io(&missions, "read"))?;
        let taken = listing.filter_map(Result::ok).filter_map(|entry| {
            let name = entry.file_name();
            let number = name.to_str()?.strip_prefix(day)?.strip_prefix('-')?;
            number.parse::<u32>().ok().filter(|_| number.len() >= 3)
        });
        let mut number = taken.max().unwrap_or(0);
        loop {
            number += 1;
            let id = MissionId::parse(&format!("{day}-{number:03}")).expect("a day of eight digits");
            let folder = missions.join(id.as_str());
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok((id, folder)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::io(&folder, "created")(error)),
            }
        }
    }

    /// The folder of the cache for a repository; none if no home is known. `identity` is a
    /// canonical path that all work trees of the repository share: its git directory, else its root.
    #[must_use]
    pub fn cache(&self, identity: &Path) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join("atlas").join(repository_folder(identity)))
    }
}

/// `<name>-<hash>`: the last part of the path that is not `.git`, in plain characters, and a
/// digest of the whole path.
#[must_use]
pub fn repository_folder(root: &Path) -> String {
    let named = if root.file_name().is_some_and(|name| name == ".git") { root.parent().unwrap_or(root) } else { root };
    let name = named.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' })
        .take(NAME_CHARS)
        .collect();
    let plain = plain.trim_start_matches(['.', '-']);
    let plain = if plain.is_empty() { "repository" } else { plain };
    let digest = sha256(root.as_os_str().as_encoded_bytes()).to_string();
    format!("{plain}-{}", &digest[..HASH_DIGITS])
}
