//! Methods that look through things which their class holds and change nothing: they count, search or copy what a concurrent
//! collection has. What such a walk may miss, the method's answer misses too.

use raddle_classfile::{Code, Insn, MemberRef};
use raddle_program::{Class, ClassId, Program};

use super::delegate::{Handed, read_class, with_code};

/// How methods are called that take something away while they walk.
const REMOVE: &str = "remove";

/// The one call that a method makes on a thread-safe object which a field of the class holds; none if it may do more than look.
/// A store, a lock or a call of another method of the class is more than that, and so is a second such call: what it does may
/// depend on the answer to the first.
pub(super) fn look(
    program: &Program,
    class: ClassId,
    name: &str,
    descriptor: &str,
    is_safe: &dyn Fn(ClassId) -> bool,
) -> Option<Handed> {
    let method = program.select_method(class, program.symbol(name), program.symbol(descriptor))?;
    let (owner, declared) = program.method(method)?;
    let is_void = descriptor.ends_with(")V");
    if declared.access.is_synchronized() || is_void || owner.is_platform() {
        return None;
    }
    with_code(owner, method, |code| {
        look_of(program, class, owner, code, is_safe)
    })?
}

fn look_of(
    program: &Program,
    class: ClassId,
    owner: &Class,
    code: &Code<'_>,
    is_safe: &dyn Fn(ClassId) -> bool,
) -> Option<Handed> {
    let pool = owner.file().pool();
    let mut look = None;
    // What was read from a field last: the receiver of the next call that fits.
    let mut held: Option<ClassId> = None;
    for insn in code.instructions() {
        match insn.ok()?.1 {
            Insn::PutField(_) | Insn::PutStatic(_) | Insn::ArrayStore(_) | Insn::MonitorEnter => return None,
            Insn::GetField(index) => {
                let field = pool.member_ref(index).ok()?;
                let read = read_class(program, owner, &field);
                held = read.filter(|read| is_safe(*read)).or(held);
            }
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
                let target = pool.member_ref(index).ok()?;
                let of = program.class_id(&target.class);
                let on_field = held.filter(|held| program.is_subtype(*held, of) == Some(true));
                if let Some(class) = on_field {
                    held = None;
                    let call = Handed {
                        class,
                        name: target.name.into_owned(),
                        descriptor: target.descriptor.into_owned(),
                    };
                    if look.replace(call).is_some() {
                        return None;
                    }
                } else if is_own(program, class, &target) || target.name.starts_with(REMOVE) {
                    return None;
                }
            }
            Insn::InvokeSpecial(index) | Insn::InvokeStatic(index) => {
                let target = pool.member_ref(index).ok()?;
                if target.name != "<init>" && is_own(program, class, &target) {
                    return None;
                }
            }
            _ => {}
        }
    }
    look
}

/// Whether a method is one of the class itself.
fn is_own(program: &Program, class: ClassId, target: &MemberRef<'_>) -> bool {
    let of = program.class_id(&target.class);
    of != program.object() && program.is_subtype(class, of) == Some(true)
}
