//! Runs numbered cases on all cores, each under a time limit, and says which of them failed.

use std::any::Any;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::random::Random;

const SEED: u64 = 0x0DDB_1A5E_5BAD_5EED;
/// Far beyond what any case takes, even on a busy machine.
const LIMIT: Duration = Duration::from_mins(2);
/// Most cases that one thread does. Its name says which, for a stack overflow ends the process with no other word.
const CHUNK: u64 = 256;
/// `kind:number` of a single case to run.
const ONE_CASE: &str = "RADDLE_MUTATION";

/// Runs the cases `0..count` of one kind and returns how many; none if the environment names one case to run.
pub(crate) fn run(kind: &'static str, count: u64, case: impl Fn(u64, Random) + Sync) -> u64 {
    let numbers = match std::env::var(ONE_CASE) {
        Ok(text) => match text
            .split_once(':')
            .map(|(of, number)| (of == kind, number.parse::<u64>()))
        {
            Some((true, Ok(number))) => number..number + 1,
            Some((false, Ok(_))) => return 0,
            _ => panic!("{ONE_CASE} is {text:?} and must be kind:number, such as reader:17"),
        },
        Err(_) => 0..count,
    };
    let watch = Watch {
        kind,
        running: Mutex::default(),
        is_over: AtomicBool::new(false),
    };
    let threads = thread::available_parallelism().map_or(2, usize::from);
    let chunk_size = (count / (threads as u64 * 8)).clamp(1, CHUNK);
    let next = AtomicU64::new(numbers.start);
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let first = next.fetch_add(chunk_size, Ordering::Relaxed);
            if first >= numbers.end {
                break;
            }
            let chunk = first..numbers.end.min(first + chunk_size);
            let failed = watch.chunk(chunk, &case);
            failures
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(failed);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| watch.observe());
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap();
        }
        watch.is_over.store(true, Ordering::Relaxed);
    });
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "{} of {count} cases failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
    if numbers == (0..count) { count } else { 0 }
}

/// The random numbers of a case.
pub(crate) fn random_of(case: u64) -> Random {
    Random::new(Random::new(SEED ^ case.wrapping_mul(0xD134_2543_DE82_EF95)).next())
}

struct Watch {
    kind: &'static str,
    running: Mutex<Vec<(u64, Instant)>>,
    is_over: AtomicBool,
}

impl Watch {
    /// Runs some cases on a thread of their own; returns a sentence for each that failed.
    fn chunk(&self, chunk: std::ops::Range<u64>, case: &(impl Fn(u64, Random) + Sync)) -> Vec<String> {
        let name = format!("{} cases {} to {}", self.kind, chunk.start, chunk.end - 1);
        let run = || {
            let mut failed = Vec::new();
            for number in chunk {
                self.running().push((number, Instant::now()));
                let result = panic::catch_unwind(AssertUnwindSafe(|| case(number, random_of(number))));
                self.running().retain(|(running, _)| *running != number);
                failed.extend(
                    result
                        .err()
                        .map(|payload| self.sentence(number, message(&*payload))),
                );
            }
            failed
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new()
                .name(name)
                .spawn_scoped(scope, run)
                .unwrap();
            thread.join().unwrap()
        })
    }

    /// Ends the process when a case takes too long: a thread cannot be stopped.
    fn observe(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
            for (number, start) in self.running().iter() {
                if start.elapsed() > LIMIT {
                    let sentence = self.sentence(*number, &format!("takes more than {LIMIT:?}"));
                    // Not with a macro: what those print is held back until the test ends.
                    std::io::stderr()
                        .write_all(format!("{sentence}\n").as_bytes())
                        .unwrap();
                    std::process::abort();
                }
            }
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Vec<(u64, Instant)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sentence(&self, number: u64, what: &str) -> String {
        let kind = self.kind;
        format!("{kind} case {number} (seed {SEED:#x}): {what}; run it again with {ONE_CASE}={kind}:{number}")
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("panicked")
}
