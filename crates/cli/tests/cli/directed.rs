//! Tests made from predictions: the papers' running examples as classes, and a user's own test as the beginning.

use std::path::Path;

use raddle_testkit::{Compiled, compile};
use serde_json::Value;

use crate::hunt::{Ground, class_path};

/// Compiles fixtures by their paths below `fixtures/directed`.
fn compiled(files: &[&str], more: &[(&str, &str)]) -> Compiled {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/directed");
    let texts: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            let text = std::fs::read_to_string(root.join(file)).unwrap();
            (format!("fixtures/directed/{file}"), text)
        })
        .chain(
            more.iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned())),
        )
        .collect();
    let sources: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    compile(&sources).unwrap()
}

fn hunt(classes: &Compiled, arguments: &[&str], code: i32) -> Value {
    let all = [arguments, &["-cp", class_path(classes), "--stock-jvm=never"]].concat();
    Ground::new().document(&all, code)
}

fn findings(document: &Value) -> &Vec<Value> {
    document["classes"][0]["findings"].as_array().unwrap()
}

fn predicted(document: &Value, name: &str) -> u64 {
    document["classes"][0]["predicted"][name].as_u64().unwrap()
}

/// Whether a finding is about these methods, in any order.
fn is_about(finding: &Value, kind: &str, methods: [&str; 2]) -> bool {
    let members = finding["plan"]["threads"].as_array().unwrap().iter();
    let mut names: Vec<&str> = members
        .map(|calls| {
            let member = calls[0]["member"].as_str().unwrap();
            member.split('(').next().unwrap().rsplit('.').next().unwrap()
        })
        .collect();
    names.sort_unstable();
    let mut wanted = methods;
    wanted.sort_unstable();
    finding["kind"] == kind && names == wanted
}

#[test]
fn omen_connects_the_objects_of_foo_and_bar_and_every_prediction_comes_true() {
    let classes = compiled(&["Nest.java"], &[]);
    let found = hunt(&classes, &["fixtures.directed.Nest", "--strategy", "omen"], 1);
    for methods in [["foo", "bar"], ["foo", "foo"]] {
        assert!(
            findings(&found)
                .iter()
                .any(|finding| is_about(finding, "deadlock", methods)),
            "{methods:?}: {found:#}"
        );
    }
    let plans = found["classes"][0]["numbers"]["plans"].as_u64().unwrap();
    assert!(plans > 0 && predicted(&found, "realised") == plans, "{found:#}");
}

#[test]
fn intruder_shares_a_box_through_its_setter_and_leaves_the_shelf_alone() {
    let classes = compiled(&["Holder.java"], &[]);
    let found = hunt(
        &classes,
        &["fixtures.directed.Holder", "--strategy", "intruder"],
        1,
    );
    let of_foo = findings(&found)
        .iter()
        .find(|finding| is_about(finding, "result", ["foo", "foo"]))
        .unwrap_or_else(|| panic!("no lost update: {found:#}"));
    let prefix = of_foo["plan"]["prefix"].as_array().unwrap();
    let setters = prefix.iter().filter(|call| {
        let member = call["member"].as_str().unwrap();
        member.contains(".setBox(")
    });
    assert_eq!(setters.count(), 2, "{of_foo:#}");
    assert!(
        !findings(&found)
            .iter()
            .any(|finding| is_about(finding, "result", ["bar", "bar"])),
        "{found:#}"
    );
    assert!(predicted(&found, "realised") > 0, "{found:#}");
}

#[test]
fn a_test_of_the_user_leads_to_objects_that_nobody_could_guess() {
    let classes = compiled(
        &["bank/Account.java", "bank/Bank.java", "bank/BankTest.java"],
        &[
            ("org/junit/jupiter/api/Test.java", &annotation("Test")),
            ("org/junit/jupiter/api/BeforeEach.java", &annotation("BeforeEach")),
        ],
    );
    let class = "fixtures.directed.bank.Account";
    let seeds = ["--from-tests", "fixtures.directed.bank.BankTest"];
    let found = hunt(&classes, &[class, seeds[0], seeds[1]], 1);
    assert!(
        findings(&found)
            .iter()
            .any(|finding| is_about(finding, "deadlock", ["transfer", "transfer"])),
        "{found:#}"
    );
    let without = hunt(&classes, &[class, "--max-plans", "200", "--budget", "5m"], 3);
    assert!(findings(&without).is_empty(), "{without:#}");
}

fn annotation(name: &str) -> String {
    format!(
        "package org.junit.jupiter.api; import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface {name} {{}}"
    )
}
