//! The whole plan from its input, as the engine calls it.

mod explained;
mod laws;
mod world;

use crate::world::{Question, World};
use atlas_artifact::{DtId, GateDecision, SubBudget};

fn sub(max_tool_calls: u64, max_tokens_input: u64) -> SubBudget {
    SubBudget { max_tool_calls, max_tokens_input }
}

/// `branch: DT in the first glob of its scope`.
fn branches(world: &World) -> Vec<String> {
    let plan = world.plan();
    plan.branches
        .iter()
        .map(|branch| format!("{}: {} in {}", branch.branch_id, branch.supports_decision, branch.scope[0]))
        .collect()
}

#[test]
fn two_disjoint_questions_over_a_large_surface_are_two_branches() {
    let world = World::of_three_islands(vec![Question::in_scope("auth/**"), Question::in_scope("web/**")]);
    let plan = world.plan();
    assert_eq!(plan.gate.decision, GateDecision::Scatter, "{}", plan.gate.reason);
    assert_eq!(branches(&world), ["1: DT-1 in auth/**", "2: DT-2 in web/**"]);
    assert_eq!(plan.branches[0].budget, sub(18, 30_000));
    assert_eq!((plan.serial, plan.serial_budget), (vec![], None));
    assert_eq!(plan.not_probed.len(), 1);
    assert_eq!(plan.not_probed[0].cluster, 2);
    assert_eq!(plan.not_probed[0].reason, "no sub-question that is asked in a branch has any footprint here");
}

#[test]
fn branches_are_numbered_by_sub_question_then_cluster() {
    let world = World::of_three_islands(vec![Question::in_scope("web/**"), Question::in_scope("{auth,core}/**")]);
    assert_eq!(branches(&world), ["1: DT-1 in web/**", "2: DT-2 in auth/**", "3: DT-2 in core/**"]);
    assert_eq!(world.plan().branches[0].budget, sub(12, 20_000));
}

#[test]
fn a_branch_sees_no_path_of_another_cluster() {
    let world = World::of_three_islands(vec![Question::in_scope("auth/**"), Question::in_scope("web/**")]);
    let plan = world.plan();
    let excerpt = &plan.branches[0].map_excerpt;
    assert!(excerpt.contains("auth/a0.py -> auth/a1.py"), "{excerpt}");
    assert!(!excerpt.contains("web") && !excerpt.contains("core"), "{excerpt}");
    assert!(excerpt.contains("references to and from files outside this cluster: 1"), "{excerpt}");
}

#[test]
fn a_coupled_question_stays_with_the_parent_which_then_has_a_share() {
    let third = Question { depends_on: vec![1], ..Question::in_scope("core/**") };
    let world = World::of_three_islands(vec![Question::in_scope("auth/**"), Question::in_scope("web/**"), third]);
    let plan = world.plan();
    assert_eq!(branches(&world), ["1: DT-1 in auth/**", "2: DT-2 in web/**"]);
    assert_eq!(plan.serial, [DtId(3)]);
    assert_eq!((plan.branches[0].budget, plan.serial_budget), (sub(12, 20_000), Some(sub(12, 20_000))));
    assert_eq!(
        plan.not_probed[0].reason,
        "no sub-question that is asked in a branch has any footprint here; \
         DT-3 leads here, but is located by the parent over the whole scope"
    );
}

#[test]
fn a_question_that_is_asked_beside_most_of_its_footprint_is_followed_up() {
    let beside = Question::in_scope("{auth/a[5-9].py,web/w[0-3].py}");
    let world = World::of_three_islands(vec![Question::in_scope("auth/a[0-4].py"), beside]);
    let plan = world.plan();
    assert_eq!(branches(&world), ["1: DT-1 in auth/**", "2: DT-2 in web/**"]);
    assert_eq!(plan.followed_up, [DtId(2)]);
    assert_eq!(plan.parent_branch().map(|branch| branch.0), Some(3));
    // The shares are those of two: the parent gets what they leave, no more.
    assert_eq!((plan.branches[0].budget, plan.serial, plan.serial_budget), (sub(18, 30_000), vec![], None));

    let half = Question::in_scope("{auth/a[5-7].py,web/w[0-2].py}");
    let plan = World::of_three_islands(vec![Question::in_scope("auth/a[0-4].py"), half]).plan();
    assert_eq!((&plan.followed_up, plan.parent_branch()), (&vec![], None));
}

#[test]
fn a_question_that_leads_nowhere_stays_with_the_parent() {
    let world = World::of_three_islands(vec![
        Question::in_scope("auth/**"),
        Question::in_scope("nowhere/**"),
        Question::in_scope("web/**"),
    ]);
    assert_eq!(branches(&world), ["1: DT-1 in auth/**", "2: DT-3 in web/**"]);
    assert_eq!(world.plan().serial, [DtId(2)]);
    assert_eq!(world.plan().affinities.len(), 2);
}

#[test]
fn what_is_closed_gives_every_question_to_the_parent_with_all_that_remains() {
    let two = || vec![Question::in_scope("auth/**"), Question::in_scope("web/**")];
    let mut serial = World::of_three_islands(two());
    serial.serial = true;
    let mut few = World::of_three_islands(two());
    few.mission.budget.max_subagents = 1;
    let mut none = World::of_three_islands(two());
    none.mission.budget.max_subagents = 0;
    let mut tight = World::of_three_islands(two());
    tight.mission.budget.max_tool_calls = 26;
    let one = World::of_three_islands(vec![Question::in_scope("auth/**")]);
    let coupled = World::of_three_islands(vec![
        Question::in_scope("auth/**"),
        Question { text: "For each of those functions, which tests exist?", ..Question::in_scope("web/**") },
    ]);
    for (world, reason) in [
        (serial, "a serial run was asked for"),
        (few, "max_subagents` is 1"),
        (none, "max_subagents` is 0"),
        (tight, "each of the 2 branches would get 7 tool calls"),
        (one, "there is only one sub-question"),
        (coupled, "the sub-questions hang together"),
    ] {
        let plan = world.plan();
        assert_eq!(plan.gate.decision, GateDecision::Serial, "{reason}");
        assert!(plan.gate.reason.contains(reason), "{} / {reason}", plan.gate.reason);
        assert_eq!((plan.branches.len(), plan.not_probed.len()), (0, 0));
        assert_eq!(plan.serial.len(), world.mission.sub_questions.len());
        assert_eq!(plan.serial_budget.unwrap().max_tokens_input, 60_000);
        assert_eq!(plan.clusters.len(), 3, "clusters are reported all the same");
    }
}

#[test]
fn at_most_as_many_branches_as_the_mission_allows() {
    let mut world = World::of_three_islands(vec![
        Question::in_scope("auth/**"),
        Question::in_scope("core/**"),
        Question::in_scope("web/**"),
    ]);
    world.mission.budget.max_subagents = 2;
    assert_eq!(branches(&world), ["1: DT-1 in auth/**", "2: DT-2 in core/**"]);
    let plan = world.plan();
    assert_eq!(plan.serial, [DtId(3)]);
    assert_eq!(plan.not_probed[0].reason, "DT-3 would be asked here, but the mission allows only 2 branches");
}

#[test]
fn no_budget_is_nothing_not_unlimited() {
    let mut world = World::of_three_islands(vec![Question::in_scope("auth/**"), Question::in_scope("web/**")]);
    world.mission.budget.max_tool_calls = 0;
    world.mission.budget.max_tokens_input = 0;
    let plan = world.plan();
    assert_eq!(plan.gate.decision, GateDecision::Serial);
    assert_eq!(plan.serial_budget, Some(sub(0, 0)));
}

#[test]
fn an_empty_surface_is_a_plan_too() {
    let world = World::new(&[], &[], vec![Question::in_scope("**"), Question::in_scope("a/**")]);
    let plan = world.plan();
    assert_eq!((plan.clusters.len(), plan.gate.decision), (0, GateDecision::Serial));
    assert_eq!(plan.serial, [DtId(1), DtId(2)]);
}

#[test]
fn packages_thrown_together_are_warned_of() {
    let mut world = World::of_three_islands(vec![Question::in_scope("auth/**"), Question::in_scope("web/**")]);
    assert_eq!(world.plan().warnings, [""; 0]);
    world.packages = ["auth", "core", "web", "auth/sub"].map(str::to_owned).to_vec();
    assert_eq!(world.plan().warnings, [""; 0], "each cluster is one package");

    let files: Vec<String> = (0..7).map(|i| format!("p{i}/x.py")).collect();
    let mut apart =
        World::new(&files.iter().map(String::as_str).collect::<Vec<_>>(), &[], vec![Question::in_scope("**")]);
    apart.packages = (0..7).map(|i| format!("p{i}")).collect();
    assert_eq!(
        apart.plan().warnings,
        [
            "cluster 1 holds packages without a reference between them: `p0`, `p1`",
            "cluster 2 holds packages without a reference between them: `p2`, `p3`"
        ]
    );
}
