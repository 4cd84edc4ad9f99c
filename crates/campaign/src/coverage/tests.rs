//! What is said of scripted plans.

use super::*;

const ADD: &str = "add(int)";
const GET: &str = "get()";

/// A class with two methods, of which the first writes.
fn methods() -> Methods {
    Methods::scripted(&[ADD, GET], &[0], &[(0, 0), (0, 1)])
}

fn exercise(methods: &[(&str, Fared)], pairs: &[(&str, &str, Reach)]) -> Exercise {
    Exercise {
        methods: methods
            .iter()
            .map(|(name, fared)| ((*name).to_owned(), fared.clone()))
            .collect(),
        pairs: pairs
            .iter()
            .map(|(first, second, reach)| (((*first).to_owned(), (*second).to_owned()), *reach))
            .collect(),
        is_apart: pairs_apart(pairs),
        ..Exercise::default()
    }
}

fn pairs_apart(pairs: &[(&str, &str, Reach)]) -> bool {
    pairs.iter().all(|(_, _, reach)| *reach == Reach::Apart)
}

fn threw(class: &str, message: &str) -> Fared {
    Fared::Threw(class.to_owned(), message.to_owned())
}

fn of(plans: &[Exercise]) -> ClassCoverage {
    let mut exercised = Exercised::default();
    for plan in plans {
        exercised.add(&methods(), plan, true);
    }
    exercised.coverage(&methods(), &[], Vec::new())
}

#[test]
fn a_plan_that_was_made_covers_nothing() {
    let coverage = of(&[]);
    assert_eq!((coverage.pairs, coverage.covered), (2, 0));
    assert_eq!(coverage.count(Uncovered::NotTried), 2);
    assert_eq!(coverage.gaps().len(), 2, "{:?}", coverage.gaps());
}

#[test]
fn a_pair_is_covered_when_both_calls_returned_and_met() {
    let returned = [(ADD, Fared::Returned), (GET, Fared::Returned)];
    for (reach, why) in [
        (Reach::Failed, Uncovered::PlanFailed),
        (Reach::Threw, Uncovered::NeverReturned),
        (Reach::Serial, Uncovered::NeverOverlapped),
        // Once may be because there was nothing in the object.
        (Reach::Apart, Uncovered::NeverOverlapped),
    ] {
        let coverage = of(&[exercise(&returned, &[(ADD, GET, reach)])]);
        assert_eq!((coverage.covered, coverage.count(why)), (0, 1), "{reach:?}");
    }
    let coverage = of(&[exercise(&returned, &[(ADD, GET, Reach::Met)])]);
    assert_eq!((coverage.covered, coverage.apart), (1, 0));
    assert!(
        coverage.gaps().is_empty(),
        "half is enough: {:?}",
        coverage.gaps()
    );
}

#[test]
fn two_plans_that_share_nothing_cover_a_pair() {
    let plan = exercise(&[(ADD, Fared::Returned)], &[(ADD, ADD, Reach::Apart)]);
    let coverage = of(&[plan.clone(), plan]);
    assert_eq!((coverage.covered, coverage.apart), (1, 1));
    assert!(!coverage.shares_nothing, "the analysis says that it writes");
}

#[test]
fn a_method_that_writes_and_never_returned_is_a_gap() {
    let met = [
        (GET, GET, Reach::Met),
        (ADD, GET, Reach::Met),
        (ADD, ADD, Reach::Met),
    ];
    let plan = |fared| exercise(&[(ADD, fared), (GET, Fared::Returned)], &met);
    let plans = [
        plan(threw("a.Problem", "1 is odd")),
        plan(Fared::Hung),
        plan(threw("a.Problem", "3 is odd")),
    ];
    let coverage = of(&plans);
    let [silent] = &*coverage.silent else {
        panic!("{:?}", coverage.silent);
    };
    assert_eq!(
        (silent.method.as_str(), silent.is_mutator, silent.plans),
        (ADD, true, 3)
    );
    assert_eq!(silent.why, "a.Problem: 1 is odd");
    let gaps = coverage.gaps();
    assert_eq!(
        gaps,
        ["add(int) changes state and never returned normally; add(int): a.Problem: 1 is odd"]
    );
    let returned = [plans.as_slice(), &[plan(Fared::Returned)]].concat();
    assert!(of(&returned).gaps().is_empty());
}

#[test]
fn an_overload_that_returned_stands_in_for_one_that_never_did() {
    let other = "add(java.lang.Object)";
    let methods = Methods::scripted(&[ADD, other], &[0, 1], &[(0, 1)]);
    let mut exercised = Exercised::default();
    let plan = exercise(
        &[(ADD, Fared::Hung), (other, Fared::Returned)],
        &[(ADD, other, Reach::Met)],
    );
    exercised.add(&methods, &plan, true);
    let coverage = exercised.coverage(&methods, &[], Vec::new());
    assert_eq!((coverage.silent.len(), coverage.gaps().len()), (1, 0));
}

#[test]
fn a_method_that_only_reads_may_throw() {
    let met = [(ADD, ADD, Reach::Met)];
    let coverage = of(&[exercise(&[(ADD, Fared::Returned), (GET, Fared::Hung)], &met)]);
    assert_eq!(coverage.silent[0].why, "hung");
    assert!(!coverage.silent[0].is_mutator && coverage.gaps().is_empty());
}

#[test]
fn a_method_that_no_plan_can_call_says_why() {
    let skipped = [(ADD.to_owned(), "it is hidden".to_owned())];
    let coverage = Exercised::default().coverage(&methods(), &skipped, Vec::new());
    assert_eq!(coverage.silent[0].why, "never called: it is hidden");
}

#[test]
fn a_class_that_writes_nothing_and_whose_runs_share_nothing_says_so() {
    let methods = Methods::scripted(&[GET], &[], &[]);
    let mut exercised = Exercised::default();
    exercised.add(
        &methods,
        &exercise(&[(GET, Fared::Returned)], &[(GET, GET, Reach::Apart)]),
        true,
    );
    assert!(exercised.coverage(&methods, &[], Vec::new()).shares_nothing);
    exercised.add(
        &methods,
        &exercise(&[(GET, Fared::Returned)], &[(GET, GET, Reach::Met)]),
        true,
    );
    assert!(!exercised.coverage(&methods, &[], Vec::new()).shares_nothing);
}
