//! Objects as the interpreter sees them: what was allocated, what it refers to, what others can reach, what is touched.

use raddle_program::ClassId;
use smallvec::SmallVec;

use super::engine::Holds;
use super::interp::Interp;
use super::lock;
use super::path::{Path, Root, Step};
use super::state::{Alloc, State};
use super::summary::{AccessFact, Shape, StoreFact};
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

/// Things a new object refers to that are told apart.
const MAX_CONTENTS: usize = 6;

impl Interp<'_, '_> {
    /// A number for the object made at this instruction; `nth` tells several apart.
    pub(crate) fn alloc(&mut self, nth: u16, class: Option<ClassId>) -> u16 {
        let key = (self.bci, nth);
        if let Some(&known) = self.alloc_at.get(&key) {
            return known;
        }
        let number = self.allocs.len() as u16;
        self.allocs.push(Alloc {
            class,
            ..Alloc::default()
        });
        self.alloc_at.insert(key, number);
        number
    }

    /// The object is a shallow copy of these.
    pub(crate) fn copies(&mut self, number: u16, originals: &[Path]) {
        let alloc = &mut self.allocs[usize::from(number)];
        for path in originals {
            if !alloc.copy_of.contains(path) {
                alloc.copy_of.push(*path);
                alloc.copy_of.sort_unstable();
                self.grew = true;
            }
        }
    }

    /// Shared objects a value may be.
    pub(crate) fn paths(&self, st: &State, value: &Value) -> SmallVec<[Path; 4]> {
        let mut found = SmallVec::new();
        for item in value.items() {
            match *item {
                Item::Path(path) => found.push(path),
                Item::Fresh(alloc) if st.is_published(alloc) => {
                    found.extend_from_slice(&self.allocs[usize::from(alloc)].paths);
                }
                _ => {}
            }
        }
        found
    }

    /// Records an access to `step` of every shared object `base` may be.
    pub(crate) fn touch(&mut self, st: &State, base: &Value, step: Step, kind: AccessKind, mode: AccessMode) {
        if self.out.is_none() {
            return;
        }
        for path in self.paths(st, base) {
            if kind == AccessKind::Read && !path.is_root() && self.is_final(step) {
                continue; // the state of another object, and a part of it that never changes
            }
            self.record(st, path.location(step, self.engine), kind, mode);
        }
    }

    pub(crate) fn is_final(&self, step: Step) -> bool {
        match step {
            Step::Field(field) => self
                .program()
                .field(field)
                .access
                .is_some_and(raddle_classfile::AccessFlags::is_final),
            _ => false,
        }
    }

    pub(crate) fn record(&mut self, st: &State, location: Path, kind: AccessKind, mode: AccessMode) {
        let fact = AccessFact {
            location,
            kind,
            mode,
            held: lock::protection(&st.held),
            many: self.in_loop,
            place: (self.key.method, self.bci),
            via: self.bci,
        };
        if let Some(out) = &mut self.out {
            out.access(self.engine, fact);
        }
    }

    /// What `step` of `base` may hold.
    pub(crate) fn read(&mut self, st: &State, base: &Value, step: Step) -> Value {
        let object = self.program().object();
        let wanted = match step {
            Step::Field(field) if !self.engine.is_reference(field) => return Value::default(),
            Step::Field(field) => self.engine.held_by(field),
            _ => Holds::Anything,
        };
        if matches!(wanted, Holds::Object(class) if self.engine.is_value_type(class)) {
            return Value::trusted();
        }
        let mut result = Value::default();
        for item in base.items() {
            match *item {
                Item::Path(path) => {
                    result.insert(self.follow(path, step), object);
                }
                Item::Fresh(number) => {
                    let alloc = &self.allocs[usize::from(number)];
                    let mut found = Value::default();
                    for &content in alloc.contents.items() {
                        if self.engine.may_be(self, content, wanted) {
                            found.insert(content, object);
                        }
                    }
                    if !st.is_overwritten(number, step) {
                        for path in &alloc.copy_of {
                            found.insert(self.follow(*path, step), object);
                        }
                    }
                    if st.is_published(number) {
                        for path in &alloc.paths {
                            found.insert(Item::Path(path.follow(step)), object);
                        }
                    }
                    if found.is_empty() {
                        found.insert(Item::Trusted, object);
                    }
                    result.join(&found, object);
                }
                Item::Null => {}
                _ => {
                    result.insert(Item::Trusted, object);
                }
            }
        }
        result
    }

    pub(crate) fn follow(&self, path: Path, step: Step) -> Item {
        if let Step::Field(field) = step {
            let facts = self.engine.field_facts(field);
            if let Some(target) = facts.handle {
                return Item::Handle(target);
            }
            if let Some((lock, shared)) = facts.lock_view {
                let lock = path.follow(Step::Field(lock));
                return if shared {
                    Item::ReadLock(lock)
                } else {
                    Item::WriteLock(lock)
                };
            }
        }
        Item::Path(path.follow(step))
    }

    /// `base.step = value`: what new objects hold, and which of them others can now see.
    pub(crate) fn store(&mut self, st: &mut State, base: &Value, step: Step, value: &Value) {
        if value.is_empty() {
            return;
        }
        let object = self.program().object();
        if let [Item::Fresh(number)] = base.items() {
            st.overwrite(*number, step);
        }
        for item in base.items() {
            match *item {
                Item::Fresh(number) => {
                    let contents = &mut self.allocs[usize::from(number)].contents;
                    self.grew |= contents.join(value, object);
                    if st.is_published(number) {
                        for path in self.allocs[usize::from(number)].paths.clone() {
                            self.publish(st, path.follow(step), value);
                        }
                    }
                }
                Item::Path(path) => {
                    self.publish(st, path.follow(step), value);
                    for shape in self.shapes(value) {
                        if let Some(out) = &mut self.out {
                            out.store(StoreFact {
                                base: path,
                                value: shape,
                            });
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// New objects in `value` can be reached at `path` from now on.
    pub(crate) fn publish(&mut self, st: &mut State, path: Path, value: &Value) {
        self.run_later(st, value);
        for item in value.items() {
            if let Item::Fresh(number) = *item {
                st.publish(number);
                let alloc = &mut self.allocs[usize::from(number)];
                if !alloc.paths.contains(&path) {
                    alloc.paths.push(path);
                    self.grew = true;
                }
            }
        }
    }

    /// A value as callers may see it. Things that cannot matter to them are left out.
    pub(crate) fn shapes(&self, value: &Value) -> SmallVec<[Shape; 2]> {
        let mut shapes = SmallVec::new();
        for item in value.items() {
            match *item {
                Item::Fresh(number) => {
                    let alloc = &self.allocs[usize::from(number)];
                    let mut held: SmallVec<[Item; 2]> = SmallVec::new();
                    self.flatten(number, number, &mut held, 0);
                    if held.len() > MAX_CONTENTS {
                        held = SmallVec::from_slice(&[Item::Path(Path::root(Root::Unknown(
                            self.program().object(),
                        )))]);
                    }
                    held.sort_unstable();
                    shapes.push(Shape::Fresh {
                        class: alloc.class,
                        contents: held,
                        copies: alloc.copy_of.clone(),
                    });
                }
                Item::Null | Item::Trusted | Item::Text(_) | Item::Class(_) => {}
                other => shapes.push(Shape::Item(other)),
            }
        }
        shapes
    }

    pub(crate) fn flatten(&self, root: u16, number: u16, held: &mut SmallVec<[Item; 2]>, depth: usize) {
        let alloc = &self.allocs[usize::from(number)];
        if depth > 0 {
            held.extend(
                alloc
                    .copy_of
                    .iter()
                    .map(|path| Item::Path(path.follow(Step::Any))),
            );
        }
        for &content in alloc.contents.items() {
            match content {
                Item::Fresh(inner) if depth < 2 && inner != number && inner != root => {
                    self.flatten(root, inner, held, depth + 1);
                }
                Item::Path(_) if !held.contains(&content) => held.push(content),
                _ => {}
            }
        }
    }
}
