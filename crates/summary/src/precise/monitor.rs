//! Taking and giving back locks.

use super::interp::Interp;
use super::lock::{Held, Lock, LockBase, Section};
use super::state::State;
use super::summary::{NestedFact, Site};
use super::value::{Item, Value};

impl Interp<'_, '_> {
    /// The lock a value stands for, when it is certain which.
    pub(crate) fn lock_of(&self, st: &State, value: &Value) -> Option<Lock> {
        match value.single()? {
            Item::Path(path) | Item::WriteLock(path) => Some(Lock::exclusive(LockBase::Path(path))),
            Item::Class(class) => Some(Lock::exclusive(LockBase::Class(class))),
            Item::ReadLock(path) => Some(Lock {
                base: LockBase::Path(path),
                shared: true,
            }),
            Item::Fresh(number) if st.is_published(number) => {
                match self.allocs[usize::from(number)].paths.as_slice() {
                    [only] => Some(Lock::exclusive(LockBase::Path(*only))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Takes the lock of an object. With `attempt` it may not have been got.
    pub(crate) fn enter(&mut self, st: &mut State, value: &Value, attempt: bool) {
        let section = if self.in_loop {
            Section::REPEATED
        } else {
            Section::at(self.bci)
        };
        let place = (self.key.method, self.bci);
        match self.lock_of(st, value) {
            Some(lock) => {
                if !attempt {
                    self.acquired(st, lock, place);
                }
                Self::hold(st, lock, section, !attempt, place);
            }
            None => {
                for path in self.paths(st, value) {
                    let lock = Lock::exclusive(LockBase::Path(path));
                    if !attempt {
                        self.acquired(st, lock, place);
                    }
                    Self::hold(st, lock, section, false, place);
                }
            }
        }
    }

    /// Adds a lock to those held.
    pub(crate) fn hold(st: &mut State, lock: Lock, section: Section, must: bool, place: Site) {
        if let Some(held) = st.held.iter_mut().find(|held| held.lock == lock) {
            held.depth = held.depth.saturating_add(1).min(16);
            if must && !held.must {
                held.must = true;
                held.section = section;
            }
            return;
        }
        st.held.push(Held {
            lock,
            section,
            must,
            depth: 0,
            place,
        });
    }

    /// Records that a lock is taken here, inside whatever is held.
    pub(crate) fn acquired(&mut self, st: &State, lock: Lock, place: Site) {
        let Some(out) = &mut self.out else { return };
        if st
            .held
            .iter()
            .any(|held| held.lock.base == lock.base && held.must)
        {
            return; // re-entry
        }
        out.acquire(self.engine, lock, place);
        for held in &st.held {
            let fact = NestedFact {
                first: held.lock,
                second: lock,
                first_place: held.place,
                second_place: place,
                via: self.bci,
            };
            out.nested(self.engine, fact);
        }
    }

    /// Gives a lock back. `unlock` says it is an explicit lock, which another method may have taken.
    pub(crate) fn exit(&mut self, st: &mut State, value: &Value, unlock: bool) {
        match self.lock_of(st, value) {
            Some(lock) => self.release(st, lock, unlock),
            None => {
                for path in self.paths(st, value) {
                    self.release(st, Lock::exclusive(LockBase::Path(path)), unlock);
                }
            }
        }
    }

    pub(crate) fn release(&mut self, st: &mut State, lock: Lock, unlock: bool) {
        match st.held.iter().position(|held| held.lock == lock) {
            Some(at) if st.held[at].depth > 0 => st.held[at].depth -= 1,
            Some(at) => {
                st.held.remove(at);
            }
            None if unlock => {
                if let Some(out) = &mut self.out
                    && !out.summary.gives_back.contains(&lock)
                {
                    out.summary.gives_back.push(lock);
                }
            }
            None => {}
        }
    }

    /// A wait gives every lock up and takes it again: nothing before is in one stretch with anything after.
    pub(crate) fn split_sections(&mut self, st: &mut State) {
        let section = if self.in_loop {
            Section::REPEATED
        } else {
            Section::at(self.bci)
        };
        if let Some(out) = &mut self.out {
            out.summary.waits = true;
        }
        for held in &mut st.held {
            held.section = section;
        }
    }
}
