//! The problematic access patterns of atomic-set serializability (Vaziri, Tip and Dolby, "Associating synchronization
//! constraints with data in an object-oriented language", POPL 2006; numbered as there), as interleavings to cover.
//!
//! | | |  | |
//! |---|---|---|---|
//! | 1 | R(l) W'(l) W(l) | 6 | W(l1) W'(l1) W'(l2) W(l2) |
//! | 2 | W(l) W'(l) R(l) | 7 | W(l1) W'(l2) W(l2) W'(l1) |
//! | 3 | W(l) R'(l) W(l) | 8 | W(l1) R'(l1) R'(l2) W(l2) |
//! | 4 | R(l) W'(l) R(l) | 9 | W(l1) R'(l2) W(l2) R'(l1) |
//! | 5 | W(l) W'(l) W(l) | 10 | R(l1) W'(l1) W'(l2) R(l2) |
//! | | | 11 | R(l1) W'(l2) R(l2) W'(l1) |
//!
//! A unit of work is a call, and an atomic set are the fields of one object; elements of an array are each on their own.
//! Neither is said in the slides, where the class under test is the atomic set. A requirement is a pattern and the places of
//! its accesses: the same places with other objects are the same requirement. Patterns are predicted from what two calls did
//! alone in the same state. Where a lock that the first call keeps between its accesses is one that the other call has
//! at its own, the pattern cannot happen; everything else is to be tried.

use std::collections::BTreeSet;

use raddle_plan::Place;

use super::accesses::{Access, Alone};
use crate::trace::Trace;

/// Requirements of two calls, at most.
const MOST: usize = 600;

/// An access that a requirement is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose: 0 is the first call, 1 the second.
    pub call: usize,
    /// The step of its trace.
    pub step: usize,
    /// Which of the locations of the pattern.
    pub location: usize,
}

/// An interleaving of accesses to be covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The number of the pattern, from 1.
    pub pattern: usize,
    /// The accesses in the order of the pattern.
    pub order: Vec<Turn>,
    /// Tells it from others: the pattern and the places.
    pub mark: String,
}

/// What a pair of calls asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// What may happen.
    pub open: Vec<Requirement>,
    /// What cannot, and why.
    pub infeasible: Vec<(Requirement, String)>,
}

/// All interleavings that match a pattern, of two calls that begin in the same state.
pub fn requirements(first: Alone<'_>, second: Alone<'_>) -> Demand {
    let calls = [first, second];
    let accesses = calls.map(|call| call.accesses());
    let mut search = Search {
        traces: calls.map(|call| call.trace),
        known: BTreeSet::new(),
        demand: Demand::default(),
    };
    for local in [0, 1] {
        let remote = 1 - local;
        search.single(local, &accesses[local], &accesses[remote]);
        search.double(local, &accesses[local], &accesses[remote]);
    }
    search.demand
}

struct Search<'a> {
    traces: [&'a Trace; 2],
    known: BTreeSet<String>,
    demand: Demand,
}

impl Search<'_> {
    /// Patterns 1 to 5. `local` is the call with two accesses.
    fn single(&mut self, local: usize, own: &[Access], others: &[Access]) {
        for (at, earlier) in own.iter().enumerate() {
            for later in own
                .iter()
                .skip(at + 1)
                .filter(|later| later.location == earlier.location)
            {
                for between in others.iter().filter(|other| other.location == earlier.location) {
                    let pattern = match (earlier.is_write, between.is_write, later.is_write) {
                        (false, true, true) => 1,
                        (true, true, false) => 2,
                        (true, false, true) => 3,
                        (false, true, false) => 4,
                        (true, true, true) => 5,
                        (_, false, _) => continue,
                    };
                    let order = [(local, earlier, 0), (1 - local, between, 0), (local, later, 0)];
                    let kept = earlier.held_until(later);
                    self.add(pattern, &order, between.needs(&kept));
                }
            }
        }
    }

    /// Patterns 6 to 11. `local` is the call that begins.
    fn double(&mut self, local: usize, own: &[Access], others: &[Access]) {
        for (at, x1) in own.iter().enumerate() {
            for x2 in own.iter().skip(at + 1).filter(|x2| is_one_set(x1, x2)) {
                if x1.is_write != x2.is_write {
                    continue;
                }
                for (at, y1) in others.iter().enumerate() {
                    let is_straight = y1.location == x1.location;
                    if !is_straight && y1.location != x2.location {
                        continue;
                    }
                    let rest = if is_straight { x2 } else { x1 };
                    let fits = |y2: &&Access| y2.location == rest.location && y2.is_write == y1.is_write;
                    for y2 in others.iter().skip(at + 1).filter(fits) {
                        let straight = match (x1.is_write, y1.is_write) {
                            (true, true) => 6,
                            (true, false) => 8,
                            (false, true) => 10,
                            (false, false) => continue,
                        };
                        let kept = x1.held_until(x2);
                        let remote = 1 - local;
                        if is_straight {
                            let order = [(local, x1, 0), (remote, y1, 0), (remote, y2, 1), (local, x2, 1)];
                            let lock = y1.needs(&kept).or_else(|| y2.needs(&kept));
                            self.add(straight, &order, lock);
                        } else {
                            let order = [(local, x1, 0), (remote, y1, 1), (local, x2, 1), (remote, y2, 0)];
                            let kept_there = y1.held_until(y2);
                            let lock = y1.needs(&kept).or_else(|| x2.needs(&kept_there));
                            self.add(straight + 1, &order, lock);
                        }
                    }
                }
            }
        }
    }

    fn add(&mut self, pattern: usize, order: &[(usize, &Access, usize)], lock: Option<&String>) {
        if self.known.len() >= MOST {
            return;
        }
        let spots: Vec<String> = order
            .iter()
            .map(|(call, access, _)| self.spot(*call, access.step))
            .collect();
        let mark = format!("pattern {pattern}: {}", spots.join(" > "));
        if !self.known.insert(mark.clone()) {
            return;
        }
        let order = order.iter().map(|(call, access, location)| Turn {
            call: *call,
            step: access.step,
            location: *location,
        });
        let requirement = Requirement {
            pattern,
            order: order.collect(),
            mark,
        };
        match lock {
            Some(lock) => {
                let reason = format!("both calls have the lock {lock} there");
                self.demand.infeasible.push((requirement, reason));
            }
            None => self.demand.open.push(requirement),
        }
    }

    fn spot(&self, call: usize, step: usize) -> String {
        let place = self.traces[call]
            .steps
            .get(step)
            .and_then(|step| step.place.as_ref());
        place.map_or_else(String::new, Place::spot)
    }
}

/// Two different fields of one object.
fn is_one_set(one: &Access, other: &Access) -> bool {
    let (one, other) = (&one.location, &other.location);
    one.object == other.object && one.index.is_none() && other.index.is_none() && one.field != other.field
        // Static fields of one class.
        && (one.object.is_some() || one.field.class == other.field.class)
}
