//! Who is told how far a run is.

use atlas_artifact::{BranchId, SubMission};

/// Takes progress; called from many threads. Nothing of it reaches a result.
pub trait Progress: Send + Sync {
    /// A phase begins; `total` steps, or 0 if that is not known.
    fn phase(&self, _name: &str, _total: u64) {}
    /// One step of the phase is done.
    fn step(&self) {}
    fn branch_started(&self, _branch: &SubMission) {}
    fn branch_ended(&self, _branch: BranchId, _findings: usize, _gaps: usize, _tool_calls: u64) {}
    /// Something that a person should know and that is no error.
    fn note(&self, _text: &str) {}
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}
