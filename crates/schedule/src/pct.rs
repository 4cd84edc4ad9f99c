//! Probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with
//! probabilistic guarantees of finding bugs", ASPLOS 2010, the algorithm of section 2.
//!
//! Threads get random priorities, the highest enabled one runs, and at d − 1 random points among the k steps the running
//! thread falls below all others. A bug of depth d is found with a probability of at least 1 / (n·k^(d−1)).
//!
//! Deviations:
//! - Each fall goes below all earlier ones; in the paper the i-th point drawn falls to rank i, whenever it comes. That
//!   makes no difference for d ≤ 2, and for two threads it is better: none of the falls is without effect. Coyote and
//!   Shuttle do the same.
//! - n is not asked for: the priorities are a random order of more threads than take part, and any part of a random
//!   order is in random order.
//! - k counts only the points from the first to the last at which more than one thread could run. They are measured: the
//!   first runs have no changes, and the longest of them decides; a longer run seen later raises k from the next whole
//!   [`EPOCH`] on, so that the orders do not depend on how many are asked for at a time.

use raddle_plan::{Order, Run};

use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::rng::{Rng, run_seed};
use crate::scheduler::Scheduler;

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "pct",
    parameter: Some("DEPTH"),
    about: "pct:DEPTH gives threads priorities that change DEPTH - 1 times.",
    resume: Resume::AfterProbes(Pct::PROBES),
};
const DEFAULT_DEPTH: u32 = 3;

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    let depth = written.number("depth", 1, DEFAULT_DEPTH)?;
    Ok(Config::Pct { depth })
}

pub(crate) fn build(depth: u32, seed: u64, from: u64) -> Pct {
    Pct::new(seed, depth, from)
}

/// What was learned takes effect at multiples of this.
const EPOCH: u64 = 1024;
/// Priorities are drawn for at least so many threads.
const FEWEST_PRIORITIES: u32 = 8;

/// Probabilistic concurrency testing.
#[derive(Clone, Debug)]
pub struct Pct {
    seed: u64,
    depth: u32,
    from: u64,
    /// Of the next order.
    index: u64,
    learned: Extent,
    in_use: Extent,
}

/// Where changes matter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Extent {
    /// The first point at which more than one thread could run.
    first: Option<u32>,
    /// The greatest number of points from the first to the last such point.
    span: u32,
    /// The least number of points after the last such point.
    tail: u32,
    /// Threads that took part, the main one included.
    threads: u32,
}

impl Pct {
    /// So many runs without changes come first, whatever number a search begins with.
    pub const PROBES: u64 = 8;

    /// Runs for bugs of this depth that follow from the seed. The probes are always made; then come the runs from
    /// number `from` on.
    pub fn new(seed: u64, depth: u32, from: u64) -> Pct {
        let nothing = Extent {
            first: None,
            span: 0,
            tail: u32::MAX,
            threads: 0,
        };
        Pct {
            seed,
            depth: depth.max(1),
            from,
            index: 0,
            learned: nothing,
            in_use: nothing,
        }
    }

    /// The k that the next orders are made with, as far as it is known.
    pub const fn span(&self) -> u32 {
        self.in_use.span
    }

    fn order(&self, index: u64) -> Order {
        let mut rng = Rng::new(run_seed(self.seed, index));
        let width = self.in_use.threads.max(FEWEST_PRIORITIES);
        let priorities = rng.permutation(width).into_iter().map(u32::cast_signed).collect();
        let mut changes = Vec::new();
        if index >= Pct::PROBES {
            // At the first point no thread has done anything yet: the changes come after step 1 to k.
            let first = self.in_use.first.unwrap_or(0);
            for _ in 1..self.depth {
                changes.push(first + 1 + rng.below(self.in_use.span));
            }
            changes.sort_unstable();
        }
        Order::Pct { priorities, changes }
    }
}

impl Extent {
    fn learn(&mut self, run: &Run) {
        let several = |step: &raddle_plan::Step| step.enabled.count_ones() > 1;
        if let (Some(first), Some(last)) = (
            run.steps.iter().position(several),
            run.steps.iter().rposition(several),
        ) {
            let (first, last) = (first as u32, last as u32);
            self.first = Some(self.first.map_or(first, |before| before.min(first)));
            self.span = self.span.max(last - first + 1);
            self.tail = self.tail.min((run.steps.len() as u32).saturating_sub(last + 1));
            let took_part = run.steps.iter().fold(0, |all, step| all | step.enabled);
            self.threads = self.threads.max(u64::BITS - took_part.leading_zeros());
        } else {
            let tail = if self.tail == u32::MAX { 0 } else { self.tail };
            let around = self.first.unwrap_or(0).saturating_add(tail);
            self.span = self.span.max(run.length.saturating_sub(around));
        }
    }
}

impl Scheduler for Pct {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        if self.index == Pct::PROBES || self.index.is_multiple_of(EPOCH) {
            self.in_use = self.learned;
            self.index = self
                .index
                .max(if self.index == Pct::PROBES { self.from } else { 0 });
        }
        let end = if self.index < Pct::PROBES {
            Pct::PROBES
        } else {
            (self.index / EPOCH + 1) * EPOCH
        };
        let first = self.index;
        self.index = end.min(first + most as u64);
        (first..self.index).map(|index| self.order(index)).collect()
    }

    fn observe(&mut self, _order: &Order, run: &Run) {
        self.learned.learn(run);
    }

    fn needs_steps(&self) -> bool {
        self.index <= Pct::PROBES
    }
}

#[cfg(test)]
mod tests {
    use raddle_plan::Step;

    use super::*;

    fn run(alone: usize, together: usize, after: usize) -> Run {
        let step = |enabled| Step {
            enabled,
            chosen: 0,
            could_stay: true,
            boundary: false,
            yielded: false,
            shared: false,
            touch: None,
        };
        let steps: Vec<Step> = std::iter::repeat_n(step(0b001), alone)
            .chain(std::iter::repeat_n(step(0b110), together))
            .chain(std::iter::repeat_n(step(0b001), after))
            .collect();
        Run {
            length: steps.len() as u32,
            steps,
            ..Run::default()
        }
    }

    fn all(pct: &mut Pct, batch: usize, count: usize, run: &Run) -> Vec<Order> {
        let mut orders = Vec::new();
        while orders.len() < count {
            let some = pct.next(batch);
            for order in &some {
                pct.observe(order, run);
            }
            orders.extend(some);
        }
        orders.truncate(count);
        orders
    }

    #[test]
    fn changes_fall_where_several_threads_can_run() {
        let mut pct = Pct::new(1, 3, 0);
        assert!(pct.needs_steps());
        let orders = all(&mut pct, 100, 3000, &run(10, 20, 30));
        assert!(!pct.needs_steps());
        let mut seen = std::collections::BTreeSet::new();
        for (index, order) in orders.iter().enumerate() {
            let Order::Pct { priorities, changes } = order else {
                panic!("{order:?}")
            };
            assert_eq!(priorities.len(), 8);
            assert_eq!(changes.len(), if index < 8 { 0 } else { 2 });
            assert!(changes.is_sorted());
            seen.extend(changes.iter().copied());
        }
        assert_eq!(seen, (11..=30).collect());
    }

    #[test]
    fn orders_do_not_depend_on_the_size_of_the_batches() {
        let run = run(3, 500, 3);
        assert_eq!(
            all(&mut Pct::new(9, 2, 0), 1, 2500, &run),
            all(&mut Pct::new(9, 2, 0), 777, 2500, &run)
        );
    }

    #[test]
    fn a_search_goes_on_where_another_one_stopped() {
        let run = run(3, 50, 3);
        let whole = all(&mut Pct::new(4, 2, 0), 64, 400, &run);
        let second = all(&mut Pct::new(4, 2, 300), 64, 108, &run);
        assert_eq!(whole[300..], second[8..]);
        assert_eq!(whole[..8], second[..8]);
    }

    #[test]
    fn longer_runs_raise_the_number_of_points() {
        let mut pct = Pct::new(4, 2, 0);
        all(&mut pct, 64, 8, &run(10, 20, 5));
        pct.next(1);
        assert_eq!(pct.span(), 20);
        let longer = Run {
            length: 65,
            ..Run::default()
        };
        all(&mut pct, 64, 1024, &longer);
        assert_eq!(pct.span(), 50);
    }
}
