//! A predicted interleaving, looked for in a plan.
//!
//! The prediction names places. Where in a run of the plan these are is seen in runs without a switch; from that follow
//! the points at which threads are to be held.

use std::collections::BTreeMap;

use raddle_execute::{Replayed, SessionError};
use raddle_generate::{Candidate, Expected, Hold, Mode, Point, Prediction};
use raddle_plan::{End, Event, EventKind, Outcome, Place, Schedule, Switch, TestPlan};
use raddle_schedule::Holds;

use crate::executor::Executor;

/// Interleavings of a plan that are tried.
const MOST: usize = 24;
/// Why a prediction did not come true, as sentences.
const NOT_THERE: &str = "the calls do not come by there when each runs first";
const UNTRIED: &str = "too many others were tried for the same calls";
const KEPT_OUT: &str = "a thread has to wait for what the other one has";
const OTHER_WAY: &str = "the calls take another way when they meet";

/// Where threads are held, and what that came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Realisation {
    /// For the scheduler, those that came true first.
    pub(crate) holds: Vec<Holds>,
    /// Predictions that came true.
    pub(crate) realised: Vec<Realised>,
    /// The marks of those that did not, and why.
    pub(crate) unrealised: Vec<(String, &'static str)>,
    /// The threads do not come to an end even alone, or not in as many steps as predictions are looked for in.
    pub(crate) is_endless: bool,
    /// Runs that this took.
    pub(crate) schedules: u64,
    pub(crate) steps: u64,
}

/// A prediction that came true.
#[derive(Clone, Debug)]
pub(crate) struct Realised {
    pub(crate) mark: String,
    /// The run in which it did.
    pub(crate) schedule: Schedule,
    pub(crate) outcome: Outcome,
}

/// Looks for the points of predictions. There are none if the plan's threads do not come by there when they run alone.
pub(crate) fn realise(
    session: &mut dyn Executor,
    resets: &[String],
    candidate: &Candidate,
    max_steps: u32,
) -> Result<Realisation, SessionError> {
    if candidate.predictions.is_empty() {
        return Ok(Realisation::default());
    }
    let mut tracer = Tracer {
        session,
        resets,
        plan: &candidate.plan,
        max_steps,
        mode: candidate.evidence.mode,
        realisation: Realisation::default(),
    };
    match tracer.realise(&candidate.predictions) {
        Ok(()) | Err(SessionError::Refused(_) | SessionError::Died(_)) => Ok(tracer.realisation),
        Err(error) => Err(error),
    }
}

struct Tracer<'a> {
    session: &'a mut dyn Executor,
    resets: &'a [String],
    plan: &'a TestPlan,
    max_steps: u32,
    mode: Mode,
    realisation: Realisation,
}

impl Tracer<'_> {
    fn run(&mut self, schedules: &[Schedule]) -> Result<Vec<Replayed>, SessionError> {
        let runs = self
            .session
            .trace(self.plan, self.resets, self.max_steps, schedules)?;
        self.realisation.schedules += runs.len() as u64;
        self.realisation.steps += runs.iter().map(|run| u64::from(run.outcome.steps)).sum::<u64>();
        Ok(runs)
    }

    fn realise(&mut self, predictions: &[Prediction]) -> Result<(), SessionError> {
        let mut alone = self.run(&[Schedule::default()])?;
        let first = alone.first();
        self.realisation.is_endless = first.is_some_and(|run| run.outcome.end == End::StepBound);
        if self.realisation.is_endless && self.mode == Mode::Exception {
            // A deadlock keeps calls from running on for ever; nothing else does.
            return Ok(());
        }
        let Some(begin) = first.and_then(|run| run.events.iter().position(|event| event.thread > 0)) else {
            return Ok(());
        };
        // Who runs first does what it does alone.
        let held = predictions.iter().flat_map(|prediction| &prediction.turns);
        let others: Vec<Schedule> = (2..=held.map(|turn| turn.thread).max().unwrap_or(1))
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
        // Many predictions of one plan need the same run.
        let mut tapes: Vec<(Holds, Schedule)> = Vec::new();
        let mut needs: Vec<Result<usize, &'static str>> = Vec::new();
        for prediction in predictions {
            let tape = tape(prediction, &alone, begin);
            needs.push(match tape.and_then(|tape| Some((Holds::new(&tape)?, tape))) {
                None => Err(NOT_THERE),
                Some((holds, switches)) => match tapes.iter().position(|(known, _)| *known == holds) {
                    Some(at) => Ok(at),
                    None if tapes.len() >= MOST => Err(UNTRIED),
                    None => {
                        tapes.push((holds, Schedule { switches }));
                        Ok(tapes.len() - 1)
                    }
                },
            });
        }
        if tapes.is_empty() {
            return Ok(());
        }
        let schedules: Vec<Schedule> = tapes.iter().map(|(_, tape)| tape.clone()).collect();
        let runs = self.run(&schedules)?;
        let mut came_true = vec![false; tapes.len()];
        for (prediction, need) in predictions.iter().zip(needs) {
            let shows = |run: &Replayed| is_as_predicted(prediction, &run.outcome, &run.events);
            // The run that was made for it, or any other one.
            let wanted = need.ok().filter(|at| runs.get(*at).is_some_and(shows));
            if let Some(at) = wanted.or_else(|| runs.iter().position(shows)) {
                came_true[at] = true;
                self.realisation.realised.push(Realised {
                    mark: prediction.mark.clone(),
                    schedule: schedules[at].clone(),
                    outcome: runs[at].outcome.clone(),
                });
            } else {
                let reason = need.map_or_else(|reason| reason, |at| why_not(runs.get(at), &schedules[at]));
                self.realisation
                    .unrealised
                    .push((prediction.mark.clone(), reason));
            }
        }
        for wanted in [true, false] {
            let holds = tapes.iter().zip(&came_true).filter(|(_, came)| **came == wanted);
            self.realisation.holds.extend(holds.map(|((holds, _), _)| *holds));
        }
        Ok(())
    }
}

/// A run that was to go as predicted, and did not.
fn why_not(run: Option<&Replayed>, wanted: &Schedule) -> &'static str {
    let is_followed = run.is_some_and(|run| run.outcome.schedule.switches.starts_with(&wanted.switches));
    // Who cannot go on gives way to somebody else sooner than he was to.
    let gives_way = run.is_some_and(|run| {
        let blocked = |event: &Event| {
            use EventKind::{Enter, Park, Wait, Woken};
            matches!(event.kind, Enter | Woken | Park | Wait)
        };
        let switches = &run.outcome.schedule.switches;
        switches.iter().skip(wanted.switches.len()).any(|switch| {
            let next = run.events.get(switch.step as usize + 1..).unwrap_or_default();
            next.iter()
                .any(|event| event.thread != switch.thread && blocked(event))
        })
    });
    if gives_way || !is_followed {
        KEPT_OUT
    } else {
        OTHER_WAY
    }
}

/// The switches of a prediction, if its threads come by where they are to be held.
fn tape(prediction: &Prediction, alone: &[Replayed], begin: usize) -> Option<Vec<Switch>> {
    let mut passed = begin as u32;
    let mut switches = Vec::new();
    let mut running = 1;
    for Point { thread, hold } in &prediction.turns {
        if *thread != running {
            switches.push(Switch {
                step: passed,
                thread: *thread,
            });
        }
        let run = alone.get(*thread as usize - 1)?;
        passed += own_position(&run.events, *thread, hold)? as u32;
        running = *thread;
    }
    switches.push(Switch {
        step: passed,
        thread: prediction.last,
    });
    Some(switches)
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

fn is_as_predicted(prediction: &Prediction, outcome: &Outcome, events: &[Event]) -> bool {
    match &prediction.outcome {
        Expected::Stuck(places) => {
            // Thread 0 prepares.
            let mut threads = outcome.threads.iter().skip(1);
            let waits = |place: &Place| {
                let thread = threads.next();
                thread.is_some_and(|thread| thread.place.as_ref() == Some(place))
            };
            outcome.end == End::Stuck && places.iter().all(waits)
        }
        Expected::Order(order) => is_in_order(order, events),
    }
}

/// Whether accesses happen in this order, those with the same number to the same location. Two locations are of one object.
fn is_in_order(order: &[(Point, usize)], events: &[Event]) -> bool {
    // How far each object, or each element of an array, has come. The earliest access that fits is as good as any other.
    let mut reached: BTreeMap<(u32, Option<i32>), usize> = BTreeMap::new();
    for event in events {
        let location = (event.object, event.index);
        let is_next = |at: usize| {
            let fits =
                |(point, _): &(Point, usize)| event.thread == point.thread && is_at(event, &point.hold);
            order.get(at).is_some_and(fits)
        };
        let at = reached.get(&location).copied().unwrap_or(0);
        if is_next(at) {
            if at + 1 == order.len() {
                return true;
            }
            reached.insert(location, at + 1);
        }
    }
    false
}
