//! Entry points: routes, workers, commands, event handlers, tests.
//!
//! Found by syntax and guarded by what the file imports or what the receiver was made from, so that
//! `map.get('/x')` is no route. A function written in place as a handler or test becomes a
//! definition under the route's or test's name, so that what it calls has a source.

use super::grammar::Kind;
use super::{Js, Note, This, UNNAMED_OWNER};
use atlas_syntax::{Builder, DefFlags, DefKind, ExprId, RootFact, RootKind, column_of, line_of};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

/// What the file's imports say of frameworks.
#[derive(Debug, Default)]
pub struct Hints {
    web: Option<&'static str>,
    queue: Option<&'static str>,
    command: Option<&'static str>,
    tests: bool,
    pub(super) typeorm: bool,
    pub(super) prisma: bool,
    pub(super) sequelize: bool,
    pub(super) mongoose: bool,
    pub(super) knex: bool,
    pub(super) drizzle: bool,
}

impl Hints {
    pub(super) fn imported(&mut self, module: &str) {
        match module {
            "express" | "express-promise-router" | "router" => self.web = Some("express"),
            "koa" | "koa-router" | "@koa/router" => self.web = Some("koa"),
            "fastify" | "fastify-plugin" => self.web = Some("fastify"),
            "hono" | "@hono/zod-openapi" => self.web = Some("hono"),
            "@hapi/hapi" | "hapi" => self.web = Some("hapi"),
            "restify" | "polka" | "find-my-way" | "elysia" | "h3" => self.web = Some("http"),
            "bullmq" => self.queue = Some("bullmq"),
            "bull" | "bee-queue" | "kue" => self.queue = Some("bull"),
            "agenda" | "node-cron" | "cron" | "pg-boss" | "node-schedule" | "croner" => self.queue = Some("schedule"),
            "commander" => self.command = Some("commander"),
            "yargs" | "yargs/yargs" => self.command = Some("yargs"),
            "cac" => self.command = Some("cac"),
            "vitest" | "node:test" | "mocha" | "@jest/globals" | "ava" | "tape" | "tap" | "uvu" | "bun:test"
            | "@playwright/test" => self.tests = true,
            "typeorm" | "@nestjs/typeorm" | "@mikro-orm/core" => self.typeorm = true,
            "@prisma/client" => self.prisma = true,
            "sequelize" | "sequelize-typescript" => self.sequelize = true,
            "mongoose" | "@nestjs/mongoose" => self.mongoose = true,
            "knex" => self.knex = true,
            _ => {
                if module.starts_with("drizzle-orm") {
                    self.drizzle = true;
                }
            }
        }
    }
}

/// A root whose handler is the function that a note speaks of.
#[derive(Debug, Clone)]
pub(super) struct RootNote {
    pub kind: RootKind,
    pub verb: Option<&'static str>,
    pub route: Option<String>,
    pub rule: &'static str,
    pub line: u32,
}

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

/// Functions of test runners that take a name and a function.
const TEST_FUNCTIONS: [&str; 9] = ["bench", "fit", "it", "specify", "test", "testIf", "xit", "xspecify", "xtest"];
/// Functions of test runners that take a function alone.
const TEST_HOOKS: [&str; 10] = [
    "after",
    "afterAll",
    "afterEach",
    "before",
    "beforeAll",
    "beforeEach",
    "setup",
    "suiteSetup",
    "suiteTeardown",
    "teardown",
];

impl<'s> Js<'s> {
    /// Whether a call registers something.
    pub(super) fn call_root(&mut self, node: Node, callee: Node, list: &[Node], b: &mut Builder) {
        if list.is_empty() {
            return;
        }
        match self.kind(callee) {
            Kind::Identifier | Kind::Call => {
                self.test_call(node, callee, list, b);
            }
            Kind::Member => {
                if self.test_call(node, callee, list, b) {
                    return;
                }
                let f = &self.g.fields;
                let (Some(object), Some(property)) = (self.field(callee, f.object), self.field(callee, f.property))
                else {
                    return;
                };
                let name = self.text(property);
                if let Ok(at) = VERBS.binary_search_by_key(&name, |(verb, _)| verb) {
                    self.verb_call(node, object, VERBS[at].1, list, b);
                }
                match name {
                    "route" => self.route_object(node, object, list, b),
                    "on" | "once" | "addListener" | "addEventListener" | "prependListener" => {
                        self.event_call(node, list, b);
                    }
                    "process" | "schedule" | "define" | "work" | "scheduleJob" => self.queue_call(node, name, list, b),
                    "action" | "command" => self.command_call(node, object, name, list, b),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// `it('…', () => …)`, `test.each(…)('…', () => …)`. True if it is a test or a hook of one.
    fn test_call(&mut self, node: Node, callee: Node, list: &[Node], b: &mut Builder) -> bool {
        let Some(path) = self.test_path(callee) else { return false };
        let first = path[0];
        if !self.is_free(first) || self.top.contains_key(first) {
            return false;
        }
        let Some(&function) = list.iter().find(|&&arg| Self::is_function(self.kind(self.unwrap(arg)))) else {
            return false;
        };
        let function = self.unwrap(function);
        if TEST_HOOKS.contains(&first) && path.len() == 1 {
            let mut note = self.root_note(first, callee, DefFlags::TEST);
            note.start = Some(line_of(node));
            self.notes.insert(function.id(), note);
            return true;
        }
        let is_test = TEST_FUNCTIONS.binary_search(&first).is_ok() || (first == "Deno" && path.get(1) == Some(&"test"));
        if !is_test {
            return false;
        }
        let Some(name) = list.first().and_then(|&arg| self.title(arg)) else { return false };
        let mut note = self.root_note(name, list[0], DefFlags::TEST);
        note.start = Some(line_of(node));
        note.root =
            Some(RootNote { kind: RootKind::Test, verb: None, route: None, rule: "test call", line: line_of(node) });
        self.notes.insert(function.id(), note);
        let _ = b;
        true
    }

    /// The dotted names of a test function, through `.each(…)` and tagged tables.
    fn test_path(&self, callee: Node) -> Option<Vec<&'s str>> {
        match self.kind(callee) {
            Kind::Call => {
                let function = self.field(callee, self.g.fields.function)?;
                let path = self.dotted(function)?;
                matches!(path.last(), Some(&("each" | "skipIf" | "runIf" | "for"))).then_some(path)
            }
            _ => self.dotted(callee),
        }
    }

    /// A string or template as a name.
    fn title(&self, node: Node) -> Option<&'s str> {
        let text = match self.kind(node) {
            Kind::String | Kind::TemplateString => self.literal(node),
            _ => return None,
        };
        let text = text.get(1..text.len().checked_sub(1)?)?;
        let end = text.char_indices().nth(120).map_or(text.len(), |(at, _)| at);
        let text = text[..end].lines().next().unwrap_or_default();
        (!text.is_empty()).then_some(text)
    }

    fn root_note(&mut self, name: &'s str, at: Node, flags: DefFlags) -> Note<'s> {
        let mut note = self.place_note(name, at, DefKind::Function, Some(UNNAMED_OWNER));
        note.at = (line_of(at), column_of(at));
        note.flags = flags;
        note.this = Some(This::Unknown);
        note
    }

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

    /// `app.get('/path', handler)`, `app.route('/path').get(handler)`.
    fn verb_call(&mut self, node: Node, object: Node, verb: &'static str, list: &[Node], b: &mut Builder) {
        let Some(&last) = list.last() else { return };
        if !self.is_handler(last) {
            return;
        }
        let (route, router) = match self.chained_route(object) {
            Some((route, router)) => (Some(route), router),
            None => (list.first().and_then(|&first| self.route_text(first)), object),
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
            VERBS.binary_search_by_key(&name, |(verb, _)| verb).ok()?;
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

    /// Whether an argument can be what handles a request or event.
    fn is_handler(&self, node: Node) -> bool {
        let node = self.unwrap(node);
        match self.kind(node) {
            Kind::Identifier | Kind::Member => true,
            Kind::Call => self.field(node, self.g.fields.function).is_some_and(|f| self.kind(f) != Kind::Import),
            Kind::Array => self.last(node).is_some_and(|last| self.is_handler(last)),
            kind => Self::is_function(kind),
        }
    }

    /// What handles it: the last of an array, what a wrapper was given.
    fn handler<'t>(&self, node: Node<'t>) -> Node<'t> {
        let mut node = self.unwrap(node);
        for _ in 0..4 {
            let inner = match self.kind(node) {
                Kind::Array => self.last(node),
                Kind::Call => {
                    let f = &self.g.fields;
                    let bound = self.field(node, f.function).filter(|&f| self.last_name(f) == "bind");
                    if bound.is_some() {
                        None
                    } else {
                        let args = self.field(node, f.arguments).map(|args| self.children(args)).unwrap_or_default();
                        args.into_iter().find(|&arg| {
                            let arg = self.unwrap(arg);
                            Self::is_function(self.kind(arg))
                                || matches!(self.kind(arg), Kind::Identifier | Kind::Member)
                        })
                    }
                }
                _ => None,
            };
            let Some(inner) = inner else { break };
            node = self.unwrap(inner);
        }
        node
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a root")]
    fn add_handler(
        &mut self,
        kind: RootKind,
        verb: Option<&'static str>,
        route: Option<String>,
        rule: &'static str,
        node: Node,
        handler: Node,
        b: &mut Builder,
    ) {
        let handler = self.handler(handler);
        let line = line_of(node);
        let title = match (verb, &route) {
            (Some(verb), Some(route)) => format!("{verb} {route}"),
            (_, Some(route)) => route.clone(),
            (_, None) => rule.to_owned(),
        };
        if Self::is_function(self.kind(handler)) {
            let own = self.field(handler, self.g.fields.name);
            let mut note = match own {
                Some(own) => self.root_note(self.text(own), own, DefFlags::default()),
                None => self.root_note("", handler, DefFlags::default()),
            };
            if own.is_none() {
                note.title = Some(title);
            }
            note.start = Some(line);
            note.root = Some(RootNote { kind, verb, route, rule, line });
            self.notes.insert(handler.id(), note);
            return;
        }
        let value = self.expr(handler, b);
        let name = match self.dotted(handler) {
            Some(path) => path.last().map(|&name| name.to_owned()).unwrap_or(title),
            None => title,
        };
        self.push_root(kind, line, &name, verb, route.as_deref(), (value != 0).then_some(value), rule, b);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a root")]
    fn push_root(
        &mut self,
        kind: RootKind,
        line: u32,
        name: &str,
        verb: Option<&str>,
        route: Option<&str>,
        handler: Option<ExprId>,
        rule: &str,
        b: &mut Builder,
    ) {
        let root = RootFact {
            kind,
            line,
            name: b.sym(name),
            verb: verb.map(|verb| b.sym(verb)),
            route: route.map(|route| b.sym(route)),
            handler,
            def: None,
            rule: b.sym(rule),
        };
        b.add_root(root);
    }

    /// `server.route({ method, url, handler })` of Fastify and Hapi.
    fn route_object(&mut self, node: Node, object: Node, list: &[Node], b: &mut Builder) {
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

    fn event_call(&mut self, node: Node, list: &[Node], b: &mut Builder) {
        let [event, handler, ..] = list else { return };
        let Some(event) = self.string(*event).filter(|event| !event.is_empty() && event.len() <= 80) else { return };
        let handler = self.unwrap(*handler);
        let kind = self.kind(handler);
        let bound = kind == Kind::Call
            && self.field(handler, self.g.fields.function).is_some_and(|f| self.last_name(f) == "bind");
        if !(Self::is_function(kind) || matches!(kind, Kind::Identifier | Kind::Member) || bound) {
            return;
        }
        let own = self.field(handler, self.g.fields.name).is_some();
        if Self::is_function(kind) && !own {
            self.push_root(RootKind::EventHandler, line_of(node), event, None, Some(event), None, "event listener", b);
            return;
        }
        self.add_handler(RootKind::EventHandler, None, Some(event.to_owned()), "event listener", node, handler, b);
    }

    fn queue_call(&mut self, node: Node, name: &str, list: &[Node], b: &mut Builder) {
        let rule = match (self.hints_of_roots.queue, name) {
            (Some("bull"), "process") => "bull process",
            (Some("schedule"), "schedule" | "define" | "work" | "scheduleJob") => "scheduled job",
            _ => return,
        };
        let Some(&handler) = list.iter().rev().find(|&&arg| self.is_handler(arg)) else { return };
        let queue = list.first().and_then(|&first| self.string(first)).map(str::to_owned);
        self.add_handler(RootKind::Worker, None, queue, rule, node, handler, b);
    }

    /// `new Worker('queue', handler)`, `new CronJob('* * * * *', handler)`.
    pub(super) fn new_root(&mut self, node: Node, callee: Node, list: &[Node], b: &mut Builder) {
        let rule = match (self.last_name(callee), self.hints_of_roots.queue) {
            ("Worker", Some("bullmq")) => "bullmq worker",
            ("CronJob" | "Cron", Some("schedule")) => "scheduled job",
            _ => return,
        };
        let [queue, handler, ..] = list else { return };
        if self.is_handler(*handler) {
            let queue = self.string(*queue).map(str::to_owned).or_else(|| Some(self.text(*queue).to_owned()));
            self.add_handler(RootKind::Worker, None, queue, rule, node, *handler, b);
        }
    }

    /// `program.command('x').action(run)`, `yargs.command('x', '…', build, run)`.
    fn command_call(&mut self, node: Node, object: Node, name: &str, list: &[Node], b: &mut Builder) {
        let f = &self.g.fields;
        match (self.hints_of_roots.command, name) {
            (Some("commander" | "cac"), "action") => {
                let mut inner = object;
                let mut command = None;
                for _ in 0..64 {
                    let function = self.field(inner, f.function);
                    let Some(function) = function.filter(|&function| self.kind(function) == Kind::Member) else {
                        break;
                    };
                    let property = self.field(function, f.property).map_or("", |property| self.text(property));
                    if property == "command" {
                        let args = self.field(inner, f.arguments);
                        command = args.and_then(|args| self.first(args)).and_then(|first| self.string(first));
                        break;
                    }
                    let Some(next) = self.field(function, f.object) else { break };
                    inner = next;
                }
                let rule = "command action";
                self.add_handler(RootKind::Cli, None, command.map(str::to_owned), rule, node, list[0], b);
            }
            (Some("yargs"), "command") => {
                let command = list.first().and_then(|&first| self.string(first)).map(str::to_owned);
                if let (Some(&handler), true) = (list.last(), list.len() > 2)
                    && self.is_handler(handler)
                {
                    self.add_handler(RootKind::Cli, None, command, "yargs command", node, handler, b);
                }
            }
            _ => {}
        }
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

    /// States the root that a function's note carries.
    pub(super) fn note_root(&mut self, root: RootNote, ix: atlas_syntax::DefIx, b: &mut Builder) {
        let name = b.facts().def(ix).name;
        let fact = RootFact {
            kind: root.kind,
            line: root.line,
            name,
            verb: root.verb.map(|verb| b.sym(verb)),
            route: root.route.map(|route| b.sym(&route)),
            handler: None,
            def: Some(ix),
            rule: b.sym(root.rule),
        };
        b.add_root(fact);
    }

    /// Remembers that a variable holds a router.
    pub(super) fn note_router(&mut self, name: &'s str, value: Node) {
        if self.makes_router(value) {
            let args = self.field(value, self.g.fields.arguments);
            let prefix = args.and_then(|args| self.first(args)).and_then(|options| self.option(options, "prefix"));
            self.routers.insert(name, prefix);
        }
    }

    /// Roots that the whole file decides: handlers that a framework finds by their exported name, and
    /// scripts that are run.
    pub(super) fn finish_roots(&mut self, b: &mut Builder) {
        const EXPORTED_VERBS: [&str; 7] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
        let mut found = Vec::new();
        for (ix, def) in b.facts().defs.iter().enumerate() {
            let name = b.facts().str(def.name);
            if def.container.is_none()
                && def.kind.is_callable()
                && def.flags.has(DefFlags::EXPORTED)
                && let Some(&verb) = EXPORTED_VERBS.iter().find(|&&verb| verb == name)
            {
                found.push((ix as u32, def.start, verb));
            }
        }
        for (ix, line, verb) in found {
            let root = RootFact {
                kind: RootKind::HttpRoute,
                line,
                name: b.sym(verb),
                verb: Some(b.sym(verb)),
                route: None,
                handler: None,
                def: Some(ix),
                rule: b.sym("exported route handler"),
            };
            b.add_root(root);
        }
        if self.source.starts_with(b"#!") {
            let name =
                b.facts().defs.iter().position(|def| {
                    def.container.is_none() && def.kind.is_callable() && b.facts().str(def.name) == "main"
                });
            let root = RootFact {
                kind: RootKind::Cli,
                line: 1,
                name: b.sym("main"),
                verb: None,
                route: None,
                handler: None,
                def: name.map(|ix| ix as u32),
                rule: b.sym("executable script"),
            };
            b.add_root(root);
        }
    }
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

/// Local variables that hold routers, with the prefix of their routes.
pub(super) type Routers<'s> = FxHashMap<&'s str, Option<&'s str>>;
