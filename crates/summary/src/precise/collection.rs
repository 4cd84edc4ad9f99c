//! Calls on collections, answered from their contracts.

use raddle_program::ClassId;
use smallvec::SmallVec;

use super::call::Call;
use super::interp::Interp;
use super::library_contracts;
use super::lock::{Lock, LockBase};
use super::path::{Path, Step};
use super::state::State;
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

impl Interp<'_, '_> {
    /// Whether calls on a class are answered from its contract instead of its code.
    pub(crate) fn uses_model(&self, class: ClassId, exact: bool) -> bool {
        if !self.engine.is_platform(class) {
            return false;
        }
        if self.class.is_platform() {
            // Platform code is read, except where an interface leaves it open.
            return !exact
                && self
                    .program()
                    .class(class)
                    .is_some_and(|class| class.access().is_interface());
        }
        true
    }

    /// A collection call, by contract.
    pub(crate) fn modelled(&mut self, st: &mut State, call: &Call, class: ClassId) -> Option<Value> {
        let program = self.program();
        let model = library_contracts::collection(program.internal_name(class), program.text(call.name))?;
        let receiver = call.args.first().cloned().unwrap_or_default();
        let mode = if model.atomic {
            AccessMode::Atomic
        } else {
            AccessMode::Plain
        };
        if model.locks {
            for path in self.paths(st, &receiver) {
                let place = (self.key.method, self.bci);
                self.acquired(st, Lock::exclusive(LockBase::Path(path)), place);
            }
        }
        let inner = receiver.clone();
        self.touch(st, &inner, Step::Any, AccessKind::Read, mode);
        if model.writes {
            self.touch(st, &inner, Step::Any, AccessKind::Write, mode);
        }
        if self.out.is_some() {
            if model.compares {
                self.compare_elements(st, call, &inner);
            }
            if let Some(argument) = model.bulk.and_then(|at| call.args.get(at)) {
                self.bulk_argument(st, argument);
            }
        }
        for arg in call.args.iter().skip(1) {
            self.run_lambdas(st, arg);
            if model.writes {
                // What is put in can be found again.
                for path in self.paths(st, &inner) {
                    self.publish(st, path.follow(Step::Element), arg);
                }
                for item in inner.items() {
                    if let Item::Fresh(number) = *item {
                        let object = self.program().object();
                        let contents = &mut self.allocs[usize::from(number)].contents;
                        self.grew |= contents.join(arg, object);
                    }
                }
            }
        }
        Some(match model.returns {
            library_contracts::Returns::Nothing => Value::trusted(),
            library_contracts::Returns::View => inner,
            library_contracts::Returns::Element => {
                let mut value = Value::default();
                let object = self.program().object();
                for &item in inner.items() {
                    match item {
                        Item::Path(path) if path.last() == Some(Step::Element) => {
                            value.insert(item, object);
                        }
                        Item::Path(path) => {
                            value.insert(Item::Path(path.follow(Step::Element)), object);
                        }
                        Item::Fresh(_) => {
                            let found = self.read(st, &Value::one(item), Step::Element);
                            value.join(&found, object);
                        }
                        _ => {
                            value.insert(Item::Trusted, object);
                        }
                    }
                }
                value
            }
        })
    }

    /// `equals`, `hashCode` and `toString` of elements and arguments: the class under test may be one of them.
    pub(crate) fn compare_elements(&mut self, st: &State, call: &Call, receiver: &Value) {
        let mut objects: SmallVec<[Path; 4]> = self
            .paths(st, receiver)
            .into_iter()
            .map(|path| path.follow(Step::Element))
            .collect();
        for arg in call.args.iter().skip(1) {
            objects.extend(self.paths(st, arg));
        }
        let object = self.program().object();
        for path in objects {
            for (name, descriptor) in self.engine.object_methods() {
                self.note_open_on(st, path, object, name, descriptor);
            }
        }
    }

    /// An argument read as a collection: any of its query methods may run.
    pub(crate) fn bulk_argument(&mut self, st: &State, argument: &Value) {
        for path in self.paths(st, argument) {
            self.record(
                st,
                path.location(Step::Any, self.engine),
                AccessKind::Read,
                AccessMode::Plain,
            );
            for (class, name, descriptor) in self.engine.query_methods() {
                self.note_open_on(st, path, class, name, descriptor);
            }
        }
    }
}
