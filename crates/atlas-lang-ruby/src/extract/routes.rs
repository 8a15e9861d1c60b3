//! Routes of a Rails application, as its `routes.draw` block states them.

use super::expr::{first_argument, option};
use super::macros::{camelize, plural, singular};
use super::{Ruby, plain_text};
use atlas_syntax::{Builder, Expr, ExprId, RootKind};
use tree_sitter::Node;

/// A block inside the routes: what it adds to paths and names of controllers.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// The node that closes it.
    pub node: usize,
    path: String,
    module: String,
    controller: Option<String>,
    /// Of a resource: its own path, and that of one of its members.
    collection: String,
    member: String,
}

const ACTIONS: [(&str, &str, &str); 7] = [
    ("index", "GET", ""),
    ("create", "POST", ""),
    ("new", "GET", "/new"),
    ("edit", "GET", "/:id/edit"),
    ("show", "GET", "/:id"),
    ("update", "PATCH", "/:id"),
    ("destroy", "DELETE", "/:id"),
];

impl Ruby {
    /// True if the call is a part of a route table.
    pub(super) fn route_call(&mut self, node: Node, name: &str, receiver: Option<Node>, b: &mut Builder) -> bool {
        if name == "draw" && receiver.is_some_and(|r| b.text(r).ends_with("routes")) {
            self.routes.push(Scope { node: node.id(), ..Scope::default() });
            return true;
        }
        if self.routes.is_empty() || receiver.is_some() {
            return false;
        }
        match name {
            "get" | "post" | "put" | "patch" | "delete" | "match" | "root" => self.single_route(node, name, b),
            "resources" | "resource" => self.resources(node, name == "resource", b),
            "namespace" => {
                if let Some(text) = first_argument(node).and_then(|first| plain_text(first, b)).map(str::to_owned) {
                    let path = self.option_text(node, "path", b).unwrap_or_else(|| text.clone());
                    let module = self.option_text(node, "module", b).unwrap_or(text);
                    self.nest(node, &path, &module, None);
                }
            }
            "scope" => {
                let path = first_argument(node).and_then(|first| plain_text(first, b)).map(str::to_owned);
                let path = path.or_else(|| self.option_text(node, "path", b)).unwrap_or_default();
                let module = self.option_text(node, "module", b).unwrap_or_default();
                let controller = self.option_text(node, "controller", b);
                self.nest(node, &path, &module, controller);
            }
            "controller" => {
                let controller = first_argument(node).and_then(|first| plain_text(first, b)).map(str::to_owned);
                self.nest(node, "", "", controller);
            }
            "member" | "collection" | "new" => {
                let mut scope = self.scope();
                scope.node = node.id();
                scope.path = match name {
                    "member" => scope.member.clone(),
                    "collection" => scope.collection.clone(),
                    _ => format!("{}/new", scope.collection),
                };
                self.routes.push(scope);
            }
            "mount" => self.mount(node, b),
            _ => return false,
        }
        true
    }

    fn scope(&self) -> Scope {
        self.routes.last().cloned().unwrap_or_default()
    }

    fn option_text(&self, node: Node, key: &str, b: &Builder) -> Option<String> {
        option(node, key, b).and_then(|value| plain_text(value, b)).map(str::to_owned)
    }

    fn nest(&mut self, node: Node, path: &str, module: &str, controller: Option<String>) {
        let around = self.scope();
        self.routes.push(Scope {
            node: node.id(),
            path: join(&around.path, path),
            module: join_module(&around.module, module),
            controller: controller.or(around.controller),
            collection: String::new(),
            member: String::new(),
        });
    }

    fn resources(&mut self, node: Node, single: bool, b: &mut Builder) {
        let Some(list) = node.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        let names: Vec<Node> = list.named_children(&mut cursor).collect();
        let names: Vec<String> =
            names.into_iter().filter_map(|name| plain_text(name, b)).map(str::to_owned).take(64).collect();
        let around = self.scope();
        let base = if around.member.is_empty() || around.path != around.collection {
            around.path.clone()
        } else {
            nested_member(&around)
        };
        let only = self.names_of(node, "only", b);
        let except = self.names_of(node, "except", b).unwrap_or_default();
        let module = join_module(&around.module, &self.option_text(node, "module", b).unwrap_or_default());
        let mut last = None;
        for name in names {
            let path = join(&base, &self.option_text(node, "path", b).unwrap_or_else(|| name.clone()));
            let controller = self.option_text(node, "controller", b);
            let controller = controller.unwrap_or_else(|| if single { plural(&name) } else { name.clone() });
            for (action, verb, suffix) in ACTIONS {
                let wanted = only.as_ref().is_none_or(|only| only.iter().any(|one| one == action));
                if !wanted || except.iter().any(|one| one == action) || single && action == "index" {
                    continue;
                }
                let suffix = if single { suffix.replace("/:id", "") } else { suffix.to_owned() };
                let route = format!("{path}{suffix}");
                self.add_route(node, verb, &route, &module, &controller, action, "rails resources", b);
            }
            let member = if single { path.clone() } else { format!("{path}/:id") };
            last = Some((path, member, controller));
        }
        if let (Some((collection, member, controller)), Some(_)) = (last, node.child_by_field_name("block")) {
            self.routes.push(Scope {
                node: node.id(),
                path: collection.clone(),
                module,
                controller: Some(controller),
                collection,
                member,
            });
        }
    }

    fn single_route(&mut self, node: Node, name: &str, b: &mut Builder) {
        let Some(list) = node.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        let arguments: Vec<Node> = list.named_children(&mut cursor).take(32).collect();
        let scope = self.scope();
        let mut target = self.option_text(node, "to", b);
        let mut paths: Vec<String> = Vec::new();
        for argument in &arguments {
            match argument.kind() {
                // `get 'x' => 'c#a'`
                "pair" => {
                    let (key, value) = (argument.child_by_field_name("key"), argument.child_by_field_name("value"));
                    if let (Some(key), Some(value)) = (key.filter(|key| key.kind() == "string"), value) {
                        paths.extend(plain_text(key, b).map(str::to_owned));
                        target = target.or_else(|| plain_text(value, b).map(str::to_owned));
                    }
                }
                _ => paths.extend(plain_text(*argument, b).map(str::to_owned)),
            }
        }
        if name == "root" {
            target = target.or_else(|| paths.first().cloned());
            paths = vec!["/".to_owned()];
        }
        let verbs = match name {
            "match" => self.names_of(node, "via", b).unwrap_or_else(|| vec!["any".to_owned()]),
            "root" => vec!["get".to_owned()],
            verb => vec![verb.to_owned()],
        };
        let action = self.option_text(node, "action", b);
        let controller = self.option_text(node, "controller", b).or_else(|| scope.controller.clone());
        let base = match self.option_text(node, "on", b).as_deref() {
            Some("member") => scope.member.clone(),
            Some("collection") => scope.collection.clone(),
            _ => scope.path.clone(),
        };
        for path in paths {
            // `get "a/b"` without a target is answered by `a#b`, inside a resource by its own action.
            let plain = path.trim_matches('/');
            let (controller, action) = match (&target, &action, &controller) {
                (Some(target), _, _) if target.contains('#') => {
                    let (controller, action) = target.split_once('#').unwrap_or((target, "index"));
                    (Some(controller.to_owned()), action.to_owned())
                }
                (Some(target), _, Some(controller)) => (Some(controller.clone()), target.clone()),
                (_, Some(action), Some(controller)) => (Some(controller.clone()), action.clone()),
                (None, None, Some(controller)) => (Some(controller.clone()), plain.replace('/', "_")),
                _ => match plain.rsplit_once('/') {
                    Some((controller, action)) => (Some(controller.to_owned()), action.to_owned()),
                    None => (None, plain.to_owned()),
                },
            };
            let route = join(&base, &path);
            for verb in &verbs {
                let verb = if verb == "all" { "ANY".to_owned() } else { verb.to_ascii_uppercase() };
                self.add_route(
                    node,
                    &verb,
                    &route,
                    &scope.module,
                    controller.as_deref().unwrap_or_default(),
                    &action,
                    "rails route",
                    b,
                );
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one route, each said once")]
    fn add_route(
        &mut self,
        node: Node,
        verb: &str,
        route: &str,
        module: &str,
        controller: &str,
        action: &str,
        rule: &str,
        b: &mut Builder,
    ) {
        let path = join_module(module, controller.trim_start_matches('/'));
        let handler = if controller.is_empty() { 0 } else { controller_action(&path, action, b) };
        let route = if route.starts_with('/') { route.to_owned() } else { format!("/{route}") };
        let name = format!("{path}#{action}");
        self.root(RootKind::HttpRoute, node, &name, rule, b, |root, b| {
            root.verb = Some(b.sym(verb));
            root.route = Some(b.sym(&route));
            root.handler = Some(handler).filter(|&handler| handler != 0);
        });
    }

    /// `mount Engine => "/path"`, `mount Engine, at: "/path"`.
    fn mount(&mut self, node: Node, b: &mut Builder) {
        let Some(first) = node.child_by_field_name("arguments").and_then(|list| list.named_child(0)) else { return };
        let (app, path) = if first.kind() == "pair" {
            (
                first.child_by_field_name("key"),
                first.child_by_field_name("value").and_then(|v| plain_text(v, b)).map(str::to_owned),
            )
        } else {
            (Some(first), self.option_text(node, "at", b))
        };
        let (Some(app), Some(path)) = (app, path) else { return };
        let route = join(&self.scope().path, &path);
        let handler = self.expr(app, b);
        let name = b.text(app).chars().take(80).collect::<String>();
        self.root(RootKind::HttpRoute, node, &name, "rails mount", b, |root, b| {
            root.verb = Some(b.sym("ANY"));
            root.route = Some(b.sym(&route));
            root.handler = Some(handler).filter(|&handler| handler != 0);
        });
    }
}

/// `Admin::VotesController#show` for `admin/votes` and `show`.
fn controller_action(controller: &str, action: &str, b: &mut Builder) -> ExprId {
    let class = format!("{}Controller", camelize(controller));
    let mut base: Option<ExprId> = None;
    for (n, part) in class.split("::").enumerate() {
        let name = if n == 0 { b.sym(&format!("::{part}")) } else { b.sym(part) };
        base = Some(match base {
            None => b.expr(Expr::Name(name)),
            Some(base) => b.expr(Expr::Member { base, name }),
        });
    }
    let Some(base) = base else { return 0 };
    let name = b.sym(action);
    b.expr(Expr::Member { base, name })
}

/// Nested resources stand below a member: `/votes/:vote_id`.
fn nested_member(scope: &Scope) -> String {
    if scope.member == scope.collection {
        return scope.member.clone();
    }
    let name = scope.collection.rsplit('/').next().unwrap_or_default();
    format!("{}/:{}_id", scope.collection, singular(name))
}

fn join(base: &str, path: &str) -> String {
    let path = path.trim_matches('/');
    match (base.trim_end_matches('/'), path) {
        ("", "") => "/".to_owned(),
        (base, "") => base.to_owned(),
        (base, path) if base.is_empty() || base.starts_with('/') => format!("{base}/{path}"),
        (base, path) => format!("/{base}/{path}"),
    }
}

fn join_module(base: &str, module: &str) -> String {
    match (base, module) {
        ("", module) => module.to_owned(),
        (base, "") => base.to_owned(),
        (base, module) => format!("{base}/{module}"),
    }
}
