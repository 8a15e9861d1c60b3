//! Tokens of C and C++, as coarse as the tidying needs them.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string or character literal.
    Literal,
    /// One byte of punctuation; `::` and `->` are [`Kind::Scope`] and [`Kind::Arrow`].
    Punct(u8),
    Scope,
    Arrow,
    /// A whole directive with its continuation lines.
    If,
    Elif,
    Else,
    Endif,
    OtherDirective,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Index of the bracket that closes this one; 0 if none does or it opens nothing.
    pub closes_at: u32,
}

impl Token {
    pub(super) fn is_directive(self) -> bool {
        matches!(self.kind, Kind::If | Kind::Elif | Kind::Else | Kind::Endif | Kind::OtherDirective)
    }

    pub(super) fn is(self, punct: u8) -> bool {
        self.kind == Kind::Punct(punct)
    }

    pub(super) fn text(self, source: &[u8]) -> &[u8] {
        &source[self.start as usize..self.end as usize]
    }
}

/// All tokens; comments and blanks are left out. Where a comment that nothing closes begins, if one does.
/// The source is shorter than 4 GiB.
pub(super) fn lex(source: &[u8]) -> (Vec<Token>, Option<u32>) {
    let mut unclosed = None;
    let mut tokens = Vec::with_capacity(source.len() / 5);
    let mut at = 0;
    let mut line_begins = true;
    while at < source.len() {
        let start = at;
        let byte = source[at];
        let kind = match byte {
            b'\n' => {
                line_begins = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'\\' if matches!(source.get(at + 1), Some(b'\n' | b'\r')) => {
                at += 2;
                continue;
            }
            b'/' if source.get(at + 1) == Some(&b'/') => {
                at = line_end(source, at);
                continue;
            }
            b'/' if source.get(at + 1) == Some(&b'*') => {
                at = comment_end(source, at);
                if at == source.len() && (at < start + 4 || !source.ends_with(b"*/")) {
                    unclosed = Some(start as u32);
                }
                continue;
            }
            b'#' if line_begins => {
                at = directive_end(source, at);
                directive_kind(&source[start..at])
            }
            b'"' | b'\'' => {
                at = literal_end(source, at);
                Kind::Literal
            }
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => {
                while at < source.len() && is_word(source[at]) {
                    at += 1;
                }
                let word = &source[start..at];
                match source.get(at) {
                    Some(b'"') if matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
                        at = raw_string_end(source, at);
                        Kind::Literal
                    }
                    Some(b'"' | b'\'') if matches!(word, b"L" | b"u" | b"U" | b"u8") => {
                        at = literal_end(source, at);
                        Kind::Literal
                    }
                    _ => Kind::Word,
                }
            }
            b'0'..=b'9' => {
                while at < source.len() && (is_word(source[at]) || matches!(source[at], b'.' | b'\'')) {
                    at += 1;
                }
                Kind::Number
            }
            b':' if source.get(at + 1) == Some(&b':') => {
                at += 2;
                Kind::Scope
            }
            b'-' if source.get(at + 1) == Some(&b'>') => {
                at += 2;
                Kind::Arrow
            }
            other => {
                at += 1;
                Kind::Punct(other)
            }
        };
        line_begins = false;
        tokens.push(Token { kind, start: start as u32, end: at as u32, closes_at: 0 });
    }
    (tokens, unclosed)
}

/// Sets [`Token::closes_at`] for brackets that match.
pub(super) fn match_brackets(tokens: &mut [Token]) {
    let mut open: Vec<usize> = Vec::new();
    for at in 0..tokens.len() {
        match tokens[at].kind {
            Kind::Punct(b'(' | b'[' | b'{') => open.push(at),
            Kind::Punct(close @ (b')' | b']' | b'}')) => {
                let wanted = match close {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                // A brace closes what is left open inside it.
                while let Some(last) = open.pop() {
                    if tokens[last].is(wanted) {
                        tokens[last].closes_at = at as u32;
                        break;
                    }
                    if wanted != b'{' {
                        open.push(last);
                        break;
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn line_end(source: &[u8], from: usize) -> usize {
    source[from..].iter().position(|&byte| byte == b'\n').map_or(source.len(), |at| from + at)
}

fn comment_end(source: &[u8], from: usize) -> usize {
    source[from + 2..].windows(2).position(|pair| pair == b"*/").map_or(source.len(), |at| from + 2 + at + 2)
}

/// A directive ends with its line, unless a backslash or a comment carries it on.
fn directive_end(source: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < source.len() {
        match source[at] {
            b'\n' => return at,
            b'\\' => {
                at += 1;
                if source.get(at) == Some(&b'\r') {
                    at += 1;
                }
                at += 1;
            }
            b'/' if source.get(at + 1) == Some(&b'*') => at = comment_end(source, at),
            b'/' if source.get(at + 1) == Some(&b'/') => return line_end(source, at),
            _ => at += 1,
        }
    }
    source.len()
}

fn directive_kind(text: &[u8]) -> Kind {
    let word: Vec<u8> = text[1..]
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, b' ' | b'\t'))
        .take_while(u8::is_ascii_alphabetic)
        .take(12)
        .collect();
    match word.as_slice() {
        b"if" | b"ifdef" | b"ifndef" => Kind::If,
        b"elif" | b"elifdef" | b"elifndef" => Kind::Elif,
        b"else" => Kind::Else,
        b"endif" => Kind::Endif,
        _ => Kind::OtherDirective,
    }
}

fn literal_end(source: &[u8], from: usize) -> usize {
    let quote = source[from];
    let mut at = from + 1;
    while at < source.len() {
        match source[at] {
            byte if byte == quote => return at + 1,
            b'\\' => at += 2,
            // An apostrophe in a skipped text is no literal.
            b'\n' => return at,
            _ => at += 1,
        }
    }
    source.len()
}

fn raw_string_end(source: &[u8], quote: usize) -> usize {
    const DELIMITER_MAX: usize = 16;
    let Some(paren) = source[quote + 1..].iter().take(DELIMITER_MAX + 1).position(|&byte| byte == b'(') else {
        return literal_end(source, quote);
    };
    let mut end = vec![b')'];
    end.extend_from_slice(&source[quote + 1..quote + 1 + paren]);
    end.push(b'"');
    memchr::memmem::find(&source[quote..], &end).map_or(source.len(), |at| quote + at + end.len())
}
