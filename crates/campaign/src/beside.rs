//! What else a finding's run shows: races and locks that are taken crosswise, as sentences.

use raddle_oracle::evidence;
use raddle_plan::Event;
use raddle_program::Program;

/// More would hide the finding.
const MOST: usize = 4;

/// Sentences about a run.
pub(crate) fn beside(program: &Program, events: &[Event]) -> Vec<String> {
    let evidence = evidence(events, &|target| is_volatile(program, target));
    evidence
        .to_string()
        .lines()
        .take(MOST)
        .map(str::to_owned)
        .collect()
}

/// Whether the field `p.Owner.name:descriptor` is volatile.
fn is_volatile(program: &Program, target: &str) -> bool {
    let parts = target.split_once(':').and_then(|(name, descriptor)| {
        let (owner, name) = name.rsplit_once('.')?;
        Some((owner, name, descriptor))
    });
    let Some((owner, name, descriptor)) = parts else {
        return false;
    };
    let owner = program.class_id(&owner.replace('.', "/"));
    let field = program.resolve_field(owner, program.symbol(name), program.symbol(descriptor));
    program
        .field(field)
        .access
        .is_some_and(raddle_classfile::AccessFlags::is_volatile)
}
