//! What names are bound to: assignments, loops, `with`, `except`, patterns, comprehensions, lambdas.

use super::{FrameKind, Inner, Python, Role, literal_text};
use atlas_syntax::{
    BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, ExprId, Literal, RefKind, Sym, TypeId, end_line_of,
    line_of,
};
use tree_sitter::Node;

/// Nested patterns that are followed.
const DEPTH_MAX: u32 = 16;

/// What is being bound to a target.
#[derive(Debug, Clone, Copy, Default)]
struct Bound<'t> {
    value: ExprId,
    ty: TypeId,
    /// The value's own node, so that `a, b = c, d` pairs up.
    node: Option<Node<'t>>,
    /// A statement that may define names for other files: not a loop or a `with`.
    defines: Option<Node<'t>>,
}

impl Python {
    pub(super) fn assignment(&mut self, node: Node, b: &mut Builder) {
        let Some(left) = node.child_by_field_name("left") else { return };
        let right = node.child_by_field_name("right");
        let declared = node.child_by_field_name("type");
        // `a = b = c` nests to the right. The outermost one finds the value for all of them.
        let mut value = right;
        if right.is_some_and(|right| right.kind() == "assignment") {
            let in_chain = self.chain.filter(|&(end, _)| end == node.end_byte());
            if let Some((_, value)) = in_chain {
                self.target(left, Bound { value, defines: Some(node), ..Bound::default() }, b, 0);
                return;
            }
            while let Some(inner) = value.filter(|value| value.kind() == "assignment") {
                value = inner.child_by_field_name("right");
            }
            let found = value.map_or(0, |value| self.expr(value, b));
            self.chain = Some((node.end_byte(), found));
        }
        if left.kind() == "identifier" && self.special_assignment(node, left, declared, value, b) {
            return;
        }
        let ty = declared.map_or(0, |ty| self.ty(ty, b));
        let bound = Bound { value: value.map_or(0, |value| self.expr(value, b)), ty, node: value, defines: Some(node) };
        self.target(left, bound, b, 0);
    }

    /// Assignments that define something else than a variable.
    fn special_assignment(
        &mut self,
        node: Node,
        left: Node,
        declared: Option<Node>,
        value: Option<Node>,
        b: &mut Builder,
    ) -> bool {
        if self.frame().kind == FrameKind::Function {
            return false;
        }
        let name = b.text(left);
        if name == "__all__" {
            self.exports(value, b);
        }
        let Some(value) = value else { return false };
        if declared.is_some_and(|ty| b.text(ty).ends_with("TypeAlias")) {
            self.done(Some(left));
            let ty = self.ty(value, b);
            self.define_alias(node, left, ty, b);
            return true;
        }
        if self.frame().defined.contains(&b.sym_of(left)) {
            return false;
        }
        match value.kind() {
            "lambda" if node.child_by_field_name("right").is_some_and(|right| right.id() == value.id()) => {
                self.done(Some(left));
                self.define_lambda(node, left, value, b);
                true
            }
            "call" => {
                let function = value.child_by_field_name("function").map_or("", |f| b.text(f));
                let arguments = value.child_by_field_name("arguments");
                let argument = |n: u32| arguments.and_then(|list| list.named_child(n));
                let quoted = argument(0).and_then(|first| literal_text(first, b)) == Some(name);
                match (super::defs::last_name(function), quoted) {
                    ("namedtuple" | "NamedTuple" | "TypedDict" | "make_dataclass" | "new_class", true) => {
                        self.done(Some(left));
                        self.define_class(node, left, DefKind::Class, b);
                        true
                    }
                    ("Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag", true) => {
                        self.done(Some(left));
                        self.define_class(node, left, DefKind::Enum, b);
                        true
                    }
                    ("type", true) => {
                        self.done(Some(left));
                        let ix = self.define_class(node, left, DefKind::Class, b);
                        self.bases_of_made_class(ix, argument(1), b);
                        true
                    }
                    ("NewType", true) => {
                        self.done(Some(left));
                        let ty = argument(1).map_or(0, |of| self.ty(of, b));
                        self.define_alias(node, left, ty, b);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn bases_of_made_class(&mut self, ix: DefIx, tuple: Option<Node>, b: &mut Builder) {
        let Some(tuple) = tuple.filter(|tuple| tuple.kind() == "tuple") else { return };
        let mut cursor = tuple.walk();
        let bases: Vec<Node> = tuple.named_children(&mut cursor).collect();
        for base in bases {
            let ty = self.ty(base, b);
            if ty != 0 {
                b.add_base(atlas_syntax::BaseSub::Def(ix), ty, atlas_syntax::BaseRelation::Inherit, base);
            }
        }
    }

    pub(super) fn augmented(&mut self, node: Node, b: &mut Builder) {
        let Some(left) = node.child_by_field_name("left") else { return };
        if left.kind() == "identifier" {
            self.done(Some(left));
            if b.text(left) == "__all__" {
                self.exports(node.child_by_field_name("right"), b);
            }
            let symbol = b.sym_of(left);
            let frame = self.frame();
            if frame.kind == FrameKind::Module || frame.globals.contains(&symbol) {
                let expr = self.expr(left, b);
                b.add_ref(RefKind::Write, left, expr, 0, None);
            }
            return;
        }
        self.target(left, Bound::default(), b, 0);
    }

    pub(super) fn walrus(&mut self, node: Node, b: &mut Builder) {
        let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
            return;
        };
        let value_expr = self.expr(value, b);
        self.target(name, Bound { value: value_expr, node: Some(value), ..Bound::default() }, b, 0);
    }

    pub(super) fn for_loop(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let value = self.element_of(right, b);
        self.target(left, Bound { value, ..Bound::default() }, b, 0);
    }

    fn element_of(&mut self, iterated: Node, b: &mut Builder) -> ExprId {
        let of = self.expr(iterated, b);
        if of == 0 { 0 } else { b.expr(Expr::Element(of)) }
    }

    /// `with x as y`: y is what `x.__enter__()` gives, mostly x itself.
    pub(super) fn with_item(&mut self, node: Node, b: &mut Builder) {
        let Some(pattern) = node.child_by_field_name("value").filter(|value| value.kind() == "as_pattern") else {
            return;
        };
        let (Some(value), Some(alias)) = (pattern.named_child(0), pattern.child_by_field_name("alias")) else { return };
        let Some(target) = alias.named_child(0) else { return };
        let base = self.expr(value, b);
        let value = if base == 0 {
            0
        } else {
            let name = b.sym("__enter__");
            let callee = b.expr(Expr::Member { base, name });
            let entered = b.expr(Expr::Call { callee, arg0: None });
            b.expr(Expr::OneOf(vec![entered, base]))
        };
        self.target(target, Bound { value, ..Bound::default() }, b, 0);
    }

    pub(super) fn except_clause(&mut self, node: Node, b: &mut Builder) {
        let Some(value) = node.child_by_field_name("value") else { return };
        if value.kind() != "as_pattern" {
            return;
        }
        let (Some(class), Some(alias)) = (value.named_child(0), value.child_by_field_name("alias")) else { return };
        let ty = self.ty(class, b);
        if let Some(target) = alias.named_child(0) {
            self.target(target, Bound { ty, ..Bound::default() }, b, 0);
        }
    }

    pub(super) fn delete(&mut self, node: Node, b: &mut Builder) {
        let Some(inner) = node.named_child(0) else { return };
        let mut cursor = inner.walk();
        let targets: Vec<Node> =
            if inner.kind() == "expression_list" { inner.named_children(&mut cursor).collect() } else { vec![inner] };
        for target in targets {
            match target.kind() {
                "identifier" => self.done(Some(target)),
                "attribute" | "subscript" => self.target(target, Bound::default(), b, 0),
                _ => {}
            }
        }
    }

    fn target(&mut self, left: Node, bound: Bound, b: &mut Builder, depth: u32) {
        if depth >= DEPTH_MAX {
            return;
        }
        match left.kind() {
            "identifier" => self.bind_name(left, bound, b),
            "attribute" => self.bind_member(left, bound, b),
            "subscript" => self.write_into(left, b),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "expression_list" => {
                let mut cursor = left.walk();
                let targets: Vec<Node> = left.named_children(&mut cursor).collect();
                let values = bound.node.map_or_else(Vec::new, |node| parts_of(node, targets.len()));
                for (n, target) in targets.into_iter().enumerate() {
                    let mut part = Bound { defines: bound.defines, ..Bound::default() };
                    if let Some(&value) = values.get(n) {
                        part.value = self.expr(value, b);
                        part.node = Some(value);
                    } else if bound.value != 0 {
                        let n = u16::try_from(n).unwrap_or(u16::MAX);
                        part.value = b.expr(Expr::Part { of: bound.value, n });
                    }
                    self.target(target, part, b, depth + 1);
                }
            }
            "list_splat_pattern" | "list_splat" => {
                let value = b.expr(Expr::Literal(Literal::List));
                if let Some(inner) = left.named_child(0) {
                    self.target(inner, Bound { value, defines: bound.defines, ..Bound::default() }, b, depth + 1);
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = left.named_child(0) {
                    self.target(inner, bound, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn bind_name(&mut self, name: Node, bound: Bound, b: &mut Builder) {
        self.done(Some(name));
        self.forget(name, name.end_byte(), b);
        let symbol = b.sym_of(name);
        let text = b.text(name);
        let (ty, value) = (some(bound.ty), some(bound.value));
        let line = line_of(name);
        let frame = self.frame();
        match frame.kind {
            FrameKind::Module => {
                self.define_variable(name, symbol, bound, b);
                b.bind(BindingKind::Local, None, text, line, ty, value);
            }
            FrameKind::Class | FrameKind::Enum => {
                let scope = frame.def;
                self.define_variable(name, symbol, bound, b);
                b.bind(BindingKind::Field, scope, text, line, ty, value);
            }
            FrameKind::Function if frame.globals.contains(&symbol) => {
                b.bind(BindingKind::Local, None, text, line, ty, value);
                let expr = b.expr_of(name, |_| Expr::Name(symbol));
                b.add_ref(RefKind::Write, name, expr, 0, None);
            }
            FrameKind::Function if frame.nonlocals.contains(&symbol) => {
                let outer = self.frames.iter().rev().skip(1).find(|frame| frame.kind == FrameKind::Function);
                let scope = outer.and_then(|frame| frame.def);
                b.bind(BindingKind::Local, scope, text, line, ty, value);
            }
            FrameKind::Function => {
                let scope = frame.def;
                b.bind(BindingKind::Local, scope, text, line, ty, value);
            }
        }
    }

    /// The first assignment at module or class level defines; later ones write.
    fn define_variable(&mut self, name: Node, symbol: Sym, bound: Bound, b: &mut Builder) {
        let Some(statement) = bound.defines else { return };
        if !self.frame_mut().defined.insert(symbol) {
            let expr = b.expr_of(name, |_| Expr::Name(symbol));
            b.add_ref(RefKind::Write, name, expr, 0, None);
            return;
        }
        let text = b.text(name);
        let upper = text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase);
        let kind = match self.frame().kind {
            FrameKind::Enum if !text.starts_with('_') && bound.value != 0 => DefKind::EnumMember,
            FrameKind::Module if upper => DefKind::Constant,
            FrameKind::Module => DefKind::Variable,
            _ => DefKind::Field,
        };
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.ty = some(bound.ty);
        spec.signature_end = Some(end_line_of(statement));
        spec.flags.set(DefFlags::EXPORTED, !text.starts_with('_'));
        let ix = b.add_def(statement, spec);
        if let Some(value) = bound.node {
            self.variable_table(ix, value, b);
        }
    }

    fn bind_member(&mut self, left: Node, bound: Bound, b: &mut Builder) {
        let (Some(object), Some(name)) = (left.child_by_field_name("object"), left.child_by_field_name("attribute"))
        else {
            return;
        };
        self.forget(left, left.end_byte(), b);
        self.roles.insert(left.id(), Role::Done);
        let base = self.expr(object, b);
        let symbol = b.sym_of(name);
        let expr = b.expr(Expr::Member { base, name: symbol });
        b.add_ref(RefKind::Write, name, expr, 0, None);
        let of_receiver = object.kind() == "identifier" && {
            let object = b.sym_of(object);
            self.is_receiver(object)
        };
        if !of_receiver {
            return;
        }
        let Some(class) = b.enclosing_type() else { return };
        b.bind(BindingKind::Field, Some(class), b.text(name), line_of(name), some(bound.ty), some(bound.value));
        let Some(statement) = bound.defines else { return };
        let frame = self.frames.iter_mut().rev().find(|frame| frame.def == Some(class));
        if frame.is_some_and(|frame| frame.defined.insert(symbol)) {
            let mut spec = DefSpec::named(DefKind::Field, name, b.source);
            spec.ty = some(bound.ty);
            spec.signature_end = Some(end_line_of(statement));
            spec.flags.set(DefFlags::EXPORTED, !b.text(name).starts_with('_'));
            spec.flags.set(DefFlags::ASSIGNED, bound.ty == 0);
            let ix = b.add_def(statement, spec);
            b.def_mut(ix).container = Some(class);
        }
    }

    /// `CACHE[key] = value` changes what `CACHE` holds.
    fn write_into(&mut self, left: Node, b: &mut Builder) {
        let Some(object) = left.child_by_field_name("value") else { return };
        match object.kind() {
            "identifier" => {
                self.done(Some(object));
                let symbol = b.sym_of(object);
                if self.inner_name(symbol).is_none() && !self.is_receiver(symbol) && !self.is_local(symbol, b) {
                    let expr = self.expr(object, b);
                    b.add_ref(RefKind::Write, object, expr, 0, None);
                }
            }
            "attribute" => {
                if let Some(name) = object.child_by_field_name("attribute") {
                    self.roles.insert(object.id(), Role::Done);
                    let expr = self.expr(object, b);
                    b.add_ref(RefKind::Write, name, expr, 0, None);
                }
            }
            _ => {}
        }
    }

    /// Whether a function around has bound the name itself, as far as the walk has come.
    fn is_local(&self, symbol: Sym, b: &Builder) -> bool {
        // The newest bindings come last; looking at a few keeps this cheap.
        const LOOK_BACK: usize = 64;
        let Some(scope) = self.frame().def.filter(|_| self.frame().kind == FrameKind::Function) else { return false };
        self.frame().params.contains(&symbol)
            || b.facts()
                .bindings
                .iter()
                .rev()
                .take(LOOK_BACK)
                .any(|binding| binding.scope == Some(scope) && binding.name == symbol)
    }

    pub(super) fn outer_names(&mut self, node: Node, b: &mut Builder) {
        let global = node.kind() == "global_statement";
        let mut cursor = node.walk();
        let names: Vec<Node> = node.named_children(&mut cursor).filter(|n| n.kind() == "identifier").collect();
        let scope = self.frame().def;
        for name in names {
            let symbol = b.sym_of(name);
            if self.frame().kind == FrameKind::Function {
                b.bind(BindingKind::Outer, scope, b.text(name), line_of(name), None, None);
            }
            let frame = self.frame_mut();
            if global { frame.globals.push(symbol) } else { frame.nonlocals.push(symbol) }
        }
    }

    pub(super) fn returned(&mut self, node: Node, b: &mut Builder) {
        if let (Some(value), Some(scope)) = (node.named_child(0), b.enclosing_callable()) {
            let value = self.expr(value, b);
            b.bind(BindingKind::Return, Some(scope), "", line_of(node), None, some(value));
        }
    }

    /// A context manager or fixture gives what it yields, any other generator a collection of that.
    pub(super) fn yielded(&mut self, node: Node, b: &mut Builder) {
        let (FrameKind::Function, Some(scope), Some(value)) =
            (self.frame().kind, self.frame().def, node.named_child(0))
        else {
            return;
        };
        let mut value = self.expr(value, b);
        if node.child(1).is_some_and(|word| word.kind() == "from") || value == 0 {
            // What another generator gives is what this one gives.
        } else if !self.frame().yields_value {
            value = b.expr(Expr::Elements(vec![value]));
        }
        b.bind(BindingKind::Return, Some(scope), "", line_of(node), None, some(value));
    }

    /// The names that a comprehension binds are its own.
    pub(super) fn comprehension(&mut self, node: Node, b: &mut Builder) {
        // An expression around it may have asked for its names before the walk came here.
        let known = self.inner_known.remove(&node.id());
        let first_time = known.is_none();
        self.inner.push(Inner { node: node.id(), names: known.unwrap_or_default() });
        if !first_time {
            return;
        }
        let mut cursor = node.walk();
        let clauses: Vec<Node> = node.named_children(&mut cursor).filter(|n| n.kind() == "for_in_clause").collect();
        for clause in clauses {
            let (Some(left), Some(right)) = (clause.child_by_field_name("left"), clause.child_by_field_name("right"))
            else {
                continue;
            };
            let value = self.element_of(right, b);
            self.inner_target(left, value, b, 0);
        }
    }

    fn inner_target(&mut self, left: Node, value: ExprId, b: &mut Builder, depth: u32) {
        match left.kind() {
            "identifier" => {
                self.done(Some(left));
                self.bind_inner(left, value, b);
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" if depth < DEPTH_MAX => {
                let mut cursor = left.walk();
                let targets: Vec<Node> = left.named_children(&mut cursor).collect();
                for (n, target) in targets.into_iter().enumerate() {
                    let n = u16::try_from(n).unwrap_or(u16::MAX);
                    let part = if value == 0 { 0 } else { b.expr(Expr::Part { of: value, n }) };
                    self.inner_target(target, part, b, depth + 1);
                }
            }
            "list_splat_pattern" => {
                if let Some(inner) = left.named_child(0).filter(|_| depth < DEPTH_MAX) {
                    self.inner_target(inner, 0, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Binds a name that no other place of the file can mean.
    fn bind_inner(&mut self, name: Node, value: ExprId, b: &mut Builder) {
        let symbol = b.sym_of(name);
        self.inner_count += 1;
        let own = format!("{}#{}", b.text(name), self.inner_count);
        let own_symbol = b.sym(&own);
        let scope = self.frames.iter().rev().find_map(|frame| frame.def);
        b.bind(BindingKind::Local, scope, &own, line_of(name), None, some(value));
        if let Some(inner) = self.inner.last_mut() {
            inner.names.push((symbol, own_symbol));
        }
    }

    pub(super) fn lambda(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        if role == Some(Role::DefinedLambda) {
            return;
        }
        let Some(parameters) = node.child_by_field_name("parameters") else { return };
        self.inner.push(Inner { node: node.id(), names: Vec::new() });
        let mut cursor = parameters.walk();
        let nodes: Vec<Node> = parameters.named_children(&mut cursor).collect();
        for parameter in nodes {
            let name = match parameter.kind() {
                "identifier" => Some(parameter),
                "default_parameter" => parameter.child_by_field_name("name"),
                "list_splat_pattern" | "dictionary_splat_pattern" => parameter.named_child(0),
                _ => None,
            };
            if let Some(name) = name.filter(|name| name.kind() == "identifier") {
                self.done(Some(name));
                self.bind_inner(name, 0, b);
            }
        }
    }

    /// Captures of a `case` clause; classes in patterns are reads.
    pub(super) fn case_clause(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let patterns: Vec<Node> = node.named_children(&mut cursor).filter(|n| n.kind() == "case_pattern").collect();
        for pattern in patterns {
            self.pattern(pattern, b, 0);
        }
    }

    fn pattern(&mut self, node: Node, b: &mut Builder, depth: u32) {
        if depth >= DEPTH_MAX {
            return;
        }
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let mut parts = parts.into_iter();
        match node.kind() {
            "class_pattern" => {
                if let Some(class) = parts.next() {
                    self.pattern_value(class, RefKind::Read, b);
                }
            }
            "keyword_pattern" => self.done(parts.next()),
            "as_pattern" => {
                let class = node.named_child(0).and_then(|inner| inner.named_child(0));
                let class =
                    class.filter(|inner| inner.kind() == "class_pattern").and_then(|inner| inner.named_child(0));
                if let Some(name) = node.named_child(1).filter(|name| name.kind() == "identifier") {
                    let ty = class.map_or(0, |class| self.ty(class, b));
                    self.target(name, Bound { ty, ..Bound::default() }, b, 0);
                }
            }
            "splat_pattern" => {
                if let Some(name) = parts.next().filter(|name| name.kind() == "identifier") {
                    self.target(name, Bound::default(), b, 0);
                }
            }
            // One name alone captures, a dotted one is a value.
            "dotted_name" => {
                match node.named_child_count() {
                    1 => self.target(node.named_child(0).unwrap_or(node), Bound::default(), b, 0),
                    _ => self.pattern_value(node, RefKind::Read, b),
                }
                return;
            }
            _ => {}
        }
        for part in parts {
            self.pattern(part, b, depth + 1);
        }
    }

    /// `pkg.Class` or `Colour.RED` in a pattern.
    fn pattern_value(&mut self, node: Node, kind: RefKind, b: &mut Builder) {
        let mut cursor = node.walk();
        let names: Vec<Node> = node.named_children(&mut cursor).collect();
        let mut base: Option<ExprId> = None;
        for name in names {
            self.done(Some(name));
            let symbol = b.sym_of(name);
            let expr = match base {
                None => b.expr(Expr::Name(symbol)),
                Some(base) => b.expr(Expr::Member { base, name: symbol }),
            };
            b.add_ref(kind, name, expr, 0, None);
            base = Some(expr);
        }
    }
}

fn some(id: u32) -> Option<u32> {
    (id != 0).then_some(id)
}

/// The elements of a tuple or list display, if there are just so many and none is spread.
fn parts_of(node: Node, count: usize) -> Vec<Node> {
    if !matches!(node.kind(), "tuple" | "expression_list" | "list") || node.named_child_count() != count {
        return Vec::new();
    }
    let mut cursor = node.walk();
    let parts: Vec<Node> = node.named_children(&mut cursor).collect();
    if parts.iter().any(|part| part.kind() == "list_splat") { Vec::new() } else { parts }
}
