//! Why a hunt could not go on at all.

use raddle_execute::SessionError;

/// Why a hunt could not go on at all. What concerns one class only is a part of that class's report.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// No worker could do anything.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Tests would run without a cage although one was asked for.
    #[error("this system cannot cage tests: {0}; if you trust the classes, say so with --no-cage")]
    NoCage(String),
    /// The hunt cannot be brought back to where it was.
    #[error(
        "the hunt of {class} cannot be resumed, since {reason}; leave --resume out to begin a new hunt, which keeps what \
         was found"
    )]
    Resume {
        /// The class, by its Java name.
        class: String,
        /// Why, as a part of a sentence.
        reason: String,
    },
    /// A thread of ours ended before its time.
    #[error("a thread that supervises a worker has ended; please report this")]
    LostWorkerThread,
}
