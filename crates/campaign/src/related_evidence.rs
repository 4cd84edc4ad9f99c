//! What else a finding's run shows: races and locks that are taken crosswise, as sentences.

use raddle_oracle::{Access, evidence};
use raddle_plan::{Event, FieldRef};
use raddle_program::{Class, Program};

/// More would hide the finding.
const MOST: usize = 4;

/// Sentences about a run. What the JDK races on deliberately says nothing of a class that only uses it, so races with
/// both accesses in code of the JDK are left out, unless the class under test is of the JDK.
pub(crate) fn related_evidence(program: &Program, class: &str, events: &[Event]) -> Vec<String> {
    let mut evidence = evidence(events, &|field| is_volatile(program, field));
    if !is_platform(program, class) {
        let is_inside = |access: &Access| {
            let place = access.place.as_ref();
            place.is_some_and(|place| is_platform(program, &place.class))
        };
        evidence
            .races
            .retain(|race| !(is_inside(&race.first) && is_inside(&race.second)));
    }
    evidence
        .to_string()
        .lines()
        .take(MOST)
        .map(str::to_owned)
        .collect()
}

/// Whether a field is volatile.
pub(crate) fn is_volatile(program: &Program, field: &FieldRef) -> bool {
    let owner = program.class_id(&field.owner.replace('.', "/"));
    let field = program.resolve_field(
        owner,
        program.symbol(&field.name),
        program.symbol(&field.descriptor),
    );
    program
        .field(field)
        .access
        .is_some_and(raddle_classfile::AccessFlags::is_volatile)
}

fn is_platform(program: &Program, class: &str) -> bool {
    let class = program.class_id(&class.replace('.', "/"));
    program.class(class).is_some_and(Class::is_platform)
}
