//! References: calls, constructions, reads and writes.

use super::exprs::{cast_type, literal_text, made_type};
use super::types::{name_path, path_expr};
use super::{C, DEPTH_MAX};
use atlas_syntax::{Builder, Expr, ExprId, RefKind, Sym, TableTarget, sql};
use tree_sitter::Node;

impl C {
    pub(super) fn call(&mut self, node: Node, b: &mut Builder) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let arguments = node.child_by_field_name("arguments");
        let mut function = function;
        // `(*f)(x)` and `(f)(x)` call what f holds.
        for _ in 0..DEPTH_MAX {
            let inner = match function.kind() {
                "parenthesized_expression" => function.named_child(0),
                "pointer_expression" => function.child_by_field_name("argument"),
                _ => break,
            };
            let Some(inner) = inner else { return };
            function = inner;
        }
        if cast_type(function, b).is_some() {
            self.mark_type_name(function);
            return;
        }
        if let Some(made) = made_type(function, b) {
            self.mark_type_name(function);
            if let Some(ty) = made.child_by_field_name("type") {
                self.construct(ty, arguments, b);
            }
            return;
        }
        match function.kind() {
            "identifier" | "template_function" | "qualified_identifier" | "dependent_name" => {
                let Some((parts, _, rooted)) = name_path(function) else { return };
                let Some(&last) = parts.last() else { return };
                self.mark_type_name(function);
                let expr = if parts.len() == 1 && !rooted {
                    let name = b.sym_of(last);
                    let name = self.locals.lookup(name).unwrap_or(name);
                    b.expr(Expr::Name(name))
                } else {
                    path_expr(&parts, rooted, b)
                };
                if last.kind() == "type_identifier" {
                    return;
                }
                self.call_ref(RefKind::Call, last, expr, arguments, b);
            }
            "field_expression" => {
                let Some(field) = function.child_by_field_name("field") else { return };
                let Some((parts, _, _)) = name_path(field) else { return };
                let Some(&last) = parts.last() else { return };
                self.mark_type_name(field);
                self.done(Some(field));
                let expr = self.member_expr(function, b, 0);
                self.call_ref(RefKind::Call, last, expr, arguments, b);
            }
            _ => {}
        }
    }

    /// A reference with its arguments.
    pub(super) fn call_ref(
        &mut self,
        kind: RefKind,
        at: Node,
        callee: ExprId,
        arguments: Option<Node>,
        b: &mut Builder,
    ) {
        let (argc, arg0, values) = self.arguments(arguments, b);
        b.add_ref(kind, at, callee, argc, arg0);
        b.add_args(&values);
    }

    /// How many arguments, the first one's text, and all of them as expressions.
    fn arguments(&mut self, list: Option<Node>, b: &mut Builder) -> (u16, Option<Sym>, Vec<ExprId>) {
        let Some(list) = list else { return (0, None, Vec::new()) };
        let mut arg0 = None;
        let mut unpacks = false;
        let mut values = Vec::new();
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor).filter(|child| !child.is_extra()) {
            if values.is_empty() && matches!(argument.kind(), "string_literal" | "raw_string_literal") {
                let text = literal_text(argument, b);
                arg0 = Some(b.sym(&text));
            }
            unpacks |= argument.kind() == "parameter_pack_expansion" || argument.is_error();
            values.push(self.expr(argument, b));
        }
        let argc = if unpacks { u16::MAX } else { u16::try_from(values.len()).unwrap_or(u16::MAX) };
        (argc, arg0, values)
    }

    pub(super) fn new_expression(&mut self, node: Node, b: &mut Builder) {
        self.mark_elaborated(node);
        let Some(ty) = node.child_by_field_name("type") else { return };
        self.construct(ty, node.child_by_field_name("arguments"), b);
    }

    /// `T{…}`; in C, `(struct T){…}`.
    pub(super) fn compound_literal(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        if self.cpp && ty.kind() != "type_descriptor" {
            self.construct(ty, node.child_by_field_name("value"), b);
        }
    }

    /// `member_(value)` before a constructor's body, or the constructor of a base.
    pub(super) fn member_initializer(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.named_child(0) else { return };
        let mut cursor = node.walk();
        let arguments =
            node.named_children(&mut cursor).find(|c| matches!(c.kind(), "argument_list" | "initializer_list"));
        let Some((parts, _, _)) = name_path(name) else { return };
        let Some(&last) = parts.last() else { return };
        self.mark_type_name(name);
        let text = b.text(last);
        if name.kind() == "field_identifier" && !text.starts_with(|c: char| c.is_ascii_uppercase()) {
            let sym = b.sym_of(last);
            let this = b.expr(Expr::This);
            let expr = b.expr(Expr::Member { base: this, name: sym });
            b.add_ref(RefKind::Write, last, expr, 0, None);
        } else {
            let ty = parts.iter().map(|part| b.text(*part)).collect::<Vec<_>>();
            let ty = b.ty_path(&ty);
            let expr = b.expr(Expr::New(ty));
            self.call_ref(RefKind::Construct, last, expr, arguments, b);
        }
    }

    /// `a.b` as a value: a read of `b`.
    pub(super) fn field_access(&mut self, node: Node, b: &mut Builder) {
        let Some(field) = node.child_by_field_name("field") else { return };
        if !self.done.insert(field.id()) {
            return;
        }
        let Some((parts, _, _)) = name_path(field) else { return };
        let Some(&last) = parts.last() else { return };
        self.mark_type_name(field);
        let expr = self.member_expr(node, b, 0);
        b.add_ref(RefKind::Read, last, expr, 0, None);
    }

    /// `a::b`: a read of `b`, or a use of the type `b`.
    pub(super) fn qualified(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let Some((parts, _, rooted)) = name_path(node) else { return };
        let Some(&last) = parts.last() else { return };
        self.mark_type_name(node);
        let kind = if last.kind() == "type_identifier" { RefKind::TypeUse } else { RefKind::Read };
        let expr = path_expr(&parts, rooted, b);
        b.add_ref(kind, last, expr, 0, None);
        // The type that qualifies a value is used as well.
        if let [.., scope, _] = parts.as_slice()
            && kind == RefKind::Read
        {
            let expr = path_expr(&parts[..parts.len() - 1], rooted, b);
            b.add_ref(RefKind::TypeUse, *scope, expr, 0, None);
        }
    }

    pub(super) fn identifier(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let name = b.sym_of(node);
        if self.locals.lookup(name).is_some() || self.is_type_param(name) {
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
        if let Some(argument) = node.child_by_field_name("argument") {
            self.write(argument, b);
        }
    }

    /// A write to what an assignment's left side names. `a.b = x` changes a as well as its member b;
    /// `p->b = x` and `*p = x` leave p as it is.
    fn write(&mut self, target: Node, b: &mut Builder) {
        let mut target = target;
        for _ in 0..DEPTH_MAX {
            match target.kind() {
                "parenthesized_expression" => match target.named_child(0) {
                    Some(inner) => target = inner,
                    None => return,
                },
                "subscript_expression" => match target.child_by_field_name("argument") {
                    Some(inner) => target = inner,
                    None => return,
                },
                "identifier" => {
                    self.done(Some(target));
                    let name = b.sym_of(target);
                    if self.locals.lookup(name).is_none() {
                        let expr = b.expr(Expr::Name(name));
                        b.add_ref(RefKind::Write, target, expr, 0, None);
                    }
                    return;
                }
                "qualified_identifier" => {
                    let Some((parts, _, rooted)) = name_path(target) else { return };
                    let Some(&last) = parts.last() else { return };
                    self.mark_type_name(target);
                    let expr = path_expr(&parts, rooted, b);
                    b.add_ref(RefKind::Write, last, expr, 0, None);
                    return;
                }
                "field_expression" => {
                    let Some(field) = target.child_by_field_name("field") else { return };
                    if self.done.insert(field.id()) {
                        let expr = self.member_expr(target, b, 0);
                        b.add_ref(RefKind::Write, field, expr, 0, None);
                    }
                    let by_value = target.child_by_field_name("operator").is_some_and(|op| b.text(op) == ".");
                    match target.child_by_field_name("argument").filter(|_| by_value) {
                        Some(base) => target = base,
                        None => return,
                    }
                }
                _ => return,
            }
        }
    }

    pub(super) fn string(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        if node.kind() == "concatenated_string" {
            let mut cursor = node.walk();
            for part in node.named_children(&mut cursor) {
                self.done(Some(part).filter(|part| part.kind().ends_with("string_literal")));
            }
        }
        if node.end_byte() - node.start_byte() < 10 {
            return;
        }
        for table in sql::tables(&literal_text(node, b)) {
            let name = b.sym(&table.name);
            b.add_table_use(TableTarget::Name(name), table.write, node, "sql literal");
        }
    }
}
