//! Git work trees in every state that people have them in.

use crate::{left_out, open, paths, surface, write};
use atlas_repo::{DiskTree, OpenError, Options};
use atlas_testkit::{Git, git_is_installed};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const T0: i64 = 1_700_000_000;

/// `src/a.rs` and `docs/b.md`, committed.
fn small(root: &Path) -> Git {
    write(root, "src/a.rs", "fn a() {}\n");
    write(root, "docs/b.md", "# b\n");
    let git = Git::init(root);
    git.commit_all("first", "ada", T0);
    git
}

fn head(tree: &DiskTree) -> Option<String> {
    tree.history().unwrap().unwrap().head().unwrap()
}

#[test]
fn a_directory_in_a_work_tree_has_the_rules_from_above() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let git = small(dir.path());
    write(dir.path(), ".gitignore", "*.log\nsrc/gen/\nbuild/\n/a.rs\n");
    write(dir.path(), "src/x.log", "");
    write(dir.path(), "src/gen/g.rs", "");
    write(dir.path(), "src/.gitignore", "local\n");
    write(dir.path(), "src/local", "");
    git.run(&["add", "-f", "src/gen/g.rs"]);
    let tree = open(&dir.path().join("src"));
    assert_eq!(paths(&tree), [".gitignore", "a.rs", "gen/g.rs"]);
    assert_eq!(tree.notes(), [] as [&str; 0]);
    assert_eq!(tree.git().unwrap().work_dir, dir.path().canonicalize().unwrap());
    let heat = tree.history().unwrap().unwrap().heat(90).unwrap();
    assert_eq!(heat.files.iter().map(|heat| heat.path.as_str()).collect::<Vec<_>>(), ["a.rs"]);
}

#[test]
fn a_directory_that_the_repository_ignores_can_be_studied() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let _ = small(dir.path());
    write(dir.path(), ".gitignore", "work/\n*.py\n");
    write(dir.path(), "work/deep/a.py", "");
    write(dir.path(), "work/deep/.gitignore", "b.py\n");
    write(dir.path(), "work/deep/b.py", "");
    let tree = open(&dir.path().join("work/deep"));
    assert_eq!(paths(&tree), [".gitignore", "a.py"]);
    assert_eq!(tree.notes(), ["the repository around this directory ignores it: its rules are not used"]);
}

#[test]
fn a_linked_worktree_has_its_own_index_and_head() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let main = dir.path().join("main");
    let git = small(&main);
    write(&main, ".git/info/exclude", "*.local\n");
    git.run(&["worktree", "add", "-q", "-b", "other", "../other"]);
    let other = dir.path().join("other");
    write(&other, "x.local", "");
    write(&other, "y.local", "");
    write(&other, "src/c.rs", "");
    let linked = Git::at(&other);
    linked.run(&["add", "-f", "y.local", "src/c.rs"]);
    let commit = linked.commit("second", "bob", T0 + 60);
    let tree = open(&other);
    assert_eq!(paths(&tree), ["docs/b.md", "src/a.rs", "src/c.rs", "y.local"]);
    assert_eq!(head(&tree), Some(commit));
    assert_ne!(head(&open(&main)), head(&tree));
    assert_eq!(tree.notes(), [] as [&str; 0]);
}

#[test]
fn submodules_are_told_of_and_not_entered() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (library, main) = (dir.path().join("library"), dir.path().join("main"));
    let _ = small(&library);
    let git = small(&main);
    git.run(&["submodule", "--quiet", "add", library.to_str().unwrap(), "libs/library"]);
    git.run(&["submodule", "--quiet", "add", library.to_str().unwrap(), "libs/empty"]);
    git.run(&["submodule", "--quiet", "deinit", "-f", "libs/empty"]);
    git.commit_all("libraries", "ada", T0 + 60);
    let tree = open(&main);
    assert_eq!(paths(&tree), [".gitmodules", "docs/b.md", "src/a.rs"]);
    assert_eq!(
        left_out(&tree),
        ["libs/empty: Vendored: a submodule, not entered", "libs/library: Vendored: a submodule, not entered"]
    );
    // A submodule by itself is a repository like any other.
    let inner = open(&main.join("libs/library"));
    assert_eq!(paths(&inner), ["docs/b.md", "src/a.rs"]);
    assert!(head(&inner).is_some());
}

#[test]
fn a_sparse_checkout_says_what_it_left_out() {
    if !git_is_installed() {
        return;
    }
    for index in ["--no-sparse-index", "--sparse-index"] {
        let dir = tempfile::tempdir().unwrap();
        let git = small(dir.path());
        write(dir.path(), "docs/deep/c.md", "");
        write(dir.path(), "big/one/x.rs", "");
        write(dir.path(), "big/two/y.rs", "");
        write(dir.path(), "src/in/z.rs", "");
        git.commit_all("more", "ada", T0 + 60);
        git.run(&["sparse-checkout", "set", "--cone", index, "docs/deep"]);
        let tree = open(dir.path());
        assert_eq!(paths(&tree), ["docs/b.md", "docs/deep/c.md"]);
        let detail = |files: &str| if index == "--sparse-index" { "a directory".to_owned() } else { files.to_owned() };
        assert_eq!(
            left_out(&tree),
            [
                format!("big: Unreadable: {} left out by a sparse checkout", detail("2 tracked files")),
                format!("src: Unreadable: {} left out by a sparse checkout", detail("2 tracked files")),
            ]
        );
    }
}

#[test]
fn a_shallow_clone_has_a_head_and_counts_what_it_knows() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (full, clone) = (dir.path().join("full"), dir.path().join("clone"));
    let git = small(&full);
    for n in 1..4 {
        write(&full, "src/a.rs", format!("fn a{n}() {{}}\n"));
        git.commit_all("change", "ada", T0 + n * 60);
    }
    let url = format!("file://{}", full.display());
    Git::at(dir.path()).run(&["clone", "-q", "--depth", "2", &url, clone.to_str().unwrap()]);
    let tree = open(&clone);
    assert_eq!(paths(&tree), ["docs/b.md", "src/a.rs"]);
    assert_eq!(head(&tree), head(&open(&full)));
    let history = tree.history().unwrap().unwrap();
    assert!(history.is_shallow());
    let heat = history.heat(90).unwrap();
    assert_eq!((heat.commits, heat.not_counted), (1, 1));
    assert_eq!(heat.files.len(), 1);
}

#[test]
fn a_dirty_tree_is_taken_as_it_lies() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let _ = small(dir.path());
    write(dir.path(), "src/new.rs", "");
    std::fs::remove_file(dir.path().join("docs/b.md")).unwrap();
    let tree = open(dir.path());
    assert_eq!(paths(&tree), ["src/a.rs", "src/new.rs"]);
    assert_eq!(left_out(&tree), [] as [&str; 0]);
}

#[test]
fn a_merge_in_conflict_lists_each_file_once() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let git = small(dir.path());
    git.run(&["checkout", "-q", "-b", "side"]);
    write(dir.path(), "src/a.rs", "fn side() {}\n");
    git.commit_all("side", "ada", T0 + 60);
    git.run(&["checkout", "-q", "main"]);
    write(dir.path(), "src/a.rs", "fn main() {}\n");
    git.commit_all("main", "ada", T0 + 120);
    let merge = std::panic::catch_unwind(|| git.merge("side", T0 + 180));
    assert!(merge.is_err(), "the merge conflicts");
    assert_eq!(surface(dir.path()), ["docs/b.md", "src/a.rs"]);
}

#[test]
fn what_the_configuration_says_changes_nothing() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let git = small(dir.path());
    let mark = dir.path().join("mark");
    let run = format!("touch {}", mark.display());
    for (key, value) in [
        ("core.bare", "true"),
        ("core.fsmonitor", &run),
        ("core.hooksPath", &run),
        ("core.sshCommand", &run),
        ("core.pager", &run),
        ("diff.external", &run),
        ("diff.x.textconv", &run),
        ("filter.x.clean", &run),
        ("filter.x.smudge", &run),
        ("filter.x.process", &run),
        ("filter.x.required", "true"),
        ("credential.helper", &run),
        ("core.excludesFile", "/etc/hostname"),
        ("include.path", "/etc/hostname"),
        ("gpg.program", &run),
    ] {
        git.run(&["--git-dir=.git", "config", key, value]);
    }
    write(dir.path(), ".gitattributes", "* filter=x diff=x\n");
    write(dir.path(), "src/a.rs", "fn changed() {}\n");
    let tree = open(dir.path());
    assert_eq!(paths(&tree), [".gitattributes", "docs/b.md", "src/a.rs"]);
    let history = tree.history().unwrap().unwrap();
    let head = history.head().unwrap().unwrap();
    assert_eq!(history.heat(90).unwrap().commits, 1);
    assert_eq!(history.changed_since(&head, &tree).unwrap().len(), 2);
    assert_eq!(history.changed_between(&head, &head).unwrap(), []);
    assert!(!mark.exists(), "a program was started");
}

#[test]
fn before_the_first_commit_there_is_no_head() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.rs", "");
    let _ = Git::init(dir.path());
    let tree = open(dir.path());
    assert_eq!(paths(&tree), ["a.rs"]);
    assert_eq!(head(&tree), None);
    assert_eq!(tree.history().unwrap().unwrap().heat(90).unwrap(), Default::default());
}

#[test]
fn damaged_metadata_is_a_note_and_never_the_end() {
    if !git_is_installed() {
        return;
    }
    let damages: [(&str, fn(&Path)); 9] = [
        ("no head", |git| std::fs::remove_file(git.join("HEAD")).unwrap()),
        ("no objects", |git| std::fs::remove_dir_all(git.join("objects")).unwrap()),
        ("empty index", |git| std::fs::write(git.join("index"), "").unwrap()),
        ("index of noise", |git| std::fs::write(git.join("index"), [7u8; 4096]).unwrap()),
        ("index cut short", |git| {
            let bytes = std::fs::read(git.join("index")).unwrap();
            std::fs::write(git.join("index"), &bytes[..bytes.len() - 30]).unwrap();
        }),
        ("head to nowhere", |git| std::fs::write(git.join("HEAD"), "ref: refs/heads/gone\n").unwrap()),
        ("head of noise", |git| std::fs::write(git.join("HEAD"), b"\xff\xfe\0").unwrap()),
        ("config of noise", |git| std::fs::write(git.join("config"), b"[[[\xff").unwrap()),
        ("refs of noise", |git| std::fs::write(git.join("refs/heads/main"), "zzz\n").unwrap()),
    ];
    for (what, damage) in damages {
        let dir = tempfile::tempdir().unwrap();
        let _ = small(dir.path());
        write(dir.path(), ".gitignore", "*.log\n");
        write(dir.path(), "x.log", "");
        damage(&dir.path().join(".git"));
        let tree = open(dir.path());
        assert_eq!(paths(&tree), [".gitignore", "docs/b.md", "src/a.rs"], "{what}");
        if let Ok(Some(history)) = tree.history() {
            let _ = history.head();
            let _ = history.heat(90);
        }
    }
}

#[test]
fn a_git_file_that_leads_nowhere_is_a_note() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.rs", "");
    for (text, note) in [
        ("gitdir: ../gone\n", "git cannot be used here: `.git` names a directory that does not exist"),
        ("nonsense", "git cannot be used here: `.git` is a file that names no git directory"),
        ("", "git cannot be used here: `.git` is a file that names no git directory"),
    ] {
        write(dir.path(), ".git", text);
        let tree = open(dir.path());
        assert_eq!(paths(&tree), ["a.rs"]);
        assert_eq!(tree.notes(), [note]);
        assert_eq!(tree.git(), None);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pipes_in_the_metadata_hold_nobody_up() {
    use std::process::Command;
    if !git_is_installed() {
        return;
    }
    for name in ["index", "config", "packed-refs", "HEAD", "info/exclude"] {
        let dir = tempfile::tempdir().unwrap();
        let _ = small(dir.path());
        let file = dir.path().join(".git").join(name);
        let _ = std::fs::remove_file(&file);
        if !Command::new("mkfifo").arg(&file).status().is_ok_and(|status| status.success()) {
            return;
        }
        let tree = open(dir.path());
        assert_eq!(paths(&tree), ["docs/b.md", "src/a.rs"], "{name}");
        assert_eq!(tree.notes().len(), 1, "{name}");
    }
}

#[test]
fn an_index_with_paths_that_leave_adds_nothing() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    write(dir.path(), "secret", "x");
    let git = small(&root);
    // Git itself refuses such names, so one of the same length is put in and patched.
    write(&root, "aa/secret", "x");
    git.run(&["add", "."]);
    let index = root.join(".git/index");
    let mut bytes = std::fs::read(&index).unwrap();
    let at = bytes.windows(9).position(|window| window == b"aa/secret").unwrap();
    bytes[at..at + 9].copy_from_slice(b"../secret");
    let body = bytes.len() - 20;
    bytes[body..].fill(0);
    std::fs::write(&index, bytes).unwrap();
    assert_eq!(surface(&root), ["aa/secret", "docs/b.md", "src/a.rs"]);
}

#[test]
fn repositories_without_files_are_refused() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let bare = dir.path().join("bare");
    std::fs::create_dir(&bare).unwrap();
    Git::at(&bare).run(&["init", "-q", "--bare", "."]);
    let open = |path: &Path| DiskTree::open(path, &Options::default()).unwrap_err();
    assert_eq!(open(&bare), OpenError::Bare(bare.clone()));
    let main = dir.path().join("main");
    let _ = small(&main);
    assert_eq!(open(&main.join(".git")), OpenError::InsideGit(main.join(".git")));
    assert_eq!(open(&main.join(".git/refs")), OpenError::InsideGit(main.join(".git/refs")));
}

#[test]
fn names_that_are_not_text_are_told_of_when_tracked_and_ignored() {
    if !git_is_installed() || cfg!(not(target_os = "linux")) {
        return;
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let dir = tempfile::tempdir().unwrap();
        let git = small(dir.path());
        let name = std::ffi::OsStr::from_bytes(b"caf\xe9.rs");
        std::fs::write(dir.path().join(name), "").unwrap();
        git.run(&["add", "-A"]);
        write(dir.path(), ".git/info/exclude", "caf*\n");
        assert_eq!(left_out(&open(dir.path())), ["caf\\xe9.rs: NotUtf8: a name that is not UTF-8"]);
    }
}

/// All files below a directory, in path order.
fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut ahead = vec![dir.to_owned()];
    while let Some(dir) = ahead.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { ahead.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

    /// Whatever bytes of the metadata are wrong, the files on the disk are the surface, and history
    /// answers or says that it cannot.
    #[test]
    fn damage_anywhere_in_the_metadata_ends_nothing(
        packed in any::<bool>(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<bool>(),
    ) {
        if git_is_installed() {
            let dir = tempfile::tempdir().unwrap();
            let git = small(dir.path());
            for n in 1..4 {
                write(dir.path(), "src/a.rs", format!("fn a{n}() {{}}\n"));
                git.commit_all("change", "ada", T0 + n * 60);
            }
            let head = git.run(&["rev-parse", "HEAD"]);
            if packed {
                git.run(&["gc", "-q"]);
            }
            let meta: Vec<PathBuf> = files_below(&dir.path().join(".git"))
                .into_iter()
                // Hooks are not read; what the excludes say is no damage.
                .filter(|path| !path.components().any(|part| part.as_os_str() == "hooks" || part.as_os_str() == "info"))
                .collect();
            for (file, at, byte) in damages {
                let path = &meta[file.index(meta.len())];
                let mut bytes = std::fs::read(path).unwrap();
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] ^= byte | 1;
                    if cut {
                        bytes.truncate(at);
                    }
                    let _ = std::fs::remove_file(path);
                    std::fs::write(path, bytes).unwrap();
                }
            }
            let tree = open(dir.path());
            prop_assert_eq!(paths(&tree), ["docs/b.md", "src/a.rs"]);
            if let Ok(Some(history)) = tree.history() {
                let _ = (history.head(), history.heat(90), history.changed_since(head.trim(), &tree));
            }
        }
    }
}
