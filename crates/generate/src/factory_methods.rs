//! Who creates objects of a hidden class: public methods whose body does, by itself or through hidden helpers.
//!
//! `Collections.synchronizedMap` does `new SynchronizedMap`; the public `asMap` of Guava's multimaps calls a protected
//! `createAsMap` that does `new AsMap`. Both are found by reading the bodies of the class's package.

use std::collections::BTreeSet;

use raddle_classfile::Insn;
use raddle_plan::{Invoke, MemberRef};
use raddle_program::{Class, ClassId, Method, MethodId, Program, Scope};

use crate::callable::parameters;
use crate::constructions::{Construction, member, result_class};
use crate::visible::{is_visible, package_classes};

/// Hidden helpers between a public method and the body that creates the object.
const MAX_STEPS: usize = 3;
/// Ways that are looked at further.
const ENOUGH: usize = 12;
/// Classes that may be the receiver of one method.
const MAX_RECEIVERS: usize = 4;

/// A method's body, as far as it matters here.
struct Body {
    id: MethodId,
    creates: bool,
    /// Class, name and descriptor.
    calls: Vec<(ClassId, String, String)>,
}

/// Ways to objects of a hidden class; their prices are not known yet.
pub(crate) fn makers(program: &Program, class: ClassId) -> Vec<Construction> {
    let bodies = bodies(program, class);
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    let mut frontier: Vec<usize> = (0..bodies.len()).filter(|&at| bodies[at].creates).collect();
    let mut found = Vec::new();
    for step in 0..=MAX_STEPS as u32 {
        frontier.retain(|&at| reached.insert(at));
        for &at in &frontier {
            found.extend(ways(program, class, bodies[at].id, step));
        }
        if found.len() >= ENOUGH {
            break;
        }
        let callers: Vec<usize> = (0..bodies.len())
            .filter(|at| !reached.contains(at))
            .filter(|&at| {
                frontier
                    .iter()
                    .any(|&callee| calls(program, &bodies[at], bodies[callee].id))
            })
            .collect();
        frontier = callers;
    }
    found.truncate(2 * ENOUGH);
    found
}

/// Ways to an object by methods of others that have one already: a reference that knows its handle. Nobody can tell from outside
/// where those got it.
pub(crate) fn holders(program: &Program, class: ClassId) -> Vec<Construction> {
    let mut found = Vec::new();
    for name in package_classes(program, class) {
        let id = program.class_id(&name);
        let Some(owner) = program
            .class(id)
            .filter(|_| id != class && is_visible(program, id))
        else {
            continue;
        };
        let gives = |method: &&Method| {
            let descriptor = program.text(method.descriptor);
            method.access.is_public()
                && !method.access.is_static()
                && !method.access.is_synthetic()
                && result_class(program, descriptor) == Some(class)
        };
        let invoke = if owner.access().is_interface() {
            Invoke::Interface
        } else {
            Invoke::Virtual
        };
        found.extend(owner.methods().iter().filter(gives).map(|method| Construction {
            invoke,
            member: member(program, id, method),
            parameters: parameters(program.text(method.descriptor)),
            receiver: Some(id),
            gives: class,
            cost: 1,
        }));
    }
    found.truncate(ENOUGH);
    found
}

fn bodies(program: &Program, class: ClassId) -> Vec<Body> {
    let wanted = program.internal_name(class);
    let mut bodies = Vec::new();
    for name in package_classes(program, class) {
        let Some(owner) = program.class(program.class_id(&name)) else {
            continue;
        };
        let pool = owner.file().pool();
        for (index, method) in owner.file().methods().enumerate() {
            let Ok(Some(code)) = method.code() else {
                continue;
            };
            // Only what gives the object out is of use.
            let gives = result_class(program, &method.descriptor())
                .is_some_and(|result| program.is_subtype(class, result) == Some(true));
            if !gives {
                continue;
            }
            let mut body = Body {
                id: MethodId {
                    class: owner.id(),
                    index: index as u16,
                },
                creates: false,
                calls: Vec::new(),
            };
            for (_, insn) in code.instructions().map_while(Result::ok) {
                match insn {
                    Insn::New(at) => {
                        body.creates |= pool.class_name(at).is_ok_and(|created| created == wanted);
                    }
                    Insn::InvokeVirtual(at)
                    | Insn::InvokeSpecial(at)
                    | Insn::InvokeStatic(at)
                    | Insn::InvokeInterface(at) => {
                        if let Ok(member) = pool.member_ref(at) {
                            body.calls.push((
                                program.class_id(&member.class),
                                member.name.into_owned(),
                                member.descriptor.into_owned(),
                            ));
                        }
                    }
                    _ => {}
                }
            }
            bodies.push(body);
        }
    }
    bodies
}

/// Whether a body may call a method: the same name and types, and classes that are related.
fn calls(program: &Program, body: &Body, callee: MethodId) -> bool {
    let Some((_, method)) = program.method(callee) else {
        return false;
    };
    let name = program.text(method.name);
    let descriptor = program.text(method.descriptor);
    body.calls.iter().any(|(class, called, types)| {
        called == name
            && types == descriptor
            && (program.is_subtype(*class, callee.class) == Some(true)
                || program.is_subtype(callee.class, *class) == Some(true))
    })
}

/// The ways to call a method that creates the object, if anybody may.
fn ways(program: &Program, class: ClassId, id: MethodId, step: u32) -> Vec<Construction> {
    let Some((owner, method)) = program.method(id) else {
        return Vec::new();
    };
    if !method.access.is_public() || method.access.is_synthetic() {
        return Vec::new();
    }
    let construction = |invoke: Invoke, through: ClassId, receiver: Option<ClassId>| Construction {
        invoke,
        member: MemberRef {
            class: program.name(through),
            name: program.text(method.name).to_owned(),
            descriptor: program.text(method.descriptor).to_owned(),
        },
        parameters: parameters(program.text(method.descriptor)),
        receiver,
        gives: class,
        // The nearer to the creation, the surer the object is of the class.
        cost: 1 + 2 * step,
    };
    if method.access.is_static() {
        let invoke = if owner.access().is_interface() {
            Invoke::InterfaceStatic
        } else {
            Invoke::Static
        };
        return if is_visible(program, owner.id()) {
            vec![construction(invoke, owner.id(), None)]
        } else {
            Vec::new()
        };
    }
    receivers(program, owner, class)
        .into_iter()
        .filter(|&receiver| {
            let selected = program.select_method(receiver, method.name, method.descriptor);
            // A public class below a hidden one has bridges to the public methods it inherits.
            let is_bridge = selected
                .and_then(|selected| program.method(selected))
                .is_some_and(|(_, selected)| selected.access.is_bridge());
            selected == Some(id) || is_bridge
        })
        .take(MAX_RECEIVERS)
        .map(|receiver| construction(Invoke::Virtual, receiver, Some(receiver)))
        .collect()
}

/// Visible instantiable classes at or below the owner of a factory method.
fn receivers(program: &Program, owner: &Class, class: ClassId) -> Vec<ClassId> {
    let mut found = program
        .concrete_subtypes(&Scope::of(owner), owner.id())
        .unwrap_or_default();
    found.retain(|&receiver| receiver != class && is_visible(program, receiver));
    found.sort_by_cached_key(|&receiver| {
        let name = program.internal_name(receiver).to_owned();
        (receiver != owner.id(), name.len(), name)
    });
    found
}
