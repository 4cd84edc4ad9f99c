//! Calls that could get in each other's way in a state that a sequence leads to (slides, "Concurrent Test Assembler").
//!
//! The slides run whole sequences against each other. Here the calls that lead to a state become the prefix, and two calls
//! that were seen to begin in that state the threads: the same accesses meet, all orders of the calls can be run and
//! compared with, and the test is small. The slides' tests of two sequences are the sets of all such pairs.
//!
//! The necessary condition (Theorem 2): two calls are put together only if one of the eleven patterns fits their
//! accesses in that state and no lock keeps it away.

use raddle_plan::TestPlan;
use raddle_predict::{Action, Alone, Demand, Requirement, Step, requirements};

use super::pool::Pool;
use super::search::Found;
use crate::directed::{Expected, Fused, Hold, Point, Prediction, TracedTest};

/// A state in which calls of a sequence did something new.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The calls that lead to it.
    path: Vec<usize>,
    /// Those that did something new there.
    new: Vec<usize>,
}

impl State {
    /// The states of a sequence. Calls that leave the object as it was are not needed to get there.
    pub(crate) fn all(found: &Found) -> Vec<State> {
        let mut states: Vec<(u64, State)> = Vec::new();
        let mut path = Vec::new();
        for (at, &call) in found.path.iter().enumerate() {
            let Some(&(before, after)) = found.states.get(at) else {
                break;
            };
            if found.new.get(at).is_some_and(Option::is_some) {
                match states.iter_mut().find(|(known, _)| *known == before) {
                    Some((_, state)) => state.new.push(call),
                    None => states.push((
                        before,
                        State {
                            path: path.clone(),
                            new: vec![call],
                        },
                    )),
                }
            }
            if before != after {
                path.push(call);
            }
        }
        states.into_iter().map(|(_, state)| state).collect()
    }
}

/// Two calls that could get in each other's way.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) fused: Fused,
    pub(crate) predictions: Vec<Prediction>,
    /// Longer tests in which more happens while one of the calls is held.
    pub(crate) longer: Vec<Fused>,
    /// What a lock keeps from happening.
    pub(crate) infeasible: Vec<(String, String)>,
}

/// All calls in one state, and which of them could meet.
#[derive(Debug)]
pub(crate) struct Meetings {
    pool: Pool,
    state: State,
    /// The calls that are to be seen in the state.
    wanted: Vec<usize>,
    next: usize,
    seen: Vec<(usize, TracedTest)>,
}

impl Meetings {
    /// `conflicts` says whether two methods can touch the same, by their indices.
    pub(crate) fn new(pool: Pool, state: State, conflicts: &dyn Fn(usize, usize) -> bool) -> Meetings {
        let index = |call: &usize| pool.calls.get(*call).map(|(index, _)| *index);
        let meets = |call: &usize| {
            state.new.contains(call)
                || state.new.iter().any(|new| {
                    index(new)
                        .zip(index(call))
                        .is_some_and(|(one, other)| conflicts(one, other))
                })
        };
        let wanted = (0..pool.calls.len()).filter(meets).collect();
        Meetings {
            pool,
            state,
            wanted,
            next: 0,
            seen: Vec::new(),
        }
    }

    /// The next test to be run: the calls that lead to the state, and one more.
    pub(crate) fn next(&mut self) -> Option<TestPlan> {
        let call = *self.wanted.get(self.next)?;
        Some(self.pool.in_a_row(&self.state.path, call))
    }

    pub(crate) fn observe(&mut self, seed: Option<TracedTest>) {
        if let Some((call, seed)) = self.wanted.get(self.next).copied().zip(seed) {
            self.seen.push((call, seed));
        }
        self.next += 1;
    }

    /// All pairs of a call that was new here and any other.
    pub(crate) fn finish(&self, conflicts: &dyn Fn(usize, usize) -> bool) -> Vec<Meeting> {
        let mut found = Vec::new();
        for (at, (one, first)) in self.seen.iter().enumerate() {
            for (other, second) in self.seen.iter().skip(at) {
                let is_new = [one, other].iter().any(|call| self.state.new.contains(call));
                if is_new && let Some(meeting) = self.meeting((*one, first), (*other, second), conflicts) {
                    found.push(meeting);
                }
            }
        }
        found
    }

    fn meeting(
        &self,
        (one, first): (usize, &TracedTest),
        (other, second): (usize, &TracedTest),
        conflicts: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Meeting> {
        let (left, one_call) = self.pool.calls.get(one)?;
        let (right, other_call) = self.pool.calls.get(other)?;
        if !conflicts(*left, *right) {
            return None;
        }
        let Demand { open, infeasible } = requirements(alone(first)?, alone(second)?);
        if open.is_empty() && infeasible.is_empty() {
            return None;
        }
        let predictions = open
            .iter()
            .filter_map(|requirement| prediction(requirement, [first, second]));
        Some(Meeting {
            predictions: predictions.collect(),
            infeasible: infeasible
                .into_iter()
                .map(|(requirement, reason)| (requirement.mark, reason))
                .collect(),
            longer: self.longer(one, other, conflicts),
            fused: Fused {
                prefix: self.pool.before(&self.state.path, &[one, other]),
                threads: vec![vec![one_call.clone()], vec![other_call.clone()]],
            },
        })
    }

    /// One of two calls, and after the other one a call that changes what the first can see.
    fn longer(&self, one: usize, other: usize, conflicts: &dyn Fn(usize, usize) -> bool) -> Vec<Fused> {
        let index = |call: usize| self.pool.calls.get(call).map(|(index, _)| *index);
        let changers: Vec<usize> = self
            .seen
            .iter()
            .filter(|(_, seed)| self.changes(seed))
            .map(|(call, _)| *call)
            .collect();
        let mut found = Vec::new();
        for (held, first) in [(one, other), (other, one)] {
            for &then in &changers {
                let meets = index(held)
                    .zip(index(then))
                    .is_some_and(|(held, then)| conflicts(held, then));
                let calls = [held, first, then].map(|call| self.pool.call(call).cloned());
                if let [Some(held_call), Some(first_call), Some(then_call)] = calls
                    && meets
                    && then != first
                {
                    found.push(Fused {
                        prefix: self.pool.before(&self.state.path, &[held, first, then]),
                        threads: vec![vec![held_call], vec![first_call, then_call]],
                    });
                }
            }
        }
        found
    }

    fn changes(&self, seed: &TracedTest) -> bool {
        self.pool
            .last_of(seed)
            .is_some_and(|(_, [before, after])| before != after)
    }
}

/// The last call of a test.
fn alone(seed: &TracedTest) -> Option<Alone<'_>> {
    Some(Alone {
        trace: &seed.trace,
        enter: last_enter(seed)?,
        variables: &seed.variables,
    })
}

fn last_enter(seed: &TracedTest) -> Option<usize> {
    let is_enter = |step: &Step| matches!(step.action, Action::Enter { .. });
    seed.trace.steps.iter().rposition(is_enter)
}

/// Who is to be held where so that the accesses come in the order of the pattern.
fn prediction(requirement: &Requirement, seeds: [&TracedTest; 2]) -> Option<Prediction> {
    let hold = |call: usize, step: usize| -> Option<Hold> {
        let seed = seeds.get(call)?;
        seed.hold(last_enter(seed)?, step)
    };
    let thread = |call: usize| call as u32 + 1;
    let mut turns = Vec::new();
    for (at, turn) in requirement.order.iter().enumerate() {
        let later = requirement.order.iter().skip(at + 1);
        let is_held = later.clone().next().is_some_and(|next| next.call != turn.call);
        // Held until it goes on with its next access of the pattern; one that has none runs to its end.
        if is_held && let Some(next) = later.clone().find(|next| next.call == turn.call) {
            let seed = seeds.get(turn.call)?;
            turns.push(Point {
                thread: thread(turn.call),
                hold: hold(turn.call, seed.gap(turn.step, next.step))?,
            });
        }
    }
    let last_turn = turns.last()?.thread;
    let order = requirement.order.iter().map(|turn| {
        let point = Point {
            thread: thread(turn.call),
            hold: hold(turn.call, turn.step)?,
        };
        Some((point, turn.location))
    });
    Some(Prediction {
        mark: requirement.mark.clone(),
        turns,
        // The other of the two.
        last: 3 - last_turn,
        outcome: Expected::Order(order.collect::<Option<_>>()?),
    })
}
