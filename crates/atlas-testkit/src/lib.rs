//! What tests share: fixtures written as text, git repositories made on the spot, and a tree in
//! which everything that contract §16 lists under "Files" is wrong at once.
//!
//! A dev-dependency only. It panics where a test would: a malformed fixture or a full disk is the
//! programmer's or the machine's, never a case to handle. What is deliberately *not* here: any
//! expectation of how the shipped crates answer.

mod fixture;
mod git;
mod nasty;

pub use fixture::{Fixture, Mark};
pub use git::{Git, git_is_installed};
pub use nasty::{NastyTree, nasty_tree};
