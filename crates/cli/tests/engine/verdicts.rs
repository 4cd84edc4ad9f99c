//! Every class of `fixtures/engine` gets the verdict of its folder.

use std::fs;
use std::path::Path;

use raddle_testkit::engine_fixtures;

#[track_caller]
fn check(verdict: &'static str) {
    let directory = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for fixture in engine_fixtures(verdict).unwrap() {
        let plan = directory.path().join(format!("{}.json", fixture.name));
        fs::write(&plan, fixture.plan().unwrap().to_json().unwrap()).unwrap();
        let raddle = Path::new(env!("CARGO_BIN_EXE_raddle"));
        let mut command = fixture.command(raddle, &plan).unwrap();
        let output = command.current_dir(directory.path()).output().unwrap();
        let mistakes = fixture.mistakes(&output);
        if !mistakes.is_empty() {
            wrong.push(format!(
                "== {verdict}/{}: {}\n{}{}",
                fixture.name,
                mistakes.join("\n"),
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ));
        }
    }
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
