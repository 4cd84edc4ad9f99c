//! How a debugger makes the recorded run again: which thread runs next, and where it is held.
//!
//! A recorded thread stops in front of an operation. A debugger can do the same with a breakpoint, except in front of
//! the lock of a synchronized method, which the JVM takes before the first instruction. There the thread is held right
//! after what it did before.

use std::collections::BTreeMap;

use raddle_oracle::Kind;
use raddle_plan::{Event, EventKind, Outcome, Place, TestPlan, ThreadEnd, ThreadState};

use crate::order::{Atom, atoms, few_switches};

/// More steps than anybody reads. A run with so many hangs on none of them in particular.
const MOST: usize = 200;

/// Lets one thread run, and no other, until it is where it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) thread: u32,
    pub(super) stop: Stop,
    /// What the thread is about to do there.
    pub(super) pending: Option<(EventKind, Place)>,
}

/// Where a thread is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Before a call of the plan.
    Call(u32),
    /// Before an instruction, when it comes there for the n-th time.
    At(Place, usize),
    /// After an instruction; 0 times if it is there already.
    After(Place, usize),
    /// In `Object.wait`.
    Waiting,
    /// Where it goes no further: before a superclass is initialised there is no instruction to hold a thread at.
    Blocked,
    /// At its end.
    End,
}

/// The steps that make the run again. After the last one, all threads run freely.
pub(super) fn steps(plan: &TestPlan, outcome: &Outcome, events: &[Event], kind: Kind) -> Vec<Step> {
    let threads = plan.threads.len();
    let all = atoms(events);
    let ordered = few_switches(&all[..decisive(&all, kind)], threads);
    let mut of_thread: BTreeMap<u32, Vec<&Atom<'_>>> = BTreeMap::new();
    for atom in &all {
        of_thread.entry(atom.thread()).or_default().push(atom);
    }
    let mut done: BTreeMap<u32, usize> = BTreeMap::new();
    let mut positions: BTreeMap<u32, Position> = BTreeMap::new();
    let mut steps = Vec::new();
    let mut blocked = Vec::new();
    for turn in ordered.chunk_by(|one, other| one.thread() == other.thread()) {
        let thread = turn[0].thread();
        // Others are not held: they are not known before they run.
        if thread as usize > threads {
            continue;
        }
        let done = done.entry(thread).or_default();
        *done += turn.len();
        let next = of_thread
            .get(&thread)
            .and_then(|atoms| atoms.get(*done))
            .map(|atom| Pending::of(atom.event));
        let end = outcome.threads.get(thread as usize);
        let next = next.or_else(|| end.and_then(Pending::at_end));
        let position = positions.entry(thread).or_insert(Position::Elsewhere);
        let turn = Turn {
            atoms: turn,
            is_at_first: *position == Position::AtNext,
        };
        let is_last = of_thread.get(&thread).is_none_or(|atoms| atoms.len() == *done);
        if let Some(end) = end.filter(|_| is_last)
            && let Some(awaited) = end.awaited_initialiser()
        {
            match turn.place_before_initialiser(end, awaited) {
                Some(place) => {
                    let times = turn.times(EventKind::Enter, place) + 1;
                    let pending = Some((EventKind::Enter, place.clone()));
                    steps.push(Step {
                        thread,
                        stop: Stop::At(place.clone(), times),
                        pending,
                    });
                }
                // What it has taken until then nobody has wanted yet.
                None => blocked.push(Step {
                    thread,
                    stop: Stop::Blocked,
                    pending: None,
                }),
            }
            continue;
        }
        let is_ended = end.is_none_or(|end| end.state == ThreadState::Finished);
        let Some((stop, reached)) = turn.stop(next.as_ref(), is_ended) else {
            continue;
        };
        *position = reached;
        if let Some(stop) = stop {
            let pending = next.and_then(|next| Some((next.kind, next.place?.clone())));
            steps.push(Step {
                thread,
                stop,
                pending,
            });
        }
    }
    if steps.last().is_some_and(|step| step.stop == Stop::End) {
        steps.pop();
    }
    steps.extend(blocked);
    steps.truncate(MOST);
    steps
}

/// The events of the run in the order in which the steps make them.
pub fn events_in_order(plan: &TestPlan, events: &[Event], kind: Kind) -> Vec<Event> {
    let all = atoms(events);
    let decisive = decisive(&all, kind);
    let ordered = few_switches(&all[..decisive], plan.threads.len());
    let first = events.iter().position(|event| event.thread > 0);
    let (prefix, rest) = events.split_at(first.unwrap_or(events.len()));
    let after = rest.iter().filter(|event| event.thread == 0);
    let threads = ordered.iter().chain(&all[decisive..]).flat_map(Atom::events);
    prefix.iter().chain(threads).chain(after).cloned().collect()
}

/// How many atoms matter: a livelock goes round and round after the last change.
fn decisive(atoms: &[Atom<'_>], kind: Kind) -> usize {
    if kind != Kind::Livelock {
        return atoms.len();
    }
    let is_change = |atom: &Atom<'_>| {
        use EventKind::{Begin, Call, Loop, Read, Yield};
        !matches!(atom.event.kind, Read | Loop | Yield | Begin | Call)
    };
    atoms
        .iter()
        .rposition(is_change)
        .map_or(atoms.len(), |last| last + 1)
}

/// What a thread is about to do.
struct Pending<'e> {
    kind: EventKind,
    place: Option<&'e Place>,
    call: Option<i32>,
}

impl<'e> Pending<'e> {
    fn of(event: &'e Event) -> Pending<'e> {
        Pending {
            kind: event.kind,
            place: event.place.as_ref(),
            call: event.index,
        }
    }

    /// What it could not do when the run ended.
    fn at_end(end: &'e ThreadEnd) -> Option<Pending<'e>> {
        let kind = match end.state {
            ThreadState::Blocked => EventKind::Enter,
            ThreadState::Waiting | ThreadState::WaitingNeedlessly => EventKind::Woken,
            ThreadState::Parked => EventKind::Park,
            ThreadState::Joining => EventKind::Join,
            ThreadState::Sleeping => EventKind::Sleep,
            ThreadState::Finished | ThreadState::Runnable | ThreadState::Other => return None,
        };
        Some(Pending {
            kind,
            place: end.place.as_ref(),
            call: None,
        })
    }
}

/// Where a thread is between two turns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Position {
    /// At the very instruction that comes next, which then is not come to once more.
    AtNext,
    /// Somewhere before that.
    Elsewhere,
}

/// What a thread does without another one in between.
struct Turn<'a, 'e> {
    atoms: &'a [Atom<'e>],
    is_at_first: bool,
}

impl Turn<'_, '_> {
    /// Where the turn ends, if there is a way to say it; no stop if the thread is there without a step.
    fn stop(&self, next: Option<&Pending<'_>>, is_ended: bool) -> Option<(Option<Stop>, Position)> {
        let Some(next) = next else {
            return is_ended.then_some((Some(Stop::End), Position::Elsewhere));
        };
        match (next.kind, next.place) {
            // It is held before its first call from the beginning.
            (EventKind::Call, _) if self.own().is_empty() => Some((None, Position::Elsewhere)),
            (EventKind::Call, _) => {
                let call = next.call.and_then(|call| u32::try_from(call).ok())?;
                Some((Some(Stop::Call(call)), Position::Elsewhere))
            }
            (EventKind::Woken, _) => Some((Some(Stop::Waiting), Position::AtNext)),
            (EventKind::Enter | EventKind::Join, Some(place)) if place.bci == 0 => {
                Some((self.after_last(), Position::Elsewhere))
            }
            (kind, Some(place)) => {
                let times = self.times(kind, place) + 1;
                Some((Some(Stop::At(place.clone(), times)), Position::AtNext))
            }
            (_, None) => None,
        }
    }

    /// The instruction that makes a thread wait for an initialiser at the end of its last turn, if it can be held there: not
    /// where the class itself says so, on behalf of whoever called it, nor where its subclass has just begun.
    fn place_before_initialiser<'o>(&self, end: &'o ThreadEnd, awaited: &str) -> Option<&'o Place> {
        let place = end.place.as_ref().filter(|place| place.class != awaited)?;
        let last = self.atoms.last()?.event;
        let is_same = last.kind == EventKind::Enter && last.place.as_ref() == Some(place);
        (!is_same).then_some(place)
    }

    /// Right after the last thing that the turn did.
    fn after_last(&self) -> Option<Stop> {
        let last = self.atoms.last()?;
        // A synchronized method that was left by an exception has no instruction for it.
        let exit = last
            .exits
            .last()
            .and_then(|exit| exit.place.as_ref())
            .filter(|place| place.bci > 0);
        if let Some(place) = exit {
            let exits = self.atoms.iter().flat_map(|atom| &atom.exits);
            let times = exits.filter(|exit| exit.place.as_ref() == Some(place)).count();
            return Some(Stop::After(place.clone(), times));
        }
        let event = last.event;
        match (event.kind, &event.place) {
            // It is there already.
            (EventKind::Begin, _) => None,
            (EventKind::Call, _) if self.own().len() == 1 => None,
            (EventKind::Call, _) => event
                .index
                .and_then(|call| u32::try_from(call).ok())
                .map(Stop::Call),
            // The first instruction of a synchronized method is executed with the lock.
            (EventKind::Enter, Some(place)) if place.bci == 0 => {
                Some(Stop::At(place.clone(), self.times(EventKind::Enter, place)))
            }
            (kind, Some(place)) => Some(Stop::After(place.clone(), self.times(kind, place))),
            (_, None) => None,
        }
    }

    /// What it does after its beginning.
    fn own(&self) -> &[Atom<'_>] {
        match self.atoms {
            [first, rest @ ..] if first.event.kind == EventKind::Begin => rest,
            all => all,
        }
    }

    /// How often the thread comes to a place in this turn.
    fn times(&self, kind: EventKind, place: &Place) -> usize {
        let is_it = |atom: &&Atom<'_>| atom.event.kind == kind && atom.event.place.as_ref() == Some(place);
        self.atoms
            .iter()
            .skip(usize::from(self.is_at_first))
            .filter(is_it)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::End;
    use raddle_testkit::run_sample;

    fn place(method: &str, bci: u32) -> Place {
        Place {
            class: "p.A".to_owned(),
            method: method.to_owned(),
            descriptor: "()V".to_owned(),
            bci,
            source: None,
            line: None,
        }
    }

    fn event(thread: u32, kind: &str, object: u32, place: Option<Place>) -> Event {
        Event {
            callers: Vec::new(),
            thread,
            place,
            kind: kind.parse().unwrap(),
            target: None,
            object,
            name: None,
            index: None,
            value: None,
        }
    }

    fn stops(outcome: &Outcome, events: &[Event]) -> Vec<(u32, Stop)> {
        let steps = steps(&run_sample::plan(), outcome, events, Kind::Result);
        steps.into_iter().map(|step| (step.thread, step.stop)).collect()
    }

    #[test]
    fn a_thread_is_held_in_front_of_what_it_does_next() {
        let events = [
            event(1, "begin", 0, None),
            event(1, "read", 1, Some(place("m", 3))),
            event(2, "begin", 0, None),
            event(2, "write", 1, Some(place("n", 7))),
            event(1, "write", 1, Some(place("m", 9))),
        ];
        assert_eq!(
            stops(&run_sample::lost_update(), &events),
            [(1, Stop::At(place("m", 9), 1)), (2, Stop::End)]
        );
    }

    #[test]
    fn a_place_that_was_come_to_before_is_counted_in_the_turn_only() {
        let read = |thread: u32| event(thread, "read", 1, Some(place("m", 3)));
        let write = |thread: u32| event(thread, "write", 1, Some(place("n", 7)));
        let events = [
            event(1, "begin", 0, None),
            read(1),
            event(2, "begin", 0, None),
            write(2),
            // Held at this one, so that only the next one counts.
            read(1),
            read(1),
            write(2),
            read(1),
        ];
        assert_eq!(
            stops(&run_sample::lost_update(), &events),
            [
                (1, Stop::At(place("m", 3), 2)),
                (2, Stop::At(place("n", 7), 2)),
                (1, Stop::At(place("m", 3), 2)),
                (2, Stop::End),
            ]
        );
    }

    #[test]
    fn in_front_of_a_synchronized_method_a_thread_is_held_after_what_it_did() {
        let enter =
            |thread: u32, object: u32, method: &str| event(thread, "enter", object, Some(place(method, 0)));
        let mut stuck = run_sample::lost_update();
        stuck.end = End::Stuck;
        for thread in 1..=2 {
            stuck.threads[thread].state = ThreadState::Blocked;
            stuck.threads[thread].place = Some(place("inner", 0));
        }
        let events = [
            event(1, "begin", 0, None),
            enter(1, 1, "outer"),
            event(2, "begin", 0, None),
            enter(2, 2, "outer"),
            event(2, "read", 5, Some(place("outer", 4))),
        ];
        assert_eq!(
            stops(&stuck, &events),
            [
                (1, Stop::At(place("outer", 0), 1)),
                (2, Stop::After(place("outer", 4), 1)),
            ]
        );
    }

    #[test]
    fn in_front_of_an_initialiser_a_thread_is_held_at_the_instruction_or_last() {
        let enter = |thread: u32, method: &str| event(thread, "enter", thread, Some(place(method, 0)));
        let mut stuck = run_sample::lost_update();
        stuck.end = End::Stuck;
        for thread in 1..=2 {
            stuck.threads[thread].state = ThreadState::Blocked;
            stuck.threads[thread].wants = Some("the initialiser of p.B".to_owned());
        }
        let events = [
            event(1, "begin", 0, None),
            enter(1, "<init>"),
            event(2, "begin", 0, None),
            enter(2, "make"),
        ];
        // The first has begun with a subclass, and is about to go on with the superclass.
        stuck.threads[1].place = Some(place("<init>", 0));
        stuck.threads[2].place = Some(place("<clinit>", 0));
        let expected = [(2, Stop::At(place("<clinit>", 0), 1)), (1, Stop::Blocked)];
        assert_eq!(stops(&stuck, &events), expected);
        // The class itself says that it is used.
        let inside = Place {
            class: "p.B".to_owned(),
            ..place("other", 5)
        };
        stuck.threads[1].place = Some(inside);
        assert_eq!(stops(&stuck, &events), expected);
    }

    #[test]
    fn a_thread_is_before_its_first_call_from_the_beginning() {
        let call = |number: i32| Event {
            index: Some(number),
            ..event(1, "call", 0, None)
        };
        let events = [
            event(1, "begin", 0, None),
            event(3, "begin", 0, None),
            call(1),
            event(1, "write", 1, Some(place("m", 3))),
            event(3, "write", 1, Some(place("n", 7))),
            call(2),
        ];
        assert_eq!(stops(&run_sample::lost_update(), &events), [(1, Stop::Call(2))]);
    }
}
