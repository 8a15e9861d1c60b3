//! What a fingerprint sees, and what it does not.

use crate::write;
use atlas_repo::fingerprint;
use atlas_testkit::{Git, git_is_installed};

#[test]
fn any_change_is_seen_and_ignored_files_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(root, ".gitignore", "target/\n");
    write(root, "a.rs", "one");
    write(root, "nested/.git/HEAD", "ref: refs/heads/main\n");
    write(root, "nested/b.rs", "two");
    if git_is_installed() {
        let _ = Git::init(root);
    } else {
        write(root, ".git/HEAD", "x");
    }
    let before = fingerprint(root).unwrap();
    assert_eq!(fingerprint(root).unwrap(), before);
    assert_eq!(fingerprint(root).unwrap().digest(), before.digest());
    write(root, "target/debug/out", "made");
    assert_eq!(fingerprint(root).unwrap().changed_since(&before), [] as [&str; 0]);
    write(root, "a.rs", "eno");
    write(root, "nested/.git/index", "x");
    write(root, ".git/new.lock", "");
    std::fs::create_dir(root.join("empty")).unwrap();
    std::fs::remove_file(root.join("nested/b.rs")).unwrap();
    let after = fingerprint(root).unwrap();
    assert_eq!(after.changed_since(&before), [".git/new.lock", "a.rs", "empty", "nested/.git/index", "nested/b.rs"]);
    assert_ne!(after.digest(), before.digest());
}

#[test]
fn metadata_of_a_linked_worktree_is_seen() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let main = dir.path().join("main");
    write(&main, "a.rs", "one");
    let git = Git::init(&main);
    git.commit_all("one", "ada", 1_700_000_000);
    git.run(&["worktree", "add", "-q", "../other"]);
    let other = dir.path().join("other");
    let before = fingerprint(&other).unwrap();
    write(&main, ".git/worktrees/other/MARK", "");
    write(&main, ".git/refs/heads/x", "");
    let after = fingerprint(&other).unwrap();
    assert_eq!(after.changed_since(&before), ["<common>/refs/heads/x", "<common>/worktrees/other/MARK", "<git>/MARK"]);
}
