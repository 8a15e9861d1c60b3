//! `search_symbol`: definitions and references by name, from the index.

use crate::page::{Page, offset_cursor, read_offset_cursor, version_of};
use crate::spec::SearchSymbol;
use crate::{ToolError, ToolSurface};
use atlas_graph::link::FileId;
use atlas_graph::query::{Symbol, find};
use atlas_syntax::{DefKind, RefKind};
use serde_json::{Map, Value, json};

const DEF_KINDS: [DefKind; 20] = [
    DefKind::Namespace,
    DefKind::Class,
    DefKind::Struct,
    DefKind::Union,
    DefKind::Interface,
    DefKind::Trait,
    DefKind::Enum,
    DefKind::EnumMember,
    DefKind::TypeAlias,
    DefKind::Function,
    DefKind::Method,
    DefKind::Constructor,
    DefKind::Property,
    DefKind::Field,
    DefKind::Variable,
    DefKind::Constant,
    DefKind::Macro,
    DefKind::Table,
    DefKind::Section,
    DefKind::Key,
];

pub fn run(surface: &ToolSurface, args: &SearchSymbol) -> Result<Value, ToolError> {
    let index = surface.index()?;
    let graph = &index.graph;
    let program = &graph.program;
    let wanted = DEF_KINDS.iter().copied().find(|kind| kind.as_str() == args.kind);
    if wanted.is_none() && !matches!(args.kind.as_str(), "any" | "definition" | "reference") {
        let kinds: Vec<&str> = DEF_KINDS.iter().map(|kind| kind.as_str()).collect();
        return Err(ToolError::invalid(format!(
            "`kind` must be any, definition, reference or one of {}",
            kinds.join(", ")
        )));
    }
    let symbol = Symbol::parse(&args.name);
    let Some(last) = symbol.names.last() else {
        return Err(ToolError::invalid("`name` holds no name"));
    };
    // (path order, line, column, role)
    let mut rows: Vec<(FileId, u32, u32, Value)> = Vec::new();
    if args.kind != "reference" {
        for node in find(graph, &symbol) {
            let (Some(file), Some(def)) = (graph.file_of(node), program.def(node)) else { continue };
            if wanted.is_some_and(|kind| kind != def.kind) || !surface.scope.contains(program.path(file)) {
                continue;
            }
            rows.push((file, def.name_line, def.name_column, json!({
                "role": "definition", "path": program.path(file).as_str(), "line": def.name_line, "column": def.name_column,
                "start": def.start, "end": def.end, "kind": def.kind.as_str(), "name": graph.qualified_name(node),
            })));
        }
    }
    if matches!(args.kind.as_str(), "any" | "reference") {
        for (id, file) in program.files().iter().enumerate() {
            let id = id as FileId;
            let facts = &file.facts;
            let Some(sym) = facts.strings.iter().position(|s| **s == **last) else { continue };
            if !surface.scope.contains(&file.path) {
                continue;
            }
            for r in facts.refs.iter().filter(|r| r.name == sym as u32) {
                let within = r.within.map(|ix| graph.qualified_name(program.def_node(id, ix)));
                rows.push((
                    id,
                    r.line,
                    r.column,
                    json!({
                        "role": "reference", "path": file.path.as_str(), "line": r.line, "column": r.column,
                        "kind": ref_kind(r.kind), "name": last, "within": within,
                    }),
                ));
            }
        }
    }
    rows.sort_by_key(|row| (row.0, row.1, row.2));
    rows.dedup_by(|a, b| a.3 == b.3);
    let version =
        version_of(&[b"search_symbol", args.name.as_bytes(), args.kind.as_bytes(), &index.version.to_le_bytes()]);
    let from = read_offset_cursor(args.cursor.as_deref(), version)?;
    let mut head = Map::new();
    head.insert("total".to_owned(), json!(rows.len()));
    let mut page = Page::new(head, "symbols", usize::MAX);
    for row in rows.iter().skip(from) {
        if !page.push(row.3.clone())? {
            break;
        }
    }
    let end = from + page.len();
    let next = (end < rows.len()).then(|| offset_cursor(version, end));
    Ok(page.finish(next))
}

fn ref_kind(kind: RefKind) -> &'static str {
    match kind {
        RefKind::Call => "call",
        RefKind::Construct => "construct",
        RefKind::Read => "read",
        RefKind::Write => "write",
        RefKind::TypeUse => "type",
        RefKind::Decorator => "decorator",
        RefKind::Macro => "macro",
    }
}
