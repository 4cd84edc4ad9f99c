//! A finding, from a violation that was made smaller and made sure of.

use raddle_oracle::Evidence;
use raddle_program::Program;

use crate::class_state::ClassState;
use crate::explore_candidate::{Subject, Suspect};
use crate::finding::{Finding, StockJvm};
use crate::related_evidence::related_evidence;
use crate::settle::Sure;
use raddle_oracle::dedup_key;

/// What the class is called that makes the calls of a plan: its frames say nothing about the class under test.
const PLAN_CLASS: &str = "RaddlePlan";

/// The finding, with all that is known of it in a hunt.
pub(crate) fn finding(program: &Program, class_state: &ClassState, suspect: &Suspect, sure: Sure) -> Finding {
    let Sure {
        minimal,
        is_minimal,
        confirmed,
        state,
        unguarded,
        weakness,
    } = sure;
    let mut violation = confirmed.violation;
    let Subject { class, methods, .. } = &class_state.subject;
    if let Evidence::Exception { frames, .. } = &mut violation.evidence {
        frames.retain(|frame| !frame.0.starts_with(PLAN_CLASS));
    }
    let cause = dedup_key::state_cause(violation.kind, &state, weakness.as_ref())
        .unwrap_or_else(|| dedup_key::cause(class, &minimal.plan, &violation));
    let names = methods.names(&minimal.plan);
    let promise = class_state
        .promise
        .of_violation(&class_state.guards, violation.kind, &state, &names);
    Finding {
        id: dedup_key::id(violation.kind, class, &cause),
        class: class.clone(),
        cause,
        first_cause: suspect.cause.clone(),
        is_minimal,
        methods: names,
        reason: suspect.reason.clone(),
        stock_jvm: StockJvm::Awaited,
        analysis_bug: methods.contradiction(&minimal.plan, &violation),
        beside: related_evidence(program, class, &confirmed.events),
        weakness,
        state,
        unguarded,
        recording: confirmed.recording,
        events: confirmed.events,
        preemptions: minimal.preemptions,
        first_calls: suspect.plan.call_count(),
        is_promised: promise.strength >= class_state.least,
        promise,
        after: class_state.stats.numbers().time,
        violation,
    }
}
