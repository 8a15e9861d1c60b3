//! Functions: definitions, prototypes, members in and out of their class.

use super::C;
use super::declarators::{Declarator, arity, declarator};
use super::types::{name_path, type_of};
use atlas_syntax::{
    BindingKind, Builder, DefFlags, DefKind, DefSpec, FrameKind, Type, TypeId, Visit, column_of, end_line_of, line_of,
};
use tree_sitter::Node;

/// Words that stand before a declaration.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Specifiers {
    pub is_static: bool,
    pub is_extern: bool,
    pub is_const: bool,
}

impl C {
    pub(super) fn function(&mut self, node: Node, b: &mut Builder) -> Visit {
        let Some(outer) = node.child_by_field_name("declarator") else { return Visit::Children };
        self.mark_elaborated(node);
        if self.test_function(node, outer, b) {
            return Visit::Children;
        }
        let Some(d) = declarator(outer).filter(|d| d.parameters.is_some()) else { return Visit::Children };
        let Some(parameters) = d.parameters else { return Visit::Children };
        let Some(mut spec) = self.function_spec(node, &d, b) else { return Visit::Children };
        spec.signature_end = Some(signature_end(node));
        spec.doc = self.doc.take(line_of(node));
        let mut cursor = node.walk();
        // What is deleted is never meant where anything else is.
        if node.named_children(&mut cursor).any(|child| child.kind() == "delete_method_clause") {
            spec.flags.set(DefFlags::CONDITIONAL, true);
        }
        self.main_function(node, &spec, b);
        let def = b.open_def(node, spec);
        self.bind_type_params(def, line_of(node), b);
        let ty = self.result_type(node, &d, b);
        b.def_mut(def).ty = ty;
        self.locals.open(node, Some(def), FrameKind::Function);
        self.bind_parameters(node, parameters, b);
        Visit::Children
    }

    /// A function declared without a body: a prototype, or a member in its class.
    pub(super) fn prototype(&mut self, node: Node, d: &Declarator, doc: Option<(u32, u32)>, b: &mut Builder) {
        let Some(mut spec) = self.function_spec(node, d, b) else { return };
        spec.doc = doc;
        spec.signature_end = Some(end_line_of(node));
        // `= default` and `= delete` define.
        let defines = d.value.is_some_and(|value| matches!(b.text(value), "default" | "delete"));
        if defines {
            self.done(d.value);
        }
        spec.flags.set(DefFlags::DECLARATION, !defines);
        spec.flags.set(DefFlags::CONDITIONAL, self.is_left_out() || d.value.is_some_and(|v| b.text(v) == "delete"));
        spec.ty = self.result_type(node, d, b);
        let def = b.add_def(node, spec);
        self.bind_type_params(def, line_of(node), b);
        let Some(parameters) = d.parameters else { return };
        let mut cursor = parameters.walk();
        let mut at = 0u16;
        for parameter in parameters.named_children(&mut cursor).filter(|p| p.kind().ends_with("parameter_declaration"))
        {
            let base = self.declared(parameter.child_by_field_name("type"), b);
            let named = parameter.child_by_field_name("declarator").and_then(declarator);
            let ty = named.map_or(base, |named| self.declarator_type(&named, base, b));
            b.bind(BindingKind::Param(at), Some(def), "", line_of(parameter), ty, None);
            at = at.saturating_add(1);
        }
    }

    /// What a function's declarator says of it, its parameters' names marked.
    fn function_spec(&mut self, node: Node, d: &Declarator, b: &mut Builder) -> Option<DefSpec> {
        let (parts, _, _) = name_path(d.name)?;
        let (last, scopes) = parts.split_last()?;
        for part in &parts {
            self.mark_type_name(*part);
        }
        self.mark_type_name(d.name);
        let name = function_name(*last, b);
        let class = self.in_class(b);
        let class_name = class.map(|class| b.str(b.facts().def(class).name).to_owned());
        let is_constructor = match scopes.last() {
            Some(scope) => b.text(*scope) == name,
            None => class_name.as_deref() == Some(name.as_str()) && node.child_by_field_name("type").is_none(),
        };
        let kind = match (is_constructor, class.is_some() || !scopes.is_empty()) {
            (true, _) => DefKind::Constructor,
            (false, true) => DefKind::Method,
            (false, false) => DefKind::Function,
        };
        let mut spec = DefSpec::new(kind, name);
        spec.name_at = Some((line_of(*last), column_of(*last)));
        if !scopes.is_empty() {
            let path = scopes.iter().map(|scope| b.sym_of(*scope)).collect();
            spec.owner = Some(b.ty(Type::Path { path, args: Vec::new() }));
        }
        spec.arity = d.parameters.map_or((0, u16::MAX), |parameters| arity(parameters, self.cpp, b));
        let specifiers = self.specifiers(node, b);
        spec.flags = self.linkage(specifiers, class.is_some(), b);
        Some(spec)
    }

    pub(super) fn linkage(&self, specifiers: Specifiers, member: bool, b: &Builder) -> DefFlags {
        let mut flags = DefFlags::default();
        let hidden = (specifiers.is_static && !member) || self.in_anonymous_namespace(b);
        flags.set(DefFlags::STATIC, specifiers.is_static && member);
        flags.set(DefFlags::FILE_LOCAL, hidden);
        flags.set(DefFlags::EXPORTED, !hidden);
        flags.set(DefFlags::CONDITIONAL, self.is_left_out());
        flags
    }

    fn in_anonymous_namespace(&self, b: &Builder) -> bool {
        b.enclosing(|def| def.kind == DefKind::Namespace && b.str(def.name).is_empty()).is_some()
    }

    pub(super) fn specifiers(&self, node: Node, b: &Builder) -> Specifiers {
        let mut found = Specifiers::default();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "storage_class_specifier" => match b.text(child) {
                    "static" => found.is_static = true,
                    "extern" => found.is_extern = true,
                    _ => {}
                },
                "type_qualifier" if matches!(b.text(child), "const" | "constexpr" | "constinit") => {
                    found.is_const = true
                }
                "compound_statement" => break,
                _ => {}
            }
        }
        found
    }

    /// The declared result; a trailing one (`-> T`) rules.
    fn result_type(&self, node: Node, d: &Declarator, b: &mut Builder) -> Option<TypeId> {
        if let Some(function) = d.function {
            let mut cursor = function.walk();
            let trailing = function.named_children(&mut cursor).find(|child| child.kind() == "trailing_return_type");
            if let Some(of) = trailing.and_then(|trailing| trailing.named_child(0)) {
                return Some(type_of(of, b, 0)).filter(|&ty| ty != 0);
            }
        }
        if d.name.kind() == "operator_cast" {
            return self.declared(d.name.child_by_field_name("type"), b);
        }
        self.declared(node.child_by_field_name("type"), b)
    }

    fn bind_parameters(&mut self, function: Node, parameters: Node, b: &mut Builder) {
        // K&R: the list holds names, declarations behind it their types.
        let mut old_style: Vec<(&str, Option<TypeId>)> = Vec::new();
        let mut cursor = function.walk();
        for declaration in function.named_children(&mut cursor).filter(|child| child.kind() == "declaration") {
            let base = self.declared(declaration.child_by_field_name("type"), b);
            let mut cursor = declaration.walk();
            for one in declaration.children_by_field_name("declarator", &mut cursor) {
                if let Some(d) = declarator(one) {
                    let ty = self.declarator_type(&d, base, b);
                    old_style.push((b.text(d.name), ty));
                    self.done(Some(d.name));
                }
            }
            self.skip(Some(declaration));
        }
        let mut at = 0u16;
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            match parameter.kind() {
                "identifier" => {
                    let name = b.text(parameter);
                    let ty = old_style.iter().find(|(known, _)| *known == name).and_then(|(_, ty)| *ty);
                    self.bind_local(BindingKind::Param(at), parameter, ty, None, b);
                }
                "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration" => {
                    if let Some(d) = parameter.child_by_field_name("declarator").and_then(declarator) {
                        let base = self.declared(parameter.child_by_field_name("type"), b);
                        let ty = self.declarator_type(&d, base, b);
                        let value = parameter.child_by_field_name("default_value").map(|value| self.expr(value, b));
                        self.bind_local(BindingKind::Param(at), d.name, ty, value, b);
                    }
                }
                _ => continue,
            }
            at = at.saturating_add(1);
        }
    }

    /// Parameters of prototypes, lambdas and function types: their names mean nothing outside.
    pub(super) fn parameter_names(&mut self, node: Node, _: &mut Builder) {
        self.mark_elaborated(node);
        if let Some(d) = node.child_by_field_name("declarator").and_then(declarator) {
            self.done(Some(d.name));
        }
    }

    /// `struct T` in the place of a type names T; it declares nothing.
    pub(super) fn mark_elaborated(&mut self, node: Node) {
        let specifier = node.child_by_field_name("type").filter(|ty| ty.kind().ends_with("_specifier"));
        self.done(specifier.filter(|specifier| specifier.child_by_field_name("body").is_none()));
    }
}

/// The name of a function as it is called: operators and destructors without blanks.
fn function_name(node: Node, b: &Builder) -> String {
    match node.kind() {
        "destructor_name" => b.text(node).split_whitespace().collect(),
        "operator_name" => {
            let text = b.text(node).trim_start_matches("operator").trim();
            let spaced = text.starts_with(|c: char| c.is_alphabetic());
            let rest: String = text.split_whitespace().collect();
            if spaced { format!("operator {rest}") } else { format!("operator{rest}") }
        }
        "operator_cast" => {
            let ty = node.child_by_field_name("type").map_or("", |ty| b.text(ty));
            format!("operator {}", ty.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        _ => b.text(node).to_owned(),
    }
}

/// Last line of what stands before a function's body.
fn signature_end(node: Node) -> u32 {
    let Some(body) = node.child_by_field_name("body") else { return end_line_of(node) };
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|child| child.end_byte() <= body.start_byte() && !child.is_extra())
        .filter(|child| !matches!(child.kind(), "field_initializer_list" | "declaration"))
        .last()
        .map_or_else(|| line_of(node), end_line_of)
}
