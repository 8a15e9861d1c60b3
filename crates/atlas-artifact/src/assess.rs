//! Assess: a draft becomes a [`Mission`], or a [`Refusal`] that names every problem at once (contract §3).
//!
//! All fields that the contract does not mark optional must be there, unless [`Defaults`] gives them.
//! What is deliberately *not* here: reading ([`crate::read`]) and whether the scope matches any file,
//! which only the tree can tell.

mod cycle;
mod order;
mod question;
mod scope;
mod time;

pub use order::{WriteOrder, write_order};
pub use question::{NotCheckable, checkable};

use crate::limits;
use crate::mission::{TriggerAction, TriggerKind};
use crate::read::{Draft, DraftBudget, DraftQuestion, DraftTrigger};
use crate::refusal::{AgentKind, Problem, ProblemCode, Refusal, is_unprintable, quote};
use crate::{
    Budget, DtId, EscalationTrigger, HandoffRecipients, Mission, MissionId, MissionScope, StopCondition, SubQuestion,
};
use cycle::find_cycle;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::RangeInclusive;
use time::timestamp;

/// Bytes that a compiled `symbol_regex` may take.
const REGEX_BYTES_MAX: usize = 1 << 20;
/// Stop conditions, and triggers, of one mission, at most.
const ENTRIES_MAX: usize = 100;
/// Characters of a recipient, an action's pattern or a description, at most.
const ENTRY_CHARS_MAX: usize = 1_000;

/// What fills in for a field that the draft leaves out. The default is nothing: every field of the
/// contract that is not marked optional must be given.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    pub mission_id: Option<MissionId>,
    /// RFC 3339.
    pub created: Option<String>,
    /// For single numbers of the budget too.
    pub budget: Option<Budget>,
    pub scope: Option<MissionScope>,
    pub stop_conditions: Option<Vec<StopCondition>>,
    pub handoff_recipients: Option<HandoffRecipients>,
}

/// Judges a draft.
///
/// # Errors
/// A refusal that lists all problems, in the order of the mission's fields.
pub fn assess(draft: Draft, defaults: &Defaults) -> Result<Mission, Refusal> {
    let mut assessor = Assessor { problems: Vec::new(), draft: &draft };
    let mission = assessor.mission(defaults);
    let mut problems = draft.problems.clone();
    problems.append(&mut assessor.problems);
    match Refusal::from_problems(problems) {
        Some(refusal) => Err(refusal),
        None => Ok(mission.expect("a mission without a problem has all its fields")),
    }
}

struct Assessor<'d> {
    problems: Vec<Problem>,
    draft: &'d Draft,
}

impl Assessor<'_> {
    /// None only if a problem says why, here or in the draft.
    fn mission(&mut self, defaults: &Defaults) -> Option<Mission> {
        let draft = self.draft;
        let mission_id = self.mission_id(defaults);
        let created = self.created(defaults);
        let parent_mission_id = self.parent();
        let goal = self.goal();
        let decision_target = self.decision_target();
        let sub_questions = self.sub_questions(draft.sub_questions.as_deref());
        let scope = self.scope(defaults);
        self.sub_scopes(sub_questions.as_deref(), scope.as_ref());
        let budget = self.budget(defaults);
        let stop_conditions = self.stop_conditions(defaults);
        let escalation_triggers = self.triggers(draft.escalation_triggers.as_deref().unwrap_or_default());
        let handoff_recipients = self.handoff(defaults);
        Some(Mission {
            mission_id: mission_id?,
            created: created?,
            parent_mission_id,
            goal: goal?,
            decision_target: decision_target?,
            sub_questions: sub_questions?,
            scope: scope?,
            budget: budget?,
            stop_conditions: stop_conditions?,
            escalation_triggers,
            handoff_recipients: handoff_recipients?,
        })
    }

    fn note(
        &mut self,
        field: impl Into<String>,
        code: ProblemCode,
        reason: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.problems.push(Problem::new(field, code, reason, remedy));
    }

    /// Says that a field is missing, unless reading already said why it could not be had.
    fn missing(&mut self, field: &str, remedy: &str) {
        if !self.draft.reported(field) {
            self.note(field, ProblemCode::Missing, "is missing", remedy);
        }
    }

    fn mission_id(&mut self, defaults: &Defaults) -> Option<MissionId> {
        let Some(text) = given(self.draft.mission_id.as_deref()) else {
            if defaults.mission_id.is_none() {
                self.missing("mission_id", "write one, such as `20260101-001`");
            }
            return defaults.mission_id.clone();
        };
        let id = MissionId::parse(&text);
        if id.is_err() {
            let reason = format!("is {}, not of the form `YYYYMMDD-NNN`", quote(&text));
            self.note("mission_id", ProblemCode::Malformed, reason, "write a day, a dash and a number: `20260101-001`");
        }
        id.ok()
    }

    fn created(&mut self, defaults: &Defaults) -> Option<String> {
        let Some(text) = given(self.draft.created.as_deref()) else {
            if defaults.created.is_none() {
                self.missing("created", "write when it was made, such as `2026-01-01T00:00:00Z`");
            }
            return defaults.created.clone();
        };
        let time = timestamp(&text);
        if time.is_none() {
            let reason = format!("is {}, not a time", quote(&text));
            self.note("created", ProblemCode::Malformed, reason, "write it as `2026-01-01T00:00:00Z`");
        }
        time
    }

    fn parent(&mut self) -> Option<String> {
        let text = given(self.draft.parent_mission_id.as_deref())?;
        if text != "user" && MissionId::parse(&text).is_err() {
            let reason = format!("is {}, neither a mission's id nor `user`", quote(&text));
            self.note("parent_mission_id", ProblemCode::Malformed, reason, "leave it out, or write `user`");
        }
        Some(text)
    }

    fn goal(&mut self) -> Option<String> {
        let Some(text) = given(self.draft.goal.as_deref()) else {
            self.missing("goal", "say in a sentence what is to be found out");
            return None;
        };
        self.text("goal", &text, &limits::GOAL_CHARS);
        self.no_write_order("goal", &text);
        Some(text)
    }

    fn decision_target(&mut self) -> Option<String> {
        const FIELD: &str = "decision_target";
        let Some(text) = given(self.draft.decision_target.as_deref()) else {
            self.missing(FIELD, "ask the question that the findings are to decide");
            return None;
        };
        self.text(FIELD, &text, &limits::DECISION_TARGET_CHARS);
        if !self.no_write_order(FIELD, &text)
            && let Err(why) = checkable(&text)
        {
            self.note(
                FIELD,
                ProblemCode::NotAQuestion,
                why.reason(),
                "ask what a finding can settle: `Which …?`, `Where is …?`, `Does every …?`, `whether …`",
            );
        }
        Some(text)
    }

    /// Whether the text was an order, which is then a problem.
    fn no_write_order(&mut self, field: &str, text: &str) -> bool {
        let Some(order) = write_order(text) else { return false };
        self.problems.push(write_problem(field, order.verb, order.hand_to));
        true
    }

    fn text(&mut self, field: &str, text: &str, bounds: &RangeInclusive<usize>) {
        self.printable(field, text);
        let chars = text.chars().count();
        if !bounds.contains(&chars) {
            let (least, most) = (bounds.start(), bounds.end());
            let remedy = match (chars < *least, *most) {
                (true, _) => format!("write at least {least} characters"),
                (false, most) => format!("say it in at most {most} characters"),
            };
            let reason = match *most {
                usize::MAX => format!("has {chars} characters, fewer than {least}"),
                most => format!("has {chars} characters, not {least} to {most}"),
            };
            self.note(field, ProblemCode::Length, reason, remedy);
        }
    }

    /// Line ends and tabs are text; other control characters and marks that reorder a line are not.
    fn printable(&mut self, field: &str, text: &str) {
        if let Some(c) =
            text.chars().find(|c| is_unprintable(*c) && !matches!(c, '\n' | '\t' | '\u{200b}' | '\u{feff}'))
        {
            let reason = format!("holds the control character {}", c.escape_unicode());
            self.note(field, ProblemCode::Malformed, reason, "leave it out");
        }
    }

    fn sub_questions(&mut self, drafts: Option<&[DraftQuestion]>) -> Option<Vec<SubQuestion>> {
        const FIELD: &str = "sub_questions";
        let Some(drafts) = drafts else {
            self.missing(FIELD, "split the decision target into 1 to 12 questions, `DT-1` …");
            return None;
        };
        if !limits::SUB_QUESTIONS.contains(&drafts.len()) {
            let most = limits::SUB_QUESTIONS.end();
            let remedy = if drafts.is_empty() {
                "ask at least one".to_owned()
            } else {
                format!("ask at most {most}; make a second mission of the others")
            };
            self.note(FIELD, ProblemCode::Range, format!("has {} entries, not 1 to {most}", drafts.len()), remedy);
        }
        let mut questions = Vec::new();
        let mut seen = BTreeSet::new();
        // Far too many are one problem, not one each.
        for (at, draft) in drafts.iter().take(ENTRIES_MAX).enumerate() {
            let place = format!("{FIELD}[{at}]");
            let id = self.dt(&format!("{place}.id"), draft.id.as_deref());
            if let Some(id) = id.filter(|id| !seen.insert(*id)) {
                let reason = format!("is `{id}`, which another sub-question has too");
                self.note(format!("{place}.id"), ProblemCode::Duplicate, reason, "number them `DT-1`, `DT-2` …");
            }
            let text = self.sub_text(&format!("{place}.text"), draft.text.as_deref());
            let scope = scope::globs(&format!("{place}.scope"), &draft.scope, &mut self.problems);
            let mut depends_on = Vec::new();
            for (at, name) in draft.depends_on.iter().enumerate() {
                let dt = self.dt(&format!("{place}.depends_on[{at}]"), Some(name));
                depends_on.extend(dt.filter(|dt| !depends_on.contains(dt)));
            }
            if let (Some(id), Some(text)) = (id, text) {
                questions.push(SubQuestion { id, text, scope, depends_on });
            }
        }
        self.dependencies(&questions, &seen);
        Some(questions)
    }

    fn dt(&mut self, field: &str, text: Option<&str>) -> Option<DtId> {
        let Some(text) = given(text) else {
            self.missing(field, "number it, such as `DT-1`");
            return None;
        };
        let id = DtId::parse(&text);
        if id.is_err() {
            let reason = format!("is {}, not of the form `DT-n`", quote(&text));
            self.note(field, ProblemCode::Malformed, reason, "write `DT-1`, `DT-2` …");
        }
        id.ok()
    }

    fn sub_text(&mut self, field: &str, text: Option<&str>) -> Option<String> {
        let Some(text) = given(text) else {
            self.missing(field, "ask one checkable part of the decision target");
            return None;
        };
        self.text(field, &text, &(limits::SUB_QUESTION_CHARS_MIN..=usize::MAX));
        self.no_write_order(field, &text);
        Some(text)
    }

    /// Names what `depends_on` cannot mean: an unknown sub-question, itself, a circle.
    fn dependencies(&mut self, questions: &[SubQuestion], known: &BTreeSet<DtId>) {
        let mut graph: BTreeMap<DtId, Vec<DtId>> = BTreeMap::new();
        for question in questions {
            let field = format!("sub_questions.{}.depends_on", question.id);
            for on in &question.depends_on {
                if !known.contains(on) {
                    let reason = format!("names `{on}`, which the mission does not have");
                    self.note(&field, ProblemCode::Reference, reason, "name a sub-question of this mission");
                } else {
                    graph.entry(question.id).or_default().push(*on);
                }
            }
        }
        if let Some(cycle) = find_cycle(&graph) {
            let path: Vec<String> = cycle.iter().map(ToString::to_string).collect();
            let reason = format!("goes in a circle: {}", path.join(" → "));
            self.note("sub_questions", ProblemCode::Cycle, reason, "let one of them stand on its own");
        }
    }

    fn scope(&mut self, defaults: &Defaults) -> Option<MissionScope> {
        let Some(draft) = &self.draft.scope else {
            if defaults.scope.is_none() {
                self.missing("scope", "write `include: [\"**\"]` for the whole repository");
            }
            return defaults.scope.clone();
        };
        let Some(include) = &draft.include else {
            self.missing("scope.include", "write `include: [\"**\"]` for the whole repository");
            return None;
        };
        let before = self.problems.len();
        if include.is_empty() {
            self.note("scope.include", ProblemCode::Scope, "is empty", "write `[\"**\"]` for the whole repository");
        }
        let include = scope::globs("scope.include", include, &mut self.problems);
        let exclude = scope::globs("scope.exclude", &draft.exclude, &mut self.problems);
        if self.problems.len() == before && scope::leaves_nothing(&include, &exclude) {
            self.note(
                "scope",
                ProblemCode::Scope,
                "contradicts itself: what it excludes covers all that it includes",
                "exclude less, or include more",
            );
        }
        Some(MissionScope { include, exclude })
    }

    /// A sub-question whose own scope the mission excludes can have no answer.
    fn sub_scopes(&mut self, questions: Option<&[SubQuestion]>, scope: Option<&MissionScope>) {
        for question in questions.unwrap_or_default() {
            if scope.is_some_and(|scope| scope::leaves_nothing(&question.scope, &scope.exclude)) {
                self.note(
                    format!("sub_questions.{}.scope", question.id),
                    ProblemCode::Scope,
                    "contradicts the mission's scope, which excludes all of it",
                    "exclude less, or drop the sub-question's scope",
                );
            }
        }
    }

    fn budget(&mut self, defaults: &Defaults) -> Option<Budget> {
        let draft = match (&self.draft.budget, &defaults.budget) {
            (Some(draft), _) => *draft,
            (None, Some(_)) => DraftBudget::default(),
            (None, None) => {
                self.missing("budget", "give all five numbers: max_tool_calls, max_tokens_input, max_wall_clock_s, max_subagents, max_recursion_depth");
                return None;
            }
        };
        let given = defaults.budget.as_ref();
        let max_tool_calls =
            self.number("max_tool_calls", draft.max_tool_calls, given.map(|b| b.max_tool_calls), &limits::TOOL_CALLS);
        let max_tokens_input = self.number(
            "max_tokens_input",
            draft.max_tokens_input,
            given.map(|b| b.max_tokens_input),
            &limits::TOKENS_INPUT,
        );
        let max_wall_clock_s = self.number(
            "max_wall_clock_s",
            draft.max_wall_clock_s,
            given.map(|b| b.max_wall_clock_s),
            &limits::WALL_CLOCK_S,
        );
        let max_subagents =
            self.number("max_subagents", draft.max_subagents, given.map(|b| b.max_subagents), &limits::SUBAGENTS);
        let max_recursion_depth = self.number(
            "max_recursion_depth",
            draft.max_recursion_depth,
            given.map(|b| b.max_recursion_depth),
            &limits::RECURSION_DEPTH,
        );
        Some(Budget {
            max_tool_calls: max_tool_calls?,
            max_tokens_input: max_tokens_input?,
            max_wall_clock_s: max_wall_clock_s?,
            max_subagents: max_subagents?,
            max_recursion_depth: max_recursion_depth?,
        })
    }

    fn number<N>(
        &mut self,
        name: &str,
        draft: Option<i128>,
        default: Option<N>,
        bounds: &RangeInclusive<N>,
    ) -> Option<N>
    where
        N: Copy + PartialOrd + Display + TryFrom<i128>,
    {
        let field = format!("budget.{name}");
        let Some(number) = draft else {
            if default.is_none() {
                self.missing(&field, &format!("write a number from {} to {}", bounds.start(), bounds.end()));
            }
            return default;
        };
        let within = N::try_from(number).ok().filter(|number| bounds.contains(number));
        if within.is_none() {
            let reason = format!("is {number}, not {} to {}", bounds.start(), bounds.end());
            let remedy = format!("write a number from {} to {}", bounds.start(), bounds.end());
            self.note(field, ProblemCode::Range, reason, remedy);
        }
        within
    }

    fn stop_conditions(&mut self, defaults: &Defaults) -> Option<Vec<StopCondition>> {
        const FIELD: &str = "stop_conditions";
        let Some(drafts) = &self.draft.stop_conditions else {
            if defaults.stop_conditions.is_none() {
                self.missing(FIELD, "write at least one, such as `SC-1`: every sub-question has a finding or a gap");
            }
            return defaults.stop_conditions.clone();
        };
        if drafts.is_empty() || drafts.len() > ENTRIES_MAX {
            let reason = format!("has {} entries, not 1 to {ENTRIES_MAX}", drafts.len());
            self.note(
                FIELD,
                ProblemCode::Range,
                reason,
                "write at least one: every sub-question has a finding or a gap",
            );
        }
        let mut seen = BTreeSet::new();
        let mut conditions = Vec::new();
        for (at, draft) in drafts.iter().take(ENTRIES_MAX).enumerate() {
            let place = format!("{FIELD}[{at}]");
            let id = self.numbered_id(&format!("{place}.id"), draft.id.as_deref(), "SC-", &mut seen);
            let description = self.entry(&format!("{place}.description"), draft.description.as_deref());
            if let (Some(id), Some(description)) = (id, description) {
                conditions.push(StopCondition { id, description });
            }
        }
        Some(conditions)
    }

    fn triggers(&mut self, drafts: &[DraftTrigger]) -> Vec<EscalationTrigger> {
        const FIELD: &str = "escalation_triggers";
        if drafts.len() > ENTRIES_MAX {
            let reason = format!("has {} entries, more than {ENTRIES_MAX}", drafts.len());
            self.note(
                FIELD,
                ProblemCode::Range,
                reason,
                "join patterns: a glob or a regular expression can name several",
            );
        }
        let mut seen = BTreeSet::new();
        let mut triggers = Vec::new();
        for (at, draft) in drafts.iter().take(ENTRIES_MAX).enumerate() {
            let place = format!("{FIELD}[{at}]");
            let id = self.numbered_id(&format!("{place}.id"), draft.id.as_deref(), "ET-", &mut seen);
            let kind = self.one_of(&format!("{place}.kind"), draft.kind.as_deref(), &KINDS);
            let pattern = self.entry(&format!("{place}.pattern"), draft.pattern.as_deref());
            let action = self.one_of(&format!("{place}.action"), draft.action.as_deref(), &ACTIONS);
            if let (Some(kind), Some(pattern)) = (kind, &pattern) {
                self.pattern(&format!("{place}.pattern"), kind, pattern);
            }
            if let (Some(id), Some(kind), Some(pattern), Some(action)) = (id, kind, pattern, action) {
                triggers.push(EscalationTrigger { id, kind, pattern, action });
            }
        }
        triggers
    }

    fn pattern(&mut self, field: &str, kind: TriggerKind, pattern: &str) {
        match kind {
            TriggerKind::PathGlob => {
                scope::globs(field, &[pattern.to_owned()], &mut self.problems);
            }
            TriggerKind::SymbolRegex => {
                let built = regex::RegexBuilder::new(pattern).size_limit(REGEX_BYTES_MAX).build();
                if let Err(error) = built {
                    let reason = match error {
                        regex::Error::CompiledTooBig(_) => "compiles to too large a regular expression".to_owned(),
                        _ => format!("is {}, not a regular expression", quote(pattern)),
                    };
                    self.note(
                        field,
                        ProblemCode::Malformed,
                        reason,
                        "mend the regular expression; `\\` escapes a special character",
                    );
                }
            }
            TriggerKind::SqlTable | TriggerKind::Custom => {}
        }
    }

    fn one_of<T: Copy>(&mut self, field: &str, text: Option<&str>, known: &[(&str, T)]) -> Option<T> {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let Some(text) = given(text) else {
            self.missing(field, &format!("write one of {}", names.join(", ")));
            return None;
        };
        let found = known.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let reason = format!("is {}", quote(&text));
            self.note(field, ProblemCode::Malformed, reason, format!("write one of {}", names.join(", ")));
        }
        found
    }

    fn numbered_id(
        &mut self,
        field: &str,
        text: Option<&str>,
        prefix: &str,
        seen: &mut BTreeSet<String>,
    ) -> Option<String> {
        let Some(text) = given(text) else {
            self.missing(field, &format!("number it, such as `{prefix}1`"));
            return None;
        };
        let digits = text.strip_prefix(prefix).unwrap_or_default();
        let well_formed = !digits.is_empty()
            && digits.len() <= 9
            && !digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !well_formed {
            let reason = format!("is {}, not of the form `{prefix}n`", quote(&text));
            self.note(field, ProblemCode::Malformed, reason, format!("write `{prefix}1`, `{prefix}2` …"));
        } else if !seen.insert(text.clone()) {
            self.note(field, ProblemCode::Duplicate, format!("is `{text}`, which stands twice"), "number them anew");
        }
        Some(text)
    }

    fn entry(&mut self, field: &str, text: Option<&str>) -> Option<String> {
        let Some(text) = given(text) else {
            self.missing(field, "say it in a few words");
            return None;
        };
        self.printable(field, &text);
        let chars = text.chars().count();
        if chars > ENTRY_CHARS_MAX {
            let reason = format!("has {chars} characters, more than {ENTRY_CHARS_MAX}");
            self.note(field, ProblemCode::Length, reason, "say it in fewer");
        }
        Some(text)
    }

    fn handoff(&mut self, defaults: &Defaults) -> Option<HandoffRecipients> {
        let Some(draft) = &self.draft.handoff_recipients else {
            if defaults.handoff_recipients.is_none() {
                self.missing("handoff_recipients", "name a primary and a fallback, such as `human`");
            }
            return defaults.handoff_recipients.clone();
        };
        let primary = self.entry("handoff_recipients.primary", draft.primary.as_deref());
        let fallback = self.entry("handoff_recipients.fallback", draft.fallback.as_deref());
        Some(HandoffRecipients { primary: primary?, fallback: fallback? })
    }
}

const KINDS: [(&str, TriggerKind); 4] = [
    ("path_glob", TriggerKind::PathGlob),
    ("symbol_regex", TriggerKind::SymbolRegex),
    ("sql_table", TriggerKind::SqlTable),
    ("custom", TriggerKind::Custom),
];
const ACTIONS: [(&str, TriggerAction); 3] = [
    ("halt", TriggerAction::Halt),
    ("annotate", TriggerAction::Annotate),
    ("continue-with-flag", TriggerAction::ContinueWithFlag),
];

/// The refusal of a text that orders a write.
fn write_problem(field: &str, verb: &str, hand_to: AgentKind) -> Problem {
    let mut problem = Problem::new(
        field,
        ProblemCode::WriteOrder,
        format!("orders a write (`{verb}`), and ATLAS only reads"),
        format!("hand the work to {}; here, ask what it needs to know: `Where is …?`, `Which …?`", hand_to.describe()),
    );
    problem.hand_to = Some(hand_to);
    problem
}

/// The text without the space around it and with `\n` line ends; none if nothing is left.
fn given(text: Option<&str>) -> Option<String> {
    let text = text?.trim();
    if text.is_empty() { None } else { Some(text.replace("\r\n", "\n")) }
}

#[cfg(test)]
mod tests;
