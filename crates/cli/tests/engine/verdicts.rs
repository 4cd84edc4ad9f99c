//! Every class of `fixtures/engine` gets the verdict of its folder.

use std::fs;
use std::path::Path;

use raddle_testkit::{EngineFixture, SCHEDULES, crew, engine_fixtures};

/// A correct class uses up all its schedules, so the fast tests give it fewer. A faulty one ends at the first that fails.
const OF_CLEAN: u32 = if cfg!(feature = "full-tests") {
    SCHEDULES
} else {
    200
};

/// The fast tests look at one of so many classes.
const ONE_IN: usize = 2;

/// What is wrong with the run of a class; nothing if nothing is.
fn complaint(fixture: &EngineFixture, directory: &Path) -> Option<String> {
    let plan = directory.join(format!("{}.json", fixture.name));
    fs::write(&plan, fixture.plan().unwrap().to_json().unwrap()).unwrap();
    let raddle = Path::new(env!("CARGO_BIN_EXE_raddle"));
    let schedules = if fixture.verdict == "clean" {
        OF_CLEAN
    } else {
        SCHEDULES
    };
    let mut command = fixture.command(raddle, &plan, schedules).unwrap();
    let output = command.current_dir(directory).output().unwrap();
    let mistakes = fixture.mistakes(&output);
    (!mistakes.is_empty()).then(|| {
        format!(
            "== {}/{}: {}\n{}{}",
            fixture.verdict,
            fixture.name,
            mistakes.join("\n"),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

#[track_caller]
fn check(verdict: &'static str) {
    let directory = tempfile::tempdir().unwrap();
    let fixtures = crew::share(engine_fixtures(verdict).unwrap(), ONE_IN);
    let complaints = crew::run(&fixtures, crew::cores(), |_, fixture| {
        complaint(fixture, directory.path())
    });
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn clean() {
    check("clean");
}

#[test]
fn deadlock() {
    check("deadlock");
}

#[test]
fn exception() {
    check("exception");
}

#[test]
fn inconclusive() {
    check("inconclusive");
}

#[test]
fn livelock() {
    check("livelock");
}

#[test]
fn lost_wake_up() {
    check("lost-wake-up");
}

#[test]
fn wrong_result() {
    check("wrong-result");
}
