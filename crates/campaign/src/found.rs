//! A finding, from a violation that was made smaller and made sure of.

use raddle_oracle::Evidence;
use raddle_program::Program;

use crate::beside::beside;
use crate::cause;
use crate::finding::{Finding, StockJvm};
use crate::quarry::Quarry;
use crate::settle::Sure;
use crate::trial::{Subject, Suspect};

/// What the class is called that makes the calls of a plan: its frames say nothing about the class under test.
const PLAN_CLASS: &str = "RaddlePlan";

/// The finding, with all that is known of it in a hunt.
pub(crate) fn finding(program: &Program, quarry: &Quarry, suspect: &Suspect, sure: Sure) -> Finding {
    let Sure {
        minimal,
        is_minimal,
        confirmed,
        state,
        unguarded,
        weakness,
    } = sure;
    let mut violation = confirmed.violation;
    let Subject { class, methods, .. } = &quarry.subject;
    if let Evidence::Exception { frames, .. } = &mut violation.evidence {
        frames.retain(|frame| !frame.0.starts_with(PLAN_CLASS));
    }
    let cause = cause::state_cause(violation.kind, &state, weakness.as_ref())
        .unwrap_or_else(|| cause::cause(class, &minimal.plan, &violation));
    let names = methods.names(&minimal.plan);
    let promise = quarry
        .promise
        .of_violation(&quarry.guards, violation.kind, &state, &names);
    Finding {
        id: cause::id(violation.kind, class, &cause),
        class: class.clone(),
        cause,
        first_cause: suspect.cause.clone(),
        is_minimal,
        methods: names,
        reason: suspect.reason.clone(),
        // That takes the reproducer, which is an output.
        stock_jvm: StockJvm::Untried("not yet".to_owned()),
        analysis_bug: methods.contradiction(&minimal.plan, &violation),
        beside: beside(program, class, &confirmed.events),
        weakness,
        state,
        unguarded,
        recording: confirmed.recording,
        events: confirmed.events,
        preemptions: minimal.preemptions,
        first_calls: suspect.plan.call_count(),
        is_promised: promise.strength >= quarry.least,
        promise,
        after: quarry.tally.numbers().time,
        violation,
    }
}
