//! Exceptions.

use raddle_oracle::{Baseline, Evidence, Judgement, Kind, judge, violations};
use raddle_plan::{CallResult, End};

use crate::made::{baseline, completed, plan, returned, run, stuck, thread, threw, violation};

const NPE: &str = "java.lang.NullPointerException";
const ISE: &str = "java.lang.IllegalStateException";

#[test]
fn an_exception_of_no_linearization_is_a_violation() {
    let baseline = baseline(&[completed(&["", "5", "1"]), completed(&["", "5", "2"])]).of_plan(&plan());
    let outcome = run(End::Completed, vec![returned(""), threw(NPE), returned("1")]);
    let found = violation(&baseline, &outcome);
    assert_eq!(found.kind, Kind::Exception);
    assert_eq!(
        found.summary,
        "Box.take in thread 1 threw java.lang.NullPointerException (\"boom\") at a.Box.take(Box.java:7). \
         In both sequential orders of the calls it returned 5."
    );
    let Evidence::Exception {
        call,
        thread,
        class,
        sequential,
        ..
    } = &found.evidence
    else {
        panic!("{found:?}")
    };
    assert_eq!((*call, *thread, class.as_str(), sequential.len()), (1, 1, NPE, 0));
    assert_eq!(
        found.signature(),
        "exception java.lang.NullPointerException a.Box.take(Box.java:7)"
    );
}

#[test]
fn an_exception_that_a_linearization_throws_from_the_same_call_is_none() {
    let sequential = run(End::Completed, vec![returned(""), threw(NPE), returned("1")]);
    let baseline = baseline(&[completed(&["", "5", "1"]), sequential.clone()]);
    let mut outcome = sequential;
    if let CallResult::Threw { message, frames, .. } = &mut outcome.calls[1].result {
        message.push_str(" in thread 17");
        frames.clear();
    }
    assert_eq!(judge(&baseline, &outcome), Judgement::Clean);
}

#[test]
fn the_same_class_from_another_call_is_a_violation() {
    let sequential = run(End::Completed, vec![returned(""), threw(NPE), returned("1")]);
    let outcome = run(End::Completed, vec![returned(""), threw(NPE), threw(NPE)]);
    let found = violation(&baseline(&[sequential]), &outcome);
    assert_eq!(found.kind, Kind::Exception);
    assert!(
        found.summary.starts_with("Call 3 of 3 threw"),
        "{}",
        found.summary
    );
}

#[test]
fn another_class_from_the_same_call_is_a_violation() {
    let sequential = run(End::Completed, vec![returned(""), threw(ISE), returned("1")]);
    let outcome = run(End::Completed, vec![returned(""), threw(NPE), returned("1")]);
    let found = violation(&baseline(&[sequential]), &outcome);
    assert!(
        found.summary.ends_with(
            "In the one sequential order of the calls it throws nothing but java.lang.IllegalStateException."
        ),
        "{}",
        found.summary
    );
}

#[test]
fn a_call_that_throws_at_random_without_concurrency_is_not_judged() {
    let calm = completed(&["", "5", "1"]);
    let angry = run(End::Completed, vec![returned(""), threw(ISE), returned("1")]);
    let baseline = Baseline::new(vec![(calm, angry)]).of_plan(&plan());
    let outcome = run(End::Completed, vec![returned(""), threw(NPE), returned("1")]);
    assert_eq!(judge(&baseline, &outcome), Judgement::Clean);
    assert_eq!(
        baseline.nondeterminism(),
        [
            "Two runs of the same sequential order gave different results of Box.take in thread 1, so they are not judged."
        ]
    );
    // The other calls are.
    let outcome = run(End::Completed, vec![returned(""), returned("5"), threw(NPE)]);
    assert_eq!(violation(&baseline, &outcome).kind, Kind::Exception);
}

#[test]
fn a_call_whose_end_no_linearization_lived_to_see_is_not_judged() {
    let cut = run(
        End::StepBound,
        vec![returned(""), CallResult::Unfinished, returned("1")],
    );
    let outcome = run(End::Completed, vec![returned(""), threw(NPE), returned("1")]);
    assert_eq!(judge(&baseline(&[cut]), &outcome), Judgement::Clean);
}

#[test]
fn an_exception_comes_before_the_hang_that_it_causes() {
    use raddle_plan::ThreadState;
    let baseline = baseline(&[completed(&["", "5", "1"])]);
    let outcome = stuck(
        vec![returned(""), threw(NPE), CallResult::Unfinished],
        vec![thread("thread 2", ThreadState::Waiting, Some("Box $0"), 9, &[])],
    );
    let kinds: Vec<Kind> = violations(&baseline, &outcome)
        .iter()
        .map(|found| found.kind)
        .collect();
    assert_eq!(kinds, [Kind::Exception, Kind::LostWakeup]);
    assert_eq!(violation(&baseline, &outcome).kind, Kind::Exception);
}
