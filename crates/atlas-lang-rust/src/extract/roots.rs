//! Entry points: `main`, tests, commands of clap, routes of axum, actix and Rocket.

use super::RustExtractor;
use super::attrs::Attr;
use super::data::snake_case;
use super::refs::{first_argument, string_value};
use atlas_syntax::{Builder, DefIx, ExprId, RootFact, RootKind, Sym, line_of};
use tree_sitter::Node;

const VERBS: [&str; 10] = ["any", "connect", "delete", "get", "head", "options", "patch", "post", "put", "trace"];

impl RustExtractor {
    /// What a function's name and attributes make it.
    pub(super) fn function_roots(&mut self, node: Node, def: DefIx, name: &str, attrs: &[Attr], b: &mut Builder) {
        let line = line_of(node);
        if let Some(test) = attrs.iter().find(|attr| attr.is_test()) {
            let rule = match test.path.as_str() {
                "test" => "rust test".to_owned(),
                "bench" => "rust benchmark".to_owned(),
                path => format!("{path} attribute"),
            };
            self.def_root(RootKind::Test, def, name, &rule, line, b);
        }
        let at_top = b.facts().def(def).container.is_none() && b.facts().def(def).owner.is_none();
        if name == "main" && at_top {
            let entry = attrs.iter().find(|attr| attr.name() == "main");
            let rule = entry.map_or_else(|| "rust main".to_owned(), |attr| format!("{} attribute", attr.path));
            self.def_root(RootKind::Cli, def, "main", &rule, line, b);
        }
        for attr in attrs {
            self.route_attribute(def, name, attr, line, b);
            match attr.name() {
                "proc_macro" | "proc_macro_derive" | "proc_macro_attribute" => {
                    let rule = format!("{} attribute", attr.path);
                    self.def_root(RootKind::PublicApi, def, name, &rule, line, b);
                }
                "no_mangle" | "export_name" => {
                    self.def_root(RootKind::PublicApi, def, name, "exported symbol", line, b);
                }
                _ => {}
            }
        }
    }

    fn def_root(&mut self, kind: RootKind, def: DefIx, name: &str, rule: &str, line: u32, b: &mut Builder) {
        let (name, rule) = (b.sym(name), b.sym(rule));
        b.add_root(RootFact { kind, line, name, verb: None, route: None, handler: None, def: Some(def), rule });
    }

    /// `#[get("/users/<id>")]`, `#[route("/x", method = "GET")]`.
    fn route_attribute(&mut self, def: DefIx, name: &str, attr: &Attr, line: u32, b: &mut Builder) {
        let verb = attr.name();
        let rocket = self.uses_crate(&["rocket"]) || attr.path.starts_with("rocket::");
        let actix = self.uses_crate(&["actix_web"]) || attr.path.starts_with("actix_web::");
        if !VERBS.contains(&verb) && verb != "route" {
            return;
        }
        let Some(path) = attr.args.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
            return;
        };
        // A path that starts with a slash in an attribute of that name leaves little doubt.
        if !path.starts_with('/') && !rocket && !actix {
            return;
        }
        let verbs = match verb {
            "route" => attr.value_of("method").unwrap_or("ANY").to_owned(),
            "any" => "ANY".to_owned(),
            verb => verb.to_ascii_uppercase(),
        };
        let rule = if rocket { "rocket route attribute" } else { "actix route attribute" };
        let (name, verb, route, rule) = (b.sym(name), b.sym(&verbs), b.sym(path), b.sym(rule));
        b.add_root(RootFact {
            kind: RootKind::HttpRoute,
            line,
            name,
            verb: Some(verb),
            route: Some(route),
            handler: None,
            def: Some(def),
            rule,
        });
    }

    /// `#[derive(Parser)] struct Cli` and the variants of a `#[derive(Subcommand)] enum`.
    pub(super) fn type_roots(&mut self, node: Node, def: DefIx, attrs: &[Attr], b: &mut Builder) {
        let derives =
            |wanted: &str| attrs.iter().flat_map(Attr::derives).any(|name| name.rsplit("::").next() == Some(wanted));
        let clap = self.uses_crate(&["clap", "structopt"])
            || attrs.iter().flat_map(Attr::derives).any(|name| name.starts_with("clap::"));
        if !clap {
            return;
        }
        let name = b.str(b.facts().def(def).name).to_owned();
        if derives("Parser") || derives("StructOpt") {
            let said = attrs.iter().filter(|attr| matches!(attr.path.as_str(), "command" | "clap" | "structopt"));
            let command = said.into_iter().find_map(|attr| attr.value_of("name")).map(str::to_owned).unwrap_or(name);
            self.def_root(RootKind::Cli, def, &command, "clap derive", line_of(node), b);
        } else if derives("Subcommand") {
            self.subcommands = Some(def);
        }
    }

    pub(super) fn variant_roots(&mut self, def: DefIx, attrs: &[Attr], b: &mut Builder) {
        if b.facts().def(def).container != self.subcommands || self.subcommands.is_none() {
            return;
        }
        let said = attrs.iter().filter(|attr| matches!(attr.path.as_str(), "command" | "clap"));
        let name = match said.into_iter().find_map(|attr| attr.value_of("name")) {
            Some(name) => name.to_owned(),
            None => snake_case(b.str(b.facts().def(def).name)).replace('_', "-"),
        };
        let line = b.facts().def(def).name_line;
        self.def_root(RootKind::Cli, def, &name, "clap subcommand", line, b);
    }

    pub(super) fn call_patterns(&mut self, node: Node, function: Node, arguments: Option<Node>, b: &mut Builder) {
        let Some(list) = arguments else { return };
        match function.kind() {
            "field_expression" => {
                let name = function.child_by_field_name("field").map(|field| b.text(field)).unwrap_or_default();
                match name {
                    "route" | "route_service" => self.route_call(node, function, list, b),
                    "to" => self.resource_to(node, function, list, b),
                    _ => {}
                }
            }
            "scoped_identifier" if b.text(function).ends_with("Command::new") && self.uses_crate(&["clap"]) => {
                if let Some(name) = first_argument(list).and_then(|first| string_value(first, b)) {
                    let (name, rule) = (b.sym(&name), b.sym("clap command builder"));
                    b.add_root(RootFact {
                        kind: RootKind::Cli,
                        line: line_of(node),
                        name,
                        verb: None,
                        route: None,
                        handler: None,
                        def: b.here(),
                        rule,
                    });
                }
            }
            _ => {}
        }
    }

    /// axum's `.route("/x", get(a).post(b))` and actix's `.route("/x", web::get().to(a))`.
    fn route_call(&mut self, node: Node, function: Node, list: Node, b: &mut Builder) {
        let mut cursor = list.walk();
        let values: Vec<Node> = list.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment")).collect();
        let (path, method) = match values.as_slice() {
            [path, method] => match string_value(*path, b) {
                Some(path) => (path, *method),
                None => return,
            },
            // actix's `web::resource("/x").route(web::get().to(a))`.
            [method] => match self.resource_path(function, b) {
                Some(path) => (path, *method),
                None => return,
            },
            _ => return,
        };
        if !path.starts_with('/') && !path.is_empty() {
            return;
        }
        let mut found: Vec<(String, Option<Node>)> = Vec::new();
        let mut at = method;
        for _ in 0..24 {
            let Some(called) = at.child_by_field_name("function").filter(|_| at.kind() == "call_expression") else {
                break;
            };
            let argument = at.child_by_field_name("arguments").and_then(first_argument);
            let (name, inner) = match called.kind() {
                "field_expression" => (called.child_by_field_name("field"), called.child_by_field_name("value")),
                "scoped_identifier" => (called.child_by_field_name("name"), None),
                _ => (Some(called), None),
            };
            let name = name.map(|name| b.text(name)).unwrap_or_default();
            if VERBS.contains(&name) {
                found.push((name.to_ascii_uppercase(), argument));
            } else if name == "to" {
                // The verb comes further in: `web::get().to(a)`.
                found.push((String::new(), argument));
            }
            match inner {
                Some(inner) => at = inner,
                None => break,
            }
        }
        let actix = found.iter().any(|(verb, _)| verb.is_empty());
        if actix {
            let handler = found.iter().find(|(verb, _)| verb.is_empty()).and_then(|(_, handler)| *handler);
            let verb = found.iter().find(|(verb, _)| !verb.is_empty()).map_or("ANY", |(verb, _)| verb.as_str());
            if let Some(handler) = handler {
                self.add_route(verb, &path, handler, "actix route", node, b);
            }
            return;
        }
        for (verb, handler) in found.into_iter().rev() {
            if let Some(handler) = handler {
                self.add_route(&verb, &path, handler, "axum route", node, b);
            }
        }
    }

    /// `web::resource("/x").to(handler)`.
    fn resource_to(&mut self, node: Node, function: Node, list: Node, b: &mut Builder) {
        let (Some(path), Some(handler)) = (self.resource_path(function, b), first_argument(list)) else { return };
        self.add_route("ANY", &path, handler, "actix resource", node, b);
    }

    /// The path of the `web::resource("/x")` that a chain starts with.
    fn resource_path(&self, function: Node, b: &Builder) -> Option<String> {
        let mut at = function.child_by_field_name("value")?;
        for _ in 0..24 {
            if at.kind() != "call_expression" {
                return None;
            }
            let called = at.child_by_field_name("function")?;
            match called.kind() {
                "field_expression" => at = called.child_by_field_name("value")?,
                _ => {
                    let text = b.text(called);
                    if text != "resource" && !text.ends_with("web::resource") {
                        return None;
                    }
                    return first_argument(at.child_by_field_name("arguments")?).and_then(|path| string_value(path, b));
                }
            }
        }
        None
    }

    fn add_route(&mut self, verb: &str, path: &str, handler: Node, rule: &str, node: Node, b: &mut Builder) {
        let (handler, name) = self.handler(handler, b);
        let name = name.unwrap_or_else(|| b.sym(&format!("{verb} {path}")));
        let (verb, route, rule) = (b.sym(verb), b.sym(path), b.sym(rule));
        let def = if handler.is_none() { b.here() } else { None };
        let line = first_line_of(node);
        b.add_root(RootFact {
            kind: RootKind::HttpRoute,
            line,
            name,
            verb: Some(verb),
            route: Some(route),
            handler,
            def,
            rule,
        });
    }

    fn handler(&mut self, node: Node, b: &mut Builder) -> (Option<ExprId>, Option<Sym>) {
        let mut at = node;
        for _ in 0..8 {
            match at.kind() {
                "identifier" | "scoped_identifier" => {
                    let name = b.sym_of(at.child_by_field_name("name").unwrap_or(at));
                    let expr = self.expr(at, b);
                    return ((expr != 0).then_some(expr), Some(name));
                }
                "generic_function" => match at.child_by_field_name("function") {
                    Some(inner) => at = inner,
                    None => return (None, None),
                },
                // `get(handler.layer(…))`: what is layered over.
                "call_expression" => {
                    match at.child_by_field_name("function").and_then(|f| f.child_by_field_name("value")) {
                        Some(inner) => at = inner,
                        None => return (None, None),
                    }
                }
                _ => return (None, None),
            }
        }
        (None, None)
    }

    /// Macros that make definitions of their own.
    pub(super) fn macro_patterns(&mut self, node: Node, name: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let tree = node.named_children(&mut cursor).find(|child| child.kind() == "token_tree");
        match b.text(name) {
            "table" if self.uses_crate(&["diesel"]) || b.text(node).starts_with("diesel::") => {
                self.diesel_table(node, b);
            }
            "lazy_static" | "thread_local" => {
                if let Some(tree) = tree {
                    self.static_tokens(tree, b);
                }
            }
            _ => {}
        }
        // A macro with braces where items stand is given items.
        let callable = b.here().is_some_and(|ix| b.facts().def(ix).kind.is_callable());
        if let Some(tree) = tree
            && !callable
            && b.source.get(tree.start_byte()) == Some(&b'{')
        {
            self.item_trees.insert(tree.id());
        }
    }
}

/// The line where the last part of a method chain stands: `.route(` on a line of its own.
fn first_line_of(node: Node) -> u32 {
    node.child_by_field_name("function")
        .and_then(|function| function.child_by_field_name("field"))
        .map_or_else(|| line_of(node), line_of)
}
