//! The report: what was expected and found, the hunts, and why something was missed.

use std::collections::BTreeSet;

use crate::bench::hunting::expectation::Likeness;
use crate::bench::hunting::head;
use crate::bench::hunting::list::{Group, Subject};
use crate::bench::hunting::published::{Averages, Results, seconds_cell};
use crate::bench::hunting::record::{Found, Record, StockJvm};
use crate::bench::hunting::series::{self, Series, Total};
use crate::bench::hunting::statistics::{self, count, median, whole_cell};
use crate::markdown::{Side, Table, add};

const LEGEND: &str = "
A hunt is one run of `raddle hunt --jobs 1`, without limit on the number of findings. It ends when every fault that is listed \
for the class has itself been found, or when its budget is spent. \"Of the kind\" is any finding of that kind in the class; \
\"the fault itself\" is one in the pair of methods, or at the place, that `bench/hunts.toml` lists, and the head of that file \
says what agrees. \"Told apart\" are hunts that have shown the fault itself, but as what may be by design, by the rules of \
`docs/hunt-json.md`; these count as misses. \"Pair\" says who names it: printed by a paper or a tracker; the only one that a paper's count can mean; \
none, or gone from the version that is available: then the pairs were seen to fail by hand, and are counted apart. Times \
are seconds from the beginning of the analysis until a finding was made as small as possible and repeated in two fresh \
JVMs. Medians and maxima are of the hunts that found it. Plans and schedules are those of the whole hunt until then, or up \
to a second more.

DepCon+ and \"CovCon again\" are the success rate and the mean time of DepCon+ Tables II and III, one hour, a miss counted as \
an hour; CovCon is Table II of that paper. Both are of the papers' versions of the classes and of their machines.
";
/// Where nobody has written down why something was missed.
const UNKNOWN: &str = "not yet looked into";

pub(super) fn render(
    groups: &[Group],
    subjects: &[Subject],
    records: &[Record],
    published: &Results,
) -> String {
    let series = series::all(subjects, records);
    let mut text = head::render("Hunts", "hunt", records);
    text.push_str(LEGEND);
    add(
        &mut text,
        format_args!(
            "\n## Expected findings\n\n{}",
            expected(&series, published).render()
        ),
    );
    add(
        &mut text,
        format_args!("\n## Overall\n\n{}", overall(&series).render()),
    );
    add(
        &mut text,
        format_args!("\n## Hunts\n\n{}", hunts(subjects, records).render()),
    );
    add(&mut text, format_args!("\n## Missed\n\n{}", misses(&series)));
    text.push_str(&head::missing(groups, subjects, records));
    text
}

fn expected(series: &[Series<'_>], published: &Results) -> Table {
    let mut table = Table::new(&[
        ("id", Side::Left),
        ("class", Side::Left),
        ("JDK", Side::Right),
        ("expected", Side::Left),
        ("of the kind", Side::Right),
        ("median s", Side::Right),
        ("pair", Side::Left),
        ("the fault itself", Side::Right),
        ("told apart", Side::Right),
        ("median s", Side::Right),
        ("max s", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
        ("DepCon+", Side::Right),
        ("CovCon again", Side::Right),
        ("CovCon", Side::Right),
    ]);
    for one in series {
        let kind = Total::of([one], Likeness::Kind);
        let fault = Total::of([one], Likeness::Fault);
        let papers = published.of(&one.expectation.of);
        table.row(vec![
            one.subject.id.clone(),
            one.subject.class.clone(),
            one.jdk.to_string(),
            one.expectation.to_string(),
            one.score(Likeness::Kind),
            statistics::seconds_cell(kind.median_seconds),
            one.expectation.published.name().to_owned(),
            one.score(Likeness::Fault),
            one.told_apart().to_string(),
            statistics::seconds_cell(fault.median_seconds),
            statistics::seconds_cell(fault.longest),
            whole_cell(fault.median_plans),
            whole_cell(fault.median_schedules),
            Averages::cell(papers.and_then(|papers| papers.depcon)),
            Averages::cell(papers.and_then(|papers| papers.covcon_again)),
            seconds_cell(papers.and_then(|papers| Some(papers.covcon?.seconds))),
        ]);
    }
    table
}

/// Original classes and stand-ins apart, and pairs that somebody has published apart from those that nobody has.
fn overall(series: &[Series<'_>]) -> Table {
    let mut table = Table::new(&[
        ("group", Side::Left),
        ("JDK", Side::Right),
        ("pair", Side::Left),
        ("faults", Side::Right),
        ("of the kind", Side::Right),
        ("median s", Side::Right),
        ("the fault itself", Side::Right),
        ("told apart", Side::Right),
        ("by every seed", Side::Right),
        ("by some seed", Side::Right),
        ("median s", Side::Right),
        ("max s", Side::Right),
    ]);
    let parts: BTreeSet<(Group, u32)> = series.iter().map(|one| (one.subject.group, one.jdk)).collect();
    let mut row = |name: &str, jdk: &str, is_part: &dyn Fn(&Series<'_>) -> bool| {
        for (is_named, pair) in [(true, "published"), (false, "not published")] {
            let part: Vec<&Series<'_>> = series
                .iter()
                .filter(|one| is_part(one) && one.expectation.published.is_named() == is_named)
                .collect();
            if !part.is_empty() {
                table.row(overall_cells(name, jdk, pair, &part));
            }
        }
    };
    for (group, jdk) in parts {
        row(group.name(), &jdk.to_string(), &|one| {
            one.subject.group == group && one.jdk == jdk
        });
    }
    row("all originals", "", &|one| one.subject.group != Group::Standin);
    row("all stand-ins", "", &|one| one.subject.group == Group::Standin);
    table
}

fn overall_cells(group: &str, jdk: &str, pair: &str, series: &[&Series<'_>]) -> Vec<String> {
    let kind = Total::of(series.iter().copied(), Likeness::Kind);
    let fault = Total::of(series.iter().copied(), Likeness::Fault);
    let is_always = |one: &&&Series<'_>| one.missed_seeds(Likeness::Fault).is_empty();
    let is_sometimes = |one: &&&Series<'_>| !one.hits(Likeness::Fault).is_empty();
    vec![
        group.to_owned(),
        jdk.to_owned(),
        pair.to_owned(),
        series.len().to_string(),
        format!("{}/{}", kind.hits, kind.hunts),
        statistics::seconds_cell(kind.median_seconds),
        format!("{}/{}", fault.hits, fault.hunts),
        series
            .iter()
            .map(|one| one.told_apart())
            .sum::<usize>()
            .to_string(),
        series.iter().filter(is_always).count().to_string(),
        series.iter().filter(is_sometimes).count().to_string(),
        statistics::seconds_cell(fault.median_seconds),
        statistics::seconds_cell(fault.longest),
    ]
}

fn hunts(subjects: &[Subject], records: &[Record]) -> Table {
    let mut table = Table::new(&[
        ("id", Side::Left),
        ("class", Side::Left),
        ("JDK", Side::Right),
        ("hunts", Side::Right),
        ("first finding s", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
        ("findings", Side::Right),
        ("stock JVM confirms", Side::Right),
        ("does not", Side::Right),
        ("untried", Side::Right),
        ("analysis bugs", Side::Right),
    ]);
    for subject in subjects {
        let jdks: BTreeSet<u32> = records
            .iter()
            .filter(|record| record.key.hunt == subject.id)
            .map(|record| record.key.jdk)
            .collect();
        for jdk in jdks {
            let own: Vec<&Record> = records
                .iter()
                .filter(|record| record.key.hunt == subject.id && record.key.jdk == jdk)
                .collect();
            table.row(hunt_cells(subject, jdk, &own));
        }
    }
    table
}

fn hunt_cells(subject: &Subject, jdk: u32, records: &[&Record]) -> Vec<String> {
    let findings: Vec<&Found> = records.iter().flat_map(|record| &record.findings).collect();
    let first: Vec<f64> = records
        .iter()
        .filter_map(|record| Some(record.findings.first()?.seconds))
        .collect();
    let median_of =
        |number: fn(&Record) -> u64| median(records.iter().map(|record| count(number(record))).collect());
    let on_stock_jvm = |verdict: StockJvm| {
        let findings = findings.iter().filter(|finding| finding.stock_jvm == verdict);
        findings.count().to_string()
    };
    let bugs = findings.iter().filter(|finding| finding.analysis_bug.is_some());
    vec![
        subject.id.clone(),
        subject.class.clone(),
        jdk.to_string(),
        records.len().to_string(),
        statistics::seconds_cell(median(first)),
        whole_cell(median_of(|record| record.plans)),
        whole_cell(median_of(|record| record.schedules)),
        findings.len().to_string(),
        on_stock_jvm(StockJvm::Confirmed),
        on_stock_jvm(StockJvm::NotConfirmed),
        on_stock_jvm(StockJvm::Untried),
        bugs.count().to_string(),
    ]
}

fn misses(series: &[Series<'_>]) -> String {
    let mut table = Table::new(&[
        ("id", Side::Left),
        ("class", Side::Left),
        ("JDK", Side::Right),
        ("expected", Side::Left),
        ("pair", Side::Left),
        ("named by", Side::Left),
        ("seeds", Side::Left),
        ("reason", Side::Left),
    ]);
    let mut is_empty = true;
    for one in series {
        let seeds = one.missed_seeds(Likeness::Fault);
        if seeds.is_empty() {
            continue;
        }
        is_empty = false;
        table.row(vec![
            one.subject.id.clone(),
            one.subject.class.clone(),
            one.jdk.to_string(),
            one.expectation.to_string(),
            one.expectation.calls(),
            one.expectation.source.clone(),
            seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            one.expectation
                .missed
                .clone()
                .unwrap_or_else(|| UNKNOWN.to_owned()),
        ]);
    }
    if is_empty {
        return "Nothing.\n".to_owned();
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::hunting::expectation::Kind;
    use crate::bench::hunting::{list, published};

    /// Cells of the rows that start like this.
    fn rows(text: &str, start: &str) -> Vec<String> {
        text.lines()
            .filter(|line| line.starts_with(start))
            .map(|line| {
                let cells = line.trim_matches('|').split('|').map(str::trim);
                cells.collect::<Vec<_>>().join(" ; ")
            })
            .collect()
    }

    fn report() -> String {
        let subjects = list::read().unwrap();
        let mut bug = Found::sample(Kind::Exception, 7.0);
        bug.analysis_bug = Some("ruled out".to_owned());
        bug.stock_jvm = StockJvm::NotConfirmed;
        let crosswise = Found {
            threads: vec![vec!["append(java.lang.StringBuffer)".to_owned()]; 2],
            ..Found::sample(Kind::Deadlock, 1.9)
        };
        let records = [
            Record::sample("S16", 1, vec![Found::sample(Kind::Deadlock, 0.5), bug]),
            Record::sample("S16", 2, vec![Found::sample(Kind::Deadlock, 1.5), crosswise]),
            Record::sample("S04", 1, vec![Found::sample(Kind::Exception, 3.0)]),
            Record::sample("S30-standin", 1, vec![Found::sample(Kind::Result, 4.0)]),
        ];
        render(
            &[Group::Jdk, Group::Library],
            &subjects,
            &records,
            &published::read().unwrap(),
        )
    }

    #[test]
    fn every_expectation_stands_beside_the_papers() {
        let rows = rows(&report(), "| S16");
        assert_eq!(
            rows[0],
            "S16 ; java.lang.StringBuffer ; 17 ; deadlock ; 2/2 ; 1.0 ; printed ; 1/2 ; 0 ; 1.9 ; 1.9 ; 10 ; 1000 ; 100 %, 18 s ; \
             0 %, 3600 s ; –"
        );
        assert_eq!(
            rows[1],
            "S16 ; java.lang.StringBuffer ; 17 ; exception ; 1/2 ; 7.0 ; printed ; 0/2 ; 0 ; – ; – ; – ; – ; – ; – ; 560 s"
        );
    }

    #[test]
    fn hunts_tell_their_first_finding_and_what_became_of_all() {
        let rows = rows(&report(), "| S16");
        assert_eq!(
            rows[2],
            "S16 ; java.lang.StringBuffer ; 17 ; 2 ; 1.0 ; 100 ; 10000 ; 4 ; 3 ; 1 ; 0 ; 1"
        );
    }

    #[test]
    fn a_miss_has_a_reason() {
        let text = report();
        let rows = rows(&text, "| S16");
        assert_eq!(
            rows[4],
            "S16 ; java.lang.StringBuffer ; 17 ; exception ; insert ∥ deleteCharAt ; JDK-7100996 ; 1, 2 ; not yet looked into"
        );
        assert!(text.contains("- no hunt: S17, "), "{text}");
    }

    #[test]
    fn originals_and_named_pairs_are_summed_up_apart() {
        let text = report();
        assert_eq!(
            rows(&text, "| jdk "),
            ["jdk ; 17 ; published ; 2 ; 3/4 ; 1.5 ; 1/4 ; 0 ; 0 ; 1 ; 1.9 ; 1.9"]
        );
        assert_eq!(
            rows(&text, "| library"),
            ["library ; 17 ; not published ; 1 ; 1/1 ; 3.0 ; 0/1 ; 0 ; 0 ; 0 ; – ; –"]
        );
        assert_eq!(
            rows(&text, "| all "),
            [
                "all originals ;  ; published ; 2 ; 3/4 ; 1.5 ; 1/4 ; 0 ; 0 ; 1 ; 1.9 ; 1.9",
                "all originals ;  ; not published ; 1 ; 1/1 ; 3.0 ; 0/1 ; 0 ; 0 ; 0 ; – ; –",
                "all stand-ins ;  ; published ; 1 ; 1/1 ; 4.0 ; 0/1 ; 0 ; 0 ; 0 ; – ; –",
            ]
        );
    }
}
