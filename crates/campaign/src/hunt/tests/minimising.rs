//! Violations are made as small as they can be, and stay what they are.

use raddle_plan::{Argument, TestPlan};

use super::scripted::*;

fn minimal(plan: TestPlan, does: Does) -> TestPlan {
    let told = hunt(Script::new(vec![plan]).rule("one", "two", does));
    let findings = told.findings();
    assert_eq!(findings.len(), 1);
    assert!(findings[0].is_minimal);
    findings[0].recording.plan.clone()
}

#[test]
fn calls_before_the_threads_are_left_out() {
    let large = prepared(plan("one", "two"), &["three", "three", "one"]);
    assert_eq!(minimal(large, Does::Deadlock("lock")), plan("one", "two"));
}

#[test]
fn calls_of_the_threads_are_left_out() {
    let large = threads(&[&["three", "one", "three"], &["two", "three"]]);
    assert_eq!(minimal(large, Does::Deadlock("lock")), plan("one", "two"));
}

#[test]
fn threads_are_left_out() {
    let large = threads(&[&["one"], &["three"], &["two"]]);
    assert_eq!(minimal(large, Does::Deadlock("lock")), plan("one", "two"));
}

#[test]
fn arguments_become_simpler() {
    let large = threads(&[&["four"], &["two"]]);
    let told = hunt(Script::new(vec![large]).rule("four", "two", Does::Deadlock("lock")));
    let smallest = &told.findings()[0].recording.plan;
    assert_eq!(smallest.threads[0][0].args, [Argument::Int(0)]);
}

#[test]
fn what_the_violation_needs_stays() {
    let smallest = minimal(threads(&[&["one", "one"], &["two"]]), Does::WrongResult);
    let methods: Vec<&str> = smallest
        .threads
        .iter()
        .flatten()
        .map(|call| call.member.name.as_str())
        .collect();
    assert_eq!(methods, ["one", "two"]);
}

#[test]
fn a_smaller_plan_with_another_fault_is_not_taken() {
    // Without the call of `three`, the threads deadlock elsewhere.
    let script = Script::new(vec![threads(&[&["one", "three"], &["two"]])])
        .rule("three", "two", Does::Deadlock("first"))
        .rule("one", "two", Does::Deadlock("second"));
    let told = hunt(script);
    assert_eq!(told.findings()[0].recording.plan, plan("three", "two"));
}

#[test]
fn a_finding_says_how_large_it_was() {
    let large = prepared(plan("one", "two"), &["three", "three"]);
    let told = hunt(Script::new(vec![large]).rule("one", "two", Does::Deadlock("lock")));
    let finding = told.findings()[0];
    assert_eq!((finding.first_calls, finding.recording.plan.call_count()), (5, 3));
    assert_eq!(
        finding.preemptions,
        Some(0),
        "the script shows it under any schedule"
    );
}

#[test]
fn minimising_ends_after_so_many_tries() {
    let calls = vec!["three"; 90];
    let large = prepared(plan("one", "two"), &calls);
    let told = hunt(Script::new(vec![large]).rule("one", "two", Does::Deadlock("lock")));
    assert!(told.explored <= 85, "{}", told.explored);
    assert_eq!(told.findings().len(), 1);
}
