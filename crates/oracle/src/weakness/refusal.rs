//! The class refuses a call, with an exception that it makes itself and that one thread alone gets at the same place: too
//! many arrivals at a barrier, an empty queue, a closed stream. What another thread did only changed when.

use raddle_plan::{CallResult, Frame, Outcome, Part};

use super::calls::Calls;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Difference, Evidence};

/// What the class of a plan's calls is called.
const PLAN_CLASS: &str = "RaddlePlan";

/// What instructions throw by themselves (Java Virtual Machine Specification, chapter 6, and section 6.3). Of these nobody
/// knows whether the class made them.
const BY_THE_JVM: [&str; 9] = [
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.IncompatibleClassChangeError",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.OutOfMemoryError",
    "java.lang.StackOverflowError",
];

/// Whether nobody need have made an exception of that class.
pub(super) fn is_by_the_jvm(class: &str) -> bool {
    BY_THE_JVM.contains(&class)
}

/// A stack from the place that throws to the call of the plan, with the exception: equal if the same call throws the same
/// in the same way.
pub fn stack_text(class: &str, frames: &[Frame]) -> String {
    let own = frames.iter().filter(|frame| !frame.0.starts_with(PLAN_CLASS));
    let frames: Vec<&str> = own.map(|frame| frame.0.as_str()).collect();
    format!("{class} {}", frames.join(" "))
}

/// One thread gets the same exception in the same way.
pub(super) struct Refusal;

impl Rule for Refusal {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let (call, class) = match &case.violation.evidence {
            Evidence::Exception {
                call, class, frames, ..
            } => {
                let is_alone =
                    (case.is_thrown_alone)(&stack_text(class, frames)) || is_moved(case, class, frames);
                (*call, own_exception(case, class, frames).filter(|_| is_alone)?)
            }
            Evidence::Result { differences, .. } => refused(case, differences)?,
            _ => return None,
        };
        matches!(case.call(call), Some((Part::Thread(_), _))).then(|| Weakness {
            rule: WeakKind::Refusal,
            sentence: format!(
                "refusal: {} throws {class} itself, and one thread alone gets it in the same place",
                case.name(call)
            ),
            calls: vec![call],
        })
    }
}

/// Whether some order of whole calls has another call thrown at from the same place: whoever came later is refused.
fn is_moved(case: &Case<'_>, class: &str, frames: &[Frame]) -> bool {
    let is_same = |result: &CallResult| {
        matches!(result, CallResult::Threw { class: thrown, frames: others, .. }
            if thrown == class && !others.is_empty() && others.first() == frames.first())
    };
    let mut calls = case.sequential.iter().flat_map(|run| &run.calls);
    calls.any(|call| is_same(&call.result))
}

/// The exception, if the class made it.
pub(super) fn own_exception<'e>(case: &Case<'_>, class: &'e str, frames: &[Frame]) -> Option<&'e str> {
    let thrower = frames.first().map(owner)?;
    let package = |name: &str| {
        name.rsplit_once('.')
            .map_or("", |(package, _)| package)
            .to_owned()
    };
    let is_own = case.family.contains(thrower.as_str()) || package(&thrower) == package(case.class);
    (is_own && !is_by_the_jvm(class)).then_some(class)
}

/// Only that calls are refused differs, each as it is in some order of the calls too.
fn refused<'e>(case: &Case<'_>, differences: &'e [Difference]) -> Option<(usize, &'e str)> {
    let mut first = None;
    for difference in differences {
        // What is there in the end follows from what was refused.
        if matches!(case.call(difference.call), Some((Part::After, _))) {
            continue;
        }
        let class = difference.got.strip_prefix("threw ")?;
        let alike = |run: &Outcome| {
            let result = run.calls.get(difference.call).map(|call| &call.result);
            matches!(result, Some(CallResult::Threw { class: thrown, frames, .. })
                if thrown == class && own_exception(case, class, frames).is_some())
        };
        if !case.sequential.iter().any(alike) {
            return None;
        }
        first.get_or_insert((difference.call, class));
    }
    first
}

/// `java.util.Vector` of `java.base/java.util.Vector.get(Vector.java:749)`.
fn owner(frame: &Frame) -> String {
    let text = frame.0.split('(').next().unwrap_or(&frame.0);
    let text = text.rsplit('/').next().unwrap_or(text);
    text.rsplit_once('.').map_or(text, |(owner, _)| owner).to_owned()
}
