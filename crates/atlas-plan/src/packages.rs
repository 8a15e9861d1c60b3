//! A soundness check of the partition against package boundaries.
//!
//! The merge to five clusters may put packages together that have nothing to do with each other. It
//! is what contract §6 asks for, so it is only reported. Deliberately *not* here: manifests.

use crate::PlanInput;
use crate::partition::Partition;
use crate::text::shown;
use std::collections::{BTreeMap, BTreeSet};

/// Packages named in one warning, at most.
const NAMED: usize = 3;

/// One warning for each cluster whose packages fall apart into parts without an edge between them.
pub(crate) fn warnings(input: &PlanInput<'_>, partition: &Partition) -> Vec<String> {
    let packages: BTreeSet<&str> = input.packages.iter().map(String::as_str).collect();
    if packages.len() < 2 {
        return Vec::new();
    }
    let package_of: Vec<Option<&str>> = (0_usize..)
        .zip(&input.file_graph.files)
        .map(|(file, path)| {
            let source = input.source.get(file).copied().unwrap_or(false);
            source.then(|| innermost(path, &packages)).flatten()
        })
        .collect();

    // For each cluster, each of its packages with the part that it is in: parts are named after a member.
    let mut parts: Vec<BTreeMap<&str, &str>> = vec![BTreeMap::new(); partition.clusters.len()];
    for (&cluster, &package) in partition.cluster_of.iter().zip(&package_of) {
        if let Some(package) = package {
            parts[cluster as usize].insert(package, package);
        }
    }
    for &(from, to, _) in &input.file_graph.edges {
        let end = |file: u32| Some((*partition.cluster_of.get(file as usize)?, package_of[file as usize]?));
        let (Some((cluster, a)), Some((other, b))) = (end(from), end(to)) else { continue };
        if cluster == other && a != b {
            let parts = &mut parts[cluster as usize];
            let (keep, gone) = (parts[a], parts[b]);
            if keep != gone {
                parts.values_mut().filter(|part| **part == gone).for_each(|part| *part = keep);
            }
        }
    }
    (1..).zip(&parts).filter_map(|(cluster, parts)| warning(cluster, parts)).collect()
}

fn warning(cluster: u32, parts: &BTreeMap<&str, &str>) -> Option<String> {
    let mut of_part: BTreeMap<&str, &str> = BTreeMap::new();
    for (package, part) in parts {
        of_part.entry(part).or_insert(package);
    }
    if of_part.len() < 2 {
        return None;
    }
    let mut firsts: Vec<&str> = of_part.into_values().collect();
    firsts.sort_unstable();
    let name = |package: &&str| if package.is_empty() { "`.`".to_owned() } else { format!("`{}`", shown(package)) };
    let named: Vec<String> = firsts.iter().take(NAMED).map(name).collect();
    let more = firsts.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("cluster {cluster} holds packages without a reference between them: {}{more}", named.join(", ")))
}

/// The package that a file belongs to: the nearest directory above it that is one.
fn innermost<'a>(path: &str, packages: &BTreeSet<&'a str>) -> Option<&'a str> {
    let mut at = path;
    while let Some((directory, _)) = at.rsplit_once('/') {
        if let Some(package) = packages.get(directory) {
            return Some(package);
        }
        at = directory;
    }
    packages.get("").copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_nearest_package_above_it() {
        let packages = BTreeSet::from(["", "a", "a/b"]);
        assert_eq!(innermost("a/b/c/x.ts", &packages), Some("a/b"));
        assert_eq!(innermost("a/x.ts", &packages), Some("a"));
        assert_eq!(innermost("ab/x.ts", &packages), Some(""));
        assert_eq!(innermost("ab/x.ts", &BTreeSet::from(["a"])), None);
    }
}
