//! The random walk: at every point each enabled thread is equally likely. The baseline for `pct` and `pos`; both papers
//! call it RW or "random walk".

use raddle_plan::{Order, Run};

use crate::rng::run_seed;
use crate::scheduler::{Claim, Scheduler};

/// The random walk.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    index: u64,
}

impl Random {
    /// The walks that follow from this seed, beginning with number `from`.
    pub const fn new(seed: u64, from: u64) -> Random {
        Random { seed, index: from }
    }
}

impl Scheduler for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let first = self.index;
        self.index += most as u64;
        (first..self.index)
            .map(|index| Order::Random {
                seed: run_seed(self.seed, index),
            })
            .collect()
    }

    fn observe(&mut self, _order: &Order, _run: &Run) {}

    fn needs_steps(&self) -> bool {
        false
    }

    fn claim(&self) -> Option<Claim> {
        None
    }
}
