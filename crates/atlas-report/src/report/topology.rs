//! The topology of a report: at most ten facts of the map, each with a path.

use crate::text::named;
use crate::wording::count;
use atlas_artifact::{Map, RootEntry};
use std::collections::BTreeMap;

/// At most this many modules, kinds of root, hot files.
const MODULES_MAX: usize = 5;
const ROOT_KINDS_MAX: usize = 3;
const HOT_MAX: usize = 2;

/// The first `most` of: the central modules, the kinds of entry point, the files that change most.
pub(super) fn bullets(map: &Map, most: usize) -> Vec<String> {
    let mut bullets = Vec::new();
    for module in map.modules.iter().take(MODULES_MAX) {
        bullets.push(format!(
            "Module {}: {}, {}, centrality {:.3}.",
            named(&module.path),
            count(usize::try_from(module.files).unwrap_or(usize::MAX), "file"),
            count(usize::try_from(module.lines).unwrap_or(usize::MAX), "line"),
            module.centrality
        ));
    }
    let mut kinds: BTreeMap<&str, Vec<&RootEntry>> = BTreeMap::new();
    for root in &map.roots {
        kinds.entry(&root.kind).or_default().push(root);
    }
    // Entry points before tests, then by their number.
    let mut kinds: Vec<(&str, Vec<&RootEntry>)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(kind, roots)| (*kind == "test", std::cmp::Reverse(roots.len())));
    for (kind, roots) in kinds.into_iter().take(ROOT_KINDS_MAX) {
        let noun = format!("{} root", kind.replace('_', " "));
        let first = roots[0];
        bullets.push(format!(
            "{}, the first at {}.",
            count(roots.len(), &noun),
            named(&format!("{}:{}", first.path, first.line))
        ));
    }
    for heat in map.heat.iter().take(HOT_MAX) {
        bullets.push(format!(
            "{} changed in {} by {}.",
            named(&heat.path),
            count(heat.commits as usize, "commit"),
            count(heat.authors as usize, "author")
        ));
    }
    bullets.truncate(most);
    bullets
}
