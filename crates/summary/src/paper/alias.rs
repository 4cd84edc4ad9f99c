//! DepCon+ section 5.1: path-insensitive may-alias analysis on the JVM stack.
//!
//! The paper looks back from an instruction to find what its operand aliases, ignoring branches. One forward pass over
//! the instructions in linear order, with a symbolic stack and symbolic local variables, finds the same single alias:
//! the last assignment before the instruction wins. Where the stack of the instruction before says nothing (behind a
//! jump, a return or a throw) it is the stack of the nearest earlier branch to that point; a handler starts with one
//! unknown value.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{ClassFileError, Code, Constant, Insn, Kind, Pool};
use raddle_program::{Class, FieldId, Method, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::body::{Call, Event, Op};
use super::callee;
use super::monitor::Monitors;
use super::path::{Path, Root, Step, Value};

/// Stack values remembered for branch targets in one method; hostile code could ask for billions.
const MAX_REMEMBERED: usize = 1 << 16;

/// The pass over one method.
pub(super) struct Scan<'a> {
    program: &'a Program,
    pool: Pool<'a>,
    stack: Vec<Value>,
    locals: Vec<Value>,
    remembered: FxHashMap<u32, Vec<Value>>,
    remembered_values: usize,
    monitors: Monitors,
    events: Vec<Event>,
}

impl<'a> Scan<'a> {
    /// The sequence of a method's instructions.
    pub(super) fn run(
        program: &'a Program,
        class: &'a Class,
        method: &Method,
        code: &Code<'a>,
    ) -> Result<Vec<Event>, ClassFileError> {
        let mut scan = Scan {
            program,
            pool: class.file().pool(),
            stack: Vec::new(),
            locals: arguments(program, method)?,
            remembered: FxHashMap::default(),
            remembered_values: 0,
            monitors: Monitors::default(),
            events: Vec::new(),
        };
        let handlers: FxHashSet<u32> = code
            .exception_table()
            .iter()
            .map(|handler| handler.handler)
            .collect();
        let mut before: [Option<Insn<'a>>; 2] = [None, None];
        let mut end = 0;
        for decoded in code.instructions() {
            let (pc, insn) = decoded?;
            end = pc;
            if before[1].as_ref().is_some_and(|insn| !insn.falls_through()) {
                scan.restart(pc, handlers.contains(&pc));
            }
            match insn {
                Insn::MonitorEnter => scan.monitor_enter(pc, &before),
                Insn::MonitorExit => scan.monitor_exit(pc, &before),
                _ => scan.step(pc, &insn)?,
            }
            scan.remember(&insn);
            before = [before[1].take(), Some(insn)];
        }
        let Scan {
            monitors, mut events, ..
        } = scan;
        monitors.settle(&mut events, end);
        Ok(events)
    }

    fn restart(&mut self, pc: u32, handler: bool) {
        self.stack = self.remembered.get(&pc).cloned().unwrap_or_default();
        if handler {
            self.stack = vec![None];
        }
    }

    /// Keeps the stack for the points that the instruction may jump to.
    fn remember(&mut self, insn: &Insn<'a>) {
        let is_jsr = matches!(insn, Insn::Jsr(_));
        if self.stack.is_empty() && !is_jsr {
            return;
        }
        for target in insn.branch_targets() {
            self.remembered_values += self.stack.len() + 1;
            if self.remembered_values > MAX_REMEMBERED {
                return;
            }
            let mut stack = self.stack.clone();
            if is_jsr {
                stack.push(None);
            }
            self.remembered.insert(target, stack);
        }
    }

    fn push(&mut self, kind: Kind, value: Value) {
        self.stack.push(value);
        if kind.slots() == 2 {
            self.stack.push(None);
        }
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().flatten()
    }

    fn pop_kind(&mut self, kind: Kind) -> Value {
        if kind.slots() == 2 {
            self.pop();
        }
        self.pop()
    }

    /// Copies the top `count` slots below the `below` slots under them.
    fn duplicate(&mut self, count: usize, below: usize) {
        while self.stack.len() < count + below {
            self.stack.insert(0, None);
        }
        let top = self.stack.len() - count;
        let copied: SmallVec<[Value; 2]> = self.stack.iter().skip(top).copied().collect();
        let at = top - below;
        self.stack.splice(at..at, copied);
    }

    fn store(&mut self, slot: u16, kind: Kind, value: Value) {
        let needed = usize::from(slot) + usize::from(kind.slots());
        if self.locals.len() < needed {
            self.locals.resize(needed, None);
        }
        for local in self.locals.iter_mut().take(needed).skip(usize::from(slot)) {
            *local = None;
        }
        if let Some(local) = self.locals.get_mut(usize::from(slot)) {
            *local = value;
        }
    }

    fn local(&self, slot: u16) -> Value {
        self.locals.get(usize::from(slot)).copied().flatten()
    }

    fn emit(&mut self, pc: u32, op: Op) {
        self.events.push(Event { pc, op });
    }

    /// A field access and the type of the field's value.
    fn field(&self, index: u16) -> Result<(FieldId, Kind), ClassFileError> {
        let member = self.pool.member_ref(index)?;
        let kind = FieldType::parse(&member.descriptor)?.kind();
        let class = self.program.class_id(&member.class);
        let name = self.program.symbol(&member.name);
        let descriptor = self.program.symbol(&member.descriptor);
        Ok((self.program.resolve_field(class, name, descriptor), kind))
    }

    fn step(&mut self, pc: u32, insn: &Insn<'a>) -> Result<(), ClassFileError> {
        match *insn {
            Insn::ConstNull | Insn::ConstInt(_) | Insn::ConstFloat(_) | Insn::New(_) => self.stack.push(None),
            Insn::ConstLong(_) | Insn::ConstDouble(_) | Insn::Ldc2(_) => self.push(Kind::Long, None),
            Insn::Ldc(index) => {
                let value = match self.pool.constant(index)? {
                    Constant::Class(name) => Some(Path::new(Root::Class(self.program.class_id(&name)))),
                    _ => None,
                };
                self.stack.push(value);
            }
            Insn::Load(kind, slot) => self.push(kind, self.local(slot)),
            Insn::Store(kind, slot) => {
                let value = self.pop_kind(kind);
                self.store(slot, kind, value);
            }
            Insn::ArrayLoad(kind) => {
                self.pop();
                let element = self.pop().map(|array| array.then(Step::Element));
                if let Some(element) = element {
                    self.emit(pc, Op::Read(element));
                }
                let kind = kind.element();
                self.push(kind, element.filter(|_| kind == Kind::Ref));
            }
            Insn::ArrayStore(kind) => {
                self.pop_kind(kind.element());
                self.pop();
                if let Some(array) = self.pop() {
                    self.emit(pc, Op::Write(array.then(Step::Element)));
                }
            }
            Insn::GetStatic(index) => {
                let (field, kind) = self.field(index)?;
                let location = Path::new(Root::Static(field));
                self.emit(pc, Op::Read(location));
                self.push(kind, Some(location).filter(|_| kind == Kind::Ref));
            }
            Insn::PutStatic(index) => {
                let (field, kind) = self.field(index)?;
                self.pop_kind(kind);
                self.emit(pc, Op::Write(Path::new(Root::Static(field))));
            }
            Insn::GetField(index) => {
                let (field, kind) = self.field(index)?;
                let location = self.pop().map(|object| object.then(Step::Field(field)));
                if let Some(location) = location {
                    self.emit(pc, Op::Read(location));
                }
                self.push(kind, location.filter(|_| kind == Kind::Ref));
            }
            Insn::PutField(index) => {
                let (field, kind) = self.field(index)?;
                self.pop_kind(kind);
                if let Some(object) = self.pop() {
                    self.emit(pc, Op::Write(object.then(Step::Field(field))));
                }
            }
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
                self.invoke(pc, index, true, true)?;
            }
            Insn::InvokeSpecial(index) => self.invoke(pc, index, true, false)?,
            Insn::InvokeStatic(index) => self.invoke(pc, index, false, false)?,
            Insn::InvokeDynamic(index) => {
                let site = self.pool.invoke_dynamic(index)?;
                let types = MethodType::parse(&site.descriptor)?;
                self.pop_arguments(&types, false);
                self.push_result(&types);
            }
            _ => self.shuffle(insn),
        }
        Ok(())
    }

    /// Instructions that only move or combine values; what is not listed leaves the stack as it is, or ends there.
    fn shuffle(&mut self, insn: &Insn<'a>) {
        match *insn {
            Insn::Pop
            | Insn::If(..)
            | Insn::IfNull(_)
            | Insn::IfNonNull(_)
            | Insn::TableSwitch(_)
            | Insn::LookupSwitch(_)
            | Insn::AThrow => {
                self.pop();
            }
            Insn::Pop2 | Insn::IfIcmp(..) | Insn::IfAcmp(..) => {
                self.pop();
                self.pop();
            }
            Insn::Dup => self.duplicate(1, 0),
            Insn::DupX1 => self.duplicate(1, 1),
            Insn::DupX2 => self.duplicate(1, 2),
            Insn::Dup2 => self.duplicate(2, 0),
            Insn::Dup2X1 => self.duplicate(2, 1),
            Insn::Dup2X2 => self.duplicate(2, 2),
            Insn::Swap => {
                let (first, second) = (self.pop(), self.pop());
                self.stack.extend([first, second]);
            }
            Insn::Arith(kind, op) => {
                use raddle_classfile::ArithOp::{Shl, Shr, Ushr};
                self.pop_kind(if matches!(op, Shl | Shr | Ushr) {
                    Kind::Int
                } else {
                    kind
                });
                self.pop_kind(kind);
                self.push(kind, None);
            }
            Insn::Convert(from, to) => {
                self.pop_kind(from);
                self.push(to.kind(), None);
            }
            Insn::Compare(kind) => {
                self.pop_kind(kind);
                self.pop_kind(kind);
                self.stack.push(None);
            }
            Insn::NewArray(_) | Insn::ANewArray(_) | Insn::ArrayLength | Insn::InstanceOf(_) => {
                self.pop();
                self.stack.push(None);
            }
            Insn::MultiANewArray(_, dimensions) => {
                for _ in 0..dimensions {
                    self.pop();
                }
                self.stack.push(None);
            }
            _ => {}
        }
    }

    fn pop_arguments(&mut self, types: &MethodType<'_>, receiver: bool) -> SmallVec<[Value; 4]> {
        let mut arguments: SmallVec<[Value; 4]> = types
            .parameters
            .iter()
            .rev()
            .map(|parameter| self.pop_kind(parameter.kind()))
            .collect();
        if receiver {
            arguments.push(self.pop());
        }
        arguments.reverse();
        arguments
    }

    fn push_result(&mut self, types: &MethodType<'_>) {
        if let Some(result) = &types.result {
            self.push(result.kind(), None);
        }
    }

    fn invoke(
        &mut self,
        pc: u32,
        index: u16,
        receiver: bool,
        is_virtual: bool,
    ) -> Result<(), ClassFileError> {
        let member = self.pool.member_ref(index)?;
        let types = MethodType::parse(&member.descriptor)?;
        let arguments = self.pop_arguments(&types, receiver);
        self.push_result(&types);
        if member.class == "java/lang/System" && member.name == "arraycopy" {
            if let Some(destination) = arguments.get(2).copied().flatten() {
                self.emit(pc, Op::Write(destination.then(Step::Element)));
            }
            return Ok(());
        }
        let target = callee::resolve(self.program, &member, &types);
        self.emit(
            pc,
            Op::Invoke(Box::new(Call {
                target,
                is_virtual,
                arguments,
            })),
        );
        Ok(())
    }

    fn monitor_enter(&mut self, pc: u32, before: &[Option<Insn<'a>>; 2]) {
        let lock = self.pop();
        let slot = match before {
            [Some(Insn::Dup), Some(Insn::Store(Kind::Ref, slot))]
            | [_, Some(Insn::Load(Kind::Ref, slot))] => Some(*slot),
            _ => None,
        };
        self.monitors.enter(slot, lock);
        self.emit(pc, Op::Acquire(lock));
    }

    fn monitor_exit(&mut self, pc: u32, before: &[Option<Insn<'a>>; 2]) {
        let operand = self.pop();
        let slot = match before {
            [_, Some(Insn::Load(Kind::Ref, slot))] => Some(*slot),
            _ => None,
        };
        let lock = self.monitors.exit(slot, operand, self.events.len());
        self.emit(pc, Op::Release(lock));
    }
}

/// The local variables when the method starts.
fn arguments(program: &Program, method: &Method) -> Result<Vec<Value>, ClassFileError> {
    let types = MethodType::parse(program.text(method.descriptor))?;
    let mut locals = Vec::new();
    let mut position = 0;
    if !method.access.is_static() {
        locals.push(Some(Path::new(Root::This)));
        position = 1;
    }
    for parameter in &types.parameters {
        let kind = parameter.kind();
        locals.push((kind == Kind::Ref).then(|| Path::new(Root::Param(position))));
        if kind.slots() == 2 {
            locals.push(None);
        }
        position += 1;
    }
    Ok(locals)
}
