//! Chores of the project: measurements that need a repository's history and files of their own.
//!
//! `cargo xtask eval locate` ranks the files and functions of real issues; see `docs/retrieval.md`.

#![expect(clippy::print_stderr, reason = "a chore speaks to the developer who runs it")]

mod locate;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "xtask", about = "Chores of the project")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures a part of the program on data.
    Eval {
        #[command(subcommand)]
        what: Eval,
    },
}

#[derive(Subcommand)]
enum Eval {
    /// Ranks files and functions for real issues, and writes the ranking for scoring.
    Locate(locate::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Eval { what: Eval::Locate(args) } => locate::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
