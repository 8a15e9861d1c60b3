use super::*;
use proptest::prelude::*;

const FILES: [&str; 6] = ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs", "f.rs"];

fn question(id: u32, text: &str, depends_on: &[u32]) -> SubQuestion {
    SubQuestion {
        id: DtId(id),
        text: text.to_owned(),
        scope: vec![],
        depends_on: depends_on.iter().copied().map(DtId).collect(),
    }
}

fn footprint(id: u32, weights: &[f64]) -> Footprint {
    Footprint::from_weights(DtId(id), (0..).zip(weights.iter().copied()))
}

/// Each question alone in a file of its own, except as `depends_on` says.
fn with_dependencies(depends_on: &[&[u32]]) -> Coupled {
    let ids = 1..=depends_on.len() as u32;
    let questions: Vec<_> =
        ids.clone().zip(depends_on).map(|(id, on)| question(id, "Where is `x` defined?", on)).collect();
    let footprints: Vec<_> = ids.map(|id| Footprint::from_weights(DtId(id), [(id, 1.0)])).collect();
    couple(&questions, &footprints, &FILES)
}

fn groups(coupled: &Coupled) -> Vec<Vec<u32>> {
    coupled.groups.iter().map(|group| group.iter().map(|id| id.0).collect()).collect()
}

fn overlapping(p: &[f64], q: &[f64]) -> Coupled {
    let questions = [question(1, "Where is `x` defined?", &[]), question(2, "Where is `y` defined?", &[])];
    couple(&questions, &[footprint(1, p), footprint(2, q)], &FILES)
}

#[test]
fn independent_questions_are_groups_of_their_own() {
    let coupled = with_dependencies(&[&[], &[], &[]]);
    assert_eq!(groups(&coupled), [[1], [2], [3]]);
    assert_eq!(coupled.couplings, []);
}

#[test]
fn dependence_couples_in_either_direction_and_through_others() {
    assert_eq!(groups(&with_dependencies(&[&[], &[1], &[]])), [vec![1, 2], vec![3]]);
    assert_eq!(groups(&with_dependencies(&[&[3], &[], &[]])), [vec![1, 3], vec![2]]);
    assert_eq!(groups(&with_dependencies(&[&[3], &[], &[2]])), [vec![1, 2, 3]]);
    assert_eq!(groups(&with_dependencies(&[&[1, 9], &[]])), [[1], [2]]);
}

#[test]
fn overlap_couples_from_one_half_on() {
    assert_eq!(groups(&overlapping(&[1.0, 1.0, 0.0], &[0.0, 1.0, 1.0])), [[1, 2]]);
    assert_eq!(groups(&overlapping(&[0.51, 0.49, 0.0], &[0.0, 0.49, 0.51])), [[1], [2]]);
    // Seven files of fourteen each: exactly one half, whatever rounding makes of the sum.
    let questions = [question(1, "Where is `x` defined?", &[]), question(2, "Where is `y` defined?", &[])];
    let even = |id, files: std::ops::Range<u32>| Footprint::from_weights(DtId(id), files.map(|file| (file, 1.0)));
    assert_eq!(groups(&couple(&questions, &[even(1, 0..14), even(2, 7..21)], &FILES)), [[1, 2]]);
    assert_eq!(groups(&couple(&questions, &[even(1, 0..15), even(2, 8..23)], &FILES)), [[1], [2]]);
}

#[test]
fn a_coupling_says_why_and_names_the_files_behind_it() {
    let coupled = overlapping(&[0.1, 0.2, 0.3, 0.4], &[0.1, 0.4, 0.2, 0.3]);
    let coupling = &coupled.couplings[0];
    assert_eq!((coupling.a, coupling.b, &*coupling.rule), (DtId(1), DtId(2), "overlap"));
    assert_eq!(coupling.files, ["d.rs", "b.rs", "c.rs"]);
    assert_eq!(coupling.because, "their footprints overlap by 0.80, which is at least 0.5");
}

#[test]
fn a_reference_couples_and_is_quoted() {
    let questions = [
        question(1, "Which functions write the audit log?", &[]),
        question(2, "For each of those, which tests exist?", &[1]),
        question(3, "Where is the session cookie signed?", &[]),
    ];
    let footprints = [footprint(3, &[0.0, 0.0, 1.0]), footprint(1, &[1.0]), footprint(2, &[0.0, 1.0])];
    let coupled = couple(&questions, &footprints, &FILES);
    assert_eq!(groups(&coupled), [vec![1, 2], vec![3]]);
    assert_eq!(coupled.couplings.len(), 1);
    assert_eq!(coupled.couplings[0].rule, "depends_on");
    assert_eq!(coupled.couplings[0].because, "DT-2 depends on DT-1; DT-2 refers to the answer of DT-1 by `those`");
}

#[test]
fn who_has_no_footprint_belongs_to_no_group_but_still_ties_others() {
    let questions = [
        question(1, "Where is `x` defined?", &[]),
        question(2, "Where is `y` defined?", &[1]),
        question(3, "Where is `z` defined?", &[2]),
    ];
    let coupled =
        couple(&questions, &[footprint(1, &[1.0]), Footprint::empty(DtId(2)), footprint(3, &[0.0, 1.0])], &FILES);
    assert_eq!(groups(&coupled), [[1, 3]]);
    assert_eq!(groups(&couple(&questions, &[], &FILES)), [[0; 0]; 0]);
}

#[test]
fn the_order_of_the_mission_does_not_decide_who_is_lowest() {
    let questions = [question(7, "Where is `x` defined?", &[]), question(2, "Where is `y` defined?", &[7])];
    let coupled = couple(&questions, &[footprint(7, &[1.0]), footprint(2, &[0.0, 1.0])], &FILES);
    assert_eq!(groups(&coupled), [[2, 7]]);
    assert_eq!((coupled.couplings[0].a, coupled.couplings[0].b), (DtId(2), DtId(7)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn groups_are_disjoint_and_hold_exactly_those_with_a_footprint(
        rows in prop::collection::vec((prop::collection::vec(0.0f64..1.0, 0..4), prop::collection::vec(1u32..13, 0..2)), 1..12),
    ) {
        let questions: Vec<_> = (1..).zip(&rows).map(|(id, row)| question(id, "Where is `x` defined?", &row.1)).collect();
        let footprints: Vec<_> = (1..).zip(&rows).map(|(id, row)| footprint(id, &row.0)).collect();
        let coupled = couple(&questions, &footprints, &FILES);
        let mut all: Vec<DtId> = coupled.groups.concat();
        all.sort();
        let with: Vec<DtId> = footprints.iter().filter(|f| !f.is_empty()).map(Footprint::dt).collect();
        prop_assert_eq!(all, with);
        for coupling in &coupled.couplings {
            let of = |id| coupled.groups.iter().position(|group| group.contains(&id));
            prop_assert!(of(coupling.a) == of(coupling.b) || of(coupling.a).is_none() || of(coupling.b).is_none());
            prop_assert!(coupling.a < coupling.b);
        }
        let mut turned = questions.clone();
        turned.reverse();
        prop_assert_eq!(couple(&turned, &footprints, &FILES), coupled);
    }
}
