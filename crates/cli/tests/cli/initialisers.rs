//! Initialisers that need each other: hunts of the classes in `fixtures/initialisers`, in folders named for the verdict.

use std::path::Path;

use raddle_testkit::{Compiled, compile, crew};
use serde_json::Value;

use crate::hunt::{Ground, class_path};

/// The fixtures of a verdict, by name and text.
fn sources(verdict: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/initialisers");
    let mut found: Vec<(String, String)> = std::fs::read_dir(root.join(verdict))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{verdict}");
    found
}

fn compiled(verdict: &str, sources: &[(String, String)]) -> Compiled {
    let named: Vec<(String, &str)> = sources
        .iter()
        .map(|(name, text)| (format!("fixtures/initialisers/{verdict}/{name}.java"), &**text))
        .collect();
    let sources: Vec<(&str, &str)> = named.iter().map(|(name, text)| (&**name, *text)).collect();
    compile(&sources).unwrap()
}

#[test]
fn deadlocks_of_initialisers_are_found_and_named() {
    let sources = sources("deadlock");
    let classes = compiled("deadlock", &sources);
    crew::run(&sources, crew::cores(), |_, (name, _)| {
        let class = format!("fixtures.initialisers.deadlock.{name}");
        let bounds = [
            "--max-plans",
            "20",
            "--budget",
            "5m",
            "--stop-at-first",
            "--stock-jvm=never",
        ];
        let arguments = [&[&*class, "-cp", class_path(&classes)][..], &bounds].concat();
        let document = Ground::new().document(&arguments, 1);
        let finding = &document["classes"][0]["findings"][0];
        assert_eq!(finding["kind"], "deadlock", "{name}: {finding:#}");
        let cycle = finding["evidence"]["deadlock"]["cycle"].as_array().unwrap();
        let waits = |link: &Value| link["wants"].as_str().unwrap().starts_with("the initialiser of ");
        assert!(cycle.len() == 2 && cycle.iter().any(waits), "{name}: {finding:#}");
    });
}

#[test]
fn initialisers_that_cannot_meet_are_no_violation() {
    let sources = sources("clean");
    let classes = compiled("clean", &sources);
    crew::run(&sources, crew::cores(), |_, (name, _)| {
        let class = format!("fixtures.initialisers.clean.{name}");
        let bounds = ["--max-plans", "40", "--budget", "5m", "--stock-jvm=never"];
        let arguments = [&[&*class, "-cp", class_path(&classes)][..], &bounds].concat();
        let document = Ground::new().document(&arguments, 0);
        let findings = document["classes"][0]["findings"].as_array().unwrap();
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    });
}

#[cfg(feature = "full-tests")]
#[test]
fn stock_jvms_deadlock_as_well() {
    let sources = sources("deadlock");
    let classes = compiled("deadlock", &sources);
    for (name, _) in &sources {
        let class = format!("fixtures.initialisers.deadlock.{name}");
        let bounds = [
            "--max-plans",
            "20",
            "--budget",
            "5m",
            "--stop-at-first",
            "--stock-jvm=always",
        ];
        let arguments = [&[&*class, "-cp", class_path(&classes)][..], &bounds].concat();
        let document = Ground::new().document(&arguments, 1);
        let finding = &document["classes"][0]["findings"][0];
        assert_eq!(finding["stock_jvm"], "confirmed", "{name}: {finding:#}");
    }
}
