//! Orders in which whole calls come between the steps of bulk and traversing calls.
//!
//! The search is that of the sequential orders, with more points at which another thread may be let in: wherever a step of
//! such a call has ended. It is made of traced runs, as only events say where that is. Few switches come first, so that a
//! search that is cut short has seen the simplest orders.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use raddle_execute::{Link, Replayed, SessionError};
use raddle_oracle::{
    Baseline, Evidence, Holder, Judgement, Kind, RunEvents, StepCalls, Violation, changing_calls,
    changing_step_calls, finds_others_in_its_own, is_failing_answer, is_order_of_steps, judge, step_calls,
};
use raddle_plan::{Call, CallResult, End, Event, EventKind, Outcome, Schedule, Switch, TestPlan};

use crate::clock::Clock;
use crate::executor::Executor;
use crate::explore_candidate::Subject;
use raddle_oracle::dedup_key::thrown_marks;

/// Runs of a search.
const MOST: usize = 120;
/// Runs that are made in one go.
const BATCH: usize = 12;
/// How long a search may take: only to get away from calls that take long without many scheduling points.
const PATIENCE: Duration = Duration::from_secs(4);
/// How often a call that threw is made by one thread, to see whether it throws then.
const AGAIN: usize = 6;
/// Scheduling points of a run; calls that take more are left to other rules.
const LONGEST: u32 = 12_000;

/// What is known of a violating run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    /// What the threads did in it; nothing if it could not be repeated.
    pub(crate) events: Vec<Event>,
    /// Objects that final fields hold, and which.
    pub(crate) known: BTreeMap<u32, Holder>,
}

impl Looked {
    fn seen(&self) -> RunEvents<'_> {
        RunEvents {
            events: &self.events,
            known: &self.known,
            is_volatile: &|_| false,
        }
    }
}

/// The orders of a plan's calls and steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepOrders {
    /// Runs of whole calls one after the other.
    pub(crate) sequential: Vec<Outcome>,
    /// The calls with steps, if calls between these explain the outcome.
    pub(crate) explained: Option<StepCalls>,
    /// The calls that change something in such runs.
    pub(crate) changing: BTreeSet<usize>,
    /// Calls without which the rest is explained by an order of whole calls.
    pub(crate) spare: Vec<usize>,
    /// Marks of what one thread alone was made to throw.
    pub(crate) thrown: BTreeSet<String>,
    pub(crate) schedules: u64,
}

/// Repeats a run to see what its threads did.
pub(crate) fn look(
    session: &mut dyn Executor,
    plan: &TestPlan,
    resets: &[String],
    outcome: &Outcome,
) -> Result<Looked, SessionError> {
    let steps = outcome.steps.saturating_add(1);
    let Some(run) = traced(
        session,
        plan,
        resets,
        steps,
        std::slice::from_ref(&outcome.schedule),
    )?
    .pop() else {
        return Ok(Looked::default());
    };
    if run.outcome.digest != outcome.digest {
        return Ok(Looked::default());
    }
    Ok(Looked {
        known: known(&run),
        events: run.events,
    })
}

/// By object, the final field that holds it. What compilers let an iterator or a lambda refer to is not where state lives.
fn known(run: &Replayed) -> BTreeMap<u32, Holder> {
    let is_written_down = |field: &str| !field.starts_with("this$") && !field.starts_with("val$");
    let links = run.links.iter().rev().filter(|link| is_written_down(&link.field));
    let holder = |link: &Link| Holder {
        class: link.class.clone(),
        field: link.field.clone(),
    };
    links.map(|link| (link.value, holder(link))).collect()
}

/// None of them if the worker died over one.
fn traced(
    session: &mut dyn Executor,
    plan: &TestPlan,
    resets: &[String],
    max_steps: u32,
    schedules: &[Schedule],
) -> Result<Vec<Replayed>, SessionError> {
    match session.trace(plan, resets, max_steps, schedules) {
        Ok(runs) => Ok(runs),
        Err(SessionError::Refused(_) | SessionError::Died(_)) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Looks for an order of calls and steps that comes to the same as a violating run.
pub(crate) fn step_orders(
    session: &mut dyn Executor,
    subject: &Subject,
    plan: &TestPlan,
    resets: &[String],
    violation: &Violation,
    outcome: &Outcome,
) -> Result<StepOrders, SessionError> {
    let clock = &subject.clock;
    let class = subject.class.as_str();
    let mut found = StepOrders::default();
    if !matches!(violation.kind, Kind::Result | Kind::Exception) || outcome.steps > LONGEST {
        return Ok(found);
    }
    let mut search = Search::new(session, clock, plan, resets);
    let mut steps = StepCalls::default();
    search.run(&StepCalls::default(), &mut |run| {
        let known = known(run);
        let run_events = seen(run, &known);
        steps.extend(step_calls(plan, class, &run_events));
        found.changing.extend(changing_calls(&run_events));
        found.sequential.push(run.outcome.clone());
        false
    })?;
    // That a call works in steps explains what it returns. It is no reason to throw: whoever calls it is not prepared for
    // what its own loops stumble over.
    let mut needs_search = false;
    if violation.kind == Kind::Result {
        let violating = look(search.session, plan, resets, outcome)?;
        let run = violating.seen();
        steps.extend(changing_step_calls(plan, &run));
        let is_broken = finds_others_in_its_own(class, &run);
        // The run may be such an order itself. Of calls with many steps there are too many orders to try.
        let ends = steps.boundaries(&run);
        needs_search = !steps.is_empty() && !is_broken;
        if needs_search && is_order_of_steps(plan.threads.len(), &violating.events, &ends) {
            found.explained = Some(steps.clone());
            needs_search = false;
        }
    }
    if needs_search {
        search.is_between_steps = true;
        search.to_do = VecDeque::from([Vec::new()]);
        search.seen.clear();
        search.left = MOST;
        let is_explained = search.run(&steps, &mut |run| explains(outcome, &run.outcome))?;
        found.explained = is_explained.then_some(steps);
    }
    found.schedules = search.schedules;
    if violation.kind == Kind::Result && found.explained.is_none() {
        for calls in expendable(plan, outcome) {
            let without = without_calls(plan, &calls);
            if without.check().is_err() {
                continue;
            }
            let mut search = Search::new(session, clock, &without, resets);
            let mut rest = outcome.clone();
            let mut number = 0;
            rest.calls.retain(|_| {
                number += 1;
                !calls.contains(&(number - 1))
            });
            if search.run(&StepCalls::default(), &mut |run| explains(&rest, &run.outcome))? {
                found.spare.extend(calls);
            }
            found.schedules += search.schedules;
        }
    }
    if let Evidence::Exception { call, .. } = &violation.evidence {
        for alone in alone(plan, *call) {
            let runs = traced(session, &alone, resets, LONGEST, &[Schedule::default()])?;
            found
                .thrown
                .extend(thrown_marks(runs.iter().map(|run| &run.outcome)));
            found.schedules += runs.len() as u64;
        }
    }
    Ok(found)
}

/// The calls of the threads in one thread, and the one that threw some more times: whether it throws without others.
fn alone(plan: &TestPlan, thrower: usize) -> Vec<TestPlan> {
    let found = plan.calls().find(|(id, _, _)| id.0 as usize == thrower);
    let Some((_, _, call)) = found else {
        return Vec::new();
    };
    let again = Call {
        bind: None,
        ..call.clone()
    };
    let all = plan.threads.concat();
    let needs_no_thread = |calls: Vec<Call>| {
        let alone = TestPlan {
            threads: vec![calls],
            after: Vec::new(),
            ..plan.clone()
        };
        alone.check().is_ok().then_some(alone)
    };
    let repeated = || std::iter::repeat_n(again.clone(), AGAIN);
    let after_all = all.iter().cloned().chain(repeated()).collect();
    [needs_no_thread(repeated().collect()), needs_no_thread(after_all)]
        .into_iter()
        .flatten()
        .collect()
}

/// Calls that may have come to nothing, by number: one that returns nothing and after which its thread makes another one, one that
/// said no or was refused, and all of either kind together.
fn expendable(plan: &TestPlan, outcome: &Outcome) -> Vec<BTreeSet<usize>> {
    let mut all = Vec::new();
    let (mut silent, mut failed) = (BTreeSet::new(), BTreeSet::new());
    let mut number = plan.prefix.len();
    for calls in &plan.threads {
        for (position, call) in calls.iter().enumerate() {
            let is_void = call.member.descriptor.ends_with(")V");
            let is_silent = is_void && position + 1 < calls.len();
            let result = outcome.calls.get(number).map(|call| &call.result);
            let is_refused = matches!(result, Some(CallResult::Threw { .. }));
            let is_failed = is_refused || !is_void && result.is_some_and(is_failing_answer);
            if is_silent || is_failed {
                all.push(BTreeSet::from([number]));
            }
            if is_failed {
                failed.insert(number);
            } else if is_silent {
                silent.insert(number);
            }
            number += 1;
        }
    }
    all.extend([silent, failed].into_iter().filter(|calls| calls.len() > 1));
    all
}

/// The plan without these calls, and without threads that have none left.
fn without_calls(plan: &TestPlan, without: &BTreeSet<usize>) -> TestPlan {
    let mut smaller = plan.clone();
    let mut number = plan.prefix.len();
    for calls in &mut smaller.threads {
        calls.retain(|_| {
            number += 1;
            !without.contains(&(number - 1))
        });
    }
    smaller.threads.retain(|calls| !calls.is_empty());
    smaller
}

fn seen<'r>(run: &'r Replayed, known: &'r BTreeMap<u32, Holder>) -> RunEvents<'r> {
    RunEvents {
        events: &run.events,
        known,
        is_volatile: &|_| false,
    }
}

/// Whether a run comes to the same as the violating one.
fn explains(outcome: &Outcome, run: &Outcome) -> bool {
    let baseline = Baseline::new(vec![(run.clone(), run.clone())]);
    matches!(judge(&baseline, outcome), Judgement::Clean)
}

struct Search<'a> {
    session: &'a mut dyn Executor,
    clock: &'a Clock,
    begun: Instant,
    plan: &'a TestPlan,
    resets: &'a [String],
    /// Whether threads may be let in between steps, or between calls only.
    is_between_steps: bool,
    to_do: VecDeque<Vec<Switch>>,
    seen: BTreeSet<u64>,
    left: usize,
    schedules: u64,
}

impl<'a> Search<'a> {
    /// A search for orders of whole calls.
    fn new(
        session: &'a mut dyn Executor,
        clock: &'a Clock,
        plan: &'a TestPlan,
        resets: &'a [String],
    ) -> Search<'a> {
        Search {
            session,
            clock,
            begun: clock.now(),
            plan,
            resets,
            is_between_steps: false,
            to_do: VecDeque::from([Vec::new()]),
            seen: BTreeSet::new(),
            left: MOST,
            schedules: 0,
        }
    }

    /// Makes runs until one is what is looked for, there are no more, or enough were made. Says if there was one.
    fn run(
        &mut self,
        steps: &StepCalls,
        is_it: &mut dyn FnMut(&Replayed) -> bool,
    ) -> Result<bool, SessionError> {
        while self.left > 0 && !self.to_do.is_empty() && self.clock.since(self.begun) < PATIENCE {
            let size = self.to_do.len().min(BATCH).min(self.left);
            let tapes: Vec<Vec<Switch>> = self.to_do.drain(..size).collect();
            self.left -= size;
            let schedules: Vec<Schedule> = tapes
                .iter()
                .map(|tape| Schedule {
                    switches: tape.clone(),
                })
                .collect();
            let runs = traced(self.session, self.plan, self.resets, LONGEST, &schedules)?;
            if runs.is_empty() {
                return Ok(false);
            }
            self.schedules += runs.len() as u64;
            for (tape, run) in tapes.iter().zip(&runs) {
                let is_whole = matches!(run.outcome.end, End::Completed | End::Stuck);
                if !is_whole || !self.seen.insert(run.outcome.trace_hash) {
                    continue;
                }
                if is_it(run) {
                    return Ok(true);
                }
                self.branch(tape, run, steps);
            }
        }
        Ok(false)
    }

    /// The ways that go on from a run: its switches and one more, later than the last.
    fn branch(&mut self, tape: &[Switch], run: &Replayed, steps: &StepCalls) {
        let events = &run.events;
        let boundaries = if self.is_between_steps {
            let known = known(run);
            steps.boundaries(&seen(run, &known))
        } else {
            BTreeSet::new()
        };
        let from = tape.last().map_or(0, |last| last.step as usize + 1);
        let mut begun: BTreeSet<u32> = BTreeSet::new();
        for (at, event) in events.iter().enumerate() {
            let is_first_call = event.kind == EventKind::Call && begun.insert(event.thread);
            let is_open = match event.kind {
                EventKind::Begin => true,
                EventKind::Call => !is_first_call,
                _ => boundaries.contains(&at),
            };
            if at < from || event.thread == 0 || !is_open {
                continue;
            }
            let others: BTreeSet<u32> = events[at..]
                .iter()
                .map(|event| event.thread)
                .filter(|thread| *thread > 0 && *thread != event.thread)
                .collect();
            for thread in others {
                let mut longer = tape.to_vec();
                longer.push(Switch {
                    step: at as u32,
                    thread,
                });
                self.to_do.push_back(longer);
            }
        }
    }
}
