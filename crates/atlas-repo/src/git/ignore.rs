//! Ignore rules as git has them, and `.ignore` files as search tools have them.
//!
//! For one path the first rule set that has a matching pattern decides, in it the last pattern:
//! `.ignore` from the path's directory upwards, then `.gitignore` likewise, then `info/exclude`, then
//! the user's own excludes. Whoever asks must ask for each directory on the way first: what lies
//! below an ignored directory is ignored, whatever else matches.
//!
//! Patterns are matched by git's own algorithm (`gix`), on bytes, so that names that are not
//! UTF-8 are treated as git treats them.

use gix::bstr::{BStr, ByteSlice as _};
use gix::glob::pattern::Case;
use gix::glob::wildmatch::Mode;
use std::path::Path;
use std::sync::Arc;

/// Bytes of one ignore file that are used, at most; a longer one is not used at all and told of.
pub(crate) const IGNORE_BYTES_MAX: u64 = 1024 * 1024;
/// Patterns of one ignore file, at most: each is tried on every name below.
const PATTERNS_MAX: usize = 20_000;

/// The rules that hold in one directory: its own and, by `above`, those of the directories over it.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// Bytes of the directory's path with its final slash, as paths are asked for; 0 at the top.
    base_len: usize,
    git: Vec<gix::glob::Pattern>,
    ignore: Vec<gix::glob::Pattern>,
    above: Option<Arc<Rules>>,
}

/// The ignore files of one directory: what they hold, if they are there.
#[derive(Debug, Default)]
pub(crate) struct IgnoreFiles {
    pub(crate) git: Option<Vec<u8>>,
    pub(crate) ignore: Option<Vec<u8>>,
}

impl IgnoreFiles {
    /// Reads those of the directory at `path`, which is called `dir` (`""` or with a final slash)
    /// when a note is made of one that cannot be used. As in git, one that is a link is not used: it
    /// could lead anywhere.
    pub(crate) fn of(path: &Path, dir: &[u8], notes: &mut Vec<String>) -> Self {
        let mut read = |name: &str| match crate::open::read_bounded(&path.join(name), IGNORE_BYTES_MAX) {
            Ok(bytes) => Some(bytes),
            Err(crate::open::Failure::NotFound) => None,
            Err(failure) => {
                notes.push(format!("`{}{name}` {failure}: its rules are not used", crate::names::printable(dir)));
                None
            }
        };
        Self { git: read(".gitignore"), ignore: read(".ignore") }
    }
}

impl Rules {
    /// The rules that stand over the whole tree, weakest first: the user's excludes, then the repository's.
    /// What cannot be read is told in `notes`.
    pub(crate) fn top(global: Option<&Path>, repository: Option<&Path>, notes: &mut Vec<String>) -> Arc<Self> {
        let mut above = None;
        for (file, what) in [(global, "the user's excludes file"), (repository, "`info/exclude`")] {
            let Some(file) = file.and_then(|file| file.canonicalize().ok()) else { continue };
            match crate::open::read_text(&file, IGNORE_BYTES_MAX) {
                Ok(bytes) => {
                    let git = parse(&bytes, what, notes);
                    above = Some(Arc::new(Self { base_len: 0, git, ignore: Vec::new(), above }));
                }
                Err(cause) => notes.push(format!("{what} {cause}: its rules are not used")),
            }
        }
        above.unwrap_or_else(|| Arc::new(Self { base_len: 0, git: Vec::new(), ignore: Vec::new(), above: None }))
    }

    /// The rules in the directory `dir` (`""` or with a final slash) under these.
    pub(crate) fn enter(self: &Arc<Self>, dir: &[u8], files: &IgnoreFiles, notes: &mut Vec<String>) -> Arc<Self> {
        let mut read = |bytes: &Option<Vec<u8>>, name: &str| {
            let what = format!("`{}{name}`", crate::names::printable(dir));
            bytes.as_deref().map_or_else(Vec::new, |bytes| parse(bytes, &what, notes))
        };
        let git = read(&files.git, ".gitignore");
        let ignore = read(&files.ignore, ".ignore");
        if git.is_empty() && ignore.is_empty() {
            return Arc::clone(self);
        }
        Arc::new(Self { base_len: dir.len(), git, ignore, above: Some(Arc::clone(self)) })
    }

    /// Whether a path in this directory is ignored, given that the directory is not.
    pub(crate) fn ignored(&self, path: &[u8], is_dir: bool) -> bool {
        self.decide(path, is_dir, |rules| &rules.ignore).unwrap_or_else(|| self.ignored_by_git(path, is_dir))
    }

    /// As [`Rules::ignored`], by git's rules alone.
    pub(crate) fn ignored_by_git(&self, path: &[u8], is_dir: bool) -> bool {
        self.decide(path, is_dir, |rules| &rules.git).unwrap_or(false)
    }

    /// As [`Rules::ignored`], by `.ignore` files alone.
    pub(crate) fn ignored_by_tools(&self, path: &[u8], is_dir: bool) -> bool {
        self.decide(path, is_dir, |rules| &rules.ignore).unwrap_or(false)
    }

    fn decide(&self, path: &[u8], is_dir: bool, which: fn(&Self) -> &Vec<gix::glob::Pattern>) -> Option<bool> {
        let mut rules = Some(self);
        while let Some(here) = rules {
            let below: &BStr = path[here.base_len..].as_bstr();
            let name_at = below.rfind_byte(b'/').map(|at| at + 1);
            let last = which(here).iter().rev().find(|pattern| {
                pattern.matches_repo_relative_path(below, name_at, Some(is_dir), CASE, Mode::NO_MATCH_SLASH_LITERAL)
            });
            if let Some(pattern) = last {
                return Some(!pattern.is_negative());
            }
            rules = here.above.as_deref();
        }
        None
    }
}

/// As git sets it up where file systems fold case.
const CASE: Case = if cfg!(any(windows, target_os = "macos")) { Case::Fold } else { Case::Sensitive };

fn parse(bytes: &[u8], what: &str, notes: &mut Vec<String>) -> Vec<gix::glob::Pattern> {
    let mut patterns: Vec<_> =
        gix::ignore::parse(bytes, false).map(|(pattern, _, _)| pattern).take(PATTERNS_MAX + 1).collect();
    if patterns.len() > PATTERNS_MAX {
        patterns.truncate(PATTERNS_MAX);
        notes.push(format!("{what} has more than {PATTERNS_MAX} patterns: the rest are not used"));
    }
    patterns
}
