//! The scheduler that a request names, set to begin at any number.

use raddle_schedule::{Config, Scheduler};

/// A scheduler and what its orders are numbered from.
pub(super) struct Policy {
    pub(super) scheduler: Box<dyn Scheduler>,
    /// Number of its first order.
    pub(super) first: u64,
    /// Orders that are repeated before the one it was to begin with.
    pub(super) repeated: u64,
}

impl Policy {
    /// A scheduler set to begin with run number `from`.
    pub(super) fn new(config: Config, seed: u64, from: u64) -> Policy {
        let repeated = config.repeated(from);
        Policy {
            scheduler: config.build(seed, from),
            first: from - repeated,
            repeated,
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_schedule::Pct;

    use super::*;

    #[test]
    fn pct_repeats_its_probes() {
        let mut whole = Policy::new(Config::Pct { depth: 2 }, 5, 0);
        let probes = whole.scheduler.next(100);
        assert_eq!(probes.len() as u64, Pct::PROBES);
        let mut later = Policy::new(Config::Pct { depth: 2 }, 5, 500);
        assert_eq!((later.first, later.repeated), (492, Pct::PROBES));
        assert_eq!(later.scheduler.next(100), probes);
    }

    #[test]
    fn random_goes_on_where_it_is_told() {
        let policy = Policy::new(Config::Random, 5, 500);
        assert_eq!((policy.first, policy.repeated), (500, 0));
    }
}
