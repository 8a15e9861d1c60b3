//! `atlas fold` and `atlas report`: the last two steps again, over a mission folder.

use super::plan::engine_failure;
use super::{print, print_json};
use crate::args::{FolderArgs, Format};
use crate::exit::{Exit, Failure};
use atlas_artifact::FoldOutcome;
use atlas_engine::{fold_md, refold, report_md};

pub fn fold(args: &FolderArgs) -> Result<Exit, Failure> {
    let (fold, _) = refold(&args.mission_dir, false).map_err(engine_failure)?;
    match args.format {
        Format::Json => print_json(&fold)?,
        Format::Text => print(&fold_md(&fold))?,
    }
    Ok(if matches!(fold, FoldOutcome::Fits(_)) { Exit::Done } else { Exit::Failed })
}

pub fn report(args: &FolderArgs) -> Result<Exit, Failure> {
    let (_, report) = refold(&args.mission_dir, true).map_err(engine_failure)?;
    let report = report.ok_or_else(|| {
        Failure::new("the findings do not fit one fold, so no report was written")
            .hint("the mission is under-scoped: ask fewer sub-questions, or narrow its scope")
    })?;
    match args.format {
        Format::Json => print_json(&report)?,
        Format::Text => print(&report_md(&report))?,
    }
    Ok(Exit::Done)
}
