//! Calls among whose arguments are types, and macros among strings that are joined.

use super::lexer::Kind;
use super::macros::{Mender, PRIMITIVES, is_caps};

impl Mender<'_> {
    /// A call among whose arguments are types.
    pub(super) fn call(&mut self, at: usize) {
        const KNOWN: [&[u8]; 18] = [
            b"return",
            b"else",
            b"do",
            b"case",
            b"sizeof",
            b"offsetof",
            b"typeof",
            b"__typeof__",
            b"__typeof",
            b"alignof",
            b"_Alignof",
            b"decltype",
            b"_Generic",
            b"if",
            b"for",
            b"while",
            b"switch",
            b"catch",
        ];
        const ARGUMENTS_MAX: usize = 64;
        let Some(behind) = self.behind(at + 1) else { return };
        let close = behind - 1;
        if self.word(at) == b"va_arg" {
            let comma = (at + 2..close.min(at + 64)).find(|&at| self.is(at, b','));
            if let Some(comma) = comma {
                self.blank(comma, close - 1);
            }
            return;
        }
        // A declaration of a function has a type before its name; templates take types.
        let declares = at > 0
            && (self.tokens[at - 1].is(b'*')
                || (self.tokens[at - 1].kind == Kind::Word
                    && !matches!(self.word(at - 1), b"return" | b"else" | b"do")));
        if self.cpp || declares || KNOWN.contains(&self.word(at)) {
            return;
        }
        let mut from = at + 2;
        for _ in 0..ARGUMENTS_MAX {
            if from >= close {
                break;
            }
            let mut to = from;
            while to < close && !self.is(to, b',') {
                to = if self.tokens[to].closes_at as usize > to { self.tokens[to].closes_at as usize } else { to };
                to += 1;
            }
            self.type_argument(from, to.min(close));
            from = to + 1;
        }
    }

    /// A type in the place of an argument becomes a name or a number.
    fn type_argument(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let stars = (from..to).rev().take_while(|&at| self.is(at, b'*')).count();
        let words = from..to - stars;
        if words.is_empty() || !words.clone().all(|at| self.tokens[at].kind == Kind::Word) {
            return;
        }
        let is_keyword = |word: &[u8]| {
            PRIMITIVES.contains(&word) || matches!(word, b"struct" | b"union" | b"enum" | b"const" | b"volatile")
        };
        let last = words.end - 1;
        if stars == 0 && words.len() == 1 && !is_keyword(self.word(last)) {
            return;
        }
        if is_keyword(self.word(last)) {
            self.blank(from, to - 1);
            self.edits.put(self.tokens[from].start, b'0');
            return;
        }
        if last > from {
            self.blank(from, last - 1);
        }
        if stars > 0 {
            self.blank(last + 1, to - 1);
        }
    }

    /// Strings are joined by standing side by side; a macro call among them is blanked.
    pub(super) fn literal(&mut self, at: usize) {
        if is_caps(self.word(at + 1))
            && self.is(at + 2, b'(')
            && let Some(behind) = self.behind(at + 2)
        {
            self.blank(at + 1, behind - 1);
        }
        let Some(close) = at.checked_sub(1).filter(|&before| self.is(before, b')')) else { return };
        const BACK_MAX: usize = 32;
        let open =
            (close.saturating_sub(BACK_MAX)..close).rev().find(|&open| self.tokens[open].closes_at as usize == close);
        if let Some(word) = open.and_then(|open| open.checked_sub(1)).filter(|&word| is_caps(self.word(word))) {
            self.blank(word, close);
        }
    }
}
