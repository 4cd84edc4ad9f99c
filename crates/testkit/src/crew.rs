//! Threads that share out a list.

use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// One thread for each core. A test that waits for one JVM after the other leaves the other cores idle.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Of fixtures that take long all together, those for this run: all in the full tests, and otherwise one in so many. How many are
/// left out is printed.
#[expect(clippy::print_stderr, reason = "nothing is left out in silence")]
pub fn share<T>(fixtures: Vec<T>, one_in: usize) -> Vec<T> {
    if cfg!(feature = "full-tests") {
        return fixtures;
    }
    let all = fixtures.len();
    let some: Vec<T> = fixtures.into_iter().step_by(one_in).collect();
    eprintln!("{} of {all} fixtures; all with --features full-tests", some.len());
    some
}

/// Runs `work` for every item on so many threads, with the number of the thread; the results are in the order of the
/// items. An item that fails does not keep the others from being tried, so that one run tells of all of them.
///
/// Plain threads, for the reason given in ARCHITECTURE.md: a pool's thread that waits for a table of the program may
/// start another class meanwhile, and wait for itself.
pub fn run<T: Sync, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, thread::Result<R>)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.get())
            .map(|worker| {
                let (next, work) = (&next, &work);
                scope.spawn(move || {
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(index) else { break };
                        let result = panic::catch_unwind(AssertUnwindSafe(|| work(worker, item)));
                        done.push((index, result));
                    }
                    done
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| {
                let done = thread.join();
                done.unwrap_or_else(|payload| panic::resume_unwind(payload))
            })
            .collect()
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    let or_panic = |result: thread::Result<R>| result.unwrap_or_else(|payload| panic::resume_unwind(payload));
    results.into_iter().map(|(_, result)| or_panic(result)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_in_order() {
        let items: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        let results = run(&items, NonZeroUsize::new(4).unwrap(), |_, item| item.clone());
        assert_eq!(results, items);
    }

    #[test]
    fn what_fails_does_not_keep_the_rest_from_being_done() {
        let items: Vec<usize> = (0..100).collect();
        let done = AtomicUsize::new(0);
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
            run(&items, NonZeroUsize::new(2).unwrap(), |_, item| {
                done.fetch_add(1, Ordering::Relaxed);
                assert!(item % 10 != 3, "{item}");
            })
        }));
        assert!(outcome.is_err());
        assert_eq!(done.into_inner(), 100);
    }
}
