//! Which pairs of claims are worth comparing by words at all (contract §10.4).
//!
//! Taking a claim apart costs tens of microseconds, and a group of findings has many pairs. Every rule
//! needs something that can be seen word by word: a denial, an opposite, a number, a value. A pair
//! without any of it cannot conflict and is passed over. What is deliberately *not* here: any verdict.

use super::lexicon::{Sense, lexicon};
use super::quantity::{number_word, unit};
use super::stem::stem;
use super::unit::negated_stem;
use rustc_hash::FxHashMap;

/// What the words of one claim may give rise to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    marks: u16,
    /// Sides of pairs of opposites, each once, ascending.
    senses: Vec<Sense>,
}

const DENIES: u16 = 1;
const SETS_APART: u16 = 1 << 1;
const COUNTS: u16 = 1 << 2;
const ORDERS: u16 = 1 << 3;
const HAS_VALUE: u16 = 1 << 4;
const IS_ONE_VALUED: u16 = 1 << 5;
const RAISES: u16 = 1 << 6;
const RETURNS: u16 = 1 << 7;

/// Hints of single words, so that each word is looked at once.
#[derive(Debug, Default)]
pub struct WordHints(FxHashMap<String, WordHint>);

#[derive(Debug)]
struct WordHint {
    marks: u16,
    stem: String,
    senses: &'static [(Option<String>, Sense)],
    values: &'static [Option<String>],
}

impl WordHints {
    /// The hints of a claim.
    pub fn of(&mut self, claim: &str) -> Hints {
        let written = || claim.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        for word in written().filter(|word| !self.0.contains_key(*word)).collect::<Vec<_>>() {
            self.0.insert(word.to_owned(), WordHint::of(word));
        }
        let words: Vec<&WordHint> = written().filter_map(|word| self.0.get(word)).collect();
        let mut out = Hints::default();
        for word in &words {
            out.marks |= word.marks;
            let whole =
                |next: &Option<String>| next.as_ref().is_none_or(|next| words.iter().any(|word| word.stem == *next));
            out.marks |= if word.values.iter().any(whole) { HAS_VALUE } else { 0 };
            out.senses.extend(word.senses.iter().filter(|(next, _)| whole(next)).map(|(_, sense)| *sense));
        }
        if words.iter().filter(|word| word.stem == "twic").count() > 1 {
            let idempotent = lexicon().senses_with(&stem("idempotent"));
            out.senses.extend(idempotent.iter().map(|(_, sense)| *sense));
        }
        out.senses.sort_unstable();
        out.senses.dedup();
        out
    }
}

impl Hints {
    /// Whether the two claims may conflict by any rule.
    pub fn may_conflict(&self, other: &Self) -> bool {
        let either = self.marks | other.marks;
        let both = self.marks & other.marks;
        either & (DENIES | SETS_APART) != 0
            || both & (COUNTS | ORDERS | HAS_VALUE | IS_ONE_VALUED) != 0
            || either & RAISES != 0 && either & RETURNS != 0
            || self.opposes(other)
    }

    fn opposes(&self, other: &Self) -> bool {
        let opposite = |sense: &Sense| Sense { side: !sense.side, ..*sense };
        self.senses.iter().any(|sense| other.senses.binary_search(&opposite(sense)).is_ok())
    }
}

impl WordHint {
    fn of(written: &str) -> Self {
        const DENIALS: [&str; 36] = [
            "not",
            "no",
            "never",
            "none",
            "nothing",
            "nobody",
            "nowhere",
            "neither",
            "nor",
            "without",
            "cannot",
            "t",
            "non",
            "free",
            "rather",
            "instead",
            "lack",
            "skip",
            "avoid",
            "bypass",
            "neglect",
            "fail",
            "refus",
            "declin",
            "ignor",
            "mis",
            "miss",
            "absent",
            "forget",
            "leav",
            "keep",
            "hardli",
            "omit",
            "disregard",
            "untru",
            "fals",
        ];
        const APART: [&str; 10] =
            ["only", "sole", "alon", "solel", "exclusiv", "but", "except", "other", "one", "else"];
        const ONE_VALUED: [&str; 20] = [
            "is", "are", "be", "equal", "return", "yield", "default", "alia", "inherit", "extend", "deriv", "subclas",
            "set", "assign", "defin", "nam", "typ", "resolv", "begin", "start",
        ];
        let lower = written.to_lowercase();
        let stem = stem(&lower);
        let lexicon = lexicon();
        let listed = |words: &[&str]| words.contains(&lower.as_str()) || words.contains(&stem.as_str());
        let mut marks = 0;
        let mut mark = |holds: bool, mark: u16| marks |= if holds { mark } else { 0 };
        mark(listed(&DENIALS) || negated_stem(&lower).is_some(), DENIES);
        mark(listed(&APART), SETS_APART);
        let counts = written.starts_with(|c: char| c.is_ascii_digit())
            || number_word(&lower).is_some()
            || unit(&lower).is_some();
        mark(counts || listed(&["once", "twice"]), COUNTS);
        mark(listed(&["before", "after"]), ORDERS);
        let is_literal = written.chars().all(|c| !c.is_lowercase()) && written.chars().any(char::is_uppercase);
        mark(is_literal, HAS_VALUE);
        mark(listed(&ONE_VALUED), IS_ONE_VALUED);
        mark(listed(&["rais", "throw", "panic", "crash", "abort", "cancel"]), RAISES);
        mark(
            listed(&[
                "return", "yield", "hand", "giv", "give", "produc", "answer", "respond", "repl", "repli", "redirect",
                "resolv", "forward",
            ]),
            RETURNS,
        );
        let senses = lexicon.senses_with(&stem);
        let values = lexicon.values_with(&stem);
        Self { marks, stem, senses, values }
    }
}
