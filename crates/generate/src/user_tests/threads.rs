//! Which tests are not sequential: those whose code, or that of their helpers, starts threads.

use std::collections::{BTreeSet, VecDeque};

use raddle_classfile::{Constant, Insn};
use raddle_program::{Class, ClassId, MethodId, Program, java_name};

use super::callee::Own;

/// Helpers of helpers beyond these are not looked at.
const MAX_METHODS: usize = 256;

/// What in the methods, or in what they call of the test's own, starts a thread; `None` if nothing seems to.
pub(super) fn started(own: &Own<'_>, methods: impl IntoIterator<Item = MethodId>) -> Option<String> {
    let mut queue: VecDeque<MethodId> = methods.into_iter().collect();
    let mut seen: BTreeSet<MethodId> = queue.iter().copied().collect();
    while let Some(id) = queue.pop_front() {
        let Some((class, _)) = own.program.method(id) else {
            continue;
        };
        let mut reached = Vec::new();
        if let Some(found) = look(own, class, id, &mut reached) {
            return Some(found);
        }
        for next in reached {
            if seen.len() < MAX_METHODS && seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    None
}

/// Looks at one method. Methods of the test's own that it reaches are added.
fn look(own: &Own<'_>, class: &Class, id: MethodId, reached: &mut Vec<MethodId>) -> Option<String> {
    let program = own.program;
    let code = class.file().methods().nth(usize::from(id.index))?.code().ok()??;
    let pool = class.file().pool();
    for (_, insn) in code.instructions().map_while(Result::ok) {
        match insn {
            Insn::New(at) => {
                let Ok(name) = pool.class_name(at) else { continue };
                if makes_threads(program, program.class_id(&name)) {
                    return Some(java_name(&name));
                }
            }
            Insn::InvokeVirtual(at)
            | Insn::InvokeSpecial(at)
            | Insn::InvokeStatic(at)
            | Insn::InvokeInterface(at) => {
                let Ok(member) = pool.member_ref(at) else { continue };
                if starts(program, &member.class, &member.name) {
                    return Some(format!("{}.{}", java_name(&member.class), member.name));
                }
                reached.extend(own.helper(&member.class, &member.name, &member.descriptor));
            }
            Insn::InvokeDynamic(at) => reached.extend(bodies(own, class, at)),
            _ => {}
        }
    }
    None
}

/// The bodies of a lambda.
fn bodies(own: &Own<'_>, class: &Class, at: u16) -> Vec<MethodId> {
    let pool = class.file().pool();
    let bootstrap = pool
        .invoke_dynamic(at)
        .ok()
        .zip(class.file().bootstrap_methods().ok())
        .and_then(|(site, methods)| methods.into_iter().nth(usize::from(site.bootstrap)));
    let arguments = bootstrap.map(|method| method.arguments).unwrap_or_default();
    arguments
        .into_iter()
        .filter_map(|argument| match pool.constant(argument) {
            Ok(Constant::MethodHandle { member, .. }) => {
                own.helper(&member.class, &member.name, &member.descriptor)
            }
            _ => None,
        })
        .collect()
}

/// Whether objects of a class are threads, or have some.
fn makes_threads(program: &Program, class: ClassId) -> bool {
    let roots = [
        "java/lang/Thread",
        "java/util/concurrent/Executor",
        "java/util/Timer",
    ];
    roots
        .iter()
        .any(|root| program.is_subtype(class, program.class_id(root)) == Some(true))
}

/// Whether a call starts a thread, or gives work to one.
fn starts(program: &Program, class: &str, name: &str) -> bool {
    match class {
        // The rest of it is about the thread that calls.
        "java/lang/Thread" => matches!(name, "start" | "startVirtualThread" | "ofVirtual" | "ofPlatform"),
        "java/util/concurrent/Executors" => name.starts_with("new"),
        "java/util/concurrent/CompletableFuture" => name.ends_with("Async"),
        _ => {
            name == "parallelStream"
                || (name == "parallel" && class.starts_with("java/util/stream/"))
                || (!name.starts_with('<') && makes_threads(program, program.class_id(class)))
        }
    }
}
