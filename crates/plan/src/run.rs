//! What a scheduler learns from a run.

use serde::{Deserialize, Serialize};

/// One scheduling point.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "answers to questions that have nothing to do with each other"
)]
pub struct Step {
    /// Bit t: thread t could run.
    pub enabled: u64,
    /// The thread that was picked.
    pub chosen: u8,
    /// Whether the thread that had been running could have gone on.
    pub could_stay: bool,
    /// Whether a call of the plan was about to begin.
    pub boundary: bool,
    /// Whether the running thread offered to let others run.
    pub yielded: bool,
    /// Whether what the running thread was about to do concerns another thread of this run too; only if that was asked
    /// for.
    #[serde(default)]
    pub shared: bool,
}

/// What a scheduler learns from a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How many scheduling points there were.
    pub length: u32,
    /// Every point, if they were recorded.
    pub steps: Vec<Step>,
}
