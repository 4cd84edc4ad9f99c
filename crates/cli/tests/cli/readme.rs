//! The excerpt in docs/analyze.md is what the program prints.

use crate::raddle::analyze;

const PAGE: &str = include_str!("../../../../docs/analyze.md");
/// Stands for lines left out.
const GAP: &str = "…";

/// A line without what differs from JDK to JDK: its version, and where in a source file something is.
fn on_any_jdk(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, number)) = split_at_number(rest) {
        text.push_str(before);
        text.push('N');
        rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    }
    text + rest
}

/// Up to and including ` of JDK ` or `.java:`, and what follows.
fn split_at_number(line: &str) -> Option<(&str, &str)> {
    let ends = [" of JDK ", ".java:"].map(|mark| line.find(mark).map(|at| at + mark.len()));
    ends.into_iter().flatten().min().map(|at| line.split_at(at))
}

#[test]
fn the_excerpt_in_the_page_is_real() {
    let excerpt = PAGE.split("```").nth(1).unwrap().trim_start_matches('\n');
    let text = analyze(&["java.util.Hashtable"]).succeeds();
    let printed: Vec<String> = text.lines().map(on_any_jdk).collect();
    for line in excerpt.lines().filter(|line| *line != GAP) {
        assert!(
            printed.contains(&on_any_jdk(line)),
            "docs/analyze.md shows a line that is not printed:\n{line}\n{text}"
        );
    }
}

#[test]
fn only_versions_and_places_are_taken_for_the_same() {
    assert_eq!(
        on_any_jdk("java.util.Hashtable   module java.base of JDK 17.0.15   precise"),
        "java.util.Hashtable   module java.base of JDK N   precise"
    );
    assert_eq!(
        on_any_jdk("<this, o> Hashtable.java:814 → Hashtable.java:819  … +17"),
        "<this, o> Hashtable.java:N → Hashtable.java:N  … +17"
    );
}
