//! Variables: one scope a function, one a closure but for what it takes along, and what tests of a type
//! tell of a variable inside a block.

use super::types::union_of;
use super::{Php, parts};
use atlas_syntax::{BindingKind, Builder, DefIx, ExprId, TypeId, line_of};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// Narrowings that are kept at a time, and closures within closures that are looked through.
const NARROWINGS_MAX: usize = 256;
const FRAMES_MAX: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Function,
    /// `function () use (…) { … }`: sees what it takes along alone.
    Closure,
    /// `fn () => …`: sees everything around.
    Arrow,
}

/// A scope of variables.
#[derive(Debug)]
pub(super) struct Frame {
    pub node: usize,
    pub kind: FrameKind,
    /// The definition whose bindings it makes.
    pub def: Option<DefIx>,
    number: u32,
    /// Of a closure: what it takes along. Of an arrow function: its parameters.
    names: FxHashSet<String>,
}

/// A variable that is known to be of a type until its node ends.
#[derive(Debug)]
pub(super) struct Narrowing {
    pub node: usize,
    /// From this byte on.
    from: usize,
    variable: String,
    name: String,
}

impl Php {
    pub(super) fn open_frame(&mut self, node: Node, kind: FrameKind, def: Option<DefIx>, names: FxHashSet<String>) {
        self.frame_count += 1;
        self.frames.push(Frame { node: node.id(), kind, def, number: self.frame_count, names });
    }

    /// The name by which the facts know a variable here.
    pub(super) fn variable(&self, text: &str, at: usize) -> String {
        let narrowed = |n: &&Narrowing| n.variable == text && n.from <= at;
        if let Some(narrowing) = self.narrowings.iter().rev().find(narrowed) {
            return narrowing.name.clone();
        }
        self.own_variable(text)
    }

    fn own_variable(&self, text: &str) -> String {
        for frame in self.frames.iter().rev().take(FRAMES_MAX) {
            match frame.kind {
                FrameKind::Function => break,
                FrameKind::Closure if frame.names.contains(text) => {}
                FrameKind::Arrow if !frame.names.contains(text) => {}
                _ => return format!("{text}#{}", frame.number),
            }
        }
        text.to_owned()
    }

    /// The definition that holds the variables here.
    fn scope(&self) -> Option<DefIx> {
        self.frames.last().and_then(|frame| frame.def)
    }

    /// Binds a variable to a type or a value.
    pub(super) fn bind_variable(
        &mut self,
        kind: BindingKind,
        name: Node,
        ty: Option<TypeId>,
        value: Option<ExprId>,
        b: &mut Builder,
    ) {
        let text = b.text(name).to_owned();
        // What was known of it holds no longer.
        self.narrowings.retain(|narrowing| narrowing.variable != text);
        let own = self.own_variable(&text);
        b.bind(kind, self.scope(), &own, line_of(name), ty, value.filter(|&id| id != 0));
    }

    pub(super) fn bind_typed(&mut self, name: &str, line: u32, ty: TypeId, b: &mut Builder) {
        let own = self.own_variable(name);
        b.bind(BindingKind::Local, self.scope(), &own, line, Some(ty), None);
    }

    /// `if ($x instanceof A) { … }`: inside, `$x` is an A. Of `if (!$x instanceof A) { return; }` it is
    /// what follows.
    pub(super) fn narrow_if(&mut self, node: Node, b: &mut Builder) {
        let (Some(condition), Some(body)) = (node.child_by_field_name("condition"), node.child_by_field_name("body"))
        else {
            return;
        };
        let negated = negated(condition, b);
        for (variable, ty, line) in self.tests_of(negated.unwrap_or(condition), b) {
            match negated {
                None => self.narrow(body, body.start_byte(), variable, ty, line, b),
                Some(_) => {
                    let around = node.parent().filter(|_| node.kind() == "if_statement" && leaves(body));
                    if let Some(around) = around {
                        self.narrow(around, node.end_byte(), variable, ty, line, b);
                    }
                }
            }
        }
    }

    /// What stands on the right of `&&` is seen after the test on its left.
    pub(super) fn narrow_right(&mut self, left: Node, right: Node, b: &mut Builder) {
        if negated(left, b).is_none() {
            for (variable, ty, line) in self.tests_of(left, b) {
                self.narrow(right, right.start_byte(), variable, ty, line, b);
            }
        }
    }

    pub(super) fn narrow_conditional(&mut self, node: Node, b: &mut Builder) {
        let (Some(condition), Some(body)) = (node.child_by_field_name("condition"), node.child_by_field_name("body"))
        else {
            return;
        };
        if negated(condition, b).is_none() {
            for (variable, ty, line) in self.tests_of(condition, b) {
                self.narrow(body, body.start_byte(), variable, ty, line, b);
            }
        }
    }

    /// Forgets what was learned since there were `count` narrowings.
    pub(super) fn forget_since(&mut self, count: usize) {
        self.narrowings.truncate(count);
    }

    fn narrow(&mut self, node: Node, from: usize, variable: String, ty: TypeId, line: u32, b: &mut Builder) {
        if self.narrowings.len() >= NARROWINGS_MAX {
            return;
        }
        self.frame_count += 1;
        let name = format!("{variable}%{}", self.frame_count);
        b.bind(BindingKind::Local, self.scope(), &name, line, Some(ty), None);
        self.narrowings.push(Narrowing { node: node.id(), from, variable, name });
    }

    /// The tests of a type that must hold for a condition to: those joined by `&&`.
    fn tests_of(&self, condition: Node, b: &mut Builder) -> Vec<(String, TypeId, u32)> {
        const TESTS_MAX: usize = 16;
        const NODES_MAX: usize = 64;
        let mut found = Vec::new();
        let mut stack = vec![condition];
        let mut seen = 0;
        while let Some(node) = stack.pop() {
            seen += 1;
            if seen > NODES_MAX || found.len() >= TESTS_MAX {
                break;
            }
            match node.kind() {
                "parenthesized_expression" => stack.extend(node.named_child(0)),
                "binary_expression" => {
                    let (Some(left), Some(right)) =
                        (node.child_by_field_name("left"), node.child_by_field_name("right"))
                    else {
                        continue;
                    };
                    match node.child_by_field_name("operator").map(|op| b.text(op)) {
                        Some("&&" | "and") => stack.extend([left, right]),
                        Some("instanceof") if left.kind() == "variable_name" && super::names::is_name(right) => {
                            let ty = self.class_type(right, b);
                            found.push((b.text(left).to_owned(), ty, line_of(left)));
                        }
                        // `$x instanceof A || $x instanceof B` tells that it is one of them.
                        Some("||" | "or") => {
                            let (first, second) = (self.tests_of_side(left, b), self.tests_of_side(right, b));
                            if let (Some((variable, first, line)), Some((other, second, _))) = (first, second)
                                && variable == other
                            {
                                found.push((variable, union_of(vec![first, second], b), line));
                            }
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn tests_of_side(&self, node: Node, b: &mut Builder) -> Option<(String, TypeId, u32)> {
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let is_test = node.child_by_field_name("operator").is_some_and(|op| b.text(op) == "instanceof");
        if !is_test || left.kind() != "variable_name" || !super::names::is_name(right) {
            return None;
        }
        let ty = self.class_type(right, b);
        Some((b.text(left).to_owned(), ty, line_of(left)))
    }
}

/// What stands behind `!` in a condition.
fn negated<'t>(condition: Node<'t>, b: &Builder) -> Option<Node<'t>> {
    let mut node = condition;
    while node.kind() == "parenthesized_expression" {
        node = node.named_child(0)?;
    }
    let is_not = node.kind() == "unary_op_expression"
        && node.child_by_field_name("operator").is_some_and(|op| b.text(op) == "!");
    if is_not { node.child_by_field_name("argument") } else { None }
}

/// Whether a block always leaves what stands around it.
fn leaves(body: Node) -> bool {
    let last = if body.kind() == "compound_statement" { parts(body).last().copied() } else { Some(body) };
    last.is_some_and(|last| match last.kind() {
        "return_statement" | "continue_statement" | "break_statement" | "exit_statement" => true,
        "expression_statement" => last.named_child(0).is_some_and(|inner| inner.kind() == "throw_expression"),
        _ => false,
    })
}
