//! Whether the bytes of a file are source to be parsed, decided before any parser sees them
//! (contract §4, gaps; §16).
//!
//! Pure and by rule, so that the same file has the same verdict everywhere: a time-out would not
//! give that. The order of the questions is the order of the reasons: what cannot be parsed at
//! all comes first (`binary`, `not-utf8`, `too-large`), then whose it is (`vendored`), then how it
//! came about (`generated`).
//!
//! What is deliberately not here: which languages have a grammar (`no-grammar`), and whether the source
//! is well-formed (`syntax-error`).

mod binary;
mod generated;
mod vendored;

use atlas_artifact::SkipReason;
use atlas_tree::RepoPath;

/// Bytes of a file that is parsed, at most: 4 MiB. Hand-written files of 3 MB exist; above this
/// come amalgamations, dumps and bundles.
pub const SOURCE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of a line of a file that is parsed, at most: 256 KiB. No one writes such a line.
pub const LINE_BYTES_MAX: usize = 256 * 1024;

/// Why a file is not plain source of this project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    pub reason: SkipReason,
    /// What was seen, for people.
    pub detail: &'static str,
    /// Whether it may be parsed all the same: for its definitions, so that references to it
    /// resolve. Never true for what is not text, too large, or minified.
    pub parse: bool,
}

/// The verdict on a file; none if it is plain source. An empty file is.
///
/// A byte order mark of UTF-8 is accepted. Time is linear in the bytes.
#[must_use]
pub fn classify(path: &RepoPath, bytes: &[u8]) -> Option<Content> {
    let no = |reason, detail| Some(Content { reason, detail, parse: false });
    if let Some(detail) = binary::wide_text(bytes) {
        return no(SkipReason::NotUtf8, detail);
    }
    if let Some(detail) = binary::binary(bytes) {
        return no(SkipReason::Binary, detail);
    }
    // Before the whole is looked through: nothing of such a file is used.
    if bytes.len() > SOURCE_BYTES_MAX {
        return no(SkipReason::TooLarge, "more than 4 MiB");
    }
    if std::str::from_utf8(bytes).is_err() {
        return no(SkipReason::NotUtf8, "not UTF-8");
    }
    let long_lines = generated::minified(path, bytes);
    if let Some(detail) = vendored::vendored(path) {
        return Some(Content { reason: SkipReason::Vendored, detail, parse: long_lines.is_none() });
    }
    if let Some(detail) = long_lines {
        return no(SkipReason::Generated, detail);
    }
    generated::generated(path, bytes).map(|detail| Content { reason: SkipReason::Generated, detail, parse: true })
}
