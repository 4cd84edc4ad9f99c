//! What is wrong, in a form that is equal for runs of different plans which show the same fault.
//!
//! [`Violation::signature`] tells the faults of one plan apart. Across plans, numbers of calls mean nothing and places
//! mean too much: one pair of methods can deadlock in a dozen places.

use std::collections::BTreeSet;

use raddle_oracle::{Evidence, Kind, Link, Violation};
use raddle_plan::{Call, Frame, Part, Place, TestPlan};

use crate::fingerprint::fingerprint;

const OVERFLOW: &str = "java.lang.StackOverflowError";

/// The cause of a violation, as text.
///
/// - exception: its class, the method that throws, and the innermost frame in the class under test; of a stack overflow,
///   the method of the plan;
/// - deadlock: the methods that took the locks others wait for;
/// - lost wake-up: the methods in which threads wait;
/// - livelock: the methods of the plan that do not end;
/// - wrong result: the methods that ran at the same time.
pub(crate) fn cause(class: &str, plan: &TestPlan, violation: &Violation) -> String {
    let parts: BTreeSet<String> = match &violation.evidence {
        // Where the stack ends is an accident; the call that never ends is none.
        Evidence::Exception { call, class, .. } if class == OVERFLOW => {
            members(plan, |number, _| number == *call)
        }
        Evidence::Exception {
            class: thrown,
            frames,
            ..
        } => {
            let thrower = frames.first().map_or("", |frame| method_of(frame));
            let own = frames.iter().find(|frame| is_of(class, frame));
            let own = own.map_or("", |frame| frame.0.as_str());
            return format!("{} {thrown} {thrower} {own}", violation.kind);
        }
        Evidence::Deadlock { cycle, .. } => lockers(cycle),
        Evidence::LostWakeup { threads, .. } => threads
            .iter()
            .map(|waiter| waiter.at.as_ref().map_or_else(String::new, method_text))
            .collect(),
        Evidence::Livelock { calls, .. } => members(plan, |number, _| calls.contains(&number)),
        Evidence::Result { .. } => members(plan, |_, part| matches!(part, Part::Thread(_))),
    };
    let parts: Vec<String> = parts.into_iter().collect();
    format!("{} {}", violation.kind, parts.join(" "))
}

/// The methods that took the locks which others wait for.
pub(crate) fn lockers(cycle: &[Link]) -> BTreeSet<String> {
    cycle
        .iter()
        .map(|link| {
            let taken = link.holds.as_ref().and_then(|held| held.place.as_ref());
            taken.or(link.at.as_ref()).map_or_else(String::new, method_text)
        })
        .collect()
}

/// A short name for a fault, equal in every run that finds it: `deadlock-1f00c4a2`.
pub(crate) fn id(kind: Kind, class: &str, cause: &str) -> String {
    let bytes = class.bytes().chain([0]).chain(cause.bytes());
    format!("{kind}-{:08x}", fingerprint(bytes))
}

/// Names of the methods that the threads of a plan call.
pub(crate) fn called(plan: &TestPlan) -> BTreeSet<String> {
    plan.threads
        .iter()
        .flatten()
        .map(|call| call.member.name.clone())
        .collect()
}

fn members(plan: &TestPlan, counts: impl Fn(usize, Part) -> bool) -> BTreeSet<String> {
    plan.calls()
        .filter(|(id, part, _)| counts(id.0 as usize, *part))
        .map(|(_, _, call)| member_text(call))
        .collect()
}

/// Without the class: inherited methods are called by several names of it.
pub(crate) fn member_text(call: &Call) -> String {
    format!("{}{}", call.member.name, call.member.descriptor)
}

fn method_text(place: &Place) -> String {
    format!("{}.{}{}", place.class, place.method, place.descriptor)
}

/// `java.util.Vector.get` of `java.base/java.util.Vector.get(Vector.java:749)`.
fn method_of(frame: &Frame) -> &str {
    let text = frame.0.split('(').next().unwrap_or(&frame.0);
    text.rsplit('/').next().unwrap_or(text)
}

/// Whether a frame is in the class or one nested in it.
fn is_of(class: &str, frame: &Frame) -> bool {
    method_of(frame).rsplit_once('.').is_some_and(|(owner, _)| {
        owner
            .strip_prefix(class)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_with_and_without_a_module() {
        for text in [
            "java.util.Vector.get(Vector.java:749)",
            "java.base/java.util.Vector.get(Vector.java:749)",
        ] {
            let frame = Frame(text.to_owned());
            assert_eq!(method_of(&frame), "java.util.Vector.get");
            assert!(is_of("java.util.Vector", &frame));
            assert!(!is_of("java.util.Vec", &frame));
        }
        assert!(is_of("a.B", &Frame("a.B$C.d(B.java:1)".to_owned())));
    }

    #[test]
    fn ids_depend_on_class_and_cause() {
        let one = id(Kind::Deadlock, "a.B", "deadlock a.B.c()V");
        assert!(one.starts_with("deadlock-"), "{one}");
        assert_eq!(one, id(Kind::Deadlock, "a.B", "deadlock a.B.c()V"));
        assert_ne!(one, id(Kind::Deadlock, "a.B", "deadlock a.B.d()V"));
        assert_ne!(one, id(Kind::Deadlock, "a.C", "deadlock a.B.c()V"));
    }
}
