//! Missions, trees, returns in a short form, and generators of whole gatherings.

use atlas_artifact::{Findings, Mission};
use atlas_gather::{GatherInput, Grounding, ReturnInput, gather};
use atlas_tree::MemTree;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An index that knows the Python definitions of a tree.
pub struct Definitions(BTreeSet<String>);

impl Definitions {
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let names = texts.into_iter().flat_map(str::lines).filter_map(|line| {
            let name = line.trim_start().strip_prefix("def ")?;
            Some(name.split('(').next()?.to_owned())
        });
        Self(names.collect())
    }
}

impl Grounding for Definitions {
    fn is_definition(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// A mission with this many sub-questions over everything.
pub fn mission(questions: usize) -> Mission {
    let sub_questions: Vec<Value> = (1..=questions)
        .map(|n| json!({"id": format!("DT-{n}"), "text": format!("What is question {n} about?")}))
        .collect();
    serde_json::from_value(json!({
        "mission_id": "20260101-001", "created": "2026-01-01T00:00:00Z",
        "goal": "Map what writes the audit log", "decision_target": "Which functions write the audit log?",
        "sub_questions": sub_questions, "scope": {"include": ["**"]},
        "budget": {"max_tool_calls": 100, "max_tokens_input": 100_000, "max_wall_clock_s": 600, "max_subagents": 5,
                   "max_recursion_depth": 1},
        "handoff_recipients": {"primary": "human", "fallback": "human"}
    }))
    .unwrap()
}

/// `lines` lines, numbered.
pub fn file(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

pub fn branch(id: u32, findings: Vec<Value>) -> Value {
    json!({"branch_id": id, "findings": findings, "gaps": [], "ruled_out": [],
           "telemetry": {"tokens_used": 10, "tool_calls": 1}})
}

/// A finding by its number, tier, `path:lines` and claim, for DT-1.
pub fn finding(number: usize, tier: &str, place: &str, claim: &str) -> Value {
    let (path, lines) = place.rsplit_once(':').unwrap();
    json!({"id": format!("FINDING-{number:03}"), "claim": claim, "confidence": tier, "supports_decision": "DT-1",
           "evidence": [{"path": path, "lines": lines}]})
}

/// The same with an assertion: `subject relation object`, `!` before the relation for denial, a
/// leading `only ` for an exclusive one.
pub fn asserting(number: usize, tier: &str, place: &str, claim: &str, assertion: &str) -> Value {
    let mut out = finding(number, tier, place, claim);
    let (exclusive, rest) = assertion.strip_prefix("only ").map_or((false, assertion), |rest| (true, rest));
    let parts: Vec<&str> = rest.split(' ').collect();
    out["assertion"] = json!({"subject": parts[0], "relation": parts[1].trim_start_matches('!'), "object": parts[2],
        "polarity": !parts[1].starts_with('!'), "exclusive": exclusive});
    out
}

pub fn with(mut finding: Value, key: &str, value: Value) -> Value {
    finding[key] = value;
    finding
}

pub fn run(mission: &Mission, tree: &MemTree, returns: &[Value]) -> Findings {
    gather(GatherInput::new(mission, tree, returns.iter().cloned().map(ReturnInput::Json).collect()))
}

/// A tree that the generated returns speak of.
pub fn generated_tree() -> MemTree {
    MemTree::new([("a.py", file(12)), ("b.py", file(6)), ("c/d.py", file(3))])
}

/// Returns over [`generated_tree`] and a mission of three questions: mostly well-formed findings,
/// with faults, disputes, duplicated branch ids and broken returns among them.
pub fn generated_returns(returns_max: usize, findings_max: usize) -> impl Strategy<Value = Vec<Value>> {
    let one = (0u32..4, prop::collection::vec(generated_finding(), 0..=findings_max), 0u8..20, 0u8..4).prop_map(
        |(id, findings, fault, gap)| {
            let findings = findings
                .into_iter()
                .enumerate()
                .map(|(at, finding)| {
                    if finding["id"].is_null() {
                        with(finding, "id", json!(format!("FINDING-{:03}", at + 1)))
                    } else {
                        finding
                    }
                })
                .collect();
            let mut out = branch(id + 1, findings);
            if gap > 0 && gap < 3 {
                let text = format!("DT-{gap} — not found");
                out["gaps"] = json!([{"id": "GAP-001", "sub_question": text, "strikes": [], "escalate_to": "human"}]);
            }
            match fault {
                0 => with(out, "transcript", json!("…")),
                1 => json!({ "return": out }),
                2 => with(out, "branch_id", json!("one")),
                _ => out,
            }
        },
    );
    prop::collection::vec(one, 0..=returns_max)
}

fn generated_finding() -> impl Strategy<Value = Value> {
    let words =
        prop::sample::select(vec!["log", "cache", "the", "writes", "reads", "session", "route", "probably", "`gone`"]);
    let claim = prop::collection::vec(words, 1..5).prop_map(|words| format!("a claim of {}", words.join(" ")));
    let path = prop::sample::select(vec![
        "a.py", "a.py", "a.py", "a.py", "a.py", "b.py", "b.py", "c/d.py", "../a.py", "none.py",
    ]);
    let anchor = (path, 1u32..8, 0u32..5)
        .prop_map(|(path, start, more)| json!({"path": path, "lines": format!("{start}-{}", start + more)}));
    let some = prop::collection::vec(anchor, 1..3);
    let evidence = prop_oneof![11 => some, 1 => Just(Vec::new())];
    let name = |names: &'static [&'static str]| prop::sample::select(names);
    let assertion = prop::option::weighted(
        0.7,
        (name(&["A.b", "A#b", "c"]), name(&["writes", "returns"]), name(&["t", "u"]), prop::bool::weighted(0.8), prop::bool::weighted(0.2))
            .prop_map(|(subject, relation, object, polarity, exclusive)| {
                json!({"subject": subject, "relation": relation, "object": object, "polarity": polarity, "exclusive": exclusive})
            }),
    );
    let tier = prop::sample::select(vec!["H", "M", "L", "H", "M", "L", "H", "M", "L", "H", "M", "X"]);
    (claim, evidence, assertion, tier, prop::sample::select(vec![1, 1, 1, 2, 2, 2, 3, 3, 3, 4]), 0u8..24).prop_map(
        |(claim, evidence, assertion, tier, dt, fault)| {
            let mut out = json!({"claim": claim, "evidence": evidence, "confidence": tier,
                "supports_decision": format!("DT-{dt}"), "ruled_out": [format!("not in {dt}")]});
            if let Some(assertion) = assertion {
                out["assertion"] = assertion;
            }
            match fault {
                0 => with(out, "id", json!("FINDING-001")),
                1 => with(out, "id", json!(7)),
                2 => with(out, "claim", json!("short")),
                _ => out,
            }
        },
    )
}
