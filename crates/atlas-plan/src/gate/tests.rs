use super::*;
use proptest::prelude::*;

/// Everything holds, each threshold just so.
fn open() -> Observed {
    Observed {
        surface: SurfaceCounts { modules: 6, source_files: 26, files: 40 },
        groups: vec![vec![DtId(1), DtId(3)], vec![DtId(2)]],
        sub_questions: 3,
        branches: 2,
        parent_share: true,
        share: SubBudget { max_tool_calls: 8, max_tokens_input: 4_000 },
        serial_asked: false,
        subagents_max: 2,
    }
}

fn surface_of(modules: u64, source_files: u64) -> Observed {
    Observed { surface: SurfaceCounts { modules, source_files, files: source_files }, ..open() }
}

fn share_of(max_tool_calls: u64, max_tokens_input: u64) -> Observed {
    Observed { share: SubBudget { max_tool_calls, max_tokens_input }, ..open() }
}

fn groups_of(number: u32) -> Observed {
    Observed { groups: (1..=number).map(|dt| vec![DtId(dt)]).collect(), ..open() }
}

/// Whether `surface`, `disjoint`, `not_tight` hold, and whether the gate opens.
fn verdict(observed: &Observed) -> ([bool; 3], bool) {
    let gate = gate(observed);
    assert_eq!(
        gate.flags.iter().map(|flag| flag.name.as_str()).collect::<Vec<_>>(),
        ["surface", "disjoint", "not_tight"]
    );
    ([0, 1, 2].map(|at| gate.flags[at].pass), gate.decision == GateDecision::Scatter)
}

#[test]
fn thresholds_at_below_and_above() {
    let table = [
        (open(), [true, true, true]),
        (surface_of(5, 25), [false, true, true]),
        (surface_of(6, 0), [true, true, true]),
        (surface_of(6, 25), [true, true, true]),
        (surface_of(5, 26), [true, true, true]),
        (surface_of(0, 0), [false, true, true]),
        (groups_of(0), [true, false, true]),
        (groups_of(1), [true, false, true]),
        (groups_of(2), [true, true, true]),
        (groups_of(12), [true, true, true]),
        (share_of(7, 4_000), [true, true, false]),
        (share_of(8, 3_999), [true, true, false]),
        (share_of(9, 4_001), [true, true, true]),
        (share_of(0, 0), [true, true, false]),
        (Observed { branches: 0, ..open() }, [true, true, false]),
        (Observed { branches: 1, ..open() }, [true, true, false]),
        (Observed { branches: 5, ..open() }, [true, true, true]),
    ];
    for (observed, flags) in table {
        assert_eq!(verdict(&observed), (flags, flags == [true; 3]), "{observed:?}");
    }
}

#[test]
fn every_combination_of_flags_and_wishes() {
    for bits in 0..32_u32 {
        let bit = |at: u32| bits >> at & 1 == 1;
        let observed = Observed {
            surface: if bit(0) { open().surface } else { surface_of(5, 25).surface },
            groups: if bit(1) { open().groups } else { groups_of(1).groups },
            share: if bit(2) { open().share } else { share_of(7, 4_000).share },
            serial_asked: bit(3),
            subagents_max: if bit(4) { 1 } else { 2 },
            ..open()
        };
        let flags = [bit(0), bit(1), bit(2)];
        let opens = flags == [true; 3] && !bit(3) && !bit(4);
        assert_eq!(verdict(&observed), (flags, opens), "{observed:?}");
    }
}

/// Every quantity that the gate looks at, just below, at and just above what the contract asks, in
/// every combination: 3⁶ of quantities × 4 of subagents × 2 × 2, none left to chance.
#[test]
fn the_whole_table() {
    let (mut rows, mut opened) = (0_u32, 0_u32);
    let around = |limit: u64| [limit - 1, limit, limit + 1];
    for modules in around(5) {
        for source_files in around(25) {
            for groups in around(2) {
                for branches in around(2) {
                    for calls in around(8) {
                        for tokens in around(4_000) {
                            for subagents_max in [0, 1, 2, 16] {
                                for (parent_share, serial_asked) in
                                    [(false, false), (false, true), (true, false), (true, true)]
                                {
                                    let observed = Observed {
                                        surface: SurfaceCounts { modules, source_files, files: 40 },
                                        groups: groups_of(groups as u32).groups,
                                        sub_questions: 3,
                                        branches: branches as usize,
                                        parent_share,
                                        share: SubBudget { max_tool_calls: calls, max_tokens_input: tokens },
                                        serial_asked,
                                        subagents_max,
                                    };
                                    let flags = [
                                        modules > 5 || source_files > 25,
                                        groups >= 2,
                                        branches >= 2 && calls >= 8 && tokens >= 4_000,
                                    ];
                                    let opens = flags == [true; 3] && !serial_asked && subagents_max >= 2;
                                    assert_eq!(verdict(&observed), (flags, opens), "{observed:?}");
                                    let reason = gate(&observed).reason;
                                    let wants = |words: &str, holds: bool| {
                                        assert_eq!(reason.contains(words), holds, "{words}: {reason}");
                                    };
                                    wants("a serial run was asked for", serial_asked);
                                    wants("fewer than 2 sub-agents", subagents_max < 2);
                                    wants("small enough for one context", !flags[0]);
                                    wants("the budget is too tight", branches >= 2 && !flags[2]);
                                    rows += 1;
                                    opened += u32::from(opens);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    // 5 of 9 surfaces, 2 of 3 groups, branches, calls and tokens, 2 of 4 subagents, 2 of 4 wishes.
    assert_eq!((rows, opened), (11_664, 5 * 2 * 2 * 2 * 2 * 2 * 2));
}

#[test]
fn no_share_counts_as_enough_when_there_is_no_budget() {
    assert!(!verdict(&share_of(0, u64::MAX)).1 && !verdict(&share_of(u64::MAX, 0)).1);
}

#[test]
fn an_open_gate_says_what_was_seen() {
    let gate = gate(&open());
    let seen: Vec<[&str; 2]> = gate.flags.iter().map(|flag| [&*flag.observed, &*flag.threshold]).collect();
    assert_eq!(
        seen,
        [
            ["6 modules, 26 source files", "more than 5 modules or more than 25 source files"],
            ["2 groups (DT-1 + DT-3, DT-2)", "at least 2 disjoint groups of sub-questions"],
            [
                "2 branches and the parent, 8 tool calls and 4,000 input tokens each",
                "at least 2 branches, each with at least 8 tool calls and 4,000 input tokens"
            ],
        ]
    );
    assert_eq!(
        gate.reason,
        "the surface is large (6 modules, 26 source files), the sub-questions fall into 2 independent groups, \
         and each of the 2 branches and the parent gets 8 tool calls and 4,000 input tokens"
    );
}

#[test]
fn a_closed_gate_gives_every_reason() {
    let reason = |observed: &Observed| gate(observed).reason;
    assert_eq!(
        reason(&Observed { serial_asked: true, subagents_max: 1, ..surface_of(1, 1) }),
        "a serial run was asked for; the mission allows fewer than 2 sub-agents (`max_subagents` is 1); \
         the surface is small enough for one context (1 module, 1 source file)"
    );
    assert_eq!(
        reason(&Observed { branches: 3, parent_share: false, ..share_of(7, 12_345) }),
        "the budget is too tight: each of the 3 branches would get 7 tool calls and 12,345 input tokens, \
         below 8 tool calls and 4,000 input tokens"
    );
    assert_eq!(
        reason(&Observed { branches: 0, groups: vec![], ..open() }),
        "no sub-question leads anywhere in the surface; there would be no branch, and it takes 2 to scatter"
    );
    assert_eq!(
        reason(&Observed { branches: 1, groups: vec![vec![DtId(1)]], sub_questions: 1, ..open() }),
        "there is only one sub-question; there would be 1 branch, and it takes 2 to scatter"
    );
}

#[test]
fn the_reason_tells_one_question_from_questions_that_hang_together() {
    let reason = |groups: &[&[u32]], sub_questions| {
        let groups = groups.iter().map(|group| group.iter().copied().map(DtId).collect()).collect();
        gate(&Observed { groups, sub_questions, ..open() }).reason
    };
    assert_eq!(reason(&[&[1]], 1), "there is only one sub-question");
    assert_eq!(reason(&[], 1), "there is only one sub-question");
    assert_eq!(reason(&[], 2), "no sub-question leads anywhere in the surface");
    assert_eq!(reason(&[&[1, 2]], 2), "the sub-questions hang together");
    assert_eq!(
        reason(&[&[1, 2]], 3),
        "there is only one independent group of sub-questions that lead anywhere in the surface"
    );
}

fn anything() -> impl Strategy<Value = Observed> {
    let group = prop::collection::vec((1u32..13).prop_map(DtId), 1..4);
    (
        (0u64..12, 0u64..60, 0u64..90),
        prop::collection::vec(group, 0..5),
        (1usize..13, 0usize..7, any::<bool>()),
        (0u64..20, 0u64..9_000),
        (any::<bool>(), 0u32..17),
    )
        .prop_map(
            |((modules, source_files, files), groups, (sub_questions, branches, parent_share), share, wishes)| {
                Observed {
                    surface: SurfaceCounts { modules, source_files, files },
                    groups,
                    sub_questions,
                    branches,
                    parent_share,
                    share: SubBudget { max_tool_calls: share.0, max_tokens_input: share.1 },
                    serial_asked: wishes.0,
                    subagents_max: wishes.1,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is wished for, an open gate means that all three flags hold as the contract has them.
    #[test]
    fn no_wish_opens_a_closed_gate(observed in anything(), serial_asked in any::<bool>(), subagents_max in 0u32..17) {
        let by_contract = [
            observed.surface.modules > 5 || observed.surface.source_files > 25,
            observed.groups.len() >= 2,
            observed.branches >= 2 && observed.share.max_tool_calls >= 8 && observed.share.max_tokens_input >= 4_000,
        ];
        let (flags, opens) = verdict(&observed);
        prop_assert_eq!(flags, by_contract);
        prop_assert!(!opens || flags == [true; 3]);

        let (same_flags, opens) = verdict(&Observed { serial_asked, subagents_max, ..observed });
        prop_assert_eq!(same_flags, flags, "a wish changes no flag");
        prop_assert_eq!(opens, flags == [true; 3] && !serial_asked && subagents_max >= 2);
    }
}
