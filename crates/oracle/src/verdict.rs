//! What an oracle says.

use std::fmt;

use raddle_plan::{Frame, Held, Place, ThreadState};
use serde::{Deserialize, Serialize};

/// What came of judging a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Some linearization does the same.
    Clean,
    /// No linearization does the same.
    Violation(Violation),
    /// Nothing can be said, for this reason.
    Inconclusive(String),
}

/// The kinds of violations. Their names are part of the output and stay.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A call throws.
    Exception,
    /// Threads wait for each other's locks.
    Deadlock,
    /// A thread waits, and nobody is left to wake it.
    LostWakeup,
    /// The run does not come to an end.
    Livelock,
    /// Calls return what they should not.
    Result,
}

impl Kind {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Kind; 5] = [
        Kind::Exception,
        Kind::Deadlock,
        Kind::LostWakeup,
        Kind::Livelock,
        Kind::Result,
    ];

    /// The name in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Exception => "exception",
            Kind::Deadlock => "deadlock",
            Kind::LostWakeup => "lost-wakeup",
            Kind::Livelock => "livelock",
            Kind::Result => "result",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A run that does what no linearization does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Of this kind.
    pub kind: Kind,
    /// For the maintainer of the class: what happened, where, and what happens without concurrency.
    pub summary: String,
    /// What it is based on.
    pub evidence: Evidence,
}

/// What a violation is based on. Calls are numbered through the whole plan from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A call threw.
    Exception {
        /// The call.
        call: usize,
        /// Its thread.
        thread: u32,
        /// The exception's class.
        class: String,
        /// Its message.
        message: String,
        /// Its stack, innermost first.
        frames: Vec<Frame>,
        /// What the call throws in linearizations.
        sequential: Vec<String>,
    },
    /// Threads wait for each other, each for the next and the last for the first.
    Deadlock {
        /// The threads.
        cycle: Vec<Link>,
        /// The calls that never end.
        calls: Vec<usize>,
    },
    /// Threads wait for ever.
    LostWakeup {
        /// Every thread that had not ended, except the one that waits for the plan's threads.
        threads: Vec<Waiter>,
        /// The calls that never end.
        calls: Vec<usize>,
    },
    /// The limit on scheduling points was reached.
    Livelock {
        /// The limit.
        steps: u32,
        /// The most that a linearization took.
        sequential_steps: u32,
        /// The calls that were under way.
        calls: Vec<usize>,
    },
    /// Calls returned what no linearization makes them return.
    Result {
        /// What every call came to.
        results: Vec<String>,
        /// Where the linearization that is nearest differs.
        differences: Vec<Difference>,
        /// The calls whose results, together, no linearization explains. What the others came to does not matter.
        #[serde(default)]
        decisive: Vec<usize>,
    },
}

/// A thread of a deadlock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Its number.
    pub thread: u32,
    /// Its name.
    pub name: String,
    /// What it waits for.
    pub wants: String,
    /// Where it waits.
    pub at: Option<Place>,
    /// What it holds that the thread before it in the cycle waits for; `None` if that one waits for its end.
    pub holds: Option<Held>,
}

/// A thread that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiter {
    /// Its number.
    pub thread: u32,
    /// Its name.
    pub name: String,
    /// How it waits.
    pub state: ThreadState,
    /// For what.
    pub wants: Option<String>,
    /// Where.
    pub at: Option<Place>,
    /// What it holds meanwhile.
    pub holds: Vec<Held>,
}

/// A call that came to something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The call.
    pub call: usize,
    /// What it came to.
    pub got: String,
    /// What it comes to in linearizations, without repetitions.
    pub sequential: Vec<String>,
}

impl Violation {
    /// The calls that show it by what they come to, or by not coming to their ends.
    pub fn decisive_calls(&self) -> &[usize] {
        match &self.evidence {
            Evidence::Exception { call, .. } => std::slice::from_ref(call),
            Evidence::Deadlock { calls, .. }
            | Evidence::LostWakeup { calls, .. }
            | Evidence::Livelock { calls, .. } => calls,
            Evidence::Result { decisive, .. } => decisive,
        }
    }

    /// Equal for runs that show the same fault in the same places, so that it need be reported only once.
    pub fn signature(&self) -> String {
        let place = |place: &Option<Place>| {
            place.as_ref().map_or_else(String::new, |place| {
                format!(
                    "{}.{}{}@{}",
                    place.class, place.method, place.descriptor, place.bci
                )
            })
        };
        let mut parts: Vec<String> = match &self.evidence {
            Evidence::Exception { class, frames, .. } => {
                let top = frames.first().map_or("", |frame| &frame.0);
                vec![class.clone(), top.to_owned()]
            }
            Evidence::Deadlock { cycle, .. } => cycle.iter().map(|link| place(&link.at)).collect(),
            Evidence::LostWakeup { threads, .. } => threads.iter().map(|waiter| place(&waiter.at)).collect(),
            Evidence::Livelock { calls, .. } => calls.iter().map(ToString::to_string).collect(),
            Evidence::Result { differences, .. } => differences
                .iter()
                .map(|difference| difference.call.to_string())
                .collect(),
        };
        if self.kind != Kind::Exception {
            parts.sort_unstable();
        }
        format!("{} {}", self.kind, parts.join(" "))
    }
}
