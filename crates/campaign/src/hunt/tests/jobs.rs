//! Several workers at the same time.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex};

use super::scripted::*;
use crate::options::HuntOptions;

#[test]
fn the_strategy_hears_of_plans_in_the_order_in_which_it_made_them() {
    // The first plan ends after the second one has been begun, by the other worker.
    let begun: &'static (Mutex<BTreeSet<usize>>, Condvar) = Box::leak(Box::default());
    let script = Script {
        before: Box::new(move |_, plan| {
            let (set, changed) = begun;
            let number = number(plan);
            let mut set = set.lock().unwrap();
            set.insert(number);
            changed.notify_all();
            while number == 0 && !set.contains(&1) {
                set = changed.wait(set).unwrap();
            }
        }),
        ..Script::new(many(6))
    };
    let told = hunt_with(script, two_jobs(options()));
    assert_eq!(told.numbers(), [0, 1, 2, 3, 4, 5]);
}

/// Plans with faults among others.
fn script() -> Script {
    let mut plans = many(5);
    plans.insert(1, plan("one", "one"));
    plans.insert(4, plan("two", "two"));
    plans.push(plan("three", "three"));
    Script::new(plans)
        .rule("one", "one", Does::Deadlock("first"))
        .rule("two", "two", Does::WrongResult)
        .rule(
            "three",
            "three",
            Does::Exception("java.lang.ArithmeticException", 7),
        )
}

#[test]
fn two_workers_find_what_one_finds() {
    let one = hunt(script());
    let two = hunt_with(script(), two_jobs(options()));
    assert_eq!(one.report().findings, two.report().findings);
    assert_eq!(one.report().findings.len(), 3);
    assert_eq!(one.numbers(), two.numbers());
    let counted = |told: &Told| {
        let numbers = told.report().numbers;
        (
            numbers.plans,
            numbers.schedules,
            numbers.steps,
            numbers.pairs_covered,
        )
    };
    assert_eq!(counted(&one), counted(&two));
}

#[test]
fn the_limit_of_plans_is_kept_with_two_workers() {
    let options = HuntOptions {
        max_plans: Some(3),
        ..two_jobs(options())
    };
    let told = hunt_with(Script::new(many(30)), options);
    assert_eq!(told.numbers(), [0, 1, 2]);
}

#[test]
fn the_first_finding_is_the_first_by_plan_with_two_workers() {
    let options = |jobs: fn(HuntOptions) -> HuntOptions| {
        jobs(HuntOptions {
            stop_at_first: true,
            ..options()
        })
    };
    let one = hunt_with(script(), options(|options| options));
    let two = hunt_with(script(), options(two_jobs));
    assert_eq!(one.report().findings, two.report().findings);
    assert_eq!(two.report().findings.len(), 1);
}

#[test]
fn an_error_of_one_worker_ends_the_hunt_with_two() {
    let script = Script::new(many(4)).rule("one", "two", Does::NoWorker);
    assert!(hunt_with(script, two_jobs(options())).result.is_err());
}
