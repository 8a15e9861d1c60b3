//! Type parameters: what `T` stands for where a type's arguments are known.
//!
//! A type parameter is the value `<node:n>`, an instance of an outside type of that name, whose one
//! argument is what its bound allows. Members are looked up on the bound; where the receiver's type
//! arguments are known, results are rewritten with them. What is deliberately *not* here: inference
//! beyond a call's receiver and its first argument.

use super::eval::{Context, Eval, Outcome, last_name};
use super::index::Index;
use super::program::{FileId, NodeId};
use super::rules::Value;
use atlas_syntax::{BindingKind, DefIx, Type, TypeId};

/// Nesting of type arguments that is rewritten.
const DEPTH_MAX: u32 = 6;
/// Steps from a type to the ancestor that declares a parameter.
const STEPS_MAX: u32 = 16;

/// The definition and position of a type parameter, if the value is one.
pub(super) fn parameter_of(value: &Value) -> Option<(NodeId, u16)> {
    let Value::ExternalInstance(name, _) = value else { return None };
    let (node, n) = name.strip_prefix('<')?.strip_suffix('>')?.split_once(':')?;
    Some((node.parse().ok()?, n.parse().ok()?))
}

/// What a type parameter's bound allows; empty if it has none.
pub(super) fn bound_of(value: &Value) -> Vec<Value> {
    match value {
        Value::ExternalInstance(_, args) => args.first().cloned().unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn mentions_parameter(value: &Value, depth: u32) -> bool {
    parameter_of(value).is_some()
        || (depth < DEPTH_MAX
            && match value {
                Value::Instance(_, args) | Value::ExternalInstance(_, args) | Value::Tuple(args) => {
                    args.iter().flatten().any(|value| mentions_parameter(value, depth + 1))
                }
                _ => false,
            })
}

impl Eval<'_, '_> {
    /// The type parameter that a name means here, if it means one.
    pub(super) fn type_parameter(&mut self, file: FileId, context: Context, name: &str) -> Option<Value> {
        let index = self.index;
        if !index.has_type_parameters() {
            return None;
        }
        let facts = index.program.facts(file);
        let mut scope = context.within;
        while let Some(ix) = scope {
            let node = index.program.def_node(file, ix);
            let owned = index.owners.get(&node).and_then(|&owner| Some((owner, self.place_in_owner(file, ix, name)?)));
            for &binding in index.bindings(node, name) {
                let binding = &facts.bindings[binding as usize];
                if let BindingKind::TypeParam(n) = binding.kind {
                    let (node, n) = owned.unwrap_or((node, n));
                    let bound = match binding.ty {
                        Some(ty) => self.type_values(file, ty, Context { within: Some(ix), line: binding.line }).values,
                        None => Vec::new(),
                    };
                    return Some(Value::ExternalInstance(format!("<{node}:{n}>").into(), vec![bound]));
                }
            }
            // A type of that name that stands nearer hides the parameter.
            if !index.members(node, name).is_empty() && facts.def(ix).kind.is_type() {
                return None;
            }
            scope = facts.def(ix).container;
        }
        None
    }

    /// Where a member that names its owner hands this parameter on to it: 1 for `V` of `impl Map<K, V>`.
    fn place_in_owner(&self, file: FileId, ix: DefIx, name: &str) -> Option<u16> {
        let facts = self.index.program.facts(file);
        let Type::Path { args, .. } = facts.ty(facts.def(ix).owner?) else { return None };
        let is_it = |&arg: &TypeId| match facts.ty(arg) {
            Type::Path { path, args } => args.is_empty() && matches!(path[..], [only] if facts.str(only) == name),
            _ => false,
        };
        args.iter().position(is_it).and_then(|at| u16::try_from(at).ok())
    }

    /// Rewrites the type parameters in a result with the type arguments of the receivers it came from.
    pub(super) fn substituted(&self, mut outcome: Outcome, bases: &[Value]) -> Outcome {
        if !outcome.values.iter().any(|value| mentions_parameter(value, 0)) {
            return outcome;
        }
        let values = std::mem::take(&mut outcome.values);
        for value in values {
            let mut known = false;
            for base in bases {
                let (node, args): (NodeId, &[Vec<Value>]) = match base {
                    Value::Instance(node, args) => (*node, args),
                    Value::SuperOf(node) | Value::Def(node) => (*node, &[]),
                    _ => continue,
                };
                known = true;
                let find = |owner: NodeId, n: u16| argument_for(self.index, node, args, owner, n, 0);
                for value in rewrite(&value, &find, 0) {
                    outcome.push(value);
                }
            }
            if !known {
                outcome.push(value);
            }
        }
        outcome
    }

    /// Rewrites the parameters of a generic function in its result, as its first argument tells.
    pub(super) fn unified(&mut self, mut outcome: Outcome, function: NodeId, argument: &[Value]) -> Outcome {
        if argument.is_empty() || !outcome.values.iter().any(|value| mentions_parameter(value, 0)) {
            return outcome;
        }
        let index = self.index;
        let file = index.program.file_of(function);
        let Some(&Some(ty)) = index.parameters(function).first() else { return outcome };
        let within = index.program.def_ix(function);
        let parameter = self.type_values(file, ty, Context { within, line: 0 }).values;
        let mut found: Vec<((NodeId, u16), Vec<Value>)> = Vec::new();
        for one in &parameter {
            match_up(one, argument, &mut found, 0);
        }
        let find = |owner: NodeId, n: u16| {
            let known = found.iter().find(|(key, _)| *key == (owner, n));
            known.map(|(_, values)| values.clone()).unwrap_or_default()
        };
        let values = std::mem::take(&mut outcome.values);
        for value in values {
            for value in rewrite(&value, &find, 0) {
                outcome.push(value);
            }
        }
        outcome
    }
}

/// The argument that a type gives for the parameter `n` of itself or of an ancestor; empty if unknown.
fn argument_for(index: &Index, node: NodeId, args: &[Vec<Value>], owner: NodeId, n: u16, steps: u32) -> Vec<Value> {
    if node == owner {
        return args.get(usize::from(n)).cloned().unwrap_or_default();
    }
    if steps >= STEPS_MAX {
        return Vec::new();
    }
    for sup in index.supers(node) {
        let Some(parent) = sup.node else { continue };
        let find = |asked: NodeId, at: u16| {
            if asked == node { args.get(usize::from(at)).cloned().unwrap_or_default() } else { Vec::new() }
        };
        let given: Vec<Vec<Value>> =
            sup.args.iter().map(|values| values.iter().flat_map(|value| rewrite(value, &find, 0)).collect()).collect();
        let found = argument_for(index, parent, &given, owner, n, steps + 1);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// A value with its type parameters replaced by what `find` gives for them; those it does not know stay.
fn rewrite(value: &Value, find: &impl Fn(NodeId, u16) -> Vec<Value>, depth: u32) -> Vec<Value> {
    if let Some((owner, n)) = parameter_of(value) {
        let found = find(owner, n);
        return if found.is_empty() { vec![value.clone()] } else { found };
    }
    if depth >= DEPTH_MAX {
        return vec![value.clone()];
    }
    let inner = |args: &[Vec<Value>]| -> Vec<Vec<Value>> {
        args.iter().map(|values| values.iter().flat_map(|value| rewrite(value, find, depth + 1)).collect()).collect()
    };
    vec![match value {
        Value::Instance(node, args) => Value::Instance(*node, inner(args)),
        Value::ExternalInstance(name, args) => Value::ExternalInstance(name.clone(), inner(args)),
        Value::Tuple(parts) => Value::Tuple(inner(parts)),
        other => other.clone(),
    }]
}

/// Finds what type parameters in a parameter's type stand for when it takes these values.
fn match_up(parameter: &Value, argument: &[Value], found: &mut Vec<((NodeId, u16), Vec<Value>)>, depth: u32) {
    if let Some(key) = parameter_of(parameter) {
        if !argument.is_empty() && !found.iter().any(|(known, _)| *known == key) {
            found.push((key, argument.to_vec()));
        }
        return;
    }
    if depth >= DEPTH_MAX {
        return;
    }
    for value in argument {
        let (wanted, given) = match (parameter, value) {
            (Value::ExternalInstance(a, wanted), Value::ExternalInstance(b, given)) if last_name(a) == last_name(b) => {
                (wanted, given)
            }
            (Value::Instance(a, wanted), Value::Instance(b, given)) if a == b => (wanted, given),
            _ => continue,
        };
        for (wanted, given) in wanted.iter().zip(given) {
            for one in wanted {
                match_up(one, given, found, depth + 1);
            }
        }
    }
}
