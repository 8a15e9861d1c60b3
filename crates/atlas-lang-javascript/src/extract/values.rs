//! Expressions as far as they can name or type something.

use super::grammar::Kind;
use super::{Js, This};
use atlas_syntax::{Builder, Expr, ExprId, Literal, RefKind, Type, TypeId};
use tree_sitter::Node;

/// Nested expressions (not the links of one chain) that are followed; deeper ones are unknown.
const DEPTH_MAX: u32 = 24;

impl<'s> Js<'s> {
    /// The expression of a node.
    pub(super) fn expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.expr_at(node, b, 0)
    }

    /// A chain such as `a.b(c).d` is built from its innermost link outwards, so that its length
    /// costs no depth.
    fn expr_at(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        if depth > DEPTH_MAX {
            return 0;
        }
        let mut chain = Vec::new();
        let mut at = Some(node);
        let mut made = 0;
        while let Some(link) = at {
            if let Some(known) = b.known_expr(link).or_else(|| self.assigned.get(&link.id()).copied()) {
                made = known;
                break;
            }
            chain.push(link);
            at = self.inner_link(link);
        }
        for link in chain.into_iter().rev() {
            made = self.link(link, made, b, depth);
        }
        made
    }

    /// What the next link of a chain stands on.
    fn inner_link<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match self.kind(node) {
            Kind::Member | Kind::Subscript => self.field(node, self.g.fields.object),
            Kind::Call => self.field(node, self.g.fields.function).filter(|&f| self.kind(f) != Kind::Import),
            Kind::Await
            | Kind::Parenthesized
            | Kind::AsExpression
            | Kind::Satisfies
            | Kind::NonNull
            | Kind::InstantiationExpression => self.first(node),
            Kind::TypeAssertion => self.last(node),
            Kind::AssignmentExpression => self.field(node, self.g.fields.right),
            Kind::Sequence => self.last(node),
            _ => None,
        }
    }

    /// One link of a chain on top of what it stands on.
    fn link(&mut self, node: Node, base: ExprId, b: &mut Builder, depth: u32) -> ExprId {
        let kind = self.kind(node);
        match kind {
            // What stands inside may become a definition later: not remembered.
            Kind::Object | Kind::ArrowFunction | Kind::FunctionExpression | Kind::GeneratorFunction | Kind::Class => {
                match self.made.get(&node.id()) {
                    Some(&ix) => b.expr(Expr::Def(ix)),
                    None if kind == Kind::Object => b.expr(Expr::Literal(Literal::Map)),
                    None if kind == Kind::Class => 0,
                    None => b.expr(Expr::Literal(Literal::Function)),
                }
            }
            Kind::Parenthesized
            | Kind::Satisfies
            | Kind::NonNull
            | Kind::InstantiationExpression
            | Kind::AssignmentExpression
            | Kind::Sequence => base,
            Kind::AsExpression | Kind::TypeAssertion => self.cast(node, base, b),
            Kind::Member => self.member(node, base, b),
            Kind::Call => self.call_value(node, base, b, depth),
            _ => {
                let expr = self.plain(node, kind, base, b, depth);
                b.expr_of(node, |_| expr)
            }
        }
    }

    fn plain(&mut self, node: Node, kind: Kind, base: ExprId, b: &mut Builder, depth: u32) -> Expr {
        let f = &self.g.fields;
        match kind {
            Kind::Identifier | Kind::ShorthandProperty => self.name_expr(self.text(node), b),
            Kind::This => match self.this() {
                This::Unknown => Expr::Unknown,
                This::Own => Expr::This,
                This::Object(ix) => Expr::Def(ix),
                This::Made(ix) => Expr::Made(ix),
            },
            Kind::Super => Expr::Super,
            Kind::New => self.new_value(node, b),
            Kind::Subscript => {
                let index = self.field(node, f.index);
                match index.and_then(|index| self.string(index)) {
                    Some(name) => Expr::Member { base, name: b.sym(name) },
                    None if base == 0 => Expr::Unknown,
                    None => Expr::Index(base),
                }
            }
            Kind::Await if base != 0 => Expr::Await(base),
            Kind::Ternary => {
                let parts = [self.field(node, f.consequence), self.field(node, f.alternative)];
                let parts = parts.into_iter().flatten().map(|part| self.expr_at(part, b, depth + 1));
                one_of(parts.collect())
            }
            Kind::Binary => {
                let operator = self.field(node, f.operator).map_or("", |op| self.text(op));
                let (left, right) = (self.field(node, f.left), self.field(node, f.right));
                match operator {
                    "||" | "??" => {
                        let parts = [left, right].into_iter().flatten();
                        one_of(parts.map(|part| self.expr_at(part, b, depth + 1)).collect())
                    }
                    "&&" => {
                        let right = right.map_or(0, |right| self.expr_at(right, b, depth + 1));
                        one_of(vec![right])
                    }
                    "+" | "-" | "*" | "/" | "%" | "**" => Expr::Unknown,
                    _ => Expr::Literal(Literal::Bool),
                }
            }
            Kind::Array => Expr::Literal(Literal::List),
            Kind::String | Kind::TemplateString => Expr::Literal(Literal::String),
            Kind::Number => Expr::Literal(Literal::Number),
            Kind::True | Kind::False => Expr::Literal(Literal::Bool),
            Kind::Null | Kind::Undefined => Expr::Literal(Literal::Null),
            Kind::Regex => Expr::New(b.ty_path(&["RegExp"])),
            _ => Expr::Unknown,
        }
    }

    /// `x as T`: T, unless it says nothing.
    fn cast(&mut self, node: Node, base: ExprId, b: &mut Builder) -> ExprId {
        let ty = if self.kind(node) == Kind::AsExpression { self.last(node) } else { self.first(node) };
        let Some(ty) = ty.filter(|ty| node.named_child_count() > 1 && self.kind(*ty) != Kind::Undefined) else {
            return base;
        };
        let ty = if self.kind(ty) == Kind::TypeArguments { self.first(ty) } else { Some(ty) };
        match ty.and_then(|ty| self.ty(ty, b)) {
            Some(ty) => b.expr(Expr::Cast(ty)),
            None => base,
        }
    }

    fn member(&mut self, node: Node, base: ExprId, b: &mut Builder) -> ExprId {
        let f = &self.g.fields;
        let (Some(object), Some(property)) = (self.field(node, f.object), self.field(node, f.property)) else {
            return 0;
        };
        let name = self.text(property);
        if self.kind(object) == Kind::Identifier {
            let text = self.text(object);
            if let Some(value) = self.scopes.object_of(text).and_then(|object| self.scopes.member(object, name)) {
                return value;
            }
            if text == "module" && name == "exports" && self.is_free(text) {
                let exports = Expr::Name(b.sym("exports"));
                return b.expr_of(node, |_| exports);
            }
        }
        if base == 0 {
            return 0;
        }
        // What stands on a prototype is an instance's.
        if name == "prototype"
            && let Some(ty) = self.type_of_value(object, b)
        {
            return b.expr_of(node, |_| Expr::New(ty));
        }
        let name = b.sym(name);
        b.expr_of(node, |_| Expr::Member { base, name })
    }

    fn call_value(&mut self, node: Node, callee: ExprId, b: &mut Builder, depth: u32) -> ExprId {
        let f = &self.g.fields;
        let Some(function) = self.field(node, f.function) else { return 0 };
        if let Some(module) = self.loaded(node) {
            let name = self.load(module, node, b);
            return b.expr_of(node, |_| Expr::Name(name));
        }
        let arg = self.field(node, f.arguments).filter(|&args| self.kind(args) == Kind::Arguments);
        let arg = arg.and_then(|args| self.first(args));
        if self.kind(function) == Kind::Member {
            let object = self.field(function, f.object);
            let property = self.field(function, f.property).map_or("", |property| self.text(property));
            // A bound function is that function; a frozen or extended object is that object.
            if let (Some(object), "bind") = (object, property) {
                return self.expr_at(object, b, depth + 1);
            }
            if object.is_some_and(|object| self.text(object) == "Object")
                && matches!(property, "freeze" | "seal" | "assign" | "create" | "preventExtensions")
                && let Some(arg) = arg
            {
                let arg = self.unwrap(arg);
                return if self.kind(arg) == Kind::Object { 0 } else { self.expr_at(arg, b, depth + 1) };
            }
        }
        if let Some(cast) = self.generic_result(node, function, b) {
            return b.expr_of(node, |_| Expr::Cast(cast));
        }
        if callee == 0 {
            return 0;
        }
        let arg0 = arg.map(|arg| self.expr_at(arg, b, depth + 1)).filter(|&arg| arg != 0);
        let expr = Expr::Call { callee, arg0 };
        // An argument that becomes a definition is worth more once it has.
        if arg.is_some_and(|arg| Self::is_function(self.kind(self.unwrap(arg)))) {
            return b.expr(expr);
        }
        b.expr_of(node, |_| expr)
    }

    /// The type that a call's type arguments say it gives: `useRef<T>()`, `inject<T>()`.
    fn generic_result(&mut self, node: Node, function: Node, b: &mut Builder) -> Option<TypeId> {
        let args = self.field(node, self.g.fields.type_arguments)?;
        let first = self.first(args)?;
        let outer = match self.last_name(self.unwrap(function)) {
            "useRef" | "createRef" => Some("RefObject"),
            "ref" | "shallowRef" | "computed" => Some("Ref"),
            "inject" | "useContext" | "useInject" | "getContext" => None,
            _ => return None,
        };
        let of = self.ty(first, b)?;
        let Some(outer) = outer else { return Some(of) };
        let path = vec![b.sym(outer)];
        Some(b.ty(Type::Path { path, args: vec![of] }))
    }

    fn new_value(&mut self, node: Node, b: &mut Builder) -> Expr {
        let f = &self.g.fields;
        let Some(constructor) = self.field(node, f.constructor) else { return Expr::Unknown };
        let Some(ty) = self.type_of_value(constructor, b) else {
            let callee = self.expr(constructor, b);
            return if callee == 0 { Expr::Unknown } else { Expr::Call { callee, arg0: None } };
        };
        let Some(args) = self.field(node, f.type_arguments) else { return Expr::New(ty) };
        let args: Vec<TypeId> =
            self.children(args).into_iter().map(|arg| self.ty(arg, b).unwrap_or_default()).collect();
        match b.facts().ty(ty).clone() {
            Type::Path { path, .. } => Expr::New(b.ty(Type::Path { path, args })),
            _ => Expr::New(ty),
        }
    }

    /// The type whose class or function this expression is, if it is a dotted name.
    pub(super) fn type_of_value(&mut self, node: Node, b: &mut Builder) -> Option<TypeId> {
        let path = self.dotted(node)?;
        let first = match self.name_expr(path[0], b) {
            Expr::Name(sym) => b.str(sym).to_owned(),
            _ => path[0].to_owned(),
        };
        if path[0] == "this" {
            return None;
        }
        let mut parts = vec![first.as_str()];
        parts.extend(&path[1..]);
        Some(b.ty_path(&parts))
    }

    /// The names of `a.b.c`; None if it is anything else.
    pub(super) fn dotted(&self, node: Node) -> Option<Vec<&'s str>> {
        let f = &self.g.fields;
        let mut node = self.unwrap(node);
        let mut path = Vec::new();
        loop {
            match self.kind(node) {
                Kind::Identifier | Kind::This => {
                    path.push(self.text(node));
                    path.reverse();
                    return Some(path);
                }
                Kind::Member => {
                    path.push(self.text(self.field(node, f.property)?));
                    node = self.unwrap(self.field(node, f.object)?);
                }
                _ => return None,
            }
            if path.len() > 32 {
                return None;
            }
        }
    }

    /// A member access that is no callee and no target: a read.
    pub(super) fn read_member(&mut self, node: Node, b: &mut Builder) {
        let Some(property) = self.field(node, self.g.fields.property) else { return };
        let expr = self.expr(node, b);
        if expr != 0 && self.text(property) != "prototype" {
            b.add_ref(RefKind::Read, property, expr, 0, None);
        }
    }
}

fn one_of(mut parts: Vec<ExprId>) -> Expr {
    parts.retain(|&part| part != 0);
    if parts.is_empty() { Expr::Unknown } else { Expr::OneOf(parts) }
}
