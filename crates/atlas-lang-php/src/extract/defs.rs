//! Definitions: functions, classes and their members.

use super::exprs::literal_text;
use super::names::NameKind;
use super::scopes::FrameKind;
use super::types::clause_names;
use super::{OpenType, Php, child_of_kind, parts, signature_end};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, Literal, RefKind, TypeId,
    line_of,
};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

impl Php {
    pub(super) fn type_declaration(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let kind = match node.kind() {
            "interface_declaration" => DefKind::Interface,
            "trait_declaration" => DefKind::Trait,
            "enum_declaration" => DefKind::Enum,
            _ => DefKind::Class,
        };
        let doc = self.doc_above(line_of(node), b);
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node, node.child_by_field_name("body")));
        spec.flags = DefFlags::EXPORTED;
        let def = b.open_def(node, spec);
        let full = self.full_name(b.text(name), NameKind::Class);
        self.export(&full, def, line_of(name), b);
        self.open_type(node, def, full, kind == DefKind::Trait, doc, b);
        self.type_roots(node, doc, b);
    }

    /// Says under which full name a definition is known.
    fn export(&mut self, full: &str, def: DefIx, line: u32, b: &mut Builder) {
        let value = b.expr(Expr::Def(def));
        b.add_export(full, value, line);
    }

    fn open_type(&mut self, node: Node, def: DefIx, name: String, is_trait: bool, doc: &str, b: &mut Builder) {
        let mut open = OpenType {
            node: node.id(),
            def,
            name,
            is_trait,
            parent: None,
            bases: Vec::new(),
            route_prefix: String::new(),
            templates: Self::templates(doc),
        };
        let is_interface = b.facts().def(def).kind == DefKind::Interface;
        for clause in parts(node) {
            let (relation, is_parent) = match clause.kind() {
                "base_clause" => (BaseRelation::Inherit, !is_interface),
                "class_interface_clause" => (BaseRelation::Implement, false),
                _ => continue,
            };
            for (base, last) in clause_names(clause) {
                self.done(Some(base));
                let full = self.full_name(b.text(base), NameKind::Class);
                let sup = b.ty_path(&[&full]);
                b.add_base(BaseSub::Def(def), sup, relation, last);
                if is_parent {
                    open.parent = Some(full.clone());
                }
                open.bases.push(full);
            }
        }
        self.types.push(open);
    }

    /// `new class (…) extends A { … }`.
    pub(super) fn anonymous_class(&mut self, node: Node, b: &mut Builder) {
        let mut spec = DefSpec::new(DefKind::Class, "");
        spec.signature_end = Some(signature_end(node, node.child_by_field_name("body")));
        let def = b.open_def(node, spec);
        if let Some(creation) = node.parent() {
            self.anonymous.insert(creation.id(), def);
            if let Some(made) = b.known_expr(creation) {
                b.set_expr(made, Expr::Made(def));
            }
        }
        self.open_type(node, def, String::new(), false, "", b);
    }

    /// `use A, B { … }` in a class.
    pub(super) fn use_traits(&mut self, node: Node, b: &mut Builder) {
        let Some(def) = self.types.last().map(|open| open.def) else { return };
        for (name, last) in clause_names(node) {
            let full = self.full_name(b.text(name), NameKind::Class);
            let sup = b.ty_path(&[&full]);
            b.add_base(BaseSub::Def(def), sup, BaseRelation::Include, last);
        }
    }

    pub(super) fn function(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let doc = self.doc_above(line_of(node), b);
        let mut spec = DefSpec::named(DefKind::Function, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node, node.child_by_field_name("body")));
        spec.flags = DefFlags::EXPORTED;
        let def = b.open_def(node, spec);
        let full = self.full_name(&format!("namespace\\{}", b.text(name)), NameKind::Function);
        self.export(&full, def, line_of(name), b);
        self.open_frame(node, FrameKind::Function, Some(def), FxHashSet::default());
        self.signature(node, def, doc, b);
    }

    pub(super) fn method(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let body = node.child_by_field_name("body");
        let doc = self.doc_above(line_of(node), b);
        let mut spec = DefSpec::named(DefKind::Method, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(signature_end(node, body));
        spec.flags.set(DefFlags::EXPORTED, is_public(node, b));
        spec.flags.set(DefFlags::STATIC, child_of_kind(node, "static_modifier").is_some());
        spec.flags.set(DefFlags::DECLARATION, body.is_none());
        let is_test = self.is_test(node, b.text(name), doc, b);
        spec.flags.set(DefFlags::TEST, is_test);
        let def = b.open_def(node, spec);
        self.open_frame(node, FrameKind::Function, Some(def), FxHashSet::default());
        self.signature(node, def, doc, b);
        self.method_roots(node, def, name, doc, is_test, b);
    }

    /// Parameters and result.
    fn signature(&mut self, node: Node, def: DefIx, doc: &str, b: &mut Builder) {
        let (mut fewest, mut most) = (0u16, 0u16);
        for (at, parameter) in node.child_by_field_name("parameters").map_or(Vec::new(), parts).into_iter().enumerate()
        {
            let Some(name) = parameter.child_by_field_name("name") else { continue };
            let name = if name.kind() == "by_ref" { name.named_child(0).unwrap_or(name) } else { name };
            let at = u16::try_from(at).unwrap_or(u16::MAX);
            let text = b.text(name).to_owned();
            let doc_ty = self.doc_param(doc, &text, b);
            let mut ty = self.declared(parameter.child_by_field_name("type"), doc_ty, b);
            let default = parameter.child_by_field_name("default_value");
            if parameter.kind() == "variadic_parameter" {
                most = u16::MAX;
                ty = ty.map(|ty| b.ty(atlas_syntax::Type::List(ty)));
            } else {
                most = most.saturating_add(1);
                if default.is_none() {
                    fewest = most;
                }
            }
            let value = default.map(|default| self.expr(default, b));
            self.bind_variable(BindingKind::Param(at), name, ty, value, b);
            if parameter.kind() == "property_promotion_parameter" {
                self.promoted(parameter, name, ty, b);
            }
        }
        let doc_ty = self.doc_tag_type(doc, "@return", b);
        let ty = self.declared(node.child_by_field_name("return_type"), doc_ty, b);
        let def = b.def_mut(def);
        def.arity = (fewest, most);
        def.ty = ty;
    }

    /// A parameter of a constructor that is a property at once. It belongs to the class, not to the
    /// constructor in which it stands.
    fn promoted(&mut self, parameter: Node, name: Node, ty: Option<TypeId>, b: &mut Builder) {
        let Some(open) = self.types.last() else { return };
        let owner = open.def;
        let plain = b.text(name).trim_start_matches('$').to_owned();
        let mut spec = DefSpec::named(DefKind::Field, name, b.source);
        spec.name = plain.clone();
        spec.ty = ty;
        spec.flags.set(DefFlags::EXPORTED, is_public(parameter, b));
        let field = b.add_def(parameter, spec);
        b.def_mut(field).container = Some(owner);
        b.bind(BindingKind::Field, Some(owner), &plain, line_of(name), ty, None);
    }

    pub(super) fn property(&mut self, node: Node, b: &mut Builder) {
        let doc_text = self.doc_above(line_of(node), b);
        let doc = self.doc.take(line_of(node));
        let doc_ty = self.doc_tag_type(doc_text, "@var", b);
        let ty = self.declared(node.child_by_field_name("type"), doc_ty, b);
        for element in parts(node).into_iter().filter(|part| part.kind() == "property_element") {
            let Some(name) = element.child_by_field_name("name") else { continue };
            let plain = b.text(name).trim_start_matches('$').to_owned();
            let mut spec = DefSpec::named(DefKind::Field, name, b.source);
            spec.name = plain.clone();
            spec.start = Some(line_of(node));
            spec.doc = doc;
            spec.ty = ty;
            spec.flags.set(DefFlags::EXPORTED, is_public(node, b));
            spec.flags.set(DefFlags::STATIC, child_of_kind(node, "static_modifier").is_some());
            b.add_def(element, spec);
            // Without a default it holds null until something is assigned.
            let value = match element.child_by_field_name("default_value") {
                Some(value) => self.expr(value, b),
                None => b.expr(Expr::Literal(Literal::Null)),
            };
            let scope = b.here();
            b.bind(BindingKind::Field, scope, &plain, line_of(name), ty, Some(value).filter(|&id| id != 0));
        }
    }

    /// `const A = 1, B = 2;` at the top or in a class.
    pub(super) fn constants(&mut self, node: Node, b: &mut Builder) {
        self.doc_text = None;
        let doc = self.doc.take(line_of(node));
        let ty = node.child_by_field_name("type").map(|ty| self.type_of(ty, b)).filter(|&ty| ty != 0);
        for element in parts(node).into_iter().filter(|part| part.kind() == "const_element") {
            let all = parts(element);
            let Some(&name) = all.first() else { continue };
            self.done(Some(name));
            let mut spec = DefSpec::named(DefKind::Constant, name, b.source);
            spec.start = Some(line_of(node));
            spec.doc = doc;
            spec.ty = ty;
            spec.flags.set(DefFlags::EXPORTED, is_public(node, b));
            spec.flags.set(DefFlags::STATIC, b.here().is_some());
            let def = b.add_def(element, spec);
            let value = all.get(1).map(|value| self.expr(*value, b)).filter(|&id| id != 0);
            let scope = b.here();
            if scope.is_some() {
                b.bind(BindingKind::Field, scope, b.text(name), line_of(name), ty, value);
            } else {
                let full = self.full_name(&format!("namespace\\{}", b.text(name)), NameKind::Constant);
                self.export(&full, def, line_of(name), b);
                b.bind(BindingKind::Local, None, b.text(name), line_of(name), ty, value);
            }
        }
    }

    pub(super) fn enum_case(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        self.doc_text = None;
        let mut spec = DefSpec::named(DefKind::EnumMember, name, b.source);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = DefFlags::STATIC.with(DefFlags::EXPORTED);
        spec.ty = self.types.last().map(|open| open.name.clone()).map(|owner| b.ty_path(&[&owner]));
        let ty = spec.ty;
        b.add_def(node, spec);
        let scope = b.here();
        b.bind(BindingKind::Field, scope, b.text(name), line_of(name), ty, None);
    }

    pub(super) fn closure(&mut self, node: Node, b: &mut Builder) {
        let parameters = node.child_by_field_name("parameters").map_or(Vec::new(), parts);
        let mut names = FxHashSet::default();
        let kind = if node.kind() == "arrow_function" { FrameKind::Arrow } else { FrameKind::Closure };
        if kind == FrameKind::Arrow {
            let all = parameters.iter().filter_map(|parameter| parameter.child_by_field_name("name"));
            names.extend(all.map(|name| b.text(name).trim_start_matches('&').to_owned()));
        } else if let Some(clause) = child_of_kind(node, "anonymous_function_use_clause") {
            for part in parts(clause) {
                names.insert(b.text(part).trim_start_matches('&').trim().to_owned());
            }
        }
        let def = self.frames.last().map_or_else(|| b.here(), |frame| frame.def);
        self.open_frame(node, kind, def, names);
        for parameter in parameters {
            let Some(name) = parameter.child_by_field_name("name").filter(|name| name.kind() == "variable_name") else {
                continue;
            };
            let ty = self.declared(parameter.child_by_field_name("type"), None, b);
            self.bind_variable(BindingKind::Local, name, ty, None, b);
        }
    }

    pub(super) fn attribute(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = parts(node).into_iter().find(|part| super::names::is_name(*part)) else { return };
        if !self.done.insert(name.id()) {
            return;
        }
        let expr = self.class_expr(name, b);
        let first = node.child_by_field_name("parameters").and_then(|list| list.named_child(0));
        let arg0 = first.and_then(|first| parts(first).last().and_then(|value| literal_text(*value, b)));
        let arg0 = arg0.map(|text| b.sym(&text));
        b.add_ref(RefKind::Decorator, super::names::last_name(name), expr, u16::MAX, arg0);
    }
}

fn is_public(node: Node, b: &Builder) -> bool {
    child_of_kind(node, "visibility_modifier").is_none_or(|modifier| b.text(modifier).starts_with("public"))
}
