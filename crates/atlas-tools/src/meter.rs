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

    /// A share of which something is spent already.
    #[must_use]
    pub fn resumed(share: SubBudget, spent: Spent) -> Self {
        Self { share: Some(share), state: Mutex::new(State { spent, reserved_calls: 0 }) }
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
    fn what_was_spent_before_counts() {
        let share = SubBudget { max_tool_calls: 2, max_tokens_input: 10 };
        let meter = Meter::resumed(share, Spent { tool_calls: 1, tokens: 4 });
        assert_eq!(meter.reserve().unwrap().commit(7).unwrap_err().spent, Spent { tool_calls: 1, tokens: 4 });
        meter.reserve().unwrap().commit(6).unwrap();
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

    /// What one of several callers may do next.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Reserve,
        Commit(u64),
        Drop,
        /// Tokens that are no tool's answer.
        Spend(u64),
    }

    /// A budget as one would keep it on paper.
    #[derive(Debug, Clone, Copy)]
    struct Plain {
        calls: u64,
        tokens: u64,
        spent: Spent,
        held: u64,
    }

    impl Plain {
        /// Whether the step is allowed; it is then booked.
        fn allows(&mut self, step: Step) -> bool {
            let allowed = match step {
                Step::Reserve => self.spent.tool_calls + self.held < self.calls && self.spent.tokens < self.tokens,
                Step::Commit(n) | Step::Spend(n) => self.spent.tokens + n <= self.tokens,
                Step::Drop => true,
            };
            match step {
                Step::Reserve => self.held += u64::from(allowed),
                Step::Commit(n) => {
                    self.held -= 1;
                    self.spent.tool_calls += u64::from(allowed);
                    self.spent.tokens += if allowed { n } else { 0 };
                }
                Step::Drop => self.held -= 1,
                Step::Spend(n) => self.spent.tokens += if allowed { n } else { 0 },
            }
            allowed
        }
    }

    /// A small world, all of it: three callers, every share of at most two calls and of 0, 5 or 10
    /// tokens, every order of five steps of whatever each may do then. The meter allows exactly what
    /// the plain budget allows, and at no moment is more spent or held than the share.
    #[test]
    fn every_order_of_steps_is_booked_as_on_paper() {
        fn replay(calls: u64, tokens: u64, history: &[(usize, Step)]) -> [bool; 3] {
            let meter = meter(calls, tokens);
            let mut plain = Plain { calls, tokens, spent: Spent::default(), held: 0 };
            let mut held: [Option<Reservation>; 3] = [None, None, None];
            for &(who, step) in history {
                let wanted = plain.allows(step);
                let got = match step {
                    Step::Reserve => {
                        held[who] = meter.reserve().ok();
                        held[who].is_some()
                    }
                    Step::Commit(n) => held[who].take().unwrap().commit(n).is_ok(),
                    Step::Drop => held[who].take().is_some(),
                    Step::Spend(n) => meter.spend_tokens(n).is_ok(),
                };
                assert_eq!(got, wanted, "{calls} calls, {tokens} tokens: {history:?}");
                let spent = meter.spent();
                assert_eq!(spent, plain.spent, "{calls} calls, {tokens} tokens: {history:?}");
                let holding = held.iter().flatten().count() as u64;
                assert!(spent.tool_calls + holding <= calls && spent.tokens <= tokens, "{history:?}");
                assert_eq!(meter.calls_left(), calls - spent.tool_calls - holding);
                assert_eq!(meter.tokens_left(), tokens - spent.tokens);
            }
            [0, 1, 2].map(|who| held[who].is_some())
        }
        fn explore(calls: u64, tokens: u64, history: &mut Vec<(usize, Step)>, worlds: &mut u64) {
            let holds = replay(calls, tokens, history);
            if history.len() == 5 {
                *worlds += 1;
                return;
            }
            for (who, holds) in holds.into_iter().enumerate() {
                let steps: &[Step] = if holds {
                    &[Step::Commit(0), Step::Commit(3), Step::Commit(7), Step::Drop]
                } else {
                    &[Step::Reserve, Step::Spend(4)]
                };
                for &step in steps {
                    history.push((who, step));
                    explore(calls, tokens, history, worlds);
                    history.pop();
                }
            }
        }
        let mut worlds = 0;
        for calls in 0..=2 {
            for tokens in [0, 5, 10] {
                explore(calls, tokens, &mut Vec::new(), &mut worlds);
            }
        }
        assert_eq!(worlds, 99_960);
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
