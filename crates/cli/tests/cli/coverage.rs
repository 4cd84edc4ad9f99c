//! What hunts say of how much they have covered, on the classes of `fixtures/coverage`.

use std::fs;
use std::path::{Path, PathBuf};

use raddle_testkit::{Compiled, compile, crew};

use crate::hunt::{Ground, assert_contains, class_path};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/coverage")
}

fn sources(folder: &str) -> Vec<(String, String)> {
    let mut sources: Vec<(String, String)> = fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    sources.sort();
    sources
}

fn compiled() -> Compiled {
    let folders = ["violations", "nothing-found", "inconclusive", "shared"];
    let texts: Vec<(String, String)> = folders.iter().flat_map(|folder| sources(folder)).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    compile(&texts).unwrap()
}

fn directives<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//@ "));
    lines.filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// Hunts every class of a folder, and expects that exit code of each.
fn hunt_all(folder: &str, code: i32) {
    let classes = compiled();
    crew::run(
        &crew::share(sources(folder), 4),
        crew::cores(),
        |_, (name, text)| {
            let class = format!("fixtures.coverage.{}", name.strip_suffix(".java").unwrap());
            let options: Vec<&str> = directives(text, "hunt").flat_map(str::split_whitespace).collect();
            let arguments = [
                &class,
                "-cp",
                class_path(&classes),
                "--stock-jvm=never",
                "--budget",
                "5m",
            ];
            let run = Ground::new().hunt(&[&arguments[..], &options].concat());
            assert_eq!(run.code, code, "{class}: {run:#?}");
            let says: Vec<&str> = directives(text, "says").collect();
            assert_contains(&run.stdout, &says);
            assert!(!run.stdout.contains("Too many open files"), "{run:#?}");
        },
    );
}

#[test]
fn classes_are_broken_by_values_that_are_not_neutral_or_of_the_kind_that_they_take() {
    hunt_all("violations", 1);
}

#[test]
fn nothing_found_is_said_where_enough_was_covered() {
    hunt_all("nothing-found", 0);
}

#[test]
fn a_hunt_that_covers_too_little_is_inconclusive_and_says_why() {
    hunt_all("inconclusive", 3);
}
