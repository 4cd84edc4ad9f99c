//! One worker's try at a plan: its sequential orders, and then its schedules.

use std::time::{Duration, Instant};

use raddle_plan::{CallOutcome, CallResult, End, Outcome, TestPlan};
use raddle_worker::protocol::{Done, Explore, Progress, Request, Response};

use super::{Position, Session, expect_done, pairs};
use crate::error::SessionError;
use crate::exploration::Gathering;
use crate::options::ExploreOptions;
use crate::worker::Patience;

/// Schedules of a plan however long they are, and of one whose runs are long and come to nothing.
const FEWEST: u64 = 10;
const FUTILE: u64 = 3;

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
            max_steps, isolate, ..
        } = *self.options;
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
            .serial(self.plan, max_steps, isolate, Some(&self.options.cancel))
            .map_err(outside)?;
        gathering.set_left_alone(serial.left_alone);
        gathering.baseline_gap = (!serial.is_complete).then(|| {
            "there are so many orders of the calls that not all of them were run, or they are not the same \
             every time"
                .to_owned()
        });
        gathering.baseline = pairs(serial.runs);
        Ok(())
    }

    /// How many schedules at most. By counts alone, so that it does not depend on how fast the machine is.
    fn schedules(&self, gathering: &Gathering) -> Option<u64> {
        let Some(steps) = self.options.steps else {
            return self.options.schedules;
        };
        let runs = || gathering.baseline.iter().map(|(run, _)| run);
        let longest = runs().map(|run| run.steps).max();
        let affordable = if runs().any(is_futile) {
            FUTILE
        } else {
            (steps / u64::from(longest.unwrap_or(1).max(1))).max(FEWEST)
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
            max_steps: self.options.max_steps,
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
