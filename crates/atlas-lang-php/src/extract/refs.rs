//! References: calls, constructions, reads and writes of members, and what assignments bind.

use super::exprs::literal_text;
use super::names::{is_name, last_name};
use super::{Php, parts};
use atlas_syntax::{
    BindingKind, Builder, Expr, ExprId, Import, ImportKind, Literal, RefKind, Sym, TableTarget, line_of, sql,
};
use tree_sitter::Node;

impl Php {
    pub(super) fn function_call(&mut self, node: Node, b: &mut Builder) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let (argc, arg0) = self.arguments(node, b);
        if is_name(function) {
            self.done(Some(function));
            let callee = self.callee(node, b, 0);
            b.add_ref(RefKind::Call, last_name(function), callee, argc, arg0);
        } else if matches!(function.kind(), "variable_name" | "parenthesized_expression") {
            let callee = self.expr(function, b);
            if callee != 0 && *b.facts().expr(callee) != Expr::Literal(Literal::Function) {
                b.add_ref(RefKind::Call, function, callee, argc, arg0);
            }
        }
    }

    pub(super) fn member_call(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        if name.kind() != "name" {
            return;
        }
        self.done(Some(name));
        let (argc, arg0) = self.arguments(node, b);
        let callee = self.callee(node, b, 0);
        b.add_ref(RefKind::Call, name, callee, argc, arg0);
        self.route_member(node, name, b);
    }

    pub(super) fn scoped_call(&mut self, node: Node, b: &mut Builder) {
        let (Some(scope), Some(name)) = (node.child_by_field_name("scope"), node.child_by_field_name("name")) else {
            return;
        };
        self.class_ref(scope, RefKind::Read, b);
        if name.kind() != "name" {
            return;
        }
        self.done(Some(name));
        let (argc, arg0) = self.arguments(node, b);
        let callee = self.callee(node, b, 0);
        b.add_ref(RefKind::Call, name, callee, argc, arg0);
        self.route_call(node, scope, name, b);
    }

    /// How many arguments a call gives, and the first one's text.
    fn arguments(&mut self, node: Node, b: &mut Builder) -> (u16, Option<Sym>) {
        let Some(list) = node.child_by_field_name("arguments").or_else(|| super::child_of_kind(node, "arguments"))
        else {
            return (0, None);
        };
        let all = parts(list);
        let spread = |argument: &Node| {
            argument.kind() == "variadic_placeholder"
                || argument.named_child(0).is_some_and(|value| value.kind() == "variadic_unpacking")
        };
        let argc = if all.iter().any(spread) { u16::MAX } else { u16::try_from(all.len()).unwrap_or(u16::MAX) };
        let first = all.first().and_then(|argument| parts(*argument).last().copied());
        let arg0 = first.and_then(|value| literal_text(value, b)).map(|text| b.sym(&text));
        (argc, arg0)
    }

    pub(super) fn creation(&mut self, node: Node, b: &mut Builder) {
        let Some(of) = parts(node).into_iter().next() else { return };
        if of.kind() == "anonymous_class" {
            return;
        }
        let (argc, arg0) = self.arguments(node, b);
        let made = self.expr(node, b);
        if is_name(of) || of.kind() == "relative_scope" {
            self.done(Some(of));
            if made != 0 {
                b.add_ref(RefKind::Construct, last_name(of), made, argc, arg0);
            }
        } else if of.kind() == "variable_name" {
            // What class the variable names, if it is known.
            let class = self.expr(of, b);
            b.add_ref(RefKind::Construct, of, class, argc, arg0);
        }
    }

    pub(super) fn member_access(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name").filter(|name| name.kind() == "name") else { return };
        if self.done.insert(name.id()) {
            let expr = self.expr(node, b);
            b.add_ref(RefKind::Read, name, expr, 0, None);
        }
    }

    pub(super) fn scoped_property(&mut self, node: Node, b: &mut Builder) {
        if let Some(scope) = node.child_by_field_name("scope") {
            self.class_ref(scope, RefKind::Read, b);
        }
        let Some(name) = node.child_by_field_name("name").filter(|name| name.kind() == "variable_name") else { return };
        if self.done.insert(name.id()) {
            let expr = self.expr(node, b);
            b.add_ref_named(RefKind::Read, b.text(name).trim_start_matches('$'), name, expr, 0, None);
        }
    }

    pub(super) fn class_constant(&mut self, node: Node, b: &mut Builder) {
        let all = parts(node);
        let [scope, name] = all.as_slice() else { return };
        self.class_ref(*scope, RefKind::Read, b);
        if name.kind() != "name" {
            return;
        }
        self.done(Some(*name));
        if !b.text(*name).eq_ignore_ascii_case("class") {
            let expr = self.expr(node, b);
            b.add_ref(RefKind::Read, *name, expr, 0, None);
        }
    }

    pub(super) fn assignment(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let operator = node.child_by_field_name("operator").map(|op| b.text(op));
        let plain = operator.is_none() || operator == Some("??=");
        let value = if plain { self.expr(right, b) } else { 0 };
        self.assign(left, Some(value).filter(|_| plain), b);
    }

    pub(super) fn update(&mut self, node: Node, b: &mut Builder) {
        if let Some(argument) = node.child_by_field_name("argument") {
            self.assign(argument, None, b);
        }
    }

    /// A place that gets a value: `None` says that what it held was only changed.
    pub(super) fn assign(&mut self, target: Node, value: Option<ExprId>, b: &mut Builder) {
        match target.kind() {
            "variable_name" => {
                if let Some(value) = value
                    && b.text(target) != "$this"
                {
                    self.bind_variable(BindingKind::Local, target, None, Some(value), b);
                }
            }
            "member_access_expression" | "nullsafe_member_access_expression" => {
                let Some(name) = target.child_by_field_name("name").filter(|name| name.kind() == "name") else {
                    return;
                };
                self.done(Some(name));
                let expr = self.expr(target, b);
                b.add_ref(RefKind::Write, name, expr, 0, None);
                let on_this = target.child_by_field_name("object").is_some_and(|object| b.text(object) == "$this");
                if let (true, Some(value), Some(open)) = (on_this, value.filter(|&v| v != 0), self.types.last()) {
                    b.bind(BindingKind::Field, Some(open.def), b.text(name), line_of(name), None, Some(value));
                }
            }
            "scoped_property_access_expression" => {
                let Some(name) = target.child_by_field_name("name").filter(|name| name.kind() == "variable_name")
                else {
                    return;
                };
                self.done(Some(name));
                let expr = self.expr(target, b);
                let plain = b.text(name).trim_start_matches('$');
                b.add_ref_named(RefKind::Write, plain, name, expr, 0, None);
                let own = target
                    .child_by_field_name("scope")
                    .is_some_and(|scope| matches!(b.text(scope).to_ascii_lowercase().as_str(), "self" | "static"));
                if let (true, Some(value), Some(open)) = (own, value.filter(|&v| v != 0), self.types.last()) {
                    b.bind(BindingKind::Field, Some(open.def), plain, line_of(name), None, Some(value));
                }
            }
            "list_literal" | "array_creation_expression" => {
                for element in parts(target) {
                    let inner = match element.kind() {
                        "array_element_initializer" | "pair" => parts(element).last().copied(),
                        _ => Some(element),
                    };
                    if let Some(inner) = inner.filter(|inner| inner.kind() != "array_creation_expression") {
                        self.assign(inner, Some(0), b);
                    }
                }
            }
            "by_ref" => {
                if let Some(inner) = target.named_child(0).filter(|inner| inner.kind() != "by_ref") {
                    self.assign(inner, value, b);
                }
            }
            _ => {}
        }
    }

    pub(super) fn foreach(&mut self, node: Node, b: &mut Builder) {
        let body = node.child_by_field_name("body");
        let all: Vec<Node> = parts(node).into_iter().filter(|part| Some(*part) != body).collect();
        let [iterated, target, ..] = all.as_slice() else { return };
        let of = self.expr(*iterated, b);
        let element = if of == 0 { 0 } else { b.expr(Expr::Element(of)) };
        if target.kind() == "pair" {
            let both = parts(*target);
            if let [key, value] = both.as_slice() {
                self.assign(*key, Some(0), b);
                self.assign(*value, Some(element), b);
            }
        } else {
            self.assign(*target, Some(element), b);
        }
    }

    pub(super) fn catch(&mut self, node: Node, b: &mut Builder) {
        let (Some(name), Some(list)) = (node.child_by_field_name("name"), node.child_by_field_name("type")) else {
            return;
        };
        let ty = self.type_of(list, b);
        self.bind_variable(BindingKind::Local, name, Some(ty).filter(|&ty| ty != 0), None, b);
    }

    pub(super) fn static_variable(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let value = node.child_by_field_name("value").map(|value| self.expr(value, b));
        self.bind_variable(BindingKind::Local, name, None, value, b);
    }

    pub(super) fn binary_expression(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        match node.child_by_field_name("operator").map(|op| b.text(op)) {
            Some("instanceof") => {
                self.class_ref(right, RefKind::TypeUse, b);
                self.done(Some(right).filter(|right| is_name(*right)));
            }
            Some("&&" | "and") => self.narrow_right(left, right, b),
            _ => {}
        }
    }

    pub(super) fn returned(&mut self, node: Node, b: &mut Builder) {
        let Some(value) = node.named_child(0) else { return };
        // What a closure gives back is not what the function does.
        let Some(frame) = self.frames.last().filter(|frame| frame.kind == super::scopes::FrameKind::Function) else {
            return;
        };
        let Some(def) = frame.def else { return };
        let value = self.expr(value, b);
        if value != 0 && b.facts().def(def).kind.is_callable() {
            b.bind(BindingKind::Return, Some(def), "", line_of(node), None, Some(value));
        }
    }

    /// `[$this, 'name']` and `[A::class, 'name']` name a method.
    pub(super) fn array_callable(&mut self, node: Node, b: &mut Builder) {
        if node.named_child_count() != 2 {
            return;
        }
        let elements = parts(node);
        let values: Vec<Node> =
            elements.iter().filter(|e| e.named_child_count() == 1).filter_map(|e| e.named_child(0)).collect();
        let [object, method] = values.as_slice() else { return };
        if method.kind() != "string" {
            return;
        }
        let class_of = |object: Node| match object.kind() {
            "class_constant_access_expression" => b.text(object).to_ascii_lowercase().ends_with("::class"),
            "variable_name" => b.text(object) == "$this",
            _ => false,
        };
        let Some(name) = literal_text(*method, b).filter(|name| class_of(*object) && is_word(name)) else { return };
        let base = self.expr(*object, b);
        let sym = b.sym(&name);
        let expr = b.expr(Expr::Member { base, name: sym });
        b.add_ref_named(RefKind::Read, &name, *method, expr, 0, None);
    }

    /// `require __DIR__ . '/x.php'`: level 1 where the path starts at the file's own directory.
    pub(super) fn require(&mut self, node: Node, b: &mut Builder) {
        let Some(mut value) = node.named_child(0) else { return };
        while value.kind() == "parenthesized_expression" {
            let Some(inner) = value.named_child(0) else { return };
            value = inner;
        }
        let (level, text) = match value.kind() {
            "binary_expression" => {
                let (Some(left), Some(right)) = (value.child_by_field_name("left"), value.child_by_field_name("right"))
                else {
                    return;
                };
                let own = b.text(left).replace(' ', "");
                if own != "__DIR__" && !own.eq_ignore_ascii_case("dirname(__FILE__)") {
                    return;
                }
                (1, literal_text(right, b))
            }
            _ => (0, literal_text(value, b)),
        };
        let Some(text) = text.filter(|text| !text.contains('?')) else { return };
        let (module, within) = (b.sym(text.trim_start_matches('/')), b.here());
        b.add_import(Import {
            kind: ImportKind::Require,
            module,
            level,
            name: None,
            local: None,
            line: line_of(node),
            within,
            reexport: false,
            type_only: false,
        });
    }

    /// SQL in a string.
    pub(super) fn text_literal(&mut self, node: Node, b: &mut Builder) {
        const SHORTEST: usize = 10;
        if node.end_byte() - node.start_byte() <= SHORTEST || self.done.contains(&node.id()) {
            return;
        }
        let Some(text) = literal_text(node, b) else { return };
        for table in sql::tables(&text) {
            let name = b.sym(&table.name);
            b.add_table_use(TableTarget::Name(name), table.write, node, "sql literal");
        }
    }
}

pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
