//! The facts of one file, as text.

use atlas_lang_javascript::extract;
use atlas_syntax::{Language, dump};

/// Compares the facts of the named kinds (the first word of a line) with the expected lines.
#[track_caller]
pub fn check(language: Language, source: &str, kinds: &[&str], expected: &str) {
    let facts = extract(source.as_bytes(), language).unwrap();
    let all = dump(&facts);
    let lines: Vec<&str> = all.lines().filter(|line| kinds.contains(&line.split(' ').next().unwrap_or(""))).collect();
    assert_eq!(lines.join("\n"), expected.trim(), "\n{all}");
}
