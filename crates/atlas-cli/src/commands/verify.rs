//! `atlas verify`.

use super::{print, print_json, read, workspace};
use crate::args::{Cli, VerifyArgs, VerifyFormat};
use crate::exit::{Exit, Failure};
use atlas_artifact::Findings;

pub fn run(cli: &Cli, args: &VerifyArgs) -> Result<Exit, Failure> {
    let folder = args.findings.is_dir();
    let path = if folder { args.findings.join("findings.json") } else { args.findings.clone() };
    let bytes = read(&path)?;
    let findings: Findings = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::new(format!("`{}` holds no findings: {error}", path.display()))
            .hint("`atlas schema findings` prints what they look like")
    })?;
    let (workspace, bars) = workspace(cli)?;
    let report = if folder { workspace.verify_folder(&findings, &args.findings) } else { workspace.verify(&findings) };
    bars.clear();
    match args.format {
        VerifyFormat::Json => print_json(&report)?,
        VerifyFormat::Text => print(&format!("{}{}", report.differences(), report.summary()))?,
        VerifyFormat::Github => print(&format!("{}{}", report.annotations(), report.summary()))?,
    }
    Ok(if args.strict && !report.ok { Exit::Strict } else { Exit::Done })
}
