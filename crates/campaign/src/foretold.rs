//! A predicted interleaving, looked for in a plan.
//!
//! The prediction names places. Where in a run of the plan these are is seen in runs without a switch; from that follow
//! the points at which threads are to be held.

use raddle_execute::{Session, SessionError};
use raddle_generate::{Candidate, Hold, Prediction};
use raddle_plan::{End, Event, Schedule, Switch};
use raddle_schedule::Holds;

/// Where threads are held, and what that came to.
#[derive(Clone, Debug)]
pub(crate) struct Foretold {
    /// For the scheduler.
    pub(crate) holds: Holds,
    /// Whether the run with these points went as predicted.
    pub(crate) is_realised: bool,
    /// Runs that this took.
    pub(crate) schedules: u64,
    pub(crate) steps: u64,
}

/// Looks for the points of a prediction. None if the plan's threads do not come by there when they run alone.
pub(crate) fn foretell(
    session: &mut Session,
    resets: &[String],
    candidate: &Candidate,
    max_steps: u32,
) -> Result<Option<Foretold>, SessionError> {
    let Some(prediction) = &candidate.prediction else {
        return Ok(None);
    };
    match try_foretell(session, resets, candidate, prediction, max_steps) {
        Err(SessionError::Refused(_) | SessionError::Died(_)) => Ok(None),
        other => other,
    }
}

fn try_foretell(
    session: &mut Session,
    resets: &[String],
    candidate: &Candidate,
    prediction: &Prediction,
    max_steps: u32,
) -> Result<Option<Foretold>, SessionError> {
    let plan = &candidate.plan;
    let alone = session.trace(plan, resets, max_steps, &[Schedule::default()])?;
    let Some(first) = alone.first() else {
        return Ok(None);
    };
    let Some(begin) = first.events.iter().position(|event| event.thread > 0) else {
        return Ok(None);
    };
    // Who runs first does what it does alone.
    let others: Vec<Schedule> = (2..=prediction.holds.len() as u32)
        .map(|thread| Schedule {
            switches: vec![Switch {
                step: begin as u32,
                thread,
            }],
        })
        .collect();
    let mut runs = alone;
    if !others.is_empty() {
        runs.extend(session.trace(plan, resets, max_steps, &others)?);
    }
    let mut steps: Vec<u32> = Vec::new();
    let mut passed = begin as u32;
    for (thread, (hold, run)) in (1..).zip(prediction.holds.iter().zip(&runs)) {
        let Some(own) = own_position(&run.events, thread, hold) else {
            return Ok(None);
        };
        passed += own as u32;
        steps.push(passed);
    }
    let Some(holds) = Holds::new(&steps) else {
        return Ok(None);
    };
    let switches: Vec<Switch> = (2..)
        .zip(&steps)
        .map(|(thread, &step)| Switch { step, thread })
        .collect();
    let held = session.trace(plan, resets, max_steps, &[Schedule { switches }])?;
    runs.extend(held);
    let is_realised = runs
        .last()
        .is_some_and(|run| is_as_predicted(prediction, &run.outcome.end, &run.events));
    Ok(Some(Foretold {
        holds,
        is_realised,
        schedules: runs.len() as u64,
        steps: runs.iter().map(|run| u64::from(run.outcome.steps)).sum(),
    }))
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
fn is_as_predicted(prediction: &Prediction, end: &End, events: &[Event]) -> bool {
    let Some(between) = &prediction.between else {
        return *end == End::Stuck;
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
