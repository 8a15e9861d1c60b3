//! Type expressions.

use super::{CSharp, DEPTH_MAX, child_of_kind, parts};
use crate::TYPE_MARK;
use atlas_syntax::{Builder, Expr, RefKind, Sym, Type, TypeId};
use tree_sitter::Node;

impl CSharp {
    /// Uses of the types that a field of a node names.
    pub(super) fn type_field(&mut self, node: Node, field: &str, b: &mut Builder) {
        if let Some(ty) = node.child_by_field_name(field) {
            self.type_use(ty, b);
        }
    }

    pub(super) fn type_children(&mut self, node: Node, b: &mut Builder) {
        for child in parts(node) {
            self.type_use(child, b);
        }
    }

    /// Uses of the types that a type node names, its names marked as dealt with.
    pub(super) fn type_use(&mut self, node: Node, b: &mut Builder) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if !self.done.insert(node.id()) {
                continue;
            }
            match node.kind() {
                "identifier" | "generic_name" | "qualified_name" | "alias_qualified_name" => {
                    self.type_ref(node, RefKind::TypeUse, 0, b);
                    stack.extend(type_arguments(node));
                }
                "array_type" | "nullable_type" | "pointer_type" | "ref_type" | "scoped_type" => {
                    stack.extend(node.child_by_field_name("type"));
                }
                "tuple_type" => stack.extend(parts(node).into_iter().filter_map(|e| e.child_by_field_name("type"))),
                _ => {}
            }
        }
    }

    /// A reference to the type that a name node names; its parts are marked as dealt with.
    pub(super) fn type_ref(&mut self, node: Node, kind: RefKind, argc: u16, b: &mut Builder) {
        let Some(last) = self.mark_name(node) else { return };
        let ty = type_of(node, b, 0);
        let Type::Path { path, .. } = b.facts().ty(ty).clone() else { return };
        let expr = path_expr(&path, b);
        let name = b.text(last);
        if name != "var" && name != "dynamic" {
            b.add_ref_named(kind, name, last, expr, argc, None);
        }
    }

    /// Marks what spells a type's name; gives the node of its last identifier.
    pub(super) fn mark_name<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let mut stack = vec![node];
        let mut last = None;
        while let Some(node) = stack.pop() {
            self.done.insert(node.id());
            match node.kind() {
                "identifier" if last.is_none_or(|last: Node| last.start_byte() < node.start_byte()) => {
                    last = Some(node)
                }
                "generic_name" => stack.extend(node.named_child(0)),
                "qualified_name" | "alias_qualified_name" => {
                    stack
                        .extend(["qualifier", "alias", "name"].into_iter().filter_map(|f| node.child_by_field_name(f)));
                }
                _ => {}
            }
        }
        last
    }

    /// The type that a node means; None for `var`.
    pub(super) fn declared(&self, node: Option<Node>, b: &mut Builder) -> Option<TypeId> {
        let node = node?;
        if node.kind() == "implicit_type" || b.text(node) == "var" {
            return None;
        }
        Some(type_of(node, b, 0)).filter(|&ty| ty != 0)
    }
}

/// A path of a type as an expression.
pub(super) fn path_expr(path: &[Sym], b: &mut Builder) -> u32 {
    let mut expr = 0;
    for &name in path {
        expr = if expr == 0 { b.expr(Expr::Name(name)) } else { b.expr(Expr::Member { base: expr, name }) };
    }
    expr
}

/// The arguments that a name gives, those of its qualifiers included.
fn type_arguments(node: Node) -> Vec<Node> {
    let mut found = Vec::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        match node.kind() {
            "generic_name" => found.extend(child_of_kind(node, "type_argument_list").map_or(Vec::new(), parts)),
            "qualified_name" | "alias_qualified_name" => {
                stack.extend(["qualifier", "name"].into_iter().filter_map(|field| node.child_by_field_name(field)));
            }
            _ => {}
        }
    }
    found
}

/// The type that a node means.
pub(super) fn type_of(node: Node, b: &mut Builder, depth: u32) -> TypeId {
    if depth > DEPTH_MAX {
        return 0;
    }
    match node.kind() {
        "array_type" => {
            let element = node.child_by_field_name("type").map_or(0, |of| type_of(of, b, depth + 1));
            b.ty(Type::List(element))
        }
        "nullable_type" | "pointer_type" | "ref_type" | "scoped_type" => {
            node.child_by_field_name("type").map_or(0, |of| type_of(of, b, depth + 1))
        }
        "tuple_type" => {
            let of = |element: Node, b: &mut Builder| {
                element.child_by_field_name("type").map_or(0, |ty| type_of(ty, b, depth + 1))
            };
            let all = parts(node).into_iter().map(|element| of(element, b)).collect();
            b.ty(Type::Tuple(all))
        }
        "predefined_type" => {
            let name = b.text(node);
            if name == "void" { 0 } else { b.ty_path(&[name]) }
        }
        "identifier" | "generic_name" | "qualified_name" | "alias_qualified_name" => named_type(node, b, depth),
        _ => 0,
    }
}

/// How a type's name with this many arguments is written in the facts.
pub(super) fn marked(name: &str, arity: usize) -> String {
    if arity == 0 { format!("{TYPE_MARK}{name}") } else { format!("{TYPE_MARK}{name}`{arity}") }
}

/// `A.B<C>`: the first part is marked as a type's, with the number of its arguments if it stands alone.
fn named_type(node: Node, b: &mut Builder, depth: u32) -> TypeId {
    let mut names = Vec::new();
    let mut node = node;
    loop {
        match node.kind() {
            "qualified_name" => {
                names.extend(node.child_by_field_name("name"));
                let Some(qualifier) = node.child_by_field_name("qualifier") else { return 0 };
                node = qualifier;
            }
            "alias_qualified_name" => {
                names.extend(node.child_by_field_name("name"));
                match node.child_by_field_name("alias").filter(|alias| b.text(*alias) != "global") {
                    Some(alias) => node = alias,
                    None => break,
                }
            }
            _ => {
                names.push(node);
                break;
            }
        }
    }
    names.reverse();
    let mut path = Vec::with_capacity(names.len());
    let mut args = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let (text, arguments) = match name.kind() {
            "generic_name" => (
                name.named_child(0).map_or("", |name| b.text(name)),
                child_of_kind(*name, "type_argument_list").map_or(Vec::new(), parts),
            ),
            _ => (b.text(*name), Vec::new()),
        };
        let written = if at == 0 { marked(text, arguments.len()) } else { text.to_owned() };
        path.push(b.sym(&written));
        if !arguments.is_empty() {
            args = arguments.into_iter().map(|argument| type_of(argument, b, depth + 1)).collect();
        }
    }
    b.ty(Type::Path { path, args })
}
