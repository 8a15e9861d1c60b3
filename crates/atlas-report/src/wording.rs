//! How a claim is worded by its tier (contract §13): `H` states, `M` says "by one inference", `L`
//! says "possibly"; a claim in dispute never stands alone.

use crate::text::next_mark;
use atlas_artifact::findings::FindingsGap;
use atlas_artifact::{DtId, Finding, GapReason, RejectReason, SkipReason, Tier};

/// The finding as a sentence without its citation. What it says beyond the tier's words is its claim.
#[must_use]
pub fn worded(finding: &Finding) -> String {
    let claim = finding.claim.split_whitespace().collect::<Vec<_>>().join(" ");
    if finding.disputed {
        // A finding disputed by another group keeps its own claim; it is marked here as well.
        let claim = claim.strip_prefix("[DISPUTED]").unwrap_or(&claim);
        let claim = unmarked(claim.trim_start());
        // Both sides are one sentence: neither may look stated on its own.
        let sides: Vec<&str> = claim.split(" ⟂ ").map(|side| side.trim_end_matches(['.', '!', '?'])).collect();
        return format!("[DISPUTED] {}.", sides.join(" ⟂ "));
    }
    let claim = unmarked(&claim);
    match finding.confidence {
        Tier::H => claim,
        Tier::M => format!("By one inference: {claim}"),
        Tier::L => format!("Possibly: {claim}"),
    }
}

/// A claim in which what looks like a citation or a mark of dispute cites and marks nothing.
fn unmarked(claim: &str) -> String {
    let mut out = String::with_capacity(claim.len());
    let mut rest = claim;
    while let Some((before, mark, after)) = next_mark(rest) {
        out.push_str(before);
        out.push('(');
        out.push_str(&mark[1..mark.len() - 1]);
        out.push(')');
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A tier in a word.
#[must_use]
pub fn tier_word(tier: Tier) -> &'static str {
    match tier {
        Tier::H => "established",
        Tier::M => "by one inference",
        Tier::L => "possible",
    }
}

/// Why a gap is one, in a few words.
#[must_use]
pub fn gap_reason(gap: &FindingsGap) -> String {
    match (gap.reason, gap.origin.branch_id) {
        (Some(reason), _) => match reason {
            GapReason::Disputed => "a finding for it is disputed",
            GapReason::OnlyLow => "only possible findings",
            GapReason::RejectedEvidence => "evidence was rejected",
            GapReason::Deadline => "the deadline passed",
            GapReason::Budget => "the budget was spent",
            GapReason::BranchFailed => "its branch failed",
            GapReason::Empty => "nothing was found",
        }
        .to_owned(),
        (None, Some(branch)) => format!("not found by branch {branch}"),
        (None, None) => "not found".to_owned(),
    }
}

/// The sub-question of a gap; none if the gap names none.
#[must_use]
pub fn gap_dt(gap: &FindingsGap) -> Option<DtId> {
    DtId::leading(&gap.sub_question)
}

/// Whether a finding supports a sub-question, first or also.
#[must_use]
pub fn supports(finding: &Finding, dt: DtId) -> bool {
    finding.supports_decision == dt || finding.also_supports.contains(&dt)
}

/// The contract's word for why a file was skipped or not fully parsed.
#[must_use]
pub fn skip_reason(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::NoGrammar => "no-grammar",
        SkipReason::SyntaxError => "syntax-error",
        SkipReason::Binary => "binary",
        SkipReason::TooLarge => "too-large",
        SkipReason::NotUtf8 => "not-utf8",
        SkipReason::Generated => "generated",
        SkipReason::Vendored => "vendored",
        SkipReason::Unreadable => "unreadable",
    }
}

/// The contract's word for why a finding was rejected.
#[must_use]
pub fn reject_reason(reason: RejectReason) -> &'static str {
    match reason {
        RejectReason::Schema => "schema",
        RejectReason::Path => "path",
        RejectReason::Lines => "lines",
        RejectReason::Excerpt => "excerpt",
    }
}

/// `1 finding`, `2 findings`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A number with a comma between its thousands.
#[must_use]
pub fn thousands(number: u64) -> String {
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
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!((count(1, "gap"), count(0, "gap")), ("1 gap".to_owned(), "0 gaps".to_owned()));
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
