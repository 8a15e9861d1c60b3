//! Of functions that share a name and take a call's number of arguments, the one whose parameters its
//! arguments fit: for languages that choose by static types ([`Conventions::overloads`]).
//!
//! A parameter that an argument cannot have rules its function out; of what is left the best fit is
//! taken. What is deliberately *not* here: which outside and built-in types convert to which
//! ([`Rules::fit`]), and generic methods: a parameter of a type variable's type fits anything, loosely.

use super::eval::{Context, Eval, Outcome};
use super::generics::{bound_of, parameter_of};
use super::index::Index;
use super::program::{FileId, NodeId};
use super::rules::Value;
use atlas_syntax::{DefIx, DefKind, Expr, Literal};

/// How well an argument fits a parameter of exactly its type.
pub const FIT_EXACT: i32 = 16;
/// A function that has a parameter for each argument is meant before one that takes any number of them.
const VARIADIC_COST: i32 = 256;

/// The values of a call's arguments by position; those that are not known are left out.
pub(super) struct Arguments {
    known: Vec<(u16, Outcome)>,
    count: u16,
}

impl Arguments {
    /// Evaluates the arguments of the reference `at` of a file.
    pub(super) fn of(eval: &mut Eval, file: FileId, at: u32, context: Context) -> Self {
        let facts = eval.index.program.facts(file);
        let mut known = Vec::new();
        for arg in facts.args_of(at) {
            let values = match facts.expr(arg.value) {
                Expr::Literal(Literal::Null) => one("null"),
                Expr::Literal(Literal::Function) => one("function"),
                _ => eval.eval(file, arg.value, context),
            };
            if !values.values.is_empty() {
                known.push((arg.n, values));
            }
        }
        Self { known, count: facts.refs[at as usize].argc }
    }
}

fn one(name: &str) -> Outcome {
    Outcome { values: vec![Value::ExternalInstance(name.into(), Vec::new())], sure: true }
}

/// The functions that a call can mean, best ones only, and whether that needed no guess.
pub(super) fn choose(eval: &mut Eval, arguments: &Arguments, targets: Vec<NodeId>) -> (Vec<NodeId>, bool) {
    if arguments.known.is_empty() {
        return (targets, true);
    }
    let mut fits: Vec<(NodeId, Fit)> = Vec::with_capacity(targets.len());
    for &target in &targets {
        if let Some(fit) = fit_all(eval, arguments, target) {
            fits.push((target, fit));
        }
    }
    let Some(best) = fits.iter().map(|(_, fit)| fit.score).max() else { return (targets, true) };
    let alone = fits.len() == 1;
    // Another might fit better if it were known how its types relate to the arguments'.
    let vague = fits.iter().any(|(_, fit)| fit.vague && fit.score != best);
    let best: Vec<NodeId> = fits.iter().filter(|(_, fit)| fit.score == best).map(|&(target, _)| target).collect();
    let all_known = arguments.known.len() >= usize::from(arguments.count);
    let sure = alone || (all_known && !vague && arguments.known.iter().all(|(_, outcome)| outcome.sure));
    (best, sure)
}

/// How well a function's parameters fit.
struct Fit {
    score: i32,
    /// For some argument it is not known whether it fits.
    vague: bool,
}

/// How well all arguments fit a function; None if one cannot be meant for its parameter.
fn fit_all(eval: &mut Eval, arguments: &Arguments, target: NodeId) -> Option<Fit> {
    let index = eval.index;
    let parameters = index.parameters(target);
    let file = index.program.file_of(target);
    let ix = index.program.def_ix(target)?;
    let variadic = index.program.def(target)?.arity.1 == u16::MAX;
    let (mut total, mut whole, mut vague) = (0, false, false);
    for (n, argument) in &arguments.known {
        let last = parameters.len().saturating_sub(1);
        let spread = variadic && usize::from(*n) >= last;
        let at = if spread { last } else { usize::from(*n) };
        let Some(Some(ty)) = parameters.get(at) else { continue };
        let context = Context { within: Some(ix), line: index.program.def(target)?.start };
        let mut parameter = eval.type_values(file, *ty, context).values;
        let mut fit = best_fit(index, file, &parameter, &argument.values);
        if spread {
            // One array may stand for all, else each argument is an element.
            let elements = parameter.drain(..).flat_map(|value| match value {
                Value::ExternalInstance(name, args) if &*name == "list" => args.into_iter().next().unwrap_or_default(),
                other => vec![other],
            });
            let elements: Vec<Value> = elements.collect();
            let single = best_fit(index, file, &elements, &argument.values);
            if usize::from(arguments.count) != parameters.len() || fit.is_none() {
                fit = single;
            } else {
                whole = true;
            }
        }
        let fit = fit?;
        vague |= fit == 0;
        total += fit;
    }
    if variadic && !whole {
        total -= VARIADIC_COST;
    }
    Some(Fit { score: total, vague })
}

/// The best fit of any value of an argument; nothing known fits anything, without merit.
fn best_fit(index: &Index, file: FileId, parameter: &[Value], argument: &[Value]) -> Option<i32> {
    if parameter.is_empty() || argument.is_empty() {
        return Some(0);
    }
    parameter.iter().flat_map(|p| argument.iter().map(move |a| fit(index, file, p, a))).max().flatten()
}

fn fit(index: &Index, file: FileId, parameter: &Value, argument: &Value) -> Option<i32> {
    let rules = index.rules_of(file)?;
    // A parameter of a type variable's type takes whatever its bound does, but any exact type rather.
    if parameter_of(parameter).is_some() {
        return match bound_of(parameter).first() {
            Some(bound) => fit(index, file, bound, argument).map(|fit| fit / 2),
            None => rules.fit(&variable(), argument),
        };
    }
    if parameter_of(argument).is_some() {
        return match bound_of(argument).first() {
            Some(bound) => fit(index, file, parameter, bound),
            None => rules.fit(parameter, &variable()),
        };
    }
    match (parameter, argument) {
        (Value::Instance(p, _), Value::Instance(a, _)) => {
            let (ancestry, outside) = index.ancestry(*a);
            match ancestry.iter().position(|ancestor| ancestor == p) {
                Some(distance) => Some(FIT_EXACT - (distance as i32).min(8)),
                None if outside || rules.conventions().converts => Some(0),
                None => None,
            }
        }
        (Value::Instance(p, _), Value::ExternalInstance(name, _)) if &**name == "function" => {
            // A function is an instance of an interface with one method.
            let is_interface = index.program.def(*p).is_some_and(|def| def.kind == DefKind::Interface);
            if is_interface || rules.conventions().converts { Some(6) } else { None }
        }
        (_, Value::Instance(a, _)) => {
            let fit = rules.fit(parameter, argument)?;
            let closed = fit == 0 && !index.ancestry(*a).1 && !rules.conventions().converts;
            if closed { None } else { Some(fit) }
        }
        (Value::Instance(..) | Value::ExternalInstance(..), Value::ExternalInstance(..)) => {
            rules.fit(parameter, argument)
        }
        _ => Some(0),
    }
}

/// A type variable as [`super::Rules::fit`] knows it.
fn variable() -> Value {
    Value::ExternalInstance("T".into(), Vec::new())
}

/// Whether a method of an ancestor is overridden by one found nearer: same number of parameters, of the
/// same types as far as they are plainly written.
pub(super) fn overrides(index: &Index, nearer: NodeId, farther: NodeId) -> bool {
    let (Some(a), Some(b)) = (index.program.def(nearer), index.program.def(farther)) else { return false };
    if !a.kind.is_callable() || !b.kind.is_callable() || a.arity != b.arity {
        return false;
    }
    let (a_types, b_types) = (index.parameters(nearer), index.parameters(farther));
    a_types.len() == b_types.len()
        && a_types.iter().zip(b_types).all(|(a, b)| {
            let (a, b) = (written(index, nearer, *a), written(index, farther, *b));
            match (a, b) {
                (Some(a), Some(b)) => a == b || (is_variable(b) && !a.0.starts_with(char::is_lowercase)),
                _ => true,
            }
        })
}

/// The last name of a written type, and how many arrays it is in.
fn written<'p>(index: &Index<'p>, node: NodeId, ty: Option<u32>) -> Option<(&'p str, u32)> {
    let facts = index.program.facts(index.program.file_of(node));
    let mut ty = ty?;
    let mut depth = 0;
    while let atlas_syntax::Type::List(of) = facts.ty(ty) {
        ty = *of;
        depth += 1;
    }
    match facts.ty(ty) {
        atlas_syntax::Type::Path { path, .. } => Some((facts.str(*path.last()?), depth)),
        _ => None,
    }
}

/// Whether a type's name is written as those of type parameters are: `T`, `K2`.
fn is_variable((name, _): (&str, u32)) -> bool {
    name.len() <= 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

/// The declared types of the parameters of all functions of the files whose language chooses by them.
pub(super) fn parameter_types(
    facts: &atlas_syntax::FileFacts,
) -> impl Iterator<Item = (DefIx, u16, Option<atlas_syntax::TypeId>)> {
    facts.bindings.iter().filter_map(|binding| match (binding.kind, binding.scope) {
        (atlas_syntax::BindingKind::Param(n), Some(scope)) => Some((scope, n, binding.ty)),
        _ => None,
    })
}
