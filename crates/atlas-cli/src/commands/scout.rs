//! `atlas scout`.

use super::gather::strict;
use super::plan::engine_failure;
use super::{missions, print, workspace};
use crate::args::{Cli, Format, ScoutArgs};
use crate::exit::{Exit, Failure};
use atlas_artifact::MissionId;
use atlas_engine::{ScoutOptions, ScoutOutcome, Verdict, Workspace, scout};
use serde_json::json;
use std::io::IsTerminal;

/// Columns when the terminal does not tell.
const WIDTH: usize = 100;

pub fn run(cli: &Cli, args: &ScoutArgs) -> Result<Exit, Failure> {
    // Assess comes before any work: a mission that is refused costs nothing.
    let given = missions::identifier(args.mission.mission_id.as_deref())?;
    let mut mission = missions::mission(&args.mission, given)?;
    let (workspace, bars) = workspace(cli)?;
    let mut options = ScoutOptions { out: args.out.clone(), serial: args.mission.serial };
    if args.mission.mission_id.is_none() && args.mission.mission.is_none() && args.out.is_none() {
        let (id, dir) = next(&workspace)?;
        mission.mission_id = id;
        options.out = Some(dir);
    }
    let outcome = scout(&workspace, mission, &options, &bars).map_err(engine_failure)?;
    bars.clear();
    match args.format {
        Format::Json => print(&format!("{:#}", summary(&outcome)))?,
        Format::Text => {
            let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
            print(&outcome.terminal(&workspace, WIDTH, colour))?;
        }
    }
    finish(args.strict, &outcome)
}

/// Today's next mission, with a folder of its own.
fn next(workspace: &Workspace) -> Result<(MissionId, std::path::PathBuf), Failure> {
    workspace
        .settings
        .directories
        .next_mission(workspace.tree.root(), &missions::today())
        .map_err(|error| engine_failure(error.into()))
}

fn summary(outcome: &ScoutOutcome) -> serde_json::Value {
    json!({
        "folder": outcome.folder,
        "mission_id": outcome.mission.mission_id,
        "gate": outcome.plan.gate,
        "branches": outcome.plan.branches.len(),
        "findings": outcome.findings,
        "fold": outcome.fold,
        "report": outcome.report,
    })
}

fn finish(asked_strict: bool, outcome: &ScoutOutcome) -> Result<Exit, Failure> {
    match outcome.verdict {
        Verdict::Done => Ok(strict(asked_strict, &outcome.findings)),
        Verdict::Halted => Ok(Exit::Halted),
        Verdict::FoldDoesNotFit => Err(Failure::new("the findings do not fit one fold, so no report was written")
            .hint("the mission is under-scoped: ask fewer sub-questions, or narrow the scope with `--include`")),
        Verdict::PromiseBroken => {
            let broken: Vec<String> = outcome
                .findings
                .exit_gate
                .iter()
                .filter(|item| !item.pass)
                .map(|item| format!("{}: {}", item.item, item.evidence))
                .collect();
            Err(Failure::new(format!("a promise of the run was broken: {}", broken.join("; "))))
        }
    }
}
