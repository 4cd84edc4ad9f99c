//! Systematic search: counts by hand and by brute force.

use std::collections::BTreeSet;

use raddle_plan::{Order, Run, Switch};
use raddle_schedule::reference_machine::{Op, Program};
use raddle_schedule::{Bounded, Scheduler};

use crate::programs::{bound, explore, picks, private, random_program};

/// All interleavings that the search makes; none may come twice, and preemptions must not fall.
fn found(program: &Program, preemptions: u32) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    let mut policy = Bounded::new(preemptions);
    let mut last = 0;
    explore(&mut policy, program, 7, usize::MAX, |order, trial| {
        let Order::Tape(tape) = order else {
            panic!("{order:?}")
        };
        assert!(tape.is_sorted());
        let now = preemptions_of(&trial.run);
        assert!(now >= last, "fewer preemptions come first");
        last = now;
        assert!(all.insert(picks(&trial.run)), "twice: {:?}", picks(&trial.run));
    });
    let claim = policy.claim().unwrap();
    assert!(claim.complete);
    assert_eq!(claim.interleavings, all.len() as u64);
    all
}

/// By the definition: switches away from a thread that is enabled, at points where it does not yield.
fn preemptions_of(run: &Run) -> u32 {
    let mut current = 0;
    let mut count = 0;
    for step in &run.steps {
        count += u32::from(step.chosen != current && step.could_stay && !step.yielded);
        current = step.chosen;
    }
    count
}

/// A thread that has come to its first call has done nothing: to switch away from it there is no interleaving of its
/// own.
fn leaves_fresh_thread(run: &Run) -> bool {
    let mut current = 0;
    let mut seen = BTreeSet::from([0]);
    let mut fresh = false;
    for step in &run.steps {
        if fresh && step.boundary && step.chosen != current {
            return true;
        }
        current = step.chosen;
        fresh = seen.insert(current);
    }
    false
}

/// Every sequence of picks there is, by trying every enabled thread at every point.
fn brute_force(program: &Program, preemptions: u32) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    let mut open: Vec<Vec<Switch>> = vec![Vec::new()];
    while let Some(tape) = open.pop() {
        let run = program.run(&Order::Tape(tape.clone()), bound(program)).run;
        match run.steps.get(tape.len()) {
            None => {
                if !leaves_fresh_thread(&run) && preemptions_of(&run) <= preemptions {
                    all.insert(picks(&run));
                }
            }
            Some(point) => open.extend((0..64).filter(|t| point.enabled >> t & 1 == 1).map(|thread| {
                let mut longer = tape.clone();
                longer.push(Switch {
                    step: tape.len() as u32,
                    thread,
                });
                longer
            })),
        }
    }
    all
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        0
    } else {
        (1..=k).fold(1, |c, i| c * (n - k + i) / i)
    }
}

/// Two threads of n and m steps: with a blocks of one and b of the other there are a + b − 1 switches, the last of them
/// free since one thread has ended.
fn by_hand(n: u64, m: u64, preemptions: u64) -> u64 {
    let mut sum = 0;
    for a in 1..=n {
        for b in 1..=m {
            let orders = match a.abs_diff(b) {
                0 => 2,
                1 => 1,
                _ => 0,
            };
            if a + b <= preemptions + 2 {
                sum += orders * choose(n - 1, a - 1) * choose(m - 1, b - 1);
            }
        }
    }
    sum
}

#[test]
fn two_threads_without_locks_have_the_number_of_interleavings_worked_out_by_hand() {
    for (n, m) in [(1, 1), (2, 3), (4, 4), (3, 6)] {
        let program = Program::of(vec![private(n, 1), private(m, 2)]);
        for k in 0..6 {
            let count = found(&program, k).len() as u64;
            assert_eq!(
                count,
                by_hand(n as u64, m as u64, u64::from(k)),
                "{n} and {m} steps, {k} preemptions"
            );
        }
    }
    // Spelled out once: 4 and 4 steps. Without preemptions 2; one cuts one of the two threads at one of 3 places: 6 more;
    // two cut both threads, 2 · 3 · 3 = 18 more.
    let program = Program::of(vec![private(4, 1), private(4, 2)]);
    assert_eq!([0, 1, 2].map(|k| found(&program, k).len()), [2, 8, 26]);
}

#[test]
fn with_many_preemptions_all_interleavings_are_found() {
    // The multinomial coefficients 8! / (4! 4!) and 7! / (3! 2! 2!).
    assert_eq!(
        found(&Program::of(vec![private(4, 1), private(4, 2)]), 64).len(),
        70
    );
    assert_eq!(
        found(
            &Program::of(vec![private(3, 1), private(2, 2), private(2, 3)]),
            64
        )
        .len(),
        210
    );
}

#[test]
fn a_lock_leaves_only_the_interleavings_that_keep_it() {
    let thread = || vec![Op::Call, Op::Lock(0), Op::Write(0), Op::Unlock(0)];
    let program = Program::of(vec![thread(), thread()]);
    let all = found(&program, 64);
    assert_eq!(all, brute_force(&program, 64));
    // By hand, for the thread that gets the lock first. The other can do its call any time before, but not take the
    // lock before it is given up, which is just before the point of the unlock: then there are 1 + 3 steps left to be
    // merged. Its call comes before the call, the lock, the write: then the unlock goes before or after any of its 3
    // steps, 3 · 4; or between the write and the unlock, or later: the 5 ways to put the unlock among its 4 steps, of
    // which one has the call first: that is counted as well, so 3 · 4 + 5.
    assert_eq!(all.len(), 2 * 17);
}

#[test]
fn the_search_agrees_with_brute_force() {
    let three = Program::of(vec![private(2, 1), private(2, 2), private(2, 3)]);
    let crossed = |a, b| vec![Op::Call, Op::Lock(a), Op::Lock(b), Op::Unlock(b), Op::Unlock(a)];
    let deadlock = Program::of(vec![crossed(0, 1), crossed(1, 0)]);
    let yields = Program::of(vec![
        vec![Op::Call, Op::Write(0), Op::Yield, Op::Write(0)],
        vec![Op::Call, Op::Yield, Op::Call, Op::Write(0)],
    ]);
    let around = Program {
        prefix: vec![Op::Call, Op::Write(0), Op::Call],
        threads: vec![private(3, 1), private(2, 2)],
        after: vec![Op::Call, Op::Read(0)],
    };
    for program in [three, deadlock, yields, around] {
        for k in [0, 1, 2, 64] {
            assert_eq!(
                found(&program, k),
                brute_force(&program, k),
                "{program:?} with {k}"
            );
        }
    }
}

#[test]
fn no_interleaving_of_any_program_is_made_twice() {
    for seed in 0..100 {
        let program = random_program(seed);
        let mut all = BTreeSet::new();
        // Some of them never end, so not all interleavings can be made.
        explore(&mut Bounded::new(2), &program, 16, 200, |_, trial| {
            assert!(all.insert(picks(&trial.run)), "twice: {:?}", trial.switches);
        });
    }
}

#[test]
fn a_thread_that_spins_does_not_make_the_search_endless() {
    let program = Program::of(vec![
        vec![Op::Call, Op::Spin(0), Op::Write(1)],
        vec![Op::Call, Op::Write(2), Op::Write(0)],
        vec![Op::Call, Op::Spin(0)],
    ]);
    let all = found(&program, 2);
    assert!(all.len() > 20, "{}", all.len());
    assert!(all.iter().all(|picks| picks.len() < 60));
}

#[test]
fn what_was_run_is_said_truthfully_at_every_moment() {
    let program = Program::of(vec![private(4, 1), private(4, 2)]);
    let mut policy = Bounded::new(2);
    let text = |policy: &Bounded| policy.claim().map(|claim| (claim.text, claim.complete)).unwrap();
    let mut texts = Vec::new();
    for _ in 0..3 {
        explore(&mut policy, &program, 100, 1, |_, _| ());
        texts.push(text(&policy));
    }
    explore(&mut policy, &program, 100, 7, |_, _| ());
    texts.push(text(&policy));
    explore(&mut policy, &program, 100, 100, |_, _| ());
    texts.push(text(&policy));
    let partly = |text: &str| (text.to_owned(), false);
    assert_eq!(
        texts,
        [
            partly("1 interleaving without preemptions was run, not all there are."),
            partly("2 interleavings without preemptions were run, not all there are."),
            partly("All 2 interleavings without preemptions were run, and 1 of those with 1."),
            partly("All 8 interleavings with at most 1 preemption were run, and 2 of those with 2."),
            (
                "All 26 interleavings with at most 2 preemptions were run.".to_owned(),
                true
            ),
        ]
    );
}

#[test]
fn a_search_that_ran_out_of_room_does_not_claim_to_be_complete() {
    let program = Program::of(vec![private(9, 1), private(9, 2)]);
    let mut policy = Bounded::new(3).within(2000);
    explore(&mut policy, &program, 100, usize::MAX, |_, _| ());
    let claim = policy.claim().unwrap();
    assert!(!claim.complete);
    assert!(claim.text.ends_with("so some were left out."), "{}", claim.text);
}

#[test]
fn a_run_that_did_not_follow_its_tape_is_named() {
    let program = Program::of(vec![private(2, 1), private(2, 2)]);
    let mut policy = Bounded::new(1);
    explore(&mut policy, &program, 1, 1, |_, _| ());
    for order in policy.next(100) {
        policy.observe(&order, &Run::default());
    }
    policy.next(100);
    let claim = policy.claim().unwrap();
    assert!(!claim.complete);
    assert!(claim.text.contains("did not follow their tape"), "{}", claim.text);
}

#[test]
fn lost_runs_do_not_go_unsaid() {
    let mut policy = Bounded::new(0);
    assert_eq!(policy.next(10).len(), 1);
    assert!(policy.next(10).is_empty());
    let claim = policy.claim().unwrap();
    assert!(!claim.complete);
    assert!(claim.text.ends_with("Some runs (1) got lost."), "{}", claim.text);
}

#[test]
fn the_list_of_what_is_to_come_is_small() {
    // 1000 points in each thread: 2 · 999 runs with one preemption, and nearly two million with two.
    let program = Program::of(vec![private(1000, 1), private(1000, 2)]);
    let mut policy = Bounded::new(2).within(1 << 20);
    explore(&mut policy, &program, 500, 2000, |_, _| ());
    explore(&mut policy, &program, 500, 500, |_, _| ());
    let claim = policy.claim().unwrap();
    assert_eq!(
        claim.text,
        "All 2000 interleavings with at most 1 preemption were run, and 500 of those with 2."
    );
}
