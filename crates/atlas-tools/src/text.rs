//! `search_text`: linear-time search, in path order, with a cursor that is a place.

use crate::page::{Page, version_of};
use crate::spec::SearchText;
use crate::{ToolError, ToolSurface, view};
use atlas_artifact::limits::{PREVIEW_CHARS, SEARCH_MATCHES};
use atlas_tree::Scope;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, sinks};
use serde_json::{Map, Value, json};

/// Characters of a pattern; longer ones are no question a person asks.
const PATTERN_CHARS_MAX: usize = 1_000;
/// Compiled size of a pattern, in bytes.
const PATTERN_BYTES_MAX: usize = 4 << 20;

/// One match: line and column are 1-based, the column in bytes.
struct Match {
    line: u64,
    column: u64,
    preview: String,
}

pub fn run(surface: &ToolSurface, args: &SearchText) -> Result<Value, ToolError> {
    if args.limit == 0 || args.limit > SEARCH_MATCHES {
        return Err(ToolError::invalid(format!("`limit` must be 1 to {SEARCH_MATCHES}")));
    }
    let matcher = compile(args)?;
    let glob = args.scope.as_deref().unwrap_or("**");
    let scope = Scope::new([glob], [] as [&str; 0]).map_err(|e| ToolError::invalid(e.to_string()))?;
    let version = version_of(&[b"search_text", args.pattern.as_bytes(), &[u8::from(args.regex)], glob.as_bytes()]);
    // A place, not a count: what follows it is the same however the tree changed before it.
    let after = match &args.cursor {
        Some(cursor) => Some(read_place(cursor, version)?),
        None => None,
    };
    let mut searcher =
        SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).bom_sniffing(true).line_number(true).build();
    let mut page = Page::new(Map::new(), "matches", args.limit);
    let mut last: Option<(String, u64, u64)> = None;
    for entry in surface.files().filter(|entry| scope.contains(&entry.path)) {
        let path = entry.path.as_str();
        if after.as_ref().is_some_and(|(at, ..)| path < at.as_str()) {
            continue;
        }
        surface.cancel.check()?;
        // A file that vanished or may not be read is a gap of the map, not of this search.
        let Ok(bytes) = surface.tree.read(&entry.path) else { continue };
        if view::is_binary(&bytes) {
            continue;
        }
        let passed = after.as_ref().filter(|(at, ..)| at == path).map(|&(_, line, column)| (line, column));
        let wanted = args.limit - page.len() + 1;
        for found in search(&mut searcher, &matcher, &bytes, passed, wanted) {
            let item = json!({ "path": path, "line": found.line, "column": found.column, "preview": found.preview });
            if !page.push(item)? {
                let next = last.map(|(path, line, column)| place_cursor(version, line, column, &path));
                return Ok(page.finish(next));
            }
            last = Some((path.to_owned(), found.line, found.column));
        }
    }
    Ok(page.finish(None))
}

fn compile(args: &SearchText) -> Result<RegexMatcher, ToolError> {
    if args.pattern.is_empty() || args.pattern.chars().count() > PATTERN_CHARS_MAX {
        return Err(ToolError::invalid(format!("`pattern` must have 1 to {PATTERN_CHARS_MAX} characters")));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .line_terminator(Some(b'\n'))
        .size_limit(PATTERN_BYTES_MAX)
        .dfa_size_limit(PATTERN_BYTES_MAX)
        .fixed_strings(!args.regex);
    builder.build(&args.pattern).map_err(|error| ToolError::invalid(format!("`pattern`: {error}")))
}

/// At most `wanted` matches behind a place, in order.
fn search(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    bytes: &[u8],
    after: Option<(u64, u64)>,
    wanted: usize,
) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    let sink = sinks::Lossy(|line, text| {
        let _ = matcher.find_iter(text.as_bytes(), |m| {
            let column = m.start() as u64 + 1;
            if after.is_none_or(|at| (line, column) > at) && found.len() < wanted {
                found.push(Match { line, column, preview: preview(text, m.start()) });
            }
            found.len() < wanted
        });
        Ok(found.len() < wanted)
    });
    // An error of the searcher cannot happen on bytes in memory; what was found stands.
    let _ = searcher.search_slice(matcher, bytes, sink);
    found
}

/// The line around a match, at most 120 characters, without its end.
fn preview(line: &str, at: usize) -> String {
    let line = line.trim_end_matches(['\n', '\r']);
    let chars = line.chars().count();
    if chars <= PREVIEW_CHARS {
        return line.to_owned();
    }
    let before = line.get(..at).map_or(0, |head| head.chars().count());
    let skip = before.saturating_sub(PREVIEW_CHARS / 4).min(chars - PREVIEW_CHARS);
    line.chars().skip(skip).take(PREVIEW_CHARS).collect()
}

fn place_cursor(version: u64, line: u64, column: u64, path: &str) -> String {
    format!("{version:016x}.{line}.{column}.{path}")
}

fn read_place(cursor: &str, version: u64) -> Result<(String, u64, u64), ToolError> {
    let parsed = (|| {
        let mut parts = cursor.splitn(4, '.');
        let v = u64::from_str_radix(parts.next()?, 16).ok()?;
        let line = parts.next()?.parse().ok()?;
        let column = parts.next()?.parse().ok()?;
        Some((v, line, column, parts.next()?.to_owned()))
    })();
    match parsed {
        Some((v, line, column, path)) if v == version => Ok((path, line, column)),
        Some(_) => Err(ToolError::invalid("this cursor belongs to another search; ask again without a cursor")),
        None => Err(ToolError::invalid("this is not a cursor that an answer gave")),
    }
}
