//! `list_dir`: what a directory of the surface holds.

use crate::page::{Page, offset_cursor, read_offset_cursor, version_of};
use crate::spec::ListDir;
use crate::surface::normal_path;
use crate::{ToolError, ToolSurface};
use atlas_artifact::limits::LIST_ENTRIES;
use atlas_tree::Scope;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub fn run(surface: &ToolSurface, args: &ListDir) -> Result<Value, ToolError> {
    let dir = match args.path.as_str() {
        "" | "." | "./" | "/" => String::new(),
        other => format!("{}/", normal_path(other)?),
    };
    let glob = match &args.glob {
        Some(glob) => Some(Scope::new([glob], [] as [&str; 0]).map_err(|e| ToolError::invalid(e.to_string()))?),
        None => None,
    };
    // Without a glob: the directory's own entries. With one: every path below it that matches.
    let mut entries: BTreeMap<String, Option<u64>> = BTreeMap::new();
    let mut inside = false;
    let mut outside = false;
    for entry in surface.tree.files() {
        let Some(rest) = entry.path.as_str().strip_prefix(dir.as_str()) else { continue };
        if !surface.scope.contains(&entry.path) {
            outside = true;
            continue;
        }
        inside = true;
        match (&glob, rest.split_once('/')) {
            (Some(glob), _) => {
                if glob.contains_str(rest) {
                    entries.insert(rest.to_owned(), Some(entry.size));
                }
            }
            (None, Some((child, _))) => {
                entries.entry(child.to_owned()).or_insert(None);
            }
            (None, None) => {
                entries.insert(rest.to_owned(), Some(entry.size));
            }
        }
    }
    if !inside && !dir.is_empty() {
        return Err(if outside {
            ToolError::out_of_scope(format!("`{}` is outside this scope", args.path))
        } else {
            ToolError::not_found(format!("`{}` is not a directory of the surface", args.path))
        });
    }
    let mut names = String::new();
    for name in entries.keys() {
        names.push_str(name);
        names.push('\n');
    }
    let version =
        version_of(&[b"list_dir", dir.as_bytes(), args.glob.as_deref().unwrap_or("").as_bytes(), names.as_bytes()]);
    let from = read_offset_cursor(args.cursor.as_deref(), version)?;
    let shown_dir = if dir.is_empty() { "." } else { dir.trim_end_matches('/') };
    let mut head = Map::new();
    head.insert("path".to_owned(), json!(shown_dir));
    head.insert("total".to_owned(), json!(entries.len()));
    let mut page = Page::new(head, "entries", LIST_ENTRIES);
    for (name, size) in entries.iter().skip(from) {
        let item = match size {
            Some(size) => json!({ "name": name, "kind": "file", "size": size }),
            None => json!({ "name": name, "kind": "dir" }),
        };
        if !page.push(item)? {
            break;
        }
    }
    let end = from + page.len();
    let next = (end < entries.len()).then(|| offset_cursor(version, end));
    Ok(page.finish(next))
}
