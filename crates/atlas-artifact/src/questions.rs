//! A mission from plain questions, as `atlas scout "…" "…"` makes one (contract §3).

use crate::assess::checkable;
use crate::limits;
use crate::read::{Draft, DraftBudget, DraftHandoff, DraftQuestion, DraftScope, DraftStop};
use crate::refusal::{Problem, ProblemCode};
use crate::{Budget, MissionId};

/// What a mission gets that says nothing of its budget: enough for five branches and the parent to
/// get 20 tool calls and 20,000 tokens each, and for every ladder to end well before ten minutes.
pub const DEFAULT_BUDGET: Budget = Budget {
    max_tool_calls: 200,
    max_tokens_input: 200_000,
    max_wall_clock_s: 600,
    max_subagents: 5,
    max_recursion_depth: 1,
};
/// The one stop condition of a mission made from questions: that of §11.
pub const DEFAULT_STOP: &str = "every sub-question has an undisputed finding of tier M or H, or a gap";
/// Who the report goes to when nobody is named.
pub const DEFAULT_RECIPIENT: &str = "human";

const _: () =
    assert!(DEFAULT_BUDGET.max_tool_calls * limits::LOCATE_TENTHS / 10 / 6 >= limits::GATE_SHARE_TOOL_CALLS_MIN);
const _: () =
    assert!(DEFAULT_BUDGET.max_tokens_input * limits::LOCATE_TENTHS / 10 / 6 >= limits::GATE_SHARE_TOKENS_MIN);

/// What is known beside the questions.
#[derive(Debug, Clone)]
pub struct QuestionOptions {
    pub mission_id: MissionId,
    /// RFC 3339 in UTC.
    pub created: String,
    /// Empty means `**`.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub budget: Budget,
}

impl QuestionOptions {
    /// The whole repository, with the default budget.
    #[must_use]
    pub fn new(mission_id: MissionId, created: impl Into<String>) -> Self {
        Self { mission_id, created: created.into(), include: Vec::new(), exclude: Vec::new(), budget: DEFAULT_BUDGET }
    }
}

/// One sub-question per question, in order; goal and decision target are made from them. A topic
/// ("session cookie signing") is taken as a question about where the code does it; a text that asks
/// for no answer at all ("understand the auth system") is a problem of the draft.
#[must_use]
pub fn from_questions<S: AsRef<str>>(questions: &[S], options: &QuestionOptions) -> Draft {
    let texts: Vec<&str> = questions.iter().map(|question| question.as_ref().trim()).collect();
    let budget = &options.budget;
    let include = if options.include.is_empty() { vec!["**".to_owned()] } else { options.include.clone() };
    Draft {
        mission_id: Some(options.mission_id.to_string()),
        created: Some(options.created.clone()),
        parent_mission_id: Some("user".to_owned()),
        goal: Some(goal(&texts)),
        decision_target: Some(decision_target(&texts)),
        sub_questions: Some(
            texts
                .iter()
                .enumerate()
                .map(|(at, text)| DraftQuestion {
                    id: Some(format!("DT-{}", at + 1)),
                    text: Some((*text).to_owned()),
                    ..DraftQuestion::default()
                })
                .collect(),
        ),
        scope: Some(DraftScope { include: Some(include), exclude: options.exclude.clone() }),
        budget: Some(DraftBudget {
            max_tool_calls: Some(budget.max_tool_calls.into()),
            max_tokens_input: Some(budget.max_tokens_input.into()),
            max_wall_clock_s: Some(budget.max_wall_clock_s.into()),
            max_subagents: Some(budget.max_subagents.into()),
            max_recursion_depth: Some(budget.max_recursion_depth.into()),
        }),
        stop_conditions: Some(vec![DraftStop {
            id: Some("SC-1".to_owned()),
            description: Some(DEFAULT_STOP.to_owned()),
        }]),
        escalation_triggers: None,
        handoff_recipients: Some(DraftHandoff {
            primary: Some(DEFAULT_RECIPIENT.to_owned()),
            fallback: Some(DEFAULT_RECIPIENT.to_owned()),
        }),
        problems: texts.iter().enumerate().filter_map(|(at, text)| not_asking(at, text)).collect(),
    }
}

/// Phrases that open a wish for understanding rather than a question or a topic.
const WISHES: [&str; 18] = [
    "understand",
    "explore",
    "learn",
    "study",
    "research",
    "investigate",
    "review",
    "familiarize",
    "familiarise",
    "analyze",
    "analyse",
    "look into",
    "look at",
    "tell me about",
    "get an overview",
    "think about",
    "everything",
    "get familiar",
];

fn not_asking(at: usize, text: &str) -> Option<Problem> {
    let lower = text.to_lowercase();
    let wish = WISHES.iter().any(|wish| {
        lower.strip_prefix(wish).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    let reason = match checkable(text) {
        Err(why @ (crate::assess::NotCheckable::Vague | crate::assess::NotCheckable::Placeholder))
            if !text.is_empty() =>
        {
            why.reason()
        }
        Err(why) if wish => why.reason(),
        _ => return None,
    };
    Some(Problem::new(
        format!("sub_questions[{at}].text"),
        ProblemCode::NotAQuestion,
        reason,
        "ask what a finding can settle: `Which …?`, `Where is …?`, `Does every …?`",
    ))
}

fn goal(texts: &[&str]) -> String {
    if let [one] = texts {
        let goal = format!("Answer from the code: {one}");
        if goal.chars().count() <= *limits::GOAL_CHARS.end() {
            return goal;
        }
    }
    format!("Answer {} from the code of this repository", count(texts.len()))
}

fn decision_target(texts: &[&str]) -> String {
    let joined = texts.join(" ");
    let fits = limits::DECISION_TARGET_CHARS.contains(&joined.chars().count());
    // An order among the questions is refused where it stands, not here a second time.
    let asks = |text: &&str| checkable(text).is_ok() && crate::assess::write_order(text).is_none();
    if fits && !texts.is_empty() && texts.iter().all(asks) {
        return joined;
    }
    match texts {
        [one] if one.chars().count() + 40 <= *limits::DECISION_TARGET_CHARS.end() => {
            let lead = if asks(one) {
                "What does the code answer to DT-1:"
            } else {
                "Where and how does the code do this (DT-1):"
            };
            format!("{lead} {}?", one.trim_end_matches('?'))
        }
        [_] => "What does the code of this repository answer to DT-1?".to_owned(),
        _ => format!("What does the code of this repository answer to each of DT-1 to DT-{}?", texts.len()),
    }
}

fn count(questions: usize) -> String {
    if questions == 1 { "one question".to_owned() } else { format!("{questions} questions") }
}
