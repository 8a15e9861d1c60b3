//! What each module gives to those that import it.

use super::resolver::Resolver;
use crate::extract::WHOLE_EXPORT;
use atlas_graph::link::{Entity, FileId, Program};
use atlas_syntax::{BindingKind, DefFlags, DefIx, Expr, ExprId, Import, ImportKind, Language, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

use super::files;

/// Re-exports of re-exports that are followed.
const DEPTH_MAX: u32 = 64;
/// Modules that one look-up goes through.
const MODULES_MAX: usize = 20_000;

/// One way in which a module gives a name.
#[derive(Debug, Clone, Copy)]
enum Given {
    Def(DefIx),
    /// An import of the file, by index.
    Import(u32),
}

#[derive(Debug, Default)]
struct Module<'p> {
    names: FxHashMap<&'p str, Vec<Given>>,
    /// `module.exports = …`.
    whole: Vec<Given>,
    /// `export * from`, as targets.
    stars: Vec<FileId>,
}

pub struct Exports<'p> {
    program: &'p Program,
    /// By file; None for other families.
    modules: Vec<Option<Module<'p>>>,
    /// By file: the file that each import loads.
    targets: Vec<Vec<Option<FileId>>>,
    /// Members of definitions that hold objects: (file, container, name).
    members: FxHashMap<(FileId, DefIx, &'p str), Vec<Given>>,
}

impl<'p> Exports<'p> {
    #[must_use]
    pub fn new(program: &'p Program, resolver: &Resolver) -> Self {
        let count = program.files().len();
        let mut this = Self {
            program,
            modules: (0..count).map(|_| None).collect(),
            targets: vec![Vec::new(); count],
            members: FxHashMap::default(),
        };
        let mut known: BTreeMap<(&str, &str), Option<FileId>> = BTreeMap::new();
        for file in files(program) {
            let facts = program.facts(file);
            let path = program.path(file).as_str();
            let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            let mut load = |import: &Import| {
                let specifier = facts.str(import.module);
                *known.entry((dir, specifier)).or_insert_with(|| resolver.resolve(file, specifier))
            };
            this.targets[file as usize] = facts.imports.iter().map(&mut load).collect();
        }
        for file in files(program) {
            this.modules[file as usize] = Some(this.module(file));
            this.list_members(file);
        }
        this
    }

    fn module(&self, file: FileId) -> Module<'p> {
        let facts = self.program.facts(file);
        let mut module = Module::default();
        let mut top: FxHashMap<&str, Vec<Given>> = FxHashMap::default();
        for (ix, def) in facts.defs.iter().enumerate() {
            if def.container.is_some() {
                continue;
            }
            let name = facts.str(def.name);
            if def.owner.is_none() {
                top.entry(name).or_default().push(Given::Def(ix as DefIx));
            }
            if def.flags.has(DefFlags::EXPORTED) {
                let in_module = def.owner.is_some_and(|owner| self.is_module_object(file, owner));
                if in_module {
                    continue;
                }
                let default = def.flags.has(DefFlags::DEFAULT_EXPORT);
                let name = if default { "default" } else { name };
                module.names.entry(name).or_default().push(Given::Def(ix as DefIx));
            }
        }
        for (ix, import) in facts.imports.iter().enumerate() {
            let Some(local) = import.local else { continue };
            if import.reexport {
                module.names.entry(facts.str(local)).or_default().push(Given::Import(ix as u32));
            } else if import.within.is_none() {
                top.entry(facts.str(local)).or_default().push(Given::Import(ix as u32));
            }
        }
        for export in &facts.exports {
            let given = self.given(file, export.value, &top);
            let name = facts.str(export.name);
            if name == WHOLE_EXPORT {
                module.whole.extend(given);
            } else {
                let list = module.names.entry(name).or_default();
                // A definition of that name that is flagged itself is the same thing.
                if list.is_empty() {
                    list.extend(given);
                }
            }
        }
        let stars = facts.imports.iter().zip(&self.targets[file as usize]);
        module.stars = stars
            .filter(|(import, _)| import.reexport && import.kind == ImportKind::Effect)
            .filter_map(|(_, target)| *target)
            .collect();
        module
    }

    /// Whether an owner is `module` or `exports`: the definition is the module's value or a member
    /// of it under its own name.
    fn is_module_object(&self, file: FileId, owner: TypeId) -> bool {
        let facts = self.program.facts(file);
        match facts.ty(owner) {
            atlas_syntax::Type::Path { path, .. } => path.len() == 1 && facts.str(path[0]) == "module",
            _ => false,
        }
    }

    /// What an expression of an export names.
    fn given(&self, file: FileId, value: ExprId, top: &FxHashMap<&str, Vec<Given>>) -> Vec<Given> {
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::Def(ix) => vec![Given::Def(*ix)],
            Expr::Name(name) => top.get(facts.str(*name)).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Members of variables that hold objects, for `import {a}` of a module whose value is one.
    fn list_members(&mut self, file: FileId) {
        let facts = self.program.facts(file);
        let whole = self.modules[file as usize].as_ref().map(|module| module.whole.clone()).unwrap_or_default();
        for given in whole {
            let Given::Def(of) = given else { continue };
            let own = facts.str(facts.def(of).name);
            for (ix, def) in facts.defs.iter().enumerate() {
                let owned = def.owner.is_some_and(|owner| match facts.ty(owner) {
                    atlas_syntax::Type::Path { path, .. } => {
                        path.len() == 1 && matches!(facts.str(path[0]), name if name == own || name == "exports")
                    }
                    _ => false,
                });
                if def.container == Some(of) || owned {
                    let key = (file, of, facts.str(def.name));
                    self.members.entry(key).or_default().push(Given::Def(ix as DefIx));
                }
            }
            for binding in &facts.bindings {
                let (BindingKind::Field, Some(value)) = (binding.kind, binding.value) else { continue };
                if binding.scope != Some(of) {
                    continue;
                }
                let given: Vec<Given> = match facts.expr(value) {
                    Expr::Def(ix) => vec![Given::Def(*ix)],
                    Expr::Name(name) => self.top_level(file, facts.str(*name)),
                    _ => Vec::new(),
                };
                self.members.entry((file, of, facts.str(binding.name))).or_default().extend(given);
            }
        }
    }

    /// A definition or import of the file by its name.
    fn top_level(&self, file: FileId, name: &str) -> Vec<Given> {
        let facts = self.program.facts(file);
        let defs = facts
            .defs
            .iter()
            .enumerate()
            .filter(|(_, def)| def.container.is_none() && def.owner.is_none() && facts.str(def.name) == name);
        let mut found: Vec<Given> = defs.map(|(ix, _)| Given::Def(ix as DefIx)).collect();
        let imports = facts.imports.iter().enumerate().filter(|(_, import)| {
            import.within.is_none() && import.local.is_some_and(|local| facts.str(local) == name)
        });
        found.extend(imports.map(|(ix, _)| Given::Import(ix as u32)));
        found
    }

    /// What an import of a file means.
    #[must_use]
    pub fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        let facts = self.program.facts(file);
        // The import is one of the file's own: find its target by its place.
        let at = facts.imports.iter().position(|other| std::ptr::eq(other, import));
        let target = match at {
            Some(at) => self.targets[file as usize].get(at).copied().flatten(),
            None => facts
                .imports
                .iter()
                .position(|other| other.module == import.module)
                .and_then(|at| self.targets[file as usize][at]),
        };
        self.imported(file, import, target, 0, &mut FxHashSet::default())
    }

    fn imported(
        &self,
        file: FileId,
        import: &Import,
        target: Option<FileId>,
        depth: u32,
        seen: &mut FxHashSet<(FileId, Box<str>)>,
    ) -> Vec<Entity> {
        let Some(target) = target else { return Vec::new() };
        match import.kind {
            ImportKind::Name => {
                let name = import.name.map_or("", |name| self.program.facts(file).str(name));
                self.member_of(target, name, depth, seen)
            }
            ImportKind::Default => {
                let found = self.member_of(target, "default", depth, seen);
                let component = matches!(self.program.facts(target).language, Language::Vue | Language::Svelte);
                if found.is_empty() && component { vec![Entity::Module(target)] } else { found }
            }
            ImportKind::Module => {
                let whole = self.whole_of(target, depth, seen);
                if whole.is_empty() { vec![Entity::Module(target)] } else { whole }
            }
            _ => vec![Entity::Module(target)],
        }
    }

    /// The value of `module.exports`, if the module assigns it.
    #[must_use]
    pub fn whole(&self, file: FileId) -> Vec<Entity> {
        self.whole_of(file, 0, &mut FxHashSet::default())
    }

    fn whole_of(&self, file: FileId, depth: u32, seen: &mut FxHashSet<(FileId, Box<str>)>) -> Vec<Entity> {
        let Some(module) = &self.modules[file as usize] else { return Vec::new() };
        if depth > DEPTH_MAX || !seen.insert((file, WHOLE_EXPORT.into())) {
            return Vec::new();
        }
        self.entities(file, &module.whole, depth, seen)
    }

    fn entities(
        &self,
        file: FileId,
        given: &[Given],
        depth: u32,
        seen: &mut FxHashSet<(FileId, Box<str>)>,
    ) -> Vec<Entity> {
        let mut found = Vec::new();
        for given in given {
            let more = match *given {
                Given::Def(ix) => vec![Entity::Def(self.program.def_node(file, ix))],
                Given::Import(ix) => {
                    let import = &self.program.facts(file).imports[ix as usize];
                    let target = self.targets[file as usize][ix as usize];
                    let inner = self.imported(file, import, target, depth + 1, seen);
                    if inner.is_empty() && target.is_none() { vec![self.outside(file, import)] } else { inner }
                }
            };
            for entity in more {
                if !found.contains(&entity) {
                    found.push(entity);
                }
            }
        }
        found
    }

    /// What an import of something outside the tree is called.
    fn outside(&self, file: FileId, import: &Import) -> Entity {
        let facts = self.program.facts(file);
        let module = facts.str(import.module);
        let name = match import.name {
            Some(name) => format!("{module}.{}", facts.str(name)),
            None => module.to_owned(),
        };
        Entity::External(name.into())
    }

    /// The public member of a module, through its re-exports.
    #[must_use]
    pub fn member(&self, module: FileId, name: &str) -> Vec<Entity> {
        self.member_of(module, name, 0, &mut FxHashSet::default())
    }

    fn member_of(&self, file: FileId, name: &str, depth: u32, seen: &mut FxHashSet<(FileId, Box<str>)>) -> Vec<Entity> {
        let Some(module) = &self.modules[file as usize] else { return Vec::new() };
        if depth > DEPTH_MAX || seen.len() > MODULES_MAX || !seen.insert((file, name.into())) {
            return Vec::new();
        }
        if let Some(given) = module.names.get(name) {
            let found = self.entities(file, given, depth, seen);
            if !found.is_empty() {
                return found;
            }
        }
        let whole = self.member_of_whole(file, module, name, depth, seen);
        if !whole.is_empty() {
            return whole;
        }
        if name == "default" {
            return Vec::new();
        }
        let mut found: Vec<Entity> = Vec::new();
        for &star in &module.stars {
            for entity in self.member_of(star, name, depth + 1, seen) {
                if !found.contains(&entity) {
                    found.push(entity);
                }
            }
        }
        found
    }

    /// A member of the value that a CommonJS module is.
    fn member_of_whole(
        &self,
        file: FileId,
        module: &Module,
        name: &str,
        depth: u32,
        seen: &mut FxHashSet<(FileId, Box<str>)>,
    ) -> Vec<Entity> {
        if name == "default" {
            // A module without a default export is its own, as bundlers and TypeScript have it.
            let whole = self.whole_of(file, depth, seen);
            return if whole.is_empty() { vec![Entity::Module(file)] } else { whole };
        }
        let mut found = Vec::new();
        for given in &module.whole {
            if let Given::Def(ix) = given
                && let Some(given) = self.members.get(&(file, *ix, name))
            {
                found.extend(self.entities(file, given, depth, seen));
            }
            if let Given::Import(ix) = given
                && let Some(target) = self.targets[file as usize][*ix as usize]
            {
                found.extend(self.member_of(target, name, depth + 1, seen));
            }
        }
        found
    }
}
