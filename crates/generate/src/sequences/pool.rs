//! The calls that sequences are made of: every method with values that stay the same for one iteration.
//!
//! The slides do not say which values; these are the plain ones of all strategies, others in each iteration, and drawn ones
//! from the third on. Where a method takes an object of the class, another one is called with the object, too. A method that sets an object is there once more with null, which is a value of its own to it.

use std::collections::BTreeSet;

use raddle_plan::{Argument, Call, PLAN_VERSION, TestPlan};

use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;

/// Methods of a class that are each called with two sets of values; with more, the search would take too long.
const FEW: usize = 40;
/// Iterations with plain values.
const PLAIN: usize = 2;

/// Calls with their values.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// What makes the object and the values.
    prefix: Vec<Call>,
    /// The variable of the object; none if only static methods are called.
    pub(crate) subject: Option<String>,
    /// The index of a method, and a call of it.
    pub(crate) calls: Vec<(usize, Call)>,
}

impl Pool {
    /// The pool of an iteration; none if no object can be made.
    pub(crate) fn draw(builder: &mut PlanBuilder<'_>, iteration: usize) -> Option<Pool> {
        let (taste, other_taste) = if iteration < PLAIN {
            (Taste::Plain(2 * iteration), Taste::Plain(2 * iteration + 1))
        } else {
            (Taste::Drawn, Taste::Drawn)
        };
        let mut draft = PlanDraft::default();
        let subject = if builder.has_subject() {
            Some(builder.subject(&mut draft, taste)?)
        } else {
            None
        };
        let methods: Vec<usize> = builder.callables().iter().map(|method| method.index).collect();
        let mut calls: Vec<(usize, Call)> = Vec::new();
        for &index in &methods {
            let Some(call) = builder.call(&mut draft, index, subject.as_deref(), &[], taste) else {
                continue;
            };
            let null = builder.nullable(index).and_then(|at| {
                let mut call = call.clone();
                *call.args.get_mut(at)? = Argument::Null;
                Some(call)
            });
            let other = (methods.len() <= FEW)
                .then(|| builder.call(&mut draft, index, subject.as_deref(), &[], other_taste))
                .flatten();
            for call in [Some(call), other, null].into_iter().flatten() {
                if !calls.iter().any(|(_, known)| *known == call) {
                    calls.push((index, call));
                }
            }
        }
        if let Some(subject) = &subject {
            calls.extend(as_argument(builder, &mut draft, subject, taste));
        }
        Some(Pool {
            prefix: draft.prefix,
            subject,
            calls,
        })
    }

    /// A pool of calls that were made elsewhere.
    #[cfg(test)]
    pub(crate) fn of(subject: &str, calls: Vec<(usize, Call)>) -> Pool {
        Pool {
            prefix: Vec::new(),
            subject: Some(subject.to_owned()),
            calls,
        }
    }

    /// A test that makes calls, and then one more that is looked at.
    pub(crate) fn in_a_row(&self, path: &[usize], last: usize) -> TestPlan {
        TestPlan {
            raddle_plan: PLAN_VERSION,
            package: None,
            name: String::from("sequential test"),
            prefix: self.before(path, &[last]),
            threads: vec![self.chosen(&[last])],
            after: Vec::new(),
            uninitialised: Vec::new(),
        }
    }

    /// What makes the values of calls, and those calls that are made before threads begin.
    pub(crate) fn before(&self, path: &[usize], threads: &[usize]) -> Vec<Call> {
        let mut all = self.chosen(path);
        let before = all.len();
        all.extend(self.chosen(threads));
        let mut prefix = self.needed(&all);
        prefix.extend(all.into_iter().take(before));
        prefix
    }

    pub(crate) fn call(&self, number: usize) -> Option<&Call> {
        self.calls.get(number).map(|(_, call)| call)
    }

    fn chosen(&self, path: &[usize]) -> Vec<Call> {
        path.iter()
            .filter_map(|&number| self.call(number))
            .cloned()
            .collect()
    }

    /// The part of the prefix that these calls depend on, and that makes the object.
    fn needed(&self, calls: &[Call]) -> Vec<Call> {
        let mut wanted: BTreeSet<&str> = self.subject.as_deref().into_iter().collect();
        for call in calls {
            wanted.extend(variables(call));
        }
        let mut kept: Vec<&Call> = Vec::new();
        for call in self.prefix.iter().rev() {
            let about = call.bind.as_ref().or(call.on.as_ref());
            if about.is_none_or(|name| wanted.contains(name.as_str())) {
                wanted.extend(variables(call));
                kept.push(call);
            }
        }
        kept.into_iter().rev().cloned().collect()
    }
}

/// Calls of another object of the class that are given the object.
fn as_argument(
    builder: &mut PlanBuilder<'_>,
    draft: &mut PlanDraft,
    subject: &str,
    taste: Taste,
) -> Vec<(usize, Call)> {
    let takers: Vec<(usize, usize)> = builder
        .callables()
        .iter()
        .filter(|method| !method.is_static())
        .filter_map(|method| Some((method.index, builder.partner_parameter(method, None)?)))
        .collect();
    if takers.is_empty() {
        return Vec::new();
    }
    let Some(other) = builder.subject(draft, taste) else {
        return Vec::new();
    };
    let call = |(index, at): (usize, usize)| {
        let call = builder.call(draft, index, Some(&other), &[(at, subject)], taste)?;
        Some((index, call))
    };
    takers.into_iter().filter_map(call).collect()
}

fn variables(call: &Call) -> Vec<&str> {
    let mut found: Vec<&str> = call.on.as_deref().into_iter().collect();
    let mut left: Vec<&Argument> = call.args.iter().collect();
    while let Some(argument) = left.pop() {
        match argument {
            Argument::Var(name) => found.push(name),
            Argument::Array { of, .. } => left.extend(of),
            _ => {}
        }
    }
    found
}
