//! Locks that threads take crosswise, in a run in which nothing came of it: iGoodLock (Joshi, Park, Sen, Naik, "A
//! Randomized Dynamic Program Analysis Technique for Detecting Real Deadlocks", PLDI 2009).
//!
//! The lock dependency relation has, for each lock that is taken while others are held, the thread, the locks it holds and
//! the lock it takes. A cycle is a chain of those of different threads, in which each takes a lock that the next one holds,
//! and the last one takes a lock of the first; no two of them hold a lock in common, which would keep them from being there
//! at once.
//!
//! Differences: locks are monitors and are told apart by object, since all is about one run. Taking a monitor again after
//! `Object.wait` is taking it. Chains have two or three links. The main thread makes no cycle with the plan's threads,
//! which begin after its calls or end before them. A lock that a thread waited for when the run got stuck was not taken,
//! so it does not show.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use raddle_plan::{Event, Place};
use serde::{Deserialize, Serialize};

use super::monitors::Monitors;
use super::order::plan_threads;
use crate::words;

/// Threads of which each takes a lock that the next one holds, and the last one a lock of the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockCycle {
    /// Two or three, of different threads, beginning with that of the lowest number.
    pub edges: Vec<LockEdge>,
}

/// A thread takes a lock while it holds another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockEdge {
    /// The thread.
    pub thread: u32,
    /// What it holds: the lock that the edge before wants.
    pub holds: LockUse,
    /// What it takes: the lock that the next edge holds.
    pub wants: LockUse,
}

/// A lock, and where it is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockUse {
    /// The object, by its number in the events.
    pub object: u32,
    /// What to call the object, as in the events.
    pub name: Option<String>,
    /// Where.
    pub place: Option<Place>,
}

impl LockUse {
    fn of(taken: &Event) -> LockUse {
        LockUse {
            object: taken.object,
            name: taken.name.clone(),
            place: taken.place.clone(),
        }
    }

    fn text(&self) -> String {
        words::object(self.name.as_deref(), self.object)
    }
}

impl fmt::Display for LockEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LockEdge { thread, holds, wants } = self;
        let at = words::at_line(wants.place.as_ref());
        write!(
            f,
            "{} takes {}{at} while it holds {}",
            words::thread(*thread),
            wants.text(),
            holds.text()
        )?;
        if holds.place.is_some() {
            write!(f, " (taken{})", words::at_line(holds.place.as_ref()))?;
        }
        Ok(())
    }
}

/// One line without a full stop.
impl fmt::Display for LockCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edges: Vec<String> = self.edges.iter().map(ToString::to_string).collect();
        let edges = words::capital(&edges.join("; "));
        write!(f, "{edges}; in another order they would wait for each other")
    }
}

/// A lock, and where it is taken, to tell those apart.
type Use<'e> = (u32, Option<&'e Place>);

fn place_of(taken: &Event) -> Use<'_> {
    (taken.object, taken.place.as_ref())
}

/// A lock is taken while others are held.
#[derive(Clone, Debug)]
struct Dependency<'e> {
    thread: u32,
    /// How each of the others was taken.
    held: Vec<&'e Event>,
    wants: &'e Event,
}

impl<'e> Dependency<'e> {
    fn key(&self) -> (u32, Vec<Use<'e>>, Use<'e>) {
        let held = self.held.iter().map(|taken| place_of(taken)).collect();
        (self.thread, held, place_of(self.wants))
    }

    fn holds(&self, object: u32) -> Option<&'e Event> {
        self.held.iter().copied().find(|taken| taken.object == object)
    }

    fn shares_no_lock_with(&self, other: &Dependency<'_>) -> bool {
        !self.held.iter().any(|taken| other.holds(taken.object).is_some())
    }
}

/// The lock dependency relation of a run, in order and without repetitions.
fn dependencies(events: &[Event]) -> Vec<Dependency<'_>> {
    let mut monitors = Monitors::default();
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for event in events {
        if monitors.step(event).is_none() {
            continue;
        }
        let others = monitors
            .of(event.thread)
            .filter(|held| held.object != event.object);
        let dependency = Dependency {
            thread: event.thread,
            held: others.map(|held| held.taken).collect(),
            wants: event,
        };
        if !dependency.held.is_empty() && known.insert(dependency.key()) {
            found.push(dependency);
        }
    }
    found
}

/// Chains of dependencies that could be under way at once.
struct Chains<'r, 'e> {
    dependencies: &'r [Dependency<'e>],
    /// By lock: the dependencies that hold it.
    holders: BTreeMap<u32, Vec<usize>>,
    plan: BTreeSet<u32>,
}

impl<'r, 'e> Chains<'r, 'e> {
    /// What can come next: each holds what the last one wants. The first has the lowest thread, so that no cycle is
    /// found once for each of its links.
    fn next(&self, chain: &[&'r Dependency<'e>]) -> impl Iterator<Item = &'r Dependency<'e>> {
        let wanted = chain.last().map(|last| last.wants.object);
        let holders = wanted.and_then(|wanted| self.holders.get(&wanted));
        let candidates = holders.into_iter().flatten().map(|&at| &self.dependencies[at]);
        candidates.filter(|next| {
            chain.iter().all(|link| {
                link.thread != next.thread && self.can_overlap(link, next) && link.shares_no_lock_with(next)
            }) && chain.first().is_some_and(|first| first.thread < next.thread)
        })
    }

    fn can_overlap(&self, one: &Dependency<'_>, other: &Dependency<'_>) -> bool {
        let is_apart = |main: u32, thread: u32| main == 0 && self.plan.contains(&thread);
        !is_apart(one.thread, other.thread) && !is_apart(other.thread, one.thread)
    }
}

fn is_cycle(chain: &[&Dependency<'_>]) -> bool {
    let ends = chain.first().zip(chain.last());
    ends.is_some_and(|(first, last)| first.holds(last.wants.object).is_some())
}

/// The cycles of two and three locks, one for each set of places, shorter ones first.
pub(super) fn lock_cycles(events: &[Event]) -> Vec<LockCycle> {
    let dependencies = dependencies(events);
    let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, dependency) in dependencies.iter().enumerate() {
        for taken in &dependency.held {
            holders.entry(taken.object).or_default().push(at);
        }
    }
    let chains = Chains {
        dependencies: &dependencies,
        holders,
        plan: plan_threads(events),
    };
    let mut pairs = Vec::new();
    let mut triples = Vec::new();
    for first in &dependencies {
        for second in chains.next(&[first]) {
            let pair = [first, second];
            if is_cycle(&pair) {
                pairs.push(pair.to_vec());
                continue;
            }
            let thirds = chains.next(&pair).map(|third| vec![first, second, third]);
            triples.extend(thirds.filter(|triple| is_cycle(triple)));
        }
    }
    let mut known = BTreeSet::new();
    let cycles = pairs.iter().chain(&triples).map(|chain| edges(chain));
    cycles
        .filter(|edges| known.insert(places(edges)))
        .map(|edges| LockCycle {
            edges: edges
                .into_iter()
                .map(|(holds, wants)| LockEdge {
                    thread: wants.thread,
                    holds: LockUse::of(holds),
                    wants: LockUse::of(wants),
                })
                .collect(),
        })
        .collect()
}

/// Of each link: how it took the lock that the link before wants, and how it takes the lock that it wants itself.
fn edges<'e>(cycle: &[&Dependency<'e>]) -> Vec<(&'e Event, &'e Event)> {
    let before = cycle.iter().cycle().skip(cycle.len().saturating_sub(1));
    let links = cycle.iter().zip(before);
    links
        .filter_map(|(link, before)| Some((link.holds(before.wants.object)?, link.wants)))
        .collect()
}

/// The places of a cycle, whichever threads came to them.
fn places<'e>(edges: &[(&'e Event, &'e Event)]) -> Vec<[Option<&'e Place>; 2]> {
    let mut places: Vec<_> = edges
        .iter()
        .map(|(holds, wants)| [holds.place.as_ref(), wants.place.as_ref()])
        .collect();
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::made::{in_threads, lock};

    /// Takes the locks one in the other, at lines that follow each other, and gives them back.
    fn nested(thread: u32, locks: &[u32], line: u32) -> Vec<Event> {
        let enters = locks
            .iter()
            .zip(line..)
            .map(|(object, line)| lock(thread, "enter", *object, line));
        let exits = locks
            .iter()
            .rev()
            .map(|object| lock(thread, "exit", *object, line + 9));
        enters.chain(exits).collect()
    }

    fn cycles(parts: &[Vec<Event>]) -> Vec<LockCycle> {
        lock_cycles(&in_threads(&parts.concat()))
    }

    /// Of each cycle, its edges as thread, lock held, lock wanted.
    fn found(parts: &[Vec<Event>]) -> Vec<Vec<(u32, u32, u32)>> {
        let edge = |edge: &LockEdge| (edge.thread, edge.holds.object, edge.wants.object);
        cycles(parts)
            .iter()
            .map(|cycle| cycle.edges.iter().map(edge).collect())
            .collect()
    }

    #[test]
    fn two_threads_that_take_two_locks_crosswise_make_a_cycle() {
        let cycles = cycles(&[nested(1, &[7, 8], 10), nested(2, &[8, 7], 30)]);
        assert_eq!(cycles.len(), 1, "{cycles:?}");
        assert_eq!(
            cycles[0].to_string(),
            "Thread 1 takes Table#8 at Table.java:11 while it holds Table#7 (taken at Table.java:10); thread 2 takes \
             Table#7 at Table.java:31 while it holds Table#8 (taken at Table.java:30); in another order they would wait \
             for each other"
        );
    }

    #[test]
    fn locks_that_are_always_taken_in_one_order_make_none() {
        assert!(found(&[nested(1, &[7, 8], 10), nested(2, &[7, 8], 30)]).is_empty());
    }

    #[test]
    fn a_common_guard_lock_keeps_the_threads_apart() {
        assert!(found(&[nested(1, &[5, 7, 8], 10), nested(2, &[5, 8, 7], 30)]).is_empty());
        assert_eq!(
            found(&[nested(1, &[5, 7, 8], 10), nested(2, &[6, 8, 7], 30)]).len(),
            1
        );
    }

    #[test]
    fn one_thread_alone_makes_none() {
        assert!(found(&[nested(1, &[7, 8], 10), nested(1, &[8, 7], 30)]).is_empty());
    }

    #[test]
    fn entering_a_lock_again_is_not_taking_it() {
        assert!(found(&[nested(1, &[7, 8, 7], 10), nested(2, &[7, 8], 30)]).is_empty());
    }

    #[test]
    fn three_threads_make_a_cycle_of_three() {
        let parts = [
            nested(1, &[7, 8], 10),
            nested(2, &[8, 9], 30),
            nested(3, &[9, 7], 50),
        ];
        assert_eq!(found(&parts), [[(1, 7, 8), (2, 8, 9), (3, 9, 7)]]);
        // The other way round, the chain goes through the threads the other way round.
        let parts = [
            nested(1, &[8, 7], 10),
            nested(2, &[9, 8], 30),
            nested(3, &[7, 9], 50),
        ];
        assert_eq!(found(&parts), [[(1, 8, 7), (3, 7, 9), (2, 9, 8)]]);
        let two_share = [
            nested(1, &[7, 8], 10),
            nested(2, &[5, 8, 9], 30),
            nested(3, &[5, 9, 7], 50),
        ];
        assert!(found(&two_share).is_empty());
    }

    #[test]
    fn two_threads_make_no_cycle_of_three() {
        let by = |third: u32| {
            found(&[
                nested(1, &[7, 8], 10),
                nested(2, &[8, 9], 30),
                nested(third, &[9, 7], 50),
            ])
        };
        assert!(by(1).is_empty());
        assert!(by(2).is_empty());
        assert_eq!(by(3).len(), 1);
    }

    #[test]
    fn places_that_are_known_make_no_second_cycle() {
        let again = [
            nested(1, &[7, 8], 10),
            nested(2, &[8, 7], 30),
            nested(1, &[17, 18], 10),
            nested(2, &[18, 17], 30),
            nested(3, &[7, 8], 10),
        ];
        assert_eq!(found(&again), [[(1, 7, 8), (2, 8, 7)]]);
        let elsewhere = [&again[..], &[nested(3, &[7, 8], 50)]].concat();
        assert_eq!(
            found(&elsewhere),
            [[(1, 7, 8), (2, 8, 7)], [(2, 8, 7), (3, 7, 8)]]
        );
    }

    #[test]
    fn a_lock_is_taken_again_after_a_wait() {
        let waits = vec![
            lock(1, "enter", 7, 10),
            lock(1, "enter", 8, 11),
            lock(1, "wait", 7, 12),
            lock(1, "woken", 7, 12),
        ];
        assert_eq!(found(&[nested(2, &[7, 8], 30), waits]), [[(1, 8, 7), (2, 7, 8)]]);
    }

    #[test]
    fn the_main_thread_is_never_there_at_once_with_those_of_the_plan() {
        let (main, child) = (nested(0, &[7, 8], 10), nested(4, &[8, 7], 30));
        assert!(found(&[main.clone(), nested(2, &[8, 7], 30)]).is_empty());
        assert_eq!(found(&[main, child]), [[(0, 7, 8), (4, 8, 7)]]);
    }
}
