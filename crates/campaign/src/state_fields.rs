//! Whether a field says in which state something is: whoever sets it sets it to a constant, as `status = STARTING`. A number that is
//! counted up and down is none.

use raddle_classfile::Insn;
use raddle_plan::FieldRef;
use raddle_program::{Class, Program};

/// Whether all stores of a field in its class, and in those between that and the one that was seen to use it, are of constants, and
/// some method tells one of them from the others: `return status == STARTING`. A number that is set to 0 and back is asked for
/// as it is.
pub(crate) fn is_state(program: &Program, field: &FieldRef) -> bool {
    let owner = program.class_id(&field.owner.replace('.', "/"));
    let name = program.symbol(&field.name);
    let declaring = program.ancestry(owner).find(|class| {
        let mut fields = class.fields().iter();
        fields.any(|one| one.name == name && program.text(one.descriptor) == &*field.descriptor)
    });
    let Some(declaring) = declaring else {
        return false;
    };
    // The class that was seen to use it may be one below.
    let classes = program
        .ancestry(owner)
        .take_while(|class| class.id() != declaring.id())
        .chain([declaring]);
    let (mut stores, mut is_told) = (0, false);
    for class in classes {
        match constant_stores(class, &field.name) {
            Some(found) => stores += found,
            None => return false,
        }
        is_told |= is_compared(class, &field.name);
    }
    stores > 1 && is_told
}

/// Whether a class compares a field of this name with a constant other than 0.
fn is_compared(class: &Class, name: &str) -> bool {
    let pool = class.file().pool();
    class.file().methods().any(|method| {
        let Ok(Some(code)) = method.code() else {
            return false;
        };
        let all: Vec<Insn<'_>> = code
            .instructions()
            .map_while(Result::ok)
            .map(|(_, insn)| insn)
            .collect();
        all.windows(3).any(|insns| {
            let is_it = |at: u16| pool.member_ref(at).is_ok_and(|field| field.name == name);
            let is_read = matches!(insns[0], Insn::GetField(at) if is_it(at));
            is_read
                && matches!(insns[1], Insn::ConstInt(_) | Insn::Ldc(_))
                && matches!(insns[2], Insn::IfIcmp(..))
        })
    })
}

/// How often a class sets a field of this name, if only to constants.
fn constant_stores(class: &Class, name: &str) -> Option<usize> {
    let pool = class.file().pool();
    let mut stores = 0;
    for method in class.file().methods() {
        let Ok(Some(code)) = method.code() else { continue };
        let mut is_constant = false;
        for insn in code.instructions() {
            let (_, insn) = insn.ok()?;
            if let Insn::PutField(index) = insn
                && pool.member_ref(index).ok()?.name == name
            {
                if !is_constant {
                    return None;
                }
                stores += 1;
            }
            is_constant = match insn {
                Insn::ConstInt(_) | Insn::ConstLong(_) | Insn::Ldc(_) | Insn::Ldc2(_) | Insn::ConstNull => {
                    true
                }
                Insn::Convert(..) => is_constant,
                _ => false,
            };
        }
    }
    Some(stores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::compile;

    #[test]
    fn only_what_is_set_to_constants_is_a_state() {
        let compiled = compile(&[(
            "Service.java",
            "public class Service {
                 private volatile byte status;
                 private volatile int count;
                 private volatile boolean once;
                 public void start() { status = 4; count++; status = 5; }
                 private volatile int full;
                 public void stop() { once = true; count = 0; full = 0; full = 1; }
                 public boolean isStarting() { return status == 4; }
                 public int full() { return full; } }",
        )])
        .unwrap();
        let is = |name: &str, descriptor: &str| {
            let field = FieldRef {
                owner: "Service".into(),
                name: name.into(),
                descriptor: descriptor.into(),
            };
            is_state(compiled.program(), &field)
        };
        assert!(is("status", "B"));
        assert!(!is("count", "I"));
        assert!(!is("once", "Z") && !is("full", "I"));
        assert!(!is("absent", "I"));
    }
}
