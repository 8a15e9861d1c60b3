//! Calls: what is called, with how many arguments, and what a block is given.

use super::bind::BlockValue;
use super::expr::first_argument;
use super::{Role, Ruby, plain_text};
use atlas_syntax::{Builder, Expr, ExprId, RefKind, Sym};
use tree_sitter::Node;

/// Longest first argument that is kept, in bytes.
const ARG0_BYTES_MAX: usize = 200;

/// Methods that call their block with each element of their receiver.
const ITERATORS: [&str; 40] = [
    "all?",
    "any?",
    "collect",
    "count",
    "cycle",
    "delete_if",
    "detect",
    "drop_while",
    "each",
    "each_entry",
    "each_key",
    "each_with_index",
    "each_with_object",
    "filter",
    "filter_map",
    "find",
    "find_all",
    "find_each",
    "find_index",
    "flat_map",
    "group_by",
    "index_by",
    "keep_if",
    "map",
    "map!",
    "max_by",
    "min_by",
    "none?",
    "one?",
    "partition",
    "reject",
    "reject!",
    "reverse_each",
    "select",
    "select!",
    "sort_by",
    "sum",
    "take_while",
    "to_h",
    "uniq",
];

impl Ruby {
    pub(super) fn call(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        let method = node.child_by_field_name("method");
        let receiver = node.child_by_field_name("receiver");
        let name = method.map_or("call", |method| b.text(method));
        self.done(method);
        if role == Some(Role::Done) {
            return;
        }
        if receiver.is_none_or(|r| r.kind() == "self") && self.macro_call(node, name, b) {
            return;
        }
        let (argc, arg0) = self.arguments(node, b);
        let at = method.unwrap_or(node);
        match receiver {
            Some(receiver) => {
                let own_class = receiver.kind() == "self" && name == "class";
                if !own_class {
                    let base = self.expr(receiver, b);
                    let symbol = b.sym(name);
                    let expr = b.expr(Expr::Member { base, name: symbol });
                    b.add_ref_named(RefKind::Call, name, at, expr, argc, arg0);
                    self.symbols(node, name, base, b);
                }
            }
            None if method.is_some_and(|method| method.kind() == "super") => self.super_ref(at, argc, b),
            None => {
                let expr = self.callee_of_self(name, b);
                b.add_ref(RefKind::Call, at, expr, argc, arg0);
                self.symbols(node, name, 0, b);
            }
        }
        self.block_of(node, name, receiver, b);
        self.call_roots(node, name, receiver, b);
        self.call_data(node, name, receiver, role, b);
    }

    /// `super` without arguments, and what it calls.
    pub(super) fn bare_super(&mut self, node: Node, b: &mut Builder) {
        self.super_ref(node, u16::MAX, b);
    }

    fn super_ref(&mut self, at: Node, argc: u16, b: &mut Builder) {
        let method = self
            .frames
            .iter()
            .rev()
            .find(|frame| matches!(frame.kind, super::FrameKind::Method | super::FrameKind::StaticMethod));
        let Some(ix) = method.and_then(|frame| frame.def) else { return };
        let name = b.facts().def(ix).name;
        let base = b.expr(Expr::Super);
        let expr = b.expr(Expr::Member { base, name });
        let name = b.str(name).to_owned();
        b.add_ref_named(RefKind::Call, &name, at, expr, argc, None);
    }

    /// How many positional arguments are given, and the first one if it is text.
    fn arguments(&mut self, call: Node, b: &mut Builder) -> (u16, Option<Sym>) {
        let Some(list) = call.child_by_field_name("arguments") else { return (0, None) };
        let (mut argc, mut unknown) = (0u16, false);
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor) {
            match argument.kind() {
                // A hash at the end may be one argument or many keywords.
                "splat_argument" | "hash_splat_argument" | "pair" | "forward_argument" => unknown = true,
                "block_argument" | "comment" | "heredoc_body" => {}
                _ => argc = argc.saturating_add(1),
            }
        }
        let text = first_argument(call).and_then(|first| plain_text(first, b));
        let arg0 = text.filter(|text| text.len() <= ARG0_BYTES_MAX).map(|text| b.sym(text));
        (if unknown { u16::MAX } else { argc }, arg0)
    }

    /// Methods named by symbols: `send(:x)`, `method(:x)`, `map(&:x)`.
    fn symbols(&mut self, call: Node, name: &str, base: ExprId, b: &mut Builder) {
        let Some(list) = call.child_by_field_name("arguments") else { return };
        let kind = match name {
            "send" | "public_send" | "__send__" | "try" | "try!" => Some(RefKind::Call),
            "method" | "respond_to?" | "instance_method" | "public_method" => Some(RefKind::Read),
            _ => None,
        };
        if let (Some(kind), Some(first)) = (kind, first_argument(call))
            && let Some(text) = plain_text(first, b).filter(|text| !text.is_empty())
        {
            let expr = self.member_of(base, text, b);
            b.add_ref_named(kind, text, first, expr, u16::MAX, None);
        }
        let mut cursor = list.walk();
        let block = list.named_children(&mut cursor).find(|n| n.kind() == "block_argument");
        let Some(symbol) = block.and_then(|block| block.named_child(0)).filter(|n| n.kind() == "simple_symbol") else {
            return;
        };
        let Some(text) = plain_text(symbol, b).filter(|_| base != 0) else { return };
        let element = b.expr(Expr::Element(base));
        let name = b.sym(text);
        let expr = b.expr(Expr::Member { base: element, name });
        b.add_ref_named(RefKind::Call, text, symbol, expr, 0, None);
    }

    fn member_of(&mut self, base: ExprId, name: &str, b: &mut Builder) -> ExprId {
        if base == 0 {
            return self.callee_of_self(name, b);
        }
        let name = b.sym(name);
        b.expr(Expr::Member { base, name })
    }

    /// What the block of a call is given.
    fn block_of(&mut self, call: Node, name: &str, receiver: Option<Node>, b: &mut Builder) {
        let Some(block) = call.child_by_field_name("block") else { return };
        if block.child_by_field_name("parameters").is_none() {
            return;
        }
        let mut value = BlockValue { first: 0, second: 0, spread: false };
        match (name, receiver) {
            ("tap" | "then" | "yield_self", Some(receiver)) => value.first = self.expr(receiver, b),
            (
                "new" | "create" | "create!" | "build" | "find_or_create_by" | "find_or_create_by!" | "first_or_create",
                Some(_),
            ) => {
                value.first = self.expr(call, b);
            }
            (_, Some(receiver)) if ITERATORS.binary_search(&name).is_ok() => {
                let base = self.expr(receiver, b);
                if base != 0 {
                    value.first = b.expr(Expr::Element(base));
                }
                value.spread = !matches!(name, "each_with_index" | "each_with_object");
                if name == "each_with_object" {
                    value.second = first_argument(call).map_or(0, |memo| self.expr(memo, b));
                }
            }
            _ => {}
        }
        self.block_values.insert(block.id(), value);
    }

    /// The key of a pair is no reference; `f(a:)` passes the local or method `a`.
    pub(super) fn pair(&mut self, node: Node, b: &mut Builder) {
        if node.kind() != "pair" {
            return;
        }
        let (Some(key), None) = (node.child_by_field_name("key"), node.child_by_field_name("value")) else { return };
        if key.kind() != "hash_key_symbol" {
            return;
        }
        let symbol = b.sym_of(key);
        if self.inner_name(symbol).is_none() && !self.is_local(symbol) {
            let text = b.text(key);
            let expr = self.callee_of_self(text, b);
            b.add_ref(RefKind::Call, key, expr, 0, None);
        }
    }
}
