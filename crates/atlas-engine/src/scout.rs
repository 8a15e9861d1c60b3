//! A whole mission: Assess is done, Traverse, Locate, Abstract and Synthesize follow, each leaving
//! its artifacts in the mission folder (contract §2).

use crate::branch::{Branch, Prober};
use crate::error::EngineError;
use crate::locate::{LocateInput, Located, locate};
use crate::progress::Progress;
use crate::workspace::Workspace;
use atlas_artifact::limits::CLUSTERS_MAX;
use atlas_artifact::{
    Anchor, ExitGateItem, Findings, Fold, FoldOutcome, GateDecision, Map, Mission, Plan, Report, SubBudget,
};
use atlas_gather::{GatherInput, ReturnInput, exit_gate, gather};
use atlas_repo::Placement;
use atlas_report::{BranchOutcome, Look, View, report_html, report_terminal};
use atlas_store::{Inside, MissionFolder};
use atlas_tree::{Lines, RepoPath, Tree, lines_bytes};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a mission is run.
#[derive(Debug, Clone, Default)]
pub struct ScoutOptions {
    /// The mission folder; by default one of its own in the user's data directory.
    pub out: Option<PathBuf>,
    /// Keep the gate closed.
    pub serial: bool,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Done,
    /// The fold cannot fit: the mission is under-scoped. The findings stay, no report is written.
    FoldDoesNotFit,
    /// A promise of §11 was broken; `exit_gate` says which.
    PromiseBroken,
    /// A trigger halted the mission.
    Halted,
}

/// Everything that a run leaves behind.
pub struct ScoutOutcome {
    pub folder: PathBuf,
    pub mission: Mission,
    pub map: Map,
    pub plan: Plan,
    pub findings: Findings,
    pub fold: FoldOutcome,
    /// None if the fold does not fit.
    pub report: Option<Report>,
    /// How each branch ended, in branch order.
    pub branches: Vec<BranchOutcome>,
    pub verdict: Verdict,
}

impl ScoutOutcome {
    /// What a person sees at the end: `width` columns, colours only if asked for.
    #[must_use]
    pub fn terminal(&self, workspace: &Workspace, width: usize, colour: bool) -> String {
        let excerpt = |anchor: &Anchor| anchor_bytes(workspace, &anchor.path, &anchor.lines);
        let folder = self.folder.display().to_string();
        report_terminal(&self.view(&excerpt), Some(&folder), Look { width, colour })
    }

    fn view<'a>(&'a self, excerpt: &'a dyn Fn(&Anchor) -> Option<Vec<u8>>) -> View<'a> {
        View {
            mission: &self.mission,
            map: &self.map,
            plan: Some(&self.plan),
            findings: &self.findings,
            branches: &self.branches,
            excerpt,
        }
    }
}

/// Runs a mission, or goes on with one that was interrupted in the same folder.
///
/// # Errors
/// [`EngineError`]; what was finished before stays in the folder and is not done again.
pub fn scout(
    workspace: &Workspace,
    mission: Mission,
    options: &ScoutOptions,
    progress: &dyn Progress,
) -> Result<ScoutOutcome, EngineError> {
    let prober: Arc<dyn Branch> = Arc::new(Prober);
    scout_with(workspace, mission, options, &prober, progress)
}

/// As [`scout`], with another kind of branch.
///
/// # Errors
/// As [`scout`].
pub fn scout_with(
    workspace: &Workspace,
    mission: Mission,
    options: &ScoutOptions,
    branch: &Arc<dyn Branch>,
    progress: &dyn Progress,
) -> Result<ScoutOutcome, EngineError> {
    let started = Instant::now();
    let deadline = started + Duration::from_secs(mission.budget.max_wall_clock_s);
    let (folder, Planned { mission, map, plan }) = begin(workspace, mission, options, progress)?;
    let located = locate(&LocateInput {
        workspace,
        mission: &mission,
        plan: &plan,
        folder: &folder,
        deadline,
        branch,
        progress,
    })?;
    progress.phase("gather", 0);
    finish(workspace, &folder, Planned { mission, map, plan }, located)
}

/// What stands before Locate.
pub(crate) struct Planned {
    pub mission: Mission,
    pub map: Map,
    pub plan: Plan,
}

/// Assess is done, Traverse is done here: mission, map and plan stand in the folder afterwards.
pub(crate) fn begin(
    workspace: &Workspace,
    mission: Mission,
    options: &ScoutOptions,
    progress: &dyn Progress,
) -> Result<(MissionFolder, Planned), EngineError> {
    let (folder, mission) = open_folder(workspace, mission, options)?;
    write(&folder, "mission", &mission, &atlas_report::mission_md(&mission))?;
    progress.phase("map", 0);
    let map = workspace.map(mission.mission_id.clone(), &mission.scope)?;
    write_compact(&folder, "map", &map, &atlas_report::map_md(&map))?;
    progress.phase("plan", 0);
    let plan = workspace.plan(&mission, options.serial)?;
    write(&folder, "plan", &plan, &atlas_plan::explain(&plan, &mission))?;
    Ok((folder, Planned { mission, map, plan }))
}

/// Gathers what was located, and writes findings, fold and report.
pub(crate) fn finish(
    workspace: &Workspace,
    folder: &MissionFolder,
    planned: Planned,
    located: Located,
) -> Result<ScoutOutcome, EngineError> {
    let Planned { mission, map, plan } = planned;
    let (halted, branches, delivered) = (located.halted, located.outcomes.clone(), located.returns.len());
    let mut findings = gather_located(workspace, &mission, &plan, located);
    keep_excerpts(workspace, folder, &findings)?;
    let fold = atlas_report::fold(&mission, &map, &findings);
    findings.exit_gate = promises(&mission, &plan, &findings, &fold, delivered);
    write(folder, "findings", &findings, &atlas_report::findings_md(&findings))?;
    write(folder, "fold", &fold, &atlas_report::fold_md(&fold))?;
    let broken = findings.exit_gate.iter().any(|item| !item.pass);
    let report = match &fold {
        FoldOutcome::Fits(whole) => Some(write_report(folder, &mission, &map, &findings, whole)?),
        FoldOutcome::DoesNotFit(_) => None,
    };
    let verdict = match (&report, broken, halted) {
        (None, ..) => Verdict::FoldDoesNotFit,
        (Some(_), true, _) => Verdict::PromiseBroken,
        (Some(_), false, true) => Verdict::Halted,
        (Some(_), false, false) => Verdict::Done,
    };
    let folder_path = folder.dir().to_owned();
    let outcome = ScoutOutcome { folder: folder_path, mission, map, plan, findings, fold, report, branches, verdict };
    if outcome.report.is_some() {
        let excerpt = |anchor: &Anchor| anchor_bytes(workspace, &anchor.path, &anchor.lines);
        folder.write("report.html", report_html(&outcome.view(&excerpt)).as_bytes())?;
    }
    Ok(outcome)
}

fn write_report(
    folder: &MissionFolder,
    mission: &Mission,
    map: &Map,
    findings: &Findings,
    fold: &Fold,
) -> Result<Report, EngineError> {
    let report = atlas_report::report(mission, map, findings, fold);
    let markdown = atlas_report::report_md(&report);
    write(folder, "scout-report", &report, &markdown)?;
    let envelope = atlas_report::envelope(mission, markdown.as_bytes());
    let mut json = to_json(folder, "scout-report.envelope.json", serde_json::to_vec_pretty(&envelope))?;
    json.push(b'\n');
    folder.write("scout-report.envelope.json", &json)?;
    Ok(report)
}

/// Folds the findings of a mission folder again, or writes its report again.
///
/// # Errors
/// An artifact that is missing or is not what it should be.
pub fn refold(dir: &Path, with_report: bool) -> Result<(FoldOutcome, Option<Report>), EngineError> {
    let mission: Mission = artifact(dir, "mission.json")?;
    let map: Map = artifact(dir, "map.json")?;
    let findings: Findings = artifact(dir, "findings.json")?;
    let folder = MissionFolder::open(dir, Inside::No)?;
    let fold = atlas_report::fold(&mission, &map, &findings);
    write(&folder, "fold", &fold, &atlas_report::fold_md(&fold))?;
    let report = match &fold {
        FoldOutcome::Fits(whole) if with_report => Some(write_report(&folder, &mission, &map, &findings, whole)?),
        FoldOutcome::Fits(_) | FoldOutcome::DoesNotFit(_) => None,
    };
    Ok((fold, report))
}

pub(crate) fn artifact<T: serde::de::DeserializeOwned>(dir: &Path, name: &str) -> Result<T, EngineError> {
    let path = dir.join(name);
    let fail = |cause: String| EngineError::Artifact { path: path.clone(), cause };
    let bytes = MissionFolder::read_in(dir, name)?.ok_or_else(|| fail("it is not there".to_owned()))?;
    serde_json::from_slice(&bytes).map_err(|error| fail(error.to_string()))
}

/// The folder, locked, and the mission as an earlier run in it began it.
fn open_folder(
    workspace: &Workspace,
    mission: Mission,
    options: &ScoutOptions,
) -> Result<(MissionFolder, Mission), EngineError> {
    let dir = match &options.out {
        Some(dir) => dir.clone(),
        None => workspace.settings.directories.mission(workspace.tree.root(), &mission.mission_id)?,
    };
    let inside = match workspace.tree.placement(&absolute(&dir)) {
        Placement::Outside => Inside::No,
        Placement::Ignored => Inside::Ignored,
        Placement::Inside => Inside::NotIgnored,
    };
    let folder = MissionFolder::open(&dir, inside)?;
    let Some(bytes) = folder.read("mission.json")? else { return Ok((folder, mission)) };
    let path = dir.join("mission.json");
    let earlier: Mission =
        serde_json::from_slice(&bytes).map_err(|error| EngineError::Artifact { path, cause: error.to_string() })?;
    // The same mission but for its identifier and time goes on; its first identity stays.
    let same = Mission { mission_id: earlier.mission_id.clone(), created: earlier.created.clone(), ..mission };
    if same == earlier { Ok((folder, earlier)) } else { Err(EngineError::OtherMission(dir)) }
}

pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// An artifact in its two forms; the JSON form is the truth and comes last, so that a folder that
/// has it has both.
fn write(folder: &MissionFolder, name: &str, value: &impl Serialize, markdown: &str) -> Result<(), EngineError> {
    folder.write(&format!("{name}.md"), markdown.as_bytes())?;
    let mut json = to_json(folder, name, serde_json::to_vec_pretty(value))?;
    json.push(b'\n');
    Ok(folder.write(&format!("{name}.json"), &json)?)
}

/// As [`write`], without white space: the map of a large repository has hundreds of thousands of rows.
fn write_compact(
    folder: &MissionFolder,
    name: &str,
    value: &impl Serialize,
    markdown: &str,
) -> Result<(), EngineError> {
    folder.write(&format!("{name}.md"), markdown.as_bytes())?;
    let mut json = to_json(folder, name, serde_json::to_vec(value))?;
    json.push(b'\n');
    Ok(folder.write(&format!("{name}.json"), &json)?)
}

fn to_json(folder: &MissionFolder, name: &str, json: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, EngineError> {
    json.map_err(|error| EngineError::Artifact { path: folder.dir().join(name), cause: error.to_string() })
}

fn gather_located(workspace: &Workspace, mission: &Mission, plan: &Plan, located: Located) -> Findings {
    let returns = located.returns.into_iter().map(ReturnInput::Json).collect();
    gather(GatherInput {
        plan: Some(plan),
        serial: located.serial,
        index: workspace,
        troubles: located.troubles,
        escalations: located.escalations,
        fan_out: Some(located.fan_out),
        ..GatherInput::new(mission, &*workspace.tree, returns)
    })
}

/// Stores the exact bytes behind every anchor.
fn keep_excerpts(workspace: &Workspace, folder: &MissionFolder, findings: &Findings) -> Result<(), EngineError> {
    let memex = folder.memex();
    for anchor in findings.findings.iter().flat_map(|finding| &finding.evidence) {
        if let Some(bytes) = anchor_bytes(workspace, &anchor.path, &anchor.lines) {
            memex.put(&bytes)?;
        }
    }
    Ok(())
}

fn anchor_bytes(workspace: &Workspace, path: &str, lines: &str) -> Option<Vec<u8>> {
    let bytes = workspace.tree.read(&RepoPath::new(path).ok()?).ok()?;
    lines_bytes(&bytes, Lines::parse(lines).ok()?).map(<[u8]>::to_vec)
}

/// The promises of §11, each computed.
fn promises(
    mission: &Mission,
    plan: &Plan,
    findings: &Findings,
    fold: &FoldOutcome,
    delivered: usize,
) -> Vec<ExitGateItem> {
    let item = |item: &str, pass: bool, evidence: String| ExitGateItem { item: item.to_owned(), pass, evidence };
    let scatters = plan.gate.decision == GateDecision::Scatter;
    let flags: Vec<String> = plan.gate.flags.iter().map(|flag| format!("{} {}", flag.name, flag.pass)).collect();
    let all_hold = plan.gate.flags.iter().all(|flag| flag.pass);
    let remaining = atlas_plan::budget::remaining(&mission.budget);
    let shares: Vec<SubBudget> = plan.branches.iter().map(|branch| branch.budget).chain(plan.serial_budget).collect();
    let calls: u64 = shares.iter().map(|share| share.max_tool_calls).sum();
    let tokens: u64 = shares.iter().map(|share| share.max_tokens_input).sum();
    let invalid = findings.telemetry.invalid_returns.len();
    let mut items = vec![
        item(
            "both flags verified before scattering",
            !scatters || all_hold,
            format!("{}; {}", if scatters { "scattered" } else { "serial" }, flags.join(", ")),
        ),
        item(
            "partition from the graph, at most 5 branches",
            plan.branches.len() <= CLUSTERS_MAX && plan.clusters.len() <= CLUSTERS_MAX,
            format!("{} clusters, {} branches", plan.clusters.len(), plan.branches.len()),
        ),
        item(
            "clean context, one object, no transcript",
            invalid == 0,
            format!("{delivered} returns of one object each, {invalid} invalid"),
        ),
        item(
            "shares sum to no more than what remained",
            calls <= remaining.max_tool_calls && tokens <= remaining.max_tokens_input,
            format!(
                "{calls} of {} tool calls, {tokens} of {} tokens",
                remaining.max_tool_calls, remaining.max_tokens_input
            ),
        ),
    ];
    items.extend(exit_gate(mission, findings));
    let (fits, size) = match fold {
        FoldOutcome::Fits(fold) => (true, fold.tokens),
        FoldOutcome::DoesNotFit(fold) => (false, fold.tokens),
    };
    items.push(item(
        "fold entered, telemetry recorded",
        // A fold that does not fit was entered all the same; the verdict tells of it.
        findings.telemetry.branches == delivered as u64,
        format!("fold of {size} tokens, fits: {fits}; {}", findings.telemetry.line()),
    ));
    items
}
