//! Partial order sampling: Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018, the algorithm POS.
//!
//! Every operation that a thread is about to do has a random priority, and the highest enabled one is done. After that,
//! the operations it races with draw anew; without that, an operation that lost once would be likely to lose again.
//! Threads that have nothing to do with each other do not influence each other's order, so that the samples spread over
//! partial orders and not over the many ways to write each of them down. The draws are made by the runtime: here are only
//! the seeds.
//!
//! Deviation: the paper draws for an operation when it becomes enabled, the runtime when the thread announces it.

use raddle_plan::Order;

use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::Scheduler;
use crate::seed_stream::SeedStream;

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "pos",
    parameter: None,
    about: "pos gives every operation a priority.",
    resume: Resume::Anywhere,
};

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    written.alone(Config::Pos)
}

pub(crate) const fn build(seed: u64, from: u64) -> Pos {
    Pos::new(seed, from)
}

/// Partial order sampling.
#[derive(Clone, Debug)]
pub struct Pos(SeedStream);

impl Pos {
    /// The samples that follow from this seed, beginning with number `from`.
    pub const fn new(seed: u64, from: u64) -> Pos {
        Pos(SeedStream::new(seed, from))
    }
}

impl Scheduler for Pos {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let seeds = self.0.next(most);
        seeds.map(|seed| Order::Pos { seed }).collect()
    }
}
