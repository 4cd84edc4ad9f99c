//! What coordinator and worker say to each other: one JSON value per line, over one socket.
//!
//! The coordinator asks, one request at a time; [`Request::Cancel`] and [`Request::Stacks`] may come while a request
//! is being worked on. The worker answers each request with any number of reports and exactly one last answer, see
//! [`Response::is_last`].

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use raddle_plan::{Event, Order, Outcome, Schedule, TestPlan};
use raddle_schedule::{Claim, Config};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cage::CageReport;

/// Changes its number whenever one side would misread the other. Both sides are normally one executable, but a
/// program that is replaced while it runs starts its next worker from the new file.
pub const PROTOCOL_VERSION: u32 = 4;

/// The longest line that is read: a worker that runs arbitrary code may not fill the coordinator's memory.
pub const MAX_LINE: u64 = 32 << 20;

/// What the coordinator asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Always the first. Answered by [`Response::Ready`].
    Start(Box<Start>),
    /// Makes this plan the current one. Answered by [`Response::Loaded`].
    Load(Box<Load>),
    /// Runs the current plan with no switch inside a call, in every order of the calls. Answered by
    /// [`Response::Done`]; every run is reported.
    Sequential(Sequential),
    /// Runs the current plan under a scheduler. Answered by [`Response::Done`].
    Explore(Explore),
    /// Runs the current plan once. Answered by [`Response::Replayed`].
    Replay(Replay),
    /// Ends the exploration after the batch that is under way; what was found is answered as usual.
    Cancel,
    /// Asks what all threads are doing, although the worker may be stuck. Answered out of turn by
    /// [`Response::Stuck`].
    Stacks,
    /// Ends the worker.
    Quit,
}

impl Request {
    /// What is asked for, in one word.
    pub const fn name(&self) -> &'static str {
        match self {
            Request::Start(_) => "start",
            Request::Load(_) => "load",
            Request::Sequential(_) => "sequential",
            Request::Explore(_) => "explore",
            Request::Replay(_) => "replay",
            Request::Cancel => "cancel",
            Request::Stacks => "stacks",
            Request::Quit => "quit",
        }
    }
}

/// How the worker is to be set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// [`PROTOCOL_VERSION`].
    pub protocol: u32,
    /// Home directory of the JDK.
    pub jdk_home: PathBuf,
    /// An empty directory: where the worker lives, and the only place it may write to.
    pub directory: PathBuf,
    /// The largest Java heap, in MiB.
    pub heap_mib: u32,
    /// Limits of the cage; none to run without one.
    pub cage: Option<CageLimits>,
    /// Classes to leave uninstrumented on purpose, as binary names with dots.
    #[serde(default)]
    pub unplugged: Vec<String>,
    /// Packages that are opened to the tests, each as `module/package`.
    #[serde(default)]
    pub opens: Vec<String>,
    /// What the worker may read besides the system's libraries and the JDK.
    #[serde(default)]
    pub readable: Vec<PathBuf>,
    /// The CPU to run on; none for the one it happens to be started on.
    #[serde(default)]
    pub cpu: Option<u32>,
}

/// What a caged worker may use.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CageLimits {
    /// The largest file, in bytes.
    pub file_bytes: u64,
    /// Open descriptors.
    pub descriptors: u64,
    /// Private memory, in bytes, heap included.
    pub data_bytes: u64,
    /// Address space, in bytes: a JVM reserves far more than it uses.
    pub address_bytes: u64,
}

impl CageLimits {
    /// Limits that leave a JVM with a heap of this size room to work.
    pub fn for_heap(heap_mib: u32) -> CageLimits {
        let heap = u64::from(heap_mib) << 20;
        CageLimits {
            file_bytes: 16 << 20,
            descriptors: 4096,
            data_bytes: heap + (2 << 30),
            address_bytes: heap + (12 << 30),
        }
    }
}

/// A plan to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// The plan.
    pub plan: TestPlan,
    /// Jars and directories, absolute.
    pub class_path: Vec<PathBuf>,
    /// Classes whose static state is made anew before every run, as binary names with dots. No difference for runs with
    /// classes of their own.
    pub resets: Vec<String>,
    /// Whether the classes of the class path may stay loaded from one plan to the next, which is much faster.
    #[serde(default)]
    pub keep_classes: bool,
}

/// What to run without switches inside calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequential {
    /// The most orders that are run; the rest is left out.
    pub schedules: u64,
    /// Stop a run after this many scheduling points.
    pub max_steps: u32,
    /// The same, if it is more, for calls that all come to an end within so many in the first order.
    #[serde(default)]
    pub long_steps: Option<u32>,
    /// Load the classes anew for every run.
    pub isolate: bool,
}

/// What to explore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explore {
    /// The scheduler.
    pub scheduler: Config,
    /// Seed of the scheduler.
    pub seed: u64,
    /// Number of the first schedule. Those before it are not run.
    pub from: u64,
    /// How many schedules, counted from `from`.
    pub schedules: Option<u64>,
    /// How long, in milliseconds.
    pub milliseconds: Option<u64>,
    /// Stop a schedule after this many scheduling points.
    pub max_steps: u32,
    /// Load the classes anew for every schedule.
    pub isolate: bool,
    /// Schedules below this number go one at a time, so that one that kills the worker can be named.
    pub singly_until: u64,
}

/// What to run once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The recorded switches.
    pub schedule: Schedule,
    /// Stop after this many scheduling points.
    pub max_steps: u32,
    /// Load the classes anew.
    pub isolate: bool,
    /// Whether to record what the threads did.
    pub trace: bool,
    /// Whether to record the lines through which they came to it, too.
    pub callers: bool,
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The JVM is there.
    Ready(Ready),
    /// The plan has been loaded.
    Loaded {
        /// What could not be instrumented so far.
        left_alone: Vec<LeftAlone>,
    },
    /// These schedules are about to be run. If nothing follows, one of them killed the worker.
    At {
        /// Number of the first.
        index: u64,
        /// How many.
        count: u64,
    },
    /// How far the exploration is; at most ten a second.
    Progress(Progress),
    /// A run with an outcome that was not seen before since the plan was loaded; for [`Request::Sequential`], any
    /// run.
    NewOutcome(Box<NewOutcome>),
    /// The exploration has ended.
    Done(Box<Done>),
    /// The run that was asked for.
    Replayed(Box<Replayed>),
    /// What all threads are doing.
    Stuck {
        /// As Java prints it.
        stacks: String,
    },
    /// The request could not be done.
    Failed(Failed),
}

impl Response {
    /// Whether the worker now waits for the next request.
    pub fn is_last(&self) -> bool {
        match self {
            Response::Ready(_)
            | Response::Loaded { .. }
            | Response::Done(_)
            | Response::Replayed(_)
            | Response::Failed(_) => true,
            Response::At { .. }
            | Response::Progress(_)
            | Response::NewOutcome(_)
            | Response::Stuck { .. } => false,
        }
    }
}

/// The worker, once its JVM is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// [`PROTOCOL_VERSION`].
    pub protocol: u32,
    /// Process id.
    pub pid: u32,
    /// Version that the JVM reports.
    pub jdk_version: String,
    /// What holds the worker; none if no cage was asked for.
    pub cage: Option<CageReport>,
}

/// A class or method that runs without hooks, so that no switch can happen in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftAlone {
    /// Binary name with dots.
    pub class: String,
    /// Name and descriptor, unless it is the whole class.
    pub method: Option<String>,
    /// Why, as a part of a sentence.
    pub reason: String,
}

/// How far an exploration is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Schedules run.
    pub schedules: u64,
    /// Scheduling points of all of them.
    pub steps: u64,
    /// Switches of all of them.
    pub switches: u64,
    /// Distinct outcomes.
    pub outcomes: u64,
    /// Since the request came.
    pub milliseconds: u64,
    /// About how many schedules there are to come, if the scheduler can tell.
    #[serde(default)]
    pub left: Option<u64>,
}

/// An outcome, with the schedule that had it first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewOutcome {
    /// Number of the schedule.
    pub index: u64,
    /// What the scheduler asked for.
    pub order: Order,
    /// What came of it.
    pub outcome: Outcome,
}

/// The whole of an exploration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Totals.
    pub progress: Progress,
    /// Digests of the outcomes and how often each came.
    pub counts: Vec<(u64, u64)>,
    /// Number of the schedule that would have been next.
    pub next: u64,
    /// Why it ended.
    pub reason: Stop,
    /// What the scheduler can promise about what it has covered.
    pub claim: Option<Claim>,
    /// What could not be instrumented.
    pub left_alone: Vec<LeftAlone>,
    /// The classes that cannot be reset, and why, as sentences.
    pub not_reset: Vec<String>,
    /// Whether a run asked for the time, or waited for a limited time.
    #[serde(default)]
    pub asks_time: bool,
    /// Where threads called what may touch anything, such as reflection.
    #[serde(default)]
    pub unseen: Vec<String>,
    /// How the calls of the threads met in all runs.
    pub meetings: Meetings,
    /// Whether the scheduler has looked at every step of every run, has nothing left to try, and no step was about
    /// anything that another thread was about too, both only reading aside.
    pub is_apart: bool,
}

/// How the calls of the threads met, over some runs. Calls go by their numbers in the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meetings {
    /// Calls of different threads that were under way at the same time: each had done something, or waited for a monitor,
    /// before the other came to its end.
    pub overlaps: Vec<(u32, u32)>,
    /// Something was done that [`raddle_plan::Step::shared`] does not tell of.
    pub is_blurred: bool,
    /// Of each variable of the plan, by slot: the class of its object and all above it, the nearest first.
    pub kinds: Vec<Vec<String>>,
    /// The classes of objects that calls of different threads both returned.
    pub handed_out: Vec<String>,
    /// What the calls reached, each as a number below [`Meetings::BESIDE`]: that a thread came by three
    /// places in code one after the other. Or, with that added, that two threads were about to do something to the same
    /// thing, each at one place and coming from another.
    #[serde(default)]
    pub reached: Vec<u32>,
}

impl Meetings {
    /// Added to the number of two places that belong to two threads.
    pub const BESIDE: u32 = 1 << 24;

    /// Takes in what other runs of the same plan tell.
    pub fn merge(&mut self, other: Meetings) {
        self.overlaps.extend(other.overlaps);
        self.overlaps.sort_unstable();
        self.overlaps.dedup();
        self.is_blurred |= other.is_blurred;
        if self.kinds.len() < other.kinds.len() {
            self.kinds.resize(other.kinds.len(), Vec::new());
        }
        for (known, new) in self.kinds.iter_mut().zip(other.kinds) {
            if known.is_empty() {
                *known = new;
            }
        }
        self.handed_out.extend(other.handed_out);
        self.handed_out.sort_unstable();
        self.handed_out.dedup();
        self.reached.extend(other.reached);
        self.reached.sort_unstable();
        self.reached.dedup();
    }
}

/// Why an exploration ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The scheduler has no further schedule.
    Exhausted,
    /// As many as asked for.
    Schedules,
    /// The time is over.
    Time,
    /// There are so many different outcomes that they cannot mean anything.
    Outcomes,
    /// By [`Request::Cancel`].
    Cancelled,
}

/// A run that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// What came of it.
    pub outcome: Outcome,
    /// What the threads did, if that was asked for.
    pub events: Vec<Event>,
    /// What final fields hold, whose reading is no event.
    pub links: Vec<Link>,
    /// What a test of one thread tells besides.
    pub alone: Alone,
}

/// What a test of one thread tells besides its events; empty if it has more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alone {
    /// How the thread came to each event, as a hash of the calls on its stack.
    pub contexts: Vec<u64>,
    /// Before each call of the thread, and at the end: a hash of all that can be reached from each variable, by slot.
    pub states: Vec<Vec<u64>>,
}

/// A final field that holds an object; objects have the numbers of [`Event::object`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Whose field.
    pub owner: u32,
    /// What to call that, as in [`Event::name`].
    pub owner_name: String,
    /// The class that declares the field.
    pub class: String,
    /// The name of the field.
    pub field: String,
    /// What it holds.
    pub value: u32,
    /// What to call that, as in [`Event::name`].
    pub name: String,
}

/// Why a request was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// A sentence.
    pub sentence: String,
    /// Whose affair it is.
    pub fault: Fault,
}

/// Whose affair a failure is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The request was wrong: a plan that names no such method, a scheduler that does not exist.
    Input,
    /// The JDK or this machine cannot do what is needed.
    Environment,
    /// The worker cannot go on; another one may.
    Worker,
}

/// Writes one line.
pub fn write_line<T: Serialize>(mut out: impl Write, value: &T) -> io::Result<()> {
    // One write, so that lines of two threads cannot be mixed up by a short buffer.
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Reads one line; none at the end of the stream.
pub fn read_line<T: DeserializeOwned>(input: &mut impl BufRead) -> io::Result<Option<T>> {
    Ok(read_line_and_length(input)?.map(|(value, _)| value))
}

/// Reads one line, and says how many bytes it had; none at the end of the stream.
pub fn read_line_and_length<T: DeserializeOwned>(input: &mut impl BufRead) -> io::Result<Option<(T, u64)>> {
    let mut line = Vec::new();
    let length = io::Read::take(&mut *input, MAX_LINE).read_until(b'\n', &mut line)?;
    if length == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        let problem = if length as u64 == MAX_LINE {
            "a line is too long"
        } else {
            "the last line is incomplete"
        };
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    Ok(Some((serde_json::from_slice(&line)?, length as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_as_it_was() {
        let mut bytes = Vec::new();
        let requests = [
            Request::Cancel,
            Request::Explore(Explore {
                scheduler: Config::Pct { depth: 3 },
                seed: u64::MAX,
                from: 7,
                schedules: None,
                milliseconds: Some(100),
                max_steps: 20_000,
                isolate: false,
                singly_until: 0,
            }),
        ];
        for request in &requests {
            write_line(&mut bytes, request).unwrap();
        }
        let mut input = bytes.as_slice();
        assert_eq!(
            read_line::<Request>(&mut input).unwrap().as_ref(),
            Some(&requests[0])
        );
        assert_eq!(
            read_line::<Request>(&mut input).unwrap().as_ref(),
            Some(&requests[1])
        );
        assert_eq!(read_line::<Request>(&mut input).unwrap(), None);
    }

    #[test]
    fn half_a_line_is_an_error() {
        let mut input = &b"\"cancel\""[..];
        assert!(read_line::<Request>(&mut input).is_err());
    }

    #[test]
    fn an_unknown_request_is_an_error() {
        let mut input = &b"\"dance\"\n"[..];
        assert!(read_line::<Request>(&mut input).is_err());
    }
}
