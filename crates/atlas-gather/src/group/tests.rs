use super::*;
use crate::check::CheckedAnchor;
use atlas_artifact::{BranchId, DtId, Tier};
use atlas_tree::RepoPath;
use proptest::prelude::*;

fn accepted(path: &str, start: u32, length: u32, claim: &str) -> Accepted {
    let lines = Lines::new(start, start + length - 1).unwrap();
    let anchor = CheckedAnchor { path: RepoPath::new(path).unwrap(), lines, digest: atlas_tree::sha256(b"") };
    Accepted {
        branch: BranchId(1),
        id: String::new(),
        claim: claim.to_owned(),
        assertion: None,
        stated: None,
        anchors: vec![anchor],
        ruled_out: Vec::new(),
        tier: Tier::H,
        supports: DtId(1),
        notes: Vec::new(),
    }
}

/// Every pair at once, every match looked up: steps 1 and 2 as they are written.
fn plainly(all: &[Accepted]) -> Vec<Vec<u32>> {
    let likeness = Likeness::new(all);
    let lines = |a: u32, b: u32| {
        let (a, b) = (&all[a as usize].anchors[0], &all[b as usize].anchors[0]);
        if a.path == b.path { a.lines.shared(b.lines) } else { 0 }
    };
    let n = all.len() as u32;
    let mut pairs: Vec<u128> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .filter(|(a, b)| lines(*a, *b) > 0)
        .map(|(a, b)| pair_key(likeness.equivalence(a, b), lines(a, b), a, b))
        .collect();
    pairs.sort_unstable();
    let mut groups: Vec<Vec<u32>> = (0..n).map(|at| vec![at]).collect();
    for (a, b) in pairs.into_iter().map(members_of) {
        let home = |one: u32| groups.iter().position(|group| group.contains(&one)).unwrap();
        let (left, right) = (home(a), home(b));
        if left != right && groups[left].iter().all(|x| groups[right].iter().all(|y| lines(*x, *y) > 0)) {
            let moved = groups.remove(left.max(right));
            groups[left.min(right)].extend(moved);
        }
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

fn crowd() -> impl Strategy<Value = Vec<Accepted>> {
    let word = prop::sample::select(vec!["log", "cache", "writes", "reads", "the", "row"]);
    let claim = prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "));
    let one = (prop::sample::select(vec!["a", "a", "b"]), 1u32..30, 1u32..12, claim)
        .prop_map(|(path, start, length, claim)| accepted(path, start, length, &claim));
    prop::collection::vec(one, 0..40)
}

proptest! {
    #[test]
    fn however_few_pairs_are_held_the_groups_are_the_same(all in crowd(), held in 2usize..40) {
        let wanted = plainly(&all);
        prop_assert_eq!(&group_bounded(&all, held), &wanted);
        prop_assert_eq!(&group(&all), &wanted);
    }
}

#[test]
fn findings_that_all_share_a_line_are_one_group_without_a_pair_listed() {
    let all: Vec<Accepted> = (1..=50).map(|n| accepted("a", n, 51 - n, "some claim")).collect();
    assert_eq!(group_bounded(&all, 2), [(0..50).collect::<Vec<u32>>()]);
}

#[test]
fn equal_pairs_are_taken_by_shared_lines_and_then_by_key() {
    let all = [accepted("a", 1, 4, "x"), accepted("a", 4, 5, "x"), accepted("a", 7, 5, "x")];
    assert_eq!(group(&all), [vec![0], vec![1, 2]]);
    let all = [accepted("a", 1, 4, "x"), accepted("a", 4, 4, "x"), accepted("a", 7, 5, "x")];
    assert_eq!(group(&all), [vec![0, 1], vec![2]]);
}
