//! What the tools answer, as JSON Schemas: for clients that check an answer's shape. The answers are
//! built elsewhere, element by element; a test holds the two together.

#![expect(dead_code, reason = "the types are read by the derive alone")]

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// Where an answer that was cut goes on.
#[derive(JsonSchema)]
struct Paged {
    /// There is more: ask again with `next_cursor`.
    truncated: bool,
    next_cursor: Option<String>,
}

#[derive(JsonSchema)]
struct Viewed {
    path: String,
    start_line: u32,
    /// The last line shown.
    end_line: u32,
    total_lines: u32,
    text: String,
    /// The exact bytes of these lines.
    excerpt_ref: Option<String>,
    /// Fewer lines than asked for; go on at `next_line`.
    truncated: bool,
    next_line: Option<u32>,
    /// A line that no answer holds: only its beginning is shown.
    clipped_line: Option<Clipped>,
    /// Said of text that is not UTF-8.
    encoding: Option<String>,
}

#[derive(JsonSchema)]
struct Clipped {
    line: u32,
    bytes: u64,
}

#[derive(JsonSchema)]
struct Listed {
    path: String,
    total: u64,
    entries: Vec<Entry>,
    #[serde(flatten)]
    page: Paged,
}

#[derive(JsonSchema)]
struct Entry {
    name: String,
    /// `file` or `dir`.
    kind: String,
    /// Bytes of a file.
    size: Option<u64>,
}

#[derive(JsonSchema)]
struct Found {
    matches: Vec<Match>,
    #[serde(flatten)]
    page: Paged,
}

#[derive(JsonSchema)]
struct Match {
    path: String,
    /// 1-based.
    line: u64,
    /// 1-based, in bytes.
    column: u64,
    /// At most 120 characters of the line.
    preview: String,
}

#[derive(JsonSchema)]
struct Symbols {
    total: u64,
    symbols: Vec<Symbol>,
    #[serde(flatten)]
    page: Paged,
}

#[derive(JsonSchema)]
struct Symbol {
    /// `definition` or `reference`.
    role: String,
    path: String,
    line: u32,
    column: u32,
    /// Lines of a definition.
    start: Option<u32>,
    end: Option<u32>,
    kind: String,
    name: String,
    /// The definition around a reference.
    within: Option<String>,
}

#[derive(JsonSchema)]
struct Edges {
    /// Calls of that name that lead nowhere known.
    unresolved_refs: u64,
    completeness: Completeness,
    /// Definitions and tables that the argument meant.
    matched: u64,
    total: u64,
    /// Rows withheld because they lie outside the scope.
    out_of_scope: Option<u64>,
    edges: Vec<Edge>,
    /// For verbs that are not about edges.
    nodes: Option<Vec<Node>>,
    #[serde(flatten)]
    page: Paged,
}

#[derive(JsonSchema)]
struct Completeness {
    /// Then "none" means none.
    complete: bool,
    files_not_indexed: u64,
    files_partly_parsed: u64,
}

#[derive(JsonSchema)]
struct Edge {
    relation: String,
    /// `EXTRACTED`, `INFERRED` or `AMBIGUOUS`.
    confidence: String,
    derived_from: String,
    site: Site,
    source: Option<Place>,
    target: Option<Place>,
    /// Only when AMBIGUOUS.
    candidates: Option<Vec<Place>>,
    candidates_total: Option<u64>,
    rule: Option<String>,
    withheld: Option<String>,
}

#[derive(JsonSchema)]
struct Site {
    path: String,
    line: u32,
}

#[derive(JsonSchema)]
struct Place {
    path: String,
    line: u32,
    name: String,
    kind: String,
}

#[derive(JsonSchema)]
struct Node {
    path: String,
    line: u32,
    name: String,
    kind: String,
    note: String,
}

#[derive(JsonSchema)]
struct Tested {
    runner: String,
    ran: u64,
    passed: u64,
    failed: u64,
    output: String,
    output_truncated: bool,
}

#[derive(JsonSchema)]
struct Excerpt {
    #[serde(rename = "ref")]
    reference: String,
    bytes: u64,
    /// The bytes, if they are UTF-8 …
    text: Option<String>,
    /// … and in hexadecimal if not.
    hex: Option<String>,
    truncated: bool,
}

/// The schema of what a tool answers.
pub(crate) fn schema(tool: &str) -> Value {
    match tool {
        "view_file" => of::<Viewed>(),
        "list_dir" => of::<Listed>(),
        "search_text" => of::<Found>(),
        "search_symbol" => of::<Symbols>(),
        "graph_query" => of::<Edges>(),
        "test_dry_run" => of::<Tested>(),
        "memex_read" => of::<Excerpt>(),
        _ => Value::Object(Map::from_iter([("type".to_owned(), Value::from("object"))])),
    }
}

fn of<T: JsonSchema>() -> Value {
    let mut schema = plain(schemars::schema_for!(T).to_value());
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("$schema");
    }
    schema
}

/// Without formats such as `uint32`, which are none of JSON Schema's: clients warn of them.
pub(crate) fn plain(mut schema: Value) -> Value {
    let mut open = vec![&mut schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                map.retain(|key, value| key != "format" || !value.as_str().is_some_and(|f| f.starts_with("uint")));
                open.extend(map.values_mut());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    schema
}
