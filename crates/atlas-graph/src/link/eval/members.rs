//! Members of values and the values of types: the half of evaluation that follows receivers.

use super::super::generics::{bound_of, parameter_of};
use super::super::program::{FileId, NodeId};
use super::super::rules::Value;
use super::{Context, Eval, Named, Outcome, last_name};
use atlas_syntax::{BaseSub, BindingKind, DefFlags, DefKind, Type, TypeId};

impl<'i, 'p> Eval<'i, 'p> {
    /// The member `name` of each value, raw: variables are not followed.
    pub(in crate::link) fn members_of(&mut self, file: FileId, bases: &Outcome, name: &str, called: bool) -> Outcome {
        let mut outcome = Outcome { values: Vec::new(), sure: bases.sure };
        for base in &bases.values {
            let found = self.member_of(file, base, name, called);
            outcome.add(found);
        }
        outcome
    }

    pub(super) fn member_of(&mut self, file: FileId, base: &Value, name: &str, called: bool) -> Outcome {
        let index = self.index;
        match base {
            Value::Module(module) => {
                let mut outcome = Outcome::none();
                if let Some(rules) = index.rules_of(file) {
                    for entity in rules.module_member_from(file, *module, name) {
                        let value = self.canonical_value(entity);
                        outcome.add(Outcome::one(value));
                    }
                }
                outcome
            }
            Value::Def(node) if self.is_type(*node) => {
                let ty = self.unalias(*node);
                let mut found = self.in_type_apart(ty, name, true);
                if found.values.is_empty() {
                    found = self.field_of(ty, name);
                }
                if found.values.is_empty() {
                    found = self.common_member(file, base, name, called);
                }
                found
            }
            // An object or a function with members of its own; a variant is also one of its enum.
            Value::Def(node) => {
                let members = index.members(*node, name);
                if !members.is_empty() {
                    return self.definitions(members);
                }
                let field = self.field_of(*node, name);
                if !field.values.is_empty() || !self.is_enum_member(*node) {
                    return field;
                }
                let whole = self.enum_of(*node);
                self.members_of(file, &whole, name, called)
            }
            Value::Instance(node, _) => {
                let ty = self.unalias(*node);
                let mut found = self.in_type_apart(ty, name, false);
                if found.values.is_empty() {
                    found = self.field_of(ty, name);
                }
                if found.values.is_empty()
                    && let Some(written) = self.written_as(ty)
                {
                    found = self.members_of(file, &written, name, called);
                }
                if found.values.is_empty()
                    && let Some(associated) = index.rules_of(file).and_then(|rules| rules.dereferences())
                    && let Some(target) = self.associated_type(file, ty, associated)
                {
                    let target = self.substituted(target, std::slice::from_ref(base));
                    if !target.values.contains(base) && self.enter((FileId::MAX, u64::from(ty))) {
                        found = self.members_of(file, &target, name, called);
                        self.leave();
                    }
                }
                if found.values.is_empty() {
                    found = self.common_member(file, base, name, called);
                }
                found
            }
            Value::SuperOf(node) => {
                let order = index.ancestry(*node).0;
                if index.conventions(file).overloads_inherit {
                    return self.inherited(&order[1..], name);
                }
                let mut outcome = Outcome::none();
                for ancestor in order.into_iter().skip(1) {
                    let members = index.members(ancestor, name);
                    if !members.is_empty() {
                        outcome = self.definitions(members);
                        break;
                    }
                }
                outcome
            }
            Value::External(path) => {
                let modelled = index.rules_of(file).and_then(|r| r.external_member(path, &[], name, called));
                match modelled {
                    Some(values) => Outcome { values, sure: true },
                    None => Outcome::one(Value::External(format!("{path}.{name}").into())),
                }
            }
            Value::ExternalInstance(ty, args) => {
                if parameter_of(base).is_some() {
                    let bound = Outcome { values: bound_of(base), sure: true };
                    return self.members_of(file, &bound, name, called);
                }
                if self.index.conventions(file).transparent.binary_search(&last_name(ty)).is_ok()
                    && let Some(inner) = args.first()
                {
                    let inner = Outcome { values: inner.clone(), sure: true };
                    return self.members_of(file, &inner, name, called);
                }
                let modelled = index.rules_of(file).and_then(|r| r.external_member(ty, args, name, called));
                match modelled {
                    Some(values) => Outcome { values, sure: true },
                    None => Outcome::one(Value::External(format!("{ty}.{name}").into())),
                }
            }
            Value::Tuple(parts) => {
                let part = name.parse::<usize>().ok().and_then(|n| parts.get(n));
                Outcome { values: part.cloned().unwrap_or_default(), sure: true }
            }
        }
    }

    /// What a distinct type is written as: its elements and fields are that type's.
    pub(super) fn written_as(&mut self, node: NodeId) -> Option<Outcome> {
        let program = self.index.program;
        let def = program.def(node).filter(|def| def.flags.has(DefFlags::DISTINCT))?;
        let at = Context { within: def.container, line: def.start };
        Some(self.type_values(program.file_of(node), def.ty?, at))
    }

    /// A member that the language gives to every value, or to those with an associated type.
    pub(super) fn common_member(&mut self, file: FileId, base: &Value, name: &str, called: bool) -> Outcome {
        let Some(rules) = self.index.rules_of(file) else { return Outcome::none() };
        if let (Value::Instance(node, _), Some(associated)) = (base, rules.associated(name))
            && let Some(made) = self.associated_type(file, *node, associated)
        {
            return made;
        }
        if let Some(values) = rules.common_member(base, name, called) {
            return Outcome { values, sure: true };
        }
        if let (Value::Instance(node, _), Some((associated, outside))) = (base, rules.provided_by())
            && let Some(made) = self.associated_type(file, *node, associated)
            && let Some(values) = rules.external_member(outside, &[made.values], name, called)
        {
            // It is no edge: the member is the library's.
            let mut all = vec![Value::External(name.into())];
            all.extend(values);
            return Outcome { values: all, sure: made.sure };
        }
        Outcome::none()
    }

    /// An instance of a type's associated type.
    pub(super) fn associated_type(&mut self, file: FileId, node: NodeId, name: &str) -> Option<Outcome> {
        let alias = self.in_type(node, name).values.into_iter().find_map(|value| match value {
            Value::Def(alias) if self.is_type(alias) => Some(alias),
            _ => None,
        })?;
        Some(self.instance_of(file, Value::Def(alias), &[], Context { within: None, line: 0 }))
    }

    /// Members of a type where those of the type itself and those of its instances are asked apart: the
    /// nearest of the wanted ones, else the nearest of any.
    fn in_type_apart(&mut self, ty: NodeId, name: &str, of_type: bool) -> Outcome {
        let index = self.index;
        if !index.conventions(index.program.file_of(ty)).statics_apart {
            return self.in_type(ty, name);
        }
        let wanted = |&&member: &&NodeId| {
            index.program.def(member).is_some_and(|def| def.flags.has(DefFlags::STATIC) == of_type)
        };
        for ancestor in index.ancestry(ty).0 {
            let found: Vec<NodeId> = index.members(ancestor, name).iter().filter(wanted).copied().collect();
            if !found.is_empty() {
                return self.definitions(&found);
            }
        }
        self.in_type(ty, name)
    }

    /// A field that is only ever assigned: `self.repo = Repo()`.
    pub(super) fn field_of(&mut self, ty: NodeId, name: &str) -> Outcome {
        let index = self.index;
        let openings = index.ancestry(ty).0.into_iter().flat_map(|ancestor| index.openings(ancestor));
        for ancestor in openings {
            let file = self.index.program.file_of(ancestor);
            let facts = self.index.program.facts(file);
            let fields: Vec<u32> = self
                .index
                .bindings(ancestor, name)
                .iter()
                .copied()
                .filter(|&b| facts.bindings[b as usize].kind == BindingKind::Field)
                .collect();
            if let Some(bound) = self.bound(file, &fields, None) {
                return bound;
            }
        }
        Outcome::none()
    }

    /// The type behind a type alias; itself otherwise.
    pub(super) fn unalias(&mut self, node: NodeId) -> NodeId {
        let program = self.index.program;
        let mut node = node;
        for _ in 0..8 {
            let Some(def) = program.def(node) else { break };
            let (DefKind::TypeAlias, Some(ty), false) = (def.kind, def.ty, def.flags.has(DefFlags::DISTINCT)) else {
                break;
            };
            let file = program.file_of(node);
            let aliased = self.type_values(file, ty, Context { within: def.container, line: def.start });
            match aliased.values.first() {
                Some(Value::Instance(target, _)) if *target != node => node = *target,
                _ => break,
            }
        }
        node
    }

    /// Instances of a type expression.
    pub fn type_values(&mut self, file: FileId, id: TypeId, context: Context) -> Outcome {
        if id == 0 {
            return Outcome::none();
        }
        self.guarded((file, u64::from(id) | 1 << 63), |this| this.type_values_of(file, id, context))
    }

    pub(super) fn type_values_of(&mut self, file: FileId, id: TypeId, context: Context) -> Outcome {
        let facts = self.index.program.facts(file);
        match facts.ty(id) {
            Type::Unknown => Outcome::none(),
            Type::This => self
                .index
                .this_type(file, context.within)
                .map_or_else(Outcome::none, |ty| Outcome::one(Value::Instance(ty, Vec::new()))),
            Type::Union(all) => {
                let mut outcome = Outcome::none();
                for &one in all {
                    let other = self.type_values(file, one, context);
                    outcome.add(other);
                }
                outcome
            }
            Type::List(of) => {
                let of = self.type_values(file, *of, context);
                Outcome::one(Value::ExternalInstance("list".into(), vec![of.values]))
            }
            Type::Tuple(parts) => {
                let parts: Vec<Vec<Value>> =
                    parts.iter().map(|&part| self.type_values(file, part, context).values).collect();
                Outcome::one(Value::Tuple(parts))
            }
            Type::Function(result) => {
                let args = result.map(|result| self.type_values(file, result, context).values);
                Outcome::one(Value::ExternalInstance("function".into(), args.into_iter().collect()))
            }
            Type::Path { path, args } => {
                let named = self.type_path(file, path, context);
                let mut outcome = Outcome { values: Vec::new(), sure: named.sure };
                for value in named.values {
                    let made = self.instance_of(file, value, args, context);
                    outcome.add(made);
                }
                outcome
            }
        }
    }

    /// What the path of a type names, before it is made an instance.
    pub(in crate::link) fn type_path(&mut self, file: FileId, path: &[u32], context: Context) -> Outcome {
        let facts = self.index.program.facts(file);
        let Some((&first, rest)) = path.split_first() else { return Outcome::none() };
        if let Some(parameter) = self.type_parameter(file, context, facts.str(first)) {
            return if rest.is_empty() { Outcome::one(parameter) } else { Outcome::none() };
        }
        let mut current = match self.lookup(file, context, facts.str(first)) {
            Named::Found(outcome) => outcome,
            Named::Opaque => return Outcome::none(),
            Named::Builtin | Named::Missing => Outcome::one(Value::External(facts.str(first).into())),
        };
        for &part in rest {
            current = self.members_of(file, &current, facts.str(part), false);
        }
        current
    }

    pub(super) fn instance_of(&mut self, file: FileId, value: Value, args: &[TypeId], context: Context) -> Outcome {
        match value {
            Value::Def(node) if self.is_type(node) => {
                let program = self.index.program;
                let Some(def) = program.def(node) else { return Outcome::none() };
                if let (DefKind::TypeAlias, Some(ty), false) = (def.kind, def.ty, def.flags.has(DefFlags::DISTINCT)) {
                    let at = Context { within: program.def_ix(node), line: def.start };
                    let aliased = self.type_values(program.file_of(node), ty, at);
                    if !aliased.values.is_empty() {
                        let args = args.iter().map(|&arg| self.type_values(file, arg, context).values).collect();
                        return self.substituted(aliased, &[Value::Instance(node, args)]);
                    }
                }
                let args = args.iter().map(|&arg| self.type_values(file, arg, context).values).collect();
                Outcome::one(Value::Instance(node, args))
            }
            // A variable that holds a class is a class by another name.
            Value::Def(node) if self.index.is_variable(node) => {
                let held = self.held_by(node);
                let types = held.values.into_iter().filter_map(|value| match value {
                    Value::Def(ty) if self.is_constructible(file, ty) => Some(Value::Instance(ty, Vec::new())),
                    // `typeof value`, the type of a member.
                    Value::Instance(..) | Value::ExternalInstance(..) => Some(value),
                    _ => None,
                });
                Outcome { values: types.collect(), sure: held.sure }
            }
            Value::Def(node) if self.is_constructible(file, node) => Outcome::one(Value::Instance(node, Vec::new())),
            Value::Def(node) if self.is_enum_member(node) => self.enum_of(node),
            Value::External(name) => {
                let args: Vec<Vec<Value>> =
                    args.iter().map(|&arg| self.type_values(file, arg, context).values).collect();
                if self.index.conventions(file).transparent.binary_search(&last_name(&name)).is_ok()
                    && let Some(inner) = args.first()
                {
                    return Outcome { values: inner.clone(), sure: true };
                }
                Outcome::one(Value::ExternalInstance(name, args))
            }
            // A type parameter bound to a type stands for instances of it.
            instance @ (Value::Instance(..) | Value::ExternalInstance(..)) => Outcome::one(instance),
            _ => Outcome::none(),
        }
    }

    pub(super) fn elements(&mut self, file: FileId, base: &Outcome, index: bool) -> Outcome {
        let conventions = self.index.conventions(file);
        let mut outcome = Outcome { values: Vec::new(), sure: base.sure };
        for value in &base.values {
            if let Value::ExternalInstance(name, args) = value
                && let Some(modelled) =
                    self.index.rules_of(file).and_then(|rules| rules.external_element(name, args, index))
            {
                outcome.add(Outcome { values: modelled, sure: true });
                continue;
            }
            match value {
                Value::ExternalInstance(name, args)
                    if &**name == "list" || conventions.containers.binary_search(&last_name(name)).is_ok() =>
                {
                    if let Some(last) = args.last() {
                        outcome.add(Outcome { values: last.clone(), sure: true });
                    }
                }
                // Where types are declared, what an outside thing holds is as outside as it is.
                Value::ExternalInstance(name, _) if !conventions.dynamic => {
                    outcome.add(Outcome::one(Value::ExternalInstance(format!("{name}[]").into(), Vec::new())));
                }
                Value::Instance(node, _) => {
                    // An iterator's own iterator is itself.
                    let elements =
                        self.guarded((FileId::MAX, u64::from(*node) | 1 << 61), |this| match this.written_as(*node) {
                            Some(written) => this.elements(file, &written, index),
                            None => this.elements_of_instance(file, value, *node, index),
                        });
                    outcome.add(elements);
                }
                // `Box[int]` is `Box`.
                Value::Def(node) if index && self.is_type(*node) => outcome.add(Outcome::one(value.clone())),
                _ => {}
            }
        }
        outcome
    }

    /// What the methods of a type give for an index or a loop, else what its outside bases hold.
    pub(super) fn elements_of_instance(&mut self, file: FileId, base: &Value, node: NodeId, index: bool) -> Outcome {
        let conventions = self.index.conventions(file);
        let methods = [
            conventions.iterate_method.filter(|_| !index).map(|method| (method, true)),
            conventions.index_method.map(|method| (method, false)),
        ];
        for (method, iterates) in methods.into_iter().flatten() {
            let mut given = Outcome::none();
            for value in self.in_type(node, method).values {
                if let Value::Def(method) = value {
                    let one = self.returned(method, std::slice::from_ref(base));
                    given.add(one);
                }
            }
            if !given.values.is_empty() {
                return if iterates { self.elements(file, &given, false) } else { given };
            }
        }
        if conventions.index_method.is_none() {
            return Outcome::none();
        }
        for ancestor in self.index.ancestry(node).0 {
            let program = self.index.program;
            let (of, Some(ix)) = (program.file_of(ancestor), program.def_ix(ancestor)) else { continue };
            let facts = program.facts(of);
            for clause in facts.bases.iter().filter(|clause| clause.sub == BaseSub::Def(ix)) {
                let at = Context { within: facts.def(ix).container, line: clause.line };
                let mut parents = self.type_values(of, clause.sup, at);
                parents.values.retain(|parent| matches!(parent, Value::ExternalInstance(..)));
                let elements = self.elements(file, &parents, index);
                if !elements.values.is_empty() {
                    return elements;
                }
            }
        }
        Outcome::none()
    }

    pub(super) fn awaited(&mut self, file: FileId, base: &Outcome) -> Outcome {
        let awaitables = self.index.conventions(file).awaitables;
        let mut outcome = Outcome { values: Vec::new(), sure: base.sure };
        for value in &base.values {
            match value {
                Value::ExternalInstance(name, args) if awaitables.binary_search(&last_name(name)).is_ok() => {
                    outcome.add(Outcome { values: args.first().cloned().unwrap_or_default(), sure: true });
                }
                other => outcome.add(Outcome::one(other.clone())),
            }
        }
        outcome
    }

    /// Part `n` of a tuple; the first part of what is no tuple is the thing itself.
    pub(super) fn part(&mut self, file: FileId, base: &Outcome, n: u16) -> Outcome {
        let mut outcome = Outcome { values: Vec::new(), sure: base.sure };
        for value in &base.values {
            match value {
                Value::Tuple(parts) => {
                    let values = parts.get(usize::from(n)).cloned().unwrap_or_default();
                    outcome.add(Outcome { values, sure: true });
                }
                Value::ExternalInstance(..) | Value::Instance(..) => {
                    let one = Outcome::one(value.clone());
                    // Where `x[0]` and `a, b = x` are both written so, the first is the common one.
                    let index = self.index.conventions(file).index_method.is_some();
                    let elements = self.elements(file, &one, index);
                    outcome.add(elements);
                }
                _ => {}
            }
        }
        outcome
    }
}
