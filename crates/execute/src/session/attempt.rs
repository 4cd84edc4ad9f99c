//! One worker's try at a plan: its sequential orders, and then its schedules.

use std::time::{Duration, Instant};

use raddle_plan::{CallOutcome, CallResult, End, Outcome, TestPlan};
use raddle_worker::protocol::{Done, Explore, Progress, Request, Response};

use super::{Bound, Position, Session, expect_done, pairs};
use crate::error::SessionError;
use crate::exploration::Gathering;
use crate::options::ExploreOptions;
use crate::worker::Patience;

/// Schedules of a plan however long they are, and of one whose runs are long and come to nothing.
const FEWEST: u64 = 10;
const FUTILE: u64 = 3;
/// Points that the fewest schedules may take: of very long runs there are even fewer.
const MOST_STEPS: u64 = 4_000_000;
/// A schedule may take so many times as long as the longest sequential order.
const LONGER: u32 = 2;

/// One worker's try at a plan.
pub(super) struct Attempt<'a> {
    pub(super) plan: &'a TestPlan,
    pub(super) options: &'a ExploreOptions,
    pub(super) position: Position,
    pub(super) time: Option<Duration>,
}

/// Whether a sequential run says that others need not be made: its calls were never made, do not end, or end with a full
/// stack, which takes long.
fn is_futile(run: &Outcome) -> bool {
    let overflows = |call: &CallOutcome| matches!(&call.result, CallResult::Threw { class, .. } if class == "java.lang.StackOverflowError");
    matches!(run.end, End::StepBound | End::PrefixThrew) || run.calls.iter().any(overflows)
}

/// Points of the longest sequential order.
fn longest(baseline: &[(Outcome, Outcome)]) -> u32 {
    baseline
        .iter()
        .map(|(run, again)| run.steps.max(again.steps))
        .max()
        .unwrap_or(0)
}

/// After how many points a schedule is stopped. Threads that get in each other's way may make a run somewhat longer.
fn bound(options: &ExploreOptions, baseline: &[(Outcome, Outcome)]) -> u32 {
    let is_cut = |run: &Outcome| run.end == End::StepBound;
    let mut pairs = baseline.iter();
    if options.long_steps.is_none() || pairs.any(|(run, again)| is_cut(run) || is_cut(again)) {
        return options.max_steps;
    }
    options.max_steps.max(longest(baseline).saturating_mul(LONGER))
}

/// How many schedules, with runs of this length, have about so many points.
fn affordable(steps: u64, longest: u32) -> u64 {
    let longest = u64::from(longest.max(1));
    let fewest = (MOST_STEPS / longest).clamp(FUTILE, FEWEST);
    (steps / longest).max(fewest)
}

impl Attempt<'_> {
    pub(super) fn run(
        &self,
        session: &mut Session,
        gathering: &mut Gathering,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Result<Done, SessionError> {
        let left_alone = session.load(self.plan, &self.options.resets)?;
        gathering.set_left_alone(left_alone);
        // Also in a replacement: the runs load and initialise the classes before any switch can come in between.
        self.baseline(session, gathering)?;
        let begun = Instant::now();
        let result = self.explore(session, gathering, on_progress);
        if let Err(SessionError::Died(death)) = &result {
            let finished = death
                .during
                .map_or(0, |(index, _)| index.saturating_sub(self.position.from));
            let time = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            gathering.lost(finished, time);
        }
        result
    }

    fn baseline(&self, session: &mut Session, gathering: &mut Gathering) -> Result<(), SessionError> {
        let ExploreOptions {
            max_steps,
            long_steps,
            isolate,
            ..
        } = *self.options;
        gathering.max_steps = max_steps;
        // The numbers of the baseline's schedules are not those of the exploration.
        let outside = |error| match error {
            SessionError::Died(mut death) => {
                death.during = None;
                SessionError::Died(death)
            }
            other => other,
        };
        if !self.options.orders {
            let outcome = session.alone(max_steps).map_err(outside)?;
            gathering.baseline = vec![(outcome.clone(), outcome)];
            return Ok(());
        }
        let serial = session
            .serial(
                self.plan,
                Bound {
                    max_steps,
                    long_steps,
                },
                isolate,
                Some(&self.options.cancel),
            )
            .map_err(outside)?;
        gathering.set_left_alone(serial.left_alone);
        gathering.baseline_gap = (!serial.is_complete).then(|| {
            "there are so many orders of the calls that not all of them were run, or they are not the same \
             every time"
                .to_owned()
        });
        gathering.baseline = pairs(serial.runs);
        gathering.max_steps = bound(self.options, &gathering.baseline);
        Ok(())
    }

    /// How many schedules at most. By counts alone, so that it does not depend on how fast the machine is.
    fn schedules(&self, gathering: &Gathering) -> Option<u64> {
        let Some(steps) = self.options.steps else {
            return self.options.schedules;
        };
        let affordable = if gathering.baseline.iter().any(|(run, _)| is_futile(run)) {
            FUTILE
        } else {
            affordable(steps, longest(&gathering.baseline))
        };
        Some(
            self.options
                .schedules
                .map_or(affordable, |schedules| schedules.min(affordable)),
        )
    }

    fn explore(
        &self,
        session: &mut Session,
        gathering: &mut Gathering,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Result<Done, SessionError> {
        let already = self.position.from;
        let request = Request::Explore(Explore {
            scheduler: self.options.scheduler,
            seed: self.options.seed,
            from: already,
            schedules: self
                .schedules(gathering)
                .map(|schedules| schedules.saturating_sub(already)),
            milliseconds: self
                .time
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            max_steps: gathering.max_steps,
            isolate: self.options.isolate,
            singly_until: self.position.singly_until,
        });
        let patience = Patience::exploring(self.time, &session.options.limits);
        let mut on_report = |response| match response {
            Response::NewOutcome(new) => gathering.add(*new),
            Response::Progress(progress) => {
                gathering.set_progress(progress);
                on_progress(&gathering.progress());
            }
            _ => {}
        };
        let unwanted = session.unwanted();
        let worker = session.worker()?;
        let printed = worker.printed();
        let begun = Instant::now();
        let cancel = Some(&*self.options.cancel);
        let response = worker.request(&request, patience, cancel, &unwanted, &mut on_report);
        gathering.printed += worker.printed() - printed;
        session.spent.schedules += begun.elapsed();
        let done = session.take_answer(response, expect_done)?;
        gathering.done(&done);
        on_progress(&gathering.progress());
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::Schedule;
    use raddle_schedule::Config;

    fn run(steps: u32, end: End) -> (Outcome, Outcome) {
        let run = Outcome {
            digest: 1,
            trace_hash: 1,
            steps,
            schedule: Schedule::default(),
            end,
            calls: Vec::new(),
            uncaught: Vec::new(),
            threads: Vec::new(),
        };
        (run.clone(), run)
    }

    #[test]
    fn schedules_may_take_twice_as_many_points_as_sequential_orders_that_end() {
        let long = ExploreOptions {
            max_steps: 60_000,
            long_steps: Some(1_000_000),
            ..ExploreOptions::new(Config::Random, 1)
        };
        let ended = [run(10, End::Completed), run(400_000, End::Stuck)];
        assert_eq!(bound(&long, &ended), 800_000);
        assert_eq!(bound(&long, &[run(10, End::Completed)]), 60_000);
        let cut = [run(400_000, End::Completed), run(1_000_000, End::StepBound)];
        assert_eq!(bound(&long, &cut), 60_000);
        let short = ExploreOptions {
            long_steps: None,
            ..long
        };
        assert_eq!(bound(&short, &ended), 60_000);
    }

    #[test]
    fn long_runs_get_a_handful_of_schedules() {
        assert_eq!(affordable(200_000, 0), 200_000);
        assert_eq!(affordable(200_000, 100), 2000);
        assert_eq!(affordable(200_000, 60_000), FEWEST);
        assert_eq!(affordable(200_000, 400_000), FEWEST);
        assert_eq!(affordable(200_000, 800_000), 5);
        assert_eq!(affordable(200_000, 10_000_000), FUTILE);
    }
}
