//! Entry points: routes, workers, commands, event handlers, tests.
//!
//! Found by syntax and guarded by what the file imports or what the receiver was made from, so that
//! `map.get('/x')` is no route. A function written in place as a handler or test becomes a
//! definition under the route's or test's name, so that what it calls has a source.

use super::grammar::Kind;
use super::{Js, Note, This, UNNAMED_OWNER};
use atlas_syntax::{Builder, DefFlags, DefKind, ExprId, RootFact, RootKind, column_of, line_of};
use tree_sitter::Node;

/// What the file's imports say of frameworks.
#[derive(Debug, Default)]
pub struct Hints {
    pub(super) web: Option<&'static str>,
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
                if let Some(verb) = super::web::verb(name) {
                    self.verb_call(node, object, verb, list, b);
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
        if !list.iter().any(|&arg| Self::is_function(self.kind(self.unwrap(arg)))) {
            return false;
        }
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
    pub(super) fn title(&self, node: Node) -> Option<&'s str> {
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

    /// Whether an argument can be what handles a request or event.
    pub(super) fn is_handler(&self, node: Node) -> bool {
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
                    let called = self.field(node, f.function).map_or("", |function| self.last_name(function));
                    let args = self.field(node, f.arguments).map(|args| self.children(args)).unwrap_or_default();
                    let mut args = args.into_iter().map(|arg| self.unwrap(arg));
                    let wraps = is_wrapper(called);
                    args.find(|&arg| match self.kind(arg) {
                        Kind::Identifier | Kind::Member => wraps,
                        kind => called != "bind" && Self::is_function(kind),
                    })
                }
                _ => None,
            };
            let Some(inner) = inner else { break };
            node = self.unwrap(inner);
        }
        node
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a root")]
    pub(super) fn add_handler(
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
    pub(super) fn push_root(
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

/// Whether a function's name says that it gives back the handler it is given, guarded.
fn is_wrapper(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["wrap", "async", "handler", "catch", "try", "with", "safe", "promise"].iter().any(|part| lower.contains(part))
}
