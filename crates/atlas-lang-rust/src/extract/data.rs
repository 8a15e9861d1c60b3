//! Tables that a file declares and uses: Diesel's schema and calls, models that name a table, SQL in
//! string literals (SQLx, rusqlite, anything).

use super::RustExtractor;
use super::attrs::Attr;
use super::refs::{first_argument, string_value};
use atlas_syntax::{Builder, DefIx, TableTarget, line_of};
use tree_sitter::Node;

impl RustExtractor {
    /// `#[diesel(table_name = users)]`, `#[table_name = "users"]`, `#[sea_orm(table_name = "users")]`,
    /// or a name derived from the type's where Diesel does so.
    pub(super) fn table_model(&mut self, def: DefIx, attrs: &[Attr], b: &mut Builder) {
        let line = b.facts().def(def).name_line;
        for attr in attrs {
            let (table, rule) = match attr.path.as_str() {
                "diesel" => (attr.value_of("table_name"), "diesel table_name"),
                "table_name" => (Some(attr.args.as_str()), "diesel table_name"),
                "sea_orm" => (attr.value_of("table_name"), "sea-orm entity"),
                _ => continue,
            };
            if let Some(table) = table.map(|table| table.rsplit("::").next().unwrap_or(table).trim().to_owned())
                && !table.is_empty()
            {
                b.add_table_def(&table, Some(def), line, rule);
                return;
            }
        }
        let derives = |wanted: &[&str]| {
            attrs.iter().flat_map(Attr::derives).any(|name| wanted.contains(&name.rsplit("::").next().unwrap_or(name)))
        };
        if self.uses_crate(&["diesel"]) && derives(&["Insertable", "Identifiable", "AsChangeset"]) {
            let table = format!("{}s", snake_case(b.str(b.facts().def(def).name)));
            b.add_table_def(&table, Some(def), line, "diesel derive");
        }
    }

    /// `table! { users (id) { … } }` declares a table.
    pub(super) fn diesel_table(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let Some(tree) = node.named_children(&mut cursor).find(|child| child.kind() == "token_tree") else { return };
        let mut cursor = tree.walk();
        let tokens: Vec<Node> = tree.children(&mut cursor).collect();
        // The name stands before the brackets of the key and the braces of the columns.
        for window in tokens.windows(2) {
            let [name, next] = window else { continue };
            if name.kind() == "identifier" && next.kind() == "token_tree" {
                let table = b.text(*name).to_owned();
                b.add_table_def(&table, None, line_of(*name), "diesel table!");
                return;
            }
        }
    }

    /// `insert_into(users::table)`, `update(users.find(id))`, `delete(users::table)`; any other
    /// `users::table` is read.
    pub(super) fn diesel_call(&mut self, node: Node, function: Node, arguments: Option<Node>, b: &mut Builder) {
        let name = function.child_by_field_name("name").unwrap_or(function);
        let rule = match b.text(name) {
            "insert_into" | "insert_or_ignore_into" | "replace_into" => "diesel insert",
            "update" => "diesel update",
            "delete" => "diesel delete",
            _ => return,
        };
        if !self.uses_crate(&["diesel"]) && !b.text(function).starts_with("diesel::") {
            return;
        }
        let Some(mut at) = arguments.and_then(first_argument) else { return };
        for _ in 0..32 {
            match at.kind() {
                "call_expression" => match at.child_by_field_name("function") {
                    Some(function) => at = function,
                    None => return,
                },
                "field_expression" | "reference_expression" => match at.child_by_field_name("value") {
                    Some(value) => at = value,
                    None => return,
                },
                "scoped_identifier" => {
                    let path = b.text(at).to_owned();
                    let mut parts = path.rsplit("::");
                    let last = parts.next().unwrap_or_default();
                    let table = if matches!(last, "table" | "dsl") { parts.next().unwrap_or(last) } else { last };
                    self.handled.insert(at.id());
                    self.written_tables.insert(at.id());
                    let name = b.sym(table);
                    b.add_table_use(TableTarget::Name(name), true, node, rule);
                    return;
                }
                "identifier" => {
                    let name = b.sym_of(at);
                    if self.locals.lookup(name).is_none() {
                        b.add_table_use(TableTarget::Name(name), true, node, rule);
                    } else {
                        // A local that holds a model: `update(&post)`.
                        let expr = self.expr(at, b);
                        b.add_table_use(TableTarget::Model(expr), true, node, rule);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// `users::table` outside of what writes it.
    pub(super) fn diesel_path(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name").filter(|name| b.text(*name) == "table") else { return };
        let Some(path) = node.child_by_field_name("path") else { return };
        // What an enclosing node has dealt with is the name of a macro or of a function.
        if !self.uses_crate(&["diesel"])
            || self.written_tables.contains(&node.id())
            || self.handled.contains(&node.id())
        {
            return;
        }
        let table = path.child_by_field_name("name").unwrap_or(path);
        if matches!(table.kind(), "identifier") {
            let table = b.sym_of(table);
            b.add_table_use(TableTarget::Name(table), false, name, "diesel query");
        }
    }

    pub(super) fn string(&mut self, node: Node, b: &mut Builder) {
        let Some(text) = string_value(node, b) else { return };
        for table in atlas_syntax::sql::tables(&text) {
            let name = b.sym(&table.name);
            b.add_table_use(TableTarget::Name(name), table.write, node, "sql literal");
        }
    }
}

/// `BlogPost` as `blog_post`.
pub(super) fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && before_lower {
            out.push('_');
        }
        before_lower = c.is_lowercase() || c.is_ascii_digit();
        out.extend(c.to_lowercase());
    }
    out
}
