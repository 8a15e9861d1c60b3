//! `findings.md`.

use super::table;
use crate::text::{cited, code, inline};
use crate::wording::{gap_reason, reject_reason, tier_word};
use atlas_artifact::findings::{FindingsGap, InvalidReturn};
use atlas_artifact::{Also, Finding, Findings};
use std::fmt::Write as _;

/// Every finding, gap, rejection, escalation and promise.
#[must_use]
pub fn findings_md(findings: &Findings) -> String {
    let mut out = format!("# Findings of mission {}\n\n`{}`\n", findings.mission_id, findings.telemetry.line());
    for finding in &findings.findings {
        finding_md(&mut out, finding);
    }
    if !findings.gaps.is_empty() {
        out.push_str("\n## Gaps\n");
    }
    for gap in &findings.gaps {
        gap_md(&mut out, gap);
    }
    section(&mut out, "Ruled out", findings.ruled_out.iter().map(|text| inline(text)));
    section(
        &mut out,
        "Escalations",
        findings.escalation_log.iter().map(|fired| {
            let branch = fired.branch_id.map_or_else(|| "the parent".to_owned(), |id| format!("branch {id}"));
            format!("**{}** by {branch}: {} in {}", inline(&fired.trigger), code(&fired.matched), code(&fired.probe))
        }),
    );
    if !findings.rejected.is_empty() {
        let _ = write!(out, "\n## Rejected ({})\n\n", findings.rejected.len());
        let rows = findings.rejected.iter().map(|rejected| {
            let reason = reject_reason(rejected.reason);
            vec![rejected.branch_id.to_string(), inline(&rejected.id), reason.to_owned(), inline(&rejected.detail)]
        });
        table(&mut out, &["branch", "id", "reason", "detail"], rows, "findings.json");
    }
    section(&mut out, "Invalid returns", findings.telemetry.invalid_returns.iter().map(invalid));
    section(&mut out, "Advice", findings.telemetry.advice.iter().map(|text| inline(text)));
    if let Some(terms) = &findings.telemetry.fan_out_terms {
        let _ = write!(out, "\nfan_out_ratio: {}\n", inline(terms));
    }
    section(
        &mut out,
        "Exit gate",
        findings.exit_gate.iter().map(|item| {
            format!(
                "{} — {}: {}",
                if item.pass { "pass" } else { "**FAIL**" },
                inline(&item.item),
                inline(&item.evidence)
            )
        }),
    );
    out
}

fn finding_md(out: &mut String, finding: &Finding) {
    let also: Vec<String> = finding.also_supports.iter().map(ToString::to_string).collect();
    let also = if also.is_empty() { String::new() } else { format!(", also {}", also.join(", ")) };
    let _ = write!(
        out,
        "\n## {} — {} ({}), {}{also}\n\n{}\n\n",
        inline(&finding.id),
        finding.confidence,
        if finding.disputed { "disputed" } else { tier_word(finding.confidence) },
        finding.supports_decision,
        cited(&finding.claim),
    );
    for anchor in &finding.evidence {
        let _ =
            writeln!(out, "- {} · {}", code(&format!("{}:{}", anchor.path, anchor.lines)), code(&anchor.excerpt_ref));
    }
    if let Some(delta) = &finding.delta {
        let _ = writeln!(out, "- {} at {}", inline(&delta.label), code(&delta.commit));
    }
    if let Some(assertion) = &finding.assertion {
        let negation = if assertion.polarity { "" } else { "not " };
        let only = if assertion.exclusive { " (only this)" } else { "" };
        let _ = writeln!(
            out,
            "- assertion: {} {negation}{} {}{only}",
            code(&assertion.subject),
            inline(&assertion.relation),
            code(&assertion.object)
        );
    }
    claims(out, "also", &finding.also);
    claims(out, "claim", &finding.claims);
    for dispute in &finding.disputes {
        let _ = writeln!(out, "- dispute by rule {}: {}", inline(&dispute.rule), inline(&dispute.because));
    }
    if !finding.disputed_with.is_empty() {
        let ids: Vec<String> = finding.disputed_with.iter().map(|id| inline(id)).collect();
        let _ = writeln!(out, "- disputed with: {}", ids.join(", "));
    }
    if let Some(follow_up) = &finding.follow_up {
        let _ = writeln!(out, "- follow-up: {} by {}", inline(&follow_up.question), code(&follow_up.probe));
    }
    for text in &finding.ruled_out {
        let _ = writeln!(out, "- ruled out: {}", inline(text));
    }
    for note in &finding.notes {
        let _ = writeln!(out, "- note: {}", inline(note));
    }
    let origin: Vec<String> =
        finding.origin.iter().map(|origin| format!("branch {} {}", origin.branch_id, inline(&origin.id))).collect();
    let _ = writeln!(out, "- origin: {}", origin.join(", "));
}

fn claims(out: &mut String, name: &str, claims: &[Also]) {
    for claim in claims {
        let _ = writeln!(
            out,
            "- {name} ({}, branch {} {}): {}",
            claim.confidence,
            claim.origin.branch_id,
            inline(&claim.origin.id),
            inline(&claim.text)
        );
    }
}

fn gap_md(out: &mut String, gap: &FindingsGap) {
    let words = gap.text.as_deref().unwrap_or(&gap.sub_question);
    let _ = write!(out, "\n### {} — {}\n\n{}\n\n", inline(&gap.id), inline(words), inline(&gap_reason(gap)));
    for strike in &gap.strikes {
        let _ = writeln!(out, "- tried {}: {}", code(&strike.probe), inline(&strike.result));
    }
    if let Some(hypothesis) = &gap.working_hypothesis {
        let _ = writeln!(out, "- working hypothesis, not established: {}", inline(hypothesis));
    }
    let _ = writeln!(out, "- escalate to: {}", inline(&gap.escalate_to));
}

fn invalid(invalid: &InvalidReturn) -> String {
    let branch = invalid.branch_id.map_or_else(|| "unnamed".to_owned(), |id| id.to_string());
    format!("return {} (branch {branch}): {}", invalid.position, inline(&invalid.detail))
}

fn section(out: &mut String, title: &str, lines: impl ExactSizeIterator<Item = String>) {
    if lines.len() == 0 {
        return;
    }
    let _ = write!(out, "\n## {title}\n\n");
    for line in lines {
        let _ = writeln!(out, "- {line}");
    }
}
