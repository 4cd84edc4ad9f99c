//! No control at all: the threads run in parallel, as in the papers that test without a scheduler (`ConTeGe`, `CovCon`).
//! For comparison with them, and for confirmation.

use raddle_plan::Order;

use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::Scheduler;
use crate::seed_stream::SeedStream;

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "stress",
    parameter: None,
    about: "stress leaves it to the operating system.",
    resume: Resume::Anywhere,
};

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    written.alone(Config::Stress)
}

pub(crate) const fn build(seed: u64, from: u64) -> Stress {
    Stress::new(seed, from)
}

/// No control.
#[derive(Clone, Debug)]
pub struct Stress(SeedStream);

impl Stress {
    /// The runs that follow from this seed, beginning with number `from`. The seed varies only when threads start.
    pub const fn new(seed: u64, from: u64) -> Stress {
        Stress(SeedStream::new(seed, from))
    }
}

impl Scheduler for Stress {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let seeds = self.0.next(most);
        seeds.map(|seed| Order::Stress { seed }).collect()
    }
}
