//! Tables that are read and written: ActiveRecord models, migrations, SQL in strings.

use super::expr::first_argument;
use super::macros::{plural, underscore};
use super::{Role, Ruby, plain_text};
use atlas_syntax::{Builder, DefIx, Expr, ExprId, TableTarget, line_of, sql};
use tree_sitter::Node;

/// Links of one chain of calls that are looked at: `Vote.where(…).order(…).first`.
const CHAIN_MAX: usize = 48;

/// Methods of a model or relation that change rows, sorted.
const WRITES: [&str; 32] = [
    "create",
    "create!",
    "create_or_find_by",
    "create_or_find_by!",
    "create_with",
    "decrement_counter",
    "delete",
    "delete_all",
    "delete_by",
    "destroy",
    "destroy_all",
    "destroy_by",
    "find_or_create_by",
    "find_or_create_by!",
    "first_or_create",
    "first_or_create!",
    "import",
    "import!",
    "increment_counter",
    "insert",
    "insert!",
    "insert_all",
    "insert_all!",
    "reset_counters",
    "touch_all",
    "truncate",
    "update",
    "update!",
    "update_all",
    "update_counters",
    "upsert",
    "upsert_all",
];

/// Methods of a model or relation that read rows, sorted.
const READS: [&str; 60] = [
    "all",
    "annotate",
    "any?",
    "average",
    "count",
    "distinct",
    "eager_load",
    "empty?",
    "exists?",
    "extending",
    "find",
    "find_by",
    "find_by!",
    "find_by_sql",
    "find_each",
    "find_in_batches",
    "find_or_initialize_by",
    "find_sole_by",
    "first",
    "first!",
    "first_or_initialize",
    "from",
    "group",
    "having",
    "ids",
    "in_batches",
    "includes",
    "joins",
    "last",
    "last!",
    "left_joins",
    "left_outer_joins",
    "limit",
    "lock",
    "many?",
    "maximum",
    "merge",
    "minimum",
    "none?",
    "offset",
    "one?",
    "optimizer_hints",
    "order",
    "pick",
    "pluck",
    "preload",
    "readonly",
    "references",
    "reorder",
    "reselect",
    "rewhere",
    "select",
    "sole",
    "sum",
    "take",
    "take!",
    "unscope",
    "unscoped",
    "where",
    "with",
];

/// Methods of a record that change it, sorted.
const RECORD_WRITES: [&str; 22] = [
    "decrement!",
    "delete",
    "destroy",
    "destroy!",
    "discard",
    "discard!",
    "increment!",
    "lock!",
    "save",
    "save!",
    "toggle!",
    "touch",
    "update",
    "update!",
    "update_attribute",
    "update_attribute!",
    "update_attributes",
    "update_attributes!",
    "update_column",
    "update_columns",
    "upsert",
    "with_lock",
];

impl Ruby {
    /// A class that stands for a table.
    pub(super) fn model(&mut self, ix: DefIx, class: Node, name: &str, parent: &str, b: &mut Builder) {
        let mut table = None;
        let mut is_abstract = false;
        let mut cursor = class.walk();
        if let Some(body) = class.child_by_field_name("body") {
            for statement in body.named_children(&mut cursor).filter(|n| n.kind() == "assignment") {
                let left = statement.child_by_field_name("left").map_or("", |left| b.text(left));
                let Some(right) = statement.child_by_field_name("right") else { continue };
                match left {
                    "self.table_name" => table = plain_text(right, b),
                    "self.abstract_class" => is_abstract = b.text(right) == "true",
                    _ => {}
                }
            }
        }
        let parent = parent.trim_start_matches("::");
        let by_parent = matches!(parent, "ApplicationRecord" | "ActiveRecord::Base");
        if let Some(table) = table.filter(|table| !table.is_empty()) {
            b.add_table_def(table, Some(ix), line_of(class), "activerecord table name");
        } else if by_parent && !is_abstract && name != "ApplicationRecord" {
            b.add_table_def(&plural(&underscore(name)), Some(ix), line_of(class), "activerecord model");
        }
    }

    pub(super) fn call_data(
        &mut self,
        node: Node,
        name: &str,
        receiver: Option<Node>,
        role: Option<Role>,
        b: &mut Builder,
    ) {
        let at = node.child_by_field_name("method").unwrap_or(node);
        let Some(receiver) = receiver else {
            self.migration(node, name, b);
            if self.type_frame().is_some() && RECORD_WRITES.binary_search(&name).is_ok() {
                let this = b.expr(Expr::This);
                self.use_model(this, true, at, &format!("activerecord {name}"), b);
            }
            return;
        };
        if role != Some(Role::ChainLink) && self.query_chain(node, b) {
            return;
        }
        if RECORD_WRITES.binary_search(&name).is_ok() {
            let record = self.expr(receiver, b);
            self.use_model(record, true, at, &format!("activerecord {name}"), b);
        }
        // `user.votes.create(…)`
        if WRITES.binary_search(&name).is_ok() && matches!(receiver.kind(), "call" | "identifier" | "instance_variable")
        {
            let records = self.expr(receiver, b);
            if records != 0 {
                let one = b.expr(Expr::Element(records));
                self.use_model(one, true, at, &format!("activerecord {name}"), b);
            }
        }
    }

    fn use_model(&mut self, model: ExprId, write: bool, at: Node, rule: &str, b: &mut Builder) {
        if model != 0 {
            b.add_table_use(TableTarget::Model(model), write, at, rule);
        }
    }

    /// A chain of calls on a constant; only its outermost call is looked at.
    fn query_chain(&mut self, call: Node, b: &mut Builder) -> bool {
        let mut methods: Vec<(Node, &str)> = Vec::new();
        let mut at = call;
        for _ in 0..CHAIN_MAX {
            match at.kind() {
                "call" => {
                    if at.id() != call.id() {
                        self.roles.entry(at.id()).or_insert(Role::ChainLink);
                    }
                    let (Some(method), Some(receiver)) =
                        (at.child_by_field_name("method"), at.child_by_field_name("receiver"))
                    else {
                        return false;
                    };
                    methods.push((method, b.text(method)));
                    at = receiver;
                }
                "constant" | "scope_resolution" => break,
                _ => return false,
            }
        }
        // A record that was made or found first is written by `save` and the like.
        let Some(&(_, innermost)) = methods.last() else { return false };
        if !matches!(at.kind(), "constant" | "scope_resolution") || innermost == "new" && methods.len() == 1 {
            return false;
        }
        let queries = READS.binary_search(&innermost).is_ok() || WRITES.binary_search(&innermost).is_ok();
        let written = methods
            .iter()
            .rev()
            .find(|(_, name)| WRITES.binary_search(name).is_ok() || RECORD_WRITES.binary_search(name).is_ok());
        if !queries && written.is_none() {
            return false;
        }
        let Some(&(place, name)) = written.or(methods.last()) else { return false };
        let model = self.expr(at, b);
        self.use_model(model, written.is_some(), place, &format!("activerecord {name}"), b);
        true
    }

    /// `create_table :votes do |t|` and its kin.
    fn migration(&mut self, node: Node, name: &str, b: &mut Builder) {
        let defines = matches!(name, "create_table" | "create_join_table");
        let changes = matches!(
            name,
            "add_column"
                | "remove_column"
                | "rename_column"
                | "change_column"
                | "add_index"
                | "add_reference"
                | "remove_index"
                | "drop_table"
                | "change_table"
                | "rename_table"
                | "add_foreign_key"
                | "add_timestamps"
        );
        if !defines && !changes {
            return;
        }
        let Some(first) = first_argument(node) else { return };
        let Some(table) = plain_text(first, b).filter(|table| !table.is_empty()) else { return };
        if name == "create_table" {
            b.add_table_def(table, None, line_of(node), "rails migration");
        }
        let symbol = b.sym(table);
        b.add_table_use(TableTarget::Name(symbol), true, first, "rails migration");
    }

    pub(super) fn text(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        if role == Some(Role::Joined) {
            return;
        }
        let mut text = String::new();
        self.append(node, &mut text, b);
        self.sql_text(&text, node, b);
    }

    /// Appends the text of a literal; what is filled in is a hole.
    fn append(&mut self, node: Node, text: &mut String, b: &Builder) {
        match node.kind() {
            "string" | "heredoc_body" => {
                let mut cursor = node.walk();
                for part in node.named_children(&mut cursor) {
                    match part.kind() {
                        "string_content" | "heredoc_content" | "escape_sequence" => text.push_str(b.text(part)),
                        "interpolation" => text.push_str("{}"),
                        _ => {}
                    }
                }
            }
            "chained_string" => {
                let mut cursor = node.walk();
                let parts: Vec<Node> = node.named_children(&mut cursor).collect();
                for part in parts {
                    self.roles.insert(part.id(), Role::Joined);
                    self.append(part, text, b);
                }
            }
            _ => text.push_str("{}"),
        }
    }

    /// `"SELECT … " + name + " …"` is one text.
    pub(super) fn joined_text(&mut self, node: Node, b: &mut Builder) {
        if node.start_byte() < self.joined_until {
            return;
        }
        let mut parts: Vec<Node> = Vec::new();
        let mut at = node;
        while at.kind() == "binary" && at.child_by_field_name("operator").is_some_and(|op| op.kind() == "+") {
            let (Some(left), Some(right)) = (at.child_by_field_name("left"), at.child_by_field_name("right")) else {
                return;
            };
            parts.push(right);
            at = left;
        }
        if parts.is_empty() {
            return;
        }
        self.joined_until = node.end_byte();
        if !matches!(at.kind(), "string" | "chained_string") {
            return;
        }
        let mut text = String::new();
        parts.push(at);
        for part in parts.into_iter().rev() {
            self.roles.insert(part.id(), Role::Joined);
            self.append(part, &mut text, b);
        }
        self.sql_text(&text, at, b);
    }

    fn sql_text(&mut self, text: &str, at: Node, b: &mut Builder) {
        for table in sql::tables(text) {
            let name = b.sym(&table.name);
            b.add_table_use(TableTarget::Name(name), table.write, at, "sql literal");
        }
    }
}
