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
    /// No control, real parallelism.
    Stress {
        /// Varies the start of the threads.
        seed: u64,
    },
}
