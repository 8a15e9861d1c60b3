//! Calls, constructions, JSX elements, decorators.

use super::Js;
use super::grammar::Kind;
use atlas_syntax::{Builder, Expr, ExprId, RefKind, Sym, Visit};
use tree_sitter::Node;

/// Methods that call their function with an element of their receiver first.
const ELEMENT_FIRST: [&str; 13] = [
    "each",
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "map",
    "some",
    "sort",
    "toSorted",
];

/// First arguments of `f.call(…)` that stand for `this`.
const THIS_NAMES: [&str; 10] = ["_this", "context", "ctx", "me", "null", "scope", "self", "that", "this", "undefined"];

impl<'s> Js<'s> {
    pub(super) fn enter_call(&mut self, node: Node, b: &mut Builder) -> Visit {
        let f = &self.g.fields;
        let Some(function) = self.field(node, f.function) else { return Visit::Children };
        let args = self.field(node, f.arguments);
        let (argc, arg0, list) = self.arguments(args, b);
        if let Some(module) = self.loaded(node) {
            if !self.consumed.remove(&node.id()) {
                self.load(module, node, b);
            }
            if self.kind(function) == Kind::Identifier {
                self.consume(function);
            }
            return Visit::Children;
        }
        let callee = self.unwrap(function);
        if self.kind(callee) == Kind::Member {
            self.hint_callback(callee, &list, b);
        }
        self.call_root(node, callee, &list, b);
        self.call_data(node, callee, &list, b);
        self.inherits_call(callee, &list, b);
        if self.consumed.remove(&node.id()) {
            // A decorator's call was stated as one.
            return Visit::Children;
        }
        match self.kind(callee) {
            Kind::Identifier => {
                self.consume(callee);
                let expr = self.expr(callee, b);
                b.add_ref(RefKind::Call, callee, expr, argc, arg0);
            }
            Kind::Super => {
                let expr = b.expr(Expr::Super);
                b.add_ref(RefKind::Call, callee, expr, argc, arg0);
            }
            Kind::Member => self.call_member(callee, &list, argc, arg0, b),
            Kind::Subscript => {
                let index = self.field(callee, f.index);
                if let Some((index, name)) = index.and_then(|index| Some((index, self.string(index)?))) {
                    let expr = self.expr(callee, b);
                    b.add_ref_named(RefKind::Call, name, index, expr, argc, arg0);
                }
            }
            // `require('./m')(app)`
            Kind::Call if self.loaded(callee).is_some() => {
                let expr = self.expr(callee, b);
                b.add_ref_named(RefKind::Call, "require", callee, expr, argc, arg0);
            }
            _ => {}
        }
        Visit::Children
    }

    fn call_member(&mut self, callee: Node, list: &[Node], argc: u16, arg0: Option<Sym>, b: &mut Builder) {
        let f = &self.g.fields;
        let (Some(object), Some(property)) = (self.field(callee, f.object), self.field(callee, f.property)) else {
            return;
        };
        self.consume(callee);
        let name = self.text(property);
        if matches!(name, "call" | "apply") && self.calls_indirectly(name, object, list) {
            // `f.call(this, …)` calls f.
            let target = self.unwrap(object);
            self.consume(target);
            let expr = self.expr(target, b);
            let at = self.field(target, f.property).unwrap_or(target);
            b.add_ref(RefKind::Call, at, expr, u16::MAX, None);
            return;
        }
        let expr = self.expr(callee, b);
        b.add_ref(RefKind::Call, property, expr, argc, arg0);
    }

    fn calls_indirectly(&self, name: &str, object: Node, list: &[Node]) -> bool {
        let object = self.unwrap(object);
        if !matches!(self.kind(object), Kind::Identifier | Kind::Member) {
            return false;
        }
        let on_prototype = self.dotted(object).is_some_and(|path| path.contains(&"prototype"));
        let this = list.first().is_some_and(|first| THIS_NAMES.contains(&self.text(*first)));
        on_prototype || this || (name == "apply" && list.len() == 2)
    }

    /// How many arguments, the first if it is a string, and all of them.
    pub(super) fn arguments<'t>(&self, args: Option<Node<'t>>, b: &mut Builder) -> (u16, Option<Sym>, Vec<Node<'t>>) {
        let Some(args) = args else { return (0, None, Vec::new()) };
        if self.kind(args) == Kind::TemplateString {
            return (1, None, Vec::new());
        }
        let list = self.children(args);
        let spread = list.iter().any(|&arg| self.kind(arg) == Kind::Spread);
        let argc = if spread { u16::MAX } else { list.len().min(usize::from(u16::MAX) - 1) as u16 };
        let arg0 = list.first().and_then(|&first| self.string(first)).filter(|text| text.len() <= 200);
        let arg0 = arg0.map(|text| b.sym(text));
        (argc, arg0, list)
    }

    /// What a method passes to the function it is given.
    fn hint_callback(&mut self, callee: Node, list: &[Node], b: &mut Builder) {
        let f = &self.g.fields;
        let Some(function) = list.first().map(|&arg| self.unwrap(arg)) else { return };
        if !Self::is_function(self.kind(function)) {
            return;
        }
        let (Some(object), Some(property)) = (self.field(callee, f.object), self.field(callee, f.property)) else {
            return;
        };
        let name = self.text(property);
        let element = ELEMENT_FIRST.binary_search(&name).is_ok();
        if !element && !matches!(name, "reduce" | "reduceRight" | "then") {
            return;
        }
        let base = self.expr(object, b);
        if base == 0 {
            return;
        }
        let mut hints: Vec<(u16, ExprId)> = Vec::new();
        if name == "then" {
            hints.push((0, b.expr(Expr::Await(base))));
        } else {
            let element = b.expr(Expr::Element(base));
            match name {
                "reduce" | "reduceRight" => hints.push((1, element)),
                "sort" | "toSorted" => hints.extend([(0, element), (1, element)]),
                _ => hints.push((0, element)),
            }
        }
        self.hints.insert(function.id(), hints);
    }

    pub(super) fn enter_new(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let Some(constructor) = self.field(node, f.constructor) else { return };
        let (argc, arg0, list) = self.arguments(self.field(node, f.arguments), b);
        let callee = self.unwrap(constructor);
        self.new_root(node, callee, &list, b);
        self.construct(RefKind::Construct, callee, argc, arg0, b);
    }

    fn construct(&mut self, kind: RefKind, callee: Node, argc: u16, arg0: Option<Sym>, b: &mut Builder) {
        match self.kind(callee) {
            Kind::Identifier => {
                self.consume(callee);
                let expr = self.expr(callee, b);
                b.add_ref(kind, callee, expr, argc, arg0);
            }
            Kind::Member => {
                self.consume(callee);
                let Some(property) = self.field(callee, self.g.fields.property) else { return };
                let expr = self.expr(callee, b);
                b.add_ref(kind, property, expr, argc, arg0);
            }
            _ => {}
        }
    }

    /// `<App …/>` calls App; a name in lower case is an element of the page.
    pub(super) fn enter_jsx(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = self.field(node, self.g.fields.name) else { return };
        match self.kind(name) {
            Kind::Identifier if self.text(name).starts_with(|c: char| c.is_lowercase()) => self.consume(name),
            Kind::Identifier | Kind::Member => self.construct(RefKind::Call, name, 1, None, b),
            _ => {}
        }
    }

    pub(super) fn enter_decorator(&mut self, node: Node, b: &mut Builder) {
        let Some(inner) = self.first(node) else { return };
        if self.decorated.is_none() {
            self.decorated = Some(atlas_syntax::line_of(node));
        }
        self.decorator_root(inner);
        let f = &self.g.fields;
        if self.kind(inner) == Kind::Call {
            let Some(function) = self.field(inner, f.function) else { return };
            let (argc, arg0, _) = self.arguments(self.field(inner, f.arguments), b);
            self.consume(inner);
            self.construct(RefKind::Decorator, self.unwrap(function), argc, arg0, b);
        } else {
            self.construct(RefKind::Decorator, inner, 0, None, b);
        }
    }
}
