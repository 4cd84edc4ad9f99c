//! The known answer: `Hashtable.equals` locks the other table while it holds its own.

use serde_json::Value;

use crate::raddle::{analyze, without_times};

const HASHTABLE: &str = "java.util.Hashtable";
const EQUALS: &str = "equals(java.lang.Object)";

#[test]
fn equals_is_double_lock_dependent_on_itself_and_the_source_lines_are_told() {
    let text = analyze(&["-v", HASHTABLE]).succeeds();
    let pair = format!("{EQUALS} ⇌D {EQUALS}");
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(&pair))
        .unwrap_or_else(|| panic!("{text}"));
    let evidence = line.split_once(&pair).unwrap().1;
    assert!(evidence.contains("<this, o> Hashtable.java:"), "{line}");
    assert_eq!(evidence.matches("Hashtable.java:").count() % 2, 0, "{line}");
}

#[test]
fn size_has_no_double_lock_partner() {
    let text = analyze(&["-v", HASHTABLE]).succeeds();
    assert!(text.contains("size()"));
    assert!(
        !text.contains(" size() ⇌D") && !text.contains("⇌D size() "),
        "{text}"
    );
}

#[test]
fn the_json_document_carries_the_same_evidence() {
    let text = analyze(&["--json", HASHTABLE]).succeeds();
    let document: Value = serde_json::from_str(&text).unwrap();
    let class = &document["classes"][0];
    let methods = class["methods"].as_array().unwrap();
    let index_of = |signature| {
        methods
            .iter()
            .position(|method| method["signature"] == signature)
            .unwrap()
    };
    let (equals, size) = (index_of(EQUALS), index_of("size()"));
    let crossing = |pair: &&Value| !pair["double_lock"].is_null();
    let has = |pair: &Value, first: usize, second: usize| pair["first"] == first && pair["second"] == second;

    let pairs = class["pairs"].as_array().unwrap();
    let found = pairs
        .iter()
        .filter(crossing)
        .find(|pair| has(pair, equals, equals))
        .unwrap();
    let lock = found["double_lock"]["first_lock"].as_u64().unwrap() as usize;
    let lock = &methods[equals]["double_locks"][lock];
    assert_eq!(
        (&lock["first"], &lock["second"]),
        (&Value::from("this"), &Value::from("o"))
    );
    assert!(lock["first_place"]["line"].is_u64() && lock["second_place"]["line"].is_u64());
    assert!(
        !pairs
            .iter()
            .filter(crossing)
            .any(|pair| pair["first"] == size || pair["second"] == size)
    );
}

#[test]
fn both_precisions_answer_and_are_told_apart() {
    let paper = analyze(&["--precision", "paper", HASHTABLE]).succeeds();
    let precise = analyze(&["--precision", "precise", HASHTABLE]).succeeds();
    assert!(paper.lines().next().unwrap().ends_with(" paper"));
    assert!(precise.lines().next().unwrap().ends_with(" precise"));
    assert_eq!(
        without_times(&precise),
        without_times(&analyze(&[HASHTABLE]).succeeds())
    );
}
