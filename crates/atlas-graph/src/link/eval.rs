//! What an expression means: names through scopes and imports, members through types and their
//! ancestors, results of calls.
//!
//! One [`Eval`] serves one file's references, in order, on one thread, so that what it remembers
//! never depends on how files are spread over threads.

mod guard;
mod members;

use super::index::Index;
use super::overload::overrides;
use super::program::{FileId, NodeId};
use super::rules::{Entity, Value};
use atlas_syntax::{Binding, BindingKind, DefFlags, DefIx, DefKind, Expr, ExprId, ImportKind, Literal, Type, TypeId};
use guard::{Active, Key, Known, WHOLE};
use rustc_hash::FxHashMap;

/// Where a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    pub within: Option<DefIx>,
    pub line: u32,
}

/// What something evaluates to, and whether no guess was needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Sorted as found, without repeats; empty if nothing is known.
    pub values: Vec<Value>,
    pub sure: bool,
}

/// What a bare name stands for before variables are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    /// Definitions, modules, outside things, or the values of a local.
    Found(Outcome),
    /// A local whose value is not known.
    Opaque,
    /// The language defines it.
    Builtin,
    Missing,
}

/// Values that one expression may have; more are not worth telling apart.
const VALUES_MAX: usize = 8;
/// Definitions that one name may mean: overloads are many.
const DEFINITIONS_MAX: usize = 64;

impl Outcome {
    pub(super) fn none() -> Self {
        Self { values: Vec::new(), sure: true }
    }

    fn one(value: Value) -> Self {
        Self { values: vec![value], sure: true }
    }

    fn add(&mut self, other: Self) {
        self.sure &= other.sure;
        for value in other.values {
            self.push(value);
        }
    }

    pub(super) fn push(&mut self, value: Value) {
        let most = if matches!(value, Value::Def(_)) { DEFINITIONS_MAX } else { VALUES_MAX };
        if self.values.len() < most && !self.values.contains(&value) {
            self.values.push(value);
        }
    }
}

/// The evaluator of one file's references.
pub struct Eval<'i, 'p> {
    pub(super) index: &'i Index<'p>,
    memo: FxHashMap<Key, Known>,
    /// Expressions, types (top bit set) and functions being evaluated: a cycle answers nothing.
    active: Vec<Active>,
    /// How many evaluations have been started.
    started: u64,
    /// The name that is looked up is called, and cannot mean a variable.
    pub(super) calling: bool,
    /// The type that `self` is an instance of where an inherited method is evaluated for a descendant.
    receiver: Option<NodeId>,
    /// Whether the current answer rests on a parameter that a framework fills in.
    pub(super) injected: bool,
    /// The lowest of the active evaluations whose cycle cut the current answer short: what lies above it
    /// holds only until that one is done. One that went too deep counts for the first.
    cut: usize,
}

impl<'i, 'p> Eval<'i, 'p> {
    #[must_use]
    pub fn new(index: &'i Index<'p>) -> Self {
        Self {
            index,
            memo: FxHashMap::default(),
            active: Vec::new(),
            started: 0,
            calling: false,
            receiver: None,
            injected: false,
            cut: WHOLE,
        }
    }

    /// The values of an expression, variables followed.
    pub fn eval(&mut self, file: FileId, id: ExprId, context: Context) -> Outcome {
        if id == 0 {
            return Outcome::none();
        }
        self.remembered((file, id, self.receiver), |this| {
            this.guarded((file, u64::from(id)), |this| this.eval_expr(file, id, context))
        })
    }

    fn eval_expr(&mut self, file: FileId, id: ExprId, context: Context) -> Outcome {
        let program = self.index.program;
        let facts = program.facts(file);
        match facts.expr(id) {
            Expr::Unknown => Outcome::none(),
            Expr::Root => {
                let root = self.index.rules_of(file).and_then(|rules| rules.root_module());
                root.map_or_else(Outcome::none, |module| Outcome::one(Value::Module(module)))
            }
            Expr::Name(sym) => match self.lookup(file, context, facts.str(*sym)) {
                Named::Found(outcome) => {
                    let settled = self.settle_all(outcome);
                    let this =
                        if self.index.has_type_parameters() { self.this(file, context).values } else { Vec::new() };
                    self.substituted(settled, &this)
                }
                Named::Opaque | Named::Missing => Outcome::none(),
                Named::Builtin => Outcome::one(Value::External(facts.str(*sym).into())),
            },
            Expr::This => self.this(file, context),
            Expr::Super => self
                .index
                .this_type(file, context.within)
                .map_or_else(Outcome::none, |ty| Outcome::one(Value::SuperOf(ty))),
            Expr::Member { base, name } => {
                let base = self.eval(file, *base, context);
                let mut found = self.members_of(file, &base, facts.str(*name), false);
                self.keep_kind(&mut found, false);
                let settled = self.settle_all(found);
                self.substituted(settled, &base.values)
            }
            Expr::Call { callee, arg0 } => self.eval_call(file, *callee, *arg0, context),
            Expr::New(ty) => self.type_values(file, *ty, context),
            Expr::Index(base) => {
                let base = self.eval(file, *base, context);
                self.elements(file, &base, true)
            }
            Expr::Element(base) => {
                let base = self.eval(file, *base, context);
                self.elements(file, &base, false)
            }
            Expr::Await(base) => {
                let base = self.eval(file, *base, context);
                self.awaited(file, &base)
            }
            Expr::Part { of, n } => {
                let of = self.eval(file, *of, context);
                self.part(file, &of, *n)
            }
            Expr::Cast(ty) => self.type_values(file, *ty, context),
            Expr::Tuple(all) => {
                let mut parts = Vec::with_capacity(all.len());
                let mut sure = true;
                for &one in all {
                    let part = self.eval(file, one, context);
                    sure &= part.sure;
                    parts.push(part.values);
                }
                Outcome { values: vec![Value::Tuple(parts)], sure }
            }
            Expr::Elements(all) => {
                let mut elements = Outcome::none();
                for &one in all {
                    let element = self.eval(file, one, context);
                    elements.add(element);
                }
                let list = Value::ExternalInstance("list".into(), vec![elements.values]);
                Outcome { values: vec![list], sure: elements.sure }
            }
            Expr::OneOf(all) => {
                let mut outcome = Outcome::none();
                for &one in all {
                    let other = self.eval(file, one, context);
                    // What one of them is may be anything if nothing is known of it.
                    let null = matches!(facts.expr(one), Expr::Literal(Literal::Null));
                    outcome.sure &= null || !other.values.is_empty();
                    outcome.add(other);
                }
                outcome
            }
            Expr::Literal(literal) => match literal {
                Literal::Null => Outcome::none(),
                other => Outcome::one(Value::ExternalInstance(literal_type(*other).into(), Vec::new())),
            },
            Expr::Def(ix) => Outcome::one(Value::Def(program.def_node(file, *ix))),
            Expr::Made(ix) => Outcome::one(Value::Instance(program.def_node(file, *ix), Vec::new())),
        }
    }

    fn this(&mut self, file: FileId, context: Context) -> Outcome {
        let Some(mut ty) = self.index.this_type(file, context.within) else { return Outcome::none() };
        if let Some(receiver) = self.receiver
            && receiver != ty
            && self.index.ancestry(receiver).0.contains(&ty)
        {
            ty = receiver;
        }
        let facts = self.index.program.facts(file);
        // In a static or class method `self` or `cls` is the class itself.
        let mut scope = context.within;
        let mut args = Vec::new();
        while let Some(ix) = scope {
            let def = facts.def(ix);
            if def.kind.is_type() {
                break;
            }
            if def.flags.has(DefFlags::CLASS_METHOD) || (def.kind == DefKind::Method && def.flags.has(DefFlags::STATIC))
            {
                return Outcome::one(Value::Def(ty));
            }
            // A member that names its owner names the owner's type arguments too.
            if let Some(owner) = def.owner
                && let Type::Path { args: written, .. } = facts.ty(owner)
                && self.index.has_type_parameters()
            {
                let at = Context { within: Some(ix), line: def.start };
                args = written.iter().map(|&arg| self.type_values(file, arg, at).values).collect();
                break;
            }
            scope = def.container;
        }
        Outcome::one(Value::Instance(ty, args))
    }

    fn eval_call(&mut self, file: FileId, callee: ExprId, arg0: Option<ExprId>, context: Context) -> Outcome {
        let facts = self.index.program.facts(file);
        let conventions = self.index.conventions(file);
        // A member of an outside type may say what its call gives; a member of one of ours too.
        let (mut callees, bases) = match facts.expr(callee) {
            Expr::Member { base, name } => {
                let base = self.eval(file, *base, context);
                let name = facts.str(*name);
                let mut found = self.members_of(file, &base, name, true);
                self.keep_kind(&mut found, true);
                if found.values.is_empty() && conventions.new_methods.contains(&name) {
                    let made = base.values.iter().filter_map(|value| match value {
                        Value::Def(node) if self.is_type(*node) => Some(Value::Instance(*node, Vec::new())),
                        _ => None,
                    });
                    return Outcome { values: made.collect(), sure: base.sure };
                }
                (found, base.values)
            }
            Expr::Super => {
                // `super()` as an expression is the instance as its parents see it, `super(C, self)` as
                // the parents of C do.
                let Some(named) = arg0 else { return self.eval(file, callee, context) };
                let mut named = self.eval(file, named, context);
                named.values.retain(|value| matches!(value, Value::Def(node) if self.is_type(*node)));
                for value in &mut named.values {
                    if let Value::Def(node) = *value {
                        *value = Value::SuperOf(node);
                    }
                }
                return named;
            }
            Expr::Name(name) if conventions.methods_apart => {
                self.calling = true;
                let found = self.lookup(file, context, facts.str(*name));
                self.calling = false;
                let found = match found {
                    Named::Found(outcome) => outcome,
                    _ => Outcome::none(),
                };
                (found, Vec::new())
            }
            _ => (self.eval(file, callee, context), Vec::new()),
        };
        self.keep_apart(file, &mut callees, true);
        callees = self.settle_all(callees);
        let mut outcome = Outcome { values: Vec::new(), sure: callees.sure };
        for value in callees.values {
            let function = match &value {
                Value::Def(node) if self.index.has_type_parameters() => Some(*node),
                _ => None,
            };
            let mut result = self.result_of(file, value, &bases, arg0, context);
            if let Some(function) = function {
                result = match bases.as_slice() {
                    [] => {
                        let this = self.this(file, context).values;
                        self.substituted(result, &this)
                    }
                    bases => self.substituted(result, bases),
                };
                if let Some(arg0) = arg0 {
                    let argument = self.eval(file, arg0, context).values;
                    result = self.unified(result, function, &argument);
                }
            }
            outcome.add(result);
        }
        outcome
    }

    /// A field and a method may share a name: a call means the method, anything else the field.
    fn keep_kind(&self, found: &mut Outcome, called: bool) {
        if found.values.len() < 2 {
            return;
        }
        let fits = |value: &Value| match value {
            Value::Def(node) => self.index.program.def(*node).is_some_and(|def| {
                let field = matches!(def.kind, DefKind::Field | DefKind::Property | DefKind::Variable);
                if called { def.kind.is_callable() } else { field }
            }),
            _ => false,
        };
        if found.values.iter().any(fits) && found.values.iter().all(|value| matches!(value, Value::Def(_))) {
            found.values.retain(fits);
        }
    }

    /// What calling a value gives. `bases` are the receivers it was found on.
    fn result_of(
        &mut self,
        file: FileId,
        value: Value,
        bases: &[Value],
        arg0: Option<ExprId>,
        context: Context,
    ) -> Outcome {
        match value {
            Value::Def(node) if self.is_type(node) => {
                if self.index.conventions(self.index.program.file_of(node)).call_constructs {
                    Outcome::one(Value::Instance(node, Vec::new()))
                } else {
                    Outcome::none()
                }
            }
            // A variant that takes values makes one of its enum.
            Value::Def(node) if self.is_enum_member(node) => self.enum_of(node),
            Value::Def(node) => self.returned(node, bases),
            Value::External(name) => {
                let first = arg0.map(|arg| self.eval(file, arg, context).values).unwrap_or_default();
                let modelled = self.index.rules_of(file).and_then(|rules| rules.external_call(&name, &first));
                match modelled {
                    Some(values) => {
                        // A function in other clothes may be called differently, or not at all.
                        let wraps = |value: &Value| matches!(value, Value::Def(_)) && first.contains(value);
                        let sure = !values.iter().any(wraps);
                        Outcome { values, sure }
                    }
                    None if name.contains(['.', ':', '/', '\\']) => {
                        Outcome::one(Value::ExternalInstance(name, Vec::new()))
                    }
                    None => Outcome::none(),
                }
            }
            // A value that can be called itself.
            Value::Instance(node, _) if bases.is_empty() => {
                let Some(operator) = self.index.conventions(file).call_operator else { return Outcome::none() };
                let methods = self.in_type(node, operator);
                let base = [Value::Instance(node, Vec::new())];
                let mut outcome = Outcome { values: Vec::new(), sure: methods.sure };
                for method in methods.values {
                    if let Value::Def(method) = method {
                        let given = self.returned(method, &base);
                        outcome.add(given);
                    }
                }
                outcome
            }
            // A value of a function type with a known result.
            Value::ExternalInstance(name, args) if &*name == "function" && !args.is_empty() => {
                Outcome { values: args.into_iter().next().unwrap_or_default(), sure: true }
            }
            // The result of an outside method was modelled when the member was looked up.
            Value::ExternalInstance(..) | Value::Instance(..) | Value::Tuple(_) if !bases.is_empty() => {
                Outcome::one(value)
            }
            _ => Outcome::none(),
        }
    }

    /// What a function gives back: its declared type, else what its returns evaluate to.
    fn returned(&mut self, node: NodeId, bases: &[Value]) -> Outcome {
        let index = self.index;
        let file = index.program.file_of(node);
        let Some(ix) = index.program.def_ix(node) else { return Outcome::none() };
        let facts = index.program.facts(file);
        let def = facts.def(ix);
        if !def.kind.is_callable() {
            return Outcome::none();
        }
        if def.kind == DefKind::Constructor {
            return index
                .type_around(node)
                .map_or_else(Outcome::none, |ty| Outcome::one(Value::Instance(ty, Vec::new())));
        }
        let here = Context { within: Some(ix), line: def.end };
        if let Some(ty) = def.ty {
            let mut outcome = self.type_values(file, ty, here);
            if matches!(facts.ty(ty), Type::This) {
                // `Self` is the receiver's own type, not the type that declares the method.
                let own: Vec<Value> = bases.iter().filter_map(|base| self.as_instance(base)).take(VALUES_MAX).collect();
                if !own.is_empty() {
                    outcome.values = own;
                }
            }
            return outcome;
        }
        let returns: Vec<u32> = index.bindings(node, "").to_vec();
        let mut outcome = Outcome { values: Vec::new(), sure: false };
        for receiver in self.receivers(node, bases) {
            let around = std::mem::replace(&mut self.receiver, receiver);
            for &ix in &returns {
                let binding = &facts.bindings[ix as usize];
                let (BindingKind::Return, Some(value)) = (binding.kind, binding.value) else { continue };
                if *facts.expr(value) == Expr::This {
                    // A fluent method gives its receiver.
                    outcome.values.extend(bases.iter().filter_map(|base| self.as_instance(base)));
                    continue;
                }
                let at = Context { within: binding.scope, line: binding.line };
                let other = self.eval(file, value, at);
                outcome.add(other);
            }
            self.receiver = around;
        }
        outcome.values.dedup();
        outcome
    }

    /// For which descendants of its own type a method is to be evaluated; None for the type itself.
    fn receivers(&self, method: NodeId, bases: &[Value]) -> Vec<Option<NodeId>> {
        const RECEIVERS_MAX: usize = 4;
        let own = self.index.type_around(method);
        let mut receivers: Vec<Option<NodeId>> = Vec::new();
        if own.is_some() && self.index.conventions(self.index.program.file_of(method)).dynamic {
            for base in bases {
                let receiver = match base {
                    Value::Instance(node, _) | Value::Def(node) | Value::SuperOf(node) if self.is_type(*node) => *node,
                    _ => continue,
                };
                let receiver = Some(receiver).filter(|_| Some(receiver) != own);
                if receivers.len() < RECEIVERS_MAX && !receivers.contains(&receiver) {
                    receivers.push(receiver);
                }
            }
        }
        if receivers.is_empty() {
            receivers.push(None);
        }
        receivers
    }

    /// Where methods and fields have names of their own, drops the ones that a use cannot mean.
    pub(super) fn keep_apart(&self, file: FileId, found: &mut Outcome, called: bool) {
        if found.values.len() < 2 || !self.index.conventions(file).methods_apart {
            return;
        }
        let is_method = |value: &Value| match value {
            Value::Def(node) => self.index.program.def(*node).is_some_and(|def| def.kind.is_callable()),
            _ => false,
        };
        if found.values.iter().any(|value| is_method(value) == called) {
            found.values.retain(|value| is_method(value) == called);
        }
    }

    fn as_instance(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Instance(..) => Some(value.clone()),
            Value::Def(node) if self.is_type(*node) => Some(Value::Instance(*node, Vec::new())),
            Value::SuperOf(node) => Some(Value::Instance(*node, Vec::new())),
            _ => None,
        }
    }

    pub(super) fn is_enum_member(&self, node: NodeId) -> bool {
        self.index.program.def(node).is_some_and(|def| def.kind == DefKind::EnumMember)
    }

    /// An instance of the enum that a variant belongs to.
    fn enum_of(&self, node: NodeId) -> Outcome {
        match self.index.type_around(node) {
            Some(ty) => Outcome::one(Value::Instance(ty, Vec::new())),
            None => Outcome::none(),
        }
    }

    pub(super) fn is_type(&self, node: NodeId) -> bool {
        self.index.program.def(node).is_some_and(|def| def.kind.is_type())
    }

    /// Whether `new` makes an instance of it.
    fn is_constructible(&self, file: FileId, node: NodeId) -> bool {
        self.index.program.def(node).is_some_and(|def| {
            def.kind.is_type() || (def.kind == DefKind::Function && self.index.conventions(file).functions_construct)
        })
    }

    /// What a definition that names its owner is a member of: a type; where functions and objects
    /// have members too, what the path names.
    pub(super) fn owner(&mut self, file: FileId, owner: TypeId, context: Context) -> Option<NodeId> {
        if !self.index.conventions(file).functions_construct {
            let types = self.type_values(file, owner, context);
            return match types.values.first() {
                Some(Value::Instance(ty, _)) => Some(*ty),
                _ => None,
            };
        }
        // What is set on one instance is no member of its type.
        let Type::Path { path, .. } = self.index.program.facts(file).ty(owner) else { return None };
        let named = self.type_path(file, path, context);
        match self.settle_all(named).values.first() {
            Some(Value::Def(node)) => Some(*node),
            _ => None,
        }
    }

    /// Follows variables to what they hold; what holds nothing known stays itself.
    pub(super) fn settle_all(&mut self, outcome: Outcome) -> Outcome {
        if !outcome.values.iter().any(|value| matches!(value, Value::Def(node) if self.index.is_variable(*node))) {
            return outcome;
        }
        let mut settled = Outcome { values: Vec::new(), sure: outcome.sure };
        for value in outcome.values {
            match value {
                Value::Def(node) if self.index.is_variable(node) => {
                    let held = self.held_by(node);
                    if held.values.is_empty() {
                        settled.add(Outcome::one(Value::Def(node)));
                    } else {
                        settled.add(held);
                    }
                }
                other => settled.add(Outcome::one(other)),
            }
        }
        settled
    }

    /// What a variable, field or property holds.
    fn held_by(&mut self, node: NodeId) -> Outcome {
        let index = self.index;
        let program = index.program;
        let file = program.file_of(node);
        let Some(def) = program.def(node) else { return Outcome::none() };
        let facts = program.facts(file);
        if def.kind.is_callable() {
            return self.guarded((file, u64::from(node) | 1 << 62), |this| this.returned(node, &[]));
        }
        if let Some(ty) = def.ty {
            let declared = self.type_values(file, ty, Context { within: def.container, line: def.start });
            if !declared.values.is_empty() {
                return declared;
            }
        }
        let scope = program.scope_node(file, def.container);
        let bindings = index.bindings(scope, facts.str(def.name)).to_vec();
        self.guarded((file, u64::from(node) | 1 << 62), |this| {
            this.bound(file, &bindings, None).unwrap_or_else(Outcome::none)
        })
    }

    /// The values of a set of bindings; with `before`, of those that precede a line. None if there
    /// are no bindings; an empty outcome if their values are not known.
    fn bound(&mut self, file: FileId, bindings: &[u32], before: Option<u32>) -> Option<Outcome> {
        let facts = self.index.program.facts(file);
        let mut all: Vec<&Binding> = bindings.iter().map(|&ix| &facts.bindings[ix as usize]).collect();
        all.retain(|binding| !matches!(binding.kind, BindingKind::Return | BindingKind::Outer));
        if all.is_empty() {
            return None;
        }
        // A binding whose own value is being evaluated says nothing of that value.
        let is_active = |binding: &Binding| binding.value.is_some_and(|value| self.is_active((file, u64::from(value))));
        if let Some(line) = before {
            let preceding: Vec<&Binding> = all
                .iter()
                .copied()
                .filter(|b| (b.line <= line || matches!(b.kind, BindingKind::Param(_))) && !is_active(b))
                .collect();
            if !preceding.is_empty() {
                all = preceding;
            }
        }
        all.sort_by_key(|binding| std::cmp::Reverse(binding.line));
        if let Some(typed) = all.iter().find(|binding| binding.ty.is_some()) {
            let at = Context { within: typed.scope, line: typed.line };
            let outcome = self.type_values(file, typed.ty.unwrap_or_default(), at);
            if !outcome.values.is_empty() {
                return Some(outcome);
            }
        }
        if !self.index.conventions(file).dynamic {
            all.truncate(1);
        }
        let mut outcome = Outcome::none();
        let mut unknown = false;
        for binding in &all {
            let Some(value) = binding.value else {
                unknown = true;
                continue;
            };
            // A caller may give something else than the default.
            unknown |= matches!(binding.kind, BindingKind::Param(_));
            self.injected |= self.is_injected(file, value);
            if matches!(facts.expr(value), Expr::Literal(Literal::Null)) {
                continue;
            }
            let at = Context { within: self.place_of(file, binding), line: binding.line };
            let other = self.eval(file, value, at);
            unknown |= other.values.is_empty();
            outcome.add(other);
        }
        outcome.sure &= !unknown && outcome.values.len() <= 1;
        Some(outcome)
    }

    /// Whether a framework gives this value by a parameter's name.
    fn is_injected(&self, file: FileId, value: ExprId) -> bool {
        let facts = self.index.program.facts(file);
        let Some(prefix) = self.index.conventions(file).injected else { return false };
        let Expr::Call { callee, .. } = *facts.expr(value) else { return false };
        matches!(facts.expr(callee), Expr::Name(name) if facts.str(*name).starts_with(prefix))
    }

    /// Where a binding's value is written: a field's may stand in a method of its type.
    fn place_of(&self, file: FileId, binding: &Binding) -> Option<DefIx> {
        /// Definitions that are looked at: the method around comes soon, or not at all.
        const LOOK_BACK: usize = 256;
        if binding.kind != BindingKind::Field {
            return binding.scope;
        }
        let defs = &self.index.program.facts(file).defs;
        // Definitions are in order of their first lines, so the innermost one comes last.
        let before = defs.partition_point(|def| def.start <= binding.line);
        for ix in (0..before).rev().take(LOOK_BACK) {
            let def = &defs[ix];
            if Some(ix as DefIx) == binding.scope {
                break;
            }
            if def.kind.is_callable() {
                if binding.line <= def.end {
                    return Some(ix as DefIx);
                }
                if def.container == binding.scope {
                    break;
                }
            }
        }
        binding.scope
    }

    /// What a bare name stands for here: scopes from the inside out, imports, then what the
    /// language makes visible.
    pub(super) fn lookup(&mut self, file: FileId, context: Context, name: &str) -> Named {
        let index = self.index;
        let program = index.program;
        let facts = program.facts(file);
        let conventions = index.conventions(file);
        let mut scope = context.within;
        let mut innermost = true;
        while let Some(ix) = scope {
            let def = facts.def(ix);
            let node = program.def_node(file, ix);
            let owner = index.owners.get(&node).copied();
            if def.kind.is_type() || def.kind == DefKind::Namespace {
                if conventions.implicit_this || def.kind == DefKind::Namespace {
                    let found = self.in_type(node, name);
                    if !found.values.is_empty() {
                        return Named::Found(found);
                    }
                } else if innermost && conventions.body_sees_members {
                    // A body sees what it has defined itself so far, not what it will or what it inherits.
                    let so_far = |&&member: &&NodeId| program.def(member).is_some_and(|d| d.start <= context.line);
                    let members: Vec<NodeId> = index.members(node, name).iter().filter(so_far).copied().collect();
                    if !members.is_empty() {
                        return Named::Found(self.definitions(&members));
                    }
                }
                let imports = if def.kind == DefKind::Namespace { index.imports(node, name) } else { &[] };
                if !imports.is_empty() {
                    return self.imported(file, imports);
                }
            } else if let Some(named) = self.in_function(file, ix, context, name) {
                return named;
            }
            if let (Some(owner), true) = (owner, conventions.implicit_this) {
                let found = self.in_type(owner, name);
                if !found.values.is_empty() {
                    return Named::Found(found);
                }
            }
            innermost = false;
            scope = def.container;
        }
        self.at_file_level(file, context, name)
    }

    /// Members of a type or namespace as bare names.
    fn in_type(&mut self, node: NodeId, name: &str) -> Outcome {
        let (order, _) = self.index.ancestry(node);
        if self.index.conventions(self.index.program.file_of(node)).overloads_inherit {
            return self.inherited(&order, name);
        }
        let mut assigned: &[NodeId] = &[];
        for ancestor in order {
            let members = self.index.members(ancestor, name);
            // A constructor that bears its type's name is not what the name means, nor is a member of
            // something else that stands in a namespace.
            if members.first().is_some_and(|&member| self.index.is_named_constructor(member)) {
                continue;
            }
            if members.iter().any(|&member| self.index.is_defined_elsewhere(ancestor, member)) {
                let kept = members.iter().copied().filter(|&m| !self.index.is_defined_elsewhere(ancestor, m));
                let kept: Vec<NodeId> = kept.collect();
                if !kept.is_empty() {
                    return self.definitions(&kept);
                }
                continue;
            }
            // `self.x = …` runs the setter of an inherited property, and fills an inherited field.
            if !members.is_empty() && members.iter().all(|&member| self.is_assigned(member)) {
                assigned = if assigned.is_empty() { members } else { assigned };
                continue;
            }
            if members.len() > 1
                && let Some(rules) = self.index.rules_of(self.index.program.file_of(ancestor))
            {
                return self.definitions(&rules.prefer(members.to_vec()));
            }
            if !members.is_empty() {
                return self.definitions(members);
            }
        }
        self.definitions(assigned)
    }

    fn is_assigned(&self, node: NodeId) -> bool {
        self.index.program.def(node).is_some_and(|def| def.flags.has(DefFlags::ASSIGNED))
    }

    /// Methods of a type and of its ancestors that none nearer overrides; of anything else the nearest.
    fn inherited(&mut self, order: &[NodeId], name: &str) -> Outcome {
        let index = self.index;
        let mut found: Vec<NodeId> = Vec::new();
        let mut others = false;
        for &ancestor in order {
            let nearer = found.len();
            let mut here = false;
            for &member in index.members(ancestor, name) {
                if index.is_named_constructor(member) {
                    continue;
                }
                let callable = index.program.def(member).is_some_and(|def| def.kind.is_callable());
                if callable && !found[..nearer].iter().any(|&near| overrides(index, near, member)) {
                    found.push(member);
                } else if !callable && !others {
                    here = true;
                    found.push(member);
                }
            }
            others |= here;
        }
        self.definitions(&found)
    }

    fn definitions(&self, nodes: &[NodeId]) -> Outcome {
        let mut outcome = Outcome::none();
        for &node in nodes {
            let canonical = self.index.canonical(node);
            let value = self.index.namespace(canonical).map_or(Value::Def(canonical), Value::Module);
            outcome.add(Outcome::one(value));
        }
        outcome
    }

    /// Names inside a function: its nested definitions, parameters, locals and imports.
    fn in_function(&mut self, file: FileId, ix: DefIx, context: Context, name: &str) -> Option<Named> {
        let index = self.index;
        let facts = index.program.facts(file);
        let node = index.program.def_node(file, ix);
        let bindings = index.bindings(node, name).to_vec();
        if bindings.iter().any(|&b| facts.bindings[b as usize].kind == BindingKind::Outer) {
            return None;
        }
        let members = self.in_scope(node, name);
        if !members.is_empty() {
            return Some(Named::Found(self.definitions(&members)));
        }
        let imports = index.imports(node, name);
        if !imports.is_empty() {
            return Some(self.imported(file, imports));
        }
        if self.calling {
            return None;
        }
        let locals: Vec<u32> =
            bindings.into_iter().filter(|&b| Index::is_local(facts.bindings[b as usize].kind)).collect();
        let bound = self.bound(file, &locals, Some(context.line))?;
        Some(if bound.values.is_empty() { Named::Opaque } else { Named::Found(bound) })
    }

    fn imported(&self, file: FileId, imports: &[u32]) -> Named {
        let mut outcome = Outcome::none();
        for &import in imports {
            for entity in &self.index.import_entities[file as usize][import as usize] {
                outcome.add(Outcome::one(self.canonical_value(entity.clone())));
            }
        }
        // An import that names nothing in the tree and nothing known outside it is still an
        // outside thing: it was named by the import itself.
        if outcome.values.is_empty() {
            let facts = self.index.program.facts(file);
            let import = &facts.imports[imports[0] as usize];
            let module = facts.str(import.module);
            let name = match import.name {
                Some(name) => format!("{module}.{}", facts.str(name)),
                None => module.to_owned(),
            };
            outcome.add(Outcome::one(Value::External(name.into())));
        }
        Named::Found(outcome)
    }

    fn canonical_value(&self, entity: Entity) -> Value {
        match entity {
            Entity::Def(node) => Value::Def(self.index.canonical(node)),
            other => other.into(),
        }
    }

    /// Definitions that a bare name can mean in a function or file. What names an owner belongs to
    /// that, wherever it stands.
    fn in_scope(&self, node: NodeId, name: &str) -> Vec<NodeId> {
        let index = self.index;
        let owned = |member: NodeId| {
            index.owners.contains_key(&member)
                || index.program.def(member).is_some_and(|def| {
                    def.owner.is_some()
                        && (matches!(def.kind, DefKind::Method | DefKind::Constructor)
                            || index.conventions(index.program.file_of(member)).functions_construct)
                })
        };
        index.members(node, name).iter().copied().filter(|&member| !owned(member)).collect()
    }

    fn at_file_level(&mut self, file: FileId, context: Context, name: &str) -> Named {
        let index = self.index;
        let program = index.program;
        let facts = program.facts(file);
        let node = program.file_node(file);
        let members = self.in_scope(node, name);
        if !members.is_empty() {
            return Named::Found(self.definitions(&members));
        }
        let imports = index.imports(node, name);
        if !imports.is_empty() {
            return self.imported(file, imports);
        }
        let bindings = index.bindings(node, name).to_vec();
        if let Some(bound) = self.bound(file, &bindings, None) {
            return if bound.values.is_empty() { Named::Opaque } else { Named::Found(bound) };
        }
        let Some(rules) = index.rules_of(file) else { return Named::Missing };
        let visible = rules.visible(file, context.within, name);
        if !visible.is_empty() {
            let mut outcome = Outcome::none();
            for entity in visible {
                let value = self.canonical_value(entity);
                outcome.add(Outcome::one(value));
            }
            return Named::Found(outcome);
        }
        for &open in &index.open_imports[file as usize] {
            let import = &facts.imports[open as usize];
            if import.kind != ImportKind::Wildcard && import.kind != ImportKind::Include {
                continue;
            }
            for entity in &index.import_entities[file as usize][open as usize] {
                let found = match entity {
                    Entity::Module(module) => rules.module_member(*module, name),
                    // A wildcard import of a type brings its members.
                    Entity::Def(node) => index.members(*node, name).iter().map(|&m| Entity::Def(m)).collect(),
                    Entity::External(_) => Vec::new(),
                };
                if !found.is_empty() {
                    let mut outcome = Outcome::none();
                    for entity in found {
                        let value = self.canonical_value(entity);
                        outcome.add(Outcome::one(value));
                    }
                    return Named::Found(outcome);
                }
            }
        }
        if rules.conventions().builtins.binary_search(&name).is_ok() {
            return Named::Builtin;
        }
        Named::Missing
    }
}

/// The last name of an outside thing's path.
pub(super) fn last_name(path: &str) -> &str {
    path.rsplit(['.', ':', '/', '\\']).next().unwrap_or(path)
}

/// The name under which a literal's type is asked for in [`super::Rules::external_member`].
fn literal_type(literal: Literal) -> &'static str {
    match literal {
        Literal::String => "string",
        Literal::Number => "number",
        Literal::Bool => "bool",
        Literal::Null => "null",
        Literal::List => "list",
        Literal::Map => "map",
        Literal::Function => "function",
    }
}
