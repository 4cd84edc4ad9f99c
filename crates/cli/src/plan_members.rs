//! Whether the classes and methods that a plan names exist. A JVM would only say so in the middle of a run.

use std::collections::BTreeSet;

use raddle_plan::{Call, Invoke, MemberRef, TestPlan};
use raddle_program::Program;

/// What a plan names.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The class alone.
    Interface,
    Constructor,
    Method,
}

/// What the plan names and what does not exist, as sentences.
pub(crate) fn missing(program: &Program, plan: &TestPlan) -> Vec<String> {
    let members: BTreeSet<(MemberRef, Kind)> = plan.calls().flat_map(|(_, _, call)| members(call)).collect();
    let mut problems: Vec<String> = members
        .into_iter()
        .filter_map(|(member, kind)| problem(program, &member, kind))
        .collect();
    problems.dedup();
    problems
}

/// What a call names. A method that the plan writes must be known to the type it writes it for, else nobody calls it.
fn members(call: &Call) -> Vec<(MemberRef, Kind)> {
    let kind = match call.invoke {
        Invoke::Implement => Kind::Interface,
        Invoke::New | Invoke::Extend => Kind::Constructor,
        _ => Kind::Method,
    };
    let written = call.methods.iter().map(|method| MemberRef {
        class: call.member.class.clone(),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
    });
    std::iter::once((call.member.clone(), kind))
        .chain(written.map(|member| (member, Kind::Method)))
        .collect()
}

fn problem(program: &Program, member: &MemberRef, kind: Kind) -> Option<String> {
    let id = match program.find_class(&member.class) {
        Ok(id) => id,
        Err(error) => return Some(error.to_string()),
    };
    let class = match program.load(id) {
        Ok(class) => class,
        Err(error) => return Some(error.to_string()),
    };
    let name = program.symbol(&member.name);
    let descriptor = program.symbol(&member.descriptor);
    let found = match kind {
        Kind::Interface if class.access().is_interface() => return None,
        Kind::Interface => return Some(format!("{} is no interface; use \"extend\"", member.class)),
        Kind::Constructor => class.method(name, descriptor),
        Kind::Method => program.resolve_method(id, name, descriptor),
    };
    if found.is_some() {
        return None;
    }
    let others: BTreeSet<String> = program
        .ancestry(id)
        .take(if kind == Kind::Constructor { 1 } else { usize::MAX })
        .flat_map(raddle_program::Class::methods)
        .filter(|method| method.name == name)
        .map(|method| format!("{}{}", member.name, program.text(method.descriptor)))
        .collect();
    let remedy = if others.is_empty() {
        "check its name".to_owned()
    } else {
        format!("there is {}", others.into_iter().collect::<Vec<_>>().join(", "))
    };
    Some(format!(
        "{} has no method {}{}; {remedy}",
        member.class, member.name, member.descriptor
    ))
}
