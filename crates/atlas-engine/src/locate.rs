//! Locate: branches run at once, each behind its own tool surface, and each delivers exactly once
//! whatever happens to it (contract §7).

use crate::branch::{Branch, BranchTask, Closing, Ended, HandIn, returned, supervise};
use crate::error::EngineError;
use crate::progress::Progress;
use crate::workspace::{StoredExcerpts, Workspace, tools_over};
use atlas_artifact::findings::Escalation;
use atlas_artifact::mission::TriggerAction;
use atlas_artifact::{BranchId, DtId, Mission, Plan, ReturnTelemetry, SubBudget, SubMission};
use atlas_gather::{FanOut, Trouble, TroubleCause};
use atlas_report::BranchOutcome;
use atlas_store::{BranchJournal, BranchRecord, EventLog, EventRecord, MissionFolder, Phase, StoreError};
use atlas_tools::{ErrorCode, Event, EventSink, Fired, Meter, Triggers};
use atlas_tree::{Scope, sha256};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What all branches together gave.
pub(crate) struct Located {
    /// One return per branch that delivered, in branch order; the parent's serial one last.
    pub returns: Vec<serde_json::Value>,
    pub troubles: Vec<Trouble>,
    pub escalations: Vec<Escalation>,
    pub fan_out: FanOut,
    /// The number of the parent's own return, if it located anything itself.
    pub serial: Option<BranchId>,
    pub halted: bool,
    /// How each branch ended, in branch order.
    pub outcomes: Vec<BranchOutcome>,
}

/// What ends a branch, as it is kept for a run that resumes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    /// None if nothing is known of it.
    pub returned: Option<serde_json::Value>,
    pub trouble: Option<String>,
    pub escalations: Vec<Escalation>,
    /// Tool, digest of its arguments, bytes shown.
    pub probes: Vec<(String, String, u64)>,
}

impl Delivery {
    /// Of a branch that the engine itself lost.
    fn lost() -> Self {
        Self { returned: None, trouble: Some("failed".to_owned()), escalations: Vec::new(), probes: Vec::new() }
    }

    fn halts(&self) -> bool {
        self.escalations.iter().any(|one| one.action == TriggerAction::Halt)
    }
}

/// One context of work: a branch, or the parent's own part.
pub(crate) struct Work<'a> {
    pub id: BranchId,
    questions: Vec<(DtId, &'a str)>,
    pub scope: Scope,
    budget: SubBudget,
    pub shown: SubMission,
    /// It waits for the others, and gets what they leave of their shares on top of its own.
    last: bool,
}

pub(crate) struct LocateInput<'a> {
    pub workspace: &'a Workspace,
    pub mission: &'a Mission,
    pub plan: &'a Plan,
    pub folder: &'a MissionFolder,
    pub deadline: Instant,
    pub branch: &'a Arc<dyn Branch>,
    pub progress: &'a dyn Progress,
}

pub(crate) fn locate(input: &LocateInput<'_>) -> Result<Located, EngineError> {
    let work = work(input.mission, input.plan)?;
    input.progress.phase("locate", work.len() as u64);
    let key_base = format!(
        "{}/{}/{:016x}/{}",
        input.branch.kind(),
        input.branch.version(),
        input.workspace.index.version,
        sha256(&serde_json::to_vec(input.mission).unwrap_or_default())
    );
    let mut journals = Vec::new();
    for one in &work {
        let shown = serde_json::to_vec(&one.shown).unwrap_or_default();
        let (journal, record) = input.folder.branch(one.id.0, &format!("{key_base}/{}", sha256(&shown)))?;
        journals.push((Arc::new(journal), record));
    }
    let finished: Vec<u32> = work
        .iter()
        .zip(&journals)
        .filter(|(_, (_, record))| record.closed.is_some())
        .map(|(one, _)| one.id.0)
        .collect();
    let log = Arc::new(input.folder.events(|phase, branch| phase != Phase::Locate || finished.contains(&branch))?);
    let deliver = |(one, (journal, record)): (&Work<'_>, &(Arc<BranchJournal>, BranchRecord)), budget: SubBudget| {
        if let Some(closed) = &record.closed
            && let Ok(delivery) = Delivery::deserialize(closed)
        {
            return Ok(delivery);
        }
        // One that closed with something else than a delivery begins anew; one that was killed keeps
        // what it had handed in.
        let nothing = BranchRecord::default();
        let record = if record.closed.is_some() {
            journal.restart()?;
            &nothing
        } else {
            record
        };
        let delivery = run(input, one, budget, &log, HandIn::new(Arc::clone(journal), record))?;
        journal.close(&serde_json::json!(delivery))?;
        input.progress.step();
        Ok(delivery)
    };
    let mut deliveries: Vec<Result<Delivery, EngineError>> = std::thread::scope(|scope| {
        let at_once = work.iter().zip(&journals).filter(|(one, _)| !one.last);
        let handles: Vec<_> = at_once.map(|pair| scope.spawn(move || deliver(pair, pair.0.budget))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| Ok(Delivery::lost()))).collect()
    });
    let halted = deliveries.iter().flatten().any(Delivery::halts);
    if let Some(pair) = work.iter().zip(&journals).find(|(one, _)| one.last && !halted) {
        let budget = with_what_is_left(pair.0.budget, &work, &deliveries);
        let delivery = std::thread::scope(|scope| scope.spawn(|| deliver(pair, budget)).join());
        deliveries.push(delivery.unwrap_or_else(|_| Ok(Delivery::lost())));
    }
    log.finish()?;
    let deliveries = deliveries.into_iter().collect::<Result<_, _>>()?;
    Ok(collect(input.plan, &work, deliveries, input.branch.kind()))
}

/// A share, and what those who have delivered did not use of theirs.
fn with_what_is_left(own: SubBudget, work: &[Work<'_>], deliveries: &[Result<Delivery, EngineError>]) -> SubBudget {
    let mut whole = own;
    for (one, delivery) in work.iter().zip(deliveries) {
        // Of one that is lost nobody knows what it used.
        let Some(returned) = delivery.as_ref().ok().and_then(|delivery| delivery.returned.as_ref()) else { continue };
        let spent = |key: &str| returned.get("telemetry").and_then(|t| t.get(key)?.as_u64()).unwrap_or(u64::MAX);
        whole.max_tool_calls += one.budget.max_tool_calls.saturating_sub(spent("tool_calls"));
        whole.max_tokens_input += one.budget.max_tokens_input.saturating_sub(spent("tokens_used"));
    }
    whole
}

/// The contexts of a plan: its branches, and the parent's own part as one more.
pub(crate) fn work<'a>(mission: &'a Mission, plan: &Plan) -> Result<Vec<Work<'a>>, EngineError> {
    let mut work = Vec::new();
    for branch in &plan.branches {
        let text = mission.sub_questions.iter().find(|q| q.id == branch.supports_decision);
        work.push(Work {
            id: branch.branch_id,
            questions: vec![(branch.supports_decision, text.map_or("", |q| q.text.as_str()))],
            scope: Scope::new(&branch.scope, [] as [&str; 0])?,
            budget: branch.budget,
            shown: branch.clone(),
            last: false,
        });
    }
    if let Some(id) = plan.parent_branch() {
        let asked = plan.parent_questions();
        let questions: Vec<(DtId, &str)> =
            mission.sub_questions.iter().filter(|q| asked.contains(&q.id)).map(|q| (q.id, q.text.as_str())).collect();
        let nothing = SubBudget { max_tool_calls: 0, max_tokens_input: 0 };
        let budget = plan.serial_budget.unwrap_or(nothing);
        let shown = SubMission {
            parent_mission_id: mission.mission_id.clone(),
            branch_id: id,
            question: questions.iter().map(|(dt, text)| format!("{dt} {text}")).collect::<Vec<_>>().join("\n"),
            supports_decision: questions.first().map_or(DtId(1), |(dt, _)| *dt),
            scope: mission.scope.include.clone(),
            budget,
            map_excerpt: String::new(),
        };
        let scope = Scope::new(&mission.scope.include, &mission.scope.exclude)?;
        work.push(Work { id, questions, scope, budget, shown, last: !plan.followed_up.is_empty() });
    }
    Ok(work)
}

fn run(
    input: &LocateInput<'_>,
    work: &Work<'_>,
    budget: SubBudget,
    log: &Arc<EventLog>,
    findings: HandIn,
) -> Result<Delivery, EngineError> {
    input.progress.branch_started(&work.shown);
    let events = Arc::new(Journal { log: Arc::clone(log), branch: work.id, seen: Mutex::default() });
    let triggers = Triggers::new(&input.mission.escalation_triggers).map_err(EngineError::Trigger)?;
    let surface = tools_over(input.workspace.tree.clone(), Some(Arc::clone(&input.workspace.index)))
        .with_scope(work.scope.clone())
        .with_meter(Arc::new(Meter::new(budget)))
        .with_excerpts(Arc::new(StoredExcerpts(input.folder.memex())))
        .with_events(events.clone(), Some(work.id))
        .with_triggers(triggers)
        .with_deadline(Some(input.deadline));
    let (surface, findings) = (Arc::new(surface), Arc::new(findings));
    let task = BranchTask {
        id: work.id,
        questions: work.questions.iter().map(|&(dt, text)| (dt, text.to_owned())).collect(),
        shown: work.shown.clone(),
    };
    let ended = supervise(input.branch, task, &surface, &findings, input.deadline);
    // From here on a branch that was left behind can neither hand in nor log.
    let findings = findings.close()?;
    let probes = events.close()?;
    let (closing, trouble) = match (ended, surface.cut_short()) {
        (Ended::Crashed, _) => (Closing::default(), Some("failed")),
        (Ended::Late, _) => (Closing::default(), Some("deadline")),
        (Ended::Returned(closing), Some(ErrorCode::Timeout)) => (closing, Some("deadline")),
        (Ended::Returned(closing), Some(ErrorCode::BudgetExhausted)) => (closing, Some("budget")),
        (Ended::Returned(closing), _) => (closing, None),
    };
    let spent = surface.meter().spent();
    input.progress.branch_ended(work.id, findings.len(), closing.gaps.len(), spent.tool_calls);
    let telemetry = ReturnTelemetry { tokens_used: spent.tokens, tool_calls: spent.tool_calls };
    Ok(Delivery {
        returned: Some(returned(work.id, findings, closing, telemetry)),
        trouble: trouble.map(str::to_owned),
        escalations: surface.fired().into_iter().map(|fired| escalation(work.id, fired)).collect(),
        probes,
    })
}

pub(crate) fn escalation(branch: BranchId, fired: Fired) -> Escalation {
    Escalation {
        trigger: fired.trigger,
        branch_id: Some(branch),
        probe: fired.probe,
        matched: fired.matched,
        action: fired.action,
    }
}

/// What the branches delivered, as gathering takes it; `kind` is what ran them.
pub(crate) fn collect(plan: &Plan, work: &[Work<'_>], deliveries: Vec<Delivery>, kind: &str) -> Located {
    let (mut returns, mut troubles, mut escalations, mut probes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut outcomes = Vec::new();
    for (one, delivery) in work.iter().zip(deliveries) {
        outcomes.push(outcome(kind, one.id, &delivery));
        returns.extend(delivery.returned);
        let cause = match delivery.trouble.as_deref() {
            Some("deadline") => Some(TroubleCause::Deadline),
            Some("budget") => Some(TroubleCause::Budget),
            Some(_) => Some(TroubleCause::Failed),
            None => None,
        };
        troubles.extend(cause.map(|cause| Trouble { branch_id: one.id, cause }));
        escalations.extend(delivery.escalations);
        probes.extend(delivery.probes);
    }
    let halted = escalations.iter().any(|one: &Escalation| one.action == TriggerAction::Halt);
    let serial = plan.parent_branch();
    Located { returns, troubles, escalations, fan_out: fan_out(&probes), serial, halted, outcomes }
}

fn outcome(kind: &str, branch_id: BranchId, delivery: &Delivery) -> BranchOutcome {
    let list = |key: &str| {
        let list = delivery.returned.as_ref().and_then(|returned| returned.get(key)?.as_array().map(Vec::len));
        list.unwrap_or(0) as u64
    };
    let spent = |key: &str| {
        let spent = delivery.returned.as_ref().and_then(|returned| returned.get("telemetry")?.get(key)?.as_u64());
        spent.unwrap_or(0)
    };
    let ended = match delivery.trouble.as_deref() {
        Some("deadline") => "past the deadline",
        Some("budget") => "budget exhausted",
        Some(_) => "crashed",
        None => "returned",
    };
    BranchOutcome {
        branch_id,
        kind: kind.to_owned(),
        ended: ended.to_owned(),
        well: delivery.trouble.is_none(),
        tool_calls: spent("tool_calls"),
        tokens_used: spent("tokens_used"),
        findings: list("findings"),
        gaps: list("gaps"),
    }
}

/// A serial context makes each distinct probe once, over the whole scope: its answer there is the
/// sum of what the branches were shown, less the frame that each of them repeats.
fn fan_out(probes: &[(String, String, u64)]) -> FanOut {
    const FRAME_BYTES: u64 = 160;
    let tokens = |bytes: u64| bytes.div_ceil(4);
    let mut distinct: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    let mut branch_tokens = 0;
    for (tool, args, bytes) in probes {
        branch_tokens += tokens(*bytes);
        let slot = distinct.entry((tool, args)).or_default();
        slot.0 += bytes;
        slot.1 += 1;
    }
    let serial_tokens = distinct
        .values()
        .map(|&(bytes, times)| {
            let whole = bytes.saturating_sub(FRAME_BYTES * (times - 1));
            // One answer is one page, however much there is behind it.
            tokens(whole.min(atlas_artifact::limits::ANSWER_BYTES as u64))
        })
        .sum();
    FanOut {
        branch_tokens,
        serial_tokens,
        terms: format!(
            "estimate: {branch_tokens} tokens shown to branches ÷ {serial_tokens} for the {} distinct probes among {} made \
             in one context",
            distinct.len(),
            probes.len()
        ),
    }
}

/// Writes every call to the log as it happens, until it is closed.
struct Journal {
    log: Arc<EventLog>,
    branch: BranchId,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Tool, digest of its arguments, bytes shown.
    probes: Vec<(String, String, u64)>,
    /// A log that cannot be written ends the run: a mission that is not recorded did not happen.
    failed: Option<StoreError>,
    closed: bool,
}

impl Journal {
    fn close(&self) -> Result<Vec<(String, String, u64)>, StoreError> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.closed = true;
        match seen.failed.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut seen.probes)),
        }
    }
}

impl EventSink for Journal {
    fn record(&self, event: Event, elapsed: Duration) {
        let error = event.error.and_then(|code| serde_json::json!(code).as_str().map(str::to_owned));
        let record = EventRecord {
            phase: Phase::Locate,
            branch: self.branch.0,
            sequence: event.sequence,
            tool: event.tool.clone(),
            args: event.args.clone(),
            bytes_out: event.bytes_out,
            ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            error,
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.closed {
            return;
        }
        if let Err(error) = self.log.append(&record) {
            seen.failed.get_or_insert(error);
        }
        seen.probes.push((event.tool, event.args, event.bytes_out));
    }
}
