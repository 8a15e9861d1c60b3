//! Files that are there whole or not at all.

use crate::error::StoreError;
use std::io::{self, Write};
use std::path::Path;

/// How the names of files that are being written begin and end. A writer that was killed leaves one behind.
const PART_BEGIN: &str = ".atlas-";
const PART_END: &str = ".part";

/// Writes a file: a temporary one in the same directory, made durable, then renamed, and the
/// directory made durable. Whoever looks sees the old file or the new one, also after a power cut.
/// The directory must exist.
///
/// # Errors
/// Names `path`, whatever failed. What was at `path` is then still there, and no part of the new file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// As [`write_whole`], making the directory first if it is not there. A link is followed, so that a
/// user's linked settings stay linked.
///
/// # Errors
/// As [`write_whole`].
pub fn write_whole_in(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    make_directory(directory(&path))?;
    write_whole(&path, bytes)
}

/// Removes a file; `with_directory` removes the directory that it was in too, if that is empty then.
///
/// # Errors
/// [`StoreError::Io`]; a file that is not there is none.
pub fn remove_file(path: &Path, with_directory: bool) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(StoreError::io(path, "removed")(error)),
        _ => {}
    }
    if with_directory {
        // Fails if there is something else in it, which then stays.
        let _ = std::fs::remove_dir(directory(path));
    }
    Ok(())
}

/// As [`write_whole`], with the bytes coming from `fill`.
pub(crate) fn write_whole_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    attempt(path, fill).map_err(StoreError::io(path, "written"))
}

fn attempt(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let dir = directory(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PART_BEGIN).suffix(PART_END);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What the user's umask leaves, as for any file; temporary files are else private.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut part = builder.tempfile_in(dir)?;
    fill(part.as_file_mut())?;
    part.as_file().sync_all()?;
    part.persist(path).map_err(|error| error.error)?;
    sync_directory(dir)
}

/// Removes what killed writers left in `dir`. Only for whoever holds the lock of that directory.
pub(crate) fn sweep(dir: &Path) -> Result<(), StoreError> {
    let listing = std::fs::read_dir(dir).map_err(StoreError::io(dir, "read"))?;
    for entry in listing.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PART_BEGIN) && name.ends_with(PART_END) {
            let path = entry.path();
            std::fs::remove_file(&path).map_err(StoreError::io(&path, "removed"))?;
        }
    }
    Ok(())
}

/// Makes a directory and those above it, durably.
pub(crate) fn make_directory(dir: &Path) -> Result<(), StoreError> {
    let fail = || StoreError::io(dir, "created");
    let mut made = Vec::new();
    for ancestor in dir.ancestors() {
        if ancestor.as_os_str().is_empty() || ancestor.is_dir() {
            break;
        }
        made.push(ancestor);
    }
    std::fs::create_dir_all(dir).map_err(fail())?;
    for new in made {
        sync_directory(directory(new)).map_err(fail())?;
    }
    Ok(())
}

/// The directory that a path is in; the current one for a bare name.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn sync_directory(dir: &Path) -> io::Result<()> {
    match std::fs::File::open(dir)?.sync_all() {
        // Some network and memory file systems have nothing to make durable and say so.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature everywhere")]
fn sync_directory(_dir: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_write_that_fails_half_way_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("findings.json");
        write_whole(&path, b"old").unwrap();
        let error = write_whole_with(&path, |file| {
            file.write_all(b"half of the")?;
            Err(io::Error::from_raw_os_error(28))
        })
        .unwrap_err();
        let cause = "no space left on device".to_owned();
        assert_eq!(error, StoreError::Io { path: path.clone(), action: "written", cause });
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["findings.json"]);
        write_whole(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(names(dir.path()), ["findings.json"]);
    }

    #[test]
    fn a_writer_that_panics_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let done = std::panic::catch_unwind(|| write_whole_with(&path, |_| panic!("in the middle")));
        assert!(done.is_err());
        assert_eq!(names(dir.path()), [] as [&str; 0]);
    }

    #[test]
    fn parts_of_killed_writers_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        write_whole(&dir.path().join("kept.part"), b"x").unwrap();
        write_whole(&dir.path().join(".atlas-abc.part"), b"half").unwrap();
        sweep(dir.path()).unwrap();
        assert_eq!(names(dir.path()), ["kept.part"]);
    }

    #[test]
    fn a_missing_directory_is_an_error_that_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("no/such/file");
        let cause = "no such file or directory".to_owned();
        assert!(matches!(
            write_whole(&path, b"x"),
            Err(StoreError::Io { path: named, cause: said, .. }) if named == path && said.starts_with(&cause)
        ));
        make_directory(path.parent().unwrap()).unwrap();
        write_whole(&path, b"x").unwrap();
    }
}
