//! Records and rows for the tests of the report.

use crate::bench::hunting::list::{self, Subject};
use crate::bench::hunting::record::{Aim, Found, Record, Strategy};

/// Those of the papers.
pub(super) fn subjects() -> Vec<Subject> {
    let mut subjects = list::read().unwrap();
    subjects.retain(|subject| !subject.papers.is_empty());
    subjects
}

pub(super) fn record(hunt: &str, strategy: Strategy, aim: Aim, findings: Vec<Found>) -> Record {
    let mut record = Record::sample(hunt, 1, findings);
    (record.key.strategy, record.key.aim) = (strategy, aim);
    record
}

/// Rows of the n-th table of a section.
pub(super) fn rows(text: &str, section: &str, table: usize, start: &str) -> Vec<String> {
    let from = text.split(&format!("\n## {section}")).nth(1).unwrap();
    let section = from.split("\n## ").next().unwrap();
    let tables: Vec<&str> = section
        .split("\n\n")
        .filter(|part| part.starts_with("| "))
        .collect();
    tables[table]
        .lines()
        .filter(|line| line.starts_with(&format!("| {start}")))
        .map(|line| {
            let cells = line.trim_matches('|').split('|').map(str::trim);
            cells.collect::<Vec<_>>().join(" ; ")
        })
        .collect()
}
