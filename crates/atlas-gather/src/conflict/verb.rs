//! Where the verb of a clause is (contract §10.4, by words): what stands before it is the subject,
//! what stands after it the object. And where a relative clause begins and ends, whose verb it is not.

use super::lexicon::Small;
use super::stem::Ending;
use super::unit::{Unit, What};
use std::rc::Rc;

/// The verb of a clause.
pub struct Verb {
    /// Its unit, if it is not "be".
    pub at: Option<usize>,
    /// Where the subject ends: the verb, or the auxiliary before it.
    pub boundary: Option<usize>,
    pub is_passive: bool,
    pub is_state: bool,
}

pub fn find_verb(units: &[Rc<Unit>]) -> Verb {
    let mut at = 0;
    let mut relative_until = 0;
    while at < units.len() {
        let unit = &units[at];
        if at < relative_until {
            at += 1;
            continue;
        }
        if starts_relative(units, at, 0) {
            relative_until = relative_end(units, at);
            at += 1;
            continue;
        }
        if unit.is_predicate() {
            return Verb { at: None, boundary: Some(at), is_passive: false, is_state: true };
        }
        if unit.is_small(Small::Be)
            || unit.is_small(Small::Auxiliary)
            || unit.is_small(Small::Possible)
            || unit.is_any(&["seems", "appears", "seem", "appear"])
        {
            return after_auxiliary(units, at);
        }
        let previous = at.checked_sub(1).map(|before| &units[before]);
        let next = units.get(at + 1);
        let after_small = previous.is_some_and(|unit| {
            unit.is_small(Small::Determiner) || unit.is_small(Small::Preposition) || unit.is_mark(&['\''])
        });
        let told_by_adverb = previous.is_some_and(|unit| unit.is_any(&["never", "always", "also", "not", "then"]));
        let after_name = previous.is_some_and(|unit| unit.name().is_some());
        let before_verb = !told_by_adverb
            && next.is_some_and(|next| {
                let auxiliary =
                    [Small::Be, Small::Auxiliary, Small::Possible].iter().any(|class| next.is_small(*class));
                let verb = next.is_verb && next.ending != Ending::Past && next.ending != Ending::Ing;
                auxiliary || verb && !after_name
            });
        let after_plural = previous.is_some_and(|unit| unit.name().is_some() || unit.ending == Ending::S);
        let adverb_before = previous.is_some_and(|unit| {
            unit.is_any(&["never", "always", "also", "not", "only", "then", "silently", "sometimes", "nor"])
        });
        let finite = match unit.ending {
            Ending::S => true,
            Ending::Bare => {
                let object = next.is_some_and(|next| next.is_small(Small::Determiner) || next.name().is_some());
                after_plural || adverb_before || at == 0 && object
            }
            Ending::Past | Ending::Ing => false,
        };
        // A word that no list knows, right after the name that acts.
        let unknown = unit.ending == Ending::S
            && previous.is_some_and(|unit| unit.name().is_some())
            && !unit.is_small(Small::Kind)
            && next.is_some();
        let negating = unit.is_any(&["lacks", "lack", "skips", "skip", "avoids", "avoid", "bypasses", "bypass"]);
        if unit.what == What::Word && !after_small && !before_verb && (unit.is_verb && finite || unknown || negating) {
            // "fails to log", "avoids caching": the verb is the one that is denied.
            let denied = units.iter().enumerate().skip(at + 1).take(3);
            let denied = denied.clone().find(|(_, unit)| {
                unit.is_verb
                    && (unit.ending == Ending::Ing
                        || unit.ending == Ending::Bare && next.is_some_and(|next| next.is("to")))
            });
            let to = next.is_some_and(|next| next.is("to"))
                && unit.is_any(&["fails", "fail", "refuses", "declines", "neglects", "forgets"]);
            if (to || negating)
                && let Some((verb, _)) = denied
            {
                return Verb { at: Some(verb), boundary: Some(at), is_passive: false, is_state: false };
            }
            return Verb { at: Some(at), boundary: Some(at), is_passive: false, is_state: negating };
        }
        at += 1;
    }
    // "without checking the buffer": a verb without a subject.
    let loose = units.iter().position(|unit| unit.is_verb && unit.ending == Ending::Ing).filter(|at| *at == 0);
    Verb { at: loose, boundary: loose, is_passive: false, is_state: loose.is_none() }
}

fn after_auxiliary(units: &[Rc<Unit>], boundary: usize) -> Verb {
    let mut is_be = units[boundary].is_small(Small::Be);
    let between = |unit: &Unit| {
        unit.is_small(Small::Empty)
            || unit.is_small(Small::Hedge)
            || unit.is_any(&["always", "sometimes", "no", "longer", "to", "often", "usually", "all", "each"])
            || unit.is_small(Small::Auxiliary)
            || unit.is_small(Small::Possible)
            || unit.what == What::Word && unit.text.ends_with("ly") && !unit.is_verb
    };
    let mut at = boundary + 1;
    while at < units.len() && (between(&units[at]) || units[at].is_small(Small::Be)) {
        is_be |= units[at].is_small(Small::Be);
        at += 1;
    }
    // After an auxiliary even a word that no list knows is a verb: "can't be renewed".
    let told = |unit: &Unit| {
        unit.ending == Ending::Past && is_be || unit.ending == Ending::Bare && !is_be && unit.senses.is_empty()
    };
    let has = units[boundary].is_any(&["has", "have", "had"]);
    let verb = units
        .get(at)
        .filter(|unit| unit.what == What::Word && (unit.is_verb || told(unit) && !has && !unit.is_literal));
    // "fails to" after an auxiliary: "never fails to log".
    if let Some(unit) = verb
        && unit.is_any(&["fail", "fails", "refuse"])
        && units.get(at + 1).is_some_and(|next| next.is("to"))
        && units.get(at + 2).is_some_and(|next| next.is_verb)
    {
        return Verb { at: Some(at + 2), boundary: Some(boundary), is_passive: false, is_state: false };
    }
    match verb {
        // "is run", "is set": some participles look like the verb itself.
        Some(unit) if matches!(unit.ending, Ending::Past | Ending::Bare) && is_be => {
            Verb { at: Some(at), boundary: Some(boundary), is_passive: true, is_state: false }
        }
        Some(unit) if !is_be || unit.ending == Ending::Ing => {
            Verb { at: Some(at), boundary: Some(boundary), is_passive: false, is_state: false }
        }
        _ => Verb { at: None, boundary: Some(boundary), is_passive: false, is_state: true },
    }
}

/// Whether what follows only describes the noun before.
pub fn starts_relative(units: &[Rc<Unit>], at: usize, boundary: usize) -> bool {
    let unit = &units[at];
    if unit.is_any(&["whose", "where", "whether"]) {
        return true;
    }
    if !unit.is_any(&["that", "which", "who"]) || at == 0 {
        return false;
    }
    // "checks that there is room" says what is checked.
    let before = &units[at - 1];
    let says = before.is_verb && (at > boundary && boundary > 0);
    !says && !matches!(before.what, What::Mark(_))
}

/// A relative clause reaches to the next mark, or to the verb of the clause around it.
pub fn relative_end(units: &[Rc<Unit>], at: usize) -> usize {
    let mut verbs = 0;
    for (further, unit) in units.iter().enumerate().skip(at + 1) {
        if matches!(unit.what, What::Mark(mark) if mark != '\'') {
            return further;
        }
        let previous_is_small =
            units[further - 1].is_small(Small::Determiner) || units[further - 1].is_small(Small::Preposition);
        let auxiliary_before = units[further - 1].is_small(Small::Auxiliary)
            || units[further - 1].is_small(Small::Be)
            || units[further - 1].is("not");
        let finite =
            unit.is_small(Small::Be) || unit.is_small(Small::Auxiliary) || unit.is_verb && unit.ending == Ending::S;
        if finite && !previous_is_small && !auxiliary_before {
            verbs += 1;
            if verbs == 2 {
                return further;
            }
        }
    }
    units.len()
}
