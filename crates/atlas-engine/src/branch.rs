//! The kinds of branch behind one interface (contract §7), and the engine's hold on them.
//!
//! A branch gets its task, its tools and a place to hand findings in; nothing else of the run is within
//! its reach. Each runs on a thread of its own that the engine waits for until the deadline and a
//! moment more: whether it returns, panics or hangs, it ends exactly once and keeps what it had
//! handed in. What is deliberately *not* here: which branches there are, and what becomes of what they give.

use atlas_artifact::{BranchId, DtId, RawGap, ReturnTelemetry, SubMission};
use atlas_prober::{ProbeInput, probe};
use atlas_store::{BranchJournal, BranchRecord, StoreError};
use atlas_tools::ToolSurface;
use serde_json::Value;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long after the deadline a branch may take to notice that its tools are closed and to return.
const GRACE: Duration = Duration::from_secs(1);
/// Part of a branch's key: raise it when the prober gives other findings for the same input.
const PROBER_VERSION: u32 = 3;
/// Stack of a branch's thread, in bytes.
const STACK_BYTES: usize = 8 << 20;

/// What a branch is asked: one sub-question, or the parent's serial ones.
#[derive(Debug, Clone)]
pub struct BranchTask {
    pub id: BranchId,
    pub questions: Vec<(DtId, String)>,
    /// All that the branch is shown.
    pub shown: SubMission,
}

/// What ends a branch that ended well. Its findings were handed in before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Closing {
    pub gaps: Vec<RawGap>,
    pub ruled_out: Vec<String>,
}

/// A kind of branch.
pub trait Branch: Send + Sync {
    /// `prober`, `model`, `agent` or `host`, as reports name it.
    fn kind(&self) -> &'static str;

    /// Differs whenever the same task over the same tree may be answered differently: a run resumes
    /// with what a branch of another version returned by running it again.
    fn version(&self) -> u32;

    /// Works until the task is done or a tool says `return_now`.
    ///
    /// # Errors
    /// Why it could not be done, in words. What was handed in stays.
    fn work(&self, task: &BranchTask, tools: &ToolSurface, findings: &HandIn) -> Result<Closing, String>;
}

/// Where a branch hands its findings in, one by one; each is durable when the call returns.
#[derive(Debug)]
pub struct HandIn {
    journal: Arc<BranchJournal>,
    /// Findings that a killed run had handed in.
    earlier: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    findings: Vec<Value>,
    closed: bool,
    /// A journal that cannot be written ends the run.
    failed: Option<StoreError>,
}

/// The branch has ended; nothing is handed in any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl HandIn {
    pub(crate) fn new(journal: Arc<BranchJournal>, record: &BranchRecord) -> Self {
        let findings = record.handed_in.clone();
        Self { journal, earlier: findings.len(), state: Mutex::new(State { findings, closed: false, failed: None }) }
    }

    /// Hands in one finding, in the form of contract §9. One that a killed run had handed in
    /// already is not kept twice.
    ///
    /// # Errors
    /// [`Closed`].
    pub fn finding(&self, mut finding: Value) -> Result<(), Closed> {
        let mut state = self.state();
        if state.closed || state.failed.is_some() {
            return Err(Closed);
        }
        let earlier = &state.findings[..self.earlier];
        if earlier.contains(&finding) {
            return Ok(());
        }
        if earlier.iter().any(|other| other.get("id") == finding.get("id")) {
            // Another finding of the killed run has its name; both stay.
            let taken: BTreeSet<&str> = state.findings.iter().filter_map(|other| other.get("id")?.as_str()).collect();
            let free = (1..).map(|n| format!("FINDING-{n:03}")).find(|id| !taken.contains(id.as_str()));
            finding["id"] = free.into();
        }
        if let Err(error) = self.journal.hand_in(&finding) {
            state.failed = Some(error);
            return Err(Closed);
        }
        state.findings.push(finding);
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.state().findings.len()
    }

    /// Ends handing in, and gives all that was handed in, in order.
    pub(crate) fn close(&self) -> Result<Vec<Value>, StoreError> {
        let mut state = self.state();
        state.closed = true;
        match state.failed.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut state.findings)),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a branch ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Ended {
    Returned(Closing),
    Crashed,
    /// It did not come back in time; its thread is left behind, with closed tools.
    Late,
}

/// Runs a branch on a thread of its own, and waits for it no longer than the deadline allows.
pub(crate) fn supervise(
    branch: &Arc<dyn Branch>,
    task: BranchTask,
    tools: &Arc<ToolSurface>,
    findings: &Arc<HandIn>,
    deadline: Instant,
) -> Ended {
    let (sender, receiver) = sync_channel(1);
    let (branch, tools, findings) = (Arc::clone(branch), Arc::clone(tools), Arc::clone(findings));
    let name = format!("branch {}", task.id.0);
    let spawned = std::thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| branch.work(&task, &tools, &findings)));
        // Nobody waits any more if it is late.
        let _ = sender.send(done);
    });
    if spawned.is_err() {
        return Ended::Crashed;
    }
    let patience = deadline.saturating_duration_since(Instant::now()) + GRACE;
    match receiver.recv_timeout(patience) {
        Ok(Ok(Ok(closing))) => Ended::Returned(closing),
        Ok(Ok(Err(_)) | Err(_)) | Err(RecvTimeoutError::Disconnected) => Ended::Crashed,
        Err(RecvTimeoutError::Timeout) => Ended::Late,
    }
}

/// The built-in branch without a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prober;

impl Branch for Prober {
    fn kind(&self) -> &'static str {
        "prober"
    }

    fn version(&self) -> u32 {
        PROBER_VERSION
    }

    /// One sub-question after the other in one context; several returns become one object.
    fn work(&self, task: &BranchTask, tools: &ToolSurface, findings: &HandIn) -> Result<Closing, String> {
        let mut closing = Closing::default();
        let mut numbers = 1..;
        for (dt, question) in &task.questions {
            let one = probe(&ProbeInput { branch_id: task.id, supports_decision: *dt, question }, tools);
            for (mut finding, number) in one.findings.into_iter().zip(&mut numbers) {
                finding.id = format!("FINDING-{number:03}");
                if findings.finding(serde_json::json!(finding)).is_err() {
                    return Ok(closing);
                }
            }
            for mut gap in one.gaps {
                gap.id = format!("GAP-{:03}", closing.gaps.len() + 1);
                closing.gaps.push(gap);
            }
            closing.ruled_out.extend(one.ruled_out);
        }
        Ok(closing)
    }
}

/// The one object that a branch ends by.
pub(crate) fn returned(id: BranchId, findings: Vec<Value>, closing: Closing, telemetry: ReturnTelemetry) -> Value {
    serde_json::json!({
        "branch_id": id,
        "findings": findings,
        "gaps": closing.gaps,
        "ruled_out": closing.ruled_out,
        "telemetry": telemetry,
    })
}

#[cfg(test)]
mod tests;
