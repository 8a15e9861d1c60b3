//! The repository under study, as it lies on the disk: its surface, its bytes, its history.
//!
//! The only crate that opens files of the repository (contract §2, §4, §16 "Files"). It cannot
//! write: it implements [`atlas_tree::Tree`], which has no method that does, and a lint bans the
//! calls. It starts no program either, and obeys no configuration found in the repository: git is
//! read through `gix` (see [`History`]), ignore rules and `.git` files are data.
//!
//! | question | answer |
//! | --- | --- |
//! | which files are there, and which were left out, why | [`DiskTree`], [`Skipped`] |
//! | are these bytes source that can be parsed | [`classify`] |
//! | what changed, how often, by how many | [`History`] |
//! | did anything change between two moments | [`fingerprint`] |
//!
//! What is deliberately *not* here: scopes and secrets (the tools bound what a branch may see), and
//! anything that parses source.

mod content;
mod fingerprint;
mod git;
mod links;
mod names;
mod open;
mod placement;
mod surface;
mod tracked;
mod tree;
mod walk;

pub use content::{Content, LINE_BYTES_MAX, SOURCE_BYTES_MAX, classify};
pub use fingerprint::{Fingerprint, fingerprint};
pub use git::{
    Change, ChangeKind, GitPlace, HEAT_COMMITS_MAX, HeatReport, History, HistoryError, Hunk, global_excludes,
};
pub use placement::Placement;
pub use tree::{DiskTree, OpenError, Options, READ_BYTES_MAX, Skipped};
