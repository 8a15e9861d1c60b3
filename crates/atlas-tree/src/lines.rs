//! Lines of a file (contract §9): they end at `\n` only, a carriage return belongs to its line,
//! a last line without one counts, an empty file has none.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An inclusive range of 1-based line numbers, `1 ≤ start ≤ end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lines {
    start: u32,
    end: u32,
}

/// Why a text is not a range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("lines must be `a-b` or `a` with 1 ≤ a ≤ b")]
pub struct LineError;

impl Lines {
    /// # Errors
    /// [`LineError`] unless `1 ≤ start ≤ end`.
    pub fn new(start: u32, end: u32) -> Result<Self, LineError> {
        if start >= 1 && start <= end { Ok(Self { start, end }) } else { Err(LineError) }
    }

    #[must_use]
    pub fn start(self) -> u32 {
        self.start
    }

    #[must_use]
    pub fn end(self) -> u32 {
        self.end
    }

    /// How many lines both ranges share.
    #[must_use]
    pub fn shared(self, other: Self) -> u32 {
        let start = self.start.max(other.start);
        let end = self.end.min(other.end);
        (end + 1).saturating_sub(start)
    }

    /// Reads `a-b` or `a`: decimal digits alone, no sign, no space.
    ///
    /// # Errors
    /// [`LineError`] for anything else, a zero or a range that runs backwards.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        let number = |part: &str| -> Result<u32, LineError> {
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(LineError);
            }
            part.parse().map_err(|_| LineError)
        };
        match text.split_once('-') {
            Some((start, end)) => Self::new(number(start)?, number(end)?),
            None => {
                let line = number(text)?;
                Self::new(line, line)
            }
        }
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.start, self.end)
    }
}

impl TryFrom<String> for Lines {
    type Error = LineError;
    fn try_from(text: String) -> Result<Self, LineError> {
        Self::parse(&text)
    }
}

impl From<Lines> for String {
    fn from(lines: Lines) -> Self {
        lines.to_string()
    }
}

/// How many lines these bytes have.
#[must_use]
pub fn line_count(bytes: &[u8]) -> u32 {
    let ends = memchr::memchr_iter(b'\n', bytes).count();
    let open = bytes.last().is_some_and(|&b| b != b'\n');
    u32::try_from(ends + usize::from(open)).unwrap_or(u32::MAX)
}

/// Byte offset of the first byte of every line, in order.
#[must_use]
pub fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    if !bytes.is_empty() {
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        if bytes.ends_with(b"\n") {
            starts.pop();
        }
    }
    starts
}

/// The bytes from the first of line `start` through the line end of line `end`: the excerpt of an
/// anchor. None if the file has fewer lines.
#[must_use]
pub fn lines_bytes(bytes: &[u8], lines: Lines) -> Option<&[u8]> {
    let mut at = 0;
    let mut ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    for _ in 1..lines.start {
        at = ends.next()?;
    }
    if at >= bytes.len() {
        return None;
    }
    let mut to = at;
    for _ in lines.start..=lines.end {
        to = match ends.next() {
            Some(end) => end,
            None if to < bytes.len() => bytes.len(),
            None => return None,
        };
    }
    Some(&bytes[at..to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(start: u32, end: u32) -> Lines {
        Lines::new(start, end).unwrap()
    }

    #[test]
    fn lines_are_counted_by_line_feeds() {
        for (text, count) in
            [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r", 2), ("\u{feff}a\n", 1)]
        {
            assert_eq!(line_count(text.as_bytes()), count, "{text:?}");
            assert_eq!(line_starts(text.as_bytes()).len() as u32, count, "{text:?}");
        }
    }

    #[test]
    fn excerpt_runs_through_the_line_end() {
        let text = b"one\r\ntwo\nthree";
        assert_eq!(lines_bytes(text, lines(1, 1)), Some(&b"one\r\n"[..]));
        assert_eq!(lines_bytes(text, lines(2, 3)), Some(&b"two\nthree"[..]));
        assert_eq!(lines_bytes(text, lines(3, 3)), Some(&b"three"[..]));
        assert_eq!(lines_bytes(text, lines(3, 4)), None);
        assert_eq!(lines_bytes(text, lines(4, 4)), None);
        assert_eq!(lines_bytes(b"a\n", lines(2, 2)), None);
        assert_eq!(lines_bytes(b"", lines(1, 1)), None);
    }

    #[test]
    fn text_form() {
        assert_eq!(Lines::parse("3-7"), Ok(lines(3, 7)));
        assert_eq!(Lines::parse("3"), Ok(lines(3, 3)));
        for bad in ["", "0", "0-3", "7-3", "-3", "3-", "a", "1-2-3", "+1", " 1", "1 - 2", "99999999999"] {
            assert_eq!(Lines::parse(bad), Err(LineError), "{bad:?}");
        }
    }

    #[test]
    fn shared_lines() {
        assert_eq!(lines(1, 5).shared(lines(5, 9)), 1);
        assert_eq!(lines(1, 5).shared(lines(6, 9)), 0);
        assert_eq!(lines(2, 9).shared(lines(4, 6)), 3);
    }
}
