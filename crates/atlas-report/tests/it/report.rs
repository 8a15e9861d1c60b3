use crate::support::*;
use atlas_artifact::limits::REPORT_TOKENS;
use atlas_artifact::{FoldOutcome, Report, Tier};
use atlas_report::{ReportFault, check_report, envelope, envelope_holds, fold, report, report_md};
use proptest::prelude::*;

fn sample_report() -> Report {
    let (mission, map, findings) = sample();
    let FoldOutcome::Fits(fold) = fold(&mission, &map, &findings) else { panic!() };
    report(&mission, &map, &findings, &fold)
}

#[test]
fn a_small_report_reads_as_it_should() {
    insta::assert_snapshot!(report_md(&sample_report()), @r#"
    # Scout report 20260101-001

    ## Recap

    Goal:

    > Map who writes the audit log and how it is guarded

    Decision target:

    > Which functions write the audit log, and is each write guarded?

    ## Topology

    - Module `src/audit`: 4 files, 310 lines, centrality 0.410.
    - Module `src/web`: 9 files, 1204 lines, centrality 0.300.
    - 1 http route root, the first at `src/web/routes.py:12`.
    - `src/web/routes.py` changed in 14 commits by 3 authors.

    ## Answers

    ### DT-1 — Which functions write the audit log?

    - `record` in src/audit/log.py:12 is called by 3 functions in 2 modules (`src/audit/log.py:12-20` and 2 more) [FINDING-001].
    - By one inference: `flush` reaches the table through `record` (`src/audit/flush.py:5-9`) [FINDING-002].
    - [DISPUTED] `purge` writes the log ⟂ `purge` never writes the log (`src/audit/log.py:40-44`) [FINDING-003].

    ### DT-2 — Is each write guarded?

    - Not answered: nothing was found [GAP-001].

    ## Next actions

    1. Settle the dispute by `view_file {"path":"src/audit/log.py","start_line":40,"end_line":44}` [FINDING-003] → ATLAS
    2. Say where to look, or what it is called in the code: DT-2 [GAP-001] → human
    3. Build on the 2 undisputed findings of tier H or M for DT-1 [FINDING-001] [FINDING-002] → SPECTRA

    ## Risks and gaps

    - In dispute, no side is taken: [FINDING-003].
    - DT-2: nothing was found [GAP-001].
    - References that the graph could not settle: 17 without a candidate, 0 ambiguous.

    ## Telemetry

    `scatter | branches: 3 | fan_out_ratio: 1.12 | dedup_count: 2 | disputed: 1 | tool_calls: 61`

    ## Handoff

    - primary: SPECTRA
    - fallback: human
    - artifacts: mission.json, map.json, plan.json, findings.json, fold.json, scout-report.json, report.html, events.jsonl, memex/
    "#);
    let (mission, map, findings) = sample();
    check_report(&mission, &map, &findings, &sample_report()).unwrap();
}

#[test]
fn a_claim_of_the_reports_own_is_found() {
    let (mission, map, findings) = sample();
    let faults = |change: &dyn Fn(&mut Report)| {
        let mut report = sample_report();
        change(&mut report);
        report.tokens = atlas_artifact::tokens(&report_md(&report)) as u64;
        check_report(&mission, &map, &findings, &report).err().unwrap_or_default()
    };
    assert_eq!(faults(&|_| {}), []);
    let own = "`record` is safe [FINDING-001].".to_owned();
    assert_eq!(faults(&|report| report.answers[0].sentences.push(own.clone())), [ReportFault::Unfounded(own.clone())]);
    // A claim of tier M may not be stated as one of tier H.
    assert_eq!(
        faults(&|report| {
            let bold = report.answers[0].sentences[1].replace("By one inference: ", "");
            report.answers[0].sentences[1] = bold;
        })
        .len(),
        2
    );
    assert_eq!(
        faults(&|report| report.answers[0].sentences.push("All is well.".into())),
        [ReportFault::Uncited("All is well.".into())]
    );
    assert_eq!(faults(&|report| report.answers[1].sentences.clear()), [ReportFault::Missing("GAP-001".into())]);
    assert_eq!(faults(&|report| report.recap.goal.push('!')), [ReportFault::Recap]);
    assert_eq!(
        faults(&|report| report.topology.push("A fine module.".into())),
        [ReportFault::Topology("A fine module.".into())]
    );
    assert_eq!(faults(&|report| report.next_actions[0].to = "root".into()), [ReportFault::Action(1)]);
}

#[test]
fn claims_that_do_not_fit_are_listed_by_id_and_anchor() {
    let mission = mission(&["Which functions write the audit log?", "Who reads the audit log at all?"]);
    let claim = format!("`a` calls `b` {}.", "and then something else ".repeat(16));
    let list = (1..=40)
        .map(|n| finding(n, if n % 2 == 0 { Tier::H } else { Tier::M }, 1 + (n as u32 % 2), &claim, &["src/a.py:1-2"]))
        .collect();
    let findings = findings(list, Vec::new());
    let FoldOutcome::Fits(fold) = fold(&mission, &map(), &findings) else { panic!() };
    let report = report(&mission, &map(), &findings, &fold);
    check_report(&mission, &map(), &findings, &report).unwrap();
    assert!(report.tokens > 2_800, "{}", report.tokens);
    let last = report.answers[0].sentences.last().unwrap();
    assert!(last.starts_with("Found too, claims in `findings.md`: H `src/a.py:1-2` [FINDING-"), "{last}");
}

#[test]
fn an_envelope_is_of_these_bytes_alone() {
    let (mission, ..) = sample();
    let bytes = report_md(&sample_report()).into_bytes();
    let envelope = envelope(&mission, &bytes);
    assert_eq!((envelope.envelope_version, envelope.size), (2, bytes.len() as u64));
    assert_eq!(envelope.permitted, ["auto-route"]);
    assert_eq!(envelope.attestation, "self-attested");
    assert_eq!(envelope.route_to, ["SPECTRA", "human"]);
    assert!(envelope_holds(&envelope, &bytes));
    assert!(!envelope_holds(&envelope, &bytes[1..]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_report_is_complete_founded_and_short(
        findings in any_findings(50), wide in any::<bool>(), long in 10_usize..400
    ) {
        let text = "漢".repeat(long);
        let mut mission = mission(&[&text, "Who reads it all?", &text, "Who tests it all?"]);
        if wide {
            mission.goal = "🦀".repeat(300);
            mission.decision_target = format!("{}?", "🦀".repeat(499));
        }
        let map = map();
        if let FoldOutcome::Fits(fold) = fold(&mission, &map, &findings) {
            let report = report(&mission, &map, &findings, &fold);
            prop_assert!(report.tokens <= REPORT_TOKENS as u64);
            // A sub-question with neither finding nor gap cannot come out of gathering.
            prop_assert_eq!(check_report(&mission, &map, &findings, &report), Ok(()));
        }
    }
}
