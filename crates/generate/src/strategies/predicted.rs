//! What strategies that work from predictions have in common: a list of tests, each tried once, each with the
//! interleaving that it was made for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use raddle_plan::Call;

use crate::directed::{Fused, Prediction};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::{Candidate, Feedback, Mode, Strategy};

/// Calls that look at each object afterwards. A prediction is tried with few schedules, so that looking costs little,
/// and one of them may be the only one that tells.
const OBSERVERS: usize = 12;

/// Tests in which a prediction may come true and come to nothing: whether anybody can see it depends on values.
const TIMES: u32 = 2;

/// Predictions that a test is tried for; to look for hundreds in every run takes longer than the runs.
pub(super) const MOST_PREDICTIONS: usize = 24;

/// A test made from a prediction.
#[derive(Clone, Debug)]
pub(crate) struct Assembled {
    pub(crate) fused: Fused,
    pub(crate) mode: Mode,
    pub(crate) predictions: Vec<Prediction>,
    /// What is predicted, for people.
    pub(crate) text: String,
}

/// Tests from predictions, and how many things were looked at to make them.
#[derive(Clone, Debug, Default)]
pub(crate) struct PredictedTests {
    pub(crate) tests: Vec<Assembled>,
    /// Names and numbers, for tables.
    pub(crate) numbers: Vec<(&'static str, u64)>,
}

/// A strategy that tries predicted interleavings.
pub(crate) struct Predicted<'p> {
    name: &'static str,
    builder: PlanBuilder<'p>,
    queue: VecDeque<Assembled>,
    /// In how many tests predictions came true, by mark, and those that came to a violation.
    realised: BTreeMap<String, u32>,
    observable: BTreeSet<String>,
    numbers: Vec<(&'static str, u64)>,
}

impl<'p> Predicted<'p> {
    pub(crate) fn new(
        name: &'static str,
        builder: PlanBuilder<'p>,
        foresight: PredictedTests,
    ) -> Predicted<'p> {
        Predicted {
            name,
            builder,
            queue: in_turns(foresight.tests).into(),
            realised: BTreeMap::new(),
            observable: BTreeSet::new(),
            numbers: foresight.numbers,
        }
    }
}

/// How many predictions there are that differ in where they would happen.
pub(crate) fn distinct(tests: &[Assembled]) -> u64 {
    let predictions = tests.iter().flat_map(|test| &test.predictions);
    let marks: BTreeSet<&str> = predictions.map(|prediction| &*prediction.mark).collect();
    marks.len() as u64
}

/// One test for all predictions that need the same one.
pub(crate) fn merged(tests: impl Iterator<Item = Assembled>) -> Vec<Assembled> {
    let mut merged: Vec<Assembled> = Vec::new();
    for test in tests {
        match merged.iter_mut().find(|known| known.fused == test.fused) {
            Some(known) => known.predictions.extend(test.predictions),
            None => merged.push(test),
        }
    }
    merged
}

/// Methods that were in few tests so far go ahead: a class that deadlocks in one method often does so in all that call
/// it, and nobody wants to see these first.
pub(crate) fn in_turns(tests: Vec<Assembled>) -> Vec<Assembled> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    let mut left: Vec<(Vec<String>, Assembled)> = tests
        .into_iter()
        .map(|test| {
            let calls = test.fused.threads.iter().flatten();
            let methods = calls.map(|call| String::from(call.member.clone())).collect();
            (methods, test)
        })
        .collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let used = |(methods, _): &(Vec<String>, Assembled)| -> usize {
            methods.iter().filter_map(|method| uses.get(method)).sum()
        };
        // The first of equals, so that cheap ones stay ahead.
        let next = (0..left.len()).min_by_key(|&at| used(&left[at])).unwrap_or(0);
        let (methods, test) = left.remove(next);
        for method in methods {
            *uses.entry(method).or_default() += 1;
        }
        ordered.push(test);
    }
    ordered
}

/// The candidate that a test makes.
pub(crate) fn candidate(builder: &mut PlanBuilder<'_>, test: Assembled) -> Option<Candidate> {
    let calls: Vec<&Call> = test.fused.threads.iter().flatten().collect();
    let index = |call: &&Call| builder.index_of(&call.member);
    let pair = match calls.as_slice() {
        [first, second] => index(first).zip(index(second)),
        _ => None,
    };
    let receivers: Vec<String> = calls.iter().filter_map(|call| call.on.clone()).collect();
    let changed: Vec<usize> = calls.iter().filter_map(index).collect();
    let mut draft = PlanDraft::with(test.fused.prefix, test.fused.threads);
    if test.mode == Mode::Exception {
        let mut objects = receivers;
        objects.sort_unstable();
        objects.dedup();
        builder.observe_each(&mut draft, &objects, &changed, true, OBSERVERS);
    }
    let mut candidate = builder.finish(draft, test.mode, pair, test.text)?;
    candidate.predictions = test.predictions;
    Some(candidate)
}

impl Strategy for Predicted<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn next(&mut self) -> Option<Candidate> {
        while let Some(mut test) = self.queue.pop_front() {
            let is_open = |prediction: &Prediction| {
                let times = self.realised.get(&prediction.mark).copied().unwrap_or(0);
                times < TIMES && !self.observable.contains(&prediction.mark)
            };
            test.predictions.retain(is_open);
            test.predictions.truncate(MOST_PREDICTIONS);
            if test.predictions.is_empty() {
                continue;
            }
            if let Some(candidate) = candidate(&mut self.builder, test) {
                return Some(candidate);
            }
        }
        None
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        self.builder.learn(number, feedback);
        for mark in &feedback.realised {
            *self.realised.entry(mark.clone()).or_default() += 1;
        }
        self.observable.extend(feedback.observable.iter().cloned());
    }

    fn numbers(&self) -> Vec<(&'static str, u64)> {
        self.numbers.clone()
    }
}
