//! Answers are read as they were written, and broken ones are refused.

use raddle_plan::{
    Blocked, CallResult, Caller, End, EventKind, Order, Place, Switch, Target, ThreadState, Touch, TouchKind,
};

use super::{Context, SiteFacts, answer, request};
use crate::serve::BatchOptions;

const OPTIONS: BatchOptions = BatchOptions {
    max_steps: 500,
    record_steps: true,
    mark_shared: false,
    record_touches: true,
    trace: true,
    callers: true,
    report_all: false,
    isolate: true,
};

fn callers(number: i32) -> Vec<Caller> {
    let caller = Caller {
        class: "p.Bus".to_owned(),
        method: "m".to_owned(),
        source: None,
        line: Some(4),
    };
    if number == 5 { vec![caller] } else { Vec::new() }
}

fn facts(id: i32) -> Option<SiteFacts> {
    (id == 77).then(|| SiteFacts {
        place: Place {
            class: String::from("p.C"),
            method: String::from("m"),
            descriptor: String::from("()V"),
            bci: 3,
            source: None,
            line: Some(9),
        },
        target: Some(Target::field("p.C", "f", "I")),
    })
}

fn context() -> Context<'static> {
    Context {
        calls: &[0, 2],
        options: OPTIONS,
        site: &facts,
        callers: &callers,
    }
}

/// Writes as the Java half does.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn byte(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    fn int(mut self, value: i32) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn long(mut self, value: u64) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn text(mut self, value: &str) -> Self {
        self = self.int(i32::try_from(value.len()).unwrap());
        self.0.extend(value.as_bytes());
        self
    }
}

/// One stuck run with everything in it.
fn example() -> Vec<u8> {
    let run = Writer::default()
        .int(1)
        .int(4)
        .long(0xfeed)
        .long(0xbeef)
        .int(12)
        .byte(1)
        .text("0");
    let switches = run.int(1).int(5).int(2);
    let calls = switches
        .int(2)
        .byte(2)
        .text("\"é\"")
        .text("")
        .int(0)
        .byte(3)
        .text("java.lang.Error")
        .text("no")
        .int(1)
        .text("p.C.m(C.java:9)");
    let uncaught = calls
        .int(1)
        .text("Thread-0")
        .int(1)
        .text("java.lang.Error")
        .text("")
        .int(1)
        .text("p.C.run(C.java:3)");
    let threads = uncaught
        .int(1)
        .text("t1")
        .byte(2)
        .int(77)
        .int(0)
        .text("p.C #0")
        .int(1)
        .text("p.D #1")
        .int(0);
    let steps = threads.int(1).long(0b101 | 2 << 48 | 1 << 56 | 1 << 58);
    let touches = steps.byte(1).long(9 << 24 | 16);
    let blocked = touches.byte(1).int(1).byte(2).byte(2).long(7 << 24);
    let event = blocked.int(1).byte(1).byte(2).int(77).int(5).int(3).int(-1);
    let events = event.text("$0").text("7");
    let link = events.int(1).int(3).text("$0").text("p.C.lock");
    let links = link.int(4).text("java.lang.Object");
    let alone = links.int(1).long(0xc0de).int(1).int(2).long(5).long(6);
    let counts = alone.int(1).long(0xfeed).int(40);
    let totals = counts.long(480).long(33).byte(0).int(1).text("p.C is stubborn");
    let totals = totals.int(1).int(77).byte(1);
    let overlaps = totals.int(1).int(2).int(3).byte(1);
    let kinds = overlaps.int(2).int(0).int(2).text("p.D").text("p.C");
    kinds.int(1).text("p.Lock").int(1).int(7).0
}

#[test]
fn an_answer_is_read_as_it_was_written() {
    let batch = answer(&example(), &context()).unwrap();
    assert_eq!((batch.steps, batch.switches, batch.broken), (480, 33, None));
    assert_eq!(batch.counts, [(0xfeed, 40)]);
    assert_eq!(batch.not_reset, ["p.C is stubborn"]);
    assert!(batch.asks_time && batch.unseen.len() == 1);
    let meetings = &batch.meetings;
    assert_eq!(meetings.overlaps, [(2, 3)]);
    assert!(meetings.is_blurred);
    assert_eq!(meetings.kinds, [vec![], vec!["p.D", "p.C"]]);
    assert_eq!(meetings.handed_out, ["p.Lock"]);
    assert_eq!(meetings.reached, [7]);
    let [run] = batch.reported.as_slice() else {
        panic!("one run");
    };
    assert_eq!((run.index, run.outcome.steps, run.run.length), (4, 12, 12));
    assert_eq!(run.outcome.end, End::Stuck);
    assert_eq!(run.outcome.schedule.switches, [Switch { step: 5, thread: 2 }]);
    assert_eq!(
        run.outcome.calls[0].result,
        CallResult::Returned(String::from("\"é\""))
    );
    assert_eq!(run.outcome.calls[1].thread, 2);
    assert!(matches!(&run.outcome.calls[1].result, CallResult::Threw { frames, .. } if frames.len() == 1));
    let dead = &run.outcome.uncaught[0];
    assert_eq!(
        (&*dead.thread, dead.call, dead.frames.len()),
        ("Thread-0", Some(1), 1)
    );
    let thread = &run.outcome.threads[0];
    assert_eq!(
        (thread.state, thread.wants.as_deref()),
        (ThreadState::Blocked, Some("p.C #0"))
    );
    assert_eq!(thread.place.as_ref().and_then(|place| place.line), Some(9));
    assert_eq!(thread.holds[0].place, None);
    let step = run.run.steps[0];
    assert_eq!((step.enabled, step.chosen), (0b101, 2));
    assert_eq!(
        (step.could_stay, step.boundary, step.yielded),
        (true, false, true)
    );
    assert_eq!(step.touch, Some(Touch::new(TouchKind::Write, 9 << 24 | 16)));
    let stuck = Blocked {
        thread: 2,
        touch: Touch::new(TouchKind::Lock, 7 << 24),
    };
    assert_eq!(run.run.blocked, Some(vec![stuck]));
    let link = &run.links[0];
    assert_eq!((link.owner, link.owner_name.as_str()), (3, "$0"));
    assert_eq!((link.class.as_str(), link.field.as_str()), ("p.C", "lock"));
    assert_eq!((link.value, link.name.as_str()), (4, "java.lang.Object"));
    assert_eq!(run.alone.contexts, [0xc0de]);
    assert_eq!(run.alone.states, [[5, 6]]);
    let event = &run.events[0];
    assert_eq!(event.callers, callers(5));
    assert!(thread.callers.is_empty());
    assert_eq!((event.thread, event.kind, event.object), (1, EventKind::Write, 3));
    assert_eq!(
        (&event.target, event.index),
        (&Some(Target::field("p.C", "f", "I")), None)
    );
    assert_eq!(
        (event.name.as_deref(), event.value.as_deref()),
        (Some("$0"), Some("7"))
    );
}

#[test]
fn an_answer_that_ends_too_early_or_too_late_is_refused() {
    let whole = example();
    for length in 0..whole.len() {
        assert!(answer(&whole[..length], &context()).is_err(), "{length} bytes");
    }
    let mut longer = whole;
    longer.push(0);
    assert!(answer(&longer, &context()).is_err());
}

#[test]
fn a_damaged_answer_never_stops_the_reader() {
    let whole = example();
    for position in 0..whole.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[position] = value;
            let _ = answer(&damaged, &context());
        }
    }
}

#[test]
fn a_request_has_flags_bound_and_orders() {
    let orders = [
        Order::Tape(vec![Switch { step: 7, thread: 1 }]),
        Order::Random { seed: u64::MAX },
        Order::Pct {
            priorities: vec![-1],
            changes: vec![6],
        },
    ];
    let expected = Writer::default().byte(5).int(0b1010_1011).int(500).int(3);
    let expected = expected.byte(0).int(1).int(7).int(1);
    let expected = expected.byte(1).long(u64::MAX);
    let expected = expected.byte(2).int(1).int(-1).int(1).int(6);
    assert_eq!(request(OPTIONS, false, &orders), expected.0);
}
