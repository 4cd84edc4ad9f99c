//! Objects of the class that hold themselves or each other. A call that looks through such an object looks through the
//! other, one after the other, and may go round for ever; no class promises anything of that.

use raddle_plan::{Argument, Call, Part};

use super::calls::Calls;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Kind};

const OVERFLOW: &str = "java.lang.StackOverflowError";

/// A result, or a full stack, of objects that hold their own kind.
pub(super) struct Nested;

impl Rule for Nested {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let is_concerned = match &case.violation.evidence {
            Evidence::Exception { class, .. } => class == OVERFLOW,
            _ => case.violation.kind == Kind::Result,
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
            receiver.is_some_and(|_| given(call).into_iter().any(is_own))
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
