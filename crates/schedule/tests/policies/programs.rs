//! Programs for the reference machine, and ways to run them.

use raddle_plan::{Order, Run};
use raddle_schedule::reference_machine::{Op, Program, Trial};
use raddle_schedule::{Rng, Scheduler};

/// More points than a run of the program needs, if it ends at all.
pub(crate) fn bound(program: &Program) -> u32 {
    let ops: usize = program.threads.iter().map(Vec::len).sum();
    300 + 3 * ops as u32
}

/// A thread that makes one call, with so many steps in all.
pub(crate) fn private(steps: usize, location: u32) -> Vec<Op> {
    let mut ops = vec![Op::Call];
    ops.resize(steps, Op::Write(location));
    ops
}

/// Who was picked at every point.
pub(crate) fn picks(run: &Run) -> Vec<u8> {
    run.steps.iter().map(|step| step.chosen).collect()
}

/// Makes runs until the policy ends or there are enough.
pub(crate) fn explore(
    policy: &mut dyn Scheduler,
    program: &Program,
    batch: usize,
    enough: usize,
    mut each: impl FnMut(&Order, &Trial),
) {
    let mut made = 0;
    while made < enough {
        let orders = policy.next(batch.min(enough - made));
        if orders.is_empty() {
            return;
        }
        let trials: Vec<Trial> = orders
            .iter()
            .map(|order| program.run(order, bound(program)))
            .collect();
        for (order, trial) in orders.iter().zip(&trials) {
            each(order, trial);
            policy.observe(order, &trial.run);
        }
        made += orders.len();
    }
}

/// How many of so many runs are as wanted.
pub(crate) fn hits(
    policy: &mut dyn Scheduler,
    program: &Program,
    runs: usize,
    mut wanted: impl FnMut(&Trial) -> bool,
) -> usize {
    let mut count = 0;
    explore(policy, program, 256, runs, |_, trial| {
        count += usize::from(wanted(trial));
    });
    count
}

/// The place of an operation in what was done.
pub(crate) fn place(trial: &Trial, thread: u32, op: u32) -> Option<usize> {
    trial
        .trace
        .iter()
        .position(|done| (done.thread, done.op) == (thread, op))
}

/// A random program of two to four threads, with nested locks in any order, yields, and threads that wait for others.
pub(crate) fn random_program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let count = 2 + rng.below(3);
    let mut threads = Vec::new();
    for thread in 0..count {
        let mut ops = Vec::new();
        let mut held = Vec::new();
        for _ in 0..=rng.below(3) {
            ops.push(Op::Call);
            for _ in 0..rng.below(4) {
                ops.push(match rng.below(10) {
                    0..3 => Op::Read(rng.below(3)),
                    3..6 => Op::Write(rng.below(3)),
                    6 => Op::Yield,
                    7 => {
                        let lock = rng.below(3);
                        held.push(lock);
                        Op::Lock(lock)
                    }
                    8 => held.pop().map_or(Op::Yield, Op::Unlock),
                    // Written by the first thread's last operation.
                    _ if thread > 0 => Op::Spin(9),
                    _ => Op::Read(0),
                });
            }
        }
        ops.extend(held.into_iter().rev().map(Op::Unlock));
        if thread == 0 {
            ops.push(Op::Write(9));
        }
        threads.push(ops);
    }
    Program {
        prefix: vec![Op::Call, Op::Write(0), Op::Write(1)],
        threads,
        after: vec![Op::Call, Op::Read(0)],
    }
}
