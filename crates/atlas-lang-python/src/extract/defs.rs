//! Functions, classes, parameters and what their decorators say of them.

use super::roots::RootSpec;
use super::{Frame, FrameKind, Python, Role};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, ExprId, Literal, RefKind,
    Type, TypeId, end_line_of, line_of,
};
use tree_sitter::Node;

/// What the decorators of a definition say of it.
#[derive(Debug, Default)]
pub(super) struct Decorations {
    start: u32,
    flags: DefFlags,
    /// `@property` and its kin, `x.setter` included.
    property: bool,
    static_method: bool,
    /// Turned into a context manager: a `with` binds what it yields.
    context_manager: bool,
    /// Something else than fixtures gives its arguments.
    patched: bool,
    /// The name that a fixture of pytest is asked for by, empty if it is the function's own.
    fixture: Option<String>,
    pub roots: Vec<RootSpec>,
}

impl Python {
    /// Reads the decorators; the definition is entered later and finds them by its node.
    pub(super) fn decorated(&mut self, node: Node, b: &mut Builder) {
        let Some(definition) = node.child_by_field_name("definition") else { return };
        let mut decorations = Decorations { start: line_of(node), ..Decorations::default() };
        let mut cursor = node.walk();
        let decorators: Vec<Node> = node.named_children(&mut cursor).filter(|n| n.kind() == "decorator").collect();
        for decorator in decorators {
            let Some(inner) = decorator.named_child(0) else { continue };
            let called = inner.kind() == "call";
            let name = if called { inner.child_by_field_name("function") } else { Some(inner) };
            let path = name.map_or("", |name| b.text(name));
            let last = path.rsplit('.').next().unwrap_or_default();
            match last {
                "staticmethod" => decorations.static_method = true,
                "classmethod" | "abstractclassmethod" => decorations.flags.set(DefFlags::CLASS_METHOD, true),
                "overload" | "abstractmethod" => decorations.flags.set(DefFlags::DECLARATION, true),
                "contextmanager" | "asynccontextmanager" => decorations.context_manager = true,
                // These give arguments of their own.
                "given" => decorations.patched = true,
                _ if last.starts_with("patch") || path.contains("patch.") => decorations.patched = true,
                "fixture" => {
                    let name = if called { super::roots::keyword(inner, &["name"], b) } else { None };
                    let name = name.and_then(|name| super::literal_text(name, b)).unwrap_or_default();
                    decorations.fixture = Some(name.to_owned());
                }
                "setter" | "getter" | "deleter" if path.contains('.') => decorations.property = true,
                _ => {
                    decorations.property |= last.to_ascii_lowercase().ends_with("property");
                    decorations.flags.set(DefFlags::DECLARATION, last == "abstractproperty");
                }
            }
            self.decorator_roots(inner, path, last, definition, &mut decorations.roots, b);
        }
        self.decorations.insert(definition.id(), decorations);
    }

    /// The decorator itself is a reference from the scope around the definition.
    pub(super) fn decorator(&mut self, node: Node, b: &mut Builder) {
        let Some(inner) = node.named_child(0) else { return };
        match inner.kind() {
            "call" => {
                self.roles.insert(inner.id(), Role::Decorator);
            }
            "identifier" => {
                self.done(Some(inner));
                let expr = self.expr(inner, b);
                b.add_ref(RefKind::Decorator, inner, expr, 1, None);
            }
            "attribute" => {
                self.done(Some(inner));
                let Some(name) = inner.child_by_field_name("attribute") else { return };
                if matches!(b.text(name), "setter" | "getter" | "deleter") {
                    // The property is extended, not read.
                    self.done(inner.child_by_field_name("object"));
                } else {
                    let expr = self.expr(inner, b);
                    b.add_ref(RefKind::Decorator, name, expr, 1, None);
                }
            }
            _ => {}
        }
    }

    pub(super) fn function(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let decorations = self.decorations.remove(&node.id()).unwrap_or_default();
        let text = b.text(name);
        let around = self.frame().kind;
        let in_class = matches!(around, FrameKind::Class | FrameKind::Enum);
        let kind = match (in_class, text) {
            (true, "__init__") => DefKind::Constructor,
            (true, _) => DefKind::Method,
            (false, _) => DefKind::Function,
        };
        let mut flags = decorations.flags;
        let implicit = matches!(text, "__new__" | "__init_subclass__" | "__class_getitem__");
        flags.set(DefFlags::CLASS_METHOD, in_class && implicit);
        flags.set(DefFlags::STATIC, in_class && decorations.static_method);
        flags.set(DefFlags::GETTER, decorations.property);
        flags.set(DefFlags::EXPORTED, around != FrameKind::Function && !text.starts_with('_'));
        flags.set(DefFlags::ASYNC, node.child(0).is_some_and(|first| first.kind() == "async"));
        let body = node.child_by_field_name("body");
        flags.set(DefFlags::DECLARATION, body.is_some_and(is_stub));
        let test = self.test_rule(text, in_class, b);
        let part_of_tests =
            decorations.fixture.is_some() || matches!(text, "setUp" | "tearDown" | "setUpClass" | "tearDownClass");
        flags.set(DefFlags::TEST, test.is_some() || part_of_tests);

        let mut spec = DefSpec::named(kind, name, b.source);
        spec.start = Some(if decorations.start > 0 { decorations.start } else { line_of(node) });
        let parameters = node.child_by_field_name("parameters");
        let result = node.child_by_field_name("return_type");
        spec.signature_end = result.or(parameters).map(end_line_of);
        spec.doc = body.and_then(docstring);
        spec.ty = result.map(|ty| self.ty(ty, b)).filter(|&ty| ty != 0);
        if decorations.context_manager || decorations.fixture.is_some() {
            spec.ty = spec.ty.map(|ty| yielded_type(ty, b)).filter(|&ty| ty != 0);
        }
        spec.flags = flags;
        let symbol = b.sym_of(name);
        self.frame_mut().defined.insert(symbol);
        let ix = b.open_def(node, spec);
        let mut frame = Frame::new(FrameKind::Function, Some(ix), node.id());
        frame.yields_value = decorations.context_manager || decorations.fixture.is_some();
        frame.asks_fixtures = decorations.fixture.is_some()
            || test.is_some_and(|rule| rule.starts_with("pytest") && !decorations.patched);
        self.frames.push(frame);
        if let Some(name) = &decorations.fixture {
            let name = fixture_name(if name.is_empty() { text } else { name });
            let value = b.expr(Expr::Def(ix));
            b.bind(BindingKind::Local, None, &name, line_of(node), None, Some(value));
        }
        let has_receiver = in_class && !flags.has(DefFlags::STATIC);
        if let Some(parameters) = parameters {
            let arity = self.parameters(parameters, ix, has_receiver, b);
            b.def_mut(ix).arity = arity;
        }
        if let Some(rule) = test {
            self.test_root(ix, name, rule, b);
        }
        for root in decorations.roots {
            root.add(ix, text, b);
        }
        if in_class {
            self.method_roots(ix, name, b);
        }
    }

    /// Binds parameters; gives the fewest and most arguments of a call.
    fn parameters(&mut self, list: Node, ix: DefIx, has_receiver: bool, b: &mut Builder) -> (u16, u16) {
        let (mut least, mut most) = (0u16, 0u16);
        let mut receiver_to_come = has_receiver;
        let mut n = 0u16;
        let mut cursor = list.walk();
        let nodes: Vec<Node> = list.named_children(&mut cursor).collect();
        for node in nodes {
            let kind = node.kind();
            let name = match kind {
                "identifier" => Some(node),
                "default_parameter" | "typed_default_parameter" => node.child_by_field_name("name"),
                "typed_parameter" => node.named_child(0),
                "list_splat_pattern" | "dictionary_splat_pattern" => Some(node),
                // Python 2: `def f(a, (b, c))`.
                "tuple_pattern" => None,
                _ => continue,
            };
            let Some(name) = name else {
                (least, most, n) = (least.saturating_add(1), most.saturating_add(1), n.saturating_add(1));
                continue;
            };
            let (splat, name) = match name.kind() {
                "list_splat_pattern" => (Some(false), name.named_child(0)),
                "dictionary_splat_pattern" => (Some(true), name.named_child(0)),
                _ => (None, Some(name)),
            };
            let Some(name) = name.filter(|name| name.kind() == "identifier") else { continue };
            self.done(Some(name));
            let symbol = b.sym_of(name);
            if receiver_to_come && splat.is_none() {
                receiver_to_come = false;
                self.frame_mut().receiver = Some(symbol);
                continue;
            }
            self.frame_mut().params.push(symbol);
            let declared = node.child_by_field_name("type").map(|ty| self.ty(ty, b)).filter(|&ty| ty != 0);
            let (ty, value) = match splat {
                Some(map) => {
                    most = u16::MAX;
                    let literal = Expr::Literal(if map { Literal::Map } else { Literal::List });
                    let ty = declared.map(|of| self.ty_of_rest(of, map, b));
                    (ty, Some(b.expr(literal)))
                }
                None => {
                    let default = node.child_by_field_name("value");
                    least = least.saturating_add(u16::from(default.is_none()));
                    most = most.saturating_add(1);
                    (declared, default.map(|value| self.expr(value, b)).filter(|&value| value != 0))
                }
            };
            let value = match (ty, value, splat) {
                (None, None, None) if self.frame().asks_fixtures => Some(self.fixture(name, b)),
                _ => value,
            };
            b.bind(BindingKind::Param(n), Some(ix), b.text(name), line_of(name), ty, value);
            n = n.saturating_add(1);
        }
        (least, most)
    }

    /// A parameter of a test is what the fixture of that name gives.
    fn fixture(&mut self, parameter: Node, b: &mut Builder) -> ExprId {
        let name = fixture_name(b.text(parameter));
        let symbol = b.sym(&name);
        let callee = b.expr(Expr::Name(symbol));
        let text = b.text(parameter);
        b.add_ref_named(RefKind::Read, text, parameter, callee, 0, None);
        b.expr(Expr::Call { callee, arg0: None })
    }

    /// Names of parameters are no reads.
    pub(super) fn parameter_names(&mut self, list: Node) {
        let mut cursor = list.walk();
        let nodes: Vec<Node> = list.named_children(&mut cursor).collect();
        for node in nodes {
            let inner = match node.kind() {
                "identifier" => Some(node),
                "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" => node.named_child(0),
                _ => None,
            };
            let Some(inner) = inner else { continue };
            let name = if inner.kind().ends_with("splat_pattern") { inner.named_child(0) } else { Some(inner) };
            self.done(name);
        }
    }

    pub(super) fn class(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let decorations = self.decorations.remove(&node.id()).unwrap_or_default();
        let text = b.text(name);
        let supers = node.child_by_field_name("superclasses");
        let mut bases: Vec<Node> = Vec::new();
        if let Some(supers) = supers {
            let mut cursor = supers.walk();
            bases.extend(
                supers.named_children(&mut cursor).filter(|n| {
                    !matches!(n.kind(), "keyword_argument" | "comment" | "list_splat" | "dictionary_splat")
                }),
            );
        }
        let last_names: Vec<&str> = bases.iter().map(|base| last_name(b.text(*base))).collect();
        let kind = if last_names.iter().any(|base| ENUMS.contains(base)) {
            DefKind::Enum
        } else if last_names.contains(&"Protocol") {
            DefKind::Interface
        } else {
            DefKind::Class
        };
        let body = node.child_by_field_name("body");
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.start = Some(if decorations.start > 0 { decorations.start } else { line_of(node) });
        spec.signature_end = Some(end_line_of(supers.unwrap_or(name)));
        spec.doc = body.and_then(docstring);
        spec.flags = decorations.flags;
        spec.flags.set(DefFlags::EXPORTED, self.frame().kind != FrameKind::Function && !text.starts_with('_'));
        let mut methods: Vec<Node> = Vec::new();
        if let Some(body) = body {
            let mut cursor = body.walk();
            for statement in body.named_children(&mut cursor) {
                let definition = match statement.kind() {
                    "decorated_definition" => statement.child_by_field_name("definition"),
                    "function_definition" | "class_definition" => Some(statement),
                    _ => None,
                };
                methods.extend(definition.and_then(|d| d.child_by_field_name("name")));
            }
        }
        let has_tests = methods.iter().any(|name| b.text(*name).starts_with("test"));
        spec.flags.set(DefFlags::TEST, self.is_test_class(text, &last_names, has_tests));
        let symbol = b.sym_of(name);
        self.frame_mut().defined.insert(symbol);
        let ix = b.open_def(node, spec);
        for base in &bases {
            let ty = self.ty(*base, b);
            if ty != 0 {
                b.add_base(BaseSub::Def(ix), ty, BaseRelation::Inherit, *base);
            }
        }
        let frame_kind = if kind == DefKind::Enum { FrameKind::Enum } else { FrameKind::Class };
        let mut frame = Frame::new(frame_kind, Some(ix), node.id());
        frame.defined.extend(methods.iter().map(|name| b.sym_of(*name)));
        frame.base_names.extend(last_names.iter().map(|&base| Box::from(base)));
        self.frames.push(frame);
        for root in decorations.roots {
            root.add(ix, text, b);
        }
        if let Some(body) = body {
            self.model(ix, node, body, &bases, b);
        }
    }

    /// `type X = …`, `X: TypeAlias = …`, `X = NewType("X", …)`.
    pub(super) fn define_alias(&mut self, node: Node, name: Node, ty: TypeId, b: &mut Builder) -> DefIx {
        let mut spec = DefSpec::named(DefKind::TypeAlias, name, b.source);
        spec.ty = Some(ty).filter(|&ty| ty != 0);
        spec.signature_end = Some(end_line_of(node));
        spec.flags.set(DefFlags::EXPORTED, !b.text(name).starts_with('_'));
        let symbol = b.sym_of(name);
        self.frame_mut().defined.insert(symbol);
        b.add_def(node, spec)
    }

    /// A class made by a call: `Point = namedtuple("Point", "x y")`.
    pub(super) fn define_class(&mut self, node: Node, name: Node, kind: DefKind, b: &mut Builder) -> DefIx {
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.signature_end = Some(end_line_of(node));
        spec.flags.set(DefFlags::EXPORTED, !b.text(name).starts_with('_'));
        let symbol = b.sym_of(name);
        self.frame_mut().defined.insert(symbol);
        b.add_def(node, spec)
    }

    /// `f = lambda x: …` outside of functions is a function by that name.
    pub(super) fn define_lambda(&mut self, assignment: Node, name: Node, lambda: Node, b: &mut Builder) {
        let in_class = self.frame().kind != FrameKind::Module;
        let mut spec = DefSpec::named(if in_class { DefKind::Method } else { DefKind::Function }, name, b.source);
        spec.flags.set(DefFlags::EXPORTED, !b.text(name).starts_with('_'));
        let symbol = b.sym_of(name);
        self.frame_mut().defined.insert(symbol);
        self.roles.insert(lambda.id(), Role::DefinedLambda);
        let ix = b.open_def(assignment, spec);
        self.frames.push(Frame::new(FrameKind::Function, Some(ix), assignment.id()));
        if let Some(parameters) = lambda.child_by_field_name("parameters") {
            let arity = self.parameters(parameters, ix, in_class, b);
            b.def_mut(ix).arity = arity;
        } else {
            b.def_mut(ix).arity = (0, 0);
        }
        if let Some(body) = lambda.child_by_field_name("body") {
            let value = self.expr(body, b);
            if value != 0 {
                b.bind(BindingKind::Return, Some(ix), "", line_of(body), None, Some(value));
            }
        }
    }
}

const ENUMS: [&str; 9] =
    ["Enum", "Flag", "IntEnum", "IntFlag", "IntegerChoices", "StrEnum", "TextChoices", "Choices", "ReprEnum"];

/// The name that a fixture is bound to; no source can spell it.
fn fixture_name(name: &str) -> String {
    format!("{}{name}", crate::FIXTURE)
}

pub(super) fn last_name(path: &str) -> &str {
    let path = path.split(['[', '(']).next().unwrap_or(path).trim();
    path.rsplit('.').next().unwrap_or(path)
}

/// What a generator that became a context manager or a fixture gives: what it yields.
fn yielded_type(ty: TypeId, b: &Builder) -> TypeId {
    match b.facts().ty(ty) {
        Type::Path { path, args } => {
            let generators = ["AsyncGenerator", "AsyncIterator", "Generator", "Iterable", "Iterator"];
            let is_generator = path.last().is_some_and(|&last| generators.contains(&b.str(last)));
            if is_generator { args.first().copied().unwrap_or(0) } else { ty }
        }
        _ => ty,
    }
}

/// Lines of a docstring at the head of a suite.
fn docstring(body: Node) -> Option<(u32, u32)> {
    let mut cursor = body.walk();
    let first = body.named_children(&mut cursor).find(|n| n.kind() != "comment")?;
    let only = first.named_child(0).filter(|_| first.kind() == "expression_statement")?;
    matches!(only.kind(), "string" | "concatenated_string").then(|| (line_of(only), end_line_of(only)))
}

/// A body that is `...`, with documentation at most.
fn is_stub(body: Node) -> bool {
    let mut cursor = body.walk();
    let mut ellipsis = false;
    for statement in body.named_children(&mut cursor) {
        match (statement.kind(), statement.named_child(0).map(|n| n.kind())) {
            ("expression_statement", Some("ellipsis")) => ellipsis = true,
            ("expression_statement", Some("string")) | ("comment", _) => {}
            _ => return false,
        }
    }
    ellipsis
}
