//! A group of findings becomes one (contract §10, steps 3 and 4 within the group).

use crate::check::{Accepted, CheckedAnchor, FEW, excerpt_ref, keep_first_of_each};
use crate::conflict::{self, Names, Stated, WordHints};
use atlas_artifact::limits::VIEW_LINES;
use atlas_artifact::{Also, Anchor, Dispute, DtId, Finding, FollowUp, Origin, Tier};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A finding that has no number yet.
#[derive(Debug)]
pub struct Draft {
    pub finding: Finding,
    /// What it is sorted by: lowest sub-question that any member supports, primary path, start
    /// line, lowest key.
    pub rank: (DtId, String, u32, u32),
    /// Of all members.
    pub stated: Vec<Stated>,
}

/// One draft for each group. Groups hold indices into `accepted`, ascending, which is key order.
pub fn merge(accepted: Vec<Accepted>, groups: Vec<Vec<u32>>, names: &Names) -> Vec<Draft> {
    let mut words = WordHints::default();
    let mut accepted: Vec<Option<Accepted>> = accepted.into_iter().map(Some).collect();
    groups
        .into_iter()
        .map(|group| {
            let lowest_key = group[0];
            let members =
                group.into_iter().map(|at| accepted[at as usize].take().expect("a finding is in one group")).collect();
            draft(members, lowest_key, names, &mut words)
        })
        .collect()
}

fn draft(mut members: Vec<Accepted>, lowest_key: u32, names: &Names, words: &mut WordHints) -> Draft {
    // The first of those with the highest tier: `max_by_key` would take the last.
    let lead = (0..members.len()).rev().max_by_key(|at| members[*at].tier).expect("a group has members");
    let dispute = conflict::first_pair(&members, names, words);
    let mut notes = notes(&members, lead);
    if conflict::too_many_to_compare(&members) {
        notes.push(format!(
            "compared: only the first {} distinct claims were compared with each other by words",
            conflict::WORDED_CLAIMS_MAX
        ));
    }
    let evidence = evidence(&members, lead);
    let primary = members[lead].anchors[0].clone();

    let mut supported: BTreeSet<DtId> = members.iter().map(|member| member.supports).collect();
    let lowest_dt = *supported.first().expect("a group has members");
    supported.remove(&members[lead].supports);

    let mut ruled_out: Vec<String> =
        members.iter_mut().flat_map(|member| std::mem::take(&mut member.ruled_out)).collect();
    keep_first_of_each(&mut ruled_out);

    let mut finding = Finding {
        id: String::new(),
        claim: members[lead].claim.clone(),
        assertion: members[lead].assertion.clone(),
        also: Vec::new(),
        evidence,
        ruled_out,
        confidence: members[lead].tier,
        supports_decision: members[lead].supports,
        also_supports: supported.into_iter().collect(),
        origin: members.iter().map(origin).collect(),
        disputed: false,
        claims: Vec::new(),
        disputed_with: Vec::new(),
        follow_up: None,
        notes,
        disputes: Vec::new(),
        delta: None,
    };
    let stated = members.iter().filter_map(|member| member.stated).collect();
    match dispute {
        None => {
            let kept = finding.claim.clone();
            finding.also = distinct_claims(members, Some(&kept));
        }
        Some((a, b, verdict)) => {
            let (a, b) = (members[a].claim.clone(), members[b].claim.clone());
            finding.disputed = true;
            finding.confidence = Tier::L;
            finding.claim = format!("[DISPUTED] {a} ⟂ {b}");
            finding.follow_up = Some(look_again(&primary, &a, &b));
            finding.claims = distinct_claims(members, None);
            finding.disputes.push(Dispute { a, b, rule: verdict.rule.to_owned(), because: verdict.because });
        }
    }
    let rank = (lowest_dt, primary.path.to_string(), primary.lines.start(), lowest_key);
    Draft { finding, rank, stated }
}

fn origin(member: &Accepted) -> Origin {
    Origin { branch_id: member.branch, id: member.id.clone() }
}

/// Claims distinct by text, each with the tier and origin of its lowest key, but for `without`.
fn distinct_claims(members: Vec<Accepted>, without: Option<&str>) -> Vec<Also> {
    let mut out: Vec<Also> = Vec::new();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let many = members.len() > FEW;
    for member in members.into_iter().filter(|member| without != Some(member.claim.as_str())) {
        let known =
            if many { !seen.insert(member.claim.clone()) } else { out.iter().any(|also| also.text == member.claim) };
        if !known {
            out.push(Also { origin: origin(&member), text: member.claim, confidence: member.tier });
        }
    }
    out
}

/// The union of anchors: the representative's first one, then the rest in order.
fn evidence(members: &[Accepted], lead: usize) -> Vec<Anchor> {
    let first = &members[lead].anchors[0];
    let mut rest: Vec<&CheckedAnchor> =
        members.iter().flat_map(|member| &member.anchors).filter(|anchor| *anchor != first).collect();
    rest.sort_unstable();
    rest.dedup();
    std::iter::once(first)
        .chain(rest)
        .map(|anchor| Anchor {
            path: anchor.path.to_string(),
            lines: anchor.lines.to_string(),
            excerpt_ref: excerpt_ref(anchor.digest),
        })
        .collect()
}

/// The representative's notes; those of others say whose they are, unless they say the same.
fn notes(members: &[Accepted], lead: usize) -> Vec<String> {
    let mut notes = members[lead].notes.clone();
    let others = members.iter().enumerate().filter(|(at, member)| *at != lead && !member.notes.is_empty());
    for (_, member) in others {
        for note in member.notes.iter().filter(|note| !members[lead].notes.contains(note)) {
            let claim_is_kept = member.claim == members[lead].claim;
            notes.push(if claim_is_kept {
                note.clone()
            } else {
                format!("{note} (branch {} {})", member.branch, member.id)
            });
        }
    }
    keep_first_of_each(&mut notes);
    notes
}

/// Proposes to read the primary anchor again.
fn look_again(primary: &CheckedAnchor, a: &str, b: &str) -> FollowUp {
    let (start, end) = (primary.lines.start(), primary.lines.end());
    let end = end.min(start.saturating_add(VIEW_LINES - 1));
    let arguments = serde_json::json!({"path": primary.path.as_str(), "start_line": start, "end_line": end});
    FollowUp { probe: format!("view_file {arguments}"), question: format!("Which holds: \"{a}\" or \"{b}\"?") }
}
