//! Reading and resolving paths.

use crate::{open, write};
use atlas_repo::{DiskTree, OpenError, Options, READ_BYTES_MAX};
use atlas_tree::{ReadError, RepoPath, Tree};
use std::path::Path;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn read(tree: &DiskTree, text: &str) -> Result<Vec<u8>, ReadError> {
    tree.read(&path(text)).map(std::borrow::Cow::into_owned)
}

#[test]
fn bytes_are_as_they_are_now() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a/b.txt", b"one\r\n\xff\0");
    write(dir.path(), ".gitignore", "secret\n");
    write(dir.path(), "secret", "kept");
    let tree = open(dir.path());
    assert_eq!(read(&tree, "a/b.txt").unwrap(), b"one\r\n\xff\0");
    assert_eq!(tree.entry(&path("a/b.txt")).unwrap().size, 7);
    // Out of the surface is not out of reach.
    assert_eq!(read(&tree, "secret").unwrap(), b"kept");
    assert_eq!(tree.entry(&path("secret")), None);
    write(dir.path(), "a/b.txt", "two");
    assert_eq!(read(&tree, "a/b.txt").unwrap(), b"two");
    std::fs::remove_file(dir.path().join("a/b.txt")).unwrap();
    assert_eq!(read(&tree, "a/b.txt"), Err(ReadError::NotFound(path("a/b.txt"))));
    assert_eq!(read(&tree, "a/b.txt/c"), Err(ReadError::NotFound(path("a/b.txt/c"))));
    assert_eq!(read(&tree, "a"), Err(ReadError::NotAFile(path("a"))));
    assert_eq!(tree.resolve(&path("a")), Ok(path("a")));
    let long = path(&"n".repeat(300));
    assert_eq!(tree.read(&long), Err(ReadError::NotFound(long.clone())));
}

#[test]
#[cfg(unix)]
fn links_are_followed_inside_only() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    write(dir.path(), "outside.txt", "secret");
    write(&root, "src/a.py", "a = 1\n");
    write(&root, ".git/config", "[remote]\n\turl = token@host\n");
    for (name, target) in [
        ("good.py", "src/a.py"),
        ("dir", "src"),
        ("out.txt", "../outside.txt"),
        ("loop", "loop"),
        ("broken", "gone"),
        ("config", ".git/config"),
        ("parent", ".."),
        ("here", "."),
        ("etc", "/etc"),
    ] {
        symlink(target, root.join(name)).unwrap();
    }
    let tree = open(&root);
    assert_eq!(read(&tree, "good.py").unwrap(), b"a = 1\n");
    assert_eq!(read(&tree, "dir/a.py").unwrap(), b"a = 1\n");
    assert_eq!(tree.resolve(&path("dir/a.py")), Ok(path("src/a.py")));
    for outside in
        ["out.txt", "loop", "config", "parent", "parent/outside.txt", "etc/hostname", ".git/config", "here/.git/config"]
    {
        assert_eq!(read(&tree, outside), Err(ReadError::Outside(path(outside))), "{outside}");
        assert_eq!(tree.resolve(&path(outside)), Err(ReadError::Outside(path(outside))), "{outside}");
    }
    assert_eq!(read(&tree, "broken"), Err(ReadError::NotFound(path("broken"))));
    assert_eq!(read(&tree, "here"), Err(ReadError::NotAFile(path("here"))));
    // A directory becomes a link after the walk.
    std::fs::rename(root.join("src"), root.join("moved")).unwrap();
    symlink("..", root.join("src")).unwrap();
    assert_eq!(read(&tree, "src/outside.txt"), Err(ReadError::Outside(path("src/outside.txt"))));
}

#[test]
fn a_file_over_the_bound_is_an_error_and_not_a_piece() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in [("full", READ_BYTES_MAX), ("over", READ_BYTES_MAX + 1)] {
        std::fs::File::create(dir.path().join(name)).unwrap().set_len(bytes).unwrap();
    }
    let tree = open(dir.path());
    assert_eq!(read(&tree, "full").unwrap().len() as u64, READ_BYTES_MAX);
    let cause = "67108865 bytes are more than the 67108864 that are read of one file".to_owned();
    assert_eq!(read(&tree, "over"), Err(ReadError::Io { path: path("over"), cause }));
    assert_eq!(tree.entry(&path("over")).unwrap().size, READ_BYTES_MAX + 1);
}

#[test]
fn what_is_no_directory_of_files_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "file", "");
    let open = |path: &Path| DiskTree::open(path, &Options::default()).unwrap_err();
    let gone = dir.path().join("gone");
    assert_eq!(open(&gone), OpenError::NotFound(gone.clone()));
    assert_eq!(open(&dir.path().join("file")), OpenError::NotADirectory(dir.path().join("file")));
}

#[test]
fn an_empty_directory_is_an_empty_surface() {
    let dir = tempfile::tempdir().unwrap();
    let tree = open(dir.path());
    assert_eq!(tree.files(), []);
    assert_eq!(tree.skipped(), []);
    assert_eq!(tree.git(), None);
    assert!(tree.history().unwrap().is_none());
}

#[test]
fn the_surface_is_the_same_for_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..300 {
        write(dir.path(), &format!("d{}/e{}/f{n}.py", n % 7, n % 13), "x = 1\n");
    }
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| crate::surface(dir.path()))
    };
    let one = with(1);
    assert_eq!(one.len(), 300);
    assert!(one.is_sorted());
    assert_eq!(with(2), one);
    assert_eq!(with(8), one);
}
