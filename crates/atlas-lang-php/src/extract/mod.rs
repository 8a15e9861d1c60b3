//! From a PHP syntax tree to facts.
//!
//! A name of a class, function or constant means one full name, which its file alone decides: by its
//! `use` clauses and its namespace. Names are therefore written into the facts in full, with a leading
//! backslash; functions end in `()` and constants start with `const `, because the three kinds do not
//! share names. Variables keep their `$`. Closures are not definitions: what they call is called by the
//! function around them.

mod defs;
mod docs;
mod exprs;
mod names;
mod refs;
mod roots;
mod scopes;
mod types;

use atlas_syntax::{Builder, DefIx, DocComments, Extractor, FileFacts, Language, Visit, line_of};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// Facts of one PHP file; None only if the language is another one.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    if language != Language::Php {
        return None;
    }
    let grammar = tree_sitter_php::LANGUAGE_PHP.into();
    atlas_syntax::extract(source, language, &grammar, &mut Php::default())
}

/// Expressions and types nested deeper than this are unknown.
const DEPTH_MAX: u32 = 64;

#[derive(Default)]
struct Php {
    /// Nodes that were dealt with by what stands around them.
    done: FxHashSet<usize>,
    doc: DocComments,
    /// The doc comment met last: its last line and its bytes.
    doc_text: Option<(u32, (usize, usize))>,
    namespace: String,
    /// What `use` clauses bind, in lower case, to full names.
    classes: FxHashMap<String, String>,
    functions: FxHashMap<String, String>,
    constants: FxHashMap<String, String>,
    /// Full names that were imported: what guards the rules of frameworks.
    imported: Vec<String>,
    types: Vec<OpenType>,
    frames: Vec<scopes::Frame>,
    frame_count: u32,
    narrowings: Vec<scopes::Narrowing>,
    /// Anonymous classes by the expression that makes them.
    anonymous: FxHashMap<usize, DefIx>,
    /// Prefixes of routes, with the node that ends each.
    prefixes: Vec<(usize, String)>,
}

/// A class, interface, trait or enum whose body the walk is in.
struct OpenType {
    node: usize,
    def: DefIx,
    /// Full name; empty for an anonymous class.
    name: String,
    is_trait: bool,
    parent: Option<String>,
    /// Full names of the parent and of the interfaces.
    bases: Vec<String>,
    /// What attributes or annotations of the class put before the paths of its routes.
    route_prefix: String,
    /// Names that doc comments use for types that a user of the class chooses.
    templates: Vec<String>,
}

impl Php {
    fn done(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.done.insert(node.id());
        }
    }

    fn comment(&mut self, node: Node, b: &mut Builder) {
        self.doc.comment(node, b);
        let text = b.text(node);
        if text.starts_with("/**") {
            self.doc_text = Some((atlas_syntax::end_line_of(node), (node.start_byte(), node.end_byte())));
            self.inline_var(node, text, b);
        }
    }

    /// The doc comment right above `line`.
    fn doc_above<'s>(&mut self, line: u32, b: &Builder<'s>) -> &'s str {
        let Some((end, (from, to))) = self.doc_text.take() else { return "" };
        if end + 1 < line || end > line {
            return "";
        }
        std::str::from_utf8(&b.source[from..to]).unwrap_or_default()
    }
}

impl Extractor for Php {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        if self.done.contains(&node.id()) && matches!(node.kind(), "name" | "qualified_name" | "relative_name") {
            return Visit::Skip;
        }
        match node.kind() {
            "comment" => self.comment(node, b),
            "text" | "php_tag" => self.script(node, b),
            "namespace_definition" => self.namespace(node, b),
            "namespace_use_declaration" => {
                self.use_declaration(node, b);
                return Visit::Skip;
            }
            "class_declaration" | "interface_declaration" | "trait_declaration" | "enum_declaration" => {
                self.type_declaration(node, b);
            }
            "anonymous_class" => self.anonymous_class(node, b),
            "use_declaration" => {
                self.use_traits(node, b);
                return Visit::Skip;
            }
            "function_definition" => self.function(node, b),
            "method_declaration" => self.method(node, b),
            "property_declaration" => self.property(node, b),
            "const_declaration" => self.constants(node, b),
            "enum_case" => self.enum_case(node, b),
            "anonymous_function" | "arrow_function" => self.closure(node, b),
            "attribute" => self.attribute(node, b),
            "function_call_expression" => self.function_call(node, b),
            "member_call_expression" | "nullsafe_member_call_expression" => self.member_call(node, b),
            "scoped_call_expression" => self.scoped_call(node, b),
            "object_creation_expression" => self.creation(node, b),
            "member_access_expression" | "nullsafe_member_access_expression" => self.member_access(node, b),
            "scoped_property_access_expression" => self.scoped_property(node, b),
            "class_constant_access_expression" => self.class_constant(node, b),
            "assignment_expression" | "reference_assignment_expression" | "augmented_assignment_expression" => {
                self.assignment(node, b);
            }
            "update_expression" => self.update(node, b),
            "foreach_statement" => self.foreach(node, b),
            "catch_clause" => self.catch(node, b),
            "static_variable_declaration" => self.static_variable(node, b),
            "if_statement" | "else_if_clause" => self.narrow_if(node, b),
            "conditional_expression" => self.narrow_conditional(node, b),
            "binary_expression" => self.binary_expression(node, b),
            "return_statement" => self.returned(node, b),
            "named_type" => self.type_use(node, b),
            "array_creation_expression" => self.array_callable(node, b),
            "require_expression" | "require_once_expression" | "include_expression" | "include_once_expression" => {
                self.require(node, b);
            }
            "argument" => self.done(node.child_by_field_name("name")),
            "string" | "encapsed_string" | "heredoc" | "nowdoc" => self.text_literal(node, b),
            "variable_name" => return Visit::Skip,
            "goto_statement" | "named_label_statement" => self.done(node.named_child(0)),
            "name" | "qualified_name" | "relative_name" => {
                self.constant_use(node, b);
                return Visit::Skip;
            }
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, _: &mut Builder) {
        let id = node.id();
        while self.types.last().is_some_and(|open| open.node == id) {
            self.types.pop();
        }
        while self.frames.last().is_some_and(|frame| frame.node == id) {
            self.frames.pop();
        }
        while self.narrowings.last().is_some_and(|narrowing| narrowing.node == id) {
            self.narrowings.pop();
        }
        while self.prefixes.last().is_some_and(|(ends, _)| *ends == id) {
            self.prefixes.pop();
        }
    }
}

/// The children of a node that are neither comments nor punctuation.
fn parts(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

/// The first child of this kind.
fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}

/// The line where the signature of a declaration ends: that of its body's brace, or its last line.
fn signature_end(node: Node, body: Option<Node>) -> u32 {
    body.map_or_else(|| atlas_syntax::end_line_of(node), line_of)
}
