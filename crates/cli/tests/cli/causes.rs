//! One cause is one finding, however many pairs of methods show it; two causes are two. On the classes of `fixtures/causes`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use raddle_testkit::{compile, crew};
use serde_json::Value;

use crate::hunt::{Ground, assert_contains, class_path};

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/causes");
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    let files = fs::read_dir(root).unwrap();
    let mut sources: Vec<(String, String)> = files.map(|entry| read(entry.unwrap().path())).collect();
    sources.sort();
    sources
}

fn directives<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//@ "));
    lines.filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "))
}

#[test]
fn findings_are_as_many_as_causes() {
    let sources = sources();
    let texts: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (&**name, &**text)).collect();
    let classes = compile(&texts).unwrap();
    crew::run(&sources, crew::cores(), |_, (name, text)| {
        let class = name.strip_suffix(".java").unwrap();
        let plans = ["--max-plans", "60", "--budget", "5m", "--stock-jvm=never"];
        let arguments = [&[class, "-cp", class_path(&classes)][..], &plans].concat();
        let ground = Ground::new();
        let document = ground.document(&arguments, 1);
        let findings = document["classes"][0]["findings"].as_array().unwrap();
        let wanted: usize = directives(text, "findings").next().unwrap().parse().unwrap();
        assert_eq!(findings.len(), wanted, "{class}: {findings:#?}");
        let unguarded: BTreeSet<&str> = findings
            .iter()
            .flat_map(|finding| finding["unguarded"].as_array().unwrap())
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(unguarded, directives(text, "unguarded").collect(), "{class}");
        // What the JDK does is shown below the line of the class that calls it.
        for finding in findings {
            let file = Path::new(finding["file"].as_str().unwrap());
            let shown = fs::read_to_string(ground.0.path().join(file).with_file_name("interleaving.txt"));
            assert_contains(&shown.unwrap(), &[&format!("{class}.java:")]);
        }
        if class == "UnlockedBus" {
            let file = Path::new(findings[0]["file"].as_str().unwrap());
            let shown = fs::read_to_string(ground.0.path().join(file).with_file_name("interleaving.txt"));
            let shown = shown.unwrap();
            assert_contains(
                &shown,
                &[
                    "UnlockedBus.publish ›",
                    "UnlockedBus.subscribe ›",
                    ".modCount = 0 → 1",
                ],
            );
            assert!(!shown.contains(" ArrayList.java:"), "{shown}");
        }
    });
}
