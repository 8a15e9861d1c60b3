//! Parameters: their bindings, what a caller gives, and the fields that they declare.

use super::Js;
use super::bindings::Mode;
use super::grammar::Kind;
use atlas_syntax::{BindingKind, Builder, DefIx, DefKind, DefSpec, Expr, ExprId, Type, TypeId, line_of};
use tree_sitter::Node;

impl<'s> Js<'s> {
    /// Parameters of a function that is entered: their bindings and what a caller gives.
    pub(super) fn parameters(&mut self, node: Node, def: Option<DefIx>, b: &mut Builder) -> (u16, u16) {
        let f = &self.g.fields;
        let hints = self.hints.remove(&node.id()).unwrap_or_default();
        let context = self.contexts.remove(&node.id());
        let list = match (self.field(node, f.parameters), self.field(node, f.parameter)) {
            (Some(list), _) => self.children(list),
            (None, Some(one)) => vec![one],
            (None, None) => Vec::new(),
        };
        let (mut fewest, mut most) = (0u16, 0u16);
        let mut at = 0u16;
        for parameter in list {
            let kind = self.kind(parameter);
            let (pattern, optional) = match kind {
                Kind::RequiredParameter | Kind::OptionalParameter => {
                    let value = self.field(parameter, f.value);
                    (self.field(parameter, f.pattern), kind == Kind::OptionalParameter || value.is_some())
                }
                Kind::AssignmentPattern => (self.field(parameter, f.left), true),
                _ => (Some(parameter), false),
            };
            let Some(pattern) = pattern else { continue };
            if self.kind(pattern) == Kind::This {
                continue;
            }
            let ty = self.field(parameter, f.type_).and_then(|ty| self.ty(ty, b));
            let default = self.field(parameter, f.value).or_else(|| self.field(parameter, f.right));
            let default = default.map(|value| self.expr(value, b)).filter(|&value| value != 0);
            let hint = hints.iter().find(|(n, _)| *n == at).map(|&(_, value)| value);
            // A function in the place of a type takes what that type is called with.
            let expected = || {
                let (of, member) = context?;
                let parameter = b.sym(&format!("{member}#{at}"));
                Some(b.ty(Type::Path { path: vec![of, parameter], args: Vec::new() }))
            };
            let ty = ty.or_else(expected);
            let annotation = self.field(parameter, f.type_);
            self.parameter(pattern, at, def, (ty, annotation), default.or(hint), b);
            if kind == Kind::RequiredParameter && self.is_field_parameter(parameter) {
                self.parameter_field(pattern, ty, b);
            }
            let rest = self.kind(pattern) == Kind::RestPattern;
            most = if rest { u16::MAX } else { most.saturating_add(1) };
            fewest += u16::from(!optional && !rest);
            at = at.saturating_add(1);
        }
        (if self.g.typed { fewest } else { 0 }, most)
    }

    fn parameter(
        &mut self,
        pattern: Node,
        at: u16,
        def: Option<DefIx>,
        (ty, annotation): (Option<TypeId>, Option<Node>),
        value: Option<ExprId>,
        b: &mut Builder,
    ) {
        let kind = if def.is_some() { BindingKind::Param(at) } else { BindingKind::Local };
        if self.kind(pattern) == Kind::Identifier {
            let target = self.declare(pattern, Mode::Local, b);
            let name = b.str(target.name).to_owned();
            b.bind(kind, target.scope, &name, target.line, ty, value);
            return;
        }
        // A pattern takes its parts from a parameter that no source can name.
        let line = line_of(pattern);
        let whole = match (def, ty, value) {
            (Some(_), _, _) => {
                let name = format!("#{at}");
                b.bind(kind, def, &name, line, ty, value);
                let name = b.sym(&name);
                b.expr(Expr::Name(name))
            }
            (None, Some(ty), _) => b.expr(Expr::Cast(ty)),
            (None, None, value) => value.unwrap_or_default(),
        };
        let mut targets = Vec::new();
        self.pattern(pattern, Mode::Local, &mut Vec::new(), &mut targets, b, 0);
        if self.kind(pattern) == Kind::RestPattern {
            for target in targets {
                let name = b.str(target.name).to_owned();
                b.bind(BindingKind::Local, target.scope, &name, target.line, ty, None);
            }
            return;
        }
        self.type_targets(&mut targets, annotation, b);
        self.bind_targets(whole, targets, b);
    }

    /// `constructor(private x: T)` declares a field.
    fn is_field_parameter(&self, node: Node) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| {
            matches!(self.kind(child), Kind::AccessibilityModifier | Kind::OverrideModifier)
                || (!child.is_named() && self.text(child) == "readonly")
        })
    }

    fn parameter_field(&mut self, pattern: Node, ty: Option<TypeId>, b: &mut Builder) {
        let Some(class) = b.enclosing_type() else { return };
        let mut spec = DefSpec::named(DefKind::Field, pattern, self.source);
        spec.ty = ty;
        let ix = b.add_def(pattern, spec);
        b.def_mut(ix).container = Some(class);
        let name = self.text(pattern);
        b.bind(BindingKind::Field, Some(class), name, line_of(pattern), ty, None);
    }
}
