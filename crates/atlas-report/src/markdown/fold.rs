//! `fold.md`.

use crate::text::{cited, code, inline};
use atlas_artifact::limits::FOLD_TOKENS;
use atlas_artifact::{Fold, FoldEntry, FoldOutcome, tokens};
use std::fmt::Write as _;

/// The fold. Its size in tokens is the size of this text.
#[must_use]
pub fn fold_md(outcome: &FoldOutcome) -> String {
    match outcome {
        FoldOutcome::Fits(fold) => {
            let full = render(fold, false);
            if tokens(&full) <= FOLD_TOKENS { full } else { render(fold, true) }
        }
        FoldOutcome::DoesNotFit(not) => format!(
            "# Fold\n\nThe fold does not fit: it would take {} tokens, more than {FOLD_TOKENS}. The mission asks for too \
             much at once; the findings stand in `findings.json`. Ask fewer questions, or narrow their scope.\n",
            not.tokens
        ),
    }
}

/// The sentences of an answer, as the fold shows them.
#[must_use]
pub fn answer_md(answer: &[String]) -> String {
    let mut out = String::new();
    for sentence in answer {
        let _ = writeln!(out, "- {}", cited(sentence));
    }
    out
}

/// In short form, anchors after the first in the same file of an entry are their lines alone.
fn render(fold: &Fold, short: bool) -> String {
    let mut out = format!("# Fold\n\n{}\n\n## Answer\n\n{}", inline(&fold.header), answer_md(&fold.answer));
    out.push_str("\n## Index\n\n| id | tier | anchors |\n| - | - | - |\n");
    for entry in &fold.index {
        let (id, anchors) = (inline(&entry.id), anchors(entry, short));
        let _ = match short {
            true => writeln!(out, "|{id}|{}|{anchors}|", entry.tier),
            false => writeln!(out, "| {id} | {} | {anchors} |", entry.tier),
        };
    }
    list(&mut out, "Gaps", &fold.gaps);
    list(&mut out, "Escalations", &fold.escalations);
    out
}

fn anchors(entry: &FoldEntry, short: bool) -> String {
    let mut out = String::new();
    let mut before = "";
    for anchor in &entry.anchors {
        let (path, lines) = anchor.rsplit_once(':').unwrap_or((anchor, ""));
        if !out.is_empty() {
            out.push(' ');
        }
        if short && path == before {
            let _ = write!(out, ":{lines}");
        } else {
            out.push_str(&code(anchor));
        }
        before = path;
    }
    out
}

fn list(out: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = write!(out, "\n## {title}\n\n");
    for entry in entries {
        let _ = writeln!(out, "- {}", inline(entry));
    }
}
