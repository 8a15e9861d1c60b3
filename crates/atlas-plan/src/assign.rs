//! Who asks what where (contract §6, Assignment).
//!
//! A group acts through its lowest-numbered sub-question alone: its affinity counts, and every
//! branch is for it, so that a sub-question that needs another's answer is never asked apart from
//! it. The others of a group, and whoever has no footprint, stay with the parent.
//! Deliberately *not* here: what the branches get to spend, and whether they are spawned at all.

use crate::fixed::fixed;
use atlas_artifact::DtId;
use atlas_artifact::limits::{AFFINITY_MIN, CLUSTERS_MAX, SUB_QUESTIONS};

/// A mission has no more sub-questions; were there more, those behind stay without a cluster of their own.
const ASKERS_MAX: usize = *SUB_QUESTIONS.end();

/// A sub-question that stands for a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Asker {
    pub dt: DtId,
    /// Its footprint weight in each cluster.
    pub affinity: Vec<f64>,
}

/// One branch: a sub-question asked in a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    pub dt: DtId,
    /// Index of the cluster.
    pub cluster: u32,
}

/// Why nobody asks anything in a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unprobed {
    /// The sub-question with the greatest affinity to it has no more than 0.05; none if there is no
    /// sub-question that could be asked.
    TooLittle { best: Option<(DtId, f64)> },
    /// This one would have been asked here, had there been another branch.
    TooFewBranches { dt: DtId },
}

/// The whole assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// In branch order: by sub-question, then by cluster. A cluster has at most one branch, a
    /// sub-question may have several.
    pub postings: Vec<Posting>,
    /// The other clusters, ascending, and why.
    pub unprobed: Vec<(u32, Unprobed)>,
}

/// Assigns the representatives of the groups to clusters, at most one to each, `branches_max` in all.
///
/// 1. Each group gets a cluster of its own so that the total affinity is the greatest possible. On a
///    tie lower sub-questions are served first, then lower clusters. A cluster where it has no
///    footprint at all is given to no group: asking there could only find nothing.
/// 2. Each remaining cluster gets the sub-question with the greatest affinity to it (ties: lower DT),
///    if that is above 0.05.
/// 3. If these are more than `branches_max`, those of step 2 fall away before those of step 1, within a
///    step those of lowest affinity first (ties: higher DT, then higher cluster).
///
/// `askers` are in ascending order of their DT.
#[must_use]
pub fn assign(askers: &[Asker], clusters: usize, branches_max: usize) -> Assignment {
    let weight: Vec<Vec<u64>> = askers
        .iter()
        .map(|asker| (0..clusters).map(|c| asker.affinity.get(c).copied().map_or(0, fixed)).collect())
        .collect();

    let mut first: Vec<(usize, usize)> = best_matching(&weight[..weight.len().min(ASKERS_MAX)], clusters);
    let mut taken = vec![false; clusters];
    first.iter().for_each(|&(_, cluster)| taken[cluster] = true);

    let mut further: Vec<(usize, usize)> = Vec::new();
    let mut unprobed: Vec<(u32, Unprobed)> = Vec::new();
    for cluster in (0..clusters).filter(|&cluster| !taken[cluster]) {
        let best = (0..askers.len())
            .reduce(|best, next| if weight[next][cluster] > weight[best][cluster] { next } else { best });
        match best {
            Some(asker) if weight[asker][cluster] > fixed(AFFINITY_MIN) => further.push((asker, cluster)),
            best => {
                let best =
                    best.map(|asker| (askers[asker].dt, askers[asker].affinity.get(cluster).copied().unwrap_or(0.0)));
                unprobed.push((cluster as u32, Unprobed::TooLittle { best }));
            }
        }
    }

    let strongest_first =
        |&(asker, cluster): &(usize, usize)| (std::cmp::Reverse(weight[asker][cluster]), asker, cluster);
    first.sort_by_key(strongest_first);
    further.sort_by_key(strongest_first);
    let mut kept = [first, further].concat();
    let dropped = kept.split_off(branches_max.min(CLUSTERS_MAX).min(kept.len()));

    let mut postings: Vec<Posting> =
        kept.into_iter().map(|(asker, cluster)| Posting { dt: askers[asker].dt, cluster: cluster as u32 }).collect();
    postings.sort_unstable();
    unprobed.extend(
        dropped.into_iter().map(|(asker, cluster)| (cluster as u32, Unprobed::TooFewBranches { dt: askers[asker].dt })),
    );
    unprobed.sort_unstable_by_key(|entry| entry.0);
    Assignment { postings, unprobed }
}

/// What a choice for the askers from some one on is worth; the greater the better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    total: u128,
    /// Who is served, one bit each, the first asker's the highest.
    served: u64,
    /// How low the clusters are: a digit each in base 8 (the lower the cluster the larger the digit),
    /// the first asker's the highest.
    low: u64,
}

/// The pairs (asker, cluster) of greatest total weight, one to one, ties as documented at [`assign`].
///
/// Exact, by looking at every set of clusters that may still be free for the askers from some one on.
fn best_matching(weight: &[Vec<u64>], clusters: usize) -> Vec<(usize, usize)> {
    assert!(clusters <= CLUSTERS_MAX, "a partition has at most five clusters");
    let sets = 1_usize << clusters;
    // best[asker][free]: the worth of the best choice for this asker and those behind it, and what
    // this asker takes in it.
    let mut best: Vec<Vec<(Worth, Option<usize>)>> = vec![vec![(Worth::default(), None); sets]; weight.len() + 1];
    for asker in (0..weight.len()).rev() {
        let behind = weight.len() - 1 - asker;
        for free in 0..sets {
            let mut here = (best[asker + 1][free].0, None);
            for cluster in (0..clusters).filter(|cluster| free >> cluster & 1 == 1 && weight[asker][*cluster] > 0) {
                let rest = best[asker + 1][free & !(1 << cluster)].0;
                let worth = Worth {
                    total: rest.total + u128::from(weight[asker][cluster]),
                    served: rest.served | 1 << behind,
                    low: rest.low | ((7 - cluster) as u64) << (3 * behind),
                };
                if worth > here.0 {
                    here = (worth, Some(cluster));
                }
            }
            best[asker][free] = here;
        }
    }
    let mut free = sets - 1;
    let mut pairs = Vec::new();
    for (asker, choices) in best[..weight.len()].iter().enumerate() {
        if let Some(cluster) = choices[free].1 {
            pairs.push((asker, cluster));
            free &= !(1 << cluster);
        }
    }
    pairs
}

#[cfg(test)]
mod tests;
