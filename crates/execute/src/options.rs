//! How workers are started, what they may use, and what to explore.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use raddle_schedule::Config;

/// The hidden command under which the program is a worker.
pub const WORKER_COMMAND: &str = "raddle-worker";

/// How workers are started.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The program that is a worker when given `arguments`.
    pub program: PathBuf,
    /// See `program`.
    pub arguments: Vec<OsString>,
    /// Variables that workers see besides the few they need; nothing else is handed down, so that runs do not depend
    /// on it.
    pub environment: Vec<(OsString, OsString)>,
    /// Home directory of the JDK.
    pub jdk_home: PathBuf,
    /// Jars and directories, absolute.
    pub class_path: Vec<PathBuf>,
    /// What workers may read besides the JDK and the class path, absolute; such as jars that manifests name.
    pub readable: Vec<PathBuf>,
    /// The largest Java heap, in MiB.
    pub heap_mib: u32,
    /// Whether workers are caged.
    pub cage: bool,
    /// Whether they are not started where something is missing from the cage.
    pub require_cage: bool,
    /// Classes to leave uninstrumented on purpose, as binary names with dots.
    pub unplugged: Vec<String>,
    /// The CPU that workers run on; none for the one that each happens to be started on.
    pub cpu: Option<u32>,
    /// Packages that are opened to the tests, each as `module/package`.
    pub opens: Vec<String>,
    /// Whether classes stay loaded from one plan to the next. Static state that is not reset stays with them.
    pub keep_classes: bool,
    /// Set when nothing is wanted any more: a worker that has no answer soon after is killed, whatever it is at.
    pub interrupt: Arc<AtomicBool>,
    /// What workers may use.
    pub limits: Limits,
}

impl SessionOptions {
    /// Caged workers that are this very executable.
    pub fn new(jdk_home: PathBuf) -> std::io::Result<SessionOptions> {
        let heap_mib = 512;
        Ok(SessionOptions {
            program: std::env::current_exe()?,
            arguments: vec![OsString::from(WORKER_COMMAND)],
            environment: Vec::new(),
            // A worker runs in a directory of its own.
            jdk_home: std::path::absolute(jdk_home)?,
            class_path: Vec::new(),
            readable: Vec::new(),
            heap_mib,
            cage: true,
            require_cage: false,
            unplugged: Vec::new(),
            cpu: None,
            opens: Vec::new(),
            keep_classes: false,
            interrupt: Arc::default(),
            limits: Limits::for_heap(heap_mib),
        })
    }
}

/// What a worker may use, seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until the JVM is there.
    pub start: Duration,
    /// For loading a plan, and for one run that is asked for by itself.
    pub request: Duration,
    /// For the calls of a plan in all their orders.
    pub sequential: Duration,
    /// Without any sign of life while exploring, when the process does nothing either.
    pub silence: Duration,
    /// The same when the process is busy, in its own time on CPUs: one schedule may take long.
    pub busy_silence: Duration,
    /// Resident memory.
    pub memory_bytes: u64,
    /// Threads.
    pub threads: u64,
    /// All files in the worker's directory.
    pub directory_bytes: u64,
    /// Workers that may die over one plan before it is given up.
    pub deaths: usize,
}

impl Limits {
    /// Limits that leave a JVM with a heap of this size room to work.
    pub fn for_heap(heap_mib: u32) -> Limits {
        Limits {
            start: Duration::from_mins(1),
            request: Duration::from_mins(1),
            sequential: Duration::from_mins(15),
            // Two hundred times what a batch should take.
            silence: Duration::from_secs(6),
            busy_silence: Duration::from_secs(30),
            memory_bytes: (u64::from(heap_mib) << 20) + (1 << 30),
            threads: 2_000,
            directory_bytes: 64 << 20,
            deaths: 3,
        }
    }
}

/// What to explore.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// The scheduler.
    pub scheduler: Config,
    /// Its seed.
    pub seed: u64,
    /// How many schedules at most.
    pub schedules: Option<u64>,
    /// Fewer schedules, if these would have more scheduling points than that, judged by the sequential runs.
    pub steps: Option<u64>,
    /// How long at most.
    pub time: Option<Duration>,
    /// Stop a schedule after this many scheduling points.
    pub max_steps: u32,
    /// If the calls made one after the other come to an end within so many points, a schedule may take twice as many as they
    /// do, even if that is more than `max_steps`.
    pub long_steps: Option<u32>,
    /// Load the classes anew for every schedule.
    pub isolate: bool,
    /// Classes whose static state is made anew before every schedule, as binary names with dots.
    pub resets: Vec<String>,
    /// Whether the calls are run in all their orders first. Otherwise they are run once, without a switch that is not forced.
    pub orders: bool,
    /// Set from elsewhere to end the exploration; what was found is kept.
    pub cancel: Arc<AtomicBool>,
}

impl ExploreOptions {
    /// Bound on scheduling points that no terminating test has come near.
    pub const MAX_STEPS: u32 = 20_000;

    /// No bound but the scheduler's own.
    pub fn new(scheduler: Config, seed: u64) -> ExploreOptions {
        ExploreOptions {
            scheduler,
            seed,
            schedules: None,
            steps: None,
            time: None,
            max_steps: ExploreOptions::MAX_STEPS,
            long_steps: None,
            isolate: false,
            resets: Vec::new(),
            orders: true,
            cancel: Arc::new(AtomicBool::new(false)),
        }
    }

    /// The same, with static state of these classes made anew before every schedule.
    #[must_use]
    pub fn resetting(mut self, classes: &[String]) -> ExploreOptions {
        self.resets = classes.to_vec();
        self
    }
}
