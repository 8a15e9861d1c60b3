//! Where a sub-question's answer is expected (contract §5): a weight on every file of the surface.
//!
//! Deliberately *not* here: how words retrieve files; whoever retrieves hands the weights to
//! [`Footprint::from_weights`].

use crate::fixed::fixed;
use atlas_artifact::DtId;
use atlas_tree::{GlobError, Scope};

/// A sub-question's weights, summing to 1, or none at all when nothing was retrieved.
#[derive(Debug, Clone, PartialEq)]
pub struct Footprint {
    dt: DtId,
    /// `(file index, weight > 0)`, ascending by file, each file once.
    weights: Vec<(u32, f64)>,
}

impl Footprint {
    /// Scales weights to sum 1. What is not a positive finite number weighs nothing; a file given twice has
    /// both weights. Without any weight the footprint is empty, never uniform.
    #[must_use]
    pub fn from_weights(dt: DtId, weights: impl IntoIterator<Item = (u32, f64)>) -> Self {
        let mut given: Vec<(u32, f64)> =
            weights.into_iter().filter(|(_, weight)| weight.is_finite() && *weight > 0.0).collect();
        // Equal files are summed in the order of their weights, so that the order given does not matter.
        given.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let largest = given.iter().map(|entry| entry.1).fold(0.0, f64::max);
        let mut weights: Vec<(u32, f64)> = Vec::with_capacity(given.len());
        for (file, weight) in given {
            // Scaled to at most 1 first: a sum of huge weights must not become infinite.
            let weight = weight / largest;
            match weights.last_mut() {
                Some(last) if last.0 == file => last.1 += weight,
                _ => weights.push((file, weight)),
            }
        }
        let total: f64 = weights.iter().map(|entry| entry.1).sum();
        weights.iter_mut().for_each(|entry| entry.1 /= total);
        weights.retain(|entry| entry.1 > 0.0);
        Self { dt, weights }
    }

    /// Spreads weight evenly over the files that a declared scope matches; empty if it matches none.
    ///
    /// # Errors
    /// The first glob that does not compile.
    pub fn from_scope<P: AsRef<str>>(dt: DtId, globs: &[String], files: &[P]) -> Result<Self, GlobError> {
        let scope = Scope::new(globs, [] as [&str; 0])?;
        let inside = (0_u32..).zip(files).filter(|(_, path)| scope.contains_str(path.as_ref()));
        Ok(Self::from_weights(dt, inside.map(|(file, _)| (file, 1.0))))
    }

    /// The footprint of a sub-question that retrieved nothing.
    #[must_use]
    pub fn empty(dt: DtId) -> Self {
        Self { dt, weights: Vec::new() }
    }

    /// Whose it is.
    #[must_use]
    pub fn dt(&self) -> DtId {
        self.dt
    }

    /// `(file index, weight > 0)`, ascending by file.
    #[must_use]
    pub fn weights(&self) -> &[(u32, f64)] {
        &self.weights
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Footprint weight in each of `clusters` clusters, where `cluster_of` gives a file's.
    #[must_use]
    pub fn affinities(&self, cluster_of: &[u32], clusters: usize) -> Vec<f64> {
        let mut sums = vec![0.0; clusters];
        for &(file, weight) in &self.weights {
            if let Some(sum) = cluster_of.get(file as usize).and_then(|&cluster| sums.get_mut(cluster as usize)) {
                *sum += weight;
            }
        }
        sums
    }

    /// Σ min over all files, and the files that contribute most to it: at most `top`, most first, then
    /// by index.
    #[must_use]
    pub fn overlap(&self, other: &Self, top: usize) -> (f64, Vec<u32>) {
        let mut shared: Vec<(u32, f64)> = Vec::new();
        let mut theirs = other.weights.iter().peekable();
        for &(file, weight) in &self.weights {
            while theirs.next_if(|entry| entry.0 < file).is_some() {}
            if let Some(&(_, their_weight)) = theirs.next_if(|entry| entry.0 == file) {
                shared.push((file, weight.min(their_weight)));
            }
        }
        let total = shared.iter().map(|entry| entry.1).sum();
        shared.sort_by(|a, b| fixed(b.1).cmp(&fixed(a.1)).then(a.0.cmp(&b.0)));
        shared.truncate(top);
        (total, shared.into_iter().map(|entry| entry.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DT: DtId = DtId(1);

    fn of(weights: &[(u32, f64)]) -> Footprint {
        Footprint::from_weights(DT, weights.iter().copied())
    }

    #[test]
    fn weights_are_scaled_summed_and_sorted() {
        let footprint = of(&[(3, 1.0), (1, 1.0), (3, 1.0), (2, f64::NAN), (4, -2.0), (5, 0.0), (1, 1.0)]);
        assert_eq!(footprint.weights(), [(1, 0.5), (3, 0.5)]);
        assert_eq!(of(&[(0, f64::MAX), (1, f64::MAX)]).weights(), [(0, 0.5), (1, 0.5)]);
    }

    #[test]
    fn no_evidence_is_an_empty_footprint() {
        assert!(of(&[]).is_empty() && of(&[(1, 0.0), (2, f64::INFINITY)]).is_empty());
        assert_eq!(of(&[]), Footprint::empty(DT));
    }

    #[test]
    fn a_declared_scope_is_spread_evenly() {
        let files = ["a/x.rs", "a/y.rs", "b/z.rs"];
        let footprint = Footprint::from_scope(DT, &["a/**".to_owned()], &files).unwrap();
        assert_eq!(footprint.weights(), [(0, 0.5), (1, 0.5)]);
        assert!(Footprint::from_scope(DT, &["none/**".to_owned()], &files).unwrap().is_empty());
        assert_eq!(Footprint::from_scope(DT, &["[".to_owned()], &files).unwrap_err().glob, "[");
    }

    #[test]
    fn overlap_names_the_files_that_make_it() {
        let (a, b) = (of(&[(0, 1.0), (1, 4.0), (2, 5.0)]), of(&[(1, 2.0), (2, 6.0), (3, 2.0)]));
        let (overlap, files) = a.overlap(&b, 3);
        assert_eq!((fixed(overlap), files), (fixed(0.7), vec![2, 1]));
        assert_eq!(a.overlap(&of(&[(9, 1.0)]), 3), (0.0, vec![]));
        assert_eq!(
            of(&[(4, 1.0), (2, 1.0), (3, 1.0), (1, 1.0)]).overlap(&of(&[(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]), 3).1,
            [1, 2, 3]
        );
    }

    #[test]
    fn affinity_is_the_weight_in_a_cluster() {
        assert_eq!(of(&[(0, 1.0), (2, 3.0), (9, 4.0)]).affinities(&[0, 1, 1], 2), [0.125, 0.375]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn footprints_sum_to_one_whatever_the_order(mut weights in prop::collection::vec((0u32..9, 0.0f64..9.0), 0..12)) {
            let footprint = of(&weights);
            let total: f64 = footprint.weights().iter().map(|entry| entry.1).sum();
            prop_assert!(footprint.is_empty() || fixed(total) == fixed(1.0));
            weights.reverse();
            prop_assert_eq!(of(&weights), footprint.clone());
            prop_assert_eq!(footprint.overlap(&footprint, 1).0, total);
        }
    }
}
