//! Whether a sub-question's text refers to the answer of another (contract §5): *for each of those*,
//! *its callers*, *that function*, *the result of DT-1*.
//!
//! A pronoun counts only if nothing in front of it, in its own text, could be what it stands for:
//! "which functions write the audit log, and who calls them?" stands on its own. An object pronoun
//! cannot stand for the subject of its own clause, so "which tests cover them?" does not.
//! What a word without such an antecedent stands for is the nearest earlier sub-question that names its noun,
//! else the one just before.
//! Deliberately *not* here: languages other than English, and what is done about a reference.

#[rustfmt::skip] // Word lists read as paragraphs, not one word a line.
mod lexicon;
mod words;

use lexicon::*;
use words::{Kind, Noun, Text, same_noun, stem};

/// Bytes of a text that are looked at.
const TEXT_BYTES_MAX: usize = 4_096;

/// A reference to another sub-question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Index of the sub-question referred to.
    pub to: usize,
    /// The words that refer, as they stand in the text.
    pub words: String,
}

/// The references of the sub-question `at` to others, each other one once, in text order. `numbers` are the
/// sub-questions' DT numbers.
///
/// Of a long text the first 4,096 bytes are looked at.
pub(crate) fn references(texts: &[&str], numbers: &[u32], at: usize) -> Vec<Reference> {
    let text = Text::of(head(texts[at]));
    let mut found: Vec<Reference> = Vec::new();
    for pointer in (0..text.tokens.len()).filter_map(|i| pointer(&text, i)) {
        let to = match pointer.target {
            Target::Number(number) => numbers.iter().position(|&other| other == number),
            Target::Ordinal(position) => (position < texts.len()).then_some(position),
            Target::Before(noun) => at.checked_sub(1).map(|previous| {
                let names = |other: &usize| noun.is_some_and(|noun| mentions(texts[*other], noun));
                (0..at).rev().find(names).unwrap_or(previous)
            }),
        };
        let Some(to) = to.filter(|&to| to != at && !found.iter().any(|earlier| earlier.to == to)) else { continue };
        let span = text.tokens[pointer.from].at.start..text.tokens[pointer.to].at.end;
        found.push(Reference { to, words: texts[at][span].to_owned() });
    }
    found
}

fn mentions(text: &str, noun: &str) -> bool {
    Text::of(head(text)).tokens.iter().any(|token| token.kind == Kind::Word && same_noun(&token.low, noun))
}

/// What is looked at of a text. Looking back from every pronoun takes quadratic time, and a question
/// has no upper bound.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

/// Words that point out of their text.
struct Pointer<'a> {
    /// First and last token.
    from: usize,
    to: usize,
    target: Target<'a>,
}

enum Target<'a> {
    /// `DT-n`.
    Number(u32),
    /// The n-th sub-question, from 0.
    Ordinal(usize),
    /// An earlier one, the nearest that names this noun.
    Before(Option<&'a str>),
}

/// The pointer that starts at a token, if one does.
fn pointer(text: &Text, at: usize) -> Option<Pointer<'_>> {
    let token = &text.tokens[at];
    let before = |to: usize, noun| Some(Pointer { from: at, to, target: Target::Before(noun) });
    match token.kind {
        Kind::Question(number) => return Some(Pointer { from: at, to: at, target: Target::Number(number) }),
        Kind::Word => {}
        Kind::Code | Kind::Mark => return None,
    }
    if let Some(pointer) = by_position(text, at) {
        return Some(pointer);
    }
    match token.low.as_str() {
        "it" | "they" | "them" => personal(text, at).then(|| before(at, None))?,
        "its" | "their" => possessive(text, at).then(|| before(with_noun(text, at), None))?,
        "those" | "these" => match pointed_at(text, at) {
            Some(noun) if !is_known(text, at, noun) => before(noun, Some(&text.tokens[noun].low)),
            None if !defines_itself(text, at) && !plural_known(text, at) => before(at, None),
            _ => None,
        },
        "that" | "this" => singular_demonstrative(text, at),
        "such" if !matches!(text.word(at, 1), "as" | "that") => {
            let noun = pointed_at(text, at)?;
            (!is_known(text, at, noun)).then(|| before(noun, Some(&text.tokens[noun].low)))?
        }
        "ones" | "one" if matches!(text.word(at, -1), "which" | "each") => {
            (!defines_itself(text, at) && !any_known(text, at)).then(|| before(at, None))?
        }
        "each" | "both" if text.ends_behind(at) => (!text.noun_before(at, |_| true)).then(|| before(at, None))?,
        "the" => definite(text, at),
        "there" => {
            let place = text.ends_behind(at) && !AUXILIARIES.contains(&text.word(at, -1));
            let from = matches!(text.word(at, -1), "from" | "in");
            ((place || from) && at > 0 && !any_known(text, at)).then(|| before(at, None))?
        }
        _ => None,
    }
}

/// Pointers that say where: *the above*, *the previous answer*, *question 2*, *what about …*.
fn by_position(text: &Text, at: usize) -> Option<Pointer<'_>> {
    let (word, next, second) = (text.word(at, 0), text.word(at, 1), text.word(at, 2));
    let to = |to: usize, target| Some(Pointer { from: at, to, target });
    let outcome = |word: &str| OUTCOMES.contains(&stem(word));
    let question = |word: &str| matches!(stem(word), "question" | "sub-question" | "subquestion");
    match word {
        "question" | "sub-question" | "subquestion" => {
            let number = text.tokens.get(at + 1)?.low.parse::<usize>().ok()?;
            to(at + 1, Target::Ordinal(number.checked_sub(1)?))
        }
        "first" | "second" | "third" | "fourth" | "fifth" if question(next) => {
            let position =
                ["first", "second", "third", "fourth", "fifth"].iter().position(|ordinal| *ordinal == word)?;
            to(at + 1, Target::Ordinal(position))
        }
        "the"
            if next == "above"
                && !text.tokens.get(at + 2).is_some_and(|t| t.low.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            to(at + 1, Target::Before(None))
        }
        "previous" | "preceding" | "earlier" | "prior" | "last" if outcome(next) => to(at + 1, Target::Before(None)),
        "aforementioned" | "above-mentioned" | "abovementioned" => to(at, Target::Before(None)),
        "previously" | "already" if NAMED.contains(&next) => to(at + 1, Target::Before(None)),
        "above" | "earlier" | "previously" if NAMED.contains(&text.word(at, -1)) => to(at, Target::Before(None)),
        "above" if text.ends_behind(at) && at > 0 && text.tokens[at - 1].kind == Kind::Word => {
            to(at, Target::Before(None))
        }
        "what" | "how" if at == 0 && next == "about" => to(at + 1, Target::Before(None)),
        "same" if at == 0 && matches!(next, "for" | "with" | "question") => to(at + 1, Target::Before(None)),
        "former" | "latter" if text.word(at, -1) == "the" => {
            let known = text.nouns.iter().filter(|noun| noun.tokens.end <= at).count() > 1;
            (!known).then(|| to(at, Target::Before(None)))?
        }
        "the"
            if next == "two"
                && (second.is_empty() || AUXILIARIES.contains(&second) || words::base_verb(second).is_some()) =>
        {
            (!plural_known(text, at)).then(|| to(at + 1, Target::Before(None)))?
        }
        _ => None,
    }
}

/// *it*, *they*, *them*: whether nothing in an earlier clause could be meant.
fn personal(text: &Text, at: usize) -> bool {
    if text.word(at, 0) != "it" {
        return !plural_known(text, at);
    }
    let expletive = |offset| EXPLETIVE.contains(&text.word(at, offset));
    if expletive(1) || (expletive(2) && (AUXILIARIES.contains(&text.word(at, 1)) || text.word(at, 1) == "not")) {
        return false;
    }
    if matches!(text.word(at, -1), "make" | "makes" | "making") && expletive(1) {
        return false;
    }
    !(text.noun_in_earlier_clause(at, |noun| noun.singular) || one_of_many(text, at))
}

/// *its*, *their*: whether nothing in front of it could be meant. A possessive may stand for the
/// subject of its own clause, but the callers of something are not that something's subject: "which
/// tests cover their callers?".
fn possessive(text: &Text, at: usize) -> bool {
    let listed = matches!(text.word(at, -1), "and" | "or" | "with" | "plus" | "including");
    if RELATIONAL.contains(&text.word(at, 1)) && !listed {
        return if text.word(at, 0) == "its" {
            !(text.noun_in_earlier_clause(at, |noun| noun.singular) || one_of_many(text, at))
        } else {
            !plural_known(text, at)
        };
    }
    if text.word(at, 0) == "its" {
        !(text.noun_before(at, |noun| noun.singular) || one_of_many(text, at))
    } else {
        !(text.noun_before(at, |noun| may_be_they(text, noun)) || plural_known(text, at))
    }
}

/// *that …*, *this …*, and the two alone.
fn singular_demonstrative(text: &Text, at: usize) -> Option<Pointer<'_>> {
    let (before, word, next) = (text.word(at, -1), text.word(at, 0), text.word(at, 1));
    let pointer = |to: usize, noun| Some(Pointer { from: at, to, target: Target::Before(noun) });
    if IDIOMS.contains(&next) {
        return None;
    }
    if let Some(noun) = pointed_at(text, at) {
        if word == "this" && THE_REPOSITORY.contains(&text.tokens[noun].low.as_str()) {
            return None;
        }
        let points = word == "this" || {
            let head = text.tokens[noun].low.as_str();
            let conjunction = SAYING.contains(&words::base_verb(before).unwrap_or(before));
            let clearly = PARTS.contains(&head);
            let behind_verb =
                words::base_verb(before).is_some() || PREPOSITIONS.contains(&before) || AUXILIARIES.contains(&before);
            !conjunction && (clearly || ((behind_verb || at == 0) && NOUNS_TOO.contains(&head)))
        };
        return (points && !is_known(text, at, noun)).then(|| pointer(noun, Some(&text.tokens[noun].low)))?;
    }
    let alone =
        text.ends_behind(at) || AUXILIARIES.contains(&before) || (word == "this" && AUXILIARIES.contains(&next));
    let known = text.noun_in_earlier_clause(at, |_| true);
    (alone && !known).then(|| pointer(at, None))?
}

/// *the callers* of nobody named, *the function?*
fn definite(text: &Text, at: usize) -> Option<Pointer<'_>> {
    let next = text.word(at, 1);
    let pointer = |to: usize| Some(Pointer { from: at, to, target: Target::Before(None) });
    let (relational, to) = if RELATIONAL.contains(&next) {
        (true, at + 1)
    } else {
        (next == "call" && text.word(at, 2) == "sites", at + 2)
    };
    if relational {
        let whose = text.word(to, 1);
        let named = matches!(whose, "of" | "to" | "that" | "which" | "who" | "in" | "for" | "from")
            || text.tokens.get(to + 1).is_some_and(|token| token.kind == Kind::Code);
        return (!named && !any_known(text, at)).then(|| pointer(to))?;
    }
    let lone_part = matches!(next, "function" | "method" | "class" | "symbol") && text.ends_behind(at + 1);
    (lone_part && !is_known(text, at, at + 1)).then(|| pointer(at + 1))?
}

/// The noun that a demonstrative points at: the last word of a run of nouns, numbers aside.
fn pointed_at(text: &Text, at: usize) -> Option<usize> {
    let skipped = |word: &str| {
        matches!(word, "two" | "three" | "four" | "five" | "same" | "other" | "a" | "an" | "very" | "last" | "new")
    };
    let mut start = at + 1;
    while skipped(text.word(start, 0)) {
        start += 1;
    }
    let noun = text.nouns.iter().find(|noun| noun.tokens.contains(&start))?;
    let is_word = |i: &usize| text.tokens[*i].kind == Kind::Word;
    let is_part = |i: &usize| PARTS.contains(&stem(text.word(*i, 0)));
    let is_noun_too = |i: &usize| NOUNS_TOO.contains(&stem(text.word(*i, 0)));
    // What follows a part of a program is its verb more often than not: `that function returns`.
    let first_part = (start..noun.tokens.end).find(is_part);
    let head = first_part.and_then(|first| (first..noun.tokens.end).take_while(is_part).last());
    if text.word(at, 0) == "that" {
        // In front of a plural `that` never points, it opens a relative clause.
        return head
            .or_else(|| Some(start).filter(is_noun_too))
            .filter(|&i| i < start + 3 && stem(text.word(i, 0)) == text.word(i, 0));
    }
    head.or_else(|| (start..noun.tokens.end).filter(is_word).rfind(is_noun_too)).or_else(|| Some(start).filter(is_word))
}

/// `those who fail`, `the ones in tests`: the words behind it say what is meant.
fn defines_itself(text: &Text, at: usize) -> bool {
    matches!(
        text.word(at, 1),
        "that" | "who" | "which" | "whose" | "with" | "without" | "in" | "from" | "not" | "where"
    )
}

/// Whether the text itself has already spoken of what the noun at `noun`, pointed at from `at`, names.
fn is_known(text: &Text, at: usize, noun: usize) -> bool {
    let head = text.tokens[noun].low.as_str();
    let related = |token: &words::Token| {
        token.kind == Kind::Word
            && (same_noun(&token.low, head)
                || (!FUNCTION_WORDS.contains(&token.low.as_str()) && share_root(&token.low, head)))
    };
    if text.tokens[..at].iter().any(related)
        || text.word_in_earlier_clause(at, &["who", "what", "where", "how", "which"])
    {
        return true;
    }
    let of_kind = |word: &str| KINDS.iter().find(|kind| kind.contains(&stem(word)));
    text.noun_in_earlier_clause(at, |other| {
        let other = &text.tokens[other.tokens.end - 1];
        match of_kind(head) {
            Some(kind) => other.kind == Kind::Code || kind.contains(&stem(&other.low)),
            None => true,
        }
    })
}

/// `signs` and `signature`, `validated` and `validation`.
fn share_root(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    common >= 4 && common + 2 >= a.chars().count().min(b.chars().count())
}

/// Whether an earlier clause has something that *they* could stand for.
fn plural_known(text: &Text, at: usize) -> bool {
    text.noun_in_earlier_clause(at, |noun| may_be_they(text, noun))
        || text.word_in_earlier_clause(at, &["who", "which", "what"])
}

fn any_known(text: &Text, at: usize) -> bool {
    text.noun_in_earlier_clause(at, |_| true)
}

fn may_be_they(text: &Text, noun: &Noun) -> bool {
    noun.plural || PERSONS.contains(&stem(&text.tokens[noun.tokens.end - 1].low))
}

/// *each of the handlers … it*: one of several is a single thing.
fn one_of_many(text: &Text, at: usize) -> bool {
    text.tokens[..at].iter().any(|token| matches!(token.low.as_str(), "each" | "every" | "any" | "one"))
        && text.noun_before(at, |_| true)
}

/// The last token of the noun behind a possessive, for quoting.
fn with_noun(text: &Text, at: usize) -> usize {
    text.nouns.iter().find(|noun| noun.tokens.start == at + 1).map_or(at, |noun| noun.tokens.end - 1)
}

#[cfg(test)]
mod tests;
