//! The picture of the clusters: circles sized by files, lines by the edge weight cut between them.

use super::escape::text;
use crate::view::View;
use atlas_artifact::{Cluster, Plan};
use atlas_tree::Scope;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Where up to five circles stand, in a picture of 680 × 420 from (40, 10).
const PLACES: [&[(i32, i32)]; 5] = [
    &[(380, 190)],
    &[(210, 190), (550, 190)],
    &[(160, 190), (380, 190), (600, 190)],
    &[(210, 110), (550, 110), (210, 320), (550, 320)],
    &[(380, 90), (630, 160), (545, 335), (215, 335), (130, 160)],
];
/// For three in a triangle when each is tied to each.
const TRIANGLE: [(i32, i32); 3] = [(380, 95), (590, 310), (170, 310)];

/// Edge weight between each two clusters of the plan, by their numbers, the lower first.
pub(super) fn cuts(view: &View<'_>, plan: &Plan) -> BTreeMap<(u32, u32), u64> {
    let scopes: Vec<(u32, Option<Scope>)> =
        plan.clusters.iter().map(|cluster| (cluster.id, Scope::new(&cluster.globs, [] as [&str; 0]).ok())).collect();
    let graph = &view.map.graph.file_graph;
    let home: Vec<Option<u32>> = graph
        .files
        .iter()
        .map(|file| {
            let inside = |scope: &Option<Scope>| scope.as_ref().is_some_and(|scope| scope.contains_str(file));
            scopes.iter().find(|(_, scope)| inside(scope)).map(|(id, _)| *id)
        })
        .collect();
    let mut cuts = BTreeMap::new();
    for (from, to, weight) in &graph.edges {
        let end = |at: &u32| home.get(*at as usize).copied().flatten();
        if let (Some(a), Some(b)) = (end(from), end(to))
            && a != b
        {
            *cuts.entry((a.min(b), a.max(b))).or_insert(0) += u64::from(*weight);
        }
    }
    cuts
}

/// The picture as inline SVG; empty without clusters.
pub(super) fn picture(plan: &Plan, cuts: &BTreeMap<(u32, u32), u64>) -> String {
    let clusters = &plan.clusters[..plan.clusters.len().min(PLACES.len())];
    let places: &[(i32, i32)] = match clusters.len() {
        0 => return String::new(),
        3 if cuts.len() == 3 => &TRIANGLE,
        count => PLACES[count - 1],
    };
    let most_files = clusters.iter().map(|cluster| cluster.files).max().unwrap_or(1).max(1);
    let most_cut = cuts.values().copied().max().unwrap_or(1).max(1);
    let place = |id: u32| clusters.iter().position(|cluster| cluster.id == id).map(|at| places[at]);
    let mut out = String::from(
        "<svg viewBox=\"40 10 680 420\" role=\"img\" aria-label=\"Clusters and the edge weight cut between them; the table below says the same\">\n",
    );
    let mut labels = String::new();
    for ((a, b), weight) in cuts {
        let (Some((x1, y1)), Some((x2, y2))) = (place(*a), place(*b)) else { continue };
        let width = 2.0 + 8.0 * ratio(*weight, most_cut);
        let _ = writeln!(out, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke-width=\"{width:.1}\"/>");
        // A third of the way along, so that labels of crossing lines keep apart.
        let (x, y) = ((2 * x1 + 3 * x2) / 5, (2 * y1 + 3 * y2) / 5);
        let half = 8 + 5 * i32::try_from(weight.to_string().len()).unwrap_or(1);
        let _ = writeln!(
            labels,
            "<rect class=\"tag\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"24\" rx=\"12\"/><text class=\"weight\" x=\"{x}\" y=\"{}\">{weight}</text>",
            x - half,
            y - 12,
            2 * half,
            y + 5
        );
    }
    out.push_str(&labels);
    for (cluster, (x, y)) in clusters.iter().zip(places) {
        circle(&mut out, plan, cluster, (*x, *y), ratio(cluster.files, most_files));
    }
    out.push_str("</svg>\n");
    out
}

fn circle(out: &mut String, plan: &Plan, cluster: &Cluster, (x, y): (i32, i32), size: f64) {
    let radius = (30.0 + 34.0 * size).round();
    let idle = plan.not_probed.iter().any(|not| not.cluster == cluster.id);
    let class = if idle { " idle" } else { "" };
    let module = cluster.modules.first().map_or("", String::as_str);
    let _ = writeln!(
        out,
        "<g class=\"k{}{class}\"><title>Cluster {}: {}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\
         <text class=\"name\" x=\"{x}\" y=\"{}\">C{}</text><text class=\"size\" x=\"{x}\" y=\"{}\">{} files</text>\
         <text class=\"module\" x=\"{x}\" y=\"{}\">{}</text></g>",
        cluster.id,
        cluster.id,
        text(&cluster.modules.join(", ")),
        y - 1,
        cluster.id,
        y + 19,
        cluster.files,
        f64::from(y) + radius + 20.0,
        text(&shortened(module))
    );
}

/// √(part ÷ whole): area, not radius, follows the number.
fn ratio(part: u64, whole: u64) -> f64 {
    (part as f64 / whole as f64).sqrt()
}

/// The end of a path says most.
fn shortened(path: &str) -> String {
    let chars: Vec<char> = path.chars().collect();
    if chars.len() <= 26 {
        path.to_owned()
    } else {
        format!("…{}", chars[chars.len() - 25..].iter().collect::<String>())
    }
}
