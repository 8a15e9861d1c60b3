//! The merge of communities down to five clusters (contract §6, step 3).
//!
//! Deliberately *not* here: where the communities come from, and their names.

use atlas_artifact::limits::CLUSTERS_MAX;
use atlas_graph::analyse::Csr;
use std::collections::{BTreeMap, BTreeSet};

/// While there are more than 5 clusters, the one of lowest centrality (ties: smallest first node) goes
/// into the one with which it shares most edge weight (ties: smaller first node); if it shares none,
/// into the next-lowest one. Returns the label of every node; `rank` is the centrality of each.
///
/// Time grows with edges × log, since the smaller list of neighbours is always poured into the larger.
pub(crate) fn merge(csr: &Csr, rank: &[u64], community: &[u32]) -> Vec<u32> {
    let labels = community.iter().max().map_or(0, |&max| max as usize + 1);
    let mut clusters: Vec<Cluster> = vec![Cluster::default(); labels];
    for (node, &label) in community.iter().enumerate() {
        let cluster = &mut clusters[label as usize];
        cluster.rank += u128::from(rank[node]);
        cluster.first.get_or_insert(node);
        for (other, weight) in csr.row(node) {
            if community[other] != label {
                *cluster.links.entry(community[other]).or_default() += weight;
            }
        }
    }
    let mut into: Vec<u32> = (0..labels as u32).collect();
    let mut alive: BTreeSet<(u128, usize, u32)> =
        (0_u32..).zip(&clusters).filter_map(|(label, cluster)| cluster.place(label)).collect();

    while alive.len() > CLUSTERS_MAX {
        let (.., lowest) = alive.pop_first().expect("more than five are alive");
        let target = clusters[lowest as usize]
            .links
            .iter()
            .max_by_key(|&(&other, &weight)| (weight, std::cmp::Reverse(clusters[other as usize].first)))
            .map_or_else(|| alive.first().expect("five are left").2, |(&other, _)| other);
        alive.remove(&clusters[target as usize].place(target).expect("only clusters with files have links"));

        let larger_list = clusters[lowest as usize].links.len() > clusters[target as usize].links.len();
        let (kept, gone) = if larger_list { (lowest, target) } else { (target, lowest) };
        let gone_cluster = std::mem::take(&mut clusters[gone as usize]);
        into[gone as usize] = kept;
        for (&other, &weight) in gone_cluster.links.iter().filter(|&(&other, _)| other != kept) {
            let links = &mut clusters[other as usize].links;
            links.remove(&gone);
            *links.entry(kept).or_default() += weight;
            *clusters[kept as usize].links.entry(other).or_default() += weight;
        }
        let merged = &mut clusters[kept as usize];
        merged.links.remove(&gone);
        merged.rank += gone_cluster.rank;
        merged.first = merged.first.min(gone_cluster.first);
        alive.extend(merged.place(kept));
    }
    community.iter().map(|&label| root(&mut into, label)).collect()
}

#[derive(Debug, Clone, Default)]
struct Cluster {
    rank: u128,
    /// Its smallest node; none once it is merged away.
    first: Option<usize>,
    /// Edge weight shared with other clusters, by label.
    links: BTreeMap<u32, u64>,
}

impl Cluster {
    /// Where it stands in the order of merging.
    fn place(&self, label: u32) -> Option<(u128, usize, u32)> {
        self.first.map(|first| (self.rank, first, label))
    }
}

/// Follows merges to the label that is left, and shortens the way for the next.
fn root(into: &mut [u32], label: u32) -> u32 {
    let mut end = label;
    while into[end as usize] != end {
        end = into[end as usize];
    }
    let mut at = label;
    while into[at as usize] != end {
        at = std::mem::replace(&mut into[at as usize], end);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The contract's sentence, word for word and without any care for time.
    fn plain(csr: &Csr, rank: &[u64], community: &[u32]) -> Vec<Vec<usize>> {
        let mut clusters: Vec<Vec<usize>> = Vec::new();
        for label in 0..=community.iter().copied().max().unwrap_or(0) {
            clusters.push((0..community.len()).filter(|&node| community[node] == label).collect());
        }
        clusters.retain(|cluster| !cluster.is_empty());
        let centrality = |cluster: &[usize]| cluster.iter().map(|&node| rank[node]).sum::<u64>();
        let shared = |a: &[usize], b: &[usize]| {
            a.iter().flat_map(|&node| csr.row(node)).filter(|(other, _)| b.contains(other)).map(|(_, w)| w).sum::<u64>()
        };
        while clusters.len() > 5 {
            clusters.sort_by_key(|cluster| (centrality(cluster), cluster[0]));
            let lowest = clusters.remove(0);
            let most = clusters.iter().map(|cluster| shared(&lowest, cluster)).max().unwrap();
            let target = if most == 0 {
                0
            } else {
                (0..clusters.len())
                    .filter(|&at| shared(&lowest, &clusters[at]) == most)
                    .min_by_key(|&at| clusters[at][0])
                    .unwrap()
            };
            clusters[target].extend(lowest);
            clusters[target].sort_unstable();
        }
        clusters.sort();
        clusters
    }

    fn groups(label: &[u32]) -> Vec<Vec<usize>> {
        let mut by_label: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (node, &l) in label.iter().enumerate() {
            by_label.entry(l).or_default().push(node);
        }
        let mut groups: Vec<_> = by_label.into_values().collect();
        groups.sort();
        groups
    }

    #[test]
    fn five_are_left_alone() {
        let csr = Csr::undirected(5, &[(0, 1, 9)]);
        assert_eq!(merge(&csr, &[1; 5], &[0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]);
        assert_eq!(merge(&Csr::undirected(0, &[]), &[], &[]), [0; 0]);
    }

    #[test]
    fn the_lowest_goes_where_it_is_tied_most() {
        let csr = Csr::undirected(6, &[(5, 0, 1), (5, 3, 2), (5, 2, 2)]);
        assert_eq!(
            groups(&merge(&csr, &[9, 8, 7, 6, 5, 1], &[0, 1, 2, 3, 4, 5])),
            [vec![0], vec![1], vec![2, 5], vec![3], vec![4]]
        );
    }

    #[test]
    fn without_ties_the_two_lowest_join() {
        let csr = Csr::undirected(7, &[]);
        assert_eq!(
            groups(&merge(&csr, &[1, 1, 1, 9, 9, 9, 9], &[0, 1, 2, 3, 4, 5, 6])),
            [vec![0, 1, 2], vec![3], vec![4], vec![5], vec![6]]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn does_what_the_contract_says(
            community in prop::collection::vec(0u32..12, 1..30),
            rank in prop::collection::vec(0u64..6, 30),
            edges in prop::collection::vec((0u32..30, 0u32..30, 0u32..3), 0..40),
        ) {
            let csr = Csr::undirected(community.len(), &edges);
            let rank = &rank[..community.len()];
            prop_assert_eq!(groups(&merge(&csr, rank, &community)), plain(&csr, rank, &community));
        }
    }
}
