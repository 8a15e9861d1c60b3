//! Entry points: routes of net/http and the common routers, commands, workers, handlers of events,
//! tests. A rule holds only where the file imports the framework or the shape leaves no doubt.

use super::GoExtractor;
use super::exprs::first_argument;
use atlas_syntax::{Builder, ExprId, RootFact, RootKind, Sym, line_of};
use tree_sitter::Node;

/// Import paths that each family of rules asks for, by a part of the path.
const GIN: &str = "gin-gonic/gin";
const ECHO: &str = "labstack/echo";
const CHI: &str = "go-chi/chi";
const FIBER: &str = "gofiber/fiber";
const MUX: &str = "gorilla/mux";
const HTTPROUTER: &str = "julienschmidt/httprouter";
const CRON: &str = "robfig/cron";
const ASYNQ: &str = "hibiken/asynq";
const NATS: &str = "nats-io/nats.go";
const SUITE: &str = "stretchr/testify/suite";

impl GoExtractor {
    /// What a call may register. Called before the call's own reference is made.
    pub(super) fn call_patterns(&mut self, node: Node, function: Node, arguments: Option<Node>, b: &mut Builder) {
        let (Some(arguments), "selector_expression") = (arguments, function.kind()) else { return };
        let Some(field) = function.child_by_field_name("field") else { return };
        let name = b.text(field);
        if name == "Methods" {
            self.restricted_verbs(function, arguments, b);
        }
        self.gorm_call(node, name, function, arguments, b);
        let values = argument_nodes(arguments);
        if values.len() < 2 {
            return;
        }
        if let Some(found) = self.route(name, &values, node, b) {
            let prefix = self.prefix_of(function, b);
            self.add_route(found, &prefix, node, b);
            return;
        }
        self.worker(name, &values, node, b);
    }

    fn route<'t>(&self, name: &str, values: &[Node<'t>], node: Node, b: &Builder) -> Option<Route<'t>> {
        let text = |n: usize| values.get(n).and_then(|value| self.string_value(*value, b));
        let last = *values.last()?;
        let upper = matches!(
            name,
            "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS" | "CONNECT" | "TRACE" | "Any" | "Match"
        );
        if upper && name != "Match" {
            let path = text(0)?;
            let router = self.imports_part(&[GIN, ECHO, HTTPROUTER]);
            // Without the import the shape must speak: a path and something that can handle it.
            if !(path.starts_with('/') || path.is_empty() || path == "*") || !(router || is_handler(last)) {
                return None;
            }
            let echo = self.imports_part(&[ECHO]);
            let rule = if echo {
                "echo route"
            } else if self.imports_part(&[HTTPROUTER]) {
                "httprouter route"
            } else {
                "gin route"
            };
            let verb = if name == "Any" { "ANY" } else { name };
            // Echo takes middleware after the handler, gin before it.
            let handler = if echo { values[1] } else { last };
            return Some(Route { verb: verb.into(), path, handler, rule });
        }
        let chi = self.imports_part(&[CHI]);
        let fiber = self.imports_part(&[FIBER]);
        match name {
            "Get" | "Post" | "Put" | "Delete" | "Patch" | "Head" | "Options" | "Connect" | "Trace" | "All"
                if chi || fiber =>
            {
                let path = text(0).filter(|path| path.starts_with('/') || path.is_empty())?;
                let verb = if name == "All" { "ANY".to_owned() } else { name.to_ascii_uppercase() };
                let rule = if chi { "chi route" } else { "fiber route" };
                Some(Route { verb, path, handler: last, rule })
            }
            "Method" | "MethodFunc" if chi && values.len() >= 3 => {
                Some(Route { verb: text(0)?, path: text(1)?, handler: last, rule: "chi route" })
            }
            "Handle" | "HandlerFunc" | "Add" if values.len() >= 3 => {
                // gin's `Handle("GET", path, …)`, httprouter's `HandlerFunc`, echo's `Add`.
                let (verb, path) = (text(0)?, text(1)?);
                let verb_like = !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_uppercase());
                let router = self.imports_part(&[GIN, ECHO, HTTPROUTER, FIBER]);
                if !verb_like || !path.starts_with('/') || !router {
                    return None;
                }
                let echo = self.imports_part(&[ECHO]);
                let rule = if echo { "echo route" } else { "gin route" };
                Some(Route { verb, path, handler: if echo { values[2] } else { last }, rule })
            }
            "HandleFunc" | "Handle" if values.len() == 2 => {
                if self.imports_part(&[ASYNQ]) {
                    return None;
                }
                let written = text(0)?;
                // Since Go 1.22 a pattern may hold a method and a host.
                let (verb, path) = match written.split_once(' ') {
                    Some((verb, path)) if verb.bytes().all(|byte| byte.is_ascii_uppercase()) => {
                        (verb.to_owned(), path.trim_start().to_owned())
                    }
                    _ => ("ANY".to_owned(), written),
                };
                let verb = match self.verbs.get(&node.id()) {
                    Some(restricted) => restricted.to_string(),
                    None => verb,
                };
                if !path.contains('/') {
                    return None;
                }
                // `http.HandleFunc` itself registers with the standard library's own router.
                let own = function_base(node).is_some_and(|base| b.text(base) == "http");
                let mux = self.imports_part(&[MUX]) && !own;
                let rule = match (mux, chi && !own) {
                    (true, _) => "gorilla mux route",
                    (_, true) => "chi route",
                    _ if self.imports_exactly("net/http") || is_handler(last) => "net/http route",
                    _ => return None,
                };
                Some(Route { verb, path, handler: last, rule })
            }
            _ => None,
        }
    }

    fn add_route(&mut self, route: Route, prefix: &str, node: Node, b: &mut Builder) {
        let path = join(prefix, &route.path);
        let (handler, name) = self.handler(route.handler, b);
        let name = name.unwrap_or_else(|| b.sym(&format!("{} {path}", route.verb)));
        let (verb, path, rule) = (b.sym(&route.verb), b.sym(&path), b.sym(route.rule));
        // A function written in place is part of the definition around it.
        let def = if handler.is_none() { b.here() } else { None };
        b.add_root(RootFact {
            kind: RootKind::HttpRoute,
            line: line_of(node),
            name,
            verb: Some(verb),
            route: Some(path),
            handler,
            def,
            rule,
        });
    }

    /// The code that handles: a name or member, a wrapped one, or what makes one.
    fn handler(&mut self, node: Node, b: &mut Builder) -> (Option<ExprId>, Option<Sym>) {
        let mut at = node;
        for _ in 0..8 {
            match at.kind() {
                "identifier" | "selector_expression" => {
                    let name = match at.child_by_field_name("field") {
                        Some(field) => b.sym_of(field),
                        None => b.sym_of(at),
                    };
                    let expr = self.expr(at, b);
                    return ((expr != 0).then_some(expr), Some(name));
                }
                "call_expression" => {
                    let function = at.child_by_field_name("function");
                    let arguments = at.child_by_field_name("arguments").map(argument_nodes).unwrap_or_default();
                    // `http.HandlerFunc(f)`, `auth(f)`, `adapt(x.Get, …)`: the function that is handed on.
                    let handed = arguments.into_iter().rev().find(|argument| self.is_function_like(*argument, b));
                    match (handed, function) {
                        (Some(handed), _) => at = handed,
                        (None, Some(function)) => at = function,
                        (None, None) => return (None, None),
                    }
                }
                "unary_expression" | "parenthesized_expression" => match at.named_child(0) {
                    Some(inner) => at = inner,
                    None => return (None, None),
                },
                "composite_literal" => {
                    let expr = self.expr(at, b);
                    let name = at.child_by_field_name("type").and_then(|ty| self.type_path(ty, b));
                    return ((expr != 0).then_some(expr), name.and_then(|path| path.last().copied()));
                }
                _ => return (None, None),
            }
        }
        (None, None)
    }

    /// Whether an argument may be a function: a literal, a member, a name that is no local value.
    fn is_function_like(&mut self, node: Node, b: &mut Builder) -> bool {
        match node.kind() {
            "func_literal" | "selector_expression" => true,
            "identifier" => {
                let name = b.sym_of(node);
                self.locals.lookup(name).is_none()
            }
            "call_expression" => true,
            _ => false,
        }
    }

    /// `r.HandleFunc(…).Methods("GET", "POST")`: remembers the verbs for the call inside.
    fn restricted_verbs(&mut self, function: Node, arguments: Node, b: &Builder) {
        let verbs: Vec<String> =
            argument_nodes(arguments).into_iter().map(|value| self.verb_of(value, b).unwrap_or_default()).collect();
        if verbs.is_empty() || verbs.iter().any(String::is_empty) {
            return;
        }
        let mut at = function.child_by_field_name("operand");
        for _ in 0..8 {
            let Some(call) = at.filter(|node| node.kind() == "call_expression") else { return };
            self.verbs.insert(call.id(), verbs.join(",").into());
            at = call.child_by_field_name("function").and_then(|f| f.child_by_field_name("operand"));
        }
    }

    /// `"GET"` or `http.MethodGet`.
    fn verb_of(&self, node: Node, b: &Builder) -> Option<String> {
        if let Some(text) = self.string_value(node, b) {
            return Some(text);
        }
        let field = node.child_by_field_name("field").map(|field| b.text(field))?;
        field.strip_prefix("Method").map(str::to_ascii_uppercase)
    }

    /// The path that a router's group adds, from the local that holds it or the calls it comes from.
    fn prefix_of(&mut self, function: Node, b: &mut Builder) -> String {
        function.child_by_field_name("operand").map(|router| self.group_prefix(router, b)).unwrap_or_default()
    }

    fn group_prefix(&mut self, router: Node, b: &mut Builder) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut at = router;
        for _ in 0..16 {
            match at.kind() {
                "identifier" => {
                    let name = b.sym_of(at);
                    if let Some(bound) = self.locals.lookup(name)
                        && let Some(prefix) = self.prefixes.get(&bound)
                    {
                        parts.push(prefix.to_string());
                    }
                    break;
                }
                "call_expression" => {
                    let Some(function) = at.child_by_field_name("function") else { break };
                    let field = function.child_by_field_name("field").map(|field| b.text(field));
                    let first = at.child_by_field_name("arguments").and_then(first_argument);
                    if matches!(field, Some("Group" | "PathPrefix"))
                        && let Some(path) = first.and_then(|first| self.string_value(first, b))
                    {
                        parts.push(path);
                    }
                    match function.child_by_field_name("operand") {
                        Some(operand) => at = operand,
                        None => break,
                    }
                }
                "parenthesized_expression" => match at.named_child(0) {
                    Some(inner) => at = inner,
                    None => break,
                },
                _ => break,
            }
        }
        parts.iter().rev().fold(String::new(), |prefix, part| join(&prefix, part))
    }

    /// `api := r.Group("/api")`: what is registered on the local stands below the path.
    pub(super) fn remember_prefix(&mut self, bound: Sym, value: Node, b: &mut Builder) {
        if value.kind() != "call_expression" {
            return;
        }
        let prefix = self.group_prefix(value, b);
        if !prefix.is_empty() {
            self.prefixes.insert(bound, prefix.into());
        }
    }

    /// The closure of chi's `r.Route("/users", func(r chi.Router) { … })` gets a router below the path.
    pub(super) fn remember_route_group(&mut self, call: Node, b: &mut Builder) {
        let Some(function) = call.child_by_field_name("function") else { return };
        let field = function.child_by_field_name("field").map(|field| b.text(field));
        if !matches!(field, Some("Route" | "Group")) || !self.imports_part(&[CHI, FIBER]) {
            return;
        }
        let values = call.child_by_field_name("arguments").map(argument_nodes).unwrap_or_default();
        let Some(literal) = values.last().filter(|value| value.kind() == "func_literal") else { return };
        let own = values.first().and_then(|first| self.string_value(*first, b)).unwrap_or_default();
        let prefix = join(&self.prefix_of(function, b), &own);
        if !prefix.is_empty() {
            self.group_literals.insert(literal.id(), prefix.into());
        }
    }

    pub(super) fn route_group_parameter(&mut self, literal: Node, b: &mut Builder) {
        let Some(prefix) = self.group_literals.get(&literal.id()).cloned() else { return };
        let Some(list) = literal.child_by_field_name("parameters") else { return };
        let name = list.named_child(0).and_then(|parameter| parameter.child_by_field_name("name"));
        let Some(name) = name else { return };
        let name = b.sym_of(name);
        if let Some(bound) = self.locals.lookup(name) {
            self.prefixes.insert(bound, prefix);
        }
    }

    fn worker(&mut self, name: &str, values: &[Node], node: Node, b: &mut Builder) {
        let (kind, rule) = match name {
            "AddFunc" | "AddJob" if self.imports_part(&[CRON]) => (RootKind::Worker, "cron job"),
            "HandleFunc" | "Handle" if self.imports_part(&[ASYNQ]) => (RootKind::Worker, "asynq handler"),
            "Subscribe" | "QueueSubscribe" if self.imports_part(&[NATS]) => {
                (RootKind::EventHandler, "nats subscription")
            }
            _ => return,
        };
        let Some(&last) = values.last() else { return };
        let topic = self.string_value(values[0], b);
        let (handler, handler_name) = self.handler(last, b);
        let name = match (handler_name, &topic) {
            (Some(name), _) => name,
            (None, Some(topic)) => b.sym(topic),
            (None, None) => return,
        };
        let def = if handler.is_none() { b.here() } else { None };
        let (route, rule) = (topic.map(|topic| b.sym(&topic)), b.sym(rule));
        b.add_root(RootFact { kind, line: line_of(node), name, verb: None, route, handler, def, rule });
    }

    /// `&cobra.Command{Use: "serve", RunE: serve}` and `cli.Command{Name: …, Action: …}`.
    pub(super) fn composite_patterns(&mut self, node: Node, b: &mut Builder) {
        let (Some(ty), Some(body)) = (node.child_by_field_name("type"), node.child_by_field_name("body")) else {
            return;
        };
        let (name_key, run_keys, rule) = match b.text(ty) {
            "cobra.Command" => ("Use", &["RunE", "Run"][..], "cobra command"),
            "cli.Command" => ("Name", &["Action"][..], "urfave/cli command"),
            _ => return,
        };
        let (mut name, mut run) = (None, None);
        let mut cursor = body.walk();
        for part in body.named_children(&mut cursor).filter(|part| part.kind() == "keyed_element") {
            let key = part.child_by_field_name("key").map(|key| b.text(key)).unwrap_or_default();
            let Some(value) = part.child_by_field_name("value").and_then(|value| value.named_child(0)) else {
                continue;
            };
            if key == name_key {
                name = self.string_value(value, b);
            } else if run_keys.contains(&key) {
                run = Some(value);
            }
        }
        let Some(run) = run else { return };
        let (handler, handler_name) = self.handler(run, b);
        let command = name.and_then(|text| text.split_whitespace().next().map(str::to_owned));
        let name = match (&command, handler_name) {
            (Some(command), _) => b.sym(command),
            (None, Some(name)) => name,
            (None, None) => return,
        };
        let def = if handler.is_none() { b.here() } else { None };
        let rule = b.sym(rule);
        let line = line_of(node);
        b.add_root(RootFact { kind: RootKind::Cli, line, name, verb: None, route: None, handler, def, rule });
    }

    /// The rule by which `go test` runs a function, if it does.
    pub(super) fn test_rule(
        &mut self,
        node: Node,
        name: &str,
        is_method: bool,
        b: &mut Builder,
    ) -> Option<&'static str> {
        let rule = match name {
            _ if runs_as(name, "Test") => "go test function",
            _ if runs_as(name, "Benchmark") => "go benchmark",
            _ if runs_as(name, "Fuzz") => "go fuzz test",
            _ if runs_as(name, "Example") => "go example",
            _ => return None,
        };
        if is_method {
            return (runs_as(name, "Test") && self.imports_part(&[SUITE])).then_some("testify suite method");
        }
        let list = node.child_by_field_name("parameters")?;
        let parameter = list.named_child(0).and_then(|first| first.child_by_field_name("type"));
        let wanted = match rule {
            "go test function" => Some(["*testing.T", "*testing.M"]),
            "go benchmark" => Some(["*testing.B"; 2]),
            "go fuzz test" => Some(["*testing.F"; 2]),
            _ => None,
        };
        match (wanted, parameter) {
            (Some(wanted), Some(ty)) => wanted.contains(&b.text(ty)).then_some(rule),
            (None, None) if node.child_by_field_name("result").is_none() => Some(rule),
            _ => None,
        }
    }

    pub(super) fn imports_part(&self, parts: &[&str]) -> bool {
        self.frameworks.iter().any(|path| parts.iter().any(|part| path.contains(part)))
    }

    fn imports_exactly(&self, path: &str) -> bool {
        self.frameworks.iter().any(|import| **import == *path)
    }
}

/// What the function of a call is a member of.
fn function_base(call: Node) -> Option<Node> {
    call.child_by_field_name("function")?.child_by_field_name("operand")
}

struct Route<'t> {
    verb: String,
    path: String,
    handler: Node<'t>,
    rule: &'static str,
}

/// Test functions are `TestX` where X does not start in lower case.
fn runs_as(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// Whether a node can be a function that handles requests.
fn is_handler(node: Node) -> bool {
    matches!(node.kind(), "identifier" | "selector_expression" | "func_literal" | "call_expression")
}

fn argument_nodes(list: Node) -> Vec<Node> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// Two parts of a path with one slash between them.
fn join(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (false, true) => prefix.to_owned(),
        (false, false) => format!("{}/{}", prefix.trim_end_matches('/'), path.trim_start_matches('/')),
    }
}
