//! Classes, modules, methods and their parameters.

use super::bind::some;
use super::expr::first_argument;
use super::{FrameKind, Ruby, plain_text};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, Literal, Sym, Type, TypeId,
    end_line_of, line_of,
};
use tree_sitter::Node;

/// A sorbet `sig { params(…).returns(…) }`.
#[derive(Debug, Default)]
pub(super) struct Signature {
    params: Vec<(Sym, TypeId)>,
    result: TypeId,
    line: u32,
}

impl Ruby {
    pub(super) fn class(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let superclass = node.child_by_field_name("superclass").and_then(|clause| clause.named_child(0));
        let parent = superclass.map_or("", |parent| b.text(parent));
        let ix = self.open_type(node, name, DefKind::Class, superclass.map(end_line_of), b);
        let own = b.str(b.facts().def(ix).name).to_owned();
        b.def_mut(ix).flags.set(DefFlags::TEST, is_test_class(&own, parent));
        self.frame_mut().parents.push(parent.into());
        if let Some(superclass) = superclass {
            self.base(ix, superclass, BaseRelation::Inherit, b);
            if superclass.kind() == "call" {
                self.struct_members(superclass, b);
            }
        }
        self.model(ix, node, &own, parent, b);
    }

    pub(super) fn module(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let ix = self.open_type(node, name, DefKind::Trait, None, b);
        // Who includes a concern is extended by its `ClassMethods`.
        let body = node.child_by_field_name("body");
        let mut cursor = node.walk();
        let nested = body.and_then(|body| {
            body.named_children(&mut cursor).find(|n| {
                n.kind() == "module" && n.child_by_field_name("name").is_some_and(|name| b.text(name) == "ClassMethods")
            })
        });
        if let Some(nested) = nested {
            let own = b.str(b.facts().def(ix).name).to_owned();
            let ty = b.ty_path(&[&own, "ClassMethods"]);
            b.add_base(BaseSub::Def(ix), ty, BaseRelation::Include, nested);
        }
    }

    fn open_type(&mut self, node: Node, name: Node, kind: DefKind, end: Option<u32>, b: &mut Builder) -> DefIx {
        self.done(Some(name));
        let doc = self.doc.take(line_of(node));
        // `class A::B` is `B`, a member of `A`.
        let (last, owner) = match name.kind() {
            "scope_resolution" => {
                self.done(name.child_by_field_name("name"));
                (name.child_by_field_name("name").unwrap_or(name), name.child_by_field_name("scope"))
            }
            _ => (name, None),
        };
        let mut spec = DefSpec::named(kind, last, b.source);
        spec.owner = owner.map(|owner| self.ty(owner, b)).filter(|&ty| ty != 0);
        spec.doc = doc;
        spec.signature_end = Some(end.unwrap_or_else(|| end_line_of(name)));
        spec.flags.set(DefFlags::EXPORTED, true);
        spec.flags.set(DefFlags::STATIC, true);
        let symbol = b.sym_of(last);
        self.frame_mut().defined.insert(symbol);
        let ix = b.open_def(node, spec);
        self.push(FrameKind::Type, Some(ix), node);
        ix
    }

    pub(super) fn base(&mut self, ix: DefIx, parent: Node, relation: BaseRelation, b: &mut Builder) {
        let ty = self.ty(parent, b);
        if ty != 0 {
            b.add_base(BaseSub::Def(ix), ty, relation, parent);
        }
    }

    pub(super) fn singleton_class(&mut self, node: Node) {
        let def = self.type_frame().and_then(|frame| frame.def);
        self.push(FrameKind::Singleton, def, node);
    }

    /// `P = Struct.new(:a) do … end`, `K = Class.new(Base)`, `E = Data.define(:x)`.
    pub(super) fn made_class(&mut self, node: Node, name: Node, value: Node, b: &mut Builder) -> bool {
        if value.kind() != "call" || !matches!(self.frame().kind, FrameKind::Program | FrameKind::Type) {
            return false;
        }
        let text = |field: &str| value.child_by_field_name(field).map_or("", |part| b.text(part));
        let (receiver, method) = (text("receiver").trim_start_matches("::"), text("method"));
        let kind = match (receiver, method) {
            ("Struct" | "Class", "new") | ("Data", "define") => DefKind::Class,
            ("Module", "new") => DefKind::Trait,
            _ => return false,
        };
        self.done(Some(name));
        let ix = self.open_type(node, name, kind, None, b);
        match receiver {
            "Class" => {
                if let Some(parent) = first_argument(value) {
                    self.frame_mut().parents.push(b.text(parent).into());
                    self.base(ix, parent, BaseRelation::Inherit, b);
                }
            }
            "Module" => {}
            _ => self.struct_members(value, b),
        }
        true
    }

    fn struct_members(&mut self, call: Node, b: &mut Builder) {
        let receiver = call.child_by_field_name("receiver").map_or("", |r| b.text(r));
        let (true, Some(list)) =
            (matches!(receiver, "Struct" | "::Struct" | "Data" | "::Data"), call.child_by_field_name("arguments"))
        else {
            return;
        };
        let mut cursor = list.walk();
        let names: Vec<Node> = list.named_children(&mut cursor).filter(|n| n.kind() == "simple_symbol").collect();
        for name in names {
            let text = plain_text(name, b).unwrap_or_default().to_owned();
            self.property(name, &text, 0, 0, b);
        }
    }

    /// A method that reads like a field: `attr_reader`, an association, a member of a struct.
    pub(super) fn property(&mut self, at: Node, name: &str, ty: TypeId, value: u32, b: &mut Builder) -> Option<DefIx> {
        let class = self.type_frame().and_then(|frame| frame.def);
        let symbol = b.sym(name);
        let frame = self.frames.iter_mut().rev().find(|frame| frame.kind == FrameKind::Type)?;
        if name.is_empty() || !frame.defined.insert(symbol) {
            return None;
        }
        let mut spec = DefSpec::new(DefKind::Property, name);
        spec.ty = some(ty);
        spec.flags.set(DefFlags::EXPORTED, !self.frame().private);
        spec.flags.set(DefFlags::STATIC, self.frame().kind == FrameKind::Singleton);
        let ix = b.add_def(at, spec);
        b.def_mut(ix).container = class;
        b.bind(BindingKind::Field, class, name, line_of(at), some(ty), some(value));
        Some(ix)
    }

    pub(super) fn method(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        if name.kind() == "setter" {
            self.done(name.named_child(0));
        }
        let text = b.text(name);
        let signature = self.signature.take().filter(|sig| sig.line + 8 > line_of(node));
        let doc_line = signature.as_ref().map_or_else(|| line_of(node), |sig| sig.line);
        let doc = self.doc.take(doc_line).or_else(|| self.doc.take(line_of(node)));
        let in_type = self.type_frame().is_some();
        let singleton = node.kind() == "singleton_method" || self.frame().kind == FrameKind::Singleton;
        let kind = match (in_type, text) {
            (true, "initialize") if !singleton => DefKind::Constructor,
            (true, _) => DefKind::Method,
            (false, _) => DefKind::Function,
        };
        let mut spec = DefSpec::named(kind, name, b.source);
        let parameters = node.child_by_field_name("parameters");
        if let Some(object) = node.child_by_field_name("object") {
            // `def Foo.bar` outside of Foo, or within it.
            let own = self.type_frame().and_then(|frame| frame.def).map(|ix| b.str(b.facts().def(ix).name).to_owned());
            if object.kind() == "constant" && own.as_deref() != Some(b.text(object)) {
                spec.owner = some(self.ty(object, b));
            }
            self.done(Some(object).filter(|object| object.kind() == "constant"));
        }
        spec.signature_end = Some(end_line_of(parameters.unwrap_or(name)));
        spec.doc = doc;
        spec.ty = signature.as_ref().and_then(|sig| some(sig.result));
        let private = self.frame().private && !singleton;
        spec.flags.set(DefFlags::EXPORTED, !private);
        spec.flags.set(DefFlags::STATIC, singleton && (in_type || spec.owner.is_some()));
        if spec.owner.is_some() {
            spec.kind = DefKind::Method;
        }
        let test = self.test_method(text, b);
        let hooks = matches!(text, "setup" | "teardown") && self.in_test_class(b);
        spec.flags.set(DefFlags::TEST, test || hooks);
        // A method inside another one is a member of the class all the same.
        let class = self.type_frame().and_then(|frame| frame.def);
        let symbol = b.sym_of(name);
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.kind == FrameKind::Type) {
            frame.defined.insert(symbol);
        }
        let ix = b.open_def(node, spec);
        if class.is_some() {
            b.def_mut(ix).container = class;
        }
        self.push(if singleton { FrameKind::StaticMethod } else { FrameKind::Method }, Some(ix), node);
        b.def_mut(ix).arity = match parameters {
            Some(parameters) => self.parameters(parameters, ix, signature.as_ref(), b),
            None => (0, 0),
        };
        if test {
            self.test_root(ix, text, "minitest method", name, b);
        }
        self.method_roots(ix, text, name, singleton, b);
    }

    fn parameters(&mut self, list: Node, ix: DefIx, signature: Option<&Signature>, b: &mut Builder) -> (u16, u16) {
        let (mut least, mut most) = (0u16, 0u16);
        let mut cursor = list.walk();
        let parameters: Vec<Node> = list.named_children(&mut cursor).collect();
        for (n, parameter) in parameters.into_iter().enumerate() {
            let kind = parameter.kind();
            let name = if kind == "identifier" { Some(parameter) } else { parameter.child_by_field_name("name") };
            let mut value = 0;
            match kind {
                "identifier" | "destructured_parameter" => {
                    (least, most) = (least.saturating_add(1), most.saturating_add(1));
                }
                "optional_parameter" => {
                    most = most.saturating_add(1);
                    value = parameter.child_by_field_name("value").map_or(0, |value| self.expr(value, b));
                }
                "keyword_parameter" => {
                    most = u16::MAX;
                    value = parameter.child_by_field_name("value").map_or(0, |value| self.expr(value, b));
                }
                "splat_parameter" | "forward_parameter" => {
                    most = u16::MAX;
                    value = b.expr(Expr::Literal(Literal::List));
                }
                "hash_splat_parameter" => {
                    most = u16::MAX;
                    value = b.expr(Expr::Literal(Literal::Map));
                }
                "block_parameter" => value = b.expr(Expr::Literal(Literal::Function)),
                _ => continue,
            }
            if kind == "destructured_parameter" {
                let mut cursor = parameter.walk();
                let parts: Vec<Node> =
                    parameter.named_children(&mut cursor).filter(|n| n.kind() == "identifier").collect();
                for part in parts {
                    self.bind_local(part, 0, 0, b);
                }
            }
            let Some(name) = name.filter(|name| name.kind() == "identifier") else { continue };
            self.done(Some(name));
            let symbol = b.sym_of(name);
            self.frame_mut().locals.insert(symbol);
            let declared = signature.and_then(|sig| sig.params.iter().find(|(param, _)| *param == symbol));
            let position = u16::try_from(n).unwrap_or(u16::MAX);
            let ty = declared.and_then(|&(_, ty)| some(ty));
            b.bind(BindingKind::Param(position), Some(ix), b.text(name), line_of(name), ty, some(value));
        }
        (least, most)
    }

    /// A method gives the value of its last statement.
    pub(super) fn implicit_return(&mut self, node: Node, b: &mut Builder) {
        let frame = self.frame();
        let (Some(ix), true) = (frame.def, frame.node == node.id()) else { return };
        let Some(body) = node.child_by_field_name("body") else { return };
        if b.facts().def(ix).kind == DefKind::Constructor {
            return;
        }
        let value = self.expr(body, b);
        if value != 0 {
            b.bind(BindingKind::Return, Some(ix), "", end_line_of(body), None, Some(value));
        }
    }

    /// `alias new old`
    pub(super) fn alias(&mut self, node: Node, b: &mut Builder) {
        let (Some(new), Some(old)) = (node.child_by_field_name("name"), node.child_by_field_name("alias")) else {
            return;
        };
        self.done(Some(new));
        self.done(Some(old));
        let (new_name, old_name) = (b.text(new).trim_start_matches(':'), b.text(old).trim_start_matches(':'));
        if matches!(new.kind(), "identifier" | "simple_symbol" | "constant") {
            self.alias_of(new, new_name, old_name, b);
        }
    }

    /// Another name for a method: a variable that holds it.
    pub(super) fn alias_of(&mut self, at: Node, new: &str, old: &str, b: &mut Builder) {
        let Some(class) = self.type_frame().and_then(|frame| frame.def) else { return };
        let symbol = b.sym(new);
        let frame = self.frames.iter_mut().rev().find(|frame| frame.kind == FrameKind::Type);
        if new == old || new.starts_with('$') || !frame.is_some_and(|frame| frame.defined.insert(symbol)) {
            return;
        }
        let mut spec = DefSpec::new(DefKind::Field, new);
        spec.flags.set(DefFlags::EXPORTED, true);
        spec.flags.set(DefFlags::STATIC, self.frame().kind == FrameKind::Singleton);
        let ix = b.add_def(at, spec);
        b.def_mut(ix).container = Some(class);
        let base = b.expr(Expr::This);
        let name = b.sym(old);
        let value = b.expr(Expr::Member { base, name });
        b.bind(BindingKind::Field, Some(class), new, line_of(at), None, Some(value));
    }

    /// `sig { params(a: A).returns(B) }`
    pub(super) fn sorbet_signature(&mut self, call: Node, b: &mut Builder) {
        let Some(block) = call.child_by_field_name("block").and_then(|block| block.child_by_field_name("body")) else {
            return;
        };
        let mut signature = Signature { line: line_of(call), ..Signature::default() };
        let mut at = block.named_child(0);
        for _ in 0..8 {
            let Some(link) = at.filter(|link| link.kind() == "call") else { break };
            match link.child_by_field_name("method").map_or("", |m| b.text(m)) {
                "returns" => signature.result = first_argument(link).map_or(0, |ty| self.sorbet_type(ty, b, 0)),
                "params" => {
                    let Some(list) = link.child_by_field_name("arguments") else { break };
                    let mut cursor = list.walk();
                    let pairs: Vec<Node> = list.named_children(&mut cursor).filter(|n| n.kind() == "pair").collect();
                    for pair in pairs {
                        let key = pair.child_by_field_name("key").and_then(|key| plain_text(key, b));
                        if let (Some(key), Some(value)) = (key, pair.child_by_field_name("value")) {
                            let ty = self.sorbet_type(value, b, 0);
                            signature.params.push((b.sym(key), ty));
                        }
                    }
                }
                _ => {}
            }
            at = link.child_by_field_name("receiver");
        }
        self.signature = Some(signature);
    }

    /// `A`, `T.nilable(A)`, `T.any(A, B)`, `T::Array[A]`.
    fn sorbet_type(&mut self, node: Node, b: &mut Builder, depth: u32) -> TypeId {
        if depth > 8 {
            return 0;
        }
        match node.kind() {
            "constant" | "scope_resolution" => self.ty(node, b),
            "call" => {
                let method = node.child_by_field_name("method").map_or("", |m| b.text(m));
                let Some(list) = node.child_by_field_name("arguments") else { return 0 };
                let mut cursor = list.walk();
                let parts: Vec<Node> = list.named_children(&mut cursor).take(8).collect();
                let types: Vec<TypeId> = parts.into_iter().map(|part| self.sorbet_type(part, b, depth + 1)).collect();
                match (method, types.as_slice()) {
                    ("nilable" | "must" | "cast", [one, ..]) => *one,
                    ("any", [_, ..]) => b.ty(Type::Union(types)),
                    _ => 0,
                }
            }
            "element_reference" => {
                let name = node.child_by_field_name("object").map_or("", |object| b.text(object));
                match name {
                    "T::Array" | "T::Set" | "T::Enumerable" | "T::Enumerator" => {
                        let of = node.named_child(1).map_or(0, |of| self.sorbet_type(of, b, depth + 1));
                        b.ty(Type::List(of))
                    }
                    _ => 0,
                }
            }
            _ => 0,
        }
    }
}

/// A class of tests by its parent.
fn is_test_class(name: &str, parent: &str) -> bool {
    let last = parent.rsplit("::").next().unwrap_or(parent);
    matches!(parent, "Minitest::Test" | "MiniTest::Test" | "Test::Unit::TestCase" | "Minitest::Spec")
        || last.ends_with("TestCase")
        || matches!(last, "IntegrationTest" | "SystemTestCase")
        || (name.ends_with("Test") || name.starts_with("Test")) && last.ends_with("Test")
}
