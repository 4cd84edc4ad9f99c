//! What is wrong, in a form that is equal for runs of different plans which show the same fault.
//!
//! [`Violation::signature`] tells the faults of one plan apart. Across plans, numbers of calls mean nothing, and neither
//! does the way to the place that is wrong: a dozen methods may come to the same inner lock, or break the same field.

use std::collections::BTreeSet;

use crate::{Evidence, Kind, Link, Violation, Weakness, stack_text};
use raddle_plan::{Call, CallResult, Frame, Outcome, Part, Place, TestPlan};

use crate::fingerprint::fingerprint;

const OVERFLOW: &str = "java.lang.StackOverflowError";

/// The cause of a violation, as text.
///
/// - exception: its class, the method that throws, and the innermost frame in the class under test; of a stack overflow,
///   the method of the plan;
/// - deadlock: the places at which the threads want the second lock;
/// - lost wake-up: the methods in which threads wait;
/// - livelock: the methods of the plan that do not end;
/// - wrong result: the methods that ran at the same time, until it is known what state they break, see [`state_cause`].
pub fn cause(class: &str, plan: &TestPlan, violation: &Violation) -> String {
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
        Evidence::Deadlock { cycle, calls } => inner_places(plan, cycle, calls),
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

/// Where threads wait for locks that are made of Java code: the same place for all of them, so it says nothing.
const LOCKS: &str = "java.util.concurrent.locks.";

/// The places at which the threads of a deadlock want what another one has: the innermost ones that are known. Where that
/// is inside a lock, the method that the thread calls stands for it.
pub fn inner_places(plan: &TestPlan, cycle: &[Link], calls: &[usize]) -> BTreeSet<String> {
    let text = |place: &Place| match place.line {
        Some(line) => format!("{}:{line}", method_text(place)),
        None => format!("{}@{}", method_text(place), place.bci),
    };
    let called = |thread: u32| {
        // Thread 0 of a run prepares.
        let part = thread.checked_sub(1).map(Part::Thread);
        let is_it = |number: usize, of: Part| part == Some(of) && calls.contains(&number);
        let methods: Vec<String> = members(plan, is_it).into_iter().collect();
        methods.join(" ")
    };
    let inner = cycle.iter().map(|link| {
        let at = link.at.as_ref().filter(|place| !place.class.starts_with(LOCKS));
        at.map_or_else(|| called(link.thread), text)
    });
    inner.collect()
}

/// The methods in which the threads of a deadlock took the locks that others want; none if one of them is not known. What
/// they call while they hold those may want the other lock in a dozen places: it is still the same two that get in each
/// other's way.
pub fn outer_methods(cycle: &[Link]) -> Option<BTreeSet<String>> {
    let is_telling = |place: &&Place| !place.class.starts_with(LOCKS);
    let taken = |link: &Link| {
        let place = link.holds.as_ref()?.place.as_ref();
        place.filter(is_telling).map(method_text)
    };
    cycle.iter().map(taken).collect()
}

/// The cause of a wrong result, by the state that the calls meet on; none if that is not known.
pub fn state_cause(kind: Kind, points: &BTreeSet<String>, weakness: Option<&Weakness>) -> Option<String> {
    if points.is_empty() {
        return None;
    }
    let points: Vec<&str> = points.iter().map(String::as_str).collect();
    let rule = weakness.map_or_else(String::new, |weakness| format!("{} ", weakness.rule));
    Some(format!("{kind} {rule}{}", points.join(" ")))
}

/// Stands for the exceptions of some runs: equal if the same method throws the same in the same way.
pub fn thrown_marks<'o>(runs: impl Iterator<Item = &'o Outcome>) -> BTreeSet<String> {
    let thrown = runs
        .flat_map(|run| &run.calls)
        .filter_map(|call| match &call.result {
            CallResult::Threw { class, frames, .. } => Some(text_mark(&stack_text(class, frames))),
            _ => None,
        });
    thrown.collect()
}

/// The same for one stack, as [`stack_text`] makes it.
pub fn text_mark(stack: &str) -> String {
    format!("{:08x}", fingerprint(stack.bytes()))
}

/// A short name for a fault, equal in every run that finds it: `deadlock-1f00c4a2`.
pub fn id(kind: Kind, class: &str, cause: &str) -> String {
    let bytes = class.bytes().chain([0]).chain(cause.bytes());
    format!("{kind}-{:08x}", fingerprint(bytes))
}

/// A cause without the lines in it, which move when something else in the file is changed.
pub fn without_lines(kind: Kind, cause: &str) -> String {
    let part = |part: &str| match kind {
        // A frame: the module may have a version.
        Kind::Exception => method_of(&Frame(part.to_owned())).to_owned(),
        Kind::Deadlock => match part.rsplit_once([':', '@']) {
            Some((method, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => method.to_owned(),
            _ => part.to_owned(),
        },
        Kind::LostWakeup | Kind::Livelock | Kind::Result => part.to_owned(),
    };
    let mut parts: Vec<String> = cause.split(' ').map(part).collect();
    // Two places in one method.
    parts.dedup();
    parts.join(" ")
}

/// Stands for a fault wherever its lines are: sixteen hexadecimal digits.
pub fn lasting_mark(kind: Kind, class: &str, cause: &str) -> String {
    let text = format!("{kind}\0{class}\0{}", without_lines(kind, cause));
    let half = |salt: u8| fingerprint(std::iter::once(salt).chain(text.bytes()));
    format!("{:08x}{:08x}", half(1), half(2))
}

fn members(plan: &TestPlan, counts: impl Fn(usize, Part) -> bool) -> BTreeSet<String> {
    plan.calls()
        .filter(|(id, part, _)| counts(id.0 as usize, *part))
        .map(|(_, _, call)| member_text(call))
        .collect()
}

/// Without the class: inherited methods are called by several names of it.
pub fn member_text(call: &Call) -> String {
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
    use raddle_plan::Held;

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

    fn link(thread: u32, class: &str, line: u32) -> Link {
        Link {
            thread,
            name: format!("thread {thread}"),
            wants: "p.Table b".to_owned(),
            at: Some(Place {
                class: class.to_owned(),
                method: "size".to_owned(),
                descriptor: "()I".to_owned(),
                bci: 0,
                source: None,
                line: Some(line),
            }),
            holds: None,
        }
    }

    #[test]
    fn deadlocks_are_told_apart_by_where_the_second_lock_is_wanted() {
        let call = |name: &str| format!(r#"[{{"invoke": "static", "member": "p.Table.{name}()V"}}]"#);
        let text = format!(
            r#"{{"raddle_plan": 1, "threads": [{}, {}]}}"#,
            call("add"),
            call("put")
        );
        let plan = TestPlan::from_json(&text).unwrap();
        let inner = |class: &str, lines: [u32; 2]| {
            let cycle = [link(1, class, lines[0]), link(2, class, lines[1])];
            inner_places(&plan, &cycle, &[0, 1])
                .into_iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(inner("p.Table", [7, 7]), ["p.Table.size()I:7"]);
        assert_eq!(inner("p.Table", [7, 9]).len(), 2);
        assert_eq!(
            inner("java.util.concurrent.locks.LockSupport", [7, 7]),
            ["add()V", "put()V"]
        );
        let held = |class: &str| {
            let mut first = link(1, class, 7);
            first.holds = Some(Held {
                lock: "p.Table a".to_owned(),
                place: first.at.clone(),
            });
            outer_methods(&[first.clone(), first]).map(|methods| methods.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(held("p.Table"), Some(vec!["p.Table.size()I".to_owned()]));
        assert_eq!(held("java.util.concurrent.locks.ReentrantLock"), None);
        assert_eq!(outer_methods(&[link(1, "p.Table", 7)]), None);
    }

    #[test]
    fn lasting_marks_do_not_change_when_lines_move() {
        let deadlock = |lines: [u32; 2]| {
            format!(
                "deadlock p.Table.add(I)V:{} p.Table.size()I:{}",
                lines[0], lines[1]
            )
        };
        let mark = |cause: &str| lasting_mark(Kind::Deadlock, "p.Table", cause);
        assert_eq!(mark(&deadlock([7, 9])), mark(&deadlock([70, 90])));
        assert_ne!(mark(&deadlock([7, 9])), mark("deadlock p.Table.add(I)V:7"));
        assert_eq!(
            mark("deadlock p.Table.add(I)V:7 p.Table.add(I)V:9"),
            mark("deadlock p.Table.add(I)V:8")
        );
        let exception = |line: u32| {
            format!("exception java.lang.NullPointerException p.Table.grow p.Table.add(Table.java:{line})")
        };
        let mark = |cause: &str| lasting_mark(Kind::Exception, "p.Table", cause);
        assert_eq!(mark(&exception(7)), mark(&exception(8)));
        assert_ne!(
            mark(&exception(7)),
            lasting_mark(Kind::Exception, "p.T", &exception(7))
        );
        assert_eq!(
            without_lines(Kind::Result, "result a.B.c d:3"),
            "result a.B.c d:3"
        );
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
