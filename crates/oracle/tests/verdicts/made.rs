//! Outcomes made by hand.

use raddle_oracle::{Baseline, Judgement, Violation, judge};
use raddle_plan::{
    CallOutcome, CallResult, End, Frame, Held, Outcome, Place, Schedule, TestPlan, ThreadEnd, ThreadState,
};

/// A run of a plan with one call of the prefix and one call of each of two threads.
pub(crate) fn run(end: End, results: Vec<CallResult>) -> Outcome {
    let count = results.len();
    Outcome {
        digest: 0,
        trace_hash: 0,
        steps: 100,
        schedule: Schedule::default(),
        end,
        calls: results
            .into_iter()
            .enumerate()
            .map(|(number, result)| CallOutcome {
                // The prefix, the threads, the calls after.
                thread: if number < 3 && number < count {
                    number as u32
                } else {
                    0
                },
                result,
            })
            .collect(),
        uncaught: Vec::new(),
        threads: Vec::new(),
    }
}

pub(crate) fn completed(results: &[&str]) -> Outcome {
    run(
        End::Completed,
        results.iter().map(|value| returned(value)).collect(),
    )
}

pub(crate) fn returned(value: &str) -> CallResult {
    CallResult::Returned(value.to_owned())
}

pub(crate) fn threw(class: &str) -> CallResult {
    CallResult::Threw {
        class: class.to_owned(),
        message: "boom".to_owned(),
        frames: vec![Frame("a.Box.take(Box.java:7)".to_owned())],
    }
}

/// These linearizations, the same both times.
pub(crate) fn baseline(runs: &[Outcome]) -> Baseline {
    Baseline::new(runs.iter().map(|run| (run.clone(), run.clone())).collect())
}

/// A plan with these names of calls: one in the prefix, one in each of two threads, the others after.
pub(crate) fn plan() -> TestPlan {
    let call = |name: &str, invoke: raddle_plan::Invoke| raddle_plan::Call {
        bind: None,
        invoke,
        member: format!("a.Box.{name}(){}", if name == "<init>" { 'V' } else { 'I' })
            .try_into()
            .unwrap(),
        on: None,
        args: Vec::new(),
        methods: Vec::new(),
    };
    TestPlan {
        raddle_plan: raddle_plan::PLAN_VERSION,
        package: None,
        name: String::new(),
        prefix: vec![call("<init>", raddle_plan::Invoke::New)],
        threads: vec![
            vec![call("take", raddle_plan::Invoke::Virtual)],
            vec![call("put", raddle_plan::Invoke::Virtual)],
        ],
        after: vec![call("size", raddle_plan::Invoke::Virtual)],
        uninitialised: Vec::new(),
    }
}

pub(crate) fn place(method: &str, line: u32) -> Place {
    Place {
        class: "a.Box".to_owned(),
        method: method.to_owned(),
        descriptor: "()V".to_owned(),
        bci: line * 10,
        source: Some("Box.java".to_owned()),
        line: Some(line),
    }
}

pub(crate) fn thread(
    name: &str,
    state: ThreadState,
    wants: Option<&str>,
    line: u32,
    holds: &[&str],
) -> ThreadEnd {
    ThreadEnd {
        callers: Vec::new(),
        name: name.to_owned(),
        state,
        place: Some(place("take", line)),
        wants: wants.map(ToOwned::to_owned),
        holds: holds
            .iter()
            .map(|lock| Held {
                lock: (*lock).to_owned(),
                place: Some(place("open", line - 1)),
            })
            .collect(),
    }
}

/// The main thread, while the plan's threads run.
pub(crate) fn main_thread() -> ThreadEnd {
    ThreadEnd {
        callers: Vec::new(),
        name: "main".to_owned(),
        state: ThreadState::Joining,
        place: None,
        wants: None,
        holds: Vec::new(),
    }
}

/// A run with the calls of both threads hanging, and these threads besides the main one.
pub(crate) fn stuck(results: Vec<CallResult>, threads: Vec<ThreadEnd>) -> Outcome {
    let mut run = run(End::Stuck, results);
    run.threads = vec![main_thread()];
    run.threads.extend(threads);
    run
}

pub(crate) fn violation(baseline: &Baseline, outcome: &Outcome) -> Violation {
    match judge(baseline, outcome) {
        Judgement::Violation(violation) => violation,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn reason(baseline: &Baseline, outcome: &Outcome) -> String {
    match judge(baseline, outcome) {
        Judgement::Inconclusive(reason) => reason,
        other => panic!("{other:?}"),
    }
}
