//! `raddle test` with programs: those of `fixtures/programs` that are faulty fail, their correct twins pass.

use std::fs;
use std::path::Path;

use raddle_testkit::{compile, crew};

use crate::raddle::{Run, command};

/// Numbers of schedules, so that nothing depends on how fast the machine is. With 1000, the deadlock of three
/// philosophers is missed with JDK 17; with 2000, every fault is found with JDK 17 and 25.
const TO_FIND: &str = "2000";
/// Correct programs use all that they may, and no number of them proves anything.
const TO_PASS: &str = "1000";

/// The fast tests run one of so many programs, the full ones all.
const ONE_OF: usize = if cfg!(feature = "full-tests") { 1 } else { 9 };

/// Whoever reads a failure must be able to repeat it, so a verdict alone is not enough.
const FAILING: &[&str] = &["FAIL  ", "reproduced in a fresh JVM", "raddle replay "];
const PASSING: &[&str] = &["pass  "];

#[track_caller]
fn check(folder: &str, code: i32, schedules: &str, says: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/programs");
    let mut programs: Vec<(String, String)> = fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    programs.sort();
    let sources: Vec<(&str, &str)> = programs
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let compiled = compile(&sources).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let chosen: Vec<(String, String)> = programs.iter().step_by(ONE_OF).cloned().collect();
    let complaints = crew::run(&chosen, crew::cores(), |_, (file, _)| {
        let class = file.trim_end_matches(".java");
        let mut command = command();
        command
            .args(["test", "--schedules", schedules, "-cp"])
            .arg(compiled.classes())
            .arg(class)
            .current_dir(directory.path());
        let run = Run::of(&mut command);
        let missing: Vec<&&str> = says.iter().filter(|says| !run.stdout.contains(**says)).collect();
        let is_in_doubt = run.stdout.contains("NOT reproduced");
        (run.code != code || !missing.is_empty() || is_in_doubt).then(|| {
            format!(
                "== {folder}/{class}: exit code {}, does not say {missing:?}\n{}{}",
                run.code, run.stdout, run.stderr
            )
        })
    });
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn faulty_programs_fail_and_the_schedule_can_be_repeated() {
    check("fails", 1, TO_FIND, FAILING);
}

#[test]
fn correct_programs_pass() {
    check("passes", 0, TO_PASS, PASSING);
}
