//! ConTeGe (Pradel and Gross, PLDI 2012), as described in CovCon (Choudhary, Lu and Pradel, ICSE 2017), sections III and
//! IV-D: random prefix, random suffixes on one object under test.
//!
//! Deviations: arguments are made in the prefix and not where they are used, so that both threads can share them; a
//! suffix has up to three calls; no test is made twice.

use crate::plan_builder::PlanBuilder;
use crate::{Candidate, Feedback, Strategy};

/// Random tests.
pub(crate) struct Contege<'p> {
    builder: PlanBuilder<'p>,
}

impl<'p> Contege<'p> {
    pub(crate) fn new(builder: PlanBuilder<'p>) -> Contege<'p> {
        Contege { builder }
    }
}

impl Strategy for Contege<'_> {
    fn name(&self) -> &'static str {
        "contege"
    }

    fn next(&mut self) -> Option<Candidate> {
        self.builder.random()
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        self.builder.learn(number, feedback);
    }
}
