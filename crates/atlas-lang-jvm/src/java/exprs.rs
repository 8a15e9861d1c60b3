//! Expressions, as far as they can name or type something, and constant strings.

use super::types::{arrays_of, type_of};
use super::{DEPTH_MAX, Java};
use atlas_syntax::{Builder, Expr, ExprId, Literal, Type};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

impl Java {
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
            "identifier" => {
                let name = b.sym_of(node);
                Expr::Name(self.locals.lookup(name).unwrap_or(name))
            }
            "this" => Expr::This,
            "super" => Expr::Super,
            "parenthesized_expression" => return node.named_child(0).map_or(0, |inner| self.expr_at(inner, b, depth)),
            "field_access" => return self.field_expr(node, b, depth),
            "method_invocation" => {
                let callee = self.callee(node, b, depth);
                let arg0 = self.first_argument(node, b, depth);
                Expr::Call { callee, arg0 }
            }
            "object_creation_expression" => match node.child_by_field_name("type") {
                Some(ty) => Expr::New(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "cast_expression" => match node.child_by_field_name("type") {
                Some(ty) => Expr::Cast(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "array_creation_expression" => match node.child_by_field_name("type") {
                Some(ty) => {
                    let element = type_of(ty, b, depth);
                    let mut cursor = node.walk();
                    let dimensions: Vec<Node> = node.children_by_field_name("dimensions", &mut cursor).collect();
                    let array = dimensions.into_iter().fold(element, |of, one| arrays_of(of, Some(one), b));
                    Expr::Cast(array)
                }
                None => Expr::Unknown,
            },
            "class_literal" => {
                let of = node.named_child(0).map_or(0, |ty| type_of(ty, b, depth));
                let class = b.sym("Class");
                Expr::Cast(b.ty(Type::Path { path: vec![class], args: vec![of] }))
            }
            "array_access" => match node.child_by_field_name("array") {
                Some(array) => Expr::Index(self.expr_at(array, b, depth)),
                None => Expr::Unknown,
            },
            "assignment_expression" => {
                return node.child_by_field_name("right").map_or(0, |right| self.expr_at(right, b, depth));
            }
            "ternary_expression" => {
                let both = ["consequence", "alternative"].map(|field| node.child_by_field_name(field));
                let both: Vec<_> = both.into_iter().flatten().map(|one| self.expr_at(one, b, depth)).collect();
                Expr::OneOf(both)
            }
            "switch_expression" => Expr::OneOf(self.switch_values(node, b, depth)),
            "binary_expression" => self.binary(node, b, depth),
            "unary_expression" => match node.child_by_field_name("operator").map(|op| b.text(op)) {
                Some("!") => primitive("boolean", b),
                _ => return node.child_by_field_name("operand").map_or(0, |one| self.expr_at(one, b, depth)),
            },
            "instanceof_expression" | "true" | "false" => primitive("boolean", b),
            "update_expression" => {
                return node.named_child(0).map_or(0, |one| self.expr_at(one, b, depth));
            }
            "string_literal" | "template_expression" => Expr::Literal(Literal::String),
            "character_literal" => primitive("char", b),
            "null_literal" => Expr::Literal(Literal::Null),
            "lambda_expression" | "method_reference" => Expr::Literal(Literal::Function),
            "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
                let long = b.text(node).ends_with(['l', 'L']);
                primitive(if long { "long" } else { "int" }, b)
            }
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                let float = b.text(node).ends_with(['f', 'F']);
                primitive(if float { "float" } else { "double" }, b)
            }
            _ => Expr::Unknown,
        };
        if expr == Expr::Unknown {
            return 0;
        }
        b.expr_of(node, |_| expr)
    }

    /// What a method invocation calls: `name`, or `name` of its object.
    pub(super) fn callee(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        let Some(name) = node.child_by_field_name("name") else { return 0 };
        let name = b.sym_of(name);
        let Some(object) = node.child_by_field_name("object") else { return b.expr(Expr::Name(name)) };
        // `A.super.f()` calls the method that A, an enclosing class or an interface, gives.
        let mut cursor = node.walk();
        let qualified_super =
            object.kind() != "super" && node.named_children(&mut cursor).any(|child| child.kind() == "super");
        let base = if qualified_super { b.expr(Expr::Super) } else { self.expr_at(object, b, depth) };
        b.expr(Expr::Member { base, name })
    }

    fn first_argument(&mut self, node: Node, b: &mut Builder, depth: u32) -> Option<ExprId> {
        let first = node.child_by_field_name("arguments")?.named_child(0)?;
        Some(self.expr_at(first, b, depth)).filter(|&id| id != 0)
    }

    /// `a.b`; `A.this` is an instance of A.
    pub(super) fn field_expr(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        let (Some(object), Some(field)) = (node.child_by_field_name("object"), node.child_by_field_name("field"))
        else {
            return 0;
        };
        if field.kind() == "this" {
            let path = b.text(object).split('.').map(|part| part.trim().to_owned()).collect::<Vec<_>>();
            let path = path.iter().map(String::as_str).collect::<Vec<_>>();
            let ty = b.ty_path(&path);
            return b.expr_of(node, |_| Expr::Cast(ty));
        }
        let base = self.expr_at(object, b, depth);
        let name = b.sym_of(field);
        b.expr_of(node, |_| Expr::Member { base, name })
    }

    fn binary(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let operator = node.child_by_field_name("operator").map_or("", |op| b.text(op));
        match operator {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => primitive("boolean", b),
            "+" => {
                // A sum is a string as soon as one side is; the left side is looked at down its whole length.
                let mut left = Some(node);
                let mut texts = 0;
                while let Some(sum) = left.filter(|left| left.kind() == "binary_expression" && texts < DEPTH_MAX) {
                    texts += 1;
                    if sum.child_by_field_name("right").is_some_and(|right| right.kind() == "string_literal") {
                        return Expr::Literal(Literal::String);
                    }
                    left = sum.child_by_field_name("left");
                }
                if left.is_some_and(|left| left.kind() == "string_literal") {
                    return Expr::Literal(Literal::String);
                }
                self.arithmetic(node, b, depth)
            }
            _ => self.arithmetic(node, b, depth),
        }
    }

    /// The wider of two primitive types where both are literally known, else nothing.
    fn arithmetic(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let sides = ["left", "right"].map(|field| node.child_by_field_name(field));
        let mut widest = 0;
        for side in sides {
            let Some(id) = side.map(|side| self.expr_at(side, b, depth)) else { return Expr::Unknown };
            let Some(width) = width_of(id, b) else { return Expr::Unknown };
            widest = widest.max(width);
        }
        primitive(["int", "long", "float", "double"][widest], b)
    }
}

/// How wide a primitive an expression is, as an index into `int`, `long`, `float`, `double`.
fn width_of(id: ExprId, b: &Builder) -> Option<usize> {
    let Expr::Cast(ty) = b.facts().expr(id) else { return None };
    let Type::Path { path, .. } = b.facts().ty(*ty) else { return None };
    match b.str(*path.first()?) {
        "int" | "short" | "byte" | "char" => Some(0),
        "long" => Some(1),
        "float" => Some(2),
        "double" => Some(3),
        _ => None,
    }
}

/// A value of a primitive type.
fn primitive(name: &str, b: &mut Builder) -> Expr {
    Expr::Cast(b.ty_path(&[name]))
}

/// Bytes of one constant string that are kept.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// The text of a string literal, a constant of this file, or a sum that begins with one; parts that
/// are not constant are `?`. None if no part of it is a literal.
pub(super) fn string_value(node: Node, constants: &FxHashMap<String, String>, b: &Builder) -> Option<String> {
    let mut parts = Vec::new();
    let mut left = node;
    while left.kind() == "binary_expression" {
        if left.child_by_field_name("operator").is_none_or(|op| b.text(op) != "+") {
            return None;
        }
        parts.push(left.child_by_field_name("right")?);
        left = left.child_by_field_name("left")?;
    }
    parts.push(left);
    let mut text = String::new();
    let mut literal = false;
    for part in parts.into_iter().rev() {
        match part.kind() {
            "string_literal" => {
                literal = true;
                text.push_str(&literal_text(part, b));
            }
            "identifier" if constants.contains_key(b.text(part)) => {
                literal = true;
                text.push_str(&constants[b.text(part)]);
            }
            _ => text.push('?'),
        }
        if text.len() > TEXT_BYTES_MAX {
            break;
        }
    }
    literal.then_some(text)
}

/// What a string literal or text block says; escapes that matter to SQL and routes are undone.
pub(super) fn literal_text(node: Node, b: &Builder) -> String {
    let mut text = String::new();
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor) {
        match part.kind() {
            "string_fragment" | "multiline_string_fragment" => text.push_str(b.text(part)),
            "escape_sequence" => text.push_str(match b.text(part) {
                "\\n" | "\\r" | "\\t" | "\\s" => " ",
                "\\\"" => "\"",
                "\\'" => "'",
                "\\\\" => "\\",
                _ => "",
            }),
            _ => text.push('?'),
        }
    }
    text
}
