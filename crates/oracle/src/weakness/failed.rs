//! A call that answers "no" although no order of the calls makes it, and that has changed nothing: an attempt that gave up
//! because another call was under way. Of a call that is given a limit of time, any answer says so that is not an exception; and
//! a call that its class refuses has given up as well. Many classes are meant to do so, and say so; some are not, so this is told apart
//! and not left out. A look past a lock at what somebody is still at is no such attempt, nor is one that misses what another call
//! takes out and puts back: it was there all the time.

use raddle_plan::{Call, CallResult, Part};

use super::calls::{Access, Calls, Span};
use super::refusal::own_exception;
use super::unfinished::sees_unfinished;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Difference, Evidence};

const NULL: &str = "returned null";
/// Of a call that does something in other orders: how much it did.
const NOTHING_DONE: &str = "returned 0";
/// Answers that say that nothing was done, or nothing found.
const FAILING: [&str; 6] = [
    "returned false",
    NULL,
    "returned -1",
    "returned Optional[null]",
    "returned java.util.Optional Optional.empty",
    "returned Optional.empty",
];
/// How what is told of a call begins that threw, and ends if it gave a task that was cancelled.
const THREW: &str = "threw ";
const CANCELLED: &str = " that was cancelled";
/// Types of limits of time.
const LIMITS: [&str; 2] = ["Ljava/util/concurrent/TimeUnit;", "Ljava/time/Duration;"];

/// Only failing answers of calls without a change differ.
pub(super) struct FailedAnswer;

impl Rule for FailedAnswer {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
        if let Some(failed) = fails_beside(case, calls) {
            return Some(Weakness {
                rule: WeakKind::FailedAnswer,
                sentence: format!(
                    "failed although no order fails it: {} changed nothing, and without it the rest fits",
                    case.name(failed)
                ),
                calls: vec![failed],
            });
        }
        let mut failed = Vec::new();
        for difference in differences {
            // What is there in the end follows from what has failed.
            if matches!(case.call(difference.call), Some((Part::After, _))) {
                continue;
            }
            let got = difference.got.as_str();
            let (_, call) = case.call(difference.call)?;
            let is_refused = FAILING.contains(&got)
                || got == NOTHING_DONE && case.changing.contains(&difference.call)
                || is_limited(call) && got.starts_with("returned ");
            let is_usual = difference.sequential.contains(&difference.got);
            if difference.got == NULL && !(case.may_answer_null)(call) {
                return None;
            }
            let span = calls.find(difference.call)?;
            if is_called_off(difference) {
                failed.push(difference);
                continue;
            }
            if !is_refused
                || is_usual
                || calls.changes(case.run.events, span)
                || sees_unfinished(case, calls, span)
                || misses_what_stays(case, calls, span)
            {
                return None;
            }
            failed.push(difference);
        }
        let first = failed.first()?;
        Some(Weakness {
            rule: WeakKind::FailedAnswer,
            sentence: format!(
                "failed although no order fails it: {} {}{}",
                case.name(first.call),
                first.got,
                if is_called_off(first) {
                    ""
                } else {
                    ", and changed nothing"
                }
            ),
            calls: failed.iter().map(|difference| difference.call).collect(),
        })
    }
}

/// Whether a task was accepted and then called off that is refused in some order: there is one more way to say no to it, and
/// whoever holds the task is told.
fn is_called_off(difference: &Difference) -> bool {
    let is_refusal = |answer: &String| answer.starts_with(THREW);
    difference.got.ends_with(CANCELLED) && difference.sequential.iter().any(is_refusal)
}

/// Whether a call that looks something up, and changes nothing in any order, read in between what another call wrote before and
/// wrote once more.
fn misses_what_stays(case: &Case<'_>, calls: &Calls, span: &Span) -> bool {
    if case.changing.contains(&span.call) {
        return false;
    }
    let mut others = calls.overlapping(span);
    others.any(|other| {
        span.accesses.iter().any(|read| {
            let is_it = |write: &&Access| write.is_write && write.variable == read.variable;
            let mut writes = other.accesses.iter().filter(is_it);
            writes.next().is_some_and(|write| write.at < read.at) && writes.any(|write| write.at > read.at)
        })
    })
}

/// Whether a call may go on only for so long.
fn is_limited(call: &Call) -> bool {
    let is_answer = !call.member.descriptor.ends_with(")V");
    is_answer && LIMITS.iter().any(|limit| call.member.descriptor.contains(limit))
}

/// Whether a call says that nothing was done, or nothing found. One that can say nothing gives null as well; of one that does
/// something in other orders, so does 0.
pub fn is_failing_answer(result: &CallResult) -> bool {
    let CallResult::Returned(value) = result else {
        return false;
    };
    let said = format!("returned {value}");
    said == NOTHING_DONE || FAILING.contains(&said.as_str())
}

/// A call whose failing answer no order gives together with the answers of the others, which fit some order of calls without it.
fn fails_beside(case: &Case<'_>, calls: &Calls) -> Option<usize> {
    let Evidence::Result { differences, .. } = &case.violation.evidence else {
        return None;
    };
    // An answer such as 0 is one that says no only where some order gives it.
    let is_clear = |call: usize| {
        let mut of_call = differences.iter().filter(|difference| difference.call == call);
        of_call.all(|difference| {
            let got = &difference.got;
            difference.sequential.contains(got) || FAILING.contains(&got.as_str())
        })
    };
    let spare = case.spare.iter().filter(|call| is_clear(**call));
    let spare = spare.filter_map(|call| calls.find(*call));
    let mut failing = spare.filter(|span| {
        let result = case.outcome.calls.get(span.call).map(|call| &call.result);
        let is_null = matches!(result, Some(CallResult::Returned(value)) if value == "null");
        let is_meant = case.call(span.call).is_some_and(|(_, call)| {
            !call.member.descriptor.ends_with(")V") && (!is_null || (case.may_answer_null)(call))
        });
        let is_refused = matches!(result, Some(CallResult::Threw { class, frames, .. })
            if own_exception(case, class, frames).is_some());
        (is_refused || is_meant && result.is_some_and(is_failing_answer))
            && case.changing.contains(&span.call)
            && !calls.changes(case.run.events, span)
            && !sees_unfinished(case, calls, span)
    });
    failing.next().map(|span| span.call)
}
