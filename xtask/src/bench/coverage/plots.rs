//! The figures.

use super::record::Record;
use super::{CLASSES, STRATEGIES};
use crate::bench::hunting::record::Strategy;
use crate::bench::hunting::statistics::{count, median};
use crate::svg::{Arrangement, Axis, Bar, Bars, LineChart, Range, Scale, Series};

/// Where coverage is looked at, in seconds.
const TIMES: [f64; 10] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0];

/// What the time is spent on, as the hunt calls it and as the figure does. CovCon's figure has four parts: to make tests,
/// to run them, to update coverage, and to look for violations.
const PARTS: [(&str, &[&str]); 6] = [
    ("analysis, making tests", &["analysis", "generation"]),
    ("sequential tests", &["seeds", "tracing"]),
    ("loading classes", &["starting", "loading"]),
    ("running schedules", &["schedules"]),
    ("judging", &["sequential", "judging"]),
    ("minimising, repeating", &["settling"]),
];

/// Names of files, and what is in them.
pub(super) fn all(records: &[Record]) -> Vec<(String, String)> {
    let mut plots: Vec<(String, String)> = CLASSES
        .iter()
        .filter_map(|id| {
            Some((
                format!("coverage-{}.svg", id.to_lowercase()),
                over_time(id, records)?,
            ))
        })
        .collect();
    plots.push(("time.svg".to_owned(), breakdown(records)));
    plots
}

fn of<'r>(records: &'r [Record], id: &str, strategy: Strategy) -> Vec<&'r Record> {
    let is_meant = |record: &&Record| record.key.hunt == id && record.key.strategy == strategy;
    records.iter().filter(is_meant).collect()
}

/// The class without its package.
pub(super) fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

fn over_time(id: &str, records: &[Record]) -> Option<String> {
    let class = records.iter().find(|record| record.key.hunt == id)?;
    let budget = count(class.budget_ms) / 1000.0;
    let series = STRATEGIES.iter().map(|strategy| {
        let hunts = of(records, id, *strategy);
        let at = |seconds: f64| -> Vec<f64> {
            hunts
                .iter()
                .map(|hunt| hunt.told.share_at(seconds * 1000.0))
                .collect()
        };
        let times = TIMES.iter().copied().filter(|time| *time <= budget);
        let mut points = Vec::new();
        let mut band = Vec::new();
        for time in times {
            let shares = at(time);
            let least = shares.iter().copied().reduce(f64::min);
            let most = shares.iter().copied().reduce(f64::max);
            if let (Some(low), Some(high), Some(middle)) = (least, most, median(shares)) {
                points.push((time, middle));
                band.push(Range { x: time, low, high });
            }
        }
        Series {
            name: strategy.name().to_owned(),
            points,
            band,
        }
    });
    let chart = LineChart {
        title: format!("{}: pairs of methods that were tried", simple(&class.class)),
        description:
            "Share of the pairs of methods that could hurt each other, over time, for three strategies."
                .to_owned(),
        x: Axis::new("seconds", Scale::Log),
        y: Axis::new("% of the pairs", Scale::Linear),
        series: series.collect(),
    };
    Some(chart.render())
}

/// In percent of the whole, by the names of [`PARTS`].
pub(super) fn shares(records: &[&Record]) -> Vec<f64> {
    let milliseconds = |keys: &[&str]| -> f64 {
        let of_one =
            |record: &&Record| -> f64 { keys.iter().filter_map(|key| record.told.spent.get(*key)).sum() };
        records.iter().map(of_one).sum()
    };
    let parts: Vec<f64> = PARTS.iter().map(|(_, keys)| milliseconds(keys)).collect();
    let total: f64 = parts.iter().sum();
    parts
        .iter()
        .map(|part| 100.0 * part / total.max(f64::MIN_POSITIVE))
        .collect()
}

pub(super) fn part_names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(name, _)| *name)
}

fn breakdown(records: &[Record]) -> String {
    let mut rows = Vec::new();
    for id in CLASSES {
        for strategy in STRATEGIES {
            let hunts = of(records, id, strategy);
            let Some(first) = hunts.first() else { continue };
            rows.push(Bar {
                label: format!("{}, {}", simple(&first.class), strategy.name()),
                values: shares(&hunts).into_iter().map(Some).collect(),
            });
        }
    }
    Bars {
        title: "Where the time goes".to_owned(),
        description:
            "Share of the time of a hunt that is spent on each part of the work, by class and strategy."
                .to_owned(),
        axis: Axis::new("% of the time", Scale::Linear),
        arrangement: Arrangement::Stacked,
        parts: part_names().map(str::to_owned).collect(),
        rows,
    }
    .render()
}
