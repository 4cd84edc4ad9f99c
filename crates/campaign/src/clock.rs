//! The only place of the loop that asks for the time, so that tests can script that, too.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tells the time.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> Instant + Send + Sync>);

impl Clock {
    /// The time of the machine.
    pub(crate) fn system() -> Clock {
        Clock(Arc::new(Instant::now))
    }

    pub(crate) fn now(&self) -> Instant {
        (self.0)()
    }

    /// How long ago that was.
    pub(crate) fn since(&self, earlier: Instant) -> Duration {
        self.now().saturating_duration_since(earlier)
    }
}

#[cfg(test)]
impl Clock {
    /// A clock that stands still until it is moved, by so many milliseconds.
    pub(crate) fn scripted(passed: Arc<std::sync::atomic::AtomicU64>) -> Clock {
        let begin = Instant::now();
        Clock(Arc::new(move || {
            begin + Duration::from_millis(passed.load(std::sync::atomic::Ordering::SeqCst))
        }))
    }
}
