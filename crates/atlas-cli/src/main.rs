//! The binary `atlas`: arguments in, results on standard output, progress on standard error, an
//! exit code (contract §15).
//!
//! What is deliberately *not* here: anything that a library user of the engine would want too.

mod args;
mod commands;
mod exit;
mod progress;

use args::{Cli, Command};
use clap::Parser;
use exit::{Exit, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    // A mistake of ours must not print a trace over a user's screen: it becomes a message below. Who
    // hunts one sets this variable.
    if std::env::var_os("ATLAS_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // A closed pipe is no error.
            let _ = error.print();
            return code.into();
        }
    };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&cli)));
    match outcome {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => failure.report(),
        Err(_) => {
            Failure::new("an internal mistake stopped this run; please report the command that led to it").report()
        }
    }
}

/// More threads than this only cost their stacks.
const THREADS_MAX: usize = 256;

fn run(cli: &Cli) -> Result<Exit, Failure> {
    let threads = cli.threads;
    let mut builder = rayon::ThreadPoolBuilder::new().stack_size(8 << 20);
    if let Some(threads) = threads {
        builder = builder.num_threads(threads.get().min(THREADS_MAX));
    }
    let pool = builder.build().map_err(|error| Failure::new(format!("threads cannot be started: {error}")))?;
    match &cli.command {
        // A server outlives any one piece of work: it gives the pool what it has to do.
        Command::Serve(args) => commands::serve::run(cli, args, pool),
        _ => pool.install(|| dispatch(cli)),
    }
}

fn dispatch(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Scout(args) => commands::scout::run(cli, args),
        Command::Plan(args) => commands::plan::run(cli, args),
        Command::Map(args) => commands::map::run(cli, args),
        Command::Query(args) => commands::ask::query(cli, args),
        Command::Symbol(args) => commands::ask::symbol(cli, args),
        Command::Text(args) => commands::ask::text(cli, args),
        Command::Search(args) => commands::ask::search(cli, args),
        Command::Tool(args) => commands::ask::tool(cli, args),
        Command::Gather(args) => commands::gather::run(cli, args),
        Command::Fold(args) => commands::report::fold(args),
        Command::Report(args) => commands::report::report(args),
        Command::Verify(args) => commands::verify::run(cli, args),
        Command::Schema(args) => commands::schema::run(args),
        Command::Init(args) => commands::init::run(cli, args),
        Command::Serve(_) => Err(Failure::new("a server is not started from within the pool")),
    }
}
