use super::*;
use proptest::prelude::*;

/// Askers DT-1, DT-2 … with these affinities.
fn askers(rows: &[&[f64]]) -> Vec<Asker> {
    (1..).zip(rows).map(|(dt, row)| Asker { dt: DtId(dt), affinity: row.to_vec() }).collect()
}

/// `DT:cluster` of every branch, clusters from 1.
fn shown(assignment: &Assignment) -> String {
    let one = |posting: &Posting| format!("{}:{}", posting.dt.0, posting.cluster + 1);
    assignment.postings.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn of(rows: &[&[f64]], branches_max: usize) -> String {
    let clusters = rows.first().map_or(0, |row| row.len());
    shown(&assign(&askers(rows), clusters, branches_max))
}

#[test]
fn the_total_counts_not_the_first_come() {
    // Greedily DT-1 would take cluster 1 (0.6) and leave DT-2 with 0.1: 0.7 against 0.5 + 0.55.
    assert_eq!(of(&[&[0.6, 0.4], &[0.55, 0.1]], 5), "1:2 2:1");
    assert_eq!(of(&[&[0.6, 0.4], &[0.1, 0.9]], 5), "1:1 2:2");
}

#[test]
fn ties_serve_lower_sub_questions_then_lower_clusters() {
    assert_eq!(of(&[&[0.5, 0.5], &[0.5, 0.5]], 5), "1:1 2:2");
    assert_eq!(of(&[&[0.5], &[0.5], &[0.5]], 5), "1:1");
    // 1:1 3:2 is worth as much, but DT-2 comes before DT-3, even if DT-1 then has the higher cluster.
    assert_eq!(of(&[&[0.5, 0.5], &[0.5, 0.0], &[0.0, 0.5]], 5), "1:2 2:1");
    // Serving DT-1 alone is worth as much as serving DT-2 and DT-3.
    assert_eq!(of(&[&[0.5, 0.0], &[0.5, 0.0], &[0.0, 0.0]], 5), "1:1");
}

#[test]
fn a_remaining_cluster_gets_who_is_nearest_to_it_above_a_twentieth() {
    assert_eq!(of(&[&[0.9, 0.0, 0.1], &[0.0, 0.92, 0.08]], 5), "1:1 1:3 2:2");
    assert_eq!(of(&[&[0.9, 0.0, 0.1], &[0.0, 0.9, 0.1]], 5), "1:1 1:3 2:2");
    let assignment = assign(&askers(&[&[0.95, 0.0, 0.05], &[0.02, 0.95, 0.03]]), 3, 5);
    assert_eq!(shown(&assignment), "1:1 2:2");
    assert_eq!(assignment.unprobed, [(2, Unprobed::TooLittle { best: Some((DtId(1), 0.05)) })]);
    assert_eq!(of(&[&[0.94, 0.0, 0.0501], &[0.0, 1.0, 0.0]], 5), "1:1 1:3 2:2");
}

#[test]
fn five_hundredths_summed_from_parts_are_not_above_a_twentieth() {
    let sum = (0..5).map(|_| 0.01).sum::<f64>();
    assert_eq!(of(&[&[1.0 - sum, 0.0, sum], &[0.0, 1.0, 0.0]], 5), "1:1 2:2");
    assert_eq!(of(&[&[0.95, 0.0, 0.1 - 0.05], &[0.0, 1.0, 0.05 + 1e-17]], 5), "1:1 2:2");
}

#[test]
fn no_group_is_sent_where_it_has_no_footprint() {
    let assignment = assign(&askers(&[&[1.0, 0.0], &[1.0, 0.0]]), 2, 5);
    assert_eq!(shown(&assignment), "1:1");
    assert_eq!(assignment.unprobed, [(1, Unprobed::TooLittle { best: Some((DtId(1), 0.0)) })]);
}

#[test]
fn with_too_few_branches_second_visits_go_first_then_the_weakest() {
    let rows: &[&[f64]] = &[&[0.6, 0.0, 0.4], &[0.0, 0.3, 0.0]];
    assert_eq!(of(rows, 5), "1:1 1:3 2:2");
    let two = assign(&askers(rows), 3, 2);
    assert_eq!(shown(&two), "1:1 2:2");
    assert_eq!(two.unprobed, [(2, Unprobed::TooFewBranches { dt: DtId(1) })]);
    let one = assign(&askers(rows), 3, 1);
    assert_eq!(shown(&one), "1:1");
    assert_eq!(
        one.unprobed,
        [(1, Unprobed::TooFewBranches { dt: DtId(2) }), (2, Unprobed::TooFewBranches { dt: DtId(1) })]
    );
    assert_eq!(of(rows, 0), "");
    assert_eq!(of(&[&[0.5, 0.0], &[0.0, 0.5]], 1), "1:1");
}

#[test]
fn nobody_to_ask_and_nowhere_to_ask() {
    let nobody = assign(&[], 2, 5);
    assert_eq!(nobody.postings, []);
    assert_eq!(nobody.unprobed, [(0, Unprobed::TooLittle { best: None }), (1, Unprobed::TooLittle { best: None })]);
    assert_eq!(assign(&askers(&[&[]]), 0, 5), Assignment { postings: vec![], unprobed: vec![] });
}

/// Every one-to-one choice, each as the cluster of each asker.
fn matchings(weight: &[Vec<u64>], clusters: usize) -> Vec<Vec<Option<usize>>> {
    let mut all: Vec<Vec<Option<usize>>> = vec![vec![]];
    for row in weight {
        let mut next = Vec::new();
        for matching in all {
            for choice in std::iter::once(None).chain((0..clusters).map(Some)) {
                if choice.is_none_or(|cluster| row[cluster] > 0 && !matching.contains(&Some(cluster))) {
                    next.push([&matching[..], &[choice]].concat());
                }
            }
        }
        all = next;
    }
    all
}

/// The best by the rules as written: greatest total, lower sub-questions served, lower clusters.
fn by_brute_force(weight: &[Vec<u64>], clusters: usize) -> Vec<(usize, usize)> {
    let key = |matching: &Vec<Option<usize>>| {
        let total: u64 = matching.iter().zip(weight).map(|(choice, row)| choice.map_or(0, |c| row[c])).sum();
        let unserved: Vec<bool> = matching.iter().map(Option::is_none).collect();
        (std::cmp::Reverse(total), unserved, matching.clone())
    };
    let best = matchings(weight, clusters).into_iter().min_by_key(key).unwrap();
    best.into_iter().enumerate().filter_map(|(asker, choice)| Some((asker, choice?))).collect()
}

fn agree(weight: &[Vec<u64>], clusters: usize) {
    assert_eq!(best_matching(weight, clusters), by_brute_force(weight, clusters), "{weight:?}");
}

/// All matrices of up to 3 × 3 with entries 0 to 2: ties everywhere.
#[test]
fn small_worlds_agree_with_brute_force() {
    for rows in 0..=3_usize {
        for clusters in 1..=3_usize {
            let cells = rows * clusters;
            for code in 0..3_usize.pow(cells as u32) {
                let cell = |at: usize| (code / 3_usize.pow(at as u32) % 3) as u64;
                let weight: Vec<Vec<u64>> =
                    (0..rows).map(|row| (0..clusters).map(|c| cell(row * clusters + c)).collect()).collect();
                agree(&weight, clusters);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn larger_ones_agree_too(clusters in 1usize..=5, weight in prop::collection::vec(prop::collection::vec(0u64..4, 5), 0..6)) {
        agree(&weight, clusters);
    }

    #[test]
    fn laws(
        clusters in 0usize..=5,
        branches_max in 0usize..8,
        rows in prop::collection::vec(prop::collection::vec(0.0f64..0.2, 5), 0..12),
    ) {
        let askers: Vec<Asker> =
            (1..).zip(&rows).map(|(dt, row)| Asker { dt: DtId(dt), affinity: row[..clusters].to_vec() }).collect();
        let found = assign(&askers, clusters, branches_max);
        prop_assert!(found.postings.len() <= branches_max.min(5));
        prop_assert!(found.postings.is_sorted());
        let mut all: Vec<u32> = found.postings.iter().map(|posting| posting.cluster).collect();
        all.extend(found.unprobed.iter().map(|entry| entry.0));
        all.sort_unstable();
        prop_assert_eq!(all, (0..clusters as u32).collect::<Vec<_>>(), "every cluster once: probed, or not and why");
        let groups_served = askers.iter().filter(|asker| found.postings.iter().any(|p| p.dt == asker.dt)).count();
        prop_assert!(groups_served >= found.postings.len().min(askers.len()).min(1));
    }
}
