//! `report.html`: one self-contained page for people (contract §13).
//!
//! No script, no network, no font or picture from elsewhere; a content security policy allows the
//! page its own style and nothing else. It works from the keyboard alone, in light and dark, and on a
//! narrow screen; colour never says what no word says. Same input, same bytes: it holds no time of
//! its own, no duration and no folder.

mod clusters;
mod escape;
mod findings;
mod work;

use crate::view::{Status, View};
use crate::wording::count;
use atlas_artifact::GateDecision;
use atlas_tree::sha256;
use escape::{base64, code, rich, text};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// The page.
#[must_use]
pub fn report_html(view: &View<'_>) -> String {
    let findings = view.findings;
    let disputed = findings.findings.iter().any(|finding| finding.disputed);
    let mut out = head(view);
    out.push_str("<main id=\"main\">\n");
    answers(&mut out, view);
    if disputed {
        findings::disputes(&mut out, view);
    }
    work::clusters_and_branches(&mut out, view);
    work::gaps(&mut out, view);
    work::ruled_out(&mut out, view);
    work::proof(&mut out, view);
    out.push_str("</main>\n");
    let _ = write!(
        out,
        "<footer><p><code>{}</code></p><p>Made from {} and its sibling artifacts; the JSON files are the truth. \
         Every finding is anchored in source that was read, never changed.</p></footer>\n</body>\n</html>\n",
        text(&findings.telemetry.line()),
        code("findings.json")
    );
    out
}

fn head(view: &View<'_>) -> String {
    let mission = view.mission;
    let findings = view.findings;
    let style_hash = base64(&sha256(STYLE.as_bytes()).0);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{style_hash}'; \
         base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Scout report {}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the answers</a>\n",
        text(mission.mission_id.as_str())
    );
    let commit = view.map.commit.as_deref().map(|commit| format!(" · commit {}", code(commit))).unwrap_or_default();
    let _ = write!(
        out,
        "<header><div class=\"in\"><p class=\"kicker\">Scout report {}{commit} · {}</p><h1>{}</h1><p class=\"lead\">{}</p>\n<ul class=\"stats\">",
        text(mission.mission_id.as_str()),
        text(&mission.created),
        rich(&mission.goal),
        rich(&mission.decision_target)
    );
    let answered =
        mission.sub_questions.iter().filter(|question| Status::of(findings, question.id) == Status::Answered).count();
    let _ = write!(out, "<li><b>{answered}</b> of {} answered</li>", count(mission.sub_questions.len(), "question"));
    let disputed = findings.findings.iter().filter(|finding| finding.disputed).count();
    for (number, noun) in [(findings.findings.len(), "finding"), (disputed, "dispute"), (findings.gaps.len(), "gap")] {
        let plural = if number == 1 { "" } else { "s" };
        let _ = write!(out, "<li><b>{number}</b> {noun}{plural}</li>");
    }
    if let Some(plan) = view.plan {
        let how = match plan.gate.decision {
            GateDecision::Scatter => {
                format!("scattered, branches: <b>{}</b>", plan.branches.len())
            }
            GateDecision::Serial => "one context, in series".to_owned(),
        };
        let _ = write!(out, "<li>{how}</li>");
    }
    out.push_str("</ul></div></header>\n<nav aria-label=\"Sections\"><ul>");
    let disputes = if disputed > 0 { &[("disputes", "Disputes")][..] } else { &[] };
    let rest = [("work", "Clusters and branches"), ("gaps", "Gaps"), ("ruled-out", "Ruled out"), ("proof", "Proof")];
    for (id, name) in [("answers", "Answers")].iter().chain(disputes).chain(&rest) {
        let _ = write!(out, "<li><a href=\"#{id}\">{name}</a></li>");
    }
    out.push_str("</ul></nav>\n");
    out
}

/// Every sub-question with its findings beside their source lines.
fn answers(out: &mut String, view: &View<'_>) {
    out.push_str("<section id=\"answers\" aria-labelledby=\"h-answers\"><h2 id=\"h-answers\">Answers</h2>\n");
    for question in &view.mission.sub_questions {
        let status = Status::of(view.findings, question.id);
        let class = match status {
            Status::Answered => "answered",
            Status::Disputed => "disputed",
            Status::PossibleOnly => "possible",
            Status::Open => "open",
        };
        let _ = writeln!(
            out,
            "<section class=\"card question\" id=\"{0}\"><header><span class=\"id\">{0}</span><h3>{1}</h3><span class=\"chip {class}\">{2}</span></header>",
            question.id,
            rich(&question.text),
            status.word()
        );
        for finding in crate::view::told_under(view.findings, question.id) {
            findings::finding(out, view, finding);
        }
        let elsewhere = crate::view::told_elsewhere(view.findings, question.id);
        if !elsewhere.is_empty() {
            let links: Vec<String> = elsewhere.iter().map(|finding| link(&finding.id)).collect();
            let _ = writeln!(out, "<p class=\"meta\">Supported too by {}.</p>", links.join(", "));
        }
        for gap in crate::view::gaps_of(view.findings, question.id) {
            let _ =
                writeln!(out, "<p class=\"meta\">{}: {}.</p>", link(&gap.id), text(&crate::wording::gap_reason(gap)));
        }
        out.push_str("</section>\n");
    }
    out.push_str("</section>\n");
}

/// A link to a finding or gap of this page.
fn link(id: &str) -> String {
    let id = text(id);
    format!("<a href=\"#{id}\">{id}</a>")
}

/// A region that scrolls sideways, reachable by keyboard.
fn scrolling(label: &str, inner: &str) -> String {
    format!("<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">{inner}</div>\n", text(label))
}
