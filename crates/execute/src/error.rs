//! Why a session could not do what it was asked for.

use crate::death::Death;
use crate::scratch::NoScratch;

/// Why a session could not do what it was asked for. That a worker died while exploring is no error but a part of the
/// [`crate::Exploration`].
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The plan, the schedule or the name of the scheduler is wrong.
    #[error("{0}")]
    Refused(String),
    /// The JDK or this machine cannot do what is needed.
    #[error("{0}")]
    Environment(String),
    /// The cage has gaps, and was to have none.
    #[error(
        "this system cannot cage tests as --require-cage asks for: {0}; run raddle on a system that can, or leave the option \
         out"
    )]
    CageGaps(String),
    /// There is no place for a worker.
    #[error(transparent)]
    Scratch(#[from] NoScratch),
    /// No worker could be started.
    #[error("cannot start a worker process: {0}; check the limits on processes and open files")]
    Spawn(#[from] std::io::Error),
    /// The worker died before it had anything to show.
    #[error("{0}")]
    Died(Box<Death>),
}

impl From<Death> for SessionError {
    fn from(death: Death) -> SessionError {
        SessionError::Died(Box::new(death))
    }
}
