//! The facts of one C or C++ file.
//!
//! Locals are scoped by block ([`atlas_syntax::Locals`]). Prototypes, forward declarations and members
//! declared in a class are definitions with [`DefFlags::DECLARATION`]; the linker joins them with what
//! they declare. Lambdas are not definitions: what they call is called by the function around them.
//! `*p` and the base of `p->x` are [`Expr::Await`], the form for "what this wraps": a smart pointer's
//! target, and for a plain pointer the thing itself.

mod declarations;
mod declarators;
mod exprs;
mod functions;
mod macros;
mod refs;
mod roots;
mod statements;
mod types;

pub(crate) use macros::{defined, evaluate};

use crate::tidy::tidy;
use atlas_syntax::{
    Builder, DefIx, DefKind, DocComments, Extractor, FileFacts, FrameKind, Language, Locals, Sym, TypeId, Visit,
};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// The facts of one file; None only if the grammar could not be loaded.
pub(crate) fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    let cpp = language == Language::Cpp;
    let grammar = if cpp { tree_sitter_cpp::LANGUAGE.into() } else { tree_sitter_c::LANGUAGE.into() };
    let source = tidy(source, cpp);
    atlas_syntax::extract(&source, language, &grammar, &mut C { cpp, ..C::default() })
}

/// Expressions, types and declarators nested deeper than this are not looked into.
const DEPTH_MAX: u32 = 64;

#[derive(Default)]
struct C {
    cpp: bool,
    locals: Locals,
    /// Nodes that what stands around them has dealt with: names that are no reads, types that are no
    /// declarations, parts to be skipped.
    done: FxHashSet<usize>,
    /// Nodes not to go into.
    skip: FxHashSet<usize>,
    doc: DocComments,
    /// Template parameters in scope, with the node that ends them.
    type_params: Vec<(usize, Vec<Sym>)>,
    /// Template parameters that the next class or function declares.
    pending_params: Vec<Sym>,
    /// Branches of the preprocessor that the walk is in.
    branches: Vec<macros::Branch>,
    /// Enums that the walk is in: their type, and whether their members are scoped by them.
    enums: Vec<(usize, Option<(TypeId, bool)>)>,
    /// A test macro whose body is the next block: the macro's node and what is known of the test.
    pending_test: Option<roots::PendingTest>,
    /// Typedef names for the anonymous type that the next specifier defines, by the specifier's node.
    typedef_names: FxHashMap<usize, Sym>,
}

impl C {
    fn done(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.done.insert(node.id());
        }
    }

    fn skip(&mut self, node: Option<Node>) {
        if let Some(node) = node {
            self.skip.insert(node.id());
        }
    }

    /// Whether the walk stands in a function's body.
    fn in_function(&self, b: &Builder) -> bool {
        b.here().is_some_and(|here| b.facts().def(here).kind.is_callable())
    }

    /// The class whose body the walk stands in directly.
    fn in_class(&self, b: &Builder) -> Option<DefIx> {
        b.here().filter(|&here| matches!(b.facts().def(here).kind, DefKind::Class | DefKind::Struct | DefKind::Union))
    }
}

impl Extractor for C {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        if self.skip.contains(&node.id()) {
            return Visit::Skip;
        }
        match node.kind() {
            "comment" => self.doc.comment(node, b),
            "preproc_include" => {
                self.include(node, b);
                return Visit::Skip;
            }
            "preproc_def" | "preproc_function_def" => {
                self.macro_definition(node, b);
                return Visit::Skip;
            }
            "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_elifdef" => self.condition(node, b),
            "preproc_else" => self.otherwise(node),
            "preproc_call"
            | "attribute_declaration"
            | "attribute_specifier"
            | "ms_declspec_modifier"
            | "gnu_asm_expression"
            | "preproc_defined"
            | "goto_statement"
            | "abstract_array_declarator" => {
                return Visit::Skip;
            }
            "namespace_definition" => self.namespace(node, b),
            "namespace_alias_definition" => {
                self.namespace_alias(node, b);
                return Visit::Skip;
            }
            "using_declaration" => {
                self.using(node, b);
                return Visit::Skip;
            }
            "alias_declaration" => self.alias(node, b),
            "type_definition" => self.typedef(node, b),
            "template_declaration" => self.template(node, b),
            "template_instantiation" => return Visit::Skip,
            "concept_definition" => self.concept(node, b),
            "friend_declaration" => return self.friend(node, b),
            "class_specifier" | "struct_specifier" | "union_specifier" => self.class(node, b),
            "enum_specifier" => self.enumeration(node, b),
            "type_descriptor" => self.mark_elaborated(node),
            "enumerator" => self.enumerator(node, b),
            "function_definition" => return self.function(node, b),
            "declaration" => return self.declaration(node, b),
            "field_declaration" => self.field(node, b),
            "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration" => {
                self.parameter_names(node, b);
            }
            "compound_statement" => {
                self.open_pending_test(node, b);
                self.locals.open(node, b.here(), FrameKind::Block);
            }
            "for_statement" | "if_statement" | "while_statement" | "switch_statement" | "case_statement" => {
                self.locals.open(node, b.here(), FrameKind::Block);
            }
            "for_range_loop" => self.range_loop(node, b),
            "catch_clause" => self.catch(node, b),
            "lambda_expression" => self.lambda(node, b),
            "lambda_capture_initializer" => self.lambda_capture(node, b),
            "field_initializer" => self.member_initializer(node, b),
            "call_expression" => self.call(node, b),
            "new_expression" => self.new_expression(node, b),
            "compound_literal_expression" => self.compound_literal(node, b),
            "field_expression" => self.field_access(node, b),
            "qualified_identifier" => self.qualified(node, b),
            "assignment_expression" => self.assignment(node, b),
            "update_expression" => self.update(node, b),
            "identifier" => self.identifier(node, b),
            "type_identifier" => self.type_identifier(node, b),
            "expression_statement" => self.test_macro_statement(node, b),
            "string_literal" | "raw_string_literal" | "concatenated_string" => self.string(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn tolerates(&self, node: Node) -> bool {
        node.is_missing() && node.kind() == ";"
    }

    fn leave(&mut self, node: Node, _: &mut Builder) {
        self.locals.close(node);
        while self.type_params.last().is_some_and(|&(id, _)| id == node.id()) {
            self.type_params.pop();
        }
        while self.enums.last().is_some_and(|&(id, _)| id == node.id()) {
            self.enums.pop();
        }
        self.close_branches(node);
    }
}
