//! File names between the operating system, which knows bytes, and the contract, which knows text.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The bytes of a name. On Unix these are the name; elsewhere its UTF-8 form.
#[cfg(unix)]
pub(crate) fn bytes(name: &OsStr) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt as _;
    Cow::Borrowed(name.as_bytes())
}

#[cfg(not(unix))]
pub(crate) fn bytes(name: &OsStr) -> Cow<'_, [u8]> {
    match name.to_string_lossy() {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The path of these bytes, with `/` between parts.
#[cfg(unix)]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// A form to show of a name that may be anything: itself if it is text without control
/// characters, else with `\n`, `\t`, `\r`, `\xff` and `\u{…}` in the place of what cannot be shown.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Whether a path's part is git's own folder. Git refuses to track such a name in any case.
pub(crate) fn is_git(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b".git")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_is_escaped() {
        assert_eq!(printable("a b/名.py".as_bytes()), "a b/名.py");
        assert_eq!(printable(b"bad\xff\xfe.py"), "bad\\xff\\xfe.py");
        assert_eq!(printable(b"new\nline\x1b[0m"), "new\\nline\\u{1b}[0m");
    }
}
