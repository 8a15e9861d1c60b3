//! Units to the parts of a sentence: main clauses, with the conditions and the "before" and "after"
//! that belong to them, and what is denied on the side ("without …", ", not …").

use super::lexicon::lexicon;
use super::stem::Ending;
use super::unit::{Unit, What};
use std::rc::Rc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Before,
    After,
}

#[derive(Debug, Clone, Default)]
pub struct When {
    pub units: Vec<Rc<Unit>>,
    /// `unless`
    pub negated: bool,
}

/// One clause with what hangs on it.
#[derive(Debug, Clone, Default)]
pub struct Part {
    pub units: Vec<Rc<Unit>>,
    pub conditions: Vec<When>,
    pub order: Option<(Order, Vec<Rc<Unit>>)>,
    /// Denied as a whole by the word that opens it.
    pub negated: bool,
    /// Hangs on the part before and says nothing of a subject of its own.
    pub is_attached: bool,
    /// Opened by ", which".
    pub is_relative: bool,
    /// Has the verb of the part before.
    pub takes_verb: bool,
}

const IF: &[&str] = &["if", "when", "whenever", "unless", "while", "until", "once", "whereupon"];
const SENTENCE_ENDS: [char; 10] = ['.', ';', ':', '—', '(', ')', '!', '?', '[', ']'];

/// Takes the units of a claim apart.
pub fn split(units: Vec<Rc<Unit>>) -> Vec<Part> {
    let mut splitter = Splitter {
        units: without_frame(units),
        at: 0,
        parts: Vec::new(),
        part: Part::default(),
        attached: Vec::new(),
        opened: false,
    };
    splitter.run();
    splitter.parts
}

/// "It appears that", "it is not true that", "it is false that": what is said is what follows.
fn without_frame(mut units: Vec<Rc<Unit>>) -> Vec<Rc<Unit>> {
    const UNTRUE: [&str; 4] = ["untrue", "false", "wrong", "incorrect"];
    let Some(that) = units.iter().take(7).position(|unit| unit.is("that")) else { return units };
    let opens = units[0].is_any(&["it", "this"]);
    let frame = &units[..that];
    let untrue = frame.iter().any(|unit| unit.is_any(&UNTRUE));
    let judges = untrue
        || frame
            .iter()
            .any(|unit| unit.is_any(&["seems", "appears", "true", "likely", "possible", "case", "probable", "looks"]));
    if !opens || !judges {
        return units;
    }
    let denied = frame.iter().any(|unit| unit.is_any(&["not", "n't"])) != untrue;
    units.drain(..=that);
    if denied {
        // Before the verb of what follows; anywhere in the clause will do.
        units.splice(0..0, super::unit::units("not"));
    }
    units
}

struct Splitter {
    units: Vec<Rc<Unit>>,
    at: usize,
    parts: Vec<Part>,
    part: Part,
    attached: Vec<Part>,
    /// Whether the first condition of the part opened its sentence.
    opened: bool,
}

impl Splitter {
    fn run(&mut self) {
        while self.at < self.units.len() {
            self.step();
        }
        self.finish();
    }

    fn step(&mut self) {
        let unit = self.units[self.at].clone();
        if unit.is_mark(&SENTENCE_ENDS) {
            self.finish();
            self.at += 1;
        } else if unit.is_mark(&[',']) {
            self.comma();
        } else if let Some(negated) = self.opens_condition() {
            self.condition(negated);
        } else if unit.is_any(&["before", "after"]) && self.opens_order() {
            let order = if unit.is("before") { Order::Before } else { Order::After };
            self.at += 1;
            let units = self.collect();
            self.part.order = Some((order, units));
        } else if unit.is("without") && !self.part.units.is_empty() && !self.in_relative() {
            self.at += 1;
            let units = self.collect();
            // "never returns without closing it" denies nothing.
            let negated = !self.is_denied();
            if !negated {
                self.undeny();
            }
            self.attached.push(Part { units, negated, is_attached: true, ..Part::default() });
        } else if self.is_instead() {
            self.at += 2;
            self.contrast();
        } else if unit.is("but")
            && self.part.units.iter().any(|unit| unit.is_any(&["not", "never"]))
            && !self.starts_verb(self.at + 1)
        {
            // "not a real one but a fake".
            self.at += 1;
            let units = self.collect();
            self.attached.push(Part { units, is_attached: true, takes_verb: true, ..Part::default() });
        } else if unit.is_any(&["because", "whereas", "although", "though"]) {
            self.finish();
            self.at += 1;
        } else if unit.is_any(&["and", "or", "but", "then"])
            && self.has_verb()
            && self.starts_verb(self.at + 1)
            && !self.in_relative()
        {
            let denied = unit.is("or") && self.is_denied();
            self.finish_sharing();
            self.part.negated = denied;
            self.at += 1;
        } else {
            self.part.units.push(unit);
            self.at += 1;
        }
    }

    fn finish(&mut self) {
        let part = std::mem::take(&mut self.part);
        for attached in &mut self.attached {
            attached.conditions.extend(part.conditions.iter().cloned());
        }
        if !part.units.is_empty() || !part.conditions.is_empty() {
            self.parts.push(part);
        }
        self.parts.append(&mut self.attached);
        self.opened = false;
    }

    /// The next part has the same subject, and the condition that opened the sentence.
    fn finish_sharing(&mut self) {
        let shared: Vec<When> =
            if self.opened { self.part.conditions.iter().take(1).cloned().collect() } else { Vec::new() };
        let opened = self.opened;
        self.finish();
        self.part.conditions = shared;
        self.opened = opened;
    }

    fn comma(&mut self) {
        let mut next = self.at + 1;
        if self.word(next).is_some_and(|unit| unit.is_any(&["and", "or", "but", "so", "then", "yet"])) {
            if self.starts_verb(next + 1) && self.has_verb() {
                self.finish_sharing();
                self.at = next + 1;
                return;
            }
            if self.opens_clause(next + 1) {
                self.finish();
                self.at = next + 1;
                return;
            }
            next += 1;
        }
        let Some(unit) = self.word(next) else {
            self.push_mark();
            return;
        };
        if unit.is_any(&["which", "who"]) {
            self.finish();
            self.part.is_relative = true;
            self.at = next + 1;
        } else if unit
            .is_any(&["because", "since", "as", "so", "although", "though", "whereas", "but", "where", "thus", "hence"])
        {
            self.finish();
            self.at = next + 1;
        } else if self.has_verb() && self.starts_verb(next) && unit.ending == Ending::S && !self.in_relative() {
            // "takes the mutex, looks at the list, and …"
            self.finish_sharing();
            self.at = next;
        } else if unit.is("not") && !self.starts_verb(next + 1) {
            self.at = next + 1;
            self.contrast();
        } else {
            self.push_mark();
        }
    }

    /// A comma between the things of a list, or after an opening phrase.
    fn push_mark(&mut self) {
        self.part.units.push(self.units[self.at].clone());
        self.at += 1;
    }

    /// "in metres, not degrees": the part's own verb, denied of something else.
    fn contrast(&mut self) {
        let units = self.collect();
        let takes_verb = !units.first().is_some_and(|unit| unit.is_verb && unit.ending == Ending::Ing);
        self.attached.push(Part { units, negated: true, is_attached: true, takes_verb, ..Part::default() });
    }

    fn condition(&mut self, negated: bool) {
        let word = self.units[self.at].clone();
        let opens_sentence = self.part.units.is_empty() && self.part.conditions.is_empty();
        self.at += 1;
        self.opened |= opens_sentence;
        let units = if opens_sentence { self.collect_to_comma() } else { self.collect() };
        // "does not return until all have arrived": it returns once they have.
        if word.is("until")
            && let Some(not) = self.part.units.iter().position(|unit| unit.is("not"))
        {
            self.part.units.remove(not);
        }
        if word.is_any(&["until", "while"]) && self.part.units.is_empty() && units.is_empty() {
            return;
        }
        self.part.conditions.push(When { units, negated });
    }

    /// Whether a condition starts here, and whether it is one that must not hold.
    fn opens_condition(&self) -> Option<bool> {
        let unit = self.word(self.at)?;
        if self.in_relative() {
            return None;
        }
        let next = self.word(self.at + 1);
        if unit.is("once") {
            let counts = next.is_none_or(|next| next.is_any(&["a", "per", "every", "and", "at", "in", "on", "for"]));
            let clause = self
                .units
                .iter()
                .skip(self.at + 1)
                .take(6)
                .any(|unit| unit.is_verb || unit.is_any(&["is", "are", "has", "have"]));
            return (!counts && clause).then_some(false);
        }
        // "before version 3", "since release 2.1": of one time in the life of the program.
        if self.units.iter().skip(self.at + 1).take(2).any(|unit| unit.is_any(&["version", "release"])) {
            if unit.is_any(&["before", "until"]) {
                return Some(true);
            }
            if unit.is_any(&["since", "after", "from", "starting"]) {
                return Some(false);
            }
        }
        if unit.is_any(IF) {
            return Some(unit.is("unless"));
        }
        if unit.is("as") && next.is_some_and(|next| next.is_any(&["long", "soon"])) {
            return Some(false);
        }
        if unit.is_any(&["in case", "provided that", "provided"]) {
            return Some(false);
        }
        // "with `strict` set to true"; "With `--force`, …", "Without a token, …".
        let sets = |unit: &&Unit| {
            unit.is_any(&["set", "true", "false", "enabled", "disabled", "on", "off", "given", "present", "unset"])
        };
        let named = self.units.get(self.at + 1).is_some_and(|unit| unit.name().is_some());
        let opens_sentence = self.part.units.is_empty();
        let up_to_comma = self.units[self.at..].iter().take(8).any(|unit| unit.is_mark(&[',']));
        if unit.is("with") {
            let set = self.units.iter().skip(self.at + 2).take(3).any(|unit| sets(&&**unit));
            return (named && set || opens_sentence && up_to_comma).then_some(false);
        }
        (unit.is("without") && opens_sentence && up_to_comma).then_some(true)
    }

    fn opens_order(&self) -> bool {
        if self.in_relative() {
            return false;
        }
        let ahead: Vec<&Rc<Unit>> =
            self.units.iter().skip(self.at + 1).take(5).take_while(|unit| !unit.is_mark(&SENTENCE_ENDS)).collect();
        let Some(first) = ahead.first() else { return false };
        let counts = ahead.iter().take(2).any(|unit| unit.quantity().is_some());
        let acts = ahead.iter().any(|unit| unit.is_verb);
        let named = first.name().is_some();
        !counts && (acts || named)
    }

    fn is_instead(&self) -> bool {
        let two = |a: &str, b: &str| {
            self.word(self.at).is_some_and(|unit| unit.is(a)) && self.word(self.at + 1).is_some_and(|unit| unit.is(b))
        };
        two("rather", "than") || two("instead", "of")
    }

    /// Up to the next mark, or to a verb of the clause around.
    fn collect(&mut self) -> Vec<Rc<Unit>> {
        let mut out: Vec<Rc<Unit>> = Vec::new();
        while let Some(unit) = self.units.get(self.at) {
            let coordinates = unit.is_any(&["and", "but"]) && self.starts_verb(self.at + 1) && !out.is_empty();
            let conditional = unit.is_any(IF) && !out.is_empty() && !unit.is("once");
            if unit.is_mark(&SENTENCE_ENDS) || unit.is_mark(&[',']) || coordinates || conditional || unit.is("because")
            {
                break;
            }
            out.push(unit.clone());
            self.at += 1;
        }
        out
    }

    /// An opening condition, up to its comma.
    fn collect_to_comma(&mut self) -> Vec<Rc<Unit>> {
        let mut out = Vec::new();
        while let Some(unit) = self.units.get(self.at) {
            if unit.is_mark(&SENTENCE_ENDS) || unit.is_mark(&[',']) {
                self.at += usize::from(unit.is_mark(&[',']));
                break;
            }
            out.push(unit.clone());
            self.at += 1;
        }
        out
    }

    fn word(&self, at: usize) -> Option<&Unit> {
        self.units.get(at).map(|unit| &**unit).filter(|unit| unit.what == What::Word)
    }

    /// Whether a verb with the subject of the clause before starts here.
    fn starts_verb(&self, at: usize) -> bool {
        let skipped = self.units.iter().skip(at).take(3).take_while(|unit| {
            unit.what == What::Word
                && (unit
                    .is_any(&["then", "also", "never", "always", "only", "silently", "so", "not", "even", "simply"])
                    || unit.text.ends_with("ly") && !unit.is_verb)
        });
        let at = at + skipped.count();
        let Some(unit) = self.word(at) else { return false };
        if unit.is_any(&[
            "does", "do", "is", "are", "has", "have", "can", "will", "may", "must", "should", "lacks", "skips",
            "avoids",
        ]) {
            return true;
        }
        let next_is_verb = self.word(at + 1).is_some_and(|unit| unit.is_any(&["is", "are", "has", "does"]));
        let negated = at > 0 && self.units[at - 1].is_any(&["never", "not"]);
        let known = unit.is_verb || lexicon().is_verb(&unit.key);
        let base_form = unit.ending == Ending::Bare && known && (self.is_denied() || negated || self.has_modal());
        let shared_passive = unit.ending == Ending::Past
            && self.part.units.iter().any(|unit| unit.is_any(&["is", "are"]))
            && self.word(at + 1).is_none_or(|next| !next.is_verb);
        (unit.ending == Ending::S && known || base_form || shared_passive && self.part.units.len() < 12)
            && !next_is_verb
    }

    /// Whether a clause with a subject of its own starts here.
    fn opens_clause(&self, at: usize) -> bool {
        let ahead: Vec<&Rc<Unit>> =
            self.units.iter().skip(at).take(7).take_while(|unit| !matches!(unit.what, What::Mark(_))).collect();
        let pronoun = ahead.first().is_some_and(|unit| unit.is_any(&["it", "they", "this", "there"]));
        let subject = ahead.iter().position(|unit| {
            unit.is_any(&["is", "are", "does", "do", "has", "can"]) || unit.is_verb && unit.ending == Ending::S
        });
        pronoun || subject.is_some_and(|verb| verb > 0)
    }

    fn has_verb(&self) -> bool {
        self.part.units.iter().any(|unit| {
            unit.is_verb || unit.is_any(&["is", "are", "does", "do", "has", "have", "lacks", "skips", "can"])
        })
    }

    fn has_modal(&self) -> bool {
        self.part.units.iter().any(|unit| unit.is_any(&["can", "may", "must", "will", "should", "could", "do"]))
    }

    /// "none goes without" is "every one goes with".
    fn undeny(&mut self) {
        if let Some(at) = self.part.units.iter().position(|unit| unit.is_any(&["not", "never"])) {
            self.part.units.remove(at);
        } else if let Some(at) = self.part.units.iter().position(|unit| unit.is_any(&["no", "none"])) {
            self.part.units.splice(at..=at, super::unit::units("every"));
        }
    }

    fn is_denied(&self) -> bool {
        self.part.units.iter().any(|unit| unit.is_any(&["not", "never", "nobody", "nothing", "none", "no"]))
    }

    /// Within "that …", "which …": its conditions and denials are its own.
    fn in_relative(&self) -> bool {
        let last =
            self.part.units.iter().rev().take_while(|unit| !matches!(unit.what, What::Mark(mark) if mark != '\''));
        let since: Vec<&Rc<Unit>> = last.collect();
        let opens = |at: usize| {
            since[at].is_any(&["which", "who", "whose", "where"])
                || since[at].is("that")
                    && since.get(at + 1).is_some_and(|before| before.what == What::Word && !before.is_verb)
        };
        let relative = (0..since.len()).find(|at| opens(*at));
        relative.is_some_and(|back| !since[..back].iter().any(|unit| unit.is_any(&["is", "are"])))
    }
}
