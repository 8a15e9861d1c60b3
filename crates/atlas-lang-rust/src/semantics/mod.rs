//! How Rust's names resolve: crates of the workspace, modules, `use`, preludes, traits.
//!
//! [`manifests`] reads what Cargo knows, [`modules`] builds the module trees and follows paths,
//! [`standard`] says what the standard library's wrappers hold. An inherent method hides trait methods
//! of its name; of definitions that exclude each other by `cfg`, that of the default build stands for
//! all. What is deliberately *not* here: trait selection beyond names.

mod manifests;
mod modules;
mod standard;

use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{BaseSub, DefFlags, DefIx, DefKind, Family, Import, ImportKind, Type, TypeId};
use modules::{ModuleTree, Path};
use rustc_hash::{FxHashMap, FxHashSet};

/// The semantics of Rust.
#[derive(Debug, Clone, Copy, Default)]
pub struct RustSemantics;

impl Semantics for RustSemantics {
    fn family(&self) -> Family {
        Family::Rust
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(RustRules::new(program))
    }
}

const CONVENTIONS: Conventions = Conventions {
    call_constructs: true,
    body_sees_members: false,
    new_methods: &["default"],
    common_members: COMMON_MEMBERS,
    builtins: BUILTINS,
    transparent: standard::TRANSPARENT,
    containers: &[
        "ArrayVec",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "DashMap",
        "FxHashMap",
        "HashMap",
        "HashSet",
        "IndexMap",
        "IndexSet",
        "Iter",
        "LinkedList",
        "SmallVec",
        "Vec",
        "VecDeque",
    ],
    awaitables: &["BoxFuture", "Future", "IntoFuture", "JoinHandle", "LocalBoxFuture"],
    ..Conventions::NONE
};

/// Members of the standard library's types and traits, which a receiver of unknown type may well be.
const COMMON_MEMBERS: &[&str] = &[
    "abort",
    "abs",
    "accept",
    "add",
    "all",
    "and",
    "and_then",
    "any",
    "append",
    "args",
    "as_any",
    "as_bytes",
    "as_mut",
    "as_mut_ptr",
    "as_mut_slice",
    "as_path",
    "as_ptr",
    "as_raw_fd",
    "as_ref",
    "as_slice",
    "as_str",
    "bind",
    "borrow",
    "borrow_and_update",
    "borrow_mut",
    "build",
    "by_ref",
    "bytes",
    "capacity",
    "chain",
    "chars",
    "checked_add",
    "checked_sub",
    "chunks",
    "clear",
    "clone",
    "cloned",
    "close",
    "cmp",
    "collect",
    "compare_exchange",
    "concat",
    "connect",
    "contains",
    "contains_key",
    "copied",
    "count",
    "default",
    "deref",
    "deref_mut",
    "display",
    "div",
    "drain",
    "drop",
    "elapsed",
    "end",
    "ends_with",
    "entry",
    "enumerate",
    "eq",
    "err",
    "error",
    "exists",
    "expect",
    "extend",
    "fetch_add",
    "fetch_sub",
    "file_name",
    "fill",
    "filter",
    "filter_map",
    "find",
    "finish",
    "first",
    "flat_map",
    "flatten",
    "flush",
    "fmt",
    "fold",
    "for_each",
    "from",
    "fuse",
    "get",
    "get_mut",
    "get_or_insert_with",
    "get_pin_mut",
    "get_ref",
    "hash",
    "id",
    "index",
    "init",
    "insert",
    "inspect",
    "into",
    "into_inner",
    "into_iter",
    "into_raw_fd",
    "is_closed",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "iter_mut",
    "join",
    "keys",
    "kind",
    "last",
    "len",
    "lines",
    "load",
    "lock",
    "map",
    "map_err",
    "max",
    "min",
    "modify",
    "mul",
    "name",
    "ne",
    "neg",
    "new",
    "next",
    "next_back",
    "not",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "open",
    "or",
    "or_else",
    "parent",
    "parse",
    "partial_cmp",
    "path",
    "peek",
    "peekable",
    "poll",
    "poll_flush",
    "poll_next",
    "poll_read",
    "poll_ready",
    "poll_shutdown",
    "poll_write",
    "pop",
    "position",
    "project",
    "project_ref",
    "project_replace",
    "push",
    "push_str",
    "read",
    "read_exact",
    "read_line",
    "read_to_end",
    "read_to_string",
    "recv",
    "remove",
    "replace",
    "reserve",
    "resize",
    "retain",
    "rev",
    "run",
    "seek",
    "send",
    "set",
    "set_len",
    "shutdown",
    "skip",
    "sort",
    "sort_by",
    "sort_by_key",
    "spawn",
    "split",
    "split_at",
    "start",
    "starts_with",
    "status",
    "step_by",
    "stop",
    "store",
    "sub",
    "sum",
    "swap",
    "take",
    "then",
    "to_lowercase",
    "to_owned",
    "to_path_buf",
    "to_string",
    "to_vec",
    "trim",
    "truncate",
    "try_from",
    "try_into",
    "try_lock",
    "try_read",
    "try_recv",
    "try_send",
    "try_write",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "update",
    "value",
    "values",
    "wait",
    "wake",
    "wake_by_ref",
    "with",
    "with_capacity",
    "write",
    "write_all",
    "write_fmt",
    "write_str",
    "zip",
];

const BUILTINS: &[&str] = &[
    "Arc",
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Hash",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "bool",
    "cfg",
    "char",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "drop",
    "env",
    "eprint",
    "eprintln",
    "f32",
    "f64",
    "file",
    "format",
    "format_args",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "include",
    "include_bytes",
    "include_str",
    "isize",
    "line",
    "macro_rules",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "slice",
    "str",
    "stringify",
    "thread_local",
    "todo",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "unimplemented",
    "unreachable",
    "usize",
    "vec",
    "write",
    "writeln",
];

/// The rules over one program.
struct RustRules<'p> {
    program: &'p Program,
    tree: ModuleTree<'p>,
    /// Methods that stand in an `impl Trait for Type`.
    of_trait: FxHashSet<NodeId>,
    /// Definitions that `cfg` leaves out, and what stands for them.
    canonical: FxHashMap<NodeId, NodeId>,
    /// Methods that the tree gives to types outside of it, by the type's last name and their own.
    extensions: FxHashMap<(Box<str>, Box<str>), Vec<NodeId>>,
}

impl<'p> RustRules<'p> {
    fn new(program: &'p Program) -> Self {
        let tree = ModuleTree::new(program);
        let (of_trait, extensions) = trait_methods(program);
        let canonical = canonical_definitions(program, &tree);
        Self { program, tree, of_trait, canonical, extensions }
    }

    /// `use` of whole modules in the functions around a place.
    fn in_local_globs(&self, file: FileId, within: Option<DefIx>, name: &str) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let mut scope = within;
        while let Some(ix) = scope {
            let def = facts.def(ix);
            if def.kind == DefKind::Namespace {
                break;
            }
            let globs =
                facts.imports.iter().filter(|import| import.kind == ImportKind::Wildcard && import.within == Some(ix));
            for import in globs {
                for entity in self.tree.import(file, import, &mut Path::default()) {
                    let found = match entity {
                        Entity::Module(module) => self.tree.in_module(module, name, module, &mut Path::default()),
                        Entity::Def(node) => self.members(node, name),
                        Entity::External(_) => Vec::new(),
                    };
                    if !found.is_empty() {
                        return found;
                    }
                }
            }
            scope = def.container;
        }
        Vec::new()
    }

    fn members(&self, node: NodeId, name: &str) -> Vec<Entity> {
        let file = self.program.file_of(node);
        let facts = self.program.facts(file);
        let container = self.program.def_ix(node);
        (0..facts.defs.len() as DefIx)
            .filter(|&ix| facts.def(ix).container == container && facts.str(facts.def(ix).name) == name)
            .map(|ix| Entity::Def(self.program.def_node(file, ix)))
            .collect()
    }

    fn extension(&self, ty: &str, member: &str) -> Option<Vec<Value>> {
        let name = ty.rsplit(['.', ':']).next().unwrap_or(ty);
        let nodes = self.extensions.get(&(name.into(), member.into()))?;
        Some(nodes.iter().map(|&node| Value::Def(node)).collect())
    }
}

impl Rules for RustRules<'_> {
    fn conventions(&self) -> &Conventions {
        &CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        self.tree.import(file, import, &mut Path::default())
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        if name == "super" || name == "self" || name == "crate" {
            return self.tree.first(module, name, &mut Path::default());
        }
        self.tree.in_module(module, name, module, &mut Path::default())
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        vec![self.tree.modules[module as usize].file]
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        self.tree.of_file.get(&file).copied()
    }

    fn visible(&self, file: FileId, within: Option<DefIx>, name: &str) -> Vec<Entity> {
        let found = self.in_local_globs(file, within, name);
        if !found.is_empty() {
            return found;
        }
        let Some(module) = self.tree.around(file, within) else { return Vec::new() };
        let found = self.tree.first(module, name, &mut Path::default());
        if !found.is_empty() {
            return found;
        }
        if BUILTINS.binary_search(&name).is_ok() {
            return Vec::new();
        }
        let macros = self.tree.macros(module, name);
        if !macros.is_empty() {
            return macros.iter().map(|&node| Entity::Def(node)).collect();
        }
        self.tree.exported_macros(module, name).into_iter().map(Entity::Def).collect()
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.tree.of_file.get(&file).map_or(0, |&module| self.tree.modules[module as usize].package)
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical.get(&def).copied().unwrap_or(def)
    }

    fn prefer(&self, nodes: Vec<NodeId>) -> Vec<NodeId> {
        let inherent: Vec<NodeId> = nodes.iter().copied().filter(|node| !self.of_trait.contains(node)).collect();
        if inherent.is_empty() { nodes } else { inherent }
    }

    fn common_member(&self, base: &Value, member: &str, _called: bool) -> Option<Vec<Value>> {
        standard::common(base, member)
    }

    fn dereferences(&self) -> Option<&'static str> {
        Some("Target")
    }

    fn provided_by(&self) -> Option<(&'static str, &'static str)> {
        Some(("Item", "Iterator"))
    }

    fn associated(&self, member: &str) -> Option<&'static str> {
        (member == "#item").then_some("Item")
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, _called: bool) -> Option<Vec<Value>> {
        self.extension(ty, member).or_else(|| standard::member(ty, args, member))
    }

    fn external_call(&self, name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
        standard::call(name, arg0)
    }
}

/// Methods of `impl Trait for Type` blocks, and of any `impl` for a type that the tree lacks.
fn trait_methods(program: &Program) -> (FxHashSet<NodeId>, FxHashMap<(Box<str>, Box<str>), Vec<NodeId>>) {
    let mut of_trait = FxHashSet::default();
    let mut extensions: FxHashMap<(Box<str>, Box<str>), Vec<NodeId>> = FxHashMap::default();
    for (id, file) in program.files().iter().enumerate() {
        if file.facts.language.family() != Family::Rust {
            continue;
        }
        let (id, facts) = (id as FileId, &*file.facts);
        let owners: FxHashSet<TypeId> = facts
            .bases
            .iter()
            .filter_map(|base| match base.sub {
                BaseSub::Type(ty) => Some(ty),
                BaseSub::Def(_) => None,
            })
            .collect();
        for (ix, def) in facts.defs.iter().enumerate() {
            let Some(owner) = def.owner.filter(|owner| owners.contains(owner)) else { continue };
            let node = program.def_node(id, ix as DefIx);
            of_trait.insert(node);
            let name = match facts.ty(owner) {
                Type::Path { path, .. } => path.last().map(|&name| facts.str(name)).unwrap_or_default(),
                Type::List(_) => "list",
                _ => continue,
            };
            // Whether the tree has a type of that name is asked before its members are.
            if def.kind == DefKind::Method && program.named(Family::Rust, name).iter().all(|&n| !is_type(program, n)) {
                extensions.entry((name.into(), facts.str(def.name).into())).or_default().push(node);
            }
        }
    }
    (of_trait, extensions)
}

fn is_type(program: &Program, node: NodeId) -> bool {
    program.def(node).is_some_and(|def| def.kind.is_type())
}

/// Of definitions that share a place and a name, one that `cfg` keeps stands for those it leaves out.
fn canonical_definitions(program: &Program, tree: &ModuleTree) -> FxHashMap<NodeId, NodeId> {
    type Key<'k> = (ModuleId, &'k str, &'k str, bool);
    let mut groups: FxHashMap<Key, Vec<NodeId>> = FxHashMap::default();
    for (id, file) in program.files().iter().enumerate() {
        if file.facts.language.family() != Family::Rust {
            continue;
        }
        let (id, facts) = (id as FileId, &*file.facts);
        let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let owner_of = |def: &atlas_syntax::Def| match def.owner.map(|owner| facts.ty(owner)) {
            Some(Type::Path { path, .. }) => path.last().copied().unwrap_or(0),
            _ => 0,
        };
        for def in &facts.defs {
            *names.entry((owner_of(def), def.name)).or_insert(0) += 1;
        }
        for (ix, def) in facts.defs.iter().enumerate() {
            let in_module = def.container.is_none_or(|c| facts.def(c).kind == DefKind::Namespace);
            if !in_module || names[&(owner_of(def), def.name)] < 2 {
                continue;
            }
            let ix = ix as DefIx;
            let Some(module) = tree.around(id, def.container) else { continue };
            let key = (module, facts.str(owner_of(def)), facts.str(def.name), def.kind == DefKind::Macro);
            groups.entry(key).or_default().push(program.def_node(id, ix));
        }
    }
    let mut canonical = FxHashMap::default();
    for nodes in groups.into_values().filter(|nodes| nodes.len() > 1) {
        // Test code is no part of the default build either.
        let left_out = |node: &NodeId| {
            program.def(*node).is_some_and(|def| def.flags.has(DefFlags::CONDITIONAL) || def.flags.has(DefFlags::TEST))
        };
        let (out, kept): (Vec<NodeId>, Vec<NodeId>) = nodes.into_iter().partition(left_out);
        if let [only] = kept[..] {
            canonical.extend(out.into_iter().map(|node| (node, only)));
        }
    }
    canonical
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        for list in [COMMON_MEMBERS, BUILTINS, standard::TRANSPARENT, CONVENTIONS.containers, CONVENTIONS.awaitables] {
            assert!(list.is_sorted(), "{:?}", list.windows(2).find(|pair| pair[0] > pair[1]));
        }
    }
}
