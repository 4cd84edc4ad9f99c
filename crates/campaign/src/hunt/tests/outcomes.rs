//! What comes of scripted plans, run by run.

use raddle_execute::{Alone, Cause, Death, Replayed};
use raddle_plan::EventKind::{self, Call, Read, Write};
use raddle_plan::{
    CallOutcome, CallResult, End, Event, Frame, Held, Outcome, Part, Place, Schedule, Switch, Target,
    TestPlan, ThreadEnd, ThreadState,
};

use super::scripted::CLASS;
use raddle_oracle::fingerprint;

/// What comes of a plan.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// What some sequential order does.
    Right,
    /// The same, and the calls never meet.
    RightAndSerial,
    /// The same, and the steps prove that the calls share nothing.
    RightAndApart,
    /// A deadlock of locks that are taken in this method.
    Deadlock(&'static str),
    /// Both calls return the same.
    WrongResult,
    /// The second thread throws this at this line.
    Exception(&'static str, u32),
    /// The call that makes the object throws.
    CannotPrepare,
    /// Calls of threads never come to their end.
    Endless,
    /// Every call throws in every order.
    AlwaysThrows,
    /// The worker says that the plan is no good.
    Refused,
    /// So many workers die over it, and the last one has nothing to show.
    Dies(usize),
    /// A worker dies before it has anything to show.
    DiesAtOnce,
    /// There is no worker to be had any more.
    NoWorker,
}

pub(super) fn death() -> Death {
    Death {
        cause: Cause::Crashed { signal: 11 },
        during: None,
        evidence: String::new(),
    }
}

/// Calls of different threads.
pub(super) fn overlaps(plan: &TestPlan) -> Vec<(u32, u32)> {
    let calls: Vec<(u32, Part)> = plan.calls().map(|(id, part, _)| (id.0, part)).collect();
    let pairs = calls.iter().enumerate().flat_map(|(at, one)| {
        let others = calls[at + 1..].iter();
        others.map(move |other| (one, other))
    });
    pairs
        .filter(|((_, one), (_, other))| {
            matches!((one, other), (Part::Thread(one), Part::Thread(other)) if one != other)
        })
        .map(|((one, _), (other, _))| (*one, *other))
        .collect()
}

/// Two orders: the threads one after the other, and the other way round.
pub(super) fn baseline(plan: &TestPlan, does: Does) -> Vec<(Outcome, Outcome)> {
    let order = |is_backwards: bool| {
        let calls = plan.calls().map(|(_, part, _)| match (does, part) {
            (Does::CannotPrepare, Part::Prefix) => threw("java.lang.IllegalArgumentException", 1),
            (Does::CannotPrepare, _) => CallResult::NotBegun,
            (Does::AlwaysThrows, Part::Thread(_)) => threw("java.lang.UnsupportedOperationException", 2),
            (Does::Endless, Part::Thread(_)) => CallResult::Unfinished,
            (_, Part::Thread(thread)) => {
                let last = plan.threads.len() as u32 - 1;
                let place = if is_backwards { last - thread } else { thread };
                CallResult::Returned((place + 1).to_string())
            }
            _ => CallResult::Returned("$0".to_owned()),
        });
        let end = match does {
            Does::CannotPrepare => End::PrefixThrew,
            Does::Endless => End::StepBound,
            _ => End::Completed,
        };
        let run = made(plan, calls.collect(), end, Vec::new(), Schedule::default());
        (run.clone(), run)
    };
    vec![order(false), order(true)]
}

/// What comes of the interleaving that is looked at.
pub(super) fn outcome(plan: &TestPlan, does: Does) -> Outcome {
    let switches = vec![Switch { step: 2, thread: 2 }, Switch { step: 5, thread: 1 }];
    let schedule = Schedule { switches };
    match does {
        Does::Deadlock(method) => {
            let calls = plan.calls().map(|(_, part, _)| match part {
                Part::Thread(_) => CallResult::Unfinished,
                Part::After => CallResult::NotBegun,
                Part::Prefix => CallResult::Returned("$0".to_owned()),
            });
            let thread = |name: &str, has: &str, wants: &str| ThreadEnd {
                name: name.to_owned(),
                state: ThreadState::Blocked,
                place: Some(place(&format!("{method}{wants}"), 20)),
                wants: Some(wants.to_owned()),
                holds: vec![Held {
                    lock: has.to_owned(),
                    place: Some(place(&format!("{method}{has}"), 10)),
                }],
                callers: Vec::new(),
            };
            let main = ThreadEnd {
                name: "main".to_owned(),
                state: ThreadState::Other,
                place: None,
                wants: None,
                holds: Vec::new(),
                callers: Vec::new(),
            };
            let threads = vec![main, thread("thread 1", "A", "B"), thread("thread 2", "B", "A")];
            made(plan, calls.collect(), End::Stuck, threads, schedule)
        }
        Does::WrongResult => {
            let calls = plan.calls().map(|(_, part, _)| match part {
                Part::Thread(_) => CallResult::Returned("1".to_owned()),
                _ => CallResult::Returned("$0".to_owned()),
            });
            made(plan, calls.collect(), End::Completed, Vec::new(), schedule)
        }
        Does::Exception(class, line) => {
            let calls = plan.calls().map(|(_, part, _)| match part {
                Part::Thread(1) => threw(class, line),
                Part::Thread(_) => CallResult::Returned("1".to_owned()),
                _ => CallResult::Returned("$0".to_owned()),
            });
            made(plan, calls.collect(), End::Completed, Vec::new(), schedule)
        }
        _ => baseline(plan, does).remove(0).0,
    }
}

fn threw(class: &str, line: u32) -> CallResult {
    CallResult::Threw {
        class: class.to_owned(),
        message: String::new(),
        frames: vec![Frame(format!("{CLASS}.one(Box.java:{line})"))],
    }
}

fn place(method: &str, line: u32) -> Place {
    Place {
        class: CLASS.to_owned(),
        method: method.to_owned(),
        descriptor: "()I".to_owned(),
        bci: 0,
        source: Some("Box.java".to_owned()),
        line: Some(line),
    }
}

fn made(
    plan: &TestPlan,
    results: Vec<CallResult>,
    end: End,
    threads: Vec<ThreadEnd>,
    schedule: Schedule,
) -> Outcome {
    let of_thread = |part: Part| match part {
        Part::Thread(thread) => thread + 1,
        _ => 0,
    };
    let parts = plan.calls().map(|(_, part, _)| part);
    let calls = parts.zip(results).map(|(part, result)| CallOutcome {
        thread: of_thread(part),
        result,
    });
    let calls: Vec<CallOutcome> = calls.collect();
    let digest = u64::from(fingerprint(format!("{end:?} {calls:?}").bytes()));
    Outcome {
        digest,
        trace_hash: u64::from(fingerprint(format!("{digest} {schedule:?}").bytes())),
        steps: 10,
        schedule,
        end,
        calls,
        uncaught: Vec::new(),
        threads,
    }
}

/// A run whose threads both read a field before they write it, unless it is an order of whole calls.
pub(super) fn replayed(plan: &TestPlan, outcome: &Outcome) -> Replayed {
    let event = |thread: u32, kind: EventKind| Event {
        thread,
        place: Some(place("one", 2)),
        kind,
        target: (kind != EventKind::Call).then(|| Target::field(CLASS, "n", "I")),
        object: u32::from(kind != EventKind::Call),
        name: (kind != EventKind::Call).then(|| "$0".to_owned()),
        index: (kind == EventKind::Call).then(|| (plan.prefix.len() as u32 + thread - 1).cast_signed()),
        value: None,
        callers: Vec::new(),
    };
    let order = if outcome.schedule.switches.is_empty() {
        vec![(1, Call), (1, Read), (1, Write), (2, Call), (2, Read), (2, Write)]
    } else {
        vec![(1, Call), (1, Read), (2, Call), (2, Read), (2, Write), (1, Write)]
    };
    Replayed {
        outcome: outcome.clone(),
        events: order
            .into_iter()
            .map(|(thread, kind)| event(thread, kind))
            .collect(),
        links: Vec::new(),
        alone: Alone::default(),
    }
}
