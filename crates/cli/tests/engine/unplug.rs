//! `--unplug CLASS` leaves a class uninstrumented on purpose. What can no longer be seen must not look fine.

use std::fs;
use std::process::Command;

use raddle_testkit::{engine_classes, engine_fixtures};

/// Runs a class without faults, and returns exit code and output.
fn run(unplugged: &[&str]) -> (Option<i32>, String) {
    let directory = tempfile::tempdir().unwrap();
    let fixtures = engine_fixtures("clean").unwrap();
    let fixture = fixtures
        .iter()
        .find(|fixture| fixture.name == "SynchronizedCounter")
        .unwrap();
    let plan = directory.path().join("plan.json");
    fs::write(&plan, fixture.plan().unwrap().to_json().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .arg("run")
        .arg(&plan)
        .arg("-cp")
        .arg(engine_classes().unwrap().classes())
        .args(["--scheduler", "bounded:2"])
        .current_dir(directory.path());
    for class in unplugged {
        command.args(["--unplug", class]);
    }
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[track_caller]
fn assert_inconclusive(unplugged: &[&str], reason: &str) {
    let (code, text) = run(unplugged);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("inconclusive"), "{text}");
    assert!(text.contains(reason), "{text}");
    assert!(!text.contains("no violation"), "{text}");
}

#[test]
fn with_everything_instrumented_nothing_is_found() {
    let (code, text) = run(&[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no violation"), "{text}");
}

#[test]
fn a_class_under_test_that_is_not_instrumented_is_named_and_nothing_is_concluded() {
    assert_inconclusive(
        &["SynchronizedCounter"],
        "no switch could happen inside of SynchronizedCounter",
    );
}

#[test]
fn a_class_that_has_nothing_to_do_with_the_plan_does_not_matter() {
    let (code, text) = run(&["java.util.zip.Deflater"]);
    assert_eq!(code, Some(0), "{text}");
}

// The probes are run after a plan in which nothing was found, in the same configuration. The plan here uses none of
// their classes, so only they can notice.

#[test]
fn nothing_is_concluded_when_the_racy_probe_is_not_caught() {
    assert_inconclusive(
        &["java.util.ArrayList"],
        "a test that is known to fail did not: the lost update of two threads that add to one ArrayList",
    );
}

#[cfg(feature = "full-tests")]
#[test]
fn nothing_is_concluded_when_the_deadlocking_probe_is_not_caught() {
    assert_inconclusive(
        &["java.util.Hashtable"],
        "a test that is known to fail did not: the deadlock of two Hashtables",
    );
}
