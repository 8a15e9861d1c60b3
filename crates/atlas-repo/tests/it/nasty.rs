//! The tree in which everything is wrong at once.

use crate::{open, paths};
use atlas_artifact::SkipReason;
use atlas_repo::{classify, fingerprint};
use atlas_testkit::nasty_tree;
use atlas_tree::{ReadError, RepoPath, Tree as _};
use std::collections::BTreeSet;

#[test]
fn every_file_is_there_or_told_of() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    std::fs::create_dir(&root).unwrap();
    let nasty = nasty_tree(&root);
    let before = fingerprint(&root).unwrap();
    let tree = open(&root);

    let found: BTreeSet<String> = paths(&tree).into_iter().collect();
    let dir_is_closed = std::fs::read_dir(root.join("unreadable/dir")).is_err();
    let hidden = |path: &&String| dir_is_closed && path.starts_with("unreadable/dir/");
    let expected: BTreeSet<String> = nasty.files.iter().filter(|path| !hidden(path)).cloned().collect();
    assert_eq!(found, expected);
    assert!(paths(&tree).is_sorted());

    let told: BTreeSet<String> = tree.skipped().iter().map(|skipped| skipped.path.clone()).collect();
    let mut left_out: BTreeSet<String> = nasty
        .bad_links
        .iter()
        .chain(&nasty.special)
        .chain(&nasty.not_utf8_names)
        .chain(&nasty.nested)
        .cloned()
        .collect();
    if dir_is_closed {
        left_out.insert("unreadable/dir".to_owned());
    }
    assert_eq!(told, left_out);
    for skipped in tree.skipped() {
        let reason = if nasty.not_utf8_names.contains(&skipped.path) {
            SkipReason::NotUtf8
        } else if nasty.nested.contains(&skipped.path) {
            SkipReason::Vendored
        } else {
            SkipReason::Unreadable
        };
        assert_eq!(skipped.reason, reason, "{skipped:?}");
    }

    for path in &nasty.good_links {
        let path = RepoPath::new(path).unwrap();
        assert!(matches!(tree.read(&path), Ok(_) | Err(ReadError::NotAFile(_))), "{path}");
        assert_eq!(tree.entry(&path), None);
    }
    for path in nasty.bad_links.iter().filter(|path| *path != "links/broken.py") {
        let path = RepoPath::new(path).unwrap();
        assert_eq!(tree.read(&path), Err(ReadError::Outside(path.clone())));
    }
    for path in &nasty.special {
        let path = RepoPath::new(path).unwrap();
        assert_eq!(tree.read(&path), Err(ReadError::NotAFile(path.clone())));
    }
    assert_eq!(fingerprint(&root).unwrap().changed_since(&before), [] as [&str; 0]);
}

#[test]
fn every_content_has_its_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    std::fs::create_dir(&root).unwrap();
    let nasty = nasty_tree(&root);
    let tree = open(&root);
    let mut verdicts: Vec<(String, SkipReason, &str)> = Vec::new();
    for entry in tree.files() {
        match tree.read(&entry.path) {
            Ok(bytes) => {
                if let Some(content) = classify(&entry.path, &bytes) {
                    verdicts.push((entry.path.to_string(), content.reason, content.detail));
                }
            }
            Err(ReadError::Io { .. }) => assert!(nasty.unreadable.contains(entry.path.as_str()), "{}", entry.path),
            Err(other) => panic!("{other}"),
        }
    }
    let verdicts: Vec<(&str, SkipReason, &str)> =
        verdicts.iter().map(|(path, reason, detail)| (path.as_str(), *reason, *detail)).collect();
    assert_eq!(
        verdicts,
        [
            ("big/minified.js", SkipReason::TooLarge, "more than 4 MiB"),
            ("bin/archive.zip", SkipReason::Binary, "a ZIP archive"),
            ("bin/logo.png", SkipReason::Binary, "a PNG image"),
            ("bin/zeros.bin", SkipReason::Binary, "a NUL byte"),
            ("deep/blocks.js", SkipReason::Generated, "minified"),
            ("gen/api.pb.go", SkipReason::Generated, "a name that generators give"),
            ("gen/header.go", SkipReason::Generated, "its head says so"),
            ("node_modules/left/index.js", SkipReason::Vendored, "in a directory of other people's code"),
            ("text/latin1.py", SkipReason::NotUtf8, "not UTF-8"),
            ("text/nul.py", SkipReason::Binary, "a NUL byte"),
            ("text/utf16be.py", SkipReason::NotUtf8, "UTF-16"),
            ("text/utf16le.py", SkipReason::NotUtf8, "UTF-16"),
            ("vendor/lib/lib.go", SkipReason::Vendored, "in a `vendor` directory"),
        ]
    );
}
