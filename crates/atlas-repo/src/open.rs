//! Opening files that strangers made: links are not followed, pipes and sockets are not waited on,
//! and no more than a bound is read.
//!
//! On Unix a path below the root is opened from a handle of the root without following any link
//! on the way, so that a directory that is swapped for a link between a look and the opening leads
//! nowhere. Elsewhere the look is all there is.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Why a file was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Nothing has this name.
    NotFound,
    /// A link stands in the path, or may.
    Link,
    /// A directory, pipe, socket or device.
    NotAFile,
    /// More bytes than may be read.
    TooLarge { bytes: u64 },
    /// The operating system's words.
    Io(String),
}

/// The bytes of a regular file; its last part must not be a link, the parts before may be.
pub(crate) fn read_bounded(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Failure> {
    bounded(open_last(path)?, bytes_max)
}

/// As [`read_bounded`] with a text error, where a failure is only to be told.
pub(crate) fn read_text(path: &Path, bytes_max: u64) -> Result<Vec<u8>, String> {
    read_bounded(path, bytes_max).map_err(|failure| failure.to_string())
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str("does not exist"),
            Self::Link => f.write_str("is a link"),
            Self::NotAFile => f.write_str("is not a regular file"),
            Self::TooLarge { bytes } => write!(f, "is too large: {bytes} bytes"),
            Self::Io(cause) => f.write_str(cause),
        }
    }
}

/// A handle of the directory that all reading stays below.
#[derive(Debug)]
pub(crate) struct Root {
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
    path: PathBuf,
}

impl Root {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        let handle = {
            use rustix::fs::{Mode, OFlags};
            rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?
        };
        #[cfg(not(unix))]
        std::fs::read_dir(path)?;
        Ok(Self {
            #[cfg(unix)]
            handle,
            path: path.to_owned(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of the regular file at `relative`, with no link anywhere in it.
    pub(crate) fn read(&self, relative: &str, bytes_max: u64) -> Result<Vec<u8>, Failure> {
        bounded(self.open_below(relative)?, bytes_max)
    }

    #[cfg(target_os = "linux")]
    fn open_below(&self, relative: &str) -> Result<File, Failure> {
        use rustix::fs::{Mode, ResolveFlags, openat2};
        use rustix::io::Errno;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match openat2(&self.handle, relative, flags(), Mode::empty(), resolve) {
            Ok(handle) => Ok(File::from(handle)),
            // Old kernels and some sandboxes do not have the call; `AGAIN` is a race that it could not decide.
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL | Errno::AGAIN) => self.open_by_parts(relative),
            Err(Errno::LOOP | Errno::XDEV) => Err(Failure::Link),
            Err(errno) => Err(failure(&errno.into())),
        }
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn open_below(&self, relative: &str) -> Result<File, Failure> {
        self.open_by_parts(relative)
    }

    #[cfg(unix)]
    fn open_by_parts(&self, relative: &str) -> Result<File, Failure> {
        use rustix::fs::{Mode, OFlags, openat};
        let link_or = |errno: rustix::io::Errno| match errno {
            // Which of the two a link on the way gives depends on the system.
            rustix::io::Errno::LOOP | rustix::io::Errno::MLINK | rustix::io::Errno::NOTDIR => Failure::Link,
            other => failure(&other.into()),
        };
        let (dirs, name) = relative.rsplit_once('/').map_or((None, relative), |(dirs, name)| (Some(dirs), name));
        let mut at = None;
        for part in dirs.into_iter().flat_map(|dirs| dirs.split('/')) {
            let from = at.as_ref().unwrap_or(&self.handle);
            let through = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            at = Some(openat(from, part, through, Mode::empty()).map_err(link_or)?);
        }
        let from = at.as_ref().unwrap_or(&self.handle);
        openat(from, name, flags(), Mode::empty()).map(File::from).map_err(link_or)
    }

    #[cfg(not(unix))]
    fn open_below(&self, relative: &str) -> Result<File, Failure> {
        let mut at = self.path.clone();
        for part in relative.split('/') {
            at.push(part);
            let metadata = std::fs::symlink_metadata(&at).map_err(|error| failure(&error))?;
            if metadata.file_type().is_symlink() {
                return Err(Failure::Link);
            }
        }
        open_last(&at)
    }
}

#[cfg(unix)]
fn flags() -> rustix::fs::OFlags {
    use rustix::fs::OFlags;
    // Without `NONBLOCK` the opening of a pipe waits for a writer that never comes.
    OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC
}

#[cfg(unix)]
fn open_last(path: &Path) -> Result<File, Failure> {
    match rustix::fs::open(path, flags(), rustix::fs::Mode::empty()) {
        Ok(handle) => Ok(File::from(handle)),
        Err(rustix::io::Errno::LOOP | rustix::io::Errno::MLINK) => Err(Failure::Link),
        Err(errno) => Err(failure(&errno.into())),
    }
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the look before it is what this platform offers")]
fn open_last(path: &Path) -> Result<File, Failure> {
    let metadata = std::fs::symlink_metadata(path).map_err(|error| failure(&error))?;
    if metadata.file_type().is_symlink() {
        return Err(Failure::Link);
    }
    if !metadata.is_file() {
        return Err(Failure::NotAFile);
    }
    File::open(path).map_err(|error| failure(&error))
}

fn bounded(file: File, bytes_max: u64) -> Result<Vec<u8>, Failure> {
    let metadata = file.metadata().map_err(|error| failure(&error))?;
    if !metadata.is_file() {
        return Err(Failure::NotAFile);
    }
    if metadata.len() > bytes_max {
        return Err(Failure::TooLarge { bytes: metadata.len() });
    }
    // The size is a hint: the file may grow while it is read, and some files have none to tell.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).map_or(0, |len| len + 1));
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(|error| failure(&error))?;
    if bytes.len() as u64 > bytes_max {
        return Err(Failure::TooLarge { bytes: bytes.len() as u64 });
    }
    Ok(bytes)
}

pub(crate) fn failure(error: &io::Error) -> Failure {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound | Kind::NotADirectory | Kind::InvalidFilename | Kind::InvalidInput => Failure::NotFound,
        Kind::IsADirectory => Failure::NotAFile,
        // What opening a socket says.
        _ if matches!(error.raw_os_error(), Some(6)) && cfg!(unix) => Failure::NotAFile,
        _ => Failure::Io(cause(error)),
    }
}

/// The system's words without its number, the same on every run.
pub(crate) fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
