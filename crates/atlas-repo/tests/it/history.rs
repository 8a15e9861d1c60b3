//! Heat and changes, compared with git itself.

use crate::{open, write};
use atlas_artifact::Heat;
use atlas_repo::{Change, ChangeKind, History, HistoryError, Hunk};
use atlas_testkit::{Git, git_is_installed};
use atlas_tree::RepoPath;
use proptest::prelude::*;
use std::path::Path;

const T0: i64 = 1_700_000_000;
const DAY: i64 = 86_400;

fn history(root: &Path) -> History {
    open(root).history().unwrap().unwrap()
}

fn hot(path: &str, commits: u32, authors: u32) -> Heat {
    Heat { path: path.to_owned(), commits, authors }
}

#[test]
fn heat_counts_commits_and_authors_in_the_window() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let git = Git::init(root);
    let commit = |path: &str, text: &str, author: &str, time: i64| {
        write(root, path, text);
        git.commit_all("change", author, time)
    };
    commit("old.rs", "1", "ada", T0 - 200 * DAY);
    commit("a.rs", "1", "ada", T0 - 91 * DAY);
    commit("a.rs", "2", "ada", T0 - 90 * DAY);
    commit("a.rs", "3", "Ada", T0 - 10 * DAY);
    git.run(&["checkout", "-q", "-b", "side"]);
    commit("dir/b.rs", "1", "bob", T0 - 9 * DAY);
    commit("a.rs", "4", "bob", T0 - 8 * DAY);
    git.run(&["checkout", "-q", "main"]);
    commit("c.rs", "1", "cat", T0 - 7 * DAY);
    git.merge("side", T0 - 6 * DAY);
    git.run(&["mv", "c.rs", "d.rs"]);
    git.commit("rename", "cat", T0);
    let heat = history(root).heat(90).unwrap();
    assert_eq!(heat.files, [hot("a.rs", 3, 2), hot("c.rs", 2, 1), hot("d.rs", 1, 1), hot("dir/b.rs", 1, 1)]);
    assert_eq!((heat.commits, heat.newest, heat.truncated, heat.not_counted), (6, Some(T0), false, 0));
    // A day less, and the change of the ninetieth day is out.
    assert_eq!(history(root).heat(89).unwrap().files[0], hot("a.rs", 2, 2));
}

#[test]
fn the_window_ends_at_the_newest_commit_even_if_clocks_differ() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let git = Git::init(dir.path());
    for (n, time) in [T0, T0 + 100 * DAY, T0 + 5 * DAY].into_iter().enumerate() {
        write(dir.path(), &format!("{n}.rs"), "");
        git.commit_all("change", "ada", time);
    }
    let heat = history(dir.path()).heat(90).unwrap();
    assert_eq!(heat.newest, Some(T0 + 100 * DAY));
    assert_eq!(heat.files, [hot("1.rs", 1, 1)]);
}

fn change(path: &str, kind: ChangeKind, hunks: &[(u32, u32, u32, u32)]) -> Change {
    let hunks = hunks
        .iter()
        .map(|&(old_start, old_lines, new_start, new_lines)| Hunk { old_start, old_lines, new_start, new_lines })
        .collect();
    Change { path: RepoPath::new(path).unwrap(), kind, hunks }
}

#[test]
fn changes_have_their_lines() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let git = Git::init(root);
    write(root, "edit.rs", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    write(root, "same.rs", "same\n");
    write(root, "gone.rs", "gone\nfor good\n");
    write(root, "moved.rs", "a\nb\n");
    write(root, "windows.rs", "one\ntwo\n");
    write(root, "blob.bin", "\0a\n");
    write(root, "empty.rs", "");
    #[cfg(unix)]
    std::os::unix::fs::symlink("same.rs", root.join("link.rs")).unwrap();
    let old = git.commit_all("old", "ada", T0);

    write(root, "edit.rs", "0\n1\n2\n3\nfour\n5\n6\n9\nten\n");
    std::fs::remove_file(root.join("gone.rs")).unwrap();
    std::fs::rename(root.join("moved.rs"), root.join("at.rs")).unwrap();
    write(root, "new/file.rs", "x\ny\nz");
    write(root, "windows.rs", "one\r\ntwo\r\n");
    write(root, "blob.bin", "\0b\nc");
    std::fs::remove_file(root.join("empty.rs")).unwrap();
    let moved = ChangeKind::Renamed { from: RepoPath::new("moved.rs").unwrap() };
    let expected = [
        change("at.rs", moved, &[]),
        change("blob.bin", ChangeKind::Modified, &[(1, 1, 1, 2)]),
        change("edit.rs", ChangeKind::Modified, &[(1, 0, 1, 1), (4, 1, 5, 1), (7, 2, 8, 0), (10, 0, 9, 1)]),
        change("empty.rs", ChangeKind::Deleted, &[]),
        change("gone.rs", ChangeKind::Deleted, &[(1, 2, 1, 0)]),
        change("new/file.rs", ChangeKind::Added, &[(1, 0, 1, 3)]),
    ];
    let tree = open(root);
    assert_eq!(history(root).changed_since(&old, &tree).unwrap(), expected);
    let new = git.commit_all("new", "ada", T0 + 60);
    assert_eq!(history(root).changed_between(&old, &new).unwrap(), expected);
    assert_eq!(history(root).changed_since(&new, &open(root)).unwrap(), []);
    let unknown = "0123456789012345678901234567890123456789";
    for name in [unknown, "HEAD", "", &old[..12]] {
        let error = history(root).changed_between(name, &new).unwrap_err();
        assert_eq!(error, HistoryError::NoSuchCommit(name.to_owned()));
    }
}

#[test]
fn a_file_that_the_clone_lacks_may_have_changed_anywhere() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let git = Git::init(dir.path());
    write(dir.path(), "a.rs", "one\n");
    write(dir.path(), "b.rs", "two\n");
    let commit = git.commit_all("old", "ada", T0);
    let blob = git.run(&["rev-parse", "HEAD:a.rs"]);
    let (folder, file) = blob.trim().split_at(2);
    std::fs::remove_file(dir.path().join(".git/objects").join(folder).join(file)).unwrap();
    write(dir.path(), "a.rs", "one and a half\n");
    let changes = history(dir.path()).changed_since(&commit, &open(dir.path())).unwrap();
    let path = RepoPath::new("a.rs").unwrap();
    assert_eq!(changes, [Change { path, kind: ChangeKind::Modified, hunks: vec![Hunk::UNKNOWN] }]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Replaying the hunks on the old lines gives the new lines.
    #[test]
    fn hunks_turn_the_old_file_into_the_new_one(
        old in prop::collection::vec("[abc]{0,1}", 0..24),
        new in prop::collection::vec("[abc]{0,1}", 0..24),
        ends in any::<(bool, bool)>(),
    ) {
        if git_is_installed() {
            let text = |lines: &[String], end: bool| lines.join("\n") + if end { "\n" } else { "" };
            let (old, new) = (text(&old, ends.0), text(&new, ends.1));
            let dir = tempfile::tempdir().unwrap();
            let git = Git::init(dir.path());
            write(dir.path(), "f", &old);
            let commit = git.commit_all("old", "ada", T0);
            write(dir.path(), "f", &new);
            let changes = history(dir.path()).changed_since(&commit, &open(dir.path())).unwrap();
            let lines = |text: &str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
            let (old_lines, new_lines) = (lines(&old), lines(&new));
            let mut replayed = Vec::new();
            let mut at = 0;
            for hunk in changes.iter().flat_map(|change| &change.hunks) {
                let start = hunk.old_start as usize - 1;
                replayed.extend_from_slice(&old_lines[at..start]);
                prop_assert_eq!(replayed.len(), hunk.new_start as usize - 1);
                replayed.extend_from_slice(&new_lines[replayed.len()..replayed.len() + hunk.new_lines as usize]);
                at = start + hunk.old_lines as usize;
            }
            replayed.extend_from_slice(&old_lines[at..]);
            prop_assert_eq!(replayed, new_lines);
            prop_assert_eq!(changes.is_empty(), old == new);
        }
    }
}
