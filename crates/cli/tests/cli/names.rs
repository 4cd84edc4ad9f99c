//! Names and patterns that are understood.

use crate::raddle::analyze;

#[track_caller]
fn headings(arguments: &[&str]) -> Vec<String> {
    headings_in(&analyze(arguments).succeeds())
}

/// Classes in the order of the output.
fn headings_in(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| line.contains("   module ") && !line.starts_with(' '));
    lines
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn a_nested_class_may_be_written_with_dot_or_dollar() {
    let expected = ["java.util.AbstractMap$SimpleEntry"];
    assert_eq!(headings(&["java.util.AbstractMap.SimpleEntry"]), expected);
    assert_eq!(headings(&["java.util.AbstractMap$SimpleEntry"]), expected);
    assert_eq!(headings(&["java/util/AbstractMap$SimpleEntry"]), expected);
}

#[test]
fn a_nested_interface_is_refused_in_either_spelling() {
    for name in ["java.util.Map.Entry", "java.util.Map$Entry"] {
        analyze(&[name]).is_refused(&["java.util.Map$Entry", "interface"]);
    }
}

#[test]
fn an_enum_is_a_class() {
    assert_eq!(
        headings(&["java.util.concurrent.TimeUnit"]),
        ["java.util.concurrent.TimeUnit"]
    );
}

#[test]
fn classes_come_in_the_order_given_and_only_once() {
    let names = ["java.util.Vector", "java.util.BitSet", "java.util.Vector"];
    assert_eq!(headings(&names), ["java.util.Vector", "java.util.BitSet"]);
}

#[test]
fn a_pattern_is_sorted_and_skips_what_has_no_public_methods() {
    let text = analyze(&["java.util.E*"]).succeeds();
    let found = headings_in(&text);
    assert!(found.is_sorted(), "{found:?}");
    assert!(found.contains(&"java.util.EnumMap".to_owned()));
    assert!(!found.contains(&"java.util.Enumeration".to_owned()));
    let total = text.lines().find(|line| line.starts_with("Total ")).unwrap();
    assert!(total.contains(" interfaces"), "{total}");
}

#[test]
fn two_stars_reach_into_packages_below() {
    assert_eq!(
        headings(&["java.util.**.Reen*tLock"]),
        ["java.util.concurrent.locks.ReentrantLock"]
    );
}

#[test]
fn a_pattern_that_matches_nothing_is_refused() {
    analyze(&["no.such.package__.*"]).is_refused(&["no class matches no.such.package__.*", "`**`"]);
}

#[test]
fn a_pattern_that_matches_only_interfaces_is_refused() {
    analyze(&["java.util.function.*"]).is_refused(&["nothing to analyse", "interfaces"]);
}

#[test]
fn a_class_that_is_named_and_matched_counts_as_named() {
    let run = analyze(&["java.util.function.*", "java.util.function.Function"]);
    run.is_refused(&["java.util.function.Function", "interface"]);
}
