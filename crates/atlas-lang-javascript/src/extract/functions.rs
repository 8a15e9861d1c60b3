//! Functions of every form, and what they give back.

use super::grammar::Kind;
use super::scope::Local;
use super::{Frame, Js, Note, Pending, Role, This};
use atlas_syntax::{BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, TypeId, column_of, line_of};
use tree_sitter::Node;

impl<'s> Js<'s> {
    pub(super) fn enter_function(&mut self, node: Node, kind: Kind, b: &mut Builder) {
        let f = &self.g.fields;
        let own = self.field(node, f.name);
        if let Some(own) = own {
            self.consume(own);
        }
        let note = match (self.notes.remove(&node.id()), kind) {
            (Some(note), _) => Some(note),
            (None, Kind::FunctionDeclaration | Kind::GeneratorFunctionDeclaration) => {
                own.map(|own| self.declaration_note(node, own, b))
            }
            (None, Kind::MethodDefinition) => own.map(|own| self.method_note(node, own)),
            (None, _) => own.map(|own| self.expression_note(own)),
        };
        let outer_this = self.this();
        let outer_fields = self.frames.last().and_then(|frame| frame.fields);
        let Some(note) = note else {
            self.scopes.open_function(node.id(), b.here(), false);
            self.type_parameters(node, None, b);
            self.parameters(node, None, b);
            let arrow = kind == Kind::ArrowFunction;
            self.frames.push(Frame {
                node: node.id(),
                def: None,
                this: if arrow { outer_this } else { This::Unknown },
                fields: if arrow { outer_fields } else { None },
                returns: false,
                constructor: false,
            });
            self.open_body(node);
            return;
        };
        let mut spec = self.function_spec(node, &note);
        // A name of an inner block means nothing outside it.
        if note.declares && self.scopes.in_block() {
            spec.owner = spec.owner.or(Some(super::UNNAMED_OWNER));
        }
        let hoisted = match self.scopes.lookup(note.name) {
            Some(Local::Hoisted(sym)) if note.declares => Some(sym),
            _ => None,
        };
        spec.flags.set(DefFlags::ASYNC, self.is_async(node));
        let ix = b.open_def(node, spec);
        self.made.insert(node.id(), ix);
        if let Some(root) = note.root.clone().or_else(|| self.late_roots.remove(&node.id())) {
            self.note_root(root, ix, b);
        }
        if kind == Kind::MethodDefinition {
            self.method_roots(ix, note.name, b);
        }
        if note.declares {
            if self.at_top() && b.facts().def(ix).container.is_none() {
                self.top.entry(note.name).or_insert(ix);
            }
            match hoisted {
                Some(sym) => {
                    let (scope, value) = (self.scopes.scope_of(note.name), b.expr(Expr::Def(ix)));
                    let name = b.str(sym).to_owned();
                    b.bind(BindingKind::Local, scope, &name, line_of(node), None, Some(value));
                }
                None => self.scopes.declare_def(note.name, ix),
            }
        }
        self.scopes.open_function(node.id(), Some(ix), true);
        if let (Some(own), false) = (own, kind == Kind::MethodDefinition) {
            let own = self.text(own);
            if !note.declares || own != note.name {
                self.scopes.declare_own(own, ix);
            }
        }
        self.type_parameters(node, Some(ix), b);
        let arity = self.parameters(node, Some(ix), b);
        let ty = self.return_type(node, b);
        let def = b.def_mut(ix);
        def.arity = arity;
        def.ty = ty;
        self.frames.push(self.frame_of(node, kind, &note, ix, b, (outer_this, outer_fields)));
        self.open_body(node);
        if kind == Kind::ArrowFunction && !note.opaque {
            self.returned_by_arrow(node, ix);
        }
    }

    fn frame_of(
        &self,
        node: Node,
        kind: Kind,
        note: &Note<'s>,
        ix: DefIx,
        b: &Builder,
        outer: (This, Option<DefIx>),
    ) -> Frame {
        let constructor = note.kind == DefKind::Constructor;
        let is_class_like = note.kind == DefKind::Function
            && kind != Kind::ArrowFunction
            && note.owner.is_none()
            && note.name.starts_with(|c: char| c.is_ascii_uppercase());
        let (this, fields) = match (kind, note.this) {
            (Kind::ArrowFunction, _) => outer,
            (_, Some(this)) => (this, note.fields),
            (Kind::MethodDefinition, None) => (This::Own, b.enclosing_type()),
            // By convention a function with a capital is called with `new`.
            _ if is_class_like => (This::Made(ix), Some(ix)),
            _ if note.owner.is_some_and(|owner| owner != super::UNNAMED_OWNER) => (This::Own, None),
            _ => (This::Unknown, None),
        };
        Frame { node: node.id(), def: Some(ix), this, fields, returns: !note.opaque, constructor }
    }

    fn function_spec(&mut self, node: Node, note: &Note<'s>) -> DefSpec {
        let mut spec = DefSpec::new(note.kind, note.title.as_deref().unwrap_or(note.name));
        spec.name_at = Some(note.at);
        spec.owner = note.owner;
        spec.flags = note.flags;
        let start = line_of(node);
        let start = note.start.map_or(start, |line| line.min(start));
        spec.start = Some(start);
        spec.doc = note.doc.or_else(|| self.docs.take(start));
        let body = self.field(node, self.g.fields.body);
        spec.signature_end = body.map(line_of);
        spec
    }

    fn is_async(&self, node: Node) -> bool {
        if self.kind(node) != Kind::MethodDefinition {
            return self.source[node.start_byte()..].starts_with(b"async");
        }
        let mut cursor = node.walk();
        node.children(&mut cursor).take(6).any(|child| !child.is_named() && self.text(child) == "async")
    }

    /// The body's block shares the frame of the function.
    fn open_body(&mut self, node: Node) {
        if let Some(body) = self.field(node, self.g.fields.body)
            && self.kind(body) == Kind::StatementBlock
        {
            self.bodies.insert(body.id());
        }
    }

    fn note(&self, name: &'s str, at: Node, kind: DefKind) -> Note<'s> {
        Note {
            name,
            at: (line_of(at), column_of(at)),
            kind,
            owner: None,
            flags: DefFlags::default(),
            doc: None,
            declares: false,
            this: None,
            fields: None,
            opaque: false,
            start: None,
            title: None,
            root: None,
        }
    }

    pub(super) fn declaration_note(&mut self, node: Node, own: Node, _b: &mut Builder) -> Note<'s> {
        let exported = self.exported.remove(&node.id());
        if exported.is_none() {
            self.on_statement(node);
        }
        let mut note = self.note(self.text(own), own, DefKind::Function);
        note.flags.set(DefFlags::EXPORTED, exported.is_some());
        note.flags.set(DefFlags::DEFAULT_EXPORT, exported == Some(true));
        note.doc = self.docs.take(self.statement);
        note.declares = true;
        note
    }

    /// `function name() {}` in an expression: known by its own name, which only it can use.
    fn expression_note(&mut self, own: Node) -> Note<'s> {
        let mut note = self.note(self.text(own), own, DefKind::Function);
        note.owner = Some(super::UNNAMED_OWNER);
        note
    }

    /// A function that stands as the value of a named place: a property, a field, an assignment.
    pub(super) fn place_note(&mut self, name: &'s str, at: Node, kind: DefKind, owner: Option<TypeId>) -> Note<'s> {
        let mut note = self.note(name, at, kind);
        note.owner = owner;
        note.start = Some(line_of(at));
        note
    }

    /// A method of a class; those of object literals have notes of their own.
    fn method_note(&mut self, node: Node, own: Node) -> Note<'s> {
        let name = self.key(own);
        let is_constructor = name == "constructor";
        let kind = if is_constructor { DefKind::Constructor } else { DefKind::Method };
        let mut note = self.note(name, own, kind);
        let (is_static, getter) = self.modifiers(node);
        note.flags.set(DefFlags::STATIC, is_static);
        note.flags.set(DefFlags::GETTER, getter);
        let start = self.decorated.take().unwrap_or(line_of(node)).min(line_of(node));
        note.start = Some(start);
        note.doc = self.docs.take(start);
        note
    }

    /// Whether a member is static, and whether it is a getter.
    pub(super) fn modifiers(&self, node: Node) -> (bool, bool) {
        let (mut is_static, mut getter) = (false, false);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor).take(12) {
            if !child.is_named() {
                match self.text(child) {
                    "static" => is_static = true,
                    "get" => getter = true,
                    "(" | "{" | "=" => break,
                    _ => {}
                }
            }
        }
        (is_static, getter)
    }

    /// A function or method without a body: an overload, an interface's, an ambient one.
    pub(super) fn enter_signature(&mut self, node: Node, kind: Kind, b: &mut Builder) {
        let Some(name) = self.field(node, self.g.fields.name) else { return };
        self.consume(name);
        let is_method = kind != Kind::FunctionSignature;
        let mut note = if is_method { self.method_note(node, name) } else { self.declaration_note(node, name, b) };
        // A member of a type literal that no definition holds is no definition either.
        if is_method && !b.here().is_some_and(|ix| b.facts().def(ix).kind.is_type()) {
            self.enter_type_scope(node, b);
            return;
        }
        if let (Kind::MethodSignature, Some(owner)) = (kind, b.here()) {
            self.bind_parameters(node, owner, note.name, b);
        }
        note.flags.set(DefFlags::DECLARATION, true);
        let spec = self.function_spec(node, &note);
        let ix = b.open_def(node, spec);
        if note.declares {
            self.scopes.declare_def(note.name, ix);
        }
        self.scopes.open_function(node.id(), Some(ix), true);
        self.type_parameters(node, Some(ix), b);
        let arity = self.parameters(node, Some(ix), b);
        let ty = self.return_type(node, b);
        let def = b.def_mut(ix);
        def.arity = arity;
        def.ty = ty;
    }

    /// An arrow function's expression is what it returns.
    fn returned_by_arrow(&mut self, node: Node, ix: DefIx) {
        let Some(body) = self.field(node, self.g.fields.body) else { return };
        if self.kind(body) != Kind::StatementBlock {
            self.returned_literal(body, ix);
            self.pending.push((node.id(), Pending::Return(ix)));
        }
    }

    pub(super) fn enter_return(&mut self, node: Node) {
        let Some(Frame { def: Some(ix), returns: true, .. }) = self.frames.last().copied() else { return };
        if let Some(value) = self.first(node) {
            self.returned_literal(value, ix);
            self.pending.push((node.id(), Pending::Return(ix)));
        }
    }

    fn returned_literal(&mut self, value: Node, ix: DefIx) {
        let value = self.unwrap(value);
        let literal = if self.is_frozen(value) { self.literal_in(value) } else { Some(value) };
        if let Some(literal) = literal.filter(|&literal| self.kind(literal) == Kind::Object) {
            self.roles.insert(literal.id(), Role::Returned(ix));
        }
    }

    /// States what a function returns, when its definitions are known.
    pub(super) fn settle_return(&mut self, node: Node, ix: DefIx, b: &mut Builder) {
        let value = match self.kind(node) {
            Kind::ReturnStatement => self.first(node),
            _ => self.field(node, self.g.fields.body),
        };
        let Some(value) = value.map(|value| self.unwrap(value)) else { return };
        let line = line_of(value);
        // `return Object.freeze(api)` returns `api`.
        let frozen = if self.is_frozen(value) {
            self.field(value, self.g.fields.arguments).and_then(|args| self.first(args)).map(|arg| self.unwrap(arg))
        } else {
            None
        };
        let value = frozen.unwrap_or(value);
        let held = if self.kind(value) == Kind::Identifier { self.scopes.object_of(self.text(value)) } else { None };
        if let Some(held) = held {
            for (name, member) in self.scopes.members(held) {
                b.bind(BindingKind::Field, Some(ix), name, line, None, Some(member));
            }
        }
        let expr = if held.is_some() || self.kind(value) == Kind::Object {
            b.expr(Expr::Made(ix))
        } else {
            self.expr(value, b)
        };
        if expr != 0 {
            b.bind(BindingKind::Return, Some(ix), "", line, None, Some(expr));
        }
    }

    /// The module of `lazy(() => import('m'))`: what is loaded is its default export.
    fn lazy_module(&self, call: Node) -> Option<super::modules::Loaded<'s>> {
        let f = &self.g.fields;
        let args = self.field(call, f.arguments)?;
        let function = self
            .children(args)
            .into_iter()
            .map(|arg| self.unwrap(arg))
            .find(|&arg| Self::is_function(self.kind(arg)))?;
        let mut body = self.unwrap(self.field(function, f.body)?);
        // `import('m').then(…)`
        for _ in 0..4 {
            if let Some(loaded) = self.loaded(body) {
                return loaded.0.then_some(loaded);
            }
            body = self.field(self.field(body, f.function)?, f.object)?;
        }
        None
    }

    /// `const f = wrap(() => …)`: `f` is what `wrap` gives, if that is known.
    pub(super) fn settle_wrapped(&mut self, node: Node, function: usize, b: &mut Builder) {
        let Some(&ix) = self.made.get(&function) else { return };
        let value = self.field(node, self.g.fields.value).map(|value| self.unwrap(value));
        let value = value.map_or(0, |value| match self.lazy_module(value) {
            Some(module) => {
                let base = self.load(module, value, b);
                let (base, name) = (b.expr(Expr::Name(base)), b.sym("default"));
                b.expr(Expr::Member { base, name })
            }
            None => self.expr(value, b),
        });
        if value != 0 {
            b.bind(BindingKind::Return, Some(ix), "", line_of(node), None, Some(value));
        }
    }
}
