//! Everything that reads git, and the only place that names `gix`.
//!
//! **Why this cannot run a program.** Git starts programs for hooks, filters, text conversion,
//! external diffs, fsmonitor, credential helpers, transports and pagers. None of these is called
//! for here: objects are read from the object store, the index is decoded from its bytes, trees are
//! compared entry by entry, lines are compared on the raw bytes of blobs. The `gix` diff platform
//! and filter pipeline, which know about drivers, are not used; no feature that has a network, a
//! credential helper or a status walk is compiled in. Repositories are opened *isolated* (no
//! configuration but the repository's own, no environment) and with *reduced trust* (so that even
//! that one is consulted for the layout of the repository alone).
//!
//! **Why this cannot write.** No function that creates, locks or updates is called; nothing is
//! refreshed in the index, no commit-graph or reflog is kept.
//!
//! What is deliberately not here: the work tree's own configuration (`core.excludesFile`,
//! `core.worktree`, `core.ignoreCase` in `.git/config`): the repository under study does not tell
//! the program where to look.

mod changes;
mod discover;
mod excludes;
mod heat;
mod history;
mod ignore;
mod index;

pub use changes::{Change, ChangeKind, Hunk};
pub use discover::GitPlace;
pub(crate) use discover::{Discovery, discover};
pub use excludes::global_excludes;
pub use heat::{HEAT_COMMITS_MAX, HeatReport};
pub use history::{History, HistoryError};
pub(crate) use ignore::{IgnoreFiles, Rules};
pub(crate) use index::{Tracked, TrackedKind, read_index};

/// Runs `read`, which hands strangers' bytes to a parser, and turns a panic in it into an error: a
/// damaged repository must not end the program.
fn guarded<T>(what: &str, read: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(format!("{what} is damaged beyond reading")))
}
