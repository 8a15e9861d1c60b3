//! The mission: a bounded, read-only question about one repository (contract §3).

use crate::{DtId, MissionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A checked mission.
// Deserialising is lenient about stop conditions, assessing and the published schema are not (§3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = [
    "mission_id", "created", "goal", "decision_target", "sub_questions", "scope", "budget", "stop_conditions",
    "handoff_recipients"
]))]
pub struct Mission {
    pub mission_id: MissionId,
    /// When it was made, RFC 3339 in UTC.
    #[schemars(extend("format" = "date-time"))]
    pub created: String,
    /// A mission id, or `user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^(user|[0-9]{8}-[0-9]{3,9})$"))]
    pub parent_mission_id: Option<String>,
    /// What is to be found out; 10–300 characters, never a write.
    #[schemars(length(min = 10, max = 300))]
    pub goal: String,
    /// The checkable question that the findings must decide; 20–500 characters.
    #[schemars(length(min = 20, max = 500))]
    pub decision_target: String,
    #[schemars(length(min = 1, max = 12))]
    pub sub_questions: Vec<SubQuestion>,
    pub scope: MissionScope,
    pub budget: Budget,
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub stop_conditions: Vec<StopCondition>,
    #[serde(default)]
    pub escalation_triggers: Vec<EscalationTrigger>,
    pub handoff_recipients: HandoffRecipients,
}

/// One checkable part of the decision target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubQuestion {
    pub id: DtId,
    #[schemars(length(min = 10))]
    pub text: String,
    /// Globs that the answer is expected in; empty means undeclared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scope: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<DtId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissionScope {
    #[schemars(length(min = 1))]
    pub include: Vec<String>,
    #[serde(default)]
    pub exclude: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    #[schemars(range(min = 1, max = 1000))]
    pub max_tool_calls: u64,
    #[schemars(range(min = 1000, max = 500_000))]
    pub max_tokens_input: u64,
    #[schemars(range(min = 10, max = 3600))]
    pub max_wall_clock_s: u64,
    #[schemars(range(min = 0, max = 16))]
    pub max_subagents: u32,
    #[schemars(range(min = 0, max = 1))]
    pub max_recursion_depth: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopCondition {
    /// `SC-n`.
    #[schemars(regex(pattern = r"^SC-[1-9][0-9]*$"))]
    pub id: String,
    #[schemars(length(min = 1))]
    pub description: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EscalationTrigger {
    /// `ET-n`.
    #[schemars(regex(pattern = r"^ET-[1-9][0-9]*$"))]
    pub id: String,
    pub kind: TriggerKind,
    /// What fires it: a glob, a regular expression, a table name, or free words.
    #[schemars(length(min = 1))]
    pub pattern: String,
    pub action: TriggerAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TriggerKind {
    PathGlob,
    SymbolRegex,
    SqlTable,
    Custom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TriggerAction {
    Halt,
    Annotate,
    ContinueWithFlag,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandoffRecipients {
    #[schemars(length(min = 1))]
    pub primary: String,
    #[schemars(length(min = 1))]
    pub fallback: String,
}

impl Mission {
    /// Whether the mission has this sub-question.
    #[must_use]
    pub fn has(&self, id: DtId) -> bool {
        self.sub_questions.iter().any(|question| question.id == id)
    }
}
