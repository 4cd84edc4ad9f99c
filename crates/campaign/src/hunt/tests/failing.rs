//! Plans that cannot be run, workers that die, and no workers at all.

use super::scripted::*;
use crate::error::HuntError;
use crate::event::Conclusion;

fn one_then_right(does: Does) -> Told {
    let plans = vec![plan("one", "one"), plan("two", "two")];
    hunt(Script::new(plans).rule("one", "one", does))
}

#[test]
fn a_plan_that_is_refused_does_not_end_the_hunt() {
    let told = one_then_right(Does::Refused);
    assert_eq!(
        (told.report().numbers.plans, told.report().numbers.failed_plans),
        (1, 1)
    );
    assert_eq!(told.heard[0].1.refused.as_deref(), Some("it is no good"));
    assert_eq!(told.heard[1].1.refused, None);
    assert_eq!(told.report().coverage.failures, [("it is no good".to_owned(), 1)]);
}

#[test]
fn a_worker_that_dies_at_once_costs_its_plan_only() {
    let told = one_then_right(Does::DiesAtOnce);
    assert!(told.result.is_ok());
    assert_eq!(
        (told.report().numbers.plans, told.report().numbers.failed_plans),
        (1, 1)
    );
    assert!(told.heard[0].1.refused.is_some());
}

#[test]
fn a_plan_that_kills_two_workers_is_dropped() {
    let told = one_then_right(Does::Dies(2));
    let refused = told.heard[0].1.refused.clone().unwrap();
    assert!(
        refused.starts_with("dropped after 2 JVMs died over it: "),
        "{refused}"
    );
    assert_eq!(told.report().numbers.failed_plans, 1);
}

#[test]
fn a_plan_that_kills_one_worker_is_judged_by_what_the_next_one_shows() {
    let told = one_then_right(Does::Dies(1));
    assert_eq!(told.heard[0].1.refused, None);
    assert_eq!(told.report().numbers.plans, 2);
}

#[test]
fn no_worker_at_all_ends_the_hunt_with_an_error() {
    let told = one_then_right(Does::NoWorker);
    assert!(matches!(told.result, Err(HuntError::Session(_))));
    assert!(told.reports().is_empty());
}

#[test]
fn deaths_are_not_findings() {
    let told = one_then_right(Does::Dies(2));
    assert!(told.findings().is_empty() && told.report().sightings.is_empty());
}

#[test]
fn nothing_but_failures_says_nothing_of_the_class() {
    let told = hunt(Script::new(many(3)).rule("one", "two", Does::Refused));
    assert_eq!(told.report().conclusion(), Conclusion::Inconclusive);
    assert_eq!(told.report().gaps, ["no plan could be run and judged"]);
}

#[test]
fn more_failures_than_plans_are_a_gap() {
    let plans = vec![
        plan("one", "one"),
        prepared(plan("one", "one"), &["one"]),
        plan("two", "two"),
    ];
    let told = hunt(Script::new(plans).rule("one", "one", Does::Refused));
    let gap = "2 of 3 plans could not be run or judged".to_owned();
    assert!(told.report().gaps.contains(&gap), "{:?}", told.report().gaps);
}

#[test]
fn reasons_that_differ_in_numbers_only_are_counted_together() {
    let told = hunt(Script::new(many(4)).rule("one", "two", Does::Dies(2)));
    assert_eq!(told.report().coverage.failures.len(), 1);
    assert_eq!(told.report().coverage.failures[0].1, 4);
}

#[test]
fn the_strategy_hears_what_the_prefix_threw() {
    let told = one_then_right(Does::CannotPrepare);
    let exception = "java.lang.IllegalArgumentException".to_owned();
    assert_eq!(told.heard[0].1.prefix_threw, Some((0, exception)));
    assert_eq!(told.heard[1].1.prefix_threw, None);
}

#[test]
fn the_strategy_hears_which_calls_always_throw() {
    let told = one_then_right(Does::AlwaysThrows);
    let thrown: Vec<usize> = told.heard[0]
        .1
        .always_throws
        .iter()
        .map(|(call, _)| *call)
        .collect();
    assert_eq!(thrown, [1, 2]);
    assert_eq!(told.heard[1].1.always_throws, []);
}

#[test]
fn a_plan_that_does_not_hold_together_is_not_run() {
    let mut broken = plan("one", "one");
    broken.prefix.clear();
    let told = hunt(Script::new(vec![broken, plan("two", "two")]));
    assert_eq!(told.report().numbers.failed_plans, 1);
    assert!(told.heard[0].1.refused.is_some());
}
