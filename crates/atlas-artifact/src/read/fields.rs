//! A tree of YAML or JSON as a draft: names and types are checked here, meanings are not.

use super::draft::{Draft, DraftBudget, DraftHandoff, DraftQuestion, DraftScope, DraftStop, DraftTrigger};
use super::node::Node;
use crate::refusal::{Problem, ProblemCode, quote};
use std::collections::BTreeMap;

const FIELDS: [&str; 11] = [
    "mission_id",
    "created",
    "parent_mission_id",
    "goal",
    "decision_target",
    "sub_questions",
    "scope",
    "budget",
    "stop_conditions",
    "escalation_triggers",
    "handoff_recipients",
];
pub(super) const BUDGET_FIELDS: [&str; 5] =
    ["max_tool_calls", "max_tokens_input", "max_wall_clock_s", "max_subagents", "max_recursion_depth"];
/// What a trigger's pattern may be called.
const PATTERN_NAMES: [&str; 8] = ["pattern", "match", "value", "glob", "regex", "table", "condition", "description"];

/// The draft that a document says, bare or as the sole value of `mission`.
pub(super) fn draft(node: Node) -> Draft {
    let mut reader = Reader::default();
    let node = match node {
        Node::Mapping(mut entries)
            if entries.len() == 1 && entries[0].0 == "mission" && matches!(entries[0].1, Node::Mapping(_)) =>
        {
            entries.remove(0).1
        }
        other => other,
    };
    let mut draft = Draft::default();
    if let Some(mut given) = reader.mapping("mission", node, &FIELDS) {
        let mut take = |field: &str| given.remove(field).unwrap_or(Node::Null);
        draft.mission_id = reader.text("mission_id", take("mission_id"));
        draft.created = reader.text("created", take("created"));
        draft.parent_mission_id = reader.text("parent_mission_id", take("parent_mission_id"));
        draft.goal = reader.text("goal", take("goal"));
        draft.decision_target = reader.text("decision_target", take("decision_target"));
        draft.sub_questions = reader.each("sub_questions", take("sub_questions"), question);
        draft.scope = scope(&mut reader, take("scope"));
        draft.budget = budget(&mut reader, take("budget"));
        draft.stop_conditions = reader.each("stop_conditions", take("stop_conditions"), stop_condition);
        draft.escalation_triggers = reader.each("escalation_triggers", take("escalation_triggers"), trigger);
        draft.handoff_recipients = handoff(&mut reader, take("handoff_recipients"));
    }
    draft.problems = reader.problems;
    draft
}

fn question(reader: &mut Reader, field: &str, node: Node) -> DraftQuestion {
    let Some(mut given) = reader.mapping(field, node, &["id", "text", "scope", "depends_on"]) else {
        return DraftQuestion::default();
    };
    let mut take = |key: &str| (format!("{field}.{key}"), given.remove(key).unwrap_or(Node::Null));
    let (id, text, scope, depends_on) = (take("id"), take("text"), take("scope"), take("depends_on"));
    DraftQuestion {
        id: reader.text(&id.0, id.1),
        text: reader.text(&text.0, text.1),
        scope: reader.texts(&scope.0, scope.1).unwrap_or_default(),
        depends_on: reader.texts(&depends_on.0, depends_on.1).unwrap_or_default(),
    }
}

pub(super) fn scope(reader: &mut Reader, node: Node) -> Option<DraftScope> {
    if node == Node::Null {
        return None;
    }
    let mut given = reader.mapping("scope", node, &["include", "exclude"])?;
    let include = given.remove("include").unwrap_or(Node::Null);
    let exclude = given.remove("exclude").unwrap_or(Node::Null);
    Some(DraftScope {
        include: reader.texts("scope.include", include),
        exclude: reader.texts("scope.exclude", exclude).unwrap_or_default(),
    })
}

pub(super) fn budget(reader: &mut Reader, node: Node) -> Option<DraftBudget> {
    if node == Node::Null {
        return None;
    }
    let mut given = reader.mapping("budget", node, &BUDGET_FIELDS)?;
    let mut number = |field: &str| {
        let node = given.remove(field).unwrap_or(Node::Null);
        reader.whole(&format!("budget.{field}"), node)
    };
    Some(DraftBudget {
        max_tool_calls: number("max_tool_calls"),
        max_tokens_input: number("max_tokens_input"),
        max_wall_clock_s: number("max_wall_clock_s"),
        max_subagents: number("max_subagents"),
        max_recursion_depth: number("max_recursion_depth"),
    })
}

fn stop_condition(reader: &mut Reader, field: &str, node: Node) -> DraftStop {
    let Some(mut given) = reader.mapping(field, node, &["id", "description"]) else {
        return DraftStop::default();
    };
    let mut take = |key: &str| (format!("{field}.{key}"), given.remove(key).unwrap_or(Node::Null));
    let (id, description) = (take("id"), take("description"));
    DraftStop { id: reader.text(&id.0, id.1), description: reader.text(&description.0, description.1) }
}

pub(super) fn trigger(reader: &mut Reader, field: &str, node: Node) -> DraftTrigger {
    let known: Vec<&str> = ["id", "kind", "action"].into_iter().chain(PATTERN_NAMES).collect();
    let Some(mut given) = reader.mapping(field, node, &known) else {
        return DraftTrigger::default();
    };
    let mut take = |key: &str| (format!("{field}.{key}"), given.remove(key).unwrap_or(Node::Null));
    let (id, kind, action) = (take("id"), take("kind"), take("action"));
    // The first name that is used says the pattern; a description beside it is a remark.
    let pattern = PATTERN_NAMES.iter().find_map(|name| given.remove(*name)).unwrap_or(Node::Null);
    DraftTrigger {
        id: reader.text(&id.0, id.1),
        kind: reader.text(&kind.0, kind.1),
        pattern: reader.text(&format!("{field}.pattern"), pattern),
        action: reader.text(&action.0, action.1),
    }
}

pub(super) fn handoff(reader: &mut Reader, node: Node) -> Option<DraftHandoff> {
    if node == Node::Null {
        return None;
    }
    let mut given = reader.mapping("handoff_recipients", node, &["primary", "fallback"])?;
    let primary = given.remove("primary").unwrap_or(Node::Null);
    let fallback = given.remove("fallback").unwrap_or(Node::Null);
    Some(DraftHandoff {
        primary: reader.text("handoff_recipients.primary", primary),
        fallback: reader.text("handoff_recipients.fallback", fallback),
    })
}

/// Takes nodes apart and notes what is not as it should be.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<Problem>,
}

impl Reader {
    pub(super) fn note(&mut self, field: &str, code: ProblemCode, reason: String, remedy: String) {
        self.problems.push(Problem::new(field, code, reason, remedy));
    }

    fn wrong_type(&mut self, field: &str, node: &Node, wanted: &str) {
        let reason = format!("is {}, not {wanted}", node.kind());
        self.note(field, ProblemCode::WrongType, reason, format!("write {wanted}"));
    }

    pub(super) fn text(&mut self, field: &str, node: Node) -> Option<String> {
        match node {
            Node::Null => None,
            Node::Text(text) => Some(text),
            other => {
                self.wrong_type(field, &other, "a text (in quotes if it looks like a number)");
                None
            }
        }
    }

    pub(super) fn whole(&mut self, field: &str, node: Node) -> Option<i128> {
        match node {
            Node::Null => None,
            Node::Whole(number) => Some(number),
            // JSON has one kind of number: 200.0 is the whole number 200.
            Node::Fraction(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(number as i128),
            other => {
                self.wrong_type(field, &other, "a whole number (without quotes)");
                None
            }
        }
    }

    fn list(&mut self, field: &str, node: Node) -> Option<Vec<Node>> {
        match node {
            Node::Null => None,
            Node::List(items) => Some(items),
            other => {
                self.wrong_type(field, &other, "a list");
                None
            }
        }
    }

    pub(super) fn texts(&mut self, field: &str, node: Node) -> Option<Vec<String>> {
        let items = self.list(field, node)?;
        let mut texts = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            let place = format!("{field}[{at}]");
            if item == Node::Null {
                self.wrong_type(&place, &item, "a text");
            }
            texts.extend(self.text(&place, item));
        }
        Some(texts)
    }

    fn each<T>(&mut self, field: &str, node: Node, read: fn(&mut Self, &str, Node) -> T) -> Option<Vec<T>> {
        let items = self.list(field, node)?;
        Some(items.into_iter().enumerate().map(|(at, item)| read(self, &format!("{field}[{at}]"), item)).collect())
    }

    /// The values by their names. Names are compared without regard to case, `-` and spaces.
    pub(super) fn mapping<'k>(
        &mut self,
        field: &str,
        node: Node,
        known: &[&'k str],
    ) -> Option<BTreeMap<&'k str, Node>> {
        let entries = match node {
            Node::Mapping(entries) => entries,
            other => {
                self.wrong_type(field, &other, "a mapping of names to values");
                return None;
            }
        };
        let mut given = BTreeMap::new();
        for (key, value) in entries {
            let plain = plain_name(&key);
            let place = |name: &str| if field == "mission" { name.to_owned() } else { format!("{field}.{name}") };
            let Some(name) = known.iter().find(|name| **name == plain) else {
                let shown = quote(&key);
                let remedy = match nearest(&plain, known) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("leave it out; known here: {}", known.join(", ")),
                };
                self.note(
                    &place(shown.trim_matches('`')),
                    ProblemCode::UnknownField,
                    "is not a field".to_owned(),
                    remedy,
                );
                continue;
            };
            if given.contains_key(name) {
                let reason = "is given twice".to_owned();
                self.note(&place(name), ProblemCode::Duplicate, reason, "keep one of them".to_owned());
                continue;
            }
            given.insert(*name, value);
        }
        Some(given)
    }
}

/// A name in lower case with `_` between its words.
pub(super) fn plain_name(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' '], "_")
}

/// The known name that differs by at most two edits, or is the start of this one, or the reverse.
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name: Vec<char> = name.chars().take(64).collect();
    let distance = |other: &str| {
        let other: Vec<char> = other.chars().collect();
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in name.iter().enumerate() {
            let mut before = row[0];
            row[0] = i + 1;
            for (j, b) in other.iter().enumerate() {
                let replaced = before + usize::from(a != b);
                before = row[j + 1];
                row[j + 1] = replaced.min(before + 1).min(row[j] + 1);
            }
        }
        row[other.len()]
    };
    known.iter().map(|other| (distance(other), *other)).filter(|(edits, _)| *edits <= 2).min().map(|(_, other)| other)
}
