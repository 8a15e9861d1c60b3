//! Columns, wrapping, colour and the one way by which text reaches the terminal.

use crate::view::Source;
use atlas_artifact::refusal::is_unprintable;
use std::fmt::Write as _;

/// What a colour stands for. The word beside it always says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Strong,
    Good,
    Warn,
    Bad,
    Faint,
    Place,
}

impl Ink {
    /// The parameters of the escape sequence.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Strong => "1",
            Self::Good => "32",
            Self::Warn => "33",
            Self::Bad => "31",
            Self::Faint => "2",
            Self::Place => "36",
        }
    }
}

/// Builds the text line by line.
pub(super) struct Printer {
    out: String,
    width: usize,
    colour: bool,
}

impl Printer {
    pub(super) fn new(width: usize, colour: bool) -> Self {
        Self { out: String::new(), width, colour }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    /// A bold heading with a coloured word behind it.
    pub(super) fn heading(&mut self, text: &str, word: &str, ink: Ink) {
        let lines = wrap(&printable(text), self.width, self.width);
        let last = lines.len() - 1;
        for (at, line) in lines.iter().enumerate() {
            self.ink(Ink::Strong, line);
            if at == last {
                if columns(line) + columns(word) + 4 > self.width {
                    self.blank();
                }
                self.out.push_str("  ");
                self.ink(ink, &format!("[{word}]"));
            }
            self.blank();
        }
    }

    /// A coloured mark and a wrapped text that hangs behind it.
    pub(super) fn item(&mut self, indent: usize, mark: &str, ink: Ink, text: &str) {
        self.out.push_str(&" ".repeat(indent));
        self.ink(ink, mark);
        let hang = indent + columns(mark) + 1;
        let pad = hang.max(indent + 4).min(hang + 4);
        self.out.push_str(&" ".repeat(pad - indent - columns(mark)));
        self.hanging(pad, Ink::Plain, text);
    }

    /// Faint text, wrapped.
    pub(super) fn note(&mut self, indent: usize, text: &str) {
        self.out.push_str(&" ".repeat(indent));
        self.hanging(indent, Ink::Faint, text);
    }

    pub(super) fn place(&mut self, indent: usize, text: &str) {
        self.out.push_str(&" ".repeat(indent));
        self.hanging(indent, Ink::Place, text);
    }

    pub(super) fn strong(&mut self, text: &str) {
        self.hanging(0, Ink::Strong, text);
    }

    /// A label, and a text on the same line, not wrapped: a path is for copying.
    pub(super) fn labelled(&mut self, label: &str, ink: Ink, text: &str) {
        let _ = write!(self.out, "{label} ");
        self.ink(ink, &printable(text));
        self.blank();
    }

    /// Numbered source lines, each cut to the width.
    pub(super) fn source(&mut self, indent: usize, source: &Source) {
        let digits = source.lines.iter().map(|line| line.number.to_string().len()).max().unwrap_or(1);
        for line in &source.lines {
            self.out.push_str(&" ".repeat(indent));
            self.ink(Ink::Faint, &format!("{:>digits$} │ ", line.number));
            let room = self.width.saturating_sub(indent + digits + 3);
            let text = printable(&line.text.replace('\t', "    "));
            let cut = cut(&text, room, line.more_chars > 0);
            self.out.push_str(cut.trim_end());
            self.blank();
        }
        if source.more_lines > 0 {
            let plural = if source.more_lines == 1 { "" } else { "s" };
            self.note(indent, &format!("… {} more line{plural}", source.more_lines));
        }
    }

    /// Wraps the text behind what already stands on the line.
    fn hanging(&mut self, indent: usize, ink: Ink, text: &str) {
        let room = self.width.saturating_sub(indent).max(20);
        for (at, line) in wrap(&printable(text), room, room).iter().enumerate() {
            if at > 0 {
                self.out.push_str(&" ".repeat(indent));
            }
            self.ink(ink, line);
            self.blank();
        }
    }

    fn ink(&mut self, ink: Ink, text: &str) {
        if self.colour && ink != Ink::Plain && !text.is_empty() {
            let _ = write!(self.out, "\u{1b}[{}m{text}\u{1b}[0m", ink.code());
        } else {
            self.out.push_str(text);
        }
    }
}

/// The text on one line, with what is not printable as its code.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            c if is_unprintable(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Lines of at most `room` columns, broken at spaces, and within words that are longer; at least one.
fn wrap(text: &str, first: usize, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut left = first;
    for word in text.split_whitespace() {
        let mut word = word;
        let begun = lines.last().is_some_and(|line| !line.is_empty());
        if begun && columns(word) < left {
            if let Some(line) = lines.last_mut() {
                line.push(' ');
            }
            left -= 1;
        } else if begun {
            lines.push(String::new());
            left = room;
        }
        while columns(word) > left {
            let head = prefix(word, left);
            // A wide character on a line of one column still has to go somewhere.
            let head = if head == 0 { word.chars().next().map_or(word.len(), char::len_utf8) } else { head };
            if let Some(line) = lines.last_mut() {
                line.push_str(&word[..head]);
            }
            word = &word[head..];
            lines.push(String::new());
            left = room;
        }
        left -= columns(word);
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    lines
}

/// The text cut to `room` columns, with `…` if anything is missing.
fn cut(text: &str, room: usize, more: bool) -> String {
    if columns(text) <= room && !more {
        return text.to_owned();
    }
    let end = prefix(text, room.saturating_sub(1));
    format!("{}…", &text[..end])
}

/// Bytes of the longest start that takes at most `room` columns.
fn prefix(text: &str, room: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += width(c);
        if used > room {
            return at;
        }
    }
    text.len()
}

fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Columns of a character: none for what combines, two for East Asian wide ones and pictures. The
/// blocks are those of Unicode's East Asian Width, coarsely; where they err, a line is a little short.
fn width(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f | 0x0483..=0x0489 | 0x0591..=0x05bd | 0x0610..=0x061a | 0x064b..=0x065f => 0,
        0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200c..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97c | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap_and_long_ones_break() {
        assert_eq!(wrap("aa bb cc", 5, 5), ["aa bb", "cc"]);
        assert_eq!(wrap("aaaaaaa b", 5, 5), ["aaaaa", "aa b"]);
        assert_eq!(wrap("漢字漢字", 5, 5), ["漢字", "漢字"]);
        assert_eq!(wrap("", 5, 5), [""]);
        assert_eq!(wrap("漢", 1, 1).concat(), "漢");
    }

    #[test]
    fn cut_text_says_so() {
        assert_eq!(cut("abcdef", 6, false), "abcdef");
        assert_eq!(cut("abcdef", 5, false), "abcd…");
        assert_eq!(cut("abc", 5, true), "abc…");
        assert_eq!(cut("漢字漢字", 5, false), "漢字…");
    }

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        assert_eq!(printable("a\u{1b}[2Jb\u{7}\r\u{9b}\u{202e}\n"), r"a\u{1b}[2Jb\u{7}\u{d}\u{9b}\u{202e} ");
    }
}
