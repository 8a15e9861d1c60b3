//! Typed calls of the tools: JSON in, rows out.

use atlas_tools::{Ranked, RetryHint, ToolError, ToolSurface};
use serde::Deserialize;
use serde_json::json;

/// A row of `graph_query`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Edge {
    pub relation: String,
    pub confidence: String,
    pub site: Site,
    pub source: Option<Place>,
    pub target: Option<Place>,
    #[serde(default)]
    pub rule: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Site {
    pub path: String,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Place {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub kind: String,
}

/// A row of a verb about nodes.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Node {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub note: String,
}

/// A whole answer of `graph_query`, its pages joined as far as they were asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct GraphAnswer {
    pub edges: Vec<Edge>,
    pub nodes: Vec<Node>,
    pub total: u64,
    pub unresolved: u64,
    pub matched: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Match {
    pub path: String,
    pub line: u32,
    pub preview: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Symbol {
    pub role: String,
    pub path: String,
    pub line: u32,
    pub name: String,
    pub kind: String,
}

/// What a probe met besides an answer.
pub(crate) enum Trouble {
    /// The budget is spent: return what there is.
    Exhausted,
    /// This probe failed; others may not.
    Failed(String),
}

pub(crate) struct Tools<'t> {
    pub surface: &'t ToolSurface,
}

/// Pages of one graph answer that are read: a fact with more sites is counted, not listed.
const GRAPH_PAGES: usize = 3;

impl Tools<'_> {
    pub fn rank(&self, question: &str, limit: usize) -> Result<Ranked, Trouble> {
        self.surface.rank(question, limit).map_err(trouble)
    }

    pub fn graph(&self, query: &str) -> Result<GraphAnswer, Trouble> {
        let mut answer = GraphAnswer::default();
        let mut cursor: Option<String> = None;
        for _ in 0..GRAPH_PAGES {
            let args = match &cursor {
                Some(cursor) => json!({ "query": query, "cursor": cursor }),
                None => json!({ "query": query }),
            };
            let page = self.surface.call("graph_query", &args).map_err(trouble)?;
            let number = |key: &str| page.get(key).and_then(serde_json::Value::as_u64).unwrap_or(0);
            (answer.total, answer.unresolved, answer.matched) =
                (number("total"), number("unresolved_refs"), number("matched"));
            answer.edges.extend(rows::<Edge>(&page, "edges"));
            answer.nodes.extend(rows::<Node>(&page, "nodes"));
            cursor = page.get("next_cursor").and_then(|c| c.as_str()).map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        Ok(answer)
    }

    pub fn symbols(&self, name: &str) -> Result<Vec<Symbol>, Trouble> {
        let args = json!({ "name": name, "kind": "definition" });
        let page = self.surface.call("search_symbol", &args).map_err(trouble)?;
        Ok(rows(&page, "symbols"))
    }

    /// Matches, and whether there are more.
    pub fn text(&self, pattern: &str, regex: bool, limit: usize) -> Result<(Vec<Match>, bool), Trouble> {
        let args = json!({ "pattern": pattern, "regex": regex, "limit": limit });
        let page = self.surface.call("search_text", &args).map_err(trouble)?;
        let more = page.get("truncated").and_then(serde_json::Value::as_bool).unwrap_or(false);
        Ok((rows(&page, "matches"), more))
    }

    /// The text of some lines, cut to what one answer holds.
    pub fn view(&self, path: &str, start: u32, end: u32) -> Result<String, Trouble> {
        let args = json!({ "path": path, "start_line": start.max(1), "end_line": end.max(start).max(1) });
        let page = self.surface.call("view_file", &args).map_err(trouble)?;
        Ok(page.get("text").and_then(|t| t.as_str()).unwrap_or_default().to_owned())
    }
}

fn rows<T: serde::de::DeserializeOwned>(page: &serde_json::Value, list: &str) -> Vec<T> {
    let Some(items) = page.get(list).and_then(|items| items.as_array()) else { return Vec::new() };
    items.iter().filter_map(|item| T::deserialize(item).ok()).collect()
}

fn trouble(error: ToolError) -> Trouble {
    if error.retry_hint == RetryHint::ReturnNow { Trouble::Exhausted } else { Trouble::Failed(error.message) }
}
