//! A call comes to its end that is refused in every order, but not by the class: two threads close a file, and the channel
//! inside would have thrown at the second one. Nobody promised that exception.
//!
//! A refusal of the class's own is a promise: who gets past the check of `register` has been told that the name is free.

use raddle_plan::{CallResult, Outcome, Part};

use super::calls::Calls;
use super::refusal::own_exception;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Difference, Evidence};

/// Nothing differs but that calls without a result were not refused by what the class uses.
pub(super) struct Unrefused;

impl Rule for Unrefused {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
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
