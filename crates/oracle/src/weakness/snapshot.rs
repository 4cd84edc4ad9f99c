//! A reader that looks at several variables of its object one after the other, without a lock, and so may answer with what
//! never was at one time.
//!
//! That is by design where the variables are made to be read without a lock: all are volatile or atomic. Plain fields that
//! others guard with a lock are not, and a reader that passes the lock by is a plain violation.
//!
//! A text that is put together from one variable that is read more than once is such an answer too: it is for people. A text
//! that is stored somewhere is read once.
//!
//! So is one that is gathered from everything an object holds, in a map of counters for instance, where the call that is seen half
//! done holds no lock from one of its steps to the next. If it does, it means its steps to be seen together.
//!
//! The same goes for a thread that does nothing but read, one variable with each call: between two calls anything may happen,
//! so that nobody who makes them can rely on answers that fit each other.

use std::collections::BTreeSet;

use raddle_plan::{Event, Target};

use super::calls::{Access, Calls, Span, Variable};
use super::steps::answers_for_all;
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
            let is_one = is_snapshot(case, calls, &[span], is_text)
                || is_snapshot(case, calls, &series, false)
                || is_gathered(case, calls, span);
            if !is_one {
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
    let met = met(calls, spans, first.thread);
    // Fields of the object itself, and the state of atomics that it is made of; not what a search comes by.
    let fields: BTreeSet<Held<'_>> = met
        .iter()
        .filter_map(|access| field_of(case, access, receiver))
        .collect();
    (fields.len() > 1 || is_text && met.len() > 1) && met.iter().all(|access| is_open(case, access))
}

/// Whether a call answers for everything that its object holds, and no call that it met keeps a lock between its steps.
fn is_gathered(case: &Case<'_>, calls: &Calls, span: &Span) -> bool {
    let answers = case
        .call(span.call)
        .is_some_and(|(_, call)| answers_for_all(call, case.class));
    if !answers || !calls.only_reads(span) {
        return false;
    }
    let met = met(calls, &[span], span.thread);
    let variables: BTreeSet<&Variable> = met.iter().map(|access| &access.variable).collect();
    let keeps_lock = |other: &Span| {
        let mut writes = other
            .accesses
            .iter()
            .filter(|access| access.is_write && variables.contains(&access.variable));
        writes.next().is_some_and(|first| {
            let rest: Vec<&Access> = writes.collect();
            let is_kept = |lock: &u32| rest.iter().all(|access| access.locks.contains(lock));
            !rest.is_empty() && first.locks.iter().any(is_kept)
        })
    };
    variables.len() > 1
        && met.iter().all(|access| is_open(case, access))
        && !calls.overlapping(span).any(keeps_lock)
}

/// What calls of a thread read that other threads change.
fn met<'c>(calls: &'c Calls, spans: &[&'c Span], thread: u32) -> Vec<&'c Access> {
    let others = calls.spans.iter().filter(|other| other.thread != thread);
    let changed: BTreeSet<&Variable> = others
        .flat_map(|other| &other.accesses)
        .filter(|access| access.is_write)
        .map(|access| &access.variable)
        .collect();
    spans
        .iter()
        .flat_map(|span| &span.accesses)
        .filter(|access| changed.contains(&access.variable))
        .collect()
}

/// Whether a variable is made to be read without a lock, and is read so.
fn is_open(case: &Case<'_>, access: &Access) -> bool {
    let field = case.run.events.get(access.at).and_then(Event::field);
    access.locks.is_empty() && (access.is_atomic || field.is_some_and(case.run.is_volatile))
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
