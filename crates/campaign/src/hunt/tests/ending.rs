//! When a hunt is over.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::scripted::*;
use crate::event::{Conclusion, HuntEvent};
use crate::options::HuntOptions;

#[test]
fn a_strategy_with_nothing_more_to_offer_ends_the_hunt() {
    let told = hunt(Script::new(many(3)));
    assert!(told.result.is_ok());
    assert_eq!(told.numbers(), [0, 1, 2]);
    assert_eq!(told.report().numbers.plans, 3);
    assert_eq!(told.report().notes, [""; 0]);
}

#[test]
fn events_begin_with_the_worker_and_end_with_the_class() {
    let told = hunt(Script::new(many(1)));
    let names: Vec<&str> = told
        .events
        .iter()
        .map(|event| match event {
            HuntEvent::Ready(_) => "ready",
            HuntEvent::Begun(_) => "begun",
            HuntEvent::Progress(_) => "progress",
            HuntEvent::Found(_) => "found",
            HuntEvent::Also(_) => "also",
            HuntEvent::Tried(_) => "tried",
            HuntEvent::Ended(_) => "ended",
            HuntEvent::StockJvm(_) => "stock JVM",
            HuntEvent::AwaitingStockJvm(_) => "awaiting stock JVMs",
        })
        .collect();
    assert_eq!(names, ["ready", "begun", "progress", "tried", "ended"]);
}

#[test]
fn a_used_up_budget_ends_the_hunt() {
    let script = Script {
        takes: Duration::from_millis(1800),
        ..Script::new(many(100))
    };
    let options = HuntOptions {
        budget: Duration::from_secs(9),
        ..options()
    };
    let told = hunt_with(script, options);
    // Each takes more than its share of a second, and so has no second stage. The fifth ends with the budget.
    assert_eq!(told.numbers(), [0, 1, 2, 3, 4]);
    assert_eq!(told.explored, 5);
    assert!(told.heard.iter().all(|(_, feedback)| feedback.is_slow));
}

#[test]
fn a_plan_that_ends_within_the_grace_counts_and_one_after_it_does_not() {
    let ends_after = |millis: u64| {
        let script = Script {
            takes: Duration::from_millis(millis),
            ..Script::new(many(5))
        };
        let options = HuntOptions {
            budget: Duration::from_secs(1),
            ..options()
        };
        hunt_with(script, options).numbers().len()
    };
    assert_eq!(ends_after(1999), 1);
    assert_eq!(ends_after(2001), 0);
}

#[test]
fn a_violation_that_comes_too_late_is_a_finding_all_the_same() {
    let script = Script {
        takes: Duration::from_mins(1),
        ..Script::new(vec![plan("one", "two")])
    };
    let options = HuntOptions {
        budget: Duration::from_secs(1),
        ..options()
    };
    let told = hunt_with(script.rule("one", "two", Does::Deadlock("lock")), options);
    assert_eq!(told.report().findings.len(), 1);
}

#[test]
fn no_time_at_all_is_said() {
    let options = HuntOptions {
        budget: Duration::ZERO,
        ..options()
    };
    let told = hunt_with(Script::new(many(3)), options);
    assert_eq!(told.explored, 0);
    assert_eq!(
        told.report().gaps,
        ["no plan was run: the budget of 0 ms was used up before the first; --budget allows more"]
    );
    assert_eq!(told.report().conclusion(), Conclusion::Inconclusive);
}

#[test]
fn time_that_passes_does_not_change_what_is_done() {
    let run = |takes: Duration| {
        let script = Script {
            takes,
            ..Script::new(many(6))
        };
        hunt(script.rule("one", "two", Does::WrongResult)).numbers()
    };
    assert_eq!(run(Duration::ZERO), run(Duration::from_millis(900)));
}

#[test]
fn the_limit_of_plans_ends_the_hunt_and_is_said() {
    let options = HuntOptions {
        max_plans: Some(4),
        ..options()
    };
    let told = hunt_with(Script::new(many(10)), options);
    assert_eq!(told.numbers(), [0, 1, 2, 3]);
    assert_eq!(
        told.report().notes,
        ["stopped after 4 plans, as --max-plans says"]
    );
}

#[test]
fn plans_that_fail_count_for_the_limit_of_plans() {
    let options = HuntOptions {
        max_plans: Some(3),
        ..options()
    };
    let told = hunt_with(Script::new(many(10)).rule("one", "two", Does::Refused), options);
    assert_eq!(
        (told.report().numbers.plans, told.report().numbers.failed_plans),
        (0, 3)
    );
}

#[test]
fn a_limit_of_no_plans_runs_none() {
    let options = HuntOptions {
        max_plans: Some(0),
        ..options()
    };
    assert_eq!(hunt_with(Script::new(many(2)), options).explored, 0);
}

/// Three faults, each in a plan of its own.
fn three_faults() -> Script {
    let plans = vec![plan("one", "one"), plan("two", "two"), plan("three", "three")];
    Script::new(plans)
        .rule("one", "one", Does::Deadlock("first"))
        .rule("two", "two", Does::Deadlock("second"))
        .rule("three", "three", Does::Deadlock("third"))
}

#[test]
fn the_first_finding_ends_the_hunt_if_that_is_asked_for() {
    let options = HuntOptions {
        stop_at_first: true,
        ..options()
    };
    let told = hunt_with(three_faults(), options);
    assert_eq!((told.report().findings.len(), told.numbers().len()), (1, 1));
    assert_eq!(told.report().notes, [""; 0], "nobody asked for more");
}

#[test]
fn all_findings_are_there_if_it_is_not() {
    let told = hunt(three_faults());
    assert_eq!((told.report().findings.len(), told.numbers().len()), (3, 3));
}

#[test]
fn the_limit_of_findings_ends_the_class_and_is_said() {
    let options = HuntOptions {
        max_findings: 2,
        ..options()
    };
    let told = hunt_with(three_faults(), options);
    assert_eq!(told.report().findings.len(), 2);
    assert_eq!(
        told.report().notes,
        ["stopped after 2 findings, as --max-findings says"]
    );
}

#[test]
fn the_first_finding_of_any_class_ends_the_hunt_if_that_is_asked_for() {
    let stop = |stop_at_first| HuntOptions {
        stop_at_first,
        ..options()
    };
    let classes = [CLASS, "scripted.Other"];
    let of = |stop_at_first| {
        hunt_classes(three_faults(), stop(stop_at_first), &classes, None)
            .reports()
            .len()
    };
    assert_eq!((of(true), of(false)), (1, 2));
}

#[test]
fn a_cancelled_hunt_ends_after_the_plan_that_is_under_way() {
    let options = options();
    let cancel = Arc::clone(&options.cancel);
    let script = Script {
        before: Box::new(move |number, _| cancel.store(number >= 1, Ordering::SeqCst)),
        ..Script::new(many(10))
    };
    let told = hunt_with(script, options);
    assert_eq!(told.explored, 2);
    assert!(told.report().is_interrupted);
    assert!(
        told.report()
            .gaps
            .contains(&"the hunt was ended by ^C".to_owned())
    );
}

#[test]
fn a_cancelled_hunt_begins_no_other_class() {
    let options = options();
    options.cancel.store(true, Ordering::SeqCst);
    let told = hunt_classes(Script::new(many(3)), options, &[CLASS, "scripted.Other"], None);
    assert_eq!((told.reports().len(), told.explored), (1, 0));
}

#[test]
fn a_finding_of_a_cancelled_hunt_is_kept_and_is_not_minimal() {
    let options = options();
    let cancel = Arc::clone(&options.cancel);
    let script = Script {
        before: Box::new(move |_, _| cancel.store(true, Ordering::SeqCst)),
        ..Script::new(vec![prepared(plan("one", "two"), &["one", "one"])])
    };
    let told = hunt_with(script.rule("one", "two", Does::Deadlock("lock")), options);
    let findings = told.findings();
    assert_eq!(findings.len(), 1);
    assert!(!findings[0].is_minimal);
    assert_eq!(findings[0].recording.plan.prefix.len(), 3, "nothing was left out");
}

#[test]
fn plans_whose_objects_cannot_be_made_end_the_class_in_the_end() {
    let told = hunt(Script::new(many(500)).rule("one", "two", Does::CannotPrepare));
    assert_eq!(told.report().numbers.failed_plans, 400);
    assert_eq!(
        told.report().notes,
        ["left early: every other test would begin with calls like those that threw before"]
    );
}

#[test]
fn one_object_that_can_be_made_begins_the_count_anew() {
    let mut plans = many(300);
    plans.push(plan("three", "three"));
    plans.extend(many(300));
    let told = hunt(Script::new(plans).rule("one", "two", Does::CannotPrepare));
    assert_eq!(told.report().numbers.failed_plans, 600);
}
