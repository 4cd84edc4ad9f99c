//! What is counted: pairs, plans, schedules.

use super::scripted::*;
use crate::coverage::Uncovered;

#[test]
fn every_pair_of_the_class_could_break() {
    let told = hunt(Script::new(Vec::new()));
    assert_eq!(told.report().coverage.pairs, 10, "four methods, each with each");
    assert_eq!(told.report().coverage.count(Uncovered::NotTried), 10);
}

#[test]
fn a_pair_whose_calls_met_is_covered() {
    let told = hunt(Script::new(vec![plan("one", "two"), plan("three", "three")]));
    let numbers = &told.report().numbers;
    assert_eq!(
        (numbers.pairs, numbers.pairs_tried, numbers.pairs_covered),
        (10, 2, 2)
    );
}

#[test]
fn a_pair_whose_calls_never_met_is_tried_and_not_covered() {
    let told = hunt(Script::new(vec![plan("one", "two")]).rule("one", "two", Does::RightAndSerial));
    let numbers = &told.report().numbers;
    assert_eq!((numbers.pairs_tried, numbers.pairs_covered), (1, 0));
    assert_eq!(told.report().coverage.count(Uncovered::NeverOverlapped), 1);
}

#[test]
fn a_pair_that_shares_nothing_is_covered_by_the_second_plan() {
    let covered = |plans: Vec<raddle_plan::TestPlan>| {
        let told = hunt(Script::new(plans).rule("one", "two", Does::RightAndApart));
        (told.report().coverage.covered, told.report().coverage.apart)
    };
    assert_eq!(covered(many(1)), (0, 0));
    assert_eq!(covered(many(2)), (1, 1));
}

#[test]
fn calls_that_always_throw_cover_nothing() {
    let told = hunt(Script::new(vec![plan("one", "two")]).rule("one", "two", Does::AlwaysThrows));
    assert_eq!(told.report().coverage.count(Uncovered::NeverReturned), 1);
    let silent: Vec<&str> = told
        .report()
        .coverage
        .silent
        .iter()
        .filter(|silent| silent.plans > 0)
        .map(|silent| silent.method.as_str())
        .collect();
    assert_eq!(silent, ["one()", "two()"]);
}

#[test]
fn a_plan_that_was_refused_covers_nothing() {
    let told = hunt(Script::new(vec![plan("one", "two")]).rule("one", "two", Does::Refused));
    assert_eq!(told.report().coverage.count(Uncovered::PlanFailed), 1);
    assert_eq!(told.report().numbers.pairs_tried, 0);
}

#[test]
fn the_strategy_hears_which_pairs_met() {
    let told = hunt(Script::new(vec![plan("one", "two"), plan("three", "three")]));
    assert_eq!(told.heard[0].1.covered.len(), 1);
    assert_ne!(told.heard[0].1.covered, told.heard[1].1.covered);
}

#[test]
fn schedules_and_steps_are_added_up() {
    let told = hunt(Script::new(many(3)).rule("one", "two", Does::RightAndSerial));
    let numbers = &told.report().numbers;
    // A plan whose calls do not get in each other's way has one stage; more schedules than orders ask for a second one.
    assert_eq!(numbers.schedules, told.explored as u64 * SCHEDULES);
    assert_eq!(numbers.steps, told.explored as u64 * STEPS);
}

#[test]
fn what_minimising_takes_is_counted_too() {
    let told = hunt(Script::new(vec![plan("one", "two")]).rule("one", "two", Does::Deadlock("lock")));
    assert!(told.explored > 1);
    assert_eq!(told.report().numbers.schedules, told.explored as u64 * SCHEDULES);
}

#[test]
fn more_schedules_come_after_the_first_ones_only_where_they_may_show_more() {
    let explored = |does| hunt(Script::new(many(1)).rule("one", "two", does)).explored;
    assert_eq!(
        explored(Does::Right),
        2,
        "more schedules than orders: calls got in each other's way"
    );
    assert_eq!(explored(Does::Refused), 1);
    assert_eq!(explored(Does::CannotPrepare), 1);
}

#[test]
fn the_time_of_a_class_is_what_passed() {
    let told = hunt(Script::new(many(2)));
    assert_eq!(told.report().numbers.time.as_millis(), 10 * told.explored as u128);
}
