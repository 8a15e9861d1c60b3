//! How C# names resolve: namespaces from the inside out, `using` directives of the file and global ones of
//! its project, nested and inherited types, partial types, extension methods.
//!
//! A project is the nearest directory with a project file. Which project refers to which is not read:
//! what a project does not define itself may come from any other.

mod fit;
mod library;

use crate::{RECEIVER, TYPE_MARK};
use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{BaseSub, BindingKind, DefFlags, DefIx, DefKind, Expr, Family, Import, ImportKind, Type, TypeId};
use rustc_hash::FxHashMap;

/// C#'s [`Semantics`].
#[derive(Debug, Clone, Copy, Default)]
pub struct CSharpSemantics;

impl Semantics for CSharpSemantics {
    fn family(&self) -> Family {
        Family::CSharp
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(CSharpRules::new(program))
    }
}

/// The name of indexers in the facts.
pub(crate) const INDEXER: &str = "this[]";

const CONVENTIONS: Conventions = Conventions {
    implicit_this: true,
    overloads: true,
    overloads_inherit: true,
    constructors_inherit: false,
    types_reopen: true,
    index_method: Some(INDEXER),
    containers: &library::CONTAINERS,
    awaitables: &["Task", "ValueTask"],
    transparent: &["Nullable"],
    package_is_open: true,
    // Receivers are typed: one that is not known is a lambda's parameter or comes from outside, and the only
    // method of its name in the project is seldom meant.
    member_by_name: false,
    ..Conventions::NONE
};

/// Longest chain of bases, and of types around a type, that is followed.
const CHAIN_MAX: u32 = 32;

/// An extension method.
#[derive(Debug, Clone, Copy)]
struct Extension<'p> {
    method: NodeId,
    /// Last name of its receiver's type, or of the bound of its type parameter.
    receiver: &'p str,
}

struct CSharpRules<'p> {
    program: &'p Program,
    /// Types by full name without numbers of parameters, with that number.
    types: FxHashMap<String, Vec<(NodeId, u32)>>,
    /// Nested types of each type by name, with their number of parameters.
    nested: FxHashMap<(NodeId, &'p str), Vec<(NodeId, u32)>>,
    /// Namespace of each type that stands in no other.
    namespace_of: FxHashMap<NodeId, String>,
    namespaces: FxHashMap<String, ModuleId>,
    namespace_names: Vec<String>,
    namespace_files: Vec<Vec<FileId>>,
    canonical: FxHashMap<NodeId, NodeId>,
    /// Bases of each type that are of the tree.
    supers: FxHashMap<NodeId, Vec<NodeId>>,
    /// Names of all bases of each type, those outside the tree included.
    base_names: FxHashMap<NodeId, Vec<&'p str>>,
    extensions: FxHashMap<&'p str, Vec<Extension<'p>>>,
    /// Namespaces that all files of a project use.
    global: FxHashMap<u32, Vec<&'p str>>,
    projects: Vec<u32>,
}

impl<'p> CSharpRules<'p> {
    fn new(program: &'p Program) -> Self {
        let mut this = Self {
            program,
            types: FxHashMap::default(),
            nested: FxHashMap::default(),
            namespace_of: FxHashMap::default(),
            namespaces: FxHashMap::default(),
            namespace_names: Vec::new(),
            namespace_files: Vec::new(),
            canonical: FxHashMap::default(),
            supers: FxHashMap::default(),
            base_names: FxHashMap::default(),
            extensions: FxHashMap::default(),
            global: FxHashMap::default(),
            projects: projects(program),
        };
        this.number("");
        let mut partial: FxHashMap<(u32, String), NodeId> = FxHashMap::default();
        for (id, file) in program.files().iter().enumerate() {
            let id = id as FileId;
            if file.facts.language.family() == Family::CSharp {
                this.declare(id, &mut partial);
            }
        }
        for (id, file) in program.files().iter().enumerate() {
            let id = id as FileId;
            if file.facts.language.family() == Family::CSharp {
                this.inherit(id);
            }
        }
        this
    }

    /// Takes note of what a file declares.
    fn declare(&mut self, id: FileId, partial: &mut FxHashMap<(u32, String), NodeId>) {
        let facts = self.program.facts(id);
        let project = self.project(id);
        for export in &facts.exports {
            let Expr::Def(ix) = *facts.expr(export.value) else { continue };
            let node = self.program.def_node(id, ix);
            let written = facts.str(export.name);
            let full = written.strip_prefix("partial ").unwrap_or(written);
            let last = full.rsplit('.').next().unwrap_or(full);
            let arity = last.split_once('`').and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
            if full.len() != written.len() {
                let home = *partial.entry((project, full.to_owned())).or_insert(node);
                if home != node {
                    self.canonical.insert(node, home);
                }
            }
            match facts.def(ix).container {
                Some(container) => {
                    let container = self.canonical_of(self.program.def_node(id, container));
                    let name = facts.str(facts.def(ix).name);
                    self.nested.entry((container, name)).or_default().push((node, arity));
                }
                None => {
                    let namespace = full.rsplit_once('.').map_or("", |(namespace, _)| namespace).to_owned();
                    let module = self.number(&namespace);
                    let files = &mut self.namespace_files[module as usize];
                    if files.last() != Some(&id) {
                        files.push(id);
                    }
                    self.namespace_of.insert(node, namespace);
                }
            }
            if self.canonical_of(node) == node {
                self.types.entry(without_arity(full)).or_default().push((node, arity));
            }
        }
        for import in &facts.imports {
            if import.kind == ImportKind::Wildcard && import.level == 2 {
                self.global.entry(project).or_default().push(facts.str(import.module));
            }
        }
        for binding in &facts.bindings {
            let (BindingKind::Param(RECEIVER), Some(scope), Some(ty)) = (binding.kind, binding.scope, binding.ty)
            else {
                continue;
            };
            if let Some(receiver) = self.receiver_name(id, scope, ty) {
                let method = self.program.def_node(id, scope);
                let name = facts.str(facts.def(scope).name);
                self.extensions.entry(name).or_default().push(Extension { method, receiver });
            }
        }
    }

    /// The last name of the type that an extension method extends; None if it extends any.
    fn receiver_name(&self, file: FileId, method: DefIx, ty: TypeId) -> Option<&'p str> {
        let facts = self.program.facts(file);
        let mut ty = ty;
        for _ in 0..4 {
            let path = match facts.ty(ty) {
                Type::List(_) => return Some("list"),
                Type::Path { path, .. } => path,
                _ => return None,
            };
            let parameter = facts.bindings.iter().find(|binding| {
                matches!(binding.kind, BindingKind::TypeParam(_))
                    && binding.scope == Some(method)
                    && path.len() == 1
                    && facts.str(binding.name) == facts.str(path[0])
            });
            match parameter {
                Some(parameter) => ty = parameter.ty?,
                None => return path.last().map(|&last| plain(facts.str(last))),
            }
        }
        None
    }

    /// Numbers a namespace and those around it.
    fn number(&mut self, name: &str) -> ModuleId {
        if let Some(&id) = self.namespaces.get(name) {
            return id;
        }
        if let Some((outer, _)) = name.rsplit_once('.') {
            self.number(outer);
        }
        let id = self.namespace_names.len() as ModuleId;
        self.namespace_names.push(name.to_owned());
        self.namespace_files.push(Vec::new());
        self.namespaces.insert(name.to_owned(), id);
        id
    }

    /// Takes note of the bases of a file's types, once all types are known.
    fn inherit(&mut self, id: FileId) {
        let facts = self.program.facts(id);
        for base in &facts.bases {
            let BaseSub::Def(ix) = base.sub else { continue };
            let Type::Path { path, .. } = facts.ty(base.sup) else { continue };
            let node = self.canonical_of(self.program.def_node(id, ix));
            if let Some(&last) = path.last() {
                self.base_names.entry(node).or_default().push(plain(facts.str(last)));
            }
            let within = facts.def(ix).container;
            let sup = self.written_type(id, within, path);
            if let Some(sup) = sup.filter(|&sup| sup != node) {
                self.supers.entry(node).or_default().push(sup);
            }
        }
    }

    /// The only type of the tree that a written path names.
    fn written_type(&self, file: FileId, within: Option<DefIx>, path: &[u32]) -> Option<NodeId> {
        let facts = self.program.facts(file);
        let (&first, rest) = path.split_first()?;
        let mut found = self.type_named(file, within, facts.str(first));
        for &part in rest {
            let name = facts.str(part);
            found = found
                .into_iter()
                .flat_map(|entity| match entity {
                    Entity::Module(module) => self.module_member(module, name),
                    Entity::Def(node) => self.nested_in(node, name, None, 0),
                    Entity::External(_) => Vec::new(),
                })
                .collect();
        }
        match found.as_slice() {
            [Entity::Def(node)] => Some(*node),
            _ => None,
        }
    }

    fn canonical_of(&self, node: NodeId) -> NodeId {
        self.canonical.get(&node).copied().unwrap_or(node)
    }

    fn project(&self, file: FileId) -> u32 {
        self.projects.get(file as usize).copied().unwrap_or(0)
    }

    /// Nested types of a type by name, those that it inherits included.
    fn nested_in(&self, node: NodeId, name: &str, arity: Option<u32>, depth: u32) -> Vec<Entity> {
        let node = self.canonical_of(node);
        if let Some(found) = self.nested.get(&(node, name)) {
            let found = self.fitting(found, arity);
            if !found.is_empty() {
                return found;
            }
        }
        if depth >= CHAIN_MAX {
            return Vec::new();
        }
        let supers = self.supers.get(&node).map_or(&[][..], Vec::as_slice);
        supers
            .iter()
            .map(|&sup| self.nested_in(sup, name, arity, depth + 1))
            .find(|f| !f.is_empty())
            .unwrap_or_default()
    }

    /// Those that have this many type parameters; the ones without any where that is not said.
    fn fitting(&self, all: &[(NodeId, u32)], arity: Option<u32>) -> Vec<Entity> {
        let of = |wanted: u32| -> Vec<Entity> {
            let mut found: Vec<NodeId> =
                all.iter().filter(|(_, n)| *n == wanted).map(|&(node, _)| self.canonical_of(node)).collect();
            found.dedup();
            found.into_iter().map(Entity::Def).collect()
        };
        match arity {
            Some(arity) => of(arity),
            None => {
                let plain = of(0);
                if plain.is_empty() {
                    all.iter().map(|&(node, _)| Entity::Def(self.canonical_of(node))).collect()
                } else {
                    plain
                }
            }
        }
    }

    /// Types of a namespace by name; of several those of the asking file's project if it has any.
    fn in_namespace(&self, file: FileId, namespace: &str, name: &str, arity: Option<u32>) -> Vec<Entity> {
        let full = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        let Some(all) = self.types.get(&full) else { return Vec::new() };
        let found = self.fitting(all, arity);
        let project = self.project(file);
        let own = |entity: &&Entity| matches!(entity, Entity::Def(node) if self.project(self.program.file_of(*node)) == project);
        if found.len() > 1 && found.iter().any(|entity| own(&entity)) {
            return found.iter().filter(own).cloned().collect();
        }
        found
    }

    /// The namespace that a place stands in.
    fn namespace_at(&self, file: FileId, within: Option<DefIx>) -> &str {
        let facts = self.program.facts(file);
        let mut scope = within;
        let mut outermost = within;
        while let Some(ix) = scope {
            outermost = Some(ix);
            scope = facts.def(ix).container;
        }
        let known = outermost.and_then(|ix| self.namespace_of.get(&self.program.def_node(file, ix)));
        match known {
            Some(namespace) => namespace,
            None => facts.package.map_or("", |package| facts.str(package)),
        }
    }

    /// What a name means where a type or namespace is meant: nested types around, then namespaces from
    /// the inside out, then what `using` directives bring.
    fn type_named(&self, file: FileId, within: Option<DefIx>, name: &str) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let (name, arity) = match name.strip_prefix(TYPE_MARK) {
            Some(marked) => match marked.split_once('`') {
                Some((name, arity)) => (name, Some(arity.parse().unwrap_or(0))),
                None => (marked, Some(0)),
            },
            None => (name, None),
        };
        let mut scope = within;
        while let Some(ix) = scope {
            if facts.def(ix).kind.is_type() {
                let found = self.nested_in(self.program.def_node(file, ix), name, arity, 0);
                if !found.is_empty() {
                    return found;
                }
            }
            scope = facts.def(ix).container;
        }
        let mut namespace = self.namespace_at(file, within);
        loop {
            let found = self.in_namespace(file, namespace, name, arity);
            if !found.is_empty() {
                return found;
            }
            let full = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
            if let Some(&module) = self.namespaces.get(&full).filter(|_| arity != Some(1)) {
                return vec![Entity::Module(module)];
            }
            match namespace.rsplit_once('.') {
                Some((outer, _)) => namespace = outer,
                None if namespace.is_empty() => break,
                None => namespace = "",
            }
        }
        let alias = facts.imports.iter().find(|import| import.local.is_some_and(|local| facts.str(local) == name));
        if let Some(alias) = alias {
            return self.import(file, alias);
        }
        let used = facts.imports.iter().filter(|i| i.kind == ImportKind::Wildcard && i.level & 1 == 0);
        let global = self.global.get(&self.project(file)).into_iter().flatten().copied();
        let mut found: Vec<Entity> = Vec::new();
        for namespace in used.map(|import| facts.str(import.module)).chain(global) {
            for entity in self.in_namespace(file, namespace, name, arity) {
                if !found.contains(&entity) {
                    found.push(entity);
                }
            }
        }
        found
    }

    /// What a full name means: a type, nested ones included, or a namespace.
    fn full_name(&self, name: &str) -> Vec<Entity> {
        if let Some(all) = self.types.get(name) {
            return self.fitting(all, None);
        }
        self.namespaces.get(name).map(|&module| vec![Entity::Module(module)]).unwrap_or_default()
    }

    /// Static members that `using static` directives bring.
    fn static_members(&self, file: FileId, name: &str) -> Vec<Entity> {
        let facts = self.program.facts(file);
        for import in facts.imports.iter().filter(|i| i.kind == ImportKind::Wildcard && i.level & 1 == 1) {
            for entity in self.full_name(facts.str(import.module)) {
                let Entity::Def(ty) = entity else { continue };
                let of = self.program.facts(self.program.file_of(ty));
                let ix = self.program.def_ix(ty);
                let base = self.program.file_node(self.program.file_of(ty)) + 1;
                let members =
                    of.defs.iter().enumerate().filter(|(_, def)| def.container == ix && of.str(def.name) == name);
                let found: Vec<Entity> = members.map(|(at, _)| Entity::Def(base + at as NodeId)).collect();
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Vec::new()
    }

    /// Whether a type has a base, or is itself, of this name.
    fn is_named(&self, node: NodeId, name: &str) -> bool {
        let mut stack = vec![(self.canonical_of(node), 0)];
        let mut seen = 0;
        while let Some((node, depth)) = stack.pop() {
            seen += 1;
            if self.program.name(node) == name || self.base_names.get(&node).is_some_and(|names| names.contains(&name))
            {
                return true;
            }
            if depth < CHAIN_MAX && seen < 256 {
                stack.extend(self.supers.get(&node).into_iter().flatten().map(|&sup| (sup, depth + 1)));
            }
        }
        false
    }

    fn extensions_of(&self, member: &str, fits: impl Fn(&str) -> bool) -> Option<Vec<Value>> {
        let found: Vec<Value> = self
            .extensions
            .get(member)?
            .iter()
            .filter(|extension| fits(extension.receiver))
            .map(|extension| Value::Def(extension.method))
            .collect();
        (!found.is_empty()).then_some(found)
    }
}

/// A type's name without its mark and number of parameters.
fn plain(name: &str) -> &str {
    name.trim_start_matches(TYPE_MARK).split('`').next().unwrap_or(name)
}

fn without_arity(full: &str) -> String {
    full.split('.').map(|part| part.split('`').next().unwrap_or(part)).collect::<Vec<_>>().join(".")
}

impl Rules for CSharpRules<'_> {
    fn conventions(&self) -> &Conventions {
        &CONVENTIONS
    }

    /// A namespace stands for no file, so that a `using` directive is no import of one.
    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let module = facts.str(import.module);
        match (import.kind, import.name) {
            (ImportKind::Name, Some(name)) => {
                let name = facts.str(name);
                let full = if module.is_empty() { name.to_owned() } else { format!("{module}.{name}") };
                let found = self.full_name(&full);
                if found.is_empty() { vec![Entity::External(full.into())] } else { found }
            }
            (ImportKind::Wildcard, _) if import.level & 1 == 1 => {
                self.full_name(module).into_iter().filter(|entity| matches!(entity, Entity::Def(_))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        let Some(namespace) = self.namespace_names.get(module as usize) else { return Vec::new() };
        let name = plain(name);
        let full = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        if let Some(all) = self.types.get(&full) {
            return self.fitting(all, None);
        }
        match self.namespaces.get(&full) {
            Some(&module) => vec![Entity::Module(module)],
            None => vec![Entity::External(full.into())],
        }
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        self.namespace_files.get(module as usize).cloned().unwrap_or_default()
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        let facts = self.program.facts(file);
        self.namespaces.get(facts.package.map_or("", |package| facts.str(package))).copied()
    }

    fn visible(&self, file: FileId, within: Option<DefIx>, name: &str) -> Vec<Entity> {
        let found = self.type_named(file, within, name);
        if !found.is_empty() {
            return found;
        }
        if let Some(marked) = name.strip_prefix(TYPE_MARK) {
            return vec![Entity::External(plain(marked).into())];
        }
        let found = self.static_members(file, name);
        if !found.is_empty() {
            return found;
        }
        if name.starts_with(|c: char| c.is_uppercase()) || library::PREDEFINED.contains(&name) {
            return vec![Entity::External(name.into())];
        }
        Vec::new()
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.project(file)
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical_of(def)
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
        let name = ty.rsplit('.').next().unwrap_or(ty);
        if let Some(known) = library::member(ty, args, member, called) {
            return Some(known);
        }
        let short = library::short_name(name);
        let is_list = library::CONTAINERS.binary_search(&name).is_ok();
        let fits = |receiver: &str| library::short_name(receiver) == short || is_list && receiver == "IEnumerable";
        if called || self.extensions.contains_key(member) { self.extensions_of(member, fits) } else { None }
    }

    fn common_member(&self, base: &Value, member: &str, called: bool) -> Option<Vec<Value>> {
        let (Value::Instance(node, _) | Value::Def(node)) = base else { return None };
        if let Value::Instance(..) = base
            && let Some(found) = self.extensions_of(member, |receiver| self.is_named(*node, receiver))
        {
            return Some(found);
        }
        let is_enum = self.program.def(*node).is_some_and(|def| def.kind == DefKind::Enum);
        match member {
            "ToString" => Some(vec![if called { library::instance("string") } else { Value::External(member.into()) }]),
            "Equals" | "GetHashCode" | "GetType" | "ReferenceEquals" | "MemberwiseClone" | "CompareTo" => {
                Some(vec![Value::External(member.into())])
            }
            "HasFlag" if is_enum => Some(vec![Value::External(member.into())]),
            "Value" | "HasValue" if !called => Some(vec![base.clone()]),
            "Invoke" | "BeginInvoke" | "EndInvoke" | "DynamicInvoke" => Some(vec![Value::External(member.into())]),
            _ => None,
        }
    }

    fn prefer(&self, nodes: Vec<NodeId>) -> Vec<NodeId> {
        let bodies = |node: &NodeId| !self.program.def(*node).is_some_and(|d| d.flags.has(DefFlags::CONDITIONAL));
        let kept: Vec<NodeId> = nodes.iter().copied().filter(bodies).collect();
        if kept.is_empty() { nodes } else { kept }
    }

    fn fit(&self, parameter: &Value, argument: &Value) -> Option<i32> {
        fit::fit(parameter, argument)
    }
}

/// For each file, the number of the nearest directory around it that holds a project file.
fn projects(program: &Program) -> Vec<u32> {
    let mut roots: Vec<&str> = program
        .configs()
        .iter()
        .filter(|config| config.path.file_name().ends_with(".csproj"))
        .map(|config| config.path.parent())
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let number: FxHashMap<&str, u32> = roots.into_iter().zip(1..).collect();
    let of = |path: &str| {
        let mut dir = path;
        while let Some((outer, _)) = dir.rsplit_once('/') {
            dir = outer;
            if let Some(&number) = number.get(dir) {
                return number;
            }
        }
        number.get("").copied().unwrap_or(0)
    };
    program.files().iter().map(|file| of(file.path.as_str())).collect()
}
