//! Tables: entities, repositories, SQL and JPQL in string literals.

use super::annotations::find;
use super::exprs::{literal_text, string_value};
use super::{Java, OpenType};
use atlas_syntax::{Builder, Expr, TableTarget, sql};
use tree_sitter::Node;

const PERSISTENCE: &[&str] = &["javax.persistence", "jakarta.persistence", "org.hibernate"];
const SPRING_DATA: &[&str] = &["org.springframework.data"];

/// A member that no source can spell: the rules give for it the entity of a repository.
pub(crate) const ENTITY_OF_REPOSITORY: &str = "<entity>";

/// Methods of an entity manager or session whose argument is an entity, or a class of one. Sorted;
/// true: writes.
const MANAGER_METHODS: [(&str, bool); 14] = [
    ("delete", true),
    ("detach", false),
    ("find", false),
    ("get", false),
    ("getReference", false),
    ("load", false),
    ("merge", true),
    ("persist", true),
    ("refresh", false),
    ("remove", true),
    ("save", true),
    ("saveOrUpdate", true),
    ("update", true),
    ("createCriteria", false),
];

impl Java {
    /// A class that stands for a table.
    pub(super) fn entity(&mut self, open: &OpenType, b: &mut Builder) {
        let annotations = &open.annotations;
        let line = b.facts().def(open.def).name_line;
        if find(annotations, &["Entity", "MappedSuperclass"]).is_some() && self.imports_from(PERSISTENCE) {
            if find(annotations, &["Entity"]).is_none() {
                return;
            }
            let table =
                find(annotations, &["Table"]).and_then(|table| table.texts(&["name"]).first().map(|s| s.to_string()));
            let table = table.unwrap_or_else(|| snake_case(&open.name));
            b.add_table_def(&table, Some(open.def), line, "jpa entity");
        } else if let Some(table) = find(annotations, &["Table"]).filter(|_| self.imports_from(SPRING_DATA)) {
            let table = table.texts(&["value", "name"]).first().map(|s| s.to_string());
            let table = table.unwrap_or_else(|| snake_case(&open.name));
            b.add_table_def(&table, Some(open.def), line, "spring data table");
        } else if let Some(document) = find(annotations, &["Document"]).filter(|_| self.imports_from(SPRING_DATA)) {
            let table = document.texts(&["collection", "value"]).first().map(|s| s.to_string());
            let table = table.unwrap_or_else(|| lower_first(&open.name));
            b.add_table_def(&table, Some(open.def), line, "spring data document");
        }
    }

    /// Calls on repositories and entity managers.
    pub(super) fn table_call(&mut self, node: Node, name: Node, object: Option<Node>, b: &mut Builder) {
        let Some(object) = object else { return };
        let method = b.text(name);
        if let Some(&(_, write)) = MANAGER_METHODS.iter().find(|(known, _)| *known == method) {
            let receiver = last_word(b.text(object)).to_ascii_lowercase();
            let is_manager = matches!(receiver.as_str(), "em" | "session" | "currentsession" | "getcurrentsession()")
                || receiver.ends_with("entitymanager")
                || receiver.ends_with("entitymanager()");
            if is_manager && self.imports_from(PERSISTENCE) {
                self.manager_call(node, name, write, b);
                return;
            }
        }
        // Whether the receiver is a repository, and of which model, is known when types are.
        if let Some(write) = repository_method(method).filter(|_| self.names_repositories(b)) {
            let receiver = self.expr(object, b);
            if receiver != 0 {
                let member = b.sym(ENTITY_OF_REPOSITORY);
                let entity = b.expr(Expr::Member { base: receiver, name: member });
                b.add_table_use(TableTarget::Model(entity), write, name, "spring data repository");
            }
        }
    }

    /// Whether the file speaks of repositories at all.
    fn names_repositories(&mut self, b: &Builder) -> bool {
        *self.repositories.get_or_insert_with(|| {
            let finds = |word: &str| memchr::memmem::find(b.source, word.as_bytes()).is_some();
            finds("Repository") || finds("Dao")
        })
    }

    fn manager_call(&mut self, node: Node, name: Node, write: bool, b: &mut Builder) {
        let Some(first) = node.child_by_field_name("arguments").and_then(|list| list.named_child(0)) else { return };
        let model = if first.kind() == "class_literal" {
            let text = b.text(first).trim_end_matches("class").trim_end_matches('.').trim();
            let model = b.sym(last_word(text));
            b.expr(Expr::Name(model))
        } else {
            self.expr(first, b)
        };
        if model != 0 {
            b.add_table_use(TableTarget::Model(model), write, name, "jpa entity manager");
        }
    }

    /// A sum that is a constant string: SQL may be spread over its parts.
    pub(super) fn concatenation(&mut self, node: Node, b: &mut Builder) {
        if self.done.contains(&node.id()) || node.child_by_field_name("operator").is_none_or(|op| b.text(op) != "+") {
            return;
        }
        let mut left = node;
        while left.kind() == "binary_expression" {
            self.done(Some(left));
            self.done(left.child_by_field_name("right").filter(|right| right.kind() == "string_literal"));
            let Some(next) = left.child_by_field_name("left") else { break };
            left = next;
        }
        if left.kind() == "string_literal" {
            self.done(Some(left));
        }
        if let Some(text) = string_value(node, &self.constants, b) {
            self.sql(&text, node, b);
        }
    }

    pub(super) fn string_literal(&mut self, node: Node, b: &mut Builder) {
        if !self.done.contains(&node.id()) && node.end_byte() - node.start_byte() > 10 {
            let text = literal_text(node, b);
            self.sql(&text, node, b);
        }
    }

    /// In JPQL and HQL what stands in the place of a table is an entity; by name it is found either way.
    fn sql(&mut self, text: &str, at: Node, b: &mut Builder) {
        for table in sql::tables(text) {
            let is_entity = table.name.starts_with(|c: char| c.is_ascii_uppercase())
                && table.name.contains(|c: char| c.is_ascii_lowercase())
                && (self.imports_from(PERSISTENCE) || self.imports_from(SPRING_DATA));
            if is_entity {
                let name = b.sym(last_word(&table.name));
                let model = b.expr(Expr::Name(name));
                b.add_table_use(TableTarget::Model(model), table.write, at, "jpql literal");
            } else {
                let name = b.sym(&table.name);
                b.add_table_use(TableTarget::Name(name), table.write, at, "sql literal");
            }
        }
    }
}

/// Whether a method of a Spring Data repository writes; None if its name says nothing.
fn repository_method(name: &str) -> Option<bool> {
    const WRITES: [&str; 6] = ["save", "delete", "remove", "insert", "update", "flush"];
    const READS: [&str; 10] = ["find", "get", "read", "query", "search", "stream", "count", "exists", "list", "fetch"];
    let starts = |prefix: &&str| {
        name.strip_prefix(*prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    if WRITES.iter().any(starts) {
        Some(true)
    } else if READS.iter().any(starts) {
        Some(false)
    } else {
        None
    }
}

fn last_word(text: &str) -> &str {
    text.rsplit('.').next().unwrap_or(text).trim()
}

/// `OrderLine` → `order_line`, as Spring's naming strategy does.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut previous_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && previous_lower {
            out.push('_');
        }
        previous_lower = c.is_lowercase() || c.is_ascii_digit();
        out.extend(c.to_lowercase());
    }
    out
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
