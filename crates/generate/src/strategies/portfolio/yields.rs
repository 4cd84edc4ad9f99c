//! How sources of tests have paid, and what they have cost.

use crate::Feedback;

/// Deadlock tests for each conflict test, while there are both: they are the surer kind, but a class may have hundreds.
const DEADLOCKS_AHEAD: usize = 3;
/// Tests without a violation after which a source of them gets fewer turns.
const PATIENCE: usize = 24;

/// Scheduling points that a test counts for which was cut because it took too long: what a JVM does in about a second.
const CUT: u64 = 1_000_000;

/// What a source of tests has come to.
#[derive(Copy, Clone, Debug, Default)]
pub(in crate::strategies) struct Yield {
    tests: usize,
    violations: usize,
    work: u64,
}

impl Yield {
    pub(in crate::strategies) fn count(&mut self, feedback: &Feedback) {
        self.tests += 1;
        self.violations += usize::from(feedback.violation);
        self.work += if feedback.is_slow { CUT } else { feedback.work };
    }

    /// Whether it has had no more than its share. Turns alone do not tell: one test can take as long as ten others.
    pub(super) fn is_due(self, others: Yield) -> bool {
        self.work <= others.work
    }

    fn is_poor(self) -> bool {
        self.tests >= PATIENCE && self.violations == 0
    }

    /// Every which turn it gets: the first number, or the second if it has not paid.
    pub(in crate::strategies) fn pace(self, usual: usize, poor: usize) -> usize {
        if self.is_poor() { poor } else { usual }
    }

    /// Every which turn is one for conflicts, as deadlocks have paid.
    pub(super) fn conflicts_every(self) -> usize {
        self.pace(DEADLOCKS_AHEAD + 1, 2)
    }
}
