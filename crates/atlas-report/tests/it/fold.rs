use crate::support::*;
use atlas_artifact::limits::FOLD_TOKENS;
use atlas_artifact::{Fold, FoldOutcome, Tier, tokens};
use atlas_report::{FoldFault, check_fold, fold, fold_md};
use proptest::prelude::*;

fn fitting(outcome: FoldOutcome) -> Fold {
    match outcome {
        FoldOutcome::Fits(fold) => fold,
        FoldOutcome::DoesNotFit(not) => panic!("{not:?}"),
    }
}

#[test]
fn a_small_fold_reads_as_it_should() {
    let (mission, map, findings) = sample();
    let fold = fold(&mission, &map, &findings);
    insta::assert_snapshot!(fold_md(&fold), @r#"
    # Fold

    Mission 20260101-001 at commit 4f2a9c1: 2 sub-questions, 3 findings (H 1, M 1, L 1, disputed 1), 1 gap, 0 triggers fired.

    ## Answer

    - DT-1: `record` in src/audit/log.py:12 is called by 3 functions in 2 modules [FINDING-001].
    - By one inference: `flush` reaches the table through `record` [FINDING-002].
    - DT-1 has 1 more finding, first disputed [FINDING-003].
    - DT-2 is not answered [GAP-001].

    ## Index

    | id | tier | anchors |
    | - | - | - |
    | FINDING-001 | H | `src/audit/log.py:12-20` `src/web/routes.py:31-31` `src/web/routes.py:77-77` |
    | FINDING-002 | M | `src/audit/flush.py:5-9` |
    | FINDING-003 | L | `src/audit/log.py:40-44` |

    ## Gaps

    - GAP-001 — DT-2 — nothing was found
    "#);
    check_fold(&mission, &findings, &fitting(fold)).unwrap();
}

#[test]
fn what_a_model_leaves_out_or_makes_up_is_found() {
    let (mission, map, findings) = sample();
    let good = fitting(fold(&mission, &map, &findings));
    let faults = |change: &dyn Fn(&mut Fold)| {
        let mut fold = good.clone();
        change(&mut fold);
        fold.tokens = tokens(&fold_md(&FoldOutcome::Fits(fold.clone()))) as u64;
        check_fold(&mission, &findings, &fold).err().unwrap_or_default()
    };
    let id = || "FINDING-002".to_owned();
    assert_eq!(faults(&|_| {}), []);
    assert_eq!(faults(&|fold| drop(fold.index.remove(1))), [FoldFault::MissingFinding(id())]);
    assert_eq!(faults(&|fold| fold.index.push(fold.index[1].clone())), [FoldFault::UnknownFinding(id())]);
    assert_eq!(faults(&|fold| fold.index[1].tier = Tier::H), [FoldFault::Tier(id())]);
    assert_eq!(faults(&|fold| fold.index[1].anchors[0] = "src/x.py:1-1".into()), [FoldFault::Anchors(id())]);
    assert_eq!(faults(&|fold| fold.gaps.clear()), [FoldFault::MissingGap("GAP-001".into())]);
    assert_eq!(
        faults(&|fold| fold.escalations.push("ET-1 | halt".into())),
        [FoldFault::UnknownEntry("ET-1 | halt".into())]
    );
    for bad in ["It works.", "It works [FINDING-009].", "It works [FINDING-001]. It is fast."] {
        assert!(matches!(faults(&|fold| fold.answer = vec![bad.into()])[..], [FoldFault::Uncited(_)]), "{bad}");
    }
    let long = format!("{} [FINDING-001].", "word ".repeat(200));
    assert!(matches!(faults(&|fold| fold.answer = vec![long.clone()])[..], [FoldFault::AnswerTooLong(_)]));
    assert!(matches!(faults(&|fold| fold.header = "x".repeat(9_000))[..], [FoldFault::TooLong(_)]));
    let mut fold = good.clone();
    fold.tokens += 1;
    assert_eq!(
        check_fold(&mission, &findings, &fold),
        Err(vec![FoldFault::Miscounted { said: good.tokens + 1, is: good.tokens }])
    );
}

#[test]
fn what_cannot_fit_says_so_and_is_not_cut() {
    let mission = mission(&["Which functions write the audit log?"]);
    let list = |count: usize| {
        let list = (1..=count)
            .map(|n| finding(n, Tier::H, 1, "`a` calls `b`.", &["src/some/long/directory/module_name.py:100-120"]));
        findings(list.collect(), Vec::new())
    };
    let mut sizes = Vec::new();
    for count in [80, 120, 200] {
        match fold(&mission, &map(), &list(count)) {
            FoldOutcome::Fits(fold) => sizes.push((count, fold.tokens <= 2_000)),
            FoldOutcome::DoesNotFit(not) => {
                assert!(!not.fits && not.tokens > FOLD_TOKENS as u64);
                sizes.push((count, false));
            }
        }
    }
    assert_eq!(sizes, [(80, true), (120, false), (200, false)]);
}

#[test]
fn repeats_of_a_path_are_shortened_before_a_fold_is_given_up() {
    let mission = mission(&["Which functions write the audit log?"]);
    let anchors: Vec<String> = (1..=12).map(|n| format!("src/some/long/directory/module_name.py:{n}-{n}")).collect();
    let anchors: Vec<&str> = anchors.iter().map(String::as_str).collect();
    let list = (1..=24).map(|n| finding(n, Tier::H, 1, "`a` calls `b`.", &anchors)).collect();
    let findings = findings(list, Vec::new());
    let fold = fitting(fold(&mission, &map(), &findings));
    assert_eq!(fold.index[0].anchors.len(), 12);
    assert!(
        fold_md(&FoldOutcome::Fits(fold.clone()))
            .contains("|FINDING-024|H|`src/some/long/directory/module_name.py:1-1` :2-2 :3-3")
    );
    check_fold(&mission, &findings, &fold).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_fold_is_complete_or_does_not_fit(findings in any_findings(60)) {
        let mission = mission(&["Which functions write it?", "Who reads it all?", "Who deletes it all?", "Who tests it all?"]);
        match fold(&mission, &map(), &findings) {
            FoldOutcome::Fits(fold) => {
                prop_assert_eq!(check_fold(&mission, &findings, &fold), Ok(()));
                let text = fold_md(&FoldOutcome::Fits(fold.clone()));
                prop_assert_eq!(tokens(&text) as u64, fold.tokens);
                for finding in &findings.findings {
                    prop_assert!(text.contains(&finding.id));
                }
            }
            FoldOutcome::DoesNotFit(not) => prop_assert!(not.tokens > FOLD_TOKENS as u64),
        }
    }
}
