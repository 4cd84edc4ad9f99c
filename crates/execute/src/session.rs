//! A worker at a time, replaced when it dies.

mod attempt;
mod bound;
mod doubt;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use raddle_plan::{Clock, End, Order, Outcome, Recording, Schedule, TestPlan};
use raddle_worker::protocol::{
    Done, LeftAlone, Load, NewOutcome, Progress, Ready, Replay, Replayed, Request, Response, Sequential,
};

use self::attempt::Attempt;
use self::bound::Bound;
use self::doubt::Doubt;
use crate::death::{Cause, Death};
use crate::error::SessionError;
use crate::exploration::{Exploration, Gathering};
use crate::options::{ExploreOptions, SessionOptions};
use crate::spent::Spent;
use crate::worker::{NoAnswer, Patience, Unwanted, Worker};

/// Of a run of a test that people wrote, what the threads did is told up to so many steps. Nobody reads more.
const MOST_TRACED: u32 = 50_000;

/// Calls, in all orders that are run for the baseline. Two threads of five calls each have 252 orders.
const BASELINE_CALLS: u64 = 20_000;

/// How often something is begun again if somebody kills the worker meanwhile.
const AGAIN: usize = 3;

/// Does something that needs a worker, again if somebody kills that: the test is not to blame.
fn undisturbed<T>(mut work: impl FnMut() -> Result<T, SessionError>) -> Result<T, SessionError> {
    for _ in 0..AGAIN {
        match work() {
            Err(SessionError::Died(death)) if death.is_by_others() => {}
            done => return done,
        }
    }
    work()
}

/// Runs plans in worker processes that all have the same configuration.
pub struct Session {
    options: SessionOptions,
    live: Option<Live>,
    /// From when on answers are not wanted.
    until: Option<Instant>,
    ready: Ready,
    spent: Spent,
    doubt: Doubt,
}

/// A worker, and what it has been given.
struct Live {
    worker: Worker,
    /// Methods that it was seen to call.
    called: BTreeSet<String>,
    /// The plan that it can run.
    loaded: Option<Loaded>,
}

impl Live {
    fn new(worker: Worker) -> Live {
        Live {
            worker,
            called: BTreeSet::new(),
            loaded: None,
        }
    }
}

/// A plan that a worker can run, with what its calls did there one after the other if they were made.
struct Loaded {
    plan: TestPlan,
    resets: Vec<String>,
    left_alone: Vec<LeftAlone>,
    serial: Option<Serial>,
    /// The run without a preemption, and the bound that it was made with.
    alone: Option<(Outcome, u32)>,
}

/// What the calls of a plan do one after the other.
#[derive(Clone)]
struct Serial {
    runs: Vec<NewOutcome>,
    /// Whether these are all orders.
    is_complete: bool,
    left_alone: Vec<LeftAlone>,
    bound: Bound,
    isolate: bool,
}

impl Serial {
    /// Whether no order came to its end.
    fn is_stuck(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(|run| run.outcome.end == End::Stuck)
    }

    /// Whether the runs would be the same within another bound.
    fn fits(&self, bound: Bound, isolate: bool) -> bool {
        let is_within =
            |run: &NewOutcome| run.outcome.end != End::StepBound && run.outcome.steps < bound.longest();
        self.is_complete
            && self.isolate == isolate
            && (self.bound == bound || self.runs.iter().all(is_within))
    }
}

/// What is recorded of a single run.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Traced {
    No,
    /// What the threads did.
    Yes,
    /// And through which lines they came to it, for people.
    WithCallers,
}

/// A recorded run that was made again, and what the calls do one after the other in the same JVM.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The run.
    pub replayed: Replayed,
    /// Every sequential order, run twice.
    pub baseline: Vec<(Outcome, Outcome)>,
    /// Whether these are all orders, and the same both times.
    pub is_baseline_complete: bool,
}

/// Where in a plan's exploration a worker is to go on.
#[derive(Copy, Clone, Debug, Default)]
struct Position {
    from: u64,
    singly_until: u64,
}

impl Session {
    /// Starts the first worker.
    pub fn open(options: SessionOptions) -> Result<Session, SessionError> {
        let begun = Instant::now();
        let (worker, ready) = undisturbed(|| Worker::start(&options, None))?;
        Ok(Session {
            options,
            live: Some(Live::new(worker)),
            until: None,
            ready,
            spent: Spent {
                starting: begun.elapsed(),
                ..Spent::default()
            },
            doubt: Doubt::new(),
        })
    }

    /// What the latest worker said of itself.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Where the time went since this was asked before.
    pub fn take_spent(&mut self) -> Spent {
        std::mem::take(&mut self.spent)
    }

    /// How its workers are started.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// From then on no answer is wanted: a worker that is still at something is killed. None if there is time.
    pub fn until(&mut self, until: Option<Instant>) {
        self.until = until;
    }

    fn unwanted(&self) -> Unwanted {
        Unwanted {
            interrupt: Arc::clone(&self.options.interrupt),
            from: self.until,
        }
    }

    /// Starts a worker if there is none; whether there was none.
    pub fn start(&mut self) -> Result<bool, SessionError> {
        let is_new = self.live.is_none();
        self.worker()?;
        Ok(is_new)
    }

    /// Lets the current worker go; the next request starts another one.
    pub fn renew(&mut self) {
        self.live = None;
    }

    /// Runs a plan in every order of its calls, and then under a scheduler.
    ///
    /// A worker that dies is replaced up to [`crate::Limits::deaths`] times. The schedules that it died over are run
    /// once more one by one, so that the one to blame is known, and are then passed over.
    pub fn explore(
        &mut self,
        plan: &TestPlan,
        options: &ExploreOptions,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Result<Exploration, SessionError> {
        let begun = Instant::now();
        let mut gathering = Gathering::default();
        let mut deaths: Vec<Death> = Vec::new();
        let mut position = Position::default();
        let mut disturbances = 0;
        loop {
            let time = options.time.map(|time| time.saturating_sub(begun.elapsed()));
            let attempt = Attempt {
                plan,
                options,
                position,
                time,
            };
            let death = match attempt.run(self, &mut gathering, on_progress) {
                Ok(done) => {
                    let skipped = passed_over(&deaths);
                    return Ok(gathering.finish(Some(done), deaths, skipped));
                }
                Err(SessionError::Died(death)) => *death,
                Err(error) => return Err(error),
            };
            tracing::debug!(%death, "worker died");
            self.live = None;
            if death.is_by_others() && disturbances < AGAIN {
                // All over again: not every scheduler can go on where another one was.
                disturbances += 1;
                gathering = Gathering::default();
                position = Position::default();
                continue;
            }
            position = after(position, &death);
            let given_up = if death.cause == Cause::Unwanted {
                Some("the time was up".to_owned())
            } else if deaths.len() + 1 >= self.options.limits.deaths {
                Some(format!("given up after {} workers died", deaths.len() + 1))
            } else if options.scheduler.begins_anew() && death.during.is_some() {
                Some(format!(
                    "the scheduler {} cannot go on in another worker, so what was left was not run",
                    options.scheduler
                ))
            } else {
                None
            };
            deaths.push(death);
            if given_up.is_some() {
                return Ok(gathering.finish(None, deaths, given_up));
            }
        }
    }

    /// Repeats a recorded run in a fresh worker, and says what the threads did.
    pub fn replay(&mut self, recording: &Recording) -> Result<Replayed, SessionError> {
        let is_same = |repeated: &Repeated| repeated.replayed.outcome.is_same_run(&recording.outcome);
        self.repeat(recording, &is_same).map(|repeated| repeated.replayed)
    }

    /// Repeats a recorded run in a fresh worker, together with the sequential orders that it is judged by there. If it
    /// `is_it` not, the run is made once more in the same worker. The one that was there before stays for what comes after.
    ///
    /// What no sequential order does, such as to throw for the first time, loads classes of the JDK when it is first done,
    /// and the recorded run was not the first that did it. The classes under test are loaded anew.
    pub fn repeat(
        &mut self,
        recording: &Recording,
        is_it: &dyn Fn(&Repeated) -> bool,
    ) -> Result<Repeated, SessionError> {
        let before = self.live.take();
        let repeated = self.repeat_freshly(recording, is_it);
        self.live = before;
        repeated
    }

    fn repeat_freshly(
        &mut self,
        recording: &Recording,
        is_it: &dyn Fn(&Repeated) -> bool,
    ) -> Result<Repeated, SessionError> {
        let first = undisturbed(|| self.repeat_once(recording))?;
        // A run that ended in a deadlock may have left the JVM in no state to go on.
        let is_settled = first.replayed.outcome.end == End::Stuck || is_it(&first);
        if is_settled {
            return Ok(first);
        }
        let keep_classes = std::mem::replace(&mut self.options.keep_classes, false);
        let again = undisturbed(|| self.repeat_once(recording));
        self.options.keep_classes = keep_classes;
        Ok(again.unwrap_or(first))
    }

    fn repeat_once(&mut self, recording: &Recording) -> Result<Repeated, SessionError> {
        let max_steps = recording.max_steps.unwrap_or(ExploreOptions::MAX_STEPS);
        self.load(&recording.plan, &recording.resets)?;
        if recording.test.is_some() {
            let alone = self.run_once(Schedule::default(), max_steps, Traced::No)?.outcome;
            let is_short = recording.outcome.steps <= MOST_TRACED;
            let traced = if is_short { Traced::WithCallers } else { Traced::No };
            return Ok(Repeated {
                is_baseline_complete: false,
                baseline: vec![(alone.clone(), alone)],
                replayed: self.run_once(recording.schedule.clone(), max_steps, traced)?,
            });
        }
        let serial = self.serial(&recording.plan, Bound::of(max_steps), false, None)?;
        Ok(Repeated {
            is_baseline_complete: serial.is_complete,
            baseline: pairs(serial.runs),
            replayed: self.run_once(recording.schedule.clone(), max_steps, Traced::WithCallers)?,
        })
    }

    /// Makes runs with given switches, and none but forced ones after them, and says what the threads did. Nothing is
    /// judged, and the worker stays. Calls that were made before are not made once more first.
    ///
    /// A run of one thread that is cut takes the worker with it: it was ended wherever it was, which may have been the
    /// initialiser of a class, or code of the platform that keeps book of what it is doing, and neither recovers from that.
    pub fn trace(
        &mut self,
        plan: &TestPlan,
        resets: &[String],
        max_steps: u32,
        schedules: &[Schedule],
    ) -> Result<Vec<Replayed>, SessionError> {
        undisturbed(|| self.trace_once(plan, resets, max_steps, schedules))
    }

    fn trace_once(
        &mut self,
        plan: &TestPlan,
        resets: &[String],
        max_steps: u32,
        schedules: &[Schedule],
    ) -> Result<Vec<Replayed>, SessionError> {
        self.load(plan, resets)?;
        let members: BTreeSet<String> = plan
            .calls()
            .map(|(_, _, call)| String::from(call.member.clone()))
            .collect();
        let is_alone = plan.threads.len() <= 1;
        let is_used = |live: &Live| {
            let is_run = live.loaded.as_ref().is_some_and(|loaded| loaded.serial.is_some());
            is_run || (is_alone && members.is_subset(&live.called))
        };
        if !self.live.as_ref().is_some_and(is_used) {
            // What classes of the JDK do the first time only is not to be among the steps.
            let serial = self.serial(plan, Bound::of(max_steps), false, None)?;
            let is_cut = |run: &NewOutcome| run.outcome.end == End::StepBound;
            if is_alone && serial.runs.iter().any(is_cut) {
                self.renew();
                return Err(SessionError::Refused(format!(
                    "the calls take more than {max_steps} scheduling points"
                )));
            }
            if let Some(live) = &mut self.live {
                live.called.extend(members);
            }
        }
        let runs: Result<Vec<Replayed>, SessionError> = schedules
            .iter()
            .map(|schedule| self.run_once(schedule.clone(), max_steps, Traced::Yes))
            .collect();
        let is_cut = |run: &Replayed| run.outcome.end == End::StepBound;
        if is_alone && runs.as_ref().is_ok_and(|runs| runs.iter().any(is_cut)) {
            self.renew();
        }
        runs
    }

    fn run_once(
        &mut self,
        schedule: Schedule,
        max_steps: u32,
        traced: Traced,
    ) -> Result<Replayed, SessionError> {
        let request = Request::Replay(Replay {
            schedule,
            max_steps,
            isolate: false,
            trace: traced != Traced::No,
            callers: traced == Traced::WithCallers,
        });
        // There is no sign of life before the end of the run; one that waits for something outside does nothing.
        let limits = &self.options.limits;
        let patience = Patience::exploring(Some(limits.request), limits);
        let unwanted = self.unwanted();
        let worker = self.worker()?;
        let begun = Instant::now();
        let response = worker.request(&request, patience, None, &unwanted, &mut |_| {});
        self.spent.tracing += begun.elapsed();
        self.take_answer(response, |response| match response {
            Response::Replayed(replayed) => Ok(*replayed),
            other => Err(other),
        })
    }

    /// The calls in all their orders, as before every exploration. What is known of the plan that the worker has is not
    /// found out again.
    fn serial(
        &mut self,
        plan: &TestPlan,
        bound: Bound,
        isolate: bool,
        cancel: Option<&AtomicBool>,
    ) -> Result<Serial, SessionError> {
        let loaded = self.live.as_ref().and_then(|live| live.loaded.as_ref());
        let known = loaded.and_then(|loaded| loaded.serial.as_ref());
        if let Some(known) = known.filter(|known| known.fits(bound, isolate)) {
            return Ok(known.clone());
        }
        let serial = self.serial_here(plan, bound, isolate, cancel)?;
        if !self.doubt.hears(serial.is_stuck()) {
            return Ok(serial);
        }
        let resets = self.live.as_ref().and_then(|live| live.loaded.as_ref());
        let resets = resets.map(|loaded| loaded.resets.clone()).unwrap_or_default();
        self.renew();
        self.load(plan, &resets)?;
        let serial = self.serial_here(plan, bound, isolate, cancel)?;
        self.doubt.is_settled(serial.is_stuck());
        Ok(serial)
    }

    /// The same, by the worker that has the plan.
    fn serial_here(
        &mut self,
        plan: &TestPlan,
        bound: Bound,
        isolate: bool,
        cancel: Option<&AtomicBool>,
    ) -> Result<Serial, SessionError> {
        let request = Request::Sequential(Sequential {
            schedules: BASELINE_CALLS / plan.call_count().max(1) as u64,
            max_steps: bound.max_steps,
            long_steps: bound.long_steps,
            isolate,
        });
        let patience = Patience {
            total: Some(self.options.limits.sequential),
            ..Patience::exploring(None, &self.options.limits)
        };
        let unwanted = self.unwanted();
        let mut runs = Vec::new();
        let worker = self.worker()?;
        let begun = Instant::now();
        let response = worker.request(&request, patience, cancel, &unwanted, &mut |response| {
            if let Response::NewOutcome(new) = response {
                runs.push(*new);
            }
        });
        self.spent.sequential += begun.elapsed();
        let done = self.take_answer(response, expect_done)?;
        let serial = Serial {
            runs,
            is_complete: done.claim.is_some_and(|claim| claim.complete),
            left_alone: done.left_alone,
            bound,
            isolate,
        };
        if let Some(loaded) = self.live.as_mut().and_then(|live| live.loaded.as_mut()) {
            loaded.serial = Some(serial.clone());
        }
        Ok(serial)
    }

    /// The run without a preemption, which is made once for the plan that the worker has.
    fn alone(&mut self, max_steps: u32) -> Result<Outcome, SessionError> {
        let loaded = self.live.as_ref().and_then(|live| live.loaded.as_ref());
        if let Some((outcome, bound)) = loaded.and_then(|loaded| loaded.alone.as_ref())
            && (*bound == max_steps || outcome.end != End::StepBound && outcome.steps < max_steps)
        {
            return Ok(outcome.clone());
        }
        let outcome = self.run_once(Schedule::default(), max_steps, Traced::No)?.outcome;
        if let Some(loaded) = self.live.as_mut().and_then(|live| live.loaded.as_mut()) {
            loaded.alone = Some((outcome.clone(), max_steps));
        }
        Ok(outcome)
    }

    /// From here on, whether classes stay loaded from one plan to the next.
    pub fn keep_classes(&mut self, keep: bool) {
        self.options.keep_classes = keep;
    }

    /// The worker; a new one if there is none. None is started that nobody would wait for.
    fn worker(&mut self) -> Result<&mut Worker, SessionError> {
        if self.live.is_none() {
            let begun = Instant::now();
            if self.until.is_some_and(|until| begun >= until) {
                return Err(Death::unwanted().into());
            }
            let (worker, ready) = undisturbed(|| Worker::start(&self.options, self.until))?;
            self.spent.starting += begun.elapsed();
            self.ready = ready;
            return Ok(&mut self.live.insert(Live::new(worker)).worker);
        }
        match &mut self.live {
            Some(live) => Ok(&mut live.worker),
            None => Err(SessionError::Environment("there is no worker".to_owned())),
        }
    }

    /// Gives a plan to the worker, unless that is the one that it has.
    fn load(&mut self, plan: &TestPlan, resets: &[String]) -> Result<Vec<LeftAlone>, SessionError> {
        if self.live.as_ref().is_some_and(|live| live.worker.is_littered()) {
            self.renew();
        }
        let loaded = self.live.as_mut().and_then(|live| live.loaded.take());
        let is_it = |loaded: &Loaded| loaded.plan == *plan && loaded.resets == resets;
        if let Some(loaded) = loaded.filter(is_it)
            && self.options.keep_classes
        {
            let left_alone = loaded.left_alone.clone();
            if let Some(live) = &mut self.live {
                live.loaded = Some(loaded);
            }
            return Ok(left_alone);
        }
        let request = Request::Load(Box::new(Load {
            plan: plan.clone(),
            class_path: self.options.class_path.clone(),
            resets: resets.to_vec(),
            keep_classes: self.options.keep_classes,
        }));
        let patience = Patience::once(self.options.limits.request);
        let unwanted = self.unwanted();
        let worker = self.worker()?;
        let begun = Instant::now();
        let response = worker.request(&request, patience, None, &unwanted, &mut |_| {});
        self.spent.loading += begun.elapsed();
        let left_alone = self.take_answer(response, |response| match response {
            Response::Loaded { left_alone } => Ok(left_alone),
            other => Err(other),
        })?;
        if let Some(live) = &mut self.live {
            live.loaded = Some(Loaded {
                plan: plan.clone(),
                resets: resets.to_vec(),
                left_alone: left_alone.clone(),
                serial: None,
                alone: None,
            });
        }
        Ok(left_alone)
    }

    fn take_answer<T>(
        &mut self,
        response: Result<Response, NoAnswer>,
        expected: impl FnOnce(Response) -> Result<T, Response>,
    ) -> Result<T, SessionError> {
        match response {
            Ok(response) => expected(response).or_else(|other| {
                let death = self.worker()?.garbled(&other);
                self.live = None;
                Err(death.into())
            }),
            Err(NoAnswer::Failed(failed)) => Err(SessionError::Refused(failed.sentence)),
            Err(NoAnswer::Died(death)) => {
                self.live = None;
                Err(death.into())
            }
        }
    }
}

/// Two runs of every order, made at different times. One that was made only once, such as those in which time stands still,
/// stands for both.
fn pairs(runs: Vec<NewOutcome>) -> Vec<(Outcome, Outcome)> {
    let mut again: BTreeMap<Vec<u8>, Outcome> = BTreeMap::new();
    let mut firsts = Vec::new();
    for run in runs {
        match run.order {
            Order::Serial {
                choices,
                clock: Clock::Faster,
            } => {
                again.insert(choices, run.outcome);
            }
            Order::Serial { choices, clock } => firsts.push((choices, clock, run.outcome)),
            _ => {}
        }
    }
    let mut pairs: Vec<(Outcome, Outcome)> = Vec::new();
    for (choices, clock, outcome) in firsts {
        let other = match clock {
            // Most of them come to what they come to when it does not, and are no other orders.
            Clock::Standing if pairs.iter().any(|(known, _)| known.digest == outcome.digest) => continue,
            Clock::Standing => None,
            _ => again.remove(&choices),
        };
        pairs.push((outcome.clone(), other.unwrap_or(outcome)));
    }
    pairs
}

fn expect_done(response: Response) -> Result<Done, Response> {
    match response {
        Response::Done(done) => Ok(*done),
        other => Err(other),
    }
}

/// Where to go on after a death.
fn after(position: Position, death: &Death) -> Position {
    match death.during {
        // Known by itself: passed over.
        Some((index, 1)) => Position {
            from: index.saturating_add(1),
            singly_until: position.singly_until,
        },
        // One of many: again, one at a time.
        Some((index, count)) => Position {
            from: index,
            singly_until: index.saturating_add(count),
        },
        None => position,
    }
}

/// The schedules that killed workers, as a sentence.
fn passed_over(deaths: &[Death]) -> Option<String> {
    let indices: BTreeSet<u64> = deaths
        .iter()
        .filter_map(|death| death.during)
        .filter(|(_, count)| *count == 1)
        .map(|(index, _)| index)
        .collect();
    if indices.is_empty() {
        return None;
    }
    let list: Vec<String> = indices.iter().map(u64::to_string).collect();
    Some(format!(
        "not explored, because the worker died over it: schedule {}",
        list.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::death::Cause;

    fn death(during: Option<(u64, u64)>) -> Death {
        Death {
            cause: Cause::Crashed { signal: 11 },
            during,
            evidence: String::new(),
        }
    }

    #[test]
    fn a_batch_that_killed_a_worker_is_repeated_one_by_one() {
        let next = after(Position::default(), &death(Some((100, 50))));
        assert_eq!((next.from, next.singly_until), (100, 150));
    }

    #[test]
    fn a_schedule_that_killed_a_worker_is_passed_over() {
        let position = Position {
            from: 100,
            singly_until: 150,
        };
        let next = after(position, &death(Some((117, 1))));
        assert_eq!((next.from, next.singly_until), (118, 150));
    }

    #[test]
    fn schedules_passed_over_are_named() {
        assert_eq!(passed_over(&[death(None), death(Some((3, 9)))]), None);
        assert_eq!(
            passed_over(&[death(Some((3, 9))), death(Some((5, 1)))]).unwrap(),
            "not explored, because the worker died over it: schedule 5"
        );
    }
}
