//! From a Ruby syntax tree to facts.
//!
//! The walk enters every node before its children, so a parent deals with those of its children
//! whose meaning it decides and leaves a [`Role`] for them. A bare word is a local if it was bound
//! before, else a call of a method of `self`: Ruby's own rule.

mod bind;
mod calls;
mod data;
mod defs;
mod expr;
mod macros;
mod roots;
mod routes;

use atlas_syntax::{Builder, DefIx, DocComments, Extractor, FileFacts, Language, RefKind, Sym, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// Facts of one Ruby file; None only if the language is another one.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    if language != Language::Ruby {
        return None;
    }
    let grammar = tree_sitter_ruby::LANGUAGE.into();
    let mut ruby = Ruby { frames: vec![Frame::new(FrameKind::Program, None, 0)], ..Ruby::default() };
    atlas_syntax::extract(source, language, &grammar, &mut ruby)
}

/// What a parent has decided about a node before the walk reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Dealt with; what stands inside is still walked.
    Done,
    /// A call in the middle of a chain of calls.
    ChainLink,
    /// Text that was read as part of a longer one.
    Joined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Program,
    /// The body of a class or module.
    Type,
    /// `class << self`, `class_methods do`.
    Singleton,
    Method,
    /// A method of the class itself.
    StaticMethod,
}

/// One scope that is open where the walk stands.
#[derive(Debug)]
struct Frame {
    kind: FrameKind,
    def: Option<DefIx>,
    /// The node that closes it.
    node: usize,
    locals: FxHashSet<Sym>,
    /// Names that are definitions of this scope already.
    defined: FxHashSet<Sym>,
    /// Block parameters below this place in `inner` are not seen from here.
    inner_from: usize,
    /// Methods that follow are private.
    private: bool,
    /// The superclass as written, and modules that were included.
    parents: Vec<Box<str>>,
}

/// Parameters of a block, which are its own.
#[derive(Debug)]
struct Inner {
    node: usize,
    names: Vec<(Sym, Sym)>,
}

#[derive(Debug, Default)]
struct Ruby {
    roles: FxHashMap<usize, Role>,
    frames: Vec<Frame>,
    inner: Vec<Inner>,
    inner_count: u32,
    doc: DocComments,
    /// What a block's parameters stand for, by the block's node.
    block_values: FxHashMap<usize, bind::BlockValue>,
    /// Gems and files that were required.
    required: FxHashSet<Box<str>>,
    /// A sorbet signature that waits for its method.
    signature: Option<defs::Signature>,
    /// Routes are drawn inside this many blocks.
    routes: Vec<routes::Scope>,
    /// `namespace :a do` of a Rakefile, with the node that closes each.
    tasks: Vec<(usize, String)>,
    /// The description before the next command of a Thor class.
    described: bool,
    /// Strings joined by `+` before this byte were read as one text.
    joined_until: usize,
}

impl Extractor for Ruby {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        let role = if self.roles.is_empty() { None } else { self.roles.remove(&node.id()) };
        match node.kind() {
            "comment" => self.doc.comment(node, b),
            "identifier" if role.is_none() => self.identifier(node, b),
            "constant" if role.is_none() => self.constant(node, b),
            "scope_resolution" if role.is_none() => self.scope_resolution(node, b),
            "instance_variable" | "class_variable" | "global_variable" if role.is_none() => self.variable(node, b),
            "call" => self.call(node, role, b),
            "super" if role.is_none() => self.bare_super(node, b),
            "class" => self.class(node, b),
            "module" => self.module(node, b),
            "singleton_class" => self.singleton_class(node),
            "method" | "singleton_method" => self.method(node, b),
            "alias" => self.alias(node, b),
            "undef" => return Visit::Skip,
            "assignment" | "operator_assignment" => self.assignment(node, b),
            "for" => self.for_loop(node, b),
            "block" | "do_block" => self.block(node, b),
            "lambda" => self.lambda(node, b),
            "rescue" => self.rescue(node, b),
            "in_clause" | "match_pattern" | "test_pattern" => self.patterns(node, b),
            "return" => self.returned(node, b),
            "pair" | "keyword_parameter" | "optional_parameter" => self.pair(node, b),
            "string" | "heredoc_body" | "chained_string" => self.text(node, role, b),
            "binary" => self.joined_text(node, b),
            "if" => self.main_guard(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, b: &mut Builder) {
        let id = node.id();
        if matches!(node.kind(), "method" | "singleton_method") {
            self.implicit_return(node, b);
        }
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.node == id) {
            self.frames.pop();
        }
        while self.inner.last().is_some_and(|inner| inner.node == id) {
            self.inner.pop();
        }
        while self.routes.last().is_some_and(|scope| scope.node == id) {
            self.routes.pop();
        }
        while self.tasks.last().is_some_and(|(task, _)| *task == id) {
            self.tasks.pop();
        }
    }
}

impl Ruby {
    fn frame(&self) -> &Frame {
        self.frames.last().expect("the program's frame stays open")
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the program's frame stays open")
    }

    fn push(&mut self, kind: FrameKind, def: Option<DefIx>, node: Node) {
        let mut frame = Frame::new(kind, def, node.id());
        frame.inner_from = self.inner.len();
        self.frames.push(frame);
    }

    fn done(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.roles.insert(node.id(), Role::Done);
        }
    }

    fn requires(&self, gem: &str) -> bool {
        self.required.contains(gem)
    }

    /// A bare word that the walk meets as a value.
    fn identifier(&mut self, node: Node, b: &mut Builder) {
        let name = b.sym_of(node);
        if self.inner_name(name).is_some() {
            return;
        }
        let text = b.text(node);
        if self.is_local(name) {
            let expr = self.expr(node, b);
            b.add_ref(RefKind::Read, node, expr, 0, None);
        } else if !self.bare_macro(text) && !text.starts_with("__") {
            let expr = self.callee_of_self(text, b);
            b.add_ref(RefKind::Call, node, expr, 0, None);
        }
    }

    fn constant(&mut self, node: Node, b: &mut Builder) {
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    fn scope_resolution(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.done(Some(name));
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Read, name, expr, 0, None);
    }

    fn variable(&mut self, node: Node, b: &mut Builder) {
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    /// The name that a block around this place gives to `name`.
    fn inner_name(&self, name: Sym) -> Option<Sym> {
        let visible = self.inner.get(self.frame().inner_from..).unwrap_or_default();
        visible.iter().rev().find_map(|inner| inner.names.iter().find(|&&(n, _)| n == name).map(|&(_, own)| own))
    }

    fn is_local(&self, name: Sym) -> bool {
        self.frame().locals.contains(&name)
    }

    /// The innermost class or module around.
    fn type_frame(&self) -> Option<&Frame> {
        self.frames.iter().rev().find(|frame| frame.kind == FrameKind::Type)
    }
}

impl Frame {
    fn new(kind: FrameKind, def: Option<DefIx>, node: usize) -> Self {
        Self {
            kind,
            def,
            node,
            locals: FxHashSet::default(),
            defined: FxHashSet::default(),
            inner_from: 0,
            private: false,
            parents: Vec::new(),
        }
    }
}

/// The text of a symbol, a plain string or a key: `:a`, `"a"`, `a:`.
fn plain_text<'s>(node: Node, b: &Builder<'s>) -> Option<&'s str> {
    let text = b.text(node);
    match node.kind() {
        "simple_symbol" => text.strip_prefix(':'),
        "hash_key_symbol" => Some(text),
        "bare_symbol" | "bare_string" => Some(text),
        "string" | "delimited_symbol" => {
            let mut cursor = node.walk();
            let mut inner = node.named_children(&mut cursor);
            match (inner.next(), inner.next()) {
                (None, _) => Some(""),
                (Some(only), None) if only.kind() == "string_content" => Some(b.text(only)),
                _ => None,
            }
        }
        _ => None,
    }
}
