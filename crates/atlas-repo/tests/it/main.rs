//! The repository as it lies on the disk, on real directories.
#![expect(clippy::disallowed_methods, reason = "tests lay out the directories that they look at")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod content;
mod fingerprints;
mod git_states;
mod history;
mod nasty;
mod placements;
mod reading;
mod rules;

use atlas_repo::{DiskTree, Options, Skipped};
use atlas_tree::Tree as _;
use std::path::Path;

fn open(root: &Path) -> DiskTree {
    DiskTree::open(root, &Options::default()).unwrap()
}

/// The paths of the surface.
fn surface(root: &Path) -> Vec<String> {
    paths(&open(root))
}

fn paths(tree: &DiskTree) -> Vec<String> {
    tree.files().iter().map(|entry| entry.path.to_string()).collect()
}

/// `path: reason: detail` of everything left out.
fn left_out(tree: &DiskTree) -> Vec<String> {
    let line = |skipped: &Skipped| format!("{}: {:?}: {}", skipped.path, skipped.reason, skipped.detail);
    tree.skipped().iter().map(line).collect()
}

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let file = root.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, bytes).unwrap();
}
