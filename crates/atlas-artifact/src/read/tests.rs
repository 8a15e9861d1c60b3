use super::*;

/// The same mission in the three forms.
const YAML: &str = r#"
mission_id: 20260101-001
created: 2026-01-01T00:00:00Z
parent_mission_id: user
goal: Map who writes the audit log and how it is guarded
decision_target: Which functions write the audit log, and is each write guarded?
sub_questions:
  - {id: DT-1, text: "Which functions write the audit log?", scope: ["src/audit/**", "src/web/*.py"]}
  - id: DT-2
    text: Is each write of `audit_log` guarded?
    depends_on: [DT-1]
scope:
  include: ["src/**"]
  exclude: ["src/vendor/**"]
budget: {max_tool_calls: 100, max_tokens_input: 100000, max_wall_clock_s: 600, max_subagents: 5, max_recursion_depth: 1}
stop_conditions:
  - {id: SC-1, description: every sub-question answered or a gap}
escalation_triggers:
  - {id: ET-1, kind: path_glob, pattern: "secrets/**", action: halt}
  - {id: ET-2, kind: sql_table, pattern: users, action: continue-with-flag}
handoff_recipients: {primary: SPECTRA, fallback: human}
"#;

const TEMPLATE: &str = r#"# Mission

**MISSION-ID:** 20260101-001
**CREATED:** 2026-01-01T00:00:00Z
**PARENT:** user

## GOAL

Map who writes the audit log and
how it is guarded

## DECISION_TARGET

Which functions write the audit log, and is each write guarded?

- **DT-1:** Which functions write the audit log? (scope: `src/audit/**`, `src/web/*.py`)
- DT-2 — Is each write of `audit_log` guarded?
  - depends on: DT-1

## SCOPE

Include:

```
# all of it
src/**
```

Exclude:

```
src/vendor/**
```

## BUDGET

| Field | Value |
| --- | --- |
| max_tool_calls | 100 |
| `max_tokens_input` | 100,000 tokens |
| max_wall_clock_s | 600 s |
| max_subagents | 5 |
| max_recursion_depth | 1 |

## STOP CONDITIONS

- SC-1: every sub-question answered or a gap

## ESCALATION_TRIGGERS

| id | kind | pattern | action |
|----|------|---------|--------|
| ET-1 | path_glob | `secrets/**` | halt |
| ET-2 | sql_table | users | continue-with-flag |

## HANDOFF RECIPIENTS

- **Primary:** SPECTRA
- **Fallback:** human

## Notes

- nothing here counts
"#;

fn yaml() -> Draft {
    read_mission(YAML.as_bytes(), Some("mission.yaml")).unwrap()
}

fn template(text: &str) -> Draft {
    read_mission(text.as_bytes(), Some("mission.md")).unwrap()
}

#[test]
fn all_forms_say_the_same_mission() {
    let draft = yaml();
    assert_eq!(draft.problems, []);
    let json = serde_json::to_string(&crate::assess(draft.clone(), &crate::Defaults::default()).unwrap()).unwrap();
    assert_eq!(read_mission(json.as_bytes(), Some("m.json")), Ok(draft.clone()));
    assert_eq!(template(TEMPLATE), draft);
    assert_eq!(template(&format!("---{YAML}---\n\n# Why\n\nBecause.\n")), draft);
    assert_eq!(read_mission(format!("mission:{}", YAML.replace('\n', "\n  ")).as_bytes(), None), Ok(draft));
}

#[test]
fn a_text_without_a_telling_name_is_taken_for_what_it_looks_like() {
    for (text, format) in [
        ("{\"goal\": 1}", Format::Json),
        ("goal: x", Format::Yaml),
        ("---\ngoal: x\n", Format::Yaml),
        ("---\ngoal: x\n---\n", Format::Markdown),
        ("# Mission\n\n## GOAL\nx", Format::Markdown),
        ("**MISSION-ID:** 1", Format::Markdown),
    ] {
        assert_eq!(Format::guess(text), format, "{text:?}");
    }
    assert_eq!(read_mission(YAML.as_bytes(), Some("mission.txt")), Ok(yaml()));
}

#[test]
fn front_matter_and_template_complete_each_other_and_may_not_differ() {
    let draft = template(
        "---\nmission_id: 20260101-001\ngoal: Map the writers\n---\n## GOAL\nMap the writers\n## DECISION_TARGET\nWho writes it?\n",
    );
    assert_eq!(draft.decision_target.as_deref(), Some("Who writes it?"));
    assert_eq!(draft.problems, []);
    let draft = template("---\ngoal: Map the writers\n---\n## GOAL\nMap the readers\n");
    assert_eq!(draft.goal.as_deref(), Some("Map the writers"));
    assert_eq!((draft.problems[0].field.as_str(), draft.problems[0].code), ("goal", ProblemCode::Duplicate));
}

#[test]
fn bullets_alone_are_the_decision_target() {
    let draft = template("## DECISION_TARGET\nThe scout must answer:\n- DT-1: Who writes it?\n- DT-2: Who reads it?\n");
    assert_eq!(draft.decision_target.as_deref(), Some("Who writes it? Who reads it?"));
    assert_eq!(draft.sub_questions.unwrap().len(), 2);
}

#[test]
fn scope_and_budget_are_read_from_every_usual_shape() {
    let scope = |text: &str| {
        let scope = template(&format!("## SCOPE\n\n{text}\n")).scope.unwrap();
        (scope.include.unwrap(), scope.exclude)
    };
    let both = (vec!["src/**".to_owned()], vec!["src/v/**".to_owned()]);
    for text in [
        "```\nsrc/**\n!src/v/**\n```",
        "```yaml\ninclude:\n  - src/**\nexclude:\n  - src/v/**\n```",
        "```\ninclude: [\"src/**\"]\nexclude: [\"src/v/**\"]\n```",
        "```include\nsrc/**\n```\n```exclude\nsrc/v/**\n```",
        "### Include\n```\nsrc/**\n```\n### Exclude\n```\nsrc/v/**\n```",
        "- include: `src/**`\n- exclude: `src/v/**`",
        "**Include:** src/**\n**Exclude:** src/v/**",
        "**In scope**\n\n- src/**\n\n**Out of scope**\n\n- src/v/**",
    ] {
        assert_eq!(scope(text), both, "{text}");
    }
    for text in [
        "- max_tool_calls: 30\n- max_wall_clock_s = 600 s",
        "```yaml\nmax_tool_calls: 30\nmax_wall_clock_s: 600\n```",
        "| Tool calls | 30 |\n|---|---|\n| Wall clock (s) | 600 |",
    ] {
        let budget = template(&format!("## BUDGET\n\n{text}\n")).budget.unwrap();
        assert_eq!((budget.max_tool_calls, budget.max_wall_clock_s), (Some(30), Some(600)), "{text}");
    }
}

#[test]
fn a_bad_amount_and_a_second_section_are_noted() {
    let draft = template(
        "## BUDGET\n\n| max_tool_calls | plenty |\n|---|---|\n| max_subagents | 3 |\n\n## BUDGET\n- max_subagents: 4\n",
    );
    let noted: Vec<_> = draft.problems.iter().map(|p| (p.field.as_str(), p.code)).collect();
    assert_eq!(
        noted,
        [
            ("budget.max_tool_calls", ProblemCode::WrongType),
            ("budget", ProblemCode::Duplicate),
            ("budget.max_subagents", ProblemCode::Duplicate)
        ]
    );
}

#[test]
fn wrong_types_repeated_and_unknown_fields_are_all_named() {
    let text = "goal: [x]\ngoal2: y\nGoal: z\nbudgte: {}\nscope: src\nsub_questions: [text, {id: 1, text: ok, note: x}]\n\
                budget: {max_tool_calls: \"100\", max_subagents: 1.5, max_tool_calls: 3, max_wall_clock_s: 60.0}\n";
    let draft = read_mission(text.as_bytes(), None).unwrap();
    let noted: Vec<_> = draft.problems.iter().map(|p| (p.field.as_str(), p.code)).collect();
    assert_eq!(
        noted,
        [
            ("goal2", ProblemCode::UnknownField),
            ("goal", ProblemCode::Duplicate),
            ("budgte", ProblemCode::UnknownField),
            ("goal", ProblemCode::WrongType),
            ("sub_questions[0]", ProblemCode::WrongType),
            ("sub_questions[1].note", ProblemCode::UnknownField),
            ("sub_questions[1].id", ProblemCode::WrongType),
            ("scope", ProblemCode::WrongType),
            ("budget.max_tool_calls", ProblemCode::Duplicate),
            ("budget.max_tool_calls", ProblemCode::WrongType),
            ("budget.max_subagents", ProblemCode::WrongType),
        ]
    );
    assert_eq!(draft.problems[2].remedy, "did you mean `budget`?");
    assert_eq!(draft.budget.unwrap().max_wall_clock_s, Some(60));
}

#[test]
fn what_is_no_mission_at_all_is_refused() {
    let code = |bytes: &[u8], name| read_mission(bytes, name).unwrap_err().problems[0].code;
    assert_eq!(code(&[b'a', 0xff], None), ProblemCode::Unreadable);
    assert_eq!(code(&vec![b'a'; MISSION_BYTES_MAX + 1], None), ProblemCode::TooLarge);
    assert_eq!(code(b"goal: [", Some("m.yaml")), ProblemCode::Unreadable);
    assert_eq!(code(b"---\ngoal: [\n---\n", Some("m.md")), ProblemCode::Unreadable);
    assert_eq!(code(b"", Some("m.json")), ProblemCode::Unreadable);
    for text in ["just words", "[1, 2]", "", "null", "42"] {
        let draft = read_mission(text.as_bytes(), Some("m.yaml")).unwrap();
        assert_eq!((draft.problems[0].field.as_str(), draft.problems[0].code), ("mission", ProblemCode::WrongType));
    }
    assert_eq!(template(""), Draft::default());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        for name in ["m.yaml", "m.json", "m.md", "m"] {
            let _ = read_mission(&bytes, Some(name));
        }
    }

    #[test]
    fn any_markdown_like_text_is_read(text in "([-*#>|`_ \n\\[\\]():]|DT-1|## GOAL\n|## SCOPE\n|## BUDGET\n|```|\\PC){0,60}") {
        let _ = read_mission(text.as_bytes(), Some("m.md"));
        let _ = read_mission(text.as_bytes(), Some("m.yaml"));
    }
}
