//! `atlas serve`.

use crate::args::{AnswerForm, Cli, ServeArgs};
use crate::exit::{Exit, Failure};
use atlas_mcp::{Answers, Listen, Offer, Options, ServeError, serve_http, serve_stdio};
use rayon::ThreadPool;
use std::io::Write;

pub fn run(cli: &Cli, args: &ServeArgs, pool: ThreadPool) -> Result<Exit, Failure> {
    let answers = match args.answers {
        AnswerForm::Auto => Answers::Auto,
        AnswerForm::Structured => Answers::Structured,
        AnswerForm::Text => Answers::Text,
    };
    let options =
        Options { repo: cli.repo.clone(), settings: super::settings(cli), pool, offer: offer(args)?, answers };
    let Some(address) = args.http else {
        serve_stdio(options).map_err(failure)?;
        return Ok(Exit::Done);
    };
    let listen = Listen { address, token: token(args)?, hosts: args.allow_host.clone() };
    let said = |address| {
        if !cli.quiet {
            let _ = writeln!(std::io::stderr().lock(), "listening on http://{address}/mcp");
        }
    };
    serve_http(options, &listen, said).map_err(failure)?;
    Ok(Exit::Done)
}

fn offer(args: &ServeArgs) -> Result<Offer, Failure> {
    let Some(path) = &args.branch else {
        return Ok(if args.missions { Offer::Missions } else { Offer::Tools });
    };
    let shown = serde_json::from_slice(&super::read(path)?).map_err(|error| {
        Failure::new(format!("`{}` is not a sub-mission: {error}", path.display()))
            .hint("`atlas schema sub-mission` prints what one looks like")
    })?;
    Ok(Offer::Branch { shown: Box::new(shown), out: args.out.clone() })
}

fn token(args: &ServeArgs) -> Result<Option<String>, Failure> {
    let text = match &args.token_file {
        Some(path) => String::from_utf8(super::read(path)?)
            .map_err(|_| Failure::new(format!("`{}` holds no text", path.display())))?,
        None => match std::env::var("ATLAS_TOKEN") {
            Ok(text) => text,
            Err(_) => return Ok(None),
        },
    };
    Ok(Some(text.trim().to_owned()))
}

fn failure(error: ServeError) -> Failure {
    let needs_token = matches!(error, ServeError::NoToken(_) | ServeError::ShortToken(_));
    let failure = Failure::from(error);
    if needs_token {
        failure.hint("write one into a file and name it with `--token-file`").with(Exit::Usage)
    } else {
        failure
    }
}
