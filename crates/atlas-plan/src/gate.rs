//! The gate (contract §5): scatter is never the default, and nothing can force it.
//!
//! A pure function of what was observed. There is deliberately no parameter that opens it: the two
//! that are wishes, `serial_asked` and `subagents_max`, can only close it. The thresholds are constants.
//! *Not* here: how groups, branches and shares come about.

use atlas_artifact::limits::{
    GATE_GROUPS_MIN, GATE_MODULES, GATE_SHARE_TOKENS_MIN, GATE_SHARE_TOOL_CALLS_MIN, GATE_SOURCE_FILES,
};
use atlas_artifact::{DtId, Flag, Gate, GateDecision, SubBudget, SurfaceCounts};

/// Branches that it takes to scatter.
const BRANCHES_MIN: usize = 2;

/// What the gate looks at.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    pub surface: SurfaceCounts,
    /// Disjoint groups of sub-questions.
    pub groups: Vec<Vec<DtId>>,
    /// Sub-questions of the mission, those in no group included.
    pub sub_questions: usize,
    /// N: the branches that the assignment would spawn.
    pub branches: usize,
    /// Whether the parent would keep a share for sub-questions of its own.
    pub parent_share: bool,
    /// What each of them would get.
    pub share: SubBudget,
    /// The user asked for a serial run.
    pub serial_asked: bool,
    /// The mission's `max_subagents`.
    pub subagents_max: u32,
}

/// Decides, and says why in words.
#[must_use]
pub fn gate(observed: &Observed) -> Gate {
    let checks = [surface(observed), disjoint(observed), not_tight(observed)];
    let mut against: Vec<String> = Vec::new();
    if observed.serial_asked {
        against.push("a serial run was asked for".to_owned());
    }
    if (observed.subagents_max as usize) < BRANCHES_MIN {
        against.push(format!(
            "the mission allows fewer than 2 sub-agents (`max_subagents` is {})",
            observed.subagents_max
        ));
    }
    against.extend(checks.iter().filter(|check| !check.flag.pass).map(|check| check.against.clone()));

    let (decision, reason) = if against.is_empty() {
        let reason = format!(
            "the surface is large ({}), the sub-questions fall into {} independent groups, \
             and each of the {} gets {}",
            checks[0].flag.observed,
            observed.groups.len(),
            sharers(observed),
            quantities(observed.share),
        );
        (GateDecision::Scatter, reason)
    } else {
        (GateDecision::Serial, against.join("; "))
    };
    Gate { decision, flags: checks.into_iter().map(|check| check.flag).collect(), reason }
}

/// A flag, and what to say if it fails.
struct Check {
    flag: Flag,
    against: String,
}

fn check(name: &str, observed: String, threshold: String, pass: bool, against: String) -> Check {
    Check { flag: Flag { name: name.to_owned(), observed, threshold, pass }, against }
}

fn surface(observed: &Observed) -> Check {
    let SurfaceCounts { modules, source_files, files: _ } = observed.surface;
    let seen = format!("{}, {}", count(modules, "module"), count(source_files, "source file"));
    let threshold = format!("more than {GATE_MODULES} modules or more than {GATE_SOURCE_FILES} source files");
    let pass = modules > GATE_MODULES as u64 || source_files > GATE_SOURCE_FILES as u64;
    let against = format!("the surface is small enough for one context ({seen})");
    check("surface", seen, threshold, pass, against)
}

fn disjoint(observed: &Observed) -> Check {
    let groups = observed.groups.len();
    let listed: Vec<String> = observed
        .groups
        .iter()
        .map(|group| group.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "))
        .collect();
    let seen = match groups {
        0 => "no group".to_owned(),
        _ => format!("{} ({})", count(groups as u64, "group"), listed.join(", ")),
    };
    let against = match (groups, observed.sub_questions) {
        (_, 0 | 1) => "there is only one sub-question".to_owned(),
        (0, _) => "no sub-question leads anywhere in the surface".to_owned(),
        (_, all) if observed.groups[0].len() == all => "the sub-questions hang together".to_owned(),
        _ => "there is only one independent group of sub-questions that lead anywhere in the surface".to_owned(),
    };
    let threshold = format!("at least {GATE_GROUPS_MIN} disjoint groups of sub-questions");
    check("disjoint", seen, threshold, groups >= GATE_GROUPS_MIN, against)
}

fn not_tight(observed: &Observed) -> Check {
    let share = observed.share;
    let enough = share.max_tool_calls >= GATE_SHARE_TOOL_CALLS_MIN && share.max_tokens_input >= GATE_SHARE_TOKENS_MIN;
    let seen = match observed.branches {
        0 => "no branch".to_owned(),
        1 if !observed.parent_share => format!("1 branch, with {}", quantities(share)),
        _ => format!("{}, {} each", sharers(observed), quantities(share)),
    };
    let least = format!("{GATE_SHARE_TOOL_CALLS_MIN} tool calls and {} input tokens", grouped(GATE_SHARE_TOKENS_MIN));
    let against = if observed.branches < BRANCHES_MIN {
        format!("there would be {}, and it takes {BRANCHES_MIN} to scatter", branches(observed.branches))
    } else {
        format!(
            "the budget is too tight: each of the {} would get {}, below {least}",
            sharers(observed),
            quantities(share)
        )
    };
    let threshold = format!("at least {BRANCHES_MIN} branches, each with at least {least}");
    check("not_tight", seen, threshold, observed.branches >= BRANCHES_MIN && enough, against)
}

/// Those that share: `3 branches and the parent`.
fn sharers(observed: &Observed) -> String {
    format!("{}{}", branches(observed.branches), if observed.parent_share { " and the parent" } else { "" })
}

fn branches(number: usize) -> String {
    match number {
        0 => "no branch".to_owned(),
        1 => "1 branch".to_owned(),
        _ => format!("{number} branches"),
    }
}

/// `24 tool calls and 30,000 input tokens`.
pub(crate) fn quantities(share: SubBudget) -> String {
    format!("{} and {}", count(share.max_tool_calls, "tool call"), count(share.max_tokens_input, "input token"))
}

/// `1 file`, `2,000 files`.
pub(crate) fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
