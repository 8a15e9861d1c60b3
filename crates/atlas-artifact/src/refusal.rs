//! A refusal: the request cannot be served as asked (contract §3, §15 exit 3).
//!
//! It lists everything that is wrong at once, each with its field, the reason and the way to mend it.
//! What is deliberately *not* here: the rules themselves ([`crate::assess`]) and the exit code.

use serde::Serialize;
use std::fmt;

/// How many problems a refusal lists; a further one says how many were left out.
pub const PROBLEMS_MAX: usize = 100;
/// Characters of a stranger's text that a message quotes.
const QUOTE_CHARS_MAX: usize = 60;

/// Why a mission is not taken on: at least one problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Refusal {
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The field as the mission's JSON form names it, such as `budget.max_tool_calls` or `sub_questions[2].text`.
    pub field: String,
    pub code: ProblemCode,
    /// What is wrong: a lower-case fragment without a full stop.
    pub reason: String,
    /// What to write instead.
    pub remedy: String,
    /// Who the work should go to, when it is a write that ATLAS will never do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand_to: Option<AgentKind>,
}

/// What kind of problem, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemCode {
    /// The text is no mission at all: not UTF-8, not YAML, not JSON.
    Unreadable,
    TooLarge,
    Missing,
    WrongType,
    UnknownField,
    Duplicate,
    /// An identifier, a timestamp or a name of another form than it must have.
    Malformed,
    Length,
    Range,
    NotAQuestion,
    WriteOrder,
    Scope,
    Glob,
    Reference,
    Cycle,
}

/// The kind of agent that work which writes belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentKind {
    /// Plans a change that touches many places before anyone writes.
    Planning,
    /// Writes code.
    Implementation,
    /// Changes what runs: deploys, installs, releases.
    Operations,
}

impl AgentKind {
    /// The kind in words, with the recipient of §13 that stands for it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Planning => "a planning agent (`SPECTRA`)",
            Self::Implementation => "an implementation agent (`APIVR-Δ`)",
            Self::Operations => "an operations agent, or a person who may deploy (`human`)",
        }
    }
}

impl Refusal {
    /// A refusal of one problem.
    #[must_use]
    pub fn of(problem: Problem) -> Self {
        Self { problems: vec![problem] }
    }

    /// All problems, or the first [`PROBLEMS_MAX`] and how many more there are. None if there are none.
    #[must_use]
    pub fn from_problems(mut problems: Vec<Problem>) -> Option<Self> {
        let more = problems.len().saturating_sub(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        if more > 0 {
            problems.push(Problem::new(
                "mission",
                ProblemCode::TooLarge,
                format!("has {more} more problems that are not listed"),
                "mend those above and try again",
            ));
        }
        if problems.is_empty() { None } else { Some(Self { problems }) }
    }
}

impl Problem {
    #[must_use]
    pub fn new(
        field: impl Into<String>,
        code: ProblemCode,
        reason: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { field: field.into(), code, reason: reason.into(), remedy: remedy.into(), hand_to: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fmt::Display::fmt(problem, f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}\n  hint: {}", self.field, self.reason, self.remedy)
    }
}

/// A stranger's text as a message may quote it: on one line, without control characters, at most
/// 60 characters and then `…`.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::from("`");
    for (at, c) in text.chars().enumerate() {
        if at == QUOTE_CHARS_MAX {
            out.push('…');
            break;
        }
        if is_unprintable(c) || c == '`' {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

/// Control characters and the marks that reorder a line: what must never reach a terminal raw.
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_reads_as_reason_and_hint_per_problem() {
        let problem = |field| Problem::new(field, ProblemCode::Missing, "is missing", "write one");
        let refusal = Refusal::from_problems(vec![problem("goal"), problem("scope")]).unwrap();
        assert_eq!(refusal.to_string(), "`goal` is missing\n  hint: write one\n`scope` is missing\n  hint: write one");
        assert_eq!(Refusal::from_problems(Vec::new()), None);
    }

    #[test]
    fn a_flood_of_problems_is_counted_not_listed() {
        let problem = Problem::new("goal", ProblemCode::Missing, "is missing", "write one");
        let refusal = Refusal::from_problems(vec![problem; PROBLEMS_MAX + 7]).unwrap();
        assert_eq!(refusal.problems.len(), PROBLEMS_MAX + 1);
        assert_eq!(refusal.problems[PROBLEMS_MAX].reason, "has 7 more problems that are not listed");
    }

    #[test]
    fn quoted_text_is_short_and_harmless() {
        assert_eq!(quote("a`b\u{1b}[31m\n\u{202e}"), r"`a\u{60}b\u{1b}[31m\u{a}\u{202e}`");
        assert_eq!(quote(&"é".repeat(61)), format!("`{}…`", "é".repeat(60)));
    }
}
