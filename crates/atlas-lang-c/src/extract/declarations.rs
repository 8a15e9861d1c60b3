//! Includes, namespaces, types, variables and fields.

use super::declarators::{Declarator, declarator};
use super::functions::Specifiers;
use super::types::{name_path, path_expr, type_of};
use super::{C, DEPTH_MAX};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, Import, ImportKind, RefKind,
    Type, TypeId, Visit, column_of, end_line_of, line_of,
};
use tree_sitter::Node;

impl C {
    /// `level` is 1 for `<…>`.
    pub(super) fn include(&mut self, node: Node, b: &mut Builder) {
        let Some(path) = node.child_by_field_name("path") else { return };
        let level = match path.kind() {
            "string_literal" => 0,
            "system_lib_string" => 1,
            _ => return,
        };
        let text = b.text(path).trim_matches(['"', '<', '>']).trim().to_owned();
        let module = b.sym(&text);
        let within = b.here();
        b.add_import(Import {
            kind: ImportKind::Include,
            module,
            level,
            name: None,
            local: None,
            line: line_of(node),
            within,
            reexport: true,
            type_only: false,
        });
    }

    /// `namespace a::b { … }` opens both.
    pub(super) fn namespace(&mut self, node: Node, b: &mut Builder) {
        let doc = self.doc.take(line_of(node));
        let mut names = Vec::new();
        let mut at = node.child_by_field_name("name");
        while let Some(name) = at {
            if name.kind() != "nested_namespace_specifier" {
                names.push(name);
                break;
            }
            let mut cursor = name.walk();
            let parts: Vec<Node> = name.named_children(&mut cursor).collect();
            names.extend(parts.iter().filter(|part| part.kind() != "nested_namespace_specifier"));
            at = parts.into_iter().find(|part| part.kind() == "nested_namespace_specifier");
        }
        let inline = node.child(0).is_some_and(|first| b.text(first) == "inline");
        if names.is_empty() {
            b.open_def(node, DefSpec::new(DefKind::Namespace, ""));
        }
        for name in names {
            let mut spec = DefSpec::named(DefKind::Namespace, name, b.source);
            spec.doc = doc;
            spec.flags = DefFlags::EXPORTED;
            // The members of an inline namespace are those of the one around it.
            spec.flags.set(DefFlags::STATIC, inline);
            b.open_def(node, spec);
        }
    }

    pub(super) fn namespace_alias(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let mut cursor = node.walk();
        let Some(target) = node.named_children(&mut cursor).filter(|child| *child != name).last() else { return };
        let target: String = b.text(target).split_whitespace().collect();
        self.push_import(node, ImportKind::Module, &target, None, Some(b.text(name)), b);
    }

    /// `using namespace a::b;` is a wildcard, `using a::b;` binds one name.
    pub(super) fn using(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let namespace = node.children(&mut cursor).any(|child| child.kind() == "namespace");
        let mut cursor = node.walk();
        let Some(target) = node.named_children(&mut cursor).last() else { return };
        if namespace {
            let target: String = b.text(target).split_whitespace().collect();
            self.push_import(node, ImportKind::Wildcard, &target, None, None, b);
        } else if let Some((parts, _, _)) = name_path(target)
            && let Some((last, scopes)) = parts.split_last()
            && self.in_class(b).is_none()
        {
            let module = scopes.iter().map(|scope| b.text(*scope)).collect::<Vec<_>>().join("::");
            let name = b.text(*last);
            self.push_import(node, ImportKind::Name, &module, Some(name), Some(name), b);
        }
    }

    fn push_import(
        &self,
        node: Node,
        kind: ImportKind,
        module: &str,
        name: Option<&str>,
        local: Option<&str>,
        b: &mut Builder,
    ) {
        let import = Import {
            kind,
            module: b.sym(module),
            level: 0,
            name: name.map(|name| b.sym(name)),
            local: local.map(|local| b.sym(local)),
            line: line_of(node),
            within: b.here(),
            reexport: false,
            type_only: false,
        };
        b.add_import(import);
    }

    pub(super) fn alias(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let ty = node.child_by_field_name("type").map(|ty| type_of(ty, b, 0));
        self.type_alias(node, name, ty, b);
    }

    fn type_alias(&mut self, node: Node, name: Node, ty: Option<TypeId>, b: &mut Builder) {
        let mut spec = DefSpec::named(DefKind::TypeAlias, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.ty = ty;
        spec.flags = self.linkage(Specifiers::default(), false, b);
        spec.signature_end = Some(end_line_of(node));
        b.add_def(node, spec);
    }

    pub(super) fn typedef(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        let is_specifier = ty.kind().ends_with("_specifier") && ty.kind() != "sized_type_specifier";
        let tag = ty.child_by_field_name("name").filter(|_| is_specifier).map(|name| b.text(name));
        let has_body = ty.child_by_field_name("body").is_some();
        if is_specifier && !has_body {
            self.done(Some(ty));
        }
        let base = self.declared(Some(ty), b);
        let mut cursor = node.walk();
        let mut first = true;
        for one in node.children_by_field_name("declarator", &mut cursor) {
            let Some(d) = declarator(one) else { continue };
            self.done(Some(d.name));
            let plain = !d.indirect && !d.array && d.parameters.is_none() && !d.callback;
            let name = b.text(d.name);
            if is_specifier && plain && tag == Some(name) {
                // `typedef struct x x;` makes no second name.
                if !has_body {
                    self.forward(node, ty, d.name, b);
                    self.mark_type_name(ty);
                }
            } else if is_specifier && has_body && tag.is_none() && plain && first {
                // The type without a tag is known by its first plain name.
                let name = b.sym(name);
                self.typedef_names.insert(ty.id(), name);
            } else {
                let of = match (is_specifier && has_body && tag.is_none(), base) {
                    (true, _) => self
                        .typedef_names
                        .get(&ty.id())
                        .copied()
                        .map(|name| b.ty(Type::Path { path: vec![name], args: Vec::new() })),
                    (false, base) if d.parameters.is_some() => Some(b.ty(Type::Function(base))),
                    (false, base) => self.declarator_type(&d, base, b),
                };
                self.type_alias(node, d.name, of, b);
            }
            first = false;
        }
    }

    /// A type that is named here and defined elsewhere.
    fn forward(&mut self, node: Node, specifier: Node, name: Node, b: &mut Builder) {
        let mut spec = DefSpec::named(class_kind(specifier.kind()), name, b.source);
        spec.flags = DefFlags::DECLARATION.with(DefFlags::EXPORTED);
        b.add_def(node, spec);
    }

    pub(super) fn template(&mut self, node: Node, b: &mut Builder) {
        let Some(parameters) = node.child_by_field_name("parameters") else { return };
        let mut names = Vec::new();
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            match parameter.kind() {
                "type_parameter_declaration"
                | "variadic_type_parameter_declaration"
                | "optional_type_parameter_declaration"
                | "template_template_parameter_declaration" => {
                    let name = parameter.child_by_field_name("name").or_else(|| {
                        let mut cursor = parameter.walk();
                        parameter.named_children(&mut cursor).filter(|c| c.kind() == "type_identifier").last()
                    });
                    if let Some(name) = name.filter(|name| name.kind() == "type_identifier") {
                        self.done(Some(name));
                        names.push(b.sym_of(name));
                    }
                }
                _ => {
                    if let Some(d) = parameter.child_by_field_name("declarator").and_then(declarator) {
                        names.push(b.sym_of(d.name));
                    }
                }
            }
        }
        self.pending_params.clone_from(&names);
        self.type_params.push((node.id(), names));
    }

    /// Binds the parameters of the template that a definition is.
    pub(super) fn bind_type_params(&mut self, def: DefIx, line: u32, b: &mut Builder) {
        for (n, name) in std::mem::take(&mut self.pending_params).into_iter().enumerate() {
            let name = b.str(name).to_owned();
            let n = u16::try_from(n).unwrap_or(u16::MAX);
            b.bind(BindingKind::TypeParam(n), Some(def), &name, line, None, None);
        }
    }

    pub(super) fn concept(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let mut spec = DefSpec::named(DefKind::Trait, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = DefFlags::EXPORTED;
        b.add_def(node, spec);
    }

    /// A friend is declared elsewhere, unless it is defined here.
    pub(super) fn friend(&mut self, node: Node, b: &mut Builder) -> Visit {
        let mut cursor = node.walk();
        let defines = node.named_children(&mut cursor).any(|child| child.kind() == "function_definition");
        let _ = b;
        if defines { Visit::Children } else { Visit::Skip }
    }

    pub(super) fn class(&mut self, node: Node, b: &mut Builder) {
        let name = node.child_by_field_name("name");
        let Some(body) = node.child_by_field_name("body") else {
            if let Some(name) = name.filter(|name| name.kind() == "type_identifier" && !self.done.contains(&node.id()))
            {
                self.done(Some(name));
                self.forward(node, node, name, b);
            }
            return;
        };
        let kind = class_kind(node.kind());
        let mut spec = match name.and_then(name_path) {
            Some((parts, args, _)) => {
                let Some((last, scopes)) = parts.split_last() else { return };
                let mut spec = DefSpec::named(kind, *last, b.source);
                if !scopes.is_empty() {
                    let path = scopes.iter().map(|scope| b.sym_of(*scope)).collect();
                    spec.owner = Some(b.ty(Type::Path { path, args: Vec::new() }));
                }
                // Of a template and its specialisations, the name means the template.
                spec.flags.set(DefFlags::CONDITIONAL, args.is_some());
                spec
            }
            None => match self.typedef_names.get(&node.id()) {
                Some(&name) => DefSpec::new(kind, b.str(name)),
                None => DefSpec::new(kind, ""),
            },
        };
        if let Some(name) = name {
            self.mark_type_name(name);
        }
        let specialised = spec.flags.has(DefFlags::CONDITIONAL);
        spec.flags = self.linkage(Specifiers::default(), false, b);
        spec.flags.set(DefFlags::CONDITIONAL, specialised || self.is_left_out());
        spec.doc = self.doc.take(line_of(node));
        let mut cursor = node.walk();
        spec.signature_end = node
            .children(&mut cursor)
            .filter(|child| child.end_byte() <= body.start_byte() && !child.is_extra())
            .last()
            .map(end_line_of);
        let def = b.open_def(node, spec);
        self.bind_type_params(def, line_of(node), b);
        let mut cursor = node.walk();
        for clause in node.named_children(&mut cursor).filter(|child| child.kind() == "base_class_clause") {
            let mut cursor = clause.walk();
            for base in clause.named_children(&mut cursor) {
                let Some((parts, _, _)) = name_path(base) else { continue };
                let Some(last) = parts.last() else { continue };
                let sup = type_of(base, b, 0);
                b.add_base(BaseSub::Def(def), sup, BaseRelation::Inherit, *last);
                self.mark_type_name(base);
            }
        }
    }

    /// The members of an unscoped enum stand in the scope around it.
    pub(super) fn enumeration(&mut self, node: Node, b: &mut Builder) {
        let name = node.child_by_field_name("name");
        if node.child_by_field_name("body").is_none() {
            // `enum E` in the place of a type; `enum class E : int;` tells nothing new.
            return;
        }
        let mut cursor = node.walk();
        let scoped = node.children(&mut cursor).any(|child| matches!(child.kind(), "class" | "struct"));
        let named = match name {
            Some(name) => {
                self.mark_type_name(name);
                Some(b.text(name).rsplit("::").next().unwrap_or_default().to_owned())
            }
            None => self.typedef_names.get(&node.id()).map(|&name| b.str(name).to_owned()),
        };
        let Some(named) = named else {
            self.enums.push((node.id(), None));
            return;
        };
        let mut spec = DefSpec::new(DefKind::Enum, named.as_str());
        if let Some(name) = name {
            spec.name_at = Some((line_of(name), column_of(name)));
        }
        spec.flags = self.linkage(Specifiers::default(), false, b);
        spec.doc = self.doc.take(line_of(node));
        let ty = b.ty_path(&[&named]);
        if scoped {
            b.open_def(node, spec);
        } else {
            b.add_def(node, spec);
        }
        self.enums.push((node.id(), Some((ty, scoped))));
    }

    pub(super) fn enumerator(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let mut spec = DefSpec::named(DefKind::EnumMember, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = self.linkage(Specifiers::default(), false, b);
        if let Some(&(_, Some((ty, scoped)))) = self.enums.last() {
            spec.ty = Some(ty);
            spec.owner = Some(ty).filter(|_| !scoped);
        }
        spec.flags.set(DefFlags::STATIC, true);
        b.add_def(node, spec);
    }

    pub(super) fn declaration(&mut self, node: Node, b: &mut Builder) -> Visit {
        self.mark_elaborated(node);
        let ty_node = node.child_by_field_name("type");
        let base = self.declared(ty_node, b);
        let specifiers = self.specifiers(node, b);
        let in_function = self.in_function(b);
        let doc = if in_function { None } else { self.doc.take(line_of(node)) };
        let mut cursor = node.walk();
        for one in node.children_by_field_name("declarator", &mut cursor) {
            let Some(mut d) = declarator(one) else { continue };
            if d.value.is_none() {
                // `if (auto x = f())` and its like.
                d.value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("default_value"));
            }
            if d.parameters.is_some() {
                if in_function && self.cpp && self.constructs_by_names(&d, ty_node, b) {
                    self.local_variable(node, ty_node, &d, base, b);
                } else {
                    self.prototype(node, &d, doc, b);
                }
            } else if in_function {
                if specifiers.is_extern {
                    self.done(Some(d.name));
                } else {
                    self.local_variable(node, ty_node, &d, base, b);
                }
            } else {
                self.variable(node, &d, base, specifiers, doc, b);
            }
        }
        Visit::Children
    }

    /// `Store t(x);` and `Store t(f(x));` read as functions that take an `x`. In a function, bare names in
    /// the place of parameters are arguments.
    fn constructs_by_names(&mut self, d: &Declarator, ty: Option<Node>, b: &mut Builder) -> bool {
        let Some(parameters) = d.parameters.filter(|_| ty.is_some_and(|ty| ty.kind() != "primitive_type")) else {
            return false;
        };
        if parameters.named_child_count() == 0 || !are_arguments(parameters, 0) {
            return false;
        }
        self.read_arguments(parameters, b, 0);
        true
    }

    /// References of arguments that read as parameters.
    fn read_arguments(&mut self, parameters: Node, b: &mut Builder, depth: u32) {
        let mut cursor = parameters.walk();
        for one in parameters.named_children(&mut cursor).filter(|child| !child.is_extra()) {
            let Some(name) = one.child_by_field_name("type") else { continue };
            let Some((parts, _, rooted)) = name_path(name) else { continue };
            let Some(&last) = parts.last() else { continue };
            self.mark_type_name(name);
            let sym = b.sym_of(last);
            let plain = parts.len() == 1 && !rooted;
            let local = if plain { self.locals.lookup(sym) } else { None };
            let expr = if plain { b.expr(Expr::Name(local.unwrap_or(sym))) } else { path_expr(&parts, rooted, b) };
            if let Some(list) = called_parameters(one) {
                self.call_ref(RefKind::Call, last, expr, Some(list), b);
                if depth < DEPTH_MAX {
                    self.read_arguments(list, b, depth + 1);
                }
            } else if local.is_none() {
                b.add_ref(RefKind::Read, last, expr, 0, None);
            }
        }
    }

    fn local_variable(
        &mut self,
        node: Node,
        ty_node: Option<Node>,
        d: &Declarator,
        base: Option<TypeId>,
        b: &mut Builder,
    ) {
        let ty = self.declarator_type(d, base, b);
        let value = d.value.filter(|value| value.kind() != "argument_list").map(|value| self.expr(value, b));
        self.implicit_construction(ty_node, d, b);
        if d.name.kind() == "structured_binding_declarator" {
            self.bind_parts(d.name, value.unwrap_or(0), b);
            return;
        }
        let _ = node;
        self.bind_local(BindingKind::Local, d.name, ty, value, b);
    }

    /// `T x;`, `T x(…);` and `T x{…};` run a constructor of T, if T is a class.
    fn implicit_construction(&mut self, ty_node: Option<Node>, d: &Declarator, b: &mut Builder) {
        let Some(ty) = ty_node.filter(|_| self.cpp && !d.indirect && !d.array && !d.callback) else { return };
        let direct = d.value.is_none_or(|value| matches!(value.kind(), "argument_list" | "initializer_list"));
        if !direct || !matches!(ty.kind(), "type_identifier" | "template_type" | "qualified_identifier") {
            return;
        }
        let arguments = d.value.or(d.parameters);
        self.construct(ty, arguments, b);
    }

    pub(super) fn variable(
        &mut self,
        node: Node,
        d: &Declarator,
        base: Option<TypeId>,
        specifiers: Specifiers,
        doc: Option<(u32, u32)>,
        b: &mut Builder,
    ) {
        let ty = self.declarator_type(d, base, b);
        let Some((parts, _, _)) = name_path(d.name) else { return };
        let Some((last, scopes)) = parts.split_last() else { return };
        self.mark_type_name(d.name);
        let value = d.value.filter(|value| value.kind() != "argument_list").map(|value| self.expr(value, b));
        let kind = if specifiers.is_const && !d.indirect { DefKind::Constant } else { DefKind::Variable };
        let mut spec = DefSpec::named(kind, *last, b.source);
        if !scopes.is_empty() {
            let path = scopes.iter().map(|scope| b.sym_of(*scope)).collect();
            spec.owner = Some(b.ty(Type::Path { path, args: Vec::new() }));
        }
        spec.ty = ty;
        spec.doc = doc;
        spec.flags = self.linkage(specifiers, false, b);
        spec.flags.set(DefFlags::DECLARATION, specifiers.is_extern && d.value.is_none());
        spec.signature_end = Some(end_line_of(node));
        b.add_def(node, spec);
        let scope = b.here();
        b.bind(BindingKind::Field, scope, b.text(*last), line_of(*last), ty, value.filter(|&id| id != 0));
    }

    pub(super) fn field(&mut self, node: Node, b: &mut Builder) {
        let ty_node = node.child_by_field_name("type");
        let mut cursor = node.walk();
        let declarators: Vec<Node> = node.children_by_field_name("declarator", &mut cursor).collect();
        if !declarators.is_empty() {
            self.mark_elaborated(node);
        }
        let base = self.declared(ty_node, b);
        let specifiers = self.specifiers(node, b);
        let doc = self.doc.take(line_of(node));
        for one in declarators {
            let Some(mut d) = declarator(one) else { continue };
            if d.parameters.is_some() {
                self.prototype(node, &d, doc, b);
                continue;
            }
            self.done(Some(d.name));
            d.value = d.value.or_else(|| node.child_by_field_name("default_value"));
            let ty = self.declarator_type(&d, base, b);
            let mut spec = DefSpec::named(DefKind::Field, d.name, b.source);
            spec.ty = ty;
            spec.doc = doc;
            spec.flags = self.linkage(specifiers, true, b);
            spec.signature_end = Some(end_line_of(node));
            b.add_def(node, spec);
            let value = d.value.map(|value| self.expr(value, b)).filter(|&id| id != 0);
            let scope = b.here();
            b.bind(BindingKind::Field, scope, b.text(d.name), line_of(d.name), ty, value);
        }
    }

    /// A construction of the type that a node names, the node marked.
    pub(super) fn construct(&mut self, ty: Node, arguments: Option<Node>, b: &mut Builder) {
        let Some((parts, _, rooted)) = name_path(ty) else { return };
        let Some(&last) = parts.last() else { return };
        if parts.len() == 1 && {
            let name = b.sym_of(last);
            self.is_type_param(name)
        } {
            return;
        }
        let made = type_of(ty, b, 0);
        self.mark_type_name(ty);
        let expr = if rooted { path_expr(&parts, true, b) } else { b.expr(Expr::New(made)) };
        self.call_ref(RefKind::Construct, last, expr, arguments, b);
    }
}

/// Whether a parameter list can be a list of arguments: names, and calls of names with such lists.
fn are_arguments(parameters: Node, depth: u32) -> bool {
    let mut cursor = parameters.walk();
    depth < DEPTH_MAX
        && parameters.named_children(&mut cursor).filter(|child| !child.is_extra()).all(|one| {
            let named = one
                .child_by_field_name("type")
                .is_some_and(|ty| matches!(ty.kind(), "type_identifier" | "qualified_identifier" | "template_type"));
            let plain = one.child(0).is_some_and(|first| first.kind() != "type_qualifier");
            let declares = one.child_by_field_name("declarator").is_some();
            let list = called_parameters(one);
            one.kind() == "parameter_declaration"
                && named
                && plain
                && (!declares || list.is_some_and(|list| are_arguments(list, depth + 1)))
        })
}

/// The list of `f(x)` where it reads as a parameter.
pub(super) fn called_parameters(parameter: Node) -> Option<Node> {
    let declarator = parameter.child_by_field_name("declarator")?;
    if declarator.kind() == "abstract_function_declarator" {
        declarator.child_by_field_name("parameters")
    } else {
        None
    }
}

fn class_kind(node_kind: &str) -> DefKind {
    match node_kind {
        "class_specifier" => DefKind::Class,
        "union_specifier" => DefKind::Union,
        "enum_specifier" => DefKind::Enum,
        _ => DefKind::Struct,
    }
}
