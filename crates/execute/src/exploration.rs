//! What came of exploring a plan.

use std::collections::BTreeMap;

use raddle_plan::{Order, Outcome};
use raddle_schedule::Claim;
use raddle_worker::protocol::{Done, LeftAlone, Meetings, NewOutcome, Progress, Stop};

use crate::death::Death;

/// What came of exploring a plan. Facts only: what is a violation, others decide.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Runs with no switch inside a call, in every order of the calls; each twice, so that what differs by itself
    /// can be told from what differs by order.
    pub baseline: Vec<(Outcome, Outcome)>,
    /// Why there are orders that are not among them, or not twice, as a part of a sentence. An outcome that none of
    /// them had may then be right all the same.
    pub baseline_gap: Option<String>,
    /// The different outcomes of the exploration, in the order in which they were seen first.
    pub outcomes: Vec<Distinct>,
    /// Points after which a schedule was stopped.
    pub max_steps: u32,
    /// Totals.
    pub progress: Progress,
    /// Why it ended; none if it was given up.
    pub stop: Option<Stop>,
    /// What the scheduler can promise about what it has covered.
    pub claim: Option<Claim>,
    /// What ran without hooks.
    pub left_alone: Vec<LeftAlone>,
    /// The classes whose static state is left over from run to run although it should not be, and why, as sentences.
    pub not_reset: Vec<String>,
    /// Where threads called what may touch anything, so that steps there were not seen.
    pub unseen: Vec<String>,
    /// How the calls of the threads met, the sequential runs aside.
    pub meetings: Meetings,
    /// Whether a run asked for the time, or waited for a limited time.
    pub asks_time: bool,
    /// Whether no step of any run was about something that another thread was about too, and every run was looked at
    /// that the scheduler could ask for. It says nothing of what ran without hooks.
    pub is_apart: bool,
    /// Workers that died.
    pub deaths: Vec<Death>,
    /// What was not run although it was asked for, as a sentence.
    pub not_explored: Option<String>,
    /// Bytes that the tests printed.
    pub printed: u64,
}

/// One of the different outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// What came of the first run that had it.
    pub outcome: Outcome,
    /// What the scheduler had asked for.
    pub order: Order,
    /// Number of that schedule.
    pub index: u64,
    /// How many runs had it; at least so many if a worker died.
    pub count: u64,
}

/// Results as they come in, from one worker or several.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    pub(crate) baseline: Vec<(Outcome, Outcome)>,
    pub(crate) baseline_gap: Option<String>,
    /// See [`Exploration::max_steps`].
    pub(crate) max_steps: u32,
    outcomes: Vec<Distinct>,
    positions: BTreeMap<u64, usize>,
    /// Of the workers before the current one.
    before: Progress,
    /// Of the current one.
    now: Progress,
    pub(crate) printed: u64,
    not_reset: Vec<String>,
    unseen: Vec<String>,
    left_alone: Vec<LeftAlone>,
    meetings: Meetings,
}

impl Gathering {
    /// An outcome, seen at least once.
    pub(crate) fn add(&mut self, new: NewOutcome) {
        let digest = new.outcome.digest;
        let next = self.outcomes.len();
        let position = *self.positions.entry(digest).or_insert(next);
        if position == next {
            self.outcomes.push(Distinct {
                outcome: new.outcome,
                order: new.order,
                index: new.index,
                count: 0,
            });
        }
    }

    pub(crate) fn set_progress(&mut self, progress: Progress) {
        self.now = progress;
    }

    pub(crate) fn set_left_alone(&mut self, left_alone: Vec<LeftAlone>) {
        self.left_alone = left_alone;
    }

    /// What the user sees.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            schedules: self.before.schedules.saturating_add(self.now.schedules),
            steps: self.before.steps.saturating_add(self.now.steps),
            switches: self.before.switches.saturating_add(self.now.switches),
            outcomes: self.outcomes.len() as u64,
            milliseconds: self.before.milliseconds.saturating_add(self.now.milliseconds),
            left: self.now.left,
        }
    }

    /// The worker has died; this many schedules had been run to their end.
    pub(crate) fn lost(&mut self, schedules: u64, milliseconds: u64) {
        self.now.schedules = self.now.schedules.max(schedules);
        self.now.milliseconds = milliseconds;
        self.before = self.progress();
        self.now = Progress::default();
    }

    /// The worker has finished.
    pub(crate) fn done(&mut self, done: &Done) {
        self.now = done.progress;
        self.left_alone.clone_from(&done.left_alone);
        self.not_reset.clone_from(&done.not_reset);
        self.unseen.clone_from(&done.unseen);
        self.meetings.merge(done.meetings.clone());
        for (digest, count) in &done.counts {
            let Some(&position) = self.positions.get(digest) else {
                continue;
            };
            let seen = &mut self.outcomes[position].count;
            *seen = seen.saturating_add(*count);
        }
    }

    pub(crate) fn finish(
        mut self,
        done: Option<Done>,
        deaths: Vec<Death>,
        not_explored: Option<String>,
    ) -> Exploration {
        for distinct in &mut self.outcomes {
            distinct.count = distinct.count.max(1);
        }
        Exploration {
            progress: self.progress(),
            baseline: self.baseline,
            baseline_gap: self.baseline_gap,
            outcomes: self.outcomes,
            max_steps: self.max_steps,
            stop: done.as_ref().map(|done| done.reason),
            meetings: self.meetings,
            asks_time: done.as_ref().is_some_and(|done| done.asks_time),
            is_apart: done.as_ref().is_some_and(|done| done.is_apart)
                && not_explored.is_none()
                && deaths.is_empty(),
            // A claim is about all that was asked for; with a hole in it, it is not true.
            claim: done
                .and_then(|done| done.claim)
                .filter(|_| not_explored.is_none() && deaths.is_empty()),
            left_alone: self.left_alone,
            not_reset: self.not_reset,
            unseen: self.unseen,
            deaths,
            not_explored,
            printed: self.printed,
        }
    }
}

/// The run of the baseline that had this outcome.
pub(crate) fn sequential(baseline: &[(Outcome, Outcome)], digest: u64) -> Option<&Outcome> {
    baseline
        .iter()
        .flat_map(|(one, other)| [one, other])
        .find(|outcome| outcome.digest == digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::{End, Schedule};

    fn outcome(digest: u64) -> Outcome {
        Outcome {
            digest,
            trace_hash: 0,
            steps: 5,
            schedule: Schedule::default(),
            end: End::Completed,
            calls: Vec::new(),
            uncaught: Vec::new(),
            threads: Vec::new(),
        }
    }

    fn new(digest: u64, index: u64) -> NewOutcome {
        NewOutcome {
            index,
            order: Order::Random { seed: index },
            outcome: outcome(digest),
        }
    }

    fn done(schedules: u64, counts: &[(u64, u64)]) -> Done {
        Done {
            progress: Progress {
                schedules,
                steps: 10 * schedules,
                switches: schedules,
                outcomes: 0,
                milliseconds: 5,
                left: None,
            },
            counts: counts.to_vec(),
            next: schedules,
            asks_time: false,
            reason: Stop::Schedules,
            claim: None,
            left_alone: Vec::new(),
            not_reset: Vec::new(),
            unseen: Vec::new(),
            meetings: Meetings::default(),
            is_apart: false,
        }
    }

    #[test]
    fn what_a_dead_worker_had_found_is_kept() {
        let mut gathering = Gathering::default();
        gathering.add(new(2, 7));
        gathering.lost(20, 100);
        gathering.add(new(2, 30));
        gathering.add(new(3, 31));
        let done = done(10, &[(2, 6), (3, 4)]);
        gathering.done(&done);
        let exploration = gathering.finish(Some(done), Vec::new(), None);
        assert_eq!(exploration.progress.schedules, 30);
        assert_eq!(exploration.progress.milliseconds, 105);
        assert_eq!(exploration.outcomes.len(), 2);
        assert_eq!(exploration.outcomes[0].index, 7);
    }
}
