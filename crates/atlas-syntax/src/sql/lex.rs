//! Tokens of an SQL text in any dialect, holes of the surrounding language included.

/// What a token is. Keywords are words: whether one is a keyword depends on where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// `"x"`, `` `x` `` or `[x]`.
    Quoted,
    String,
    Number,
    /// A parameter or an interpolation: `?`, `%s`, `:id`, `$1`, `@id`, `{x}`, `${x}`, `#{x}`.
    Hole,
    Punct(u8),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Longest interpolation that is taken for one hole, in bytes.
const HOLE_BYTES_MAX: usize = 256;

pub(super) struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Where the next `}` stands, so that texts full of `{` cost linear time.
    next_brace: Option<usize>,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, next_brace: None }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blank(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | 0x0c, _) => self.at += 1,
                // Escapes of the surrounding language that nobody has undone.
                (b'\\', b'n' | b't' | b'r' | b'\n' | b'\r') => self.at += 2,
                (b'\\', _) => self.at += 1,
                (b'-', b'-') => self.skip_line(),
                (b'#', b' ') => self.skip_line(),
                (b'/', b'*') => {
                    let rest = &self.bytes[self.at + 2..];
                    self.at = memchr::memmem::find(rest, b"*/").map_or(self.bytes.len(), |n| self.at + n + 4);
                }
                _ => return,
            }
            if self.at >= self.bytes.len() {
                self.at = self.bytes.len();
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        self.at = memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |n| self.at + n);
    }

    fn quoted(&mut self, close: u8) {
        self.at += 1;
        while let Some(n) = memchr::memchr(close, &self.bytes[self.at..]) {
            let end = self.at + n;
            self.at = end + 1;
            if self.peek(0) == close {
                self.at += 1;
                continue;
            }
            // MySQL escapes with a backslash; `'\'` and `LIKE '%\' ESCAPE` are whole strings all the same.
            let escaped = close == b'\''
                && self.bytes[end - 1] == b'\\'
                && !self.text[..end].ends_with("'\\")
                && !self.bytes[self.at..]
                    .trim_ascii_start()
                    .get(..6)
                    .is_some_and(|w| w.eq_ignore_ascii_case(b"escape"));
            if !escaped {
                return;
            }
        }
        self.at = self.bytes.len();
    }

    /// Takes `{…}` that starts at `self.at`, if it is short.
    fn braces(&mut self) -> bool {
        if self.next_brace.is_none_or(|at| at < self.at) {
            let found = memchr::memchr(b'}', &self.bytes[self.at..]);
            self.next_brace = Some(found.map_or(usize::MAX, |n| self.at + n));
        }
        match self.next_brace {
            Some(at) if at != usize::MAX && at - self.at <= HOLE_BYTES_MAX => {
                self.at = at + 1;
                true
            }
            _ => false,
        }
    }

    fn word(&mut self) {
        while matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80..) {
            self.at += 1;
        }
    }

    /// `[name]`, but not the subscript of `x[1]`.
    fn bracket_name(&self) -> bool {
        let before = self.at.checked_sub(1).map_or(b' ', |at| self.bytes[at]);
        let first = self.peek(1);
        !(before.is_ascii_alphanumeric() || before == b']' || before == b'_')
            && (first.is_ascii_alphabetic() || matches!(first, b'_' | b'#' | 0x80..))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let kind = match (first, self.peek(1)) {
            (b'%', b's' | b'd' | b'i' | b'q' | b'v' | b'w') if !self.peek(2).is_ascii_alphanumeric() => {
                self.at += 2;
                Kind::Hole
            }
            (b'%', b'(') => {
                self.at += 1;
                let close = self.bytes[self.at..].iter().take(HOLE_BYTES_MAX).position(|&b| b == b')');
                self.at += close.map_or(0, |n| n + 1);
                self.at += usize::from(close.is_some() && self.peek(0).is_ascii_alphabetic());
                Kind::Hole
            }
            (b'?', _) => {
                self.at += 1;
                self.word();
                Kind::Hole
            }
            (b':', b':') => {
                self.at += 2;
                Kind::Punct(b':')
            }
            (b':' | b'@', b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9') => {
                self.at += 1;
                self.word();
                Kind::Hole
            }
            (b'$', b'0'..=b'9') => {
                self.at += 1;
                self.word();
                Kind::Hole
            }
            (b'$' | b'#', b'{') => {
                self.at += 1;
                if self.braces() { Kind::Hole } else { Kind::Punct(first) }
            }
            // The body of a stored procedure is read as statements of its own.
            (b'$', b'$') => {
                self.at += 2;
                Kind::Punct(b';')
            }
            (b'{', _) => {
                if self.braces() {
                    Kind::Hole
                } else {
                    self.at += 1;
                    Kind::Punct(b'{')
                }
            }
            (b'\'', _) => {
                self.quoted(b'\'');
                Kind::String
            }
            (b'"' | b'`', _) => {
                self.quoted(first);
                Kind::Quoted
            }
            (b'[', _) if self.bracket_name() => {
                self.quoted(b']');
                Kind::Quoted
            }
            (b'0'..=b'9', _) => {
                self.word();
                Kind::Number
            }
            (b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'#' | 0x80.., _) => {
                self.at += 1;
                self.word();
                Kind::Word
            }
            _ => {
                self.at += 1;
                Kind::Punct(first)
            }
        };
        Some(Token { kind, start, end: self.at })
    }
}

/// A quoted name without its quotes.
pub(super) fn unquote(text: &str) -> String {
    let mut chars = text.chars();
    let close = match chars.next() {
        Some('[') => ']',
        Some(open) => open,
        None => return String::new(),
    };
    let inner = chars.as_str();
    let inner = inner.strip_suffix(close).unwrap_or(inner);
    let doubled: String = [close, close].iter().collect();
    inner.replace(&doubled, &close.to_string()).trim_end_matches('\\').to_owned()
}
