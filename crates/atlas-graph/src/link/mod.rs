//! Links the facts of many files into one graph.
//!
//! Three things meet here: the [`Program`] (all facts, numbered), one [`Semantics`] per family of
//! languages (its modules, imports and conventions), and an engine that knows scopes, bindings,
//! types and inheritance for all of them. What is deliberately *not* here: syntax, and analyses of
//! the finished graph.
//!
//! How a name is resolved, in order:
//! 1. scopes from the inside out: nested definitions, imports and locals of each function, members
//!    of each type where the language lets bare names mean them;
//! 2. the file's definitions, its imports, its variables;
//! 3. [`Rules::visible`]: what the language shows without an import;
//! 4. wildcard imports, then the language's own names;
//! 5. by name alone, inside the package, if [`Conventions`] allow it: never more than INFERRED.
//!
//! A member is looked up on the values of its receiver; a variable's values come from its declared
//! type or from what is bound to it ([`atlas_syntax::Binding`]; a definition of kind variable,
//! constant or field should have a binding of the same name and scope that holds its value).

mod eval;
mod generics;
mod index;
mod overload;
mod program;
mod resolve;
mod rules;

pub use eval::{Context, Eval, Outcome};
pub use index::{Index, Super};
pub use overload::FIT_EXACT;
pub use program::{ConfigFile, FileId, NodeId, Program, SourceFile, is_config};
pub use rules::{Conventions, Entity, ExtraBase, ModuleId, Rules, Semantics, Value};

use crate::graph::{Confidence, Derived, Edge, Graph, Parts, Relation, Table};
use rayon::prelude::*;
use resolve::{FileLinks, TableName, is_test};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Links a program. The result depends on the program and the semantics alone.
#[must_use]
pub fn link(program: Arc<Program>, semantics: &[&dyn Semantics]) -> Graph {
    let index = Index::new(&program, semantics);
    let links: Vec<FileLinks> =
        (0..program.files().len() as FileId).into_par_iter().map(|file| resolve::link_file(&index, file)).collect();
    let (tables, table_edges) = link_tables(&index, &links);
    let mut edges = table_edges;
    let mut unresolved = Vec::new();
    let mut external = 0;
    for file in links {
        edges.extend(file.edges);
        unresolved.extend(file.unresolved);
        external += file.external;
    }
    let tests = test_edges(&index, &edges);
    edges.extend(tests);
    let owners = index.owners.iter().map(|(&member, &owner)| (member, owner)).collect();
    let canonical = (0..program.node_count())
        .into_par_iter()
        .map(|node| (node, index.canonical(node)))
        .filter(|(node, canonical)| node != canonical)
        .collect();
    drop(index);
    Graph::new(program, Parts { edges, unresolved, tables, owners, canonical, external })
}

/// Tables become nodes by name (case folded as SQL does); a class stands for its table and so do
/// its descendants.
fn link_tables(index: &Index, links: &[FileLinks]) -> (Vec<Table>, Vec<Edge>) {
    let program = index.program;
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let mut table_of: FxHashMap<NodeId, String> = FxHashMap::default();
    for (id, file) in program.files().iter().enumerate() {
        let id = id as FileId;
        for def in &file.facts.table_defs {
            let name = file.facts.str(def.table);
            let key = name.to_lowercase();
            let table = tables.entry(key.clone()).or_insert_with(|| Table {
                name: name.into(),
                site: None,
                models: Vec::new(),
            });
            table.site = table.site.or(Some((id, def.line)));
            if let Some(ix) = def.model {
                let node = program.def_node(id, ix);
                table.models.push(node);
                table_of.insert(node, key);
            }
        }
    }
    let mut uses: Vec<(String, &resolve::TableLink, FileId)> = Vec::new();
    for (id, file) in links.iter().enumerate() {
        let id = id as FileId;
        for used in &file.table_uses {
            let key = match &used.target {
                TableName::Named(name) => {
                    let key = name.to_lowercase();
                    // `public.users` is the `users` that the tree defines, if it defines one.
                    match key.rsplit_once('.') {
                        Some((_, last)) if !tables.contains_key(&key) && tables.contains_key(last) => last.to_owned(),
                        _ => key,
                    }
                }
                TableName::Class(node) => {
                    let (ancestry, _) = index.ancestry(*node);
                    let known = ancestry.iter().find_map(|ancestor| table_of.get(ancestor)).cloned();
                    let implied = || implied_table(index, id, *node, &mut tables, &mut table_of);
                    let Some(key) = known.or_else(implied) else { continue };
                    key
                }
            };
            if let TableName::Named(name) = &used.target {
                tables.entry(key.clone()).or_insert_with(|| Table {
                    name: name.clone(),
                    site: None,
                    models: Vec::new(),
                });
            }
            uses.push((key, used, id));
        }
    }
    for table in tables.values_mut() {
        table.models.sort_unstable();
    }
    let number: BTreeMap<&str, NodeId> =
        tables.keys().enumerate().map(|(at, key)| (key.as_str(), program.node_count() + at as NodeId)).collect();
    let edges = uses
        .into_iter()
        .map(|(key, used, file)| Edge {
            file,
            line: used.line,
            column: used.column,
            relation: if used.write { Relation::Write } else { Relation::Read },
            source: used.source,
            targets: [number[key.as_str()]].into(),
            confidence: if used.sure { Confidence::Extracted } else { Confidence::Inferred },
            derived: Derived::Ast,
            rule: Some(used.rule.clone()),
        })
        .collect();
    (tables.into_values().collect(), edges)
}

/// Adds the table that a mapper makes of a class; see [`Rules::implied_table`].
fn implied_table(
    index: &Index,
    file: FileId,
    class: NodeId,
    tables: &mut BTreeMap<String, Table>,
    table_of: &mut FxHashMap<NodeId, String>,
) -> Option<String> {
    let name = index.rules_of(file)?.implied_table(file, class)?;
    let key = name.to_lowercase();
    let site = index.program.def(class).map(|def| (index.program.file_of(class), def.start));
    let table = tables.entry(key.clone()).or_insert_with(|| Table { name: name.into(), site, models: Vec::new() });
    table.models.push(class);
    table_of.insert(class, key.clone());
    Some(key)
}

/// What a test calls directly, it exercises.
fn test_edges(index: &Index, edges: &[Edge]) -> Vec<Edge> {
    edges
        .iter()
        .filter(|edge| matches!(edge.relation, Relation::Call | Relation::Construct))
        .filter(|edge| is_test(index, edge.source) && !is_test(index, edge.targets[0]))
        .filter_map(|edge| {
            // What a runner gives to a test by name is what the test is about.
            let injected = edge.rule.as_deref() == Some(resolve::INJECTED) && edge.targets.len() == 1;
            let confidence = match edge.confidence {
                Confidence::Ambiguous if !injected => return None,
                Confidence::Ambiguous => Confidence::Inferred,
                confident => confident,
            };
            Some(Edge { relation: Relation::Test, confidence, ..edge.clone() })
        })
        .collect()
}

#[cfg(test)]
mod tests;
