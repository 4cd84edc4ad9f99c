//! `cargo xtask bench peers`: known faults and speed, with Raddle and with tools that need a test to be written, on one
//! machine in one run.

mod child;
mod journal;
mod kit;
mod list;
mod measure;
mod record;
mod report;

use std::path::Path;
use std::time::{Duration, Instant};

use self::list::List;
use self::measure::Bench;
use self::record::{Key, Part, Record, Tool};
use super::hunting::arguments::parse_time;
use super::hunting::list::{self as hunts, Subject};
use super::kept::Kept;
use super::program::PROGRAMS;

/// Arguments of `bench peers`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    kept: Kept,
    /// Only these pairs by their class, hunts by their id, or programs by their name, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Only these tools, separated by commas.
    #[arg(long, value_name = "TOOL", value_delimiter = ',', value_enum, default_values = ["raddle", "lincheck", "vmlens", "jcstress", "stress"])]
    tools: Vec<Tool>,
    /// Only these parts, separated by commas.
    #[arg(long, value_name = "PART", value_delimiter = ',', value_enum, default_values = ["pairs", "speed"])]
    parts: Vec<Part>,
    /// How long each tool may look for a fault, the start of its JVM included, such as 20s or 2m.
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = parse_time)]
    budget: Duration,
    /// Runs of each tool on each pair or program.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let list = list::read()?;
    let subjects = hunts::read()?;
    let measure = |path: &Path| measure(args, &list, &subjects, path);
    let records: Vec<Record> = args.kept.records("peers", measure)?;
    args.kept.tell(&report::render(&list, &subjects, &records)?)
}

fn measure(args: &Args, list: &List, subjects: &[Subject], path: &Path) -> anyhow::Result<()> {
    let budget_of = |record: &Record| Duration::from_millis(record.budget_ms);
    let earlier = args.kept.earlier(path, args.budget, budget_of)?;
    let (executable, commit) = args.kept.executable()?;
    let mut keys = keys(args, list);
    keys.retain(|key| !earlier.iter().any(|record| record.key == *key));
    let mut bench = Bench::new(
        &executable,
        commit,
        args.budget,
        args.kept.offline,
        list,
        subjects,
    )?;
    let results = args.kept.open(path)?;
    eprintln!("{} runs, results in {}", keys.len(), path.display());
    let begun = Instant::now();
    for (index, key) in keys.iter().enumerate() {
        let Some(record) = bench.run(key)? else {
            continue;
        };
        results.add(&record)?;
        let done = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let left = begun.elapsed() / done * u32::try_from(keys.len() - index - 1).unwrap_or(u32::MAX);
        eprintln!(
            "[{done}/{}, about {} min left] {} {}: {}",
            keys.len(),
            left.as_secs().div_ceil(60),
            key.test,
            key.tool.name(),
            report::cell(&[&record])
        );
    }
    Ok(())
}

/// Round by round and test by test, so that all tools have a test at about the same time.
fn keys(args: &Args, list: &List) -> Vec<Key> {
    let is_wanted =
        |names: &[&str]| args.only.is_empty() || args.only.iter().any(|only| names.contains(&only.as_str()));
    let pairs = list
        .pair
        .iter()
        .filter(|pair| is_wanted(&[&pair.class, &pair.hunt]));
    let programs = PROGRAMS
        .iter()
        .filter(|program| program.peer.is_some() && is_wanted(&[program.name]));
    let tests: Vec<(Part, &str)> = pairs
        .map(|pair| (Part::Pairs, pair.class.as_str()))
        .chain(programs.map(|program| (Part::Speed, program.name)))
        .collect();
    let mut keys = Vec::new();
    for round in 1..=args.rounds {
        for &(part, test) in &tests {
            if !args.parts.contains(&part) {
                continue;
            }
            for &tool in &args.tools {
                let both = [tool, Tool::Pct];
                let has_both = part == Part::Speed && tool == Tool::Raddle;
                keys.extend(both[..if has_both { 2 } else { 1 }].iter().map(|&tool| Key {
                    part,
                    test: test.to_owned(),
                    tool,
                    round,
                }));
            }
        }
    }
    keys
}
