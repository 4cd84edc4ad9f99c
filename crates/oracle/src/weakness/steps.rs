//! Bulk and traversing calls: `clear`, `addAll`, `removeIf`, `size` by counting, `sum`, and what is inherited of that kind.
//! Such a call does one thing many times, and few classes promise that nothing happens in between.
//!
//! A step is one iteration of a loop, seen when the call runs alone, in which no lock is held that keeps others out. Loops that
//! count:
//!
//! - of a call that changes something: loops with a change in an iteration after which there is another one that comes to the
//!   same place. A search that ends in a change is not one: to have looked and then to act on it is a promise of nearly every class. A loop that tries again
//!   after a failed compare-and-set does not go round when the call is alone.
//! - of a call that only reads: all loops, if it answers for all it comes by. A call that looks one thing up does not.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Accessed, Call, Event, EventKind, Invoke, Part, Place, TestPlan};

use super::calls::{Access, Calls, RunEvents, Span, Variable};
use super::{Case, Rule, WeakKind, Weakness};
use crate::words;

/// The loops of a plan's calls whose iterations are steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepCalls {
    /// Where they jump back, by call.
    loops: BTreeMap<usize, BTreeSet<Place>>,
    /// Where their iterations begin, by call: no jump leads to the first of them.
    heads: BTreeMap<usize, BTreeSet<Place>>,
}

impl StepCalls {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Takes in what another run shows.
    pub fn extend(&mut self, other: StepCalls) {
        for (call, places) in other.loops {
            self.loops.entry(call).or_default().extend(places);
        }
        for (call, places) in other.heads {
            self.heads.entry(call).or_default().extend(places);
        }
    }

    /// The loops of a call that jump back at these places.
    fn insert(&mut self, events: &[Event], span: &Span, places: BTreeSet<Place>) {
        if places.is_empty() {
            return;
        }
        let heads = heads(events, span, &places);
        self.heads.insert(span.call, heads);
        self.loops.insert(span.call, places);
    }

    /// The events of a run, by position, at which a step has just ended and another thread may be let in.
    pub fn boundaries(&self, run: &RunEvents<'_>) -> BTreeSet<usize> {
        let calls = Calls::of(run);
        let mut boundaries = BTreeSet::new();
        for span in &calls.spans {
            let Some(places) = self.loops.get(&span.call) else {
                continue;
            };
            for (at, held) in &span.loops {
                let place = run.events.get(*at).and_then(|event| event.place.as_ref());
                if calls.lets_others_in(span, held) && place.is_some_and(|place| places.contains(place)) {
                    boundaries.insert(*at);
                }
            }
            if let Some(heads) = self.heads.get(&span.call) {
                boundaries.extend(first_heads(run.events, &calls, span, heads));
            }
        }
        boundaries
    }
}

/// The loops whose iterations are steps, as a run of whole calls one after the other shows them.
pub fn step_calls(plan: &TestPlan, class: &str, run: &RunEvents<'_>) -> StepCalls {
    let mut found = StepCalls::default();
    let calls = Calls::of(run);
    for span in &calls.spans {
        let call = plan
            .calls()
            .find(|(id, part, _)| id.0 as usize == span.call && matches!(part, Part::Thread(_)));
        let Some((_, _, call)) = call else { continue };
        let places = if span.only_reads() {
            if answers_for_all(call, class) {
                free_loops(run.events, &calls, span)
            } else {
                BTreeSet::new()
            }
        } else {
            changing_loops(run.events, &calls, span)
        };
        found.insert(run.events, span, places);
    }
    found
}

/// The same of calls that change something, as any run shows them: of tests with little in their objects, only the violating run
/// may go round twice. What tries again after a failed compare-and-set has changed nothing until then.
pub fn changing_step_calls(plan: &TestPlan, run: &RunEvents<'_>) -> StepCalls {
    let mut found = StepCalls::default();
    let calls = Calls::of(run);
    let in_threads: BTreeSet<usize> = plan
        .calls()
        .filter(|(_, part, _)| matches!(part, Part::Thread(_)))
        .map(|(id, _, _)| id.0 as usize)
        .collect();
    for span in calls.spans.iter().filter(|span| in_threads.contains(&span.call)) {
        let places = changing_loops(run.events, &calls, span);
        found.insert(run.events, span, places);
    }
    found
}

fn place_of(events: &[Event], at: usize) -> Option<&Place> {
    events.get(at)?.place.as_ref()
}

/// The loops that go round without a lock.
fn free_loops(events: &[Event], calls: &Calls, span: &Span) -> BTreeSet<Place> {
    let free = span
        .loops
        .iter()
        .filter(|(_, held)| calls.lets_others_in(span, held));
    free.filter_map(|(at, _)| place_of(events, *at).cloned())
        .collect()
}

/// The accesses with which iterations begin of loops that jump back at these places.
fn heads(events: &[Event], span: &Span, places: &BTreeSet<Place>) -> BTreeSet<Place> {
    let jumps = span.loops.iter().map(|(at, _)| *at);
    let steps = jumps.filter(|at| place_of(events, *at).is_some_and(|place| places.contains(place)));
    let next = |at: usize| span.accesses.iter().find(|access| access.at > at);
    steps
        .filter_map(|at| place_of(events, next(at)?.at).cloned())
        .collect()
}

/// The same of the first iterations in a run, by position.
fn first_heads(events: &[Event], calls: &Calls, span: &Span, heads: &BTreeSet<Place>) -> Vec<usize> {
    let jump = span.loops.first().map_or(usize::MAX, |(at, _)| *at);
    let first = span.accesses.iter().filter(|access| access.at < jump);
    let is_head = |access: &&Access| {
        let is_there = place_of(events, access.at).is_some_and(|place| heads.contains(place));
        is_there && calls.lets_others_in(span, &access.locks)
    };
    first.filter(is_head).map(|access| access.at).collect()
}

/// The loops that go round without a lock, and that change something and come to the same place again: a loop after a change
/// is none of these.
fn changing_loops(events: &[Event], calls: &Calls, span: &Span) -> BTreeSet<Place> {
    let mut last: BTreeMap<&Place, usize> = BTreeMap::new();
    let mut changing = BTreeSet::new();
    for (at, held) in &span.loops {
        let is_free = calls.lets_others_in(span, held);
        let Some(place) = place_of(events, *at).filter(|_| is_free) else {
            continue;
        };
        let before = last.insert(place, *at).unwrap_or(0);
        let is_in_loop = |access: &Access| before < access.at && access.at < *at;
        let comes_again = |changed: &Access| {
            let mut later = span.accesses.iter().filter(|access| access.at > *at);
            let changed = place_of(events, changed.at);
            let is_again = |access: &Access| {
                place_of(events, access.at) == changed && !calls.fails(events, span, access)
            };
            changed.is_some() && later.any(is_again)
        };
        let changed = |access: &&Access| access.is_write && !calls.fails(events, span, access);
        let mut changes = span.accesses.iter().filter(changed);
        if changes.any(|access| is_in_loop(access) && comes_again(access)) {
            changing.insert(place.clone());
        }
    }
    changing
}

/// Whether a call comes back to something that it has written, without a lock, and finds what another one has written there since:
/// what it keeps for itself between its steps. Nobody is prepared for that, however much the steps are meant to be mixed.
/// Of fields, only those of the class itself are meant: others are parts of what it is made of, which look after themselves.
pub fn finds_others_in_its_own(class: &str, run: &RunEvents<'_>) -> bool {
    let calls = Calls::of(run);
    let is_bare = |access: &&Access| {
        let field = run.events.get(access.at).and_then(Event::field);
        let is_its_own = field.is_none_or(|field| &*field.owner == class && !(run.is_volatile)(field));
        access.locks.is_empty() && !access.is_atomic && is_its_own
    };
    let is_overwritten = |span: &Span, written: &Access, to: usize| {
        let others = calls.spans.iter().filter(|other| other.thread != span.thread);
        let mut writes = others
            .flat_map(|other| &other.accesses)
            .filter(|write| write.is_write);
        writes.any(|write| write.variable == written.variable && (written.at..to).contains(&write.at))
    };
    // All elements of an array, as when a text is made of it.
    let reads_whole = |span: &Span, array: u32, from: usize| {
        let mut later = run.events.iter().enumerate().skip(from);
        later
            .by_ref()
            .take_while(|(_, event)| event.thread != span.thread || event.kind != EventKind::Call)
            .find(|(_, event)| {
                let is_whole = matches!(event.accessed(), Some(Accessed::Any));
                event.thread == span.thread
                    && event.kind == EventKind::Read
                    && event.object == array
                    && is_whole
            })
            .map(|(at, _)| at)
    };
    calls.spans.iter().any(|span| {
        let mut own = span
            .accesses
            .iter()
            .filter(is_bare)
            .filter(|access| access.is_write);
        own.any(|written| {
            let mut again = span.accesses.iter().filter(is_bare);
            let read = again
                .find(|read| read.at > written.at && !read.is_write && read.variable == written.variable);
            let whole = match written.variable {
                Variable::Element(array, _) => reads_whole(span, array, written.at),
                _ => None,
            };
            let mut reads = read.map(|read| read.at).into_iter().chain(whole);
            reads.any(|read| is_overwritten(span, written, read))
        })
    })
}

/// Whether a call that only reads answers for all that it comes by: a number, a text or a collection of its own accord, or
/// anything about many things that it is given. A fraction or a choice says how to answer, and not of what.
pub(super) fn answers_for_all(call: &Call, class: &str) -> bool {
    let descriptor = call.member.descriptor.as_str();
    let (parameters, result) = descriptor.rsplit_once(')').unwrap_or((descriptor, "V"));
    let parameters = parameters.trim_start_matches('(');
    if call.invoke == Invoke::New {
        return false;
    }
    if parameters.chars().all(|parameter| "DFZ".contains(parameter)) {
        return matches!(result, "I" | "J" | "D" | "F" | "Ljava/lang/String;") || holds_many(result);
    }
    holds_many(parameters) || parameters.contains(&format!("L{};", class.replace('.', "/")))
}

/// Whether a descriptor has an array, a collection, or something to be called for each.
fn holds_many(descriptor: &str) -> bool {
    const MANY: [&str; 7] = [
        "Ljava/lang/Iterable;",
        "Ljava/util/Collection;",
        "Ljava/util/List;",
        "Ljava/util/Map;",
        "Ljava/util/Set;",
        "Ljava/util/function/",
        "Ljava/util/stream/",
    ];
    descriptor.contains('[') || MANY.iter().any(|many| descriptor.contains(many))
}

/// The calls that change something in a run of whole calls one after the other. To keep a view for whoever asks first is no change.
pub fn changing_calls(run: &RunEvents<'_>) -> BTreeSet<usize> {
    let calls = Calls::of(run);
    let changing = calls.spans.iter().filter(|span| calls.changes(run.events, span));
    changing.map(|span| span.call).collect()
}

/// The outcome is that of an order in which other calls come between the steps of such a call.
pub(super) struct Steps;

impl Rule for Steps {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let explained = case.steps?;
        let calls: Vec<usize> = explained.loops.keys().copied().collect();
        let names: BTreeSet<String> = calls.iter().map(|call| case.name(*call)).collect();
        let names: Vec<String> = names.into_iter().collect();
        let verb = if names.len() == 1 { "works" } else { "work" };
        Some(Weakness {
            rule: WeakKind::Steps,
            sentence: format!(
                "not atomic: {} {verb} in several steps, and calls in between explain the outcome",
                words::list(&names, "and")
            ),
            calls,
        })
    }
}
