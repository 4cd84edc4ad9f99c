//! Objects of the class that hold themselves or each other. A call that looks through such an object looks through the
//! other, one after the other, and may go round for ever; no class promises anything of that.
//!
//! To be given another of the kind is not to hold it: a call that takes what it needs from the other one and forgets it
//! answers for itself.

use std::collections::BTreeMap;

use raddle_plan::{Argument, Call, EventKind, Part};

use super::calls::Calls;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Kind};

const OVERFLOW: &str = "java.lang.StackOverflowError";

/// A result, or a full stack, of objects that hold their own kind.
pub(super) struct Nested;

impl Rule for Nested {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let (is_concerned, is_overflow) = match &case.violation.evidence {
            Evidence::Exception { class, .. } => (class == OVERFLOW, class == OVERFLOW),
            _ => (case.violation.kind == Kind::Result, false),
        };
        if !is_concerned {
            return None;
        }
        let variables = case.plan.variables();
        let own = format!("L{};", case.class.replace('.', "/"));
        let is_own = |name: &str| {
            let variable = variables.find(Part::Prefix, name);
            variable.is_some_and(|variable| *variable.descriptor == own)
        };
        let (id, _, call) = case.plan.calls().find(|(_, _, call)| {
            let receiver = call.on.as_deref().filter(|on| is_own(on));
            receiver.is_some_and(|receiver| {
                let mut own = given(call).into_iter().filter(|name| is_own(name));
                own.any(|name| is_overflow || name == receiver || is_kept(case, name))
            })
        })?;
        Some(Weakness {
            rule: WeakKind::Nested,
            sentence: format!(
                "objects of the class are given to their own kind: {} may find one in the other, or in itself",
                call.member.name
            ),
            calls: vec![id.0 as usize],
        })
    }
}

/// Whether the run shows that somebody keeps an object: it is stored, or a call comes by it that was not told of it.
fn is_kept(case: &Case<'_>, name: &str) -> bool {
    let variables = case.plan.variables();
    let Some(variable) = variables.iter().find(|variable| variable.name == name) else {
        return false;
    };
    let label = format!("${}", variable.slot);
    let is_told = |number: usize| {
        case.call(number)
            .is_some_and(|(_, call)| call.on.as_deref() == Some(name) || given(call).contains(&name))
    };
    let mut under_way: BTreeMap<u32, usize> = BTreeMap::new();
    for event in case.run.events {
        if event.kind == EventKind::Call {
            under_way.remove(&event.thread);
            if let Some(call) = event.index.and_then(|index| usize::try_from(index).ok()) {
                under_way.insert(event.thread, call);
            }
            continue;
        }
        let Some(call) = under_way.get(&event.thread) else {
            continue;
        };
        let is_it = event.referred().is_some_and(|object| object.name == label);
        let is_stored = event.kind == EventKind::Write && is_it;
        if is_stored || (event.name.as_ref() == Some(&label) && !is_told(*call)) {
            return true;
        }
    }
    false
}

/// The variables that a call is given.
pub(super) fn given(call: &Call) -> Vec<&str> {
    fn collect<'a>(argument: &'a Argument, names: &mut Vec<&'a str>) {
        match argument {
            Argument::Var(name) => names.push(name),
            Argument::Array { of, .. } => of.iter().for_each(|element| collect(element, names)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    call.args
        .iter()
        .for_each(|argument| collect(argument, &mut names));
    names
}
