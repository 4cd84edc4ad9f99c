//! Threads wait for each other's locks, in no linearization: the endless hangs of DepCon+, definition 4 and section 2.6.
//!
//! A run is stuck when no thread can go on, which the scheduler knows exactly. Here the reason is found: a cycle of
//! threads each of which waits for a lock that the next one holds, or for the next one's end. A lock has one owner at a
//! time and a thread waits for one thing, so there is at most one way on from each thread.
//!
//! A linearization hangs likewise if it leaves the same calls without an end.

use raddle_plan::{End, Held, Outcome, ThreadState};

use crate::baseline::{Baseline, hanging};
use crate::judge::Oracle;
use crate::verdict::{Evidence, Kind, Link, Violation};
use crate::words;

/// Looks for cycles of locks.
#[derive(Copy, Clone, Debug)]
pub struct Deadlock;

impl Oracle for Deadlock {
    fn kind(&self) -> Kind {
        Kind::Deadlock
    }

    fn look(&self, baseline: &Baseline, outcome: &Outcome) -> Option<Violation> {
        let calls = hanging(outcome);
        if outcome.end != End::Stuck || baseline.ends_vary() || baseline.hangs_likewise(&calls) {
            return None;
        }
        told(outcome, &instead(baseline, &calls))
    }
}

/// The deadlock that a stuck run ended in, with a sentence about what should have been instead.
pub(crate) fn told(outcome: &Outcome, instead: &str) -> Option<Violation> {
    let cycle = cycle(outcome)?;
    let sentences: Vec<String> = cycle.iter().map(sentence).collect();
    Some(Violation {
        kind: Kind::Deadlock,
        summary: format!("Deadlock: {}. {instead}", sentences.join("; ")),
        evidence: Evidence::Deadlock {
            cycle,
            calls: hanging(outcome),
        },
    })
}

fn sentence(link: &Link) -> String {
    let Link {
        name,
        wants,
        at,
        holds,
        ..
    } = link;
    let at = words::at(at.as_ref());
    match holds {
        Some(held) => format!(
            "{name} holds {}{} and waits for {wants}{at}",
            held.lock,
            held.place.as_ref().map_or_else(String::new, |place| {
                format!(" (since {})", words::place(place))
            })
        ),
        None => format!("{name} waits for {wants}{at}"),
    }
}

/// What the linearizations do instead of hanging.
pub(crate) fn instead(baseline: &Baseline, calls: &[usize]) -> String {
    let orders = words::orders(baseline.linearizations());
    if baseline.hangs_at_all() {
        let names: Vec<String> = calls.iter().map(|call| baseline.name(*call)).collect();
        format!(
            "In no sequential order of the calls do exactly these hang: {}.",
            words::list(&names, "and")
        )
    } else if baseline.is_cut_short() {
        format!("In {orders} nothing hangs, although some were cut short.")
    } else {
        format!("In {orders} every call completes.")
    }
}

/// The cycle of threads, beginning with the one of the lowest number.
pub(crate) fn cycle(outcome: &Outcome) -> Option<Vec<Link>> {
    let threads = &outcome.threads;
    let next: Vec<Option<(usize, Option<Held>)>> =
        (0..threads.len()).map(|t| waits_for(outcome, t)).collect();
    for start in 0..threads.len() {
        let mut way = Vec::new();
        let mut at = start;
        while let Some((to, _)) = next.get(at)? {
            way.push(at);
            at = *to;
            if at == start || way.len() > threads.len() {
                break;
            }
        }
        if way.is_empty() || at != start {
            continue;
        }
        let before = |position: usize| way[(position + way.len() - 1) % way.len()];
        return Some(
            way.iter()
                .enumerate()
                .map(|(position, t)| Link {
                    thread: *t as u32,
                    name: threads[*t].name.clone(),
                    wants: wanted(outcome, *t),
                    at: threads[*t].place.clone(),
                    holds: next[before(position)].as_ref().and_then(|(_, held)| held.clone()),
                })
                .collect(),
        );
    }
    None
}

fn wanted(outcome: &Outcome, t: usize) -> String {
    let thread = &outcome.threads[t];
    let wants = thread.wants.clone().unwrap_or_default();
    match thread.state {
        ThreadState::Joining => format!("the end of {wants}"),
        _ => wants,
    }
}

/// The thread that one waits for, and the lock that this holds. A thread in `Object.wait` names its monitor, but waits
/// for being woken.
pub(crate) fn waits_for(outcome: &Outcome, t: usize) -> Option<(usize, Option<Held>)> {
    let thread = &outcome.threads[t];
    let wants = thread.wants.as_ref()?;
    match thread.state {
        ThreadState::Blocked | ThreadState::Parked => {
            outcome.threads.iter().enumerate().find_map(|(owner, other)| {
                let held = other.holds.iter().find(|held| held.lock == *wants)?;
                Some((owner, Some(held.clone())))
            })
        }
        ThreadState::Joining => outcome
            .threads
            .iter()
            .position(|other| other.name == *wants && other.state != ThreadState::Finished)
            .map(|other| (other, None)),
        _ => None,
    }
}
