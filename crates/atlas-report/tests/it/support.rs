//! A small mission with its findings, and generators of larger ones.

use atlas_artifact::findings::{Escalation, FindingsGap, FollowUp};
use atlas_artifact::mission::TriggerAction;
use atlas_artifact::{
    Also, Anchor, BranchId, DtId, Finding, Findings, GapReason, HandoffRecipients, Map, Mission, MissionId,
    MissionScope, Origin, StopCondition, SubQuestion, Tier,
};
use proptest::prelude::*;
use serde_json::json;

pub fn mission(questions: &[&str]) -> Mission {
    Mission {
        mission_id: MissionId::parse("20260101-001").unwrap(),
        created: "2026-01-01T00:00:00Z".into(),
        parent_mission_id: Some("user".into()),
        goal: "Map who writes the audit log and how it is guarded".into(),
        decision_target: "Which functions write the audit log, and is each write guarded?".into(),
        sub_questions: questions
            .iter()
            .enumerate()
            .map(|(at, text)| SubQuestion {
                id: DtId(at as u32 + 1),
                text: (*text).to_owned(),
                scope: Vec::new(),
                depends_on: Vec::new(),
            })
            .collect(),
        scope: MissionScope { include: vec!["**".into()], exclude: Vec::new() },
        budget: atlas_artifact::DEFAULT_BUDGET,
        stop_conditions: vec![StopCondition { id: "SC-1".into(), description: "all answered".into() }],
        escalation_triggers: Vec::new(),
        handoff_recipients: HandoffRecipients { primary: "SPECTRA".into(), fallback: "human".into() },
    }
}

pub fn anchor(text: &str) -> Anchor {
    let (path, lines) = text.rsplit_once(':').unwrap();
    Anchor { path: path.into(), lines: lines.into(), excerpt_ref: format!("memex://excerpt/{}", "0".repeat(64)) }
}

pub fn finding(number: usize, tier: Tier, dt: u32, claim: &str, anchors: &[&str]) -> Finding {
    let id = format!("FINDING-{number:03}");
    let anchors: Vec<_> = anchors.iter().map(|text| anchor(text)).collect();
    serde_json::from_value(json!({
        "id": id, "claim": claim, "also": [], "evidence": anchors, "ruled_out": [], "confidence": tier,
        "supports_decision": DtId(dt), "also_supports": [], "origin": [{"branch_id": 1, "id": id}],
        "disputed": false, "claims": [], "disputed_with": [], "notes": []
    }))
    .unwrap()
}

pub fn gap(number: usize, dt: u32, reason: GapReason) -> FindingsGap {
    serde_json::from_value(json!({
        "id": format!("GAP-{number:03}"), "sub_question": DtId(dt), "reason": reason, "strikes": [],
        "escalate_to": "human", "origin": {"branch_id": null, "id": null}
    }))
    .unwrap()
}

pub fn findings(list: Vec<Finding>, gaps: Vec<FindingsGap>) -> Findings {
    let disputed = list.iter().filter(|finding| finding.disputed).count();
    let mut findings: Findings = serde_json::from_value(json!({
        "mission_id": "20260101-001", "findings": [], "gaps": gaps, "rejected": [], "ruled_out": [],
        "escalation_log": [],
        "telemetry": {
            "branches": 3, "fan_out_ratio": 1.125, "dedup_count": 2, "disputed": disputed, "tool_calls": 61
        }
    }))
    .unwrap();
    findings.findings = list;
    findings
}

pub fn map() -> Map {
    serde_json::from_value(json!({
        "mission_id": "20260101-001",
        "commit": "4f2a9c1",
        "roots": [{
            "kind": "http_route", "path": "src/web/routes.py", "line": 12, "name": "login", "route": "POST /login",
            "rule": "flask"
        }],
        "modules": [
            {"path": "src/audit", "files": 4, "lines": 310, "centrality": 0.41},
            {"path": "src/web", "files": 9, "lines": 1204, "centrality": 0.3}
        ],
        "graph": {"nodes": [], "edges": [], "unresolved": 17, "file_graph": {"files": [], "edges": []}},
        "heat": [{"path": "src/web/routes.py", "commits": 14, "authors": 3}],
        "gaps": [],
        "analyses": "EXTRACTED and INFERRED edges"
    }))
    .unwrap()
}

/// Two sub-questions: one answered, with a dispute; one a gap.
pub fn sample() -> (Mission, Map, Findings) {
    let mission = mission(&["Which functions write the audit log?", "Is each write guarded?"]);
    let mut disputed = finding(
        3,
        Tier::L,
        1,
        "[DISPUTED] `purge` writes the log. ⟂ `purge` never writes the log.",
        &["src/audit/log.py:40-44"],
    );
    disputed.disputed = true;
    disputed.claims = vec![
        Also {
            text: "`purge` writes the log.".into(),
            confidence: Tier::H,
            origin: Origin { branch_id: BranchId(1), id: "FINDING-002".into() },
        },
        Also {
            text: "`purge` never writes the log.".into(),
            confidence: Tier::M,
            origin: Origin { branch_id: BranchId(2), id: "FINDING-001".into() },
        },
    ];
    disputed.follow_up = Some(FollowUp {
        probe: "view_file {\"path\":\"src/audit/log.py\",\"start_line\":40,\"end_line\":44}".into(),
        question: "Which holds?".into(),
    });
    let list = vec![
        finding(
            1,
            Tier::H,
            1,
            "`record` in src/audit/log.py:12 is called by 3 functions in 2 modules.",
            &["src/audit/log.py:12-20", "src/web/routes.py:31-31", "src/web/routes.py:77-77"],
        ),
        finding(2, Tier::M, 1, "`flush` reaches the table through `record`.", &["src/audit/flush.py:5-9"]),
        disputed,
    ];
    (mission, map(), findings(list, vec![gap(1, 2, GapReason::Empty)]))
}

/// Text that is trouble to whoever prints it.
pub fn hostile() -> impl Strategy<Value = String> {
    "([-*#>|`_ \\n\\t~$&;:<>=+\\[\\]()!\\\\.0-9a-z\"'{}]|\\PC|\u{1b}|\u{202e}|\\[FINDING-001\\]|\\[GAP-001\\]|\\[DISPUTED\\]|</script>|\\. ){0,40}"
        .prop_map(|text| if text.trim().is_empty() { "x".to_owned() } else { text })
}

pub fn any_finding(number: usize) -> impl Strategy<Value = Finding> {
    let path = prop_oneof![Just("src/a.py".to_owned()), Just("src/__init__.py".to_owned()), "[a-z/`| \\.\\n]{1,30}"];
    let anchors = proptest::collection::vec((path, 1_u32..9000, 0_u32..90), 1..5);
    (hostile(), anchors, 0_u8..3, 1_u32..5, any::<bool>(), 0_u32..5).prop_map(
        move |(claim, anchors, tier, dt, disputed, also)| {
            let tier = [Tier::L, Tier::M, Tier::H][tier as usize];
            let anchors: Vec<String> =
                anchors.iter().map(|(path, start, len)| format!("{path}:{start}-{}", start + len)).collect();
            let anchors: Vec<&str> = anchors.iter().map(String::as_str).collect();
            let mut finding = finding(number, tier, dt, &claim, &anchors);
            finding.disputed = disputed && number.is_multiple_of(3);
            if finding.disputed {
                finding.confidence = Tier::L;
            }
            if also > 0 && also != dt {
                finding.also_supports.push(DtId(also));
            }
            finding
        },
    )
}

pub fn any_findings(most: usize) -> impl Strategy<Value = Findings> {
    let fired = proptest::collection::vec((1_u32..4, any::<bool>()), 0..4);
    (0..=most)
        .prop_flat_map(|count| (1..=count).map(any_finding).collect::<Vec<_>>())
        .prop_flat_map(move |list| (Just(list), fired.clone(), proptest::collection::vec(1_u32..5, 0..6)))
        .prop_map(|(list, fired, gaps)| {
            let reasons = [GapReason::Empty, GapReason::Budget, GapReason::Disputed, GapReason::OnlyLow];
            let gaps = gaps.iter().enumerate().map(|(at, dt)| gap(at + 1, *dt, reasons[at % reasons.len()])).collect();
            let mut findings = findings(list, gaps);
            findings.escalation_log = fired
                .into_iter()
                .map(|(id, halts)| Escalation {
                    trigger: format!("ET-{id}"),
                    branch_id: None,
                    probe: "view_file".into(),
                    matched: "x".into(),
                    action: if halts { TriggerAction::Halt } else { TriggerAction::Annotate },
                })
                .collect();
            findings
        })
}
