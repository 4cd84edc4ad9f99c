//! Flow-sensitive abstract interpretation of one method body.
//!
//! First the states at all block leaders are brought to a fixed point, then one more pass records what happens in them.
//! The order matters: a lock that turns out not to be held on some path must not protect anything on the first.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Constant, Insn, Kind};
use raddle_program::{Class, ClassId, FieldId, Program};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::body::Body;
use super::effect::stack_effect;
use super::engine::{Engine, Holds};
use super::lock::{self, Held, Lock, LockBase, Section};
use super::path::{Path, Root, Step};
use super::state::{Alloc, State};
use super::summary::{AccessFact, AcquireFact, Collector, Key, NestedFact, Shape, Site, StoreFact, Summary};
use super::value::{Item, Value};
use crate::facts::{AccessKind, AccessMode};

/// Where an interpreter gets its callees' summaries.
pub(crate) trait Lookup {
    fn summary(&mut self, key: Key) -> Arc<Summary>;
}

/// Re-interpretations of one body before it is taken as it is; real bodies need two or three.
const MAX_ROUNDS: usize = 12;

/// Things a new object refers to that are told apart.
const MAX_CONTENTS: usize = 6;

/// Marks the section of a synchronized method's own lock.
const METHOD_LOCK: u32 = u32::MAX - 1;

pub(crate) struct Interp<'e, 'p> {
    pub(crate) engine: &'e Engine<'p>,
    pub(crate) lookup: &'e mut dyn Lookup,
    pub(crate) key: Key,
    pub(crate) class: &'p Class,
    pub(crate) allocs: Vec<Alloc>,
    alloc_at: FxHashMap<(u32, u16), u16>,
    pub(crate) grew: bool,
    pub(crate) out: Option<Collector>,
    pub(crate) bci: u32,
    pub(crate) in_loop: bool,
    /// The callee being applied is a part of the platform that this code does not belong to.
    pub(crate) foreign: bool,
    pub(crate) callee: Option<Key>,
    returned: Value,
    exits: Option<SmallVec<[Lock; 1]>>,
}

impl<'e, 'p> Interp<'e, 'p> {
    /// The summary of a method, given what is known of its callees so far.
    pub(crate) fn summarize(engine: &'e Engine<'p>, lookup: &'e mut dyn Lookup, key: Key) -> Summary {
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
            bci: 0,
            in_loop: false,
            foreign: false,
            callee: None,
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
                entry.locals.resize(body.max_locals.max(entry.locals.len()), Value::default());
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
        let Some(mut state) = states[leader].clone() else { return };
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
                let value =
                    if kind.element() == Kind::Ref { self.read(st, &array, Step::Element) } else { Value::default() };
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
        let Ok(name) = self.class.file().pool().class_name(index) else { return };
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

    fn field_ref(&self, index: u16) -> Option<(FieldId, u16)> {
        let member = self.class.file().pool().member_ref(index).ok()?;
        let slots = FieldType::parse(&member.descriptor).ok()?.slots();
        let program = self.program();
        let class = program.class_id(&member.class);
        let field =
            program.resolve_field(class, program.symbol(&member.name), program.symbol(&member.descriptor));
        Some((field, slots))
    }

    fn mode(&self, field: FieldId) -> AccessMode {
        let volatile = self.program().field(field).access.is_some_and(|access| access.is_volatile());
        if volatile { AccessMode::Volatile } else { AccessMode::Plain }
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
        if self.program().field(field).access.is_none_or(|access| !access.is_final()) {
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

    /// A number for the object made at this instruction; `nth` tells several apart.
    pub(crate) fn alloc(&mut self, nth: u16, class: Option<ClassId>) -> u16 {
        let key = (self.bci, nth);
        if let Some(&known) = self.alloc_at.get(&key) {
            return known;
        }
        let number = self.allocs.len() as u16;
        self.allocs.push(Alloc { class, ..Alloc::default() });
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

    fn is_final(&self, step: Step) -> bool {
        match step {
            Step::Field(field) => self.program().field(field).access.is_some_and(|access| access.is_final()),
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

    fn follow(&self, path: Path, step: Step) -> Item {
        if let Step::Field(field) = step {
            let facts = self.engine.field_facts(field);
            if let Some(target) = facts.handle {
                return Item::Handle(target);
            }
            if let Some((lock, shared)) = facts.lock_view {
                let lock = path.follow(Step::Field(lock));
                return if shared { Item::ReadLock(lock) } else { Item::WriteLock(lock) };
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
                            out.store(StoreFact { base: path, value: shape });
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
                    self.flatten(number, &mut held, 0);
                    if held.len() > MAX_CONTENTS {
                        held = SmallVec::from_slice(&[Item::Path(Path::root(Root::Unknown(self.program().object())))]);
                    }
                    held.sort_unstable();
                    shapes.push(Shape::Fresh { class: alloc.class, contents: held, copies: alloc.copy_of.clone() });
                }
                Item::Null | Item::Trusted | Item::Text(_) | Item::Class(_) => {}
                other => shapes.push(Shape::Item(other)),
            }
        }
        shapes
    }

    fn flatten(&self, number: u16, held: &mut SmallVec<[Item; 2]>, depth: usize) {
        let alloc = &self.allocs[usize::from(number)];
        if depth > 0 {
            held.extend(alloc.copy_of.iter().map(|path| Item::Path(path.follow(Step::Any))));
        }
        for &content in alloc.contents.items() {
            match content {
                Item::Fresh(inner) if depth < 2 && inner != number => self.flatten(inner, held, depth + 1),
                Item::Path(_) if !held.contains(&content) => held.push(content),
                _ => {}
            }
        }
    }

    /// The lock a value stands for, when it is certain which.
    pub(crate) fn lock_of(&self, st: &State, value: &Value) -> Option<Lock> {
        match value.single()? {
            Item::Path(path) => Some(Lock::exclusive(LockBase::Path(path))),
            Item::Class(class) => Some(Lock::exclusive(LockBase::Class(class))),
            Item::ReadLock(path) => Some(Lock { base: LockBase::Path(path), shared: true }),
            Item::WriteLock(path) => Some(Lock::exclusive(LockBase::Path(path))),
            Item::Fresh(number) if st.is_published(number) => {
                match self.allocs[usize::from(number)].paths.as_slice() {
                    [only] => Some(Lock::exclusive(LockBase::Path(*only))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Takes the lock of an object. With `attempt` it may not have been got.
    pub(crate) fn enter(&mut self, st: &mut State, value: &Value, attempt: bool) {
        let section = if self.in_loop { Section::REPEATED } else { Section::at(self.bci) };
        let place = (self.key.method, self.bci);
        match self.lock_of(st, value) {
            Some(lock) => {
                if !attempt {
                    self.acquired(st, lock, place);
                }
                self.hold(st, lock, section, !attempt, place);
            }
            None => {
                for path in self.paths(st, value) {
                    let lock = Lock::exclusive(LockBase::Path(path));
                    if !attempt {
                        self.acquired(st, lock, place);
                    }
                    self.hold(st, lock, section, false, place);
                }
            }
        }
    }

    pub(crate) fn hold(&mut self, st: &mut State, lock: Lock, section: Section, must: bool, place: Site) {
        if let Some(held) = st.held.iter_mut().find(|held| held.lock == lock) {
            held.depth = held.depth.saturating_add(1).min(16);
            if must && !held.must {
                held.must = true;
                held.section = section;
            }
            return;
        }
        st.held.push(Held { lock, section, must, depth: 0, place });
    }

    /// Records that a lock is taken here, inside whatever is held.
    pub(crate) fn acquired(&mut self, st: &State, lock: Lock, place: Site) {
        let Some(out) = &mut self.out else { return };
        if st.held.iter().any(|held| held.lock.base == lock.base && held.must) {
            return; // re-entry
        }
        out.acquire(self.engine, AcquireFact { lock, place });
        for held in &st.held {
            let fact = NestedFact {
                first: held.lock,
                second: lock,
                first_place: held.place,
                second_place: place,
            };
            out.nested(self.engine, fact);
        }
    }

    /// Gives a lock back. `unlock` says it is an explicit lock, which another method may have taken.
    pub(crate) fn exit(&mut self, st: &mut State, value: &Value, unlock: bool) {
        match self.lock_of(st, value) {
            Some(lock) => self.release(st, lock, unlock),
            None => {
                for path in self.paths(st, value) {
                    self.release(st, Lock::exclusive(LockBase::Path(path)), unlock);
                }
            }
        }
    }

    pub(crate) fn release(&mut self, st: &mut State, lock: Lock, unlock: bool) {
        match st.held.iter().position(|held| held.lock == lock) {
            Some(at) if st.held[at].depth > 0 => st.held[at].depth -= 1,
            Some(at) => {
                st.held.remove(at);
            }
            None if unlock => {
                if let Some(out) = &mut self.out
                    && !out.summary.gives_back.contains(&lock)
                {
                    out.summary.gives_back.push(lock);
                }
            }
            None => {}
        }
    }

    /// A wait gives every lock up and takes it again: nothing before is in one stretch with anything after.
    pub(crate) fn split_sections(&mut self, st: &mut State) {
        let section = if self.in_loop { Section::REPEATED } else { Section::at(self.bci) };
        if let Some(out) = &mut self.out {
            out.summary.waits = true;
        }
        for held in &mut st.held {
            held.section = section;
        }
    }

    fn finish(mut self, entry: &State) -> Summary {
        let returned = std::mem::take(&mut self.returned);
        let returns = self.shapes(&returned);
        if let Some(held) = entry.held.first() {
            let fact = AcquireFact { lock: held.lock, place: held.place };
            if let Some(out) = &mut self.out {
                out.acquire(self.engine, fact);
            }
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
