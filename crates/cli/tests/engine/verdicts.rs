//! Every class of `fixtures/engine` gets the verdict of its folder.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use raddle_testkit::{EngineFixture, engine_classes, engine_fixtures};

/// How each verdict shows: the exit code, and the kind in the text.
fn expected(verdict: &str) -> (i32, Option<&'static str>) {
    match verdict {
        "clean" => (0, None),
        "deadlock" => (1, Some("deadlock")),
        "exception" => (1, Some("exception")),
        "inconclusive" => (3, None),
        "livelock" => (1, Some("livelock")),
        "lost-wake-up" => (1, Some("lost wake-up")),
        "wrong-result" => (1, Some("wrong result")),
        other => panic!("no such verdict: {other}"),
    }
}

fn mistakes(fixture: &EngineFixture, output: &Output) -> Vec<String> {
    let (code, kind) = expected(fixture.verdict);
    let text = String::from_utf8_lossy(&output.stdout);
    let mut mistakes = Vec::new();
    if output.status.code() != Some(code) {
        mistakes.push(format!("exit code {:?} instead of {code}", output.status.code()));
    }
    for part in kind.into_iter().chain(fixture.directives("says")) {
        if !text.contains(part) {
            mistakes.push(format!("does not say {part:?}"));
        }
    }
    if !mistakes.is_empty() {
        mistakes.push(format!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    }
    mistakes
}

/// `raddle run` for a class.
fn command(fixture: &EngineFixture, plan: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .arg("run")
        .arg(plan)
        .arg("-cp")
        .arg(engine_classes().unwrap().classes());
    let run = fixture.directives("run").next().unwrap_or("random 2000");
    let (scheduler, schedules) = run.split_once(' ').unwrap_or((run, ""));
    command.args(["--scheduler", scheduler]);
    if !schedules.is_empty() {
        command.args(["--schedules", schedules]);
    }
    if let Some(steps) = fixture.directives("max-steps").next() {
        command.args(["--max-steps", steps]);
    }
    if fixture.directives("no-cage").next().is_some() {
        command.arg("--no-cage");
    }
    command
}

#[track_caller]
fn check(verdict: &'static str) {
    let directory = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for fixture in engine_fixtures(verdict).unwrap() {
        let plan = directory.path().join(format!("{}.json", fixture.name));
        fs::write(&plan, fixture.plan().unwrap().to_json().unwrap()).unwrap();
        let output = command(&fixture, &plan)
            .current_dir(directory.path())
            .output()
            .unwrap();
        let mistakes = mistakes(&fixture, &output);
        if !mistakes.is_empty() {
            wrong.push(format!(
                "== {}/{}: {}",
                verdict,
                fixture.name,
                mistakes.join("\n")
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
