//! Findings beside their source lines, and disputes side by side.

use super::escape::{code, rich, text};
use super::link;
use crate::view::{View, source};
use crate::wording::tier_word;
use atlas_artifact::{Anchor, Finding, Tier};
use std::fmt::Write as _;

/// Anchors of one finding that are shown with their lines; the others are named.
const SHOWN_ANCHORS_MAX: usize = 8;
/// Lines of one excerpt, and characters of one line, that are shown.
const LINES_MAX: usize = 40;
const CHARS_MAX: usize = 400;

pub(super) fn finding(out: &mut String, view: &View<'_>, finding: &Finding) {
    let id = text(&finding.id);
    let _ = writeln!(
        out,
        "<article class=\"finding\" id=\"{id}\"><div class=\"top\">{}<span class=\"id\">{id}</span>{}</div>",
        tier(finding.confidence, finding.disputed),
        finding
            .delta
            .as_ref()
            .map(|delta| format!("<span class=\"chip\">{} at {}</span>", text(&delta.label), text(&delta.commit)))
            .unwrap_or_default()
    );
    if finding.claims.is_empty() {
        let _ = writeln!(out, "<p class=\"claim\">{}</p>", rich(&finding.claim));
    } else {
        sides(out, finding);
    }
    let (shown, named) = finding.evidence.split_at(finding.evidence.len().min(SHOWN_ANCHORS_MAX));
    if let Some((primary, rest)) = shown.split_first() {
        figure(out, view, primary);
        if !rest.is_empty() {
            let _ =
                writeln!(out, "<details><summary>{} more anchored here</summary>", places(rest.len() + named.len()));
            for anchor in rest {
                figure(out, view, anchor);
            }
            if !named.is_empty() {
                let list: Vec<String> = named.iter().map(place).collect();
                let _ = writeln!(out, "<p class=\"meta\">{}</p>", list.join(" · "));
            }
            out.push_str("</details>\n");
        }
    }
    remarks(out, finding);
    out.push_str("</article>\n");
}

/// Every finding in dispute, each side beside the other.
pub(super) fn disputes(out: &mut String, view: &View<'_>) {
    out.push_str("<section id=\"disputes\" aria-labelledby=\"h-disputes\"><h2 id=\"h-disputes\">Disputes</h2>\n<p>No side is taken: both claims are kept until a probe settles them.</p>\n");
    let all = &view.findings.findings;
    for finding in all.iter().filter(|finding| finding.disputed) {
        // A dispute between findings is shown once, at the first of them.
        let others: Vec<&Finding> =
            finding.disputed_with.iter().filter_map(|id| all.iter().find(|other| other.id == *id)).collect();
        if finding.claims.is_empty() && others.iter().any(|other| other.id < finding.id) {
            continue;
        }
        let _ = writeln!(out, "<div class=\"card\"><h3>{}</h3>", link(&finding.id));
        if !finding.claims.is_empty() {
            sides(out, finding);
            if let Some(primary) = finding.evidence.first() {
                figure(out, view, primary);
            }
        }
        if !others.is_empty() {
            out.push_str("<div class=\"sides\">");
            for side in std::iter::once(&finding).chain(&others) {
                let _ = write!(
                    out,
                    "<div class=\"side\"><p class=\"meta\">{} · {}</p><p>{}</p>",
                    link(&side.id),
                    text(&origins(side)),
                    rich(&side.claim)
                );
                if let Some(primary) = side.evidence.first() {
                    figure(out, view, primary);
                }
                out.push_str("</div>");
            }
            out.push_str("</div>\n");
        }
        for dispute in &finding.disputes {
            let _ =
                writeln!(out, "<p class=\"meta\">Rule <b>{}</b>: {}</p>", text(&dispute.rule), rich(&dispute.because));
        }
        if let Some(follow_up) = &finding.follow_up {
            let _ = writeln!(
                out,
                "<p class=\"meta\">Would be settled by {}: {}</p>",
                code(&follow_up.probe),
                rich(&follow_up.question)
            );
        }
        out.push_str("</div>\n");
    }
    out.push_str("</section>\n");
}

/// The claims of a group in dispute.
fn sides(out: &mut String, finding: &Finding) {
    out.push_str("<div class=\"sides\">");
    for claim in &finding.claims {
        let _ = write!(
            out,
            "<div class=\"side\"><p class=\"meta\">branch {}, {} · handed in as {}</p><p>{}</p></div>",
            claim.origin.branch_id,
            text(&claim.origin.id),
            claim.confidence,
            rich(&claim.text)
        );
    }
    out.push_str("</div>\n");
}

fn remarks(out: &mut String, finding: &Finding) {
    let mut lines = Vec::new();
    for also in &finding.also {
        lines.push(format!("Also said (branch {}, {}): {}", also.origin.branch_id, also.confidence, rich(&also.text)));
    }
    if !finding.also_supports.is_empty() {
        let ids: Vec<String> = finding.also_supports.iter().map(|id| format!("<a href=\"#{id}\">{id}</a>")).collect();
        lines.push(format!("Supports {} too", ids.join(", ")));
    }
    if !finding.disputed_with.is_empty() {
        let ids: Vec<String> = finding.disputed_with.iter().map(|id| link(id)).collect();
        lines.push(format!("Disputed with {}", ids.join(", ")));
    }
    lines.extend(finding.notes.iter().map(|note| format!("Note: {}", rich(note))));
    lines.extend(finding.ruled_out.iter().map(|out| format!("Ruled out: {}", rich(out))));
    lines.push(format!("Found by {}", text(&origins(finding))));
    let items: String = lines.iter().map(|line| format!("<li>{line}</li>")).collect();
    let _ = writeln!(out, "<ul class=\"meta\">{items}</ul>");
}

fn origins(finding: &Finding) -> String {
    let list: Vec<String> =
        finding.origin.iter().map(|origin| format!("branch {} ({})", origin.branch_id, origin.id)).collect();
    list.join(", ")
}

pub(super) fn tier(tier: Tier, disputed: bool) -> String {
    if disputed {
        return "<span class=\"chip disputed\">L · in dispute</span>".to_owned();
    }
    format!("<span class=\"chip {tier}\">{tier} · {}</span>", tier_word(tier))
}

fn figure(out: &mut String, view: &View<'_>, anchor: &Anchor) {
    let _ = write!(out, "<figure><figcaption>{}</figcaption>", place(anchor));
    let Some(source) = source(view, anchor, LINES_MAX, CHARS_MAX) else {
        out.push_str("<p class=\"cut\">The lines are not there any more.</p></figure>\n");
        return;
    };
    let label = text(&format!("{} lines {}", anchor.path, anchor.lines));
    let _ = write!(out, "<pre tabindex=\"0\" aria-label=\"{label}\">");
    for line in &source.lines {
        let more = if line.more_chars > 0 {
            format!(" <i>… {} more characters</i>", line.more_chars)
        } else {
            String::new()
        };
        let _ = write!(out, "<code data-n=\"{}\">{}{more}\n</code>", line.number, text(&line.text));
    }
    out.push_str("</pre>");
    if source.more_lines > 0 {
        let _ = write!(out, "<p class=\"cut\">… {} more lines</p>", source.more_lines);
    }
    out.push_str("</figure>\n");
}

fn place(anchor: &Anchor) -> String {
    code(&format!("{}:{}", anchor.path, anchor.lines))
}

fn places(number: usize) -> String {
    if number == 1 { "1 place".to_owned() } else { format!("{number} places") }
}
