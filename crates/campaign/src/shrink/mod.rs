//! The smallest plan and the fewest preemptions that still show a violation.
//!
//! Greedy: whatever can be left out without losing the violation is left out, until nothing more can be. Every step
//! explores the smaller plan and keeps it only if the same cause shows again. Only times become longer: what is over in a
//! millisecond cannot be seen again on a JVM that nobody controls. Bounds are counts, so that the result
//! does not depend on how fast the machine is, but for plans that take more than half a minute.

mod simplify;

use std::time::{Duration, Instant};

use raddle_execute::SessionError;
use raddle_oracle::{Kind, Violation};
use raddle_plan::{Outcome, TestPlan};
use raddle_schedule::Config;

use self::simplify::{Cut, apply, removals, replacements, stretches};
use crate::executor::Executor;
use crate::explore_candidate::{Subject, Suspect};
use raddle_oracle::dedup_key::cause;

/// Explorations for one violation.
const TRIALS: u32 = 80;
/// Passes over a plan: what one leaves out may make more superfluous.
const PASSES: u32 = 4;
/// Preemptions that are counted up to, and the schedules that may take.
const BOUNDS: [(u32, u64); 3] = [(0, 100), (1, 600), (2, 1500)];
/// Of one exploration, and all in all: only to get away from a plan that has become endless.
const LONGEST: Duration = Duration::from_secs(5);
const LONGEST_OF_ALL: Duration = Duration::from_secs(30);
/// Of the budget, the part that one violation may take.
const SHARE: u32 = 3;
/// What it may take when the budget is used up.
const OVERTIME: Duration = Duration::from_secs(2);
/// The last exploration, which comes when all time may be spent, is not to fail for that.
const SHORTEST: Duration = Duration::from_secs(1);

/// Scheduling points of one exploration. Only plans with very long runs have more, and those are seldom confirmed.
const STEPS: u64 = 1_000_000;
/// Of all of them, before only what must be is done.
const STEPS_OF_ALL: u64 = 5_000_000;
/// How much longer than the violation's run another one may be, and what is never too long.
const LONGER: u32 = 4;
const SHORT: u32 = 2000;

/// The smallest that was found.
#[derive(Clone, Debug)]
pub(crate) struct Minimal {
    pub(crate) plan: TestPlan,
    pub(crate) violation: Violation,
    pub(crate) outcome: Outcome,
    /// Points after which runs are stopped: as many as when it was seen first.
    pub(crate) max_steps: u32,
    /// The fewest preemptions that show it, if counting them up showed it.
    pub(crate) preemptions: Option<u32>,
    /// Whether a run asked for the time.
    pub(crate) asks_time: bool,
    pub(crate) schedules: u64,
    pub(crate) steps: u64,
}

/// Makes a suspect's plan and schedule smaller.
pub(crate) fn minimise(
    session: &mut dyn Executor,
    subject: &Subject,
    suspect: &Suspect,
) -> Result<Minimal, SessionError> {
    let mut search = Search {
        session,
        subject,
        suspect,
        begun: subject.clock.now(),
        trials: 0,
        minimal: Minimal {
            plan: suspect.plan.clone(),
            violation: suspect.violation.clone(),
            outcome: suspect.outcome.clone(),
            max_steps: suspect.max_steps,
            preemptions: None,
            asks_time: false,
            schedules: 0,
            steps: 0,
        },
    };
    search.count_preemptions()?;
    for _ in 0..PASSES {
        let before = search.minimal.plan.clone();
        search.shrink(removals)?;
        search.shrink(replacements)?;
        if search.minimal.plan == before {
            break;
        }
    }
    if search.minimal.asks_time {
        search.shrink(stretches)?;
    }
    search.count_preemptions()?;
    search.begin_anew()?;
    tracing::debug!(
        trials = search.trials,
        calls = search.minimal.plan.call_count(),
        "minimised"
    );
    Ok(search.minimal)
}

struct Search<'a> {
    session: &'a mut dyn Executor,
    subject: &'a Subject,
    suspect: &'a Suspect,
    begun: Instant,
    trials: u32,
    minimal: Minimal,
}

impl Search<'_> {
    /// Whoever has little time for the hunt has little for this, too, and less when it is over.
    fn longest(&self) -> Duration {
        let left = self.subject.deadline.saturating_duration_since(self.begun);
        let share = self.subject.options.budget / SHARE;
        share.clamp(LONGEST, LONGEST_OF_ALL).min(left.max(OVERTIME))
    }

    fn is_over(&self) -> bool {
        let is_cancelled = self
            .subject
            .options
            .cancel
            .load(std::sync::atomic::Ordering::Relaxed);
        is_cancelled
            || self.trials >= TRIALS
            || self.minimal.steps >= STEPS_OF_ALL
            || self.subject.clock.since(self.begun) > self.longest()
    }

    /// The fewest preemptions, if few schedules tell.
    fn count_preemptions(&mut self) -> Result<(), SessionError> {
        let plan = self.minimal.plan.clone();
        for (preemptions, schedules) in BOUNDS {
            if self.is_over() || self.minimal.preemptions.is_some_and(|known| known <= preemptions) {
                break;
            }
            let scheduler = Config::Focused { preemptions };
            if let Some((violation, outcome)) = self.explore(&plan, scheduler, schedules)? {
                self.minimal.violation = violation;
                self.minimal.outcome = outcome;
                self.minimal.preemptions = Some(preemptions);
                break;
            }
        }
        Ok(())
    }

    /// Once more with classes that no other plan has used, as in a fresh JVM: what is in their static fields from before
    /// may have changed the steps.
    fn begin_anew(&mut self) -> Result<(), SessionError> {
        let plan = self.minimal.plan.clone();
        let (scheduler, schedules) = self.scheduler();
        self.session.keep_classes(false);
        let shown = self.explore(&plan, scheduler, schedules);
        self.session.keep_classes(true);
        if let Some((violation, outcome)) = shown? {
            self.minimal.violation = violation;
            self.minimal.outcome = outcome;
        }
        Ok(())
    }

    /// Tries all cuts of a kind. The list is made anew after each success, as positions have changed; cuts before the
    /// one that succeeded have just failed, and are not tried again in this pass.
    fn shrink(&mut self, cuts: fn(&TestPlan) -> Vec<Cut>) -> Result<(), SessionError> {
        let mut failed: Vec<Cut> = Vec::new();
        'again: loop {
            for cut in cuts(&self.minimal.plan) {
                if self.is_over() {
                    return Ok(());
                }
                if failed.contains(&cut) {
                    continue;
                }
                let Some(smaller) = apply(&self.minimal.plan, &cut) else {
                    continue;
                };
                let (scheduler, schedules) = self.scheduler();
                if let Some((violation, outcome)) = self.explore(&smaller, scheduler, schedules)? {
                    self.minimal.plan = smaller;
                    self.minimal.violation = violation;
                    self.minimal.outcome = outcome;
                    continue 'again;
                }
                failed.push(cut);
            }
            return Ok(());
        }
    }

    /// What shows the violation most surely.
    fn scheduler(&self) -> (Config, u64) {
        let known = BOUNDS
            .iter()
            .find(|(preemptions, _)| self.minimal.preemptions == Some(*preemptions));
        known.map_or_else(
            || (self.suspect.scheduler, self.suspect.schedules),
            |&(preemptions, schedules)| (Config::Focused { preemptions }, schedules),
        )
    }

    /// The run with the fewest switches that shows the same.
    fn explore(
        &mut self,
        plan: &TestPlan,
        scheduler: Config,
        schedules: u64,
    ) -> Result<Option<(Violation, Outcome)>, SessionError> {
        self.trials += 1;
        let left = self
            .longest()
            .saturating_sub(self.subject.clock.since(self.begun));
        let time = left.clamp(SHORTEST, LONGEST);
        let mut options = self
            .subject
            .options
            .explore(scheduler, self.suspect.seed, schedules, time)
            .resetting(&self.suspect.resets);
        options.steps = Some(STEPS);
        options.max_steps = self.suspect.max_steps;
        if self.suspect.violation.kind != Kind::Livelock {
            // A smaller plan whose runs are much longer has become another one, such as a call that never ends.
            let longest = self.suspect.outcome.steps.saturating_mul(LONGER).max(SHORT);
            options.max_steps = options.max_steps.min(longest);
        }
        let exploration = match self.session.explore(plan, &options) {
            Ok(exploration) => exploration,
            Err(SessionError::Refused(_) | SessionError::Died(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        self.minimal.asks_time |= exploration.asks_time;
        self.minimal.schedules += exploration.progress.schedules;
        self.minimal.steps += exploration.progress.steps;
        let shown = self.subject.judge(plan, &exploration).violations;
        Ok(shown
            .into_iter()
            .filter(|shown| self.is_same(plan, &shown.violation))
            .min_by_key(|shown| shown.by.outcome.schedule.switches.len())
            .map(|shown| (shown.violation, shown.by.outcome)))
    }

    /// Of a wrong result, any will do: which methods it takes is what minimising is to find out.
    fn is_same(&self, plan: &TestPlan, violation: &Violation) -> bool {
        let wanted = &self.suspect.violation;
        violation.kind == wanted.kind
            && (violation.kind == Kind::Result
                || cause(&self.subject.class, plan, violation) == self.suspect.cause)
    }
}
