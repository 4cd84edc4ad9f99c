//! PCT's guarantee, on the kinds of bugs that its paper begins with (section 1 and figure 1).

use raddle_plan::Order;
use raddle_schedule::reference_machine::{Ending, Op, Program, Trial};
use raddle_schedule::{Pct, Scheduler};

use crate::programs::{bound, explore, hits, place};

const RUNS: u32 = 40_000;

struct Bug {
    name: &'static str,
    depth: u32,
    program: Program,
    occurs: fn(&Trial) -> bool,
}

/// Steps that have nothing to do with anybody.
fn noise(count: usize) -> Vec<Op> {
    vec![Op::Read(99); count]
}

fn thread(parts: &[&[Op]]) -> Vec<Op> {
    [&[Op::Call], &parts.concat()[..]].concat()
}

/// A thread uses what another one has not yet made: depth 1.
fn ordering(bystanders: usize) -> Bug {
    let mut threads = vec![
        thread(&[&noise(5), &[Op::Write(0)], &noise(5)]),
        thread(&[&noise(5), &[Op::Read(0)], &noise(5)]),
    ];
    threads.extend(vec![thread(&[&noise(5)]); bystanders]);
    Bug {
        name: "ordering",
        depth: 1,
        program: Program::of(threads),
        occurs: |trial| place(trial, 2, 6) < place(trial, 1, 6),
    }
}

/// A thread checks and then uses, another one takes away in between: depth 2.
fn atomicity() -> Bug {
    Bug {
        name: "atomicity",
        depth: 2,
        program: Program::of(vec![
            thread(&[&noise(6), &[Op::Read(0), Op::Read(0)], &noise(6)]),
            thread(&[&noise(3), &[Op::Write(0)], &noise(3)]),
        ]),
        occurs: |trial| {
            let taken = place(trial, 2, 4);
            place(trial, 1, 7) < taken && taken < place(trial, 1, 8)
        },
    }
}

/// Two locks in two orders: depth 2.
fn deadlock() -> Bug {
    let crossed = |a, b| {
        thread(&[
            &noise(4),
            &[Op::Lock(a), Op::Lock(b), Op::Unlock(b), Op::Unlock(a)],
            &noise(4),
        ])
    };
    Bug {
        name: "deadlock",
        depth: 2,
        program: Program::of(vec![crossed(0, 1), crossed(1, 0)]),
        occurs: |trial| trial.ending == Ending::Stuck,
    }
}

/// Two atomic blocks that must both be broken into, the second time back into the first thread: depth 3.
fn double_atomicity() -> Bug {
    Bug {
        name: "double atomicity",
        depth: 3,
        program: Program::of(vec![
            thread(&[&noise(3), &[Op::Write(0), Op::Read(1)], &noise(3)]),
            thread(&[&noise(2), &[Op::Read(0), Op::Write(1), Op::Write(1)], &noise(2)]),
        ]),
        // The first thread's write, the second thread's first two operations, the first thread's read, the last write.
        occurs: |trial| {
            let order = [
                place(trial, 1, 4),
                place(trial, 2, 3),
                place(trial, 2, 4),
                place(trial, 1, 5),
                place(trial, 2, 5),
            ];
            order.is_sorted()
        },
    }
}

/// The probability by the algorithm's own definition: every order of priorities, every choice of change points.
fn exactly(bug: &Bug, first: u32, span: u32) -> f64 {
    let threads = bug.program.threads.len();
    let changes = span.pow(bug.depth - 1);
    let (mut all, mut hit) = (0u32, 0u32);
    for priorities in orders((1..=threads as i32).collect()) {
        for code in 0..changes {
            let mut points: Vec<u32> = (1..bug.depth)
                .map(|i| first + 1 + code / span.pow(i - 1) % span)
                .collect();
            points.sort_unstable();
            let order = Order::Pct {
                priorities: [&[i32::MAX], &priorities[..]].concat(),
                changes: points,
            };
            all += 1;
            hit += u32::from((bug.occurs)(&bug.program.run(&order, bound(&bug.program))));
        }
    }
    f64::from(hit) / f64::from(all)
}

fn orders(items: Vec<i32>) -> Vec<Vec<i32>> {
    if items.len() < 2 {
        return vec![items];
    }
    let mut all = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let mut rest = items.clone();
        rest.remove(i);
        all.extend(
            orders(rest)
                .into_iter()
                .map(|order| [&[*item], &order[..]].concat()),
        );
    }
    all
}

fn check(bug: &Bug) {
    let mut pct = Pct::new(2010, bug.depth, 0);
    // The probes are no samples.
    explore(&mut pct, &bug.program, 8, 8, |_, _| ());
    let count = hits(&mut pct, &bug.program, RUNS as usize, bug.occurs) as u32;
    let (n, k) = (bug.program.threads.len() as f64, f64::from(pct.span()));
    let bound = 1.0 / (n * k.powi(bug.depth as i32 - 1));
    let exact = exactly(bug, 0, pct.span());
    let measured = f64::from(count) / f64::from(RUNS);
    println!(
        "{}: depth {}, n {n}, k {k}: bound {bound:.5}, exact {exact:.5}, measured {measured:.5}",
        bug.name, bug.depth
    );
    assert!(exact >= bound, "{}: {exact} < {bound}", bug.name);
    let deviation = (exact * (1.0 - exact) / f64::from(RUNS)).sqrt();
    assert!(
        (measured - exact).abs() < 5.0 * deviation,
        "{}: {measured} is not {exact}",
        bug.name
    );
}

#[test]
fn bugs_of_depth_one_are_found_at_least_as_often_as_promised() {
    for bystanders in 0..3 {
        check(&ordering(bystanders));
    }
}

#[test]
fn bugs_of_depth_two_are_found_at_least_as_often_as_promised() {
    check(&atomicity());
    check(&deadlock());
}

#[test]
fn bugs_of_depth_three_are_found_at_least_as_often_as_promised() {
    check(&double_atomicity());
}

#[test]
fn a_depth_below_that_of_the_bug_never_finds_it() {
    for bug in [atomicity(), deadlock(), double_atomicity()] {
        let mut pct = Pct::new(1, 1, 0);
        assert_eq!(hits(&mut pct, &bug.program, 1000, bug.occurs), 0, "{}", bug.name);
    }
}

#[test]
fn the_number_of_steps_does_not_count_the_parts_that_run_alone() {
    let program = Program {
        prefix: noise(50),
        threads: vec![thread(&[&noise(5)]), thread(&[&noise(5)])],
        after: noise(70),
    };
    let mut pct = Pct::new(1, 2, 0);
    explore(&mut pct, &program, 8, 9, |_, _| ());
    // One thread's beginning and its six steps; then the other is alone.
    assert_eq!(pct.span(), 7);
    assert!(!pct.needs_steps());
}

#[test]
fn a_thread_that_spins_lets_the_others_go_on() {
    let program = Program::of(vec![vec![Op::Call, Op::Spin(0)], vec![Op::Call, Op::Write(0)]]);
    let mut pct = Pct::new(1, 2, 0);
    let completed = hits(&mut pct, &program, 500, |trial| {
        trial.ending == Ending::Completed && trial.run.length < 30
    });
    assert_eq!(completed, 500);
}
