//! The loop: candidates go to the workers, and what came of them is heard, until a class is done.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use raddle_execute::{SessionError, Spent};
use raddle_generate::{Candidate, Strategy};

use super::{GRACE, Run};
use crate::class_state::ClassState;
use crate::error::HuntError;
use crate::event::{HuntEvent, Progress};
use crate::executor::Executor;
use crate::explore_candidate::{Subject, Trial, try_candidate};
use crate::journal::Tried;
use crate::statics::changed_statics;
use crate::timing::timed;
use crate::worker_pool::Answer;

/// Of the budget, the part that one test may take, and how long that is at least and at most. One that waits for what nobody
/// sends would take all of it.
const TEST_SHARE: u32 = 16;
const SHORTEST_SHARE: Duration = Duration::from_secs(1);
const LONGEST_SHARE: Duration = Duration::from_secs(10);

/// So many shares has the first test of a new worker.
const LOADING: u32 = 2;

/// A trial, how long it took, and how long the workers had of that.
type Tested = (Trial, Duration, Spent);

/// A candidate that a worker has; the answer is none if it was not begun in time.
struct UnderWay {
    candidate: Candidate,
    answer: Answer<Option<Tested>>,
}

impl Run<'_, '_> {
    pub(super) fn most_findings(&self) -> usize {
        if self.options.stop_at_first {
            1
        } else {
            self.options.max_findings
        }
    }

    fn is_over(&self, class_state: &ClassState) -> bool {
        self.is_cancelled() || self.clock.now() >= class_state.deadline || self.has_enough(class_state)
    }

    /// Whether the class is over by a number, and not by time.
    fn has_enough(&self, class_state: &ClassState) -> bool {
        let is_last = |most| class_state.stats.tried_plans() >= most;
        class_state.stats.findings.len() >= self.most_findings()
            || self.options.max_plans.is_some_and(is_last)
            || class_state.stats.is_in_vain()
    }

    /// Takes candidates from the strategy until the budget is used up. So many are made before the first of them is heard
    /// of that no worker waits for another; they are heard of in the order in which they were made.
    pub(super) fn chase(
        &mut self,
        class_state: &mut ClassState,
        strategy: &mut dyn Strategy,
    ) -> Result<(), HuntError> {
        let begun_before = std::mem::take(&mut class_state.begun);
        let mut under_way: VecDeque<UnderWay> = VecDeque::new();
        for candidate in begun_before {
            let candidate = self.candidate_at_home(class_state, candidate);
            under_way.push_back(self.begin(class_state, candidate)?);
        }
        loop {
            while under_way.len() < self.pool.window() && !self.is_over(class_state) {
                let Some(candidate) = self.make(class_state, strategy)? else {
                    class_state.is_exhausted = under_way.is_empty() && !self.is_over(class_state);
                    break;
                };
                under_way.push_back(self.begin(class_state, candidate)?);
            }
            let Some(UnderWay { candidate, answer }) = under_way.pop_front() else {
                break;
            };
            match answer.wait()? {
                Some(tested) if !self.has_enough(class_state) => {
                    self.hear(class_state, strategy, &candidate, tested)?;
                }
                // Not begun in time, or not needed: how many of these were begun is different every time.
                _ => {}
            }
            if self.is_over(class_state) {
                class_state.is_left.store(true, Ordering::Relaxed);
            }
        }
        // These were seen and confirmed, even if there was no time to see them again.
        for finding in std::mem::take(&mut class_state.awaited) {
            class_state.stats.take(&finding, self.options.is_strict);
        }
        Ok(())
    }

    /// A candidate whose plan is where it has to be, and checks what has to be checked.
    fn candidate_at_home(&self, class_state: &ClassState, candidate: Candidate) -> Candidate {
        Candidate {
            plan: self.checked(class_state, self.at_home(candidate.plan)),
            ..candidate
        }
    }

    /// The strategy's next candidate, once the sequential tests are run that it asks for.
    fn make(
        &mut self,
        class_state: &mut ClassState,
        strategy: &mut dyn Strategy,
    ) -> Result<Option<Candidate>, HuntError> {
        loop {
            let begun = self.clock.now();
            let Some(plan) = strategy.next_alone() else {
                let candidate = strategy.next();
                let candidate = candidate.map(|candidate| self.candidate_at_home(class_state, candidate));
                class_state.spending.generation += self.clock.since(begun);
                return Ok(candidate);
            };
            strategy.observe_alone(self.alone(plan, Some(class_state.deadline))?);
            class_state.spending.seeds += self.clock.since(begun);
            if self.is_over(class_state) {
                return Ok(None);
            }
        }
    }

    /// What came of a candidate, and what comes of the violations that it showed.
    fn hear(
        &mut self,
        class_state: &mut ClassState,
        strategy: &mut dyn Strategy,
        candidate: &Candidate,
        (trial, took, spent): Tested,
    ) -> Result<(), HuntError> {
        class_state.spending.tested(took, spent);
        let begun = self.clock.now();
        let mut record = trial.record(&candidate.plan, &class_state.subject.methods);
        class_state.stats.keep_news(&mut record.feedback);
        class_state.stats.numbers.schedules += trial.schedules;
        class_state.stats.numbers.steps += trial.steps;
        class_state.hear(candidate, &record, strategy);
        class_state.spending.generation += self.clock.since(begun);
        tracing::trace!(
            plan = candidate.number,
            java = candidate.plan.to_java("Test"),
            "made"
        );
        tracing::debug!(
            plan = candidate.number,
            failure = record.failure,
            suspects = trial.suspects.len(),
            "heard"
        );
        self.progress(class_state);
        let begun = self.clock.now();
        self.settle_all(class_state, trial.suspects)?;
        class_state.spending.settling += self.clock.since(begun);
        let settled = std::mem::take(&mut class_state.settled);
        // What ends the class may have cut the last plan short. A hunt that is resumed tries it again.
        if !self.is_over(class_state) {
            (self.on_event)(HuntEvent::Tried(Box::new(Tried {
                window: self.pool.window(),
                trial: record,
                settled,
                numbers: class_state.stats.numbers(),
                used: self.options.budget.saturating_sub(class_state.left()),
            })));
        }
        Ok(())
    }

    /// Gives a candidate to a worker.
    fn begin(&mut self, class_state: &ClassState, candidate: Candidate) -> Result<UnderWay, HuntError> {
        let subject = Subject {
            resets: changed_statics(self.program, &self.analyzer, &candidate.plan),
            terms: self.terms(class_state.class, &candidate.plan),
            may_take_long: class_state.long_calls.may_take_long(&candidate.plan),
            ..class_state.subject.clone()
        };
        let (deadline, is_left) = (class_state.deadline, Arc::clone(&class_state.is_left));
        let (tried, clock) = (candidate.clone(), self.clock.clone());
        let share = (self.options.budget / TEST_SHARE).clamp(SHORTEST_SHARE, LONGEST_SHARE);
        let answer = self.pool.submit(move |session: &mut dyn Executor| {
            let left = deadline.saturating_duration_since(clock.now());
            if left.is_zero() || is_left.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let _span = tracing::info_span!("plan", number = tried.number, test = tried.plan.name).entered();
            // That a test before was cut is not the fault of this one: it neither pays for the new worker, nor for all the
            // classes that are loaded there once more.
            session.until(Some(deadline + GRACE));
            let share = match session.start() {
                Ok(is_new) => share * if is_new { LOADING } else { 1 },
                Err(SessionError::Died(_)) => return Ok(None),
                Err(error) => return Err(error),
            };
            // What takes no notice of the time is cut; at the end of all time, it was not tried.
            let enough = clock.now() + share;
            session.until(Some((enough + share / 2).min(deadline + GRACE)));
            let tested = timed(session, &clock, |session| {
                try_candidate(session, &subject, &tried, left.min(share))
            });
            session.until(None);
            let now = clock.now();
            tested.map(|(mut trial, time, spent)| {
                trial.feedback.is_slow = now > enough;
                (now <= deadline + GRACE || !trial.suspects.is_empty()).then_some((trial, time, spent))
            })
        })?;
        Ok(UnderWay { candidate, answer })
    }

    pub(super) fn progress(&mut self, class_state: &ClassState) {
        (self.on_event)(HuntEvent::Progress(Progress {
            class: class_state.subject.class.clone(),
            numbers: class_state.stats.numbers(),
            findings: class_state.stats.findings.len(),
            left: class_state.left(),
        }));
    }
}
