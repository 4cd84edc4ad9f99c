//! GETINVOKEDMETHOD (Algorithms 1 and 2): the method of the static type that the instruction names.
//!
//! DepCon+ section 6.3: "conservatively considers the method implementation of the super class".

use raddle_classfile::MemberRef;
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{Class, ClassId, MethodId, Program, java_name};

use super::body::{Missing, Target};

/// What a call instruction names.
pub(super) fn resolve(program: &Program, member: &MemberRef<'_>, types: &MethodType<'_>) -> Target {
    // Arrays have the methods of Object.
    let class = if member.class.starts_with('[') {
        program.object()
    } else {
        program.class_id(&member.class)
    };
    let name = program.symbol(&member.name);
    if let Some(found) = program.resolve_method(class, name, program.symbol(&member.descriptor)) {
        return Target::Method(found);
    }
    if let Some(found) = signature_polymorphic(program, class, member) {
        return Target::Method(found);
    }
    let parameters: Vec<String> = types.parameters.iter().map(FieldType::java).collect();
    Target::Missing(Box::new(Missing {
        callee: format!(
            "{}.{}({})",
            java_name(&member.class),
            member.name,
            parameters.join(", ")
        ),
        class: missing_ancestors(program, class).next(),
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
        program
            .class(class)?
            .method(program.symbol(&member.name), descriptor(result))
    })
}

/// The classes of a hierarchy that cannot be loaded.
pub(super) fn missing_ancestors(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> {
    let superclasses = program.ancestry(class).filter_map(Class::super_class);
    let hierarchy = std::iter::once(class)
        .chain(superclasses)
        .chain(program.all_interfaces(class));
    hierarchy.filter(|&id| program.class(id).is_none())
}

/// Whether a virtual call of `target` may run `method`.
pub(super) fn overrides(program: &Program, method: MethodId, target: MethodId) -> bool {
    let (Some((_, over)), Some((_, under))) = (program.method(method), program.method(target)) else {
        return false;
    };
    (over.name, over.descriptor) == (under.name, under.descriptor)
        && !over.access.is_static()
        && !under.access.is_static()
        && !under.access.is_private()
        && program.is_subtype(method.class, target.class) == Some(true)
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
    program
        .select_method(under_test, method.name, method.descriptor)
        .unwrap_or(target)
}
