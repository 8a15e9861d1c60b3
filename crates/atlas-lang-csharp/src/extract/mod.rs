//! From a C# syntax tree to facts.
//!
//! Locals are scoped by block ([`atlas_syntax::Locals`]). Lambdas are not definitions: what they call is
//! called by the member around them. The receiver of an extension method is no parameter of it.

mod branches;
mod defs;
mod exprs;
mod refs;
mod roots;
mod statements;
mod types;

use atlas_syntax::{Builder, DefIx, DocComments, ExprId, Extractor, FileFacts, FrameKind, Language, Locals, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// Facts of one C# file; None only if the language is another one.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    if language != Language::CSharp {
        return None;
    }
    let grammar = tree_sitter_c_sharp::LANGUAGE.into();
    let facts = atlas_syntax::extract(source, language, &grammar, &mut CSharp::default())?;
    if facts.error_count > 0
        && let Some(plain) = branches::first_branches(source)
    {
        let other = atlas_syntax::extract(&plain, language, &grammar, &mut CSharp::default())?;
        if other.error_count < facts.error_count {
            return Some(other);
        }
    }
    Some(facts)
}

/// Expressions and types nested deeper than this are unknown.
const DEPTH_MAX: u32 = 64;

#[derive(Default)]
struct CSharp {
    locals: Locals,
    /// Nodes that were dealt with by what stands around them.
    done: FxHashSet<usize>,
    doc: DocComments,
    /// Namespaces whose bodies the walk is in, with the node that ends each; 0 for the whole file.
    namespaces: Vec<(usize, String)>,
    types: Vec<OpenType>,
    /// What `?.` is applied to, innermost last, with the node that ends each.
    accesses: Vec<(usize, ExprId)>,
    /// What the parameter of a lambda takes, by the lambda's node.
    lambda_values: FxHashMap<usize, ExprId>,
    /// Prefixes of routes by the variable that holds their group.
    groups: FxHashMap<String, String>,
    /// Whether the statements of a program without a `Main` were met.
    top_level: bool,
}

/// A type whose body the walk is in.
struct OpenType {
    node: usize,
    def: DefIx,
    name: String,
    /// Full name: namespace, outer types, name, with the number of type parameters behind each.
    full: String,
    is_interface: bool,
    /// Names of its bases, without arguments.
    bases: Vec<String>,
    /// Path that attributes put before those of its actions, if it is a controller.
    controller: Option<String>,
}

impl CSharp {
    fn done(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.done.insert(node.id());
        }
    }
}

impl Extractor for CSharp {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        match node.kind() {
            "comment" => self.doc.comment(node, b),
            "using_directive" => {
                self.using(node, b);
                return Visit::Skip;
            }
            "extern_alias_directive" | "global_attribute" => return Visit::Skip,
            "namespace_declaration" | "file_scoped_namespace_declaration" => self.namespace(node, b),
            "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "record_declaration"
            | "enum_declaration" => self.type_declaration(node, b),
            "delegate_declaration" => self.delegate(node, b),
            "enum_member_declaration" => self.enum_member(node, b),
            "method_declaration" | "operator_declaration" | "conversion_operator_declaration" => self.method(node, b),
            "local_function_statement" => self.method(node, b),
            "constructor_declaration" | "destructor_declaration" => self.constructor(node, b),
            "constructor_initializer" => self.constructor_call(node, b),
            "property_declaration" | "indexer_declaration" | "event_declaration" => self.property(node, b),
            "field_declaration" | "event_field_declaration" => self.field(node, b),
            "accessor_declaration" => self.accessor(node, b),
            "block"
            | "switch_section"
            | "switch_expression_arm"
            | "for_statement"
            | "using_statement"
            | "catch_clause"
            | "fixed_statement"
            | "query_expression" => {
                self.locals.open(node, b.here(), FrameKind::Block);
            }
            "global_statement" => self.top_level(node, b),
            "foreach_statement" => self.foreach(node, b),
            "variable_declaration" => self.variables(node, b),
            "declaration_expression"
            | "declaration_pattern"
            | "recursive_pattern"
            | "var_pattern"
            | "list_pattern"
            | "catch_declaration" => self.designation(node, b),
            "from_clause" | "join_clause" | "let_clause" => self.query_clause(node, b),
            "lambda_expression" | "anonymous_method_expression" => self.lambda(node, b),
            "invocation_expression" => return self.invocation(node, b),
            "object_creation_expression" => self.creation(node, b),
            "conditional_access_expression" => self.conditional_access(node, b),
            "member_access_expression" | "member_binding_expression" => self.member_read(node, b),
            "assignment_expression" => self.assignment(node, b),
            "prefix_unary_expression" | "postfix_unary_expression" => self.update(node, b),
            "argument" | "attribute_argument" | "tuple_element" => {
                self.done(node.child_by_field_name("name"));
                self.type_field(node, "type", b);
            }
            "attribute" => self.attribute(node, b),
            "base_list" => self.mark_base_list(node),
            "type_argument_list" => self.type_children(node, b),
            "type_parameter" => self.done(node.child_by_field_name("name")),
            "type_parameter_constraints_clause" => self.done(node.named_child(0)),
            "cast_expression"
            | "typeof_expression"
            | "default_expression"
            | "sizeof_expression"
            | "parameter"
            | "array_creation_expression"
            | "type_parameter_constraint"
            | "type_pattern"
            | "refvalue_expression" => self.type_field(node, "type", b),
            "is_expression" | "as_expression" => self.type_field(node, "right", b),
            "explicit_interface_specifier" => self.type_children(node, b),
            "subpattern" => self.subpattern(node),
            "labeled_statement" | "goto_statement" => {
                self.done(node.named_child(0).filter(|first| first.kind() == "identifier"));
            }
            "return_statement" | "arrow_expression_clause" => self.target_typed(node, b),
            "generic_name" => self.done(node.named_child(0)),
            "identifier" => self.identifier(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, _: &mut Builder) {
        let id = node.id();
        self.locals.close(node);
        while self.types.last().is_some_and(|open| open.node == id) {
            self.types.pop();
        }
        while self.accesses.last().is_some_and(|(ends, _)| *ends == id) {
            self.accesses.pop();
        }
        while self.namespaces.last().is_some_and(|(ends, _)| *ends == id) {
            self.namespaces.pop();
        }
    }
}

/// The named children of a node that are no comments.
fn parts(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

/// The first child of this kind.
fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}

/// Whether a declaration has this modifier.
fn has_modifier(node: Node, modifier: &str, b: &Builder) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| child.kind() == "modifier" && b.text(child) == modifier)
}
