//! The loop: candidates go to the workers, and what came of them is heard, until a class is done.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use raddle_execute::Spent;
use raddle_generate::{Candidate, Strategy};

use super::{GRACE, Run};
use crate::error::HuntError;
use crate::event::{HuntEvent, Progress};
use crate::executor::Executor;
use crate::journal::Tried;
use crate::lanes::Answer;
use crate::quarry::Quarry;
use crate::spending::timed;
use crate::statics::changed_statics;
use crate::trial::{Subject, Trial, try_candidate};

/// Of the budget, the part that one test may take, and how long that is at least and at most. One that waits for what nobody
/// sends would take all of it.
const TEST_SHARE: u32 = 16;
const SHORTEST_SHARE: Duration = Duration::from_secs(1);
const LONGEST_SHARE: Duration = Duration::from_secs(10);

/// A trial, how long it took, and how long the workers had of that.
type Tested = (Trial, Duration, Spent);

/// A candidate that a lane has; the answer is none if it was not begun in time.
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

    fn is_over(&self, quarry: &Quarry) -> bool {
        self.is_cancelled() || self.clock.now() >= quarry.deadline || self.has_enough(quarry)
    }

    /// Whether the class is over by a number, and not by time.
    fn has_enough(&self, quarry: &Quarry) -> bool {
        let is_last = |most| quarry.tally.tried_plans() >= most;
        quarry.tally.findings.len() >= self.most_findings()
            || self.options.max_plans.is_some_and(is_last)
            || quarry.tally.is_in_vain()
    }

    /// Takes candidates from the strategy until the budget is used up. So many are made before the first of them is heard
    /// of that no lane waits for another; they are heard of in the order in which they were made.
    pub(super) fn chase(
        &mut self,
        quarry: &mut Quarry,
        strategy: &mut dyn Strategy,
    ) -> Result<(), HuntError> {
        let begun_before = std::mem::take(&mut quarry.begun);
        let mut under_way: VecDeque<UnderWay> = VecDeque::new();
        for candidate in begun_before {
            let candidate = self.candidate_at_home(quarry, candidate);
            under_way.push_back(self.begin(quarry, candidate)?);
        }
        loop {
            while under_way.len() < self.lanes.window() && !self.is_over(quarry) {
                let Some(candidate) = self.make(quarry, strategy)? else {
                    quarry.is_exhausted = under_way.is_empty() && !self.is_over(quarry);
                    break;
                };
                under_way.push_back(self.begin(quarry, candidate)?);
            }
            let Some(UnderWay { candidate, answer }) = under_way.pop_front() else {
                break;
            };
            match answer.wait()? {
                Some(tested) if !self.has_enough(quarry) => {
                    self.hear(quarry, strategy, &candidate, tested)?;
                }
                // Not begun in time, or not needed: how many of these were begun is different every time.
                _ => {}
            }
            if self.is_over(quarry) {
                quarry.is_left.store(true, Ordering::Relaxed);
            }
        }
        // These were seen and confirmed, even if there was no time to see them again.
        for finding in std::mem::take(&mut quarry.awaited) {
            quarry.tally.take(&finding, self.options.is_strict);
        }
        Ok(())
    }

    /// A candidate whose plan is where it has to be, and checks what has to be checked.
    fn candidate_at_home(&self, quarry: &Quarry, candidate: Candidate) -> Candidate {
        Candidate {
            plan: self.checked(quarry, self.at_home(candidate.plan)),
            ..candidate
        }
    }

    /// The strategy's next candidate, once the sequential tests are run that it asks for.
    fn make(
        &mut self,
        quarry: &mut Quarry,
        strategy: &mut dyn Strategy,
    ) -> Result<Option<Candidate>, HuntError> {
        loop {
            let begun = self.clock.now();
            let Some(plan) = strategy.next_alone() else {
                let candidate = strategy.next();
                let candidate = candidate.map(|candidate| self.candidate_at_home(quarry, candidate));
                quarry.spending.generation += self.clock.since(begun);
                return Ok(candidate);
            };
            strategy.observe_alone(self.alone(plan, Some(quarry.deadline))?);
            quarry.spending.seeds += self.clock.since(begun);
            if self.is_over(quarry) {
                return Ok(None);
            }
        }
    }

    /// What came of a candidate, and what comes of the violations that it showed.
    fn hear(
        &mut self,
        quarry: &mut Quarry,
        strategy: &mut dyn Strategy,
        candidate: &Candidate,
        (trial, took, spent): Tested,
    ) -> Result<(), HuntError> {
        quarry.spending.tested(took, spent);
        let begun = self.clock.now();
        let mut record = trial.record(&candidate.plan, &quarry.subject.methods);
        quarry.tally.keep_news(&mut record.feedback);
        quarry.tally.numbers.schedules += trial.schedules;
        quarry.tally.numbers.steps += trial.steps;
        quarry.hear(candidate, &record, strategy);
        quarry.spending.generation += self.clock.since(begun);
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
        self.progress(quarry);
        let begun = self.clock.now();
        self.settle_all(quarry, trial.suspects)?;
        quarry.spending.settling += self.clock.since(begun);
        let settled = std::mem::take(&mut quarry.settled);
        // What ends the class may have cut the last plan short. A hunt that is resumed tries it again.
        if !self.is_over(quarry) {
            (self.on_event)(HuntEvent::Tried(Box::new(Tried {
                window: self.lanes.window(),
                trial: record,
                settled,
                numbers: quarry.tally.numbers(),
                used: self.options.budget.saturating_sub(quarry.left()),
            })));
        }
        Ok(())
    }

    /// Gives a candidate to a lane.
    fn begin(&mut self, quarry: &Quarry, candidate: Candidate) -> Result<UnderWay, HuntError> {
        let subject = Subject {
            resets: changed_statics(self.program, &self.analyzer, &candidate.plan),
            terms: self.terms(quarry.class, &candidate.plan),
            ..quarry.subject.clone()
        };
        let (deadline, is_left) = (quarry.deadline, Arc::clone(&quarry.is_left));
        let (tried, clock) = (candidate.clone(), self.clock.clone());
        let share = (self.options.budget / TEST_SHARE).clamp(SHORTEST_SHARE, LONGEST_SHARE);
        let answer = self.lanes.submit(move |session: &mut dyn Executor| {
            let left = deadline.saturating_duration_since(clock.now());
            if left.is_zero() || is_left.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let _span = tracing::info_span!("plan", number = tried.number, test = tried.plan.name).entered();
            // What takes no notice of the time is cut; at the end of all time, it was not tried.
            let enough = clock.now() + share;
            session.until(Some(enough.min(deadline + GRACE)));
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

    pub(super) fn progress(&mut self, quarry: &Quarry) {
        (self.on_event)(HuntEvent::Progress(Progress {
            class: quarry.subject.class.clone(),
            numbers: quarry.tally.numbers(),
            findings: quarry.tally.findings.len(),
            left: quarry.left(),
        }));
    }
}
