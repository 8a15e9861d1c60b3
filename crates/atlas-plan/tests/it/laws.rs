//! What holds for every plan.

use crate::world::{Question, World};
use atlas_artifact::{DtId, GateDecision, Plan, tokens};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SCOPES: [&str; 9] = ["**", "a/**", "b/**", "c/**", "{a,d}/**", "d/**", "e/f/**", "*/x*.py", "nowhere"];
const TEXTS: [&str; 4] = [
    "Where is `x` defined, and what calls it?",
    "For each of those, which tests exist?",
    "Which handlers write the log?",
    "Using the answer to DT-1, what is missing?",
];

fn worlds() -> impl Strategy<Value = World> {
    let file = (prop::sample::select(vec!["a", "b", "c", "d", "e/f", "g h"]), "[xyz][0-9]?\\.(py|md)");
    let question = (prop::sample::select(&SCOPES), prop::sample::select(&TEXTS), prop::collection::vec(1u32..6, 0..2))
        .prop_map(|(scope, text, depends_on)| Question { text, scope, depends_on });
    (
        prop::collection::btree_set(file, 0..60),
        prop::collection::vec((0u32..60, 0u32..60, 1u32..4), 0..120),
        prop::collection::vec(question, 1..7),
        (0u64..120, 0u64..120_000, 0u32..8, any::<bool>()),
    )
        .prop_map(|(files, edges, questions, (calls, tokens, subagents, serial))| {
            let mut files: Vec<String> = files.into_iter().map(|(dir, name)| format!("{dir}/{name}")).collect();
            files.sort();
            let n = files.len() as u32;
            let edges: Vec<_> = edges.into_iter().filter(|(a, b, _)| *a < n && *b < n && a != b).collect();
            let mut world = World::new(&files.iter().map(String::as_str).collect::<Vec<_>>(), &edges, questions);
            world.mission.budget.max_tool_calls = calls;
            world.mission.budget.max_tokens_input = tokens;
            world.mission.budget.max_subagents = subagents;
            world.serial = serial;
            world
        })
}

fn open(plan: &Plan) -> bool {
    plan.gate.decision == GateDecision::Scatter
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_plan_keeps_the_contract(world in worlds()) {
        let plan = world.plan();
        let budget = world.mission.budget;
        let n = plan.branches.len() as u64;

        // Gate: open means all flags, and neither wish against it.
        let all_pass = plan.gate.flags.iter().all(|flag| flag.pass);
        prop_assert_eq!(open(&plan), all_pass && !world.serial && budget.max_subagents >= 2);
        prop_assert_eq!(open(&plan), n >= 2);

        // Every sub-question has a branch or stays with the parent.
        let branched: BTreeSet<DtId> = plan.branches.iter().map(|branch| branch.supports_decision).collect();
        let serial: BTreeSet<DtId> = plan.serial.iter().copied().collect();
        prop_assert!(branched.is_disjoint(&serial));
        prop_assert_eq!(branched.len() + serial.len(), world.mission.sub_questions.len());
        prop_assert_eq!(plan.serial_budget.is_some(), !serial.is_empty());

        // Branches: numbered from 1, few enough, one to a cluster, each over its cluster's globs.
        prop_assert!(n <= 5 && n <= u64::from(budget.max_subagents));
        let numbers: Vec<u32> = plan.branches.iter().map(|branch| branch.branch_id.0).collect();
        prop_assert_eq!(numbers, (1..=n as u32).collect::<Vec<_>>());
        let mut probed: Vec<u32> = plan
            .branches
            .iter()
            .map(|branch| plan.clusters.iter().find(|cluster| cluster.globs == branch.scope).unwrap().id)
            .collect();
        if open(&plan) {
            probed.extend(plan.not_probed.iter().map(|entry| entry.cluster));
            probed.sort_unstable();
            prop_assert_eq!(probed, (1..=plan.clusters.len() as u32).collect::<Vec<_>>());
        }

        // Shares: together no more than six tenths, and enough each.
        let shares: Vec<_> = plan.branches.iter().map(|branch| branch.budget).chain(plan.serial_budget).collect();
        prop_assert!(shares.iter().map(|share| share.max_tool_calls).sum::<u64>() * 10 <= budget.max_tool_calls * 6);
        prop_assert!(shares.iter().map(|share| share.max_tokens_input).sum::<u64>() * 10 <= budget.max_tokens_input * 6);
        if open(&plan) {
            prop_assert!(shares.iter().all(|share| share.max_tool_calls >= 8 && share.max_tokens_input >= 4_000));
        }

        // Excerpts name no path of another cluster.
        for branch in &plan.branches {
            prop_assert!(tokens(&branch.map_excerpt) <= 2_000);
            let scope = atlas_tree::Scope::new(&branch.scope, [] as [&str; 0]).unwrap();
            for path in world.file_graph.files.iter().filter(|path| !scope.contains_str(path)) {
                let line_of_it = |line: &str| line.contains(&format!("- {path} ->")) || line.contains(&format!("-> {path} "));
                prop_assert!(!branch.map_excerpt.lines().any(line_of_it), "{}", path);
            }
        }
        prop_assert_eq!(plan.clusters.iter().map(|cluster| cluster.files).sum::<u64>(), plan.surface.files);

        // The artifact survives its JSON form, to the bit.
        let json = serde_json::to_string(&plan).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Plan>(&json).unwrap(), &plan);
        prop_assert_eq!(world.plan(), plan);
    }

    /// Whatever a mission, a budget or an option says, a flag that fails keeps the gate closed.
    #[test]
    fn no_option_opens_a_closed_gate(world in worlds(), subagents in 0u32..17, serial in any::<bool>()) {
        let mut other = world.clone();
        other.serial = serial;
        let with_wish = other.plan();
        prop_assert!(!open(&with_wish) || with_wish.gate.flags.iter().all(|flag| flag.pass));
        other.serial = false;
        let free = other.plan();
        prop_assert_eq!(&with_wish.gate.flags, &free.gate.flags, "the wish changes no flag");
        prop_assert!(!open(&with_wish) || open(&free));

        // The surface and the groups are what they are, whatever the budget.
        other.mission.budget.max_subagents = subagents;
        other.mission.budget.max_tool_calls = 1_000;
        other.mission.budget.max_tokens_input = 500_000;
        let rich = other.plan();
        for flag in 0..2 {
            prop_assert_eq!(&rich.gate.flags[flag], &free.gate.flags[flag]);
            prop_assert!(free.gate.flags[flag].pass || !open(&rich));
        }
        prop_assert!(subagents >= 2 || !open(&rich));
    }
}
