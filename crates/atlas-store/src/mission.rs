//! The folder of one mission (contract §2): its artifacts, its log, its excerpts, and what its branches
//! have handed in so far.
//!
//! ```text
//! mission.json … report.html   artifacts, each whole or not there
//! events.jsonl                 every tool call
//! memex/<sha256>               excerpts
//! .atlas/lock                  held while a run writes here
//! .atlas/branch-<n>.jsonl      what a branch handed in, and its return
//! .atlas/served-<n>.jsonl      likewise for a branch that a host runs, with its calls
//! .atlas/hosted.json           who may speak for which branch, and until when
//! ```

use crate::branches::{BranchJournal, BranchRecord};
use crate::error::StoreError;
use crate::events::{EventLog, Phase};
use crate::memex::Memex;
use crate::whole::{make_directory, sweep, write_whole};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a folder lies to the repository under study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    No,
    /// In it, and git ignores it.
    Ignored,
    /// In it, and git does not ignore it: nothing is written there.
    NotIgnored,
}

/// A mission folder that this process alone writes to, as long as the value lives.
#[derive(Debug)]
pub struct MissionFolder {
    dir: PathBuf,
    /// The operating system lets go of the lock when the process ends, however it ends.
    _lock: File,
}

/// A process that another thread starts holds what this one has locked until it runs its own program: a lock
/// that was just given back may be held for some milliseconds more.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

impl MissionFolder {
    /// Opens the folder at `dir`, which is made if it is not there, and takes away what a killed
    /// writer left half done.
    ///
    /// # Errors
    /// [`StoreError::InsideRepository`] before anything is made, [`StoreError::Busy`] while another
    /// process has it open, [`StoreError::Io`].
    pub fn open(dir: &Path, inside: Inside) -> Result<Self, StoreError> {
        if inside == Inside::NotIgnored {
            return Err(StoreError::InsideRepository(dir.to_owned()));
        }
        let own = dir.join(".atlas");
        for path in [own.clone(), dir.join("memex"), dir.join("events.jsonl")] {
            refuse_link(&path)?;
        }
        make_directory(&own)?;
        for entry in std::fs::read_dir(&own).map_err(StoreError::io(&own, "read"))?.flatten() {
            refuse_link(&entry.path())?;
        }
        let path = own.join("lock");
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(StoreError::io(&path, "written"))?;
        let mut tries = LOCK_TRIES;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if tries > 0 => {
                    tries -= 1;
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(StoreError::Busy(dir.to_owned())),
                Err(TryLockError::Error(error)) => return Err(StoreError::io(&path, "locked")(error)),
            }
        }
        sweep(dir)?;
        sweep(&own)?;
        let folder = Self { dir: dir.to_owned(), _lock: lock };
        let memex = dir.join("memex");
        if memex.is_dir() {
            sweep(&memex)?;
        }
        Ok(folder)
    }

    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes an artifact by its file name, whole or not at all.
    ///
    /// # Errors
    /// [`StoreError::Name`] for anything but a plain name; [`StoreError::Io`] names the file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_whole(&artifact(&self.dir, name)?, bytes)
    }

    /// Reads an artifact; none if it was not written yet.
    ///
    /// # Errors
    /// As [`MissionFolder::write`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Self::read_in(&self.dir, name)
    }

    /// Reads an artifact of a folder that need not be opened.
    ///
    /// # Errors
    /// As [`MissionFolder::write`].
    pub fn read_in(dir: &Path, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = artifact(dir, name)?;
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io(&path, "read")(error)),
        }
    }

    /// Opens the log of tool calls. Lines of an earlier, killed run stay if `keep` says so for
    /// their phase and branch; those of branches that will run again should go.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn events(&self, keep: impl Fn(Phase, u32) -> bool) -> Result<EventLog, StoreError> {
        EventLog::open(&self.dir.join("events.jsonl"), keep)
    }

    /// The store of excerpts.
    #[must_use]
    pub fn memex(&self) -> Memex {
        Memex::in_mission(&self.dir)
    }

    /// The journal of a branch, with what an earlier run left in it. `key` stands for all that the
    /// branch's result depends on: a journal with another key is begun anew.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn branch(&self, branch: u32, key: &str) -> Result<(BranchJournal, BranchRecord), StoreError> {
        BranchJournal::open(&self.dir.join(".atlas").join(format!("branch-{branch}.jsonl")), key)
    }
}

fn refuse_link(path: &Path) -> Result<(), StoreError> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Err(StoreError::Link(path.to_owned())),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn artifact(dir: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    if name.is_empty() || name.starts_with('.') || !plain {
        return Err(StoreError::Name(name.to_owned()));
    }
    Ok(dir.join(name))
}
