//! Expressions, as far as they can name or type something, and constant strings.

use super::names::{NameKind, is_name};
use super::{DEPTH_MAX, Php, child_of_kind, parts};
use atlas_syntax::{Builder, Expr, ExprId, Literal};
use tree_sitter::Node;

impl Php {
    /// The expression of a node; `Unknown` where it can neither name nor type anything.
    pub(super) fn expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.expr_at(node, b, 0)
    }

    pub(super) fn expr_at(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        if let Some(id) = b.known_expr(node) {
            return id;
        }
        if depth > DEPTH_MAX {
            return 0;
        }
        let depth = depth + 1;
        let expr = match node.kind() {
            "variable_name" => match b.text(node) {
                "$this" => Expr::This,
                text => {
                    let name = self.variable(text, node.start_byte());
                    Expr::Name(b.sym(&name))
                }
            },
            "name" | "qualified_name" | "relative_name" => {
                let name = self.full_name(b.text(node), NameKind::Constant);
                Expr::Name(b.sym(&name))
            }
            "parenthesized_expression" | "error_suppression_expression" | "clone_expression" => {
                return node.named_child(0).map_or(0, |inner| self.expr_at(inner, b, depth));
            }
            "member_access_expression" | "nullsafe_member_access_expression" => self.member_expr(node, b, depth),
            "scoped_property_access_expression" => self.static_property_expr(node, b, depth),
            "class_constant_access_expression" => return self.class_constant_expr(node, b, depth),
            "member_call_expression"
            | "nullsafe_member_call_expression"
            | "scoped_call_expression"
            | "function_call_expression" => {
                let callee = self.callee(node, b, depth);
                let arg0 = self.first_argument(node, b, depth);
                Expr::Call { callee, arg0 }
            }
            "object_creation_expression" => self.made(node, b, depth),
            "assignment_expression" | "reference_assignment_expression" => {
                return node.child_by_field_name("right").map_or(0, |right| self.expr_at(right, b, depth));
            }
            "augmented_assignment_expression" => {
                if node.child_by_field_name("operator").is_none_or(|op| b.text(op) != "??=") {
                    return 0;
                }
                let both = ["left", "right"].map(|field| node.child_by_field_name(field));
                Expr::OneOf(both.into_iter().flatten().map(|one| self.expr_at(one, b, depth)).collect())
            }
            "conditional_expression" => {
                // Without a middle the condition is its own value.
                let first = node.child_by_field_name("body").or(node.child_by_field_name("condition"));
                let count = self.narrowings.len();
                self.narrow_conditional(node, b);
                let first = first.map(|first| self.expr_at(first, b, depth));
                self.forget_since(count);
                let second = node.child_by_field_name("alternative").map(|other| self.expr_at(other, b, depth));
                Expr::OneOf(first.into_iter().chain(second).collect())
            }
            "binary_expression" => match node.child_by_field_name("operator").map(|op| b.text(op)) {
                Some("??") => {
                    let both = ["left", "right"].map(|field| node.child_by_field_name(field));
                    Expr::OneOf(both.into_iter().flatten().map(|one| self.expr_at(one, b, depth)).collect())
                }
                Some(".") => Expr::Literal(Literal::String),
                Some("+" | "-" | "*" | "/" | "%" | "**" | "<=>" | "&" | "|" | "^" | "<<" | ">>") => {
                    Expr::Literal(Literal::Number)
                }
                _ => Expr::Literal(Literal::Bool),
            },
            "match_expression" => Expr::OneOf(self.match_values(node, b, depth)),
            "cast_expression" => match node.child_by_field_name("type").map(|ty| b.text(ty).to_ascii_lowercase()) {
                Some(ty) if ty.contains("string") => Expr::Literal(Literal::String),
                Some(ty) if ty.contains("bool") => Expr::Literal(Literal::Bool),
                Some(ty) if ty.contains("int") || ty.contains("float") => Expr::Literal(Literal::Number),
                Some(ty) if ty.contains("array") => {
                    let value = node.child_by_field_name("value");
                    return value.map_or(0, |value| self.expr_at(value, b, depth));
                }
                _ => Expr::Unknown,
            },
            "subscript_expression" => match node.named_child(0) {
                Some(base) => Expr::Index(self.expr_at(base, b, depth)),
                None => Expr::Unknown,
            },
            "array_creation_expression" => self.array(node, b, depth),
            "anonymous_function" | "arrow_function" => Expr::Literal(Literal::Function),
            "string" | "encapsed_string" | "heredoc" | "nowdoc" => Expr::Literal(Literal::String),
            "integer" | "float" => Expr::Literal(Literal::Number),
            "boolean" => Expr::Literal(Literal::Bool),
            "null" => Expr::Literal(Literal::Null),
            "unary_op_expression" => match node.child_by_field_name("operator").map(|op| b.text(op)) {
                Some("!") => Expr::Literal(Literal::Bool),
                _ => Expr::Literal(Literal::Number),
            },
            _ => Expr::Unknown,
        };
        if expr == Expr::Unknown {
            return 0;
        }
        b.expr_of(node, |_| expr)
    }

    /// What a call calls.
    pub(super) fn callee(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        match node.kind() {
            "function_call_expression" => {
                let Some(function) = node.child_by_field_name("function") else { return 0 };
                if is_name(function) {
                    let name = self.full_name(b.text(function), NameKind::Function);
                    let name = b.sym(&name);
                    return b.expr(Expr::Name(name));
                }
                self.expr_at(function, b, depth)
            }
            "scoped_call_expression" => {
                let (Some(scope), Some(name)) = (node.child_by_field_name("scope"), node.child_by_field_name("name"))
                else {
                    return 0;
                };
                if name.kind() != "name" {
                    return 0;
                }
                let base = self.scope_expr(scope, b, depth);
                let name = b.sym_of(name);
                b.expr(Expr::Member { base, name })
            }
            _ => {
                let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("name"))
                else {
                    return 0;
                };
                if name.kind() != "name" {
                    return 0;
                }
                let base = self.expr_at(object, b, depth);
                let name = b.sym_of(name);
                b.expr(Expr::Member { base, name })
            }
        }
    }

    /// What stands before `::`: a class, or a value that is one or an instance of one.
    pub(super) fn scope_expr(&mut self, scope: Node, b: &mut Builder, depth: u32) -> ExprId {
        if is_name(scope) || scope.kind() == "relative_scope" {
            self.class_expr(scope, b)
        } else {
            self.expr_at(scope, b, depth)
        }
    }

    fn member_expr(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("name")) else {
            return Expr::Unknown;
        };
        if name.kind() != "name" {
            return Expr::Unknown;
        }
        let base = self.expr_at(object, b, depth);
        if base == 0 {
            return Expr::Unknown;
        }
        Expr::Member { base, name: b.sym_of(name) }
    }

    fn static_property_expr(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let (Some(scope), Some(name)) = (node.child_by_field_name("scope"), node.child_by_field_name("name")) else {
            return Expr::Unknown;
        };
        if name.kind() != "variable_name" {
            return Expr::Unknown;
        }
        let base = self.scope_expr(scope, b, depth);
        let name = b.sym(b.text(name).trim_start_matches('$'));
        Expr::Member { base, name }
    }

    /// `A::B`; `A::class` is the class itself.
    pub(super) fn class_constant_expr(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        let all = parts(node);
        let [scope, name] = all.as_slice() else { return 0 };
        let base = self.scope_expr(*scope, b, depth);
        if name.kind() != "name" {
            return 0;
        }
        if b.text(*name).eq_ignore_ascii_case("class") {
            return base;
        }
        let name = b.sym_of(*name);
        b.expr_of(node, |_| Expr::Member { base, name })
    }

    /// `new A(…)`.
    fn made(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        if let Some(&def) = self.anonymous.get(&node.id()) {
            return Expr::Made(def);
        }
        if child_of_kind(node, "anonymous_class").is_some() {
            // Known once the class has been met.
            return Expr::New(0);
        }
        let Some(of) = parts(node).into_iter().next() else { return Expr::Unknown };
        if is_name(of) || of.kind() == "relative_scope" {
            return Expr::New(self.class_type(of, b));
        }
        let _ = (depth, of);
        Expr::Unknown
    }

    fn match_values(&mut self, node: Node, b: &mut Builder, depth: u32) -> Vec<ExprId> {
        const VALUES_MAX: usize = 16;
        let Some(body) = node.child_by_field_name("body") else { return Vec::new() };
        let mut values = Vec::new();
        for arm in parts(body).into_iter().take(VALUES_MAX) {
            if let Some(value) = arm.child_by_field_name("return_expression")
                && value.kind() != "throw_expression"
            {
                values.push(self.expr_at(value, b, depth));
            }
        }
        values
    }

    fn array(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        const ELEMENTS_MAX: usize = 16;
        let mut values = Vec::new();
        for element in parts(node).into_iter().take(ELEMENTS_MAX) {
            if let Some(value) = parts(element).last().filter(|value| value.kind() != "variadic_unpacking") {
                let value = self.expr_at(*value, b, depth);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        values.retain(|&value| value != 0);
        if values.is_empty() { Expr::Literal(Literal::List) } else { Expr::Elements(values) }
    }

    fn first_argument(&mut self, node: Node, b: &mut Builder, depth: u32) -> Option<ExprId> {
        let first = parts(node.child_by_field_name("arguments")?).into_iter().next()?;
        let value = parts(first).last().copied()?;
        Some(self.expr_at(value, b, depth)).filter(|&id| id != 0)
    }
}

/// Bytes of one constant string that are kept.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// What a string literal says; parts that are not constant are `?`.
pub(super) fn literal_text(node: Node, b: &Builder) -> Option<String> {
    let inner = match node.kind() {
        "string" | "encapsed_string" => node,
        "heredoc" | "nowdoc" => node.child_by_field_name("value")?,
        _ => return None,
    };
    let mut text = String::new();
    for part in parts(inner) {
        match part.kind() {
            "string_content" | "nowdoc_string" => text.push_str(b.text(part)),
            "escape_sequence" => text.push_str(match b.text(part) {
                "\\n" | "\\r" | "\\t" => " ",
                "\\\"" => "\"",
                "\\'" => "'",
                "\\\\" => "\\",
                _ => "",
            }),
            _ => text.push('?'),
        }
        if text.len() > TEXT_BYTES_MAX {
            break;
        }
    }
    Some(text)
}
