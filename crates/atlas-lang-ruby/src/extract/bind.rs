//! What names are bound to: assignments, block parameters, loops, `rescue`, patterns.

use super::{FrameKind, Inner, Ruby};
use atlas_syntax::{
    BindingKind, Builder, DefFlags, DefKind, DefSpec, Expr, ExprId, Literal, RefKind, TypeId, end_line_of, line_of,
};
use tree_sitter::Node;

/// Nested patterns that are followed.
const DEPTH_MAX: u32 = 16;

/// What a block is called with, as far as the method that calls it tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockValue {
    /// The first parameter; one of several takes its part of it if `spread`.
    pub first: ExprId,
    pub second: ExprId,
    pub spread: bool,
}

impl Ruby {
    pub(super) fn assignment(&mut self, node: Node, b: &mut Builder) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        if left.kind() == "constant" && self.made_class(node, left, right, b) {
            return;
        }
        let value = self.expr(right, b);
        let changes = node.kind() == "operator_assignment";
        if changes && left.kind() == "identifier" {
            // `x += f` keeps what x is; `x ||= f` may be its only value.
            let keeps = node.child_by_field_name("operator").is_some_and(|op| !matches!(op.kind(), "||=" | "&&="));
            let symbol = b.sym_of(left);
            if keeps && (self.is_local(symbol) || self.inner_name(symbol).is_some()) {
                self.done(Some(left));
                return;
            }
        }
        self.target(node, left, Some(right), value, b, 0);
    }

    fn target(&mut self, statement: Node, left: Node, right: Option<Node>, value: ExprId, b: &mut Builder, depth: u32) {
        match left.kind() {
            "identifier" => self.bind_local(left, 0, value, b),
            "instance_variable" | "class_variable" => self.bind_field(statement, left, value, b),
            "global_variable" | "constant" => self.bind_name(statement, left, value, b),
            "scope_resolution" => {
                let Some(name) = left.child_by_field_name("name") else { return };
                self.done(Some(left));
                self.done(Some(name));
                let expr = self.expr(left, b);
                b.add_ref(RefKind::Write, name, expr, 0, None);
            }
            "call" => self.write_attribute(left, b),
            "element_reference" => self.write_into(left, b),
            "left_assignment_list" | "destructured_left_assignment" if depth < DEPTH_MAX => {
                let mut cursor = left.walk();
                let targets: Vec<Node> = left.named_children(&mut cursor).collect();
                let values = right.map_or_else(Vec::new, |right| parts_of(right, targets.len()));
                for (n, target) in targets.into_iter().enumerate() {
                    let (part, value) = match values.get(n) {
                        Some(&part) => (Some(part), self.expr(part, b)),
                        None if value == 0 => (None, 0),
                        None => {
                            let n = u16::try_from(n).unwrap_or(u16::MAX);
                            (None, b.expr(Expr::Part { of: value, n }))
                        }
                    };
                    self.target(statement, target, part, value, b, depth + 1);
                }
            }
            "rest_assignment" => {
                let list = b.expr(Expr::Literal(Literal::List));
                if let Some(inner) = left.named_child(0).filter(|_| depth < DEPTH_MAX) {
                    self.target(statement, inner, None, list, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Binds a local of the innermost method or body.
    pub(super) fn bind_local(&mut self, name: Node, ty: TypeId, value: ExprId, b: &mut Builder) {
        self.done(Some(name));
        let symbol = b.sym_of(name);
        let scope = self.frame().def;
        let own = self.inner_name(symbol);
        let text = own.map_or_else(|| b.text(name).to_owned(), |own| b.str(own).to_owned());
        if own.is_none() {
            self.frame_mut().locals.insert(symbol);
        }
        b.bind(BindingKind::Local, scope, &text, line_of(name), some(ty), some(value));
    }

    fn bind_field(&mut self, statement: Node, name: Node, value: ExprId, b: &mut Builder) {
        self.done(Some(name));
        let symbol = b.sym_of(name);
        let base = b.expr(Expr::This);
        let expr = b.expr(Expr::Member { base, name: symbol });
        b.add_ref(RefKind::Write, name, expr, 0, None);
        let Some(class) = self.type_frame().and_then(|frame| frame.def) else {
            b.bind(BindingKind::Local, None, b.text(name), line_of(name), None, some(value));
            return;
        };
        b.bind(BindingKind::Field, Some(class), b.text(name), line_of(name), None, some(value));
        let frame = self.frames.iter_mut().rev().find(|frame| frame.kind == FrameKind::Type);
        if frame.is_some_and(|frame| frame.defined.insert(symbol)) {
            let mut spec = DefSpec::named(DefKind::Field, name, b.source);
            spec.signature_end = Some(end_line_of(statement));
            spec.flags.set(DefFlags::STATIC, name.kind() == "class_variable");
            let ix = b.add_def(statement, spec);
            b.def_mut(ix).container = Some(class);
        }
    }

    /// A constant or a global variable.
    fn bind_name(&mut self, statement: Node, name: Node, value: ExprId, b: &mut Builder) {
        self.done(Some(name));
        let symbol = b.sym_of(name);
        let constant = name.kind() == "constant";
        // A constant belongs to the class around, a global to the whole program.
        let at = if constant {
            self.frames.iter().rposition(|f| matches!(f.kind, FrameKind::Type | FrameKind::Program))
        } else {
            Some(0)
        };
        let frame = &mut self.frames[at.unwrap_or(0)];
        let class = if constant { frame.def.filter(|_| frame.kind == FrameKind::Type) } else { None };
        let first = frame.defined.insert(symbol);
        let kind = if class.is_some() { BindingKind::Field } else { BindingKind::Local };
        b.bind(kind, class, b.text(name), line_of(name), None, some(value));
        if first {
            let mut spec = DefSpec::named(if constant { DefKind::Constant } else { DefKind::Variable }, name, b.source);
            spec.doc = self.doc.take(line_of(statement));
            spec.signature_end = Some(end_line_of(statement));
            spec.flags.set(DefFlags::EXPORTED, true);
            spec.flags.set(DefFlags::STATIC, class.is_some());
            let ix = b.add_def(statement, spec);
            b.def_mut(ix).container = class;
        } else {
            let expr = b.expr_of(name, |_| Expr::Name(symbol));
            b.add_ref(RefKind::Write, name, expr, 0, None);
        }
    }

    /// `a.b = c` calls `b=`.
    fn write_attribute(&mut self, left: Node, b: &mut Builder) {
        let (Some(object), Some(name)) = (left.child_by_field_name("receiver"), left.child_by_field_name("method"))
        else {
            return;
        };
        self.done(Some(left));
        self.done(Some(name));
        let base = self.expr(object, b);
        let setter = format!("{}=", b.text(name));
        let symbol = b.sym(&setter);
        let expr = b.expr(Expr::Member { base, name: symbol });
        b.add_ref_named(RefKind::Write, &setter, name, expr, 1, None);
    }

    /// `CACHE[key] = value` changes what `CACHE` holds.
    fn write_into(&mut self, left: Node, b: &mut Builder) {
        let Some(object) = left.child_by_field_name("object") else { return };
        if matches!(object.kind(), "constant" | "instance_variable" | "class_variable" | "global_variable") {
            self.done(Some(object));
            let expr = self.expr(object, b);
            b.add_ref(RefKind::Write, object, expr, 0, None);
        }
    }

    pub(super) fn for_loop(&mut self, node: Node, b: &mut Builder) {
        let (Some(pattern), Some(value)) = (node.child_by_field_name("pattern"), node.child_by_field_name("value"))
        else {
            return;
        };
        let of = value.named_child(0).map_or(0, |iterated| self.expr(iterated, b));
        let value = if of == 0 { 0 } else { b.expr(Expr::Element(of)) };
        self.target(node, pattern, None, value, b, 0);
    }

    /// A block or `do` block: its parameters are its own.
    pub(super) fn block(&mut self, node: Node, b: &mut Builder) {
        let value = self.block_values.remove(&node.id());
        self.inner.push(Inner { node: node.id(), names: Vec::new() });
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.block_parameters(parameters, value, b);
        }
    }

    pub(super) fn lambda(&mut self, node: Node, b: &mut Builder) {
        self.inner.push(Inner { node: node.id(), names: Vec::new() });
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.block_parameters(parameters, None, b);
        }
    }

    fn block_parameters(&mut self, list: Node, value: Option<BlockValue>, b: &mut Builder) {
        let mut cursor = list.walk();
        let parameters: Vec<Node> = list.named_children(&mut cursor).collect();
        let several = parameters.len() > 1;
        for (n, parameter) in parameters.into_iter().enumerate() {
            let bound = match value {
                Some(value) if several && value.spread && value.first != 0 => {
                    let n = u16::try_from(n).unwrap_or(u16::MAX);
                    b.expr(Expr::Part { of: value.first, n })
                }
                Some(value) if n == 0 => value.first,
                Some(value) if n == 1 => value.second,
                _ => 0,
            };
            self.block_parameter(parameter, bound, b, 0);
        }
    }

    fn block_parameter(&mut self, parameter: Node, value: ExprId, b: &mut Builder, depth: u32) {
        match parameter.kind() {
            "identifier" => self.bind_inner(parameter, value, b),
            "destructured_parameter" if depth < DEPTH_MAX => {
                let mut cursor = parameter.walk();
                let parts: Vec<Node> = parameter.named_children(&mut cursor).collect();
                for (n, part) in parts.into_iter().enumerate() {
                    let n = u16::try_from(n).unwrap_or(u16::MAX);
                    let value = if value == 0 { 0 } else { b.expr(Expr::Part { of: value, n }) };
                    self.block_parameter(part, value, b, depth + 1);
                }
            }
            _ => {
                if let Some(name) = parameter.child_by_field_name("name").filter(|name| name.kind() == "identifier") {
                    self.bind_inner(name, 0, b);
                }
            }
        }
    }

    /// Binds a name that no other place of the file can mean.
    fn bind_inner(&mut self, name: Node, value: ExprId, b: &mut Builder) {
        self.done(Some(name));
        let symbol = b.sym_of(name);
        self.inner_count += 1;
        let own = format!("{}#{}", b.text(name), self.inner_count);
        let own_symbol = b.sym(&own);
        let scope = self.frame().def;
        b.bind(BindingKind::Local, scope, &own, line_of(name), None, some(value));
        if let Some(inner) = self.inner.last_mut() {
            inner.names.push((symbol, own_symbol));
        }
    }

    /// `rescue A, B => e`
    pub(super) fn rescue(&mut self, node: Node, b: &mut Builder) {
        let Some(variable) = node.child_by_field_name("variable").and_then(|v| v.named_child(0)) else { return };
        let classes = node.child_by_field_name("exceptions");
        let only = classes.filter(|list| list.named_child_count() == 1).and_then(|list| list.named_child(0));
        let ty = only.map_or(0, |class| self.ty(class, b));
        if variable.kind() == "identifier" {
            self.bind_local(variable, ty, 0, b);
        } else {
            self.target(node, variable, None, 0, b, 0);
        }
    }

    /// Names that a pattern captures.
    pub(super) fn patterns(&mut self, node: Node, b: &mut Builder) {
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern, b, 0);
        }
    }

    fn pattern(&mut self, node: Node, b: &mut Builder, depth: u32) {
        if depth >= DEPTH_MAX {
            return;
        }
        match node.kind() {
            "identifier" => self.bind_local(node, 0, 0, b),
            "as_pattern" => {
                let (value, name) = (node.child_by_field_name("value"), node.child_by_field_name("name"));
                let ty = value.map_or(0, |value| self.ty(value, b));
                if let Some(name) = name {
                    self.bind_local(name, ty, 0, b);
                }
                if let Some(value) = value {
                    self.pattern(value, b, depth + 1);
                }
            }
            "keyword_pattern" => match (node.child_by_field_name("key"), node.child_by_field_name("value")) {
                (_, Some(value)) => self.pattern(value, b, depth + 1),
                (Some(key), None) => {
                    let symbol = b.sym_of(key);
                    self.frame_mut().locals.insert(symbol);
                    let scope = self.frame().def;
                    b.bind(BindingKind::Local, scope, b.text(key), line_of(key), None, None);
                }
                _ => {}
            },
            "splat_parameter" | "hash_splat_parameter" => {
                if let Some(name) = node.child_by_field_name("name") {
                    self.bind_local(name, 0, 0, b);
                }
            }
            "array_pattern" | "hash_pattern" | "find_pattern" | "alternative_pattern" | "parenthesized_pattern" => {
                let mut cursor = node.walk();
                let parts: Vec<Node> = node.named_children(&mut cursor).collect();
                for part in parts {
                    self.pattern(part, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    pub(super) fn returned(&mut self, node: Node, b: &mut Builder) {
        let frame = self.frame();
        let (FrameKind::Method | FrameKind::StaticMethod, Some(scope)) = (frame.kind, frame.def) else { return };
        let Some(list) = node.named_child(0) else { return };
        let value = if list.named_child_count() == 1 { list.named_child(0) } else { None };
        let value = value.map_or(0, |value| self.expr(value, b));
        b.bind(BindingKind::Return, Some(scope), "", line_of(node), None, some(value));
    }
}

pub(super) fn some(id: u32) -> Option<u32> {
    (id != 0).then_some(id)
}

/// The elements of a list of values, if there are just so many and none is spread.
fn parts_of(node: Node, count: usize) -> Vec<Node> {
    if !matches!(node.kind(), "right_assignment_list" | "array") || node.named_child_count() != count {
        return Vec::new();
    }
    let mut cursor = node.walk();
    let parts: Vec<Node> = node.named_children(&mut cursor).collect();
    if parts.iter().any(|part| part.kind() == "splat_argument") { Vec::new() } else { parts }
}
