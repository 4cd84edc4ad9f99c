//! Events made by hand, for tests.

use raddle_plan::{Event, Place, Target};

fn place(line: u32) -> Place {
    Place {
        class: "p.Table".to_owned(),
        method: "put".to_owned(),
        descriptor: "()V".to_owned(),
        bci: line,
        source: Some("Table.java".to_owned()),
        line: Some(line),
    }
}

/// An event about a lock or a thread; line 0 is no place.
pub(crate) fn lock(thread: u32, kind: &str, object: u32, line: u32) -> Event {
    Event {
        callers: Vec::new(),
        thread,
        place: (line > 0).then(|| place(line)),
        kind: kind.parse().unwrap(),
        target: None,
        object,
        name: (object > 0).then(|| "p.Table".to_owned()),
        index: None,
        value: None,
    }
}

/// An access to a field of object 1.
pub(crate) fn access(thread: u32, kind: &str, field: &str, line: u32) -> Event {
    Event {
        target: Some(Target::field("p.Table", field, "I")),
        value: Some("3".to_owned()),
        ..lock(thread, kind, 1, line)
    }
}

/// The events after those with which threads 1 to 3 begin their first calls.
pub(crate) fn in_threads(events: &[Event]) -> Vec<Event> {
    let begun = (1..=3).flat_map(|thread| [lock(thread, "begin", 0, 0), lock(thread, "call", 0, 0)]);
    begun.chain(events.iter().cloned()).collect()
}

/// A thread begins a call of the plan.
pub(crate) fn call(thread: u32, number: i32) -> Event {
    Event {
        index: Some(number),
        ..lock(thread, "call", 0, 0)
    }
}
