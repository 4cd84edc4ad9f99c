//! Who holds which monitor in the course of a run, as far as its events say.
//!
//! An `exit` is recorded when its thread goes on after it, and the monitor is free before that: another thread's `enter`
//! may come first. So whoever enters a monitor shows that its owner has left it. Monitors that are taken while a class is
//! being initialised, or by the main thread while it is alone, do not show at all.

use std::collections::BTreeMap;

use raddle_plan::{Event, EventKind};

/// A monitor in the hands of a thread.
#[derive(Clone, Debug)]
pub(super) struct Held<'e> {
    /// The monitor.
    pub(super) object: u32,
    /// How it was taken.
    pub(super) taken: &'e Event,
    depth: u32,
    /// Given up in `Object.wait`, to be taken again.
    is_waiting: bool,
}

/// A monitor was taken by a thread that did not have it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// The thread that has just left it, if its `exit` is still to come.
    pub(super) left_by: Option<u32>,
}

/// The monitors that threads hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Monitors<'e> {
    by_thread: BTreeMap<u32, Vec<Held<'e>>>,
}

impl<'e> Monitors<'e> {
    /// The monitors of a thread, in the order in which they were taken.
    pub(super) fn of(&self, thread: u32) -> impl Iterator<Item = &Held<'e>> {
        let held = self.by_thread.get(&thread).into_iter().flatten();
        held.filter(|held| !held.is_waiting)
    }

    /// An event happens. Says if it takes a monitor; entering one again does not.
    pub(super) fn step(&mut self, event: &'e Event) -> Option<Taken> {
        let own = self.by_thread.entry(event.thread).or_default();
        if event.kind != EventKind::Woken {
            // After an interrupt there is no waiting, and the monitor was never given up.
            for held in own.iter_mut() {
                held.is_waiting = false;
            }
        }
        let position = own.iter().position(|held| held.object == event.object);
        let known = position.and_then(|position| own.get_mut(position));
        match (event.kind, known) {
            (EventKind::Enter, Some(held)) => held.depth += 1,
            (EventKind::Woken, Some(held)) => {
                held.is_waiting = false;
                return Some(self.taken(event));
            }
            (EventKind::Enter | EventKind::Woken, None) => {
                own.push(Held {
                    object: event.object,
                    taken: event,
                    depth: 1,
                    is_waiting: false,
                });
                return Some(self.taken(event));
            }
            (EventKind::Wait, Some(held)) => held.is_waiting = true,
            (EventKind::Exit, Some(held)) => {
                held.depth -= 1;
                if held.depth == 0 {
                    own.retain(|held| held.object != event.object);
                }
            }
            // Between two calls of the plan no monitor is held.
            (EventKind::Call, _) => own.clear(),
            _ => {}
        }
        None
    }

    fn taken(&mut self, event: &Event) -> Taken {
        let mut left_by = None;
        for (&thread, held) in &mut self.by_thread {
            let before = held.len();
            if thread != event.thread {
                held.retain(|held| held.object != event.object || held.is_waiting);
            }
            if held.len() < before {
                left_by = Some(thread);
            }
        }
        Taken { left_by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::made::lock;

    fn held(events: &[Event], thread: u32) -> Vec<u32> {
        let mut monitors = Monitors::default();
        for event in events {
            monitors.step(event);
        }
        monitors.of(thread).map(|held| held.object).collect()
    }

    #[test]
    fn a_monitor_is_held_until_it_was_left_as_often_as_entered() {
        let mut events = vec![
            lock(1, "enter", 7, 10),
            lock(1, "enter", 8, 11),
            lock(1, "enter", 7, 12),
            lock(1, "exit", 7, 13),
        ];
        assert_eq!(held(&events, 1), [7, 8]);
        events.push(lock(1, "exit", 7, 14));
        assert_eq!(held(&events, 1), [8]);
    }

    #[test]
    fn entering_again_takes_nothing() {
        let events = [lock(1, "enter", 7, 10), lock(1, "enter", 7, 11)];
        let mut monitors = Monitors::default();
        assert_eq!(monitors.step(&events[0]), Some(Taken { left_by: None }));
        assert_eq!(monitors.step(&events[1]), None);
    }

    #[test]
    fn who_enters_a_monitor_shows_that_its_owner_has_left_it() {
        let events = [
            lock(1, "enter", 7, 10),
            lock(2, "enter", 7, 10),
            lock(1, "exit", 7, 11),
        ];
        let mut monitors = Monitors::default();
        monitors.step(&events[0]);
        assert_eq!(monitors.step(&events[1]), Some(Taken { left_by: Some(1) }));
        monitors.step(&events[2]);
        assert_eq!(monitors.of(1).count(), 0);
        assert_eq!(monitors.of(2).count(), 1);
    }

    #[test]
    fn a_thread_that_waits_holds_its_monitor_only_afterwards() {
        let mut events = vec![
            lock(1, "enter", 7, 10),
            lock(1, "enter", 7, 11),
            lock(1, "wait", 7, 12),
            lock(2, "enter", 7, 20),
        ];
        assert_eq!((held(&events, 1), held(&events, 2)), (vec![], vec![7]));
        events.push(lock(2, "exit", 7, 21));
        events.push(lock(1, "woken", 7, 12));
        events.push(lock(1, "exit", 7, 13));
        assert_eq!((held(&events, 1), held(&events, 2)), (vec![7], vec![]));
    }

    #[test]
    fn a_wait_that_is_interrupted_at_once_keeps_its_monitor() {
        let events = [
            lock(1, "enter", 7, 10),
            lock(1, "wait", 7, 11),
            lock(1, "loop", 0, 12),
        ];
        assert_eq!(held(&events, 1), [7]);
    }

    #[test]
    fn nothing_is_held_between_two_calls() {
        let events = [lock(1, "enter", 7, 10), lock(1, "call", 0, 0)];
        assert!(held(&events, 1).is_empty());
    }
}
