//! `cargo xtask bench autocontest`: AutoConTest on the classes of its slides, beside the numbers there.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use super::hunting::class_path;
use super::hunting::list::{self, Subject};
use super::machine;
use crate::markdown::{Side, Table};
use crate::subjects::Cache;
use crate::{date, file, jdks, product};

/// A class of the slides, and what they say of it.
struct Slide {
    /// In `bench/hunts.toml`.
    id: &'static str,
    name: &'static str,
    seconds: u32,
    coverage: u32,
    tests: u32,
    lines: u32,
    /// To the first sequence, and how many of its calls add to the coverage: with pruning, and within an hour without.
    sequence_ms: u32,
    calls: u32,
    unpruned_calls: u32,
}

const SLIDES: [Slide; 6] = [
    slide("S01", "IntRange", [22, 19, 7, 2157], [1598, 25, 25]),
    slide("S24", "AsMap", [29, 1, 3, 19], [1741, 6, 6]),
    slide("S23-standin", "Vector 1.1.7", [65, 2, 17, 1437], [1931, 23, 24]),
    slide("S08", "NumberAxis", [35, 23, 1, 114], [7098, 56, 56]),
    slide("S20-standin", "Logger", [45, 1, 3, 105], [2911, 24, 24]),
    slide("S06-standin", "Vector 1.4.2", [30, 33, 1, 104], [2866, 44, 44]),
];

const fn slide(
    id: &'static str,
    name: &'static str,
    [seconds, coverage, tests, lines]: [u32; 4],
    [sequence_ms, calls, unpruned_calls]: [u32; 3],
) -> Slide {
    Slide {
        id,
        name,
        seconds,
        coverage,
        tests,
        lines,
        sequence_ms,
        calls,
        unpruned_calls,
    }
}

/// More than any search makes in the time it has.
const NO_BOUND: &str = "100000000";

/// Arguments of `bench autocontest`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Hunt each class with the seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// Seconds for a hunt, and for a suite.
    #[arg(long, value_name = "SECONDS", default_value_t = 65)]
    budget: u64,
    /// Seconds for a search without pruning.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    unpruned: u64,
    /// Only these, by their ids, separated by commas.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Fetch nothing.
    #[arg(long)]
    offline: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (executable, commit) = match &args.raddle {
        Some(path) => (path.clone(), "unknown".to_owned()),
        None => (product::build()?, machine::commit()),
    };
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let jdk = jdks::installed()?.into_iter().next().context("there is no JDK")?;
    let cache = Cache::open(args.offline)?;
    let subjects = list::read()?;
    let load = machine::load();
    let mut faults = Table::new(&[
        ("class", Side::Left),
        ("first fault s", Side::Right),
        ("tests until then", Side::Right),
        ("found", Side::Right),
        ("slides s", Side::Right),
        ("coverage", Side::Right),
        ("slides", Side::Right),
        ("tests", Side::Right),
        ("calls in tests", Side::Right),
        ("slides: tests", Side::Right),
        ("slides: lines", Side::Right),
        ("suite s", Side::Right),
    ]);
    let mut pruning = Table::new(&[
        ("class", Side::Left),
        ("ms", Side::Right),
        ("sequences", Side::Right),
        ("new calls", Side::Right),
        ("slides ms", Side::Right),
        ("slides calls", Side::Right),
        ("without: ms", Side::Right),
        ("without: sequences", Side::Right),
        ("without: new calls", Side::Right),
        ("slides without", Side::Right),
    ]);
    for slide in SLIDES.iter().filter(|slide| args.takes(slide)) {
        let Some(subject) = subjects.iter().find(|subject| subject.id == slide.id) else {
            bail!("{} is not in bench/hunts.toml", slide.id);
        };
        let class_path = match class_path::prepare(subject, &cache, &jdk, directory.path())? {
            Ok(class_path) => std::env::join_paths(class_path)?,
            Err(why) => {
                eprintln!("{} is left out: {why}", slide.id);
                continue;
            }
        };
        let raddle = Raddle {
            executable: &executable,
            jdk: &jdk,
            class_path: class_path.to_str().context("a path that is no text")?,
            subject,
            directory: directory.path(),
        };
        raddle.measure(args, slide, &mut faults, &mut pruning)?;
    }
    let text = format!(
        "# AutoConTest\n\n{}, commit {commit}, {}, load before {load}, after {}. Made by `cargo xtask bench \
         autocontest`.\n\n{INTRODUCTION}\n## Faults and coverage\n\n{}\n## Pruning\n\n{PRUNING}\n{}",
        date::today(),
        machine::processor(),
        machine::load(),
        faults.render(),
        pruning.render()
    );
    print!("{text}");
    if let Some(path) = &args.out {
        file::write(path, &text)?;
    }
    Ok(())
}

const INTRODUCTION: &str = "\
First fault is the median over the seeds until `raddle hunt --strategy autocontest` has a confirmed finding, in a class that \
is the one of the slides (IntRange, AsMap, NumberAxis in a later version) or was written after its description (the others, \
which are smaller). The slides count an access pattern as a fault; here a fault is what a caller can see. Tests are small: \
the slides run whole sequences of calls against each other, and so always have the fault in the first test.

Coverage is the number of different interleavings, by pattern and places, that `raddle suite` forced; tests and the calls \
in them are those of the suite it wrote.
";

const PRUNING: &str = "\
The first sequence: how long the search took, how many sequences were run, and how many of its calls do something new, with \
redundant sequences left out and without. The search with pruning ends when it finds nothing better for a while; the one \
without is cut off. The slides had one hour for that.
";

impl Args {
    fn takes(&self, slide: &Slide) -> bool {
        self.only.is_empty() || self.only.iter().any(|id| id == slide.id)
    }
}

struct Raddle<'a> {
    executable: &'a Path,
    jdk: &'a Path,
    class_path: &'a str,
    subject: &'a Subject,
    directory: &'a Path,
}

impl Raddle<'_> {
    fn measure(
        &self,
        args: &Args,
        slide: &Slide,
        faults: &mut Table,
        pruning: &mut Table,
    ) -> anyhow::Result<()> {
        eprintln!("{}", self.subject.class);
        let mut first: Vec<(f64, u64)> = Vec::new();
        for seed in 1..=args.seeds {
            first.extend(self.first_fault(seed, args.budget)?);
        }
        first.sort_by(|one, other| one.0.total_cmp(&other.0));
        let median = first.get(first.len() / 2);
        let suite = self.suite(args.budget, &[])?;
        let calls: usize = entries(&suite["tests"])
            .iter()
            .map(|test| entries(&test["calls"]).len())
            .sum();
        let dash = || "–".to_owned();
        faults.row(vec![
            slide.name.to_owned(),
            median.map_or_else(dash, |(seconds, _)| format!("{seconds:.1}")),
            median.map_or_else(dash, |(_, plans)| plans.to_string()),
            format!("{} of {}", first.len(), args.seeds),
            slide.seconds.to_string(),
            suite["coverage"].to_string(),
            slide.coverage.to_string(),
            entries(&suite["tests"]).len().to_string(),
            calls.to_string(),
            slide.tests.to_string(),
            slide.lines.to_string(),
            last_seconds(&suite),
        ]);
        let unpruned = self.suite(args.unpruned, &["--no-pruning", "--sequences", NO_BOUND])?;
        let number = |suite: &Value, name: &str| suite["numbers"][name].to_string();
        let (ms, sequences) = first_sequence(&suite);
        let (unpruned_ms, unpruned_sequences) = first_sequence(&unpruned);
        let name = "behaviours of the first sequence";
        pruning.row(vec![
            slide.name.to_owned(),
            ms,
            sequences,
            number(&suite, name),
            slide.sequence_ms.to_string(),
            slide.calls.to_string(),
            unpruned_ms,
            unpruned_sequences,
            number(&unpruned, name),
            slide.unpruned_calls.to_string(),
        ]);
        Ok(())
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.executable);
        command
            .args([
                name,
                &self.subject.class,
                "--json",
                "-cp",
                self.class_path,
                "--jdk",
            ])
            .arg(self.jdk)
            .stdin(Stdio::null());
        command
    }

    /// Seconds and plans until the first finding.
    fn first_fault(&self, seed: u64, budget: u64) -> anyhow::Result<Option<(f64, u64)>> {
        let out = self.directory.join(format!("hunt-{}-{seed}", self.subject.id));
        let mut command = self.command("hunt");
        command
            .args([
                "--strategy",
                "autocontest",
                "--stop-at-first",
                "--no-confirm",
                "--jobs",
                "1",
            ])
            .args([
                "--seed",
                &seed.to_string(),
                "--budget",
                &format!("{budget}s"),
                "--out",
            ])
            .arg(&out);
        let document = answer(&mut command)?;
        let class = &document["classes"][0];
        let finding = entries(&class["findings"]).first();
        let after = finding.and_then(|finding| finding["after_ms"].as_f64());
        let plans = class["numbers"]["plans"].as_u64().unwrap_or(0);
        Ok(after.map(|after| (after / 1000.0, plans)))
    }

    fn suite(&self, budget: u64, more: &[&str]) -> anyhow::Result<Value> {
        let mut command = self.command("suite");
        let budget = format!("{}s", Duration::from_secs(budget).as_secs());
        command
            .args(["--budget", &budget, "--out"])
            .arg(self.directory.join(format!("suite-{}", self.subject.id)))
            .args(more);
        answer(&mut command)
    }
}

fn entries(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn last_seconds(suite: &Value) -> String {
    let last = entries(&suite["progress"]).last();
    let ms = last.and_then(|last| last["time_ms"].as_f64()).unwrap_or(0.0);
    format!("{:.1}", ms / 1000.0)
}

/// Milliseconds and sequential tests until the first sequence was settled, or until the time was up.
fn first_sequence(suite: &Value) -> (String, String) {
    let progress = entries(&suite["progress"]);
    let Some(first) = progress.first() else {
        return (String::new(), String::new());
    };
    let is_cut = suite["numbers"]["iterations"] == 0;
    let sign = if is_cut { "> " } else { "" };
    (
        format!("{sign}{}", first["time_ms"]),
        format!("{sign}{}", first["sequential_tests"]),
    )
}

/// The exit code tells what was found, which is not asked here.
fn answer(command: &mut Command) -> anyhow::Result<Value> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("raddle gives no result: {}", said.trim())
    })
}
