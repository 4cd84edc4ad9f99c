//! A call that found its work claimed by another one, did nothing, and returned while the other was still at it: the second
//! of two `close()`. What its thread does next sees a state from before.
//!
//! Without that call the rest is what an order of whole calls gives, so nothing is broken but the expectation that what it
//! was called for is done when it returns. Many classes keep to that and many do not. A call that goes on to use what is not
//! ready yet is none of this: then its own answer, or that of a call that is needed, is wrong.

use super::calls::{Access, Calls, Span};
use super::{Case, Rule, WeakKind, Weakness};

/// The violation hangs on a call that changed nothing because another one had begun what it would have done.
pub(super) struct Early;

impl Rule for Early {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let is_silent = |call: &&usize| {
            let call = case.call(**call);
            call.is_some_and(|(_, call)| call.member.descriptor.ends_with(")V"))
        };
        let (early, busy) = case.spare.iter().filter(is_silent).find_map(|call| {
            let early = calls.find(*call)?;
            let busy = claimant(calls, early)?;
            (!calls.changes(case.run.events, early)).then_some((early, busy))
        })?;
        Some(Weakness {
            rule: WeakKind::Early,
            sentence: format!(
                "{} had nothing left to do and returned while {} was still doing it",
                case.name(early.call),
                case.name(busy.call)
            ),
            calls: vec![early.call],
        })
    }
}

/// The call of another thread that has written, made for threads, what this one looks at, and that goes on after its end.
fn claimant<'c>(calls: &'c Calls, early: &'c Span) -> Option<&'c Span> {
    let end = early.accesses.last()?.at;
    let has_claimed = |other: &Span, look: &Access| {
        let mut writes = other.accesses.iter().filter(|access| access.is_write);
        writes.any(|write| write.variable == look.variable && write.at < look.at)
    };
    calls.overlapping(early).find(|other| {
        let goes_on = other
            .accesses
            .iter()
            .any(|access| access.is_write && access.at > end);
        goes_on && early.accesses.iter().any(|look| has_claimed(other, look))
    })
}
