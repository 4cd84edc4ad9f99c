//! GETINVOKEDMETHOD (Algorithms 1 and 2): the method of the static type that the instruction names.
//!
//! DepCon+ section 6.3: "conservatively considers the method implementation of the super class".

use raddle_classfile::MemberRef;
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{ClassId, MethodId, Program, java_name};

use super::body::{Missing, Target};

/// What a call instruction names.
pub(super) fn resolve(program: &Program, member: &MemberRef<'_>, types: &MethodType<'_>) -> Target {
    // Arrays have the methods of Object.
    let class =
        if member.class.starts_with('[') { program.object() } else { program.class_id(&member.class) };
    let name = program.symbol(&member.name);
    if let Some(found) = program.resolve_method(class, name, program.symbol(&member.descriptor)) {
        return Target::Method(found);
    }
    if let Some(found) = signature_polymorphic(program, class, member) {
        return Target::Method(found);
    }
    let parameters: Vec<String> = types.parameters.iter().map(FieldType::java).collect();
    Target::Missing(Box::new(Missing {
        callee: format!("{}.{}({})", java_name(&member.class), member.name, parameters.join(", ")),
        class: missing_ancestor(program, class),
    }))
}

/// `MethodHandle.invoke` and its like are native and take any descriptor.
fn signature_polymorphic(program: &Program, class: ClassId, member: &MemberRef<'_>) -> Option<MethodId> {
    let invoke = ["java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"];
    if !invoke.contains(&&*member.class) {
        return None;
    }
    let descriptor = |result: &str| program.symbol(&format!("([Ljava/lang/Object;){result}"));
    let results = ["Ljava/lang/Object;", "Z", "V"];
    results.iter().find_map(|result| {
        program.class(class)?.method(program.symbol(&member.name), descriptor(result))
    })
}

/// The first class of a hierarchy that cannot be loaded.
pub(super) fn missing_ancestor(program: &Program, class: ClassId) -> Option<ClassId> {
    if program.class(class).is_none() {
        return Some(class);
    }
    let superclasses = program.ancestry(class).filter_map(|class| class.super_class());
    let interfaces = program.all_interfaces(class);
    superclasses.chain(interfaces).find(|&id| program.class(id).is_none())
}

/// The body that a call of `target` runs when the receiver may be an object under test: section 5.3 takes `t.size()`,
/// whose static type is an interface, for the synchronized method of the class under test that implements it.
pub(super) fn implementation(program: &Program, under_test: ClassId, target: MethodId) -> MethodId {
    let Some((_, method)) = program.method(target) else {
        return target;
    };
    if !method.access.is_abstract() || program.is_subtype(under_test, target.class) != Some(true) {
        return target;
    }
    program.select_method(under_test, method.name, method.descriptor).unwrap_or(target)
}
