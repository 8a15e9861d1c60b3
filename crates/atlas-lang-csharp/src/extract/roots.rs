//! Entry points: ASP.NET controllers and minimal APIs, workers, tests, `Main`.

use super::exprs::literal_text;
use super::{CSharp, child_of_kind, has_modifier, parts};
use atlas_syntax::{Builder, DefFlags, DefIx, RootFact, RootKind, line_of};
use tree_sitter::Node;

/// Attributes that make a method a test: xUnit, NUnit, MSTest, TUnit.
const TESTS: [&str; 7] = ["Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod"];

/// Attributes that give an action its verb.
const VERBS: [(&str, &str); 7] = [
    ("HttpGet", "GET"),
    ("HttpPost", "POST"),
    ("HttpPut", "PUT"),
    ("HttpDelete", "DELETE"),
    ("HttpPatch", "PATCH"),
    ("HttpHead", "HEAD"),
    ("HttpOptions", "OPTIONS"),
];

/// An attribute, read.
struct Attribute {
    name: String,
    /// Its first argument, if it is a text.
    text: Option<String>,
}

impl CSharp {
    fn attributes(node: Node, b: &Builder) -> Vec<Attribute> {
        let lists = parts(node).into_iter().filter(|part| part.kind() == "attribute_list");
        lists
            .flat_map(parts)
            .filter(|part| part.kind() == "attribute")
            .filter_map(|attribute| {
                let name = b.text(attribute.child_by_field_name("name")?);
                let name = name.rsplit('.').next().unwrap_or(name);
                let name = name.strip_suffix("Attribute").filter(|short| !short.is_empty()).unwrap_or(name).to_owned();
                let first = child_of_kind(attribute, "attribute_argument_list")
                    .and_then(|list| list.named_child(0))
                    .filter(|first| first.child_by_field_name("name").is_none())
                    .and_then(|first| parts(first).last().copied());
                Some(Attribute { name, text: first.and_then(|value| literal_text(value, b)) })
            })
            .collect()
    }

    /// What a controller's attributes put before the paths of its actions; None for any other class.
    pub(super) fn controller(&self, node: Node, name: &str, bases: &[String], b: &Builder) -> Option<String> {
        let attributes = Self::attributes(node, b);
        let is_base = |base: &String| matches!(base.as_str(), "Controller" | "ControllerBase" | "ApiController");
        let marked = attributes.iter().any(|a| matches!(a.name.as_str(), "ApiController" | "Controller"));
        let by_name = name.ends_with("Controller") && bases.iter().any(|base| base.ends_with("Controller"));
        if !marked && !by_name && !bases.iter().any(is_base) {
            return None;
        }
        let find = |wanted: &str| attributes.iter().find(|a| a.name == wanted).and_then(|a| a.text.clone());
        Some(find("Route").or_else(|| find("RoutePrefix")).unwrap_or_default())
    }

    pub(super) fn is_test(&self, node: Node, b: &Builder) -> bool {
        Self::attributes(node, b).iter().any(|attribute| TESTS.contains(&attribute.name.as_str()))
    }

    pub(super) fn method_roots(&mut self, node: Node, def: DefIx, name: Node, is_test: bool, b: &mut Builder) {
        let (line, text) = (line_of(name), b.text(name));
        if is_test {
            root(RootKind::Test, line, text, None, None, Some(def), "test attribute", b);
            if let Some(open) = self.types.last() {
                b.def_mut(open.def).flags.set(DefFlags::TEST, true);
            }
        }
        if text == "Main" && has_modifier(node, "static", b) {
            root(RootKind::Cli, line, text, None, None, Some(def), "main method", b);
        }
        self.action(node, def, text, line, b);
        let Some(open) = self.types.last() else { return };
        let base = |name: &str| open.bases.iter().any(|base| base == name);
        if text == "ExecuteAsync" && base("BackgroundService") || text == "StartAsync" && base("IHostedService") {
            root(RootKind::Worker, line, text, None, None, Some(def), "hosted service", b);
        } else if text == "Execute" && base("IJob") {
            root(RootKind::Worker, line, text, None, None, Some(def), "quartz job", b);
        } else if text == "Consume" && base("IConsumer") {
            root(RootKind::EventHandler, line, text, None, None, Some(def), "masstransit consumer", b);
        } else if text == "Handle" && (base("IRequestHandler") || base("INotificationHandler")) {
            root(RootKind::EventHandler, line, text, None, None, Some(def), "mediatr handler", b);
        }
    }

    /// An action of a controller.
    fn action(&self, node: Node, def: DefIx, name: &str, line: u32, b: &mut Builder) {
        let Some(open) = self.types.last() else { return };
        let Some(prefix) = &open.controller else { return };
        let attributes = Self::attributes(node, b);
        if !has_modifier(node, "public", b)
            || has_modifier(node, "static", b)
            || attributes.iter().any(|attribute| attribute.name == "NonAction")
        {
            return;
        }
        let controller = open.name.strip_suffix("Controller").unwrap_or(&open.name);
        let route = attributes.iter().find(|a| a.name == "Route").and_then(|a| a.text.clone());
        let fill = |path: &str| path.replace("[controller]", controller).replace("[action]", name);
        let mut found = false;
        for attribute in &attributes {
            let Some((_, verb)) = VERBS.iter().find(|(known, _)| *known == attribute.name) else { continue };
            found = true;
            let own = attribute.text.clone().or_else(|| route.clone()).unwrap_or_default();
            let path = fill(&action_path(prefix, &own));
            root(RootKind::HttpRoute, line, name, Some(verb), Some(&path), Some(def), "asp.net action", b);
        }
        if found {
            return;
        }
        match route {
            Some(own) => {
                let path = fill(&action_path(prefix, &own));
                root(RootKind::HttpRoute, line, name, Some("ANY"), Some(&path), Some(def), "asp.net action", b);
            }
            // Without a route of its own, an action is reached by the names of controller and action.
            None => {
                let result = node.child_by_field_name("returns").map_or("", |ty| b.text(ty));
                if ["ActionResult", "ViewResult", "JsonResult"].iter().any(|known| result.contains(known)) {
                    let path =
                        if prefix.is_empty() { format!("/{controller}/{name}") } else { fill(&join(prefix, "")) };
                    root(RootKind::HttpRoute, line, name, Some("ANY"), Some(&path), Some(def), "asp.net convention", b);
                }
            }
        }
    }

    /// `app.MapGet("/x", handler)` and `var group = app.MapGroup("/x")`.
    pub(super) fn route_call(&mut self, node: Node, function: Node, name: Node, arguments: Node, b: &mut Builder) {
        let verb = match b.text(name) {
            "MapGet" => "GET",
            "MapPost" => "POST",
            "MapPut" => "PUT",
            "MapDelete" => "DELETE",
            "MapPatch" => "PATCH",
            "MapGroup" => "",
            _ => return,
        };
        let Some(object) = function.child_by_field_name("expression") else { return };
        let values: Vec<Node> = parts(arguments).into_iter().filter_map(|a| parts(a).last().copied()).collect();
        let Some(path) = values.first().and_then(|value| literal_text(*value, b)) else { return };
        let prefix = self.group_prefix(object, b);
        let path = join(&prefix, &path);
        if verb.is_empty() {
            // Up to the declarator that holds the group, past what is chained to it.
            let mut at = node.parent();
            for _ in 0..16 {
                let Some(around) = at else { return };
                match around.kind() {
                    "variable_declarator" => {
                        if let Some(holder) = around.child_by_field_name("name") {
                            self.groups.insert(b.text(holder).to_owned(), path);
                        }
                        return;
                    }
                    "invocation_expression" | "member_access_expression" => at = around.parent(),
                    _ => return,
                }
            }
            return;
        }
        let Some(handler) = values.get(1) else { return };
        let is_lambda = matches!(handler.kind(), "lambda_expression" | "anonymous_method_expression");
        let (handler_name, handler) = if is_lambda {
            (path.clone(), None)
        } else {
            let text = b.text(*handler);
            let expr = self.expr(*handler, b);
            (text.rsplit('.').next().unwrap_or(text).to_owned(), Some(expr).filter(|&id| id != 0))
        };
        let def = if handler.is_none() { b.enclosing_callable() } else { None };
        let fact = RootFact {
            kind: RootKind::HttpRoute,
            line: line_of(name),
            name: b.sym(&handler_name),
            verb: Some(b.sym(verb)),
            route: Some(b.sym(&path)),
            handler,
            def,
            rule: b.sym("asp.net minimal api"),
        };
        b.add_root(fact);
    }

    /// The prefix of the group that an expression holds: a variable, or `MapGroup` called in place.
    fn group_prefix(&self, object: Node, b: &Builder) -> String {
        match object.kind() {
            "identifier" => self.groups.get(b.text(object)).cloned().unwrap_or_default(),
            "invocation_expression" => {
                let function = object.child_by_field_name("function");
                let is_group = function
                    .and_then(|function| function.child_by_field_name("name"))
                    .is_some_and(|name| b.text(name) == "MapGroup");
                let first = object.child_by_field_name("arguments").and_then(|list| list.named_child(0));
                let text = first.and_then(|first| literal_text(*parts(first).last()?, b));
                if is_group { text.unwrap_or_default() } else { String::new() }
            }
            _ => String::new(),
        }
    }

    /// The first statement of a program without a `Main`.
    pub(super) fn top_level(&mut self, node: Node, b: &mut Builder) {
        let declares = node.named_child(0).is_some_and(|inner| inner.kind() == "local_function_statement");
        if !self.top_level && !declares {
            self.top_level = true;
            root(RootKind::Cli, line_of(node), "main", None, None, None, "top-level statements", b);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the fields of one fact, each from another place")]
fn root(
    kind: RootKind,
    line: u32,
    name: &str,
    verb: Option<&str>,
    route: Option<&str>,
    def: Option<DefIx>,
    rule: &str,
    b: &mut Builder,
) {
    let fact = RootFact {
        kind,
        line,
        name: b.sym(name),
        verb: verb.map(|verb| b.sym(verb)),
        route: route.map(|route| b.sym(route)),
        handler: None,
        def,
        rule: b.sym(rule),
    };
    b.add_root(fact);
}

/// The path of an action: one that starts with `/` or `~/` stands alone.
fn action_path(prefix: &str, path: &str) -> String {
    match path.strip_prefix("~/").or(path.strip_prefix('/')) {
        Some(path) => format!("/{path}"),
        None => join(prefix, path),
    }
}

/// A path behind its prefix, with one slash between.
fn join(prefix: &str, path: &str) -> String {
    let (prefix, path) = (prefix.trim_matches('/'), path.trim_start_matches('/'));
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => format!("/{path}"),
        (false, true) => format!("/{prefix}"),
        (false, false) => format!("/{prefix}/{path}"),
    }
}
