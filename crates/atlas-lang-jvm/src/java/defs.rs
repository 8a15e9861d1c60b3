//! Packages, imports and definitions.

use super::types::{last_named, type_name, type_of};
use super::{Java, OpenType, PendingBase};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefKind, DefSpec, Expr, FrameKind, Import, ImportKind, Type,
    TypeId, column_of, end_line_of, line_of,
};
use tree_sitter::Node;

/// What the modifiers of a declaration say.
#[derive(Debug, Clone, Copy, Default)]
struct Modifiers {
    public: bool,
    private: bool,
    is_static: bool,
    is_final: bool,
    is_default: bool,
}

impl Java {
    pub(super) fn package(&mut self, node: Node, b: &mut Builder) {
        if let Some(name) = last_named(node) {
            let name = dotted(b.text(name));
            b.set_package(&name);
        }
        self.doc = Default::default();
    }

    /// `level` is 1 for static imports.
    pub(super) fn import(&mut self, node: Node, b: &mut Builder) {
        self.doc = Default::default();
        let mut cursor = node.walk();
        let (mut path, mut wildcard, mut is_static) = (None, false, false);
        for child in node.children(&mut cursor) {
            match child.kind() {
                "identifier" | "scoped_identifier" => path = Some(dotted(b.text(child))),
                "asterisk" => wildcard = true,
                "static" => is_static = true,
                _ => {}
            }
        }
        let Some(path) = path else { return };
        self.imports.push(if wildcard { format!("{path}.*") } else { path.clone() });
        let within = b.here();
        let (kind, module, name) = match path.rsplit_once('.') {
            _ if wildcard => (ImportKind::Wildcard, path.as_str(), None),
            Some((module, name)) => (ImportKind::Name, module, Some(b.sym(name))),
            None => (ImportKind::Name, "", Some(b.sym(&path))),
        };
        let module = b.sym(module);
        b.add_import(Import {
            kind,
            module,
            level: u8::from(is_static),
            name,
            local: name,
            line: line_of(node),
            within,
            reexport: false,
            type_only: false,
        });
    }

    pub(super) fn type_declaration(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let kind = match node.kind() {
            "interface_declaration" | "annotation_type_declaration" => DefKind::Interface,
            "enum_declaration" => DefKind::Enum,
            _ => DefKind::Class,
        };
        let body = node.child_by_field_name("body");
        self.done(body);
        let modifiers = self.modifiers(node, b);
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node, body));
        spec.flags = self.flags(modifiers);
        spec.flags.set(DefFlags::STATIC, false);
        let parameters = node.child_by_field_name("parameters");
        let def = b.open_def(node, spec);
        self.type_parameters(node, b);
        let open = OpenType {
            node: node.id(),
            def,
            name: b.text(name).to_owned(),
            is_interface: kind == DefKind::Interface,
            bases: self.bases(node, b),
            annotations: self.annotations(node, b),
        };
        self.type_roots(&open, node, b);
        self.entity(&open, b);
        self.types.push(open);
        if let Some(parameters) = parameters {
            self.record_components(parameters, body, b);
        }
    }

    /// The inheritance clauses of a type that was just opened; the last names of what they name.
    fn bases(&mut self, node: Node, b: &mut Builder) -> Vec<String> {
        let Some(def) = b.here() else { return Vec::new() };
        let mut names = Vec::new();
        let mut cursor = node.walk();
        for clause in node.named_children(&mut cursor) {
            let relation = match clause.kind() {
                "superclass" | "extends_interfaces" => BaseRelation::Inherit,
                "super_interfaces" => BaseRelation::Implement,
                _ => continue,
            };
            let list = clause.named_child(0).filter(|list| list.kind() == "type_list").unwrap_or(clause);
            let mut cursor = list.walk();
            for ty in list.named_children(&mut cursor).filter(|child| !child.is_extra()) {
                names.extend(self.base(BaseSub::Def(def), ty, relation, b));
            }
        }
        names
    }

    fn base(&mut self, sub: BaseSub, ty: Node, relation: BaseRelation, b: &mut Builder) -> Option<String> {
        let (_, last) = type_name(ty)?;
        let sup = type_of(ty, b, 0);
        b.add_base(sub, sup, relation, last);
        self.mark_type_name(ty);
        Some(b.text(last).to_owned())
    }

    /// The body of `new T() { … }` or of an enum constant; those of declared types were marked by them.
    pub(super) fn anonymous_class(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) {
            return;
        }
        let def = b.open_def(node, DefSpec::new(DefKind::Class, ""));
        let mut bases = Vec::new();
        if let Some(pending) = self.anonymous.remove(&node.id()) {
            // What the expression makes is an instance of the class without a name.
            if let Some(made) = pending.made {
                b.set_expr(made, Expr::Made(def));
            }
            b.add_base_at(BaseSub::Def(def), pending.sup, BaseRelation::Inherit, pending.at);
            bases.push(pending.name);
        }
        self.types.push(OpenType {
            node: node.id(),
            def,
            name: String::new(),
            is_interface: false,
            bases,
            annotations: Vec::new(),
        });
    }

    pub(super) fn enum_constant(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let mut spec = DefSpec::named(DefKind::EnumMember, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = DefFlags::STATIC.with(DefFlags::EXPORTED);
        let owner = self.types.last().map(|open| open.name.clone()).unwrap_or_default();
        let ty = b.ty_path(&[&owner]);
        spec.ty = Some(ty);
        b.add_def(node, spec);
        let scope = b.here();
        b.bind(BindingKind::Field, scope, b.text(name), line_of(name), Some(ty), None);
        if let Some(body) = node.child_by_field_name("body") {
            let at = (line_of(name), column_of(name));
            self.anonymous.insert(body.id(), PendingBase { sup: ty, at, name: owner.clone(), made: None });
        }
        self.enum_constant_call(node, name, &owner, b);
    }

    pub(super) fn method(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let modifiers = self.modifiers(node, b);
        let body = node.child_by_field_name("body");
        let annotations = self.annotations(node, b);
        let mut spec = DefSpec::named(DefKind::Method, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node, body));
        spec.flags = self.flags(modifiers);
        spec.flags.set(DefFlags::DECLARATION, body.is_none() && node.kind() == "method_declaration");
        spec.flags.set(DefFlags::TEST, self.is_test_code(b.text(name), &annotations));
        let parameters = node.child_by_field_name("parameters");
        spec.arity = parameters.map_or((0, 0), arity);
        let def = b.open_def(node, spec);
        self.type_parameters(node, b);
        let ty = self.declared(node.child_by_field_name("type"), node.child_by_field_name("dimensions"), b);
        b.def_mut(def).ty = ty;
        self.locals.open(node, Some(def), FrameKind::Function);
        if let Some(parameters) = parameters {
            self.parameters(parameters, b);
        }
        self.method_roots(node, def, b.text(name), modifiers.public && modifiers.is_static, &annotations, b);
    }

    pub(super) fn constructor(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let modifiers = self.modifiers(node, b);
        let mut spec = DefSpec::named(DefKind::Constructor, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node, node.child_by_field_name("body")));
        spec.flags = self.flags(modifiers);
        let parameters = node.child_by_field_name("parameters");
        spec.arity = match parameters {
            Some(parameters) => arity(parameters),
            // The compact constructor of a record takes the record's own components.
            None => self.types.last().map_or((0, u16::MAX), |open| b.facts().def(open.def).arity),
        };
        let def = b.open_def(node, spec);
        self.type_parameters(node, b);
        self.locals.open(node, Some(def), FrameKind::Function);
        if let Some(parameters) = parameters {
            self.parameters(parameters, b);
        }
    }

    pub(super) fn field(&mut self, node: Node, b: &mut Builder) {
        let mut modifiers = self.modifiers(node, b);
        if node.kind() == "constant_declaration" {
            modifiers.is_static = true;
            modifiers.is_final = true;
        }
        let doc = self.doc.take(line_of(node));
        let kind = if modifiers.is_static && modifiers.is_final { DefKind::Constant } else { DefKind::Field };
        let ty_node = node.child_by_field_name("type");
        let plain = self.declared(ty_node, None, b);
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(name) = declarator.child_by_field_name("name") else { continue };
            self.done(Some(name));
            let dimensions = declarator.child_by_field_name("dimensions");
            let ty = if dimensions.is_some() { self.declared(ty_node, dimensions, b) } else { plain };
            let mut spec = DefSpec::named(kind, name, b.source);
            spec.doc = doc;
            spec.start = Some(line_of(node));
            spec.ty = ty;
            spec.flags = self.flags(modifiers);
            spec.signature_end = Some(end_line_of(node));
            b.add_def(node, spec);
            let value = declarator.child_by_field_name("value");
            if let Some(text) = value
                .filter(|_| kind == DefKind::Constant)
                .and_then(|v| super::exprs::string_value(v, &self.constants, b).filter(|_| self.constants.len() < 4096))
            {
                self.constants.insert(b.text(name).to_owned(), text);
            }
            let value = value.map(|value| self.expr(value, b)).filter(|&id| id != 0);
            let scope = b.here();
            b.bind(BindingKind::Field, scope, b.text(name), line_of(name), ty, value);
        }
    }

    /// Components of a record: fields, each with an accessor unless the body declares it.
    fn record_components(&mut self, parameters: Node, body: Option<Node>, b: &mut Builder) {
        let Some(record) = b.here() else { return };
        b.def_mut(record).arity = arity(parameters);
        let declared = body.map_or_else(Vec::new, |body| {
            let mut cursor = body.walk();
            body.named_children(&mut cursor)
                .filter(|child| child.kind() == "method_declaration")
                .filter(|method| method.child_by_field_name("parameters").is_some_and(|p| arity(p) == (0, 0)))
                .filter_map(|method| method.child_by_field_name("name").map(|name| b.text(name)))
                .collect()
        });
        for (_, node, name, ty) in self.parameter_list(parameters, b) {
            let text = b.text(name);
            if !declared.contains(&text) {
                let mut spec = DefSpec::named(DefKind::Property, name, b.source);
                spec.ty = ty;
                spec.arity = (0, 0);
                spec.flags = DefFlags::GETTER.with(DefFlags::EXPORTED);
                b.add_def(node, spec);
            }
            b.bind(BindingKind::Field, Some(record), text, line_of(name), ty, None);
        }
    }

    fn parameters(&mut self, parameters: Node, b: &mut Builder) {
        for (at, _, name, ty) in self.parameter_list(parameters, b) {
            self.bind_local(BindingKind::Param(at), name, ty, None, b);
        }
    }

    /// Position, node, name and type of each parameter.
    pub(super) fn parameter_list<'t>(
        &mut self,
        parameters: Node<'t>,
        b: &mut Builder,
    ) -> Vec<(u16, Node<'t>, Node<'t>, Option<TypeId>)> {
        let mut list = Vec::new();
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            let at = u16::try_from(list.len()).unwrap_or(u16::MAX);
            let (name, ty) = match parameter.kind() {
                "formal_parameter" => {
                    let dimensions = parameter.child_by_field_name("dimensions");
                    let ty = self.declared(parameter.child_by_field_name("type"), dimensions, b);
                    (parameter.child_by_field_name("name"), ty)
                }
                "spread_parameter" => {
                    let mut cursor = parameter.walk();
                    let (mut name, mut ty) = (None, None);
                    for child in parameter.named_children(&mut cursor) {
                        match child.kind() {
                            "variable_declarator" => name = child.child_by_field_name("name"),
                            "modifiers" | "annotation" | "marker_annotation" => {}
                            _ if child.is_extra() => {}
                            _ => {
                                let of = self.declared(Some(child), None, b);
                                ty = of.map(|of| b.ty(Type::List(of)));
                            }
                        }
                    }
                    (name, ty)
                }
                _ => continue,
            };
            let Some(name) = name else { continue };
            self.done(Some(name));
            list.push((at, parameter, name, ty));
        }
        list
    }

    /// Type parameters stand for their bounds: no definition of the tree is meant by their names.
    fn type_parameters(&mut self, node: Node, b: &mut Builder) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        let mut names = Vec::new();
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor).filter(|child| child.kind() == "type_parameter") {
            let mut cursor = parameter.walk();
            let mut parts = parameter.named_children(&mut cursor);
            let Some(name) = parts.find(|part| part.kind() == "type_identifier") else { continue };
            let bound = parts.find(|part| part.kind() == "type_bound");
            let ty = bound.and_then(|bound| bound.named_child(0)).map_or(0, |first| type_of(first, b, 0));
            let (scope, n) = (b.here(), u16::try_from(names.len()).unwrap_or(u16::MAX));
            let bound = Some(ty).filter(|&ty| ty != 0);
            b.bind(BindingKind::TypeParam(n), scope, b.text(name), line_of(name), bound, None);
            names.push(b.sym_of(name));
        }
        self.type_params.push((node.id(), names));
    }

    fn modifiers(&self, node: Node, _: &Builder) -> Modifiers {
        let mut found = Modifiers::default();
        let mut cursor = node.walk();
        let Some(list) = node.named_children(&mut cursor).find(|child| child.kind() == "modifiers") else {
            return found;
        };
        let mut cursor = list.walk();
        for word in list.children(&mut cursor) {
            match word.kind() {
                "public" | "protected" => found.public = true,
                "private" => found.private = true,
                "static" => found.is_static = true,
                "final" => found.is_final = true,
                "default" => found.is_default = true,
                _ => {}
            }
        }
        found
    }

    fn flags(&self, modifiers: Modifiers) -> DefFlags {
        let in_interface = self.types.last().is_some_and(|open| open.is_interface);
        let mut flags = DefFlags::default();
        flags.set(DefFlags::EXPORTED, modifiers.public || (in_interface && !modifiers.private));
        flags.set(DefFlags::FILE_LOCAL, modifiers.private);
        flags.set(DefFlags::STATIC, modifiers.is_static);
        flags
    }
}

/// A qualified name without blanks and comments inside it.
fn dotted(text: &str) -> String {
    text.split('.').map(|part| part.split_whitespace().next().unwrap_or_default()).collect::<Vec<_>>().join(".")
}

/// Last line of what stands before the body.
fn signature_end(node: Node, body: Option<Node>) -> u32 {
    let Some(body) = body else { return end_line_of(node) };
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|child| child.end_byte() <= body.start_byte() && !child.is_extra())
        .last()
        .map_or_else(|| line_of(node), end_line_of)
}

/// Fewest and most arguments that a parameter list takes.
fn arity(parameters: Node) -> (u16, u16) {
    let (mut count, mut spread) = (0u16, false);
    let mut cursor = parameters.walk();
    for parameter in parameters.named_children(&mut cursor) {
        match parameter.kind() {
            "formal_parameter" => count = count.saturating_add(1),
            "spread_parameter" => spread = true,
            _ => {}
        }
    }
    (count, if spread { u16::MAX } else { count })
}
