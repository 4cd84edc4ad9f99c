//! A class while it is hunted.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use raddle_generate::{Candidate, Strategy, TracedTest};
use raddle_plan::TestPlan;
use raddle_program::ClassId;

use crate::class_stats::ClassStats;
use crate::error::HuntError;
use crate::event::Also;
use crate::explore_candidate::{Subject, Suspect};
use crate::finding::{Finding, calls_text};
use crate::guards::Guards;
use crate::journal::{Known, Settled, TrialRecord, plan_mark};
use crate::long_calls::LongCalls;
use crate::promise::{Promise, Strength};
use crate::settle::CameTo;
use crate::timing::TimeSpent;

/// A class while it is hunted.
pub(crate) struct ClassState {
    pub(crate) class: ClassId,
    pub(crate) subject: Subject,
    pub(crate) stats: ClassStats,
    pub(crate) deadline: Instant,
    /// Which calls run on for ever.
    pub(crate) long_calls: LongCalls,
    /// Candidates that the strategy had made when the earlier part of the hunt ended, and not heard of yet.
    pub(crate) begun: VecDeque<Candidate>,
    /// Set when nothing more is to be begun.
    pub(crate) is_left: Arc<AtomicBool>,
    /// Findings of the plans that were under way when the earlier part of the hunt ended. These plans are tried again.
    pub(crate) awaited: Vec<Finding>,
    /// What was looked into for the plan that is heard of.
    pub(crate) settled: Vec<Settled>,
    /// The strategy has nothing more to offer.
    pub(crate) is_exhausted: bool,
    /// Plans that it did not make, see [`Strategy::left_out`].
    pub(crate) left_out: u64,
    pub(crate) spending: TimeSpent,
    /// What the class promises.
    pub(crate) promise: Promise,
    /// How consistently it guards its state.
    pub(crate) guards: Guards,
    /// The weakest promise whose findings count.
    pub(crate) least: Strength,
}

impl ClassState {
    /// Until the budget is used up.
    pub(crate) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(self.subject.clock.now())
    }

    /// What came of a candidate, for the strategy and for the stats.
    pub(crate) fn hear(&mut self, candidate: &Candidate, trial: &TrialRecord, strategy: &mut dyn Strategy) {
        self.stats.add(&self.subject.methods, trial);
        self.long_calls
            .hear(&candidate.plan, &trial.feedback, trial.failure.is_none());
        self.stats
            .realised
            .extend(trial.feedback.realised.iter().cloned());
        let observable = trial.feedback.observable.iter().cloned();
        self.stats.observable.extend(observable);
        strategy.observe(candidate.number, &trial.feedback);
    }

    /// Brings a new strategy and the stats to where the earlier part of the hunt left them.
    /// Sequential tests are run again: what they show is not written down.
    pub(crate) fn catch_up(
        &mut self,
        known: &Known,
        strategy: &mut dyn Strategy,
        alone: &mut dyn FnMut(TestPlan) -> Result<Option<TracedTest>, HuntError>,
    ) -> Result<(), HuntError> {
        let class = self.subject.class.clone();
        let problem = |reason: String| HuntError::Resume { class, reason };
        let mut findings = known.findings.clone();
        for tried in &known.tried {
            while self.begun.len() < tried.window {
                while let Some(plan) = strategy.next_alone() {
                    strategy.observe_alone(alone(plan)?);
                }
                let Some(candidate) = strategy.next() else {
                    break;
                };
                self.begun.push_back(candidate);
            }
            let candidate = self.begun.pop_front();
            let Some(candidate) = candidate.filter(|it| plan_mark(&it.plan) == tried.trial.plan) else {
                return Err(problem("other plans are made now than then".to_owned()));
            };
            self.hear(&candidate, &tried.trial, strategy);
            for Settled { cause, came_to, also } in &tried.settled {
                self.stats.count_try(cause);
                match came_to {
                    Err(sighting) => self.stats.saw(cause, sighting.clone()),
                    Ok(id) => {
                        let Some(finding) = known.findings.iter().find(|finding| finding.id == *id) else {
                            return Err(problem(format!("the finding {id} is not there")));
                        };
                        self.stats.take(finding, self.subject.options.is_strict);
                        if let Some(calls) = also {
                            self.stats.is_also(cause, id, calls);
                        }
                        findings.retain(|finding| finding.id != *id);
                    }
                }
            }
            self.stats.go_on_from(&tried.numbers);
        }
        self.awaited = findings;
        Ok(())
    }

    /// A violation is the fault of a finding; other calls that show it are listed with that, which is returned if it is
    /// news. It is remembered then, or if it took some looking into.
    pub(crate) fn is_also(&mut self, suspect: &Suspect, id: String, is_settled: bool) -> Option<Also> {
        let calls = calls_text(&self.subject.methods.names(&suspect.plan));
        let is_news = self.stats.is_also(&suspect.cause, &id, &calls);
        let also = is_news.then(|| Also {
            id: id.clone(),
            calls: calls.clone(),
            after: self.stats.numbers().time,
        });
        if is_news || is_settled {
            self.settled.push(Settled {
                cause: suspect.cause.clone(),
                came_to: Ok(id),
                also: Some(calls),
            });
        }
        also
    }

    /// What came of a violation, now that those that were looked into at the same time are known.
    pub(crate) fn again(&self, came_to: CameTo) -> CameTo {
        let CameTo::New(sure) = came_to else {
            return came_to;
        };
        let kind = sure.minimal.violation.kind;
        let known = self.stats.leaving_unguarded(kind, &sure.unguarded);
        match known.filter(|_| sure.weakness.is_none()) {
            Some(id) => CameTo::Known(id),
            None => CameTo::New(sure),
        }
    }

    /// The finding of an earlier part of the hunt for a violation of this cause.
    pub(crate) fn take_awaited(&mut self, cause: &str) -> Option<Finding> {
        let is_it = |finding: &Finding| finding.is_minimal && finding.first_cause == cause;
        let at = self.awaited.iter().position(is_it)?;
        Some(self.awaited.remove(at))
    }
}
