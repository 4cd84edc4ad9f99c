//! A plan, what came of it, and how: for tests.

#![expect(
    clippy::unwrap_used,
    reason = "a sample that is no good fails every test that uses it"
)]

use raddle_plan::{
    Argument, Call, CallOutcome, CallResult, End, Event, Held, Invoke, MemberRef, Outcome, Place, Schedule,
    Switch, TestPlan, ThreadEnd, ThreadState,
};

fn call(member: &str, on: Option<&str>, args: Vec<Argument>) -> Call {
    Call {
        bind: on.is_none().then(|| "list".to_owned()),
        invoke: if on.is_none() {
            Invoke::New
        } else {
            Invoke::Virtual
        },
        member: MemberRef::try_from(format!("java.util.ArrayList.{member}")).unwrap(),
        on: on.map(str::to_owned),
        args,
        methods: Vec::new(),
    }
}

/// Two threads add to one list.
pub fn plan() -> TestPlan {
    let add = |text: &str| {
        call(
            "add(Ljava/lang/Object;)Z",
            Some("list"),
            vec![Argument::String(text.to_owned())],
        )
    };
    TestPlan {
        raddle_plan: raddle_plan::PLAN_VERSION,
        package: None,
        name: "two adds".to_owned(),
        prefix: vec![call("<init>()V", None, Vec::new())],
        threads: vec![vec![add("a")], vec![add("b")]],
        after: vec![call("size()I", Some("list"), Vec::new())],
        uninitialised: Vec::new(),
    }
}

fn ended(name: &str) -> ThreadEnd {
    ThreadEnd {
        callers: Vec::new(),
        name: name.to_owned(),
        state: ThreadState::Finished,
        place: None,
        wants: None,
        holds: Vec::new(),
    }
}

fn result(thread: u32, value: &str) -> CallOutcome {
    CallOutcome {
        thread,
        result: CallResult::Returned(value.to_owned()),
    }
}

/// One of the elements is lost.
pub fn lost_update() -> Outcome {
    Outcome {
        digest: 0xfeed_0000_0000_0001,
        trace_hash: 7,
        steps: 12,
        schedule: Schedule {
            switches: vec![Switch { step: 6, thread: 2 }, Switch { step: 9, thread: 1 }],
        },
        end: End::Completed,
        calls: vec![
            result(0, "$0"),
            result(1, "true"),
            result(2, "true"),
            result(0, "1"),
        ],
        uncaught: Vec::new(),
        threads: vec![ended("main"), ended("thread 1"), ended("thread 2")],
    }
}

/// Two threads wait for each other.
pub fn deadlock() -> Outcome {
    let place = |line: u32| Place {
        class: "java.util.Hashtable".to_owned(),
        method: "equals".to_owned(),
        descriptor: "(Ljava/lang/Object;)Z".to_owned(),
        bci: line,
        source: Some("Hashtable.java".to_owned()),
        line: Some(line),
    };
    let stuck = |name: &str, holds: &str, wants: &str| ThreadEnd {
        callers: Vec::new(),
        name: name.to_owned(),
        state: ThreadState::Blocked,
        place: Some(place(804)),
        wants: Some(wants.to_owned()),
        holds: vec![Held {
            lock: holds.to_owned(),
            place: Some(place(797)),
        }],
    };
    let mut outcome = lost_update();
    outcome.end = End::Stuck;
    outcome.calls[1].result = CallResult::Unfinished;
    outcome.calls[2].result = CallResult::Unfinished;
    outcome.calls[3].result = CallResult::NotBegun;
    outcome.threads[1] = stuck("thread 1", "java.util.Hashtable#1", "java.util.Hashtable#2");
    outcome.threads[2] = stuck("thread 2", "java.util.Hashtable#2", "java.util.Hashtable#1");
    outcome
}

fn event(thread: u32, kind: &str, target: Option<&str>, object: u32, line: u32) -> Event {
    Event {
        callers: Vec::new(),
        thread,
        place: (line > 0).then(|| Place {
            class: "java.util.ArrayList".to_owned(),
            method: "add".to_owned(),
            descriptor: String::new(),
            bci: line,
            source: Some("ArrayList.java".to_owned()),
            line: Some(line),
        }),
        kind: kind.parse().unwrap(),
        target: target.map(|target| target.parse().unwrap()),
        object,
        name: None,
        index: None,
        value: None,
    }
}

/// How the element is lost.
pub fn events() -> Vec<Event> {
    let size = Some("java/util/ArrayList.size:I");
    let called = |thread: u32, number: i32| Event {
        index: Some(number),
        ..event(thread, "call", None, 0, 0)
    };
    let value = |event: Event, value: &str| Event {
        value: Some(value.to_owned()),
        ..event
    };
    let element = |thread: u32| Event {
        index: Some(0),
        ..event(thread, "write", None, 2, 455)
    };
    vec![
        called(0, 0),
        event(
            0,
            "write",
            Some("java/util/ArrayList.elementData:[Ljava/lang/Object;"),
            1,
            152,
        ),
        called(1, 1),
        event(1, "write", Some("java/util/AbstractList.modCount:I"), 3, 465),
        value(event(1, "read", size, 1, 466), "0"),
        called(2, 2),
        value(event(2, "read", size, 1, 466), "0"),
        element(2),
        value(event(2, "write", size, 1, 456), "1"),
        element(1),
        value(event(1, "write", size, 1, 456), "1"),
        called(0, 3),
    ]
}
