//! One module a command.

pub mod ask;
pub mod gather;
pub mod init;
pub mod map;
pub mod missions;
pub mod plan;
pub mod report;
pub mod schema;
pub mod scout;
pub mod serve;
pub mod verify;

use crate::args::Cli;
use crate::exit::Failure;
use crate::progress::Bars;
use atlas_engine::{Settings, Workspace};
use atlas_tools::ToolSurface;
use serde::Serialize;
use std::io::{Read, Write};
use std::path::Path;

/// Writes a result. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written =
        out.write_all(text.as_bytes()).and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Exactly one JSON value.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&serde_json::to_string_pretty(value)?)
}

/// Opens the repository and indexes it.
pub fn workspace(cli: &Cli) -> Result<(Workspace, Bars), Failure> {
    let bars = Bars::new(cli.quiet);
    let workspace = Workspace::open(&cli.repo, &settings(cli), &bars).map_err(plan::engine_failure)?;
    Ok((workspace, bars))
}

pub fn settings(cli: &Cli) -> Settings {
    Settings { use_cache: !cli.no_cache, ..Settings::from_env(|name| std::env::var_os(name)) }
}

/// The tools that need no index.
pub fn text_tools(cli: &Cli) -> Result<ToolSurface, Failure> {
    Workspace::text_tools(&cli.repo, &settings(cli)).map_err(plan::engine_failure)
}

/// Reads a file that a user named.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::new(format!("`{}` cannot be read: {error}", path.display())))
}

/// Reads a file that a user named, and of one that is longer than `max` bytes one byte more than that.
pub fn read_at_most(path: &Path, max: usize) -> Result<Vec<u8>, Failure> {
    let fail = |error| Failure::new(format!("`{}` cannot be read: {error}", path.display()));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(fail)?;
    file.take(max as u64 + 1).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}

/// Text from the repository as it may stand on a terminal: no control character survives.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}
