//! Which classes have static state that the calls of a plan change, so that one run would see what others left behind.

use std::collections::BTreeSet;

use raddle_discover::has_state;
use raddle_plan::TestPlan;
use raddle_program::{ClassId, Program};
use raddle_summary::Analyzer;

/// Classes of the class path whose static state the calls of a plan can change, by Java name and in that order. What
/// calls of the platform change is the platform's own affair.
pub fn changed_statics(program: &Program, analyzer: &Analyzer<'_>, plan: &TestPlan) -> Vec<String> {
    let mut classes = BTreeSet::new();
    for (_, _, call) in plan.calls() {
        let id = program.class_id(&call.member.internal_class());
        if program.class(id).is_some_and(|class| !class.is_platform()) {
            let known = analyzer.changed_statics(id, &call.member.name, &call.member.descriptor);
            classes.extend(known.unwrap_or_else(|| own_state(program, id)));
        }
    }
    tracing::debug!(?classes, "static state is made anew");
    classes.into_iter().collect()
}

/// Of a call that does more than can be told: the class, and those that it inherits from, if they have any static state.
fn own_state(program: &Program, class: ClassId) -> BTreeSet<String> {
    program
        .ancestry(class)
        .filter(|one| !one.is_platform() && has_state(one))
        .map(|one| program.name(one.id()))
        .collect()
}
