//! Wiring a coding agent (`atlas init`): which file, which entry, which skill; and how all of it comes out again.
//!
//! A change is worked out on the text of the file, so that what was there stays byte for byte. An entry or a
//! skill that somebody else wrote, or that was changed since, is never touched.

mod json;

use crate::skill::{SKILL_NAME, skill};
use atlas_store::{StoreError, remove_file, write_whole_in};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The name of our entry in a host's list of servers.
const ENTRY: &str = "atlas";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    ClaudeCode,
    Codex,
    Cursor,
    VsCode,
    OpenCode,
    Gemini,
    /// Anything else: what to write is printed, and nothing is written.
    Generic,
}

/// Where a host keeps what is its user's.
#[derive(Debug, Clone)]
pub struct Places {
    pub home: PathBuf,
    /// Settings of programs: `~/.config`, or what the platform has.
    pub config: PathBuf,
    /// `CODEX_HOME`, if it is set.
    pub codex: Option<PathBuf>,
    /// The repository, if its own files are to be written instead of the user's.
    pub project: Option<PathBuf>,
}

/// A file before and after; None is a file that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: PathBuf,
    pub before: Option<String>,
    pub after: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("`{path}` cannot be read: {cause}")]
    Read { path: PathBuf, cause: String },
    /// Comments, a syntax error, or another shape than the host's.
    #[error("`{path}` cannot be changed safely: {cause}")]
    Shape { path: PathBuf, cause: String },
    #[error(
        "`{path}` already has something called `{ENTRY}` that `atlas init` did not write, or that was changed since"
    )]
    Foreign { path: PathBuf },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Host {
    /// The host's configuration file, and the section of it that lists servers.
    fn config(self, places: &Places) -> (PathBuf, &'static str) {
        let (home, config) = (&places.home, &places.config);
        if let Some(project) = &places.project {
            let (name, section) = match self {
                Self::ClaudeCode | Self::Generic => (".mcp.json", "mcpServers"),
                Self::Codex => (".codex/config.toml", "mcp_servers"),
                Self::Cursor => (".cursor/mcp.json", "mcpServers"),
                Self::VsCode => (".vscode/mcp.json", "servers"),
                Self::OpenCode => ("opencode.json", "mcp"),
                Self::Gemini => (".gemini/settings.json", "mcpServers"),
            };
            return (project.join(name), section);
        }
        match self {
            Self::ClaudeCode | Self::Generic => (home.join(".claude.json"), "mcpServers"),
            Self::Codex => {
                let dir = places.codex.clone().unwrap_or_else(|| home.join(".codex"));
                (dir.join("config.toml"), "mcp_servers")
            }
            Self::Cursor => (home.join(".cursor/mcp.json"), "mcpServers"),
            Self::VsCode => (config.join("Code/User/mcp.json"), "servers"),
            Self::OpenCode => (config.join("opencode/opencode.json"), "mcp"),
            Self::Gemini => (home.join(".gemini/settings.json"), "mcpServers"),
        }
    }

    fn skill(self, places: &Places) -> PathBuf {
        let (home, config) = (&places.home, &places.config);
        let dir = match (self, &places.project) {
            (Self::ClaudeCode | Self::Generic, Some(project)) => project.join(".claude/skills"),
            (Self::Codex, Some(project)) => project.join(".agents/skills"),
            (Self::Cursor, Some(project)) => project.join(".cursor/skills"),
            (Self::VsCode, Some(project)) => project.join(".github/skills"),
            (Self::OpenCode, Some(project)) => project.join(".opencode/skills"),
            (Self::Gemini, Some(project)) => project.join(".gemini/skills"),
            (Self::ClaudeCode | Self::Generic, None) => home.join(".claude/skills"),
            (Self::Codex, None) => places.codex.clone().unwrap_or_else(|| home.join(".codex")).join("skills"),
            (Self::Cursor, None) => home.join(".cursor/skills"),
            (Self::VsCode, None) => home.join(".copilot/skills"),
            (Self::OpenCode, None) => config.join("opencode/skills"),
            (Self::Gemini, None) => home.join(".gemini/skills"),
        };
        dir.join(SKILL_NAME).join("SKILL.md")
    }

    /// What the server is started with.
    fn args(self) -> Vec<&'static str> {
        let mut args = vec!["serve", "--missions"];
        match self {
            // These do not start servers in the project's directory.
            Self::VsCode => args.extend(["--repo", "${workspaceFolder}"]),
            Self::Cursor => args.extend(["--repo", "${workspaceFolder}", "--answers", "text"]),
            Self::OpenCode | Self::Gemini => args.extend(["--answers", "text"]),
            Self::ClaudeCode | Self::Codex | Self::Generic => {}
        }
        args
    }

    /// The entry for this host, with `program` as its command.
    #[must_use]
    pub fn entry(self, program: &str) -> Value {
        let args = self.args();
        match self {
            Self::OpenCode => {
                let command: Vec<&str> = std::iter::once(program).chain(args).collect();
                json!({ "type": "local", "command": command, "enabled": true })
            }
            Self::ClaudeCode | Self::VsCode => json!({ "type": "stdio", "command": program, "args": args }),
            Self::Cursor | Self::Gemini | Self::Generic => json!({ "command": program, "args": args }),
            // The tools write nothing but their own mission folder: Codex would refuse them unasked.
            Self::Codex => json!({
                "command": program, "args": args, "startup_timeout_sec": 20, "tool_timeout_sec": 300,
                "default_tools_approval_mode": "approve",
            }),
        }
    }

    /// Whether an entry is one that we write, wherever the program was then.
    fn is_ours(self, found: &Value) -> bool {
        program(self, found).is_some_and(|program| self.entry(program) == *found)
    }
}

/// What is to be changed so that the host knows the server and the skill; nothing if it does already.
///
/// # Errors
/// [`HostError`]; nothing is written here.
pub fn wire(host: Host, places: &Places, program: &str) -> Result<Vec<Change>, HostError> {
    let (path, section) = host.config(places);
    let before = read(&path)?;
    let entry = host.entry(program);
    let text = before.clone().unwrap_or_default();
    let shape = |cause: &str| HostError::Shape { path: path.clone(), cause: cause.to_owned() };
    let after = match found(host, section, &text).map_err(|cause| shape(&cause))? {
        Some(there) if there == entry => before.clone(),
        Some(there) if host.is_ours(&there) => {
            without(host, section, &text, &there).and_then(|bare| with(host, section, &bare, &entry))
        }
        Some(_) => return Err(HostError::Foreign { path }),
        None => with(host, section, &text, &entry),
    };
    let after = after
        .filter(|after| found(host, section, after).is_ok_and(|now| now.as_ref() == Some(&entry)))
        .ok_or_else(|| shape("its list of servers has another shape"))?;
    let skill_path = host.skill(places);
    let skill_before = read(&skill_path)?;
    if skill_before.as_ref().is_some_and(|text| !is_our_skill(text)) {
        return Err(HostError::Foreign { path: skill_path });
    }
    let changes = [
        Change { path, before, after: Some(after) },
        Change { path: skill_path, before: skill_before, after: Some(sealed(&skill())) },
    ];
    Ok(changes.into_iter().filter(|change| change.before != change.after).collect())
}

/// What is to be changed so that the host is as it was.
///
/// # Errors
/// [`HostError`]; nothing is written here.
pub fn unwire(host: Host, places: &Places) -> Result<Vec<Change>, HostError> {
    let (path, section) = host.config(places);
    let mut changes = Vec::new();
    if let Some(text) = read(&path)? {
        let at = path.clone();
        let shape = |cause: String| HostError::Shape { path: at.clone(), cause };
        match found(host, section, &text).map_err(shape)? {
            Some(there) if host.is_ours(&there) => {
                let after = without(host, section, &text, &there)
                    .filter(|after| found(host, section, after).is_ok_and(|now| now.is_none()))
                    .ok_or_else(|| shape("the entry does not stand there as `atlas init` writes it".to_owned()))?;
                let after = Some(after).filter(|after| !after.is_empty());
                changes.push(Change { path, before: Some(text), after });
            }
            Some(_) => return Err(HostError::Foreign { path }),
            None => {}
        }
    }
    let path = host.skill(places);
    if let Some(text) = read(&path)? {
        if !is_our_skill(&text) {
            return Err(HostError::Foreign { path });
        }
        changes.push(Change { path, before: Some(text), after: None });
    }
    Ok(changes)
}

/// Makes the changes, each file whole or not at all.
///
/// # Errors
/// [`HostError::Store`].
pub fn apply(changes: &[Change]) -> Result<(), HostError> {
    for change in changes {
        match &change.after {
            Some(text) => write_whole_in(&change.path, text.as_bytes())?,
            // The skill has a directory of its own; settings are in the host's.
            None => remove_file(&change.path, change.path.ends_with("SKILL.md"))?,
        }
    }
    Ok(())
}

/// Our entry as it stands in the text.
fn found(host: Host, section: &str, text: &str) -> Result<Option<Value>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let whole: Value = if host == Host::Codex {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        serde_json::to_value(table).map_err(|error| error.to_string())?
    } else {
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| format!("not plain JSON: {error}"))?
    };
    Ok(whole.get(section).and_then(|servers| servers.get(ENTRY)).cloned())
}

fn with(host: Host, section: &str, text: &str, entry: &Value) -> Option<String> {
    if host != Host::Codex {
        return json::insert(text, section, ENTRY, entry);
    }
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let after = format!("{text}{gap}{}", block(section, entry));
    // An inline table of servers cannot be added to.
    after.parse::<toml::Table>().is_ok().then_some(after)
}

/// The text without our entry; empty if nothing is left, None if it does not stand there as we write it.
fn without(host: Host, section: &str, text: &str, there: &Value) -> Option<String> {
    if host != Host::Codex {
        return json::remove(text, section, ENTRY);
    }
    // Tables forget the order in which their keys were written.
    let block = block(section, &host.entry(program(host, there)?));
    let at = text.find(&block)?;
    let (head, tail) = (&text[..at], &text[at + block.len()..]);
    let head = if tail.is_empty() { head.strip_suffix('\n').unwrap_or(head) } else { head };
    Some(format!("{head}{tail}"))
}

/// The command of an entry.
fn program(host: Host, entry: &Value) -> Option<&str> {
    let command = entry.get("command")?;
    if host == Host::OpenCode { command.get(0)?.as_str() } else { command.as_str() }
}

/// The entry as a table of TOML. Strings of JSON are basic strings of TOML.
fn block(section: &str, entry: &Value) -> String {
    let mut out = format!("[{section}.{ENTRY}]\n");
    for (key, value) in entry.as_object().into_iter().flatten() {
        out.push_str(&format!("{key} = {value}\n"));
    }
    out
}

const SEAL: &str = "\n<!-- atlas init ";

/// The text with a mark by which it is known again, in whatever version it was written.
fn sealed(text: &str) -> String {
    format!("{text}{SEAL}{} -->\n", atlas_tree::sha256(text.as_bytes()))
}

fn is_our_skill(text: &str) -> bool {
    text.rfind(SEAL).is_some_and(|at| sealed(&text[..at]) == text)
}

fn read(path: &Path) -> Result<Option<String>, HostError> {
    let fail = |cause: String| HostError::Read { path: path.to_owned(), cause };
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| fail("it is not UTF-8".to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error.to_string())),
    }
}

/// The change as lines: what goes with `-`, what comes with `+`, and two lines around.
#[must_use]
pub fn diff(change: &Change) -> String {
    const AROUND: usize = 2;
    let lines =
        |text: &Option<String>| -> Vec<String> { text.as_deref().unwrap_or("").lines().map(str::to_owned).collect() };
    let (before, after) = (lines(&change.before), lines(&change.after));
    let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let rest = before.len().min(after.len()) - same;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let name = change.path.display();
    let (old, new) =
        (change.before.as_ref().map(|_| name.to_string()), change.after.as_ref().map(|_| name.to_string()));
    let nothing = || "/dev/null".to_owned();
    let mut out = format!("--- {}\n+++ {}\n", old.unwrap_or_else(nothing), new.unwrap_or_else(nothing));
    let mut line = |mark: char, text: &str| out.push_str(&format!("{mark}{text}\n"));
    before[same.saturating_sub(AROUND)..same].iter().for_each(|text| line(' ', text));
    before[same..before.len() - tail].iter().for_each(|text| line('-', text));
    after[same..after.len() - tail].iter().for_each(|text| line('+', text));
    before[before.len() - tail..].iter().take(AROUND).for_each(|text| line(' ', text));
    out
}
