//! What is being evaluated, and what is remembered of it: cycles end, and each answer is found once.

use super::{Eval, Outcome};
use crate::link::program::{FileId, NodeId};
use atlas_syntax::ExprId;

/// Nested evaluations before an answer is "not known".
const DEPTH_MAX: usize = 24;

/// An expression of a file, evaluated for a receiver.
pub(super) type Key = (FileId, ExprId, Option<NodeId>);

/// The current answer was not cut.
pub(super) const WHOLE: usize = usize::MAX;

/// An evaluation under way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active {
    key: (FileId, u64),
    serial: u64,
}

/// A remembered answer.
#[derive(Debug)]
pub(super) struct Known {
    outcome: Outcome,
    injected: bool,
    /// None if it holds always.
    until: Option<Until>,
}

/// An answer that a cycle or the depth cut holds while the head of the cycle is active, and no higher up than it was
/// found. Without this, functions that give each other's results cost time exponential in their number.
#[derive(Debug, Clone, Copy)]
struct Until {
    head: usize,
    serial: u64,
    depth: usize,
}

impl Eval<'_, '_> {
    /// Runs `work` unless it is running already or too deep.
    pub(super) fn guarded(&mut self, key: (FileId, u64), work: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if !self.enter(key) {
            return Outcome { values: Vec::new(), sure: false };
        }
        let outcome = work(self);
        self.leave();
        outcome
    }

    /// Notes that something is being evaluated; false if it is already, or too deep.
    pub(super) fn enter(&mut self, key: (FileId, u64)) -> bool {
        let running = self.active.iter().position(|active| active.key == key);
        if running.is_some() || self.active.len() >= DEPTH_MAX {
            self.cut = self.cut.min(running.unwrap_or(0));
            return false;
        }
        self.started += 1;
        self.active.push(Active { key, serial: self.started });
        true
    }

    pub(super) fn leave(&mut self) {
        self.active.pop();
    }

    pub(super) fn is_active(&self, key: (FileId, u64)) -> bool {
        self.active.iter().any(|active| active.key == key)
    }

    /// The answer of `work` under a key, found again where that would give nothing else.
    pub(super) fn remembered(&mut self, key: Key, work: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let depth = self.active.len();
        if let Some(known) = self.memo.get(&key) {
            let holds = known.until.is_none_or(|until| {
                depth >= until.depth && self.active.get(until.head).is_some_and(|head| head.serial == until.serial)
            });
            if holds {
                self.injected |= known.injected;
                self.cut = self.cut.min(known.until.map_or(WHOLE, |until| until.head));
                return known.outcome.clone();
            }
        }
        let cut_before = std::mem::replace(&mut self.cut, WHOLE);
        let injected_before = std::mem::replace(&mut self.injected, false);
        let outcome = work(self);
        // What is cut by a cycle that starts here is as whole as it can be.
        if self.cut >= depth {
            self.cut = WHOLE;
        }
        let until = self.active.get(self.cut).map(|head| Until { head: self.cut, serial: head.serial, depth });
        self.memo.insert(key, Known { outcome: outcome.clone(), injected: self.injected, until });
        self.cut = self.cut.min(cut_before);
        self.injected |= injected_before;
        outcome
    }
}
