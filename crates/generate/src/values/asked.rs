//! What the class under test asks of the objects that it is given. A stand-in needs an answer to these questions, and to no
//! others: whoever implements all of `java.sql` answers a thousand.

use std::collections::BTreeSet;

use raddle_classfile::Insn;
use raddle_program::{ClassId, Program};

use crate::visible::top_level;

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
