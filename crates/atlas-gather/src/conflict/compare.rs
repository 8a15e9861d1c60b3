//! Whether two clauses can both be true (contract §10.4, by words).
//!
//! Every rule asks first whether both speak of the same thing: names, agents, conditions, and what
//! else they say. Where either says something of its own that the other does not, on both sides, they
//! are taken to speak of two things. Better to miss a conflict than to make one up.

use super::Verdict;
use super::align::{
    Conditions, Pairing, alike, circumstances_differ, conditions, described, is_settled, is_weak, names, orders_agree,
    quantifiers_clash, same_topic, tells_which, unanswered,
};
use super::clause::{Clause, Item, Quantifier};
use super::lexicon::{Kind, Small, lexicon};
use super::quantity::Dimension;
use super::stem::stem;
use super::unit::What;

/// The first conflict between a clause of one claim and one of the other.
pub fn verdict(a: &[Clause], b: &[Clause]) -> Option<Verdict> {
    a.iter().find_map(|p| b.iter().find_map(|q| between(p, q)))
}

fn between(p: &Clause, q: &Clause) -> Option<Verdict> {
    sole(p, q)
        .or_else(|| sole(q, p))
        .or_else(|| part_of_all(p, q))
        .or_else(|| part_of_all(q, p))
        .or_else(|| order(p, q))
        .or_else(|| negation(p, q))
        .or_else(|| negation(q, p))
        .or_else(|| opposites(p, q))
        .or_else(|| numbers(p, q))
        .or_else(|| values(p, q))
        .or_else(|| outcomes(p, q))
}

fn found(rule: &'static str, because: String) -> Option<Verdict> {
    Some(Verdict { rule, because })
}

/// One denies what the other says: every word of the denial stands in the other clause too. What the
/// other says beyond that makes it more special, and a general denial excludes it all the same.
fn negation(p: &Clause, q: &Clause) -> Option<Verdict> {
    if !p.negated || q.negated || p.is_possible || p.is_opaque || !quantifiers_clash(p, q) || p.only || q.only {
        return None;
    }
    if q.is_possible && p.quantifier != Quantifier::None {
        return None;
    }
    let instance = instance_of(p, q);
    if !same_topic(p, q) && !instance {
        return None;
    }
    match conditions(p, q) {
        Conditions::Same { .. } | Conditions::OnlyQ => {}
        Conditions::OnlyP if q.quantifier == Quantifier::All => {}
        Conditions::OnlyP | Conditions::Different => return None,
    }
    // "on unmount" denies what is said to happen "when it unmounts".
    let circumstances =
        q.conditions.iter().filter(|condition| !condition.negated).flat_map(|condition| &condition.items);
    let said_there: Vec<Item> = q.items.iter().chain(circumstances).cloned().collect();
    let pairing = Pairing::of(&p.items, &said_there);
    if !pairing.opposed.is_empty() {
        return None;
    }
    let mut said = usize::from(p.ignores && pairing.p_matched.iter().flatten().count() > 1);
    for (item, matched) in p.items.iter().zip(&pairing.p_matched) {
        match matched {
            Some(other) => {
                let other = &said_there[*other];
                let by_modifier = item.is_head && !other.is_head && other.unit.what == What::Word && !other.is_relative;
                if by_modifier && !item.is_verb || by_verb_alone(item, other, &said_there) {
                    return None;
                }
                said += usize::from(item.unit.what == What::Word);
            }
            None if instance && is_class_or_instance(item, p) => {}
            None if item.is_verb && looks_only(item) => said += 1,
            None if item.unit.is_small(Small::Vacuous) => {}
            None if !item.is_head && said_there.iter().any(|other| names_it(other, item)) => {}
            // "… is not part of the range", of a `DateRange`: the subject under another name.
            None if item.unit.what == What::Word
                && !item.is_verb
                && p.items.iter().any(|named| names_it(named, item)) => {}
            None if item.is_relative || item.is_label || item.is_head && item.unit.text.ends_with("ly") => {}
            None => return None,
        }
    }
    let order_known = match (&p.order, &q.order) {
        (Some((a, ours)), Some((b, theirs))) => a == b && alike(ours, theirs),
        (Some(_), None) => false,
        (None, _) => true,
    };
    // "skips the check" denies the checking; "skips large files" denies not all that is done with them.
    let acted_on = || pairing.p_matched.iter().flatten().any(|other| said_there[*other].is_verb);
    if p.skips && !q.skips && !acted_on() && !q.is_state {
        return None;
    }
    if said == 0 || !order_known {
        return None;
    }
    let rule =
        if p.quantifier == Quantifier::Plain && q.quantifier == Quantifier::Plain { "negation" } else { "quantifier" };
    found(rule, format!("one says \"{}\", the other denies it", shown(p)))
}

/// "takes the lock" against "takes an id": only the verb of the phrase is the same.
fn by_verb_alone(item: &Item, other: &Item, said_there: &[Item]) -> bool {
    let said =
        |word: &str| said_there.iter().any(|item| item.unit.text.split(' ').any(|other| stem(other) == stem(word)));
    let mut objects = item.unit.text.split(' ').skip(1).filter(|word| word.len() > 3).peekable();
    item.is_verb
        && objects.peek().is_some()
        && item.unit.key != other.unit.key
        && !item.unit.senses.iter().any(|sense| other.unit.senses.contains(sense))
        && !objects.any(said)
}

/// "soft-deleted rows", "rows whose `deleted_at` is set": the word is part of the name.
fn names_it(named: &Item, item: &Item) -> bool {
    let Some(name) = named.unit.name() else { return false };
    let words = name.words();
    item.unit.text.split(' ').map(stem).any(|stem| stem.len() > 3 && words.contains(&stem))
}

/// "Looks at": any action upon a thing is one.
fn looks_only(item: &Item) -> bool {
    matches!(item.unit.key.as_str(), "inspect" | "use" | "touch")
}

/// "every handler in `f`" against "`h` in `f`": a class and one of it, told by a place in common.
fn instance_of(p: &Clause, q: &Clause) -> bool {
    let universal =
        |clause: &Clause| clause.of_subject && matches!(clause.quantifier, Quantifier::All | Quantifier::None);
    if universal(p) == universal(q) {
        return false;
    }
    let (p_names, q_names) = (names(p), names(q));
    p_names.iter().any(|name| q_names.iter().any(|other| name.same(other) || name.holds(other) || other.holds(name)))
}

/// Of the denying clause: the noun of a class, or the name of an instance, as its subject.
fn is_class_or_instance(item: &Item, clause: &Clause) -> bool {
    let subject = !item.is_after_verb && !item.is_verb;
    match clause.quantifier {
        Quantifier::None | Quantifier::All => subject,
        _ => {
            subject && item.unit.name().is_some_and(|name| clause.agent.as_ref().is_some_and(|agent| agent.same(name)))
        }
    }
}

/// "only the first" against "each".
fn part_of_all(p: &Clause, q: &Clause) -> Option<Verdict> {
    if !p.is_partial || q.is_partial || p.negated || q.negated || q.quantifier != Quantifier::All || !same_topic(p, q) {
        return None;
    }
    if !matches!(conditions(p, q), Conditions::Same { .. }) {
        return None;
    }
    let pairing = Pairing::of(&p.items, &q.items);
    let (ours, theirs) = (unanswered(&p.items, &pairing.p_matched, &[]), unanswered(&q.items, &pairing.q_matched, &[]));
    if !pairing.opposed.is_empty() || !ours.is_empty() && !theirs.is_empty() {
        return None;
    }
    found("quantifier", format!("\"{}\" of only a part on one side, of all on the other", shown(p)))
}

/// Each holds a side of one pair of opposites.
fn opposites(p: &Clause, q: &Clause) -> Option<Verdict> {
    if p.negated || q.negated || p.is_possible || q.is_possible || !quantifiers_clash(p, q) || !same_topic(p, q) {
        return None;
    }
    if p.is_opaque || q.is_opaque || !matches!(conditions(p, q), Conditions::Same { .. }) {
        return None;
    }
    let pairing = Pairing::of(&p.items, &q.items);
    let &[(i, j, sense)] = pairing.conflicting()? else { return None };
    if circumstances_differ(&p.items, &pairing.p_matched) || circumstances_differ(&q.items, &pairing.q_matched) {
        return None;
    }
    // What is a property of the subject may be said with any verb of being or having, and be said
    // twice over.
    let settled = |clause: &Clause| clause.items.iter().find(|item| item.is_verb).is_none_or(is_settled);
    let shared = pairing
        .p_matched
        .iter()
        .enumerate()
        .any(|(at, matched)| matched.is_some() && at != i && p.items[at].is_after_verb && !p.items[at].is_verb);
    let is_property =
        sense.is_none_or(|sense| lexicon().kind(sense) == Kind::Is) && (settled(p) || settled(q) || shared);
    // Where one side says it by its verb, the verb of the other need not say the same.
    let is_property = is_property || p.items[i].is_verb != q.items[j].is_verb;
    let matters = |item: &&Item| {
        if item.is_means {
            return false;
        }
        let again = sense.is_some_and(|sense| item.unit.senses.iter().any(|other| other.pair == sense.pair));
        !(again || is_property && item.is_verb || item.unit.quantity().is_some())
    };
    let open =
        |items: &[Item], matched: &[Option<usize>]| unanswered(items, matched, &[]).into_iter().filter(matters).count();
    let (ours, theirs) = (open(&p.items, &pairing.p_matched), open(&q.items, &pairing.q_matched));
    // "rejected above 5 MB", "accepted up to 5 MB": of two ranges.
    let ranged = |items: &[Item], matched: &[Option<usize>]| {
        unanswered(items, matched, &[]).iter().any(|item| item.unit.quantity().is_some())
    };
    if ranged(&p.items, &pairing.p_matched) && ranged(&q.items, &pairing.q_matched) {
        return None;
    }
    let is_pick = sense.is_some_and(|sense| lexicon().kind(sense) == Kind::Pick);
    if ours > 0 && theirs > 0 || is_pick && ours + theirs > 0 {
        return None;
    }
    if let (Some(ours), Some(theirs)) = (described(&p.items, i), described(&q.items, j))
        && !(ours.unit.same(&theirs.unit) || is_weak(ours) || is_weak(theirs))
    {
        return None;
    }
    let only = p.only || q.only || p.quantifier == Quantifier::All || q.quantifier == Quantifier::All;
    if !only && !is_pick && tells_which(&p.items, i) && tells_which(&q.items, j) {
        return None;
    }
    let is_how = sense.is_some_and(|sense| lexicon().kind(sense) == Kind::How);
    if !(orders_agree(p, q) || is_how && p.order.is_none() != q.order.is_none()) {
        return None;
    }
    let rule = if sense.is_none() { "negation" } else { "antonym" };
    found(rule, format!("\"{}\" on one side, \"{}\" on the other", p.items[i].unit.text, q.items[j].unit.text))
}

/// "before" against "after" the same, or the two things changed over.
fn order(p: &Clause, q: &Clause) -> Option<Verdict> {
    let (Some((p_order, p_other)), Some((q_order, q_other))) = (&p.order, &q.order) else { return None };
    if p.negated || q.negated || !same_topic(p, q) {
        return None;
    }
    let without_names =
        |items: &[Item]| -> Vec<Item> { items.iter().filter(|item| item.unit.name().is_none()).cloned().collect() };
    let (p_main, q_main) = (without_names(&p.items), without_names(&q.items));
    let straight = p_order != q_order && alike(&p_main, &q_main) && alike(p_other, q_other);
    let crossed = p_order == q_order && alike(&p_main, q_other) && alike(p_other, &q_main);
    if straight || crossed {
        return found("order", "each puts the same two steps in the other order".to_owned());
    }
    None
}

/// Two numbers of one kind for one thing.
fn numbers(p: &Clause, q: &Clause) -> Option<Verdict> {
    if p.negated || q.negated || p.is_possible || q.is_possible || !same_topic(p, q) || !numbers_clash(p, q) {
        return None;
    }
    if !matches!(conditions(p, q), Conditions::Same { .. }) || !orders_agree(p, q) {
        return None;
    }
    let counted = |clause: &Clause, dimension: &Dimension| {
        clause.items.iter().filter(|item| item.unit.quantity().is_some_and(|one| one.dimension == *dimension)).count()
    };
    let pairing = Pairing::of(&p.items, &q.items);
    if !pairing.opposed.is_empty() {
        return None;
    }
    for (i, ours) in p.items.iter().enumerate() {
        let Some(quantity) = ours.unit.quantity() else { continue };
        for (j, theirs) in q.items.iter().enumerate() {
            let Some(other) = theirs.unit.quantity().filter(|other| quantity.excludes(other)) else { continue };
            if counted(p, &quantity.dimension) > 1 || counted(q, &other.dimension) > 1 {
                continue;
            }
            let (open, their_open) =
                (unanswered(&p.items, &pairing.p_matched, &[i]), unanswered(&q.items, &pairing.q_matched, &[j]));
            let narrower = narrows(&p.items, &pairing.p_matched) || narrows(&q.items, &pairing.q_matched);
            let differ = narrower
                || circumstances_differ(&p.items, &pairing.p_matched)
                || circumstances_differ(&q.items, &pairing.q_matched);
            let by_being =
                [p, q].iter().any(|clause| clause.items.iter().find(|item| item.is_verb).is_some_and(is_settled));
            let acts = |open: &[&Item]| open.iter().any(|item| !(by_being && item.is_verb));
            if !(differ || acts(&open) && acts(&their_open)) {
                return found("number", format!("{} on one side, {} on the other", ours.unit.text, theirs.unit.text));
            }
        }
    }
    None
}

/// "timeout" against "read timeout": a word that tells one attribute from another.
fn narrows(items: &[Item], matched: &[Option<usize>]) -> bool {
    const ATTRIBUTES: [&str; 30] = [
        "timeout",
        "limit",
        "size",
        "delay",
        "port",
        "interval",
        "count",
        "length",
        "ttl",
        "age",
        "threshold",
        "capacity",
        "number",
        "rate",
        "level",
        "version",
        "width",
        "height",
        "period",
        "window",
        "cost",
        "depth",
        "memory",
        "budget",
        "retention",
        "pool",
        "buffer",
        "batch",
        "lifetime",
        "deadline",
    ];
    (0..items.len()).any(|at| {
        let (item, open) = (&items[at], matched[at].is_none());
        let attribute =
            || described(items, at).is_some_and(|head| head.unit.is_any(&ATTRIBUTES) || head.unit.key == "timeout");
        open && item.unit.what == What::Word
            && !item.is_verb
            && !item.unit.is_any(&["default", "whole", "same"])
            && attribute()
    })
}

/// "always 200" clashes with "sometimes 503"; "200" with "sometimes 503" does not.
fn numbers_clash(p: &Clause, q: &Clause) -> bool {
    quantifiers_clash(p, q)
}

/// Verbs with one value, where a name may be the value.
const ONE_VALUED: &[&str] = &[
    "equal",
    "return",
    "default",
    "alia",
    "inherit from",
    "set",
    "defin",
    "nam",
    "typ",
    "resolv",
    "begin",
    "start",
    "answer",
];

/// Verbs that take several values side by side.
const SEVERAL_VALUED: &[&str] = &[
    "accept",
    "support",
    "pars",
    "handl",
    "process",
    "contain",
    "read",
    "import",
    "offer",
    "provid",
    "understand",
    "recogniz",
    "call",
    "log",
    "raise",
    "rais",
    "use table",
    "check",
    "register",
];

/// Two values where there is one.
fn values(p: &Clause, q: &Clause) -> Option<Verdict> {
    if p.negated || q.negated || p.is_possible || q.is_possible || !quantifiers_clash(p, q) || !same_topic(p, q) {
        return None;
    }
    if !matches!(conditions(p, q), Conditions::Same { .. }) || !orders_agree(p, q) {
        return None;
    }
    let pairing = Pairing::of(&p.items, &q.items);
    if !pairing.opposed.is_empty() {
        return None;
    }
    let one_valued = is_one_valued(p) && is_one_valued(q);
    let several = [p, q].iter().any(|clause| {
        !clause.only && clause.items.iter().any(|item| item.is_verb && SEVERAL_VALUED.contains(&item.unit.key.as_str()))
    });
    if several {
        return None;
    }
    for (i, ours) in p.items.iter().enumerate().filter(|(i, _)| pairing.p_matched[*i].is_none()) {
        for (j, theirs) in q.items.iter().enumerate().filter(|(j, _)| pairing.q_matched[*j].is_none()) {
            if !exclude(ours, theirs, one_valued) {
                continue;
            }
            let (open, their_open) =
                (unanswered(&p.items, &pairing.p_matched, &[i]), unanswered(&q.items, &pairing.q_matched, &[j]));
            let differ = circumstances_differ(&p.items, &pairing.p_matched)
                || circumstances_differ(&q.items, &pairing.q_matched);
            if (open.is_empty() || their_open.is_empty()) && !differ {
                let because =
                    format!("one value, \"{}\" on one side, \"{}\" on the other", ours.unit.text, theirs.unit.text);
                return found("one-value", because);
            }
        }
    }
    None
}

fn is_one_valued(clause: &Clause) -> bool {
    let verb = clause.items.iter().find(|item| item.is_verb);
    verb.map_or(clause.is_state || clause.is_passive, |verb| ONE_VALUED.contains(&verb.unit.key.as_str()))
}

/// Whether two words are values that exclude each other.
fn exclude(ours: &Item, theirs: &Item, one_valued: bool) -> bool {
    let family = |item: &Item| match &item.unit.what {
        What::Word => {
            let stems: Vec<String> = item.unit.text.split(' ').map(stem).collect();
            lexicon().families(&stems.join(" "))
        }
        What::Name(name) => lexicon().families(&stem(&name.text().to_lowercase())),
        What::Quantity(_) | What::Mark(_) => &[],
    };
    if ours.is_relative || theirs.is_relative {
        return false;
    }
    let families = family(ours);
    if families.iter().any(|(of, value)| family(theirs).iter().any(|(other, their)| of == other && value != their)) {
        return ours.is_after_verb && theirs.is_after_verb || ours.unit.is_literal && theirs.unit.is_literal;
    }
    if !one_valued {
        return false;
    }
    match (&ours.unit.what, &theirs.unit.what) {
        (What::Name(a), What::Name(b)) => a.is_path == b.is_path && ours.is_after_verb && theirs.is_after_verb,
        (What::Word, What::Word) => ours.unit.is_literal && theirs.unit.is_literal,
        // `Lax` and `None`.
        (What::Name(_), What::Word) | (What::Word, What::Name(_)) => {
            (ours.unit.is_literal || theirs.unit.is_literal) && ours.is_after_verb && theirs.is_after_verb
        }
        _ => false,
    }
}

/// Raises on one side, gives something back on the other, in the same case.
fn outcomes(p: &Clause, q: &Clause) -> Option<Verdict> {
    if p.negated || q.negated || p.is_possible || q.is_possible || !same_topic(p, q) {
        return None;
    }
    let verb = |clause: &Clause| clause.items.iter().find(|item| item.is_verb).map(|item| item.unit.clone());
    let raises = |key: &str| matches!(key, "rais" | "panic" | "crash" | "abort");
    let returns = |key: &str| matches!(key, "return" | "answer" | "redirect" | "resolv");
    let (ours, theirs) = (verb(p)?, verb(q)?);
    if !(raises(&ours.key) && returns(&theirs.key) || returns(&ours.key) && raises(&theirs.key)) {
        return None;
    }
    let circumstance =
        |clause: &Clause| -> Vec<Item> { clause.items.iter().filter(|item| item.is_circumstance).cloned().collect() };
    let same_case = match conditions(p, q) {
        Conditions::Same { some: true } => true,
        Conditions::Same { some: false } => {
            let (ours, theirs) = (circumstance(p), circumstance(q));
            !ours.is_empty() && !theirs.is_empty() && alike(&ours, &theirs)
        }
        _ => false,
    };
    if same_case {
        return found(
            "outcome",
            format!("\"{}\" on one side, \"{}\" on the other, in the same case", ours.text, theirs.text),
        );
    }
    None
}

/// "Only `a` does it", and `b` does.
fn sole(p: &Clause, q: &Clause) -> Option<Verdict> {
    if !p.only || q.negated || q.is_possible {
        return None;
    }
    let p_agent = p.agent.as_ref()?;
    let q_agent = q.agent.as_ref().filter(|agent| !agent.same(p_agent))?;
    // One that the claim with "only" speaks of is what it is done to.
    if names(p).iter().any(|name| name.same(q_agent)) || names(q).iter().any(|name| name.same(p_agent)) {
        return None;
    }
    if matches!(conditions(p, q), Conditions::Different) {
        return None;
    }
    let done: Vec<Item> =
        p.items.iter().filter(|item| !item.unit.name().is_some_and(|name| name.same(p_agent))).cloned().collect();
    let (mut said, mut acts) = (0, false);
    let acts_by_noun = |item: &Item| q.items.iter().any(|other| agent_noun_of(item, other));
    let names_a_kind = |item: &Item| item.unit.is_small(Small::Kind) && !item.is_verb;
    let matters = |item: &&Item| {
        acts_by_noun(item) || !names_a_kind(item) && !is_weak(&Item { is_relative: false, ..(*item).clone() })
    };
    for item in done.iter().filter(matters) {
        let acting = |other: &&Item| item.unit.same(&other.unit) || agent_noun_of(item, other);
        let other = q.items.iter().find(acting)?;
        said += 1;
        acts |= other.is_verb;
    }
    if said >= 2 && acts || said >= 1 && acts && done.len() == 1 {
        return found(
            "exclusive",
            format!("only `{}` by one, `{}` as well by the other", p_agent.text(), q_agent.text()),
        );
    }
    None
}

/// "caller" of "calls".
fn agent_noun_of(noun: &Item, verb: &Item) -> bool {
    let text = &noun.unit.text;
    let singular = text.strip_suffix('s').unwrap_or(text);
    let action = singular.strip_suffix("er").or_else(|| singular.strip_suffix("or"));
    verb.is_verb
        && action.is_some_and(|action| {
            let actions = [stem(action), stem(&format!("{action}e"))];
            actions.contains(&verb.unit.key) || actions.contains(&stem(&verb.unit.text))
        })
}

/// A clause in short, for people.
fn shown(clause: &Clause) -> String {
    let words: Vec<&str> =
        clause.items.iter().filter(|item| !item.is_inherited).map(|item| item.unit.text.as_str()).collect();
    words.join(" ")
}
