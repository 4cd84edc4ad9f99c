//! Runs that say nothing, and what every judgement has in common.

use raddle_oracle::{Baseline, Judgement, Kind, Oracle, judge, oracles, violations};
use raddle_plan::{CallResult, End};

use crate::made::{baseline, completed, reason, returned, run, threw};

#[test]
fn a_run_that_could_not_be_controlled_is_no_violation() {
    let baseline = baseline(&[completed(&["", "1", "2"])]);
    let ended = |end| run(end, vec![returned(""), threw("java.lang.Error"), returned("7")]);
    for (end, text) in [
        (End::Exit("3".to_owned()), "The class asked the JVM to exit (3)."),
        (
            End::Diverged("at step 4".to_owned()),
            "The run did not follow its schedule (at step 4), so something in it is not deterministic.",
        ),
        (
            End::Unsupported("virtual thread".to_owned()),
            "The run did something that cannot be controlled: virtual thread.",
        ),
        (
            End::PrefixThrew,
            "The prefix threw java.lang.Error (\"boom\"), so the threads never ran.",
        ),
    ] {
        assert_eq!(reason(&baseline, &ended(end.clone())), text);
        assert!(violations(&baseline, &ended(end)).is_empty());
    }
}

#[test]
fn without_linearizations_nothing_is_a_violation() {
    let outcome = run(End::Completed, vec![threw("java.lang.Error")]);
    assert_eq!(
        reason(&Baseline::new(Vec::new()), &outcome),
        "No sequential order of the calls was run."
    );
    let exits = run(End::Exit(String::new()), vec![CallResult::Unfinished]);
    assert_eq!(
        reason(&baseline(&[exits]), &outcome),
        "A sequential order of the calls could not be run: The class asked the JVM to exit."
    );
    let other = completed(&["", ""]);
    assert_eq!(
        reason(&Baseline::new(vec![(outcome.clone(), other)]), &outcome),
        "The sequential runs are not of the same plan."
    );
}

#[test]
fn the_names_of_kinds_stay() {
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(
        names,
        ["exception", "deadlock", "lost-wakeup", "livelock", "result"]
    );
    assert_eq!(oracles().map(Oracle::kind), Kind::ALL);
}

#[test]
fn every_linearization_is_clean_by_its_own_baseline() {
    let runs = [
        completed(&["", "1", "2"]),
        run(End::Completed, vec![returned(""), threw("a.B"), returned("1")]),
        run(
            End::Stuck,
            vec![returned(""), CallResult::Unfinished, returned("1")],
        ),
    ];
    let baseline = baseline(&runs);
    for run in &runs {
        assert_eq!(judge(&baseline, run), Judgement::Clean);
    }
    assert_eq!(baseline.linearizations(), 3);
}
