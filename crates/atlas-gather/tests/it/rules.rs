//! The rules of the contract one by one, on hand-made returns.

use crate::support::{Definitions, asserting, branch, file, finding, mission, run, with};
use atlas_artifact::{BranchId, Findings, GapReason, Mission, Plan, Tier};
use atlas_gather::{FanOut, GatherInput, ReturnInput, Trouble, TroubleCause, exit_gate, gather};
use atlas_tree::MemTree;
use serde_json::{Value, json};

fn tree() -> MemTree {
    MemTree::new([("src/a.py", file(20)), ("src/b.py", file(20)), ("lib/c.py", file(5))])
}

fn one(finding: Value) -> Findings {
    run(&mission(1), &tree(), &[branch(1, vec![finding])])
}

fn rejection(finding: Value) -> String {
    let out = one(finding);
    assert!(out.findings.is_empty(), "{:?}", out.findings);
    format!("{:?}: {}", out.rejected[0].reason, out.rejected[0].detail)
}

const CLAIM: &str = "The log is written here.";

#[test]
fn anchors_are_checked_in_the_order_of_the_rules() {
    let good = || finding(1, "H", "src/a.py:3-4", CLAIM);
    assert_eq!(one(good()).findings.len(), 1);
    for (evidence, wanted) in [
        (json!([{"path": "src/x.py", "lines": "0"}]), "Path: `src/x.py` is not a file of the surface"),
        (json!([{"path": "src/a.py", "lines": "0"}]), "Lines: lines 0-0 of `src/a.py`, which has 20"),
        (json!([{"path": "src/a.py", "lines": -3}]), "Lines: lines 0-0 of `src/a.py`, which has 20"),
        (json!([{"path": "src/a.py", "lines": "9-3"}]), "Lines: lines 9-3 of `src/a.py`, which has 20"),
        (json!([{"path": "src/a.py", "lines": "20-21"}]), "Lines: lines 20-21 of `src/a.py`, which has 20"),
        (
            json!([{"path": "src/a.py", "lines": "1-2", "excerpt_ref": "memex://excerpt/00"}]),
            "Excerpt: `excerpt_ref` is not the digest of lines 1-2 of `src/a.py`",
        ),
        (
            json!([{"path": "src/a.py", "lines": "1"}, {"path": "src/a.py", "lines": "30"}, {"path": "no", "lines": "1"}]),
            "Lines: lines 30-30 of `src/a.py`, which has 20",
        ),
        (
            json!([{"path": "no", "lines": "1"}, {"path": "src/a.py", "lines": true}]),
            "Schema: anchor 2: `lines` must be `a-b` or `a`",
        ),
        (json!([{"path": "src/a.py", "lines": "1-2-3"}]), "Schema: anchor 1: `lines` must be `a-b` or `a`"),
        (json!([{"path": "src/a.py", "lines": 1.5}]), "Schema: anchor 1: `lines` must be `a-b` or `a`"),
        (json!([{"path": 7, "lines": "1"}]), "Schema: anchor 1: `path` must be a text"),
        (json!([]), "Schema: `evidence` must hold at least one anchor"),
        (json!("src/a.py"), "Schema: `evidence` must be a list"),
    ] {
        assert_eq!(rejection(with(good(), "evidence", evidence)), wanted);
    }
}

#[test]
fn lines_may_be_a_number_and_a_right_reference_is_kept() {
    let reference = format!("memex://excerpt/{}", atlas_tree::sha256(b"line 20\n"));
    let evidence = json!([{"path": "src/a.py", "lines": 20, "excerpt_ref": reference}]);
    let out = one(with(finding(1, "H", "src/a.py:1", CLAIM), "evidence", evidence));
    assert_eq!(
        (out.findings[0].evidence[0].lines.as_str(), out.findings[0].evidence[0].excerpt_ref.as_str()),
        ("20-20", reference.as_str())
    );
}

#[test]
fn shape_of_a_finding() {
    let good = || finding(1, "H", "src/a.py:3-4", CLAIM);
    for (key, value, wanted) in [
        ("id", json!("FINDING-01"), "`id` must be `FINDING-` and at least three digits"),
        ("id", json!("FINDING-0001x"), "`id` must be `FINDING-` and at least three digits"),
        ("id", json!(1), "`id` must be `FINDING-` and at least three digits"),
        ("claim", json!("too short"), "`claim` has 9 characters, not 10 to 500"),
        ("claim", json!("é".repeat(501)), "`claim` has 501 characters, not 10 to 500"),
        ("claim", Value::Null, "`claim` must be a text"),
        ("confidence", json!("h"), "`confidence` must be H, M or L"),
        ("supports_decision", json!("DT-2"), "`supports_decision` must be a `DT-n` of the mission"),
        ("supports_decision", json!("DT-01"), "`supports_decision` must be a `DT-n` of the mission"),
        ("ruled_out", json!("nothing"), "`ruled_out` must be a list of texts"),
        ("assertion", json!([]), "`assertion` must be an object"),
        (
            "assertion",
            json!({"subject": "a", "relation": "b"}),
            "`assertion` must have `subject`, `relation` and `object`, each a text",
        ),
        (
            "assertion",
            json!({"subject": "a", "relation": "b", "object": " "}),
            "`assertion` must have `subject`, `relation` and `object`, each a text",
        ),
        (
            "assertion",
            json!({"subject": "a", "relation": "b", "object": "c", "polarity": "no"}),
            "`polarity` and `exclusive` of `assertion` must be true or false",
        ),
    ] {
        assert_eq!(rejection(with(good(), key, value)), format!("Schema: {wanted}"), "{key}");
    }
    for (key, value) in [
        ("id", json!("FINDING-0001")),
        ("claim", json!("é".repeat(500))),
        ("ruled_out", Value::Null),
        ("assertion", Value::Null),
        ("unknown", json!({"deep": [1]})),
        ("assertion", json!({"subject": "a", "relation": "b", "object": "c", "unknown": 1})),
    ] {
        assert_eq!(one(with(good(), key, value)).findings.len(), 1, "{key}");
    }
}

#[test]
fn an_id_is_taken_by_the_first_well_shaped_finding_alone() {
    let findings = vec![
        with(finding(1, "X", "src/a.py:1", "misshapen, takes no id"), "n", json!(1)),
        finding(1, "H", "src/a.py:99", "well-shaped, fails on its lines"),
        finding(1, "H", "src/a.py:1", "comes too late for the id"),
    ];
    let out = run(&mission(1), &tree(), &[branch(1, findings)]);
    let told: Vec<String> = out.rejected.iter().map(|one| format!("{:?}: {}", one.reason, one.detail)).collect();
    assert_eq!(
        told,
        [
            "Schema: `confidence` must be H, M or L",
            "Lines: lines 99-99 of `src/a.py`, which has 20",
            "Schema: `id` is that of an earlier finding of the return",
        ]
    );
}

#[test]
fn a_return_is_valid_as_a_whole_or_not_at_all() {
    let good = branch(1, vec![finding(1, "H", "src/a.py:1", CLAIM)]);
    for (given, wanted) in [
        (with(good.clone(), "transcript", json!("")), "unknown key `transcript`"),
        (json!({"return": good, "more": 1}), "key `branch_id` is missing"),
        (json!({"return": [good]}), "`return` must be an object"),
        (json!([good]), "a return must be an object"),
        (with(good.clone(), "branch_id", json!(0)), "`branch_id` must be a whole number from 1"),
        (with(good.clone(), "branch_id", json!(true)), "`branch_id` must be a whole number from 1"),
        (with(good.clone(), "branch_id", json!(5_000_000_000u64)), "`branch_id` must be a whole number from 1"),
        (with(good.clone(), "findings", json!({})), "`findings` must be a list"),
        (with(good.clone(), "gaps", Value::Null), "`gaps` must be a list"),
        (with(good.clone(), "ruled_out", json!([1])), "`ruled_out` must be a list of texts"),
        (
            with(good.clone(), "telemetry", json!({"tokens_used": 1})),
            "`telemetry.tool_calls` must be a whole number from 0",
        ),
        (
            with(good.clone(), "telemetry", json!({"tokens_used": -1, "tool_calls": 0})),
            "`telemetry.tokens_used` must be a whole number from 0",
        ),
    ] {
        let out = run(&mission(1), &tree(), &[given]);
        assert_eq!((out.findings.len(), out.telemetry.invalid_returns[0].detail.as_str()), (0, wanted));
        assert_eq!(out.gaps[0].reason, Some(GapReason::BranchFailed));
    }
    let out = run(&mission(1), &tree(), &[json!({"return": good})]);
    assert_eq!((out.findings.len(), out.telemetry.tool_calls, out.telemetry.tokens_used), (1, 1, 10));
}

#[test]
fn returns_that_share_a_branch_are_both_invalid_even_if_one_is_broken() {
    let good = branch(2, vec![finding(1, "H", "src/a.py:1", CLAIM)]);
    let broken = with(branch(2, vec![]), "transcript", json!(""));
    let other = branch(1, vec![finding(1, "H", "src/b.py:1", CLAIM)]);
    let out = run(&mission(1), &tree(), &[good, other, broken]);
    let told: Vec<_> =
        out.telemetry.invalid_returns.iter().map(|one| (one.position, one.branch_id, one.detail.as_str())).collect();
    assert_eq!(told, [(2, Some(2), "`branch_id` 2 is claimed by 2 returns"), (3, Some(2), "unknown key `transcript`")]);
    assert_eq!((out.findings.len(), out.telemetry.branches), (1, 3));
}

#[test]
fn groups_keep_every_claim_anchor_and_origin() {
    let first = branch(
        2,
        vec![
            with(finding(1, "M", "src/a.py:3-5", "Claim of the second branch."), "ruled_out", json!(["x", "y"])),
            finding(2, "H", "src/a.py:4-6", "Claim with the highest tier."),
        ],
    );
    let second = branch(
        1,
        vec![
            with(finding(7, "L", "src/a.py:5", "Claim of the second branch."), "supports_decision", json!("DT-2")),
            with(
                with(finding(8, "M", "src/a.py:5-9", "Another claim altogether."), "ruled_out", json!(["y", "z"])),
                "evidence",
                json!([{"path": "src/a.py", "lines": "5-9"}, {"path": "lib/c.py", "lines": "1"}, {"path": "src/a.py", "lines": "4-6"}]),
            ),
        ],
    );
    let out = run(&mission(2), &tree(), &[first, second]);
    let got = &out.findings[0];
    assert_eq!((out.findings.len(), out.telemetry.dedup_count), (1, 3));
    assert_eq!((got.claim.as_str(), got.confidence, got.disputed), ("Claim with the highest tier.", Tier::H, false));
    let also: Vec<_> = got
        .also
        .iter()
        .map(|also| (also.text.as_str(), also.confidence, also.origin.branch_id.0, also.origin.id.as_str()))
        .collect();
    assert_eq!(
        also,
        [
            ("Claim of the second branch.", Tier::L, 1, "FINDING-007"),
            ("Another claim altogether.", Tier::M, 1, "FINDING-008")
        ]
    );
    let evidence: Vec<String> = got.evidence.iter().map(|anchor| format!("{}:{}", anchor.path, anchor.lines)).collect();
    assert_eq!(evidence, ["src/a.py:4-6", "lib/c.py:1-1", "src/a.py:3-5", "src/a.py:5-5", "src/a.py:5-9"]);
    assert_eq!(got.ruled_out, ["y", "z", "x"]);
    assert_eq!((got.supports_decision.0, got.also_supports.iter().map(|dt| dt.0).collect::<Vec<_>>()), (1, vec![2]));
    let origin: Vec<_> = got.origin.iter().map(|origin| (origin.branch_id.0, origin.id.as_str())).collect();
    assert_eq!(origin, [(1, "FINDING-007"), (1, "FINDING-008"), (2, "FINDING-001"), (2, "FINDING-002")]);
}

#[test]
fn a_chain_is_cut_where_equivalence_is_least() {
    let findings = vec![
        finding(1, "H", "src/a.py:1-4", "one two three four"),
        finding(2, "H", "src/a.py:4-8", "one two three five"),
        finding(3, "H", "src/a.py:8-9", "one two three five six"),
    ];
    let out = run(&mission(1), &tree(), &[branch(1, findings)]);
    let groups: Vec<usize> = out.findings.iter().map(|finding| finding.origin.len()).collect();
    assert_eq!(groups, [1, 2]);
}

#[test]
fn the_same_assertion_binds_more_than_words_however_names_are_spelt() {
    let findings = vec![
        asserting(1, "H", "src/a.py:1-4", "Some words about it.", "Vote#record writes votes"),
        asserting(2, "H", "src/a.py:4-8", "Nothing alike at all", " Vote::record writes votes".trim()),
        finding(3, "H", "src/a.py:8-9", "Nothing alike at all, almost"),
    ];
    let out = run(&mission(1), &tree(), &[branch(1, findings)]);
    assert_eq!(out.findings[0].origin.len(), 2);
}

#[test]
fn assertions_that_conflict_make_a_dispute() {
    for (a, b, rule) in [
        ("Vote.record writes votes", "Vote#record !writes votes", Some("polarity")),
        ("f returns 1", "f returns 2", Some("one-value")),
        ("f returns 1", "f !returns 2", None),
        ("f calls g", "f calls h", None),
        ("only f writes t", "g writes t", Some("exclusive")),
        ("only f writes t", "g !writes t", None),
        ("only f writes t", "f writes t", None),
        ("only f writes t", "g reads t", None),
    ] {
        let findings = vec![
            asserting(1, "H", "src/a.py:1", "Claim number one.", a),
            asserting(2, "M", "src/a.py:1", "Claim number two.", b),
        ];
        let out = run(&mission(1), &tree(), &[branch(1, findings)]);
        let got = &out.findings[0];
        assert_eq!(got.disputes.first().map(|dispute| dispute.rule.as_str()), rule, "{a} / {b}");
        assert_eq!(got.disputed, rule.is_some());
        if rule.is_some() {
            assert_eq!(got.claim, "[DISPUTED] Claim number one. ⟂ Claim number two.");
            assert_eq!((got.confidence, got.also.len(), got.claims.len()), (Tier::L, 0, 2));
            let follow_up = got.follow_up.as_ref().unwrap();
            assert_eq!(follow_up.probe, r#"view_file {"path":"src/a.py","start_line":1,"end_line":1}"#);
            assert_eq!(out.gaps[0].reason, Some(GapReason::Disputed));
        }
    }
}

#[test]
fn only_and_also_in_different_places_dispute_each_other() {
    let findings = vec![
        asserting(1, "H", "src/b.py:1", "Only f writes the table.", "only f writes t"),
        asserting(2, "H", "src/a.py:1", "Then g writes the table.", "g writes t"),
        asserting(3, "H", "src/a.py:9", "And h writes the table.", "h writes t"),
        asserting(4, "H", "lib/c.py:1", "While f writes it here.", "f writes t"),
    ];
    let out = run(&mission(1), &tree(), &[branch(1, findings)]);
    let told: Vec<_> =
        out.findings.iter().map(|one| (one.claim.as_str(), one.disputed, one.disputed_with.join(" "))).collect();
    assert_eq!(
        told,
        [
            ("While f writes it here.", false, String::new()),
            ("Then g writes the table.", true, "FINDING-004".to_owned()),
            ("And h writes the table.", true, "FINDING-004".to_owned()),
            ("Only f writes the table.", true, "FINDING-002 FINDING-003".to_owned()),
        ]
    );
    assert_eq!(out.findings[3].disputes.len(), 2);
    assert_eq!(out.findings[1].follow_up.as_ref().unwrap().probe, r#"graph_query {"query":"writers_to: t"}"#);
    assert_eq!(out.findings[3].disputes[0].because, "only `f` writes `t` by one, `g` does by the other");
}

#[test]
fn hedges_and_ungrounded_names_lower_the_tier_and_say_so() {
    for (tier, claim, wanted, notes) in [
        ("H", "It probably writes the log.", Tier::L, vec!["hedged"]),
        ("H", "Likely it writes the log.", Tier::M, vec!["hedged"]),
        ("M", "Likely it writes the log.", Tier::M, vec![]),
        ("L", "It seems to write the log.", Tier::L, vec![]),
        ("H", "It is unlikely to be `line` 3.", Tier::H, vec![]),
        ("H", "It calls `Vote.gone` and `gone` here.", Tier::L, vec!["ungrounded: Vote.gone, gone"]),
        ("L", "It calls `gone` here.", Tier::L, vec!["ungrounded: gone"]),
        ("H", "Perhaps it calls `gone` here.", Tier::L, vec!["ungrounded: gone", "hedged"]),
        ("H", "It calls `defined_elsewhere` here.", Tier::H, vec![]),
    ] {
        let (mission, tree) = (mission(1), tree());
        let index = Definitions::of(["def defined_elsewhere(x):"]);
        let returns = vec![ReturnInput::Json(branch(1, vec![finding(1, tier, "src/a.py:3", claim)]))];
        let out = gather(GatherInput { index: &index, ..GatherInput::new(&mission, &tree, returns) });
        assert_eq!(
            (out.findings[0].confidence, &out.findings[0].notes[..]),
            (wanted, &notes.iter().map(|note| (*note).to_owned()).collect::<Vec<_>>()[..]),
            "{claim}"
        );
    }
}

#[test]
fn notes_of_other_members_say_whose_they_are() {
    let findings = vec![finding(1, "H", "src/a.py:3", CLAIM), finding(2, "H", "src/a.py:3", "It probably writes.")];
    let out = run(&mission(1), &tree(), &[branch(1, findings)]);
    assert_eq!(out.findings[0].notes, ["hedged (branch 1 FINDING-002)"]);
}

fn plan(mission: &Mission) -> Plan {
    let sub = |id: u32, dt: u32, scope: &str| {
        json!({"parent_mission_id": mission.mission_id, "branch_id": id, "question": "…", "supports_decision": format!("DT-{dt}"),
               "scope": [scope], "budget": {"max_tool_calls": 8, "max_tokens_input": 4000}, "map_excerpt": ""})
    };
    serde_json::from_value(json!({
        "mission_id": mission.mission_id, "gate": {"decision": "scatter", "flags": [], "reason": ""},
        "surface": {"modules": 1, "source_files": 1, "files": 1}, "clusters": [],
        "modularity": {"before_merges": 0.0, "after_merges": 0.0}, "cut_weight": 0,
        "branches": [sub(1, 1, "src/a.py"), sub(2, 2, "lib/**")], "serial": ["DT-3"], "not_probed": []
    }))
    .unwrap()
}

#[test]
fn a_plan_holds_each_branch_to_its_scope_and_its_number() {
    let (mission, tree) = (mission(4), tree());
    let plan = plan(&mission);
    let both = |id| branch(id, vec![finding(1, "H", "src/a.py:1", CLAIM), finding(2, "H", "lib/c.py:1", CLAIM)]);
    let returns = [both(1), both(2), both(3), both(4)].map(ReturnInput::Json).to_vec();
    let input =
        GatherInput { plan: Some(&plan), serial: Some(BranchId(3)), ..GatherInput::new(&mission, &tree, returns) };
    let out = gather(input);
    let rejected: Vec<_> =
        out.rejected.iter().map(|one| (one.branch_id.0, one.id.as_str(), one.detail.as_str())).collect();
    assert_eq!(
        rejected,
        [
            (1, "FINDING-002", "`lib/c.py` is not in the branch's scope"),
            (2, "FINDING-001", "`src/a.py` is not in the branch's scope")
        ]
    );
    assert_eq!(out.telemetry.invalid_returns[0].detail, "the plan has no branch 4");
    let origins: Vec<u32> = out.findings.iter().flat_map(|one| &one.origin).map(|origin| origin.branch_id.0).collect();
    assert_eq!(origins, [2, 3, 1, 3]);
}

#[test]
fn the_missions_scope_bounds_the_surface() {
    let mut mission = mission(1);
    mission.scope.exclude = vec!["lib/**".to_owned()];
    let out = run(&mission, &tree(), &[branch(1, vec![finding(1, "H", "lib/c.py:1", CLAIM)])]);
    assert_eq!(out.rejected[0].detail, "`lib/c.py` is not a file of the surface");
}

#[test]
fn a_gap_gets_the_first_reason_that_holds() {
    let (mission, tree) = (mission(4), tree());
    let plan = plan(&mission);
    let trouble = |branch: u32, cause| Trouble { branch_id: BranchId(branch), cause };
    let reasons = |returns: Vec<Value>, troubles: Vec<Trouble>| -> Vec<Option<GapReason>> {
        let returns = returns.into_iter().map(ReturnInput::Json).collect();
        let input = GatherInput {
            plan: Some(&plan),
            serial: Some(BranchId(3)),
            troubles,
            ..GatherInput::new(&mission, &tree, returns)
        };
        gather(input).gaps.iter().map(|gap| gap.reason).collect()
    };
    use GapReason::{BranchFailed, Budget, Deadline, Empty, OnlyLow, RejectedEvidence};
    let empty = |id| branch(id, vec![]);
    assert_eq!(reasons(vec![], vec![]), [Some(BranchFailed), Some(BranchFailed), Some(BranchFailed), Some(Empty)]);
    assert_eq!(reasons(vec![empty(1), empty(2), empty(3)], vec![]), [Some(Empty); 4]);
    assert_eq!(
        reasons(vec![empty(1), empty(2)], vec![trouble(1, TroubleCause::Budget), trouble(3, TroubleCause::Deadline)]),
        [Some(Budget), Some(Empty), Some(Deadline), Some(Empty)]
    );
    let low = branch(1, vec![finding(1, "L", "src/a.py:1", CLAIM)]);
    let misshapen = branch(
        2,
        vec![with(with(finding(1, "H", "lib/c.py:1", CLAIM), "supports_decision", json!("DT-2")), "id", json!(7))],
    );
    let answered = branch(3, vec![with(finding(1, "M", "src/b.py:1", CLAIM), "supports_decision", json!("DT-3"))]);
    assert_eq!(
        reasons(
            vec![low, misshapen, answered],
            vec![trouble(2, TroubleCause::Failed), trouble(3, TroubleCause::Budget)]
        ),
        [Some(OnlyLow), Some(RejectedEvidence), Some(Empty)]
    );
}

#[test]
fn gaps_handed_in_come_first_by_question_branch_and_position() {
    let gap = |text: &str| json!({"id": "GAP-009", "sub_question": text, "strikes": [{"probe": "p", "result": "r"}, 7], "escalate_to": "ATLAS"});
    let first = with(
        branch(2, vec![]),
        "gaps",
        json!([gap("DT-2 — a"), gap("DT-1: b"), gap("DT-1"), gap("DT-9 — c"), gap("about DT-1")]),
    );
    let second = with(branch(1, vec![]), "gaps", json!([gap("DT-2 — d")]));
    let out = run(&mission(3), &tree(), &[first, second]);
    let told: Vec<_> = out
        .gaps
        .iter()
        .map(|gap| {
            (
                gap.id.as_str(),
                gap.sub_question.as_str(),
                gap.text.as_deref(),
                gap.origin.branch_id.map(|id| id.0),
                gap.reason,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("GAP-001", "DT-1", Some("DT-1: b"), Some(2), None),
            ("GAP-002", "DT-1", None, Some(2), None),
            ("GAP-003", "DT-2", Some("DT-2 — d"), Some(1), None),
            ("GAP-004", "DT-2", Some("DT-2 — a"), Some(2), None),
            ("GAP-005", "DT-3", None, None, Some(GapReason::Empty)),
        ]
    );
    assert_eq!(
        (out.gaps[0].strikes.len(), out.gaps[0].escalate_to.as_str(), out.gaps[4].escalate_to.as_str()),
        (1, "ATLAS", "human")
    );
    let rejected: Vec<_> = out.rejected.iter().map(|one| (one.id.as_str(), one.detail.as_str())).collect();
    assert_eq!(rejected, [("GAP-009", "`sub_question` of a gap must start with a `DT-n` of the mission"); 2]);
}

#[test]
fn telemetry_counts_and_advises() {
    let (mission, tree) = (mission(1), tree());
    let told = |findings: Vec<Value>, branch_tokens: u64| {
        let returns = vec![ReturnInput::Json(branch(1, findings))];
        let fan_out = Some(FanOut { branch_tokens, serial_tokens: 100, terms: "by hand".to_owned() });
        let telemetry = gather(GatherInput { fan_out, ..GatherInput::new(&mission, &tree, returns) }).telemetry;
        (telemetry.line(), telemetry.advice)
    };
    let twice = || vec![finding(1, "H", "src/a.py:1", CLAIM), finding(2, "H", "src/a.py:1", CLAIM)];
    let (line, advice) = told(twice(), 112);
    assert_eq!(line, "scatter | branches: 1 | fan_out_ratio: 1.12 | dedup_count: 1 | disputed: 0 | tool_calls: 1");
    assert!(advice.is_empty());
    assert!(told(twice(), 200).1[0].contains("were not disjoint"));
    assert!(told(vec![], 200).1[0].contains("too coarse"));
}

#[test]
fn the_exit_gate_is_computed() {
    let mission = mission(2);
    let mut out = run(&mission, &tree(), &[branch(1, vec![finding(1, "H", "src/a.py:1", CLAIM)])]);
    let passes = |out: &Findings| exit_gate(&mission, out).iter().map(|item| item.pass).collect::<Vec<_>>();
    assert_eq!(passes(&out), [true, true]);
    let gap = out.gaps.pop().unwrap();
    assert_eq!(passes(&out), [true, false]);
    out.gaps.push(gap);
    out.findings[0].disputed = true;
    assert_eq!(passes(&out), [false, false]);
}

#[test]
fn findings_are_valid_against_the_published_schema() {
    let schema = atlas_artifact::schema("findings").unwrap();
    let findings = vec![
        asserting(1, "H", "src/a.py:1", "Only f writes the table.", "only f writes t"),
        asserting(2, "H", "src/a.py:1", "Then g writes `gone`, probably.", "g writes t"),
        asserting(3, "H", "src/b.py:9", "And h writes the table.", "h writes t"),
        finding(4, "H", "src/b.py:99", CLAIM),
    ];
    let out = run(&mission(2), &tree(), &[branch(1, findings), json!({"branch_id": 7})]);
    let out = serde_json::to_value(&out).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&out).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
}
