//! Methods that tell what has become of an object, so that wrong results are seen.

use raddle_classfile::descriptor::FieldType;
use raddle_plan::Primitive;
use raddle_program::{ClassId, Program};
use raddle_summary::ClassFacts;

use crate::callable::Callable;
use crate::fact_queries::Touched;

/// The best ones, by name.
const BEST: [&str; 6] = ["size", "length", "isEmpty", "count", "getCount", "getSize"];
/// Their answers depend on more than what was called: on identities, on room to spare, on time.
const UNSTEADY: [&str; 6] = ["hashCode", "capacity", "toString", "getTime", "now", "isAlive"];

/// The rank of `toString`.
const TEXT: u32 = 8;
/// The rank of methods that write, or that look at nearly everything there is: good if nothing else tells anything. A dump of
/// all threads takes longer than a thousand getters.
const LAST: u32 = 10;

/// Methods to call after the threads have ended, best first; those that write are last.
pub(crate) fn observers(
    program: &Program,
    facts: &ClassFacts,
    callables: &[Callable],
    touched: &[Touched],
) -> Vec<usize> {
    let mut found: Vec<(u32, usize)> = callables
        .iter()
        .filter(|one| !one.is_static() && one.parameters.is_empty())
        .filter(|one| one.result.as_deref().is_some_and(is_telling))
        .filter_map(|one| {
            let name = one.name();
            let unknown = facts
                .methods
                .get(one.index)
                .map_or(0, |method| u32::from(!method.unknown_calls.is_empty()));
            let is_last = touched.get(one.index).is_some_and(is_last);
            let rank = if name == "toString" {
                // The one of Object tells an identity.
                (one.declared_in != program.object()).then_some(TEXT)
            } else if UNSTEADY.contains(&name) {
                None
            } else if is_last {
                Some(LAST)
            } else if BEST.contains(&name) {
                Some(0)
            } else if name.starts_with("get") || name.starts_with("is") {
                Some(2 + unknown)
            } else {
                Some(4 + unknown)
            };
            rank.map(|rank| (rank, one.index))
        })
        .collect();
    found.sort_unstable();
    // A size alone tells less than a text.
    if let Some(at) = found.iter().position(|(rank, _)| *rank == TEXT)
        && at > 1
    {
        let text = found.remove(at);
        found.insert(1, text);
    }
    found.into_iter().map(|(_, index)| index).collect()
}

/// A method that takes one thing after the other out of an object, until all of it has been seen. One that may be interrupted may
/// wait, and is none.
pub(crate) fn taker(
    callables: &[Callable],
    touched: &[Touched],
    may_wait: impl Fn(usize) -> bool,
) -> Option<usize> {
    let takes = |one: &&Callable| {
        !one.is_static()
            && one.parameters.is_empty()
            && one.result.as_deref() == Some("Ljava/lang/Object;")
            && touched.get(one.index).is_some_and(Touched::writes_anything)
            && !may_wait(one.index)
    };
    callables.iter().find(takes).map(|one| one.index)
}

/// Whether a method is to be asked only if there is no other.
pub(crate) fn is_last(touched: &Touched) -> bool {
    touched.writes_anything() || touched.reaches_far()
}

/// Whether the text of an object is about the object, and not its identity.
pub(crate) fn is_printable(program: &Program, class: ClassId) -> bool {
    let descriptor = program.symbol("()Ljava/lang/String;");
    program
        .resolve_method(class, program.symbol("toString"), descriptor)
        .and_then(|id| program.method(id))
        .is_some_and(|(owner, method)| owner.id() != program.object() && !method.access.is_abstract())
}

/// Whether results of a type can be compared between runs.
pub(crate) fn is_telling(descriptor: &str) -> bool {
    match FieldType::parse(descriptor) {
        Ok(FieldType::Object(name)) => name == "java/lang/String" || Primitive::from_wrapper(name).is_some(),
        Ok(FieldType::Array(_)) | Err(_) => false,
        Ok(_) => true,
    }
}
