//! Patterns: the names that `let`, `match`, `if let`, loops and closures bind, and to what.
//!
//! What a pattern of the standard library's enums holds is asked of the linker by members that no
//! source can spell (`#Some`, `#item`, …): only it knows the scrutinee's type.

use super::{DEPTH_MAX, RustExtractor};
use atlas_syntax::{BindingKind, Builder, Expr, ExprId, FrameKind, Literal, TypeId, line_of};
use tree_sitter::Node;

impl RustExtractor {
    /// The value of a member that the rules of the language model, called without arguments.
    pub(super) fn asked(&mut self, of: ExprId, member: &str, b: &mut Builder) -> ExprId {
        if of == 0 {
            return 0;
        }
        let name = b.sym(member);
        let callee = b.expr(Expr::Member { base: of, name });
        b.expr(Expr::Call { callee, arg0: None })
    }

    /// Marks the names that a pattern binds, so that they are not taken for uses.
    pub(super) fn mark_pattern(&mut self, pattern: Node, b: &Builder, depth: u32) {
        if depth > DEPTH_MAX {
            return;
        }
        match pattern.kind() {
            "identifier" | "shorthand_field_identifier" if binds(b.text(pattern)) => {
                self.handled.insert(pattern.id());
            }
            "tuple_struct_pattern" => {
                let ty = pattern.child_by_field_name("type");
                let mut cursor = pattern.walk();
                for part in pattern.named_children(&mut cursor) {
                    if Some(part) != ty {
                        self.mark_pattern(part, b, depth + 1);
                    }
                }
            }
            "struct_pattern" => {
                let mut cursor = pattern.walk();
                for part in pattern.named_children(&mut cursor).filter(|part| part.kind() == "field_pattern") {
                    if let Some(inner) = part.child_by_field_name("pattern") {
                        self.mark_pattern(inner, b, depth + 1);
                    }
                }
            }
            "tuple_pattern" | "slice_pattern" | "or_pattern" | "mut_pattern" | "ref_pattern" | "reference_pattern"
            | "captured_pattern" | "match_pattern" => {
                let condition = pattern.child_by_field_name("condition");
                let mut cursor = pattern.walk();
                for part in pattern.named_children(&mut cursor) {
                    if Some(part) != condition {
                        self.mark_pattern(part, b, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Declares the names that a pattern binds, `value` being what it is matched with.
    pub(super) fn declare_pattern(
        &mut self,
        pattern: Node,
        value: Option<ExprId>,
        ty: Option<TypeId>,
        b: &mut Builder,
        depth: u32,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        match pattern.kind() {
            "identifier" => self.declare_name(pattern, value, ty, b),
            "mut_pattern" | "ref_pattern" | "reference_pattern" | "match_pattern" => {
                let condition = pattern.child_by_field_name("condition");
                let mut cursor = pattern.walk();
                let inner = pattern
                    .named_children(&mut cursor)
                    .find(|child| child.kind() != "mutable_specifier" && Some(*child) != condition);
                if let Some(inner) = inner {
                    self.declare_pattern(inner, value, ty, b, depth + 1);
                }
            }
            "captured_pattern" => {
                if let Some(name) = pattern.named_child(0) {
                    self.declare_name(name, value, ty, b);
                }
                if let Some(inner) = pattern.named_child(1) {
                    self.declare_pattern(inner, value, ty, b, depth + 1);
                }
            }
            "or_pattern" => {
                let mut cursor = pattern.walk();
                let parts: Vec<Node> = pattern.named_children(&mut cursor).collect();
                for part in parts {
                    self.declare_pattern(part, value, ty, b, depth + 1);
                }
            }
            "tuple_pattern" => {
                let whole = value.or_else(|| ty.map(|ty| b.expr(Expr::Cast(ty))));
                let parts = places(pattern);
                let rest = parts.iter().find(|(_, part)| part.kind() == "remaining_field_pattern").map(|&(n, _)| n);
                for (n, part) in parts {
                    // Places after `..` are counted from the end, which is not known.
                    let known = rest.is_none_or(|rest| n < rest);
                    let value = whole
                        .filter(|&of| of != 0 && known)
                        .map(|of| b.expr(Expr::Part { of, n: n.min(usize::from(u16::MAX)) as u16 }));
                    self.declare_pattern(part, value, None, b, depth + 1);
                }
            }
            "slice_pattern" => {
                let whole = value.or_else(|| ty.map(|ty| b.expr(Expr::Cast(ty)))).unwrap_or(0);
                let element = Some(self.asked(whole, "#item", b)).filter(|&id| id != 0);
                let mut cursor = pattern.walk();
                let parts: Vec<Node> = pattern.named_children(&mut cursor).collect();
                for part in parts {
                    self.declare_pattern(part, element, None, b, depth + 1);
                }
            }
            "tuple_struct_pattern" => self.declare_tuple_struct(pattern, value, ty, b, depth),
            "struct_pattern" => self.declare_struct(pattern, b, depth),
            _ => {}
        }
    }

    fn declare_tuple_struct(
        &mut self,
        pattern: Node,
        value: Option<ExprId>,
        ty: Option<TypeId>,
        b: &mut Builder,
        depth: u32,
    ) {
        let Some(path) = pattern.child_by_field_name("type") else { return };
        let name = b.text(path);
        let whole = value.or_else(|| ty.map(|ty| b.expr(Expr::Cast(ty)))).unwrap_or(0);
        let asked = match name {
            "Some" | "Option::Some" | "Ready" | "Poll::Ready" => Some("#Some"),
            "Ok" | "Result::Ok" => Some("#Ok"),
            "Err" | "Result::Err" => Some("#Err"),
            _ => None,
        };
        let (modelled, of) = match asked {
            Some(member) => (Some(self.asked(whole, member, b)), 0),
            None => (None, self.path_expr(path, b)),
        };
        for (n, part) in places(pattern) {
            if part == path {
                continue;
            }
            let value = match modelled {
                Some(value) => value,
                None if of != 0 => {
                    let name = b.sym(&n.to_string());
                    b.expr(Expr::Member { base: of, name })
                }
                None => 0,
            };
            self.declare_pattern(part, Some(value).filter(|&id| id != 0), None, b, depth + 1);
        }
    }

    fn declare_struct(&mut self, pattern: Node, b: &mut Builder, depth: u32) {
        let Some(path) = pattern.child_by_field_name("type") else { return };
        let of = self.path_expr(path, b);
        let mut cursor = pattern.walk();
        let parts: Vec<Node> =
            pattern.named_children(&mut cursor).filter(|part| part.kind() == "field_pattern").collect();
        for part in parts {
            let Some(field) = part.child_by_field_name("name") else { continue };
            let value = (of != 0).then(|| {
                let name = b.sym_of(field);
                b.expr(Expr::Member { base: of, name })
            });
            match part.child_by_field_name("pattern") {
                Some(inner) => self.declare_pattern(inner, value, None, b, depth + 1),
                None => self.declare_name(field, value, None, b),
            }
        }
    }

    fn declare_name(&mut self, name: Node, value: Option<ExprId>, ty: Option<TypeId>, b: &mut Builder) {
        let text = b.text(name);
        if !binds(text) {
            return;
        }
        self.handled.insert(name.id());
        let sym = b.sym(text);
        let bound = self.locals.declare(sym, b);
        let value = value.filter(|&id| id != 0);
        if value.is_some_and(|value| *b.facts().expr(value) == Expr::Literal(Literal::Function)) {
            self.closure_locals.insert(bound);
        }
        let bound = b.str(bound).to_owned();
        b.bind(BindingKind::Local, self.locals.def(), &bound, line_of(name), ty, value);
    }

    pub(super) fn let_declaration(&mut self, node: Node, b: &mut Builder) {
        let Some(pattern) = node.child_by_field_name("pattern") else { return };
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty, b)).filter(|&id| id != 0);
        let value = node.child_by_field_name("value").map(|value| self.value(value, b)).filter(|&id| id != 0);
        match ty {
            // The type is sure; what the value is adds nothing.
            Some(ty) => self.declare_pattern(pattern, None, Some(ty), b, 0),
            None => self.declare_pattern(pattern, value, None, b, 0),
        }
    }

    /// `if let` and `while let`: the names live in the frame of the statement around.
    pub(super) fn let_condition(&mut self, node: Node, b: &mut Builder) {
        let Some(pattern) = node.child_by_field_name("pattern") else { return };
        let value = node.child_by_field_name("value").map(|value| self.value(value, b)).filter(|&id| id != 0);
        self.declare_pattern(pattern, value, None, b, 0);
    }

    /// Remembers what the arms ahead are matched with.
    pub(super) fn match_arms(&mut self, node: Node, b: &mut Builder) {
        let (Some(value), Some(body)) = (node.child_by_field_name("value"), node.child_by_field_name("body")) else {
            return;
        };
        let expr = self.expr(value, b);
        self.pending.insert(body.id(), (value.id(), expr));
    }

    /// The scrutinee has been walked by now, so that more of it may be known: hands it to the arms.
    pub(super) fn match_block(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let Some((value, early)) = self.pending.remove(&node.id()) else { return };
        let scrutinee = self.exprs.get(&value).copied().unwrap_or(early);
        let mut cursor = node.walk();
        for arm in node.named_children(&mut cursor).filter(|child| child.kind() == "match_arm") {
            self.scrutinees.insert(arm.id(), scrutinee);
        }
    }

    pub(super) fn match_arm(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let Some(pattern) = node.child_by_field_name("pattern") else { return };
        self.mark_pattern(pattern, b, 0);
        let scrutinee = self.scrutinees.get(&node.id()).copied().filter(|&id| id != 0);
        self.declare_pattern(pattern, scrutinee, None, b, 0);
    }

    pub(super) fn for_loop(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let (Some(pattern), Some(value)) = (node.child_by_field_name("pattern"), node.child_by_field_name("value"))
        else {
            return;
        };
        self.mark_pattern(pattern, b, 0);
        let of = self.value(value, b);
        let item = Some(self.asked(of, "#item", b)).filter(|&id| id != 0);
        self.declare_pattern(pattern, item, None, b, 0);
    }

    pub(super) fn closure(&mut self, node: Node, b: &mut Builder) {
        self.locals.open(node, b.here(), FrameKind::Block);
        let Some(list) = node.child_by_field_name("parameters") else { return };
        let given = self.closures.remove(&node.id()).unwrap_or_default();
        let mut cursor = list.walk();
        let parameters: Vec<Node> = list.named_children(&mut cursor).collect();
        for (n, parameter) in parameters.into_iter().enumerate() {
            let (pattern, ty) = match parameter.kind() {
                "parameter" => {
                    let Some(pattern) = parameter.child_by_field_name("pattern") else { continue };
                    let ty = parameter.child_by_field_name("type").map(|ty| self.ty(ty, b)).filter(|&id| id != 0);
                    (pattern, ty)
                }
                _ => (parameter, None),
            };
            self.mark_pattern(pattern, b, 0);
            let value = given.get(n).copied().filter(|&id| id != 0 && ty.is_none());
            self.declare_pattern(pattern, value, ty, b, 0);
        }
    }
}

/// The parts of a tuple pattern with their places; a `_` has a place but is no node of its own.
fn places(pattern: Node) -> Vec<(usize, Node)> {
    let (mut found, mut place, mut open) = (Vec::new(), 0, false);
    let mut cursor = pattern.walk();
    for child in pattern.children(&mut cursor) {
        match child.kind() {
            "(" => (open, place) = (true, 0),
            "," if open => place += 1,
            kind if child.is_named() && !kind.ends_with("comment") => found.push((place, child)),
            _ => {}
        }
    }
    found
}

/// Whether an identifier in a pattern binds a name: constants and variants start in upper case.
pub(super) fn binds(name: &str) -> bool {
    !name.is_empty() && name != "_" && !name.trim_start_matches("r#").starts_with(char::is_uppercase)
}
