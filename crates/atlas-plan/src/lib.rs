//! wip
mod fixed;
mod globs;
mod merge;
pub mod assign;
pub mod budget;
pub mod gate;
pub mod footprint;
pub mod partition;
