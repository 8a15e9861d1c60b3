use crate::support::*;
use atlas_artifact::mission::{TriggerAction, TriggerKind};
use atlas_artifact::{Defaults, DtId, EscalationTrigger, Mission, assess, read_mission};
use atlas_report::mission_md;
use proptest::prelude::*;

fn read_back(mission: &Mission) -> Mission {
    let text = mission_md(mission);
    let draft = read_mission(text.as_bytes(), Some("mission.md")).unwrap();
    assess(draft, &Defaults::default()).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"))
}

#[test]
fn a_mission_reads_as_it_should_and_reads_back() {
    let mut mission = mission(&["Which functions write `audit_log`?", "Is each write guarded (scope: all of them)"]);
    mission.sub_questions[0].scope = vec!["src/**".into(), "a b/`x`|*".into()];
    mission.sub_questions[1].depends_on = vec![DtId(1)];
    mission.scope.exclude = vec!["#odd".into(), "src/vendor/**".into(), "new\nline".into()];
    mission.escalation_triggers = vec![EscalationTrigger {
        id: "ET-1".into(),
        kind: TriggerKind::SymbolRegex,
        pattern: "^(delete|drop)_`x`".into(),
        action: TriggerAction::ContinueWithFlag,
    }];
    insta::assert_snapshot!(mission_md(&mission), @r##"
    # Mission

    **MISSION-ID:** 20260101-001

    **CREATED:** 2026-01-01T00:00:00Z

    **PARENT:** user

    ## GOAL

    Map who writes the audit log and how it is guarded

    ## DECISION_TARGET

    Which functions write the audit log, and is each write guarded?

    ## SUB_QUESTIONS

    - **DT-1** — Which functions write `audit_log`?
      - scope: `src/**`, `"a b/\u0060x\u0060\u007c*"`
    - **DT-2** — Is each write guarded (scope: all of them)
      - scope: none
      - depends_on: DT-1

    ## SCOPE

    ```include
    **
    ```

    ```exclude
    "#odd"
    src/vendor/**
    "new\nline"
    ```

    ## BUDGET

    | field | value |
    | --- | ---: |
    | max_tool_calls | 200 |
    | max_tokens_input | 200000 |
    | max_wall_clock_s | 600 |
    | max_subagents | 5 |
    | max_recursion_depth | 1 |

    ## STOP_CONDITIONS

    - **SC-1** — all answered

    ## ESCALATION_TRIGGERS

    - **ET-1** — symbol_regex `"^(delete\u007cdrop)_\u0060x\u0060"` → continue-with-flag

    ## HANDOFF_RECIPIENTS

    - **primary:** SPECTRA
    - **fallback:** human
    "##);
    assert_eq!(read_back(&mission), mission);
}

/// Text as a mission holds it: trimmed, without control characters but line ends and tabs, of some length.
fn text() -> impl Strategy<Value = String> {
    "([-*#>|`_ \\n\\t~$&;:<>=+\\[\\]()!\\\\.0-9a-z\"'{}—→]|[^\\p{C}\\p{Zl}\\p{Zp}]|DT-1: |\\(scope: x\\)|\\*\\*|## GOAL|include:){0,20}"
        .prop_map(|text| format!("Which {}?", text.trim()))
        .prop_map(|text| if text.chars().count() < 24 { format!("{text} and where is it read?") } else { text })
        .prop_filter("short enough", |text| text.chars().count() <= 300)
}

/// Free words of one entry.
fn words() -> impl Strategy<Value = String> {
    "([-*#>|`_ \\n~:\\[\\]()!\\\\.0-9a-z\"'{}—→]|\\PC|halt|DT-2 ){1,12}"
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("not empty", |text| !text.is_empty())
}

fn glob() -> impl Strategy<Value = String> {
    "(src|a b|[-#!`|~\"\\n]|\\*\\*|\\*|/x|,|none){1,5}".prop_filter("a glob", |glob| {
        !glob.trim().is_empty() && !glob.starts_with('/') && atlas_tree::Scope::new([glob], [] as [&str; 0]).is_ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn any_mission_reads_back_from_its_markdown(
        goal in text(), target in text(), questions in proptest::collection::vec(text(), 1..4),
        globs in proptest::collection::vec(glob(), 1..4), entries in proptest::collection::vec(words(), 5)
    ) {
        let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
        let mut mission = mission(&questions);
        mission.goal = goal;
        mission.decision_target = target;
        let mut globs = globs;
        let mut seen = std::collections::BTreeSet::new();
        globs.retain(|glob| seen.insert(glob.clone()));
        mission.sub_questions[0].scope = globs[..globs.len() - 1].to_vec();
        mission.scope.exclude = globs[1..].to_vec();
        mission.scope.include = vec!["zzz/**".into(), globs[0].clone()];
        if mission.scope.include[0] == mission.scope.include[1] {
            mission.scope.include.pop();
        }
        mission.stop_conditions[0].description = entries[0].clone();
        mission.handoff_recipients.primary = entries[1].clone();
        mission.handoff_recipients.fallback = entries[2].clone();
        mission.escalation_triggers = vec![EscalationTrigger {
            id: "ET-7".into(), kind: TriggerKind::Custom, pattern: entries[3].clone(), action: TriggerAction::Halt,
        }];
        // What assess refuses has no Markdown form to read back.
        let json = serde_json::to_vec(&mission).unwrap();
        let Ok(judged) = assess(read_mission(&json, Some("m.json")).unwrap(), &Defaults::default()) else {
            return Ok(());
        };
        prop_assert_eq!(read_back(&judged), judged);
    }
}
