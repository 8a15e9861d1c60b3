//! Assignments: fields, prototypes, CommonJS exports, variables.

use super::grammar::Kind;
use super::scope::Local;
use super::{Js, Pending, Role, This, UNNAMED_OWNER, WHOLE_EXPORT};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, RefKind, Sym, TypeId, line_of,
};
use tree_sitter::Node;

/// What an assignment sets, as far as that is stated after its value was walked.
#[derive(Debug, Clone)]
pub enum Left<'s> {
    Variable {
        scope: Option<DefIx>,
        name: Sym,
    },
    Field {
        of: DefIx,
        name: &'s str,
    },
    /// A member of a local object literal.
    Local {
        object: u32,
        name: &'s str,
    },
    Export(&'s str),
    /// `module.exports`, with the definition that it became.
    Whole(Option<DefIx>),
}

impl<'s> Js<'s> {
    pub(super) fn enter_assignment(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let (Some(left), Some(right)) = (self.field(node, f.left), self.field(node, f.right)) else { return };
        let left = self.unwrap(left);
        let value = self.unwrap(right);
        match self.kind(left) {
            Kind::Identifier => self.assign_name(node, left, value, b),
            Kind::Member => self.assign_member(node, left, value, b),
            Kind::Subscript => {
                if let Some(index) = self.field(left, f.index).filter(|&index| self.string(index).is_some()) {
                    let name = self.string(index).unwrap_or_default();
                    let function = Self::is_function(self.kind(value));
                    if function {
                        let note = self.place_note(name, index, DefKind::Method, Some(UNNAMED_OWNER));
                        self.notes.insert(value.id(), note);
                    }
                }
            }
            Kind::ObjectPattern | Kind::ArrayPattern => self.assign_pattern(left, b, 0),
            _ => {}
        }
    }

    fn assign_name(&mut self, node: Node, left: Node, value: Node, b: &mut Builder) {
        self.consume(left);
        let name = self.text(left);
        let is_function = Self::is_function(self.kind(value));
        match self.scopes.lookup(name) {
            Some(Local::Bound(sym)) => {
                if is_function {
                    let note = self.place_note(name, left, DefKind::Function, Some(UNNAMED_OWNER));
                    self.notes.insert(value.id(), note);
                }
                let scope = self.scopes.scope_of(name);
                self.pending.push((node.id(), Pending::Assign(Left::Variable { scope, name: sym })));
            }
            Some(_) => {}
            None if name == "exports" => {}
            None => {
                let expr = self.expr(left, b);
                b.add_ref(RefKind::Write, left, expr, 0, None);
                if is_function {
                    // A name that nothing declares is declared by this.
                    let known = self.top.contains_key(name);
                    let owner = known.then_some(UNNAMED_OWNER);
                    let mut note = self.place_note(name, left, DefKind::Function, owner);
                    note.declares = !known;
                    self.notes.insert(value.id(), note);
                    if !known {
                        return;
                    }
                }
                let name = b.sym(name);
                self.pending.push((node.id(), Pending::Assign(Left::Variable { scope: None, name })));
            }
        }
    }

    fn assign_member(&mut self, node: Node, left: Node, value: Node, b: &mut Builder) {
        let f = &self.g.fields;
        self.consume(left);
        let (Some(object), Some(property)) = (self.field(left, f.object), self.field(left, f.property)) else { return };
        let name = self.text(property);
        let kind = self.kind(value);
        let is_function = Self::is_function(kind);
        let path = self.dotted(object).unwrap_or_default();
        match path.as_slice() {
            ["module"] if name == "exports" && self.is_free("module") => {
                if let Some(object) = self.first_identifier(object) {
                    self.consume(object);
                }
                return self.assign_exports(node, property, value, b);
            }
            ["exports"] | ["module", "exports"] if self.is_free(path[0]) => {
                return self.assign_export(node, name, property, value, b);
            }
            _ => {}
        }
        if !is_function {
            let expr = self.expr(left, b);
            b.add_ref(RefKind::Write, property, expr, 0, None);
        }
        match path.as_slice() {
            ["this"] => self.assign_this(node, name, property, value, b),
            [.., "prototype"] => {
                let ty = self.prototype_type(&path, b);
                if is_function || kind == Kind::Class {
                    let mut note = self.place_note(name, property, DefKind::Method, ty);
                    note.this = Some(This::Own);
                    note.doc = self.docs.take(self.statement);
                    self.notes.insert(value.id(), note);
                } else if let (Some(ty), "__proto__") = (ty, name) {
                    self.inherit(ty, value, property, b);
                } else if let ([class, _], Some(&of)) = (path.as_slice(), self.top.get(path[0]))
                    && self.is_free(class)
                {
                    self.pending.push((node.id(), Pending::Assign(Left::Field { of, name })));
                }
            }
            _ if name == "prototype" => {
                let Some(ty) = self.type_of_value(object, b) else { return };
                if kind == Kind::Object {
                    self.roles.insert(value.id(), Role::Prototype(ty));
                } else {
                    self.inherit(ty, value, property, b);
                }
            }
            [first, ..] => self.assign_to_object(node, (object, first, path.len()), (name, property), value, b),
            [] => {}
        }
    }

    /// `a.b = value`.
    fn assign_to_object(
        &mut self,
        node: Node,
        (object, first, length): (Node, &'s str, usize),
        (name, property): (&'s str, Node),
        value: Node,
        b: &mut Builder,
    ) {
        let is_function = Self::is_function(self.kind(value));
        let held = if length == 1 { self.scopes.object_of(first) } else { None };
        // `const self = this; self.x = …`
        if let (1, Some(Local::Bound(sym))) = (length, self.scopes.lookup(first))
            && let Some(&of) = self.selves.get(&(self.scopes.scope_of(first), sym))
        {
            self.pending.push((node.id(), Pending::Assign(Left::Field { of, name })));
            if is_function {
                let owner = b.ty_path(&[first]);
                let mut note = self.place_note(name, property, DefKind::Method, Some(owner));
                note.this = Some(This::Unknown);
                self.notes.insert(value.id(), note);
            }
            return;
        }
        if is_function || self.kind(value) == Kind::Class {
            let owner = self.owner_of(object, b);
            let mut note = self.place_note(name, property, DefKind::Method, owner);
            if first == "this" {
                note.this = Some(This::Unknown);
            }
            if self.kind(value) == Kind::Class {
                note.kind = DefKind::Class;
            }
            note.doc = self.docs.take(self.statement);
            self.notes.insert(value.id(), note);
        }
        let left = match (held, self.top.get(first)) {
            (Some(object), _) => Left::Local { object, name },
            (None, Some(&of)) if length == 1 && !is_function && self.is_free(first) => Left::Field { of, name },
            _ => return,
        };
        self.pending.push((node.id(), Pending::Assign(left)));
    }

    /// What a member that is assigned to `object` belongs to.
    fn owner_of(&mut self, object: Node, b: &mut Builder) -> Option<TypeId> {
        match self.dotted(object) {
            Some(path) if path[0] == "this" => Some(b.ty_path(&path)),
            _ => self.type_of_value(object, b).or(Some(UNNAMED_OWNER)),
        }
    }

    fn assign_this(&mut self, node: Node, name: &'s str, property: Node, value: Node, b: &mut Builder) {
        let frame = self.frames.last().copied();
        if Self::is_function(self.kind(value)) {
            let owner = b.ty_path(&["this"]);
            let mut note = self.place_note(name, property, DefKind::Method, Some(owner));
            note.this = Some(self.this());
            note.fields = frame.and_then(|frame| frame.fields);
            note.doc = self.docs.take(self.statement);
            self.notes.insert(value.id(), note);
        }
        let Some(of) = frame.and_then(|frame| frame.fields) else { return };
        // A constructor declares the fields that it sets, unless the class did.
        let declares = frame.is_some_and(|frame| frame.constructor) && !Self::is_function(self.kind(value));
        if declares && !self.declared_fields.contains(&(of, name)) {
            self.declared_fields.insert((of, name));
            let mut spec = DefSpec::named(DefKind::Field, property, self.source);
            spec.doc = self.docs.take(self.statement);
            let ix = b.add_def(node, spec);
            b.def_mut(ix).container = Some(of);
        }
        self.pending.push((node.id(), Pending::Assign(Left::Field { of, name })));
    }

    /// `exports.name = value`.
    fn assign_export(&mut self, node: Node, name: &'s str, property: Node, value: Node, b: &mut Builder) {
        self.module = true;
        let kind = self.kind(value);
        let owner = b.ty_path(&["exports"]);
        if Self::is_function(kind) || kind == Kind::Class {
            let is_class = kind == Kind::Class;
            let kind = if is_class { DefKind::Class } else { DefKind::Function };
            let mut note = self.place_note(name, property, kind, Some(owner));
            note.flags.set(DefFlags::EXPORTED, true);
            note.doc = self.docs.take(self.statement);
            self.notes.insert(value.id(), note);
        } else if kind != Kind::Identifier && kind != Kind::AssignmentExpression && self.loaded(value).is_none() {
            let mut spec = DefSpec::named(DefKind::Variable, property, self.source);
            spec.owner = Some(owner);
            spec.flags.set(DefFlags::EXPORTED, true);
            spec.doc = self.docs.take(self.statement);
            self.open_value(node, value, spec, b);
        }
        self.pending.push((node.id(), Pending::Assign(Left::Export(name))));
    }

    /// `module.exports = value`.
    fn assign_exports(&mut self, node: Node, property: Node, value: Node, b: &mut Builder) {
        self.module = true;
        if let Some(&alias) = self.aliases.get(&node.id()) {
            let value = b.expr(Expr::Name(alias));
            b.add_export(WHOLE_EXPORT, value, line_of(node));
            return;
        }
        let kind = self.kind(value);
        let owner = b.ty_path(&["module"]);
        let mut def = None;
        if Self::is_function(kind) || kind == Kind::Class {
            let own = self.field(value, self.g.fields.name);
            let (name, at) = own.map_or(("exports", property), |own| (self.text(own), own));
            let is_class = kind == Kind::Class;
            let kind = if is_class { DefKind::Class } else { DefKind::Function };
            let owner = if own.is_some() { UNNAMED_OWNER } else { owner };
            let mut note = self.place_note(name, at, kind, Some(owner));
            note.flags = DefFlags::EXPORTED.with(DefFlags::DEFAULT_EXPORT);
            note.doc = self.docs.take(self.statement);
            self.notes.insert(value.id(), note);
        } else if !matches!(kind, Kind::Identifier | Kind::AssignmentExpression) && self.loaded(value).is_none() {
            let mut spec = DefSpec::named(DefKind::Variable, property, self.source);
            spec.owner = Some(owner);
            spec.flags = DefFlags::EXPORTED.with(DefFlags::DEFAULT_EXPORT);
            spec.doc = self.docs.take(self.statement);
            def = Some(self.open_value(node, value, spec, b));
        }
        self.pending.push((node.id(), Pending::Assign(Left::Whole(def))));
    }

    /// Adds the definition of an exported value; one that is an object literal is opened.
    fn open_value(&mut self, node: Node, value: Node, spec: DefSpec, b: &mut Builder) -> DefIx {
        let whole = spec.flags.has(DefFlags::DEFAULT_EXPORT);
        if self.is_model(value) {
            let ix = b.add_def(node, spec);
            self.models.insert(value.id(), ix);
            return ix;
        }
        let Some(object) = self.literal_in(value) else { return b.add_def(node, spec) };
        let ix = b.open_def(node, spec);
        self.made.insert(object.id(), ix);
        let role = if whole && object.id() == value.id() { Role::Exports(ix) } else { Role::Value(ix) };
        self.roles.insert(object.id(), role);
        ix
    }

    pub(super) fn settle_assignment(&mut self, node: Node, left: Left<'s>, b: &mut Builder) {
        let Some(right) = self.field(node, self.g.fields.right) else { return };
        let inner = self.unwrap(right);
        let value = self.expr(right, b);
        self.assigned.insert(node.id(), value);
        let line = line_of(node);
        // A model's variable stands for the table: what the call gives says less.
        let known = (value != 0 && !self.is_model(inner)).then_some(value);
        match left {
            Left::Variable { scope, name } => {
                let name = b.str(name).to_owned();
                b.bind(BindingKind::Local, scope, &name, line, None, known);
            }
            Left::Field { of, name } => b.bind(BindingKind::Field, Some(of), name, line, None, known),
            Left::Local { object, name } => self.scopes.set_member(object, name, value),
            Left::Export(name) => {
                if let Expr::Name(_) | Expr::Def(_) = b.facts().expr(value) {
                    self.export_value(name, value, line, b);
                } else if self.kind(inner) != Kind::Object {
                    b.bind(BindingKind::Field, None, name, line, None, known);
                }
            }
            Left::Whole(def) => {
                let is_object = self.kind(inner) == Kind::Object;
                match (def, b.facts().expr(value)) {
                    (Some(ix), _) => {
                        if !is_object && !self.is_model(inner) {
                            b.bind(BindingKind::Field, None, "exports", line, None, known);
                        }
                        let value = b.expr(Expr::Def(ix));
                        b.add_export(WHOLE_EXPORT, value, line);
                    }
                    (None, Expr::Name(_) | Expr::Def(_)) => b.add_export(WHOLE_EXPORT, value, line),
                    (None, _) => {}
                }
            }
        }
    }

    /// Exports what a name or definition stands for.
    pub(super) fn export_value(&mut self, name: &str, value: atlas_syntax::ExprId, line: u32, b: &mut Builder) {
        self.module = true;
        if let Expr::Name(_) | Expr::Def(_) = b.facts().expr(value) {
            b.add_export(name, value, line);
        }
    }

    /// `X.prototype = Object.create(Y.prototype)` and its older forms.
    fn inherit(&mut self, sub: TypeId, value: Node, at: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let sup = match self.kind(value) {
            Kind::New => self.field(value, f.constructor).and_then(|node| self.type_of_value(node, b)),
            Kind::Call => {
                let is_create =
                    self.field(value, f.function).is_some_and(|function| self.text(function) == "Object.create");
                let arg = self.field(value, f.arguments).and_then(|args| self.first(args));
                match arg.filter(|_| is_create).and_then(|arg| self.dotted(arg)) {
                    Some(path) => self.prototype_type(&path, b),
                    None => None,
                }
            }
            Kind::Member => match self.dotted(value) {
                Some(path) => self.prototype_type(&path, b),
                None => None,
            },
            _ => None,
        };
        if let Some(sup) = sup {
            b.add_base(BaseSub::Type(sub), sup, BaseRelation::Inherit, at);
        }
    }

    /// `util.inherits(X, Y)`, `Object.setPrototypeOf(X.prototype, Y.prototype)`.
    pub(super) fn inherits_call(&mut self, callee: Node, args: &[Node], b: &mut Builder) {
        let [sub, sup, ..] = args else { return };
        let (sub, sup) = match self.last_name(callee) {
            "inherits" => (self.type_of_value(*sub, b), self.type_of_value(*sup, b)),
            "setPrototypeOf" => {
                let (Some(sub), Some(sup)) = (self.dotted(*sub), self.dotted(*sup)) else { return };
                (self.prototype_type(&sub, b), self.prototype_type(&sup, b))
            }
            _ => return,
        };
        if let (Some(sub), Some(sup)) = (sub, sup) {
            b.add_base(BaseSub::Type(sub), sup, BaseRelation::Inherit, callee);
        }
    }

    /// `[a, b] = value`, `({a} = value)`.
    fn assign_pattern(&mut self, node: Node, b: &mut Builder, depth: u32) {
        if depth > 32 {
            return;
        }
        match self.kind(node) {
            Kind::Identifier | Kind::ShorthandPropertyPattern => {
                self.consume(node);
                let name = self.text(node);
                if self.is_free(name) {
                    let name = b.sym(name);
                    let expr = b.expr(Expr::Name(name));
                    b.add_ref(RefKind::Write, node, expr, 0, None);
                }
            }
            Kind::Member => {
                self.consume(node);
                self.write_member(node, b);
            }
            Kind::PairPattern => {
                if let Some(value) = self.field(node, self.g.fields.value) {
                    self.assign_pattern(value, b, depth + 1);
                }
            }
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern => {
                if let Some(left) = self.field(node, self.g.fields.left) {
                    self.assign_pattern(left, b, depth + 1);
                }
            }
            Kind::ObjectPattern | Kind::ArrayPattern | Kind::RestPattern => {
                for child in self.children(node) {
                    self.assign_pattern(child, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn write_member(&mut self, node: Node, b: &mut Builder) {
        let Some(property) = self.field(node, self.g.fields.property) else { return };
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Write, property, expr, 0, None);
    }

    /// `x += 1`, `x++`.
    pub(super) fn enter_update(&mut self, node: Node, kind: Kind, b: &mut Builder) {
        let f = &self.g.fields;
        let field = if kind == Kind::AugmentedAssignment { f.left } else { f.argument };
        let Some(target) = self.field(node, field).map(|target| self.unwrap(target)) else { return };
        match self.kind(target) {
            Kind::Identifier => {
                self.consume(target);
                if self.is_free(self.text(target)) {
                    let expr = self.expr(target, b);
                    b.add_ref(RefKind::Write, target, expr, 0, None);
                }
            }
            Kind::Member => {
                self.consume(target);
                self.write_member(target, b);
            }
            _ => {}
        }
    }

    fn first_identifier<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let node = self.unwrap(node);
        (self.kind(node) == Kind::Identifier).then_some(node)
    }
}
