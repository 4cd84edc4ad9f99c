//! A reader that looks at several variables of its object one after the other, without a lock, and so may answer with what
//! never was at one time.
//!
//! That is by design where the variables are made to be read without a lock: all are volatile or atomic. Plain fields that
//! others guard with a lock are not, and a reader that passes the lock by is a plain violation. So is one that reads several
//! volatile fields which others change together under one lock.
//!
//! A text that is put together from one variable that is read more than once is such an answer too: it is for people. A text
//! that is stored somewhere is read once.
//!
//! So is one that is gathered from everything an object holds, in a map of counters for instance, where the call that is seen half
//! done holds no lock from one of its steps to the next. If it does, it means its steps to be seen together.
//!
//! The same goes for a thread that does nothing but read, one variable with each call: between two calls anything may happen,
//! so that nobody who makes them can rely on answers that fit each other. What was complete when it was published counts as the
//! variable that published it.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Event, EventKind, Target};

use super::calls::{Access, Calls, Span, Variable, changes, variable};
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
        // Who changes something in other orders and only reads here is no reader: it left to another call what that has not done.
        if readers.iter().any(|reader| case.changing.contains(reader)) {
            return None;
        }
        // Answers that are right one by one, and wrong only together.
        let is_usual = differences
            .iter()
            .all(|difference| difference.sequential.contains(&difference.got));
        for reader in &readers {
            let span = calls.find(*reader)?;
            let series: Vec<&Span> = calls
                .spans
                .iter()
                .filter(|one| one.thread == span.thread)
                .collect();
            let is_text = case.is_text(*reader);
            let is_one = is_snapshot(case, calls, &[span], is_text, false)
                || is_snapshot(case, calls, &series, false, is_usual)
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
fn is_snapshot(case: &Case<'_>, calls: &Calls, spans: &[&Span], is_text: bool, are_usual: bool) -> bool {
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
        .filter_map(|access| field_of(case, access, receiver, tells_all(case, first)))
        .collect();
    let variables: BTreeSet<&Variable> = met.iter().map(|access| &access.variable).collect();
    let is_series = are_usual && spans.len() > 1 && variables.len() > 1;
    // Between two calls anything may happen. One call that passes the lock by under which others change two things at once sees
    // what nobody was to see; what an object says of itself is for people.
    let is_for_people = case.name(first.call) == "toString";
    if spans.len() == 1 && !is_for_people && is_kept_together(case, calls, first, &met) {
        return false;
    }
    (fields.len() > 1 || is_series || is_text && met.len() > 1)
        && met
            .iter()
            .all(|access| is_open(case, access) || is_published(case, calls, access, &met))
}

/// Whether what a call reads was complete before it could come by it: whoever wrote it has stored an open variable afterwards, and
/// that was read first. A copy that is put in the place of the one before is made so.
fn is_published(case: &Case<'_>, calls: &Calls, access: &Access, met: &[&Access]) -> bool {
    let spans = calls.spans.iter();
    let mut writes = spans.flat_map(|span| {
        let own = span.accesses.iter();
        let wrote = own.filter(|one| one.is_write && one.variable == access.variable);
        wrote.map(move |write| (span, write))
    });
    writes.all(|(span, write)| {
        let stores = span
            .accesses
            .iter()
            .filter(|one| one.is_write && one.at > write.at);
        let is_seen = |store: &Access| {
            met.iter().any(|read| {
                read.variable == store.variable
                    && is_open(case, read)
                    && (store.at..access.at).contains(&read.at)
            })
        };
        stores.into_iter().any(is_seen)
    })
}

/// Whether a call answers for everything that its object holds, and no call that it met keeps a lock between its steps.
fn is_gathered(case: &Case<'_>, calls: &Calls, span: &Span) -> bool {
    let answers = tells_all(case, span);
    let is_kept = |variable: &Variable| calls.is_kept(case.run.events, variable);
    if !answers || !calls.reads_but_for(span, &is_kept) {
        return false;
    }
    // What another call has made and given away counts, too.
    let changed: BTreeSet<Variable> = case
        .run
        .events
        .iter()
        .filter(|event| event.thread > 0 && event.thread != span.thread && changes(event))
        .filter_map(variable)
        .collect();
    let is_met = |access: &&Access| {
        let event = case.run.events.get(access.at);
        let is_changed = event.and_then(variable).is_some_and(|read| {
            let atomic = read.object().map(Variable::Atomic);
            changed.contains(&read) || atomic.is_some_and(|atomic| changed.contains(&atomic))
        });
        is_changed && !is_kept(&access.variable)
    };
    let met: Vec<&Access> = span.accesses.iter().filter(is_met).collect();
    // One variable may stand for several fields of an object with atomic operations.
    let places: BTreeSet<(&Variable, Option<&Target>)> = met
        .iter()
        .map(|access| {
            let event = case.run.events.get(access.at);
            (&access.variable, event.and_then(|event| event.target.as_ref()))
        })
        .collect();
    // Fields of such classes are made for it although nothing in their declaration says so.
    let by_handle: BTreeSet<&str> = case
        .run
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Atomic)
        .filter_map(|event| event.name.as_deref())
        .collect();
    let has_atomics = |access: &Access| {
        let name = case
            .run
            .events
            .get(access.at)
            .and_then(|event| event.name.as_deref());
        access.locks.is_empty() && name.is_some_and(|name| by_handle.contains(name))
    };
    places.len() > 1
        && met
            .iter()
            .all(|access| is_open(case, access) || has_atomics(access))
        && !is_kept_together(case, calls, span, &met)
}

/// Whether a call that overlaps with a reader keeps a lock while it changes several of the variables that the reader meets: they are
/// meant to be seen together. What is complete before the reader can come by it is seen as a whole all the same.
fn is_kept_together(case: &Case<'_>, calls: &Calls, reader: &Span, met: &[&Access]) -> bool {
    let is_complete = |other: &Span, write: &Access| {
        let first = met.iter().find(|read| read.variable == write.variable);
        let stores = other
            .accesses
            .iter()
            .filter(|one| one.is_write && one.at > write.at && one.variable != write.variable);
        first.is_some_and(|first| {
            let is_seen = |store: &Access| {
                let mut before = met.iter().filter(|read| (store.at..first.at).contains(&read.at));
                before.any(|read| read.variable == store.variable && is_open(case, read))
            };
            stores.into_iter().any(is_seen)
        })
    };
    let mut overlapping = calls.overlapping(reader);
    overlapping.any(|other| {
        let mut under: BTreeMap<u32, BTreeSet<&Variable>> = BTreeMap::new();
        let is_met = |write: &&Access| met.iter().any(|read| read.variable == write.variable);
        let writes = other.accesses.iter().filter(|access| access.is_write);
        for write in writes.filter(is_met).filter(|write| !is_complete(other, write)) {
            for lock in &write.locks {
                under.entry(*lock).or_default().insert(&write.variable);
            }
        }
        under.values().any(|together| together.len() > 1)
    })
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

/// Whether a call makes up its answer from all that its object holds, rather than looks something up: it is given nothing, and
/// answers with a type that belongs to the class. Then an array of counters is a part like others, and nothing that a search
/// comes by.
fn tells_all(case: &Case<'_>, span: &Span) -> bool {
    let Some((_, call)) = case.call(span.call) else {
        return false;
    };
    let class = case.class.replace('.', "/");
    let package = class.rsplit_once('/').map_or("", |(package, _)| package);
    let result = call.member.descriptor.strip_prefix("()L");
    let answer = result.and_then(|result| result.rsplit_once('/'));
    answers_for_all(call, case.class) || answer.is_some_and(|(of, _)| of == package)
}

/// A part of an object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Held<'e> {
    Field(&'e Target),
    /// What a final field holds, as an atomic.
    Object(u32),
    /// A part of an array that it holds.
    Element(u32, i32),
}

/// What stands for the variable if it is a part of the object.
fn field_of<'e>(
    case: &Case<'e>,
    access: &Access,
    receiver: Option<u32>,
    tells_all: bool,
) -> Option<Held<'e>> {
    let event = case.run.events.get(access.at)?;
    if Some(event.object) == receiver {
        return event.target.as_ref().map(Held::Field);
    }
    let is_held = case.run.known.contains_key(&event.object);
    match event.index {
        None => is_held.then_some(Held::Object(event.object)),
        Some(index) => {
            (is_held && tells_all && access.is_atomic).then_some(Held::Element(event.object, index))
        }
    }
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
