//! `scout-report.md`.

use crate::text::{cited, inline, verbatim};
use atlas_artifact::Report;
use std::fmt::Write as _;

/// The report. Its size in tokens is the size of this text.
#[must_use]
pub fn report_md(report: &Report) -> String {
    let mut out = format!("# Scout report {}\n\n## Recap\n\nGoal:\n\n", report.mission_id);
    out.push_str(&verbatim(&report.recap.goal));
    out.push_str("\nDecision target:\n\n");
    out.push_str(&verbatim(&report.recap.decision_target));
    bullets(&mut out, "Topology", &report.topology);
    out.push_str("\n## Answers\n");
    for answer in &report.answers {
        let _ = write!(out, "\n### {}", inline(&answer.sub_question));
        if !answer.text.is_empty() {
            let _ = write!(out, " — {}", inline(&answer.text));
        }
        out.push_str("\n\n");
        for sentence in &answer.sentences {
            let _ = writeln!(out, "- {}", cited(sentence));
        }
    }
    if !report.next_actions.is_empty() {
        out.push_str("\n## Next actions\n\n");
    }
    for action in &report.next_actions {
        let cites: String = action.cites.iter().map(|id| format!(" [{id}]")).collect();
        let _ = writeln!(
            out,
            "{}. {}{} → {}",
            action.rank,
            cited(action.action.trim_end_matches('.')),
            cited(&cites),
            inline(&action.to)
        );
    }
    bullets(&mut out, "Risks and gaps", &report.risks_and_gaps);
    let _ = write!(out, "\n## Telemetry\n\n`{}`\n", report.telemetry);
    let handoff = &report.handoff;
    out.push_str("\n## Handoff\n\n");
    let _ = writeln!(out, "- primary: {}", inline(&handoff.primary));
    let _ = writeln!(out, "- fallback: {}", inline(&handoff.fallback));
    let artifacts: Vec<String> = handoff.artifacts.iter().map(|name| inline(name)).collect();
    let _ = writeln!(out, "- artifacts: {}", artifacts.join(", "));
    out
}

fn bullets(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = write!(out, "\n## {title}\n\n");
    for line in lines {
        let _ = writeln!(out, "- {}", cited(line));
    }
}
