//! Type expressions, type parameters and their bounds.

use super::{DEPTH_MAX, RustExtractor};
use atlas_syntax::{BindingKind, Builder, DefIx, Sym, Type, TypeId, line_of};
use tree_sitter::Node;

impl RustExtractor {
    pub(super) fn ty(&mut self, node: Node, b: &mut Builder) -> TypeId {
        self.ty_within(node, b, 0)
    }

    fn ty_within(&mut self, node: Node, b: &mut Builder, depth: u32) -> TypeId {
        if depth > DEPTH_MAX {
            return 0;
        }
        match node.kind() {
            "type_identifier" | "identifier" | "primitive_type" => {
                let name = b.sym_of(node);
                match self.type_param(name) {
                    Some(Some(bound)) if self.by_bounds => bound,
                    _ if b.str(name) == "Self" => b.ty(Type::This),
                    _ => b.ty(Type::Path { path: vec![name], args: Vec::new() }),
                }
            }
            "scoped_type_identifier" | "scoped_identifier" => match self.type_path(node, b, depth) {
                Some(path) => b.ty(Type::Path { path, args: Vec::new() }),
                None => 0,
            },
            "generic_type" | "generic_type_with_turbofish" => {
                let path = node.child_by_field_name("type").and_then(|ty| self.type_path(ty, b, depth));
                let args = match node.child_by_field_name("type_arguments") {
                    Some(list) => self.type_arguments(list, b, depth),
                    None => Vec::new(),
                };
                match path {
                    Some(path) => b.ty(Type::Path { path, args }),
                    None => 0,
                }
            }
            "reference_type" | "pointer_type" => self.ty_field(node, "type", b, depth),
            "array_type" => {
                let element = self.ty_field(node, "element", b, depth);
                b.ty(Type::List(element))
            }
            "tuple_type" => {
                let mut cursor = node.walk();
                let nodes: Vec<Node> = node.named_children(&mut cursor).collect();
                let parts = nodes.into_iter().map(|part| self.ty_within(part, b, depth + 1)).collect();
                b.ty(Type::Tuple(parts))
            }
            "function_type" => {
                let result = node.child_by_field_name("return_type").map(|ty| self.ty_within(ty, b, depth + 1));
                b.ty(Type::Function(result))
            }
            "abstract_type" | "dynamic_type" => self.ty_field(node, "trait", b, depth),
            "higher_ranked_trait_bound" => self.ty_field(node, "type", b, depth),
            "bounded_type" => {
                let mut found = Vec::new();
                bounded_parts(node, &mut found);
                self.bounds_of(&found, b, depth).unwrap_or(0)
            }
            "bracketed_type" | "parenthesized_type" => {
                node.named_child(0).map_or(0, |inner| self.ty_within(inner, b, depth + 1))
            }
            "qualified_type" => self.ty_field(node, "type", b, depth),
            _ => 0,
        }
    }

    fn ty_field(&mut self, node: Node, field: &str, b: &mut Builder, depth: u32) -> TypeId {
        node.child_by_field_name(field).map_or(0, |ty| self.ty_within(ty, b, depth + 1))
    }

    /// Positional arguments, then those bound by name: `Iterator<Item = T>` has one.
    fn type_arguments(&mut self, list: Node, b: &mut Builder, depth: u32) -> Vec<TypeId> {
        let mut cursor = list.walk();
        let nodes: Vec<Node> = list.named_children(&mut cursor).collect();
        let mut args = Vec::new();
        for node in nodes {
            match node.kind() {
                "lifetime" | "block" | "trait_bounds" | "line_comment" | "block_comment" => {}
                "type_binding" => args.push(self.ty_field(node, "type", b, depth)),
                _ => args.push(self.ty_within(node, b, depth + 1)),
            }
        }
        args
    }

    /// The names of a type's path. `Self` and type parameters at its front stand for what they are.
    pub(super) fn type_path(&mut self, node: Node, b: &mut Builder, depth: u32) -> Option<Vec<Sym>> {
        if depth > DEPTH_MAX {
            return None;
        }
        match node.kind() {
            "type_identifier" | "identifier" | "primitive_type" => {
                let name = b.sym_of(node);
                Some(vec![name])
            }
            "self" => Some(vec![b.sym("self")]),
            "super" => Some(vec![b.sym("super")]),
            "crate" => Some(vec![b.sym("crate")]),
            "metavariable" => (b.text(node) == "$crate").then(|| vec![b.sym("crate")]),
            "generic_type" | "generic_type_with_turbofish" => {
                self.type_path(node.child_by_field_name("type")?, b, depth + 1)
            }
            "bracketed_type" => {
                let inner = node.named_child(0)?;
                // `<T as Trait>::X`: the trait says what X is.
                let named = match inner.kind() {
                    "qualified_type" => inner.child_by_field_name("alias")?,
                    _ => inner,
                };
                self.type_path(named, b, depth + 1)
            }
            "scoped_type_identifier" | "scoped_identifier" => {
                let name = node.child_by_field_name("name")?;
                let mut path = match node.child_by_field_name("path") {
                    Some(path) => self.type_path(path, b, depth + 1)?,
                    None => Vec::new(),
                };
                if let [only] = path[..] {
                    path = self.stands_for(only, b);
                }
                path.push(b.sym_of(name));
                Some(path)
            }
            "reference_type" | "pointer_type" => self.type_path(node.child_by_field_name("type")?, b, depth + 1),
            "dynamic_type" | "abstract_type" => self.type_path(node.child_by_field_name("trait")?, b, depth + 1),
            _ => None,
        }
    }

    /// The path behind `Self` or a type parameter; the name itself if it is neither.
    pub(super) fn stands_for(&self, name: Sym, b: &Builder) -> Vec<Sym> {
        if b.str(name) == "Self" {
            return match self.impls.last() {
                Some(open) if !open.path.is_empty() => open.path.clone(),
                _ => vec![name],
            };
        }
        match self.type_param(name) {
            Some(Some(bound)) => match b.facts().ty(bound) {
                Type::Path { path, .. } => path.clone(),
                Type::Union(all) => match all.first().map(|&one| b.facts().ty(one)) {
                    Some(Type::Path { path, .. }) => path.clone(),
                    _ => vec![name],
                },
                _ => vec![name],
            },
            _ => vec![name],
        }
    }

    /// Brings the type parameters of an item into scope until it ends.
    pub(super) fn type_parameters(&mut self, node: Node, b: &mut Builder) {
        if let Some(list) = node.child_by_field_name("type_parameters") {
            let mut cursor = list.walk();
            for parameter in list.named_children(&mut cursor).filter(|p| p.kind() == "type_parameter") {
                let Some(name) = parameter.child_by_field_name("name") else { continue };
                let bound = parameter.child_by_field_name("bounds").and_then(|bounds| self.bounds(bounds, b));
                let name = b.sym_of(name);
                self.type_params.push((node.id(), name, bound));
            }
        }
        let mut cursor = node.walk();
        let Some(clause) = node.named_children(&mut cursor).find(|child| child.kind() == "where_clause") else {
            return;
        };
        let mut cursor = clause.walk();
        for predicate in clause.named_children(&mut cursor) {
            let (Some(left), Some(bounds)) =
                (predicate.child_by_field_name("left"), predicate.child_by_field_name("bounds"))
            else {
                continue;
            };
            if left.kind() != "type_identifier" {
                continue;
            }
            let name = b.sym_of(left);
            let Some(bound) = self.bounds(bounds, b) else { continue };
            let slot = self.type_params.iter_mut().rev().find(|(_, param, _)| *param == name);
            match slot {
                Some((id, _, known)) if *id == node.id() => *known = known.or(Some(bound)),
                // A parameter of the block around, bounded for this function alone.
                Some(_) => self.type_params.push((node.id(), name, Some(bound))),
                None => {}
            }
        }
    }

    /// Binds the type parameters of a definition, those of the block around it first.
    pub(super) fn bind_type_parameters(&mut self, node: Node, def: DefIx, b: &mut Builder) {
        let block = self.impls.last().filter(|open| open.owner.is_some()).map(|open| open.node);
        let own: Vec<(Sym, Option<TypeId>)> = self
            .type_params
            .iter()
            .filter(|(id, ..)| *id == node.id() || Some(*id) == block)
            .map(|&(_, name, bound)| (name, bound))
            .collect();
        let line = line_of(node);
        for (at, &(name, bound)) in own.iter().enumerate() {
            // A later bound of the same name is the nearer one.
            if own[at + 1..].iter().any(|&(other, _)| other == name) {
                continue;
            }
            let name = b.str(name).to_owned();
            let place = at.min(usize::from(u16::MAX)) as u16;
            b.bind(BindingKind::TypeParam(place), Some(def), &name, line, bound, None);
        }
    }

    /// What a list of bounds says of a type: the traits that can have members of the tree.
    pub(super) fn bounds(&mut self, bounds: Node, b: &mut Builder) -> Option<TypeId> {
        let mut cursor = bounds.walk();
        let nodes: Vec<Node> = bounds.named_children(&mut cursor).collect();
        self.bounds_of(&nodes, b, 0)
    }

    fn bounds_of(&mut self, nodes: &[Node], b: &mut Builder, depth: u32) -> Option<TypeId> {
        let mut all = Vec::new();
        for &node in nodes {
            if matches!(node.kind(), "lifetime" | "removed_trait_bound" | "use_bounds") {
                continue;
            }
            let ty = self.ty_within(node, b, depth + 1);
            if ty != 0 {
                all.push(ty);
            }
        }
        // `T: Service + Clone`: the marker adds nothing that could be looked up.
        let telling: Vec<TypeId> = all.iter().copied().filter(|&ty| !is_marker(b, ty)).collect();
        match telling.as_slice() {
            [] => all.first().copied(),
            [one] => Some(*one),
            several => Some(b.ty(Type::Union(several.to_vec()))),
        }
    }

    /// Some if the name is a type parameter in scope, with its bounds if it has any.
    pub(super) fn type_param(&self, name: Sym) -> Option<Option<TypeId>> {
        self.type_params.iter().rev().find(|&&(_, param, _)| param == name).map(|&(_, _, bound)| bound)
    }

    /// The names of type parameters are no uses of types.
    pub(super) fn type_parameter_names(&mut self, list: Node) {
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if let Some(name) = parameter.child_by_field_name("name") {
                self.handled.insert(name.id());
            }
        }
    }
}

/// The types that `+` joins. The tree leans to the left, as deep as there are bounds.
fn bounded_parts<'t>(node: Node<'t>, out: &mut Vec<Node<'t>>) {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if node.kind() == "bounded_type" {
            let mut cursor = node.walk();
            let parts: Vec<Node> = node.named_children(&mut cursor).collect();
            stack.extend(parts.into_iter().rev());
        } else {
            out.push(node);
        }
    }
}

/// Traits of the standard library whose members say nothing of a type of the tree.
fn is_marker(b: &Builder, ty: TypeId) -> bool {
    const MARKERS: [&str; 21] = [
        "Any",
        "Clone",
        "Copy",
        "Debug",
        "Default",
        "Display",
        "Eq",
        "Error",
        "Hash",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Pod",
        "RefUnwindSafe",
        "Send",
        "Serialize",
        "Sized",
        "Sync",
        "ToOwned",
        "Unpin",
        "UnwindSafe",
    ];
    match b.facts().ty(ty) {
        Type::Path { path, .. } => path.last().is_some_and(|&name| MARKERS.binary_search(&b.str(name)).is_ok()),
        _ => false,
    }
}
