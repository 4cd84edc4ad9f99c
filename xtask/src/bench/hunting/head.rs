//! The head of a report: what was measured, when, and on what; and what is missing in it.

use std::collections::BTreeSet;

use super::list::{Group, Subject};
use super::record::{End, Record};
use crate::bench::machine;
use crate::markdown::add;

/// Title and first paragraph.
pub(in crate::bench) fn render(title: &str, command: &str, records: &[Record]) -> String {
    let loads = || records.iter().map(|record| record.load);
    let (least, most) = (
        loads().reduce(f64::min).unwrap_or(0.0),
        loads().reduce(f64::max).unwrap_or(0.0),
    );
    let budgets = distinct(records, |record| format!("{} s", seconds(record.budget_ms)));
    let seeds: BTreeSet<u64> = records.iter().map(|record| record.key.seed).collect();
    format!(
        "# {title}\n\n{}, commit {}, JDK {}, {}, load {least:.1} to {most:.1}. Made by `cargo xtask bench {command}`.\n\n\
         {} hunts with a budget of {}, strategy {}, seeds {}.\n",
        distinct(records, |record| record.date.clone()),
        distinct(records, |record| record.commit.clone()),
        distinct(records, |record| record.jdk_version.clone()),
        machine::processor(),
        records.len(),
        budgets,
        distinct(records, |record| record.key.strategy.name().to_owned()),
        seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
    )
}

/// Hunts without result, and classes that were not hunted at all; empty if there are none.
pub(in crate::bench) fn missing(groups: &[Group], subjects: &[Subject], records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let what = match &record.end {
            End::Met | End::Itself => continue,
            End::Stuck => "did not end".to_owned(),
            End::Failed(said) => format!("gave no result: {}", said.replace('\n', " ")),
        };
        add(&mut text, format_args!("- {} {what}\n", record.key));
    }
    let absent: Vec<&str> = subjects
        .iter()
        .filter(|subject| groups.contains(&subject.group))
        .filter(|subject| !records.iter().any(|record| record.key.hunt == subject.id))
        .map(|subject| subject.id.as_str())
        .collect();
    if !absent.is_empty() {
        add(&mut text, format_args!("- no hunt: {}\n", absent.join(", ")));
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Not measured\n\n{text}")
}

pub(in crate::bench) fn distinct(records: &[Record], what: impl Fn(&Record) -> String) -> String {
    let values: BTreeSet<String> = records
        .iter()
        .map(what)
        .filter(|value| !value.is_empty())
        .collect();
    values.into_iter().collect::<Vec<_>>().join(" and ")
}

fn seconds(milliseconds: u64) -> f64 {
    std::time::Duration::from_millis(milliseconds).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::super::list;
    use super::*;

    #[test]
    fn the_head_tells_all_that_was_measured_on() {
        let mut records = vec![
            Record::sample("S17", 1, Vec::new()),
            Record::sample("S17", 2, Vec::new()),
        ];
        records[1].load = 2.5;
        records[1].jdk_version = "25.0.1".to_owned();
        let text = render("Hunts", "hunt", &records);
        assert!(
            text.starts_with("# Hunts\n\n2026-01-02, commit abc, JDK 17.0.15 and 25.0.1, "),
            "{text}"
        );
        assert!(
            text.contains(", load 1.5 to 2.5. Made by `cargo xtask bench hunt`."),
            "{text}"
        );
        assert!(
            text.ends_with("2 hunts with a budget of 60 s, strategy portfolio, seeds 1, 2.\n"),
            "{text}"
        );
    }

    #[test]
    fn what_gave_no_result_is_told() {
        let subjects = list::read().unwrap();
        let jdk: Vec<Record> = subjects
            .iter()
            .filter(|subject| subject.group == Group::Jdk)
            .map(|subject| Record::sample(&subject.id, 1, Vec::new()))
            .collect();
        assert_eq!(missing(&[Group::Jdk], &subjects, &jdk), "");
        let mut failed = jdk[1..].to_vec();
        failed[0].end = End::Failed("error:\nno JVM".to_owned());
        let text = missing(&[Group::Jdk], &subjects, &failed);
        assert!(
            text.contains("- S17-jdk17-portfolio-controlled-1 gave no result: error: no JVM\n"),
            "{text}"
        );
        assert!(text.ends_with("- no hunt: S16\n"), "{text}");
    }
}
