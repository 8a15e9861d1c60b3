//! Definitions: functions, methods, types, fields, package variables and constants, and imports.

use super::exprs::is_predeclared_type;
use super::{DEPTH_MAX, GoExtractor};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, FrameKind, Import, ImportKind,
    RootFact, RootKind, TypeId, end_line_of, line_of,
};
use tree_sitter::Node;

impl GoExtractor {
    pub(super) fn import(&mut self, node: Node, b: &mut Builder) {
        let Some(path) = node.child_by_field_name("path").and_then(|path| self.string_value(path, b)) else { return };
        let alias = node.child_by_field_name("name").map(|name| b.text(name));
        let (kind, local) = match alias {
            Some("_") => (ImportKind::Effect, None),
            Some(".") => (ImportKind::Wildcard, None),
            Some(alias) => (ImportKind::Module, Some(alias)),
            // The package clause of what is imported decides; its path is a good guess, which the
            // linker puts right where the package is in the tree.
            None => (ImportKind::Module, Some(package_name_of(&path))),
        };
        let local = local.filter(|name| !name.is_empty()).map(|name| b.sym(name));
        if let Some(local) = local {
            self.imports.insert(local);
        }
        self.frameworks.push(path.as_str().into());
        let module = b.sym(&path);
        b.add_import(Import {
            kind,
            module,
            level: u8::from(alias.is_some()),
            name: None,
            local,
            line: line_of(node),
            within: None,
            reexport: false,
            type_only: false,
        });
    }

    pub(super) fn function(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        let line = line_of(node);
        let receiver = node.child_by_field_name("receiver");
        let mut spec =
            DefSpec::named(if receiver.is_some() { DefKind::Method } else { DefKind::Function }, name, b.source);
        self.type_parameters(node, b);
        let receiver = receiver.and_then(|list| self.receiver(list, node, b));
        spec.owner = receiver.map(|(_, ty)| ty);
        spec.doc = self.docs.take(line);
        self.signature(node, &mut spec, b);
        spec.flags.set(DefFlags::EXPORTED, is_exported(&spec.name));
        spec.flags.set(DefFlags::CONDITIONAL, self.left_out);
        // A function without a body is written in assembly.
        spec.flags.set(DefFlags::DECLARATION, node.child_by_field_name("body").is_none());
        let text = spec.name.clone();
        let test = self.test_rule(node, &text, receiver.is_some(), b);
        spec.flags.set(DefFlags::TEST, test.is_some());
        let ix = b.open_def(node, spec);
        self.bind_type_parameters(node, ix, b);
        self.open_function(node, Some(ix), FrameKind::Closed, b);
        if let Some((Some(name), ty)) = receiver {
            let sym = b.sym_of(name);
            let bound = self.locals.declare(sym, b);
            self.bind_local(bound, line_of(name), Some(ty), None, b);
        }
        self.parameters(node, Some(ix), b);
        if let Some(rule) = test {
            self.root_def(RootKind::Test, ix, &text, rule, line, b);
        } else if self.is_main && text == "main" && spec_is_function(node) {
            self.root_def(RootKind::Cli, ix, "main", "go main function", line, b);
        }
        self.table_name_method(node, ix, &text, b);
    }

    /// A function literal: its parameters are locals of the definition around it, unless the literal
    /// is the value of a package variable and so a definition of its own.
    pub(super) fn literal(&mut self, node: Node, b: &mut Builder) {
        let here = b.here();
        let named = here.filter(|_| self.bodies.contains(&node.id()));
        match named {
            Some(ix) => {
                self.open_function(node, Some(ix), FrameKind::Closed, b);
                self.parameters(node, named, b);
            }
            None => {
                self.open_function(node, here, FrameKind::Block, b);
                self.parameters(node, None, b);
            }
        }
        self.route_group_parameter(node, b);
    }

    fn open_function(&mut self, node: Node, def: Option<DefIx>, kind: FrameKind, b: &mut Builder) {
        self.locals.open(node, def.or(b.here()), kind);
        if let Some(body) = node.child_by_field_name("body") {
            self.bodies.insert(body.id());
        }
    }

    /// Declares parameters and named results. `of` is the definition whose parameters they are.
    fn parameters(&mut self, node: Node, of: Option<DefIx>, b: &mut Builder) {
        let mut position = 0u16;
        let lists = [("parameters", true), ("result", false)];
        for (field, given) in lists {
            let Some(list) = node.child_by_field_name(field).filter(|list| list.kind() == "parameter_list") else {
                continue;
            };
            let mut cursor = list.walk();
            for declaration in list.named_children(&mut cursor) {
                let Some(ty) = declaration.child_by_field_name("type") else { continue };
                let mut ty = self.ty(ty, b);
                if declaration.kind() == "variadic_parameter_declaration" {
                    ty = b.ty(atlas_syntax::Type::List(ty));
                }
                let of = of.filter(|_| given);
                let mut names = declaration.walk();
                let mut any = false;
                for name in declaration.children_by_field_name("name", &mut names).filter(Node::is_named) {
                    any = true;
                    self.parameter(name, ty, position, of, b);
                    position = position.saturating_add(1);
                }
                if !any {
                    // Its type is part of the method's shape all the same.
                    if let Some(of) = of {
                        b.bind(BindingKind::Param(position), Some(of), "", line_of(declaration), Some(ty), None);
                    }
                    position = position.saturating_add(1);
                }
            }
        }
    }

    fn parameter(&mut self, name: Node, ty: TypeId, position: u16, of: Option<DefIx>, b: &mut Builder) {
        let text = b.text(name);
        let blank = text == "_" || text.is_empty();
        if blank && of.is_none() {
            return;
        }
        let bound = if blank {
            b.sym("")
        } else {
            let sym = b.sym(text);
            self.locals.declare(sym, b)
        };
        match of {
            Some(of) => {
                let bound = b.str(bound).to_owned();
                b.bind(BindingKind::Param(position), Some(of), &bound, line_of(name), Some(ty), None);
            }
            None => self.bind_local(bound, line_of(name), Some(ty), None, b),
        }
    }

    /// The receiver's name, if it has one, and type; its type arguments are names in scope.
    fn receiver<'t>(&mut self, list: Node<'t>, method: Node, b: &mut Builder) -> Option<(Option<Node<'t>>, TypeId)> {
        let mut cursor = list.walk();
        let declaration = list.named_children(&mut cursor).find(|n| n.kind() == "parameter_declaration")?;
        let mut ty = declaration.child_by_field_name("type")?;
        for _ in 0..DEPTH_MAX {
            match ty.kind() {
                "pointer_type" | "parenthesized_type" => ty = ty.named_child(0)?,
                _ => break,
            }
        }
        let path = self.type_path(ty, b)?;
        if let Some(arguments) = ty.child_by_field_name("type_arguments") {
            // The constraints stand where the type is declared, by place.
            let constraints = path.last().and_then(|name| self.constraints.get(name)).cloned().unwrap_or_default();
            let mut cursor = arguments.walk();
            for (at, argument) in arguments.named_children(&mut cursor).enumerate() {
                let name = b.sym_of(argument);
                self.type_params.push((method.id(), name, constraints.get(at).copied().flatten()));
            }
        }
        self.handled.insert(ty.child_by_field_name("type").unwrap_or(ty).id());
        let args = match ty.child_by_field_name("type_arguments") {
            Some(arguments) => {
                let mut cursor = arguments.walk();
                let nodes: Vec<Node> = arguments.named_children(&mut cursor).collect();
                nodes.into_iter().map(|argument| self.ty(argument, b)).collect()
            }
            None => Vec::new(),
        };
        let id = b.ty(atlas_syntax::Type::Path { path, args });
        let name = declaration.child_by_field_name("name");
        Some((name.filter(|name| !matches!(b.text(*name), "_" | "")), id))
    }

    /// Binds the type parameters of a definition.
    fn bind_type_parameters(&mut self, node: Node, def: DefIx, b: &mut Builder) {
        let own: Vec<_> = self.type_params.iter().filter(|&&(id, ..)| id == node.id()).copied().collect();
        for (at, (_, name, constraint)) in own.into_iter().enumerate() {
            let name = b.str(name).to_owned();
            let place = at.min(usize::from(u16::MAX)) as u16;
            b.bind(BindingKind::TypeParam(place), Some(def), &name, line_of(node), constraint, None);
        }
    }

    /// Brings the type parameters of a declaration into scope until it ends.
    fn type_parameters(&mut self, node: Node, b: &mut Builder) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        let mut cursor = list.walk();
        for declaration in list.named_children(&mut cursor) {
            let constraint = declaration
                .child_by_field_name("type")
                .filter(|constraint| {
                    let text = b.text(*constraint);
                    constraint.named_child_count() == 1 && !text.starts_with('~') && !is_predeclared_type(text)
                })
                .map(|constraint| self.ty(constraint, b))
                .filter(|&id| id != 0);
            let mut names = declaration.walk();
            for name in declaration.children_by_field_name("name", &mut names).filter(Node::is_named) {
                let name = b.sym_of(name);
                self.type_params.push((node.id(), name, constraint));
            }
        }
    }

    /// Arity, result and the line where the signature ends.
    fn signature(&mut self, node: Node, spec: &mut DefSpec, b: &mut Builder) {
        spec.ty = self.result_type(node, b);
        let last = node.child_by_field_name("result").or_else(|| node.child_by_field_name("parameters"));
        spec.signature_end = Some(last.map_or_else(|| line_of(node), end_line_of));
        let Some(list) = node.child_by_field_name("parameters") else { return };
        let (mut fewest, mut variadic) = (0u16, false);
        let mut cursor = list.walk();
        for declaration in list.named_children(&mut cursor) {
            match declaration.kind() {
                "variadic_parameter_declaration" => variadic = true,
                "parameter_declaration" => {
                    let mut names = declaration.walk();
                    let names = declaration.children_by_field_name("name", &mut names).filter(Node::is_named).count();
                    fewest = fewest.saturating_add(names.max(1).min(usize::from(u16::MAX)) as u16);
                }
                _ => {}
            }
        }
        spec.arity = (fewest, if variadic { u16::MAX } else { fewest });
    }

    pub(super) fn type_spec(&mut self, node: Node, b: &mut Builder) {
        let (Some(name), Some(ty)) = (node.child_by_field_name("name"), node.child_by_field_name("type")) else {
            return;
        };
        self.handled.insert(name.id());
        let outer = self.type_params.len();
        self.type_parameters(node, b);
        if self.type_params.len() > outer {
            let constraints = self.type_params[outer..].iter().map(|&(_, _, constraint)| constraint).collect();
            let name = b.sym_of(name);
            self.constraints.insert(name, constraints);
        }
        let kind = match ty.kind() {
            _ if node.kind() == "type_alias" => DefKind::TypeAlias,
            "struct_type" => DefKind::Struct,
            "interface_type" => DefKind::Interface,
            _ => DefKind::TypeAlias,
        };
        let mut spec = DefSpec::named(kind, name, b.source);
        let line = line_of(node);
        spec.doc = self.docs.take(line);
        spec.arity = (0, 0);
        spec.signature_end = Some(line_of(ty));
        spec.flags.set(DefFlags::EXPORTED, is_exported(&spec.name) && !self.locals.inside());
        spec.flags.set(DefFlags::CONDITIONAL, self.left_out);
        spec.flags.set(DefFlags::DISTINCT, kind == DefKind::TypeAlias && node.kind() != "type_alias");
        if kind == DefKind::TypeAlias {
            spec.ty = Some(self.ty(ty, b)).filter(|&id| id != 0);
        }
        let ix = b.open_def(node, spec);
        self.bind_type_parameters(node, ix, b);
        if kind == DefKind::Struct {
            self.gorm_model(ty, ix, b);
        }
    }

    pub(super) fn field(&mut self, node: Node, b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        let Some(of) = b.here() else { return };
        let line = line_of(node);
        let doc = self.docs.take(line);
        let id = self.ty(ty, b);
        let mut cursor = node.walk();
        let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).filter(Node::is_named).collect();
        let embedded = names.is_empty();
        let names = if embedded {
            // An embedded type is a field by the last name of its type, and lends its members.
            let Some(name) = last_name(ty) else { return };
            self.handled.insert(ty.id());
            self.handled.insert(ty.child_by_field_name("type").unwrap_or(ty).id());
            b.add_base(BaseSub::Def(of), id, BaseRelation::Include, ty);
            vec![name]
        } else {
            names
        };
        let holds_struct = ty.kind() == "struct_type" && names.len() == 1;
        for name in names {
            let mut spec = DefSpec::named(DefKind::Field, name, b.source);
            spec.doc = doc;
            spec.ty = (id != 0).then_some(id);
            spec.arity = (0, 0);
            spec.flags.set(DefFlags::EXPORTED, is_exported(&spec.name));
            let text = spec.name.clone();
            b.bind(BindingKind::Field, Some(of), &text, line_of(name), (id != 0).then_some(id), None);
            if holds_struct {
                b.open_def(node, spec);
            } else {
                b.add_def(node, spec);
            }
        }
    }

    pub(super) fn interface_method(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        // An anonymous interface, as of a parameter, defines nothing.
        if b.here().is_none_or(|ix| b.facts().def(ix).kind != DefKind::Interface) {
            return;
        }
        let mut spec = DefSpec::named(DefKind::Method, name, b.source);
        self.signature(node, &mut spec, b);
        spec.doc = self.docs.take(line_of(node));
        spec.flags.set(DefFlags::EXPORTED, is_exported(&spec.name));
        spec.flags.set(DefFlags::DECLARATION, true);
        let ix = b.open_def(node, spec);
        self.locals.open(node, Some(ix), FrameKind::Closed);
        self.parameters(node, Some(ix), b);
    }

    pub(super) fn embedded_interface(&mut self, node: Node, b: &mut Builder) {
        let Some(of) = b.here().filter(|&ix| b.facts().def(ix).kind == DefKind::Interface) else { return };
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor).filter(|n| n.kind() != "comment");
        let (Some(one), None) = (parts.next(), parts.next()) else { return };
        if matches!(one.kind(), "type_identifier" | "qualified_type" | "generic_type")
            && !is_predeclared_type(b.text(one))
        {
            self.handled.insert(one.id());
            self.handled.insert(one.child_by_field_name("type").unwrap_or(one).id());
            let id = self.ty(one, b);
            b.add_base(BaseSub::Def(of), id, BaseRelation::Include, one);
        }
    }

    /// A `var` or `const` specification. Inside a function its names are locals, bound when it ends.
    pub(super) fn value_spec(&mut self, node: Node, b: &mut Builder) {
        self.names_are_handled(node);
        if self.locals.inside() {
            return;
        }
        let mut cursor = node.walk();
        let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).filter(Node::is_named).collect();
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty, b));
        let values = match node.child_by_field_name("value") {
            Some(list) => self.values(list, names.len(), b),
            None => vec![None; names.len()],
        };
        let line = line_of(node);
        let doc = self.docs.take(line);
        let alone = names.len() == 1;
        for (name, value) in names.into_iter().zip(values) {
            let value = value.map(|(value, _)| value);
            let text = b.text(name);
            if text == "_" || text.is_empty() {
                continue;
            }
            let constant = node.kind() == "const_spec";
            let mut spec = DefSpec::named(if constant { DefKind::Constant } else { DefKind::Variable }, name, b.source);
            spec.doc = doc;
            spec.ty = ty;
            spec.arity = (0, 0);
            spec.flags.set(DefFlags::EXPORTED, is_exported(text));
            spec.flags.set(DefFlags::CONDITIONAL, self.left_out);
            let literal = node
                .child_by_field_name("value")
                .and_then(|list| list.named_child(0))
                .filter(|value| alone && value.kind() == "func_literal");
            if let Some(literal) = literal {
                spec.kind = DefKind::Function;
                self.signature(literal, &mut spec, b);
                self.bodies.insert(literal.id());
            }
            b.bind(BindingKind::Local, None, text, line_of(name), ty, value);
            if alone {
                b.open_def(node, spec);
            } else {
                b.add_def(node, spec);
            }
        }
    }

    pub(super) fn root_def(&mut self, kind: RootKind, def: DefIx, name: &str, rule: &str, line: u32, b: &mut Builder) {
        let (name, rule) = (b.sym(name), b.sym(rule));
        b.add_root(RootFact { kind, line, name, verb: None, route: None, handler: None, def: Some(def), rule });
    }
}

/// Whether a function declaration has no receiver.
fn spec_is_function(node: Node) -> bool {
    node.kind() == "function_declaration"
}

/// Names with an upper-case first letter leave their package.
pub(super) fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The node of the last name of a named type.
fn last_name(ty: Node) -> Option<Node> {
    match ty.kind() {
        "qualified_type" => ty.child_by_field_name("name"),
        "generic_type" => last_name_once(ty.child_by_field_name("type")?),
        _ => last_name_once(ty),
    }
}

fn last_name_once(ty: Node) -> Option<Node> {
    match ty.kind() {
        "qualified_type" => ty.child_by_field_name("name"),
        "type_identifier" => Some(ty),
        _ => None,
    }
}

/// The name that a package most likely has, by its import path: the last part that is no version.
pub(super) fn package_name_of(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let mut last = parts.next().unwrap_or(path);
    let is_version = last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|byte| byte.is_ascii_digit());
    if is_version && let Some(before) = parts.next() {
        last = before;
    }
    // `gopkg.in/yaml.v3` is package yaml.
    if let Some((name, version)) = last.rsplit_once(".v")
        && !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_digit())
    {
        last = name;
    }
    // `go-redis`, `redis-go`: hyphens cannot stand in a package name.
    let last = last.strip_prefix("go-").unwrap_or(last);
    last.strip_suffix("-go").or_else(|| last.strip_suffix(".go")).unwrap_or(last)
}
