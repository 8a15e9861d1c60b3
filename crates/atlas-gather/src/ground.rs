//! Grounding and hedges (contract §9): what a claim names must be there, and what it guesses at
//! must be said to be a guess.
//!
//! An identifier is a back-ticked span that reads as one name, bare or qualified; calls, type
//! arguments and sigils around it are set aside, as are literals. Spans of code, paths and text are
//! not identifiers and are not checked. Names are compared with `#`, `::` and `->` read as `.`.

use crate::check::{CheckedAnchor, Grounding};
use atlas_artifact::Tier;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Parts of a qualified name that are compared as a whole; longer names are cut.
const PARTS_MAX: usize = 8;

/// The identifiers of one claim that the index does not define, and what was found of them.
#[derive(Debug, Default)]
pub struct Needs(Vec<Need>);

#[derive(Debug)]
struct Need {
    /// As the claim writes it.
    shown: String,
    whole: Part,
    /// Qualifiers and name of a qualified identifier, else empty.
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    name: String,
    found: bool,
}

impl Needs {
    pub fn of(claim: &str, index: &dyn Grounding) -> Self {
        if !claim.contains('`') {
            return Self::default();
        }
        let mut needs: Vec<Need> = Vec::new();
        for span in spans(claim) {
            let Some(name) = identifier(span) else { continue };
            let normal = normalise(name);
            let known = index.is_definition(name) || (normal != name && index.is_definition(&normal));
            if known || needs.iter().any(|need| need.whole.name == normal) {
                continue;
            }
            let part = |name: &str| Part { name: name.to_owned(), found: false };
            let parts: Vec<Part> = normal.split('.').map(part).collect();
            let parts = if parts.len() > 1 { parts } else { Vec::new() };
            needs.push(Need { shown: span.to_owned(), whole: part(&normal), parts });
        }
        Self(needs)
    }

    /// Whether anything is still to be found.
    pub fn open(&self) -> bool {
        self.0.iter().any(|need| !need.whole.found)
    }

    /// The identifiers that neither an excerpt nor the index bears out, as the claim writes them.
    ///
    /// A qualified name also counts as found when its last part stands in an excerpt and each of
    /// its qualifiers does too, or is defined, or is part of a cited file's path: code that defines
    /// `Vote.record` seldom spells it so.
    pub fn ungrounded(&self, anchors: &[CheckedAnchor], index: &dyn Grounding) -> Vec<&str> {
        let in_path = |name: &str| {
            anchors
                .iter()
                .any(|anchor| anchor.path.stem() == name || anchor.path.parent().split('/').any(|dir| dir == name))
        };
        let grounded = |need: &Need| {
            need.whole.found
                || need.parts.split_last().is_some_and(|(last, qualifiers)| {
                    last.found
                        && qualifiers
                            .iter()
                            .all(|part| part.found || index.is_definition(&part.name) || in_path(&part.name))
                })
        };
        self.0.iter().filter(|need| !grounded(need)).map(|need| need.shown.as_str()).collect()
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.0.iter_mut().flat_map(|need| std::iter::once(&mut need.whole).chain(&mut need.parts))
    }
}

/// Crosses off what the given excerpts (candidate, byte range) of one file bear out, in one pass
/// over the file.
pub fn meet(bytes: &[u8], excerpts: &[(usize, Range<usize>)], needs: &mut [Needs]) {
    let mut places: FxHashMap<String, Vec<Range<usize>>> = FxHashMap::default();
    for (at, _) in excerpts {
        for part in needs[*at].parts_mut() {
            if !places.contains_key(&part.name) {
                places.insert(part.name.clone(), Vec::new());
            }
        }
    }
    occurrences(bytes, &mut places);
    for (at, excerpt) in excerpts {
        for part in needs[*at].parts_mut().filter(|part| !part.found) {
            let Some(places) = places.get(&part.name) else { continue };
            let first = places.partition_point(|place| place.start < excerpt.start);
            part.found = places.get(first).is_some_and(|place| place.end <= excerpt.end);
        }
    }
}

/// Where the wanted names stand as whole names, in order.
fn occurrences(bytes: &[u8], wanted: &mut FxHashMap<String, Vec<Range<usize>>>) {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let word_end = |from: usize| from + bytes[from..].iter().take_while(|byte| word(**byte)).count();
    let mut name = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !word(bytes[at]) {
            at += 1;
            continue;
        }
        let (start, first_end) = (at, word_end(at));
        name.clear();
        name.extend_from_slice(&bytes[start..first_end]);
        let mut end = first_end;
        for _ in 0..PARTS_MAX {
            if let Ok(text) = std::str::from_utf8(&name)
                && let Some(places) = wanted.get_mut(text)
            {
                places.push(start..end);
            }
            let Some((separator, length)) = separator(&bytes[end..]) else { break };
            let next = end + length;
            if !bytes.get(next).is_some_and(|byte| word(*byte)) {
                break;
            }
            end = word_end(next);
            name.push(separator);
            name.extend_from_slice(&bytes[next..end]);
        }
        at = first_end;
    }
}

/// What joins two words into one name: itself in normal form, and its length in bytes.
fn separator(bytes: &[u8]) -> Option<(u8, usize)> {
    match bytes {
        [b':', b':', ..] | [b'-', b'>', ..] => Some((b'.', 2)),
        [b'.' | b'#' | b'\\', ..] => Some((b'.', 1)),
        [b'-', ..] => Some((b'-', 1)),
        _ => None,
    }
}

/// With `#`, `::`, `->` and `\` read as `.`.
pub fn normalise(name: &str) -> String {
    name.replace("::", ".").replace("->", ".").replace(['#', '\\'], ".")
}

/// What stands between back-ticks, single or in equal runs.
pub fn spans(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('`') {
        let run = rest[open..].bytes().take_while(|byte| *byte == b'`').count();
        let inside = &rest[open + run..];
        let Some(close) = closing_run(inside, run) else {
            rest = inside;
            continue;
        };
        out.push(inside[..close].trim());
        rest = &inside[close + run..];
    }
    out
}

/// Where the next run of exactly `length` back-ticks starts.
fn closing_run(text: &str, length: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find('`') {
        let start = from + found;
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if run == length {
            return Some(start);
        }
        from = start + run;
    }
    None
}

/// The one name that a span is, without call, type arguments, sigils or the path of its file.
pub fn identifier(span: &str) -> Option<&str> {
    let mut name = span.trim();
    if let Some(open) = name.find('(').filter(|open| *open > 0 && name.ends_with(')')) {
        name = &name[..open];
    }
    if let Some(open) = name.find('<').filter(|open| *open > 0 && name.ends_with('>')) {
        name = &name[..open];
    }
    name = name.trim_start_matches(['&', '*', '$', '@', ':', '.', '#', '-', '\\']);
    name = name.trim_end_matches(['!', '?', ';', ':', '*']);
    if let Some((file, placed)) = name.rsplit_once(':')
        && !file.ends_with([':', '/'])
        && !file.contains(char::is_whitespace)
        && (file.contains('/') || file.contains('.'))
    {
        name = placed;
    }
    let mut parts = 0;
    let mut rest = name;
    while parts < PARTS_MAX {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if word == 0 || (parts == 0 && rest.as_bytes()[0].is_ascii_digit()) {
            return None;
        }
        parts += 1;
        rest = &rest[word..];
        if rest.is_empty() {
            return (!is_literal(name)).then_some(name);
        }
        rest = &rest[separator(rest.as_bytes())?.1..];
    }
    None
}

fn is_literal(name: &str) -> bool {
    matches!(
        name,
        "true" | "false" | "null" | "nil" | "none" | "None" | "True" | "False" | "undefined" | "NULL" | "NaN"
    )
}

/// The highest tier that the words of a claim allow, if any of them hedges. Back-ticked code is not
/// the claim's own wording: `Maybe` there is a name.
pub fn hedge(claim: &str) -> Option<Tier> {
    const LOW: [&str; 7] = ["probably", "seems", "might", "maybe", "perhaps", "appears", "believe"];
    let mut cap = None;
    for (at, outside) in claim.split('`').enumerate() {
        if at % 2 == 1 {
            continue;
        }
        for word in outside.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if LOW.iter().any(|low| word.eq_ignore_ascii_case(low)) {
                return Some(Tier::L);
            }
            if word.eq_ignore_ascii_case("likely") {
                cap = Some(Tier::M);
            }
        }
    }
    cap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_what_stands_between_equal_runs() {
        assert_eq!(spans("`a` and ``b ` c`` or `d"), ["a", "b ` c"]);
        assert_eq!(spans("``` x"), [""; 0]);
        assert_eq!(spans("``"), [""; 0]);
    }

    #[test]
    fn names_and_what_is_not_one() {
        for (span, name) in [
            ("record", "record"),
            ("Vote#record", "Vote#record"),
            ("vote::record()", "vote::record"),
            ("src/vote.py:Vote.record", "Vote.record"),
            ("&self.field", "self.field"),
            ("println!", "println"),
            ("Map<String, u8>", "Map"),
            ("c->fd", "c->fd"),
            ("no-cache", "no-cache"),
            ("--dry-run", "dry-run"),
            ("naïve", "naïve"),
        ] {
            assert_eq!(identifier(span), Some(name), "{span}");
        }
        for span in ["", "a b", "403", "src/vote.py", "x = 1", "true", "%w", "()", "a..b", "'owner'", "SELECT 1"] {
            assert_eq!(identifier(span), None, "{span}");
        }
    }

    #[test]
    fn hedges_are_whole_words_outside_code() {
        assert_eq!(hedge("It probably writes."), Some(Tier::L));
        assert_eq!(hedge("Likely it writes."), Some(Tier::M));
        assert_eq!(hedge("It is likely, perhaps."), Some(Tier::L));
        assert_eq!(hedge("It is unlikely to write; see `Maybe` and `seems`."), None);
    }

    fn found(file: &str, range: Range<usize>, claim: &str) -> bool {
        let mut needs = vec![Needs::of(claim, &crate::NoIndex)];
        meet(file.as_bytes(), &[(0, range)], &mut needs);
        needs[0].ungrounded(&[], &crate::NoIndex).is_empty()
    }

    #[test]
    fn a_name_is_found_whole_and_inside_the_excerpt() {
        let file = "def recorder\n  Vote::record(x)\nend\n";
        assert!(found(file, 13..31, "it calls `record` here"));
        assert!(found(file, 13..31, "it calls `Vote.record` here"));
        assert!(!found(file, 0..13, "it calls `record` here"));
        assert!(!found(file, 13..31, "it calls `recorder` here"));
        assert!(!found(file, 13..31, "it calls `Vote.recall` here"));
        assert!(found("class Vote\n def record\n", 0..23, "it is `Vote#record` here"));
        assert!(!found("class Vote\n def record\n", 0..23, "it is `Poll#record` here"));
    }
}
