//! Entry points: routes of Laravel and Symfony, console commands, queued jobs, tests, scripts.

use super::exprs::literal_text;
use super::names::{NameKind, last_segment};
use super::{Php, child_of_kind, docs, parts};
use atlas_syntax::{Builder, DefFlags, DefIx, Expr, ExprId, RootFact, RootKind, line_of};
use tree_sitter::Node;

/// The facade through which Laravel registers routes.
const ROUTE_FACADES: [&str; 2] = ["\\Illuminate\\Support\\Facades\\Route", "\\Route"];

/// The routes of a resource: verb, path behind its name, method.
const RESOURCE: [(&str, &str, &str); 7] = [
    ("GET", "", "index"),
    ("GET", "/create", "create"),
    ("POST", "", "store"),
    ("GET", "/{}", "show"),
    ("GET", "/{}/edit", "edit"),
    ("PUT", "/{}", "update"),
    ("DELETE", "/{}", "destroy"),
];

struct Root<'a> {
    kind: RootKind,
    line: u32,
    name: &'a str,
    verb: Option<&'a str>,
    route: Option<&'a str>,
    handler: Option<ExprId>,
    def: Option<DefIx>,
    rule: &'a str,
}

fn add(root: Root, b: &mut Builder) {
    let fact = RootFact {
        kind: root.kind,
        line: root.line,
        name: b.sym(root.name),
        verb: root.verb.map(|verb| b.sym(verb)),
        route: root.route.map(|route| b.sym(route)),
        handler: root.handler,
        def: root.def,
        rule: b.sym(root.rule),
    };
    b.add_root(fact);
}

impl Php {
    /// A file that names its interpreter is a program.
    pub(super) fn script(&mut self, node: Node, b: &mut Builder) {
        if node.start_byte() == 0 && b.text(node).starts_with("#!") {
            let root = Root {
                kind: RootKind::Cli,
                line: 1,
                name: "main",
                verb: None,
                route: None,
                handler: None,
                def: None,
                rule: "php script",
            };
            add(root, b);
        }
    }

    /// Whether a method is a test of PHPUnit.
    pub(super) fn is_test(&self, node: Node, name: &str, doc: &str, b: &Builder) -> bool {
        let Some(open) = self.types.last() else { return false };
        let in_case = open.parent.as_ref().is_some_and(|parent| last_segment(parent).ends_with("TestCase"));
        let in_test = in_case || last_segment(&open.name).ends_with("Test");
        if !in_test {
            return false;
        }
        let marked = attributes(node).iter().any(|attribute| self.attribute_name(*attribute, b) == "Test");
        name.starts_with("test") || marked || doc.contains("@test\n") || doc.contains("@test ")
    }

    /// The last segment of an attribute's class.
    fn attribute_name<'s>(&self, attribute: Node, b: &Builder<'s>) -> &'s str {
        parts(attribute)
            .into_iter()
            .find(|part| super::names::is_name(*part))
            .map_or("", |name| last_segment(b.text(name)))
    }

    /// What is known of a class once its clauses were read: its part of routes, and whether it is a
    /// command or a job.
    pub(super) fn type_roots(&mut self, node: Node, doc: &str, b: &mut Builder) {
        let mut prefix = String::new();
        for attribute in attributes(node) {
            if self.attribute_name(attribute, b) == "Route" && self.imports_from(&["Symfony\\", "Sensio\\"]) {
                prefix = route_arguments(attribute, b).0.unwrap_or_default();
            }
        }
        if prefix.is_empty() && self.imports_from(&["Symfony\\", "Sensio\\"]) {
            prefix = docs::tags(&doc.replace("@Route(", "@Route ("), "@Route")
                .first()
                .and_then(|text| quoted(text))
                .unwrap_or_default();
        }
        if let Some(open) = self.types.last_mut() {
            open.route_prefix = prefix;
        }
    }

    pub(super) fn method_roots(
        &mut self,
        node: Node,
        def: DefIx,
        name: Node,
        doc: &str,
        is_test: bool,
        b: &mut Builder,
    ) {
        let (line, text) = (line_of(name), b.text(name));
        let root =
            |kind, rule| Root { kind, line, name: text, verb: None, route: None, handler: None, def: Some(def), rule };
        if is_test {
            add(root(RootKind::Test, "phpunit test"), b);
            if let Some(open) = self.types.last() {
                b.def_mut(open.def).flags.set(DefFlags::TEST, true);
            }
        }
        self.symfony_routes(node, def, text, line, doc, b);
        let Some(open) = self.types.last() else { return };
        let base = |full: &str| open.bases.iter().any(|base| base == full);
        if text == "execute" && base("\\Symfony\\Component\\Console\\Command\\Command")
            || text == "__invoke" && self.as_command(node, b)
        {
            add(root(RootKind::Cli, "symfony console command"), b);
        } else if text == "handle" && base("\\Illuminate\\Console\\Command") {
            add(root(RootKind::Cli, "laravel console command"), b);
        } else if text == "handle" && base("\\Illuminate\\Contracts\\Queue\\ShouldQueue") {
            add(root(RootKind::Worker, "laravel queued job"), b);
        } else if text == "getSubscribedEvents"
            && base("\\Symfony\\Component\\EventDispatcher\\EventSubscriberInterface")
        {
            add(root(RootKind::EventHandler, "symfony event subscriber"), b);
        } else if attributes(node).iter().any(|a| self.attribute_name(*a, b) == "AsMessageHandler") {
            add(root(RootKind::Worker, "symfony message handler"), b);
        }
    }

    /// Whether the class around a method says that it is a command.
    fn as_command(&self, method: Node, b: &Builder) -> bool {
        let class = method.parent().and_then(|body| body.parent());
        class.is_some_and(|class| attributes(class).iter().any(|a| self.attribute_name(*a, b) == "AsCommand"))
    }

    /// `#[Route('/x', methods: ['GET'])]`, and the same as an annotation.
    fn symfony_routes(&self, node: Node, def: DefIx, name: &str, line: u32, doc: &str, b: &mut Builder) {
        if !self.imports_from(&["Symfony\\", "Sensio\\"]) {
            return;
        }
        let prefix = self.types.last().map_or("", |open| open.route_prefix.as_str());
        let mut found: Vec<(Option<String>, Vec<String>)> = Vec::new();
        for attribute in attributes(node) {
            if self.attribute_name(attribute, b) == "Route" {
                found.push(route_arguments(attribute, b));
            }
        }
        for text in docs::tags(&doc.replace("@Route(", "@Route ("), "@Route") {
            let text = text.split('@').next().unwrap_or(text);
            let methods = text.split_once("methods").map_or(Vec::new(), |(_, after)| {
                let list = after.split(['}', ')']).next().unwrap_or(after);
                list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
            });
            found.push((quoted(text), methods));
        }
        for (path, verbs) in found {
            let Some(path) = path else { continue };
            let route = join(prefix, &path);
            let verbs = if verbs.is_empty() { vec!["ANY".to_owned()] } else { verbs };
            for verb in verbs {
                let root = Root {
                    kind: RootKind::HttpRoute,
                    line,
                    name,
                    verb: Some(&verb.to_ascii_uppercase()),
                    route: Some(&route),
                    handler: None,
                    def: Some(def),
                    rule: "symfony route",
                };
                add(root, b);
            }
        }
    }

    /// `Route::get('/x', …)`.
    pub(super) fn route_call(&mut self, node: Node, scope: Node, name: Node, b: &mut Builder) {
        if !super::names::is_name(scope) {
            return;
        }
        let full = self.full_name(b.text(scope), NameKind::Class);
        if ROUTE_FACADES.contains(&full.as_str()) || full.ends_with("\\Route") && b.text(scope) == "\\Route" {
            self.laravel_route(node, b.text(name), String::new(), b);
        }
    }

    /// The same behind `Route::prefix('/x')->…`.
    pub(super) fn route_member(&mut self, node: Node, name: Node, b: &mut Builder) {
        /// Calls of one chain that are looked through.
        const CHAIN_MAX: u32 = 16;
        let mut object = node.child_by_field_name("object");
        let mut prefix = String::new();
        for _ in 0..CHAIN_MAX {
            let Some(call) = object else { return };
            let called = call.child_by_field_name("name").map_or("", |name| b.text(name));
            let is_root = call.kind() == "scoped_call_expression";
            if !is_root && call.kind() != "member_call_expression" {
                return;
            }
            if called == "prefix" {
                let first = argument(call, 0).and_then(|value| literal_text(value, b)).unwrap_or_default();
                prefix = join(&first, &prefix);
            }
            if is_root {
                let scope = call.child_by_field_name("scope").filter(|scope| super::names::is_name(*scope));
                let full = scope.map(|scope| self.full_name(b.text(scope), NameKind::Class)).unwrap_or_default();
                if ROUTE_FACADES.contains(&full.as_str()) {
                    // What `Route::get(…)` starts was read there.
                    let starts = verbs_of(called).is_some() || matches!(called, "resource" | "apiResource" | "match");
                    if !starts {
                        self.laravel_route(node, b.text(name), prefix, b);
                    }
                }
                return;
            }
            object = call.child_by_field_name("object");
        }
    }

    fn laravel_route(&mut self, node: Node, method: &str, prefix: String, b: &mut Builder) {
        let around: String = self.prefixes.iter().fold(String::new(), |all, (_, one)| join(&all, one));
        let prefix = join(&around, &prefix);
        if method == "group" {
            self.prefixes.push((node.id(), prefix.strip_prefix(&around).unwrap_or(&prefix).to_owned()));
            return;
        }
        if matches!(method, "resource" | "apiResource") {
            self.laravel_resource(node, method == "apiResource", &prefix, b);
            return;
        }
        let (verbs, path_at): (Vec<String>, u32) = match verbs_of(method) {
            Some(verbs) => (verbs.iter().map(|verb| (*verb).to_owned()).collect(), 0),
            None if method == "match" => {
                let list = argument(node, 0).map_or(Vec::new(), parts);
                let texts = list.into_iter().filter_map(|e| literal_text(e.named_child(0)?, b));
                (texts.map(|verb| verb.to_ascii_uppercase()).collect(), 1)
            }
            None => return,
        };
        let Some(path) = argument(node, path_at).and_then(|value| literal_text(value, b)) else { return };
        let Some(handler) = argument(node, path_at + 1) else { return };
        let (name, handler) = self.handler(handler, b);
        let route = join(&prefix, &path);
        // A closure runs as part of what stands around it.
        let def = if handler.is_none() { b.enclosing_callable() } else { None };
        for verb in verbs {
            let root = Root {
                kind: RootKind::HttpRoute,
                line: line_of(node),
                name: name.as_deref().unwrap_or(&route),
                verb: Some(&verb),
                route: Some(&route),
                handler,
                def,
                rule: "laravel route",
            };
            add(root, b);
        }
    }

    fn laravel_resource(&mut self, node: Node, api: bool, prefix: &str, b: &mut Builder) {
        let Some(path) = argument(node, 0).and_then(|value| literal_text(value, b)) else { return };
        let Some(class) = argument(node, 1).filter(|c| c.kind() == "class_constant_access_expression") else { return };
        let base = self.expr(class, b);
        let one = path.rsplit(['/', '.']).next().unwrap_or(&path);
        let one = one.strip_suffix('s').unwrap_or(one).replace('-', "_");
        for (verb, behind, method) in RESOURCE {
            if api && matches!(method, "create" | "edit") {
                continue;
            }
            let route = format!("{}{}", join(prefix, &path), behind.replace("{}", &format!("{{{one}}}")));
            let sym = b.sym(method);
            let handler = b.expr(Expr::Member { base, name: sym });
            let root = Root {
                kind: RootKind::HttpRoute,
                line: line_of(node),
                name: method,
                verb: Some(verb),
                route: Some(&route),
                handler: Some(handler),
                def: None,
                rule: "laravel resource",
            };
            add(root, b);
        }
    }

    /// `[A::class, 'm']`, `A::class`, `'A@m'`.
    fn handler(&mut self, node: Node, b: &mut Builder) -> (Option<String>, Option<ExprId>) {
        match node.kind() {
            "array_creation_expression" => {
                let values: Vec<Node> = parts(node).into_iter().filter_map(|element| element.named_child(0)).collect();
                let [class, method] = values.as_slice() else { return (None, None) };
                let Some(name) = literal_text(*method, b) else { return (None, None) };
                let base = self.expr(*class, b);
                let sym = b.sym(&name);
                (Some(name), Some(b.expr(Expr::Member { base, name: sym })))
            }
            "class_constant_access_expression" => {
                let base = self.expr(node, b);
                let sym = b.sym("__invoke");
                (Some("__invoke".to_owned()), Some(b.expr(Expr::Member { base, name: sym })))
            }
            "string" | "encapsed_string" => {
                let text = literal_text(node, b).unwrap_or_default();
                let Some((class, method)) = text.split_once('@') else { return (None, None) };
                let full = if class.contains('\\') {
                    format!("\\{}", class.trim_start_matches('\\'))
                } else {
                    format!("\\App\\Http\\Controllers\\{class}")
                };
                let full = b.sym(&full);
                let base = b.expr(Expr::Name(full));
                let sym = b.sym(method);
                (Some(method.to_owned()), Some(b.expr(Expr::Member { base, name: sym })))
            }
            _ => (None, None),
        }
    }
}

fn verbs_of(method: &str) -> Option<&'static [&'static str]> {
    Some(match method {
        "get" => &["GET"],
        "post" => &["POST"],
        "put" => &["PUT"],
        "patch" => &["PATCH"],
        "delete" => &["DELETE"],
        "options" => &["OPTIONS"],
        "any" => &["ANY"],
        _ => return None,
    })
}

/// The attributes of a declaration.
fn attributes(node: Node) -> Vec<Node> {
    let Some(list) = node.child_by_field_name("attributes") else { return Vec::new() };
    parts(list).into_iter().flat_map(parts).filter(|attribute| attribute.kind() == "attribute").collect()
}

/// Path and methods that a route's attribute gives.
fn route_arguments(attribute: Node, b: &Builder) -> (Option<String>, Vec<String>) {
    let (mut path, mut methods) = (None, Vec::new());
    let Some(list) = attribute.child_by_field_name("parameters") else { return (None, methods) };
    for argument in parts(list) {
        let Some(value) = parts(argument).last().copied() else { continue };
        match argument.child_by_field_name("name").map(|name| b.text(name)) {
            None | Some("path") if path.is_none() => path = literal_text(value, b),
            Some("methods") => {
                methods = match literal_text(value, b) {
                    Some(one) => vec![one],
                    None => parts(value).into_iter().filter_map(|e| literal_text(e.named_child(0)?, b)).collect(),
                };
            }
            _ => {}
        }
    }
    (path, methods)
}

/// The value of a call's argument.
fn argument(call: Node, at: u32) -> Option<Node> {
    let list = call.child_by_field_name("arguments").or_else(|| child_of_kind(call, "arguments"))?;
    parts(*parts(list).get(at as usize)?).last().copied()
}

/// The first quoted text.
fn quoted(text: &str) -> Option<String> {
    text.split('"').nth(1).map(str::to_owned)
}

/// Two parts of a path with one slash between them; `/` if both are empty.
fn join(prefix: &str, path: &str) -> String {
    let (prefix, path) = (prefix.trim_matches('/'), path.trim_matches('/'));
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => format!("/{path}"),
        (false, true) => format!("/{prefix}"),
        (false, false) => format!("/{prefix}/{path}"),
    }
}
