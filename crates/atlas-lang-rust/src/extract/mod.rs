//! Facts of one Rust file.
//!
//! Items are in [`items`], `use` in [`uses`], patterns in [`patterns`], expressions in [`exprs`],
//! types in [`types`], references in [`refs`], token trees of macros in [`tokens`], attributes in
//! [`attrs`], entry points in [`roots`], tables in [`data`]. This module opens and closes scopes and
//! sends each node to its reader. References that need a receiver are made when the walk leaves their
//! node, so that everything inside is known by then. Locals get names that are exact by block
//! ([`atlas_syntax::Locals`]); closures are no definitions.

mod attrs;
mod cfg;
mod data;
mod exprs;
mod items;
mod patterns;
mod refs;
mod roots;
mod tokens;
mod types;
mod uses;

use atlas_syntax::{
    Builder, DefIx, ExprId, Extractor, FrameKind, Import, Locals, Sym, TypeId, Visit, end_line_of, line_of,
};
use attrs::Attr;
use rustc_hash::{FxHashMap, FxHashSet};
use tokens::TokenFunction;
use tree_sitter::Node;

/// Depth to which types, patterns and arguments of arguments are followed.
const DEPTH_MAX: u32 = 24;

#[derive(Default)]
pub struct RustExtractor {
    locals: Locals,
    /// Nodes whose reference an enclosing node has made, or which name nothing.
    handled: FxHashSet<usize>,
    /// Blocks that share the frame of their function.
    bodies: FxHashSet<usize>,
    /// Expressions made so far, by node.
    exprs: FxHashMap<usize, ExprId>,
    /// Attributes that wait for their item.
    attrs: Vec<Attr>,
    /// Lines of the documentation comment met last.
    doc: Option<(u32, u32)>,
    /// Names of type parameters in scope, with the node that ends each and its bounds.
    type_params: Vec<(usize, Sym, Option<TypeId>)>,
    /// Whether a type parameter stands for its bounds, as where a block implements something for it.
    by_bounds: bool,
    /// The `impl` and `trait` blocks that are open.
    impls: Vec<Impl>,
    /// What the closures, arms and loops ahead bind their patterns to, by node.
    scrutinees: FxHashMap<usize, ExprId>,
    /// The scrutinee of each `match` ahead, by the node of its arms' block.
    pending: FxHashMap<usize, (usize, ExprId)>,
    /// What each parameter of a closure ahead is, by the closure's node.
    closures: FxHashMap<usize, Vec<ExprId>>,
    /// Locals that hold a closure: a call of one names no definition.
    closure_locals: FxHashSet<Sym>,
    /// Functions found in a macro's tokens, by the node of their body.
    token_functions: FxHashMap<usize, TokenFunction>,
    /// Token trees whose items count: the input of a macro that stands where items do.
    item_trees: FxHashSet<usize>,
    /// Nodes within which definitions are left out of the default build, or are tests.
    marked: Vec<(usize, Marks)>,
    /// Paths of tables that an enclosing call writes.
    written_tables: FxHashSet<usize>,
    /// The enum whose variants are commands.
    subcommands: Option<DefIx>,
    /// Imports that the default build leaves out: they count where nothing else brings their name.
    late_imports: Vec<Import>,
    importing_late: bool,
    /// Lines of items that the default build leaves out by the macro around them.
    left_out: Vec<(u32, u32)>,
    /// First segments of `use` paths, for rules that ask for a framework.
    crates: FxHashSet<Box<str>>,
}

/// An open `impl` or `trait`.
struct Impl {
    node: usize,
    /// The path of the type that `Self` is, without arguments; empty if it has none.
    path: Vec<Sym>,
    /// The type whose members its items are; None in a trait, which contains them.
    owner: Option<TypeId>,
    /// What `self` is where the type of the block is a type parameter: its bounds.
    this: Option<TypeId>,
    /// Whether its items are members of a trait, declared or implemented.
    of_trait: bool,
    /// The definition that was open when it began, the trait itself included.
    within: Option<DefIx>,
    /// A struct or enum gives `Self` a meaning but holds no items.
    holds_items: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    left_out: bool,
    test: bool,
}

impl Extractor for RustExtractor {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        let kind = node.kind();
        match kind {
            "line_comment" | "block_comment" => {
                self.comment(node, b);
                return Visit::Skip;
            }
            "attribute_item" => {
                self.attribute(node, b);
                return Visit::Skip;
            }
            "inner_attribute_item" | "label" | "lifetime" | "visibility_modifier" => return Visit::Skip,
            _ => {}
        }
        let attrs = std::mem::take(&mut self.attrs);
        match kind {
            "function_item" | "function_signature_item" => self.function(node, &attrs, b),
            "mod_item" => self.module(node, &attrs, b),
            "struct_item" | "union_item" | "enum_item" => self.type_item(node, &attrs, b),
            "enum_variant" => self.variant(node, &attrs, b),
            "field_declaration" => self.field(node, b),
            "ordered_field_declaration_list" => self.ordered_fields(node, b),
            "trait_item" => self.trait_item(node, &attrs, b),
            "impl_item" => self.impl_item(node, &attrs, b),
            "type_item" | "associated_type" => self.alias(node, &attrs, b),
            "const_item" | "static_item" => self.constant(node, &attrs, b),
            "macro_definition" => {
                self.macro_definition(node, &attrs, b);
                return Visit::Skip;
            }
            "use_declaration" => {
                self.use_declaration(node, &attrs, b);
                return Visit::Skip;
            }
            "extern_crate_declaration" => {
                self.extern_crate(node, b);
                return Visit::Skip;
            }
            "type_parameters" => self.type_parameter_names(node),
            "block" if self.bodies.contains(&node.id()) => {}
            "match_block" => self.match_block(node, b),
            "block" | "if_expression" | "while_expression" => {
                self.locals.open(node, b.here(), FrameKind::Block);
            }
            "let_declaration" | "let_condition" => {
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    self.mark_pattern(pattern, b, 0);
                }
            }
            "match_expression" => self.match_arms(node, b),
            "match_arm" => self.match_arm(node, b),
            "for_expression" => self.for_loop(node, b),
            "closure_expression" => self.closure(node, b),
            "call_expression" => self.enter_call(node, b),
            "field_expression" | "try_expression" | "await_expression" => {}
            "assignment_expression" | "compound_assignment_expr" => {
                if let Some(left) = node.child_by_field_name("left") {
                    self.assigned(left, b);
                }
            }
            "macro_invocation" => self.macro_call(node, b),
            "token_tree" => self.token_tree(node, b),
            "struct_expression" => self.struct_expression(node, b),
            "struct_pattern" => self.struct_pattern(node),
            "scoped_identifier" => {
                self.diesel_path(node, b);
                self.scoped_identifier(node, b);
            }
            "scoped_type_identifier" => self.scoped_type(node, b),
            "generic_function" => {
                if let Some(function) = node.child_by_field_name("function")
                    && self.handled.contains(&node.id())
                {
                    self.handled.insert(function.id());
                }
            }
            "identifier" => self.identifier(node, b),
            "type_identifier" => self.type_name(node, b),
            "type_binding" => {
                if let Some(name) = node.child_by_field_name("name") {
                    self.handled.insert(name.id());
                }
            }
            "string_literal" | "raw_string_literal" => self.string(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn finish(&mut self, b: &mut Builder) {
        for import in std::mem::take(&mut self.late_imports) {
            let same = |known: &Import| known.local == import.local && known.within == import.within;
            if import.local.is_none() || !b.facts().imports.iter().any(same) {
                b.add_import(import);
            }
        }
        b.sort_refs();
    }

    fn leave(&mut self, node: Node, b: &mut Builder) {
        match node.kind() {
            "call_expression" => self.call(node, b),
            "field_expression" => self.field_read(node, b),
            "let_declaration" => self.let_declaration(node, b),
            "let_condition" => self.let_condition(node, b),
            // What a block, an arm or a branch gives is known only while its locals are.
            "block" => self.block_value(node, b),
            "match_arm" => {
                if let Some(value) = node.child_by_field_name("value") {
                    let made = self.value(value, b);
                    self.exprs.insert(value.id(), made);
                }
            }
            _ => {}
        }
        self.locals.close(node);
        while self.type_params.last().is_some_and(|&(id, ..)| id == node.id()) {
            self.type_params.pop();
        }
        while self.impls.last().is_some_and(|open| open.node == node.id()) {
            self.impls.pop();
        }
        while self.marked.last().is_some_and(|&(id, _)| id == node.id()) {
            self.marked.pop();
        }
    }
}

impl RustExtractor {
    /// `left_out` are the lines that the default build leaves out.
    pub(crate) fn new(left_out: Vec<(u32, u32)>) -> Self {
        Self { locals: Locals::numbered(), left_out, ..Self::default() }
    }

    /// Only `///` and `/** */` document what follows.
    fn comment(&mut self, node: Node, b: &Builder) {
        let text = b.text(node);
        let documents = (text.starts_with("///") && !text.starts_with("////"))
            || (text.starts_with("/**") && !text.starts_with("/***") && text != "/**/");
        if !documents {
            return;
        }
        let (start, end) = (line_of(node), end_line_of(node));
        self.doc = match self.doc {
            Some((first, last)) if last + 1 == start => Some((first, end)),
            _ => Some((start, end)),
        };
    }

    /// The documentation that ends right above an item or above its attributes.
    fn take_doc(&mut self, node: Node, attrs: &[Attr]) -> Option<(u32, u32)> {
        let line = line_of(node);
        let first = attrs.first().map_or(line, |attr| attr.line);
        self.doc.take().filter(|&(_, end)| end + 1 == line || end + 1 == first || end == line)
    }

    /// Whether a definition here is left out of the default build, or is part of tests.
    fn marks(&self, node: Node, attrs: &[Attr]) -> Marks {
        let around = self.marked.last().map(|&(_, marks)| marks).unwrap_or_default();
        let line = line_of(node);
        let by_macro = self.left_out.iter().any(|&(start, end)| start <= line && line <= end);
        Marks {
            left_out: around.left_out
                || by_macro
                || attrs.iter().any(|attr| attr.path == "cfg" && !cfg::holds(&attr.args)),
            test: around.test
                || attrs.iter().any(|attr| (attr.path == "cfg" && cfg::is_test(&attr.args)) || attr.is_test()),
        }
    }

    /// Whether an import counts only where no other brings its name: the default build leaves it out,
    /// or it is for tests.
    fn is_late(&self, node: Node, attrs: &[Attr]) -> bool {
        self.marks(node, attrs).left_out || attrs.iter().any(|attr| attr.path == "cfg" && cfg::is_test(&attr.args))
    }

    /// Adds an import, later if the default build leaves it out.
    fn import(&mut self, import: Import, b: &mut Builder) {
        if self.importing_late {
            self.late_imports.push(import);
        } else {
            b.add_import(import);
        }
    }

    fn mark_within(&mut self, node: Node, marks: Marks) {
        self.marked.push((node.id(), marks));
    }

    /// Whether the file takes names from this crate.
    fn uses_crate(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.crates.contains(*name))
    }
}
