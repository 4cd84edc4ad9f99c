//! Every run of every scheduler can be repeated: in the same process, and in a fresh one.
//!
//! The test starts itself again for the fresh process, which reads the tapes from a file and writes what came of them.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use raddle_plan::{Order, Switch, TestPlan};
use raddle_schedule::Config;
use raddle_testkit::{VERDICTS, engine_classes, engine_fixtures, engine_root};
use raddle_worker::Engine;
use raddle_worker::serve::BatchOptions;
use serde::{Deserialize, Serialize};

const OPTIONS: BatchOptions = BatchOptions {
    max_steps: 20_000,
    record_steps: true,
    mark_shared: false,
    record_touches: false,
    trace: false,
    callers: false,
    report_all: true,
    isolate: false,
};

const SCHEDULERS: [&str; 5] = ["random", "pct:3", "pos", "bounded:2", "bounded:1"];
/// Of each scheduler and plan.
const RUNS: usize = 1000;
/// So many runs of one plan at a time.
const AT_ONCE: usize = 100;
/// Classes that show each kind of event: plain fields, monitors, wait and notify, parking, atomics, collections.
const CLASSES: [&str; 8] = [
    "Counter",
    "CheckThenAct",
    "LocksCrosswise",
    "ArrayQueue",
    "StampedChecked",
    "MissedSignal",
    "IterateArrayList",
    "ConcurrentMap",
];
const PLANS: [&str; 2] = ["deadlock/hashtable-equals", "deadlock/stringbuffer-append"];

/// Tells the second process what to do.
const TAPES: &str = "RADDLE_TEST_TAPES";

/// The runs of one plan.
#[derive(Serialize, Deserialize)]
struct Recorded {
    plan: TestPlan,
    class_path: Vec<PathBuf>,
    tapes: Vec<Vec<Switch>>,
    /// Of each run: what it did, and what came of it.
    hashes: Vec<(u64, u64)>,
}

fn plans() -> Vec<TestPlan> {
    let mut plans = Vec::new();
    for fixture in VERDICTS
        .iter()
        .flat_map(|verdict| engine_fixtures(verdict).unwrap())
    {
        if CLASSES.contains(&fixture.name.as_str()) {
            plans.push(fixture.plan().unwrap());
        }
    }
    for plan in PLANS {
        plans.push(TestPlan::read(&engine_root().join("plans").join(format!("{plan}.json"))).unwrap());
    }
    assert_eq!(plans.len(), CLASSES.len() + PLANS.len());
    plans
}

/// Loads a plan and runs it until classes are loaded.
fn load(engine: &mut Engine, plan: &TestPlan, class_path: &[PathBuf]) {
    let mut request = support::request(plan);
    request.class_path = class_path.to_vec();
    engine.load(request).unwrap();
    let orders: Vec<Order> = (0..100).map(|seed| Order::Random { seed }).collect();
    engine.batch(OPTIONS, &orders).unwrap();
}

fn run(engine: &Engine, orders: &[Order]) -> Vec<(u64, u64)> {
    let batch = engine.batch(OPTIONS, orders).unwrap();
    assert_eq!(batch.reported.len(), orders.len(), "{:?}", batch.broken);
    batch
        .reported
        .iter()
        .map(|run| (run.outcome.trace_hash, run.outcome.digest))
        .collect()
}

fn record(engine: &mut Engine, plan: &TestPlan, class_path: &[PathBuf]) -> Recorded {
    load(engine, plan, class_path);
    let mut recorded = Recorded {
        plan: plan.clone(),
        class_path: class_path.to_vec(),
        tapes: Vec::new(),
        hashes: Vec::new(),
    };
    for name in SCHEDULERS {
        let config: Config = name.parse().unwrap();
        let mut scheduler = config.build(1, 0);
        let mut done = 0;
        while done < RUNS {
            let orders = scheduler.next(AT_ONCE.min(RUNS - done));
            if orders.is_empty() {
                break;
            }
            let batch = engine.batch(OPTIONS, &orders).unwrap();
            assert_eq!(batch.reported.len(), orders.len(), "{name}: {:?}", batch.broken);
            for (order, reported) in orders.iter().zip(&batch.reported) {
                scheduler.observe(order, &reported.run);
                recorded.tapes.push(reported.outcome.schedule.switches.clone());
                recorded
                    .hashes
                    .push((reported.outcome.trace_hash, reported.outcome.digest));
            }
            done += orders.len();
        }
    }
    recorded
}

fn repeat(engine: &Engine, recorded: &Recorded) -> usize {
    let mut different = 0;
    for (tapes, hashes) in recorded
        .tapes
        .chunks(AT_ONCE)
        .zip(recorded.hashes.chunks(AT_ONCE))
    {
        let orders: Vec<Order> = tapes.iter().cloned().map(Order::Tape).collect();
        let again = run(engine, &orders);
        different += again.iter().zip(hashes).filter(|(a, b)| a != b).count();
    }
    different
}

/// The second process.
fn repeat_all(file: &Path) {
    let all: Vec<Recorded> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let mut engine = support::engine();
    for recorded in &all {
        load(&mut engine, &recorded.plan, &recorded.class_path);
        let different = repeat(&engine, recorded);
        assert_eq!(different, 0, "{} in a fresh process", recorded.plan.name);
    }
}

#[test]
fn runs_repeat_in_this_process_and_in_a_fresh_one() {
    if let Some(file) = env::var_os(TAPES) {
        repeat_all(Path::new(&file));
        return;
    }
    let class_path = [engine_classes().unwrap().classes().to_path_buf()];
    let mut engine = support::engine();
    let mut all = Vec::new();
    let mut runs = 0;
    for plan in plans() {
        let recorded = record(&mut engine, &plan, &class_path);
        let different = repeat(&engine, &recorded);
        assert_eq!(
            different,
            0,
            "{} of {} runs of {}",
            different,
            recorded.tapes.len(),
            plan.name
        );
        runs += recorded.tapes.len();
        all.push(recorded);
    }
    assert!(runs > 30_000, "{runs}");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tapes.json");
    fs::write(&file, serde_json::to_vec(&all).unwrap()).unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .env(TAPES, &file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
