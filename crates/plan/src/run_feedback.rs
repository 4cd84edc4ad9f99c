//! What a scheduler learns from a run.

use serde::{Deserialize, Serialize};

/// What an operation of a thread touches.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Touch {
    /// What is done to it.
    pub kind: TouchKind,
    /// Which one: a memory location, a lock or a thread, by kind.
    ///
    /// A memory location is a part of an object: the part in the lower [`Touch::PART_BITS`] bits, the object above; a
    /// lock is an object with 0 for its part. Runs of a plan are compared by these numbers, so they must not depend on
    /// how the threads were interleaved: what was there before the threads, or was made by the same step of the same
    /// thread, has the same number in every run. Other numbers have [`Touch::PASSING`] set, and must be the same only in
    /// runs with a common beginning in which some thread was about to touch the object.
    pub location: u64,
}

impl Touch {
    /// As the location of [`TouchKind::Join`]: every thread of the plan.
    pub const ALL_THREADS: u64 = u64::MAX;
    /// Nothing that another thread could notice.
    pub const LOCAL: Touch = Touch::new(TouchKind::Local, 0);
    /// Perhaps anything.
    pub const UNKNOWN: Touch = Touch::new(TouchKind::Unknown, 0);

    /// So many bits of a memory location say which part of an object it is.
    pub const PART_BITS: u32 = 24;
    /// As a part: perhaps any of them.
    pub const ALL_PARTS: u64 = (1 << Touch::PART_BITS) - 1;
    /// Set in a location whose number holds only in runs with a common beginning.
    pub const PASSING: u64 = 1 << 63;

    /// Does this to that.
    pub const fn new(kind: TouchKind, location: u64) -> Touch {
        Touch { kind, location }
    }

    /// Of a memory location or a lock: the object.
    pub const fn object(self) -> u64 {
        self.location >> Touch::PART_BITS
    }

    /// Whether two memory locations have something in common.
    pub fn overlaps(self, other: Touch) -> bool {
        let is_all = |touch: Touch| touch.location & Touch::ALL_PARTS == Touch::ALL_PARTS;
        self.location == other.location || self.object() == other.object() && (is_all(self) || is_all(other))
    }
}

/// What an operation does to what it touches.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TouchKind {
    /// Reads a memory location.
    Read,
    /// Writes a memory location, or reads and writes it in one.
    Write,
    /// Takes a lock, for the first time, once more, or again after waiting.
    Lock,
    /// A lock was given up on the way to this point, after the thread's last operation. The step itself does nothing.
    Unlock,
    /// Gives a lock up and begins to wait for a notification.
    Wait,
    /// Notifies one or all that wait.
    Notify,
    /// Takes the permit of its own thread, and cannot be done without one.
    Park,
    /// Gives a thread its permit.
    Unpark,
    /// Starts a thread.
    Spawn,
    /// Goes on after a thread has ended.
    Join,
    /// Touches nothing that is shared.
    Local,
    /// May touch anything.
    Unknown,
}

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
    /// What the picked thread then did, if that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touch: Option<Touch>,
}

/// A thread that could not go on when a run ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The thread.
    pub thread: u8,
    /// What it was about to do.
    pub touch: Touch,
}

/// What a scheduler learns from a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How many scheduling points there were.
    pub length: u32,
    /// Every point, if they were recorded.
    pub steps: Vec<Step>,
    /// The threads that could not go on when no other could: none if all came to their end. `None` if that was not
    /// recorded, or the run was cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Vec<Blocked>>,
}
