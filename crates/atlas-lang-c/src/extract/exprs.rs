//! Expressions, as far as they can name or type something, and constant strings.

use super::declarations::called_parameters;
use super::types::{name_path, path_expr, type_of};
use super::{C, DEPTH_MAX};
use atlas_syntax::{Builder, Expr, ExprId, Literal, Type};
use tree_sitter::Node;

/// Casts that are written as calls of templates.
const CASTS: [&str; 6] =
    ["const_cast", "dynamic_cast", "dynamic_pointer_cast", "reinterpret_cast", "static_cast", "static_pointer_cast"];

/// Templates that make an instance of their argument.
const MAKERS: [&str; 7] = [
    "MakeUnique",
    "WrapUnique",
    "allocate_shared",
    "make_intrusive",
    "make_shared",
    "make_unique",
    "make_unique_for_overwrite",
];

impl C {
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
        let through = |field: &str, this: &mut Self, b: &mut Builder| {
            node.child_by_field_name(field).map_or(0, |inner| this.expr_at(inner, b, depth))
        };
        let expr = match node.kind() {
            "identifier" | "field_identifier" => {
                let name = b.sym_of(node);
                Expr::Name(self.locals.lookup(name).unwrap_or(name))
            }
            "this" => Expr::This,
            "parenthesized_expression" => return node.named_child(0).map_or(0, |inner| self.expr_at(inner, b, depth)),
            // An argument that reads as a parameter.
            "parameter_declaration" => {
                let ty = node.child_by_field_name("type");
                let Some((parts, _, rooted)) = ty.and_then(name_path) else { return 0 };
                let name = match parts.as_slice() {
                    [one] if !rooted => {
                        let name = b.sym_of(*one);
                        let name = self.locals.lookup(name).unwrap_or(name);
                        b.expr(Expr::Name(name))
                    }
                    _ => path_expr(&parts, rooted, b),
                };
                if called_parameters(node).is_none() {
                    return name;
                }
                Expr::Call { callee: name, arg0: None }
            }
            "qualified_identifier" | "template_function" | "dependent_name" => match name_path(node) {
                Some((parts, _, rooted)) => return self.name_expr(node, &parts, rooted, b),
                None => Expr::Unknown,
            },
            "field_expression" => return self.member_expr(node, b, depth),
            "call_expression" => return self.call_expr(node, b, depth),
            "new_expression" => match node.child_by_field_name("type") {
                Some(ty) => Expr::New(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "compound_literal_expression" => match node.child_by_field_name("type") {
                Some(ty) => Expr::New(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "cast_expression" => match node.child_by_field_name("type") {
                Some(ty) => Expr::Cast(type_of(ty, b, depth)),
                None => Expr::Unknown,
            },
            "subscript_expression" => Expr::Index(through("argument", self, b)),
            "pointer_expression" => {
                let deref = node.child_by_field_name("operator").is_some_and(|op| b.text(op) == "*");
                let inner = through("argument", self, b);
                if !deref || inner == 0 {
                    return inner;
                }
                Expr::Await(inner)
            }
            "assignment_expression" | "comma_expression" => return through("right", self, b),
            "update_expression" | "co_await_expression" | "parameter_pack_expansion" => {
                return through("argument", self, b);
            }
            "conditional_expression" => {
                let both = [through("consequence", self, b), through("alternative", self, b)];
                Expr::OneOf(both.into_iter().filter(|&id| id != 0).collect())
            }
            "binary_expression" => match node.child_by_field_name("operator").map(|op| b.text(op)) {
                Some("==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") => Expr::Literal(Literal::Bool),
                _ => Expr::Unknown,
            },
            "unary_expression" => match node.child_by_field_name("operator").map(|op| b.text(op)) {
                Some("!" | "not") => Expr::Literal(Literal::Bool),
                _ => return through("argument", self, b),
            },
            "string_literal" | "raw_string_literal" | "concatenated_string" => Expr::Literal(Literal::String),
            "number_literal" | "char_literal" => Expr::Cast(number_type(node, b)),
            "true" | "false" => Expr::Literal(Literal::Bool),
            "null" | "nullptr" => Expr::Literal(Literal::Null),
            "lambda_expression" => Expr::Literal(Literal::Function),
            "initializer_list" => Expr::Literal(Literal::List),
            _ => Expr::Unknown,
        };
        if expr == Expr::Unknown || expr == Expr::Index(0) {
            return 0;
        }
        b.expr_of(node, |_| expr)
    }

    fn name_expr(&mut self, node: Node, parts: &[Node], rooted: bool, b: &mut Builder) -> ExprId {
        if let [one] = parts
            && !rooted
        {
            let name = b.sym_of(*one);
            let name = self.locals.lookup(name).unwrap_or(name);
            return b.expr_of(node, |_| Expr::Name(name));
        }
        path_expr(parts, rooted, b)
    }

    /// `a.b`, `a->b`, `a.Base::b`.
    pub(super) fn member_expr(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        if let Some(id) = b.known_expr(node) {
            return id;
        }
        let (Some(argument), Some(field)) = (node.child_by_field_name("argument"), node.child_by_field_name("field"))
        else {
            return 0;
        };
        let base = if depth > DEPTH_MAX { 0 } else { self.expr_at(argument, b, depth + 1) };
        let arrow = node.child_by_field_name("operator").is_some_and(|op| b.text(op) == "->");
        let base =
            if arrow && base != 0 && *b.facts().expr(base) != Expr::This { b.expr(Expr::Await(base)) } else { base };
        let Some((parts, _, _)) = name_path(field) else { return 0 };
        let Some(last) = parts.last() else { return 0 };
        let name = b.sym_of(*last);
        // `p->Base::f()` calls the member of Base.
        let base = if parts.len() > 1 { path_expr(&parts[..parts.len() - 1], false, b) } else { base };
        b.expr_of(node, |_| Expr::Member { base, name })
    }

    fn call_expr(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        let Some(function) = node.child_by_field_name("function") else { return 0 };
        if let Some(ty) = cast_type(function, b) {
            let ty = type_of(ty, b, depth);
            return b.expr_of(node, |_| Expr::Cast(ty));
        }
        if let Some(ty) = made_type(function, b) {
            let made = type_of(ty, b, depth);
            let wrapper = if b.text(function).contains("hared") { "shared_ptr" } else { "unique_ptr" };
            let path = ["std", wrapper].map(|part| b.sym(part)).to_vec();
            let ty = b.ty(Type::Path { path, args: vec![made] });
            return b.expr_of(node, |_| Expr::New(ty));
        }
        let first = node.child_by_field_name("arguments").and_then(|list| list.named_child(0));
        // `std::move(x)` and its like are x.
        if let Some(first) = first.filter(|_| is_identity(function, b)) {
            return self.expr_at(first, b, depth);
        }
        // A call of a template with explicit arguments makes what a constructor call makes.
        if matches!(function.kind(), "template_type") {
            let ty = type_of(function, b, depth);
            return b.expr_of(node, |_| Expr::New(ty));
        }
        let callee = self.expr_at(function, b, depth);
        if callee == 0 {
            return 0;
        }
        let arg0 = first.map(|first| self.expr_at(first, b, depth)).filter(|&id| id != 0);
        b.expr_of(node, |_| Expr::Call { callee, arg0 })
    }
}

/// The type that a call casts to, if it is a cast.
pub(super) fn cast_type<'t>(function: Node<'t>, b: &Builder) -> Option<Node<'t>> {
    let (parts, args, _) = name_path(function)?;
    CASTS.binary_search(&b.text(*parts.last()?)).ok()?;
    args?.named_child(0)
}

/// The type that a call makes an instance of: T of `std::make_unique<T>(…)`.
pub(super) fn made_type<'t>(function: Node<'t>, b: &Builder) -> Option<Node<'t>> {
    let (parts, args, _) = name_path(function)?;
    MAKERS.binary_search(&b.text(*parts.last()?)).ok()?;
    args?.named_child(0)
}

/// Whether a function gives back its first argument as it is.
fn is_identity(function: Node, b: &Builder) -> bool {
    matches!(
        b.text(function),
        "std::move" | "move" | "std::ref" | "std::cref" | "std::as_const" | "std::addressof" | "likely" | "unlikely"
    ) || (b.text(function).starts_with("std::forward<"))
}

fn number_type(node: Node, b: &mut Builder) -> atlas_syntax::TypeId {
    let text = b.text(node);
    let name = if node.kind() == "char_literal" {
        "char"
    } else if !text.starts_with("0x") && !text.starts_with("0X") && text.contains(['.', 'e', 'E']) {
        if text.ends_with(['f', 'F']) { "float" } else { "double" }
    } else if text.ends_with(['l', 'L']) {
        "long"
    } else {
        "int"
    };
    b.ty_path(&[name])
}

/// Bytes of one constant string that are kept.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// What a string literal says; what stands between the parts of a concatenation is `?`.
pub(super) fn literal_text(node: Node, b: &Builder) -> String {
    let mut text = String::new();
    let mut cursor = node.walk();
    match node.kind() {
        "concatenated_string" => {
            for part in node.named_children(&mut cursor) {
                match part.kind() {
                    "string_literal" | "raw_string_literal" => text.push_str(&literal_text(part, b)),
                    _ => text.push('?'),
                }
                if text.len() > TEXT_BYTES_MAX {
                    break;
                }
            }
        }
        _ => {
            for part in node.named_children(&mut cursor) {
                match part.kind() {
                    "string_content" | "raw_string_content" => text.push_str(b.text(part)),
                    "escape_sequence" => text.push_str(match b.text(part) {
                        "\\n" | "\\r" | "\\t" => " ",
                        "\\\"" => "\"",
                        "\\'" => "'",
                        "\\\\" => "\\",
                        _ => "",
                    }),
                    _ => {}
                }
            }
        }
    }
    text
}
