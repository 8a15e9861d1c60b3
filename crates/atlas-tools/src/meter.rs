//! The budget of whoever calls tools, spent by reservation (contract §7).
//!
//! A counter is never read and later written: a call reserves its place, and when its answer is
//! known it commits the answer's tokens or gives the place back. At no moment is more spent than
//! the share, whatever the number of threads. Zero means nothing, never unlimited.

use atlas_artifact::SubBudget;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What has been spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub tool_calls: u64,
    pub tokens: u64,
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    reserved_calls: u64,
}

/// One share of the budget.
#[derive(Debug)]
pub struct Meter {
    share: Option<SubBudget>,
    state: Mutex<State>,
}

/// A call that holds its place; dropping it without [`Reservation::commit`] gives the place back.
#[derive(Debug)]
pub struct Reservation<'m> {
    meter: &'m Meter,
    open: bool,
}

/// The share does not allow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    pub spent: Spent,
    pub share: SubBudget,
}

impl Meter {
    #[must_use]
    pub fn new(share: SubBudget) -> Self {
        Self { share: Some(share), state: Mutex::default() }
    }

    /// Counts without a bound: the plain command line and the plain server have no mission.
    #[must_use]
    pub fn unbounded() -> Self {
        Self { share: None, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement below, so a panic elsewhere leaves it usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds a place for one call.
    ///
    /// # Errors
    /// [`Exhausted`] if every call of the share is spent or held, or no token is left.
    pub fn reserve(&self) -> Result<Reservation<'_>, Exhausted> {
        let mut state = self.state();
        if let Some(share) = self.share
            && (state.spent.tool_calls + state.reserved_calls >= share.max_tool_calls
                || state.spent.tokens >= share.max_tokens_input)
        {
            return Err(Exhausted { spent: state.spent, share });
        }
        state.reserved_calls += 1;
        Ok(Reservation { meter: self, open: true })
    }

    /// Spends tokens that are no tool's answer: a prompt, a model's own count.
    ///
    /// # Errors
    /// [`Exhausted`] if they exceed what is left; nothing is spent then.
    pub fn spend_tokens(&self, tokens: u64) -> Result<(), Exhausted> {
        let mut state = self.state();
        if let Some(share) = self.share
            && state.spent.tokens.saturating_add(tokens) > share.max_tokens_input
        {
            return Err(Exhausted { spent: state.spent, share });
        }
        state.spent.tokens = state.spent.tokens.saturating_add(tokens);
        Ok(())
    }

    #[must_use]
    pub fn spent(&self) -> Spent {
        self.state().spent
    }

    /// Calls that can still be reserved; `u64::MAX` without a bound.
    #[must_use]
    pub fn calls_left(&self) -> u64 {
        let state = self.state();
        self.share.map_or(u64::MAX, |share| {
            share.max_tool_calls.saturating_sub(state.spent.tool_calls + state.reserved_calls)
        })
    }

    /// Tokens left; `u64::MAX` without a bound.
    #[must_use]
    pub fn tokens_left(&self) -> u64 {
        let state = self.state();
        self.share.map_or(u64::MAX, |share| share.max_tokens_input.saturating_sub(state.spent.tokens))
    }
}

impl Reservation<'_> {
    /// Spends the call and the tokens of its answer.
    ///
    /// # Errors
    /// [`Exhausted`] if the answer is larger than what is left; the call then costs nothing.
    pub fn commit(mut self, tokens: u64) -> Result<(), Exhausted> {
        let mut state = self.meter.state();
        state.reserved_calls -= 1;
        self.open = false;
        if let Some(share) = self.meter.share
            && state.spent.tokens.saturating_add(tokens) > share.max_tokens_input
        {
            return Err(Exhausted { spent: state.spent, share });
        }
        state.spent.tool_calls += 1;
        state.spent.tokens = state.spent.tokens.saturating_add(tokens);
        Ok(())
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if self.open {
            self.meter.state().reserved_calls -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter(calls: u64, tokens: u64) -> Meter {
        Meter::new(SubBudget { max_tool_calls: calls, max_tokens_input: tokens })
    }

    #[test]
    fn zero_means_nothing() {
        assert!(meter(0, 100).reserve().is_err());
        assert!(meter(1, 0).reserve().is_err());
    }

    #[test]
    fn a_refused_answer_costs_nothing() {
        let meter = meter(2, 10);
        assert!(meter.reserve().unwrap().commit(11).is_err());
        assert_eq!(meter.spent(), Spent::default());
        meter.reserve().unwrap().commit(10).unwrap();
        assert_eq!(meter.spent(), Spent { tool_calls: 1, tokens: 10 });
        assert!(meter.reserve().is_err());
    }

    #[test]
    fn a_dropped_reservation_gives_its_place_back() {
        let meter = meter(1, 10);
        drop(meter.reserve().unwrap());
        let held = meter.reserve().unwrap();
        assert!(meter.reserve().is_err());
        held.commit(1).unwrap();
        assert!(meter.reserve().is_err());
    }

    /// Every interleaving of two callers, each of which reserves, then commits or drops: at no
    /// moment is more spent than the share, and held plus spent calls never exceed it.
    #[test]
    fn no_interleaving_overspends() {
        #[derive(Clone, Copy, PartialEq)]
        enum Step {
            Reserve,
            Commit(u64),
            Drop,
        }
        let ends = [Step::Commit(0), Step::Commit(3), Step::Commit(7), Step::Drop];
        for calls in 0..=2 {
            for tokens in [0, 5, 10] {
                for a in ends {
                    for b in ends {
                        for order in
                            [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 1, 0], [1, 1, 0, 0]]
                        {
                            let meter = meter(calls, tokens);
                            let scripts = [[Step::Reserve, a], [Step::Reserve, b]];
                            let mut at = [0; 2];
                            let mut held: [Option<Reservation>; 2] = [None, None];
                            for who in order {
                                match scripts[who][at[who]] {
                                    Step::Reserve => held[who] = meter.reserve().ok(),
                                    Step::Commit(n) => drop(held[who].take().map(|r| r.commit(n))),
                                    Step::Drop => drop(held[who].take()),
                                }
                                at[who] += 1;
                                let spent = meter.spent();
                                let holding = held.iter().flatten().count() as u64;
                                assert!(spent.tool_calls + holding <= calls && spent.tokens <= tokens);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn threads_never_overspend() {
        let meter = meter(50, 1_000);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for n in 0..100 {
                        if let Ok(held) = meter.reserve() {
                            let _ = held.commit(n % 40);
                        }
                        let spent = meter.spent();
                        assert!(spent.tool_calls <= 50 && spent.tokens <= 1_000);
                    }
                });
            }
        });
    }
}
