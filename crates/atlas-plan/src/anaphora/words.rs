//! A question taken apart: words, clauses, and the nouns that a pronoun could stand for.
//!
//! No grammar, a few rules of thumb over [`super::lexicon`]. They need to be right about one thing
//! only: whether something in front of a pronoun could be what it stands for.
//! Deliberately *not* here: pronouns.

use super::lexicon::*;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// An identifier, a path, a quotation: code, not language.
    Code,
    /// `DT-n`.
    Question(u32),
    Mark,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    /// In lower case, without a possessive `'s`.
    pub low: String,
    pub kind: Kind,
    /// Bytes of the text.
    pub at: Range<usize>,
    /// Number of the clause that it stands in.
    pub clause: usize,
}

/// Something that a pronoun could stand for.
#[derive(Debug, Clone)]
pub(super) struct Noun {
    /// Tokens; the last is the head.
    pub tokens: Range<usize>,
    pub clause: usize,
    pub singular: bool,
    pub plural: bool,
}

#[derive(Debug)]
pub(super) struct Text {
    pub tokens: Vec<Token>,
    pub nouns: Vec<Noun>,
}

impl Text {
    pub fn of(text: &str) -> Self {
        let mut text = Self { tokens: tokens(text), nouns: Vec::new() };
        text.number_clauses();
        text.find_nouns();
        text
    }

    /// The word at a place, counted from `at`; empty beyond the ends and for marks and code.
    pub fn word(&self, at: usize, offset: isize) -> &str {
        match at.checked_add_signed(offset).and_then(|at| self.tokens.get(at)) {
            Some(token) if token.kind == Kind::Word => &token.low,
            _ => "",
        }
    }

    /// Whether a clause or the whole text ends behind `at`.
    pub fn ends_behind(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_none_or(|next| next.kind == Kind::Mark)
    }

    /// Whether a noun stands in front of `at`, in whatever clause, that fits.
    pub fn noun_before(&self, at: usize, fits: impl Fn(&Noun) -> bool) -> bool {
        self.nouns.iter().any(|noun| noun.tokens.end <= at && fits(noun))
    }

    /// Whether a noun stands in a clause in front of that of `at`, that fits.
    pub fn noun_in_earlier_clause(&self, at: usize, fits: impl Fn(&Noun) -> bool) -> bool {
        self.noun_before(at, |noun| noun.clause < self.tokens[at].clause && fits(noun))
    }

    /// Whether one of these words stands in a clause in front of that of `at`.
    pub fn word_in_earlier_clause(&self, at: usize, words: &[&str]) -> bool {
        let clause = self.tokens[at].clause;
        self.tokens[..at].iter().any(|token| token.clause < clause && words.contains(&token.low.as_str()))
    }

    fn number_clauses(&mut self) {
        let mut clause = 0;
        for at in 0..self.tokens.len() {
            let opens = match self.tokens[at].kind {
                Kind::Mark => true,
                Kind::Word => at > 0 && self.opens_clause(at),
                Kind::Code | Kind::Question(_) => false,
            };
            clause += usize::from(opens);
            self.tokens[at].clause = clause;
        }
    }

    fn opens_clause(&self, at: usize) -> bool {
        let (before, word, next) = (self.word(at, -1), self.word(at, 0), self.word(at, 1));
        if ASKING.contains(&word) {
            return !PREPOSITIONS.contains(&before);
        }
        let pronoun = |word: &str| matches!(word, "it" | "them" | "they" | "those" | "these" | "that" | "this");
        match word {
            "and" | "or" => {
                let second = self.word(at, 2);
                ASKING.contains(&next)
                    || pronoun(next)
                    || AUXILIARIES.contains(&next)
                    || matches!(next, "then" | "also" | "finally" | "later" | "not")
                    || pronoun(second)
                    || DETERMINERS.contains(&second)
                    || (PREPOSITIONS.contains(&second) && pronoun(self.word(at, 3)))
                    || (PREPOSITIONS.contains(&next) && ASKING.contains(&second))
            }
            // A relative clause or a conjunction, unless it points at something or stands alone.
            "that" => {
                let points = PREPOSITIONS.contains(&before) || AUXILIARIES.contains(&before);
                !points && !PARTS.contains(&stem(next)) && !self.ends_behind(at)
            }
            "to" => pronoun(self.word(at, 2)) && base_verb(next).is_some(),
            "by" | "without" | "when" => next.ends_with("ing"),
            _ => SUBORDINATORS.contains(&word),
        }
    }

    fn find_nouns(&mut self) {
        let mut is_noun: Vec<bool> = Vec::with_capacity(self.tokens.len());
        for at in 0..self.tokens.len() {
            let follows_noun = at > 0 && is_noun[at - 1] && self.tokens[at - 1].clause == self.tokens[at].clause;
            is_noun.push(self.is_noun(at, follows_noun));
        }
        let mut at = 0;
        while at < is_noun.len() {
            let clause = self.tokens[at].clause;
            let length = (at..is_noun.len()).take_while(|&i| is_noun[i] && self.tokens[i].clause == clause).count();
            if length > 0 {
                self.push_noun(at..at + length);
            }
            at += length.max(1);
        }
    }

    fn push_noun(&mut self, tokens: Range<usize>) {
        let head = &self.tokens[tokens.end - 1];
        let plural = head.kind == Kind::Word && is_plural(&head.low);
        let either = PLURAL_WITHOUT_S.contains(&head.low.as_str());
        let clause = head.clause;
        // `a and b` is many, and so is `each x` to those who say `they`.
        let joined = self.nouns.last().is_some_and(|last| {
            let between = &self.tokens[last.tokens.end..tokens.start];
            between.iter().any(|token| matches!(token.low.as_str(), "and" | "or" | "," | "&" | "/"))
                && between.iter().all(|token| {
                    matches!(token.low.as_str(), "and" | "or" | "," | "&" | "/")
                        || DETERMINERS.contains(&token.low.as_str())
                })
        });
        let of_many = tokens.start > 0 && matches!(self.word(tokens.start, -1), "each" | "every" | "any");
        self.nouns.push(Noun { tokens, clause, singular: !plural, plural: plural || either || joined || of_many });
    }

    fn is_noun(&self, at: usize, follows_noun: bool) -> bool {
        let token = &self.tokens[at];
        let word = match token.kind {
            Kind::Code => return true,
            Kind::Mark | Kind::Question(_) => return false,
            Kind::Word => token.low.as_str(),
        };
        if NOUNS_AGAINST_THEIR_ENDING.contains(&word) {
            return true;
        }
        // `how is caching done` has it as a subject, `who is caching it` as a verb.
        let inverted = at == 1 || matches!(self.word(at, -2), "how" | "where" | "when" | "why");
        if FUNCTION_WORDS.contains(&word)
            || word.ends_with("ed")
            || word.ends_with("ly")
            || word.bytes().all(|b| b.is_ascii_digit())
            || (BE.contains(&self.word(at, -1))
                && (PARTICIPLES.contains(&word) || (word.ends_with("ing") && !inverted)))
        {
            return false;
        }
        let before = self.word(at, -1);
        if let Some(verb) = base_verb(word) {
            let points = PREPOSITIONS.contains(&self.word(at, -2)) || AUXILIARIES.contains(&self.word(at, -2));
            let subject = matches!(before, "who" | "it" | "they" | "we" | "you" | "to" | "not" | "what")
                || (before == "that" && !points)
                || (AUXILIARIES.contains(&before) && !BE.contains(&before));
            let next = self.word(at, 1);
            let has_object = !self.ends_behind(at)
                && !matches!(next, "and" | "or")
                && !AUXILIARIES.contains(&next)
                && !ASKING.contains(&next)
                && base_verb(next).is_none();
            // `flags read`, `functions write`: many do something, while a compound starts with one.
            let follows_many = follows_noun && is_plural(before) && !is_plural(word);
            let verb_here = at == 0 || subject || follows_many || (follows_noun && has_object);
            return !verb_here
                && (NOUNS_TOO.contains(&verb) || word.ends_with("ing"))
                && !(word.ends_with("ing") && follows_noun);
        }
        !(word.ends_with("ing") && follows_noun)
    }
}

/// A noun without its plural ending.
pub(super) fn stem(word: &str) -> &str {
    if !is_plural(word) {
        return word;
    }
    for ending in ["sses", "xes", "ches", "shes"] {
        if word.ends_with(ending) {
            return &word[..word.len() - 2];
        }
    }
    word.strip_suffix('s').unwrap_or(word)
}

/// Whether two nouns are the same but for number.
pub(super) fn same_noun(a: &str, b: &str) -> bool {
    let y = |word: &str| stem(word).strip_suffix("ie").map_or_else(|| stem(word).to_owned(), |stem| format!("{stem}y"));
    y(a) == y(b)
}

fn is_plural(word: &str) -> bool {
    word.len() > 2
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending))
        && !SINGULAR_IN_S.contains(&word)
}

/// The verb of [`VERBS`] that a word is a form of.
pub(super) fn base_verb(word: &str) -> Option<&'static str> {
    let find = |base: &str| VERBS.iter().copied().find(|verb| *verb == base);
    let without = |ending: &str| word.strip_suffix(ending).filter(|base| base.len() > 1);
    find(word)
        .or_else(|| {
            without("ies").and_then(|base| VERBS.iter().copied().find(|verb| verb.strip_suffix('y') == Some(base)))
        })
        .or_else(|| without("es").and_then(find))
        .or_else(|| without("s").and_then(find))
        .or_else(|| {
            without("ing").and_then(|base| {
                let doubled = base.chars().next_back().and_then(|last| base.strip_suffix(last));
                find(base)
                    .or_else(|| VERBS.iter().copied().find(|verb| verb.strip_suffix('e') == Some(base)))
                    .or_else(|| doubled.and_then(find))
            })
        })
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = 0;
    while let Some(c) = text[rest..].chars().next() {
        let end = rest + c.len_utf8();
        let quotation = match c {
            '`' | '"' => text[end..].find(c).map(|close| end + close + 1),
            '“' => text[end..].find('”').map(|close| end + close + '”'.len_utf8()),
            _ => None,
        };
        let next = if let Some(close) = quotation {
            tokens.push(Token { low: text[rest..close].to_owned(), kind: Kind::Code, at: rest..close, clause: 0 });
            close
        } else if c.is_whitespace() || c == '\'' || c == '’' {
            end
        } else if is_mark(c) {
            tokens.push(Token { low: c.to_string(), kind: Kind::Mark, at: rest..end, clause: 0 });
            end
        } else {
            let chunk = rest..rest + chunk_len(&text[rest..]);
            tokens.push(token_of(text, chunk.clone()));
            chunk.end
        };
        rest = next;
    }
    tokens
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        ',' | ';'
            | ':'
            | '?'
            | '!'
            | '('
            | ')'
            | '—'
            | '–'
            | '…'
            | '.'
            | '`'
            | '"'
            | '“'
            | '”'
            | '['
            | ']'
            | '{'
            | '}'
            | '&'
    )
}

/// Bytes of the word or code at the start of `text`: up to white space or a mark that ends it. Marks
/// inside code (`a.b`, `a::b`, `f()`) belong to it.
fn chunk_len(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let goes_on = next.is_some_and(|next| next.is_alphanumeric() || next == '_');
        let inside = match c {
            _ if c.is_whitespace() => false,
            '.' => goes_on || next == Some('/') || next == Some('*'),
            ':' => goes_on || next == Some(':'),
            '(' => next == Some(')'),
            ')' => text[..at].ends_with('('),
            '[' | ']' | '{' | '}' | '&' => goes_on,
            _ => !is_mark(c),
        };
        if !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    end.max(text.chars().next().map_or(1, char::len_utf8))
}

fn token_of(text: &str, at: Range<usize>) -> Token {
    let raw = &text[at.clone()];
    let bare = ["'s", "’s", "'", "’"].iter().find_map(|ending| raw.strip_suffix(ending)).unwrap_or(raw);
    let low = bare.to_lowercase();
    let number = low.strip_prefix("dt-").or_else(|| low.strip_prefix("dt")).and_then(|digits| digits.parse().ok());
    let kind = if let Some(number) = number {
        Kind::Question(number)
    } else if is_code(bare) {
        Kind::Code
    } else {
        Kind::Word
    };
    Token { low, kind, at, clause: 0 }
}

/// Whether a word is written as no word of the language is: `a_b`, `aB`, `a.b`, `a/b`, `a#b`, `f()`, `v2`.
fn is_code(raw: &str) -> bool {
    let inner_capital = raw.chars().zip(raw.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let has_letter = raw.chars().any(char::is_alphabetic);
    let abbreviation = matches!(raw, "e.g" | "i.e" | "e.g." | "i.e.");
    let and_or = raw.split('/').all(|part| FUNCTION_WORDS.contains(&part));
    inner_capital
        || (raw.contains(['_', '#', '/', '\\', '.', ':', '@', '$', '=', '<', '>', '*', '('])
            && !abbreviation
            && !and_or)
        || (has_letter && raw.chars().any(|c| c.is_ascii_digit()))
}
