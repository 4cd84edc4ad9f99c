//! Starts a JVM and has it do a little: shows whether this machine and this JDK can run tests at all.

use std::path::PathBuf;
use std::time::Instant;

use raddle_plan::{Argument, Call, Invoke, MemberRef, Order, PLAN_VERSION, TestPlan};

use crate::engine::{Engine, LoadRequest};
use crate::error::EngineError;
use crate::options::JvmOptions;
use crate::plan_bytecode::lower;
use crate::serve::BatchOptions;

/// Enough for two threads with one call each to come in both orders.
const SCHEDULES: u64 = 1000;

/// Starts the JVM of a JDK with these options, runs a plan, and says how that went.
pub(crate) fn self_test(home: PathBuf, extra: Vec<String>) -> Result<String, EngineError> {
    let begin = Instant::now();
    let mut engine = Engine::start(&JvmOptions {
        extra,
        cpu: crate::natives::current_cpu(),
        ..JvmOptions::new(home)
    })?;
    let started = begin.elapsed();
    let rewriting = engine.rewriting();
    let lowered = lower(&plan(), "RaddlePlan$0").map_err(|problem| EngineError::Runtime {
        reason: problem.to_string(),
    })?;
    engine.load(LoadRequest {
        class_path: Vec::new(),
        class_name: lowered.class_name,
        class_bytes: lowered.bytes,
        helpers: lowered.helpers,
        threads: lowered.threads,
        calls: vec![0, 1, 2, 0],
        vars: lowered.vars,
        resets: Vec::new(),
        uninitialised: Vec::new(),
        keep_classes: false,
        package: None,
    })?;
    let options = BatchOptions {
        max_steps: 10_000,
        record_steps: false,
        mark_shared: false,
        record_touches: false,
        trace: false,
        callers: false,
        report_all: false,
        isolate: false,
    };
    let orders: Vec<Order> = (0..SCHEDULES).map(|seed| Order::Random { seed }).collect();
    let begin = Instant::now();
    let batch = engine.batch(options, &orders)?;
    let ran = begin.elapsed();
    let ends: Vec<String> = batch
        .reported
        .iter()
        .map(|run| {
            let last = run.outcome.calls.last();
            format!("{:?} {:?}", run.outcome.end, last.map(|call| &call.result))
        })
        .collect();
    Ok(format!(
        "JDK {}: started in {} ms; {} classes seen, {} rewritten in {} ms, {} left alone; {} threads; \
         {SCHEDULES} schedules, {} steps, {} switches in {} ms; outcomes: {}",
        engine.jdk_version(),
        started.as_millis(),
        rewriting.classes,
        rewriting.rewritten,
        rewriting.nanoseconds / 1_000_000,
        engine.left_alone().len(),
        engine.stacks().take().unwrap_or_default().len(),
        batch.steps,
        batch.switches,
        ran.as_millis(),
        ends.join(", "),
    ))
}

/// Two threads that append to one buffer.
fn plan() -> TestPlan {
    let call = |bind: Option<&str>, invoke, name: &str, descriptor: &str, text: Option<&str>| Call {
        bind: bind.map(String::from),
        invoke,
        member: MemberRef {
            class: String::from("java.lang.StringBuffer"),
            name: String::from(name),
            descriptor: String::from(descriptor),
        },
        on: (invoke != Invoke::New).then(|| String::from("buffer")),
        args: text
            .map(|text| Argument::String(String::from(text)))
            .into_iter()
            .collect(),
        methods: Vec::new(),
    };
    let append = |text| {
        let descriptor = "(Ljava/lang/String;)Ljava/lang/StringBuffer;";
        vec![call(None, Invoke::Virtual, "append", descriptor, Some(text))]
    };
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: String::from("self-test"),
        prefix: vec![call(Some("buffer"), Invoke::New, "<init>", "()V", None)],
        threads: vec![append("a"), append("b")],
        after: vec![call(
            None,
            Invoke::Virtual,
            "toString",
            "()Ljava/lang/String;",
            None,
        )],
        uninitialised: Vec::new(),
    }
}
