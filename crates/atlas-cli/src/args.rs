//! The one table of arguments: parsing, help and completion come from it.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Scouts a repository, read-only: several questions at once, answered with anchors that were
/// checked against the files.
#[derive(Debug, Parser)]
#[command(name = "atlas", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// The repository to study; it is never written.
    #[arg(long, global = true, default_value = ".", value_name = "DIR")]
    pub repo: PathBuf,

    /// Threads to use, at most 256; as many as there are cores by default. Results do not depend on it.
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Do not read or write the cache of parsed files.
    #[arg(long, global = true)]
    pub no_cache: bool,

    /// Print nothing on standard error but errors.
    #[arg(long, short, global = true)]
    pub quiet: bool,

    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer questions: map, plan, locate, gather, fold, report.
    Scout(ScoutArgs),
    /// Show how questions would be located: gate, clusters, branches.
    Plan(PlanArgs),
    /// Show the structure of the repository: modules, roots, heat, gaps.
    Map(MapArgs),
    /// Ask the code graph: `callers_of: Vote.record`.
    Query(QueryArgs),
    /// Find definitions of a symbol and references to it.
    Symbol(SymbolArgs),
    /// Find text or a regular expression.
    Text(TextArgs),
    /// Rank files and symbols by a question in words.
    Search(SearchArgs),
    /// Make one tool call, as a branch would make it.
    Tool(ToolArgs),
    /// Gather returns that were made elsewhere into checked findings.
    Gather(GatherArgs),
    /// Fold the findings of a mission folder again.
    Fold(FolderArgs),
    /// Write the report of a mission folder again.
    Report(FolderArgs),
    /// Check every anchor and excerpt of findings against the files.
    Verify(VerifyArgs),
    /// Serve the tools to a coding agent: MCP on standard input and output, or over HTTP.
    Serve(ServeArgs),
    /// Wire a coding agent: its list of MCP servers, and the atlas-scatter skill.
    Init(InitArgs),
    /// Print the JSON Schema of an artifact.
    Schema(SchemaArgs),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// Exactly one JSON value.
    Json,
}

#[derive(Debug, Args)]
pub struct MissionArgs {
    /// Questions, each one sub-question of the mission.
    #[arg(value_name = "QUESTION", required_unless_present = "mission", conflicts_with = "mission")]
    pub questions: Vec<String>,
    /// A mission file: YAML, JSON or Markdown.
    #[arg(long, value_name = "FILE")]
    pub mission: Option<PathBuf>,
    /// The mission's identifier, `YYYYMMDD-NNN`; today's next by default.
    #[arg(long, value_name = "ID")]
    pub mission_id: Option<String>,
    /// Only files that match; may be given several times.
    #[arg(long, value_name = "GLOB", conflicts_with = "mission")]
    pub include: Vec<String>,
    /// No file that matches; may be given several times.
    #[arg(long, value_name = "GLOB", conflicts_with = "mission")]
    pub exclude: Vec<String>,
    /// Keep the gate closed: one sub-question after the other, in one context.
    #[arg(long)]
    pub serial: bool,
}

#[derive(Debug, Args)]
pub struct ScoutArgs {
    #[command(flatten)]
    pub mission: MissionArgs,
    /// The mission folder; by default one of its own in your data directory. A folder of an
    /// interrupted run is resumed.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What runs the branches.
    #[arg(long, value_enum, default_value_t = BranchKind::Prober)]
    pub branch: BranchKind,
    /// Exit with 4 if gaps or disputes remain.
    #[arg(long)]
    pub strict: bool,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BranchKind {
    /// Built in, no model.
    Prober,
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub mission: MissionArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct MapArgs {
    /// Only files that match; may be given several times.
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No file that matches; may be given several times.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct QueryArgs {
    /// `VERB: ARG` or `VERB(ARG, depth=N)`.
    pub query: String,
    /// Where an earlier answer ended.
    #[arg(long)]
    pub cursor: Option<String>,
    /// All pages at once.
    #[arg(long, conflicts_with = "cursor")]
    pub all: bool,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct SymbolArgs {
    /// `record`, `Vote.record`, `vote::record` or `src/vote.py:Vote.record`.
    pub name: String,
    /// `any`, `definition`, `reference`, or a kind such as `class`.
    #[arg(long, default_value = "any")]
    pub kind: String,
    #[arg(long)]
    pub cursor: Option<String>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct TextArgs {
    /// A regular expression, or plain text with `--fixed`.
    pub pattern: String,
    /// Take the pattern as plain text.
    #[arg(long, short = 'F')]
    pub fixed: bool,
    /// Only files that match.
    #[arg(long, value_name = "GLOB")]
    pub scope: Option<String>,
    /// Matches in one answer, 1 to 50.
    #[arg(long, default_value_t = 50)]
    pub limit: usize,
    #[arg(long)]
    pub cursor: Option<String>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct SearchArgs {
    /// A question in words; `-` reads it from standard input.
    pub question: String,
    /// Results of each kind.
    #[arg(long, default_value_t = 50)]
    pub limit: usize,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct ToolArgs {
    /// One of the seven tools.
    pub name: String,
    /// Its arguments as a JSON object.
    pub args: String,
    /// A mission folder whose memex `memex_read` reads.
    #[arg(long, value_name = "DIR")]
    pub mission_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct GatherArgs {
    /// The mission: YAML, JSON or Markdown.
    #[arg(long, value_name = "FILE")]
    pub mission: PathBuf,
    /// The plan whose branches these are; without one a branch is held to the mission's scope.
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Files that hold one return each.
    #[arg(value_name = "RETURN")]
    pub returns: Vec<PathBuf>,
    /// Exit with 4 if gaps or disputes remain.
    #[arg(long)]
    pub strict: bool,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct FolderArgs {
    pub mission_dir: PathBuf,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A mission folder, or a findings file.
    #[arg(value_name = "MISSION_DIR|FINDINGS")]
    pub findings: PathBuf,
    /// Exit with 4 on any difference.
    #[arg(long)]
    pub strict: bool,
    #[arg(long, value_enum, default_value_t = VerifyFormat::Text)]
    pub format: VerifyFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    Text,
    Json,
    /// Workflow annotations, one line a difference.
    Github,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Serve over HTTP at this address, such as 127.0.0.1:7410, instead of standard input and output.
    #[arg(long, value_name = "ADDR")]
    pub http: Option<SocketAddr>,
    /// A file that holds the token which HTTP clients must send; needed unless ADDR is on loopback. The
    /// variable ATLAS_TOKEN does as well.
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// A name under which HTTP clients reach this server, beside those of loopback.
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,
    /// Serve one branch: a file with its sub-mission, as it stands in `plan.json`.
    #[arg(long, value_name = "FILE")]
    pub branch: Option<PathBuf>,
    /// The folder of the branch's mission; by default the one in your data directory.
    #[arg(long, value_name = "DIR", requires = "branch")]
    pub out: Option<PathBuf>,
    /// Also offer missions that the host drives with its own subagents.
    #[arg(long, conflicts_with = "branch")]
    pub missions: bool,
    /// Where an answer's payload goes.
    #[arg(long, value_enum, default_value_t = AnswerForm::Auto)]
    pub answers: AnswerForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnswerForm {
    /// As text for clients that are known to show their model nothing else, else structured.
    Auto,
    /// In `structuredContent`.
    Structured,
    /// In the text.
    Text,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    #[arg(value_enum)]
    pub host: HostName,
    /// Write the files of the repository at `--repo` instead of your own.
    #[arg(long)]
    pub project: bool,
    /// Take out again what was written, and nothing else.
    #[arg(long)]
    pub undo: bool,
    /// Show what would change, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HostName {
    ClaudeCode,
    Codex,
    Cursor,
    Vscode,
    Opencode,
    Gemini,
    /// Prints what to write where.
    Generic,
}

#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// mission, map, plan, sub-mission, return, findings, fold, report or envelope.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn repo_may_stand_before_or_behind() {
        for words in [
            &["atlas", "--repo", "x", "query", "callers_of: f"][..],
            &["atlas", "query", "callers_of: f", "--repo", "x"],
        ] {
            assert_eq!(Cli::try_parse_from(words).unwrap().repo, PathBuf::from("x"));
        }
    }

    #[test]
    fn a_scout_needs_questions_or_a_mission_and_not_both() {
        assert!(Cli::try_parse_from(["atlas", "scout"]).is_err());
        assert!(Cli::try_parse_from(["atlas", "scout", "--mission", "m.yaml"]).is_ok());
        assert!(Cli::try_parse_from(["atlas", "scout", "a question", "--mission", "m.yaml"]).is_err());
    }
}
