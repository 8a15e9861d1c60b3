//! A mission before anyone has judged it: every field may be missing.

use crate::refusal::{Problem, ProblemCode};

/// What was read, and what could not be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub mission_id: Option<String>,
    pub created: Option<String>,
    pub parent_mission_id: Option<String>,
    pub goal: Option<String>,
    pub decision_target: Option<String>,
    pub sub_questions: Option<Vec<DraftQuestion>>,
    pub scope: Option<DraftScope>,
    pub budget: Option<DraftBudget>,
    pub stop_conditions: Option<Vec<DraftStop>>,
    pub escalation_triggers: Option<Vec<DraftTrigger>>,
    pub handoff_recipients: Option<DraftHandoff>,
    /// Wrong types, repeated and unknown keys, met while reading.
    pub problems: Vec<Problem>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftQuestion {
    pub id: Option<String>,
    pub text: Option<String>,
    pub scope: Vec<String>,
    pub depends_on: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftScope {
    pub include: Option<Vec<String>>,
    pub exclude: Vec<String>,
}

/// Numbers as written, in range or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DraftBudget {
    pub max_tool_calls: Option<i128>,
    pub max_tokens_input: Option<i128>,
    pub max_wall_clock_s: Option<i128>,
    pub max_subagents: Option<i128>,
    pub max_recursion_depth: Option<i128>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftStop {
    pub id: Option<String>,
    pub description: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftTrigger {
    pub id: Option<String>,
    pub kind: Option<String>,
    pub pattern: Option<String>,
    pub action: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftHandoff {
    pub primary: Option<String>,
    pub fallback: Option<String>,
}

impl Draft {
    /// This draft, with what it leaves open taken from `other`. What both give must be the same.
    #[must_use]
    pub(crate) fn filled_from(mut self, other: Self) -> Self {
        let mut problems = Vec::new();
        fill(&mut self.mission_id, other.mission_id, "mission_id", &mut problems);
        fill(&mut self.created, other.created, "created", &mut problems);
        fill(&mut self.parent_mission_id, other.parent_mission_id, "parent_mission_id", &mut problems);
        fill(&mut self.goal, other.goal, "goal", &mut problems);
        fill(&mut self.decision_target, other.decision_target, "decision_target", &mut problems);
        fill(&mut self.sub_questions, other.sub_questions, "sub_questions", &mut problems);
        fill(&mut self.scope, other.scope, "scope", &mut problems);
        fill(&mut self.budget, other.budget, "budget", &mut problems);
        fill(&mut self.stop_conditions, other.stop_conditions, "stop_conditions", &mut problems);
        fill(&mut self.escalation_triggers, other.escalation_triggers, "escalation_triggers", &mut problems);
        fill(&mut self.handoff_recipients, other.handoff_recipients, "handoff_recipients", &mut problems);
        self.problems.append(&mut problems);
        self.problems.extend(other.problems);
        self
    }

    /// Whether reading already had something to say about this field or a part of it.
    pub(crate) fn reported(&self, field: &str) -> bool {
        self.problems.iter().any(|problem| {
            problem.field.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }
}

fn fill<T: PartialEq>(mine: &mut Option<T>, theirs: Option<T>, field: &str, problems: &mut Vec<Problem>) {
    match (&mine, theirs) {
        (None, theirs) => *mine = theirs,
        (Some(mine), Some(theirs)) if *mine != theirs => problems.push(Problem::new(
            field,
            ProblemCode::Duplicate,
            "is given in the front matter and, differently, in the text below it",
            "say it once",
        )),
        (Some(_), _) => {}
    }
}
