//! What becomes of violations.

use raddle_oracle::Kind;

use super::scripted::*;
use crate::event::{Conclusion, HuntEvent};

fn one(does: Does) -> Told {
    hunt(Script::new(vec![plan("one", "two")]).rule("one", "two", does))
}

#[test]
fn a_deadlock_becomes_a_finding() {
    let told = one(Does::Deadlock("lock"));
    let finding = told.findings()[0];
    assert_eq!(finding.violation.kind, Kind::Deadlock);
    assert_eq!(finding.methods, ["one()", "two()"]);
    assert_eq!(told.report().findings, std::slice::from_ref(&finding.id));
    assert_eq!(told.report().conclusion(), Conclusion::Violations);
}

#[test]
fn a_wrong_result_becomes_a_finding_about_the_state_that_it_breaks() {
    let told = one(Does::WrongResult);
    let finding = told.findings()[0];
    assert_eq!(finding.violation.kind, Kind::Result);
    assert_eq!(finding.state.iter().collect::<Vec<_>>(), ["Box.n"]);
}

#[test]
fn an_exception_becomes_a_finding() {
    let told = one(Does::Exception("java.lang.ArithmeticException", 7));
    let kinds: Vec<Kind> = told
        .findings()
        .iter()
        .map(|finding| finding.violation.kind)
        .collect();
    assert_eq!(kinds, [Kind::Exception]);
}

#[test]
fn the_strategy_hears_that_there_was_a_violation() {
    assert!(one(Does::Deadlock("lock")).heard[0].1.violation);
    assert!(!one(Does::Right).heard[0].1.violation);
}

#[test]
fn kinds_that_do_not_count_are_passed_over() {
    let mut options = options();
    options.kinds.remove(&Kind::Deadlock);
    let script = Script::new(vec![plan("one", "two")]).rule("one", "two", Does::Deadlock("lock"));
    let told = hunt_with(script, options);
    assert!(told.findings().is_empty());
    assert!(!told.heard[0].1.violation);
}

/// Two pairs that deadlock with locks taken in the same method, or in different ones.
fn two_deadlocks(first: &'static str, second: &'static str) -> Told {
    let plans = vec![plan("one", "one"), plan("two", "two")];
    let script = Script::new(plans).rule("one", "one", Does::Deadlock(first)).rule(
        "two",
        "two",
        Does::Deadlock(second),
    );
    hunt(script)
}

#[test]
fn one_fault_is_one_finding_whatever_the_calls() {
    let told = two_deadlocks("same", "same");
    assert_eq!(told.report().findings.len(), 1);
    let id = &told.report().findings[0];
    assert_eq!(told.report().also[id], ["two() ∥ two()"]);
    assert_eq!(told.report().numbers.repeats, 1);
    let also = told
        .events
        .iter()
        .filter(|event| matches!(event, HuntEvent::Also(_)));
    assert_eq!(also.count(), 1);
}

#[test]
fn two_faults_are_two_findings() {
    let told = two_deadlocks("first", "second");
    assert_eq!(told.report().findings.len(), 2);
    assert!(told.report().also.is_empty());
}

#[test]
fn a_fault_that_is_known_is_not_minimised_again() {
    let once = one(Does::Deadlock("lock")).explored;
    let plans = vec![plan("one", "two"), prepared(plan("one", "two"), &["one"])];
    let twice = hunt(Script::new(plans).rule("one", "two", Does::Deadlock("lock")));
    assert_eq!(twice.explored, once + 1);
    assert_eq!(twice.report().numbers.repeats, 1);
}

#[test]
fn wrong_results_that_break_the_same_state_are_one_finding() {
    let plans = vec![plan("one", "one"), plan("two", "two")];
    let script =
        Script::new(plans)
            .rule("one", "one", Does::WrongResult)
            .rule("two", "two", Does::WrongResult);
    let told = hunt(script);
    assert_eq!(told.report().findings.len(), 1);
    assert_eq!(told.report().also.values().flatten().count(), 1);
}

/// All scripted calls access one field without a lock.
#[test]
fn exceptions_of_two_kinds_that_break_the_same_unguarded_state_are_one_finding() {
    let plans = vec![plan("one", "one"), plan("two", "two")];
    let script = Script::new(plans)
        .rule("one", "one", Does::Exception("java.lang.ArithmeticException", 7))
        .rule(
            "two",
            "two",
            Does::Exception("java.lang.NegativeArraySizeException", 9),
        );
    let told = hunt(script);
    assert_eq!(told.report().findings.len(), 1);
    assert_eq!(told.report().also.values().flatten().count(), 1);
}

#[test]
fn ids_do_not_depend_on_what_was_found_before() {
    let alone = hunt(Script::new(vec![plan("two", "two")]).rule("two", "two", Does::Deadlock("second")));
    let later = two_deadlocks("first", "second");
    assert_eq!(alone.report().findings[0], later.report().findings[1]);
}

#[test]
fn a_finding_tells_when_it_was_found() {
    let plans = [many(3), vec![plan("three", "three")]].concat();
    let told = hunt(Script::new(plans).rule("three", "three", Does::Deadlock("lock")));
    let finding = told.findings()[0];
    // Three plans of 10 ms, the fourth that shows it, and some to make it smaller.
    assert!(finding.after.as_millis() >= 50, "{:?}", finding.after);
    assert!(finding.after <= told.report().numbers.time);
}
