//! What only some crates may do, as the table in ARCHITECTURE.md says: `unsafe` code, starting processes, reading clocks,
//! printing. Whatever does one of these is in a place that the table names, and every place that it names does it.

use std::path::Path;

use super::Problem;
use super::class_names::{is_product, product_part};
use crate::workspace;

const DOCUMENT: &str = "ARCHITECTURE.md";

/// What the rows of the table are called, and what in code is meant by them.
const POWERS: [(&str, &[&str]); 4] = [
    (
        "`unsafe` code",
        &["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"],
    ),
    ("starting processes", &["Command::new("]),
    ("reading a clock", &["Instant::now", "SystemTime::now"]),
    (
        "printing and ending the process",
        &[
            "print!(",
            "println!(",
            "eprint!(",
            "eprintln!(",
            "stdout()",
            "stderr()",
            "process::exit(",
        ],
    ),
];

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    power: &'static str,
    tokens: &'static [&'static str],
    line: usize,
    /// Files, or folders that end in a slash.
    places: Vec<String>,
}

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let document = workspace::read(root, Path::new(DOCUMENT))?;
    let at = |line: Option<usize>, message: String| Problem {
        file: DOCUMENT.into(),
        line,
        message,
    };
    let mut problems = Vec::new();
    let rows = rows(&document);
    for (power, _) in POWERS {
        if !rows.iter().any(|row| row.power == power) {
            problems.push(at(None, format!("no table says who may do this: {power}")));
        }
    }
    let mut unused: Vec<(&Row, &String)> = rows
        .iter()
        .flat_map(|row| row.places.iter().map(move |place| (row, place)))
        .collect();
    for file in workspace::files_with_extension(root, "rs")? {
        let path = file.to_string_lossy().replace('\\', "/");
        if !is_product(&path) {
            continue;
        }
        let text = workspace::read(root, &file)?;
        for row in &rows {
            let Some(line) = first_use(product_part(&text), row.tokens) else {
                continue;
            };
            let is_here = |place: &String| path.starts_with(place.as_str());
            unused.retain(|(of, place)| *of != row || !is_here(place));
            if !row.places.iter().any(is_here) {
                problems.push(Problem {
                    file: file.clone(),
                    line: Some(line),
                    message: format!("{}: {DOCUMENT} does not name this place", row.power),
                });
            }
        }
    }
    problems.extend(unused.into_iter().map(|(row, place)| {
        let message = format!("{}: nothing in `{place}` does that", row.power);
        at(Some(row.line), message)
    }));
    Ok(problems)
}

/// The rows of the table: what, and in the second cell the places, in backticks.
fn rows(document: &str) -> Vec<Row> {
    let lines = document.lines().zip(1..);
    let row = |(text, line): (&str, usize)| {
        let mut cells = text.strip_prefix("| ")?.split(" | ");
        let first = cells.next()?;
        let (power, tokens) = POWERS.into_iter().find(|(power, _)| *power == first)?;
        let places = cells.next()?.split('`').skip(1).step_by(2);
        Some(Row {
            power,
            tokens,
            line,
            places: places.map(str::to_owned).collect(),
        })
    };
    lines.filter_map(row).collect()
}

/// The first line that does something of a kind, comments aside.
fn first_use(text: &str, tokens: &[&str]) -> Option<usize> {
    let mut lines = text.lines().zip(1..);
    lines.find_map(|(line, number)| {
        let code = line.split("//").next()?;
        tokens
            .iter()
            .any(|token| contains_token(code, token))
            .then_some(number)
    })
}

/// Whether there is a token that is not the end of a longer name.
fn contains_token(line: &str, token: &str) -> bool {
    let is_name = |before: char| before.is_alphanumeric() || before == '_';
    line.match_indices(token)
        .any(|(at, _)| !line[..at].ends_with(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_places_in_backticks() {
        let document = "| who | where | why |\n|---|---|---|\n| reading a clock | `crates/a/`, `crates/b/src/c.rs` | why |\n";
        let rows = rows(document);
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].power, rows[0].line), ("reading a clock", 3));
        assert_eq!(rows[0].places, ["crates/a/", "crates/b/src/c.rs"]);
    }

    #[test]
    fn uses_are_found_and_comments_are_not() {
        let (_, clocks) = POWERS[2];
        assert_eq!(first_use("a();\nlet now = Instant::now();\n", clocks), Some(2));
        assert_eq!(first_use("// Instant::now would be wrong\n", clocks), None);
        let (_, printing) = POWERS[3];
        assert_eq!(first_use("my_println!(1)", printing), None);
        assert_eq!(first_use("println!(\"1\")", printing), Some(1));
    }
}
