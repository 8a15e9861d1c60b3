//! Expressions and types as far as they can name or type something.

use super::{DEPTH_MAX, GoExtractor};
use atlas_syntax::{Builder, Expr, ExprId, Literal, Sym, Type, TypeId};
use tree_sitter::Node;

impl GoExtractor {
    /// The expression of a node. A chain of calls and selectors is built from its innermost link
    /// outwards, so that no chain is too long.
    pub(super) fn expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.expr_within(node, b, 0)
    }

    fn expr_within(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        if let Some(known) = b.known_expr(node) {
            return known;
        }
        let mut links = vec![node];
        let mut inner = None;
        while let Some(next) = links.last().and_then(|&last| base_of(last)) {
            if let Some(known) = b.known_expr(next) {
                inner = Some(known);
                break;
            }
            links.push(next);
        }
        let mut made = inner.unwrap_or(0);
        while let Some(link) = links.pop() {
            let expr = self.link(link, made, b, depth);
            made = b.expr_of(link, |_| expr);
        }
        made
    }

    /// One link of a chain, `inner` being the expression of [`base_of`] it.
    fn link(&mut self, node: Node, inner: ExprId, b: &mut Builder, depth: u32) -> Expr {
        let same = |b: &Builder| b.facts().expr(inner).clone();
        match node.kind() {
            "identifier" | "package_identifier" | "field_identifier" => {
                let name = b.sym_of(node);
                Expr::Name(self.locals.lookup(name).unwrap_or(name))
            }
            "selector_expression" => match node.child_by_field_name("field") {
                Some(field) => Expr::Member { base: inner, name: b.sym_of(field) },
                None => Expr::Unknown,
            },
            "call_expression" => self.call_expr(node, inner, b, depth),
            "index_expression" if self.is_instantiation(node, b) => same(b),
            "index_expression" => Expr::Index(inner),
            "parenthesized_expression" | "slice_expression" | "variadic_argument" => same(b),
            "unary_expression" => match operator(node) {
                "&" | "*" | "+" | "-" | "^" => same(b),
                "<-" => Expr::Element(inner),
                "!" => Expr::Literal(Literal::Bool),
                _ => Expr::Unknown,
            },
            "binary_expression" => match operator(node) {
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => Expr::Literal(Literal::Bool),
                // The operands of arithmetic have one type; an untyped constant takes the other's.
                _ if matches!(b.facts().expr(inner), Expr::Literal(_)) => {
                    let right = node.child_by_field_name("right");
                    match right {
                        Some(right) if depth < DEPTH_MAX => {
                            let right = self.expr_within(right, b, depth + 1);
                            b.facts().expr(right).clone()
                        }
                        _ => Expr::Unknown,
                    }
                }
                _ => same(b),
            },
            "composite_literal" => match node.child_by_field_name("type") {
                Some(ty) => Expr::New(self.ty(ty, b)),
                None => Expr::Unknown,
            },
            "type_conversion_expression"
                if node.child_by_field_name("type").is_some_and(|ty| ty.kind() == "generic_type") =>
            {
                let path = node
                    .child_by_field_name("type")
                    .and_then(|ty| ty.child_by_field_name("type"))
                    .and_then(|named| self.type_path(named, b));
                match path {
                    Some(path) => Expr::Call { callee: self.path_expr(&path, b), arg0: None },
                    None => Expr::Unknown,
                }
            }
            "type_assertion_expression" | "type_conversion_expression" => match node.child_by_field_name("type") {
                Some(ty) => Expr::Cast(self.ty(ty, b)),
                None => Expr::Unknown,
            },
            "type_instantiation_expression" => match node.child_by_field_name("type") {
                Some(ty) => self.link(ty, 0, b, depth),
                None => Expr::Unknown,
            },
            "type_identifier" => Expr::Name(b.sym_of(node)),
            "func_literal" => Expr::Literal(Literal::Function),
            "interpreted_string_literal" | "raw_string_literal" => Expr::Literal(Literal::String),
            "int_literal" | "float_literal" | "imaginary_literal" | "rune_literal" | "iota" => {
                Expr::Literal(Literal::Number)
            }
            "true" | "false" => Expr::Literal(Literal::Bool),
            "nil" => Expr::Literal(Literal::Null),
            _ => Expr::Unknown,
        }
    }

    fn call_expr(&mut self, node: Node, callee: ExprId, b: &mut Builder, depth: u32) -> Expr {
        let first = node.child_by_field_name("arguments").and_then(first_argument);
        if let (Some(function), Some(first)) = (node.child_by_field_name("function"), first)
            && function.kind() == "identifier"
            && let name @ ("new" | "make" | "append" | "string") = b.text(function)
            && self.is_predeclared(function, b)
        {
            return match name {
                "new" => Expr::New(self.ty(first, b)),
                "make" => Expr::Cast(self.ty(first, b)),
                "append" if depth < DEPTH_MAX => {
                    let first = self.expr_within(first, b, depth + 1);
                    b.facts().expr(first).clone()
                }
                _ => Expr::Literal(Literal::String),
            };
        }
        let arg0 = match first {
            Some(first) if depth < DEPTH_MAX => Some(self.expr_within(first, b, depth + 1)),
            _ => None,
        };
        Expr::Call { callee, arg0: arg0.filter(|&id| id != 0) }
    }

    /// Whether this identifier can only be a predeclared name: nothing local hides it.
    pub(super) fn is_predeclared(&mut self, identifier: Node, b: &mut Builder) -> bool {
        let name = b.sym_of(identifier);
        self.locals.lookup(name).is_none()
    }

    /// Whether `f[T]` instantiates a generic function rather than indexes a value: what stands before
    /// the bracket is called, and is neither a local nor a member of one.
    pub(super) fn is_instantiation(&mut self, node: Node, b: &mut Builder) -> bool {
        let (Some(operand), Some(index)) = (node.child_by_field_name("operand"), node.child_by_field_name("index"))
        else {
            return false;
        };
        let called = b.source.get(node.end_byte()) == Some(&b'(');
        let index_is_type = match index.kind() {
            "identifier" => {
                let text = b.text(index);
                is_predeclared_type(text)
                    || self.type_param(b.sym_of(index)).is_some()
                    || (text.starts_with(char::is_uppercase) && self.locals.lookup(b.sym_of(index)).is_none())
            }
            "selector_expression" | "index_expression" => true,
            kind => kind.ends_with("_type"),
        };
        let base = match operand.kind() {
            "identifier" => operand,
            "selector_expression" => match operand.child_by_field_name("operand") {
                Some(base) if base.kind() == "identifier" => {
                    // `pkg.F[T]`: the base must be an import.
                    let name = b.sym_of(base);
                    return called
                        && index_is_type
                        && self.imports.contains(&name)
                        && self.locals.lookup(name).is_none();
                }
                _ => return false,
            },
            _ => return false,
        };
        called && index_is_type && self.is_predeclared(base, b)
    }

    pub(super) fn ty(&mut self, node: Node, b: &mut Builder) -> TypeId {
        self.ty_within(node, b, 0)
    }

    fn ty_within(&mut self, node: Node, b: &mut Builder, depth: u32) -> TypeId {
        if depth > DEPTH_MAX {
            return 0;
        }
        match node.kind() {
            "type_identifier" | "identifier" => {
                let name = b.sym_of(node);
                b.ty(Type::Path { path: vec![name], args: Vec::new() })
            }
            "qualified_type" | "selector_expression" => match self.type_path(node, b) {
                Some(path) => b.ty(Type::Path { path, args: Vec::new() }),
                None => 0,
            },
            "generic_type" => {
                let path = node.child_by_field_name("type").and_then(|ty| self.type_path(ty, b));
                let args = match node.child_by_field_name("type_arguments") {
                    Some(list) => self.type_list(list, b, depth),
                    None => Vec::new(),
                };
                match path {
                    Some(path) => b.ty(Type::Path { path, args }),
                    None => 0,
                }
            }
            "array_type" | "slice_type" | "implicit_length_array_type" => {
                let element = self.ty_field(node, "element", b, depth);
                b.ty(Type::List(element))
            }
            "map_type" => {
                let args = vec![self.ty_field(node, "key", b, depth), self.ty_field(node, "value", b, depth)];
                let path = vec![b.sym("map")];
                b.ty(Type::Path { path, args })
            }
            "channel_type" => {
                let args = vec![self.ty_field(node, "value", b, depth)];
                let path = vec![b.sym("chan")];
                b.ty(Type::Path { path, args })
            }
            "function_type" => {
                let result = self.result_type(node, b);
                b.ty(Type::Function(result))
            }
            "pointer_type"
            | "parenthesized_type"
            | "negated_type"
            | "type_constraint"
            | "type_elem"
            | "unary_expression"
            | "parenthesized_expression" => {
                let mut cursor = node.walk();
                let mut parts = node.named_children(&mut cursor).filter(|n| n.kind() != "comment");
                match (parts.next(), parts.next()) {
                    (Some(one), None) => self.ty_within(one, b, depth + 1),
                    _ => 0,
                }
            }
            "index_expression" => {
                // A generic type with one argument, where an expression may stand.
                let path = node.child_by_field_name("operand").and_then(|ty| self.type_path(ty, b));
                let arg = self.ty_field(node, "index", b, depth);
                match path {
                    Some(path) => b.ty(Type::Path { path, args: vec![arg] }),
                    None => 0,
                }
            }
            _ => 0,
        }
    }

    fn ty_field(&mut self, node: Node, field: &str, b: &mut Builder, depth: u32) -> TypeId {
        node.child_by_field_name(field).map_or(0, |ty| self.ty_within(ty, b, depth + 1))
    }

    fn type_list(&mut self, list: Node, b: &mut Builder, depth: u32) -> Vec<TypeId> {
        let mut cursor = list.walk();
        let nodes: Vec<Node> = list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
        nodes.into_iter().map(|ty| self.ty_within(ty, b, depth + 1)).collect()
    }

    /// `Name` or `pkg.Name` of a type that is named.
    pub(super) fn type_path(&mut self, node: Node, b: &mut Builder) -> Option<Vec<Sym>> {
        match node.kind() {
            "type_identifier" | "identifier" => Some(vec![b.sym_of(node)]),
            "qualified_type" => {
                let (package, name) = (node.child_by_field_name("package")?, node.child_by_field_name("name")?);
                Some(vec![b.sym_of(package), b.sym_of(name)])
            }
            "selector_expression" => {
                let (package, name) = (node.child_by_field_name("operand")?, node.child_by_field_name("field")?);
                (package.kind() == "identifier").then(|| vec![b.sym_of(package), b.sym_of(name)])
            }
            "generic_type" => self.type_path(node.child_by_field_name("type")?, b),
            _ => None,
        }
    }

    /// What a function gives back: its only result, or a tuple of several.
    pub(super) fn result_type(&mut self, node: Node, b: &mut Builder) -> Option<TypeId> {
        let result = node.child_by_field_name("result")?;
        if result.kind() != "parameter_list" {
            return Some(self.ty(result, b));
        }
        let mut types = Vec::new();
        let mut cursor = result.walk();
        let declared: Vec<Node> = result.named_children(&mut cursor).collect();
        for one in declared {
            let Some(ty) = one.child_by_field_name("type") else { continue };
            let mut cursor = one.walk();
            let names = one.children_by_field_name("name", &mut cursor).filter(Node::is_named).count();
            let id = self.ty(ty, b);
            types.extend(std::iter::repeat_n(id, names.max(1)));
        }
        match types[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(b.ty(Type::Tuple(types))),
        }
    }

    /// Some if the name is a type parameter in scope, with its constraint if it has one to speak of.
    pub(super) fn type_param(&self, name: Sym) -> Option<Option<TypeId>> {
        self.type_params.iter().rev().find(|&&(_, param, _)| param == name).map(|&(_, _, constraint)| constraint)
    }

    /// The text of a string literal, escapes of quotes and lines undone.
    pub(super) fn string_value(&self, node: Node, b: &Builder) -> Option<String> {
        let text = b.text(node);
        match node.kind() {
            "raw_string_literal" => Some(text.trim_matches('`').to_owned()),
            "interpreted_string_literal" => {
                let text = text.strip_prefix('"')?.strip_suffix('"')?;
                if !text.contains('\\') {
                    return Some(text.to_owned());
                }
                let mut out = String::with_capacity(text.len());
                let mut chars = text.chars();
                while let Some(c) = chars.next() {
                    match c {
                        '\\' => match chars.next() {
                            Some('n') => out.push('\n'),
                            Some('t') => out.push('\t'),
                            Some('r') => out.push('\r'),
                            Some(other) => out.push(other),
                            None => {}
                        },
                        other => out.push(other),
                    }
                }
                Some(out)
            }
            _ => None,
        }
    }
}

/// The node on whose expression this one's is built, if any.
fn base_of(node: Node) -> Option<Node> {
    match node.kind() {
        "selector_expression" | "index_expression" | "slice_expression" | "unary_expression" => {
            node.child_by_field_name("operand")
        }
        "call_expression" => node.child_by_field_name("function"),
        "binary_expression" => node.child_by_field_name("left"),
        "parenthesized_expression" | "variadic_argument" => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).find(|child| child.kind() != "comment")
        }
        _ => None,
    }
}

pub(super) fn operator<'t>(node: Node<'t>) -> &'t str {
    node.child_by_field_name("operator").map_or("", |operator| operator.kind())
}

pub(super) fn first_argument(list: Node) -> Option<Node> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).find(|child| child.kind() != "comment")
}

/// Types that every Go file knows without an import.
pub(crate) fn is_predeclared_type(name: &str) -> bool {
    matches!(
        name,
        "any"
            | "bool"
            | "byte"
            | "comparable"
            | "complex64"
            | "complex128"
            | "error"
            | "float32"
            | "float64"
            | "int"
            | "int8"
            | "int16"
            | "int32"
            | "int64"
            | "rune"
            | "string"
            | "uint"
            | "uint8"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uintptr"
    )
}

/// Functions that every Go file knows and that programs do not name theirs after.
pub(crate) fn is_predeclared_function(name: &str) -> bool {
    matches!(name, "append" | "cap" | "complex" | "imag" | "len" | "make" | "new" | "panic" | "real" | "recover")
}
