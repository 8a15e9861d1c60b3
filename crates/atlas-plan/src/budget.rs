//! What Locate may use, and how it is shared out (contract §7).
//!
//! Deliberately *not* here: the meter that holds a branch to its share while it runs.

use atlas_artifact::limits::LOCATE_TENTHS;
use atlas_artifact::{Budget, SubBudget};

/// What remains for Locate at its start: ⌊0.6 × budget⌋ of the tool calls and of the input tokens.
#[must_use]
pub fn remaining(budget: &Budget) -> SubBudget {
    let part = |quantity: u64| {
        u64::try_from(u128::from(quantity) * u128::from(LOCATE_TENTHS) / 10).expect("a part is no more than the whole")
    };
    SubBudget { max_tool_calls: part(budget.max_tool_calls), max_tokens_input: part(budget.max_tokens_input) }
}

/// One of `shares` equal shares, rounded down; what division leaves over is not spent. Of no shares, and
/// of nothing, each is nothing: 0 never stands for unlimited.
#[must_use]
pub fn share(remaining: SubBudget, shares: u64) -> SubBudget {
    SubBudget {
        max_tool_calls: remaining.max_tool_calls.checked_div(shares).unwrap_or(0),
        max_tokens_input: remaining.max_tokens_input.checked_div(shares).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn budget(max_tool_calls: u64, max_tokens_input: u64) -> Budget {
        Budget { max_tool_calls, max_tokens_input, max_wall_clock_s: 60, max_subagents: 5, max_recursion_depth: 1 }
    }

    fn sub(max_tool_calls: u64, max_tokens_input: u64) -> SubBudget {
        SubBudget { max_tool_calls, max_tokens_input }
    }

    #[test]
    fn six_tenths_rounded_down() {
        assert_eq!(remaining(&budget(60, 100_000)), sub(36, 60_000));
        assert_eq!(remaining(&budget(9, 1_001)), sub(5, 600));
        assert_eq!(remaining(&budget(1, 1)), sub(0, 0));
        assert_eq!(remaining(&budget(u64::MAX, 0)), sub(11_068_046_444_225_730_969, 0));
    }

    #[test]
    fn shares_are_rounded_down_and_nothing_is_nothing() {
        assert_eq!(share(sub(36, 60_000), 5), sub(7, 12_000));
        assert_eq!(share(sub(36, 60_000), 1), sub(36, 60_000));
        assert_eq!(share(sub(4, 10), 5), sub(0, 2));
        assert_eq!(share(sub(36, 60_000), 0), sub(0, 0));
    }

    proptest! {
        #[test]
        fn shares_never_exceed_what_remained(calls in 0u64..2_000, tokens in 0u64..600_000, shares in 0u64..7) {
            let whole = budget(calls, tokens);
            let remaining = remaining(&whole);
            let share = share(remaining, shares);
            prop_assert!(remaining.max_tool_calls * 10 <= calls * 6 && remaining.max_tokens_input * 10 <= tokens * 6);
            prop_assert!(share.max_tool_calls * shares <= remaining.max_tool_calls);
            prop_assert!(share.max_tokens_input * shares <= remaining.max_tokens_input);
        }
    }
}
