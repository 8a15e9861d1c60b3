//! Missions from questions or files, with an identifier and a time.

use super::read_at_most;
use crate::args::MissionArgs;
use crate::exit::{Exit, Failure};
use atlas_artifact::assess::{Defaults, assess};
use atlas_artifact::questions::{DEFAULT_BUDGET, QuestionOptions, from_questions};
use atlas_artifact::read::{MISSION_BYTES_MAX, read_mission};
use atlas_artifact::refusal::Refusal;
use atlas_artifact::{HandoffRecipients, Mission, MissionId, MissionScope};
use jiff::{Timestamp, tz::TimeZone};
use std::path::Path;

/// Today, as mission identifiers begin.
pub fn today() -> String {
    Timestamp::now().to_zoned(TimeZone::UTC).strftime("%Y%m%d").to_string()
}

fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The identifier that the user gave, or the first of today.
pub fn identifier(given: Option<&str>) -> Result<MissionId, Failure> {
    match given {
        Some(text) => MissionId::parse(text)
            .map_err(|error| Failure::from(error).hint("an identifier looks like 20260101-001").with(Exit::Usage)),
        None => Ok(MissionId::parse(&format!("{}-001", today()))?),
    }
}

/// A mission that was assessed, or why it is refused.
pub fn mission(args: &MissionArgs, id: MissionId) -> Result<Mission, Failure> {
    let draft = match &args.mission {
        Some(path) => return mission_file(path, args.mission_id.as_deref(), Some(id)),
        None => {
            let mut options = QuestionOptions::new(id, now());
            options.include.clone_from(&args.include);
            options.exclude.clone_from(&args.exclude);
            from_questions(&args.questions, &options)
        }
    };
    assess(draft, &Defaults::default()).map_err(|refusal| refused(&refusal))
}

/// Reads a mission file. What is optional at a terminal is filled in: identifier, time, budget,
/// scope, recipients.
pub fn mission_file(path: &Path, id: Option<&str>, fallback: Option<MissionId>) -> Result<Mission, Failure> {
    let bytes = read_at_most(path, MISSION_BYTES_MAX)?;
    let name = path.file_name().and_then(|name| name.to_str());
    let mut draft = read_mission(&bytes, name).map_err(|refusal| refused(&refusal))?;
    if let Some(id) = id {
        draft.mission_id = Some(id.to_owned());
    }
    let human = || "human".to_owned();
    let defaults = Defaults {
        mission_id: fallback,
        created: Some(now()),
        budget: Some(DEFAULT_BUDGET),
        scope: Some(MissionScope { include: vec!["**".to_owned()], exclude: Vec::new() }),
        stop_conditions: Some(Vec::new()),
        handoff_recipients: Some(HandoffRecipients { primary: human(), fallback: human() }),
    };
    assess(draft, &defaults).map_err(|refusal| refused(&refusal))
}

/// A refusal is told problem by problem.
pub fn refused(refusal: &Refusal) -> Failure {
    Failure::new(format!("the mission is refused\n{refusal}")).with(Exit::Refused)
}
