//! A class, plans for it, and workers that do with the plans what a script says.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use raddle_execute::{
    Distinct, Exploration, ExploreOptions, Meetings, Progress, Ready, Repeated, Replayed, SessionError,
    SessionOptions, Spent, StockVerdict, Stop,
};
use raddle_generate::{Candidate, Evidence, Feedback, Mode, Strategy, StrategyKind};
use raddle_plan::{Argument, Order, Recording, Schedule, TestPlan};
use raddle_reproduce::Reproducer;
use raddle_testkit::{Compiled, compile};

pub(super) use super::outcomes::Does;
use super::outcomes::{baseline, death, outcome, overlaps, replayed};
use crate::clock::Clock;
use crate::error::HuntError;
use crate::event::{ClassReport, HuntEvent, StockTrial};
use crate::executor::Executor;
use crate::hunt::{Hunt, HuntTarget};
use crate::journal::Known;
use crate::options::HuntOptions;
use crate::promise::Strength;
use crate::stock_jvm::{StockRunner, UseStockJvm};

pub(super) const CLASS: &str = "scripted.Box";
/// Schedules and points of every exploration, unless fewer schedules are asked for.
pub(super) const SCHEDULES: u64 = 7;
pub(super) const STEPS: u64 = 70;
/// Points after which schedules of calls that may take long are stopped.
pub(super) const LONG_BOUND: u32 = 345_678;

/// The class under test. What its methods really do matters to the analysis only.
fn classes() -> &'static Compiled {
    static CLASSES: OnceLock<Compiled> = OnceLock::new();
    CLASSES.get_or_init(|| {
        compile(&[
            (
                "scripted/Box.java",
                "package scripted; public class Box { private int n;
                 public int one() { n++; return n; } public int two() { n++; return n; }
                 public int three() { n++; return n; } public int four(int x) { n += x; return n; } }",
            ),
            (
                "scripted/Other.java",
                "package scripted; public class Other { private int n;
                 public int one() { n++; return n; } public int two() { n++; return n; } }",
            ),
            (
                "scripted/Hidden.java",
                "package scripted; class Hidden { private int n;
                 int one() { n++; return n; } int two() { n++; return n; } }",
            ),
        ])
        .unwrap()
    })
}

/// Called before an exploration.
pub(super) type Before = Box<dyn Fn(usize, &TestPlan) + Send + Sync>;

/// What a stock JVM does with a reproducer, in a cage or without one, until it is to stop.
pub(super) type OnStockJvm = Box<dyn Fn(&Reproducer, bool, &AtomicBool) -> StockVerdict + Send + Sync>;

/// What a hunt is scripted to meet.
pub(super) struct Script {
    /// Plans in the order in which the strategy makes them.
    pub(super) plans: Vec<TestPlan>,
    /// What comes of plans of which one thread calls the first method, another one the second; the first that fits.
    pub(super) rules: Vec<(&'static str, &'static str, Does)>,
    /// Whether the fresh JVM of this number shows a violation again.
    pub(super) confirms: fn(usize) -> bool,
    /// What fresh JVMs do that do not confirm.
    pub(super) instead: Does,
    /// How long an exploration takes.
    pub(super) takes: Duration,
    /// Called before each exploration, with its number.
    pub(super) before: Before,
    /// What stock JVMs do.
    pub(super) on_stock_jvm: OnStockJvm,
    /// What tests that are known to fail did instead.
    pub(super) missed: Vec<String>,
    /// Milliseconds that have passed.
    pub(super) passed: Arc<AtomicU64>,
    /// Of each exploration, whether its calls might take long.
    pub(super) long: Mutex<Vec<bool>>,
    pub(super) explored: AtomicUsize,
    pub(super) replayed: AtomicUsize,
    pub(super) probed: AtomicUsize,
    pub(super) heard: Mutex<Vec<(u64, Feedback)>>,
}

impl Script {
    /// Plans that do what some sequential order does, in no time.
    pub(super) fn new(plans: Vec<TestPlan>) -> Script {
        Script {
            plans,
            rules: Vec::new(),
            confirms: |_| true,
            instead: Does::Right,
            takes: Duration::from_millis(10),
            before: Box::new(|_, _| {}),
            on_stock_jvm: Box::new(|_, _, _| StockVerdict::Confirmed),
            missed: Vec::new(),
            passed: Arc::default(),
            long: Mutex::default(),
            explored: AtomicUsize::new(0),
            replayed: AtomicUsize::new(0),
            probed: AtomicUsize::new(0),
            heard: Mutex::default(),
        }
    }

    pub(super) fn rule(mut self, first: &'static str, second: &'static str, does: Does) -> Script {
        self.rules.push((first, second, does));
        self
    }

    pub(super) fn does(&self, plan: &TestPlan) -> Does {
        let calls = |thread: &Vec<raddle_plan::Call>, method: &str| {
            thread.iter().any(|call| call.member.name == method)
        };
        let fits = |first: &str, second: &str| {
            let threads = plan.threads.iter().enumerate();
            threads.filter(|(_, thread)| calls(thread, first)).any(|(at, _)| {
                let mut others = plan.threads.iter().enumerate();
                others.any(|(other, thread)| other != at && calls(thread, second))
            })
        };
        let rule = self.rules.iter().find(|(first, second, _)| fits(first, second));
        rule.map_or(Does::Right, |(.., does)| *does)
    }
}

/// What came of a scripted hunt.
pub(super) struct Told {
    pub(super) events: Vec<HuntEvent>,
    pub(super) result: Result<(), HuntError>,
    /// What the strategy heard, in this order.
    pub(super) heard: Vec<(u64, Feedback)>,
    /// Explorations, replays in fresh JVMs, and rounds of tests that are known to fail.
    pub(super) explored: usize,
    /// Of each exploration, whether its calls might take long.
    pub(super) long: Vec<bool>,
    pub(super) replayed: usize,
    pub(super) probed: usize,
}

impl Told {
    pub(super) fn reports(&self) -> Vec<&ClassReport> {
        let reports = self.events.iter().filter_map(|event| match event {
            HuntEvent::Ended(report) => Some(&**report),
            _ => None,
        });
        reports.collect()
    }

    pub(super) fn report(&self) -> &ClassReport {
        self.reports()[0]
    }

    /// What came of findings on stock JVMs.
    pub(super) fn stock_trials(&self) -> Vec<&StockTrial> {
        let trials = self.events.iter().filter_map(|event| match event {
            HuntEvent::StockJvm(trial) => Some(trial),
            _ => None,
        });
        trials.collect()
    }

    pub(super) fn findings(&self) -> Vec<&crate::finding::Finding> {
        let found = self.events.iter().filter_map(|event| match event {
            HuntEvent::Found(finding) => Some(&**finding),
            _ => None,
        });
        found.collect()
    }

    /// Candidates that the strategy heard of.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.heard.iter().map(|(number, _)| *number).collect()
    }

    /// What is known of the class after so many events, as a journal has it.
    pub(super) fn known_after(&self, events: usize) -> Known {
        let mut known = Known::default();
        for event in &self.events[..events] {
            match event {
                HuntEvent::Tried(tried) => known.tried.push((**tried).clone()),
                HuntEvent::Found(finding) => known.findings.push((**finding).clone()),
                _ => {}
            }
        }
        known
    }
}

/// An hour for the class, every plan once, all findings, none of which is tried on a stock JVM.
pub(super) fn options() -> HuntOptions {
    let session = SessionOptions::new("/nowhere".into()).unwrap();
    HuntOptions {
        budget: Duration::from_hours(1),
        stock_jvm: UseStockJvm::Never,
        ..HuntOptions::new(session, StrategyKind::Contege)
    }
}

pub(super) fn hunt(script: Script) -> Told {
    hunt_with(script, options())
}

pub(super) fn hunt_with(script: Script, options: HuntOptions) -> Told {
    hunt_classes(script, options, &[CLASS], None)
}

pub(super) fn resume(script: Script, options: HuntOptions, known: Known) -> Told {
    hunt_classes(script, options, &[CLASS], Some(known))
}

pub(super) fn hunt_classes(
    script: Script,
    options: HuntOptions,
    classes_under_test: &[&str],
    known: Option<Known>,
) -> Told {
    let program = classes().program();
    let target = |name: &&str| HuntTarget {
        class: program.class_id(&name.replace('.', "/")),
        least: Strength::NoSign,
    };
    let targets = classes_under_test.iter().map(target).collect();
    let script = Arc::new(script);
    let mut hunt = Hunt::new(options, program, targets);
    let (for_workers, for_strategies) = (Arc::clone(&script), Arc::clone(&script));
    let for_stock_jvms = Arc::clone(&script);
    hunt.around.clock = Clock::scripted(Arc::clone(&script.passed));
    hunt.around.open = Arc::new(move |options| {
        Ok(Box::new(Workers {
            script: Arc::clone(&for_workers),
            options,
            ready: Ready {
                protocol: 1,
                pid: 1,
                jdk_version: "17".to_owned(),
                cage: None,
            },
        }))
    });
    hunt.around.strategy = Arc::new(move |_, _, _, _| {
        Ok(Box::new(Plans {
            script: Arc::clone(&for_strategies),
            next: 0,
        }))
    });
    hunt.around.stock = Arc::new(move |_| Box::new(StockJvms(Arc::clone(&for_stock_jvms))));
    if classes_under_test.is_empty() {
        hunt = hunt.untried(known.map(|known| known.untried).unwrap_or_default());
    } else if let Some(known) = known {
        hunt = hunt.resume(BTreeMap::from([(classes_under_test[0].to_owned(), known)]));
    }
    let mut events = Vec::new();
    let result = hunt.run(&mut |event| events.push(event));
    let heard = script.heard.lock().unwrap().clone();
    let long = script.long.lock().unwrap().clone();
    Told {
        events,
        result,
        heard,
        long,
        explored: script.explored.load(Ordering::SeqCst),
        replayed: script.replayed.load(Ordering::SeqCst),
        probed: script.probed.load(Ordering::SeqCst),
    }
}

/// Two threads that call these methods of one object.
pub(super) fn plan(first: &str, second: &str) -> TestPlan {
    threads(&[&[first], &[second]])
}

/// Threads that call these methods of one object, one after the other.
pub(super) fn threads(threads: &[&[&str]]) -> TestPlan {
    let call = |method: &&str| {
        let (descriptor, args) = match *method {
            "four" => ("(I)I", r#", "args": [{"int": 5}]"#),
            _ => ("()I", ""),
        };
        format!(r#"{{"invoke": "virtual", "member": "{CLASS}.{method}{descriptor}", "on": "b"{args}}}"#)
    };
    let threads: Vec<String> = threads
        .iter()
        .map(|calls| format!("[{}]", calls.iter().map(call).collect::<Vec<_>>().join(", ")))
        .collect();
    let json = format!(
        r#"{{"raddle_plan": 1, "prefix": [{{"let": "b", "invoke": "new", "member": "{CLASS}.<init>()V"}}],
            "threads": [{}]}}"#,
        threads.join(", ")
    );
    TestPlan::from_json(&json).unwrap()
}

/// The same with calls before the threads.
pub(super) fn prepared(mut plan: TestPlan, by: &[&str]) -> TestPlan {
    let mut calls = threads(&[by, &["one"]]).threads.remove(0);
    plan.prefix.append(&mut calls);
    plan
}

/// The same with a call before the threads that nothing depends on, and that this number can be told from.
pub(super) fn numbered(plan: TestPlan, number: usize) -> TestPlan {
    let mut plan = prepared(plan, &["four"]);
    plan.prefix[1].args = vec![Argument::Int(i32::try_from(number).unwrap())];
    plan
}

/// The number of such a plan.
pub(super) fn number(plan: &TestPlan) -> usize {
    match plan.prefix.last().map(|call| call.args.as_slice()) {
        Some([Argument::Int(number)]) => usize::try_from(*number).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// So many plans that do what is right, each different.
pub(super) fn many(count: usize) -> Vec<TestPlan> {
    (0..count)
        .map(|number| numbered(plan("one", "two"), number))
        .collect()
}

struct Plans {
    script: Arc<Script>,
    next: usize,
}

impl Strategy for Plans {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn next(&mut self) -> Option<Candidate> {
        let plan = self.script.plans.get(self.next)?.clone();
        self.next += 1;
        Some(Candidate {
            number: self.next as u64 - 1,
            plan,
            evidence: Evidence {
                mode: Mode::Exception,
                pair: None,
                text: "scripted".to_owned(),
            },
            predictions: Vec::new(),
        })
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        self.script.heard.lock().unwrap().push((number, feedback.clone()));
    }
}

struct StockJvms(Arc<Script>);

impl StockRunner for StockJvms {
    fn run(&mut self, reproducer: &Reproducer, is_caged: bool, stop: &AtomicBool) -> StockVerdict {
        (self.0.on_stock_jvm)(reproducer, is_caged, stop)
    }
}

struct Workers {
    script: Arc<Script>,
    options: SessionOptions,
    ready: Ready,
}

impl Executor for Workers {
    fn ready(&self) -> &Ready {
        &self.ready
    }

    fn options(&self) -> &SessionOptions {
        &self.options
    }

    fn start(&mut self) -> Result<bool, SessionError> {
        Ok(false)
    }

    fn explore(&mut self, plan: &TestPlan, options: &ExploreOptions) -> Result<Exploration, SessionError> {
        let number = self.script.explored.fetch_add(1, Ordering::SeqCst);
        (self.script.before)(number, plan);
        let takes = self.script.takes.as_millis() as u64;
        self.script.passed.fetch_add(takes, Ordering::SeqCst);
        let does = self.script.does(plan);
        let deaths = match does {
            Does::Refused => return Err(SessionError::Refused("it is no good".to_owned())),
            Does::NoWorker => return Err(SessionError::Environment("there is no JVM".to_owned())),
            Does::DiesAtOnce => return Err(death().into()),
            Does::Dies(deaths) => vec![death(); deaths],
            _ => Vec::new(),
        };
        let is_long = options.long_steps.is_some();
        self.script
            .long
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(is_long);
        let schedules = options.schedules.unwrap_or(SCHEDULES).min(SCHEDULES);
        let outcomes = vec![Distinct {
            outcome: outcome(plan, does),
            order: Order::Random { seed: 1 },
            index: 0,
            count: schedules,
        }];
        let is_prepared = does != Does::CannotPrepare;
        let is_serial = matches!(does, Does::RightAndSerial | Does::RightAndApart) || !is_prepared;
        Ok(Exploration {
            baseline: baseline(plan, does),
            baseline_gap: None,
            outcomes: if is_prepared { outcomes } else { Vec::new() },
            max_steps: if is_long { LONG_BOUND } else { options.max_steps },
            progress: Progress {
                schedules,
                steps: STEPS,
                ..Progress::default()
            },
            stop: deaths.is_empty().then_some(Stop::Exhausted),
            claim: None,
            left_alone: Vec::new(),
            not_reset: Vec::new(),
            unseen: Vec::new(),
            meetings: Meetings {
                overlaps: if is_serial { Vec::new() } else { overlaps(plan) },
                kinds: vec![vec![CLASS.to_owned(), "java.lang.Object".to_owned()]],
                ..Meetings::default()
            },
            asks_time: false,
            is_apart: does == Does::RightAndApart,
            not_explored: None,
            deaths,
            printed: 0,
        })
    }

    fn trace(
        &mut self,
        plan: &TestPlan,
        _resets: &[String],
        _max_steps: u32,
        schedules: &[Schedule],
    ) -> Result<Vec<Replayed>, SessionError> {
        let does = self.script.does(plan);
        let violating = outcome(plan, does);
        let runs = schedules.iter().map(|schedule| {
            if *schedule == violating.schedule {
                replayed(plan, &violating)
            } else {
                replayed(plan, &outcome(plan, Does::Right))
            }
        });
        Ok(runs.collect())
    }

    fn repeat(
        &mut self,
        recording: &Recording,
        is_it: &dyn Fn(&Repeated) -> bool,
    ) -> Result<Repeated, SessionError> {
        let number = self.script.replayed.fetch_add(1, Ordering::SeqCst);
        let plan = &recording.plan;
        let does = if (self.script.confirms)(number) {
            self.script.does(plan)
        } else {
            self.script.instead
        };
        if does == Does::DiesAtOnce {
            return Err(death().into());
        }
        let repeated = Repeated {
            replayed: replayed(plan, &outcome(plan, does)),
            baseline: baseline(plan, does),
            is_baseline_complete: true,
        };
        is_it(&repeated);
        Ok(repeated)
    }

    fn missed_probes(&mut self) -> Result<Vec<String>, SessionError> {
        self.script.probed.fetch_add(1, Ordering::SeqCst);
        Ok(self.script.missed.clone())
    }

    fn keep_classes(&mut self, _keep: bool) {}

    fn until(&mut self, _until: Option<Instant>) {}

    fn take_spent(&mut self) -> Spent {
        Spent::default()
    }
}

/// Two workers.
pub(super) fn two_jobs(options: HuntOptions) -> HuntOptions {
    HuntOptions {
        jobs: NonZeroUsize::new(2).unwrap(),
        ..options
    }
}
