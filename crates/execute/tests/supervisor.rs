//! The supervisor with workers that misbehave. This program is its own worker: there is no JVM in it, only a machine
//! that does what the test asks for.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::fd::{BorrowedFd, RawFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use raddle_execute::{
    Cause, Exploration, ExploreOptions, Limits, Progress, Session, SessionError, SessionOptions, Stop,
};
use raddle_plan::{End, Order, Outcome, PLAN_VERSION, Recording, Run, Schedule, TestPlan};
use raddle_schedule::{Config, run_seed};
use raddle_worker::protocol::{Failed, Fault, LeftAlone, Load, NewOutcome, Response, write_line};
use raddle_worker::serve::{Batch, BatchOptions, Machine, Reported, serve};

/// What the worker is to do, set in the worker.
const DEED: &str = "RADDLE_TEST_DEED";
/// What a run takes by the machine's own clock, which nothing else moves.
const RUN: Duration = Duration::from_millis(1);
/// Seed of all explorations.
const SEED: u64 = 1;

/// Not a test: what the worker runs. Without the variable it does nothing.
#[test]
fn worker() {
    if let Ok(deed) = std::env::var(DEED) {
        serve(|_| {
            if deed == "no start" {
                return Err(failed("there is no JVM here", Fault::Environment));
            }
            Ok(Fake::new(&deed))
        });
        std::process::exit(0);
    }
}

fn failed(sentence: &str, fault: Fault) -> Failed {
    Failed {
        sentence: sentence.to_owned(),
        fault,
    }
}

/// A machine without a JVM: the outcome of a run is its seed's remainder.
struct Fake {
    begun: Instant,
    runs: u32,
    deed: String,
    /// The seed of the run in which to do it.
    at: Option<u64>,
    known: Vec<u64>,
    /// None of these can be.
    resets: Vec<String>,
}

impl Fake {
    fn new(deed: &str) -> Fake {
        let (deed, at) = match deed.split_once(" at ") {
            Some((deed, index)) => (deed, index.parse().ok()),
            None => (deed, None),
        };
        Fake {
            begun: Instant::now(),
            runs: 0,
            deed: deed.to_owned(),
            at: at.map(|index| run_seed(SEED, index)),
            known: Vec::new(),
            resets: Vec::new(),
        }
    }

    fn misbehave(&self) {
        match self.deed.as_str() {
            "crash" => std::process::abort(),
            "exit" => std::process::exit(7),
            "hang" => thread::sleep(Duration::from_mins(10)),
            "flood" => {
                let line = vec![b'x'; 1 << 16];
                for _ in 0..64 {
                    let _ = std::io::stdout().write_all(&line);
                    let _ = std::io::stderr().write_all(&line);
                }
            }
            "eat memory" => {
                let mut eaten = Vec::new();
                loop {
                    eaten.push(vec![1_u8; 16 << 20]);
                    thread::sleep(Duration::from_millis(5));
                }
            }
            "fill the disk" => {
                for number in 0.. {
                    let _ = fs::write(format!("file{number}"), vec![0; 1 << 20]);
                    thread::sleep(Duration::from_millis(5));
                }
            }
            "start threads" => loop {
                let _ = thread::Builder::new()
                    .stack_size(64 << 10)
                    .spawn(|| thread::sleep(Duration::from_mins(10)));
            },
            "forge progress" => loop {
                forge(&Response::Progress(Progress::default()));
                thread::sleep(Duration::from_millis(1));
            },
            "forge outcomes" => {
                for digest in 0.. {
                    forge(&Response::NewOutcome(Box::new(NewOutcome {
                        index: digest,
                        order: Order::Random { seed: digest },
                        outcome: outcome(digest),
                    })));
                }
            }
            "forge numbers" => {
                forge(&Response::At {
                    index: u64::MAX,
                    count: u64::MAX,
                });
                let progress = Progress {
                    schedules: u64::MAX,
                    steps: u64::MAX,
                    milliseconds: u64::MAX,
                    ..Progress::default()
                };
                forge(&Response::Progress(progress));
                std::process::abort();
            }
            "write outside" if fs::write("/tmp/raddle-was-here", "x").is_ok() => std::process::exit(9),
            _ => {}
        }
    }

    fn digest(order: &Order) -> u64 {
        match order {
            Order::Random { seed } => seed % 5,
            _ => 0,
        }
    }
}

/// Says something to the coordinator that the worker has not said, as a test could.
fn forge(response: &Response) {
    let is_socket = |number: &RawFd| {
        let link = fs::read_link(format!("/proc/self/fd/{number}"));
        link.is_ok_and(|link| link.to_string_lossy().starts_with("socket:"))
    };
    let socket = (0..20).find(is_socket).unwrap();
    #[expect(unsafe_code, reason = "a descriptor that is found is nobody's")]
    // SAFETY: the worker keeps its socket open until it ends.
    let socket = unsafe { BorrowedFd::borrow_raw(socket) };
    let socket = socket.try_clone_to_owned().unwrap();
    write_line(fs::File::from(socket), response).unwrap();
}

impl Machine for Fake {
    fn jdk_version(&self) -> String {
        "fake".to_owned()
    }

    fn load(&mut self, load: &Load) -> Result<(), Failed> {
        self.known.clear();
        self.resets.clone_from(&load.resets);
        if load.plan.name == "wrong" {
            return Err(failed("there is no such class", Fault::Input));
        }
        Ok(())
    }

    fn batch(&mut self, orders: &[Order], options: BatchOptions) -> Result<Batch, Failed> {
        let mut batch = Batch::default();
        for (index, order) in orders.iter().enumerate() {
            if let (Order::Random { seed }, Some(at)) = (order, self.at)
                && *seed == at
            {
                if self.deed == "give up" {
                    return Err(failed("a thread does not end", Fault::Worker));
                }
                self.misbehave();
            }
            self.runs += 1;
            let digest = Fake::digest(order);
            batch.counts.push((digest, 1));
            batch.steps += 10;
            batch.switches += 2;
            let is_reported = options.report_all || !self.known.contains(&digest);
            if is_reported && !options.report_all {
                self.known.push(digest);
            }
            if is_reported {
                batch.reported.push(Reported {
                    index,
                    outcome: outcome(digest),
                    run: Run::default(),
                    events: Vec::new(),
                    links: Vec::new(),
                    alone: raddle_worker::protocol::Alone::default(),
                });
            }
        }
        batch.not_reset.clone_from(&self.resets);
        Ok(batch)
    }

    fn left_alone(&self) -> Vec<LeftAlone> {
        Vec::new()
    }

    fn stacks(&self) -> Arc<dyn Fn() -> String + Send + Sync> {
        Arc::new(|| "\"main\" asleep".to_owned())
    }

    fn now(&self) -> Instant {
        self.begun + RUN * self.runs
    }
}

fn outcome(digest: u64) -> Outcome {
    Outcome {
        digest,
        trace_hash: 0,
        steps: 10,
        schedule: Schedule::default(),
        end: End::Completed,
        calls: Vec::new(),
        uncaught: Vec::new(),
        threads: Vec::new(),
    }
}

fn plan() -> TestPlan {
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: String::new(),
        prefix: Vec::new(),
        threads: vec![Vec::new(), Vec::new()],
        after: Vec::new(),
        uninitialised: Vec::new(),
    }
}

fn session_options(deed: &str) -> SessionOptions {
    let mut options = SessionOptions::new(PathBuf::from("/nonexistent")).unwrap();
    options.arguments = ["--exact", "worker", "--nocapture"].map(OsString::from).to_vec();
    options.environment = vec![(OsString::from(DEED), OsString::from(deed))];
    options.limits = Limits {
        // Long enough to be out of the way, however busy the computer is.
        silence: Duration::from_mins(2),
        memory_bytes: 256 << 20,
        threads: 300,
        directory_bytes: 8 << 20,
        ..options.limits
    };
    options
}

fn session(deed: &str) -> Session {
    Session::open(session_options(deed)).unwrap()
}

fn explore_options(schedules: u64) -> ExploreOptions {
    ExploreOptions {
        schedules: Some(schedules),
        ..ExploreOptions::new(Config::Random, SEED)
    }
}

fn explore(deed: &str, schedules: u64) -> Exploration {
    session(deed)
        .explore(&plan(), &explore_options(schedules), &mut |_| {})
        .unwrap()
}

#[test]
fn a_worker_that_behaves_is_asked_for_everything() {
    let mut reports: Vec<Progress> = Vec::new();
    let mut session = session("nothing");
    assert_eq!(session.ready().jdk_version, "fake");
    assert_eq!(session.ready().cage.as_ref().unwrap().gaps(), [""; 0]);
    let exploration = session
        .explore(&plan(), &explore_options(20_000), &mut |progress| {
            reports.push(*progress);
        })
        .unwrap();
    assert_eq!(exploration.progress.schedules, 20_000);
    assert_eq!(exploration.progress.steps, 200_000);
    assert_eq!(exploration.progress.switches, 40_000);
    assert_eq!(exploration.stop, Some(Stop::Schedules));
    assert_eq!(exploration.outcomes.len(), 5);
    let counted: u64 = exploration.outcomes.iter().map(|distinct| distinct.count).sum();
    assert_eq!(counted, 20_000);
    assert!(exploration.deaths.is_empty() && exploration.not_explored.is_none());
    // The runs of the baseline, twice.
    assert_eq!(exploration.baseline.len(), 1);
    assert_eq!(exploration.baseline_gap, None);
    let time = exploration.progress.milliseconds;
    assert!(
        reports.len() as u64 <= time / 100 + 2,
        "{} in {time} ms",
        reports.len()
    );
}

#[test]
fn what_cannot_be_reset_is_told() {
    let classes = ["p.Stubborn".to_owned()];
    let options = explore_options(10).resetting(&classes);
    let exploration = session("nothing")
        .explore(&plan(), &options, &mut |_| {})
        .unwrap();
    assert_eq!(exploration.not_reset, classes);
    assert_eq!(exploration.progress.schedules, 10);
}

#[test]
fn who_only_says_that_it_goes_on_is_given_up() {
    let mut options = session_options("forge progress at 7");
    options.limits.silence = Duration::from_millis(300);
    options.limits.busy_silence = Duration::from_millis(300);
    options.limits.deaths = 1;
    let mut session = Session::open(options).unwrap();
    let exploration = session
        .explore(&plan(), &explore_options(1000), &mut |_| {})
        .unwrap();
    let cause = &exploration.deaths[0].cause;
    assert!(matches!(cause, Cause::Hung { .. }), "{cause:?}");
}

#[test]
fn outcomes_that_cannot_be_are_not_kept() {
    let mut options = session_options("forge outcomes at 7");
    options.limits.deaths = 1;
    let mut session = Session::open(options).unwrap();
    let exploration = session
        .explore(&plan(), &explore_options(1000), &mut |_| {})
        .unwrap();
    let cause = &exploration.deaths[0].cause;
    assert!(
        matches!(cause, Cause::Garbled { what } if what.contains("outcomes that there can be")),
        "{cause:?}"
    );
    assert!(exploration.outcomes.len() < 20_000);
}

#[test]
fn numbers_that_cannot_be_do_no_harm() {
    let exploration = explore("forge numbers at 7", 1000);
    let cause = &exploration.deaths[0].cause;
    assert!(
        matches!(cause, Cause::Garbled { what } if what.contains("counted further")),
        "{cause:?}"
    );
    assert!(!exploration.deaths[0].to_string().is_empty());
}

#[test]
fn a_time_limit_ends_the_exploration() {
    let options = ExploreOptions {
        time: Some(Duration::from_secs(20)),
        ..ExploreOptions::new(Config::Random, SEED)
    };
    let exploration = session("nothing")
        .explore(&plan(), &options, &mut |_| {})
        .unwrap();
    assert_eq!(exploration.stop, Some(Stop::Time));
    // A run takes a millisecond by the worker's clock; the supervisor's has moved a little before.
    let runs = exploration.progress.schedules;
    assert!((1..=20_000).contains(&runs), "{runs}");
}

#[test]
fn a_user_can_end_the_exploration_and_keeps_what_was_found() {
    let options = ExploreOptions::new(Config::Random, SEED);
    let cancel = Arc::clone(&options.cancel);
    let mut session = session("nothing");
    let exploration = session
        .explore(&plan(), &options, &mut |_| cancel.store(true, Ordering::Relaxed))
        .unwrap();
    assert_eq!(exploration.stop, Some(Stop::Cancelled));
    assert_eq!(exploration.outcomes.len(), 5);
    // The next exploration is not ended by a cancellation that came late.
    let again = session
        .explore(&plan(), &explore_options(100), &mut |_| {})
        .unwrap();
    assert_eq!(again.stop, Some(Stop::Schedules));
}

#[test]
fn a_crash_is_survived_and_its_schedule_named() {
    let exploration = explore("crash at 1000", 3_000);
    assert_eq!(exploration.deaths.len(), 2, "{:#?}", exploration.deaths);
    assert!(exploration.deaths[0].during.unwrap().1 > 1);
    let second = &exploration.deaths[1];
    assert_eq!(second.cause, Cause::Crashed { signal: 6 });
    assert_eq!(second.during, Some((1000, 1)));
    assert_eq!(exploration.stop, Some(Stop::Schedules));
    assert_eq!(exploration.progress.schedules, 2_999);
    assert_eq!(exploration.outcomes.len(), 5);
    assert_eq!(
        exploration.not_explored.unwrap(),
        "not explored, because the worker died over it: schedule 1000"
    );
    assert_eq!(exploration.claim, None);
}

#[test]
fn a_search_that_comes_to_its_end_makes_its_claim() {
    let mut options = explore_options(10);
    options.scheduler = Config::Bounded { preemptions: 1 };
    // The fake has one run only, so the search is over at once.
    let exploration = session("nothing")
        .explore(&plan(), &options, &mut |_| {})
        .unwrap();
    assert_eq!(exploration.stop, Some(Stop::Exhausted));
    assert!(exploration.claim.unwrap().complete);
}

#[test]
fn an_exit_is_told_from_a_crash() {
    let exploration = explore("exit at 5", 10);
    assert_eq!(exploration.deaths[0].cause, Cause::Exited { code: 7 });
}

#[test]
fn a_worker_that_gives_up_is_replaced() {
    let exploration = explore("give up at 5", 10);
    let cause = &exploration.deaths[0].cause;
    assert_eq!(cause.to_string(), "the worker gave up: a thread does not end");
    assert_eq!(exploration.progress.schedules, 9);
}

#[test]
fn a_hang_is_ended_and_says_where() {
    let mut options = session_options("hang at 5");
    // A worker that is at work or waits for a CPU is not taken for one that hangs.
    options.limits.silence = Duration::from_millis(500);
    let exploration = Session::open(options)
        .unwrap()
        .explore(&plan(), &explore_options(10), &mut |_| {})
        .unwrap();
    let death = &exploration.deaths[1];
    assert!(matches!(death.cause, Cause::Hung { .. }), "{death:?}");
    assert_eq!(death.evidence, "\"main\" asleep");
    assert_eq!(death.during, Some((5, 1)));
}

#[test]
fn a_worker_whose_answer_is_no_longer_wanted_is_ended() {
    let run = |end: &dyn Fn(&mut Session)| {
        let mut session = session("hang at 5");
        end(&mut session);
        let exploration = session
            .explore(&plan(), &explore_options(10), &mut |_| {})
            .unwrap();
        let causes: Vec<Cause> = exploration.deaths.into_iter().map(|death| death.cause).collect();
        assert_eq!(causes, [Cause::Unwanted], "and none is started after it");
    };
    run(&|session| session.until(Some(Instant::now())));
    run(&|session| session.options().interrupt.store(true, Ordering::Relaxed));
}

#[test]
fn a_flood_of_output_does_no_harm() {
    let exploration = explore("flood at 5", 10);
    assert!(exploration.deaths.is_empty(), "{:?}", exploration.deaths);
    assert_eq!(exploration.progress.schedules, 10);
}

#[test]
fn too_much_memory_ends_the_worker() {
    let exploration = explore("eat memory at 5", 10);
    let cause = &exploration.deaths[0].cause;
    assert!(matches!(cause, Cause::OutOfMemory { .. }), "{cause:?}");
}

#[test]
fn too_large_files_end_the_worker() {
    let exploration = explore("fill the disk at 5", 10);
    let cause = &exploration.deaths[0].cause;
    assert!(matches!(cause, Cause::OverLimit { .. }), "{cause:?}");
    assert!(cause.to_string().contains(" MiB in "), "{cause}");
}

#[test]
fn too_many_threads_end_the_worker() {
    let exploration = explore("start threads at 5", 10);
    let cause = &exploration.deaths[0].cause;
    assert!(
        matches!(cause, Cause::OverLimit { what } if what.contains("threads")),
        "{cause:?}"
    );
}

#[test]
fn a_worker_is_in_its_cage() {
    let exploration = explore("write outside at 5", 10);
    assert!(exploration.deaths.is_empty(), "{:?}", exploration.deaths);
}

#[test]
fn a_plan_that_keeps_killing_workers_is_given_up() {
    let mut options = session_options("crash at 5");
    options.limits.deaths = 1;
    let exploration = Session::open(options)
        .unwrap()
        .explore(&plan(), &explore_options(10), &mut |_| {})
        .unwrap();
    assert_eq!(exploration.stop, None);
    assert_eq!(exploration.not_explored.unwrap(), "given up after 1 workers died");
}

#[test]
fn a_wrong_plan_is_refused_and_the_worker_lives_on() {
    let mut session = session("nothing");
    let pid = session.ready().pid;
    let wrong = TestPlan {
        name: "wrong".to_owned(),
        ..plan()
    };
    let error = session
        .explore(&wrong, &explore_options(1), &mut |_| {})
        .unwrap_err();
    assert!(matches!(&error, SessionError::Refused(sentence) if sentence == "there is no such class"));
    session
        .explore(&plan(), &explore_options(1), &mut |_| {})
        .unwrap();
    assert_eq!(session.ready().pid, pid);
}

#[test]
fn a_worker_that_cannot_start_says_why() {
    let error = Session::open(session_options("no start")).err().unwrap();
    assert_eq!(error.to_string(), "there is no JVM here");
}

#[test]
fn a_replay_has_a_worker_of_its_own() {
    let mut session = session("nothing");
    let pid = session.ready().pid;
    let recording = Recording {
        raddle_recording: raddle_plan::RECORDING_VERSION,
        raddle: String::new(),
        jdk: "fake".to_owned(),
        class_path: Vec::new(),
        max_steps: None,
        unplugged: Vec::new(),
        opens: Vec::new(),
        resets: Vec::new(),
        test: None,
        plan: plan(),
        schedule: Schedule::default(),
        outcome: outcome(0),
    };
    let replayed = session.replay(&recording).unwrap();
    assert_eq!(replayed.outcome.digest, 0);
    let own = session.ready().pid;
    assert_ne!(own, pid);
    // It is gone, and the one that was there before goes on.
    assert!(!PathBuf::from(format!("/proc/{own}")).exists());
    assert!(PathBuf::from(format!("/proc/{pid}")).exists());
}

#[test]
fn a_worker_ends_when_its_session_does() {
    let session = session("nothing");
    let process = PathBuf::from(format!("/proc/{}", session.ready().pid));
    assert!(process.exists());
    drop(session);
    assert!(!process.exists());
}
