//! Flow-sensitive abstract interpretation of one method body.
//!
//! First the states at all block leaders are brought to a fixed point, then one more pass records what happens in them.
//! The order matters: a lock that turns out not to be held on some path must not protect anything on the first.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Constant, Insn, Kind};
use raddle_program::{Class, ClassId, FieldId, MethodId, Program};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::body::Body;
use super::engine::Engine;
use super::lock::{Held, Lock, LockBase, Section};
use super::path::{Path, Root, Step};
use super::stack_effects::stack_effect;
use super::state::{Alloc, State};
use super::summary::{Collector, Key, Summary};
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

/// Where an interpreter gets its callees' summaries.
pub(crate) trait Lookup {
    fn summary(&mut self, key: Key) -> Arc<Summary>;
}

/// Re-interpretations of one body before it is taken as it is; real bodies need two or three.
const MAX_ROUNDS: usize = 12;

/// Marks the section of a synchronized method's own lock.
const METHOD_LOCK: u32 = u32::MAX - 1;

#[expect(
    clippy::struct_excessive_bools,
    reason = "independent conditions of one interpretation"
)]
pub(crate) struct Interp<'e, 'p> {
    pub(crate) engine: &'e Engine<'p>,
    pub(crate) lookup: &'e mut dyn Lookup,
    pub(crate) key: Key,
    pub(crate) class: &'p Class,
    pub(crate) allocs: Vec<Alloc>,
    pub(crate) alloc_at: FxHashMap<(u32, u16), u16>,
    pub(crate) grew: bool,
    pub(crate) out: Option<Collector>,
    /// Only what it returns and stores is wanted.
    pub(crate) results_only: bool,
    pub(crate) bci: u32,
    pub(crate) in_loop: bool,
    /// The callee being applied is a part of the platform that this code does not belong to.
    pub(crate) foreign: bool,
    pub(crate) callee: Option<Key>,
    /// Lambdas that are being run, one from the other.
    pub(crate) running: Vec<MethodId>,
    returned: Value,
    exits: Option<SmallVec<[Lock; 1]>>,
}

impl<'e, 'p> Interp<'e, 'p> {
    /// The summary of a method, given what is known of its callees so far.
    pub(crate) fn summarize(engine: &'e Engine<'p>, lookup: &'e mut dyn Lookup, key: Key) -> Summary {
        Self::interpret(engine, lookup, key, false)
    }

    /// What a method returns and stores, without the effects of its callees.
    pub(crate) fn outline(engine: &'e Engine<'p>, lookup: &'e mut dyn Lookup, key: Key) -> Summary {
        Self::interpret(engine, lookup, key, true)
    }

    fn interpret(
        engine: &'e Engine<'p>,
        lookup: &'e mut dyn Lookup,
        key: Key,
        results_only: bool,
    ) -> Summary {
        let Some((class, method)) = engine.program.method(key.method) else {
            return Summary::default();
        };
        let view = class.file().methods().nth(usize::from(key.method.index));
        let descriptor = engine.program.text(method.descriptor);
        let (Some(view), Ok(types)) = (view, MethodType::parse(descriptor)) else {
            return Summary::default();
        };
        let mut interp = Interp {
            engine,
            lookup,
            key,
            class,
            allocs: Vec::new(),
            alloc_at: FxHashMap::default(),
            grew: false,
            out: None,
            results_only,
            bci: 0,
            in_loop: false,
            foreign: false,
            callee: None,
            running: Vec::new(),
            returned: Value::default(),
            exits: None,
        };
        let mut entry = State::default();
        if !method.access.is_static() {
            entry.locals.push(Value::one(Item::Path(Path::param(0))));
        }
        let first = u16::from(!method.access.is_static());
        for (index, parameter) in types.parameters.iter().enumerate() {
            let value = interp.parameter(first + index as u16, parameter);
            entry.locals.push(value);
            for _ in 1..parameter.slots() {
                entry.locals.push(Value::default());
            }
        }
        if method.access.is_synchronized() {
            let base = if method.access.is_static() {
                LockBase::Class(class.id())
            } else {
                LockBase::Path(Path::param(0))
            };
            entry.held.push(Held {
                lock: Lock::exclusive(base),
                section: Section::at(METHOD_LOCK),
                must: true,
                depth: 0,
                place: (key.method, 0),
            });
        }
        let body = match view.code() {
            Ok(Some(code)) => Body::decode(&code),
            Ok(None) => {
                interp.out = Some(Collector::default());
                interp.without_code(&mut entry, method.access.is_native());
                return interp.finish(&entry);
            }
            Err(error) => Err(error),
        };
        match body {
            Ok(body) if !body.insns.is_empty() => {
                entry
                    .locals
                    .resize(body.max_locals.max(entry.locals.len()), Value::default());
                interp.run(&body, &entry);
                interp.finish(&entry)
            }
            _ => {
                interp.out = Some(Collector::default());
                interp.unreadable(&mut entry);
                interp.finish(&entry)
            }
        }
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.engine.program
    }

    fn parameter(&self, index: u16, parameter: &FieldType<'_>) -> Value {
        match parameter {
            FieldType::Object(name) if !self.engine.is_value_type(self.program().class_id(name)) => {
                Value::one(Item::Path(Path::param(index)))
            }
            FieldType::Object(_) => Value::trusted(),
            FieldType::Array(_) => Value::one(Item::Path(Path::param(index))),
            _ => Value::default(),
        }
    }

    fn run(&mut self, body: &Body<'_>, entry: &State) {
        let object = self.program().object();
        let mut states: Vec<Option<State>> = vec![None; body.insns.len()];
        let mut dirty = BTreeSet::from([0]);
        states[0] = Some(entry.clone());
        for _ in 0..MAX_ROUNDS {
            self.grew = false;
            while let Some(leader) = dirty.pop_first() {
                self.block(body, leader, &mut states, Some(&mut dirty), object);
            }
            if !self.grew {
                break;
            }
            // What new objects hold changed: results of field reads may have, everywhere.
            dirty.extend((0..states.len()).filter(|&index| states[index].is_some()));
        }
        self.out = Some(Collector::default());
        self.exits = None;
        for leader in 0..states.len() {
            if states[leader].is_some() {
                self.block(body, leader, &mut states, None, object);
            }
        }
    }

    /// Interprets from a leader to the end of its block. With `dirty`, propagates; without, only records.
    fn block(
        &mut self,
        body: &Body<'_>,
        leader: usize,
        states: &mut [Option<State>],
        mut dirty: Option<&mut BTreeSet<usize>>,
        object: ClassId,
    ) {
        let Some(mut state) = states[leader].clone() else {
            return;
        };
        let mut index = leader;
        loop {
            let (pc, insn) = &body.insns[index];
            self.bci = *pc;
            self.in_loop = body.in_loop(index);
            if let Some(dirty) = dirty.as_deref_mut()
                && may_throw(insn)
            {
                for handler in body.handlers_at(index) {
                    merge(states, dirty, handler, &state.at_handler(), object);
                }
            }
            self.exec(insn, &mut state);
            let next = body.successors(index);
            let straight = insn.falls_through() && next.len() == 1 && !body.is_leader(index + 1);
            if straight {
                index += 1;
                continue;
            }
            if let Some(dirty) = dirty.as_deref_mut() {
                for to in next {
                    merge(states, dirty, to, &state, object);
                }
            }
            return;
        }
    }

    fn exec(&mut self, insn: &Insn<'_>, st: &mut State) {
        match insn {
            Insn::ConstNull => st.push(Value::one(Item::Null)),
            Insn::ConstInt(_) | Insn::ConstFloat(_) => st.push(Value::default()),
            Insn::ConstLong(_) | Insn::ConstDouble(_) | Insn::Ldc2(_) => st.push_slots(Value::default(), 2),
            Insn::Ldc(index) => {
                let value = match self.class.file().pool().constant(*index) {
                    Ok(Constant::Class(name)) => Value::one(Item::Class(self.program().class_id(&name))),
                    Ok(Constant::String(text)) => Value::one(Item::Text(self.program().symbol(&text))),
                    Ok(Constant::Int(_) | Constant::Float(_)) => Value::default(),
                    _ => Value::trusted(),
                };
                st.push(value);
            }
            Insn::Load(kind, slot) => {
                let value = st.local(*slot);
                st.push_slots(value, kind.slots());
            }
            Insn::Store(kind, slot) => {
                let value = st.pop_slots(kind.slots());
                st.set_local(*slot, value);
                if kind.slots() == 2 {
                    st.set_local(*slot + 1, Value::default());
                }
            }
            Insn::ArrayLoad(kind) => {
                st.pop();
                let array = st.pop();
                self.touch(st, &array, Step::Element, AccessKind::Read, AccessMode::Plain);
                let slots = kind.element().slots();
                let value = if kind.element() == Kind::Ref {
                    self.read(st, &array, Step::Element)
                } else {
                    Value::default()
                };
                st.push_slots(value, slots);
            }
            Insn::ArrayStore(kind) => {
                let value = st.pop_slots(kind.element().slots());
                st.pop();
                let array = st.pop();
                self.touch(st, &array, Step::Element, AccessKind::Write, AccessMode::Plain);
                self.store(st, &array, Step::Element, &value);
            }
            Insn::GetField(index) => self.get_field(*index, st),
            Insn::PutField(index) => self.put_field(*index, st),
            Insn::GetStatic(index) => self.get_static(*index, st),
            Insn::PutStatic(index) => self.put_static(*index, st),
            Insn::New(index) => {
                let class = self
                    .class
                    .file()
                    .pool()
                    .class_name(*index)
                    .ok()
                    .map(|name| self.program().class_id(&name));
                let alloc = self.alloc(0, class);
                st.push(Value::one(Item::Fresh(alloc)));
            }
            Insn::NewArray(_) | Insn::ANewArray(_) => {
                st.pop();
                let alloc = self.alloc(0, None);
                st.push(Value::one(Item::Fresh(alloc)));
            }
            Insn::MultiANewArray(_, dimensions) => {
                for _ in 0..*dimensions {
                    st.pop();
                }
                let alloc = self.alloc(0, None);
                st.push(Value::one(Item::Fresh(alloc)));
            }
            Insn::InvokeVirtual(_)
            | Insn::InvokeSpecial(_)
            | Insn::InvokeStatic(_)
            | Insn::InvokeInterface(_) => self.invoke(insn, st),
            Insn::InvokeDynamic(index) => self.invoke_dynamic(*index, st),
            Insn::CheckCast(index) => self.check_cast(*index, st),
            Insn::MonitorEnter => {
                let value = st.pop();
                self.enter(st, &value, false);
            }
            Insn::MonitorExit => {
                let value = st.pop();
                self.exit(st, &value, false);
            }
            Insn::Return(kind) => self.leave(*kind, st),
            Insn::AThrow => {
                st.stack.clear();
            }
            _ => shuffle(insn, st),
        }
    }

    /// A cast says what an object of unknown origin is at least.
    fn check_cast(&mut self, index: u16, st: &mut State) {
        let Ok(name) = self.class.file().pool().class_name(index) else {
            return;
        };
        if name.starts_with('[') {
            return;
        }
        let class = self.program().class_id(&name);
        let value = st.pop();
        let mut narrowed = Value::default();
        for &item in value.items() {
            let item = match item {
                Item::Path(path) if path.is_root() && matches!(path.root, Root::Unknown(_)) => {
                    Item::Path(Path::root(Root::Unknown(class)))
                }
                other => other,
            };
            narrowed.insert(item, self.program().object());
        }
        if self.engine.is_value_type(class) {
            narrowed = Value::trusted();
        }
        st.push(narrowed);
    }

    fn leave(&mut self, kind: Option<Kind>, st: &mut State) {
        let mut held: SmallVec<[Lock; 1]> = st
            .held
            .iter()
            .filter(|held| held.must && held.section != Section::at(METHOD_LOCK))
            .map(|held| held.lock)
            .collect();
        if let Some(known) = &self.exits {
            held.retain(|lock| known.contains(lock));
        }
        self.exits = Some(held);
        if let Some(kind) = kind {
            let value = st.pop_slots(kind.slots());
            if kind == Kind::Ref {
                self.run_later(st, &value);
                let object = self.program().object();
                self.returned.join(&value, object);
            }
        }
    }

    pub(crate) fn field_ref(&self, index: u16) -> Option<(FieldId, u16)> {
        let member = self.class.file().pool().member_ref(index).ok()?;
        let slots = FieldType::parse(&member.descriptor).ok()?.slots();
        let program = self.program();
        let class = program.class_id(&member.class);
        let field = program.resolve_field(
            class,
            program.symbol(&member.name),
            program.symbol(&member.descriptor),
        );
        Some((field, slots))
    }

    pub(crate) fn mode(&self, field: FieldId) -> AccessMode {
        let volatile = self
            .program()
            .field(field)
            .access
            .is_some_and(raddle_classfile::AccessFlags::is_volatile);
        if volatile {
            AccessMode::Volatile
        } else {
            AccessMode::Plain
        }
    }

    fn get_field(&mut self, index: u16, st: &mut State) {
        let base = st.pop();
        let Some((field, slots)) = self.field_ref(index) else {
            st.push(Value::trusted());
            return;
        };
        let mode = self.mode(field);
        self.touch(st, &base, Step::Field(field), AccessKind::Read, mode);
        let value = self.read(st, &base, Step::Field(field));
        st.push_slots(value, slots);
    }

    fn put_field(&mut self, index: u16, st: &mut State) {
        let Some((field, slots)) = self.field_ref(index) else {
            st.pop();
            st.pop();
            return;
        };
        let value = st.pop_slots(slots);
        let base = st.pop();
        let mode = self.mode(field);
        self.touch(st, &base, Step::Field(field), AccessKind::Write, mode);
        self.store(st, &base, Step::Field(field), &value);
    }

    /// Static state of the platform is the platform's own affair, unless the code is of the same package.
    pub(crate) fn trusts_static(&self, field: FieldId) -> bool {
        let owner = self.program().field(field).owner;
        self.engine.is_foreign_platform(self.class.id(), owner)
    }

    fn get_static(&mut self, index: u16, st: &mut State) {
        let Some((field, slots)) = self.field_ref(index) else {
            st.push(Value::trusted());
            return;
        };
        let facts = self.engine.field_facts(field);
        if let Some(target) = facts.handle {
            st.push_slots(Value::one(Item::Handle(target)), slots);
            return;
        }
        if facts.element_handle {
            st.push_slots(Value::one(Item::ElementHandle), slots);
            return;
        }
        if self.trusts_static(field) || self.engine.is_compiler_cache(field) {
            st.push_slots(Value::trusted(), slots);
            return;
        }
        let path = Path::root(Root::Static(field));
        if self
            .program()
            .field(field)
            .access
            .is_none_or(|access| !access.is_final())
        {
            self.record(st, path, AccessKind::Read, self.mode(field));
        }
        let value = match self.engine.field_class(field) {
            Some(class) if self.engine.is_value_type(class) => Value::trusted(),
            _ if self.engine.is_reference(field) => Value::one(Item::Path(path)),
            _ => Value::default(),
        };
        st.push_slots(value, slots);
    }

    fn put_static(&mut self, index: u16, st: &mut State) {
        let Some((field, slots)) = self.field_ref(index) else {
            st.pop();
            return;
        };
        let value = st.pop_slots(slots);
        if self.trusts_static(field) || self.engine.is_compiler_cache(field) {
            return;
        }
        let path = Path::root(Root::Static(field));
        self.record(st, path, AccessKind::Write, self.mode(field));
        self.publish(st, path, &value);
    }

    fn finish(mut self, entry: &State) -> Summary {
        let returned = std::mem::take(&mut self.returned);
        let returns = self.shapes(&returned);
        if let Some(held) = entry.held.first()
            && let Some(out) = &mut self.out
        {
            out.acquire(self.engine, held.lock, held.place);
        }
        let mut summary = self.out.take().unwrap_or_default().summary;
        summary.returns = returns.into_vec();
        summary.coarsen(self.engine, self.program().object());
        summary.sort();
        summary.leaves_held = self.exits.take().unwrap_or_default();
        summary
    }
}

fn merge(
    states: &mut [Option<State>],
    dirty: &mut BTreeSet<usize>,
    to: usize,
    state: &State,
    object: ClassId,
) {
    let changed = match &mut states[to] {
        Some(known) => known.join(state, object),
        slot => {
            *slot = Some(state.clone());
            true
        }
    };
    if changed {
        dirty.insert(to);
    }
}

fn may_throw(insn: &Insn<'_>) -> bool {
    !matches!(
        insn,
        Insn::Nop
            | Insn::ConstNull
            | Insn::ConstInt(_)
            | Insn::ConstLong(_)
            | Insn::ConstFloat(_)
            | Insn::ConstDouble(_)
            | Insn::Load(..)
            | Insn::Store(..)
            | Insn::Dup
            | Insn::Pop
            | Insn::Goto(_)
            | Insn::If(..)
            | Insn::IfIcmp(..)
            | Insn::IfAcmp(..)
            | Insn::IfNull(_)
            | Insn::IfNonNull(_)
            | Insn::Iinc(..)
            | Insn::Return(_)
    )
}

fn shuffle(insn: &Insn<'_>, st: &mut State) {
    match insn {
        Insn::Dup => {
            let top = st.pop();
            st.stack.extend([top.clone(), top]);
        }
        Insn::DupX1 => {
            let (a, b) = (st.pop(), st.pop());
            st.stack.extend([a.clone(), b, a]);
        }
        Insn::DupX2 => {
            let (a, b, c) = (st.pop(), st.pop(), st.pop());
            st.stack.extend([a.clone(), c, b, a]);
        }
        Insn::Dup2 => {
            let (a, b) = (st.pop(), st.pop());
            st.stack.extend([b.clone(), a.clone(), b, a]);
        }
        Insn::Dup2X1 => {
            let (a, b, c) = (st.pop(), st.pop(), st.pop());
            st.stack.extend([b.clone(), a.clone(), c, b, a]);
        }
        Insn::Dup2X2 => {
            let (a, b, c, d) = (st.pop(), st.pop(), st.pop(), st.pop());
            st.stack.extend([b.clone(), a.clone(), d, c, b, a]);
        }
        Insn::Swap => {
            let (a, b) = (st.pop(), st.pop());
            st.stack.extend([a, b]);
        }
        Insn::Iinc(slot, _) => st.set_local(*slot, Value::default()),
        other => {
            let (pops, pushes) = stack_effect(other);
            for _ in 0..pops {
                st.pop();
            }
            for _ in 0..pushes {
                st.push(Value::default());
            }
        }
    }
}
