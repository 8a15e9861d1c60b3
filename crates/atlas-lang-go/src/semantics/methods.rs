//! Which types satisfy which interfaces: by method set, as the language has it.
//!
//! Types of parameters and results are compared by what they name; a part that is not known (a type
//! parameter, an anonymous struct) fits anything. Methods that an embedded type of another module
//! brings are not known, and what needs them is left out.

use super::GoRules;
use atlas_graph::link::{ExtraBase, FileId, NodeId, Program};
use atlas_syntax::{BaseRelation, BaseSub, BindingKind, DefFlags, DefIx, DefKind, Family, FileFacts, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How deep embedding and types are followed.
const DEPTH_MAX: u32 = 16;

/// What a method is called with and gives, in one text; `?` fits anything.
type Shape = Vec<String>;

struct Types {
    /// Methods that stand in or belong to a type itself.
    own: FxHashMap<NodeId, BTreeMap<String, Shape>>,
    /// Types of the tree that a type embeds.
    embedded: FxHashMap<NodeId, Vec<NodeId>>,
    interfaces: Vec<NodeId>,
    concrete: Vec<NodeId>,
    /// Interfaces with a part outside the tree: their method set is not known.
    open: FxHashSet<NodeId>,
}

/// Every (type, interface) of the tree where the type has the interface's methods.
pub(super) fn satisfied_interfaces(rules: &GoRules) -> Vec<ExtraBase> {
    let types = collect(rules);
    let mut sets: FxHashMap<NodeId, BTreeMap<String, Shape>> = FxHashMap::default();
    for &node in types.interfaces.iter().chain(&types.concrete) {
        let mut set = BTreeMap::new();
        let mut seen = FxHashSet::default();
        method_set(&types, node, &mut set, &mut seen, 0);
        sets.insert(node, set);
    }
    let mut having: FxHashMap<&str, Vec<NodeId>> = FxHashMap::default();
    for node in &types.concrete {
        for name in sets[node].keys() {
            having.entry(name).or_default().push(*node);
        }
    }
    let mut found = Vec::new();
    for &interface in &types.interfaces {
        let wanted = &sets[&interface];
        if wanted.is_empty() || is_open(&types, interface, 0) {
            continue;
        }
        // Only types that have the rarest of its methods can have them all.
        let Some(candidates) = wanted
            .keys()
            .map(|name| having.get(name.as_str()))
            .min_by_key(|nodes| nodes.map_or(0, |nodes| nodes.len()))
        else {
            continue;
        };
        for &ty in candidates.into_iter().flatten() {
            if related(rules, ty, interface) && fits(rules, wanted, &sets[&ty], ty, interface) {
                found.push(ExtraBase { sub: ty, sup: interface, relation: BaseRelation::Implement });
            }
        }
    }
    found.sort_unstable();
    found
}

fn collect(rules: &GoRules) -> Types {
    let program = rules.program;
    let mut types = Types {
        own: FxHashMap::default(),
        embedded: FxHashMap::default(),
        interfaces: Vec::new(),
        concrete: Vec::new(),
        open: FxHashSet::default(),
    };
    for (id, file) in program.files().iter().enumerate() {
        if file.facts.language.family() != Family::Go {
            continue;
        }
        let (id, facts) = (id as FileId, &*file.facts);
        let parameters = parameter_types(facts);
        for (ix, def) in facts.defs.iter().enumerate() {
            let node = program.def_node(id, ix as DefIx);
            if def.kind.is_type() && def.container.is_none() && rules.canonical_of(node) == node {
                match def.kind {
                    DefKind::Interface => types.interfaces.push(node),
                    // A name for another type has that type's methods and is none of its own.
                    DefKind::TypeAlias if !def.flags.has(DefFlags::DISTINCT) => {}
                    _ => types.concrete.push(node),
                }
            }
            if def.kind != DefKind::Method {
                continue;
            }
            let owner = match (def.owner, def.container) {
                (Some(owner), _) => named(rules, id, owner),
                (None, Some(container)) => Some(program.def_node(id, container)),
                (None, None) => None,
            };
            let Some(owner) = owner else { continue };
            let mut shape: Shape = parameters
                .get(&(ix as DefIx))
                .map_or(&[][..], Vec::as_slice)
                .iter()
                .map(|&ty| text(rules, id, ty, 0))
                .collect();
            shape.push(def.ty.map_or_else(|| "()".to_owned(), |ty| text(rules, id, ty, 0)));
            types.own.entry(owner).or_default().insert(facts.str(def.name).to_owned(), shape);
        }
        for base in &facts.bases {
            let BaseSub::Def(sub) = base.sub else { continue };
            let sub = program.def_node(id, sub);
            match named(rules, id, base.sup) {
                Some(sup) => types.embedded.entry(sub).or_default().push(sup),
                None => {
                    types.open.insert(sub);
                }
            }
        }
    }
    types
}

/// The types of a function's parameters, in order.
fn parameter_types(facts: &FileFacts) -> FxHashMap<DefIx, Vec<TypeId>> {
    let mut found: FxHashMap<DefIx, Vec<(u16, TypeId)>> = FxHashMap::default();
    for binding in &facts.bindings {
        if let (BindingKind::Param(at), Some(scope), Some(ty)) = (binding.kind, binding.scope, binding.ty) {
            found.entry(scope).or_default().push((at, ty));
        }
    }
    found
        .into_iter()
        .map(|(scope, mut all)| {
            all.sort_by_key(|&(at, _)| at);
            (scope, all.into_iter().map(|(_, ty)| ty).collect())
        })
        .collect()
}

fn named(rules: &GoRules, file: FileId, ty: TypeId) -> Option<NodeId> {
    let facts = rules.program.facts(file);
    let Type::Path { path, .. } = facts.ty(ty) else { return None };
    let path: Vec<&str> = path.iter().map(|&part| facts.str(part)).collect();
    rules.named_type(file, &path)
}

/// A type as text that is equal wherever the same type is meant.
fn text(rules: &GoRules, file: FileId, ty: TypeId, depth: u32) -> String {
    let facts = rules.program.facts(file);
    if depth > DEPTH_MAX {
        return "?".to_owned();
    }
    let inner = |ty: TypeId| text(rules, file, ty, depth + 1);
    match facts.ty(ty) {
        Type::Path { path, args } => {
            let parts: Vec<&str> = path.iter().map(|&part| facts.str(part)).collect();
            let name = match rules.named_type(file, &parts) {
                Some(node) => format!("#{}", behind_aliases(rules, node)),
                None => match parts.as_slice() {
                    ["map" | "chan"] => parts.join("."),
                    ["byte"] => "uint8".to_owned(),
                    ["rune"] => "int32".to_owned(),
                    [name] if is_type_parameter(name) => return "?".to_owned(),
                    [package, name] => match rules.import_path(file, package) {
                        Some(path) => format!("{path}.{name}"),
                        None => parts.join("."),
                    },
                    _ => parts.join("."),
                },
            };
            let args: Vec<String> = args.iter().map(|&arg| inner(arg)).collect();
            if args.is_empty() { name } else { format!("{name}[{}]", args.join(",")) }
        }
        Type::List(of) => format!("[]{}", inner(*of)),
        Type::Tuple(parts) => format!("({})", parts.iter().map(|&part| inner(part)).collect::<Vec<_>>().join(",")),
        // Parameters of function types are not among the facts.
        Type::Function(_) | Type::Union(_) | Type::This | Type::Unknown => "?".to_owned(),
    }
}

/// Names that are no type of the tree and none of the language's are type parameters.
fn is_type_parameter(name: &str) -> bool {
    !crate::extract::is_predeclared(name)
}

fn behind_aliases(rules: &GoRules, node: NodeId) -> NodeId {
    let mut node = node;
    for _ in 0..8 {
        let Some(def) = rules.program.def(node) else { break };
        if def.kind != DefKind::TypeAlias || def.flags.has(DefFlags::DISTINCT) {
            break;
        }
        match def.ty.and_then(|ty| named(rules, rules.program.file_of(node), ty)) {
            Some(next) if next != node => node = next,
            _ => break,
        }
    }
    node
}

/// A type's methods with those that embedding brings; nearer ones hide others of their name.
fn method_set(
    types: &Types,
    node: NodeId,
    set: &mut BTreeMap<String, Shape>,
    seen: &mut FxHashSet<NodeId>,
    depth: u32,
) {
    if depth > DEPTH_MAX || !seen.insert(node) {
        return;
    }
    for (name, shape) in types.own.get(&node).into_iter().flatten() {
        set.entry(name.clone()).or_insert_with(|| shape.clone());
    }
    for &inner in types.embedded.get(&node).into_iter().flatten() {
        method_set(types, inner, set, seen, depth + 1);
    }
}

fn is_open(types: &Types, interface: NodeId, depth: u32) -> bool {
    types.open.contains(&interface)
        || depth > DEPTH_MAX
        || types.embedded.get(&interface).into_iter().flatten().any(|&inner| is_open(types, inner, depth + 1))
}

/// Types and interfaces meet inside a module, and where one module imports from the other.
fn related(rules: &GoRules, ty: NodeId, interface: NodeId) -> bool {
    let program: &Program = rules.program;
    let (a, b) = (program.file_of(ty), program.file_of(interface));
    let module = |file: FileId| rules.modules.module_of(program.path(file).as_str());
    let (a, b) = (module(a), module(b));
    a == b || rules.linked.contains(&(a, b)) || rules.linked.contains(&(b, a))
}

fn fits(
    rules: &GoRules,
    wanted: &BTreeMap<String, Shape>,
    has: &BTreeMap<String, Shape>,
    ty: NodeId,
    interface: NodeId,
) -> bool {
    let same_package = || {
        let file = |node| rules.program.file_of(node);
        rules.of_file.get(&file(ty)) == rules.of_file.get(&file(interface))
    };
    wanted.iter().all(|(name, shape)| {
        let exported = name.starts_with(char::is_uppercase);
        has.get(name).is_some_and(|other| same_shape(shape, other)) && (exported || same_package())
    })
}

fn same_shape(a: &Shape, b: &Shape) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || a.contains('?') || b.contains('?'))
}
