//! Facts become findings, silence becomes a gap.

use crate::ProbeInput;
use crate::facts::Fact;
use atlas_artifact::limits::{CLAIM_CHARS, PROBER_FINDINGS};
use atlas_artifact::{BranchReturn, Evidence, RawFinding, RawGap, ReturnTelemetry, Strike, Tier};
use atlas_tools::Spent;

/// Findings of tier L are worth reading only while there is little else.
const WEAK_MAX: usize = 3;
/// Findings that one branch hands in. Below the contract's bound, because every finding and anchor
/// of every branch must fit one fold.
const FINDINGS: usize = 8;
const _: () = assert!(FINDINGS <= PROBER_FINDINGS);

pub(crate) fn assemble(
    input: &ProbeInput<'_>,
    mut facts: Vec<Fact>,
    strikes: Vec<Strike>,
    mut ruled_out: Vec<String>,
    exhausted: bool,
    spent: Spent,
) -> BranchReturn {
    facts.sort_by(|a, b| {
        b.weight.total_cmp(&a.weight).then_with(|| a.anchors.cmp(&b.anchors)).then_with(|| a.claim.cmp(&b.claim))
    });
    let answered = facts.iter().any(|fact| fact.tier >= Tier::M);
    let mut weak = 0;
    let mut left_out = 0;
    let mut findings: Vec<RawFinding> = Vec::new();
    for fact in facts {
        if fact.tier == Tier::L {
            weak += 1;
        }
        if findings.len() >= FINDINGS || (fact.tier == Tier::L && (answered || weak > WEAK_MAX)) {
            left_out += 1;
            continue;
        }
        findings.push(finding(input, findings.len() + 1, fact));
    }
    if left_out > 0 {
        ruled_out.push(format!("{left_out} further facts of lesser weight were not listed"));
    }
    let gaps = if answered { Vec::new() } else { vec![gap(input, strikes, exhausted, !findings.is_empty())] };
    BranchReturn {
        branch_id: input.branch_id,
        findings,
        gaps,
        ruled_out,
        telemetry: ReturnTelemetry { tokens_used: spent.tokens, tool_calls: spent.tool_calls },
    }
}

fn finding(input: &ProbeInput<'_>, number: usize, fact: Fact) -> RawFinding {
    let ruled_out = if fact.further > 0 {
        vec![format!("{} further sites of the same fact were counted and not listed", fact.further)]
    } else {
        Vec::new()
    };
    RawFinding {
        id: format!("FINDING-{number:03}"),
        claim: bounded(fact.claim),
        assertion: fact.assertion,
        evidence: fact
            .anchors
            .into_iter()
            .map(|(path, start, end)| Evidence { path, lines: format!("{start}-{end}"), excerpt_ref: None })
            .collect(),
        ruled_out,
        confidence: fact.tier,
        supports_decision: input.supports_decision,
    }
}

/// A claim of 10–500 characters: names in code can be longer than any sentence.
fn bounded(claim: String) -> String {
    let max = *CLAIM_CHARS.end();
    match claim.char_indices().nth(max - 1) {
        Some((at, _)) if claim.chars().count() > max => format!("{}…", &claim[..at]),
        _ => claim,
    }
}

fn gap(input: &ProbeInput<'_>, mut strikes: Vec<Strike>, exhausted: bool, weak: bool) -> RawGap {
    if exhausted {
        strikes.push(Strike { probe: "next probe".to_owned(), result: "BUDGET_EXHAUSTED".to_owned() });
    }
    if strikes.is_empty() {
        strikes.push(Strike {
            probe: "symbol, graph and text probes".to_owned(),
            result: if weak { "only weak matches" } else { "no match in this scope" }.to_owned(),
        });
    }
    let what = if weak { "only weak matches in this scope" } else { "nothing in this scope answers it" };
    RawGap {
        id: "GAP-001".to_owned(),
        sub_question: format!("{} — {what}", input.supports_decision),
        strikes,
        working_hypothesis: None,
        escalate_to: "human".to_owned(),
    }
}
