//! Methods that only hand a call on, so that what is documented of the method they call holds for them.
//!
//! A body hands on if it is straight: it loads, reads fields, calls one method, converts, returns. One store, one branch
//! or a second call may be a check-then-act, which no sentence about the single call excuses.

use raddle_classfile::{Code, Insn, MemberRef};
use raddle_program::{Class, ClassId, MethodId, Program};

/// A method that is called in place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handed {
    /// Of the object that the call is handed on to, as exactly as it is known.
    pub(crate) class: ClassId,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

/// The one call that a method of the class consists of.
pub(crate) fn handed_on(program: &Program, class: ClassId, name: &str, descriptor: &str) -> Option<Handed> {
    let method = program.select_method(class, program.symbol(name), program.symbol(descriptor))?;
    let (owner, declared) = program.method(method)?;
    // A lock that is held during the call makes more of it than it is alone.
    if declared.access.is_synchronized() {
        return None;
    }
    with_code(owner, method, |code| only_call(program, class, owner, code))?
}

pub(super) fn with_code<T>(owner: &Class, method: MethodId, look: impl FnOnce(&Code<'_>) -> T) -> Option<T> {
    let view = owner.file().methods().nth(usize::from(method.index))?;
    let code = view.code().ok()??;
    Some(look(&code))
}

fn only_call(program: &Program, class: ClassId, owner: &Class, code: &Code<'_>) -> Option<Handed> {
    let pool = owner.file().pool();
    let mut call: Option<Handed> = None;
    // The class of what was last read from a field, for the receiver that is below the arguments.
    let mut held: Option<ClassId> = None;
    for insn in code.instructions() {
        match insn.ok()?.1 {
            Insn::Nop
            | Insn::ConstNull
            | Insn::ConstInt(_)
            | Insn::ConstLong(_)
            | Insn::ConstFloat(_)
            | Insn::ConstDouble(_)
            | Insn::Ldc(_)
            | Insn::Ldc2(_)
            | Insn::Load(..)
            | Insn::Pop
            | Insn::Pop2
            | Insn::Convert(..)
            | Insn::CheckCast(_)
            | Insn::Return(_) => {}
            Insn::GetField(index) => {
                let field = pool.member_ref(index).ok()?;
                held = held.or_else(|| read_class(program, owner, &field));
            }
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) | Insn::InvokeStatic(index) => {
                let target = pool.member_ref(index).ok()?;
                if is_conversion(program, &target) {
                    continue;
                }
                let of = program.class_id(&target.class);
                if let Some(Read(read)) = getter(program, class, of, &target) {
                    held = held.or(read);
                    continue;
                }
                if call.is_some() {
                    return None;
                }
                let exact = held.filter(|held| program.is_subtype(*held, of) == Some(true));
                call = Some(Handed {
                    class: exact.unwrap_or(of),
                    name: target.name.into_owned(),
                    descriptor: target.descriptor.into_owned(),
                });
            }
            _ => return None,
        }
    }
    call
}

/// The class of the only objects that a field is ever set to, if each of them is made where it is set.
fn held_class(program: &Program, owner: &Class, name: &str) -> Option<ClassId> {
    let declared = owner.file().fields().find(|view| view.name() == name)?;
    // Of a field that others can set, only some of the places are here.
    if !declared.access().is_private() && !declared.access().is_final() {
        return None;
    }
    let pool = owner.file().pool();
    let mut found: Option<String> = None;
    for method in owner.file().methods() {
        let Ok(Some(code)) = method.code() else { continue };
        let mut made: Option<String> = None;
        for insn in code.instructions() {
            let (_, insn) = insn.ok()?;
            match insn {
                Insn::InvokeSpecial(index) => {
                    let target = pool.member_ref(index).ok()?;
                    made = (target.name == "<init>").then(|| target.class.into_owned());
                }
                Insn::PutField(index) if pool.member_ref(index).ok()?.name == name => {
                    let made = made.take()?;
                    if found.as_ref().is_some_and(|found| *found != made) {
                        return None;
                    }
                    found = Some(made);
                }
                _ => made = None,
            }
        }
    }
    found.map(|name| program.class_id(&name))
}

/// The class of what a field holds: of the objects that are made for it, or else its type.
pub(crate) fn field_class(program: &Program, owner: &Class, name: &str, descriptor: &str) -> Option<ClassId> {
    let declared = descriptor.strip_prefix('L')?.strip_suffix(';')?;
    Some(held_class(program, owner, name).unwrap_or_else(|| program.class_id(declared)))
}

/// Boxing and unboxing, by their shapes: a box is a class that makes itself of the primitive that it gives.
fn is_conversion(program: &Program, target: &MemberRef<'_>) -> bool {
    let descriptor = &*target.descriptor;
    let Some((parameters, result)) = descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')'))
    else {
        return false;
    };
    let primitive = match (parameters, result) {
        ("", given) if target.name.ends_with("Value") => given,
        (taken, _) if target.name == BOXING => taken,
        _ => return false,
    };
    let boxing = format!("({primitive})L{};", target.class);
    let class = program.class(program.class_id(&target.class));
    let makes = class.and_then(|class| class.method(program.symbol(BOXING), program.symbol(&boxing)));
    primitive.len() == 1 && makes.is_some()
}

/// What compilers call to make a box.
const BOXING: &str = "valueOf";

/// The class of what was read, as far as it is known.
struct Read(Option<ClassId>);

/// What a call on the object itself reads, if it does no more than read a field, as forwarding classes find what they
/// forward to.
fn getter(program: &Program, class: ClassId, of: ClassId, target: &MemberRef<'_>) -> Option<Read> {
    let is_own = program.is_subtype(class, of) == Some(true) && target.descriptor.starts_with("()L");
    if !is_own {
        return None;
    }
    let (name, descriptor) = (program.symbol(&target.name), program.symbol(&target.descriptor));
    let method = program.select_method(class, name, descriptor)?;
    let (owner, _) = program.method(method)?;
    with_code(owner, method, |code| {
        let mut read = None;
        for insn in code.instructions() {
            match insn.ok()?.1 {
                Insn::Load(..) | Insn::CheckCast(_) | Insn::Return(_) => {}
                Insn::GetField(index) => {
                    let field = owner.file().pool().member_ref(index).ok()?;
                    read = Some(Read(read_class(program, owner, &field)));
                }
                _ => return None,
            }
        }
        read
    })?
}

/// The class of the objects that a field of the class holds, if it is its own and that is known.
pub(super) fn read_class(program: &Program, owner: &Class, field: &MemberRef<'_>) -> Option<ClassId> {
    let is_own = field.class == program.internal_name(owner.id());
    if is_own {
        held_class(program, owner, &field.name)
    } else {
        None
    }
}
