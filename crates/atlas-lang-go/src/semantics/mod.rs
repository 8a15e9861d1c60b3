//! How Go's names resolve: modules, packages, what a package shows, what the language defines.
//!
//! A package is all files of one directory with one package clause; its test files see the rest, the
//! rest does not see them. Import paths lead into the tree by the modules of [`modules`]. Interfaces
//! are satisfied by method set ([`methods`]). Of definitions that exclude each other by build
//! constraints, that of the default build stands for all.

mod methods;
mod modules;

use crate::extract::table_name_of;
use atlas_graph::link::{Conventions, Entity, ExtraBase, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{DefFlags, DefIx, DefKind, Family, Import, ImportKind, Type};
use modules::Modules;
use rustc_hash::{FxHashMap, FxHashSet};

/// The semantics of Go.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoSemantics;

impl Semantics for GoSemantics {
    fn family(&self) -> Family {
        Family::Go
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(GoRules::new(program))
    }
}

const CONVENTIONS: Conventions = Conventions {
    call_constructs: true,
    body_sees_members: false,
    common_members: COMMON_MEMBERS,
    builtins: BUILTINS,
    containers: &["chan", "map"],
    ..Conventions::NONE
};

/// Members of the standard library's types and interfaces, which a receiver of unknown type may well be.
const COMMON_MEMBERS: &[&str] = &[
    "Add",
    "Append",
    "Close",
    "Delete",
    "Do",
    "Done",
    "Err",
    "Error",
    "Exec",
    "Fatal",
    "Fatalf",
    "Flush",
    "Format",
    "Get",
    "Header",
    "Init",
    "Len",
    "Less",
    "Load",
    "Lock",
    "Log",
    "Name",
    "New",
    "Next",
    "Now",
    "Open",
    "Parse",
    "Print",
    "Printf",
    "Println",
    "Push",
    "Put",
    "Query",
    "Read",
    "Remove",
    "Reset",
    "Run",
    "Scan",
    "Seek",
    "Send",
    "Set",
    "Size",
    "Start",
    "Stop",
    "Store",
    "String",
    "Sub",
    "Swap",
    "Unlock",
    "Update",
    "Value",
    "Wait",
    "Write",
    "WriteString",
];

const BUILTINS: &[&str] = &[
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "false",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// A package of the tree.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// In path order, test files too.
    pub files: Vec<FileId>,
    /// Top-level definitions by name, methods and fields not among them, with whether a test file
    /// holds it.
    names: FxHashMap<Box<str>, Vec<(NodeId, bool)>>,
}

/// The rules over one program.
pub(crate) struct GoRules<'p> {
    program: &'p Program,
    modules: Modules,
    packages: Vec<Package>,
    /// Package of each file.
    of_file: FxHashMap<FileId, ModuleId>,
    /// Definitions that a build constraint leaves out, and what stands for them.
    canonical: FxHashMap<NodeId, NodeId>,
    extra: Vec<ExtraBase>,
    /// The package that each import of a file leads to.
    resolved: FxHashMap<FileId, Vec<Option<ModuleId>>>,
    /// Pairs of modules, the first of which imports from the second.
    linked: FxHashSet<(u32, u32)>,
}

impl<'p> GoRules<'p> {
    fn new(program: &'p Program) -> Self {
        let modules = Modules::new(program);
        let mut numbers: FxHashMap<(&str, &str), ModuleId> = FxHashMap::default();
        let mut packages: Vec<Package> = Vec::new();
        let mut of_file = FxHashMap::default();
        for (id, file) in program.files().iter().enumerate() {
            if file.facts.language.family() != Family::Go {
                continue;
            }
            let Some(name) = file.facts.package else { continue };
            let key = (directory(file.path.as_str()), file.facts.str(name));
            let number = *numbers.entry(key).or_insert_with(|| {
                packages.push(Package::default());
                packages.len() as ModuleId - 1
            });
            let id = id as FileId;
            of_file.insert(id, number);
            let package = &mut packages[number as usize];
            package.files.push(id);
            let in_test = is_test_file(file.path.as_str());
            for (ix, def) in file.facts.defs.iter().enumerate() {
                if def.container.is_none() && def.owner.is_none() {
                    let node = program.def_node(id, ix as DefIx);
                    package.names.entry(file.facts.str(def.name).into()).or_default().push((node, in_test));
                }
            }
        }
        let canonical = canonical_definitions(program, &packages);
        let (linked, resolved) = (FxHashSet::default(), FxHashMap::default());
        let mut rules = Self { program, modules, packages, of_file, canonical, extra: Vec::new(), resolved, linked };
        rules.resolved = rules.resolved_imports();
        rules.linked = rules.linked_modules();
        rules.extra = methods::satisfied_interfaces(&rules);
        rules
    }

    fn resolved_imports(&self) -> FxHashMap<FileId, Vec<Option<ModuleId>>> {
        // Files of one directory mean the same by one path.
        let mut known: FxHashMap<(&str, &str), Option<ModuleId>> = FxHashMap::default();
        let mut resolved = FxHashMap::default();
        for &id in self.of_file.keys() {
            let facts = self.program.facts(id);
            let dir = directory(self.program.path(id).as_str());
            let imports = facts.imports.iter().map(|import| {
                let path = facts.str(import.module);
                *known.entry((dir, path)).or_insert_with(|| self.find_package(id, path))
            });
            resolved.insert(id, imports.collect());
        }
        resolved
    }

    fn linked_modules(&self) -> FxHashSet<(u32, u32)> {
        let mut linked = FxHashSet::default();
        if !self.modules.has_several() {
            return linked;
        }
        for &id in self.of_file.keys() {
            let from = self.package_of(id);
            for &package in self.resolved[&id].iter().flatten() {
                let first = self.packages[package as usize].files.first();
                linked.extend(first.map(|&file| (from, self.package_of(file))));
            }
        }
        linked
    }

    pub(crate) fn canonical_of(&self, node: NodeId) -> NodeId {
        self.canonical.get(&node).copied().unwrap_or(node)
    }

    /// The import path behind a package's name in a file.
    pub(crate) fn import_path(&self, file: FileId, name: &str) -> Option<&'p str> {
        let facts = self.program.facts(file);
        let import = facts.imports.iter().find(|import| import.local.is_some_and(|local| facts.str(local) == name))?;
        Some(facts.str(import.module))
    }

    /// The package that an import path names, seen from a file.
    fn find_package(&self, file: FileId, path: &str) -> Option<ModuleId> {
        let dirs = self.modules.directories(self.program.path(file).as_str(), path);
        dirs.iter().find_map(|dir| self.package_in(dir))
    }

    /// The package of a directory that others can import: neither tests nor, if there is another, a program.
    fn package_in(&self, dir: &str) -> Option<ModuleId> {
        let files = self.modules.files_in(dir);
        let name = |file: FileId| {
            let facts = self.program.facts(file);
            facts.package.map(|name| facts.str(name)).unwrap_or_default()
        };
        let importable =
            |&&file: &&FileId| !is_test_file(self.program.path(file).as_str()) && self.of_file.contains_key(&file);
        let kept = |&&file: &&FileId| name(file) != "main" && !left_out(self.program, file);
        let choice = files.iter().filter(importable).find(kept);
        let choice = choice.or_else(|| files.iter().filter(importable).find(|&&file| name(file) != "main"));
        let choice = choice.or_else(|| files.iter().find(importable));
        choice.map(|file| self.of_file[file])
    }

    /// Names of a package as its own files see them, or as an importer does.
    fn names(&self, package: ModuleId, name: &str, tests: bool) -> Vec<NodeId> {
        let Some(found) = self.packages[package as usize].names.get(name) else { return Vec::new() };
        found.iter().filter(|(_, in_test)| tests || !in_test).map(|&(node, _)| node).collect()
    }

    /// The node of a type of the tree as a type path of this file names it.
    pub(crate) fn named_type(&self, file: FileId, path: &[&str]) -> Option<NodeId> {
        let found = match path {
            [name] => {
                let package = *self.of_file.get(&file)?;
                self.names(package, name, is_test_file(self.program.path(file).as_str()))
            }
            [qualifier, name] => {
                let (_, package) = self.import_named(file, qualifier)?;
                self.names(package?, name, false)
            }
            _ => return None,
        };
        found
            .into_iter()
            .map(|node| self.canonical_of(node))
            .find(|&node| self.program.def(node).is_some_and(|def| def.kind.is_type()))
    }

    /// The import that a package's name in a file means, and its package if that is in the tree.
    fn import_named(&self, file: FileId, name: &str) -> Option<(&'p Import, Option<ModuleId>)> {
        let facts = self.program.facts(file);
        let imports = facts.imports.iter().zip(self.resolved.get(&file)?.iter().copied());
        let by_local = |import: &Import| import.local.is_some_and(|local| facts.str(local) == name);
        // Without an alias the package clause decides, which the path only suggests.
        let by_clause = |import: &Import, package: Option<ModuleId>| {
            import.kind == ImportKind::Module
                && import.level == 0
                && package.is_some_and(|package| self.clause(package) == name)
        };
        let mut imports: Vec<_> = imports.collect();
        imports.retain(|(import, package)| by_local(import) || by_clause(import, *package));
        let exact = imports.iter().find(|(import, package)| import.level != 0 || by_clause(import, *package));
        exact.or(imports.first()).copied()
    }

    fn clause(&self, package: ModuleId) -> &'p str {
        let Some(&file) = self.packages[package as usize].files.first() else { return "" };
        let facts = self.program.facts(file);
        facts.package.map(|name| facts.str(name)).unwrap_or_default()
    }
}

impl Rules for GoRules<'_> {
    fn conventions(&self) -> &Conventions {
        &CONVENTIONS
    }

    /// GORM needs no tag and no embedded model: any struct that it is given is a row.
    fn implied_table(&self, file: FileId, class: NodeId) -> Option<String> {
        let facts = self.program.facts(file);
        let uses_gorm = facts
            .imports
            .iter()
            .any(|import| matches!(facts.str(import.module), "gorm.io/gorm" | "github.com/jinzhu/gorm"));
        let is_struct = self.program.def(class).is_some_and(|def| def.kind == DefKind::Struct);
        (uses_gorm && is_struct).then(|| table_name_of(self.program.name(class)))
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        let path = self.program.facts(file).str(import.module);
        match self.find_package(file, path) {
            Some(package) => vec![Entity::Module(package)],
            None => vec![Entity::External(path.into())],
        }
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        if !name.starts_with(char::is_uppercase) {
            return Vec::new();
        }
        self.names(module, name, false).into_iter().map(Entity::Def).collect()
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        // A file that others import stands before tests.
        let files = &self.packages[module as usize].files;
        let is_test = |&&file: &&FileId| is_test_file(self.program.path(file).as_str());
        let mut ordered: Vec<FileId> = files.iter().filter(|file| !is_test(file)).copied().collect();
        ordered.extend(files.iter().filter(is_test));
        ordered
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        self.of_file.get(&file).copied()
    }

    fn visible(&self, file: FileId, _within: Option<DefIx>, name: &str) -> Vec<Entity> {
        let Some(&package) = self.of_file.get(&file) else { return Vec::new() };
        let tests = is_test_file(self.program.path(file).as_str());
        let found = self.names(package, name, tests);
        if !found.is_empty() {
            return found.into_iter().map(Entity::Def).collect();
        }
        match self.import_named(file, name) {
            Some((_, Some(package))) => vec![Entity::Module(package)],
            _ => Vec::new(),
        }
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.modules.module_of(self.program.path(file).as_str())
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical_of(def)
    }

    fn extra_bases(&self) -> Vec<ExtraBase> {
        self.extra.clone()
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
        let number = || vec![Value::ExternalInstance("int".into(), Vec::new())];
        match (ty, member) {
            // The first variable of a `range` clause; the second is an element.
            ("map" | "chan", "#first") => args.first().cloned(),
            ("list" | "number" | "int" | "string", "#first") => Some(number()),
            ("error", "Error") if called => Some(vec![Value::ExternalInstance("string".into(), Vec::new())]),
            _ => None,
        }
    }

    fn external_call(&self, name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
        match name {
            "append" => Some(arg0.to_vec()),
            "slices.Clone" | "maps.Clone" | "slices.Compact" | "slices.Clip" | "slices.Grow" => Some(arg0.to_vec()),
            _ => None,
        }
    }
}

/// Of top-level definitions and methods that share a name in one package, the one of the default build
/// stands for those that a constraint leaves out.
fn canonical_definitions(program: &Program, packages: &[Package]) -> FxHashMap<NodeId, NodeId> {
    let mut canonical = FxHashMap::default();
    for package in packages {
        let mut groups: FxHashMap<(String, &str), Vec<NodeId>> = FxHashMap::default();
        for &file in &package.files {
            let facts = program.facts(file);
            for (ix, def) in facts.defs.iter().enumerate() {
                if def.container.is_some() {
                    continue;
                }
                let owner = match def.owner.map(|owner| facts.ty(owner)) {
                    Some(Type::Path { path, .. }) => path.last().map(|&name| facts.str(name)).unwrap_or_default(),
                    _ => "",
                };
                let name = facts.str(def.name);
                // `init` may be defined any number of times.
                if name == "init" && def.kind == DefKind::Function {
                    continue;
                }
                groups.entry((owner.to_owned(), name)).or_default().push(program.def_node(file, ix as DefIx));
            }
        }
        for nodes in groups.into_values().filter(|nodes| nodes.len() > 1) {
            let (out, kept): (Vec<NodeId>, Vec<NodeId>) = nodes.into_iter().partition(|&node| excluded(program, node));
            // With none kept the first stands for all: one of them is built somewhere.
            let Some(&first) = kept.first().or(out.first()) else { continue };
            if kept.len() <= 1 {
                canonical.extend(out.into_iter().filter(|&node| node != first).map(|node| (node, first)));
            }
        }
    }
    canonical
}

fn excluded(program: &Program, node: NodeId) -> bool {
    program.def(node).is_some_and(|def| def.flags.has(DefFlags::CONDITIONAL))
        || !crate::extract::file_name_holds(program.path(program.file_of(node)).file_name())
}

/// Whether a build constraint leaves the whole file out.
fn left_out(program: &Program, file: FileId) -> bool {
    let facts = program.facts(file);
    facts.defs.first().is_some_and(|def| def.flags.has(DefFlags::CONDITIONAL))
        || !crate::extract::file_name_holds(program.path(file).file_name())
}

pub(crate) fn is_test_file(path: &str) -> bool {
    path.ends_with("_test.go")
}

/// The directory of a path; empty for the root.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}
