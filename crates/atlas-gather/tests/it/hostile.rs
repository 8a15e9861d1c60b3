//! Returns made by somebody who means harm, or by nobody at all (contract §16).

use crate::support::{branch, file, finding, mission, with};
use atlas_artifact::Findings;
use atlas_artifact::limits::{RETURN_BYTES_MAX, RETURN_FINDINGS_MAX};
use atlas_gather::{GatherInput, NoIndex, ReturnInput, gather, verify};
use atlas_tree::MemTree;
use proptest::prelude::*;
use serde_json::{Value, json};

fn bytes(returns: Vec<Vec<u8>>) -> Findings {
    let (mission, tree) =
        (mission(2), MemTree::new([("a.py", file(9)), ("no-end.py", "x".to_owned()), ("empty.py", String::new())]));
    let out = gather(GatherInput::new(&mission, &tree, returns.into_iter().map(ReturnInput::Bytes).collect()));
    assert!(!out.gaps.is_empty() || !out.findings.is_empty());
    let report = verify(&out, &tree, &NoIndex);
    assert_eq!(report.counts.holds, report.anchors.len() as u64, "what was accepted holds");
    out
}

fn json_bytes(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

#[test]
fn what_is_no_return_is_told_and_harms_nobody() {
    let good = json_bytes(&branch(1, vec![finding(1, "H", "a.py:1-9", "The whole file is cited.")]));
    let deep = [vec![b'['; 200_000], vec![b']'; 200_000]].concat();
    let deep_inside =
        format!(r#"{{"branch_id": 2, "findings": {}1{}}}"#, "{\"a\":[".repeat(90), "]}".repeat(90)).into_bytes();
    for bad in [
        b"".to_vec(),
        b"null".to_vec(),
        b"Done.".to_vec(),
        b"```json\n{}\n```".to_vec(),
        b"{\"branch_id\": 2".to_vec(),
        b"\x00\xff\xfe".to_vec(),
        br#"{"branch_id": 2, "branch_id": 3}"#.to_vec(),
        good[..good.len() / 2].to_vec(),
        deep,
        deep_inside,
    ] {
        let out = bytes(vec![bad.clone(), good.clone()]);
        assert_eq!(
            (out.findings.len(), out.telemetry.invalid_returns.len(), out.telemetry.branches),
            (1, 1, 2),
            "{:?}",
            String::from_utf8_lossy(&bad[..bad.len().min(40)])
        );
    }
}

#[test]
fn paths_that_lead_elsewhere_are_not_in_the_surface() {
    for path in [
        "../a.py",
        "/etc/passwd",
        "./a.py",
        "a.py/",
        "a.py\0",
        "",
        "x/../a.py",
        "a\\b",
        "C:\\a.py",
        "A.PY",
        "a.py:1",
        "file:///a.py",
        ".git/config",
    ] {
        let evil = with(
            finding(1, "H", "a.py:1", "An anchor from elsewhere."),
            "evidence",
            json!([{"path": path, "lines": "1"}]),
        );
        let out = bytes(vec![json_bytes(&branch(1, vec![evil]))]);
        assert_eq!((out.findings.len(), out.rejected[0].reason), (0, atlas_artifact::RejectReason::Path), "{path:?}");
    }
}

#[test]
fn lines_past_the_end_and_numbers_past_everything() {
    for (path, lines) in [
        ("a.py", json!("9-10")),
        ("a.py", json!("4294967295")),
        ("a.py", json!("1-4294967296")),
        ("a.py", json!("18446744073709551616-99999999999999999999999999")),
        ("a.py", json!(u64::MAX)),
        ("a.py", json!(i64::MIN)),
        ("no-end.py", json!("1-2")),
        ("empty.py", json!(1)),
    ] {
        let evil = with(
            finding(1, "H", "a.py:1", "Lines that no file has."),
            "evidence",
            json!([{"path": path, "lines": lines}]),
        );
        let out = bytes(vec![json_bytes(&branch(1, vec![evil]))]);
        assert_eq!(
            (out.findings.len(), out.rejected[0].reason),
            (0, atlas_artifact::RejectReason::Lines),
            "{path} {lines}"
        );
    }
    let kept =
        bytes(vec![json_bytes(&branch(1, vec![finding(1, "H", "no-end.py:1-1", "A last line without an end.")]))]);
    assert_eq!(kept.findings.len(), 1);
}

#[test]
fn a_return_that_is_too_large_is_refused_as_a_whole() {
    let empty_findings = vec!["{}"; RETURN_FINDINGS_MAX + 1].join(",");
    let many = format!(
        r#"{{"branch_id": 1, "findings": [{empty_findings}], "gaps": [], "ruled_out": [], "telemetry": {{"tokens_used": 0, "tool_calls": 0}}}}"#
    );
    let out = bytes(vec![many.into_bytes()]);
    assert_eq!(out.telemetry.invalid_returns[0].detail, "200001 findings, more than the 200000 of a return");
    let out = bytes(vec![vec![b' '; RETURN_BYTES_MAX + 1]]);
    assert_eq!(out.telemetry.invalid_returns[0].detail, "more than the 134217728 bytes that a return may have");
}

/// Any JSON, with the contract's keys among its keys so that it comes past the first checks.
fn any_json() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "return",
        "branch_id",
        "findings",
        "gaps",
        "ruled_out",
        "telemetry",
        "tokens_used",
        "tool_calls",
        "id",
        "claim",
        "assertion",
        "subject",
        "relation",
        "object",
        "polarity",
        "evidence",
        "path",
        "lines",
        "excerpt_ref",
        "confidence",
        "supports_decision",
        "sub_question",
        "strikes",
        "x",
    ]);
    let text = prop::sample::select(vec![
        "",
        "FINDING-001",
        "H",
        "DT-1",
        "a.py",
        "1-2",
        "A claim that `is` long enough.",
        "\0",
        "`",
        "DT-",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u8..4).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..8)
                .prop_map(|entries| entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_in_any_place_of_a_return_is_survived(value in any_json(), place in 0usize..14, key in prop::sample::select(vec!["claim", "evidence", "assertion", "id"])) {
        let base = branch(1, vec![with(finding(1, "H", "a.py:1-2", "A claim that `is` long enough."), "assertion",
            json!({"subject": "a", "relation": "returns", "object": "b"}))]);
        let mut given = base.clone();
        match place {
            0 => given = value,
            1..=5 => given[["branch_id", "findings", "gaps", "ruled_out", "telemetry"][place - 1]] = value,
            6 => given["findings"][0] = value,
            7 => given["findings"][0][key] = value,
            8 => given["findings"][0]["evidence"][0] = value,
            9 => given["findings"][0]["evidence"][0]["lines"] = value,
            10 => given["findings"][0]["assertion"]["subject"] = value,
            11 => given["gaps"] = json!([value]),
            12 => given["telemetry"]["tool_calls"] = value,
            _ => given = json!({ "return": value }),
        }
        bytes(vec![json_bytes(&given), json_bytes(&base)]);
    }

    #[test]
    fn a_return_cut_or_changed_at_any_byte_is_survived(at in 0usize..400, byte in any::<u8>(), cut in any::<bool>()) {
        let mut given = json_bytes(&branch(1, vec![finding(1, "H", "a.py:1-2", "A claim that `is` long enough.")]));
        let at = at % given.len();
        if cut { given.truncate(at) } else { given[at] = byte }
        bytes(vec![given]);
    }

    #[test]
    fn any_claim_is_survived(claim in "\\PC{10,60}|[`a-z.:#<>()-]{10,40}") {
        bytes(vec![json_bytes(&branch(1, vec![finding(1, "H", "a.py:1-2", &claim), finding(2, "M", "a.py:2", &format!("not {claim}"))]))]);
    }
}
