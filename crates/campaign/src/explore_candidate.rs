//! A candidate under a few well-chosen schedules, judged.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use raddle_discover::invariants_of;
use raddle_execute::{Distinct, Exploration, Meetings, SessionError, Stop};
use raddle_generate::{Candidate, Feedback, Mode};
use raddle_oracle::{Kind, Violation, name_invariant};
use raddle_plan::{End, MemberRef, Outcome, TestPlan};
use raddle_schedule::{Config, Holds, run_seed};

use crate::blind_spots::blind_spots;
use crate::clock::Clock;
use crate::contracts::{Excuses, Terms};
use crate::executor::Executor;
use crate::exercise::Exercise;
use crate::feedback;
use crate::journal::{TrialRecord, plan_mark};
use crate::judged_kinds::judged_kinds;
use crate::options::HuntOptions;
use crate::pairs::Methods;
use crate::realise_prediction::{Realised, realise};
use crate::silenced::Silenced;
use crate::traces;
use crate::verdicts::{MOST_OTHERS, Verdicts, judge_promised, overflows, violating};
use raddle_oracle::dedup_key::{cause, thrown_marks};

/// Most faults need one preemption at the right place, and most plans have fewer places than this.
const FOCUSED: Stage = Stage {
    scheduler: Config::Focused { preemptions: 1 },
    schedules: 150,
};
/// Two threads that take two locks crosswise meet in one random schedule of three.
const QUICK: Stage = Stage {
    scheduler: Config::Random,
    schedules: 30,
};
/// For what takes more preemptions than one, or other ones.
const DEEP: Stage = Stage {
    scheduler: Config::Pos,
    schedules: 150,
};
/// For predictions that did not come true as they were made.
const AFTERWARDS: Stage = Stage {
    scheduler: Config::Focused { preemptions: 1 },
    schedules: 30,
};
/// Predictions of a plan, each tried with a few schedules.
const MOST_DIRECTED: usize = 3;
/// Scheduling points of a run in which a predicted one is looked for. It is put together of two tests.
const FORETOLD_STEPS: u32 = 2 * traces::MAX_STEPS;
/// What the published tools do: DepCon+, section 7, runs every test 100 times.
const STRESS: Stage = Stage {
    scheduler: Config::Stress,
    schedules: 100,
};
/// Scheduling points of one stage: a plan with long runs has fewer of them, so that others are tried too.
const STEPS: u64 = 200_000;
/// Scheduling points, those of sequential runs included, after which a plan gets no second stage: others are to be tried, too.
const ENOUGH: u64 = 1_000_000;
/// A plan that takes longer keeps others from being tried.
const LONGEST: Duration = Duration::from_secs(5);
/// Workers that may die over a plan before it is dropped.
pub(crate) const DEATHS: usize = 2;

/// Schedules to run a plan under.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Stage {
    scheduler: Config,
    schedules: u64,
}

/// A predicted interleaving and its neighbours.
fn directed(holds: Holds) -> Stage {
    Stage {
        scheduler: Config::Directed(holds),
        schedules: 20,
    }
}

/// A violation as it was first seen.
#[derive(Clone, Debug)]
pub(crate) struct Suspect {
    /// Why the plan was made.
    pub(crate) reason: String,
    pub(crate) plan: TestPlan,
    pub(crate) violation: Violation,
    pub(crate) outcome: Outcome,
    /// What else runs of the plan show of the same cause: it need not be by design if the first is.
    pub(crate) others: Vec<(Violation, Outcome)>,
    pub(crate) cause: String,
    /// The scheduler that showed it, its seed, and how many schedules that took at most.
    pub(crate) scheduler: Config,
    pub(crate) seed: u64,
    pub(crate) schedules: u64,
    /// Points after which its runs were stopped.
    pub(crate) max_steps: u32,
    /// Of the plan, see [`Subject::resets`].
    pub(crate) resets: Vec<String>,
    /// What is known of the calls of the plan.
    pub(crate) terms: Arc<Terms>,
    /// Whether its calls fill the stack when they are made one after the other.
    pub(crate) overflows: bool,
}

impl Suspect {
    /// The same with what another run shows, if there is one.
    pub(crate) fn other(&self) -> Option<Suspect> {
        let (first, rest) = self.others.split_first()?;
        let (violation, outcome) = first.clone();
        Some(Suspect {
            violation,
            outcome,
            others: rest.to_vec(),
            ..self.clone()
        })
    }
}

/// What came of a candidate.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    pub(crate) feedback: Feedback,
    pub(crate) suspects: Vec<Suspect>,
    /// Why it could not be run, or not be judged; none if it was.
    pub(crate) failure: Option<String>,
    /// What could not be instrumented.
    pub(crate) blind_spots: Option<String>,
    /// Why static state was left over from run to run, as sentences.
    pub(crate) not_reset: Vec<String>,
    /// What it exercised of the class; none if it could not be run at all.
    exercise: Option<Exercise>,
    pub(crate) schedules: u64,
    pub(crate) steps: u64,
    /// The same with those of sequential runs.
    work: u64,
    /// Marks of the exceptions that the calls threw when they were made one after the other.
    thrown: BTreeSet<String>,
    /// Violations that the documentation excuses.
    pub(crate) silenced: Vec<Silenced>,
    /// Predictions that came true, until there is something to compare with.
    unjudged: Vec<Realised>,
    /// What its runs reached, see [`Meetings::reached`].
    reached: BTreeSet<u32>,
    /// Threads that nobody controls did not come to their end.
    hung: bool,
}

/// What a trial needs besides a session.
#[derive(Clone)]
pub(crate) struct Subject {
    /// Java name of the class under test.
    pub(crate) class: String,
    pub(crate) methods: Arc<Methods>,
    pub(crate) options: Arc<HuntOptions>,
    pub(crate) clock: Clock,
    /// When the budget of the class is used up.
    pub(crate) deadline: Instant,
    /// Classes whose static state the plan changes, so that it is made anew before every run.
    pub(crate) resets: Vec<String>,
    /// What is known of the calls of the plan.
    pub(crate) terms: Arc<Terms>,
    /// Methods of the class that must be true, or throw nothing, when the threads have ended.
    pub(crate) invariants: Arc<[MemberRef]>,
    /// Whether the calls of the plan may take long, see [`LongCalls`].
    ///
    /// [`LongCalls`]: crate::long_calls::LongCalls
    pub(crate) may_take_long: bool,
}

impl Subject {
    /// The kinds that count in a plan.
    fn kinds(&self, plan: &TestPlan) -> BTreeSet<Kind> {
        judged_kinds(&self.class, plan, &self.options.kinds, &self.terms)
    }

    /// What the documentation excuses in a plan; nothing if the user wants to see it all the same.
    fn excuses<'p>(&'p self, plan: &'p TestPlan) -> Option<Excuses<'p>> {
        (!self.options.is_strict).then(|| Excuses::of(&self.terms, plan))
    }

    /// Has a violation say that it is a broken invariant, if it is one.
    pub(crate) fn name_invariant(&self, plan: &TestPlan, violation: &mut Violation, outcome: &Outcome) {
        if !self.invariants.is_empty() {
            let invariants = invariants_of(plan, |member| self.invariants.contains(member));
            name_invariant(violation, outcome, &invariants);
        }
    }

    /// What the outcomes of a plan mean.
    pub(crate) fn judge(&self, plan: &TestPlan, exploration: &Exploration) -> Verdicts {
        let mut verdicts = judge_promised(plan, exploration, &self.kinds(plan), self.excuses(plan));
        for shown in &mut verdicts.violations {
            self.name_invariant(plan, &mut shown.violation, &shown.by.outcome);
        }
        verdicts
    }
}

/// What all stages of a plan have together.
struct Time {
    clock: Clock,
    until: Instant,
}

impl Time {
    fn left(&self) -> Duration {
        self.until.saturating_duration_since(self.clock.now())
    }

    fn is_up(&self) -> bool {
        self.left().is_zero()
    }
}

/// Runs a candidate. That its plan is of no use is a part of the answer.
pub(crate) fn try_candidate(
    session: &mut dyn Executor,
    subject: &Subject,
    candidate: &Candidate,
    time: Duration,
) -> Result<Trial, SessionError> {
    let mut trial = Trial::default();
    let plan = &candidate.plan;
    if let Err(problem) = plan.check() {
        trial.refuse(problem.to_string());
        return Ok(trial);
    }
    let (first, second) = match candidate.evidence.mode {
        Mode::Exception => (FOCUSED, DEEP),
        Mode::Deadlock => (QUICK, FOCUSED),
    };
    let time = Time {
        clock: subject.clock.clone(),
        until: subject.clock.now() + time.min(LONGEST),
    };
    let time = &time;
    if subject.options.is_stress {
        trial.stage(session, subject, candidate, STRESS, time)?;
        if trial.hung {
            // Who waits for whom is only known of controlled threads.
            let mut controlled = Trial::default();
            controlled.stage(session, subject, candidate, QUICK, time)?;
            if controlled.suspects.is_empty() {
                controlled.stage(session, subject, candidate, FOCUSED, time)?;
            }
            controlled.schedules += trial.schedules;
            controlled.steps += trial.steps;
            trial = controlled;
        }
        trial.feedback.violation = !trial.suspects.is_empty();
        return Ok(trial);
    }
    let realisation = realise(session, &subject.resets, candidate, FORETOLD_STEPS)?;
    trial.schedules += realisation.schedules;
    trial.steps += realisation.steps;
    trial.work += realisation.steps;
    let realised = realisation
        .realised
        .iter()
        .map(|came_true| came_true.mark.clone())
        .collect();
    trial.unjudged = realisation.realised;
    // Calls that may take long are tried all the same, without what was predicted.
    let is_endless = realisation.is_endless && candidate.evidence.mode == Mode::Exception;
    if is_endless && !subject.may_take_long {
        trial.failure = Some(format!(
            "the calls that were put together take more than {FORETOLD_STEPS} scheduling points alone"
        ));
        return Ok(trial);
    }
    if !realisation.holds.is_empty() {
        for holds in realisation.holds.iter().take(MOST_DIRECTED) {
            trial.stage(session, subject, candidate, directed(*holds), time)?;
            trial.failure = None;
            if !trial.suspects.is_empty() || trial.feedback.refused.is_some() {
                break;
            }
        }
        if trial.suspects.is_empty() && trial.feedback.refused.is_none() {
            trial.stage(session, subject, candidate, AFTERWARDS, time)?;
        }
    } else if let Some(exploration) = trial.stage(session, subject, candidate, first, time)?
        && trial.suspects.is_empty()
        && is_promising(&exploration)
        && trial.work < ENOUGH
        && !time.is_up()
    {
        trial.stage(session, subject, candidate, second, time)?;
    }
    trial.feedback.violation = !trial.suspects.is_empty();
    trial.feedback.realised = realised;
    Ok(trial)
}

/// Whether more schedules can show more: calls got in each other's way, or there are schedules left.
fn is_promising(exploration: &Exploration) -> bool {
    let is_cut = exploration.stop != Some(Stop::Exhausted);
    let orders = exploration.baseline.len() as u64;
    is_cut || exploration.outcomes.len() > 1 || exploration.progress.schedules > 2 * orders
}

/// Marks of the exceptions that calls threw in sequential orders.
fn thrown_alone(exploration: &Exploration) -> BTreeSet<String> {
    let runs = exploration.baseline.iter().map(|(run, _)| run);
    thrown_marks(runs)
}

impl Trial {
    /// What is to be remembered of it.
    pub(crate) fn record(&self, plan: &TestPlan, methods: &Methods) -> TrialRecord {
        let mut exercise = self.exercise.clone().unwrap_or_else(|| {
            let why = self.failure.as_deref().unwrap_or("the plan was not run");
            Exercise::refused(plan, methods, why)
        });
        if self.failure.is_some() {
            exercise.not_judged();
        }
        let (encounters, branches) = self.reached.iter().partition(|one| **one >= Meetings::BESIDE);
        TrialRecord {
            exercise,
            plan: plan_mark(plan),
            feedback: Feedback {
                branches,
                encounters,
                work: self.work,
                ..self.feedback.clone()
            },
            failure: self.failure.clone(),
            blind_spots: self.blind_spots.clone(),
            notes: self.not_reset.clone(),
            thrown: self.thrown.iter().cloned().collect(),
            silenced: self.silenced.clone(),
        }
    }

    fn refuse(&mut self, problem: String) {
        self.failure = Some(problem.clone());
        self.feedback.refused = Some(problem);
    }

    /// One stage; the exploration if its plan could be judged.
    fn stage(
        &mut self,
        session: &mut dyn Executor,
        subject: &Subject,
        candidate: &Candidate,
        stage: Stage,
        time: &Time,
    ) -> Result<Option<Exploration>, SessionError> {
        let plan = &candidate.plan;
        let _span = tracing::debug_span!("stage", scheduler = %stage.scheduler).entered();
        let seed = run_seed(subject.options.seed, candidate.number);
        let mut options = subject
            .options
            .explore(stage.scheduler, seed, stage.schedules, time.left())
            .resetting(&subject.resets);
        options.steps = Some(STEPS);
        options.long_steps = subject.may_take_long.then_some(HuntOptions::LONG_STEPS);
        // As `raddle run` takes it, so that a plan of which nothing is kept can be looked at by itself.
        tracing::trace!(plan = %plan.to_json().unwrap_or_default(), "explores");
        let exploration = match session.explore(plan, &options) {
            Ok(exploration) => exploration,
            Err(SessionError::Refused(problem)) => {
                self.refuse(problem);
                return Ok(None);
            }
            Err(SessionError::Died(death)) => {
                self.refuse(death.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        tracing::debug!(
            schedules = exploration.progress.schedules,
            outcomes = exploration.outcomes.len(),
            deaths = exploration.deaths.len(),
            "explored"
        );
        self.schedules += exploration.progress.schedules;
        self.steps += exploration.progress.steps;
        self.work += exploration.progress.steps;
        if self.exercise.is_none() {
            // A session makes the sequential runs of a plan once.
            let runs = exploration
                .baseline
                .iter()
                .flat_map(|(once, again)| [once, again]);
            self.work += runs.map(|run| u64::from(run.steps)).sum::<u64>();
        }
        let is_stuck = |distinct: &Distinct| distinct.outcome.end == End::Stuck;
        self.hung = !exploration.deaths.is_empty() || exploration.outcomes.iter().any(is_stuck);
        self.reached.extend(exploration.meetings.reached.iter().copied());
        self.blind_spots = blind_spots(plan, &exploration.left_alone, &exploration.unseen);
        self.not_reset.clone_from(&exploration.not_reset);
        self.thrown.extend(thrown_alone(&exploration));
        let verdicts = subject.judge(plan, &exploration);
        for excused in &verdicts.excused {
            let methods = subject.methods.names(plan);
            Silenced::count(&mut self.silenced, Silenced::of(excused, methods));
        }
        let unjudged = std::mem::take(&mut self.unjudged);
        let outcomes = unjudged.iter().map(|came_true| &came_true.outcome);
        let violating = violating(
            plan,
            &exploration,
            &subject.kinds(plan),
            subject.excuses(plan),
            outcomes,
        );
        let observable = unjudged
            .into_iter()
            .filter(|came_true| violating.contains(&came_true.outcome.digest))
            .map(|came_true| came_true.mark);
        if self.feedback == Feedback::default() {
            self.feedback = feedback::of(plan, &exploration, &subject.methods, subject.options.is_stress);
        }
        self.feedback.asks_time |= exploration.asks_time;
        let other_class = subject.methods.other_class(plan, &exploration.meetings.kinds);
        let exercise = Exercise::of(
            plan,
            &exploration,
            &subject.methods,
            self.blind_spots.is_some(),
            subject.options.is_stress,
        );
        match &mut self.exercise {
            Some(known) => known.merge(exercise),
            None => self.exercise = Some(exercise),
        }
        if let Some(problem) = other_class {
            // What it shows is not the fault of the class under test.
            self.refuse(problem);
            return Ok(None);
        }
        self.feedback.observable.extend(observable);
        if exploration.deaths.len() >= DEATHS {
            let last = exploration
                .deaths
                .last()
                .map(ToString::to_string)
                .unwrap_or_default();
            self.refuse(format!("dropped after {DEATHS} JVMs died over it: {last}"));
        } else if verdicts.violations.is_empty() {
            // A worker that was cut off does not say why it stopped.
            let is_late = self.schedules == 0 && matches!(exploration.stop, None | Some(Stop::Time));
            let late = is_late.then(|| "time was up before the first schedule".to_owned());
            let gap = verdicts.gaps.first().cloned().or(late);
            self.failure = gap.map(|gap| feedback::unprepared(&exploration).unwrap_or(gap));
        }
        let overflows = overflows(&exploration);
        for shown in verdicts.violations {
            let cause = cause(&subject.class, plan, &shown.violation);
            let others = shown.others.into_iter();
            let mut others: Vec<(Violation, Outcome)> =
                others.map(|(violation, by)| (violation, by.outcome)).collect();
            let mut known = self.suspects.iter_mut();
            if let Some(known) = known.find(|suspect| suspect.cause == cause) {
                known.others.push((shown.violation, shown.by.outcome));
                known.others.append(&mut others);
                known.others.truncate(MOST_OTHERS);
                continue;
            }
            self.suspects.push(Suspect {
                reason: candidate.evidence.text.clone(),
                plan: plan.clone(),
                violation: shown.violation,
                outcome: shown.by.outcome,
                others,
                cause,
                scheduler: stage.scheduler,
                seed,
                schedules: stage.schedules,
                max_steps: exploration.max_steps,
                resets: subject.resets.clone(),
                terms: Arc::clone(&subject.terms),
                overflows,
            });
        }
        Ok(self.failure.is_none().then_some(exploration))
    }
}
