//! Partial-order reduction: outcomes against the search without a bound, counts against known ones and against an
//! enumeration that knows nothing of the reference machine.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Order, Run, Step, Touch};
use raddle_schedule::reference_machine::{Done, Ending, Op, Program, Trial};
use raddle_schedule::{Bounded, Dpor, Rng, Scheduler};

use crate::programs::{bound, explore, picks, random_program};

/// What makes two interleavings equivalent: what was done, and in which order where that matters.
type Class = (BTreeSet<Done>, BTreeSet<(Done, Done)>);

fn op(program: &Program, done: Done) -> Op {
    program.threads[done.thread as usize - 1][done.op as usize]
}

fn depend(one: Op, other: Op) -> bool {
    match (one, other) {
        (Op::Write(a), Op::Write(b) | Op::Read(b))
        | (Op::Read(a), Op::Write(b))
        | (Op::Lock(a), Op::Lock(b)) => a == b,
        _ => false,
    }
}

fn class(program: &Program, trace: &[Done]) -> Class {
    let trace: Vec<Done> = trace.iter().copied().filter(|done| done.thread > 0).collect();
    let mut order = BTreeSet::new();
    for (at, &first) in trace.iter().enumerate() {
        for &second in &trace[at + 1..] {
            if first.thread != second.thread && depend(op(program, first), op(program, second)) {
                order.insert((first, second));
            }
        }
    }
    (trace.into_iter().collect(), order)
}

/// All classes of a program of reads, writes and locks, by going every way there is.
struct Enumeration<'a> {
    program: &'a Program,
    at: Vec<usize>,
    owners: BTreeMap<u32, (usize, u32)>,
    trace: Vec<Done>,
    classes: BTreeSet<Class>,
}

impl Enumeration<'_> {
    fn of(program: &Program) -> Enumeration<'_> {
        let mut all = Enumeration {
            program,
            at: vec![0; program.threads.len()],
            owners: BTreeMap::new(),
            trace: Vec::new(),
            classes: BTreeSet::new(),
        };
        all.go_on();
        all
    }

    fn go_on(&mut self) {
        let mut stuck = true;
        for thread in 0..self.at.len() {
            let Some(&op) = self.program.threads[thread].get(self.at[thread]) else {
                continue;
            };
            let before = self.owners.clone();
            match op {
                Op::Lock(lock) => {
                    let hold = self.owners.entry(lock).or_insert((thread, 0));
                    if hold.0 != thread {
                        continue;
                    }
                    hold.1 += 1;
                }
                Op::Unlock(lock) => {
                    let (_, depth) = self.owners[&lock];
                    if depth > 1 {
                        self.owners.insert(lock, (thread, depth - 1));
                    } else {
                        self.owners.remove(&lock);
                    }
                }
                _ => {}
            }
            stuck = false;
            self.trace.push(Done {
                thread: thread as u32 + 1,
                op: self.at[thread] as u32,
            });
            self.at[thread] += 1;
            self.go_on();
            self.at[thread] -= 1;
            self.trace.pop();
            self.owners = before;
        }
        if stuck {
            self.classes.insert(class(self.program, &self.trace));
        }
    }
}

/// What the threads can notice: what each read saw, what was there in the end, and who was stuck.
type Outcome = (BTreeMap<Done, Option<Done>>, BTreeMap<u32, Done>, Vec<u8>);

fn outcome(program: &Program, trial: &Trial) -> Outcome {
    let mut seen = BTreeMap::new();
    let mut memory = BTreeMap::new();
    for &done in trial.trace.iter().filter(|done| done.thread > 0) {
        match op(program, done) {
            Op::Read(location) => {
                seen.insert(done, memory.get(&location).copied());
            }
            // Who came first is what a lock lets one notice.
            Op::Lock(lock) => {
                seen.insert(done, memory.insert(1000 + lock, done));
            }
            Op::Write(location) => {
                memory.insert(location, done);
            }
            _ => {}
        }
    }
    let stuck = trial.run.blocked.iter().flatten().map(|blocked| blocked.thread);
    (seen, memory, stuck.collect())
}

struct Found {
    runs: usize,
    classes: BTreeSet<Class>,
    outcomes: BTreeSet<Outcome>,
    deadlocks: usize,
}

fn found(policy: &mut dyn Scheduler, program: &Program) -> Found {
    let mut found = Found {
        runs: 0,
        classes: BTreeSet::new(),
        outcomes: BTreeSet::new(),
        deadlocks: 0,
    };
    explore(policy, program, 16, usize::MAX, |_, trial| {
        assert!(
            matches!(trial.ending, Ending::Completed | Ending::Stuck),
            "{:?}",
            trial.ending
        );
        found.runs += 1;
        found.classes.insert(class(program, &trial.trace));
        found.outcomes.insert(outcome(program, trial));
        found.deadlocks += usize::from(trial.ending == Ending::Stuck);
    });
    found
}

/// Every class once, and nothing else.
fn reduced(program: &Program) -> Found {
    let mut policy = Dpor::new();
    let found = found(&mut policy, program);
    let claim = policy.claim().unwrap();
    assert!(claim.complete, "{}", claim.text);
    assert_eq!(claim.interleavings, found.runs as u64);
    assert_eq!(
        claim.text,
        format!(
            "All interleavings (up to equivalence) of this test were run: {}.",
            found.runs
        )
    );
    assert_eq!(found.classes.len(), found.runs, "no class twice");
    found
}

const X: u32 = 0;
const Y: u32 = 1;
const Z: u32 = 2;
const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;

fn locked(lock: u32, ops: &[Op]) -> Vec<Op> {
    let mut all = vec![Op::Lock(lock)];
    all.extend(ops);
    all.push(Op::Unlock(lock));
    all
}

fn counter() -> Vec<Op> {
    vec![Op::Read(X), Op::Write(X)]
}

/// One thread writes, n read.
fn readers(n: usize) -> Program {
    let mut threads = vec![vec![Op::Write(X)]];
    threads.resize(n + 1, vec![Op::Read(X)]);
    Program::of(threads)
}

/// n threads that each write something of their own k times.
fn independent(n: u32, k: usize) -> Program {
    Program::of((0..n).map(|location| vec![Op::Write(location); k]).collect())
}

fn small_programs() -> Vec<(&'static str, Program)> {
    let of = |name, threads| (name, Program::of(threads));
    let take_both = |one, other| vec![Op::Lock(one), Op::Lock(other), Op::Unlock(other), Op::Unlock(one)];
    let transfer = |from, to| vec![Op::Read(from), Op::Write(from), Op::Read(to), Op::Write(to)];
    vec![
        of("two counters", vec![counter(), counter()]),
        of("three counters", vec![counter(), counter(), counter()]),
        of(
            "a counter and a reader",
            vec![counter(), vec![Op::Read(X), Op::Read(X)]],
        ),
        of(
            "two locked counters",
            vec![locked(A, &counter()), locked(A, &counter())],
        ),
        of(
            "three locks",
            vec![locked(A, &[]), locked(A, &[]), locked(A, &[])],
        ),
        of(
            "three locked writers",
            vec![
                locked(A, &[Op::Write(X)]),
                locked(A, &[Op::Write(X)]),
                locked(A, &[Op::Write(X)]),
            ],
        ),
        of(
            "a locked counter and one without lock",
            vec![locked(A, &counter()), counter()],
        ),
        of("AB-BA", vec![take_both(A, B), take_both(B, A)]),
        of("AB-AB", vec![take_both(A, B), take_both(A, B)]),
        of(
            "AB-BA after something else",
            vec![
                vec![Op::Lock(A), Op::Lock(B), Op::Unlock(B), Op::Unlock(A)],
                vec![
                    Op::Write(X),
                    Op::Lock(B),
                    Op::Lock(A),
                    Op::Unlock(A),
                    Op::Unlock(B),
                ],
            ],
        ),
        of(
            "check then act, each under the lock",
            vec![
                [locked(A, &[Op::Read(X)]), locked(A, &[Op::Write(X)])].concat(),
                [locked(A, &[Op::Read(X)]), locked(A, &[Op::Write(X)])].concat(),
            ],
        ),
        of(
            "once more",
            vec![
                locked(A, &locked(A, &[Op::Write(X)])),
                locked(A, &locked(A, &[Op::Write(X)])),
            ],
        ),
        of(
            "a lock given up late",
            vec![
                vec![
                    Op::Lock(A),
                    Op::Lock(B),
                    Op::Unlock(A),
                    Op::Write(X),
                    Op::Unlock(B),
                ],
                vec![Op::Lock(B), Op::Write(X), Op::Unlock(B)],
                locked(A, &[]),
            ],
        ),
        of(
            "a lock never given up",
            vec![vec![Op::Lock(A), Op::Write(X)], vec![Op::Read(X), Op::Lock(A)]],
        ),
        ("one writer, two readers", readers(2)),
        ("one writer, three readers", readers(3)),
        of(
            "two writers, two readers",
            vec![
                vec![Op::Write(X)],
                vec![Op::Write(X)],
                vec![Op::Read(X)],
                vec![Op::Read(X)],
            ],
        ),
        of(
            "last zero",
            vec![
                vec![Op::Read(Z), Op::Read(Y), Op::Read(X)],
                vec![Op::Read(X), Op::Write(Y)],
                vec![Op::Read(Y), Op::Write(Z)],
            ],
        ),
        of(
            "indexer",
            vec![
                vec![Op::Write(X), Op::Write(Y)],
                vec![Op::Write(Z), Op::Write(Y)],
                vec![Op::Write(3), Op::Write(4)],
            ],
        ),
        of(
            "store buffers",
            vec![vec![Op::Write(X), Op::Read(Y)], vec![Op::Write(Y), Op::Read(X)]],
        ),
        of(
            "messages",
            vec![vec![Op::Write(X), Op::Write(Y)], vec![Op::Read(Y), Op::Read(X)]],
        ),
        of("transfers", vec![transfer(X, Y), transfer(Y, X)]),
        ("two independent writers", independent(2, 4)),
        ("three independent writers", independent(3, 2)),
        of(
            "the paper's example of source sets",
            vec![
                vec![Op::Write(X)],
                vec![Op::Read(Y), Op::Read(X)],
                vec![Op::Read(Z), Op::Read(X)],
            ],
        ),
    ]
}

#[test]
fn small_programs_have_the_outcomes_of_the_search_without_a_bound() {
    let programs = small_programs();
    assert!(programs.len() >= 20);
    for (name, program) in programs {
        let reduced = reduced(&program);
        let all = found(&mut Bounded::new(64), &program);
        let enumeration = Enumeration::of(&program);
        println!(
            "{name}: {} of {} interleavings, {} outcomes, {} deadlocks",
            reduced.runs,
            all.runs,
            all.outcomes.len(),
            reduced.deadlocks
        );
        assert_eq!(reduced.outcomes, all.outcomes, "{name}");
        assert_eq!(reduced.classes, enumeration.classes, "{name}");
        assert!(reduced.runs <= all.runs, "{name}");
        assert_eq!(reduced.deadlocks > 0, all.deadlocks > 0, "{name}");
    }
}

fn binomial(n: usize, k: usize) -> usize {
    (1..=k).fold(1, |product, i| product * (n - k + i) / i)
}

#[test]
fn counts_are_those_of_the_literature() {
    for n in 1..=5 {
        assert_eq!(reduced(&independent(n, 3)).runs, 1, "{n} independent writers");
    }
    // The readers of the paper's table 1: one thread writes a variable once, n read it once each.
    for n in 1..=8 {
        assert_eq!(reduced(&readers(n)).runs, 1 << n, "{n} readers");
    }
    for k in 1..=5 {
        let program = Program::of(vec![vec![Op::Write(X); k]; 2]);
        assert_eq!(reduced(&program).runs, binomial(2 * k, k), "{k} writes each");
    }
    for (n, orders) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
        let program = Program::of(vec![locked(A, &counter()); n]);
        assert_eq!(reduced(&program).runs, orders, "{n} locked counters");
    }
}

#[test]
fn a_deadlock_is_found_at_any_place_among_other_things() {
    let take_both = |one, other| [locked(one, &locked(other, &[])), vec![Op::Read(X)]].concat();
    let program = Program {
        prefix: vec![Op::Call, Op::Write(X), Op::Lock(A), Op::Unlock(A)],
        threads: vec![take_both(A, B), take_both(B, A)],
        after: vec![Op::Call, Op::Read(X), Op::Lock(A), Op::Unlock(A)],
    };
    let reduced = reduced(&program);
    assert_eq!(reduced.classes, Enumeration::of(&program).classes);
    assert_eq!((reduced.runs, reduced.deadlocks), (3, 1));
}

#[test]
fn three_philosophers_can_starve_in_one_way() {
    let eat = |left, right| locked(left, &locked(right, &[]));
    let program = Program::of(vec![eat(A, B), eat(B, C), eat(C, A)]);
    let reduced = reduced(&program);
    assert_eq!(reduced.classes, Enumeration::of(&program).classes);
    assert_eq!((reduced.runs, reduced.deadlocks), (7, 1));
}

/// Reads, writes and locks, given up in any order, later or not at all.
fn random_locking(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let threads = 2 + rng.below(2);
    let length = if threads == 2 { 6 } else { 4 };
    let thread = |rng: &mut Rng| {
        let mut held = Vec::new();
        let mut ops = Vec::new();
        for _ in 0..=rng.below(length) {
            ops.push(match rng.below(8) {
                0..2 => Op::Read(rng.below(2)),
                2..4 => Op::Write(rng.below(2)),
                4..6 => {
                    let lock = rng.below(2);
                    held.push(lock);
                    Op::Lock(lock)
                }
                6 if !held.is_empty() => Op::Unlock(held.swap_remove(rng.below(held.len() as u32) as usize)),
                _ => Op::Call,
            });
        }
        if rng.below(4) > 0 {
            ops.extend(held.into_iter().rev().map(Op::Unlock));
        }
        ops
    };
    Program::of((0..threads).map(|_| thread(&mut rng)).collect())
}

#[test]
fn random_programs_have_each_class_once() {
    let mut tried = 0;
    let mut with_deadlocks = 0;
    for program in (0..600).map(random_locking) {
        if program.threads.iter().map(Vec::len).sum::<usize>() > 11 {
            continue;
        }
        let enumeration = Enumeration::of(&program);
        let reduced = reduced(&program);
        assert_eq!(reduced.classes, enumeration.classes, "{program:?}");
        tried += usize::from(reduced.runs > 1);
        with_deadlocks += usize::from(reduced.deadlocks > 0);
    }
    println!("{tried} with more than one class, {with_deadlocks} with deadlocks");
    assert!(tried > 200 && with_deadlocks > 30);
}

#[test]
fn the_same_runs_come_in_the_same_order() {
    for (_, program) in small_programs() {
        let orders = || {
            let mut orders = Vec::new();
            explore(&mut Dpor::new(), &program, 3, usize::MAX, |order, _| {
                orders.push(order.clone());
            });
            orders
        };
        assert_eq!(orders(), orders());
    }
}

/// As a runtime would report it that does not know what operations touch.
fn without_touches(run: &Run) -> Run {
    let step = |step: &Step| Step { touch: None, ..*step };
    Run {
        steps: run.steps.iter().map(step).collect(),
        blocked: None,
        ..run.clone()
    }
}

#[test]
fn without_touches_every_interleaving_is_run_once() {
    for (name, program) in small_programs() {
        let mut policy = Dpor::new();
        let mut seen = BTreeSet::new();
        let mut outcomes = BTreeSet::new();
        while seen.len() < 3000
            && let [order] = &policy.next(8)[..]
        {
            let trial = program.run(order, bound(&program));
            assert!(seen.insert(picks(&trial.run)), "{name}: twice");
            outcomes.insert(outcome(&program, &trial));
            policy.observe(order, &without_touches(&trial.run));
        }
        let claim = policy.claim().unwrap();
        assert!(
            claim
                .text
                .ends_with("do not tell what their steps touch, so equivalent ones could not be left out."),
            "{}",
            claim.text
        );
        if claim.complete {
            assert_eq!(
                outcomes,
                found(&mut Bounded::new(64), &program).outcomes,
                "{name}"
            );
            let all = format!("All interleavings of this test were run: {}. ", seen.len());
            assert!(claim.text.starts_with(&all), "{}", claim.text);
        } else {
            assert_eq!(seen.len(), 3000, "{name}: {}", claim.text);
        }
    }
    let mut policy = Dpor::new();
    let program = Program::of(vec![vec![Op::Write(X)], vec![Op::Write(Y)]]);
    let mut runs = 0;
    while let [order] = &policy.next(1)[..] {
        policy.observe(order, &without_touches(&program.run(order, 100).run));
        runs += 1;
    }
    // Each thread begins and writes.
    assert_eq!(runs, binomial(4, 2));
}

#[test]
fn what_is_known_in_some_runs_only_is_used_there() {
    for seed in 0..60 {
        let program = random_locking(seed);
        let mut policy = Dpor::new();
        let mut classes = BTreeSet::new();
        let mut rng = Rng::new(seed);
        let mut runs = 0;
        while runs < 2000
            && let [order] = &policy.next(1)[..]
        {
            let trial = program.run(order, bound(&program));
            classes.insert(class(&program, &trial.trace));
            let mut run = trial.run;
            if rng.below(2) == 0 {
                let at = rng.below(run.length) as usize;
                run.steps[at].touch = Some(Touch::UNKNOWN);
            }
            policy.observe(order, &run);
            runs += 1;
        }
        if policy.claim().unwrap().complete {
            assert_eq!(
                classes,
                Enumeration::of(&program).classes,
                "seed {seed}: {program:?}"
            );
        } else {
            assert_eq!(runs, 2000);
        }
    }
}

#[test]
fn before_the_end_it_says_about_how_much_is_left() {
    let program = Program::of(vec![vec![Op::Write(X); 4]; 2]);
    let mut policy = Dpor::new();
    let text = |policy: &Dpor| policy.claim().unwrap().text;
    let mut runs = 0;
    let mut estimates = Vec::new();
    while let [order] = &policy.next(1)[..] {
        policy.observe(order, &program.run(order, 100).run);
        runs += 1;
        let claim = policy.claim().unwrap();
        if !claim.complete {
            let plural = if runs == 1 { "" } else { "s" };
            let left = claim
                .text
                .strip_prefix(&format!("{runs} interleaving{plural} run, about "))
                .and_then(|rest| rest.strip_suffix(" left."))
                .unwrap_or_else(|| panic!("{}", claim.text));
            estimates.push(left.parse::<u64>().unwrap());
        }
    }
    assert_eq!(runs, 70);
    println!("{estimates:?}");
    assert_eq!(estimates.len(), 69);
    assert!(estimates.iter().all(|left| (1..1000).contains(left)));
    assert_eq!(
        text(&policy),
        "All interleavings (up to equivalence) of this test were run: 70."
    );
}

#[test]
fn it_stops_and_says_so_when_there_is_no_room() {
    let program = Program::of(vec![vec![Op::Write(X); 4]; 2]);
    let mut policy = Dpor::new().within(150);
    let runs = found(&mut policy, &program).runs;
    let claim = policy.claim().unwrap();
    assert!(!claim.complete && runs < 70);
    assert!(
        claim.text.ends_with("so the search was stopped."),
        "{}",
        claim.text
    );
}

#[test]
fn lost_and_strayed_runs_are_owned_up_to() {
    let program = Program::of(vec![counter(), counter()]);
    for lost in [true, false] {
        let mut policy = Dpor::new();
        let first = policy.next(1);
        policy.observe(&first[0], &program.run(&first[0], 100).run);
        let second = policy.next(1);
        assert_ne!(first, second);
        if !lost {
            policy.observe(&second[0], &program.run(&first[0], 100).run);
        }
        while let [order] = &policy.next(1)[..] {
            policy.observe(order, &program.run(order, 100).run);
        }
        let claim = policy.claim().unwrap();
        assert!(!claim.complete);
        let part = if lost {
            "got lost"
        } else {
            "did not follow their tape"
        };
        assert!(claim.text.contains(part), "{}", claim.text);
    }
}

#[test]
fn spinning_threads_do_not_make_it_endless() {
    let program = Program::of(vec![
        vec![Op::Spin(X), Op::Read(Y)],
        vec![Op::Write(Y), Op::Write(X)],
    ]);
    let mut policy = Dpor::new();
    let found = found(&mut policy, &program);
    let claim = policy.claim().unwrap();
    println!("{} runs: {}", found.runs, claim.text);
    assert!((2..50).contains(&found.runs));
    assert!(!claim.complete && claim.text.contains("yields again and again"));
    for seed in 0..20 {
        let program = random_program(seed);
        explore(&mut Dpor::new(), &program, 1, 300, |order, trial| {
            let Order::Tape(tape) = order else {
                panic!("{order:?}")
            };
            assert!(tape.is_sorted());
            assert!(
                !matches!(trial.ending, Ending::Diverged(_)),
                "seed {seed}: {tape:?}"
            );
        });
    }
}
