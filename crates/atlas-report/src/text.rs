//! Strangers' text inside Markdown: one function that no text gets past, and the small forms built on it.
//!
//! Escaped text reads back to exactly the same characters (NUL, which Markdown cannot hold, becomes
//! U+FFFD), never opens a construct of its own, never ends the one it stands in, and holds no control
//! character and no mark that reorders a line, raw.

use atlas_artifact::refusal::is_unprintable;
use std::fmt::Write as _;

/// The text as inline Markdown. Simple back-ticked names stay code; all else is plain text.
#[must_use]
pub fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some((before, name, after)) = next_code(rest) {
        escape(&mut out, before, text.len() == rest.len(), false);
        out.push('`');
        out.push_str(name);
        out.push('`');
        rest = after;
    }
    escape(&mut out, rest, rest.len() == text.len(), true);
    out
}

/// The text as a code span: as it stands if nothing in it is special, else as a JSON string in one.
#[must_use]
pub fn code(text: &str) -> String {
    if is_plain_code(text) { format!("`{text}`") } else { quoted(text) }
}

/// The text as a JSON string in a code span, without back-ticks, pipes or anything that is not printable.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    push_json(&mut out, text);
    out.push('`');
    out
}

/// The text as a JSON string in which back-ticks, pipes and what is not printable are written as escapes.
pub(crate) fn push_json(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '`' | '|' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c if is_unprintable(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A path or an anchor in running text that is not Markdown yet: in back-ticks, as a JSON string if
/// anything in it is special.
#[must_use]
pub fn named(text: &str) -> String {
    code(text)
}

/// The text verbatim: as a quotation if it needs no escape, else in a code block that it cannot end.
#[must_use]
pub fn verbatim(text: &str) -> String {
    if !text.is_empty() && inline(text) == text {
        return format!("> {text}\n");
    }
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    let shown: String = text.chars().map(|c| if c != '\n' && is_unprintable(c) { '\u{fffd}' } else { c }).collect();
    format!("{fence}text\n{shown}\n{fence}\n")
}

/// Text with citations in it, such as `[FINDING-001]`: these stay as they are, the rest is [`inline`].
#[must_use]
pub fn cited(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some((before, mark, after)) = next_mark(rest) {
        out.push_str(&inline_within(before));
        out.push_str(mark);
        rest = after;
    }
    out.push_str(&inline_within(rest));
    out
}

/// [`inline`], of which the ends are not the ends of a line.
fn inline_within(text: &str) -> String {
    let body = text.trim_matches(' ');
    if body.is_empty() {
        return text.to_owned();
    }
    let lead = &text[..text.len() - text.trim_start_matches(' ').len()];
    let tail = &text[text.trim_end_matches(' ').len()..];
    format!("{lead}{}{tail}", inline(body))
}

/// The next citation or mark of dispute: what is before it, itself, what is behind it.
pub(crate) fn next_mark(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('[').map(|at| from + at) {
        let close = text[open..].find(']').map(|at| open + at)?;
        let inner = &text[open + 1..close];
        if inner == "DISPUTED" || is_citation(inner) {
            return Some((&text[..open], &text[open..=close], &text[close + 1..]));
        }
        from = open + 1;
    }
    None
}

/// `FINDING-` or `GAP-` and at least three digits.
pub(crate) fn is_citation(text: &str) -> bool {
    ["FINDING-", "GAP-"].iter().any(|prefix| {
        text.strip_prefix(prefix).is_some_and(|digits| digits.len() >= 3 && digits.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The next back-ticked name of a text that can stay as it is.
fn next_code(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('`').map(|at| from + at) {
        let run = text[open..].len() - text[open..].trim_start_matches('`').len();
        let inner_at = open + run;
        if run == 1
            && let Some(len) = text[inner_at..].find('`')
        {
            let (inner, after) = (&text[inner_at..inner_at + len], &text[inner_at + len + 1..]);
            if is_plain_code(inner) && !after.starts_with('`') {
                return Some((&text[..open], inner, after));
            }
        }
        from = inner_at;
    }
    None
}

/// What a code span holds without any escape, in a table too, and reads back as it is. A text that
/// opens with a quotation mark is none, so that the JSON form is never taken for the plain one.
pub(crate) fn is_plain_code(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with([' ', '"'])
        && !text.ends_with(' ')
        && !text.chars().any(|c| matches!(c, '`' | '|' | '\\') || is_unprintable(c))
}

/// Appends the text with everything escaped that Markdown could take for a mark.
fn escape(out: &mut String, text: &str, starts: bool, ends: bool) {
    let chars: Vec<char> = text.chars().collect();
    let last = chars.len().saturating_sub(1);
    // A list's number: digits and then `.` or `)` where the text begins.
    let number = if starts { chars.iter().take_while(|c| c.is_ascii_digit()).count() } else { 0 };
    for (at, c) in chars.iter().copied().enumerate() {
        let before = if at == 0 { None } else { chars.get(at - 1).copied() };
        let next = chars.get(at + 1).copied();
        match c {
            '\0' => out.push('\u{fffd}'),
            ' ' if at == 0 && starts || at == last && ends => out.push_str("&#32;"),
            c if is_unprintable(c) || c.is_whitespace() && c != ' ' && (c.is_ascii() || at == 0 || at == last) => {
                let _ = write!(out, "&#{};", c as u32);
            }
            '_' if before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric) => {
                out.push('_')
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '^' => {
                out.push('\\');
                out.push(c);
            }
            '&' if next.is_some_and(|c| c == '#' || c.is_ascii_alphabetic()) => out.push_str("\\&"),
            '#' | '+' | '-' | '=' | ':' if at == 0 && starts => {
                out.push('\\');
                out.push(c);
            }
            // A closing `{…}` is taken for a heading's attributes by some readers.
            '}' if at == last && ends => out.push_str("&#125;"),
            // A closing run of `#` belongs to a heading.
            '#' if ends && chars[at..].iter().all(|c| *c == '#') => out.push_str("\\#"),
            '.' | ')' if at > 0 && at == number => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
}

fn longest_run(text: &str, wanted: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in
            ["Who calls `record`?", "src/auth/session_store.py, line 3", "a - b = c (see d); e: f.", "é ü — 漢字 100%"]
        {
            assert_eq!(inline(text), text);
        }
    }

    #[test]
    fn hostile_text_is_disarmed() {
        for (text, escaped) in [
            ("# head", "\\# head"),
            ("a | b <b> & &amp; *x* _y_ [l](u)", "a \\| b \\<b\\> & \\&amp; \\*x\\* \\_y\\_ \\[l\\](u)"),
            ("1. one", "1\\. one"),
            ("- item\n- two", "\\- item&#10;- two"),
            ("``` fence", "\\`\\`\\` fence"),
            ("\u{1b}[31m\u{202e}", "&#27;\\[31m&#8238;"),
            (" a ", "&#32;a&#32;"),
            ("a #", "a \\#"),
        ] {
            assert_eq!(inline(text), escaped, "{text:?}");
        }
        assert_eq!(code("a`b|c\n"), r#"`"a\u0060b\u007cc\n"`"#);
        assert_eq!(code("src/**"), "`src/**`");
    }

    #[test]
    fn citations_survive_and_nothing_else_does() {
        assert_eq!(
            cited("[DISPUTED] a [x] ⟂ b [FINDING-001]. [GAP-12] [GAP-012]"),
            "[DISPUTED] a \\[x\\] ⟂ b [FINDING-001]. \\[GAP-12\\] [GAP-012]"
        );
    }

    /// The text of all inline events inside the block, and how many blocks the document has.
    fn read(markdown: &str) -> (String, Vec<String>) {
        let mut text = String::new();
        let mut tags = Vec::new();
        for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::Code(part) => text.push_str(&format!("`{part}`")),
                Event::Start(tag) => tags.push(match tag {
                    Tag::Paragraph => "p".into(),
                    other => format!("{:?}", TagEnd::from(other)),
                }),
                Event::End(_) => {}
                other => panic!("{other:?} from {markdown:?}"),
            }
        }
        (text, tags)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn any_text_reads_back_as_itself_wherever_it_stands(
            text in "([-*#>|`_ \\n\\t~$&;:<>=+\\[\\]()!\\\\.0-9a-c\"'{}^@/]|\\PC|[\\x00-\\x1f]|\u{202e}|http://x\\.y|&amp;|<b>|\\r\\n){0,24}"
        ) {
            prop_assume!(!text.trim_matches(|c: char| c.is_whitespace()).is_empty());
            let same = text.replace('\0', "\u{fffd}");
            let inline = inline(&text);
            prop_assert!(!inline.contains('\n'));
            prop_assert_eq!(read(&inline), (same.clone(), vec!["p".to_owned()]));
            prop_assert_eq!(read(&format!("### {inline}\n")).0, same.clone());
            prop_assert_eq!(read(&format!("- **x** — {inline}\n- y\n")).0, format!("x — {same}y"));
            let table = format!("| a | b |\n|---|---|\n| {inline} | z |\n");
            prop_assert_eq!(read(&table).0, format!("ab{same}z"));
            let code = read(&code(&text)).0;
            let inner = &code[1..code.len() - 1];
            if inner.starts_with('"') {
                prop_assert_eq!(serde_json::from_str::<String>(inner).unwrap(), text);
            } else {
                prop_assert_eq!(inner, text);
            }
        }
    }
}
