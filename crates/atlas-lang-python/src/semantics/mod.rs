//! How Python names resolve: modules, imports, re-exports, redefinitions, built-in types.

mod fixtures;
mod library;
mod models;
mod modules;
mod names;

use crate::FIXTURE;
use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{DefFlags, DefIx, Family, Import, ImportKind};
use fixtures::Fixtures;
use modules::Modules;
use rustc_hash::{FxHashMap, FxHashSet};

/// Python's [`Semantics`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PythonSemantics;

impl Semantics for PythonSemantics {
    fn family(&self) -> Family {
        Family::Python
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(PythonRules::new(program))
    }
}

const CONVENTIONS: Conventions = Conventions {
    call_constructs: true,
    body_sees_members: true,
    constructors: &["__init__", "__new__"],
    call_operator: Some("__call__"),
    injected: Some(FIXTURE),
    index_method: Some("__getitem__"),
    iterate_method: Some("__iter__"),
    dynamic: true,
    common_members: names::COMMON_MEMBERS,
    builtins: names::BUILTINS,
    transparent: &["Annotated", "ClassVar", "Final", "NotRequired", "Optional", "ReadOnly", "Required"],
    containers: library::CONTAINERS,
    awaitables: &["Awaitable", "Coroutine", "Future", "Task"],
    ..Conventions::NONE
};

/// Chains of re-exports that are followed.
const REEXPORTS_MAX: usize = 16;

struct PythonRules<'p> {
    program: &'p Program,
    modules: Modules,
    /// Definitions at the top of each file, by name.
    tops: FxHashMap<(FileId, &'p str), Vec<DefIx>>,
    /// Imports at the top of each file, by the name that they bind.
    imports: FxHashMap<(FileId, &'p str), Vec<u32>>,
    wildcards: FxHashMap<FileId, Vec<u32>>,
    /// What `__all__` of a file lists.
    listed: FxHashMap<FileId, FxHashSet<&'p str>>,
    canonical: FxHashMap<NodeId, NodeId>,
    packages: Vec<u32>,
    fixtures: Fixtures<'p>,
}

impl<'p> PythonRules<'p> {
    fn new(program: &'p Program) -> Self {
        let mut this = Self {
            program,
            modules: Modules::new(program),
            tops: FxHashMap::default(),
            imports: FxHashMap::default(),
            wildcards: FxHashMap::default(),
            listed: FxHashMap::default(),
            canonical: FxHashMap::default(),
            packages: packages(program),
            fixtures: Fixtures::new(program),
        };
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &*file.facts);
            if facts.language.family() != Family::Python {
                continue;
            }
            let mut scopes: FxHashMap<(Option<DefIx>, u32), Vec<DefIx>> = FxHashMap::default();
            for (ix, def) in facts.defs.iter().enumerate() {
                scopes.entry((def.container, def.name)).or_default().push(ix as DefIx);
                if def.container.is_none() {
                    this.tops.entry((id, facts.str(def.name))).or_default().push(ix as DefIx);
                }
            }
            for same in scopes.into_values().filter(|same| same.len() > 1) {
                this.join(id, &same);
            }
            for (ix, import) in facts.imports.iter().enumerate() {
                if import.within.is_some() {
                    continue;
                }
                match (import.kind, import.local) {
                    (ImportKind::Wildcard, _) => this.wildcards.entry(id).or_default().push(ix as u32),
                    (_, Some(local)) => this.imports.entry((id, facts.str(local))).or_default().push(ix as u32),
                    _ => {}
                }
            }
            if !facts.exports.is_empty() {
                let names = facts.exports.iter().map(|export| facts.str(export.name)).collect();
                this.listed.insert(id, names);
            }
        }
        this.join_stubs();
        this
    }

    /// One of several definitions of a name in one scope stands for all of them.
    fn join(&mut self, file: FileId, same: &[DefIx]) {
        let facts = self.program.facts(file);
        let of = |wanted: &dyn Fn(&atlas_syntax::Def) -> bool| -> Vec<DefIx> {
            same.iter().copied().filter(|&ix| wanted(facts.def(ix))).collect()
        };
        // What is called or made wins over a variable that only names it.
        let solid = of(&|def| def.kind.is_callable() || def.kind.is_type());
        let Some(&first) = solid.first() else { return };
        // The first function is a property's getter, the undecorated ones are what overloads declare.
        let whole: Vec<DefIx> =
            solid.iter().copied().filter(|&ix| !facts.def(ix).flags.has(DefFlags::DECLARATION)).collect();
        let chosen = if facts.def(first).flags.has(DefFlags::GETTER) || whole.is_empty() {
            first
        } else {
            // Of definitions in one suite the last one holds; of those in branches the first is as
            // good as any. Deeper ones stand further right.
            let column = |ix: DefIx| facts.def(ix).name_column;
            let least = whole.iter().map(|&ix| column(ix)).min().unwrap_or_default();
            let plain: Vec<DefIx> = whole.iter().copied().filter(|&ix| column(ix) == least).collect();
            let top = facts.def(plain[0]).container.is_none_or(|c| column(c) < least);
            let in_suite = top && plain.len() > 1 && self.same_suite(file, &plain);
            if in_suite { plain[plain.len() - 1] } else { plain[0] }
        };
        for &ix in same {
            if ix != chosen {
                self.canonical.insert(self.program.def_node(file, ix), self.program.def_node(file, chosen));
            }
        }
    }

    /// Whether definitions stand in the suite of their scope itself, not in branches of it.
    fn same_suite(&self, file: FileId, defs: &[DefIx]) -> bool {
        let facts = self.program.facts(file);
        let Some(&first) = defs.first() else { return false };
        // `def x` at the top of a file has its name in column 5, `async def x` in column 11.
        match facts.def(first).container {
            None => facts.def(first).name_column <= 11 && defs.iter().all(|&ix| facts.def(ix).name_column <= 11),
            Some(_) => true,
        }
    }

    /// What a stub declares stands for what the source beside it defines.
    fn join_stubs(&mut self) {
        for (id, file) in self.program.files().iter().enumerate() {
            let path = file.path.as_str();
            let Some(source) = path.strip_suffix(".pyi").and_then(|stem| self.program.find(&format!("{stem}.py")))
            else {
                continue;
            };
            let (id, facts) = (id as FileId, &*file.facts);
            let mut found: FxHashMap<DefIx, DefIx> = FxHashMap::default();
            for (ix, def) in facts.defs.iter().enumerate() {
                let container = match def.container {
                    None => None,
                    Some(container) => match found.get(&container) {
                        Some(&other) => Some(other),
                        None => continue,
                    },
                };
                let other = self.program.facts(source);
                let name = facts.str(def.name);
                let same = other
                    .defs
                    .iter()
                    .position(|candidate| candidate.container == container && other.str(candidate.name) == name);
                if let Some(same) = same {
                    found.insert(ix as DefIx, same as DefIx);
                    let target = self.program.def_node(source, same as DefIx);
                    let target = self.canonical.get(&target).copied().unwrap_or(target);
                    self.canonical.insert(self.program.def_node(id, ix as DefIx), target);
                }
            }
        }
    }

    fn module_named(&self, file: FileId, import: &Import) -> Option<ModuleId> {
        let module = self.program.facts(file).str(import.module);
        if import.level > 0 {
            return self.modules.relative(file, import.level, module);
        }
        self.modules.absolute(file, module, |name| names::STANDARD.binary_search(&name).is_ok())
    }

    /// The full name of something outside the tree.
    fn outside(&self, file: FileId, import: &Import) -> Entity {
        let facts = self.program.facts(file);
        let module = format!("{}{}", ".".repeat(import.level.into()), facts.str(import.module));
        Entity::External(match import.name {
            Some(name) => format!("{module}.{}", facts.str(name)).into(),
            None => module.into(),
        })
    }

    fn imported(&self, file: FileId, import: &Import, seen: &mut Vec<(ModuleId, Box<str>)>) -> Vec<Entity> {
        let Some(module) = self.module_named(file, import) else {
            return match import.kind {
                ImportKind::Module | ImportKind::Name => vec![self.outside(file, import)],
                _ => Vec::new(),
            };
        };
        let (ImportKind::Name, Some(name)) = (import.kind, import.name) else { return vec![Entity::Module(module)] };
        let name = self.program.facts(file).str(name);
        // `from . import x` in a package's own file means the submodule, not what the file binds.
        if self.modules.get(module).file == Some(file)
            && let Some(child) = self.modules.child(module, name)
        {
            return vec![Entity::Module(child)];
        }
        let found = self.member(module, name, seen);
        if found.is_empty() { vec![self.outside(file, import)] } else { found }
    }

    /// What `name` means as a member of a module.
    fn member(&self, module: ModuleId, name: &str, seen: &mut Vec<(ModuleId, Box<str>)>) -> Vec<Entity> {
        if seen.len() >= REEXPORTS_MAX || seen.iter().any(|(m, n)| *m == module && **n == *name) {
            return Vec::new();
        }
        seen.push((module, name.into()));
        let found = self.member_of_file(module, name, seen);
        seen.pop();
        if !found.is_empty() {
            return found;
        }
        self.modules.child(module, name).map(Entity::Module).into_iter().collect()
    }

    fn member_of_file(&self, module: ModuleId, name: &str, seen: &mut Vec<(ModuleId, Box<str>)>) -> Vec<Entity> {
        let Some(file) = self.modules.get(module).file else { return Vec::new() };
        if let Some(defs) = self.tops.get(&(file, name)) {
            let mut nodes: Vec<NodeId> =
                defs.iter().map(|&ix| self.canonical(self.program.def_node(file, ix))).collect();
            nodes.sort_unstable();
            nodes.dedup();
            return nodes.into_iter().map(Entity::Def).collect();
        }
        let facts = self.program.facts(file);
        let mut found: Vec<Entity> = Vec::new();
        for &ix in self.imports.get(&(file, name)).into_iter().flatten() {
            for entity in self.imported(file, &facts.imports[ix as usize], seen) {
                if !found.contains(&entity) {
                    found.push(entity);
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
        for &ix in self.wildcards.get(&file).into_iter().flatten() {
            if let Some(inner) = self.module_named(file, &facts.imports[ix as usize])
                && self.gives(inner, name)
            {
                found = self.member(inner, name, seen);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        found
    }

    /// Whether `from module import *` brings a name.
    fn gives(&self, module: ModuleId, name: &str) -> bool {
        let listed = self.modules.get(module).file.and_then(|file| self.listed.get(&file));
        match listed {
            Some(names) => names.contains(name),
            None => !name.starts_with('_'),
        }
    }
}

impl Rules for PythonRules<'_> {
    fn conventions(&self) -> &Conventions {
        &CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        self.imported(file, import, &mut Vec::new())
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        self.member(module, name, &mut Vec::new())
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        self.modules.get(module).file.into_iter().collect()
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        self.modules.of_file(file)
    }

    fn visible(&self, file: FileId, _within: Option<DefIx>, name: &str) -> Vec<Entity> {
        let Some(name) = name.strip_prefix(FIXTURE) else { return Vec::new() };
        let package = self.packages[file as usize];
        let same_package = |other: FileId| self.packages[other as usize] == package;
        self.fixtures.seen_from(self.program, file, name, same_package).map(Entity::Def).into_iter().collect()
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.packages[file as usize]
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical.get(&def).copied().unwrap_or(def)
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
        models::manager_member(ty, args, member, called).or_else(|| library::member(ty, args, member, called))
    }

    fn common_member(&self, base: &Value, member: &str, _called: bool) -> Option<Vec<Value>> {
        match (base, member) {
            (Value::Instance(node, _), "__class__") => Some(vec![Value::Def(*node)]),
            (Value::Def(node), "objects" | "_default_manager" | "_base_manager") => {
                Some(models::manager_of(Value::Instance(*node, Vec::new())))
            }
            _ => None,
        }
    }

    fn external_element(&self, ty: &str, args: &[Vec<Value>], index: bool) -> Option<Vec<Value>> {
        library::element(ty, args, index)
    }

    fn external_call(&self, name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
        library::call(name, arg0)
    }
}

/// Files belong to the nearest directory with a project file; all others to the root.
fn packages(program: &Program) -> Vec<u32> {
    let mut projects: Vec<String> = program
        .configs()
        .iter()
        .filter(|config| matches!(config.path.file_name(), "pyproject.toml" | "setup.cfg" | "setup.py"))
        .map(|config| match config.path.as_str().rsplit_once('/') {
            Some((dir, _)) => format!("{dir}/"),
            None => String::new(),
        })
        .collect();
    projects.sort();
    projects.dedup();
    let number: FxHashMap<&str, u32> = projects.iter().zip(1..).map(|(dir, n)| (dir.as_str(), n)).collect();
    program
        .files()
        .iter()
        .map(|file| {
            let path = file.path.as_str();
            let ends = path.match_indices('/').map(|(at, _)| at + 1).collect::<Vec<_>>();
            let nearest = ends.into_iter().rev().find_map(|end| number.get(&path[..end]));
            nearest.or_else(|| number.get("")).copied().unwrap_or(0)
        })
        .collect()
}
