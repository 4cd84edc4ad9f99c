//! The random walk: at every point each enabled thread is equally likely. The baseline for `pct` and `pos`; both papers
//! call it RW or "random walk".

use raddle_plan::Order;

use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::Scheduler;
use crate::seed_stream::SeedStream;

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "random",
    parameter: None,
    about: "random picks any thread at every step.",
    resume: Resume::Anywhere,
};

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    written.alone(Config::Random)
}

pub(crate) const fn build(seed: u64, from: u64) -> Random {
    Random::new(seed, from)
}

/// The random walk.
#[derive(Clone, Debug)]
pub struct Random(SeedStream);

impl Random {
    /// The walks that follow from this seed, beginning with number `from`.
    pub const fn new(seed: u64, from: u64) -> Random {
        Random(SeedStream::new(seed, from))
    }
}

impl Scheduler for Random {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let seeds = self.0.next(most);
        seeds.map(|seed| Order::Random { seed }).collect()
    }
}
