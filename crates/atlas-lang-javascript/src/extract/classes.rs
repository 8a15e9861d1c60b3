//! Classes, interfaces, enums, type aliases, namespaces.

use super::grammar::Kind;
use super::{Frame, Js, Pending, This, UNNAMED_OWNER};
use atlas_syntax::{BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, TypeId, line_of};
use tree_sitter::Node;

impl<'s> Js<'s> {
    pub(super) fn enter_class(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let own = self.field(node, f.name);
        if let Some(own) = own {
            self.consume(own);
        }
        let note = match (self.notes.remove(&node.id()), own) {
            (Some(note), _) => note,
            (None, Some(own)) if self.kind(node) == Kind::Class => {
                self.place_note(self.text(own), own, DefKind::Class, Some(UNNAMED_OWNER))
            }
            (None, Some(own)) => {
                let decorated = self.decorated.take();
                let mut note = self.declaration_note(node, own, b);
                note.kind = DefKind::Class;
                note.start = decorated;
                note.doc = note.doc.or_else(|| decorated.and_then(|line| self.docs.take(line)));
                note
            }
            (None, None) => self.place_note("class", node, DefKind::Class, Some(UNNAMED_OWNER)),
        };
        let mut spec = DefSpec::new(DefKind::Class, note.name);
        spec.name_at = Some(note.at);
        spec.owner = note.owner;
        spec.flags = note.flags;
        let start = line_of(node);
        let start = note.start.map_or(start, |line| line.min(start));
        spec.start = Some(start);
        spec.doc = note.doc.or_else(|| self.docs.take(start));
        spec.signature_end = self.field(node, f.body).map(line_of);
        let ix = b.open_def(node, spec);
        self.made.insert(node.id(), ix);
        if note.declares {
            if self.at_top() && b.facts().def(ix).container.is_none() {
                self.top.entry(note.name).or_insert(ix);
            }
            self.scopes.declare_def(note.name, ix);
        }
        self.open_type_parameters(node, ix, b);
        self.heritage(node, ix, b);
        self.frames.push(Frame {
            node: node.id(),
            def: None,
            this: This::Own,
            fields: Some(ix),
            returns: false,
            constructor: false,
        });
    }

    /// All decorators of the class were seen.
    pub(super) fn enter_class_body(&mut self, b: &mut Builder) {
        self.decorated = None;
        if let Some(class) = self.frames.last().and_then(|frame| frame.fields) {
            self.class_decorators(class, b);
        }
    }

    /// A frame for a type's parameters, if it has any.
    fn open_type_parameters(&mut self, node: Node, ix: DefIx, b: &mut Builder) {
        if self.field(node, self.g.fields.type_parameters).is_some() {
            self.scopes.open_block(node.id(), b.here());
            self.type_parameters(node, Some(ix), b);
        }
    }

    fn heritage(&mut self, node: Node, ix: DefIx, b: &mut Builder) {
        let f = self.g.fields;
        let mut cursor = node.walk();
        let Some(heritage) = node.named_children(&mut cursor).find(|&child| self.kind(child) == Kind::ClassHeritage)
        else {
            return;
        };
        for clause in self.children(heritage) {
            match self.kind(clause) {
                Kind::ExtendsClause => {
                    if let Some(value) = self.field(clause, f.value) {
                        let args = self.field(clause, f.type_arguments);
                        self.extends(value, args, ix, b);
                    }
                }
                Kind::ImplementsClause => {
                    for ty in self.children(clause) {
                        self.base(ty, ix, BaseRelation::Implement, b);
                    }
                }
                _ => self.extends(clause, None, ix, b),
            }
        }
    }

    /// `extends Base`, where Base is a value.
    fn extends(&mut self, value: Node, args: Option<Node>, ix: DefIx, b: &mut Builder) {
        let value = self.unwrap(value);
        let Some(mut ty) = self.type_of_value(value, b) else { return };
        if let Some(args) = args {
            let args: Vec<TypeId> =
                self.children(args).into_iter().map(|arg| self.ty(arg, b).unwrap_or_default()).collect();
            if let atlas_syntax::Type::Path { path, .. } = b.facts().ty(ty).clone() {
                ty = b.ty(atlas_syntax::Type::Path { path, args });
            }
        }
        let at = self.field(value, self.g.fields.property).unwrap_or(value);
        b.add_base(BaseSub::Def(ix), ty, BaseRelation::Inherit, at);
        // The clause is the reference.
        self.consume(value);
    }

    /// A base that is a type.
    fn base(&mut self, ty: Node, ix: DefIx, relation: BaseRelation, b: &mut Builder) {
        let Some(id) = self.ty(ty, b) else { return };
        let name = match self.kind(ty) {
            Kind::GenericType => self.field(ty, self.g.fields.name).unwrap_or(ty),
            _ => ty,
        };
        let at = match self.kind(name) {
            Kind::NestedTypeIdentifier => self.field(name, self.g.fields.name).unwrap_or(name),
            _ => name,
        };
        b.add_base(BaseSub::Def(ix), id, relation, at);
        self.consume(name);
        if name.id() != at.id() {
            self.consume(at);
        }
    }

    pub(super) fn enter_static_block(&mut self, node: Node, b: &mut Builder) {
        let _ = b;
        let class = self.frames.last().and_then(|frame| frame.fields);
        self.frames.push(Frame {
            node: node.id(),
            def: None,
            this: class.map_or(This::Unknown, This::Object),
            fields: class,
            returns: false,
            constructor: false,
        });
    }

    /// A field of a class: with a function it is a method.
    pub(super) fn enter_field(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let Some(key) = self.field(node, f.name).or_else(|| self.field(node, f.property)) else { return };
        let Some(class) = self.frames.last().and_then(|frame| frame.fields) else { return };
        let name = self.key(key);
        let (is_static, _) = self.modifiers(node);
        let start = self.decorated.take().unwrap_or(line_of(node)).min(line_of(node));
        let doc = self.docs.take(start);
        let ty = self.field(node, f.type_).and_then(|ty| self.ty(ty, b));
        self.declared_fields.insert((class, name));
        let value = self.field(node, f.value).map(|value| self.unwrap(value));
        if let Some(value) = value.filter(|&value| Self::is_function(self.kind(value))) {
            let mut note = self.place_note(name, key, DefKind::Method, None);
            note.flags.set(DefFlags::STATIC, is_static);
            note.doc = doc;
            note.start = Some(start);
            self.expect(self.field(node, f.type_), value, b);
            if !is_static {
                note.this = Some(This::Own);
                note.fields = Some(class);
            }
            self.notes.insert(value.id(), note);
            return;
        }
        let mut spec = DefSpec::named(DefKind::Field, key, self.source);
        spec.name = name.to_owned();
        spec.start = Some(start);
        spec.doc = doc;
        spec.ty = ty;
        spec.flags.set(DefFlags::STATIC, is_static);
        match value {
            None => {
                b.add_def(node, spec);
                // A field that says nothing of its value leaves that to what is assigned.
                if ty.is_some() {
                    b.bind(BindingKind::Field, Some(class), name, line_of(key), ty, None);
                }
            }
            Some(_) => {
                // Names in the initialiser mean nothing of the class: it is a scope of its own.
                b.open_def(node, spec);
                self.pending.push((node.id(), Pending::Field(class, name)));
            }
        }
    }

    pub(super) fn settle_field(&mut self, node: Node, class: DefIx, name: &str, b: &mut Builder) {
        let f = &self.g.fields;
        let ty = self.field(node, f.type_).and_then(|ty| self.ty(ty, b));
        let value = self.field(node, f.value).map_or(0, |value| self.expr(value, b));
        b.bind(BindingKind::Field, Some(class), name, line_of(node), ty, (value != 0).then_some(value));
    }

    pub(super) fn enter_interface(&mut self, node: Node, b: &mut Builder) {
        let Some(ix) = self.open_type(node, DefKind::Interface, b) else { return };
        self.open_type_parameters(node, ix, b);
        for child in self.children(node) {
            if self.kind(child) == Kind::ExtendsTypeClause {
                for ty in self.children(child) {
                    self.base(ty, ix, BaseRelation::Inherit, b);
                }
            }
        }
    }

    pub(super) fn enter_type_alias(&mut self, node: Node, b: &mut Builder) {
        let Some(ix) = self.open_type(node, DefKind::TypeAlias, b) else { return };
        self.open_type_parameters(node, ix, b);
        let value = self.field(node, self.g.fields.value);
        let ty = value.and_then(|value| self.ty(value, b));
        b.def_mut(ix).ty = ty;
        if let Some(function) = value.filter(|&value| self.kind(value) == Kind::FunctionType) {
            self.bind_parameters(function, ix, "", b);
        }
    }

    /// Opens a definition that declares a type by the node's name.
    fn open_type(&mut self, node: Node, kind: DefKind, b: &mut Builder) -> Option<DefIx> {
        let name = self.field(node, self.g.fields.name)?;
        self.consume(name);
        let note = self.declaration_note(node, name, b);
        let mut spec = DefSpec::named(kind, name, self.source);
        spec.flags = note.flags;
        spec.doc = note.doc;
        spec.signature_end = self.field(node, self.g.fields.body).map(line_of);
        let ix = b.open_def(node, spec);
        self.scopes.declare_def(note.name, ix);
        Some(ix)
    }

    /// `x: T` of an interface or of an alias for an object type.
    pub(super) fn enter_property_signature(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let Some(key) = self.field(node, f.name) else { return };
        let Some(owner) =
            b.here().filter(|&ix| matches!(b.facts().def(ix).kind, DefKind::Interface | DefKind::TypeAlias))
        else {
            return;
        };
        let ty = self.field(node, f.type_).and_then(|ty| self.ty(ty, b));
        let mut spec = DefSpec::named(DefKind::Field, key, self.source);
        spec.name = self.key(key).to_owned();
        spec.doc = self.docs.take(line_of(node));
        spec.ty = ty;
        spec.flags.set(DefFlags::DECLARATION, true);
        b.open_def(node, spec);
        b.bind(BindingKind::Field, Some(owner), self.key(key), line_of(key), ty, None);
        let written = self.field(node, f.type_).and_then(|ty| self.first(ty));
        if let Some(function) = written.filter(|&written| self.kind(written) == Kind::FunctionType) {
            self.bind_parameters(function, owner, self.key(key), b);
        }
    }

    pub(super) fn enter_enum(&mut self, node: Node, b: &mut Builder) {
        let Some(ix) = self.open_type(node, DefKind::Enum, b) else { return };
        if b.facts().def(ix).container.is_none() {
            let name = self.field(node, self.g.fields.name).map_or("", |name| self.text(name));
            self.top.entry(name).or_insert(ix);
        }
        let Some(body) = self.field(node, self.g.fields.body) else { return };
        for member in self.children(body) {
            let key = match self.kind(member) {
                Kind::EnumAssignment => self.field(member, self.g.fields.name),
                _ => Some(member),
            };
            let Some(key) = key else { continue };
            let mut spec = DefSpec::named(DefKind::EnumMember, key, self.source);
            spec.name = self.key(key).to_owned();
            b.add_def(member, spec);
        }
    }

    /// `namespace A.B { }`, `declare module 'm' { }`.
    pub(super) fn enter_namespace(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = self.field(node, self.g.fields.name) else { return };
        self.consume_names(name);
        let note = self.declaration_note(node, name, b);
        let text = self.key(name);
        let mut spec = DefSpec::named(DefKind::Namespace, name, self.source);
        spec.name = text.rsplit('.').next().unwrap_or(text).trim().to_owned();
        spec.flags = note.flags;
        spec.doc = note.doc;
        spec.signature_end = self.field(node, self.g.fields.body).map(line_of);
        // `namespace A.B`: B stands in A.
        if self.kind(name) == Kind::NestedIdentifier {
            let mut outer: Vec<&str> = text.split('.').map(str::trim).collect();
            outer.pop();
            for part in outer.into_iter().take(16) {
                let mut spec = DefSpec::new(DefKind::Namespace, part);
                spec.flags = note.flags;
                b.open_def(node, spec);
            }
        }
        b.open_def(node, spec);
        if let Some(body) = self.field(node, self.g.fields.body) {
            self.bodies.insert(body.id());
        }
    }

    /// The parts of a dotted name are no references.
    fn consume_names(&mut self, node: Node) {
        let mut node = node;
        for _ in 0..32 {
            self.consume(node);
            if self.kind(node) != Kind::NestedIdentifier {
                break;
            }
            let Some(object) = self.field(node, self.g.fields.object) else { break };
            if self.kind(object) == Kind::Member {
                self.consume(object);
                let mut inner = object;
                while let Some(next) = self.field(inner, self.g.fields.object) {
                    self.consume(next);
                    inner = next;
                }
                break;
            }
            node = object;
        }
    }
}
