//! The abstract state at a program point, and the objects an activation has allocated.

use raddle_program::{ClassId, MethodId};
use smallvec::SmallVec;

use super::lock::{self, HeldLocks};
use super::path::{Path, Step};
use super::value::{Item, Value};

/// Locals, stack, locks, and which allocations other threads may already see.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) locals: Vec<Value>,
    pub(crate) stack: Vec<Value>,
    pub(crate) held: HeldLocks,
    published: u64,
    /// Fields of copied objects that have been given a value of their own on every path to here.
    overwritten: SmallVec<[(u16, Step); 2]>,
}

impl State {
    pub(crate) fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or_default()
    }

    pub(crate) fn pop_slots(&mut self, slots: u16) -> Value {
        for _ in 1..slots {
            self.pop();
        }
        self.pop()
    }

    pub(crate) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(crate) fn push_slots(&mut self, value: Value, slots: u16) {
        self.stack.push(value);
        for _ in 1..slots {
            self.stack.push(Value::default());
        }
    }

    pub(crate) fn local(&self, slot: u16) -> Value {
        self.locals.get(usize::from(slot)).cloned().unwrap_or_default()
    }

    pub(crate) fn set_local(&mut self, slot: u16, value: Value) {
        if let Some(local) = self.locals.get_mut(usize::from(slot)) {
            *local = value;
        }
    }

    pub(crate) fn publish(&mut self, alloc: u16) {
        self.published |= 1u64.checked_shl(u32::from(alloc)).unwrap_or(0);
    }

    /// Allocations past the 64th are taken to be visible from the start.
    pub(crate) fn is_published(&self, alloc: u16) -> bool {
        1u64.checked_shl(u32::from(alloc))
            .is_none_or(|bit| self.published & bit != 0)
    }

    /// The object's field no longer holds what it was copied with.
    pub(crate) fn overwrite(&mut self, alloc: u16, step: Step) {
        if matches!(step, Step::Field(_)) && !self.overwritten.contains(&(alloc, step)) {
            self.overwritten.push((alloc, step));
        }
    }

    pub(crate) fn is_overwritten(&self, alloc: u16, step: Step) -> bool {
        self.overwritten.contains(&(alloc, step))
    }

    /// Joins another path of control into this one; says whether anything changed.
    pub(crate) fn join(&mut self, other: &State, object: ClassId) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.locals.iter_mut().zip(&other.locals) {
            changed |= mine.join(theirs, object);
        }
        // Stack depths agree in verified code; in anything else the common part is all there is.
        if self.stack.len() > other.stack.len() {
            self.stack.truncate(other.stack.len());
            changed = true;
        }
        for (mine, theirs) in self.stack.iter_mut().zip(&other.stack) {
            changed |= mine.join(theirs, object);
        }
        changed |= lock::join(&mut self.held, &other.held);
        let before = self.overwritten.len();
        self.overwritten.retain(|entry| other.overwritten.contains(entry));
        changed |= self.overwritten.len() != before;
        if self.published | other.published != self.published {
            self.published |= other.published;
            changed = true;
        }
        changed
    }

    /// The state an exception handler starts in.
    pub(crate) fn at_handler(&self) -> State {
        State {
            stack: vec![Value::trusted()],
            ..self.clone()
        }
    }
}

/// The code behind a lambda or method reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lambda {
    pub(crate) method: MethodId,
    pub(crate) captured: Vec<Value>,
}

/// An object allocated by this activation, or by a callee and handed back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alloc {
    pub(crate) class: Option<ClassId>,
    /// What any of its fields or elements may refer to.
    pub(crate) contents: Value,
    /// Objects it is a shallow copy of.
    pub(crate) copy_of: SmallVec<[Path; 1]>,
    pub(crate) lambda: Option<Lambda>,
    /// Paths under which it may have been published.
    pub(crate) paths: SmallVec<[Path; 1]>,
}

impl Alloc {
    /// Paths that can be reached through it without its being published.
    pub(crate) fn referents(&self) -> impl Iterator<Item = Path> {
        self.contents.items().iter().filter_map(|item| match item {
            Item::Path(path) => Some(*path),
            _ => None,
        })
    }
}
