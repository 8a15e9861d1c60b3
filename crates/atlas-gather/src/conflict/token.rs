//! A claim's text to words, names, numbers and marks (contract §10.4, by words).

use super::quantity::unit;
use super::stem::stem;
use crate::ground;

/// A name of code: its parts, the last one the most telling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    pub parts: Vec<String>,
    /// Whether it is a path or a route rather than a symbol.
    pub is_path: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// In lower case, contractions and hyphens taken apart.
    Word,
    Name(Name),
    Number(f64),
    /// Punctuation; `'` stands for a possessive.
    Mark(char),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub form: Form,
    /// Words in lower case, all else as written.
    pub text: String,
    /// Written in capitals, or as code: it may be a value.
    pub is_literal: bool,
}

impl Name {
    pub fn of(text: &str) -> Self {
        let is_path = text.contains('/') || has_file_ending(text);
        if is_path {
            return Self { parts: vec![text.trim_matches('/').to_owned()], is_path };
        }
        let normal = ground::normalise(text);
        let parts: Vec<String> = normal.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Self { parts: if parts.is_empty() { vec![text.to_owned()] } else { parts }, is_path }
    }

    /// Whether both may name one thing: one ends in the other, part by part.
    pub fn same(&self, other: &Self) -> bool {
        if self.is_path || other.is_path {
            let (a, b) = (&self.parts[0], &other.parts[0]);
            let ends = |long: &str, short: &str| {
                long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            return self.is_path == other.is_path && (ends(a, b) || ends(b, a));
        }
        let pairs = self.parts.iter().rev().zip(other.parts.iter().rev());
        pairs.clone().count() > 0 && pairs.into_iter().all(|(a, b)| a == b)
    }

    /// The stems of the words that its last part is made of.
    pub fn words(&self) -> Vec<String> {
        let last = self.parts.last().map_or("", String::as_str);
        let mut words = vec![String::new()];
        let mut was_lower = false;
        for c in last.chars() {
            if !c.is_alphanumeric() || c.is_uppercase() && was_lower {
                words.push(String::new());
            }
            if c.is_alphanumeric() {
                words.last_mut().expect("there is one").extend(c.to_lowercase());
            }
            was_lower = c.is_lowercase();
        }
        words.iter().filter(|word| !word.is_empty()).map(|word| stem(word)).collect()
    }

    /// Whether the other is a file within this directory.
    pub fn holds(&self, other: &Self) -> bool {
        let inside = other.parts[0].strip_prefix(self.parts[0].as_str());
        self.is_path && other.is_path && inside.is_some_and(|rest| rest.starts_with('/'))
    }

    pub fn text(&self) -> String {
        self.parts.join(".")
    }

    /// The only part, if it reads as a word.
    pub fn as_word(&self) -> Option<&str> {
        match &self.parts[..] {
            [one] if !self.is_path && one.bytes().all(|byte| byte.is_ascii_lowercase()) => Some(one),
            _ => None,
        }
    }
}

/// Endings of file names that claims speak of without a directory.
fn has_file_ending(text: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "py", "rs", "go", "js", "ts", "tsx", "jsx", "rb", "java", "kt", "c", "h", "cc", "cpp", "hpp", "cs", "php",
        "swift", "scala", "ex", "exs", "lua", "sh", "sql", "yaml", "yml", "json", "toml", "xml", "html", "css", "md",
        "ini", "cfg", "conf", "env", "proto", "lock", "txt", "csv", "tf", "gradle", "vue", "mod",
    ];
    text.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
}

/// Takes a claim apart. Never fails: whatever it is, it is tokens.
pub fn tokens(claim: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = claim;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('`') {
            if let Some(end) = inside.find('`') {
                code(&inside[..end], &mut out);
                rest = &inside[end + 1..];
            } else {
                rest = inside;
            }
            continue;
        }
        if let Some(space) = rest.chars().next().filter(|c| c.is_whitespace()) {
            rest = &rest[space.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '`').unwrap_or(rest.len());
        let glued = rest[end..].starts_with('`');
        chunk(&rest[..end], glued, &mut out);
        rest = &rest[end..];
    }
    join_routes(&mut out);
    out
}

/// A back-ticked span: a name, or words of code.
fn code(span: &str, out: &mut Vec<Token>) {
    if let Some(name) = ground::identifier(span) {
        // A file name reads as an identifier too: `mapping.yaml`.
        out.push(name_token(if has_file_ending(span) { span } else { name }));
    } else if span.contains('/') && !span.contains(' ') {
        let placed = span.rsplit_once(':').filter(|(file, name)| has_file_ending(file) && !name.is_empty());
        out.push(name_token(without_directory(placed.map_or(span, |(_, name)| name))));
    } else {
        let from = out.len();
        span.split_whitespace().for_each(|part| chunk(part, false, out));
        out[from..].iter_mut().for_each(|token| token.is_literal = true);
        if !span.trim().is_empty() && !out[from..].iter().any(|token| !matches!(token.form, Form::Mark(_))) {
            // Signs alone: `**`. It is something, whatever it is.
            out.truncate(from);
            let name = Name { parts: vec![span.trim().to_owned()], is_path: false };
            out.push(Token { form: Form::Name(name), text: span.to_owned(), is_literal: true });
        }
    }
}

/// `pkg/auth.Verifier.Verify` is a symbol of a package that is named by its directory.
fn without_directory(text: &str) -> &str {
    let last = text.rsplit('/').next().unwrap_or(text);
    let dotted = last.contains('.') && !last.starts_with('.') && !has_file_ending(last) && !text.starts_with('/');
    if text.contains('/') && dotted { last } else { text }
}

fn name_token(text: &str) -> Token {
    Token { form: Form::Name(Name::of(text)), text: text.to_owned(), is_literal: false }
}

/// What stands between spaces.
fn chunk(chunk: &str, glued: bool, out: &mut Vec<Token>) {
    const OPENING: [char; 7] = ['(', '[', '"', '\'', '“', '‘', '{'];
    const CLOSING: [char; 13] = ['.', ',', ';', ':', '!', '?', ')', ']', '"', '\'', '”', '’', '}'];
    let mut text = chunk;
    while let Some(mark) = text.chars().next().filter(|c| OPENING.contains(c)) {
        out.push(mark_token(mark));
        text = &text[mark.len_utf8()..];
    }
    let mut after = Vec::new();
    while let Some(mark) = text.chars().next_back().filter(|c| CLOSING.contains(c) && !(glued && *c == ':')) {
        text = &text[..text.len() - mark.len_utf8()];
        // The full stop of an abbreviation ends no sentence.
        if !(mark == '.' && matches!(text, "e.g" | "i.e" | "E.g" | "I.e")) {
            after.push(mark);
        }
    }
    body(text, out);
    out.extend(after.into_iter().rev().map(mark_token));
}

fn mark_token(mark: char) -> Token {
    Token { form: Form::Mark(mark), text: mark.to_string(), is_literal: false }
}

fn body(text: &str, out: &mut Vec<Token>) {
    if text.is_empty() {
        return;
    }
    if matches!(text, "—" | "–" | "-" | "--") {
        out.push(mark_token('—'));
    } else if let Some((value, unit)) = number(text) {
        out.push(Token { form: Form::Number(value), text: text.to_owned(), is_literal: true });
        if unit == "%" {
            words("percent", out);
        } else {
            words(unit, out);
        }
    } else if is_name(text) {
        let bare = text.trim_end_matches("()");
        let placed = bare.rsplit_once(':').filter(|(file, name)| has_file_ending(file) && !name.is_empty());
        out.push(name_token(without_directory(placed.map_or(bare, |(_, name)| name))));
    } else {
        words(text, out);
    }
}

/// A number with its unit, if there is one right behind it: `1,048,576`, `10MB`, `0.5`, `50%`.
fn number(text: &str) -> Option<(f64, &str)> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '_'))).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if !unit.chars().all(|c| c.is_ascii_alphabetic() || c == '%') || unit.len() > 8 {
        return None;
    }
    let digits = digits.replace([',', '_'], "");
    digits.parse().ok().filter(|value: &f64| value.is_finite()).map(|value| (value, unit))
}

/// Whether a word outside back-ticks is code all the same.
fn is_name(text: &str) -> bool {
    const SLASHED: &[&str] = &[
        "and/or",
        "read/write",
        "input/output",
        "on/off",
        "yes/no",
        "true/false",
        "client/server",
        "key/value",
        "i/o",
    ];
    const ABBREVIATED: &[&str] = &["e.g", "i.e", "etc", "vs"];
    let lower = text.to_lowercase();
    if SLASHED.contains(&lower.as_str()) || ABBREVIATED.contains(&lower.as_str()) || unit(&lower).is_some() {
        return false;
    }
    let chars: Vec<char> = text.chars().collect();
    let letter = |at: usize| chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_');
    let joined = (1..chars.len()).any(|at| match chars[at] {
        '_' | '#' | '/' => letter(at + 1) || letter(at - 1),
        '.' => letter(at - 1) && letter(at + 1),
        ':' => chars.get(at + 1) == Some(&':') && letter(at + 2),
        // A hump: `useCart`, `WeakMap`.
        c => c.is_uppercase() && chars[at - 1].is_lowercase(),
    });
    let slashed = chars.first() == Some(&'/') && letter(1) || chars.first() == Some(&'_') && letter(1);
    let header = text.matches('-').count() > 0
        && text.split('-').all(|part| part.chars().next().is_some_and(char::is_uppercase))
        && text.split('-').any(|part| part.chars().any(char::is_lowercase));
    joined || slashed || header
}

/// Plain words, without hyphens and contractions.
fn words(text: &str, out: &mut Vec<Token>) {
    for part in text.split(['-', '/', '×', '…', '=', '+', '<', '>', '|', '*', '&', '~', '%', '@', '$', '\\', '^']) {
        let is_value =
            !out.is_empty() && matches!(part, "None" | "True" | "False" | "Nil" | "NaN" | "Err" | "Ok" | "Some");
        let is_caps = is_value
            || part.len() > 1 && part.chars().any(char::is_alphabetic) && !part.chars().any(char::is_lowercase);
        let lower = part.to_lowercase().replace('’', "'");
        let mut push = |word: &str| {
            let word: String = word.chars().filter(|c| *c != '\'').collect();
            if !word.is_empty() {
                out.push(Token { form: Form::Word, text: word, is_literal: is_caps });
            }
        };
        match lower.as_str() {
            "cannot" | "can't" => ["can", "not"].into_iter().for_each(push),
            "won't" => ["will", "not"].into_iter().for_each(push),
            "shan't" => ["shall", "not"].into_iter().for_each(push),
            _ => {
                if let Some(rest) = lower.strip_suffix("n't") {
                    [rest, "not"].into_iter().for_each(push);
                } else if let Some(rest) = lower.strip_suffix("'s") {
                    push(rest);
                    // "it's" is a verb, "table's" an owner.
                    if matches!(rest, "it" | "that" | "there" | "what" | "he" | "she") {
                        push("is");
                    } else {
                        out.push(mark_token('\''));
                    }
                } else {
                    push(&lower);
                }
            }
        }
    }
}

/// `POST /exports` is one name.
fn join_routes(tokens: &mut Vec<Token>) {
    const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    let mut at = 0;
    while at + 1 < tokens.len() {
        let method =
            METHODS.iter().find(|method| tokens[at].is_literal && tokens[at].text.eq_ignore_ascii_case(method));
        if let (Some(method), Form::Name(name)) = (method, &tokens[at + 1].form)
            && name.is_path
        {
            let route = format!("{method} /{}", name.parts[0]);
            let joined = Name { parts: vec![route.clone()], is_path: true };
            tokens[at] = Token { form: Form::Name(joined), text: route, is_literal: false };
            tokens.remove(at + 1);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(claim: &str) -> String {
        let show = |token: &Token| match &token.form {
            Form::Word if token.is_literal => token.text.to_uppercase(),
            Form::Word => token.text.clone(),
            Form::Name(name) => format!("<{}>", name.text()),
            Form::Number(value) => format!("#{value}"),
            Form::Mark(mark) => mark.to_string(),
        };
        tokens(claim).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_names_numbers_and_marks() {
        for (claim, wanted) in [
            ("`Vote#record` doesn't block.", "<Vote.record> does not block ."),
            (
                "useCartTotals can't re-run (see utils/date.ts).",
                "<useCartTotals> can not re run ( see <utils/date.ts> ) .",
            ),
            ("MAX_UPLOAD is 1,048,576 bytes, or 10MB", "<MAX_UPLOAD> is #1048576 bytes , or #10 MB"),
            ("POST /exports answers 401", "<POST /exports> answers #401"),
            ("`DELETE /items/:id` is it", "<DELETE /items/:id> is it"),
            (
                "`com.acme.pay.RefundPolicy#allows` and src/mailer.py:Mailer.render",
                "<com.acme.pay.RefundPolicy.allows> and <Mailer.render>",
            ),
            ("The table's column `strict` is `false`", "the table ' column <strict> is FALSE"),
            ("Strict-Transport-Security is thread-safe", "<Strict-Transport-Security> is thread safe"),
            ("returns PENDING, e.g. in UTC", "returns PENDING , e.g in UTC"),
            ("it isn't sync/async", "it is not <sync/async>"),
            ("it's 0.5 s", "it is #0.5 s"),
        ] {
            assert_eq!(shown(claim), wanted, "{claim}");
        }
    }

    #[test]
    fn names_are_the_same_from_the_end() {
        let same = |a: &str, b: &str| Name::of(a).same(&Name::of(b));
        assert!(same("com.acme.RefundPolicy#allows", "RefundPolicy.allows"));
        assert!(same("allows", "RefundPolicy.allows"));
        assert!(!same("UserCache.get", "UserCache.peek"));
        assert!(!same("Node", "NodeHandle"));
        assert!(same("src/mapping.yaml", "mapping.yaml"));
        assert!(!same("a/mapping.yaml", "b/mapping.yaml"));
        assert!(!same("bigmapping.yaml", "mapping.yaml"));
        assert!(!same("billing.Invoice.total", "quotes.Invoice.total"));
    }
}
