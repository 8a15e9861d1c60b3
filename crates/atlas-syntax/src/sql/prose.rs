//! Tells SQL from prose that begins like it: "select the best from our menu".

use super::Reader;
use super::lex::{Kind, Token};
use super::words::{ENGLISH, NOUNS, among};

/// Signs for and against prose.
#[derive(Debug, Default)]
pub(super) struct Prose {
    /// The verb's letters; neither: `Select a file`.
    pub verb_upper: bool,
    pub verb_lower: bool,
    /// Something that prose hardly has: a qualified or quoted name, an underscore, `LIMIT 5`.
    pub sign: bool,
    /// A hole to be filled in.
    pub hole: bool,
    /// `*`, `=`, `<`, `>`.
    pub operator: bool,
    /// An article, a pronoun, or a run of words that no grammar explains.
    pub english: bool,
    /// Such a word where a table must stand.
    pub barred: bool,
    /// The statement has the parts that its verb demands.
    pub whole: bool,
}

impl Reader<'_> {
    pub(super) fn refused(&self) -> bool {
        let prose = &self.prose;
        if self.uses.is_empty() {
            // Statements without a table, such as `BEGIN`, are let through: others may follow them.
            return prose.english && !prose.operator;
        }
        let mixed = !prose.verb_upper && !prose.verb_lower;
        let quiet = !(prose.sign || prose.hole || prose.operator);
        let noun = quiet && prose.verb_lower && self.uses.iter().any(|one| among(NOUNS, &one.table.name));
        prose.barred
            || !prose.whole
            || prose.english && (mixed || !prose.operator && !prose.hole)
            || mixed && !prose.operator
            || noun
    }

    /// Looks once over the statement for what tells prose from SQL.
    pub(super) fn judge_words(&mut self) {
        let Some(verb) = (0..self.tokens.len()).map(|at| self.word(at)).find(|word| !word.is_empty()) else { return };
        self.prose.verb_upper = verb.bytes().all(|b| b.is_ascii_uppercase());
        self.prose.verb_lower = verb.bytes().all(|b| b.is_ascii_lowercase());
        // These name no rows themselves; a query that seems to follow them is a sentence.
        self.prose.barred |= among("use start lock pragma", verb);
        let defines = among("create alter drop", verb);
        let (mut run, mut end) = (0, 0);
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let adjacent = token.start == end && at > 0;
            end = token.end;
            let word = self.word(at);
            if word.is_empty() {
                run = 0;
                self.judge_sign(token, at, adjacent);
                continue;
            }
            let keyword = self.keyword(at);
            run = if keyword || at == 0 || word.contains('_') { 0 } else { run + 1 };
            let shouted = self.prose.verb_upper && word.bytes().all(|b| b.is_ascii_uppercase());
            // `a` is a fine column or alias; prose has a noun after it.
            let article = if word == "a" {
                run == 1 && self.kind(at + 1) == Some(Kind::Word) && !self.keyword(at + 1)
            } else {
                word.len() > 1 && among(ENGLISH, word)
            };
            self.prose.english |= !defines && (run > 2 || article && !shouted);
            let place = at > 0 && among("from join into update table view", self.word(at - 1));
            self.prose.barred |= place && word.len() > 1 && among(ENGLISH, word);
            self.prose.sign |= word.contains('_') && !word.starts_with('_')
                || among("limit offset", word) && self.kind(at + 1) == Some(Kind::Number)
                || among("order group", word) && self.is(at + 1, "by");
        }
    }

    fn judge_sign(&mut self, token: Token, at: usize, adjacent: bool) {
        match token.kind {
            Kind::Punct(b'=' | b'<' | b'>' | b'*') => self.prose.operator = true,
            Kind::Hole => self.prose.hole = true,
            // `a.b`, not the end of a sentence.
            Kind::Punct(b'.') => {
                self.prose.sign |= adjacent && self.tokens.get(at + 1).is_some_and(|next| next.start == token.end);
            }
            // `f(x)`, not a remark, nor `file(s)`.
            Kind::Punct(b'(') => {
                self.prose.sign |= adjacent && !self.word(at.saturating_sub(1)).is_empty() && !self.is(at + 1, "s");
            }
            Kind::Quoted => self.prose.sign |= self.text.as_bytes()[token.start] != b'"',
            _ => {}
        }
    }
}
