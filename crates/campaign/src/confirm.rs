//! The same run again, in fresh JVMs.

use raddle_execute::{Session, SessionError};
use raddle_oracle::Kind;
use raddle_plan::{Event, Outcome, RECORDING_VERSION, Recording, ThreadState};

use crate::minimise::Minimal;
use crate::options::HuntOptions;

/// What happens twice in fresh JVMs was no accident of the first.
const REPLAYS: usize = 2;

/// A run that can be repeated, and what the threads did in it.
#[derive(Debug)]
pub(crate) struct Confirmed {
    pub(crate) recording: Recording,
    pub(crate) events: Vec<Event>,
}

/// Why a run does not count, as a part of a sentence: it could not be repeated, mostly.
#[derive(Debug)]
pub(crate) struct Unconfirmed(pub(crate) String);

/// Repeats a run in fresh workers. `resets` are the classes whose static state was made anew before it.
pub(crate) fn confirm(
    session: &mut Session,
    minimal: &Minimal,
    resets: &[String],
) -> Result<Result<Confirmed, Unconfirmed>, SessionError> {
    let mut recording = Recording {
        raddle_recording: RECORDING_VERSION,
        raddle: env!("CARGO_PKG_VERSION").to_owned(),
        jdk: session.ready().jdk_version.clone(),
        class_path: session.options().class_path.clone(),
        max_steps: Some(HuntOptions::MAX_STEPS),
        unplugged: session.options().unplugged.clone(),
        opens: session.options().opens.clone(),
        resets: resets.to_vec(),
        plan: minimal.plan.clone(),
        schedule: minimal.outcome.schedule.clone(),
        outcome: minimal.outcome.clone(),
    };
    let mut events = Vec::new();
    for _ in 0..REPLAYS {
        let replayed = match session.replay(&recording) {
            Ok(replayed) => replayed,
            Err(SessionError::Died(death)) => return Ok(Err(Unconfirmed(death.to_string()))),
            Err(SessionError::Refused(sentence)) => return Ok(Err(Unconfirmed(sentence))),
            Err(error) => return Err(error),
        };
        if replayed.outcome.digest != recording.outcome.digest {
            return Ok(Err(Unconfirmed("a fresh JVM came to another outcome".to_owned())));
        }
        if replayed.outcome.trace_hash != recording.outcome.trace_hash {
            return Ok(Err(Unconfirmed("a fresh JVM took other steps".to_owned())));
        }
        events = replayed.events;
        // The same but for what depends on the plans that the JVM had run before, such as the frames of our own code.
        recording.outcome = replayed.outcome;
    }
    if minimal.violation.kind == Kind::Livelock
        && let Some(thread) = starved(&recording.outcome, &events)
    {
        return Ok(Err(Unconfirmed(format!(
            "the schedule kept {thread} from running, which may be all that the others wait for"
        ))));
    }
    Ok(Ok(Confirmed { recording, events }))
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
