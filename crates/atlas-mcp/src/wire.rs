//! Tools and their answers as clients see them.

use atlas_tools::{ToolError, ToolSpec};
use rmcp::model::{CallToolResult, ContentBlock, Implementation, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;
use std::sync::Arc;

/// In which of its two places an answer's payload goes; it is never sent in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answers {
    /// As text for clients that are known to show their model nothing else, else structured.
    #[default]
    Auto,
    /// `structuredContent`, and one line of text about it.
    Structured,
    /// Compact JSON as text.
    Text,
}

/// Parts of the names of clients that hand the text alone to their model.
const TEXT_ONLY: [&str; 4] = ["opencode", "gemini", "qwen", "cursor"];

impl Answers {
    /// Whether this client is sent text.
    pub fn as_text(self, client: Option<&Implementation>) -> bool {
        match self {
            Self::Structured => false,
            Self::Text => true,
            Self::Auto => client.is_some_and(|client| {
                let name = client.name.to_ascii_lowercase();
                TEXT_ONLY.iter().any(|part| name.contains(part))
            }),
        }
    }
}

/// A tool as it is listed. A client that is sent text is shown no schema of structured answers: it
/// would insist on them.
pub fn tool(spec: &ToolSpec, as_text: bool) -> Tool {
    listed(spec.name, spec.description, spec.input.clone(), (!as_text).then(|| spec.output.clone()), true)
}

/// One tool that may be no tool of a branch.
pub fn listed(
    name: &'static str,
    description: &'static str,
    input: Value,
    output: Option<Value>,
    read_only: bool,
) -> Tool {
    let mut tool = Tool::new(name, description, object(input));
    if let Some(output) = output {
        tool.output_schema = Some(object(output));
    }
    // Repeating a reading call changes nothing; nothing here reaches beyond this machine.
    let annotations = ToolAnnotations::new().read_only(read_only).destructive(false).open_world(false);
    tool.annotations = Some(if read_only { annotations.idempotent(true) } else { annotations });
    tool
}

fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(match value {
        Value::Object(map) => map,
        _ => JsonObject::new(),
    })
}

/// An answer. Errors are text for everybody: schemas describe what tools answer, not how they fail.
pub fn answer(tool: &str, answer: Result<Value, ToolError>, as_text: bool) -> CallToolResult {
    match answer {
        Ok(value) if as_text => CallToolResult::success(vec![ContentBlock::text(value.to_string())]),
        Ok(value) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(gist(tool, &value))]);
            result.structured_content = Some(value);
            result
        }
        Err(error) => {
            CallToolResult::error(vec![ContentBlock::text(serde_json::to_string(&error).unwrap_or(error.message))])
        }
    }
}

/// One line about a structured answer.
fn gist(tool: &str, value: &Value) -> String {
    let lists = ["matches", "entries", "symbols", "edges", "nodes", "findings", "branches"];
    let mut parts: Vec<String> = lists
        .iter()
        .filter_map(|list| Some((value.get(list)?.as_array()?.len(), list)))
        .map(|(count, list)| format!("{count} {list}"))
        .collect();
    if let (Some(path), Some(start), Some(end)) =
        (value.get("path").and_then(Value::as_str), value.get("start_line"), value.get("end_line"))
    {
        parts.push(format!("{path}:{start}-{end}"));
    }
    if parts.is_empty() {
        parts.push("done".to_owned());
    }
    if value.get("truncated") == Some(&Value::Bool(true)) {
        parts.push("there is more".to_owned());
    }
    format!("{tool}: {} (see structuredContent)", parts.join(", "))
}
