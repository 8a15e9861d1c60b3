//! Which claims cannot both be true (contract §10.4), and by which rule.
//!
//! Between two assertions the rules are exact (`assertion`); where one of two claims has none, their
//! words decide ([`by_words`]). What is deliberately *not* here: which claim is right.

mod assertion;
mod clause;
mod compare;
mod lexicon;
mod quantity;
mod split;
mod stem;
mod token;
mod unit;

pub use assertion::{Names, Stated, across};

use crate::check::Accepted;

/// Why two claims conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The rule's name: `polarity`, `one-value`, `exclusive`, or one of the rules by words.
    pub rule: &'static str,
    /// What the rule saw, in words.
    pub because: String,
}

/// Distinct claims of one group that are compared by words, each with each; a group has more only
/// when it is made to.
pub const WORDED_CLAIMS_MAX: usize = 128;

/// The first pair in key order of the members of a group that conflict.
pub fn first_pair(members: &[Accepted], names: &Names) -> Option<(usize, usize, Verdict)> {
    if members.len() < 2 {
        return None;
    }
    let stated: Vec<Option<Stated>> = members.iter().map(|member| member.stated).collect();
    let exact = assertion::first_pair(&stated, names);
    let worded = first_pair_by_words(members);
    match (exact, worded) {
        (Some(exact), Some(worded)) => Some(if (worded.0, worded.1) < (exact.0, exact.1) { worded } else { exact }),
        (exact, worded) => exact.or(worded),
    }
}

/// Whether the group has more distinct claims than are compared by words.
pub fn too_many_to_compare(members: &[Accepted]) -> bool {
    members.len() > WORDED_CLAIMS_MAX
        && members.iter().any(|member| member.assertion.is_none())
        && worded(members, WORDED_CLAIMS_MAX + 1).len() > WORDED_CLAIMS_MAX
}

fn first_pair_by_words(members: &[Accepted]) -> Option<(usize, usize, Verdict)> {
    if members.iter().all(|member| member.assertion.is_some()) {
        return None;
    }
    let worded = worded(members, WORDED_CLAIMS_MAX);
    for (at, &a) in worded.iter().enumerate() {
        for &b in &worded[at + 1..] {
            let (left, right) = (&members[a], &members[b]);
            if (left.assertion.is_none() || right.assertion.is_none())
                && let Some(verdict) = by_words(&left.claim, &right.claim)
            {
                return Some((a, b, verdict));
            }
        }
    }
    None
}

/// The first member of each distinct claim, apart for those with and without an assertion. Others
/// of the same claim come later in key order and conflict with the same.
fn worded(members: &[Accepted], max: usize) -> Vec<usize> {
    let mut seen = rustc_hash::FxHashSet::default();
    let distinct = |at: &usize| seen.insert((members[*at].claim.as_str(), members[*at].assertion.is_some()));
    (0..members.len()).filter(distinct).take(max).collect()
}

/// Whether the words of two claims conflict: one negates, or takes the opposite of, what the other
/// states of the same thing. Symmetric. Never panics, whatever the texts.
#[must_use]
pub fn by_words(a: &str, b: &str) -> Option<Verdict> {
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    compare::verdict(&clause::clauses(first), &clause::clauses(second))
}

#[cfg(test)]
mod dump {
    #[test]
    fn dump() {
        for claim in std::env::var("CLAIM").unwrap_or_default().split('|') {
            println!("== {claim}");
            for c in super::clause::clauses(claim) {
                let items: Vec<String> = c
                    .items
                    .iter()
                    .map(|i| {
                        format!(
                            "{}{}{}{}{}{}{}",
                            i.unit.key,
                            if i.unit.flipped { "~" } else { "" },
                            if i.is_head { "" } else { "(m)" },
                            if i.is_verb { "(V)" } else { "" },
                            if i.is_circumstance { "(c)" } else { "" },
                            if i.is_inherited { "(i)" } else { "" },
                            if i.is_relative { "(r)" } else { "" }
                        )
                    })
                    .collect();
                let cond: Vec<String> = c
                    .conditions
                    .iter()
                    .map(|c| {
                        format!(
                            "{}{:?}",
                            if c.negated { "-" } else { "+" },
                            c.items.iter().map(|i| i.unit.key.clone()).collect::<Vec<_>>()
                        )
                    })
                    .collect();
                println!(
                    "  {} {:?}{} agent={:?}{} cond={cond:?} order={:?}{}{}{}",
                    if c.negated { "NEG" } else { "pos" },
                    c.quantifier,
                    if c.only { " ONLY" } else { "" },
                    c.agent.as_ref().map(|a| a.text()),
                    if c.is_passive { " passive" } else { "" },
                    c.order.as_ref().map(|(o, i)| (o, i.iter().map(|i| i.unit.key.clone()).collect::<Vec<_>>())),
                    if c.is_opaque { " opaque" } else { "" },
                    if c.is_possible { " possible" } else { "" },
                    if c.is_state { " state" } else { "" }
                );
                println!("     {}", items.join(" "));
            }
        }
    }
}
#[cfg(test)]
mod trace {
    #[test]
    fn trace() {
        let pair = std::env::var("PAIR").unwrap_or_default();
        let Some((a, b)) = pair.split_once('|') else { return };
        for p in super::clause::clauses(a) {
            for q in super::clause::clauses(b) {
                super::compare::trace(&p, &q);
            }
        }
    }
}
