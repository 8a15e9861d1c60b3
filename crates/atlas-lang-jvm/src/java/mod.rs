//! The facts of one Java file.
//!
//! Locals are scoped by block ([`atlas_syntax::Locals`]); what is no local is left to the linker.
//! Anonymous classes and bodies of enum constants are classes without a name. Lambdas are not
//! definitions: what they call is called by the method around them. A method reference `A::b` is
//! recorded as a call of `b` with an unknown number of arguments, since that is what runs it.

mod annotations;
mod data;
mod defs;
mod exprs;
mod refs;
mod roots;
mod statements;
mod types;

use annotations::Annotation;
pub(crate) use data::ENTITY_OF_REPOSITORY;

use atlas_syntax::{
    Builder, DefIx, DocComments, ExprId, Extractor, FileFacts, FrameKind, Language, Locals, Sym, TypeId, Visit,
};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// The facts of one file; None only if the grammar could not be loaded.
pub(crate) fn extract(source: &[u8]) -> Option<FileFacts> {
    let grammar = tree_sitter_java::LANGUAGE.into();
    atlas_syntax::extract(source, Language::Java, &grammar, &mut Java::default())
}

/// Expressions and types nested deeper than this are `Unknown`.
const DEPTH_MAX: u32 = 64;

#[derive(Default)]
struct Java {
    locals: Locals,
    /// Nodes whose name was dealt with by what stands around them.
    done: FxHashSet<usize>,
    doc: DocComments,
    types: Vec<OpenType>,
    /// Type parameters in scope, with the node that ends them.
    type_params: Vec<(usize, Vec<Sym>)>,
    /// What the parameters of a lambda take, by the lambda's node.
    lambda_values: FxHashMap<usize, LambdaValue>,
    /// What a class body without a name extends, by the body's node.
    anonymous: FxHashMap<usize, PendingBase>,
    /// Full names of imports, `.*` included: what guards the rules of frameworks.
    imports: Vec<String>,
    /// String constants of this file seen so far, by name.
    constants: FxHashMap<String, String>,
    /// Whether the file speaks of repositories; None until asked.
    repositories: Option<bool>,
}

/// A type whose body the walk is in.
struct OpenType {
    node: usize,
    def: DefIx,
    name: String,
    is_interface: bool,
    /// Last names of its superclass and interfaces, the superclass first.
    bases: Vec<String>,
    annotations: Vec<Annotation>,
}

/// What a lambda's parameters take.
#[derive(Clone, Copy)]
struct LambdaValue {
    element: ExprId,
    /// All of them, not the last alone.
    alike: bool,
}

/// The base of an anonymous class whose body is still to come.
struct PendingBase {
    sup: TypeId,
    /// Line and column of the base's name.
    at: (u32, u32),
    name: String,
    /// The expression that makes the instance, where something asks for its value.
    made: Option<ExprId>,
}

impl Java {
    /// Whether anything is imported from a package that starts with one of `prefixes`.
    fn imports_from(&self, prefixes: &[&str]) -> bool {
        self.imports.iter().any(|import| prefixes.iter().any(|prefix| import.starts_with(prefix)))
    }

    /// Marks a node as dealt with: the walk does not take it for a name of its own.
    fn done(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.done.insert(node.id());
        }
    }
}

impl Extractor for Java {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        match node.kind() {
            "line_comment" | "block_comment" => self.doc.comment(node, b),
            "package_declaration" => {
                self.package(node, b);
                return Visit::Skip;
            }
            "import_declaration" => {
                self.import(node, b);
                return Visit::Skip;
            }
            "module_declaration" | "receiver_parameter" | "dimensions" => return Visit::Skip,
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => self.type_declaration(node, b),
            "method_declaration" | "annotation_type_element_declaration" => self.method(node, b),
            "constructor_declaration" | "compact_constructor_declaration" => self.constructor(node, b),
            "field_declaration" | "constant_declaration" => self.field(node, b),
            "enum_constant" => self.enum_constant(node, b),
            "class_body" => self.anonymous_class(node, b),
            "block" | "switch_block_statement_group" | "switch_rule" | "for_statement" | "catch_clause" => {
                self.locals.open(node, b.here(), FrameKind::Block);
            }
            "try_with_resources_statement" => self.locals.open(node, b.here(), FrameKind::Block),
            "enhanced_for_statement" => self.enhanced_for(node, b),
            "local_variable_declaration" => self.local_variables(node, b),
            "resource" => self.resource(node, b),
            "catch_formal_parameter" => self.catch_parameter(node, b),
            "lambda_expression" => self.lambda(node, b),
            "instanceof_expression" => self.instance_of(node, b),
            "type_pattern" | "record_pattern_component" => self.pattern(node, b),
            "switch_expression" => self.switch(node, b),
            "labeled_statement" | "break_statement" | "continue_statement" => self.label(node),
            "record_pattern" => self.record_pattern(node, b),
            "type_parameter" => {
                self.done(node.named_children(&mut node.walk()).find(|c| c.kind() == "type_identifier"))
            }
            "method_invocation" => self.invocation(node, b),
            "object_creation_expression" => self.creation(node, b),
            "explicit_constructor_invocation" => self.constructor_call(node, b),
            "method_reference" => self.method_reference(node, b),
            "annotation" | "marker_annotation" => self.annotation_use(node, b),
            "element_value_pair" => self.done(node.child_by_field_name("key")),
            "field_access" => self.field_access(node, b),
            "assignment_expression" => self.assignment(node, b),
            "update_expression" => self.update(node, b),
            "identifier" => self.identifier(node, b),
            "type_identifier" => self.type_identifier(node, b),
            "scoped_type_identifier" => self.scoped_type(node, b),
            "binary_expression" => self.concatenation(node, b),
            "string_literal" => self.string_literal(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, _: &mut Builder) {
        self.locals.close(node);
        while self.types.last().is_some_and(|open| open.node == node.id()) {
            self.types.pop();
        }
        while self.type_params.last().is_some_and(|&(id, _)| id == node.id()) {
            self.type_params.pop();
        }
    }
}
