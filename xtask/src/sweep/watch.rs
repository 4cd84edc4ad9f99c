//! Tells how far a pass has come, and ends the process when a class does not end.

use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::process as memory;

const INTERVAL: Duration = Duration::from_millis(250);

/// When to end the process.
#[derive(Copy, Clone)]
pub(super) struct Limit {
    /// Of one class.
    pub(super) time: Duration,
    /// Of the whole process, in GiB.
    pub(super) memory: u64,
}

/// What each thread is at.
pub(super) struct Watch {
    title: String,
    total: usize,
    done: AtomicUsize,
    current: Vec<Mutex<Option<(Instant, String)>>>,
    limit: Limit,
}

impl Watch {
    pub(super) fn new(title: String, total: usize, jobs: NonZeroUsize, limit: Limit) -> Watch {
        Watch {
            title,
            total,
            done: AtomicUsize::new(0),
            current: (0..jobs.get()).map(|_| Mutex::new(None)).collect(),
            limit,
        }
    }

    pub(super) fn begin(&self, worker: usize, class: &str) {
        self.set(worker, Some((Instant::now(), class.to_owned())));
    }

    pub(super) fn end(&self, worker: usize) {
        self.set(worker, None);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn set(&self, worker: usize, state: Option<(Instant, String)>) {
        if let Some(slot) = self.current.get(worker) {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = state;
        }
    }

    /// Runs something under the eyes of a second thread.
    pub(super) fn over<R>(&self, work: impl FnOnce() -> R) -> R {
        let (finished, is_finished) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let start = Instant::now();
                let is_watched = std::io::stderr().is_terminal();
                while is_finished.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    self.end_if_stuck();
                    self.end_if_too_large();
                    if is_watched {
                        self.show(start.elapsed());
                    }
                }
                if is_watched {
                    eprint!("\r\x1b[K");
                }
            });
            let result = work();
            drop(finished);
            result
        })
    }

    fn show(&self, elapsed: Duration) {
        let done = self.done.load(Ordering::Relaxed);
        eprint!(
            "\r\x1b[K{}: {done}/{}, {} s",
            self.title,
            self.total,
            elapsed.as_secs()
        );
        // A progress line that cannot be shown is no loss.
        let _ = std::io::stderr().flush();
    }

    fn end_if_too_large(&self) {
        if memory::peak_memory() >> 20 < self.limit.memory {
            return;
        }
        let current = self.current.iter().filter_map(|slot| {
            let current = slot.lock().unwrap_or_else(PoisonError::into_inner);
            current.as_ref().map(|(_, class)| class.clone())
        });
        eprintln!(
            "error: {}: more than {} GiB of memory, at {}",
            self.title,
            self.limit.memory,
            current.collect::<Vec<_>>().join(" and ")
        );
        process::exit(1);
    }

    /// There is no way to stop a thread, so a class that does not end takes the process with it.
    fn end_if_stuck(&self) {
        for slot in &self.current {
            let current = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((start, class)) = current.as_ref()
                && start.elapsed() > self.limit.time
            {
                eprintln!(
                    "error: {}: {class} takes more than {} s",
                    self.title,
                    self.limit.time.as_secs()
                );
                process::exit(1);
            }
        }
    }
}
