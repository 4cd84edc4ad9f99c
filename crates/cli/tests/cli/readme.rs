//! The excerpt in README.md is what the program prints.

use crate::raddle::analyze;

const README: &str = include_str!("../../../../README.md");
/// Stands for lines left out.
const GAP: &str = "…";

#[test]
fn the_excerpt_in_the_readme_is_real() {
    let section = README.split_once("## How to read the analysis").unwrap().1;
    let excerpt = section.split("```").nth(1).unwrap().trim_start_matches('\n');
    let text = analyze(&["java.util.Hashtable"]).succeeds();
    if text.lines().next() != excerpt.lines().next() {
        return; // another JDK, whose source lines differ
    }
    for line in excerpt.lines().filter(|line| *line != GAP) {
        assert!(
            text.lines().any(|printed| printed == line),
            "README.md shows a line that is not printed:\n{line}\n{text}"
        );
    }
}
