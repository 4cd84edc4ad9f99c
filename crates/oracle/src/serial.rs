//! Whether a run is a sequential order in disguise.
//!
//! Two steps conflict if they touch the same place and one of them changes it. A run whose conflicting steps come in the
//! order in which they come when whole calls are made one after the other does the same as these calls: swapping
//! neighbours that do not conflict makes one of the other. So if its outcome differs all the same, then chance did that, or
//! something that was left over from another run, or code that is not seen; but not the interleaving.
//!
//! Places are taken to be larger rather than smaller than they are: then more steps conflict, and fewer runs are taken for
//! sequential ones. So fields go by name alone, while a reproducer, which only has to come to the same outcome, tells fields of
//! one name by their types; and locks do not count, since what they guard does.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Accessed, Event, EventKind};

use crate::verdict::Kind;
use crate::weakness::changes;

/// A part of a run that the orders do not interrupt: a call of a thread, or a step of one, by its number in the thread, or all
/// that a thread does which a call has started.
type Node = (u32, u32);

/// What is touched of an object, or of a class.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'e> {
    All,
    Field(&'e str),
    Element(i32),
    /// Wake-ups and interrupts.
    Signals,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner<'e> {
    Object(u32),
    Class(&'e str),
    /// Raw memory, or a static field of which it is not known which.
    Unknown,
}

#[derive(Copy, Clone)]
struct Touch<'e> {
    owner: Owner<'e>,
    part: Part<'e>,
    writes: bool,
}

/// Why the interleaving is not to blame for what the calls came to, as a part of a sentence: the run is a sequential order,
/// see [`sequential_order`]. Of hangs that says nothing. `threads` is how many threads the plan has.
pub fn veto(threads: usize, kind: Kind, events: &[Event]) -> Option<String> {
    if !matches!(kind, Kind::Exception | Kind::Result) {
        return None;
    }
    let order = sequential_order(threads, events)?;
    let order: Vec<String> = order.iter().map(ToString::to_string).collect();
    Some(format!(
        "all that the threads do to each other comes in the order of whole calls, of threads {}; so chance, state left \
         over from another run, or code that is not seen makes the difference",
        order.join(", ")
    ))
}

/// The calls of the plan's threads in an order that explains the run, each as its thread; none if there is no such order.
/// `threads` is how many threads the plan has; they are numbered from 1.
pub fn sequential_order(threads: usize, events: &[Event]) -> Option<Vec<u32>> {
    // What may have changed something counts as a change, which makes fewer runs sequential.
    order(threads, events, &BTreeSet::new(), &|event| {
        event.kind != EventKind::Read
    })
}

/// Whether a run is an order of whole steps: parts of calls that end at these events, by position, and at the ends of the calls.
pub fn is_order_of_steps(threads: usize, events: &[Event], ends: &BTreeSet<usize>) -> bool {
    // Signals are no accesses, and are left as strict as they are.
    let writes = |event: &Event| match event.kind {
        EventKind::Read | EventKind::Write | EventKind::Atomic => changes(event),
        _ => true,
    };
    order(threads, events, ends, &writes).is_some()
}

/// The parts of the plan's threads in an order that explains the run, each as its thread.
fn order(
    threads: usize,
    events: &[Event],
    ends: &BTreeSet<usize>,
    writes: &dyn Fn(&Event) -> bool,
) -> Option<Vec<u32>> {
    let threads = u32::try_from(threads).ok()?;
    let mut calls: BTreeMap<u32, u32> = BTreeMap::new();
    let mut after: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    let mut touched: BTreeMap<Owner<'_>, BTreeSet<(Part<'_>, bool, Node)>> = BTreeMap::new();
    let mut opaque: BTreeMap<(u32, &str), Touch<'_>> = BTreeMap::new();
    for (at, event) in events.iter().enumerate().filter(|(_, event)| event.thread > 0) {
        if event.kind == EventKind::Call || ends.contains(&at) {
            *calls.entry(event.thread).or_default() += 1;
        }
        let number = calls.get(&event.thread).copied().unwrap_or(0);
        if number == 0 && event.thread <= threads {
            // Before its first call, a thread has done nothing.
            continue;
        }
        let node = (event.thread, number);
        after.entry(node).or_default();
        if number > 1 {
            after.entry((event.thread, number - 1)).or_default().insert(node);
        }
        let Some(touch) = touch(event, writes).or_else(|| inside(event, &opaque)) else {
            continue;
        };
        if let Some((class, method)) = called(event) {
            for name in [class, method] {
                opaque.insert((event.thread, name), touch);
            }
        }
        let others = touched.entry(touch.owner).or_default();
        for (part, writes, other) in others.iter() {
            let overlaps = *part == touch.part || *part == Part::All || touch.part == Part::All;
            if *other != node && overlaps && (touch.writes || *writes) {
                after.entry(*other).or_default().insert(node);
            }
        }
        others.insert((touch.part, touch.writes, node));
    }
    let order = sorted(after)?;
    Some(
        order
            .into_iter()
            .map(|(thread, _)| thread)
            .filter(|thread| *thread <= threads)
            .collect(),
    )
}

/// The class and the name of the method, of a call of code that is not seen.
fn called(event: &Event) -> Option<(&str, &str)> {
    let method = event.method()?;
    let is_told = matches!(event.kind, EventKind::Read | EventKind::Write);
    is_told.then_some((&method.owner, &method.name))
}

/// Locks are seen of code of which nothing else is: what a call of that does may come before or after it takes one. It may
/// call other such code meanwhile, so that the thread's last call of the class counts, and not its last one of all. The
/// method may be inherited; then it is known by its name, if it locks its object.
fn inside<'e>(event: &'e Event, opaque: &BTreeMap<(u32, &'e str), Touch<'e>>) -> Option<Touch<'e>> {
    if !matches!(event.kind, EventKind::Enter | EventKind::Exit) {
        return None;
    }
    let place = event.place.as_ref()?;
    let known = |name: &'e str| opaque.get(&(event.thread, name)).copied();
    let is_own = |touch: &Touch<'_>| touch.owner == Owner::Object(event.object);
    let inherited = known(&place.method).filter(is_own);
    inherited.or_else(|| known(&place.class))
}

fn touch<'e>(event: &'e Event, writes: &dyn Fn(&Event) -> bool) -> Option<Touch<'e>> {
    use EventKind::{Atomic, Interrupt, Join, Notify, Park, Read, Sleep, Unpark, Wait, Woken, Write};
    let (owner, part) = match event.kind {
        Read | Write | Atomic => {
            let owner = match (event.object, &event.target) {
                // The class of an atomic operation is that of the handle.
                (0, Some(target)) if event.kind != Atomic => Owner::Class(target.owner()),
                (0, _) => Owner::Unknown,
                (object, _) => Owner::Object(object),
            };
            let part = match event.accessed()? {
                Accessed::Element(index) => Part::Element(index),
                Accessed::Field(field) => Part::Field(&field.name),
                Accessed::Any => Part::All,
            };
            (owner, part)
        }
        Wait | Woken | Notify | Park | Unpark | Interrupt | Join | Sleep => {
            (Owner::Object(event.object), Part::Signals)
        }
        _ => return None,
    };
    Some(Touch {
        owner,
        part,
        writes: writes(event),
    })
}

/// An order in which everything comes before what must come after it.
fn sorted(mut after: BTreeMap<Node, BTreeSet<Node>>) -> Option<Vec<Node>> {
    let mut order = Vec::new();
    while !after.is_empty() {
        let has_before: BTreeSet<Node> = after.values().flatten().copied().collect();
        let first = after.keys().find(|node| !has_before.contains(node)).copied()?;
        after.remove(&first);
        order.push(first);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::{Place, Target};

    /// `2 w 7.count` is a write of thread 2, `1 call` the beginning of a call.
    fn events(text: &str) -> Vec<Event> {
        let event = |line: &str| {
            let mut words = line.split_whitespace();
            let thread = words.next().unwrap().parse().unwrap();
            let kind = match words.next().unwrap() {
                "r" => "read",
                "w" => "write",
                other => other,
            };
            let place = words.next().map(|place| place.split_once('.').unwrap());
            Event {
                callers: Vec::new(),
                thread,
                place: (kind == "enter").then(|| Place {
                    class: "p.Parent".to_owned(),
                    method: "m".to_owned(),
                    descriptor: "()V".to_owned(),
                    bci: 0,
                    source: None,
                    line: None,
                }),
                kind: kind.parse().unwrap(),
                target: place.map(|(_, target)| match target {
                    "m()" => Target::method("p.C", "m", "()V"),
                    field => Target::field("p.C", field, "I"),
                }),
                object: place.map_or(0, |(object, _)| object.parse().unwrap()),
                name: None,
                index: None,
                value: None,
            }
        };
        text.split(',').map(event).collect()
    }

    fn order(text: &str) -> Option<Vec<u32>> {
        sequential_order(2, &events(text))
    }

    #[test]
    fn calls_that_work_in_steps_may_be_mixed_between_these() {
        let crossing = events("1 call,2 call,1 w 7.n,2 w 8.n,2 w 7.n,1 w 8.n");
        assert!(!is_order_of_steps(2, &crossing, &BTreeSet::new()));
        assert!(is_order_of_steps(2, &crossing, &BTreeSet::from([5])));
    }

    #[test]
    fn a_lost_update_is_no_order_of_the_calls() {
        assert_eq!(order("1 call,2 call,1 r 7.n,2 r 7.n,1 w 7.n,2 w 7.n"), None);
        assert_eq!(
            order("1 call,2 call,1 r 7.n,1 w 7.n,2 r 7.n,2 w 7.n"),
            Some(vec![1, 2])
        );
        assert_eq!(
            order("1 call,2 call,2 r 7.n,2 w 7.n,1 r 7.n,1 w 7.n"),
            Some(vec![2, 1])
        );
    }

    #[test]
    fn steps_about_different_things_may_be_mixed() {
        assert!(order("1 call,2 call,1 r 7.n,2 r 8.n,1 w 7.n,2 w 8.n,1 r 7.n").is_some());
        assert!(order("1 call,2 call,1 r 7.n,2 w 7.m,1 w 7.n,2 w 7.m,1 r 7.n").is_some());
        assert!(order("1 call,2 call,1 r 7.n,2 r 7.n,1 r 7.n").is_some());
    }

    #[test]
    fn a_call_of_code_that_is_not_seen_touches_all_of_its_object() {
        assert_eq!(order("1 call,2 call,1 r 7.m(),2 w 7.m(),1 w 7.m()"), None);
        assert_eq!(order("1 call,2 call,1 r 7.n,2 w 7.m(),1 r 7.n"), None);
        // Of a class, the same.
        assert_eq!(order("1 call,2 call,1 r 0.n,2 w 0.m(),1 r 0.n"), None);
    }

    #[test]
    fn code_that_is_not_seen_may_do_what_it_does_after_it_has_a_lock() {
        // Thread 2 changes the object when it has the lock, after thread 1 has read it.
        let mixed = "1 call,2 call,2 r 7.m(),2 w 7.m(),1 r 7.m(),2 w 9.n,2 enter 7.m,1 w 7.m()";
        assert_eq!(order(mixed), None);
        assert_eq!(order(&mixed.replace("2 enter 7.m,", "")), Some(vec![2, 1]));
    }

    #[test]
    fn calls_of_one_thread_stay_in_their_order() {
        // The second call of thread 1 comes before the call of thread 2, and the first one after it.
        assert_eq!(
            order("1 call,2 call,2 r 7.n,1 w 7.n,1 call,1 w 7.m,2 r 7.m"),
            None
        );
        assert_eq!(
            order("1 call,1 w 7.n,2 call,2 r 7.n,1 call,1 w 7.m"),
            Some(vec![1, 1, 2])
        );
    }
}
