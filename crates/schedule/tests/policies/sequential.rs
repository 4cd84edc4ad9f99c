//! The sequential behaviours of a plan: `DepCon+`, definition 4.

use raddle_plan::Clock;
use raddle_schedule::reference_machine::{Ending, Op, Program, Trial};
use raddle_schedule::{Scheduler, Sequential};

use crate::programs::explore;

fn behaviours(threads: Vec<Vec<Op>>) -> Vec<Trial> {
    let program = Program {
        prefix: vec![Op::Call, Op::Write(0)],
        threads,
        after: vec![Op::Call, Op::Read(0)],
    };
    let mut policy = Sequential::new(Clock::Ticking);
    let mut all = Vec::new();
    explore(&mut policy, &program, 5, 10_000, |_, trial| {
        all.push(trial.clone());
    });
    let claim = policy.claim().unwrap();
    assert!(claim.complete);
    assert_eq!(claim.interleavings, all.len() as u64);
    all
}

/// The threads in the order of what they did, each stretch once.
fn stretches(trial: &Trial) -> Vec<u32> {
    let mut threads: Vec<u32> = trial.trace.iter().map(|done| done.thread).collect();
    threads.dedup();
    threads
}

fn calls(count: usize, location: u32) -> Vec<Op> {
    [Op::Call, Op::Read(location), Op::Write(location)].repeat(count)
}

#[test]
fn all_orders_of_the_calls_are_made_and_each_once() {
    // Binomial and multinomial coefficients.
    for (counts, expected) in [
        (vec![1, 1], 2),
        (vec![2, 2], 6),
        (vec![3, 2], 10),
        (vec![2, 1, 2], 30),
    ] {
        let all = behaviours(counts.iter().map(|count| calls(*count, 0)).collect());
        assert_eq!(all.len(), expected, "{counts:?}");
        let mut traces: Vec<_> = all.iter().map(|trial| trial.trace.clone()).collect();
        traces.sort();
        traces.dedup();
        assert_eq!(traces.len(), expected, "{counts:?}");
    }
}

#[test]
fn no_call_is_interrupted() {
    for trial in behaviours(vec![calls(2, 0), calls(2, 0), calls(1, 0)]) {
        let threads: Vec<u32> = trial.trace.iter().map(|done| done.thread).collect();
        // Two steps of the prefix, then calls of three.
        assert!(
            threads[2..17]
                .chunks(3)
                .all(|call| call.iter().all(|thread| *thread == call[0]))
        );
    }
}

#[test]
fn a_call_that_blocks_lets_the_others_go_on() {
    let all = behaviours(vec![
        vec![Op::Call, Op::Lock(0), Op::Call, Op::Unlock(0)],
        vec![Op::Call, Op::Lock(0), Op::Unlock(0)],
    ]);
    let mut orders: Vec<_> = all.iter().map(stretches).collect();
    orders.sort();
    // The second thread after the first, between its calls, and before it.
    assert_eq!(
        orders,
        [vec![0, 1, 2, 0], vec![0, 1, 2, 1, 2, 0], vec![0, 2, 1, 0]]
    );
    assert!(all.iter().all(|trial| trial.ending == Ending::Completed));
}

#[test]
fn a_plan_that_gets_stuck_by_itself_is_stuck_in_every_order() {
    let all = behaviours(vec![vec![Op::Call, Op::Lock(0)], vec![Op::Call, Op::Lock(0)]]);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|trial| trial.ending == Ending::Stuck));
}

#[test]
fn a_yield_within_a_call_lets_nobody_in() {
    let call = || {
        vec![
            Op::Call,
            Op::Read(0),
            Op::Yield,
            Op::Write(0),
            Op::Yield,
            Op::Write(0),
        ]
    };
    let all = behaviours(vec![call(), call()]);
    let mut orders: Vec<_> = all.iter().map(stretches).collect();
    orders.sort();
    assert_eq!(orders, [[0, 1, 2, 0], [0, 2, 1, 0]]);
}

#[test]
fn a_call_that_spins_is_a_call_that_blocks() {
    let all = behaviours(vec![vec![Op::Call, Op::Spin(7)], vec![Op::Call, Op::Write(7)]]);
    let mut orders: Vec<_> = all.iter().map(stretches).collect();
    orders.sort();
    assert_eq!(orders, [vec![0, 1, 2, 1, 0], vec![0, 2, 1, 0]]);
    assert!(all.iter().all(|trial| trial.ending == Ending::Completed));
}

#[test]
fn a_call_that_can_go_on_again_does_so_before_a_new_one_begins() {
    // The second call waits for the first thread's lock, which the first thread gives up in its second call.
    let all = behaviours(vec![
        vec![Op::Call, Op::Lock(0), Op::Call, Op::Unlock(0)],
        vec![Op::Call, Op::Lock(0), Op::Write(1), Op::Unlock(0)],
        vec![Op::Call, Op::Write(1)],
    ]);
    let mut blocked = 0;
    for trial in &all {
        let order = stretches(trial);
        let released = order.iter().rposition(|thread| *thread == 1).unwrap();
        let (before, after) = order.split_at(released + 1);
        if before.contains(&2) && after.contains(&2) {
            blocked += 1;
            assert_eq!(after[0], 2, "{order:?}");
        }
    }
    assert!(blocked > 0);
}
