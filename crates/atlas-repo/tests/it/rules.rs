//! Ignore rules, compared with git itself where there is one.

use crate::{left_out, open, paths, surface, write};
use atlas_repo::{DiskTree, Options, global_excludes};
use atlas_testkit::{Fixture, Git, git_is_installed};
use proptest::prelude::*;
use std::collections::BTreeSet;

const TREE: &str = "
=== .gitignore
*.log
/build/
!keep.log
docs/*.tmp
\\#odd
=== .github/workflows/ci.yml
on: push
=== a.log
=== keep.log
=== build/out.o
=== src/build/kept.rs
=== src/.gitignore
*.gen.rs
!important.gen.rs
=== src/x.gen.rs
=== src/important.gen.rs
=== src/deep/y.gen.rs
=== src/deep/z.log
=== docs/a.tmp
=== docs/deep/a.tmp
=== #odd
=== main.rs
";

const LEFT: [&str; 8] = [
    ".github/workflows/ci.yml",
    ".gitignore",
    "docs/deep/a.tmp",
    "keep.log",
    "main.rs",
    "src/.gitignore",
    "src/build/kept.rs",
    "src/important.gen.rs",
];

#[test]
fn gitignore_holds_without_git() {
    let dir = Fixture::new(TREE).dir();
    assert_eq!(surface(dir.path()), LEFT);
    assert_eq!(left_out(&open(dir.path())), [] as [&str; 0]);
}

#[test]
fn gitignore_holds_with_git_and_git_agrees() {
    if !git_is_installed() {
        return;
    }
    let dir = Fixture::new(TREE).dir();
    let git = Git::init(dir.path());
    assert_eq!(surface(dir.path()), LEFT);
    assert_eq!(surface(dir.path()), others(&git));
}

#[test]
fn what_is_tracked_counts_though_it_is_ignored() {
    if !git_is_installed() {
        return;
    }
    let dir = Fixture::new(TREE).dir();
    let git = Git::init(dir.path());
    git.run(&["add", "-f", "a.log", "build/out.o"]);
    let paths = surface(dir.path());
    assert!(paths.contains(&"a.log".to_owned()) && paths.contains(&"build/out.o".to_owned()));
    assert_eq!(paths, others(&git));
    std::fs::remove_file(dir.path().join("a.log")).unwrap();
    assert!(!surface(dir.path()).contains(&"a.log".to_owned()));
}

#[test]
fn an_ignore_file_is_for_tools_and_hides_what_git_tracks() {
    let dir = Fixture::new(
        "
=== .ignore
data/
!build/
*.snap
=== .gitignore
build/
=== data/big.py
=== build/made.py
=== pkg/.ignore
!wanted.snap
=== pkg/wanted.snap
=== pkg/other.snap
=== main.py
",
    )
    .dir();
    let expected = [".gitignore", ".ignore", "build/made.py", "main.py", "pkg/.ignore", "pkg/wanted.snap"];
    assert_eq!(surface(dir.path()), expected);
    if git_is_installed() {
        let git = Git::init(dir.path());
        git.run(&["add", "-f", "."]);
        assert_eq!(surface(dir.path()), expected);
    }
}

#[test]
fn exclude_files_of_the_repository_and_of_the_user_hold() {
    let dir = Fixture::new("=== a.swp\n=== b.local\n=== c.rs\n=== d.local\n=== .gitignore\n!d.local\n").dir();
    let home = tempfile::tempdir().unwrap();
    write(home.path(), ".config/git/ignore", "*.swp\n");
    let options = Options { global_excludes: global_excludes(Some(home.path()), None) };
    let tree = DiskTree::open(dir.path(), &options).unwrap();
    assert_eq!(paths(&tree), [".gitignore", "b.local", "c.rs", "d.local"]);
    if !git_is_installed() {
        return;
    }
    let _ = Git::init(dir.path());
    write(dir.path(), ".git/info/exclude", "*.local\n");
    let tree = DiskTree::open(dir.path(), &options).unwrap();
    assert_eq!(paths(&tree), [".gitignore", "c.rs", "d.local"]);
}

#[test]
fn the_users_configuration_names_the_excludes_file() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(global_excludes(Some(home.path()), None), None);
    write(home.path(), "my-ignores", "*.x\n");
    write(home.path(), ".gitconfig", "[core]\n\texcludesFile = ~/my-ignores\n");
    assert_eq!(global_excludes(Some(home.path()), None), Some(home.path().join("my-ignores")));
    let other = tempfile::tempdir().unwrap();
    write(other.path(), "git/ignore", "*.y\n");
    assert_eq!(global_excludes(None, Some(other.path())), Some(other.path().join("git/ignore")));
    write(home.path(), ".gitconfig", "[core\nbroken");
    assert_eq!(global_excludes(Some(home.path()), Some(other.path())), Some(other.path().join("git/ignore")));
}

#[test]
fn bytes_that_are_not_text_in_ignore_files_are_no_obstacle() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), ".gitignore", b"\xef\xbb\xbf*.log\r\n\xff\xfe\n[\n**\\\n*.tmp  \n");
    for name in ["a.log", "b.tmp", "c.rs"] {
        write(dir.path(), name, "");
    }
    // A carriage return before the line feed belongs to no pattern, nor do blanks at the end.
    assert_eq!(surface(dir.path()), [".gitignore", "c.rs"]);
}

#[test]
#[cfg(unix)]
fn ignore_files_that_are_no_files_are_told_of_and_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "rules", "*.rs\n");
    write(dir.path(), "a.rs", "");
    write(dir.path(), "sub/b.rs", "");
    std::os::unix::fs::symlink(outside.path().join("rules"), dir.path().join(".gitignore")).unwrap();
    std::fs::create_dir(dir.path().join("sub/.ignore")).unwrap();
    let tree = open(dir.path());
    assert_eq!(paths(&tree), ["a.rs", "sub/b.rs"]);
    assert_eq!(
        tree.notes(),
        [
            "`.gitignore` is a link: its rules are not used",
            "`sub/.ignore` is not a regular file: its rules are not used"
        ]
    );
}

#[test]
fn patterns_made_to_be_slow_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let stars = format!("{}b\n", "*a".repeat(60));
    write(dir.path(), ".gitignore", stars + "**/a/**/a/**/a/**/a/**/a/**/b\n");
    let name = "a".repeat(250);
    write(dir.path(), &name, "");
    write(dir.path(), &format!("{}/x", ["a"; 100].join("/")), "");
    assert_eq!(surface(dir.path()).len(), 3);
}

/// What git would commit or has: the reference.
fn others(git: &Git) -> Vec<String> {
    let listed = git.run_bytes(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let names: BTreeSet<String> = listed
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8(name.to_vec()).unwrap())
        .filter(|name| git.dir.join(name).is_file())
        .collect();
    names.into_iter().collect()
}

fn part() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "ab", "a.c", "x y", "[q]", "b.c", "*s"]).prop_map(str::to_owned)
}

fn pattern() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "*",
        "**",
        "*.c",
        "a*",
        "[ab]",
        "?",
        "[!a]",
        "\\*s",
        "x\\ y",
        "[q]",
        "\\[q]",
        "a.c",
        "*b",
        "[a-b]*",
        "[[:alpha:]]",
    ]);
    (
        prop::sample::select(vec!["", "!", "/", "!/", "", "**/"]),
        prop::collection::vec(piece, 1..3),
        prop::sample::select(vec!["", "/", "", "/**", "/*", " ", "\\ "]),
    )
        .prop_map(|(open, pieces, close)| format!("{open}{}{close}", pieces.join("/")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_leave_what_git_leaves(
        files in prop::collection::btree_set(prop::collection::vec(part(), 1..4), 1..14),
        ignores in prop::collection::btree_map(
            prop::collection::vec(part(), 0..2),
            prop::collection::vec(pattern(), 1..5),
            1..3,
        ),
        tracked in any::<prop::sample::Index>(),
    ) {
        if git_is_installed() {
            let dir = tempfile::tempdir().unwrap();
            let git = Git::init(dir.path());
            let mut made = Vec::new();
            for file in &files {
                let path = dir.path().join(file.join("/"));
                if std::fs::create_dir_all(path.parent().unwrap()).is_ok() && std::fs::write(&path, "x").is_ok() {
                    made.push(file.join("/"));
                }
            }
            for (folder, patterns) in &ignores {
                let folder = dir.path().join(folder.join("/"));
                if folder.is_dir() {
                    std::fs::write(folder.join(".gitignore"), patterns.join("\n") + "\n").unwrap();
                }
            }
            let forced = &made[tracked.index(made.len())];
            git.run(&["--literal-pathspecs", "add", "-f", "--", forced]);
            prop_assert_eq!(surface(dir.path()), others(&git), "{:?}", ignores);
        }
    }
}
