//! What binds locals: declarations, patterns, loops, lambdas, queries.

use super::{CSharp, parts};
use atlas_syntax::{BindingKind, Builder, Expr, ExprId, FrameKind, TypeId, line_of};
use tree_sitter::Node;

/// Methods that hand the elements of their receiver to a lambda. Sorted.
const ELEMENT_TAKERS: [&str; 38] = [
    "Aggregate",
    "All",
    "Any",
    "Average",
    "Count",
    "DistinctBy",
    "Exists",
    "Find",
    "FindAll",
    "FindIndex",
    "First",
    "FirstAsync",
    "FirstOrDefault",
    "FirstOrDefaultAsync",
    "ForEach",
    "GroupBy",
    "Include",
    "Last",
    "LastOrDefault",
    "Max",
    "MaxBy",
    "Min",
    "MinBy",
    "OrderBy",
    "OrderByDescending",
    "RemoveAll",
    "Select",
    "SelectMany",
    "Single",
    "SingleOrDefault",
    "SkipWhile",
    "Sum",
    "TakeWhile",
    "ThenBy",
    "ToDictionary",
    "ToLookup",
    "TrueForAll",
    "Where",
];

impl CSharp {
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

    /// The value that a declarator gives its variable; `new()` makes one of the declared type.
    pub(super) fn initial(
        &mut self,
        declarator: Node,
        name: Node,
        ty: Option<Node>,
        b: &mut Builder,
    ) -> Option<ExprId> {
        let value =
            parts(declarator).into_iter().find(|part| *part != name && part.kind() != "bracketed_argument_list")?;
        if value.kind() == "implicit_object_creation_expression" {
            if let Some(ty) = ty {
                self.made_as(value, ty, b);
            }
            return None;
        }
        Some(self.expr(value, b))
    }

    pub(super) fn variables(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let ty_node = node.child_by_field_name("type");
        let ty = self.declared(ty_node, b);
        if let Some(ty_node) = ty_node {
            self.type_use(ty_node, b);
        }
        for declarator in parts(node).into_iter().filter(|part| part.kind() == "variable_declarator") {
            let Some(name) = declarator.child_by_field_name("name") else {
                if let Some(pattern) = super::child_of_kind(declarator, "tuple_pattern") {
                    self.tuple_names(pattern, 0, b);
                }
                continue;
            };
            let value = self.initial(declarator, name, ty_node, b);
            self.bind_local(BindingKind::Local, name, ty, value, b);
        }
    }

    /// `var (a, b) = …`.
    fn tuple_names(&mut self, pattern: Node, of: ExprId, b: &mut Builder) {
        for (n, name) in parts(pattern).into_iter().enumerate() {
            if name.kind() == "identifier" {
                let n = u16::try_from(n).unwrap_or(u16::MAX);
                let value = if of == 0 { 0 } else { b.expr(Expr::Part { of, n }) };
                self.bind_local(BindingKind::Local, name, None, Some(value), b);
            }
        }
    }

    pub(super) fn foreach(&mut self, node: Node, b: &mut Builder) {
        let iterated = node.child_by_field_name("right").map_or(0, |value| self.expr(value, b));
        self.locals.open(node, b.here(), FrameKind::Block);
        let ty = self.declared(node.child_by_field_name("type"), b);
        self.type_field(node, "type", b);
        let value = if iterated == 0 { 0 } else { b.expr(Expr::Element(iterated)) };
        match node.child_by_field_name("left") {
            Some(name) if name.kind() == "identifier" => {
                self.bind_local(BindingKind::Local, name, ty, Some(value), b);
            }
            Some(pattern) if pattern.kind() == "tuple_pattern" => self.tuple_names(pattern, value, b),
            _ => {}
        }
    }

    /// `out var x`, `is A a`, `case A { } a`, `catch (A e)`.
    pub(super) fn designation(&mut self, node: Node, b: &mut Builder) {
        let ty = self.declared(node.child_by_field_name("type"), b);
        self.type_field(node, "type", b);
        if let Some(name) = node.child_by_field_name("name").filter(|name| name.kind() == "identifier") {
            let value = self.out_value(node, b);
            self.bind_local(BindingKind::Local, name, ty, value, b);
        }
    }

    /// What `map.TryGetValue(key, out var x)` puts into `x`.
    fn out_value(&mut self, node: Node, b: &mut Builder) -> Option<ExprId> {
        if node.kind() != "declaration_expression" {
            return None;
        }
        let call = node.parent()?.parent()?.parent().filter(|call| call.kind() == "invocation_expression")?;
        let function = call.child_by_field_name("function").filter(|f| f.kind() == "member_access_expression")?;
        let name = function.child_by_field_name("name")?;
        if !matches!(b.text(name), "TryGetValue" | "TryRemove" | "TryPeek" | "TryDequeue" | "TryPop" | "TryTake") {
            return None;
        }
        let base = self.expr(function.child_by_field_name("expression")?, b);
        (base != 0).then(|| b.expr(Expr::Index(base)))
    }

    pub(super) fn query_clause(&mut self, node: Node, b: &mut Builder) {
        let all = parts(node);
        let name = node.child_by_field_name("name").or_else(|| all.iter().copied().find(|p| p.kind() == "identifier"));
        let Some(name) = name else { return };
        let ty = self.declared(node.child_by_field_name("type"), b);
        self.type_field(node, "type", b);
        let source = all.iter().find(|part| **part != name && Some(**part) != node.child_by_field_name("type"));
        let value = source.map_or(0, |source| self.expr(*source, b));
        let value = match (node.kind(), value) {
            (_, 0) => 0,
            ("let_clause", value) => value,
            (_, of) => b.expr(Expr::Element(of)),
        };
        self.bind_local(BindingKind::Local, name, ty, Some(value), b);
    }

    /// Says what the parameters of lambdas among a call's arguments take, where the method's name tells.
    pub(super) fn lambda_arguments(&mut self, arguments: Node, method: &str, base: ExprId, b: &mut Builder) {
        const ARGUMENTS_MAX: usize = 8;
        if base == 0 || ELEMENT_TAKERS.binary_search(&method).is_err() {
            return;
        }
        for argument in parts(arguments).into_iter().take(ARGUMENTS_MAX) {
            if let Some(lambda) = argument.named_child(0).filter(|value| value.kind() == "lambda_expression") {
                let element = b.expr(Expr::Element(base));
                self.lambda_values.insert(lambda.id(), element);
            }
        }
    }

    pub(super) fn lambda(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        self.type_field(node, "type", b);
        let value = self.lambda_values.remove(&node.id());
        let Some(parameters) = node.child_by_field_name("parameters") else { return };
        if parameters.kind() == "implicit_parameter" {
            self.bind_local(BindingKind::Local, parameters, None, value, b);
            return;
        }
        let (_, list) = self.parameter_list(parameters, b);
        let only = list.len() == 1;
        for (at, name, ty, _) in list {
            let value = value.filter(|_| only || at == 0);
            self.bind_local(BindingKind::Local, name, ty, value, b);
        }
    }

    /// `{ Name: pattern }` names a member of what is matched.
    pub(super) fn subpattern(&mut self, node: Node) {
        self.done(node.named_child(0).filter(|first| first.kind() == "identifier" && node.named_child_count() > 1));
    }

    /// `return new(…);` makes what the member gives.
    pub(super) fn target_typed(&mut self, node: Node, b: &mut Builder) {
        let Some(value) = node.named_child(0) else { return };
        let def = self.locals.def().or_else(|| b.here());
        if let Some(def) = def {
            let value = self.expr(value, b);
            let callable = b.facts().def(def).kind.is_callable();
            if value != 0 && callable && b.facts().def(def).ty.is_none() {
                b.bind(BindingKind::Return, Some(def), "", line_of(node), None, Some(value));
            }
        }
    }
}
