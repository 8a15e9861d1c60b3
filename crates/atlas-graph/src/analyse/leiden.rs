//! Communities by modularity: the Leiden method (Traag, Waltman and van Eck, 2019) at resolution 1.
//!
//! The first run visits nodes in index order (contract §6: path order). Further runs visit them in
//! fixed shuffles of it; half of them start afresh, half go on from the best result so far, and the
//! best of all is kept, the earliest on a tie. On graphs with little structure that is worth some 2 %.
//! All gains are compared as integers, so that neither rounding nor the platform has a say and
//! every accepted step is a true improvement.
//! Deliberately *not* here: how many communities the caller wants (contract §6 merges afterwards).

use super::Csr;
use std::collections::VecDeque;

/// Runs after the first, at least and at most; in between as many as [`ARCS_IN_ALL`] allows.
const RUNS: std::ops::RangeInclusive<u64> = 1..=16;
/// Arcs (edges seen from both ends) that all further runs together may go over in one pass.
const ARCS_IN_ALL: u64 = 160_000;
/// Passes of one run, at most: nearly all that can be gained is gained by then.
const PASSES_MAX: usize = 8;

/// The community of every node of an undirected graph ([`Csr::undirected`]), numbered from 0 by
/// first node. Each community is connected; a node without edges is one of its own. Time grows
/// about linearly with the edges.
#[must_use]
pub fn communities(graph: &Csr) -> Vec<u32> {
    let arcs: u64 = (0..graph.nodes()).map(|node| graph.row(node).len() as u64).sum();
    if arcs == 0 {
        return (0..graph.nodes() as u32).collect();
    }
    let runs = (ARCS_IN_ALL / arcs).clamp(*RUNS.start(), *RUNS.end());
    let level = Level::of(graph);
    let alone: Vec<u32> = (0..graph.nodes() as u32).collect();

    let mut best = run(&level, alone.clone(), None);
    let mut best_quality = quality(graph, &best);
    for number in 0..runs {
        let start = if number < runs.div_ceil(2) { alone.clone() } else { best.clone() };
        let candidate = run(&level, start, Some(&mut Shuffle::numbered(number)));
        let candidate_quality = quality(graph, &candidate);
        if candidate_quality > best_quality {
            (best, best_quality) = (candidate, candidate_quality);
        }
    }
    components(graph, &best)
}

/// The modularity of a partition at resolution 1, between −0.5 and 1; 0 for a graph without edges.
#[must_use]
pub fn modularity(graph: &Csr, community: &[u32]) -> f64 {
    let total: u64 = (0..graph.nodes()).map(|node| graph.strength(node)).sum();
    if total == 0 {
        return 0.0;
    }
    quality(graph, community) as f64 / (total as f64 * total as f64)
}

/// Modularity times the square of twice the edge weight: an integer.
fn quality(graph: &Csr, community: &[u32]) -> i128 {
    let labels = community.iter().max().map_or(0, |&max| max as usize + 1);
    let mut strength = vec![0_i128; labels];
    let mut inside = 0_i128;
    for node in 0..graph.nodes() {
        strength[community[node] as usize] += i128::from(graph.strength(node));
        for (other, weight) in graph.row(node) {
            if community[other] == community[node] {
                inside += i128::from(weight);
            }
        }
    }
    let total: i128 = strength.iter().sum();
    total * inside - strength.iter().map(|s| s * s).sum::<i128>()
}

/// A graph in which each node stands for a set of nodes of the graph below.
struct Level {
    graph: Csr,
    /// Edge weight at each node, that inside its set counted from both ends.
    strength: Vec<u64>,
    /// Sum of `strength`: twice the edge weight of the whole graph.
    total: u64,
}

impl Level {
    fn of(graph: &Csr) -> Self {
        let strength: Vec<u64> = (0..graph.nodes()).map(|node| graph.strength(node)).collect();
        Self { graph: graph.clone(), total: strength.iter().sum(), strength }
    }

    /// The level whose nodes are the sets of `of`, numbered `0..sets`.
    fn above(&self, of: &[u32], sets: usize) -> Self {
        let mut strength = vec![0; sets];
        for (node, &set) in of.iter().enumerate() {
            strength[set as usize] += self.strength[node];
        }
        let (starts, members) = buckets(of, sets);
        let mut link = vec![0_u64; sets];
        let graph = Csr::from_rows((0..sets).map(|set| {
            let mut row: Vec<(u32, u64)> = Vec::new();
            for &member in &members[starts[set]..starts[set + 1]] {
                for (other, weight) in self.graph.row(member as usize) {
                    let other = of[other];
                    if other as usize != set {
                        if link[other as usize] == 0 {
                            row.push((other, 0));
                        }
                        link[other as usize] += weight;
                    }
                }
            }
            row.sort_unstable();
            row.iter_mut().for_each(|(other, weight)| *weight = std::mem::take(&mut link[*other as usize]));
            row
        }));
        Self { graph, strength, total: self.total }
    }

    fn nodes(&self) -> usize {
        self.strength.len()
    }

    /// How much better a node of strength `strength` is off in a set that it has `link` to and that has
    /// `set` strength without it, than alone; in units of [`quality`] ÷ 2.
    fn gain(&self, link: u64, strength: u64, set: u64) -> i128 {
        i128::from(self.total) * i128::from(link) - i128::from(strength) * i128::from(set)
    }
}

/// Nodes grouped by label: those of label `l` are `members[starts[l]..starts[l + 1]]`, ascending.
fn buckets(label: &[u32], labels: usize) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; labels + 1];
    for &l in label {
        starts[l as usize + 1] += 1;
    }
    for l in 0..labels {
        starts[l + 1] += starts[l];
    }
    let mut next = starts.clone();
    let mut members = vec![0; label.len()];
    for (node, &l) in label.iter().enumerate() {
        members[next[l as usize]] = node as u32;
        next[l as usize] += 1;
    }
    (starts, members)
}

/// Renumbers labels from 0 by first node; returns how many there are.
fn renumber(label: &mut [u32]) -> usize {
    let mut new = vec![u32::MAX; label.iter().max().map_or(0, |&max| max as usize + 1)];
    let mut count = 0;
    for l in label {
        let slot = &mut new[*l as usize];
        if *slot == u32::MAX {
            *slot = count;
            count += 1;
        }
        *l = *slot;
    }
    count as usize
}

/// Passes from a start until one changes nothing for the better.
fn run(bottom: &Level, start: Vec<u32>, mut shuffle: Option<&mut Shuffle>) -> Vec<u32> {
    let mut best = start;
    let mut best_quality = quality(&bottom.graph, &best);
    for _ in 0..PASSES_MAX {
        let next = pass(bottom, best.clone(), shuffle.as_deref_mut());
        let next_quality = quality(&bottom.graph, &next);
        if next_quality <= best_quality {
            break;
        }
        (best, best_quality) = (next, next_quality);
    }
    best
}

/// One pass of the method: move nodes, refine, aggregate, and so on up until nothing is left to aggregate.
fn pass(bottom: &Level, mut community: Vec<u32>, mut shuffle: Option<&mut Shuffle>) -> Vec<u32> {
    renumber(&mut community);
    let mut level: Option<Level> = None;
    // The node of the current level that each bottom node is part of.
    let mut home: Vec<u32> = (0..bottom.nodes() as u32).collect();
    loop {
        let here = level.as_ref().unwrap_or(bottom);
        move_nodes(here, &mut community, order(here, shuffle.as_deref_mut()));
        let communities = renumber(&mut community);
        let mut refined = if communities == here.nodes() {
            community.clone()
        } else {
            refine(here, &community, communities, &order(here, shuffle.as_deref_mut()))
        };
        let sets = renumber(&mut refined);
        if sets == here.nodes() {
            home.iter_mut().for_each(|h| *h = community[*h as usize]);
            return home;
        }
        home.iter_mut().for_each(|h| *h = refined[*h as usize]);
        let mut above = vec![0; sets];
        for (node, &set) in refined.iter().enumerate() {
            above[set as usize] = community[node];
        }
        level = Some(here.above(&refined, sets));
        community = above;
    }
}

/// The nodes of a level in the order in which to visit them.
fn order(level: &Level, shuffle: Option<&mut Shuffle>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..level.nodes() as u32).collect();
    if let Some(shuffle) = shuffle {
        shuffle.apply(&mut order);
    }
    order
}

/// Moves single nodes to the best community (that of a neighbour, or a new one) until none wants to
/// move: all in the given order first, then whoever lost a neighbour, in the order of the losses.
fn move_nodes(level: &Level, community: &mut [u32], order: Vec<u32>) {
    let nodes = level.nodes();
    let mut set = vec![0_u64; nodes];
    let mut size = vec![0_u32; nodes];
    for (node, &c) in community.iter().enumerate() {
        set[c as usize] += level.strength[node];
        size[c as usize] += 1;
    }
    let mut empty: Vec<u32> = (0..nodes as u32).rev().filter(|&c| size[c as usize] == 0).collect();
    let mut queue = VecDeque::from(order);
    let mut queued = vec![true; nodes];
    let mut link = vec![0_u64; nodes];
    let mut near: Vec<u32> = Vec::new();

    while let Some(node) = queue.pop_front() {
        let node = node as usize;
        queued[node] = false;
        let own = community[node];
        let strength = level.strength[node];
        set[own as usize] -= strength;
        size[own as usize] -= 1;

        near.clear();
        for (other, weight) in level.graph.row(node) {
            let c = community[other];
            if link[c as usize] == 0 {
                near.push(c);
            }
            link[c as usize] += weight;
        }
        let mut best = (level.gain(link[own as usize], strength, set[own as usize]), own);
        for &c in &near {
            let gain = level.gain(link[c as usize], strength, set[c as usize]);
            if gain > best.0 {
                best = (gain, c);
            }
            link[c as usize] = 0;
        }
        if best.0 < 0 {
            best.1 = empty.pop().expect("a node that is worse off than alone is not alone, so a label is free");
        }
        let to = best.1;
        set[to as usize] += strength;
        size[to as usize] += 1;
        if to == own {
            continue;
        }
        if size[own as usize] == 0 {
            empty.push(own);
        }
        community[node] = to;
        for (other, _) in level.graph.row(node) {
            if community[other] != to && !queued[other] {
                queued[other] = true;
                queue.push_back(other as u32);
            }
        }
    }
}

/// Splits each community into sets that hang together well: starting from single nodes, one that is
/// still single joins a set of its community that does not lose by it.
fn refine(level: &Level, community: &[u32], communities: usize, order: &[u32]) -> Vec<u32> {
    let nodes = level.nodes();
    let mut whole = vec![0_u64; communities];
    for (node, &c) in community.iter().enumerate() {
        whole[c as usize] += level.strength[node];
    }
    let mut refined: Vec<u32> = (0..nodes as u32).collect();
    let mut set = level.strength.clone();
    let mut single = vec![true; nodes];
    // Edge weight from each set to the rest of its community.
    let mut outward: Vec<u64> = (0..nodes)
        .map(|node| {
            let here = community[node];
            level.graph.row(node).filter(|&(other, _)| community[other] == here).map(|(_, weight)| weight).sum()
        })
        .collect();
    let mut link = vec![0_u64; nodes];
    let mut near: Vec<u32> = Vec::new();

    for &node in order {
        let node = node as usize;
        let whole = whole[community[node] as usize];
        let well_connected = |outward: u64, set: u64| level.gain(outward, set, whole - set) >= 0;
        if !single[node] || !well_connected(outward[node], level.strength[node]) {
            continue;
        }
        near.clear();
        for (other, weight) in level.graph.row(node).filter(|&(other, _)| community[other] == community[node]) {
            let r = refined[other];
            if link[r as usize] == 0 {
                near.push(r);
            }
            link[r as usize] += weight;
        }
        let mut choice: Option<(i128, u32)> = None;
        for &r in &near {
            let gain = level.gain(link[r as usize], level.strength[node], set[r as usize]);
            if gain > choice.map_or(0, |best| best.0) && well_connected(outward[r as usize], set[r as usize]) {
                choice = Some((gain, r));
            }
        }
        if let Some((_, to)) = choice {
            refined[node] = to;
            set[to as usize] += level.strength[node];
            outward[to as usize] = outward[to as usize] + outward[node] - 2 * link[to as usize];
            single[to as usize] = false;
            single[node] = false;
        }
        near.iter().for_each(|&r| link[r as usize] = 0);
    }
    refined
}

/// Splits communities that do not hang together into their parts, and numbers all by first node. A
/// split never makes modularity worse.
fn components(graph: &Csr, community: &[u32]) -> Vec<u32> {
    let mut label = vec![u32::MAX; graph.nodes()];
    let mut count = 0;
    let mut stack = Vec::new();
    for start in 0..graph.nodes() {
        if label[start] != u32::MAX {
            continue;
        }
        label[start] = count;
        stack.push(start);
        while let Some(node) = stack.pop() {
            for (other, _) in graph.row(node) {
                if label[other] == u32::MAX && community[other] == community[start] {
                    label[other] = count;
                    stack.push(other);
                }
            }
        }
        count += 1;
    }
    label
}

/// A fixed sequence of random numbers (splitmix64), another one for every run.
struct Shuffle(u64);

impl Shuffle {
    fn numbered(run: u64) -> Self {
        Self(run.wrapping_add(1).wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn apply(&mut self, items: &mut [u32]) {
        for at in (1..items.len()).rev() {
            let with = (u128::from(self.next()) * (at as u128 + 1)) >> 64;
            items.swap(at, with as usize);
        }
    }
}

#[cfg(test)]
mod tests;
