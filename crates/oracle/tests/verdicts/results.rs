//! Wrong results.

use raddle_oracle::{Baseline, Difference, Evidence, Judgement, Kind, judge};
use raddle_plan::{CallResult, End};

use crate::made::{baseline, completed, plan, returned, run, stuck, threw, violation};

#[test]
fn results_of_some_linearization_are_clean() {
    let baseline = baseline(&[completed(&["", "1", "2", "2"]), completed(&["", "2", "1", "2"])]);
    assert_eq!(
        judge(&baseline, &completed(&["", "2", "1", "2"])),
        Judgement::Clean
    );
}

#[test]
fn a_result_that_no_linearization_has_is_a_violation() {
    let baseline =
        baseline(&[completed(&["", "1", "2", "2"]), completed(&["", "2", "1", "2"])]).of_plan(&plan());
    let found = violation(&baseline, &completed(&["", "1", "2", "1"]));
    assert_eq!(found.kind, Kind::Result);
    assert_eq!(
        found.summary,
        "Wrong result: Box.size after the threads returned 1; one at a time it returns 2."
    );
    assert_eq!(found.decisive_calls(), [3]);
    let Evidence::Result {
        results, differences, ..
    } = found.evidence
    else {
        panic!()
    };
    assert_eq!(results.len(), 4);
    assert_eq!(
        differences,
        [Difference {
            call: 3,
            got: "returned 1".to_owned(),
            sequential: vec!["returned 2".to_owned()],
        }]
    );
}

#[test]
fn results_that_only_together_fit_no_linearization_are_a_violation() {
    // A counter that both threads read before either wrote.
    let baseline =
        baseline(&[completed(&["", "1", "2", "2"]), completed(&["", "2", "1", "2"])]).of_plan(&plan());
    let found = violation(&baseline, &completed(&["", "1", "1", "2"]));
    assert_eq!(found.kind, Kind::Result);
    assert_eq!(
        found.summary,
        "Wrong result: Box.take in thread 1 returned 1 and Box.put in thread 2 returned 1. Each of these occurs in some \
         sequential order, but together they occur in none: both sequential orders of the calls were compared."
    );
    assert_eq!(found.signature(), "result 2");
    assert_eq!(found.decisive_calls(), [1, 2]);
}

#[test]
fn a_result_that_varies_without_concurrency_is_not_judged() {
    let baseline = Baseline::new(vec![
        (
            completed(&["", "1", "2", "hash 17"]),
            completed(&["", "1", "2", "hash 18"]),
        ),
        (
            completed(&["", "2", "1", "hash 19"]),
            completed(&["", "2", "1", "hash 20"]),
        ),
    ]);
    assert_eq!(
        judge(&baseline, &completed(&["", "2", "1", "hash 99"])),
        Judgement::Clean
    );
    assert_eq!(
        baseline.nondeterminism(),
        [
            "Two runs of the same sequential order gave different results of call 4 of 4, so they are not judged."
        ]
    );
    // The other calls are.
    assert_eq!(
        violation(&baseline, &completed(&["", "1", "1", "hash 99"])).kind,
        Kind::Result
    );
}

#[test]
fn exceptions_that_only_together_fit_no_linearization_are_wrong_results() {
    let taken = || threw("java.util.NoSuchElementException");
    let run = |first: CallResult, second: CallResult| run(End::Completed, vec![returned(""), first, second]);
    let baseline = baseline(&[run(returned("5"), taken()), run(taken(), returned("5"))]);
    assert_eq!(violation(&baseline, &run(taken(), taken())).kind, Kind::Result);
    assert_eq!(
        violation(&baseline, &run(returned("5"), returned("5"))).kind,
        Kind::Result
    );
}

#[test]
fn results_are_not_judged_when_a_linearization_was_cut_short() {
    let cut = run(
        End::StepBound,
        vec![returned(""), CallResult::Unfinished, returned("1")],
    );
    let baseline = baseline(&[completed(&["", "1", "2"]), cut]);
    assert_eq!(judge(&baseline, &completed(&["", "7", "7"])), Judgement::Clean);
}

#[test]
fn the_results_before_a_permitted_hang_are_judged() {
    let hang = |value: &str| {
        stuck(
            vec![returned(""), CallResult::Unfinished, returned(value)],
            Vec::new(),
        )
    };
    let baseline = baseline(&[hang("1")]);
    assert_eq!(judge(&baseline, &hang("1")), Judgement::Clean);
    assert_eq!(violation(&baseline, &hang("2")).kind, Kind::Result);
}

#[test]
fn long_values_are_cut_in_the_sentence_only() {
    let long = "x".repeat(500);
    let found = violation(
        &baseline(&[completed(&["", "1", "2"])]),
        &completed(&["", &long, "2"]),
    );
    assert!(found.summary.len() < 250, "{}", found.summary);
    let Evidence::Result { results, .. } = found.evidence else {
        panic!()
    };
    assert_eq!(results[1], format!("returned {long}"));
}
