//! An object that one thread hands to a call while another thread changes it: `a.addAll(b)` beside `b.clear()`. Whoever
//! hands it over has to see to it that it stays as it is, unless the class takes a lock of what it is given.

use std::collections::BTreeSet;

use raddle_plan::{EventKind, Part};

use super::calls::Calls;
use super::nested::given;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::Evidence;

/// What an iterator throws when its collection was changed, by its documentation. Locks do not help who walks through a
/// collection of others: those are taken and released for every element.
const FAIL_FAST: &str = "java.util.ConcurrentModificationException";

/// A call throws over an argument that another thread changes.
pub(super) struct Crosswise;

impl Rule for Crosswise {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        let Evidence::Exception { call, class, .. } = &case.violation.evidence else {
            return None;
        };
        let (part, thrower) = case.call(*call)?;
        let of_others: BTreeSet<&str> = case
            .plan
            .calls()
            .filter(|(_, other, _)| matches!(other, Part::Thread(_)) && *other != part)
            .filter_map(|(_, _, call)| call.on.as_deref())
            .collect();
        let handed = given(thrower).into_iter().find(|name| of_others.contains(name))?;
        let weakness = || Weakness {
            rule: WeakKind::Crosswise,
            sentence: format!(
                "misuse: {handed} is handed to {} and changed by another thread meanwhile",
                thrower.member.name
            ),
            calls: vec![*call],
        };
        let is_left_alone = thrower.on.as_deref().is_none_or(|on| !of_others.contains(on));
        if class == FAIL_FAST && is_left_alone {
            return Some(weakness());
        }
        let span = calls.find(*call)?;
        // The lock of what it was given, or another one besides its own: then it was meant to be safe.
        let variables = case.plan.variables();
        let slot = variables.iter().find(|variable| variable.name == handed)?.slot;
        let given = format!("${slot}");
        let takes_lock = case.run.events.iter().any(|event| {
            event.thread == span.thread
                && event.kind == EventKind::Enter
                && event.name.as_deref() == Some(&given)
        });
        let locks: BTreeSet<u32> = case
            .run
            .events
            .iter()
            .filter(|event| event.thread == span.thread && event.kind == EventKind::Enter)
            .map(|event| event.object)
            .chain(
                span.accesses
                    .iter()
                    .flat_map(|access| access.locks.iter().copied()),
            )
            .collect();
        (!takes_lock && locks.len() < 2).then(weakness)
    }
}
