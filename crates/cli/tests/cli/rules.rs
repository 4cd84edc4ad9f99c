//! What may be by design is told apart from what is not: pairs of classes in `fixtures/rules`.

use std::path::Path;

use raddle_testkit::{Compiled, compile, crew};
use serde_json::Value;

use crate::hunt::{Ground, class_path};

/// The fixtures of a verdict, by name and text.
fn sources(verdict: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rules");
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
        .map(|(name, text)| (format!("fixtures/rules/{verdict}/{name}.java"), &**text))
        .collect();
    let sources: Vec<(&str, &str)> = named.iter().map(|(name, text)| (&**name, *text)).collect();
    compile(&sources).unwrap()
}

/// What the line `//@ key: value` says, if there is one.
fn option<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("//@ "));
    lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// The same of a line that must be there.
fn directive<'t>(text: &'t str, key: &str) -> &'t str {
    option(text, key).unwrap()
}

fn hunt(classes: &Compiled, verdict: &str, name: &str, more: &[&str], code: i32) -> Value {
    let class = format!("fixtures.rules.{verdict}.{name}");
    let is_bounded = more.contains(&"--max-plans");
    let plans: &[&str] = if is_bounded { &[] } else { &["--max-plans", "60"] };
    let bounds = [plans, &["--budget", "5m", "--stock-jvm=never"]].concat();
    let class_path = ["-cp", class_path(classes)];
    let arguments = [&[&*class][..], &bounds, &class_path, more].concat();
    Ground::new().document(&arguments, code)["classes"][0].clone()
}

#[test]
fn what_may_be_by_design_is_no_violation_but_is_told() {
    let sources = sources("weaker");
    let classes = compiled("weaker", &sources);
    crew::run(&crew::share(sources, 4), crew::cores(), |_, (name, text)| {
        let rule = directive(text, "rule");
        let more: Vec<&str> = option(text, "max-plans")
            .map(|plans| vec!["--max-plans", plans])
            .unwrap_or_default();
        let class = hunt(&classes, "weaker", name, &more, 0);
        assert_eq!(
            class["findings"].as_array().unwrap().len(),
            0,
            "{name}: {class:#}"
        );
        let weaker = class["weaker"].as_array().unwrap();
        assert!(!weaker.is_empty(), "{name}");
        for found in weaker {
            assert_eq!(found["weakness"]["rule"], rule, "{name}: {found:#}");
        }
    });
}

#[test]
fn what_looks_like_it_and_is_not_stays_a_violation() {
    let sources = sources("violation");
    let classes = compiled("violation", &sources);
    crew::run(&crew::share(sources, 4), crew::cores(), |_, (name, _)| {
        let class = hunt(&classes, "violation", name, &["--stop-at-first"], 1);
        assert_eq!(class["findings"][0]["weakness"], Value::Null, "{name}");
    });
}

#[cfg(feature = "full-tests")]
#[test]
fn known_mistakes_are_still_made() {
    let sources = sources("fixme");
    let classes = compiled("fixme", &sources);
    crew::run(&sources, crew::cores(), |_, (name, text)| {
        let class = format!("fixtures.rules.fixme.{name}");
        let plans = directive(text, "max-plans");
        let bounds = ["--max-plans", plans, "--budget", "5m", "--stock-jvm=never"];
        let arguments = [&[&*class, "-cp", class_path(&classes)][..], &bounds].concat();
        let run = Ground::new().hunt(&arguments);
        let right = directive(text, "code");
        assert_ne!(
            run.code.to_string(),
            right,
            "{name} gets the right verdict; move it out of fixme"
        );
    });
}

#[test]
fn with_strict_everything_counts_and_keeps_its_label() {
    let sources = sources("weaker");
    let classes = compiled("weaker", &sources);
    let class = hunt(&classes, "weaker", "TwoCounters", &["--strict"], 1);
    assert_eq!(class["findings"][0]["weakness"]["rule"], "snapshot");
    assert_eq!(class["weaker"].as_array().unwrap().len(), 0);
}

#[test]
fn pairs_that_break_the_same_state_are_one_finding() {
    let sources = sources("violation");
    let classes = compiled("violation", &sources);
    let class = hunt(&classes, "violation", "VolatileCount", &[], 1);
    let findings = class["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["state"][0], "VolatileCount.count");
    let also = findings[0]["also"].as_array().unwrap();
    assert!(!also.is_empty(), "{also:?}");
}
