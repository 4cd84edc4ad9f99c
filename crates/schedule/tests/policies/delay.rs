//! Delay bounding: by the definition, and by the paper's arithmetic.

use std::collections::BTreeSet;

use raddle_plan::{Order, Run, Switch};
use raddle_schedule::reference_machine::{Op, Program};
use raddle_schedule::{Bounded, Delay, Scheduler, stay_or_next};

use crate::programs::{bound, explore, picks, private, random_program};

/// All interleavings that the search makes; none may come twice.
fn found(program: &Program, delays: u32) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    let mut policy = Delay::new(delays);
    explore(&mut policy, program, 7, usize::MAX, |_, trial| {
        assert!(all.insert(picks(&trial.run)), "twice: {:?}", picks(&trial.run));
    });
    let claim = policy.claim().unwrap();
    assert!(claim.complete, "{claim:?}");
    assert_eq!(claim.interleavings, all.len() as u64);
    all
}

/// How many delays it takes to pick this thread, by the definition: who is passed over, beginning with whose turn it is.
fn delays_to(enabled: u64, turn: u32, wanted: u32) -> u32 {
    let turns = (turn..turn + 64).map(|thread| thread % 64);
    let enabled = turns.filter(|thread| enabled >> thread & 1 == 1);
    enabled.take_while(|thread| *thread != wanted).count() as u32
}

/// Every sequence of picks there is with so few delays, by trying every enabled thread at every point.
fn brute_force(program: &Program, tape: &[Switch], left: u32, all: &mut BTreeSet<Vec<u8>>) {
    let trial = program.run(&Order::Tape(tape.to_vec()), bound(program));
    let run: &Run = &trial.run;
    all.insert(picks(run));
    let from = tape.last().map_or(0, |last| last.step as usize + 1);
    let (mut current, mut in_a_row) = (0, 0);
    for (at, step) in run.steps.iter().enumerate() {
        let turn = stay_or_next(step.enabled, current, step.yielded, in_a_row).unwrap();
        for thread in (0..64).filter(|thread| step.enabled >> thread & 1 == 1) {
            let delays = delays_to(step.enabled, turn, thread);
            if at >= from && (1..=left).contains(&delays) {
                let switch = Switch {
                    step: at as u32,
                    thread,
                };
                let longer: Vec<Switch> = tape.iter().copied().chain([switch]).collect();
                brute_force(program, &longer, left - delays, all);
            }
        }
        let stayed = u32::from(step.chosen) == current && step.enabled.count_ones() > 1;
        in_a_row = if stayed { in_a_row + 1 } else { 0 };
        current = u32::from(step.chosen);
    }
}

#[test]
fn all_interleavings_with_so_many_delays_are_run_each_once() {
    for seed in 0..40 {
        let program = random_program(seed);
        for delays in 0..=2 {
            let mut all = BTreeSet::new();
            brute_force(&program, &[], delays, &mut all);
            assert_eq!(found(&program, delays), all, "program {seed}, {delays} delays");
        }
    }
}

fn of_threads(count: u32) -> Program {
    Program {
        prefix: Vec::new(),
        threads: (0..count).map(|thread| private(5, thread)).collect(),
        after: Vec::new(),
    }
}

#[test]
fn without_delays_there_is_one_run() {
    assert_eq!(found(&of_threads(4), 0).len(), 1);
}

/// Section 1 of the paper: the number of ways at a point does not depend on the number of threads. Preemptions have one way
/// for each of the others.
#[test]
fn more_threads_make_more_points_and_no_more_ways_at_each() {
    for threads in 2..=5 {
        let program = of_threads(threads);
        let mut points = 0;
        explore(&mut Delay::new(0), &program, 1, 1, |_, trial| {
            let several = trial
                .run
                .steps
                .iter()
                .filter(|step| step.enabled.count_ones() > 1);
            points = several.count();
        });
        assert_eq!(found(&program, 1).len(), 1 + points);
    }
    let count = |policy: &mut dyn Scheduler| {
        let mut runs = 0;
        explore(policy, &of_threads(5), 64, usize::MAX, |_, _| runs += 1);
        runs
    };
    assert!(count(&mut Delay::new(1)) < count(&mut Bounded::new(1)));
}

#[test]
fn one_delay_shows_an_update_that_gets_lost() {
    let update = vec![Op::Call, Op::Read(0), Op::Write(0)];
    let program = Program {
        prefix: Vec::new(),
        threads: vec![update.clone(), update],
        after: Vec::new(),
    };
    let mut is_lost = false;
    explore(&mut Delay::new(1), &program, 8, usize::MAX, |_, trial| {
        let order: Vec<(u32, u32)> = trial.trace.iter().map(|done| (done.thread, done.op)).collect();
        let at = |done: (u32, u32)| order.iter().position(|one| *one == done).unwrap();
        // Both read before either writes.
        is_lost |= at((1, 1)).max(at((2, 1))) < at((1, 2)).min(at((2, 2)));
    });
    assert!(is_lost);
}

#[test]
fn runs_that_got_lost_are_not_claimed() {
    let mut policy = Delay::new(1);
    policy.next(1);
    assert!(policy.next(1).is_empty());
    assert!(!policy.claim().unwrap().complete);
}
