//! Whether the classes and methods that a plan names exist. A JVM would only say so in the middle of a run.

use std::collections::BTreeSet;

use raddle_plan::{Invoke, MemberRef, TestPlan};
use raddle_program::Program;

/// What the plan names and what does not exist, as sentences.
pub(crate) fn missing(program: &Program, plan: &TestPlan) -> Vec<String> {
    let members: BTreeSet<(&MemberRef, bool)> = plan
        .calls()
        .map(|(_, _, call)| (&call.member, call.invoke == Invoke::New))
        .collect();
    let mut problems: Vec<String> = members
        .into_iter()
        .filter_map(|(member, is_new)| problem(program, member, is_new))
        .collect();
    problems.dedup();
    problems
}

fn problem(program: &Program, member: &MemberRef, is_new: bool) -> Option<String> {
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
    let found = if is_new {
        class.method(name, descriptor)
    } else {
        program.resolve_method(id, name, descriptor)
    };
    if found.is_some() {
        return None;
    }
    let others: BTreeSet<String> = program
        .ancestry(id)
        .take(if is_new { 1 } else { usize::MAX })
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
