//! DepCon+ section 5.2: which `monitorexit` releases the lock.
//!
//! A compiler pairs one `monitorenter` with several `monitorexit`s: one before every early way out of the block, one at
//! its regular end, and one in the catch-all handler that it places right behind the block. The paper ignores those at
//! premature terminations. The rule here: **of the `monitorexit`s that belong to one `monitorenter`, only the last in
//! linear order counts.** It stands at the end of the block, also when the block never ends regularly, and the
//! instructions between the regular end and the handler's `monitorexit` are only a jump or a return.
//!
//! The two belong together when they go through the same local variable, which is where compilers keep the lock's
//! reference, else when they name the same lock; a `monitorexit` belongs to the nearest `monitorenter` before it.

use rustc_hash::FxHashMap;

use super::body::{Event, Op};
use super::path::Value;

struct Enter {
    lock: Value,
    /// The `monitorexit` seen last, as a position in the sequence.
    exit: Option<usize>,
}

/// Pairs the monitor instructions of one method.
#[derive(Default)]
pub(super) struct Monitors {
    enters: Vec<Enter>,
    /// The latest `monitorenter` by local variable, and by lock.
    by_slot: FxHashMap<u16, usize>,
    by_lock: FxHashMap<Value, usize>,
    /// Positions of releases that do not count.
    ignored: Vec<usize>,
}

impl Monitors {
    pub(super) fn enter(&mut self, slot: Option<u16>, lock: Value) {
        let number = self.enters.len();
        if let Some(slot) = slot {
            self.by_slot.insert(slot, number);
        }
        self.by_lock.insert(lock, number);
        self.enters.push(Enter { lock, exit: None });
    }

    /// Notes the `monitorexit` that is about to become event `position`, and gives the lock it releases.
    pub(super) fn exit(&mut self, slot: Option<u16>, lock: Value, position: usize) -> Value {
        let by_slot = slot.and_then(|slot| self.by_slot.get(&slot));
        let found = by_slot.or_else(|| self.by_lock.get(&lock)).copied();
        let Some(enter) = found.and_then(|number| self.enters.get_mut(number)) else {
            self.ignored.push(position);
            return lock;
        };
        self.ignored.extend(enter.exit.replace(position));
        enter.lock
    }

    /// Drops the releases that do not count; a lock that is never released is released where the method ends.
    pub(super) fn settle(mut self, events: &mut Vec<Event>, end: u32) {
        self.ignored.sort_unstable();
        let mut position = 0;
        events.retain(|_| {
            let keep = self.ignored.binary_search(&position).is_err();
            position += 1;
            keep
        });
        for enter in self.enters.iter().rev().filter(|enter| enter.exit.is_none()) {
            events.push(Event {
                pc: end,
                op: Op::Release(enter.lock),
            });
        }
    }
}
