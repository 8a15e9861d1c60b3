//! Look-up tables over a whole program: members, bindings, imports, owners, inheritance.

use super::eval::{Context, Eval};
use super::overload::parameter_types;
use super::program::{FileId, NodeId, Program};
use super::rules::{Conventions, Entity, ModuleId, Rules, Semantics, Value};
use atlas_syntax::{BaseRelation, BaseSub, Binding, BindingKind, DefFlags, DefIx, DefKind, Family, ImportKind, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A parent type of a type, with the clause that says so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Super {
    /// None for a type outside the tree.
    pub node: Option<NodeId>,
    pub relation: BaseRelation,
    /// Where the clause stands: file, line, column; the type itself where no clause is written.
    pub site: (FileId, u32, u32),
    pub sure: bool,
    /// The type arguments that the clause gives.
    pub args: Vec<Vec<Value>>,
    /// Other types that the clause may mean, when it is ambiguous.
    pub others: Vec<NodeId>,
}

/// Lists of values by (node, name), in one pool.
#[derive(Debug, Default)]
pub(super) struct RangeMap {
    pool: Vec<u32>,
    ranges: FxHashMap<(NodeId, u32), (u32, u32)>,
}

impl RangeMap {
    fn new(mut triples: Vec<(NodeId, u32, u32)>) -> Self {
        triples.sort_unstable();
        triples.dedup();
        let mut ranges: FxHashMap<(NodeId, u32), (u32, u32)> = FxHashMap::default();
        let mut pool = Vec::with_capacity(triples.len());
        for (node, name, value) in triples {
            let at = pool.len() as u32;
            ranges.entry((node, name)).or_insert((at, at)).1 = at + 1;
            pool.push(value);
        }
        Self { pool, ranges }
    }

    fn get(&self, node: NodeId, name: u32) -> &[u32] {
        self.ranges.get(&(node, name)).map_or(&[], |&(from, to)| &self.pool[from as usize..to as usize])
    }
}

/// Everything the engine looks up. Immutable once built; shared by threads.
pub struct Index<'p> {
    pub program: &'p Program,
    pub(super) rules: BTreeMap<Family, Box<dyn Rules + 'p>>,
    names: FxHashMap<Box<str>, u32>,
    members: RangeMap,
    bindings: RangeMap,
    imports: RangeMap,
    /// Per file: indices of imports that bring a whole module's names into scope.
    pub(super) open_imports: Vec<Vec<u32>>,
    /// Per file and import: what it means.
    pub(super) import_entities: Vec<Vec<Vec<Entity>>>,
    /// The type that a definition belongs to without standing in it.
    pub(super) owners: FxHashMap<NodeId, NodeId>,
    supers: FxHashMap<NodeId, Vec<Super>>,
    ancestries: FxHashMap<NodeId, (Vec<NodeId>, bool)>,
    /// The opening that stands for a type, of every other opening of it, and those others by it.
    homes: FxHashMap<NodeId, NodeId>,
    openings: FxHashMap<NodeId, Vec<NodeId>>,
    subs: FxHashMap<NodeId, Vec<NodeId>>,
    /// Per file: types of other files that a clause here gives a parent.
    clauses: FxHashMap<FileId, Vec<NodeId>>,
    packages: Vec<u32>,
    type_parameters: bool,
    /// Declared types of parameters by position, for families that choose between overloads and files
    /// with type parameters.
    parameters: FxHashMap<NodeId, Vec<Option<TypeId>>>,
    methods: FxHashMap<(Family, u32, u32), Vec<NodeId>>,
    functions: FxHashMap<(Family, u32, u32), Vec<NodeId>>,
    /// Per file: the files that it imports from, sorted.
    pub(super) imported_files: Vec<Vec<FileId>>,
}

/// How far inheritance is followed: longer chains are cycles or hostile.
const ANCESTORS_MAX: usize = 256;

impl<'p> Index<'p> {
    #[must_use]
    pub fn new(program: &'p Program, semantics: &[&dyn Semantics]) -> Self {
        let rules: BTreeMap<Family, Box<dyn Rules + 'p>> =
            semantics.par_iter().map(|s| (s.family(), s.prepare(program))).collect::<Vec<_>>().into_iter().collect();
        let mut names: FxHashMap<Box<str>, u32> = FxHashMap::default();
        let mut name_of = |text: &str| -> u32 {
            if let Some(&id) = names.get(text) {
                return id;
            }
            let id = names.len() as u32;
            names.insert(text.into(), id);
            id
        };
        let (mut members, mut bindings, mut imports) = (Vec::new(), Vec::new(), Vec::new());
        let mut open_imports = Vec::with_capacity(program.files().len());
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &file.facts);
            for (ix, def) in facts.defs.iter().enumerate() {
                let node = program.def_node(id, ix as DefIx);
                let container = program.scope_node(id, def.container);
                members.push((container, name_of(facts.str(def.name)), node));
            }
            for (ix, binding) in facts.bindings.iter().enumerate() {
                let scope = program.scope_node(id, binding.scope);
                bindings.push((scope, name_of(facts.str(binding.name)), ix as u32));
            }
            let mut open = Vec::new();
            for (ix, import) in facts.imports.iter().enumerate() {
                if let Some(local) = import.local {
                    let scope = program.scope_node(id, import.within);
                    imports.push((scope, name_of(facts.str(local)), ix as u32));
                }
                if matches!(import.kind, ImportKind::Wildcard | ImportKind::Include | ImportKind::Require) {
                    open.push(ix as u32);
                }
            }
            open_imports.push(open);
        }
        let import_entities: Vec<Vec<Vec<Entity>>> = program
            .files()
            .par_iter()
            .enumerate()
            .map(|(id, file)| {
                let rules = rules.get(&file.facts.language.family());
                let resolve = |import| rules.map(|r| r.import(id as FileId, import)).unwrap_or_default();
                file.facts.imports.iter().map(resolve).collect()
            })
            .collect();
        let packages = (0..program.files().len() as FileId)
            .map(|id| rules.get(&program.family(id)).map_or(0, |r| r.package_of(id)))
            .collect();
        let mut index = Self {
            program,
            rules,
            names,
            members: RangeMap::default(),
            bindings: RangeMap::new(bindings),
            imports: RangeMap::new(imports),
            open_imports,
            import_entities,
            owners: FxHashMap::default(),
            supers: FxHashMap::default(),
            ancestries: FxHashMap::default(),
            homes: FxHashMap::default(),
            openings: FxHashMap::default(),
            subs: FxHashMap::default(),
            clauses: FxHashMap::default(),
            packages,
            type_parameters: false,
            parameters: FxHashMap::default(),
            methods: FxHashMap::default(),
            functions: FxHashMap::default(),
            imported_files: Vec::new(),
        };
        index.find_homes();
        for (container, ..) in &mut members {
            *container = index.home(*container);
        }
        index.members = RangeMap::new(members.clone());
        index.list_parameters();
        let is_type_parameter = |binding: &Binding| matches!(binding.kind, BindingKind::TypeParam(_));
        index.type_parameters = program.files().iter().any(|file| file.facts.bindings.iter().any(is_type_parameter));
        index.find_owners(members);
        index.find_supers();
        let types: Vec<NodeId> = index.supers.keys().copied().collect();
        index.ancestries = types.par_iter().map(|&node| (node, index.linearize(node))).collect();
        index.list_callables();
        index.find_imported_files();
        index
    }

    /// Definitions that name their type (`impl T`, a receiver, `T::f`) become its members.
    fn find_owners(&mut self, mut members: Vec<(NodeId, u32, u32)>) {
        let this = &*self;
        let owned: Vec<Vec<(NodeId, NodeId)>> = this
            .program
            .files()
            .par_iter()
            .enumerate()
            .map(|(id, file)| {
                let id = id as FileId;
                let mut eval = Eval::new(this);
                let mut out = Vec::new();
                for (ix, def) in file.facts.defs.iter().enumerate() {
                    let Some(owner) = def.owner else { continue };
                    let context = Context { within: def.container, line: def.start };
                    if let Some(ty) = eval.owner(id, owner, context) {
                        out.push((this.program.def_node(id, ix as DefIx), ty));
                    }
                }
                out
            })
            .collect();
        for (node, owner) in owned.into_iter().flatten() {
            let owner = self.home(owner);
            self.owners.insert(node, owner);
            let name = self.names[self.program.name(node)];
            members.push((owner, name, node));
        }
        self.members = RangeMap::new(members);
    }

    fn find_homes(&mut self) {
        for (id, file) in self.program.files().iter().enumerate() {
            let id = id as FileId;
            if !self.conventions(id).types_reopen {
                continue;
            }
            for (ix, def) in file.facts.defs.iter().enumerate() {
                let node = self.program.def_node(id, ix as DefIx);
                let home = if def.kind.is_type() { self.canonical(node) } else { node };
                if home != node {
                    self.homes.insert(node, home);
                    self.openings.entry(home).or_default().push(node);
                }
            }
        }
    }

    /// The opening that stands for all of a type; the node itself for anything else.
    pub(super) fn home(&self, node: NodeId) -> NodeId {
        self.homes.get(&node).copied().unwrap_or(node)
    }

    /// Every opening of a type, the one that stands for it first.
    pub(super) fn openings(&self, home: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(home).chain(self.openings.get(&home).into_iter().flatten().copied())
    }

    fn find_supers(&mut self) {
        let this = &*self;
        let found: Vec<Vec<(NodeId, Super)>> = this
            .program
            .files()
            .par_iter()
            .enumerate()
            .map(|(id, file)| {
                let id = id as FileId;
                let mut eval = Eval::new(this);
                let mut out = Vec::new();
                for base in &file.facts.bases {
                    let (subs, within) = match base.sub {
                        // What a body includes is named from inside it.
                        BaseSub::Def(ix)
                            if base.relation == BaseRelation::Include && this.conventions(id).types_reopen =>
                        {
                            (vec![this.program.def_node(id, ix)], Some(ix))
                        }
                        BaseSub::Def(ix) => (vec![this.program.def_node(id, ix)], file.facts.def(ix).container),
                        BaseSub::Type(ty) => {
                            let types = eval.type_values(id, ty, Context { within: None, line: base.line });
                            let subs = types.values.iter().filter_map(|value| match value {
                                Value::Instance(node, _) => Some(*node),
                                _ => None,
                            });
                            (subs.take(1).collect(), None)
                        }
                    };
                    let sups = eval.type_values(id, base.sup, Context { within, line: base.line });
                    let mut nodes: Vec<NodeId> = sups
                        .values
                        .iter()
                        .filter_map(|value| match value {
                            Value::Instance(node, _) => Some(*node),
                            _ => None,
                        })
                        .collect();
                    for sub in subs {
                        let sub = this.home(sub);
                        nodes.retain(|node| *node != sub);
                        let node = nodes.first().copied();
                        let others = if nodes.len() > 1 { nodes.clone() } else { Vec::new() };
                        let site = (id, base.line, base.column);
                        let args = sups.values.iter().find_map(|value| match value {
                            Value::Instance(of, args) if Some(*of) == node => Some(args.clone()),
                            _ => None,
                        });
                        let args = args.unwrap_or_default();
                        out.push((sub, Super { node, relation: base.relation, site, sure: sups.sure, args, others }));
                    }
                }
                out
            })
            .collect();
        for (sub, sup) in found.into_iter().flatten() {
            if self.program.file_of(sub) != sup.site.0 {
                self.clauses.entry(sup.site.0).or_default().push(sub);
            }
            self.supers.entry(sub).or_default().push(sup);
        }
        let extra: Vec<_> = self.rules.values().flat_map(|rules| rules.extra_bases()).collect();
        for base in extra {
            let file = self.program.file_of(base.sub);
            let Some(def) = self.program.def(base.sub) else { continue };
            self.supers.entry(base.sub).or_default().push(Super {
                node: Some(base.sup),
                relation: base.relation,
                site: (file, def.name_line, def.name_column),
                sure: true,
                args: Vec::new(),
                others: Vec::new(),
            });
        }
        let mut pairs: Vec<(NodeId, NodeId)> = Vec::new();
        for (&sub, supers) in &self.supers {
            pairs.extend(supers.iter().filter_map(|sup| sup.node).map(|sup| (sup, sub)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (sup, sub) in pairs {
            self.subs.entry(sup).or_default().push(sub);
        }
    }

    fn list_parameters(&mut self) {
        const PARAMETERS_MAX: usize = 256;
        for (id, file) in self.program.files().iter().enumerate() {
            let id = id as FileId;
            // A generic function's result may depend on what it is given.
            let generic = file.facts.bindings.iter().any(|binding| matches!(binding.kind, BindingKind::TypeParam(_)));
            if !self.conventions(id).overloads && !generic {
                continue;
            }
            for (ix, n, ty) in parameter_types(&file.facts) {
                let list = self.parameters.entry(self.program.def_node(id, ix)).or_default();
                let n = usize::from(n);
                if n < PARAMETERS_MAX {
                    list.resize(list.len().max(n + 1), None);
                    list[n] = ty;
                }
            }
        }
    }

    /// Whether anything in the program has type parameters.
    pub(super) fn has_type_parameters(&self) -> bool {
        self.type_parameters
    }

    /// The declared types of a function's parameters, by position.
    pub(super) fn parameters(&self, node: NodeId) -> &[Option<TypeId>] {
        self.parameters.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Methods and functions by package and name, for the heuristics.
    fn list_callables(&mut self) {
        for (id, file) in self.program.files().iter().enumerate() {
            let id = id as FileId;
            let (family, package) = (file.facts.language.family(), self.packages[id as usize]);
            for (ix, def) in file.facts.defs.iter().enumerate() {
                let property = def.kind == DefKind::Property && self.conventions(id).properties_are_methods;
                if !def.kind.is_callable() && !property {
                    continue;
                }
                let node = self.program.def_node(id, ix as DefIx);
                if self.canonical(node) != node {
                    continue;
                }
                let key = (family, package, self.names[file.facts.str(def.name)]);
                let is_member = self.type_around(node).is_some() || def.kind == DefKind::Method;
                let in_function = def.container.is_some_and(|c| file.facts.def(c).kind.is_callable());
                if is_member {
                    self.methods.entry(key).or_default().push(node);
                } else if !in_function && !def.flags.has(DefFlags::FILE_LOCAL) {
                    self.functions.entry(key).or_default().push(node);
                }
            }
        }
    }

    fn find_imported_files(&mut self) {
        let this = &*self;
        self.imported_files = this
            .import_entities
            .par_iter()
            .enumerate()
            .map(|(id, imports)| {
                let mut files: Vec<FileId> =
                    imports.iter().flatten().flat_map(|entity| this.entity_files(id as FileId, entity)).collect();
                files.sort_unstable();
                files.dedup();
                files
            })
            .collect();
    }

    pub(super) fn entity_files(&self, file: FileId, entity: &Entity) -> Vec<FileId> {
        match entity {
            Entity::Def(node) => vec![self.program.file_of(*node)],
            Entity::Module(module) => self.rules_of(file).map(|r| r.module_files(*module)).unwrap_or_default(),
            Entity::External(_) => Vec::new(),
        }
    }

    #[must_use]
    pub(super) fn rules_of(&self, file: FileId) -> Option<&(dyn Rules + 'p)> {
        self.rules.get(&self.program.family(file)).map(|rules| &**rules)
    }

    #[must_use]
    pub(super) fn conventions(&self, file: FileId) -> &Conventions {
        self.rules_of(file).map_or(&Conventions::NONE, |rules| rules.conventions())
    }

    #[must_use]
    pub fn canonical(&self, node: NodeId) -> NodeId {
        self.rules_of(self.program.file_of(node)).map_or(node, |rules| rules.canonical(node))
    }

    /// The module that a definition is a part of, if it is a namespace that extends over files.
    #[must_use]
    pub(super) fn namespace(&self, node: NodeId) -> Option<ModuleId> {
        let def = self.program.def(node)?;
        if def.kind != DefKind::Namespace {
            return None;
        }
        self.rules_of(self.program.file_of(node))?.namespace(node)
    }

    /// Members of a node by name: what stands in it and what names it as its owner.
    #[must_use]
    pub fn members(&self, node: NodeId, name: &str) -> &[NodeId] {
        self.names.get(name).map_or(&[], |&name| self.members.get(self.home(node), name))
    }

    /// Bindings of a scope by name, as indices into its file's facts.
    pub(super) fn bindings(&self, scope: NodeId, name: &str) -> &[u32] {
        self.names.get(name).map_or(&[], |&name| self.bindings.get(scope, name))
    }

    pub(super) fn imports(&self, scope: NodeId, name: &str) -> &[u32] {
        self.names.get(name).map_or(&[], |&name| self.imports.get(scope, name))
    }

    /// The parents of a type, in the order of its clauses.
    #[must_use]
    pub fn supers(&self, node: NodeId) -> &[Super] {
        self.supers.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Types that some clause in this file gives a parent.
    pub(super) fn subtypes_with_clause_in(&self, file: FileId) -> Vec<NodeId> {
        self.clauses.get(&file).cloned().unwrap_or_default()
    }

    /// The direct children of a type, in node order.
    #[must_use]
    pub fn subs(&self, node: NodeId) -> &[NodeId] {
        self.subs.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The type and its ancestors, nearest first, and whether one of them is outside the tree.
    #[must_use]
    pub fn ancestry(&self, node: NodeId) -> (Vec<NodeId>, bool) {
        let node = self.home(node);
        match self.ancestries.get(&node) {
            Some(known) => known.clone(),
            None if self.supers.contains_key(&node) => self.linearize(node),
            None => (vec![node], false),
        }
    }

    /// A type before its parents, an earlier parent before a later one, as far as both can be had.
    fn linearize(&self, node: NodeId) -> (Vec<NodeId>, bool) {
        // Parents are finished before their children, so the reverse of that order is the wanted one.
        let mut finished: Vec<NodeId> = Vec::new();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut outside = false;
        let mut stack: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        seen.insert(node);
        stack.push((node, self.parents(node, &mut outside)));
        while let Some((node, parents)) = stack.last_mut() {
            match parents.pop() {
                Some(parent) => {
                    if seen.len() < ANCESTORS_MAX && seen.insert(parent) {
                        let next = self.parents(parent, &mut outside);
                        stack.push((parent, next));
                    }
                }
                None => {
                    finished.push(*node);
                    stack.pop();
                }
            }
        }
        finished.reverse();
        (finished, outside)
    }

    /// The parents of a type in the order in which their members win.
    fn parents(&self, node: NodeId, outside: &mut bool) -> Vec<NodeId> {
        let supers = self.supers(node);
        *outside |= supers.iter().any(|sup| sup.node.is_none());
        if !self.conventions(self.program.file_of(node)).mixins_first {
            return supers.iter().filter_map(|sup| sup.node).collect();
        }
        let is_mixin = |sup: &&Super| sup.relation == BaseRelation::Include;
        let mixins = supers.iter().rev().filter(is_mixin);
        mixins.chain(supers.iter().filter(|sup| !is_mixin(sup))).filter_map(|sup| sup.node).collect()
    }

    /// The type that a definition is a member of: its owner, or the innermost type around it.
    #[must_use]
    pub fn type_around(&self, node: NodeId) -> Option<NodeId> {
        if let Some(&owner) = self.owners.get(&node) {
            return Some(owner);
        }
        let container = self.program.container(node)?;
        self.program.def(container)?.kind.is_type().then(|| self.home(container))
    }

    /// The type whose instance `self` is at this place.
    #[must_use]
    pub(super) fn this_type(&self, file: FileId, within: Option<DefIx>) -> Option<NodeId> {
        let facts = self.program.facts(file);
        let mut scope = within;
        while let Some(ix) = scope {
            let node = self.program.def_node(file, ix);
            if facts.def(ix).kind.is_type() {
                return Some(self.home(node));
            }
            if let Some(&owner) = self.owners.get(&node) {
                return Some(owner);
            }
            scope = facts.def(ix).container;
        }
        None
    }

    /// Methods of that name in the file's package.
    pub(super) fn methods(&self, file: FileId, name: &str) -> &[NodeId] {
        self.by_name(&self.methods, file, name)
    }

    /// Functions of that name in the file's package that other files can see.
    pub(super) fn functions(&self, file: FileId, name: &str) -> &[NodeId] {
        self.by_name(&self.functions, file, name)
    }

    fn by_name<'a>(
        &self,
        map: &'a FxHashMap<(Family, u32, u32), Vec<NodeId>>,
        file: FileId,
        name: &str,
    ) -> &'a [NodeId] {
        let Some(&name) = self.names.get(name) else { return &[] };
        let key = (self.program.family(file), self.packages[file as usize], name);
        map.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Whether a heuristic may expect `file` to mean something of `other`: it is the same file or
    /// directory, or it imports from it.
    pub(super) fn related(&self, file: FileId, other: FileId) -> bool {
        file == other
            || (self.conventions(file).package_is_open && self.packages[file as usize] == self.packages[other as usize])
            || self.program.path(file).parent() == self.program.path(other).parent()
            || self.imported_files[file as usize].binary_search(&other).is_ok()
    }

    /// Whether a definition holds a value rather than being one.
    #[must_use]
    pub(super) fn is_variable(&self, node: NodeId) -> bool {
        self.program.def(node).is_some_and(|def| {
            matches!(def.kind, DefKind::Variable | DefKind::Constant | DefKind::Field | DefKind::Property)
                || (def.kind.is_callable() && def.flags.has(DefFlags::GETTER))
        })
    }

    /// Whether a definition only stands in a namespace, and is a member of what it names as its owner.
    pub(super) fn is_defined_elsewhere(&self, namespace: NodeId, node: NodeId) -> bool {
        self.program.def(namespace).is_some_and(|def| def.kind == DefKind::Namespace)
            && self.program.def(node).is_some_and(|def| def.owner.is_some() && def.kind != DefKind::EnumMember)
    }

    /// Whether a definition is a constructor that has the name of its type, as in Java and C++.
    #[must_use]
    pub(super) fn is_named_constructor(&self, node: NodeId) -> bool {
        self.program.def(node).is_some_and(|def| def.kind == DefKind::Constructor)
            && self.type_around(node).is_some_and(|ty| self.program.name(ty) == self.program.name(node))
    }

    /// Whether a binding of this kind counts as a local name.
    pub(super) fn is_local(kind: BindingKind) -> bool {
        matches!(kind, BindingKind::Param(_) | BindingKind::Local)
    }
}
