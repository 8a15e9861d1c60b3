//! Type expressions: annotations, forward references in strings, bases of classes.

use super::{Python, string_parts};
use atlas_syntax::{Builder, RefKind, Sym, Type, TypeId};
use tree_sitter::Node;

/// Nested type arguments that are followed.
const DEPTH_MAX: u32 = 16;
/// Longest forward reference that is read, in bytes.
const FORWARD_BYTES_MAX: usize = 1024;

impl Python {
    /// The type that an annotation or a class expression names; 0 if it names none.
    pub(super) fn ty(&mut self, node: Node, b: &mut Builder) -> TypeId {
        ty_of(node, b, 0)
    }

    /// Inside `Literal[…]` strings are values.
    pub(super) fn literal_type(&mut self, node: Node, b: &Builder) {
        let base = node.child_by_field_name("value").or_else(|| node.named_child(0));
        if base.is_some_and(|base| b.text(base).rsplit('.').next() == Some("Literal")) {
            self.literal_until = self.literal_until.max(node.end_byte());
        }
    }

    /// References of a type that is written as a string.
    pub(super) fn forward_reference(&mut self, node: Node, b: &mut Builder) {
        let (_, text) = string_parts(b.text(node));
        let first = b.facts().types.len();
        if parse_forward(text, b) == 0 {
            return;
        }
        let made: Vec<Vec<Sym>> = b.facts().types[first..]
            .iter()
            .filter_map(|ty| match ty {
                Type::Path { path, .. } => Some(path.clone()),
                _ => None,
            })
            .collect();
        for path in made {
            let Some((&head, rest)) = path.split_first() else { continue };
            let mut expr = b.expr(atlas_syntax::Expr::Name(head));
            let mut last = head;
            for &name in rest {
                expr = b.expr(atlas_syntax::Expr::Member { base: expr, name });
                last = name;
            }
            let name = b.str(last).to_owned();
            b.add_ref_named(RefKind::TypeUse, &name, node, expr, 0, None);
        }
    }

    /// `type Name[T] = …`.
    pub(super) fn type_alias(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let mut name = left;
        while name.kind() != "identifier" {
            let Some(inner) = name.named_child(0) else { return };
            name = inner;
        }
        self.done(Some(name));
        let ty = self.ty(right, b);
        self.define_alias(node, name, ty, b);
    }
}

fn ty_of(node: Node, b: &mut Builder, depth: u32) -> TypeId {
    if depth >= DEPTH_MAX {
        return 0;
    }
    match node.kind() {
        "type" | "parenthesized_expression" | "as_pattern" | "splat_type" => {
            node.named_child(0).map_or(0, |inner| ty_of(inner, b, depth + 1))
        }
        "identifier" | "attribute" | "member_type" | "dotted_name" => named(node, Vec::new(), b),
        "string" => {
            let (_, text) = string_parts(b.text(node));
            parse_forward(text, b)
        }
        "generic_type" => {
            let mut cursor = node.walk();
            let mut parts = node.named_children(&mut cursor);
            let Some(base) = parts.next() else { return 0 };
            let args = parts.find(|part| part.kind() == "type_parameter");
            let args = args.map_or_else(Vec::new, |list| arguments(list, b, depth));
            applied(base, args, b)
        }
        "subscript" => {
            let Some(base) = node.child_by_field_name("value") else { return 0 };
            let args = arguments(node, b, depth);
            applied(base, args, b)
        }
        "binary_operator" | "union_type" => {
            // `A | B | C` nests to the left.
            let mut parts = Vec::new();
            let mut at = node;
            while matches!(at.kind(), "binary_operator" | "union_type") {
                let (Some(left), Some(right)) = (at.named_child(0), at.named_child(1)) else { break };
                parts.push(ty_of(right, b, depth + 1));
                at = left;
            }
            parts.push(ty_of(at, b, depth + 1));
            parts.reverse();
            union(parts, b)
        }
        "tuple" | "expression_list" | "list" => {
            let mut cursor = node.walk();
            let nodes: Vec<Node> = node.named_children(&mut cursor).collect();
            let parts = nodes.into_iter().map(|part| ty_of(part, b, depth + 1)).collect();
            union(parts, b)
        }
        // `class A(namedtuple("A", …))` has no base of the tree, `class A(with_metaclass(M, B))` has.
        "call" => {
            let function = node.child_by_field_name("function");
            let wraps = function.is_some_and(|f| b.text(f).ends_with("with_metaclass"));
            let base = node.child_by_field_name("arguments").and_then(|list| list.named_child(1));
            base.filter(|_| wraps).map_or(0, |base| ty_of(base, b, depth + 1))
        }
        _ => 0,
    }
}

fn arguments(list: Node, b: &mut Builder, depth: u32) -> Vec<TypeId> {
    let is_subscript = list.kind() == "subscript";
    let mut cursor = list.walk();
    let nodes: Vec<Node> = if is_subscript {
        list.children_by_field_name("subscript", &mut cursor).collect()
    } else {
        list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect()
    };
    nodes.into_iter().map(|node| ty_of(node, b, depth + 1)).collect()
}

/// A named type with its arguments, special forms resolved.
fn applied(base: Node, args: Vec<TypeId>, b: &mut Builder) -> TypeId {
    let last = b.text(base).rsplit('.').next().unwrap_or_default();
    special(last, &args, b).unwrap_or_else(|| named(base, args, b))
}

/// Forms of `typing` that stand for something else than a class of that name.
fn special(name: &str, args: &[TypeId], b: &mut Builder) -> Option<TypeId> {
    match name {
        "Optional" | "Annotated" | "Required" | "NotRequired" | "Final" | "ClassVar" | "ReadOnly" | "InitVar"
        | "TypeGuard" | "Unpack" => args.first().copied(),
        "Union" => Some(union(args.to_vec(), b)),
        "Callable" => {
            let result = args.get(1).copied().filter(|&ty| ty != 0);
            Some(b.ty(Type::Function(result)))
        }
        "Tuple" | "tuple" if !args.is_empty() => {
            // `tuple[T, ...]` is a list of T.
            if args.len() == 2 && args[1] == 0 {
                return Some(b.ty(Type::List(args[0])));
            }
            Some(b.ty(Type::Tuple(args.to_vec())))
        }
        "Literal" => Some(0),
        _ => None,
    }
}

fn union(mut parts: Vec<TypeId>, b: &mut Builder) -> TypeId {
    parts.retain(|&part| part != 0);
    match parts.as_slice() {
        [] => 0,
        [one] => *one,
        _ => b.ty(Type::Union(parts)),
    }
}

fn named(node: Node, args: Vec<TypeId>, b: &mut Builder) -> TypeId {
    path_type(b.text(node), args, b)
}

fn path_type(text: &str, args: Vec<TypeId>, b: &mut Builder) -> TypeId {
    match text {
        "None" | "Any" | "object" | "typing.Any" => return 0,
        "Self" | "typing.Self" | "typing_extensions.Self" => return b.ty(Type::This),
        _ => {}
    }
    const PARTS_MAX: usize = 16;
    let parts: Vec<&str> = text.split('.').map(str::trim).take(PARTS_MAX).collect();
    if parts.iter().any(|part| part.is_empty() || !part.chars().all(|c| c.is_alphanumeric() || c == '_')) {
        return 0;
    }
    let path = parts.into_iter().map(|part| b.sym(part)).collect();
    b.ty(Type::Path { path, args })
}

/// A type written as text: `"pkg.Model | None"`.
fn parse_forward(text: &str, b: &mut Builder) -> TypeId {
    if text.len() > FORWARD_BYTES_MAX {
        return 0;
    }
    let mut parser = Forward { rest: text };
    let ty = parser.union(b, 0);
    // Text that goes on is no type but prose.
    if parser.rest.trim().is_empty() { ty } else { 0 }
}

struct Forward<'t> {
    rest: &'t str,
}

impl<'t> Forward<'t> {
    fn eat(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn union(&mut self, b: &mut Builder, depth: u32) -> TypeId {
        let mut parts = vec![self.one(b, depth)];
        while self.eat('|') {
            parts.push(self.one(b, depth));
        }
        union(parts, b)
    }

    fn one(&mut self, b: &mut Builder, depth: u32) -> TypeId {
        self.rest = self.rest.trim_start_matches([' ', '\'', '"', '\\', '\n']);
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start_matches(['\'', '"', '\\']);
        if name.is_empty() || depth >= DEPTH_MAX {
            return 0;
        }
        let mut args = Vec::new();
        if self.eat('[') {
            loop {
                args.push(self.union(b, depth + 1));
                if !self.eat(',') {
                    break;
                }
            }
            self.eat(']');
        }
        let last = name.rsplit('.').next().unwrap_or_default();
        special(last, &args, b).unwrap_or_else(|| path_type(name, args, b))
    }
}
