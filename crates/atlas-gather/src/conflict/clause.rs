//! A claim as clauses (contract §10.4, by words): who does what to what, whether it is denied, of how
//! many it is said, and under which conditions.
//!
//! This is no grammar of English. It knows how one sentence about code is usually built, and where it
//! does not understand, it leaves a clause with more content than it has, which matches less.

use super::lexicon::Small;
use super::split::{Order, Part, split};
use super::token::Name;
use super::unit::{Unit, What, units};
use super::verb::{Verb, find_verb, relative_end, starts_relative};
use std::rc::Rc;

/// One word of content.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub unit: Rc<Unit>,
    /// Not a modifier of another word ("the *expiry* date of the *token*").
    pub is_head: bool,
    pub is_verb: bool,
    /// Within a phrase that says when or for whom, such as "for admins" or "on success".
    pub is_circumstance: bool,
    /// Says what kind of thing a name beside it is.
    pub is_label: bool,
    /// Within a phrase that says by what means, such as "through an index".
    pub is_means: bool,
    /// Within a relative clause.
    pub is_relative: bool,
    /// Taken over from an earlier clause of the claim.
    pub is_inherited: bool,
    /// After the verb.
    pub is_after_verb: bool,
}

/// Of how many a clause is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    Plain,
    /// Every one, or always.
    All,
    /// Not one, or never: the clause is also negated.
    None,
    /// Some, or sometimes.
    Some,
    /// Not all: some are not. The clause is also negated.
    NotAll,
    /// Most: neither all nor some will do.
    Most,
}

/// A condition: `if` and `when`, or their opposite `unless`.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub items: Vec<Item>,
    pub negated: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    pub items: Vec<Item>,
    pub negated: bool,
    pub quantifier: Quantifier,
    /// Whether it is the subject that is counted, not the occasions.
    pub of_subject: bool,
    /// "only", "sole", "nothing but": nobody else does it.
    pub only: bool,
    /// Who acts, where a name does.
    pub agent: Option<Name>,
    /// Whether the agent was named by "in" or "from" after a passive verb, which is less sure.
    pub agent_is_place: bool,
    pub conditions: Vec<Condition>,
    /// "before" or "after" what.
    pub order: Option<(Order, Vec<Item>)>,
    /// "may", "might": not said to be so.
    pub is_possible: bool,
    /// "only the first": of a part, not of all.
    pub is_partial: bool,
    /// "skips", "avoids": denies what is usually done with it.
    pub skips: bool,
    /// "ignores", "is missing from": denies any dealing at all.
    pub ignores: bool,
    /// Something in it was denied that is not the clause itself.
    pub is_opaque: bool,
    /// The verb is "be" or there is none.
    pub is_state: bool,
    pub is_passive: bool,
}

/// Takes a claim apart.
pub fn clauses(claim: &str) -> Vec<Clause> {
    let mut out: Vec<Clause> = Vec::new();
    let mut subject: Vec<Item> = Vec::new();
    let mut agent: Option<Name> = None;
    for part in split(units(claim)) {
        let draft = Draft::read(&part.units, &part);
        let mut clause = draft.clause;
        let takes_subject = draft.subject.is_empty() || draft.refers_back;
        if part.is_relative {
            // ", which is what it returns": what "which" stands for is the last thing said.
            let last = out.last().and_then(|clause| clause.items.iter().rev().find(|item| !item.is_relative));
            clause.items.extend(last.cloned().map(inherited));
        } else if takes_subject {
            clause.items.extend(subject.iter().cloned().map(inherited));
            if clause.agent.is_none() && !clause.is_passive {
                clause.agent.clone_from(&agent);
            }
        }
        if draft.has_object_pronoun
            && let Some(last) = out.last()
        {
            let object = last.items.iter().filter(|item| item.is_after_verb && !item.is_verb && !item.is_relative);
            clause.items.extend(object.cloned().map(inherited));
        }
        if part.takes_verb
            && let Some(verb) = out.last().and_then(|last| last.items.iter().find(|item| item.is_verb))
        {
            clause.items.push(inherited(verb.clone()));
        }
        if !takes_subject && !part.is_relative && !part.is_attached {
            subject = draft.subject;
            agent.clone_from(&clause.agent);
        }
        for condition in &part.conditions {
            let read = Draft::read(&condition.units, &Part::default());
            clause
                .conditions
                .push(Condition { negated: condition.negated != read.clause.negated, items: read.clause.items });
        }
        if let Some((order, units)) = &part.order {
            clause.order = Some((*order, Draft::read(units, &Part::default()).clause.items));
        }
        out.push(clause);
    }
    share_objects(&mut out);
    out
}

fn inherited(item: Item) -> Item {
    Item { is_inherited: true, is_circumstance: false, ..item }
}

/// "checks and logs the request": the first verb has the object of the second.
fn share_objects(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let (before, after) = clauses.split_at_mut(at);
        let (Some(first), Some(second)) = (before.last_mut(), after.first()) else { continue };
        let bare = first.items.iter().any(|item| item.is_verb)
            && !first.items.iter().any(|item| item.is_after_verb && !item.is_verb);
        let inherits = second.items.iter().any(|item| item.is_inherited);
        if bare && inherits && first.conditions.is_empty() && first.order.is_none() && !first.is_passive {
            let object = second.items.iter().filter(|item| item.is_after_verb && !item.is_verb && !item.is_inherited);
            let object: Vec<Item> = object.cloned().map(inherited).collect();
            first.items.extend(object);
        }
    }
}

/// A clause on its own, before it takes over anything from others.
struct Draft {
    clause: Clause,
    subject: Vec<Item>,
    /// Its subject is a pronoun.
    refers_back: bool,
    has_object_pronoun: bool,
}

impl Draft {
    fn read(units: &[Rc<Unit>], part: &Part) -> Self {
        let verb = find_verb(units);
        let mut draft = Self {
            clause: Clause {
                items: Vec::new(),
                negated: part.negated,
                quantifier: Quantifier::Plain,
                of_subject: false,
                only: false,
                agent: None,
                agent_is_place: false,
                conditions: Vec::new(),
                order: None,
                is_possible: false,
                is_partial: false,
                skips: false,
                ignores: false,
                is_opaque: false,
                is_state: verb.is_state,
                is_passive: verb.is_passive,
            },
            subject: Vec::new(),
            refers_back: false,
            has_object_pronoun: false,
        };
        draft.walk(units, &verb);
        draft.subject = draft
            .clause
            .items
            .iter()
            .filter(|item| !item.is_after_verb && !item.is_verb && !item.is_relative)
            .cloned()
            .collect();
        if verb.at.is_none() && part.is_attached {
            draft.subject.clear();
        }
        draft.find_agent(units, &verb);
        draft
    }

    fn walk(&mut self, units: &[Rc<Unit>], verb: &Verb) {
        let boundary = verb.boundary.unwrap_or(0);
        let mut relative_until = 0;
        let mut circumstance = false;
        let mut of_phrase = false;
        let mut means = false;
        for (at, unit) in units.iter().enumerate() {
            let after_verb =
                verb.boundary.is_some_and(|boundary| at > boundary || at == boundary && unit.is_predicate());
            let in_relative = at < relative_until;
            if unit.is_mark(&['\'']) || matches!(unit.what, What::Mark(_)) {
                circumstance = false;
                of_phrase = false;
                continue;
            }
            if unit.what == What::Word && self.function_word(units, at, after_verb, in_relative, verb) {
                if unit.is_small(Small::Preposition) {
                    circumstance = starts_circumstance(units, at);
                    let by_means = unit.is("by") && units.iter().skip(at + 1).take(4).all(|unit| unit.name().is_none());
                    means = by_means
                        || unit.is_any(&["through", "via", "with", "using"])
                        || means && unit.is_any(&["of", "for"]);
                    of_phrase =
                        unit.is("of") && at > 0 && !is_quantifier(&units[at - 1]) && units[at - 1].quantity().is_none();
                }
                if !in_relative && starts_relative(units, at, boundary) {
                    relative_until = relative_end(units, at);
                }
                continue;
            }
            let is_verb = verb.at == Some(at);
            // "leaves the file open": does not close it.
            if is_verb
                && unit.is_any(&["leaves", "leave", "keeps", "keep"])
                && units[at..].iter().any(|unit| unit.is("open"))
            {
                self.clause.negated = !self.clause.negated;
                self.clause.items.push(closing(unit));
                continue;
            }
            if unit.is("open") && self.clause.items.iter().any(|item| item.is_verb && item.unit.text == "close") {
                continue;
            }
            let with_particle = if is_verb { self.verb_with_particle(units, at) } else { None };
            if is_verb {
                circumstance = false;
                of_phrase = false;
                if with_particle.is_none() && unit.is_light_verb() {
                    continue;
                }
            }
            self.clause.items.push(Item {
                unit: with_particle.unwrap_or_else(|| unit.clone()),
                is_head: !is_modifier(units, at, verb) && !of_phrase && !in_relative,
                is_verb,
                is_circumstance: circumstance && unit.quantity().is_none(),
                is_label: verb.at != Some(at) && is_kind_beside_name(units, at),
                is_means: means,
                is_relative: in_relative,
                is_inherited: false,
                is_after_verb: after_verb,
            });
        }
    }

    /// "leaves the field out" is "leaves out".
    fn verb_with_particle(&self, units: &[Rc<Unit>], at: usize) -> Option<Rc<Unit>> {
        const PARTICLES: [&str; 9] = ["out", "off", "on", "up", "back", "away", "down", "through", "in"];
        let ends = |at: usize| {
            units.get(at + 1).is_none_or(|next| matches!(next.what, What::Mark(_)) || next.is_small(Small::Preposition))
        };
        let particle = (at + 2..units.len()).find(|at| units[*at].is_any(&PARTICLES) && ends(*at))?;
        units[at].with_particle(&units[particle].text).map(Rc::new)
    }

    /// Takes in what a word without content does to the clause; false if it has content.
    fn function_word(
        &mut self,
        units: &[Rc<Unit>],
        at: usize,
        after_verb: bool,
        in_relative: bool,
        verb: &Verb,
    ) -> bool {
        let unit = &units[at];
        // `None` is a value.
        if unit.is_literal && unit.is_any(&["none", "nothing", "some", "ok"]) {
            return false;
        }
        let next = |ahead: usize| units.get(at + ahead);
        let clause = &mut self.clause;
        let text = unit.text.as_str();
        match text {
            "not" | "never" | "no" | "none" | "nothing" | "nobody" | "nowhere" | "neither" | "nor" | "cannot"
            | "hardly" => {
                if in_relative {
                    clause.is_opaque = true;
                    return true;
                }
                let excepted = matches!(text, "nothing" | "nobody" | "nowhere" | "no" | "none")
                    && units[at..].iter().take(4).any(|unit| unit.is_any(&["but", "except"]) || unit.is("other than"))
                    || text == "no"
                        && next(1).is_some_and(|unit| unit.is("one"))
                        && next(2).is_some_and(|unit| unit.is_any(&["but", "except", "else", "other"]));
                if excepted {
                    clause.only = true;
                    return true;
                }
                if text == "not" && next(1).is_some_and(|unit| unit.is_any(&["only", "just", "necessarily"])) {
                    return true;
                }
                let universal = next(1)
                    .is_some_and(|unit| unit.is_any(&["every", "each", "all", "always", "everyone", "everything"]));
                if text == "not" && universal {
                    clause.quantifier = Quantifier::NotAll;
                } else if text == "never"
                    || !after_verb && matches!(text, "no" | "none" | "nothing" | "nobody" | "nowhere" | "neither")
                {
                    clause.quantifier = Quantifier::None;
                    clause.of_subject = text != "never";
                }
                // "no longer", "neither … nor": one denial.
                if !(text == "nor" && clause.negated) {
                    clause.negated = !clause.negated;
                }
                true
            }
            "every" | "each" | "all" | "always" | "any" | "everything" | "everyone" | "throughout" | "whichever" => {
                let counted = at > 0 && units[at - 1].is("not");
                if !counted && !in_relative && text != "any" {
                    let denied_object = clause.negated && after_verb && text != "always";
                    clause.quantifier = if denied_object { Quantifier::NotAll } else { Quantifier::All };
                    clause.of_subject = !after_verb && text != "always";
                }
                true
            }
            "least" if at > 0 && units[at - 1].is("at") => true,
            "at" if next(1).is_some_and(|unit| unit.is("least")) && next(2).is_some_and(|unit| unit.is("one")) => {
                clause.quantifier = Quantifier::Some;
                true
            }
            "but" | "except" | "excepting" | "save" | "apart" => {
                let all_before = at > 0
                    && units[at - 1].is_any(&[
                        "everyone",
                        "everything",
                        "all",
                        "anyone",
                        "anything",
                        "everybody",
                        "everywhere",
                        "always",
                    ]);
                clause.is_opaque |= !clause.only && (all_before || text == "except");
                text != "save"
            }
            "otherwise" | "else" | "elsewhere" => {
                clause.is_opaque = true;
                true
            }
            "some" | "several" | "sometimes" | "occasionally" | "few" | "certain" | "many" => {
                if !in_relative && (!after_verb || matches!(text, "sometimes" | "occasionally")) {
                    clause.quantifier = Quantifier::Some;
                }
                true
            }
            "most" | "mostly" | "usually" | "often" | "typically" | "normally" | "generally" => {
                clause.quantifier = Quantifier::Most;
                true
            }
            "one" => {
                clause.only |= says_nobody_else(units, at, verb);
                true
            }
            "only" | "sole" | "alone" | "solely" | "exclusively" => {
                // "for staff only": said of nobody else, so it is no mere case.
                let part =
                    units[at + 1..].iter().take(3).any(|unit| unit.is_any(&["first", "last", "some", "few", "part"]));
                clause.is_partial |= text == "only" && after_verb && part;
                if text == "only" && after_verb {
                    clause.items.iter_mut().for_each(|item| item.is_circumstance = false);
                }
                clause.only |= says_nobody_else(units, at, verb);
                true
            }
            "lacks" | "lack" | "skips" | "skip" | "skipped" | "avoids" | "avoid" | "bypasses" | "bypass"
            | "neglects" | "forgets" | "misses" | "lacking" | "bypassed" | "skipping" | "avoiding" | "avoided" => {
                if in_relative {
                    clause.is_opaque = true;
                } else {
                    clause.negated = !clause.negated;
                    clause.skips |= text.starts_with("skip") || text.starts_with("bypass") || text.starts_with("avoid");
                }
                true
            }
            _ if unit.key == "ignor"
                || unit.is_any(&["missing", "absent"]) && next(1).is_some_and(|unit| unit.is_any(&["from", "in"])) =>
            {
                if in_relative {
                    clause.is_opaque = true;
                } else {
                    clause.negated = !clause.negated;
                    clause.ignores = true;
                }
                true
            }
            "fails" | "fail" | "failing" | "refuses" | "declines" | "omits" | "neglecting" | "forgetting"
                if next(1).is_some_and(|unit| unit.is("to")) =>
            {
                clause.negated = !clause.negated;
                true
            }
            "it" | "them" | "this" | "that" | "these" | "those" | "they" | "which" | "who" | "he" | "she" => {
                if !after_verb && verb.boundary.is_some_and(|boundary| at < boundary) {
                    self.refers_back |= self.clause.items.is_empty();
                } else if matches!(text, "it" | "them" | "those" | "these" | "this") && after_verb && !in_relative {
                    let owns = next(1).is_some_and(|unit| {
                        unit.what == What::Word && !unit.is_small(Small::Preposition) && !unit.is_small(Small::Empty)
                    });
                    self.has_object_pronoun |= !owns || text == "it" || text == "them";
                }
                true
            }
            "its" | "their" => {
                self.refers_back |= !after_verb && self.clause.items.is_empty();
                true
            }
            _ if unit.is_small(Small::Possible) => {
                clause.is_possible |= !in_relative;
                true
            }
            _ => {
                unit.is_small(Small::Be)
                    || unit.is_small(Small::Auxiliary)
                    || unit.is_small(Small::Hedge)
                    || unit.is_small(Small::Determiner)
                    || unit.is_small(Small::Preposition) && unit.senses.is_empty()
                    || unit.is_small(Small::Pronoun)
                    || unit.is_small(Small::Empty)
                    || unit.key == "in other word"
                    || unit.text.is_empty()
            }
        }
    }

    fn find_agent(&mut self, units: &[Rc<Unit>], verb: &Verb) {
        let symbol = |at: usize| {
            units.get(at).and_then(|unit| unit.name()).filter(|name| !name.is_path || name.text().contains(' '))
        };
        let Some(boundary) = verb.boundary else { return };
        if verb.is_passive {
            let after = |words: &[&str]| {
                (boundary..units.len()).find(|at| units[*at].is_any(words)).and_then(|at| {
                    (at + 1..units.len().min(at + 5))
                        .take_while(|next| !units[*next].is_small(Small::Preposition))
                        .find_map(symbol)
                })
            };
            if let Some(name) = after(&["by"]) {
                self.clause.agent = Some(name.clone());
            } else if let Some(name) = after(&["in", "inside", "from", "within"]) {
                self.clause.agent = Some(name.clone());
                self.clause.agent_is_place = true;
            }
            return;
        }
        let subject = self.clause.items.iter().filter(|item| !item.is_after_verb && !item.is_relative && !item.is_verb);
        let mut names =
            subject.filter_map(|item| item.unit.name()).filter(|name| !name.is_path || name.text().contains(' '));
        self.clause.agent = names.next().cloned();
    }
}

/// Whether "only" and its like say that nobody but a named one, or one of a kind, does it.
fn says_nobody_else(units: &[Rc<Unit>], at: usize, verb: &Verb) -> bool {
    let next = units.get(at + 1);
    let before_verb = verb.boundary.is_none_or(|boundary| at < boundary);
    match units[at].text.as_str() {
        "alone" | "solely" | "exclusively" => {
            let beside = at.checked_sub(1).and_then(|before| units[before].name()).is_some();
            beside || next.is_some_and(|unit| unit.is("by") || unit.name().is_some())
        }
        "sole" => true,
        // "is the one implementation of".
        "one" => verb.is_state && at > 0 && units[at - 1].is("the") && next.is_some_and(|unit| unit.what == What::Word),
        // "is the only reader", "the only place that", "only `a` does", "only by `a`", "called only from `a`".
        "only" => {
            let the = at > 0 && units[at - 1].is_any(&["the", "its"]);
            let by = next.is_some_and(|unit| unit.is_any(&["by", "from", "in"]))
                && units.get(at + 2).is_some_and(|unit| unit.name().is_some());
            let from_passive = verb.is_passive && units[at..].iter().any(|unit| unit.is("by"));
            the || by || from_passive || before_verb && at == 0
        }
        _ => false,
    }
}

/// The verb of "leaves open", when denied.
fn closing(unit: &Unit) -> Item {
    let unit =
        Rc::new(Unit { text: "close".to_owned(), key: super::stem::stem("close"), senses: Vec::new(), ..unit.clone() });
    Item {
        unit,
        is_head: true,
        is_verb: true,
        is_circumstance: false,
        is_label: false,
        is_means: false,
        is_relative: false,
        is_inherited: false,
        is_after_verb: false,
    }
}

fn is_quantifier(unit: &Unit) -> bool {
    unit.is_any(&["none", "all", "some", "each", "most", "one", "any", "every", "many", "few", "several"])
}

/// "for admins", "on success", "under load", "during startup", "in debug builds".
fn starts_circumstance(units: &[Rc<Unit>], at: usize) -> bool {
    let next_is_word = units.get(at + 1).is_some_and(|unit| unit.what == What::Word);
    match units[at].text.as_str() {
        // "for all tenants" leaves nobody out; "alias for" is no case.
        "for" => {
            let everyone =
                units.get(at + 1).is_some_and(|unit| unit.is_any(&["all", "every", "each", "any", "everyone", "both"]));
            let named = at > 0
                && units[at - 1].is_any(&["alias", "name", "synonym", "support", "shorthand", "placeholder", "need"]);
            !everyone && !named
        }
        "under" | "during" | "upon" => true,
        "on" => next_is_word && !units[at + 1].is_any(&["port", "top", "disk", "all", "every", "each", "any"]),
        "in" => {
            units[at + 1..].iter().take(3).take_while(|unit| unit.what == What::Word && !unit.is_small(Small::Be)).any(
                |unit| {
                    unit.is_any(&[
                        "mode",
                        "build",
                        "builds",
                        "environment",
                        "environments",
                        "production",
                        "development",
                        "tests",
                        "debug",
                    ])
                },
            )
        }
        _ => false,
    }
}

/// "the table `jobs`", "`phone` field".
fn is_kind_beside_name(units: &[Rc<Unit>], at: usize) -> bool {
    let named = |at: Option<usize>| at.and_then(|at| units.get(at)).is_some_and(|unit| unit.name().is_some());
    // "the stored procedure `p`": both words say what it is.
    // "the mapper `m`": so does any word between an article and a name.
    let introduced = at > 0 && units[at - 1].is_any(&["the", "a", "an"]) && named(at.checked_add(1));
    if introduced && units[at].what == What::Word {
        return true;
    }
    let reach = units[at..].iter().take_while(|unit| unit.is_small(Small::Kind)).count();
    reach > 0 && (named(at.checked_sub(1)) || named(at.checked_add(reach)))
}

/// Stands right before a noun, or owns one.
fn is_modifier(units: &[Rc<Unit>], at: usize, verb: &Verb) -> bool {
    let Some(next) = units.get(at + 1) else { return false };
    if next.is_mark(&['\'']) {
        return true;
    }
    let small = |unit: &Unit| {
        unit.is_small(Small::Be)
            || unit.is_small(Small::Auxiliary)
            || unit.is_small(Small::Preposition)
            || unit.is_small(Small::Determiner)
            || unit.is_small(Small::Pronoun)
            || unit.is_small(Small::Empty)
            || unit.is_small(Small::Possible)
            || unit.is_small(Small::Hedge)
    };
    units[at].what == What::Word
        && next.what == What::Word
        && !(small(next) || next.is_any(&["before", "after"]))
        // "cleans the directory first".
        && !(next.is_any(&["first", "last", "again"]) && units.get(at + 2).is_none_or(|unit| matches!(unit.what, What::Mark(_))))
        && verb.at != Some(at + 1)
        && !next.text.ends_with("ly")
}
