//! What the class under test asks of the objects that it is given. A stand-in needs an answer to these questions, and to no
//! others: whoever implements all of `java.sql` answers a thousand.

use std::collections::BTreeSet;

use raddle_classfile::Insn;
use raddle_program::{ClassId, Program};

use crate::visible::top_level;

/// The method that hash tables ask.
const HASH: &str = "hashCode";

/// Names of the methods that a class calls, and those that it inherits from, and classes of the same files.
pub(super) fn asked(program: &Program, class: ClassId) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let own = program.ancestry(class).filter(|ancestor| !ancestor.is_platform());
    let files: BTreeSet<String> = own
        .map(|ancestor| top_level(program.internal_name(ancestor.id())).to_owned())
        .collect();
    for file in files {
        let file = program.class_id(&file);
        let neighbours = crate::visible::package_classes(program, file);
        let of_file = top_level(program.internal_name(file));
        for name in neighbours.iter().filter(|name| top_level(name) == of_file) {
            gather(program, program.class_id(name), &mut names);
        }
    }
    names
}

/// Whether code of a class, or of one it inherits from, asks objects for their hash codes, other than to make its own of them: to
/// put its locks into an order, or things into compartments. What it does with two that are the same is worth a look.
pub(super) fn asks_for_hashes(program: &Program, class: ClassId) -> bool {
    let mut own = program.ancestry(class).filter(|ancestor| !ancestor.is_platform());
    own.any(|loaded| {
        let pool = loaded.file().pool();
        let methods = loaded.file().methods().filter(|method| method.name() != HASH);
        let codes = methods.filter_map(|method| method.code().ok().flatten());
        let mut called = codes.flat_map(|code| {
            let instructions = code.instructions().map_while(Result::ok);
            let members = instructions.filter_map(|(_, insn)| match insn {
                Insn::InvokeVirtual(at) | Insn::InvokeInterface(at) => pool.member_ref(at).ok(),
                _ => None,
            });
            members.collect::<Vec<_>>()
        });
        called.any(|member| member.name == HASH)
    })
}

fn gather(program: &Program, class: ClassId, names: &mut BTreeSet<String>) {
    let Some(loaded) = program.class(class) else {
        return;
    };
    let pool = loaded.file().pool();
    for method in loaded.file().methods() {
        let Ok(Some(code)) = method.code() else {
            continue;
        };
        for (_, insn) in code.instructions().map_while(Result::ok) {
            if let Insn::InvokeVirtual(at) | Insn::InvokeInterface(at) = insn
                && let Ok(member) = pool.member_ref(at)
            {
                names.insert(member.name.into_owned());
            }
        }
    }
}
