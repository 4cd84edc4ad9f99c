//! The report in Markdown.

use std::collections::BTreeSet;

use super::record::{Analysis, Key, Record};
use crate::bench::hunting::statistics::{count, median, seconds_cell, whole_cell as whole};
use crate::bench::machine;
use crate::markdown::{Side, Table, add};

const WORKERS: &str = "\
`raddle hunt --jobs N`, medians over the seeds. Faster is schedules per second beside those of one worker. Memory is resident: \
the most that the coordinator and the largest worker held at any time, and the most that all held at once, in which pages \
that processes share count for each. Workers that were replaced are in the number of workers.
";

const METHODS: &str = "\
A generated class: groups of five methods about a value, a map and a queue, all locked or atomic, and one that asks a queue \
whether it is empty before it takes the lock. Pairs are those of public methods, \"to test\" those that the analysis leaves. \
The analysis is the best of several runs of the program, the hunt the median over the seeds until the first finding, with one worker.
";

const CLASS_PATH: &str = "\
A jar with a correct class of ten methods and others, of which it reaches up to ten by calls; the rest is known by name only. \
The hunt has one worker and ends after the same number of plans each time.
";

pub(super) fn render(records: &[Record]) -> String {
    let mut text = head(records);
    for (title, introduction, table) in [
        ("Workers", WORKERS, workers(records)),
        ("Size of the class", METHODS, methods(records)),
        ("Size of the class path", CLASS_PATH, class_path(records)),
    ] {
        if let Some(table) = table {
            add(
                &mut text,
                format_args!("\n## {title}\n\n{introduction}\n{}", table.render()),
            );
        }
    }
    text
}

fn head(records: &[Record]) -> String {
    let distinct = |what: fn(&Record) -> String| {
        let values: BTreeSet<String> = records.iter().map(what).collect();
        values.into_iter().collect::<Vec<_>>().join(" and ")
    };
    let loads = || {
        let first = |record: &Record| record.load.split_whitespace().next()?.parse::<f64>().ok();
        records.iter().filter_map(first)
    };
    format!(
        "# Scale\n\n{}, commit {}, JDK {}, {}, load {:.1} to {:.1}. Made by `cargo xtask bench scale`, with hunts of {} s \
         for the workers.\n",
        distinct(|record| record.date.clone()),
        distinct(|record| record.commit.clone()),
        distinct(|record| record.jdk_version.clone()),
        machine::processor(),
        loads().reduce(f64::min).unwrap_or(0.0),
        loads().reduce(f64::max).unwrap_or(0.0),
        distinct(|record| record.budget_s.to_string()),
    )
}

/// All seeds of what is otherwise the same.
pub(super) struct Group<'a> {
    pub(super) records: Vec<&'a Record>,
}

impl<'a> Group<'a> {
    fn of(records: &'a [Record], is_meant: impl Fn(&Key) -> bool) -> Group<'a> {
        Group {
            records: records.iter().filter(|record| is_meant(&record.key)).collect(),
        }
    }

    pub(super) fn with_workers(records: &'a [Record], of: &str, number: u32) -> Group<'a> {
        Group::of(
            records,
            |key| matches!(key, Key::Workers { class, jobs, .. } if class == of && *jobs == number),
        )
    }

    pub(super) fn with_methods(records: &'a [Record], number: u32) -> Group<'a> {
        Group::of(
            records,
            |key| matches!(key, Key::Methods { methods, .. } if *methods == number),
        )
    }

    pub(super) fn values(&self, what: impl Fn(&Record) -> Option<f64>) -> Vec<f64> {
        self.records.iter().filter_map(|record| what(record)).collect()
    }

    pub(super) fn median(&self, what: impl Fn(&Record) -> Option<f64>) -> Option<f64> {
        median(self.values(what))
    }

    /// The largest, over the seeds.
    pub(super) fn most(&self, what: impl Fn(&Record) -> u64) -> u64 {
        self.records.iter().map(|record| what(record)).max().unwrap_or(0)
    }
}

/// Classes that were hunted with several workers, each with the numbers of workers.
pub(super) fn worker_classes(records: &[Record]) -> Vec<(&str, Vec<u32>)> {
    let keys: BTreeSet<(&str, u32)> = records
        .iter()
        .filter_map(|record| match &record.key {
            Key::Workers { class, jobs, .. } => Some((class.as_str(), *jobs)),
            _ => None,
        })
        .collect();
    let mut classes: Vec<(&str, Vec<u32>)> = Vec::new();
    for (class, jobs) in keys {
        match classes.last_mut() {
            Some((last, numbers)) if *last == class => numbers.push(jobs),
            _ => classes.push((class, vec![jobs])),
        }
    }
    classes
}

pub(super) fn method_numbers(records: &[Record]) -> BTreeSet<u32> {
    let number = |record: &Record| match record.key {
        Key::Methods { methods, .. } => Some(methods),
        _ => None,
    };
    records.iter().filter_map(number).collect()
}

/// Each with the number of its classes.
pub(super) fn class_paths(records: &[Record]) -> Vec<(u32, &Record)> {
    let number = |record: &Record| match record.key {
        Key::ClassPath { classes } => Some(classes),
        _ => None,
    };
    records
        .iter()
        .filter_map(|record| Some((number(record)?, record)))
        .collect()
}

pub(super) fn schedules_per_second(record: &Record) -> Option<f64> {
    let seconds = record.hunt.time_ms / 1000.0;
    (seconds > 0.0).then(|| count(record.hunt.schedules) / seconds)
}

/// What else the machine does slows a hunt down and hardly changes this.
fn schedules_per_cpu_second(record: &Record) -> Option<f64> {
    let seconds = record.hunt.cpu_ms / 1000.0;
    (seconds > 0.0).then(|| count(record.hunt.schedules) / seconds)
}

pub(super) fn mebibytes(kibibytes: u64) -> f64 {
    count(kibibytes) / 1024.0
}

fn workers(records: &[Record]) -> Option<Table> {
    let mut table = Table::new(&[
        ("class", Side::Left),
        ("workers", Side::Right),
        ("schedules", Side::Right),
        ("a second", Side::Right),
        ("faster", Side::Right),
        ("plans", Side::Right),
        ("findings", Side::Right),
        ("CPU s", Side::Right),
        ("schedules a CPU s", Side::Right),
        ("coordinator MiB", Side::Right),
        ("worker MiB", Side::Right),
        ("together MiB", Side::Right),
        ("JVMs", Side::Right),
    ]);
    let classes = worker_classes(records);
    for (class, numbers) in &classes {
        let alone = Group::with_workers(records, class, 1).median(schedules_per_second);
        for jobs in numbers {
            let group = Group::with_workers(records, class, *jobs);
            let rate = group.median(schedules_per_second);
            let faster = rate
                .zip(alone)
                .map(|(rate, alone)| format!("{:.2}", rate / alone));
            table.row(vec![
                (*class).to_owned(),
                jobs.to_string(),
                whole(group.median(|record| Some(count(record.hunt.schedules)))),
                whole(rate),
                faster.unwrap_or_default(),
                whole(group.median(|record| Some(count(record.hunt.plans)))),
                whole(group.median(|record| Some(count(record.hunt.findings)))),
                seconds_cell(group.median(|record| Some(record.hunt.cpu_ms / 1000.0))),
                whole(group.median(schedules_per_cpu_second)),
                whole(Some(mebibytes(
                    group.most(|record| record.hunt.memory.coordinator),
                ))),
                whole(Some(mebibytes(
                    group.most(|record| record.hunt.memory.largest_worker()),
                ))),
                whole(Some(mebibytes(group.most(|record| {
                    let (coordinator, workers) = record.hunt.memory.together;
                    coordinator + workers
                })))),
                whole(group.median(|record| Some(count(record.hunt.memory.workers.len() as u64)))),
            ]);
        }
    }
    (!classes.is_empty()).then_some(table)
}

fn methods(records: &[Record]) -> Option<Table> {
    let mut table = Table::new(&[
        ("methods", Side::Right),
        ("pairs", Side::Right),
        ("to test", Side::Right),
        ("analyze ms", Side::Right),
        ("median", Side::Right),
        ("CPU ms", Side::Right),
        ("MiB", Side::Right),
        ("found", Side::Right),
        ("first finding s", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
    ]);
    let numbers = method_numbers(records);
    for methods in &numbers {
        let group = Group::with_methods(records, *methods);
        let analysis = group.records.iter().find_map(|record| record.analysis.as_ref());
        let found = group.values(|record| record.hunt.first_finding_ms).len();
        table.row(vec![
            methods.to_string(),
            whole(analysis.map(|analysis| count(analysis.pairs))),
            whole(analysis.map(|analysis| count(analysis.dependent))),
            seconds_cell(analysis.map(Analysis::best_wall_ms)),
            seconds_cell(analysis.map(Analysis::median_wall_ms)),
            seconds_cell(analysis.map(Analysis::best_cpu_ms)),
            whole(analysis.map(|analysis| mebibytes(analysis.peak_kib))),
            format!("{found}/{}", group.records.len()),
            seconds_cell(group.median(first_finding_s)),
            whole(group.median(|record| Some(count(record.hunt.plans)))),
            whole(group.median(|record| Some(count(record.hunt.schedules)))),
        ]);
    }
    (!numbers.is_empty()).then_some(table)
}

pub(super) fn first_finding_s(record: &Record) -> Option<f64> {
    Some(record.hunt.first_finding_ms? / 1000.0)
}

fn class_path(records: &[Record]) -> Option<Table> {
    let mut table = Table::new(&[
        ("classes", Side::Right),
        ("analyze ms", Side::Right),
        ("median", Side::Right),
        ("CPU ms", Side::Right),
        ("MiB", Side::Right),
        ("hunt s", Side::Right),
        ("CPU s", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
        ("coordinator MiB", Side::Right),
        ("worker MiB", Side::Right),
    ]);
    let paths = class_paths(records);
    for (classes, record) in &paths {
        let analysis = record.analysis.as_ref();
        let hunt = &record.hunt;
        table.row(vec![
            classes.to_string(),
            seconds_cell(analysis.map(Analysis::best_wall_ms)),
            seconds_cell(analysis.map(Analysis::median_wall_ms)),
            seconds_cell(analysis.map(Analysis::best_cpu_ms)),
            whole(analysis.map(|analysis| mebibytes(analysis.peak_kib))),
            seconds_cell(Some(hunt.wall_ms / 1000.0)),
            seconds_cell(Some(hunt.cpu_ms / 1000.0)),
            hunt.plans.to_string(),
            hunt.schedules.to_string(),
            whole(Some(mebibytes(hunt.memory.coordinator))),
            whole(Some(mebibytes(hunt.memory.largest_worker()))),
        ]);
    }
    (!paths.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers_record(jobs: u32, seed: u64, schedules: u64) -> Record {
        let class = "a.B".to_owned();
        let mut record = Record::sample(Key::Workers { class, jobs, seed });
        record.hunt.schedules = schedules;
        record
    }

    fn row(text: &str, start: &str) -> String {
        let line = text.lines().find(|line| line.starts_with(start)).unwrap();
        let cells = line.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" ; ")
    }

    #[test]
    fn workers_are_compared_with_one() {
        let records = [
            workers_record(1, 1, 400),
            workers_record(1, 2, 600),
            workers_record(2, 1, 900),
        ];
        let text = render(&records);
        assert!(
            row(&text, "| a.B   |       1")
                .starts_with("a.B ; 1 ; 500 ; 500 ; 1.00 ; 10 ; 1 ; 0.9 ; 556 ; 80 ; 120 ; 270 ; 2")
        );
        assert!(row(&text, "| a.B   |       2").starts_with("a.B ; 2 ; 900 ; 900 ; 1.80 ;"));
        assert!(!text.contains("## Size"), "{text}");
    }

    #[test]
    fn sizes_have_a_line_each() {
        let mut missed = Record::sample(Key::Methods { methods: 10, seed: 2 });
        missed.analysis = None;
        missed.hunt.first_finding_ms = None;
        let records = [
            Record::sample(Key::Methods { methods: 10, seed: 1 }),
            missed,
            Record::sample(Key::ClassPath { classes: 5_000 }),
        ];
        let text = render(&records);
        assert_eq!(
            row(&text, "|      10"),
            "10 ; 55 ; 20 ; 80.0 ; 90.0 ; 60.0 ; 40 ; 1/2 ; 0.5 ; 10 ; 500"
        );
        assert_eq!(
            row(&text, "|    5000"),
            "5000 ; 80.0 ; 90.0 ; 60.0 ; 40 ; 1.2 ; 0.9 ; 10 ; 500 ; 80 ; 120"
        );
    }
}
