//! Where the time of a class went.

use std::time::Duration;

use raddle_execute::{SessionError, Spent};

use crate::clock::Clock;
use crate::executor::Executor;

/// Where the time of a class went. What several workers spend on tests at the same time counts as often; the rest is by the
/// clock.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// Looking at the bytecode.
    pub analysis: Duration,
    /// Making tests, and hearing what came of them.
    pub generation: Duration,
    /// Sequential tests that predictions are made from.
    pub seeds: Duration,
    /// What the workers did for tests.
    pub tests: Spent,
    /// Judging what they did.
    pub judging: Duration,
    /// Making violations smaller, and making sure of them.
    pub settling: Duration,
}

impl TimeSpent {
    /// What a test took, of which the workers had `spent`.
    pub(crate) fn tested(&mut self, took: Duration, spent: Spent) {
        self.tests += spent;
        self.judging += took.saturating_sub(spent.total());
    }
}

/// Does something in a session, and says how long it took, and how long the workers had of that.
pub(crate) fn timed<T>(
    session: &mut dyn Executor,
    clock: &Clock,
    work: impl FnOnce(&mut dyn Executor) -> Result<T, SessionError>,
) -> Result<(T, Duration, Spent), SessionError> {
    // Whatever was spent before is somebody else's.
    session.take_spent();
    let begun = clock.now();
    let answer = work(session)?;
    Ok((answer, clock.since(begun), session.take_spent()))
}
