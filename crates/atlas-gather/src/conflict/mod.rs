//! Which claims cannot both be true (contract §10.4), and by which rule.
//!
//! Between two assertions the rules are exact (`assertion`); where one of two claims has none, their
//! words decide ([`by_words`]). What is deliberately *not* here: which claim is right.

mod align;
mod assertion;
mod clause;
mod compare;
mod hints;
mod lexicon;
mod quantity;
mod split;
mod stem;
mod token;
mod unit;
mod verb;

pub use assertion::{Names, Stated, across};
pub use hints::WordHints;

use crate::check::Accepted;
use clause::Clause;
use hints::Hints;

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
pub fn first_pair(members: &[Accepted], names: &Names, words: &mut WordHints) -> Option<(usize, usize, Verdict)> {
    if members.len() < 2 {
        return None;
    }
    let stated: Vec<Option<Stated>> = members.iter().map(|member| member.stated).collect();
    let exact = assertion::first_pair(&stated, names);
    let worded = first_pair_by_words(members, words);
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

fn first_pair_by_words(members: &[Accepted], words: &mut WordHints) -> Option<(usize, usize, Verdict)> {
    if members.iter().all(|member| member.stated.is_some()) {
        return None;
    }
    let worded = worded(members, WORDED_CLAIMS_MAX);
    let hints: Vec<Hints> = worded.iter().map(|at| words.of(&members[*at].claim)).collect();
    // Each claim is taken apart at most once, and only if it may conflict with another.
    let mut parts: Vec<Option<Vec<Clause>>> = vec![None; worded.len()];
    for (i, &a) in worded.iter().enumerate() {
        for (j, &b) in worded.iter().enumerate().skip(i + 1) {
            let (left, right) = (&members[a], &members[b]);
            let exact = left.stated.is_some() && right.stated.is_some();
            if exact || left.claim == right.claim || !hints[i].may_conflict(&hints[j]) {
                continue;
            }
            for (at, claim) in [(i, &left.claim), (j, &right.claim)] {
                parts[at].get_or_insert_with(|| clause::clauses(claim));
            }
            let clauses = |at: usize| parts[at].as_deref().unwrap_or_default();
            // In the order of the texts, as `by_words` has it.
            let (first, second) = if left.claim <= right.claim { (i, j) } else { (j, i) };
            if let Some(verdict) = compare::verdict(clauses(first), clauses(second)) {
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
    if a == b {
        return None;
    }
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    let (first, second) = (beginning(first), beginning(second));
    compare::verdict(&clause::clauses(first), &clause::clauses(second))
}

/// Characters that are looked at; a claim has at most 500, and time grows with their square.
const LOOKED_AT_MAX: usize = 2_000;

fn beginning(text: &str) -> &str {
    text.char_indices().nth(LOOKED_AT_MAX).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests;
