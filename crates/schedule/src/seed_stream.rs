//! Seeds of runs that have nothing else to tell them apart.

use crate::rng::run_seed;

/// Seeds of runs, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct SeedStream {
    base: u64,
    /// Of the next run.
    index: u64,
}

impl SeedStream {
    /// Those that follow from this seed, beginning with number `from`.
    pub(crate) const fn new(base: u64, from: u64) -> SeedStream {
        SeedStream { base, index: from }
    }

    pub(crate) fn next(&mut self, count: usize) -> impl Iterator<Item = u64> + use<> {
        let (base, first) = (self.base, self.index);
        self.index += count as u64;
        (first..self.index).map(move |index| run_seed(base, index))
    }
}
