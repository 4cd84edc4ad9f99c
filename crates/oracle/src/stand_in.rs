//! Exceptions that come from the objects which a plan implements itself, and say nothing about the class under test.

use crate::{Evidence, Violation};
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Argument, CallResult, MethodBody, Outcome, Returned, TestPlan};

/// What the classes of such objects are called, see `crates/worker/src/plan_bytecode/implementation.rs`.
const MADE: &str = "RaddlePlan$Made";
/// How a JVM says that it was a result that was null.
const RESULT: &str = "because the return value of \"";

/// Whether an exception is the doing of an object that the plan implements: it is thrown in it, or can come of what it gives
/// where the class had a right to expect something else.
pub fn is_to_blame(plan: &TestPlan, violation: &Violation) -> bool {
    let Evidence::Exception {
        class,
        message,
        frames,
        ..
    } = &violation.evidence
    else {
        return false;
    };
    gives_the_wrong_thing(plan, class, message)
        || frames.first().is_some_and(|frame| frame.0.starts_with(MADE))
}

/// Whether calls of the threads failed because such an object gave what nobody gives: what they do to undo their work says
/// nothing about calls that do not fail. That an object throws is another matter, since callers have to expect that.
pub fn fails_calls(plan: &TestPlan, outcome: &Outcome) -> bool {
    outcome.calls.iter().any(|call| match &call.result {
        CallResult::Threw { class, message, .. } if call.thread != 0 => {
            gives_the_wrong_thing(plan, class, message)
        }
        _ => false,
    })
}

/// Whether a call ended because such an object threw.
pub(crate) fn has_thrown(result: &CallResult) -> bool {
    matches!(result, CallResult::Threw { frames, .. } if frames.iter().any(|frame| frame.0.starts_with(MADE)))
}

/// Whether an exception can come of what an object of the plan gives.
fn gives_the_wrong_thing(plan: &TestPlan, class: &str, message: &str) -> bool {
    let methods = || plan.prefix.iter().flat_map(|call| &call.methods);
    match class {
        "java.lang.NullPointerException" => {
            methods().any(|method| gives_null(method) && may_be(method, message))
        }
        "java.lang.ClassCastException" => {
            message.starts_with("class java.lang.String ") && methods().any(gives_text_as_anything)
        }
        // A method that the plan did not write.
        "java.lang.AbstractMethodError" => methods().next().is_some(),
        _ => false,
    }
}

fn gives_null(method: &MethodBody) -> bool {
    method.returned() == Some(Returned::Value(Argument::Null))
}

/// Whether a message leaves it open that the null is of this method: it may name another whose result was null.
fn may_be(method: &MethodBody, message: &str) -> bool {
    let Some((_, culprit)) = message.split_once(RESULT) else {
        return true;
    };
    let name = culprit.split('(').next().unwrap_or(culprit);
    name.rsplit('.').next() == Some(&method.name)
}

/// A method of a type parameter gives a string, whatever the parameter stands for.
fn gives_text_as_anything(method: &MethodBody) -> bool {
    let is_text = |field: &FieldType<'_>| *field == FieldType::Object("java/lang/String");
    let result = MethodType::parse(&method.descriptor)
        .ok()
        .and_then(|types| types.result);
    matches!(method.returned(), Some(Returned::Value(Argument::String(_))))
        && !result.as_ref().is_some_and(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use raddle_plan::Frame;

    fn plan(returns: &str) -> TestPlan {
        let text = format!(
            r#"{{"raddle_plan": 1,
                "prefix": [
                    {{"let": "x", "invoke": "new", "member": "p.X.<init>()V"}},
                    {{"let": "s", "invoke": "implement", "member": "p.Source.<init>()V",
                      "methods": [{{"name": "next", "descriptor": "()Ljava/lang/Object;"{returns}}}]}}],
                "threads": [[{{"invoke": "virtual", "member": "p.X.a()V", "on": "x"}}],
                            [{{"invoke": "virtual", "member": "p.X.a()V", "on": "x"}}]]}}"#
        );
        TestPlan::from_json(&text).unwrap()
    }

    fn thrown(class: &str, message: &str, frame: &str) -> Violation {
        Violation {
            kind: Kind::Exception,
            summary: String::new(),
            evidence: Evidence::Exception {
                call: 2,
                thread: 1,
                class: class.to_owned(),
                message: message.to_owned(),
                frames: vec![Frame(frame.to_owned())],
                sequential: Vec::new(),
            },
        }
    }

    const NPE: &str = "java.lang.NullPointerException";
    const TEXT: &str = r#", "returns": {"value": {"string": "new"}}"#;

    #[test]
    fn a_null_that_a_stand_in_gives_is_its_own() {
        let said =
            "Cannot invoke \"Object.hashCode()\" because the return value of \"p.Source.next()\" is null";
        assert!(is_to_blame(&plan(""), &thrown(NPE, said, "p.X.a(X.java:1)")));
        let local = "Cannot invoke \"Object.hashCode()\" because \"<local1>\" is null";
        assert!(is_to_blame(&plan(""), &thrown(NPE, local, "p.X.a(X.java:1)")));
        // Not if it gives something, nor if the null is of another method.
        assert!(!is_to_blame(&plan(TEXT), &thrown(NPE, said, "p.X.a(X.java:1)")));
        let other = "Cannot invoke \"p.X.b()\" because the return value of \"p.X.peek()\" is null";
        assert!(!is_to_blame(&plan(""), &thrown(NPE, other, "p.X.a(X.java:1)")));
    }

    #[test]
    fn what_is_thrown_in_a_stand_in_is_its_own() {
        let problem = "java.lang.IllegalStateException";
        assert!(is_to_blame(
            &plan(TEXT),
            &thrown(problem, "", "RaddlePlan$Made1.next(Unknown Source)")
        ));
        assert!(!is_to_blame(&plan(TEXT), &thrown(problem, "", "p.X.a(X.java:1)")));
    }

    #[test]
    fn a_string_for_anything_may_be_the_wrong_thing() {
        let cast = "java.lang.ClassCastException";
        let said = "class java.lang.String cannot be cast to class p.Y";
        assert!(is_to_blame(&plan(TEXT), &thrown(cast, said, "p.X.a(X.java:1)")));
        assert!(!is_to_blame(&plan(""), &thrown(cast, said, "p.X.a(X.java:1)")));
    }
}
