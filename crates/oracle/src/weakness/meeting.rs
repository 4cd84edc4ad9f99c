//! Where the calls of a run get in each other's way: the variables that make up the cause of a wrong result.
//!
//! Two calls that overlap conflict on a variable if both access it and one writes it. If all conflicts of two calls are in
//! one direction, the run is as good as one after the other. So what counts is variables with conflicts in both
//! directions, or, if there is none, all those of calls with conflicts in both directions.

use std::collections::{BTreeMap, BTreeSet};

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
    use raddle_plan::Event;

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
