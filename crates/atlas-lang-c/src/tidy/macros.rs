//! Macros that stand where the grammar knows none: attributes of declarations, calls without a semicolon.

use super::Edits;
use super::lexer::{Kind, Token, match_brackets};

/// Words that may stand before a type without being one. Sorted.
const SPECIFIERS: [&[u8]; 25] = [
    b"_Noreturn",
    b"_Thread_local",
    b"consteval",
    b"const",
    b"constexpr",
    b"constinit",
    b"explicit",
    b"export",
    b"extern",
    b"final",
    b"friend",
    b"inline",
    b"mutable",
    b"noexcept",
    b"override",
    b"register",
    b"restrict",
    b"static",
    b"thread_local",
    b"typedef",
    b"typename",
    b"virtual",
    b"volatile",
    b"_Atomic",
    b"_Alignas",
];

pub(super) const PRIMITIVES: [&[u8]; 14] = [
    b"void",
    b"int",
    b"char",
    b"short",
    b"long",
    b"float",
    b"double",
    b"signed",
    b"unsigned",
    b"bool",
    b"_Bool",
    b"auto",
    b"wchar_t",
    b"char16_t",
];

/// Words that begin something that is no declaration of a name with a type.
const OTHERS: [&[u8]; 17] = [
    b"using",
    b"namespace",
    b"operator",
    b"template",
    b"public",
    b"private",
    b"protected",
    b"static_assert",
    b"_Static_assert",
    b"requires",
    b"concept",
    b"asm",
    b"__asm__",
    b"return",
    b"case",
    b"default",
    b"goto",
];

/// Whether a word is written as macros are: capitals, digits and underscores, with at least two capitals.
pub(super) fn is_caps(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && word.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 2
}

/// What braces enclose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Declarations,
    Statements,
    /// Initialisers and enums: nothing is mended there.
    Values,
}

pub(super) fn mend(source: &[u8], tokens: &[Token], cpp: bool, edits: &mut Edits) {
    let mut tokens = tokens.to_vec();
    match_brackets(&mut tokens);
    let mut mender = Mender { source, tokens: &tokens, cpp, edits };
    mender.run();
}

pub(super) struct Mender<'t> {
    source: &'t [u8],
    pub(super) tokens: &'t [Token],
    pub(super) cpp: bool,
    pub(super) edits: &'t mut Edits,
}

/// One word of a declaration, qualified names as one.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// Indices of its first and last token.
    first: usize,
    last: usize,
    caps: bool,
    primitive: bool,
}

/// How the scan goes on.
#[derive(Debug, Clone, Copy)]
struct Next {
    at: usize,
    /// What the next brace opens.
    opens: Scope,
    /// Whether a declaration begins there.
    starts: bool,
}

impl Next {
    fn within(at: usize, opens: Scope) -> Self {
        Self { at, opens, starts: false }
    }
}

impl Mender<'_> {
    fn run(&mut self) {
        let mut scopes: Vec<Scope> = Vec::new();
        let mut at = 0;
        let mut starts = true;
        // What the next brace opens, if the declaration before it says so.
        let mut opens = Scope::Statements;
        while at < self.tokens.len() {
            let token = self.tokens[at];
            let scope = scopes.last().copied().unwrap_or(Scope::Declarations);
            if starts && scope == Scope::Declarations && token.kind == Kind::Word {
                let next = self.declaration(at);
                opens = next.opens;
                at = next.at;
                starts = next.starts;
                continue;
            }
            if starts && scope == Scope::Statements && token.kind == Kind::Word {
                opens = if self.declares_type(at) { Scope::Declarations } else { Scope::Statements };
                self.statement(at);
            }
            starts = false;
            match token.kind {
                Kind::Punct(b'{') => {
                    let list = at > 0 && self.tokens[at - 1].is(b'=');
                    scopes.push(match scope {
                        Scope::Values => Scope::Values,
                        _ if list => Scope::Values,
                        _ => opens,
                    });
                    opens = Scope::Statements;
                    starts = true;
                }
                Kind::Punct(b'}') => {
                    scopes.pop();
                    opens = Scope::Statements;
                    starts = true;
                }
                Kind::Punct(b';') => {
                    opens = Scope::Statements;
                    starts = true;
                }
                Kind::Punct(b':') => starts = true,
                Kind::Word if scope == Scope::Statements && self.is(at + 1, b'(') => self.call(at),
                Kind::Literal if scope != Scope::Declarations => self.literal(at),
                _ => {}
            }
            at += 1;
        }
    }

    pub(super) fn word(&self, at: usize) -> &[u8] {
        self.tokens.get(at).filter(|token| token.kind == Kind::Word).map_or(&[], |token| token.text(self.source))
    }

    pub(super) fn is(&self, at: usize, punct: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(punct))
    }

    /// Index of the token behind the bracket that closes the one at `open`.
    pub(super) fn behind(&self, open: usize) -> Option<usize> {
        self.tokens.get(open).map(|token| token.closes_at as usize).filter(|&close| close > open).map(|close| close + 1)
    }

    pub(super) fn blank(&mut self, first: usize, last: usize) {
        self.edits.blank(self.tokens[first].start, self.tokens[last].end);
    }

    /// Whether a line break stands between a token and the one before it.
    fn on_new_line(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (at.checked_sub(1).and_then(|b| self.tokens.get(b)), self.tokens.get(at))
        else {
            return true;
        };
        self.source[before.end as usize..token.start as usize].contains(&b'\n')
    }

    /// `struct X {` inside a function.
    fn declares_type(&self, at: usize) -> bool {
        let skip = if matches!(self.word(at), b"typedef" | b"static" | b"const") { 1 } else { 0 };
        matches!(self.word(at + skip), b"struct" | b"union" | b"class")
            && (self.is(at + skip + 1, b'{') || self.is(at + skip + 2, b'{'))
    }

    /// A macro call that lacks its semicolon, as a statement.
    fn statement(&mut self, at: usize) {
        const STATEMENTS: [&[u8]; 12] = [
            b"if", b"while", b"for", b"switch", b"return", b"sizeof", b"catch", b"else", b"do", b"case", b"asm",
            b"__asm__",
        ];
        if !self.is(at + 1, b'(') || STATEMENTS.contains(&self.word(at)) {
            return;
        }
        let Some(next) = self.behind(at + 1) else { return };
        let follows = self.tokens.get(next).is_some_and(|token| token.kind == Kind::Word || token.is(b'}'));
        if follows && self.on_new_line(next) {
            self.end_call(at + 1, next - 1);
        }
    }

    /// `F(…)` becomes `F;`, the rest blank.
    fn end_call(&mut self, open: usize, close: usize) {
        self.blank(open, close);
        self.edits.put(self.tokens[open].start, b';');
    }

    /// Mends one declaration.
    fn declaration(&mut self, start: usize) -> Next {
        const PARTS_MAX: usize = 24;
        let mut parts: Vec<Part> = Vec::new();
        let mut at = start;
        let mut key: Option<usize> = None;
        let mut is_enum = false;
        while let Some(token) = self.tokens.get(at).copied() {
            match token.kind {
                Kind::Word => {
                    let word = self.word(at);
                    if OTHERS.contains(&word) {
                        return self.other(at);
                    }
                    if matches!(word, b"class" | b"struct" | b"union" | b"enum") {
                        is_enum |= word == b"enum";
                        key = Some(at);
                        // What stands before the keyword is a macro, unless it is a specifier.
                        self.blank_parts(&parts);
                        parts.clear();
                        at += 1;
                        continue;
                    }
                    if word == b"END_TEST" {
                        self.blank(at, at);
                        at += 1;
                        continue;
                    }
                    if SPECIFIERS.contains(&word) || word.starts_with(b"__") {
                        at = if self.is(at + 1, b'(') { self.behind(at + 1).unwrap_or(at + 1) } else { at + 1 };
                        continue;
                    }
                    let joins = at > start && self.tokens[at - 1].kind == Kind::Scope;
                    match parts.last_mut() {
                        Some(last) if joins => {
                            last.last = at;
                            last.caps = false;
                        }
                        _ => parts.push(Part {
                            first: at,
                            last: at,
                            caps: is_caps(word),
                            primitive: PRIMITIVES.contains(&word),
                        }),
                    }
                    if parts.len() > PARTS_MAX {
                        return Next::within(at + 1, Scope::Statements);
                    }
                    at += 1;
                }
                Kind::Scope => at += 1,
                Kind::Punct(b'*' | b'&') => at += 1,
                Kind::Punct(b'<') if !parts.is_empty() && self.cpp => match self.generics_end(at) {
                    Some(end) => {
                        if let Some(last) = parts.last_mut() {
                            last.last = end;
                            last.caps = false;
                        }
                        at = end + 1;
                    }
                    None => break,
                },
                Kind::Punct(b'[') if self.is(at + 1, b'[') => match self.behind(at) {
                    Some(next) => at = next,
                    None => break,
                },
                Kind::Punct(b'(') => {
                    let Some(next) = self.behind(at) else { return Next::within(at + 1, Scope::Statements) };
                    let follows_word = self.tokens.get(next).is_some_and(|token| {
                        token.kind == Kind::Word
                            && !matches!(
                                token.text(self.source),
                                b"const"
                                    | b"noexcept"
                                    | b"override"
                                    | b"final"
                                    | b"volatile"
                                    | b"try"
                                    | b"throw"
                                    | b"requires"
                                    | b"__attribute__"
                                    | b"asm"
                                    | b"__asm__"
                                    | b"__asm"
                                    | b"mutable"
                            )
                    });
                    match parts.last().copied() {
                        // `CLASS_ATTRIBUTE(x) Name`.
                        Some(last) if key.is_some() && follows_word => {
                            self.blank(last.first, next - 1);
                            parts.pop();
                            at = next;
                        }
                        // `MACRO(x)` before a declaration, or by itself.
                        Some(last) if parts.len() == 1 && follows_word && !last.primitive => {
                            if last.caps || self.on_new_line(next) {
                                self.end_call(at, next - 1);
                                return Next { at: next, opens: Scope::Statements, starts: true };
                            }
                            return self.function(next);
                        }
                        Some(last) if last.caps && self.is_trailing_attribute(&parts, next) => {
                            self.blank(last.first, next - 1);
                            parts.pop();
                            at = next;
                        }
                        _ => {
                            // `API T *(name)(…)` and `API T (*name)(…)`: all before it is type.
                            let wrapped = self.is(next, b'(')
                                && (self.is(at + 1, b'*') || (self.is(at + 2, b')') && !self.word(at + 1).is_empty()));
                            self.blank_extras(&parts, key.is_some(), wrapped);
                            if wrapped {
                                let end = self.behind(next).unwrap_or(next);
                                self.parameters(next, end);
                                return self.function(end);
                            }
                            self.parameters(at, next);
                            return self.function(next);
                        }
                    }
                }
                _ => break,
            }
        }
        let body = self.is(at, b'{') || (self.is(at, b':') && key.is_some());
        if key.is_some() && body {
            // Of several names the last is the type's.
            if let Some((_, before)) = parts.split_last() {
                self.blank_parts(before);
            }
            let scope = if is_enum { Scope::Values } else { Scope::Declarations };
            // The base clause holds no declaration.
            while at < self.tokens.len() && !self.is(at, b'{') && !self.is(at, b';') {
                at += 1;
            }
            return Next::within(at, scope);
        }
        if self
            .tokens
            .get(at)
            .is_some_and(|token| matches!(token.kind, Kind::Punct(b';' | b'=' | b'[' | b',' | b'{' | b':')))
        {
            self.blank_extras(&parts, key.is_some(), false);
        }
        // `T x[3] GUARDED_BY(mu);`
        if self.is(at, b'[')
            && let Some(next) = self.behind(at)
            && is_caps(self.word(next))
            && self.is(next + 1, b'(')
            && let Some(behind) = self.behind(next + 1)
        {
            self.blank(next, behind - 1);
        }
        // `extern "C" {` and `extern "C" void f();`
        if at == start + 1
            && self.word(start) == b"extern"
            && self.tokens.get(at).is_some_and(|t| t.kind == Kind::Literal)
        {
            let block = self.is(at + 1, b'{');
            return Next { at: at + 1, opens: Scope::Declarations, starts: !block };
        }
        let opens = if self.is(at, b'{') && parts.is_empty() { Scope::Declarations } else { Scope::Statements };
        Next::within(at.max(start + 1), opens)
    }

    /// Declarations of other forms: only what their brace opens matters.
    fn other(&self, at: usize) -> Next {
        match self.word(at) {
            b"namespace" => Next::within(at + 1, Scope::Declarations),
            b"template" => {
                let end = if self.is(at + 1, b'<') { self.generics_end(at + 1) } else { None };
                Next { at: end.unwrap_or(at) + 1, opens: Scope::Statements, starts: true }
            }
            _ => Next::within(at + 1, Scope::Statements),
        }
    }

    /// What stands behind a function's parameters: attributes in capitals are blanked.
    fn function(&mut self, at: usize) -> Next {
        let mut at = at;
        while let Some(token) = self.tokens.get(at).copied() {
            match token.kind {
                Kind::Word if is_caps(self.word(at)) => {
                    let last = if self.is(at + 1, b'(') { self.behind(at + 1).map_or(at, |next| next - 1) } else { at };
                    self.blank(at, last);
                    at = last + 1;
                }
                Kind::Word
                    if matches!(self.word(at), b"const" | b"noexcept" | b"override" | b"final" | b"volatile") =>
                {
                    at += 1
                }
                _ => break,
            }
        }
        Next::within(at, Scope::Statements)
    }

    /// Index of the `>` that ends the arguments of a template.
    fn generics_end(&self, open: usize) -> Option<usize> {
        const TOKENS_MAX: usize = 256;
        let mut depth = 0usize;
        let mut at = open;
        while at < self.tokens.len() && at < open + TOKENS_MAX {
            match self.tokens[at].kind {
                Kind::Punct(b'<') => depth += 1,
                Kind::Punct(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                Kind::Punct(b'(' | b'[') => at = self.behind(at)? - 1,
                Kind::Punct(b';' | b'{' | b'}') => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// `int x GUARDED_BY(mu);`: a type and a name stand before it, a declaration's end behind it.
    fn is_trailing_attribute(&self, parts: &[Part], next: usize) -> bool {
        let before = &parts[..parts.len() - 1];
        let named = before.iter().filter(|part| !part.caps).count();
        let ends = self.tokens.get(next).is_some_and(|token| matches!(token.kind, Kind::Punct(b';' | b'=' | b',')))
            || self.tokens.get(next).is_some_and(|token| token.kind == Kind::Word && is_caps(token.text(self.source)));
        named >= 2 && before.last().is_some_and(|last| !last.primitive) && ends
    }

    /// Attributes in a parameter list: `UNUSED int flags`, `int flags UNUSED`.
    fn parameters(&mut self, open: usize, behind: usize) {
        const PARAMETERS_MAX: usize = 64;
        let close = behind.saturating_sub(1);
        let mut at = open + 1;
        for _ in 0..PARAMETERS_MAX {
            let mut parts: Vec<Part> = Vec::new();
            let (mut keyed, mut plain) = (false, true);
            while at < close && !self.is(at, b',') {
                let token = self.tokens[at];
                match token.kind {
                    Kind::Word => {
                        let word = self.word(at);
                        let specifier = SPECIFIERS.contains(&word) || word.starts_with(b"__");
                        if matches!(word, b"struct" | b"union" | b"enum" | b"class") {
                            keyed = true;
                        } else if !specifier {
                            let (caps, primitive) = (is_caps(word), PRIMITIVES.contains(&word));
                            parts.push(Part { first: at, last: at, caps, primitive });
                        }
                    }
                    Kind::Punct(b'*' | b'&') => {}
                    _ => plain = false,
                }
                at = if token.closes_at as usize > at { token.closes_at as usize + 1 } else { at + 1 };
            }
            if plain && parts.len() >= 2 {
                match parts.split_last() {
                    Some((last, before))
                        if last.caps
                            && before.iter().filter(|part| !part.caps).count() >= 2
                            && before.last().is_some_and(|name| !name.primitive) =>
                    {
                        self.blank(last.first, last.last);
                        self.blank_extras(before, keyed, false);
                    }
                    _ => self.blank_extras(&parts, keyed, false),
                }
            }
            if at >= close {
                return;
            }
            at += 1;
        }
    }

    fn blank_parts(&mut self, parts: &[Part]) {
        for part in parts {
            self.blank(part.first, part.last);
        }
    }

    /// Of the words before a declared name one is its type; the others are macros.
    fn blank_extras(&mut self, parts: &[Part], keyed: bool, nameless: bool) {
        let Some((name, before)) = parts.split_last() else { return };
        let before = if name.primitive || nameless { parts } else { before };
        if before.len() < 2 {
            return;
        }
        let primitive = before.iter().any(|part| part.primitive);
        let kept = if keyed {
            Some(0)
        } else if primitive {
            None
        } else {
            let plain = before.iter().rposition(|part| !part.caps);
            let typed =
                before.iter().position(|part| part.caps && !is_attribute(self.tokens[part.first].text(self.source)));
            Some(plain.or(typed).unwrap_or(before.len() - 1))
        };
        for (at, part) in before.iter().enumerate() {
            if !part.primitive && kept != Some(at) {
                self.blank(part.first, part.last);
            }
        }
    }
}

/// Words that macros of linkage and attributes are made of.
fn is_attribute(word: &[u8]) -> bool {
    const SIGNS: [&[u8]; 12] = [
        b"EXPORT",
        b"IMPORT",
        b"API",
        b"INLINE",
        b"STATIC",
        b"EXTERN",
        b"CALL",
        b"DECL",
        b"NORETURN",
        b"UNUSED",
        b"DEPRECATED",
        b"PUBLIC",
    ];
    SIGNS.iter().any(|sign| word.windows(sign.len()).any(|part| part == *sign))
}
