//! Methods by which a class says what must always be true of its objects: annotated `@Invariant`, in any package, or named by the
//! user. They are called when all threads have ended: earlier, they would take part in what the threads do.

use std::collections::BTreeMap;

use raddle_classfile::MethodView;
use raddle_plan::{Call, Invoke, MemberRef, Part, TestPlan};
use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, java_name, methods};

/// By their simple names; the second is Lincheck's.
const ANNOTATIONS: [&str; 2] = ["Invariant", "Validate"];

/// The invariants of a class, those that it inherits included. `named` has the names of methods that are meant to be some.
pub fn invariants(program: &Program, class: ClassId, named: &[String]) -> Vec<MemberRef> {
    let declared = methods(program, class).into_iter();
    declared
        .filter(|declared| is_invariant(declared.method, named))
        .map(|declared| member(program, &declared))
        .collect()
}

fn is_invariant(method: MethodView<'_>, named: &[String]) -> bool {
    let access = method.access();
    let is_possible =
        access.is_public() && !access.is_static() && matches!(&*method.descriptor(), "()Z" | "()V");
    let is_annotated = || {
        // It may be one that only class files show.
        let annotations = method.all_annotations();
        annotations.iter().any(|descriptor| {
            let name = java_name(descriptor);
            let simple = name.rsplit(['.', '$']).next().unwrap_or(&name);
            ANNOTATIONS.contains(&simple)
        })
    };
    is_possible && (named.iter().any(|name| *name == method.name()) || is_annotated())
}

fn member(program: &Program, declared: &Declared<'_>) -> MemberRef {
    MemberRef {
        class: program.name(declared.class.id()),
        name: declared.method.name().into_owned(),
        descriptor: declared.method.descriptor().into_owned(),
    }
}

/// Adds calls to a plan that check the invariants of its objects as soon as the threads have ended. Of objects, those count
/// that are made before the threads, and that `is_meant` is true of: their variable and class.
pub fn check_invariants(
    program: &Program,
    plan: &mut TestPlan,
    named: &[String],
    is_meant: impl Fn(&str, &str) -> bool,
) {
    let mut checks = Vec::new();
    for made in &plan.prefix {
        let (Some(variable), Invoke::New) = (&made.bind, made.invoke) else {
            continue;
        };
        if !is_meant(variable, &made.member.class) {
            continue;
        }
        let class = program.class_id(&made.member.internal_class());
        for member in invariants(program, class, named) {
            let owner = program.class(program.class_id(&member.internal_class()));
            let check = Call {
                bind: None,
                invoke: if owner.is_some_and(|owner| owner.access().is_interface()) {
                    Invoke::Interface
                } else {
                    Invoke::Virtual
                },
                member,
                on: Some(variable.clone()),
                args: Vec::new(),
                methods: Vec::new(),
            };
            if !plan.after.contains(&check) {
                checks.push(check);
            }
        }
    }
    plan.after.splice(0..0, checks);
}

/// The calls after the threads that are invariants, by their numbers in the whole plan, and how they are told.
pub fn invariants_of(plan: &TestPlan, is_invariant: impl Fn(&MemberRef) -> bool) -> BTreeMap<usize, String> {
    plan.calls()
        .enumerate()
        .filter(|(_, (_, part, call))| *part == Part::After && is_invariant(&call.member))
        .map(|(number, (_, _, call))| (number, format!("{}.{}()", call.member.class, call.member.name)))
        .collect()
}
