//! Entry points: routes, workers, commands, handlers of events, tests, `main` guards.
//!
//! A framework is recognised by the shape of its use and, where that shape is common, by an import
//! or the name of the receiver as well: `d.get("/x")` on a dictionary is no route.

use super::expr::first_argument;
use super::{Python, literal_text};
use atlas_syntax::{Builder, DefFlags, DefIx, ExprId, RootFact, RootKind, Sym, line_of};
use tree_sitter::Node;

/// A root that waits for its definition.
#[derive(Debug)]
pub(super) struct RootSpec {
    pub kind: RootKind,
    pub line: u32,
    pub verb: Option<String>,
    pub route: Option<String>,
    /// The function's own name if None.
    pub name: Option<String>,
    pub rule: &'static str,
}

impl RootSpec {
    fn new(kind: RootKind, at: Node, rule: &'static str) -> Self {
        Self { kind, line: line_of(at), verb: None, route: None, name: None, rule }
    }

    fn verb(mut self, verb: impl Into<String>) -> Self {
        self.verb = Some(verb.into());
        self
    }

    fn route(mut self, route: Option<&str>) -> Self {
        self.route = route.map(str::to_owned);
        self
    }

    fn name(mut self, name: Option<&str>) -> Self {
        self.name = name.map(str::to_owned);
        self
    }

    pub(super) fn add(self, ix: DefIx, name: &str, b: &mut Builder) {
        let name = self.name.clone().unwrap_or_else(|| name.to_owned());
        self.push(&name, None, Some(ix), b);
    }

    fn handled_by(self, handler: ExprId, name: &str, b: &mut Builder) {
        let name = self.name.clone().unwrap_or_else(|| name.to_owned());
        self.push(&name, Some(handler).filter(|&h| h != 0), None, b);
    }

    fn push(self, name: &str, handler: Option<ExprId>, def: Option<DefIx>, b: &mut Builder) {
        let root = RootFact {
            kind: self.kind,
            line: self.line,
            name: b.sym(name),
            verb: self.verb.map(|verb| b.sym(&verb)),
            route: self.route.map(|route| b.sym(&route)),
            handler,
            def,
            rule: b.sym(self.rule),
        };
        b.add_root(root);
    }
}

const VERBS: [&str; 8] = ["get", "post", "put", "delete", "patch", "head", "options", "trace"];

impl Python {
    /// Roots that one decorator makes of the function or class below it.
    pub(super) fn decorator_roots(
        &mut self,
        inner: Node,
        path: &str,
        last: &str,
        definition: Node,
        out: &mut Vec<RootSpec>,
        b: &mut Builder,
    ) {
        let text =
            if inner.kind() == "call" { first_argument(inner).and_then(|arg| literal_text(arg, b)) } else { None };
        let receiver = path.strip_suffix(last).unwrap_or_default().trim_end_matches('.');
        let before = out.len();
        self.route_decorator(inner, receiver, last, text, out, b);
        if out.len() > before {
            return;
        }
        let worker = |rule| RootSpec::new(RootKind::Worker, inner, rule).name(text);
        let event = |rule, route| RootSpec::new(RootKind::EventHandler, inner, rule).route(route);
        match last {
            "shared_task" | "periodic_task" | "task" if self.imports("celery") || last == "shared_task" => {
                out.push(worker("celery task"));
            }
            "task" | "db_task" | "periodic_task" | "db_periodic_task" if self.imports("huey") => {
                out.push(worker("huey task"));
            }
            "task" if receiver.contains("celery") => out.push(worker("celery task")),
            "task" if self.imports("invoke") => out.push(RootSpec::new(RootKind::Cli, inner, "invoke task").name(text)),
            "actor" if self.imports("dramatiq") => out.push(worker("dramatiq actor")),
            "job" if self.imports("rq") || self.imports("django_rq") => {
                out.push(RootSpec::new(RootKind::Worker, inner, "rq job").route(text));
            }
            "scheduled_job" => out.push(RootSpec::new(RootKind::Worker, inner, "apscheduler job").route(text)),
            "command" | "group" | "callback" => {
                let rule = if receiver == "cli" && self.imports("flask") || receiver.ends_with(".cli") {
                    "flask cli command"
                } else if self.imports("typer") {
                    "typer command"
                } else {
                    "click command"
                };
                let known = ["click", "typer", "cloup", "asyncclick", "rich_click"].iter().any(|m| self.imports(m));
                if known || receiver == "cli" || receiver.ends_with(".cli") {
                    out.push(RootSpec::new(RootKind::Cli, inner, rule).name(text));
                }
            }
            "receiver" if self.imports("dispatch") || self.imports("signals") => {
                let signal = first_argument(inner).map(|arg| b.text(arg)).filter(|text| text.len() <= 80);
                out.push(event("django signal receiver", signal));
            }
            "listens_for" if self.imports("sqlalchemy") => {
                let list = inner.child_by_field_name("arguments");
                let name = list.and_then(|list| list.named_child(1)).and_then(|name| literal_text(name, b));
                out.push(event("sqlalchemy event listener", name));
            }
            "before_request"
            | "after_request"
            | "teardown_request"
            | "before_app_request"
            | "after_app_request"
            | "teardown_appcontext"
            | "errorhandler"
            | "app_errorhandler"
            | "context_processor"
            | "before_serving"
                if !receiver.is_empty() && (self.imports("flask") || self.imports("quart")) =>
            {
                out.push(event("flask hook", Some(last)));
            }
            "on_event" | "exception_handler" | "middleware"
                if !receiver.is_empty() && (self.imports("fastapi") || self.imports("starlette")) =>
            {
                out.push(event("fastapi hook", text.or(Some(last))));
            }
            "on" if text.is_some() && (self.imports("flask_socketio") || self.imports("socketio")) => {
                out.push(event("socket.io event", text));
            }
            "connect" if !receiver.is_empty() && (self.imports("signals") || self.imports("blinker")) => {
                out.push(event("signal receiver", Some(receiver)));
            }
            "hookimpl" => out.push(event("pluggy hook", None)),
            "action" if self.imports("rest_framework") && definition.kind() == "function_definition" => {
                let verbs = self.methods_of(inner, b);
                for verb in if verbs.is_empty() { vec!["GET".to_owned()] } else { verbs } {
                    let name = definition.child_by_field_name("name").map(|name| b.text(name));
                    out.push(RootSpec::new(RootKind::HttpRoute, inner, "rest framework action").verb(verb).route(name));
                }
            }
            _ => {}
        }
    }

    fn route_decorator(
        &mut self,
        inner: Node,
        receiver: &str,
        last: &str,
        text: Option<&str>,
        out: &mut Vec<RootSpec>,
        b: &mut Builder,
    ) {
        let Some(path) = text.or_else(|| self.keyword_text(inner, &["rule", "path", "uri"], b)) else { return };
        let rule = if self.imports("fastapi") {
            "fastapi route decorator"
        } else if self.imports("flask") {
            "flask route decorator"
        } else if self.imports("quart") {
            "quart route decorator"
        } else if self.imports("sanic") {
            "sanic route decorator"
        } else if self.imports("bottle") {
            "bottle route decorator"
        } else if self.imports("aiohttp") {
            "aiohttp route decorator"
        } else if self.imports("litestar") || self.imports("starlite") {
            "litestar route decorator"
        } else if self.imports("ninja") {
            "ninja route decorator"
        } else {
            "route decorator"
        };
        let known = rule != "route decorator";
        let reached = self.reached(receiver, path);
        let holder = receiver.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let router = ["app", "router", "api", "blueprint", "bp", "routes", "server"].iter().any(|name| {
            holder == *name || holder.ends_with(&format!("_{name}")) || holder.starts_with(&format!("{name}_"))
        });
        let absolute = path.starts_with('/') || path.is_empty();
        match last {
            "route" | "api_route" if known || router && absolute && !receiver.is_empty() => {
                let verbs = self.methods_of(inner, b);
                for verb in if verbs.is_empty() { vec!["GET".to_owned()] } else { verbs } {
                    out.push(RootSpec::new(RootKind::HttpRoute, inner, rule).verb(verb).route(Some(&reached)));
                }
            }
            "websocket" if absolute && (known || router) => {
                out.push(RootSpec::new(RootKind::HttpRoute, inner, rule).verb("WEBSOCKET").route(Some(&reached)));
            }
            verb if VERBS.contains(&verb) && absolute => {
                let bare = receiver.is_empty() && matches!(rule, "litestar route decorator" | "bottle route decorator");
                if bare || !receiver.is_empty() && (known || router) {
                    let verb = verb.to_ascii_uppercase();
                    out.push(RootSpec::new(RootKind::HttpRoute, inner, rule).verb(verb).route(Some(&reached)));
                }
            }
            _ => {}
        }
    }

    /// `methods=["GET", "POST"]`, in order and in upper case.
    fn methods_of(&self, call: Node, b: &Builder) -> Vec<String> {
        let Some(list) = keyword(call, &["methods", "method"], b) else { return Vec::new() };
        if let Some(one) = literal_text(list, b) {
            return vec![one.to_ascii_uppercase()];
        }
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .take(16)
            .filter_map(|verb| literal_text(verb, b))
            .map(str::to_ascii_uppercase)
            .collect()
    }

    fn keyword_text<'s>(&self, call: Node, names: &[&str], b: &Builder<'s>) -> Option<&'s str> {
        keyword(call, names, b).and_then(|value| literal_text(value, b))
    }

    /// Roots that a call makes: routes in tables, jobs put into queues, handlers connected.
    pub(super) fn call_roots(&mut self, call: Node, function: Node, name: &str, b: &mut Builder) {
        let Some(list) = call.child_by_field_name("arguments").filter(|list| list.kind() == "argument_list") else {
            return;
        };
        let receiver = function.child_by_field_name("object").map_or("", |object| b.text(object));
        let first = list.named_child(0);
        let text = first.and_then(|first| literal_text(first, b));
        match name {
            "path" | "re_path" | "url" => self.django_route(call, list, name, receiver, text, b),
            "register" if receiver.to_ascii_lowercase().contains("router") => {
                if let (Some(route), Some(view)) = (text, list.named_child(1)) {
                    let spec = RootSpec::new(RootKind::HttpRoute, call, "rest framework router");
                    self.root_of(spec.verb("ANY").route(Some(route)), view, b);
                }
            }
            "add_url_rule" => {
                let view = keyword(call, &["view_func"], b).or_else(|| list.named_child(2));
                if let (Some(route), Some(view)) = (text, view) {
                    self.routes_of(call, "flask url rule", route, view, b);
                }
            }
            "add_api_route" | "add_route" | "add_api_websocket_route" | "add_websocket_route" => {
                // aiohttp gives the verb first.
                let verb_first =
                    text.is_some_and(|text| VERBS.contains(&text.to_ascii_lowercase().as_str()) || text == "*");
                let at = u32::from(verb_first);
                let route = list.named_child(at).and_then(|route| literal_text(route, b));
                let view = keyword(call, &["endpoint", "handler"], b).or_else(|| list.named_child(at + 1));
                if let (Some(route), Some(view)) = (route.filter(|route| route.starts_with('/')), view) {
                    self.routes_of(call, "route table", route, view, b);
                }
            }
            "Route" | "WebSocketRoute" | "APIRoute" if self.imports("starlette") || self.imports("fastapi") => {
                let view = keyword(call, &["endpoint"], b).or_else(|| list.named_child(1));
                if let (Some(route), Some(view)) = (text, view) {
                    self.routes_of(call, "starlette route", route, view, b);
                }
            }
            "add_get" | "add_post" | "add_put" | "add_delete" | "add_patch" | "add_view" if self.imports("aiohttp") => {
                if let (Some(route), Some(view)) = (text, list.named_child(1)) {
                    let verb = name.trim_start_matches("add_").to_ascii_uppercase().replace("VIEW", "ANY");
                    let spec = RootSpec::new(RootKind::HttpRoute, call, "aiohttp route");
                    self.root_of(spec.verb(verb).route(Some(route)), view, b);
                }
            }
            verb if VERBS.contains(&verb) && receiver == "web" && self.imports("aiohttp") => {
                if let (Some(route), Some(view)) = (text.filter(|route| route.starts_with('/')), list.named_child(1)) {
                    let spec = RootSpec::new(RootKind::HttpRoute, call, "aiohttp route");
                    self.root_of(spec.verb(verb.to_ascii_uppercase()).route(Some(route)), view, b);
                }
            }
            "add_resource" => {
                let route = list.named_child(1).and_then(|route| literal_text(route, b));
                if let (Some(route), Some(view)) = (route, first) {
                    self.routes_of(call, "flask-restful resource", route, view, b);
                }
            }
            "Application" if self.imports("tornado") => self.tornado_routes(first, b),
            "enqueue" | "enqueue_call" | "enqueue_in" | "enqueue_at" => {
                let queue = receiver.to_ascii_lowercase();
                if self.imports("rq") || self.imports("django_rq") || queue.contains("queue") {
                    let at = u32::from(matches!(name, "enqueue_in" | "enqueue_at"));
                    let job = keyword(call, &["func"], b).or_else(|| list.named_child(at));
                    if let Some(job) = job.filter(|job| matches!(job.kind(), "identifier" | "attribute")) {
                        self.root_of(RootSpec::new(RootKind::Worker, call, "rq enqueue"), job, b);
                    }
                }
            }
            "connect" => {
                let signal = super::defs::last_name(receiver);
                let known = SIGNALS.contains(&signal)
                    || signal.ends_with("signal")
                    || self.comes_from(signal, "celery.signals");
                if let Some(handler) = first.filter(|f| known && matches!(f.kind(), "identifier" | "attribute")) {
                    let spec = RootSpec::new(RootKind::EventHandler, call, "signal connect").route(Some(signal));
                    self.root_of(spec, handler, b);
                }
            }
            "register" if receiver == "atexit" => {
                if let Some(handler) = first {
                    let spec = RootSpec::new(RootKind::EventHandler, call, "atexit handler").route(Some("exit"));
                    self.root_of(spec, handler, b);
                }
            }
            "signal" if receiver == "signal" => {
                if let (Some(which), Some(handler)) = (first, list.named_child(1))
                    && !b.text(handler).contains("SIG_")
                {
                    let spec = RootSpec::new(RootKind::EventHandler, call, "process signal").route(Some(b.text(which)));
                    self.root_of(spec, handler, b);
                }
            }
            "ArgumentParser" if self.imports("argparse") => {
                let prog = self.keyword_text(call, &["prog"], b);
                let spec = RootSpec::new(RootKind::Cli, call, "argparse parser").name(prog);
                match b.enclosing_callable() {
                    Some(ix) => {
                        let name = b.str(b.facts().def(ix).name).to_owned();
                        spec.add(ix, &name, b);
                    }
                    None => spec.handled_by(0, "argparse", b),
                }
            }
            "set_defaults" => {
                let handler = keyword(call, &["func", "handler", "fn", "callback", "command"], b);
                if let Some(handler) = handler.filter(|h| matches!(h.kind(), "identifier" | "attribute")) {
                    self.root_of(RootSpec::new(RootKind::Cli, call, "argparse handler"), handler, b);
                }
            }
            "Fire" if self.imports("fire") => {
                if let Some(handler) = first {
                    self.root_of(RootSpec::new(RootKind::Cli, call, "fire command"), handler, b);
                }
            }
            "setup" if self.imports("setuptools") || self.imports("distutils") => self.console_scripts(call, b),
            _ => {}
        }
    }

    fn django_route(
        &mut self,
        call: Node,
        list: Node,
        name: &str,
        receiver: &str,
        route: Option<&str>,
        b: &mut Builder,
    ) {
        let from_django = if receiver.is_empty() {
            self.comes_from(name, "django") || self.imports("urls")
        } else {
            self.comes_from(receiver, "django")
        };
        let (Some(route), Some(view), true) = (route, list.named_child(1), from_django) else { return };
        if matches!(view.kind(), "string" | "tuple" | "list") {
            return;
        }
        let spec = RootSpec::new(RootKind::HttpRoute, call, "django url pattern").verb("ANY").route(Some(route));
        let include = view.child_by_field_name("function").is_some_and(|f| b.text(f).ends_with("include"));
        if !include && !b.text(view).ends_with(".urls") {
            self.root_of(spec, view, b);
        }
    }

    fn routes_of(&mut self, call: Node, rule: &'static str, route: &str, view: Node, b: &mut Builder) {
        let verbs = self.methods_of(call, b);
        for verb in if verbs.is_empty() { vec!["ANY".to_owned()] } else { verbs } {
            let spec = RootSpec::new(RootKind::HttpRoute, call, rule).verb(verb).route(Some(route));
            self.root_of(spec, view, b);
        }
    }

    fn tornado_routes(&mut self, list: Option<Node>, b: &mut Builder) {
        let Some(list) = list.filter(|list| list.kind() == "list") else { return };
        let mut cursor = list.walk();
        let tuples: Vec<Node> = list.named_children(&mut cursor).filter(|n| n.kind() == "tuple").collect();
        for tuple in tuples {
            let route = tuple.named_child(0).and_then(|route| literal_text(route, b));
            if let (Some(route), Some(view)) = (route, tuple.named_child(1)) {
                let spec = RootSpec::new(RootKind::HttpRoute, tuple, "tornado route").verb("ANY").route(Some(route));
                self.root_of(spec, view, b);
            }
        }
    }

    /// A root handled by what an expression names: `views.f`, `View.as_view()`, `wrap(views.f)`.
    fn root_of(&mut self, spec: RootSpec, handler: Node, b: &mut Builder) {
        const WRAPPERS_MAX: u32 = 4;
        let mut handler = handler;
        for _ in 0..WRAPPERS_MAX {
            if handler.kind() != "call" {
                break;
            }
            let Some(function) = handler.child_by_field_name("function") else { break };
            let inner = if b.text(function).ends_with(".as_view") || b.text(function).ends_with(".as_asgi") {
                function.child_by_field_name("object")
            } else {
                first_argument(handler).filter(|arg| matches!(arg.kind(), "identifier" | "attribute" | "call"))
            };
            let Some(inner) = inner else {
                // `Handler()` is handled by an instance of it.
                handler = function;
                break;
            };
            handler = inner;
        }
        let name = super::defs::last_name(b.text(handler)).to_owned();
        let name = if name.len() > 80 || handler.kind() == "lambda" { "lambda".to_owned() } else { name };
        let expr = self.expr(handler, b);
        spec.handled_by(expr, &name, b);
    }

    /// `entry_points={"console_scripts": ["name = module:function"]}` of a `setup.py`.
    fn console_scripts(&mut self, call: Node, b: &mut Builder) {
        const SCRIPTS_MAX: usize = 1000;
        let Some(entries) = keyword(call, &["entry_points"], b) else { return };
        let mut lines: Vec<(Node, String)> = Vec::new();
        if let Some(text) = literal_text(entries, b) {
            let scripts = text.split('[').find(|part| part.starts_with("console_scripts]")).unwrap_or_default();
            lines.extend(scripts.lines().skip(1).map(|line| (entries, line.trim().to_owned())));
        } else {
            let mut cursor = entries.walk();
            for pair in entries.named_children(&mut cursor).filter(|n| n.kind() == "pair") {
                let key = pair.child_by_field_name("key").and_then(|key| literal_text(key, b));
                let Some(value) = pair.child_by_field_name("value") else { continue };
                if key == Some("console_scripts") {
                    let mut cursor = value.walk();
                    for script in value.named_children(&mut cursor).take(SCRIPTS_MAX) {
                        lines.extend(literal_text(script, b).map(|text| (script, text.to_owned())));
                    }
                }
            }
        }
        for (at, line) in lines {
            let Some((script, target)) = line.split_once('=') else { continue };
            let Some((module, function)) = target.split_once(':') else { continue };
            let function = function.split(['[', ' ']).next().unwrap_or(function).trim();
            // The name is one that no source can spell, so that it is bound to this alone.
            let local = format!("{module}:{function}", module = module.trim());
            self.implied_import(module.trim(), function, &local, at, b);
            let symbol = b.sym(&local);
            let handler = b.expr(atlas_syntax::Expr::Name(symbol));
            RootSpec::new(RootKind::Cli, at, "console script").handled_by(handler, script.trim(), b);
        }
    }

    /// `if __name__ == "__main__":`
    pub(super) fn main_guard(&mut self, node: Node, condition: Node, body: Node, b: &mut Builder) {
        let text = b.text(condition);
        if text.len() > 64 || !text.contains("__name__") || !text.contains("__main__") || !text.contains("==") {
            return;
        }
        let mut cursor = body.walk();
        let statements = body.named_children(&mut cursor).take(64).filter_map(|s| match s.kind() {
            "expression_statement" | "raise_statement" | "return_statement" => s.named_child(0),
            _ => None,
        });
        // The first call, unless a later one is `main()` or ends the program.
        let mut call: Option<Node> = None;
        for value in statements.filter(|value| value.kind() == "call") {
            let (mut inner, mut ends) = (value, false);
            // `sys.exit(main())`, `asyncio.run(main())`.
            for _ in 0..4 {
                let function = inner.child_by_field_name("function");
                let name = function.map_or("", |function| super::defs::last_name(b.text(function)));
                let argument = first_argument(inner).filter(|arg| arg.kind() == "call");
                let Some(argument) =
                    argument.filter(|_| matches!(name, "exit" | "SystemExit" | "run" | "run_until_complete"))
                else {
                    ends |= name == "main";
                    break;
                };
                (inner, ends) = (argument, true);
            }
            if call.is_none() || ends {
                call = inner.child_by_field_name("function");
            }
            if ends {
                break;
            }
        }
        let spec = RootSpec::new(RootKind::Cli, node, "main guard");
        match call {
            Some(function) => {
                let name = super::defs::last_name(b.text(function)).to_owned();
                let handler = self.expr(function, b);
                spec.handled_by(handler, &name, b);
            }
            None => spec.handled_by(0, "__main__", b),
        }
    }

    /// The rule by which a function is a test, if it is one.
    pub(super) fn test_rule(&self, name: &str, in_class: bool, b: &Builder) -> Option<&'static str> {
        if !name.starts_with("test") {
            return None;
        }
        if !in_class {
            return (self.frame().def.is_none() && name.starts_with("test_")).then_some("pytest function");
        }
        self.frame().def.filter(|&ix| b.facts().def(ix).flags.has(DefFlags::TEST))?;
        let is_case = self.frame().base_names.iter().any(|base| base.ends_with("TestCase"));
        Some(if is_case { "unittest method" } else { "pytest method" })
    }

    /// A class of tests: derived from a test case, or named `Test…` with tests in it.
    pub(super) fn is_test_class(&self, name: &str, bases: &[&str], has_tests: bool) -> bool {
        bases.iter().any(|base| base.ends_with("TestCase") || base.ends_with("TestBase"))
            || has_tests && (name.starts_with("Test") || name.ends_with("Test") || name.ends_with("Tests"))
    }

    pub(super) fn test_root(&mut self, ix: DefIx, name: Node, rule: &'static str, b: &mut Builder) {
        let text = b.text(name);
        RootSpec::new(RootKind::Test, name, rule).add(ix, text, b);
    }

    /// Methods that a framework calls by name.
    pub(super) fn method_roots(&mut self, ix: DefIx, name: Node, b: &mut Builder) {
        if b.text(name) != "handle" {
            return;
        }
        let class = self.frames.iter().rev().nth(1);
        let commands = ["BaseCommand", "LabelCommand", "AppCommand", "NoArgsCommand"];
        if class.is_some_and(|class| class.base_names.iter().any(|base| commands.contains(&&**base))) {
            RootSpec::new(RootKind::Cli, name, "django management command").add(ix, "handle", b);
        }
    }

    /// What `__all__` names is the module's public interface.
    pub(super) fn public_roots(&mut self, b: &mut Builder) {
        let mut defined: rustc_hash::FxHashMap<Sym, DefIx> = rustc_hash::FxHashMap::default();
        for (ix, def) in b.facts().defs.iter().enumerate() {
            if def.container.is_none() {
                defined.insert(def.name, ix as DefIx);
            }
        }
        let exports = b.facts().exports.clone();
        let rule = b.sym("__all__");
        for export in exports {
            let def = defined.get(&export.name).copied();
            let line = def.map_or(export.line, |ix| b.facts().def(ix).name_line);
            b.add_root(RootFact {
                kind: RootKind::PublicApi,
                line,
                name: export.name,
                verb: None,
                route: None,
                handler: if def.is_none() { Some(export.value) } else { None },
                def,
                rule,
            });
        }
    }
}

/// Signals of Django that handlers are connected to.
const SIGNALS: [&str; 16] = [
    "class_prepared",
    "connection_created",
    "got_request_exception",
    "m2m_changed",
    "post_delete",
    "post_init",
    "post_migrate",
    "post_save",
    "pre_delete",
    "pre_init",
    "pre_migrate",
    "pre_save",
    "request_finished",
    "request_started",
    "setting_changed",
    "user_logged_in",
];

/// The value of a keyword argument with one of these names.
pub(super) fn keyword<'t>(call: Node<'t>, names: &[&str], b: &Builder) -> Option<Node<'t>> {
    let list = call.child_by_field_name("arguments")?;
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|n| n.kind() == "keyword_argument")
        .find(|n| n.child_by_field_name("name").is_some_and(|name| names.contains(&b.text(name))))
        .and_then(|n| n.child_by_field_name("value"))
}
