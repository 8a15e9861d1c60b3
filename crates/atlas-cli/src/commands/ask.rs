//! The parts on their own: `query`, `symbol`, `text`, `search`, `tool`.

use super::{clean, print, print_json, workspace};
use crate::args::{Cli, Format, QueryArgs, SearchArgs, SymbolArgs, TextArgs, ToolArgs};
use crate::exit::{Exit, Failure};
use atlas_engine::Workspace;
use atlas_tools::{TOOL_NAMES, ToolError, ToolSurface};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::Read;

fn failed(error: &ToolError) -> Failure {
    let code = json!(error.error);
    Failure::new(format!("{}: {}", code.as_str().unwrap_or("error"), error.message))
}

pub fn query(cli: &Cli, args: &QueryArgs) -> Result<Exit, Failure> {
    let (workspace, bars) = workspace(cli)?;
    let surface = workspace.tools();
    bars.clear();
    let mut answer = page(&surface, "graph_query", json!({ "query": args.query }), args.cursor.as_deref())?;
    if args.all {
        join_pages(&surface, &args.query, &mut answer)?;
    }
    match args.format {
        Format::Json => print_json(&answer)?,
        Format::Text => print(&graph_text(&answer))?,
    }
    Ok(Exit::Done)
}

fn page(surface: &ToolSurface, tool: &str, mut args: Value, cursor: Option<&str>) -> Result<Value, Failure> {
    if let (Some(cursor), Some(object)) = (cursor, args.as_object_mut()) {
        object.insert("cursor".to_owned(), json!(cursor));
    }
    surface.call(tool, &args).map_err(|error| failed(&error))
}

/// Appends every further page to the first.
fn join_pages(surface: &ToolSurface, query: &str, answer: &mut Value) -> Result<(), Failure> {
    while let Some(cursor) = answer.get("next_cursor").and_then(Value::as_str).map(str::to_owned) {
        let next = page(surface, "graph_query", json!({ "query": query }), Some(&cursor))?;
        let Some(object) = answer.as_object_mut() else { break };
        object.remove("next_cursor");
        for list in ["edges", "nodes"] {
            if let (Some(Value::Array(all)), Some(Value::Array(more))) = (object.get_mut(list), next.get(list)) {
                all.extend(more.iter().cloned());
            }
        }
        for key in ["truncated", "next_cursor"] {
            if let Some(value) = next.get(key) {
                object.insert(key.to_owned(), value.clone());
            }
        }
    }
    Ok(())
}

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn graph_text(answer: &Value) -> String {
    let mut out = String::new();
    let rows = |list: &str| answer.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
    for edge in rows("edges") {
        let site = edge.get("site").cloned().unwrap_or_default();
        let name = |key: &str| {
            let place = edge.get(key).cloned().unwrap_or_default();
            if place.is_null() { None } else { Some(text_of(&place, "name").to_owned()) }
        };
        let source = name("source").unwrap_or_else(|| "(top level)".to_owned());
        let target = name("target").unwrap_or_else(|| match edge.get("candidates").and_then(Value::as_array) {
            Some(candidates) => {
                let names: Vec<&str> = candidates.iter().take(3).map(|c| text_of(c, "name")).collect();
                let more = candidates.len().saturating_sub(3);
                if more > 0 { format!("{} or {more} others", names.join(" or ")) } else { names.join(" or ") }
            }
            None => "?".to_owned(),
        });
        let line = site.get("line").and_then(Value::as_u64).unwrap_or(0);
        let _ = writeln!(
            out,
            "{}:{line}  {source} -> {target}  {} {}{}",
            clean(text_of(&site, "path")),
            text_of(&edge, "relation"),
            text_of(&edge, "confidence"),
            edge.get("rule").and_then(Value::as_str).map_or_else(String::new, |rule| format!(" ({rule})")),
        );
    }
    for node in rows("nodes") {
        let line = node.get("line").and_then(Value::as_u64).unwrap_or(0);
        let _ = writeln!(
            out,
            "{}:{line}  {} {}  {}",
            clean(text_of(&node, "path")),
            text_of(&node, "kind"),
            clean(text_of(&node, "name")),
            clean(text_of(&node, "note"))
        );
    }
    let number = |key: &str| answer.get(key).and_then(Value::as_u64).unwrap_or(0);
    let shown = rows("edges").len() + rows("nodes").len();
    let _ = writeln!(
        out,
        "{shown} of {} rows; {} definitions matched; {} calls of that name lead nowhere known",
        number("total"),
        number("matched"),
        number("unresolved_refs")
    );
    let completeness = answer.get("completeness").cloned().unwrap_or_default();
    if completeness.get("complete") == Some(&Value::Bool(false)) {
        let count = |key: &str| completeness.get(key).and_then(Value::as_u64).unwrap_or(0);
        let _ = writeln!(
            out,
            "not complete: {} files could not be indexed, {} only in part",
            count("files_not_indexed"),
            count("files_partly_parsed")
        );
    }
    more(&mut out, answer);
    out
}

fn more(out: &mut String, answer: &Value) {
    if let Some(cursor) = answer.get("next_cursor").and_then(Value::as_str) {
        let _ = writeln!(out, "more: --cursor '{cursor}'");
    }
}

pub fn symbol(cli: &Cli, args: &SymbolArgs) -> Result<Exit, Failure> {
    let (workspace, bars) = workspace(cli)?;
    let surface = workspace.tools();
    bars.clear();
    let call = json!({ "name": args.name, "kind": args.kind });
    let answer = page(&surface, "search_symbol", call, args.cursor.as_deref())?;
    if args.format == Format::Json {
        print_json(&answer)?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    for row in answer.get("symbols").and_then(Value::as_array).into_iter().flatten() {
        let number = |key: &str| row.get(key).and_then(Value::as_u64).unwrap_or(0);
        let _ = writeln!(
            out,
            "{}:{}:{}  {} {} {}",
            clean(text_of(row, "path")),
            number("line"),
            number("column"),
            text_of(row, "role"),
            text_of(row, "kind"),
            clean(text_of(row, "name"))
        );
    }
    let total = answer.get("total").and_then(Value::as_u64).unwrap_or(0);
    let _ = writeln!(out, "{total} in all");
    more(&mut out, &answer);
    print(&out)?;
    Ok(Exit::Done)
}

pub fn text(cli: &Cli, args: &TextArgs) -> Result<Exit, Failure> {
    // Text needs no index.
    let surface = super::text_tools(cli)?;
    let mut call = json!({ "pattern": args.pattern, "regex": !args.fixed, "limit": args.limit });
    if let (Some(scope), Some(object)) = (&args.scope, call.as_object_mut()) {
        object.insert("scope".to_owned(), json!(scope));
    }
    let answer = page(&surface, "search_text", call, args.cursor.as_deref())?;
    if args.format == Format::Json {
        print_json(&answer)?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    for row in answer.get("matches").and_then(Value::as_array).into_iter().flatten() {
        let number = |key: &str| row.get(key).and_then(Value::as_u64).unwrap_or(0);
        let _ = writeln!(
            out,
            "{}:{}:{}: {}",
            clean(text_of(row, "path")),
            number("line"),
            number("column"),
            clean(text_of(row, "preview"))
        );
    }
    more(&mut out, &answer);
    print(&out)?;
    Ok(Exit::Done)
}

pub fn search(cli: &Cli, args: &SearchArgs) -> Result<Exit, Failure> {
    let question = if args.question == "-" {
        let mut text = String::new();
        std::io::stdin().lock().take(1 << 20).read_to_string(&mut text)?;
        text
    } else {
        args.question.clone()
    };
    let (workspace, bars) = workspace(cli)?;
    bars.clear();
    let found = workspace.search(&question, args.limit);
    match args.format {
        Format::Json => print_json(&found)?,
        Format::Text => {
            let mut out = String::new();
            for file in &found.files {
                let _ = writeln!(out, "{:8.3}  {}", file.score, clean(&file.path));
            }
            out.push('\n');
            for symbol in &found.symbols {
                let _ = writeln!(
                    out,
                    "{:8.3}  {}:{}-{}  {}",
                    symbol.score,
                    clean(&symbol.path),
                    symbol.start,
                    symbol.end,
                    clean(&symbol.name)
                );
            }
            print(&out)?;
        }
    }
    Ok(Exit::Done)
}

pub fn tool(cli: &Cli, args: &ToolArgs) -> Result<Exit, Failure> {
    let call: Value = serde_json::from_str(&args.args)
        .map_err(|error| Failure::new(format!("the arguments are not JSON: {error}")).with(Exit::Usage))?;
    let needs_index = matches!(args.name.as_str(), "search_symbol" | "graph_query");
    let surface = if needs_index || !TOOL_NAMES.contains(&args.name.as_str()) {
        workspace(cli)?.0.tools()
    } else {
        super::text_tools(cli)?
    };
    let surface = match &args.mission_dir {
        Some(dir) => surface.with_excerpts(Workspace::excerpts(dir)),
        None => surface,
    };
    match surface.call(&args.name, &call) {
        Ok(answer) => {
            print_json(&answer)?;
            Ok(Exit::Done)
        }
        Err(error) => {
            print_json(&error)?;
            Ok(Exit::Failed)
        }
    }
}
