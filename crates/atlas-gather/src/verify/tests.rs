use super::*;
use crate::{GatherInput, NoIndex, ReturnInput, gather};
use atlas_artifact::Mission;
use atlas_tree::MemTree;
use serde_json::json;

const OLD: &str = "import log\n\ndef record(x):\n    log.write(x)\n\ndef other():\n    pass\n";

fn gathered() -> Findings {
    let mission: Mission = serde_json::from_value(json!({
        "mission_id": "20260101-001", "created": "2026-01-01T00:00:00Z",
        "goal": "Map what writes the log", "decision_target": "Which functions write the log?",
        "sub_questions": [{"id": "DT-1", "text": "Which functions write?"}], "scope": {"include": ["**"]},
        "budget": {"max_tool_calls": 1, "max_tokens_input": 1000, "max_wall_clock_s": 10, "max_subagents": 0, "max_recursion_depth": 0},
        "handoff_recipients": {"primary": "human", "fallback": "human"}
    }))
    .unwrap();
    let finding = |id: &str, claim: &str, lines: &str| {
        json!({"id": id, "claim": claim, "confidence": "H", "supports_decision": "DT-1",
               "evidence": [{"path": "app/vote.py", "lines": lines}]})
    };
    let returned = json!({"branch_id": 1, "gaps": [], "ruled_out": [], "telemetry": {"tokens_used": 0, "tool_calls": 0},
        "findings": [finding("FINDING-001", "`record` writes the log.", "3-4"),
                     finding("FINDING-002", "`other` does nothing at all.", "6-7")]});
    let tree = MemTree::new([("app/vote.py", OLD)]);
    gather(GatherInput::new(&mission, &tree, vec![ReturnInput::Json(returned)]))
}

fn check(tree: &MemTree) -> Vec<(AnchorState, Option<String>, String)> {
    let report = verify(&gathered(), tree, &NoIndex);
    report
        .anchors
        .into_iter()
        .map(|check| (check.state, check.moved_to.map(|anchor| anchor.lines), check.detail))
        .collect()
}

#[test]
fn the_same_tree_holds() {
    let report = verify(&gathered(), &MemTree::new([("app/vote.py", OLD)]), &NoIndex);
    assert!(report.ok);
    assert_eq!(
        report.summary(),
        "verify | findings: 2 | anchors: 2 | hold: 2 | moved: 0 | changed: 0 | gone: 0 | malformed: 0 | ungrounded: 0"
    );
    assert_eq!(report.annotations(), "");
}

#[test]
fn moved_lines_are_found_and_changed_ones_told() {
    let new = format!("# new\n# new\n{}", OLD.replace("pass", "return 1"));
    assert_eq!(
        check(&MemTree::new([("app/vote.py", new)])),
        [
            (AnchorState::Moved, Some("5-6".to_owned()), "the lines 3-4 stand at 5-6 now".to_owned()),
            (AnchorState::Changed, None, "lines 6-7 no longer hold the excerpt".to_owned()),
        ]
    );
}

#[test]
fn the_nearest_place_wins_and_of_two_the_earlier() {
    let block = "def record(x):\n    log.write(x)\n";
    let at_1_and_5 = format!("{block}\n\n{block}");
    assert_eq!(check(&MemTree::new([("app/vote.py", at_1_and_5)]))[0].1.as_deref(), Some("1-2"));
    let at_1_and_4 = format!("{block}\n{block}");
    assert_eq!(check(&MemTree::new([("app/vote.py", at_1_and_4)]))[0].1.as_deref(), Some("4-5"));
}

#[test]
fn a_shorter_file_and_a_missing_one() {
    let short = check(&MemTree::new([("app/vote.py", "x\n")]));
    assert_eq!(short[0], (AnchorState::Changed, None, "lines 3-4 are past the end: the file has 1".to_owned()));
    let gone = check(&MemTree::new([("app/poll.py", OLD)]));
    assert_eq!(gone[1], (AnchorState::Gone, None, "`app/vote.py` is not in the tree".to_owned()));
    let empty = check(&MemTree::new([("app/vote.py", "")]));
    assert_eq!(empty[0].2, "lines 3-4 are past the end: the file has 0");
}

#[test]
fn what_cannot_be_read_is_malformed() {
    let tree = MemTree::new([("app/vote.py", OLD)]);
    for (path, lines, reference) in [
        ("../app/vote.py", "3-4", None),
        ("/app/vote.py", "3-4", None),
        ("app\0", "3-4", None),
        ("app/vote.py", "4-3", None),
        ("app/vote.py", "0", None),
        ("app/vote.py", "99999999999999999999", None),
        ("app/vote.py", "3-4", Some("memex://excerpt/ABC")),
        ("app/vote.py", "3-4", Some("")),
    ] {
        let mut findings = gathered();
        let anchor = &mut findings.findings[0].evidence[0];
        (anchor.path, anchor.lines) = (path.to_owned(), lines.to_owned());
        if let Some(reference) = reference {
            anchor.excerpt_ref = reference.to_owned();
        }
        let report = verify(&findings, &tree, &NoIndex);
        assert_eq!(report.anchors[0].state, AnchorState::Malformed, "{path} {lines} {reference:?}");
        assert!(!report.ok);
    }
}

#[test]
fn a_name_that_is_gone_is_ungrounded_unless_it_was_noted() {
    let mut findings = gathered();
    findings.findings[0].claim = "`record` calls `audit.flush` and `missing`.".to_owned();
    findings.findings[0].notes = vec!["ungrounded: missing".to_owned()];
    let report = verify(&findings, &MemTree::new([("app/vote.py", OLD)]), &NoIndex);
    let told: Vec<(&str, u32, &[String])> =
        report.ungrounded.iter().map(|one| (one.finding.as_str(), one.line, one.names.as_slice())).collect();
    assert_eq!(told, [("FINDING-001", 3, &["audit.flush".to_owned()][..])]);
    assert!(!report.ok);
}

#[test]
fn annotations_are_workflow_commands_with_their_text_escaped() {
    let mut findings = gathered();
    findings.findings[1].evidence[0].path = "gone,\n100%:x.py".to_owned();
    let report = verify(&findings, &MemTree::new([("app/vote.py", format!("\n{OLD}"))]), &NoIndex);
    assert_eq!(
        report.annotations(),
        "::warning file=app/vote.py,line=4,endLine=5,title=FINDING-001::the lines 3-4 stand at 4-5 now\n\
         ::error file=gone%2C%0A100%25%3Ax.py,line=6,endLine=7,title=FINDING-002::`gone,%0A100%25:x.py` is not in the tree\n\
         ::warning file=gone%2C%0A100%25%3Ax.py,line=1,title=FINDING-002::not borne out by the cited lines or the index: other\n"
    );
}

#[test]
fn differences_name_the_anchor_to_cite_instead() {
    let mut findings = gathered();
    findings.findings[1].evidence[0].path = "gone\u{1b}[2J.py".to_owned();
    let report = verify(&findings, &MemTree::new([("app/vote.py", format!("\n{OLD}"))]), &NoIndex);
    assert_eq!(
        report.differences(),
        "FINDING-001 app/vote.py:3-4 moved to app/vote.py:4-5\n\
         FINDING-002 gone\\u{1b}[2J.py:6-7 gone: `gone\\u{1b}[2J.py` is not in the tree\n\
         FINDING-002 gone\\u{1b}[2J.py:1 ungrounded: `other`\n"
    );
}

#[test]
fn excerpts_that_the_folder_lost_are_differences() {
    let findings = gathered();
    let tree = MemTree::new([("app/vote.py", OLD)]);
    let first = Digest::parse(findings.findings[0].evidence[0].excerpt_ref.strip_prefix(EXCERPT).unwrap()).unwrap();
    let whole = verify(&findings, &tree, &NoIndex).with_excerpts(&findings, |_| Ok(true));
    assert!(whole.ok && whole.excerpts.is_empty());
    let lost = verify(&findings, &tree, &NoIndex)
        .with_excerpts(&findings, |digest| if *digest == first { Err("damaged".to_owned()) } else { Ok(false) });
    assert!(!lost.ok);
    assert_eq!(lost.counts.lost_excerpts, 2);
    let told: Vec<[&str; 2]> = lost.excerpts.iter().map(|one| [&*one.finding, &*one.detail]).collect();
    assert_eq!(told, [["FINDING-001", "damaged"], ["FINDING-002", "the mission folder does not hold this excerpt"]]);
    assert!(lost.summary().ends_with("ungrounded: 0 | lost excerpts: 2"), "{}", lost.summary());
    assert!(lost.annotations().starts_with("::error title=FINDING-001::memex://excerpt/"), "{}", lost.annotations());
}
