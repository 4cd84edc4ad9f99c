//! The random walk: at every point each enabled thread is equally likely. The baseline for `pct` and `pos`; both papers
//! call it RW or "random walk".

use raddle_plan::Order;

use crate::scheduler::Scheduler;
use crate::seeds::Seeds;

/// The random walk.
#[derive(Clone, Debug)]
pub struct Random(Seeds);

impl Random {
    /// The walks that follow from this seed, beginning with number `from`.
    pub const fn new(seed: u64, from: u64) -> Random {
        Random(Seeds::new(seed, from))
    }
}

impl Scheduler for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let seeds = self.0.next(most);
        seeds.map(|seed| Order::Random { seed }).collect()
    }
}
