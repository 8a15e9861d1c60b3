//! Missions whose branches somebody else runs: a host's subagents, or an agent's command (contract §7, §8).
//!
//! A branch is known by a handle that nobody can guess, never by a connection. All that it has called
//! and handed in stands in a journal in the mission folder, so that any process can serve any call, several at
//! once, and each can be killed after any answer.

use crate::error::EngineError;
use crate::locate::{Delivery, collect, escalation, work};
use crate::progress::Silent;
use crate::scout::{Planned, ScoutOptions, ScoutOutcome, absolute, artifact, begin, finish};
use crate::settings::Settings;
use crate::workspace::{StoredExcerpts, Workspace, tools_over};
use atlas_artifact::findings::Escalation;
use atlas_artifact::limits::{GOAL_CHARS, RETURN_BYTES_MAX};
use atlas_artifact::questions::{DEFAULT_BUDGET, QuestionOptions};
use atlas_artifact::{
    BranchId, EscalationTrigger, HandoffRecipients, Mission, MissionId, MissionScope, Plan, Rejected, SubMission,
    SubQuestion,
};
use atlas_gather::{GatherInput, ReturnInput, gather};
use atlas_repo::{DiskTree, Placement};
use atlas_store::{EventRecord, Inside, Memex, MissionFolder, Phase, SharedJournal, StoreError, write_whole};
use atlas_tools::{
    Cancel, CodeIndex, ErrorCode, Event, EventSink, Fired, Meter, RetryHint, Spent, ToolError, Triggers,
};
use atlas_tree::{Scope, sha256};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Bytes of a finding or return that a host hands in. A host's model writes it token by token: far more than it
/// ever needs, far less than would stop others.
const HANDED_IN_BYTES_MAX: usize = 1 << 20;
const _: () = assert!(HANDED_IN_BYTES_MAX <= RETURN_BYTES_MAX);

/// `.atlas/hosted.json`: what a mission folder says of its handles.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Keys {
    /// When the mission's time is over, in milliseconds since 1970.
    deadline_ms: u64,
    /// Digest of the handle of each branch; 0 is the mission itself.
    handles: BTreeMap<u32, String>,
}

/// A mission that a host drives.
pub struct HostedMission {
    dir: PathBuf,
    mission: Mission,
    plan: Plan,
    keys: Keys,
}

/// One branch of such a mission, or one that stands alone (`serve --branch`).
pub struct HostedBranch {
    dir: PathBuf,
    pub shown: SubMission,
    mission: Mission,
    scope: Scope,
    triggers: Vec<EscalationTrigger>,
    deadline_ms: Option<u64>,
    journal: SharedJournal,
}

/// A plan and the handles that were made for it, in the order of branches.
pub struct HostedPlan {
    pub folder: PathBuf,
    pub mission: Mission,
    pub plan: Plan,
    /// The mission's own handle.
    pub handle: String,
    /// Sub-mission and handle of each branch; the parent's serial part, if there is one, comes last.
    pub branches: Vec<(SubMission, String)>,
}

/// What became of something handed in.
pub struct HandedIn {
    pub findings: u64,
    pub gaps: u64,
    pub rejected: Vec<Rejected>,
}

/// The tree and index that calls are served from.
pub struct Source {
    pub tree: Arc<DiskTree>,
    pub index: Option<Arc<CodeIndex>>,
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// `<mission>.<branch>.<64 hexadecimal digits>`: no handle tells anything of another.
fn handle(mission: &MissionId, branch: u32, secret: &str) -> String {
    format!("{mission}.{branch}.{}", sha256(format!("atlas handle {branch} {secret}").as_bytes()))
}

impl HostedMission {
    /// Plans a mission: mission, map and plan stand in its folder, with the digests of its handles.
    /// `secret` is the only randomness; whoever knows it knows every handle.
    ///
    /// # Errors
    /// As [`crate::scout()`].
    pub fn plan(
        workspace: &Workspace,
        mission: Mission,
        options: &ScoutOptions,
        secret: &str,
    ) -> Result<HostedPlan, EngineError> {
        let (folder, planned) = begin(workspace, mission, options, &Silent)?;
        Triggers::new(&planned.mission.escalation_triggers).map_err(EngineError::Trigger)?;
        let id = planned.mission.mission_id.clone();
        let branches: Vec<(SubMission, String)> = work(&planned.mission, &planned.plan)?
            .into_iter()
            .map(|one| (one.shown, handle(&id, one.id.0, secret)))
            .collect();
        let own = handle(&id, 0, secret);
        let mut handles: BTreeMap<u32, String> =
            branches.iter().map(|(shown, handle)| (shown.branch_id.0, sha256(handle.as_bytes()).to_string())).collect();
        handles.insert(0, sha256(own.as_bytes()).to_string());
        let deadline_ms = now_ms().saturating_add(planned.mission.budget.max_wall_clock_s * 1_000);
        let path = folder.dir().join(".atlas").join("hosted.json");
        write_whole(&path, json!(Keys { deadline_ms, handles }).to_string().as_bytes())?;
        let Planned { mission, plan, .. } = planned;
        Ok(HostedPlan { folder: folder.dir().to_owned(), mission, plan, handle: own, branches })
    }

    /// The mission that a handle belongs to, and the branch that it speaks for; 0 is the mission itself.
    ///
    /// # Errors
    /// `FORBIDDEN` for whatever is not a handle that was given out for this repository.
    pub fn find(settings: &Settings, root: &Path, handle: &str) -> Result<(Self, BranchId), ToolError> {
        let unknown = || ToolError::new(ErrorCode::Forbidden, "this is not a handle that a plan gave", RetryHint::None);
        let mut parts = handle.splitn(3, '.');
        let id = parts.next().and_then(|id| MissionId::parse(id).ok()).ok_or_else(unknown)?;
        let branch: u32 = parts.next().and_then(|n| n.parse().ok()).ok_or_else(unknown)?;
        let dir = settings.directories.mission(root, &id).map_err(|_| unknown())?;
        let keys = std::fs::read(dir.join(".atlas").join("hosted.json")).map_err(|_| unknown())?;
        let keys: Keys = serde_json::from_slice(&keys).map_err(|_| unknown())?;
        if keys.handles.get(&branch) != Some(&sha256(handle.as_bytes()).to_string()) {
            return Err(unknown());
        }
        let mission = artifact(&dir, "mission.json").map_err(|error| stored(&error))?;
        let plan = artifact(&dir, "plan.json").map_err(|error| stored(&error))?;
        Ok((Self { dir, mission, plan, keys }, BranchId(branch)))
    }

    /// A branch of it.
    ///
    /// # Errors
    /// `FORBIDDEN` if the plan has no such branch, as for the mission's own handle.
    pub fn branch(&self, id: BranchId) -> Result<HostedBranch, ToolError> {
        let all = work(&self.mission, &self.plan).map_err(|error| stored(&error))?;
        let one = all.into_iter().find(|one| one.id == id).ok_or_else(|| {
            ToolError::new(ErrorCode::Forbidden, "this is the handle of the mission, not of a branch", RetryHint::None)
        })?;
        Ok(HostedBranch {
            dir: self.dir.clone(),
            mission: held_to(&self.mission, &one.shown),
            scope: one.scope,
            triggers: self.mission.escalation_triggers.clone(),
            deadline_ms: Some(self.keys.deadline_ms),
            journal: SharedJournal::in_mission(&self.dir, id.0),
            shown: one.shown,
        })
    }

    /// Branches that have not returned and still may.
    ///
    /// # Errors
    /// [`EngineError::Store`].
    pub fn open(&self) -> Result<Vec<BranchId>, EngineError> {
        if now_ms() >= self.keys.deadline_ms {
            return Ok(Vec::new());
        }
        let mut open = Vec::new();
        for one in work(&self.mission, &self.plan)? {
            if self.may_stay_away(one.id) {
                continue;
            }
            if State::of(&SharedJournal::in_mission(&self.dir, one.id.0).read()?).closed.is_none() {
                open.push(one.id);
            }
        }
        Ok(open)
    }

    /// The parent's own part, if all of it is a second look at what branches were asked.
    fn may_stay_away(&self, id: BranchId) -> bool {
        self.plan.serial.is_empty() && self.plan.parent_branch() == Some(id)
    }

    /// Gathers what the branches have handed in: findings, fold and report stand in the folder afterwards.
    /// A branch that has not returned is a gap, and what it had handed in is kept.
    ///
    /// # Errors
    /// As [`crate::scout()`].
    pub fn gather(self, workspace: &Workspace) -> Result<ScoutOutcome, EngineError> {
        let inside = placed(&workspace.tree, &self.dir);
        let folder = MissionFolder::open(&self.dir, inside)?;
        let map = artifact(&self.dir, "map.json")?;
        let all = work(&self.mission, &self.plan)?;
        let over = now_ms() >= self.keys.deadline_ms;
        let (mut deliveries, mut events) = (Vec::new(), Vec::new());
        for one in &all {
            let state = State::of(&SharedJournal::in_mission(&self.dir, one.id.0).read()?);
            for call in &state.calls {
                serde_json::to_writer(&mut events, &call.record(one.id)).map_err(|error| EngineError::Artifact {
                    path: self.dir.join("events.jsonl"),
                    cause: error.to_string(),
                })?;
                events.push(b'\n');
            }
            // Only the last one may: those before it keep their places.
            if !(self.may_stay_away(one.id) && state.is_empty()) {
                deliveries.push(state.delivery(one.id, over));
            }
        }
        folder.write("events.jsonl", &events)?;
        let located = collect(&self.plan, &all, deliveries, "host");
        drop(all);
        finish(workspace, &folder, Planned { mission: self.mission, map, plan: self.plan }, located)
    }
}

impl HostedBranch {
    /// A branch that is given by its sub-mission alone; `dir` is the folder of its mission. If the
    /// mission stands there, its triggers are watched.
    ///
    /// # Errors
    /// A bad glob; a folder where nothing may be written, or where the branch is another one.
    pub fn alone(
        tree: &DiskTree,
        settings: &Settings,
        shown: SubMission,
        dir: Option<&Path>,
    ) -> Result<Self, EngineError> {
        let dir = match dir {
            Some(dir) => dir.to_owned(),
            None => settings.directories.mission(tree.root(), &shown.parent_mission_id)?,
        };
        if placed(tree, &dir) == Inside::NotIgnored {
            return Err(StoreError::InsideRepository(dir).into());
        }
        let scope = Scope::new(&shown.scope, [] as [&str; 0])?;
        let parent: Option<Mission> = artifact(&dir, "mission.json").ok();
        let triggers = parent.filter(|mission| mission.mission_id == shown.parent_mission_id);
        let triggers = triggers.map_or_else(Vec::new, |mission| mission.escalation_triggers);
        Triggers::new(&triggers).map_err(EngineError::Trigger)?;
        let journal = SharedJournal::in_mission(&dir, shown.branch_id.0);
        let begun = journal.step(&|| true, |before| match before.first() {
            Some(first) => (Vec::new(), first.get("branch") == Some(&json!(shown))),
            None => (vec![json!({ "branch": shown })], true),
        })?;
        if begun != Some(true) {
            return Err(EngineError::OtherMission(dir));
        }
        let mission = held_to(&standing_alone(&shown), &shown);
        Ok(Self { dir, mission, scope, triggers, deadline_ms: None, journal, shown })
    }

    /// Calls a tool for the branch: its scope, its meter, its log, as for a branch of our own. Durable when it
    /// is answered.
    ///
    /// # Errors
    /// As [`atlas_tools::ToolSurface::call`]; `FORBIDDEN` after the return.
    pub fn call(&self, source: Source, name: &str, args: &Value, cancel: &Cancel) -> Result<Value, ToolError> {
        let done = self.journal.step(&|| !cancel.is_cancelled(), |before| {
            let state = State::of(&before);
            if state.closed.is_some() {
                return (Vec::new(), Err(has_returned()));
            }
            let heard = Arc::new(Ear::default());
            let triggers = match Triggers::new(&self.triggers) {
                Ok(triggers) => triggers,
                Err(message) => return (Vec::new(), Err(ToolError::new(ErrorCode::Corrupt, message, RetryHint::None))),
            };
            let surface = tools_over(source.tree, source.index)
                .with_scope(self.scope.clone())
                .with_meter(Arc::new(Meter::resumed(self.shown.budget, state.spent())))
                .with_excerpts(Arc::new(StoredExcerpts(Memex::in_mission(&self.dir))))
                .with_events(heard.clone(), Some(self.shown.branch_id))
                .with_triggers(triggers)
                .with_deadline(self.deadline())
                .with_cancel(cancel.clone())
                .resumed(state.sequence(), state.fired());
            let answer = surface.call(name, args);
            let calls = std::mem::take(&mut *heard.0.lock().unwrap_or_else(PoisonError::into_inner));
            let spent = surface.meter().spent();
            let fired: Vec<Escalation> =
                surface.fired().into_iter().map(|fired| escalation(self.shown.branch_id, fired)).collect();
            let cut = surface.cut_short();
            let lines = calls
                .into_iter()
                .map(|(event, elapsed)| json!({ "call": Call::new(event, elapsed, spent, fired.clone(), cut) }))
                .collect();
            (lines, answer)
        });
        done.map_err(|error| stored(&error.into()))?.ok_or_else(cancelled)?
    }

    /// Takes one finding, checked as gathering will check it; durable when it is answered. The same one twice
    /// is one.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the reason, `FORBIDDEN` after the return.
    pub fn hand_in(&self, workspace: &Workspace, finding: &Value, cancel: &Cancel) -> Result<HandedIn, ToolError> {
        bounded(finding)?;
        let whole = json!({
            "branch_id": self.shown.branch_id, "findings": [finding], "gaps": [], "ruled_out": [],
            "telemetry": { "tokens_used": 0, "tool_calls": 0 },
        });
        let checked = self.check(workspace, &whole)?;
        if let Some(rejected) = checked.rejected.first() {
            let message = format!("the finding is rejected ({}): {}", reason(rejected), rejected.detail);
            return Err(ToolError::new(ErrorCode::InvalidArgument, message, RetryHint::None));
        }
        let done = self.journal.step(&|| !cancel.is_cancelled(), |before| {
            let state = State::of(&before);
            if state.closed.is_some() {
                return (Vec::new(), Err(has_returned()));
            }
            match state.handed_in.iter().find(|other| other.get("id") == finding.get("id")) {
                Some(same) if same == finding => (Vec::new(), Ok(state.handed_in.len())),
                Some(_) => (Vec::new(), Err(taken_id(finding))),
                None => (vec![json!({ "handed_in": finding })], Ok(state.handed_in.len() + 1)),
            }
        });
        let count = done.map_err(|error| stored(&error.into()))?.ok_or_else(cancelled)??;
        Ok(HandedIn { findings: count as u64, gaps: 0, rejected: Vec::new() })
    }

    /// Takes the return that ends the branch, bare or as the sole value of `return`. What was handed in
    /// before belongs to it; its telemetry is what the meter says, or more if a model counts more.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if its shape is wrong: the branch is still open then. `FORBIDDEN` after a return.
    pub fn close(&self, workspace: &Workspace, returned: &Value, cancel: &Cancel) -> Result<HandedIn, ToolError> {
        bounded(returned)?;
        let returned = match returned.as_object() {
            Some(object) if object.len() == 1 => object.get("return").unwrap_or(returned),
            _ => returned,
        };
        if returned.get("branch_id") != Some(&json!(self.shown.branch_id)) {
            let message = format!("`branch_id` must be {}, and this return says otherwise", self.shown.branch_id);
            return Err(ToolError::new(ErrorCode::InvalidArgument, message, RetryHint::None));
        }
        self.check(workspace, returned)?;
        let done = self.journal.step(&|| !cancel.is_cancelled(), |before| {
            let state = State::of(&before);
            if state.closed.is_some() {
                return (Vec::new(), Err(has_returned()));
            }
            match state.whole(returned) {
                Ok(whole) => (vec![json!({ "closed": whole })], Ok(whole)),
                Err(error) => (Vec::new(), Err(error)),
            }
        });
        let whole = done.map_err(|error| stored(&error.into()))?.ok_or_else(cancelled)??;
        let list = |key: &str| whole.get(key).and_then(Value::as_array).map_or(0, Vec::len) as u64;
        let checked = self.check(workspace, &whole)?;
        Ok(HandedIn { findings: list("findings"), gaps: list("gaps"), rejected: checked.rejected })
    }

    /// What gathering would say of a return of this branch.
    fn check(&self, workspace: &Workspace, returned: &Value) -> Result<Checked, ToolError> {
        let returns = vec![ReturnInput::Json(returned.clone())];
        let found =
            gather(GatherInput { index: workspace, ..GatherInput::new(&self.mission, &*workspace.tree, returns) });
        if let Some(invalid) = found.telemetry.invalid_returns.first() {
            let message = format!("the return is invalid: {}", json!(invalid));
            return Err(ToolError::new(ErrorCode::InvalidArgument, message, RetryHint::None));
        }
        Ok(Checked { rejected: found.rejected })
    }

    fn deadline(&self) -> Option<Instant> {
        let left = self.deadline_ms?.saturating_sub(now_ms());
        Some(Instant::now() + Duration::from_millis(left))
    }
}

struct Checked {
    rejected: Vec<Rejected>,
}

/// The mission as a branch of it may answer it: its own sub-question, its own scope.
fn held_to(mission: &Mission, shown: &SubMission) -> Mission {
    let mut held = mission.clone();
    held.scope = MissionScope { include: shown.scope.clone(), exclude: held.scope.exclude };
    held
}

/// A mission around a sub-mission whose parent is not at hand.
fn standing_alone(shown: &SubMission) -> Mission {
    let options = QuestionOptions::new(shown.parent_mission_id.clone(), String::new());
    let human = || "human".to_owned();
    Mission {
        mission_id: options.mission_id,
        created: options.created,
        parent_mission_id: None,
        goal: shown.question.chars().take(*GOAL_CHARS.end()).collect(),
        decision_target: shown.question.clone(),
        sub_questions: vec![SubQuestion {
            id: shown.supports_decision,
            text: shown.question.clone(),
            scope: Vec::new(),
            depends_on: Vec::new(),
        }],
        scope: MissionScope { include: shown.scope.clone(), exclude: Vec::new() },
        budget: DEFAULT_BUDGET,
        stop_conditions: Vec::new(),
        escalation_triggers: Vec::new(),
        handoff_recipients: HandoffRecipients { primary: human(), fallback: human() },
    }
}

fn placed(tree: &DiskTree, dir: &Path) -> Inside {
    match tree.placement(&absolute(dir)) {
        Placement::Outside => Inside::No,
        Placement::Ignored => Inside::Ignored,
        Placement::Inside => Inside::NotIgnored,
    }
}

fn bounded(value: &Value) -> Result<(), ToolError> {
    let bytes = value.to_string().len();
    if bytes > HANDED_IN_BYTES_MAX {
        let message = format!("{bytes} bytes, more than the {HANDED_IN_BYTES_MAX} that may be handed in at once");
        return Err(ToolError::new(ErrorCode::InvalidArgument, message, RetryHint::None));
    }
    Ok(())
}

fn reason(rejected: &Rejected) -> String {
    json!(rejected.reason).as_str().unwrap_or_default().to_owned()
}

fn taken_id(finding: &Value) -> ToolError {
    let id = finding.get("id").and_then(Value::as_str).unwrap_or_default();
    let message = format!("`{id}` was handed in with another content; take the next number");
    ToolError::new(ErrorCode::InvalidArgument, message, RetryHint::None)
}

fn has_returned() -> ToolError {
    ToolError::new(ErrorCode::Forbidden, "this branch has returned; nothing can be added", RetryHint::None)
}

fn cancelled() -> ToolError {
    ToolError::new(ErrorCode::Timeout, "the call was cancelled", RetryHint::None)
}

/// What the disk said, to whoever called.
fn stored(error: &EngineError) -> ToolError {
    ToolError::new(ErrorCode::Corrupt, error.to_string(), RetryHint::None)
}

/// Hears one call.
#[derive(Default)]
struct Ear(Mutex<Vec<(Event, Duration)>>);

impl EventSink for Ear {
    fn record(&self, event: Event, elapsed: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((event, elapsed));
    }
}

/// One call as the journal keeps it, with where the branch stood after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Call {
    tool: String,
    args: String,
    bytes_out: u64,
    sequence: u64,
    ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    tool_calls: u64,
    tokens: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fired: Vec<Escalation>,
    /// Why the branch was told to return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
}

impl Call {
    fn new(event: Event, elapsed: Duration, spent: Spent, fired: Vec<Escalation>, cut: Option<ErrorCode>) -> Self {
        let code = |code: ErrorCode| json!(code).as_str().map(str::to_owned);
        Self {
            tool: event.tool,
            args: event.args,
            bytes_out: event.bytes_out,
            sequence: event.sequence,
            ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            error: event.error.and_then(code),
            tool_calls: spent.tool_calls,
            tokens: spent.tokens,
            fired,
            cut: cut.and_then(code),
        }
    }

    fn record(&self, branch: BranchId) -> EventRecord {
        EventRecord {
            phase: Phase::Locate,
            branch: branch.0,
            sequence: self.sequence,
            tool: self.tool.clone(),
            args: self.args.clone(),
            bytes_out: self.bytes_out,
            ms: self.ms,
            error: self.error.clone(),
        }
    }
}

/// Where a branch stands, read from its journal.
#[derive(Default)]
struct State {
    calls: Vec<Call>,
    handed_in: Vec<Value>,
    closed: Option<Value>,
}

impl State {
    fn of(lines: &[Value]) -> Self {
        let mut state = Self::default();
        for line in lines {
            if let Some(call) = line.get("call") {
                state.calls.extend(Call::deserialize(call));
            }
            state.handed_in.extend(line.get("handed_in").cloned());
            if state.closed.is_none() {
                state.closed = line.get("closed").cloned();
            }
        }
        state
    }

    fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.handed_in.is_empty() && self.closed.is_none()
    }

    fn spent(&self) -> Spent {
        self.calls.last().map_or_else(Spent::default, |call| Spent { tool_calls: call.tool_calls, tokens: call.tokens })
    }

    fn sequence(&self) -> u64 {
        self.calls.last().map_or(0, |call| call.sequence)
    }

    fn escalations(&self) -> Vec<Escalation> {
        self.calls.last().map_or_else(Vec::new, |call| call.fired.clone())
    }

    fn fired(&self) -> Vec<Fired> {
        let fired = self.escalations().into_iter();
        fired
            .map(|one| Fired { trigger: one.trigger, action: one.action, probe: one.probe, matched: one.matched })
            .collect()
    }

    /// A return with all that was handed in before it, and with what the meter counted.
    fn whole(&self, returned: &Value) -> Result<Value, ToolError> {
        let mut findings = self.handed_in.clone();
        for finding in returned.get("findings").and_then(Value::as_array).into_iter().flatten() {
            match self.handed_in.iter().find(|other| other.get("id") == finding.get("id")) {
                Some(same) if same == finding => {}
                Some(_) => return Err(taken_id(finding)),
                None => findings.push(finding.clone()),
            }
        }
        let said = |key: &str| returned.get("telemetry").and_then(|said| said.get(key)?.as_u64()).unwrap_or(0);
        let mut whole = returned.clone();
        if let Some(object) = whole.as_object_mut() {
            object.insert("findings".to_owned(), Value::Array(findings));
            let spent = self.spent();
            let telemetry =
                json!({ "tokens_used": said("tokens_used").max(spent.tokens), "tool_calls": spent.tool_calls });
            object.insert("telemetry".to_owned(), telemetry);
        }
        Ok(whole)
    }

    fn delivery(self, id: BranchId, over: bool) -> Delivery {
        let cut = self.calls.iter().rev().find_map(|call| call.cut.clone());
        let escalations = self.escalations();
        let probes = self.calls.iter().map(|call| (call.tool.clone(), call.args.clone(), call.bytes_out)).collect();
        let trouble = match (&self.closed, cut.as_deref()) {
            (_, Some("BUDGET_EXHAUSTED")) => Some("budget"),
            (None, _) if over => Some("deadline"),
            (_, Some("TIMEOUT")) => Some("deadline"),
            (None, _) => Some("failed"),
            (Some(_), _) => None,
        };
        let returned = match (&self.closed, self.handed_in.is_empty()) {
            (Some(closed), _) => Some(closed.clone()),
            // It ended without a word, and what it had handed in is kept.
            (None, false) => self.whole(&json!({ "branch_id": id, "findings": [], "gaps": [], "ruled_out": [] })).ok(),
            (None, true) => None,
        };
        Delivery { returned, trouble: trouble.map(str::to_owned), escalations, probes }
    }
}
