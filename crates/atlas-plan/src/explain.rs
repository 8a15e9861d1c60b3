//! The plan in words, for `atlas plan` at a terminal and for `plan.md`: so that a person believes the
//! decision, or sees what to change.
//!
//! Long lists are shortened here and say by how much; `plan.json` has all. Deliberately *not* here:
//! any decision. Everything told is read from the plan.

use crate::gate::{count, grouped, quantities};
use crate::text::shown;
use atlas_artifact::{Cluster, DtId, GateDecision, Mission, Plan, SubMission};
use std::fmt::Write as _;

/// Globs and modules named for one cluster, at most.
const LISTED: usize = 8;

/// The plan as Markdown that reads well unrendered. The mission gives the sub-questions' texts.
#[must_use]
pub fn explain(plan: &Plan, mission: &Mission) -> String {
    let mut out = String::new();
    decision(&mut out, plan);
    sub_questions(&mut out, plan, mission);
    who_asks(&mut out, plan);
    clusters(&mut out, plan);
    out
}

/// `write!` to a `String` cannot fail.
macro_rules! line {
    ($out:expr) => { $out.push('\n') };
    ($out:expr, $($arg:tt)*) => { { let _ = writeln!($out, $($arg)*); } };
}

fn decision(out: &mut String, plan: &Plan) {
    line!(out, "# Plan of mission {}", plan.mission_id);
    line!(out);
    match plan.gate.decision {
        GateDecision::Scatter => line!(out, "Scatter to {} branches: {}.", plan.branches.len(), plan.gate.reason),
        GateDecision::Serial => line!(out, "Serial, in one context over the whole scope: {}.", plan.gate.reason),
    }
    line!(out);
    line!(out, "## Gate");
    line!(out);
    for flag in &plan.gate.flags {
        line!(
            out,
            "- {} `{}`: seen {}; needed {}",
            if flag.pass { "pass" } else { "FAIL" },
            flag.name,
            flag.observed,
            flag.threshold
        );
    }
    line!(out);
}

fn sub_questions(out: &mut String, plan: &Plan, mission: &Mission) {
    line!(out, "## Sub-questions");
    line!(out);
    let mut questions: Vec<_> = mission.sub_questions.iter().collect();
    questions.sort_by_key(|question| question.id);
    for question in questions {
        line!(out, "- {}: {}", question.id, shown(&question.text));
        line!(out, "  {}", whereabouts(plan, question.id));
    }
    for coupling in &plan.couplings {
        line!(out, "- {} and {} are held together: {}", coupling.a, coupling.b, coupling.because);
        if !coupling.files.is_empty() {
            let files: Vec<String> = coupling.files.iter().map(|file| quoted(file)).collect();
            line!(out, "  they share {:.2} of their footprints, most of it in {}", coupling.overlap, files.join(", "));
        }
    }
    line!(out);
}

/// Where a sub-question leads: its clusters by weight.
fn whereabouts(plan: &Plan, id: DtId) -> String {
    let Some(affinity) = plan.affinities.iter().find(|affinity| affinity.dt == id) else {
        return "nothing in the surface was found for it, so it belongs to no group".to_owned();
    };
    let mut weights: Vec<(u32, f64)> = (1..).zip(affinity.clusters.iter().copied()).collect();
    weights.retain(|(_, weight)| *weight >= 0.005);
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let parts: Vec<String> =
        weights.iter().map(|(cluster, weight)| format!("{weight:.2} in cluster {cluster}")).collect();
    format!("footprint: {}", parts.join(", "))
}

fn who_asks(out: &mut String, plan: &Plan) {
    line!(out, "## Who asks what where");
    line!(out);
    for branch in &plan.branches {
        let place =
            cluster_of(plan, branch).map_or("its scope".to_owned(), |cluster| format!("cluster {}", cluster.id));
        line!(
            out,
            "- branch {}: {} in {place}, with {}",
            branch.branch_id,
            branch.supports_decision,
            quantities(branch.budget)
        );
    }
    if !plan.serial.is_empty() {
        let ids: Vec<String> = plan.serial.iter().map(ToString::to_string).collect();
        let budget = plan.serial_budget.map_or(String::new(), |budget| format!(", with {}", quantities(budget)));
        line!(out, "- the parent, one after the other over the whole scope: {}{budget}", ids.join(", "));
    }
    if !plan.followed_up.is_empty() {
        let ids: Vec<String> = plan.followed_up.iter().map(ToString::to_string).collect();
        line!(
            out,
            "- the parent, after the branches and with what they leave, over the whole scope: {}: less than half of the \
             footprint lies where it is asked",
            ids.join(", ")
        );
    }
    for unprobed in &plan.not_probed {
        line!(out, "- nobody in cluster {}: {}", unprobed.cluster, unprobed.reason);
    }
    line!(out);
}

fn clusters(out: &mut String, plan: &Plan) {
    let surface = &plan.surface;
    line!(out, "## Clusters");
    line!(out);
    line!(
        out,
        "{} over {} ({}, {}). Modularity {:.3} before the merges to at most five, {:.3} after. \
         References between clusters: {}.",
        count(plan.clusters.len() as u64, "cluster"),
        count(surface.files, "file"),
        count(surface.source_files, "source file"),
        count(surface.modules, "module"),
        plan.modularity.before_merges,
        plan.modularity.after_merges,
        grouped(plan.cut_weight),
    );
    line!(out);
    for cluster in &plan.clusters {
        line!(out, "- cluster {}: {}, centrality {:.3}", cluster.id, count(cluster.files, "file"), cluster.centrality);
        if !cluster.modules.is_empty() {
            line!(out, "  modules: {}", shortened(&cluster.modules));
        }
        line!(out, "  globs: {}", shortened(&widest_first(&cluster.globs)));
    }
    for warning in &plan.warnings {
        line!(out, "- warning: {warning}");
    }
}

fn cluster_of<'a>(plan: &'a Plan, branch: &SubMission) -> Option<&'a Cluster> {
    plan.clusters.iter().find(|cluster| cluster.globs == branch.scope)
}

/// Whole directories, then stars, then single files: what a reader wants to see of a long list.
fn widest_first(globs: &[String]) -> Vec<String> {
    let mut sorted = globs.to_vec();
    sorted.sort_by_key(|glob| match () {
        () if glob.ends_with("**") => 0,
        () if glob.replace("\\*", "").contains('*') => 1,
        () => 2,
    });
    sorted
}

fn shortened(names: &[String]) -> String {
    let mut listed: Vec<String> = names.iter().take(LISTED).map(|name| quoted(name)).collect();
    if names.len() > LISTED {
        listed.push(format!("… {} more, all in plan.json", grouped((names.len() - LISTED) as u64)));
    }
    listed.join(", ")
}

/// A name as Markdown code on one line, whatever back-ticks it holds.
fn quoted(name: &str) -> String {
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", shown(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_whatever_they_hold() {
        assert_eq!(quoted("a/**"), "`a/**`");
        assert_eq!(quoted("a`b``c"), "``` a`b``c ```");
        assert_eq!(quoted("a\nb"), "`a\\nb`");
    }

    #[test]
    fn whole_directories_come_first() {
        let globs = ["a/x.rs", "b/*", "c\\*d", "e/**", "f/*.rs"].map(str::to_owned);
        assert_eq!(widest_first(&globs), ["e/**", "b/*", "f/*.rs", "a/x.rs", "c\\*d"]);
    }

    #[test]
    fn a_long_list_says_how_much_is_left_out() {
        let names: Vec<String> = (0..1_234).map(|i| format!("f{i}")).collect();
        assert!(shortened(&names).ends_with("`f7`, … 1,226 more, all in plan.json"));
        assert_eq!(shortened(&names[..8]).matches('`').count(), 16);
    }
}
