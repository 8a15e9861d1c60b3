//! Conflicts between assertions (contract §10.4 i–iii): exact, within a group and across groups.

use super::Verdict;
use atlas_artifact::Assertion;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Relations that have one value (§10.4 ii).
const ONE_VALUED: [&str; 5] = ["returns", "defaults_to", "equals", "count", "defined_in"];

/// An assertion in the form in which it is compared: names are numbers, equal for equal names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stated {
    pub subject: u32,
    pub relation: u32,
    pub object: u32,
    pub polarity: bool,
    pub exclusive: bool,
}

/// The names of assertions. Subjects and objects are compared trimmed, with `#` and `::` read as
/// `.`; relations as they are.
#[derive(Debug)]
pub struct Names {
    numbers: FxHashMap<String, u32>,
    texts: Vec<String>,
}

impl Names {
    pub fn new() -> Self {
        let mut names = Self { numbers: FxHashMap::default(), texts: Vec::new() };
        for relation in ONE_VALUED {
            names.number(relation);
        }
        names
    }

    pub fn state(&mut self, assertion: &Assertion) -> Stated {
        Stated {
            subject: self.comparable(&assertion.subject),
            relation: self.number(&assertion.relation),
            object: self.comparable(&assertion.object),
            polarity: assertion.polarity,
            exclusive: assertion.exclusive,
        }
    }

    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    fn comparable(&mut self, name: &str) -> u32 {
        let name = name.trim();
        if name.contains("::") || name.contains('#') {
            return self.number(&name.replace("::", ".").replace('#', "."));
        }
        self.number(name)
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.texts.push(name.to_owned());
        number
    }
}

impl Stated {
    /// The one-valued relations are the first names of all.
    fn is_one_valued(&self) -> bool {
        (self.relation as usize) < ONE_VALUED.len()
    }
}

fn between(a: &Stated, b: &Stated, names: &Names) -> Option<Verdict> {
    if a.relation != b.relation {
        return None;
    }
    let (same_subject, same_object) = (a.subject == b.subject, a.object == b.object);
    let (subject, relation, object) = (names.text(a.subject), names.text(a.relation), names.text(a.object));
    if same_subject && same_object && a.polarity != b.polarity {
        let because = format!("one says that `{subject}` {relation} `{object}`, the other that it does not");
        return Some(Verdict { rule: "polarity", because });
    }
    if !(a.polarity && b.polarity) {
        return None;
    }
    if same_subject && !same_object && a.is_one_valued() {
        let because = format!("`{subject}` {relation} one value, not both `{object}` and `{}`", names.text(b.object));
        return Some(Verdict { rule: "one-value", because });
    }
    if same_object && !same_subject && (a.exclusive || b.exclusive) {
        let (only, other) = if a.exclusive { (a, b) } else { (b, a) };
        return Some(exclusive(only, other, names));
    }
    None
}

fn exclusive(only: &Stated, other: &Stated, names: &Names) -> Verdict {
    let (by, relation, object) = (names.text(only.subject), names.text(only.relation), names.text(only.object));
    let because =
        format!("only `{by}` {relation} `{object}` by one, `{}` does by the other", names.text(other.subject));
    Verdict { rule: "exclusive", because }
}

/// The first pair in key order of members of a group whose assertions conflict.
pub fn first_pair(members: &[Option<Stated>], names: &Names) -> Option<(usize, usize, Verdict)> {
    let stated: Vec<(usize, Stated)> =
        members.iter().enumerate().filter_map(|(at, stated)| Some((at, (*stated)?))).collect();
    let (a, b) = first_pair_of(&stated, names)?;
    let verdict = between(&stated[a].1, &stated[b].1, names).expect("the pair was found to conflict");
    Some((stated[a].0, stated[b].0, verdict))
}

/// Groups up to this size are tried pair by pair, which is quicker there.
const FEW: usize = 16;

fn first_pair_of(stated: &[(usize, Stated)], names: &Names) -> Option<(usize, usize)> {
    if stated.len() > FEW {
        return first_pair_of_many(stated);
    }
    (0..stated.len())
        .flat_map(|a| (a + 1..stated.len()).map(move |b| (a, b)))
        .find(|(a, b)| between(&stated[*a].1, &stated[*b].1, names).is_some())
}

/// The smallest position among those that share a key, and the smallest whose other side differs
/// from that one's: enough to find the first that differs from any given one.
#[derive(Debug, Clone, Copy)]
struct Firsts {
    first: usize,
    other: Option<usize>,
}

type FirstsBy = FxHashMap<(u32, u32), Firsts>;

fn note(map: &mut FirstsBy, key: (u32, u32), at: usize, differs: impl Fn(usize) -> bool) {
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
fn first_pair_of_many(stated: &[(usize, Stated)]) -> Option<(usize, usize)> {
    let mut by_fact: FxHashMap<(u32, u32, u32, bool), usize> = FxHashMap::default();
    let (mut by_subject, mut by_object, mut by_object_exclusive) =
        (FirstsBy::default(), FirstsBy::default(), FirstsBy::default());
    for (at, (_, one)) in stated.iter().enumerate() {
        by_fact.entry((one.subject, one.relation, one.object, one.polarity)).or_insert(at);
        if !one.polarity {
            continue;
        }
        if one.is_one_valued() {
            note(&mut by_subject, (one.relation, one.subject), at, |first| stated[first].1.object != one.object);
        }
        let other_subject = |first: usize| stated[first].1.subject != one.subject;
        note(&mut by_object, (one.relation, one.object), at, other_subject);
        if one.exclusive {
            note(&mut by_object_exclusive, (one.relation, one.object), at, other_subject);
        }
    }
    for (at, (_, one)) in stated.iter().enumerate() {
        let opposite = by_fact.get(&(one.subject, one.relation, one.object, !one.polarity)).copied();
        let differing = |map: &FirstsBy, key: (u32, u32), same: &dyn Fn(usize) -> bool| {
            let firsts = map.get(&key).filter(|_| one.polarity)?;
            if same(firsts.first) { firsts.other } else { Some(firsts.first) }
        };
        let same_subject = |other: usize| stated[other].1.subject == one.subject;
        let value = differing(&by_subject, (one.relation, one.subject), &|other| stated[other].1.object == one.object);
        let holders = if one.exclusive { &by_object } else { &by_object_exclusive };
        let sole = differing(holders, (one.relation, one.object), &same_subject);
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
    by: BTreeMap<u32, BTreeSet<u32>>,
    only_by: BTreeMap<u32, BTreeSet<u32>>,
}

/// Applies rule (iii) to findings, each given by the assertions of its members.
pub fn across(findings: &[&[Stated]], names: &Names, pairs_max: usize) -> Across {
    let all = || {
        let numbered = findings.iter().enumerate();
        numbered.flat_map(|(at, stated)| stated.iter().map(move |one| (at as u32, one))).filter(|(_, one)| one.polarity)
    };
    let exclusive_facts: FxHashSet<(u32, u32)> =
        all().filter(|(_, one)| one.exclusive).map(|(_, one)| (one.relation, one.object)).collect();
    let mut said: BTreeMap<(u32, u32), Said> = BTreeMap::new();
    for (at, one) in all().filter(|(_, one)| exclusive_facts.contains(&(one.relation, one.object))) {
        let said = said.entry((one.relation, one.object)).or_default();
        said.by.entry(one.subject).or_default().insert(at);
        if one.exclusive {
            said.only_by.entry(one.subject).or_default().insert(at);
        }
    }
    let mut out = Across::default();
    for said in said.values() {
        mark(&said.by, &said.only_by, &mut out.disputed);
        mark(&said.only_by, &said.by, &mut out.disputed);
    }
    for ((relation, object), said) in &said {
        for (only, only_findings) in &said.only_by {
            for (other, other_findings) in said.by.iter().filter(|(other, _)| *other != only) {
                let stated = |subject: u32, exclusive: bool| Stated {
                    subject,
                    relation: *relation,
                    object: *object,
                    polarity: true,
                    exclusive,
                };
                let verdict = exclusive(&stated(*only, true), &stated(*other, false), names);
                for &a in only_findings {
                    for &b in other_findings.iter().filter(|b| **b != a) {
                        if out.partners.contains_key(&(a, b)) {
                            continue;
                        }
                        if out.partners.len() >= pairs_max {
                            out.cut = true;
                            return out;
                        }
                        out.partners.insert((a, b), verdict.clone());
                        out.partners.insert((b, a), verdict.clone());
                    }
                }
            }
        }
    }
    out
}

/// Marks every finding of `ours` that another finding of `theirs` opposes by another subject. The
/// search ends at once but for subjects that this very finding alone speaks of.
fn mark(ours: &BTreeMap<u32, BTreeSet<u32>>, theirs: &BTreeMap<u32, BTreeSet<u32>>, disputed: &mut BTreeSet<u32>) {
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

    fn assertion() -> impl Strategy<Value = Assertion> {
        let name = |names: &'static [&'static str]| prop::sample::select(names).prop_map(str::to_owned);
        (
            name(&["a.b", "a#b", " a::b", "c", "d"]),
            name(&["writes", "returns"]),
            name(&["t", "u"]),
            any::<bool>(),
            any::<bool>(),
        )
            .prop_map(|(subject, relation, object, polarity, exclusive)| Assertion {
                subject,
                relation,
                object,
                polarity,
                exclusive,
            })
    }

    proptest! {
        #[test]
        fn the_first_pair_is_that_of_trying_all(all in prop::collection::vec(assertion(), 0..12)) {
            let mut names = Names::new();
            let all: Vec<(usize, Stated)> = all.iter().map(|one| names.state(one)).enumerate().collect();
            prop_assert_eq!(first_pair_of_many(&all), first_pair_of(&all, &names));
        }

        #[test]
        fn conflict_is_symmetric(a in assertion(), b in assertion()) {
            let mut names = Names::new();
            let (a, b) = (names.state(&a), names.state(&b));
            prop_assert_eq!(between(&a, &b, &names).map(|v| v.rule), between(&b, &a, &names).map(|v| v.rule));
        }

        #[test]
        fn a_cut_leaves_no_dispute_unmarked(
            all in prop::collection::vec(prop::collection::vec(assertion(), 0..3), 0..8), pairs_max in 0usize..6,
        ) {
            let mut names = Names::new();
            let all: Vec<Vec<Stated>> = all.iter().map(|some| some.iter().map(|one| names.state(one)).collect()).collect();
            let all: Vec<&[Stated]> = all.iter().map(Vec::as_slice).collect();
            let (whole, cut) = (across(&all, &names, usize::MAX), across(&all, &names, pairs_max));
            let in_pairs: BTreeSet<u32> = whole.partners.keys().map(|(a, _)| *a).collect();
            prop_assert_eq!(&whole.disputed, &in_pairs);
            prop_assert_eq!(&cut.disputed, &whole.disputed);
            prop_assert_eq!(cut.cut, cut.partners.len() < whole.partners.len());
        }
    }
}
