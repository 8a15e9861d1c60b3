//! References: calls, constructions, reads and writes.

use super::exprs::{literal_text, plain_name};
use super::{CSharp, child_of_kind, parts};
use atlas_syntax::{Builder, Expr, ExprId, RefKind, Sym, Type, Visit};
use tree_sitter::Node;

impl CSharp {
    pub(super) fn invocation(&mut self, node: Node, b: &mut Builder) -> Visit {
        let Some(function) = node.child_by_field_name("function") else { return Visit::Children };
        let arguments = node.child_by_field_name("arguments");
        let name = match function.kind() {
            "identifier" | "generic_name" => plain_name(function),
            "member_access_expression" | "member_binding_expression" => match function.child_by_field_name("name") {
                Some(name) => plain_name(name),
                None => return Visit::Children,
            },
            "conditional_access_expression" => {
                let binding = parts(function).into_iter().rfind(|part| part.kind() == "member_binding_expression");
                match binding.and_then(|binding| binding.child_by_field_name("name")) {
                    Some(name) => plain_name(name),
                    None => return Visit::Children,
                }
            }
            _ => {
                let callee = self.expr(function, b);
                if callee != 0 && function.kind() == "element_access_expression" {
                    self.call_ref(RefKind::Call, function, callee, arguments, b);
                }
                return Visit::Children;
            }
        };
        if function.kind() == "identifier" && b.text(name) == "nameof" {
            return Visit::Skip;
        }
        self.done(Some(name));
        let callee = self.expr(function, b);
        let base = match *b.facts().expr(callee) {
            Expr::Member { base, .. } => base,
            _ => 0,
        };
        self.call_ref(RefKind::Call, name, callee, arguments, b);
        if let Some(arguments) = arguments {
            self.lambda_arguments(arguments, b.text(name), base, b);
            self.route_call(node, function, name, arguments, b);
        }
        Visit::Children
    }

    /// A reference with its arguments.
    fn call_ref(&mut self, kind: RefKind, at: Node, callee: ExprId, arguments: Option<Node>, b: &mut Builder) {
        let (argc, arg0, values) = self.arguments(arguments, b);
        b.add_ref(kind, at, callee, argc, arg0);
        b.add_args(&values);
    }

    fn arguments(&mut self, list: Option<Node>, b: &mut Builder) -> (u16, Option<Sym>, Vec<ExprId>) {
        let mut arg0 = None;
        let mut values = Vec::new();
        let mut named = false;
        for argument in list.map_or(Vec::new(), parts) {
            let value = parts(argument).last().copied();
            if values.is_empty() {
                arg0 = value.and_then(|value| literal_text(value, b)).map(|text| b.sym(&text));
            }
            named |= argument.child_by_field_name("name").is_some();
            // What is named may stand anywhere.
            values.push(if named { 0 } else { value.map_or(0, |value| self.expr(value, b)) });
        }
        (u16::try_from(values.len()).unwrap_or(u16::MAX), arg0, values)
    }

    pub(super) fn creation(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        let expr = self.expr(node, b);
        if let Some(last) = self.mark_name(ty) {
            self.call_ref(RefKind::Construct, last, expr, node.child_by_field_name("arguments"), b);
        } else {
            self.type_use(ty, b);
        }
        self.initializer(node, expr, b);
    }

    /// `new(…)` as an instance of a declared type.
    pub(super) fn made_as(&mut self, node: Node, ty: Node, b: &mut Builder) {
        let of = super::types::type_of(ty, b, 0);
        let Type::Path { path, .. } = b.facts().ty(of).clone() else { return };
        let Some(&last) = path.last() else { return };
        let name = b.str(last).trim_start_matches(crate::TYPE_MARK).split('`').next().unwrap_or_default().to_owned();
        let expr = b.expr(Expr::New(of));
        let (argc, arg0, values) = self.arguments(child_of_kind(node, "argument_list"), b);
        b.add_ref_named(RefKind::Construct, &name, node, expr, argc, arg0);
        b.add_args(&values);
        self.initializer(node, expr, b);
    }

    /// `new A { X = 1 }` writes members of what it makes.
    fn initializer(&mut self, node: Node, made: ExprId, b: &mut Builder) {
        let list = child_of_kind(node, "initializer_expression");
        for assignment in list.map_or(Vec::new(), parts).into_iter().filter(|p| p.kind() == "assignment_expression") {
            if let Some(left) = assignment.child_by_field_name("left").filter(|left| left.kind() == "identifier") {
                self.done(Some(left));
                self.done(Some(assignment));
                let name = b.sym_of(left);
                let expr = b.expr(Expr::Member { base: made, name });
                b.add_ref(RefKind::Write, left, expr, 0, None);
            }
        }
    }

    /// `: this(…)` and `: base(…)`.
    pub(super) fn constructor_call(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let Some(word) = node.children(&mut cursor).find(|child| matches!(child.kind(), "this" | "base")) else {
            return;
        };
        let expr = b.expr(if word.kind() == "base" { Expr::Super } else { Expr::This });
        self.call_ref(RefKind::Call, word, expr, child_of_kind(node, "argument_list"), b);
    }

    pub(super) fn conditional_access(&mut self, node: Node, b: &mut Builder) {
        let base = node.child_by_field_name("condition").map_or(0, |condition| self.expr(condition, b));
        self.accesses.push((node.id(), base));
    }

    pub(super) fn member_read(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name").map(plain_name) else { return };
        if self.done.insert(name.id()) {
            let expr = self.expr(node, b);
            if expr != 0 {
                b.add_ref(RefKind::Read, name, expr, 0, None);
            }
        }
    }

    pub(super) fn identifier(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let name = b.sym_of(node);
        if self.locals.lookup(name).is_some() || matches!(b.text(node), "var" | "_") {
            return;
        }
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    pub(super) fn assignment(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        if let Some(left) = node.child_by_field_name("left") {
            self.write(left, b);
        }
    }

    pub(super) fn update(&mut self, node: Node, b: &mut Builder) {
        let text = b.text(node);
        if (text.starts_with("++") || text.starts_with("--") || text.ends_with("++") || text.ends_with("--"))
            && let Some(operand) = node.named_child(0)
        {
            self.write(operand, b);
        }
    }

    fn write(&mut self, target: Node, b: &mut Builder) {
        match target.kind() {
            "identifier" => {
                self.done(Some(target));
                let name = b.sym_of(target);
                if self.locals.lookup(name).is_none() && b.text(target) != "_" {
                    let expr = b.expr(Expr::Name(name));
                    b.add_ref(RefKind::Write, target, expr, 0, None);
                }
            }
            "member_access_expression" => {
                let Some(name) = target.child_by_field_name("name").map(plain_name) else { return };
                self.done(Some(name));
                let expr = self.expr(target, b);
                if expr != 0 {
                    b.add_ref(RefKind::Write, name, expr, 0, None);
                }
            }
            _ => {}
        }
    }

    /// `[Name(…)]`: the class may end in `Attribute`.
    pub(super) fn attribute(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let ty = super::types::type_of(name, b, 0);
        let Some(last) = self.mark_name(name) else { return };
        let Type::Path { mut path, .. } = b.facts().ty(ty).clone() else { return };
        let Some(written) = path.last().map(|&last| b.str(last).to_owned()) else { return };
        let long = match written.split_once('`') {
            Some((name, arity)) => format!("{name}Attribute`{arity}"),
            None => format!("{written}Attribute"),
        };
        let short = super::types::path_expr(&path, b);
        if let Some(place) = path.last_mut() {
            *place = b.sym(&long);
        }
        let arguments = child_of_kind(node, "attribute_argument_list");
        let first = arguments.and_then(|list| list.named_child(0)).and_then(|first| parts(first).last().copied());
        let arg0 = first.and_then(|value| literal_text(value, b)).map(|text| b.sym(&text));
        let long_expr = super::types::path_expr(&path, b);
        let name = b.text(last).to_owned();
        if !name.ends_with("Attribute") {
            let long_name = format!("{name}Attribute");
            b.add_ref_named(RefKind::Decorator, &long_name, last, long_expr, u16::MAX, arg0);
        } else {
            b.add_ref_named(RefKind::Decorator, &name, last, short, u16::MAX, arg0);
        }
    }
}
