//! Type expressions. Pointers, references and `const` are dropped; arrays are lists.

use super::{C, DEPTH_MAX};
use atlas_syntax::{Builder, Expr, ExprId, RefKind, Sym, Type, TypeId};
use tree_sitter::Node;

impl C {
    /// The type of a declaration's `type` node; None where it is deduced (`auto`).
    pub(super) fn declared(&self, node: Option<Node>, b: &mut Builder) -> Option<TypeId> {
        let node = node?;
        match node.kind() {
            "placeholder_type_specifier" | "decltype" => None,
            _ => Some(type_of(node, b, 0)).filter(|&ty| ty != 0),
        }
    }

    pub(super) fn type_identifier(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let name = b.sym_of(node);
        if self.is_type_param(name) {
            return;
        }
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::TypeUse, node, expr, 0, None);
    }

    pub(super) fn is_type_param(&self, name: Sym) -> bool {
        self.type_params.iter().any(|(_, names)| names.contains(&name))
    }

    /// Marks the nodes that spell a type's own name, so that only its arguments are uses of their own.
    pub(super) fn mark_type_name(&mut self, node: Node) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            self.done.insert(node.id());
            if matches!(
                node.kind(),
                "template_type"
                    | "qualified_identifier"
                    | "dependent_type"
                    | "class_specifier"
                    | "struct_specifier"
                    | "union_specifier"
                    | "enum_specifier"
                    | "template_function"
                    | "template_method"
                    | "type_descriptor"
                    | "destructor_name"
            ) {
                let mut cursor = node.walk();
                stack.extend(node.named_children(&mut cursor).filter(|child| {
                    !matches!(child.kind(), "template_argument_list" | "field_declaration_list" | "enumerator_list")
                }));
            }
        }
    }
}

/// The type that a node means.
pub(super) fn type_of(node: Node, b: &mut Builder, depth: u32) -> TypeId {
    if depth > DEPTH_MAX {
        return 0;
    }
    match node.kind() {
        "type_descriptor" => {
            let of = node.child_by_field_name("type").map_or(0, |of| type_of(of, b, depth + 1));
            match node.child_by_field_name("declarator").map(|d| d.kind()) {
                Some("abstract_array_declarator") => b.ty(Type::List(of)),
                Some("abstract_function_declarator") => b.ty(Type::Function(Some(of))),
                _ => of,
            }
        }
        "dependent_type" => node.named_child(0).map_or(0, |of| type_of(of, b, depth + 1)),
        "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
            node.child_by_field_name("name").map_or(0, |name| type_of(name, b, depth + 1))
        }
        "primitive_type" | "sized_type_specifier" => {
            let name = primitive_name(b.text(node));
            b.ty_path(&[name])
        }
        "type_identifier" | "template_type" | "qualified_identifier" | "identifier" => {
            let Some((path, args, _)) = name_path(node) else { return 0 };
            let path: Vec<Sym> = path.into_iter().map(|part| b.sym_of(part)).collect();
            let args = args.map_or_else(Vec::new, |args| {
                let mut cursor = args.walk();
                args.named_children(&mut cursor)
                    .filter(|arg| arg.kind() == "type_descriptor")
                    .map(|arg| type_of(arg, b, depth + 1))
                    .collect()
            });
            b.ty(Type::Path { path, args })
        }
        _ => 0,
    }
}

/// One name for each primitive type, so that overloads can be told apart.
fn primitive_name(text: &str) -> &str {
    match text {
        "bool" | "_Bool" => "bool",
        "float" => "float",
        "double" | "long double" => "double",
        "void" => "void",
        "char" | "signed char" | "unsigned char" | "wchar_t" => "char",
        "long" | "long long" | "unsigned long" | "unsigned long long" | "int64_t" | "uint64_t" | "size_t"
        | "ssize_t" => "long",
        _ => "int",
    }
}

/// The names of a qualified name without template arguments, those of the last name, and whether it
/// starts at the root (`::a`).
pub(super) fn name_path(node: Node) -> Option<(Vec<Node>, Option<Node>, bool)> {
    let mut parts = Vec::new();
    let mut args = None;
    let mut rooted = false;
    let mut at = node;
    for _ in 0..DEPTH_MAX {
        match at.kind() {
            "qualified_identifier" => {
                match at.child_by_field_name("scope") {
                    Some(scope) => parts.push(plain_name(scope)?),
                    None => rooted |= parts.is_empty(),
                }
                at = at.child_by_field_name("name")?;
            }
            "template_type" | "template_function" | "template_method" => {
                args = at.child_by_field_name("arguments");
                at = at.child_by_field_name("name")?;
            }
            "dependent_name" => at = at.named_child(0)?,
            "type_identifier"
            | "identifier"
            | "field_identifier"
            | "namespace_identifier"
            | "operator_name"
            | "operator_cast"
            | "destructor_name" => {
                parts.push(at);
                return Some((parts, args, rooted));
            }
            _ => return None,
        }
    }
    None
}

/// The name of one scope of a qualified name.
fn plain_name(node: Node) -> Option<Node> {
    match node.kind() {
        "template_type" | "template_function" => node.child_by_field_name("name"),
        "dependent_name" => node.named_child(0).and_then(plain_name),
        "decltype" => None,
        _ => Some(node),
    }
}

/// A qualified name as an expression: `a::b::c` is a member of a member.
pub(super) fn path_expr(parts: &[Node], rooted: bool, b: &mut Builder) -> ExprId {
    let mut expr = if rooted { b.expr(Expr::Root) } else { 0 };
    for (at, part) in parts.iter().enumerate() {
        let name = b.sym_of(*part);
        expr = if at == 0 && !rooted { b.expr(Expr::Name(name)) } else { b.expr(Expr::Member { base: expr, name }) };
    }
    expr
}
