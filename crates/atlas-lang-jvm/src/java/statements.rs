//! Statements that bind locals, and lambdas.

use super::types::type_of;
use super::{Java, LambdaValue};
use atlas_syntax::{BindingKind, Builder, Expr, ExprId, FrameKind, RefKind, TypeId, line_of};
use tree_sitter::Node;

/// Methods of collections, streams and optionals that hand their elements to a lambda.
/// Sorted.
const ELEMENT_TAKERS: [&str; 40] = [
    "allMatch",
    "andThen",
    "anyMatch",
    "computeIfPresent",
    "doOnNext",
    "dropWhile",
    "filter",
    "findAll",
    "flatMap",
    "flatMapToInt",
    "forEach",
    "forEachOrdered",
    "groupingBy",
    "ifPresent",
    "ifPresentOrElse",
    "map",
    "mapToDouble",
    "mapToInt",
    "mapToLong",
    "mapToObj",
    "max",
    "min",
    "noneMatch",
    "partition",
    "peek",
    "reduce",
    "removeIf",
    "replaceAll",
    "sort",
    "sorted",
    "subscribe",
    "takeWhile",
    "thenAccept",
    "thenApply",
    "thenCompose",
    "toMap",
    "toSortedList",
    "whenComplete",
    "zip",
    "zipWith",
];

impl Java {
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

    pub(super) fn local_variables(&mut self, node: Node, b: &mut Builder) {
        let ty_node = node.child_by_field_name("type");
        let plain = self.declared(ty_node, None, b);
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(name) = declarator.child_by_field_name("name") else { continue };
            let dimensions = declarator.child_by_field_name("dimensions");
            let ty = if dimensions.is_some() { self.declared(ty_node, dimensions, b) } else { plain };
            let value = declarator.child_by_field_name("value").map(|value| self.expr(value, b));
            self.bind_local(BindingKind::Local, name, ty, value, b);
        }
    }

    pub(super) fn enhanced_for(&mut self, node: Node, b: &mut Builder) {
        let iterated = node.child_by_field_name("value").map_or(0, |value| self.expr(value, b));
        self.locals.open(node, b.here(), FrameKind::Block);
        let Some(name) = node.child_by_field_name("name") else { return };
        let dimensions = node.child_by_field_name("dimensions");
        let ty = self.declared(node.child_by_field_name("type"), dimensions, b);
        let value = self.element(iterated, b);
        self.bind_local(BindingKind::Local, name, ty, Some(value), b);
    }

    pub(super) fn resource(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let ty = self.declared(node.child_by_field_name("type"), None, b);
        let value = node.child_by_field_name("value").map(|value| self.expr(value, b));
        self.bind_local(BindingKind::Local, name, ty, value, b);
    }

    pub(super) fn catch_parameter(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let mut cursor = node.walk();
        let ty = node.named_children(&mut cursor).find(|child| child.kind() == "catch_type");
        let ty = ty.map(|ty| type_of(ty, b, 0));
        self.bind_local(BindingKind::Local, name, ty, None, b);
    }

    pub(super) fn instance_of(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let ty = self.declared(node.child_by_field_name("right"), None, b);
        self.bind_local(BindingKind::Local, name, ty, None, b);
    }

    /// `Foo foo` in a pattern, and a component of a record pattern.
    pub(super) fn pattern(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let [ty, name] = parts.as_slice() else { return };
        if name.kind() == "identifier" {
            let ty = self.declared(Some(*ty), None, b);
            self.bind_local(BindingKind::Local, *name, ty, None, b);
        }
    }

    pub(super) fn record_pattern(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.named_child(0).filter(|first| first.kind() == "identifier") else { return };
        self.done(Some(name));
        let sym = b.sym_of(name);
        let expr = b.expr(Expr::Name(sym));
        b.add_ref(RefKind::TypeUse, name, expr, 0, None);
    }

    pub(super) fn label(&mut self, node: Node) {
        self.done(node.named_child(0).filter(|first| first.kind() == "identifier"));
    }

    pub(super) fn switch(&mut self, node: Node, b: &mut Builder) {
        if let Some(body) = node.child_by_field_name("body") {
            self.case_reads(node.child_by_field_name("condition"), body, b);
        }
    }

    /// The values of the arrow cases of a switch.
    pub(super) fn switch_values(&mut self, node: Node, b: &mut Builder, depth: u32) -> Vec<ExprId> {
        const VALUES_MAX: usize = 16;
        let mut values = Vec::new();
        let Some(body) = node.child_by_field_name("body") else { return values };
        let mut cursor = body.walk();
        for rule in body.named_children(&mut cursor).filter(|rule| rule.kind() == "switch_rule").take(VALUES_MAX) {
            let last = super::types::last_named(rule).filter(|last| last.kind() == "expression_statement");
            if let Some(value) = last.and_then(|statement| statement.named_child(0)) {
                values.push(self.expr_at(value, b, depth));
            }
        }
        values.retain(|&value| value != 0);
        values
    }

    /// Says what the parameters of lambdas among the arguments of a call take, where the method's name
    /// tells: the elements of its receiver.
    pub(super) fn lambda_arguments(&mut self, node: Node, name: Node, object: Option<Node>, b: &mut Builder) {
        let Some(arguments) = node.child_by_field_name("arguments") else { return };
        if arguments.named_child_count() == 0 || arguments.named_child_count() > 8 {
            return;
        }
        let mut cursor = arguments.walk();
        let lambdas: Vec<usize> = arguments
            .named_children(&mut cursor)
            .filter(|argument| argument.kind() == "lambda_expression")
            .map(|argument| argument.id())
            .collect();
        let Some(object) = object.filter(|_| !lambdas.is_empty()) else { return };
        if ELEMENT_TAKERS.binary_search(&b.text(name)).is_err() {
            return;
        }
        let receiver = self.expr(object, b);
        let element = self.element(receiver, b);
        let alike = matches!(b.text(name), "max" | "min" | "reduce" | "sort" | "sorted");
        for lambda in lambdas {
            self.lambda_values.insert(lambda, LambdaValue { element, alike });
        }
    }

    pub(super) fn lambda(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let Some(parameters) = node.child_by_field_name("parameters") else { return };
        let value = self.lambda_values.remove(&node.id());
        match parameters.kind() {
            "identifier" => {
                self.bind_local(BindingKind::Local, parameters, None, value.map(|value| value.element), b);
            }
            "inferred_parameters" => {
                let mut cursor = parameters.walk();
                let names: Vec<Node> =
                    parameters.named_children(&mut cursor).filter(|c| c.kind() == "identifier").collect();
                // Of a map's two the value comes last.
                let last = names.len().saturating_sub(1);
                for (at, name) in names.into_iter().enumerate() {
                    let value = value.filter(|value| value.alike || at == last).map(|value| value.element);
                    self.bind_local(BindingKind::Local, name, None, value, b);
                }
            }
            _ => {
                for (_, _, name, ty) in self.parameter_list(parameters, b) {
                    self.bind_local(BindingKind::Local, name, ty, None, b);
                }
            }
        }
    }
}
