//! What the page and the terminal both show, and how source lines are brought into them.

use crate::wording::{gap_dt, supports};
use atlas_artifact::findings::FindingsGap;
use atlas_artifact::{Anchor, BranchId, DtId, Finding, Findings, Map, Mission, Plan, Tier};
use atlas_tree::Lines;

/// A mission's results, for people.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub mission: &'a Mission,
    pub map: &'a Map,
    pub plan: Option<&'a Plan>,
    pub findings: &'a Findings,
    /// In branch order; empty if nobody kept them.
    pub branches: &'a [BranchOutcome],
    /// The bytes of an anchor's lines; none if they cannot be had any more.
    pub excerpt: &'a dyn Fn(&Anchor) -> Option<Vec<u8>>,
}

/// How a branch, or the parent's serial part, ended. No durations: they differ between equal runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchOutcome {
    pub branch_id: BranchId,
    /// What ran it: `prober`, `model`, `agent`, `host`.
    pub kind: String,
    /// How it ended, in a word or two: `returned`, `crashed`, `past the deadline`.
    pub ended: String,
    /// Whether it ended as it should.
    pub well: bool,
    pub tool_calls: u64,
    pub tokens_used: u64,
    pub findings: u64,
    pub gaps: u64,
}

/// What became of a sub-question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It has an undisputed finding of tier M or H.
    Answered,
    Disputed,
    /// Only findings of tier L.
    PossibleOnly,
    /// Only a gap, or nothing.
    Open,
}

impl Status {
    #[must_use]
    pub fn of(findings: &Findings, dt: DtId) -> Self {
        let mut status = Self::Open;
        for finding in findings.findings.iter().filter(|finding| supports(finding, dt)) {
            match (finding.disputed, finding.confidence >= Tier::M) {
                (false, true) => return Self::Answered,
                (true, _) => status = Self::Disputed,
                (false, false) if status == Self::Open => status = Self::PossibleOnly,
                (false, false) => {}
            }
        }
        status
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Disputed => "disputed",
            Self::PossibleOnly => "possible only",
            Self::Open => "not answered",
        }
    }
}

/// The findings told under a sub-question: its own, the best first.
#[must_use]
pub(crate) fn told_under(findings: &Findings, dt: DtId) -> Vec<&Finding> {
    let mut own: Vec<&Finding> = findings.findings.iter().filter(|finding| finding.supports_decision == dt).collect();
    own.sort_by_key(|finding| (finding.disputed, std::cmp::Reverse(finding.confidence)));
    own
}

/// The findings of other sub-questions that support this one too.
#[must_use]
pub(crate) fn told_elsewhere(findings: &Findings, dt: DtId) -> Vec<&Finding> {
    findings.findings.iter().filter(|finding| finding.also_supports.contains(&dt)).collect()
}

#[must_use]
pub(crate) fn gaps_of(findings: &Findings, dt: DtId) -> Vec<&FindingsGap> {
    findings.gaps.iter().filter(|gap| gap_dt(gap) == Some(dt)).collect()
}

/// Numbered source lines, cut at their bounds; what is cut is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub lines: Vec<SourceLine>,
    pub more_lines: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceLine {
    pub number: u32,
    /// Without its line end; bytes that are no UTF-8 are U+FFFD. Not yet escaped for anything.
    pub text: String,
    pub more_chars: usize,
}

/// The lines of an anchor; none if there are no bytes for it.
pub(crate) fn source(view: &View<'_>, anchor: &Anchor, lines_max: usize, chars_max: usize) -> Option<Source> {
    let bytes = (view.excerpt)(anchor)?;
    let start = Lines::parse(&anchor.lines).ok()?.start();
    let body = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let all = body.split(|byte| *byte == b'\n').count();
    let lines = body
        .split(|byte| *byte == b'\n')
        .take(lines_max)
        .zip(start..)
        .map(|(line, number)| {
            // A line is cut before it is decoded: it may have megabytes. No character has over four bytes.
            let head = &line[..line.len().min(chars_max * 4)];
            let text = String::from_utf8_lossy(head.strip_suffix(b"\r").unwrap_or(head)).into_owned();
            let cut: String = text.chars().take(chars_max).collect();
            let more_chars = if cut.len() < text.len() || head.len() < line.len() {
                line.len() - cut.len().min(line.len())
            } else {
                0
            };
            SourceLine { number, text: cut, more_chars }
        })
        .collect();
    Some(Source { lines, more_lines: all.saturating_sub(lines_max) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], lines: &str, lines_max: usize, chars_max: usize) -> Option<Source> {
        let anchor = Anchor { path: "a".into(), lines: lines.into(), excerpt_ref: String::new() };
        let bytes = bytes.to_vec();
        let excerpt = move |_: &Anchor| Some(bytes.clone());
        let mission: Mission = serde_json::from_value(serde_json::json!({
            "mission_id": "20260101-001", "created": "", "goal": "", "decision_target": "", "sub_questions": [],
            "scope": {"include": []}, "handoff_recipients": {"primary": "", "fallback": ""},
            "budget": {"max_tool_calls": 1, "max_tokens_input": 1, "max_wall_clock_s": 1, "max_subagents": 1, "max_recursion_depth": 1}
        }))
        .unwrap();
        let map: Map = serde_json::from_value(serde_json::json!({
            "mission_id": "20260101-001", "commit": null, "roots": [], "modules": [], "heat": [], "gaps": [],
            "analyses": "", "graph": {"nodes": [], "edges": [], "unresolved": 0, "file_graph": {"files": [], "edges": []}}
        }))
        .unwrap();
        let findings: Findings = serde_json::from_value(serde_json::json!({
            "mission_id": "20260101-001", "findings": [], "gaps": [], "rejected": [], "ruled_out": [],
            "escalation_log": [], "telemetry": {"branches": 0, "fan_out_ratio": null, "dedup_count": 0, "disputed": 0, "tool_calls": 0}
        }))
        .unwrap();
        let view =
            View { mission: &mission, map: &map, plan: None, findings: &findings, branches: &[], excerpt: &excerpt };
        source(&view, &anchor, lines_max, chars_max)
    }

    #[test]
    fn lines_are_numbered_decoded_and_cut_with_a_count() {
        let line = |number, text: &str, more_chars| SourceLine { number, text: text.into(), more_chars };
        assert_eq!(
            read(b"one\r\nt\xffo\nthree\n", "7-9", 2, 10),
            Some(Source { lines: vec![line(7, "one", 0), line(8, "t\u{fffd}o", 0)], more_lines: 1 })
        );
        assert_eq!(read(b"abcdef", "1", 5, 4), Some(Source { lines: vec![line(1, "abcd", 2)], more_lines: 0 }));
        assert_eq!(read(&[b'x'; 5_000_000], "1-1", 5, 10).unwrap().lines[0].more_chars, 4_999_990);
        assert_eq!(read(b"\n", "4-4", 5, 4), Some(Source { lines: vec![line(4, "", 0)], more_lines: 0 }));
        assert_eq!(read(b"x", "x", 5, 4), None);
    }
}
