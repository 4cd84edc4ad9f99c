//! Calls: which methods run, and what their summaries mean here.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Constant, Insn};
use raddle_program::{ClassId, MethodId, Scope, Symbol, Targets};
use smallvec::SmallVec;

use super::engine::Holds;
use super::interp::Interp;
use super::lock::{self, Lock, LockBase, Protection, Section};
use super::models;
use super::path::{Path, Root, Step};
use super::state::{Lambda, State};
use super::summary::{AccessFact, Key, NestedFact, OpenCall, Opaque, Shape, Site, Summary};
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
        let mut args: Vec<Value> =
            types.parameters.iter().rev().map(|parameter| st.pop_slots(parameter.slots())).collect();
        if !is_static {
            args.push(st.pop());
        }
        args.reverse();
        let call = Call {
            class: program.class_id(if member.class.starts_with('[') { "java/lang/Object" } else { &member.class }),
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
            && call.args.iter().all(|arg| arg.items().iter().all(|item| self.is_boring(*item, 0)))
    }

    /// A platform call whose only interesting argument is code: it runs, now or later.
    fn hands_on_code(&mut self, st: &State, call: &Call, first: usize) -> bool {
        if !self.engine.is_foreign_platform(self.class.id(), call.class) {
            return false;
        }
        let is_code = |item: &Item| {
            matches!(item, Item::Fresh(number) if self.allocs[usize::from(*number)].lambda.is_some())
        };
        let dull = call.args.iter().enumerate().all(|(at, arg)| {
            arg.items().iter().all(|item| (at >= first && is_code(item)) || self.is_boring(*item, 0))
        });
        if dull {
            for arg in &call.args {
                self.run_later(st, arg);
            }
        }
        dull
    }

    fn is_boring(&self, item: Item, depth: usize) -> bool {
        match item {
            Item::Path(_) | Item::ReadLock(_) | Item::WriteLock(_) => false,
            Item::Fresh(number) => {
                let alloc = &self.allocs[usize::from(number)];
                let tame = alloc.class.is_none_or(|class| self.engine.is_foreign_platform(self.class.id(), class));
                depth < 3
                    && tame
                    && alloc.lambda.is_none()
                    && alloc.copy_of.is_empty()
                    && alloc.contents.items().iter().all(|inner| *inner == item || self.is_boring(*inner, depth + 1))
            }
            _ => true,
        }
    }

    /// Static, private, super and constructor calls: the target is what resolution says.
    fn direct(&mut self, st: &mut State, call: &Call, receiver: Option<ClassId>) -> Value {
        match self.program().resolve_method(call.class, call.name, call.descriptor) {
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
                Some(method) => Some(self.apply(st, Key { method, receiver: Some(class) }, &narrowed.args)),
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

    /// Whether calls on a class are answered from its contract instead of its code.
    fn uses_model(&self, class: ClassId, exact: bool) -> bool {
        if !self.engine.is_platform(class) {
            return false;
        }
        if self.class.is_platform() {
            // Platform code is read, except where an interface leaves it open.
            return !exact && self.program().class(class).is_some_and(|class| class.access().is_interface());
        }
        true
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
            return self.apply(st, Key { method: id, receiver: None }, &call.args);
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
            return if of_object { Value::trusted() } else { self.beyond_scope(st, call, resolved) };
        }
        let limit = if scope == Scope::ClassPath { MAX_TARGETS_CLASS_PATH } else { MAX_TARGETS };
        let targets = program.targets(&scope, call.class, call.name, call.descriptor, limit);
        let complete = matches!(targets, Targets::Known(_)) && !self.engine.is_extensible_platform(call.class);
        if !complete {
            self.note_open(st, call);
        }
        match targets {
            Targets::Known(targets) if !targets.is_empty() => {
                let mut result = Value::default();
                for method in targets {
                    let value = self.apply(st, Key { method, receiver: None }, &call.args);
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
            Some(method) if !self.program().is_abstract(method) => {
                self.apply(st, Key { method, receiver: None }, &call.args)
            }
            _ => self.opaque(st, call, "any class may implement it"),
        }
    }

    /// Remembers a call that the class under test may answer itself.
    fn note_open(&mut self, st: &State, call: &Call) {
        let Some(receiver) = call.args.first() else { return };
        for path in self.paths(st, receiver) {
            self.note_open_on(st, path, call.class, call.name, call.descriptor);
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
        if shared { Value::unknown(call.result.unwrap_or(self.program().object())) } else { Value::trusted() }
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

    /// A collection call, by contract.
    fn modelled(&mut self, st: &mut State, call: &Call, class: ClassId) -> Option<Value> {
        let program = self.program();
        let model = models::collection(program.internal_name(class), program.text(call.name))?;
        let receiver = call.args.first().cloned().unwrap_or_default();
        let mode = if model.atomic { AccessMode::Atomic } else { AccessMode::Plain };
        if model.locks {
            for path in self.paths(st, &receiver) {
                let place = (self.key.method, self.bci);
                self.acquired(st, Lock::exclusive(LockBase::Path(path)), place);
            }
        }
        let inner = self.view_of(st, &receiver);
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
            models::Returns::Nothing => Value::trusted(),
            models::Returns::View => inner,
            models::Returns::Element => {
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

    /// An iterator over an element-typed receiver stays where it is: entries of a map are its elements.
    fn view_of(&self, _st: &State, receiver: &Value) -> Value {
        receiver.clone()
    }

    /// `equals`, `hashCode` and `toString` of elements and arguments: the class under test may be one of them.
    fn compare_elements(&mut self, st: &State, call: &Call, receiver: &Value) {
        let mut objects: SmallVec<[Path; 4]> =
            self.paths(st, receiver).into_iter().map(|path| path.follow(Step::Element)).collect();
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
    fn bulk_argument(&mut self, st: &State, argument: &Value) {
        for path in self.paths(st, argument) {
            self.record(st, path.location(Step::Any, self.engine), AccessKind::Read, AccessMode::Plain);
            for (class, name, descriptor) in self.engine.query_methods() {
                self.note_open_on(st, path, class, name, descriptor);
            }
        }
    }

    fn run_lambdas(&mut self, st: &mut State, value: &Value) {
        for item in value.items() {
            if let Item::Fresh(number) = *item
                && let Some(lambda) = self.allocs[usize::from(number)].lambda.clone()
            {
                self.run_lambda(st, &lambda, &[]);
            }
        }
    }

    /// Code that is handed on may run whenever and wherever: nothing held now is certain then.
    pub(crate) fn run_later(&mut self, st: &State, value: &Value) {
        if self.out.is_none() || !value.items().iter().any(|item| matches!(item, Item::Fresh(_))) {
            return;
        }
        let mut later = st.clone();
        for held in &mut later.held {
            held.must = false;
        }
        self.run_lambdas(&mut later, value);
    }

    /// The body of a lambda with what it captured; arguments that are not known here are nobody's.
    pub(crate) fn run_lambda(&mut self, st: &mut State, lambda: &Lambda, given: &[Value]) -> Value {
        let mut args = lambda.captured.clone();
        args.extend_from_slice(given);
        let wanted = self.engine.parameter_count(lambda.method);
        args.resize(wanted.max(args.len()), Value::trusted());
        args.truncate(wanted);
        let receiver = if self.engine.is_static(lambda.method) {
            None
        } else {
            args.first().and_then(Value::single).and_then(|item| self.exact_class(item))
        };
        self.apply(st, Key { method: lambda.method, receiver }, &args)
    }

    pub(crate) fn invoke_dynamic(&mut self, index: u16, st: &mut State) {
        let file = self.class.file();
        let pool = file.pool();
        let Ok(dynamic) = pool.invoke_dynamic(index) else {
            return st.stack.clear();
        };
        let Ok(types) = MethodType::parse(&dynamic.descriptor) else {
            return st.stack.clear();
        };
        let mut captured: Vec<Value> =
            types.parameters.iter().rev().map(|parameter| st.pop_slots(parameter.slots())).collect();
        captured.reverse();
        let bootstrap = file
            .bootstrap_methods()
            .ok()
            .and_then(|methods| methods.into_iter().nth(usize::from(dynamic.bootstrap)));
        let slots = types.result.as_ref().map_or(0, FieldType::slots);
        let Some(bootstrap) = bootstrap else {
            return st.push_slots(Value::trusted(), slots);
        };
        let target = pool.method_handle(bootstrap.method_handle).ok().map(|(_, member)| member.name.into_owned());
        let is_lambda = matches!(target.as_deref(), Some("metafactory" | "altMetafactory"));
        let implementation = bootstrap.arguments.get(1).and_then(|&at| match pool.constant(at) {
            Ok(Constant::MethodHandle { member, .. }) => {
                let program = self.program();
                program.resolve_method(
                    program.class_id(&member.class),
                    program.symbol(&member.name),
                    program.symbol(&member.descriptor),
                )
            }
            _ => None,
        });
        if let (true, Some(method)) = (is_lambda, implementation) {
            let number = self.alloc(0, None);
            let lambda = Lambda { method, captured };
            let object = self.program().object();
            let mut contents = Value::default();
            for value in &lambda.captured {
                contents.join(value, object);
            }
            let alloc = &mut self.allocs[usize::from(number)];
            if alloc.lambda.as_ref() != Some(&lambda) {
                alloc.lambda = Some(lambda);
                self.grew = true;
            }
            self.grew |= alloc.contents.join(&contents, object);
            return st.push(Value::one(Item::Fresh(number)));
        }
        // String concatenation and the like: `toString` of what is joined.
        for value in &captured {
            for path in self.paths(st, value) {
                let object = self.program().object();
                if let Some((name, descriptor)) = self.engine.to_string() {
                    self.note_open_on(st, path, object, name, descriptor);
                }
            }
        }
        st.push_slots(Value::trusted(), slots);
    }

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
        if self.out.is_some() {
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
                let section = if self.in_loop { Section::REPEATED } else { Section::at(self.bci) };
                self.hold(st, lock, section, certain, (self.key.method, self.bci));
            }
        }
        self.result(st, &summary, args)
    }

    fn apply_effects(&mut self, st: &State, summary: &Summary, args: &[Value]) {
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
                    let reentered = st.held.iter().any(|held| held.must && held.lock.base == second.base);
                    if !reentered && let Some(out) = &mut self.out {
                        let (first_place, second_place) = (fact.first_place, fact.second_place);
                        out.nested(self.engine, NestedFact { first, second, first_place, second_place });
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

    fn apply_open(&mut self, st: &State, outer: &Protection, fact: &OpenCall, args: &[Value]) {
        // A foreign part of the platform calls back on what it is handed, or on elements of that.
        if self.foreign && !matches!(fact.receiver.steps(), [] | [Step::Element]) {
            return;
        }
        let receivers = self.map_path(st, fact.receiver, args);
        if receivers.is_empty() {
            return;
        }
        let held = self.map_protection(st, outer, &fact.held, args);
        let mut around: SmallVec<[(Lock, Site); 2]> = st.held.iter().map(|held| (held.lock, held.place)).collect();
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

    fn apply_store(&mut self, st: &mut State, base: &Path, shape: &Shape, args: &[Value]) {
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
        let Some(target) = args.get(usize::from(at)).cloned() else { return };
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
                                out.store(super::summary::StoreFact { base: path, value: Shape::Item(item) });
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn result(&mut self, st: &State, summary: &Summary, args: &[Value]) -> Value {
        let object = self.program().object();
        let mut value = Value::default();
        for (nth, shape) in summary.returns.iter().enumerate() {
            match shape {
                Shape::Item(item) => {
                    for item in self.map_item(st, *item, args) {
                        value.insert(item, object);
                    }
                }
                Shape::Fresh { class, contents, copies } => {
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

    fn map_item(&self, st: &State, item: Item, args: &[Value]) -> SmallVec<[Item; 4]> {
        match item {
            Item::Path(path) => match (path.root, path.is_root()) {
                // The argument itself, whatever it is.
                (Root::Param(at), true) => {
                    args.get(usize::from(at)).map(|arg| arg.items().iter().copied().collect()).unwrap_or_default()
                }
                _ => self.map_path(st, path, args).into_iter().map(Item::Path).collect(),
            },
            Item::ReadLock(path) => self.map_path(st, path, args).into_iter().map(Item::ReadLock).collect(),
            Item::WriteLock(path) => self.map_path(st, path, args).into_iter().map(Item::WriteLock).collect(),
            other => SmallVec::from_slice(&[other]),
        }
    }

    /// The objects of the caller that a callee's path may mean.
    pub(crate) fn map_path(&self, st: &State, path: Path, args: &[Value]) -> SmallVec<[Path; 4]> {
        let Root::Param(at) = path.root else {
            return if self.is_trusted_root(path.root) { SmallVec::new() } else { SmallVec::from_slice(&[path]) };
        };
        let mut found = SmallVec::new();
        let Some(arg) = args.get(usize::from(at)) else { return found };
        self.walk(st, arg, path.steps(), 0, &mut |base, rest| {
            let path = base.follow_all(rest);
            if !found.contains(&path) {
                found.push(path);
            }
        });
        found
    }

    fn map_location(&self, st: &State, location: Path, args: &[Value]) -> SmallVec<[Path; 4]> {
        let Root::Param(at) = location.root else {
            return if self.is_trusted_root(location.root) {
                SmallVec::new()
            } else {
                SmallVec::from_slice(&[location])
            };
        };
        let mut found = SmallVec::new();
        let Some(arg) = args.get(usize::from(at)) else { return found };
        let steps = location.steps();
        self.walk(st, arg, steps, 0, &mut |base, rest| {
            if rest.is_empty() {
                return; // a field of a new object
            }
            let location = base.relocate(rest, self.engine);
            if !found.contains(&location) {
                found.push(location);
            }
        });
        found
    }

    /// Shared objects found on the way along `steps` from a value, with the steps still to go.
    fn walk(
        &self,
        st: &State,
        value: &Value,
        steps: &[Step],
        depth: usize,
        visit: &mut dyn FnMut(Path, &[Step]),
    ) {
        for item in value.items() {
            match *item {
                Item::Path(path) => visit(path, steps),
                Item::Fresh(number) => {
                    let alloc = &self.allocs[usize::from(number)];
                    if st.is_published(number) {
                        for path in &alloc.paths {
                            visit(*path, steps);
                        }
                    }
                    if depth > 2 {
                        continue;
                    }
                    let (step, rest) = match steps {
                        [] => continue,
                        // State of a new object: its own is nobody's, what it refers to may be somebody's.
                        [Step::Any] => (Step::Any, steps),
                        [only] => (*only, &[][..]),
                        [first, rest @ ..] => (*first, rest),
                    };
                    let wanted = match step {
                        Step::Field(field) => self.engine.held_by(field),
                        _ => Holds::Anything,
                    };
                    if !st.is_overwritten(number, step) {
                        for path in &alloc.copy_of {
                            visit(path.follow(step), rest);
                        }
                    }
                    let mut inner = Value::default();
                    for &content in alloc.contents.items() {
                        if content != *item && self.engine.may_be(self, content, wanted) {
                            inner.insert(content, self.program().object());
                        }
                    }
                    self.walk(st, &inner, rest, depth + 1, visit);
                }
                _ => {}
            }
        }
    }

    /// An object that a callee reaches from something this method only reaches itself: all that is left to tell such
    /// objects apart is their type. Without this the number of lock pairs explodes.
    fn or_type_only(&self, theirs: Path, ours: Path) -> Path {
        let stays = theirs.is_root() || ours.steps() == theirs.steps() && !matches!(ours.root, Root::Unknown(_));
        match self.callee {
            Some(callee) if !stays => {
                let class = self.engine.path_class(callee, theirs).unwrap_or(self.program().object());
                Path::root(Root::Unknown(class))
            }
            _ => ours,
        }
    }

    /// Static state of another part of the platform, and objects it got hold of by itself, are its own affair.
    fn is_trusted_root(&self, root: Root) -> bool {
        match root {
            Root::Static(field) => self.trusts_static(field),
            Root::Unknown(_) => self.foreign,
            Root::Param(_) => false,
        }
    }

    /// A callee's lock here; certain when it can be only one.
    fn map_lock(&self, st: &State, lock: Lock, args: &[Value]) -> SmallVec<[(Lock, bool); 2]> {
        let path = match lock.base {
            LockBase::Path(path) => path,
            LockBase::Class(class) if self.engine.is_foreign_platform(self.class.id(), class) => {
                return SmallVec::new();
            }
            LockBase::Class(_) => return SmallVec::from_slice(&[(lock, true)]),
        };
        if let (Root::Param(at), true) = (path.root, path.is_root())
            && let Some(arg) = args.get(usize::from(at))
            && let Some(mapped) = self.lock_of(st, arg)
        {
            return SmallVec::from_slice(&[(Lock { shared: lock.shared || mapped.shared, ..mapped }, true)]);
        }
        let paths = self.map_path(st, path, args);
        let sources = match path.root {
            Root::Param(at) => args.get(usize::from(at)).map_or(0, |arg| arg.items().len()),
            _ => 1,
        };
        let certain = paths.len() == 1 && sources == 1;
        let mut locks: SmallVec<[(Lock, bool); 2]> = SmallVec::new();
        for mapped in paths {
            let base = self.or_type_only(path, mapped);
            let lock = Lock { base: LockBase::Path(base), ..lock };
            if !locks.iter().any(|(known, _)| *known == lock) {
                locks.push((lock, certain && base == mapped));
            }
        }
        locks
    }

    fn map_protection(&self, st: &State, outer: &Protection, inner: &Protection, args: &[Value]) -> Protection {
        let mut held = outer.clone();
        for (lock, section) in inner {
            for (lock, certain) in self.map_lock(st, *lock, args) {
                if certain && !held.iter().any(|(known, _)| *known == lock) {
                    let section = if self.in_loop { Section::REPEATED } else { section.within_call(self.bci) };
                    held.push((lock, section));
                }
            }
        }
        held
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
        let Some((class, method)) = self.program().method(self.key.method) else { return };
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

