//! `atlas plan`.

use super::{missions, print, print_json, workspace};
use crate::args::{Cli, Format, PlanArgs};
use crate::exit::{Exit, Failure};
use atlas_engine::EngineError;

pub fn run(cli: &Cli, args: &PlanArgs) -> Result<Exit, Failure> {
    let id = missions::identifier(args.mission.mission_id.as_deref())?;
    let mission = missions::mission(&args.mission, id)?;
    let (workspace, bars) = workspace(cli)?;
    let plan = workspace.plan(&mission, args.mission.serial).map_err(engine_failure)?;
    bars.clear();
    match args.format {
        Format::Json => print_json(&plan)?,
        Format::Text => print(&atlas_engine::explain(&plan, &mission))?,
    }
    Ok(Exit::Done)
}

/// An engine's error with its hint; a scope that holds nothing is a refusal.
pub fn engine_failure(error: EngineError) -> Failure {
    let exit = match &error {
        EngineError::EmptyScope | EngineError::Glob(_) | EngineError::Trigger(_) => Exit::Refused,
        EngineError::Store(error) if error.refuses() => Exit::Refused,
        EngineError::Open(_) | EngineError::Store(_) | EngineError::OtherMission(_) | EngineError::Artifact { .. } => {
            Exit::Failed
        }
    };
    let hint = error.hint();
    let failure = Failure::from(error).with(exit);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
