//! Expressions, as far as they name or type something.

use super::{FrameKind, Ruby, plain_text};
use crate::OWN_CLASS;
use atlas_syntax::{Builder, Expr, ExprId, Literal, Type, TypeId};
use tree_sitter::Node;

/// Nested operators and branches that are followed; chains of calls have no limit.
const DEPTH_MAX: u32 = 16;

/// Methods of Kernel, which are called without a receiver everywhere.
pub(super) const KERNEL: [&str; 50] = [
    "Array",
    "Complex",
    "Float",
    "Hash",
    "Integer",
    "Rational",
    "String",
    "abort",
    "at_exit",
    "autoload",
    "binding",
    "block_given?",
    "caller",
    "catch",
    "eval",
    "exec",
    "exit",
    "exit!",
    "fail",
    "fork",
    "format",
    "freeze",
    "gets",
    "global_variables",
    "instance_variable_get",
    "instance_variable_set",
    "lambda",
    "load",
    "local_variables",
    "loop",
    "open",
    "p",
    "pp",
    "print",
    "printf",
    "proc",
    "putc",
    "puts",
    "raise",
    "rand",
    "readline",
    "require",
    "require_relative",
    "select",
    "sleep",
    "sprintf",
    "srand",
    "system",
    "throw",
    "warn",
];

impl Ruby {
    pub(super) fn expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.expr_at(node, b, 0)
    }

    pub(super) fn expr_at(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        // From the outside in to what is known, then back out: a long chain costs linear time.
        let mut spine: Vec<Node> = Vec::new();
        let mut at = node;
        let mut id = loop {
            if let Some(known) = b.known_expr(at) {
                break known;
            }
            let next = match at.kind() {
                "call" => at.child_by_field_name("receiver").filter(|r| !self.is_own_class(at, *r, b)),
                "element_reference" => at.child_by_field_name("object"),
                "scope_resolution" => at.child_by_field_name("scope"),
                "parenthesized_statements" if at.named_child_count() == 1 => at.named_child(0),
                _ => None,
            };
            let Some(next) = next else { break self.leaf(at, b, depth) };
            spine.push(at);
            at = next;
        };
        while let Some(node) = spine.pop() {
            id = match node.kind() {
                "call" => self.call_on(node, id, b, depth),
                "element_reference" => b.expr_of(node, |_| Expr::Index(id)),
                "scope_resolution" => {
                    let name = node.child_by_field_name("name").map_or(0, |name| b.sym_of(name));
                    b.expr_of(node, |_| Expr::Member { base: id, name })
                }
                _ => id,
            };
        }
        id
    }

    /// `self.class`
    fn is_own_class(&self, call: Node, receiver: Node, b: &Builder) -> bool {
        receiver.kind() == "self" && call.child_by_field_name("method").is_some_and(|m| b.text(m) == "class")
    }

    fn call_on(&mut self, node: Node, base: ExprId, b: &mut Builder, depth: u32) -> ExprId {
        let method = node.child_by_field_name("method");
        let name = method.map_or("call", |method| b.text(method));
        match name {
            // These give their receiver.
            "freeze" | "tap" | "dup" | "clone" | "itself" | "to_a" | "compact" | "presence" | "reload" => return base,
            "send" | "public_send" | "__send__" | "try" | "try!" => {
                if let Some(name) = first_argument(node).and_then(|first| plain_text(first, b)) {
                    let name = b.sym(name);
                    let callee = b.expr(Expr::Member { base, name });
                    return b.expr_of(node, |_| Expr::Call { callee, arg0: None });
                }
            }
            _ => {}
        }
        // `A::B` of a constant that is written like a call.
        let is_constant =
            method.is_some_and(|m| m.kind() == "constant") && node.child_by_field_name("arguments").is_none();
        let name = b.sym(name);
        let callee = b.expr(Expr::Member { base, name });
        if is_constant {
            return callee;
        }
        let arg0 = first_argument(node).map(|arg| self.expr_at(arg, b, depth + 4)).filter(|&arg| arg != 0);
        b.expr_of(node, |_| Expr::Call { callee, arg0 })
    }

    fn leaf(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        if depth >= DEPTH_MAX {
            return 0;
        }
        let expr = match node.kind() {
            "identifier" => {
                let name = b.sym_of(node);
                if let Some(own) = self.inner_name(name) {
                    Expr::Name(own)
                } else if self.is_local(name) {
                    Expr::Name(name)
                } else {
                    let callee = self.callee_of_self(b.text(node), b);
                    Expr::Call { callee, arg0: None }
                }
            }
            "constant" | "global_variable" => Expr::Name(b.sym_of(node)),
            "instance_variable" | "class_variable" => {
                let name = b.sym_of(node);
                let base = b.expr(Expr::This);
                Expr::Member { base, name }
            }
            "scope_resolution" => {
                // A leading `::` stays part of the name, which is then looked up from the top.
                let name = node.child_by_field_name("name").map_or("", |name| b.text(name));
                Expr::Name(b.sym(&format!("::{name}")))
            }
            "self" => self.own(b),
            "super" => self.super_call(b),
            "call" => {
                // No receiver, or `self.class`.
                let Some(method) = node.child_by_field_name("method") else { return 0 };
                if node.child_by_field_name("receiver").is_some() {
                    Expr::Name(b.sym(OWN_CLASS))
                } else if method.kind() == "super" {
                    self.super_call(b)
                } else if b.text(method) == "lambda" || b.text(method) == "proc" {
                    Expr::Literal(Literal::Function)
                } else {
                    let callee = self.callee_of_self(b.text(method), b);
                    let arg0 = first_argument(node).map(|arg| self.expr_at(arg, b, depth + 4)).filter(|&arg| arg != 0);
                    Expr::Call { callee, arg0 }
                }
            }
            "string" | "simple_symbol" | "delimited_symbol" | "heredoc_beginning" | "chained_string" | "subshell"
            | "character" => Expr::Literal(Literal::String),
            "integer" | "float" | "rational" | "complex" => Expr::Literal(Literal::Number),
            "true" | "false" => Expr::Literal(Literal::Bool),
            "nil" => Expr::Literal(Literal::Null),
            "array" => self.display(node, b, depth),
            "string_array" | "symbol_array" => Expr::Literal(Literal::List),
            "hash" => Expr::Literal(Literal::Map),
            "lambda" => Expr::Literal(Literal::Function),
            "right_assignment_list" => self.display(node, b, depth),
            "if"
            | "unless"
            | "conditional"
            | "elsif"
            | "case"
            | "case_match"
            | "else"
            | "then"
            | "when"
            | "in_clause"
            | "begin"
            | "parenthesized_statements"
            | "body_statement"
            | "block_body" => self.branches(node, b, depth),
            "rescue_modifier" | "if_modifier" | "unless_modifier" => match node.child_by_field_name("body") {
                Some(body) => return self.expr_at(body, b, depth + 1),
                None => Expr::Unknown,
            },
            "binary" => self.operation(node, b, depth),
            "unary" => {
                let not = node.child(0).is_some_and(|op| matches!(op.kind(), "!" | "not" | "defined?"));
                match node.child_by_field_name("operand") {
                    Some(operand) if !not => return self.expr_at(operand, b, depth + 1),
                    _ => Expr::Literal(Literal::Bool),
                }
            }
            "assignment" | "operator_assignment" => match node.child_by_field_name("right") {
                Some(right) => return self.expr_at(right, b, depth + 1),
                None => Expr::Unknown,
            },
            _ => Expr::Unknown,
        };
        if expr == Expr::Unknown { 0 } else { b.expr_of(node, |_| expr) }
    }

    /// `self`: the instance, or the class in its own body.
    fn own(&self, b: &mut Builder) -> Expr {
        match self.frame().kind {
            FrameKind::Type | FrameKind::Singleton => Expr::Name(b.sym(OWN_CLASS)),
            FrameKind::Program | FrameKind::Method | FrameKind::StaticMethod => Expr::This,
        }
    }

    fn super_call(&self, b: &mut Builder) -> Expr {
        let method = self.frames.iter().rev().find(|f| matches!(f.kind, FrameKind::Method | FrameKind::StaticMethod));
        let Some(ix) = method.and_then(|frame| frame.def) else { return Expr::Unknown };
        let name = b.facts().def(ix).name;
        let base = b.expr(Expr::Super);
        let callee = b.expr(Expr::Member { base, name });
        Expr::Call { callee, arg0: None }
    }

    /// What a method that is called without a receiver is a member of.
    pub(super) fn callee_of_self(&mut self, name: &str, b: &mut Builder) -> ExprId {
        let symbol = b.sym(name);
        if self.type_frame().is_none() {
            return b.expr(Expr::Name(symbol));
        }
        let own = self.own(b);
        let base = b.expr(own);
        let member = b.expr(Expr::Member { base, name: symbol });
        if KERNEL.binary_search(&name).is_err() {
            return member;
        }
        let bare = b.expr(Expr::Name(symbol));
        b.expr(Expr::OneOf(vec![member, bare]))
    }

    fn display(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        const ELEMENTS_MAX: usize = 8;
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).take(ELEMENTS_MAX).collect();
        let mut values = Vec::new();
        for part in parts {
            let value = self.expr_at(part, b, depth + 2);
            if value != 0 && !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() { Expr::Literal(Literal::List) } else { Expr::Elements(values) }
    }

    /// What a conditional or a body gives: the last statement of each branch.
    fn branches(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        const BRANCHES_MAX: usize = 12;
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).collect();
        let mut values: Vec<ExprId> = Vec::new();
        let mut take = |this: &mut Self, node: Node, b: &mut Builder| {
            let value = this.expr_at(node, b, depth + 1);
            if value != 0 && !values.contains(&value) {
                values.push(value);
            }
        };
        match node.kind() {
            "if" | "unless" | "conditional" | "elsif" => {
                for field in ["consequence", "alternative"] {
                    if let Some(branch) = node.child_by_field_name(field) {
                        take(self, branch, b);
                    }
                }
            }
            "case" | "case_match" => {
                for branch in children
                    .into_iter()
                    .filter(|n| matches!(n.kind(), "when" | "in_clause" | "else"))
                    .take(BRANCHES_MAX)
                {
                    take(self, branch, b);
                }
            }
            "when" | "in_clause" => {
                if let Some(body) = node.child_by_field_name("body") {
                    take(self, body, b);
                }
            }
            _ => {
                let last = children
                    .into_iter()
                    .rfind(|n| !matches!(n.kind(), "comment" | "rescue" | "ensure" | "else" | "heredoc_body"));
                if let Some(last) = last {
                    take(self, last, b);
                }
            }
        }
        match values.as_slice() {
            [] => Expr::Unknown,
            [one] => b.facts().expr(*one).clone(),
            _ => Expr::OneOf(values),
        }
    }

    fn operation(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let (Some(left), Some(right), Some(operator)) =
            (node.child_by_field_name("left"), node.child_by_field_name("right"), node.child_by_field_name("operator"))
        else {
            return Expr::Unknown;
        };
        match operator.kind() {
            "||" | "or" => {
                let mut both = vec![self.expr_at(left, b, depth + 1), self.expr_at(right, b, depth + 1)];
                both.retain(|&one| one != 0);
                if both.is_empty() { Expr::Unknown } else { Expr::OneOf(both) }
            }
            "&&" | "and" => {
                let right = self.expr_at(right, b, depth + 1);
                b.facts().expr(right).clone()
            }
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "===" | "=~" | "!~" => Expr::Literal(Literal::Bool),
            operator => {
                let base = self.expr_at(left, b, depth + 1);
                if base == 0 {
                    return Expr::Unknown;
                }
                let name = b.sym(operator);
                let callee = b.expr(Expr::Member { base, name });
                Expr::Call { callee, arg0: None }
            }
        }
    }

    /// The type that a constant path names; 0 for anything else.
    pub(super) fn ty(&mut self, node: Node, b: &mut Builder) -> TypeId {
        if !matches!(node.kind(), "constant" | "scope_resolution") {
            return 0;
        }
        self.ty_named(b.text(node), b)
    }

    /// The type of a written constant path: `A::B`, `::A`.
    pub(super) fn ty_named(&mut self, text: &str, b: &mut Builder) -> TypeId {
        const PARTS_MAX: usize = 16;
        let (top, text) = match text.strip_prefix("::") {
            Some(rest) => ("::", rest),
            None => ("", text),
        };
        let parts: Vec<&str> = text.split("::").map(str::trim).take(PARTS_MAX).collect();
        if parts.iter().any(|part| !part.starts_with(char::is_uppercase) || part.contains([' ', '.', '(', '\n'])) {
            return 0;
        }
        let path = parts
            .iter()
            .enumerate()
            .map(|(n, part)| if n == 0 { b.sym(&format!("{top}{part}")) } else { b.sym(part) })
            .collect();
        b.ty(Type::Path { path, args: Vec::new() })
    }
}

/// The first positional argument of a call.
pub(super) fn first_argument(call: Node) -> Option<Node> {
    let first = call.child_by_field_name("arguments")?.named_child(0)?;
    (!matches!(first.kind(), "pair" | "splat_argument" | "hash_splat_argument" | "block_argument")).then_some(first)
}

/// The value of `key: value` among a call's arguments.
pub(super) fn option<'t>(call: Node<'t>, key: &str, b: &Builder) -> Option<Node<'t>> {
    let list = call.child_by_field_name("arguments")?;
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|n| n.kind() == "pair")
        .find(|n| n.child_by_field_name("key").and_then(|k| plain_text(k, b)) == Some(key))
        .and_then(|n| n.child_by_field_name("value"))
}
