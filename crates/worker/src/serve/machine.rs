//! What the worker's loop needs of a JVM. A trait, so that the loop and the supervisor can be tested without one.

use std::sync::Arc;
use std::time::Instant;

use raddle_plan::{Event, Order, Outcome, Run};

use crate::protocol::{Alone, Failed, LeftAlone, Link, Load, Meetings};

/// Something that runs plans under orders.
pub trait Machine {
    /// The version it reports.
    fn jdk_version(&self) -> String;

    /// Makes this plan the current one.
    fn load(&mut self, load: &Load) -> Result<(), Failed>;

    /// Runs the current plan once per order.
    fn batch(&mut self, orders: &[Order], options: BatchOptions) -> Result<Batch, Failed>;

    /// What runs without hooks, of everything loaded so far.
    fn left_alone(&self) -> Vec<LeftAlone>;

    /// Something that says what all threads are doing, callable while [`Machine::batch`] is stuck.
    fn stacks(&self) -> Arc<dyn Fn() -> String + Send + Sync>;

    /// The clock that batches and limits of time are measured with. A machine that only pretends to work has one that only
    /// its runs move, so that what comes of it does not depend on how busy the computer is.
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// How to run a batch, and what to record.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the machine that have nothing to do with each other"
)]
pub struct BatchOptions {
    /// Stop a run after this many scheduling points.
    pub max_steps: u32,
    /// Every scheduling point of every reported run.
    pub record_steps: bool,
    /// What the threads of every reported run did.
    pub trace: bool,
    /// With the lines through which they came to each event.
    pub callers: bool,
    /// Report every run, not only the first of each outcome since the plan was loaded. Such a run does not count as the
    /// first for later batches.
    pub report_all: bool,
    /// Load the classes anew for every run.
    pub isolate: bool,
    /// Mark the recorded points that concern several threads.
    pub mark_shared: bool,
    /// What every recorded point touches, and who was stuck at the end.
    pub record_touches: bool,
}

/// What came of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The runs that are worth a look, in order.
    pub reported: Vec<Reported>,
    /// Digests of all outcomes, and how often each came.
    pub counts: Vec<(u64, u64)>,
    /// Scheduling points of all runs.
    pub steps: u64,
    /// Switches of all runs.
    pub switches: u64,
    /// The classes that cannot be reset, and why, as sentences; all since the plan was loaded.
    pub not_reset: Vec<String>,
    /// Whether a run asked for the time, or waited for a limited time, since the plan was loaded.
    pub asks_time: bool,
    /// Where threads called what may touch anything, since the plan was loaded.
    pub unseen: Vec<String>,
    /// How the calls met.
    pub meetings: Meetings,
    /// Why the machine cannot run anything more, if so; a sentence.
    pub broken: Option<String>,
}

/// One run of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// Which order of the batch.
    pub index: usize,
    /// What came of it.
    pub outcome: Outcome,
    /// What the scheduler learns from it.
    pub run: Run,
    /// What the threads did, if traced.
    pub events: Vec<Event>,
    /// What final fields hold, if events were asked for.
    pub links: Vec<Link>,
    /// What a test of one thread tells besides.
    pub alone: Alone,
}
