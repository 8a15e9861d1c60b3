//! Type expressions.

use super::{DEPTH_MAX, Java};
use atlas_syntax::{Builder, Expr, RefKind, Sym, Type, TypeId};
use tree_sitter::Node;

impl Java {
    /// The type that a type node means; None for `var`.
    pub(super) fn declared(&self, node: Option<Node>, dimensions: Option<Node>, b: &mut Builder) -> Option<TypeId> {
        let node = node?;
        if b.text(node) == "var" {
            return None;
        }
        let ty = type_of(node, b, 0);
        Some(arrays_of(ty, dimensions, b))
    }

    /// A use of a type by its simple name.
    pub(super) fn type_identifier(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let name = b.sym_of(node);
        if b.text(node) == "var" || self.is_type_param(name) {
            return;
        }
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::TypeUse, node, expr, 0, None);
    }

    /// `a.b.C`: a use of `C`, and of each of its qualifiers that can be a type.
    pub(super) fn scoped_type(&mut self, node: Node, b: &mut Builder) {
        let seen = self.done.contains(&node.id());
        self.mark_type_name(node);
        if seen {
            return;
        }
        self.type_path_ref(node, RefKind::TypeUse, 0, b);
    }

    /// A reference to the type that a (generic, annotated, qualified) type node names, marked as done.
    pub(super) fn type_path_ref(&mut self, node: Node, kind: RefKind, argc: u16, b: &mut Builder) {
        let Some((parts, last)) = type_name(node) else { return };
        self.mark_type_name(node);
        let mut expr = 0;
        for part in parts {
            let name = b.sym_of(part);
            expr = if expr == 0 { b.expr(Expr::Name(name)) } else { b.expr(Expr::Member { base: expr, name }) };
        }
        b.add_ref(kind, last, expr, argc, None);
    }

    /// Marks the nodes that spell the type's own name, so that only its arguments are uses of their own.
    pub(super) fn mark_type_name(&mut self, node: Node) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            self.done.insert(node.id());
            match node.kind() {
                "generic_type" | "annotated_type" | "scoped_type_identifier" => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor).filter(|child| child.kind() != "type_arguments"));
                }
                _ => {}
            }
        }
    }

    pub(super) fn is_type_param(&self, name: Sym) -> bool {
        self.type_params.iter().any(|(_, names)| names.contains(&name))
    }
}

/// The parts of a type's name with its last one: `a`, `B`, `C` of `a.B<X>.C<Y>`. None for primitive
/// and array types.
pub(super) fn type_name(node: Node) -> Option<(Vec<Node>, Node)> {
    let mut parts = Vec::new();
    let mut node = node;
    loop {
        match node.kind() {
            "type_identifier" | "identifier" => {
                parts.push(node);
                break;
            }
            "generic_type" => node = node.named_child(0)?,
            "annotated_type" => node = last_named(node)?,
            "scoped_type_identifier" | "scoped_identifier" => {
                parts.push(last_named(node)?);
                node = node.named_child(0)?;
            }
            _ => return None,
        }
    }
    parts.reverse();
    let last = *parts.last()?;
    Some((parts, last))
}

/// The type that a node means.
pub(super) fn type_of(node: Node, b: &mut Builder, depth: u32) -> TypeId {
    if depth > DEPTH_MAX {
        return 0;
    }
    match node.kind() {
        "array_type" => {
            let element = node.child_by_field_name("element").map_or(0, |element| type_of(element, b, depth + 1));
            arrays_of(element, node.child_by_field_name("dimensions"), b)
        }
        "annotated_type" => last_named(node).map_or(0, |inner| type_of(inner, b, depth + 1)),
        "catch_type" => {
            let mut cursor = node.walk();
            let all: Vec<_> = node.named_children(&mut cursor).collect();
            match all.as_slice() {
                [one] => type_of(*one, b, depth + 1),
                _ => {
                    let all = all.into_iter().map(|one| type_of(one, b, depth + 1)).collect();
                    b.ty(Type::Union(all))
                }
            }
        }
        "wildcard" => last_named(node).map_or(0, |bound| type_of(bound, b, depth + 1)),
        "generic_type" => {
            let args = node.named_child(1).filter(|args| args.kind() == "type_arguments");
            let args = args.map_or_else(Vec::new, |args| {
                let mut cursor = args.walk();
                args.named_children(&mut cursor).map(|arg| type_of(arg, b, depth + 1)).collect()
            });
            path_type(node, args, b)
        }
        _ => path_type(node, Vec::new(), b),
    }
}

/// As many arrays of a type as brackets say.
pub(super) fn arrays_of(of: TypeId, dimensions: Option<Node>, b: &mut Builder) -> TypeId {
    const DIMENSIONS_MAX: usize = 8;
    let count = dimensions.map_or(0, |node| b.text(node).matches('[').count());
    (0..count.min(DIMENSIONS_MAX)).fold(of, |of, _| b.ty(Type::List(of)))
}

fn path_type(node: Node, args: Vec<TypeId>, b: &mut Builder) -> TypeId {
    let path = match type_name(node) {
        Some((parts, _)) => parts.into_iter().map(|part| b.sym_of(part)).collect(),
        None if matches!(node.kind(), "integral_type" | "floating_point_type" | "boolean_type" | "void_type") => {
            vec![b.sym_of(node)]
        }
        None => return 0,
    };
    b.ty(Type::Path { path, args })
}

/// The last named child that is no comment.
pub(super) fn last_named(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).last()
}
