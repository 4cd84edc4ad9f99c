//! `cargo xtask bench coverage`: how fast pairs of methods are tried, and where the time goes. CovCon's Figures 3 and 4,
//! section V-C and V-D.

mod plots;
mod record;
mod report;

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;
use raddle_testkit::crew;

use self::record::{Key, Record, Source};
use super::hunting::arguments::parse_time;
use super::hunting::class_path;
use super::hunting::list::{self, Subject};
use super::hunting::record::Strategy;
use super::hunting::results::Row as _;
use super::kept::{self, Kept};
use super::machine;
use crate::subjects::Cache;
use crate::{date, jdks};

/// Classes of CovCon's table, of which many methods can be called.
const CLASSES: [&str; 4] = ["S10", "S09", "S04", "S16"];
/// Ours, the paper's, and the paper's rival.
const STRATEGIES: [Strategy; 3] = [Strategy::Portfolio, Strategy::Covcon, Strategy::Contege];

/// Arguments of `bench coverage`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    kept: Kept,
    /// Write plots to this directory, as SVG.
    #[arg(long, value_name = "DIRECTORY")]
    plots: Option<PathBuf>,
    /// How long each class is hunted, such as 30s.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_time)]
    budget: Duration,
    /// Hunt each class with the seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Hunts at the same time.
    #[arg(long, value_name = "N", default_value = "2")]
    parallel: NonZeroUsize,
}

/// What all hunts have in common.
struct Hunts<'a> {
    executable: &'a Path,
    jdk: &'a Path,
    budget: Duration,
    commit: &'a str,
}

/// A class with what it needs.
struct Prepared<'a> {
    subject: &'a Subject,
    class_path: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let records: Vec<Record> = args.kept.records("coverage", |path| measure(args, path))?;
    args.kept.tell(&report::render(&records))?;
    kept::draw(args.plots.as_deref(), plots::all(&records))
}

fn measure(args: &Args, path: &Path) -> anyhow::Result<()> {
    let budget_of = |record: &Record| Duration::from_millis(record.budget_ms);
    let earlier = args.kept.earlier(path, args.budget, budget_of)?;
    let (executable, commit) = args.kept.executable()?;
    let jdk = jdks::installed()?
        .into_iter()
        .next()
        .context("there is no JDK; set JAVA_HOME to one, 17 or later")?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let subjects = list::read()?;
    let prepared = prepare(&subjects, args.kept.offline, &jdk, directory.path())?;
    let mut keys = keys(&prepared, args.seeds);
    keys.retain(|(_, key)| !earlier.iter().any(|record| record.key() == *key));
    let results = args.kept.open(path)?;
    let hunts = Hunts {
        executable: &executable,
        jdk: &jdk,
        budget: args.budget,
        commit: &commit,
    };
    let each = args.budget.as_secs() / args.parallel.get() as u64;
    eprintln!(
        "{} hunts, about {} s, results in {}",
        keys.len(),
        keys.len() as u64 * each,
        path.display()
    );
    let done = AtomicUsize::new(0);
    let outcomes = crew::run(&keys, args.parallel, |_, (prepared, key)| {
        let record = hunts.hunt(prepared, key)?;
        let number = done.fetch_add(1, Ordering::Relaxed) + 1;
        let left = (keys.len() - number) as u64 * each;
        eprintln!("[{number}/{}, about {left} s left] {key}", keys.len());
        results.add(&record)
    });
    outcomes.into_iter().collect()
}

/// Leaves out classes whose jars cannot be had, and says so.
fn prepare<'a>(
    subjects: &'a [Subject],
    is_offline: bool,
    jdk: &Path,
    directory: &Path,
) -> anyhow::Result<Vec<Prepared<'a>>> {
    let cache = Cache::open(is_offline)?;
    let mut prepared = Vec::new();
    for id in CLASSES {
        let subject = subjects
            .iter()
            .find(|subject| subject.id == id)
            .with_context(|| format!("{id} is not in bench/hunts.toml"))?;
        match class_path::prepare(subject, &cache, jdk, directory)? {
            Ok(class_path) => prepared.push(Prepared { subject, class_path }),
            Err(why) => eprintln!("{id} is left out: {why}"),
        }
    }
    Ok(prepared)
}

/// Seed by seed, so that what is not finished has something of every class.
fn keys<'a>(prepared: &'a [Prepared<'a>], seeds: u64) -> Vec<(&'a Prepared<'a>, Key)> {
    let mut keys = Vec::new();
    for seed in 1..=seeds {
        for one in prepared {
            keys.extend(STRATEGIES.map(|strategy| {
                let key = Key {
                    hunt: one.subject.id.clone(),
                    strategy,
                    seed,
                };
                (one, key)
            }));
        }
    }
    keys
}

impl Hunts<'_> {
    fn hunt(&self, prepared: &Prepared<'_>, key: &Key) -> anyhow::Result<Record> {
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let out = directory.path().join("out");
        let said = File::create(directory.path().join("stderr.txt")).context("cannot write a file")?;
        let load = machine::load();
        let mut command = Command::new(self.executable);
        command
            .args(["hunt", "--json", "--jobs", "1", "--no-confirm"])
            .args(["--max-findings", "100000"])
            .args(["--strategy", key.strategy.name()])
            .args(["--seed", &key.seed.to_string()])
            .args(["--budget", &format!("{}ms", self.budget.as_millis())])
            .arg("--jdk")
            .arg(self.jdk)
            .arg("--out")
            .arg(&out)
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(said);
        if !prepared.class_path.is_empty() {
            let class_path =
                std::env::join_paths(&prepared.class_path).context("the path of a jar contains a colon")?;
            command.arg("--class-path").arg(class_path);
        }
        // The exit code tells whether something was found, which is not asked here.
        command
            .arg(&prepared.subject.class)
            .status()
            .with_context(|| format!("cannot run {}", self.executable.display()))?;
        let folder = out.join(&prepared.subject.class);
        let source = Source {
            run: fs::read_to_string(folder.join("run.json"))
                .with_context(|| format!("{key} left no result"))?,
            events: fs::read_to_string(folder.join("events.jsonl"))
                .with_context(|| format!("{key} left no events"))?,
        };
        let told = source
            .told()
            .with_context(|| format!("cannot read what {key} left"))?;
        Ok(Record {
            key: key.clone(),
            class: prepared.subject.class.clone(),
            date: date::today(),
            commit: self.commit.to_owned(),
            load,
            budget_ms: u64::try_from(self.budget.as_millis()).unwrap_or(u64::MAX),
            told,
        })
    }
}
