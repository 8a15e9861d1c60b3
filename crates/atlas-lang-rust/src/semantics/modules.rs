//! The module tree of every crate, and what a path means in it.
//!
//! Modules are numbered: each file that a crate root leads to by `mod`, and each `mod { … }` within.
//! A file that several crates take in is numbered for the first alone. Files that no crate root
//! reaches (their `mod` stands in a macro's output) are hung where their path says they belong.

use super::manifests::{self, Package, directory, join, resolve};
use atlas_graph::link::{Entity, FileId, ModuleId, NodeId, Program};
use atlas_syntax::{DefFlags, DefIx, DefKind, Family, Import, ImportKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// One module.
#[derive(Debug)]
pub(super) struct Module {
    pub parent: Option<ModuleId>,
    /// The root module of its crate.
    pub root: ModuleId,
    pub file: FileId,
    /// The `mod { … }` that it is; None for a whole file.
    pub def: Option<DefIx>,
    pub package: u32,
    children: FxHashMap<Box<str>, ModuleId>,
    items: FxHashMap<Box<str>, Vec<NodeId>>,
    /// Indices of its `use` of one name, by the name it is bound to.
    uses: FxHashMap<Box<str>, Vec<u32>>,
    /// Indices of its `use …::*`.
    globs: Vec<u32>,
}

/// All modules of a program.
pub(super) struct ModuleTree<'p> {
    program: &'p Program,
    packages: Vec<Package>,
    pub modules: Vec<Module>,
    /// The module of each whole file.
    pub of_file: FxHashMap<FileId, ModuleId>,
    of_def: FxHashMap<(FileId, DefIx), ModuleId>,
    /// Root module of each package's library.
    libraries: FxHashMap<usize, ModuleId>,
    /// Macros of each crate by name, wherever in it they stand, by the crate's root module.
    macros: FxHashMap<(ModuleId, Box<str>), Vec<NodeId>>,
}

/// Steps of one look-up: longer ones are cycles of `use`.
const STEPS_MAX: usize = 48;

/// A look-up under way.
#[derive(Default)]
pub(super) struct Path {
    seen: Vec<(ModuleId, String)>,
}

impl<'p> ModuleTree<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let packages = manifests::packages(program);
        let mut tree = Self {
            program,
            packages,
            modules: Vec::new(),
            of_file: FxHashMap::default(),
            of_def: FxHashMap::default(),
            libraries: FxHashMap::default(),
            macros: FxHashMap::default(),
        };
        tree.grow();
        tree.hang_up_the_rest();
        tree.collect_items();
        tree
    }

    /// From the crate roots, libraries first.
    fn grow(&mut self) {
        let mut roots = Vec::new();
        for (at, package) in self.packages.iter().enumerate() {
            roots.extend(package.library.iter().map(|(_, path)| (at, path.clone(), true)));
        }
        for (at, package) in self.packages.iter().enumerate() {
            roots.extend(package.programs.iter().map(|path| (at, path.clone(), false)));
        }
        for (at, path, library) in roots {
            let Some(file) = self.program.find(&path) else { continue };
            if let Some(&known) = self.of_file.get(&file) {
                if library {
                    self.libraries.insert(at, known);
                }
                continue;
            }
            let root = self.root(file, at as u32 + 1);
            if library {
                self.libraries.insert(at, root);
            }
            self.descend(root);
        }
    }

    fn root(&mut self, file: FileId, package: u32) -> ModuleId {
        let number = self.modules.len() as ModuleId;
        self.add(None, number, file, None, package)
    }

    fn add(
        &mut self,
        parent: Option<ModuleId>,
        root: ModuleId,
        file: FileId,
        def: Option<DefIx>,
        package: u32,
    ) -> ModuleId {
        let number = self.modules.len() as ModuleId;
        self.modules.push(Module {
            parent,
            root,
            file,
            def,
            package,
            children: FxHashMap::default(),
            items: FxHashMap::default(),
            uses: FxHashMap::default(),
            globs: Vec::new(),
        });
        match def {
            None => self.of_file.insert(file, number),
            Some(ix) => self.of_def.insert((file, ix), number),
        };
        number
    }

    /// The modules in and below the file of a module, in the order of the text.
    fn descend(&mut self, start: ModuleId) {
        let mut waiting = vec![start];
        while let Some(module) = waiting.pop() {
            let (file, root, package) = {
                let module = &self.modules[module as usize];
                (module.file, module.root, module.package)
            };
            let facts = self.program.facts(file);
            // Inline modules first: they may hold `mod x;` themselves.
            for (ix, def) in facts.defs.iter().enumerate() {
                if def.kind != DefKind::Namespace {
                    continue;
                }
                let ix = ix as DefIx;
                let parent = def.container.and_then(|c| self.of_def.get(&(file, c)).copied()).unwrap_or(module);
                if self.of_def.contains_key(&(file, ix)) {
                    continue;
                }
                let child = self.add(Some(parent), root, file, Some(ix), package);
                // Of two that `cfg` chooses between, the one of the default build bears the name.
                let children = &mut self.modules[parent as usize].children;
                if !def.flags.has(DefFlags::CONDITIONAL) || !children.contains_key(facts.str(def.name)) {
                    children.insert(facts.str(def.name).into(), child);
                }
            }
            for import in facts.imports.iter().filter(|import| import.kind == ImportKind::ChildModule) {
                let parent = import.within.and_then(|c| self.of_def.get(&(file, c)).copied()).unwrap_or(module);
                let Some(name) = import.name.map(|name| facts.str(name)) else { continue };
                let Some(child_file) = self.child_file(module, parent, import) else { continue };
                if let Some(&known) = self.of_file.get(&child_file) {
                    // Taken in twice: by two crates, or declared for two systems.
                    self.modules[parent as usize].children.entry(name.into()).or_insert(known);
                    continue;
                }
                let child = self.add(Some(parent), root, child_file, None, package);
                self.modules[parent as usize].children.insert(name.into(), child);
                waiting.push(child);
            }
        }
    }

    /// The file that `mod name;` means.
    fn child_file(&self, of_file: ModuleId, parent: ModuleId, import: &Import) -> Option<FileId> {
        let file = self.modules[of_file as usize].file;
        let facts = self.program.facts(file);
        let path = self.program.path(file).as_str();
        let inline = self.inline_names(parent);
        let own = self.own_directory(of_file);
        if import.level == 1 {
            let from = if inline.is_empty() {
                directory(path).to_owned()
            } else {
                inline.iter().fold(own, |dir, name| join(&dir, name))
            };
            return self.program.find(&resolve(&from, facts.str(import.module))?);
        }
        let name = facts.str(import.name?);
        let dir = inline.iter().fold(own, |dir, name| join(&dir, name));
        [format!("{name}.rs"), format!("{name}/mod.rs")].iter().find_map(|rest| self.program.find(&join(&dir, rest)))
    }

    /// Where the files of a file's child modules are.
    fn own_directory(&self, module: ModuleId) -> String {
        let module = &self.modules[module as usize];
        let path = self.program.path(module.file).as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        if module.parent.is_none() || name == "mod.rs" {
            return directory(path).to_owned();
        }
        path.strip_suffix(".rs").unwrap_or(path).to_owned()
    }

    /// Names of the inline modules from the file down to this one.
    fn inline_names(&self, module: ModuleId) -> Vec<&'p str> {
        let mut names = Vec::new();
        let mut at = module;
        while let Some(def) = self.modules[at as usize].def {
            let facts = self.program.facts(self.modules[at as usize].file);
            names.push(facts.str(facts.def(def).name));
            match self.modules[at as usize].parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        names.reverse();
        names
    }

    /// Files that no `mod` led to, in path order: below the module whose directory they are in, else
    /// crates of their own.
    fn hang_up_the_rest(&mut self) {
        let mut rest: Vec<FileId> = (0..self.program.files().len() as FileId)
            .filter(|&file| self.program.family(file) == Family::Rust && !self.of_file.contains_key(&file))
            .collect();
        // Roots of trees without a manifest come first, then what is nearer to the top.
        rest.sort_by_key(|&file| {
            let path = self.program.path(file).as_str();
            let name = path.rsplit('/').next().unwrap_or(path);
            (!matches!(name, "lib.rs" | "main.rs"), path.matches('/').count(), name != "mod.rs", file)
        });
        for file in rest {
            if self.of_file.contains_key(&file) {
                continue;
            }
            let path = self.program.path(file).as_str();
            let stem = path.strip_suffix(".rs").unwrap_or(path);
            let own = stem.strip_suffix("/mod").unwrap_or(stem);
            let (dir, name) = (directory(own), own.rsplit('/').next().unwrap_or(own));
            let owner = [join(dir, "mod.rs"), format!("{dir}.rs"), join(dir, "lib.rs"), join(dir, "main.rs")]
                .iter()
                .filter_map(|path| self.program.find(path))
                .find_map(|file| self.of_file.get(&file).copied())
                .filter(|_| !matches!(name, "lib" | "main"));
            let module = match owner {
                Some(parent) => {
                    let (root, package) = (self.modules[parent as usize].root, self.modules[parent as usize].package);
                    let child = self.add(Some(parent), root, file, None, package);
                    self.modules[parent as usize].children.entry(name.into()).or_insert(child);
                    child
                }
                None => {
                    let package = self.package_around(path);
                    self.root(file, package)
                }
            };
            self.descend(module);
        }
    }

    fn package_around(&self, path: &str) -> u32 {
        let dir = directory(path);
        self.packages
            .iter()
            .enumerate()
            .filter(|(_, package)| manifests::is_below(dir, &package.dir))
            .max_by_key(|(_, package)| package.dir.len())
            .map_or(0, |(at, _)| at as u32 + 1)
    }

    fn collect_items(&mut self) {
        for number in 0..self.modules.len() {
            let (file, def, root) = {
                let module = &self.modules[number];
                (module.file, module.def, module.root)
            };
            let facts = self.program.facts(file);
            let mut items: FxHashMap<Box<str>, Vec<NodeId>> = FxHashMap::default();
            for (ix, item) in facts.defs.iter().enumerate() {
                let node = self.program.def_node(file, ix as DefIx);
                if item.kind == DefKind::Macro && def.is_none() {
                    let key = (root, facts.str(item.name).into());
                    self.macros.entry(key).or_default().push(node);
                }
                if item.container == def && item.owner.is_none() && item.kind != DefKind::Namespace {
                    items.entry(facts.str(item.name).into()).or_default().push(node);
                }
            }
            let (mut uses, mut globs): (FxHashMap<Box<str>, Vec<u32>>, Vec<u32>) = (FxHashMap::default(), Vec::new());
            for (ix, import) in facts.imports.iter().enumerate().filter(|(_, import)| import.within == def) {
                match (import.kind, import.local) {
                    (ImportKind::Name, Some(local)) => {
                        uses.entry(facts.str(local).into()).or_default().push(ix as u32);
                    }
                    (ImportKind::Wildcard, _) => globs.push(ix as u32),
                    _ => {}
                }
            }
            let module = &mut self.modules[number];
            (module.items, module.uses, module.globs) = (items, uses, globs);
        }
        // An exported macro is an item of its crate's root.
        let mut exported: Vec<(ModuleId, Box<str>, NodeId)> = Vec::new();
        for ((root, name), nodes) in &self.macros {
            for &node in nodes {
                if self.program.def(node).is_some_and(|def| def.flags.has(DefFlags::EXPORTED)) {
                    exported.push((*root, name.clone(), node));
                }
            }
        }
        exported.sort_unstable();
        for (root, name, node) in exported {
            let items = self.modules[root as usize].items.entry(name).or_default();
            if !items.contains(&node) {
                items.push(node);
            }
        }
    }

    /// The module that a place in a file is in.
    pub(super) fn around(&self, file: FileId, within: Option<DefIx>) -> Option<ModuleId> {
        let facts = self.program.facts(file);
        let mut at = within;
        while let Some(ix) = at {
            if let Some(&module) = self.of_def.get(&(file, ix)) {
                return Some(module);
            }
            at = facts.def(ix).container;
        }
        self.of_file.get(&file).copied()
    }

    /// What an import means: its path from the module that it stands in.
    pub(super) fn import(&self, file: FileId, import: &Import, path: &mut Path) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let Some(module) = self.around(file, import.within) else { return Vec::new() };
        if import.kind == ImportKind::ChildModule {
            let child = import.name.and_then(|name| self.modules[module as usize].children.get(facts.str(name)));
            return child.map(|&child| Entity::Module(child)).into_iter().collect();
        }
        let mut names: Vec<&str> = facts.str(import.module).split("::").filter(|name| !name.is_empty()).collect();
        names.extend(import.name.map(|name| facts.str(name)));
        self.path(module, &names, path)
    }

    /// What a path means in a module.
    fn path(&self, module: ModuleId, names: &[&str], path: &mut Path) -> Vec<Entity> {
        let Some((&first, rest)) = names.split_first() else { return vec![Entity::Module(module)] };
        let mut current = self.first(module, first, path);
        if current.is_empty() {
            return vec![Entity::External(names.join("::").into())];
        }
        for (at, &name) in rest.iter().enumerate() {
            // `super::super` goes on upwards.
            if name == "super" {
                current = current.iter().filter_map(|entity| self.parent(entity)).collect();
                continue;
            }
            let last = at + 1 == rest.len();
            let mut next = Vec::new();
            for entity in &current {
                for found in self.member(entity, name, module, path) {
                    let leads_on = match &found {
                        Entity::Module(_) | Entity::External(_) => true,
                        Entity::Def(node) => self.program.def(*node).is_some_and(|def| def.kind.is_type()),
                    };
                    if (last || leads_on) && !next.contains(&found) {
                        next.push(found);
                    }
                }
            }
            current = next;
        }
        current
    }

    fn parent(&self, entity: &Entity) -> Option<Entity> {
        match entity {
            Entity::Module(module) => self.modules[*module as usize].parent.map(Entity::Module),
            Entity::Def(_) | Entity::External(_) => None,
        }
    }

    /// The first name of a path: a keyword, something in scope, or a crate.
    pub(super) fn first(&self, module: ModuleId, name: &str, path: &mut Path) -> Vec<Entity> {
        match name {
            "crate" => return vec![Entity::Module(self.modules[module as usize].root)],
            "self" => return vec![Entity::Module(module)],
            "super" => return self.modules[module as usize].parent.map(Entity::Module).into_iter().collect(),
            _ => {}
        }
        let found = self.in_module(module, name, module, path);
        if !found.is_empty() {
            return found;
        }
        self.krate(module, name).into_iter().collect()
    }

    /// A crate by the name that a module's package gives it.
    pub(super) fn krate(&self, module: ModuleId, name: &str) -> Option<Entity> {
        if matches!(name, "std" | "core" | "alloc" | "proc_macro" | "test") {
            return Some(Entity::External(name.into()));
        }
        let at = (self.modules[module as usize].package as usize).checked_sub(1)?;
        let package = &self.packages[at];
        let own = package.library.as_ref().filter(|(library, _)| library == name).map(|_| at);
        if own.is_none() && package.outside.contains(name) {
            return Some(Entity::External(name.into()));
        }
        let target = own.or_else(|| package.dependencies.get(name).copied())?;
        self.libraries.get(&target).copied().map(Entity::Module)
    }

    /// A member of what a path has led to, seen from the module `from`.
    fn member(&self, entity: &Entity, name: &str, from: ModuleId, path: &mut Path) -> Vec<Entity> {
        match entity {
            Entity::Module(module) => self.in_module(*module, name, from, path),
            Entity::Def(node) => self.members_of_def(*node, name),
            Entity::External(outer) => vec![Entity::External(format!("{outer}::{name}").into())],
        }
    }

    /// Variants and other definitions that stand in a type.
    fn members_of_def(&self, node: NodeId, name: &str) -> Vec<Entity> {
        let file = self.program.file_of(node);
        let facts = self.program.facts(file);
        let container = self.program.def_ix(node);
        let here = facts.defs.iter().enumerate().filter(|(_, def)| def.container == container);
        here.filter(|(_, def)| facts.str(def.name) == name)
            .map(|(ix, _)| Entity::Def(self.program.def_node(file, ix as DefIx)))
            .collect()
    }

    /// What a name is in a module: its items and children, its `use`, its globs; `from` decides what
    /// may be seen.
    pub(super) fn in_module(&self, module: ModuleId, name: &str, from: ModuleId, path: &mut Path) -> Vec<Entity> {
        let key = (module, name.to_owned());
        if path.seen.len() >= STEPS_MAX || path.seen.contains(&key) {
            return Vec::new();
        }
        path.seen.push(key);
        let found = self.in_module_once(module, name, from, path);
        path.seen.pop();
        found
    }

    fn in_module_once(&self, module: ModuleId, name: &str, from: ModuleId, path: &mut Path) -> Vec<Entity> {
        let data = &self.modules[module as usize];
        let facts = self.program.facts(data.file);
        let inside = self.is_within(from, module);
        let mut found: Vec<Entity> =
            data.items.get(name).into_iter().flatten().map(|&node| Entity::Def(node)).collect();
        found.extend(data.children.get(name).map(|&child| Entity::Module(child)));
        for &ix in data.uses.get(name).into_iter().flatten() {
            let import = &facts.imports[ix as usize];
            if inside || import.reexport {
                for entity in self.import(data.file, import, path) {
                    if !found.contains(&entity) {
                        found.push(entity);
                    }
                }
            }
        }
        // A re-export of something outside says nothing where the tree has it too.
        if found.iter().any(|entity| !matches!(entity, Entity::External(_))) {
            found.retain(|entity| !matches!(entity, Entity::External(_)));
            return found;
        }
        if !found.is_empty() {
            return found;
        }
        for &ix in &data.globs {
            let import = &facts.imports[ix as usize];
            if !inside && !import.reexport {
                continue;
            }
            for entity in self.import(data.file, import, path) {
                let members = match &entity {
                    Entity::External(_) => Vec::new(),
                    _ => self.member(&entity, name, module, path),
                };
                for member in members {
                    if !found.contains(&member) && self.is_visible(&entity, &member, module) {
                        found.push(member);
                    }
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// A glob brings what is public, or what the module may see anyway.
    fn is_visible(&self, of: &Entity, member: &Entity, from: ModuleId) -> bool {
        let (Entity::Module(module), Entity::Def(node)) = (of, member) else { return true };
        self.is_within(from, *module)
            || self.program.def(*node).is_none_or(|def| {
                def.flags.has(DefFlags::EXPORTED) || def.kind == DefKind::Macro || def.kind == DefKind::EnumMember
            })
    }

    /// Whether a module is another or stands below it.
    fn is_within(&self, module: ModuleId, outer: ModuleId) -> bool {
        let mut at = Some(module);
        for _ in 0..256 {
            match at {
                Some(number) if number == outer => return true,
                Some(number) => at = self.modules[number as usize].parent,
                None => return false,
            }
        }
        false
    }

    /// Macros of a module's crate by name: textual scope reaches further than paths do.
    pub(super) fn macros(&self, module: ModuleId, name: &str) -> &[NodeId] {
        let root = self.modules[module as usize].root;
        self.macros.get(&(root, Box::from(name))).map_or(&[], Vec::as_slice)
    }

    /// Macros that the libraries of a module's package export, for `#[macro_use] extern crate`.
    pub(super) fn exported_macros(&self, module: ModuleId, name: &str) -> Vec<NodeId> {
        let Some(at) = (self.modules[module as usize].package as usize).checked_sub(1) else { return Vec::new() };
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let package = &self.packages[at];
        for target in package.dependencies.values().copied().chain([at]) {
            let Some(&root) = self.libraries.get(&target).filter(|root| seen.insert(**root)) else { continue };
            let macros = self.macros.get(&(root, Box::from(name))).into_iter().flatten().copied();
            found.extend(
                macros.filter(|&node| self.program.def(node).is_some_and(|def| def.flags.has(DefFlags::EXPORTED))),
            );
        }
        found
    }
}
