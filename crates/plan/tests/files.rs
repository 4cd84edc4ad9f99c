//! Plans and recordings on disk.

use std::fs;

use raddle_plan::{
    CallOutcome, CallResult, End, Outcome, RECORDING_VERSION, Recording, Schedule, Switch, TestPlan,
};

const PLAN: &str = r#"{"raddle_plan": 1, "name": "two sizes", "threads": [
    [{"invoke": "static", "member": "A.f()I"}], [{"invoke": "static", "member": "A.g()V"}]]}"#;

fn recording(plan: TestPlan) -> Recording {
    let schedule = Schedule {
        switches: vec![Switch { step: 3, thread: 2 }],
    };
    let result = |thread, text: &str| CallOutcome {
        thread,
        result: CallResult::Returned(text.to_owned()),
    };
    Recording {
        raddle_recording: RECORDING_VERSION,
        raddle: "0.1.0".to_owned(),
        jdk: "17.0.15".to_owned(),
        class_path: vec!["a.jar".into()],
        max_steps: None,
        unplugged: Vec::new(),
        opens: Vec::new(),
        resets: Vec::new(),
        test: None,
        plan,
        schedule: schedule.clone(),
        outcome: Outcome {
            digest: u64::MAX,
            trace_hash: 1,
            steps: 9,
            schedule,
            end: End::Completed,
            calls: vec![result(1, "1"), result(2, "null")],
            uncaught: Vec::new(),
            threads: Vec::new(),
        },
    }
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    let recording = recording(TestPlan::from_json(PLAN).unwrap());
    recording.write(&file).unwrap();
    assert_eq!(Recording::read(&file).unwrap(), recording);
    recording.write(&file).unwrap();
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["run.json"], "nothing unfinished is left behind");
}

#[test]
fn problems_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.json");
    let error = TestPlan::read(&missing).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("{} cannot be read: ", missing.display())),
        "{error}"
    );
    let nowhere = folder.path().join("no/where.json");
    let error = recording(TestPlan::from_json(PLAN).unwrap())
        .write(&nowhere)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&format!("{} cannot be written: ", nowhere.display())),
        "{error}"
    );
    let file = folder.path().join("plan.json");
    fs::write(&file, PLAN).unwrap();
    assert_eq!(TestPlan::read(&file).unwrap().name, "two sizes");
    let error = Recording::read(&file).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "{}: this is no recording: a recording has a member `raddle_recording` with its version, 1",
            file.display()
        )
    );
}

#[test]
fn a_recording_has_a_result_for_every_call() {
    let mut recording = recording(TestPlan::from_json(PLAN).unwrap());
    recording.outcome.calls.pop();
    let error = Recording::from_json(&recording.to_json().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the plan has 2 calls, and the number of results in the outcome is 1"
    );
}
