//! `atlas gather`: returns that were made elsewhere.

use super::plan::engine_failure;
use super::{missions, print, print_json, read, read_at_most, workspace};
use crate::args::{Cli, Format, GatherArgs};
use crate::exit::{Exit, Failure};
use atlas_artifact::limits::RETURN_BYTES_MAX;
use atlas_artifact::{Findings, Plan};

pub fn run(cli: &Cli, args: &GatherArgs) -> Result<Exit, Failure> {
    let mission = missions::mission_file(&args.mission, None, Some(missions::identifier(None)?))?;
    let plan: Option<Plan> = match &args.plan {
        Some(path) => Some(serde_json::from_slice(&read(path)?).map_err(|error| {
            Failure::new(format!("`{}` is not a plan: {error}", path.display()))
                .hint("`atlas schema plan` prints what one looks like")
        })?),
        None => None,
    };
    // What is larger than a return may be is refused by its size; there is no need to have all of it.
    let returns =
        args.returns.iter().map(|path| read_at_most(path, RETURN_BYTES_MAX)).collect::<Result<Vec<_>, _>>()?;
    let (workspace, bars) = workspace(cli)?;
    let findings = workspace.gather(&mission, plan.as_ref(), returns).map_err(engine_failure)?;
    bars.clear();
    match args.format {
        Format::Json => print_json(&findings)?,
        Format::Text => print(&atlas_engine::findings_md(&findings))?,
    }
    Ok(strict(args.strict, &findings))
}

/// With `--strict`, gaps and disputes are a reason to stop a pipeline.
pub fn strict(asked: bool, findings: &Findings) -> Exit {
    let remains = !findings.gaps.is_empty() || findings.findings.iter().any(|finding| finding.disputed);
    if asked && remains { Exit::Strict } else { Exit::Done }
}
