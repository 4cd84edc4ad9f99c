//! Classes that do not end, end the virtual machine, take everything or cannot be looked at: hunts of `fixtures/awkward` come
//! to an end, and say what happened.

use std::path::Path;

use raddle_testkit::{compile, crew};
use serde_json::Value;

use crate::hunt::{Ground, class_path};

/// One of each kind of trouble; the others are for the full tests.
#[cfg(not(feature = "full-tests"))]
const FEW: [&str; 6] = [
    "CleanerBlocks",
    "ConstructorBlocks",
    "Exits",
    "InitialiserHangs",
    "NeverEnds",
    "ThreadBomb",
];

/// Name and text of every class. What is in `fixme` below is a known mistake and gets no test.
fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/awkward");
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    #[cfg(not(feature = "full-tests"))]
    found.retain(|(name, _)| FEW.contains(&name.as_str()));
    found.sort();
    assert!(!found.is_empty());
    found
}

fn is_empty(list: &Value) -> bool {
    list.as_array().is_none_or(Vec::is_empty)
}

#[test]
fn awkward_classes_are_left_in_time_and_the_report_says_why() {
    let sources = sources();
    let named: Vec<(String, &str)> = sources
        .iter()
        .map(|(name, text)| (format!("fixtures/awkward/{name}.java"), &**text))
        .collect();
    let texts: Vec<(&str, &str)> = named.iter().map(|(name, text)| (&**name, *text)).collect();
    let classes = compile(&texts).unwrap();
    crew::run(&sources, crew::cores(), |_, (name, text)| {
        let code = text.lines().find_map(|line| line.strip_prefix("//@ code: "));
        let code: i32 = code.unwrap().parse().unwrap();
        let class = format!("fixtures.awkward.{name}");
        // Those that cannot be tested use up their time; the others are over by a number, however slow the machine is.
        let bounds: &[&str] = if code == 3 {
            &["--budget", "2s"]
        } else {
            &["--budget", "10m", "--max-plans", "12", "--stop-at-first"]
        };
        let more = ["-cp", class_path(&classes), "--stock-jvm=never"];
        let report = Ground::new().document(&[&[&*class][..], bounds, &more].concat(), code);
        let report = &report["classes"][0];
        assert_eq!(!is_empty(&report["gaps"]), code == 3, "{name}: {report:#}");
        assert_eq!(!is_empty(&report["findings"]), code == 1, "{name}: {report:#}");
    });
}
