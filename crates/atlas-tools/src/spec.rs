//! Names, arguments and descriptions of the tools: the one source of their schemas.

use schemars::JsonSchema;
use serde::Deserialize;

/// The seven, in the contract's order.
pub const TOOL_NAMES: [&str; 7] =
    ["view_file", "list_dir", "search_text", "search_symbol", "graph_query", "test_dry_run", "memex_read"];

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewFile {
    /// Path relative to the repository.
    pub path: String,
    /// First line, 1-based.
    #[schemars(range(min = 1))]
    pub start_line: u32,
    /// Last line, inclusive; at most 100 lines are shown at once.
    #[schemars(range(min = 1))]
    pub end_line: u32,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDir {
    /// Directory relative to the repository; `.` is its root.
    pub path: String,
    /// Only entries whose path from this directory matches, below it too.
    #[serde(default)]
    pub glob: Option<String>,
    #[serde(default)]
    pub cursor: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchText {
    /// A regular expression (linear time, no look-around), or plain text with `regex: false`.
    pub pattern: String,
    /// Glob of the files to search; everything if absent.
    #[serde(default)]
    pub scope: Option<String>,
    #[serde(default = "yes")]
    pub regex: bool,
    /// Matches in one answer, 1 to 50.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: usize,
    #[serde(default)]
    pub cursor: Option<String>,
}

fn yes() -> bool {
    true
}

fn fifty() -> usize {
    atlas_artifact::limits::SEARCH_MATCHES
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchSymbol {
    /// `record`, `Vote.record`, `vote::record` or `src/vote.py:Vote.record`.
    pub name: String,
    /// `any`, `definition`, `reference`, or a kind of definition such as `class` or `method`.
    #[serde(default = "any")]
    pub kind: String,
    #[serde(default)]
    pub cursor: Option<String>,
}

fn any() -> String {
    "any".to_owned()
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphQuery {
    /// `verb: arg` or `verb(arg, depth=N)`, for example `callers_of: Vote.record`.
    pub query: String,
    #[serde(default)]
    pub cursor: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestDryRun {
    /// The test file, relative to the repository.
    pub path: String,
    /// One case of it, by the runner's own name.
    #[serde(default)]
    pub case: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemexRead {
    /// `memex://excerpt/` and the SHA-256 of the bytes.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// What a client is told of a tool.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub input: serde_json::Value,
    /// JSON Schema of its answer.
    pub output: serde_json::Value,
}

/// All seven.
#[must_use]
pub fn tool_specs() -> Vec<ToolSpec> {
    fn of<T: JsonSchema>(name: &'static str, description: &'static str) -> ToolSpec {
        ToolSpec {
            name,
            description,
            input: crate::output::plain(schemars::schema_for!(T).to_value()),
            output: crate::output::schema(name),
        }
    }
    vec![
        of::<ViewFile>(
            "view_file",
            "Shows lines of one file, at most 100 at once, with the reference of their exact bytes.",
        ),
        of::<ListDir>(
            "list_dir",
            "Lists a directory of the repository, at most 200 entries at once; ignored files are not there.",
        ),
        of::<SearchText>(
            "search_text",
            "Finds text or a regular expression in files, ordered by path, line and column.",
        ),
        of::<SearchSymbol>("search_symbol", "Finds definitions of a symbol and references to it, from the index."),
        of::<GraphQuery>(
            "graph_query",
            "Asks the code graph: definitions_of, callers_of, callees_of, implementers_of, subclasses_of, writers_to, readers_of, importers_of, imported_by, transitive_callers, callgraph_slice, path_between, cycles, god_nodes, communities, rationale, roots, untested.",
        ),
        of::<TestDryRun>(
            "test_dry_run",
            "Runs one test in a sandbox without network where nothing it writes stays; at most 30 seconds.",
        ),
        of::<MemexRead>("memex_read", "Reads the exact bytes of an excerpt by its reference."),
    ]
}
