//! `mission.md`: the headed template of contract §3, written so that it reads back to the same mission.

use crate::text::{code, inline, push_json, quoted};
use atlas_artifact::mission::{TriggerAction, TriggerKind};
use atlas_artifact::read::closing_detail;
use atlas_artifact::{EscalationTrigger, Mission, SubQuestion};
use std::fmt::Write as _;

/// The mission as a person reads it, and as [`atlas_artifact::read_mission`] does.
#[must_use]
pub fn mission_md(mission: &Mission) -> String {
    let mut out = String::from("# Mission\n\n");
    let _ = writeln!(out, "**MISSION-ID:** {}\n", mission.mission_id);
    let _ = writeln!(out, "**CREATED:** {}", inline(&mission.created));
    if let Some(parent) = &mission.parent_mission_id {
        let _ = writeln!(out, "\n**PARENT:** {}", inline(parent));
    }
    let _ = write!(out, "\n## GOAL\n\n{}\n", inline(&mission.goal));
    let _ = write!(out, "\n## DECISION_TARGET\n\n{}\n", unlabelled(&mission.decision_target));
    out.push_str("\n## SUB_QUESTIONS\n\n");
    for question in &mission.sub_questions {
        sub_question(&mut out, question);
    }
    out.push_str("\n## SCOPE\n\n");
    globs(&mut out, "include", &mission.scope.include);
    if !mission.scope.exclude.is_empty() {
        out.push('\n');
        globs(&mut out, "exclude", &mission.scope.exclude);
    }
    let budget = &mission.budget;
    out.push_str("\n## BUDGET\n\n| field | value |\n| --- | ---: |\n");
    let _ = writeln!(out, "| max_tool_calls | {} |", budget.max_tool_calls);
    let _ = writeln!(out, "| max_tokens_input | {} |", budget.max_tokens_input);
    let _ = writeln!(out, "| max_wall_clock_s | {} |", budget.max_wall_clock_s);
    let _ = writeln!(out, "| max_subagents | {} |", budget.max_subagents);
    let _ = writeln!(out, "| max_recursion_depth | {} |", budget.max_recursion_depth);
    out.push_str("\n## STOP_CONDITIONS\n\n");
    for stop in &mission.stop_conditions {
        let _ = writeln!(out, "- **{}** — {}", inline(&stop.id), inline(&stop.description));
    }
    if !mission.escalation_triggers.is_empty() {
        out.push_str("\n## ESCALATION_TRIGGERS\n\n");
        for trigger in &mission.escalation_triggers {
            escalation_trigger(&mut out, trigger);
        }
    }
    let handoff = &mission.handoff_recipients;
    out.push_str("\n## HANDOFF_RECIPIENTS\n\n");
    let _ = writeln!(out, "- **primary:** {}", inline(&handoff.primary));
    let _ = writeln!(out, "- **fallback:** {}", inline(&handoff.fallback));
    out
}

/// A decision target that itself looks like a sub-question's line, or like the lead to a list, is
/// written as a code block, which is text and nothing else.
fn unlabelled(text: &str) -> String {
    if text.trim_start_matches(['*', '_', '`', '[', ' ']).to_uppercase().starts_with("DT-") || text.ends_with(':') {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        return format!("{fence}text\n{text}\n{fence}");
    }
    inline(text)
}

fn sub_question(out: &mut String, question: &SubQuestion) {
    let _ = writeln!(out, "- **{}** — {}", question.id, inline(&question.text));
    if !question.scope.is_empty() {
        let globs: Vec<String> = question.scope.iter().map(|glob| code(glob)).collect();
        let _ = writeln!(out, "  - scope: {}", globs.join(", "));
    } else if closing_detail(&question.text).is_some() {
        // The text ends as if it named a scope; this says that it does not.
        out.push_str("  - scope: none\n");
    }
    if !question.depends_on.is_empty() {
        let ids: Vec<String> = question.depends_on.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "  - depends_on: {}", ids.join(", "));
    }
}

fn globs(out: &mut String, name: &str, globs: &[String]) {
    let _ = writeln!(out, "```{name}");
    for glob in globs {
        // What a line cannot hold as it is, or what the reader takes for a mark, is a JSON string.
        let plain = glob.trim() == glob
            && !glob.starts_with(['#', '!', '"', '-', '`', '~'])
            && !glob.contains(['`', '|'])
            && !glob.chars().any(atlas_artifact::refusal::is_unprintable);
        if plain {
            out.push_str(glob);
        } else {
            push_json(out, glob);
        }
        out.push('\n');
    }
    out.push_str("```\n");
}

fn escalation_trigger(out: &mut String, trigger: &EscalationTrigger) {
    let kind = match trigger.kind {
        TriggerKind::PathGlob => "path_glob",
        TriggerKind::SymbolRegex => "symbol_regex",
        TriggerKind::SqlTable => "sql_table",
        TriggerKind::Custom => "custom",
    };
    let action = match trigger.action {
        TriggerAction::Halt => "halt",
        TriggerAction::Annotate => "annotate",
        TriggerAction::ContinueWithFlag => "continue-with-flag",
    };
    let _ = writeln!(out, "- **{}** — {kind} {} → {action}", inline(&trigger.id), quoted(&trigger.pattern));
}
