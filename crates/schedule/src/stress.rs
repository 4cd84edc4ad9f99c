//! No control at all: the threads run in parallel, as in the papers that test without a scheduler (`ConTeGe`, `CovCon`).
//! For comparison with them, and for confirmation.

use raddle_plan::Order;

use crate::scheduler::Scheduler;
use crate::seeds::Seeds;

/// No control.
#[derive(Clone, Debug)]
pub struct Stress(Seeds);

impl Stress {
    /// The runs that follow from this seed, beginning with number `from`. The seed varies only when threads start.
    pub const fn new(seed: u64, from: u64) -> Stress {
        Stress(Seeds::new(seed, from))
    }
}

impl Scheduler for Stress {
    fn name(&self) -> &'static str {
        "stress"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let seeds = self.0.next(most);
        seeds.map(|seed| Order::Stress { seed }).collect()
    }
}
