//! What each verb selects from the graph.

use super::symbols::{Symbol, find, find_files};
use super::{Answer, EdgeRow, NodeRow, Query, QueryError, Site, Verb, edge_row};
use crate::analyse;
use crate::graph::{Edge, Graph, Place, Relation};
use crate::link::{FileId, NodeId};
use atlas_syntax::{DefFlags, DefKind};
use atlas_tree::Scope;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Rows that a ranking verb gives at most: beyond them a rank says nothing.
const RANKED_MAX: usize = 50;

/// Runs a query over the whole graph.
///
/// # Errors
/// An argument that cannot be understood, such as a bad glob.
pub fn run(graph: &Graph, query: &Query) -> Result<Answer, QueryError> {
    let arg = query.args.first().map_or("", String::as_str);
    Ok(match query.verb {
        Verb::DefinitionsOf => definitions_of(graph, arg),
        Verb::CallersOf => incoming(graph, arg, &[Relation::Call, Relation::Construct]),
        Verb::CalleesOf => callees_of(graph, arg),
        Verb::ImplementersOf => implementers_of(graph, arg),
        Verb::SubclassesOf => incoming(graph, arg, &[Relation::Inherit]),
        Verb::WritersTo => data_access(graph, arg, Relation::Write),
        Verb::ReadersOf => data_access(graph, arg, Relation::Read),
        Verb::ImportersOf => importers_of(graph, arg),
        Verb::ImportedBy => imported_by(graph, arg),
        Verb::TransitiveCallers => transitive_callers(graph, arg, query.depth.unwrap_or(3)),
        Verb::CallgraphSlice => callgraph_slice(graph, arg)?,
        Verb::PathBetween => path_between(graph, arg, query.args.get(1).map_or("", String::as_str)),
        Verb::Cycles => cycles(graph),
        Verb::GodNodes => god_nodes(graph),
        Verb::Communities => communities(graph),
        Verb::Rationale => rationale(graph, arg),
        Verb::Roots => roots(graph, arg),
        Verb::Untested => untested(graph, arg)?,
    })
}

fn rows(graph: &Graph, ids: impl IntoIterator<Item = u32>) -> Vec<EdgeRow> {
    // Edge ids are in site order.
    let ids: BTreeSet<u32> = ids.into_iter().collect();
    ids.into_iter().map(|id| edge_row(graph, graph.edge(id))).collect()
}

/// Calls by that last name which led nowhere.
fn unresolved(graph: &Graph, symbol: &Symbol) -> u64 {
    let Some(name) = symbol.names.last() else { return 0 };
    graph.unresolved().iter().filter(|u| *u.name == **name).count() as u64
}

fn incoming(graph: &Graph, arg: &str, relations: &[Relation]) -> Answer {
    let symbol = Symbol::parse(arg);
    let nodes = find(graph, &symbol);
    let ids = nodes.iter().flat_map(|&node| graph.incoming(node)).copied();
    let ids = ids.filter(|&id| relations.contains(&graph.edge(id).relation));
    Answer {
        edges: rows(graph, ids),
        nodes: Vec::new(),
        unresolved_refs: unresolved(graph, &symbol),
        matched: nodes.len() as u64,
    }
}

fn definitions_of(graph: &Graph, arg: &str) -> Answer {
    let symbol = Symbol::parse(arg);
    let nodes = find(graph, &symbol);
    let program = &graph.program;
    let edges = nodes
        .iter()
        .filter_map(|&node| {
            let target = graph.place(node)?;
            let source = program.container(node).filter(|&c| program.def(c).is_some()).and_then(|c| graph.place(c));
            Some(EdgeRow {
                relation: "define".to_owned(),
                confidence: "EXTRACTED".to_owned(),
                derived_from: "ast".to_owned(),
                site: Site { path: target.path.clone(), line: target.line },
                source,
                target: Some(target),
                candidates: None,
                rule: None,
            })
        })
        .collect();
    Answer { edges, nodes: Vec::new(), unresolved_refs: unresolved(graph, &symbol), matched: nodes.len() as u64 }
}

/// The node and everything that stands in it.
fn subtree(graph: &Graph, node: NodeId) -> Vec<NodeId> {
    let program = &graph.program;
    if graph.table(node).is_some() {
        return vec![node];
    }
    let file = program.file_of(node);
    let mut inside = vec![node];
    let mut known: BTreeSet<NodeId> = BTreeSet::from([node]);
    for ix in 0..program.facts(file).defs.len() as u32 {
        let member = program.def_node(file, ix);
        let up = program.container(member);
        if member != node && (up.is_some_and(|up| known.contains(&up)) || graph.type_around(member) == Some(node)) {
            known.insert(member);
            inside.push(member);
        }
    }
    inside
}

fn callees_of(graph: &Graph, arg: &str) -> Answer {
    let nodes = find(graph, &Symbol::parse(arg));
    let inside: Vec<NodeId> = nodes.iter().flat_map(|&node| subtree(graph, node)).collect();
    let ids = inside.iter().flat_map(|&node| graph.outgoing(node)).copied();
    let ids = ids.filter(|&id| matches!(graph.edge(id).relation, Relation::Call | Relation::Construct));
    let sources: BTreeSet<NodeId> = inside.iter().copied().collect();
    let open = graph.unresolved().iter().filter(|u| sources.contains(&u.source)).count() as u64;
    Answer { edges: rows(graph, ids), nodes: Vec::new(), unresolved_refs: open, matched: nodes.len() as u64 }
}

/// Types that implement an interface or trait; for a class, which has no implementers in the strict
/// sense, its direct children.
fn implementers_of(graph: &Graph, arg: &str) -> Answer {
    let symbol = Symbol::parse(arg);
    let nodes = find(graph, &symbol);
    let program = &graph.program;
    let mut ids = Vec::new();
    for &node in &nodes {
        let is_interface = program.def(node).is_some_and(|d| matches!(d.kind, DefKind::Interface | DefKind::Trait));
        ids.extend(graph.incoming(node).iter().copied().filter(|&id| match graph.edge(id).relation {
            Relation::Implement | Relation::Include => true,
            Relation::Inherit => !is_interface,
            _ => false,
        }));
    }
    Answer {
        edges: rows(graph, ids),
        nodes: Vec::new(),
        unresolved_refs: unresolved(graph, &symbol),
        matched: nodes.len() as u64,
    }
}

/// Writers or readers of a table, of the model that stands for it, or of a variable or field.
fn data_access(graph: &Graph, arg: &str, relation: Relation) -> Answer {
    let symbol = Symbol::parse(arg);
    let mut nodes = find(graph, &symbol);
    for (at, table) in graph.tables().iter().enumerate() {
        if table.models.iter().any(|model| nodes.contains(model)) {
            nodes.push(graph.table_node(at));
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    // A table's model is a class; what merely names the class neither reads nor writes the table.
    let tables: Vec<NodeId> = nodes.iter().copied().filter(|&node| graph.table(node).is_some()).collect();
    let asked = if tables.is_empty() { &nodes } else { &tables };
    let ids = asked.iter().flat_map(|&node| graph.incoming(node)).copied();
    let ids = ids.filter(|&id| graph.edge(id).relation == relation);
    Answer { edges: rows(graph, ids), nodes: Vec::new(), unresolved_refs: 0, matched: nodes.len() as u64 }
}

fn importers_of(graph: &Graph, arg: &str) -> Answer {
    let files = find_files(graph, arg);
    let program = &graph.program;
    let mut nodes: Vec<NodeId> = files.clone();
    for &file in &files {
        let id = program.file_of(file);
        nodes.extend((0..program.facts(id).defs.len() as u32).map(|ix| program.def_node(id, ix)));
    }
    if files.is_empty() {
        nodes = find(graph, &Symbol::parse(arg));
    }
    let ids = nodes.iter().flat_map(|&node| graph.incoming(node)).copied();
    let ids = ids.filter(|&id| matches!(graph.edge(id).relation, Relation::Import | Relation::Include));
    let edges = rows(graph, ids);
    let matched = if files.is_empty() { nodes.len() } else { files.len() } as u64;
    Answer { edges, nodes: Vec::new(), unresolved_refs: 0, matched }
}

fn imported_by(graph: &Graph, arg: &str) -> Answer {
    let files = find_files(graph, arg);
    let nodes: Vec<NodeId> = if files.is_empty() { find(graph, &Symbol::parse(arg)) } else { files };
    let inside: Vec<NodeId> = nodes.iter().flat_map(|&node| subtree(graph, node)).collect();
    let ids = inside.iter().flat_map(|&node| graph.outgoing(node)).copied();
    let ids = ids.filter(|&id| matches!(graph.edge(id).relation, Relation::Import | Relation::Include));
    Answer { edges: rows(graph, ids), nodes: Vec::new(), unresolved_refs: 0, matched: nodes.len() as u64 }
}

fn is_call(edge: &Edge) -> bool {
    matches!(edge.relation, Relation::Call | Relation::Construct | Relation::Route)
}

fn transitive_callers(graph: &Graph, arg: &str, depth: u32) -> Answer {
    let symbol = Symbol::parse(arg);
    let nodes = find(graph, &symbol);
    let mut seen: BTreeSet<NodeId> = nodes.iter().copied().collect();
    let mut level: Vec<NodeId> = nodes.clone();
    let mut ids: BTreeSet<u32> = BTreeSet::new();
    for _ in 0..depth {
        let mut next = Vec::new();
        for &node in &level {
            for &id in graph.incoming(node) {
                let edge = graph.edge(id);
                if is_call(edge) && edge.confidence.is_confident() {
                    ids.insert(id);
                    if seen.insert(edge.source) {
                        next.push(edge.source);
                    }
                }
            }
        }
        level = next;
    }
    Answer {
        edges: rows(graph, ids),
        nodes: Vec::new(),
        unresolved_refs: unresolved(graph, &symbol),
        matched: nodes.len() as u64,
    }
}

fn scope(arg: &str) -> Result<Scope, QueryError> {
    let glob = if arg.is_empty() { "**" } else { arg };
    Scope::new([glob], [] as [&str; 0]).map_err(|error| QueryError(error.to_string()))
}

/// Calls and constructions that stay inside the scope.
fn callgraph_slice(graph: &Graph, arg: &str) -> Result<Answer, QueryError> {
    let scope = scope(arg)?;
    let program = &graph.program;
    let inside: Vec<bool> = program.files().iter().map(|file| scope.contains(&file.path)).collect();
    let is_inside = |node: NodeId| graph.file_of(node).is_some_and(|file| inside[file as usize]);
    let ids = (0..graph.edges().len() as u32).filter(|&id| {
        let edge = graph.edge(id);
        matches!(edge.relation, Relation::Call | Relation::Construct)
            && inside[edge.file as usize]
            && edge.targets.iter().any(|&target| is_inside(target))
    });
    let matched = inside.iter().filter(|&&inside| inside).count() as u64;
    Ok(Answer { edges: rows(graph, ids), nodes: Vec::new(), unresolved_refs: 0, matched })
}

/// A shortest chain of confident calls from a to b; its edges in the order of the chain.
fn path_between(graph: &Graph, from: &str, to: &str) -> Answer {
    let starts = find(graph, &Symbol::parse(from));
    let goals: BTreeSet<NodeId> = find(graph, &Symbol::parse(to)).into_iter().collect();
    let matched = (starts.len() + goals.len()) as u64;
    let mut came_by: BTreeMap<NodeId, Option<(NodeId, u32)>> = starts.iter().map(|&node| (node, None)).collect();
    let mut queue: VecDeque<NodeId> = starts.into();
    while let Some(node) = queue.pop_front() {
        if goals.contains(&node) {
            let mut chain = Vec::new();
            let mut at = node;
            while let Some(Some((before, id))) = came_by.get(&at) {
                chain.push(*id);
                at = *before;
            }
            chain.reverse();
            let edges = chain.into_iter().map(|id| edge_row(graph, graph.edge(id))).collect();
            return Answer { edges, nodes: Vec::new(), unresolved_refs: 0, matched };
        }
        for inner in subtree_calls(graph, node) {
            let edge = graph.edge(inner);
            if is_call(edge) && edge.confidence.is_confident() && !came_by.contains_key(&edge.targets[0]) {
                came_by.insert(edge.targets[0], Some((node, inner)));
                queue.push_back(edge.targets[0]);
            }
        }
    }
    Answer { edges: Vec::new(), nodes: Vec::new(), unresolved_refs: 0, matched }
}

/// Outgoing edges of a callable and of what is nested in it; of a class, its own alone.
fn subtree_calls(graph: &Graph, node: NodeId) -> Vec<u32> {
    if graph.program.def(node).is_some_and(|def| def.kind.is_callable()) {
        let mut ids: Vec<u32> = subtree(graph, node).into_iter().flat_map(|n| graph.outgoing(n)).copied().collect();
        ids.sort_unstable();
        ids
    } else {
        graph.outgoing(node).to_vec()
    }
}

/// Import and include edges between files that import each other, directly or around.
fn cycles(graph: &Graph) -> Answer {
    let files = graph.program.files().len();
    let mut next: Vec<Vec<(usize, u32)>> = vec![Vec::new(); files];
    for (id, edge) in graph.edges().iter().enumerate() {
        if matches!(edge.relation, Relation::Import | Relation::Include)
            && edge.confidence.is_confident()
            && let Some(to) = graph.file_of(edge.targets[0])
            && to != edge.file
        {
            next[edge.file as usize].push((to as usize, id as u32));
        }
    }
    let component = components(&next);
    let ids = next
        .iter()
        .enumerate()
        .flat_map(|(from, edges)| edges.iter().map(move |&(to, id)| (from, to, id)))
        .filter(|&(from, to, _)| component[from] == component[to])
        .map(|(_, _, id)| id);
    Answer { edges: rows(graph, ids), ..Answer::default() }
}

/// Strongly connected components, numbered; an explicit stack, for chains of any length.
fn components(next: &[Vec<(usize, u32)>]) -> Vec<usize> {
    let n = next.len();
    let (mut index, mut low, mut on_stack) = (vec![usize::MAX; n], vec![0; n], vec![false; n]);
    let (mut component, mut stack, mut count, mut number) = (vec![usize::MAX; n], Vec::new(), 0, 0);
    for root in 0..n {
        if index[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some(&mut (node, ref mut at)) = work.last_mut() {
            if *at == 0 {
                index[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&(to, _)) = next[node].get(*at) {
                *at += 1;
                if index[to] == usize::MAX {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component[member] = number;
                    if member == node {
                        break;
                    }
                }
                number += 1;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}

fn node_row(graph: &Graph, node: NodeId, note: String) -> Option<NodeRow> {
    let Place { path, line, name, kind } = graph.place(node)?;
    Some(NodeRow { path, line, name, kind, note })
}

/// Definitions with the most confident edges in and out.
fn god_nodes(graph: &Graph) -> Answer {
    let mut degrees: Vec<(usize, usize, NodeId)> = Vec::new();
    for node in 0..graph.program.node_count() {
        if graph.program.def(node).is_none() {
            continue;
        }
        let confident = |ids: &[u32]| ids.iter().filter(|&&id| graph.edge(id).confidence.is_confident()).count();
        let (into, out) = (confident(graph.incoming(node)), confident(graph.outgoing(node)));
        if into + out > 0 {
            degrees.push((into, out, node));
        }
    }
    degrees.sort_by_key(|&(into, out, node)| (std::cmp::Reverse(into + out), node));
    degrees.truncate(RANKED_MAX);
    let nodes =
        degrees.into_iter().filter_map(|(into, out, node)| node_row(graph, node, format!("in {into}, out {out}")));
    Answer { nodes: nodes.collect(), ..Answer::default() }
}

fn communities(graph: &Graph) -> Answer {
    let files = graph.program.files().len();
    let edges = graph.file_edges(|_| true);
    let labels = analyse::communities(&analyse::Csr::undirected(files, &edges));
    let nodes = labels.iter().enumerate().map(|(file, label)| NodeRow {
        path: graph.program.path(file as FileId).to_string(),
        line: 1,
        name: graph.program.path(file as FileId).to_string(),
        kind: "module".to_owned(),
        note: format!("community {label}"),
    });
    Answer { nodes: nodes.collect(), ..Answer::default() }
}

/// Where the documentation of a symbol stands: what its authors say of it.
fn rationale(graph: &Graph, arg: &str) -> Answer {
    let found = find(graph, &Symbol::parse(arg));
    let nodes = found.iter().filter_map(|&node| {
        let (start, end) = graph.program.def(node)?.doc?;
        let mut row = node_row(graph, node, format!("documented at lines {start}-{end}"))?;
        row.line = start;
        Some(row)
    });
    Answer { nodes: nodes.collect(), matched: found.len() as u64, ..Answer::default() }
}

/// Entry points; the argument, if any, is a kind or part of a route.
fn roots(graph: &Graph, arg: &str) -> Answer {
    let program = &graph.program;
    let mut nodes = Vec::new();
    for file in program.files() {
        for root in &file.facts.roots {
            let text = |sym: Option<u32>| sym.map_or("", |sym| file.facts.str(sym));
            let (verb, route) = (text(root.verb), text(root.route));
            let note = format!("{verb} {route}").trim().to_owned();
            let kind = root.kind.as_str();
            if arg.is_empty() || kind == arg || note.contains(arg) {
                nodes.push(NodeRow {
                    path: file.path.to_string(),
                    line: root.line,
                    name: file.facts.str(root.name).to_owned(),
                    kind: kind.to_owned(),
                    note: if note.is_empty() { file.facts.str(root.rule).to_owned() } else { note },
                });
            }
        }
    }
    nodes.sort_by(|a, b| (&a.path, a.line, &a.name, &a.note).cmp(&(&b.path, b.line, &b.name, &b.note)));
    let matched = nodes.len() as u64;
    Answer { nodes, matched, ..Answer::default() }
}

/// Functions and methods that no test calls, directly or through what it calls.
fn untested(graph: &Graph, arg: &str) -> Result<Answer, QueryError> {
    let scope = scope(arg)?;
    let program = &graph.program;
    let in_test = |node: NodeId| {
        let mut at = Some(node);
        while let Some(node) = at {
            if program.def(node).is_some_and(|def| def.flags.has(DefFlags::TEST)) {
                return true;
            }
            at = program.container(node);
        }
        false
    };
    let mut reached: BTreeSet<NodeId> = BTreeSet::new();
    let mut queue: VecDeque<NodeId> = VecDeque::new();
    for node in 0..program.node_count() {
        if program.def(node).is_some() && in_test(node) && reached.insert(node) {
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        for &id in graph.outgoing(node) {
            let edge = graph.edge(id);
            let exercises = is_call(edge) || edge.relation == Relation::Test;
            if exercises && edge.confidence.is_confident() && reached.insert(edge.targets[0]) {
                queue.push_back(edge.targets[0]);
            }
        }
    }
    let nodes = (0..program.node_count()).filter(|node| !reached.contains(node)).filter_map(|node| {
        let def = program.def(node)?;
        let wanted = def.kind.is_callable()
            && def.kind != DefKind::Macro
            && !def.flags.has(DefFlags::DECLARATION)
            && scope.contains(program.path(program.file_of(node)));
        if wanted { node_row(graph, node, "no test reaches it".to_owned()) } else { None }
    });
    let nodes: Vec<NodeRow> = nodes.collect();
    let matched = nodes.len() as u64;
    Ok(Answer { nodes, matched, ..Answer::default() })
}
