//! The scheduler that a request names, set to begin at any number.

use raddle_schedule::{Config, ConfigError, Scheduler};

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

/// The scheduler that the text names, set to begin with run number `from`.
pub(super) fn parse(text: &str, seed: u64, from: u64) -> Result<Policy, ConfigError> {
    let config: Config = text.parse()?;
    let repeated = match config {
        Config::Pct { .. } => PCT_PROBES.min(from),
        Config::Random | Config::Pos | Config::Directed(_) | Config::Stress => 0,
        // Built from its own runs, so that it always begins anew.
        Config::Bounded { .. } | Config::Focused { .. } | Config::Dpor => from,
    };
    Ok(Policy {
        scheduler: config.build(seed, from),
        first: from - repeated,
        repeated,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pct_repeats_its_probes() {
        let mut whole = parse("pct:2", 5, 0).unwrap();
        let probes = whole.scheduler.next(100);
        assert_eq!(probes.len() as u64, PCT_PROBES);
        let mut later = parse("pct:2", 5, 500).unwrap();
        assert_eq!((later.first, later.repeated), (492, PCT_PROBES));
        assert_eq!(later.scheduler.next(100), probes);
    }

    #[test]
    fn random_goes_on_where_it_is_told() {
        let policy = parse("random", 5, 500).unwrap();
        assert_eq!((policy.first, policy.repeated), (500, 0));
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        assert!(parse("dice", 5, 0).is_err());
    }
}
