//! `cargo xtask bench false-alarms`: what hunts find in classes that are known to be correct.

use std::collections::BTreeMap;
use std::time::Duration;

use super::hunting::arguments::{Arguments, Jdks};
use super::hunting::expectation::{Likeness, name_of};
use super::hunting::head;
use super::hunting::list::{self, Group, Subject};
use super::hunting::record::{Found, Record, Scheduler, StockJvm, Strategy};
use super::hunting::runner::{self, Benchmark, Way};
use crate::file;
use crate::markdown::{Side, Table, add};

const BUDGET: Duration = Duration::from_mins(1);
const LEGEND: &str = "
Every hunt uses its whole budget and looks for all kinds. A finding that is known to be true is no false alarm. Nor is \
every other one: a class can be meant for threads and yet promise less than that calls seem to happen one after the other. \
Each finding is to be judged by hand.
";

/// Arguments of `bench false-alarms`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Arguments,
    /// JDKs to hunt on.
    #[arg(long, value_enum, default_value = "17")]
    jdk: Jdks,
}

/// The same finding, by all hunts of a class on one JDK.
struct Alarm<'a> {
    finding: &'a Found,
    seeds: Vec<u64>,
    confirmed: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let benchmark = Benchmark {
        name: "false-alarms",
        groups: vec![Group::Correct],
        jdks: args.jdk,
        budget: BUDGET,
        seeds: 5,
        ways: vec![Way::of_all(Strategy::Portfolio, Scheduler::Controlled)],
        ends_at: None,
        tries_stock_jvm: true,
    };
    let subjects = list::read()?;
    let records = runner::records(&args.common, &benchmark, &subjects)?;
    let text = render(&benchmark.groups, &subjects, &records);
    print!("{text}");
    if let Some(path) = &args.common.out {
        file::write(path, &text)?;
    }
    Ok(())
}

fn render(groups: &[Group], subjects: &[Subject], records: &[Record]) -> String {
    let mut classes = Table::new(&[
        ("id", Side::Left),
        ("class", Side::Left),
        ("JDK", Side::Right),
        ("hunts", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
        ("inconclusive", Side::Right),
        ("known findings", Side::Right),
        ("other findings", Side::Right),
    ]);
    let mut findings = Table::new(&[
        ("id", Side::Left),
        ("JDK", Side::Right),
        ("finding", Side::Left),
        ("what", Side::Left),
        ("pair", Side::Left),
        ("seeds", Side::Left),
        ("stock JVM confirms", Side::Right),
        ("known", Side::Left),
    ]);
    let mut is_quiet = true;
    for subject in subjects {
        let mut by_jdk: BTreeMap<u32, Vec<&Record>> = BTreeMap::new();
        for record in records.iter().filter(|record| record.key.hunt == subject.id) {
            by_jdk.entry(record.key.jdk).or_default().push(record);
        }
        for (jdk, own) in by_jdk {
            let alarms = alarms(&own);
            is_quiet &= alarms.is_empty();
            classes.row(class_cells(subject, jdk, &own, &alarms));
            for alarm in &alarms {
                findings.row(finding_cells(subject, jdk, alarm));
            }
        }
    }
    let mut text = head::render("False alarms", "false-alarms", records);
    add(
        &mut text,
        format_args!("{LEGEND}\n{}\n## Findings\n\n", classes.render()),
    );
    text.push_str(&if is_quiet {
        "None.\n".to_owned()
    } else {
        findings.render()
    });
    text.push_str(&inconclusive(records));
    text.push_str(&head::missing(groups, subjects, records));
    text
}

/// Each finding once, in the order of their ids.
fn alarms<'a>(records: &[&'a Record]) -> Vec<Alarm<'a>> {
    let mut alarms: BTreeMap<&str, Alarm<'a>> = BTreeMap::new();
    for record in records {
        for finding in &record.findings {
            let alarm = alarms.entry(&finding.id).or_insert_with(|| Alarm {
                finding,
                seeds: Vec::new(),
                confirmed: 0,
            });
            alarm.seeds.push(record.key.seed);
            alarm.confirmed += usize::from(finding.stock_jvm == StockJvm::Confirmed);
        }
    }
    alarms.into_values().collect()
}

fn known_as<'s>(subject: &'s Subject, finding: &Found) -> Option<&'s str> {
    let known = subject
        .expected
        .iter()
        .find(|one| one.is_met_by(finding, Likeness::Fault));
    known.map(|expectation| expectation.of.as_str())
}

fn class_cells(subject: &Subject, jdk: u32, records: &[&Record], alarms: &[Alarm<'_>]) -> Vec<String> {
    let known = alarms
        .iter()
        .filter(|alarm| known_as(subject, alarm.finding).is_some())
        .count();
    vec![
        subject.id.clone(),
        subject.class.clone(),
        jdk.to_string(),
        records.len().to_string(),
        records.iter().map(|record| record.plans).sum::<u64>().to_string(),
        records
            .iter()
            .map(|record| record.schedules)
            .sum::<u64>()
            .to_string(),
        records
            .iter()
            .filter(|record| !doubts(record).is_empty())
            .count()
            .to_string(),
        known.to_string(),
        (alarms.len() - known).to_string(),
    ]
}

fn finding_cells(subject: &Subject, jdk: u32, alarm: &Alarm<'_>) -> Vec<String> {
    let Alarm {
        finding,
        seeds,
        confirmed,
    } = alarm;
    vec![
        subject.id.clone(),
        jdk.to_string(),
        finding.id.clone(),
        finding
            .exception
            .clone()
            .unwrap_or_else(|| finding.kind.name().to_owned()),
        pair(finding),
        seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
        format!("{confirmed}/{}", seeds.len()),
        known_as(subject, finding).unwrap_or("no").to_owned(),
    ]
}

/// A method that stands alone is called by both threads.
fn pair(finding: &Found) -> String {
    let names: Vec<&str> = finding.methods.iter().map(|method| name_of(method)).collect();
    match names[..] {
        [only] => format!("{only} ∥ {only}"),
        _ => names.join(" ∥ "),
    }
}

/// Why it says little that a hunt has found nothing; empty if it has found something, or says something.
fn doubts(record: &Record) -> Vec<&str> {
    if !record.findings.is_empty() {
        return Vec::new();
    }
    record.gaps.iter().map(String::as_str).collect()
}

fn inconclusive(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        for doubt in doubts(record) {
            add(&mut text, format_args!("- {}: {doubt}\n", record.key));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Inconclusive\n\n{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::hunting::expectation::Kind;

    fn report(records: &[Record]) -> Vec<String> {
        let subjects = list::read().unwrap();
        render(&[Group::Correct], &subjects, records)
            .lines()
            .map(|line| {
                let cells = line.trim_matches('|').split('|').map(str::trim);
                cells.collect::<Vec<_>>().join(" ; ")
            })
            .collect()
    }

    #[test]
    fn a_finding_is_told_once_with_all_its_seeds() {
        let mut known = Found::sample(Kind::Exception, 1.0);
        known.exception = Some("java.lang.StackOverflowError".to_owned());
        known.threads = vec![
            vec!["clear()".to_owned(), "hashCode()".to_owned()],
            vec!["putAll(java.util.Map)".to_owned()],
        ];
        let mut unconfirmed = Found::sample(Kind::Result, 2.0);
        unconfirmed.stock_jvm = StockJvm::NotConfirmed;
        unconfirmed.methods.truncate(1);
        let lines = report(&[
            Record::sample("ConcurrentHashMap", 1, vec![known, unconfirmed.clone()]),
            Record::sample("ConcurrentHashMap", 2, vec![unconfirmed]),
        ]);
        for expected in [
            "ConcurrentHashMap ; java.util.concurrent.ConcurrentHashMap ; 17 ; 2 ; 200 ; 20000 ; 0 ; 1 ; 1",
            "ConcurrentHashMap ; 17 ; exception-0 ; java.lang.StackOverflowError ; a ∥ b ; 1 ; 1/1 ; S21",
            "ConcurrentHashMap ; 17 ; result-0 ; result ; a ∥ a ; 1, 2 ; 0/2 ; no",
        ] {
            assert!(lines.iter().any(|line| line == expected), "{lines:#?}");
        }
    }

    #[test]
    fn silence_that_says_little_is_told() {
        let mut record = Record::sample("Random", 1, Vec::new());
        let quiet = report(std::slice::from_ref(&record));
        assert!(quiet.contains(&"None.".to_owned()), "{quiet:#?}");
        assert!(!quiet.contains(&"## Inconclusive".to_owned()));
        record.gaps.push("a JVM died".to_owned());
        let lines = report(&[record]);
        for told in [
            "- Random-jdk17-portfolio-controlled-1: a JVM died",
            "Random ; java.util.Random ; 17 ; 1 ; 100 ; 10000 ; 1 ; 0 ; 0",
        ] {
            assert!(lines.contains(&told.to_owned()), "{lines:#?}");
        }
    }
}
