//! What is known of a field from its declaring class alone: what it may hold, whether that ever gets out.
//!
//! One linear pass over the class and its nest mates with a symbolic stack that forgets at every branch target. It only
//! has to recognise the common shapes (`this.map = new HashMap()`, `X = lookup.findVarHandle(C.class, "f", …)`); where
//! it does not, the field stays unknown, which is the safe answer.

use std::sync::{PoisonError, RwLock};

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Insn, Kind};
use raddle_program::{Class, ClassId, FieldId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::Body;
use super::construction;

/// Facts about one field.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings about one field"
)]
pub(crate) struct FieldFacts {
    /// Every store puts a new object of exactly this class there (or null).
    pub(crate) exact: Option<ClassId>,
    /// Only new objects are stored and none is ever handed out: nothing else can refer to what it holds.
    pub(crate) owned: bool,
    /// Something that others may hold too is stored there: an argument, another field, the result of an unknown call.
    pub(crate) fed: bool,
    /// What it holds is handed out: returned, stored elsewhere, passed on.
    pub(crate) leaked: bool,
    /// Stored by something other than its object's constructor, or through a handle.
    pub(crate) reassigned: bool,
    /// A `VarHandle`, updater or `Unsafe` offset for this field.
    pub(crate) handle: Option<FieldId>,
    /// A handle for array elements.
    pub(crate) element_handle: bool,
    /// The read (true) or write (false) lock of the read-write lock in another field of the same object.
    pub(crate) lock_view: Option<(FieldId, bool)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Seen {
    Other,
    Null,
    This,
    /// The result of a call that makes something: a clone, a copy.
    Made,
    New(ClassId),
    /// The value of a field of `this` or of a static field.
    Loaded(FieldId),
    ClassLiteral(ClassId),
    Text(raddle_program::Symbol),
    Handle(FieldId),
    ElementHandle,
    View(FieldId, bool),
}

/// Facts by declaring class, computed when first asked for.
#[derive(Default)]
pub(crate) struct FieldTable {
    classes: RwLock<FxHashMap<ClassId, FxHashMap<FieldId, FieldFacts>>>,
}

impl FieldTable {
    pub(crate) fn facts(&self, program: &Program, field: FieldId) -> FieldFacts {
        let owner = program.field(field).owner;
        if let Some(known) = self
            .classes
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&owner)
        {
            return known.get(&field).cloned().unwrap_or_default();
        }
        let facts = scan(program, owner);
        let answer = facts.get(&field).cloned().unwrap_or_default();
        self.classes
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(owner)
            .or_insert(facts);
        answer
    }
}

#[derive(Default)]
struct Draft {
    facts: FieldFacts,
    stores: usize,
    fresh_only: bool,
    leaked: bool,
    conflicting: bool,
}

fn scan(program: &Program, owner: ClassId) -> FxHashMap<FieldId, FieldFacts> {
    let Some(class) = program.class(owner) else {
        return FxHashMap::default();
    };
    let mut drafts: FxHashMap<FieldId, Draft> = program
        .fields_of(class)
        .into_iter()
        .map(|field| {
            (
                field,
                Draft {
                    fresh_only: true,
                    ..Draft::default()
                },
            )
        })
        .collect();
    let during = construction::methods(program, class);
    for member in construction::nest(program, class) {
        if let Some(member) = program.class(member) {
            scan_class(program, member, owner, &during, &mut drafts);
        }
    }
    drafts
        .into_iter()
        .map(|(field, draft)| {
            let confined = program
                .field(field)
                .access
                .is_some_and(|access| access.is_private() || access.is_final());
            let mut facts = draft.facts;
            if !confined || !draft.fresh_only || draft.stores == 0 {
                facts.exact = None;
            }
            if draft.conflicting {
                facts.exact = None;
                facts.handle = None;
                facts.lock_view = None;
            }
            facts.fed |= !confined;
            facts.leaked = !confined || draft.leaked;
            facts.owned = confined && draft.fresh_only && draft.stores > 0 && !draft.leaked;
            facts.reassigned |= !confined;
            (field, facts)
        })
        .collect()
}

fn scan_class(
    program: &Program,
    class: &Class,
    owner: ClassId,
    during: &FxHashSet<usize>,
    drafts: &mut FxHashMap<FieldId, Draft>,
) {
    for (at, (view, method)) in class.file().methods().zip(class.methods()).enumerate() {
        let Ok(Some(code)) = view.code() else { continue };
        let Ok(body) = Body::decode(&code) else { continue };
        let initialises = class.id() == owner && during.contains(&at);
        let replaces_this = body
            .insns
            .iter()
            .any(|(_, insn)| matches!(insn, Insn::Store(_, 0)));
        let has_this = !method.access.is_static() && !replaces_this;
        Scanner {
            program,
            class,
            drafts,
            stack: Vec::new(),
            pending: FxHashMap::default(),
            locals: FxHashMap::default(),
            initialises,
            has_this,
        }
        .run(&body);
    }
}

struct Scanner<'a, 'p> {
    program: &'p Program,
    class: &'p Class,
    drafts: &'a mut FxHashMap<FieldId, Draft>,
    stack: Vec<Seen>,
    /// Stacks at the targets of jumps that lie ahead.
    pending: FxHashMap<usize, Vec<Seen>>,
    locals: FxHashMap<u16, Seen>,
    initialises: bool,
    /// Local variable 0 is `this` throughout.
    has_this: bool,
}

impl Scanner<'_, '_> {
    fn run(&mut self, body: &Body<'_>) {
        for (index, (_, insn)) in body.insns.iter().enumerate() {
            if index > 0 && body.is_leader(index) {
                self.join(body, index);
            }
            self.step(insn);
            for to in body.successors(index) {
                if to > index + 1 || (to == index + 1 && !insn.falls_through()) {
                    self.jump(to);
                }
            }
        }
    }

    /// What is on the stack at a jump is there at its target, if every way to the target agrees.
    fn jump(&mut self, to: usize) {
        self.spill();
        match self.pending.get_mut(&to) {
            Some(known) => agree(known, &self.stack),
            None => {
                self.pending.insert(to, self.stack.clone());
            }
        }
    }

    /// Where ways meet, locals may differ by way and are forgotten; of the stack stays what all ways agree on. Jumps
    /// backward are not looked at: the stack is empty there in what compilers write.
    fn join(&mut self, body: &Body<'_>, index: usize) {
        self.locals.clear();
        self.spill();
        let falls_in = body.insns[index - 1].1.falls_through();
        let handler = body.handlers.iter().any(|h| body.index(h.handler) == Some(index));
        match self.pending.remove(&index) {
            _ if handler => self.stack.clear(),
            Some(jumped) if falls_in => agree(&mut self.stack, &jumped),
            Some(jumped) => self.stack = jumped,
            None if falls_in => {}
            None => self.stack.clear(),
        }
    }

    /// Nothing but `this` is followed from one block into the next.
    fn spill(&mut self) {
        for slot in &mut self.stack {
            if let Seen::Loaded(field) = *slot {
                leak(self.drafts, field);
            }
            if *slot != Seen::This {
                *slot = Seen::Other;
            }
        }
    }

    fn pop(&mut self) -> Seen {
        self.stack.pop().unwrap_or(Seen::Other)
    }

    fn pop_many(&mut self, count: usize) {
        for _ in 0..count {
            self.pop();
        }
    }

    fn push(&mut self, seen: Seen, slots: u16) {
        self.stack.push(seen);
        if slots == 2 {
            self.stack.push(Seen::Other);
        }
    }

    /// A value goes somewhere it can be found again.
    fn escape(&mut self, seen: Seen) {
        if let Seen::Loaded(field) = seen {
            leak(self.drafts, field);
        }
    }

    fn step(&mut self, insn: &Insn<'_>) {
        let pool = self.class.file().pool();
        match insn {
            Insn::ConstNull => self.push(Seen::Null, 1),
            Insn::ConstInt(_) | Insn::ConstFloat(_) => self.push(Seen::Other, 1),
            Insn::ConstLong(_) | Insn::ConstDouble(_) | Insn::Ldc2(_) => self.push(Seen::Other, 2),
            Insn::Ldc(index) => {
                let seen = match pool.constant(*index) {
                    Ok(raddle_classfile::Constant::Class(name)) => {
                        Seen::ClassLiteral(self.program.class_id(&name))
                    }
                    Ok(raddle_classfile::Constant::String(text)) => Seen::Text(self.program.symbol(&text)),
                    _ => Seen::Other,
                };
                self.push(seen, 1);
            }
            Insn::Load(Kind::Ref, 0) if self.has_this => self.push(Seen::This, 1),
            Insn::Load(kind, slot) => {
                let seen = self.locals.get(slot).copied().unwrap_or(Seen::Other);
                self.push(seen, kind.slots());
            }
            Insn::Store(kind, slot) => {
                if kind.slots() == 2 {
                    self.pop();
                }
                let seen = self.pop();
                self.locals.insert(*slot, seen);
            }
            Insn::GetField(index) | Insn::GetStatic(index) => self.load_field(*index, insn),
            Insn::PutField(index) | Insn::PutStatic(index) => self.store_field(*index, insn),
            Insn::New(index) => {
                let seen = pool
                    .class_name(*index)
                    .map_or(Seen::Other, |name| Seen::New(self.program.class_id(&name)));
                self.push(seen, 1);
            }
            Insn::ANewArray(_) | Insn::NewArray(_) => {
                self.pop();
                self.push(Seen::New(self.program.object()), 1);
            }
            Insn::MultiANewArray(_, dimensions) => {
                self.pop_many(usize::from(*dimensions));
                self.push(Seen::New(self.program.object()), 1);
            }
            Insn::InvokeVirtual(_)
            | Insn::InvokeSpecial(_)
            | Insn::InvokeStatic(_)
            | Insn::InvokeInterface(_)
            | Insn::InvokeDynamic(_) => self.invoke(insn),
            Insn::ArrayStore(kind) => {
                if kind.element().slots() == 2 {
                    self.pop();
                }
                let value = self.pop();
                self.escape(value);
                self.pop_many(2);
            }
            Insn::ArrayLoad(kind) => {
                self.pop_many(2);
                self.push(Seen::Other, kind.element().slots());
            }
            Insn::Return(kind) => {
                if *kind == Some(Kind::Ref) {
                    let value = self.pop();
                    self.escape(value);
                }
                self.stack.clear();
            }
            Insn::AThrow => self.stack.clear(),
            Insn::CheckCast(_) | Insn::Nop | Insn::Iinc(..) | Insn::Goto(_) | Insn::Ret(_) => {}
            _ => self.shuffle(insn),
        }
    }

    fn shuffle(&mut self, insn: &Insn<'_>) {
        match insn {
            Insn::Dup => {
                let top = self.pop();
                self.stack.extend([top, top]);
            }
            Insn::DupX1 => {
                let (top, below) = (self.pop(), self.pop());
                self.stack.extend([top, below, top]);
            }
            Insn::DupX2 => {
                let (a, b, c) = (self.pop(), self.pop(), self.pop());
                self.stack.extend([a, c, b, a]);
            }
            Insn::Dup2 => {
                let (a, b) = (self.pop(), self.pop());
                self.stack.extend([b, a, b, a]);
            }
            Insn::Dup2X1 => {
                let (a, b, c) = (self.pop(), self.pop(), self.pop());
                self.stack.extend([b, a, c, b, a]);
            }
            Insn::Dup2X2 => {
                let (a, b, c, d) = (self.pop(), self.pop(), self.pop(), self.pop());
                self.stack.extend([b, a, d, c, b, a]);
            }
            Insn::Swap => {
                let (a, b) = (self.pop(), self.pop());
                self.stack.extend([a, b]);
            }
            other => {
                let (pops, pushes) = super::stack_effects::stack_effect(other);
                self.pop_many(pops);
                for _ in 0..pushes {
                    self.stack.push(Seen::Other);
                }
            }
        }
    }

    fn field_ref(&self, index: u16) -> Option<(FieldId, u16)> {
        let member = self.class.file().pool().member_ref(index).ok()?;
        let slots = FieldType::parse(&member.descriptor).ok()?.slots();
        let class = self.program.class_id(&member.class);
        let name = self.program.symbol(&member.name);
        let descriptor = self.program.symbol(&member.descriptor);
        Some((self.program.resolve_field(class, name, descriptor), slots))
    }

    fn load_field(&mut self, index: u16, insn: &Insn<'_>) {
        if matches!(insn, Insn::GetField(_)) {
            self.pop();
        }
        match self.field_ref(index) {
            Some((field, slots)) => {
                let seen = if self.drafts.contains_key(&field) {
                    Seen::Loaded(field)
                } else {
                    Seen::Other
                };
                self.push(seen, slots);
            }
            None => self.push(Seen::Other, 1),
        }
    }

    fn store_field(&mut self, index: u16, insn: &Insn<'_>) {
        let Some((field, slots)) = self.field_ref(index) else {
            self.pop_many(2);
            return;
        };
        if slots == 2 {
            self.pop();
        }
        let value = self.pop();
        let own = matches!(insn, Insn::PutStatic(_)) || self.pop() == Seen::This;
        self.escape(value);
        let initialises = self.initialises && own;
        let Some(draft) = self.drafts.get_mut(&field) else {
            return;
        };
        draft.facts.reassigned |= !initialises;
        let mut handled = None;
        match value {
            Seen::Null => {}
            Seen::New(class) => {
                draft.stores += 1;
                draft.conflicting |= draft.facts.exact.is_some_and(|known| known != class);
                draft.facts.exact = Some(class);
            }
            Seen::Handle(target) => {
                handled = Some(target);
                draft.fresh_only = false;
                draft.conflicting |= draft.facts.handle.is_some_and(|known| known != target);
                draft.facts.handle = Some(target);
            }
            Seen::ElementHandle => {
                draft.fresh_only = false;
                draft.facts.element_handle = true;
            }
            Seen::View(lock, shared) => {
                draft.fresh_only = false;
                draft.stores += 1;
                draft.conflicting |= draft.stores > 1;
                draft.facts.lock_view = Some((lock, shared));
            }
            Seen::Made => {
                draft.fresh_only = false;
                draft.stores += 1;
            }
            _ => {
                draft.fresh_only = false;
                draft.facts.fed = true;
            }
        }
        if let Some(target) = handled.and_then(|target| self.drafts.get_mut(&target)) {
            target.facts.reassigned = true;
        }
    }

    fn invoke(&mut self, insn: &Insn<'_>) {
        let pool = self.class.file().pool();
        let (class, name, descriptor, has_receiver) = match insn {
            Insn::InvokeDynamic(index) => match pool.invoke_dynamic(*index) {
                Ok(call) => (None, call.name, call.descriptor, false),
                Err(_) => return self.stack.clear(),
            },
            Insn::InvokeVirtual(index)
            | Insn::InvokeSpecial(index)
            | Insn::InvokeStatic(index)
            | Insn::InvokeInterface(index) => match pool.member_ref(*index) {
                Ok(member) => (
                    Some(member.class),
                    member.name,
                    member.descriptor,
                    !matches!(insn, Insn::InvokeStatic(_)),
                ),
                Err(_) => return self.stack.clear(),
            },
            _ => return,
        };
        let Ok(types) = MethodType::parse(&descriptor) else {
            return self.stack.clear();
        };
        let mut arguments = Vec::with_capacity(types.parameters.len());
        for parameter in types.parameters.iter().rev() {
            if parameter.slots() == 2 {
                self.pop();
            }
            let argument = self.pop();
            self.escape(argument);
            arguments.push(argument);
        }
        arguments.reverse();
        let receiver = if has_receiver { self.pop() } else { Seen::Other };
        let result = class.map_or(Seen::Other, |class| {
            self.result(&class, &name, receiver, &arguments)
        });
        if let Some(kind) = &types.result {
            self.push(result, kind.slots());
        }
    }

    fn result(&self, class: &str, name: &str, receiver: Seen, arguments: &[Seen]) -> Seen {
        let literal = |at: usize| match arguments.get(at) {
            Some(Seen::ClassLiteral(class)) => Some(*class),
            _ => None,
        };
        let text = |at: usize| match arguments.get(at) {
            Some(Seen::Text(text)) => Some(*text),
            _ => None,
        };
        match name {
            "readLock" | "writeLock" if class.ends_with("ReadWriteLock") => match receiver {
                Seen::Loaded(field) => Seen::View(field, name == "readLock"),
                _ => Seen::Other,
            },
            "arrayElementVarHandle" => Seen::ElementHandle,
            "findVarHandle"
            | "findStaticVarHandle"
            | "objectFieldOffset"
            | "staticFieldOffset"
            | "newUpdater" => {
                let class = literal(0);
                let field = arguments.iter().enumerate().find_map(|(at, _)| text(at));
                match (class, field) {
                    (Some(class), Some(field)) => {
                        self.field_named(class, field).map_or(Seen::Other, Seen::Handle)
                    }
                    _ => Seen::Other,
                }
            }
            _ if ["clone", "copy", "create", "new", "build"]
                .iter()
                .any(|maker| name.starts_with(maker)) =>
            {
                Seen::Made
            }
            _ => Seen::Other,
        }
    }

    fn field_named(&self, class: ClassId, name: raddle_program::Symbol) -> Option<FieldId> {
        let class = self.program.class(class)?;
        self.program
            .fields_of(class)
            .into_iter()
            .find(|field| self.program.field(*field).name == name)
    }
}

fn leak(drafts: &mut FxHashMap<FieldId, Draft>, field: FieldId) {
    if let Some(draft) = drafts.get_mut(&field) {
        draft.leaked = true;
    }
}

/// Keeps what two stacks have in common.
fn agree(stack: &mut Vec<Seen>, other: &[Seen]) {
    stack.truncate(other.len());
    for (mine, theirs) in stack.iter_mut().zip(other) {
        if mine != theirs {
            *mine = Seen::Other;
        }
    }
}
