//! The commits behind a work tree.

use super::discover::GitPlace;
use super::guarded;
use crate::tree::prefix;
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice as _, ByteVec as _};
use gix::diff::tree::visit::{Action, Change};
use std::collections::VecDeque;
use std::path::Path;

/// Bytes of decoded objects kept while trees are compared, so that shared ones are decoded once.
const OBJECT_CACHE_BYTES: usize = 32 * 1024 * 1024;

/// The history of the repository that a root belongs to; paths are relative to the root, and what
/// lies outside it is left out. See the module for why this runs and writes nothing.
pub struct History {
    pub(super) repo: gix::Repository,
    /// The path of the root in the repository: `""` or with a final slash.
    pub(super) prefix: Vec<u8>,
}

/// Why history has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// Of another object format, another reference format, or damaged.
    #[error("the git repository cannot be read: {0}")]
    Unreadable(String),
    #[error("`{0}` is not a commit of this repository")]
    NoSuchCommit(String),
    /// More changes than a repository of people has.
    #[error("more than {0} changes")]
    TooMany(usize),
}

impl History {
    pub(crate) fn open(place: &GitPlace, root: &Path) -> Result<Self, HistoryError> {
        let repo = guarded("the git repository", || {
            let mut repo = gix::open::Options::isolated()
                .with(gix::sec::Trust::Reduced)
                .open_path_as_is(true)
                .open(&place.git_dir)
                .map_err(|error| first_line(&error))?
                .to_thread_local();
            repo.object_cache_size_if_unset(OBJECT_CACHE_BYTES);
            Ok(repo)
        })
        .map_err(HistoryError::Unreadable)?;
        Ok(Self { repo, prefix: prefix(place, root) })
    }

    /// The commit that the work tree stands at, in hexadecimal; none before the first commit.
    ///
    /// # Errors
    /// If the head or what it leads to cannot be read.
    pub fn head(&self) -> Result<Option<String>, HistoryError> {
        Ok(self.head_id()?.map(|id| id.to_string()))
    }

    pub(super) fn head_id(&self) -> Result<Option<ObjectId>, HistoryError> {
        guarded("the head", || {
            let mut head = self.repo.head().map_err(|error| first_line(&error))?;
            if head.is_unborn() {
                return Ok(None);
            }
            let id = head.try_peel_to_id().map_err(|error| first_line(&error))?;
            Ok(id.map(gix::Id::detach))
        })
        .map_err(HistoryError::Unreadable)
    }

    /// Whether the repository has all of its commits: a shallow clone has not.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.repo.is_shallow().unwrap_or(false)
    }

    /// The tree of a commit.
    pub(super) fn tree_of(&self, commit: ObjectId) -> Result<ObjectId, String> {
        let commit = self.repo.find_commit(commit).map_err(|error| first_line(&error))?;
        commit.tree_id().map(gix::Id::detach).map_err(|error| first_line(&error))
    }

    /// What differs between two trees, files alone, at most `changes_max` of them. `None`
    /// stands for the empty tree.
    pub(super) fn compare(
        &self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        changes_max: usize,
    ) -> Result<Vec<TreeChange>, CompareError> {
        let (mut old_data, mut new_data) = (Vec::new(), Vec::new());
        self.load(old, &mut old_data)?;
        self.load(new, &mut new_data)?;
        let hash = self.repo.object_hash();
        let mut visit = Collect { changes_max, ..Collect::default() };
        let done = gix::diff::tree(
            gix::objs::TreeRefIter::from_bytes(&old_data, hash),
            gix::objs::TreeRefIter::from_bytes(&new_data, hash),
            gix::diff::tree::State::default(),
            &self.repo.objects,
            &mut visit,
        );
        match done {
            Ok(()) => Ok(visit.changes),
            Err(gix::diff::tree::Error::Cancelled) => Err(CompareError::TooMany(changes_max)),
            Err(gix::diff::tree::Error::Failure(error)) => Err(CompareError::Unreadable(first_line(&error))),
        }
    }

    fn load(&self, tree: Option<ObjectId>, data: &mut Vec<u8>) -> Result<(), CompareError> {
        if let Some(id) = tree {
            let tree = self.repo.find_tree(id).map_err(|error| CompareError::Unreadable(first_line(&error)))?;
            *data = tree.detach().data;
        }
        Ok(())
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History").field("prefix", &self.prefix.as_bstr()).finish_non_exhaustive()
    }
}

/// Why two trees were not compared.
#[derive(Debug)]
pub(super) enum CompareError {
    TooMany(usize),
    Unreadable(String),
}

impl From<CompareError> for HistoryError {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::TooMany(max) => Self::TooMany(max),
            CompareError::Unreadable(cause) => Self::Unreadable(cause),
        }
    }
}

/// A path at which two trees differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeChange {
    /// Relative to the repository.
    pub(super) path: Vec<u8>,
    /// The object on either side, if it is a file there.
    pub(super) old: Option<ObjectId>,
    pub(super) new: Option<ObjectId>,
}

/// Collects files, without the directories that hold them, and without links and submodules.
#[derive(Default)]
struct Collect {
    path: BString,
    ahead: VecDeque<BString>,
    changes: Vec<TreeChange>,
    changes_max: usize,
}

impl gix::diff::tree::Visit for Collect {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.path = self.ahead.pop_front().unwrap_or_default();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.push_path_component(component);
        self.ahead.push_back(self.path.clone());
    }

    fn push_path_component(&mut self, component: &BStr) {
        if !self.path.is_empty() {
            self.path.push_byte(b'/');
        }
        self.path.push_str(component);
    }

    fn pop_path_component(&mut self) {
        let end = self.path.rfind_byte(b'/').unwrap_or(0);
        self.path.truncate(end);
    }

    fn visit(&mut self, change: Change) -> Action {
        let file = |mode: gix::objs::tree::EntryMode, oid: ObjectId| mode.is_blob().then_some(oid);
        let (old, new) = match change {
            Change::Addition { entry_mode, oid, .. } => (None, file(entry_mode, oid)),
            Change::Deletion { entry_mode, oid, .. } => (file(entry_mode, oid), None),
            Change::Modification { previous_entry_mode, previous_oid, entry_mode, oid } => {
                (file(previous_entry_mode, previous_oid), file(entry_mode, oid))
            }
        };
        if old.is_none() && new.is_none() {
            return Action::Continue(());
        }
        if self.changes.len() == self.changes_max {
            return Action::Break(());
        }
        self.changes.push(TreeChange { path: self.path.to_vec(), old, new });
        Action::Continue(())
    }
}

/// An error's own words, without the chain below it: paths of this machine stand there.
pub(super) fn first_line(error: &dyn std::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_lowercase()
}
