//! A journal that several processes write: what a branch that somebody else runs has called and handed in.
//!
//! Hosts start one server for each of their agents, kill them without a word, and let several serve
//! one branch. So nothing is kept in memory: every step reads the journal, decides and appends while
//! it holds the file's lock, and what it appended is on the disk before anybody is told.

use crate::error::StoreError;
use crate::whole::make_directory;
use serde_json::Value;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait before a lock is tried again.
const AGAIN: Duration = Duration::from_millis(3);

/// The journal of one branch of one mission folder.
#[derive(Debug, Clone)]
pub struct SharedJournal {
    path: PathBuf,
}

impl SharedJournal {
    /// Nothing is made before the first step.
    #[must_use]
    pub fn in_mission(mission_dir: &Path, branch: u32) -> Self {
        Self { path: mission_dir.join(".atlas").join(format!("served-{branch}.jsonl")) }
    }

    /// What is in it; empty if nothing ever was.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn read(&self) -> Result<Vec<Value>, StoreError> {
        match std::fs::read(&self.path) {
            Ok(bytes) => Ok(values(&bytes).0),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(StoreError::io(&self.path, "read")(error)),
        }
    }

    /// One step: `work` sees what is there, and what it gives back is appended, durably, before this
    /// returns. While another step is under way this waits, as long as `wait` says so; None if it no longer
    /// does.
    ///
    /// # Errors
    /// [`StoreError::Io`]; the journal then is as it was before.
    pub fn step<T>(
        &self,
        wait: &dyn Fn() -> bool,
        work: impl FnOnce(Vec<Value>) -> (Vec<Value>, T),
    ) -> Result<Option<T>, StoreError> {
        if let Some(dir) = self.path.parent() {
            make_directory(dir)?;
        }
        let fail = |action| StoreError::io(&self.path, action);
        let options = File::options().read(true).append(true).create(true).open(&self.path);
        let mut file = options.map_err(fail("written"))?;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if !wait() => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(AGAIN),
                Err(TryLockError::Error(error)) => return Err(fail("locked")(error)),
            }
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(fail("read"))?;
        let (before, whole) = values(&bytes);
        if whole < bytes.len() {
            // The end of a writer that was killed.
            file.set_len(whole as u64).map_err(fail("written"))?;
        }
        let (added, out) = work(before);
        if !added.is_empty() {
            let mut lines = String::new();
            for value in &added {
                lines.push_str(&value.to_string());
                lines.push('\n');
            }
            file.write_all(lines.as_bytes()).and_then(|()| file.sync_data()).map_err(|error| {
                let _ = file.set_len(whole as u64);
                fail("written")(error)
            })?;
        }
        // The lock goes with the file.
        Ok(Some(out))
    }
}

/// The values of all whole lines, and the bytes that they take up.
fn values(bytes: &[u8]) -> (Vec<Value>, usize) {
    let mut values = Vec::new();
    let mut whole = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        whole += line.len();
        values.extend(serde_json::from_slice::<Value>(line));
    }
    (values, whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn steps_of_many_follow_one_another_and_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let journal = SharedJournal::in_mission(dir.path(), 1);
                        let done = journal.step(&|| true, |before| (vec![json!(before.len())], ())).unwrap();
                        assert_eq!(done, Some(()));
                    }
                });
            }
        });
        let wanted: Vec<Value> = (0..40).map(|n| json!(n)).collect();
        assert_eq!(SharedJournal::in_mission(dir.path(), 1).read().unwrap(), wanted);
        assert_eq!(SharedJournal::in_mission(dir.path(), 2).read().unwrap(), [] as [Value; 0]);
    }

    #[test]
    fn half_a_line_of_a_killed_writer_goes() {
        let dir = tempfile::tempdir().unwrap();
        let journal = SharedJournal::in_mission(dir.path(), 3);
        journal.step(&|| true, |_| (vec![json!("whole")], ())).unwrap();
        let path = dir.path().join(".atlas/served-3.jsonl");
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"{\"half\": ").unwrap();
        assert_eq!(journal.read().unwrap(), [json!("whole")]);
        journal.step(&|| true, |before| (vec![json!(before.len())], ())).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "\"whole\"\n1\n");
    }

    #[test]
    fn who_no_longer_waits_is_let_go() {
        let dir = tempfile::tempdir().unwrap();
        let journal = SharedJournal::in_mission(dir.path(), 1);
        let inner = journal
            .step(&|| true, |_| {
                (Vec::new(), SharedJournal::in_mission(dir.path(), 1).step(&|| false, |_| (Vec::new(), ())))
            })
            .unwrap();
        assert_eq!(inner, Some(Ok(None)));
    }
}
