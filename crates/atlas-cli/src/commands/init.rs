//! `atlas init`: the one command that may write into a repository, and only with `--project`.

use super::print;
use crate::args::{Cli, HostName, InitArgs};
use crate::exit::{Exit, Failure};
use atlas_mcp::hosts::{Host, HostError, Places, apply, diff, unwire, wire};
use atlas_mcp::skill;
use serde_json::json;
use std::path::PathBuf;

pub fn run(cli: &Cli, args: &InitArgs) -> Result<Exit, Failure> {
    let host = match args.host {
        HostName::ClaudeCode => Host::ClaudeCode,
        HostName::Codex => Host::Codex,
        HostName::Cursor => Host::Cursor,
        HostName::Vscode => Host::VsCode,
        HostName::Opencode => Host::OpenCode,
        HostName::Gemini => Host::Gemini,
        HostName::Generic => Host::Generic,
    };
    let program = std::env::current_exe()?.display().to_string();
    if host == Host::Generic {
        let entry = json!({ "mcpServers": { "atlas": host.entry(&program) } });
        print(&format!("{entry:#}\n\n{}", skill()))?;
        return Ok(Exit::Done);
    }
    let places = places(cli, args)?;
    let changes = if args.undo { unwire(host, &places) } else { wire(host, &places, &program) }.map_err(failure)?;
    if changes.is_empty() {
        print("nothing to change")?;
        return Ok(Exit::Done);
    }
    let mut text: String = changes.iter().map(diff).collect();
    if let Some(project) = &places.project {
        text.push_str(&format!("in the repository {}\n", project.display()));
    }
    print(&text)?;
    if !args.dry_run {
        apply(&changes).map_err(failure)?;
        print(if args.undo { "taken out; start the agent anew" } else { "written; start the agent anew" })?;
    }
    Ok(Exit::Done)
}

fn places(cli: &Cli, args: &InitArgs) -> Result<Places, Failure> {
    let var = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = var(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
        .or_else(|| args.project.then(PathBuf::new))
        .ok_or_else(|| Failure::new("no home directory is known").hint("set HOME, or use `--project`"))?;
    let config = if cfg!(windows) {
        var("APPDATA")
    } else if cfg!(target_os = "macos") && matches!(args.host, HostName::Vscode) {
        Some(home.join("Library/Application Support"))
    } else {
        var("XDG_CONFIG_HOME")
    };
    let project = if args.project { Some(cli.repo.canonicalize()?) } else { None };
    Ok(Places { config: config.unwrap_or_else(|| home.join(".config")), home, codex: var("CODEX_HOME"), project })
}

fn failure(error: HostError) -> Failure {
    let hint = match &error {
        HostError::Shape { .. } => Some("`atlas init generic` prints the entry; add it by hand"),
        HostError::Foreign { .. } => Some("rename or remove it, then try again"),
        HostError::Read { .. } | HostError::Store(_) => None,
    };
    let refused = hint.is_some();
    let failure = Failure::from(error);
    let failure = if refused { failure.with(Exit::Refused) } else { failure };
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
