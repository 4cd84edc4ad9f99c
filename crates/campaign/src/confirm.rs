//! The same verdict again, in fresh JVMs.
//!
//! A schedule is followed once more, and what comes of it is judged by the sequential orders of that JVM. The verdicts are
//! compared and not the outcomes: a result may well contain what no two JVMs have in common.

use raddle_execute::{Repeated, SessionError};
use raddle_oracle::{Baseline, Kind, Violation, veto, violations};
use raddle_plan::{Event, Outcome, RECORDING_VERSION, Recording, ThreadEnd, ThreadState};

use crate::executor::Executor;
use crate::shrink::Minimal;

/// What happens twice in fresh JVMs was no accident of the first.
const REPLAYS: usize = 2;

/// A run that can be repeated, what is wrong with it, and what the threads did in it.
#[derive(Debug)]
pub(crate) struct Confirmed {
    pub(crate) recording: Recording,
    pub(crate) violation: Violation,
    pub(crate) events: Vec<Event>,
}

/// Why a run does not count: it could not be repeated, mostly.
#[derive(Debug)]
pub(crate) struct Unconfirmed {
    /// As a part of a sentence.
    pub(crate) why: String,
    /// Whether it is no violation at all: the schedule let a thread wait that could have run, and whoever spins until another
    /// thread is done would spin for ever; or it is the time that makes the difference; or it may be by design.
    pub(crate) is_no_violation: bool,
}

impl Unconfirmed {
    fn new(why: impl Into<String>) -> Unconfirmed {
        Unconfirmed {
            why: why.into(),
            is_no_violation: false,
        }
    }
}

/// Repeats a run in fresh workers. `resets` are the classes whose static state was made anew before it.
pub(crate) fn confirm(
    session: &mut dyn Executor,
    minimal: &Minimal,
    resets: &[String],
) -> Result<Result<Confirmed, Unconfirmed>, SessionError> {
    let mut recording = Recording {
        raddle_recording: RECORDING_VERSION,
        raddle: env!("CARGO_PKG_VERSION").to_owned(),
        jdk: session.ready().jdk_version.clone(),
        class_path: session.options().class_path.clone(),
        max_steps: Some(minimal.max_steps),
        unplugged: session.options().unplugged.clone(),
        opens: session.options().opens.clone(),
        resets: resets.to_vec(),
        test: None,
        plan: minimal.plan.clone(),
        schedule: minimal.outcome.schedule.clone(),
        outcome: minimal.outcome.clone(),
    };
    let mut violation = minimal.violation.clone();
    let mut events = Vec::new();
    for _ in 0..REPLAYS {
        let is_it = |repeated: &Repeated| same_verdict(minimal, repeated).is_ok();
        let repeated = match session.repeat(&recording, &is_it) {
            Ok(repeated) => repeated,
            Err(SessionError::Died(death)) => return Ok(Err(Unconfirmed::new(death.to_string()))),
            Err(SessionError::Refused(sentence)) => return Ok(Err(Unconfirmed::new(sentence))),
            Err(error) => return Err(error),
        };
        violation = match same_verdict(minimal, &repeated) {
            Ok(violation) => violation,
            Err(why) => return Ok(Err(why)),
        };
        events = repeated.replayed.events;
        recording.outcome = repeated.replayed.outcome;
        if minimal.violation.kind == Kind::Livelock
            && let Some(thread) = starved(&recording.outcome, &events)
        {
            return Ok(Err(Unconfirmed {
                why: format!(
                    "the schedule kept {thread} from running, which may be all that the others wait for"
                ),
                is_no_violation: true,
            }));
        }
        if minimal.violation.kind == Kind::Livelock
            && let Some(thread) = recording.outcome.threads.iter().find(|thread| is_timed(thread))
        {
            return Ok(Err(Unconfirmed::new(format!(
                "{} waits for a limited time, which passes for Raddle only when no thread can go on",
                thread.name
            ))));
        }
        if let Some(why) = veto(minimal.plan.threads.len(), minimal.violation.kind, &events) {
            // When it is, decides what comes of such calls, and that is no doing of theirs.
            return Ok(Err(Unconfirmed {
                why,
                is_no_violation: minimal.asks_time,
            }));
        }
    }
    Ok(Ok(Confirmed {
        recording,
        violation,
        events,
    }))
}

/// The violation as a fresh JVM shows it: of the same kind, in the same places, by the same calls.
fn same_verdict(minimal: &Minimal, repeated: &Repeated) -> Result<Violation, Unconfirmed> {
    let wanted = &minimal.violation;
    // No order of whole calls makes threads wait for each other's locks.
    if !repeated.is_baseline_complete && wanted.kind != Kind::Deadlock {
        return Err(Unconfirmed::new(
            "in a fresh JVM not every order of the calls could be run twice".to_owned(),
        ));
    }
    let baseline = Baseline::new(repeated.baseline.clone()).of_plan(&minimal.plan);
    if let Some(problem) = baseline.problem() {
        return Err(Unconfirmed::new(format!("in a fresh JVM: {problem}")));
    }
    let shown = violations(&baseline, &repeated.replayed.outcome);
    let signature = wanted.signature();
    shown
        .into_iter()
        .find(|violation| {
            violation.kind == wanted.kind
                && violation.signature() == signature
                && violation.decisive_calls() == wanted.decisive_calls()
        })
        .ok_or_else(|| Unconfirmed::new("a fresh JVM came to another verdict".to_owned()))
}

/// Whether a thread goes on by itself after some time.
fn is_timed(thread: &ThreadEnd) -> bool {
    let in_method = |names: &[&str]| {
        let place = thread.place.as_ref();
        place.is_some_and(|place| names.contains(&&*place.method))
    };
    match thread.state {
        ThreadState::Sleeping => true,
        ThreadState::Parked => in_method(&["parkNanos", "parkUntil"]),
        _ => false,
    }
}

/// A thread that could have gone on, and was not let in the second half of the run. A loop that waits for it is right.
fn starved<'o>(outcome: &'o Outcome, events: &[Event]) -> Option<&'o str> {
    let end = &events[events.len() / 2..];
    (0u32..)
        .zip(&outcome.threads)
        .filter(|(_, thread)| thread.state == ThreadState::Runnable)
        .find(|(number, _)| !end.iter().any(|event| event.thread == *number))
        .map(|(_, thread)| thread.name.as_str())
}
