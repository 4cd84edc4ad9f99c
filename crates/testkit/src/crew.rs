//! Threads that share out a list.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// One thread for each core. A test that waits for one JVM after the other leaves the other cores idle.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Runs `work` for every item on so many threads, with the number of the thread; the results are in the order of the
/// items.
///
/// Plain threads, for the reason given in ARCHITECTURE.md: a pool's thread that waits for a table of the program may
/// start another class meanwhile, and wait for itself.
pub fn run<T: Sync, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.get())
            .map(|worker| {
                let (next, work) = (&next, &work);
                scope.spawn(move || {
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(index) else { break };
                        done.push((index, work(worker, item)));
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
    results.into_iter().map(|(_, result)| result).collect()
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
}
