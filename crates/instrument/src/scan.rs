//! Instructions to steps: which hook each instruction calls, and how the stack is arranged for it.

use raddle_classfile::{ArrayKind, Code, Handler, Insn, Kind};

use crate::drafts::{About, Hooks};
use crate::effects::Touch;
use crate::emit::{self, DUP, DUP_X2, DUP2, DUP2_X1, DUP2_X2, I2L, LCONST_0, POP, POP2};
use crate::hook::Hook;
use crate::layout::{Edits, Form};
use crate::left_alone::Reason;
use crate::refs::{Action, Call, Field, Opaque, Operands, Reflect, Refs};
use crate::site::SiteKind;
use crate::wrapper::Wrapper;

/// What is known of a method before its code is read.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Circumstances {
    /// Whether accesses to data and loops are hooked too.
    pub(crate) with_data: bool,
    pub(crate) is_constructor: bool,
    pub(crate) is_class_initializer: bool,
    /// The first local slot that the original code does not use and the wrapper does not either.
    pub(crate) free_slot: u16,
}

/// What the new code is made of.
#[derive(Debug)]
pub(crate) struct Scanned<'a> {
    pub(crate) edits: Edits<'a>,
    /// Local slots used from `Circumstances::free_slot` on.
    pub(crate) used_slots: u16,
    /// Whether the new code loads a class as a constant.
    pub(crate) loads_class: bool,
}

/// Reads the code of a method.
pub(crate) fn scan<'a>(
    code: &Code<'a>,
    handlers: &[Handler],
    wrapper: &Wrapper,
    circumstances: Circumstances,
    refs: &mut Refs<'_>,
    hooks: &mut Hooks<'_, 'a>,
) -> Result<Scanned<'a>, Reason> {
    let mut scanner = Scanner {
        circumstances,
        wrapper,
        refs,
        hooks,
        edits: Edits::default(),
        used_slots: 0,
        loads_class: false,
        is_initialized: !circumstances.is_constructor,
        open_news: 0,
    };
    let len = code.bytes().len() as u32;
    let mut starts = Starts::new(len);
    let mut pc = 0;
    while pc < len {
        let (insn, end) = code.instruction_at(pc)?;
        starts.add(pc);
        scanner.instruction(pc, end, &insn);
        pc = end;
    }
    let Scanner {
        edits,
        used_slots,
        loads_class,
        ..
    } = scanner;
    starts.check(&edits, handlers, len)?;
    Ok(Scanned {
        edits,
        used_slots,
        loads_class,
    })
}

const CONSTRUCTOR: &str = "<init>";

/// Whose state a call of code that is not interleaved touches.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Receiver {
    Object,
    Class,
    /// A constructor's object is nobody else's yet.
    None,
}

struct Scanner<'s, 'r, 'h, 'a> {
    circumstances: Circumstances,
    wrapper: &'s Wrapper,
    refs: &'s mut Refs<'r>,
    hooks: &'s mut Hooks<'h, 'a>,
    edits: Edits<'a>,
    used_slots: u16,
    loads_class: bool,
    // Whether the constructor of this class or its superclass has been called on `this`, as far as code in
    // the order of its pcs tells. Before that no hook may see `this`.
    is_initialized: bool,
    // How many objects of these two classes were created whose constructor was not called yet: a constructor
    // may create some for the arguments of the one it calls.
    open_news: u32,
}

impl<'a> Scanner<'_, '_, '_, 'a> {
    fn instruction(&mut self, pc: u32, end: u32, insn: &Insn<'a>) {
        let with_data = self.circumstances.with_data;
        match *insn {
            Insn::GetField(index) if with_data => self.read(pc, end, index),
            Insn::PutField(index) if with_data => self.write(pc, end, index),
            Insn::GetStatic(index) => {
                self.access_static(pc, end, index, (Hook::ReadStatic, SiteKind::ReadStatic));
            }
            Insn::PutStatic(index) => {
                self.access_static(pc, end, index, (Hook::WriteStatic, SiteKind::WriteStatic));
            }
            Insn::ArrayLoad(_) if with_data => {
                let hook = (Hook::ReadElement, SiteKind::ReadElement);
                self.before(pc, end, &[DUP2], hook, About::default(), 3);
            }
            Insn::ArrayStore(kind) if with_data => self.write_element(pc, end, kind),
            Insn::MonitorEnter => {
                let hook = (Hook::Enter, SiteKind::Enter);
                self.before(pc, end, &[DUP], hook, About::default(), 2);
            }
            Insn::MonitorExit => self.monitor_exit(pc, end),
            Insn::InvokeStatic(index) => match self.refs.initialising_member(index) {
                Some((class, name)) => self.initialise(pc, end, &class, &name),
                None => self.call(pc, end, index, true),
            },
            Insn::InvokeVirtual(index) => self.call(pc, end, index, false),
            // Since 18, javac names the interface by which a variable is declared where it waits on its object.
            Insn::InvokeInterface(index) if self.refs.is_of_object(index) => {
                self.call(pc, end, index, false);
            }
            Insn::InvokeSpecial(index) => {
                self.note_constructor_call(index);
                self.call(pc, end, index, false);
            }
            Insn::New(class) => {
                self.note_new(class);
                if let Some(name) = self.refs.initialising_class(class) {
                    self.initialise(pc, end, &name, CONSTRUCTOR);
                }
            }
            Insn::If(_, target)
            | Insn::IfIcmp(_, target)
            | Insn::IfAcmp(_, target)
            | Insn::IfNull(target)
            | Insn::IfNonNull(target)
            | Insn::Goto(target) => self.jump(pc, end, Form::Jump(target), target <= pc),
            Insn::Jsr(target) => self.jump(pc, end, Form::Jump(target), false),
            Insn::TableSwitch(switch) => {
                let backward = insn.branch_targets().iter().any(|&target| target <= pc);
                self.jump(pc, end, Form::TableSwitch(switch), backward);
            }
            Insn::LookupSwitch(switch) => {
                let backward = insn.branch_targets().iter().any(|&target| target <= pc);
                self.jump(pc, end, Form::LookupSwitch(switch), backward);
            }
            Insn::Return(_) if self.wrapper.has_exit() => {
                let (wrapper, hooks) = (self.wrapper, &mut *self.hooks);
                let mut leave = None;
                let lead = self.edits.span(|out| leave = Some(wrapper.leave(pc, hooks, out)));
                self.edits.push(pc, end, Form::Keep, lead).leave = leave;
            }
            _ => {}
        }
    }

    /// Puts instructions and the call of a hook before the instruction.
    fn before(
        &mut self,
        pc: u32,
        end: u32,
        prepare: &[u8],
        hook: (Hook, SiteKind),
        about: About,
        stack: u16,
    ) {
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| {
            out.extend(prepare);
            hooks.call(out, hook, pc, about, stack);
        });
        self.edits.push(pc, end, Form::Keep, lead);
    }

    fn read(&mut self, pc: u32, end: u32, index: u16) {
        if let Some(field) = self.refs.field(index) {
            // object → object, object
            let about = about_field(field);
            self.before(pc, end, &[DUP], (Hook::Read, SiteKind::Read), about, 2);
        }
    }

    fn write(&mut self, pc: u32, end: u32, index: u16) {
        let Some(field) = self.refs.field(index) else {
            return;
        };
        // Before another constructor was called, `this` may be written to but not be passed to anybody.
        if field.is_own && !self.is_initialized {
            return;
        }
        let prepare: &[u8] = if field.is_wide {
            // object, value value → value value, object, value value → value value, object → object, value
            // value, object
            &[DUP2_X1, POP2, DUP_X2]
        } else {
            // object, value → object, value, object, value → object, value, object
            &[DUP2, POP]
        };
        let about = about_field(field);
        self.before(pc, end, prepare, (Hook::Write, SiteKind::Write), about, 2);
    }

    fn access_static(&mut self, pc: u32, end: u32, index: u16, hook: (Hook, SiteKind)) {
        let in_initializer = self.circumstances.is_class_initializer;
        let with_data = self.circumstances.with_data;
        let initialised = self.refs.initialising_member(index);
        // While a class is initialized nobody else sees its fields.
        let about = match with_data.then(|| self.refs.field(index)).flatten() {
            Some(field) if !(in_initializer && field.is_own) => Some(about_field(field)),
            _ => None,
        };
        if initialised.is_none() && about.is_none() {
            return;
        }
        self.loads_class |= initialised.is_some();
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| {
            if let Some((class, name)) = initialised {
                touch(hooks, out, pc, &class, &name);
            }
            if let Some(about) = about {
                hooks.call(out, hook, pc, about, 1);
            }
        });
        self.edits.push(pc, end, Form::Keep, lead);
    }

    /// Tells that the instruction initialises a class by one of its members.
    fn initialise(&mut self, pc: u32, end: u32, class: &str, member: &str) {
        self.loads_class = true;
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| touch(hooks, out, pc, class, member));
        self.edits.push(pc, end, Form::Keep, lead);
    }

    fn write_element(&mut self, pc: u32, end: u32, kind: ArrayKind) {
        let prepare = if kind.element().slots() == 2 {
            // array, index, value value → value value, array, index, value value → value value, array, index
            // → array, index, value value, array, index
            [DUP2_X2, POP2, DUP2_X2]
        } else {
            // array, index, value → value, array, index, value → value, array, index → array, index, value,
            // array, index
            [DUP_X2, POP, DUP2_X1]
        };
        let hook = (Hook::WriteElement, SiteKind::WriteElement);
        self.before(pc, end, &prepare, hook, About::default(), 3);
    }

    fn monitor_exit(&mut self, pc: u32, end: u32) {
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| out.push(DUP));
        let tail = self.edits.span(|out| {
            let hook = (Hook::Exit, SiteKind::Exit);
            hooks.call(out, hook, pc, About::default(), 1);
        });
        self.edits.push(pc, end, Form::Keep, lead).tail = tail;
    }

    fn jump(&mut self, pc: u32, end: u32, form: Form<'a>, is_backward: bool) {
        let with_data = self.circumstances.with_data;
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| {
            if is_backward && with_data {
                let hook = (Hook::Loop, SiteKind::Loop);
                hooks.call(out, hook, pc, About::default(), 1);
            }
        });
        self.edits.push(pc, end, form, lead);
    }

    fn call(&mut self, pc: u32, end: u32, index: u16, is_static: bool) {
        let Some(call) = self.refs.call(index) else {
            return;
        };
        let is_any = matches!(call.action, Action::Opaque(_) | Action::Reflect(_));
        if (call.is_static != is_static && !is_any)
            || (call.action.is_data() && !self.circumstances.with_data)
        {
            return;
        }
        let Call { action, target, .. } = call.clone();
        let about = About {
            target: Some(target),
            volatile: None,
        };
        match action {
            Action::Announce(hook, kind) => self.before(pc, end, &[DUP], (hook, kind), about, 2),
            Action::Replace(hook, kind) => {
                let hooks = &mut *self.hooks;
                let lead = self.edits.span(|out| hooks.call(out, (hook, kind), pc, about, 1));
                self.edits.push(pc, end, Form::Drop, lead);
            }
            Action::Atomic(operands) => self.atomic(pc, end, &operands, about),
            Action::Opaque(opaque) => {
                let receiver = if is_static {
                    Receiver::Class
                } else if self.refs.is_constructor(index) {
                    Receiver::None
                } else {
                    Receiver::Object
                };
                self.opaque(pc, end, &opaque, receiver, &about);
            }
            Action::Reflect(reflect) => self.reflect(pc, end, &reflect, about),
        }
    }

    /// The arguments go to local variables and back.
    fn reflect(&mut self, pc: u32, end: u32, reflect: &Reflect, about: About) {
        let first = self.circumstances.free_slot;
        let mut slots = Vec::with_capacity(reflect.arguments.len());
        let mut next = first;
        for &kind in &reflect.arguments {
            slots.push((kind, next));
            next = next.saturating_add(kind.slots());
        }
        self.used_slots = self.used_slots.max(next - first);
        let hook = if reflect.writes {
            (Hook::Reflected, SiteKind::Write)
        } else {
            (Hook::Inspected, SiteKind::Read)
        };
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| {
            for &(kind, slot) in slots.iter().rev() {
                emit::store(out, kind, slot);
            }
            emit::load(out, Kind::Ref, first);
            hooks.call(out, hook, pc, about, 2);
            for &(kind, slot) in &slots {
                emit::load(out, kind, slot);
            }
        });
        self.edits.push(pc, end, Form::Keep, lead);
    }

    /// Tells what a call touches. The arguments go to local variables and back, if there are any on the receiver.
    fn opaque(&mut self, pc: u32, end: u32, opaque: &Opaque, receiver: Receiver, about: &About) {
        let is_touched = opaque.state != Touch::Nothing;
        let tells_object = is_touched && receiver == Receiver::Object;
        let tells_class = is_touched && receiver == Receiver::Class;
        let has_arrays = opaque.arguments.iter().any(|(_, is_array)| *is_array);
        if !tells_object && !tells_class && !has_arrays {
            return;
        }
        let first = self.circumstances.free_slot;
        let mut slots = Vec::with_capacity(opaque.arguments.len());
        let mut next = first;
        for &(kind, is_array) in &opaque.arguments {
            slots.push((kind, next, is_array));
            next = next.saturating_add(kind.slots());
        }
        if tells_object || has_arrays {
            self.used_slots = self.used_slots.max(next - first);
        } else {
            slots.clear();
        }
        let about = || About {
            target: about.target.clone(),
            volatile: None,
        };
        let writes = opaque.state == Touch::Writes;
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| {
            for &(kind, slot, _) in slots.iter().rev() {
                emit::store(out, kind, slot);
            }
            if tells_object {
                out.push(DUP);
                let hook = if writes {
                    (Hook::Called, SiteKind::Write)
                } else {
                    (Hook::Asked, SiteKind::Read)
                };
                hooks.call(out, hook, pc, about(), 2);
            }
            if tells_class {
                let hook = if writes {
                    (Hook::CalledStatic, SiteKind::WriteStatic)
                } else {
                    (Hook::AskedStatic, SiteKind::ReadStatic)
                };
                hooks.call(out, hook, pc, about(), 1);
            }
            for &(kind, slot, is_array) in &slots {
                if is_array {
                    emit::load(out, kind, slot);
                    let hook = if opaque.stores_elements {
                        (Hook::Filled, SiteKind::WriteElement)
                    } else {
                        (Hook::Passed, SiteKind::ReadElement)
                    };
                    hooks.call(out, hook, pc, about(), 2);
                }
            }
            for &(kind, slot, _) in &slots {
                emit::load(out, kind, slot);
            }
        });
        self.edits.push(pc, end, Form::Keep, lead);
    }

    /// The arguments are somewhere below the top of the stack, so they all go to local variables and back.
    fn atomic(&mut self, pc: u32, end: u32, operands: &Operands, about: About) {
        // The first free slot was checked to leave room for the arguments of a call, which are at most 255.
        let first = self.circumstances.free_slot;
        let mut slots = Vec::with_capacity(operands.kinds.len());
        let mut next = first;
        for &kind in &operands.kinds {
            slots.push((kind, next));
            next = next.saturating_add(kind.slots());
        }
        self.used_slots = self.used_slots.max(next - first);
        let hooks = &mut *self.hooks;
        let lead = self.edits.span(|out| {
            for &(kind, slot) in slots.iter().rev() {
                emit::store(out, kind, slot);
            }
            if operands.has_base {
                emit::load(out, Kind::Ref, first);
            } else {
                out.push(emit::ACONST_NULL);
            }
            match operands.offset {
                Some(Kind::Long) => emit::load(out, Kind::Long, first + 1),
                Some(_) => {
                    emit::load(out, Kind::Int, first + 1);
                    out.push(I2L);
                }
                None => out.push(LCONST_0),
            }
            // Object, two halves of the offset and the site, where there may have been no argument at all.
            hooks.call(out, (Hook::Atomic, SiteKind::Atomic), pc, about, 4);
            for &(kind, slot) in &slots {
                emit::load(out, kind, slot);
            }
        });
        self.edits.push(pc, end, Form::Keep, lead);
    }

    fn note_new(&mut self, class: u16) {
        if !self.is_initialized && self.refs.is_own_class(class) {
            self.open_news += 1;
        }
    }

    fn note_constructor_call(&mut self, method: u16) {
        if self.is_initialized || !self.refs.is_own_constructor(method) {
            return;
        }
        match self.open_news.checked_sub(1) {
            Some(rest) => self.open_news = rest,
            None => self.is_initialized = true,
        }
    }
}

fn touch(hooks: &mut Hooks<'_, '_>, out: &mut Vec<u8>, pc: u32, class: &str, member: &str) {
    hooks.push_names(out, class, member);
    hooks.call(out, (Hook::Touched, SiteKind::Enter), pc, About::default(), 3);
}

fn about_field(field: &Field) -> About {
    About {
        target: Some(field.target.clone()),
        volatile: field.volatile,
    }
}

/// The pcs at which instructions begin, one bit each.
struct Starts(Vec<u64>);

impl Starts {
    fn new(len: u32) -> Self {
        Starts(vec![0; len as usize / 64 + 1])
    }

    fn add(&mut self, pc: u32) {
        if let Some(word) = self.0.get_mut(pc as usize / 64) {
            *word |= 1 << (pc % 64);
        }
    }

    fn has(&self, pc: u32) -> bool {
        self.0
            .get(pc as usize / 64)
            .is_some_and(|word| word >> (pc % 64) & 1 != 0)
    }

    /// Between the bytes of an instruction things would be put that tear it apart.
    fn check(&self, edits: &Edits<'_>, handlers: &[Handler], len: u32) -> Result<(), Reason> {
        let check = |pc: u32| {
            if self.has(pc) {
                Ok(())
            } else {
                Err(Reason::SplitInstruction { pc })
            }
        };
        for step in &edits.steps {
            match step.form {
                Form::Keep | Form::Drop => {}
                Form::Jump(target) => check(target)?,
                Form::TableSwitch(switch) | Form::LookupSwitch(switch) => {
                    check(switch.default())?;
                    switch.targets().try_for_each(|(_, target)| check(target))?;
                }
            }
        }
        for handler in handlers {
            check(handler.start)?;
            check(handler.handler)?;
            if handler.end != len {
                check(handler.end)?;
            }
        }
        Ok(())
    }
}
