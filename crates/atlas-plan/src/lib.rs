//! The plan of a mission (contract §5–§7): gate, partition, assignment and shares, as pure functions.
//!
//! [`plan`] takes the mission, the file graph and the sub-questions' footprints and decides alone;
//! no model has a say in it, and no option can open the gate. [`explain`] tells people why.
//! Deliberately *not* here: files, retrieval (footprints come in as weights), the meter that holds
//! branches to their shares, and the branches themselves.

mod anaphora;
pub mod assign;
pub mod budget;
pub mod coupling;
pub mod excerpt;
mod explain;
mod fixed;
mod footprint;
pub mod gate;
mod globs;
mod merge;
mod packages;
pub mod partition;
mod text;

pub use explain::explain;
pub use footprint::Footprint;

use crate::assign::{Asker, Assignment, Unprobed, assign};
use crate::coupling::{Coupled, couple};
use crate::excerpt::{ClusterMap, FileOfCluster, map_excerpt};
use crate::fixed::{fixed, rounded};
use crate::gate::{Observed, gate};
use crate::partition::{Part, Partition, partition};
use atlas_artifact::limits::{AFFINITY_MIN, CLUSTERS_MAX};
use atlas_artifact::map::FileGraph;
use atlas_artifact::plan::{Affinity, Modularity};
use atlas_artifact::{
    BranchId, Cluster, DtId, GateDecision, Mission, NotProbed, Plan, SubBudget, SubMission, SurfaceCounts,
};
use std::collections::BTreeMap;

/// All that a plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct PlanInput<'a> {
    pub mission: &'a Mission,
    /// The surface and its confident edges. Everything below is by index into `file_graph.files`.
    pub file_graph: &'a FileGraph,
    /// Whether a file is a parsed source file; its directory is then a module. Missing ones are not.
    pub source: &'a [bool],
    /// Centrality of each file. Missing ones count as 0.
    pub centrality: &'a [f64],
    /// In any order; a sub-question without one has an empty one.
    pub footprints: &'a [Footprint],
    /// Directories that hold a package's manifest, `""` for the root. They decide nothing: a cluster of
    /// packages without a reference between them is warned of.
    pub packages: &'a [String],
    /// The user asked for a serial run.
    pub serial: bool,
}

/// Makes the plan. When the gate stays closed the clusters are reported all the same, but there are no
/// branches: every sub-question is located serially, within all that remains.
#[must_use]
pub fn plan(input: &PlanInput<'_>) -> Plan {
    let mission = input.mission;
    let partition = partition(input.file_graph, input.centrality);
    let coupled = couple(&mission.sub_questions, input.footprints, &input.file_graph.files);
    let affinities = affinities(input, &partition);

    let branches_max = CLUSTERS_MAX.min(mission.budget.max_subagents as usize);
    let assignment = assign(&askers(&coupled, &affinities), partition.clusters.len(), branches_max);
    let mut serial: Vec<DtId> = mission.sub_questions.iter().map(|question| question.id).collect();
    serial.sort_unstable();
    serial.retain(|id| !assignment.postings.iter().any(|posting| posting.dt == *id));

    let remaining = budget::remaining(&mission.budget);
    let share = budget::share(remaining, assignment.postings.len() as u64 + u64::from(!serial.is_empty()));
    let surface = surface(input);
    let gate = gate(&Observed {
        surface,
        groups: coupled.groups.clone(),
        sub_questions: mission.sub_questions.len(),
        branches: assignment.postings.len(),
        parent_share: !serial.is_empty(),
        share,
        serial_asked: input.serial,
        subagents_max: mission.budget.max_subagents,
    });

    let (branches, serial, serial_budget, not_probed) = match gate.decision {
        GateDecision::Scatter => (
            sub_missions(input, &partition, &assignment, share),
            serial.clone(),
            (!serial.is_empty()).then_some(share),
            not_probed(&assignment, &affinities, branches_max),
        ),
        GateDecision::Serial => {
            let mut all: Vec<DtId> = mission.sub_questions.iter().map(|question| question.id).collect();
            all.sort_unstable();
            (Vec::new(), all, Some(remaining), Vec::new())
        }
    };
    let followed_up = if branches.is_empty() { Vec::new() } else { followed_up(&assignment, &affinities) };
    Plan {
        mission_id: mission.mission_id.clone(),
        gate,
        surface,
        clusters: (1..).zip(&partition.clusters).map(|(id, part)| cluster(input, id, part)).collect(),
        modularity: Modularity {
            before_merges: rounded(partition.modularity.before_merges),
            after_merges: rounded(partition.modularity.after_merges),
        },
        cut_weight: partition.cut_weight,
        branches,
        serial,
        not_probed,
        groups: coupled.groups,
        couplings: coupled.couplings,
        affinities: affinities.into_iter().map(shown_affinity).collect(),
        followed_up,
        serial_budget,
        warnings: packages::warnings(input, &partition),
    }
}

/// By DT; those with an empty footprint are left out.
fn affinities(input: &PlanInput<'_>, partition: &Partition) -> Vec<Affinity> {
    let mut affinities: Vec<Affinity> = input
        .mission
        .sub_questions
        .iter()
        .filter_map(|question| input.footprints.iter().find(|f| f.dt() == question.id && !f.is_empty()))
        .map(|footprint| Affinity {
            dt: footprint.dt(),
            clusters: footprint.affinities(&partition.cluster_of, partition.clusters.len()),
        })
        .collect();
    affinities.sort_by_key(|affinity| affinity.dt);
    affinities
}

fn shown_affinity(affinity: Affinity) -> Affinity {
    Affinity { clusters: affinity.clusters.into_iter().map(rounded).collect(), ..affinity }
}

/// The lowest-numbered sub-question of each group, ascending.
fn askers(coupled: &Coupled, affinities: &[Affinity]) -> Vec<Asker> {
    coupled
        .groups
        .iter()
        .filter_map(|group| affinities.iter().find(|affinity| Some(&affinity.dt) == group.first()))
        .map(|affinity| Asker { dt: affinity.dt, affinity: affinity.clusters.clone() })
        .collect()
}

fn surface(input: &PlanInput<'_>) -> SurfaceCounts {
    let files = &input.file_graph.files;
    let source: Vec<u32> = (0..files.len() as u32).filter(|&file| is_source(input, file)).collect();
    SurfaceCounts {
        modules: modules(input, &source).len() as u64,
        source_files: source.len() as u64,
        files: files.len() as u64,
    }
}

fn is_source(input: &PlanInput<'_>, file: u32) -> bool {
    input.source.get(file as usize).copied().unwrap_or(false)
}

/// Sub-questions whose branches cover less than half of their footprint: another group's question took
/// the cluster that they lead to, so that their branches alone would answer from the wrong place.
fn followed_up(assignment: &Assignment, affinities: &[Affinity]) -> Vec<DtId> {
    const HALF: f64 = 0.5;
    let clusters_of = |dt: DtId| assignment.postings.iter().filter(move |posting| posting.dt == dt);
    affinities
        .iter()
        .filter(|affinity| clusters_of(affinity.dt).next().is_some())
        .filter(|affinity| {
            let covered: u64 =
                clusters_of(affinity.dt).map(|posting| fixed(affinity.clusters[posting.cluster as usize])).sum();
            covered < fixed(HALF)
        })
        .map(|affinity| affinity.dt)
        .collect()
}

/// The modules that hold source files of these, with how many; `.` is the root.
fn modules<'a>(input: &PlanInput<'a>, files: &[u32]) -> BTreeMap<&'a str, usize> {
    let mut modules = BTreeMap::new();
    for &file in files.iter().filter(|&&file| is_source(input, file)) {
        let path = input.file_graph.files[file as usize].as_str();
        *modules.entry(path.rsplit_once('/').map_or(".", |(directory, _)| directory)).or_default() += 1;
    }
    modules
}

fn cluster(input: &PlanInput<'_>, id: u32, part: &Part) -> Cluster {
    let mut modules: Vec<(&str, usize)> = modules(input, &part.files).into_iter().collect();
    modules.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    Cluster {
        id,
        globs: part.globs.clone(),
        files: part.files.len() as u64,
        modules: modules.into_iter().map(|(module, _)| module.to_owned()).collect(),
        centrality: rounded(part.centrality),
    }
}

fn sub_missions(
    input: &PlanInput<'_>,
    partition: &Partition,
    assignment: &Assignment,
    share: SubBudget,
) -> Vec<SubMission> {
    let text = |id: DtId| {
        let question = input.mission.sub_questions.iter().find(|question| question.id == id);
        question.expect("who asks is a sub-question of the mission").text.clone()
    };
    (1..)
        .zip(&assignment.postings)
        .map(|(number, posting)| SubMission {
            parent_mission_id: input.mission.mission_id.clone(),
            branch_id: BranchId(number),
            question: text(posting.dt),
            supports_decision: posting.dt,
            scope: partition.clusters[posting.cluster as usize].globs.clone(),
            budget: share,
            map_excerpt: map_excerpt(&cluster_map(input, partition, posting.cluster)),
        })
        .collect()
}

fn cluster_map<'a>(input: &PlanInput<'a>, partition: &Partition, cluster: u32) -> ClusterMap<'a> {
    let files = &partition.clusters[cluster as usize].files;
    let local: BTreeMap<u32, u32> = files.iter().copied().zip(0..).collect();
    let mut map = ClusterMap {
        files: files
            .iter()
            .map(|&file| FileOfCluster {
                path: &input.file_graph.files[file as usize],
                source: is_source(input, file),
                centrality: input.centrality.get(file as usize).copied().unwrap_or(0.0),
            })
            .collect(),
        ..ClusterMap::default()
    };
    for &(from, to, weight) in &input.file_graph.edges {
        match (local.get(&from), local.get(&to)) {
            (Some(&from), Some(&to)) => map.edges.push((from, to, weight)),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => map.weight_across += u64::from(weight),
        }
    }
    map
}

fn not_probed(assignment: &Assignment, affinities: &[Affinity], branches_max: usize) -> Vec<NotProbed> {
    let reason = |cluster: u32, why: &Unprobed| match why {
        Unprobed::TooFewBranches { dt } => {
            format!("{dt} would be asked here, but the mission allows only {branches_max} branches")
        }
        Unprobed::TooLittle { best } => {
            let nearest = match best {
                Some((dt, weight)) if fixed(*weight) > 0 => {
                    format!(
                        "{dt} is nearest, with {weight:.2} of its footprint here, and it takes more than {AFFINITY_MIN}"
                    )
                }
                Some(_) | None => "no sub-question that is asked in a branch has any footprint here".to_owned(),
            };
            format!("{nearest}{}", serial_ones(cluster, assignment, affinities))
        }
    };
    assignment
        .unprobed
        .iter()
        .map(|(cluster, why)| NotProbed { cluster: cluster + 1, reason: reason(*cluster, why) })
        .collect()
}

/// Sub-questions that lead into a cluster but are located by the parent, which sees the whole scope.
fn serial_ones(cluster: u32, assignment: &Assignment, affinities: &[Affinity]) -> String {
    let leads_here = |affinity: &&Affinity| {
        affinity.clusters.get(cluster as usize).is_some_and(|&weight| fixed(weight) > fixed(AFFINITY_MIN))
            && !assignment.postings.iter().any(|posting| posting.dt == affinity.dt)
    };
    let ids: Vec<String> = affinities.iter().filter(leads_here).map(|affinity| affinity.dt.to_string()).collect();
    match ids.len() {
        0 => String::new(),
        1 => format!("; {} leads here, but is located by the parent over the whole scope", ids[0]),
        _ => format!("; {} lead here, but are located by the parent over the whole scope", ids.join(", ")),
    }
}
