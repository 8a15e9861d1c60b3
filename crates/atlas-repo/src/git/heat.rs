//! How often files change, and by how many hands (contract §4, `heat`).

use super::guarded;
use super::history::{History, HistoryError, first_line};
use atlas_artifact::Heat;
use atlas_tree::RepoPath;
use gix::ObjectId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Commits that are looked into, at most. In a busier repository the window is cut to the newest ones.
pub const HEAT_COMMITS_MAX: usize = 5_000;
/// Files that one commit changes, at most: a commit that touches more is an import or a
/// reformatting and says nothing of heat. Also what keeps trees that were made to explode in check.
const COMMIT_FILES_MAX: usize = 20_000;
/// How many commits in a row must be older than the window before the walk ends. Clocks differ, so
/// that a parent may be younger than its child.
const OLD_IN_A_ROW: usize = 64;
const DAY_S: i64 = 86_400;

/// What the window showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeatReport {
    /// Most commits first, then by path. Files that the newest commit no longer has are in it too.
    pub files: Vec<Heat>,
    /// Commits that were counted, merges not among them.
    pub commits: u32,
    /// The committer's time of the newest commit, in seconds since 1970.
    pub newest: Option<i64>,
    /// The window held more than [`HEAT_COMMITS_MAX`] commits: the oldest were left out.
    pub truncated: bool,
    /// Commits of the window that could not be read or compared: a clone without all objects, the
    /// edge of a shallow clone, changes of too many files.
    pub not_counted: u32,
}

impl History {
    /// Commits and authors per file in the `days` back from the newest commit that the head can
    /// reach. A commit counts once for every file that differs from its parent's; a merge counts
    /// nothing, since its commits count already; the first commit counts for all its files, the
    /// edge of a shallow clone for none, since what it changed is not known. Renames are not followed.
    /// Authors are told apart by address, whatever its case.
    ///
    /// # Errors
    /// If the head cannot be read. A damaged commit further down is counted in `not_counted`.
    pub fn heat(&self, days: u32) -> Result<HeatReport, HistoryError> {
        let Some(head) = self.head_id()? else { return Ok(HeatReport::default()) };
        let mut report = HeatReport::default();
        let commits = self.window(head, days, &mut report)?;
        let mut files: BTreeMap<Vec<u8>, (u32, BTreeSet<u32>)> = BTreeMap::new();
        let mut authors: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for commit in commits {
            let changes = guarded("a commit", || {
                let new = self.tree_of(commit.id)?;
                let old = commit.parent.map(|parent| self.tree_of(parent)).transpose()?;
                self.compare(old, Some(new), COMMIT_FILES_MAX).map_err(|error| HistoryError::from(error).to_string())
            });
            let Ok(changes) = changes else {
                report.not_counted += 1;
                continue;
            };
            report.commits += 1;
            let next = u32::try_from(authors.len()).unwrap_or(u32::MAX);
            let author = *authors.entry(commit.author).or_insert(next);
            for change in changes {
                if let Some(path) = change.path.strip_prefix(&self.prefix[..]) {
                    let (commits, authors) = files.entry(path.to_vec()).or_default();
                    *commits += 1;
                    authors.insert(author);
                }
            }
        }
        report.files = files
            .into_iter()
            .filter_map(|(path, (commits, authors))| {
                let path = RepoPath::new(std::str::from_utf8(&path).ok()?).ok()?;
                let authors = u32::try_from(authors.len()).unwrap_or(u32::MAX);
                Some(Heat { path: path.into(), commits, authors })
            })
            .collect();
        report.files.sort_by(|a, b| (Reverse(a.commits), &a.path).cmp(&(Reverse(b.commits), &b.path)));
        Ok(report)
    }

    /// The commits of the window that have at most one parent, newest first.
    fn window(&self, head: ObjectId, days: u32, report: &mut HeatReport) -> Result<Vec<Commit>, HistoryError> {
        let edge: BTreeSet<ObjectId> =
            self.repo.shallow_commits().ok().flatten().map_or_else(BTreeSet::new, |ids| ids.iter().copied().collect());
        let span = i64::from(days) * DAY_S;
        let mut seen = BTreeSet::from([head]);
        let mut ahead = BinaryHeap::new();
        ahead.push(self.look(head, &edge).map_err(HistoryError::Unreadable)?);
        let mut found: Vec<Commit> = Vec::new();
        let mut newest = i64::MIN;
        let mut old_in_a_row = 0;
        while let Some(commit) = ahead.pop() {
            newest = newest.max(commit.time);
            old_in_a_row = if commit.time < newest.saturating_sub(span) { old_in_a_row + 1 } else { 0 };
            if old_in_a_row > OLD_IN_A_ROW {
                break;
            }
            for parent in &commit.parents {
                if seen.insert(*parent) {
                    match self.look(*parent, &edge) {
                        Ok(parent) => ahead.push(parent),
                        Err(_) => report.not_counted += 1,
                    }
                }
            }
            if commit.parents.len() <= 1 {
                found.push(Commit::from(commit));
            }
            if found.len() > HEAT_COMMITS_MAX {
                break;
            }
        }
        report.newest = Some(newest);
        found.retain(|commit| commit.time >= newest.saturating_sub(span));
        report.truncated = found.len() > HEAT_COMMITS_MAX;
        found.truncate(HEAT_COMMITS_MAX);
        let all = found.len();
        found.retain(|commit| !edge.contains(&commit.id));
        report.not_counted += u32::try_from(all - found.len()).unwrap_or(u32::MAX);
        Ok(found)
    }

    fn look(&self, id: ObjectId, edge: &BTreeSet<ObjectId>) -> Result<Ahead, String> {
        guarded("a commit", || {
            let commit = self.repo.find_commit(id).map_err(|error| first_line(&error))?;
            let time = commit.time().map_err(|error| first_line(&error))?.seconds;
            let author = commit.author().map_err(|error| first_line(&error))?.email.trim_ascii().to_ascii_lowercase();
            let parents =
                if edge.contains(&id) { Vec::new() } else { commit.parent_ids().map(gix::Id::detach).collect() };
            Ok(Ahead { time, id: Reverse(id), author, parents })
        })
    }
}

/// A commit to be looked at, in the order of time, then of ids.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ahead {
    time: i64,
    id: Reverse<ObjectId>,
    author: Vec<u8>,
    parents: Vec<ObjectId>,
}

#[derive(Debug)]
struct Commit {
    time: i64,
    id: ObjectId,
    parent: Option<ObjectId>,
    author: Vec<u8>,
}

impl From<Ahead> for Commit {
    fn from(ahead: Ahead) -> Self {
        Self { time: ahead.time, id: ahead.id.0, parent: ahead.parents.first().copied(), author: ahead.author }
    }
}
