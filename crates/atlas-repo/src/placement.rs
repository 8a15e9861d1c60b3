//! Whether a folder to write into lies in the repository (contract §2: an `--out` inside is accepted
//! only if git ignores it).

use crate::git::{IgnoreFiles, Rules, read_index};
use crate::names;
use crate::tree::DiskTree;
use std::path::{Component, Path, PathBuf};

/// Where a path lies, seen from a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Neither in the repository nor in its git metadata.
    Outside,
    /// In the repository, ignored by git, and nothing there is tracked.
    Ignored,
    /// In the repository or its metadata: nothing may be written there.
    Inside,
}

impl DiskTree {
    /// Where `path`, which need not exist, lies. The repository is the whole git work tree, also if
    /// the root is a directory in it, and else the root. Links in the part that exists are
    /// resolved. Without git nothing is ignored by git. `.ignore` files say nothing here.
    #[must_use]
    pub fn placement(&self, path: &Path) -> Placement {
        let Some(path) = real(path) else { return Placement::Inside };
        let Some(place) = self.git() else {
            return if path.starts_with(self.root()) { Placement::Inside } else { Placement::Outside };
        };
        if path.starts_with(&place.git_dir) || path.starts_with(&place.common_dir) {
            return Placement::Inside;
        }
        let Ok(below) = path.strip_prefix(&place.work_dir) else { return Placement::Outside };
        if below.as_os_str().is_empty() || below.components().any(|part| names::is_git(&names::bytes(part.as_os_str())))
        {
            return Placement::Inside;
        }
        let exclude = place.common_dir.join("info").join("exclude");
        let mut notes = Vec::new();
        let mut rules = Rules::top(self.options().global_excludes.as_deref(), Some(&exclude), &mut notes);
        let (mut dir, mut disk, mut ignored) = (Vec::new(), place.work_dir.clone(), false);
        for part in below.components() {
            rules = rules.enter(&dir, &IgnoreFiles::of(&disk, &dir, &mut notes), &mut notes);
            disk.push(part);
            dir.extend_from_slice(&names::bytes(part.as_os_str()));
            ignored = ignored || rules.ignored_by_git(&dir, true);
            dir.push(b'/');
        }
        let Ok(index) = read_index(&place.git_dir) else { return Placement::Inside };
        let tracked = index.iter().any(|tracked| {
            tracked.path.starts_with(&dir)
                || tracked.path == dir[..dir.len() - 1]
                || dir.starts_with(&with_slash(tracked))
        });
        if ignored && !tracked { Placement::Ignored } else { Placement::Inside }
    }
}

/// A tracked path as a directory: what lies in a submodule is not this repository's to ignore.
fn with_slash(tracked: &crate::git::Tracked) -> Vec<u8> {
    [tracked.path.strip_suffix(b"/").unwrap_or(&tracked.path), b"/"].concat()
}

/// The canonical form of a path whose last parts need not exist. None if it cannot be known.
fn real(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    for ancestor in absolute.ancestors() {
        if let Ok(canonical) = ancestor.canonicalize() {
            let rest = absolute.strip_prefix(ancestor).ok()?;
            let plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
            return plain.then(|| canonical.join(rest));
        }
    }
    None
}
