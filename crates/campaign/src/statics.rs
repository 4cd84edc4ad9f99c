//! Which classes have static state that the calls of a plan change, so that one run would see what others left behind.

use std::collections::BTreeSet;

use raddle_plan::TestPlan;
use raddle_program::Program;
use raddle_summary::Analyzer;

/// Classes of the class path whose static state the calls of a plan can change, by Java name and in that order. What
/// calls of the platform change is the platform's own affair.
pub fn changed_statics(program: &Program, analyzer: &Analyzer<'_>, plan: &TestPlan) -> Vec<String> {
    let mut classes = BTreeSet::new();
    for (_, _, call) in plan.calls() {
        let id = program.class_id(&call.member.internal_class());
        if program.class(id).is_some_and(|class| !class.is_platform()) {
            classes.extend(analyzer.changed_statics(id, &call.member.name, &call.member.descriptor));
        }
    }
    classes.into_iter().collect()
}
