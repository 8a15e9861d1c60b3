//! Tables that are read and written: models of Django and SQLAlchemy, SQL in strings.

use super::defs::last_name;
use super::expr::first_argument;
use super::{Python, Role, literal_text, string_parts};
use atlas_syntax::{Builder, DefIx, ExprId, TableTarget, line_of, sql};
use tree_sitter::Node;

/// Links of one chain of calls that are looked at: `M.objects.filter(…).exclude(…).update(…)`.
const CHAIN_MAX: usize = 48;

/// Methods of managers and query sets that change rows.
const MANAGER_WRITES: [&str; 22] = [
    "abulk_create",
    "abulk_update",
    "acreate",
    "add",
    "adelete",
    "aget_or_create",
    "aupdate",
    "aupdate_or_create",
    "bulk_create",
    "bulk_insert",
    "bulk_update",
    "clear",
    "create",
    "create_superuser",
    "create_user",
    "delete",
    "get_or_create",
    "insert",
    "remove",
    "set",
    "update",
    "update_or_create",
];

impl Python {
    /// A class that stands for a table.
    pub(super) fn model(&mut self, ix: DefIx, class: Node, body: Node, bases: &[Node], b: &mut Builder) {
        let mut is_model = bases.iter().any(|base| {
            let text = b.text(*base);
            text.ends_with("models.Model") || text == "Model" && self.comes_from("Model", "django.db.models")
        });
        let (mut table, mut abstract_, mut proxy) = (None, false, false);
        let mut rule = "django model";
        let mut cursor = body.walk();
        for statement in body.named_children(&mut cursor) {
            match statement.kind() {
                "expression_statement" => {
                    let Some(assignment) = statement.named_child(0).filter(|n| n.kind() == "assignment") else {
                        continue;
                    };
                    let name = assignment.child_by_field_name("left").map_or("", |left| b.text(left));
                    let Some(value) = assignment.child_by_field_name("right") else { continue };
                    match name {
                        "__tablename__" => {
                            table = literal_text(value, b);
                            rule = "sqlalchemy model";
                        }
                        "__table__" => {
                            table = first_argument(value).and_then(|first| literal_text(first, b));
                            rule = "sqlalchemy model";
                        }
                        _ => is_model |= self.is_model_field(value, b),
                    }
                }
                "class_definition" => {
                    let Some(meta) = statement.child_by_field_name("body") else { continue };
                    let mut cursor = meta.walk();
                    for option in meta.named_children(&mut cursor).filter_map(|s| s.named_child(0)) {
                        if option.kind() != "assignment" {
                            continue;
                        }
                        let name = option.child_by_field_name("left").map_or("", |left| b.text(left));
                        let Some(value) = option.child_by_field_name("right") else { continue };
                        match name {
                            "db_table" | "table_name" => table = literal_text(value, b).or(table),
                            "abstract" => abstract_ = b.text(value) == "True",
                            "proxy" => proxy = b.text(value) == "True",
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        let line = line_of(class);
        let name = class.child_by_field_name("name").map_or("", |name| b.text(name));
        if let Some(table) = table.map(|table| table.trim_matches(['"', '\\'])).filter(|table| !table.is_empty()) {
            b.add_table_def(table, Some(ix), line, rule);
            return;
        }
        if is_model && !abstract_ && !proxy {
            b.add_table_def(&name.to_lowercase(), Some(ix), line, "django model");
            return;
        }
        let texts: Vec<&str> = bases.iter().map(|base| b.text(*base)).collect();
        if texts.contains(&"db.Model") {
            b.add_table_def(&snake_case(name), Some(ix), line, "flask-sqlalchemy model");
        } else if texts.iter().any(|base| last_name(base) == "SQLModel") && b.text(class).contains("table=True") {
            b.add_table_def(&name.to_lowercase(), Some(ix), line, "sqlmodel model");
        } else if self.imports("peewee") && texts.iter().any(|base| base.ends_with("Model")) && name != "BaseModel" {
            b.add_table_def(&name.to_lowercase(), Some(ix), line, "peewee model");
        }
    }

    /// `models.CharField(…)`, `models.ForeignKey(…)`.
    fn is_model_field(&self, value: Node, b: &Builder) -> bool {
        let Some(function) = value.child_by_field_name("function") else { return false };
        let text = b.text(function);
        text.strip_prefix("models.")
            .is_some_and(|field| field.ends_with("Field") || matches!(field, "ForeignKey" | "GenericForeignKey"))
    }

    /// `users = Table("users", metadata, …)`.
    pub(super) fn variable_table(&mut self, ix: DefIx, value: Node, b: &mut Builder) {
        if !self.imports("sqlalchemy") || value.kind() != "call" {
            return;
        }
        let function = value.child_by_field_name("function").map_or("", |f| b.text(f));
        if last_name(function) == "Table"
            && let Some(table) = first_argument(value).and_then(|first| literal_text(first, b))
        {
            b.add_table_def(table, Some(ix), line_of(value), "sqlalchemy table");
        }
    }

    pub(super) fn call_data(&mut self, call: Node, function: Node, name: &str, role: Option<Role>, b: &mut Builder) {
        match function.kind() {
            "attribute" => {
                if role != Some(Role::ChainLink) {
                    self.query_chain(call, b);
                }
                self.instance_call(call, function, name, b);
            }
            "identifier" => match name {
                "get_object_or_404" | "get_list_or_404" | "aget_object_or_404" | "aget_list_or_404" => {
                    if let Some(model) = first_argument(call) {
                        let model = self.expr(model, b);
                        self.use_model(model, false, function, "django shortcut", b);
                    }
                }
                "select" | "insert" | "update" | "delete" | "exists"
                    if self.comes_from(name, "sqlalchemy") || self.comes_from(name, "sqlmodel") =>
                {
                    self.statement_on(call, function, name, b);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn use_model(&mut self, model: ExprId, write: bool, at: Node, rule: &str, b: &mut Builder) {
        if model != 0 {
            b.add_table_use(TableTarget::Model(model), write, at, rule);
        }
    }

    /// `select(User)`, `select(User.name)`, `insert(users)`.
    fn statement_on(&mut self, call: Node, at: Node, name: &str, b: &mut Builder) {
        let write = matches!(name, "insert" | "update" | "delete");
        let rule = format!("sqlalchemy {name}");
        let Some(list) = call.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        let models: Vec<Node> = list.named_children(&mut cursor).take(if write { 1 } else { 16 }).collect();
        for model in models {
            self.model_argument(model, write, at, &rule, b);
        }
    }

    /// A model given as an argument, or one of its columns.
    fn model_argument(&mut self, argument: Node, write: bool, at: Node, rule: &str, b: &mut Builder) {
        if !matches!(argument.kind(), "identifier" | "attribute") {
            return;
        }
        let whole = self.expr(argument, b);
        self.use_model(whole, write, at, rule, b);
        if let Some(object) = argument.child_by_field_name("object") {
            let object = self.expr(object, b);
            self.use_model(object, write, at, rule, b);
        }
    }

    /// A chain of calls on a manager or a session; only its outermost call is looked at.
    fn query_chain(&mut self, call: Node, b: &mut Builder) {
        let mut methods: Vec<(Node, &str)> = Vec::new();
        let mut at = call;
        for _ in 0..CHAIN_MAX {
            match at.kind() {
                "call" => {
                    if at.id() != call.id() {
                        self.roles.entry(at.id()).or_insert(Role::ChainLink);
                    }
                    let Some(function) = at.child_by_field_name("function") else { return };
                    if function.kind() != "attribute" {
                        return;
                    }
                    let Some(name) = function.child_by_field_name("attribute") else { return };
                    let text = b.text(name);
                    methods.push((name, text));
                    let Some(object) = function.child_by_field_name("object") else { return };
                    if text == "query" && is_session(b.text(object)) {
                        self.session_query(at, &methods, b);
                        return;
                    }
                    at = object;
                }
                "attribute" => {
                    let (Some(object), Some(name)) =
                        (at.child_by_field_name("object"), at.child_by_field_name("attribute"))
                    else {
                        return;
                    };
                    match b.text(name) {
                        "objects" | "_default_manager" | "_base_manager" | "all_objects" => {
                            let model = self.expr(object, b);
                            self.chained_use(model, &methods, "django manager", b);
                            return;
                        }
                        "query"
                            if self.imports("sqlalchemy")
                                || self.imports("flask_sqlalchemy")
                                || starts_upper(b.text(object)) =>
                        {
                            let model = self.expr(object, b);
                            self.chained_use(model, &methods, "sqlalchemy query", b);
                            return;
                        }
                        _ => at = object,
                    }
                }
                "subscript" => match at.child_by_field_name("value") {
                    Some(value) => at = value,
                    None => return,
                },
                _ => return,
            }
        }
    }

    fn chained_use(&mut self, model: ExprId, methods: &[(Node, &str)], what: &str, b: &mut Builder) {
        let write = methods.iter().find(|(_, name)| MANAGER_WRITES.binary_search(name).is_ok());
        // The innermost call is where the query begins.
        let Some(&(at, name)) = write.or(methods.last()) else { return };
        let rule = format!("{what} {name}");
        self.use_model(model, write.is_some(), at, &rule, b);
    }

    /// `session.query(Model, …)` and what follows.
    fn session_query(&mut self, query: Node, methods: &[(Node, &str)], b: &mut Builder) {
        let write = methods.iter().find(|(_, name)| matches!(*name, "delete" | "update"));
        let Some(&(at, name)) = write.or(methods.last()) else { return };
        let rule = format!("sqlalchemy query {name}");
        let Some(list) = query.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        let models: Vec<Node> = list.named_children(&mut cursor).take(16).collect();
        for model in models {
            self.model_argument(model, write.is_some(), at, &rule, b);
        }
    }

    /// `vote.save()`, `session.add(vote)`, `users.insert()`.
    fn instance_call(&mut self, call: Node, function: Node, name: &str, b: &mut Builder) {
        let (Some(object), Some(at)) =
            (function.child_by_field_name("object"), function.child_by_field_name("attribute"))
        else {
            return;
        };
        let receiver = b.text(object);
        if is_session(receiver) {
            let rule = format!("sqlalchemy session {name}");
            let argument = first_argument(call);
            match (name, argument) {
                ("add" | "delete" | "merge" | "refresh", Some(instance)) => {
                    let instance = self.expr(instance, b);
                    self.use_model(instance, name != "refresh", at, &rule, b);
                }
                ("add_all" | "bulk_save_objects", Some(list)) => {
                    let mut cursor = list.walk();
                    let all: Vec<Node> = list.named_children(&mut cursor).take(16).collect();
                    for instance in all {
                        let instance = self.expr(instance, b);
                        self.use_model(instance, true, at, &rule, b);
                    }
                }
                ("get" | "bulk_insert_mappings" | "bulk_update_mappings", Some(model)) => {
                    self.model_argument(model, name != "get", at, &rule, b);
                }
                _ => {}
            }
            return;
        }
        if matches!(name, "select" | "insert" | "update" | "delete") && self.comes_from(receiver, "sqlalchemy") {
            self.statement_on(call, at, name, b);
            return;
        }
        match name {
            // Whatever the session is called, a model that is made for it is added to it.
            "add" | "merge"
                if (self.imports("sqlalchemy") || self.imports("sqlmodel"))
                    && first_argument(call).is_some_and(|made| made.kind() == "call") =>
            {
                let Some(made) = first_argument(call) else { return };
                let instance = self.expr(made, b);
                let rule = format!("sqlalchemy session {name}");
                self.use_model(instance, true, at, &rule, b);
            }
            "save" | "delete" | "asave" | "adelete" => {
                let instance = self.expr(object, b);
                let rule = format!("django instance {name}");
                self.use_model(instance, true, at, &rule, b);
            }
            "refresh_from_db" | "arefresh_from_db" => {
                let instance = self.expr(object, b);
                self.use_model(instance, false, at, "django instance refresh", b);
            }
            "select" | "insert" | "update" if self.imports("sqlalchemy") && object.kind() == "identifier" => {
                let table = self.expr(object, b);
                let rule = format!("sqlalchemy table {name}");
                self.use_model(table, name != "select", at, &rule, b);
            }
            "select" | "get" | "get_or_none" | "get_by_id" | "create" | "insert" | "insert_many" | "update"
            | "get_or_create" | "bulk_create" | "replace"
                if self.imports("peewee") && starts_upper(receiver) =>
            {
                let model = self.expr(object, b);
                let write = !matches!(name, "select" | "get" | "get_or_none" | "get_by_id");
                let rule = format!("peewee {name}");
                self.use_model(model, write, at, &rule, b);
            }
            _ => {}
        }
    }

    pub(super) fn string(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        if self.in_type(node) {
            if node.start_byte() >= self.literal_until {
                self.forward_reference(node, b);
            }
        } else if role != Some(Role::Prose) {
            let (prefix, text) = string_parts(b.text(node));
            if !prefix.contains(['b', 'B']) {
                self.sql_text(text, node, b);
            }
        }
    }

    pub(super) fn concatenated(&mut self, node: Node, role: Option<Role>, b: &mut Builder) {
        let mut text = String::new();
        self.join(node, &mut text, b);
        if role != Some(Role::Prose) {
            self.sql_text(&text, node, b);
        }
    }

    /// Appends the text of a literal; what is no literal is a hole.
    fn join(&mut self, node: Node, text: &mut String, b: &Builder) {
        match node.kind() {
            "string" => {
                self.roles.insert(node.id(), Role::Prose);
                text.push_str(string_parts(b.text(node)).1);
            }
            "concatenated_string" => {
                self.roles.insert(node.id(), Role::Prose);
                let mut cursor = node.walk();
                for part in node.named_children(&mut cursor).filter(|n| n.kind() == "string") {
                    self.roles.insert(part.id(), Role::Prose);
                    text.push_str(string_parts(b.text(part)).1);
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
        let is_sum = |node: Node| {
            node.kind() == "binary_operator" && node.child_by_field_name("operator").is_some_and(|op| op.kind() == "+")
        };
        let mut parts: Vec<Node> = Vec::new();
        let mut at = node;
        while is_sum(at) {
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
        if !matches!(at.kind(), "string" | "concatenated_string") {
            return;
        }
        let mut text = String::new();
        self.join(at, &mut text, b);
        for part in parts.into_iter().rev() {
            self.join(part, &mut text, b);
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

fn is_session(receiver: &str) -> bool {
    let last = last_name(receiver).trim_end_matches("()");
    last == "session" || last.ends_with("_session") || last == "Session" || last == "db_session"
}

fn starts_upper(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (n, c) in chars.iter().enumerate() {
        let after_lower = n > 0 && chars[n - 1].is_lowercase();
        let before_lower =
            n > 0 && chars.get(n + 1).is_some_and(|next| next.is_lowercase()) && chars[n - 1].is_uppercase();
        if c.is_uppercase() && (after_lower || before_lower) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
