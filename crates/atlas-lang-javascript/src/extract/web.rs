//! Routes: calls of routers and decorators of controllers.

use super::Js;
use super::grammar::Kind;
use super::roots::RootNote;
use atlas_syntax::{Builder, RootFact, RootKind, line_of};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

/// Local variables that hold routers, with the prefix of their routes.
pub(super) type Routers<'s> = FxHashMap<&'s str, Option<&'s str>>;

/// A decorator that stands before a class or member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decorated<'s> {
    pub name: &'s str,
    pub arg: Option<&'s str>,
    pub line: u32,
}

/// Verbs of routers, with how they are shown.
const VERBS: [(&str, &str); 9] = [
    ("all", "ANY"),
    ("del", "DELETE"),
    ("delete", "DELETE"),
    ("get", "GET"),
    ("head", "HEAD"),
    ("options", "OPTIONS"),
    ("patch", "PATCH"),
    ("post", "POST"),
    ("put", "PUT"),
];

/// Decorators that make a method a route.
const ROUTE_DECORATORS: [(&str, &str); 17] = [
    ("All", "ANY"),
    ("Delete", "DELETE"),
    ("Get", "GET"),
    ("Head", "HEAD"),
    ("Options", "OPTIONS"),
    ("Patch", "PATCH"),
    ("Post", "POST"),
    ("Put", "PUT"),
    ("Sse", "GET"),
    ("all", "ANY"),
    ("httpDelete", "DELETE"),
    ("httpGet", "GET"),
    ("httpHead", "HEAD"),
    ("httpPatch", "PATCH"),
    ("httpPost", "POST"),
    ("httpPut", "PUT"),
    ("httpMethod", "ANY"),
];

impl<'s> Js<'s> {
    /// Whether an expression is a router, an application or a server.
    fn is_router(&self, node: Node) -> bool {
        let node = self.unwrap(node);
        match self.kind(node) {
            Kind::Identifier => {
                let name = self.text(node);
                self.routers.contains_key(name) || (self.is_router_name(name) && self.may_be_router(name))
            }
            Kind::Member => {
                let name = self.field(node, self.g.fields.property).map_or("", |property| self.text(property));
                self.is_router_name(name) && self.hints_of_roots.web.is_some()
            }
            Kind::Call | Kind::New => self.makes_router(node),
            _ => false,
        }
    }

    fn is_router_name(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        matches!(lower.as_str(), "app" | "server" | "fastify" | "instance" | "api" | "routes" | "route" | "hono")
            || lower.ends_with("router")
            || lower.ends_with("app")
    }

    /// A parameter of a plug-in, or anything by a router's name where a framework is imported.
    fn may_be_router(&self, name: &str) -> bool {
        self.hints_of_roots.web.is_some() || !self.is_free(name)
    }

    /// `express()`, `express.Router()`, `new Hono()`, `Fastify({…})`.
    pub(super) fn makes_router(&self, node: Node) -> bool {
        let f = &self.g.fields;
        let callee = match self.kind(node) {
            Kind::Call => self.field(node, f.function),
            Kind::New => self.field(node, f.constructor),
            _ => None,
        };
        let Some(callee) = callee.map(|callee| self.unwrap(callee)) else { return false };
        let name = self.last_name(callee);
        match name {
            "express" | "Router" | "KoaRouter" | "Koa" | "fastify" | "Fastify" | "Hono" | "OpenAPIHono" | "polka"
            | "Elysia" | "createRouter" => true,
            "createServer" | "default" | "PromiseRouter" => self.hints_of_roots.web.is_some(),
            _ => false,
        }
    }

    /// Remembers that a variable holds a router.
    pub(super) fn note_router(&mut self, name: &'s str, value: Node) {
        if self.makes_router(value) {
            let args = self.field(value, self.g.fields.arguments);
            let prefix = args.and_then(|args| self.first(args)).and_then(|options| self.option(options, "prefix"));
            self.routers.insert(name, prefix);
        }
    }

    /// `app.get('/path', handler)`, `app.route('/path').get(handler)`.
    pub(super) fn verb_call(&mut self, node: Node, object: Node, verb: &'static str, list: &[Node], b: &mut Builder) {
        let Some(&last) = list.last() else { return };
        if !self.is_handler(last) {
            return;
        }
        let (route, router) = match self.chained_route(object) {
            Some((route, router)) => (Some(route), router),
            None => {
                let first = list.first().copied();
                let text = first.and_then(|first| self.route_text(first));
                // What is known to be a router may name its routes as it likes.
                let known = self.kind(object) == Kind::Identifier && self.routers.contains_key(self.text(object));
                let any = || first.filter(|_| known).and_then(|first| self.string(first)).map(str::to_owned);
                (text.or_else(any), object)
            }
        };
        let Some(route) = route else { return };
        if (list.len() < 2 && self.chained_route(object).is_none()) || !self.is_router(router) {
            return;
        }
        let prefix = match self.kind(router) {
            Kind::Identifier => self.routers.get(self.text(router)).copied().flatten(),
            _ => None,
        };
        let route = prefix.map_or_else(|| route.clone(), |prefix| join(prefix, &route));
        let rule = match self.hints_of_roots.web {
            Some("koa") => "koa router call",
            Some("fastify") => "fastify route call",
            Some("hono") => "hono route call",
            _ => "express route call",
        };
        self.add_handler(RootKind::HttpRoute, Some(verb), Some(route), rule, node, last, b);
    }

    /// The path that `X.route('/path').get(…).post(…)` is about, and X.
    fn chained_route<'t>(&self, object: Node<'t>) -> Option<(String, Node<'t>)> {
        let f = &self.g.fields;
        let mut node = object;
        for _ in 0..16 {
            if self.kind(node) != Kind::Call {
                return None;
            }
            let function = self.field(node, f.function)?;
            if self.kind(function) != Kind::Member {
                return None;
            }
            let inner = self.field(function, f.object)?;
            let name = self.text(self.field(function, f.property)?);
            if name == "route" {
                let first = self.first(self.field(node, f.arguments)?)?;
                return Some((self.route_text(first)?, inner));
            }
            verb(name)?;
            node = inner;
        }
        None
    }

    /// The text of a route's path.
    fn route_text(&self, node: Node) -> Option<String> {
        match self.kind(node) {
            Kind::String => {
                let text = self.string(node)?;
                (text.starts_with(['/', '*', '(', ':']) || text.is_empty()).then(|| text.to_owned())
            }
            Kind::TemplateString => {
                let text = self.title(node)?;
                text.starts_with(['/', '$']).then(|| text.to_owned())
            }
            Kind::Regex => Some(self.literal(node).chars().take(120).collect()),
            Kind::Array => self.first(node).and_then(|first| self.route_text(first)),
            _ => None,
        }
    }

    /// `server.route({ method, url, handler })` of Fastify and Hapi.
    pub(super) fn route_object(&mut self, node: Node, object: Node, list: &[Node], b: &mut Builder) {
        let Some(options) = list.first().map(|&arg| self.unwrap(arg)).filter(|&o| self.kind(o) == Kind::Object) else {
            return;
        };
        if !matches!(self.hints_of_roots.web, Some("fastify" | "hapi" | "http")) && !self.is_router(object) {
            return;
        }
        let f = &self.g.fields;
        let (mut verb, mut route, mut handler) = ("ANY", None, None);
        for pair in self.children(options) {
            let key = self.field(pair, f.key).or_else(|| self.field(pair, f.name));
            let name = key.map_or_else(|| self.text(pair), |key| self.key(key));
            let value = self.field(pair, f.value);
            match (name, value) {
                ("method", Some(value)) => {
                    let text = self.string(value).unwrap_or("ANY").to_ascii_lowercase();
                    verb = VERBS.iter().find(|(name, _)| *name == text).map_or("ANY", |(_, shown)| shown);
                }
                ("url" | "path", Some(value)) => route = self.route_text(value),
                ("handler", Some(value)) => handler = Some(value),
                ("handler", None) => handler = Some(pair),
                _ => {}
            }
        }
        let (Some(route), Some(handler)) = (route, handler) else { return };
        let rule = if self.hints_of_roots.web == Some("hapi") { "hapi route object" } else { "fastify route object" };
        if self.kind(handler) == Kind::Object || self.kind(handler) == Kind::MethodDefinition {
            self.push_root(RootKind::HttpRoute, line_of(node), "handler", Some(verb), Some(&route), None, rule, b);
            return;
        }
        if Self::is_function(self.kind(self.unwrap(handler))) {
            // The literal's own note names it `handler`; it is given the root as well.
            let id = self.unwrap(handler).id();
            let root =
                RootNote { kind: RootKind::HttpRoute, verb: Some(verb), route: Some(route), rule, line: line_of(node) };
            self.late_roots.insert(id, root);
            return;
        }
        self.add_handler(RootKind::HttpRoute, Some(verb), Some(route), rule, node, handler, b);
    }

    /// Roots that a method's decorators make; `ix` is the method.
    pub(super) fn method_roots(&mut self, ix: atlas_syntax::DefIx, name: &str, b: &mut Builder) {
        let decorators = std::mem::take(&mut self.decorators);
        for decorator in decorators {
            let prefix = self.controllers.last().copied().flatten();
            let verb = ROUTE_DECORATORS.iter().find(|(known, _)| *known == decorator.name);
            let (kind, verb, route, rule) = match (decorator.name, verb, prefix) {
                (_, Some((_, verb)), Some(prefix)) => {
                    let route = join(prefix, decorator.arg.unwrap_or_default());
                    (RootKind::HttpRoute, Some(*verb), Some(route), "controller method decorator")
                }
                ("Cron" | "Interval" | "Timeout" | "Process" | "OnQueueActive", ..) => {
                    (RootKind::Worker, None, decorator.arg.map(str::to_owned), "worker method decorator")
                }
                ("OnEvent" | "EventPattern" | "MessagePattern" | "SubscribeMessage" | "HostListener", ..) => {
                    (RootKind::EventHandler, None, decorator.arg.map(str::to_owned), "event method decorator")
                }
                _ => continue,
            };
            let root = RootFact {
                kind,
                line: decorator.line,
                name: b.sym(name),
                verb: verb.map(|verb| b.sym(verb)),
                route: route.map(|route| b.sym(&route)),
                handler: None,
                def: Some(ix),
                rule: b.sym(rule),
            };
            b.add_root(root);
        }
    }

    /// What a class's decorators say; called when all of them were seen.
    pub(super) fn class_decorators(&mut self, ix: atlas_syntax::DefIx, b: &mut Builder) {
        let decorators = std::mem::take(&mut self.decorators);
        let controller = decorators.iter().find(|decorator| {
            matches!(decorator.name, "Controller" | "RestController" | "JsonController" | "controller" | "Route")
        });
        self.controllers.push(controller.map(|controller| controller.arg.unwrap_or_default()));
        self.entity(ix, &decorators, b);
    }

    /// Remembers a decorator for the class or member that it stands before.
    pub(super) fn decorator_root(&mut self, inner: Node) {
        let f = &self.g.fields;
        let (callee, arg) = match self.kind(inner) {
            Kind::Call => {
                let arg = self.field(inner, f.arguments).and_then(|args| self.first(args));
                (self.field(inner, f.function), arg)
            }
            _ => (Some(inner), None),
        };
        let Some(name) = callee.map(|callee| self.last_name(callee)) else { return };
        let arg = arg.and_then(|arg| match self.kind(arg) {
            Kind::Object => self.children(arg).into_iter().find_map(|pair| {
                let key = self.field(pair, f.key)?;
                matches!(self.key(key), "path" | "name" | "tableName" | "collection")
                    .then(|| self.field(pair, f.value).and_then(|value| self.string(value)))
                    .flatten()
            }),
            Kind::Array => self.first(arg).and_then(|first| self.string(first)),
            _ => self.string(arg),
        });
        self.decorators.push(Decorated { name, arg, line: line_of(inner) });
    }
}

/// The HTTP verb that a router's method of this name is for.
pub(super) fn verb(name: &str) -> Option<&'static str> {
    let at = VERBS.binary_search_by_key(&name, |(verb, _)| verb).ok()?;
    Some(VERBS[at].1)
}

fn join(prefix: &str, path: &str) -> String {
    let mut route = String::new();
    for part in [prefix, path] {
        let part = part.trim_matches('/');
        if !part.is_empty() {
            route.push('/');
            route.push_str(part);
        }
    }
    if route.is_empty() { "/".to_owned() } else { route }
}
