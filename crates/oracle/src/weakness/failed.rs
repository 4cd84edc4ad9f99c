//! A call that answers "no" although no order of the calls makes it, and that has changed nothing: an attempt that gave up
//! because another call was under way. Many classes are meant to do so, and say so; some are not, so this is told apart
//! and not left out.

use raddle_plan::Event;

use super::calls::{Calls, Span};
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::Evidence;

/// Answers that say that nothing was done, or nothing found.
const FAILING: [&str; 5] = [
    "returned false",
    "returned null",
    "returned -1",
    "returned java.util.Optional Optional.empty",
    "returned Optional.empty",
];

/// Only failing answers of calls without a change differ.
pub(super) struct FailedAnswer;

impl Rule for FailedAnswer {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Result { differences, .. } = &case.violation.evidence else {
            return None;
        };
        let failed: Vec<usize> = differences.iter().map(|difference| difference.call).collect();
        for difference in differences {
            let is_refused = FAILING.contains(&difference.got.as_str());
            let is_usual = difference.sequential.contains(&difference.got);
            let span = calls.find(difference.call)?;
            if !is_refused || is_usual || changes(case.run.events, span) {
                return None;
            }
        }
        let first = differences.first()?;
        Some(Weakness {
            rule: WeakKind::FailedAnswer,
            sentence: format!(
                "failed although no order fails it: {} {}, and changed nothing",
                case.name(first.call),
                first.got
            ),
            calls: failed,
        })
    }
}

/// Whether a call changes something: a compare-and-set that fails does not.
fn changes(events: &[Event], span: &Span) -> bool {
    span.accesses.iter().any(|access| {
        let has_failed = |event: &Event| access.is_atomic && event.value.as_deref() == Some("false");
        access.is_write && !events.get(access.at).is_some_and(has_failed)
    })
}
