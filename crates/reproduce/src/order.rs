//! A recorded run with its events in another order that makes no difference, so that threads take turns less often.
//!
//! Two events of different threads may change places unless they are about the same thing and one of them changes it. The
//! oracle asks a similar question of whole calls, and must not take two things for different that may be one. Here the run is
//! made again and judged by its outcome, so that the same name and type is the same field; and who has a lock first counts,
//! since a debugger cannot let a thread pass a lock that another one holds.

use std::collections::BTreeMap;

use raddle_plan::{Accessed, Event, EventKind};

/// Longer runs are left as they are: every pair of events is looked at.
const LONGEST: usize = 3_000;

/// What a thread does between two places where it can be held: one event, and what follows at once.
#[derive(Clone, Debug)]
pub(super) struct Atom<'e> {
    pub(super) event: &'e Event,
    /// Locks that are released next. The recorder notes that after the release, when others may have them already.
    pub(super) exits: Vec<&'e Event>,
    /// The second half of an instruction with two events.
    rest: Option<&'e Event>,
}

impl<'e> Atom<'e> {
    pub(super) fn thread(&self) -> u32 {
        self.event.thread
    }

    pub(super) fn events(&self) -> impl Iterator<Item = &'e Event> {
        std::iter::once(self.event)
            .chain(self.rest)
            .chain(self.exits.iter().copied())
    }
}

/// The atoms of a run, without those of the prefix and of the calls after.
pub(super) fn atoms(events: &[Event]) -> Vec<Atom<'_>> {
    let mut atoms: Vec<Atom<'_>> = Vec::new();
    let mut latest: BTreeMap<u32, usize> = BTreeMap::new();
    for event in events.iter().filter(|event| event.thread > 0) {
        let before = latest.get(&event.thread).and_then(|at| atoms.get_mut(*at));
        match (event.kind, before) {
            (EventKind::End, _) => {}
            (EventKind::Exit, Some(before)) => before.exits.push(event),
            (EventKind::Write, Some(before)) if is_copy(before.event, event) && before.rest.is_none() => {
                before.rest = Some(event);
            }
            _ => {
                latest.insert(event.thread, atoms.len());
                atoms.push(Atom {
                    event,
                    exits: Vec::new(),
                    rest: None,
                });
            }
        }
    }
    atoms
}

/// Whether these are the two halves of `System.arraycopy`.
fn is_copy(read: &Event, write: &Event) -> bool {
    let is_copy = write
        .method()
        .is_some_and(|method| &*method.owner == "java.lang.System" && &*method.name == "arraycopy");
    is_copy && read.kind == EventKind::Read && read.place == write.place
}

/// The same run with few switches. `threads` is the number of the plan's threads.
pub(super) fn few_switches<'e>(atoms: &[Atom<'e>], threads: usize) -> Vec<Atom<'e>> {
    if atoms.len() > LONGEST || !can_be_reordered(atoms, threads) {
        return atoms.to_vec();
    }
    let after: Vec<Vec<usize>> = (0..atoms.len())
        .map(|later| {
            (0..later)
                .filter(|earlier| depend(&atoms[*earlier], &atoms[later]))
                .collect()
        })
        .collect();
    let first_threads = 1..=threads as u32;
    let orders = first_threads.filter_map(|first| greedy(atoms, &after, first));
    let order = orders.min_by_key(|order| switches(atoms, order));
    match order {
        Some(order) if switches(atoms, &order) < switches(atoms, &(0..atoms.len()).collect::<Vec<_>>()) => {
            order.into_iter().map(|at| atoms[at].clone()).collect()
        }
        _ => atoms.to_vec(),
    }
}

fn switches(atoms: &[Atom<'_>], order: &[usize]) -> usize {
    order
        .windows(2)
        .filter(|pair| atoms[pair[0]].thread() != atoms[pair[1]].thread())
        .count()
}

/// Lets a thread run until it must wait for another one; `after` says for which events an event must wait.
fn greedy(atoms: &[Atom<'_>], after: &[Vec<usize>], first: u32) -> Option<Vec<usize>> {
    let mut is_done = vec![false; atoms.len()];
    let mut order = Vec::with_capacity(atoms.len());
    let mut current = first;
    while order.len() < atoms.len() {
        let next_of = |thread: Option<u32>| {
            (0..atoms.len()).find(|at| {
                !is_done[*at]
                    && thread.is_none_or(|thread| atoms[*at].thread() == thread)
                    && after[*at].iter().all(|earlier| is_done[*earlier])
            })
        };
        // Events of one thread wait for each other, so the first that need not wait is the thread's next.
        let next = next_of(Some(current)).or_else(|| next_of(None))?;
        current = atoms[next].thread();
        is_done[next] = true;
        order.push(next);
    }
    Some(order)
}

/// Time and threads that the class starts order events in ways that do not show in them.
fn can_be_reordered(atoms: &[Atom<'_>], threads: usize) -> bool {
    use EventKind::{Interrupt, Join, Sleep, Start};
    atoms.iter().all(|atom| {
        atom.thread() as usize <= threads && !matches!(atom.event.kind, Sleep | Interrupt | Join | Start)
    })
}

fn depend(one: &Atom<'_>, other: &Atom<'_>) -> bool {
    one.thread() == other.thread()
        || one
            .events()
            .any(|event| other.events().any(|later| conflict(event, later)))
}

fn conflict(one: &Event, other: &Event) -> bool {
    use EventKind::{Begin, Call, Loop, Read, Yield};
    let is_alone = |event: &Event| matches!(event.kind, Begin | Call | Loop | Yield);
    if is_alone(one) || is_alone(other) || one.object != other.object {
        return false;
    }
    let (Some(part), Some(other_part)) = (one.accessed(), other.accessed()) else {
        // The same object may be a lock and have fields: one has nothing to do with the other.
        return one.kind.is_access() == other.kind.is_access();
    };
    if one.kind == Read && other.kind == Read {
        return false;
    }
    if one.object == 0 {
        // Static fields. Without a name it may be any.
        return one.target == other.target || one.target.is_none() || other.target.is_none();
    }
    match (part, other_part) {
        (Accessed::Element(one), Accessed::Element(other)) => one == other,
        // The owner is the class that the code names, which may be a subclass.
        (Accessed::Field(one), Accessed::Field(other)) => {
            one.name == other.name && one.descriptor == other.descriptor
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::Target;

    fn event(thread: u32, kind: &str, object: u32, field: &str) -> Event {
        Event {
            callers: Vec::new(),
            thread,
            place: None,
            kind: kind.parse().unwrap(),
            target: (!field.is_empty()).then(|| Target::field("p.A", field, "I")),
            object,
            name: None,
            index: None,
            value: None,
        }
    }

    fn threads(atoms: &[Atom<'_>]) -> Vec<u32> {
        atoms.iter().map(Atom::thread).collect()
    }

    #[test]
    fn independent_events_change_places() {
        let events = [
            event(1, "begin", 0, ""),
            event(2, "begin", 0, ""),
            event(1, "read", 1, "count"),
            event(2, "read", 1, "count"),
            event(1, "read", 1, "size"),
            event(2, "write", 1, "count"),
            event(1, "write", 1, "count"),
        ];
        let ordered = few_switches(&atoms(&events), 2);
        assert_eq!(threads(&ordered), [1, 1, 1, 2, 2, 2, 1]);
    }

    #[test]
    fn dependent_events_stay_in_order() {
        let events = [
            event(1, "write", 1, "count"),
            event(2, "write", 1, "count"),
            event(1, "write", 1, "count"),
            event(2, "read", 1, "count"),
        ];
        assert_eq!(threads(&few_switches(&atoms(&events), 2)), [1, 2, 1, 2]);
    }

    #[test]
    fn a_release_belongs_to_what_was_before_it() {
        let events = [
            event(1, "enter", 1, ""),
            event(2, "begin", 0, ""),
            event(2, "enter", 1, ""),
            event(1, "exit", 1, ""),
            event(2, "exit", 1, ""),
        ];
        let ordered = few_switches(&atoms(&events), 2);
        assert_eq!(threads(&ordered), [1, 2, 2]);
        assert_eq!(ordered[0].exits.len(), 1);
    }

    #[test]
    fn nothing_is_reordered_around_threads_that_the_class_starts() {
        let events = [
            event(1, "read", 1, "a"),
            event(3, "read", 1, "b"),
            event(1, "read", 1, "c"),
        ];
        assert_eq!(threads(&few_switches(&atoms(&events), 2)), [1, 3, 1]);
    }
}
