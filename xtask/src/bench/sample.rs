//! `cargo xtask bench sample`: what hunts say of classes that nobody has chosen. `bench/sample/README.md` has the rule.

mod draw;
mod hunter;
mod judgement;
mod population;
mod record;
mod report;
mod rule;
mod set;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use raddle_testkit::crew;

use self::draw::{Drawn, Half};
use self::hunter::Hunter;
use self::judgement::Judgements;
use self::record::Record;
use self::set::Set;
use super::hunting::arguments::parse_time;
use super::hunting::results;
use super::kept::Kept;
use crate::subjects::Cache;

/// Arguments of `bench sample`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    kept: Kept,
    /// Which list of classes.
    #[arg(long, value_enum, default_value = "sample")]
    set: Set,
    /// Which half to hunt: one that may be looked at finding by finding, or one of which only totals are shown.
    #[arg(long, value_enum, default_value = "both")]
    half: Halves,
    /// Only these classes, separated by commas.
    #[arg(long, value_name = "CLASS", value_delimiter = ',')]
    only: Vec<String>,
    /// How long each class is hunted, such as 500ms, 25s or 2m.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "25s")]
    budget: Duration,
    /// Hunts at the same time, each with one JVM at a time.
    #[arg(long, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,
    /// Keep the folder of each hunt in this directory.
    #[arg(long, value_name = "DIRECTORY")]
    keep: Option<PathBuf>,
    /// Hunt nothing; list the population anew from the JDK and the jars, and draw the sample from it.
    #[arg(long, conflicts_with_all = ["only", "keep"])]
    draw: bool,
}

/// Halves of the sample.
#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Halves {
    Open,
    Closed,
    Both,
}

impl Halves {
    fn includes(self, half: Half) -> bool {
        match self {
            Halves::Open => half == Half::Open,
            Halves::Closed => half == Half::Closed,
            Halves::Both => true,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.draw {
        let population = population::list(args.set, &Cache::open(args.kept.offline)?)?;
        population.write(args.set)?;
        return draw::write(args.set, &draw::draw(args.set, &population)?);
    }
    let sample = draw::read(args.set)?;
    let records: Vec<Record> = args
        .kept
        .records(args.set.name(), |path| hunt_all(args, &sample, path))?;
    let text = report::render(args.set, &sample, &records, &Judgements::read(args.set)?);
    args.kept.tell(&text)
}

/// What came of it in two sentences, from a results file; or that there is none yet.
pub(super) fn in_short(path: &Path) -> anyhow::Result<String> {
    if !path.exists() {
        return Ok("The frozen sample of classes that nobody has chosen was not measured yet.".to_owned());
    }
    let records: Vec<Record> = results::read(path)?;
    Ok(report::in_short(
        &draw::read(Set::Sample)?,
        &records,
        &Judgements::read(Set::Sample)?,
    ))
}

fn hunt_all(args: &Args, sample: &[Drawn], path: &Path) -> anyhow::Result<()> {
    let earlier: Vec<Record> = args.kept.earlier(path, args.budget, Record::budget)?;
    let left = chosen(args, sample, &earlier)?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let (built, commit) = args.kept.executable()?;
    // A copy, so that building anew meanwhile changes nothing.
    let executable = directory.path().join("raddle");
    fs::copy(&built, &executable).with_context(|| format!("cannot copy {}", built.display()))?;
    let hunter = Hunter::new(
        args.set,
        executable,
        commit,
        args.budget,
        args.keep.clone(),
        args.kept.offline,
    )?;
    let results = args.kept.open(path)?;
    eprintln!("{} hunts, results in {}", left.len(), path.display());
    let done = AtomicUsize::new(0);
    let is_broken = AtomicBool::new(false);
    let outcomes = crew::run(&left, args.jobs, |_, drawn| {
        // What went wrong once, such as a full disk, would go wrong every time.
        if is_broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let outcome = hunter.hunt(drawn).and_then(|record| {
            let number = done.fetch_add(1, Ordering::Relaxed) + 1;
            eprintln!("[{number}/{}] {}", left.len(), record.progress_line());
            results.add(&record)
        });
        if outcome.is_err() {
            is_broken.store(true, Ordering::Relaxed);
        }
        outcome
    });
    outcomes.into_iter().collect()
}

/// Those that are asked for and have no result yet.
fn chosen<'s>(args: &Args, sample: &'s [Drawn], earlier: &[Record]) -> anyhow::Result<Vec<&'s Drawn>> {
    if let Some(unknown) = args
        .only
        .iter()
        .find(|name| !sample.iter().any(|drawn| drawn.class == **name))
    {
        bail!(
            "{unknown} is not in the sample; {} lists it",
            args.set.path(draw::FILE).display()
        );
    }
    let is_wanted = |drawn: &&Drawn| {
        args.half.includes(drawn.half)
            && (args.only.is_empty() || args.only.contains(&drawn.class))
            && !earlier
                .iter()
                .any(|record| record.class == drawn.class && record.has_ended())
    };
    Ok(sample.iter().filter(is_wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn classes(line: &[&str], earlier: &[Record]) -> anyhow::Result<Vec<String>> {
        let sample = [("a.A", Half::Open), ("a.B", Half::Closed), ("a.C", Half::Open)];
        let sample = sample.map(|(class, half)| Drawn::sample(class, half));
        let args = Line::parse_from(["sample"].iter().chain(line)).args;
        let chosen = chosen(&args, &sample, earlier)?;
        Ok(chosen.iter().map(|drawn| drawn.class.clone()).collect())
    }

    #[test]
    fn a_half_is_hunted_alone_or_both_are() {
        assert_eq!(classes(&[], &[]).unwrap(), ["a.A", "a.B", "a.C"]);
        assert_eq!(classes(&["--half", "open"], &[]).unwrap(), ["a.A", "a.C"]);
        assert_eq!(classes(&["--half", "closed"], &[]).unwrap(), ["a.B"]);
    }

    #[test]
    fn what_has_a_result_is_left_out_and_what_failed_is_not() {
        let done = Record::sample("a.A", Some(0));
        let failed = Record::sample("a.C", Some(70));
        assert_eq!(classes(&["--half", "open"], &[done, failed]).unwrap(), ["a.C"]);
    }

    #[test]
    fn a_class_that_was_not_drawn_is_refused() {
        assert_eq!(classes(&["--only", "a.C,a.A"], &[]).unwrap(), ["a.A", "a.C"]);
        let message = classes(&["--only", "a.D"], &[]).unwrap_err().to_string();
        assert!(message.contains("a.D is not in the sample"), "{message}");
    }
}
