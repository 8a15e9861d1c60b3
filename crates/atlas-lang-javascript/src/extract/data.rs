//! Tables that code reads and writes: SQL literals and object-relational mappers.

use super::Js;
use super::grammar::Kind;
use super::web::Decorated;
use atlas_syntax::{Builder, DefIx, Expr, ExprId, TableTarget, line_of, sql};
use tree_sitter::Node;

/// Methods of a Prisma model, with whether they write.
const PRISMA: [(&str, bool); 17] = [
    ("aggregate", false),
    ("count", false),
    ("create", true),
    ("createMany", true),
    ("createManyAndReturn", true),
    ("delete", true),
    ("deleteMany", true),
    ("findFirst", false),
    ("findFirstOrThrow", false),
    ("findMany", false),
    ("findUnique", false),
    ("findUniqueOrThrow", false),
    ("groupBy", false),
    ("update", true),
    ("updateMany", true),
    ("updateManyAndReturn", true),
    ("upsert", true),
];

/// Methods of a model class, a repository or an entity manager, with whether they write.
const MODEL: [(&str, bool); 58] = [
    ("aggregate", false),
    ("bulkCreate", true),
    ("bulkWrite", true),
    ("count", false),
    ("countBy", false),
    ("countDocuments", false),
    ("create", true),
    ("createQueryBuilder", false),
    ("decrement", true),
    ("delete", true),
    ("deleteMany", true),
    ("deleteOne", true),
    ("destroy", true),
    ("distinct", false),
    ("exist", false),
    ("exists", false),
    ("existsBy", false),
    ("find", false),
    ("findAll", false),
    ("findAndCount", false),
    ("findAndCountAll", false),
    ("findAndCountBy", false),
    ("findBy", false),
    ("findById", false),
    ("findByIdAndDelete", true),
    ("findByIdAndRemove", true),
    ("findByIdAndUpdate", true),
    ("findByIds", false),
    ("findByPk", false),
    ("findCreateFind", true),
    ("findOne", false),
    ("findOneAndDelete", true),
    ("findOneAndReplace", true),
    ("findOneAndUpdate", true),
    ("findOneBy", false),
    ("findOneByOrFail", false),
    ("findOneOrFail", false),
    ("findOrBuild", false),
    ("findOrCreate", true),
    ("increment", true),
    ("insert", true),
    ("insertMany", true),
    ("max", false),
    ("min", false),
    ("query", false),
    ("recover", true),
    ("remove", true),
    ("replaceOne", true),
    ("restore", true),
    ("save", true),
    ("softDelete", true),
    ("softRemove", true),
    ("sum", false),
    ("truncate", true),
    ("update", true),
    ("updateMany", true),
    ("updateOne", true),
    ("upsert", true),
];

/// Methods of a query builder that change rows.
const BUILDER_WRITES: [&str; 10] =
    ["decrement", "del", "delete", "increment", "insert", "merge", "truncate", "update", "upsert", "onConflict"];

/// Methods that only a query builder has.
const BUILDER_METHODS: [&str; 22] = [
    "andWhere",
    "count",
    "del",
    "delete",
    "first",
    "groupBy",
    "having",
    "increment",
    "insert",
    "innerJoin",
    "join",
    "leftJoin",
    "limit",
    "offset",
    "orderBy",
    "pluck",
    "returning",
    "select",
    "update",
    "where",
    "whereIn",
    "whereNull",
];

/// Statements start with one of these letters, in whatever case.
const SQL_INITIALS: &[u8] = b"SIUDMRCATWPselecidumratwp(";

impl<'s> Js<'s> {
    /// A string or template that holds SQL.
    pub(super) fn sql_literal(&mut self, node: Node, b: &mut Builder) {
        if self.consumed.remove(&node.id()) {
            return;
        }
        let text = self.literal(node);
        let Some(inner) = text.get(1..text.len().saturating_sub(1)) else { return };
        self.sql_text(node, inner, b);
    }

    fn sql_text(&mut self, node: Node, text: &str, b: &mut Builder) {
        let start = text.trim_start();
        if start.len() < 10 || !start.as_bytes().first().is_some_and(|first| SQL_INITIALS.contains(first)) {
            return;
        }
        for table in sql::tables(text) {
            let name = b.sym(&table.name);
            b.add_table_use(TableTarget::Name(name), table.write, node, "sql literal");
        }
    }

    /// `'SELECT … ' + 'FROM …'`: one text.
    pub(super) fn enter_binary(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        if self.consumed.remove(&node.id()) {
            return;
        }
        let mut parts: Vec<Node> = Vec::new();
        let mut at = node;
        for _ in 0..256 {
            let is_sum = self.kind(at) == Kind::Binary
                && self.field(at, f.operator).is_some_and(|operator| self.text(operator) == "+");
            if !is_sum {
                break;
            }
            let (Some(left), Some(right)) = (self.field(at, f.left), self.field(at, f.right)) else { return };
            parts.push(right);
            at = left;
        }
        if parts.is_empty() {
            return;
        }
        parts.push(at);
        parts.reverse();
        // Inner sums are parts of this one.
        let mut inner = self.field(node, f.left);
        while let Some(sum) = inner.filter(|&sum| self.kind(sum) == Kind::Binary) {
            self.consume(sum);
            inner = self.field(sum, f.left);
        }
        if self.string(parts[0]).is_none() && self.kind(parts[0]) != Kind::TemplateString {
            return;
        }
        let mut text = String::new();
        for &part in &parts {
            match self.kind(part) {
                Kind::String | Kind::TemplateString => {
                    let raw = self.literal(part);
                    text.push_str(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default());
                    self.consume(part);
                }
                _ => text.push_str("${}"),
            }
        }
        self.sql_text(parts[0], &text, b);
    }

    /// A call that reads or writes a table.
    pub(super) fn call_data(&mut self, node: Node, callee: Node, list: &[Node], b: &mut Builder) {
        let f = &self.g.fields;
        match self.kind(callee) {
            Kind::Member => {
                let (Some(object), Some(property)) = (self.field(callee, f.object), self.field(callee, f.property))
                else {
                    return;
                };
                let method = self.text(property);
                if self.prisma_call(object, property, method, b) || self.define_model(node, method, list, b) {
                    return;
                }
                self.model_call(object, property, method, list, b);
                self.builder_call(node, callee, b);
            }
            Kind::Identifier => {
                let name = self.text(callee);
                if self.hints_of_roots.drizzle && matches!(name, "pgTable" | "mysqlTable" | "sqliteTable") {
                    self.declare_table(node, list, "drizzle table", b);
                } else if self.hints_of_roots.mongoose && name == "model" {
                    self.define_model(node, "model", list, b);
                }
                self.builder_call(node, callee, b);
            }
            _ => {}
        }
    }

    /// `prisma.user.create(…)`.
    fn prisma_call(&mut self, object: Node, property: Node, method: &str, b: &mut Builder) -> bool {
        let Ok(at) = PRISMA.binary_search_by_key(&method, |(name, _)| name) else { return false };
        let Some(path) = self.dotted(object) else { return false };
        let [.., client, model] = path.as_slice() else { return false };
        let lower = client.to_ascii_lowercase();
        let named = lower.contains("prisma");
        let short =
            self.hints_of_roots.prisma && matches!(lower.as_str(), "tx" | "db" | "client" | "trx" | "transaction");
        if !(named || short) || model.starts_with('$') {
            return false;
        }
        let table = b.sym(model);
        b.add_table_use(TableTarget::Name(table), PRISMA[at].1, property, "prisma client call");
        true
    }

    /// `User.findAll()`, `this.users.save(user)`, `manager.save(User, …)`.
    fn model_call(&mut self, object: Node, property: Node, method: &str, list: &[Node], b: &mut Builder) {
        let Ok(at) = MODEL.binary_search_by_key(&method, |(name, _)| name) else { return };
        let write = MODEL[at].1;
        let hints = &self.hints_of_roots;
        let known = hints.typeorm || hints.sequelize || hints.mongoose;
        let object = self.unwrap(object);
        let f = &self.g.fields;
        let starts_upper = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
        // `getRepository(User).find()`
        if self.kind(object) == Kind::Call {
            let function = self.field(object, f.function);
            if function.is_some_and(|function| self.last_name(function) == "getRepository") {
                let arg = self.field(object, f.arguments).and_then(|args| self.first(args));
                if let Some(arg) = arg {
                    let model = self.expr(arg, b);
                    self.use_model(model, write, property, "typeorm repository call", b);
                }
            }
            return;
        }
        let Some(path) = self.dotted(object) else { return };
        let last = path.last().copied().unwrap_or_default();
        let lower = last.to_ascii_lowercase();
        if starts_upper(last) {
            let model = self.expr(object, b);
            self.use_model(model, write, property, "model class call", b);
        } else if lower.ends_with("manager") || lower == "em" {
            let arg = list.first().filter(|&&arg| starts_upper(self.text(arg)));
            if let (Some(&arg), true) = (arg, known) {
                let model = self.expr(arg, b);
                self.use_model(model, write, property, "typeorm manager call", b);
            }
        } else if lower.contains("repo") || (known && lower.ends_with("model")) {
            // A repository's element is its entity.
            let base = self.expr(object, b);
            if base != 0 {
                let model = b.expr(Expr::Element(base));
                self.use_model(model, write, property, "typeorm repository call", b);
            }
        } else if known && matches!(method, "save" | "remove" | "softRemove" | "destroy" | "update" | "restore") {
            let model = self.expr(object, b);
            self.use_model(model, true, property, "model instance call", b);
        }
    }

    fn use_model(&mut self, model: ExprId, write: bool, at: Node, rule: &str, b: &mut Builder) {
        if model != 0 {
            b.add_table_use(TableTarget::Model(model), write, at, rule);
        }
    }

    /// `sequelize.define('user', …)`, `mongoose.model('User', schema)`, `User.init({…}, {tableName})`.
    fn define_model(&mut self, node: Node, method: &str, list: &[Node], b: &mut Builder) -> bool {
        match method {
            "define" if self.hints_of_roots.sequelize && list.len() >= 2 => {
                self.declare_table(node, list, "sequelize define", b);
                true
            }
            "model" if self.hints_of_roots.mongoose && list.len() >= 2 => {
                self.declare_table(node, list, "mongoose model", b);
                true
            }
            _ => false,
        }
    }

    /// The variable that the call's value goes to is the table's model.
    fn declare_table(&mut self, node: Node, list: &[Node], rule: &'static str, b: &mut Builder) {
        let Some(name) = list.first().and_then(|&first| self.string(first)) else { return };
        let given = list.get(2).and_then(|&options| self.option(options, "tableName"));
        let table = match (rule, given) {
            (_, Some(given)) => given.to_owned(),
            ("drizzle table", None) => name.to_owned(),
            ("mongoose model", None) => plural(&name.to_lowercase()),
            _ => plural(name),
        };
        let model = self.models.get(&node.id()).copied();
        b.add_table_def(&table, model, line_of(node), rule);
    }

    pub(super) fn option(&self, object: Node, wanted: &str) -> Option<&'s str> {
        let f = &self.g.fields;
        let object = self.unwrap(object);
        if self.kind(object) != Kind::Object {
            return None;
        }
        self.children(object).into_iter().find_map(|pair| {
            let key = self.field(pair, f.key)?;
            if self.key(key) != wanted {
                return None;
            }
            self.string(self.field(pair, f.value)?)
        })
    }

    /// Whether a value is a model: the variable that holds it stands for the table.
    pub(super) fn is_model(&self, value: Node) -> bool {
        if self.kind(value) != Kind::Call {
            return false;
        }
        let Some(function) = self.field(value, self.g.fields.function) else { return false };
        let hints = &self.hints_of_roots;
        match self.last_name(self.unwrap(function)) {
            "define" => hints.sequelize,
            "model" => hints.mongoose,
            "pgTable" | "mysqlTable" | "sqliteTable" => hints.drizzle,
            _ => false,
        }
    }

    /// `@Entity('users') class User`.
    pub(super) fn entity(&mut self, ix: DefIx, decorators: &[Decorated<'s>], b: &mut Builder) {
        for decorator in decorators {
            let rule = match decorator.name {
                "Entity" if self.hints_of_roots.typeorm => "typeorm entity",
                "Table" if self.hints_of_roots.sequelize => "sequelize table decorator",
                "Schema" if self.hints_of_roots.mongoose => "mongoose schema decorator",
                _ => continue,
            };
            let class = b.facts().str(b.facts().def(ix).name).to_owned();
            let table = match (decorator.arg, rule) {
                (Some(name), _) => name.to_owned(),
                (None, "typeorm entity") => snake(&class),
                (None, _) => plural(&class),
            };
            b.add_table_def(&table, Some(ix), decorator.line, rule);
        }
    }

    /// `knex('users').where(…).update(…)`, `db.insert(users).values(…)`: the whole chain at once.
    fn builder_call(&mut self, node: Node, callee: Node, b: &mut Builder) {
        if !self.has_builders {
            return;
        }
        if self.chained.remove(&node.id()) {
            self.mark_chain(callee);
            return;
        }
        let f = &self.g.fields;
        self.mark_chain(callee);
        let (mut write, mut builder, mut from) = (false, false, None);
        let mut at = node;
        for _ in 0..256 {
            if self.kind(at) != Kind::Call {
                break;
            }
            let Some(function) = self.field(at, f.function) else { break };
            let first = self.field(at, f.arguments).and_then(|args| self.first(args));
            match self.kind(function) {
                Kind::Member => {
                    let (Some(object), Some(property)) =
                        (self.field(function, f.object), self.field(function, f.property))
                    else {
                        break;
                    };
                    let name = self.text(property);
                    write |= BUILDER_WRITES.contains(&name);
                    builder |= BUILDER_METHODS.binary_search(&name).is_ok();
                    let is_source = matches!(name, "from" | "into" | "table" | "insert" | "update" | "delete");
                    if let (true, Some(first)) = (is_source, first)
                        && (matches!(self.kind(first), Kind::String)
                            || (self.hints_of_roots.drizzle && self.kind(first) == Kind::Identifier))
                    {
                        from = Some((first, property));
                    }
                    if let (true, Some(text)) =
                        (matches!(name, "join" | "innerJoin" | "leftJoin"), first.and_then(|first| self.string(first)))
                        && self.hints_of_roots.knex
                    {
                        let table = b.sym(table_name(text));
                        b.add_table_use(TableTarget::Name(table), false, property, "knex query");
                    }
                    at = object;
                }
                Kind::Identifier => {
                    let name = self.text(function).to_ascii_lowercase();
                    let named = name.contains("knex")
                        || (self.hints_of_roots.knex && matches!(name.as_str(), "db" | "trx" | "tx" | "database"));
                    if let (true, true, Some(first)) = (named, builder || node.id() != at.id(), first)
                        && self.string(first).is_some()
                    {
                        from = Some((first, function));
                    }
                    break;
                }
                _ => break,
            }
        }
        let Some((first, place)) = from else { return };
        match self.string(first) {
            Some(text) if builder || write => {
                let knex = self.hints_of_roots.knex || self.text(at).to_ascii_lowercase().contains("knex");
                if knex {
                    let table = b.sym(table_name(text));
                    b.add_table_use(TableTarget::Name(table), write, place, "knex query");
                }
            }
            None if self.kind(first) == Kind::Identifier && self.hints_of_roots.drizzle => {
                let model = self.expr(first, b);
                self.use_model(model, write, place, "drizzle query", b);
            }
            _ => {}
        }
    }

    /// The inner calls of a chain are parts of it.
    fn mark_chain(&mut self, callee: Node) {
        let object = self.field(callee, self.g.fields.object);
        if let Some(object) = object.filter(|&object| self.kind(object) == Kind::Call) {
            self.chained.insert(object.id());
        }
    }
}

/// `users as u` names `users`.
fn table_name(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or(text)
}

/// The plural that mappers make of a model's name.
fn plural(name: &str) -> String {
    let lower = name.to_owned();
    if let Some(stem) = lower.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'i', 'o', 'u'])
    {
        return format!("{stem}ies");
    }
    if lower.ends_with(['s', 'x', 'z']) || lower.ends_with("ch") || lower.ends_with("sh") {
        return if lower.ends_with('s') && !lower.ends_with("ss") { lower } else { format!("{lower}es") };
    }
    format!("{lower}s")
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
