//! The published schemas: committed copies under `docs/schemas`, and what they let through.

use atlas_artifact::{SCHEMA_NAMES, schema};
use serde_json::{Value, json};
use std::path::PathBuf;

fn committed(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/schemas/{name}.json"))
}

/// Set `ATLAS_UPDATE=1` to write the copies anew after a change of a type.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a developer's command in the guise of a test writes the project's own docs"
)]
fn committed_schemas_are_those_of_the_types() {
    let update = std::env::var_os("ATLAS_UPDATE").is_some();
    for name in SCHEMA_NAMES {
        let text = format!("{:#}\n", schema(name).unwrap());
        let path = committed(name);
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(there == text, "docs/schemas/{name}.json is out of date: run the tests once with ATLAS_UPDATE=1");
    }
}

/// Where the schema objects, one entry an objection.
fn objections(name: &str, value: &Value) -> Vec<String> {
    let schema = schema(name).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(value).map(|error| error.instance_path().to_string()).collect()
}

fn mission() -> Value {
    json!({
        "mission_id": "20260101-001",
        "created": "2026-01-01T00:00:00Z",
        "goal": "Map who writes the audit log",
        "decision_target": "Which functions write the audit log?",
        "sub_questions": [{"id": "DT-1", "text": "Who writes the audit log?"}],
        "scope": {"include": ["**"]},
        "budget": {
            "max_tool_calls": 100, "max_tokens_input": 100_000, "max_wall_clock_s": 600,
            "max_subagents": 5, "max_recursion_depth": 1
        },
        "stop_conditions": [{"id": "SC-1", "description": "all answered"}],
        "handoff_recipients": {"primary": "human", "fallback": "human"}
    })
}

fn returned() -> Value {
    json!({
        "branch_id": 1,
        "findings": [{
            "id": "FINDING-001", "claim": "`record` writes the audit log.", "confidence": "H",
            "supports_decision": "DT-1", "evidence": [{"path": "a.py", "lines": "3-7"}]
        }],
        "gaps": [{"id": "GAP-001", "sub_question": "DT-2 — who?", "strikes": [], "escalate_to": "human"}],
        "ruled_out": [],
        "telemetry": {"tokens_used": 0, "tool_calls": 0}
    })
}

fn with(mut value: Value, pointer: &str, new: Value) -> Value {
    *value.pointer_mut(pointer).unwrap() = new;
    value
}

#[test]
fn a_mission_passes_and_each_fault_is_objected_to_in_its_place() {
    assert_eq!(objections("mission", &mission()), [""; 0]);
    for (pointer, bad) in [
        ("/mission_id", json!("2026-1")),
        ("/goal", json!("short")),
        ("/decision_target", json!("x".repeat(501))),
        ("/sub_questions", json!([])),
        ("/sub_questions/0/id", json!("DT-0")),
        ("/scope/include", json!([])),
        ("/budget/max_tool_calls", json!(0)),
        ("/budget/max_recursion_depth", json!(2)),
        ("/stop_conditions", json!([])),
        ("/stop_conditions/0/id", json!("1")),
    ] {
        assert_eq!(objections("mission", &with(mission(), pointer, bad)), [pointer], "{pointer}");
    }
    for field in ["mission_id", "goal", "decision_target", "sub_questions", "scope", "budget", "stop_conditions"] {
        let mut mission = mission();
        mission.as_object_mut().unwrap().remove(field);
        assert_eq!(objections("mission", &mission), [""], "{field}");
    }
    let mut extra = mission();
    extra["note"] = json!("x");
    assert_eq!(objections("mission", &extra), [""]);
}

#[test]
fn a_return_passes_with_lines_of_every_form_and_nothing_beside_its_keys() {
    for lines in [json!("3-7"), json!("3"), json!(3)] {
        let value = with(returned(), "/findings/0/evidence/0/lines", lines);
        assert_eq!(objections("return", &value), [""; 0]);
    }
    for (pointer, bad) in [
        ("/branch_id", json!(0)),
        ("/findings/0/evidence/0/lines", json!("0-3")),
        ("/findings/0/evidence/0/lines", json!("3-")),
        ("/findings/0/evidence", json!([])),
        ("/findings/0/id", json!("F-1")),
        ("/findings/0/confidence", json!("X")),
        ("/gaps/0/sub_question", json!("who?")),
    ] {
        assert_eq!(objections("return", &with(returned(), pointer, bad)), [pointer], "{pointer}");
    }
    let mut transcript = returned();
    transcript["transcript"] = json!([]);
    assert_eq!(objections("return", &transcript), [""]);
    // Unknown keys inside a finding are ignored (§9).
    let mut inside = returned();
    inside["findings"][0]["note"] = json!("x");
    assert_eq!(objections("return", &inside), [""; 0]);
}

#[test]
fn a_fold_is_one_of_its_two_forms() {
    assert_eq!(objections("fold", &json!({"fits": false, "tokens": 2001})), [""; 0]);
    assert_eq!(objections("fold", &json!({"fits": true, "tokens": 2001})).len(), 1);
    let fold = json!({
        "fits": true, "tokens": 10, "mission_id": "20260101-001", "header": "", "answer": [],
        "index": [{"id": "FINDING-001", "tier": "H", "anchors": ["a.py:1-2"]}], "gaps": [], "escalations": []
    });
    assert_eq!(objections("fold", &fold), [""; 0]);
    assert_eq!(objections("fold", &with(fold, "/fits", json!(false))).len(), 1);
}
