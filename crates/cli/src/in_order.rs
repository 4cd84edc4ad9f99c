//! Work done by several threads, results taken in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Runs `work` for every item on up to `jobs` threads, and hands the results to `consume` in the order of the items,
/// each as soon as all before it are there. When `consume` breaks, no further item is started.
///
/// Plain threads rather than a work-stealing pool: a pool's thread that waits inside one item may start another one
/// meanwhile, and would then wait for itself wherever both need the same lazily built table.
pub(crate) fn for_each<T: Sync, R: Send, B>(
    items: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut consume: impl FnMut(&T, R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let next_item = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(items.len()) {
            let sender = sender.clone();
            let (next_item, work) = (&next_item, &work);
            scope.spawn(move || {
                loop {
                    let index = next_item.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&expected) {
                consume(&items[expected], result)?;
                expected += 1;
            }
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..20).collect();
        let mut seen = Vec::new();
        let jobs = NonZeroUsize::new(4).unwrap();
        let slow_first = |item: &u64| {
            thread::sleep(Duration::from_millis(if *item == 0 { 30 } else { 1 }));
            item * 10
        };
        let flow: ControlFlow<()> = for_each(&items, jobs, slow_first, |item, result| {
            assert_eq!(item * 10, result);
            seen.push(*item);
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        assert_eq!(seen, items);
    }

    #[test]
    fn breaking_stops_the_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let started = AtomicUsize::new(0);
        let work = |_: &usize| {
            started.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
        };
        let flow = for_each(&items, NonZeroUsize::MIN, work, |item, ()| {
            ControlFlow::Break(*item)
        });
        assert_eq!(flow, ControlFlow::Break(0));
        assert!(started.into_inner() < items.len());
    }
}
