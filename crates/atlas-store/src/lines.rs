//! Files of JSON lines that are appended to durably: a line counts once its line end is on the disk.

use crate::error::StoreError;
use crate::whole::write_whole;
use serde_json::Value;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file open for appending, by any number of threads.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    file: Mutex<File>,
}

impl Lines {
    /// Opens the file, made if it is not there, with the lines that `keep` leaves of it. What
    /// follows the last line end was never whole and goes, as does a line that is no JSON: the disk
    /// may have kept a part of it only.
    pub(crate) fn open(path: &Path, keep: impl Fn(&Value) -> bool) -> Result<(Self, Vec<Value>), StoreError> {
        let before = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(StoreError::io(path, "read")(error)),
        };
        let mut kept = Vec::new();
        let mut values = Vec::new();
        for line in before.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            if let Ok(value) = serde_json::from_slice(line)
                && keep(&value)
            {
                kept.extend_from_slice(line);
                values.push(value);
            }
        }
        if kept != before || !path.exists() {
            write_whole(path, &kept)?;
        }
        let file = File::options().append(true).open(path).map_err(StoreError::io(path, "written"))?;
        Ok((Self { path: path.to_owned(), file: Mutex::new(file) }, values))
    }

    /// Appends one line; it is durable when this returns.
    pub(crate) fn append(&self, value: &Value) -> Result<(), StoreError> {
        let mut line = value.to_string();
        line.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let end = file.metadata().map_err(StoreError::io(&self.path, "written"))?.len();
        let done = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
        done.map_err(|error| {
            // A full disk took a part of the line: the next one must not be glued to it.
            let _ = file.set_len(end);
            StoreError::io(&self.path, "written")(error)
        })
    }

    /// Replaces the whole file.
    pub(crate) fn replace(&self, bytes: &[u8]) -> Result<(), StoreError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_whole(&self.path, bytes)?;
        *file = File::options().append(true).open(&self.path).map_err(StoreError::io(&self.path, "written"))?;
        Ok(())
    }

    /// The lines as they are on the disk.
    pub(crate) fn read(&self) -> Result<Vec<u8>, StoreError> {
        std::fs::read(&self.path).map_err(StoreError::io(&self.path, "read"))
    }
}
