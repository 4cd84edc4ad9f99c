//! Tests made of sequential ones: what ran alone is put together so that it meets (Omen section 3.4, Intruder section
//! 3.6).
//!
//! `seeds` makes the sequential tests, somebody runs them, `raddle-predict` looks at what they did, and `fuse` puts two
//! or more of them into one plan in which the objects of a prediction are shared, as `anchor` finds them.

mod anchor;
mod fuse;
mod sequential_tests;
mod sharing;
mod types;

use std::collections::BTreeMap;

use raddle_plan::{Argument, Call, Place, TestPlan};
use raddle_predict::{Action, Object, Trace};

pub(crate) use anchor::{Anchor, anchor};
pub(crate) use fuse::{Fused, Piece, Variable, fuse};
pub use sequential_tests::sequential_tests;
pub(crate) use sharing::share;
pub(crate) use types::Types;

/// A sequential test and what it did.
#[derive(Clone, Debug)]
pub struct TracedTest {
    /// The test: one thread, nothing before and nothing after.
    pub plan: TestPlan,
    /// What it did.
    pub trace: Trace,
    /// How each step of the trace was come to, as a hash of the calls on the stack.
    pub contexts: Vec<u64>,
    /// The objects that are variables of the test.
    pub variables: BTreeMap<Object, String>,
    /// Before each call and at the end: a hash of all that could be reached from each variable.
    pub states: Vec<BTreeMap<String, u64>>,
}

impl TracedTest {
    /// The calls of the test.
    pub(crate) fn calls(&self) -> &[Call] {
        self.plan.threads.first().map_or(&[], Vec::as_slice)
    }

    /// The call that a step of the trace begins, by its number.
    pub(crate) fn call_at(&self, enter: usize) -> usize {
        let before = self.trace.steps.iter().take(enter);
        before
            .filter(|step| matches!(step.action, Action::Enter { .. }))
            .count()
    }

    /// The variable that is a parameter of a call: the receiver is number 0, of a constructor the new object.
    pub(crate) fn parameter(&self, call: usize, number: usize) -> Option<&str> {
        let call = self.calls().get(call)?;
        let (receiver, arguments) = match (&call.on, call.invoke) {
            (Some(on), _) => (Some(Some(on.as_str())), &call.args),
            (None, raddle_plan::Invoke::New) => (Some(call.bind.as_deref()), &call.args),
            (None, _) => (None, &call.args),
        };
        match (receiver, number) {
            (Some(receiver), 0) => receiver,
            (Some(_), _) => variable(arguments.get(number - 1)?),
            (None, _) => variable(arguments.get(number)?),
        }
    }

    /// The class of a variable, binary name with dots.
    pub(crate) fn class_of(&self, name: &str) -> Option<&str> {
        let (object, _) = self.variables.iter().find(|(_, variable)| *variable == name)?;
        self.trace.types.get(object).map(String::as_str)
    }

    /// The step before which a call must be held so that others can come between two of its accesses: the later one, or
    /// the first lock that it takes after the earlier one and still has at the later one.
    pub(crate) fn gap(&self, previous: usize, current: usize) -> usize {
        let mut taken: Vec<(usize, Object)> = Vec::new();
        let between = self
            .trace
            .steps
            .iter()
            .enumerate()
            .take(current)
            .skip(previous + 1);
        for (number, step) in between {
            match step.action {
                Action::Lock(object) => taken.push((number, object)),
                Action::Unlock(object) => {
                    if let Some(at) = taken.iter().rposition(|(_, lock)| *lock == object) {
                        taken.remove(at);
                    }
                }
                _ => {}
            }
        }
        taken.first().map_or(current, |(number, _)| *number)
    }

    /// Where a step of a call happens, and how often the call had been there before.
    pub(crate) fn hold(&self, enter: usize, step: usize) -> Option<Hold> {
        let place = self.trace.steps.get(step)?.place.clone()?;
        let before = self.trace.steps.get(enter..step)?;
        let occurrence = before
            .iter()
            .filter(|step| step.place.as_ref() == Some(&place))
            .count();
        Some(Hold { place, occurrence })
    }
}

fn variable(argument: &Argument) -> Option<&str> {
    match argument {
        Argument::Var(name) => Some(name),
        _ => None,
    }
}

/// A point of a call: the n-th time, from 0, that it comes to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The place.
    pub place: Place,
    /// How often the call had been there before.
    pub occurrence: usize,
}

/// How the threads of a plan are predicted to break something. Threads are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Tells it from others of the same class: where, not with which objects.
    pub mark: String,
    /// Who runs up to where, one after the other.
    pub turns: Vec<Point>,
    /// Who goes on then.
    pub last: u32,
    /// What is to happen.
    pub outcome: Expected,
}

/// A thread at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The thread.
    pub thread: u32,
    /// Where it is.
    pub hold: Hold,
}

/// What a prediction says will happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nobody can go on; where each thread waits, by thread.
    Stuck(Vec<Place>),
    /// These accesses happen in this order. Those with the same number are to the same location.
    Order(Vec<(Point, usize)>),
}

impl Prediction {
    /// Every thread but the last is held while the next one runs.
    pub(crate) fn one_by_one(mark: String, holds: Vec<Hold>, outcome: Expected) -> Prediction {
        let last = holds.len() as u32 + 1;
        let turns = (1..).zip(holds).map(|(thread, hold)| Point { thread, hold });
        Prediction {
            mark,
            turns: turns.collect(),
            last,
            outcome,
        }
    }
}
