//! Which findings are one fact (contract §10, steps 1 and 2).
//!
//! Two findings match when their primary anchors share a line of one file. Ranges on a line that
//! overlap pairwise have a line in common, so "every finding of one group matches every finding of
//! the other" is "the lines common to both groups are not none": each group carries its common
//! lines and a join is decided in one step.
//!
//! Pairs are not held all at once. Per file, the best pairs that can still join something are
//! listed up to a bound, taken in order, and listed anew, until none is left. A pair between two
//! groups of one set, or of two groups without a common line, can never join anything again, so
//! each round lists less. Where all findings that hang together have a line in common, the order of
//! the pairs cannot matter, and none is listed.

use crate::check::Accepted;
use crate::conflict::Stated;
use crate::words::{Equivalence, WordSets};
use atlas_tree::Lines;
use std::collections::BTreeMap;

/// Pairs held at once: 16 bytes each.
const PAIRS_HELD_MAX: usize = 8 * 1024 * 1024;

/// Groups of indices into `accepted`, which is in key order: each group ascending, the groups by
/// their first.
pub fn group(accepted: &[Accepted]) -> Vec<Vec<u32>> {
    group_bounded(accepted, PAIRS_HELD_MAX)
}

/// As [`group`], holding at most `pairs_held_max` pairs (at least 2) at once.
pub fn group_bounded(accepted: &[Accepted], pairs_held_max: usize) -> Vec<Vec<u32>> {
    let mut by_path: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (at, finding) in accepted.iter().enumerate() {
        by_path.entry(finding.anchors[0].path.as_str()).or_default().push(at as u32);
    }
    let likeness = Likeness::new(accepted);
    let mut pairs = Pairs { held: Vec::new(), held_max: pairs_held_max.max(2), limit: u128::MAX };
    let mut home = vec![0; accepted.len()];
    let mut out = Vec::new();
    for members in by_path.values() {
        out.extend(group_file(members, &likeness, &mut pairs, &mut home));
    }
    out.sort_unstable();
    out
}

/// A group of one file while groups still join.
struct Open {
    members: Vec<u32>,
    /// The lines common to all members, never none.
    first: u32,
    last: u32,
}

fn group_file(members: &[u32], likeness: &Likeness, pairs: &mut Pairs, home: &mut [usize]) -> Vec<Vec<u32>> {
    let mut groups: Vec<Open> = members
        .iter()
        .map(|&at| {
            let lines = likeness.lines[at as usize];
            Open { members: vec![at], first: lines.start(), last: lines.end() }
        })
        .collect();
    let mut done = Vec::new();
    loop {
        groups.sort_unstable_by_key(|group| (group.first, group.last, group.members[0]));
        let mut open = Vec::new();
        for connected in split_connected(std::mem::take(&mut groups)) {
            match join_if_all_match(connected) {
                Ok(group) => done.push(group),
                Err(several) => open.extend(several),
            }
        }
        if open.is_empty() {
            break;
        }
        pairs.start();
        list_pairs(&open, likeness, pairs);
        groups = take_pairs(open, pairs.in_order(), home);
    }
    done.into_iter()
        .map(|group| {
            let mut members = group.members;
            members.sort_unstable();
            members
        })
        .collect()
}

/// Cuts groups, sorted by first line, where no group reaches over the cut.
fn split_connected(groups: Vec<Open>) -> Vec<Vec<Open>> {
    let mut out: Vec<Vec<Open>> = Vec::new();
    let mut reach = 0;
    for group in groups {
        if out.is_empty() || group.first > reach {
            reach = 0;
            out.push(Vec::new());
        }
        reach = reach.max(group.last);
        out.last_mut().expect("one was pushed").push(group);
    }
    out
}

/// One group, if all of these have a line in common.
fn join_if_all_match(groups: Vec<Open>) -> Result<Open, Vec<Open>> {
    let first = groups.iter().map(|group| group.first).max().unwrap_or(0);
    let last = groups.iter().map(|group| group.last).min().unwrap_or(0);
    if first > last {
        return Err(groups);
    }
    Ok(Open { members: groups.into_iter().flat_map(|group| group.members).collect(), first, last })
}

/// Every pair of findings in two groups that have lines in common.
fn list_pairs(groups: &[Open], likeness: &Likeness, pairs: &mut Pairs) {
    for (at, left) in groups.iter().enumerate() {
        for right in groups[at + 1..].iter().take_while(|right| right.first <= left.last) {
            for &x in &left.members {
                for &y in &right.members {
                    let (a, b) = (x.min(y), x.max(y));
                    if pairs.hopeless(likeness.bound(a, b)) {
                        continue;
                    }
                    let shared_lines = likeness.lines[a as usize].shared(likeness.lines[b as usize]);
                    pairs.push(pair_key(likeness.equivalence(a, b), shared_lines, a, b));
                }
            }
        }
    }
}

/// Takes the pairs in order and joins what can be joined. `home` is room for a number a finding.
fn take_pairs(groups: Vec<Open>, pairs: &[u128], home: &mut [usize]) -> Vec<Open> {
    for (at, group) in groups.iter().enumerate() {
        for member in &group.members {
            home[*member as usize] = at;
        }
    }
    let mut parent: Vec<usize> = (0..groups.len()).collect();
    let mut groups: Vec<Option<Open>> = groups.into_iter().map(Some).collect();
    for &pair in pairs {
        let (a, b) = members_of(pair);
        let (a, b) = (root(&mut parent, home[a as usize]), root(&mut parent, home[b as usize]));
        if a == b {
            continue;
        }
        let (Some(left), Some(right)) = (&groups[a], &groups[b]) else { continue };
        let (first, last) = (left.first.max(right.first), left.last.min(right.last));
        if first > last {
            continue;
        }
        let (small, large) = if left.members.len() < right.members.len() { (a, b) } else { (b, a) };
        let moved = groups[small].take().expect("a root holds its group");
        let kept = groups[large].as_mut().expect("a root holds its group");
        kept.members.extend(moved.members);
        (kept.first, kept.last) = (first, last);
        parent[small] = large;
    }
    groups.into_iter().flatten().collect()
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

/// Equivalence high first, shared lines many first, then keys: as one number, ascending.
fn pair_key(equivalence: Equivalence, shared_lines: u32, a: u32, b: u32) -> u128 {
    u128::from(equivalence.descending()) << 96
        | u128::from(u32::MAX - shared_lines) << 64
        | u128::from(a) << 32
        | u128::from(b)
}

fn members_of(pair: u128) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// The best pairs seen, as many as may be held.
struct Pairs {
    held: Vec<u128>,
    held_max: usize,
    /// Pairs above were let go, all at or below are held.
    limit: u128,
}

impl Pairs {
    fn start(&mut self) {
        self.held.clear();
        self.limit = u128::MAX;
    }

    fn push(&mut self, pair: u128) {
        if pair > self.limit {
            return;
        }
        self.held.push(pair);
        if self.held.len() == self.held_max {
            let keep = self.held_max / 2;
            let (_, limit, _) = self.held.select_nth_unstable(keep - 1);
            self.limit = *limit;
            self.held.truncate(keep);
        }
    }

    /// Whether no pair of at most this equivalence would be held.
    fn hopeless(&self, bound: Equivalence) -> bool {
        pair_key(bound, u32::MAX, 0, 0) > self.limit
    }

    fn in_order(&mut self) -> &[u128] {
        self.held.sort_unstable();
        &self.held
    }
}

/// How much alike two findings are.
struct Likeness {
    sets: WordSets,
    /// The lines of each finding's primary anchor.
    lines: Vec<Lines>,
    /// The word set of each finding's claim.
    claim: Vec<u32>,
    /// Each finding's assertion; equal for the same one.
    assertion: Vec<Option<Stated>>,
}

impl Likeness {
    fn new(accepted: &[Accepted]) -> Self {
        let mut sets = WordSets::default();
        let claim = accepted.iter().map(|finding| sets.add(&finding.claim)).collect();
        let assertion = accepted.iter().map(|finding| finding.stated).collect();
        let lines = accepted.iter().map(|finding| finding.anchors[0].lines).collect();
        Self { sets, lines, claim, assertion }
    }

    fn equivalence(&self, a: u32, b: u32) -> Equivalence {
        let (a, b) = (a as usize, b as usize);
        if self.assertion[a].is_some() && self.assertion[a] == self.assertion[b] || self.claim[a] == self.claim[b] {
            return Equivalence::SAME;
        }
        Equivalence::of(self.sets.set(self.claim[a]), self.sets.set(self.claim[b]))
    }

    fn bound(&self, a: u32, b: u32) -> Equivalence {
        let (a, b) = (a as usize, b as usize);
        if self.assertion[a].is_some() && self.assertion[a] == self.assertion[b] {
            return Equivalence::SAME;
        }
        Equivalence::bound(self.sets.set(self.claim[a]).len(), self.sets.set(self.claim[b]).len())
    }
}

#[cfg(test)]
mod tests;
