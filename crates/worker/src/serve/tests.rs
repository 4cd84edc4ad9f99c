//! The loop, with a machine that only counts, over a real socket.

use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use raddle_plan::{End, Order, Outcome, PLAN_VERSION, Run, Schedule, TestPlan};
use raddle_schedule::Config;

use super::channel::Channel;
use super::machine::{Batch, BatchOptions, Machine, Reported};
use crate::protocol::{
    Alone, Done, Explore, Failed, Fault, LeftAlone, Load, Meetings, PROTOCOL_VERSION, Replay, Request,
    Response, Sequential, Start, Stop, read_line, write_line,
};

/// What a run takes by the machine's own clock.
const RUN: Duration = Duration::from_micros(50);

/// A machine whose runs all end the same way.
struct Counter {
    begun: Instant,
    runs: u64,
    loads: u32,
    /// How many runs it can make.
    strength: u64,
    /// None of these can be.
    resets: Vec<String>,
    /// Points that a run takes, and the bound of each run.
    length: u32,
    bounds: Arc<Mutex<Vec<u32>>>,
}

impl Counter {
    fn of_strength(strength: u64) -> Counter {
        Counter {
            begun: Instant::now(),
            runs: 0,
            loads: 0,
            strength,
            resets: Vec::new(),
            length: 3,
            bounds: Arc::default(),
        }
    }
}

impl Machine for Counter {
    fn jdk_version(&self) -> String {
        "none".to_owned()
    }

    fn load(&mut self, load: &Load) -> Result<(), Failed> {
        self.loads += 1;
        self.resets.clone_from(&load.resets);
        Ok(())
    }

    fn batch(&mut self, orders: &[Order], options: BatchOptions) -> Result<Batch, Failed> {
        let is_first = self.runs == 0;
        self.runs += orders.len() as u64;
        if self.runs > self.strength {
            return Err(Failed {
                sentence: "worn out".to_owned(),
                fault: Fault::Worker,
            });
        }
        let shown = if options.report_all {
            orders.len()
        } else {
            usize::from(is_first)
        };
        if let Ok(mut bounds) = self.bounds.lock() {
            bounds.extend(orders.iter().map(|_| options.max_steps));
        }
        let is_cut = self.length > options.max_steps;
        let reported = (0..shown).map(|index| Reported {
            index,
            outcome: Outcome {
                end: if is_cut { End::StepBound } else { End::Completed },
                ..outcome()
            },
            run: Run::default(),
            events: Vec::new(),
            links: Vec::new(),
            alone: Alone::default(),
        });
        Ok(Batch {
            reported: reported.collect(),
            counts: vec![(7, orders.len() as u64)],
            steps: 3 * orders.len() as u64,
            switches: orders.len() as u64,
            not_reset: self.resets.clone(),
            asks_time: false,
            unseen: Vec::new(),
            meetings: Meetings {
                overlaps: vec![(1, 2)],
                ..Meetings::default()
            },
            broken: None,
        })
    }

    fn left_alone(&self) -> Vec<LeftAlone> {
        Vec::new()
    }

    fn stacks(&self) -> Arc<dyn Fn() -> String + Send + Sync> {
        Arc::new(|| "asleep".to_owned())
    }

    fn now(&self) -> Instant {
        self.begun + RUN * u32::try_from(self.runs).unwrap()
    }
}

fn outcome() -> Outcome {
    Outcome {
        digest: 7,
        trace_hash: 0,
        steps: 3,
        schedule: Schedule::default(),
        end: End::Completed,
        calls: Vec::new(),
        uncaught: Vec::new(),
        threads: Vec::new(),
    }
}

/// The other end of the socket.
struct Coordinator {
    stream: UnixStream,
    input: BufReader<UnixStream>,
    worker: JoinHandle<std::io::Result<()>>,
}

impl Coordinator {
    /// With a machine that never tires.
    fn start() -> Coordinator {
        Coordinator::start_with(Counter::of_strength(u64::MAX))
    }

    /// Starts a worker on a thread. No cage: nobody could leave it.
    fn start_with(machine: Counter) -> Coordinator {
        let (stream, theirs) = UnixStream::pair().unwrap();
        let channel = Channel::new(theirs).unwrap();
        let worker = thread::spawn(move || super::work(channel, |_| Ok(machine), || {}));
        let mut coordinator = Coordinator {
            input: BufReader::new(stream.try_clone().unwrap()),
            stream,
            worker,
        };
        let start = Start {
            protocol: PROTOCOL_VERSION,
            jdk_home: PathBuf::new(),
            directory: std::env::current_dir().unwrap(),
            heap_mib: 1,
            cage: None,
            unplugged: Vec::new(),
            opens: Vec::new(),
            cpu: None,
            readable: Vec::new(),
        };
        let ready = coordinator.ask(&Request::Start(Box::new(start)));
        assert!(
            matches!(ready.last(), Some(Response::Ready(ready)) if ready.jdk_version == "none"),
            "{ready:?}"
        );
        coordinator
    }

    fn send(&self, request: &Request) {
        write_line(&self.stream, request).unwrap();
    }

    fn receive(&mut self) -> Response {
        read_line(&mut self.input).unwrap().unwrap()
    }

    /// All answers to a request.
    fn ask(&mut self, request: &Request) -> Vec<Response> {
        self.send(request);
        self.rest()
    }

    fn rest(&mut self) -> Vec<Response> {
        let mut answers = Vec::new();
        loop {
            answers.push(self.receive());
            if answers.last().is_some_and(Response::is_last) {
                return answers;
            }
        }
    }

    fn end(self) {
        self.send(&Request::Quit);
        self.worker.join().unwrap().unwrap();
    }
}

fn explore(schedules: Option<u64>, milliseconds: Option<u64>) -> Explore {
    Explore {
        scheduler: Config::Random,
        seed: 1,
        from: 0,
        schedules,
        milliseconds,
        max_steps: 100,
        isolate: false,
        singly_until: 0,
    }
}

fn done(answers: &[Response]) -> &Done {
    match answers.last() {
        Some(Response::Done(done)) => done,
        other => panic!("{other:?}"),
    }
}

#[test]
fn schedules_are_counted_and_an_outcome_is_reported_once() {
    let mut coordinator = Coordinator::start();
    let plan = TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: String::new(),
        prefix: Vec::new(),
        threads: vec![Vec::new(), Vec::new()],
        after: Vec::new(),
        uninitialised: Vec::new(),
    };
    let loaded = coordinator.ask(&Request::Load(Box::new(Load {
        plan,
        class_path: Vec::new(),
        resets: vec!["p.Stubborn".to_owned()],
        keep_classes: false,
    })));
    assert!(matches!(loaded[..], [Response::Loaded { .. }]), "{loaded:?}");
    let answers = coordinator.ask(&Request::Explore(explore(Some(5_000), None)));
    let done = done(&answers);
    assert_eq!(done.reason, Stop::Schedules);
    assert_eq!(done.counts, [(7, 5_000)]);
    assert_eq!((done.progress.steps, done.progress.switches), (15_000, 5_000));
    assert_eq!(done.next, 5_000);
    assert_eq!(done.not_reset, ["p.Stubborn"]);
    // Of many batches, once.
    assert_eq!(done.meetings.overlaps, [(1, 2)]);
    let new = answers
        .iter()
        .filter(|answer| matches!(answer, Response::NewOutcome(_)));
    assert_eq!(new.count(), 1);
    // The batches follow each other without a gap.
    let mut next = 0;
    for answer in &answers {
        if let Response::At { index, count } = answer {
            assert_eq!(*index, next);
            next += count;
        }
    }
    assert_eq!(next, 5_000);
    coordinator.end();
}

#[test]
fn batches_grow_to_a_fraction_of_a_second() {
    let mut coordinator = Coordinator::start();
    let answers = coordinator.ask(&Request::Explore(explore(Some(6_000), None)));
    let largest = answers.iter().filter_map(|answer| match answer {
        Response::At { count, .. } => Some(*count),
        _ => None,
    });
    assert_eq!(largest.max(), Some(600), "30 ms of runs");
    coordinator.end();
}

#[test]
fn schedules_go_one_at_a_time_where_asked() {
    let mut coordinator = Coordinator::start();
    let request = Explore {
        from: 10,
        singly_until: 15,
        ..explore(Some(50), None)
    };
    let answers = coordinator.ask(&Request::Explore(request));
    let batches: Vec<(u64, u64)> = answers
        .iter()
        .filter_map(|answer| match answer {
            Response::At { index, count } => Some((*index, *count)),
            _ => None,
        })
        .collect();
    assert_eq!(batches[..5], [(10, 1), (11, 1), (12, 1), (13, 1), (14, 1)]);
    assert!(batches[5].1 > 1, "{batches:?}");
    assert_eq!(done(&answers).next, 60);
    coordinator.end();
}

#[test]
fn an_exploration_can_be_cancelled_and_stacks_asked_for_meanwhile() {
    let mut coordinator = Coordinator::start();
    coordinator.send(&Request::Explore(explore(None, None)));
    coordinator.receive();
    coordinator.send(&Request::Stacks);
    coordinator.send(&Request::Cancel);
    let answers = coordinator.rest();
    assert_eq!(done(&answers).reason, Stop::Cancelled);
    assert!(answers.contains(&Response::Stuck {
        stacks: "asleep".to_owned()
    }));
    coordinator.end();
}

#[test]
fn time_is_kept_and_progress_reported_now_and_then() {
    let mut coordinator = Coordinator::start();
    let answers = coordinator.ask(&Request::Explore(explore(None, Some(600))));
    let done = done(&answers);
    assert_eq!(done.reason, Stop::Time);
    assert_eq!(
        (done.progress.milliseconds, done.progress.schedules),
        (600, 12_000)
    );
    let reports: Vec<u64> = answers
        .iter()
        .filter_map(|answer| match answer {
            Response::Progress(progress) => Some(progress.milliseconds),
            _ => None,
        })
        .collect();
    // A batch takes 30 ms, and a report comes with the first that ends 100 ms or more after the last report.
    assert_eq!(reports, [124, 244, 364, 484, 600]);
    coordinator.end();
}

#[test]
fn a_failure_of_the_machine_is_passed_on() {
    let mut coordinator = Coordinator::start_with(Counter::of_strength(50_000));
    let answers = coordinator.ask(&Request::Explore(explore(Some(60_000), None)));
    let Some(Response::Failed(failed)) = answers.last() else {
        panic!("{:?}", answers.last());
    };
    assert_eq!(
        (failed.sentence.as_str(), failed.fault),
        ("worn out", Fault::Worker)
    );
    coordinator.end();
}

#[test]
fn sequential_runs_are_all_reported_and_a_replay_is_one_run() {
    let mut coordinator = Coordinator::start();
    let answers = coordinator.ask(&Request::Sequential(Sequential {
        schedules: 100,
        max_steps: 100,
        long_steps: None,
        isolate: false,
    }));
    assert_eq!(done(&answers).reason, Stop::Exhausted);
    let answers = coordinator.ask(&Request::Replay(Replay {
        schedule: Schedule::default(),
        max_steps: 100,
        isolate: false,
        trace: true,
        callers: false,
    }));
    assert!(
        matches!(&answers[..], [Response::Replayed(replayed)] if replayed.outcome == outcome()),
        "{answers:?}"
    );
    coordinator.end();
}

/// The bounds of all sequential runs of a plan whose runs have this length.
fn bounds_of_runs(length: u32) -> Vec<u32> {
    let counter = Counter {
        length,
        ..Counter::of_strength(1000)
    };
    let bounds = Arc::clone(&counter.bounds);
    let mut coordinator = Coordinator::start_with(counter);
    let answers = coordinator.ask(&Request::Sequential(Sequential {
        schedules: 100,
        max_steps: 100,
        long_steps: Some(1000),
        isolate: false,
    }));
    assert_eq!(done(&answers).reason, Stop::Exhausted);
    coordinator.end();
    let bounds = bounds.lock().unwrap();
    bounds.clone()
}

#[test]
fn calls_that_come_to_an_end_may_take_long_and_others_do_so_once() {
    assert_eq!(bounds_of_runs(500), [1000; 4]);
    assert_eq!(bounds_of_runs(5000), [1000, 100, 100, 100]);
}

#[test]
fn calls_are_made_in_their_orders_only_once_for_all_replays_of_a_plan() {
    // The sequential runs are one order, made three times.
    let mut coordinator = Coordinator::start_with(Counter::of_strength(5));
    coordinator.ask(&Request::Sequential(Sequential {
        schedules: 100,
        max_steps: 100,
        long_steps: None,
        isolate: false,
    }));
    for _ in 0..2 {
        let answers = coordinator.ask(&Request::Replay(Replay {
            schedule: Schedule::default(),
            max_steps: 100,
            isolate: false,
            trace: true,
            callers: false,
        }));
        assert!(matches!(&answers[..], [Response::Replayed(_)]), "{answers:?}");
    }
    coordinator.end();
}

#[test]
fn another_protocol_is_refused() {
    let (stream, theirs) = UnixStream::pair().unwrap();
    let machine = Counter::of_strength(0);
    let worker = thread::spawn(move || super::work(Channel::new(theirs).unwrap(), |_| Ok(machine), || {}));
    let start = Start {
        protocol: PROTOCOL_VERSION + 1,
        jdk_home: PathBuf::new(),
        directory: PathBuf::from("/"),
        heap_mib: 1,
        cage: None,
        unplugged: Vec::new(),
        opens: Vec::new(),
        cpu: None,
        readable: Vec::new(),
    };
    write_line(&stream, &Request::Start(Box::new(start))).unwrap();
    let answer: Response = read_line(&mut BufReader::new(stream)).unwrap().unwrap();
    assert!(
        matches!(&answer, Response::Failed(failed) if failed.sentence.contains("different versions")),
        "{answer:?}"
    );
    worker.join().unwrap().unwrap();
}
