//! A reader that sees a state in between: another call stores one state on its way to the next, as in `STARTING` and then
//! `STARTED`, where everybody may look.
//!
//! That is by design where the variable is made to be read without a lock, and holds an object, or one of a few constants:
//! whoever stores a name for what is going on means it to be seen. And it is where the other call counts itself: a number of calls under way is raised by one
//! at the beginning and lowered by one at the end, and is zero when nobody is there. A number that is lowered first, as by a
//! call that takes everything out and puts it back, is none of this, nor is one that other calls leave raised: it goes beyond
//! its limit for a moment. Where the call fails because code fails that it was given, it takes back what it has begun. Where the call was given code to run, it is under way for as long as that code likes, so that a
//! number which it raises before and puts back afterwards is meant to be seen, whatever others have added to it. So is an entry
//! that it makes before and takes back afterwards, if it holds no lock from one to the other: who looks meanwhile finds something
//! where there is nothing in any order.

use raddle_plan::{Argument, CallResult, Outcome};

use super::calls::{Access, Calls, Span};
use super::failed::is_failing_answer;
use super::refusal::is_by_the_jvm;
use super::{Case, Rule, WeakKind, Weakness};
use crate::stand_in::has_thrown;
use crate::verdict::{Evidence, Kind};

/// Only readers of such a state came to something else.
pub(super) struct InBetween;

impl Rule for InBetween {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
        if case.violation.kind != Kind::Result || differences.is_empty() {
            return None;
        }
        let readers: Vec<usize> = differences.iter().map(|difference| difference.call).collect();
        let mut writer = None;
        for reader in &readers {
            let reader = calls.find(*reader)?;
            let found = passing(case, calls, reader)
                .or_else(|| entered(case, calls, reader))
                .or_else(|| failing(case, calls, reader));
            writer = Some(found?);
        }
        Some(Weakness {
            rule: WeakKind::Snapshot,
            sentence: format!(
                "state in between: {} sees what {} stores on its way",
                case.name(*readers.first()?),
                case.name(writer?)
            ),
            calls: readers,
        })
    }
}

/// The call whose passing state a call reads, if that is all it reads of what others change.
fn passing(case: &Case<'_>, calls: &Calls, reader: &Span) -> Option<usize> {
    if !calls.only_reads(reader) {
        return None;
    }
    let others = || calls.spans.iter().filter(|other| other.thread != reader.thread);
    let is_changed = |access: &&Access| {
        let mut writes = others()
            .flat_map(|other| &other.accesses)
            .filter(|other| other.is_write);
        writes.any(|write| write.variable == access.variable)
    };
    let met: Vec<&Access> = reader.accesses.iter().filter(is_changed).collect();
    let [read] = met[..] else {
        return None;
    };
    let field = case.run.events.get(read.at)?.field()?;
    let names_state = field.descriptor.ends_with(';') || (case.is_state)(field);
    let is_open = read.locks.is_empty() && (case.run.is_volatile)(field) && names_state;
    let writes = |span: &Span, is_wanted: &dyn Fn(usize) -> bool| {
        let mut own = span.accesses.iter().filter(|access| access.is_write);
        own.any(|access| access.variable == read.variable && is_wanted(access.at))
    };
    let written = |span: &Span| -> Vec<usize> {
        let own = span.accesses.iter().filter(|access| access.is_write);
        own.filter(|access| access.variable == read.variable)
            .map(|access| access.at)
            .collect()
    };
    let stored = |at: Option<usize>| case.run.events.get(at?)?.stored_number();
    let in_the_end = stored(calls.spans.iter().flat_map(written).max());
    let counts_itself = |span: &Span| {
        let own = written(span);
        let first = stored(own.first().copied());
        let last = stored(own.last().copied());
        in_the_end == Some(0) && first.zip(last).is_some_and(|(first, last)| last == first - 1)
    };
    let replaced = |at: Option<usize>| case.run.events.get(at?)?.replaced_number();
    let change = |at: &usize| Some(stored(Some(*at))? - replaced(Some(*at))?);
    let surrounds_code = |span: &Span| {
        // Others may change it meanwhile, so what counts is what the call itself adds and takes away.
        let changes: Option<Vec<i64>> = written(span).iter().map(change).collect();
        let puts_back = changes.is_some_and(|changes| {
            changes.first().is_some_and(|first| *first > 0) && changes.iter().sum::<i64>() == 0
        });
        puts_back && is_given_code(case, span)
    };
    others()
        .find(|other| writes(other, &|at| at < read.at) && writes(other, &|at| at > read.at))
        .filter(|other| is_open || counts_itself(other) || surrounds_code(other))
        .map(|other| other.call)
}

/// The call that runs what it was given and whose entry a reader finds that is gone when the call is over.
fn entered(case: &Case<'_>, calls: &Calls, reader: &Span) -> Option<usize> {
    let answer = |outcome: &Outcome| outcome.calls.get(reader.call).map(|call| call.result.clone());
    let fails = |outcome: &Outcome| answer(outcome).is_some_and(|result| is_failing_answer(&result));
    let finds_nothing_in_orders = !case.sequential.is_empty() && case.sequential.iter().all(fails);
    if !calls.only_reads(reader) || !finds_nothing_in_orders || fails(case.outcome) {
        return None;
    }
    // What the reader finds: written before, and again afterwards, under no lock that is kept until then.
    let makes_and_takes_back = |other: &&Span| {
        let mut entries = reader.accesses.iter().map(|read| {
            let writes = || {
                let own = other.accesses.iter().filter(|access| access.is_write);
                own.filter(|access| access.variable == read.variable)
            };
            let made = writes().rfind(|write| write.at < read.at);
            made.zip(writes().find(|write| write.at > read.at))
        });
        entries.any(|entry| entry.is_some_and(|(made, gone)| made.locks.is_disjoint(&gone.locks)))
    };
    let given = calls
        .overlapping(reader)
        .filter(|other| is_given_code(case, other));
    given.filter(makes_and_takes_back).map(|other| other.call).next()
}

/// The call that a reader overlaps with and that ends because the code fails which it was given to run. What it has begun by then it
/// takes back, and until it does, it is under way.
fn failing(case: &Case<'_>, calls: &Calls, reader: &Span) -> Option<usize> {
    let has_failed = |other: &&Span| {
        let call = case.outcome.calls.get(other.call);
        call.is_some_and(|call| has_thrown(&call.result)) && calls.changes(case.run.events, other)
    };
    let overlapping = calls.only_reads(reader).then(|| calls.overlapping(reader));
    overlapping
        .into_iter()
        .flatten()
        .find(has_failed)
        .map(|other| other.call)
}

/// Whether a call has an argument that the test itself implements, or its object was made with one; or nothing in its place, so that it
/// ended when it was to run that.
fn is_given_code(case: &Case<'_>, span: &Span) -> bool {
    let Some((_, call)) = case.call(span.call) else {
        return false;
    };
    let result = case.outcome.calls.get(span.call).map(|call| &call.result);
    let has_ended = matches!(result, Some(CallResult::Threw { class, .. }) if is_by_the_jvm(class));
    let is_code = |argument: &Argument| match argument {
        Argument::Var(name) => case.plan.implements(name),
        Argument::Null => has_ended,
        _ => false,
    };
    let mut makers = case
        .plan
        .prefix
        .iter()
        .filter(|made| made.bind.is_some() && made.bind == call.on);
    call.args.iter().any(is_code) || makers.any(|made| made.args.iter().any(is_code))
}
