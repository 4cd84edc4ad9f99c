//! A JVM in this process runs plans, repeats runs, and says what went wrong. One test: a process has one JVM.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

#[path = "support/make.rs"]
mod make;
mod support;

use std::collections::BTreeSet;

use raddle_plan::{Argument, CallResult, EventKind, Order, TestPlan};
use raddle_worker::serve::{Batch, BatchOptions};
use raddle_worker::{Engine, EngineError, JvmOptions};

const PLAIN: BatchOptions = BatchOptions {
    max_steps: 10_000,
    record_steps: false,
    mark_shared: false,
    record_touches: false,
    trace: false,
    callers: false,
    report_all: false,
    isolate: false,
};

/// Two threads that append to one buffer.
fn appends() -> TestPlan {
    let append = |text: &str| {
        let member = "java.lang.StringBuffer.append(Ljava/lang/String;)Ljava/lang/StringBuffer;";
        vec![make::call(
            None,
            Some("buffer"),
            member,
            vec![Argument::String(text.to_owned())],
        )]
    };
    let text = "java.lang.StringBuffer.toString()Ljava/lang/String;";
    make::plan(
        vec![make::call(
            Some("buffer"),
            None,
            "java.lang.StringBuffer.<init>()V",
            vec![],
        )],
        vec![append("a"), append("b")],
        vec![make::call(None, Some("buffer"), text, vec![])],
    )
}

fn last_values(batch: &Batch) -> BTreeSet<String> {
    let runs = batch.reported.iter();
    runs.map(|run| match &run.outcome.calls.last().unwrap().result {
        CallResult::Returned(value) => value.clone(),
        other => format!("{other:?}"),
    })
    .collect()
}

#[test]
fn plans_run_and_repeat_and_failures_are_told() {
    let mut engine = support::engine();
    finds_both_orders(&mut engine);
    repeats_a_run(&mut engine);
    records_places_and_steps(&mut engine);
    rewrites_classes_of_other_loaders(&mut engine);
    tells_what_java_threw(&mut engine);
    knows_its_threads(&engine);
    refuses_a_second_jvm();
}

fn finds_both_orders(engine: &mut Engine) {
    engine.load(support::request(&appends())).unwrap();
    let orders: Vec<Order> = (0..200).map(|seed| Order::Random { seed }).collect();
    let batch = engine.batch(PLAIN, &orders).unwrap();
    assert_eq!(
        last_values(&batch),
        BTreeSet::from(["\"ab\"".to_owned(), "\"ba\"".to_owned()])
    );
    assert_eq!(batch.counts.iter().map(|(_, count)| count).sum::<u64>(), 200);
    assert_eq!(batch.broken, None);
    let threads: Vec<u32> = batch.reported[0]
        .outcome
        .calls
        .iter()
        .map(|call| call.thread)
        .collect();
    assert_eq!(threads, [0, 1, 2, 0]);
    assert!(engine.rewriting().rewritten > 100, "{:?}", engine.rewriting());
}

fn repeats_a_run(engine: &mut Engine) {
    let options = BatchOptions {
        report_all: true,
        ..PLAIN
    };
    let first = engine.batch(options, &[Order::Random { seed: 7 }]).unwrap();
    let outcome = &first.reported[0].outcome;
    let tape = Order::Tape(outcome.schedule.switches.clone());
    for run in engine.batch(options, &[tape.clone(), tape]).unwrap().reported {
        assert_eq!(&run.outcome, outcome);
    }
}

fn records_places_and_steps(engine: &mut Engine) {
    let options = BatchOptions {
        record_steps: true,
        trace: true,
        callers: false,
        report_all: true,
        ..PLAIN
    };
    let batch = engine.batch(options, &[Order::Random { seed: 1 }]).unwrap();
    let run = &batch.reported[0];
    assert_eq!(run.run.steps.len(), run.run.length as usize);
    assert!(
        run.run
            .steps
            .iter()
            .all(|step| step.enabled >> step.chosen & 1 == 1)
    );
    let enter = run
        .events
        .iter()
        .find(|event| event.kind == EventKind::Enter && event.thread == 1);
    let place = enter.and_then(|event| event.place.as_ref()).unwrap();
    assert_eq!(
        (place.class.as_str(), place.method.as_str()),
        ("java.lang.StringBuffer", "append")
    );
}

/// `java.sql` is not the boot loader's.
fn rewrites_classes_of_other_loaders(engine: &mut Engine) {
    let set = |nanos| {
        let member = "java.sql.Timestamp.setNanos(I)V";
        vec![make::call(None, Some("time"), member, vec![Argument::Int(nanos)])]
    };
    let new = "java.sql.Timestamp.<init>(J)V";
    let plan = make::plan(
        vec![make::call(Some("time"), None, new, vec![Argument::Long(0)])],
        vec![set(1), set(2)],
        vec![make::call(
            None,
            Some("time"),
            "java.sql.Timestamp.getNanos()I",
            vec![],
        )],
    );
    engine.load(support::request(&plan)).unwrap();
    let options = BatchOptions { trace: true, ..PLAIN };
    let orders: Vec<Order> = (0..50).map(|seed| Order::Random { seed }).collect();
    let batch = engine.batch(options, &orders).unwrap();
    assert_eq!(
        last_values(&batch),
        BTreeSet::from(["1".to_owned(), "2".to_owned()])
    );
    let mut targets = batch.reported[0]
        .events
        .iter()
        .filter_map(|event| event.target.as_ref());
    assert!(targets.any(|target| target.to_string() == "java.sql.Timestamp.nanos:I"));
}

fn tells_what_java_threw(engine: &mut Engine) {
    let mut request = support::request(&appends());
    request.class_bytes.truncate(100);
    let Err(EngineError::Thrown(exception)) = engine.load(request) else {
        unreachable!("half a class was loaded");
    };
    assert_eq!(exception.class, "java.lang.ClassFormatError");
    assert!(exception.message.contains("Truncated"), "{exception}");
    assert!(
        exception.frames.iter().any(|frame| frame.contains("defineClass")),
        "{exception}"
    );
}

fn knows_its_threads(engine: &Engine) {
    let stacks = engine.stacks().take().unwrap();
    assert!(stacks.iter().any(|stack| stack.name == "main"), "{stacks:?}");
}

fn refuses_a_second_jvm() {
    let jdk = raddle_classpath::Jdk::locate(None).unwrap();
    let second = Engine::start(&JvmOptions::new(jdk.home()));
    assert!(matches!(second, Err(EngineError::SecondJvm)));
}
