//! Expressions as far as they can name or type something.

use super::{DEPTH_MAX, RustExtractor};
use atlas_syntax::{Builder, Expr, ExprId, Literal, Sym};
use tree_sitter::Node;

/// Branches of one expression that are kept.
const BRANCHES_MAX: usize = 6;

impl RustExtractor {
    /// The expression of a node. A chain of calls and fields is built from its innermost link
    /// outwards, so that no chain is too long.
    pub(super) fn expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.expr_within(node, b, 0).0
    }

    /// As [`RustExtractor::expr`], where a value is wanted: a type's name alone makes an instance (a
    /// unit struct, a variant), which a path to call or a prefix of one does not.
    pub(super) fn value(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.value_within(node, b, 0).0
    }

    fn value_within(&mut self, node: Node, b: &mut Builder, depth: u32) -> (ExprId, bool) {
        let mut at = node;
        for _ in 0..8 {
            match at.kind() {
                "reference_expression" => match at.child_by_field_name("value") {
                    Some(inner) => at = inner,
                    None => break,
                },
                "parenthesized_expression" => match at.named_child(0) {
                    Some(inner) => at = inner,
                    None => break,
                },
                _ => break,
            }
        }
        if matches!(at.kind(), "identifier" | "scoped_identifier") {
            let name = b.text(at.child_by_field_name("name").unwrap_or(at));
            let is_type = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
            if is_type && name != "None" {
                let ty = self.ty(at, b);
                return (b.expr(Expr::New(ty)), false);
            }
        }
        self.expr_within(node, b, depth)
    }

    /// The expression, and whether it may say more once the walk has left the node.
    fn expr_within(&mut self, node: Node, b: &mut Builder, depth: u32) -> (ExprId, bool) {
        let mut links = vec![node];
        let mut made = (0, false);
        while let Some(&last) = links.last() {
            if let Some(&known) = self.exprs.get(&last.id()) {
                made = (known, false);
                links.pop();
                break;
            }
            match base_of(last) {
                Some(next) => links.push(next),
                None => break,
            }
        }
        while let Some(link) = links.pop() {
            let (expr, early) = self.link(link, made, b, depth);
            if !early {
                self.exprs.insert(link.id(), expr);
            }
            made = (expr, early);
        }
        made
    }

    /// One link of a chain on top of what [`base_of`] it gave.
    fn link(&mut self, node: Node, inner: (ExprId, bool), b: &mut Builder, depth: u32) -> (ExprId, bool) {
        let (base, early) = inner;
        let made = match node.kind() {
            "identifier"
            | "self"
            | "crate"
            | "super"
            | "metavariable"
            | "scoped_identifier"
            | "type_identifier"
            | "scoped_type_identifier"
            | "primitive_type" => self.path_expr(node, b),
            "field_expression" => match node.child_by_field_name("field") {
                Some(field) => {
                    let name = b.sym_of(field);
                    b.expr(Expr::Member { base, name })
                }
                None => 0,
            },
            "generic_function" => base,
            "call_expression" => return self.call_expr(node, inner, b, depth),
            "try_expression" => self.asked(base, "#try", b),
            "await_expression" if base != 0 => b.expr(Expr::Await(base)),
            "index_expression" => self.asked(base, "#index", b),
            "reference_expression" | "parenthesized_expression" => base,
            "unary_expression" if b.source.get(node.start_byte()) == Some(&b'!') => base,
            "unary_expression" => base,
            "type_cast_expression" => match node.child_by_field_name("type") {
                Some(ty) => {
                    let ty = self.ty(ty, b);
                    b.expr(Expr::Cast(ty))
                }
                None => 0,
            },
            "struct_expression" => match node.child_by_field_name("name") {
                Some(name) => {
                    let ty = self.ty(name, b);
                    b.expr(Expr::New(ty))
                }
                None => 0,
            },
            "closure_expression" => b.expr(Expr::Literal(Literal::Function)),
            "string_literal" | "raw_string_literal" => b.expr(Expr::Literal(Literal::String)),
            "integer_literal" | "float_literal" | "char_literal" => b.expr(Expr::Literal(Literal::Number)),
            "boolean_literal" => b.expr(Expr::Literal(Literal::Bool)),
            "binary_expression" => return self.binary(node, inner, b),
            "array_expression" => return self.array(node, b, depth),
            "tuple_expression" => return self.tuple(node, b, depth),
            "macro_invocation" => self.macro_value(node, b),
            "range_expression" => {
                let ty = b.ty_path(&["Range"]);
                b.expr(Expr::Cast(ty))
            }
            // What these give is known when the walk has left them.
            "block" | "unsafe_block" | "async_block" | "if_expression" | "match_expression" => {
                return self.branches(node, b);
            }
            _ => 0,
        };
        (made, early)
    }

    fn call_expr(&mut self, node: Node, inner: (ExprId, bool), b: &mut Builder, depth: u32) -> (ExprId, bool) {
        let (callee, early) = inner;
        let Some(function) = node.child_by_field_name("function") else { return (0, early) };
        // `collect::<Vec<T>>()`, `parse::<T>()`: the type is written.
        if let Some(ty) = turbofish_result(function, b) {
            let ty = self.ty(ty, b);
            return (b.expr(Expr::Cast(ty)), false);
        }
        if callee == 0 {
            return (0, early);
        }
        let first = node.child_by_field_name("arguments").and_then(|list| {
            let mut cursor = list.walk();
            list.named_children(&mut cursor).find(|child| !matches!(child.kind(), "line_comment" | "block_comment"))
        });
        let (arg0, early_arg) = match first {
            Some(first) if depth < DEPTH_MAX => self.value_within(first, b, depth + 1),
            _ => (0, false),
        };
        let arg0 = (arg0 != 0).then_some(arg0);
        (b.expr(Expr::Call { callee, arg0 }), early || early_arg)
    }

    /// Comparisons are booleans; arithmetic is taken to give what stands on its left.
    fn binary(&mut self, node: Node, inner: (ExprId, bool), b: &mut Builder) -> (ExprId, bool) {
        let operator = node.child_by_field_name("operator").map_or("", |operator| operator.kind());
        match operator {
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => (b.expr(Expr::Literal(Literal::Bool)), false),
            _ if matches!(b.facts().expr(inner.0), Expr::Literal(_)) => inner,
            _ => (0, inner.1),
        }
    }

    fn array(&mut self, node: Node, b: &mut Builder, depth: u32) -> (ExprId, bool) {
        let first = node.named_child(0).filter(|_| depth < DEPTH_MAX);
        let (first, early) = first.map_or((0, false), |first| self.value_within(first, b, depth + 1));
        (self.list_of(first, b), early)
    }

    /// A list whose elements are this expression.
    pub(super) fn list_of(&mut self, element: ExprId, b: &mut Builder) -> ExprId {
        match element {
            0 => b.expr(Expr::Literal(Literal::List)),
            element => b.expr(Expr::Elements(vec![element])),
        }
    }

    /// A tuple is asked for by its parts, which the linker gets one at a time.
    fn tuple(&mut self, node: Node, b: &mut Builder, depth: u32) -> (ExprId, bool) {
        if depth >= DEPTH_MAX {
            return (0, false);
        }
        let mut cursor = node.walk();
        let parts: Vec<Node> =
            node.named_children(&mut cursor).filter(|part| part.kind() != "attribute_item").take(12).collect();
        let mut early = false;
        let mut all = Vec::new();
        for part in parts {
            let (expr, early_part) = self.value_within(part, b, depth + 1);
            early |= early_part;
            all.push(expr);
        }
        (b.expr(Expr::Tuple(all)), early)
    }

    /// The branches of an expression that ends with blocks, as far as the walk has left them.
    fn branches(&mut self, node: Node, b: &mut Builder) -> (ExprId, bool) {
        let mut found = Vec::new();
        let mut early = false;
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if found.len() >= BRANCHES_MAX {
                break;
            }
            match node.kind() {
                "if_expression" => {
                    let alternative = node.child_by_field_name("alternative").and_then(|clause| clause.named_child(0));
                    stack.extend(alternative);
                    stack.extend(node.child_by_field_name("consequence"));
                }
                "match_expression" => {
                    let Some(body) = node.child_by_field_name("body") else { continue };
                    let mut cursor = body.walk();
                    let arms: Vec<Node> = body
                        .named_children(&mut cursor)
                        .filter_map(|arm| arm.child_by_field_name("value"))
                        .take(4 * BRANCHES_MAX)
                        .collect();
                    stack.extend(arms.into_iter().rev());
                }
                "unsafe_block" | "async_block" => stack.extend(last_named(node)),
                _ => match self.exprs.get(&node.id()) {
                    Some(0) => {}
                    Some(&known) => found.push(known),
                    None => early = true,
                },
            }
        }
        found.dedup();
        let made = match found.as_slice() {
            [] => 0,
            [one] => *one,
            _ => b.expr(Expr::OneOf(found)),
        };
        (made, early)
    }

    /// The value of a block is that of its last expression.
    pub(super) fn block_value(&mut self, node: Node, b: &mut Builder) {
        let tail = last_named(node).and_then(|last| match last.kind() {
            // An `if` or `match` that ends a block has no semicolon, and is its value.
            "expression_statement" if last.child_count() == 1 => last.named_child(0),
            kind => is_value(kind).then_some(last),
        });
        let value = tail.map_or(0, |tail| self.value(tail, b));
        self.exprs.insert(node.id(), value);
    }

    /// The expression of a path: names joined, `Self` and type parameters put in.
    pub(super) fn path_expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        match node.kind() {
            "self" => match self.impls.last().and_then(|open| open.this) {
                Some(bounds) => b.expr(Expr::Cast(bounds)),
                None => b.expr(Expr::This),
            },
            "identifier" | "type_identifier" | "primitive_type" | "shorthand_field_identifier" => {
                let name = b.sym_of(node);
                if let Some(bound) = self.locals.lookup(name) {
                    return b.expr(Expr::Name(bound));
                }
                let path = self.stands_for(name, b);
                self.names(&path, b)
            }
            "metavariable" if b.text(node) != "$crate" => 0,
            _ => match self.type_path(node, b, 0) {
                Some(path) => self.names(&path, b),
                None => 0,
            },
        }
    }

    pub(super) fn names(&mut self, path: &[Sym], b: &mut Builder) -> ExprId {
        let mut parts = path.iter();
        let Some(&first) = parts.next() else { return 0 };
        let mut expr = b.expr(Expr::Name(first));
        for &name in parts {
            expr = b.expr(Expr::Member { base: expr, name });
        }
        expr
    }

    /// What the standard library's macros give.
    fn macro_value(&mut self, node: Node, b: &mut Builder) -> ExprId {
        let name = node.child_by_field_name("macro").map(|name| b.text(name)).unwrap_or_default();
        match name {
            "format" | "concat" | "stringify" | "env" | "include_str" => b.expr(Expr::Literal(Literal::String)),
            "vec" => {
                let first = node.named_child(1).and_then(|tree| self.first_in_tokens(tree, b));
                self.list_of(first.unwrap_or(0), b)
            }
            "matches" => b.expr(Expr::Literal(Literal::Bool)),
            _ => 0,
        }
    }
}

/// The node on whose expression this one's is built, if any.
fn base_of(node: Node) -> Option<Node> {
    match node.kind() {
        "field_expression" | "type_cast_expression" | "reference_expression" => node.child_by_field_name("value"),
        "call_expression" | "generic_function" => node.child_by_field_name("function"),
        "binary_expression" => node.child_by_field_name("left"),
        "try_expression"
        | "await_expression"
        | "index_expression"
        | "parenthesized_expression"
        | "unary_expression" => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).find(|child| !matches!(child.kind(), "line_comment" | "block_comment"))
        }
        _ => None,
    }
}

/// The type that a call's turbofish says it gives, for functions that are generic in their result alone.
fn turbofish_result<'t>(function: Node<'t>, b: &Builder) -> Option<Node<'t>> {
    if function.kind() != "generic_function" {
        return None;
    }
    let named = function.child_by_field_name("function")?;
    let name = named.child_by_field_name("field").or_else(|| named.child_by_field_name("name")).unwrap_or(named);
    if !matches!(b.text(name), "collect" | "parse" | "into" | "sum" | "product" | "cast" | "try_into") {
        return None;
    }
    let list = function.child_by_field_name("type_arguments")?;
    let ty = list.named_child(0)?;
    // `parse::<T>()` gives a result of T: the caller's `?` or `unwrap` is transparent to a bare type.
    Some(ty)
}

fn last_named(node: Node) -> Option<Node> {
    let mut at = u32::try_from(node.named_child_count()).ok()?;
    while at > 0 {
        at -= 1;
        let child = node.named_child(at)?;
        if !matches!(child.kind(), "line_comment" | "block_comment") {
            return Some(child);
        }
    }
    None
}

/// Whether a node at the end of a block is its value: no statement, no item.
fn is_value(kind: &str) -> bool {
    !(kind.ends_with("_item")
        || kind.ends_with("_statement")
        || kind.ends_with("_declaration")
        || kind == "macro_definition"
        || kind == "function_signature_item")
}
