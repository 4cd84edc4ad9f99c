//! Methods that run only while an object is being made: constructors, and private helpers that only those call.

use raddle_classfile::Insn;
use raddle_program::{Class, ClassId, Program};
use rustc_hash::FxHashSet;

use super::body::Body;

/// Called by the platform behind the program's back, on objects that are not new to everybody.
const CALLED_BY_SERIALIZATION: [&str; 3] = ["readObject", "readObjectNoData", "readResolve"];

/// The class and its nest mates: all code that can touch its private members. Before nest mates (Java 11) that went
/// through synthetic methods of the class itself.
pub(crate) fn nest(program: &Program, class: &Class) -> Vec<ClassId> {
    let owner = class.id();
    let host = class
        .file()
        .nest_host()
        .map_or(owner, |name| program.class_id(&name));
    let mut nest = vec![host];
    if let Some(host) = program.class(host) {
        nest.extend(
            host.file()
                .nest_members()
                .iter()
                .map(|name| program.class_id(name)),
        );
    }
    if !nest.contains(&owner) {
        nest.push(owner);
    }
    nest
}

/// Indices of the methods of a class that run only during construction, as far as private members are concerned: a
/// helper counts if it is called, only by constructors or other helpers of the class, and never made into a lambda.
pub(crate) fn methods(program: &Program, class: &Class) -> FxHashSet<usize> {
    let own = class.methods();
    let name = |at: usize| program.text(own[at].name);
    let mut during: FxHashSet<usize> = (0..own.len()).filter(|&at| name(at).starts_with('<')).collect();
    let mut helpers: Vec<usize> = (0..own.len())
        .filter(|&at| {
            own[at].access.is_private()
                && !own[at].access.is_static()
                && !name(at).starts_with('<')
                && !CALLED_BY_SERIALIZATION.contains(&name(at))
        })
        .collect();
    if helpers.is_empty() {
        return during;
    }
    // Who calls what; `None` stands for code that is not this class's own.
    let mut calls: Vec<(Option<usize>, usize)> = Vec::new();
    for member in nest(program, class) {
        let Some(member) = program.class(member) else {
            continue;
        };
        let pool = member.file().pool();
        let target = |class_name: &str, called: &str, descriptor: &str| {
            (class_name == program.internal_name(class.id()))
                .then(|| {
                    helpers
                        .iter()
                        .copied()
                        .find(|&at| name(at) == called && program.text(own[at].descriptor) == descriptor)
                })
                .flatten()
        };
        for index in 1..pool.len() {
            if let Ok((_, handle)) = pool.method_handle(index)
                && let Some(callee) = target(&handle.class, &handle.name, &handle.descriptor)
            {
                calls.push((None, callee));
            }
        }
        for (at, view) in member.file().methods().enumerate() {
            let Ok(Some(code)) = view.code() else { continue };
            let Ok(body) = Body::decode(&code) else { continue };
            for (_, insn) in &body.insns {
                let (Insn::InvokeVirtual(index) | Insn::InvokeSpecial(index)) = insn else {
                    continue;
                };
                if let Ok(called) = pool.member_ref(*index)
                    && let Some(callee) = target(&called.class, &called.name, &called.descriptor)
                {
                    calls.push(((member.id() == class.id()).then_some(at), callee));
                }
            }
        }
    }
    helpers.retain(|helper| calls.iter().any(|(_, callee)| callee == helper));
    loop {
        let known: FxHashSet<usize> = during.iter().copied().chain(helpers.iter().copied()).collect();
        let stays = |helper: &usize| {
            calls
                .iter()
                .filter(|(_, callee)| callee == helper)
                .all(|(caller, _)| caller.is_some_and(|caller| known.contains(&caller)))
        };
        let before = helpers.len();
        helpers.retain(stays);
        if helpers.len() == before {
            break;
        }
    }
    during.extend(helpers);
    during
}
