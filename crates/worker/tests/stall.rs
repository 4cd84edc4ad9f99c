//! A batch that hangs in native code is noticed. A test program of its own, since its JVM is lost afterwards.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

#[path = "support/make.rs"]
mod make;
mod support;

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use raddle_plan::{Argument, Order};
use raddle_worker::ThreadStack;
use raddle_worker::serve::BatchOptions;

#[test]
fn a_batch_that_hangs_is_told_with_the_stacks_of_all_threads() {
    let accept = "java.net.ServerSocket.accept()Ljava/net/Socket;";
    let plan = make::plan(
        vec![make::call(
            Some("server"),
            None,
            "java.net.ServerSocket.<init>(I)V",
            vec![Argument::Int(0)],
        )],
        vec![vec![make::call(None, Some("server"), accept, vec![])]],
        vec![],
    );
    let mut engine = support::engine();
    engine.load(support::request(&plan)).unwrap();
    let stacks = engine.stacks();
    let (sender, told) = mpsc::channel();
    engine.watch(
        Duration::from_millis(300),
        Box::new(move |stacks, _| {
            let _ = sender.send(stacks.len());
        }),
    );
    thread::spawn(move || {
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
        engine.batch(options, &[Order::Tape(vec![])])
    });
    assert!(
        told.recv().unwrap() > 1,
        "the thread of the plan and those of the JVM"
    );
    // On a busy computer a standstill may have been told before the plan came to its call.
    let is_accepting = |stack: &ThreadStack| stack.frames.iter().any(|frame| frame.contains("accept("));
    while !stacks.take().unwrap_or_default().iter().any(is_accepting) {
        thread::sleep(Duration::from_millis(10));
    }
}
