//! Escalation triggers: what a probe touches is compared with what the mission watches (§3, §11).

use atlas_artifact::EscalationTrigger;
use atlas_artifact::mission::{TriggerAction, TriggerKind};
use atlas_tree::Scope;
use regex::Regex;
use serde_json::Value;

/// A trigger that fired, with what it saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    pub trigger: String,
    pub action: TriggerAction,
    pub probe: String,
    pub matched: String,
}

enum Watch {
    Path(Box<Scope>),
    Symbol(Regex),
    Table(String),
    /// Free words for people; no program can watch them.
    Nothing,
}

/// The compiled triggers of a mission.
#[derive(Default)]
pub struct Triggers(Vec<(EscalationTrigger, Watch)>);

impl Triggers {
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// # Errors
    /// Names the trigger whose pattern does not compile.
    pub fn new(triggers: &[EscalationTrigger]) -> Result<Self, String> {
        let compile = |trigger: &EscalationTrigger| -> Result<Watch, String> {
            let fail = |cause: String| format!("{}: {cause}", trigger.id);
            Ok(match trigger.kind {
                TriggerKind::PathGlob => Watch::Path(Box::new(
                    Scope::new([&trigger.pattern], [] as [&str; 0]).map_err(|e| fail(e.to_string()))?,
                )),
                TriggerKind::SymbolRegex => {
                    Watch::Symbol(Regex::new(&trigger.pattern).map_err(|e| fail(e.to_string()))?)
                }
                TriggerKind::SqlTable => Watch::Table(trigger.pattern.clone()),
                TriggerKind::Custom => Watch::Nothing,
            })
        };
        let all = triggers.iter().map(|t| compile(t).map(|watch| (t.clone(), watch))).collect::<Result<Vec<_>, _>>()?;
        Ok(Self(all))
    }

    /// Which triggers a call touches: by the paths and names of its answer, and by its arguments.
    pub(crate) fn check(&self, tool: &str, args: &Value, answer: &Value) -> Vec<Fired> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut seen = Seen::default();
        seen.walk(args, 0);
        seen.walk(answer, 0);
        let probe = format!("{tool} {args}");
        let mut fired = Vec::new();
        for (trigger, watch) in &self.0 {
            let matched = match watch {
                Watch::Path(scope) => seen.paths.iter().find(|path| scope.contains_str(path)),
                Watch::Symbol(regex) => seen.names.iter().find(|name| regex.is_match(name)),
                Watch::Table(table) => seen
                    .names
                    .iter()
                    .find(|name| name.rsplit(['.', ' ']).next().is_some_and(|last| last.eq_ignore_ascii_case(table))),
                Watch::Nothing => None,
            };
            if let Some(matched) = matched {
                fired.push(Fired {
                    trigger: trigger.id.clone(),
                    action: trigger.action,
                    probe: probe.clone(),
                    matched: matched.clone(),
                });
            }
        }
        fired
    }
}

#[derive(Default)]
struct Seen {
    paths: Vec<String>,
    names: Vec<String>,
}

impl Seen {
    fn walk(&mut self, value: &Value, depth: u32) {
        if depth > 8 {
            return;
        }
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    if let Value::String(text) = value {
                        match key.as_str() {
                            "path" => self.paths.push(text.clone()),
                            "name" | "query" | "pattern" => self.names.push(text.clone()),
                            _ => {}
                        }
                    }
                    self.walk(value, depth + 1);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(item, depth + 1)),
            _ => {}
        }
    }
}
