//! Tests of the rules.

use std::collections::BTreeMap;

use raddle_plan::{Argument, CallOutcome, CallResult, End, Event, Frame, Invoke, Place, Schedule};

use super::*;
use crate::evidence::made::{access, call, lock};
use crate::verdict::{Difference, Evidence, Kind, Link};

const LIST: &str = "p.Table";

/// Object 1 is in a final field.
fn held() -> BTreeMap<u32, Holder> {
    let holder = Holder {
        class: "p.Owner".to_owned(),
        field: "table".to_owned(),
    };
    BTreeMap::from([(1, holder)])
}

/// Two tables `a` and `b`; one call in each thread, numbered 2 and 3.
fn plan(first: (&str, &str, &str), second: (&str, &str, &str)) -> TestPlan {
    let new = |name: &str| format!(r#"{{"let": "{name}", "invoke": "new", "member": "{LIST}.<init>()V"}}"#);
    let call = |(on, name, argument): (&str, &str, &str)| {
        let (parameter, arguments) = match argument {
            "" => ("", String::new()),
            argument => ("Lp/Table;", format!(r#"{{"var": "{argument}"}}"#)),
        };
        format!(
            r#"[{{"invoke": "virtual", "member": "{LIST}.{name}({parameter})I", "on": "{on}", "args": [{arguments}]}}]"#
        )
    };
    let text = format!(
        r#"{{"raddle_plan": 1, "prefix": [{}, {}], "threads": [{}, {}]}}"#,
        new("a"),
        new("b"),
        call(first),
        call(second),
    );
    TestPlan::from_json(&text).unwrap()
}

fn exception(call: usize, class: &str) -> Violation {
    Violation {
        kind: Kind::Exception,
        summary: String::new(),
        evidence: Evidence::Exception {
            call,
            thread: 1,
            class: class.to_owned(),
            message: String::new(),
            frames: vec![Frame("p.Table.get(Table.java:7)".to_owned())],
            sequential: Vec::new(),
        },
    }
}

fn wrong(call: usize, got: &str) -> Violation {
    Violation {
        kind: Kind::Result,
        summary: String::new(),
        evidence: Evidence::Result {
            results: Vec::new(),
            differences: vec![Difference {
                call,
                got: got.to_owned(),
                sequential: vec!["returned 1".to_owned()],
            }],
            decisive: vec![call],
        },
    }
}

fn threw(class: &str) -> Outcome {
    let result = |result: CallResult| CallOutcome { thread: 1, result };
    Outcome {
        digest: 0,
        trace_hash: 0,
        steps: 5,
        schedule: Schedule::default(),
        end: End::Completed,
        calls: vec![
            result(CallResult::Returned(String::new())),
            result(CallResult::Returned(String::new())),
            result(CallResult::Threw {
                class: class.to_owned(),
                message: String::new(),
                frames: Vec::new(),
            }),
            result(CallResult::Returned(String::new())),
        ],
        uncaught: Vec::new(),
        threads: Vec::new(),
    }
}

fn judged(
    plan: &TestPlan,
    violation: &Violation,
    events: &[Event],
    sequential: &[Outcome],
) -> Option<WeakKind> {
    judged_with(plan, violation, events, sequential, false)
}

fn judged_with(
    plan: &TestPlan,
    violation: &Violation,
    events: &[Event],
    sequential: &[Outcome],
    overflows: bool,
) -> Option<WeakKind> {
    let found = weakness(&Case {
        class: LIST,
        family: &BTreeSet::from([LIST.to_owned()]),
        plan,
        violation,
        run: RunEvents {
            events,
            known: &held(),
            is_volatile: &|_| false,
        },
        outcome: &threw(""),
        sequential,
        overflows,
        steps: None,
        spare: &[],
        changing: &BTreeSet::new(),
        roles: &[],
        is_state: &|_| false,
        is_of_future: &|_| false,
        may_answer_null: &|_| true,
        is_thrown_alone: &|_| false,
    });
    found.map(|weakness| weakness.rule)
}

#[test]
fn what_is_handed_over_must_stay_as_it_is_unless_it_is_locked() {
    let crossed = plan(("a", "addAll", "b"), ("b", "clear", ""));
    let violation = exception(2, "java.lang.IndexOutOfBoundsException");
    let unlocked = [call(1, 2), access(1, "read", "size", 3), lock(1, "enter", 7, 4)];
    assert_eq!(
        judged(&crossed, &violation, &unlocked, &[]),
        Some(WeakKind::Crosswise)
    );
    let both = [call(1, 2), lock(1, "enter", 7, 4), lock(1, "enter", 8, 5)];
    assert_eq!(judged(&crossed, &violation, &both, &[]), None);
    let given = Event {
        name: Some("$1".to_owned()),
        ..lock(1, "enter", 8, 5)
    };
    assert_eq!(judged(&crossed, &violation, &[call(1, 2), given], &[]), None);
    let apart = plan(("a", "get", ""), ("a", "clear", ""));
    assert_eq!(judged(&apart, &violation, &unlocked, &[]), None);
}

#[test]
fn objects_that_hold_their_own_kind_promise_no_results_and_may_fill_the_stack() {
    let nested = plan(("a", "add", "a"), ("a", "size", ""));
    let overflow = exception(3, "java.lang.StackOverflowError");
    let other = exception(3, "java.lang.NullPointerException");
    assert_eq!(judged(&nested, &overflow, &[], &[]), Some(WeakKind::Nested));
    assert_eq!(
        judged(&nested, &wrong(3, "returned 7"), &[], &[]),
        Some(WeakKind::Nested)
    );
    assert_eq!(judged(&nested, &other, &[], &[]), None);
    let plain = plan(("a", "add", ""), ("a", "size", ""));
    assert_eq!(judged(&plain, &overflow, &[], &[]), None);
}

#[test]
fn an_object_that_is_given_and_not_kept_is_in_no_other() {
    let given = plan(("a", "add", "b"), ("a", "size", ""));
    let violation = wrong(3, "returned 7");
    let of_b = |thread: u32, kind: &str| Event {
        name: Some("$1".to_owned()),
        ..access(thread, kind, "size", 8)
    };
    let read = [call(1, 2), of_b(1, "read"), call(2, 3)];
    assert_eq!(judged(&given, &violation, &read, &[]), None);
    let found = [call(1, 2), call(2, 3), of_b(2, "read")];
    assert_eq!(judged(&given, &violation, &found, &[]), Some(WeakKind::Nested));
    let stored = Event {
        value: Some("$1#8".to_owned()),
        ..access(1, "write", "next", 3)
    };
    assert_eq!(
        judged(&given, &violation, &[call(1, 2), stored], &[]),
        Some(WeakKind::Nested)
    );
}

#[test]
fn a_release_by_another_thread_is_misuse_if_some_order_refuses_it() {
    let plan = plan(("a", "unlock", ""), ("a", "lock", ""));
    let refused = [threw("java.lang.IllegalMonitorStateException")];
    let violation = wrong(3, "returned 7");
    assert_eq!(
        judged(&plan, &violation, &[], &refused),
        Some(WeakKind::ForeignRelease)
    );
    assert_eq!(judged(&plan, &violation, &[], &[threw("p.Problem")]), None);
}

/// A loop that goes round twice, with a write in each iteration, under a lock or not.
fn looping(locked: bool, writes: &[u32]) -> Vec<Event> {
    let mut events = vec![call(1, 2)];
    if locked {
        events.push(lock(1, "enter", 7, 1));
    }
    for round in 0..2 {
        events.push(access(1, "read", "next", 3));
        if writes.contains(&round) {
            events.push(access(1, "write", "size", 4));
        }
        events.push(lock(1, "loop", 0, 5));
    }
    if writes.contains(&2) {
        events.push(access(1, "write", "size", 6));
    }
    events
}

#[test]
fn iterations_are_steps_if_they_change_something_or_the_call_answers_for_all() {
    let steps = |name: &str, argument: &str, events: &[Event]| {
        let plan = plan(("a", name, argument), ("b", "size", ""));
        let run = RunEvents {
            events,
            known: &held(),
            is_volatile: &|_| false,
        };
        let steps = step_calls(&plan, LIST, &run);
        steps.boundaries(&run).len()
    };
    let jumps_and_begin = 3;
    assert_eq!(steps("clear", "", &looping(false, &[0, 1])), jumps_and_begin);
    assert_eq!(steps("clear", "", &looping(true, &[0, 1])), 0, "one at a time");
    assert_eq!(
        steps("addIfAbsent", "", &looping(false, &[2])),
        0,
        "a search before a change"
    );
    assert_eq!(steps("count", "", &looping(false, &[])), jumps_and_begin);
    assert_eq!(steps("equals", "b", &looping(false, &[])), jumps_and_begin);
}

/// Each of two threads waits in `methods[…]` of the other's table.
fn deadlock(methods: [&str; 2], calls: [usize; 2]) -> Violation {
    let link = |thread: u32, method: &str| Link {
        thread,
        name: format!("thread {thread}"),
        wants: String::new(),
        at: Some(Place {
            class: LIST.to_owned(),
            method: method.to_owned(),
            descriptor: "()I".to_owned(),
            bci: 0,
            source: None,
            line: None,
        }),
        holds: None,
    };
    Violation {
        kind: Kind::Deadlock,
        summary: String::new(),
        evidence: Evidence::Deadlock {
            cycle: vec![link(1, methods[0]), link(2, methods[1])],
            calls: calls.to_vec(),
        },
    }
}

#[test]
fn a_deadlock_over_an_element_or_a_part_is_told_apart_from_one_over_an_argument() {
    let crossed = plan(("a", "addAll", "b"), ("b", "addAll", "a"));
    assert_eq!(
        judged(&crossed, &deadlock(["size", "size"], [2, 3]), &[], &[]),
        None
    );
    let asks = deadlock(["size", "hashCode"], [2, 3]);
    assert_eq!(
        judged(&crossed, &asks, &[], &[]),
        None,
        "it is told of the other one"
    );
    let held = plan(("a", "addAll", "b"), ("b", "text", ""));
    let told = deadlock(["size", "toString"], [2, 3]);
    assert_eq!(judged(&held, &told, &[], &[]), None, "it ends in one thread");
    assert_eq!(judged_with(&held, &told, &[], &[], true), Some(WeakKind::Nested));
    let mut parts = plan(("a", "stop", ""), ("b", "stop", ""));
    let stopped = |calls| deadlock(["stop", "stop"], calls);
    assert_eq!(judged(&parts, &stopped([2, 3]), &[], &[]), None);
    let register = plan(("a", "register", "b"), ("b", "register", "a"));
    parts.prefix.extend(register.threads.concat());
    assert_eq!(judged(&parts, &stopped([4, 5]), &[], &[]), Some(WeakKind::Nested));
}

#[test]
fn a_deadlock_through_a_function_that_knows_the_other_object_is_not_the_class_s() {
    let mut plan = plan(("a", "keep", "b"), ("b", "keep", ""));
    let mut knowing = plan.prefix[0].clone();
    knowing.bind = Some("f".to_owned());
    knowing.invoke = Invoke::Implement;
    knowing.args = vec![Argument::Var("b".to_owned())];
    plan.prefix.push(knowing);
    plan.threads[0][0].args = vec![Argument::Var("f".to_owned())];
    let stuck = deadlock(["has", "has"], [3, 4]);
    assert_eq!(judged(&plan, &stuck, &[], &[]), Some(WeakKind::Nested));
}

#[test]
fn an_exception_that_an_order_throws_out_of_another_call_is_a_refusal() {
    let closed = plan(("a", "next", ""), ("a", "close", ""));
    let class = "p.Closed";
    let violation = exception(2, class);
    let thrown_by = |frame: &str| {
        let mut run = threw(class);
        run.calls[3].result = CallResult::Threw {
            class: class.to_owned(),
            message: String::new(),
            frames: vec![Frame(frame.to_owned())],
        };
        run.calls[2].result = CallResult::Returned(String::new());
        [run]
    };
    assert_eq!(
        judged(&closed, &violation, &[], &thrown_by("p.Table.get(Table.java:7)")),
        Some(WeakKind::Refusal)
    );
    assert_eq!(
        judged(&closed, &violation, &[], &thrown_by("p.Table.get(Table.java:9)")),
        None,
        "it is thrown somewhere else"
    );
}
