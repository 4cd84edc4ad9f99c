//! The report: every way to hunt as one line for each set of faults, and as one column for each fault.

use std::collections::BTreeSet;

use crate::bench::hunting::expectation::Likeness;
use crate::bench::hunting::head;
use crate::bench::hunting::list::{Group, Subject};
use crate::bench::hunting::published::{self, Averages, Published, Results};
use crate::bench::hunting::record::{Record, Scheduler, Strategy};
use crate::bench::hunting::series::{self, Series, Total};
use crate::bench::hunting::statistics::{count, mean, median, seconds_cell, whole_cell};
use crate::markdown::{Side, Table, add};

const LEGEND: &str = "
A hunt ends when a finding of the kind of every fault that is expected of the class has been made, in whatever pair of \
methods. Success is the share of faults and seeds for which that was so within the budget. Medians are of those; the mean counts a miss as the whole budget, as the papers do. Plans are \
tests until the finding, or up to a second more. \"controlled\" is Raddle's own scheduling, \"stress\" leaves the threads to \
the operating system.

The papers' lines are of the same faults, as far as they print them, in the papers' versions of the classes, with an hour \
each: DepCon+ and \"CovCon again\" from DepCon+ Tables II and III, CovCon and ConTeGe from CovCon Table II. Their tests are \
means.
";

/// Faults that are summed up together.
struct Set {
    title: &'static str,
    is_part: fn(&Series<'_>, Option<&Published>) -> bool,
}

const SETS: [Set; 4] = [
    Set {
        title: "All faults",
        is_part: |_, _| true,
    },
    Set {
        title: "Faults of DepCon+ Table II: exceptions and wrong results",
        is_part: |one, papers| {
            papers.is_some_and(|papers| papers.depcon.is_some()) && !one.expectation.is_deadlock()
        },
    },
    Set {
        title: "Faults of DepCon+ Table III: deadlocks",
        is_part: |one, papers| {
            papers.is_some_and(|papers| papers.depcon.is_some()) && one.expectation.is_deadlock()
        },
    },
    Set {
        title: "Faults of CovCon Table II",
        is_part: |_, papers| papers.is_some_and(|papers| papers.covcon.is_some()),
    },
];

pub(super) fn render(
    groups: &[Group],
    subjects: &[Subject],
    records: &[Record],
    published: &Results,
) -> String {
    let series = series::all(subjects, records);
    let ways: BTreeSet<(Scheduler, Strategy)> = series.iter().map(|one| (one.way.1, one.way.0)).collect();
    let mut text = head::render("Strategies", "strategies", records);
    text.push_str(LEGEND);
    for set in &SETS {
        let part: Vec<&Series<'_>> = series
            .iter()
            .filter(|one| (set.is_part)(one, published.of(&one.expectation.of)))
            .collect();
        if part.is_empty() {
            continue;
        }
        add(
            &mut text,
            format_args!(
                "\n## {}\n\n{}",
                set.title,
                summary(&part, &ways, published).render()
            ),
        );
    }
    for (scheduler, title) in [
        (Scheduler::Controlled, "Each fault, controlled"),
        (Scheduler::Stress, "Each fault, stress"),
    ] {
        let strategies: Vec<Strategy> = ways
            .iter()
            .filter(|way| way.0 == scheduler)
            .map(|way| way.1)
            .collect();
        if !strategies.is_empty() {
            let table = each_fault(&series, scheduler, &strategies, published);
            add(&mut text, format_args!("\n## {title}\n\n{}", table.render()));
        }
    }
    text.push_str(&head::missing(groups, subjects, records));
    text
}

fn summary(series: &[&Series<'_>], ways: &BTreeSet<(Scheduler, Strategy)>, published: &Results) -> Table {
    let mut table = Table::new(&[
        ("strategy", Side::Left),
        ("scheduler", Side::Left),
        ("faults", Side::Right),
        ("success %", Side::Right),
        ("median s", Side::Right),
        ("mean s", Side::Right),
        ("plans or tests", Side::Right),
    ]);
    for &(scheduler, strategy) in ways {
        let own: Vec<&Series<'_>> = series
            .iter()
            .copied()
            .filter(|one| one.way == (strategy, scheduler))
            .collect();
        let total = Total::of(own.iter().copied(), Likeness::Kind);
        table.row(vec![
            strategy.name().to_owned(),
            scheduler.name().to_owned(),
            own.len().to_string(),
            whole_cell(total.success()),
            seconds_cell(total.median_seconds),
            seconds_cell(total.mean_seconds),
            whole_cell(total.median_plans),
        ]);
    }
    let faults: BTreeSet<&str> = series.iter().map(|one| one.expectation.of.as_str()).collect();
    let papers: Vec<&Published> = faults.iter().filter_map(|fault| published.of(fault)).collect();
    let averages = |which: fn(&Published) -> Option<Averages>| -> Vec<Averages> {
        papers.iter().filter_map(|papers| which(papers)).collect()
    };
    let seconds = |which: fn(&Published) -> Option<u32>| -> Vec<u32> {
        papers.iter().filter_map(|papers| which(papers)).collect()
    };
    let rows = [
        averages_cells("DepCon+", &averages(|papers| papers.depcon)),
        averages_cells("CovCon again", &averages(|papers| papers.covcon_again)),
        seconds_cells("CovCon", &seconds(|papers| Some(papers.covcon?.seconds))),
        seconds_cells("ConTeGe", &seconds(|papers| Some(papers.covcon?.contege))),
    ];
    for row in rows.into_iter().flatten() {
        table.row(row);
    }
    table
}

/// None if the paper prints nothing for these faults.
fn averages_cells(name: &str, averages: &[Averages]) -> Option<Vec<String>> {
    let mean_of = |number: fn(&Averages) -> u32| -> Option<f64> {
        mean(
            &averages
                .iter()
                .map(|one| f64::from(number(one)))
                .collect::<Vec<_>>(),
        )
    };
    Some(vec![
        name.to_owned(),
        "as published".to_owned(),
        averages.len().to_string(),
        whole_cell(Some(mean_of(|one| one.success)?)),
        "–".to_owned(),
        seconds_cell(mean_of(|one| one.seconds)),
        whole_cell(mean_of(|one| one.tests)),
    ])
}

/// None if the paper prints nothing for these faults.
fn seconds_cells(name: &str, seconds: &[u32]) -> Option<Vec<String>> {
    let found: Vec<f64> = seconds
        .iter()
        .filter(|seconds| published::is_found(**seconds))
        .map(|seconds| f64::from(*seconds))
        .collect();
    let all: Vec<f64> = seconds.iter().map(|seconds| f64::from(*seconds)).collect();
    let mean = mean(&all)?;
    let success = 100.0 * count(found.len() as u64) / count(all.len() as u64);
    Some(vec![
        name.to_owned(),
        "as published".to_owned(),
        all.len().to_string(),
        whole_cell(Some(success)),
        seconds_cell(median(found)),
        seconds_cell(Some(mean)),
        "–".to_owned(),
    ])
}

fn each_fault(
    series: &[Series<'_>],
    scheduler: Scheduler,
    strategies: &[Strategy],
    published: &Results,
) -> Table {
    let mut head = vec![
        ("id", Side::Left),
        ("class", Side::Left),
        ("expected", Side::Left),
    ];
    head.extend(strategies.iter().map(|strategy| (strategy.name(), Side::Right)));
    head.extend(["DepCon+", "CovCon again", "CovCon", "ConTeGe"].map(|title| (title, Side::Right)));
    let mut table = Table::new(&head);
    let mut faults: Vec<&Series<'_>> = Vec::new();
    for one in series {
        let is_known = faults.iter().any(|known| is_same_fault(known, one));
        if !is_known {
            faults.push(one);
        }
    }
    for fault in faults {
        let mut cells = vec![
            fault.subject.id.clone(),
            fault.subject.class.clone(),
            fault.expectation.to_string(),
        ];
        cells.extend(strategies.iter().map(|strategy| {
            let own = series
                .iter()
                .find(|one| is_same_fault(one, fault) && one.way == (*strategy, scheduler));
            own.map_or_else(String::new, score_and_time)
        }));
        let papers = published.of(&fault.expectation.of);
        cells.extend([
            Averages::cell(papers.and_then(|papers| papers.depcon)),
            Averages::cell(papers.and_then(|papers| papers.covcon_again)),
            published::seconds_cell(papers.and_then(|papers| Some(papers.covcon?.seconds))),
            published::seconds_cell(papers.and_then(|papers| Some(papers.covcon?.contege))),
        ]);
        table.row(cells);
    }
    table
}

fn is_same_fault(one: &Series<'_>, other: &Series<'_>) -> bool {
    std::ptr::eq(one.expectation, other.expectation) && one.jdk == other.jdk
}

/// Such as `4/5, 1.2 s`.
fn score_and_time(series: &Series<'_>) -> String {
    match Total::of([series], Likeness::Kind).median_seconds {
        Some(seconds) => format!("{}, {seconds:.1} s", series.score(Likeness::Kind)),
        None => series.score(Likeness::Kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::hunting::expectation::Kind;
    use crate::bench::hunting::list;
    use crate::bench::hunting::record::Found;

    fn record(hunt: &str, way: (Strategy, Scheduler), seed: u64, found: Option<Found>) -> Record {
        let mut record = Record::sample(hunt, seed, found.into_iter().collect());
        (record.key.strategy, record.key.scheduler) = way;
        record
    }

    fn report() -> String {
        let ours = (Strategy::Portfolio, Scheduler::Controlled);
        let theirs = (Strategy::Covcon, Scheduler::Stress);
        let deadlock = |seconds| Some(Found::sample(Kind::Deadlock, seconds));
        let records = [
            record("S19", ours, 1, deadlock(1.0)),
            record("S19", ours, 2, deadlock(2.0)),
            record("S19", theirs, 1, None),
            record("S19", theirs, 2, deadlock(4.0)),
            record("S01", ours, 1, Some(Found::sample(Kind::Result, 5.0))),
        ];
        let subjects = list::read().unwrap();
        render(&[Group::Jdk], &subjects, &records, &published::read().unwrap())
    }

    fn rows(section: &str, start: &str) -> Vec<String> {
        let text = report();
        let from = text.split(&format!("\n## {section}")).nth(1).unwrap();
        let section = from.split("\n## ").next().unwrap();
        section
            .lines()
            .filter(|line| line.starts_with(start))
            .map(|line| {
                let cells = line.trim_matches('|').split('|').map(str::trim);
                cells.collect::<Vec<_>>().join(" ; ")
            })
            .collect()
    }

    #[test]
    fn ways_and_papers_are_summed_up_over_the_same_faults() {
        let section = "Faults of DepCon+ Table III";
        assert_eq!(
            rows(section, "| portfolio"),
            ["portfolio ; controlled ; 1 ; 100 ; 1.5 ; 1.5 ; 10"]
        );
        assert_eq!(
            rows(section, "| covcon"),
            ["covcon ; stress ; 1 ; 50 ; 4.0 ; 32.0 ; 10"]
        );
        assert_eq!(
            rows(section, "| DepCon+"),
            ["DepCon+ ; as published ; 1 ; 100 ; – ; 5.0 ; 34"]
        );
        assert_eq!(
            rows("Faults of DepCon+ Table II:", "| DepCon+"),
            ["DepCon+ ; as published ; 1 ; 100 ; – ; 81.0 ; 188"]
        );
        assert_eq!(
            rows("All faults", "| CovCon "),
            [
                "CovCon again ; as published ; 2 ; 20 ; – ; 2887.5 ; 22244",
                "CovCon ; as published ; 2 ; 50 ; 2602.0 ; 3101.0 ; –"
            ]
        );
    }

    #[test]
    fn a_set_without_faults_is_left_out() {
        let subjects = list::read().unwrap();
        let way = (Strategy::Portfolio, Scheduler::Controlled);
        let records = [record("S19", way, 1, None)];
        let text = render(&[Group::Jdk], &subjects, &records, &published::read().unwrap());
        assert!(text.contains("## Faults of DepCon+ Table III"), "{text}");
        assert!(!text.contains("## Faults of DepCon+ Table II:"), "{text}");
    }

    #[test]
    fn each_fault_has_a_column_per_strategy() {
        let controlled = rows("Each fault, controlled", "| S19");
        assert_eq!(
            controlled,
            [
                "S19 ; java.util.Collections$SynchronizedMap ; deadlock ; 2/2, 1.5 s ; 100 %, 5 s ; 0 %, 3600 s ; 2602 s ; never"
            ]
        );
        let stress = rows("Each fault, stress", "| S");
        assert!(stress[0].contains(" ; 1/2, 4.0 s ; "), "{stress:?}");
        assert!(stress[1].starts_with("S01 ; org.apache.commons.lang.math.IntRange ; result ;  ; "));
    }
}
