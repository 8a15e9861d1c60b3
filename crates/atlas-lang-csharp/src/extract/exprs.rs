//! Expressions, as far as they can name or type something, and constant strings.

use super::types::type_of;
use super::{CSharp, DEPTH_MAX, parts};
use atlas_syntax::{Builder, Expr, ExprId, Literal, Type};
use tree_sitter::Node;

impl CSharp {
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
        let field = |name: &str| node.child_by_field_name(name);
        let expr = match node.kind() {
            "identifier" => {
                let name = b.sym_of(node);
                Expr::Name(self.locals.lookup(name).unwrap_or(name))
            }
            "generic_name" => match node.named_child(0) {
                Some(name) => Expr::Name(b.sym_of(name)),
                None => Expr::Unknown,
            },
            "predefined_type" => Expr::Name(b.sym_of(node)),
            "alias_qualified_name" | "qualified_name" => {
                let ty = type_of(node, b, depth);
                match b.facts().ty(ty).clone() {
                    Type::Path { path, .. } => return super::types::path_expr(&path, b),
                    _ => Expr::Unknown,
                }
            }
            "this_expression" | "this" => Expr::This,
            "base_expression" | "base" => Expr::Super,
            "parenthesized_expression" | "checked_expression" | "ref_expression" => {
                return node.named_child(0).map_or(0, |inner| self.expr_at(inner, b, depth));
            }
            "member_access_expression" => {
                let (Some(base), Some(name)) = (field("expression"), field("name")) else { return 0 };
                let base = self.expr_at(base, b, depth);
                Expr::Member { base, name: b.sym_of(plain_name(name)) }
            }
            "member_binding_expression" => {
                let Some(name) = field("name") else { return 0 };
                let base = self.accesses.last().map_or(0, |&(_, base)| base);
                Expr::Member { base, name: b.sym_of(plain_name(name)) }
            }
            "element_binding_expression" => Expr::Index(self.accesses.last().map_or(0, |&(_, base)| base)),
            "conditional_access_expression" => {
                let Some(condition) = field("condition") else { return 0 };
                let Some(rest) = parts(node).into_iter().find(|part| *part != condition) else { return 0 };
                let base = self.expr_at(condition, b, depth);
                self.accesses.push((usize::MAX, base));
                let value = self.expr_at(rest, b, depth);
                self.accesses.pop();
                return value;
            }
            "invocation_expression" => {
                let callee = field("function").map_or(0, |function| self.expr_at(function, b, depth));
                let arg0 = self.first_argument(node, b, depth);
                if callee == 0 { Expr::Unknown } else { Expr::Call { callee, arg0 } }
            }
            "object_creation_expression" => match field("type") {
                Some(ty) => Expr::New(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "cast_expression" | "default_expression" | "array_creation_expression" => match field("type") {
                Some(ty) => Expr::Cast(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "as_expression" => match field("right") {
                Some(ty) => Expr::Cast(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "typeof_expression" => Expr::Cast(b.ty_path(&["Type"])),
            "element_access_expression" => match field("expression") {
                Some(base) => Expr::Index(self.expr_at(base, b, depth)),
                None => Expr::Unknown,
            },
            "assignment_expression" => return field("right").map_or(0, |right| self.expr_at(right, b, depth)),
            "conditional_expression" => {
                let both = [field("consequence"), field("alternative")];
                Expr::OneOf(both.into_iter().flatten().map(|one| self.expr_at(one, b, depth)).collect())
            }
            "await_expression" => match node.named_child(0) {
                Some(inner) => Expr::Await(self.expr_at(inner, b, depth)),
                None => Expr::Unknown,
            },
            "with_expression" => return node.named_child(0).map_or(0, |inner| self.expr_at(inner, b, depth)),
            "tuple_expression" => {
                let values = parts(node)
                    .into_iter()
                    .map(|argument| parts(argument).last().map_or(0, |value| self.expr_at(*value, b, depth)));
                Expr::Tuple(values.collect())
            }
            "switch_expression" => {
                const VALUES_MAX: usize = 16;
                let arms = parts(node).into_iter().filter(|part| part.kind() == "switch_expression_arm");
                let values = arms.take(VALUES_MAX).filter_map(|arm| parts(arm).last().copied());
                let values = values.filter(|value| value.kind() != "throw_expression");
                Expr::OneOf(values.map(|value| self.expr_at(value, b, depth)).collect())
            }
            "binary_expression" => match field("operator").map(|op| b.text(op)) {
                Some("??") => {
                    let both = [field("left"), field("right")];
                    let values = both.into_iter().flatten().filter(|value| value.kind() != "throw_expression");
                    Expr::OneOf(values.map(|one| self.expr_at(one, b, depth)).collect())
                }
                Some("==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") => primitive("bool", b),
                Some("+") if [field("left"), field("right")].iter().flatten().any(|side| is_string(*side)) => {
                    Expr::Literal(Literal::String)
                }
                _ => Expr::Unknown,
            },
            "is_expression" | "is_pattern_expression" | "boolean_literal" => primitive("bool", b),
            "prefix_unary_expression" | "postfix_unary_expression" => match b.text(node).starts_with('!') {
                true => primitive("bool", b),
                false => return node.named_child(0).map_or(0, |inner| self.expr_at(inner, b, depth)),
            },
            "string_literal" | "verbatim_string_literal" | "raw_string_literal" | "interpolated_string_expression" => {
                Expr::Literal(Literal::String)
            }
            "character_literal" => primitive("char", b),
            "integer_literal" => {
                let text = b.text(node);
                primitive(if text.ends_with(['l', 'L']) { "long" } else { "int" }, b)
            }
            "real_literal" => match b.text(node).chars().last() {
                Some('f' | 'F') => primitive("float", b),
                Some('m' | 'M') => primitive("decimal", b),
                _ => primitive("double", b),
            },
            "null_literal" => Expr::Literal(Literal::Null),
            "lambda_expression" | "anonymous_method_expression" => Expr::Literal(Literal::Function),
            "implicit_array_creation_expression" => match node.named_child(0) {
                Some(list) => {
                    let values: Vec<_> =
                        parts(list).into_iter().take(8).map(|value| self.expr_at(value, b, depth)).collect();
                    Expr::Elements(values)
                }
                None => Expr::Unknown,
            },
            _ => Expr::Unknown,
        };
        if expr == Expr::Unknown {
            return 0;
        }
        b.expr_of(node, |_| expr)
    }

    fn first_argument(&mut self, node: Node, b: &mut Builder, depth: u32) -> Option<ExprId> {
        let first = parts(node.child_by_field_name("arguments")?).into_iter().next()?;
        let value = parts(first).last().copied()?;
        Some(self.expr_at(value, b, depth)).filter(|&id| id != 0)
    }
}

/// A value of a built-in type.
fn primitive(name: &str, b: &mut Builder) -> Expr {
    Expr::Cast(b.ty_path(&[name]))
}

/// The identifier of a name that may have type arguments.
pub(super) fn plain_name(name: Node) -> Node {
    if name.kind() == "generic_name" { name.named_child(0).unwrap_or(name) } else { name }
}

pub(super) fn is_string(node: Node) -> bool {
    matches!(
        node.kind(),
        "string_literal" | "verbatim_string_literal" | "raw_string_literal" | "interpolated_string_expression"
    )
}

/// What a string literal says; parts that are not constant are `?`.
pub(super) fn literal_text(node: Node, b: &Builder) -> Option<String> {
    if node.kind() == "verbatim_string_literal" {
        return Some(b.text(node).trim_start_matches('@').trim_matches('"').replace("\"\"", "\""));
    }
    if !is_string(node) {
        return None;
    }
    let mut text = String::new();
    for part in parts(node) {
        match part.kind() {
            "string_literal_content" | "string_content" | "raw_string_content" => text.push_str(b.text(part)),
            "escape_sequence" => text.push_str(match b.text(part) {
                "\\n" | "\\r" | "\\t" => " ",
                "\\\"" => "\"",
                "\\\\" => "\\",
                _ => "",
            }),
            "interpolation" => text.push('?'),
            _ => {}
        }
    }
    Some(text)
}
