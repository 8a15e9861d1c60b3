//! Type expressions, and the references that they are.

use super::Js;
use super::grammar::Kind;
use super::scope::Local;
use atlas_syntax::{BindingKind, Builder, DefIx, DefKind, Expr, RefKind, Sym, Type, TypeId, line_of};
use tree_sitter::Node;

/// Nested type expressions that are followed; deeper ones are unknown.
const DEPTH_MAX: u32 = 32;

impl<'s> Js<'s> {
    /// The type of an annotation (`: T`) or of a type node.
    pub(super) fn ty(&mut self, node: Node, b: &mut Builder) -> Option<TypeId> {
        let id = self.type_id(node, b, 0);
        (id != 0).then_some(id)
    }

    /// The declared result of a function.
    pub(super) fn return_type(&mut self, node: Node, b: &mut Builder) -> Option<TypeId> {
        let ty = self.field(node, self.g.fields.return_type)?;
        self.ty(ty, b)
    }

    fn type_id(&mut self, node: Node, b: &mut Builder, depth: u32) -> TypeId {
        if depth > DEPTH_MAX {
            return 0;
        }
        match self.kind(node) {
            Kind::TypeAnnotation | Kind::ReadonlyType | Kind::ParenthesizedType | Kind::OptionalType => {
                self.first(node).map_or(0, |inner| self.type_id(inner, b, depth + 1))
            }
            Kind::TypeIdentifier | Kind::Identifier => {
                let name = self.text(node);
                if self.scopes.lookup(name) == Some(Local::TypeParameter(false)) {
                    return 0;
                }
                b.ty_path(&[name])
            }
            Kind::NestedTypeIdentifier | Kind::NestedIdentifier => {
                let path: Vec<&str> = self.text(node).split('.').map(str::trim).collect();
                b.ty_path(&path)
            }
            Kind::GenericType => {
                let Some(name) = self.field(node, self.g.fields.name) else { return 0 };
                let base = self.type_id(name, b, depth + 1);
                let args = self.field(node, self.g.fields.type_arguments);
                let args: Vec<TypeId> = args
                    .map(|args| self.children(args))
                    .unwrap_or_default()
                    .into_iter()
                    .map(|arg| self.type_id(arg, b, depth + 1))
                    .collect();
                match b.facts().ty(base).clone() {
                    Type::Path { path, .. } => b.ty(Type::Path { path, args }),
                    _ => base,
                }
            }
            Kind::PredefinedType => {
                let name = self.text(node);
                if matches!(name, "string" | "number" | "boolean") { b.ty_path(&[name]) } else { 0 }
            }
            Kind::LiteralType => match self.first(node).map(|literal| self.kind(literal)) {
                Some(Kind::String) => b.ty_path(&["string"]),
                Some(Kind::Number) => b.ty_path(&["number"]),
                Some(Kind::True | Kind::False) => b.ty_path(&["boolean"]),
                _ => 0,
            },
            Kind::ArrayType => {
                let of = self.first(node).map_or(0, |inner| self.type_id(inner, b, depth + 1));
                b.ty(Type::List(of))
            }
            Kind::UnionType | Kind::IntersectionType => {
                let mut all = Vec::new();
                self.members_of_union(node, b, depth, &mut all);
                match all.as_slice() {
                    [] => 0,
                    [one] => *one,
                    _ => b.ty(Type::Union(all)),
                }
            }
            Kind::TupleType => {
                let parts = self.children(node);
                let parts = parts.into_iter().map(|part| self.type_id(part, b, depth + 1)).collect();
                b.ty(Type::Tuple(parts))
            }
            Kind::RequiredParameter | Kind::OptionalParameter => {
                let ty = self.field(node, self.g.fields.type_);
                ty.map_or(0, |ty| self.type_id(ty, b, depth + 1))
            }
            Kind::FunctionType => {
                let result = self.field(node, self.g.fields.return_type);
                let result = result.map(|result| self.type_id(result, b, depth + 1)).filter(|&ty| ty != 0);
                b.ty(Type::Function(result))
            }
            // `App["scene"]`: the type of that member.
            Kind::LookupType => {
                let (Some(object), Some(index)) = (self.first(node), self.last(node)) else { return 0 };
                let key = self.first(index).filter(|_| self.kind(index) == Kind::LiteralType);
                let key = key.and_then(|key| self.string(key));
                let base = self.type_id(object, b, depth + 1);
                match (b.facts().ty(base).clone(), key) {
                    (Type::Path { mut path, .. }, Some(key)) if path.len() < 16 => {
                        path.push(b.sym(key));
                        b.ty(Type::Path { path, args: Vec::new() })
                    }
                    _ => 0,
                }
            }
            // `typeof value`; that of a class is not its instances' type.
            Kind::TypeQuery => {
                let path = self.first(node).and_then(|value| self.dotted(value)).unwrap_or_default();
                let is_value = |name: &&str| name.starts_with(|c: char| c.is_lowercase() || c == '_' || c == '$');
                match path.first() {
                    Some(&first) if first != "this" && path.last().is_some_and(is_value) => {
                        let Expr::Name(first) = self.name_expr(first, b) else { return 0 };
                        let mut names = vec![first];
                        names.extend(path[1..].iter().map(|name| b.sym(name)));
                        b.ty(Type::Path { path: names, args: Vec::new() })
                    }
                    _ => 0,
                }
            }
            Kind::ThisType => b.ty(Type::This),
            Kind::TypePredicate | Kind::TypePredicateAnnotation => b.ty_path(&["boolean"]),
            _ => 0,
        }
    }

    /// What an object type written in place says of a member: `a.b` of `{a: {b: B}}`. The type found,
    /// and how many of the names lead to it.
    pub(super) fn inline_member(&mut self, ty: Node, names: &[&str], b: &mut Builder) -> Option<(TypeId, usize)> {
        let (&first, rest) = names.split_first()?;
        match self.kind(ty) {
            Kind::TypeAnnotation | Kind::ParenthesizedType | Kind::ReadonlyType => {
                let inner = self.first(ty)?;
                self.inline_member(inner, names, b)
            }
            Kind::IntersectionType if names.len() < 16 => {
                self.children(ty).into_iter().find_map(|part| self.inline_member(part, names, b))
            }
            Kind::ObjectType => {
                let f = &self.g.fields;
                let member = self.children(ty).into_iter().find(|&member| {
                    self.kind(member) == Kind::PropertySignature
                        && self.field(member, f.name).is_some_and(|name| self.key(name) == first)
                })?;
                let ty = self.field(member, f.type_)?;
                if let Some((found, used)) = self.inline_member(ty, rest, b) {
                    return Some((found, used + 1));
                }
                self.ty(ty, b).map(|found| (found, 1))
            }
            _ => None,
        }
    }

    /// The name of a type that tells what a function written in its place is given.
    pub(super) fn context_of(&mut self, ty: Node, b: &mut Builder) -> Option<Sym> {
        let named = match self.kind(ty) {
            Kind::TypeAnnotation => self.first(ty)?,
            _ => ty,
        };
        let named = match self.kind(named) {
            Kind::GenericType => self.field(named, self.g.fields.name)?,
            _ => named,
        };
        if self.kind(named) != Kind::TypeIdentifier {
            return None;
        }
        match self.name_expr(self.text(named), b) {
            Expr::Name(name) => Some(name),
            _ => None,
        }
    }

    /// States what callers give a function of this type, for those that are written in its place:
    /// fields of the type that no source can name.
    pub(super) fn bind_parameters(&mut self, function: Node, owner: DefIx, member: &str, b: &mut Builder) {
        let f = &self.g.fields;
        let Some(list) = self.field(function, f.parameters) else { return };
        for (n, parameter) in self.children(list).into_iter().enumerate().take(16) {
            if let Some(ty) = self.field(parameter, f.type_).and_then(|ty| self.ty(ty, b)) {
                let name = format!("{member}#{n}");
                b.bind(BindingKind::Field, Some(owner), &name, line_of(parameter), Some(ty), None);
            }
        }
    }

    /// The alternatives of a union, however its nodes nest; `null` and `undefined` are none.
    fn members_of_union(&mut self, node: Node, b: &mut Builder, depth: u32, all: &mut Vec<TypeId>) {
        if depth > DEPTH_MAX {
            return;
        }
        for part in self.children(node) {
            if matches!(self.kind(part), Kind::UnionType | Kind::IntersectionType) {
                self.members_of_union(part, b, depth + 1, all);
            } else {
                let id = self.type_id(part, b, depth + 1);
                if id != 0 && all.len() < 32 {
                    all.push(id);
                }
            }
        }
    }

    /// A name in a type: `T`.
    pub(super) fn type_use(&mut self, node: Node, b: &mut Builder) {
        if self.consumed.remove(&node.id()) {
            return;
        }
        let name = self.text(node);
        match self.scopes.lookup(name) {
            Some(Local::TypeParameter(_) | Local::Bound(_)) => {}
            Some(Local::Def(_) | Local::Plain | Local::Hoisted(_)) | None => {
                let expr = self.name_expr(name, b);
                let expr = b.expr(expr);
                b.add_ref(RefKind::TypeUse, node, expr, 0, None);
            }
        }
    }

    /// A qualified name in a type: `ns.T`.
    pub(super) fn nested_type_use(&mut self, node: Node, b: &mut Builder) {
        if self.consumed.remove(&node.id()) {
            return;
        }
        let Some(name) = self.field(node, self.g.fields.name) else { return };
        self.consume(name);
        let mut parts = self.text(node).split('.').map(str::trim);
        let Some(first) = parts.next() else { return };
        let first = self.name_expr(first, b);
        let mut expr = b.expr(first);
        for part in parts {
            let name = b.sym(part);
            expr = b.expr(Expr::Member { base: expr, name });
        }
        b.add_ref(RefKind::TypeUse, name, expr, 0, None);
    }

    /// `<T extends X>`, `infer U`: a name of its own.
    pub(super) fn enter_type_parameter(&mut self, node: Node) {
        let name = self.field(node, self.g.fields.name).or_else(|| self.first(node));
        if let Some(name) = name {
            self.consume(name);
            if !matches!(self.scopes.lookup(self.text(name)), Some(Local::TypeParameter(_))) {
                self.scopes.declare_type_parameter(self.text(name), false);
            }
        }
    }

    /// Declares the type parameters of a node in the innermost frame; those of a definition are bound
    /// to it with what they extend.
    pub(super) fn type_parameters(&mut self, node: Node, def: Option<DefIx>, b: &mut Builder) {
        let f = &self.g.fields;
        let Some(list) = self.field(node, f.type_parameters) else { return };
        let parameters = self.children(list);
        for parameter in &parameters {
            if let Some(name) = self.field(*parameter, f.name) {
                self.scopes.declare_type_parameter(self.text(name), def.is_some());
            }
        }
        for (n, parameter) in parameters.into_iter().enumerate().take(64) {
            if let (Some(name), Some(_)) = (self.field(parameter, f.name), def) {
                let constraint = self.field(parameter, f.constraint).and_then(|constraint| self.first(constraint));
                let ty = constraint.and_then(|ty| self.ty(ty, b));
                b.bind(BindingKind::TypeParam(n as u16), def, self.text(name), line_of(name), ty, None);
            }
        }
    }

    /// A function type or call signature: its type parameters end with it.
    pub(super) fn enter_type_scope(&mut self, node: Node, b: &mut Builder) {
        self.scopes.open_block(node.id(), b.here());
        self.type_parameters(node, None, b);
        if self.kind(node) == Kind::CallSignature
            && let Some(owner) = b.here().filter(|&ix| b.facts().def(ix).kind == DefKind::Interface)
        {
            self.bind_parameters(node, owner, "", b);
        }
    }

    /// A parameter of a type or signature: it names nothing. Those of functions were consumed
    /// when the function was entered.
    pub(super) fn enter_parameter(&mut self, node: Node) {
        if let Some(pattern) = self.field(node, self.g.fields.pattern) {
            self.consume_pattern(pattern, 0);
        }
    }
}
