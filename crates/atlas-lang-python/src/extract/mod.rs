//! From a Python syntax tree to facts.
//!
//! The walk enters every node before its children, so a parent deals with those of its children
//! whose meaning it decides (targets, callees, names of arguments) and leaves a [`Role`] for them;
//! all other identifiers are reads. Parents are never looked up: that costs the depth of the tree.

mod bind;
mod calls;
mod data;
mod defs;
mod expr;
mod imports;
mod roots;
mod routers;
mod types;

use atlas_syntax::{Builder, DefIx, Expr, Extractor, FileFacts, Language, RefKind, Sym, TypeId, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// Facts of one Python file; None only if the language is another one.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    if language != Language::Python {
        return None;
    }
    let grammar = tree_sitter_python::LANGUAGE.into();
    let mut python = Python { frames: vec![Frame::new(FrameKind::Module, None, 0)], ..Python::default() };
    atlas_syntax::extract(source, language, &grammar, &mut python)
}

/// What a parent has decided about a node before the walk reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Dealt with; what stands inside is still walked.
    Done,
    /// A call that is a decorator.
    Decorator,
    /// A string that cannot be SQL on its own: a docstring, or part of a longer text.
    Prose,
    /// A call in the middle of a chain of calls.
    ChainLink,
    /// A lambda that became a definition.
    DefinedLambda,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Module,
    Class,
    Enum,
    Function,
}

/// One scope that is open where the walk stands.
#[derive(Debug)]
struct Frame {
    kind: FrameKind,
    def: Option<DefIx>,
    /// The node that closes it.
    node: usize,
    /// The first parameter of a method: `self` or `cls`.
    receiver: Option<Sym>,
    params: Vec<Sym>,
    globals: Vec<Sym>,
    nonlocals: Vec<Sym>,
    /// Names that are definitions of this scope already, or will be.
    defined: FxHashSet<Sym>,
    /// A `with` binds what it yields.
    yields_value: bool,
    /// Parameters name fixtures of pytest.
    asks_fixtures: bool,
    /// Last names of a class's bases.
    base_names: Vec<Box<str>>,
}

/// Names of a comprehension or lambda, which are its own.
#[derive(Debug)]
struct Inner {
    node: usize,
    names: Vec<(Sym, Sym)>,
}

/// Where `isinstance` has told the type of a name.
#[derive(Debug, Clone, Copy)]
struct Narrowed {
    start: usize,
    end: usize,
    ty: TypeId,
}

#[derive(Debug, Default)]
struct Python {
    roles: FxHashMap<usize, Role>,
    frames: Vec<Frame>,
    inner: Vec<Inner>,
    inner_count: u32,
    /// Names of comprehensions that were bound before the walk reached them.
    inner_known: FxHashMap<usize, Vec<(Sym, Sym)>>,
    narrowed: FxHashMap<Box<str>, Vec<Narrowed>>,
    narrows_members: bool,
    /// Ends of the open suites, with the nodes that close them.
    blocks: Vec<(usize, usize)>,
    /// Everything before these bytes is a type, a literal type, or for type checkers alone.
    type_until: usize,
    literal_until: usize,
    type_only_until: usize,
    decorations: FxHashMap<usize, defs::Decorations>,
    /// Top names of imported modules, and every part of their paths.
    imported: FxHashSet<Box<str>>,
    /// Imported names, to the modules that they come from.
    origins: FxHashMap<Box<str>, Box<str>>,
    /// End of the chain of assignments around, and its value.
    chain: Option<(usize, atlas_syntax::ExprId)>,
    /// Strings joined by `+` before this byte were read as one text.
    joined_until: usize,
    /// Routers of this file by name, with the path under which they are reached.
    routers: FxHashMap<Box<str>, Box<str>>,
}

impl Extractor for Python {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        let role = if self.roles.is_empty() { None } else { self.roles.remove(&node.id()) };
        match node.kind() {
            "module" => self.routers(node, b),
            "identifier" if role.is_none() => self.identifier(node, b),
            "attribute" => self.attribute(node, role, b),
            "call" => self.call(node, role, b),
            "function_definition" => self.function(node, b),
            "class_definition" => self.class(node, b),
            "decorated_definition" => self.decorated(node, b),
            "decorator" => self.decorator(node, b),
            "block" => self.blocks.push((node.end_byte(), node.id())),
            "expression_statement" => self.statement(node),
            "assignment" if role.is_none() => self.assignment(node, b),
            "augmented_assignment" => self.augmented(node, b),
            "named_expression" => self.walrus(node, b),
            "for_statement" => self.for_loop(node, b),
            "with_item" => self.with_item(node, b),
            "except_clause" => self.except_clause(node, b),
            "delete_statement" => self.delete(node, b),
            "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression" => {
                self.comprehension(node, b);
            }
            "lambda" => self.lambda(node, role, b),
            "import_statement" | "import_from_statement" | "future_import_statement" => {
                self.import(node, b);
                return Visit::Skip;
            }
            "global_statement" | "nonlocal_statement" => {
                self.outer_names(node, b);
                return Visit::Skip;
            }
            "return_statement" => self.returned(node, b),
            "yield" => self.yielded(node, b),
            "if_statement" | "elif_clause" | "while_statement" => self.branch(node, b),
            "assert_statement" => self.assertion(node, b),
            "boolean_operator" | "conditional_expression" => self.narrow_operands(node, b),
            "case_clause" => self.case_clause(node, b),
            "type" => self.type_until = self.type_until.max(node.end_byte()),
            "generic_type" | "subscript" if self.in_type(node) => self.literal_type(node, b),
            "type_alias_statement" => self.type_alias(node, b),
            "keyword_argument" => self.done(node.child_by_field_name("name")),
            "default_parameter" | "typed_default_parameter" => self.done(node.child_by_field_name("name")),
            "string" => self.string(node, role, b),
            "concatenated_string" => self.concatenated(node, role, b),
            "binary_operator" => self.joined_text(node, b),
            "parameters" | "lambda_parameters" => self.parameter_names(node),
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, _b: &mut Builder) {
        let id = node.id();
        if self.frames.last().is_some_and(|frame| frame.node == id) {
            self.frames.pop();
        }
        if self.inner.last().is_some_and(|inner| inner.node == id) {
            self.inner.pop();
        }
        if self.blocks.last().is_some_and(|&(_, block)| block == id) {
            self.blocks.pop();
        }
    }

    fn finish(&mut self, b: &mut Builder) {
        self.public_roots(b);
    }
}

impl Python {
    fn frame(&self) -> &Frame {
        self.frames.last().expect("the module's frame stays open")
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the module's frame stays open")
    }

    fn done(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.roles.insert(node.id(), Role::Done);
        }
    }

    fn in_type(&self, node: Node) -> bool {
        node.start_byte() < self.type_until
    }

    fn imports(&self, module: &str) -> bool {
        self.imported.contains(module)
    }

    /// Whether `name` was imported from a module with this prefix.
    fn comes_from(&self, name: &str, module: &str) -> bool {
        self.origins.get(name).is_some_and(|origin| {
            origin.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    fn identifier(&mut self, node: Node, b: &mut Builder) {
        if self.in_type(node) {
            if node.start_byte() >= self.literal_until {
                let expr = self.expr(node, b);
                b.add_ref(RefKind::TypeUse, node, expr, 0, None);
            }
            return;
        }
        let name = b.sym_of(node);
        if self.inner_name(name).is_some() || self.is_receiver(name) {
            return;
        }
        let name = b.sym_of(node);
        let expr = b.expr_of(node, |_| Expr::Name(name));
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    fn attribute(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("attribute") else { return };
        self.done(Some(name));
        if role.is_none() {
            let kind = if self.in_type(node) { RefKind::TypeUse } else { RefKind::Read };
            let mut expr = self.expr(node, b);
            // Whatever `isinstance` says of its value, the member itself is read.
            if let (Expr::Cast(_), Some(object)) = (b.facts().expr(expr), node.child_by_field_name("object")) {
                let base = self.expr(object, b);
                let name = b.sym_of(name);
                expr = b.expr(Expr::Member { base, name });
            }
            b.add_ref(kind, name, expr, 0, None);
        }
    }

    /// An expression statement that is one string is documentation or a comment.
    fn statement(&mut self, node: Node) {
        if node.named_child_count() == 1
            && let Some(only) = node.named_child(0)
            && matches!(only.kind(), "string" | "concatenated_string")
        {
            self.roles.insert(only.id(), Role::Prose);
        }
    }

    /// The name that a comprehension or lambda around this place gives to `name`.
    fn inner_name(&self, name: Sym) -> Option<Sym> {
        self.inner.iter().rev().find_map(|inner| inner.names.iter().find(|&&(n, _)| n == name).map(|&(_, own)| own))
    }

    /// Whether `name` is the `self` or `cls` of the innermost method around.
    fn is_receiver(&self, name: Sym) -> bool {
        for frame in self.frames.iter().rev() {
            if frame.receiver == Some(name) {
                return true;
            }
            if frame.kind != FrameKind::Function || frame.params.contains(&name) {
                return false;
            }
        }
        false
    }
}

impl Frame {
    fn new(kind: FrameKind, def: Option<DefIx>, node: usize) -> Self {
        Self {
            kind,
            def,
            node,
            receiver: None,
            params: Vec::new(),
            globals: Vec::new(),
            nonlocals: Vec::new(),
            defined: FxHashSet::default(),
            yields_value: false,
            asks_fixtures: false,
            base_names: Vec::new(),
        }
    }
}

/// Parts of a string literal's source: its prefix letters and its text without quotes.
fn string_parts(raw: &str) -> (&str, &str) {
    let quotes = raw.find(['"', '\'']).unwrap_or(raw.len());
    let (prefix, rest) = raw.split_at(quotes);
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if let Some(inner) = rest.strip_prefix(quote) {
            return (prefix, inner.strip_suffix(quote).unwrap_or(inner));
        }
    }
    (prefix, rest)
}

/// The text of a plain string literal, escapes left as written; None for one with holes in it.
fn literal_text<'s>(node: Node, b: &Builder<'s>) -> Option<&'s str> {
    if node.kind() != "string" {
        return None;
    }
    let (prefix, text) = string_parts(b.text(node));
    (!prefix.contains(['f', 'F'])).then_some(text)
}
