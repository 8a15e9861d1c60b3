//! What two clauses have in common (contract §10.4, by words): which words answer each other, whether
//! both may speak of one thing, and whether under the same conditions.

use super::clause::{Clause, Condition, Item, Quantifier};
use super::lexicon::{Kind, Sense, Small, lexicon};
use super::stem::{Ending, stem};
use super::token::Name;
use super::unit::What;

/// Which words of two clauses say the same, and which the opposite.
pub struct Pairing {
    pub p_matched: Vec<Option<usize>>,
    pub q_matched: Vec<Option<usize>>,
    pub opposed: Vec<(usize, usize, Option<Sense>)>,
}

impl Pairing {
    pub fn of(p: &[Item], q: &[Item]) -> Self {
        let mut out = Self { p_matched: vec![None; p.len()], q_matched: vec![None; q.len()], opposed: Vec::new() };
        for (i, item) in p.iter().enumerate() {
            // A head is matched with a head where there is one.
            let found = |out: &Self, head: bool| {
                (0..q.len())
                    .find(|j| out.q_matched[*j].is_none() && q[*j].is_head == head && item.unit.same(&q[*j].unit))
            };
            let again = |head: bool| (0..q.len()).find(|j| q[*j].is_head == head && item.unit.same(&q[*j].unit));
            let found = found(&out, item.is_head)
                .or_else(|| found(&out, !item.is_head))
                .or_else(|| again(item.is_head))
                .or_else(|| again(!item.is_head));
            if let Some(j) = found {
                out.p_matched[i] = Some(j);
                out.q_matched[j].get_or_insert(i);
            }
        }
        for (j, item) in q.iter().enumerate() {
            if out.q_matched[j].is_none() {
                out.q_matched[j] = (0..p.len()).find(|i| item.unit.same(&p[*i].unit));
            }
        }
        for (i, left) in p.iter().enumerate() {
            for (j, right) in q.iter().enumerate() {
                let free = out.p_matched[i].is_none() && out.q_matched[j].is_none();
                if free && let Some(sense) = left.unit.opposes(&right.unit) {
                    out.opposed.push((i, j, sense));
                    (out.p_matched[i], out.q_matched[j]) = (Some(j), Some(i));
                }
            }
        }
        out
    }

    /// Opposites that make a conflict; none if any only tells two things apart.
    pub fn conflicting(&self) -> Option<&[(usize, usize, Option<Sense>)]> {
        let is_mark = |sense: &Option<Sense>| sense.is_some_and(|sense| lexicon().kind(sense) == Kind::Mark);
        (!self.opposed.iter().any(|(_, _, sense)| is_mark(sense))).then_some(&self.opposed)
    }
}

/// Hardly tells one thing from another.
pub fn is_weak(item: &Item) -> bool {
    let unit = &item.unit;
    let vague = || unit.is_small(Small::Weak) || item.is_head && (unit.text.ends_with("ly") || unit.is("first"));
    item.is_relative || item.is_label || unit.what == What::Word && !item.is_verb && vague()
}

/// Items that nothing in the other clause answers to and that matter.
pub fn unanswered<'a>(items: &'a [Item], matched: &[Option<usize>], but: &[usize]) -> Vec<&'a Item> {
    let open = items.iter().zip(matched).enumerate();
    open.filter(|(at, (item, matched))| matched.is_none() && !but.contains(at) && !is_weak(item))
        .map(|(_, (item, _))| item)
        .collect()
}

pub fn names(clause: &Clause) -> Vec<&Name> {
    clause.items.iter().filter_map(|item| item.unit.name()).collect()
}

/// Whether both clauses may be about one thing: a name in common and no other agent; without any
/// name, the same subject.
pub fn same_topic(p: &Clause, q: &Clause) -> bool {
    let (p_names, q_names) = (names(p), names(q));
    if p_names.is_empty() && q_names.is_empty() {
        let subject = |clause: &Clause| -> Vec<Item> {
            clause.items.iter().filter(|item| !item.is_after_verb && !item.is_verb).cloned().collect()
        };
        let (ours, theirs) = (subject(p), subject(q));
        let known = |subject: &[Item], clause: &Clause| {
            !subject.is_empty()
                && subject.iter().all(|item| clause.items.iter().any(|other| item.unit.same(&other.unit)))
        };
        return known(&ours, q) && known(&theirs, p);
    }
    if p_names.is_empty() != q_names.is_empty() {
        // "Log lines go to …", "`setup` sends log lines to …": the subject of the one is named by the other.
        let (nameless, named) = if p_names.is_empty() { (p, q) } else { (q, p) };
        let mut subject =
            nameless.items.iter().filter(|item| !item.is_after_verb && !item.is_verb && !is_weak(item)).peekable();
        return subject.peek().is_some()
            && subject.all(|item| named.items.iter().any(|other| item.unit.same(&other.unit)));
    }
    if !p_names.iter().any(|name| q_names.iter().any(|other| name.same(other))) {
        return false;
    }
    match (&p.agent, &q.agent) {
        (Some(a), Some(b)) if !a.same(b) => {
            let known = |name: &Name, names: &[&Name]| names.iter().any(|other| name.same(other));
            // "`f` requires `x`", "the parameter `x` of `f` is optional".
            if (p.is_state || q.is_state) && known(a, &q_names) && known(b, &p_names) {
                return true;
            }
            // "is set in `x`" names a place as often as an agent.
            p.agent_is_place && q_names.iter().any(|name| name.same(a))
                || q.agent_is_place && p_names.iter().any(|name| name.same(b))
        }
        _ => true,
    }
}

pub enum Conditions {
    /// None on either side, or the same on both.
    Same {
        some: bool,
    },
    /// One side has conditions that the other has not: which.
    OnlyP,
    OnlyQ,
    Different,
}

pub fn conditions(p: &Clause, q: &Clause) -> Conditions {
    match (p.conditions.is_empty(), q.conditions.is_empty()) {
        (true, true) => Conditions::Same { some: false },
        (false, true) if covered(&p.conditions, &q.items) => Conditions::Same { some: true },
        (true, false) if covered(&q.conditions, &p.items) => Conditions::Same { some: true },
        (false, true) => Conditions::OnlyP,
        (true, false) => Conditions::OnlyQ,
        (false, false) => {
            let meet = |ours: &[Condition], theirs: &[Condition]| {
                ours.iter().all(|one| theirs.iter().any(|other| same_condition(one, other)))
            };
            if meet(&p.conditions, &q.conditions) || meet(&q.conditions, &p.conditions) {
                Conditions::Same { some: true }
            } else {
                Conditions::Different
            }
        }
    }
}

/// A condition that the other clause states as a phrase: "if the password is wrong", "to a wrong password".
fn covered(conditions: &[Condition], items: &[Item]) -> bool {
    conditions.iter().all(|condition| {
        let heads = || condition.items.iter().filter(|item| !is_weak(item));
        !condition.negated
            && heads().count() > 0
            && heads().all(|item| items.iter().any(|other| item.unit.same(&other.unit)))
    })
}

fn same_condition(one: &Condition, other: &Condition) -> bool {
    let pairing = Pairing::of(&one.items, &other.items);
    let opposite = pairing.opposed.len() % 2 == 1;
    let (ours, theirs) =
        (unanswered(&one.items, &pairing.p_matched, &[]), unanswered(&other.items, &pairing.q_matched, &[]));
    let literals = |items: &[&Item]| items.iter().any(|item| item.unit.is_literal);
    let met = pairing.p_matched.iter().any(Option::is_some);
    met && (one.negated != opposite) == other.negated
        && (ours.is_empty() || theirs.is_empty())
        && !(literals(&ours) || literals(&theirs))
}

/// Whether what is said of some can clash with what is said of how many.
pub fn quantifiers_clash(p: &Clause, q: &Clause) -> bool {
    use Quantifier::{All, Most, None, NotAll, Plain, Some};
    match (p.quantifier, q.quantifier) {
        (Most, _) | (_, Most) => false,
        (Some | NotAll, Some | NotAll) => false,
        (Some | NotAll, Plain) | (Plain, Some | NotAll) => false,
        (Plain | All | None, _) | (_, All | None) => true,
    }
}

/// Says of whom something holds, where that leaves room for others: unmatched circumstances.
pub fn circumstances_differ(items: &[Item], matched: &[Option<usize>]) -> bool {
    items.iter().zip(matched).any(|(item, matched)| item.is_circumstance && matched.is_none() && !is_weak(item))
}

pub fn orders_agree(p: &Clause, q: &Clause) -> bool {
    match (&p.order, &q.order) {
        (None, None) => true,
        (Some((a, ours)), Some((b, theirs))) => a == b && alike(ours, theirs),
        _ => false,
    }
}

/// Whether one of two phrases says no more than the other.
pub fn alike(a: &[Item], b: &[Item]) -> bool {
    let pairing = Pairing::of(a, b);
    let met = pairing.p_matched.iter().any(Option::is_some);
    let (ours, theirs) = (unanswered(a, &pairing.p_matched, &[]), unanswered(b, &pairing.q_matched, &[]));
    met && pairing.opposed.is_empty() && (ours.is_empty() || theirs.is_empty())
}

/// The noun that a modifier stands before.
pub fn described(items: &[Item], at: usize) -> Option<&Item> {
    if items[at].is_head || items[at].is_verb {
        return None;
    }
    items[at + 1..].iter().find(|item| item.is_head && !item.is_inherited)
}

/// "signed requests": says which of many are meant, not how they are.
pub fn tells_which(items: &[Item], at: usize) -> bool {
    let plural =
        |item: &Item| item.unit.what == What::Word && item.unit.ending == Ending::S && !item.is_verb && !is_weak(item);
    !items[at].is_head && !items[at].is_verb && items.get(at + 1).is_some_and(plural)
}

/// A verb that says how something is rather than what it does.
pub fn is_settled(verb: &Item) -> bool {
    const SETTLED: [&str; 14] = [
        "keep", "hold", "store", "use", "work", "run", "lay", "take", "treat", "serve", "return", "accept", "have",
        "come",
    ];
    let verb = stem(verb.unit.text.split(' ').next().unwrap_or_default());
    SETTLED.iter().any(|settled| stem(settled) == verb)
}
