//! Violations are repeated in fresh JVMs before they count.

use super::scripted::*;
use crate::event::Conclusion;

fn confirmed_by(confirms: fn(usize) -> bool, instead: Does) -> Told {
    let script = Script {
        confirms,
        instead,
        ..Script::new(vec![plan("one", "two")])
    };
    hunt(script.rule("one", "two", Does::Deadlock("lock")))
}

#[test]
fn a_finding_was_repeated_in_two_fresh_jvms() {
    let told = confirmed_by(|_| true, Does::Right);
    assert_eq!((told.report().findings.len(), told.replayed), (1, 2));
}

#[test]
fn what_no_fresh_jvm_shows_is_a_sighting_and_no_finding() {
    let told = confirmed_by(|_| false, Does::Right);
    assert!(told.findings().is_empty() && told.report().findings.is_empty());
    let sighting = &told.report().sightings[0];
    assert_eq!(sighting.why, "a fresh JVM came to another verdict");
    assert_eq!(sighting.methods, ["one()", "two()"]);
    assert!(!sighting.is_no_violation);
}

#[test]
fn once_is_not_enough() {
    let told = confirmed_by(|number| number < 1, Does::Right);
    assert_eq!(
        (told.report().findings.len(), told.report().sightings.len()),
        (0, 1)
    );
    assert_eq!(told.replayed, 2);
}

#[test]
fn another_deadlock_in_a_fresh_jvm_confirms_nothing() {
    let told = confirmed_by(|_| false, Does::Deadlock("other"));
    assert_eq!(
        (told.report().findings.len(), told.report().sightings.len()),
        (0, 1)
    );
}

#[test]
fn a_fresh_jvm_that_dies_confirms_nothing() {
    let told = confirmed_by(|_| false, Does::DiesAtOnce);
    assert!(told.result.is_ok());
    assert_eq!(
        (told.report().findings.len(), told.report().sightings.len()),
        (0, 1)
    );
}

#[test]
fn a_sighting_is_neither_a_violation_nor_nothing() {
    let told = confirmed_by(|_| false, Does::Right);
    assert_eq!(told.report().conclusion(), Conclusion::Inconclusive);
    let gap = "a violation was seen that could not be confirmed".to_owned();
    assert!(told.report().gaps.contains(&gap));
}

#[test]
fn the_same_sighting_is_looked_into_twice_and_then_left() {
    let plans = (0..5).map(|number| prepared(plan("one", "two"), &vec!["one"; number]));
    let script = Script {
        confirms: |_| false,
        ..Script::new(plans.collect())
    };
    let told = hunt(script.rule("one", "two", Does::Deadlock("lock")));
    assert_eq!(told.replayed, 2, "of four tries each that fails counts twice");
    assert_eq!(
        (told.report().sightings.len(), told.report().numbers.repeats),
        (2, 3)
    );
}

#[test]
fn what_is_not_confirmed_at_first_may_be_confirmed_later() {
    let plans = vec![plan("one", "two"), prepared(plan("one", "two"), &["one"])];
    let script = Script {
        confirms: |number| number >= 1,
        ..Script::new(plans)
    };
    let told = hunt(script.rule("one", "two", Does::Deadlock("lock")));
    assert_eq!(
        (told.report().findings.len(), told.report().sightings.len()),
        (1, 1)
    );
}

#[test]
fn a_class_without_findings_needs_tests_that_are_known_to_fail() {
    let told = hunt(Script::new(vec![plan("one", "one")]));
    assert_eq!(
        told.probed, 0,
        "most pairs are not covered, so there is nothing to earn"
    );
    let told = hunt(Script::new(all_pairs()));
    assert_eq!(
        (told.probed, told.report().conclusion()),
        (1, Conclusion::NothingFound)
    );
}

#[test]
fn a_test_that_is_known_to_fail_and_does_not_is_a_gap() {
    let script = Script {
        missed: vec!["the racy one".to_owned()],
        ..Script::new(all_pairs())
    };
    let told = hunt(script);
    assert_eq!(
        told.report().gaps,
        ["a test that is known to fail did not: the racy one"]
    );
}

#[test]
fn they_are_run_once_in_a_hunt() {
    let classes = [CLASS, CLASS];
    let told = hunt_classes(Script::new(all_pairs()), options(), &classes, None);
    assert_eq!((told.reports().len(), told.probed), (2, 1));
}

fn all_pairs() -> Vec<raddle_plan::TestPlan> {
    let methods = ["one", "two", "three", "four"];
    let pairs = methods
        .iter()
        .flat_map(|first| methods.iter().map(move |second| plan(first, second)));
    pairs.collect()
}
