//! A hunt that is interrupted and resumed comes to the same end.

use super::scripted::*;
use crate::error::HuntError;
use crate::event::{ClassReport, HuntEvent, Numbers};
use crate::journal::Known;
use crate::options::HuntOptions;

/// Plans that do what is right, that fail, with two findings, of which one is seen again, and a sighting.
fn script() -> Script {
    let mut plans = many(3);
    plans.push(plan("one", "one"));
    plans.push(plan("four", "four"));
    plans.push(plan("two", "two"));
    plans.push(prepared(plan("one", "one"), &["two"]));
    plans.push(plan("three", "three"));
    plans.push(plan("one", "three"));
    Script::new(plans)
        .rule("one", "one", Does::Deadlock("first"))
        .rule("two", "two", Does::WrongResult)
        .rule("three", "three", Does::Deadlock("first"))
        .rule("four", "four", Does::Refused)
}

/// What a report says, times aside.
fn said(report: &ClassReport) -> impl PartialEq + std::fmt::Debug {
    let numbers = Numbers {
        time: std::time::Duration::ZERO,
        ..report.numbers
    };
    (
        (
            report.findings.clone(),
            report.also.clone(),
            report.sightings.clone(),
        ),
        (report.gaps.clone(), report.notes.clone(), report.coverage.clone()),
        (
            numbers.plans,
            numbers.failed_plans,
            numbers.pairs_tried,
            numbers.pairs_covered,
        ),
        report.conclusion(),
    )
}

fn resumes_everywhere(make: fn() -> Script, options: fn() -> HuntOptions) {
    let whole = hunt_with(make(), options());
    for events in 0..whole.events.len() {
        let resumed = resume(make(), options(), whole.known_after(events));
        assert!(resumed.result.is_ok(), "after {events} events");
        assert_eq!(
            said(resumed.report()),
            said(whole.report()),
            "after {events} events"
        );
    }
}

#[test]
fn after_every_event() {
    resumes_everywhere(script, options);
}

#[test]
fn after_every_event_with_two_workers() {
    resumes_everywhere(script, || two_jobs(options()));
}

#[test]
fn after_every_event_with_a_limit_of_plans() {
    resumes_everywhere(script, || HuntOptions {
        max_plans: Some(7),
        ..options()
    });
}

#[test]
fn after_every_event_of_a_hunt_in_which_nothing_is_confirmed() {
    let make = || Script {
        confirms: |_| false,
        ..script()
    };
    resumes_everywhere(make, options);
}

#[test]
fn after_every_event_of_a_hunt_that_ends_at_the_first_finding() {
    resumes_everywhere(script, || HuntOptions {
        stop_at_first: true,
        ..options()
    });
}

#[test]
fn schedules_are_counted_as_in_one_go_if_it_stopped_between_plans() {
    let whole = hunt(script());
    for (at, event) in whole.events.iter().enumerate() {
        if matches!(event, HuntEvent::Tried(_)) {
            let resumed = resume(script(), options(), whole.known_after(at + 1));
            let count = |numbers: Numbers| (numbers.schedules, numbers.steps, numbers.repeats, numbers.time);
            assert_eq!(
                count(resumed.report().numbers),
                count(whole.report().numbers),
                "{at}"
            );
        }
    }
}

#[test]
fn nothing_that_is_known_is_run_again() {
    let whole = hunt(script());
    let resumed = resume(script(), options(), whole.known_after(whole.events.len()));
    assert_eq!((resumed.explored, resumed.replayed), (0, 0));
    assert_eq!(
        resumed.numbers(),
        whole.numbers(),
        "the strategy hears all of it again"
    );
}

#[test]
fn a_finding_of_a_plan_that_was_under_way_is_not_minimised_again() {
    let whole = hunt(script());
    let found = whole
        .events
        .iter()
        .position(|event| matches!(event, HuntEvent::Found(_)))
        .unwrap();
    let resumed = resume(script(), options(), whole.known_after(found + 1));
    assert_eq!(resumed.report().findings, whole.report().findings);
    assert!(resumed.replayed < whole.replayed);
}

#[test]
fn the_budget_that_was_used_is_not_used_again() {
    let options = || HuntOptions {
        budget: std::time::Duration::from_millis(100),
        ..options()
    };
    let whole = hunt_with(Script::new(many(50)), options());
    let half = whole.events.len() / 2;
    let resumed = resume(Script::new(many(50)), options(), whole.known_after(half));
    assert_eq!(resumed.report().numbers.plans, whole.report().numbers.plans);
}

#[test]
fn a_finding_that_is_missing_is_told() {
    let whole = hunt(script());
    let known = Known {
        untried: Vec::new(),
        findings: Vec::new(),
        ..whole.known_after(whole.events.len())
    };
    let error = resume(script(), options(), known).result.unwrap_err();
    assert!(matches!(error, HuntError::Resume { .. }), "{error}");
}

#[test]
fn other_plans_than_then_are_told() {
    let whole = hunt(script());
    let mut other = script();
    other.plans.swap(0, 5);
    let known = whole.known_after(whole.events.len());
    let error = resume(other, options(), known).result.unwrap_err();
    assert!(
        error.to_string().contains("other plans are made now than then"),
        "{error}"
    );
}

#[test]
fn a_resumed_hunt_says_so() {
    let whole = hunt(script());
    let is_resumed = |told: &Told| {
        told.events
            .iter()
            .any(|event| matches!(event, HuntEvent::Begun(begun) if begun.is_resumed))
    };
    assert!(!is_resumed(&whole));
    assert!(is_resumed(&resume(script(), options(), whole.known_after(4))));
}

#[test]
fn plans_that_were_under_way_are_in_the_package_that_they_have_to_be_in() {
    let make = || Script {
        before: Box::new(|_, plan| assert_eq!(plan.package.as_deref(), Some("scripted"))),
        ..Script::new(many(9))
    };
    let hidden = ["scripted.Hidden"];
    let whole = hunt_classes(make(), two_jobs(options()), &hidden, None);
    assert_eq!(whole.numbers().len(), 9);
    let known = whole.known_after(whole.events.len() / 2);
    let resumed = hunt_classes(make(), two_jobs(options()), &hidden, Some(known));
    assert!(resumed.result.is_ok());
    assert_eq!(resumed.numbers(), whole.numbers());
}
