//! The scheduler that a request names, set to begin at any number.

use raddle_schedule::{Config, Scheduler};

/// So many runs without changes are made by `pct` before all others, whatever number it begins at.
const PCT_PROBES: u64 = 8;

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
        let repeated = match config {
            Config::Pct { .. } => PCT_PROBES.min(from),
            _ if config.begins_anew() => from,
            _ => 0,
        };
        Policy {
            scheduler: config.build(seed, from),
            first: from - repeated,
            repeated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pct_repeats_its_probes() {
        let mut whole = Policy::new(Config::Pct { depth: 2 }, 5, 0);
        let probes = whole.scheduler.next(100);
        assert_eq!(probes.len() as u64, PCT_PROBES);
        let mut later = Policy::new(Config::Pct { depth: 2 }, 5, 500);
        assert_eq!((later.first, later.repeated), (492, PCT_PROBES));
        assert_eq!(later.scheduler.next(100), probes);
    }

    #[test]
    fn random_goes_on_where_it_is_told() {
        let policy = Policy::new(Config::Random, 5, 500);
        assert_eq!((policy.first, policy.repeated), (500, 0));
    }
}
