//! `cargo xtask bench scale`: how Raddle grows with workers, with the size of a class, and with the class path.

mod classes;
mod plots;
mod process;
mod raddle;
mod record;
mod report;
mod workplace;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use self::record::{Key, Record};
use self::workplace::Workplace;
use super::kept::{self, Kept};
use super::machine;
use crate::date;

/// More than a small machine has cores.
const JOBS: [u32; 3] = [1, 2, 4];
/// Public methods of a class.
const METHODS: [u32; 5] = [10, 25, 50, 100, 250];
/// Classes beside the one that is hunted.
const CLASSES: [u32; 5] = [1, 10, 100, 1_000, 5_000];

/// Arguments of `bench scale`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    kept: Kept,
    /// Write plots to this directory, as SVG.
    #[arg(long, value_name = "DIRECTORY")]
    plots: Option<PathBuf>,
    /// Seconds of each hunt with one, two and four workers.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// Repeat hunts with the seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Analyse each class in so many rounds, each of ten runs.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only these parts, separated by commas [default: all].
    #[arg(long, value_name = "PART", value_delimiter = ',', value_enum)]
    only: Vec<Part>,
}

/// What is varied.
#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Workers,
    Methods,
    ClassPath,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let records: Vec<Record> = args.kept.records("scale", |path| measure(args, path))?;
    args.kept.tell(&report::render(&records))?;
    kept::draw(args.plots.as_deref(), plots::all(&records))
}

fn measure(args: &Args, path: &Path) -> anyhow::Result<()> {
    let budget = Duration::from_secs(args.budget);
    let budget_of = |record: &Record| Duration::from_secs(record.budget_s);
    let earlier = args.kept.earlier(path, budget, budget_of)?;
    let (executable, commit) = args.kept.executable()?;
    let workplace = Workplace::new(&executable, args.kept.offline, budget, args.rounds)?;
    let mut keys = keys(args, &workplace);
    keys.retain(|key| !earlier.iter().any(|record| record.key == *key));
    let results = args.kept.open(path)?;
    eprintln!("{} measurements, results in {}", keys.len(), path.display());
    let begun = Instant::now();
    let expected: Vec<Duration> = keys.iter().map(|key| key.expected(args.budget)).collect();
    for (index, key) in keys.iter().enumerate() {
        let left = time_left(&expected, index, begun.elapsed());
        eprintln!(
            "[{}/{}] {key}, about {} s left",
            index + 1,
            keys.len(),
            left.as_secs()
        );
        let load = machine::load();
        let (analysis, hunt, jdk_version) = workplace
            .measure(key)
            .with_context(|| format!("cannot measure {key}"))?;
        results.add(&Record {
            key: key.clone(),
            date: date::today(),
            commit: commit.clone(),
            jdk_version,
            load,
            budget_s: args.budget,
            analysis,
            hunt,
        })?;
    }
    Ok(())
}

/// Everything that is to be measured, the quickest last, so that the estimate of the time left is soon good.
fn keys(args: &Args, workplace: &Workplace) -> Vec<Key> {
    let takes = |part: Part| args.only.is_empty() || args.only.contains(&part);
    let mut keys = Vec::new();
    for seed in 1..=args.seeds {
        if takes(Part::Workers) {
            for class in workplace.classes() {
                keys.extend(JOBS.map(|jobs| Key::Workers {
                    class: class.to_owned(),
                    jobs,
                    seed,
                }));
            }
        }
        if takes(Part::Methods) {
            keys.extend(METHODS.map(|methods| Key::Methods { methods, seed }));
        }
    }
    if takes(Part::ClassPath) {
        keys.extend(CLASSES.map(|classes| Key::ClassPath { classes }));
    }
    keys
}

/// What is expected of the rest, corrected by how the expectation was met so far.
fn time_left(expected: &[Duration], done: usize, taken: Duration) -> Duration {
    let (past, rest) = expected.split_at(done.min(expected.len()));
    let sum = |part: &[Duration]| part.iter().sum::<Duration>();
    let correction = if past.is_empty() {
        1.0
    } else {
        taken.as_secs_f64() / sum(past).as_secs_f64()
    };
    sum(rest).mul_f64(correction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_what_was_seen() {
        let expected = [10, 10, 20].map(Duration::from_secs);
        assert_eq!(time_left(&expected, 0, Duration::ZERO).as_secs(), 40);
        assert_eq!(time_left(&expected, 1, Duration::from_secs(20)).as_secs(), 60);
        assert_eq!(time_left(&expected, 3, Duration::from_secs(50)).as_secs(), 0);
    }
}
