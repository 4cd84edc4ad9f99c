//! A callee's summary, put to use at a call.

use smallvec::SmallVec;

use super::interp::Interp;
use super::library_contracts;
use super::lock::{self, Lock, Protection, Section};
use super::path::{Path, Root, Step};
use super::state::State;
use super::summary::{AccessFact, Key, NestedFact, OpenCall, Shape, Site, Summary};
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

impl Interp<'_, '_> {
    /// What a callee does, seen from here.
    pub(crate) fn apply(&mut self, st: &mut State, key: Key, args: &[Value]) -> Value {
        let summary = self.lookup.summary(key);
        if args.len() > 1 {
            for arg in args {
                self.run_later(st, arg);
            }
        }
        self.callee = Some(key);
        self.foreign = self.engine.is_foreign_platform(self.class.id(), key.method.class);
        if self.out.is_some() && !self.results_only {
            self.apply_effects(st, &summary, args);
        }
        if summary.waits {
            self.split_sections(st);
        }
        for store in &summary.stores {
            self.apply_store(st, &store.base, &store.value, args);
        }
        for lock in &summary.gives_back {
            for (lock, _) in self.map_lock(st, *lock, args) {
                self.release(st, lock, true);
            }
        }
        for lock in &summary.leaves_held {
            for (lock, certain) in self.map_lock(st, *lock, args) {
                let section = if self.in_loop {
                    Section::REPEATED
                } else {
                    Section::at(self.bci)
                };
                Self::hold(st, lock, section, certain, (self.key.method, self.bci));
            }
        }
        self.result(st, &summary, args)
    }

    pub(crate) fn apply_effects(&mut self, st: &State, summary: &Summary, args: &[Value]) {
        let outer = lock::protection(&st.held);
        for fact in &summary.accesses {
            let locations = self.map_location(st, fact.location, args);
            if locations.is_empty() {
                continue;
            }
            let held = self.map_protection(st, &outer, &fact.held, args);
            let several = locations.len() > 1;
            for location in locations {
                let mapped = AccessFact {
                    location,
                    kind: fact.kind,
                    mode: fact.mode,
                    held: held.clone(),
                    many: fact.many || self.in_loop || several,
                    place: fact.place,
                    via: self.bci,
                };
                if let Some(out) = &mut self.out {
                    out.access(self.engine, mapped);
                }
            }
        }
        for fact in &summary.acquires {
            for (lock, _) in self.map_lock(st, fact.lock, args) {
                self.acquired(st, lock, fact.place);
            }
        }
        for fact in &summary.nested {
            for (first, _) in self.map_lock(st, fact.first, args) {
                for (second, _) in self.map_lock(st, fact.second, args) {
                    let reentered = st
                        .held
                        .iter()
                        .any(|held| held.must && held.lock.base == second.base);
                    if !reentered && let Some(out) = &mut self.out {
                        let (first_place, second_place) = (fact.first_place, fact.second_place);
                        out.nested(
                            self.engine,
                            NestedFact {
                                first,
                                second,
                                first_place,
                                second_place,
                                via: self.bci,
                            },
                        );
                    }
                }
            }
        }
        for fact in &summary.opens {
            self.apply_open(st, &outer, fact, args);
        }
        if let Some(out) = &mut self.out {
            for fact in &summary.opaque {
                out.opaque(fact.clone());
            }
        }
    }

    pub(crate) fn apply_open(&mut self, st: &State, outer: &Protection, fact: &OpenCall, args: &[Value]) {
        // A foreign part of the platform calls back on what it is handed, or on elements of that.
        if self.foreign && !matches!(fact.receiver.steps(), [] | [Step::Element]) {
            return;
        }
        let receivers = self.map_path(st, fact.receiver, args);
        if receivers.is_empty() {
            return;
        }
        let held = self.map_protection(st, outer, &fact.held, args);
        let mut around: SmallVec<[(Lock, Site); 2]> =
            st.held.iter().map(|held| (held.lock, held.place)).collect();
        for (lock, place) in &fact.outer {
            for (lock, _) in self.map_lock(st, *lock, args) {
                if !around.iter().any(|(known, _)| *known == lock) {
                    around.push((lock, *place));
                }
            }
        }
        for receiver in receivers {
            let receiver = match self.or_type_only(fact.receiver, receiver) {
                path if path.is_root() && matches!(path.root, Root::Unknown(_)) => {
                    Path::root(Root::Unknown(fact.declared))
                }
                path => path,
            };
            self.compare_collection(fact, receiver, &held);
            let mapped = OpenCall {
                receiver,
                held: held.clone(),
                outer: around.clone(),
                many: fact.many || self.in_loop,
                via: self.bci,
                ..*fact
            };
            if let Some(out) = &mut self.out {
                out.open(self.engine, mapped);
            }
        }
    }

    /// A helper's `left.equals(right)` looks through whole collections once the helper is handed collections.
    fn compare_collection(&mut self, fact: &OpenCall, object: Path, held: &Protection) {
        let engine = self.engine;
        let compares =
            fact.descriptor == engine.compared() || engine.is_object_method(fact.name, fact.descriptor);
        let class = engine.path_class(self.key, object);
        let is_collection = class.is_some_and(|class| {
            let program = engine.program;
            library_contracts::collection(program.internal_name(class), program.text(fact.name)).is_some()
        });
        if compares
            && is_collection
            && let Some(out) = &mut self.out
        {
            out.access(
                engine,
                AccessFact {
                    location: object.location(Step::Any, engine),
                    kind: AccessKind::Read,
                    mode: AccessMode::Plain,
                    held: held.clone(),
                    many: true,
                    place: fact.place,
                    via: self.bci,
                },
            );
        }
    }

    pub(crate) fn apply_store(&mut self, st: &mut State, base: &Path, shape: &Shape, args: &[Value]) {
        let object = self.program().object();
        let mut value = Value::default();
        match shape {
            Shape::Item(item) => {
                for item in self.map_item(st, *item, args) {
                    value.insert(item, object);
                }
            }
            // The callee's own new object: what it refers to is what matters here.
            Shape::Fresh { contents, .. } => {
                for content in contents {
                    for item in self.map_item(st, *content, args) {
                        value.insert(item, object);
                    }
                }
            }
        }
        let Root::Param(at) = base.root else {
            return self.publish(st, *base, &value);
        };
        let Some(target) = args.get(usize::from(at)).cloned() else {
            return;
        };
        for item in target.items() {
            match *item {
                Item::Fresh(number) => {
                    let contents = &mut self.allocs[usize::from(number)].contents;
                    let mut fitting = value.clone();
                    if value.items() == [Item::Fresh(number)] {
                        fitting = Value::default();
                    }
                    self.grew |= contents.join(&fitting, object);
                    if st.is_published(number) {
                        for path in self.allocs[usize::from(number)].paths.clone() {
                            self.publish(st, path.follow(Step::Any), &value);
                        }
                    }
                }
                Item::Path(path) => {
                    let path = path.follow_all(base.steps());
                    self.publish(st, path.follow(Step::Any), &value);
                    if let (Some(out), Shape::Item(_)) = (&mut self.out, shape) {
                        for &item in value.items() {
                            if matches!(item, Item::Path(_)) {
                                out.store(super::summary::StoreFact {
                                    base: path,
                                    value: Shape::Item(item),
                                });
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    pub(crate) fn result(&mut self, st: &State, summary: &Summary, args: &[Value]) -> Value {
        let object = self.program().object();
        let mut value = Value::default();
        for (nth, shape) in summary.returns.iter().enumerate() {
            match shape {
                Shape::Item(item) => {
                    for item in self.map_item(st, *item, args) {
                        value.insert(item, object);
                    }
                }
                Shape::Fresh {
                    class,
                    contents,
                    copies,
                } => {
                    let number = self.alloc(nth as u16 + 1, *class);
                    let mut originals: SmallVec<[Path; 4]> = SmallVec::new();
                    for copy in copies {
                        originals.extend(self.map_path(st, *copy, args));
                    }
                    self.copies(number, &originals);
                    let mut held = Value::default();
                    for content in contents {
                        for item in self.map_item(st, *content, args) {
                            held.insert(item, object);
                        }
                    }
                    let alloc = &mut self.allocs[usize::from(number)];
                    if alloc.class != *class {
                        alloc.class = None;
                    }
                    self.grew |= alloc.contents.join(&held, object);
                    value.insert(Item::Fresh(number), object);
                }
            }
        }
        value
    }
}
