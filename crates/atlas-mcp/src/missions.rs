//! Missions that the host drives (`--missions`), and the one branch of `--branch`: arguments in, answers out.
//! What is checked and kept is the engine's.

use crate::wire::listed;
use atlas_artifact::assess::{Defaults, assess};
use atlas_artifact::questions::{DEFAULT_BUDGET, QuestionOptions, from_questions};
use atlas_artifact::read::read_mission;
use atlas_artifact::refusal::Refusal;
use atlas_artifact::{BranchId, HandoffRecipients, Mission, MissionId, MissionScope, SubMission};
use atlas_engine::{EngineError, HandedIn, HostedBranch, HostedMission, ScoutOptions, Verdict, Workspace};
use atlas_tools::{Cancel, ErrorCode, RetryHint, ToolError};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes of globs that a sub-mission shows.
const SCOPE_BYTES: usize = 4_096;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PlanArgs {
    /// Questions, each one sub-question of the mission.
    pub questions: Vec<String>,
    /// A whole mission in its JSON form instead: goal, decision_target, sub_questions, scope, budget, …
    pub mission: Option<Value>,
    /// Globs of the files that matter; all if empty.
    pub include: Vec<String>,
    /// Globs of files that do not.
    pub exclude: Vec<String>,
    /// Keep the gate closed.
    pub serial: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchToolArgs {
    /// The branch's handle, as the plan gave it.
    pub branch: String,
    /// One of the seven tools; without one the sub-mission is shown, which costs nothing.
    #[serde(default)]
    pub tool: Option<String>,
    /// The tool's arguments.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub arguments: Option<Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchReturnArgs {
    /// The branch's handle, as the plan gave it.
    pub branch: String,
    /// One finding: `id` (FINDING-001, …), `claim`, `evidence` [{path, lines}], `confidence` (H, M or L),
    /// `supports_decision` (DT-n). It is kept at once.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub finding: Option<Value>,
    /// The return that ends the branch: exactly `branch_id`, `findings`, `gaps`, `ruled_out`, `telemetry`
    /// {tokens_used, tool_calls}.
    #[serde(default, rename = "return")]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub returned: Option<Value>,
}

/// As [`BranchReturnArgs`], where the server has one branch only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnReturnArgs {
    /// One finding: `id` (FINDING-001, …), `claim`, `evidence` [{path, lines}], `confidence` (H, M or L),
    /// `supports_decision` (DT-n). It is kept at once.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub finding: Option<Value>,
    /// The return that ends the branch: exactly `branch_id`, `findings`, `gaps`, `ruled_out`, `telemetry`
    /// {tokens_used, tool_calls}.
    #[serde(default, rename = "return")]
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub returned: Option<Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GatherArgs {
    /// The mission's handle, as the plan gave it.
    pub mission: String,
    /// Gather although branches have not returned: they become gaps.
    #[serde(default)]
    pub unfinished: bool,
}

const RETURN_TEXT: &str = "Hands in one finding, or the return that ends the branch. Both are checked at once; what is refused says why and can be mended.";

/// The tool that a branch's own server adds to the seven.
pub fn own_return() -> Tool {
    listed("branch_return", RETURN_TEXT, schema::<OwnReturnArgs>(), None, false)
}

/// The tools of missions that a host drives.
pub fn tools() -> Vec<Tool> {
    vec![
        listed(
            "mission_plan",
            "Plans a read-only mission of several questions: the gate's verdict, and for each branch a handle to give to one subagent.",
            schema::<PlanArgs>(),
            None,
            false,
        ),
        listed(
            "branch_tool",
            "Makes one call of the seven tools for a branch, within its scope and budget; with the handle alone it shows the sub-mission.",
            schema::<BranchToolArgs>(),
            None,
            true,
        ),
        listed("branch_return", RETURN_TEXT, schema::<BranchReturnArgs>(), None, false),
        listed(
            "mission_gather",
            "Gathers the branches' returns: anchors checked, duplicates merged, contradictions disputed, silences turned into gaps.",
            schema::<GatherArgs>(),
            None,
            false,
        ),
    ]
}

fn schema<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}

/// Arguments of the wanted shape.
///
/// # Errors
/// `INVALID_ARGUMENT`.
pub fn arguments<T: serde::de::DeserializeOwned>(tool: &str, args: &Value) -> Result<T, ToolError> {
    T::deserialize(args).map_err(|error| invalid(format!("{tool}: {error}")))
}

fn invalid(message: impl Into<String>) -> ToolError {
    ToolError::new(ErrorCode::InvalidArgument, message, RetryHint::None)
}

/// Plans a mission in a folder of its own, and gives out its handles: to this caller, and to nobody
/// ever again.
///
/// # Errors
/// `INVALID_ARGUMENT` with what Assess refuses and how to mend it; `CORRUPT` if the folder cannot be written.
pub fn plan(workspace: &Workspace, args: PlanArgs) -> Result<Value, ToolError> {
    let serial = args.serial;
    let (mission, out) = mission(workspace, args)?;
    let options = ScoutOptions { out, serial };
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)
        .map_err(|error| ToolError::new(ErrorCode::Corrupt, format!("no randomness: {error}"), RetryHint::None))?;
    let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let planned = HostedMission::plan(workspace, mission, &options, &secret).map_err(|error| told(&error))?;
    let plan = &planned.plan;
    let scattered = plan.branches.len();
    let shown = |(branch, handle): &(SubMission, String)| {
        json!({
            "branch_id": branch.branch_id, "handle": handle, "question": branch.question,
            "supports_decision": branch.supports_decision, "budget": branch.budget,
        })
    };
    Ok(json!({
        "mission_id": planned.mission.mission_id,
        "mission": planned.handle,
        "folder": planned.folder,
        "gate": plan.gate,
        "branches": planned.branches[..scattered].iter().map(shown).collect::<Vec<_>>(),
        // The parent's own part, worked through like a branch.
        "serial": planned.branches.get(scattered).map(|own| {
            let mut part = shown(own);
            part["sub_questions"] = json!(plan.parent_questions());
            part
        }),
        "not_probed": plan.not_probed,
        "deadline_s": planned.mission.budget.max_wall_clock_s,
    }))
}

/// The mission that is asked for, assessed, and its folder if it is a new one.
fn mission(workspace: &Workspace, args: PlanArgs) -> Result<(Mission, Option<std::path::PathBuf>), ToolError> {
    let now = jiff::Timestamp::now();
    let created = now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let today = now.strftime("%Y%m%d").to_string();
    let first = MissionId::parse(&format!("{today}-001")).map_err(|error| invalid(error.to_string()))?;
    let (draft, defaults) = match args.mission {
        Some(_) if !args.questions.is_empty() || !args.include.is_empty() || !args.exclude.is_empty() => {
            return Err(invalid("either `mission`, or `questions` with `include` and `exclude`"));
        }
        Some(mission) => {
            let draft = read_mission(mission.to_string().as_bytes(), Some("mission.json")).map_err(|r| refused(&r))?;
            let human = || "human".to_owned();
            let defaults = Defaults {
                mission_id: Some(first),
                created: Some(created),
                budget: Some(DEFAULT_BUDGET),
                scope: Some(MissionScope { include: vec!["**".to_owned()], exclude: Vec::new() }),
                stop_conditions: Some(Vec::new()),
                handoff_recipients: Some(HandoffRecipients { primary: human(), fallback: human() }),
            };
            (draft, defaults)
        }
        None => {
            let mut options = QuestionOptions::new(first, created);
            options.include = args.include;
            options.exclude = args.exclude;
            let mut draft = from_questions(&args.questions, &options);
            draft.mission_id = None;
            (draft, Defaults { mission_id: Some(options.mission_id), ..Defaults::default() })
        }
    };
    let named = draft.mission_id.is_some();
    let mut mission = assess(draft, &defaults).map_err(|refusal| refused(&refusal))?;
    if named {
        return Ok((mission, None));
    }
    let next = workspace.settings.directories.next_mission(workspace.tree.root(), &today);
    let (id, folder) = next.map_err(|error| told(&error.into()))?;
    mission.mission_id = id;
    Ok((mission, Some(folder)))
}

fn refused(refusal: &Refusal) -> ToolError {
    invalid(format!("the mission is refused: {}", refusal.to_string().replace('\n', "; ")))
}

fn told(error: &EngineError) -> ToolError {
    let code = match error {
        EngineError::EmptyScope | EngineError::Glob(_) | EngineError::Trigger(_) | EngineError::OtherMission(_) => {
            ErrorCode::InvalidArgument
        }
        _ => ErrorCode::Corrupt,
    };
    ToolError::new(code, error.to_string(), RetryHint::None)
}

/// The sub-mission as its branch sees it. Globs are bounded: the tools know them all.
pub fn brief(branch: &HostedBranch) -> Value {
    let mut shown = json!(branch.shown);
    let mut bytes = 0;
    let fitting = branch.shown.scope.iter().take_while(|glob| {
        bytes += glob.len();
        bytes <= SCOPE_BYTES
    });
    let fitting: Vec<&String> = fitting.collect();
    if fitting.len() < branch.shown.scope.len() {
        shown["scope_total"] = json!(branch.shown.scope.len());
        shown["scope"] = json!(fitting);
    }
    json!({ "sub_mission": shown })
}

/// Takes a finding or a return.
///
/// # Errors
/// As [`HostedBranch::hand_in`] and [`HostedBranch::close`].
pub fn hand_in(
    workspace: &Workspace,
    branch: &HostedBranch,
    finding: Option<&Value>,
    returned: Option<&Value>,
    cancel: &Cancel,
) -> Result<Value, ToolError> {
    let (taken, closed) = match (finding, returned) {
        (Some(finding), None) => (branch.hand_in(workspace, finding, cancel)?, false),
        (None, Some(returned)) => (branch.close(workspace, returned, cancel)?, true),
        _ => return Err(invalid("branch_return: either `finding` or `return`")),
    };
    let HandedIn { findings, gaps, rejected } = taken;
    Ok(json!({ "closed": closed, "findings_kept": findings, "gaps": gaps, "rejected": rejected }))
}

/// Gathers a mission.
///
/// # Errors
/// `INVALID_ARGUMENT` while branches have not returned, unless they are given up.
pub fn gather(workspace: &Workspace, mission: HostedMission, unfinished: bool) -> Result<Value, ToolError> {
    let open: Vec<BranchId> = mission.open().map_err(|error| told(&error))?;
    if !unfinished && !open.is_empty() {
        let open: Vec<String> = open.iter().map(ToString::to_string).collect();
        return Err(invalid(format!(
            "branches {} have not returned; wait for them, or set `unfinished` to make gaps of them",
            open.join(", ")
        )));
    }
    let outcome = mission.gather(workspace).map_err(|error| told(&error))?;
    let verdict = match outcome.verdict {
        Verdict::Done => "done",
        Verdict::Halted => "halted by a trigger",
        Verdict::FoldDoesNotFit => "the findings do not fit one fold: the mission is under-scoped",
        Verdict::PromiseBroken => "a promise was broken: see exit_gate",
    };
    let broken: Vec<_> = outcome.findings.exit_gate.iter().filter(|item| !item.pass).collect();
    Ok(json!({
        "mission_id": outcome.mission.mission_id,
        "folder": outcome.folder,
        "verdict": verdict,
        "fold": outcome.fold,
        "findings_total": outcome.findings.findings.len(),
        "gaps_total": outcome.findings.gaps.len(),
        "rejected_total": outcome.findings.rejected.len(),
        "telemetry": outcome.findings.telemetry.line(),
        "exit_gate": broken,
    }))
}
