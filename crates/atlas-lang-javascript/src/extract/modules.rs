//! Imports and exports of both module systems.

use super::grammar::Kind;
use super::{Js, Pending, Role, UNNAMED_OWNER, WHOLE_EXPORT};
use atlas_syntax::{
    BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, Import, ImportKind, Sym, Visit, line_of,
};
use tree_sitter::Node;

/// A module that an expression loads: by `import(…)` rather than `require(…)`, and its name.
pub type Loaded<'s> = (bool, &'s str);

impl<'s> Js<'s> {
    pub(super) fn enter_import(&mut self, node: Node, b: &mut Builder) {
        self.module = true;
        let line = line_of(node);
        let type_only = self.has_keyword(node, "type") || self.has_keyword(node, "typeof");
        let mut source = self.field(node, self.g.fields.source);
        let children = self.children(node);
        // `import x = require('m')`
        if let Some(&clause) = children.iter().find(|&&child| self.kind(child) == Kind::ImportRequireClause) {
            source = self.field(clause, self.g.fields.source);
            if let (Some(module), Some(local)) = (source.and_then(|s| self.string(s)), self.first(clause)) {
                let local = self.text(local);
                self.add_import(ImportKind::Module, module, None, Some(local), line, b);
            }
            return;
        }
        let Some(module) = source.and_then(|source| self.string(source)) else { return };
        let Some(&clause) = children.iter().find(|&&child| self.kind(child) == Kind::ImportClause) else {
            self.add_import(ImportKind::Effect, module, None, None, line, b);
            return;
        };
        for child in self.children(clause) {
            match self.kind(child) {
                Kind::Identifier => {
                    let local = self.text(child);
                    self.import_as(ImportKind::Default, module, None, Some(local), line_of(child), type_only, b);
                }
                Kind::NamespaceImport => {
                    let local = self.first(child).map(|name| self.text(name));
                    self.import_as(ImportKind::Module, module, None, local, line_of(child), type_only, b);
                }
                Kind::NamedImports => {
                    for specifier in self.children(child) {
                        let Some((name, alias)) = self.specifier(specifier) else { continue };
                        let type_only = type_only || self.has_keyword(specifier, "type");
                        let local = alias.unwrap_or(name);
                        let (kind, name) = if name == "default" {
                            (ImportKind::Default, None)
                        } else {
                            (ImportKind::Name, Some(name))
                        };
                        self.import_as(kind, module, name, Some(local), line_of(specifier), type_only, b);
                    }
                }
                _ => {}
            }
        }
    }

    /// The name and alias of an import or export specifier.
    fn specifier(&self, node: Node) -> Option<(&'s str, Option<&'s str>)> {
        let f = &self.g.fields;
        let name = self.key(self.field(node, f.name)?);
        Some((name, self.field(node, f.alias).map(|alias| self.key(alias))))
    }

    fn has_keyword(&self, node: Node, keyword: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).take(3).any(|child| !child.is_named() && self.text(child) == keyword)
    }

    /// `import A = B.C`: another name for it.
    pub(super) fn enter_import_alias(&mut self, node: Node, b: &mut Builder) {
        let children = self.children(node);
        let [local, target, ..] = children.as_slice() else { return };
        let spec = DefSpec::named(DefKind::Constant, *local, self.source);
        b.add_def(node, spec);
        let mut parts = self.text(*target).split('.').map(str::trim);
        let Some(first) = parts.next() else { return };
        let first = self.name_expr(first, b);
        let mut value = b.expr(first);
        for part in parts {
            let name = b.sym(part);
            value = b.expr(Expr::Member { base: value, name });
        }
        let (scope, name) = (b.here(), self.text(*local));
        b.bind(BindingKind::Local, scope, name, line_of(node), None, Some(value));
    }

    /// The module that `require('m')` or `import('m')` loads.
    pub(super) fn loaded(&self, node: Node) -> Option<Loaded<'s>> {
        if self.kind(node) != Kind::Call {
            return None;
        }
        let f = &self.g.fields;
        let function = self.field(node, f.function)?;
        let dynamic = match self.kind(function) {
            Kind::Import => true,
            Kind::Identifier if self.text(function) == "require" && self.is_free("require") => false,
            Kind::Member => {
                let property = self.field(function, f.property)?;
                match self.text(property) {
                    "requireActual" => false,
                    "importActual" => true,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let args = self.field(node, f.arguments)?;
        let module = self.string(self.first(args)?)?;
        Some((dynamic, module))
    }

    /// The name that stands for a module loaded in an expression.
    pub(super) fn load(&mut self, module: Loaded<'s>, node: Node, b: &mut Builder) -> Sym {
        if let Some(&known) = self.loaded.get(&module) {
            return known;
        }
        self.hints_of_roots.imported(module.1);
        let text = format!("{}({})", if module.0 { "import" } else { "require" }, module.1);
        let name = b.sym(&text);
        self.loaded.insert(module, name);
        let module = b.sym(module.1);
        // Bound for the whole file: another expression may load the same module.
        b.add_import(Import {
            kind: ImportKind::Module,
            module,
            level: 0,
            name: None,
            local: Some(name),
            line: line_of(node),
            within: None,
            reexport: false,
            type_only: false,
        });
        name
    }

    pub(super) fn add_import(
        &mut self,
        kind: ImportKind,
        module: &str,
        name: Option<&str>,
        local: Option<&str>,
        line: u32,
        b: &mut Builder,
    ) {
        let name = if kind == ImportKind::Name { name } else { None };
        self.import_as(kind, module, name, local, line, false, b);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an import")]
    fn import_as(
        &mut self,
        kind: ImportKind,
        module: &str,
        name: Option<&str>,
        local: Option<&str>,
        line: u32,
        type_only: bool,
        b: &mut Builder,
    ) {
        self.hints_of_roots.imported(module);
        let import = Import {
            kind,
            module: b.sym(module),
            level: 0,
            name: name.map(|name| b.sym(name)),
            local: local.map(|local| b.sym(local)),
            line,
            within: b.here(),
            reexport: false,
            type_only,
        };
        b.add_import(import);
    }

    fn reexport(
        &mut self,
        kind: ImportKind,
        module: &str,
        name: Option<&str>,
        local: Option<&str>,
        line: u32,
        b: &mut Builder,
    ) {
        let import = Import {
            kind,
            module: b.sym(module),
            level: 0,
            name: name.map(|name| b.sym(name)),
            local: local.map(|local| b.sym(local)),
            line,
            within: b.here(),
            reexport: true,
            type_only: false,
        };
        b.add_import(import);
    }

    /// `export * from 'm'`, `...require('m')` among a module's exports.
    pub(super) fn reexport_all(&mut self, module: &str, line: u32, b: &mut Builder) {
        self.reexport(ImportKind::Effect, module, None, None, line, b);
    }

    pub(super) fn enter_export(&mut self, node: Node, b: &mut Builder) -> Visit {
        self.module = true;
        self.on_statement(node);
        let f = &self.g.fields;
        if let Some(source) = self.field(node, f.source) {
            if let Some(module) = self.string(source) {
                self.export_from(node, module, b);
            }
            return Visit::Skip;
        }
        let default = self.has_keyword(node, "default");
        if let Some(declaration) = self.field(node, f.declaration) {
            let target = match self.kind(declaration) {
                Kind::AmbientDeclaration => self.first(declaration).unwrap_or(declaration),
                _ => declaration,
            };
            self.exported.insert(target.id(), default);
            return Visit::Children;
        }
        if let Some(value) = self.field(node, f.value) {
            self.export_default(node, value, b);
            return Visit::Children;
        }
        for child in self.children(node) {
            match self.kind(child) {
                Kind::ExportClause => {
                    for specifier in self.children(child) {
                        let Some((name, alias)) = self.specifier(specifier) else { continue };
                        let sym = b.sym(name);
                        let value = b.expr(Expr::Name(sym));
                        b.add_export(alias.unwrap_or(name), value, line_of(specifier));
                    }
                    return Visit::Skip;
                }
                Kind::Decorator => {}
                // `export = x`
                _ if self.has_keyword(node, "=") => {
                    let value = self.expr(child, b);
                    if let Expr::Name(_) = b.facts().expr(value) {
                        b.add_export(WHOLE_EXPORT, value, line_of(node));
                    }
                }
                // `export namespace`, `export enum` where the grammar has no field for them.
                _ => {
                    self.exported.insert(child.id(), default);
                }
            }
        }
        Visit::Children
    }

    fn export_from(&mut self, node: Node, module: &'s str, b: &mut Builder) {
        for child in self.children(node) {
            match self.kind(child) {
                Kind::NamespaceExport => {
                    let local = self.first(child).map(|name| self.key(name));
                    self.reexport(ImportKind::Module, module, None, local, line_of(child), b);
                    return;
                }
                Kind::ExportClause => {
                    for specifier in self.children(child) {
                        let Some((name, alias)) = self.specifier(specifier) else { continue };
                        let local = Some(alias.unwrap_or(name));
                        let (kind, name) = if name == "default" {
                            (ImportKind::Default, None)
                        } else {
                            (ImportKind::Name, Some(name))
                        };
                        self.reexport(kind, module, name, local, line_of(specifier), b);
                    }
                    return;
                }
                _ => {}
            }
        }
        self.reexport_all(module, line_of(node), b);
    }

    /// `export default value`.
    fn export_default(&mut self, node: Node, value: Node, b: &mut Builder) {
        let inner = self.unwrap(value);
        let kind = self.kind(inner);
        let flags = DefFlags::EXPORTED.with(DefFlags::DEFAULT_EXPORT);
        if Self::is_function(kind) || kind == Kind::Class {
            let own = self.field(inner, self.g.fields.name);
            let (name, at) = own.map_or(("default", inner), |own| (self.text(own), own));
            let is_class = kind == Kind::Class;
            let kind = if is_class { DefKind::Class } else { DefKind::Function };
            let owner = own.is_none().then_some(UNNAMED_OWNER);
            let mut note = self.place_note(name, at, kind, owner);
            note.flags = flags;
            note.declares = own.is_some();
            note.doc = self.docs.take(self.statement);
            self.notes.insert(inner.id(), note);
        } else if kind == Kind::Identifier {
            let value = self.expr(inner, b);
            b.add_export("default", value, line_of(node));
        } else {
            let mut spec = DefSpec::new(DefKind::Variable, "default");
            spec.owner = Some(UNNAMED_OWNER);
            spec.flags = flags;
            spec.doc = self.docs.take(self.statement);
            let is_model = self.is_model(inner);
            let object = self.literal_in(inner).filter(|_| !is_model);
            let ix: DefIx = match object {
                Some(object) => {
                    let ix = b.open_def(node, spec);
                    self.made.insert(object.id(), ix);
                    self.roles.insert(object.id(), Role::Value(ix));
                    ix
                }
                None => b.add_def(node, spec),
            };
            if is_model {
                self.models.insert(inner.id(), ix);
                return;
            }
            if object.is_none_or(|object| object.id() != inner.id()) {
                self.pending.push((node.id(), Pending::Default));
            }
        }
    }

    pub(super) fn settle_default(&mut self, node: Node, b: &mut Builder) {
        let Some(value) = self.field(node, self.g.fields.value).map(|value| self.unwrap(value)) else { return };
        if self.is_frozen(value) {
            return;
        }
        let value = match self.wrapped_name(value, 0) {
            Some(inner) => self.wrapped_value(inner, value, b),
            None => self.expr(value, b),
        };
        if value != 0 {
            b.bind(BindingKind::Field, None, "default", line_of(node), None, Some(value));
        }
    }

    /// The component or function at the heart of `memo(App)`, `connect(state)(App)`: what is known by
    /// the name of the result as well.
    pub(super) fn wrapped_name<'t>(&self, call: Node<'t>, depth: u32) -> Option<Node<'t>> {
        if self.kind(call) != Kind::Call || depth > 6 {
            return None;
        }
        let args = self.field(call, self.g.fields.arguments).filter(|&args| self.kind(args) == Kind::Arguments)?;
        let args: Vec<Node> = self.children(args).into_iter().map(|arg| self.unwrap(arg)).collect();
        let named = |node: &&Node| {
            self.kind(**node) == Kind::Identifier && self.text(**node).starts_with(|c: char| c.is_ascii_uppercase())
        };
        args.iter().find(named).copied().or_else(|| args.iter().find_map(|&arg| self.wrapped_name(arg, depth + 1)))
    }

    /// The value of a wrapper's call: what the call gives, or what it was given; never sure.
    pub(super) fn wrapped_value(&mut self, inner: Node, call: Node, b: &mut Builder) -> atlas_syntax::ExprId {
        let call = self.expr(call, b);
        let inner = self.expr(inner, b);
        let other = b.expr(Expr::Literal(atlas_syntax::Literal::Function));
        b.expr(Expr::OneOf(vec![call, inner, other]))
    }

    /// Flags what other files can and cannot name.
    pub(super) fn finish_exports(&mut self, b: &mut Builder) {
        let exported: Vec<Expr> = b.facts().exports.iter().map(|export| b.facts().expr(export.value).clone()).collect();
        for value in exported {
            let ix = match value {
                Expr::Def(ix) => Some(ix),
                Expr::Name(sym) => self.top.get(b.str(sym)).copied(),
                _ => None,
            };
            if let Some(ix) = ix {
                b.def_mut(ix).flags.set(DefFlags::EXPORTED, true);
            }
        }
        if !self.module && b.facts().imports.is_empty() {
            return;
        }
        for ix in 0..b.facts().defs.len() as DefIx {
            let def = b.def_mut(ix);
            if def.container.is_none() && !def.flags.has(DefFlags::EXPORTED) {
                def.flags.set(DefFlags::FILE_LOCAL, true);
            }
        }
    }
}
