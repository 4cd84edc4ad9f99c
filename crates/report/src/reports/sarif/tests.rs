//! What we write is SARIF, and fingerprints last.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::schema::problems;
use super::*;
use crate::hunt_folder::HuntFolder;
use crate::{hunt_sample, snapshot};

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sarif/sarif-schema-2.1.0.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn document(report: &HuntReport) -> Value {
    serde_json::from_str(&sarif(report, &Sources::default()).unwrap()).unwrap()
}

/// The sample as it is in a folder, with the traces of its findings.
fn written(root: &Path) -> HuntReport {
    let mut report = hunt_sample::several();
    let mut folder = HuntFolder::new(root);
    for found in report.classes.iter_mut().flat_map(|class| &mut class.findings) {
        found.file = folder.found(&found.finding).unwrap();
    }
    report
}

#[test]
fn every_document_is_valid_by_the_schema() {
    let root = tempfile::tempdir().unwrap();
    let mut accepting = hunt_sample::several();
    let baseline = &mut accepting.acceptance.baseline;
    baseline.accept(&hunt_sample::deadlock(), "known");
    let suppressed = &document(&accepting)["runs"][0]["results"][2]["suppressions"];
    assert_eq!(suppressed[0]["justification"], "accepted: known");
    for report in [
        accepting,
        written(root.path()),
        hunt_sample::report(),
        HuntReport {
            classes: Vec::new(),
            ..hunt_sample::report()
        },
    ] {
        assert_eq!(problems(&schema(), &document(&report)), [""; 0]);
    }
}

#[test]
fn the_check_finds_what_is_not_sarif() {
    let mut document = document(&hunt_sample::several());
    document["runs"][0]["results"][0]["level"] = "fatal".into();
    document["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into();
    document["runs"][0]["colour"] = "red".into();
    document["runs"][0]["tool"]["driver"] = Value::Object(serde_json::Map::new());
    let found = problems(&schema(), &document);
    assert_eq!(found.len(), 4, "{found:#?}");
}

#[test]
fn a_result_has_its_place_its_flow_and_its_fingerprint() {
    let root = tempfile::tempdir().unwrap();
    let mut document = document(&written(root.path()));
    let results = &mut document["runs"][0]["results"];
    assert_eq!(results.as_array().unwrap().len(), 4);
    for result in results.as_array_mut().unwrap() {
        // Where the test was run.
        result["properties"]["folder"] = "…".into();
    }
    let text = serde_json::to_string_pretty(&results[2]).unwrap() + "\n";
    snapshot::check("report-result.sarif", &text);
}

#[test]
fn fingerprints_stay_when_lines_move_and_classes_change_places() {
    let marks = |report: &HuntReport| -> Vec<(String, String)> {
        let document = document(report);
        let results = document["runs"][0]["results"].as_array().unwrap().clone();
        let mut marks: Vec<(String, String)> = results
            .iter()
            .map(|result| {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                (
                    text(&result["properties"]["id"]),
                    text(&result["partialFingerprints"][FINGERPRINT]),
                )
            })
            .collect();
        marks.sort_unstable();
        marks
    };
    let report = hunt_sample::several();
    let before = marks(&report);
    let mut moved = report.clone();
    moved.classes.reverse();
    for found in moved.classes.iter_mut().flat_map(|class| &mut class.findings) {
        let cause = &mut found.finding.cause;
        *cause = cause.replace(":804", ":1804").replace(":455", ":1455");
        for location in &mut found.locations {
            location.line = location.line.map(|line| line + 1000);
        }
    }
    assert_ne!(
        report.classes[1].findings[0].finding.cause,
        moved.classes[0].findings[0].finding.cause
    );
    assert_eq!(marks(&moved), before);
    // Two wrong results of the same state are numbered.
    let fingerprints: std::collections::BTreeSet<&String> = before.iter().map(|(_, mark)| mark).collect();
    assert_eq!(fingerprints.len(), before.len(), "{before:#?}");
}
