//! Rust files: a module doc on top, a bounded length, nothing left unfinished.

use std::path::Path;

use super::Problem;
use crate::workspace;

const MAX_LINES: usize = 700;

/// What must not be left in a source file. Written in two halves, so that this file does not contain it.
const FORBIDDEN: [(&str, &str); 4] = [
    (concat!("todo", "!"), "finish it or leave it out"),
    (concat!("unimplemented", "!"), "finish it or leave it out"),
    (concat!("dbg", "!"), "remove it"),
    (concat!("#[", "ignore"), "make the test pass, or delete it"),
];

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for file in workspace::files_with_extension(root, "rs")? {
        let text = workspace::read(root, &file)?;
        problems.extend(broken_rules(&text).into_iter().map(|(line, message)| Problem {
            file: file.clone(),
            line: Some(line),
            message,
        }));
    }
    Ok(problems)
}

fn broken_rules(text: &str) -> Vec<(usize, String)> {
    let mut broken = Vec::new();
    if !text.starts_with("//!") {
        broken.push((
            1,
            "the file does not start with a `//!` line that says what it is for".to_owned(),
        ));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        broken.push((
            MAX_LINES + 1,
            format!("{lines} lines, at most {MAX_LINES} are allowed; split the file"),
        ));
    }
    for (index, line) in text.lines().enumerate() {
        for (forbidden, remedy) in FORBIDDEN {
            if contains_token(line, forbidden) {
                broken.push((index + 1, format!("`{forbidden}` is not allowed; {remedy}")));
            }
        }
    }
    broken
}

/// Whether `line` contains `token` other than as the end of a longer name.
fn contains_token(line: &str, token: &str) -> bool {
    line.match_indices(token)
        .any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_needs_a_module_doc() {
        assert!(broken_rules("//! Something.\n").is_empty());
        assert_eq!(broken_rules("use std::io;\n").len(), 1);
    }

    #[test]
    fn length_is_bounded() {
        let longest = format!("//! Doc.\n{}", "\n".repeat(MAX_LINES - 1));
        assert!(broken_rules(&longest).is_empty());
        assert_eq!(broken_rules(&format!("{longest}\n"))[0].0, MAX_LINES + 1);
    }

    #[test]
    fn unfinished_code_is_found_with_its_line() {
        for (forbidden, _) in FORBIDDEN {
            assert_eq!(
                broken_rules(&format!("//! Doc.\n    {forbidden}"))[0].0,
                2,
                "{forbidden}"
            );
        }
        assert!(broken_rules(&format!("//! Doc.\nmy_{}(1)", FORBIDDEN[2].0)).is_empty());
    }
}
