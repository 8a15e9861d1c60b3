//! Namespaces as they extend over files.

use atlas_graph::link::{FileId, ModuleId, NodeId, Program};
use atlas_syntax::{DefFlags, DefIx, DefKind, Family, ImportKind};
use rustc_hash::FxHashMap;

/// The global namespace is module 0.
pub(super) struct Namespaces<'p> {
    program: &'p Program,
    /// Full names, `a::b`.
    names: Vec<String>,
    by_name: FxHashMap<String, ModuleId>,
    /// The namespace that each namespace definition is part of.
    of_def: FxHashMap<NodeId, ModuleId>,
    members: FxHashMap<(ModuleId, &'p str), Vec<NodeId>>,
}

impl<'p> Namespaces<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut this = Self {
            program,
            names: vec![String::new()],
            by_name: FxHashMap::default(),
            of_def: FxHashMap::default(),
            members: FxHashMap::default(),
        };
        this.by_name.insert(String::new(), 0);
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &*file.facts);
            if facts.language.family() != Family::C {
                continue;
            }
            for (ix, def) in facts.defs.iter().enumerate() {
                let node = program.def_node(id, ix as DefIx);
                let Some(namespace) = this.holder(id, def.container) else { continue };
                if def.kind == DefKind::Namespace {
                    let module = this.part(namespace, facts.str(def.name), def.flags.has(DefFlags::STATIC));
                    this.of_def.insert(node, module);
                } else if def.owner.is_none() || def.kind == DefKind::EnumMember {
                    this.members.entry((namespace, facts.str(def.name))).or_default().push(node);
                }
            }
        }
        this
    }

    /// The namespace that a container is, if it is one.
    fn holder(&self, file: FileId, container: Option<DefIx>) -> Option<ModuleId> {
        match container {
            None => Some(0),
            Some(ix) => self.of_def.get(&self.program.def_node(file, ix)).copied(),
        }
    }

    /// The namespace `name` in another; inline and unnamed ones are the other itself.
    fn part(&mut self, outer: ModuleId, name: &str, inline: bool) -> ModuleId {
        if name.is_empty() || inline {
            return outer;
        }
        let full = join(&self.names[outer as usize], name);
        if let Some(&module) = self.by_name.get(&full) {
            return module;
        }
        let module = self.names.len() as ModuleId;
        self.names.push(full.clone());
        self.by_name.insert(full, module);
        module
    }

    pub(super) fn count(&self) -> ModuleId {
        self.names.len() as ModuleId
    }

    pub(super) fn name(&self, module: ModuleId) -> &str {
        self.names.get(module as usize).map_or("", String::as_str)
    }

    pub(super) fn members<'a>(&'a self, module: ModuleId, name: &'a str) -> &'a [NodeId] {
        self.members.get(&(module, name)).map_or(&[], Vec::as_slice)
    }

    /// Every name of every namespace with what it names.
    pub(super) fn all(&self) -> impl Iterator<Item = (&(ModuleId, &'p str), &Vec<NodeId>)> {
        self.members.iter()
    }

    pub(super) fn inner(&self, module: ModuleId, name: &str) -> Option<ModuleId> {
        self.by_name.get(&join(self.name(module), name)).copied()
    }

    pub(super) fn of_def(&self, node: NodeId) -> Option<ModuleId> {
        self.of_def.get(&node).copied()
    }

    /// The namespaces around a place, innermost first, the global one last. A member defined outside its
    /// class (`void ns::T::f()`) also stands in the namespaces that its name goes through.
    pub(super) fn around(&self, file: FileId, within: Option<DefIx>) -> Vec<ModuleId> {
        let facts = self.program.facts(file);
        let mut found = Vec::new();
        let mut scope = within;
        while let Some(ix) = scope {
            let def = facts.def(ix);
            if let Some(owner) = def.owner
                && let atlas_syntax::Type::Path { path, .. } = facts.ty(owner)
            {
                let outer = self.enclosing(file, def.container);
                for end in (1..=path.len()).rev() {
                    let mut full = self.name(outer).to_owned();
                    for &part in &path[..end] {
                        full = join(&full, facts.str(part));
                    }
                    found.extend(self.by_name.get(&full).copied());
                }
            }
            if let Some(module) = self.of_def(self.program.def_node(file, ix)) {
                // All that encloses this namespace is part of its name.
                let mut name = self.name(module);
                loop {
                    found.extend(self.by_name.get(name).copied());
                    match name.rsplit_once("::") {
                        Some((outer, _)) => name = outer,
                        None => break,
                    }
                }
                break;
            }
            scope = def.container;
        }
        if found.last() != Some(&0) {
            found.push(0);
        }
        found
    }

    /// The innermost namespace around a place.
    pub(super) fn enclosing(&self, file: FileId, within: Option<DefIx>) -> ModuleId {
        let facts = self.program.facts(file);
        let mut scope = within;
        while let Some(ix) = scope {
            if let Some(module) = self.of_def(self.program.def_node(file, ix)) {
                return module;
            }
            scope = facts.def(ix).container;
        }
        0
    }

    /// The namespace that a qualified name means at a place.
    pub(super) fn find(&self, file: FileId, within: Option<DefIx>, name: &str) -> Option<ModuleId> {
        let name = name.trim_start_matches("::");
        self.around(file, within).into_iter().find_map(|outer| self.by_name.get(&join(self.name(outer), name)).copied())
    }

    /// The namespaces that a file's using directives name.
    pub(super) fn used_by(&self, file: FileId) -> Vec<ModuleId> {
        let facts = self.program.facts(file);
        facts
            .imports
            .iter()
            .filter(|import| import.kind == ImportKind::Wildcard)
            .filter_map(|import| self.find(file, import.within, facts.str(import.module)))
            .collect()
    }
}

fn join(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}::{name}") }
}
