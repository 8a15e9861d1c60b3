//! Namespaces, `using` directives and definitions.

use super::types::{marked, type_of};
use super::{CSharp, OpenType, child_of_kind, has_modifier, parts};
use crate::RECEIVER;
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, FrameKind, Import,
    ImportKind, Type, TypeId, end_line_of, line_of,
};
use tree_sitter::Node;

impl CSharp {
    /// `level`: 1 for `using static`, 2 more for `global using`.
    pub(super) fn using(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let words: Vec<&str> = node.children(&mut cursor).map(|child| child.kind()).collect();
        let alias = node.child_by_field_name("name");
        let Some(target) = parts(node).into_iter().rfind(|part| Some(*part) != alias) else { return };
        let path: String = b.text(target).split_whitespace().collect();
        let path = path.split_once("global::").map_or(path.as_str(), |(_, rest)| rest);
        let path = path.split('<').next().unwrap_or(path);
        let is_static = words.contains(&"static");
        let level = u8::from(is_static) + 2 * u8::from(words.contains(&"global"));
        let (kind, module, name, local) = match alias {
            Some(alias) => {
                let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
                (ImportKind::Name, module, Some(b.sym(name)), Some(b.sym_of(alias)))
            }
            None => (ImportKind::Wildcard, path, None, None),
        };
        let module = b.sym(module);
        b.add_import(Import {
            kind,
            module,
            level,
            name,
            local,
            line: line_of(node),
            within: None,
            reexport: false,
            type_only: false,
        });
        self.doc = Default::default();
    }

    pub(super) fn namespace(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.mark_name(name);
        let written: String = b.text(name).split_whitespace().collect();
        let full = match self.namespaces.last() {
            Some((_, around)) if !around.is_empty() => format!("{around}.{written}"),
            _ => written,
        };
        if b.facts().package.is_none() {
            b.set_package(&full);
        }
        let ends = if node.kind() == "file_scoped_namespace_declaration" { usize::MAX } else { node.id() };
        self.namespaces.push((ends, full));
        self.doc = Default::default();
    }

    /// The full name of a type that is declared here, with the number of its parameters.
    fn full_name(&self, name: &str, arity: usize) -> String {
        let name = marked(name, arity);
        let name = name.trim_start_matches(crate::TYPE_MARK);
        match (self.types.last(), self.namespaces.last()) {
            (Some(open), _) => format!("{}.{name}", open.full),
            (None, Some((_, namespace))) if !namespace.is_empty() => format!("{namespace}.{name}"),
            _ => name.to_owned(),
        }
    }

    pub(super) fn type_declaration(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let kind = match node.kind() {
            "interface_declaration" => DefKind::Interface,
            "enum_declaration" => DefKind::Enum,
            "struct_declaration" => DefKind::Struct,
            _ => DefKind::Class,
        };
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node));
        spec.flags = flags(node, self.types.is_empty(), b);
        spec.flags.set(DefFlags::STATIC, false);
        let is_static = has_modifier(node, "static", b);
        let def = b.open_def(node, spec);
        let arity = self.type_parameters(node, def, b);
        let full = self.full_name(b.text(name), arity);
        let value = b.expr(Expr::Def(def));
        let exported = if has_modifier(node, "partial", b) { format!("partial {full}") } else { full.clone() };
        b.add_export(&exported, value, line_of(name));
        let bases = self.bases(node, def, b);
        let controller = if is_static { None } else { self.controller(node, b.text(name), &bases, b) };
        let open = OpenType {
            node: node.id(),
            def,
            name: b.text(name).to_owned(),
            full,
            is_interface: kind == DefKind::Interface,
            bases,
            controller,
        };
        self.types.push(open);
        if let Some(parameters) = child_of_kind(node, "parameter_list") {
            self.primary_parameters(node, parameters, def, b);
        }
    }

    /// `class A(int x)` and `record A(int X)`: fields of the one, properties of the other.
    fn primary_parameters(&mut self, node: Node, parameters: Node, def: DefIx, b: &mut Builder) {
        let is_record = node.kind() == "record_declaration";
        let (_, list) = self.parameter_list(parameters, b);
        for (_, name, ty, _) in list {
            let mut spec = DefSpec::named(if is_record { DefKind::Property } else { DefKind::Field }, name, b.source);
            spec.ty = ty;
            spec.flags.set(DefFlags::EXPORTED, is_record);
            b.add_def(name, spec);
            b.bind(BindingKind::Field, Some(def), b.text(name), line_of(name), ty, None);
        }
    }

    /// The clauses of a type that was just opened; the names of what they name.
    fn bases(&mut self, node: Node, def: DefIx, b: &mut Builder) -> Vec<String> {
        let Some(list) = child_of_kind(node, "base_list") else { return Vec::new() };
        let mut names = Vec::new();
        for base in parts(list) {
            let base = match base.kind() {
                "primary_constructor_base_type" => base.child_by_field_name("type").unwrap_or(base),
                "argument_list" | "predefined_type" => continue,
                _ => base,
            };
            let sup = type_of(base, b, 0);
            if sup == 0 {
                continue;
            }
            let last = last_identifier(base);
            names.push(b.text(last).to_owned());
            // Classes and interfaces stand in one list; the parent tells which it is.
            b.add_base(BaseSub::Def(def), sup, BaseRelation::Inherit, last);
        }
        names
    }

    /// What a base list names was read with the type; its arguments are uses of their own.
    pub(super) fn mark_base_list(&mut self, node: Node) {
        for base in parts(node) {
            let base = match base.kind() {
                "primary_constructor_base_type" => base.child_by_field_name("type").unwrap_or(base),
                _ => base,
            };
            if base.kind() != "argument_list" {
                self.mark_name(base);
            }
        }
    }

    pub(super) fn delegate(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let mut spec = DefSpec::named(DefKind::TypeAlias, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = flags(node, self.types.is_empty(), b).with(DefFlags::DISTINCT);
        let def = b.open_def(node, spec);
        let arity = self.type_parameters(node, def, b);
        let result = self.declared(node.child_by_field_name("type"), b);
        let function = b.ty(Type::Function(result));
        b.def_mut(def).ty = Some(function);
        let full = self.full_name(b.text(name), arity);
        let value = b.expr(Expr::Def(def));
        b.add_export(&full, value, line_of(name));
        self.type_field(node, "type", b);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.parameter_list(parameters, b);
        }
    }

    pub(super) fn enum_member(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let mut spec = DefSpec::named(DefKind::EnumMember, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = DefFlags::STATIC.with(DefFlags::EXPORTED);
        let owner = self.types.last().map(|open| marked(&open.name, 0)).unwrap_or_default();
        let ty = b.ty_path(&[&owner]);
        spec.ty = Some(ty);
        b.add_def(node, spec);
        let scope = b.here();
        b.bind(BindingKind::Field, scope, b.text(name), line_of(name), Some(ty), None);
    }

    /// Methods, operators and local functions.
    pub(super) fn method(&mut self, node: Node, b: &mut Builder) {
        let is_local = node.kind() == "local_function_statement";
        let name = node.child_by_field_name("name");
        self.done(name);
        let kind = if is_local { DefKind::Function } else { DefKind::Method };
        let mut spec = match name {
            Some(name) => DefSpec::named(kind, name, b.source),
            None => match node.child_by_field_name("operator") {
                Some(operator) => DefSpec::new(kind, format!("operator {}", b.text(operator))),
                None => DefSpec::new(kind, "operator"),
            },
        };
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node));
        spec.flags = if is_local { DefFlags::default() } else { flags(node, false, b) };
        let in_interface = !is_local && self.types.last().is_some_and(|open| open.is_interface);
        spec.flags.set(DefFlags::EXPORTED, in_interface);
        spec.flags.set(DefFlags::ASYNC, has_modifier(node, "async", b));
        spec.flags.set(DefFlags::DECLARATION, node.child_by_field_name("body").is_none());
        let is_test = !is_local && self.is_test(node, b);
        spec.flags.set(DefFlags::TEST, is_test);
        let def = b.open_def(node, spec);
        self.type_parameters(node, def, b);
        let result = node.child_by_field_name("returns").or_else(|| node.child_by_field_name("type"));
        let ty = self.declared(result, b);
        b.def_mut(def).ty = ty;
        if let Some(result) = result {
            self.type_use(result, b);
        }
        self.locals.open(node, Some(def), FrameKind::Function);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.parameters(parameters, def, b);
        }
        if let (Some(name), false) = (name, is_local) {
            self.method_roots(node, def, name, is_test, b);
        }
    }

    pub(super) fn constructor(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let is_destructor = node.kind() == "destructor_declaration";
        let is_static = has_modifier(node, "static", b);
        // What runs once for the type is not what `new` runs.
        let kind = if is_destructor || is_static { DefKind::Method } else { DefKind::Constructor };
        let mut spec = DefSpec::named(kind, name, b.source);
        if is_destructor {
            spec.name = format!("~{}", b.text(name));
        } else if is_static {
            spec.name = format!("static {}", b.text(name));
        }
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node));
        spec.flags = flags(node, false, b);
        let def = b.open_def(node, spec);
        self.locals.open(node, Some(def), FrameKind::Function);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.parameters(parameters, def, b);
        }
    }

    /// Properties, indexers and events with accessors.
    pub(super) fn property(&mut self, node: Node, b: &mut Builder) {
        let name = node.child_by_field_name("name");
        self.done(name);
        let mut spec = match name {
            Some(name) => DefSpec::named(DefKind::Property, name, b.source),
            None => DefSpec::new(DefKind::Method, crate::semantics::INDEXER),
        };
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(line_of(node).max(name.map_or(0, line_of)));
        spec.flags = flags(node, false, b);
        spec.flags.set(DefFlags::EXPORTED, self.types.last().is_some_and(|open| open.is_interface));
        let ty = self.declared(node.child_by_field_name("type"), b);
        spec.ty = ty;
        let scope = b.here();
        let def = b.open_def(node, spec);
        self.type_field(node, "type", b);
        self.locals.open(node, Some(def), FrameKind::Function);
        if let Some(name) = name {
            b.bind(BindingKind::Field, scope, b.text(name), line_of(name), ty, None);
        }
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.parameters(parameters, def, b);
        }
    }

    /// `set` and `add` take `value`.
    pub(super) fn accessor(&mut self, node: Node, b: &mut Builder) {
        self.done(node.child_by_field_name("name"));
        self.locals.open(node, b.here(), FrameKind::Block);
        let ty = b.here().and_then(|def| b.facts().def(def).ty);
        let value = b.sym("value");
        let bound = self.locals.declare(value, b);
        let bound = b.str(bound).to_owned();
        let scope = self.locals.def();
        b.bind(BindingKind::Local, scope, &bound, line_of(node), ty, None);
    }

    pub(super) fn field(&mut self, node: Node, b: &mut Builder) {
        let Some(declaration) = child_of_kind(node, "variable_declaration") else { return };
        self.done(Some(declaration));
        let doc = self.doc.take(line_of(node));
        let is_constant = has_modifier(node, "const", b);
        let mut flags = flags(node, false, b);
        flags.set(DefFlags::STATIC, is_constant);
        let ty_node = declaration.child_by_field_name("type");
        let ty = self.declared(ty_node, b);
        if let Some(ty_node) = ty_node {
            self.type_use(ty_node, b);
        }
        for declarator in parts(declaration).into_iter().filter(|part| part.kind() == "variable_declarator") {
            let Some(name) = declarator.child_by_field_name("name") else { continue };
            self.done(Some(name));
            let kind = if is_constant { DefKind::Constant } else { DefKind::Field };
            let mut spec = DefSpec::named(kind, name, b.source);
            spec.start = Some(line_of(node));
            spec.doc = doc;
            spec.ty = ty;
            spec.flags = flags;
            spec.signature_end = Some(end_line_of(declarator));
            b.add_def(declarator, spec);
            let value = self.initial(declarator, name, ty_node, b);
            let scope = b.here();
            b.bind(BindingKind::Field, scope, b.text(name), line_of(name), ty, value.filter(|&id| id != 0));
        }
    }

    /// Parameters of a function, bound; its arity.
    fn parameters(&mut self, parameters: Node, def: DefIx, b: &mut Builder) {
        let (arity, list) = self.parameter_list(parameters, b);
        b.def_mut(def).arity = arity;
        for (at, name, ty, _) in list {
            self.bind_local(BindingKind::Param(at), name, ty, None, b);
        }
    }

    /// Fewest and most arguments, and position, name and type of each parameter.
    pub(super) fn parameter_list<'t>(
        &mut self,
        parameters: Node<'t>,
        b: &mut Builder,
    ) -> ((u16, u16), Vec<(u16, Node<'t>, Option<TypeId>, Node<'t>)>) {
        let (mut fewest, mut most, mut spread) = (0u16, 0u16, false);
        let mut list = Vec::new();
        let mut cursor = parameters.walk();
        // `params T[] rest` stands bare in its list.
        spread |= parameters.children(&mut cursor).any(|child| child.kind() == "params");
        for parameter in parts(parameters) {
            match parameter.kind() {
                "parameter" => {
                    let Some(name) = parameter.child_by_field_name("name") else { continue };
                    self.done(Some(name));
                    let ty = self.declared(parameter.child_by_field_name("type"), b);
                    let is_receiver = has_modifier(parameter, "this", b);
                    spread |= has_modifier(parameter, "params", b);
                    let default = parts(parameter).into_iter().any(|part| {
                        !matches!(part.kind(), "modifier" | "attribute_list")
                            && Some(part) != parameter.child_by_field_name("type")
                            && part != name
                    });
                    let at = if is_receiver { RECEIVER } else { most };
                    if !is_receiver {
                        most = most.saturating_add(1);
                        if !default && !has_modifier(parameter, "params", b) {
                            fewest = most;
                        }
                    }
                    list.push((at, name, ty, parameter));
                }
                "identifier" => {
                    // The name of a bare `params` parameter.
                    self.done(Some(parameter));
                    let ty = self.declared(parameters.child_by_field_name("type"), b);
                    if let Some(of) = parameters.child_by_field_name("type") {
                        self.type_use(of, b);
                    }
                    list.push((most, parameter, ty, parameter));
                    most = most.saturating_add(1);
                }
                _ => {}
            }
        }
        ((fewest, if spread { u16::MAX } else { most }), list)
    }

    /// Type parameters stand for their bounds; how many there are.
    fn type_parameters(&mut self, node: Node, def: DefIx, b: &mut Builder) -> usize {
        let list = node.child_by_field_name("type_parameters").or_else(|| child_of_kind(node, "type_parameter_list"));
        let Some(list) = list else { return 0 };
        let clauses: Vec<Node> =
            parts(node).into_iter().filter(|part| part.kind() == "type_parameter_constraints_clause").collect();
        let mut count = 0u16;
        for parameter in parts(list).into_iter().filter(|part| part.kind() == "type_parameter") {
            let Some(name) = parameter.child_by_field_name("name") else { continue };
            self.done(Some(name));
            let bound = clauses
                .iter()
                .find(|clause| clause.named_child(0).is_some_and(|first| b.text(first) == b.text(name)))
                .and_then(|clause| child_of_kind(*clause, "type_parameter_constraint"))
                .and_then(|constraint| constraint.child_by_field_name("type"))
                .map(|ty| type_of(ty, b, 0))
                .filter(|&ty| ty != 0);
            let written = marked(b.text(name), 0);
            b.bind(BindingKind::TypeParam(count), Some(def), &written, line_of(name), bound, None);
            count = count.saturating_add(1);
        }
        usize::from(count)
    }
}

/// The last identifier of a type's name.
fn last_identifier(node: Node) -> Node {
    let mut node = node;
    loop {
        let next = match node.kind() {
            "generic_name" => node.named_child(0),
            "qualified_name" | "alias_qualified_name" => node.child_by_field_name("name"),
            _ => return node,
        };
        match next {
            Some(next) => node = next,
            None => return node,
        }
    }
}

fn flags(node: Node, top: bool, b: &Builder) -> DefFlags {
    let mut flags = DefFlags::default();
    flags.set(DefFlags::EXPORTED, has_modifier(node, "public", b));
    flags.set(DefFlags::STATIC, has_modifier(node, "static", b));
    flags.set(DefFlags::FILE_LOCAL, top && has_modifier(node, "file", b));
    flags
}

fn signature_end(node: Node) -> u32 {
    node.child_by_field_name("body").map_or_else(|| end_line_of(node), line_of)
}
