//! One kind of work on many classes, and what it took.

use std::time::{Duration, Instant};

use raddle_summary::Precision;
use raddle_testkit::crew;

use super::Manner;
use super::digest::Digest;
use super::outcome::{Outcome, Record, Skip};
use super::watch::Watch;
use crate::process;

/// What is done with each class.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Work {
    Read,
    Analyse(Precision),
}

/// One kind of work on many classes.
pub(super) struct Pass {
    pub(super) title: String,
    pub(super) work: Work,
    /// In the order of the classes.
    pub(super) records: Vec<Record>,
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    /// In KiB.
    pub(super) peak_memory: u64,
}

impl Work {
    pub(super) fn name(self) -> &'static str {
        match self {
            Work::Read => "read",
            Work::Analyse(Precision::Paper) => "paper",
            Work::Analyse(Precision::Precise) => "precise",
        }
    }
}

impl Pass {
    pub(super) fn run<T: Sync>(
        title: String,
        work: Work,
        manner: &Manner,
        targets: &[T],
        name: impl Fn(&T) -> &str + Sync,
        each: impl Fn(&T) -> Record + Sync,
    ) -> Pass {
        process::reset_peak_memory();
        let watch = Watch::new(
            format!("{title}, {}", work.name()),
            targets.len(),
            manner.jobs,
            manner.limit,
        );
        let (start, cpu) = (Instant::now(), process::cpu_time());
        let watched = |worker: usize, target: &T| {
            watch.begin(worker, name(target));
            let record = each(target);
            watch.end(worker);
            record
        };
        let records = watch.over(|| crew::run(targets, manner.jobs, watched));
        let wall = start.elapsed();
        eprintln!("{title}, {}: {:.1} s", work.name(), wall.as_secs_f64());
        Pass {
            title,
            work,
            records,
            wall,
            cpu: process::cpu_time().saturating_sub(cpu),
            peak_memory: process::peak_memory(),
        }
    }

    /// Counts another pass as part of this one.
    pub(super) fn add(&mut self, other: Pass) {
        self.records.extend(other.records);
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.peak_memory = self.peak_memory.max(other.peak_memory);
    }

    /// Times of the classes that were read or analysed, shortest first.
    pub(super) fn times(&self) -> Vec<Duration> {
        let done = self
            .records
            .iter()
            .filter(|record| matches!(record.outcome, Outcome::Done(_)));
        let mut times: Vec<Duration> = done.map(|record| record.time).collect();
        times.sort_unstable();
        times
    }

    pub(super) fn skipped(&self, reason: Skip) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Skipped(skip) if *skip == reason))
    }

    pub(super) fn unreadable(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Unreadable(_)))
    }

    pub(super) fn panics(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Panicked(_)))
    }

    /// Classes that took longest, those that panicked among them.
    pub(super) fn slowest(&self, count: usize) -> Vec<&Record> {
        let mut records: Vec<&Record> = self.records.iter().collect();
        records.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.class.cmp(&b.class)));
        records.truncate(count);
        records
    }

    /// One hash over all results, in the order of the classes.
    pub(super) fn digest(&self) -> Digest {
        self.records.iter().fold(Digest::EMPTY, |all, record| {
            let all = all.with(record.class.as_bytes());
            match &record.outcome {
                Outcome::Done(Some(digest)) => all.and(*digest),
                Outcome::Done(None) => all.with(&[1]),
                Outcome::Skipped(_) => all.with(&[2]),
                Outcome::Unreadable(reason) => all.with(reason.as_bytes()),
                Outcome::Panicked(_) => all.with(&[3]),
            }
        })
    }

    fn count(&self, is_meant: impl Fn(&Outcome) -> bool) -> usize {
        self.records
            .iter()
            .filter(|record| is_meant(&record.outcome))
            .count()
    }
}
