//! The part of the report that tells how soon a first deadlock was found.

use super::RIVALS;
use super::hunts::{Hunts, Number, of_paper};
use crate::bench::hunting::list::{Paper, Subject};
use crate::bench::hunting::record::{Aim, Record};
use crate::bench::hunting::statistics::{count, median, seconds_cell, whole_cell};
use crate::markdown::{Side, Table};

/// Schedules in which a first deadlock should be seen.
const FEW: u64 = 50;

const LEGEND: &str = "
One hunt for each class and strategy that looks for deadlocks alone and ends with the first, after 20 s at the latest. A cell \
has the schedules until the deadlock was seen, in brackets those until it was made as small as possible and repeated, then \
plans and seconds until then. With ≤, the first number is not known exactly, and is no more than the second. \
\"Not known\" counts those of them that may or may not have been seen in 50 schedules.

";

pub(super) fn render(subjects: &[Subject], records: &[Record]) -> String {
    format!(
        "\n## The first deadlock\n{LEGEND}{}\n{}",
        each_class(subjects, records).render(),
        overall(subjects, records).render()
    )
}

/// How soon a deadlock was found.
struct First {
    /// Exactly, or else no more than this.
    seen: u64,
    is_exact: bool,
    sure: u64,
    plans: u64,
    seconds: f64,
}

impl First {
    /// None if nothing was found.
    fn of(record: &Record) -> Option<First> {
        let finding = record.findings.first()?;
        Some(First {
            seen: finding.seen_schedules.unwrap_or(finding.schedules),
            is_exact: finding.seen_schedules.is_some(),
            sure: finding.schedules,
            plans: finding.plans,
            seconds: finding.seconds,
        })
    }
}

fn median_of(firsts: &[First], number: fn(&First) -> f64) -> Number {
    median(firsts.iter().map(number).collect())
}

fn each_class(subjects: &[Subject], records: &[Record]) -> Table {
    let mut head = vec![("id", Side::Left), ("class", Side::Left)];
    head.extend(RIVALS.map(|strategy| (strategy.name(), Side::Right)));
    let mut table = Table::new(&head);
    for (subject, _) in of_paper(subjects, Paper::Omen) {
        let mut cells = vec![subject.id.clone(), subject.class.clone()];
        cells.extend(
            RIVALS.map(|strategy| first_cell(&Hunts::of(records, subject, strategy, Aim::FirstDeadlock))),
        );
        table.row(cells);
    }
    table
}

/// Such as `10 (72), 2 plans, 0.6 s`; with several seeds, how many of them found it comes first.
fn first_cell(hunts: &Hunts<'_>) -> String {
    let firsts: Vec<First> = hunts.0.iter().filter_map(|record| First::of(record)).collect();
    let hunts = hunts.0.len();
    if firsts.is_empty() {
        return if hunts == 0 {
            String::new()
        } else {
            "none".to_owned()
        };
    }
    let score = if hunts == 1 {
        String::new()
    } else {
        format!("{}/{hunts}: ", firsts.len())
    };
    let bound = if firsts.iter().all(|first| first.is_exact) {
        ""
    } else {
        "≤"
    };
    format!(
        "{score}{bound}{} ({}), {} plans, {} s",
        whole_cell(median_of(&firsts, |first| count(first.seen))),
        whole_cell(median_of(&firsts, |first| count(first.sure))),
        whole_cell(median_of(&firsts, |first| count(first.plans))),
        seconds_cell(median_of(&firsts, |first| first.seconds)),
    )
}

fn overall(subjects: &[Subject], records: &[Record]) -> Table {
    let mut table = Table::new(&[
        ("strategy", Side::Left),
        ("hunts", Side::Right),
        ("found", Side::Right),
        ("seen in 50 schedules", Side::Right),
        ("not known", Side::Right),
        ("median schedules until seen", Side::Right),
        ("until sure", Side::Right),
        ("plans", Side::Right),
        ("s", Side::Right),
    ]);
    for strategy in RIVALS {
        let hunts: Vec<&Record> = of_paper(subjects, Paper::Omen)
            .flat_map(|(subject, _)| Hunts::of(records, subject, strategy, Aim::FirstDeadlock).0)
            .collect();
        let firsts: Vec<First> = hunts.iter().filter_map(|record| First::of(record)).collect();
        let few = firsts.iter().filter(|first| first.seen <= FEW).count();
        let unknown = firsts
            .iter()
            .filter(|first| first.seen > FEW && !first.is_exact)
            .count();
        table.row(vec![
            strategy.name().to_owned(),
            hunts.len().to_string(),
            firsts.len().to_string(),
            format!("{few}/{}", hunts.len()),
            unknown.to_string(),
            whole_cell(median_of(&firsts, |first| count(first.seen))),
            whole_cell(median_of(&firsts, |first| count(first.sure))),
            whole_cell(median_of(&firsts, |first| count(first.plans))),
            seconds_cell(median_of(&firsts, |first| first.seconds)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::sample::{record, rows, subjects};
    use super::*;
    use crate::bench::hunting::expectation::Kind;
    use crate::bench::hunting::record::{Found, Strategy};

    fn first(hunt: &str, strategy: Strategy, schedules: u64, seen: Option<u64>) -> Record {
        let finding = Found {
            schedules,
            seen_schedules: seen,
            ..Found::sample(Kind::Deadlock, 1.0)
        };
        record(hunt, strategy, Aim::FirstDeadlock, vec![finding])
    }

    #[test]
    fn schedules_until_the_first_deadlock_are_told_as_exactly_as_they_are_known() {
        let records = [
            first("S17", Strategy::Omen, 80, Some(50)),
            first("S38", Strategy::Omen, 90, None),
            first("S39", Strategy::Omen, 45, None),
            record("S17", Strategy::Depcon, Aim::FirstDeadlock, Vec::new()),
            first("S17", Strategy::Contege, 900, Some(51)),
            // Hunts for everything say nothing of the first deadlock.
            record(
                "S39",
                Strategy::Omen,
                Aim::Everything,
                vec![Found::sample(Kind::Deadlock, 9.0)],
            ),
        ];
        let text = render(&subjects(), &records);
        assert_eq!(
            rows(&text, "The first deadlock", 0, "S17"),
            ["S17 ; java.util.Hashtable ; 50 (80), 10 plans, 1.0 s ; none ;  ; 51 (900), 10 plans, 1.0 s"]
        );
        assert!(
            rows(&text, "The first deadlock", 0, "S38")[0].contains(" ; ≤90 (90), 10 plans, 1.0 s ; "),
            "{text}"
        );
        let summary = |start| rows(&text, "The first deadlock", 1, start);
        assert_eq!(summary("omen"), ["omen ; 3 ; 3 ; 2/3 ; 1 ; 50 ; 80 ; 10 ; 1.0"]);
        assert_eq!(summary("depcon"), ["depcon ; 1 ; 0 ; 0/1 ; 0 ; – ; – ; – ; –"]);
        assert_eq!(
            summary("contege"),
            ["contege ; 1 ; 1 ; 0/1 ; 0 ; 51 ; 900 ; 10 ; 1.0"]
        );
    }

    #[test]
    fn several_seeds_are_told_as_medians() {
        let mut records = vec![
            first("S17", Strategy::Omen, 80, Some(10)),
            first("S17", Strategy::Omen, 100, Some(30)),
            record("S17", Strategy::Omen, Aim::FirstDeadlock, Vec::new()),
        ];
        for (record, seed) in records.iter_mut().zip(1..) {
            record.key.seed = seed;
        }
        let text = render(&subjects(), &records);
        assert!(
            rows(&text, "The first deadlock", 0, "S17")[0].contains(" ; 2/3: 20 (90), 10 plans, 1.0 s ; "),
            "{text}"
        );
    }
}
