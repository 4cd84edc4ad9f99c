//! Partial-order reduction where threads wait for each other: on runs written by hand, and on a small machine that has
//! notifications and permits, against every way it can go.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use raddle_plan::{Blocked, Order, Run, Step, Switch, Touch, TouchKind};
use raddle_schedule::{Dpor, Rng, Scheduler, stay_or_next};

fn step(thread: u8, enabled: u64, kind: TouchKind, location: u64) -> Step {
    Step {
        enabled,
        chosen: thread,
        could_stay: true,
        boundary: false,
        yielded: false,
        shared: false,
        touch: Some(Touch::new(kind, location)),
    }
}

/// The tapes that follow from one run.
fn after(steps: Vec<Step>, blocked: Vec<Blocked>) -> Vec<Vec<(u32, u32)>> {
    let run = Run {
        length: steps.len() as u32,
        steps,
        blocked: Some(blocked),
    };
    let mut policy = Dpor::new();
    let order = policy.next(1).pop().unwrap();
    policy.observe(&order, &run);
    let mut tapes = Vec::new();
    while let Some(Order::Tape(tape)) = policy.next(1).pop() {
        tapes.push(tape.iter().map(|switch| (switch.step, switch.thread)).collect());
    }
    tapes
}

#[test]
fn a_permit_cannot_be_taken_before_it_is_given() {
    let give = step(1, 0b1110, TouchKind::Unpark, 2);
    let local = step(2, 0b1110, TouchKind::Local, 0);
    let take = step(2, 0b1100, TouchKind::Park, 2);
    assert!(after(vec![give, local, take], vec![]).is_empty());
    // With two permits given the second may as well come afterwards, and then is not lost.
    let other = step(3, 0b1110, TouchKind::Unpark, 2);
    assert_eq!(
        after(vec![give, other, local, take], vec![]),
        [vec![(0, 1), (1, 2)], vec![(0, 3), (1, 2)]]
    );
}

#[test]
fn who_was_notified_cannot_have_the_lock_before() {
    let wait = [
        step(1, 0b110, TouchKind::Lock, 7),
        step(1, 0b110, TouchKind::Wait, 7),
    ];
    let notify = [
        step(2, 0b100, TouchKind::Lock, 7),
        step(2, 0b100, TouchKind::Notify, 7),
        step(2, 0b110, TouchKind::Unlock, 7),
    ];
    let again = [
        step(1, 0b010, TouchKind::Lock, 7),
        step(1, 0b010, TouchKind::Unlock, 7),
    ];
    let tapes = after([&wait[..], &notify, &again].concat(), vec![]);
    // Only the two that took the lock first can change places.
    assert_eq!(tapes, [vec![(0, 2)]]);
}

#[test]
fn starting_and_joining_are_no_races() {
    let steps = vec![
        step(1, 0b010, TouchKind::Write, 1),
        step(1, 0b010, TouchKind::Spawn, 2),
        step(2, 0b110, TouchKind::Write, 1),
        step(2, 0b110, TouchKind::Local, 0),
        step(1, 0b010, TouchKind::Join, 2),
        step(1, 0b010, TouchKind::Write, 1),
    ];
    assert!(after(steps, vec![]).is_empty());
}

#[test]
fn who_is_stuck_at_a_lock_could_have_had_it_first() {
    let steps = vec![
        step(1, 0b110, TouchKind::Lock, 7),
        step(2, 0b110, TouchKind::Local, 0),
        step(1, 0b010, TouchKind::Write, 1),
    ];
    let stuck = |location| Blocked {
        thread: 2,
        touch: Touch::new(TouchKind::Lock, location),
    };
    assert_eq!(after(steps.clone(), vec![stuck(7)]), [vec![(0, 2)]]);
    assert!(after(steps, vec![stuck(8)]).is_empty());
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Op {
    Read,
    Write,
    Lock(u64),
    Unlock(u64),
    Wait(u64),
    Notify(u64),
    NotifyAll(u64),
    Park,
    Unpark(u8),
}

/// Where a thread stands. Threads are numbered from 0.
#[derive(Clone, Default)]
struct Thread {
    at: usize,
    waiting: bool,
    notified: bool,
    permit: bool,
}

struct Machine<'a> {
    program: &'a [Vec<Op>],
    threads: Vec<Thread>,
    owners: BTreeMap<u64, u8>,
    /// Who waits, in the order in which they are notified.
    queues: BTreeMap<u64, VecDeque<u8>>,
}

impl Machine<'_> {
    /// What the thread is about to do.
    fn touch(&self, thread: u8) -> Option<Touch> {
        let Thread {
            at,
            waiting,
            notified,
            ..
        } = self.threads[usize::from(thread)];
        let op = *self.program[usize::from(thread)].get(at)?;
        let (kind, location) = match op {
            Op::Read => (TouchKind::Read, 0),
            Op::Write => (TouchKind::Write, 0),
            Op::Lock(lock) => (TouchKind::Lock, lock),
            Op::Wait(lock) if waiting && notified => (TouchKind::Lock, lock),
            Op::Wait(lock) => (TouchKind::Wait, lock),
            Op::Unlock(lock) => (TouchKind::Unlock, lock),
            Op::Notify(lock) | Op::NotifyAll(lock) => (TouchKind::Notify, lock),
            Op::Park => (TouchKind::Park, u64::from(thread)),
            Op::Unpark(other) => (TouchKind::Unpark, u64::from(other)),
        };
        Some(Touch::new(kind, location))
    }

    fn can_run(&self, thread: u8) -> bool {
        let state = &self.threads[usize::from(thread)];
        self.touch(thread).is_some_and(|touch| match touch.kind {
            TouchKind::Lock => !self.owners.contains_key(&touch.location),
            TouchKind::Wait => !state.waiting,
            TouchKind::Park => state.permit,
            _ => true,
        })
    }

    fn notify(&mut self, lock: u64) -> bool {
        let first = self.queues.get_mut(&lock).and_then(VecDeque::pop_front);
        if let Some(first) = first {
            self.threads[usize::from(first)].notified = true;
        }
        first.is_some()
    }

    fn execute(&mut self, thread: u8) {
        let number = usize::from(thread);
        let ops = &self.program[number];
        let mut done = true;
        match ops[self.threads[number].at] {
            Op::Read | Op::Write | Op::Unlock(_) => {}
            Op::Lock(lock) => {
                self.owners.insert(lock, thread);
            }
            Op::Wait(lock) if self.threads[number].waiting => {
                self.owners.insert(lock, thread);
                self.threads[number].waiting = false;
                self.threads[number].notified = false;
            }
            Op::Wait(lock) => {
                self.owners.remove(&lock);
                self.queues.entry(lock).or_default().push_back(thread);
                self.threads[number].waiting = true;
                done = false;
            }
            Op::Notify(lock) => {
                self.notify(lock);
            }
            Op::NotifyAll(lock) => while self.notify(lock) {},
            Op::Park => self.threads[number].permit = false,
            Op::Unpark(other) => self.threads[usize::from(other)].permit = true,
        }
        self.threads[number].at += usize::from(done);
        if let Some(Op::Unlock(lock)) = ops.get(self.threads[number].at)
            && done
        {
            self.owners.remove(lock);
        }
    }
}

/// Runs a tape. Ends early if it asks for a thread that cannot run.
fn run(program: &[Vec<Op>], tape: &[Switch]) -> Run {
    let mut machine = Machine {
        program,
        threads: vec![Thread::default(); program.len()],
        owners: BTreeMap::new(),
        queues: BTreeMap::new(),
    };
    let all = 0..program.len() as u8;
    let mut steps: Vec<Step> = Vec::new();
    let mut current = 0;
    loop {
        let able = all.clone().filter(|thread| machine.can_run(*thread));
        let enabled = able.fold(0, |mask, thread| mask | 1 << thread);
        let wanted = tape.iter().find(|switch| switch.step as usize == steps.len());
        let chosen = match wanted {
            Some(switch) if enabled >> switch.thread & 1 == 0 => break,
            Some(switch) => switch.thread,
            None => match stay_or_next(enabled, current, false, 0) {
                Some(thread) => thread,
                None => break,
            },
        };
        steps.push(Step {
            could_stay: enabled >> current & 1 == 1,
            touch: machine.touch(chosen as u8),
            ..step(chosen as u8, enabled, TouchKind::Local, 0)
        });
        machine.execute(chosen as u8);
        current = chosen;
    }
    let blocked = all.filter_map(|thread| {
        Some(Blocked {
            thread,
            touch: machine.touch(thread)?,
        })
    });
    Run {
        length: steps.len() as u32,
        steps,
        blocked: Some(blocked.collect()),
    }
}

/// A step by thread and number within the thread.
type Id = (u8, usize);

/// What was done, and the order of what depends on each other.
type Class = (BTreeSet<Id>, BTreeSet<(Id, Id)>);

fn class(run: &Run) -> Class {
    let mut counts = BTreeMap::new();
    let mut done: Vec<(Id, Touch)> = Vec::new();
    let mut order = BTreeSet::new();
    for step in &run.steps {
        let count: &mut usize = counts.entry(step.chosen).or_default();
        let id = (step.chosen, *count);
        *count += 1;
        let touch = step.touch.unwrap();
        for (before, other) in &done {
            let matters = match (touch.kind, other.kind) {
                (TouchKind::Write, TouchKind::Read | TouchKind::Write)
                | (TouchKind::Read, TouchKind::Write)
                | (TouchKind::Lock, TouchKind::Lock)
                | (TouchKind::Park, TouchKind::Unpark)
                | (TouchKind::Unpark, TouchKind::Park) => touch.location == other.location,
                _ => false,
            };
            if matters && before.0 != id.0 {
                order.insert((*before, id));
            }
        }
        done.push((id, touch));
    }
    (done.into_iter().map(|(id, _)| id).collect(), order)
}

/// Every enabled thread at every point. Nothing if these are more than so many runs.
fn every_class(program: &[Vec<Op>], most: usize) -> Option<BTreeSet<Class>> {
    let mut classes = BTreeSet::new();
    let mut runs = 0;
    let mut open: Vec<Vec<Switch>> = vec![Vec::new()];
    while let Some(tape) = open.pop() {
        let made = run(program, &tape);
        runs += 1;
        if runs > most {
            return None;
        }
        // The ways that leave this run after the end of its tape, each with all that leads there.
        for (at, point) in made.steps.iter().enumerate().skip(tape.len()) {
            for thread in (0..program.len() as u32).filter(|thread| point.enabled >> thread & 1 == 1) {
                if thread != u32::from(point.chosen) {
                    let before = made.steps[..at].iter().map(|step| u32::from(step.chosen));
                    let threads = before.chain([thread]);
                    open.push(
                        (0..)
                            .zip(threads)
                            .map(|(step, thread)| Switch { step, thread })
                            .collect(),
                    );
                }
            }
        }
        classes.insert(class(&made));
    }
    Some(classes)
}

fn random_waiting(seed: u64) -> Vec<Vec<Op>> {
    let mut rng = Rng::new(seed);
    let count = 2 + rng.below(2) as u8;
    let parts = if count == 2 { 3 } else { 2 };
    let thread = |rng: &mut Rng, thread: u8| {
        let mut ops = Vec::new();
        for _ in 0..=rng.below(parts) {
            match rng.below(8) {
                0 => ops.push(Op::Write),
                1 => ops.push(Op::Read),
                2 => ops.push(Op::Park),
                3..5 => ops.push(Op::Unpark((thread + 1) % count)),
                choice => {
                    let lock = u64::from(rng.below(2));
                    ops.push(Op::Lock(lock));
                    ops.push(match (choice, rng.below(2)) {
                        (5, _) => Op::Wait(lock),
                        (6, 0) => Op::NotifyAll(lock),
                        (6, _) => Op::Notify(lock),
                        _ => Op::Write,
                    });
                    ops.push(Op::Unlock(lock));
                }
            }
        }
        ops
    };
    (0..count).map(|number| thread(&mut rng, number)).collect()
}

fn check(program: &[Vec<Op>], most: usize) -> Option<Vec<Run>> {
    let every = every_class(program, most)?;
    let mut policy = Dpor::new();
    let mut classes = BTreeSet::new();
    let mut runs = Vec::new();
    while let [order @ Order::Tape(tape)] = &policy.next(1)[..] {
        let made = run(program, tape);
        assert!(classes.insert(class(&made)), "twice: {program:?}");
        policy.observe(order, &made);
        runs.push(made);
    }
    let claim = policy.claim().unwrap();
    assert!(claim.complete, "{}: {program:?}", claim.text);
    assert_eq!(classes, every, "{program:?}");
    Some(runs)
}

#[test]
fn threads_that_wait_for_each_other_have_each_class_once() {
    let mut checked = 0;
    let (mut waited, mut parked, mut stuck) = (0, 0, 0);
    for program in (0..1500).map(random_waiting) {
        let Some(runs) = check(&program, 1500) else {
            continue;
        };
        let does = |kind| {
            let is_kind = |step: &Step| step.touch.unwrap().kind == kind;
            usize::from(runs.len() > 1 && runs.iter().any(|run| run.steps.iter().any(is_kind)))
        };
        checked += 1;
        waited += does(TouchKind::Wait);
        parked += does(TouchKind::Park);
        stuck += usize::from(
            runs.iter()
                .any(|run| run.blocked.as_ref().is_some_and(|all| !all.is_empty())),
        );
    }
    println!("{checked} programs, {waited} that wait, {parked} that park, {stuck} that get stuck");
    assert!(checked > 500 && waited > 50 && parked > 50 && stuck > 50);
}

#[test]
fn a_notification_can_come_too_early() {
    let program = [
        vec![Op::Lock(1), Op::Wait(1), Op::Unlock(1)],
        vec![Op::Lock(1), Op::Notify(1), Op::Unlock(1)],
    ];
    let runs = check(&program, 1000).unwrap();
    let stuck = runs.iter().filter(|run| run.blocked != Some(Vec::new()));
    assert_eq!((runs.len(), stuck.count()), (2, 1));
}

#[test]
fn the_one_who_waits_first_is_notified_first() {
    let wait = vec![Op::Lock(1), Op::Wait(1), Op::Write, Op::Unlock(1)];
    let notify = vec![
        Op::Lock(1),
        Op::Notify(1),
        Op::Unlock(1),
        Op::Lock(1),
        Op::Notify(1),
        Op::Unlock(1),
    ];
    assert!(check(&[wait.clone(), wait, notify], 200_000).is_some());
}
