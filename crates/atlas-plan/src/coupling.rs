//! Which sub-questions hang together (contract §5, Disjoint groups), and why.
//!
//! Deliberately *not* here: how a text refers to another's answer (`anaphora`) and how a footprint
//! comes about.

use crate::anaphora::references;
use crate::fixed::{fixed, rounded};
use crate::footprint::Footprint;
use crate::text::shown;
use atlas_artifact::limits::COUPLING_OVERLAP;
use atlas_artifact::plan::Coupling;
use atlas_artifact::{DtId, SubQuestion};

/// Files named for each coupling, at most.
const FILES_SHOWN: usize = 3;

/// How the sub-questions of a mission hang together.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupled {
    /// Every coupled pair, by (lower DT, higher DT).
    pub couplings: Vec<Coupling>,
    /// The connected components of coupling, each ascending, by lowest DT. A sub-question with an empty
    /// footprint belongs to none, but those that hang together through it do so: who waits for one that
    /// waits for a third waits for the third.
    pub groups: Vec<Vec<DtId>>,
}

/// Finds every coupling. `footprints` may be in any order; a sub-question without one has an empty one.
/// `files` are the surface, by the index that footprints use.
#[must_use]
pub fn couple<P: AsRef<str>>(questions: &[SubQuestion], footprints: &[Footprint], files: &[P]) -> Coupled {
    let texts: Vec<&str> = questions.iter().map(|question| question.text.as_str()).collect();
    let numbers: Vec<u32> = questions.iter().map(|question| question.id.0).collect();
    let referring: Vec<_> = (0..questions.len()).map(|at| references(&texts, &numbers, at)).collect();
    let footprint = |id: DtId| footprints.iter().find(|footprint| footprint.dt() == id && !footprint.is_empty());

    // Pairs by DT number, whatever order the mission lists them in.
    let mut order: Vec<usize> = (0..questions.len()).collect();
    order.sort_by_key(|&at| (questions[at].id, at));
    let mut couplings = Vec::new();
    let mut group: Vec<usize> = (0..questions.len()).collect();
    for (place, &a) in order.iter().enumerate() {
        for &b in &order[place + 1..] {
            let (first, second) = (&questions[a], &questions[b]);
            let mut reasons: Vec<(&str, String)> = Vec::new();
            for (from, to) in [(first, second), (second, first)] {
                if from.depends_on.contains(&to.id) {
                    reasons.push(("depends_on", format!("{} depends on {}", from.id, to.id)));
                }
            }
            for (from, to) in [(a, b), (b, a)] {
                if let Some(reference) = referring[from].iter().find(|reference| reference.to == to) {
                    let (from, to) = (questions[from].id, questions[to].id);
                    reasons.push((
                        "refers",
                        format!("{from} refers to the answer of {to} by `{}`", shown(&reference.words)),
                    ));
                }
            }
            let (overlap, shared) = match (footprint(first.id), footprint(second.id)) {
                (Some(p), Some(q)) => p.overlap(q, FILES_SHOWN),
                _ => (0.0, Vec::new()),
            };
            if fixed(overlap) >= fixed(COUPLING_OVERLAP) {
                let because = format!("their footprints overlap by {overlap:.2}, which is at least {COUPLING_OVERLAP}");
                reasons.push(("overlap", because));
            }
            let Some(rule) = reasons.first().map(|reason| reason.0.to_owned()) else { continue };
            couplings.push(Coupling {
                a: first.id,
                b: second.id,
                rule,
                overlap: rounded(overlap),
                files: shared
                    .iter()
                    .filter_map(|&file| files.get(file as usize))
                    .map(|path| path.as_ref().to_owned())
                    .collect(),
                because: reasons.into_iter().map(|reason| reason.1).collect::<Vec<_>>().join("; "),
            });
            let (keep, gone) = (group[a], group[b]);
            group.iter_mut().filter(|label| **label == gone).for_each(|label| *label = keep);
        }
    }

    let mut groups: Vec<Vec<DtId>> = (0..questions.len())
        .map(|label| {
            order
                .iter()
                .filter(|&&at| group[at] == label && footprint(questions[at].id).is_some())
                .map(|&at| questions[at].id)
                .collect()
        })
        .filter(|group: &Vec<DtId>| !group.is_empty())
        .collect();
    groups.sort();
    Coupled { couplings, groups }
}

#[cfg(test)]
mod tests;
