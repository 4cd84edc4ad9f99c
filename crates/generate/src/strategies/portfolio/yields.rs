//! How sources of tests have paid.

/// Deadlock tests for each conflict test, while there are both: they are the surer kind, but a class may have hundreds.
const DEADLOCKS_AHEAD: usize = 3;
/// Tests without a violation after which a source of them gets fewer turns.
const PATIENCE: usize = 24;

/// What a source of tests has come to.
#[derive(Copy, Clone, Debug, Default)]
pub(in crate::strategies) struct Yield {
    tests: usize,
    violations: usize,
}

impl Yield {
    pub(in crate::strategies) fn count(&mut self, is_violation: bool) {
        self.tests += 1;
        self.violations += usize::from(is_violation);
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
