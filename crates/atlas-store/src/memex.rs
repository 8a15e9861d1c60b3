//! Excerpts by their digest (contract §1, memex): `memex://excerpt/<sha256>` → exact bytes.

use crate::error::StoreError;
use crate::whole::{make_directory, write_whole};
use atlas_tree::{Digest, sha256};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A directory with one file for each excerpt, named by its digest.
#[derive(Debug, Clone)]
pub struct Memex {
    dir: PathBuf,
}

impl Memex {
    /// The memex of a mission folder; it need not exist to be read.
    #[must_use]
    pub fn in_mission(mission_dir: &Path) -> Self {
        Self { dir: mission_dir.join("memex") }
    }

    /// Stores an excerpt durably; what is there already is not written again, unless it is damaged.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = sha256(bytes);
        if matches!(self.get(&digest), Ok(Some(_))) {
            return Ok(digest);
        }
        make_directory(&self.dir)?;
        write_whole(&self.path(&digest), bytes)?;
        Ok(digest)
    }

    /// The bytes of an excerpt; none if it was never stored.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if what is stored does not have that digest; [`StoreError::Io`].
    pub fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(digest);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(StoreError::io(&path, "read")(error)),
        };
        if sha256(&bytes) == *digest {
            Ok(Some(bytes))
        } else {
            Err(StoreError::Corrupt { path, cause: "its bytes do not have its digest".to_owned() })
        }
    }

    /// What is stored, with sizes in bytes, by digest. A memex that was never written to is empty.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn list(&self) -> Result<Vec<(Digest, u64)>, StoreError> {
        let listing = match std::fs::read_dir(&self.dir) {
            Ok(listing) => listing,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(StoreError::io(&self.dir, "read")(error)),
        };
        let stored = listing.filter_map(Result::ok).filter_map(|entry| {
            let digest = Digest::parse(entry.file_name().to_str()?)?;
            Some((digest, entry.metadata().ok()?.len()))
        });
        let mut stored: Vec<(Digest, u64)> = stored.collect();
        stored.sort_unstable();
        Ok(stored)
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.dir.join(digest.to_string())
    }
}
