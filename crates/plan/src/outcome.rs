//! What came of a run.

use serde::{Deserialize, Serialize};

use crate::{Caller, Frame, Place, Schedule};

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Equal for runs with equal results and equal ends, whatever their interleaving.
    pub digest: u64,
    /// Equal for runs with the same events in the same order.
    pub trace_hash: u64,
    /// How many scheduling points.
    pub steps: u32,
    /// The switches that repeat it.
    pub schedule: Schedule,
    /// How it ended.
    pub end: End,
    /// One per call of the plan: the prefix, the threads in order, the calls after.
    pub calls: Vec<CallOutcome>,
    /// What was thrown in threads that calls have started, and caught by nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncaught: Vec<Uncaught>,
    /// One per thread that took part.
    pub threads: Vec<ThreadEnd>,
}

impl Outcome {
    /// Whether the other run took the same steps and came to the same.
    pub fn is_same_run(&self, other: &Outcome) -> bool {
        self.digest == other.digest && self.trace_hash == other.trace_hash
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every thread of the plan came to its end.
    Completed,
    /// No thread could go on.
    Stuck,
    /// The bound on scheduling points was reached.
    StepBound,
    /// The class asked the JVM to exit.
    Exit(String),
    /// The schedule asked for a thread that could not run: the run is not the one recorded.
    Diverged(String),
    /// The prefix threw.
    PrefixThrew,
    /// Something that cannot be controlled.
    Unsupported(String),
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallResult {
    /// Its turn never came.
    NotBegun,
    /// It was under way when the run ended.
    Unfinished,
    /// It returned; values are given as text that is equal for equal values.
    Returned(String),
    /// It threw.
    Threw {
        /// The exception's class.
        class: String,
        /// Its message.
        message: String,
        /// Its stack, innermost first.
        frames: Vec<Frame>,
    },
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallOutcome {
    /// The thread that made it; 0 is prefix and after.
    pub thread: u32,
    /// The result.
    pub result: CallResult,
}

/// An exception that ended a thread which some call had started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncaught {
    /// The thread's name.
    pub thread: String,
    /// The call that it comes from, numbered through the whole plan.
    pub call: Option<usize>,
    /// The exception's class.
    pub class: String,
    /// Its message.
    pub message: String,
    /// Its stack, innermost first.
    pub frames: Vec<Frame>,
}

/// What a thread was doing at the end.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadState {
    /// It had ended.
    Finished,
    /// It could have gone on.
    Runnable,
    /// It wants a monitor that another thread holds.
    Blocked,
    /// In `Object.wait`.
    Waiting,
    /// The same, although what it waits for is there: woken for no reason, as any JVM may do, it comes to the end of its call.
    WaitingNeedlessly,
    /// In `LockSupport.park`.
    Parked,
    /// In `Thread.join`.
    Joining,
    /// In `Thread.sleep`.
    Sleeping,
    /// Anything else.
    Other,
}

/// What the runtime calls the lock that a thread has while it initialises a class, before the name of the class.
pub(crate) const INITIALISER: &str = "the initialiser of ";

/// A lock that a call has kept when it threw.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KeptLock<'o> {
    /// The thread that has it, and has come to its end.
    pub owner: &'o ThreadEnd,
    /// What its first call threw.
    pub exception: &'o str,
}

/// A monitor that a thread holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The object, named as in [`ThreadEnd::wants`].
    pub lock: String,
    /// Where it was entered.
    pub place: Option<Place>,
}

/// A thread at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadEnd {
    /// Its name.
    pub name: String,
    /// What it was doing.
    pub state: ThreadState,
    /// Where.
    pub place: Option<Place>,
    /// How it came there, as in [`Event::callers`](crate::Event::callers).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Caller>,
    /// What it waits for: a lock, a condition, a thread.
    pub wants: Option<String>,
    /// The monitors it holds.
    pub holds: Vec<Held>,
}

impl ThreadEnd {
    /// The class whose initialiser it waits for, which another thread is running, by binary name with dots.
    pub fn awaited_initialiser(&self) -> Option<&str> {
        let wants = self
            .wants
            .as_deref()
            .filter(|_| self.state == ThreadState::Blocked)?;
        wants.strip_prefix(INITIALISER)
    }
}

impl Outcome {
    /// A lock for which a thread waits in vain, because another has come to its end with it. Only a thread all of whose calls
    /// threw is meant: a call that returns with a lock may be there to take it.
    pub fn kept_lock(&self) -> Option<KeptLock<'_>> {
        let has = |owner: &ThreadEnd, wanted: &String| {
            owner.state == ThreadState::Finished && owner.holds.iter().any(|held| held.lock == *wanted)
        };
        let parked = self
            .threads
            .iter()
            .filter(|thread| thread.state == ThreadState::Parked);
        let (number, owner) = parked
            .filter_map(|thread| thread.wants.as_ref())
            .find_map(|wanted| (0u32..).zip(&self.threads).find(|(_, owner)| has(owner, wanted)))?;
        let mut own = self.calls.iter().filter(|call| call.thread == number);
        let first = own.next()?;
        if own.any(|call| !matches!(call.result, CallResult::Threw { .. })) {
            return None;
        }
        match &first.result {
            CallResult::Threw { class, .. } if number != 0 => Some(KeptLock {
                owner,
                exception: class,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_thread_whose_calls_all_threw_keeps_a_lock() {
        let thread = |state: ThreadState, wants: Option<&str>, holds: &[&str]| ThreadEnd {
            name: "one".to_owned(),
            state,
            place: None,
            callers: Vec::new(),
            wants: wants.map(str::to_owned),
            holds: holds
                .iter()
                .map(|lock| Held {
                    lock: (*lock).to_owned(),
                    place: None,
                })
                .collect(),
        };
        let call = |result: CallResult| CallOutcome { thread: 1, result };
        let threw = CallResult::Threw {
            class: "p.Closed".to_owned(),
            message: String::new(),
            frames: Vec::new(),
        };
        let mut outcome = Outcome {
            digest: 0,
            trace_hash: 0,
            steps: 1,
            schedule: Schedule::default(),
            end: End::Stuck,
            calls: vec![call(threw)],
            uncaught: Vec::new(),
            threads: vec![
                thread(ThreadState::Finished, None, &[]),
                thread(ThreadState::Finished, None, &["lock #1"]),
                thread(ThreadState::Parked, Some("lock #1"), &[]),
            ],
        };
        assert_eq!(outcome.kept_lock().map(|kept| kept.exception), Some("p.Closed"));
        // The next call may have taken it, as it should.
        outcome.calls.push(call(CallResult::Returned(String::new())));
        assert_eq!(outcome.kept_lock(), None);
    }
}
