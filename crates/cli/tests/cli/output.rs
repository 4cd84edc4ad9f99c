//! What the output promises: one document, the same every time, and no complaint when nobody reads it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::raddle::{analyze, command, without_times};

const PATTERN: &str = "java.util.E*";

fn document(arguments: &[&str]) -> Value {
    let text = analyze(arguments).succeeds();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    for class in document["classes"].as_array_mut().unwrap() {
        assert!(class["time_ms"].take().is_number());
    }
    assert!(document["total"]["time_ms"].take().is_number());
    document
}

#[test]
fn json_is_one_document_and_nothing_else() {
    let document = document(&["--json", PATTERN]);
    assert_eq!(document["schema"], "raddle.analyze/1");
    assert_eq!(document["tool"]["version"], env!("CARGO_PKG_VERSION"));
    let (classes, skipped) = (
        document["classes"].as_array().unwrap(),
        document["skipped"].as_array().unwrap(),
    );
    assert_eq!(document["total"]["classes"], classes.len());
    assert_eq!(document["total"]["skipped"], skipped.len());
    assert!(skipped.iter().all(|skipped| {
        skipped["reason"]
            .as_str()
            .is_some_and(|reason| !reason.is_empty())
    }));
}

#[test]
fn with_json_a_wrong_name_leaves_standard_output_empty() {
    analyze(&["--json", "java.util.Hashtabel"]).is_refused(&["java.util.Hashtable"]);
}

#[test]
fn the_same_command_gives_the_same_text() {
    let [first, second] =
        [(); 2].map(|()| without_times(&analyze(&["-v", "java.util.Hashtable"]).succeeds()));
    assert_eq!(first, second);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    assert_eq!(
        document(&["--json", "-j", "1", PATTERN]),
        document(&["--json", "-j", "4", PATTERN])
    );
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let mut child = command()
        .args(["analyze", "-v", PATTERN])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first_line = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap())
        .read_line(&mut first_line)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(first_line.starts_with("java.util.E"));
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_inconclusive() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command()
        .args(["analyze", "java.util.Vector"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write the results"));
}
