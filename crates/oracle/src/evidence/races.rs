//! Data races: two plain accesses of different threads to one variable, at least one of them a write, with nothing that
//! orders them in the run that was made (Java Language Specification, section 17.4.5).
//!
//! Each access is compared with the last one from every place and thread: if that one comes before it, so do all earlier
//! ones from there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use raddle_plan::{Event, EventKind, FieldRef, Place, Target};
use serde::{Deserialize, Serialize};

use super::location::{self, Location};
use super::order::HappensBefore;
use crate::words;

/// Two accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Race {
    /// The variable: `Table.size`, or `array#4[3]` with the number that the array has in the events.
    pub location: String,
    /// The access that came first in this run.
    pub first: Access,
    /// The other.
    pub second: Access,
}

/// One side of a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Its position among the events.
    pub event: usize,
    /// The thread.
    pub thread: u32,
    /// Whether it writes.
    pub is_write: bool,
    /// Where.
    pub place: Option<Place>,
}

impl Access {
    fn of(at: usize, event: &Event) -> Access {
        Access {
            event: at,
            thread: event.thread,
            is_write: is_write(event),
            place: event.place.clone(),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_write { "written" } else { "read" };
        let at = words::at_line(self.place.as_ref());
        write!(f, "{what}{at} by {}", words::thread(self.thread))
    }
}

/// One line without a full stop.
impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race {
            location,
            first,
            second,
        } = self;
        write!(f, "data race: {location} is {first} and {second}")
    }
}

fn is_write(event: &Event) -> bool {
    event.kind == EventKind::Write
}

/// Code that accesses a variable. Without a place, the variable's name stands for it.
type Origin<'e> = (Option<&'e Place>, Option<&'e Target>);

fn origin(event: &Event) -> Origin<'_> {
    (event.place.as_ref(), event.target.as_ref())
}

/// The races of a run, one for each pair of places, in the order in which the second access shows them.
pub(super) fn races(events: &[Event], is_volatile: &dyn Fn(&FieldRef) -> bool) -> Vec<Race> {
    let mut order = HappensBefore::new(events, is_volatile);
    let mut accesses: BTreeMap<Location<'_>, Vec<usize>> = BTreeMap::new();
    let mut known: BTreeSet<[Origin<'_>; 2]> = BTreeSet::new();
    let mut races = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let (before, plain) = order.step(at, event);
        let Some(location) = plain else {
            continue;
        };
        let earlier = accesses.entry(location).or_default();
        for &other in earlier.iter() {
            let first = &events[other];
            let conflicts = first.thread != event.thread && (is_write(first) || is_write(event));
            if !conflicts || before.is_after(first.thread, other) {
                continue;
            }
            let mut pair = [origin(first), origin(event)];
            pair.sort_unstable();
            if known.insert(pair) {
                races.push(Race {
                    location: location::text(event),
                    first: Access::of(other, first),
                    second: Access::of(at, event),
                });
            }
        }
        earlier.retain(|&other| {
            let other = &events[other];
            other.thread != event.thread || other.kind != event.kind || origin(other) != origin(event)
        });
        earlier.push(at);
    }
    races
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::made::{access, in_threads, lock};

    /// Fields whose names begin with `v` are volatile.
    fn found(events: &[Event]) -> Vec<Race> {
        races(&in_threads(events), &|field| field.name.starts_with('v'))
    }

    /// Of each race, the lines of its accesses.
    fn lines(events: &[Event]) -> Vec<[u32; 2]> {
        let line = |access: &Access| access.place.as_ref().and_then(|place| place.line).unwrap();
        let races = found(events);
        races
            .iter()
            .map(|race| [line(&race.first), line(&race.second)])
            .collect()
    }

    fn in_monitor(monitor: u32, access: Event) -> [Event; 3] {
        let thread = access.thread;
        [
            lock(thread, "enter", monitor, 1),
            access,
            lock(thread, "exit", monitor, 2),
        ]
    }

    #[test]
    fn two_threads_without_any_order_race() {
        let races = found(&[access(1, "write", "size", 12), access(2, "read", "size", 30)]);
        assert_eq!(races.len(), 1, "{races:?}");
        assert_eq!((races[0].first.event, races[0].second.event), (6, 7));
        assert_eq!(
            races[0].to_string(),
            "data race: Table.size is written at Table.java:12 by thread 1 and read at Table.java:30 by thread 2"
        );
    }

    #[test]
    fn two_reads_do_not_race() {
        assert!(found(&[access(1, "read", "size", 12), access(2, "read", "size", 30)]).is_empty());
    }

    #[test]
    fn accesses_to_different_variables_do_not_race() {
        let of_another = Event {
            object: 9,
            ..access(2, "write", "size", 30)
        };
        assert!(found(&[access(1, "write", "size", 12), of_another]).is_empty());
        assert!(found(&[access(1, "write", "size", 12), access(2, "write", "count", 30)]).is_empty());
    }

    #[test]
    fn static_fields_and_elements_race_like_others() {
        let of_class = |event: Event| Event { object: 0, ..event };
        let write = of_class(access(1, "write", "count", 12));
        let read = of_class(access(2, "read", "count", 30));
        assert_eq!(lines(&[write, read]), [[12, 30]]);
        let element = |event: Event, index: i32| Event {
            target: None,
            index: Some(index),
            ..event
        };
        let write = element(access(1, "write", "", 12), 3);
        assert_eq!(
            lines(&[write.clone(), element(access(2, "read", "", 30), 3)]),
            [[12, 30]]
        );
        assert!(lines(&[write, element(access(2, "read", "", 30), 4)]).is_empty());
    }

    #[test]
    fn one_monitor_orders() {
        let events = [
            in_monitor(7, access(1, "write", "size", 12)),
            in_monitor(7, access(2, "write", "size", 30)),
        ];
        assert!(lines(&events.concat()).is_empty());
    }

    #[test]
    fn different_monitors_do_not_order() {
        let events = [
            in_monitor(7, access(1, "write", "size", 12)),
            in_monitor(8, access(2, "write", "size", 30)),
        ];
        assert_eq!(lines(&events.concat()), [[12, 30]]);
    }

    #[test]
    fn a_monitor_orders_although_its_exit_is_recorded_late() {
        let [enter, write, exit] = in_monitor(7, access(1, "write", "size", 12));
        let [enter2, read, exit2] = in_monitor(7, access(2, "read", "size", 30));
        assert!(lines(&[enter, write, enter2, exit, read, exit2]).is_empty());
    }

    #[test]
    fn what_follows_an_exit_is_not_ordered_by_it() {
        let [enter, _, exit] = in_monitor(7, access(1, "write", "size", 12));
        let [enter2, read, exit2] = in_monitor(7, access(2, "read", "size", 30));
        let late = access(1, "write", "size", 14);
        assert_eq!(lines(&[enter, exit, late, enter2, read, exit2]), [[14, 30]]);
    }

    #[test]
    fn a_volatile_variable_hands_over() {
        let hand_over = [
            access(1, "write", "size", 12),
            access(1, "write", "vReady", 13),
            access(2, "read", "vReady", 29),
            access(2, "read", "size", 30),
        ];
        assert!(lines(&hand_over).is_empty());
        let [write, ready, look, read] = hand_over;
        // Asked too early, it says nothing.
        assert_eq!(
            lines(&[look.clone(), write.clone(), ready.clone(), read.clone()]),
            [[12, 30]]
        );
        // Another volatile variable says nothing either.
        let look = access(2, "read", "vOther", 29);
        assert_eq!(lines(&[write, ready, look, read]), [[12, 30]]);
    }

    #[test]
    fn two_volatile_writes_order_nothing() {
        let events = [
            access(1, "write", "size", 12),
            access(1, "write", "vReady", 13),
            access(2, "write", "vReady", 29),
            access(2, "read", "size", 30),
        ];
        assert_eq!(lines(&events), [[12, 30]]);
    }

    #[test]
    fn atomic_accesses_hand_over_to_each_other_and_to_volatile_ones() {
        let atomic = |thread: u32| lock(thread, "atomic", 1, 20);
        let (write, read) = (access(1, "write", "size", 12), access(2, "read", "size", 30));
        let between = |first: Event, second: Event| lines(&[write.clone(), first, second, read.clone()]);
        assert!(between(atomic(1), atomic(2)).is_empty());
        assert!(between(atomic(1), access(2, "read", "vReady", 29)).is_empty());
        assert!(between(access(1, "write", "vReady", 13), atomic(2)).is_empty());
        let of_another = Event {
            object: 9,
            ..atomic(2)
        };
        assert_eq!(between(atomic(1), of_another), [[12, 30]]);
    }

    #[test]
    fn who_is_woken_comes_after_who_notified() {
        let events = [
            lock(2, "enter", 7, 27),
            lock(2, "wait", 7, 28),
            lock(1, "enter", 7, 11),
            access(1, "write", "size", 12),
            lock(1, "notify", 7, 13),
            lock(1, "exit", 7, 14),
            lock(2, "woken", 7, 28),
            access(2, "read", "size", 30),
            lock(2, "exit", 7, 31),
        ];
        assert!(lines(&events).is_empty());
    }

    #[test]
    fn who_gives_a_monitor_up_to_wait_comes_before_who_takes_it() {
        let events = [
            lock(1, "enter", 7, 11),
            access(1, "write", "size", 12),
            lock(1, "wait", 7, 13),
            lock(2, "enter", 7, 29),
            access(2, "read", "size", 30),
        ];
        assert!(lines(&events).is_empty());
    }

    #[test]
    fn a_parked_thread_goes_on_after_its_unpark() {
        let woken = |by: Event| {
            lines(&[
                access(1, "write", "size", 12),
                by,
                lock(2, "park", 5, 29),
                access(2, "read", "size", 30),
            ])
        };
        assert!(woken(lock(1, "unpark", 5, 13)).is_empty());
        assert!(woken(lock(1, "interrupt", 5, 13)).is_empty());
        assert_eq!(woken(lock(1, "unpark", 6, 13)), [[12, 30]]);
    }

    #[test]
    fn a_thread_that_is_started_comes_after_that_and_before_its_join() {
        let started = [
            access(1, "write", "size", 12),
            lock(4, "begin", 0, 0),
            access(4, "write", "size", 40),
            lock(1, "join", 6, 13),
            access(1, "read", "size", 14),
        ];
        assert!(lines(&started).is_empty());
        let [write, begin, child, _, read] = started;
        assert_eq!(lines(&[write, begin, child, read]), [[40, 14]]);
    }

    #[test]
    fn a_thread_of_the_plan_does_not_come_after_one_that_began_before() {
        let begins = |thread: u32| [lock(thread, "begin", 0, 0), lock(thread, "call", 0, 0)];
        let events = [
            &begins(1)[..],
            &[access(1, "write", "size", 12)],
            &begins(2),
            &[access(2, "read", "size", 30)],
        ];
        assert_eq!(races(&events.concat(), &|_| false).len(), 1);
    }

    #[test]
    fn a_join_says_nothing_of_a_thread_that_goes_on() {
        let events = [
            access(2, "write", "size", 30),
            lock(1, "join", 6, 13),
            access(1, "read", "size", 14),
            access(2, "write", "count", 31),
        ];
        assert_eq!(lines(&events), [[30, 14]]);
    }

    #[test]
    fn who_finds_a_thread_dead_comes_after_it() {
        let asks = Event {
            target: Some(Target::method("java.lang.Thread", "isAlive", "()Z")),
            ..lock(1, "read", 6, 13)
        };
        let (write, read) = (access(2, "write", "size", 30), access(1, "read", "size", 14));
        assert!(lines(&[write, asks, read]).is_empty());
    }

    #[test]
    fn the_calls_before_and_after_the_threads_race_with_none() {
        let mut events = vec![access(0, "write", "size", 5)];
        events.extend(in_threads(&[
            access(1, "read", "size", 12),
            lock(0, "join all", 0, 0),
            access(0, "write", "size", 6),
        ]));
        assert_eq!(races(&events, &|_| false), []);
    }

    #[test]
    fn a_pair_of_places_is_told_once() {
        let (write, read) = (access(1, "write", "size", 12), access(2, "read", "size", 30));
        let again = [write.clone(), read.clone(), read.clone(), write.clone(), read];
        assert_eq!(lines(&again), [[12, 30]]);
        let elsewhere = access(3, "read", "size", 31);
        assert_eq!(lines(&[write, elsewhere, again[1].clone()]), [[12, 31], [12, 30]]);
    }

    #[test]
    fn a_race_is_found_behind_a_later_access_that_is_ordered() {
        let [enter, second, exit] = in_monitor(7, access(2, "write", "size", 20));
        let [enter3, read, exit3] = in_monitor(7, access(3, "read", "size", 30));
        let first = access(1, "write", "size", 12);
        assert_eq!(
            lines(&[first, enter, second, exit, enter3, read, exit3]),
            [[12, 20], [12, 30]]
        );
    }
}
