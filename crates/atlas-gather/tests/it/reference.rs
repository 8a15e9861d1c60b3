//! A slow, plain gathering, written from the contract alone, beside the fast one; and mistakes that
//! it can be told to make.
//!
//! It knows what the generator of `support` makes: no plan, no index, claims that do not conflict by
//! words.

use crate::support::{generated_returns, generated_tree, mission, run};
use atlas_artifact::Mission;
use atlas_tree::{MemTree, RepoPath, Tree, line_count};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A merge that is wrong on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    None,
    /// Joins whatever hangs together, although not all match all.
    JoinsChains,
    /// Takes keys in order of arrival.
    FirstComeFirstServed,
    /// Keeps the representative's claim alone.
    ForgetsOtherClaims,
    /// Leaves the tier of a group in dispute, and does not mark it.
    OverlooksDisputes,
    /// Does not look at other groups for "only".
    OverlooksDisputesAcross,
    /// Gives a group of several a tier more than its best.
    Trusts,
    /// Loses findings at a place that it has seen before.
    DropsDuplicates,
    /// Keeps the first of two returns that claim one branch.
    KeepsFirstOfTwoReturns,
    /// Says nothing of unanswered sub-questions that a rejected finding named.
    ForgetsGaps,
}

pub const MISTAKES: [Mistake; 9] = [
    Mistake::JoinsChains,
    Mistake::FirstComeFirstServed,
    Mistake::ForgetsOtherClaims,
    Mistake::OverlooksDisputes,
    Mistake::OverlooksDisputesAcross,
    Mistake::Trusts,
    Mistake::DropsDuplicates,
    Mistake::KeepsFirstOfTwoReturns,
    Mistake::ForgetsGaps,
];

/// An accepted finding.
#[derive(Debug, Clone)]
struct One {
    branch: u64,
    id: String,
    claim: String,
    tier: u8,
    dt: u64,
    anchors: Vec<(String, u32, u32)>,
    ruled_out: Vec<String>,
    assertion: Option<Value>,
}

pub fn bare(given: &Value) -> &Value {
    match given.as_object() {
        Some(top) if top.len() == 1 && top.contains_key("return") => &top["return"],
        _ => given,
    }
}

/// Which returns are valid, as the contract's §9 has it.
pub fn valid(returns: &[Value]) -> Vec<bool> {
    let id = |given: &Value| bare(given)["branch_id"].as_u64();
    let keys = BTreeSet::from(["branch_id", "findings", "gaps", "ruled_out", "telemetry"]);
    returns
        .iter()
        .map(|given| {
            let has: BTreeSet<&str> = bare(given).as_object().unwrap().keys().map(String::as_str).collect();
            let shared = returns.iter().filter(|other| id(other) == id(given)).count() > 1;
            id(given).is_some() && has == keys && !shared
        })
        .collect()
}

pub fn gather(mission: &Mission, tree: &MemTree, returns: &[Value], mistake: Mistake) -> Value {
    let mut valid = valid(returns);
    if mistake == Mistake::KeepsFirstOfTwoReturns {
        let mut seen = BTreeSet::new();
        for (at, given) in returns.iter().enumerate() {
            valid[at] |= bare(given).get("transcript").is_none()
                && bare(given)["branch_id"].as_u64().is_some_and(|id| seen.insert(id));
        }
    }
    let mut kept: Vec<&Value> =
        returns.iter().zip(&valid).filter(|(_, valid)| **valid).map(|(one, _)| bare(one)).collect();
    if mistake != Mistake::FirstComeFirstServed {
        kept.sort_by_key(|one| one["branch_id"].as_u64());
    }

    let (mut ones, mut rejected, mut named) = (Vec::new(), Vec::new(), BTreeSet::new());
    for given in &kept {
        let mut ids = BTreeSet::new();
        for (at, finding) in given["findings"].as_array().unwrap().iter().enumerate() {
            match check(mission, tree, given["branch_id"].as_u64().unwrap(), finding, &mut ids) {
                Ok(one) => ones.push(one),
                Err(reason) => {
                    let id = finding["id"].as_str().map_or(format!("#{}", at + 1), str::to_owned);
                    named.extend(dt_of(mission, finding));
                    rejected.push(json!({"branch_id": given["branch_id"], "id": id, "reason": reason}));
                }
            }
        }
    }
    if mistake == Mistake::DropsDuplicates {
        let mut seen = BTreeSet::new();
        ones.retain(|one| seen.insert(one.anchors[0].clone()));
    }

    let mut groups = join(&ones, mistake);
    groups.sort_by_key(|group| {
        let lead = &ones[lead(&ones, group)];
        let dt = group.iter().map(|at| ones[*at].dt).min();
        (dt, lead.anchors[0].0.clone(), lead.anchors[0].1, group[0])
    });
    let mut findings: Vec<Value> =
        groups.iter().enumerate().map(|(at, group)| merged(at, &ones, group, mistake)).collect();
    if mistake != Mistake::OverlooksDisputesAcross {
        for a in 0..groups.len() {
            let opposed: Vec<Value> =
                (0..groups.len()).filter(|b| *b != a && across(&ones, &groups[a], &groups[*b])).map(id).collect();
            if !opposed.is_empty() {
                findings[a]["disputed"] = json!(true);
                findings[a]["confidence"] = json!("L");
                findings[a]["disputed_with"] = json!(opposed);
            }
        }
    }

    let gaps = gaps(mission, &kept, &findings, &named, valid.contains(&false), mistake);
    let disputed = findings.iter().filter(|finding| finding["disputed"] == true).count();
    let calls: u64 = kept.iter().map(|one| one["telemetry"]["tool_calls"].as_u64().unwrap()).sum();
    json!({"telemetry": {"branches": returns.len(), "dedup_count": ones.len() - findings.len(), "disputed": disputed,
        "tool_calls": calls}, "findings": findings, "gaps": gaps, "rejected": rejected})
}

fn id(at: usize) -> Value {
    json!(format!("FINDING-{:03}", at + 1))
}

fn dt_of(mission: &Mission, finding: &Value) -> Option<u64> {
    let number = finding["supports_decision"].as_str()?.strip_prefix("DT-")?.parse().ok()?;
    mission.sub_questions.iter().any(|question| u64::from(question.id.0) == number).then_some(number)
}

fn check(
    mission: &Mission,
    tree: &MemTree,
    branch: u64,
    finding: &Value,
    ids: &mut BTreeSet<String>,
) -> Result<One, &'static str> {
    let id = finding["id"].as_str().ok_or("schema")?.to_owned();
    let claim = finding["claim"].as_str().unwrap().to_owned();
    let evidence = finding["evidence"].as_array().unwrap();
    let tier = ["L", "M", "H"].iter().position(|tier| finding["confidence"] == *tier).ok_or("schema")?;
    let dt = dt_of(mission, finding).ok_or("schema")?;
    if !id.starts_with("FINDING-") || ids.contains(&id) || claim.chars().count() < 10 || evidence.is_empty() {
        return Err("schema");
    }
    ids.insert(id.clone());
    let (mut anchors, mut text) = (Vec::new(), String::new());
    for anchor in evidence {
        let path = RepoPath::new(anchor["path"].as_str().unwrap()).map_err(|_| "path")?;
        let bytes = tree.read(&path).map_err(|_| "path")?;
        let (start, end) = anchor["lines"].as_str().unwrap().split_once('-').unwrap();
        let (start, end): (u32, u32) = (start.parse().unwrap(), end.parse().unwrap());
        if start < 1 || end < start || end > line_count(&bytes) {
            return Err("lines");
        }
        let lines = std::str::from_utf8(&bytes).unwrap().split_inclusive('\n').skip(start as usize - 1);
        text.extend(lines.take((end - start + 1) as usize));
        anchors.push((path.to_string(), start, end));
    }
    let ungrounded = claim.contains("`gone`") && !text.contains("gone");
    let tier = if ungrounded || claim.split(' ').any(|word| word == "probably") { 0 } else { tier as u8 };
    let ruled_out =
        finding["ruled_out"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    Ok(One { branch, id, claim, tier, dt, anchors, ruled_out, assertion: finding.get("assertion").cloned() })
}

fn shared_lines(a: &One, b: &One) -> u32 {
    let ((path, a_start, a_end), (other, b_start, b_end)) = (&a.anchors[0], &b.anchors[0]);
    if path != other {
        return 0;
    }
    (*a_start..=*a_end).filter(|line| b_start <= line && line <= b_end).count() as u32
}

fn dotted(value: &Value) -> String {
    value.as_str().unwrap().trim().replace("::", ".").replace('#', ".")
}

/// Numerator and denominator.
fn equivalence(a: &One, b: &One) -> (usize, usize) {
    let fields = |one: &One| {
        one.assertion.as_ref().map(|x| {
            (
                dotted(&x["subject"]),
                x["relation"].clone(),
                dotted(&x["object"]),
                x["polarity"].clone(),
                x["exclusive"].clone(),
            )
        })
    };
    if fields(a).is_some() && fields(a) == fields(b) {
        return (1, 1);
    }
    let words = |one: &One| -> BTreeSet<String> {
        let lower = one.claim.to_lowercase();
        lower
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    (a.intersection(&b).count(), a.union(&b).count())
}

fn join(ones: &[One], mistake: Mistake) -> Vec<Vec<usize>> {
    let mut pairs: Vec<(usize, usize)> = (0..ones.len())
        .flat_map(|a| (a + 1..ones.len()).map(move |b| (a, b)))
        .filter(|(a, b)| shared_lines(&ones[*a], &ones[*b]) > 0)
        .collect();
    pairs.sort_by(|(a, b), (c, d)| {
        let ((p, q), (r, s)) = (equivalence(&ones[*a], &ones[*b]), equivalence(&ones[*c], &ones[*d]));
        let lines = shared_lines(&ones[*c], &ones[*d]).cmp(&shared_lines(&ones[*a], &ones[*b]));
        (r * q).cmp(&(p * s)).then(lines).then((a, b).cmp(&(c, d)))
    });
    let mut groups: Vec<Vec<usize>> = (0..ones.len()).map(|at| vec![at]).collect();
    for (a, b) in pairs {
        let home = |one: usize| groups.iter().position(|group| group.contains(&one)).unwrap();
        let (left, right) = (home(a), home(b));
        let all_match =
            groups[left].iter().all(|x| groups[right].iter().all(|y| shared_lines(&ones[*x], &ones[*y]) > 0));
        if left != right && (all_match || mistake == Mistake::JoinsChains) {
            let moved = groups.remove(right.max(left));
            groups[left.min(right)].extend(moved);
        }
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups
}

fn lead(ones: &[One], group: &[usize]) -> usize {
    let best = group.iter().map(|at| ones[*at].tier).max().unwrap();
    *group.iter().find(|at| ones[**at].tier == best).unwrap()
}

fn conflict(a: &One, b: &One) -> bool {
    let (Some(a), Some(b)) = (&a.assertion, &b.assertion) else { return false };
    let (same_subject, same_object) =
        (dotted(&a["subject"]) == dotted(&b["subject"]), dotted(&a["object"]) == dotted(&b["object"]));
    let both = a["polarity"] == true && b["polarity"] == true;
    a["relation"] == b["relation"]
        && ((same_subject && same_object && a["polarity"] != b["polarity"])
            || (a["relation"] == "returns" && same_subject && !same_object && both)
            || (same_object && !same_subject && both && (a["exclusive"] == true || b["exclusive"] == true)))
}

fn across(ones: &[One], left: &[usize], right: &[usize]) -> bool {
    let only = |a: &One, b: &One| {
        let (Some(x), Some(y)) = (&a.assertion, &b.assertion) else { return false };
        (x["exclusive"] == true || y["exclusive"] == true)
            && x["relation"] == y["relation"]
            && x["polarity"] == true
            && y["polarity"] == true
            && dotted(&x["object"]) == dotted(&y["object"])
            && dotted(&x["subject"]) != dotted(&y["subject"])
    };
    left.iter().any(|a| right.iter().any(|b| only(&ones[*a], &ones[*b])))
}

fn merged(at: usize, ones: &[One], group: &[usize], mistake: Mistake) -> Value {
    let members: Vec<&One> = group.iter().map(|at| &ones[*at]).collect();
    let lead = &ones[lead(ones, group)];
    let mut claims: Vec<&str> = Vec::new();
    let mut ruled_out: Vec<&str> = Vec::new();
    for one in &members {
        if !claims.contains(&one.claim.as_str()) {
            claims.push(&one.claim);
        }
        ruled_out.extend(
            one.ruled_out
                .iter()
                .filter(|text| !ruled_out.contains(&text.as_str()))
                .map(String::as_str)
                .collect::<Vec<_>>(),
        );
    }
    let rest: BTreeSet<_> =
        members.iter().flat_map(|one| &one.anchors).filter(|anchor| **anchor != lead.anchors[0]).collect();
    let evidence: Vec<Value> = std::iter::once(&lead.anchors[0])
        .chain(rest)
        .map(|(path, start, end)| json!({"path": path, "lines": format!("{start}-{end}")}))
        .collect();
    let also_supports: BTreeSet<u64> = members.iter().map(|one| one.dt).filter(|dt| *dt != lead.dt).collect();
    let pair = (0..members.len())
        .flat_map(|a| (a + 1..members.len()).map(move |b| (a, b)))
        .find(|(a, b)| conflict(members[*a], members[*b]))
        .filter(|_| mistake != Mistake::OverlooksDisputes);
    let tier = if mistake == Mistake::Trusts && members.len() > 1 { (lead.tier + 1).min(2) } else { lead.tier };
    let tier_name = ["L", "M", "H"][tier as usize];
    let mut out = json!({
        "id": id(at), "claim": lead.claim, "claims": [], "evidence": evidence, "ruled_out": ruled_out,
        "also": claims.iter().filter(|claim| **claim != lead.claim).collect::<Vec<_>>(),
        "confidence": tier_name, "supports_decision": format!("DT-{}", lead.dt),
        "also_supports": also_supports.iter().map(|dt| format!("DT-{dt}")).collect::<Vec<_>>(),
        "origin": members.iter().map(|one| json!({"branch_id": one.branch, "id": one.id})).collect::<Vec<_>>(),
        "disputed": false, "disputed_with": [],
    });
    if mistake == Mistake::ForgetsOtherClaims {
        out["also"] = json!([]);
    }
    if let Some((a, b)) = pair {
        out["disputed"] = json!(true);
        out["confidence"] = json!("L");
        out["claim"] = json!(format!("[DISPUTED] {} ⟂ {}", members[a].claim, members[b].claim));
        out["claims"] = json!(claims);
        out["also"] = json!([]);
    }
    out
}

fn gaps(
    mission: &Mission,
    kept: &[&Value],
    findings: &[Value],
    named: &BTreeSet<u64>,
    failed: bool,
    mistake: Mistake,
) -> Vec<Value> {
    let mut out: Vec<(u64, u64)> = Vec::new();
    for given in kept {
        for gap in given["gaps"].as_array().unwrap() {
            let dt = gap["sub_question"].as_str().unwrap()[3..4].parse().unwrap();
            out.push((dt, given["branch_id"].as_u64().unwrap()));
        }
    }
    out.sort_unstable();
    let mut gaps: Vec<(u64, Value)> = out.into_iter().map(|(dt, _)| (dt, Value::Null)).collect();
    let told: Vec<u64> = gaps.iter().map(|(dt, _)| *dt).collect();
    for question in &mission.sub_questions {
        let dt = u64::from(question.id.0);
        let text = json!(format!("DT-{dt}"));
        let supporting: Vec<&Value> = findings
            .iter()
            .filter(|one| one["supports_decision"] == text || one["also_supports"].as_array().unwrap().contains(&text))
            .collect();
        if told.contains(&dt) || supporting.iter().any(|one| one["disputed"] == false && one["confidence"] != "L") {
            continue;
        }
        if mistake == Mistake::ForgetsGaps && named.contains(&dt) {
            continue;
        }
        let reason = if supporting.iter().any(|one| one["disputed"] == true) {
            "disputed"
        } else if !supporting.is_empty() {
            "only-low"
        } else if named.contains(&dt) {
            "rejected-evidence"
        } else if failed {
            "branch-failed"
        } else {
            "empty"
        };
        gaps.push((dt, json!(reason)));
    }
    let shown = |(at, (dt, reason)): (usize, (u64, Value))| json!({"id": format!("GAP-{:03}", at + 1), "sub_question": format!("DT-{dt}"), "reason": reason});
    gaps.into_iter().enumerate().map(shown).collect()
}

/// What the reference says of a gathering, taken from the real one.
pub fn plainly(findings: &atlas_artifact::Findings) -> Value {
    let mut all = serde_json::to_value(findings).unwrap();
    for finding in all["findings"].as_array_mut().unwrap() {
        for key in ["also", "claims"] {
            finding[key] = finding[key].as_array().unwrap().iter().map(|claim| claim["text"].clone()).collect();
        }
        for anchor in finding["evidence"].as_array_mut().unwrap() {
            anchor.as_object_mut().unwrap().remove("excerpt_ref");
        }
    }
    let pick = |from: &Value, keys: &[&str]| -> Value {
        keys.iter().map(|key| ((*key).to_owned(), from[*key].clone())).collect()
    };
    let list =
        |from: &Value, keys: &[&str]| -> Value { from.as_array().unwrap().iter().map(|one| pick(one, keys)).collect() };
    let finding_keys = [
        "id",
        "claim",
        "claims",
        "evidence",
        "ruled_out",
        "also",
        "confidence",
        "supports_decision",
        "also_supports",
        "origin",
        "disputed",
        "disputed_with",
    ];
    json!({
        "telemetry": pick(&all["telemetry"], &["branches", "dedup_count", "disputed", "tool_calls"]),
        "findings": list(&all["findings"], &finding_keys),
        "gaps": list(&all["gaps"], &["id", "sub_question", "reason"]),
        "rejected": list(&all["rejected"], &["branch_id", "id", "reason"]),
    })
}

/// As texts that compare by meaning: maps without an order of keys.
pub fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let ordered: BTreeMap<&String, Value> = map.iter().map(|(key, value)| (key, sorted(value))).collect();
            serde_json::to_value(ordered).unwrap()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        _ => value.clone(),
    }
}

proptest! {
    #[test]
    fn the_fast_gathering_and_the_plain_one_agree(returns in generated_returns(5, 8)) {
        let (mission, tree) = (mission(3), generated_tree());
        let plain = gather(&mission, &tree, &returns, Mistake::None);
        let fast = plainly(&run(&mission, &tree, &returns));
        prop_assert_eq!(serde_json::to_string_pretty(&sorted(&fast)).unwrap(), serde_json::to_string_pretty(&sorted(&plain)).unwrap());
    }
}
