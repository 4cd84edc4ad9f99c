//! What a call changes bit by bit under a lock of the class itself, and another one looks at past that lock. Whoever keeps a
//! lock from one change to the next means them to be seen together, so this is by nobody's design: a table that can be
//! reached before it is filled, for example.

use std::collections::BTreeSet;

use raddle_plan::EventKind;

use super::Case;
use super::calls::{Access, Calls, Span};

/// Whether a call looks at something while another one is in the middle of changing it under such a lock.
pub(super) fn sees_unfinished(case: &Case<'_>, calls: &Calls, reader: &Span) -> bool {
    let objects: BTreeSet<u32> = reader
        .accesses
        .iter()
        .filter_map(|access| access.variable.object())
        .collect();
    let (Some(first), Some(last)) = (reader.accesses.first(), reader.accesses.last()) else {
        return false;
    };
    let mut others = calls.spans.iter().filter(|other| other.thread != reader.thread);
    others.any(|other| {
        own_monitors(case, other).into_iter().any(|lock| {
            let is_it = |access: &&Access| {
                let object = access.variable.object();
                access.is_write
                    && access.locks.contains(&lock)
                    && object.is_some_and(|object| objects.contains(&object))
            };
            let writes: Vec<&Access> = other.accesses.iter().chain(&other.made).filter(is_it).collect();
            let touched: BTreeSet<_> = writes.iter().map(|access| &access.variable).collect();
            let is_past = reader.accesses.iter().all(|access| !access.locks.contains(&lock));
            let is_begun = writes.iter().any(|access| access.at < last.at);
            let goes_on = writes.iter().any(|access| access.at > first.at);
            touched.len() > 1 && is_past && is_begun && goes_on
        })
    })
}

/// The monitors that the code of the class itself takes in a call; those that collections of the platform take inside are theirs.
fn own_monitors(case: &Case<'_>, span: &Span) -> BTreeSet<u32> {
    let is_own = |class: &str| {
        let outer = class.split('$').next().unwrap_or(class);
        case.family.contains(class) || outer == case.class.split('$').next().unwrap_or(case.class)
    };
    let taken = case.run.events.iter().filter(|event| {
        let place = event.place.as_ref();
        event.kind == EventKind::Enter
            && event.thread == span.thread
            && place.is_some_and(|place| is_own(&place.class))
    });
    taken.map(|event| event.object).collect()
}
