//! Statements that bind locals, and lambdas.

use super::C;
use super::declarators::declarator;
use atlas_syntax::{BindingKind, Builder, Expr, ExprId, FrameKind, TypeId, line_of};
use tree_sitter::Node;

impl C {
    /// Declares a local and binds it.
    pub(super) fn bind_local(
        &mut self,
        kind: BindingKind,
        name: Node,
        ty: Option<TypeId>,
        value: Option<ExprId>,
        b: &mut Builder,
    ) {
        self.done(Some(name));
        let sym = b.sym_of(name);
        let bound = self.locals.declare(sym, b);
        let bound = b.str(bound).to_owned();
        let scope = self.locals.def().or_else(|| b.here());
        b.bind(kind, scope, &bound, line_of(name), ty, value.filter(|&id| id != 0));
    }

    /// `auto [a, b] = of`.
    pub(super) fn bind_parts(&mut self, names: Node, of: ExprId, b: &mut Builder) {
        let mut cursor = names.walk();
        let names: Vec<Node> = names.named_children(&mut cursor).filter(|child| child.kind() == "identifier").collect();
        for (n, name) in names.into_iter().enumerate() {
            let n = u16::try_from(n).unwrap_or(u16::MAX);
            let value = if of == 0 { 0 } else { b.expr(Expr::Part { of, n }) };
            self.bind_local(BindingKind::Local, name, None, Some(value), b);
        }
    }

    pub(super) fn range_loop(&mut self, node: Node, b: &mut Builder) {
        let range = node.child_by_field_name("right").map_or(0, |range| self.expr(range, b));
        let value = if range == 0 { 0 } else { b.expr(Expr::Element(range)) };
        self.locals.open(node, b.here(), FrameKind::Block);
        self.mark_elaborated(node);
        let Some(d) = node.child_by_field_name("declarator").and_then(declarator) else { return };
        if d.name.kind() == "structured_binding_declarator" {
            self.bind_parts(d.name, value, b);
            return;
        }
        let base = self.declared(node.child_by_field_name("type"), b);
        let ty = self.declarator_type(&d, base, b);
        self.bind_local(BindingKind::Local, d.name, ty, Some(value), b);
    }

    pub(super) fn catch(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.bind_list(parameters, b);
        }
    }

    pub(super) fn lambda(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let parameters = node.child_by_field_name("declarator").and_then(|d| d.child_by_field_name("parameters"));
        if let Some(parameters) = parameters {
            self.bind_list(parameters, b);
        }
    }

    /// Parameters of something that is no definition: locals of their block.
    fn bind_list(&mut self, parameters: Node, b: &mut Builder) {
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            if !parameter.kind().ends_with("parameter_declaration") {
                continue;
            }
            if let Some(d) = parameter.child_by_field_name("declarator").and_then(declarator) {
                let base = self.declared(parameter.child_by_field_name("type"), b);
                let ty = self.declarator_type(&d, base, b);
                self.bind_local(BindingKind::Local, d.name, ty, None, b);
            }
        }
    }

    /// `[x = value]`.
    pub(super) fn lambda_capture(&mut self, node: Node, b: &mut Builder) {
        let (Some(name), Some(value)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        if name.kind() == "identifier" {
            let value = self.expr(value, b);
            self.bind_local(BindingKind::Local, name, None, Some(value), b);
        }
    }
}
