//! Tokens to units: runs of words that mean one thing, names, numbers with their unit (contract
//! §10.4, by words).

use super::lexicon::{Meaning, Sense, Small, lexicon};
use super::quantity::{Bound, Dimension, Quantity, number_word, unit};
use super::stem::{Ending, ending, stem};
use super::token::{Form, Name, Token, tokens};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
pub enum What {
    Word,
    Name(Name),
    Quantity(Quantity),
    Mark(char),
}

/// What a claim is compared by.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    pub what: What,
    /// As the claim has it, but for case and hyphens.
    pub text: String,
    /// Equal for words that may stand for each other: stem, or class of synonyms.
    pub key: String,
    /// Of a run of words that starts with a verb: what that verb alone would be.
    pub verb_key: Option<String>,
    pub senses: Vec<Sense>,
    /// `un-`, `non-`, `-less`, `-free`: the opposite of its key.
    pub flipped: bool,
    pub ending: Ending,
    /// Whether it can be a verb.
    pub is_verb: bool,
    pub is_literal: bool,
    /// A bit for each class of small words that it is in.
    pub small: u16,
}

impl Unit {
    pub fn is(&self, word: &str) -> bool {
        self.what == What::Word && self.text == word
    }

    pub fn is_any(&self, words: &[&str]) -> bool {
        self.what == What::Word && words.contains(&self.text.as_str())
    }

    pub fn is_small(&self, class: Small) -> bool {
        self.small & class.bit() != 0
    }

    /// A run that holds its own verb: "can be rolled back", "is on".
    pub fn is_predicate(&self) -> bool {
        let mut words = self.text.split(' ');
        let first = words.next().unwrap_or_default();
        let opens = |class| lexicon().is_small(first, class);
        self.what == What::Word
            && words.next().is_some()
            && (opens(Small::Be) || opens(Small::Auxiliary) || opens(Small::Possible))
    }

    pub fn is_light_verb(&self) -> bool {
        self.what == What::Word && lexicon().is_light_verb(&stem(&self.text))
    }

    pub fn is_mark(&self, marks: &[char]) -> bool {
        matches!(self.what, What::Mark(mark) if marks.contains(&mark))
    }

    pub fn name(&self) -> Option<&Name> {
        match &self.what {
            What::Name(name) => Some(name),
            _ => None,
        }
    }

    pub fn quantity(&self) -> Option<&Quantity> {
        match &self.what {
            What::Quantity(quantity) => Some(quantity),
            _ => None,
        }
    }

    /// What a verb means together with a particle that stands apart from it, if that is known.
    pub fn with_particle(&self, particle: &str) -> Option<Self> {
        let verb = stem(self.text.split(' ').next()?);
        let (length, meaning) = lexicon().longest(&[&verb, &stem(particle)])?;
        (length == 2).then(|| Self {
            text: format!("{} {particle}", self.text),
            key: meaning.class.unwrap_or_else(|| format!("{verb} {particle}")),
            senses: meaning.senses,
            ..self.clone()
        })
    }

    /// Says the same.
    pub fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (What::Name(a), What::Name(b)) => a.same(b),
            (What::Quantity(a), What::Quantity(b)) => {
                a.dimension == b.dimension && a.bound == b.bound && !a.excludes(b)
            }
            (What::Name(name), What::Word) => name_is_word(name, other),
            (What::Word, What::Name(name)) => name_is_word(name, self),
            (What::Word, What::Word) => {
                let also = |one: &Self, two: &Self| {
                    one.verb_key.as_ref().is_some_and(|key| *key == two.key || Some(key) == two.verb_key.as_ref())
                };
                let shares = || self.senses.iter().any(|sense| other.senses.contains(sense));
                self.flipped == other.flipped
                    && (self.key == other.key
                        || self.opposite_sense(other).is_none() && (shares() || also(self, other) || also(other, self)))
            }
            _ => false,
        }
    }

    /// Says the opposite; the pair of opposites, or none for a flipped word.
    pub fn opposes(&self, other: &Self) -> Option<Option<Sense>> {
        if self.what != What::Word || other.what != What::Word {
            return None;
        }
        if self.key == other.key && self.flipped != other.flipped {
            return Some(None);
        }
        if self.flipped != other.flipped || self.same(other) {
            return None;
        }
        self.opposite_sense(other).map(Some)
    }

    fn opposite_sense(&self, other: &Self) -> Option<Sense> {
        let opposite = |sense: &&Sense| other.senses.contains(&Sense { side: !sense.side, ..**sense });
        self.senses.iter().find(opposite).copied()
    }
}

fn name_is_word(name: &Name, word: &Unit) -> bool {
    name.as_word().is_some_and(|text| word.text == text || stem(text) == stem(&word.text))
}

/// The units of a claim.
pub fn units(claim: &str) -> Vec<Rc<Unit>> {
    let tokens = tokens(claim);
    let stems: Vec<String> =
        tokens.iter().map(|token| if token.form == Form::Word { stem(&token.text) } else { String::new() }).collect();
    let mut out: Vec<Unit> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (unit, taken) = match &tokens[at].form {
            Form::Name(name) => (plain(What::Name(name.clone()), &tokens[at], name.text()), 1),
            Form::Mark(mark) => (plain(What::Mark(*mark), &tokens[at], String::new()), 1),
            Form::Number(_) | Form::Word => match quantity(&tokens[at..], &stems[at..], &mut out) {
                Some((quantity, taken)) => {
                    let text = texts(&tokens[at..at + taken]);
                    let unit = Unit { text, ..plain(What::Quantity(quantity), &tokens[at], "#".to_owned()) };
                    (unit, taken)
                }
                None => words(&tokens[at..], &stems[at..]),
            },
        };
        out.push(unit);
        at += taken;
    }
    twice_twice(&mut out);
    for unit in out.iter_mut().filter(|unit| unit.what == What::Word) {
        unit.small = lexicon().classes(&unit.text);
    }
    out.into_iter().map(Rc::new).collect()
}

/// "Calling it twice credits the account twice" says that it is not idempotent.
fn twice_twice(units: &mut [Unit]) {
    let mut twice = units.iter_mut().filter(|unit| unit.text == "twice");
    if let (Some(_), Some(second)) = (twice.next(), twice.next()) {
        second.what = What::Word;
        second.key = "not idempotent".to_owned();
        let idempotent = stem("idempotent");
        if let Some((_, meaning)) = lexicon().longest(&["not", &idempotent]) {
            second.senses.clone_from(&meaning.senses);
        }
    }
}

fn plain(what: What, token: &Token, key: String) -> Unit {
    Unit {
        what,
        text: token.text.clone(),
        key,
        verb_key: None,
        senses: Vec::new(),
        flipped: false,
        ending: Ending::Bare,
        is_verb: false,
        is_literal: token.is_literal,
        small: 0,
    }
}

fn texts(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Words looked at for one run; no run of the lexicon is longer.
const RUN_MAX: usize = 12;

/// The longest run of words that means something, or one word.
fn words(tokens: &[Token], stems: &[String]) -> (Unit, usize) {
    let lexicon = lexicon();
    let run = tokens.iter().take_while(|token| token.form == Form::Word).count();
    let mut unit = plain(What::Word, &tokens[0], stems[0].clone());
    let functional = [Small::Determiner, Small::Preposition, Small::Pronoun, Small::Empty]
        .iter()
        .any(|class| lexicon.is_small(&tokens[0].text, *class));
    (unit.ending, unit.is_verb) = (ending(&tokens[0].text), lexicon.is_verb(&stems[0]) && !functional);
    let spoken: Vec<&str> = stems[..run].iter().take(RUN_MAX).map(String::as_str).collect();
    if let Some((length, mut meaning)) = over_comma(tokens, stems, run).or_else(|| lexicon.longest(&spoken)) {
        if length > 1 && unit.is_verb {
            let (_, alone) = lexicon.longest(&spoken[..1]).unwrap_or_default();
            meaning.add_senses(&alone.senses);
            unit.verb_key = Some(alone.class.unwrap_or_else(|| stems[0].clone()));
        }
        unit.text = texts(&tokens[..length]);
        unit.key = meaning.class.unwrap_or_else(|| spoken[..length.min(spoken.len())].join(" "));
        unit.senses = meaning.senses;
        if length == 1 && is_free_of(tokens, run) {
            return (Unit { flipped: true, text: texts(&tokens[..2]), ..unit }, 2);
        }
        return (unit, length);
    }
    if is_free_of(tokens, run) {
        return (Unit { flipped: true, text: texts(&tokens[..2]), ..unit }, 2);
    }
    if run > 1 && tokens[0].text == "non" {
        let (rest, length) = words(&tokens[1..run], &stems[1..run]);
        return (Unit { flipped: !rest.flipped, text: format!("non {}", rest.text), ..rest }, length + 1);
    }
    if let Some(rest) = negated_stem(&tokens[0].text) {
        let rest_stem = stem(rest);
        if let Some((1, meaning)) = lexicon.longest(&[rest_stem.as_str()]) {
            unit.key = meaning.class.clone().unwrap_or(rest_stem);
            unit.senses.clone_from(&meaning.senses);
        } else {
            unit.key = rest_stem;
        }
        unit.flipped = true;
    }
    (unit, 1)
}

/// A known run with a comma within: "last in, first out".
fn over_comma(tokens: &[Token], stems: &[String], run: usize) -> Option<(usize, Meaning)> {
    let after = run + 1;
    if tokens.get(run)?.form != Form::Mark(',') || run > 3 {
        return None;
    }
    let second = tokens[after..].iter().take_while(|token| token.form == Form::Word).count();
    let spoken: Vec<&str> =
        stems[..run].iter().chain(&stems[after..after + second]).take(RUN_MAX).map(String::as_str).collect();
    let (length, meaning) = lexicon().longest(&spoken)?;
    (length > run).then_some((length + 1, meaning))
}

/// `panic-free`, but not `is free`.
fn is_free_of(tokens: &[Token], run: usize) -> bool {
    let word = &tokens[0].text;
    let lexicon = lexicon();
    let small = [Small::Be, Small::Determiner, Small::Preposition, Small::Empty]
        .iter()
        .any(|class| lexicon.is_small(word, *class));
    run > 1 && tokens[1].text == "free" && word.len() > 3 && !small && !tokens[0].is_literal
}

/// What is left of a word without the prefix or ending that negates it.
pub fn negated_stem(word: &str) -> Option<&str> {
    const NO_NEGATION: &[&str] = &[
        "under",
        "until",
        "unit",
        "units",
        "union",
        "unique",
        "unless",
        "regardless",
        "nevertheless",
        "nonetheless",
        "universal",
        "understand",
        "unlike",
        "undo",
    ];
    if NO_NEGATION.contains(&word) || word.starts_with("under") || word.starts_with("uni") || !word.is_ascii() {
        return None;
    }
    let long = |rest: &&str| rest.len() >= 4;
    if let Some(rest) = word.strip_prefix("un").filter(long) {
        let looks_so =
            ["ed", "able", "ible", "ive", "al", "ing", "en", "ly"].iter().any(|suffix| rest.ends_with(suffix));
        return (looks_so || lexicon().knows(&stem(rest)) || lexicon().is_verb(&stem(rest))).then_some(rest);
    }
    if let Some(rest) = word.strip_prefix("non").filter(long) {
        return Some(rest);
    }
    word.strip_suffix("less").filter(long)
}

/// A number and what it counts. Words before it that bound it are taken back from `before`.
fn quantity(tokens: &[Token], stems: &[String], before: &mut Vec<Unit>) -> Option<(Quantity, usize)> {
    let word = |at: usize| tokens.get(at).filter(|token| token.form == Form::Word).map(|token| token.text.as_str());
    let (mut value, mut taken) = match &tokens[0].form {
        Form::Number(value) => (*value, 1),
        Form::Word if tokens[0].text == "half" && matches!(word(1), Some("a" | "an")) => (0.5, 2),
        // "an hour", "every minute": one of it.
        Form::Word if matches!(tokens[0].text.as_str(), "one" | "a" | "an" | "every" | "per") => {
            let is_time = |word: &str| word.len() > 3 && unit(word).is_some_and(|(_, of)| of == Dimension::Time);
            word(1).filter(|next| is_time(next))?;
            (1.0, 1)
        }
        Form::Word => match tokens[0].text.as_str() {
            "once" => (1.0, 1),
            "twice" if !matches!(word(1), Some("a" | "an" | "per" | "each" | "every")) => {
                let times = Dimension::Of(stem("times"));
                return Some((Quantity { value: 2.0, dimension: times, bound: Bound::Exactly }, 1));
            }
            "twice" => (2.0, 1),
            text => (number_word(text)?, 1),
        },
        Form::Name(_) | Form::Mark(_) => return None,
    };
    while let Some(Form::Word) = tokens.get(taken).map(|token| &token.form)
        && let Some(times) = word(taken).and_then(number_word).filter(|times| *times >= 100.0)
    {
        value *= times;
        taken += 1;
    }
    // "four times a minute", "once an hour": as often as every so long.
    let times = usize::from(word(taken) == Some("times"));
    let often = times == 1 || matches!(tokens[0].text.as_str(), "once" | "twice");
    if often
        && matches!(word(taken + times), Some("a" | "an" | "per" | "each" | "every"))
        && let Some((factor, Dimension::Time)) = word(taken + times + 1).and_then(unit)
    {
        let every = factor / value.max(f64::MIN_POSITIVE);
        return Some((Quantity { value: every, dimension: Dimension::Time, bound: Bound::Exactly }, taken + times + 2));
    }
    if tokens[0].text == "once" {
        return None;
    }
    let dimension = if let Some((factor, dimension)) = word(taken).and_then(unit) {
        value *= factor;
        taken += 1;
        if word(taken) == Some("and") && word(taken + 1) == Some("a") && word(taken + 2) == Some("half") {
            value += factor / 2.0;
            taken += 3;
        }
        dimension
    } else {
        counted(tokens, stems, taken, value, before)
    };
    let bound = take_bound(before);
    Some((Quantity { value, dimension, bound }, taken))
}

/// What a number without a unit counts, by the words around it.
fn counted(tokens: &[Token], stems: &[String], from: usize, value: f64, before: &[Unit]) -> Dimension {
    let near = || before.iter().rev().take(3);
    if near().any(|unit| unit.is_any(&["port", "ports"])) {
        return Dimension::Port;
    }
    let is_status = (100.0..600.0).contains(&value) && value.fract() == 0.0 && tokens[0].text.len() == 3;
    // The last of the words that follow up to the next small word: "10 old log files".
    let follows = |at: &usize| {
        tokens[*at].form == Form::Word && !tokens[*at].is_literal && !SMALL.contains(&tokens[*at].text.as_str())
    };
    let run: Vec<usize> = (from..tokens.len()).take_while(follows).take(4).collect();
    let is_plural = |at: &&usize| ending(&tokens[**at].text) == Ending::S;
    let noun = if value == 1.0 { run.first() } else { run.iter().find(is_plural) };
    if let Some(at) = noun {
        return Dimension::Of(stems[*at].clone());
    }
    let answers =
        |unit: &Unit| unit.is_any(&["status", "http", "code"]) || ["answer", "return"].contains(&unit.key.as_str());
    if is_status && before.iter().rev().take(6).any(answers) { Dimension::Status } else { Dimension::Bare }
}

/// Words that end a run of nouns.
const SMALL: &[&str] = &[
    "a", "an", "the", "and", "or", "but", "of", "in", "on", "at", "to", "for", "with", "by", "from", "as", "is", "are",
    "be", "if", "when", "once", "before", "after", "until", "unless", "that", "which", "not", "no", "per", "every",
    "each", "it", "then", "so", "because", "into", "over", "under",
];

/// How the words just before a number bound it; they are taken away.
fn take_bound(before: &mut Vec<Unit>) -> Bound {
    const BOUNDS: [(&[&str], Bound); 30] = [
        (&["no", "more", "than"], Bound::AtMost),
        (&["not", "more", "than"], Bound::AtMost),
        (&["no", "less", "than"], Bound::AtLeast),
        (&["no", "fewer", "than"], Bound::AtLeast),
        (&["a", "maximum", "of"], Bound::AtMost),
        (&["a", "minimum", "of"], Bound::AtLeast),
        (&["a", "limit", "of"], Bound::AtMost),
        (&["maximum", "of"], Bound::AtMost),
        (&["minimum", "of"], Bound::AtLeast),
        (&["limit", "of"], Bound::AtMost),
        (&["at", "most"], Bound::AtMost),
        (&["at", "least"], Bound::AtLeast),
        (&["up", "to"], Bound::AtMost),
        (&["capped", "at"], Bound::AtMost),
        (&["limited", "to"], Bound::AtMost),
        (&["more", "than"], Bound::AtLeast),
        (&["less", "than"], Bound::AtMost),
        (&["fewer", "than"], Bound::AtMost),
        (&["exactly"], Bound::Exactly),
        (&["over"], Bound::AtLeast),
        (&["above"], Bound::AtLeast),
        (&["below"], Bound::AtMost),
        (&["under"], Bound::AtMost),
        (&["beyond"], Bound::AtLeast),
        (&["about"], Bound::Exactly),
        (&["roughly"], Bound::Exactly),
        (&["max"], Bound::AtMost),
        (&["min"], Bound::AtLeast),
        (&["only"], Bound::Exactly),
        (&["just"], Bound::Exactly),
    ];
    for (words, bound) in BOUNDS {
        let from = before.len().saturating_sub(words.len());
        if before.len() >= words.len() && before[from..].iter().zip(words).all(|(unit, word)| unit.is(word)) {
            // "capped at" and "limited to" say what is done as well.
            if !matches!(words[0], "capped" | "limited") {
                before.truncate(from);
            }
            return bound;
        }
    }
    Bound::Exactly
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantities(claim: &str) -> Vec<(f64, Dimension, Bound)> {
        let of = |unit: Rc<Unit>| unit.quantity().map(|one| (one.value, one.dimension.clone(), one.bound));
        units(claim).into_iter().filter_map(of).collect()
    }

    #[test]
    fn numbers_with_their_units_and_bounds() {
        let of = |noun: &str| Dimension::Of(stem(noun));
        for (claim, wanted) in [
            ("`A` is 16 KiB.", (16384.0, Dimension::Size, Bound::Exactly)),
            ("MAX is 1,048,576 bytes", (1_048_576.0, Dimension::Size, Bound::Exactly)),
            ("It is half an hour.", (1800.0, Dimension::Time, Bound::Exactly)),
            ("It waits 250ms.", (0.25, Dimension::Time, Bound::Exactly)),
            ("It keeps no more than 10 old log files.", (10.0, of("files"), Bound::AtMost)),
            ("At most ten old log files are kept", (10.0, of("files"), Bound::AtMost)),
            ("It retries three times.", (3.0, of("times"), Bound::Exactly)),
            ("It answers 401 to a wrong password.", (401.0, Dimension::Status, Bound::Exactly)),
            ("It calls port 8081.", (8081.0, Dimension::Port, Bound::Exactly)),
            ("`A` is 25.", (25.0, Dimension::Bare, Bound::Exactly)),
            ("A ping goes out every minute.", (60.0, Dimension::Time, Bound::Exactly)),
            ("It refuses bodies above 10 MB", (1e7, Dimension::Size, Bound::AtLeast)),
        ] {
            assert_eq!(quantities(claim), [wanted], "{claim}");
        }
        assert_eq!(quantities("It returns one of the first entries once."), []);
    }

    #[test]
    fn runs_that_mean_one_thing_are_one_unit() {
        let texts = |claim: &str| units(claim).iter().map(|unit| unit.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts("It is thread-safe"), ["it", "is", "thread safe"]);
        assert_eq!(texts("It turns away guests"), ["it", "turns away", "guests"]);
        assert_eq!(texts("stored in plain text."), ["stored", "in plain text", "."]);
    }

    #[test]
    fn prefixes_that_negate_flip_the_word() {
        let flipped =
            |claim: &str| units(claim).iter().map(|unit| (unit.key.clone(), unit.flipped)).next_back().unwrap();
        assert_eq!(flipped("unvalidated").0, flipped("validated").0);
        assert!(flipped("unvalidated").1 && !flipped("validated").1);
        assert!(flipped("non-retryable").1 && flipped("passwordless").1 && flipped("panic-free").1);
        assert!(!flipped("unique").1 && !flipped("until").1 && !flipped("unless").1 && !flipped("underlying").1);
    }
}
