//! Conflicts between assertions (contract §10.4 i–iii): exact, within a group and across groups.

use super::Verdict;
use crate::check::Accepted;
use crate::group::comparable;
use atlas_artifact::Assertion;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Relations that have one value (§10.4 ii).
const ONE_VALUED: [&str; 5] = ["returns", "defaults_to", "equals", "count", "defined_in"];

/// An assertion in the form in which it is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Stated {
    subject: String,
    relation: String,
    object: String,
    polarity: bool,
    exclusive: bool,
}

impl Stated {
    fn of(assertion: &Assertion) -> Self {
        Self {
            subject: comparable(&assertion.subject),
            relation: assertion.relation.clone(),
            object: comparable(&assertion.object),
            polarity: assertion.polarity,
            exclusive: assertion.exclusive,
        }
    }
}

fn between(a: &Stated, b: &Stated) -> Option<Verdict> {
    if a.relation != b.relation {
        return None;
    }
    let (same_subject, same_object) = (a.subject == b.subject, a.object == b.object);
    let relation = &a.relation;
    if same_subject && same_object && a.polarity != b.polarity {
        let because = format!("one says that `{}` {relation} `{}`, the other that it does not", a.subject, a.object);
        return Some(Verdict { rule: "polarity", because });
    }
    if !(a.polarity && b.polarity) {
        return None;
    }
    if same_subject && !same_object && ONE_VALUED.contains(&relation.as_str()) {
        let because = format!("`{}` {relation} one value, not both `{}` and `{}`", a.subject, a.object, b.object);
        return Some(Verdict { rule: "one-value", because });
    }
    if same_object && !same_subject && (a.exclusive || b.exclusive) {
        let (only, other) = if a.exclusive { (a, b) } else { (b, a) };
        return Some(exclusive(&only.subject, relation, &a.object, &other.subject));
    }
    None
}

fn exclusive(only: &str, relation: &str, object: &str, other: &str) -> Verdict {
    let because = format!("only `{only}` {relation} `{object}` by one, `{other}` does by the other");
    Verdict { rule: "exclusive", because }
}

/// The first pair in key order of members whose assertions conflict.
pub fn first_pair(members: &[Accepted]) -> Option<(usize, usize, Verdict)> {
    let stated: Vec<(usize, Stated)> = members
        .iter()
        .enumerate()
        .filter_map(|(at, member)| Some((at, Stated::of(member.assertion.as_ref()?))))
        .collect();
    let (a, b) = first_pair_of(&stated)?;
    let verdict = between(&stated[a].1, &stated[b].1).expect("the pair was found to conflict");
    Some((stated[a].0, stated[b].0, verdict))
}

/// The smallest position among those that share a key, and the smallest whose other side differs
/// from that one's: enough to find the first that differs from any given one.
#[derive(Debug, Clone, Copy)]
struct Firsts {
    first: usize,
    other: Option<usize>,
}

type FirstsBy<'a> = FxHashMap<(&'a str, &'a str), Firsts>;

fn note<'a>(map: &mut FirstsBy<'a>, key: (&'a str, &'a str), at: usize, differs: impl Fn(usize) -> bool) {
    map.entry(key)
        .and_modify(|firsts| {
            if firsts.other.is_none() && differs(firsts.first) {
                firsts.other = Some(at);
            }
        })
        .or_insert(Firsts { first: at, other: None });
}

/// Positions of the first conflicting pair. The partner of the first member that has any comes
/// after it, or it would have been found from there; so the smallest partner is the right one.
fn first_pair_of(stated: &[(usize, Stated)]) -> Option<(usize, usize)> {
    let mut by_fact: FxHashMap<(&str, &str, &str, bool), usize> = FxHashMap::default();
    let (mut by_subject, mut by_object, mut by_object_exclusive) =
        (FirstsBy::default(), FirstsBy::default(), FirstsBy::default());
    for (at, (_, one)) in stated.iter().enumerate() {
        by_fact.entry((&one.subject, &one.relation, &one.object, one.polarity)).or_insert(at);
        if !one.polarity {
            continue;
        }
        if ONE_VALUED.contains(&one.relation.as_str()) {
            note(&mut by_subject, (&one.relation, &one.subject), at, |first| stated[first].1.object != one.object);
        }
        let other_subject = |first: usize| stated[first].1.subject != one.subject;
        note(&mut by_object, (&one.relation, &one.object), at, other_subject);
        if one.exclusive {
            note(&mut by_object_exclusive, (&one.relation, &one.object), at, other_subject);
        }
    }
    for (at, (_, one)) in stated.iter().enumerate() {
        let opposite = by_fact.get(&(&one.subject, &one.relation, &one.object, !one.polarity)).copied();
        let differing = |map: &FirstsBy<'_>, key: (&str, &str), same: &dyn Fn(usize) -> bool| {
            let firsts = map.get(&key).filter(|_| one.polarity)?;
            if same(firsts.first) { firsts.other } else { Some(firsts.first) }
        };
        let same_subject = |other: usize| stated[other].1.subject == one.subject;
        let value =
            differing(&by_subject, (&one.relation, &one.subject), &|other| stated[other].1.object == one.object);
        let holders = if one.exclusive { &by_object } else { &by_object_exclusive };
        let sole = differing(holders, (&one.relation, &one.object), &same_subject);
        if let Some(partner) = [opposite, value, sole].into_iter().flatten().min() {
            return Some((at, partner));
        }
    }
    None
}

/// What rule (iii) finds between findings of different groups.
#[derive(Debug, Default)]
pub struct Across {
    /// Every finding that is in dispute with another.
    pub disputed: BTreeSet<u32>,
    /// Pairs, both ways, ascending, with the first reason found. Cut at `pairs_max`.
    pub partners: BTreeMap<(u32, u32), Verdict>,
    /// Whether pairs were left out.
    pub cut: bool,
}

/// What is said of one relation and object: subject → findings, and those that say "only".
#[derive(Default)]
struct Said {
    by: BTreeMap<String, BTreeSet<u32>>,
    only_by: BTreeMap<String, BTreeSet<u32>>,
}

/// Applies rule (iii) to findings, each given by the assertions of its members.
pub fn across(findings: &[&[Assertion]], pairs_max: usize) -> Across {
    let mut said: BTreeMap<(String, String), Said> = BTreeMap::new();
    for (at, assertions) in findings.iter().enumerate() {
        for one in assertions.iter().map(Stated::of).filter(|one| one.polarity) {
            let said = said.entry((one.relation, one.object)).or_default();
            if one.exclusive {
                said.only_by.entry(one.subject.clone()).or_default().insert(at as u32);
            }
            said.by.entry(one.subject).or_default().insert(at as u32);
        }
    }
    said.retain(|_, said| !said.only_by.is_empty());
    let mut out = Across::default();
    for said in said.values() {
        mark(&said.by, &said.only_by, &mut out.disputed);
        mark(&said.only_by, &said.by, &mut out.disputed);
    }
    'all: for ((relation, object), said) in &said {
        for (only, only_findings) in &said.only_by {
            for (other, other_findings) in said.by.iter().filter(|(other, _)| *other != only) {
                for &a in only_findings {
                    for &b in other_findings.iter().filter(|b| **b != a) {
                        if out.partners.len() >= pairs_max {
                            out.cut = true;
                            break 'all;
                        }
                        let verdict = exclusive(only, relation, object, other);
                        out.partners.entry((a, b)).or_insert_with(|| verdict.clone());
                        out.partners.entry((b, a)).or_insert(verdict);
                    }
                }
            }
        }
    }
    out
}

/// Marks every finding of `ours` that another finding of `theirs` opposes by another subject. The
/// search ends at once but for subjects that this very finding alone speaks of.
fn mark(
    ours: &BTreeMap<String, BTreeSet<u32>>,
    theirs: &BTreeMap<String, BTreeSet<u32>>,
    disputed: &mut BTreeSet<u32>,
) {
    for (subject, findings) in ours {
        for finding in findings {
            let mut others = theirs.iter().filter(|(other, _)| *other != subject);
            if others.any(|(_, others)| others.iter().take(2).any(|other| other != finding)) {
                disputed.insert(*finding);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stated() -> impl Strategy<Value = Stated> {
        let name = |names: &'static [&'static str]| prop::sample::select(names).prop_map(str::to_owned);
        (name(&["a", "b", "c"]), name(&["writes", "returns"]), name(&["t", "u"]), any::<bool>(), any::<bool>())
            .prop_map(|(subject, relation, object, polarity, exclusive)| Stated {
                subject,
                relation,
                object,
                polarity,
                exclusive,
            })
    }

    proptest! {
        #[test]
        fn the_first_pair_is_that_of_trying_all(all in prop::collection::vec(stated(), 0..12)) {
            let all: Vec<(usize, Stated)> = all.into_iter().enumerate().collect();
            let tried = (0..all.len())
                .flat_map(|a| (a + 1..all.len()).map(move |b| (a, b)))
                .find(|(a, b)| between(&all[*a].1, &all[*b].1).is_some());
            prop_assert_eq!(first_pair_of(&all), tried);
        }

        #[test]
        fn conflict_is_symmetric(a in stated(), b in stated()) {
            prop_assert_eq!(between(&a, &b).map(|v| v.rule), between(&b, &a).map(|v| v.rule));
        }
    }
}
