//! What became of one class.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::time::{Duration, Instant};

use super::digest::Digest;

/// What became of one class, and how long it took.
pub(super) struct Record {
    pub(super) class: String,
    pub(super) time: Duration,
    pub(super) outcome: Outcome,
}

pub(super) enum Outcome {
    /// Done; with a hash of the result if that was asked for.
    Done(Option<Digest>),
    Skipped(Skip),
    /// Not to be read, and why.
    Unreadable(String),
    /// Message and place.
    Panicked(String),
}

/// Why there is nothing to analyse.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Skip {
    Interface,
    Annotation,
    NoPublicMethods,
}

impl Record {
    /// Runs the work for one class. What it returns is not timed when it is called.
    pub(super) fn of<F: FnOnce() -> Outcome>(class: &str, work: impl FnOnce() -> F) -> Record {
        let start = Instant::now();
        let finish = caught(work);
        let time = start.elapsed();
        let outcome = finish.and_then(caught).unwrap_or_else(Outcome::Panicked);
        Record {
            class: class.to_owned(),
            time,
            outcome,
        }
    }
}

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The result, or the message of the panic.
fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    install_hook();
    // What the analysis shares between classes is only ever added to as a whole, so a panic leaves nothing half done.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| MESSAGE.take())
}

/// Keeps messages of panics for the report instead of printing them.
fn install_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let message = info.payload_as_str().unwrap_or("no message");
            MESSAGE.set(format!("{message} at {place}"));
        }));
    });
}
