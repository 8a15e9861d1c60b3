//! The scripts of a single-file component, at the lines and columns where they stand.

use atlas_syntax::Language;

/// The file with everything but the contents of its `<script>` elements blanked, line ends kept, and
/// the language that the scripts are in.
#[must_use]
pub fn script(source: &[u8]) -> (Vec<u8>, Language) {
    let mut out: Vec<u8> = source.iter().map(|&byte| if byte == b'\n' { b'\n' } else { b' ' }).collect();
    let mut language = Language::JavaScript;
    let mut at = 0;
    while let Some(element) = next_script(source, at) {
        if element.readable {
            out[element.start..element.end].copy_from_slice(&source[element.start..element.end]);
            if language == Language::JavaScript {
                language = element.language;
            }
        }
        at = element.next;
    }
    (out, language)
}

/// One `<script>` element: its contents as byte offsets, and where to look on.
struct Element {
    start: usize,
    end: usize,
    next: usize,
    language: Language,
    /// Whether it holds code: not JSON, not a template.
    readable: bool,
}

fn next_script(source: &[u8], from: usize) -> Option<Element> {
    let mut at = from;
    loop {
        let open = at + memchr::memchr(b'<', source.get(at..)?)?;
        at = open + 1;
        if source[open..].starts_with(b"<!--") {
            let end = memchr::memmem::find(&source[open..], b"-->").map_or(source.len(), |end| open + end + 3);
            at = end;
            continue;
        }
        let Some(rest) = source.get(open + 1..open + 7) else { continue };
        if !rest.eq_ignore_ascii_case(b"script") {
            continue;
        }
        let after = source.get(open + 7).copied().unwrap_or(b'>');
        if !(after.is_ascii_whitespace() || after == b'>' || after == b'/') {
            continue;
        }
        let close = tag_end(source, open + 7)?;
        let tag = String::from_utf8_lossy(&source[open + 7..close]).into_owned();
        let start = close + 1;
        if tag.ends_with('/') {
            return Some(Element { start, end: start, next: start, language: Language::JavaScript, readable: false });
        }
        let end = find_close(source, start).unwrap_or(source.len());
        let (language, readable) = language_of(&tag);
        return Some(Element { start, end, next: end.max(start), language, readable });
    }
}

/// The `>` that ends a tag, quotes respected.
fn tag_end(source: &[u8], from: usize) -> Option<usize> {
    let mut quote = None;
    for (at, &byte) in source.iter().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if byte == open => quote = None,
            _ => {}
        }
    }
    None
}

fn find_close(source: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let open = at + memchr::memmem::find(source.get(at..)?, b"</")?;
        if source.get(open + 2..open + 8).is_some_and(|name| name.eq_ignore_ascii_case(b"script")) {
            return Some(open);
        }
        at = open + 2;
    }
}

fn language_of(tag: &str) -> (Language, bool) {
    let attribute = |name: &str| {
        let at = tag.find(name)?;
        let value = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        Some(value.split(['"', '\'', ' ', '>']).next().unwrap_or_default().to_ascii_lowercase())
    };
    match attribute("lang").or_else(|| attribute("type")).as_deref() {
        Some("ts" | "typescript" | "text/typescript") => (Language::TypeScript, true),
        Some("tsx" | "jsx") => (Language::Tsx, true),
        Some("json" | "application/json" | "application/ld+json" | "text/template" | "text/x-template") => {
            (Language::JavaScript, false)
        }
        _ => (Language::JavaScript, true),
    }
}
