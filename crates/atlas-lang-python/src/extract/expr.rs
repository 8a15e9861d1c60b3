//! Expressions, as far as they name or type something.

use super::{FrameKind, Narrowed, Python, literal_text};
use atlas_syntax::{Builder, Expr, ExprId, Literal, Type, TypeId};
use tree_sitter::Node;

/// Nested operators and conditionals that are followed; chains of members and calls have no limit.
const DEPTH_MAX: u32 = 24;
/// Longest chain of names whose type `isinstance` may tell, in bytes.
const KEY_BYTES_MAX: usize = 80;

impl Python {
    pub(super) fn expr(&mut self, node: Node, b: &mut Builder) -> ExprId {
        self.expr_at(node, b, 0)
    }

    fn expr_at(&mut self, node: Node, b: &mut Builder, depth: u32) -> ExprId {
        // From the outside in to what is known, then back out: a long chain costs linear time.
        let mut spine: Vec<Node> = Vec::new();
        let mut at = node;
        let mut id = loop {
            if let Some(known) = b.known_expr(at) {
                break known;
            }
            let next = match at.kind() {
                "call" if self.is_plain_call(at, b) => at.child_by_field_name("function"),
                "attribute" if self.narrowed_to(at, b).is_none() => at.child_by_field_name("object"),
                "subscript" => at.child_by_field_name("value"),
                "await" | "parenthesized_expression" => at.named_child(0),
                _ => None,
            };
            let Some(next) = next else { break self.leaf(at, b, depth) };
            spine.push(at);
            at = next;
        };
        while let Some(node) = spine.pop() {
            id = self.link(node, id, b, depth);
        }
        id
    }

    /// Calls that are not what they seem: `super()`, `getattr(x, "name")`.
    fn is_plain_call(&self, call: Node, b: &Builder) -> bool {
        call.child_by_field_name("function")
            .is_some_and(|function| function.kind() != "identifier" || !matches!(b.text(function), "super" | "getattr"))
    }

    fn link(&mut self, node: Node, base: ExprId, b: &mut Builder, depth: u32) -> ExprId {
        match node.kind() {
            "call" => {
                let arg0 = first_argument(node).map(|arg| self.expr_at(arg, b, depth + 4)).filter(|&arg| arg != 0);
                b.expr_of(node, |_| Expr::Call { callee: base, arg0 })
            }
            "attribute" => {
                let name = node.child_by_field_name("attribute").map_or(0, |name| b.sym_of(name));
                b.expr_of(node, |_| Expr::Member { base, name })
            }
            "subscript" => {
                let n = node.child_by_field_name("subscript").filter(|n| n.kind() == "integer");
                match n.and_then(|n| b.text(n).parse().ok()) {
                    Some(n) => b.expr_of(node, |_| Expr::Part { of: base, n }),
                    None => b.expr_of(node, |_| Expr::Index(base)),
                }
            }
            "await" => b.expr_of(node, |_| Expr::Await(base)),
            _ => base,
        }
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
                } else if let Some(ty) = self.narrowed_to(node, b) {
                    Expr::Cast(ty)
                } else if self.is_receiver(name) {
                    Expr::This
                } else {
                    Expr::Name(name)
                }
            }
            "attribute" => self.narrowed_to(node, b).map_or(Expr::Unknown, Expr::Cast),
            "call" => self.odd_call(node, b, depth),
            "string" | "concatenated_string" => Expr::Literal(Literal::String),
            "integer" | "float" => Expr::Literal(Literal::Number),
            "true" | "false" | "comparison_operator" | "not_operator" => Expr::Literal(Literal::Bool),
            "none" => Expr::Literal(Literal::Null),
            "list" | "set" => self.display(node, b, depth, false),
            "tuple" | "expression_list" => self.display(node, b, depth, true),
            "list_comprehension" | "set_comprehension" | "generator_expression" => {
                // Its names are bound here: the walk may reach them only later.
                match node.child_by_field_name("body") {
                    Some(body) => {
                        self.comprehension(node, b);
                        let element = self.expr_at(body, b, depth + 1);
                        if let Some(inner) = self.inner.pop() {
                            self.inner_known.insert(inner.node, inner.names);
                        }
                        Expr::Elements(vec![element])
                    }
                    None => Expr::Literal(Literal::List),
                }
            }
            "dictionary" | "dictionary_comprehension" => Expr::Literal(Literal::Map),
            "lambda" => Expr::Literal(Literal::Function),
            "conditional_expression" => {
                self.narrow_operands(node, b);
                let (Some(one), Some(other)) = (node.named_child(0), node.named_child(2)) else { return 0 };
                let both = [self.expr_at(one, b, depth + 1), self.expr_at(other, b, depth + 1)];
                one_of(&both)
            }
            "boolean_operator" => {
                self.narrow_operands(node, b);
                let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
                else {
                    return 0;
                };
                let is_or = node.child_by_field_name("operator").is_some_and(|op| op.kind() == "or");
                let right = self.expr_at(right, b, depth + 1);
                // `a and b` is used for the sake of b.
                let left = if is_or { self.expr_at(left, b, depth + 1) } else { right };
                one_of(&[left, right])
            }
            "binary_operator" => self.operation(node, b, depth),
            "unary_operator" => match node.child_by_field_name("argument") {
                Some(argument) => return self.expr_at(argument, b, depth + 1),
                None => Expr::Unknown,
            },
            "named_expression" => match node.child_by_field_name("value") {
                Some(value) => return self.expr_at(value, b, depth + 1),
                None => Expr::Unknown,
            },
            "assignment" => match node.child_by_field_name("right") {
                Some(right) => return self.expr_at(right, b, depth + 1),
                None => Expr::Unknown,
            },
            _ => Expr::Unknown,
        };
        if expr == Expr::Unknown { 0 } else { b.expr_of(node, |_| expr) }
    }

    /// A list, set or tuple that is written out.
    fn display(&mut self, node: Node, b: &mut Builder, depth: u32, tuple: bool) -> Expr {
        /// Elements that are looked at; those of a longer list are alike.
        const ELEMENTS_MAX: usize = 8;
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).take(ELEMENTS_MAX + 1).collect();
        if parts.is_empty() || parts.iter().any(|part| matches!(part.kind(), "list_splat" | "comment")) {
            return Expr::Literal(Literal::List);
        }
        let tuple = tuple && parts.len() <= ELEMENTS_MAX;
        let mut values = Vec::with_capacity(parts.len());
        for part in parts.into_iter().take(ELEMENTS_MAX) {
            let value = self.expr_at(part, b, depth + 2);
            if tuple || value != 0 && !values.contains(&value) {
                values.push(value);
            }
        }
        if tuple { Expr::Tuple(values) } else { Expr::Elements(values) }
    }

    fn odd_call(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let Some(function) = node.child_by_field_name("function") else { return Expr::Unknown };
        if b.text(function) == "super" {
            // `super(C, self)` in another class than C looks above C.
            let named = first_argument(node).filter(|class| class.kind() == "identifier");
            let own = self.frames.iter().rev().find(|f| matches!(f.kind, FrameKind::Class | FrameKind::Enum));
            let own = own.and_then(|frame| frame.def).map(|ix| b.str(b.facts().def(ix).name));
            let Some(other) = named.filter(|class| own.is_some_and(|own| own != b.text(*class))) else {
                return Expr::Super;
            };
            let arg0 = Some(self.expr_at(other, b, depth + 1));
            let callee = b.expr(Expr::Super);
            return Expr::Call { callee, arg0 };
        }
        // `getattr(x, "name")` is `x.name`.
        let arguments = node.child_by_field_name("arguments");
        let (object, name) = (first_argument(node), arguments.and_then(|list| list.named_child(1)));
        match (object, name.and_then(|name| literal_text(name, b))) {
            (Some(object), Some(name)) => {
                let base = self.expr_at(object, b, depth + 1);
                let name = b.sym(name);
                Expr::Member { base, name }
            }
            _ => Expr::Unknown,
        }
    }

    /// `a + b` is `a.__add__(b)`; text that is formatted stays text.
    fn operation(&mut self, node: Node, b: &mut Builder, depth: u32) -> Expr {
        let (Some(left), Some(operator)) = (node.child_by_field_name("left"), node.child_by_field_name("operator"))
        else {
            return Expr::Unknown;
        };
        if matches!(left.kind(), "string" | "concatenated_string") {
            return Expr::Literal(Literal::String);
        }
        let method = match operator.kind() {
            "+" => "__add__",
            "-" => "__sub__",
            "*" => "__mul__",
            "/" => "__truediv__",
            "//" => "__floordiv__",
            "%" => "__mod__",
            "**" => "__pow__",
            "@" => "__matmul__",
            "&" => "__and__",
            "|" => "__or__",
            "^" => "__xor__",
            "<<" => "__lshift__",
            ">>" => "__rshift__",
            _ => return Expr::Unknown,
        };
        let base = self.expr_at(left, b, depth + 1);
        if base == 0 {
            return Expr::Unknown;
        }
        let name = b.sym(method);
        let callee = b.expr(Expr::Member { base, name });
        Expr::Call { callee, arg0: None }
    }

    /// The type that `isinstance` has given to a name or a chain of names at this place.
    pub(super) fn narrowed_to(&self, node: Node, b: &Builder) -> Option<TypeId> {
        if self.narrowed.is_empty()
            || node.byte_range().len() > KEY_BYTES_MAX
            || node.kind() == "attribute" && !self.narrows_members
        {
            return None;
        }
        // Nested conditions are few; the innermost one comes last.
        const LOOK_BACK: usize = 8;
        let at = node.start_byte();
        let list = self.narrowed.get(b.text(node))?;
        list.iter().rev().take(LOOK_BACK).find(|one| one.start <= at && at < one.end).map(|one| one.ty)
    }

    /// The expression of a `self.name` chain of plain names, short enough to be a key.
    fn narrow_key<'s>(node: Node, b: &Builder<'s>) -> Option<&'s str> {
        let mut at = node;
        while at.kind() == "attribute" {
            at = at.child_by_field_name("object")?;
        }
        (at.kind() == "identifier" && node.byte_range().len() <= KEY_BYTES_MAX).then(|| b.text(node))
    }

    /// Notes what holds from `start` to `end` if `condition` is true.
    fn narrow(&mut self, condition: Node, start: usize, end: usize, b: &mut Builder, depth: u32) {
        if depth >= DEPTH_MAX {
            return;
        }
        match condition.kind() {
            "parenthesized_expression" => {
                if let Some(inner) = condition.named_child(0) {
                    self.narrow(inner, start, end, b, depth + 1);
                }
            }
            "boolean_operator" if condition.child_by_field_name("operator").is_some_and(|op| op.kind() == "and") => {
                for side in ["left", "right"] {
                    if let Some(side) = condition.child_by_field_name(side) {
                        self.narrow(side, start, end, b, depth + 1);
                    }
                }
            }
            "call" => self.narrow_by_call(condition, start, end, b),
            _ => {}
        }
    }

    fn narrow_by_call(&mut self, call: Node, start: usize, end: usize, b: &mut Builder) {
        let is_check = call.child_by_field_name("function").is_some_and(|f| b.text(f) == "isinstance");
        let Some(arguments) = call.child_by_field_name("arguments").filter(|_| is_check) else { return };
        let (Some(object), Some(class)) = (arguments.named_child(0), arguments.named_child(1)) else { return };
        let Some(key) = Self::narrow_key(object, b) else { return };
        let ty = self.ty(class, b);
        if ty == 0 {
            return;
        }
        self.narrows_members |= object.kind() == "attribute";
        let list = self.narrowed.entry(key.into()).or_default();
        if list.last().is_none_or(|last| (last.start, last.end) != (start, end)) {
            list.push(Narrowed { start, end, ty });
        }
    }

    /// What an assignment to `name` at this place ends.
    pub(super) fn forget(&mut self, name: Node, at: usize, b: &Builder) {
        if self.narrowed.is_empty() {
            return;
        }
        if let Some(list) = self.narrowed.get_mut(b.text(name)) {
            for one in list.iter_mut().rev().take(8).filter(|one| one.start <= at && at < one.end) {
                one.end = at;
            }
        }
    }

    /// `if isinstance(x, T):`, its `elif` and `while`; the guard `if not isinstance(x, T): return`.
    pub(super) fn branch(&mut self, node: Node, b: &mut Builder) {
        let (Some(condition), Some(body)) = (
            node.child_by_field_name("condition"),
            node.child_by_field_name("consequence").or_else(|| node.child_by_field_name("body")),
        ) else {
            return;
        };
        if node.kind() == "if_statement" {
            self.main_guard(node, condition, body, b);
            if b.text(condition).ends_with("TYPE_CHECKING") {
                self.type_only_until = self.type_only_until.max(body.end_byte());
            }
        }
        self.narrow(condition, body.start_byte(), body.end_byte(), b, 0);
        if condition.kind() == "not_operator"
            && let Some(inner) = condition.child_by_field_name("argument")
            && leaves(body)
            && let Some(&(end, _)) = self.blocks.last()
        {
            self.narrow(inner, node.end_byte(), end, b, 0);
        }
    }

    pub(super) fn assertion(&mut self, node: Node, b: &mut Builder) {
        let end = self.blocks.last().map_or(usize::MAX, |&(end, _)| end);
        if let Some(condition) = node.named_child(0) {
            self.narrow(condition, node.end_byte(), end, b, 0);
        }
    }

    /// `isinstance(x, T) and x.f()`, `x.f() if isinstance(x, T) else …`.
    pub(super) fn narrow_operands(&mut self, node: Node, b: &mut Builder) {
        if node.kind() == "conditional_expression" {
            if let (Some(value), Some(condition)) = (node.named_child(0), node.named_child(1)) {
                self.narrow(condition, value.start_byte(), value.end_byte(), b, 0);
            }
        } else if let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            && node.child_by_field_name("operator").is_some_and(|op| op.kind() == "and")
        {
            self.narrow(left, right.start_byte(), right.end_byte(), b, 0);
        }
    }

    /// A type for `*args: T` or `**kw: T`.
    pub(super) fn ty_of_rest(&mut self, of: TypeId, map: bool, b: &mut Builder) -> TypeId {
        if !map {
            return b.ty(Type::List(of));
        }
        let (key, dict) = (b.ty_path(&["str"]), b.sym("dict"));
        b.ty(Type::Path { path: vec![dict], args: vec![key, of] })
    }
}

fn one_of(parts: &[ExprId]) -> Expr {
    let mut known: Vec<ExprId> = parts.iter().copied().filter(|&part| part != 0).collect();
    known.dedup();
    if known.is_empty() { Expr::Unknown } else { Expr::OneOf(known) }
}

/// The first positional argument of a call.
pub(super) fn first_argument(call: Node) -> Option<Node> {
    let arguments = call.child_by_field_name("arguments")?;
    if arguments.kind() != "argument_list" {
        return Some(arguments);
    }
    let first = arguments.named_child(0)?;
    (!matches!(first.kind(), "keyword_argument" | "list_splat" | "dictionary_splat" | "comment")).then_some(first)
}

/// Whether a suite ends by leaving what is around it.
fn leaves(body: Node) -> bool {
    let last = body.named_child_count().checked_sub(1).and_then(|n| body.named_child(n as u32));
    last.is_some_and(|last| {
        matches!(last.kind(), "return_statement" | "raise_statement" | "continue_statement" | "break_statement")
    })
}
