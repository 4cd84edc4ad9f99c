//! The plots.

use super::record::{Analysis, Record};
use super::report::{
    Group, class_paths, first_finding_s, mebibytes, method_numbers, schedules_per_second, worker_classes,
};
use super::workplace::PLANS;
use crate::bench::hunting::statistics::count;
use crate::svg::{Arrangement, Axis, Bar, Bars, LineChart, Range, Scale, Series};

/// All that there are results for, each with the name of its file.
pub(super) fn all(records: &[Record]) -> Vec<(&'static str, String)> {
    let mut plots = Vec::new();
    if !worker_classes(records).is_empty() {
        plots.push(("workers.svg", workers(records).render()));
        plots.push(("findings.svg", findings(records).render()));
        plots.push(("memory.svg", memory(records).render()));
    }
    if !method_numbers(records).is_empty() {
        plots.push(("methods-analysis.svg", methods_analysis(records).render()));
        plots.push((
            "methods-first-finding.svg",
            methods_first_finding(records).render(),
        ));
    }
    if !class_paths(records).is_empty() {
        plots.push(("class-path-time.svg", class_path_time(records).render()));
        plots.push(("class-path-memory.svg", class_path_memory(records).render()));
    }
    plots
}

/// Without the package.
fn simple_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// The spread of several values; nothing of one.
fn spread(x: f64, values: &[f64]) -> Option<Range> {
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    (values.len() > 1).then_some(Range { x, low, high })
}

/// The medians of groups and their spread.
fn series<'a>(
    name: &str,
    groups: impl Iterator<Item = (u32, Group<'a>)>,
    what: impl Fn(&Record) -> Option<f64>,
) -> Series {
    let mut points = Vec::new();
    let mut band = Vec::new();
    for (number, group) in groups {
        let x = f64::from(number);
        points.extend(group.median(&what).map(|y| (x, y)));
        band.extend(spread(x, &group.values(&what)));
    }
    Series {
        name: name.to_owned(),
        points,
        band,
    }
}

fn workers(records: &[Record]) -> LineChart {
    let classes = worker_classes(records);
    let ticks: Vec<f64> = classes
        .first()
        .map(|(_, numbers)| numbers.iter().copied().map(f64::from).collect())
        .unwrap_or_default();
    LineChart {
        title: "Speed of a hunt by number of workers".to_owned(),
        description: "A line for each class: how many times as many schedules a second raddle hunt runs with two and four \
                      workers as with one."
            .to_owned(),
        x: Axis::new("workers (--jobs)", Scale::Linear).with_ticks(&ticks),
        y: Axis::new("schedules a second, one worker = 1", Scale::Linear),
        series: classes
            .iter()
            .map(|(class, numbers)| {
                let groups = numbers
                    .iter()
                    .map(|jobs| (*jobs, Group::with_workers(records, class, *jobs)));
                let alone = Group::with_workers(records, class, 1).median(schedules_per_second);
                series(simple_name(class), groups, |record| {
                    Some(schedules_per_second(record)? / alone?)
                })
            })
            .collect(),
    }
}

fn findings(records: &[Record]) -> Bars {
    let classes = worker_classes(records);
    let numbers: Vec<u32> = classes
        .first()
        .map(|(_, numbers)| numbers.clone())
        .unwrap_or_default();
    Bars {
        title: "Findings of a hunt by number of workers".to_owned(),
        description:
            "For each class, how much raddle hunt finds in the same time with one, two and four workers."
                .to_owned(),
        axis: Axis::new("findings in the same time", Scale::Linear),
        arrangement: Arrangement::Grouped,
        parts: numbers.iter().map(|jobs| workers_name(*jobs)).collect(),
        rows: classes
            .iter()
            .map(|(class, _)| Bar {
                label: simple_name(class).to_owned(),
                values: numbers
                    .iter()
                    .map(|jobs| {
                        Group::with_workers(records, class, *jobs)
                            .median(|record| Some(count(record.hunt.findings)))
                    })
                    .collect(),
            })
            .collect(),
    }
}

fn workers_name(jobs: u32) -> String {
    if jobs == 1 {
        "1 worker".to_owned()
    } else {
        format!("{jobs} workers")
    }
}

fn memory(records: &[Record]) -> Bars {
    let mut bars = Vec::new();
    for (class, numbers) in worker_classes(records) {
        for jobs in numbers {
            let group = Group::with_workers(records, class, jobs);
            let heaviest = group.records.iter().map(|record| record.hunt.memory.together);
            let heaviest = heaviest.max_by_key(|(coordinator, workers)| coordinator + workers);
            let (coordinator, workers) = heaviest.unwrap_or((0, 0));
            bars.push(Bar {
                label: format!("{}, {}", simple_name(class), workers_name(jobs)),
                values: vec![Some(mebibytes(coordinator)), Some(mebibytes(workers))],
            });
        }
    }
    Bars {
        title: "Resident memory of a hunt at its highest".to_owned(),
        description: "For each class and number of workers, what the coordinator and all worker JVMs hold when they hold most."
            .to_owned(),
        axis: Axis::new("MiB", Scale::Linear),
        arrangement: Arrangement::Stacked,
        parts: vec!["coordinator".to_owned(), "worker JVMs".to_owned()],
        rows: bars,
    }
}

/// The best runs, and how much slower half of the others were.
fn wall_series<'a>(name: &str, analyses: impl Iterator<Item = (u32, &'a Analysis)>) -> Series {
    let mut points = Vec::new();
    let mut band = Vec::new();
    for (number, analysis) in analyses {
        let x = f64::from(number);
        let low = analysis.best_wall_ms();
        points.push((x, low));
        band.push(Range {
            x,
            low,
            high: analysis.median_wall_ms(),
        });
    }
    Series {
        name: name.to_owned(),
        points,
        band,
    }
}

fn methods_analysis(records: &[Record]) -> LineChart {
    let numbers = method_numbers(records);
    let analyses = || {
        numbers.iter().filter_map(|methods| {
            let group = Group::with_methods(records, *methods);
            let analysis = group.records.iter().find_map(|record| record.analysis.as_ref())?;
            Some((*methods, analysis))
        })
    };
    LineChart {
        title: "Time of raddle analyze by size of the class".to_owned(),
        description:
            "Wall-clock and processor time of the analysis of one class with more and more public methods."
                .to_owned(),
        x: Axis::new("public methods", Scale::Linear).with_ticks(&ticks(numbers.iter().copied())),
        y: Axis::new("ms", Scale::Linear),
        series: vec![
            wall_series("wall clock, best to median run", analyses()),
            Series {
                name: "processor, best round".to_owned(),
                points: analyses()
                    .map(|(methods, analysis)| (f64::from(methods), analysis.best_cpu_ms()))
                    .collect(),
                band: Vec::new(),
            },
        ],
    }
}

fn ticks(numbers: impl Iterator<Item = u32>) -> Vec<f64> {
    numbers.map(f64::from).collect()
}

fn methods_first_finding(records: &[Record]) -> LineChart {
    let numbers = method_numbers(records);
    let groups = numbers
        .iter()
        .map(|methods| (*methods, Group::with_methods(records, *methods)));
    LineChart {
        title: "Time to the first finding by size of the class".to_owned(),
        description:
            "Seconds until raddle hunt has found the one fault of a class with more and more public methods."
                .to_owned(),
        x: Axis::new("public methods", Scale::Linear).with_ticks(&ticks(numbers.iter().copied())),
        y: Axis::new("seconds", Scale::Linear),
        series: vec![series("first finding", groups, first_finding_s)],
    }
}

fn class_path_time(records: &[Record]) -> LineChart {
    let paths = class_paths(records);
    let analyses = paths
        .iter()
        .filter_map(|(classes, record)| Some((*classes, record.analysis.as_ref()?)));
    LineChart {
        title: "Time by size of the class path".to_owned(),
        description: "Time of raddle analyze and of a hunt of some plans for one class in a jar of more and more classes.".to_owned(),
        x: Axis::new("classes in the jar", Scale::Log).with_ticks(&ticks(paths.iter().map(|(classes, _)| *classes))),
        y: Axis::new("ms", Scale::Log),
        series: vec![
            wall_series("raddle analyze", analyses),
            Series {
                name: format!("raddle hunt, {PLANS} plans"),
                points: paths
                    .iter()
                    .map(|(classes, record)| (f64::from(*classes), record.hunt.wall_ms))
                    .collect(),
                band: Vec::new(),
            },
        ],
    }
}

fn class_path_memory(records: &[Record]) -> LineChart {
    let paths = class_paths(records);
    let line = |name: &str, kibibytes: fn(&Record) -> Option<u64>| Series {
        name: name.to_owned(),
        points: paths
            .iter()
            .filter_map(|(classes, record)| Some((f64::from(*classes), mebibytes(kibibytes(record)?))))
            .collect(),
        band: Vec::new(),
    };
    LineChart {
        title: "Resident memory by size of the class path".to_owned(),
        description: "What raddle analyze, and coordinator and worker of a hunt, hold at most, for one class in a jar of more and \
                      more classes."
            .to_owned(),
        x: Axis::new("classes in the jar", Scale::Log).with_ticks(&ticks(paths.iter().map(|(classes, _)| *classes))),
        y: Axis::new("MiB", Scale::Linear),
        series: vec![
            line("raddle analyze", |record| Some(record.analysis.as_ref()?.peak_kib)),
            line("raddle hunt, coordinator", |record| Some(record.hunt.memory.coordinator)),
            line("raddle hunt, worker", |record| Some(record.hunt.memory.largest_worker())),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Key;
    use super::*;

    #[test]
    fn there_is_a_plot_for_all_that_was_measured() {
        let class = "a.Queue".to_owned();
        let records = [
            Record::sample(Key::Workers {
                class,
                jobs: 2,
                seed: 1,
            }),
            Record::sample(Key::Methods { methods: 25, seed: 1 }),
            Record::sample(Key::ClassPath { classes: 1_000 }),
        ];
        assert_eq!(all(&records).len(), 7);
        let of_workers = all(&records[..1]);
        let names: Vec<&str> = of_workers.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["workers.svg", "findings.svg", "memory.svg"]);
        assert!(of_workers[2].1.contains(">Queue, 2 workers</text>"));
        assert!(of_workers[2].1.contains(">270</text>"), "what both held at once");
    }

    #[test]
    fn a_single_value_has_no_spread() {
        assert!(spread(1.0, &[2.0]).is_none());
        let range = spread(1.0, &[3.0, 2.0, 5.0]).unwrap();
        assert_eq!((range.low, range.high), (2.0, 5.0));
    }
}
