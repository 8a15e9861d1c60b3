//! References become edges, each with the confidence it deserves.

use super::eval::{Context, Eval, Named, Outcome};
use super::index::Index;
use super::overload::{Arguments, choose};
use super::program::{FileId, NodeId};
use super::rules::{Entity, Value};
use crate::graph::{Confidence, Derived, Edge, Relation, Unresolved};
use atlas_syntax::{BaseRelation, DefFlags, DefIx, DefKind, Expr, ImportKind, Ref, RefKind, RootKind, TableTarget};
use std::sync::Arc;

/// What one file's references gave.
#[derive(Debug, Default)]
pub(super) struct FileLinks {
    pub edges: Vec<Edge>,
    pub unresolved: Vec<Unresolved>,
    pub external: u64,
    /// Uses of tables, before tables are nodes.
    pub table_uses: Vec<TableLink>,
}

#[derive(Debug)]
pub(super) struct TableLink {
    pub target: TableName,
    pub write: bool,
    pub line: u32,
    pub column: u32,
    pub source: NodeId,
    pub rule: Box<str>,
    pub sure: bool,
}

#[derive(Debug)]
pub(super) enum TableName {
    Named(Box<str>),
    /// A class that may be a model; the caller knows which are.
    Class(NodeId),
}

/// Where a reference leads.
enum Resolution {
    To {
        targets: Vec<NodeId>,
        confidence: Confidence,
        derived: Derived,
    },
    /// Outside the tree.
    External,
    Unresolved,
}

/// The rule of edges that rest on a parameter that a framework fills in.
pub(super) const INJECTED: &str = "injected parameter";

pub(super) fn link_file(index: &Index, file: FileId) -> FileLinks {
    let mut linker =
        Linker { index, file, eval: Eval::new(index), at: 0, out: FileLinks::default(), via: None, injected: false };
    linker.run();
    linker.out
}

struct Linker<'i, 'p> {
    index: &'i Index<'p>,
    file: FileId,
    eval: Eval<'i, 'p>,
    /// Index of the reference that is being resolved.
    at: u32,
    out: FileLinks,
    /// The variable through which the current reference reaches its targets, and whether it is the
    /// only one that can be meant.
    via: Option<(NodeId, bool)>,
    /// Whether it rests on a parameter that a framework fills in.
    injected: bool,
}

impl<'i, 'p> Linker<'i, 'p> {
    fn run(&mut self) {
        let facts = self.index.program.facts(self.file);
        for (at, reference) in facts.refs.iter().enumerate() {
            self.at = at as u32;
            self.reference(reference);
        }
        self.imports();
        self.bases();
        self.routes();
        self.tables();
    }

    fn source(&self, within: Option<DefIx>) -> NodeId {
        self.index.program.scope_node(self.file, within)
    }

    fn reference(&mut self, r: &Ref) {
        let facts = self.index.program.facts(self.file);
        self.via = None;
        self.eval.injected = false;
        let mut resolution = self.resolve(r);
        self.injected = std::mem::take(&mut self.eval.injected);
        if let (Resolution::To { confidence, .. }, true) = (&mut resolution, self.injected) {
            *confidence = Confidence::Ambiguous;
        }
        if let Some((node, sure)) = self.via.take().filter(|_| !self.injected) {
            let (confidence, derived) = match sure {
                true => (Confidence::Extracted, Derived::Ast),
                false => (Confidence::Inferred, Derived::Heuristic),
            };
            let relation = if r.kind == RefKind::Construct { Relation::Construct } else { Relation::Call };
            self.push(r, relation, [node].into(), confidence, derived);
        }
        let is_call = matches!(r.kind, RefKind::Call | RefKind::Construct | RefKind::Macro);
        match resolution {
            Resolution::To { targets, confidence, derived } => self.emit(r, &targets, confidence, derived),
            Resolution::External => self.out.external += u64::from(is_call),
            Resolution::Unresolved if is_call => self.out.unresolved.push(Unresolved {
                file: self.file,
                line: r.line,
                column: r.column,
                source: self.source(r.within),
                name: facts.str(r.name).into(),
            }),
            Resolution::Unresolved => {}
        }
    }

    fn emit(&mut self, r: &Ref, targets: &[NodeId], confidence: Confidence, derived: Derived) {
        let is_type = |node: NodeId| {
            self.index.program.def(node).is_some_and(|def| def.kind.is_type() || def.kind == DefKind::EnumMember)
        };
        let relation = match r.kind {
            RefKind::Construct => Relation::Construct,
            RefKind::Call | RefKind::Decorator | RefKind::Macro if is_type(targets[0]) => Relation::Construct,
            RefKind::Call | RefKind::Decorator | RefKind::Macro => Relation::Call,
            // What reads like a field but is a function runs.
            RefKind::Read | RefKind::Write if targets.iter().all(|&target| self.runs_when_read(target)) => {
                Relation::Call
            }
            RefKind::Read | RefKind::TypeUse => Relation::Read,
            RefKind::Write => Relation::Write,
        };
        self.push(r, relation, targets.into(), confidence, derived);
        if relation == Relation::Construct && confidence != Confidence::Ambiguous {
            for constructors in self.constructors(targets[0], r.argc) {
                let (constructors, sure) = self.by_arguments(r, constructors);
                let confidence = match (constructors.len(), sure) {
                    (1, true) => confidence,
                    (1, false) => Confidence::Inferred,
                    _ => Confidence::Ambiguous,
                };
                self.push(r, Relation::Call, constructors.into(), confidence, derived);
            }
        }
    }

    fn push(&mut self, r: &Ref, relation: Relation, targets: Arc<[NodeId]>, confidence: Confidence, derived: Derived) {
        let source = self.source(r.within);
        self.out.edges.push(Edge {
            file: self.file,
            line: r.line,
            column: r.column,
            relation,
            source,
            targets,
            confidence,
            derived,
            rule: self.injected.then(|| INJECTED.into()),
        });
    }

    /// The constructors that making an instance runs: of each kind those of the nearest type.
    fn constructors(&self, ty: NodeId, argc: u16) -> Vec<Vec<NodeId>> {
        let conventions = self.index.conventions(self.file);
        // A constructor that bears its type's name, as in Java and C++, comes last.
        let kinds = conventions.constructors.iter().copied().map(Some).chain([None]);
        let of = |ancestor: NodeId, named: Option<&str>| -> Vec<NodeId> {
            let members = self.index.members(ancestor, named.unwrap_or_else(|| self.index.program.name(ancestor)));
            let fits = |&m: &NodeId| named.is_some() || self.kind(m) == Some(DefKind::Constructor);
            let found: Vec<NodeId> = members.iter().copied().filter(fits).collect();
            match self.index.rules_of(self.file) {
                Some(rules) if found.len() > 1 => rules.prefer(found),
                _ => found,
            }
        };
        let (ancestry, _) = self.index.ancestry(ty);
        let nearest = |named: Option<&str>| {
            let most = if conventions.constructors_inherit { ancestry.len() } else { 1 };
            let found = ancestry.iter().take(most).map(|&ancestor| self.narrow(of(ancestor, named), argc));
            found.into_iter().find(|found| !found.is_empty())
        };
        kinds.filter_map(nearest).collect()
    }

    /// Drops what cannot be named outside its file, where anything else is left.
    fn accessible(&self, mut targets: Vec<NodeId>) -> Vec<NodeId> {
        let program = self.index.program;
        let open = |&node: &NodeId| {
            program.file_of(node) == self.file
                || program.def(node).is_none_or(|def| !def.flags.has(DefFlags::FILE_LOCAL))
        };
        if targets.len() > 1 && targets.iter().any(open) {
            targets.retain(open);
        }
        targets
    }

    /// Of overloads, those that the reference's arguments fit best, and whether that is sure.
    fn by_arguments(&mut self, r: &Ref, targets: Vec<NodeId>) -> (Vec<NodeId>, bool) {
        let callable = |&node: &NodeId| self.kind(node).is_some_and(DefKind::is_callable);
        if targets.len() < 2 || !self.index.conventions(self.file).overloads || !targets.iter().all(callable) {
            return (targets, true);
        }
        let targets = self.accessible(targets);
        let context = Context { within: r.within, line: r.line };
        let arguments = Arguments::of(&mut self.eval, self.file, self.at, context);
        choose(&mut self.eval, &arguments, targets)
    }

    fn runs_when_read(&self, node: NodeId) -> bool {
        self.index.program.def(node).is_some_and(|def| def.kind == DefKind::Method && def.flags.has(DefFlags::GETTER))
    }

    fn kind(&self, node: NodeId) -> Option<DefKind> {
        self.index.program.def(node).map(|def| def.kind)
    }

    /// Canonical definitions, in node order, those that take this many arguments if any does.
    fn narrow(&self, nodes: Vec<NodeId>, argc: u16) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = nodes.into_iter().map(|node| self.index.canonical(node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.len() > 1 && argc != u16::MAX {
            let fits: Vec<NodeId> = nodes.iter().copied().filter(|&node| self.takes(node, argc)).collect();
            if !fits.is_empty() {
                return fits;
            }
        }
        nodes
    }

    fn takes(&self, node: NodeId, argc: u16) -> bool {
        self.index.program.def(node).is_none_or(|def| {
            !def.kind.is_callable() || argc == u16::MAX || (def.arity.0 <= argc && argc <= def.arity.1)
        })
    }

    fn resolve(&mut self, r: &Ref) -> Resolution {
        let facts = self.index.program.facts(self.file);
        let context = Context { within: r.within, line: r.line };
        match facts.expr(r.expr) {
            Expr::Name(_) => self.resolve_name(r, context),
            Expr::Member { base, .. } => {
                let base = self.eval.eval(self.file, *base, context);
                self.resolve_member(r, &base)
            }
            Expr::New(ty) => {
                let made = self.eval.type_values(self.file, *ty, context);
                self.chosen(r, made)
            }
            Expr::Super | Expr::This => {
                let base = self.eval.eval(self.file, r.expr, context);
                self.resolve_constructor_call(r, &base)
            }
            Expr::Unknown => self.unknown_receiver(r),
            Expr::Def(ix) => Resolution::To {
                targets: vec![self.index.program.def_node(self.file, *ix)],
                confidence: Confidence::Extracted,
                derived: Derived::Ast,
            },
            _ => {
                let callee = self.eval.eval(self.file, r.expr, context);
                self.chosen(r, callee)
            }
        }
    }

    fn resolve_name(&mut self, r: &Ref, context: Context) -> Resolution {
        let facts = self.index.program.facts(self.file);
        let name = facts.str(r.name);
        // The last name may differ from the expression's: a renamed construct. The expression rules.
        let written = match facts.expr(r.expr) {
            Expr::Name(sym) => facts.str(*sym),
            _ => name,
        };
        let is_call = matches!(r.kind, RefKind::Call);
        self.eval.calling = is_call && self.index.conventions(self.file).methods_apart;
        let named = self.eval.lookup(self.file, context, written);
        self.eval.calling = false;
        match named {
            Named::Found(outcome) => self.chosen(r, outcome),
            Named::Builtin => Resolution::External,
            Named::Opaque => Resolution::Unresolved,
            Named::Missing => self.bare_by_name(r),
        }
    }

    fn resolve_member(&mut self, r: &Ref, base: &Outcome) -> Resolution {
        let facts = self.index.program.facts(self.file);
        let name = facts.str(r.name);
        if base.values.is_empty() {
            return self.unknown_receiver(r);
        }
        let called = matches!(r.kind, RefKind::Call);
        let found = self.eval.members_of(self.file, base, name, false);
        if !found.values.is_empty() {
            return self.chosen(r, found);
        }
        // The receiver is known, the member is not.
        let conventions = self.index.conventions(self.file);
        if called && conventions.new_methods.contains(&name) {
            let classes: Vec<Value> =
                base.values.iter().filter(|v| matches!(v, Value::Def(n) if self.eval.is_type(*n))).cloned().collect();
            if !classes.is_empty() {
                return self.chosen(r, Outcome { values: classes, sure: base.sure });
            }
        }
        let types: Vec<NodeId> = base
            .values
            .iter()
            .filter_map(|value| match value {
                Value::Instance(node, _) | Value::SuperOf(node) => Some(*node),
                Value::Def(node) if self.eval.is_type(*node) => Some(*node),
                _ => None,
            })
            .collect();
        if types.is_empty() {
            // A variable may hold anything; a function is a function, whatever wraps it.
            let unknown = |value: &Value| matches!(value, Value::Def(node) if !self.kind(*node).is_some_and(DefKind::is_callable));
            return if base.values.iter().any(unknown) && r.kind != RefKind::Read {
                self.unknown_receiver(r)
            } else {
                Resolution::External
            };
        }
        if types.iter().any(|&ty| self.index.ancestry(ty).1) {
            return Resolution::External;
        }
        // What a parent is asked for its children do not answer, and every value has its own protocol.
        let above = base.values.iter().all(|value| matches!(value, Value::SuperOf(_)));
        if above || name.starts_with("__") && name.ends_with("__") {
            return Resolution::External;
        }
        self.in_descendants(r, &types)
    }

    /// A mixin or abstract type may call what only its children define.
    fn in_descendants(&mut self, r: &Ref, types: &[NodeId]) -> Resolution {
        const DESCENDANTS_MAX: usize = 64;
        let facts = self.index.program.facts(self.file);
        let name = facts.str(r.name);
        let mut seen: Vec<NodeId> = types.to_vec();
        let mut found: Vec<NodeId> = Vec::new();
        let mut at = 0;
        while at < seen.len() && seen.len() <= DESCENDANTS_MAX {
            for &sub in self.index.subs(seen[at]) {
                if !seen.contains(&sub) {
                    seen.push(sub);
                    found.extend(self.index.ancestry(sub).0.iter().flat_map(|&a| self.index.members(a, name)).copied());
                }
            }
            at += 1;
        }
        let found = self.narrow(found, r.argc);
        match found.len() {
            0 => Resolution::Unresolved,
            1 => Resolution::To { targets: found, confidence: Confidence::Inferred, derived: Derived::Heuristic },
            _ => Resolution::To { targets: found, confidence: Confidence::Ambiguous, derived: Derived::Heuristic },
        }
    }

    /// `super(…)` or `this(…)`: the constructor of the parent or of the type itself.
    fn resolve_constructor_call(&mut self, r: &Ref, base: &Outcome) -> Resolution {
        let constructs = self.index.conventions(self.file).call_constructs;
        // `cls(…)` makes an instance, `self(…)` calls one.
        if constructs && !base.values.iter().any(|value| matches!(value, Value::SuperOf(_))) {
            return self.chosen(r, base.clone());
        }
        let mut found = Vec::new();
        for value in &base.values {
            match value {
                Value::SuperOf(ty) => {
                    let parents: Vec<NodeId> = self.index.supers(*ty).iter().filter_map(|sup| sup.node).collect();
                    found.extend(parents.iter().flat_map(|&p| self.constructors(p, r.argc)).flatten());
                }
                Value::Instance(ty, _) => found.extend(self.constructors(*ty, r.argc).into_iter().flatten()),
                _ => {}
            }
        }
        let found = self.narrow(found, r.argc);
        let (found, sure) = self.by_arguments(r, found);
        match found.len() {
            0 => Resolution::External,
            1 if !sure => {
                Resolution::To { targets: found, confidence: Confidence::Inferred, derived: Derived::Heuristic }
            }
            1 => Resolution::To { targets: found, confidence: Confidence::Extracted, derived: Derived::Ast },
            _ => Resolution::To { targets: found, confidence: Confidence::Ambiguous, derived: Derived::Ast },
        }
    }

    /// Turns what a name or member stands for into targets of this kind of reference.
    fn chosen(&mut self, r: &Ref, found: Outcome) -> Resolution {
        if found.values.is_empty() {
            return Resolution::Unresolved;
        }
        let is_call = matches!(r.kind, RefKind::Call | RefKind::Construct | RefKind::Macro | RefKind::Decorator);
        let mut found = found;
        self.eval.keep_apart(self.file, &mut found, is_call);
        let mut outside = false;
        let mut sure = found.sure;
        let mut targets = Vec::new();
        for value in found.values {
            match value {
                Value::Def(node) if is_call && self.index.is_variable(node) => {
                    let held = self.eval.settle_all(Outcome { values: vec![Value::Def(node)], sure: true });
                    let callables: Vec<NodeId> = held
                        .values
                        .iter()
                        .filter_map(|value| match value {
                            Value::Def(n) if !self.index.is_variable(*n) => Some(*n),
                            _ => None,
                        })
                        .collect();
                    if callables.is_empty() {
                        targets.push(node);
                    } else {
                        // The name that was written is used as well as what it holds.
                        self.via = Some((node, found.sure));
                        sure &= held.sure;
                        targets.extend(callables);
                    }
                }
                Value::Def(node) => targets.push(node),
                // A value of a local names its type only where a type is asked for.
                Value::Instance(node, _) if matches!(r.kind, RefKind::TypeUse | RefKind::Construct) => {
                    targets.push(node);
                }
                Value::Instance(node, _) if is_call => targets.extend(self.call_operators(node)),
                Value::Instance(..) | Value::SuperOf(_) | Value::Module(_) | Value::Tuple(_) => {}
                Value::External(_) | Value::ExternalInstance(..) => outside = true,
            }
        }
        let targets = self.of_kind(r.kind, targets);
        let targets = self.narrow(targets, if is_call { r.argc } else { u16::MAX });
        let (targets, fits) = if is_call { self.by_arguments(r, targets) } else { (targets, true) };
        sure &= fits;
        let derived = if sure { Derived::Ast } else { Derived::Heuristic };
        match targets.len() {
            0 if outside => Resolution::External,
            0 => Resolution::Unresolved,
            1 if sure && !outside => Resolution::To { targets, confidence: Confidence::Extracted, derived },
            1 => Resolution::To { targets, confidence: Confidence::Inferred, derived: Derived::Heuristic },
            _ => Resolution::To { targets, confidence: Confidence::Ambiguous, derived },
        }
    }

    /// The methods that calling an instance of a type runs.
    fn call_operators(&self, ty: NodeId) -> Vec<NodeId> {
        let Some(operator) = self.index.conventions(self.file).call_operator else { return Vec::new() };
        let members = |ancestor: NodeId| self.index.members(ancestor, operator).to_vec();
        self.index.ancestry(ty).0.into_iter().map(members).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Of a value and a type that share a name, the one that this kind of reference can mean.
    fn of_kind(&self, kind: RefKind, mut targets: Vec<NodeId>) -> Vec<NodeId> {
        if targets.len() < 2 {
            return targets;
        }
        let fits = |&node: &NodeId| match (kind, self.kind(node)) {
            (RefKind::TypeUse, Some(kind)) => kind.is_type(),
            (RefKind::Macro, Some(kind)) => kind == DefKind::Macro,
            (_, Some(DefKind::Macro)) => false,
            (_, Some(kind)) => !matches!(kind, DefKind::Interface | DefKind::TypeAlias),
            (_, None) => true,
        };
        if targets.iter().any(fits) {
            targets.retain(fits);
        }
        // A field and a method that share a name.
        let is_call = matches!(kind, RefKind::Call | RefKind::Construct | RefKind::Decorator);
        let method = |&node: &NodeId| matches!(self.kind(node), Some(DefKind::Method | DefKind::Function));
        let field = |&node: &NodeId| self.kind(node) == Some(DefKind::Field);
        if targets.iter().any(method) && targets.iter().any(field) {
            targets.retain(|node| if is_call { method(node) } else { field(node) });
        }
        // A function that a namespace of the same name extends.
        let callable = |&node: &NodeId| self.kind(node) != Some(DefKind::Namespace);
        if matches!(kind, RefKind::Call | RefKind::Construct | RefKind::Decorator) && targets.iter().any(callable) {
            targets.retain(callable);
        }
        targets
    }

    /// A bare call that no scope explains.
    fn bare_by_name(&mut self, r: &Ref) -> Resolution {
        let conventions = self.index.conventions(self.file);
        let is_call = matches!(r.kind, RefKind::Call | RefKind::Macro);
        if !is_call || !conventions.bare_by_name {
            return Resolution::Unresolved;
        }
        let name = self.index.program.facts(self.file).str(r.name);
        let candidates: Vec<NodeId> =
            self.index.functions(self.file, name).iter().copied().filter(|&node| self.takes(node, r.argc)).collect();
        self.by_name(candidates, true)
    }

    /// A member call on a receiver of which nothing is known.
    fn unknown_receiver(&mut self, r: &Ref) -> Resolution {
        let conventions = self.index.conventions(self.file);
        if r.kind != RefKind::Call || !conventions.member_by_name {
            return Resolution::Unresolved;
        }
        let name = self.index.program.facts(self.file).str(r.name);
        let candidates: Vec<NodeId> =
            self.index.methods(self.file, name).iter().copied().filter(|&node| self.takes(node, r.argc)).collect();
        // What has the method's own name is more likely asked of another type than of this one.
        let delegates = r.within.is_some() && candidates == [self.source(r.within)];
        let distinctive = conventions.common_members.binary_search(&name).is_err() && !delegates;
        self.by_name(candidates, distinctive)
    }

    /// One candidate near by and not of a common name is INFERRED; anything else is AMBIGUOUS.
    fn by_name(&self, candidates: Vec<NodeId>, distinctive: bool) -> Resolution {
        let confidence = match candidates.as_slice() {
            [] => return Resolution::Unresolved,
            [one] if distinctive && self.index.related(self.file, self.index.program.file_of(*one)) => {
                Confidence::Inferred
            }
            _ => Confidence::Ambiguous,
        };
        Resolution::To { targets: candidates, confidence, derived: Derived::Heuristic }
    }

    fn imports(&mut self) {
        let program = self.index.program;
        let facts = program.facts(self.file);
        for (import, entities) in facts.imports.iter().zip(&self.index.import_entities[self.file as usize]) {
            let mut targets: Vec<NodeId> = Vec::new();
            for entity in entities {
                match entity {
                    Entity::Def(node) => targets.push(self.index.canonical(*node)),
                    Entity::Module(_) => {
                        let files = self.index.entity_files(self.file, entity);
                        targets.extend(files.first().map(|&f| program.file_node(f)));
                    }
                    Entity::External(_) => {}
                }
            }
            targets.retain(|&target| target != program.file_node(self.file));
            targets.sort_unstable();
            targets.dedup();
            if targets.is_empty() {
                continue;
            }
            let confidence = if targets.len() == 1 { Confidence::Extracted } else { Confidence::Ambiguous };
            let relation = if import.kind == ImportKind::Include { Relation::Include } else { Relation::Import };
            let source = self.source(import.within);
            self.out.edges.push(Edge {
                file: self.file,
                line: import.line,
                column: 1,
                relation,
                source,
                targets: targets.into(),
                confidence,
                derived: Derived::Ast,
                rule: None,
            });
        }
    }

    /// Inheritance edges of the types that this file's clauses speak of.
    fn bases(&mut self) {
        let program = self.index.program;
        let facts = program.facts(self.file);
        let mut subs: Vec<NodeId> = (0..facts.defs.len() as DefIx).map(|ix| program.def_node(self.file, ix)).collect();
        // `impl Trait for T` may stand in another file than T.
        subs.extend(self.index.subtypes_with_clause_in(self.file));
        subs.sort_unstable();
        subs.dedup();
        // All openings of a type share their parents.
        subs.retain(|&sub| self.index.home(sub) == sub);
        for sub in subs {
            for sup in self.index.supers(sub) {
                let (Some(node), true) = (sup.node, sup.site.0 == self.file) else { continue };
                let relation = match sup.relation {
                    // Where one clause names classes and interfaces alike, the parent tells.
                    BaseRelation::Inherit
                        if self.kind(node) == Some(DefKind::Interface)
                            && self.kind(sub) != Some(DefKind::Interface) =>
                    {
                        Relation::Implement
                    }
                    BaseRelation::Inherit => Relation::Inherit,
                    BaseRelation::Implement => Relation::Implement,
                    BaseRelation::Include => Relation::Include,
                };
                let (targets, confidence): (Arc<[NodeId]>, _) = if sup.others.is_empty() {
                    ([node].into(), if sup.sure { Confidence::Extracted } else { Confidence::Inferred })
                } else {
                    (sup.others.clone().into(), Confidence::Ambiguous)
                };
                self.out.edges.push(Edge {
                    file: self.file,
                    line: sup.site.1,
                    column: sup.site.2,
                    relation,
                    source: sub,
                    targets,
                    confidence,
                    derived: Derived::Ast,
                    rule: None,
                });
            }
        }
    }

    fn routes(&mut self) {
        let facts = self.index.program.facts(self.file);
        for root in &facts.roots {
            if !matches!(root.kind, RootKind::HttpRoute | RootKind::Worker | RootKind::EventHandler) {
                continue;
            }
            let within = enclosing(facts, root.line);
            let (targets, sure) = match (root.def, root.handler) {
                (Some(ix), _) => (vec![self.index.program.def_node(self.file, ix)], true),
                (None, Some(handler)) => {
                    let context = Context { within, line: root.line };
                    let outcome = self.eval.eval(self.file, handler, context);
                    let nodes = outcome.values.iter().filter_map(|value| match value {
                        Value::Def(node) | Value::Instance(node, _) => Some(*node),
                        _ => None,
                    });
                    (self.narrow(nodes.collect(), u16::MAX), outcome.sure)
                }
                (None, None) => continue,
            };
            if targets.is_empty() {
                continue;
            }
            let confidence = match (targets.len(), sure) {
                (1, true) => Confidence::Extracted,
                (1, false) => Confidence::Inferred,
                _ => Confidence::Ambiguous,
            };
            let source = self.source(within.filter(|&ix| Some(ix) != root.def));
            self.out.edges.push(Edge {
                file: self.file,
                line: root.line,
                column: 1,
                relation: Relation::Route,
                source,
                targets: targets.into(),
                confidence,
                derived: Derived::Ast,
                rule: Some(facts.str(root.rule).into()),
            });
        }
    }

    fn tables(&mut self) {
        let facts = self.index.program.facts(self.file);
        for used in &facts.table_uses {
            let source = self.source(used.within);
            let mut push = |target, sure| {
                self.out.table_uses.push(TableLink {
                    target,
                    write: used.write,
                    line: used.line,
                    column: used.column,
                    source,
                    rule: facts.str(used.rule).into(),
                    sure,
                });
            };
            match &used.target {
                TableTarget::Name(name) => push(TableName::Named(facts.str(*name).into()), true),
                TableTarget::Model(expr) => {
                    let context = Context { within: used.within, line: used.line };
                    let outcome = self.eval.eval(self.file, *expr, context);
                    let sure = outcome.sure && outcome.values.len() == 1;
                    for value in outcome.values {
                        if let Value::Def(node) | Value::Instance(node, _) = value {
                            push(TableName::Class(node), sure);
                        }
                    }
                }
            }
        }
    }
}

/// The innermost callable around a line.
fn enclosing(facts: &atlas_syntax::FileFacts, line: u32) -> Option<DefIx> {
    facts
        .defs
        .iter()
        .enumerate()
        .filter(|(_, def)| def.kind.is_callable() && def.start <= line && line <= def.end)
        .max_by_key(|(ix, def)| (def.start, *ix))
        .map(|(ix, _)| ix as DefIx)
}

/// Whether a definition is part of test code by its own marks or those around it.
pub(super) fn is_test(index: &Index, node: NodeId) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        if index.program.def(node).is_some_and(|def| def.flags.has(DefFlags::TEST)) {
            return true;
        }
        at = index.program.container(node);
    }
    false
}
