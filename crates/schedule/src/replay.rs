//! One recorded run, once more.

use raddle_plan::{Order, Schedule};

use crate::scheduler::Scheduler;

/// Repeats a recorded run, a given number of times.
#[derive(Clone, Debug)]
pub struct Replay {
    schedule: Schedule,
    left: usize,
}

impl Replay {
    /// The run, once.
    pub const fn new(schedule: Schedule) -> Replay {
        Replay::repeated(schedule, 1)
    }

    /// The run, so many times: to see whether it always ends the same way.
    pub const fn repeated(schedule: Schedule, times: usize) -> Replay {
        Replay {
            schedule,
            left: times,
        }
    }
}

impl Scheduler for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let now = most.min(self.left);
        self.left -= now;
        vec![Order::Tape(self.schedule.switches.clone()); now]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_ends_when_it_was_made_often_enough() {
        let mut replay = Replay::repeated(Schedule::default(), 3);
        assert_eq!(replay.next(2).len(), 2);
        assert_eq!(replay.next(2), [Order::Tape(Vec::new())]);
        assert!(replay.next(2).is_empty());
        assert_eq!(Replay::new(Schedule::default()).next(5).len(), 1);
    }
}
