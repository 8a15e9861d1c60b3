//! How the answers were come by: gate, clusters, branches, gaps, what was ruled out, and the proof.

use super::clusters::{cuts, picture};
use super::escape::{code, rich, text};
use super::{link, scrolling};
use crate::view::{BranchOutcome, View};
use crate::wording::{count, gap_reason, reject_reason, skip_reason, thousands};
use atlas_artifact::{BranchId, Cluster, GateDecision, Plan, SkipReason, SubMission};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Globs of a cluster, lines of a list, that are shown at once.
const GLOBS_MAX: usize = 60;
const LIST_MAX: usize = 300;

pub(super) fn clusters_and_branches(out: &mut String, view: &View<'_>) {
    out.push_str("<section id=\"work\" aria-labelledby=\"h-work\"><h2 id=\"h-work\">Clusters and branches</h2>\n");
    if let Some(plan) = view.plan {
        gate(out, plan);
        if !plan.clusters.is_empty() {
            let cuts = cuts(view, plan);
            out.push_str("<div class=\"card\"><h3>The surface in clusters</h3>\n");
            out.push_str(&scrolling("Picture of the clusters", &picture(plan, &cuts)));
            let _ = writeln!(
                out,
                "<p class=\"meta\">Circles grow with their files, lines with the edge weight between two clusters; {} in all is cut. A dashed circle was not probed. Modularity {:.3}, before merging {:.3}.</p>",
                plan.cut_weight, plan.modularity.after_merges, plan.modularity.before_merges
            );
            cluster_table(out, plan, &cuts);
            out.push_str("</div>\n");
        }
    }
    branch_table(out, view);
    topology(out, view);
    out.push_str("</section>\n");
}

fn gate(out: &mut String, plan: &Plan) {
    let decision = match plan.gate.decision {
        GateDecision::Scatter => "The gate opened: branches ran side by side",
        GateDecision::Serial => "The gate stayed closed: one context, one question after the other",
    };
    let _ = writeln!(out, "<div class=\"card\"><h3>{decision}</h3><p>{}</p>", rich(&plan.gate.reason));
    let mut rows = String::new();
    for flag in &plan.gate.flags {
        let (class, word) = if flag.pass { ("pass", "holds") } else { ("fail", "fails") };
        let _ = write!(
            rows,
            "<tr><td data-h=\"Flag\">{}</td><td data-h=\"Observed\">{}</td><td data-h=\"Threshold\">{}</td><td><span class=\"chip {class}\">{word}</span></td></tr>",
            text(&flag.name),
            rich(&flag.observed),
            rich(&flag.threshold)
        );
    }
    let _ = writeln!(
        out,
        "<table class=\"stack\"><thead><tr><th>Flag</th><th>Observed</th><th>Threshold</th><th></th></tr></thead><tbody>{rows}</tbody></table></div>"
    );
}

fn cluster_table(out: &mut String, plan: &Plan, cuts: &BTreeMap<(u32, u32), u64>) {
    let mut rows = String::new();
    for cluster in &plan.clusters {
        let ties: Vec<String> = cuts
            .iter()
            .filter_map(|((a, b), weight)| {
                let other = if *a == cluster.id {
                    b
                } else if *b == cluster.id {
                    a
                } else {
                    return None;
                };
                Some(format!("C{other}: {weight}"))
            })
            .collect();
        let not_probed = plan.not_probed.iter().find(|not| not.cluster == cluster.id);
        let fate = not_probed.map_or_else(|| asked(plan, cluster), |not| format!("not probed: {}", rich(&not.reason)));
        let _ = write!(
            rows,
            "<tr><td><span class=\"dot k{0}\"></span>C{0}</td><td data-h=\"Modules\">{1}{2}</td><td class=\"num\" data-h=\"Files\">{3}</td><td class=\"num\" data-h=\"Centrality\">{4:.3}</td><td data-h=\"Cut to\">{5}</td><td data-h=\"Probed for\">{6}</td></tr>",
            cluster.id,
            modules(cluster),
            globs(cluster),
            cluster.files,
            cluster.centrality,
            if ties.is_empty() { "–".to_owned() } else { ties.join(", ") },
            fate
        );
    }
    let _ = writeln!(
        out,
        "<table class=\"stack\"><thead><tr><th>Cluster</th><th>Modules</th><th class=\"num\">Files</th><th class=\"num\">Centrality</th><th>Cut to</th><th>Probed for</th></tr></thead><tbody>{rows}</tbody></table>"
    );
}

fn modules(cluster: &Cluster) -> String {
    let mut list: Vec<String> = cluster.modules.iter().take(4).map(|module| code(module)).collect();
    if cluster.modules.len() > 4 {
        list.push(format!("{} more", cluster.modules.len() - 4));
    }
    list.join(", ")
}

fn globs(cluster: &Cluster) -> String {
    let shown: Vec<String> =
        cluster.globs.iter().take(GLOBS_MAX).map(|glob| format!("<li>{}</li>", code(glob))).collect();
    let more = cluster.globs.len().saturating_sub(GLOBS_MAX);
    let more = if more > 0 { format!("<li>{more} more in <code>plan.json</code></li>") } else { String::new() };
    format!(
        "<details><summary>{}</summary><ul class=\"meta\">{}{more}</ul></details>",
        count(cluster.globs.len(), "glob"),
        shown.concat()
    )
}

fn asked(plan: &Plan, cluster: &Cluster) -> String {
    let list: Vec<String> = plan
        .branches
        .iter()
        .filter(|branch| branch.scope == cluster.globs)
        .map(|branch| format!("<a href=\"#{0}\">{0}</a> by branch {1}", branch.supports_decision, branch.branch_id))
        .collect();
    if list.is_empty() { "–".to_owned() } else { list.join(", ") }
}

fn branch_table(out: &mut String, view: &View<'_>) {
    let none = Vec::new();
    let planned = view.plan.map_or(&none, |plan| &plan.branches);
    let mut ids: Vec<BranchId> =
        planned.iter().map(|branch| branch.branch_id).chain(view.branches.iter().map(|ran| ran.branch_id)).collect();
    ids.sort();
    ids.dedup();
    if ids.is_empty() {
        return;
    }
    let mut rows = String::new();
    for id in ids {
        let plan = planned.iter().find(|branch| branch.branch_id == id);
        let ran = view.branches.iter().find(|ran| ran.branch_id == id);
        rows.push_str(&branch_row(view, id, plan, ran));
    }
    let _ = writeln!(
        out,
        "<div class=\"card\"><h3>Branches</h3><table class=\"stack\"><thead><tr><th>Branch</th><th>Asked</th><th>Tool calls</th><th>Tokens</th><th>Outcome</th></tr></thead><tbody>{rows}</tbody></table></div>"
    );
}

fn branch_row(view: &View<'_>, id: BranchId, plan: Option<&SubMission>, ran: Option<&BranchOutcome>) -> String {
    let serial = view.plan.map(Plan::parent_questions).unwrap_or_default();
    let asked = match plan {
        Some(branch) => format!(
            "<a href=\"#{0}\">{0}</a> {1}{2}",
            branch.supports_decision,
            rich(&branch.question),
            view.plan.and_then(|plan| plan.clusters.iter().find(|cluster| cluster.globs == branch.scope)).map_or_else(
                String::new,
                |cluster| format!(" <span class=\"meta\">in <span class=\"dot k{0}\"></span>C{0}</span>", cluster.id)
            )
        ),
        None => {
            let ids: Vec<String> = serial.iter().map(|id| format!("<a href=\"#{id}\">{id}</a>")).collect();
            format!("the parent itself, in series: {}", ids.join(", "))
        }
    };
    let share = plan.map(|plan| plan.budget).or(view.plan.and_then(|plan| plan.serial_budget));
    let spent = |used: Option<u64>, share: Option<u64>| match (used, share) {
        (Some(used), Some(share)) => format!(
            "<span class=\"nb\">{0} of {1}</span><meter min=\"0\" max=\"{2}\" value=\"{used}\" aria-label=\"{0} of {1}\"></meter>",
            thousands(used),
            thousands(share),
            share.max(1)
        ),
        (Some(used), None) => thousands(used),
        (None, Some(share)) => format!("– of {}", thousands(share)),
        (None, None) => "–".to_owned(),
    };
    let calls = spent(ran.map(|ran| ran.tool_calls), share.map(|share| share.max_tool_calls));
    let tokens = spent(ran.map(|ran| ran.tokens_used), share.map(|share| share.max_tokens_input));
    let outcome = ran.map_or_else(
        || "–".to_owned(),
        |ran| {
            format!(
                "<span class=\"chip {}\">{}</span> {}, {} · {}",
                if ran.well { "pass" } else { "fail" },
                text(&ran.ended),
                count(usize::try_from(ran.findings).unwrap_or(usize::MAX), "finding"),
                count(usize::try_from(ran.gaps).unwrap_or(usize::MAX), "gap"),
                text(&ran.kind)
            )
        },
    );
    format!(
        "<tr><td data-h=\"Branch\">{id}</td><td data-h=\"Asked\">{asked}</td><td data-h=\"Tool calls\">{calls}</td><td data-h=\"Tokens\">{tokens}</td><td data-h=\"Outcome\">{outcome}</td></tr>"
    )
}

fn topology(out: &mut String, view: &View<'_>) {
    let map = view.map;
    if map.modules.is_empty() && map.gaps.is_empty() {
        return;
    }
    out.push_str("<div class=\"card\"><h3>The map in short</h3>\n");
    let mut rows = String::new();
    for module in map.modules.iter().take(8) {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td class=\"num\" data-h=\"Files\">{}</td><td class=\"num\" data-h=\"Lines\">{}</td><td class=\"num\" data-h=\"Centrality\">{:.3}</td></tr>",
            code(&module.path),
            thousands(module.files),
            thousands(module.lines),
            module.centrality
        );
    }
    let _ = writeln!(
        out,
        "<table class=\"stack\"><thead><tr><th>Most central modules</th><th class=\"num\">Files</th><th class=\"num\">Lines</th><th class=\"num\">Centrality</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    let mut reasons: BTreeMap<SkipReason, usize> = BTreeMap::new();
    for gap in &map.gaps {
        *reasons.entry(gap.reason).or_default() += 1;
    }
    let reasons: Vec<String> =
        reasons.iter().map(|(reason, number)| format!("{} {number}", skip_reason(*reason))).collect();
    if !reasons.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"meta\">{} skipped or not fully parsed: {}.</p>",
            count(map.gaps.len(), "file"),
            reasons.join(", ")
        );
    }
    let _ = writeln!(
        out,
        "<p class=\"meta\">{} without a candidate. {}</p></div>",
        count(usize::try_from(map.graph.unresolved).unwrap_or(usize::MAX), "reference"),
        rich(&map.analyses)
    );
}

pub(super) fn gaps(out: &mut String, view: &View<'_>) {
    out.push_str("<section id=\"gaps\" aria-labelledby=\"h-gaps\"><h2 id=\"h-gaps\">Gaps</h2>\n");
    if view.findings.gaps.is_empty() {
        out.push_str("<p>None: every question has a finding.</p>\n");
    }
    for gap in &view.findings.gaps {
        let id = text(&gap.id);
        let words = gap.text.as_deref().unwrap_or(&gap.sub_question);
        let _ = writeln!(
            out,
            "<article class=\"card gap\" id=\"{id}\"><div class=\"top\"><span class=\"id\">{id}</span> <span class=\"chip open\">{}</span></div><p class=\"claim\">{}</p>",
            text(&gap_reason(gap)),
            rich(words)
        );
        if !gap.strikes.is_empty() {
            let strikes: String = gap
                .strikes
                .iter()
                .map(|strike| format!("<li>{} — {}</li>", code(&strike.probe), rich(&strike.result)))
                .collect();
            let _ = writeln!(out, "<p class=\"meta\">Tried:</p><ul class=\"meta\">{strikes}</ul>");
        }
        if let Some(hypothesis) = &gap.working_hypothesis {
            let _ = writeln!(out, "<p class=\"meta\">Working hypothesis, not established: {}</p>", rich(hypothesis));
        }
        let _ = writeln!(out, "<p class=\"meta\">Goes to {}.</p></article>", text(&gap.escalate_to));
    }
    out.push_str("</section>\n");
}

pub(super) fn ruled_out(out: &mut String, view: &View<'_>) {
    out.push_str("<section id=\"ruled-out\" aria-labelledby=\"h-ruled-out\"><h2 id=\"h-ruled-out\">Ruled out</h2>\n<div class=\"card\">");
    let all = &view.findings.ruled_out;
    if all.is_empty() {
        out.push_str("<p>Nothing was looked for in vain beyond what the findings say.</p>");
    } else {
        out.push_str("<ul class=\"plain\">");
        list(out, all.iter().map(|text| rich(text)));
        out.push_str("</ul>");
    }
    out.push_str("</div></section>\n");
}

/// Exit gate, rejected findings, invalid returns, triggers: what shows that the answers can be believed.
pub(super) fn proof(out: &mut String, view: &View<'_>) {
    let findings = view.findings;
    out.push_str("<section id=\"proof\" aria-labelledby=\"h-proof\"><h2 id=\"h-proof\">Proof</h2>\n");
    if !findings.exit_gate.is_empty() {
        out.push_str("<div class=\"card\"><h3>Exit gate</h3><ul class=\"plain\">");
        for item in &findings.exit_gate {
            let (class, word) = if item.pass { ("pass", "pass") } else { ("fail", "fail") };
            let _ = write!(
                out,
                "<li><span class=\"chip {class}\">{word}</span> {} <span class=\"meta\">— {}</span></li>",
                text(&item.item),
                rich(&item.evidence)
            );
        }
        out.push_str("</ul></div>\n");
    }
    let telemetry = &findings.telemetry;
    let _ = writeln!(out, "<div class=\"card\"><h3>Gathering</h3><p><code>{}</code></p>", text(&telemetry.line()));
    if let Some(terms) = &telemetry.fan_out_terms {
        let _ = writeln!(out, "<p class=\"meta\">{}</p>", rich(terms));
    }
    for advice in &telemetry.advice {
        let _ = writeln!(out, "<p>{}</p>", rich(advice));
    }
    out.push_str("</div>\n");
    if !findings.escalation_log.is_empty() {
        out.push_str("<div class=\"card\"><h3>Triggers that fired</h3><ul class=\"plain\">");
        let fired = findings.escalation_log.iter().map(|fired| {
            let who = fired.branch_id.map_or_else(|| "the parent".to_owned(), |id| format!("branch {id}"));
            format!("<b>{}</b> by {who}: {} in {}", text(&fired.trigger), code(&fired.matched), code(&fired.probe))
        });
        list(out, fired);
        out.push_str("</ul></div>\n");
    }
    if !findings.rejected.is_empty() {
        let _ = write!(
            out,
            "<div class=\"card\"><h3>{} rejected</h3><ul class=\"plain\">",
            count(findings.rejected.len(), "finding")
        );
        let rejected = findings.rejected.iter().map(|rejected| {
            let reason = reject_reason(rejected.reason);
            format!(
                "branch {} {} <span class=\"chip fail\">{reason}</span> {}",
                rejected.branch_id,
                text(&rejected.id),
                rich(&rejected.detail)
            )
        });
        list(out, rejected);
        out.push_str("</ul></div>\n");
    }
    if !telemetry.invalid_returns.is_empty() {
        out.push_str("<div class=\"card\"><h3>Invalid returns</h3><ul class=\"plain\">");
        let invalid = telemetry.invalid_returns.iter().map(|invalid| {
            let branch = invalid.branch_id.map_or_else(|| "unnamed".to_owned(), |id| id.to_string());
            format!("return {} (branch {branch}): {}", invalid.position, rich(&invalid.detail))
        });
        list(out, invalid);
        out.push_str("</ul></div>\n");
    }
    let links: Vec<String> = findings.gaps.iter().map(|gap| link(&gap.id)).collect();
    if !links.is_empty() {
        let _ = writeln!(out, "<p class=\"meta\">Not answered, and said so: {}.</p>", links.join(", "));
    }
    out.push_str("</section>\n");
}

fn list(out: &mut String, items: impl ExactSizeIterator<Item = String>) {
    let all = items.len();
    for item in items.take(LIST_MAX) {
        let _ = write!(out, "<li>{item}</li>");
    }
    if all > LIST_MAX {
        let _ = write!(out, "<li>{} more in <code>findings.json</code></li>", all - LIST_MAX);
    }
}
