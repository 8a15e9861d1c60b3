//! Blanks what keeps a C or C++ file from parsing: branches of conditional groups that leave braces
//! open, macros that stand where the grammar knows none.
//!
//! The text keeps its length and its line ends, so that every line and column stays true; a macro call
//! without a semicolon gets one in place of its arguments. What is deliberately *not* here: knowledge of
//! what a macro stands for. Everything is decided by position, by case and by what follows.

mod calls;
mod groups;
mod lexer;
mod macros;

use lexer::{Token, lex};
use std::borrow::Cow;

/// The source as the grammar should see it.
pub(crate) fn tidy(source: &[u8], cpp: bool) -> Cow<'_, [u8]> {
    if u32::try_from(source.len()).is_err() {
        return Cow::Borrowed(source);
    }
    let (tokens, unclosed) = lex(source);
    let mut edits = Edits::default();
    // The grammar takes time without bound to look for the end of a comment that has none.
    if let Some(start) = unclosed {
        edits.blank(start, source.len() as u32);
    }
    groups::flatten(source, &tokens, cpp, &mut edits);
    edits.blanks.sort_unstable();
    let kept: Vec<Token> = edits.keep(&tokens);
    macros::mend(source, &kept, cpp, &mut edits);
    edits.apply(source)
}

/// Changes to the text: ranges that become blank, and single bytes put into them.
#[derive(Debug, Default)]
pub(super) struct Edits {
    blanks: Vec<(u32, u32)>,
    bytes: Vec<(u32, u8)>,
}

impl Edits {
    pub(super) fn blank(&mut self, from: u32, to: u32) {
        self.blanks.push((from, to));
    }

    /// Puts one byte where blanks are.
    pub(super) fn put(&mut self, at: u32, byte: u8) {
        self.bytes.push((at, byte));
    }

    /// The code tokens that no sorted blank covers.
    fn keep(&self, tokens: &[Token]) -> Vec<Token> {
        let mut blanks = self.blanks.iter().peekable();
        let mut covered = 0;
        tokens
            .iter()
            .filter(|token| {
                while let Some(&&(from, to)) = blanks.peek()
                    && from <= token.start
                {
                    covered = covered.max(to);
                    blanks.next();
                }
                !token.is_directive() && token.start >= covered
            })
            .copied()
            .collect()
    }

    fn apply(self, source: &[u8]) -> Cow<'_, [u8]> {
        if self.blanks.is_empty() && self.bytes.is_empty() {
            return Cow::Borrowed(source);
        }
        let mut text = source.to_vec();
        let mut done = 0;
        let mut blanks = self.blanks;
        blanks.sort_unstable();
        for (from, to) in blanks {
            let from = (from as usize).max(done);
            let to = (to as usize).min(text.len());
            for byte in text.get_mut(from..to).into_iter().flatten() {
                if !matches!(*byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
            done = done.max(to);
        }
        for (at, byte) in self.bytes {
            if let Some(place) = text.get_mut(at as usize) {
                *place = byte;
            }
        }
        Cow::Owned(text)
    }
}

#[cfg(test)]
mod tests;
