//! Circles among the sub-questions.

use crate::DtId;
use std::collections::{BTreeMap, BTreeSet};

/// A circle of `depends_on`, its first member repeated at the end.
pub(super) fn find_cycle(graph: &BTreeMap<DtId, Vec<DtId>>) -> Option<Vec<DtId>> {
    let mut done = BTreeSet::new();
    for start in graph.keys() {
        let mut path = vec![*start];
        let mut next = vec![0_usize];
        while let Some(at) = path.last().copied() {
            let edge = next.last_mut().expect("one counter per node of the path");
            let Some(to) = graph.get(&at).and_then(|edges| edges.get(*edge)).copied() else {
                done.insert(at);
                path.pop();
                next.pop();
                continue;
            };
            *edge += 1;
            if let Some(from) = path.iter().position(|seen| *seen == to) {
                let mut cycle = path[from..].to_vec();
                cycle.push(to);
                return Some(cycle);
            }
            if !done.contains(&to) {
                path.push(to);
                next.push(0);
            }
        }
    }
    None
}
