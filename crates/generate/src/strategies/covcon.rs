//! CovCon (Choudhary, Lu and Pradel, "Efficient detection of thread safety violations via coverage-guided generation of
//! concurrent tests", ICSE 2017): Definition 2, Algorithm 2 and section IV-D. Which calls ran at the same time
//! (Algorithm 1) is for the engine to say; it comes as feedback.
//!
//! Deviations: the search does not end with the first violation; arguments are made in the prefix; no test is made
//! twice, so that a pair without arguments to vary can run out of tests.

use std::collections::VecDeque;

use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;
use crate::{Candidate, Feedback, Mode, Strategy};

use super::priority::Priorities;
use super::random::MAX_PREFIX;

/// Tests of a pair with short suffixes, before long ones.
const SHORT_TESTS: u64 = 5;
const SHORT: usize = 2;
const LONG: usize = 5;
/// Pairs in a row that give no new test before the supply counts as exhausted.
const TRIES: usize = 1000;

/// Coverage-guided tests.
pub(crate) struct Covcon<'p> {
    builder: PlanBuilder<'p>,
    priorities: Priorities,
    /// Tests that were made with the last one.
    ready: VecDeque<Candidate>,
}

impl<'p> Covcon<'p> {
    pub(crate) fn new(builder: PlanBuilder<'p>) -> Covcon<'p> {
        let methods: Vec<usize> = builder.callables().iter().map(|one| one.index).collect();
        let pairs = methods
            .iter()
            .flat_map(|&first| methods.iter().map(move |&second| (first, second)));
        let priorities = Priorities::new(pairs.filter(|(first, second)| first <= second));
        Covcon {
            builder,
            priorities,
            ready: VecDeque::new(),
        }
    }

    /// `generateTests`: one test without further calls in the prefix, one with up to five.
    fn tests(&mut self, pair: (usize, usize)) {
        for has_prefix in [false, true] {
            let made = (self.priorities.tried(pair) - 1) * 2 + u64::from(has_prefix);
            let longest = if made < SHORT_TESTS { SHORT } else { LONG };
            let candidate = self.draft(pair, has_prefix, longest).and_then(|draft| {
                let text = self.builder.pair_text(pair.0, "∥", pair.1);
                self.builder.finish(draft, Mode::Exception, Some(pair), text)
            });
            self.ready.extend(candidate);
        }
    }

    fn draft(&mut self, pair: (usize, usize), has_prefix: bool, longest: usize) -> Option<PlanDraft> {
        let builder = &mut self.builder;
        let mut draft = PlanDraft::default();
        let object = if builder.has_subject() {
            Some(builder.subject(&mut draft, Taste::Drawn)?)
        } else {
            None
        };
        let object = object.as_deref();
        if has_prefix {
            let count = 1 + builder.values.rng.below(MAX_PREFIX);
            builder.random_prefix(&mut draft, object, count);
        }
        // Both suffixes have the same length: m1 m2 m1 .. and m2 m1 m2 ..
        let length = if longest == SHORT {
            SHORT
        } else {
            1 + builder.values.rng.below(longest)
        };
        for order in [[pair.0, pair.1], [pair.1, pair.0]] {
            let mut calls = Vec::new();
            for index in order.into_iter().cycle().take(length) {
                calls.push(builder.call(&mut draft, index, object, &[], Taste::Drawn)?);
            }
            draft.threads.push(calls);
        }
        let objects: Vec<String> = object.map(str::to_owned).into_iter().collect();
        builder.observe_objects(&mut draft, &objects, &[pair.0, pair.1], true);
        Some(draft)
    }
}

impl Strategy for Covcon<'_> {
    fn name(&self) -> &'static str {
        "covcon"
    }

    fn next(&mut self) -> Option<Candidate> {
        for _ in 0..TRIES {
            if let Some(candidate) = self.ready.pop_front() {
                return Some(candidate);
            }
            let pair = self.priorities.next(&mut self.builder.values.rng)?;
            self.tests(pair);
        }
        None
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        self.builder.learn(number, feedback);
        self.priorities.cover(&feedback.covered);
    }
}
