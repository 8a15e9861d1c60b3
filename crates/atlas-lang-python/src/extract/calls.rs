//! Calls: what is called, with how many arguments.

use super::expr::first_argument;
use super::{Python, Role, literal_text};
use atlas_syntax::{Builder, Expr, RefKind, Sym};
use tree_sitter::Node;

/// Longest first argument that is kept, in bytes.
const ARG0_BYTES_MAX: usize = 200;

impl Python {
    pub(super) fn call(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let kind = if role == Some(Role::Decorator) { RefKind::Decorator } else { RefKind::Call };
        let (argc, arg0) = self.arguments(node, b);
        let name = match function.kind() {
            "identifier" => {
                self.done(Some(function));
                let name = b.text(function);
                if name == "super" {
                    return;
                }
                let symbol = b.sym_of(function);
                if self.inner_name(symbol).is_none() {
                    let expr = self.expr(function, b);
                    b.add_ref(kind, function, expr, argc, arg0);
                }
                if let "getattr" | "setattr" | "delattr" | "hasattr" = name {
                    self.attribute_by_name(node, name, b);
                }
                name
            }
            "attribute" => {
                let Some(name) = function.child_by_field_name("attribute") else { return };
                self.done(Some(function));
                let expr = self.expr(function, b);
                b.add_ref(kind, name, expr, argc, arg0);
                b.text(name)
            }
            _ => {
                let expr = self.expr(function, b);
                if let Expr::Member { name, .. } = *b.facts().expr(expr) {
                    // `getattr(x, "name")(…)`.
                    let name = b.str(name).to_owned();
                    b.add_ref_named(kind, &name, function, expr, argc, arg0);
                } else if expr != 0
                    && let Some(name) = innermost_name(function)
                {
                    b.add_ref(kind, name, expr, argc, arg0);
                }
                ""
            }
        };
        match (name, arg0) {
            ("import_module" | "__import__", Some(module)) => {
                let module = b.str(module).to_owned();
                self.dynamic_import(node, &module, b);
            }
            ("extend" | "append", _) if b.text(function) == "__all__.extend" => {
                self.exports(first_argument(node), b);
            }
            _ => {}
        }
        if role != Some(Role::Decorator) {
            self.call_roots(node, function, name, b);
        }
        self.call_data(node, function, name, role, b);
    }

    /// How many arguments are given, and the first one if it is text.
    fn arguments(&mut self, call: Node, b: &mut Builder) -> (u16, Option<Sym>) {
        let Some(list) = call.child_by_field_name("arguments") else { return (0, None) };
        if list.kind() != "argument_list" {
            return (1, None);
        }
        let (mut argc, mut spread) = (0u16, false);
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor) {
            match argument.kind() {
                "list_splat" | "dictionary_splat" => spread = true,
                "comment" => {}
                _ => argc = argc.saturating_add(1),
            }
        }
        let text = first_argument(call).and_then(|first| literal_text(first, b));
        let arg0 = text.filter(|text| text.len() <= ARG0_BYTES_MAX).map(|text| b.sym(text));
        (if spread { u16::MAX } else { argc }, arg0)
    }

    /// `getattr(x, "name")` reads, `setattr(x, "name", …)` writes the member.
    fn attribute_by_name(&mut self, call: Node, function: &str, b: &mut Builder) {
        let Some(list) = call.child_by_field_name("arguments") else { return };
        let (Some(object), Some(named)) = (list.named_child(0), list.named_child(1)) else { return };
        let Some(name) = literal_text(named, b).filter(|name| !name.is_empty()) else { return };
        let base = self.expr(object, b);
        let symbol = b.sym(name);
        let expr = b.expr(Expr::Member { base, name: symbol });
        let kind = if function == "getattr" || function == "hasattr" { RefKind::Read } else { RefKind::Write };
        b.add_ref_named(kind, name, named, expr, 0, None);
    }
}

/// A name to call the callee by when it is no name itself: `handlers` of `handlers[key](…)`.
fn innermost_name(node: Node) -> Option<Node> {
    const STEPS_MAX: u32 = 64;
    let mut at = node;
    for _ in 0..STEPS_MAX {
        at = match at.kind() {
            "identifier" => return Some(at),
            "attribute" => return at.child_by_field_name("attribute"),
            "call" => at.child_by_field_name("function")?,
            "subscript" => at.child_by_field_name("value")?,
            "await" | "parenthesized_expression" => at.named_child(0)?,
            _ => return None,
        };
    }
    None
}
