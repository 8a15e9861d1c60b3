//! `atlas map`.

use super::{clean, print, print_json, workspace};
use crate::args::{Cli, Format, MapArgs};
use crate::exit::{Exit, Failure};
use atlas_artifact::{Map, MissionScope};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of each list that a person is shown; the JSON form has all.
const SHOWN: usize = 15;

pub fn run(cli: &Cli, args: &MapArgs) -> Result<Exit, Failure> {
    let (workspace, bars) = workspace(cli)?;
    let include = if args.include.is_empty() { vec!["**".to_owned()] } else { args.include.clone() };
    let scope = MissionScope { include, exclude: args.exclude.clone() };
    let map = workspace.map(super::missions::identifier(None)?, &scope)?;
    bars.clear();
    match args.format {
        Format::Json => print_json(&map)?,
        Format::Text => print(&text(&map))?,
    }
    Ok(Exit::Done)
}

fn text(map: &Map) -> String {
    let mut out = String::new();
    let files = map.graph.file_graph.files.len();
    let confident = map.graph.edges.iter().filter(|edge| edge.confidence != "AMBIGUOUS").count();
    let _ = writeln!(
        out,
        "{files} files, {} modules, {} nodes, {confident} confident edges of {}, {} unresolved references",
        map.modules.len(),
        map.graph.nodes.len(),
        map.graph.edges.len(),
        map.graph.unresolved
    );
    let _ = writeln!(out, "\nmodules by centrality ({}):", map.analyses);
    for module in map.modules.iter().take(SHOWN) {
        let _ = writeln!(
            out,
            "  {:.4}  {}  {} files, {} lines",
            module.centrality,
            clean(&module.path),
            module.files,
            module.lines
        );
    }
    rest(&mut out, map.modules.len());
    let _ = writeln!(out, "\nroots:");
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for root in &map.roots {
        *kinds.entry(&root.kind).or_default() += 1;
    }
    for (kind, count) in &kinds {
        let _ = writeln!(out, "  {count} {kind}");
    }
    for root in map.roots.iter().filter(|root| root.kind != "test").take(SHOWN) {
        let route = root.route.as_deref().map_or_else(String::new, |route| format!("  {}", clean(route)));
        let _ = writeln!(out, "  {}:{}  {} {}{route}", clean(&root.path), root.line, root.kind, clean(&root.name));
    }
    rest(&mut out, map.roots.iter().filter(|root| root.kind != "test").count());
    if !map.heat.is_empty() {
        let _ = writeln!(out, "\nheat, 90 days back from the newest commit:");
        for heat in map.heat.iter().take(SHOWN) {
            let _ = writeln!(out, "  {} commits by {} authors  {}", heat.commits, heat.authors, clean(&heat.path));
        }
        rest(&mut out, map.heat.len());
    }
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for gap in &map.gaps {
        // The word that the artifact has for it.
        let reason = serde_json::to_value(gap.reason).ok();
        let reason = reason.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        *reasons.entry(reason).or_default() += 1;
    }
    let _ = writeln!(out, "\ngaps: {}", map.gaps.len());
    for (reason, count) in reasons {
        let _ = writeln!(out, "  {count} {reason}");
    }
    out
}

fn rest(out: &mut String, all: usize) {
    if all > SHOWN {
        let _ = writeln!(out, "  … {} more (--format json has all)", all - SHOWN);
    }
}
