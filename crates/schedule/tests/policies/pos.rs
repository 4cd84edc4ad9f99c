//! Partial order sampling against the random walk.
//!
//! The paper's case against the random walk: to be late, an operation must lose a draw against every single step of the
//! other thread, although these have nothing to do with it. With priorities it must lose only once.

use std::collections::BTreeMap;

use raddle_schedule::reference_machine::{Op, Program, Trial};
use raddle_schedule::{Pos, Random, Scheduler};

use crate::programs::{explore, hits, place};

const RUNS: u32 = 40_000;

fn rate(policy: &mut dyn Scheduler, program: &Program, wanted: impl FnMut(&Trial) -> bool) -> f64 {
    hits(policy, program, RUNS as usize, wanted) as f64 / f64::from(RUNS)
}

/// One thread does private steps and then writes; the other one reads at once.
fn late(private: usize) -> Program {
    let mut first = vec![Op::Call];
    first.resize(private + 1, Op::Read(50));
    first.push(Op::Write(0));
    Program::of(vec![first, vec![Op::Call, Op::Read(0)]])
}

#[test]
fn an_operation_that_must_wait_long_is_found_exponentially_more_often_than_by_the_random_walk() {
    for private in [4, 8, 12] {
        let program = late(private);
        let last = private as u32 + 1;
        let read_after_write = |trial: &Trial| place(trial, 1, last) < place(trial, 2, 1);
        let pos = rate(&mut Pos::new(1, 0), &program, read_after_write);
        let random = rate(&mut Random::new(1, 0), &program, read_after_write);
        println!("{private} private steps: pos {pos:.5}, random walk {random:.5}");
        // The reader has 3 steps, with priorities that must, one after the other, be beaten by all of the writer's
        // p + 3: at least it is enough that the first of them is. The walk must win p + 3 draws with at most 2 losses.
        let p = private as f64;
        assert!(pos >= 1.0 / (p + 4.0), "{private}: {pos}");
        let steps = private as i32 + 3;
        let walk =
            (1..=2).fold(1.0, |sum, k| sum + below(steps + k - 1, k) / 2f64.powi(k)) / 2f64.powi(steps);
        assert!(
            (random - walk).abs() < 0.01,
            "{private}: {random}, expected {walk}"
        );
        assert!(pos > random, "{private}: {pos}, {random}");
    }
}

fn below(n: i32, k: i32) -> f64 {
    (1..=k).fold(1.0, |c, i| c * f64::from(n - k + i) / f64::from(i))
}

#[test]
fn independent_races_are_decided_evenly_and_independently() {
    let racer = |location| vec![Op::Call, Op::Write(location)];
    let program = Program::of(vec![racer(0), racer(0), racer(1), racer(1)]);
    let mut seen: BTreeMap<(bool, bool), u32> = BTreeMap::new();
    explore(&mut Pos::new(3, 0), &program, 512, RUNS as usize, |_, trial| {
        let first = place(trial, 1, 1) < place(trial, 2, 1);
        let second = place(trial, 3, 1) < place(trial, 4, 1);
        *seen.entry((first, second)).or_default() += 1;
    });
    println!("two independent races: {seen:?} of {RUNS}");
    assert_eq!(seen.len(), 4);
    assert!(
        seen.values().all(|count| (9_500..10_500).contains(count)),
        "{seen:?}"
    );
}

#[test]
fn the_orders_of_three_racing_writes_are_about_equally_likely() {
    let racer = || vec![Op::Call, Op::Write(0)];
    let program = Program::of(vec![racer(), racer(), racer()]);
    let mut seen: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    explore(&mut Pos::new(4, 0), &program, 512, RUNS as usize, |_, trial| {
        let writers = trial
            .trace
            .iter()
            .filter(|done| done.op == 1)
            .map(|done| done.thread)
            .collect();
        *seen.entry(writers).or_default() += 1;
    });
    println!("three racing writes: {seen:?} of {RUNS}");
    assert_eq!(seen.len(), 6);
    assert!(
        seen.values().all(|count| (6_200..7_130).contains(count)),
        "{seen:?}"
    );
}

#[test]
fn races_between_unequal_threads_are_decided_more_evenly_than_by_the_random_walk() {
    // Three racing writes in each of two threads, one of which has to do something else first: how rare is the rarest of
    // the 20 ways to merge them?
    let thread = |before: usize| {
        let mut ops = vec![Op::Call];
        ops.resize(before + 1, Op::Read(50));
        ops.extend([Op::Write(0); 3]);
        ops
    };
    let program = Program::of(vec![thread(6), thread(0)]);
    let rarest = |policy: &mut dyn Scheduler| {
        let mut seen: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        explore(policy, &program, 512, RUNS as usize, |_, trial| {
            let writers = trial
                .trace
                .iter()
                .filter(|done| done.op > if done.thread == 1 { 6 } else { 0 } && done.thread > 0)
                .map(|done| done.thread)
                .collect();
            *seen.entry(writers).or_default() += 1;
        });
        (seen.len(), seen.values().copied().min().unwrap_or(0))
    };
    let pos = rarest(&mut Pos::new(5, 0));
    let random = rarest(&mut Random::new(5, 0));
    println!("orders seen and the rarest, of {RUNS}: pos {pos:?}, random walk {random:?}");
    assert_eq!(pos.0, 20);
    assert!(pos.1 > random.1);
}
