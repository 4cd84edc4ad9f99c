//! What one method does, in terms of its own parameters: the unit of reuse between callers.

use raddle_program::{ClassId, MethodId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// Instruction of the summarised method that leads to `second_place`.
    pub(crate) via: u32,
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
    /// Gives its locks up in between: nothing the caller holds is one stretch across the call.
    pub(crate) waits: bool,
    /// Locks certainly still held when the method returns (a `fullyLock()`).
    pub(crate) leaves_held: SmallVec<[Lock; 1]>,
    /// Locks that the method gives back without having taken them (a `fullyUnlock()`).
    pub(crate) gives_back: SmallVec<[Lock; 1]>,
}

/// Locations on objects of unknown origin that are told apart.
const MAX_UNKNOWN: usize = 48;
/// Accesses beyond which an argument counts as one location.
const MAX_ACCESSES: usize = 256;
/// Lock pairs beyond which those far from the method's own parameters are left out.
const MAX_NESTED: usize = 256;
/// Stores beyond which only the objects changed are remembered, not what was put there.
const MAX_STORES: usize = 64;
/// Calls not seen through that a summary names.
const MAX_OPAQUE: usize = 16;
/// Open calls beyond which those far from the method's own parameters are left out.
const MAX_OPEN_CALLS: usize = 128;

/// Alternatives a summary's result keeps; more are one unknown object.
const MAX_RETURNS: usize = 6;

impl Summary {
    /// One order for equal contents, so that a fixed point can be recognised.
    pub(crate) fn sort(&mut self) {
        self.accesses.sort_by_key(|fact| (fact.location, fact.kind));
        self.acquires.sort_by_key(|fact| fact.lock);
        self.nested.sort_by_key(|fact| (fact.first, fact.second));
        self.stores
            .sort_by(|a, b| (a.base, &a.value).cmp(&(b.base, &b.value)));
        self.returns.sort();
        self.returns.dedup();
        self.opens
            .sort_by_key(|fact| (fact.receiver, fact.declared, fact.name, fact.descriptor));
        for open in &mut self.opens {
            open.outer.sort_by_key(|(lock, _)| *lock);
        }
        self.opaque.sort_by_key(|fact| fact.place);
    }

    /// Makes a summary that has grown beyond use coarse: what it does to objects of unknown origin becomes one fact.
    pub(crate) fn coarsen(&mut self, order: &dyn SiteOrder, object: ClassId) {
        let unknown = |path: &Path| matches!(path.root, super::path::Root::Unknown(_));
        if self
            .accesses
            .iter()
            .filter(|fact| unknown(&fact.location))
            .count()
            > MAX_UNKNOWN
        {
            let mut collector = Collector::default();
            let anywhere = Path::root(super::path::Root::Unknown(object)).follow(super::path::Step::Any);
            for mut fact in std::mem::take(&mut self.accesses) {
                if unknown(&fact.location) {
                    fact.location = anywhere;
                }
                collector.access(order, fact);
            }
            self.accesses = collector.summary.accesses;
        }
        if self.accesses.len() > MAX_ACCESSES {
            let mut collector = Collector::default();
            for mut fact in std::mem::take(&mut self.accesses) {
                if matches!(fact.location.root, super::path::Root::Param(1..)) {
                    fact.location = Path::root(fact.location.root).follow(super::path::Step::Any);
                }
                collector.access(order, fact);
            }
            self.accesses = collector.summary.accesses;
        }
        let unknown_lock = |lock: &Lock| matches!(lock.base, lock::LockBase::Path(path) if unknown(&path));
        if self.nested.len() > MAX_NESTED {
            self.nested
                .retain(|fact| !unknown_lock(&fact.first) || !unknown_lock(&fact.second));
        }
        let near = |path: &Path| matches!(path.root, super::path::Root::Param(_)) && path.steps().len() < 2;
        let near_lock = |lock: &Lock| match lock.base {
            lock::LockBase::Path(path) => near(&path),
            lock::LockBase::Class(_) => true,
        };
        if self.nested.len() > MAX_NESTED {
            self.nested
                .retain(|fact| near_lock(&fact.first) || near_lock(&fact.second));
        }
        if self.opens.len() > MAX_OPEN_CALLS {
            self.opens.retain(|fact| near(&fact.receiver));
        }
        if self.stores.len() > MAX_STORES {
            let value = Shape::Item(super::value::Item::Path(Path::root(super::path::Root::Unknown(
                object,
            ))));
            let mut roots: Vec<Path> = self
                .stores
                .iter()
                .map(|fact| Path::root(fact.base.root))
                .collect();
            roots.sort_unstable();
            roots.dedup();
            roots.retain(near);
            self.stores = roots
                .into_iter()
                .map(|base| StoreFact {
                    base,
                    value: value.clone(),
                })
                .collect();
        }
        if self.opaque.len() > MAX_OPAQUE {
            // Any rule will do that does not depend on the order of arrival: the first by place.
            self.opaque.sort_by(|a, b| {
                match (
                    order.is_before(a.place, b.place),
                    order.is_before(b.place, a.place),
                ) {
                    (true, _) => std::cmp::Ordering::Less,
                    (_, true) => std::cmp::Ordering::Greater,
                    _ => std::cmp::Ordering::Equal,
                }
            });
            self.opaque.truncate(MAX_OPAQUE);
        }
    }

    /// Gives up on precision: whatever it is handed, it may read and write.
    pub(crate) fn give_up(
        &mut self,
        order: &dyn SiteOrder,
        method: MethodId,
        parameters: usize,
        object: ClassId,
    ) {
        let mut collector = Collector::default();
        for fact in std::mem::take(&mut self.accesses) {
            collector.access(order, fact);
        }
        let roots = (0..parameters).map(|index| super::path::Root::Param(index as u16));
        for root in roots.chain([super::path::Root::Unknown(object)]) {
            for kind in [AccessKind::Read, AccessKind::Write] {
                let fact = AccessFact {
                    location: Path::root(root).follow(super::path::Step::Any),
                    kind,
                    mode: AccessMode::Plain,
                    held: Protection::new(),
                    many: true,
                    place: (method, 0),
                    via: 0,
                };
                collector.access(order, fact);
            }
        }
        self.accesses = collector.summary.accesses;
        self.sort();
    }

    /// Whether callers would see no difference; evidence aside, which may still be looking for the best place.
    pub(crate) fn same_effect(&self, other: &Summary) -> bool {
        fn all<T>(left: &[T], right: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        all(&self.accesses, &other.accesses, |l, r| {
            l.location == r.location
                && l.kind == r.kind
                && l.mode == r.mode
                && l.held == r.held
                && l.many == r.many
        }) && all(&self.acquires, &other.acquires, |l, r| l.lock == r.lock)
            && all(&self.nested, &other.nested, |l, r| {
                (l.first, l.second) == (r.first, r.second)
            })
            && self.stores == other.stores
            && self.returns == other.returns
            && all(&self.opens, &other.opens, |l, r| {
                l.receiver == r.receiver
                    && (l.declared, l.name, l.descriptor) == (r.declared, r.name, r.descriptor)
                    && l.held == r.held
                    && l.many == r.many
                    && all(&l.outer, &r.outer, |l, r| l.0 == r.0)
            })
            && self.waits == other.waits
            && self.leaves_held == other.leaves_held
            && self.gives_back == other.gives_back
    }

    /// Adds what an earlier round found.
    pub(crate) fn keep_effects(&mut self, order: &dyn SiteOrder, earlier: &Summary) {
        let mut collector = Collector::default();
        for summary in [&*self, earlier] {
            for fact in &summary.accesses {
                collector.access(order, fact.clone());
            }
            for fact in &summary.acquires {
                collector.acquire(order, fact.lock, fact.place);
            }
            for fact in &summary.nested {
                collector.nested(order, fact.clone());
            }
            for fact in &summary.stores {
                collector.store(fact.clone());
            }
            for fact in &summary.opens {
                collector.open(order, fact.clone());
            }
        }
        let kept = collector.summary;
        self.accesses = kept.accesses;
        self.acquires = kept.acquires;
        self.nested = kept.nested;
        self.stores = kept.stores;
        self.opens = kept.opens;
        self.sort();
    }

    /// Keeps results that an earlier round found: only a growing answer comes to rest.
    pub(crate) fn keep_returns(&mut self, earlier: &Summary, object: ClassId) {
        let unknown = Shape::Item(super::value::Item::Path(Path::root(super::path::Root::Unknown(
            object,
        ))));
        for shape in &earlier.returns {
            if !self.returns.contains(shape) {
                self.returns.push(shape.clone());
            }
        }
        if self.returns.len() > MAX_RETURNS || earlier.returns.as_slice() == [unknown.clone()] {
            self.returns = vec![unknown];
        }
        self.returns.sort();
        self.returns.dedup();
    }
}

/// Collects a summary, merging repeats.
#[derive(Default)]
pub(crate) struct Collector {
    pub(crate) summary: Summary,
    access_at: FxHashMap<(Path, AccessKind), usize>,
    acquire_at: FxHashMap<Lock, usize>,
    nested_at: FxHashMap<(Lock, Lock), usize>,
    store_at: FxHashSet<StoreFact>,
    open_at: FxHashMap<(Path, ClassId, Symbol, Symbol), usize>,
    opaque_at: FxHashSet<Site>,
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
            && (order.is_before(fact.place, known.place)
                || (fact.place == known.place && fact.via < known.via))
        {
            known.place = fact.place;
            known.via = fact.via;
        }
    }

    pub(crate) fn acquire(&mut self, order: &dyn SiteOrder, lock: Lock, place: Site) {
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
                let nearer = fact.second_place == known.second_place && fact.via < known.via;
                if nearer || order.is_before(fact.second_place, known.second_place) {
                    *known = fact;
                }
            }
        }
    }

    pub(crate) fn store(&mut self, fact: StoreFact) {
        if self.store_at.insert(fact.clone()) {
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
        if self.opaque_at.insert(fact.place) {
            self.summary.opaque.push(fact);
        }
    }
}
