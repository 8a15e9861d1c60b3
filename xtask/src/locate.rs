//! `cargo xtask eval locate`: ranks files and functions for real issues and writes predictions.
//!
//! Each instance names a repository, a commit and an issue's text. The tree is read from a bare git
//! directory, without a work tree. What is deliberately *not* here: scoring.

mod facts;
mod git;
mod languages;
mod signals;

use atlas_graph::link::link;
use atlas_graph::{Graph, Parts};
use atlas_retrieve::{RetrievalIndex, Weights, analyse, search_with};
use atlas_syntax::{FileFacts, Language};
use facts::Facts;
use git::Blobs;
use languages::semantics;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// JSON lines: id, repo, mirror, base_commit, language, problem_statement.
    #[arg(long)]
    instances: PathBuf,
    /// Folder that has `OWNER+NAME/repo` git directories.
    #[arg(long)]
    mirror: PathBuf,
    /// Predictions, as JSON lines; with several weights, their number goes before the extension.
    #[arg(long)]
    out: PathBuf,
    /// Only the first N instances of each repository.
    #[arg(long)]
    limit: Option<usize>,
    #[arg(long)]
    repo: Option<String>,
    #[arg(long)]
    language: Option<String>,
    #[arg(long)]
    source: Option<String>,
    /// File with one instance id a line.
    #[arg(long)]
    ids: Option<PathBuf>,
    /// JSON lines; each is a set of weights, of which those left out have their defaults.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Folder for facts between runs.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Rank without links between files.
    #[arg(long)]
    no_links: bool,
    #[arg(long, default_value_t = 50)]
    top: usize,
    /// JSON lines of what each score is a sum of, with the first weights, to fit weights by.
    #[arg(long)]
    signals: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Instance {
    id: String,
    source: String,
    repo: String,
    mirror: String,
    base_commit: String,
    language: String,
    problem_statement: String,
}

#[derive(Serialize)]
struct Prediction<'a> {
    id: &'a str,
    ranked_files: Vec<String>,
    ranked_functions: Vec<PredictedFunction>,
}

#[derive(Serialize)]
struct PredictedFunction {
    file: String,
    name: String,
}

pub fn run(args: &Args) -> Result<(), String> {
    let by_repo = instances(args)?;
    let weights = weights(args)?;
    let mut outs = Vec::new();
    for at in 0..weights.len() {
        let path = if weights.len() == 1 { args.out.clone() } else { args.out.with_extension(format!("{at}.jsonl")) };
        outs.push(BufWriter::new(File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?));
    }
    let mut signals = match &args.signals {
        Some(path) => Some(BufWriter::new(File::create(path).map_err(|error| format!("{}: {error}", path.display()))?)),
        None => None,
    };
    let mut queries: Vec<Duration> = Vec::new();
    for (repo, list) in &by_repo {
        let started = Instant::now();
        let mut building = Duration::ZERO;
        let git_dir = git_dir(&args.mirror, &list[0].mirror)?;
        let mut facts = Facts::open(args.cache.as_deref(), &repo.replace('/', "+"));
        let mut blobs = Blobs::open(&git_dir)?;
        for instance in list {
            let entries = git::list(&git_dir, &instance.base_commit)?;
            let program = Arc::new(facts.program(&entries, &mut blobs));
            let graph = if args.no_links { Graph::new(program, Parts::default()) } else { link(program, &semantics()) };
            let begun = Instant::now();
            let index = RetrievalIndex::build(&graph);
            building += begun.elapsed();
            if let Some(out) = &mut signals {
                writeln!(
                    out,
                    "{}",
                    signals::of(
                        &graph,
                        &index,
                        &instance.problem_statement,
                        &weights[0],
                        |node| { is_wanted(&instance.language, graph.program.facts(graph.program.file_of(node))) },
                        &instance.id
                    )
                )
                .map_err(|error| error.to_string())?;
            }
            for (weights, out) in weights.iter().zip(&mut outs) {
                let begun = Instant::now();
                let ranking = search_with(&graph, &index, &analyse(&instance.problem_statement), weights);
                queries.push(begun.elapsed());
                let prediction = Prediction {
                    id: &instance.id,
                    ranked_files: ranking
                        .files
                        .iter()
                        .filter(|file| is_wanted(&instance.language, graph.program.facts(file.file)))
                        .take(args.top)
                        .map(|file| graph.program.path(file.file).to_string())
                        .collect(),
                    ranked_functions: functions(&graph, &ranking, args.top, &instance.language),
                };
                let line = serde_json::to_string(&prediction).map_err(|error| error.to_string())?;
                writeln!(out, "{line}").map_err(|error| error.to_string())?;
            }
        }
        facts.save()?;
        eprintln!(
            "{repo}: {} instances, {} blobs parsed, {:.1} s in all, {:.0} ms an index",
            list.len(),
            facts.parsed,
            started.elapsed().as_secs_f64(),
            building.as_secs_f64() * 1000.0 / list.len() as f64
        );
    }
    queries.sort_unstable();
    if let Some(last) = queries.len().checked_sub(1) {
        eprintln!(
            "a query: p50 {:.1} ms, p95 {:.1} ms, most {:.1} ms",
            queries[last / 2].as_secs_f64() * 1000.0,
            queries[last * 95 / 100].as_secs_f64() * 1000.0,
            queries[last].as_secs_f64() * 1000.0
        );
    }
    Ok(())
}

/// Files of the instance's language: the labels hold no others.
fn is_wanted(language: &str, facts: &FileFacts) -> bool {
    match language {
        "python" => facts.language == Language::Python,
        "rust" => facts.language == Language::Rust,
        "go" => facts.language == Language::Go,
        "java" => facts.language == Language::Java,
        "javascript" | "typescript" => matches!(
            facts.language,
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte
        ),
        "c" | "cpp" => matches!(facts.language, Language::C | Language::Cpp),
        "ruby" => facts.language == Language::Ruby,
        _ => true,
    }
}

/// The best functions by qualified name. Labels of Python know no functions within functions.
fn functions(graph: &Graph, ranking: &atlas_retrieve::Ranking, top: usize, language: &str) -> Vec<PredictedFunction> {
    let program = &graph.program;
    let mut out: Vec<PredictedFunction> = Vec::new();
    for symbol in &ranking.symbols {
        if out.len() >= top {
            break;
        }
        let mut node = symbol.node;
        if !program.def(node).is_some_and(|def| def.kind.is_callable())
            || !is_wanted(language, program.facts(program.file_of(node)))
        {
            continue;
        }
        if language == "python" {
            let mut at = node;
            while let Some(up) = program.container(at).filter(|&up| program.def(up).is_some()) {
                if program.def(up).is_some_and(|def| def.kind.is_callable()) {
                    node = up;
                }
                at = up;
            }
        }
        let file = program.path(program.file_of(node)).to_string();
        let name = graph.qualified_name(node);
        if !out.iter().any(|known| known.file == file && known.name == name) {
            out.push(PredictedFunction { file, name });
        }
    }
    out
}

fn instances(args: &Args) -> Result<BTreeMap<String, Vec<Instance>>, String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let ids = args.ids.as_deref().map(read).transpose()?;
    let ids: Option<Vec<&str>> = ids.as_deref().map(|text| text.split_whitespace().collect());
    let mut by_repo: BTreeMap<String, Vec<Instance>> = BTreeMap::new();
    for (at, line) in read(&args.instances)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let instance: Instance =
            serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", args.instances.display(), at + 1))?;
        let fits = |wanted: &Option<String>, is: &str| {
            wanted.as_deref().is_none_or(|wanted| wanted.split(',').any(|one| one == is))
        };
        if !fits(&args.repo, &instance.repo)
            || !fits(&args.language, &instance.language)
            || !fits(&args.source, &instance.source)
            || ids.as_ref().is_some_and(|ids| !ids.contains(&instance.id.as_str()))
        {
            continue;
        }
        let list = by_repo.entry(instance.repo.clone()).or_default();
        if args.limit.is_none_or(|limit| list.len() < limit) {
            list.push(instance);
        }
    }
    Ok(by_repo)
}

fn weights(args: &Args) -> Result<Vec<Weights>, String> {
    let Some(path) = &args.weights else { return Ok(vec![Weights::default()]) };
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display())))
        .collect()
}

fn git_dir(mirror: &Path, name: &str) -> Result<PathBuf, String> {
    let wanted = name.replace('/', "+").to_lowercase();
    let found = std::fs::read_dir(mirror)
        .map_err(|error| format!("{}: {error}", mirror.display()))?
        .filter_map(Result::ok)
        .find(|entry| entry.file_name().to_string_lossy().to_lowercase() == wanted);
    found.map(|entry| entry.path().join("repo")).ok_or_else(|| format!("no mirror of `{name}`"))
}
