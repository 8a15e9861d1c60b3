//! Object literals: whose members their functions are.

use super::grammar::Kind;
use super::{Js, Note, Pending, Role, This, UNNAMED_OWNER};
use atlas_syntax::{BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, ExprId, TypeId, line_of};
use tree_sitter::Node;

/// How deep a literal is searched for functions.
const SEARCH_DEPTH: u32 = 3;

/// Parts of a component or store whose functions are members of the component itself.
const SECTIONS: [&str; 7] = ["actions", "computed", "getters", "methods", "mutations", "reducers", "watch"];

/// What a pair is to the definition around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairNote {
    /// An object with functions: a definition with members.
    Nested,
    /// A value that importers may name.
    Property,
}

impl<'s> Js<'s> {
    pub(super) fn enter_object(&mut self, node: Node) {
        let role = self.roles.remove(&node.id()).unwrap_or(Role::Plain);
        if role != Role::Plain {
            self.pending.push((node.id(), Pending::Object(role)));
        }
        for child in self.children(node) {
            match self.kind(child) {
                Kind::Pair => self.note_pair(child, role),
                Kind::MethodDefinition => {
                    let Some(key) = self.field(child, self.g.fields.name) else { continue };
                    let mut note = self.member_note(self.key(key), key, role);
                    note.flags.set(DefFlags::GETTER, self.modifiers(child).1);
                    note.start = Some(line_of(child));
                    self.notes.insert(child.id(), note);
                }
                _ => {}
            }
        }
    }

    fn note_pair(&mut self, pair: Node, role: Role) {
        let f = &self.g.fields;
        let (Some(key), Some(value)) = (self.field(pair, f.key), self.field(pair, f.value)) else { return };
        let name = self.key(key);
        let value = self.unwrap(value);
        let kind = self.kind(value);
        if Self::is_function(kind) {
            let mut note = self.member_note(name, key, role);
            note.start = Some(line_of(key));
            self.notes.insert(value.id(), note);
            return;
        }
        if kind == Kind::Class {
            let mut note = self.member_note(name, key, role);
            note.kind = DefKind::Class;
            self.notes.insert(value.id(), note);
            return;
        }
        let (Role::Value(ix) | Role::Exports(ix)) = role else { return };
        if kind == Kind::Object {
            if SECTIONS.contains(&name) && self.has_functions(value, SEARCH_DEPTH) {
                self.roles.insert(value.id(), Role::Section(ix));
            } else if self.has_functions(value, SEARCH_DEPTH) {
                self.pairs.insert(pair.id(), PairNote::Nested);
            }
        } else if matches!(role, Role::Exports(_)) && kind != Kind::Identifier {
            self.pairs.insert(pair.id(), PairNote::Property);
        }
    }

    fn member_note(&mut self, name: &'s str, at: Node, role: Role) -> Note<'s> {
        let owner = match role {
            Role::Prototype(ty) => Some(ty),
            // A member is no bare name, not even for its neighbours.
            _ => Some(UNNAMED_OWNER),
        };
        let mut note = self.place_note(name, at, DefKind::Method, owner);
        note.flags.set(DefFlags::EXPORTED, matches!(role, Role::Exports(_)));
        (note.this, note.fields) = match role {
            Role::Value(ix) | Role::Exports(ix) | Role::Section(ix) => (Some(This::Object(ix)), Some(ix)),
            Role::Returned(ix) => (Some(This::Made(ix)), Some(ix)),
            Role::Prototype(_) => (Some(This::Own), None),
            Role::Plain | Role::Local(_) => (Some(This::Unknown), None),
        };
        note
    }

    /// Whether functions stand in an object literal.
    fn has_functions(&self, object: Node, depth: u32) -> bool {
        let f = &self.g.fields;
        self.children(object).into_iter().take(512).any(|child| match self.kind(child) {
            Kind::MethodDefinition => true,
            Kind::Pair => self.field(child, f.value).map(|value| self.unwrap(value)).is_some_and(|value| {
                let kind = self.kind(value);
                Self::is_function(kind) || (kind == Kind::Object && depth > 0 && self.has_functions(value, depth - 1))
            }),
            _ => false,
        })
    }

    pub(super) fn enter_pair(&mut self, node: Node, b: &mut Builder) {
        let Some(note) = self.pairs.remove(&node.id()) else { return };
        let f = &self.g.fields;
        let (Some(key), Some(value)) = (self.field(node, f.key), self.field(node, f.value)) else { return };
        let mut spec = DefSpec::named(DefKind::Property, key, self.source);
        spec.name = self.key(key).to_owned();
        spec.doc = self.docs.take(line_of(key));
        match note {
            PairNote::Nested => {
                let ix = b.open_def(node, spec);
                let value = self.unwrap(value);
                self.made.insert(value.id(), ix);
                self.roles.insert(value.id(), Role::Value(ix));
            }
            PairNote::Property => {
                spec.flags.set(DefFlags::EXPORTED, true);
                b.add_def(node, spec);
            }
        }
    }

    /// States the members that are no functions written in place.
    pub(super) fn settle_object(&mut self, node: Node, role: Role, b: &mut Builder) {
        let f = &self.g.fields;
        for child in self.children(node) {
            let (name, value, at) = match self.kind(child) {
                Kind::Pair => {
                    let (Some(key), Some(value)) = (self.field(child, f.key), self.field(child, f.value)) else {
                        continue;
                    };
                    let value = self.unwrap(value);
                    if self.is_plain_literal(value) {
                        continue;
                    }
                    (self.key(key), self.expr(value, b), value)
                }
                Kind::ShorthandProperty => (self.text(child), self.expr(child, b), child),
                Kind::MethodDefinition => {
                    let Some(key) = self.field(child, f.name) else { continue };
                    let Some(&ix) = self.made.get(&child.id()) else { continue };
                    (self.key(key), b.expr(atlas_syntax::Expr::Def(ix)), child)
                }
                Kind::Spread if matches!(role, Role::Exports(_)) => {
                    let loaded = self.first(child).and_then(|inner| self.loaded(inner));
                    if let Some(module) = loaded {
                        self.reexport_all(module.1, line_of(child), b);
                    }
                    continue;
                }
                _ => continue,
            };
            if value != 0 {
                self.settle_member(role, name, value, self.made.contains_key(&at.id()), line_of(child), b);
            }
        }
    }

    fn settle_member(
        &mut self,
        role: Role,
        name: &'s str,
        value: ExprId,
        is_definition: bool,
        line: u32,
        b: &mut Builder,
    ) {
        let field = |ix: DefIx, b: &mut Builder| {
            // A definition that stands in the literal is a member already.
            if !is_definition {
                b.bind(BindingKind::Field, Some(ix), name, line, None, Some(value));
            }
        };
        match role {
            Role::Value(ix) | Role::Section(ix) | Role::Returned(ix) => field(ix, b),
            Role::Exports(ix) => {
                field(ix, b);
                self.export_value(name, value, line, b);
            }
            Role::Local(object) => self.scopes.set_member(object, name, value),
            Role::Plain | Role::Prototype(_) => {}
        }
    }

    fn is_plain_literal(&self, value: Node) -> bool {
        matches!(
            self.kind(value),
            Kind::String
                | Kind::Number
                | Kind::True
                | Kind::False
                | Kind::Null
                | Kind::Undefined
                | Kind::TemplateString
                | Kind::Regex
        )
    }

    /// The type that `X.prototype` makes instances of.
    pub(super) fn prototype_type(&mut self, path: &[&'s str], b: &mut Builder) -> Option<TypeId> {
        let (&last, owner) = path.split_last()?;
        (last == "prototype" && !owner.is_empty()).then(|| b.ty_path(owner))
    }
}
