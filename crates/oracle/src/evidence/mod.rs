//! What the events of one run say about runs in another order: data races and locks that are taken crosswise.
//!
//! This goes with findings and predictions and is never a finding: a race may be on purpose, and a cycle of locks may be
//! impossible for reasons that do not show in locks.

mod clock;
pub(crate) mod location;
mod lock_order;
#[cfg(test)]
pub(crate) mod made;
mod monitors;
mod order;
mod races;

use std::fmt;

use raddle_plan::{Event, FieldRef};
use serde::{Deserialize, Serialize};

pub use lock_order::{LockCycle, LockEdge, LockUse};
pub use races::{Access, Race};

/// What the events of one run say about runs in another order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEvidence {
    /// Accesses that nothing orders.
    pub races: Vec<Race>,
    /// Locks that threads take crosswise.
    pub lock_cycles: Vec<LockCycle>,
}

/// Looks at the events of one run. `is_volatile` is asked with the fields that are accessed: events do not say it, while
/// the class that declares the field does.
pub fn evidence(events: &[Event], is_volatile: &dyn Fn(&FieldRef) -> bool) -> RunEvidence {
    RunEvidence {
        races: races::races(events, is_volatile),
        lock_cycles: lock_order::lock_cycles(events),
    }
}

/// One line for each race and each cycle.
impl fmt::Display for RunEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let races = self.races.iter().map(ToString::to_string);
        let cycles = self.lock_cycles.iter().map(ToString::to_string);
        let lines: Vec<String> = races.chain(cycles).collect();
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::made::{access, in_threads, lock};
    use super::*;
    use raddle_plan::EventKind;

    #[test]
    fn races_and_cycles_are_told_line_by_line() {
        let crossed = |thread: u32, first: u32, second: u32, line: u32| {
            [
                lock(thread, "enter", first, line),
                lock(thread, "enter", second, line + 1),
                access(thread, "write", "size", line + 2),
                lock(thread, "exit", second, line + 3),
                lock(thread, "exit", first, line + 4),
            ]
        };
        let run = [crossed(1, 7, 8, 10), crossed(2, 8, 7, 20)].concat();
        let ordered = evidence(&in_threads(&run), &|_| false);
        assert_eq!((ordered.races.len(), ordered.lock_cycles.len()), (0, 1));
        let unlocked: Vec<Event> = run
            .into_iter()
            .filter(|event| event.kind == EventKind::Write)
            .collect();
        let racy = evidence(&in_threads(&unlocked), &|_| false);
        assert_eq!((racy.races.len(), racy.lock_cycles.len()), (1, 0));
        let volatile = evidence(&in_threads(&unlocked), &|field| &*field.name == "size");
        assert_eq!(volatile, RunEvidence::default());
        let both = RunEvidence {
            races: racy.races,
            lock_cycles: ordered.lock_cycles,
        };
        assert_eq!(
            both.to_string(),
            "data race: Table.size is written at Table.java:12 by thread 1 and written at Table.java:22 by thread 2\n\
             Thread 1 takes Table#8 at Table.java:11 while it holds Table#7 (taken at Table.java:10); thread 2 takes \
             Table#7 at Table.java:21 while it holds Table#8 (taken at Table.java:20); in another order they would wait \
             for each other"
        );
    }

    #[test]
    fn a_run_without_events_says_nothing() {
        assert_eq!(evidence(&[], &|_| false).to_string(), "");
    }
}
