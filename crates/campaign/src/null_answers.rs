//! Whether null is an answer that a method knows: somewhere in its code, or in what it calls, there is the constant. What
//! returns a field that happens to be null does not mean to say "nothing found".

use std::collections::{BTreeSet, VecDeque};

use raddle_classfile::Insn;
use raddle_plan::MemberRef;
use raddle_program::{MethodId, Program};

/// Methods that are looked at; whoever calls more may have any answer.
const MOST: usize = 80;

/// Whether the method, or one that it calls, has the constant null. What cannot be read may have it.
pub(crate) fn may_answer_null(program: &Program, member: &MemberRef) -> bool {
    let class = program.class_id(&member.internal_class());
    let select = |class, name: &str, descriptor: &str| {
        program.select_method(class, program.symbol(name), program.symbol(descriptor))
    };
    let Some(first) = select(class, &member.name, &member.descriptor) else {
        return true;
    };
    let returns_field = returns_only_fields(program, first);
    let mut seen: BTreeSet<MethodId> = BTreeSet::from([first]);
    let mut to_do = VecDeque::from([first]);
    while let Some(method) = to_do.pop_front() {
        if seen.len() > MOST {
            return true;
        }
        let Some((owner, _)) = program.method(method) else {
            return true;
        };
        let view = owner.file().methods().nth(usize::from(method.index));
        let Some(Ok(Some(code))) = view.map(|view| view.code()) else {
            // Abstract or native: what is behind it is not known.
            return true;
        };
        let pool = owner.file().pool();
        for insn in code.instructions() {
            let Ok((_, insn)) = insn else { return true };
            let called = match insn {
                Insn::ConstNull => return true,
                Insn::InvokeVirtual(index)
                | Insn::InvokeSpecial(index)
                | Insn::InvokeStatic(index)
                | Insn::InvokeInterface(index) => pool.member_ref(index).ok(),
                _ => None,
            };
            // Constructors give no answers.
            let Some(called) = called.filter(|called| called.name != "<init>") else {
                continue;
            };
            // What a call gives is no answer where all answers are fields.
            if !called.descriptor.ends_with(';') || returns_field {
                continue;
            }
            let of = program.class_id(&called.class);
            match select(of, &called.name, &called.descriptor) {
                Some(next) if seen.insert(next) => to_do.push_back(next),
                Some(_) => {}
                None => return true,
            }
        }
    }
    false
}

/// Whether all that a method returns was read from a field just before.
fn returns_only_fields(program: &Program, method: MethodId) -> bool {
    let Some((owner, _)) = program.method(method) else {
        return false;
    };
    let view = owner.file().methods().nth(usize::from(method.index));
    let Some(Ok(Some(code))) = view.map(|view| view.code()) else {
        return false;
    };
    let (mut is_field, mut returns) = (false, 0);
    for (_, insn) in code.instructions().map_while(Result::ok) {
        if matches!(insn, Insn::Return(_)) {
            if !is_field {
                return false;
            }
            returns += 1;
        }
        is_field = matches!(insn, Insn::GetField(_) | Insn::GetStatic(_));
    }
    returns > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::compile;

    #[test]
    fn only_code_with_the_constant_means_null() {
        let compiled = compile(&[(
            "Answers.java",
            "public class Answers { private Object kept; private final java.util.Map<String, String> map = new java.util.HashMap<>();
             public Object lazy() { Object found = kept; return kept == null ? kept = new Object() : found; }
             public Object none() { return kept.hashCode() > 0 ? kept : null; }
             public Object loaded(java.util.function.Supplier<Object> from) { kept = from.get(); return kept; }
             public Object inner() { return none(); }
             public String find(String key) { return map.get(key); } }",
        )])
        .unwrap();
        let program = compiled.program();
        let may = |name: &str, descriptor: &str| {
            let member = MemberRef {
                class: "Answers".to_owned(),
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
            };
            may_answer_null(program, &member)
        };
        assert!(!may("lazy", "()Ljava/lang/Object;"));
        assert!(!may(
            "loaded",
            "(Ljava/util/function/Supplier;)Ljava/lang/Object;"
        ));
        assert!(may("none", "()Ljava/lang/Object;"));
        assert!(may("inner", "()Ljava/lang/Object;"));
        assert!(may("find", "(Ljava/lang/String;)Ljava/lang/String;"));
    }
}
