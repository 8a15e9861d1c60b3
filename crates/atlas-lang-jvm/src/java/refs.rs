//! References: calls, constructions, reads and writes.

use super::exprs::literal_text;
use super::types::type_name;
use super::{Java, PendingBase};
use atlas_syntax::{Builder, Expr, ExprId, RefKind, Sym, column_of, line_of};
use tree_sitter::Node;

impl Java {
    pub(super) fn invocation(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let callee = self.callee(node, b, 0);
        let object = node.child_by_field_name("object");
        self.call_ref(RefKind::Call, name, callee, node.child_by_field_name("arguments"), b);
        self.lambda_arguments(node, name, object, b);
        self.table_call(node, name, object, b);
        self.route_call(node, name, b);
    }

    /// A reference with its arguments.
    fn call_ref(&mut self, kind: RefKind, at: Node, callee: ExprId, arguments: Option<Node>, b: &mut Builder) {
        let (argc, arg0, values) = self.arguments(arguments, b);
        b.add_ref(kind, at, callee, argc, arg0);
        b.add_args(&values);
    }

    /// How many arguments, the first one's text, and all of them as expressions.
    fn arguments(&mut self, list: Option<Node>, b: &mut Builder) -> (u16, Option<Sym>, Vec<ExprId>) {
        let Some(list) = list else { return (0, None, Vec::new()) };
        let mut arg0 = None;
        let mut values = Vec::new();
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor).filter(|child| !child.is_extra()) {
            if values.is_empty() && argument.kind() == "string_literal" {
                let text = literal_text(argument, b);
                arg0 = Some(b.sym(&text));
            }
            values.push(self.expr(argument, b));
        }
        (u16::try_from(values.len()).unwrap_or(u16::MAX), arg0, values)
    }

    pub(super) fn creation(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        let Some((parts, last)) = type_name(ty) else { return };
        let made = super::types::type_of(ty, b, 0);
        self.mark_type_name(ty);
        // `outer.new Inner()` names a type inside that of `outer`.
        let outer = node.named_child(0).filter(|first| first.end_byte() <= ty.start_byte()).filter(|first| {
            !matches!(first.kind(), "type_arguments" | "annotation" | "marker_annotation") && parts.len() == 1
        });
        let expr = match outer {
            Some(outer) => {
                let base = self.expr(outer, b);
                let name = b.sym_of(last);
                b.expr(Expr::Member { base, name })
            }
            None => b.expr(Expr::New(made)),
        };
        self.call_ref(RefKind::Construct, last, expr, node.child_by_field_name("arguments"), b);
        let mut cursor = node.walk();
        if let Some(body) = node.named_children(&mut cursor).find(|child| child.kind() == "class_body") {
            let at = (line_of(last), column_of(last));
            let made_expr = b.known_expr(node);
            let name = b.text(last).to_owned();
            self.anonymous.insert(body.id(), PendingBase { sup: made, at, name, made: made_expr });
        }
    }

    /// `this(…)` and `super(…)`.
    pub(super) fn constructor_call(&mut self, node: Node, b: &mut Builder) {
        let Some(constructor) = node.child_by_field_name("constructor") else { return };
        let expr = b.expr(if constructor.kind() == "super" { Expr::Super } else { Expr::This });
        self.call_ref(RefKind::Call, constructor, expr, node.child_by_field_name("arguments"), b);
    }

    /// An enum constant runs its enum's constructor.
    pub(super) fn enum_constant_call(&mut self, node: Node, name: Node, owner: &str, b: &mut Builder) {
        let ty = b.ty_path(&[owner]);
        let expr = b.expr(Expr::New(ty));
        let (argc, arg0, values) = self.arguments(node.child_by_field_name("arguments"), b);
        b.add_ref_named(RefKind::Construct, owner, name, expr, argc, arg0);
        b.add_args(&values);
    }

    pub(super) fn method_reference(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let (Some(&base), Some(&last)) = (parts.first(), parts.last()) else { return };
        if last.kind() == "new" {
            if let Some((_, at)) = type_name(base) {
                let made = super::types::type_of(base, b, 0);
                self.mark_type_name(base);
                let expr = b.expr(Expr::New(made));
                b.add_ref(RefKind::Construct, at, expr, u16::MAX, None);
            }
            return;
        }
        if last.kind() != "identifier" {
            return;
        }
        self.done(Some(last));
        let base = match base.kind() {
            "type_identifier" | "generic_type" | "scoped_type_identifier" | "annotated_type" => self.type_expr(base, b),
            "array_type" => 0,
            _ => self.expr(base, b),
        };
        let name = b.sym_of(last);
        let expr = b.expr(Expr::Member { base, name });
        b.add_ref(RefKind::Call, last, expr, u16::MAX, None);
    }

    /// The type that a node names, as the type itself and not its instance.
    fn type_expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        let Some((parts, _)) = type_name(node) else { return 0 };
        let mut expr = 0;
        for part in parts {
            let name = b.sym_of(part);
            expr = if expr == 0 { b.expr(Expr::Name(name)) } else { b.expr(Expr::Member { base: expr, name }) };
        }
        expr
    }

    pub(super) fn annotation_use(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let (expr, last) = self.dotted_expr(name, b);
        let arg0 = node
            .child_by_field_name("arguments")
            .and_then(|list| list.named_child(0))
            .filter(|first| first.kind() == "string_literal")
            .map(|first| literal_text(first, b));
        let arg0 = arg0.map(|text| b.sym(&text));
        b.add_ref(RefKind::Decorator, last, expr, u16::MAX, arg0);
    }

    /// `a.b.C` as an expression, its parts marked as done; and the node of its last name.
    fn dotted_expr<'t>(&mut self, node: Node<'t>, b: &mut Builder) -> (ExprId, Node<'t>) {
        let mut parts = Vec::new();
        let mut at = node;
        while at.kind() == "scoped_identifier" {
            let (Some(scope), Some(name)) = (at.child_by_field_name("scope"), at.child_by_field_name("name")) else {
                break;
            };
            self.done(Some(name));
            parts.push(name);
            at = scope;
        }
        self.done(Some(at));
        let last = parts.first().copied().unwrap_or(at);
        let first = b.sym_of(at);
        let mut expr = b.expr(Expr::Name(first));
        for part in parts.into_iter().rev() {
            let name = b.sym_of(part);
            expr = b.expr(Expr::Member { base: expr, name });
        }
        (expr, last)
    }

    /// `a.b` as a value: a read of `b`.
    pub(super) fn field_access(&mut self, node: Node, b: &mut Builder) {
        let Some(field) = node.child_by_field_name("field") else { return };
        if field.kind() == "this" {
            // `A.this`: A is named as a type.
            if let Some(object) = node.child_by_field_name("object").filter(|object| object.kind() == "identifier") {
                self.done(Some(object));
                let name = b.sym_of(object);
                let expr = b.expr(Expr::Name(name));
                b.add_ref(RefKind::TypeUse, object, expr, 0, None);
            }
            return;
        }
        if !self.done.insert(field.id()) {
            return;
        }
        let expr = self.field_expr(node, b, 0);
        b.add_ref(RefKind::Read, field, expr, 0, None);
    }

    pub(super) fn identifier(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let name = b.sym_of(node);
        if self.locals.lookup(name).is_some() {
            return;
        }
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    pub(super) fn assignment(&mut self, node: Node, b: &mut Builder) {
        if let Some(left) = node.child_by_field_name("left") {
            self.write(left, b);
        }
    }

    pub(super) fn update(&mut self, node: Node, b: &mut Builder) {
        if let Some(operand) = node.named_child(0) {
            self.write(operand, b);
        }
    }

    /// A write to a field by its bare name or through a receiver; what is written to through an index
    /// is the array.
    fn write(&mut self, target: Node, b: &mut Builder) {
        let mut target = target;
        for _ in 0..super::DEPTH_MAX {
            let inner = match target.kind() {
                "parenthesized_expression" => target.named_child(0),
                "array_access" => target.child_by_field_name("array"),
                _ => break,
            };
            let Some(inner) = inner else { return };
            target = inner;
        }
        match target.kind() {
            "identifier" => {
                self.done(Some(target));
                let name = b.sym_of(target);
                if self.locals.lookup(name).is_none() {
                    let expr = b.expr(Expr::Name(name));
                    b.add_ref(RefKind::Write, target, expr, 0, None);
                }
            }
            "field_access" => {
                let Some(field) = target.child_by_field_name("field") else { return };
                self.done(Some(field));
                let expr = self.field_expr(target, b, 0);
                b.add_ref(RefKind::Write, field, expr, 0, None);
            }
            _ => {}
        }
    }

    /// Reads the cases of a switch: a bare name in one is a constant of the switched-on enum, or one that
    /// is visible.
    pub(super) fn case_reads(&mut self, condition: Option<Node>, body: Node, b: &mut Builder) {
        let base = condition.map_or(0, |condition| self.expr(condition, b));
        let mut cursor = body.walk();
        for group in body.named_children(&mut cursor) {
            let mut cursor = group.walk();
            for label in group.named_children(&mut cursor).filter(|child| child.kind() == "switch_label") {
                let mut cursor = label.walk();
                for name in label.named_children(&mut cursor).filter(|child| child.kind() == "identifier") {
                    self.done(Some(name));
                    let sym = b.sym_of(name);
                    // The one that it is not leads nowhere.
                    if base != 0 {
                        let constant = b.expr(Expr::Member { base, name: sym });
                        b.add_ref(RefKind::Read, name, constant, 0, None);
                    }
                    let bare = b.expr(Expr::Name(sym));
                    b.add_ref(RefKind::Read, name, bare, 0, None);
                }
            }
        }
    }

    /// A value of the anonymous type of a list, for what iterates.
    pub(super) fn element(&mut self, of: ExprId, b: &mut Builder) -> ExprId {
        if of == 0 { 0 } else { b.expr(Expr::Element(of)) }
    }
}
