//! How names resolve on the JVM: packages, imports, what a package shows without an import, build
//! modules as the bound of every guess (contract §4).
//!
//! A package is a module of the linker, and so is every prefix of one, so that `a.b.C.f()` resolves part
//! by part. A name written as a type that nothing in the tree explains is an outside type: it comes from
//! the language, a jar or generated code, and is never guessed at.

mod fit;
mod library;

use crate::java::ENTITY_OF_REPOSITORY;
use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{BaseSub, DefIx, DefKind, Family, Import, ImportKind, Type, TypeId};
use rustc_hash::FxHashMap;

/// The JVM's rules for [`atlas_graph::link::link`].
#[derive(Debug, Clone, Copy, Default)]
pub struct JvmSemantics;

impl Semantics for JvmSemantics {
    fn family(&self) -> Family {
        Family::Jvm
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(JvmRules::new(program))
    }
}

/// Longest chain of superclasses that a static import is looked for in.
const ANCESTORS_MAX: u32 = 32;

struct JvmRules<'p> {
    program: &'p Program,
    /// Packages and their prefixes by full name.
    packages: FxHashMap<&'p str, ModuleId>,
    names: Vec<&'p str>,
    /// What stands at the top of a package's files, by name.
    tops: FxHashMap<(ModuleId, &'p str), Vec<NodeId>>,
    files: Vec<Vec<FileId>>,
    package_of_file: FxHashMap<FileId, ModuleId>,
    /// The build module of each file: directories with a build file, numbered in path order; 0 for none.
    build_modules: Vec<u32>,
    members: FxHashMap<(NodeId, &'p str), Vec<NodeId>>,
    /// Base clauses of each type.
    bases: FxHashMap<NodeId, Vec<TypeId>>,
}

impl<'p> JvmRules<'p> {
    fn new(program: &'p Program) -> Self {
        let mut rules = Self {
            program,
            packages: FxHashMap::default(),
            names: Vec::new(),
            tops: FxHashMap::default(),
            files: Vec::new(),
            package_of_file: FxHashMap::default(),
            build_modules: build_modules(program),
            members: FxHashMap::default(),
            bases: FxHashMap::default(),
        };
        rules.package("");
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &*file.facts);
            if facts.language.family() != Family::Jvm {
                continue;
            }
            let package = rules.package(facts.package.map_or("", |package| facts.str(package)));
            rules.files[package as usize].push(id);
            rules.package_of_file.insert(id, package);
            for (ix, def) in facts.defs.iter().enumerate() {
                let node = program.def_node(id, ix as DefIx);
                match def.container {
                    None => rules.tops.entry((package, facts.str(def.name))).or_default().push(node),
                    Some(container) => {
                        let container = program.def_node(id, container);
                        rules.members.entry((container, facts.str(def.name))).or_default().push(node);
                    }
                }
            }
            for base in &facts.bases {
                if let BaseSub::Def(ix) = base.sub {
                    rules.bases.entry(program.def_node(id, ix)).or_default().push(base.sup);
                }
            }
        }
        rules
    }

    /// Numbers a package and its prefixes.
    fn package(&mut self, name: &'p str) -> ModuleId {
        if let Some(&id) = self.packages.get(name) {
            return id;
        }
        if let Some((outer, _)) = name.rsplit_once('.') {
            self.package(outer);
        }
        let id = self.names.len() as ModuleId;
        self.names.push(name);
        self.files.push(Vec::new());
        self.packages.insert(name, id);
        id
    }

    /// What a full name means: a type, nested ones included, or a member of one; else a package.
    fn full_name(&self, from: FileId, name: &str) -> Vec<Entity> {
        if let Some(&package) = self.packages.get(name)
            && package != 0
        {
            return vec![Entity::Module(package)];
        }
        let (outer, last) = name.rsplit_once('.').unwrap_or(("", name));
        if let Some(&package) = self.packages.get(outer) {
            let found = self.top(from, package, last);
            if !found.is_empty() {
                return found.into_iter().map(Entity::Def).collect();
            }
        }
        if outer.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for entity in self.full_name(from, outer) {
            if let Entity::Def(node) = entity {
                found.extend(self.inherited(node, last, 0));
            }
        }
        found.into_iter().map(Entity::Def).collect()
    }

    /// What stands at the top of a package; of several by one name, those of the asking file's own build
    /// module if it has any.
    fn top(&self, from: FileId, package: ModuleId, name: &str) -> Vec<NodeId> {
        let all = self.tops.get(&(package, name)).map_or(&[][..], Vec::as_slice);
        let own = |node: &&NodeId| self.build_module(self.program.file_of(**node)) == self.build_module(from);
        if all.len() > 1 && all.iter().any(|node| own(&node)) {
            return all.iter().filter(own).copied().collect();
        }
        all.to_vec()
    }

    fn build_module(&self, file: FileId) -> u32 {
        self.build_modules.get(file as usize).copied().unwrap_or(0)
    }

    /// Members of a type by name, those of its superclasses if it has none itself.
    fn inherited(&self, node: NodeId, name: &str, depth: u32) -> Vec<NodeId> {
        if let Some(found) = self.members.get(&(node, name)) {
            return found.clone();
        }
        if depth >= ANCESTORS_MAX {
            return Vec::new();
        }
        let file = self.program.file_of(node);
        for &base in self.bases.get(&node).map_or(&[][..], Vec::as_slice) {
            if let Some(base) = self.type_named(file, base).filter(|&base| base != node) {
                let found = self.inherited(base, name, depth + 1);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Vec::new()
    }

    /// The type that a plain type expression of a file names, seen from the file's top.
    fn type_named(&self, file: FileId, ty: TypeId) -> Option<NodeId> {
        let facts = self.program.facts(file);
        let Type::Path { path, .. } = facts.ty(ty) else { return None };
        let (first, rest) = path.split_first()?;
        let first = facts.str(*first);
        let node = self.program.file_node(file);
        let mut found = facts
            .defs
            .iter()
            .position(|def| def.container.is_none() && def.kind.is_type() && facts.str(def.name) == first)
            .map(|ix| node + 1 + ix as NodeId);
        if found.is_none() {
            let import =
                facts.imports.iter().find(|import| import.local.is_some_and(|local| facts.str(local) == first));
            let entities = match import {
                Some(import) => self.import(file, import),
                None => self.visible(file, None, first),
            };
            found = entities.into_iter().find_map(|entity| match entity {
                Entity::Def(node) if self.program.def(node).is_some_and(|def| def.kind.is_type()) => Some(node),
                _ => None,
            });
        }
        let mut node = found?;
        for part in rest {
            let inner = self.members.get(&(node, facts.str(*part)))?;
            node = *inner.iter().find(|&&inner| self.program.def(inner).is_some_and(|def| def.kind.is_type()))?;
        }
        Some(node)
    }

    /// The entity that a repository stores, by the Spring Data or Panache interface that it extends.
    fn entity_of(&self, repository: NodeId, depth: u32) -> Option<NodeId> {
        if depth >= ANCESTORS_MAX {
            return None;
        }
        let file = self.program.file_of(repository);
        let facts = self.program.facts(file);
        for &base in self.bases.get(&repository).map_or(&[][..], Vec::as_slice) {
            let Type::Path { path, args } = facts.ty(base) else { continue };
            let stored = args.first().and_then(|&first| self.type_named(file, first));
            let name = path.last().map_or("", |&last| facts.str(last));
            if library::REPOSITORIES.binary_search(&name).is_ok() {
                if stored.is_some() {
                    return stored;
                }
            } else if let Some(parent) = self.type_named(file, base).filter(|&parent| parent != repository) {
                // A repository of the tree that others extend leaves the entity to them.
                let found = self.entity_of(parent, depth + 1);
                let found = found.or_else(|| stored.filter(|_| self.is_repository(parent, depth + 1)));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn is_repository(&self, ty: NodeId, depth: u32) -> bool {
        let file = self.program.file_of(ty);
        let facts = self.program.facts(file);
        depth < ANCESTORS_MAX
            && self.bases.get(&ty).map_or(&[][..], Vec::as_slice).iter().any(|&base| {
                let Type::Path { path, .. } = facts.ty(base) else { return false };
                let name = path.last().map_or("", |&last| facts.str(last));
                library::REPOSITORIES.binary_search(&name).is_ok()
                    || self.type_named(file, base).is_some_and(|parent| self.is_repository(parent, depth + 1))
            })
    }

    /// Names that the wildcard imports of a file bring.
    fn wildcard_names(&self, file: FileId, name: &str) -> Vec<Entity> {
        let facts = self.program.facts(file);
        for import in facts.imports.iter().filter(|import| import.kind == ImportKind::Wildcard) {
            let module = facts.str(import.module);
            let found: Vec<NodeId> = match self.packages.get(module) {
                Some(&package) => self.top(file, package, name),
                None => self
                    .full_name(file, module)
                    .into_iter()
                    .filter_map(|entity| match entity {
                        Entity::Def(node) => Some(node),
                        _ => None,
                    })
                    .flat_map(|node| self.inherited(node, name, 0))
                    .collect(),
            };
            if !found.is_empty() {
                return found.into_iter().map(Entity::Def).collect();
            }
        }
        Vec::new()
    }
}

impl Rules for JvmRules<'_> {
    fn conventions(&self) -> &Conventions {
        &library::CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let module = facts.str(import.module);
        match (import.kind, import.name) {
            (ImportKind::Name, Some(name)) if module.is_empty() => self.full_name(file, facts.str(name)),
            (ImportKind::Name, Some(name)) => {
                let found = self.full_name(file, &format!("{module}.{}", facts.str(name)));
                // A package is never meant by the import of a name.
                found.into_iter().filter(|entity| matches!(entity, Entity::Def(_))).collect()
            }
            (ImportKind::Wildcard, _) => self.full_name(file, module),
            _ => Vec::new(),
        }
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        let tops = self.tops.get(&(module, name)).map_or(&[][..], Vec::as_slice);
        if !tops.is_empty() {
            return tops.iter().copied().map(Entity::Def).collect();
        }
        let Some(outer) = self.names.get(module as usize) else { return Vec::new() };
        let full = if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") };
        match self.packages.get(full.as_str()) {
            Some(&package) => vec![Entity::Module(package)],
            // What the tree does not have of a package may be generated, or stand in a jar.
            None => vec![Entity::External(full.into())],
        }
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        self.files.get(module as usize).cloned().unwrap_or_default()
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        self.package_of_file.get(&file).copied()
    }

    fn visible(&self, file: FileId, _within: Option<DefIx>, name: &str) -> Vec<Entity> {
        if let Some(&package) = self.package_of_file.get(&file) {
            let found = self.top(file, package, name);
            if !found.is_empty() {
                return found.into_iter().map(Entity::Def).collect();
            }
        }
        let found = self.wildcard_names(file, name);
        if !found.is_empty() {
            return found;
        }
        if let Some(&package) = self.packages.get(name)
            && package != 0
        {
            return vec![Entity::Module(package)];
        }
        if library::is_outside_root(name) || library::looks_like_type(name) {
            return vec![Entity::External(name.into())];
        }
        Vec::new()
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.build_module(file)
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
        if member == ENTITY_OF_REPOSITORY {
            let name = ty.rsplit('.').next().unwrap_or(ty);
            return if library::REPOSITORIES.binary_search(&name).is_ok() { args.first().cloned() } else { None };
        }
        library::member(ty, args, member, called)
    }

    fn common_member(&self, base: &Value, member: &str, called: bool) -> Option<Vec<Value>> {
        if member == ENTITY_OF_REPOSITORY {
            let Value::Instance(node, _) = base else { return None };
            return self.entity_of(*node, 0).map(|entity| vec![Value::Instance(entity, Vec::new())]);
        }
        // What every class and every enum has.
        let (Value::Instance(node, _) | Value::Def(node)) = base else { return None };
        let is_enum = self.program.def(*node).is_some_and(|def| def.kind == DefKind::Enum);
        if let Value::Def(node) = base {
            let one = Value::Instance(*node, Vec::new());
            return match member {
                "valueOf" if is_enum && called => Some(vec![one]),
                "values" if is_enum && called => Some(vec![Value::ExternalInstance("list".into(), vec![vec![one]])]),
                "valueOf" | "values" if is_enum => Some(vec![Value::External(member.into())]),
                _ => None,
            };
        }
        match member {
            "toString" | "hashCode" | "equals" | "getClass" | "notify" | "notifyAll" | "wait" | "clone"
            | "finalize" => {}
            "name" | "ordinal" | "compareTo" | "describeConstable" | "getDeclaringClass" if is_enum => {}
            _ => return None,
        }
        if !called {
            return Some(vec![Value::External(member.into())]);
        }
        let name = if member == "name" { "String" } else { "Object" };
        library::member(name, &[], member, true)
            .or_else(|| Some(vec![Value::ExternalInstance(name.into(), Vec::new())]))
    }

    fn fit(&self, parameter: &Value, argument: &Value) -> Option<i32> {
        fit::fit(parameter, argument)
    }
}

/// For each file, the number of the innermost directory around it that holds a build file.
fn build_modules(program: &Program) -> Vec<u32> {
    const BUILD_FILES: [&str; 3] = ["pom.xml", "build.gradle", "build.gradle.kts"];
    let mut roots: Vec<&str> = program
        .configs()
        .iter()
        .filter(|config| BUILD_FILES.contains(&config.path.file_name()))
        .map(|config| config.path.parent())
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let number: FxHashMap<&str, u32> = roots.iter().enumerate().map(|(at, &root)| (root, at as u32 + 1)).collect();
    program
        .files()
        .iter()
        .map(|file| {
            let mut dir = file.path.parent();
            loop {
                if let Some(&number) = number.get(dir) {
                    return number;
                }
                match dir.rsplit_once('/') {
                    Some((outer, _)) => dir = outer,
                    None if dir.is_empty() => return 0,
                    None => dir = "",
                }
            }
        })
        .collect()
}
