//! References: calls, constructions, reads, writes and uses of types.

use super::GoExtractor;
use super::exprs::{first_argument, is_predeclared_function, is_predeclared_type};
use atlas_syntax::{Builder, Expr, RefKind, Sym, Type};
use tree_sitter::Node;

impl GoExtractor {
    pub(super) fn call(&mut self, node: Node, b: &mut Builder) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let arguments = node.child_by_field_name("arguments");
        self.call_patterns(node, function, arguments, b);
        self.remember_route_group(node, b);
        if let Some(ty) = pointer_conversion(function) {
            self.handled.insert(ty.id());
            let expr = self.expr(ty, b);
            let name = ty.child_by_field_name("field").unwrap_or(ty);
            if !is_predeclared_type(b.text(name)) {
                b.add_ref(RefKind::TypeUse, name, expr, 0, None);
            }
            return;
        }
        let Some(callee) = self.callee(function, b) else { return };
        let argc = arguments.map_or(0, argument_count);
        let arg0 = arguments.and_then(first_argument).and_then(|first| self.string_value(first, b));
        let arg0 = arg0.map(|text| b.sym(&text));
        match callee.kind() {
            "identifier" => {
                self.handled.insert(callee.id());
                let text = b.text(callee);
                let name = b.sym(text);
                let local = self.locals.lookup(name);
                if local.is_some_and(|bound| self.closures.contains(&bound)) {
                    return;
                }
                if local.is_none() {
                    if text == "new" {
                        self.constructed(arguments.and_then(first_argument), b);
                        return;
                    }
                    // These three are the predeclared names that packages do give their own functions.
                    let reused = matches!(text, "any" | "comparable" | "error");
                    if is_predeclared_function(text)
                        || (is_predeclared_type(text) && !reused)
                        || self.type_param(name).is_some()
                    {
                        return;
                    }
                }
                let expr = self.expr(callee, b);
                b.add_ref(RefKind::Call, callee, expr, argc, arg0);
            }
            "selector_expression" => {
                self.handled.insert(callee.id());
                let expr = self.expr(callee, b);
                if let Some(field) = callee.child_by_field_name("field") {
                    b.add_ref(RefKind::Call, field, expr, argc, arg0);
                }
            }
            _ => {}
        }
    }

    /// The name or selector that is called: parentheses and instantiations taken off.
    fn callee<'t>(&mut self, function: Node<'t>, b: &mut Builder) -> Option<Node<'t>> {
        let mut at = function;
        for _ in 0..8 {
            match at.kind() {
                "identifier" | "selector_expression" => return Some(at),
                "parenthesized_expression" => at = at.named_child(0)?,
                "index_expression" if self.is_instantiation(at, b) => at = at.child_by_field_name("operand")?,
                "type_instantiation_expression" => {
                    at = at.child_by_field_name("type")?;
                    // Several type arguments: the callee is written where a type may stand.
                    if let Some(name) = at.child_by_field_name("name").or(Some(at)) {
                        self.handled.insert(at.id());
                        let expr = match at.kind() {
                            "qualified_type" => {
                                let package = at.child_by_field_name("package")?;
                                let base = self.expr(package, b);
                                let name = b.sym_of(name);
                                b.expr(Expr::Member { base, name })
                            }
                            _ => {
                                let name = b.sym_of(name);
                                b.expr(Expr::Name(name))
                            }
                        };
                        b.add_ref(RefKind::Call, name, expr, u16::MAX, None);
                    }
                    return None;
                }
                _ => return None,
            }
        }
        None
    }

    /// `f[T](x)` with one argument reads like a conversion to a generic type; the linker knows which it is.
    pub(super) fn generic_call(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type").filter(|ty| ty.kind() == "generic_type") else { return };
        let Some(named) = ty.child_by_field_name("type") else { return };
        let Some(path) = self.type_path(named, b) else { return };
        self.handled.insert(named.id());
        let name = named.child_by_field_name("name").unwrap_or(named);
        let expr = self.path_expr(&path, b);
        b.add_ref(RefKind::Call, name, expr, 1, None);
    }

    /// `new(T)` and the like: T is the type of an instance.
    fn constructed(&mut self, ty: Option<Node>, b: &mut Builder) {
        let Some(ty) = ty else { return };
        let (ty, name) = match ty.kind() {
            "generic_type" => match ty.child_by_field_name("type") {
                Some(inner) => (inner, inner.child_by_field_name("name").unwrap_or(inner)),
                None => return,
            },
            "qualified_type" => (ty, ty.child_by_field_name("name").unwrap_or(ty)),
            "type_identifier" | "identifier" => (ty, ty),
            "selector_expression" => (ty, ty.child_by_field_name("field").unwrap_or(ty)),
            _ => return,
        };
        let Some(path) = self.type_path(ty, b) else { return };
        self.handled.insert(ty.id());
        if let [only] = path[..]
            && (is_predeclared_type(b.str(only)) || self.type_param(only).is_some())
        {
            return;
        }
        let expr = self.path_expr(&path, b);
        b.add_ref(RefKind::Construct, name, expr, u16::MAX, None);
    }

    pub(super) fn path_expr(&mut self, path: &[Sym], b: &mut Builder) -> u32 {
        let mut parts = path.iter();
        let Some(&first) = parts.next() else { return 0 };
        let mut expr = b.expr(Expr::Name(first));
        for &name in parts {
            expr = b.expr(Expr::Member { base: expr, name });
        }
        expr
    }

    pub(super) fn composite(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        self.constructed(Some(ty), b);
        if let Some(body) = node.child_by_field_name("body") {
            let id = self.ty(ty, b);
            self.literal_types.insert(body.id(), id);
        }
        self.composite_patterns(node, b);
    }

    /// Keys of a struct literal name its fields; elements of a list or map literal may be literals of
    /// the element's type without naming it.
    pub(super) fn literal_value(&mut self, node: Node, b: &mut Builder) {
        let Some(&ty) = self.literal_types.get(&node.id()) else { return };
        let (element, is_struct) = match b.facts().ty(ty) {
            Type::List(element) => (Some(*element), false),
            Type::Path { path, args } => match (path[..].first(), &args[..]) {
                (Some(&name), [_, value]) if path.len() == 1 && b.str(name) == "map" => (Some(*value), false),
                _ => (None, true),
            },
            _ => (None, false),
        };
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            let value = match part.kind() {
                "keyed_element" => {
                    if is_struct && let Some(key) = part.child_by_field_name("key").and_then(|key| key.named_child(0)) {
                        self.field_key(key, ty, b);
                    }
                    part.child_by_field_name("value")
                }
                _ => Some(part),
            };
            if let Some(element) = element
                && let Some(value) = value.and_then(|value| value.named_child(0))
                && value.kind() == "literal_value"
            {
                self.literal_types.insert(value.id(), element);
            }
        }
    }

    fn field_key(&mut self, key: Node, ty: u32, b: &mut Builder) {
        if key.kind() != "identifier" {
            return;
        }
        self.handled.insert(key.id());
        let base = b.expr(Expr::New(ty));
        let name = b.sym_of(key);
        let expr = b.expr(Expr::Member { base, name });
        b.add_ref(RefKind::Write, key, expr, 0, None);
    }

    /// The left side of an assignment.
    pub(super) fn assigned(&mut self, list: Node, b: &mut Builder) {
        if list.kind() != "expression_list" {
            self.assigned_one(list, b);
            return;
        }
        let mut cursor = list.walk();
        for one in list.named_children(&mut cursor) {
            self.assigned_one(one, b);
        }
    }

    pub(super) fn assigned_one(&mut self, node: Node, b: &mut Builder) {
        match node.kind() {
            "identifier" => {
                self.handled.insert(node.id());
                let name = b.sym_of(node);
                if b.str(name) != "_" && self.locals.lookup(name).is_none() {
                    let expr = self.expr(node, b);
                    b.add_ref(RefKind::Write, node, expr, 0, None);
                }
            }
            "selector_expression" => {
                self.handled.insert(node.id());
                let expr = self.expr(node, b);
                if let Some(field) = node.child_by_field_name("field") {
                    b.add_ref(RefKind::Write, field, expr, 0, None);
                }
            }
            // `m[k] = v` writes what m holds.
            "index_expression" => {
                if let Some(operand) = node.child_by_field_name("operand")
                    && matches!(operand.kind(), "identifier" | "selector_expression")
                {
                    self.assigned_one(operand, b);
                }
            }
            _ => {}
        }
    }

    pub(super) fn selector(&mut self, node: Node, b: &mut Builder) {
        if let Some(operand) = node.child_by_field_name("operand")
            && operand.kind() == "identifier"
        {
            let name = b.sym_of(operand);
            // A package is no value: only what is taken from it is read.
            if self.imports.contains(&name) && self.locals.lookup(name).is_none() {
                self.handled.insert(operand.id());
            }
        }
        if self.handled.contains(&node.id()) {
            return;
        }
        let expr = self.expr(node, b);
        if let Some(field) = node.child_by_field_name("field") {
            b.add_ref(RefKind::Read, field, expr, 0, None);
        }
    }

    pub(super) fn identifier(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        let text = b.text(node);
        if matches!(text, "" | "_") || is_predeclared_type(text) {
            return;
        }
        let name = b.sym(text);
        if self.locals.lookup(name).is_some() || self.type_param(name).is_some() {
            return;
        }
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    pub(super) fn type_name(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        let text = b.text(node);
        if text.is_empty() || text == "_" || is_predeclared_type(text) {
            return;
        }
        let name = b.sym(text);
        if self.type_param(name).is_some() {
            return;
        }
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::TypeUse, node, expr, 0, None);
    }

    pub(super) fn qualified_type(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        let (Some(path), Some(name)) = (self.type_path(node, b), node.child_by_field_name("name")) else { return };
        let expr = self.path_expr(&path, b);
        b.add_ref(RefKind::TypeUse, name, expr, 0, None);
    }
}

/// The type's name in `(*T)(x)`.
fn pointer_conversion(function: Node) -> Option<Node> {
    let inner = (function.kind() == "parenthesized_expression").then(|| function.named_child(0)).flatten()?;
    let operand = (inner.kind() == "unary_expression").then(|| inner.child_by_field_name("operand")).flatten()?;
    matches!(operand.kind(), "identifier" | "selector_expression").then_some(operand)
}

/// Arguments given; unknown where one may stand for several.
fn argument_count(list: Node) -> u16 {
    let mut count = 0u16;
    let mut spread = false;
    let mut cursor = list.walk();
    for argument in list.named_children(&mut cursor) {
        match argument.kind() {
            "comment" => continue,
            "variadic_argument" => spread = true,
            // `f(g())` hands on every result of g.
            "call_expression" if list.named_child_count() == 1 => spread = true,
            _ => {}
        }
        count = count.saturating_add(1);
    }
    if spread { u16::MAX } else { count }
}
