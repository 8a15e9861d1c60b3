//! Facts of one Go file (issue: a code graph that can be believed).
//!
//! Definitions are in [`defs`], expressions and types in [`exprs`], references in [`refs`], entry
//! points in [`roots`], tables in [`data`]. This module opens and closes scopes and sends each node
//! to its reader. Locals get names that are exact by block ([`atlas_syntax::Locals`]); a local that
//! holds a function literal is no definition: what stands in it belongs to the function around it.

mod build;
mod data;
mod defs;
mod exprs;
mod refs;
mod roots;

pub(crate) use build::name_holds as file_name_holds;
pub(crate) use data::table_name_of;
pub(crate) use exprs::is_predeclared_type as is_predeclared;

use atlas_syntax::{
    BindingKind, Builder, DocComments, Expr, ExprId, Extractor, FrameKind, Literal, Locals, Sym, TypeId, Visit, line_of,
};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// Depth to which types and arguments of arguments are followed.
const DEPTH_MAX: u32 = 24;

#[derive(Default)]
pub struct GoExtractor {
    locals: Locals,
    /// Nodes whose reference an enclosing node has made, or which name nothing.
    handled: FxHashSet<usize>,
    /// Blocks that share the frame of their function.
    bodies: FxHashSet<usize>,
    docs: DocComments,
    /// Names that the file binds packages to.
    imports: FxHashSet<Sym>,
    /// Names of type parameters in scope, with the node that ends each and its constraint.
    type_params: Vec<(usize, Sym, Option<TypeId>)>,
    /// Constraints of the type parameters of the generic types met so far.
    constraints: FxHashMap<Sym, Vec<Option<TypeId>>>,
    /// What the elements of a literal value are, by the node of its braces.
    literal_types: FxHashMap<usize, TypeId>,
    /// The alias of a type switch and what it stands for, by the node of each case.
    aliases: FxHashMap<usize, (Sym, ExprId)>,
    /// Locals that hold a function literal: a call of one names no definition.
    closures: FxHashSet<Sym>,
    /// Import paths, for rules that ask for a framework.
    frameworks: Vec<Box<str>>,
    /// The path prefix of each local that holds a group of routes.
    prefixes: FxHashMap<Sym, Box<str>>,
    /// The path prefix of the router that a function literal is given, by its node.
    group_literals: FxHashMap<usize, Box<str>>,
    /// HTTP verbs that a call around a registration restricts it to, by the node of that registration.
    verbs: FxHashMap<usize, Box<str>>,
    in_package: bool,
    is_main: bool,
    /// A build constraint leaves this file out of the default build.
    left_out: bool,
}

impl Extractor for GoExtractor {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        match node.kind() {
            "comment" => self.comment(node, b),
            "package_clause" => {
                self.in_package = true;
                if let Some(name) = node.named_child(0) {
                    let name = b.text(name);
                    self.is_main = name == "main";
                    b.set_package(name);
                }
                return Visit::Skip;
            }
            "import_spec" => {
                self.import(node, b);
                return Visit::Skip;
            }
            "function_declaration" | "method_declaration" => self.function(node, b),
            "func_literal" => self.literal(node, b),
            "type_spec" | "type_alias" => self.type_spec(node, b),
            "field_declaration" => self.field(node, b),
            "method_elem" => self.interface_method(node, b),
            "type_elem" => self.embedded_interface(node, b),
            "type_parameter_declaration" => self.names_are_handled(node),
            "parameter_declaration" | "variadic_parameter_declaration" => self.names_are_handled(node),
            "var_spec" | "const_spec" => self.value_spec(node, b),
            "short_var_declaration" => self.declared_list_is_handled(node.child_by_field_name("left")),
            "range_clause" | "receive_statement" => {
                if has_token(node, ":=") {
                    self.declared_list_is_handled(node.child_by_field_name("left"));
                } else if let Some(left) = node.child_by_field_name("left") {
                    self.assigned(left, b);
                }
            }
            "assignment_statement" => {
                if let Some(left) = node.child_by_field_name("left") {
                    self.assigned(left, b);
                }
            }
            "inc_statement" | "dec_statement" => {
                if let Some(operand) = node.named_child(0) {
                    self.assigned_one(operand, b);
                }
            }
            "block" if self.bodies.contains(&node.id()) => {}
            "block"
            | "if_statement"
            | "for_statement"
            | "expression_switch_statement"
            | "select_statement"
            | "expression_case"
            | "communication_case" => {
                self.locals.open(node, b.here(), FrameKind::Block);
            }
            "type_switch_statement" => self.type_switch(node, b),
            "type_case" | "default_case" => self.type_case(node, b),
            "call_expression" => self.call(node, b),
            "type_conversion_expression" => self.generic_call(node, b),
            "composite_literal" => self.composite(node, b),
            "literal_value" => self.literal_value(node, b),
            "selector_expression" => self.selector(node, b),
            "identifier" => self.identifier(node, b),
            "type_identifier" => self.type_name(node, b),
            "qualified_type" => {
                self.qualified_type(node, b);
                return Visit::Skip;
            }
            "interpreted_string_literal" | "raw_string_literal" => {
                self.string(node, b);
            }
            "binary_expression" => self.concatenation(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, b: &mut Builder) {
        match node.kind() {
            "short_var_declaration" if !self.handled.contains(&node.id()) => self.short_var(node, b),
            "var_spec" | "const_spec" if self.locals.inside() && !self.handled.contains(&node.id()) => {
                self.local_value_spec(node, b);
            }
            "range_clause" if has_token(node, ":=") => self.range(node, b),
            "receive_statement" if has_token(node, ":=") => self.receive(node, b),
            _ => {}
        }
        self.locals.close(node);
        while self.type_params.last().is_some_and(|&(id, ..)| id == node.id()) {
            self.type_params.pop();
        }
    }
}

impl GoExtractor {
    pub(crate) fn new() -> Self {
        Self { locals: Locals::numbered(), ..Self::default() }
    }

    fn comment(&mut self, node: Node, b: &Builder) {
        self.docs.comment(node, b);
        if !self.in_package
            && let Some(constraint) = b.text(node).strip_prefix("//go:build ")
        {
            self.left_out = !build::holds(constraint);
        }
    }

    /// `switch alias := value.(type)`: each case has an alias of its own.
    fn type_switch(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        // The value may use what the initializer declares, and it is needed before the walk gets there.
        if let Some(initializer) = node.child_by_field_name("initializer")
            && initializer.kind() == "short_var_declaration"
        {
            self.declared_list_is_handled(initializer.child_by_field_name("left"));
            self.short_var(initializer, b);
            self.handled.insert(initializer.id());
        }
        let Some(alias) = node.child_by_field_name("alias") else { return };
        self.declared_list_is_handled(Some(alias));
        let Some(alias) = alias.named_child(0) else { return };
        let value = node.child_by_field_name("value").map_or(0, |value| self.expr(value, b));
        let alias = b.sym_of(alias);
        let mut cursor = node.walk();
        for case in node.named_children(&mut cursor) {
            if matches!(case.kind(), "type_case" | "default_case") {
                self.aliases.insert(case.id(), (alias, value));
            }
        }
    }

    fn type_case(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let Some(&(alias, value)) = self.aliases.get(&node.id()) else { return };
        let mut cursor = node.walk();
        let mut types = node.children_by_field_name("type", &mut cursor).filter(Node::is_named);
        let ty = match (types.next(), types.next()) {
            (Some(one), None) if b.text(one) != "nil" => Some(self.ty(one, b)),
            _ => None,
        };
        let value = if ty.is_none() && value != 0 { Some(value) } else { None };
        let bound = self.locals.declare(alias, b);
        self.bind_local(bound, line_of(node), ty, value, b);
    }

    /// Binds a declared local in the definition around it.
    fn bind_local(&mut self, bound: Sym, line: u32, ty: Option<TypeId>, value: Option<ExprId>, b: &mut Builder) {
        let value = value.filter(|&value| value != 0);
        let name = b.str(bound).to_owned();
        let scope = self.locals.def();
        b.bind(BindingKind::Local, scope, &name, line, ty, value);
    }

    fn short_var(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let mut cursor = left.walk();
        let names: Vec<Node> = left.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
        let values = self.values(right, names.len(), b);
        for (name, value) in names.into_iter().zip(values) {
            if name.kind() == "identifier" {
                self.declare_short(name, None, value, b);
            }
        }
    }

    fn local_value_spec(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).filter(Node::is_named).collect();
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty, b));
        let values = match node.child_by_field_name("value") {
            Some(list) => self.values(list, names.len(), b),
            None => vec![None; names.len()],
        };
        for (name, value) in names.into_iter().zip(values) {
            self.declare_new(name, ty, value, b);
        }
    }

    /// `:=` declares only what its frame does not hold yet; the rest keeps its type.
    fn declare_short(&mut self, name: Node, ty: Option<TypeId>, value: Option<(ExprId, Node)>, b: &mut Builder) {
        let sym = b.sym_of(name);
        if self.locals.declared_here(sym) {
            return;
        }
        self.declare_new(name, ty, value, b);
    }

    fn declare_new(&mut self, name: Node, ty: Option<TypeId>, value: Option<(ExprId, Node)>, b: &mut Builder) {
        let text = b.text(name);
        if text == "_" || text.is_empty() {
            return;
        }
        let sym = b.sym(text);
        let bound = self.locals.declare(sym, b);
        if let Some((value, node)) = value {
            if *b.facts().expr(value) == Expr::Literal(Literal::Function) {
                self.closures.insert(bound);
            }
            self.remember_prefix(bound, node, b);
        }
        self.bind_local(bound, line_of(name), ty, value.map(|(value, _)| value), b);
    }

    /// The value of each of `count` names, with its node: one each, or the parts of one call.
    fn values<'t>(&mut self, list: Node<'t>, count: usize, b: &mut Builder) -> Vec<Option<(ExprId, Node<'t>)>> {
        let mut cursor = list.walk();
        let nodes: Vec<Node> = list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
        if nodes.len() == count {
            return nodes.into_iter().map(|node| Some((self.expr(node, b), node))).collect();
        }
        let [one] = nodes[..] else { return vec![None; count] };
        let of = self.expr(one, b);
        // `v, ok := m[k]`, `v, ok := x.(T)` and `v, ok := <-ch` are not calls: the first part is the whole.
        let parts = one.kind() == "call_expression";
        (0..count)
            .map(|n| match (parts, n) {
                (true, _) => Some((b.expr(Expr::Part { of, n: n.min(usize::from(u16::MAX)) as u16 }), one)),
                (false, 0) => Some((of, one)),
                (false, _) => None,
            })
            .collect()
    }

    /// `for k, v := range xs`.
    fn range(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let of = self.expr(right, b);
        let mut cursor = left.walk();
        let names: Vec<Node> = left.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
        for (n, name) in names.into_iter().enumerate() {
            let value = match n {
                _ if of == 0 => None,
                // An index, a key, or what a channel gives: the linker knows the type.
                0 => {
                    let first = b.sym("#first");
                    let callee = b.expr(Expr::Member { base: of, name: first });
                    Some(b.expr(Expr::Call { callee, arg0: None }))
                }
                1 => Some(b.expr(Expr::Element(of))),
                _ => None,
            };
            if name.kind() == "identifier" {
                self.declare_new(name, None, value.map(|value| (value, right)), b);
            }
        }
    }

    /// `case v := <-ch:` of a select.
    fn receive(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let value = self.expr(right, b);
        let mut cursor = left.walk();
        for (n, name) in left.named_children(&mut cursor).filter(|n| n.kind() == "identifier").enumerate() {
            self.declare_new(name, None, (n == 0).then_some((value, right)), b);
        }
    }

    fn names_are_handled(&mut self, node: Node) {
        let mut cursor = node.walk();
        for name in node.children_by_field_name("name", &mut cursor) {
            self.handled.insert(name.id());
        }
    }

    fn declared_list_is_handled(&mut self, list: Option<Node>) {
        let Some(list) = list else { return };
        let mut cursor = list.walk();
        for name in list.named_children(&mut cursor) {
            self.handled.insert(name.id());
        }
    }
}

fn has_token(node: Node, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| !child.is_named() && child.kind() == token)
}
