//! What holds for every gathering, and that the laws catch a merge that is wrong on purpose.

use crate::reference::{self, MISTAKES, Mistake, bare, plainly, valid};
use crate::support::{generated_returns, generated_tree, mission, run};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::collections::BTreeSet;

type Gathering<'a> = &'a dyn Fn(&[Value]) -> Value;

proptest! {
    #[test]
    fn the_laws_hold(returns in generated_returns(4, 7)) {
        let (mission, tree) = (mission(3), generated_tree());
        let gathering = |returns: &[Value]| plainly(&run(&mission, &tree, returns));
        prop_assert_eq!(broken_law(&gathering, &returns), None);
    }
}

#[test]
fn a_merge_that_is_wrong_on_purpose_breaks_a_law() {
    let (mission, tree) = (mission(3), generated_tree());
    let mut runner = TestRunner::deterministic();
    let strategy = generated_returns(4, 8);
    let samples: Vec<Vec<Value>> = (0..150).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect();
    let caught_by = |mistake: Mistake| {
        let gathering = |returns: &[Value]| reference::gather(&mission, &tree, returns, mistake);
        samples.iter().find_map(|returns| broken_law(&gathering, returns))
    };
    assert_eq!(caught_by(Mistake::None), None);
    for mistake in MISTAKES {
        assert!(caught_by(mistake).is_some(), "{mistake:?} goes unnoticed");
    }
}

/// The first law that the gathering breaks on these returns.
fn broken_law(gathering: Gathering<'_>, returns: &[Value]) -> Option<&'static str> {
    let out = gathering(returns);
    let submitted: Vec<(u64, &Value)> = returns
        .iter()
        .zip(valid(returns))
        .filter(|(_, valid)| *valid)
        .flat_map(|(given, _)| {
            let branch = bare(given)["branch_id"].as_u64().unwrap();
            bare(given)["findings"].as_array().unwrap().iter().map(move |finding| (branch, finding))
        })
        .collect();
    let findings = out["findings"].as_array().unwrap();
    let origins: Vec<(u64, &str)> = findings.iter().flat_map(origins_of).collect();
    let rejected = out["rejected"].as_array().unwrap();
    // The first of its id is the accepted one: later ones were rejected for their id.
    let handed_in = |(branch, id): (u64, &str)| {
        submitted
            .iter()
            .find(|(of, finding)| *of == branch && finding["id"] == id && well_shaped(finding))
            .map(|(_, finding)| *finding)
    };

    if permutations(returns).iter().any(|other| gathering(other) != out) {
        return Some("the order of the returns shows");
    }
    if origins.len() + rejected.len() != submitted.len() {
        return Some("accepted + rejected is not submitted");
    }
    if origins.iter().collect::<BTreeSet<_>>().len() != origins.len() {
        return Some("a finding is the origin of two");
    }
    if origins.iter().any(|origin| handed_in(*origin).is_none()) {
        return Some("an origin was never handed in");
    }
    for (at, finding) in findings.iter().enumerate() {
        if finding["id"] != json!(format!("FINDING-{:03}", at + 1)) {
            return Some("ids are not the numbers in order");
        }
        let members: Vec<&Value> = origins_of(finding).into_iter().filter_map(handed_in).collect();
        if members.iter().all(|member| tier(&member["confidence"]) < tier(&finding["confidence"])) {
            return Some("a tier is above its group's best");
        }
        let texts: Vec<&Value> = ["also", "claims"]
            .iter()
            .flat_map(|key| finding[key].as_array().unwrap())
            .chain([&finding["claim"]])
            .collect();
        if members.iter().any(|member| !texts.contains(&&member["claim"])) {
            return Some("a claim is lost");
        }
        for a in &members {
            for b in &members {
                if !share_a_line(a, b) {
                    return Some("a group holds two that do not match");
                }
                if conflict(a, b) && finding["disputed"] == false {
                    return Some("a dispute vanished");
                }
            }
        }
        for other in findings {
            let others: Vec<&Value> = origins_of(other).into_iter().filter_map(handed_in).collect();
            let opposed = finding["id"] != other["id"] && members.iter().any(|a| others.iter().any(|b| exclude(a, b)));
            if opposed != finding["disputed_with"].as_array().unwrap().contains(&other["id"]) {
                return Some("a dispute with another finding is missing, or made up");
            }
        }
        if finding["disputed"] == true && finding["confidence"] != "L" {
            return Some("a disputed finding is above L");
        }
    }
    for n in 1..=3 {
        let dt = json!(format!("DT-{n}"));
        let answered = findings.iter().any(|finding| {
            let supports =
                finding["supports_decision"] == dt || finding["also_supports"].as_array().unwrap().contains(&dt);
            supports && finding["disputed"] == false && finding["confidence"] != "L"
        });
        if !answered && !out["gaps"].as_array().unwrap().iter().any(|gap| gap["sub_question"] == dt) {
            return Some("a sub-question has neither finding nor gap");
        }
    }
    None
}

fn origins_of(finding: &Value) -> Vec<(u64, &str)> {
    let origin = finding["origin"].as_array().unwrap();
    origin.iter().map(|one| (one["branch_id"].as_u64().unwrap(), one["id"].as_str().unwrap())).collect()
}

/// Of what the generator makes; anchors aside.
fn well_shaped(finding: &Value) -> bool {
    finding["claim"].as_str().unwrap().chars().count() >= 10
        && finding["confidence"] != "X"
        && finding["supports_decision"] != "DT-4"
        && !finding["evidence"].as_array().unwrap().is_empty()
}

fn tier(text: &Value) -> usize {
    ["L", "M", "H"].iter().position(|tier| text == tier).unwrap()
}

fn share_a_line(a: &Value, b: &Value) -> bool {
    let range = |finding: &Value| -> (u32, u32) {
        let (start, end) = finding["evidence"][0]["lines"].as_str().unwrap().split_once('-').unwrap();
        (start.parse().unwrap(), end.parse().unwrap())
    };
    let ((a_start, a_end), (b_start, b_end)) = (range(a), range(b));
    a["evidence"][0]["path"] == b["evidence"][0]["path"] && a_start <= b_end && b_start <= a_end
}

fn sides<'a>(a: &'a Value, b: &'a Value) -> Option<(&'a Value, &'a Value, bool, bool)> {
    let (a, b) = (a.get("assertion")?, b.get("assertion")?);
    let same = |key: &str| {
        let text = |one: &Value| one[key].as_str().unwrap().replace('#', ".");
        text(a) == text(b)
    };
    (a["relation"] == b["relation"]).then(|| (a, b, same("subject"), same("object")))
}

fn conflict(a: &Value, b: &Value) -> bool {
    let opposed = sides(a, b).is_some_and(|(a, b, subject, object)| {
        let both = a["polarity"] == true && b["polarity"] == true;
        subject && object && a["polarity"] != b["polarity"] || a["relation"] == "returns" && both && subject && !object
    });
    opposed || exclude(a, b)
}

fn exclude(a: &Value, b: &Value) -> bool {
    sides(a, b).is_some_and(|(a, b, subject, object)| {
        object
            && !subject
            && a["polarity"] == true
            && b["polarity"] == true
            && (a["exclusive"] == true || b["exclusive"] == true)
    })
}

/// All orders of at most four returns.
fn permutations(returns: &[Value]) -> Vec<Vec<Value>> {
    if returns.len() < 2 {
        return vec![returns.to_vec()];
    }
    let mut out = Vec::new();
    for first in 0..returns.len() {
        let mut rest = returns.to_vec();
        let head = rest.remove(first);
        for mut tail in permutations(&rest) {
            tail.insert(0, head.clone());
            out.push(tail);
        }
    }
    out
}
