//! Where the calls of a run get in each other's way: the variables that make up the cause of a wrong result.
//!
//! Two calls that overlap conflict on a variable if both access it and one writes it. If all conflicts of two calls are in
//! one direction, the run is as good as one after the other. So what counts is variables with conflicts in both
//! directions, or, if there is none, all those of calls with conflicts in both directions.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Event, EventKind};

use super::calls::{Access, Calls, RunEvents, Span, Variable};
use crate::words;

/// The state on which overlapping calls of a run meet, as text that is equal in every run: `Table.size`, `Node (atomic)`.
pub fn meeting_points(run: &RunEvents<'_>) -> BTreeSet<String> {
    let calls = Calls::of(run);
    let mut crossed = BTreeSet::new();
    let mut all = BTreeSet::new();
    for span in &calls.spans {
        for other in calls.overlapping(span).filter(|other| other.thread > span.thread) {
            let conflicts = conflicts(span, other);
            let has = |wanted: bool| conflicts.values().any(|ways| ways.contains(&wanted));
            if !(has(true) && has(false)) {
                continue;
            }
            for (variable, ways) in conflicts {
                let name = name(run, variable, span);
                if ways.len() == 2 {
                    crossed.insert(name.clone());
                }
                all.insert(name);
            }
        }
    }
    if crossed.is_empty() { all } else { crossed }
}

/// The state that overlapping calls access without a lock in common, by the fields of objects of the plan that lead to it:
/// `EventBus.listeners`, on whatever part of that list they meet. What is volatile or atomic needs no lock, and is not among it.
pub fn unguarded_state(run: &RunEvents<'_>) -> BTreeSet<String> {
    let calls = Calls::of(run);
    let roots = roots(run);
    let mut unguarded = BTreeSet::new();
    for span in &calls.spans {
        for other in calls.overlapping(span).filter(|other| other.thread > span.thread) {
            let mut by_variable: BTreeMap<&Variable, Vec<&Access>> = BTreeMap::new();
            for access in other.accesses.iter().filter(|access| is_plain(run, access)) {
                by_variable.entry(&access.variable).or_default().push(access);
            }
            for access in span.accesses.iter().filter(|access| is_plain(run, access)) {
                let met = by_variable.get(&access.variable).into_iter().flatten();
                let is_unguarded =
                    |met: &&Access| (access.is_write || met.is_write) && access.locks.is_disjoint(&met.locks);
                if met.copied().any(|met| is_unguarded(&met)) {
                    let root = access.variable.object().and_then(|object| roots.get(&object));
                    let root = root.cloned().flatten();
                    unguarded.insert(root.unwrap_or_else(|| name(run, &access.variable, span)));
                }
            }
        }
    }
    unguarded
}

fn is_plain(run: &RunEvents<'_>, access: &Access) -> bool {
    let field = run.events.get(access.at).and_then(Event::field);
    !access.is_atomic
        && !matches!(access.variable, Variable::Atomic(_))
        && !field.is_some_and(|field| (run.is_volatile)(field))
}

/// By object, the field of an object of the plan through which threads come to it; none for objects of the plan themselves.
fn roots(run: &RunEvents<'_>) -> BTreeMap<u32, Option<String>> {
    let of_plan = run
        .events
        .iter()
        .filter(|event| is_of_plan(event.name.as_deref()));
    let mut roots: BTreeMap<u32, Option<String>> = of_plan.map(|event| (event.object, None)).collect();
    for (object, holder) in run.known {
        let field = words::field(&holder.class, &holder.field);
        roots.entry(*object).or_insert(Some(field));
    }
    // What an object holds may have been read before it was known where the object itself belongs.
    loop {
        let known = roots.len();
        for event in run.events {
            let (Some(held), Some(holder)) = (event.referred(), roots.get(&event.object)) else {
                continue;
            };
            if event.kind == EventKind::Atomic || is_of_plan(Some(held.name)) {
                continue;
            }
            let field = || event.field().map(|field| words::field(&field.owner, &field.name));
            if let Some(root) = holder.clone().or_else(field) {
                roots.entry(held.object).or_insert(Some(root));
            }
        }
        if roots.len() == known {
            return roots;
        }
    }
}

fn is_of_plan(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.starts_with('$'))
}

/// The variables of two calls that conflict, and whether the first call's access comes first.
fn conflicts<'s>(one: &'s Span, other: &'s Span) -> BTreeMap<&'s Variable, BTreeSet<bool>> {
    let mut by_variable: BTreeMap<&Variable, Vec<&Access>> = BTreeMap::new();
    for access in &other.accesses {
        by_variable.entry(&access.variable).or_default().push(access);
    }
    let mut conflicts: BTreeMap<&Variable, BTreeSet<bool>> = BTreeMap::new();
    for access in &one.accesses {
        for met in by_variable.get(&access.variable).into_iter().flatten() {
            if access.is_write || met.is_write {
                let ways = conflicts.entry(&access.variable).or_default();
                ways.insert(access.at < met.at);
            }
        }
    }
    conflicts
}

/// Without the number of the object: elements of one kind of array, and fields of one class, are one state. What a final
/// field holds is the state of that field.
fn name(run: &RunEvents<'_>, variable: &Variable, span: &Span) -> String {
    let event = span
        .accesses
        .iter()
        .find(|access| access.variable == *variable)
        .and_then(|access| run.events.get(access.at));
    let place = event.and_then(|event| event.place.as_ref());
    let class = place.map_or("", |place| words::simple(&place.class));
    let holder = variable.object().and_then(|object| run.known.get(&object));
    if let Some(holder) = holder {
        return words::field(&holder.class, &holder.field);
    }
    match variable {
        Variable::Field(..) | Variable::Static(_) => {
            let field = event.and_then(|event| event.field());
            field
                .map(|field| words::field(&field.owner, &field.name))
                .unwrap_or_default()
        }
        // Which field holds the array is not known; whose code uses it is.
        Variable::Element(..) => format!("{class}[]"),
        Variable::Atomic(_) => {
            let object = event.and_then(|event| event.name.as_deref()).unwrap_or_default();
            let owner = if object.starts_with('$') {
                class
            } else {
                words::simple(object)
            };
            format!("{owner} (atomic)")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::evidence::made::{access, call};

    /// Object 1 is a variable of the plan.
    fn met(events: &[Event]) -> Vec<String> {
        let named = |event: &Event| Event {
            name: Some("$0".to_owned()),
            ..event.clone()
        };
        let events: Vec<Event> = events.iter().map(named).collect();
        let run = RunEvents {
            events: &events,
            known: &BTreeMap::new(),
            is_volatile: &|_| false,
        };
        meeting_points(&run).into_iter().collect()
    }

    #[test]
    fn calls_meet_where_they_conflict_both_ways() {
        let lost = [
            call(1, 0),
            call(2, 1),
            access(1, "read", "size", 1),
            access(2, "read", "size", 1),
            access(2, "write", "size", 2),
            access(2, "write", "last", 3),
            access(1, "write", "size", 2),
            access(1, "write", "last", 3),
        ];
        assert_eq!(met(&lost), ["Table.size"]);
    }

    #[test]
    fn a_mixture_of_two_variables_is_named_by_both() {
        let torn = [
            call(1, 0),
            call(2, 1),
            access(1, "write", "low", 1),
            access(2, "read", "low", 5),
            access(2, "read", "high", 6),
            access(1, "write", "high", 2),
            access(1, "write", "other", 2),
            access(2, "read", "third", 6),
        ];
        assert_eq!(met(&torn), ["Table.high", "Table.low"]);
    }

    #[test]
    fn unguarded_state_is_named_by_the_field_that_leads_to_it() {
        let of = |object: u32, name: &str, event: Event| Event {
            object,
            name: Some(name.to_owned()),
            ..event
        };
        let holds = |object: u32, name: &str, field: &str, value: &str| Event {
            value: Some(value.to_owned()),
            ..of(object, name, access(1, "read", field, 1))
        };
        let events = [
            call(1, 0),
            call(2, 1),
            // The node is read before it is known where it belongs.
            holds(2, "p.Node", "next", "p.Node#3"),
            holds(1, "$0", "first", "p.Node#2"),
            Event {
                thread: 2,
                ..holds(2, "p.Node", "next", "p.Node#3")
            },
            of(3, "p.Node", access(1, "write", "item", 2)),
            of(3, "p.Node", access(2, "write", "item", 3)),
            of(1, "$0", access(2, "write", "size", 4)),
            of(1, "$0", access(1, "read", "size", 5)),
            of(9, "p.Other", access(1, "read", "size", 5)),
            of(9, "p.Other", access(2, "write", "size", 5)),
        ];
        let state = |events: &[Event]| {
            let run = RunEvents {
                events,
                known: &BTreeMap::new(),
                is_volatile: &|field| &*field.name == "item",
            };
            unguarded_state(&run).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(state(&events), ["Table.size"]);
        let run = RunEvents {
            events: &events,
            known: &BTreeMap::new(),
            is_volatile: &|_| false,
        };
        let all: Vec<String> = unguarded_state(&run).into_iter().collect();
        assert_eq!(all, ["Table.first", "Table.size"]);
    }

    #[test]
    fn calls_one_after_the_other_meet_nowhere() {
        let serial = [
            call(1, 0),
            access(1, "read", "size", 1),
            access(1, "write", "size", 2),
            call(2, 1),
            access(2, "read", "size", 1),
            access(2, "write", "size", 2),
        ];
        assert!(met(&serial).is_empty());
    }
}
