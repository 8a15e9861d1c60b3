//! Whether a folder to write into lies in the repository.

use crate::{open, write};
use atlas_repo::Placement;
use atlas_testkit::{Git, git_is_installed};

#[test]
fn without_git_all_of_the_root_is_inside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    write(&root, ".gitignore", "out/\n");
    let tree = open(&root);
    assert_eq!(tree.placement(&root.join("out")), Placement::Inside);
    assert_eq!(tree.placement(&root), Placement::Inside);
    assert_eq!(tree.placement(dir.path()), Placement::Outside);
    assert_eq!(tree.placement(&dir.path().join("repo2/out")), Placement::Outside);
    assert_eq!(tree.placement(&root.join("../elsewhere/out")), Placement::Outside);
}

#[test]
fn only_what_git_ignores_may_be_written_to() {
    if !git_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    write(&root, ".gitignore", "/out/\n!/out/kept/\n*.d\n");
    write(&root, ".ignore", "notes/\n");
    write(&root, "src/a.rs", "");
    write(&root, "forced.d/mission.json", "");
    let git = Git::init(&root);
    git.run(&["add", "-f", "forced.d"]);
    let tree = open(&root.join("src"));
    for (path, placement) in [
        ("out", Placement::Ignored),
        ("out/a/b", Placement::Ignored),
        ("out/kept", Placement::Ignored),
        ("src/x.d", Placement::Ignored),
        ("src/x.d/../y", Placement::Inside),
        ("src", Placement::Inside),
        ("other", Placement::Inside),
        ("notes", Placement::Inside),
        ("forced.d", Placement::Inside),
        ("forced.d/mission.json", Placement::Inside),
        (".git", Placement::Inside),
        (".git/atlas.d", Placement::Inside),
        ("", Placement::Inside),
        ("..", Placement::Outside),
    ] {
        assert_eq!(tree.placement(&root.join(path)), placement, "{path}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_into_the_repository_is_inside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    write(&root, "a.rs", "");
    std::os::unix::fs::symlink(&root, dir.path().join("link")).unwrap();
    assert_eq!(open(&root).placement(&dir.path().join("link/out")), Placement::Inside);
}
