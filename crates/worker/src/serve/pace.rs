//! How many schedules go into one batch.

use std::time::Duration;

/// Long enough that the cost of a call into the JVM does not show, short enough that a user who cancels does not
/// notice the wait.
const TARGET: Duration = Duration::from_millis(30);
/// Until the first time is known.
const FIRST: u64 = 8;
/// A batch that is interrupted is lost, and its orders are held in memory.
const MOST: u64 = 4096;

/// How many schedules go into one batch, learnt from how long they take.
#[derive(Debug)]
pub(super) struct Pace {
    size: u64,
}

impl Pace {
    pub(super) fn new() -> Pace {
        Pace { size: FIRST }
    }

    /// For the next batch, which may take at most `left`.
    pub(super) fn size(&self, left: Option<Duration>) -> u64 {
        let Some(left) = left else { return self.size };
        // Near the end of the budget the batch shrinks with what is left of it.
        if left >= TARGET {
            return self.size;
        }
        let share = u64::try_from(left.as_micros() * u128::from(self.size) / TARGET.as_micros());
        share.unwrap_or(self.size).max(1)
    }

    /// Takes note of how long a batch took.
    pub(super) fn took(&mut self, count: u64, time: Duration) {
        // In nanoseconds: a quick schedule takes few microseconds.
        let each = (time.as_nanos() / u128::from(count.max(1))).max(1);
        let ideal = u64::try_from(TARGET.as_nanos() / each).unwrap_or(MOST);
        // At most four times as many at once: the first runs load classes, the next ones are compiled.
        self.size = ideal.clamp(1, (self.size * 4).min(MOST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_of_quick_schedules_grows_to_the_target() {
        let mut pace = Pace::new();
        for _ in 0..20 {
            let count = pace.size(None);
            pace.took(count, Duration::from_micros(20 * count));
        }
        assert_eq!(pace.size(None), 1500);
    }

    #[test]
    fn a_slow_schedule_goes_alone() {
        let mut pace = Pace::new();
        pace.took(8, Duration::from_secs(4));
        assert_eq!(pace.size(None), 1);
    }

    #[test]
    fn a_batch_never_grows_without_bound() {
        let mut pace = Pace::new();
        for _ in 0..20 {
            let count = pace.size(None);
            pace.took(count, Duration::ZERO);
        }
        assert_eq!(pace.size(None), MOST);
    }

    #[test]
    fn the_last_batch_fits_into_what_is_left() {
        let mut pace = Pace::new();
        for _ in 0..20 {
            let count = pace.size(None);
            pace.took(count, Duration::from_micros(20 * count));
        }
        assert_eq!(pace.size(Some(Duration::from_millis(15))), 750);
        assert_eq!(pace.size(Some(Duration::ZERO)), 1);
    }
}
