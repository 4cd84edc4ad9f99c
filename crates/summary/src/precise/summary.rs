//! What one method does, in terms of its own parameters: the unit of reuse between callers.

use raddle_program::{ClassId, MethodId, Symbol};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::lock::{self, Lock, Protection};
use super::path::Path;
use crate::facts::{AccessKind, AccessMode};

/// A method, and the receiver's exact class where it is known.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) method: MethodId,
    pub(crate) receiver: Option<ClassId>,
}

/// A bytecode place by id.
pub(crate) type Site = (MethodId, u32);

/// An access to one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AccessFact {
    pub(crate) location: Path,
    pub(crate) kind: AccessKind,
    pub(crate) mode: AccessMode,
    pub(crate) held: Protection,
    /// More than one event per call is possible.
    pub(crate) many: bool,
    pub(crate) place: Site,
    /// Instruction of the summarised method that leads to `place`.
    pub(crate) via: u32,
}

/// A lock taken at some time during the method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AcquireFact {
    pub(crate) lock: Lock,
    pub(crate) place: Site,
}

/// A lock taken while another is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NestedFact {
    pub(crate) first: Lock,
    pub(crate) second: Lock,
    pub(crate) first_place: Site,
    pub(crate) second_place: Site,
}

/// What a returned or stored reference may be, without the callee's own allocation numbers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Shape {
    /// An item that means the same to the caller once parameters are replaced.
    Item(super::value::Item),
    /// A new object.
    Fresh {
        /// Its class, if that is certain.
        class: Option<ClassId>,
        /// What it refers to.
        contents: SmallVec<[super::value::Item; 2]>,
        /// What it is a shallow copy of.
        copies: SmallVec<[Path; 1]>,
    },
}

/// `base.field = value`, kept so that callers know what new objects hold and what gets published.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StoreFact {
    pub(crate) base: Path,
    pub(crate) value: Shape,
}

/// A call whose target depends on the class under test: a method that it may override, on an object it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenCall {
    pub(crate) receiver: Path,
    pub(crate) declared: ClassId,
    pub(crate) name: Symbol,
    pub(crate) descriptor: Symbol,
    pub(crate) held: Protection,
    /// Locks that may be held, with where they were taken.
    pub(crate) outer: SmallVec<[(Lock, Site); 2]>,
    pub(crate) many: bool,
    pub(crate) place: Site,
    pub(crate) via: u32,
}

/// A call that could not be seen through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opaque {
    pub(crate) class: ClassId,
    pub(crate) name: Symbol,
    pub(crate) descriptor: Symbol,
    pub(crate) reason: &'static str,
    pub(crate) place: Site,
}

/// Everything a caller needs to know.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Summary {
    pub(crate) accesses: Vec<AccessFact>,
    pub(crate) acquires: Vec<AcquireFact>,
    pub(crate) nested: Vec<NestedFact>,
    pub(crate) stores: Vec<StoreFact>,
    pub(crate) returns: Vec<Shape>,
    pub(crate) opens: Vec<OpenCall>,
    pub(crate) opaque: Vec<Opaque>,
    /// Locks certainly still held when the method returns (a `fullyLock()`).
    pub(crate) leaves_held: SmallVec<[Lock; 1]>,
    /// Locks that the method gives back without having taken them (a `fullyUnlock()`).
    pub(crate) gives_back: SmallVec<[Lock; 1]>,
}

/// Collects a summary, merging repeats.
#[derive(Default)]
pub(crate) struct Collector {
    pub(crate) summary: Summary,
    access_at: FxHashMap<(Path, AccessKind), usize>,
    acquire_at: FxHashMap<Lock, usize>,
    nested_at: FxHashMap<(Lock, Lock), usize>,
    store_at: FxHashMap<StoreFact, ()>,
    open_at: FxHashMap<(Path, ClassId, Symbol, Symbol), usize>,
    opaque_at: FxHashMap<Site, ()>,
}

/// Orders places without regard to the numbers of ids, which depend on the order of loading.
pub(crate) trait SiteOrder {
    fn is_before(&self, left: Site, right: Site) -> bool;
}

impl Collector {
    pub(crate) fn access(&mut self, order: &dyn SiteOrder, fact: AccessFact) {
        let key = (fact.location, fact.kind);
        let Some(&at) = self.access_at.get(&key) else {
            self.access_at.insert(key, self.summary.accesses.len());
            self.summary.accesses.push(fact);
            return;
        };
        let known = &mut self.summary.accesses[at];
        known.many |= fact.many || known.place != fact.place || known.via != fact.via;
        known.held = lock::common(&known.held, &fact.held);
        known.mode = known.mode.min(fact.mode);
        if (fact.place, fact.via) != (known.place, known.via)
            && (order.is_before(fact.place, known.place) || (fact.place == known.place && fact.via < known.via))
        {
            known.place = fact.place;
            known.via = fact.via;
        }
    }

    pub(crate) fn acquire(&mut self, order: &dyn SiteOrder, fact: AcquireFact) {
        let AcquireFact { lock, place } = fact;
        match self.acquire_at.get(&lock) {
            None => {
                self.acquire_at.insert(lock, self.summary.acquires.len());
                self.summary.acquires.push(AcquireFact { lock, place });
            }
            Some(&at) => {
                let known = &mut self.summary.acquires[at];
                if order.is_before(place, known.place) {
                    known.place = place;
                }
            }
        }
    }

    pub(crate) fn nested(&mut self, order: &dyn SiteOrder, fact: NestedFact) {
        if fact.first.base == fact.second.base {
            return; // re-entry, or a lock upgrade on the same object
        }
        let key = (fact.first, fact.second);
        match self.nested_at.get(&key) {
            None => {
                self.nested_at.insert(key, self.summary.nested.len());
                self.summary.nested.push(fact);
            }
            Some(&at) => {
                let known = &mut self.summary.nested[at];
                if order.is_before(fact.second_place, known.second_place) {
                    *known = fact;
                }
            }
        }
    }

    pub(crate) fn store(&mut self, fact: StoreFact) {
        if self.store_at.insert(fact.clone(), ()).is_none() {
            self.summary.stores.push(fact);
        }
    }

    pub(crate) fn open(&mut self, order: &dyn SiteOrder, fact: OpenCall) {
        let key = (fact.receiver, fact.declared, fact.name, fact.descriptor);
        let Some(&at) = self.open_at.get(&key) else {
            self.open_at.insert(key, self.summary.opens.len());
            self.summary.opens.push(fact);
            return;
        };
        let known = &mut self.summary.opens[at];
        known.many |= fact.many || known.place != fact.place || known.via != fact.via;
        known.held = lock::common(&known.held, &fact.held);
        for outer in fact.outer {
            if !known.outer.iter().any(|(lock, _)| *lock == outer.0) {
                known.outer.push(outer);
            }
        }
        if order.is_before(fact.place, known.place) {
            known.place = fact.place;
            known.via = fact.via;
        }
    }

    pub(crate) fn opaque(&mut self, fact: Opaque) {
        if self.opaque_at.insert(fact.place, ()).is_none() {
            self.summary.opaque.push(fact);
        }
    }
}
