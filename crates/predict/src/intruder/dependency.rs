//! Variable-lock dependencies of the calls (Intruder section 3.3, Algorithms 1 and 2).
//!
//! Departures from section 3.3:
//! - Locks can be taken again by who has them. Only the first lock and the last unlock change H and the time.
//! - `H_C` of an access without previous one is `H_R`, as in Table 2; Algorithm 2 compares with an undefined time there.
//! - Beside the relevant locks, a dependency keeps the other locks that a client can get at, such as a lock object in
//!   a field of its own, and locks on class objects. Algorithm 4 needs them to see that the calls exclude each other.
//! - Elements of arrays are fields whose previous access is the one with the same index.
//! - Static fields have dependencies without an object. What a class initializer does has none: it runs once.
//! - Dependencies of two fields of one object are recorded as well, for violations of more than one variable, which
//!   section 4.1 leaves open.
//! - Dependencies that differ in nothing but the call are recorded once, with their number, for the shortest call.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_plan::Place;

use super::symbols::{FieldId, Location, Names, SymbolId, Symbols};
use crate::calls::{Call, calls};
use crate::interner::Interner;
use crate::trace::{Action, Method, Object, Step, Trace};

/// How many other fields of an object, those accessed last, make a dependency of two fields with an access.
const NEIGHBOURS: usize = 4;

/// What an access does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// A lock that is held, but is not relevant for the accessed object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OtherLock {
    At(Location),
    /// A class object, which can be told from others within its trace only.
    Class(usize, Object),
}

/// All about an access but when it happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AccessShape {
    pub(crate) method: usize,
    /// The object; none for static fields. A number of [`Dependencies::locations`].
    pub(crate) location: Option<usize>,
    pub(crate) field: FieldId,
    pub(crate) kind: Kind,
    pub(crate) place: Option<usize>,
    /// `H_R`: each lock as the number of fields in its path, which is a part of the object's path.
    pub(crate) held: Vec<usize>,
    /// Numbers of [`Dependencies::locks`].
    pub(crate) held_others: Vec<usize>,
}

/// The access before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PreviousShape {
    pub(crate) field: FieldId,
    pub(crate) kind: Kind,
    pub(crate) place: Option<usize>,
}

/// All about a dependency but when it happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// A number of [`Dependencies::accesses`].
    pub(crate) access: usize,
    pub(crate) previous: Option<PreviousShape>,
    /// `H_C`, as `H_R`.
    pub(crate) consistent: Vec<usize>,
    pub(crate) consistent_others: Vec<usize>,
}

/// One tuple of D.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    /// A number of [`Dependencies::shapes`].
    pub(crate) shape: usize,
    pub(crate) index: Option<i32>,
    /// Index of the call.
    pub(crate) call: usize,
    /// Index of the previous access in the trace.
    pub(crate) previous: Option<usize>,
    /// Index of the access in the trace.
    pub(crate) current: usize,
    /// How many there are.
    pub(crate) weight: usize,
}

/// Dependencies, each kind once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distinct {
    pub(crate) list: Vec<Dependency>,
    known: BTreeMap<(usize, Option<i32>), usize>,
}

/// D, for all calls.
#[derive(Debug, Default)]
pub(crate) struct Dependencies<'a> {
    pub(crate) calls: Vec<Call<'a>>,
    pub(crate) names: Names<'a>,
    methods: Interner<&'a Method>,
    places: Interner<&'a Place>,
    pub(crate) locations: Interner<Location>,
    pub(crate) locks: Interner<OtherLock>,
    pub(crate) accesses: Interner<AccessShape>,
    pub(crate) shapes: Interner<Shape>,
    /// Of one field each.
    pub(crate) single: Distinct,
    /// Of two fields of one object each.
    pub(crate) double: Distinct,
}

impl<'a> Dependencies<'a> {
    /// The calls, not yet looked into.
    pub(crate) fn before(traces: &'a [Trace]) -> Self {
        Self {
            calls: calls(traces),
            ..Self::default()
        }
    }

    /// Algorithm 1 for every call.
    pub(crate) fn of(traces: &'a [Trace]) -> Self {
        let mut all = Self::before(traces);
        for number in 0..all.calls.len() {
            let mut state = State::new(number, &mut all);
            let call = all.calls[number];
            for (offset, step) in call.body.iter().enumerate() {
                state.step(call.enter + 1 + offset, step, &mut all);
            }
        }
        all
    }

    pub(crate) fn shape(&self, dependency: &Dependency) -> &Shape {
        self.shapes.thing(dependency.shape)
    }

    pub(crate) fn access(&self, dependency: &Dependency) -> &AccessShape {
        self.accesses.thing(self.shape(dependency).access)
    }

    /// The steps of its call.
    pub(crate) fn length(&self, dependency: &Dependency) -> usize {
        self.calls[dependency.call].body.len()
    }

    fn add(&mut self, found: Dependency, double: bool) {
        let length = |call: usize| self.calls[call].body.len();
        let distinct = if double {
            &mut self.double
        } else {
            &mut self.single
        };
        let at = *distinct
            .known
            .entry((found.shape, found.index))
            .or_insert(distinct.list.len());
        let Some(known) = distinct.list.get_mut(at) else {
            distinct.list.push(found);
            return;
        };
        let weight = known.weight + found.weight;
        if length(found.call) < length(known.call) {
            *known = found;
        }
        known.weight = weight;
    }
}

/// An entry of H.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldLock {
    pub(crate) symbol: SymbolId,
    object: Object,
    pub(crate) since: u32,
}

/// An entry of AI.
#[derive(Clone, Debug)]
pub(crate) struct LastAccess {
    pub(crate) kind: Kind,
    pub(crate) time: u32,
    step: usize,
    place: Option<usize>,
    held: Rc<Vec<HeldLock>>,
}

/// The state of Algorithm 1 in one call.
#[derive(Clone, Debug)]
pub(crate) struct State<'a> {
    call: usize,
    method: usize,
    pub(crate) symbols: Symbols<'a>,
    /// H.
    pub(crate) held: Rc<Vec<HeldLock>>,
    taken: BTreeMap<SymbolId, usize>,
    /// δ.
    pub(crate) time: u32,
    /// AI.
    pub(crate) last: BTreeMap<(SymbolId, FieldId, Option<i32>), LastAccess>,
    /// The fields of an object in the order of their last access, latest last.
    recent: BTreeMap<SymbolId, Vec<FieldId>>,
}

/// The locks of H as an access sees them.
struct Locks {
    relevant: Vec<usize>,
    others: Vec<usize>,
}

impl<'a> State<'a> {
    /// The state when a call begins.
    pub(crate) fn new(call: usize, all: &mut Dependencies<'a>) -> Self {
        let method = all.methods.number(all.calls[call].method);
        Self {
            call,
            method,
            symbols: Symbols::new(all.calls[call], &mut all.names),
            held: Rc::default(),
            taken: BTreeMap::new(),
            time: 0,
            last: BTreeMap::new(),
            recent: BTreeMap::new(),
        }
    }

    /// One step of Algorithm 1.
    pub(crate) fn step(&mut self, number: usize, step: &'a Step, all: &mut Dependencies<'a>) {
        match &step.action {
            Action::Enter { .. } | Action::Exit { .. } => {}
            Action::Alloc(object) => self.symbols.allocate(*object, &mut all.names),
            Action::Read {
                base,
                field,
                index,
                value,
            } => {
                let holder = self.symbols.holder(*base, field, &mut all.names);
                let field = all.names.fields.number(field);
                self.access((number, step), Kind::Read, (holder, field, *index), all);
                if let Some(value) = *value {
                    let value = self.symbols.of(value, &mut all.names);
                    self.symbols.read(holder, field, *index, value);
                }
            }
            Action::Write {
                base,
                field,
                index,
                value,
            } => {
                let holder = self.symbols.holder(*base, field, &mut all.names);
                let field = all.names.fields.number(field);
                self.access((number, step), Kind::Write, (holder, field, *index), all);
                if let Some(value) = *value {
                    let value = self.symbols.of(value, &mut all.names);
                    self.symbols.write(holder, field, *index, value);
                }
            }
            Action::Lock(object) => self.lock(*object, all),
            Action::Unlock(object) => self.unlock(*object, all),
        }
    }

    fn lock(&mut self, object: Object, all: &mut Dependencies<'a>) {
        let symbol = self.symbols.of(object, &mut all.names);
        let taken = self.taken.entry(symbol).or_insert(0);
        *taken += 1;
        if *taken == 1 {
            self.time += 1;
            Rc::make_mut(&mut self.held).push(HeldLock {
                symbol,
                object,
                since: self.time,
            });
        }
    }

    fn unlock(&mut self, object: Object, all: &mut Dependencies<'a>) {
        let symbol = self.symbols.of(object, &mut all.names);
        let Some(taken) = self.taken.get_mut(&symbol) else {
            return;
        };
        *taken -= 1;
        if *taken == 0 {
            self.taken.remove(&symbol);
            self.time += 1;
            Rc::make_mut(&mut self.held).retain(|lock| lock.symbol != symbol);
        }
    }

    /// Algorithm 2.
    fn access(
        &mut self,
        (number, step): (usize, &'a Step),
        kind: Kind,
        (holder, field, index): (SymbolId, FieldId, Option<i32>),
        all: &mut Dependencies<'a>,
    ) {
        let initializer = step
            .place
            .as_ref()
            .is_some_and(|place| place.method == "<clinit>");
        if initializer || !self.symbols.controllable(holder) {
            return;
        }
        let place = step.place.as_ref().map(|place| all.places.number(place));
        let location = self
            .symbols
            .location(holder)
            .map(|location| all.locations.number(location));
        let chain = self.symbols.relevant(holder);
        let shape = |locks: Locks| AccessShape {
            method: self.method,
            location,
            field,
            kind,
            place,
            held: locks.relevant,
            held_others: locks.others,
        };

        let previous = self.last.get(&(holder, field, index));
        let access = shape(self.locks(&chain, self.held.iter(), all));
        let since = previous.map_or(u32::MAX, |previous| previous.time);
        self.record(
            (number, access, index),
            previous.map(|last| (field, last)),
            since,
            &chain,
            all,
        );

        if index.is_none() {
            for &other in self.recent.get(&holder).into_iter().flatten() {
                let Some(previous) = self.last.get(&(holder, other, None)).filter(|_| other != field) else {
                    continue;
                };
                // Both accesses of a remote call must fit in between, so that every lock of either counts.
                let gone = previous
                    .held
                    .iter()
                    .filter(|lock| !self.held.iter().any(|held| held.symbol == lock.symbol));
                let access = shape(self.locks(&chain, self.held.iter().chain(gone), all));
                self.record(
                    (number, access, None),
                    Some((other, previous)),
                    previous.time,
                    &chain,
                    all,
                );
            }
            let recent = self.recent.entry(holder).or_default();
            recent.retain(|&other| other != field);
            recent.push(field);
            if recent.len() > NEIGHBOURS + 1 {
                recent.remove(0);
            }
        }
        let last = LastAccess {
            kind,
            time: self.time,
            step: number,
            place,
            held: Rc::clone(&self.held),
        };
        self.last.insert((holder, field, index), last);
    }

    /// Adds a dependency whose consistent locks are those held since `since`.
    fn record(
        &self,
        (current, access, index): (usize, AccessShape, Option<i32>),
        previous: Option<(FieldId, &LastAccess)>,
        since: u32,
        chain: &[SymbolId],
        all: &mut Dependencies<'a>,
    ) {
        let consistent = self.locks(chain, self.held.iter().filter(|lock| lock.since <= since), all);
        let double = previous.is_some_and(|(field, _)| field != access.field);
        let shape = all.shapes.number(Shape {
            access: all.accesses.number(access),
            previous: previous.map(|(field, last)| PreviousShape {
                field,
                kind: last.kind,
                place: last.place,
            }),
            consistent: consistent.relevant,
            consistent_others: consistent.others,
        });
        let previous = previous.map(|(_, last)| last.step);
        all.add(
            Dependency {
                shape,
                index,
                call: self.call,
                previous,
                current,
                weight: 1,
            },
            double,
        );
    }

    /// H ∩ RL, and the other locks of H that two calls can have in common.
    fn locks<'l>(
        &self,
        chain: &[SymbolId],
        held: impl Iterator<Item = &'l HeldLock>,
        all: &mut Dependencies<'a>,
    ) -> Locks {
        let mut locks = Locks {
            relevant: Vec::new(),
            others: Vec::new(),
        };
        for lock in held {
            if let Some(at) = chain.iter().position(|&symbol| symbol == lock.symbol) {
                locks.relevant.push(at);
            } else if let Some(location) = self.symbols.location(lock.symbol) {
                locks.others.push(all.locks.number(OtherLock::At(location)));
            } else if all.calls[self.call].class_of(lock.object) == Some("java.lang.Class") {
                let trace = all.calls[self.call].trace;
                locks
                    .others
                    .push(all.locks.number(OtherLock::Class(trace, lock.object)));
            }
        }
        locks.relevant.sort_unstable();
        locks.others.sort_unstable();
        locks
    }
}
