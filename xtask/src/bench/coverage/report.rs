//! The report.

use super::plots::{part_names, shares, simple};
use super::record::Record;
use super::{CLASSES, STRATEGIES};
use crate::bench::hunting::statistics::{count, median};
use crate::bench::machine;
use crate::markdown::{Side, Table, add};

const LEGEND: &str = "\
Pairs are those of methods that could hurt each other by the analysis; a pair counts as tried when a test ran its two \
methods at the same time. Seconds count from the beginning of the analysis. Numbers are medians over the seeds, with the \
least and the most. CovCon's Figure 3 counts all pairs of methods, and its Figure 4 has no sequential tests.
";

pub(super) fn render(records: &[Record]) -> String {
    let mut text = String::from("# Coverage over time\n\n");
    if let Some(first) = records.first() {
        add(
            &mut text,
            format_args!(
                "{}, commit {}, JDK {}, {}, load {}. Made by `cargo xtask bench coverage`; {} hunts of {} s.\n\n",
                first.date,
                first.commit,
                first.told.jdk_version,
                machine::processor(),
                first.load,
                records.len(),
                first.budget_ms / 1000
            ),
        );
    }
    text.push_str(LEGEND);
    let mut coverage = Table::new(&[
        ("class", Side::Left),
        ("strategy", Side::Left),
        ("pairs", Side::Right),
        ("after 5 s", Side::Right),
        ("at the end", Side::Right),
        ("plans", Side::Right),
        ("schedules", Side::Right),
        ("findings", Side::Right),
    ]);
    let mut head: Vec<(&'static str, Side)> = vec![("class", Side::Left), ("strategy", Side::Left)];
    head.extend(part_names().map(|name| (name, Side::Right)));
    let mut times = Table::new(&head);
    for id in CLASSES {
        for strategy in STRATEGIES {
            let is_meant = |record: &&Record| record.key.hunt == id && record.key.strategy == strategy;
            let hunts: Vec<&Record> = records.iter().filter(is_meant).collect();
            let Some(first) = hunts.first() else { continue };
            let name = simple(&first.class).to_owned();
            let share = |milliseconds: f64| {
                spread(
                    hunts
                        .iter()
                        .map(|hunt| hunt.told.share_at(milliseconds))
                        .collect(),
                )
            };
            let whole = |number: fn(&Record) -> u64| {
                let numbers = hunts.iter().map(|hunt| count(number(hunt))).collect();
                median(numbers).map_or_else(String::new, |number| format!("{number:.0}"))
            };
            coverage.row(vec![
                name.clone(),
                strategy.name().to_owned(),
                first.told.pairs.to_string(),
                share(5000.0),
                share(f64::INFINITY),
                whole(|hunt| hunt.told.plans),
                whole(|hunt| hunt.told.schedules),
                whole(|hunt| hunt.told.findings),
            ]);
            let mut cells = vec![name, strategy.name().to_owned()];
            cells.extend(shares(&hunts).iter().map(|share| format!("{share:.0} %")));
            times.row(cells);
        }
    }
    add(
        &mut text,
        format_args!(
            "\n## Pairs tried\n\n{}\n## Where the time goes\n\n{}",
            coverage.render(),
            times.render()
        ),
    );
    text
}

/// Such as `40 % (38 to 41)`.
fn spread(values: Vec<f64>) -> String {
    let least = values.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let most = values.iter().copied().reduce(f64::max).unwrap_or(0.0);
    let middle = median(values).unwrap_or(0.0);
    if most - least < 1.0 {
        return format!("{middle:.0} %");
    }
    format!("{middle:.0} % ({least:.0} to {most:.0})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_told_if_there_is_one() {
        assert_eq!(spread(vec![40.2, 40.4]), "40 %");
        assert_eq!(spread(vec![38.0, 41.0, 40.0]), "40 % (38 to 41)");
    }
}
