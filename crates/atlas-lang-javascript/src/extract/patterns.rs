//! Names of patterns, and the scopes of loops, `catch` and blocks.

use super::Js;
use super::bindings::{Declaration, Mode, Step, Target};
use super::grammar::Kind;
use atlas_syntax::{BindingKind, Builder, DefFlags, DefKind, DefSpec, Expr, ExprId, Literal, end_line_of, line_of};
use tree_sitter::Node;

/// Patterns nested deeper than this bind nothing.
const DEPTH_MAX: u32 = 32;

impl<'s> Js<'s> {
    /// Declares one name; at the file's top level it is a definition.
    pub(super) fn declare(&mut self, name: Node, mode: Mode, b: &mut Builder) -> Target<'s> {
        self.consume(name);
        let text = self.text(name);
        let line = line_of(name);
        let declared = match mode {
            Mode::Declare(declaration) => self.scopes.declare(text, declaration.var, b),
            Mode::Local => self.scopes.declare(text, false, b),
        };
        if let Some((scope, sym)) = declared {
            return Target { scope, name: sym, line, ty: None, whole: None, steps: Vec::new(), def: None };
        }
        let scope = if self.at_top() { b.here() } else { None };
        let mut def = None;
        if let (Mode::Declare(declaration), true) = (mode, self.at_top()) {
            let kind = if declaration.constant { DefKind::Constant } else { DefKind::Variable };
            let mut spec = DefSpec::named(kind, name, self.source);
            spec.doc = declaration.doc;
            spec.flags.set(DefFlags::EXPORTED, declaration.exported);
            let ix = b.add_def(name, spec);
            if scope.is_none() {
                self.top.insert(text, ix);
            }
            def = Some(ix);
        }
        Target { scope, name: b.sym(text), line, ty: None, whole: None, steps: Vec::new(), def }
    }

    /// A variable reaches as far as its declarator.
    pub(super) fn span(&self, target: &Target, declarator: Node, b: &mut Builder) {
        if let Some(ix) = target.def {
            let def = b.def_mut(ix);
            def.ty = target.ty;
            def.end = def.end.max(end_line_of(declarator));
        }
    }

    /// Declares or lists every name of a pattern with the way to its value.
    pub(super) fn pattern(
        &mut self,
        node: Node,
        mode: Mode,
        steps: &mut Vec<Step<'s>>,
        out: &mut Vec<Target<'s>>,
        b: &mut Builder,
        depth: u32,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        let f = &self.g.fields;
        match self.kind(node) {
            Kind::Identifier | Kind::ShorthandPropertyPattern => {
                let by_name = self.kind(node) == Kind::ShorthandPropertyPattern;
                let mut target = self.declare(node, mode, b);
                target.steps.clone_from(steps);
                if by_name {
                    target.steps.push(Step::Member(self.text(node)));
                }
                out.push(target);
            }
            Kind::ObjectPattern => {
                for child in self.children(node) {
                    self.pattern(child, mode, steps, out, b, depth + 1);
                }
            }
            Kind::PairPattern => {
                let (Some(key), Some(value)) = (self.field(node, f.key), self.field(node, f.value)) else { return };
                steps.push(Step::Member(self.key(key)));
                self.pattern(value, mode, steps, out, b, depth + 1);
                steps.pop();
            }
            Kind::ArrayPattern => {
                // Holes count: `[, second]`.
                let mut at = 0u16;
                let mut cursor = node.walk();
                let children: Vec<Node> = node.children(&mut cursor).collect();
                for child in children {
                    if !child.is_named() {
                        at = at.saturating_add(u16::from(self.text(child) == ","));
                    } else if self.kind(child) == Kind::RestPattern {
                        steps.push(Step::Rest);
                        self.pattern(child, mode, steps, out, b, depth + 1);
                        steps.pop();
                    } else if self.kind(child) != Kind::Comment {
                        steps.push(Step::Part(at));
                        self.pattern(child, mode, steps, out, b, depth + 1);
                        steps.pop();
                    }
                }
            }
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern => {
                if let Some(left) = self.field(node, f.left) {
                    self.pattern(left, mode, steps, out, b, depth + 1);
                }
            }
            Kind::RestPattern => {
                if let Some(inner) = self.first(node) {
                    if !matches!(steps.last(), Some(Step::Rest)) {
                        steps.push(Step::Rest);
                        self.pattern(inner, mode, steps, out, b, depth + 1);
                        steps.pop();
                    } else {
                        self.pattern(inner, mode, steps, out, b, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Types names of a pattern by an object type that is written beside it.
    pub(super) fn type_targets(&mut self, targets: &mut [Target<'s>], annotation: Option<Node>, b: &mut Builder) {
        let Some(annotation) = annotation else { return };
        for target in targets.iter_mut().take(256) {
            let members = target.steps.iter().map_while(|step| match step {
                Step::Member(name) => Some(*name),
                Step::Part(_) | Step::Rest => None,
            });
            let names: Vec<&str> = members.collect();
            let Some((ty, used)) = self.inline_member(annotation, &names, b) else { continue };
            target.steps.drain(..used);
            if target.steps.is_empty() {
                (target.ty, target.whole) = (Some(ty), None);
            } else {
                target.whole = Some(ty);
            }
        }
    }

    /// Marks the names of a pattern as no references.
    pub(super) fn consume_pattern(&mut self, node: Node, depth: u32) {
        match self.kind(node) {
            Kind::Identifier => self.consume(node),
            Kind::ObjectPattern | Kind::ArrayPattern | Kind::RestPattern if depth < DEPTH_MAX => {
                for child in self.children(node) {
                    self.consume_pattern(child, depth + 1);
                }
            }
            Kind::PairPattern => {
                if let Some(value) = self.field(node, self.g.fields.value) {
                    self.consume_pattern(value, depth + 1);
                }
            }
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern => {
                if let Some(left) = self.field(node, self.g.fields.left) {
                    self.consume_pattern(left, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// The part of a value that a target takes.
    pub(super) fn take(&mut self, value: ExprId, steps: &[Step<'s>], b: &mut Builder) -> Option<ExprId> {
        let mut value = value;
        for step in steps {
            if value == 0 {
                return None;
            }
            value = match step {
                Step::Member(name) => {
                    let name = b.sym(name);
                    b.expr(Expr::Member { base: value, name })
                }
                Step::Part(n) => b.expr(Expr::Part { of: value, n: *n }),
                Step::Rest => return None,
            };
        }
        (value != 0).then_some(value)
    }

    pub(super) fn bind_targets(&mut self, value: ExprId, targets: Vec<Target<'s>>, b: &mut Builder) {
        for target in targets {
            let value = target.whole.map_or(value, |ty| b.expr(Expr::Cast(ty)));
            let part = self.take(value, &target.steps, b);
            let name = b.str(target.name).to_owned();
            b.bind(BindingKind::Local, target.scope, &name, target.line, target.ty, part);
        }
    }

    /// `for (const x of xs)`, `for (key in object)`.
    pub(super) fn enter_for_in(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        self.scopes.open_block(node.id(), b.here());
        let Some(left) = self.field(node, f.left) else { return };
        let Some(keyword) = self.field(node, f.kind) else {
            self.consume_pattern(left, 0);
            return;
        };
        let declaration = Declaration { var: self.text(keyword) == "var", constant: true, exported: false, doc: None };
        let of = self.field(node, f.operator).is_some_and(|operator| self.text(operator) == "of");
        let right = self.field(node, f.right).map_or(0, |right| self.expr(right, b));
        let element = match (of, right) {
            (true, 0) => 0,
            (true, right) => b.expr(Expr::Element(right)),
            (false, _) => b.expr(Expr::Literal(Literal::String)),
        };
        let mut targets = Vec::new();
        self.pattern(left, Mode::Declare(declaration), &mut Vec::new(), &mut targets, b, 0);
        self.bind_targets(element, targets, b);
    }

    pub(super) fn enter_catch(&mut self, node: Node, b: &mut Builder) {
        self.scopes.open_block(node.id(), b.here());
        if let Some(parameter) = self.field(node, self.g.fields.parameter) {
            let mut targets = Vec::new();
            self.pattern(parameter, Mode::Local, &mut Vec::new(), &mut targets, b, 0);
            self.bind_targets(0, targets, b);
        }
    }

    pub(super) fn enter_block(&mut self, node: Node, b: &mut Builder) {
        // The body of a function shares its frame; a block of the file's own level needs one too.
        if !self.bodies.remove(&node.id()) {
            self.scopes.open_block(node.id(), b.here());
        }
        self.hoist(node, b);
    }

    /// Functions that a block declares are known from its start.
    fn hoist(&mut self, block: Node, b: &mut Builder) {
        if self.at_top() || self.kind(block) != Kind::StatementBlock {
            return;
        }
        let mut cursor = block.walk();
        for child in block.named_children(&mut cursor) {
            if matches!(self.kind(child), Kind::FunctionDeclaration | Kind::GeneratorFunctionDeclaration)
                && let Some(name) = self.field(child, self.g.fields.name)
            {
                self.scopes.hoist(self.text(name), b);
            }
        }
    }
}
