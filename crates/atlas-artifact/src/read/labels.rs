//! What a line of the template opens with, and the small notations behind it.

use super::fields::plain_name;
use std::sync::LazyLock;

/// A text that ends in `(scope: …)` or `(depends_on: …)`, taken apart. A writer that means such an
/// ending literally adds a nested bullet `scope: none`.
#[must_use]
pub fn closing_detail(text: &str) -> Option<(&str, &str)> {
    static DETAIL: LazyLock<regex::Regex> = LazyLock::new(|| {
        regex::Regex::new(r"(?is)\s*[(\[](\s*(?:scope|depends[ _-]on)\s*:?\s[^()]*)[)\]]\s*$")
            .expect("the pattern is a constant")
    });
    let found = DETAIL.captures(text)?;
    let (all, detail) = (found.get(0)?, found.get(1)?);
    Some((&text[..all.start()], detail.as_str()))
}

/// Splits a line that opens with a label from what follows it. `matches` says how many bytes of the
/// text are the label. Emphasis and back-ticks around the label, a check box before it and one
/// separator behind it are taken off.
pub(super) fn split_label<'t>(line: &'t str, matches: impl Fn(&str) -> Option<usize>) -> Option<(&'t str, &'t str)> {
    let line = line.trim_start();
    let line = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    let mark = ["**", "__", "*", "_", "`"].into_iter().find(|mark| line.starts_with(mark)).unwrap_or("");
    let inner = &line[mark.len()..];
    let len = matches(inner)?;
    let (label, mut rest) = inner.split_at(len);
    let mut open = !mark.is_empty();
    let mut close = |rest: &mut &'t str| {
        if let Some(after) = rest.trim_start().strip_prefix(mark).filter(|_| open) {
            *rest = after;
            open = false;
        }
    };
    close(&mut rest);
    rest = rest.trim_start();
    let separator = [":", "—", "–", "-", ".", ")"].into_iter().find(|separator| rest.starts_with(separator));
    rest = &rest[separator.map_or(0, str::len)..];
    close(&mut rest);
    Some((label, rest.trim_start()))
}

/// `name` in any case, with `_`, `-` or spaces between its words, and no letter behind it.
pub(super) fn word(text: &str, name: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    for wanted in name.chars() {
        let (_, c) = chars.next()?;
        let same = if wanted == '_' { matches!(c, '_' | '-' | ' ') } else { c.eq_ignore_ascii_case(&wanted) };
        if !same {
            return None;
        }
    }
    match chars.next() {
        Some((_, c)) if c.is_alphanumeric() || c == '_' || c == '-' => None,
        Some((at, _)) => Some(at),
        None => Some(text.len()),
    }
}

/// `prefix` in any case and the digits behind it.
pub(super) fn numbered(text: &str, prefix: &str) -> Option<usize> {
    let head = text.get(..prefix.len())?;
    let digits = text[prefix.len()..].bytes().take_while(u8::is_ascii_digit).count();
    let end = prefix.len() + digits;
    let ends = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_');
    (head.eq_ignore_ascii_case(prefix) && digits > 0 && ends).then_some(end)
}

/// Globs in a line of prose: the back-ticked ones, or else what commas separate.
pub(super) fn globs(text: &str) -> Vec<String> {
    if text.contains('`') {
        return text.split('`').skip(1).step_by(2).filter(|glob| !glob.is_empty()).map(unquoted).collect();
    }
    let mut globs = vec![String::new()];
    let mut braces = 0_usize;
    for c in text.chars() {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            ',' if braces == 0 => {
                globs.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = globs.last_mut() {
            last.push(c);
        }
    }
    let none = |glob: &str| ["", "none", "-", "—", "(none)"].contains(&glob.to_lowercase().as_str());
    globs.iter().map(|glob| glob.trim()).filter(|glob| !none(glob)).map(unquoted).collect()
}

pub(super) fn names(text: &str) -> Vec<String> {
    let parts = text.split([',', ' ', '`', '*']).filter(|part| !part.is_empty());
    parts.filter(|part| !["none", "-", "—", "and"].contains(part)).map(str::to_owned).collect()
}

/// A text written as a JSON string, or as it stands.
pub(super) fn unquoted(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
}

/// A value without the back-ticks around the whole of it.
pub(super) fn bare(value: &str) -> String {
    let value = value.trim();
    match value.strip_prefix('`').and_then(|value| value.strip_suffix('`')) {
        Some(inner) if !inner.contains('`') => unquoted(inner),
        _ => value.to_owned(),
    }
}

/// `30,000`, `30_000`, `30 000`, with a unit behind it or not.
pub(super) fn amount(value: &str) -> Option<i128> {
    let value = value.trim().trim_matches(['`', '*']).trim();
    let digits_end = value
        .char_indices()
        .find(|(at, c)| {
            !(c.is_ascii_digit() || *at == 0 && *c == '-' || matches!(c, ',' | '_' | ' ' | '\u{a0}' | '\u{202f}'))
        })
        .map_or(value.len(), |(at, _)| at);
    let (number, unit) = value.split_at(digits_end);
    let known = [
        "",
        "s",
        "sec",
        "seconds",
        "second",
        "tokens",
        "token",
        "calls",
        "tool calls",
        "subagents",
        "agents",
        "branches",
    ];
    if !known.contains(&unit.trim().to_lowercase().as_str()) {
        return None;
    }
    let digits: String = number.chars().filter(|c| c.is_ascii_digit() || *c == '-').collect();
    digits.parse().ok()
}

pub(super) fn kind_of(word: &str) -> Option<&'static str> {
    let word = plain_name(word);
    ["path_glob", "symbol_regex", "sql_table", "custom"].into_iter().find(|kind| *kind == word)
}

pub(super) fn action_of(word: &str) -> Option<&'static str> {
    let word = plain_name(word);
    [("halt", "halt"), ("annotate", "annotate"), ("continue_with_flag", "continue-with-flag")]
        .into_iter()
        .find_map(|(name, action)| (name == word).then_some(action))
}
