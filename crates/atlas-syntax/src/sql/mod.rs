//! Tables that an SQL text reads and writes (contract §8, `readers_of` and `writers_to`).
//!
//! A reader of statements, not a parser: it follows parentheses and the few keywords after which a
//! table stands, in any dialect, and refuses what only looks like SQL, above all English prose.
//! It takes text out of string literals, so holes (`%s`, `{name}`) may stand anywhere and the end
//! may be missing. Columns, types and functions are deliberately not read. Time is linear.

mod lex;
mod prose;
mod words;

use lex::{Kind, Lexer, Token, unquote};
use prose::Prose;
use rustc_hash::FxHashMap;
use words::{GRAMMAR, OPENERS, RESERVED, among};

/// A table that a text names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SqlTable {
    /// As written, without quotes, schema included: `audit_log`, `public.audit_log`.
    pub name: String,
    /// Rows or the table itself are changed; else it is read.
    pub write: bool,
}

/// Tables of the statements in `text`, each name and use once, in order of first appearance.
///
/// Names of common table expressions are none, nor are functions in a `FROM` clause and names that
/// are partly filled in at run time. Empty unless the text as a whole starts like SQL.
#[must_use]
pub fn tables(text: &str) -> Vec<SqlTable> {
    if !starts_like_sql(text) {
        return Vec::new();
    }
    let tokens: Vec<Token> = Lexer::new(text).collect();
    let mut found: Vec<SqlTable> = Vec::new();
    let mut seen: FxHashMap<(String, bool), ()> = FxHashMap::default();
    for (n, statement) in tokens.split(|token| token.kind == Kind::Punct(b';')).enumerate() {
        let mut reader = Reader::new(text, statement);
        reader.read();
        if n == 0 && reader.refused() {
            return Vec::new();
        }
        for table in reader.into_tables() {
            if seen.insert((table.name.clone(), table.write), ()).is_none() {
                found.push(table);
            }
        }
    }
    found
}

fn starts_like_sql(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let first = lexer.find(|token| token.kind != Kind::Punct(b'('));
    first.is_some_and(|token| {
        let word = &text[token.start..token.end];
        token.kind == Kind::Word && among(OPENERS, word)
    })
}

/// What is going on between two parentheses.
#[derive(Debug, Clone, Copy, Default)]
struct Frame {
    /// It holds a query or another statement, so that its `FROM` names tables.
    query: bool,
    /// Inside its `FROM` clause, where a comma is followed by a table.
    listing: bool,
    /// A table stands next, and whether it is written.
    expects: Option<bool>,
    /// The body of this common table expression.
    body_of: Option<usize>,
}

struct Cte {
    name: String,
    /// Token from which its name hides tables.
    visible_from: usize,
    recursive: bool,
}

struct Use {
    table: SqlTable,
    at: usize,
    qualified: bool,
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    frames: Vec<Frame>,
    uses: Vec<Use>,
    ctes: Vec<Cte>,
    /// Lower-case alias to the table that it stands for.
    aliases: FxHashMap<String, String>,
    recursive: bool,
    prose: Prose,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            frames: vec![Frame::default()],
            uses: Vec::new(),
            ctes: Vec::new(),
            aliases: FxHashMap::default(),
            recursive: false,
            prose: Prose::default(),
        }
    }

    fn into_tables(self) -> Vec<SqlTable> {
        if self.refused() {
            return Vec::new();
        }
        let mut hidden: FxHashMap<String, usize> = FxHashMap::default();
        for cte in self.ctes {
            let from = hidden.entry(cte.name).or_insert(cte.visible_from);
            *from = (*from).min(cte.visible_from);
        }
        let mut tables = Vec::new();
        for mut one in self.uses {
            if !one.qualified {
                let lower = one.table.name.to_lowercase();
                if hidden.get(&lower).is_some_and(|&from| one.at > from) {
                    continue;
                }
                // `UPDATE u SET … FROM users u` writes `users`.
                if one.table.write
                    && let Some(table) = self.aliases.get(&lower)
                {
                    one.table.name.clone_from(table);
                }
            }
            tables.push(one.table);
        }
        tables
    }

    fn word(&self, at: usize) -> &'t str {
        match self.tokens.get(at) {
            Some(token) if token.kind == Kind::Word => &self.text[token.start..token.end],
            _ => "",
        }
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at).eq_ignore_ascii_case(word)
    }

    fn before(&self, word: &str) -> bool {
        self.at > 0 && self.is(self.at - 1, word)
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        self.frames.last_mut().expect("one was pushed")
    }

    fn expect(&mut self, write: bool) {
        let frame = self.frame();
        frame.query = true;
        frame.expects = Some(write);
    }

    /// Steps over `words` in any order, as `ONLY`, `IF NOT EXISTS`.
    fn pass(&mut self, words: &str) {
        while among(words, self.word(self.at)) {
            self.at += 1;
        }
    }

    fn read(&mut self) {
        self.judge_words();
        while self.at < self.tokens.len() {
            let at = self.at;
            let expected = self.frame().expects.is_some();
            match self.tokens[at].kind {
                Kind::Punct(b'(') => self.open(),
                Kind::Punct(b')') => self.shut(),
                Kind::Punct(b',') => {
                    let frame = self.frame();
                    if frame.listing && frame.expects.is_none() {
                        frame.expects = Some(false);
                    }
                    self.at += 1;
                }
                Kind::Quoted | Kind::Hole if expected => self.table(),
                Kind::Word => self.read_word(),
                _ => self.at += 1,
            }
            debug_assert!(self.at > at, "every token is consumed");
        }
        while !self.frames.is_empty() {
            self.shut_frame();
        }
    }

    fn open(&mut self) {
        let expects = self.frame().expects.take();
        let body_of = self.opens_cte();
        let frame = Frame { query: expects.is_some(), listing: expects.is_some(), expects, body_of };
        self.frames.push(frame);
        self.at += 1;
    }

    fn shut(&mut self) {
        self.shut_frame();
        self.at += 1;
    }

    fn shut_frame(&mut self) {
        if let Some(frame) = self.frames.pop()
            && let Some(cte) = frame.body_of
            && !self.ctes[cte].recursive
        {
            self.ctes[cte].visible_from = self.at;
        }
    }

    /// `WITH name (columns) AS [NOT MATERIALIZED] (`: the parenthesis here opens the body.
    fn opens_cte(&mut self) -> Option<usize> {
        let mut back = self.at.checked_sub(1)?;
        if self.is(back, "materialized") {
            back = back.checked_sub(1)?;
            if self.is(back, "not") {
                back = back.checked_sub(1)?;
            }
        }
        if !self.is(back, "as") {
            return None;
        }
        back = back.checked_sub(1)?;
        if self.kind(back) == Some(Kind::Punct(b')')) {
            while self.kind(back)? != Kind::Punct(b'(') {
                back = back.checked_sub(1)?;
            }
            back = back.checked_sub(1)?;
        }
        let lead = back.checked_sub(1)?;
        let leads = self.is(lead, "with") || self.is(lead, "recursive") || self.kind(lead) == Some(Kind::Punct(b','));
        let name = self.name_at(back)?;
        if !leads {
            return None;
        }
        self.prose.sign = true;
        self.prose.whole = true;
        let recursive = self.recursive;
        self.ctes.push(Cte { name: name.to_lowercase(), visible_from: self.at, recursive });
        Some(self.ctes.len() - 1)
    }

    fn name_at(&self, at: usize) -> Option<String> {
        let token = self.tokens.get(at)?;
        let text = &self.text[token.start..token.end];
        match token.kind {
            Kind::Word => Some(text.to_owned()),
            Kind::Quoted => Some(unquote(text)),
            _ => None,
        }
    }

    fn read_word(&mut self) {
        if self.frame().expects.is_some() && self.table_stands_here() {
            self.table();
            return;
        }
        let word = self.word(self.at).to_ascii_lowercase();
        match word.as_str() {
            "recursive" => self.recursive |= self.before("with"),
            "select" => {
                *self.frame() = Frame { query: true, body_of: self.frame().body_of, ..Frame::default() };
            }
            "union" => {
                // A body that joins itself to something may name itself: recursion without the word.
                if let Some(cte) = self.frame().body_of {
                    self.ctes[cte].recursive = true;
                }
                self.frame().listing = false;
            }
            "from" if self.frame().query && !self.distinct_from() => {
                let frame = self.frame();
                frame.listing = true;
                frame.expects = Some(false);
                self.prose.whole = true;
            }
            "join" | "straight_join" | "apply" if self.frame().query => self.frame().expects = Some(false),
            "using" if self.frame().query && self.kind(self.at + 1) != Some(Kind::Punct(b'(')) => {
                self.frame().expects = Some(false);
                self.frame().listing = true;
                self.prose.whole = true;
            }
            "where" | "group" | "order" | "having" | "limit" | "returning" | "window" | "intersect" | "except"
            | "offset" | "qualify" | "fetch" | "for" | "when" => {
                self.frame().listing = false;
                self.frame().expects = None;
            }
            "set" => {
                self.frame().listing = false;
                self.frame().expects = None;
                self.prose.whole |= self.sets_something();
            }
            "only" | "lateral" | "table" => {}
            "insert" | "replace" => return self.insert(),
            "update" => return self.update(),
            "delete" => return self.delete(),
            "merge" if self.leads_statement() => {
                self.at += 1;
                self.pass("into");
                self.expect(true);
                return;
            }
            "truncate" if self.leads_statement() => return self.truncate(),
            "create" | "alter" | "drop" if self.leads_statement() => return self.define(),
            _ => self.frame().expects = None,
        }
        self.at += 1;
    }

    /// Whether the word here can be the table that is expected.
    fn table_stands_here(&self) -> bool {
        let word = self.word(self.at);
        // HQL has entities such as `Order` and `Group`.
        let entity = among("order group", word) && !self.is(self.at + 1, "by");
        entity || !among(RESERVED, word) && !among("with of", word)
    }

    fn distinct_from(&self) -> bool {
        self.before("distinct") && self.at > 1 && (self.is(self.at - 2, "is") || self.is(self.at - 2, "not"))
    }

    /// Whether a verb here begins a statement, be it inside a procedure.
    fn leads_statement(&self) -> bool {
        let Some(before) = self.at.checked_sub(1) else { return true };
        match self.tokens[before].kind {
            Kind::Punct(b'(' | b')' | b'}') | Kind::Hole => true,
            Kind::Word => among("begin then else loop as do explain analyze plan instead row is", self.word(before)),
            _ => false,
        }
    }

    /// `SET x = …`, or nothing more because the text ends or is filled in.
    fn sets_something(&self) -> bool {
        let mut next = self.at + 1;
        match self.kind(next) {
            None => return self.prose.verb_upper,
            Some(Kind::Hole | Kind::Punct(_)) => return true,
            _ => {}
        }
        next = self.after_name(next);
        matches!(self.kind(next), Some(Kind::Punct(b'=' | b'[' | b':')))
    }

    fn insert(&mut self) {
        let leads = self.leads_statement();
        self.at += 1;
        if !leads {
            return;
        }
        let modifiers = "low_priority delayed high_priority ignore or replace abort rollback fail";
        self.pass(modifiers);
        if among("into overwrite", self.word(self.at)) {
            self.pass("into overwrite table");
            self.expect(true);
            self.prose.whole |= match self.kind(self.after_name(self.at)) {
                None => self.prose.verb_upper,
                Some(Kind::Word) => {
                    let goes_on = "values value select default set with table overriding as partition";
                    among(goes_on, self.word(self.after_name(self.at)))
                }
                _ => true,
            };
        }
    }

    /// The token after a qualified name.
    fn after_name(&self, at: usize) -> usize {
        let mut next = at + 1;
        while self.kind(next) == Some(Kind::Punct(b'.')) {
            next += 2;
        }
        next
    }

    fn update(&mut self) {
        let leads = self.leads_statement();
        self.at += 1;
        if !leads {
            return;
        }
        self.pass("low_priority ignore or replace rollback abort fail only");
        if !self.is(self.at, "set") {
            self.expect(true);
            self.frame().listing = true;
        }
    }

    fn delete(&mut self) {
        let leads = self.leads_statement();
        self.at += 1;
        if !leads {
            return;
        }
        self.pass("low_priority quick ignore");
        if self.is(self.at, "from") {
            self.at += 1;
            self.pass("only");
            self.expect(true);
            self.prose.whole |= self.ends_or_goes_on(self.at);
        } else if !self.is(self.at, "when") && !self.word(self.at).is_empty() {
            // `DELETE u FROM users u`, and Oracle's `DELETE users`.
            self.expect(true);
            self.prose.whole |= self.prose.verb_upper;
        }
    }

    /// Whether the table at `at` is followed by something that a deletion may go on with.
    fn ends_or_goes_on(&self, at: usize) -> bool {
        let at = self.after_name(at);
        match self.kind(at) {
            None => true,
            Some(Kind::Word) => {
                let goes_on = "where using returning as order limit with output inner left";
                let word = self.word(at);
                among(goes_on, word) || among(goes_on, self.word(at + 1)) || self.kind(at + 1).is_none()
            }
            _ => true,
        }
    }

    fn truncate(&mut self) {
        self.at += 1;
        let table = self.is(self.at, "table");
        self.pass("table only");
        if table || self.prose.verb_upper {
            self.expect(true);
            let next = self.word(self.at + 1);
            let ends = next.is_empty() || among("cascade restart continue restrict reuse", next);
            self.prose.whole |= ends && !self.word(self.at).is_empty() || self.kind(self.at) == Some(Kind::Quoted);
        }
    }

    /// `CREATE`, `ALTER` or `DROP` of a table or view.
    fn define(&mut self) {
        let create = self.is(self.at, "create");
        let drop = self.is(self.at, "drop");
        self.at += 1;
        let modifiers = "or replace global local temp temporary unlogged external virtual materialized recursive foreign transient force";
        self.pass(modifiers);
        if !among("table view", self.word(self.at)) {
            self.prose.whole = true;
            return;
        }
        self.at += 1;
        self.pass("if not exists only");
        self.expect(true);
        let next = self.after_name(self.at);
        self.prose.whole |= match self.kind(next) {
            None => self.kind(self.at).is_some() && (self.prose.verb_upper || drop),
            Some(Kind::Word) => {
                let alters = "add alter attach change disable drop enable engine modify owner rename replica set validate convert detach inherit cluster";
                let word = self.word(next);
                let makes = "as like using partition cascade on with restrict purge";
                among(alters, word) && !create || among(makes, word)
            }
            _ => true,
        };
    }

    /// Records the table that stands here, with what may follow it.
    fn table(&mut self) {
        let write = self.frame().expects.take().unwrap_or(false);
        let first = self.at;
        let mut parts: Vec<String> = Vec::new();
        // Parts that a hole fills: `{schema}.users` has a known table, `users_{year}` has none.
        let mut known = true;
        let mut end = self.tokens[first].start;
        while let Some(token) = self.tokens.get(self.at).copied() {
            match token.kind {
                Kind::Punct(b'.') if token.start == end => {
                    if !known {
                        parts.clear();
                        known = true;
                    }
                }
                Kind::Word | Kind::Quoted | Kind::Number | Kind::Hole if token.start == end => {
                    match self.name_at(self.at) {
                        Some(part) if known && !part.contains(['{', '%', '$', '?']) => parts.push(part),
                        _ => known = false,
                    }
                }
                _ => break,
            }
            end = token.end;
            self.at += 1;
        }
        if self.at == first {
            self.at += 1;
            return;
        }
        let called = self.kind(self.at) == Some(Kind::Punct(b'('));
        let name = parts.join(".");
        if !known || name.is_empty() || called && !write || self.frame_is_noise(&name) {
            self.alias(None);
            return;
        }
        self.prose.sign |= parts.len() > 1 || name.contains('_');
        self.alias(Some(&name));
        self.uses.push(Use { table: SqlTable { name, write }, at: first, qualified: parts.len() > 1 });
    }

    /// Words after `FROM` that stand for no stored rows.
    fn frame_is_noise(&self, name: &str) -> bool {
        among("dual unnest stdin stdout", name) || name.starts_with('#')
    }

    fn alias(&mut self, table: Option<&str>) {
        self.pass("as");
        let word = self.word(self.at);
        let is_alias = match self.kind(self.at) {
            Some(Kind::Word) => !among(RESERVED, word) && !among("with window apply", word),
            Some(Kind::Quoted) => true,
            _ => false,
        };
        if !is_alias {
            return;
        }
        if let (Some(table), Some(alias)) = (table, self.name_at(self.at)) {
            self.aliases.insert(alias.to_lowercase(), table.to_owned());
        }
        self.at += 1;
    }

    fn keyword(&self, at: usize) -> bool {
        among(RESERVED, self.word(at)) || among(GRAMMAR, self.word(at))
    }
}

#[cfg(test)]
mod tests;
