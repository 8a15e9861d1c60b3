//! Global numbers, and disputes between findings of different groups (contract §10, steps 4 and 5).

use crate::conflict::{self, Names, Stated};
use crate::merge::Draft;
use atlas_artifact::{Dispute, Finding, FollowUp, Tier};
use std::collections::BTreeMap;

/// Pairs of findings in dispute that are listed, over all findings; what is left out is noted.
const DISPUTED_PAIRS_MAX: usize = 2_000_000;
/// Disputes of one finding that are explained.
const EXPLAINED_MAX: usize = 8;

/// Sorts drafts, numbers them `FINDING-001`…, and marks those that "only" claims set against each
/// other.
pub fn number(mut drafts: Vec<Draft>, names: &Names) -> Vec<Finding> {
    drafts.sort_by(|a, b| a.rank.cmp(&b.rank));
    let stated: Vec<&[Stated]> = drafts.iter().map(|draft| draft.stated.as_slice()).collect();
    let across = conflict::across(&stated, names, DISPUTED_PAIRS_MAX);

    for (at, draft) in drafts.iter_mut().enumerate() {
        draft.finding.id = finding_id(at);
    }
    let claims: BTreeMap<u32, String> =
        across.disputed.iter().map(|at| (*at, drafts[*at as usize].finding.claim.clone())).collect();
    for &at in &across.disputed {
        let draft = &mut drafts[at as usize];
        let finding = &mut draft.finding;
        finding.disputed = true;
        finding.confidence = Tier::L;
        for (&(_, other), verdict) in across.partners.range((at, 0)..=(at, u32::MAX)) {
            finding.disputed_with.push(finding_id(other as usize));
            if finding.disputed_with.len() <= EXPLAINED_MAX {
                let (a, b) = (claims[&at].clone(), claims[&other].clone());
                finding.disputes.push(Dispute {
                    a,
                    b,
                    rule: verdict.rule.to_owned(),
                    because: verdict.because.clone(),
                });
            }
        }
        if across.cut {
            finding
                .notes
                .push("disputed_with: more findings may be in dispute with this one than are listed".to_owned());
        }
        if finding.follow_up.is_none() {
            let exclusive = draft.stated.iter().find(|one| one.polarity && one.exclusive);
            finding.follow_up = exclusive.or(draft.stated.first()).map(|stated| who_else(stated, names));
        }
    }
    drafts.into_iter().map(|draft| draft.finding).collect()
}

/// `FINDING-001` for the first.
fn finding_id(at: usize) -> String {
    format!("FINDING-{:03}", at + 1)
}

/// Proposes to ask the graph for everything that stands in the relation.
fn who_else(stated: &Stated, names: &Names) -> FollowUp {
    let (relation, object) = (names.text(stated.relation), names.text(stated.object));
    let verb = match relation {
        "writes" | "write" => "writers_to",
        "reads" | "read" => "readers_of",
        "calls" | "call" => "callers_of",
        "implements" | "implement" => "implementers_of",
        "inherits" | "inherit" | "extends" => "subclasses_of",
        "imports" | "import" => "importers_of",
        _ => "definitions_of",
    };
    let arguments = serde_json::json!({ "query": format!("{verb}: {object}") });
    FollowUp { probe: format!("graph_query {arguments}"), question: format!("What {relation} `{object}`?") }
}
