//! How names resolve in C and C++: what a file sees through its includes, namespaces across files,
//! declarations joined with what they declare (contract §4).
//!
//! Modules of the linker are namespaces, the global one first, and then files, for includes. Inline and
//! unnamed namespaces are part of the one around them. What is deliberately *not* here: overload
//! resolution beyond the number of arguments, and argument-dependent look-up.

mod declarations;
mod fit;
mod includes;
mod library;
mod namespaces;

use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{DefFlags, DefIx, Family, Import, ImportKind};
use includes::Includes;
use namespaces::Namespaces;

/// The rules of C and C++ for [`atlas_graph::link::link`].
#[derive(Debug, Clone, Copy, Default)]
pub struct CSemantics;

impl Semantics for CSemantics {
    fn family(&self) -> Family {
        Family::C
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        let includes = Includes::new(program);
        let namespaces = Namespaces::new(program);
        let joined = declarations::join(program, &namespaces);
        Box::new(CRules { program, includes, namespaces, joined })
    }
}

struct CRules<'p> {
    program: &'p Program,
    includes: Includes<'p>,
    namespaces: Namespaces<'p>,
    joined: declarations::Joined,
}

impl CRules<'_> {
    fn canonical_of(&self, node: NodeId) -> NodeId {
        self.joined.canonical.get(&node).copied().unwrap_or(node)
    }

    fn has(&self, node: NodeId, flag: DefFlags) -> bool {
        self.program.def(node).is_some_and(|def| def.flags.has(flag))
    }

    /// Definitions rather than declarations, those of the default build rather than others; each once.
    fn settle(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = nodes.map(|node| self.canonical_of(node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.without(nodes, &[DefFlags::CONDITIONAL, DefFlags::DECLARATION])
    }

    /// Drops what has a flag, one flag after the other, as long as something is left.
    fn without(&self, mut nodes: Vec<NodeId>, flags: &[DefFlags]) -> Vec<NodeId> {
        for &flag in flags {
            if nodes.len() > 1 && nodes.iter().any(|&node| !self.has(node, flag)) {
                nodes.retain(|&node| !self.has(node, flag));
            }
        }
        nodes
    }

    /// What a name means in one namespace, as far as the file sees it.
    fn seen_in(&self, file: FileId, namespace: ModuleId, name: &str) -> Vec<NodeId> {
        let all = self.namespaces.members(namespace, name);
        if all.is_empty() {
            return Vec::new();
        }
        let seen = self.includes.seen_by(file);
        self.settle(all.iter().copied().filter(|&node| seen.contains(&self.program.file_of(node))))
    }

    fn file_module(&self, file: FileId) -> ModuleId {
        self.namespaces.count() + file
    }
}

impl Rules for CRules<'_> {
    fn conventions(&self) -> &Conventions {
        &library::CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let module = facts.str(import.module);
        match import.kind {
            ImportKind::Include => {
                self.includes.resolve(file, import).map(|to| Entity::Module(self.file_module(to))).into_iter().collect()
            }
            ImportKind::Wildcard | ImportKind::Module => {
                self.namespaces.find(file, import.within, module).map(Entity::Module).into_iter().collect()
            }
            ImportKind::Name => {
                let Some(name) = import.name.map(|name| facts.str(name)) else { return Vec::new() };
                let namespace =
                    if module.is_empty() { Some(0) } else { self.namespaces.find(file, import.within, module) };
                let Some(namespace) = namespace else { return Vec::new() };
                let seen = self.seen_in(file, namespace, name);
                seen.into_iter().map(Entity::Def).collect()
            }
            _ => Vec::new(),
        }
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        if module >= self.namespaces.count() {
            return Vec::new();
        }
        let found = self.settle(self.namespaces.members(module, name).iter().copied());
        if !found.is_empty() {
            return found.into_iter().map(Entity::Def).collect();
        }
        if let Some(inner) = self.namespaces.inner(module, name) {
            return vec![Entity::Module(inner)];
        }
        // What the tree does not have of a namespace is generated, or stands in a library.
        vec![Entity::External(format!("{}::{name}", self.namespaces.name(module)).into())]
    }

    fn module_member_from(&self, file: FileId, module: ModuleId, name: &str) -> Vec<Entity> {
        // Of several by one name, the file means those that it includes.
        let all = self.namespaces.members(module, name);
        if all.len() > 1 {
            let seen = self.seen_in(file, module, name);
            if !seen.is_empty() {
                return seen.into_iter().map(Entity::Def).collect();
            }
        }
        self.module_member(module, name)
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        module.checked_sub(self.namespaces.count()).into_iter().collect()
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        Some(self.file_module(file))
    }

    fn visible(&self, file: FileId, within: Option<DefIx>, name: &str) -> Vec<Entity> {
        for namespace in self.namespaces.around(file, within) {
            let found = self.seen_in(file, namespace, name);
            if !found.is_empty() {
                return found.into_iter().map(Entity::Def).collect();
            }
            if let Some(inner) = self.namespaces.inner(namespace, name) {
                return vec![Entity::Module(inner)];
            }
        }
        for namespace in self.namespaces.used_by(file) {
            let found = self.seen_in(file, namespace, name);
            if !found.is_empty() {
                return found.into_iter().map(Entity::Def).collect();
            }
        }
        if library::NAMESPACES.binary_search(&name).is_ok() {
            return vec![Entity::External(name.into())];
        }
        Vec::new()
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical_of(def)
    }

    fn prefer(&self, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
        if nodes.iter().any(|node| !self.joined.passed_over.contains(node)) {
            nodes.retain(|node| !self.joined.passed_over.contains(node));
        }
        self.without(nodes, &[DefFlags::CONDITIONAL])
    }

    fn namespace(&self, def: NodeId) -> Option<ModuleId> {
        self.namespaces.of_def(def)
    }

    fn root_module(&self) -> Option<ModuleId> {
        Some(0)
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, _called: bool) -> Option<Vec<Value>> {
        library::member(ty, args, member)
    }

    fn external_element(&self, ty: &str, args: &[Vec<Value>], index: bool) -> Option<Vec<Value>> {
        library::element(ty, args, index)
    }

    fn fit(&self, parameter: &Value, argument: &Value) -> Option<i32> {
        fit::fit(parameter, argument)
    }
}
