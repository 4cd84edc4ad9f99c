//! Tables of the page that are made from the results of hunts: every subject, and the papers' own tables with ours beside.

use std::collections::BTreeSet;

use super::paper::Entry;
use super::rates::Rate;
use crate::bench::hunting::expectation::Likeness;
use crate::bench::hunting::list::{Group, Subject};
use crate::bench::hunting::published::{self, Averages, Results};
use crate::bench::hunting::record::{Record, Scheduler, Strategy};
use crate::bench::hunting::series::{self, Series, Total};
use crate::bench::hunting::statistics::{mean, seconds_cell, whole_cell};
use crate::markdown::{Side, Table, add};

/// What the tables are made from.
pub(super) struct Data<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) subjects: &'a [Subject],
    pub(super) hunts: &'a [Record],
    /// Of `bench strategies`; may be empty.
    pub(super) strategies: &'a [Record],
    pub(super) published: &'a Results,
}

impl Data<'_> {
    /// One for each expectation and JDK, of the default strategy.
    pub(super) fn series(&self) -> Vec<Series<'_>> {
        series::all(self.subjects, self.hunts)
    }

    /// Whether there is a fault of that number, or of a class that a paper has under that number.
    fn expects(&self, id: &str) -> bool {
        self.subjects.iter().any(|subject| {
            let is_called =
                subject.papers.values().any(|number| number == id) && !subject.expected.is_empty();
            is_called || subject.expected.iter().any(|one| one.of == id)
        })
    }
}

/// Of a number in the papers: the class itself if it can be had, and else the stand-in.
fn of<'s, 'a>(series: &'s [Series<'a>], id: &str) -> Vec<&'s Series<'a>> {
    let of_number: Vec<&Series<'_>> = series.iter().filter(|one| one.expectation.of == id).collect();
    let real: Vec<&Series<'_>> = of_number
        .iter()
        .copied()
        .filter(|one| one.subject.group != Group::Standin)
        .collect();
    if !real.is_empty() {
        return real;
    }
    if !of_number.is_empty() {
        return of_number;
    }
    // Some papers have the same class under another number, and no fault of its own.
    series
        .iter()
        .filter(|one| one.subject.papers.values().any(|number| number == id))
        .collect()
}

fn rate(series: &[&Series<'_>], likeness: Likeness) -> Rate {
    let total = Total::of(series.iter().copied(), likeness);
    Rate {
        hits: total.hits,
        tries: total.hunts,
    }
}

/// Such as `1.6 (0.8 to 3.1)`; of the hunts that found it.
fn spread(series: &[&Series<'_>], likeness: Likeness) -> String {
    let total = Total::of(series.iter().copied(), likeness);
    let seconds = series
        .iter()
        .flat_map(|one| one.hits(likeness))
        .map(|hit| hit.seconds);
    let least = seconds.reduce(f64::min);
    match (total.median_seconds, least, total.longest) {
        (Some(median), Some(least), Some(most)) => format!("{median:.1} ({least:.1} to {most:.1})"),
        _ => "–".to_owned(),
    }
}

/// A row for every class of every paper.
pub(super) fn every_subject(data: &Data<'_>) -> String {
    let mut table = Table::new(&[
        ("id", Side::Left),
        ("in", Side::Left),
        ("class", Side::Left),
        ("version there", Side::Left),
        ("hunted here", Side::Left),
        ("fault", Side::Left),
        ("of the kind", Side::Right),
        ("seconds", Side::Right),
        ("the fault itself", Side::Right),
        ("seconds", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
        ("pair", Side::Left),
    ]);
    let series = data.series();
    for entry in data.entries {
        let own = of(&series, &entry.id);
        let total = Total::of(own.iter().copied(), Likeness::Fault);
        let found = |hits: usize| match own.as_slice() {
            [] if data.expects(&entry.id) => "not measured".to_owned(),
            [] => "no fault known".to_owned(),
            _ => format!("{hits}/{}", total.hunts),
        };
        let named: BTreeSet<&str> = own.iter().map(|one| one.expectation.published.name()).collect();
        table.row(vec![
            entry.id.clone(),
            entry.papers.clone(),
            entry.class.clone(),
            entry.version.clone(),
            entry.ours.clone().unwrap_or_else(|| "the same".to_owned()),
            entry.fault.clone(),
            found(rate(&own, Likeness::Kind).hits),
            spread(&own, Likeness::Kind),
            found(total.hits),
            spread(&own, Likeness::Fault),
            whole_cell(total.median_plans),
            whole_cell(total.median_schedules),
            named.into_iter().collect::<Vec<_>>().join(", "),
        ]);
    }
    table.render()
}

/// Success by kind of class: of the faults whose pair somebody has published in original classes, and a table of all.
pub(super) fn success(data: &Data<'_>) -> (Rate, String) {
    let mut table = Table::new(&[
        ("classes", Side::Left),
        ("pair", Side::Left),
        ("JDK", Side::Right),
        ("faults", Side::Right),
        ("of the kind, of all hunts", Side::Right),
        (
            "the fault itself, of all hunts, with the 95 % interval",
            Side::Right,
        ),
        ("by every seed", Side::Right),
        ("median s", Side::Right),
        ("most s", Side::Right),
    ]);
    let series = data.series();
    let mut row = |name: &str, pair: &str, jdk: &str, chosen: &[&Series<'_>]| {
        if chosen.is_empty() {
            return;
        }
        let total = Total::of(chosen.iter().copied(), Likeness::Fault);
        let kind = rate(chosen, Likeness::Kind);
        let is_always = |one: &&&Series<'_>| one.missed_seeds(Likeness::Fault).is_empty();
        table.row(vec![
            name.to_owned(),
            pair.to_owned(),
            jdk.to_owned(),
            chosen.len().to_string(),
            format!("{} of {}", kind.hits, kind.tries),
            rate(chosen, Likeness::Fault).cell(),
            chosen.iter().filter(is_always).count().to_string(),
            seconds_cell(total.median_seconds),
            seconds_cell(total.longest),
        ]);
    };
    let groups = [
        (Group::Jdk, 17, "of the JDK"),
        (Group::Jdk, 25, "of the JDK"),
        (Group::Library, 17, "of libraries"),
        (Group::Standin, 17, "stand-ins"),
    ];
    for (group, jdk, name) in groups {
        for (is_named, pair) in [(true, "published"), (false, "not published")] {
            let chosen = part(&series, |one| {
                one.subject.group == group
                    && one.jdk == jdk
                    && one.expectation.published.is_named() == is_named
            });
            row(name, pair, &jdk.to_string(), &chosen);
        }
    }
    let originals = part(&series, |one| {
        one.subject.group != Group::Standin && one.expectation.published.is_named()
    });
    row("all but stand-ins", "published", "", &originals);
    (rate(&originals, Likeness::Fault), table.render())
}

fn part<'s, 'a>(series: &'s [Series<'a>], is_part: impl Fn(&Series<'a>) -> bool) -> Vec<&'s Series<'a>> {
    series.iter().filter(|one| is_part(one)).collect()
}

/// What some seed did not find, with the reason.
pub(super) fn misses(data: &Data<'_>) -> String {
    let mut text = String::new();
    for one in data.series() {
        let seeds = one.missed_seeds(Likeness::Fault);
        if seeds.is_empty() {
            continue;
        }
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        let why = one.expectation.missed.as_deref().unwrap_or("not looked into yet");
        add(
            &mut text,
            format_args!(
                "- {} {} on {}, {}: missed by seed {}: {why}\n",
                one.subject.id,
                one.subject.class,
                one.jdk,
                one.expectation,
                seeds.join(", ")
            ),
        );
    }
    if data.hunts.is_empty() {
        text.push_str("Nothing was measured.\n");
    } else if text.is_empty() {
        text.push_str("No seed missed anything.\n");
    }
    text
}

/// DepCon+ Tables II (faults that show as exceptions) and III (deadlocks).
pub(super) fn depcon(data: &Data<'_>) -> String {
    let mut table = Table::new(&[
        ("no.", Side::Left),
        ("class", Side::Left),
        ("ours, 60 s: found", Side::Right),
        ("mean s", Side::Right),
        ("median s (from, to)", Side::Right),
        ("tests", Side::Right),
        ("DepCon+, 1 h: found, mean s", Side::Right),
        ("tests", Side::Right),
        ("CovCon, 1 h: found, mean s", Side::Right),
        ("tests", Side::Right),
    ]);
    let series = data.series();
    for is_deadlock in [false, true] {
        let mut rates = Vec::new();
        let mut means = Vec::new();
        let mut theirs = Vec::new();
        let mut again = Vec::new();
        for entry in data.entries {
            let Some(number) = entry.number_in("DepCon+") else {
                continue;
            };
            if (entry.fault == "deadlock") != is_deadlock {
                continue;
            }
            let own = of(&series, &entry.id);
            let total = Total::of(own.iter().copied(), Likeness::Fault);
            let published = data.published.of(&entry.id);
            let averages = [
                published.and_then(|published| published.depcon),
                published.and_then(|published| published.covcon_again),
            ];
            let tests = |averages: Option<Averages>| {
                averages.map_or_else(|| "–".to_owned(), |averages| averages.tests.to_string())
            };
            rates.push(rate(&own, Likeness::Fault));
            means.extend(total.mean_seconds);
            theirs.extend(averages[0]);
            again.extend(averages[1]);
            table.row(vec![
                number.to_owned(),
                entry.class.clone(),
                format!("{}/{}", total.hits, total.hunts),
                seconds_cell(total.mean_seconds),
                spread(&own, Likeness::Fault),
                whole_cell(total.median_plans),
                Averages::cell(averages[0]),
                tests(averages[0]),
                Averages::cell(averages[1]),
                tests(averages[1]),
            ]);
        }
        let of_theirs = |averages: &[Averages]| {
            let success: Vec<f64> = averages.iter().map(|one| f64::from(one.success)).collect();
            let seconds: Vec<f64> = averages.iter().map(|one| f64::from(one.seconds)).collect();
            format!(
                "{} %, {} s",
                whole_cell(mean(&success)),
                whole_cell(mean(&seconds))
            )
        };
        table.row(vec![
            String::new(),
            if is_deadlock {
                "mean of the deadlocks"
            } else {
                "mean of the exceptions"
            }
            .to_owned(),
            format!("{:.0} %", rates.into_iter().sum::<Rate>().percent()),
            seconds_cell(mean(&means)),
            String::new(),
            String::new(),
            of_theirs(&theirs),
            String::new(),
            of_theirs(&again),
        ]);
    }
    table.render()
}

/// CovCon Table II.
pub(super) fn covcon(data: &Data<'_>) -> String {
    let mut table = Table::new(&[
        ("no.", Side::Left),
        ("class", Side::Left),
        ("ours", Side::Right),
        ("median s (from, to)", Side::Right),
        ("its strategy here", Side::Right),
        ("ConTeGe's here", Side::Right),
        ("CovCon", Side::Right),
        ("ConTeGe", Side::Right),
    ]);
    let series = data.series();
    let rivals = series::all(data.subjects, data.strategies);
    let of_way = |strategy: Strategy, id: &str| {
        let chosen: Vec<&Series<'_>> = of(&rivals, id)
            .into_iter()
            .filter(|one| one.way == (strategy, Scheduler::Controlled))
            .collect();
        let total = Total::of(chosen.iter().copied(), Likeness::Kind);
        match (total.hunts, total.median_seconds) {
            (0, _) => "–".to_owned(),
            (hunts, Some(median)) => format!("{}/{hunts}, {median:.1} s", total.hits),
            (hunts, None) => format!("0/{hunts}"),
        }
    };
    let mut numbered: Vec<(u32, &Entry)> = data
        .entries
        .iter()
        .filter_map(|entry| Some((entry.number_in("CovCon")?.parse().ok()?, entry)))
        .collect();
    numbered.sort_by_key(|(number, _)| *number);
    let mut medians = Vec::new();
    let mut theirs = Vec::new();
    for (number, entry) in &numbered {
        let own = of(&series, &entry.id);
        let total = Total::of(own.iter().copied(), Likeness::Fault);
        let times = data
            .published
            .of(&entry.id)
            .and_then(|published| published.covcon);
        medians.extend(total.median_seconds);
        theirs.extend(
            times
                .map(|times| times.seconds)
                .filter(|seconds| published::is_found(*seconds)),
        );
        table.row(vec![
            number.to_string(),
            entry.class.clone(),
            format!("{}/{}", total.hits, total.hunts),
            spread(&own, Likeness::Fault),
            of_way(Strategy::Covcon, &entry.id),
            of_way(Strategy::Contege, &entry.id),
            published::seconds_cell(times.map(|times| times.seconds)),
            published::seconds_cell(times.map(|times| times.contege)),
        ]);
    }
    let seconds: Vec<f64> = theirs.iter().map(|seconds| f64::from(*seconds)).collect();
    table.row(vec![
        String::new(),
        "mean of those found".to_owned(),
        format!("{} of {}", medians.len(), numbered.len()),
        seconds_cell(mean(&medians)),
        String::new(),
        String::new(),
        format!(
            "{} of {}, {} s",
            theirs.len(),
            numbered.len(),
            whole_cell(mean(&seconds))
        ),
    ]);
    table.render()
}

/// Hunts of classes that are known to be correct, findings that are known to be true, and others.
pub(super) fn alarms(subjects: &[Subject], records: &[Record]) -> (usize, usize, usize) {
    let mut known = 0;
    let mut others = 0;
    for record in records {
        let Some(subject) = subjects.iter().find(|subject| subject.id == record.key.hunt) else {
            continue;
        };
        for finding in &record.findings {
            if subject
                .expected
                .iter()
                .any(|one| one.is_met_by(finding, Likeness::Fault))
            {
                known += 1;
            } else {
                others += 1;
            }
        }
    }
    (records.len(), known, others)
}
