//! Where the time of a session went.

use std::time::Duration;

/// Time that a session waited for its workers, by what they did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Starting JVMs.
    pub starting: Duration,
    /// Loading plans, and the classes that they need.
    pub loading: Duration,
    /// Running calls one after the other, to know what is right.
    pub sequential: Duration,
    /// Running schedules.
    pub schedules: Duration,
    /// Runs that tell every access, to foresee others.
    pub tracing: Duration,
}

impl Spent {
    /// All of it.
    pub fn total(&self) -> Duration {
        self.starting + self.loading + self.sequential + self.schedules + self.tracing
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.starting += other.starting;
        self.loading += other.loading;
        self.sequential += other.sequential;
        self.schedules += other.schedules;
        self.tracing += other.tracing;
    }
}
