//! AutoConTest and the suites it makes: the slides' class, and a class for each pattern.

use std::path::{Path, PathBuf};

use raddle_testkit::compile;
use serde_json::Value;

use crate::hunt::{Ground, class_path};
use crate::raddle::{Run, command};

/// How many of the patterns are tried.
const PATTERNS: usize = if cfg!(feature = "full-tests") { 11 } else { 2 };

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/autocontest")
}

fn slides() -> String {
    std::fs::read_to_string(root().join("Slides.java")).unwrap()
}

#[test]
fn the_failure_of_the_slides_takes_m2_before_m3_against_m1() {
    let text = slides();
    let classes = compile(&[("Slides.java", &*text)]).unwrap();
    let arguments = [
        "fixtures.autocontest.Slides",
        "--strategy",
        "autocontest",
        "--stock-jvm=never",
        "-cp",
    ];
    let found = Ground::new().document(&[&arguments[..], &[class_path(&classes)]].concat(), 1);
    let hunted = &found["classes"][0];
    assert_eq!(
        hunted["predicted"]["behaviours"], 5,
        "m1, m2, m3 with and without the lock, value"
    );
    assert_eq!(
        hunted["predicted"]["realised"], hunted["predicted"]["requirements"],
        "{hunted:#}"
    );
    let finding = &hunted["findings"][0];
    let calls = |part: &Value| -> Vec<String> {
        let calls = part.as_array().unwrap().iter();
        calls
            .map(|call| call["member"].as_str().unwrap().to_owned())
            .collect()
    };
    let prefix = calls(&finding["plan"]["prefix"]);
    assert!(prefix.iter().any(|member| member.contains(".m2(")), "{finding:#}");
    let threads = finding["plan"]["threads"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(calls);
    let mut threads: Vec<String> = threads.collect();
    threads.sort();
    assert_eq!(
        threads,
        [
            "fixtures.autocontest.Slides.m1(I)V",
            "fixtures.autocontest.Slides.m3(I)V"
        ]
    );
}

#[test]
fn every_pattern_comes_about_without_a_lock_and_not_with_one() {
    let mut sources = Vec::new();
    for number in 1..=PATTERNS {
        let name = format!("Pattern{number:02}.java");
        let text = std::fs::read_to_string(root().join("patterns").join(&name)).unwrap();
        sources.push((name, text));
    }
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (&**name, &**text)).collect();
    let classes = compile(&sources).unwrap();
    let out = tempfile::tempdir().unwrap();
    for (name, text) in sources {
        let class = name.trim_end_matches(".java");
        for (variant, words) in [("", "//@ pattern "), ("$Locked", "//@ Locked pattern ")] {
            let line = text
                .lines()
                .find_map(|line| line.trim().strip_prefix(words))
                .unwrap();
            let (pattern, expected) = line.split_once(' ').unwrap();
            let class = format!("fixtures.autocontest.patterns.{class}{variant}");
            let run = command()
                .args(["suite", &class, "--json", "-cp", class_path(&classes), "--out"])
                .arg(out.path())
                .output()
                .unwrap();
            let document: Value = serde_json::from_slice(&run.stdout).unwrap();
            let interleavings = document["interleavings"].as_object().unwrap();
            let marked = interleavings
                .iter()
                .filter(|(mark, _)| mark.starts_with(&format!("pattern {pattern}:")));
            let verdicts: Vec<&str> = marked
                .map(|(_, entry)| entry["verdict"].as_str().unwrap())
                .collect();
            assert!(
                !verdicts.is_empty() && verdicts.iter().all(|verdict| *verdict == expected),
                "{document:#}"
            );
            let covers = interleavings
                .values()
                .filter(|entry| entry["verdict"] == "feasible")
                .count();
            assert_eq!(document["coverage"], covers);
            if expected == "infeasible" {
                assert_eq!(covers, 0, "{document:#}");
                let reasons = interleavings
                    .values()
                    .map(|entry| entry["reason"].as_str().unwrap());
                assert!(
                    reasons.into_iter().all(|reason| reason.contains("lock a")),
                    "{document:#}"
                );
            }
        }
    }
}

/// The test of the suite that fails does so under JUnit, and passes with a class in which m3 has the lock.
#[cfg(feature = "full-tests")]
#[test]
fn tests_of_a_suite_fail_with_the_fault_and_pass_without() {
    let text = slides();
    let classes = compile(&[("Slides.java", &*text)]).unwrap();
    let out = tempfile::tempdir().unwrap();
    let mut command = command();
    command
        .args(["suite", "fixtures.autocontest.Slides", "--json"])
        .args(["-cp", class_path(&classes), "--out"])
        .arg(out.path());
    let run = Run::of(&mut command);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{run:#?}");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let tests = document["tests"].as_array().unwrap();
    let failing = tests.iter().find(|test| test["fails"] == true).unwrap();
    let name = failing["name"].as_str().unwrap();
    let file = format!("{name}.java");
    let suite = out.path().join("fixtures.autocontest.Slides");
    let test = std::fs::read_to_string(suite.join(&file)).unwrap();
    let package = test
        .lines()
        .find_map(|line| line.strip_prefix("package ")?.strip_suffix(';'));
    let package = package.map(|package| format!("{package}.")).unwrap_or_default();
    // One for all tests: beside those of the class, or of all classes.
    let shared = "interleaving/Interleaving.java";
    let helper = [suite.as_path(), out.path()]
        .into_iter()
        .find_map(|root| std::fs::read_to_string(root.join(shared)).ok())
        .unwrap();
    let jdk = raddle_classpath::Jdk::locate(None).unwrap();
    let fixed = text.replace("public void m3(", "public synchronized void m3(");
    assert_ne!(fixed, text);
    for (source, code) in [(&text, 1), (&fixed, 0)] {
        let sources = [
            (&*file, &*test),
            (shared, &*helper),
            ("fixtures/autocontest/Slides.java", &**source),
        ];
        let class = format!("{package}{name}");
        let (came_to, said) = raddle_testkit::run_junit(jdk.home(), &class, &sources).unwrap();
        assert_eq!(came_to, Some(code), "{said}");
    }
}

#[test]
fn a_suite_is_made_for_one_class() {
    let run = Run::of(command().args(["suite", "java.util.Vec*"]));
    assert_eq!(run.code, 2, "{run:#?}");
    let run = Run::of(command().args(["suite", "java.lang.Runnable"]));
    assert_eq!(run.code, 2, "{run:#?}");
    assert!(run.stderr.contains("is an interface"), "{run:#?}");
}
