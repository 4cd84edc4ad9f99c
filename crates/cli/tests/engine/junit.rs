//! The JUnit test of a finding fails with the class that is wrong, and passes with one that is right.

use raddle_reproduce::{HELPER_FILE, helper_file, junit_file, junit_name, junit_test};
use raddle_testkit::run_junit;

use crate::reproducer::{Found, renamed};

/// Lines of a test without the comment at its top: people are to read it.
const MOST_LINES: usize = 50;

/// The exit code of the generated test with that source of the class.
fn run(found: &Found, class_source: &str) -> (Option<i32>, String) {
    let input = found.input();
    let name = junit_name(input.class_name, input.id);
    let test = junit_test(&input);
    let own = test.lines().skip_while(|line| line.starts_with("//"));
    assert!(own.count() <= MOST_LINES, "{test}");
    let test_file = junit_file(&input).to_string_lossy().into_owned();
    let class_file = format!("{}.java", input.class_name);
    let helper = helper_file();
    let sources = [
        (&*test_file, &*test),
        (HELPER_FILE, &*helper),
        (&*class_file, class_source),
    ];
    run_junit(&found.jdk, &name, &sources).unwrap_or_else(|error| panic!("{error}\n{test}"))
}

/// Fails because of what it saw, and says that.
#[track_caller]
pub(crate) fn fails_with(found: &Found, class_source: &str) {
    let (code, said) = run(found, class_source);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("AssertionFailedError") || said.contains("AssertionError"),
        "{said}"
    );
    // What was recorded comes first.
    let recorded = found.input().violation.summary.clone();
    let first = recorded.split('$').next().unwrap_or_default();
    assert!(said.contains(first), "{said}");
}

#[track_caller]
pub(crate) fn passes_with(found: &Found, class_source: &str) {
    let (code, said) = run(found, class_source);
    assert_eq!(code, Some(0), "{said}");
}

/// The source of a class that is wrong.
fn wrong(verdict: &str, name: &str) -> String {
    let file = raddle_testkit::engine_root()
        .join(verdict)
        .join(format!("{name}.java"));
    std::fs::read_to_string(file).unwrap()
}

#[track_caller]
fn tells_apart(verdict: &'static str, name: &str, right: &str) {
    let found = Found::in_class(verdict, name);
    fails_with(&found, &wrong(verdict, name));
    passes_with(&found, right);
}

#[test]
fn of_a_wrong_result() {
    tells_apart(
        "wrong-result",
        "Counter",
        &renamed("SynchronizedCounter", "Counter"),
    );
}

#[cfg(feature = "full-tests")]
#[test]
fn of_a_check_and_an_act() {
    tells_apart(
        "wrong-result",
        "CheckThenAct",
        &renamed("CheckAndAct", "CheckThenAct"),
    );
}

#[cfg(feature = "full-tests")]
#[test]
fn of_an_exception() {
    tells_apart(
        "exception",
        "IterateArrayList",
        &renamed("IterateLocked", "IterateArrayList"),
    );
}

#[cfg(feature = "full-tests")]
#[test]
fn of_a_deadlock() {
    let right = renamed("LocksInOrder", "LocksCrosswise").replace(
        "public int check",
        "public void b() {\n a();\n }\n\npublic int check",
    );
    tells_apart("deadlock", "LocksCrosswise", &right);
}

#[cfg(feature = "full-tests")]
#[test]
fn of_a_lost_wake_up() {
    tells_apart("lost-wake-up", "MissedSignal", &renamed("Signal", "MissedSignal"));
}

#[test]
fn a_test_that_cannot_be_tried_does_not_pass() {
    let found = Found::in_class("wrong-result", "Counter");
    let source = "
        public class Counter {
            public Counter() {
                throw new IllegalStateException();
            }

            public void a() {}

            public void b() {}

            public int check() {
                return 0;
            }
        }";
    let (code, said) = run(&found, source);
    assert_ne!(code, Some(0), "{said}");
    assert!(
        said.contains("the JVM with the test ended with exit code"),
        "{said}"
    );
}
