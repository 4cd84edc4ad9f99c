//! A finding, from a violation that was made smaller and made sure of.

use raddle_oracle::Evidence;
use raddle_plan::TestPlan;
use raddle_program::{ClassId, Program};

use crate::class_state::ClassState;
use crate::explore_candidate::{Subject, Suspect};
use crate::finding::{Finding, StockJvm};
use crate::promise::Promise;
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
    let of_others = owner(program, class_state.class, &minimal.plan)
        .map(|owner| Promise::of(program, &class_state.subject.options.contracts, owner));
    let promise = of_others.as_ref().unwrap_or(&class_state.promise).of_violation(
        &class_state.guards,
        violation.kind,
        &state,
        &names,
    );
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

/// The class of another file that all calls of the threads are made on, if it is the same for all: what the class under test hands
/// out may promise less, or more, than it does itself. Behind an interface is mostly the class under test.
fn owner(program: &Program, class: ClassId, plan: &TestPlan) -> Option<ClassId> {
    let mut owners = plan.threads.iter().flatten().map(|call| {
        let owner = program.class_id(&call.member.internal_class());
        call.on.is_some().then_some(owner)
    });
    let first = owners.next()??;
    let is_related = |one: ClassId, other: ClassId| program.is_subtype(one, other) == Some(true);
    let file = |class: ClassId| {
        let name = program.internal_name(class);
        name.split_once('$').map_or(name, |(file, _)| file)
    };
    let is_another = file(first) != file(class) && !is_related(first, class) && !is_related(class, first);
    let is_concrete = program
        .class(first)
        .is_some_and(|owner| !owner.access().is_abstract() && !owner.access().is_interface());
    (is_another && is_concrete && owners.all(|owner| owner == Some(first))).then_some(first)
}
