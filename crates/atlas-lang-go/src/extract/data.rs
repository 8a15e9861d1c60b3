//! Tables that a file declares and uses: GORM models and calls, SQL in string literals.

use super::GoExtractor;
use super::exprs::{first_argument, operator};
use atlas_syntax::{Builder, DefIx, TableTarget};
use tree_sitter::Node;

/// Links of a call chain that are looked through for `Model(…)` or `Table(…)`.
const CHAIN_MAX: usize = 32;

impl GoExtractor {
    /// A struct that embeds `gorm.Model` or has `gorm:"…"` tags stands for a table.
    pub(super) fn gorm_model(&mut self, ty: Node, def: DefIx, b: &mut Builder) {
        let Some(list) = ty.named_child(0) else { return };
        let mut cursor = list.walk();
        let found = list.named_children(&mut cursor).any(|field| {
            let embeds = field.child_by_field_name("name").is_none()
                && field.child_by_field_name("type").is_some_and(|ty| b.text(ty) == "gorm.Model");
            let tagged = field.child_by_field_name("tag").is_some_and(|tag| b.text(tag).contains("gorm:\""));
            embeds || tagged
        });
        if found {
            let (name, line) = (b.facts().def(def).name, b.facts().def(def).start);
            let table = table_name_of(b.str(name));
            b.add_table_def(&table, Some(def), line, "gorm model");
        }
    }

    /// `func (User) TableName() string { return "users" }` names the table of a model.
    pub(super) fn table_name_method(&mut self, node: Node, method: DefIx, name: &str, b: &mut Builder) {
        if name != "TableName" {
            return;
        }
        let Some(owner) = b.facts().def(method).owner else { return };
        let Some(returned) = node
            .child_by_field_name("body")
            .and_then(|body| body.named_child(0))
            .and_then(|list| list.named_child(0))
            .filter(|statement| statement.kind() == "return_statement")
            .and_then(|statement| statement.named_child(0))
            .and_then(|list| list.named_child(0))
            .and_then(|value| self.string_value(value, b))
        else {
            return;
        };
        let atlas_syntax::Type::Path { path, .. } = b.facts().ty(owner) else { return };
        let owner = path.last().copied();
        let model = b.facts().defs.iter().position(|def| def.kind.is_type() && Some(def.name) == owner);
        let line = b.facts().def(method).start;
        b.add_table_def(&returned, model.map(|ix| ix as DefIx), line, "gorm TableName method");
    }

    /// Calls that read or write the table of a model.
    pub(super) fn gorm_call(&mut self, node: Node, name: &str, callee: Node, arguments: Node, b: &mut Builder) {
        let (write, rule, by_argument) = match name {
            "Create" => (true, "gorm create", true),
            "CreateInBatches" => (true, "gorm create in batches", true),
            "Save" => (true, "gorm save", true),
            "FirstOrCreate" => (true, "gorm first or create", true),
            "Delete" => (true, "gorm delete", true),
            "Update" | "Updates" | "UpdateColumn" | "UpdateColumns" => (true, "gorm update", false),
            "Find" | "FindInBatches" => (false, "gorm find", true),
            "First" | "Take" | "Last" | "FirstOrInit" => (false, "gorm first", true),
            "Scan" | "Count" | "Pluck" | "Row" | "Rows" => (false, "gorm query", false),
            _ => return,
        };
        if let Some(target) = self.chain_target(callee, b) {
            b.add_table_use(target, write, node, rule);
            return;
        }
        if !by_argument {
            return;
        }
        let Some(first) = first_argument(arguments) else { return };
        // `&user`, `&User{}`, `new(User)`, a local: whatever it is must turn out to be a model.
        if matches!(first.kind(), "unary_expression" | "identifier" | "composite_literal" | "call_expression") {
            let expr = self.expr(first, b);
            if expr != 0 {
                b.add_table_use(TableTarget::Model(expr), write, node, rule);
            }
        }
    }

    /// The argument of `Model(…)` or `Table(…)` in the receiver of a call.
    fn chain_target(&mut self, callee: Node, b: &mut Builder) -> Option<TableTarget> {
        let mut at = callee.child_by_field_name("operand")?;
        for _ in 0..CHAIN_MAX {
            if at.kind() != "call_expression" {
                return None;
            }
            let function = at.child_by_field_name("function").filter(|f| f.kind() == "selector_expression")?;
            let field = function.child_by_field_name("field").map(|field| b.text(field));
            let first = at.child_by_field_name("arguments").and_then(first_argument);
            match (field, first) {
                (Some("Model"), Some(first)) => {
                    let expr = self.expr(first, b);
                    return (expr != 0).then_some(TableTarget::Model(expr));
                }
                (Some("Table"), Some(first)) => {
                    let text = self.string_value(first, b)?;
                    let table = text.split_whitespace().next()?;
                    return Some(TableTarget::Name(b.sym(table)));
                }
                _ => {}
            }
            at = function.child_by_field_name("operand")?;
        }
        None
    }

    /// SQL in a string literal that is no part of a longer one.
    pub(super) fn string(&mut self, node: Node, b: &mut Builder) {
        if self.handled.contains(&node.id()) {
            return;
        }
        if let Some(text) = self.string_value(node, b) {
            self.sql(&text, node, b);
        }
    }

    /// Strings joined by `+` are read as one text.
    pub(super) fn concatenation(&mut self, node: Node, b: &mut Builder) {
        if operator(node) != "+" || self.handled.contains(&node.id()) {
            return;
        }
        let mut parts = Vec::new();
        let mut at = node;
        let mut any_text = false;
        loop {
            let (left, right) = (at.child_by_field_name("left"), at.child_by_field_name("right"));
            let Some(right) = right else { return };
            self.handled.insert(right.id());
            parts.push(right);
            match left {
                Some(left) if left.kind() == "binary_expression" && operator(left) == "+" => {
                    self.handled.insert(left.id());
                    at = left;
                }
                Some(left) => {
                    parts.push(left);
                    break;
                }
                None => return,
            }
        }
        let mut text = String::new();
        for part in parts.iter().rev() {
            match self.string_value(*part, b) {
                Some(value) => {
                    self.handled.insert(part.id());
                    any_text = true;
                    text.push_str(&value);
                }
                None => {
                    // Not a literal: it keeps its own references.
                    self.handled.remove(&part.id());
                    text.push_str(" ? ");
                }
            }
        }
        if any_text {
            self.sql(&text, node, b);
        }
    }

    fn sql(&mut self, text: &str, at: Node, b: &mut Builder) {
        for table in atlas_syntax::sql::tables(text) {
            let name = b.sym(&table.name);
            b.add_table_use(TableTarget::Name(name), table.write, at, "sql literal");
        }
    }
}

/// GORM's name for the table of a struct: snake case, its last word in the plural.
pub(crate) fn table_name_of(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let chars: Vec<char> = name.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        if c.is_uppercase() && at > 0 {
            let before = chars[at - 1];
            let after = chars.get(at + 1);
            if !before.is_uppercase() || after.is_some_and(|next| next.is_lowercase()) {
                out.push('_');
            }
        }
        out.extend(c.to_lowercase());
    }
    let at = out.rfind('_').map_or(0, |at| at + 1);
    let plural = plural_of(&out[at..]);
    out.truncate(at);
    out.push_str(&plural);
    out
}

fn plural_of(word: &str) -> String {
    const IRREGULAR: [(&str, &str); 7] = [
        ("person", "people"),
        ("man", "men"),
        ("child", "children"),
        ("sex", "sexes"),
        ("move", "moves"),
        ("mouse", "mice"),
        ("quiz", "quizzes"),
    ];
    const SAME: [&str; 10] =
        ["equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "jeans", "police"];
    if SAME.contains(&word) {
        return word.to_owned();
    }
    if let Some((_, plural)) = IRREGULAR.iter().find(|(one, _)| *one == word) {
        return (*plural).to_owned();
    }
    let before_y = word.strip_suffix('y').and_then(|stem| stem.chars().last());
    if let (Some(stem), Some(c)) = (word.strip_suffix('y'), before_y)
        && !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
    {
        return format!("{stem}ies");
    }
    if word.ends_with("sis") {
        return format!("{}es", &word[..word.len() - 2]);
    }
    if ["s", "x", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    format!("{word}s")
}
