use super::*;
use crate::questions::{QuestionOptions, from_questions};
use crate::read::{DraftHandoff, DraftScope, DraftStop, read_mission};

fn whole() -> Draft {
    Draft {
        mission_id: Some("20260101-001".into()),
        created: Some("2026-01-01T00:00:00Z".into()),
        parent_mission_id: None,
        goal: Some("Map who writes the audit log".into()),
        decision_target: Some("Which functions write the audit log?".into()),
        sub_questions: Some(vec![question("DT-1"), question("DT-2")]),
        scope: Some(DraftScope { include: Some(vec!["**".into()]), exclude: Vec::new() }),
        budget: Some(DraftBudget {
            max_tool_calls: Some(100),
            max_tokens_input: Some(100_000),
            max_wall_clock_s: Some(600),
            max_subagents: Some(5),
            max_recursion_depth: Some(1),
        }),
        stop_conditions: Some(vec![DraftStop { id: Some("SC-1".into()), description: Some("all answered".into()) }]),
        escalation_triggers: None,
        handoff_recipients: Some(DraftHandoff { primary: Some("human".into()), fallback: Some("human".into()) }),
        problems: Vec::new(),
    }
}

fn question(id: &str) -> DraftQuestion {
    DraftQuestion { id: Some(id.into()), text: Some("Who writes the audit log?".into()), ..Default::default() }
}

/// The fields that are refused, with their codes, once the draft is changed.
fn refused(change: impl FnOnce(&mut Draft)) -> Vec<(String, ProblemCode)> {
    let mut draft = whole();
    change(&mut draft);
    match assess(draft, &Defaults::default()) {
        Ok(_) => Vec::new(),
        Err(refusal) => refusal.problems.into_iter().map(|problem| (problem.field, problem.code)).collect(),
    }
}

fn one(field: &str, code: ProblemCode) -> Vec<(String, ProblemCode)> {
    vec![(field.to_owned(), code)]
}

#[test]
fn a_whole_draft_is_a_mission_and_reads_back_from_its_json() {
    let mission = assess(whole(), &Defaults::default()).unwrap();
    let json = serde_json::to_vec(&mission).unwrap();
    let again = assess(read_mission(&json, Some("m.json")).unwrap(), &Defaults::default()).unwrap();
    assert_eq!(again, mission);
}

#[test]
fn an_empty_draft_is_refused_for_every_field_that_is_not_optional() {
    let refusal = assess(Draft::default(), &Defaults::default()).unwrap_err();
    let fields: Vec<_> = refusal.problems.iter().map(|problem| (problem.field.as_str(), problem.code)).collect();
    let wanted = [
        "mission_id",
        "created",
        "goal",
        "decision_target",
        "sub_questions",
        "scope",
        "budget",
        "stop_conditions",
        "handoff_recipients",
    ];
    assert_eq!(fields, wanted.map(|field| (field, ProblemCode::Missing)));
    assert!(refusal.problems.iter().all(|problem| !problem.remedy.is_empty()));
}

#[test]
fn defaults_fill_only_what_is_missing() {
    let given = assess(whole(), &Defaults::default()).unwrap();
    let defaults = Defaults {
        mission_id: Some(MissionId::parse("20991231-999").unwrap()),
        created: Some("2099-12-31T00:00:00Z".into()),
        budget: Some(Budget { max_tool_calls: 7, ..crate::DEFAULT_BUDGET }),
        scope: Some(given.scope.clone()),
        stop_conditions: Some(given.stop_conditions.clone()),
        handoff_recipients: Some(given.handoff_recipients.clone()),
    };
    assert_eq!(assess(whole(), &defaults).unwrap(), given);
    let mut draft = whole();
    draft.mission_id = None;
    draft.scope = None;
    draft.budget.as_mut().unwrap().max_tool_calls = None;
    let mission = assess(draft, &defaults).unwrap();
    assert_eq!((mission.mission_id.as_str(), mission.budget.max_tool_calls), ("20991231-999", 7));
    assert_eq!(mission.budget.max_tokens_input, 100_000);
}

#[test]
fn lengths_are_counted_in_scalar_values_at_their_bounds() {
    for (len, ok) in [(9, false), (10, true), (300, true), (301, false)] {
        assert_eq!(refused(|d| d.goal = Some("é".repeat(len))).is_empty(), ok, "{len}");
    }
    for (len, ok) in [(19, false), (20, true), (500, true), (501, false)] {
        assert_eq!(refused(|d| d.decision_target = Some(format!("{}?", "é".repeat(len - 1)))).is_empty(), ok, "{len}");
    }
    for (len, ok) in [(9, false), (10, true), (5_000, true)] {
        let text = Some("é".repeat(len));
        assert_eq!(refused(|d| d.sub_questions.as_mut().unwrap()[0].text = text).is_empty(), ok, "{len}");
    }
    for (count, ok) in [(0, false), (1, true), (12, true), (13, false), (5_000, false)] {
        let questions = (1..=count).map(|n| question(&format!("DT-{n}"))).collect();
        let problems = refused(|d| d.sub_questions = Some(questions));
        assert_eq!(problems.is_empty(), ok, "{count}");
        assert!(problems.len() <= 1, "{count}");
    }
}

#[test]
fn budgets_hold_at_their_bounds_and_not_beyond() {
    type Slot = fn(&mut DraftBudget) -> &mut Option<i128>;
    let slots: [(&str, Slot, i128, i128); 5] = [
        ("budget.max_tool_calls", |b| &mut b.max_tool_calls, 1, 1_000),
        ("budget.max_tokens_input", |b| &mut b.max_tokens_input, 1_000, 500_000),
        ("budget.max_wall_clock_s", |b| &mut b.max_wall_clock_s, 10, 3_600),
        ("budget.max_subagents", |b| &mut b.max_subagents, 0, 16),
        ("budget.max_recursion_depth", |b| &mut b.max_recursion_depth, 0, 1),
    ];
    for (field, slot, least, most) in slots {
        let with = |value: Option<i128>| refused(|d| *slot(d.budget.as_mut().unwrap()) = value);
        for good in [least, most] {
            assert_eq!(with(Some(good)), [], "{field} {good}");
        }
        for bad in [least - 1, most + 1, -1, i128::MAX, i128::MIN] {
            assert_eq!(with(Some(bad)), one(field, ProblemCode::Range), "{field} {bad}");
        }
        assert_eq!(with(None), one(field, ProblemCode::Missing));
    }
}

#[test]
fn a_goal_led_by_a_write_verb_names_who_does_such_work() {
    let mut draft = whole();
    draft.goal = Some("Fix the login bug for good".into());
    draft.decision_target = Some("Can you implement a session cache?".into());
    draft.sub_questions.as_mut().unwrap()[1].text = Some("please deploy the service".into());
    let refusal = assess(draft, &Defaults::default()).unwrap_err();
    insta::assert_snapshot!(refusal, @r"
    `goal` orders a write (`fix`), and ATLAS only reads
      hint: hand the work to an implementation agent (`APIVR-Δ`); here, ask what it needs to know: `Where is …?`, `Which …?`
    `decision_target` orders a write (`implement`), and ATLAS only reads
      hint: hand the work to an implementation agent (`APIVR-Δ`); here, ask what it needs to know: `Where is …?`, `Which …?`
    `sub_questions[1].text` orders a write (`deploy`), and ATLAS only reads
      hint: hand the work to an operations agent, or a person who may deploy (`human`); here, ask what it needs to know: `Where is …?`, `Which …?`
    ");
    assert_eq!(refusal.problems[2].hand_to, Some(AgentKind::Operations));
}

#[test]
fn a_decision_target_must_be_a_checkable_question() {
    let target = |text: &str| refused(|d| d.decision_target = Some(text.to_owned()));
    assert_eq!(target("Understand the whole audit log"), one("decision_target", ProblemCode::NotAQuestion));
    assert_eq!(target("   "), one("decision_target", ProblemCode::Missing));
    assert_eq!(target("Whether each write is guarded"), []);
}

#[test]
fn sub_questions_are_numbered_once_and_depend_on_each_other_without_a_circle() {
    let with = |ids: &[(&str, &[&str])]| {
        let questions = ids
            .iter()
            .map(|(id, on)| DraftQuestion {
                depends_on: on.iter().map(|on| (*on).to_owned()).collect(),
                ..question(id)
            })
            .collect();
        refused(|d| d.sub_questions = Some(questions))
    };
    assert_eq!(with(&[("DT-1", &[]), ("DT-7", &["DT-1", "DT-1"])]), []);
    assert_eq!(with(&[("DT-1", &[]), ("DT-1", &[])]), one("sub_questions[1].id", ProblemCode::Duplicate));
    assert_eq!(with(&[("DT-0", &[])]), one("sub_questions[0].id", ProblemCode::Malformed));
    assert_eq!(with(&[("DT-1", &["DT-9"])]), one("sub_questions.DT-1.depends_on", ProblemCode::Reference));
    assert_eq!(with(&[("DT-1", &["x"])]), one("sub_questions[0].depends_on[0]", ProblemCode::Malformed));
    assert_eq!(with(&[("DT-1", &["DT-1"])]), one("sub_questions", ProblemCode::Cycle));
    assert_eq!(
        with(&[("DT-1", &["DT-2"]), ("DT-2", &["DT-3"]), ("DT-3", &["DT-2"])]),
        one("sub_questions", ProblemCode::Cycle)
    );
}

#[test]
fn a_scope_must_name_something_and_leave_something() {
    let with = |include: &[&str], exclude: &[&str]| {
        let own = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        refused(|d| d.scope = Some(DraftScope { include: Some(own(include)), exclude: own(exclude) }))
    };
    assert_eq!(with(&[], &[]), one("scope.include", ProblemCode::Scope));
    assert_eq!(with(&[""], &[]), one("scope.include[0]", ProblemCode::Glob));
    assert_eq!(with(&["**"], &["src/["]), one("scope.exclude[0]", ProblemCode::Glob));
    assert_eq!(with(&["src/**"], &["src"]), one("scope", ProblemCode::Scope));
    assert_eq!(refused(|d| d.scope = Some(DraftScope::default())), one("scope.include", ProblemCode::Missing));
    let sub = |d: &mut Draft| {
        d.scope.as_mut().unwrap().exclude = vec!["vendor/**".into()];
        d.sub_questions.as_mut().unwrap()[1].scope = vec!["vendor/x/*.py".into()];
    };
    assert_eq!(refused(sub), one("sub_questions.DT-2.scope", ProblemCode::Scope));
}

#[test]
fn ids_times_triggers_and_control_characters() {
    assert_eq!(refused(|d| d.mission_id = Some("1".into())), one("mission_id", ProblemCode::Malformed));
    assert_eq!(refused(|d| d.parent_mission_id = Some("me".into())), one("parent_mission_id", ProblemCode::Malformed));
    assert_eq!(refused(|d| d.parent_mission_id = Some("user".into())), []);
    assert_eq!(refused(|d| d.created = Some("yesterday".into())), one("created", ProblemCode::Malformed));
    assert_eq!(refused(|d| d.goal = Some("Map the \u{1b}[31m writers".into())), one("goal", ProblemCode::Malformed));
    assert_eq!(refused(|d| d.goal = Some("Map the writers\nand readers".into())), []);
    assert_eq!(refused(|d| d.stop_conditions = Some(Vec::new())), one("stop_conditions", ProblemCode::Range));
    let trigger = |kind: &str, pattern: &str, action: &str| {
        let own = |text: &str| Some(text.to_owned());
        let trigger = DraftTrigger { id: own("ET-1"), kind: own(kind), pattern: own(pattern), action: own(action) };
        refused(|d| d.escalation_triggers = Some(vec![trigger]))
    };
    assert_eq!(trigger("symbol_regex", "^delete_.*", "halt"), []);
    assert_eq!(trigger("symbol_regex", "(", "halt"), one("escalation_triggers[0].pattern", ProblemCode::Malformed));
    assert_eq!(
        trigger("symbol_regex", "(?:a{1000}){1000}", "halt"),
        one("escalation_triggers[0].pattern", ProblemCode::Malformed)
    );
    assert_eq!(trigger("path_glob", "[", "halt"), one("escalation_triggers[0].pattern[0]", ProblemCode::Glob));
    assert_eq!(trigger("path", "x", "stop").len(), 2);
}

fn scouted(questions: &[&str]) -> Result<Mission, Refusal> {
    let id = MissionId::parse("20260101-001").unwrap();
    assess(from_questions(questions, &QuestionOptions::new(id, "2026-01-01T00:00:00Z")), &Defaults::default())
}

#[test]
fn plain_questions_make_a_mission() {
    let mission = scouted(&[
        "Which functions write the audit log, and who calls them?",
        "Where is the session cookie signed and verified?",
    ])
    .unwrap();
    assert_eq!(mission.goal, "Answer 2 questions from the code of this repository");
    assert_eq!(
        mission.decision_target,
        "Which functions write the audit log, and who calls them? Where is the session cookie signed and verified?"
    );
    assert_eq!(mission.sub_questions[1].id, DtId(2));
    assert_eq!(mission.budget, crate::DEFAULT_BUDGET);
    assert_eq!(mission.scope.include, ["**"]);

    let one = scouted(&["session cookie signing"]).unwrap();
    assert_eq!(one.goal, "Answer from the code: session cookie signing");
    assert_eq!(one.decision_target, "Where and how does the code do this (DT-1): session cookie signing?");
    let short = scouted(&["Who calls it?"]).unwrap();
    assert_eq!(short.decision_target, "What does the code answer to DT-1: Who calls it?");
    for len in [10, 280, 290, 440, 470, 499, 500, 501, 9_000] {
        let text = "x".repeat(len);
        assert!(scouted(&[&text]).is_ok(), "{len}");
        assert!(scouted(&[&format!("{text}?"), "Where is it read?"]).is_ok(), "{len}");
    }
}

#[test]
fn plain_questions_are_refused_where_they_stand() {
    let problems = |questions: &[&str]| -> Vec<(String, ProblemCode)> {
        scouted(questions).unwrap_err().problems.into_iter().map(|p| (p.field, p.code)).collect()
    };
    let text = "sub_questions[0].text";
    assert_eq!(problems(&["asdf"]), one(text, ProblemCode::Length));
    assert_eq!(problems(&[""]), one(text, ProblemCode::Missing));
    assert_eq!(problems(&["fix the login bug"]), one(text, ProblemCode::WriteOrder));
    assert_eq!(problems(&["Can you please implement caching?"]), one(text, ProblemCode::WriteOrder));
    assert_eq!(problems(&["Understand the auth system"]), one(text, ProblemCode::NotAQuestion));
    assert_eq!(problems(&["What about the auth system?"]), one(text, ProblemCode::NotAQuestion));
    assert_eq!(problems(&[]), one("sub_questions", ProblemCode::Range));
    assert_eq!(problems(&["Where is it written?"; 13]), one("sub_questions", ProblemCode::Range));
}
