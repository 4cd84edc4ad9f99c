//! No control at all: the threads run in parallel, as in the papers that test without a scheduler (`ConTeGe`, `CovCon`).
//! For comparison with them, and for confirmation.

use raddle_plan::{Order, Run};

use crate::rng::run_seed;
use crate::scheduler::{Claim, Scheduler};

/// No control.
#[derive(Clone, Debug)]
pub struct Stress {
    seed: u64,
    index: u64,
}

impl Stress {
    /// The runs that follow from this seed, beginning with number `from`. The seed varies only when threads start.
    pub const fn new(seed: u64, from: u64) -> Stress {
        Stress { seed, index: from }
    }
}

impl Scheduler for Stress {
    fn name(&self) -> &'static str {
        "stress"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let first = self.index;
        self.index += most as u64;
        (first..self.index)
            .map(|index| Order::Stress {
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
