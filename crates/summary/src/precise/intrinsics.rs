//! Calls with a meaning of their own: explicit locks, waiting, atomics, handles, copying.

use super::call::Call;
use super::interp::Interp;
use super::library_contracts;
use super::path::Step;
use super::state::State;
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

const LOCKS: &str = "java/util/concurrent/locks/";
const ATOMICS: &str = "java/util/concurrent/atomic/";

impl Interp<'_, '_> {
    /// The result of a call that is understood here, or `None`.
    pub(crate) fn special(&mut self, st: &mut State, call: &Call) -> Option<Value> {
        let program = self.program();
        let class = program.internal_name(call.class);
        let name = program.text(call.name);
        match class {
            "java/lang/Object" => return self.object_method(st, call, name),
            "java/lang/System" if name == "arraycopy" => {
                let [source, _, target, ..] = call.args.as_slice() else {
                    return None;
                };
                self.touch(st, source, Step::Element, AccessKind::Read, AccessMode::Plain);
                self.touch(st, target, Step::Element, AccessKind::Write, AccessMode::Plain);
                let elements = self.read(st, source, Step::Element);
                let target = target.clone();
                self.store(st, &target, Step::Element, &elements);
                return Some(Value::default());
            }
            "java/util/Objects" if name.starts_with("requireNonNull") => return call.args.first().cloned(),
            "java/lang/invoke/VarHandle" => return self.var_handle(st, call, name),
            _ => {}
        }
        if class.ends_with("/Unsafe") {
            return Some(self.unsafe_call(st, call, name));
        }
        let own = program.internal_name(self.class.id());
        if class.starts_with(LOCKS) && !own.starts_with(LOCKS) {
            return self.explicit_lock(st, call, class, name);
        }
        if class.starts_with(ATOMICS) && !own.starts_with(ATOMICS) {
            return self.atomic(st, call, name);
        }
        // Array clone, resolved against Object by the caller of this method.
        None
    }

    fn object_method(&mut self, st: &mut State, call: &Call, name: &str) -> Option<Value> {
        match name {
            "wait" => {
                self.split_sections(st);
                Some(Value::default())
            }
            "notify" | "notifyAll" | "<init>" | "getClass" | "finalize" => Some(Value::trusted()),
            "clone" => {
                let receiver = call.args.first()?.clone();
                let array = receiver.single().is_some_and(|item| self.is_array(item));
                let copied = if array { Step::Element } else { Step::Any };
                self.touch(st, &receiver, copied, AccessKind::Read, AccessMode::Plain);
                let class = receiver.single().and_then(|item| self.exact_class(item));
                let number = self.alloc(9, class);
                let paths = self.paths(st, &receiver);
                self.copies(number, &paths);
                Some(Value::one(Item::Fresh(number)))
            }
            _ => None,
        }
    }

    fn is_array(&self, item: Item) -> bool {
        match item {
            Item::Path(path) => self.engine.is_array(self.key, path),
            _ => false,
        }
    }

    fn explicit_lock(&mut self, st: &mut State, call: &Call, class: &str, name: &str) -> Option<Value> {
        let receiver = call.args.first()?.clone();
        let stamped = class.ends_with("StampedLock");
        match name {
            "lock" | "lockInterruptibly" => self.enter(st, &receiver, false),
            "unlock" if !stamped => self.exit(st, &receiver, true),
            "tryLock" => self.enter(st, &receiver, true),
            "readLock" | "writeLock" | "readLockInterruptibly" | "writeLockInterruptibly" if stamped => {
                let value = if name.starts_with("read") {
                    as_read_lock(&receiver)
                } else {
                    receiver
                };
                self.enter(st, &value, false);
            }
            "unlock" | "unlockRead" | "unlockWrite" if stamped => {
                self.exit(st, &receiver, true);
                self.exit(st, &as_read_lock(&receiver), true);
            }
            "readLock" => return Some(as_read_lock(&receiver)),
            "writeLock" => return Some(receiver),
            "await" | "awaitNanos" | "awaitUninterruptibly" | "awaitUntil" => self.split_sections(st),
            "newCondition" => return Some(Value::trusted()),
            "<init>" => return None,
            _ => {}
        }
        Some(Value::trusted())
    }

    fn atomic(&mut self, st: &mut State, call: &Call, name: &str) -> Option<Value> {
        if name == "<init>" || name == "newUpdater" {
            return None;
        }
        let receiver = call.args.first()?.clone();
        let (reads, writes) = library_contracts::atomic_effect(name);
        match receiver.single() {
            Some(Item::Handle(field)) => {
                let target = call.args.get(1)?.clone();
                self.atomic_access(st, &target, Step::Field(field), reads, writes);
            }
            _ => self.atomic_access(st, &receiver, Step::Any, reads, writes),
        }
        Some(self.read(st, &receiver, Step::Any))
    }

    fn atomic_access(&mut self, st: &State, target: &Value, step: Step, reads: bool, writes: bool) {
        if reads {
            self.touch(st, target, step, AccessKind::Read, AccessMode::Atomic);
        }
        if writes {
            self.touch(st, target, step, AccessKind::Write, AccessMode::Atomic);
        }
    }

    fn var_handle(&mut self, st: &mut State, call: &Call, name: &str) -> Option<Value> {
        if name.ends_with("Fence") || name == "varType" || name == "coordinateTypes" {
            return Some(Value::trusted());
        }
        let (reads, writes) = library_contracts::handle_effect(name);
        let target = call.args.get(1).cloned().unwrap_or_default();
        let (step, first_value) = match call.args.first()?.single() {
            Some(Item::Handle(field)) => (Step::Field(field), 2),
            Some(Item::ElementHandle) => (Step::Element, 3),
            _ => (Step::Any, 1),
        };
        Some(self.through_handle(st, call, &target, step, first_value, reads, writes))
    }

    fn unsafe_call(&mut self, st: &mut State, call: &Call, name: &str) -> Value {
        let accesses = ["get", "put", "compareAnd", "weakCompareAnd"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        let takes_object = self
            .program()
            .text(call.descriptor)
            .starts_with("(Ljava/lang/Object;J");
        if !accesses || !takes_object {
            return Value::trusted();
        }
        let (reads, writes) = library_contracts::handle_effect(name);
        let target = call.args.get(1).cloned().unwrap_or_default();
        let step = match call.args.get(2).and_then(Value::single) {
            Some(Item::Handle(field)) => Step::Field(field),
            // An offset that was computed: an element of an array, or a field of something.
            _ => match target.single().and_then(|item| self.exact_class(item)) {
                Some(_) => Step::Any,
                None => Step::Element,
            },
        };
        self.through_handle(st, call, &target, step, 3, reads, writes)
    }

    #[expect(clippy::too_many_arguments, reason = "one access, spelled out")]
    fn through_handle(
        &mut self,
        st: &mut State,
        call: &Call,
        target: &Value,
        step: Step,
        first_value: usize,
        reads: bool,
        writes: bool,
    ) -> Value {
        self.atomic_access(st, target, step, reads, writes);
        if writes {
            for value in call.args.iter().skip(first_value).cloned().collect::<Vec<_>>() {
                self.store(st, target, step, &value);
            }
        }
        if reads {
            self.read(st, target, step)
        } else {
            Value::trusted()
        }
    }
}

/// The read side of a read-write lock.
fn as_read_lock(lock: &Value) -> Value {
    match lock.single() {
        Some(Item::Path(path)) => Value::one(Item::ReadLock(path)),
        _ => Value::trusted(),
    }
}
