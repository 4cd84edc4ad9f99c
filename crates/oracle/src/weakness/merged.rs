//! A call that finds the same call of another thread under way, waits for it, and returns what that one comes to: one load for
//! all who ask for the same key at the same time.
//!
//! Two calls have done the work of one, so whatever counts the work counts one. That is the purpose of such classes. Two calls
//! of which one overwrites what the other has done come to the same, but neither waits for the other's result.

use raddle_plan::{Call, CallResult, Event, EventKind};

use super::calls::{Calls, Span};
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Kind};

/// The violation hangs on a call that shares the result of another one.
pub(super) struct Merged;

impl Rule for Merged {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
        if case.violation.kind != Kind::Result {
            return None;
        }
        let (follower, leader) = calls.spans.iter().find_map(|follower| {
            let mut leaders = calls.overlapping(follower);
            let leader = leaders.find(|leader| shares(case, leader, follower))?;
            Some((follower, leader))
        })?;
        // What it returns itself must be an answer that the method gives.
        let is_wrong = |call: usize| {
            let mut own = differences.iter().filter(|difference| difference.call == call);
            own.any(|difference| !difference.sequential.contains(&difference.got))
        };
        if is_wrong(follower.call) || is_wrong(leader.call) {
            return None;
        }
        Some(Weakness {
            rule: WeakKind::Merged,
            sentence: format!(
                "{} found the same call under way, waited for it and shares its result",
                case.name(follower.call)
            ),
            calls: vec![follower.call, leader.call],
        })
    }
}

/// Whether a call returned what the same call of another thread had got for the same arguments, by way of something that
/// threads wait for.
fn shares(case: &Case<'_>, leader: &Span, follower: &Span) -> bool {
    let is_asked_the_same = || {
        let (_, one) = case.call(leader.call)?;
        let (_, other) = case.call(follower.call)?;
        Some(is_same_call(one, other) && !one.args.is_empty())
    };
    let result = |span: &Span| match &case.outcome.calls.get(span.call)?.result {
        CallResult::Returned(value) => Some(value),
        _ => None,
    };
    let is_same_result = result(leader).is_some() && result(leader) == result(follower);
    is_same_result && is_asked_the_same() == Some(true) && waits_for(case, leader, follower)
}

fn is_same_call(one: &Call, other: &Call) -> bool {
    one.member == other.member && one.on == other.on && one.args == other.args
}

/// Whether a call looked at a future that the other one has completed, or gave up a monitor until it was notified by it.
fn waits_for(case: &Case<'_>, leader: &Span, follower: &Span) -> bool {
    let event = |at: usize| case.run.events.get(at);
    let is_of_future = |at: usize| event(at).and_then(Event::field).is_some_and(case.is_of_future);
    let looks = follower.accesses.iter().filter(|access| is_of_future(access.at));
    let mut completed = looks.filter_map(|look| look.variable.object()).filter(|object| {
        let own = leader.accesses.iter().chain(&leader.made);
        let mut changes = own.filter(|access| access.is_write);
        changes.any(|access| access.variable.object() == Some(*object))
    });
    if completed.next().is_some() {
        return true;
    }
    let (Some(begin), Some(end)) = (follower.begin(), follower.end()) else {
        return false;
    };
    let within = case.run.events.get(begin..end).unwrap_or_default();
    let waited = within
        .iter()
        .find(|event| event.thread == follower.thread && event.kind == EventKind::Wait);
    waited.is_some_and(|waited| {
        within.iter().any(|event| {
            event.thread == leader.thread && event.kind == EventKind::Notify && event.object == waited.object
        })
    })
}
