//! A predicted interleaving, looked for in a plan.
//!
//! The prediction names places. Where in a run of the plan these are is seen in runs without a switch; from that follow
//! the points at which threads are to be held.

use raddle_execute::{Replayed, Session, SessionError};
use raddle_generate::{Candidate, Hold, Prediction};
use raddle_plan::{End, Event, Outcome, Place, Schedule, Switch, TestPlan};
use raddle_schedule::Holds;

/// Predictions of a plan that are tried.
const MOST: usize = 24;

/// Where threads are held, and what that came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foretold {
    /// For the scheduler, those that came true first.
    pub(crate) holds: Vec<Holds>,
    /// The marks of predictions that came true in a run with these points.
    pub(crate) realised: Vec<String>,
    /// The threads do not come to an end even alone.
    pub(crate) is_endless: bool,
    /// Runs that this took.
    pub(crate) schedules: u64,
    pub(crate) steps: u64,
}

/// Looks for the points of predictions. There are none if the plan's threads do not come by there when they run alone.
pub(crate) fn foretell(
    session: &mut Session,
    resets: &[String],
    candidate: &Candidate,
    max_steps: u32,
) -> Result<Foretold, SessionError> {
    if candidate.predictions.is_empty() {
        return Ok(Foretold::default());
    }
    let mut tracer = Tracer {
        session,
        resets,
        plan: &candidate.plan,
        max_steps,
        foretold: Foretold::default(),
    };
    match tracer.foretell(&candidate.predictions) {
        Ok(()) | Err(SessionError::Refused(_) | SessionError::Died(_)) => Ok(tracer.foretold),
        Err(error) => Err(error),
    }
}

struct Tracer<'a> {
    session: &'a mut Session,
    resets: &'a [String],
    plan: &'a TestPlan,
    max_steps: u32,
    foretold: Foretold,
}

impl Tracer<'_> {
    fn run(&mut self, schedules: &[Schedule]) -> Result<Vec<Replayed>, SessionError> {
        let runs = self
            .session
            .trace(self.plan, self.resets, self.max_steps, schedules)?;
        self.foretold.schedules += runs.len() as u64;
        self.foretold.steps += runs.iter().map(|run| u64::from(run.outcome.steps)).sum::<u64>();
        Ok(runs)
    }

    fn foretell(&mut self, predictions: &[Prediction]) -> Result<(), SessionError> {
        let mut alone = self.run(&[Schedule::default()])?;
        let first = alone.first();
        self.foretold.is_endless = first.is_some_and(|run| run.outcome.end == End::StepBound);
        let Some(begin) = first.and_then(|run| run.events.iter().position(|event| event.thread > 0)) else {
            return Ok(());
        };
        // Who runs first does what it does alone.
        let held = predictions.iter().map(|prediction| prediction.holds.len()).max();
        let others: Vec<Schedule> = (2..=held.unwrap_or(1) as u32)
            .map(|thread| Schedule {
                switches: vec![Switch {
                    step: begin as u32,
                    thread,
                }],
            })
            .collect();
        if !others.is_empty() {
            alone.extend(self.run(&others)?);
        }
        let found: Vec<(&Prediction, Vec<u32>)> = predictions
            .iter()
            .take(MOST)
            .filter_map(|prediction| Some((prediction, points(prediction, &alone, begin)?)))
            .collect();
        let tapes: Vec<Schedule> = found.iter().map(|(_, steps)| tape(steps)).collect();
        if tapes.is_empty() {
            return Ok(());
        }
        let runs = self.run(&tapes)?;
        let mut unrealised = Vec::new();
        for ((prediction, steps), run) in found.into_iter().zip(&runs) {
            let Some(holds) = Holds::new(&steps) else { continue };
            if is_as_predicted(prediction, &run.outcome, &run.events) {
                self.foretold.realised.push(prediction.mark.clone());
                self.foretold.holds.push(holds);
            } else {
                unrealised.push(holds);
            }
        }
        self.foretold.holds.extend(unrealised);
        Ok(())
    }
}

/// The steps at which the threads of a prediction are held, if all of them come by there.
fn points(prediction: &Prediction, alone: &[Replayed], begin: usize) -> Option<Vec<u32>> {
    let mut passed = begin as u32;
    let holds = (1..).zip(prediction.holds.iter().zip(alone));
    holds
        .map(|(thread, (hold, run))| {
            passed += own_position(&run.events, thread, hold)? as u32;
            Some(passed)
        })
        .collect()
}

fn tape(steps: &[u32]) -> Schedule {
    let switches = (2..).zip(steps);
    Schedule {
        switches: switches.map(|(thread, &step)| Switch { step, thread }).collect(),
    }
}

/// How many steps a thread takes before it comes to a hold.
fn own_position(events: &[Event], thread: u32, hold: &Hold) -> Option<usize> {
    events
        .iter()
        .filter(|event| event.thread == thread)
        .enumerate()
        .filter(|(_, event)| is_at(event, hold))
        .nth(hold.occurrence)
        .map(|(own, _)| own)
}

fn is_at(event: &Event, hold: &Hold) -> bool {
    event.place.as_ref() == Some(&hold.place)
}

/// Nobody can go on; or the second thread got at an object between two accesses of the first one to it.
fn is_as_predicted(prediction: &Prediction, outcome: &Outcome, events: &[Event]) -> bool {
    let Some(between) = &prediction.between else {
        // Thread 0 prepares.
        let mut threads = outcome.threads.iter().skip(1);
        let waits = |place: &Place| {
            threads
                .next()
                .is_some_and(|thread| thread.place.as_ref() == Some(place))
        };
        return outcome.end == End::Stuck && prediction.waits.iter().all(waits);
    };
    let position = |hold: &Hold| {
        let is_there = |(_, event): &(usize, &Event)| event.thread == 1 && is_at(event, hold);
        events.iter().enumerate().filter(is_there).nth(hold.occurrence)
    };
    let Some((current, access)) = position(&between.current) else {
        return false;
    };
    let since = match &between.previous {
        Some(previous) => position(previous).map(|(at, _)| at),
        None => Some(0),
    };
    let meanwhile = since.and_then(|since| events.get(since..current));
    meanwhile.unwrap_or_default().iter().any(|event| {
        event.thread == 2
            && is_at(event, &between.remote)
            && (event.object, event.index) == (access.object, access.index)
    })
}
