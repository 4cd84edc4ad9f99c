//! A reader that looks at several variables of its object one after the other, without a lock, and so may answer with what
//! never was at one time.
//!
//! That is by design where the variables are made to be read without a lock: all are volatile or atomic. Plain fields that
//! others guard with a lock are not, and a reader that passes the lock by is a plain violation.
//!
//! A text that is put together from one variable that is read more than once is such an answer too: it is for people. A text
//! that is stored somewhere is read once.
//!
//! The same goes for a thread that does nothing but read, one variable with each call: between two calls anything may happen,
//! so that nobody who makes them can rely on answers that fit each other.

use std::collections::BTreeSet;

use raddle_plan::{Event, Target};

use super::calls::{Access, Calls, Span, Variable};
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Kind};

/// Only readers of several variables came to something else.
pub(super) struct Snapshot;

impl Rule for Snapshot {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
        if case.violation.kind != Kind::Result || differences.is_empty() {
            return None;
        }
        let readers: Vec<usize> = differences.iter().map(|difference| difference.call).collect();
        for reader in &readers {
            let span = calls.find(*reader)?;
            let series: Vec<&Span> = calls
                .spans
                .iter()
                .filter(|one| one.thread == span.thread)
                .collect();
            let is_text = case.is_text(*reader);
            if !is_snapshot(case, calls, &[span], is_text) && !is_snapshot(case, calls, &series, false) {
                return None;
            }
        }
        let name = case.name(*readers.first()?);
        Some(Weakness {
            rule: WeakKind::Snapshot,
            sentence: format!(
                "snapshot of several locations: {name} only reads, without a lock, and sees them at different times"
            ),
            calls: readers,
        })
    }
}

/// Whether calls of one thread, taken together, are such a reader.
fn is_snapshot(case: &Case<'_>, calls: &Calls, spans: &[&Span], is_text: bool) -> bool {
    let Some(first) = spans.first() else {
        return false;
    };
    if !spans.iter().all(|span| calls.only_reads(span)) {
        return false;
    }
    let receiver = receiver(case, first);
    let others = calls.spans.iter().filter(|other| other.thread != first.thread);
    let changed: BTreeSet<&Variable> = others
        .flat_map(|other| &other.accesses)
        .filter(|access| access.is_write)
        .map(|access| &access.variable)
        .collect();
    let met: Vec<&Access> = spans
        .iter()
        .flat_map(|span| &span.accesses)
        .filter(|access| changed.contains(&access.variable))
        .collect();
    // Fields of the object itself, and the state of atomics that it is made of; not what a search comes by.
    let fields: BTreeSet<Held<'_>> = met
        .iter()
        .filter_map(|access| field_of(case, access, receiver))
        .collect();
    (fields.len() > 1 || is_text && met.len() > 1)
        && met.iter().all(|access| {
            let field = case.run.events.get(access.at).and_then(Event::field);
            access.locks.is_empty() && (access.is_atomic || field.is_some_and(case.run.is_volatile))
        })
}

/// A part of an object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Held<'e> {
    Field(&'e Target),
    /// What a final field holds, as an atomic.
    Object(u32),
}

/// What stands for the variable if it is a part of the object.
fn field_of<'e>(case: &Case<'e>, access: &Access, receiver: Option<u32>) -> Option<Held<'e>> {
    let event = case.run.events.get(access.at)?;
    if Some(event.object) == receiver {
        return event.target.as_ref().map(Held::Field);
    }
    let is_held = event.index.is_none() && case.run.known.contains_key(&event.object);
    is_held.then_some(Held::Object(event.object))
}

/// The number of the object that a call is made on; none if no event is about that.
fn receiver(case: &Case<'_>, span: &Span) -> Option<u32> {
    let (_, call) = case.call(span.call)?;
    let on = call.on.as_deref()?;
    let variables = case.plan.variables();
    let slot = variables.iter().find(|variable| variable.name == on)?.slot;
    let name = format!("${slot}");
    let named = |event: &&Event| event.name.as_deref() == Some(&name) && event.object > 0;
    case.run.events.iter().find(named).map(|event| event.object)
}
