//! `cargo xtask bench all` and `cargo xtask bench publish`: every table from one command, and the page that shows them.
//!
//! Each step is a benchmark that can also be run alone, with the arguments that [`steps`] lists. What a step has done is
//! in its folder, and a run that was interrupted goes on from there.

mod page;
mod paper;
mod rates;
mod steps;
mod tables;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;

use self::steps::{Profile, Step};
use super::Benchmark;
use crate::{file, subjects, workspace};

/// Where the tables, the results and the page are in the repository, relative to its root.
const TABLES: &str = "bench/tables";
const RESULTS: &str = "bench/results";
const PLOTS: &str = "docs/plots";
const PAGE: &str = "docs/results.md";

/// Arguments of `bench all`.
#[derive(clap::Args)]
pub(crate) struct AllArgs {
    /// How much is measured.
    #[arg(long, value_enum, default_value = "quick")]
    profile: Profile,
    /// Where results are kept [default: bench/PROFILE in cargo's target directory].
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
    /// Only these steps, separated by commas.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<String>,
    /// Forget what these steps have measured before.
    #[arg(long)]
    again: bool,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Fetch nothing; classes whose jars are missing are left out.
    #[arg(long)]
    offline: bool,
}

/// Arguments of `bench publish`.
#[derive(clap::Args)]
pub(crate) struct PublishArgs {
    /// The directory of `bench all` [default: bench/full in cargo's target directory].
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

/// A step as a command line.
#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    benchmark: Benchmark,
}

/// The analysis of the papers' classes is no benchmark of its own.
#[derive(Parser)]
struct SubjectsLine {
    #[command(flatten)]
    args: subjects::Args,
}

/// Measures what has not been measured yet, and makes the page.
pub(crate) fn all(args: &AllArgs) -> anyhow::Result<()> {
    let directory = args
        .dir
        .clone()
        .unwrap_or_else(|| default_directory(args.profile));
    fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let steps = steps::chosen(args.profile, &args.only)?;
    if args.again {
        steps.iter().try_for_each(|step| forget(&directory, step))?;
    }
    // Steps with results of their own go on from these, and may have left out what can be had now.
    let left: Vec<&Step> = steps
        .iter()
        .filter(|step| step.has_results || !table(&directory, step).exists())
        .collect();
    eprintln!(
        "{} of {} steps are to be done, which takes about {}; results are in {}",
        left.len(),
        steps.len(),
        minutes(expected(&left)),
        directory.display()
    );
    let mut failed = Vec::new();
    for (index, step) in left.iter().enumerate() {
        eprintln!(
            "\n== step {} of {}: {}, about {}; all in all about {} left",
            index + 1,
            left.len(),
            step.name,
            minutes(step.expected),
            minutes(expected(&left[index..]))
        );
        let begun = Instant::now();
        match run(step, &directory, args) {
            Ok(()) => eprintln!("== {} took {}", step.name, minutes(begun.elapsed())),
            Err(error) => {
                eprintln!("== {} failed: {error:#}", step.name);
                failed.push(step.name);
            }
        }
    }
    let page = directory.join("results.md");
    file::write(&page, &page::render(&directory, "plots")?)?;
    eprintln!("\nthe page is {}", page.display());
    if !failed.is_empty() {
        bail!(
            "these steps failed: {}; run the same command again to go on",
            failed.join(", ")
        );
    }
    Ok(())
}

/// Removes what a step has left, and nothing else.
fn forget(directory: &Path, step: &Step) -> anyhow::Result<()> {
    for extension in ["md", "jsonl"] {
        let path = directory.join(step.name).with_extension(extension);
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot remove {}", path.display())),
        }
    }
    Ok(())
}

/// Copies tables, results and plots into the repository, and makes the page there.
pub(crate) fn publish(args: &PublishArgs) -> anyhow::Result<()> {
    let directory = args
        .dir
        .clone()
        .unwrap_or_else(|| default_directory(Profile::Full));
    let root = workspace::root();
    copy(&directory, &root.join(TABLES), "md", &["results.md"])?;
    // Its closed half is not to be looked at one by one.
    copy(&directory, &root.join(RESULTS), "jsonl", &["sample.jsonl"])?;
    copy(&directory.join("plots"), &root.join(PLOTS), "svg", &[])?;
    file::write(&root.join(PAGE), &page::render(&directory, "plots")?)
}

fn default_directory(profile: Profile) -> PathBuf {
    workspace::target().join("bench").join(profile.name())
}

/// What a step leaves when it is done.
fn table(directory: &Path, step: &Step) -> PathBuf {
    directory.join(step.name).with_extension("md")
}

fn run(step: &Step, directory: &Path, args: &AllArgs) -> anyhow::Result<()> {
    let line = command_line(step, directory, args.raddle.as_deref(), args.offline);
    if step.name == steps::SUBJECTS {
        return subjects::run(&SubjectsLine::try_parse_from(line)?.args);
    }
    super::dispatch(&Line::try_parse_from(["bench".into()].into_iter().chain(line))?.benchmark)
}

/// The step's name and its arguments.
fn command_line(step: &Step, directory: &Path, raddle: Option<&Path>, is_offline: bool) -> Vec<OsString> {
    let path = |name: &str| directory.join(name).into_os_string();
    let mut line: Vec<OsString> = vec![step.name.into()];
    line.extend(step.arguments.iter().map(OsString::from));
    line.extend(["--out".into(), table(directory, step).into_os_string()]);
    if is_offline && step.can_be_offline {
        line.push("--offline".into());
    }
    // Otherwise each step builds it, which is done only once, and knows the commit.
    if let (Some(flag), Some(executable)) = (step.executable, raddle) {
        line.extend([flag.into(), executable.as_os_str().to_owned()]);
    }
    if step.has_results {
        line.extend([
            "--results".into(),
            path(&format!("{}.jsonl", step.name)),
            "--resume".into(),
        ]);
    }
    if step.has_plots {
        line.extend(["--plots".into(), path("plots")]);
    }
    line
}

/// Files of a kind; a file that is there is replaced.
fn copy(from: &Path, to: &Path, extension: &str, without: &[&str]) -> anyhow::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    let entries = fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let is_wanted = path.extension().is_some_and(|found| found == extension)
            && !without.iter().any(|name_of_other| name == *name_of_other);
        if is_wanted {
            fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
            fs::copy(&path, to.join(&name)).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(())
}

fn expected(steps: &[&Step]) -> Duration {
    steps.iter().map(|step| step.expected).sum()
}

fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=90 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_a_command() {
        for profile in [Profile::Quick, Profile::Full] {
            for step in steps::chosen(profile, &[]).unwrap() {
                let line = command_line(&step, Path::new("results"), Some(Path::new("raddle")), true);
                let outcome = if step.name == steps::SUBJECTS {
                    SubjectsLine::try_parse_from(&line).map(drop)
                } else {
                    let line = ["bench".into()].into_iter().chain(line.clone());
                    Line::try_parse_from(line).map(drop)
                };
                assert!(outcome.is_ok(), "{line:?}: {}", outcome.unwrap_err());
            }
        }
    }
}
