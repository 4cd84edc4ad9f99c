//! Violations that are broken invariants say so.

use std::collections::BTreeMap;

use raddle_plan::{CallResult, Outcome};

use crate::verdict::{Evidence, Violation};

/// Says of a violation that it is a broken invariant, if it is one: a call that is false, or throws, as it does in no sequential
/// order. `invariants` has the calls, numbered through the whole plan, and their names.
pub fn name_invariant(violation: &mut Violation, outcome: &Outcome, invariants: &BTreeMap<usize, String>) {
    let is_false = |call: usize| {
        let result = outcome.calls.get(call).map(|call| &call.result);
        matches!(result, Some(CallResult::Returned(value)) if value == "false")
    };
    let broken = match &violation.evidence {
        Evidence::Exception { call, .. } => invariants.get(call),
        Evidence::Result { differences, .. } => {
            let mut calls = differences.iter().map(|difference| difference.call);
            calls.find_map(|call| invariants.get(&call).filter(|_| is_false(call)))
        }
        _ => None,
    };
    if let Some(name) = broken {
        violation.summary = format!("The invariant {name} does not hold. {}", violation.summary);
    }
}
