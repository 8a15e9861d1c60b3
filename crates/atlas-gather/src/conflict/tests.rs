use super::*;
use proptest::prelude::*;
use serde_json::Value;

/// Pairs of claims with their label.
fn pairs(text: &str) -> Vec<(String, String, String, bool)> {
    let field = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .map(|pair: Value| (field(&pair, "id"), field(&pair, "a"), field(&pair, "b"), pair["label"] == "conflict"))
        .collect()
}

fn contract() -> Vec<(String, String, String, bool)> {
    pairs(include_str!("../../tests/cases/conflicts.jsonl"))
}

fn more() -> Vec<(String, String, String, bool)> {
    pairs(include_str!("../../tests/cases/conflicts-more.jsonl"))
}

/// Pairs whose vocabulary was written down before anybody looked at how they fare.
fn fresh() -> Vec<(String, String, String, bool)> {
    pairs(include_str!("../../tests/cases/conflicts-fresh.jsonl"))
}

/// Pairs that are said to conflict and do not, and those that conflict and are missed.
fn wrong(pairs: &[(String, String, String, bool)]) -> (Vec<&str>, Vec<&str>) {
    let verdicts: Vec<(&str, bool, bool)> =
        pairs.iter().map(|(id, a, b, label)| (id.as_str(), *label, by_words(a, b).is_some())).collect();
    let of = |label: bool| {
        verdicts.iter().filter(|(_, is, said)| *is == label && *said != label).map(|(id, ..)| *id).collect()
    };
    (of(false), of(true))
}

#[test]
fn the_contract_pairs_are_told_apart() {
    assert_eq!(wrong(&contract()), (vec![], vec![]));
}

#[test]
fn further_pairs_are_told_apart_but_for_those_known() {
    // A reader knows what these say; no rule is to be made for one of them alone.
    assert_eq!(wrong(&more()), (vec![], MISSED.to_vec()));
}

#[test]
fn pairs_in_fresh_words_are_told_apart_but_for_those_known() {
    // "does not take the lock", "takes the lease id": the verb alone is the same. Not mended yet.
    assert_eq!(wrong(&fresh()), (vec!["PS-053"], MISSED_FRESH.to_vec()));
}

#[test]
fn hints_let_every_conflict_pass() {
    let mut words = WordHints::default();
    for (id, a, b, _) in contract().iter().chain(&more()).chain(&fresh()) {
        let (ours, theirs) = (words.of(a), words.of(b));
        assert!(by_words(a, b).is_none() || ours.may_conflict(&theirs), "{id}");
    }
}

#[test]
fn hints_stop_claims_without_anything_to_conflict_by() {
    let mut words = WordHints::default();
    let (a, b) = (words.of("Checks audit policy during session."), words.of("The handler checks each route."));
    assert!(!a.may_conflict(&b));
}

#[test]
fn each_rule_says_what_it_saw() {
    for (a, b, rule, because) in [
        (
            "`A.b` locks the row.",
            "`A.b` does not lock the row.",
            "negation",
            "one says \"A.b lock row\", the other denies it",
        ),
        (
            "`A.b` is synchronous.",
            "`A.b` runs asynchronously.",
            "antonym",
            "\"synchronous\" on one side, \"asynchronously\" on the other",
        ),
        ("`A` is 16 KiB.", "`A` is 1 MiB.", "number", "1 mib on one side, 16 kib on the other"),
        (
            "`A.b` returns PENDING.",
            "`A.b` returns DRAFT.",
            "one-value",
            "one value, \"draft\" on one side, \"pending\" on the other",
        ),
        ("Only `a` calls `b`.", "`c` calls `b`.", "exclusive", "only `a` by one, `c` as well by the other"),
        (
            "All handlers in x.py log.",
            "Some handlers in x.py do not log.",
            "quantifier",
            "one says \"handlers x.py log\", the other denies it",
        ),
        (
            "`a` opens the file before it locks it.",
            "`a` opens the file after it locks it.",
            "order",
            "each puts the same two steps in the other order",
        ),
        (
            "If it fails, `a` returns null.",
            "`a` throws if it fails.",
            "outcome",
            "\"returns\" on one side, \"throws\" on the other, in the same case",
        ),
    ] {
        assert_eq!(
            by_words(a, b).map(|verdict| (verdict.rule, verdict.because)),
            Some((rule, because.to_owned())),
            "{a} / {b}"
        );
    }
}

proptest! {
    #[test]
    fn conflict_is_symmetric_on_pairs_of_known_claims(at in 0usize..700, other in 0usize..700, same in any::<bool>()) {
        let more = more();
        let (left, right) = (&more[at % more.len()], &more[other % more.len()]);
        let (a, b) = if same { (&left.1, &left.2) } else { (&left.1, &right.2) };
        prop_assert_eq!(by_words(a, b), by_words(b, a));
        prop_assert_eq!(by_words(a, a), None);
    }

    #[test]
    fn any_two_texts_are_survived_and_symmetric(a in "\\PC{0,80}", b in "\\PC{0,80}") {
        prop_assert_eq!(by_words(&a, &b), by_words(&b, &a));
    }

    #[test]
    fn words_in_any_order_are_survived(words in prop::collection::vec(0usize..5_000, 0..60), marks in "[ ,.;:`()0-9']{0,20}") {
        let text: Vec<&str> = include_str!("../../tests/cases/conflicts-more.jsonl").split_whitespace().collect();
        let a: Vec<&str> = words.iter().map(|at| text[at % text.len()]).collect();
        let b: Vec<&str> = a.iter().rev().copied().collect();
        let (a, b) = (format!("{}{marks}", a.join(" ")), b.join(" "));
        prop_assert_eq!(by_words(&a, &b), by_words(&b, &a));
    }
}

#[test]
fn a_very_long_text_is_looked_at_in_part() {
    let long = "`a` does not call `b`, and ".repeat(50_000);
    assert_eq!(by_words(&long, "`a` calls `b`.").map(|verdict| verdict.rule), Some("negation"));
}

/// Of the further pairs: 32 of the 390 that conflict.
const MISSED: [&str; 32] = [
    "HP-001", "HP-002", "HP-008", "HP-009", "HP-011", "HP-012", "HP-016", "HP-029", "JP-010", "JP-047", "JP-053",
    "KP-001", "KP-003", "KP-007", "KP-010", "KP-014", "LP-005", "LP-006", "LP-008", "LP-013", "LP-044", "MP-007",
    "MP-012", "MP-015", "NP-001", "NP-003", "NP-004", "NP-010", "NP-015", "NP-020", "NP-022", "NP-028",
];

const MISSED_FRESH: [&str; 31] = [
    "PR-003", "PR-013", "PR-023", "PR-035", "PR-036", "PR-039", "PR-043", "PR-044", "PR-045", "PR-049", "PR-050",
    "PS-003", "PS-006", "PS-016", "PS-022", "PS-029", "PS-031", "PS-037", "PS-042", "PS-043", "PS-044", "PT-002",
    "PT-004", "PT-008", "PT-010", "PT-014", "PT-017", "PT-021", "PT-029", "PU-006", "PU-008",
];
