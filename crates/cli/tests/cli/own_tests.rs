//! `raddle test`: every class of `fixtures/tests` gets the verdict of its folder.

use std::fs;
use std::path::{Path, PathBuf};

use raddle_testkit::{Compiled, compile, crew};

use crate::raddle::{Run, command};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/tests")
}

/// Name and text of every source below a folder.
fn sources(folder: &Path, prefix: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(sources(&path, &format!("{prefix}{name}/")));
        } else {
            all.push((format!("{prefix}{name}"), fs::read_to_string(&path).unwrap()));
        }
    }
    all.sort();
    all
}

fn compile_all(folder: &str) -> (Vec<(String, String)>, Compiled) {
    let tests = sources(&root().join(folder), "");
    let frameworks = sources(&root().join("frameworks"), "");
    let all: Vec<(&str, &str)> = tests
        .iter()
        .chain(&frameworks)
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let compiled = compile(&all).unwrap();
    (tests, compiled)
}

/// By numbers of schedules, so that nothing depends on how fast the machine is.
fn test(classes: &Path, directory: &Path, arguments: &[&str]) -> Run {
    let mut command = command();
    command
        .args(["test", "--schedules", "1000", "--max-steps", "20000", "-cp"])
        .arg(classes)
        .args(arguments)
        .current_dir(directory);
    Run::of(&mut command)
}

#[track_caller]
fn check(folder: &str, code: i32, all_say: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let (tests, compiled) = compile_all(folder);
    let complaints = crew::run(&tests, crew::cores(), |_, (file, text)| {
        let class = file.trim_end_matches(".java");
        let run = test(compiled.classes(), directory.path(), &[class]);
        let says = text.lines().filter_map(|line| line.strip_prefix("//@ says: "));
        let missing: Vec<&str> = says
            .chain(all_say.iter().copied())
            .filter(|says| !run.stdout.contains(says))
            .collect();
        (run.code != code || !missing.is_empty()).then(|| {
            format!(
                "== {folder}/{class}: exit code {:?}, does not say {missing:?}\n{}{}",
                run.code, run.stdout, run.stderr
            )
        })
    });
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tests_that_can_fail_do_and_the_schedule_can_be_repeated() {
    check(
        "fails",
        1,
        &["FAIL  ", "\n  reproduced in a fresh JVM", "raddle replay "],
    );
}

#[test]
fn tests_that_cannot_fail_pass() {
    check("passes", 0, &["pass  "]);
}

#[test]
fn what_cannot_be_run_is_named_with_the_reason() {
    check("inconclusive", 3, &[]);
}

#[test]
fn a_test_that_is_not_there_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (_, compiled) = compile_all("passes");
    for (name, says) in [
        ("JupiterLocked#nothing", "no test found"),
        ("java.lang.String", "no test found"),
        ("NoSuchTest", "NoSuchTest"),
    ] {
        let run = test(compiled.classes(), directory.path(), &[name]);
        assert_eq!(run.code, 2, "{name}: {}", run.stdout);
        assert!(run.stderr.contains(says), "{name}: {}", run.stderr);
    }
}

#[test]
fn one_document_tells_of_all_tests() {
    let directory = tempfile::tempdir().unwrap();
    let (_, compiled) = compile_all("fails");
    let run = test(
        compiled.classes(),
        directory.path(),
        &["JupiterRaces#counts", "NotThrown", "--json"],
    );
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["schema"], "raddle.test/1");
    assert_eq!(document["failed"], 2);
    assert_eq!(document["tests"][0]["test"], "JupiterRaces#counts");
    assert_eq!(document["tests"][0]["verdict"], "failed");
    assert_eq!(document["tests"][1]["without_preemption"], true);
}
