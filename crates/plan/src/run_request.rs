//! What a scheduler asks a worker to do, and what makes a run repeatable.

use serde::{Deserialize, Serialize};

/// From this scheduling point on, that thread runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Switch {
    /// The scheduling point, counted from the beginning of the prefix.
    pub step: u32,
    /// The thread: 0 is the one that runs the prefix, then the plan's threads, then those they start.
    pub thread: u32,
}

/// A run that can be repeated: all its switches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Schedule {
    /// In order of steps.
    pub switches: Vec<Switch>,
}

/// One run to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// These switches, and none but forced ones after the last.
    Tape(Vec<Switch>),
    /// A uniform choice among the enabled threads at every point.
    Random {
        /// Of the run's own generator.
        seed: u64,
    },
    /// The enabled thread of highest priority, priorities falling at given points (PCT).
    Pct {
        /// By thread; a thread beyond the end takes them round again.
        priorities: Vec<i32>,
        /// The points at which the running thread falls below all others.
        changes: Vec<u32>,
    },
    /// A fresh priority for every operation (POS).
    Pos {
        /// Of the run's own generator.
        seed: u64,
    },
    /// Calls one after the other: a thread goes on until its call has ended or cannot go on.
    Serial {
        /// What goes on at each point where there is a choice, see [`Order::timeout`]; after the last, the first that
        /// can.
        choices: Vec<u8>,
        /// How time passes.
        clock: Clock,
    },
    /// No control, real parallelism.
    Stress {
        /// Varies the start of the threads.
        seed: u64,
    },
}

/// How time passes in a run of [`Order::Serial`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// By a little whenever somebody asks for it, as in all other runs.
    Ticking,
    /// By more than that: what differs depends on how fast the machine is.
    Faster,
    /// Not at all while some thread can go on. A call that waits for a moment does wait then.
    Standing,
}

impl Order {
    /// As one of the choices of [`Order::Serial`]: that thread's timeout, if it is below [`Order::TIMEOUTS`].
    pub const fn timeout(thread: u8) -> u8 {
        32 + thread
    }

    /// Only threads with numbers below this have their timeouts among the choices.
    pub const TIMEOUTS: u8 = 16;
}
