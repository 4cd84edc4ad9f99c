//! What a run says of a test that somebody wrote. Nothing is compared: the test itself says what is right.

use std::collections::BTreeMap;
use std::ops::Range;

use raddle_plan::{CallResult, End, Frame, Outcome};

use crate::verdict::{Evidence, Kind, Violation};
use crate::{deadlock, lost_wakeup, words};

/// Exceptions by which a test says that it makes no sense here.
const ASSUMPTIONS: [&str; 4] = [
    "org.junit.AssumptionViolatedException",
    "org.junit.internal.AssumptionViolatedException",
    "org.opentest4j.TestAbortedException",
    "org.testng.SkipException",
];

/// What a run says of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    /// It passed.
    Passed,
    /// It says itself that it cannot be run here.
    Skipped(String),
    /// It failed.
    Failed(Violation),
    /// Nothing can be said, for this reason.
    Undecided(String),
}

/// Which calls of a plan, numbered through, are what of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCalls {
    /// The test itself. What is before prepares it, what is behind cleans up or looks at what is left.
    pub test: Range<usize>,
    /// Those that must be true, or throw nothing, and their names.
    pub invariants: BTreeMap<usize, String>,
}

/// Judges a run of a test. If it must throw something, `is_expected` says what.
pub fn judge_test(
    outcome: &Outcome,
    calls: &TestCalls,
    is_expected: Option<&dyn Fn(&str) -> bool>,
) -> TestVerdict {
    let test = &calls.test;
    let mut seen_expected = false;
    for (number, call) in outcome.calls.iter().enumerate() {
        let invariant = calls.invariants.get(&number);
        if let (Some(name), CallResult::Returned(value)) = (invariant, &call.result)
            && value == "false"
        {
            return TestVerdict::Failed(untrue(name, number));
        }
        let CallResult::Threw {
            class,
            message,
            frames,
        } = &call.result
        else {
            continue;
        };
        if ASSUMPTIONS.contains(&&**class) {
            return TestVerdict::Skipped(words::exception(class, message));
        }
        if is_missing(class, message) {
            return TestVerdict::Undecided(format!(
                "a class was not found, so something is missing from the class path: {}",
                words::exception(class, message)
            ));
        }
        if is_denied(class, message) {
            return TestVerdict::Undecided(
                "it needs the network, which tests do not get; if you trust it, run it with --no-cage"
                    .to_owned(),
            );
        }
        if test.contains(&number) && is_expected.is_some_and(|is_expected| is_expected(class)) {
            seen_expected = true;
            continue;
        }
        let who = match invariant {
            Some(name) => &format!("The invariant {name}"),
            None if number < test.start => "What prepares the test",
            None if test.contains(&number) => "The test",
            None => "What cleans up after the test",
        };
        return TestVerdict::Failed(thrown(who, number, call.thread, (class, message, frames)));
    }
    if let Some(dead) = outcome.uncaught.first() {
        let who = format!("The thread {}", dead.thread);
        let what = (&dead.class, &dead.message, &dead.frames);
        return TestVerdict::Failed(thrown(&who, dead.call.unwrap_or(test.start), 0, what));
    }
    match &outcome.end {
        End::Completed if is_expected.is_some() && !seen_expected => TestVerdict::Failed(Violation {
            kind: Kind::Result,
            summary: "The test did not throw the exception that it declares as expected.".to_owned(),
            evidence: Evidence::Result {
                results: Vec::new(),
                differences: Vec::new(),
                decisive: vec![test.start],
            },
        }),
        End::Completed => TestVerdict::Passed,
        End::Stuck => stuck(outcome),
        End::StepBound => TestVerdict::Undecided(format!(
            "a schedule was cut short after {} steps; --max-steps allows more",
            outcome.steps
        )),
        _ => TestVerdict::Undecided(words::no_verdict(outcome).unwrap_or_default()),
    }
}

fn untrue(name: &str, call: usize) -> Violation {
    Violation {
        kind: Kind::Result,
        summary: format!("The invariant {name} is false when the test is over."),
        evidence: Evidence::Result {
            results: Vec::new(),
            differences: Vec::new(),
            decisive: vec![call],
        },
    }
}

/// Whether a class is nowhere on the class path. One that cannot be initialised is another matter.
fn is_missing(class: &str, message: &str) -> bool {
    class == "java.lang.NoClassDefFoundError" && message.contains("ClassNotFoundException")
}

/// Whether the cage has said no.
fn is_denied(class: &str, message: &str) -> bool {
    class == "java.net.SocketException" && message == "Operation not permitted"
}

/// Of an exception because a class cannot be initialised: that, and why. The JVM has it in the message only.
fn initialiser(class: &str, message: &str) -> Option<String> {
    let rest = message.strip_prefix("Could not initialize class ")?;
    let (name, rest) = rest.split_once(": ").unwrap_or((rest, ""));
    let why = rest
        .rsplit_once("ExceptionInInitializerError: Exception ")
        .map_or(rest, |(_, why)| why);
    let why = why.rsplit_once(" [in thread").map_or(why, |(why, _)| why);
    (class == "java.lang.NoClassDefFoundError").then(|| match why {
        "" => format!("The class {name} cannot be initialised."),
        why => format!(
            "The class {name} cannot be initialised: {}.",
            why.trim_end_matches('.')
        ),
    })
}

fn stuck(outcome: &Outcome) -> TestVerdict {
    let found = deadlock::told(outcome, "The test never ends.")
        .or_else(|| lost_wakeup::told(outcome, "The test never ends."));
    found.map_or_else(
        || TestVerdict::Undecided("no thread could go on, and it is not known why".to_owned()),
        TestVerdict::Failed,
    )
}

fn thrown(
    who: &str,
    call: usize,
    thread: u32,
    (class, message, frames): (&String, &String, &Vec<Frame>),
) -> Violation {
    let at = frames
        .iter()
        .find(|frame| !is_of_framework(&frame.0))
        .or(frames.iter().find(|frame| !frame.0.starts_with("RaddlePlan$")))
        .map_or_else(String::new, |frame| format!(" at {}", frame.0));
    Violation {
        kind: Kind::Exception,
        summary: initialiser(class, message)
            .unwrap_or_else(|| format!("{who} threw {}{at}.", words::exception(class, message))),
        evidence: Evidence::Exception {
            call,
            thread,
            class: class.clone(),
            message: message.clone(),
            frames: frames.clone(),
            sequential: Vec::new(),
        },
    }
}

/// Where assertions are made tells nobody which of them failed.
fn is_of_framework(frame: &str) -> bool {
    [
        "org.junit.",
        "junit.framework.",
        "org.testng.",
        "org.opentest4j.",
        "org.assertj.",
        "org.hamcrest.",
        "java.",
        "RaddlePlan$",
    ]
    .iter()
    .any(|start| frame.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::{CallOutcome, Schedule, Uncaught};

    fn run(end: End, results: Vec<CallResult>) -> Outcome {
        Outcome {
            digest: 0,
            trace_hash: 0,
            steps: 9,
            schedule: Schedule::default(),
            end,
            calls: results
                .into_iter()
                .map(|result| CallOutcome { thread: 1, result })
                .collect(),
            uncaught: Vec::new(),
            threads: Vec::new(),
        }
    }

    fn only(number: usize) -> TestCalls {
        TestCalls {
            test: number..number + 1,
            ..TestCalls::default()
        }
    }

    fn threw(class: &str) -> CallResult {
        CallResult::Threw {
            class: class.to_owned(),
            message: String::new(),
            frames: vec![
                Frame("org.junit.Assert.fail(Assert.java:89)".to_owned()),
                Frame("p.T.t(T.java:7)".to_owned()),
            ],
        }
    }

    fn returned() -> CallResult {
        CallResult::Returned(String::new())
    }

    #[test]
    fn a_test_fails_by_what_it_throws_and_says_where_in_the_test() {
        let failed = judge_test(
            &run(End::Completed, vec![returned(), threw("java.lang.Error")]),
            &only(1),
            None,
        );
        let TestVerdict::Failed(violation) = failed else {
            panic!("{failed:?}")
        };
        assert_eq!(
            violation.summary,
            "The test threw java.lang.Error at p.T.t(T.java:7)."
        );
        let passed = judge_test(&run(End::Completed, vec![returned(), returned()]), &only(1), None);
        assert_eq!(passed, TestVerdict::Passed);
    }

    #[test]
    fn an_exception_that_is_expected_must_come() {
        let is_expected: &dyn Fn(&str) -> bool = &|class| class == "java.lang.Error";
        let judge = |result| judge_test(&run(End::Completed, vec![result]), &only(0), Some(is_expected));
        assert_eq!(judge(threw("java.lang.Error")), TestVerdict::Passed);
        assert!(matches!(
            judge(threw("java.lang.Exception")),
            TestVerdict::Failed(_)
        ));
        assert!(matches!(judge(returned()), TestVerdict::Failed(_)));
    }

    #[test]
    fn an_assumption_that_does_not_hold_is_no_failure() {
        let skipped = judge_test(
            &run(End::Completed, vec![threw("org.opentest4j.TestAbortedException")]),
            &only(0),
            None,
        );
        assert!(matches!(skipped, TestVerdict::Skipped(_)), "{skipped:?}");
    }

    #[test]
    fn what_a_started_thread_did_not_catch_fails_the_test() {
        let mut outcome = run(End::Completed, vec![returned()]);
        outcome.uncaught.push(Uncaught {
            thread: "Thread-0".to_owned(),
            call: Some(0),
            class: "java.lang.Error".to_owned(),
            message: String::new(),
            frames: Vec::new(),
        });
        let failed = judge_test(&outcome, &only(0), None);
        assert!(matches!(failed, TestVerdict::Failed(_)), "{failed:?}");
    }

    #[test]
    fn a_run_that_was_cut_short_says_nothing() {
        let cut = judge_test(&run(End::StepBound, vec![CallResult::Unfinished]), &only(0), None);
        assert!(matches!(cut, TestVerdict::Undecided(_)), "{cut:?}");
    }

    #[test]
    fn a_class_that_cannot_be_initialised_is_named_with_the_reason() {
        let message = "Could not initialize class p.T: java.lang.ExceptionInInitializerError: Exception \
                       java.lang.NumberFormatException: For input string: \"many\" [in thread \"main\"]";
        assert_eq!(
            initialiser("java.lang.NoClassDefFoundError", message).unwrap(),
            "The class p.T cannot be initialised: java.lang.NumberFormatException: For input string: \"many\"."
        );
        assert_eq!(initialiser("java.lang.NoClassDefFoundError", "p/T"), None);
    }

    #[test]
    fn an_invariant_must_be_true_and_throw_nothing() {
        let calls = TestCalls {
            test: 0..1,
            invariants: BTreeMap::from([(1, "isSorted()".to_owned())]),
        };
        let judge = |result| judge_test(&run(End::Completed, vec![returned(), result]), &calls, None);
        assert_eq!(
            judge(CallResult::Returned("true".to_owned())),
            TestVerdict::Passed
        );
        for (result, says) in [
            (
                CallResult::Returned("false".to_owned()),
                "The invariant isSorted() is false when the test is over.",
            ),
            (
                threw("java.lang.Error"),
                "The invariant isSorted() threw java.lang.Error at p.T.t(T.java:7).",
            ),
        ] {
            let failed = judge(result);
            let TestVerdict::Failed(violation) = failed else {
                panic!("{failed:?}")
            };
            assert_eq!(violation.summary, says);
        }
    }
}
