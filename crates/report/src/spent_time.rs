//! `spent_ms` of the document of a hunt: where the time went, to be written and read.

use std::time::Duration;

use raddle_campaign::{Spent, TimeSpent};
use serde::{Deserialize, Serialize};

use crate::hunt_json::milliseconds;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct SpentTime {
    analysis: f64,
    generation: f64,
    seeds: f64,
    starting: f64,
    loading: f64,
    sequential: f64,
    schedules: f64,
    tracing: f64,
    judging: f64,
    settling: f64,
}

impl From<&TimeSpent> for SpentTime {
    fn from(spending: &TimeSpent) -> SpentTime {
        let tests = &spending.tests;
        SpentTime {
            analysis: milliseconds(spending.analysis),
            generation: milliseconds(spending.generation),
            seeds: milliseconds(spending.seeds),
            starting: milliseconds(tests.starting),
            loading: milliseconds(tests.loading),
            sequential: milliseconds(tests.sequential),
            schedules: milliseconds(tests.schedules),
            tracing: milliseconds(tests.tracing),
            judging: milliseconds(spending.judging),
            settling: milliseconds(spending.settling),
        }
    }
}

impl From<&SpentTime> for TimeSpent {
    fn from(time: &SpentTime) -> TimeSpent {
        // A document that somebody has changed may hold anything.
        let duration =
            |milliseconds: f64| Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::ZERO);
        TimeSpent {
            analysis: duration(time.analysis),
            generation: duration(time.generation),
            seeds: duration(time.seeds),
            tests: Spent {
                starting: duration(time.starting),
                loading: duration(time.loading),
                sequential: duration(time.sequential),
                schedules: duration(time.schedules),
                tracing: duration(time.tracing),
            },
            judging: duration(time.judging),
            settling: duration(time.settling),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let spending = TimeSpent {
            analysis: Duration::from_millis(1),
            generation: Duration::from_millis(2),
            seeds: Duration::from_millis(3),
            tests: Spent {
                starting: Duration::from_millis(4),
                loading: Duration::from_millis(5),
                sequential: Duration::from_millis(6),
                schedules: Duration::from_millis(7),
                tracing: Duration::from_millis(8),
            },
            judging: Duration::from_millis(9),
            settling: Duration::from_hours(1),
        };
        let text = serde_json::to_string(&SpentTime::from(&spending)).unwrap();
        let time: SpentTime = serde_json::from_str(&text).unwrap();
        assert_eq!(TimeSpent::from(&time), spending);
    }
}
