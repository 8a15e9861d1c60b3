//! The repository as it is now: walked and indexed in the background, and looked at again when a call
//! comes, because servers live for hours and files change under them.

use atlas_engine::{Progress, Settings, Workspace};
use atlas_repo::DiskTree;
use atlas_tools::{ErrorCode, RetryHint, ToolError};
use atlas_tree::Tree;
use rayon::ThreadPool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A look at the tree holds at least this long …
const LOOK_HOLDS: Duration = Duration::from_millis(250);
/// … and so many times longer than it took, so that looking costs a tenth of the time at most.
const LOOK_SHARE: u32 = 10;

/// What a call is served from.
pub struct Ready {
    pub tree: Arc<DiskTree>,
    /// None if the call needs no index and there is none yet.
    pub workspace: Option<Arc<Workspace>>,
}

pub struct Repository {
    root: PathBuf,
    pub settings: Settings,
    pool: ThreadPool,
    state: Mutex<State>,
    bell: watch::Sender<u64>,
    count: Count,
}

#[derive(Default)]
struct State {
    tree: Option<Arc<DiskTree>>,
    workspace: Option<Arc<Workspace>>,
    /// When the walk began that gave `tree`, or found it unchanged.
    looked: Option<Instant>,
    /// Likewise for the tree of `workspace`.
    indexed: Option<Instant>,
    holds: Duration,
    /// A thread walks or indexes.
    busy: bool,
    failed: Option<String>,
}

/// How far the index is.
#[derive(Default)]
pub struct Count {
    phase: Mutex<String>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Count {
    /// Steps done, steps in all if known, and what is being done.
    pub fn now(&self) -> (u64, Option<u64>, String) {
        let total = self.total.load(Ordering::Relaxed);
        let phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (self.done.load(Ordering::Relaxed), (total > 0).then_some(total), phase)
    }
}

impl Progress for Count {
    fn phase(&self, name: &str, total: u64) {
        name.clone_into(&mut self.phase.lock().unwrap_or_else(PoisonError::into_inner));
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Repository {
    pub fn new(root: PathBuf, settings: Settings, pool: ThreadPool) -> Arc<Self> {
        let state = Mutex::new(State { holds: LOOK_HOLDS, ..State::default() });
        Arc::new(Self { root, settings, pool, state, bell: watch::Sender::new(0), count: Count::default() })
    }

    pub fn count(&self) -> &Count {
        &self.count
    }

    /// Rings whenever something became ready.
    pub fn bell(&self) -> watch::Receiver<u64> {
        self.bell.subscribe()
    }

    /// Begins to walk and to index, if nobody does.
    pub fn start(self: &Arc<Self>) {
        self.work(&mut self.state());
    }

    /// What a call that came at `since` may be served from; None while it is not ready. The tree is
    /// looked at again when the last look is too old; then the index follows what changed.
    ///
    /// # Errors
    /// `INDEX_UNAVAILABLE` if the repository cannot be read.
    pub fn ready(self: &Arc<Self>, since: Instant, index: bool) -> Result<Option<Ready>, ToolError> {
        let mut state = self.state();
        let holds = state.holds;
        let holds_for = |look: Option<Instant>| look.is_some_and(|look| look + holds >= since);
        if let Some(failed) = &state.failed
            && holds_for(state.looked)
        {
            return Err(ToolError::new(ErrorCode::IndexUnavailable, failed.clone(), RetryHint::None));
        }
        if let (Some(tree), true) = (&state.tree, holds_for(state.looked) || (state.busy && !index)) {
            // An index of another tree would name places that are not there any more.
            let workspace = state.workspace.as_ref().filter(|workspace| Arc::ptr_eq(&workspace.tree, tree));
            if !index {
                return Ok(Some(Ready { tree: Arc::clone(tree), workspace: workspace.cloned() }));
            }
        }
        if let (Some(workspace), true, true) = (&state.workspace, index, holds_for(state.indexed)) {
            return Ok(Some(Ready { tree: Arc::clone(&workspace.tree), workspace: Some(Arc::clone(workspace)) }));
        }
        self.work(&mut state);
        Ok(None)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement, so a panic elsewhere leaves it usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(self: &Arc<Self>, state: &mut State) {
        if state.busy {
            return;
        }
        state.busy = true;
        let this = Arc::clone(self);
        let spawned = std::thread::Builder::new().name("index".to_owned()).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| this.pool.install(|| this.look())));
            let mut state = this.state();
            state.busy = false;
            if done.is_err() {
                state.failed = Some("an internal mistake stopped the index".to_owned());
            }
            drop(state);
            this.ring();
        });
        if let Err(error) = spawned {
            state.busy = false;
            state.looked = Some(Instant::now());
            state.failed = Some(format!("no thread can be started: {error}"));
        }
    }

    /// Walks, and indexes if something changed.
    fn look(&self) {
        let started = Instant::now();
        let walked = Workspace::walk(&self.root, &self.settings, &self.count);
        let mut state = self.state();
        state.looked = Some(started);
        state.holds = LOOK_HOLDS.max(started.elapsed() * LOOK_SHARE);
        let tree = match walked {
            Ok(tree) => tree,
            Err(error) => {
                state.failed = Some(error.to_string());
                return;
            }
        };
        state.failed = None;
        let tree = match &state.tree {
            Some(before) if before.files() == tree.files() && before.stats() == tree.stats() => Arc::clone(before),
            _ => Arc::new(tree),
        };
        state.tree = Some(Arc::clone(&tree));
        if state.workspace.as_ref().is_some_and(|workspace| Arc::ptr_eq(&workspace.tree, &tree)) {
            state.indexed = Some(started);
            return;
        }
        drop(state);
        self.ring();
        let workspace = Arc::new(Workspace::over(tree, &self.settings, &self.count));
        let mut state = self.state();
        state.workspace = Some(workspace);
        state.indexed = Some(started);
    }

    fn ring(&self) {
        self.bell.send_modify(|count| *count = count.wrapping_add(1));
    }
}
