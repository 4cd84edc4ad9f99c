//! DepCon+ Algorithm 2 on one unrolled method.
//!
//! In a [`Body`] every acquisition has one release after it, so the part of an unrolled sequence that a callee
//! contributes leaves the locks held as it found them. For the pairs ⟨l1, l2⟩ of Definition 9 it is then enough to know
//! of a callee which locks it takes and which it takes one inside the other, each once, in order of first occurrence:
//! [`Unrolled`] stands for the sequence, and is not longer when a method is called a thousand times.

use std::sync::Arc;

use raddle_program::{MethodId, Program};
use rustc_hash::FxHashSet;

use super::body::{Body, Call, Op, entry_lock};
use super::path::{Path, Value};

/// Locks and pairs kept of one method; what comes later is left out.
const MAX_TAKEN: usize = 1_000;
const MAX_NESTED: usize = 20_000;

/// An instruction.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Site {
    pub(super) method: MethodId,
    pub(super) pc: u32,
}

/// ACQ(l).
#[derive(Copy, Clone, Debug)]
pub(super) struct Taken {
    pub(super) lock: Path,
    pub(super) site: Site,
}

/// ⟨l1, l2⟩.
#[derive(Copy, Clone, Debug)]
pub(super) struct Nested {
    pub(super) outer: Taken,
    pub(super) inner: Taken,
}

/// unrolled(m), in terms of m's own parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Unrolled {
    pub(super) taken: Vec<Taken>,
    pub(super) nested: Vec<Nested>,
}

impl Unrolled {
    pub(super) fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// What a call that meets a recursion contributes: nothing of the callee's instructions, but the lock of a
    /// synchronized method is taken and given back by the call itself, not by an instruction of the callee.
    pub(super) fn of_recursion(program: &Program, method: MethodId) -> Option<Arc<Unrolled>> {
        let taken = Taken {
            lock: entry_lock(program, method)?,
            site: Site { method, pc: 0 },
        };
        Some(Arc::new(Unrolled {
            taken: vec![taken],
            nested: Vec::new(),
        }))
    }

    /// Two callees of which either may run.
    pub(super) fn either(left: &Arc<Unrolled>, right: &Arc<Unrolled>) -> Arc<Unrolled> {
        let mut both = Unrolled::clone(left);
        both.taken.extend_from_slice(&right.taken);
        both.nested.extend_from_slice(&right.nested);
        Arc::new(both)
    }
}

/// Scans a method's sequence (lines 45 to 59). `callee` gives the unrolled sequence of a call; `None` adds nothing.
pub(super) fn unroll(
    method: MethodId,
    body: &Body,
    mut callee: impl FnMut(&Call) -> Option<Arc<Unrolled>>,
) -> Unrolled {
    let mut scan = Scan::default();
    for event in &body.events {
        match &event.op {
            Op::Acquire(Some(lock)) => {
                scan.acquire(Taken {
                    lock: *lock,
                    site: Site { method, pc: event.pc },
                });
            }
            Op::Release(Some(lock)) => scan.release(lock),
            Op::Invoke(call) => {
                if let Some(unrolled) = callee(call) {
                    scan.splice(&unrolled, &call.arguments);
                }
            }
            Op::Read(_) | Op::Write(_) | Op::Acquire(None) | Op::Release(None) => {}
        }
    }
    scan.found
}

/// The lock-ordered-set, and what has been found so far.
#[derive(Default)]
struct Scan {
    held: Vec<(Taken, u32)>,
    found: Unrolled,
    taken: FxHashSet<Path>,
    nested: FxHashSet<(Path, Path)>,
}

impl Scan {
    fn holds(&self, lock: &Path) -> bool {
        self.held.iter().any(|(held, _)| held.lock == *lock)
    }

    fn acquire(&mut self, taken: Taken) {
        if let Some((_, depth)) = self.held.iter_mut().find(|(held, _)| held.lock == taken.lock) {
            *depth += 1;
            return;
        }
        self.note(taken);
        self.held.push((taken, 1));
    }

    fn release(&mut self, lock: &Path) {
        let Some(at) = self.held.iter().position(|(held, _)| held.lock == *lock) else {
            return;
        };
        if let Some((_, depth)) = self.held.get_mut(at) {
            *depth -= 1;
            if *depth == 0 {
                self.held.remove(at);
            }
        }
    }

    /// A callee's sequence in place of the call, with the aliases of its arguments.
    fn splice(&mut self, callee: &Unrolled, arguments: &[Value]) {
        for taken in &callee.taken {
            if let Some(taken) = in_caller(taken, arguments)
                && !self.holds(&taken.lock)
            {
                self.note(taken);
            }
        }
        for nested in &callee.nested {
            let (outer, inner) = (
                in_caller(&nested.outer, arguments),
                in_caller(&nested.inner, arguments),
            );
            if let (Some(outer), Some(inner)) = (outer, inner)
                && !self.holds(&inner.lock)
            {
                self.pair(outer, inner);
            }
        }
    }

    /// A lock that is not held yet is taken.
    fn note(&mut self, taken: Taken) {
        if self.found.taken.len() < MAX_TAKEN && self.taken.insert(taken.lock) {
            self.found.taken.push(taken);
        }
        for at in 0..self.held.len() {
            if let Some(&(outer, _)) = self.held.get(at) {
                self.pair(outer, taken);
            }
        }
    }

    fn pair(&mut self, outer: Taken, inner: Taken) {
        if outer.lock != inner.lock
            && self.found.nested.len() < MAX_NESTED
            && self.nested.insert((outer.lock, inner.lock))
        {
            self.found.nested.push(Nested { outer, inner });
        }
    }
}

fn in_caller(taken: &Taken, arguments: &[Value]) -> Option<Taken> {
    Some(Taken {
        lock: taken.lock.in_caller(arguments)?,
        site: taken.site,
    })
}
