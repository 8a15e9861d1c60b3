//! Tidiness is a test.

use crate::layers::root;
use std::path::{Path, PathBuf};

fn sources(dir: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                sources(&path, all);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
}

/// Lines of a source file beyond which a second subject is sure to be inside.
const LINES_MAX: usize = 1_000;

#[test]
fn sources_open_with_their_subject_and_stay_short() {
    let mut all = Vec::new();
    sources(&root().join("crates"), &mut all);
    sources(&root().join("xtask"), &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let shown = path.strip_prefix(root()).unwrap().display().to_string();
        if !text.starts_with("//!") && !shown.ends_with("tests.rs") && !shown.contains("/tests/") {
            wrong.push(format!("{shown} does not open with `//!`"));
        }
        let lines = text.lines().count();
        if lines > LINES_MAX {
            wrong.push(format!("{shown} has {lines} lines"));
        }
        if text.lines().any(|line| line.ends_with(' ') || line.contains('\t')) && !shown.contains("tests") {
            wrong.push(format!("{shown} has a tab or ends a line in a space"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
