//! A call comes to its end that is refused in every order, but not by the class: two threads close a file, and the channel
//! inside would have thrown at the second one. Nobody promised that exception.
//!
//! A refusal of the class's own is a promise: who gets past the check of `register` has been told that the name is free. But not if
//! the call writes nothing that the other one has not written as well: to seal twice is to seal.

use raddle_plan::{CallResult, Outcome, Part};

use super::calls::{Calls, Span, changes};
use super::refusal::own_exception;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Difference, Evidence};

/// Nothing differs but that calls without a result were not refused by what the class uses.
pub(super) struct Unrefused;

impl Rule for Unrefused {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result {
            differences,
            decisive,
            ..
        } = &case.violation.evidence
        else {
            return None;
        };
        if let Some(again) = done_again(case, calls, decisive) {
            return Some(Weakness {
                rule: WeakKind::Unrefused,
                sentence: format!(
                    "{} comes to its end in both threads; the class refuses the second one otherwise, and all that it \
                     does is what the first has done already",
                    case.name(again)
                ),
                calls: decisive.clone(),
            });
        }
        if differences.is_empty()
            || !differences
                .iter()
                .all(|difference| is_unrefused(case, difference))
        {
            return None;
        }
        let calls: Vec<usize> = differences.iter().map(|difference| difference.call).collect();
        Some(Weakness {
            rule: WeakKind::Unrefused,
            sentence: format!(
                "{} comes to its end in both threads; one after the other, what it uses throws at the second one, and \
                 not the class itself",
                case.name(calls[0])
            ),
            calls,
        })
    }
}

fn is_unrefused(case: &Case<'_>, difference: &Difference) -> bool {
    let Some((Part::Thread(_), call)) = case.call(difference.call) else {
        return false;
    };
    let mut thrown = 0;
    let by_others = |run: &Outcome| match run.calls.get(difference.call).map(|call| &call.result) {
        Some(CallResult::Threw { class, frames, .. }) => {
            thrown += 1;
            own_exception(case, class, frames).is_none()
        }
        _ => true,
    };
    call.member.descriptor.ends_with(")V")
        && difference.got.starts_with("returned")
        && case.sequential.iter().all(by_others)
        && thrown > 0
}

/// A call of a method without a result, of which every order lets one through and refuses all others, and that does once more what
/// the one that came through has done; none if something else is wrong.
fn done_again(case: &Case<'_>, calls: &Calls, decisive: &[usize]) -> Option<usize> {
    let has_returned = |run: &Outcome, call: usize| {
        let result = run.calls.get(call).map(|call| &call.result);
        matches!(result, Some(CallResult::Returned(_)))
    };
    let is_silent = |number: &usize| {
        case.call(*number).is_some_and(|(part, call)| {
            matches!(part, Part::Thread(_)) && call.member.descriptor.ends_with(")V")
        })
    };
    let is_same = |number: &usize| case.is_same_method(*number, decisive[0]);
    let is_one_through =
        |run: &Outcome| decisive.iter().filter(|call| has_returned(run, **call)).count() == 1;
    if decisive.is_empty()
        || !decisive.iter().all(|call| is_silent(call) && is_same(call))
        || !case.sequential.iter().all(is_one_through)
    {
        return None;
    }
    let through = decisive.iter().filter(|call| has_returned(case.outcome, **call));
    let through: Vec<&Span> = through.map(|call| calls.find(*call)).collect::<Option<_>>()?;
    let follows = |first: &Span, other: &Span| other.call == first.call || repeats(case, other, first);
    let first = through
        .iter()
        .find(|first| through.iter().all(|other| follows(first, other)))?;
    let again = through.iter().find(|other| other.call != first.call)?;
    Some(again.call)
}

/// Whether a call leaves nothing behind that another one has not left there just before.
fn repeats(case: &Case<'_>, span: &Span, before: &Span) -> bool {
    let written = |at: usize| {
        let event = case.run.events.get(at).filter(|event| changes(event))?;
        event.value.as_deref()
    };
    let mut writes = span.accesses.iter().filter(|access| access.is_write).peekable();
    writes.peek().is_some()
        && writes.all(|write| {
            let mut others = before.accesses.iter().rev();
            let last = others.find(|other| other.is_write && other.variable == write.variable);
            last.is_some_and(|last| {
                last.at < write.at && written(last.at).is_some() && written(last.at) == written(write.at)
            })
        })
}
