//! References: calls, constructions, reads, writes and uses of types.

use super::RustExtractor;
use atlas_syntax::{Builder, Expr, ExprId, RefKind};
use tree_sitter::Node;

impl RustExtractor {
    /// Before a call is walked: its callee is no read, and its closures get their parameters' values.
    pub(super) fn enter_call(&mut self, node: Node, b: &mut Builder) {
        let Some(function) = node.child_by_field_name("function") else { return };
        self.handled.insert(function.id());
        // Before the paths inside are met: they are written, not read.
        self.diesel_call(node, function, node.child_by_field_name("arguments"), b);
        let named = match function.kind() {
            "generic_function" => function.child_by_field_name("function").unwrap_or(function),
            _ => function,
        };
        self.handled.insert(named.id());
        if named.kind() == "field_expression" {
            self.closure_parameters(node, named, b);
        }
    }

    /// What the closures given to a method of an iterator, `Option` or `Result` are called with.
    fn closure_parameters(&mut self, call: Node, method: Node, b: &mut Builder) {
        let (Some(receiver), Some(field), Some(arguments)) = (
            method.child_by_field_name("value"),
            method.child_by_field_name("field"),
            call.child_by_field_name("arguments"),
        ) else {
            return;
        };
        let mut cursor = arguments.walk();
        let closures: Vec<Node> =
            arguments.named_children(&mut cursor).filter(|argument| argument.kind() == "closure_expression").collect();
        if closures.is_empty() {
            return;
        }
        let name = b.text(field);
        let given: &[&[&str]] = match name {
            "map_or_else" => &[&["#Err"], &["#item"]],
            "map_err" | "or_else" | "unwrap_or_else" | "inspect_err" | "is_err_and" => &[&["#Err"]],
            "fold" | "try_fold" | "scan" => &[&["", "#item"]],
            "sort_by" | "max_by" | "min_by" | "dedup_by" | "reduce" | "sort_unstable_by" => &[&["#item", "#item"]],
            "and_modify" => &[&["#value"]],
            "retain" | "retain_mut" => &[&["#pair"]],
            "all"
            | "and_then"
            | "any"
            | "binary_search_by"
            | "binary_search_by_key"
            | "chunk_by"
            | "dedup_by_key"
            | "drain_filter"
            | "extract_if"
            | "filter"
            | "filter_map"
            | "find"
            | "find_map"
            | "flat_map"
            | "for_each"
            | "inspect"
            | "is_none_or"
            | "is_ok_and"
            | "is_some_and"
            | "map"
            | "map_or"
            | "map_while"
            | "max_by_key"
            | "min_by_key"
            | "partition"
            | "partition_point"
            | "position"
            | "rposition"
            | "skip_while"
            | "sort_by_cached_key"
            | "sort_by_key"
            | "sort_unstable_by_key"
            | "take_while"
            | "try_for_each"
            | "inspect_ok"
            | "map_ok" => &[&["#item"]],
            "with" | "try_with" | "with_borrow" | "with_borrow_mut" => &[&["#with"]],
            _ => return,
        };
        let receiver = self.expr(receiver, b);
        if receiver == 0 {
            return;
        }
        for (closure, members) in closures.into_iter().zip(given.iter().cycle()) {
            let mut values = Vec::new();
            for member in *members {
                match *member {
                    "" => values.push(0),
                    // A map's `retain` takes key and value, a list's the element.
                    "#pair" => {
                        let count =
                            closure.child_by_field_name("parameters").map_or(0, |list| list.named_child_count());
                        let item = self.asked(receiver, "#item", b);
                        match count {
                            2 if item != 0 => {
                                for n in 0..2u16 {
                                    values.push(b.expr(Expr::Part { of: item, n }));
                                }
                            }
                            _ => values.push(item),
                        }
                    }
                    member => values.push(self.asked(receiver, member, b)),
                }
            }
            self.closures.insert(closure.id(), values);
        }
    }

    pub(super) fn call(&mut self, node: Node, b: &mut Builder) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let arguments = node.child_by_field_name("arguments");
        let argc = arguments.map_or(0, argument_count);
        let arg0 = arguments.and_then(first_argument).and_then(|first| string_value(first, b));
        let arg0 = arg0.map(|text| b.sym(&text));
        self.call_patterns(node, function, arguments, b);
        let named = match function.kind() {
            "generic_function" => function.child_by_field_name("function").unwrap_or(function),
            _ => function,
        };
        match named.kind() {
            "identifier" => {
                let text = b.text(named);
                let name = b.sym(text);
                if let Some(bound) = self.locals.lookup(name) {
                    if !self.closure_locals.contains(&bound) {
                        let expr = b.expr(Expr::Name(bound));
                        b.add_ref(RefKind::Call, named, expr, argc, arg0);
                    }
                    return;
                }
                // Variants of the prelude make values of the standard library.
                if matches!(text, "Some" | "Ok" | "Err" | "None") {
                    return;
                }
                let expr = self.expr(named, b);
                self.add_call(named, expr, argc, arg0, b);
            }
            "scoped_identifier" => {
                let expr = self.expr(named, b);
                if let Some(name) = named.child_by_field_name("name") {
                    self.add_call(name, expr, argc, arg0, b);
                }
            }
            "field_expression" => {
                let expr = self.expr(named, b);
                if let Some(field) = named.child_by_field_name("field").filter(|f| f.kind() == "field_identifier") {
                    b.add_ref(RefKind::Call, field, expr, argc, arg0);
                }
            }
            _ => {}
        }
    }

    fn add_call(&mut self, at: Node, expr: ExprId, argc: u16, arg0: Option<u32>, b: &mut Builder) {
        // `Self(…)` is named by its type.
        let name = match b.facts().expr(expr) {
            Expr::Name(name) | Expr::Member { name, .. } => b.str(*name).to_owned(),
            _ => b.text(at).to_owned(),
        };
        b.add_ref_named(RefKind::Call, &name, at, expr, argc, arg0);
    }

    /// A field that is neither called nor written is read.
    pub(super) fn field_read(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        let Some(field) = node.child_by_field_name("field").filter(|field| field.kind() == "field_identifier") else {
            return;
        };
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Read, field, expr, 0, None);
    }

    pub(super) fn assigned(&mut self, left: Node, b: &mut Builder) {
        let mut at = left;
        for _ in 0..32 {
            match at.kind() {
                "parenthesized_expression" | "unary_expression" | "index_expression" => match at.named_child(0) {
                    Some(inner) => at = inner,
                    None => return,
                },
                "field_expression" => {
                    let Some(field) = at.child_by_field_name("field") else { return };
                    if field.kind() == "field_identifier" {
                        self.handled.insert(at.id());
                        let expr = self.expr(at, b);
                        b.add_ref(RefKind::Write, field, expr, 0, None);
                    }
                    return;
                }
                "identifier" => {
                    self.handled.insert(at.id());
                    let name = b.sym_of(at);
                    if b.str(name) != "_" && self.locals.lookup(name).is_none() {
                        let expr = self.expr(at, b);
                        b.add_ref(RefKind::Write, at, expr, 0, None);
                    }
                    return;
                }
                "scoped_identifier" => {
                    self.handled.insert(at.id());
                    let expr = self.expr(at, b);
                    if let Some(name) = at.child_by_field_name("name") {
                        b.add_ref(RefKind::Write, name, expr, 0, None);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    pub(super) fn struct_expression(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let named = match name.kind() {
            "generic_type_with_turbofish" => name.child_by_field_name("type").unwrap_or(name),
            _ => name,
        };
        let last = named.child_by_field_name("name").unwrap_or(named);
        self.handled.insert(named.id());
        self.handled.insert(last.id());
        let expr = self.path_expr(named, b);
        if expr != 0 {
            let text = match b.facts().expr(expr) {
                Expr::Name(name) | Expr::Member { name, .. } => b.str(*name).to_owned(),
                _ => b.text(last).to_owned(),
            };
            b.add_ref_named(RefKind::Construct, &text, last, expr, u16::MAX, None);
        }
        let ty = self.ty(name, b);
        let Some(body) = node.child_by_field_name("body") else { return };
        let mut cursor = body.walk();
        let fields: Vec<Node> = body.named_children(&mut cursor).collect();
        for field in fields {
            let at = match field.kind() {
                "field_initializer" => field.child_by_field_name("field"),
                "shorthand_field_initializer" => {
                    let mut cursor = field.walk();
                    field.named_children(&mut cursor).find(|child| child.kind() == "identifier")
                }
                _ => None,
            };
            if let Some(at) = at.filter(|at| at.kind() != "integer_literal") {
                let base = b.expr(Expr::New(ty));
                let name = b.sym_of(at);
                let expr = b.expr(Expr::Member { base, name });
                b.add_ref(RefKind::Write, at, expr, 0, None);
            }
        }
    }

    pub(super) fn struct_pattern(&mut self, node: Node) {
        // The fields of a pattern are names of the type's, not of the scope.
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor).filter(|part| part.kind() == "field_pattern") {
            if let Some(name) = part.child_by_field_name("name") {
                self.handled.insert(name.id());
            }
        }
    }

    /// A path as a value. Types on the way are used too.
    pub(super) fn scoped_identifier(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        if let Some(path) = node.child_by_field_name("path") {
            self.path_prefix(path, b);
        }
        if !self.handled.contains(&node.id()) {
            let expr = self.path_expr(node, b);
            if expr != 0 {
                b.add_ref(RefKind::Read, name, expr, 0, None);
            }
        }
    }

    pub(super) fn scoped_type(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let done = !self.handled.insert(name.id()) || self.handled.contains(&node.id());
        if let Some(path) = node.child_by_field_name("path") {
            self.path_prefix(path, b);
        }
        if done {
            return;
        }
        let expr = self.path_expr(node, b);
        if expr != 0 {
            b.add_ref(RefKind::TypeUse, name, expr, 0, None);
        }
    }

    /// The part of a path before its last name: modules are no reference, a type is.
    fn path_prefix(&mut self, path: Node, b: &mut Builder) {
        match path.kind() {
            "identifier" => {
                self.handled.insert(path.id());
                self.type_in_path(path, path, b);
            }
            "scoped_identifier" => {
                self.handled.insert(path.id());
                if let Some(name) = path.child_by_field_name("name") {
                    self.type_in_path(path, name, b);
                }
            }
            _ => {}
        }
    }

    fn type_in_path(&mut self, path: Node, name: Node, b: &mut Builder) {
        let text = b.text(name);
        let sym = b.sym(text);
        if !text.starts_with(char::is_uppercase) || text == "Self" || self.type_param(sym).is_some() {
            return;
        }
        let expr = self.path_expr(path, b);
        if expr != 0 {
            b.add_ref(RefKind::TypeUse, name, expr, 0, None);
        }
    }

    pub(super) fn identifier(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        let text = b.text(node);
        if matches!(text, "" | "_" | "None" | "Some" | "Ok" | "Err" | "Self") {
            return;
        }
        let name = b.sym(text);
        if self.locals.lookup(name).is_some() || self.type_param(name).is_some() {
            return;
        }
        let expr = self.expr(node, b);
        b.add_ref(RefKind::Read, node, expr, 0, None);
    }

    pub(super) fn type_name(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        let text = b.text(node);
        let name = b.sym(text);
        if matches!(text, "" | "_" | "Self") || self.type_param(name).is_some() {
            return;
        }
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::TypeUse, node, expr, 0, None);
    }

    pub(super) fn macro_call(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("macro") else { return };
        self.handled.insert(name.id());
        let last = name.child_by_field_name("name").unwrap_or(name);
        self.handled.insert(last.id());
        let path: Option<Vec<u32>> = match name.kind() {
            "scoped_identifier" => self.type_path(name, b, 0),
            _ => Some(vec![b.sym_of(name)]),
        };
        if let Some(path) = path {
            let expr = self.names(&path, b);
            b.add_ref(RefKind::Macro, last, expr, u16::MAX, None);
        }
        self.macro_patterns(node, last, b);
    }
}

fn argument_count(list: Node) -> u16 {
    let mut cursor = list.walk();
    let count = list
        .named_children(&mut cursor)
        .filter(|child| !matches!(child.kind(), "line_comment" | "block_comment" | "attribute_item"))
        .count();
    count.min(usize::from(u16::MAX - 1)) as u16
}

pub(super) fn first_argument(list: Node) -> Option<Node> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .find(|child| !matches!(child.kind(), "line_comment" | "block_comment" | "attribute_item"))
}

/// The text of a string literal, escapes of quotes and lines undone.
pub(super) fn string_value(node: Node, b: &Builder) -> Option<String> {
    let text = b.text(node);
    match node.kind() {
        "raw_string_literal" => {
            let text = text.trim_start_matches(['b', 'c']).strip_prefix('r')?.trim_matches('#');
            Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
        }
        "string_literal" => {
            let text = text.trim_start_matches(['b', 'c']).strip_prefix('"')?.strip_suffix('"')?;
            if !text.contains('\\') {
                return Some(text.to_owned());
            }
            let mut out = String::with_capacity(text.len());
            let mut chars = text.chars().peekable();
            while let Some(c) = chars.next() {
                if c != '\\' {
                    out.push(c);
                    continue;
                }
                match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    // A line that goes on below, its indent left out.
                    Some('\n') => {
                        while chars.peek().is_some_and(|c| c.is_whitespace()) {
                            chars.next();
                        }
                    }
                    Some(other) => out.push(other),
                    None => {}
                }
            }
            Some(out)
        }
        _ => None,
    }
}
