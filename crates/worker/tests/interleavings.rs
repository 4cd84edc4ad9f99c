//! Partial-order reduction on a JVM: what comes of a plan is the same as with every interleaving, and where papers say how
//! many interleavings differ, there are as many.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Clock, Order, Run, Step, TestPlan, Touch, TouchKind};
use raddle_schedule::{Bounded, Dpor, Random, Scheduler, Sequential};
use raddle_testkit::{INTERLEAVINGS, VERDICTS, engine_classes, engine_fixtures, engine_root};
use raddle_worker::serve::BatchOptions;
use raddle_worker::{Engine, LoadRequest};

/// More runs than this are not made without reduction.
const MOST: u64 = 12_000;
/// Runs of one request.
const AT_ONCE: usize = 200;
/// Random runs.
const CHANCES: u64 = 1_000;
/// Classes of `fixtures/engine` whose interleavings are few enough, up to equivalence.
const LARGER: [&str; 12] = [
    "CheckThenAct",
    "ConcurrentMapTwoSteps",
    "IterateArrayList",
    "Latch",
    "LazyInit",
    "LocksInOrder",
    "MissedSignal",
    "ReadWriteLocked",
    "SemaphoreAsLock",
    "SemaphoresCrosswise",
    "StampedChecked",
    "StampedUnchecked",
];
const PLANS: [&str; 6] = [
    "clean/hashtable-equals-one-way",
    "clean/hashtable-merge",
    "deadlock/hashtable-equals",
    "deadlock/hashtable-hashcode",
    "deadlock/stringbuffer-append",
    "deadlock/vector-equals",
];

/// What came of all runs of a search.
#[derive(Debug, Default)]
struct Found {
    runs: u64,
    outcomes: BTreeSet<u64>,
    /// Runs in which some step may touch anything.
    unknown: u64,
    /// What differs, if nothing is unknown: see [`class`].
    classes: BTreeSet<Class>,
    complete: bool,
    text: String,
}

/// First runs load classes, which later ones do not.
fn load(engine: &mut Engine, plan: &TestPlan) {
    let classes = engine_classes().unwrap().classes().to_owned();
    let request = LoadRequest {
        class_path: vec![classes],
        ..support::request(plan)
    };
    engine.load(request).unwrap();
    search(engine, &mut Sequential::new(Clock::Ticking), 64);
}

fn search(engine: &mut Engine, scheduler: &mut dyn Scheduler, most: u64) -> Found {
    let options = BatchOptions {
        max_steps: 5_000,
        record_steps: scheduler.needs_steps(),
        mark_shared: scheduler.needs_shared(),
        record_touches: scheduler.needs_touches(),
        trace: false,
        callers: false,
        report_all: true,
        isolate: false,
    };
    let mut found = Found::default();
    while found.runs < most {
        let orders: Vec<Order> = scheduler.next(AT_ONCE);
        if orders.is_empty() {
            break;
        }
        let batch = engine.batch(options, &orders).unwrap();
        assert_eq!(batch.broken, None);
        assert_eq!(batch.reported.len(), orders.len());
        for reported in batch.reported {
            scheduler.observe(&orders[reported.index], &reported.run);
            found.outcomes.insert(reported.outcome.digest);
            if is_known(&reported.run) {
                found.classes.insert(class(&reported.run));
            } else {
                found.unknown += 1;
            }
        }
        found.runs += orders.len() as u64;
    }
    if let Some(claim) = scheduler.claim() {
        found.complete = claim.complete;
        found.text = claim.text;
    }
    found
}

fn is_known(run: &Run) -> bool {
    let known = |kind| kind != TouchKind::Unknown;
    run.blocked.is_some()
        && run
            .steps
            .iter()
            .all(|step| step.touch.is_some_and(|touch| known(touch.kind)))
}

/// A step by thread and number within the thread.
type Id = (u8, usize);

/// What was done, and the order of what depends on each other.
type Class = (BTreeSet<Id>, BTreeSet<(Id, Id)>);

fn class(run: &Run) -> Class {
    let mut counts = BTreeMap::new();
    let mut done: Vec<(Id, Step)> = Vec::new();
    let mut order = BTreeSet::new();
    for step in &run.steps {
        let count: &mut usize = counts.entry(step.chosen).or_default();
        let id = (step.chosen, *count);
        *count += 1;
        for (before, other) in &done {
            if before.0 != id.0 && depend(step, other) {
                order.insert((*before, id));
            }
        }
        done.push((id, *step));
    }
    (done.into_iter().map(|(id, _)| id).collect(), order)
}

fn depend(one: &Step, other: &Step) -> bool {
    let touches = |step: &Step| step.touch.into_iter();
    touches(one).any(|one| touches(other).any(|other| conflict(one, other)))
}

fn conflict(one: Touch, other: Touch) -> bool {
    match (one.kind, other.kind) {
        (TouchKind::Write, TouchKind::Read | TouchKind::Write) | (TouchKind::Read, TouchKind::Write) => {
            one.overlaps(other)
        }
        (TouchKind::Lock, TouchKind::Lock)
        | (TouchKind::Park, TouchKind::Unpark)
        | (TouchKind::Unpark, TouchKind::Park) => one.location == other.location,
        _ => false,
    }
}

#[test]
fn reduction_leaves_out_nothing_that_differs() {
    let mut engine = support::engine();
    let mut wrong = Vec::new();
    against_every_interleaving(&mut engine, &mut wrong);
    against_chance(&mut engine, &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn against_every_interleaving(engine: &mut Engine, wrong: &mut Vec<String>) {
    let mut compared = 0;
    for fixture in engine_fixtures(INTERLEAVINGS).unwrap() {
        let name = &fixture.name;
        load(engine, &fixture.plan().unwrap());
        let reduced = search(engine, &mut Dpor::new(), u64::MAX);
        let every = search(engine, &mut Bounded::new(u32::MAX), MOST);
        println!(
            "{name}: {} of {}{} interleavings, {} and {} outcomes, {} unknown",
            reduced.runs,
            every.runs,
            if every.complete { "" } else { "+" },
            reduced.outcomes.len(),
            every.outcomes.len(),
            reduced.unknown,
        );
        if !reduced.complete {
            wrong.push(format!("{name} is not complete: {}", reduced.text));
        }
        if !reduced.outcomes.is_superset(&every.outcomes) {
            wrong.push(format!("{name} lacks outcomes"));
        }
        if every.complete {
            compared += 1;
            if !reduced.outcomes.is_subset(&every.outcomes) {
                wrong.push(format!("{name} has outcomes of no interleaving"));
            }
        }
        if reduced.unknown == 0 && reduced.classes.len() as u64 != reduced.runs {
            wrong.push(format!(
                "{name} has {} of {} twice",
                reduced.classes.len(),
                reduced.runs
            ));
        }
        if let Some(traces) = fixture.directives("traces").next()
            && reduced.runs.to_string() != traces
        {
            wrong.push(format!("{name} has {} instead of {traces}", reduced.runs));
        }
    }
    assert!(compared >= 30, "{compared}");
}

/// Larger tests, of which not every interleaving can be run: random schedules come to nothing else.
fn against_chance(engine: &mut Engine, wrong: &mut Vec<String>) {
    let mut plans: Vec<(String, TestPlan)> = Vec::new();
    for fixture in VERDICTS
        .iter()
        .flat_map(|verdict| engine_fixtures(verdict).unwrap())
    {
        if LARGER.contains(&fixture.name.as_str()) {
            plans.push((fixture.name.clone(), fixture.plan().unwrap()));
        }
    }
    for name in PLANS {
        let path = engine_root().join("plans").join(format!("{name}.json"));
        plans.push((name.to_owned(), TestPlan::read(&path).unwrap()));
    }
    assert_eq!(plans.len(), LARGER.len() + PLANS.len());
    for (name, plan) in plans {
        load(engine, &plan);
        let reduced = search(engine, &mut Dpor::new(), u64::MAX);
        let chance = search(engine, &mut Random::new(1, 0), CHANCES);
        println!(
            "{name}: {} interleavings, {} outcomes, {} unknown",
            reduced.runs,
            reduced.outcomes.len(),
            reduced.unknown
        );
        if !reduced.complete {
            wrong.push(format!("{name} is not complete: {}", reduced.text));
        }
        if !reduced.outcomes.is_superset(&chance.outcomes) {
            wrong.push(format!("{name} lacks outcomes"));
        }
    }
}
