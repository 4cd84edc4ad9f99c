//! Calls: which methods run, and what their summaries mean here.

use raddle_classfile::Insn;
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{ClassId, MethodId, Scope, Symbol, Targets};

use super::interp::Interp;
use super::lock::{self};
use super::path::{Path, Root, Step};
use super::state::State;
use super::summary::{Key, Opaque, OpenCall};
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

/// A virtual call with more possible targets than this is open.
const MAX_TARGETS: usize = 4;
/// On the class path the world is smaller and the code is what the user asked about.
const MAX_TARGETS_CLASS_PATH: usize = 16;

/// A call instruction, taken apart.
pub(crate) struct Call {
    pub(crate) class: ClassId,
    pub(crate) name: Symbol,
    pub(crate) descriptor: Symbol,
    /// Receiver first, if there is one.
    pub(crate) args: Vec<Value>,
    /// `None` for void and primitives; the class for objects; `Object` for arrays.
    pub(crate) result: Option<ClassId>,
}

impl Interp<'_, '_> {
    pub(crate) fn invoke(&mut self, insn: &Insn<'_>, st: &mut State) {
        let (Insn::InvokeVirtual(index)
        | Insn::InvokeSpecial(index)
        | Insn::InvokeStatic(index)
        | Insn::InvokeInterface(index)) = insn
        else {
            return;
        };
        let Ok(member) = self.class.file().pool().member_ref(*index) else {
            return st.stack.clear();
        };
        let Ok(types) = MethodType::parse(&member.descriptor) else {
            return st.stack.clear();
        };
        let is_static = matches!(insn, Insn::InvokeStatic(_));
        let program = self.program();
        let mut args: Vec<Value> = types
            .parameters
            .iter()
            .rev()
            .map(|parameter| st.pop_slots(parameter.slots()))
            .collect();
        if !is_static {
            args.push(st.pop());
        }
        args.reverse();
        let call = Call {
            class: program.class_id(if member.class.starts_with('[') {
                "java/lang/Object"
            } else {
                &member.class
            }),
            name: program.symbol(&member.name),
            descriptor: program.symbol(&member.descriptor),
            args,
            result: match &types.result {
                Some(FieldType::Object(name)) => Some(program.class_id(name)),
                Some(FieldType::Array(_)) => Some(program.object()),
                _ => None,
            },
        };
        let value = match self.special(st, &call) {
            Some(value) => value,
            None if self.is_boring_call(&call) => Value::trusted(),
            None if self.hands_on_code(st, &call, usize::from(!is_static)) => Value::trusted(),
            None => match insn {
                Insn::InvokeStatic(_) => self.direct(st, &call, None),
                Insn::InvokeSpecial(_) => {
                    let receiver = self.exact_receiver(&call);
                    self.direct(st, &call, receiver)
                }
                _ => self.virtual_call(st, &call),
            },
        };
        if let Some(result) = &types.result {
            let value = match call.result {
                None => Value::default(),
                Some(class) if self.engine.is_value_type(class) => Value::trusted(),
                Some(_) if value.is_empty() => Value::trusted(),
                Some(_) => value,
            };
            // Offsets and other numbers keep what is known of them.
            st.push_slots(value, result.slots());
        }
    }

    fn exact_receiver(&self, call: &Call) -> Option<ClassId> {
        self.exact_class(call.args.first()?.single()?)
    }

    /// The class an object certainly is.
    pub(crate) fn exact_class(&self, item: Item) -> Option<ClassId> {
        match item {
            Item::Fresh(number) => self.allocs[usize::from(number)].class,
            Item::Path(path) => match (path.root, path.steps()) {
                (Root::Param(0), []) if !self.engine.is_static(self.key.method) => self.key.receiver,
                (Root::Static(field), []) => self.engine.field_facts(field).exact,
                (_, [.., Step::Field(field)]) => self.engine.field_facts(*field).exact,
                _ => None,
            },
            _ => None,
        }
    }

    /// A call into another part of the platform that is handed nothing shared: it can touch nothing but the
    /// platform's own static state, and what it returns is its own.
    fn is_boring_call(&self, call: &Call) -> bool {
        self.engine.is_foreign_platform(self.class.id(), call.class)
            && call
                .args
                .iter()
                .all(|arg| arg.items().iter().all(|item| self.is_boring(*item, 0)))
    }

    pub(crate) fn is_boring(&self, item: Item, depth: usize) -> bool {
        match item {
            Item::Path(_) | Item::ReadLock(_) | Item::WriteLock(_) => false,
            Item::Fresh(number) => {
                let alloc = &self.allocs[usize::from(number)];
                let tame = alloc
                    .class
                    .is_none_or(|class| self.engine.is_foreign_platform(self.class.id(), class));
                depth < 3
                    && tame
                    && alloc.lambda.is_none()
                    && alloc.copy_of.is_empty()
                    && alloc
                        .contents
                        .items()
                        .iter()
                        .all(|inner| *inner == item || self.is_boring(*inner, depth + 1))
            }
            _ => true,
        }
    }

    /// Static, private, super and constructor calls: the target is what resolution says.
    fn direct(&mut self, st: &mut State, call: &Call, receiver: Option<ClassId>) -> Value {
        match self
            .program()
            .resolve_method(call.class, call.name, call.descriptor)
        {
            Some(method) => self.apply(st, Key { method, receiver }, &call.args),
            None => self.opaque(st, call, "the method could not be found"),
        }
    }

    fn virtual_call(&mut self, st: &mut State, call: &Call) -> Value {
        let object = self.program().object();
        let mut result = Value::default();
        let receiver = call.args.first().cloned().unwrap_or_default();
        let mut open = Value::default();
        let mut exact: Vec<(ClassId, Value)> = Vec::new();
        for &item in receiver.items() {
            match self.exact_class(item) {
                Some(class) => match exact.iter_mut().find(|(known, _)| *known == class) {
                    Some((_, value)) => {
                        value.insert(item, object);
                    }
                    None => exact.push((class, Value::one(item))),
                },
                None if item == Item::Null => {}
                None => {
                    if let Item::Fresh(number) = item
                        && let Some(lambda) = self.allocs[usize::from(number)].lambda.clone()
                    {
                        let value = self.run_lambda(st, &lambda, &call.args[1..]);
                        result.join(&value, object);
                        continue;
                    }
                    open.insert(item, object);
                }
            }
        }
        for (class, items) in exact {
            let mut args = call.args.clone();
            args[0] = items;
            let narrowed = Call { args, ..*call };
            let value = match self.program().select_method(class, call.name, call.descriptor) {
                Some(method) if self.uses_model(method.class, true) => {
                    self.modelled(st, &narrowed, method.class)
                }
                Some(method) => Some(self.apply(
                    st,
                    Key {
                        method,
                        receiver: Some(class),
                    },
                    &narrowed.args,
                )),
                None => None,
            };
            let value = value.unwrap_or_else(|| self.open_call(st, &narrowed));
            result.join(&value, object);
        }
        if !open.is_empty() {
            let mut args = call.args.clone();
            args[0] = open;
            let narrowed = Call { args, ..*call };
            let value = self.open_call(st, &narrowed);
            result.join(&value, object);
        }
        result
    }

    /// A call on an object whose class is not certain.
    fn open_call(&mut self, st: &mut State, call: &Call) -> Value {
        let program = self.program();
        let resolved = program.resolve_method(call.class, call.name, call.descriptor);
        let declared = resolved.and_then(|id| program.method(id));
        if let Some((class, method)) = declared
            && (method.access.is_final() || method.access.is_private() || class.access().is_final())
            && let Some(id) = resolved
        {
            return self.apply(
                st,
                Key {
                    method: id,
                    receiver: None,
                },
                &call.args,
            );
        }
        if self.uses_model(call.class, false)
            && let Some(value) = self.modelled(st, call, call.class)
        {
            self.note_open(st, call);
            return value;
        }
        if self.engine.is_callback(call.class) {
            self.note_open(st, call);
            return Value::trusted();
        }
        let of_object = declared.is_some_and(|(class, _)| class.id() == program.object())
            || self.engine.is_object_method(call.name, call.descriptor);
        let scope = Scope::of(self.class);
        if scope == Scope::ClassPath && self.engine.is_platform(call.class) {
            // The platform's own types are open to everybody; whoever implements them minds his own state.
            self.note_open(st, call);
            return if of_object {
                Value::trusted()
            } else {
                self.beyond_scope(st, call, resolved)
            };
        }
        let limit = if scope == Scope::ClassPath {
            MAX_TARGETS_CLASS_PATH
        } else {
            MAX_TARGETS
        };
        let targets = program.targets(&scope, call.class, call.name, call.descriptor, limit);
        let complete =
            matches!(targets, Targets::Known(_)) && !self.engine.is_extensible_platform(call.class);
        if !complete {
            self.note_open(st, call);
        }
        match targets {
            Targets::Known(targets) if !targets.is_empty() => {
                let mut result = Value::default();
                for method in targets {
                    let value = self.apply(
                        st,
                        Key {
                            method,
                            receiver: None,
                        },
                        &call.args,
                    );
                    result.join(&value, program.object());
                }
                result
            }
            _ if of_object => Value::trusted(),
            _ => self.beyond_scope(st, call, resolved),
        }
    }

    /// The method of the static type, where it has a body, and otherwise nothing known.
    fn beyond_scope(&mut self, st: &mut State, call: &Call, resolved: Option<MethodId>) -> Value {
        match resolved {
            Some(method) if !self.program().is_abstract(method) => self.apply(
                st,
                Key {
                    method,
                    receiver: None,
                },
                &call.args,
            ),
            _ => self.opaque(st, call, "any class may implement it"),
        }
    }

    /// Remembers a call that the class under test may answer itself.
    fn note_open(&mut self, st: &State, call: &Call) {
        let Some(receiver) = call.args.first() else { return };
        for path in self.paths(st, receiver) {
            self.note_open_on(st, path, call.class, call.name, call.descriptor);
        }
        if self.engine.is_object_method(call.name, call.descriptor) {
            let (object, compared) = (self.program().object(), self.engine.compared());
            for arg in call.args.iter().skip(1) {
                for path in self.paths(st, arg) {
                    self.note_open_on(st, path, object, call.name, compared);
                }
            }
        }
    }

    pub(crate) fn note_open_on(
        &mut self,
        st: &State,
        receiver: Path,
        declared: ClassId,
        name: Symbol,
        descriptor: Symbol,
    ) {
        let fact = OpenCall {
            receiver,
            declared,
            name,
            descriptor,
            held: lock::protection(&st.held),
            outer: st.held.iter().map(|held| (held.lock, held.place)).collect(),
            many: self.in_loop,
            place: (self.key.method, self.bci),
            via: self.bci,
        };
        if let Some(out) = &mut self.out {
            out.open(self.engine, fact);
        }
    }

    /// Nothing is known: everything handed over may be read and written.
    pub(crate) fn opaque(&mut self, st: &mut State, call: &Call, reason: &'static str) -> Value {
        let mut shared = false;
        for arg in &call.args {
            shared |= self.disturb(st, arg);
        }
        if shared && let Some(out) = &mut self.out {
            out.opaque(Opaque {
                class: call.class,
                name: call.name,
                descriptor: call.descriptor,
                reason,
                place: (self.key.method, self.bci),
            });
        }
        if shared {
            Value::unknown(call.result.unwrap_or(self.program().object()))
        } else {
            Value::trusted()
        }
    }

    /// Reads and writes the state of everything a value may be; says whether that is shared at all.
    fn disturb(&mut self, st: &mut State, value: &Value) -> bool {
        let mut shared = false;
        let mut paths = self.paths(st, value);
        for item in value.items() {
            if let Item::Fresh(number) = *item {
                let alloc = &self.allocs[usize::from(number)];
                paths.extend(alloc.referents());
                if let Some(lambda) = alloc.lambda.clone() {
                    self.run_lambda(st, &lambda, &[]);
                }
            }
        }
        for path in paths {
            shared = true;
            let location = path.location(Step::Any, self.engine);
            self.record(st, location, AccessKind::Read, AccessMode::Plain);
            self.record(st, location, AccessKind::Write, AccessMode::Plain);
        }
        shared
    }

    /// A method without code: the platform's natives touch nothing a test shares, others may do anything.
    pub(crate) fn without_code(&mut self, st: &mut State, native: bool) {
        if native && self.class.is_platform() {
            return;
        }
        self.anything(st, if native { "it is native" } else { "it is abstract" });
    }

    /// A method whose code cannot be decoded.
    pub(crate) fn unreadable(&mut self, st: &mut State) {
        self.anything(st, "its bytecode cannot be decoded");
    }

    fn anything(&mut self, st: &mut State, reason: &'static str) {
        let Some((class, method)) = self.program().method(self.key.method) else {
            return;
        };
        let call = Call {
            class: class.id(),
            name: method.name,
            descriptor: method.descriptor,
            args: st.locals.clone(),
            result: None,
        };
        self.opaque(st, &call, reason);
    }
}
