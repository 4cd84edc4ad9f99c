//! The loop between a scheduler and a JVM.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raddle_plan::Order;
use raddle_schedule::Scheduler;

use super::Problem;
use super::machine::{Batch, BatchOptions, Machine};
use super::pace::Pace;
use crate::protocol::{Done, Meetings, NewOutcome, Progress, Response, Stop};

/// Reports are for people and for the supervisor's clock; neither needs more.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A plan with more outcomes than this has results that mean nothing, such as the time of day.
const MOST_OUTCOMES: usize = 10_000;

/// How far to go.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// Number of the scheduler's first order.
    pub(super) first: u64,
    pub(super) schedules: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) singly_until: u64,
}

/// Which runs are reported.
pub(super) enum Wanted {
    /// The first of every outcome.
    New,
    /// Every run.
    Every,
}

/// An exploration under way.
pub(super) struct Exploration<'a> {
    pub(super) machine: &'a mut dyn Machine,
    pub(super) scheduler: &'a mut dyn Scheduler,
    pub(super) wanted: Wanted,
    pub(super) cancelled: &'a AtomicBool,
    pub(super) send: &'a mut dyn FnMut(Response) -> Result<(), Problem>,
    pub(super) max_steps: u32,
    pub(super) isolate: bool,
    pub(super) bounds: Bounds,
}

/// What has come of it so far.
struct Tally {
    begun: Instant,
    next: u64,
    totals: Progress,
    counts: BTreeMap<u64, u64>,
    sent: HashSet<u64>,
    reported_at: Instant,
    not_reset: Vec<String>,
    unseen: Vec<String>,
    asks_time: bool,
    meetings: Meetings,
}

impl Tally {
    fn progress(&self, now: Instant) -> Progress {
        let time = now.saturating_duration_since(self.begun);
        Progress {
            outcomes: self.counts.len() as u64,
            milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            ..self.totals
        }
    }
}

impl Exploration<'_> {
    /// Runs schedules until a bound is reached; reports as it goes.
    pub(super) fn run(mut self) -> Result<Done, Problem> {
        let begun = self.machine.now();
        let mut tally = Tally {
            begun,
            next: self.bounds.first,
            totals: Progress::default(),
            counts: BTreeMap::new(),
            sent: HashSet::new(),
            reported_at: begun,
            not_reset: Vec::new(),
            unseen: Vec::new(),
            asks_time: false,
            meetings: Meetings::default(),
        };
        let mut pace = Pace::new();
        let reason = loop {
            let orders = match self.orders(&tally, &pace) {
                Ok(orders) => orders,
                Err(stop) => break stop,
            };
            let time = self.batch(&orders, &mut tally)?;
            pace.took(orders.len() as u64, time);
            let now = self.machine.now();
            if now.saturating_duration_since(tally.reported_at) >= PROGRESS_INTERVAL {
                tally.reported_at = now;
                (self.send)(Response::Progress(Progress {
                    left: self.scheduler.left(),
                    ..tally.progress(now)
                }))?;
            }
        };
        Ok(Done {
            progress: tally.progress(self.machine.now()),
            counts: tally.counts.into_iter().collect(),
            next: tally.next,
            reason,
            claim: self.scheduler.claim(),
            left_alone: self.machine.left_alone(),
            not_reset: tally.not_reset,
            unseen: tally.unseen,
            asks_time: tally.asks_time,
            is_apart: reason == Stop::Exhausted && !tally.meetings.is_blurred && self.scheduler.is_apart(),
            meetings: tally.meetings,
        })
    }

    /// The next batch, or why there is none.
    fn orders(&mut self, tally: &Tally, pace: &Pace) -> Result<Vec<Order>, Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        let spent = self.machine.now().saturating_duration_since(tally.begun);
        let left = self.bounds.time.map(|time| time.saturating_sub(spent));
        if left.is_some_and(|left| left.is_zero()) {
            return Err(Stop::Time);
        }
        if tally.sent.len() > MOST_OUTCOMES {
            return Err(Stop::Outcomes);
        }
        let mut size = pace.size(left);
        if tally.next < self.bounds.singly_until {
            size = 1;
        }
        if let Some(schedules) = self.bounds.schedules {
            size = size.min(schedules.saturating_sub(tally.totals.schedules));
            if size == 0 {
                return Err(Stop::Schedules);
            }
        }
        let orders = self.scheduler.next(usize::try_from(size).unwrap_or(usize::MAX));
        if orders.is_empty() {
            return Err(Stop::Exhausted);
        }
        Ok(orders)
    }

    /// Runs a batch; how long that took.
    fn batch(&mut self, orders: &[Order], tally: &mut Tally) -> Result<Duration, Problem> {
        let count = orders.len() as u64;
        (self.send)(Response::At {
            index: tally.next,
            count,
        })?;
        // Reports and steps of every run are expensive: without them many times as many runs are made.
        let learns = self.scheduler.needs_steps();
        let options = BatchOptions {
            max_steps: self.max_steps,
            record_steps: learns,
            trace: false,
            callers: false,
            report_all: learns || matches!(self.wanted, Wanted::Every),
            isolate: self.isolate,
            mark_shared: self.scheduler.needs_shared(),
            record_touches: self.scheduler.needs_touches(),
        };
        let begun = self.machine.now();
        let batch = self.machine.batch(orders, options)?;
        let time = self.machine.now().saturating_duration_since(begun);
        self.take(orders, batch, tally)?;
        tally.next += count;
        tally.totals.schedules += count;
        Ok(time)
    }

    fn take(&mut self, orders: &[Order], batch: Batch, tally: &mut Tally) -> Result<(), Problem> {
        for reported in batch.reported {
            let Some(order) = orders.get(reported.index) else {
                return Err(Problem::worker(format!(
                    "the JVM reports run {} of a batch of {}",
                    reported.index,
                    orders.len()
                )));
            };
            self.scheduler.observe(order, &reported.run);
            let is_wanted = match self.wanted {
                Wanted::New => tally.sent.insert(reported.outcome.digest),
                Wanted::Every => true,
            };
            if is_wanted {
                (self.send)(Response::NewOutcome(Box::new(NewOutcome {
                    index: tally.next + reported.index as u64,
                    order: order.clone(),
                    outcome: reported.outcome,
                })))?;
            }
        }
        for (digest, count) in batch.counts {
            *tally.counts.entry(digest).or_default() += count;
        }
        tally.totals.steps += batch.steps;
        tally.totals.switches += batch.switches;
        tally.not_reset = batch.not_reset;
        tally.unseen = batch.unseen;
        tally.asks_time = batch.asks_time;
        tally.meetings.merge(batch.meetings);
        match batch.broken {
            Some(sentence) => Err(Problem::worker(sentence)),
            None => Ok(()),
        }
    }
}
