//! Entry points: routes, workers, event handlers, commands, tests (contract §4, `roots`).
//!
//! Every rule of a framework is guarded by an import from its packages, so that an annotation of the
//! same name means nothing here.

use super::annotations::{Annotation, find};
use super::exprs::literal_text;
use super::{Java, OpenType};
use atlas_syntax::{Builder, DefIx, RootFact, RootKind, line_of};
use tree_sitter::Node;

const SPRING_WEB: &[&str] = &["org.springframework.web.bind.annotation", "org.springframework.stereotype"];
const SPRING: &[&str] = &["org.springframework"];
const JAX_RS: &[&str] = &["javax.ws.rs", "jakarta.ws.rs"];
const MICRONAUT: &[&str] = &["io.micronaut.http.annotation"];
const SERVLET: &[&str] = &["javax.servlet", "jakarta.servlet"];
const TESTS: &[&str] = &["org.junit", "junit.framework", "org.testng"];

const TEST_CASES: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"];
const TEST_PARTS: &[&str] = &[
    "After",
    "AfterAll",
    "AfterClass",
    "AfterEach",
    "AfterMethod",
    "Before",
    "BeforeAll",
    "BeforeClass",
    "BeforeEach",
    "BeforeMethod",
    "DataProvider",
    "Parameters",
];

/// A mapping annotation of a method: its verbs, its paths and the rule that knows it.
struct Mapping {
    verbs: Vec<String>,
    paths: Vec<String>,
    rule: &'static str,
}

/// Annotations that name a handler of messages: name, package, keys of what it listens to, rule.
const LISTENERS: &[(&str, &str, &[&str], &str)] = &[
    ("KafkaListener", "org.springframework.kafka", &["topics", "value", "topicPattern"], "spring kafka listener"),
    ("RabbitListener", "org.springframework.amqp", &["queues", "value"], "spring rabbit listener"),
    ("JmsListener", "org.springframework.jms", &["destination"], "spring jms listener"),
    ("SqsListener", "io.awspring", &["value", "queueNames"], "spring sqs listener"),
    ("StreamListener", "org.springframework.cloud.stream", &["value"], "spring stream listener"),
    ("MessageMapping", "org.springframework.messaging", &["value"], "spring message mapping"),
    ("EventListener", "org.springframework.context.event", &["value", "classes"], "spring event listener"),
    (
        "TransactionalEventListener",
        "org.springframework.transaction.event",
        &["value", "classes"],
        "spring event listener",
    ),
    ("Incoming", "org.eclipse.microprofile.reactive.messaging", &["value"], "reactive messaging incoming"),
    ("Subscribe", "com.google.common.eventbus", &[], "guava event subscriber"),
    ("Subscribe", "org.greenrobot.eventbus", &[], "eventbus subscriber"),
    ("Observes", "jakarta.enterprise.event", &[], "cdi observer"),
];

impl Java {
    /// Whether a method is test code by its annotations or, in a JUnit 3 case, by its name.
    pub(super) fn is_test_code(&self, name: &str, annotations: &[Annotation]) -> bool {
        if find(annotations, TEST_CASES).or_else(|| find(annotations, TEST_PARTS)).is_some() {
            return self.imports_from(TESTS);
        }
        self.in_test_case() && (name.starts_with("test") || matches!(name, "setUp" | "tearDown"))
    }

    fn in_test_case(&self) -> bool {
        self.types.last().is_some_and(|open| {
            open.bases.first().is_some_and(|base| base.ends_with("TestCase")) && !open.name.is_empty()
        })
    }

    pub(super) fn method_roots(
        &mut self,
        node: Node,
        def: DefIx,
        name: &str,
        public_static: bool,
        annotations: &[Annotation],
        b: &mut Builder,
    ) {
        let line = b.facts().def(def).name_line;
        let is_test = (find(annotations, TEST_CASES).is_some() && self.imports_from(TESTS))
            || (self.in_test_case() && name.starts_with("test"));
        if is_test {
            let rule = if find(annotations, TEST_CASES).is_some() { "junit test" } else { "junit 3 test case" };
            self.root(RootKind::Test, line, name, None, None, def, rule, b);
            if let Some(class) = self.types.last() {
                b.def_mut(class.def).flags.set(atlas_syntax::DefFlags::TEST, true);
            }
        }
        if name == "main" && public_static && takes_strings(node, b) {
            self.root(RootKind::Cli, line, name, None, None, def, "java main method", b);
        }
        self.routes(def, name, line, annotations, b);
        self.handlers(node, def, name, line, annotations, b);
        self.lifecycle(def, name, line, annotations, b);
    }

    fn handlers(&mut self, node: Node, def: DefIx, name: &str, line: u32, annotations: &[Annotation], b: &mut Builder) {
        for &(annotation_name, package, keys, rule) in LISTENERS {
            let Some(annotation) = find(annotations, &[annotation_name]) else { continue };
            if !self.imports_from(&[package]) {
                continue;
            }
            let mut subjects: Vec<String> = annotation.texts(keys).into_iter().map(str::to_owned).collect();
            subjects.extend(annotation.names(keys).into_iter().map(str::to_owned));
            if subjects.is_empty() {
                subjects.extend(first_parameter_type(node, b));
            }
            if subjects.is_empty() {
                self.root(RootKind::EventHandler, line, name, None, None, def, rule, b);
            }
            for subject in subjects {
                self.root(RootKind::EventHandler, line, name, None, Some(&subject), def, rule, b);
            }
        }
        if find(annotations, &["Scheduled"]).is_some() {
            let rule = match () {
                () if self.imports_from(&["org.springframework.scheduling"]) => "spring scheduled method",
                () if self.imports_from(&["io.quarkus.scheduler", "io.micronaut.scheduling"]) => "scheduled method",
                () => return,
            };
            let schedule = find(annotations, &["Scheduled"]).and_then(|annotation| {
                annotation.texts(&["cron", "every", "fixedRateString"]).first().map(|s| s.to_string())
            });
            self.root(RootKind::Worker, line, name, None, schedule.as_deref(), def, rule, b);
        }
    }

    /// Methods that a framework calls because of the interface their class implements.
    fn lifecycle(&mut self, def: DefIx, name: &str, line: u32, annotations: &[Annotation], b: &mut Builder) {
        let Some(open) = self.types.last() else { return };
        let has = |base: &str| open.bases.iter().any(|one| one == base);
        if name == "run" && (has("CommandLineRunner") || has("ApplicationRunner")) && self.imports_from(SPRING) {
            self.root(RootKind::Cli, line, name, None, None, def, "spring boot runner", b);
        } else if name == "onApplicationEvent" && has("ApplicationListener") && self.imports_from(SPRING) {
            self.root(RootKind::EventHandler, line, name, None, None, def, "spring application listener", b);
        } else if name == "execute" && (has("Job") || has("QuartzJobBean")) && self.imports_from(&["org.quartz"]) {
            self.root(RootKind::Worker, line, name, None, None, def, "quartz job", b);
        } else if matches!(name, "run" | "call")
            && find(&open.annotations, &["Command"]).is_some()
            && self.imports_from(&["picocli"])
        {
            let command =
                find(&open.annotations, &["Command"]).and_then(|c| c.texts(&["name"]).first().map(|s| s.to_string()));
            self.root(RootKind::Cli, line, name, None, command.as_deref(), def, "picocli command", b);
        } else if let Some(command) = find(annotations, &["ShellMethod"]).filter(|_| self.imports_from(SPRING)) {
            let key = command.texts(&["key", "value"]).first().map(|s| s.to_string());
            self.root(RootKind::Cli, line, name, None, key.as_deref(), def, "spring shell method", b);
        } else if has("HttpServlet") && self.imports_from(SERVLET) && SERVLET_METHODS.contains(&name) {
            let paths: Vec<String> = find(&open.annotations, &["WebServlet"])
                .map(|servlet| servlet.texts(&["value", "urlPatterns"]).into_iter().map(str::to_owned).collect())
                .unwrap_or_default();
            let verb = name[2..].to_ascii_uppercase();
            if paths.is_empty() {
                self.root(RootKind::HttpRoute, line, name, Some(&verb), None, def, "servlet method", b);
            }
            for path in paths {
                self.root(RootKind::HttpRoute, line, name, Some(&verb), Some(&path), def, "servlet method", b);
            }
        }
    }

    fn routes(&mut self, def: DefIx, name: &str, line: u32, annotations: &[Annotation], b: &mut Builder) {
        let Some(mapping) = self.mapping(annotations) else { return };
        let prefixes = self.prefixes(mapping.rule);
        for prefix in &prefixes {
            for path in &mapping.paths {
                for verb in &mapping.verbs {
                    let route = join_route(prefix, path);
                    self.root(RootKind::HttpRoute, line, name, Some(verb), Some(&route), def, mapping.rule, b);
                }
            }
        }
    }

    fn mapping(&self, annotations: &[Annotation]) -> Option<Mapping> {
        let owned = |texts: Vec<&str>| -> Vec<String> { texts.into_iter().map(str::to_owned).collect() };
        let or_empty = |mut paths: Vec<String>| {
            if paths.is_empty() {
                paths.push(String::new());
            }
            paths
        };
        if self.imports_from(SPRING_WEB) {
            const VERBS: [(&str, &str); 5] = [
                ("GetMapping", "GET"),
                ("PostMapping", "POST"),
                ("PutMapping", "PUT"),
                ("DeleteMapping", "DELETE"),
                ("PatchMapping", "PATCH"),
            ];
            for (annotation, verb) in VERBS {
                if let Some(annotation) = find(annotations, &[annotation]) {
                    let paths = or_empty(owned(annotation.texts(&["value", "path"])));
                    return Some(Mapping { verbs: vec![verb.to_owned()], paths, rule: "spring request mapping" });
                }
            }
            if let Some(annotation) = find(annotations, &["RequestMapping"]) {
                let mut verbs = owned(annotation.names(&["method"]));
                if verbs.is_empty() {
                    verbs.push("ANY".to_owned());
                }
                let paths = or_empty(owned(annotation.texts(&["value", "path"])));
                return Some(Mapping { verbs, paths, rule: "spring request mapping" });
            }
        }
        if self.imports_from(JAX_RS) {
            const VERBS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];
            let verbs: Vec<String> = VERBS
                .iter()
                .filter(|verb| find(annotations, &[verb]).is_some())
                .map(|verb| (*verb).to_owned())
                .collect();
            if !verbs.is_empty() {
                let paths = find(annotations, &["Path"]).map(|path| owned(path.texts(&["value"]))).unwrap_or_default();
                return Some(Mapping { verbs, paths: or_empty(paths), rule: "jax-rs resource method" });
            }
        }
        if self.imports_from(MICRONAUT) {
            const VERBS: [&str; 7] = ["Get", "Post", "Put", "Delete", "Patch", "Head", "Options"];
            for verb in VERBS {
                if let Some(annotation) = find(annotations, &[verb]) {
                    let paths = or_empty(owned(annotation.texts(&["value", "uri", "uris"])));
                    return Some(Mapping { verbs: vec![verb.to_ascii_uppercase()], paths, rule: "micronaut route" });
                }
            }
        }
        None
    }

    /// What the classes around a method put before its paths.
    fn prefixes(&self, rule: &str) -> Vec<String> {
        let names: &[&str] = match rule {
            "spring request mapping" => &["RequestMapping"],
            "jax-rs resource method" => &["Path"],
            _ => &["Controller"],
        };
        let prefixes: Vec<String> = self
            .types
            .last()
            .and_then(|open| find(&open.annotations, names))
            .map(|annotation| annotation.texts(&["value", "path"]).into_iter().map(str::to_owned).collect())
            .unwrap_or_default();
        if prefixes.is_empty() { vec![String::new()] } else { prefixes }
    }

    /// Routes that are registered by a call: Javalin and Spark (`get("/x", handler)`).
    pub(super) fn route_call(&mut self, node: Node, name: Node, b: &mut Builder) {
        const VERBS: [&str; 7] = ["delete", "get", "head", "options", "patch", "post", "put"];
        let verb = b.text(name);
        if VERBS.binary_search(&verb).is_err() {
            return;
        }
        let rule = match () {
            () if self.imports_from(&["io.javalin"]) => "javalin route",
            () if self.imports_from(&["spark.Spark", "spark."]) => "spark route",
            () => return,
        };
        let Some(arguments) = node.child_by_field_name("arguments") else { return };
        let mut cursor = arguments.walk();
        let list: Vec<Node> = arguments.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let (Some(path), Some(handler)) = (list.first(), list.last()) else { return };
        if path.kind() != "string_literal" || list.len() < 2 {
            return;
        }
        let route = literal_text(*path, b);
        if !route.starts_with('/') {
            return;
        }
        let (name, handler) = match handler.kind() {
            "method_reference" => {
                let text = b.text(*handler);
                (text.rsplit("::").next().unwrap_or(text).trim().to_owned(), self.handler_expr(*handler, b))
            }
            _ => (route.clone(), None),
        };
        let def = if handler.is_none() { b.enclosing_callable() } else { None };
        let (name, verb, route) = (b.sym(&name), b.sym(&verb.to_ascii_uppercase()), b.sym(&route));
        let rule = b.sym(rule);
        b.add_root(RootFact {
            kind: RootKind::HttpRoute,
            line: line_of(node),
            name,
            verb: Some(verb),
            route: Some(route),
            handler,
            def,
            rule,
        });
    }

    /// `A::b` as the method it names.
    fn handler_expr(&mut self, node: Node, b: &mut Builder) -> Option<atlas_syntax::ExprId> {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let (base, last) = (parts.first()?, parts.last()?);
        let base = match base.kind() {
            "type_identifier" => {
                let name = b.sym_of(*base);
                b.expr(atlas_syntax::Expr::Name(name))
            }
            _ => self.expr(*base, b),
        };
        let name = b.sym_of(*last);
        Some(b.expr(atlas_syntax::Expr::Member { base, name }))
    }

    /// Roots that a whole type is.
    pub(super) fn type_roots(&mut self, open: &OpenType, node: Node, b: &mut Builder) {
        if find(&open.annotations, &["ServerEndpoint"]).is_some()
            && self.imports_from(&["javax.websocket", "jakarta.websocket"])
        {
            let route = find(&open.annotations, &["ServerEndpoint"])
                .and_then(|a| a.texts(&["value"]).first().map(|s| s.to_string()));
            let name = open.name.clone();
            self.root(
                RootKind::EventHandler,
                line_of(node),
                &name,
                None,
                route.as_deref(),
                open.def,
                "websocket endpoint",
                b,
            );
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one fact, each from another place")]
    fn root(
        &self,
        kind: RootKind,
        line: u32,
        name: &str,
        verb: Option<&str>,
        route: Option<&str>,
        def: DefIx,
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
            def: Some(def),
            rule: b.sym(rule),
        };
        b.add_root(fact);
    }
}

const SERVLET_METHODS: [&str; 5] = ["doDelete", "doGet", "doPatch", "doPost", "doPut"];

/// `prefix` and `path` with one slash between them; `/` if both are empty.
fn join_route(prefix: &str, path: &str) -> String {
    let (prefix, path) = (prefix.trim_matches('/'), path.trim_start_matches('/'));
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => format!("/{path}"),
        (false, true) => format!("/{prefix}"),
        (false, false) => format!("/{prefix}/{path}"),
    }
}

/// Whether a method takes one array of strings.
fn takes_strings(method: Node, b: &Builder) -> bool {
    let Some(parameters) = method.child_by_field_name("parameters") else { return false };
    let mut cursor = parameters.walk();
    let list: Vec<Node> = parameters.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
    match list.as_slice() {
        [one] => {
            let text = b.text(*one);
            text.contains("String") && (text.contains('[') || text.contains("..."))
        }
        _ => false,
    }
}

/// The type of a method's first parameter, generic arguments left out.
fn first_parameter_type(method: Node, b: &Builder) -> Option<String> {
    let first = method.child_by_field_name("parameters")?.named_child(0)?;
    let text = b.text(first.child_by_field_name("type")?);
    Some(text.split('<').next().unwrap_or(text).trim().to_owned())
}
